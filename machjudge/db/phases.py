"""Phases, order sets, plans, press, notes and the log of games."""

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Row,
    Select,
    String,
    bindparam,
    cast,
    delete,
    func,
    insert,
    or_,
    select,
    tuple_,
)
from sqlalchemy.orm import Session

from machjudge.adjudicator.names import PowerId
from machjudge.db.engine import Prepared
from machjudge.db.games import LAST_PHASE, NOTES, PHASE, PLANS, SHEETS, CachedGames
from machjudge.db.rows import (
    FRESH,
    FieldForms,
    add_rows,
    read_document,
    read_lines,
    read_phase,
    rows,
    write_lines,
    write_phase,
)
from machjudge.db.tables import (
    HoldingRow,
    NoteRow,
    NoticeRow,
    OrderSetRow,
    PhaseRow,
    PlanRow,
    PressRow,
)
from machjudge.formats.values import (
    Json,
    as_object,
    as_text,
    as_truth,
    each,
    form_of,
    needed,
    refuse,
)
from machjudge.judge.records import (
    Author,
    Case,
    Choice,
    Game,
    GameId,
    Holding,
    Item,
    Kept,
    LastingSiege,
    Note,
    NoteKind,
    Notice,
    OrderSet,
    PersonId,
    Plan,
    PlanPart,
    Preference,
    PressItem,
    Readership,
    StoredPhase,
)

_HOLDING = FieldForms(Holding)
_PHASE = FieldForms(
    StoredPhase, ("before", "after", "orders", "rules", "events", "sealed", "agreements")
)
_PLAN = FieldForms(Plan, ("parts",))
_ORDER_SET = FieldForms(OrderSet, ("lines",))
_PRESS = FieldForms(PressItem, ("anonymous", "author", "aim", "shown", "people", "postal"))
_NOTICE = FieldForms(Notice)
_ADD_NOTICE = Prepared(insert(NoticeRow))
_NOTE = FieldForms(Note, ("author",))


class StoredPhases:
    """The stored phases in one transaction."""

    def __init__(self, session: Session, cached: CachedGames) -> None:
        self._session = session
        self._cached = cached
        self._last: dict[GameId, int] = {}

    def get(self, game: GameId, number: int) -> StoredPhase:
        return self._cached.part(game, (PHASE, number), lambda: self._read(game, number))

    def _read(self, game: GameId, number: int) -> StoredPhase:
        one = (PhaseRow.game == game, PhaseRow.number == number)
        kept = self._as_kept(game, number, *one)
        if kept is not None:
            return kept
        last = _last_number(game).scalar_subquery()
        whole = select(PhaseRow, last).where(*one)
        found = self._session.execute(whole, execution_options=FRESH).one_or_none()
        if found is None:
            raise KeyError(game, number)
        phase, number_of_last = found
        self._last[game] = number_of_last
        return _phase(phase)

    def _as_kept(self, game: GameId, number: int, *one: ColumnElement[bool]) -> StoredPhase | None:
        """The phase as read for an earlier version of the game, if valid.

        A phase changes only if the clock was wrong when it was played.
        """
        kept: StoredPhase | None = self._cached.earlier(game, (PHASE, number))
        if kept is None:
            return None
        last = _last_number(game).scalar_subquery()
        found = self._session.execute(select(PhaseRow.processed, last).where(*one)).one_or_none()
        if found is None or found.processed != kept.processed:
            return None
        self._last[game] = found[1]
        return kept

    def all_of(self, game: GameId) -> Sequence[StoredPhase]:
        every = select(PhaseRow).where(PhaseRow.game == game).order_by(PhaseRow.number)
        return [_phase(each) for each in rows(self._session, every)]

    def add(self, phase: StoredPhase, holdings: Sequence[Holding]) -> None:
        self._last.pop(phase.game, None)
        self._cached.changed(phase.game, PHASE, SHEETS, *LAST_PHASE)
        taken = f"there is a phase {phase.number} of {phase.game} already"
        columns = {**_PHASE.write(phase), "document": write_phase(phase)}
        add_rows(self._session, PhaseRow, [columns], taken)
        of_phase = {"game": phase.game, "phase": phase.number}
        index = [of_phase | _HOLDING.write(each) for each in holdings]
        add_rows(self._session, HoldingRow, index, f"a power is named twice in {phase.game}")

    def now(self, games: Iterable[Game]) -> Mapping[GameId, str]:
        wanted = [(game.id, game.position) for game in games if game.position is not None]
        moment = PhaseRow.document["after"]["moment"].as_string()
        found = select(PhaseRow.game, moment).where(
            tuple_(PhaseRow.game, PhaseRow.number).in_(wanted)
        )
        return {GameId(game): code for game, code in self._session.execute(found)}

    def last_number(self, game: GameId) -> int:
        return self._cached.part(game, LAST_PHASE, lambda: self._read_last(game))

    def _read_last(self, game: GameId) -> int:
        if game not in self._last:
            last = self._session.scalar(_last_number(game))
            self._last[game] = -1 if last is None else last
        return self._last[game]

    def holdings(self, game: GameId, number: int) -> Sequence[Holding]:
        of_phase = select(HoldingRow).where(HoldingRow.game == game, HoldingRow.phase == number)
        found = map(_HOLDING.read, rows(self._session, of_phase))
        return sorted(found, key=lambda each: each.power)


