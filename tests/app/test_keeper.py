"""``machjudge keeper``, ``replay`` and ``migrate``, as a keeper types them."""

import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import select, update

from machjudge import __version__
from machjudge.app import tick
from machjudge.cli import main
from machjudge.cli.maintenance import lines
from machjudge.db.engine import open_engine, reading, writing
from machjudge.db.maintenance import figures as figures_at
from machjudge.db.tables import PhaseRow
from machjudge.judge import mail_context
from machjudge.judge.mails import Outgoing
from tests.app.table import HOLDS, Table
from tests.databases import url_in

SECRET = "gioconda77"


@pytest.fixture
def table(lay) -> Table:
    """A judge with a mail set aside and a message given up."""
    table = lay()
    table.receive("lucia", f"signon Lborgia {SECRET}", "A Flo H\x1b[31m", subject="my orders")
    now = table.clock()
    with table.application.store.writing() as uow:
        mail = uow.inbox.claim(now)
        uow.inbox.set_aside(mail.id, "BadTemplate", now)
        uow.outbox.put(Outgoing("otto@example.com", "Results", "Dear Otto,\n"))
        uow.commit()
    letter = table.application.sender.bag.claim(now, now)
    table.application.sender.bag.give_up(letter.id, now, "550 5.1.1 No such user\x07")
    return table


def keeper(table: Table, *arguments: str, code: int = 0) -> str:
    """What a command prints."""
    return printed(table.folder, *arguments, code=code)


def printed(folder: Path, *arguments: str, code: int = 0) -> str:
    """What a command prints whose database lies in *folder*."""
    files = {
        "MACHJUDGE_DATABASE": url_in(folder),
        "MACHJUDGE_SECRET_FILE": str(folder / "judge.secret"),
    }
    done = CliRunner().invoke(main, arguments, env=files)
    assert done.exit_code == code, done.output
    return done.output


def test_the_list_shows_what_needs_the_keeper(table) -> None:
    """Each with its number, when, who and why."""
    assert keeper(table, "keeper", "list").splitlines() == [
        "Mails set aside: 1",
        "       1  2026-11-20 12:00:00 UTC  lucia@example.com  BadTemplate",
        "Messages given up: 1",
        "  L1      2026-11-20 12:00:00 UTC  otto@example.com  550 5.1.1 No such user�",
        "Mails waiting: 0",
        "Messages waiting: 0",
    ]


def test_a_mail_is_shown_without_its_password(table) -> None:
    """With its envelope and its lines, and nothing that a terminal would obey."""
    shown = keeper(table, "keeper", "show", "1")

    assert "from:     lucia@example.com" in shown
    assert "Subject: my orders" in shown
    assert "A Flo H" in shown
    assert "\x1b" not in shown
    assert SECRET not in shown


def test_a_letter_is_shown(table) -> None:
    """With the relay's words and its text."""
    shown = keeper(table, "keeper", "show", "L1")

    assert "to:       otto@example.com" in shown
    assert "why:      550 5.1.1 No such user�" in shown
    assert shown.endswith("\n\nDear Otto,\n")


def test_retry_takes_both_up_again(table) -> None:
    """They wait in the ordinary course."""
    assert keeper(table, "keeper", "retry", "1") == "1 will be tried again.\n"
    assert keeper(table, "keeper", "retry", "l1") == "L1 will be tried again.\n"

    listed = keeper(table, "keeper", "list")
    assert "Mails set aside: 0" in listed
    assert "Messages waiting: 1, the oldest since 2026-11-20 12:00:00 UTC" in listed


def test_retry_takes_up_all_that_faults_have_set_aside(table) -> None:
    """A mail that somebody decided about stays; without a number or --all nothing is done."""
    assert "name what to try again" in keeper(table, "keeper", "retry", code=2)
    assert keeper(table, "keeper", "retry", "--all") == "1 will be tried again.\n"
    assert keeper(table, "keeper", "retry", "--all") == "No mail is set aside by a fault.\n"


