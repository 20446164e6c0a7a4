"""What corrections of a master do to a position."""

from machjudge.adjudicator import events as happened
from machjudge.adjudicator.events.changes.draft import Changes, Draft, set_owner
from machjudge.adjudicator.events.changes.land import power_eliminated
from machjudge.adjudicator.model.names import PlaceId, PowerId
from machjudge.adjudicator.model.state import Loan


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


CHANGES: Changes = {
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
