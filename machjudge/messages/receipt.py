"""A phase's money before it is played: lines with what each leaves in the treasury.

No line is wider than 40 columns.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from machjudge.adjudicator.events import (
    GiftGiven,
    GiftRefused,
    LoanDefaulted,
    LoanRefused,
    LoanRepaid,
    LoanTaken,
    TaxesForced,
)
from machjudge.adjudicator.legality import objection_to
from machjudge.adjudicator.moments import Campaign, Season, Stage
from machjudge.adjudicator.money.assassins import deadly_faces
from machjudge.adjudicator.money.bank import debts_of
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.orders import (
    Advance,
    Besiege,
    Build,
    Convert,
    Disband,
    Expense,
    Hold,
    Named,
    Order,
    Purpose,
    UnitOrder,
)
from machjudge.adjudicator.prices import ATTEMPT, STEP
from machjudge.adjudicator.reasons import Flaw
from machjudge.adjudicator.rules import Adjacency
from machjudge.adjudicator.state import Dislodged, State, View
from machjudge.adjudicator.units import GARRISON, Kind, Unit
from machjudge.adjudicator.year.adjustment import first_to_go
from machjudge.adjudicator.year.forecast import (
    AdjustmentEntry,
    Entry,
    ExpenseEntry,
    Forecast,
    Remark,
    RemarkKind,
    RemarkSeverity,
    TreasuryEntry,
    TreasuryEvent,
)
from machjudge.messages.notation import deed_words, order_text, paid_line
from machjudge.messages.results import fate_words, taxes_words
from machjudge.messages.tables import chit_lines, debt_lines, debt_text, purse, real_cities
from machjudge.messages.wording import Words, campaign_words, reason_words
from machjudge.translatable import Message, MessageOrText, joined, phrase


@dataclass(frozen=True, slots=True)
class OrderWarnings:
    """The sentences about one power's orders."""

    warnings: tuple[Message, ...]
    """Orders that will probably fail or waste ducats."""
    notices: tuple[Message, ...]


_OF_UNITS = (RemarkKind.IF_BOUGHT, RemarkKind.NO_PURCHASE)


def order_warnings(words: Words, forecast: Forecast) -> OrderWarnings:
    """Return the warnings in the order in which orders are carried out."""
    warnings = [
        (remark.severity, _warning(words, remark))
        for remark in forecast.remarks
        if remark.kind not in _SHOWN
    ]
    return OrderWarnings(
        tuple(line for severity, line in warnings if severity is not RemarkSeverity.NOTICE),
        tuple(line for severity, line in warnings if severity is RemarkSeverity.NOTICE),
    )


def units_of_others(forecast: Forecast) -> dict[Order, bool]:
    """Return the orders for others' units, and whether the power is buying them."""
    return {
        remark.order: remark.kind is RemarkKind.IF_BOUGHT
        for remark in forecast.remarks
        if remark.order is not None and remark.kind in _OF_UNITS
    }


_SHOWN = (RemarkKind.NOT_PROVIDED_FOR, RemarkKind.BUILDS_LEFT, RemarkKind.IF_BOUGHT)
"""Remarks that the order set contains already."""


def _warning(words: Words, remark: Remark) -> Message:
    order, unit, refused = remark.order, remark.unit, remark.objection
    key = remark.kind.name.lower()
    text: MessageOrText
    if isinstance(order, Expense):
        if order.purpose is Purpose.ASSASSINATE and remark.kind in _OF_DUCATS:
            key = "assassin"
        text = Message("order_warnings.expense", number=order.number)
    else:
        text = order_text(words, order) if order is not None else ""
    if isinstance(order, Advance):
        place = words.place(order.to)
    else:
        place = words.place(unit.place) if unit is not None else ""
    is_in_venice = unit is not None and unit.place in words.world.venice
    return Message(
        f"order_warnings.{key}",
        order=text,
        ducats=remark.ducats,
        fate=fate_words(remark.fate or "failed"),
        owner=words.power(unit.owner) if unit is not None else "",
        unit=words.unit(unit) if unit is not None else "",
        whose=words.whose(unit) if unit is not None else "",
        place=place,
        has_money=words.world.rules.game.money,
        # A place is held by one unit in Venice, elsewhere by one's own.
        rule="MAP-20" if is_in_venice else "MOV-15",
        because=reason_words(words, refused) if refused is not None else "",
        attempt=ATTEMPT,
    )


