# ruff: noqa: T201 - a tool prints
"""The race against two other adjudicators: ``python -m tests.bench [--rounds N]``, `make bench`.

Prints milliseconds and orders per second.  Ends with 1 if a result of ours is not the recorded
one; how fast anybody is decides nothing.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence

from tests.bench import ours, with_diplomacy, with_pydip
from tests.bench.phases import Phase, classic_phases, standard_phases
from tests.bench.race import Runner, Time, race

VALUES: tuple[Runner, ...] = (
    ours.Movement(),
    ours.Orders(),
    ours.Phases(),
    with_pydip.Turns(),
    with_pydip.Commands(),
    with_diplomacy.Process(),
)
TEXTS: tuple[Runner, ...] = (ours.Texts(), ours.Parsing(), with_diplomacy.Texts())
ALONE: tuple[Runner, ...] = (ours.Phases(), ours.Texts(), ours.Parsing())
WIDTH = 82


def main() -> int:
    """Race, print, and say whether all results were right."""
    asked = _arguments()
    standard = standard_phases()[: asked.phases]
    times = race((*VALUES, *TEXTS), standard, asked.rounds)
    print(f"{len(standard)} movement phases of standard Diplomacy, {_orders(standard)} orders")
    _print("orders as values", VALUES, times, with_pydip.Turns.name)
    _print("order text", TEXTS, times, with_diplomacy.Texts.name)
    classic = classic_phases()[: asked.phases]
    alone = race(ALONE, classic, asked.rounds)
    print(
        f"\n{len(classic)} campaigns of Machiavelli, 8 powers, {_units(classic)} units on average"
    )
    _print("", ALONE, alone, None)
    wrong = [
        name
        for ran, phases in ((times, standard), (alone, classic))
        for name, time in ran.items()
        if name.startswith("machjudge") and time.right not in (None, len(phases))
    ]
    for name in wrong:
        print(f"WRONG: {name} does not reach the recorded position in all phases")
    return 1 if wrong else 0


def _print(
    title: str, runners: Sequence[Runner], times: Mapping[str, Time], against: str | None
) -> None:
    ratio = f"ratio to {against}" if against else ""
    print(
        f"\n{title:{WIDTH}} {'ms/phase':>9} {'95 in 100':>9} {'orders/s':>9} {'alike':>6}  {ratio}"
    )
    for runner in runners:
        time = times[runner.name]
        right = "" if time.right is None else time.right
        compared = f"{time.median / times[against].median:6.2f}" if against else ""
        print(
            f"{runner.name:{WIDTH}} {time.median:9.3f} {time.ninety_five:9.3f}"
            f" {time.orders_per_second:9,.0f} {right:>6}  {compared}"
        )


def _orders(phases: Sequence[Phase]) -> int:
    return sum(phase.orders for phase in phases)


def _units(phases: Sequence[Phase]) -> str:
    return f"{sum(len(phase.units) for phase in phases) / len(phases):.1f}"


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5, help="how often each phase is taken")
    parser.add_argument("--phases", type=int, default=400, help="how many phases are taken")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
