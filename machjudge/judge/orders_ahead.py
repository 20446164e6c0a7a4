"""Orders for later phases: plans, standing orders, conditions, and dropping orders."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import cast

from machjudge.adjudicator.land.sieges import has_target
from machjudge.adjudicator.legality import (
    can_stand,
    objection_to,
    order_as_meant,
    read_unit_order,
    slot_of,
    unit_named,
)
from machjudge.adjudicator.moments import Moment, Season, Stage
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.orders import (
    Advance,
    Besiege,
    Build,
    BulkOrder,
    Disband,
    GiveChit,
    Hold,
    Maintain,
    Named,
    Order,
    Remove,
    UnitOrder,
)
from machjudge.adjudicator.reasons import Flaw, Objection
from machjudge.adjudicator.rules import Chooser, Route
from machjudge.adjudicator.state import State
from machjudge.adjudicator.units import Kind, Unit
from machjudge.judge.commands import PLAYERS, command, setting
from machjudge.judge.credentials import Act
from machjudge.judge.game_view import (
    GameView,
    SeenGame,
    condition_flaw,
    holds,
    in_order_of_worth,
    living,
    missing,
    progress,
    read_order_texts,
    sealed_line,
    seat_of,
    write_order,
)
from machjudge.judge.mail_context import LineParser, MailContext, tell_comments, too_old
from machjudge.judge.order_lines import (
    Block,
    Comment,
    Drafted,
    Submission,
    Waiting,
    is_siege,
    part_of,
    reachable,
    refused_by,
    statement_of,
    submit,
    trouble_of,
    wait_or_not,
    wait_told,
)
from machjudge.judge.outgoing import Addressee, view_for_power
from machjudge.judge.people import with_seat
from machjudge.judge.records import (
    Case,
    Choice,
    Item,
    Kept,
    LastingSiege,
    MailId,
    OrderSet,
    Plan,
    PlanPart,
    Preference,
    Target,
    is_ahead,
)
from machjudge.language.commands import Clear, Cleared, Phase, PlainCommand, Setting
from machjudge.language.conditions import parse_condition, write_condition
from machjudge.language.lexicon import lexicon_of, unit_text
from machjudge.language.orders import (
    may_wait,
    parse_bulk_order,
    read_retreats,
    split_retreats,
    unit_in,
    write_bulk_order,
)
from machjudge.language.words import Parsed, ParseError, Said
from machjudge.mail_parser.lines import Line
from machjudge.messages.notation import order_text
from machjudge.messages.receipt import on_file_lines
from machjudge.messages.render import flag_help
from machjudge.messages.visibility import Sight
from machjudge.messages.wording import LineError, objection_words
from machjudge.translatable import Message, MessageOrText


@dataclass(frozen=True, slots=True)
class FiledPlans:
    """A new phase with the orders from plans."""

    view: GameView
    order_sets: tuple[OrderSet, ...]
    refused: Mapping[PowerId, tuple[LineError, ...]]
    unused: Mapping[PowerId, tuple[str, ...]] = field(default_factory=dict)
    """The codes of planned phases that did not come."""
    notes: Mapping[PowerId, tuple[Message, ...]] = field(default_factory=dict)
    """What became of preferences, standing orders and sieges."""
    plans: tuple[Plan, ...] = ()
    """The plans in which a siege is over, or goes on after a rollback."""


def file_plans(view: GameView, before: Moment) -> FiledPlans:
    """Put the planned orders for the phase on file; *before* is the phase just played."""
    order_sets: list[OrderSet] = []
    refused: dict[PowerId, tuple[LineError, ...]] = {}
    unused: dict[PowerId, tuple[str, ...]] = {}
    notes: dict[PowerId, tuple[Message, ...]] = {}
    plans: list[Plan] = []
    for power in living(view):
        plan = view.plans.get(power)
        if plan is None:
            continue
        unused[power] = tuple(_passed_over(plan, before, view.state.moment))
        seen = view_for_power(view, power)
        plan, ended = _with_sieges(seen, plan)
        planned = set_from(seen, plan)
        plan, given_up = _given_up(seen, plan, planned.order_set)
        refused[power], notes[power] = planned.troubles, (*ended, *given_up, *planned.notes)
        if plan is not view.plans[power]:
            plan = replace(plan, number=plan.number + 1)
            plans.append(plan)
            view = replace(view, plans={**view.plans, power: plan})
        if planned.order_set is not None:
            order_sets.append(planned.order_set)
        view = _waiting(view, plan, waits=planned.waits)
    filed = {**view.order_sets, **{order_set.power: order_set for order_set in order_sets}}
    view = replace(view, order_sets=filed)
    return FiledPlans(view, tuple(order_sets), refused, unused, notes, tuple(plans))


def _with_sieges(view: SeenGame, plan: Plan) -> tuple[Plan, tuple[Message, ...]]:
    """The plan as its sieges stand at the start of a phase, and which of them are over."""
    return _sieges_over(view, plan, lambda siege: not _may_besiege(view, plan.power, siege))


def _given_up(
    view: SeenGame, plan: Plan, order_set: OrderSet | None
) -> tuple[Plan, tuple[Message, ...]]:
    """The plan without sieges whose units are ordered to do anything but besiege or hold."""
    if order_set is None or view.state.moment.stage is not Stage.CAMPAIGN:
        return plan, ()
    orders = read_order_texts(
        view.world, Stage.CAMPAIGN, [line.canonical for line in order_set.lines]
    )
    others = [o for o in orders if isinstance(o, UnitOrder) and not isinstance(o, Besiege | Hold)]
    places = {order.unit.place for order in others if order.unit.kind is not Kind.GARRISON}
    return _sieges_over(view, plan, lambda siege: _besieger(view, siege).place in places)


def _sieges_over(
    view: SeenGame, plan: Plan, ends: Callable[[LastingSiege], bool]
) -> tuple[Plan, tuple[Message, ...]]:
    now, part = view.state.moment, plan.part(Stage.CAMPAIGN)
    items: list[Item] = []
    notes: list[Message] = []
    for item in part.items:
        if not isinstance(item, LastingSiege) or item.is_over(now):
            items.append(item)
            continue
        is_over = ends(item)
        items.append(replace(item, over=now.code if is_over else ""))
        if is_over:
            unit = unit_text(_besieger(view, item), view.lexicon)
            notes.append(Message("orders.ahead.siege_over", unit=unit))
    changed = replace(part, items=tuple(items))
    return (plan if changed == part else plan.with_part(changed)), tuple(notes)


def _besieger(view: SeenGame, siege: LastingSiege) -> Named:
    (order,) = read_order_texts(view.world, Stage.CAMPAIGN, [siege.canonical])
    return cast("Besiege", order).unit


def _may_besiege(view: SeenGame, power: PowerId, item: LastingSiege) -> bool:
    """Return True if the unit is there, and somebody in the city whom it can besiege."""
    world, named = view.world, _besieger(view, item)
    state = _as_at(view.state, Stage.CAMPAIGN)
    unit = unit_named(world, state, power, named)
    if unit is None or unit.owner != power or objection_to(world, state, power, Besiege(named)):
        return False
    return has_target(state, unit, world.city_before(unit.place))


# A phase begins: the orders that were kept for it become order sets on file, like any others.
# What depends on the position is judged now. Orders for that very phase come first; where they
# give none, those for every phase of the kind do. What is on file afterwards is what is played,
# so that stored phases hold the orders that were in force.
@dataclass(frozen=True, slots=True)
class PlannedSet:
    """What a plan puts on file when a phase begins."""

    order_set: OrderSet | None
    troubles: tuple[LineError, ...] = ()
    notes: tuple[Message, ...] = ()
    waits: bool = False
    """All of it is from preferences that were given with the orders of the campaign."""


def set_from(view: SeenGame, plan: Plan) -> PlannedSet:
    """Return a plan's order set in this position, and its invalid orders."""
    moment = view.state.moment
    own, every = plan.part(moment), plan.part(moment.stage)
    sieges = tuple(_sieges(every, moment))
    filed = _filed(view, plan, own, sieges)
    if filed.troubles or (filed.order_set is not None and _says_anything(view, plan.power, own)):
        flawed = own.flawed or bool(filed.troubles)
        return replace(filed, order_set=_flawed(filed.order_set, flawed=flawed))
    standing = _filed(view, plan, every, sieges)
    notes = filed.notes + standing.notes
    if any(isinstance(each, Kept | Choice) for each in every.items) and standing.order_set:
        notes += (Message("orders.ahead.standing", stage=moment.stage.name.lower()),)
    return replace(
        standing,
        order_set=_flawed(standing.order_set, flawed=False),
        notes=tuple(dict.fromkeys(notes)),
    )


