"""Read the tasks of `machjudge adjudicate`, and write the answers, a line of JSON each."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple, Protocol, TypeAlias, TypeGuard, get_args

import msgspec

from machjudge.adjudicator import reasons
from machjudge.adjudicator.board import Board, Scenario
from machjudge.adjudicator.dice import Dice, DiceMissing
from machjudge.adjudicator.events import (
    AdjustmentFailed,
    Advanced,
    AdvanceFailed,
    ConversionFailed,
    Converted,
    Event,
    ExpenseSettled,
    GiftGiven,
    GiftRefused,
    Held,
    LoanRefused,
    Marched,
    OrderIgnored,
    OrderRefused,
    OrderReplaced,
    PaymentNotNeeded,
    RebelsSupported,
    Retreated,
    SiegeBegun,
    SiegeCompleted,
    SiegeKept,
    SupportFailed,
    SupportGiven,
    Transported,
    TransportFailed,
    UnitChangedOwner,
    UnitDislodged,
    UnitRemoved,
)
from machjudge.adjudicator.legality import Space, orders_for_many, space_of
from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.names import AUTONOMOUS, MachjudgeError, PowerId
from machjudge.adjudicator.orders import (
    Borrow,
    BulkOrder,
    Expense,
    Hold,
    Maintain,
    MoneyOrder,
    Named,
    Order,
    Orders,
    Pay,
    Remove,
    UnitOrder,
)
from machjudge.adjudicator.reasons import (
    Flaw,
    Forced,
    HeldInstead,
    Objection,
    Reason,
    Removal,
)
from machjudge.adjudicator.rules import OrderNotation
from machjudge.adjudicator.state import State
from machjudge.adjudicator.units import GARRISON, Unit, unit_order
from machjudge.adjudicator.world import World, world_of
from machjudge.adjudicator.year.steps import Played, play, with_numbers
from machjudge.formats.game_file import TOO_DEEP, read_document, write_document
from machjudge.formats.position import (
    PositionGround,
    ground_of,
    position_of,
    read_dice,
    read_position,
    read_rules,
)
from machjudge.formats.values import (
    Json,
    Unfit,
    as_object,
    as_text,
    each,
    entries,
    entry,
    events_of,
    needed,
    refuse,
    shown,
    write,
)


@dataclass(frozen=True, slots=True)
class NotRead:
    """A line, or part of it, that could not be read, with the reason."""

    says: str


Said = Order | BulkOrder | NotRead
"""A part of a line; most lines have one."""


class Notation(Protocol):
    """Reads and writes orders in words."""

    def read(self, scenario: Scenario, stage: Stage, power: PowerId, text: str) -> Sequence[Said]:
        """Return the parts of a power's line in a phase of *stage*; none for a remark."""
        ...

    def nobody_there(self, scenario: Scenario, named: Named) -> NotRead:
        """Return the refusal of an order for many units with a missing exception."""
        ...

    def in_places(
        self, scenario: Scenario, power: PowerId, units: Iterable[Unit], lines: Sequence[str]
    ) -> Sequence[str | NotRead]:
        """Return a power's lines with places for units' numbers, if numbered."""
        ...

    def write(self, scenario: Scenario, order: Order) -> str:
        """The order in its canonical text."""
        ...


class MapSource(Protocol):
    """Finds boards and scenarios."""

    def board(self, name: str) -> Board | None:
        """Return the board of an id, always the same object; None if unknown."""
        ...

    def scenario(self, name: str) -> Scenario | None:
        """Return the scenario of an id, always the same, or None.  Raises MachjudgeError."""
        ...


LinesByPower = Mapping[PowerId, tuple[str, ...]]
"""Each power's lines, in order."""


@dataclass(frozen=True, slots=True)
class Task:
    """One phase to adjudicate."""

    world: World
    state: State
    lines: LinesByPower
    dice: Dice


def read_task(fields: Mapping[str, Json], maps: MapSource) -> Task:
    """Return the phase that a line describes; unknown fields are ignored.  Raises Unfit."""
    scenario = _read_scenario(fields, maps)
    rules = needed(fields, "rules", lambda value: read_rules(value, scenario))
    world = world_of(scenario, rules)
    state = needed(fields, "position", lambda value: read_position(value, world))
    ground = ground_of(world)
    lines = entry(fields, "orders", lambda value: _read_lines_by_power(value, ground)) or {}
    dice = entry(fields, "dice", lambda value: read_dice(value, state.moment))
    return Task(world, state, lines, dice or read_dice({}, state.moment))