def _last_number(game: GameId) -> Select[int]:
    return select(func.max(PhaseRow.number)).where(PhaseRow.game == game)


def _phase(found: PhaseRow) -> StoredPhase:
    name = f"phase {found.number} of {found.game}"
    return _PHASE.read(found, **read_phase(found.document, name))


_ON_FILE = (
    select(PlanRow.__table__).where(PlanRow.game == bindparam("wanted")).order_by(PlanRow.number)
)


class StoredPlans:
    """The plans in one transaction."""

    def __init__(self, session: Session, cached: CachedGames) -> None:
        self._session = session
        self._cached = cached

    def on_file(self, game: GameId) -> Mapping[PowerId, Plan]:
        return self._cached.part(game, PLANS, lambda: self._read(game))

    def _read(self, game: GameId) -> Mapping[PowerId, Plan]:
        found = self._session.connection().execute(_ON_FILE, {"wanted": game})
        # Of each power the last one stays.
        newest = {PowerId(each.power): each for each in found}
        return MappingProxyType({power: _plan(newest[power]) for power in sorted(newest)})

    def history(self, game: GameId, power: PowerId) -> Sequence[Plan]:
        own = select(PlanRow).where(PlanRow.game == game, PlanRow.power == power)
        return [_plan(found) for found in rows(self._session, own.order_by(PlanRow.number))]

    def add(self, plan: Plan) -> None:
        columns = {**_PLAN.write(plan), "parts": write_parts(plan.parts)}
        taken = f"there is a plan {plan.number} of {plan.power} in {plan.game} already"
        add_rows(self._session, PlanRow, [columns], taken)
        self._cached.changed(plan.game, *PLANS)


def _plan(found: PlanRow | Row[Any]) -> Plan:
    name = f"plan {found.number} of {found.power} in {found.game}"
    return _PLAN.read(found, parts=read_parts(found.parts, name))


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
        case Preference(written, orders, waits):
            return {"written": written, "retreats": list(orders), "waits": waits}
        case LastingSiege(written, canonical, over):
            return {"written": written, "siege": canonical, "over": over}
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
    known = ("written", "canonical", "cases", "retreats", "waits", "siege", "over")
    fields = as_object(value, known)
    if "cases" in fields:
        return Choice(needed(fields, "cases", lambda cases: tuple(each(cases, _case))))
    written = needed(fields, "written", as_text)
    if "retreats" in fields:
        orders = needed(fields, "retreats", lambda orders: tuple(each(orders, as_text)))
        return Preference(written, orders, needed(fields, "waits", as_truth))
    if "siege" in fields:
        siege = needed(fields, "siege", as_text)
        return LastingSiege(written, siege, needed(fields, "over", as_text))
    return Kept(written, needed(fields, "canonical", as_text))


