"""What a master has corrected, in sentences, as far as a reader may know it."""

from collections.abc import Iterable

from machjudge.adjudicator import events as happened
from machjudge.adjudicator.events import Event
from machjudge.adjudicator.model.moments import Moment
from machjudge.adjudicator.model.state import State
from machjudge.letters.wording.sentences import Section, tell
from machjudge.letters.wording.sight import Sight
from machjudge.letters.wording.words import Words, campaign_words
from machjudge.sentence import Sentence


def _treasury_corrected(words: Words, event: happened.TreasuryCorrected) -> Sentence:
    power = words.power(event.power)
    return Sentence("corrections.treasury", power=power, ducats=event.ducats, because=event.because)


def _unit_corrected(words: Words, event: happened.UnitCorrected) -> Sentence:
    return Sentence(
        "corrections.unit",
        unit=words.whose(event.unit) if event.unit is not None else "",
        place=words.place(event.place),
        in_city=event.in_city,
        because=event.because,
    )


def _owner_corrected(words: Words, event: happened.OwnerCorrected) -> Sentence:
    return Sentence(
        "corrections.owner",
        place=words.place(event.place),
        in_city=event.in_city,
        power=words.power(event.by) if event.by is not None else "",
        because=event.because,
    )


def _marker_corrected(words: Words, event: happened.MarkerCorrected) -> Sentence:
    return Sentence(
        "corrections.marker",
        place=words.place(event.place),
        marker=Sentence(f"corrections.markers.{event.marker.name.lower()}"),
        power=words.power(event.against) if event.against is not None else "",
        on=event.on,
        because=event.because,
    )


def _home_corrected(words: Words, event: happened.HomeCorrected) -> Sentence:
    power = words.power(event.by) if event.by is not None else ""
    home = words.power(event.home)
    return Sentence("corrections.home", home=home, power=power, because=event.because)


def _loan_corrected(words: Words, event: happened.LoanCorrected) -> Sentence:
    return Sentence(
        "corrections.loan",
        power=words.power(event.power),
        ducats=event.principal,
        interest=event.interest,
        due=campaign_words(event.due),
        because=event.because,
    )


def _credit_corrected(words: Words, event: happened.CreditCorrected) -> Sentence:
    power, lends = words.power(event.power), not event.defaulted
    return Sentence("corrections.credit", power=power, lends=lends, because=event.because)


def _chits_corrected(words: Words, event: happened.ChitsCorrected) -> Sentence:
    return Sentence(
        "corrections.chits",
        power=words.power(event.power),
        victim=words.power(event.victim),
        n=event.count,
        because=event.because,
    )


def _elimination_corrected(words: Words, event: happened.EliminationCorrected) -> Sentence:
    power = words.power(event.power)
    return Sentence("corrections.elimination", power=power, out=event.out, because=event.because)


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


def numbers_changed(words: Words, before: State, event: Event) -> Sentence | None:
    """What a corrected number was and what it is now; None where no number was corrected."""
    match event:
        case happened.TreasuryCorrected(power, ducats):
            was = before.treasuries.get(power, 0)
            name = words.power(power)
            return Sentence("corrections.treasury_before", power=name, was=was, now=ducats)
        case happened.LoanCorrected(power, due, principal, interest):
            owed = [loan for loan in before.loans if (loan.power, loan.due) == (power, due)]
            return Sentence(
                "corrections.loan_before",
                power=words.power(power),
                was=sum(loan.principal for loan in owed),
                now=principal,
                interest_was=sum(loan.interest for loan in owed),
                interest_now=interest,
            )
        case happened.ChitsCorrected(power, victim, count):
            return Sentence(
                "corrections.chits_before",
                power=words.power(power),
                victim=words.power(victim),
                was=before.chits.get(power, ()).count(victim),
                now=count,
            )
        case _:
            return None


_UNSAID = {
    happened.TreasuryCorrected: "treasury",
    happened.LoanCorrected: "loan",
    happened.CreditCorrected: "credit",
    happened.ChitsCorrected: "chits",
    happened.UnitCorrected: "unit",
    happened.MarkerCorrected: "marker",
}
"""What those read who may not know whose money or chits it was, or which unit."""


def correction_lines(
    words: Words,
    before: State,
    after: State,
    events: Iterable[Event],
    sight: Sight,
    now: Moment | None = None,
) -> tuple[Sentence, ...]:
    """What was corrected, and why; where it is hidden from the reader, only of what kind it was.

    :param now: the phase that the game is at.
    """
    two = sight.view(words.world, before, now), sight.view(words.world, after, now)
    return tuple(
        line
        for event in events
        for line in _told(words, event, sight, is_seen=sight.sees_correction(*two, event))
    )


def _told(words: Words, event: Event, sight: Sight, *, is_seen: bool) -> tuple[Sentence, ...]:
    unsaid = _UNSAID.get(type(event))
    if unsaid is None or is_seen:
        return tell(CORRECTIONS, words, [sight.as_seen(event)])
    because = getattr(event, "because", "")
    return (Sentence(f"corrections.unsaid.{unsaid}", because=because),)
