"""What a process loads before it has anything to do; each starts a Python of its own."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import update

from machjudge.app import application as database
from machjudge.app.application import prepare_database
from machjudge.app.machine import now
from machjudge.cli.serve import is_quiet
from machjudge.db.engine import open_engine, writing
from machjudge.db.schema_version import WrongSchema, newest_step
from machjudge.db.tables import OutboxRow
from machjudge.judge.mails import Outgoing
from machjudge.judge.ports import UnitOfWork
from machjudge.judge.records import AddressStanding
from machjudge.judge.tick_times import BEAT
from machjudge.mail.server import arrival
from machjudge.settings import Settings, load, migrations_folder
from tests.app.processes import Installation, mail
from tests.db.examples import GAME, LUCIA, OTTO

FORKS = False
"""Its processes begin as a keeper's do."""

NEEDED_BY_A_TICK = {"click", "sqlalchemy", "typing_extensions", "psycopg", "tzdata"}
"""All that is loaded of what is installed, if nothing is due; the driver of a server among it."""


@pytest.fixture
def resting(judge: Installation) -> Installation:
    """A judge with a game in which nothing is due for an hour."""

    def begin(uow: UnitOfWork) -> None:
        uow.persons.save(LUCIA)
        uow.persons.save(OTTO)
        uow.games.add(GAME)
        uow.games.rest(GAME, now() + timedelta(hours=1))
        uow.heartbeat.beat(now() - BEAT, BEAT)

    write(judge, begin)
    return judge


def write(judge: Installation, change: Callable[[UnitOfWork], None]) -> None:
    """Change what is in the database of a judge."""
    application = judge.rooms()
    try:
        with application.store.writing() as uow:
            change(uow)
            uow.commit()
    finally:
        application.close()


def test_starting_builds_no_grammar() -> None:
    """To import the whole program compiles no grammar and loads nothing that asks name servers."""
    script = (
        "import sys, machjudge.app\n"
        "from machjudge.language import command_parser, lexicon\n"
        "built = [each._grammar.cache_info().currsize for each in (command_parser, lexicon)]\n"
        "print(built, sorted({'dkim', 'dns', 'confusable_homoglyphs'} & set(sys.modules)))"
    )

    output = subprocess.check_output([sys.executable, "-c", script], text=True)  # noqa: S603

    assert output == "[0, 0] []\n"


def test_a_tick_with_nothing_to_do_loads_little(resting: Installation) -> None:
    """Libraries for a database and commands, and few modules; it notes its look at the clock."""
    (before,) = resting.rows("SELECT at FROM heartbeat")
    script = (
        "import sys; from machjudge.cli import main; main(['tick'], standalone_mode=False);"
        "print(*sys.modules)"
    )

    output = subprocess.check_output(  # noqa: S603 - our own arguments
        [sys.executable, "-c", script], text=True, env=resting.environment
    )

    loaded = set(output.split())
    packages = {name.partition(".")[0] for name in loaded if not name.startswith("_")}
    assert packages & set(packages_distributions()) <= NEEDED_BY_A_TICK
    assert sum(name.startswith("machjudge.") for name in loaded) <= 20
    assert resting.rows("SELECT at FROM heartbeat") > [before]


@pytest.mark.parametrize(
    "change",
    [
        lambda uow: uow.games.rest(GAME, now()),
        lambda uow: uow.games.save(replace(GAME, version=GAME.version + 1)),
        lambda uow: uow.outbox.put(Outgoing("lucia@example.com", "hello", "world")),
        lambda uow: uow.persons.save(replace(OTTO, standing=AddressStanding.CLAIMED)),
        lambda uow: uow.heartbeat.beat(now() - timedelta(days=30), BEAT),
        lambda uow: uow.heartbeat.beat(now() + timedelta(days=30), BEAT),
    ],
    ids=["time has come", "changed", "message", "unconfirmed", "judge was down", "clock set back"],
)
def test_a_tick_with_something_to_do_is_none_of_those(
    resting: Installation, change: Callable[[UnitOfWork], None]
) -> None:
    """Whatever a whole tick acts upon keeps it from being passed over."""
    settings = load(resting.environment)
    before = is_quiet(settings)

    write(resting, change)

    assert (before, is_quiet(settings)) == (True, False)