def _flawed(order_set: OrderSet | None, *, flawed: bool) -> OrderSet | None:
    return replace(order_set, flawed=flawed) if order_set is not None else None


def _says_anything(view: SeenGame, power: PowerId, own: PlanPart) -> bool:
    """Return True if the part for the very phase orders anything in this position."""
    if next(in_force(view, power, own.items), None) is not None:
        return True
    return any(isinstance(each, Preference) for each in own.items)


def _sieges(every: PlanPart, now: Moment) -> Iterator[str]:
    for item in every.items:
        if isinstance(item, LastingSiege) and not item.is_over(now):
            yield item.canonical


def _filed(view: SeenGame, plan: Plan, part: PlanPart, sieges: Sequence[str] = ()) -> PlannedSet:
    said = list(_unit_by_unit(view, plan.power, in_force(view, plan.power, part.items)))
    retreats = _preferred(view, plan.power, part.items, said)
    texts = (*sieges, *said, *retreats.orders)
    lines = [Line(number, text, text) for number, text in enumerate(texts, start=1)]
    if not lines:
        return PlannedSet(None, (), retreats.notes)
    others = {power: s for power, s in view.order_sets.items() if power != plan.power}
    given = Submission(plan.power, tuple(lines), plan.received, plan.mail or MailId(0))
    taken = submit(replace(view, order_sets=others), given)
    written = dict(_as_written(part.items))
    troubles = tuple(
        replace(each, line=written.get(each.line, each.line)) for each in taken.troubles
    )
    if taken.order_set is None:
        return PlannedSet(None, troubles, retreats.notes)
    lines_of = tuple(replace(line, mail=plan.mail) for line in taken.order_set.lines)
    order_set = replace(taken.order_set, lines=lines_of, mail=plan.mail)
    goes_on = tuple(
        Message("orders.ahead.siege_goes_on", order=order_text(view.words, order))
        for order in view_with(view, order_set).orders_of(plan.power)
        if write_order(view.world, order) in sieges
    )
    return PlannedSet(
        order_set if order_set.lines else None,
        troubles,
        (*retreats.notes, *goes_on),
        waits=retreats.waits and not said,
    )


