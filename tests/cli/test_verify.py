"""``machjudge export`` and ``machjudge verify``: exit codes, one clear line, and no database."""

import gzip
import io
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from email.message import EmailMessage
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from machjudge.adjudicator.names import PowerId
from machjudge.app.application import prepare_database
from machjudge.cli import games, main
from machjudge.cli.games import with_progress
from machjudge.db.engine import open_engine
from machjudge.db.work import DatabaseStore, DatabaseTransaction
from machjudge.formats.game_file import (
    Chronicle,
    SealedSet,
    chronicle_lines,
    nonce_of,
    sealed_digest,
    sealing_key,
)
from machjudge.judge.records import End, Ending, GameId, Role, Seat, Status
from machjudge.judge.secret import fixed
from tests.db.examples import GAME, LUCIA
from tests.games.chronicles import chronicle_of, played, stored_phases, with_order_sets
from tests.games.game import Deal
from tests.games.variations import with_everything

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
ENDING = Ending(End.DRAW, (PowerId("F"), PowerId("V")), played(5), by_vote=True)
"""How the game ended."""


@cache
def game() -> Chronicle:
    """A year of a game with everything on, and one line that the judge wrote."""
    chronicle = chronicle_of(Deal("1454", 4, chosen=with_everything()), 5)
    index = next(i for i, entry in enumerate(chronicle.phases) if entry.orders)
    entry = chronicle.phases[index]
    power = min(entry.orders)
    lines = tuple(replace(line, by_judge=True) for line in entry.orders[power])
    changed = replace(entry, orders={**entry.orders, power: lines})
    phases = (*chronicle.phases[:index], changed, *chronicle.phases[index + 1 :])
    return replace(chronicle, phases=phases)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """That game as a file."""
    path = tmp_path / "chance.json"
    path.write_text("\n".join(chronicle_lines(game())) + "\n", encoding="ascii")
    return path


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """Where the database of the judge would be."""
    return tmp_path / "judge.sqlite"


def run(database: Path, *arguments: str) -> Result:
    """Call the command with that database."""
    environment = {"MACHJUDGE_DATABASE": f"sqlite:///{database}"}
    return CliRunner().invoke(main, arguments, env=environment)


def one_line(result: Result) -> str:
    """What a fault says: one line on stderr, status 2, nothing else."""
    assert result.exit_code == 2
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    return line


# --- files -----------------------------------------------------------------------------------


def test_a_file_is_verified_without_a_judge(file: Path, database: Path) -> None:
    """In a few lines, with status 0; no database comes into being."""
    result = run(database, "verify", str(file))

    assert result.exit_code == 0
    assert result.stdout.splitlines()[0] == "Chance (1454)"
    assert result.stdout.splitlines()[-1].startswith("Everything holds.")
    assert len(result.stdout.splitlines()) == 10
    assert not database.exists()


def test_the_first_thing_that_does_not_hold_is_named(file: Path, database: Path) -> None:
    """With status 1."""
    document = json.loads(file.read_text(encoding="ascii"))
    document["phases"][2]["after"]["treasuries"]["V"] += 1
    file.write_text(json.dumps(document), encoding="ascii")

    result = run(database, "verify", str(file))

    assert result.exit_code == 1
    assert "  events  WRONG: phase 2 (" in result.stdout
    assert "its events do not lead to the position after it" in result.stdout
    assert result.stdout.splitlines()[-1] == "Not everything holds. First of all: starts."


@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 0.99])
def test_a_file_cut_short_says_where_it_ends(file: Path, database: Path, share: float) -> None:
    """With line and character, and status 2."""
    content = file.read_bytes()
    file.write_bytes(content[: int(len(content) * share)])

    line = one_line(run(database, "verify", str(file)))

    assert line.startswith(f"machjudge: {file} is broken: it is not JSON: ")
    assert "at character " in line


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"\xff\xfe", "it is not UTF-8: the byte at 0"),
        (b"[]", "a list stands where an object is wanted"),
        (b"{}", " at format: is missing"),
        (b'{"format": "hello"}', ' at format: this is no "machjudge game"'),
        (b'{"format": "machjudge view"}', "what one seat sees of a game that goes on"),
        (b'{"format": "machjudge game", "version": 4}', " at version: the number 4 stands where"),
        (b'{"format": "machjudge game", "version": 1, "x": 1}', " at x: there is no such field"),
        (b'{"format": "machjudge game", "version": 1}', " at game: is missing"),
        (b"[" * 100_000, "nested too deeply"),
    ],
)
def test_a_broken_file_says_where(content: bytes, says: str, file: Path, database: Path) -> None:
    """Whatever is in it."""
    file.write_bytes(content)

    assert says in one_line(run(database, "verify", str(file)))