def _read_scenario(fields: Mapping[str, Json], maps: MapSource) -> Scenario:
    scenario = needed(fields, "scenario", lambda value: _named_scenario(as_text(value), maps))
    name = needed(fields, "board", as_text)
    board = maps.board(name)
    # A scenario may have a board of its own making, with the id of the one that it changes.
    if board is None or board.id != scenario.board.id:
        known = f"{scenario.id} is played on {scenario.board.id}"
        refuse(f'{known}, not on "{shown(name)}"', "board")
    return scenario


def _named_scenario(name: str, maps: MapSource) -> Scenario:
    try:
        scenario = maps.scenario(name)
    except MachjudgeError as broken:
        raise Unfit(str(broken)) from broken
    if scenario is None:
        refuse(f'there is no scenario "{shown(name)}"')
    return scenario


def _read_lines_by_power(value: Json, ground: PositionGround) -> LinesByPower:
    return dict(entries(value, lambda power, lines: _read_lines(power, lines, ground)))


def _read_lines(power: str, lines: Json, ground: PositionGround) -> tuple[PowerId, tuple[str, ...]]:
    if power not in ground.powers:
        refuse(ground.flaw_of_power(power))
    if power not in ground.world.in_play:
        refuse(f"nobody plays {power} in the scenario {ground.world.scenario.id}")
    return PowerId(power), tuple(each(lines, as_text))


# The marks of an order: in a word or two, what kept it from being carried out, and why. Marks are
# derived from the events and from nothing else. No mark means that it succeeded.
Why = Reason | Event | NotRead
"""The cause of a mark: an event's reason, or an event."""


class Marked(NamedTuple):
    """The result of an order or a unit."""

    marks: tuple[str, ...] = ()
    why: Why | None = None
    """The cause of the first mark; None without marks."""
    events: tuple[Event, ...] = ()
    """The unit's events; empty for other orders."""


VOID = "void"
REPLACED = "replaced"
PARTLY = "partly"
"""The mark of a payment in part."""
REFUSED = "refused"
"""The mark of a refused loan or gift."""

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
"""The marks of forced holds that differ from the reasons' words."""

_REMOVED: Mapping[Removal, str | None] = {
    Removal.ORDERED: None,
    Removal.BRIBE: "disbanded",
    Removal.STARVED: "starved out",
    Removal.ASSASSINATION: "assassinated",
    Removal.NO_RETREAT: "destroyed",
    Removal.NO_RETREAT_ORDERED: "destroyed",
    Removal.RETREATS_MET: "destroyed",
}
"""The marks of removed units that differ from the reasons' words."""

_LOST_LATER = (Removal.FAMINE, Removal.PLAGUE, Removal.STORM, Removal.ELIMINATION)


def is_lost_later(event: Event) -> bool:
    """Return whether an event's unit is in its place at the phase's end, not its start."""
    return isinstance(event, UnitRemoved) and event.because in _LOST_LATER


def marks_of(events: Sequence[Event]) -> Marked:
    """Return the marks of a unit's events: its action first."""
    in_order = (
        events
        if len(events) == 1
        else sorted(events, key=lambda each: isinstance(each, UnitDislodged | UnitRemoved))
    )
    found: dict[str, Why] = {}
    for event in in_order:
        mark, why = _mark(event)
        if mark is not None:
            found.setdefault(mark, why)
    return Marked(tuple(found), next(iter(found.values()), None), tuple(events))


def refused(objection: Objection) -> Marked:
    """Return the result of a refused order."""
    mark = "siege in progress" if objection.flaw is Flaw.UNDER_SIEGE else VOID
    return Marked((mark,), objection)


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


class LineEntry(NamedTuple):
    """A part of a line."""

    power: PowerId
    given: str
    said: Order | NotRead
    line: int
    """An order's index among its power's orders."""


_NOTHING = NotRead("the line says nothing")


def read_entries(task: Task, notation: Notation) -> tuple[LineEntry, ...]:
    """Return the parts of a task's lines, by power."""
    return tuple(
        entry for power in sorted(task.lines) for entry in _entries_of(task, power, notation)
    )


