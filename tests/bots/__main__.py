"""``make ladder``: policies against each other, at every seat in turn."""

import argparse
import math
from itertools import pairwise

from machjudge.bots.policies import BotPolicy
from tests.bots.seasons import seasons
from tests.games.game import Deal, world_for
from tests.games.variations import Variation

_SURE = 1.96
"""Standard errors of an interval of 95 %."""


def difference(scenario: str, seed: int, years: int, two: tuple[BotPolicy, BotPolicy]) -> float:
    """How many more cities a seat of the second policy has than one of the first.

    The same deal is played twice with the seats exchanged, so that no seat counts.
    """
    total = 0.0
    for shift in (0, 1):
        deal = Deal(scenario, seed, years, Variation("judge"))
        in_play = world_for(deal).in_play

        seats = {power: two[(n + shift) % 2] for n, power in enumerate(in_play)}

        *_, last = seasons(deal, seats.__getitem__, years)
        for owner in last.after.cities.values():
            if owner in seats:
                total += 1 if seats[owner] is two[1] else -1
    return total / len(in_play)


def main() -> None:
    """Play, and print each step of the ladder with its interval."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--years", type=int, default=6)
    parser.add_argument("--scenario", default="1454")
    given = parser.parse_args()
    for two in pairwise(BotPolicy):
        found = [
            difference(given.scenario, seed, given.years, two) for seed in range(given.games // 2)
        ]
        mean = sum(found) / len(found)
        spread = math.sqrt(sum((x - mean) ** 2 for x in found) / max(len(found) - 1, 1))
        error = _SURE * spread / math.sqrt(len(found))
        print(  # noqa: T201
            f"{two[1].value} has {mean:+.2f} cities a seat more than {two[0].value} "
            f"({mean - error:+.2f} to {mean + error:+.2f}, {given.games} games)"
        )
        if mean - error <= 0:
            raise SystemExit(1)


if __name__ == "__main__":
    main()
