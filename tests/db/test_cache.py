"""What is decoded of games is kept from one transaction to the next, and is never stale."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import event, update

from machjudge.db.engine import writing
from machjudge.db.games import GameCache, Known
from machjudge.db.tables import GameRow
from machjudge.db.work import DatabaseStore
from machjudge.judge.ports import UnitOfWork
from machjudge.judge.records import (
    Author,
    Game,
    Kept,
    Note,
    NoteKind,
    Plan,
    PlanPart,
    Role,
    Seat,
)
from tests.db.examples import FLORENCE, GAME, LUCIA, NOW, OTTO, PHASE, SHEET, VENICE

SIGNED = Author(Role.PLAYER, (VENICE,))
NOTE = Note(GAME.id, NoteKind.POSTAL, OTTO.id, 1, 2, SIGNED, NOW, "S1454M", "Beware.")
PLAN = Plan(GAME.id, VENICE, 1, (PlanPart("S1455M", (Kept("a ven h", "A Venice H"),)),), NOW, None)


@pytest.fixture
def store(house) -> DatabaseStore:
    """A store with a game whose first phase is processed, read once."""
    store = house.store()
    with store.writing() as uow:
        uow.games.add(GAME)
        uow.persons.save(LUCIA)
        uow.persons.save(OTTO)
        uow.phases.add(PHASE, ())
        uow.commit()
    view(store)
    return store


def view(store: DatabaseStore) -> tuple[object, ...]:
    """All that is kept of the game, as a transaction reads it."""
    with store.reading() as uow:
        game = uow.games.get(GAME.id)
        return (
            game,
            uow.phases.get(GAME.id, PHASE.number),
            uow.phases.last_number(GAME.id),
            dict(uow.order_sets.on_file(GAME.id, SHEET.after)),
            dict(uow.plans.on_file(GAME.id)),
            uow.notes.all_of(GAME.id, NoteKind.POSTAL),
            uow.persons.of(game.people) if game is not None else {},
        )


@contextmanager
def counted(house) -> Iterator[list[str]]:
    """The statements that are sent meanwhile."""
    said: list[str] = []

    def note(connection: object, cursor: object, statement: str, *_: object) -> None:
        said.append(statement)

    event.listen(house.engine, "before_cursor_execute", note)
    yield said
    event.remove(house.engine, "before_cursor_execute", note)


def change(
    store: DatabaseStore,
    write: Callable[[UnitOfWork, Game], object],
    *,
    adds_only_sheets: bool = False,
    **columns: object,
) -> None:
    """Change the game, and what belongs to it, in one transaction."""
    with store.reading() as uow:
        read = uow.games.get(GAME.id)
    with store.writing() as uow:
        game = replace(read, version=read.version + 1, **columns)
        uow.games.save(game, read, adds_only_sheets=adds_only_sheets)
        write(uow, read)
        uow.commit()


def nothing(uow: UnitOfWork, game: Game) -> None:
    """Write nothing more."""


CHANGES = {
    "sheet": lambda uow, _: uow.order_sets.add(SHEET),
    "two sheets": lambda uow, _: (
        uow.order_sets.add(replace(SHEET, power=VENICE)),
        uow.order_sets.add(replace(SHEET, power=FLORENCE, number=SHEET.number + 1)),
        uow.order_sets.add(replace(SHEET, power=VENICE, number=SHEET.number + 1, flawed=True)),
    ),
    "plan": lambda uow, _: uow.plans.add(PLAN),
    "note": lambda uow, _: uow.notes.add(NOTE),
    "phase": lambda uow, _: uow.phases.add(replace(PHASE, number=PHASE.number + 1), ()),
    "nothing": nothing,
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_was_written_is_read_as_it_is_stored(house, store, name) -> None:
    """By the process that wrote it, and by one that had read the game before."""
    other = house.store()
    view(other)

    change(store, CHANGES[name])

    assert view(store) == view(other) == view(house.store())


@pytest.mark.parametrize(
    "added",
    [
        [(VENICE, 2)],
        [(VENICE, 2), (VENICE, 3)],
        [(FLORENCE, 1), (VENICE, 2), (FLORENCE, 2)],
        [],
    ],
    ids=str,
)
def test_of_a_game_that_got_order_sets_elsewhere_those_alone_are_read(house, store, added) -> None:
    """With one statement, beside the one that asks for the version, however many came."""
    change(store, CHANGES["sheet"], adds_only_sheets=True)
    other = house.store()
    view(other)
    for power, number in added:
        order_set = replace(SHEET, power=power, number=number, lines=SHEET.lines[:number])
        change(
            store,
            lambda uow, _, order_set=order_set: uow.order_sets.add(order_set),
            adds_only_sheets=True,
        )
    change(store, nothing, adds_only_sheets=True)

    with counted(house) as said:
        seen = view(other)

    assert seen == view(store) == view(house.store())
    assert len([each for each in said if each.startswith("SELECT")]) == 2


def test_what_changed_before_the_last_order_set_is_read_as_well(house, store) -> None:
    """Anyone who knows a version from before the change reads all."""
    other = house.store()
    view(other)

    change(store, CHANGES["plan"], heard=NOW)
    change(store, CHANGES["sheet"], adds_only_sheets=True)

    assert view(other) == view(store) == view(house.store())


@pytest.mark.parametrize(
    "columns",
    [
        {"heard": NOW},
        {"seats": GAME.seats[:1]},
        {"seats": (*GAME.seats, Seat(9, Role.OBSERVER, LUCIA.id, "l@x.example", "hash"))},
        {"clock": replace(GAME.clock, deadline=GAME.clock.deadline + timedelta(hours=1))},
    ],
    ids=lambda each: next(iter(each)),
)
def test_a_game_that_has_changed_is_read_again(house, store, columns) -> None:
    """Its seats and its clock are those that are stored."""
    other = house.store()
    view(other)

    change(store, nothing, **columns)

    assert view(store) == view(other) == view(house.store())


def test_a_transaction_that_was_undone_leaves_nothing(house, store) -> None:
    """What it wrote was never there."""
    before = view(store)
    with store.writing() as uow:
        uow.games.save(replace(GAME, version=GAME.version + 1), GAME)
        uow.order_sets.add(SHEET)

    assert view(store) == before == view(house.store())


def test_an_order_set_changes_no_more_than_itself(house, store) -> None:
    """A game that nobody else has changed is read with one statement, its people included."""
    change(store, CHANGES["sheet"])

    with counted(house) as said:
        view(store)

    assert len([each for each in said if each.startswith("SELECT")]) == 1


def test_people_change_without_their_game(store) -> None:
    """They are read each time."""
    moved = replace(LUCIA, name="Lucia B.", addresses=("new@example.com", "b@example.com"))
    with store.writing() as uow:
        uow.persons.save(moved)
        uow.commit()

    with store.reading() as uow:
        uow.games.get(GAME.id)
        assert uow.persons.get(LUCIA.id) == moved


def test_a_later_game_of_the_same_name_is_another_one(house, store) -> None:
    """Although it has the version of the one that was removed."""
    other = house.store()
    with writing(house.engine) as connection:
        connection.execute(update(GameRow).values(secret=bytes(32), status="forming"))
        connection.commit()
    with other.reading() as uow:
        now = uow.games.get(GAME.id)

    with store.reading() as uow:
        assert uow.games.get(GAME.id) == now != GAME


def test_nothing_is_taken_from_memory_after_the_clock_was_set_back(store, house) -> None:
    """Instants were brought back in every table."""
    change(store, CHANGES["note"])
    view(store)
    with house.store().writing() as uow:
        uow.heartbeat.set_back(NOW - timedelta(days=400))
        uow.commit()

    assert view(store) == view(house.store())


def test_the_games_read_longest_ago_go_first() -> None:
    """Memory stays small."""
    cache = GameCache(most=2)
    for name in ("a", "b", "a", "c"):
        if cache.get(name) is None:
            cache.put(name, Known(1, b""))

    assert [name for name in "abc" if cache.get(name) is not None] == ["a", "c"]


def test_an_older_version_takes_the_place_of_no_newer_one() -> None:
    """A slow reader changes nothing for the others."""
    cache = GameCache()
    cache.put(GAME.id, Known(2, b"s"))
    cache.put(GAME.id, Known(1, b"s"))

    assert cache.get(GAME.id) == Known(2, b"s")
