"""Who may use what, cell by cell: the table of commands against ``rights.toml``, and real mails.

A command that somebody may use can still fail for another reason; it is never refused by right.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from machjudge.adjudicator.names import PowerId
from machjudge.judge.command_table import TABLE
from machjudge.judge.commands import ENTRIES, Caller
from machjudge.judge.people import new_person
from machjudge.judge.records import GameId
from tests.judge.house import House
from tests.judge.letters_in import write
from tests.judge.phases.test_mastering import GINA, MASTER, ruled
from tests.judge.year import address_of

RIGHTS: Mapping[str, list[str]] = tomllib.loads(
    (Path(__file__).parent / "rights.toml").read_text(encoding="utf-8")
)
ROLES = ("stranger", "observer", "player", "eliminated", "organiser", "co-master", "master")
AS = dict(
    zip(
        ROLES,
        (
            Caller.ANYBODY,
            Caller.OBSERVER,
            Caller.PLAYER,
            Caller.PLAYER,
            Caller.MASTER,
            Caller.CO_MASTER,
            Caller.MASTER,
        ),
        strict=True,
    )
)
OGLE, CARO, STRANGER = "ogle@watch.example", "caro@desk.example", "strange@far.example"
NOT_ALLOWED = re.compile(r"[Tt]hat is for [^.]* only|[Ss]ign on first")


def may(name: str, role: str) -> bool:
    """What ``rights.toml`` says."""
    return RIGHTS[name][0].split()[ROLES.index(role)] == "+"


@cache
def stage(organiser_plays: bool) -> House:
    """A game with an observer, a co-master, and a power that is eliminated."""
    house = ruled("nomoney")
    for address, line in ((OGLE, "OBSERVE borgia tulip9"), (CARO, "OBSERVE borgia rose88")):
        write(house, address, line)
    write(house, GINA, MASTER, f"PROMOTE {CARO}")
    last = house.store.tables.phases[-1]
    out = replace(last.after, eliminated=frozenset({PowerId("F")}))
    house.store.tables.phases[-1] = replace(last, after=out)
    if organiser_plays:
        _let_the_master_play(house)
    return house


def _let_the_master_play(house: House) -> None:
    game = house.game()
    gina = new_person(house.services, "other@desk.example", "Gina", house.now)
    seats = tuple(
        replace(seat, person=game.master) if "T" in seat.powers else seat for seat in game.seats
    )
    assert gina.id != game.master
    house.store.tables.games[GameId("borgia")] = replace(game, seats=seats)


def answer_as(role: str, *lines: str) -> str:
    """What a mail in that role is answered, in one line; the stage stays as it is."""
    built = stage(role == "organiser")
    house = House(now=built.now)
    house.store.tables = built.store.tables.copied()
    sender, opening = {
        "stranger": (STRANGER, ""),
        "observer": (OGLE, "SIGNON Oborgia tulip9"),
        "player": (address_of(house, "L"), "SIGNON Lborgia pwL"),
        "eliminated": (address_of(house, "F"), "SIGNON Fborgia pwF"),
        "organiser": (GINA, MASTER),
        "co-master": (CARO, "SIGNON Mborgia rose88"),
        "master": (GINA, MASTER),
    }[role]
    sent = write(house, sender, *[line for line in (opening, *lines) if line])
    return " ".join(" ".join(x.body for x in sent if "Re:" in x.subject).split())


# --- the table -------------------------------------------------------------------------------


@pytest.mark.parametrize("role", ROLES)
def test_table_gives_each_role_what_is_written_down(role: str) -> None:
    """No right more, no right less."""
    given = {e.name for e in TABLE if AS[role] in e.who or Caller.ANYBODY in e.who}

    assert given == {name for name in RIGHTS if may(name, role)}


# --- real mails ------------------------------------------------------------------------------


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("name", RIGHTS)
def test_mail_is_refused_by_right_exactly_where_it_is_written_down(name: str, role: str) -> None:
    """In the game of 1454, in its first Spring."""
    text = answer_as(role, *RIGHTS[name][1].split("|"))

    assert text
    assert bool(NOT_ALLOWED.search(text)) is not may(name, role)


@pytest.mark.parametrize(
    ("line", "refusal"),
    [
        ("PREVIEW", "you play in this game, so the phase is not shown to you"),
        ("BECOME Venice", "you play in this game, so you cannot write as another player"),
    ],
)
def test_master_who_plays_has_the_right_and_not_the_sight(line: str, refusal: str) -> None:
    """What would show him the orders of others is refused; others may use the same line."""
    assert refusal in answer_as("organiser", line).lower()
    assert refusal not in answer_as("master", line).lower()


@pytest.mark.parametrize("line", ["SET PASSWORD tulip77", "SET ADDRESS new@far.example", "RESIGN"])
def test_master_who_becomes_a_power_stays_out_of_what_is_its_players_own(line: str) -> None:
    """Nobody loses his seat or his mails by it."""
    text = answer_as("master", "BECOME Venice", line)

    assert "only the player may do that" in text.lower()


@pytest.mark.parametrize("line", ["SET WAIT", "SET DRAW", "SET CONCEDE V", "SET ABSENCE 24 Dec"])
def test_player_of_an_eliminated_power_holds_nobody_up(line: str) -> None:
    """He may watch and write press; the game does not wait for him."""
    assert "the game does not wait for you" in answer_as("eliminated", line)
    assert "the game does not wait for you" not in answer_as("player", line)


def test_help_of_a_command_says_who_may_use_it() -> None:
    """From the same row."""
    assert "Who: the master" in answer_as("stranger", "HELP PROMOTE")
    assert ENTRIES["promote"].who == frozenset({Caller.MASTER})