def _case(value: Json) -> Case:
    fields = as_object(value, ("if", "items"))
    return Case(needed(fields, "if", as_text), needed(fields, "items", _items))


@lru_cache
def _newer_than(powers: int) -> Prepared:
    of_phase = (OrderSetRow.game == bindparam("wanted"), OrderSetRow.after == bindparam("phase"))
    newer = [
        or_(
            OrderSetRow.power != bindparam(f"power{n}"),
            OrderSetRow.number > bindparam(f"number{n}"),
        )
        for n in range(powers)
    ]
    columns = OrderSetRow.__table__.columns
    return Prepared(select(*columns).where(*of_phase, *newer).order_by(OrderSetRow.number))


class StoredOrderSets:
    """The order sets in one transaction."""

    def __init__(self, session: Session, cached: CachedGames) -> None:
        self._session = session
        self._cached = cached

    def on_file(self, game: GameId, after: int) -> Mapping[PowerId, OrderSet]:
        return self._cached.part(game, (SHEETS, after), lambda: self._read(game, after))

    def _read(self, game: GameId, after: int) -> Mapping[PowerId, OrderSet]:
        before = self._cached.order_sets_before(game, after)
        asked: dict[str, object] = {"wanted": game, "phase": after}
        for n, order_set in enumerate(before.values()):
            asked |= {f"power{n}": order_set.power, f"number{n}": order_set.number}
        found = _newer_than(len(before)).rows(self._session.connection(), asked)
        # Of each power the last one stays.
        newest = {PowerId(each.power): each for each in found}
        order_sets = {**before, **{power: _order_set(each) for power, each in newest.items()}}
        return MappingProxyType({power: order_sets[power] for power in sorted(order_sets)})

    def history(self, game: GameId, after: int, power: PowerId) -> Sequence[OrderSet]:
        found = rows(
            self._session,
            select(OrderSetRow)
            .where(OrderSetRow.game == game, OrderSetRow.after == after, OrderSetRow.power == power)
            .order_by(OrderSetRow.number),
        )
        return [_order_set(each) for each in found]

    def add(self, order_set: OrderSet) -> None:
        columns = {**_ORDER_SET.write(order_set), "lines": write_lines(order_set.lines)}
        power = f"{order_set.power} in {order_set.game}"
        taken = f"there is a set {order_set.number} of {power} already"
        add_rows(self._session, OrderSetRow, [columns], taken)
        self._cached.change(
            order_set.game, (SHEETS, order_set.after), lambda on_file: _with(on_file, order_set)
        )


def _with(on_file: Mapping[PowerId, OrderSet], added: OrderSet) -> Mapping[PowerId, OrderSet]:
    of_power = on_file.get(added.power)
    newest = added if of_power is None or of_power.number < added.number else of_power
    order_sets = {**on_file, added.power: newest}
    return MappingProxyType({power: order_sets[power] for power in sorted(order_sets)})


def _order_set(found: OrderSetRow | Row[Any]) -> OrderSet:
    name = f"sheet {found.number} of {found.power} in {found.game} after {found.after}"
    return _ORDER_SET.read(found, lines=read_lines(found.lines, name))


JsonValue = Any

_AUTHOR, _READERSHIP = form_of(Author), form_of(Readership)


