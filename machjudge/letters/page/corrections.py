"""What a master has corrected, in sentences, as far as a reader may know it."""

from collections.abc import Iterable

from machjudge.adjudicator import events as happened
from machjudge.adjudicator.events import Event
from machjudge.letters.wording.sentences import Section, tell
from machjudge.letters.wording.sight import Sight
from machjudge.letters.wording.words import Words, campaign_words, counted, ducats


def _reason(because: str) -> str:
    """The master's words behind BECAUSE, also where they are ``because of …``."""
    return f"because {because}" if because.lower().startswith("of ") else because


def _treasury_corrected(words: Words, event: happened.TreasuryCorrected) -> str:
    return f"{words.power(event.power)} has {ducats(event.ducats)} now: {_reason(event.because)}."


def _unit_corrected(words: Words, event: happened.UnitCorrected) -> str:
    where = f"the city of {words.place(event.place)}" if event.in_city else words.place(event.place)
    if event.unit is None:
        return f"No unit stands in {where} now: {_reason(event.because)}."
    return f"{words.whose(event.unit)} stands in {where} now: {_reason(event.because)}."


def _owner_corrected(words: Words, event: happened.OwnerCorrected) -> str:
    what = "city" if event.in_city else "province"
    whose = f"{words.power(event.by)}'s" if event.by is not None else "nobody's"
    return f"The {what} of {words.place(event.place)} is {whose} now: {_reason(event.because)}."


def _marker_corrected(words: Words, event: happened.MarkerCorrected) -> str:
    against = f" against {words.power(event.against)}" if event.against is not None else ""
    there = f"is {event.marker.value}{against} now" if event.on else f"is no {event.marker.value}"
    return f"In {words.place(event.place)} there {there}: {_reason(event.because)}."


def _home_corrected(words: Words, event: happened.HomeCorrected) -> str:
    whose = f"{words.power(event.by)}'s" if event.by is not None else "nobody's"
    return (
        f"The home country of {words.power(event.home)} is {whose} now: {_reason(event.because)}."
    )


def _loan_corrected(words: Words, event: happened.LoanCorrected) -> str:
    power, due = words.power(event.power), campaign_words(event.due)
    if not event.principal and not event.interest:
        return f"{power} owes the bank nothing that is due in {due}: {_reason(event.because)}."
    owed = f"{ducats(event.principal)} and {event.interest} interest"
    return f"{power} owes the bank {owed}, due in {due}: {_reason(event.because)}."


def _credit_corrected(words: Words, event: happened.CreditCorrected) -> str:
    lends = "lends nothing more" if event.defaulted else "lends again"
    return f"The bank {lends} to {words.power(event.power)}: {_reason(event.because)}."


def _chits_corrected(words: Words, event: happened.ChitsCorrected) -> str:
    held = counted(event.count, "assassination chit") if event.count else "no assassination chit"
    victim = words.power(event.victim)
    return f"{words.power(event.power)} holds {held} on {victim} now: {_reason(event.because)}."


def _elimination_corrected(words: Words, event: happened.EliminationCorrected) -> str:
    state = "is eliminated" if event.out else "is in the game again"
    return f"{words.power(event.power)} {state}: {_reason(event.because)}."


CORRECTIONS: Section = {
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


_UNSAID = {
    happened.TreasuryCorrected: "A treasury was corrected",
    happened.LoanCorrected: "A debt at the bank was corrected",
    happened.CreditCorrected: "Whom the bank lends to was corrected",
    happened.ChitsCorrected: "An assassination chit was corrected",
}
"""What those read who may not know whose money or chits it was."""


def correction_lines(words: Words, events: Iterable[Event], sight: Sight) -> tuple[str, ...]:
    """What was corrected, and why; where it is hidden from the reader, only of what kind it was."""
    return tuple(line for event in events for line in _told(words, event, sight))


def _told(words: Words, event: Event, sight: Sight) -> tuple[str, ...]:
    unsaid = _UNSAID.get(type(event))
    if unsaid is None or sight.sees(event):
        return tell(CORRECTIONS, words, [event])
    return (f"{unsaid}: {_reason(getattr(event, 'because', ''))}.",)
