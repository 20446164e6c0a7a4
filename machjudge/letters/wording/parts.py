"""The events of a phase in the parts that letters tell one after the other."""

from collections.abc import Sequence
from dataclasses import dataclass

from machjudge.adjudicator import events as happened
from machjudge.adjudicator.events import Event
from machjudge.adjudicator.events.evolve import evolve_all
from machjudge.adjudicator.model.moments import Stage
from machjudge.adjudicator.model.state import View

_OF_MOVES = (
    happened.Held,
    happened.Advanced,
    happened.Marched,
    happened.AdvanceFailed,
    happened.SupportGiven,
    happened.SupportFailed,
    happened.RebelsSupported,
    happened.Transported,
    happened.TransportFailed,
    happened.Converted,
    happened.ConversionFailed,
    happened.TieBroken,
    happened.UnitDislodged,
    happened.SiegeBegun,
    happened.SiegeKept,
    happened.SiegeCompleted,
)
"""What happens in movement only; the first of these ends what money did (SEQ-02)."""


@dataclass(frozen=True, slots=True)
class CampaignParts:
    """A campaign in three parts; of other phases only the last."""

    money: Sequence[Event]
    """Bank, gifts, expenses and what they bring about."""
    deaths: Sequence[Event]
    """From the first assassination to the first move."""
    moves: Sequence[Event]
    """Movement and everything after it."""
    at_moves: View
    """The position in which the units begin to move."""


def parts_of(before: View, events: Sequence[Event]) -> CampaignParts:
    """The parts of a phase that began in *before*."""
    if before.moment.stage is not Stage.CAMPAIGN:
        return CampaignParts((), (), events, before)
    end = _first(events, *_OF_MOVES, happened.PhaseEnded)
    death = min(_first(events, happened.PowerAssassinated), end)
    at_moves = View.of(evolve_all(before, events[:end]))
    return CampaignParts(events[:death], events[death:end], events[end:], at_moves)


def _first(events: Sequence[Event], *kinds: type[Event]) -> int:
    """The index of the first event of some kinds; behind the last one if there is none."""
    found = (index for index, event in enumerate(events) if isinstance(event, kinds))
    return next(found, len(events))