def _unit_by_unit(view: SeenGame, power: PowerId, texts: Iterable[str]) -> Iterator[str]:
    """Orders with one for each unit in place of MAINTAIN REST, the most wanted units first.

    The ducats may not suffice for all; a silent player's units are paid for in the same order.
    """
    stage = view.state.moment.stage
    said: list[str] = []
    for text in texts:
        bulk = parse_bulk_order(text, lexicon_of(view.world.scenario), stage)
        is_plain = isinstance(bulk, BulkOrder) and not bulk.excepted and bulk.kind is None
        if stage is not Stage.ADJUSTMENT or not is_plain:
            said.append(text)
            continue
        ordered = {
            order.unit
            for order in read_order_texts(view.world, stage, said)
            if isinstance(order, Maintain | Remove)
        }
        named = (Named.of(unit) for unit in in_order_of_worth(view, power))
        said += [write_order(view.world, Maintain(n)) for n in named if n not in ordered]
    return iter(said)


def view_with(view: SeenGame, order_set: OrderSet) -> SeenGame:
    """Return the game with a set on file."""
    return replace(view, order_sets={**view.order_sets, order_set.power: order_set})


@dataclass(frozen=True, slots=True)
class _Retreats:
    """The retreats that preferences give in a position."""

    orders: tuple[str, ...] = ()
    notes: tuple[Message, ...] = ()
    waits: bool = False


def _preferred(
    view: SeenGame, power: PowerId, items: Sequence[Item], said: Sequence[str]
) -> _Retreats:
    """Choose a retreat for each dislodged unit with preferences and no order among *said*."""
    world, state, stage = view.world, view.state, view.state.moment.stage
    wishes = [item for item in items if isinstance(item, Preference)]
    if stage is not Stage.RETREATS or not wishes:
        return _Retreats()
    ordered = [o for o in read_order_texts(world, stage, said) if isinstance(o, UnitOrder)]
    done = {order.unit.place for order in ordered}
    units: list[tuple[Unit, Preference]] = []
    options: list[list[Order]] = []
    for wish in wishes:
        orders = read_order_texts(world, stage, wish.orders)
        unit = unit_named(world, state, power, cast("UnitOrder", orders[0]).unit)
        if unit is not None and unit.owner == power and unit.place not in done:
            meant = (order_as_meant(world, state, power, order) for order in orders)
            units.append((unit, wish))
            options.append([order for order in meant if not isinstance(order, Objection)])
    taken = frozenset(order.to for order in ordered if isinstance(order, Advance))
    chosen = retreats_chosen(options, taken)
    words = view.words
    notes = [
        Message("orders.ahead.retreat", order=order_text(words, order))
        if order is not None
        else Message("orders.ahead.no_retreat", unit=words.unit(unit.made_plain()))
        for (unit, _), order in zip(units, chosen, strict=True)
    ]
    found = tuple(write_order(world, order) for order in chosen if order is not None)
    waits = bool(found) and any(wish.waits for _, wish in units)
    notes += [Message("orders.ahead.retreats_wait")] if waits else []
    return _Retreats(found, tuple(notes), waits)


def retreats_chosen(
    options: Sequence[Sequence[Order]], taken: Collection[PlaceId]
) -> tuple[Order | None, ...]:
    """Return for each unit the first of its retreats that no other unit of its power needs.

    A unit that was named earlier goes to another of its places where a later one would have none.
    To disband is the last resort, wherever it stands in the list.
    """
    chosen: list[Order | None] = [None] * len(options)
    holders: dict[PlaceId, int] = {}

    def settle(which: int, tried: set[PlaceId]) -> bool:
        """Find a place for a unit: one that is free, else one that its holder can leave."""
        ways = [order for order in options[which] if not isinstance(order, Disband)]
        for is_free in (True, False):
            for order in ways:
                if not isinstance(order, Advance):
                    chosen[which] = order
                    return True
                if order.to in tried or (order.to in holders) is is_free:
                    continue
                tried.add(order.to)
                if is_free or settle(holders[order.to], tried):
                    chosen[which], holders[order.to] = order, which
                    return True
        return False

    for which, orders in enumerate(options):
        if not settle(which, set(taken)):
            chosen[which] = next((order for order in orders if isinstance(order, Disband)), None)
    return tuple(chosen)


