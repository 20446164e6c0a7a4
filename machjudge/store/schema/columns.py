"""The kinds of columns that databases do not have by themselves."""

import re
from datetime import UTC, datetime

from sqlalchemy import DateTime, Dialect, Text
from sqlalchemy.types import TypeDecorator

_NOT_KEPT = re.compile(r"[\x00\ud800-\udfff]")


class Instant(TypeDecorator[datetime]):
    """An instant in UTC: aware in the program, without its zone in a SQLite file."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """The instant as the database takes it.  ValueError for one without a zone."""
        if value is None:
            return None
        if value.tzinfo is None:
            message = "an instant without a time zone"
            raise ValueError(message)
        utc = value.astimezone(UTC)
        return utc.replace(tzinfo=None) if dialect.name == "sqlite" else utc

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """The instant as the program knows it."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Prose(TypeDecorator[str]):
    """Text that people wrote.

    NUL and halves of characters, which not every database can keep, become replacement characters.
    """

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """The text as the database takes it."""
        return None if value is None else _NOT_KEPT.sub("\N{REPLACEMENT CHARACTER}", value)
