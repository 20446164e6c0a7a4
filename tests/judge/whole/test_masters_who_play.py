"""A game that lets its master play: masters see nothing that others do not.

Two games differ only in what other seats keep secret; whatever a master sends, and whatever the
judge sends by itself, he reads the same in both.
"""

import tomllib
from dataclasses import replace
from datetime import timedelta
from functools import cache
from pathlib import Path

import pytest

from machjudge.adjudicator.names import PowerId
from machjudge.judge.game_settings import Fog, Treasuries
from machjudge.judge.mails import Outgoing
from machjudge.judge.records import GameId
from machjudge.judge.tick import look_at_games
from tests.judge.house import House
from tests.judge.letters_in import write
from tests.judge.phases.test_mastering import GINA, MASTER, ruled
from tests.judge.riches import position
from tests.judge.year import OPENING, SPRING, address_of, order, play

RIGHTS = tomllib.loads((Path(__file__).parent / "rights.toml").read_text(encoding="utf-8"))
PUBLIC = frozenset({"process", "rollback", "terminate", "declare", "force begin"})
"""What makes public, or ends, what was secret: everybody reads of it."""
LINES = {name: row[1].split("|") for name, row in RIGHTS.items() if name not in PUBLIC}
MORE = {
    "list full": ["LIST borgia FULL"],
    "who late": ["WHO LATE"],
    "fix money": ["FIX TREASURY Venice +3 BECAUSE so it was"],
    "fix chits": ["FIX CHITS Venice Milan Turkey BECAUSE so it was"],
    "fix unit": ["FIX UNIT Venice A ver BECAUSE so it was"],
    "nudge one": ["NUDGE Venice"],
    "eject and become": ["EJECT Venice", "BECOME Venice", "LIST"],
    "eject and lead": ["EJECT Venice", "SIGNOFF"],
    "questions": ["Who is late?", "Has Venice ordered?", "When is the deadline?"],
    "what if": ["WHATIF", "Venice:", "A pad - fer", "Florence:", "A flo - pst", "END"],
    "rules": ["SET NOFAMINE", "SET NOSPECIAL", "SET NOMONEY"],
    "replay": ["GET REPLAY"],
}
ORDERS = {
    "V": (
        ("A pad h", "A ver h", "F dal h", "G ven h"),
        ("A pad - fer", "F dal - las", "hold rest"),
    ),
    "L": (("hold all",), ("A flo - pst", "F psa - lig", "hold rest")),
}
NOT_LATE = {p: lines for p, lines in SPRING.items() if p not in "VLT"}


@cache
def played(*, leads: bool, hides: bool) -> House:
    """A game in its first Spring whose masters may play; Gina leads Turkey, or nothing."""
    house = ruled()
    hidden = {"treasuries": Treasuries.PRIVATE, "special_public": False, "fog": Fog.KARTTUNEN}
    settings = replace(house.game().settings, master_plays=True, **(hidden if hides else {}))
    house.change(settings=settings)
    if leads:
        game = house.game()
        seats = tuple(
            replace(s, person=game.master, address=GINA) if "T" in s.powers else s
            for s in game.seats
        )
        house.change(seats=seats)
        write(house, GINA, "SIGNON Tborgia pwT", *OPENING["T"])
    play(house, OPENING, "T" if leads else "")
    play(house, {**NOT_LATE, "I": SPRING["I"]})
    house.mails_out()
    return house


def with_secrets(which: int, *, leads: bool, hides: bool) -> House:
    """That game with one of two sets of secrets; a copy that nothing else touches."""
    return copied(secretive(which, leads=leads, hides=hides))


def copied(built: House) -> House:
    """A house with everything in it that is in another."""
    house = House(now=built.now)
    house.store.tables = built.store.tables.copied()
    return house