def _entries_of(task: Task, power: PowerId, notation: Notation) -> Iterator[LineEntry]:
    scenario, stage = task.world.scenario, task.state.moment.stage
    heard: list[tuple[str, Said]] = []
    lines = task.lines[power]
    placed: Sequence[str | NotRead] = lines
    if task.world.rules.game.notation is OrderNotation.NUMBERS:
        placed = notation.in_places(scenario, power, _numbered(task.state), lines)
    for given, text in zip(lines, placed, strict=True):
        read = (text,) if isinstance(text, NotRead) else notation.read(scenario, stage, power, text)
        heard += [(given, said) for said in read or (_NOTHING,)]
    count = 0
    for given, said in _spelt_out(task, power, heard, notation):
        yield LineEntry(power, given, said, count)
        count += not isinstance(said, NotRead)


def _spelt_out(
    task: Task, power: PowerId, heard: Sequence[tuple[str, Said]], notation: Notation
) -> Iterator[tuple[str, Order | NotRead]]:
    """The parts, with orders for many units spelled out for units without an order."""
    known = [said for _, said in heard if not isinstance(said, NotRead | BulkOrder)]
    for given, said in heard:
        if not isinstance(said, BulkOrder):
            yield given, said
            continue
        orders = orders_for_many(task.world, task.state, power, said, known)
        if isinstance(orders, Named):
            yield given, notation.nobody_there(task.world.scenario, orders)
        else:
            known += orders
            yield from ((given, order) for order in orders)


def _numbered(state: State) -> list[Unit]:
    """All units; unnumbered ones with the lowest free numbers, by place."""
    units = [*state.units(), *(each.unit for each in state.dislodged)]
    bare = [unit for unit in units if not unit.number and unit.owner != AUTONOMOUS]
    new = with_numbers(sorted(bare, key=unit_order), units)
    return [*(unit for unit in units if unit not in bare), *(u.numbered(n) for u, n in new)]


def play_entries(task: Task, entries: tuple[LineEntry, ...]) -> Played:
    """Play the phase of a task.  Raises Unfit if dice are missing."""
    given_orders: dict[PowerId, list[Order]] = {}
    for given in entries:
        if not isinstance(given.said, NotRead):
            given_orders.setdefault(given.power, []).append(given.said)
    orders: Orders = {power: tuple(own) for power, own in given_orders.items()}
    try:
        return play(task.world, task.state, orders, task.dice)
    except DiceMissing as missing:
        where = f"dice.{missing.throw.purpose}" if missing.given else "dice"
        raise Unfit(str(missing), where) from missing


_PLAIN = Marked()
_OfUnit: TypeAlias = (
    Held
    | Advanced
    | AdvanceFailed
    | SupportGiven
    | SupportFailed
    | RebelsSupported
    | Transported
    | TransportFailed
    | Converted
    | ConversionFailed
    | UnitDislodged
    | Retreated
    | Marched
    | SiegeBegun
    | SiegeKept
    | SiegeCompleted
)
_OF_A_UNIT = frozenset(get_args(_OfUnit))
"""Events of a unit in its place at the phase's start."""


def _is_of_unit(event: Event) -> TypeGuard[_OfUnit]:
    # Asked of every event; isinstance would compare it with each of the classes.
    return type(event) in _OF_A_UNIT


