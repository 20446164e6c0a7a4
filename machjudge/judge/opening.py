"""The position before the first phase, and the deal of powers: by preferences, and by lot.

The lot follows from the game's secret alone, so that it can be checked after the game:
HMAC-SHA-256 with the secret as key over ``deal/player/…`` and ``deal/power/…``, sorted.
"""

import hmac
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from hashlib import sha256

from machjudge.adjudicator.board import Scenario
from machjudge.adjudicator.dice import Dice
from machjudge.adjudicator.events import Event
from machjudge.adjudicator.moments import Campaign, Moment, Season, Stage
from machjudge.adjudicator.money.assassins import deal_chits, is_for_hire
from machjudge.adjudicator.money.income import opening_income
from machjudge.adjudicator.names import AUTONOMOUS, PowerId
from machjudge.adjudicator.rules import Chits, Opening, OrderNotation, Rules
from machjudge.adjudicator.state import Sides, State
from machjudge.adjudicator.units import Unit
from machjudge.adjudicator.world import World
from machjudge.adjudicator.year.steps import with_numbers
from machjudge.translatable import Message


def set_up(world: World, sides: Sides = ()) -> State:
    """Return the position before the first phase, without the opening income (INC-16).

    *sides* are the powers of each player where players lead several.  If the rules give a player
    one set of units, the first power of the side has what the others would, and these are out
    (SET-24).

    Garrisons, autonomous units and fortresses only exist where the rules have them (SET-10,
    SET-12). Each power holds an assassination chit on every other one where assassins are for hire
    (ASN-01).
    """
    scenario = world.scenario
    leads = {power: world.leads(power, sides) for power in scenario.powers}
    units = _units(world, leads)
    playing = tuple(power for power in scenario.in_play if leads[power] == power)
    ducats = Counter[PowerId]()
    if world.rules.game.money:
        for power in scenario.in_play:
            ducats[leads[power]] += scenario.powers[power].initial_ducats
    chits: dict[PowerId, tuple[PowerId, ...]] = {}
    if is_for_hire(world) and world.rules.assassins.chits is Chits.ONE_EACH:
        chits = {power: tuple(sorted(set(playing) - {power})) for power in playing}
    return State(
        moment=first_moment(scenario, world.rules),
        field={unit.place: unit for unit in units if not unit.is_garrison},
        garrisons={unit.place: unit for unit in units if unit.is_garrison},
        provinces={place: leads[p.id] for p in scenario.powers.values() for place in p.provinces},
        cities={
            place: leads[p.id]
            for p in scenario.powers.values()
            for place in p.cities
            if place in world.cities
        },
        homes={place: leads[p.id] for p in scenario.powers.values() for place in p.home},
        treasuries=dict(ducats),
        chits=chits,
        eliminated=frozenset(scenario.in_play).difference(playing),
        sides=sides,
    )


def opening_events(world: World, state: State, dice: Dice) -> tuple[Event, ...]:
    """Return the events before the first phase: chits are drawn, the income is paid (INC-16)."""
    income = opening_income(world, state, dice) if opens_in_adjustment(world.rules) else ()
    return (*deal_chits(world, state, dice), *income)


def first_moment(scenario: Scenario, rules: Rules) -> Moment:
    """Return the first phase: with an opening adjustment that of the year before, as F1453B."""
    if opens_in_adjustment(rules):
        return Moment(Campaign(scenario.year - 1, Season.FALL), Stage.ADJUSTMENT)
    return Moment(Campaign(scenario.year, Season.SPRING), Stage.CAMPAIGN)


def opens_in_adjustment(rules: Rules) -> bool:
    """Return True if players write adjustments before the first campaign (INC-16)."""
    return rules.game.money and rules.game.opening is not Opening.CAMPAIGN


_Leads = Mapping[PowerId, PowerId]
"""The power that has the set-up of each."""


def _units(world: World, leads: _Leads) -> list[Unit]:
    scenario = world.scenario
    placed: Iterable[Unit] = (
        *(
            unit if unit.owner == leads[unit.owner] else unit.owned_by(leads[unit.owner])
            for power in scenario.powers.values()
            for unit in power.units
        ),
        *scenario.autonomous,
    )
    used = [unit for unit in placed if _is_in_use(world, unit)]
    if world.rules.game.notation is OrderNotation.PLACES:
        return used
    own = (unit for unit in used if unit.owner != AUTONOMOUS)
    others = (unit for unit in used if unit.owner == AUTONOMOUS)
    return [*(unit.numbered(number) for unit, number in with_numbers(own, ())), *others]


