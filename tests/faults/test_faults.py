"""Whatever happens to a judge, nothing acknowledged is lost; a part of `make faults`."""

import subprocess
import sys
from dataclasses import replace
from random import Random

import pytest

from tests.faults.disk import Disk
from tests.faults.layer import Sync, Write
from tests.faults.ledger import PAST_DATABASE, READERS, Ledger, Played, Remains, Sent, StoredMail
from tests.faults.relay import TakenMail
from tests.patience import SECONDS

ORDER = Sent("<order.1@players.example>", "l@players.example", "gamea", 0)
ANSWER = TakenMail("<t.7@mach.example>", ORDER.sender, "Re: x", ORDER.id, "", "text")
TOLD = [
    TakenMail(f"<t.{n}@mach.example>", f"{n}@players.example", "gamea: results of Spring 1385",
              "", "", "\nResults of Spring 1385, campaign.\n") for n in range(10, 10 + READERS)
]  # fmt: skip
HELD = Remains(
    mails=[StoredMail(ORDER.id, "finished", (("gamea", 0),))],
    letters={"7": "sent", **{f"{10 + n}": "sent" for n in range(READERS)}},
    phases=[
        Played("gamea", 0, "S1385M", "S1385M", rebuilds=True),
        Played("gamea", 1, "S1385M", "U1385M", rebuilds=True),
    ],
    taken=[ANSWER, ANSWER, *TOLD],
    integrity="ok",
)
LEDGER = Ledger({ORDER.id: ORDER})


def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """The tool, in a process that has no threads and may fork."""
    return subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", "tests.faults", *arguments],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


def test_nothing_acknowledged_is_lost() -> None:
    """Full disk, lock, relay, kills at steps and anywhere, loss of power: a few of each."""
    done = run("--kills", "2", "--stride", "251", "--losses", "10", "--games", "1")

    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count(": held") == 13


def test_a_judge_that_does_not_sync_is_found_out() -> None:
    """Mails are lost with the power, and no sync comes before the 250."""
    done = run("--only-power", "--losses", "6", "--games", "1", "--synchronous", "OFF")

    assert done.returncode == 1, done.stdout + done.stderr
    assert "a sync before each 250: BROKEN" in done.stdout
    assert "got its 250 and is there 0 times" in done.stdout


def test_a_book_that_agrees_has_no_breaches() -> None:
    """An answer may go out twice, under one Message-ID."""
    assert LEDGER.breaches(HELD) == []


def test_only_what_the_keeper_is_told_past_the_database_need_not_be_stored() -> None:
    """It goes out while the disk is full."""
    told = TakenMail("<t.9@mach.example>", "keeper@mach.example", PAST_DATABASE, "", "", "text")
    others = [*HELD.taken, told], [*HELD.taken, replace(told, subject="MACH Hello")]
    found = [LEDGER.breaches(replace(HELD, taken=taken)) for taken in others]

    assert found == [[], ["letter 9 went out, and nobody knows of it"]]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"mails": []}, "is there 0 times"),
        ({"mails": [*HELD.mails, *HELD.mails]}, "is there 2 times"),
        ({"mails": [replace(HELD.mails[0], state="waiting")]}, "is waiting"),
        ({"mails": [replace(HELD.mails[0], order_sets=())]}, "does not count"),
        ({"taken": TOLD}, "0 different answers"),
        ({"taken": [ANSWER, replace(ANSWER, id="<t.8@mach.example>"), *TOLD]}, "2 different"),
        ({"taken": [ANSWER, replace(ANSWER, content="other"), *TOLD]}, "different mails"),
        ({"taken": [ANSWER, *TOLD, replace(TOLD[0], id="<u.10@mach.example>")]}, "2 Message-IDs"),
        ({"taken": [ANSWER, *TOLD[1:]]}, "went out 0 times"),
        ({"letters": {**HELD.letters, "7": "waiting"}}, "letter 7 is waiting"),
        ({"letters": {"7": "sent"}}, "nobody knows of it"),
        ({"phases": [HELD.phases[0], replace(HELD.phases[1], number=2)]}, "has the phases [0, 2]"),
        ({"phases": [*HELD.phases, replace(HELD.phases[1], number=2)]}, "plays S1385M 2 times"),
        ({"phases": [HELD.phases[0], replace(HELD.phases[1], begins_from="F1385M")]}, "goes on"),
        ({"phases": [HELD.phases[0], replace(HELD.phases[1], rebuilds=False)]}, "not replay"),
        ({"integrity": "row 3 missing"}, "row 3 missing"),
    ],
)
def test_a_book_that_disagrees_says_in_what(change, told) -> None:
    """Each promise that the ledger keeps can be seen broken."""
    assert any(told in each for each in LEDGER.breaches(replace(HELD, **change)))


def test_a_disk_forgets_what_was_not_synced(tmp_path) -> None:
    """What comes after the sync may be there, or in parts, or not at all."""
    file = tmp_path / "judge.db"
    disk = Disk({file: b""})
    for act in (Write(file, 0, b"a" * 1024), Sync(file), Write(file, 0, b"b" * 1024)):
        disk.take(act)
    seen = {disk.after_a_loss(Random(n))[file] for n in range(60)}  # noqa: S311

    a, b = b"a" * 512, b"b" * 512
    assert seen == {a + a, a + b, b + a, b + b}
