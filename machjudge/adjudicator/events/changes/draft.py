"""A position that is being written, event by event."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from machjudge.adjudicator.model.moments import Campaign, Moment
from machjudge.adjudicator.model.names import PlaceId, PowerId
from machjudge.adjudicator.model.state import Dislodged, Loan, State
from machjudge.adjudicator.model.units import Unit


@dataclass(slots=True)
class Draft:
    """A position that is being written; lives only within one call of ``evolve_all``."""

    moment: Moment
    field: dict[PlaceId, Unit]
    garrisons: dict[PlaceId, Unit]
    dislodged: tuple[Dislodged, ...]
    provinces: dict[PlaceId, PowerId]
    cities: dict[PlaceId, PowerId]
    homes: dict[PlaceId, PowerId]
    sieges: frozenset[PlaceId]
    famine: frozenset[PlaceId]
    relieved: frozenset[PlaceId]
    taxed: frozenset[PlaceId]
    province_rebellions: dict[PlaceId, PowerId | None]
    city_rebellions: dict[PlaceId, PowerId | None]
    treasuries: dict[PowerId, int]
    loans: tuple[Loan, ...]
    defaulted: frozenset[PowerId]
    chits: dict[PowerId, tuple[PowerId, ...]]
    excommunicated: dict[PowerId, Campaign]
    home_holders: dict[PowerId, PowerId]
    eliminated: frozenset[PowerId]
    sides: tuple[tuple[PowerId, ...], ...]

    def space_of(self, unit: Unit) -> dict[PlaceId, Unit]:
        """The cities for a garrison, the field for others."""
        return self.garrisons if unit.is_garrison else self.field

    def move_ducats(self, power: PowerId, ducats: int) -> None:
        """Into a treasury, or out of it; one is empty where money came into the game later."""
        self.treasuries[power] = self.treasuries.get(power, 0) + ducats


def draft_of(state: State) -> Draft:
    """A draft that holds what the position holds."""
    return Draft(
        moment=state.moment,
        field=dict(state.field),
        garrisons=dict(state.garrisons),
        dislodged=state.dislodged,
        provinces=dict(state.provinces),
        cities=dict(state.cities),
        homes=dict(state.homes),
        sieges=state.sieges,
        famine=state.famine,
        relieved=state.relieved,
        taxed=state.taxed,
        province_rebellions=dict(state.province_rebellions),
        city_rebellions=dict(state.city_rebellions),
        treasuries=dict(state.treasuries),
        loans=state.loans,
        defaulted=state.defaulted,
        chits=dict(state.chits),
        excommunicated=dict(state.excommunicated),
        home_holders=dict(state.home_holders),
        eliminated=state.eliminated,
        sides=state.sides,
    )


def state_of(draft: Draft) -> State:
    """The position that a draft holds."""
    return State(
        moment=draft.moment,
        field=draft.field,
        garrisons=draft.garrisons,
        dislodged=draft.dislodged,
        provinces=draft.provinces,
        cities=draft.cities,
        homes=draft.homes,
        sieges=draft.sieges,
        famine=draft.famine,
        relieved=draft.relieved,
        taxed=draft.taxed,
        province_rebellions=draft.province_rebellions,
        city_rebellions=draft.city_rebellions,
        treasuries=draft.treasuries,
        loans=draft.loans,
        defaulted=draft.defaulted,
        chits=draft.chits,
        excommunicated=draft.excommunicated,
        home_holders=draft.home_holders,
        eliminated=draft.eliminated,
        sides=draft.sides,
    )


def set_owner(owners: dict[PlaceId, PowerId], place: PlaceId, by: PowerId | None) -> None:
    """Give a place to a power, or to nobody."""
    if by is None:
        owners.pop(place, None)
    else:
        owners[place] = by


Changes = Mapping[type[Any], Callable[[Draft, Any], None]]
"""What each kind of event does; its change takes that kind, which a table cannot say, hence Any."""
