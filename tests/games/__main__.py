# ruff: noqa: T201 - a tool prints
"""Play random games: ``python -m tests.games [--scenario ID] [--preset NAME] [--seed N]``.

The same scenario, preset, seed and years are the same game, on every machine; `make games` plays
the seeds from 0 on.  Without a preset each seed has the rules whose turn it is.  Ends with 1 if a
game is broken.
"""

import argparse
import sys
import time

from machjudge.adjudicator.options import PRESETS
from tests.games.closely import play_all
from tests.games.game import Deal, atlas
from tests.games.variations import Variation


def main() -> int:
    """Play what is asked for and say what came of it."""
    asked = _arguments()
    wrong = 0
    rules = Variation(asked.preset) if asked.preset else None
    for scenario in asked.scenario or atlas().scenario_ids():
        seeds = range(asked.seed, asked.seed + asked.games)
        started = time.process_time()
        tally, broken = play_all(Deal(scenario, seed, asked.years, rules) for seed in seeds)
        spent = time.process_time() - started
        print(f"{scenario}, seeds {seeds.start} to {seeds.stop - 1}: {tally}, {spent:.1f} s")
        print(*broken, sep="\n", end="\n" if broken else "")
        wrong += len(broken)
    return 1 if wrong else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.games", description="Play random games.")
    parser.add_argument("--scenario", action="append", help="only this one; may be repeated")
    parser.add_argument("--preset", choices=PRESETS, help="the rules of all games")
    parser.add_argument("--seed", type=int, default=0, help="of the first game")
    parser.add_argument("--games", type=int, default=1, help="how many of each scenario")
    parser.add_argument("--years", type=int, default=20, help="how long a game lasts at most")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
