"""What the end of a phase, famine, income and the adjustment do to a position."""

from machjudge.adjudicator import events as happened
from machjudge.adjudicator.events.changes.draft import Changes, Draft


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


CHANGES: Changes = {
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
