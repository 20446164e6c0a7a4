"""Leaders who die, by assassins or by the bank, and what follows (ASN-04 to ASN-11)."""

from collections.abc import Iterable

from machjudge.adjudicator import events as happened
from machjudge.adjudicator.events import Event, RebellionRolled
from machjudge.adjudicator.model.reasons import Removal
from machjudge.letters.wording.sentences import Section
from machjudge.letters.wording.words import Words, listed

_NAME = 14


def _power_assassinated(words: Words, event: happened.PowerAssassinated) -> str:
    killers = listed(words.power(power) for power in event.by) or "the bank"
    return f"The leader of {words.power(event.victim)} is killed by {killers}."


def _lost_garrison(words: Words, event: happened.UnitRemoved) -> str:
    if event.because is Removal.ASSASSINATION:
        return f"{words.whose(event.unit)}, besieged, is lost with its leader."
    return ""


DEATHS: Section = {
    happened.PowerAssassinated: _power_assassinated,
    happened.UnitRemoved: _lost_garrison,
}


def rebellion_table(words: Words, events: Iterable[Event]) -> tuple[str, ...]:
    """The dice of the provinces that were tested for rebellion: those up to the limit rebel."""
    rolled = [event for event in events if isinstance(event, RebellionRolled)]
    if not rolled:
        return ()
    return (f"{'Rebellion in':<{_NAME}} Die  up to", *(_row(words, event) for event in rolled))


def _row(words: Words, event: RebellionRolled) -> str:
    rises = "  rebels" if event.die <= event.limit else ""
    return f"  {words.place(event.place):<{_NAME - 2}} {event.die:>3} {event.limit:>6}{rises}"
