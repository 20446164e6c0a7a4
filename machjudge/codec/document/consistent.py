"""The first thing in a position that no game could have led to, with its path."""

from collections.abc import Mapping

from machjudge.adjudicator.consistency import Inconsistency, inconsistencies
from machjudge.adjudicator.consistency.fault import Step
from machjudge.adjudicator.model.board import Spot
from machjudge.adjudicator.model.state import Loan, State
from machjudge.adjudicator.model.units import Unit
from machjudge.adjudicator.model.world import World
from machjudge.codec.document import short_names
from machjudge.codec.document.shape import Json, refuse

_OWNERS = ("provinces", "cities")


def check_consistency(world: World, state: State, fields: Mapping[str, Json]) -> None:
    """Refuse the position *fields*, read as *state*, if no game could have led to it.

    Raises Unfit.
    """
    for found in inconsistencies(world, state):
        if not (found.harmless and _is_said_so(found, fields)):
            refuse(found.says, _path(found.at, fields))


def _is_said_so(found: Inconsistency, fields: Mapping[str, Json]) -> bool:
    """Whether a position says such a thing on purpose, as other judges do in their records.

    They write a retreat phase in which nobody waits, and in the middle of a game, where they also
    say who owns what, they leave markers behind that the next phase clears away.
    """
    if found.at == ("phase",):
        return "dislodged" in fields
    return all(field in fields for field in _OWNERS)


def _path(at: tuple[Step, ...], fields: Mapping[str, Json]) -> str:
    """The way to a fault through the JSON, as far as it leads there: ``dislodged[0].unit``."""
    path = ""
    value: Json = dict(fields)
    for step in at:
        if isinstance(value, list):
            index = next((i for i, item in enumerate(value) if _is_meant(item, step)), None)
            if index is None:
                break
            path, value = f"{path}[{index}]", value[index]
        elif isinstance(value, dict) and _text(step) in value:
            path, value = f"{path}.{_text(step)}".lstrip("."), value[_text(step)]
        else:
            break
    return path or str(at[0])


def _is_meant(item: Json, step: Step) -> bool:
    """Whether an item of a list is what a step leads to."""
    if not isinstance(item, dict):
        return item == _text(step)
    if isinstance(step, Loan):
        return (item.get("power"), item.get("due")) == (step.power, step.due.code)
    return item.get("unit") == _text(step)


def _text(step: Step) -> str:
    match step:
        case Unit():
            return short_names.unit_text(step)
        case Spot():
            return short_names.spot_text(step.place, step.coast)
        case Loan():
            return step.due.code
        case _:
            return step