class PhaseOutcome:
    """A phase's results for units, lines and payments."""

    def __init__(self, events: Iterable[Event]) -> None:
        self.owners: dict[Space, PowerId] = {}
        """Changed owners by bribes."""
        self.refused: dict[tuple[PowerId, int], Objection] = {}
        """Refused lines of powers, with the reasons."""
        self.replaced: dict[tuple[PowerId, int], OrderReplaced] = {}
        """Replaced lines of powers."""
        self._of_units: defaultdict[Space, list[Event]] = defaultdict(list)
        self._set_aside: defaultdict[PowerId, dict[Order, Marked]] = defaultdict(dict)
        self._of_expenses: dict[tuple[PowerId, int], Marked] = {}
        self._of_loans: dict[tuple[PowerId, int], Marked] = {}
        self._of_gifts: dict[tuple[PowerId, PowerId | None], Marked] = {}
        for event in events:
            if _is_of_unit(event):  # as most of them are
                self._of_units[space_of(event.unit)].append(event)
            else:
                self._enter(event)

    def of_unit(self, space: Space) -> Marked:
        """Return the result of the unit in *space* at the phase's start."""
        events = self._of_units.get(space)
        return _PLAIN if events is None else marks_of(events)

    def set_aside(self, power: PowerId, order: Order) -> Marked | None:
        """Return the result of an order refused or replaced as a whole, else None."""
        return self._set_aside[power].get(order) if power in self._set_aside else None

    def of_payment(self, power: PowerId, order: Borrow | Pay | Expense) -> Marked:
        """Return the result of a loan, a payment or an expense."""
        match order:
            case Borrow():
                return self._of_loans.get((power, order.ducats), _PLAIN)
            case Pay():
                return self._of_gifts.get((power, order.to), _PLAIN)
            case Expense():
                return self._of_expenses.get((power, order.number), _PLAIN)

    def _enter(self, event: Event) -> None:
        match event:
            case OrderRefused():
                self.refused[event.power, event.line] = event.because
            case OrderReplaced():
                self.replaced[event.power, event.line] = event
            case OrderIgnored():
                marked = Marked((VOID,), event)
                self._set_aside[event.power][event.order] = marked
            case AdjustmentFailed():
                marked = Marked((VOID,), event.because)
                self._set_aside[event.power][event.order] = marked
            case UnitChangedOwner():
                self.owners[space_of(event.unit)] = event.to
            case UnitRemoved() if not is_lost_later(event):
                # Units struck by a disaster stand where they moved, others where they began.
                self._of_units[space_of(event.unit)].append(event)
            case _:
                self._enter_payment(event)

    def _enter_payment(self, event: Event) -> None:
        match event:
            case ExpenseSettled() if event.fate != "done":
                marked = Marked((event.fate,), event)
                self._of_expenses[event.power, event.expense.number] = marked
            case LoanRefused():
                self._of_loans[event.power, event.ducats] = Marked((REFUSED,), event)
            case GiftRefused():
                marked = Marked((REFUSED,), event)
                self._of_gifts[event.giver, event.receiver] = marked
            case GiftGiven() if event.ducats < event.asked:
                self._of_gifts[event.giver, event.receiver] = Marked((PARTLY,), event)
            case PaymentNotNeeded():
                self._of_gifts[event.power, None] = Marked((PARTLY,), event)
            case _:
                return


_OrderOfUnit: TypeAlias = UnitOrder | Maintain | Remove


class Result(NamedTuple):
    """The result of a line, or of a unit without one."""

    power: PowerId
    given: str | None
    """The line; None for a unit without order."""
    order: str | None
    """The order in canonical text, or as given if unreadable."""
    marked: Marked


def results(
    task: Task, entries: Iterable[LineEntry], played: Played, notation: Notation
) -> list[Result]:
    """Return a result for each entry, and for each unit without order.

    Powers are sorted; their lines come before their units.
    """
    outcome = _Results(task, played, notation)
    written = [outcome.of_entry(entry) for entry in entries]
    return sorted([*written, *outcome.of_the_rest()], key=attrgetter("power"))


def results_of(results: Iterable[Result]) -> list[Json]:
    """Return the results in the format."""
    return [
        {
            "power": result.power,
            "given": result.given,
            "order": result.order,
            "marks": list(result.marked.marks),
            "reason": None if result.marked.why is None else write(result.marked.why),
        }
        for result in results
    ]


