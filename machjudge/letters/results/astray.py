"""Orders of one power that did not count, for the mail to its own leader (SYN-12)."""

from collections.abc import Iterable

from machjudge.adjudicator import events as happened
from machjudge.adjudicator.events import Event
from machjudge.adjudicator.model.names import PowerId
from machjudge.letters.wording.notation import order_text
from machjudge.letters.wording.why import objection
from machjudge.letters.wording.words import Words


def astray(words: Words, power: PowerId, events: Iterable[Event]) -> tuple[str, ...]:
    """A sentence for each order that was on file and not carried out at all."""
    lines = (_line(words, event) for event in events if getattr(event, "power", None) == power)
    return tuple(line for line in lines if line)


def _line(words: Words, event: Event) -> str:
    match event:
        case happened.OrderIgnored(_, order):
            return (
                f"{order_text(words, order)}: not carried out, no unit of yours is there [SYN-12]."
            )
        case happened.OrderRefused(_, _, order, because):
            return f"{order_text(words, order)}: refused, {objection(words, because)}."
        case _:
            return ""
