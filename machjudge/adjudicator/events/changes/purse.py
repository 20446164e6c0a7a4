"""What loans, gifts, expenses and chits do to a position."""

from dataclasses import replace

from machjudge.adjudicator import events as happened
from machjudge.adjudicator.events.changes.draft import Changes, Draft
from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.state import Loan


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


CHANGES: Changes = {
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