_OF_DUCATS = (RemarkKind.ODD_DUCATS, RemarkKind.MORE_THAN_PRICE)


@dataclass(frozen=True, slots=True)
class PowerNeeds:
    """The orders that a power still has to give."""

    power: str
    lines: tuple[Message, ...]


def needs_lines(
    words: Words, units: Iterable[Unit], builds: int = 0, removals: int = 0
) -> tuple[Message, ...]:
    """Return a line for each unit without order, and for numbers of builds or removals."""
    lines = [Message("receipt.needs_order", unit=words.unit(unit)) for unit in units]
    lines += [Message("receipt.needs_builds", n=builds)] if builds else []
    lines += [Message("receipt.needs_removals", n=removals)] if removals else []
    return tuple(lines)


def on_file_lines(
    words: Words, orders: Sequence[Order], without: Iterable[Unit]
) -> tuple[MessageOrText, ...]:
    """Return the whole order set, units without order last."""
    lines = [phrase("  {}", order_text(words, order)) for order in orders]
    return (*lines, *(Message("receipt.no_order", unit=words.unit(unit)) for unit in without))


LinesByPlace: TypeAlias = tuple[tuple[PlaceId, str], ...]


@dataclass(frozen=True, slots=True)
class LineChoice:
    """Lines of which a reader may send some, not all."""

    lines: tuple[str, ...]
    most: int = 0
    """The number of orders that they stand for; 0 if none are due."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a phase requires of a power."""

    due: tuple[MessageOrText, ...]
    form: tuple[MessageOrText, ...] = ()
    """The lines to send back, and what helps to change them."""
    sendable: tuple[str, ...] = ()
    """The lines that may be sent together as they stand."""
    by_place: LinesByPlace = ()
    """Lines for places of a map: of units, of where units may retreat or be built."""
    choices: tuple[LineChoice, ...] = ()
    """The lines among which to choose."""

    single: tuple[str, ...] = ()
    """The lines of *sendable* that may also be sent one by one."""

    @property
    def offered(self) -> tuple[str, ...]:
        """Return the lines that have a button each."""
        return (*self.single, *(line for choice in self.choices for line in choice.lines))


def todo(words: Words, state: View, power: PowerId) -> tuple[MessageOrText, ...]:
    """Return the lines for one power, the most important first."""
    if power not in state.eliminated and state.moment.stage is Stage.CAMPAIGN:
        units = tuple(words.unit(unit) for unit in state.units_of(power))
        head = Message("todo.campaign", power=words.power(power), n=len(units))
        return (head, *(phrase("  {}", unit) for unit in units), *purse(words, state, power))
    asks = asked(words, state, power)
    return (*asks.due, *asks.form)


def asked(words: Words, state: View, power: PowerId, filed: Sequence[Order] = ()) -> Asked:
    """Return a power's due orders and the lines to send back, with its moves that are *filed*."""
    if power in state.eliminated:
        return Asked((Message("todo.eliminated", power=words.power(power)),))
    match state.moment.stage:
        case Stage.CAMPAIGN:
            return _moves(words, state, power, filed)
        case Stage.RETREATS:
            return _retreats(words, state, power)
        case Stage.ADJUSTMENT if words.world.rules.game.money:
            return _with_money(words, state, power, state.units_of(power))
        case Stage.ADJUSTMENT:
            return _with_cities(words, state, power, state.units_of(power))


def alert(words: Words, state: View, power: PowerId) -> tuple[Message, ...]:
    """Return the urgent news: dislodged units that wait for their retreat."""
    waiting = [d.unit for d in state.dislodged if d.unit.owner == power]
    units = tuple(words.unit(unit) for unit in waiting)
    return (Message("todo.must_retreat", units=units),) if units else ()


def _moves(words: Words, state: View, power: PowerId, filed: Sequence[Order]) -> Asked:
    """The filed, or the most natural order of each unit, and where each may go."""
    units = state.units_of(power)
    head = Message("todo.campaign", power=words.power(power), n=len(units))
    own = {(each.unit.kind, each.unit.place): each for each in filed if isinstance(each, UnitOrder)}
    orders = tuple(
        order_text(words, own.get((unit.kind, unit.place)) or _default(words, state, unit))
        for unit in units
    )
    ways = tuple(way for unit in units if (way := ways_of(words, unit)) is not None)
    form: tuple[MessageOrText, ...] = (
        *orders,
        *_starving(words, state, units),
        *chit_lines(words, state, power),
        *ways,
    )
    is_due = any(not state.moment.campaign < debt.due for debt in debts_of(state, power))
    due = (head, *(debt_lines(state, power) if is_due else ()))
    return Asked(due, form, orders, _by_place(units, orders))


