"""Random orders about money: loans, payments, gifts, and expenses of every kind."""

from dataclasses import replace

from machjudge.adjudicator.names import AUTONOMOUS, PlaceId, PowerId
from machjudge.adjudicator.orders import Borrow, Expense, Named, Order, Pay, Purpose
from machjudge.adjudicator.prices import is_within_reach, price_of
from machjudge.adjudicator.units import Kind, Unit, unit_order
from tests.games.armies import named, order_for_any
from tests.games.mind import Mind

_PURPOSES = (*Purpose, Purpose.BUY, Purpose.DISBAND, Purpose.COUNTER_BRIBE)
"""Bribes are what ducats are mostly spent on."""


def money_orders(mind: Mind) -> list[Order]:
    """What a power does with its ducats in a campaign, also where it has none."""
    if not mind.world.rules.game.money and not mind.now_and_then(0.02):
        return []
    return [*_bank(mind), *gifts(mind), *_expenses(mind)]


def _treasury(mind: Mind) -> int:
    return mind.state.treasuries.get(mind.power, 0)


def _bank(mind: Mind) -> list[Order]:
    orders: list[Order] = []
    debts = any(loan.power == mind.power for loan in mind.state.loans)
    if mind.now_and_then(0.12):
        orders.append(Borrow(_amount(mind, 25), mind.chance.choice([1, 2])))
    if mind.now_and_then(0.03):
        orders.append(
            Borrow(mind.chance.choice([0, 1, 12, 25, 26, -3]), mind.chance.choice([1, 2, 3]))
        )
    if mind.now_and_then(0.25 if debts else 0.02):
        orders.append(Pay(_amount(mind, _treasury(mind) + 5), None))
    return orders


def gifts(mind: Mind) -> list[Order]:
    if not mind.now_and_then(0.12):
        return []
    powers = list(mind.world.scenario.powers)
    count = mind.chance.choice([1, 1, 2])
    return [
        Pay(_amount(mind, _treasury(mind) + 2), mind.chance.choice(powers)) for _ in range(count)
    ]


def _amount(mind: Mind, most: int) -> int:
    """Nought to *most*, and now and then far too much or less than nothing."""
    if mind.now_and_then(0.02):
        return mind.chance.choice([-5, 9999])
    return mind.chance.randint(0, max(most, 1))


# --- expenses --------------------------------------------------------------------------------


def _expenses(mind: Mind) -> list[Order]:
    """Up to four expenses; who buys a unit gives it an order as a rule (EXP-24)."""
    rich = _treasury(mind) >= 3
    orders: list[Order] = []
    for number in range(1, 5):
        if not mind.now_and_then((0.5 if rich else 0.05) / number):
            continue
        expense = _expense(mind, number)
        orders.append(expense)
        orders += _order_for_bought(mind, expense)
    if mind.now_and_then(0.02):
        orders.append(Expense(mind.chance.choice([0, 5, 1]), None))
    return orders


def _order_for_bought(mind: Mind, expense: Expense) -> list[Order]:
    unit = expense.unit
    if expense.purpose is not Purpose.BUY or unit is None or not mind.now_and_then(0.7):
        return []
    here = mind.state.garrisons if unit.kind is Kind.GARRISON else mind.state.field
    meant = here.get(unit.place)
    return [order_for_any(mind, meant)] if meant is not None else []


def _expense(mind: Mind, number: int) -> Expense:
    """What comes to mind; what makes no sense is dropped as a rule, and something else tried."""
    idea = _idea(mind, number)
    while not _makes_sense(mind, idea) and mind.now_and_then(0.85):
        idea = _idea(mind, number)
    return _with_amount(mind, idea)


def _makes_sense(mind: Mind, idea: Expense) -> bool:
    """True if the target is in reach and the money may do."""
    near = is_within_reach(mind.world, mind.state, mind.power, idea)
    return near and price_of(mind.world, mind.state, idea).ducats <= _treasury(mind)


def _idea(mind: Mind, number: int) -> Expense:
    purpose = mind.chance.choice(_PURPOSES)
    match purpose:
        case Purpose.ASSASSINATE:
            return Expense(number, purpose, power=_victim(mind))
        case Purpose.FAMINE_RELIEF | Purpose.PACIFY | Purpose.CAUSE_REBELLION:
            return Expense(number, purpose, place=_place(mind, purpose))
        case Purpose.BUY | Purpose.DISBAND | Purpose.COUNTER_BRIBE | Purpose.TO_AUTONOMOUS:
            return Expense(number, purpose, unit=_unit(mind, purpose))


def _with_amount(mind: Mind, plain: Expense) -> Expense:
    if mind.now_and_then(0.3):
        return plain
    price = price_of(mind.world, mind.state, plain).ducats
    more = mind.chance.choice([0, 0, 0, 3, 3, 6, 9, -3, 1, 2])
    if plain.purpose is Purpose.ASSASSINATE:
        more = mind.chance.choice([0, 0, 1, 12, 12, 24, 30, -6])
    ducats = price + more if mind.now_and_then(0.97) else mind.chance.choice([0, -3, 999])
    return replace(plain, ducats=ducats)


def _victim(mind: Mind) -> PowerId:
    held = list(mind.state.chits.get(mind.power, ()))
    others = list(mind.world.scenario.in_play)
    return mind.chance.choice(held if held and mind.now_and_then(0.85) else others)


def _place(mind: Mind, purpose: Purpose) -> PlaceId:
    """A province where the expense makes sense and that is in reach, if there is one."""
    state = mind.state
    wanted = {
        Purpose.FAMINE_RELIEF: sorted(state.famine),
        Purpose.PACIFY: sorted({*state.province_rebellions, *state.city_rebellions}),
        Purpose.CAUSE_REBELLION: sorted(
            place
            for place, owner in state.provinces.items()
            if owner != mind.power and not state.has_rebels(place)
        ),
    }[purpose]
    near = [
        place
        for place in wanted
        if is_within_reach(mind.world, state, mind.power, Expense(1, purpose, place=place))
    ]
    everywhere = sorted(mind.world.board.places)
    if near and mind.now_and_then(0.9):
        return mind.chance.choice(near)
    return mind.chance.choice(wanted if wanted and mind.now_and_then(0.7) else everywhere)


def _unit(mind: Mind, purpose: Purpose) -> Named:
    """A unit that the expense may be aimed at, as a rule in reach; at times named by place only."""
    fitting = [u for u in sorted(mind.state.units(), key=unit_order) if _fits(mind, purpose, u)]
    near = [
        unit
        for unit in fitting
        if is_within_reach(
            mind.world, mind.state, mind.power, Expense(1, purpose, unit=named(unit))
        )
    ]
    chosen = near if near and mind.now_and_then(0.9) else fitting
    # Only garrisons can be named where they are to become autonomous.
    garrisons_only = purpose is Purpose.TO_AUTONOMOUS
    if not chosen or mind.now_and_then(0.02):
        kind = Kind.GARRISON if garrisons_only else mind.chance.choice([*Kind])
        return Named(kind, mind.chance.choice(sorted(mind.world.army)))
    full = named(mind.chance.choice(chosen))
    by_place = not garrisons_only and mind.now_and_then(0.05)
    return Named(None, full.place) if by_place else full


def _fits(mind: Mind, purpose: Purpose, unit: Unit) -> bool:
    if purpose is Purpose.COUNTER_BRIBE:
        return unit.owner == mind.power or mind.now_and_then(0.05)
    if purpose is Purpose.TO_AUTONOMOUS:
        return unit.is_garrison and unit.owner not in (mind.power, AUTONOMOUS)
    return unit.owner != mind.power
