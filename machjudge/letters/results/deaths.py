"""Leaders who die, by assassins or by the bank, and what follows (ASN-04 to ASN-11)."""

from collections.abc import Iterable

from machjudge.adjudicator import events as happened
from machjudge.adjudicator.events import Event, RebellionRolled
from machjudge.letters.results.movement_told import removed_by
from machjudge.letters.wording.sentences import Section
from machjudge.letters.wording.words import Words
from machjudge.sentence import Sentence


def _power_assassinated(words: Words, event: happened.PowerAssassinated) -> Sentence:
    killers = tuple(words.power(power) for power in event.by)
    return Sentence("results.killed", victim=words.power(event.victim), killers=killers)


DEATHS: Section = {
    happened.PowerAssassinated: _power_assassinated,
    happened.UnitRemoved: removed_by(ASSASSINATION="lost_with_leader"),
}


def rebellion_table(words: Words, events: Iterable[Event]) -> tuple[Sentence, ...]:
    """The dice of the provinces that were tested for rebellion: those up to the limit rebel."""
    rows = tuple(
        (words.place(event.place), event.die, event.limit)
        for event in events
        if isinstance(event, RebellionRolled)
    )
    return (Sentence("results.rebellion_table", rows=rows),) if rows else ()
