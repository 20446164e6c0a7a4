"""The steps lead from nothing to the tables of this version, and back."""

import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, insert, inspect, select, text

from machjudge.db.engine import open_engine, reading, writing
from machjudge.db.mail_queues import StoredSendQueue
from machjudge.db.maintenance import EMPTY, migrate
from machjudge.db.people import write_token
from machjudge.db.schema_version import SchemaStanding, WrongSchema, standing
from machjudge.db.tables import Base, ReplyTokenRow
from machjudge.db.work import DatabaseStore
from machjudge.judge.credentials import AddressToken
from machjudge.judge.mails import Attachment, Outgoing
from machjudge.judge.records import Calendar, GameId, Notice, PersonId
from machjudge.judge.secret import fixed
from machjudge.settings import migrations_folder
from tests.db.examples import GAME, LUCIA, OTTO, PHASE
from tests.release.upgrades import old_judge, steps

STEPS = migrations_folder()
NUMBERS = sorted(each.stem for each in (STEPS / "versions").glob("0*.py"))
NEWEST = NUMBERS[-1]
DUE = datetime(2026, 11, 20, 13, tzinfo=UTC)


@pytest.fixture
def engine(empty_url):
    """An engine for an empty database."""
    engine = open_engine(empty_url, creates=True)
    yield engine
    engine.dispose()


def tables(engine) -> set[str]:
    """The names of the tables, Alembic's own apart."""
    return set(inspect(engine).get_table_names()) - {"alembic_version"}


def where(engine) -> SchemaStanding:
    """Where the database stands."""
    with reading(engine) as connection:
        return standing(connection, STEPS)


def test_models_equal_migrations(empty_url, engine) -> None:
    """Nothing is left to be migrated: who changes a table writes a step."""
    migrate(empty_url, STEPS)

    with engine.connect() as connection:
        context = MigrationContext.configure(
            connection, opts={"compare_type": True, "compare_server_default": True}
        )
        assert compare_metadata(context, Base.metadata) == []


def test_up_down_and_up_again(empty_url, engine) -> None:
    """Down leaves nothing behind, and the way up is open again."""
    migrate(empty_url, STEPS)
    up = tables(engine)
    migrate(empty_url, STEPS, EMPTY)
    down = tables(engine)
    migrate(empty_url, STEPS)

    assert (down, tables(engine)) == (set(), up)
    assert up == set(Base.metadata.tables)


def test_each_step_that_is_done_is_told(empty_url) -> None:
    """With what it is about, so that anyone who waits for a large database knows how far it is."""
    told: list[str] = []
    migrate(empty_url, STEPS, "0001")
    migrate(empty_url, STEPS, tell=told.append)

    assert [each.partition(":")[0] for each in told] == [f"step {n}" for n in NUMBERS[1:]]
    assert told[0] == (
        "step 0002: The observer's seat to which a message goes, who can leave by an address in it."
    )


def test_migrating_twice_changes_nothing(empty_url, engine) -> None:
    """What was stored stays."""
    migrate(empty_url, STEPS)
    clock = lambda: LUCIA.registered.astimezone(UTC)  # noqa: E731
    store = DatabaseStore(engine, "a worker", clock, fixed(bytes(32)))
    with store.writing() as uow:
        uow.persons.save(LUCIA)
        uow.persons.save(OTTO)
        uow.games.add(GAME)
        uow.phases.add(PHASE, [])
        uow.commit()

    before, after = migrate(empty_url, STEPS)

    assert before == after
    with store.reading() as uow:
        assert uow.phases.get(GAME.id, 0) == PHASE


def test_it_is_known_where_a_database_stands(empty_url, engine) -> None:
    """Empty, current, or at a step that only a newer version knows."""
    seen = [where(engine)]
    migrate(empty_url, STEPS)
    seen.append(where(engine))
    with writing(engine) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
        connection.commit()
    seen.append(where(engine))

    assert seen == [SchemaStanding.EMPTY, SchemaStanding.CURRENT, SchemaStanding.UNKNOWN]
    with pytest.raises(WrongSchema, match="9999"):
        migrate(empty_url, STEPS)


def test_a_database_before_the_newest_step_is_older(empty_url, engine, tmp_path) -> None:
    """It goes there when it is migrated, and says so before."""
    newer = tmp_path / "newer"
    shutil.copytree(STEPS, newer)
    step = newer / "versions" / "9998.py"
    step.write_text(
        f'revision = "9998"\ndown_revision = "{NEWEST}"\n\n\ndef upgrade():\n    pass\n',
        encoding="utf-8",
    )
    migrate(empty_url, STEPS)

    with reading(engine) as connection:
        before = standing(connection, newer)
    assert (before, migrate(empty_url, newer)) == (SchemaStanding.OLDER, (NEWEST, "9998"))


# What stood in a database of each step; later ones add what is new in them.
LETTER = (
    "INSERT INTO outbox (id, made, recipient, subject, body, phase, thread, state, due, tries,"
    " deaths) VALUES (7, '2026-11-20 12:00:00', 'a@x.example', 'Results', 'A per H', 'S1454M',"
    " '[]', 'waiting', '2026-11-20 12:00:00', 0, 0)"
)

PERSON = (
    "INSERT INTO persons (id, name, zone, registered, standing)"
    " VALUES ('p9', 'Rosa', 'UTC', '2026-11-20 12:00:00', 'confirmed')"
)


FILES_IN_A_TABLE = [step for step in NUMBERS if step < "0012"]
FILE = (
    "INSERT INTO attachments (letter, rank, name, media_type, content)"
    " VALUES (7, :rank, :name, 'text/plain', :content)"
)
MAP, RULES = Attachment("map.svg", "text/plain", b"a\nb\0"), Attachment("é", "text/plain", b"")


