"""What a master does is taken back by the lines of the answer: every command, one by one."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from machjudge.judge.command_table import TABLE
from machjudge.judge.commands import MASTERS
from machjudge.judge.game_settings import GameSettings
from machjudge.judge.mails import Outgoing
from machjudge.judge.people import new_person
from machjudge.judge.records import AddressStanding, Game
from machjudge.judge.rule_settings import EVERY_OPTION
from machjudge.judge.undo import LINES
from tests.judge.house import House, built_once
from tests.judge.letters_in import write
from tests.judge.phases.test_mastering import GINA, master, previewed, ruled, said
from tests.judge.seats.test_seating import DINO
from tests.judge.year import OPENING, order, play

CASES: Mapping[str, Mapping[str, Any]] = tomllib.loads(
    (Path(__file__).parent / "undone.toml").read_text(encoding="utf-8")
)
OGLE = "ogle@watch.example"


@built_once
def house_of(kind: str) -> House:
    """A game that forms, that has begun, or whose Spring of 1454 has been played."""
    if kind == "forming":
        house = House()
        write(house, GINA, "CREATE ?borgia masterkey 1454")
        known(house, DINO, "Dino")
        return house
    house = ruled()
    known(house, DINO, "Dino")
    write(house, OGLE, "OBSERVE borgia spyglass4")
    play(house, OPENING)
    order(house, "L", "A flo - pst", "SET WAIT")
    if kind == "played":
        master(house, previewed(house))
    return house


def known(house: House, address: str, name: str) -> None:
    """Somebody who is registered."""
    person = new_person(house.services, address, name, house.now)
    confirmed = replace(person, standing=AddressStanding.CONFIRMED)
    house.store.tables.persons[person.id] = confirmed


def lines_back(letters: Sequence[Outgoing]) -> list[str]:
    """The lines in the answer that take back what was done."""
    body = next(x.body for x in letters if x.to == GINA and "Re:" in x.subject)
    _, found, rest = body.partition("TO UNDO THIS\n")
    return [line.strip() for line in rest.partition("\n\n")[0].split("\n")] if found else []


def as_it_is(house: House, besides: Sequence[str] = ()) -> Mapping[str, object]:
    """What counts of a game: all but how often it was written, who was heard, and what was told."""
    game = house.game()
    clock = game.clock
    if clock is not None:
        clock = replace(clock, entered=None, warned=(), opened=False, late_told=None)
    game = replace(
        game,
        clock=clock,
        seats=tuple(replace(seat, generation=0) for seat in game.seats),
    )
    left_out = {"version", "heard", "warned", "position", *besides}
    found: dict[str, object] = {
        field.name: getattr(game, field.name)
        for field in fields(Game)
        if field.name not in left_out
    }
    if game.position is not None:
        view = house.view()
        found["state"] = view.state
        found["orders"] = {
            power: [line.canonical for line in order_set.lines]
            for power, order_set in view.order_sets.items()
        }
    return found


def test_every_command_of_masters_is_looked_at() -> None:
    """Those that players may use as well are theirs."""
    assert set(CASES) == {entry.name for entry in TABLE if entry.who <= MASTERS}


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if "line" in case])
def test_what_a_master_does_is_undone_by_the_lines_of_the_answer(name: str) -> None:
    """They stand in the answer, and make the game what it was."""
    case = CASES[name]
    house = house_of(case["in"])
    for line in case.get("first", ()):
        who, _, rest = line.partition(" ")
        if who.startswith("!"):
            write(house, who[1:], rest)
        else:
            master(house, line)
    house.later(minutes=5)
    before, at_first = as_it_is(house, case.get("but", ())), as_it_is(house)
    line = previewed(house) if name == "process" else case["line"]
    sent = master(house, line)
    told = said(sent)

    assert "NOT TAKEN" not in told
    assert as_it_is(house) != at_first
    named = lines_back(sent)
    assert named, told
    back = said(master(house, *named))
    assert "NOT TAKEN" not in back
    assert as_it_is(house, case.get("but", ())) == before


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if "never" in case])
def test_a_command_that_cannot_be_undone_says_so_in_the_table(name: str) -> None:
    """A reason in words, and no line with which to try."""
    assert " " in CASES[name]["never"]
    assert "line" not in CASES[name]


def values(name: str) -> list[str]:
    """Two values of an option, as masters write them."""
    option = EVERY_OPTION[name]
    usual = option.default
    if isinstance(usual, bool):
        return ["true", "false"]
    if option.choices:
        return [str(getattr(each, "value", each)) for each in option.choices]
    if isinstance(usual, int):
        return ["3", "4"]
    return []


@pytest.mark.parametrize("name", sorted({*EVERY_OPTION}))
def test_each_option_is_set_back_to_what_it_was(name: str) -> None:
    """From the usual value, and from another one, with all that changes with it."""
    house = house_of("forming")
    for value in values(name):
        before = as_it_is(house)
        sent = master(house, f"SET OPTION {name} {value}")
        if as_it_is(house) == before:
            continue
        named = lines_back(sent)
        assert named, (name, value)
        master(house, *named)
        assert as_it_is(house) == before, (name, value, named)
        master(house, f"SET OPTION {name} {value}")


def test_every_setting_that_masters_change_has_its_line() -> None:
    """None is forgotten when one is added: what no line sets is never set."""
    options = {option.field for option in EVERY_OPTION.values()}
    apart = {"press", "allowed", "denied", "invited", "shut_out", "first_hours", "zone"}
    unset = {"late_hours", "practice", "tutorial"}
    every = {field.name for field in fields(GameSettings)}

    assert every == {*LINES, *apart, *unset, *(options & every)}