def _as_written(items: Iterable[Item]) -> Iterator[tuple[str, str]]:
    """Orders in canonical notation, each with its line; not those of lines with several."""
    for item in items:
        if isinstance(item, Choice):
            yield from (pair for case in item.cases for pair in _as_written(case.items))
        elif isinstance(item, Kept) and not any(sign in item.written for sign in ",;"):
            yield item.canonical, item.written


def in_force(view: SeenGame, power: PowerId, items: tuple[Item, ...]) -> Iterator[str]:
    """Return the orders whose conditions hold in the position, in canonical notation."""
    for item in items:
        match item:
            case Kept(canonical=canonical):
                yield canonical
            case Choice():
                yield from in_force(view, power, _case_that_holds(view, power, item))
            case Preference() | LastingSiege():
                pass


def _case_that_holds(view: SeenGame, power: PowerId, choice: Choice) -> tuple[Item, ...]:
    for case in choice.cases:
        if not case.condition or _is_so(view, power, case.condition):
            return case.items
    return ()


def _is_so(view: SeenGame, power: PowerId, text: str) -> bool:
    """True if a condition on file holds; one that is no longer allowed does not."""
    condition = parse_condition(text, lexicon_of(view.world.scenario), power)
    if isinstance(condition, ParseError) or condition_flaw(condition, view.game, power):
        return False
    return holds(condition, view.state)


def _passed_over(plan: Plan, before: Moment, now: Moment) -> Iterator[str]:
    for part in plan.parts:
        target = part.target
        is_meant = any(not isinstance(item, Preference) for item in part.items)
        if isinstance(target, Moment) and before < target < now and is_meant:
            yield target.code


def _waiting(view: GameView, plan: Plan, *, waits: bool) -> GameView:
    moment = view.state.moment
    seat = seat_of(view.game, plan.power)
    asked = waits or plan.part(moment).waits or plan.part(moment.stage).waits
    if seat is None or seat.person is None or not asked:
        return view
    return replace(view, game=with_seat(view.game, replace(seat, waits=True)))


MAX_KEPT = 300

_MAX_WRONG = 100


_LASTING = frozenset(
    {
        *(Flaw.SAME_PLACE, Flaw.NOT_ADJACENT, Flaw.WRONG_TERRAIN, Flaw.NOT_A_CONVOY, Flaw.NO_ROUTE),
        *(Flaw.CANNOT_REACH, Flaw.ITSELF, Flaw.GARRISON_ONLY, Flaw.GARRISON_HOLDS),
        *(Flaw.NO_CITY, Flaw.NO_PORT, Flaw.SAME_KIND, Flaw.ARMY_FLEET),
    }
)
"""What is wrong by the board alone, in whatever position the phase begins."""