def test_a_fault_in_a_phase_is_found_again(file: Path, database: Path) -> None:
    """By the way that leads to it."""
    document = json.loads(file.read_text(encoding="ascii"))
    document["phases"][1]["events"][3]["kind"] = "sung"
    file.write_text(json.dumps(document), encoding="ascii")

    line = one_line(run(database, "verify", str(file)))

    assert ' is broken at phases[1].events[3].kind: "sung" is none of ' in line


def test_a_scenario_that_is_not_here_is_named(file: Path, database: Path) -> None:
    """Without it nothing can be played again."""
    document = json.loads(file.read_text(encoding="ascii"))
    document["scenario"] = "1789"
    file.write_text(json.dumps(document), encoding="ascii")

    line = one_line(run(database, "verify", str(file)))

    assert line == "machjudge: there is no scenario '1789' here to play it again on"


def test_a_missing_file_is_no_game(database: Path) -> None:
    """What looks like a file is not looked for in a database that does not exist."""
    assert one_line(run(database, "verify", "no/such.json")) == (
        "machjudge: there is no file no/such.json"
    )
    assert not database.exists()


# --- in the database -------------------------------------------------------------------------


@contextmanager
def desk(database: Path) -> Iterator[DatabaseTransaction]:
    """A transaction in a database, which is made if need be; it is committed in the end."""
    url = f"sqlite:///{database}"
    prepare_database(url)
    engine = open_engine(url)
    try:
        with DatabaseStore(engine, "test", lambda: NOW, fixed(bytes(32))).writing() as uow:
            yield uow
            uow.commit()
    finally:
        engine.dispose()


def keep(database: Path, status: Status) -> None:
    """Store the game in a database, as the desk would have."""
    chronicle = game()
    master = Seat(1, Role.MASTER, LUCIA.id, "lucia@example.com", "$argon2id$1")
    stored = replace(
        GAME,
        id=GameId("chance"),
        name=chronicle.game,
        scenario=chronicle.scenario,
        rules=chronicle.phases[0].rules,
        secret=chronicle.secret,
        status=status,
        seats=(master,),
        position=chronicle.last,
        ending=ENDING if status is Status.FINISHED else None,
    )
    with desk(database) as uow:
        uow.persons.save(LUCIA)
        uow.games.add(stored)
        for phase in stored_phases(chronicle, stored.id):
            uow.phases.add(phase, ())


def test_a_finished_game_is_exported_and_verified(database: Path, tmp_path: Path) -> None:
    """Into a file or to the standard output: the same, and it holds in place, too."""
    keep(database, Status.FINISHED)
    written = tmp_path / "out.json"

    told = run(database, "export", "Chance", "--output", str(written))
    printed = run(database, "export", "chance")

    assert told.stdout == f"Chance: 5 phases written to {written}\n"
    assert printed.stdout == written.read_text(encoding="ascii")
    assert json.loads(printed.stdout)["commitment"] in run(database, "verify", "chance").stdout
    assert run(database, "verify", str(written)).exit_code == 0
    assert printed.stdout == "\n".join(chronicle_lines(game())) + "\n"


def test_a_game_that_goes_on_keeps_its_secret(database: Path) -> None:
    """It is not exported; it can be checked in place, and nothing shows the secret."""
    keep(database, Status.RUNNING)
    secret = game().secret.hex()

    refused = run(database, "export", "chance")
    checked = run(database, "verify", "chance")

    assert one_line(refused) == (
        "machjudge: Chance is not finished: its secret, which is part of the file, stays here"
    )
    assert checked.exit_code == 0
    assert secret not in checked.stdout + checked.stderr + refused.stderr


def test_nothing_is_overwritten(database: Path, file: Path) -> None:
    """A file that is there stays as it is."""
    keep(database, Status.FINISHED)
    before = file.read_bytes()

    line = one_line(run(database, "export", "chance", "--output", str(file)))

    assert line == f"machjudge: {file} cannot be written: File exists"
    assert file.read_bytes() == before


