"""What all tables share."""

from datetime import datetime
from enum import StrEnum
from typing import Any, ClassVar

from sqlalchemy import JSON, Enum, ForeignKey, LargeBinary, MetaData
from sqlalchemy.orm import DeclarativeBase

from machjudge.store.schema.columns import Instant, Prose

Json = Any  # what the json module reads and writes; `documents` knows what it means


class Base(DeclarativeBase):
    """The root of all tables."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map: ClassVar[dict[Any, Any]] = {
        datetime: Instant,
        str: Prose,
        bytes: LargeBinary,
        Json: JSON,
    }


def belongs_to(column: str) -> ForeignKey:
    """A reference that is checked when the transaction is committed."""
    return ForeignKey(column, deferrable=True, initially="DEFERRED")


def choice(of: type[StrEnum]) -> Enum:
    """One of the values of an enumeration, as text."""
    return Enum(
        of, native_enum=False, length=16, values_callable=lambda each: [one.value for one in each]
    )
