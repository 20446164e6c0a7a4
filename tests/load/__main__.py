# ruff: noqa: T201 - a tool prints
"""What the way of a mail costs: ``python -m tests.load``, `make load`.

A judge serves on a SQLite file, as its keeper runs it; mails come from other processes, and the CPU
of all processes counts.  Times are CPU in phases of pydip's ``resolve_turn``, measured in the same
run; how fast anything is decides nothing.  ``--old`` gives the mails to the program of another
checkout as well, set by set in turn.
"""

import argparse
import cProfile
import pstats
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from machjudge.app import log_to_stderr
from tests.load import crowd, deadline, processes, serving, sharing, statements, walk
from tests.load.game import LoadedJudge, loaded_judge
from tests.load.measure import Figure, scale, scale_of_two, two_at_once


def main() -> int:
    """Measure, and print the table."""
    asked = _arguments()
    log_to_stderr("error")
    pydip = scale(asked.phases)
    print(f"pydip: resolve_turn takes {1000 * pydip:.2f} ms a phase\n")
    for part in asked.part or PARTS:
        for figure in PARTS[part](asked, pydip):
            _print(figure)
    return 0


def _serving(asked: argparse.Namespace, pydip: float) -> Iterator[Figure]:
    """Mails through a judge that serves."""
    with loaded_judge() as judge, ExitStack() as others:
        judges = {"": judge}
        if asked.old is not None:
            judges["old: "] = others.enter_context(loaded_judge(asked.old))
        yield from serving.order_mails(judges, pydip, asked.mails)
        others.close()
        yield from serving.answered(judge, asked.mails)
        yield serving.taken_in(judge, judge.installation.processes[0].pid)


def _counting(asked: argparse.Namespace, pydip: float) -> Iterator[Figure]:
    """Calls and statements in this process, and what takes whole processes without mails."""
    with _at_rest() as judge:
        figure, counted = statements.order_mail(judge)
        yield figure
        yield walk.order_mail(judge, is_told=asked.walk)
        yield from walk.calls(judge)
        yield from deadline.played(judge, pydip)
        # The lists first: they would show ten thousand running games.
        yield from statements.listings(judge)
        yield from statements.rounds(judge)
        yield processes.tick_process(judge)
        yield from processes.help_process(judge)
        if asked.profile:
            _profile(judge)
    yield processes.json_lines(asked.phases)
    if asked.statements:
        print("\n".join(" ".join(each.split()) for each in counted.statements))


def _deadlines(asked: argparse.Namespace, _pydip: float) -> Iterator[Figure]:
    """Many deadlines at once."""
    with _at_rest() as judge:
        yield from crowd.deadlines(judge, asked.deadlines, pydip=scale_of_two(asked.phases))


def _workers(asked: argparse.Namespace, _pydip: float) -> Iterator[Figure]:
    """Two workers on PostgreSQL."""
    yield from sharing.two_workers(asked.sets)
    yield two_at_once(asked.phases)


PARTS = {
    "serving": _serving,
    "counting": _counting,
    "deadlines": _deadlines,
    "workers": _workers,
}


@contextmanager
def _at_rest() -> Iterator[LoadedJudge]:
    """A judge whose processes have ended."""
    with loaded_judge() as judge:
        judge.rest()
        judge.installation.end()
        yield judge


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
    parser.add_argument("--part", action="append", choices=[*PARTS], help="only this; may be again")
    parser.add_argument("--mails", type=int, default=100, help="how many order mails are sent")
    parser.add_argument("--old", type=Path, help="another checkout, measured in turn with this")
    parser.add_argument(
        "--deadlines", type=int, default=1000, help="how many games are due at once"
    )
    parser.add_argument("--sets", type=int, default=3, help="mails of each player for two workers")
    parser.add_argument("--phases", type=int, default=100, help="how many phases are resolved")
    parser.add_argument("--statements", action="store_true", help="print the SQL of an order mail")
    parser.add_argument("--walk", action="store_true", help="print the modules of an order mail")
    parser.add_argument("--profile", action="store_true", help="profile an order mail")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