@pytest.mark.parametrize("command", ["export", "verify", "replay"])
def test_an_unknown_game_is_told(command: str, database: Path) -> None:
    """In one line."""
    prepare_database(f"sqlite:///{database}")

    assert " game called nobody" in one_line(run(database, command, "nobody"))


# --- receipts --------------------------------------------------------------------------------


def _sealed_game() -> Chronicle:
    """The game with all order sets sealed as they were played."""
    return with_order_sets(chronicle_of(Deal("1454", 4, chosen=with_everything()), 5))


def _receipt(chronicle: Chronicle, power: PowerId, *, forged: bool = False) -> EmailMessage:
    """What the judge answered to the orders of a power, or to others that it acknowledged."""
    entry = next(each for each in chronicle.phases if each.sealed)
    key = sealing_key(chronicle.secret, chronicle.game, entry.moment)
    sealed = SealedSet(2, (("A pad h", "V"),)) if forged else entry.sealed[power]
    digest = sealed_digest(key, chronicle.game, entry.moment, power, sealed)
    mail = EmailMessage()
    mail["Subject"] = "Re: Orders"
    proof = f"SEALED chance {entry.moment} {power} 2\n{digest}\n{nonce_of(key, power, 2)}"
    line = f"Proof: {proof}\n"
    mail.set_content(f"COMPLETE\n\n{line}", cte="quoted-printable")
    return mail


def test_a_file_that_unpacks_without_end_is_no_game(
    file: Path, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A few bytes can hold more than the machine has; no more is unpacked than a game needs."""
    monkeypatch.setattr(games, "_MAX_GAME_BYTES", 1_000_000)
    for content in (gzip.compress(b" " * 1_000_001), b" " * 1_000_001):
        file.write_bytes(content)

        line = one_line(run(database, "verify", str(file)))

        assert line == f"machjudge: {file} is no game: it has more than 1 MB"


@pytest.mark.parametrize("kind", ["folder", "mbox", "message"])
@pytest.mark.parametrize("forged", [False, True])
def test_receipts_show_whether_the_orders_are_those_that_were_acknowledged(
    tmp_path: Path, database: Path, kind: str, forged: bool
) -> None:
    """A folder of messages, an mbox, or one message; the first that does not fit is named."""
    chronicle = _sealed_game()
    path = tmp_path / "game.json.gz"
    path.write_bytes(gzip.compress("\n".join(chronicle_lines(chronicle)).encode()))
    first = next(each for each in chronicle.phases if each.sealed)
    power = next(power for power, each in first.sealed.items() if each.number)
    raw = _receipt(chronicle, power, forged=forged).as_bytes()
    mails = tmp_path / "mails"
    if kind == "folder":
        (mails / "cur").mkdir(parents=True)
        (mails / "cur" / "1").write_bytes(raw)
    else:
        mails.write_bytes(b"From judge@x Fri Nov 20 12:00:00 2026\n" * (kind == "mbox") + raw)

    result = run(database, "verify", str(path), "--receipts", str(mails))

    assert result.exit_code == int(forged)
    assert ("receipts WRONG" if forged else "1 of 1 proof is of this file") in result.stdout


# Long work tells a terminal how far it has come, and a file or a pipe nothing.


class Terminal(io.StringIO):
    """What is shown, and whether it is a terminal."""

    def __init__(self, *, is_terminal: bool) -> None:
        super().__init__()
        self._is_terminal = is_terminal

    def isatty(self) -> bool:
        """True if somebody looks at it."""
        return self._is_terminal


def test_a_terminal_shows_how_much_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the whole; every piece comes out as it went in."""
    shown = Terminal(is_terminal=True)
    monkeypatch.setattr(sys, "stderr", shown)

    assert [*with_progress(iter("abcd"), 4, "Letters")] == ["a", "b", "c", "d"]
    assert "Letters" in shown.getvalue()
    assert "100%" in shown.getvalue()


@pytest.mark.parametrize("stream", [Terminal(is_terminal=False), None])
def test_elsewhere_nothing_is_shown(monkeypatch, stream) -> None:
    """A log holds results, no bars; and without a stream the work goes on."""
    monkeypatch.setattr(sys, "stderr", stream)

    assert [*with_progress(iter("abcd"), 4, "Letters")] == ["a", "b", "c", "d"]
    assert stream is None or stream.getvalue() == ""
