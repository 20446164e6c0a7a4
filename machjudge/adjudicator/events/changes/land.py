"""What sieges, rebellions, control and elimination do to a position."""

from machjudge.adjudicator import events as happened
from machjudge.adjudicator.events.changes.draft import Changes, Draft, set_owner


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


CHANGES: Changes = {
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