def _is_in_use(world: World, unit: Unit) -> bool:
    if unit.is_garrison:
        return world.holds_garrison(unit.place)
    return unit.owner != AUTONOMOUS or world.rules.special.autonomous_afield


Preferences = tuple[tuple[PowerId, ...], ...]
"""Groups of equally welcome powers, the most welcome group first."""

Side = tuple[PowerId, ...]

WISH_POWERS = "model.wish_powers"
"""The key of the question for a newcomer's preferences."""

_NAMED_IN_EXAMPLE = 3


def wish_for(powers: Sequence[PowerId]) -> Message:
    """Return the question for a newcomer's preferences, with some powers as an example."""
    return Message(WISH_POWERS, letters="".join(powers[:_NAMED_IN_EXAMPLE]))


def deal_sides(
    players: Sequence[Preferences], sides: Sequence[Side], secret: bytes
) -> tuple[Side, ...]:
    """Deal a side, of one or several powers, to each player, in their order.

    There are as many sides as players.  A power of the first group costs its player nothing, one of
    the second 1, of the third 2 …; powers not named are one group behind the last.  A side costs
    what the best of its powers costs.  The deal with the lowest sum is taken, by lot among several
    of them.
    """
    turn = sorted(range(len(players)), key=lambda seat: _lot(secret, f"player/{seat}"))
    stock = sorted(sides, key=lambda side: _lot(secret, f"power/{''.join(side)}"))
    costs = [[_cost(players[seat], side) for side in stock] for seat in turn]
    chosen = _cheapest(costs)
    dealt = {seat: stock[index] for seat, index in zip(turn, chosen, strict=True)}
    return tuple(dealt[seat] for seat in range(len(players)))


def deal_scenario(
    scenario: Scenario, players: Sequence[Preferences], secret: bytes
) -> tuple[Side, ...]:
    """Return the powers of each player as the scenario divides them, in player order.

    Where each chooses several powers, they take part in the deal once for each of them.
    """
    variant, singles = scenario.variant, [(power,) for power in scenario.in_play]
    if variant is None or variant.each_chooses:
        each = variant.each_chooses if variant is not None else 1
        again = [wishes for wishes in players for _ in range(each)]
        dealt = deal_sides(again, singles, secret)
        groups = [list(dealt[start : start + each]) for start in range(0, len(dealt), each)]
    else:
        first = deal_sides(players, [side.powers for side in variant.sides], secret)
        groups = [[side] for side in first]
    if variant is not None and variant.then_choose:
        more = deal_sides(players, [(power,) for power in variant.then_choose], secret)
        groups = [[*group, side] for group, side in zip(groups, more, strict=True)]
    owns = [{power for side in group for power in side} for group in groups]
    return tuple(tuple(power for power in scenario.in_play if power in own) for own in owns)


def _lot(secret: bytes, name: str) -> bytes:
    return hmac.new(secret, f"deal/{name}".encode("ascii"), sha256).digest()


def _cost(wishes: Preferences, side: Side) -> int:
    for rank, group in enumerate(wishes):
        if set(side).intersection(group):
            return rank
    return len(wishes)


def _cheapest(costs: Sequence[Sequence[int]]) -> list[int]:
    """One power for each row, all different, with the lowest sum; the first of equal ones.

    A table over the sets of powers already taken: 2^9 of them at most.
    """
    count = len(costs)

    @cache
    def rest(row: int, taken: int) -> tuple[int, tuple[int, ...]]:
        """Return the lowest cost of the rows from *row* on, and how."""
        if row == count:
            return 0, ()
        free = [column for column in range(count) if not taken >> column & 1]
        options = [(column, rest(row + 1, taken | 1 << column)) for column in free]
        column, (cost, after) = min(
            options, key=lambda option: costs[row][option[0]] + option[1][0]
        )
        return costs[row][column] + cost, (column, *after)

    return list(rest(0, 0)[1])


def read_preferences(text: str, powers: Sequence[PowerId]) -> Preferences:
    """Return the groups of a list such as ``LV[IP]*``; ``*`` stands for all other powers."""
    groups: list[tuple[PowerId, ...]] = []
    named = {PowerId(letter) for letter in text.upper()} & set(powers)
    rest = text.upper()
    while rest:
        head, rest = rest[0], rest[1:]
        if head == "[":
            inside, _, rest = rest.partition("]")
            groups.append(tuple(PowerId(letter) for letter in inside if letter in powers))
        elif head == "*":
            groups.append(tuple(power for power in powers if power not in named))
        elif head in powers:
            groups.append((PowerId(head),))
    return tuple(group for group in groups if group)
