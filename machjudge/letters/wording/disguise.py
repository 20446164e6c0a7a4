"""Positions and events as somebody reads them who does not know the kinds of all units (SPC-06)."""

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from machjudge.adjudicator.events import Maintained, UnitBuilt
from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.units import Unit

Knows = Callable[[PowerId], bool]
"""Whether the reader knows the kinds of a power's units."""


# Any: a value of any type, and one of the same type back.
def without_kinds(value: Any, knows: Knows) -> Any:  # noqa: ANN401
    """The same with plain units in place of those whose kinds the reader does not know.

    What they cost is left out, too; that of plain ones as well, for it would tell them apart.
    """
    match value:
        case Unit(owner=owner):
            return value if knows(owner) else value.made_plain()
        case Mapping():
            return {key: without_kinds(each, knows) for key, each in value.items()}
        case tuple() if not hasattr(value, "_fields"):
            return tuple(without_kinds(each, knows) for each in value)
        case _ if is_dataclass(value):
            return _of_object(value, knows)
        case _:
            return value


def _of_object(value: Any, knows: Knows) -> Any:  # noqa: ANN401
    before = {field.name: getattr(value, field.name) for field in fields(value)}
    after = {name: without_kinds(each, knows) for name, each in before.items()}
    if isinstance(value, UnitBuilt | Maintained) and not knows(value.unit.owner):
        after["ducats"] = 0
    return replace(value, **after) if after != before else value
