"""The marks of an order: in a word or two, what kept it from being carried out, and why.

Marks are derived from the events and from nothing else.  No mark means that it succeeded.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from machjudge.adjudicator.events import (
    AdvanceFailed,
    ConversionFailed,
    Event,
    Held,
    Marched,
    Retreated,
    SupportFailed,
    TransportFailed,
    UnitDislodged,
    UnitRemoved,
)
from machjudge.adjudicator.model import reasons
from machjudge.adjudicator.model.reasons import (
    Flaw,
    Forced,
    HeldInstead,
    Objection,
    Reason,
    Removal,
)
from machjudge.codec.document.notation import NotRead

Why = Reason | Event | NotRead
"""Why there is a mark: the reason that an event gives, or the event that says it all."""


class Marked(NamedTuple):
    """What became of an order or of a unit."""

    marks: tuple[str, ...] = ()
    why: Why | None = None
    """Why the first mark is there; None if there is no mark."""
    events: tuple[Event, ...] = ()
    """What happened to the unit; empty for orders that are not a unit's."""


VOID = "void"
REPLACED = "replaced"
PARTLY = "partly"
"""Of a payment: less was paid than the order says."""
REFUSED = "refused"
"""Of a loan or a gift that did not take place."""

_BOUNCE = "bounce"

_FAILED: Mapping[type, str | None] = {
    reasons.Bounced: _BOUNCE,
    reasons.Withstood: _BOUNCE,
    reasons.OwnUnitMet: _BOUNCE,
    reasons.OwnUnitStayed: _BOUNCE,
    reasons.VeniceHeld: _BOUNCE,
    reasons.NoConvoy: "no convoy",
    reasons.ConvoyParadox: "no convoy",
    reasons.StraitClosed: "blocked",
    reasons.CityRebels: "siege required",
    reasons.CutBy: "cut",
    reasons.SupporterDislodged: "cut",
    reasons.NotMatched: VOID,
    # The event of the dislodgement has a mark of its own.
    reasons.WasDislodged: None,
}
_FORCED: Mapping[Forced, str | None] = {
    Forced.NO_ORDER: None,
    Forced.ASSASSINATED: "assassinated",
    Forced.SIEGE_GOES_ON: "siege in progress",
    Forced.UNDER_SIEGE: "siege in progress",
    Forced.OWN_CITY: "self-besiege",
    Forced.NOTHING_TO_BESIEGE: "nothing to besiege",
    Forced.TRADING_PLACES: "trading places",
    Forced.CITY_TAKEN: VOID,
    Forced.REBELS_IN_VENICE: "siege required",
}
"""The marks of units that held instead; of all others, the words of the reason."""

_REMOVED: Mapping[Removal, str | None] = {
    Removal.ORDERED: None,
    Removal.BRIBE: "disbanded",
    Removal.STARVED: "starved out",
    Removal.ASSASSINATION: "assassinated",
    Removal.NO_RETREAT: "destroyed",
    Removal.NO_RETREAT_ORDERED: "destroyed",
    Removal.RETREATS_MET: "destroyed",
}
"""The marks of units that left the map; of all others, the words of the reason."""

_LOST_LATER = (Removal.FAMINE, Removal.PLAGUE, Removal.STORM, Removal.ELIMINATION)


def is_lost_later(event: Event) -> bool:
    """Whether the event finds a unit where it stood at the end of the phase, not at its start."""
    return isinstance(event, UnitRemoved) and event.because in _LOST_LATER


def marks_of(events: Sequence[Event]) -> Marked:
    """The marks that the events of one unit leave: first what it did, then what befell it."""
    in_order = events if len(events) == 1 else sorted(events, key=_befalls)
    found: dict[str, Why] = {}
    for event in in_order:
        mark, why = _mark(event)
        if mark is not None:
            found.setdefault(mark, why)
    return Marked(tuple(found), next(iter(found.values()), None), tuple(events))


def refused(objection: Objection) -> Marked:
    """An order that may not be given."""
    mark = "siege in progress" if objection.flaw is Flaw.UNDER_SIEGE else VOID
    return Marked((mark,), objection)


def _befalls(event: Event) -> bool:
    return isinstance(event, UnitDislodged | UnitRemoved)


def _mark(event: Event) -> tuple[str | None, Why]:
    match event:
        case AdvanceFailed() | ConversionFailed() | TransportFailed() | SupportFailed():
            return _FAILED[type(event.because)], event.because
        case Held(because=HeldInstead() as instead):
            return _FORCED.get(instead.why, instead.why.value), instead
        case Marched(to=to, ordered=ordered) if to != ordered:
            return PARTLY, event
        case Retreated(instead_of=wanted) if wanted is not None:
            return _BOUNCE, event
        case UnitDislodged():
            return "dislodged", event
        case UnitRemoved(because=removal):
            return _REMOVED.get(removal, removal.value), event
        case _:
            return None, event