def test_drop_ends_both(table) -> None:
    """What is kept of the mail has no password in it."""
    assert keeper(table, "keeper", "drop", "1") == "1 has been dropped.\n"
    assert keeper(table, "keeper", "drop", "L1") == "L1 has been dropped.\n"

    (row,) = table.dump()["inbox"]
    raw = next(value for value in row if isinstance(value, bytes))
    assert b"A Flo H" in raw
    assert SECRET.encode() not in raw
    assert keeper(table, "keeper", "list").count(" 0\n") == 4


def test_a_mail_that_cannot_be_redacted_is_shown_and_dropped_all_the_same(
    table, monkeypatch
) -> None:
    """Its envelope is shown and its text is not; neither command fails."""

    def broken(*_: object) -> bytes:
        raise ValueError(SECRET)

    monkeypatch.setattr(mail_context, "redact", broken)

    shown = keeper(table, "keeper", "show", "1")
    assert "from:     lucia@example.com" in shown
    assert "[not kept: this mail cannot be shown" in shown
    assert keeper(table, "keeper", "drop", "1") == "1 has been dropped.\n"


@pytest.mark.parametrize("command", ["show", "retry", "drop"])
@pytest.mark.parametrize("number", ["7", "L7"])
def test_what_is_not_there_is_told(table, command, number) -> None:
    """In one line, with exit code 2."""
    told = keeper(table, "keeper", command, number, code=2)

    assert told.startswith("machjudge: there is no ")
    assert number in told


@pytest.mark.parametrize("noise", ["x", "L", "-1", "1.5", "٣", "LL1"])
def test_what_is_no_number_is_told(table, noise) -> None:
    """As a usage error."""
    assert "neither a mail" in keeper(table, "keeper", "show", "--", noise, code=2)


def test_replaying_a_game_that_is_not_there_is_told(table) -> None:
    """In one line."""
    assert (
        keeper(table, "replay", "sforza", code=2) == "machjudge: there is no game called sforza\n"
    )


@pytest.fixture
def played(tmp_path, lay) -> Path:
    """The folder of a judge on which one campaign of a game was played."""
    table = lay()
    table.start()
    for power, orders in HOLDS.items():
        table.say(table.seats[power], table.signon(power, table.seats), *orders)
    assert table.moments() == ["S1385M", "S1385M"]
    return tmp_path


def change(folder: Path, step: Callable[[dict], None], version: str) -> None:
    """Change the stored document of the campaign, and the version that made it."""
    engine = open_engine(url_in(folder))
    with writing(engine) as connection:
        changed = connection.scalar(select(PhaseRow.document).where(PhaseRow.number == 1))
        step(changed)
        tampered = {"document": changed, "adjudicator": version}
        connection.execute(update(PhaseRow).where(PhaseRow.number == 1).values(**tampered))
        connection.commit()
    engine.dispose()


def test_replay_finds_what_is_as_stored(played) -> None:
    """A line for each phase, and a sum."""
    assert printed(played, "replay", "Borgia").splitlines() == [
        "   0  S1385M  as stored",
        "   1  S1385M  as stored",
        "2 phases, 0 of them wrong",
    ]


def test_replay_finds_a_position_that_was_tampered_with(played) -> None:
    """Its events do not lead to it."""
    change(played, lambda phase: phase["after"].update(sieges=["flo"]), __version__)

    found = printed(played, "replay", "borgia", code=1)

    assert "   1  S1385M  WRONG: its events do not lead to the position after it" in found
    assert "2 phases, 1 of them wrong" in found


def other_orders(phase: dict) -> None:
    """Florence has written something else."""
    for line in phase["orders"]["L"]:
        if line["canonical"] == "A flo h":
            line["canonical"] = line["written"] = "A flo - bol"


@pytest.mark.parametrize(("version", "code"), [(__version__, 1), ("0.0.9", 0)])
def test_replay_finds_a_phase_that_plays_otherwise(played, version, code) -> None:
    """Wrong if this version has played it; of an older one the difference is told."""
    change(played, other_orders, version)

    found = printed(played, "replay", "borgia", code=code)

    made_by = "this version" if code else "0.0.9"
    assert f"   1  S1385M  played by {made_by}, comes out otherwise now" in found
    assert "      - Held(" in found
    assert "      + AdvanceFailed(" in found