def _starving(words: Words, state: View, units: Sequence[Unit]) -> tuple[Message, ...]:
    """The warning that units staying in famine die in Spring (FAM-07)."""
    if state.moment.campaign.season is not Season.SPRING:
        return ()
    hungry = [unit for unit in units if unit.place in state.famine]
    if not hungry:
        return ()
    places = sorted({unit.place for unit in hungry}, key=words.place)
    relief = places if words.world.rules.game.money else []
    lines = tuple(paid_line(words, state, Purpose.FAMINE_RELIEF, place) for place in relief)
    return (Message("todo.famine", units=tuple(map(words.unit, hungry)), relief=lines),)


def _default(words: Words, state: View, unit: Unit) -> UnitOrder:
    """Besiege for a unit that has begun a siege, else hold."""
    begun = words.world.city_before(unit.place) in state.sieges
    besieges = begun and state.field.get(unit.place) == unit
    return Besiege(Named.of(unit)) if besieges else Hold(Named.of(unit))


def ways_of(words: Words, unit: Unit) -> Message | None:
    """Return the places within one step over land or coasts."""
    world = words.world
    match unit.kind:
        case Kind.ARMY:
            places = sorted(map(words.place, world.army.get(unit.place, ())))
        case Kind.FLEET:
            spots = world.landings.get((unit.place, unit.coast), {}).values()
            places = sorted({words.spot(spot) for some in spots for spot in some})
        case Kind.GARRISON:
            places = []
    return Message("todo.ways", unit=words.unit(unit), places=tuple(places)) if places else None


def _retreats(words: Words, state: View, power: PowerId) -> Asked:
    waiting = [d for d in state.dislodged if d.unit.owner == power]
    choices = tuple(LineChoice(tuple(retreat_lines(words, each)), 1) for each in waiting)
    ways = [line for choice in choices for line in choice.lines]
    return Asked(
        (Message("todo.retreats", power=words.power(power), n=len(waiting)),),
        (
            *ways,
            *((Message("todo.disbanded_without_order"),) if ways else ()),
            *_into_famine(words, state, waiting),
        ),
        by_place=_retreats_by_place(waiting, choices),
        choices=choices,
    )


def _retreats_by_place(waiting: Sequence[Dislodged], choices: Sequence[LineChoice]) -> LinesByPlace:
    """The retreats by where they go, what is left by where the unit stands, each place once.

    Two units that go to the same place would both be lost.
    """
    found = [
        (spot.place, line)
        for each, choice in zip(waiting, choices, strict=True)
        for spot, line in zip(each.retreats, choice.lines, strict=False)
    ]
    often = Counter(place for place, _ in found)
    rest = [
        (each.unit.place, choice.lines[-1]) for each, choice in zip(waiting, choices, strict=True)
    ]
    return tuple(
        [two for two in found if often[two[0]] == 1] + [two for two in rest if not often[two[0]]]
    )


def _into_famine(words: Words, state: View, waiting: Sequence[Dislodged]) -> tuple[Message, ...]:
    """The retreats that mean death by famine after Spring (FAM-07)."""
    spots = {spot.place for each in waiting for spot in each.retreats}
    spots |= {each.unit.place for each in waiting if each.convert}
    hungry = tuple(sorted(words.place(place) for place in spots & state.famine))
    is_spring = state.moment.campaign.season is Season.SPRING
    return (Message("todo.famine_there", places=hungry),) if hungry and is_spring else ()


def retreat_lines(words: Words, dislodged: Dislodged) -> list[str]:
    """Return the orders open to the owner of a dislodged unit."""
    unit = Named.of(dislodged.unit)
    ways: list[Order] = [Advance(unit, spot.place, spot.coast) for spot in dislodged.retreats]
    if dislodged.convert:
        ways.append(Convert(unit, GARRISON))
    return [order_text(words, order) for order in (*ways, Disband(unit))]


