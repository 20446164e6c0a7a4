# ruff: noqa: T201 - a tool prints
"""A judge's life in one process: ``python -m tests.simulation --seed N``, `make simulate`.

The same seed, games and years are the same story, event by event.  Ends with 1 if a promise is
broken; the line that says so repeats it.
"""

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from machjudge.app import log_to_stderr
from tests.simulation.story import Plot, Story
from tests.surroundings import cut_off


def main() -> int:
    """Tell what is asked for, and what came of it."""
    asked = _arguments()
    cut_off()
    log_to_stderr("critical")
    totals: Counter[str] = Counter()
    started = time.process_time()
    for seed in range(asked.seed, asked.seed + asked.seeds):
        totals += _told(Plot(seed, asked.games, asked.years))
    print(*(f"{times:8} {what}" for what, times in sorted(totals.items())), sep="\n")
    print(f"{time.process_time() - started:8.0f} seconds", file=sys.stderr)
    return 1 if totals["promises broken"] else 0


def _told(plot: Plot) -> Counter[str]:
    with tempfile.TemporaryDirectory() as folder:
        story = Story(plot, Path(folder))
        breaches = story.play()
    verdict = "held" if not breaches else f"BROKEN at event {story.events}, {story.at}"
    print(f"python -m tests.simulation {plot}: {story.mark()}, {verdict}", flush=True)
    print(*(f"  {each}" for each in breaches[:20]), sep="\n", end="\n" if breaches else "")
    return Counter(story.tally())


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.simulation", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--seed", type=int, default=1, help="the first story")
    parser.add_argument("--seeds", type=int, default=1, help="how many stories")
    parser.add_argument("--games", type=int, default=1, help="how many games, of four players")
    parser.add_argument("--years", type=int, default=1, help="how long they are played")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
