"""What the powers have on file ahead: the port `Plans`."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from sqlalchemy import Row, bindparam, select
from sqlalchemy.orm import Session

from machjudge.adjudicator.model.names import PowerId
from machjudge.codec.document.shape import Json, as_object, as_text, as_truth, each, needed, refuse
from machjudge.service.model.plans import Case, Choice, Item, Kept, Plan, PlanPart
from machjudge.service.model.records import GameId, MailId
from machjudge.store.games.cache import PLANS, CachedGames
from machjudge.store.schema.documents import read_document
from machjudge.store.schema.rows import add_rows, rows
from machjudge.store.schema.tables import PlanRow

_ON_FILE = (
    select(PlanRow.__table__).where(PlanRow.game == bindparam("wanted")).order_by(PlanRow.number)
)


class StoredPlans:
    """The plans in one transaction."""

    def __init__(self, session: Session, cached: CachedGames) -> None:
        self._session = session
        self._cached = cached

    def on_file(self, game: GameId) -> Mapping[PowerId, Plan]:
        """The newest plan of each power that has one."""
        return self._cached.part(game, PLANS, lambda: self._read(game))

    def _read(self, game: GameId) -> Mapping[PowerId, Plan]:
        found = self._session.connection().execute(_ON_FILE, {"wanted": game})
        # Of each power the last one stays.
        newest = {PowerId(each.power): each for each in found}
        return MappingProxyType({power: _plan(newest[power]) for power in sorted(newest)})

    def history(self, game: GameId, power: PowerId) -> Sequence[Plan]:
        """All plans of a power, oldest first."""
        own = select(PlanRow).where(PlanRow.game == game, PlanRow.power == power)
        return [_plan(found) for found in rows(self._session, own.order_by(PlanRow.number))]

    def add(self, plan: Plan) -> None:
        """Add a plan.  Raises Stale if its number is taken."""
        columns = {
            "game": plan.game,
            "power": plan.power,
            "number": plan.number,
            "parts": write_parts(plan.parts),
            "received": plan.received,
            "mail": plan.mail,
        }
        taken = f"there is a plan {plan.number} of {plan.power} in {plan.game} already"
        add_rows(self._session, PlanRow, [columns], taken)
        self._cached.changed(plan.game, *PLANS)


def _plan(found: PlanRow | Row[Any]) -> Plan:
    name = f"plan {found.number} of {found.power} in {found.game}"
    return Plan(
        game=GameId(found.game),
        power=PowerId(found.power),
        number=found.number,
        parts=read_parts(found.parts, name),
        received=found.received,
        mail=None if found.mail is None else MailId(found.mail),
    )


def write_parts(parts: Sequence[PlanPart]) -> Json:
    """The parts of a plan as a document."""
    return [
        {
            "for": part.name,
            "items": [_item_of(item) for item in part.items],
            "waits": part.waits,
            "flawed": part.flawed,
        }
        for part in parts
    ]


def read_parts(value: Json, name: str) -> tuple[PlanPart, ...]:
    """The inverse of `write_parts`.  Raises BrokenDocument, which says *name*."""
    return read_document(value, name, lambda parts: tuple(each(parts, _part)))


def _item_of(item: Item) -> Json:
    match item:
        case Kept(written, canonical):
            return {"written": written, "canonical": canonical}
        case Choice(cases):
            return {
                "cases": [
                    {"if": case.condition, "items": [_item_of(one) for one in case.items]}
                    for case in cases
                ]
            }


def _part(value: Json) -> PlanPart:
    fields = as_object(value, ("for", "items", "waits", "flawed"))
    part = PlanPart(
        name=needed(fields, "for", as_text),
        items=needed(fields, "items", _items),
        waits=needed(fields, "waits", as_truth),
        flawed=needed(fields, "flawed", as_truth),
    )
    try:
        _ = part.target
    except ValueError:
        refuse("is for no phase")
    return part


def _items(value: Json) -> tuple[Item, ...]:
    return tuple(each(value, _item))


def _item(value: Json) -> Item:
    fields = as_object(value, ("written", "canonical", "cases"))
    if "cases" in fields:
        return Choice(needed(fields, "cases", lambda cases: tuple(each(cases, _case))))
    return Kept(needed(fields, "written", as_text), needed(fields, "canonical", as_text))


def _case(value: Json) -> Case:
    fields = as_object(value, ("if", "items"))
    return Case(needed(fields, "if", as_text), needed(fields, "items", _items))