@dataclass(slots=True)
class _AheadParser:
    """Reads the lines for one later phase, or for every phase of a kind."""

    view: SeenGame
    power: PowerId
    target: Target
    said: LineParser
    errors: list[LineError] = field(default_factory=list)
    ignored: list[Comment] = field(default_factory=list)
    warnings: list[Message] = field(default_factory=list)
    withdrawn: dict[object, str] = field(default_factory=dict)
    """The subjects of preferences and standing orders that are taken back, with the words."""

    @property
    def stage(self) -> Stage:
        return self.target.stage if isinstance(self.target, Moment) else self.target

    def items(self, drafted: Sequence[Drafted]) -> tuple[Item, ...]:
        """The items that can be kept; the others are among the errors."""
        found: list[Item] = []
        for each in drafted:
            match each:
                case Line():
                    found += self._line(each)
                case Block():
                    found.append(self._choice(each))
                case Waiting(line, of_campaign):
                    found += self._waiting(line, of_campaign=of_campaign)
        return tuple(found)

    def _waiting(self, line: Line, *, of_campaign: bool) -> Iterator[Item]:
        if of_campaign or self.stage is Stage.RETREATS:
            yield from self._preference(line, waits=of_campaign)
        elif is_siege(self.said, line, self.view):
            yield from self._siege(line)
        elif (unit := unit_in(line.text, self.view.lexicon)) is not None and not self._is_upkeep:
            self.withdrawn[_slot_of(self.view, self.power, self.target, Hold(unit))] = line.text
        else:
            yield from self._line(line)

    @property
    def _is_upkeep(self) -> bool:
        return self.stage is Stage.ADJUSTMENT

    def _siege(self, line: Line) -> Iterator[Item]:
        """The orders of lasting sieges by units that can besiege where they are.

        In a campaign the same line is an order, which says what is wrong with it.
        """
        pieces = self.said.orders(line.text, self.view.lexicon, Stage.CAMPAIGN)
        state = _as_at(self.view.state, Stage.CAMPAIGN)
        for order in (order for piece in pieces for order in piece.understood):
            because = objection_to(self.view.world, state, self.power, order)
            if because is None:
                yield LastingSiege(line.text, write_order(self.view.world, order))
            elif self.view.state.moment.stage is not Stage.CAMPAIGN:
                refused = refused_by(self.view, self.power, line, order, because)
                self.errors.append(refused.trouble)

    def _preference(self, line: Line, *, waits: bool) -> Iterator[Item]:
        if self.view.world.rules.retreat.chooser is not Chooser.PLAYER:
            reason = Message("orders.retreats.judge_chooses")
            self.errors.append(LineError(line.number, line.text, reason))
            return
        _, retreats = split_retreats(line.text, self.view.lexicon, "")
        for each in retreats:
            read = read_retreats(line.text, each, self.view.lexicon)
            if isinstance(read, ParseError):
                self.errors.append(trouble_of(line, read))
            elif (no := self._out_of_reach(read)) is not None:
                self.errors.append(LineError(line.number, line.text, no))
            elif read:
                texts = tuple(write_order(self.view.world, order) for order in read)
                yield Preference(line.text, texts, waits)
            elif each.unit is not None:
                self.withdrawn["retreats", each.unit.place] = line.text

    def _out_of_reach(self, orders: Sequence[Order]) -> Message | None:
        """Say where the unit can go at all, if one of its retreats is farther away."""
        world = self.view.world
        for order in orders:
            if not isinstance(order, Advance):
                continue
            unit = unit_named(world, self.view.state, self.power, order.unit)
            if unit is None and order.unit.kind is Kind.ARMY:
                unit = Unit(self.power, Kind.ARMY, order.unit.place)
            if unit is not None and not unit.is_garrison and not world.reaches(unit, order.to):
                return reachable(world, unit)
        return None

    def _choice(self, block: Block) -> Choice:
        lexicon = self.view.lexicon
        return Choice(
            tuple(
                Case(
                    write_condition(case.condition, lexicon) if case.condition is not None else "",
                    self.items(case.items),
                )
                for case in block.cases
            )
        )

    def _line(self, line: Line) -> list[Item]:
        if len(self.errors) >= _MAX_WRONG:
            return []
        lexicon = self.view.lexicon
        retreats = split_retreats(line.text, lexicon, "")[1] if may_wait(line.text) else ()
        if retreats and self.stage is Stage.CAMPAIGN:
            reason = Message("orders.retreats.conditional")
            self.errors.append(LineError(line.number, line.text, reason))
            return []
        if retreats and self.stage is Stage.RETREATS and self._is_refused(line):
            return list(self._preference(line, waits=False))
        pieces = [*self.said.advised(line.text, lexicon, self.stage)]
        if len(pieces) == 1 and not isinstance(pieces[0][1], BulkOrder):
            return list(self._orders(line, pieces[0][1]))
        known = len(self.errors)
        found: list[Kept] = []
        for text, said, is_for_many in pieces:
            if isinstance(said, BulkOrder):
                found.append(Kept(line.text, write_bulk_order(said, lexicon)))
            else:
                found += self._orders(line if is_for_many else replace(line, text=text), said)
        return list(self._of_one_fate(found, known))

    def _is_refused(self, line: Line) -> bool:
        pieces = self.said.orders(line.text, self.view.lexicon, self.stage)
        return any(piece.refused for piece in pieces)

    def _orders(self, line: Line, parsed: Parsed) -> list[Kept]:
        """The orders of a text, those up to a semicolon all or none."""
        if parsed.overlooked:
            self.ignored.append((line.number, parsed.overlooked))
        found: list[Kept] = []
        for at, parts in groupby(parsed.parts(), lambda each: statement_of(line.text, each[1])):
            known = len(self.errors)
            part = part_of(line.text, at)
            found += self._of_one_fate([*self._statement(line, parts)], known, part)
        return found

    def _statement(
        self, line: Line, parts: Iterable[tuple[Said, tuple[int, int] | None]]
    ) -> Iterator[Kept]:
        for said, part in parts:
            if isinstance(said, ParseError):
                self.errors.append(trouble_of(replace(line, part=part), said))
            elif isinstance(said, GiveChit):
                reason = Message("orders.later.chit")
                self.errors.append(LineError(line.number, line.text, reason, part=part))
            else:
                self._warn(line, said)
                yield Kept(line.text, write_order(self.view.world, said))

    def _warn(self, line: Line, order: Order) -> None:
        never = self._never(order)
        if never is None:
            return
        why: MessageOrText = objection_words(self.view.words, never)
        far = never.flaw in (Flaw.NOT_ADJACENT, Flaw.CANNOT_REACH)
        if far and isinstance(order, UnitOrder) and order.unit.kind is not None:
            unit = Unit(self.power, order.unit.kind, order.unit.place, order.unit.coast)
            near = reachable(self.view.world, unit)
            why = Message("orders.advised", reason=why, advice=near) if near is not None else why
        self.warnings.append(Message("orders.later.never", line=line.number, reason=why))

    def _never(self, order: Order) -> Objection | None:
        """Return why an order can be none in its phase, whatever happens before it."""
        world, state = self.view.world, _as_at(self.view.state, self.target)
        found: Order | Objection | None = None
        if isinstance(order, Build):
            found = objection_to(world, state, self.power, order)
        elif isinstance(order, UnitOrder) and order.unit.kind is not None:
            named = order.unit
            unit = Unit(self.power, order.unit.kind, named.place, named.coast)
            has_coasts = unit.kind is Kind.FLEET and bool(world.place(named.place).coasts)
            if not can_stand(world, unit.kind, named.place):
                found = Objection(Flaw.WRONG_TERRAIN, "MOV-03", named.place)
            elif has_coasts and not named.coast:
                return None
            elif self.stage is Stage.CAMPAIGN:
                found = read_unit_order(world, state, unit, order)
            elif isinstance(order, Advance) and not world.reaches(unit, order.to):
                found = Objection(Flaw.NOT_ADJACENT, "MOV-40", order.to)
        if not isinstance(found, Objection) or found.flaw not in _LASTING:
            return None
        by_sea = world.rules.movement.convoy_route is Route.IMPLICIT
        return None if by_sea and found.flaw is Flaw.NOT_ADJACENT else found

    def _of_one_fate(self, found: list[Kept], known: int, part: str = "") -> list[Kept]:
        """Orders, or none if one of them is wrong; *known* errors were before them.

        :param part: what they are of their line, if not all of it.
        """
        if not found or len(self.errors) == known:
            return found
        first = self.errors[known]
        left = ", ".join(each.canonical for each in found)
        note = Message("orders.none_of_line", part=part, in_force="")
        self.errors[known] = replace(first, note=note, instead=first.instead or left)
        return []