def add_files(connection: Connection) -> None:
    """Let the letter have files, as they were kept in a table of their own."""
    for rank, each in enumerate((MAP, RULES)):
        connection.execute(text(FILE), {"rank": rank, "name": each.name, "content": each.content})


@pytest.mark.parametrize("step", FILES_IN_A_TABLE)
def test_files_of_a_letter_come_along_from_their_table(empty_url, engine, step) -> None:
    """In their order, an empty one too."""
    migrate(empty_url, STEPS, step)
    with writing(engine) as connection:
        connection.execute(text(LETTER))
        add_files(connection)
        connection.commit()

    migrate(empty_url, STEPS)

    letter = StoredSendQueue(engine, "a sender").claim(DUE, DUE + timedelta(minutes=1))
    assert letter is not None
    assert letter.outgoing.attachments == (MAP, RULES)


@pytest.mark.parametrize("step", NUMBERS)
def test_a_database_of_every_earlier_step_becomes_one_of_today(empty_url, engine, step) -> None:
    """With what was in it: a letter that waits is sent as it was written; people are there."""
    migrate(empty_url, STEPS, step)
    with writing(engine) as connection:
        connection.execute(text(LETTER))
        connection.execute(text(PERSON))
        connection.commit()

    assert migrate(empty_url, STEPS) == (step, NEWEST)

    letter = StoredSendQueue(engine, "a sender").claim(DUE, DUE + timedelta(minutes=1))
    assert letter is not None
    assert letter.id == 7
    assert letter.outgoing == Outgoing("a@x.example", "Results", "A per H", phase="S1454M")
    store = DatabaseStore(engine, "a worker", lambda: DUE, fixed(bytes(32)))
    with store.reading() as uow:
        rosa = uow.persons.get(PersonId("p9"))
    assert rosa is not None
    assert rosa.calendar is Calendar.ON
    with reading(engine) as connection:
        assert standing(connection, STEPS) is SchemaStanding.CURRENT


def test_the_log_loses_in_every_language_who_was_forgotten_before(empty_url, engine) -> None:
    """And reply tokens with their address; of others nothing is lost."""
    migrate(empty_url, STEPS, "0028")
    store = DatabaseStore(engine, "a worker", lambda: DUE, fixed(bytes(32)))
    forgotten = replace(OTTO, name="(forgotten)", addresses=())
    tokens = [AddressToken(each.id, each.addresses[0]) for each in (LUCIA, OTTO)]
    log = [
        Notice(GAME.id, DUE, None, "joined", f"{text} joined", {"it": f"{name} si unisce"})
        for text, name in (("(forgotten)", "Otto"), ("Lucia", "Lucia"))
    ]
    with store.writing() as uow:
        for person in (LUCIA, forgotten):
            uow.persons.save(person)
        uow.games.add(GAME)
        for notice in log:
            uow.notices.add(notice)
        uow.commit()
    with writing(engine) as connection:
        for number, token in enumerate(tokens):
            row = {"hashed": str(number), "speaks": write_token(token), "made": DUE}
            connection.execute(insert(ReplyTokenRow), row)
        connection.commit()

    migrate(empty_url, STEPS)

    with store.reading() as uow:
        kept = [each.translations for each in uow.notices.all_of(GAME.id)]
    with reading(engine) as connection:
        left = connection.scalars(select(ReplyTokenRow.hashed)).all()
    assert kept == [None, {"it": "Lucia si unisce"}]
    assert left == ["0"]


@pytest.mark.sqlite
@pytest.mark.parametrize("step", steps())
def test_games_and_phases_of_every_kept_judge_are_read(step, tmp_path) -> None:
    """A setting, an option or a fact that came later has a value for them."""
    url = old_judge(step, tmp_path, "none").database
    migrate(url, STEPS)
    old = open_engine(url)
    store = DatabaseStore(old, "a worker", lambda: DUE, fixed(bytes(32)))

    with store.reading() as uow:
        games = [uow.games.get(GameId(name)) for name in ("intro", "ducats")]
        played = [uow.phases.get(game.id, number) for game in games for number in range(3)]

    assert [game.name for game in games] == ["intro", "ducats"]
    assert None not in played
    old.dispose()


def test_a_database_of_another_program_is_left_alone(empty_url, engine) -> None:
    """No table is added beside those of others."""
    with writing(engine) as connection:
        connection.execute(text("CREATE TABLE recipes (id INTEGER)"))
        connection.commit()

    assert where(engine) is SchemaStanding.UNKNOWN
    with pytest.raises(WrongSchema, match="another program"):
        migrate(empty_url, STEPS)
    assert tables(engine) == {"recipes"}


def test_broken_references_are_found_before_they_are_kept(tmp_path) -> None:
    """SQLite does not check them while tables are rebuilt: the migration does in the end."""
    url = f"sqlite:///{tmp_path / 'judge.db'}"
    migrate(url, STEPS)
    careless = open_engine(url, foreign_keys=False)
    with writing(careless) as connection:
        connection.execute(
            text(
                "INSERT INTO addresses (address, person, rank) VALUES ('a@x.example', 'nobody', 0)"
            )
        )
        connection.commit()
    careless.dispose()

    with pytest.raises(WrongSchema, match="addresses"):
        migrate(url, STEPS)


def test_two_at_once_make_one_database(empty_url, engine) -> None:
    """`serve` and `tick` may both come first."""
    with ThreadPoolExecutor(2) as pool:
        steps = list(pool.map(lambda _: migrate(empty_url, STEPS), range(2)))

    assert sorted(steps, key=str) == [(NEWEST, NEWEST), (None, NEWEST)]
    assert where(engine) is SchemaStanding.CURRENT