def test_a_digest_is_something_to_do_as_soon_as_it_is_due(resting: Installation) -> None:
    """Messages may wait for it for a day without anything else to do."""
    settings = load(resting.environment)
    held = Outgoing(OTTO.addresses[0], "hello", "world", held_for=OTTO.id)
    write(resting, lambda uow: uow.outbox.put(held))
    before = is_quiet(settings)

    long_ago(settings)

    assert (before, is_quiet(settings)) == (True, False)


def test_old_texts_are_something_to_do_once_a_day(resting: Installation) -> None:
    """Where the keeper wants them to go; else nobody looks for them."""
    settings = load(resting.environment)
    tidy = replace(settings, keep_mails=90)
    before = is_quiet(settings), is_quiet(tidy)

    resting.more["MACHJUDGE_KEEP_MAILS"] = "90"
    resting.run("tick")

    assert before == (True, False)
    assert is_quiet(tidy)


def test_web_pages_are_something_to_do_after_a_message(
    resting: Installation, tmp_path: Path
) -> None:
    """And where their index is not; what else may have changed is looked for once an hour."""
    settings = replace(load(resting.environment), web=tmp_path / "pages")
    resting.more["MACHJUDGE_WEB"] = str(settings.web)
    long_ago(settings)
    before = is_quiet(settings)
    resting.run("tick")
    written = is_quiet(settings)
    (tmp_path / "pages" / "index.html").unlink()
    lost = is_quiet(settings)
    resting.run("tick")
    found = is_quiet(settings)
    after_an_hour = is_quiet(settings, lambda: now() + timedelta(minutes=61))

    write(resting, lambda uow: uow.outbox.put(Outgoing("lucia@example.com", "hello", "world")))
    resting.run("tick")

    assert (before, written, lost, found, after_an_hour) == (False, True, False, True, False)
    assert not is_quiet(settings)


def long_ago(settings: Settings) -> None:
    """Let all messages so far be of another day."""
    engine = open_engine(settings.database)
    with writing(engine) as connection:
        connection.execute(update(OutboxRow).values(made=now() - timedelta(days=2)))
        connection.commit()
    engine.dispose()


def test_a_mail_that_waits_is_something_to_do(resting: Installation) -> None:
    """As soon as it is acknowledged."""
    application = resting.rooms()
    secret = application.services.secret
    application.arrivals.keep(
        [arrival(mail("lucia", "help"), "lucia@example.com", ["judge"], secret)]
    )
    application.close()

    assert not is_quiet(load(resting.environment))


@pytest.mark.sqlite
def test_a_database_of_another_version_is_never_quiet(judge: Installation) -> None:
    """What is to be done about it, the whole tick says; none is made or changed here."""
    settings = load(judge.environment)
    without = is_quiet(settings)
    judge.run("migrate")
    judge.run("tick")
    current = is_quiet(settings)
    judge.change("UPDATE alembic_version SET version_num = '0000'")

    assert (without, current, is_quiet(settings)) == (False, True, False)


def test_a_database_of_an_older_version_waits_for_migrate(tmp_path, monkeypatch) -> None:
    """The keeper is told to back it up and to migrate; nothing is changed before."""
    url = f"sqlite:///{tmp_path / 'judge.db'}"
    prepare_database(url)
    newer = tmp_path / "newer"
    shutil.copytree(migrations_folder(), newer)
    step = 'revision = "9998"\ndown_revision = "0001"\n'
    (newer / "versions" / "9998.py").write_text(step, encoding="utf-8")
    monkeypatch.setattr(database, "migrations_folder", lambda: newer)

    with pytest.raises(WrongSchema, match=r"older version: back it up, then machjudge migrate"):
        prepare_database(url)


def test_the_newest_step_is_the_one_that_alembic_knows() -> None:
    """The names of the migrations are in their order."""
    config = Config()
    config.set_main_option("script_location", str(migrations_folder()))

    assert (
        newest_step(migrations_folder()) == ScriptDirectory.from_config(config).get_current_head()
    )
