# ruff: noqa: T201 - a tool prints
"""What the way of a mail costs: ``python -m tests.load``, `make load`.

A judge serves on a SQLite file, as its keeper runs it; mails come from other processes.  Times are
CPU in phases of pydip's ``resolve_turn``, measured in the same run; how fast anything is decides
nothing.
"""

import argparse
import cProfile
import pstats
import sys

from machjudge.app import log_to_stderr
from tests.load import deadline, pictures, processes, serving, statements, walk
from tests.load.game import loaded_judge
from tests.load.measure import Figure, scale


def main() -> int:
    """Measure, and print the table."""
    asked = _arguments()
    log_to_stderr("error")
    pydip = scale(asked.phases)
    print(f"pydip: resolve_turn takes {1000 * pydip:.2f} ms a phase\n")
    with loaded_judge() as judge:
        pid = judge.installation.processes[0].pid
        costs = serving.order_mails(judge, pid, pydip, asked.mails)
        for figure in (*costs, *serving.answered(judge, asked.mails)):
            _print(figure)
        _print(serving.taken_in(judge, pid))
        judge.rest()
        judge.installation.end()
        figure, counted = statements.order_mail(judge)
        _print(figure)
        _print(walk.order_mail(judge, is_told=asked.walk))
        for figure in walk.calls(judge):
            _print(figure)
        _print(pictures.of_answer(judge, pydip))
        for figure in deadline.played(judge, pydip):
            _print(figure)
        # The lists first: they would show ten thousand running games.
        for figure in (*statements.listings(judge), *statements.rounds(judge)):
            _print(figure)
        _print(processes.tick_process(judge))
        if asked.profile:
            _profile(judge)
    _print(processes.json_lines(asked.phases))
    if asked.statements:
        print("\n".join(" ".join(each.split()) for each in counted.statements))
    return 0


def _profile(judge: object) -> None:
    with cProfile.Profile() as profile:
        statements.order_mail(judge)
    pstats.Stats(profile).sort_stats("cumulative").print_stats(60)


def _print(figure: Figure) -> None:
    print(
        f"{figure.what:66} {figure.measured:8.1f}{figure.unit:3} {figure.asked:8} {figure.remark}",
        flush=True,
    )


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mails", type=int, default=100, help="how many order mails are sent")
    parser.add_argument("--phases", type=int, default=100, help="how many phases are resolved")
    parser.add_argument("--statements", action="store_true", help="print the SQL of an order mail")
    parser.add_argument("--walk", action="store_true", help="print the modules of an order mail")
    parser.add_argument("--profile", action="store_true", help="profile an order mail")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
