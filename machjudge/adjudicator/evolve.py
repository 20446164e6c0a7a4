"""The position after events. Nothing else makes a new position from an old one."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from machjudge.adjudicator import events as happened
from machjudge.adjudicator.dice import Dice
from machjudge.adjudicator.events import Event
from machjudge.adjudicator.moments import Campaign, Moment
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.orders import Orders
from machjudge.adjudicator.state import Dislodged, Loan, State
from machjudge.adjudicator.units import GARRISON, Unit
from machjudge.adjudicator.world import World


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


@dataclass(frozen=True, slots=True)
class Turn:
    """Everything that a step of a phase may look at."""

    world: World
    orders: Orders
    """The orders that stand: lawful, and none replaced by a later one."""
    dice: Dice
    start: State
    """The position before the phase."""
    state: State
    """The position now, after the steps before this one."""
    so_far: tuple[Event, ...]
    """What has happened in this phase so far."""


Step = Callable[[Turn], Sequence[Event]]
"""One step of a phase says what happens; ``evolve`` makes the position of it."""


def _advanced(draft: Draft, event: happened.Advanced) -> None:
    if event.left_empty:
        del draft.field[event.unit.place]
    draft.field[event.to] = event.unit.at(event.to, event.coast)


def _marched(draft: Draft, event: happened.Marched) -> None:
    if event.left_empty:
        del draft.field[event.unit.place]
    draft.field[event.to] = event.unit.at(event.to, event.coast)


def _converted(draft: Draft, event: happened.Converted) -> None:
    after = event.unit.converted(event.into, event.coast)
    if event.left_empty:
        del draft.space_of(event.unit)[event.unit.place]
    draft.space_of(after)[after.place] = after


def _unit_dislodged(draft: Draft, event: happened.UnitDislodged) -> None:
    del draft.field[event.unit.place]
    waiting = Dislodged(event.unit, event.retreats, event.convert)
    draft.dislodged = (*draft.dislodged, waiting)


def _unit_removed(draft: Draft, event: happened.UnitRemoved) -> None:
    waiting = tuple(d for d in draft.dislodged if d.unit != event.unit)
    if len(waiting) < len(draft.dislodged):
        draft.dislodged = waiting
    else:
        del draft.space_of(event.unit)[event.unit.place]


def _unit_changed_owner(draft: Draft, event: happened.UnitChangedOwner) -> None:
    draft.space_of(event.unit)[event.unit.place] = event.unit.owned_by(event.to)


def _unit_made_plain(draft: Draft, event: happened.UnitMadePlain) -> None:
    draft.space_of(event.unit)[event.unit.place] = event.unit.made_plain()


def _unit_numbered(draft: Draft, event: happened.UnitNumbered) -> None:
    draft.space_of(event.unit)[event.unit.place] = event.unit.numbered(event.number)


def _retreated(draft: Draft, event: happened.Retreated) -> None:
    draft.dislodged = tuple(d for d in draft.dislodged if d.unit != event.unit)
    after = event.unit.at(event.to, event.coast)
    if event.into_city:
        after = after.converted(GARRISON)
    draft.space_of(after)[event.to] = after


BATTLE_CHANGES: Changes = {
    happened.Advanced: _advanced,
    happened.Marched: _marched,
    happened.Converted: _converted,
    happened.UnitDislodged: _unit_dislodged,
    happened.UnitRemoved: _unit_removed,
    happened.UnitChangedOwner: _unit_changed_owner,
    happened.UnitMadePlain: _unit_made_plain,
    happened.UnitNumbered: _unit_numbered,
    happened.Retreated: _retreated,
}


def _siege_begun(draft: Draft, event: happened.SiegeBegun) -> None:
    draft.sieges |= {event.besieged}


def _siege_completed(draft: Draft, event: happened.SiegeCompleted) -> None:
    draft.sieges -= {event.besieged}


def _siege_ended(draft: Draft, event: happened.SiegeEnded) -> None:
    draft.sieges -= {event.city}


def _rebellion_started(draft: Draft, event: happened.RebellionStarted) -> None:
    if event.in_province:
        draft.province_rebellions[event.place] = event.against
    if event.in_city:
        draft.city_rebellions[event.place] = event.against


def _rebellion_ended(draft: Draft, event: happened.RebellionEnded) -> None:
    if event.in_province:
        draft.province_rebellions.pop(event.place, None)
    if event.in_city:
        draft.city_rebellions.pop(event.place, None)


def _province_taken(draft: Draft, event: happened.ProvinceTaken) -> None:
    set_owner(draft.provinces, event.place, event.by)


def _city_taken(draft: Draft, event: happened.CityTaken) -> None:
    set_owner(draft.cities, event.place, event.by)


def _home_conquered(draft: Draft, event: happened.HomeConquered) -> None:
    for place in event.places:
        set_owner(draft.homes, place, event.by)


def _home_held(draft: Draft, event: happened.HomeHeld) -> None:
    if event.by is None:
        del draft.home_holders[event.home]
    else:
        draft.home_holders[event.home] = event.by


def power_eliminated(draft: Draft, event: happened.PowerEliminated) -> None:
    """All that it had goes; rebellions against it stay, against nobody (ELI-02, REB-37)."""
    gone = event.power
    draft.eliminated |= {gone}
    draft.treasuries.pop(gone, None)
    draft.chits.pop(gone, None)
    draft.defaulted -= {gone}
    draft.loans = tuple(loan for loan in draft.loans if loan.power != gone)
    for rebellions in (draft.province_rebellions, draft.city_rebellions):
        for place in [place for place, against in rebellions.items() if against == gone]:
            rebellions[place] = None


LAND_CHANGES: Changes = {
    happened.SiegeBegun: _siege_begun,
    happened.SiegeCompleted: _siege_completed,
    happened.SiegeEnded: _siege_ended,
    happened.RebellionStarted: _rebellion_started,
    happened.RebellionEnded: _rebellion_ended,
    happened.ProvinceTaken: _province_taken,
    happened.CityTaken: _city_taken,
    happened.HomeConquered: _home_conquered,
    happened.HomeHeld: _home_held,
    happened.PowerEliminated: power_eliminated,
}


def _loan_repaid(draft: Draft, event: happened.LoanRepaid) -> None:
    draft.move_ducats(event.power, -(event.principal + event.interest))
    draft.loans = _repaid(draft.loans, event)


def _repaid(loans: tuple[Loan, ...], event: happened.LoanRepaid) -> tuple[Loan, ...]:
    """Interest is taken off all loans of the line before any principal (BNK-05)."""
    interest, principal = event.interest, event.principal
    left: list[Loan] = []
    for loan in loans:
        if (loan.power, loan.due) != (event.power, event.due):
            left.append(loan)
            continue
        off_interest = min(loan.interest, interest)
        off_principal = min(loan.principal, principal)
        interest -= off_interest
        principal -= off_principal
        rest = replace(
            loan, interest=loan.interest - off_interest, principal=loan.principal - off_principal
        )
        if rest.principal or rest.interest:
            left.append(rest)
    return tuple(left)


def _gift_given(draft: Draft, event: happened.GiftGiven) -> None:
    draft.move_ducats(event.giver, -event.ducats)
    draft.move_ducats(event.receiver, event.ducats)


def _excommunicated(draft: Draft, event: happened.Excommunicated) -> None:
    draft.excommunicated[event.victim] = event.during


def _loan_taken(draft: Draft, event: happened.LoanTaken) -> None:
    """Loans of one power due in the same campaign are one line (BNK-05)."""
    draft.move_ducats(event.power, event.principal)
    same = [ln for ln in draft.loans if (ln.power, ln.due) == (event.power, event.due)]
    others = tuple(ln for ln in draft.loans if ln not in same)
    joined = Loan(
        event.power,
        event.principal + sum(ln.principal for ln in same),
        event.interest + sum(ln.interest for ln in same),
        event.due,
    )
    draft.loans = (*others, joined)


def _loan_defaulted(draft: Draft, event: happened.LoanDefaulted) -> None:
    draft.move_ducats(event.power, -event.seized)
    draft.loans = tuple(loan for loan in draft.loans if loan.power != event.power)
    draft.defaulted |= {event.power}


def _expense_paid(draft: Draft, event: happened.ExpensePaid) -> None:
    draft.move_ducats(event.power, -event.paid)


def _chit_used(draft: Draft, event: happened.ChitUsed) -> None:
    draft.chits[event.power] = _without(draft.chits[event.power], event.victim)


def _chit_given(draft: Draft, event: happened.ChitGiven) -> None:
    draft.chits[event.giver] = _without(draft.chits[event.giver], event.victim)
    held = draft.chits.get(event.receiver, ())
    draft.chits[event.receiver] = tuple(sorted((*held, event.victim)))


def _chits_drawn(draft: Draft, event: happened.ChitsDrawn) -> None:
    draft.chits[event.power] = event.victims


def _without(chits: tuple[PowerId, ...], victim: PowerId) -> tuple[PowerId, ...]:
    index = chits.index(victim)
    return chits[:index] + chits[index + 1 :]


MONEY_CHANGES: Changes = {
    happened.LoanRepaid: _loan_repaid,
    happened.GiftGiven: _gift_given,
    happened.Excommunicated: _excommunicated,
    happened.LoanTaken: _loan_taken,
    happened.LoanDefaulted: _loan_defaulted,
    happened.ExpensePaid: _expense_paid,
    happened.ChitUsed: _chit_used,
    happened.ChitGiven: _chit_given,
    happened.ChitsDrawn: _chits_drawn,
}


def _phase_ended(draft: Draft, event: happened.PhaseEnded) -> None:
    draft.moment = event.after


def _driven_ashore(draft: Draft, event: happened.DrivenAshore) -> None:
    del draft.field[event.unit.place]
    draft.field[event.to] = event.unit.at(event.to, event.coast)


def _famine_forestalled(draft: Draft, event: happened.FamineForestalled) -> None:
    draft.relieved |= {event.place}


def _relief_used(draft: Draft, event: happened.ReliefUsed) -> None:
    draft.relieved -= {event.place}


def _famine_began(draft: Draft, event: happened.FamineBegan) -> None:
    draft.famine |= {event.place}


def _famine_ended(draft: Draft, event: happened.FamineEnded) -> None:
    draft.famine -= {event.place}


def _income_paid(draft: Draft, event: happened.IncomePaid) -> None:
    paid = event.seas + event.provinces + event.cities + event.variable
    draft.move_ducats(event.power, paid)


def _taxes_forced(draft: Draft, event: happened.TaxesForced) -> None:
    draft.move_ducats(event.power, event.ducats)
    if event.exhausts:
        draft.taxed |= {event.place}


def _province_burnt(draft: Draft, event: happened.ProvinceBurnt) -> None:
    draft.taxed |= {event.place}


def _province_recovered(draft: Draft, event: happened.ProvinceRecovered) -> None:
    draft.taxed -= {event.place}


def _maintained(draft: Draft, event: happened.Maintained) -> None:
    draft.move_ducats(event.unit.owner, -event.ducats)


def _unit_built(draft: Draft, event: happened.UnitBuilt) -> None:
    draft.space_of(event.unit)[event.unit.place] = event.unit
    if event.ducats:
        draft.move_ducats(event.unit.owner, -event.ducats)


def _adjustment_failed(draft: Draft, event: happened.AdjustmentFailed) -> None:
    if event.lost:
        draft.move_ducats(event.power, -event.lost)


YEAR_CHANGES: Changes = {
    happened.PhaseEnded: _phase_ended,
    happened.DrivenAshore: _driven_ashore,
    happened.FamineForestalled: _famine_forestalled,
    happened.ReliefUsed: _relief_used,
    happened.FamineBegan: _famine_began,
    happened.FamineEnded: _famine_ended,
    happened.IncomePaid: _income_paid,
    happened.TaxesForced: _taxes_forced,
    happened.ProvinceBurnt: _province_burnt,
    happened.ProvinceRecovered: _province_recovered,
    happened.Maintained: _maintained,
    happened.UnitBuilt: _unit_built,
    happened.AdjustmentFailed: _adjustment_failed,
}


def _treasury_corrected(draft: Draft, event: happened.TreasuryCorrected) -> None:
    draft.treasuries[event.power] = event.ducats


def _unit_corrected(draft: Draft, event: happened.UnitCorrected) -> None:
    space = draft.garrisons if event.in_city else draft.field
    if event.unit is None:
        space.pop(event.place, None)
    else:
        space[event.place] = event.unit


def _owner_corrected(draft: Draft, event: happened.OwnerCorrected) -> None:
    owners = draft.cities if event.in_city else draft.provinces
    set_owner(owners, event.place, event.by)


def _marker_corrected(draft: Draft, event: happened.MarkerCorrected) -> None:
    place = frozenset({event.place})
    match event.marker:
        case happened.Marker.FAMINE:
            draft.famine = draft.famine | place if event.on else draft.famine - place
        case happened.Marker.SIEGE:
            draft.sieges = draft.sieges | place if event.on else draft.sieges - place
        case happened.Marker.REBELLION:
            _rebels_corrected(draft.province_rebellions, event)
        case happened.Marker.CITY_REBELLION:
            _rebels_corrected(draft.city_rebellions, event)


def _rebels_corrected(
    rebels: dict[PlaceId, PowerId | None], event: happened.MarkerCorrected
) -> None:
    if event.on:
        rebels[event.place] = event.against
    else:
        rebels.pop(event.place, None)


def _home_corrected(draft: Draft, event: happened.HomeCorrected) -> None:
    for place in event.places:
        set_owner(draft.homes, place, event.by)


def _loan_corrected(draft: Draft, event: happened.LoanCorrected) -> None:
    others = tuple(ln for ln in draft.loans if (ln.power, ln.due) != (event.power, event.due))
    loan = Loan(event.power, event.principal, event.interest, event.due)
    draft.loans = (*others, loan) if event.principal or event.interest else others


def _credit_corrected(draft: Draft, event: happened.CreditCorrected) -> None:
    if event.defaulted:
        draft.defaulted |= {event.power}
        draft.loans = tuple(loan for loan in draft.loans if loan.power != event.power)
    else:
        draft.defaulted -= {event.power}


def _chits_corrected(draft: Draft, event: happened.ChitsCorrected) -> None:
    others = [victim for victim in draft.chits.get(event.power, ()) if victim != event.victim]
    draft.chits[event.power] = tuple(sorted([*others, *[event.victim] * event.count]))


def _elimination_corrected(draft: Draft, event: happened.EliminationCorrected) -> None:
    if not event.out:
        draft.eliminated -= {event.power}
        if draft.treasuries:
            draft.treasuries[event.power] = 0
        return
    power_eliminated(draft, happened.PowerEliminated(event.power))
    draft.dislodged = tuple(each for each in draft.dislodged if each.unit.owner != event.power)
    for space in (draft.field, draft.garrisons):
        for place in [place for place, unit in space.items() if unit.owner == event.power]:
            del space[place]
    for owners in (draft.provinces, draft.cities, draft.homes):
        for place in [place for place, owner in owners.items() if owner == event.power]:
            del owners[place]


CORRECTION_CHANGES: Changes = {
    happened.TreasuryCorrected: _treasury_corrected,
    happened.UnitCorrected: _unit_corrected,
    happened.OwnerCorrected: _owner_corrected,
    happened.MarkerCorrected: _marker_corrected,
    happened.HomeCorrected: _home_corrected,
    happened.LoanCorrected: _loan_corrected,
    happened.CreditCorrected: _credit_corrected,
    happened.ChitsCorrected: _chits_corrected,
    happened.EliminationCorrected: _elimination_corrected,
}


CHANGES: Changes = {
    **YEAR_CHANGES,
    **BATTLE_CHANGES,
    **LAND_CHANGES,
    **MONEY_CHANGES,
    **CORRECTION_CHANGES,
}
"""What each kind of event does; those that only tell are not there."""


def evolve(state: State, event: Event) -> State:
    """The position after one event."""
    return evolve_all(state, (event,))


def evolve_all(state: State, events: Iterable[Event]) -> State:
    """The position after *events*, in their order."""
    draft: Draft | None = None
    for event in events:
        change = CHANGES.get(type(event))
        if change is not None:
            if draft is None:
                draft = draft_of(state)
            change(draft, event)
    return state if draft is None else state_of(draft)
