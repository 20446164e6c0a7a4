"""What happened at the bank and between powers, in one sentence for each event (area BNK).

When a loan is due stands in the income report and in the mails to its owner alone (BNK-12).
"""

from functools import partial

from machjudge.adjudicator import events as happened
from machjudge.letters.wording.sentences import Section
from machjudge.letters.wording.words import Words, counted, ducats


def _loan_repaid(words: Words, event: happened.LoanRepaid) -> str:
    paid = f"{ducats(event.principal)} and {event.interest} interest"
    who = words.power(event.power)
    return f"The bank collects {paid} from {who}." if event.collected else f"{who} repays {paid}."


def _payment_not_needed(words: Words, event: happened.PaymentNotNeeded) -> str:
    who = words.power(event.power)
    return f"The bank takes {event.paid} of the {ducats(event.asked)} that {who} offers."


def _gift_given(words: Words, event: happened.GiftGiven) -> str:
    short = f" (of {event.asked} ordered)" if event.asked != event.ducats else ""
    giver, receiver = words.power(event.giver), words.power(event.receiver)
    return f"{giver} pays {ducats(event.ducats)} to {receiver}{short}."


def _gift_refused(words: Words, event: happened.GiftRefused) -> str:
    why_not = {
        "in debt": "its own debt to the bank comes first",
        "eliminated": "that power is eliminated",
    }[event.because]
    giver, receiver = words.power(event.giver), words.power(event.receiver)
    return f"{giver} pays nothing to {receiver}: {why_not}."


def _loan_taken(year: int, words: Words, event: happened.LoanTaken) -> str:
    term = counted(event.due.year - year, "year")
    borrowed = f"{ducats(event.principal)} for {term}, {event.interest} interest"
    return f"{words.power(event.power)} borrows {borrowed}."


def _loan_refused(words: Words, event: happened.LoanRefused) -> str:
    why_not = {
        "limit": "more than 25 would be owed",
        "defaulted": "the bank lends nothing after a default",
    }[event.because]
    return f"{words.power(event.power)} does not get {ducats(event.ducats)}: {why_not}."


def _loan_defaulted(words: Words, event: happened.LoanDefaulted) -> str:
    who = words.power(event.power)
    return f"{who} cannot pay {ducats(event.owed)}: the bank takes {event.seized} and its revenge."


def bank(year: int) -> Section:
    """The sentences of a campaign of that year.

    Gifts stay secret until their phase is played: nothing else tells of them (BNK-11).
    """
    return {
        happened.LoanRepaid: _loan_repaid,
        happened.PaymentNotNeeded: _payment_not_needed,
        happened.GiftGiven: _gift_given,
        happened.GiftRefused: _gift_refused,
        happened.LoanTaken: partial(_loan_taken, year),
        happened.LoanRefused: _loan_refused,
        happened.LoanDefaulted: _loan_defaulted,
    }