def _with_money(words: Words, state: View, power: PowerId, units: list[Unit]) -> Asked:
    upkeep = sum(unit.quality.price for unit in units)
    treasury = state.treasuries.get(power, 0)
    due = (
        Message("todo.treasury", power=words.power(power), ducats=treasury),
        *debt_lines(state, power),
        Message("todo.upkeep", n=len(units), ducats=upkeep),
        *((Message("todo.too_dear"),) if upkeep > treasury else ()),
    )
    short, gone = upkeep - treasury, list[Unit]()
    if short > 0:
        for unit in first_to_go(words.world, state, power, units):
            if short > 0:
                gone.append(unit)
                short -= unit.quality.price
    kept = tuple(
        phrase("remove {}" if unit in gone else "maintain {}", words.unit(unit)) for unit in units
    )
    removed = tuple(phrase("remove {}", words.unit(unit)) for unit in gone)
    # In the first adjustment of some games units are only paid: nothing is said of building then.
    pays_only = words.world.only_pays_the_set_up(state.moment.campaign)
    new = () if pays_only else _new_units(words, state, power)
    site: MessageOrText = Message("todo.can_build" if new else "todo.no_site")
    building = () if pays_only else (site, *new)
    form: tuple[MessageOrText, ...] = (
        *kept,
        Message("todo.paid_anyway" if pays_only else "todo.removed_without_order"),
        *building,
        *chit_lines(words, state, power),
    )
    by_place = (*_by_place(units, kept), *_builds_by_place(words, state, power))
    return Asked(due, form, kept, by_place, (LineChoice(new),), removed)


def _builds_by_place(words: Words, state: View, power: PowerId) -> LinesByPlace:
    """The first build at each home place without a unit."""
    free = (
        (place, Build(kind, place))
        for kind in Kind
        for place in sorted(home for home, owner in state.homes.items() if owner == power)
        if place not in state.field and place not in state.garrisons
    )
    lines: dict[PlaceId, str] = {}
    for place, build in free:
        if place not in lines and _may_build(words, state, power, build):
            lines[place] = phrase("build {} {}", words.letter(build.kind), words.place(place))
    return tuple(lines.items())


def _by_place(units: Sequence[Unit], lines: Sequence[str]) -> LinesByPlace:
    return tuple((unit.place, line) for unit, line in zip(units, lines, strict=True))


def buttons(words: Words, state: State) -> tuple[Message, ...]:
    """Return one-line mails that fit the beginning of the phase."""
    votes = () if state.moment.stage is Stage.RETREATS else (Message("todo.button.draw"),)
    first = Campaign(words.world.scenario.year, Season.SPRING)
    has_before = state.moment.stage is Stage.CAMPAIGN and state.moment.campaign != first
    again = (Message("todo.button.same"),) if has_before else ()
    return (*again, Message("todo.button.wait"), *votes)


def _new_units(words: Words, state: View, power: PowerId) -> tuple[str, ...]:
    """All builds, by kind, in lines that can be sent."""
    homes = sorted(place for place, home in state.homes.items() if home == power)
    lines = []
    for kind in Kind:
        sites = [place for place in homes if _may_build(words, state, power, Build(kind, place))]
        if sites:
            units = [phrase("{} {}", words.letter(kind), words.place(place)) for place in sites]
            lines.append(phrase("build {}", joined(", ", units)))
    return tuple(lines)


def _may_build(words: Words, state: View, power: PowerId, order: Build) -> bool:
    objection = objection_to(words.world, state, power, order)
    return objection is None or objection.flaw is Flaw.COAST_NEEDED


def _with_cities(words: Words, state: View, power: PowerId, units: list[Unit]) -> Asked:
    cities = cities_that_count(words, state, power)
    has = Message("todo.has", power=words.power(power), cities=cities, units=len(units))
    more = cities - len(units)
    if more > 0:
        lines = (*_new_units(words, state, power), "waive")
        form: tuple[MessageOrText, ...] = (Message("todo.may_build", n=more), *lines)
        by_place = _builds_by_place(words, state, power)
        return Asked((has,), form, by_place=by_place, choices=(LineChoice(lines, more),))
    if more < 0:
        gone = first_to_go(words.world, state, power, units)[:-more]
        removed = tuple(phrase("remove {}", words.unit(unit)) for unit in gone)
        due = (has, Message("todo.must_remove", n=-more))
        by_place = _by_place(gone, removed)
        return Asked(due, removed, removed, by_place, single=removed)
    return Asked((has, Message("todo.nothing")))


