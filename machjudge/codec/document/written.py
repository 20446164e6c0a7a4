"""A ``State`` as the format writes it: every field, empty ones too, and every list sorted."""

from collections.abc import Iterable, Mapping
from operator import itemgetter

from machjudge.adjudicator.model.names import PlaceId, PowerId
from machjudge.adjudicator.model.state import Dislodged, Loan, Rebellions, State
from machjudge.adjudicator.model.units import Unit
from machjudge.adjudicator.model.world import World
from machjudge.codec.document import short_names
from machjudge.codec.document.position import loan_order, target_of
from machjudge.codec.document.shape import Json


def position_of(state: State, world: World) -> dict[str, Json]:
    """The whole position; with money in the game, every power that is played has a treasury."""
    return {
        "phase": state.moment.code,
        "units": _texts(map(short_names.unit_text, state.units())),
        "dislodged": [_waiting(waiting) for waiting in sorted(state.dislodged, key=_unit_words)],
        "provinces": _by_key(state.provinces),
        "cities": _by_key(state.cities),
        "homes": _by_key(state.homes),
        "famine": _texts(state.famine),
        "rebellion": _rebellions(state.province_rebellions, state),
        "city_rebellion": _rebellions(state.city_rebellions, state),
        "sieges": _texts(state.sieges),
        "treasury": _by_key(_treasuries(state, world)),
        "loans": [_loan(loan) for loan in sorted(state.loans, key=loan_order)],
        "defaulted": _texts(state.defaulted),
        "chits": {power: "".join(sorted(held)) for power, held in sorted(state.chits.items())},
        "eliminated": _texts(state.eliminated),
        "since": _since([*state.units(), *(waiting.unit for waiting in state.dislodged)]),
        "numbers": {},
        "memory": _memory(state),
    }


def _memory(state: State) -> dict[str, Json]:
    """What only some rules remember, without what is empty."""
    kept: dict[str, Json] = {
        "relieved": _texts(state.relieved),
        "taxed": _texts(state.taxed),
        "home_holders": _by_key(state.home_holders),
        "excommunicated": {power: at.code for power, at in sorted(state.excommunicated.items())},
    }
    return {name: value for name, value in kept.items() if value}


def _treasuries(state: State, world: World) -> Mapping[PowerId, int]:
    in_play = world.in_play if world.rules.game.money else ()
    return dict.fromkeys(in_play, 0) | dict(state.treasuries)


def _texts(texts: Iterable[str]) -> list[Json]:
    return [*sorted(texts)]


def _by_key(
    values: Mapping[PlaceId, PowerId] | Mapping[PowerId, PowerId] | Mapping[PowerId, int],
) -> dict[str, Json]:
    return dict(sorted(values.items()))


def _unit_words(waiting: Dislodged) -> str:
    return short_names.unit_text(waiting.unit)


def _waiting(waiting: Dislodged) -> dict[str, Json]:
    return {
        "unit": short_names.unit_text(waiting.unit),
        "retreats": _texts(str(spot) for spot in waiting.retreats),
        "convert": waiting.convert,
    }


def _rebellions(rebellions: Rebellions, state: State) -> Json:
    """A list where each is against whoever controls the province, else an object."""
    targets = {place: target_of(place, state.provinces, state.eliminated) for place in rebellions}
    if targets == rebellions:
        return _texts(rebellions)
    return dict(sorted(rebellions.items()))


def _loan(loan: Loan) -> dict[str, Json]:
    return {
        "power": loan.power,
        "principal": loan.principal,
        "interest": loan.interest,
        "due": loan.due.code,
    }


def _since(units: Iterable[Unit]) -> dict[str, Json]:
    """When the units were built that were not there from the start."""
    built = [(short_names.unit_text(unit), unit.since) for unit in units if unit.since is not None]
    return {text: since.code for text, since in sorted(built, key=itemgetter(0))}