# From the draft of a mail to a plan: what can be said of orders before their phase has come.
# Whether a line can be read is known at once; what depends on the position is judged when the
# phase begins.
def keep_ahead(context: MailContext, ahead: dict[Target, list[Drafted]]) -> None:
    """Keep a mail's orders for later phases, and report what cannot be kept."""
    everything, power = context.view(), context.power
    if everything is None or power is None:
        return
    view = view_for_power(everything, power)
    for target, drafted in ahead.items():
        parser = _AheadParser(view, power, target, context.parsed_lines)
        items = parser.items(drafted)
        first = drafted[0] if isinstance(drafted[0], Line) else drafted[0].line
        plan = plan_of(context, power)
        if plan.received > context.received:
            context.refuse(first, Message("orders.later.older"))
            continue
        part = plan.part(target)
        stands = any(isinstance(each, Waiting) and not each.of_campaign for each in drafted)
        left = tuple(_not_replaced(view, power, part, items, parser.withdrawn))
        if stands and target is Stage.ADJUSTMENT and items:
            left = tuple(item for item in left if not _is_upkeep(view, item))
        new = (i for i in items if _slot(view, power, target, i) not in parser.withdrawn)
        merged = (*left, *new)
        changed = plan.with_part(replace(part, items=merged, flawed=bool(parser.errors)))
        if changed.size() > MAX_KEPT:
            context.refuse(first, Message("orders.later.too_many", most=MAX_KEPT))
            continue
        for error in parser.errors:
            context.add_error(error)
        tell_comments(context, parser.ignored)
        context.answer.notices += parser.warnings
        if items or parser.errors or merged != part.items:
            file_plan(context, changed)
        had = {_slot(view, power, target, item) for item in (*part.items, *items)}
        for subject, what in parser.withdrawn.items():
            result = "withdrawn" if subject in had else "nothing_withdrawn"
            context.done(Message(f"orders.ahead.{result}", what=what))


def plan_of(context: MailContext, power: PowerId) -> Plan:
    """Return the newest plan of a power; an empty one, with the number 0, if it has none."""
    view = context.playing()
    found = view.plans.get(power)
    return found or Plan(view.game.id, power, 0, (), context.received, context.mail_id)


def file_plan(context: MailContext, changed: Plan) -> None:
    """File a changed plan as the next one; all changes of a mail are one."""
    is_first = all(plan.power != changed.power for plan in context.changes.plans)
    number = changed.number + 1 if is_first else changed.number
    received = max(changed.received, context.received)
    context.keep(replace(changed, number=number, received=received, mail=context.mail_id))


def file_standing_orders(context: MailContext) -> None:
    """Use standing orders at once if nothing else was ordered for the current phase.

    A siege that the mail gives up is over.
    """
    view, power = context.view(), context.power
    plan = view.plans.get(power) if view is not None and power is not None else None
    if view is None or plan is None:
        return
    order_set = view.order_sets.get(plan.power)
    if order_set is not None:
        changed, given_up = _given_up(view_for_power(view, plan.power), plan, order_set)
        if given_up:
            file_plan(context, changed)
            context.answer.notices += given_up
            return
    if not any(each.power == plan.power for each in context.changes.plans):
        return
    if order_set is not None:
        _file_changed(context, view, plan, order_set)
    elif plan.part(view.state.moment.stage).items:
        planned = _standing(view, plan)
        if planned.order_set is not None:
            context.file(planned.order_set)


def _standing(view: GameView, plan: Plan) -> PlannedSet:
    """What a plan's standing orders alone put on file for the current phase."""
    only = replace(plan, parts=tuple(p for p in plan.parts if p.name.startswith("every")))
    return set_from(view_for_power(view, plan.power), only)