def example(words: Words, state: View, power: PowerId) -> tuple[str, ...]:
    """Return example lines for a newcomer."""
    units = state.units_of(power)
    match state.moment.stage:
        case Stage.CAMPAIGN:
            return tuple(order_text(words, Hold(Named.of(unit))) for unit in units)
        case Stage.ADJUSTMENT if words.world.rules.game.money:
            return tuple(phrase("maintain {}", words.unit(unit)) for unit in units)
        case _:
            return ()


def said_for(
    words: Words, power: PowerId, own: Sequence[PowerId], lines: Sequence[MessageOrText]
) -> tuple[MessageOrText, ...]:
    """Return lines for one of several *own* powers, below the line that names it."""
    is_said = lines and len(own) > 1
    return (phrase("FOR {}", words.power(power)), *lines) if is_said else tuple(lines)


def cities_that_count(words: Words, state: State, power: PowerId) -> int:
    """Return the cities that feed units in games without money, with their provinces (ADJ-15)."""
    return sum(
        owner == power and state.provinces.get(place) == power
        for place, owner in real_cities(words, state).items()
    )


def money_forecast(words: Words, forecast: Forecast) -> tuple[Message, ...]:
    """Return a power's money: treasury, cost of each order, remaining debts."""
    lines = [Message("money.row", label=Message("money.treasury"), left=forecast.treasury)]
    lines += [line for entry in forecast.entries for line in _entry(words, entry)]
    if forecast.entries:
        lines.append(Message("money.row", label=Message("money.left"), left=forecast.left))
    if forecast.debts:
        debts = tuple(debt_text(debt) for debt in forecast.debts)
        lines.append(Message("money.owed", debts=debts))
    return tuple(lines)


def _step(label: MessageOrText, left: int) -> Message:
    return Message("money.step", label=label, left=left)


def _entry(words: Words, entry: Entry) -> tuple[Message, ...]:
    match entry:
        case TreasuryEntry(event, left):
            return (_step(_in_treasury(words, event), left),)
        case ExpenseEntry():
            expense = Message(
                "money.expense",
                number=entry.expense.number,
                ducats=entry.asked,
                deed=deed_words(words, entry.expense, entry.unit) or "",
            )
            return (_step(expense, entry.left), _details(words, entry))
        case AdjustmentEntry(item, left):
            price = f", {item.ducats}d" if item.ducats else ""
            label = phrase("{}{}", order_text(words, item.order), price)
            if price and not item.paid:
                return (Message("money.unpaid", label=label),)
            return (_step(label, left),)


def _in_treasury(words: Words, event: TreasuryEvent) -> Message:
    match event:
        case LoanRepaid(_, _, principal, interest, collected):
            key = "money.collected" if collected else "money.repaid"
            return Message(key, ducats=principal, interest=interest)
        case GiftGiven(_, receiver, ducats):
            return Message("money.gift", power=words.power(receiver), ducats=ducats)
        case GiftRefused(_, receiver):
            return Message("money.gift", power=words.power(receiver), ducats=0)
        case LoanTaken(_, principal, interest, due):
            back, when = principal + interest, campaign_words(due)
            return Message("money.borrowed", ducats=principal, back=back, due=when)
        case LoanRefused():
            return Message("money.borrowed_nothing")
        case LoanDefaulted(_, owed, seized):
            return Message("money.defaulted", seized=seized, owed=owed)
        case TaxesForced():
            return taxes_words(words, event)


# --- expenses --------------------------------------------------------------------------------


def _details(words: Words, entry: ExpenseEntry) -> Message:
    on = words.world.rules.money.adjacency is not Adjacency.NONE
    has_reach = on and entry.expense.purpose is not Purpose.ASSASSINATE
    return Message(
        "money.details",
        price=_price(entry),
        paid=entry.paid if entry.paid < entry.asked else None,
        is_near=entry.within_reach if has_reach else None,
    )


def _price(entry: ExpenseEntry) -> Message:
    price = entry.price
    match entry.expense.purpose:
        case Purpose.ASSASSINATE:
            return Message(
                "money.odds", faces=deadly_faces(entry.expense, entry.paid), attempt=ATTEMPT
            )
        case Purpose.COUNTER_BRIBE:
            return Message("money.raised", ducats=entry.paid - entry.paid % STEP)
        case _:
            return Message(
                "money.price",
                ducats=price.ducats,
                base=price.base,
                major_city=price.major_city,
                quality=price.quality.name.lower(),
                factor=price.factor,
            )
