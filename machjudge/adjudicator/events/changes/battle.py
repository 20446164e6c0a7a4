"""What movement, bribes and retreats do to the units of a position."""

from machjudge.adjudicator import events as happened
from machjudge.adjudicator.events.changes.draft import Changes, Draft
from machjudge.adjudicator.model.state import Dislodged
from machjudge.adjudicator.model.units import GARRISON


def _advanced(draft: Draft, event: happened.Advanced) -> None:
    if event.left_empty:
        del draft.field[event.unit.place]
    draft.field[event.to] = event.unit.at(event.to, event.coast)


def _marched(draft: Draft, event: happened.Marched) -> None:
    if event.left_empty:
        del draft.field[event.unit.place]
    draft.field[event.to] = event.unit.at(event.to, event.coast)


def _converted(draft: Draft, event: happened.Converted) -> None:
    after = event.unit.converted(event.into, event.coast)
    if event.left_empty:
        del draft.space_of(event.unit)[event.unit.place]
    draft.space_of(after)[after.place] = after


def _unit_dislodged(draft: Draft, event: happened.UnitDislodged) -> None:
    del draft.field[event.unit.place]
    waiting = Dislodged(event.unit, event.retreats, event.convert)
    draft.dislodged = (*draft.dislodged, waiting)


def _unit_removed(draft: Draft, event: happened.UnitRemoved) -> None:
    waiting = tuple(d for d in draft.dislodged if d.unit != event.unit)
    if len(waiting) < len(draft.dislodged):
        draft.dislodged = waiting
    else:
        del draft.space_of(event.unit)[event.unit.place]


def _unit_changed_owner(draft: Draft, event: happened.UnitChangedOwner) -> None:
    draft.space_of(event.unit)[event.unit.place] = event.unit.owned_by(event.to)


def _unit_made_plain(draft: Draft, event: happened.UnitMadePlain) -> None:
    draft.space_of(event.unit)[event.unit.place] = event.unit.made_plain()


def _unit_numbered(draft: Draft, event: happened.UnitNumbered) -> None:
    draft.space_of(event.unit)[event.unit.place] = event.unit.numbered(event.number)


def _retreated(draft: Draft, event: happened.Retreated) -> None:
    draft.dislodged = tuple(d for d in draft.dislodged if d.unit != event.unit)
    after = event.unit.at(event.to, event.coast)
    if event.into_city:
        after = after.converted(GARRISON)
    draft.space_of(after)[event.to] = after


CHANGES: Changes = {
    happened.Advanced: _advanced,
    happened.Marched: _marched,
    happened.Converted: _converted,
    happened.UnitDislodged: _unit_dislodged,
    happened.UnitRemoved: _unit_removed,
    happened.UnitChangedOwner: _unit_changed_owner,
    happened.UnitMadePlain: _unit_made_plain,
    happened.UnitNumbered: _unit_numbered,
    happened.Retreated: _retreated,
}