@cache
def secretive(which: int, *, leads: bool, hides: bool) -> House:
    """That game with one of two sets of secrets."""
    house = copied(played(leads=leads, hides=hides))
    one, other = ("V", "L") if which else ("L", "V")
    order(house, one, *ORDERS[one][which], "PHASE U1454M", "hold all", "always hold rest")
    order(house, one, "SET WAIT", "SET DRAW", "SET PRIORITY A")
    order(house, one, f"PRESS TO {other}", f"Let us take {one} alone.", "ENDPRESS")
    order(house, one, "DIARY", f"I trust {other}.", "ENDPRESS")
    order(house, one, "POSTAL PRESS", f"{one} writes.", "ENDPRESS")
    if hides:
        rich = {PowerId(one): 7, PowerId(other): 11}
        position(house, treasuries={**house.view().state.treasuries, **rich})
    house.mails_out()
    return house


def to_gina(sent: list[Outgoing]) -> list[tuple[object, ...]]:
    """All that the master reads of some messages."""
    mine = (m for m in sent if m.to == GINA)
    return [(m.subject, m.body, tuple((a.name, a.content) for a in m.attachments)) for m in mine]


@pytest.mark.parametrize(("leads", "hides"), [(False, False), (True, True)])
@pytest.mark.parametrize("name", [*LINES, *MORE])
def test_no_mail_of_a_master_brings_what_others_cannot_see(
    name: str, leads: bool, hides: bool
) -> None:
    """With every command there is, from the master's seat and from that of his power."""
    lines = {**LINES, **MORE}[name]
    openings = [MASTER, "SIGNON Tborgia pwT"] if leads else [MASTER]
    for opening in openings:
        read = [
            to_gina(write(with_secrets(n, leads=leads, hides=hides), GINA, opening, *lines))
            for n in (0, 1)
        ]
        assert read[0] == read[1]


@pytest.mark.parametrize("hides", [False, True])
@pytest.mark.parametrize("leads", [False, True])
def test_no_message_of_the_judge_tells_a_master_more(leads: bool, hides: bool) -> None:
    """Until the deadline; where the game is quiet also after it."""
    read = []
    for n in (0, 1):
        house = with_secrets(n, leads=leads, hides=hides)
        house.change(settings=replace(house.game().settings, quiet=True))
        # When his own seat is open, he reads with it which others are, as every player does.
        end = house.view().clock.grace - timedelta(hours=6)
        sent: list[Outgoing] = []
        while house.now < end:
            house.later(hours=6)
            look_at_games(house.services, house.now)
            sent += house.mails_out()
        read.append(to_gina(sent))

    assert read[0] == read[1]


def test_a_master_who_may_play_takes_a_seat_before_the_game_begins_only() -> None:
    """Who can eject somebody could else read what was on file for that power."""
    house = with_secrets(0, leads=False, hides=False)
    write(house, GINA, MASTER, "EJECT Venice")

    sent = write(house, GINA, "SIGNON Vborgia tulip99")

    assert "take a seat only before it begins" in " ".join(sent[0].body.split())
    assert address_of(house, "V") != GINA


def test_the_setting_is_shown_and_stays() -> None:
    """Nobody looks first and plays then, or plays first and looks then."""
    house = with_secrets(0, leads=False, hides=False)

    said = " ".join(write(house, GINA, MASTER, "LIST", "SET NOMASTER PLAYS")[0].body.split())

    assert "The master may play, and sees nothing that others do not." in said
    assert house.game().settings.master_plays
    assert house.game(GameId("borgia")).settings.master_plays


@pytest.mark.parametrize("name", ["who late", "nudge", "preview", "become"])
def test_a_master_who_may_not_play_reads_the_difference(name: str) -> None:
    """So that the comparison above can fail."""
    read = []
    for n in (0, 1):
        house = with_secrets(n, leads=False, hides=False)
        house.change(settings=replace(house.game().settings, master_plays=False))
        lines = {**LINES, **MORE}[name]
        shown = ["BECOME Venice", "LIST"] if name == "become" else lines
        read.append(to_gina(write(house, GINA, MASTER, *shown)))

    assert read[0] != read[1]
