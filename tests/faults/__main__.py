# ruff: noqa: T201 - a tool prints
"""What becomes of acknowledged mails, whatever happens: ``python -m tests.faults``, `make faults`.

Ends with 1 if a promise is broken.  The same seed kills and loses at the same points, as far as
the machine's own scheduling lets it.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random

from machjudge.app import log_to_stderr
from tests import databases
from tests.faults import sweep, troubles
from tests.faults.kills import campaign
from tests.faults.losses import Recorder, lived, losses, unsynced
from tests.faults.roles import make_ready
from tests.faults.scene import playing
from tests.surroundings import cut_off

Found = tuple[str, list[str]]
"""What was done, and every promise that was broken."""


def main() -> int:
    """Do what is asked for, print what came of it."""
    asked = _arguments()
    cut_off()
    log_to_stderr("error")
    make_ready()
    databases.choose(asked.database)
    broken = 0
    with tempfile.TemporaryDirectory() as folder:
        for told, breaches in _everything(Path(folder), asked):
            print(f"{told}: {'held' if not breaches else 'BROKEN'}", flush=True)
            print(*(f"  {each}" for each in breaches[:20]), sep="\n", end="\n" if breaches else "")
            broken += len(breaches)
        databases.close()
    return 1 if broken else 0


def _everything(folder: Path, asked: argparse.Namespace) -> Iterator[Found]:
    if not asked.only_power:
        yield from _processes(folder, asked)
    if asked.database == "postgresql":
        return  # what its own disk loses is the server's to know
    # Last: what is recorded there would be told of the others, too.
    yield from _power(_own(folder, "losses"), asked)


def _processes(folder: Path, asked: argparse.Namespace) -> Iterator[Found]:
    of_files = (
        ("full disk, refused", troubles.full_disk),
        ("locked database, refused", troubles.locked),
    )
    for name, trouble in (
        *(of_files if asked.database == "sqlite" else ()),
        ("bad moods of the relay", troubles.moods),
    ):
        times, breaches = trouble(_own(folder, name))
        yield f"{name}: {times}", breaches if times else ["nothing was refused"]
    for name, deed in (
        ("killed at the n-th step of opening", sweep.opening),
        ("killed at the n-th step of taking mails in", sweep.taking_in),
        ("killed at the n-th step of playing a phase", sweep.playing_on),
        (
            "killed at the n-th step of playing the last phase of a year",
            partial(sweep.playing_on, before=4),
        ),
        ("killed at the n-th step of carrying out an agreement", sweep.agreeing),
        (
            "killed at the n-th step of taking mails from a mailbox",
            partial(sweep.out_of_a_mailbox, capabilities=("MOVE",)),
        ),
        (
            "killed at the n-th step of taking mails from a mailbox without MOVE",
            partial(sweep.out_of_a_mailbox, capabilities=("UIDPLUS",)),
        ),
    ):
        kills, breaches = deed(_own(folder, name), asked.stride)
        yield f"{name}: {kills} kills", breaches
    killed = campaign(_own(folder, "campaign"), asked.kills, asked.games, asked.seed)
    yield f"killed anywhere: {killed}", killed.breaches
    for where, times in sorted(killed.where.items()):
        print(f"  {times:4} {where}")


def _power(folder: Path, asked: argparse.Namespace) -> Iterator[Found]:
    with playing(folder, asked.games) as scene:
        chance = Random(asked.seed)  # noqa: S311 - no secret
        record = lived(scene, Recorder(), asked.synchronous)
        yield "a sync before each 250", unsynced(record)
        yield f"{asked.losses} losses of power", losses(scene, record, asked.losses, chance)


def _own(folder: Path, name: str) -> Path:
    own = folder / name.replace(" ", "_")
    own.mkdir()
    return own


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.faults", description=__doc__.splitlines()[0]
    )
    parser.add_argument(
        "--database", choices=databases.KINDS, default="sqlite", help="on which kind"
    )
    parser.add_argument("--kills", type=int, default=300, help="how many kills at chosen points")
    parser.add_argument("--stride", type=int, default=1, help="every how many steps of a deed")
    parser.add_argument("--losses", type=int, default=300, help="how often power fails")
    parser.add_argument("--games", type=int, default=6, help="how many games are played")
    parser.add_argument("--seed", type=int, default=1, help="what decides")
    parser.add_argument("--synchronous", default="FULL", help="what SQLite is told about syncs")
    parser.add_argument("--only-power", action="store_true", help="kill nothing")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