def _file_changed(context: MailContext, view: GameView, plan: Plan, on_file: OrderSet) -> None:
    """Have changed standing orders take the place of those that are all that is on file.

    Where the player ordered anything else for the phase, it stays, and the answer says so.
    """
    stage, power = view.state.moment.stage, plan.power
    before = context.uow.plans.on_file(view.game.id).get(power)
    was, now = before.part(stage) if before is not None else None, plan.part(stage)
    has_ordered = any(line.mail == context.mail_id for line in on_file.lines)
    if before is None or has_ordered or was == now:
        return
    others = {each: filed for each, filed in view.order_sets.items() if each != power}
    alone = replace(view, order_sets=others)
    old, new = _standing(alone, before).order_set, _standing(alone, plan)
    is_all = old is not None and _texts_of(old) == _texts_of(on_file)
    if is_all and new.order_set is not None and not (new.troubles or now.flawed):
        number = on_file.number + 1
        context.file(replace(new.order_set, number=number, flawed=on_file.flawed))
        notice = Message("orders.ahead.changed", number=on_file.number)
    else:
        notice = Message("orders.ahead.unchanged", stage=stage.name.lower())
    context.answer.notices.append(notice)


def _texts_of(order_set: OrderSet) -> list[str]:
    return [line.canonical for line in order_set.lines]


def _is_upkeep(view: SeenGame, item: Item) -> bool:
    """Return True for a kept order that maintains, one unit or many."""
    if not isinstance(item, Kept):
        return False
    lexicon = lexicon_of(view.world.scenario)
    if isinstance(parse_bulk_order(item.canonical, lexicon, Stage.ADJUSTMENT), BulkOrder):
        return True
    (order,) = read_order_texts(view.world, Stage.ADJUSTMENT, [item.canonical])
    return isinstance(order, Maintain)


def _not_replaced(
    view: SeenGame,
    power: PowerId,
    part: PlanPart,
    new: Sequence[Item],
    withdrawn: Collection[object],
) -> list[Item]:
    """The kept items that no new order without a condition replaces, and nobody took back."""
    slots = {slot for item in new if (slot := _slot(view, power, part.target, item))}
    slots.update(withdrawn)
    return [
        item
        for item in part.items
        if _slot(view, power, part.target, item) not in slots and item not in new
    ]


def _slot(view: SeenGame, power: PowerId, target: Target, item: Item) -> object:
    """The subject of an order without a condition; empty for others."""
    lexicon = view.lexicon
    stage = target.stage if isinstance(target, Moment) else target
    match item:
        case Choice():
            return None
        case Preference(orders=orders):
            (order, *_) = read_order_texts(view.world, Stage.RETREATS, orders)
            return ("retreats", order.unit.place) if isinstance(order, UnitOrder) else None
        case Kept(canonical=canonical) | LastingSiege(canonical=canonical):
            sweep = parse_bulk_order(canonical, lexicon, stage)
            if isinstance(sweep, BulkOrder):
                return ("sweep", sweep.rest, sweep.kind)
            (order,) = read_order_texts(view.world, stage, [canonical])
            return _slot_of(view, power, target, order)


def _slot_of(view: SeenGame, power: PowerId, target: Target, order: Order) -> object:
    return slot_of(view.world, _as_at(view.state, target), power, order)


def _as_at(state: State, target: Target) -> State:
    """The position as if it were the planned phase: the best guess there is."""
    moment = target if isinstance(target, Moment) else Moment(state.moment.campaign, target)
    return replace(state, moment=moment)


def plan_facts(arrived: FiledPlans, to: Addressee) -> Mapping[str, object]:
    """Return the facts for one address alone: how many failed, and the order sets."""
    own = [power for power in to.powers if to.sight.sees_plans_of(power)]
    filed = {order_set.power for order_set in arrived.order_sets}
    refused = [trouble for power in own for trouble in arrived.refused.get(power, ())]
    return {
        "kept_failed": len(refused),
        "kept": [
            {
                "lines": _lines(arrived, power, to.sight) if power in filed else (),
                "refused": arrived.refused.get(power, ()),
                "unused": arrived.unused.get(power, ()),
                "notes": arrived.notes.get(power, ()),
            }
            for power in own
        ],
    }


def _lines(arrived: FiledPlans, power: PowerId, sight: Sight) -> list[MessageOrText]:
    view, failed = arrived.view, len(arrived.refused.get(power, ()))
    words = sight.words(view.world, sight.view(view.world, view.state))
    help_ = (flag_help(holds=True),) if power in view.flagged() else ()
    orders = view.orders_of(power)
    lack = missing(view.world, view.state, power, orders)
    on_file = on_file_lines(words, orders, lack.units)
    return [*progress(view, power, failed), *help_, *on_file, sealed_line(view, power)]


MAX_YEARS = 5


# --- for which phase -------------------------------------------------------------------------