def test_migrating_says_what_it_did(tmp_path) -> None:
    """A new database is named as such; then there is nothing to be done."""
    first, second = printed(tmp_path, "migrate"), printed(tmp_path, "migrate")

    made = r"(?:step \d+: .+\n)+The database is ready: its tables have been made \(step (\d+)\)\.\n"
    latest = re.fullmatch(made, first)
    assert latest is not None
    assert second == f"The database is up to date (step {latest[1]}).\n"


# --- figures -------------------------------------------------------------------------------------


def figures(table: Table) -> dict[str, float]:
    """What `machjudge metrics` prints, without the comments."""
    rows = [row for row in keeper(table, "metrics").splitlines() if not row.startswith("#")]
    return {name: float(value) for name, _, value in (row.rpartition(" ") for row in rows)}


def test_figures_count_what_there_is_and_what_waits(table) -> None:
    """By their states, those with nothing in them too."""
    table.receive("otto", "list")
    with table.application.store.writing() as uow:
        uow.outbox.put(Outgoing("otto@example.com", "Results", "Dear Otto,\n"))
        uow.commit()

    seen = figures(table)

    assert seen[f'machjudge_info{{version="{__version__}"}}'] == 1
    assert {name: value for name, value in seen.items() if value and "seconds" not in name} == {
        f'machjudge_info{{version="{__version__}"}}': 1,
        'machjudge_mails{state="waiting"}': 1,
        'machjudge_mails{state="aside"}': 1,
        'machjudge_messages{state="waiting"}': 1,
        'machjudge_messages{state="given up"}': 1,
    }
    assert seen['machjudge_games{state="running"}'] == 0
    # The table's clock stands still at an instant that may be over, or not.
    assert seen["machjudge_oldest_mail_seconds"] == pytest.approx(
        seen["machjudge_oldest_message_seconds"]
    )


def test_figures_of_a_running_game_that_is_overdue(lay) -> None:
    """Its phase was not played, and the judge has looked at its clock long ago."""
    table = lay()
    table.start()
    before = figures(table)
    tick(table.application)

    assert "machjudge_last_look_seconds" not in before
    assert before['machjudge_games{state="running"}'] == 1
    later = replace_clock(table, 30)
    assert later["machjudge_overdue_games"] == 1
    assert later["machjudge_last_look_seconds"] == 30 * 86_400


def replace_clock(table: Table, days: int) -> dict[str, float]:
    """The figures as they would be so many days after the table's own time."""
    with reading(table.application.engine) as connection:
        now = table.clock.now + timedelta(days=days)
        found = figures_at(connection, now)
    rows = [row for row in lines(found, now) if not row.startswith("#")]
    return {name: float(value) for name, _, value in (row.rpartition(" ") for row in rows)}


def test_figures_are_in_the_text_format(table) -> None:
    """Each with what it means and its kind, before its samples; names and labels as they may be."""
    rows = keeper(table, "metrics").splitlines()
    shape = r'# (HELP \w+ .+|TYPE \w+ gauge)|machjudge_\w+(\{\w+="[^"\\]*"\})? [0-9.e+]+'

    assert [row for row in rows if not re.fullmatch(shape, row)] == []
    named = [row.split()[2] for row in rows if row.startswith("# TYPE")]
    sampled = [re.split("[ {]", row)[0] for row in rows if not row.startswith("#")]
    assert list(dict.fromkeys(sampled)) == named


def test_figures_make_no_database(tmp_path) -> None:
    """In the wrong folder, the one that is missing is named."""
    told = printed(tmp_path, "metrics", code=2)

    # On a server there is one, and nothing in it.
    assert re.search("there is no database|the database .* is empty", told)
    assert not (tmp_path / "judge.db").exists()
