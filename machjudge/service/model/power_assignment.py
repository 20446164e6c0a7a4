"""Who leads which power: by the players' preference lists, and by lot among equals.

The lot follows from the game's secret and nothing else, so it can be checked when the secret is
published after the game: HMAC-SHA-256 with the secret as key over ``deal/player/…`` and
``deal/power/…``, sorted.
"""

import hmac
from collections.abc import Sequence
from functools import cache
from hashlib import sha256

from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.scenario import Scenario
from machjudge.sentence import Sentence

Preferences = tuple[tuple[PowerId, ...], ...]
"""Groups of powers that are equally welcome, the most welcome group first."""

Side = tuple[PowerId, ...]
"""The powers that one player leads."""

WISH_POWERS = "model.wish_powers"
"""The key of what somebody is asked for who has joined and has not said which powers they like."""

_NAMED_IN_EXAMPLE = 3


def wish_for(powers: Sequence[PowerId]) -> Sentence:
    """What somebody is asked for who has joined, with some of the powers as an example."""
    return Sentence(WISH_POWERS, letters="".join(powers[:_NAMED_IN_EXAMPLE]))


def deal_sides(
    players: Sequence[Preferences], sides: Sequence[Side], secret: bytes
) -> tuple[Side, ...]:
    """A side, of one power or of several that go together, for each player, in their order.

    There are as many sides as players.  A power of the first group costs its player nothing, one
    of the second 1, of the third 2 …; powers that they do not name count as one group behind the
    last.  A side costs what the best of its powers costs.  The deal with the lowest sum is taken,
    by lot among several of them.
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
    """The powers of each player as the scenario divides them, in the order of the players.

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
    return tuple(_in_order(scenario, group) for group in groups)


def _in_order(scenario: Scenario, group: Sequence[Side]) -> Side:
    """The powers of a player, in the order of the scenario."""
    own = {power for side in group for power in side}
    return tuple(power for power in scenario.in_play if power in own)


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
        """The lowest cost of the rows from *row* on, and how."""
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
    """The groups of a list such as ``LV[IP]*``; what is no power of the game counts for nothing.

    ``*`` stands for all powers that are not named, equally welcome.
    """
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
