"""The position after events.  Nothing else makes a new position from an old one."""

from collections.abc import Iterable

from machjudge.adjudicator.events import Event
from machjudge.adjudicator.events.changes import battle, corrections, land, purse, year
from machjudge.adjudicator.events.changes.draft import Changes, Draft, draft_of, state_of
from machjudge.adjudicator.model.state import State

CHANGES: Changes = {
    **year.CHANGES,
    **battle.CHANGES,
    **land.CHANGES,
    **purse.CHANGES,
    **corrections.CHANGES,
}
"""What each kind of event does; those that only tell are not there."""


def evolve(state: State, event: Event) -> State:
    """The position after one event."""
    return evolve_all(state, (event,))


def evolve_all(state: State, events: Iterable[Event]) -> State:
    """The position after *events*, in their order."""
    draft: Draft | None = None
    for event in events:
        change = CHANGES.get(type(event))
        if change is not None:
            if draft is None:
                draft = draft_of(state)
            change(draft, event)
    return state if draft is None else state_of(draft)
