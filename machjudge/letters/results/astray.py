"""Orders of one power that did not count, for the mail to its own leader (SYN-12)."""

from collections.abc import Iterable

from machjudge.adjudicator import events as happened
from machjudge.adjudicator.events import Event
from machjudge.adjudicator.model.names import PowerId
from machjudge.letters.wording.notation import order_text
from machjudge.letters.wording.why import objection
from machjudge.letters.wording.words import Words
from machjudge.sentence import Sentence


def astray(words: Words, power: PowerId, events: Iterable[Event]) -> tuple[Sentence, ...]:
    """A sentence for each order that was on file and not carried out at all."""
    lines = (_line(words, event) for event in events if getattr(event, "power", None) == power)
    return tuple(line for line in lines if line is not None)


def _line(words: Words, event: Event) -> Sentence | None:
    match event:
        case happened.OrderIgnored(_, order):
            return Sentence("results.order_ignored", order=order_text(words, order))
        case happened.OrderRefused(_, _, order, because):
            text, flaw = order_text(words, order), objection(words, because)
            return Sentence("results.order_refused", order=text, because=flaw)
        case _:
            return None
