"""What happened at the bank and between powers, in one sentence for each event (area BNK).

When a loan is due stands in the income report and in the mails to its owner alone (BNK-12).
"""

from functools import partial

from machjudge.adjudicator import events as happened
from machjudge.letters.wording.sentences import Section
from machjudge.letters.wording.words import Words, campaign_words
from machjudge.sentence import Sentence


def _loan_repaid(words: Words, event: happened.LoanRepaid) -> Sentence:
    return Sentence(
        "results.loan_collected" if event.collected else "results.loan_repaid",
        power=words.power(event.power),
        ducats=event.principal,
        interest=event.interest,
    )


def _payment_not_needed(words: Words, event: happened.PaymentNotNeeded) -> Sentence:
    power = words.power(event.power)
    return Sentence("results.not_needed", power=power, paid=event.paid, asked=event.asked)


def _gift_given(words: Words, event: happened.GiftGiven) -> Sentence:
    return Sentence(
        "results.gift",
        giver=words.power(event.giver),
        receiver=words.power(event.receiver),
        ducats=event.ducats,
        asked=event.asked,
    )


def _excommunicated(words: Words, event: happened.Excommunicated) -> Sentence:
    return Sentence(
        "results.excommunicated",
        victim=words.power(event.victim),
        power=words.power(event.by),
        campaign=campaign_words(event.during),
    )


def _gift_refused(words: Words, event: happened.GiftRefused) -> Sentence:
    return Sentence(
        "results.gift_refused",
        giver=words.power(event.giver),
        receiver=words.power(event.receiver),
        because=event.because.replace(" ", "_"),
    )


def _loan_taken(year: int, words: Words, event: happened.LoanTaken) -> Sentence:
    return Sentence(
        "results.loan_taken",
        power=words.power(event.power),
        ducats=event.principal,
        years=event.due.year - year,
        interest=event.interest,
    )


def _loan_refused(words: Words, event: happened.LoanRefused) -> Sentence:
    power, by_limit = words.power(event.power), event.because == "limit"
    return Sentence("results.loan_refused", power=power, ducats=event.ducats, by_limit=by_limit)


def _loan_defaulted(words: Words, event: happened.LoanDefaulted) -> Sentence:
    power = words.power(event.power)
    return Sentence("results.loan_defaulted", power=power, owed=event.owed, seized=event.seized)


def bank(year: int) -> Section:
    """The sentences of a campaign of that year.

    Gifts stay secret until their phase is played: nothing else tells of them (BNK-11).
    """
    return {
        happened.LoanRepaid: _loan_repaid,
        happened.PaymentNotNeeded: _payment_not_needed,
        happened.GiftGiven: _gift_given,
        happened.GiftRefused: _gift_refused,
        happened.Excommunicated: _excommunicated,
        happened.LoanTaken: partial(_loan_taken, year),
        happened.LoanRefused: _loan_refused,
        happened.LoanDefaulted: _loan_defaulted,
    }
