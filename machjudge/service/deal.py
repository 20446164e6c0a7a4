"""Who leads which power: by the players' preference lists, and by lot among equals.

The lot follows from the game's secret and nothing else, so it can be checked when the secret is
published after the game: HMAC-SHA-256 with the secret as key over ``deal/player/…`` and
``deal/power/…``, sorted.
"""

import hmac
from collections.abc import Sequence
from functools import cache
from hashlib import sha256

from machjudge.adjudicator.names import PowerId

Preferences = tuple[tuple[PowerId, ...], ...]
"""Groups of powers that are equally welcome, the most welcome group first."""


def deal(
    players: Sequence[Preferences], powers: Sequence[PowerId], secret: bytes
) -> tuple[PowerId, ...]:
    """A power for each player, in the order of the players; as many powers as players.

    A power of the first group costs its player nothing, one of the second 1, of the third 2 …;
    powers that he does not name count as one group behind the last.  The deal with the lowest sum
    is taken, by lot among several of them.
    """
    turn = sorted(range(len(players)), key=lambda seat: _lot(secret, f"player/{seat}"))
    stock = sorted(powers, key=lambda power: _lot(secret, f"power/{power}"))
    costs = [[_cost(players[seat], power) for power in stock] for seat in turn]
    chosen = _cheapest(costs)
    dealt = {seat: stock[index] for seat, index in zip(turn, chosen, strict=True)}
    return tuple(dealt[seat] for seat in range(len(players)))


def _lot(secret: bytes, name: str) -> bytes:
    return hmac.new(secret, f"deal/{name}".encode("ascii"), sha256).digest()


def _cost(wishes: Preferences, power: PowerId) -> int:
    for rank, group in enumerate(wishes):
        if power in group:
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