@command("phase", act=Act.PLAY, who=PLAYERS, kind=Phase, is_dry=True)
def phase(context: MailContext, line: Line, said: Phase) -> None:
    """Read the orders that follow for that phase, or for every phase of a kind."""
    view = context.view()
    flaw = context.why_not_played() if view is None else _flaw(context, view, said.phase)
    context.ordering.targets_no_phase, context.ordering.is_phase_unread = flaw is not None, False
    context.ordering.target = None
    if flaw is not None or view is None:
        context.refuse(line, flaw or "", note=Message("orders.later.not_taken"))
    elif said.phase == view.state.moment:
        context.ordering.names_phase = True
    else:
        context.ordering.target = said.phase


def _flaw(context: MailContext, view: GameView, target: Target) -> Message | None:
    if context.power in view.state.eliminated:
        return Message("orders.later.eliminated")
    if isinstance(target, Stage) or target == view.state.moment:
        return None
    now = view.state.moment
    last = now.campaign.years_later(MAX_YEARS)
    if target < now:
        return Message("orders.later.over", code=target.code, now=now.code)
    if last < target.campaign:
        return Message("orders.later.too_late", years=MAX_YEARS, last=last.code)
    if target.season is Season.SUMMER and not view.world.rules.game.summer:
        return Message("orders.later.no_summer", code=target.code)
    if target.stage is Stage.ADJUSTMENT and target.season is not Season.FALL:
        return Message("orders.later.no_adjustment", code=target.code)
    return None


@setting(
    "wait", act=Act.PLAY, who=PLAYERS, also=("wait", "nowait"), is_dry=True, for_the_living=True
)
def set_wait(context: MailContext, line: Line, said: Setting) -> None:
    """Wait for the deadline, or not: in this phase, or in the one named above."""
    view, power = context.view(), context.power
    if context.ordering.targets_no_phase:
        context.refuse(line, Message("orders.later.nowhere"))
    elif context.ordering.target is None or view is None or power is None:
        wait_or_not(context, line, waits=said.on)
    else:
        plan = plan_of(context, power)
        file_plan(
            context, plan.with_part(replace(plan.part(context.ordering.target), waits=said.on))
        )
        context.done(wait_told(context, _named(context.ordering.target), waits=said.on))


def _named(target: Target) -> MessageOrText:
    if isinstance(target, Moment):
        return target.code
    return Message(f"orders.every.{target.name.lower()}")


@command("dry", is_dry=True)
def dry(context: MailContext, _: Line, __: PlainCommand) -> None:
    """Store nothing of the mail; known before the mail was read."""
    context.progress.is_dry = True


# --- dropping --------------------------------------------------------------------------------


@command("clear", act=Act.PLAY, who=PLAYERS, kind=Clear, is_dry=True)
def clear(context: MailContext, line: Line, said: Clear) -> None:
    """Drop orders on file: of a phase, of all later ones, of every phase of a kind, or all."""
    view, power = context.leading()
    now = view.state.moment
    what = (context.ordering.target or now) if said.what is Cleared.HERE else said.what
    is_now = what in (now, Cleared.ALL)
    flaw = _clear_flaw(context, view, what, is_now=is_now)
    if flaw:
        context.refuse(line, flaw)
        return
    if is_now:
        old = view.order_sets.get(power)
        if old is None or not old.lines:
            context.done(Message("orders.clear.nothing_now", code=now.code))
        else:
            context.done(Message("orders.clear.now", code=now.code, number=old.number))
        if old is None or old.lines or old.flawed:
            context.file(view.next_order_set(power, (), context.received, context.mail_id))
    _clear_ahead(context, power, what, now)


def _clear_flaw(
    context: MailContext, view: GameView, what: Target | Cleared, *, is_now: bool
) -> MessageOrText | None:
    if context.ordering.targets_no_phase:
        return Message("orders.clear.nowhere")
    if isinstance(what, Moment) and what < view.state.moment:
        return Message("orders.clear.over", code=what.code)
    plan = view.plans.get(context.power or PowerId(""))
    if plan is not None and plan.received > context.received:
        return Message("orders.clear.older")
    return too_old(context) if is_now and not isinstance(what, Moment) else None


def _clear_ahead(context: MailContext, power: PowerId, what: Target | Cleared, now: Moment) -> None:
    plan = plan_of(context, power)
    left = plan.without(lambda target: _is_dropped(target, what, now))
    if what == now and now.stage is Stage.CAMPAIGN:
        # What was given with the orders goes with them.
        retreats = left.part(Moment(now.campaign, Stage.RETREATS))
        own = tuple(i for i in retreats.items if not (isinstance(i, Preference) and i.waits))
        left = left.with_part(replace(retreats, items=own)) if own != retreats.items else left
    gone = [part.target for part in plan.parts if part not in left.parts]
    if gone:
        file_plan(context, left)
    phases = tuple(_named(target) for target in gone if is_ahead(target, now))
    if phases:
        context.done(Message("orders.clear.done", phases=phases))
    elif what != now and what is not Cleared.ALL:
        context.done(Message("orders.clear.nothing"))


def _is_dropped(target: Target, what: Target | Cleared, now: Moment) -> bool:
    match what:
        case Cleared.ALL:
            return True
        case Cleared.LATER:
            return isinstance(target, Moment) and now < target
        case Cleared.STANDING:
            return isinstance(target, Stage)
        case Cleared.HERE | Moment() | Stage():
            return target == what