class _Results:
    """The results of one phase."""

    def __init__(self, task: Task, played: Played, notation: Notation) -> None:
        self._task = task
        self._notation = notation
        self._outcome = PhaseOutcome(played.events)
        self._standing = {power: iter(orders) for power, orders in played.standing.items()}
        self._ordered: set[tuple[PowerId, Space]] = set()

    def of_entry(self, entry: LineEntry) -> Result:
        if isinstance(entry.said, NotRead):
            marked = Marked((VOID,), entry.said)
            return Result(entry.power, entry.given, entry.given, marked)
        key = entry.power, entry.line
        if key in self._outcome.refused:
            return self._result(entry, entry.said, refused(self._outcome.refused[key]))
        if key in self._outcome.replaced:
            marked = Marked((REPLACED,), self._outcome.replaced[key])
            return self._result(entry, entry.said, marked)
        order = next(self._standing[entry.power])
        return self._result(entry, order, self._marked(entry.power, order))

    def _result(self, entry: LineEntry, order: Order, marked: Marked) -> Result:
        text = self._notation.write(self._task.world.scenario, order)
        return Result(entry.power, entry.given, text, marked)

    def _marked(self, power: PowerId, order: Order) -> Marked:
        aside = self._outcome.set_aside(power, order)
        if isinstance(order, _OrderOfUnit):  # as most of them are
            space = order.unit.kind is GARRISON, order.unit.place
            self._ordered.add((power, space))
            return aside or self._outcome.of_unit(space)
        if isinstance(order, MoneyOrder):
            return self._outcome.of_payment(power, order)
        return aside or Marked()

    def of_the_rest(self) -> Iterator[Result]:
        """The results of units without order, by their final owners."""
        left: list[tuple[Unit, PowerId, Space]] = []
        for unit in self._units_asked():
            space = space_of(unit)
            owner = self._outcome.owners.get(space, unit.owner)
            if (owner, space) not in self._ordered:
                left.append((unit, owner, space))
        for unit, owner, space in sorted(left, key=lambda each: unit_order(each[0])):
            yield Result(owner, None, self._default(unit), self._outcome.of_unit(space))

    def _units_asked(self) -> Iterable[Unit]:
        state = self._task.state
        if state.moment.stage is Stage.RETREATS:
            return [waiting.unit for waiting in state.dislodged]
        return state.units()

    def _default(self, unit: Unit) -> str | None:
        """A unit without an order holds in a campaign (MOV-26); at other times it does nothing."""
        if self._task.state.moment.stage is not Stage.CAMPAIGN:
            return None
        hold = Hold(Named.of(unit))
        return self._notation.write(self._task.world.scenario, hold)


Id = str | int | None
"""A line's id, which the answer repeats."""


WHOLE = "line"
"""The place of a fault outside single fields."""

_WRITER = msgspec.json.Encoder()
_DELETE = "\x7f"


@dataclass(frozen=True, slots=True)
class Refusal:
    """The refusal of a line: place and fault."""

    id: Id
    where: str
    says: str


@dataclass(frozen=True, slots=True)
class AnsweredLine:
    """A played phase: results and events."""

    id: Id
    task: Task
    results: list[Result]
    played: Played


def answer(line: bytes, maps: MapSource, notation: Notation) -> AnsweredLine | Refusal:
    """Adjudicate a line of JSON, or refuse an invalid one. Exceptions are our own faults."""
    fields: Mapping[str, Json] = {}
    try:
        fields = as_object(read_document(line))
        entry(fields, "id", _read_id)
        task = read_task(fields, maps)
        entries = read_entries(task, notation)
        played = play_entries(task, entries)
    except Unfit as unfit:
        return Refusal(_id(fields), unfit.where or WHOLE, unfit.says)
    except RecursionError:
        return Refusal(_id(fields), WHOLE, TOO_DEEP)
    return AnsweredLine(_id(fields), task, results(task, entries, played, notation), played)


def document_of(answered: AnsweredLine | Refusal) -> dict[str, Json]:
    """Return the answer in the format."""
    match answered:
        case Refusal():
            return {"id": answered.id, "error": {"where": answered.where, "says": answered.says}}
        case AnsweredLine():
            return {
                "id": answered.id,
                "results": results_of(answered.results),
                "position": position_of(answered.played.state, answered.task.world),
                "events": events_of(answered.played.events),
            }


def write_answer(answered: AnsweredLine | Refusal) -> str:
    """Return the answer on one line, in ASCII.

    The usual answers are written seven times as fast as by the standard library, which gets those
    with other signs to escape.
    """
    document = document_of(answered)
    try:
        text = _WRITER.encode(document).decode("ascii")
    except UnicodeError:
        return write_document(document)
    return text if _DELETE not in text else write_document(document)


def id_of(line: bytes) -> Id:
    """Return a line's id; None if unreadable."""
    try:
        return _id(as_object(read_document(line)))
    except Unfit:
        return None


def _read_id(value: Json) -> str | int:
    if not isinstance(value, str | int) or isinstance(value, bool):
        refuse("an id is a string or a whole number")
    return value


def _id(fields: Mapping[str, Json]) -> Id:
    try:
        return entry(fields, "id", _read_id)
    except Unfit:
        return None