class StoredPress:
    """The messages in one transaction: the port of that name."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, item: PressItem) -> None:
        self._session.add(PressRow(**_PRESS.write(item), manner=_manner(item)))
        self._session.flush()

    def all_of(self, game: GameId) -> Sequence[PressItem]:
        every = select(PressRow).where(PressRow.game == game).order_by(PressRow.id)
        return [
            _PRESS.read(each, **_read_manner(each.manner, to_all=not each.readers))
            for each in rows(self._session, every)
        ]

    def to_all(self) -> Mapping[GameId, int]:
        is_to_all = cast(PressRow.readers, String) == "[]"
        counted = select(PressRow.game, func.count()).where(is_to_all).group_by(PressRow.game)
        return {GameId(game): number for game, number in self._session.execute(counted)}


class StoredNotices:
    """The log in one transaction: the port of that name."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, notice: Notice) -> None:
        _ADD_NOTICE.run(self._session.connection(), _NOTICE.write(notice))

    def all_of(self, game: GameId) -> Sequence[Notice]:
        every = select(NoticeRow).where(NoticeRow.game == game).order_by(NoticeRow.id)
        return [_NOTICE.read(each) for each in rows(self._session, every)]


def _manner(item: PressItem) -> JsonValue:
    """The fields of a message without a column of their own."""
    return {
        "anonymous": item.anonymous,
        "author": _AUTHOR.write(item.author),
        "aim": _READERSHIP.write(item.aim),
        "shown": item.shown and _READERSHIP.write(item.shown),
        "people": list(item.people),
        "postal": item.postal,
    }


def _read_manner(said: JsonValue, *, to_all: bool) -> JsonValue:
    """The inverse of `_manner`, of a message that went *to_all* or to some."""
    shown, shown_to_all = said["shown"], said.get("shown_to_all", False)
    return {
        **{key: kept for key, kept in said.items() if key != "shown_to_all"},
        "author": read_author(said["author"]),
        "aim": _read_readership(said["aim"], to_all=to_all),
        "shown": None if shown is None else _read_readership(shown, to_all=shown_to_all),
        "people": tuple(map(PersonId, said["people"])),
    }


def read_author(said: JsonValue) -> Author:
    """The inverse of `write_author`; earlier versions kept words, such as ``Florence``."""
    author: Author = Author(name=said) if isinstance(said, str) else _AUTHOR.read(said)
    return author


def _read_readership(said: JsonValue, *, to_all: bool) -> Readership:
    """A readership; earlier versions kept words, such as ``Milan and Venice``."""
    if isinstance(said, str):
        return Readership(all_but=True) if to_all else Readership((said,) if said else ())
    readers: Readership = _READERSHIP.read(said)
    return readers


_ALL = (
    select(NoteRow.__table__)
    .where(NoteRow.game == bindparam("wanted"))
    .order_by(NoteRow.at, NoteRow.seat, NoteRow.number)
)


class StoredNotes:
    """The notes in one transaction."""

    def __init__(self, session: Session, cached: CachedGames) -> None:
        self._session = session
        self._cached = cached

    def add(self, note: Note) -> None:
        columns = {**_NOTE.write(note), "author": json.dumps(_AUTHOR.write(note.author))}
        self._cached.changed(note.game, *NOTES)
        add_rows(self._session, NoteRow, [columns], f"note {note.number} is there already")

    def remove(self, note: Note) -> None:
        self._cached.changed(note.game, *NOTES)
        self._session.execute(
            delete(NoteRow).where(
                NoteRow.game == note.game,
                NoteRow.kind == note.kind.value,
                NoteRow.person == note.person,
                NoteRow.number == note.number,
            )
        )

    def all_of(self, game: GameId, kind: NoteKind) -> Sequence[Note]:
        found = self._cached.part(game, NOTES, lambda: self._read(game))
        return [each for each in found if each.kind is kind]

    def _read(self, game: GameId) -> tuple[Note, ...]:
        found = self._session.connection().execute(_ALL, {"wanted": game})
        return tuple(_note(each) for each in found)


def _note(found: Row[Any]) -> Note:
    text = found.author
    # Earlier versions kept words.
    author = read_author(json.loads(text) if text.startswith('{"') else text)
    return _NOTE.read(found, author=author)
