"""How a game gathers its players: scenario, deal, start, and what is told of all that."""

import pytest

from machjudge.judge.records import Role, Status
from machjudge.judge.tick import look_at_games
from tests.cases import cases
from tests.judge.house import House, built_once
from tests.judge.letters_in import answer, write
from tests.judge.phases.test_mastering import GINA, master, ruled, said
from tests.judge.year import address_of, order

DINO = "dino@other.example"
LETTERS = "IVLPNTAF"


@built_once
def forming() -> House:
    """A game that forms, of which Gina is the master."""
    house = House()
    write(house, GINA, "CREATE ?borgia masterkey 1454 nomoney")
    return house


def join(house: House, name: str, *lines: str) -> str:
    """Somebody joins; the answer in one line."""
    sender = f"{name}@player.example"
    sent = write(house, sender, f"SIGNON ?borgia pw{name}", *lines)
    return " ".join(next(x.body for x in sent if x.to == sender and "Re:" in x.subject).split())


def fill(house: House, *lines: str) -> None:
    """Eight players join, all of whom would like to lead Venice."""
    for number in range(8):
        join(house, f"p{number}", *lines)


# --- the scenario ----------------------------------------------------------------------------


def test_scenario_changes_with_its_rules_before_the_game_begins() -> None:
    """Preferences were for other powers, and are forgotten."""
    house = forming()
    join(house, "lucia", "SET PREFERENCES LV")
    text = said(master(house, "SET VARIANT 1499"))

    assert "The scenario is The Struggle for Dominance, part one (1499)" in text
    assert house.game().scenario == "1499"
    assert house.game().rules.game.money
    assert {seat.preferences for seat in house.game().seats} == {""}


@pytest.mark.parametrize(
    ("line", "on"), [("SET VARIANT nodice", False), ("SET NOT VARIANT nodice", True)]
)
def test_option_is_switched_as_a_variant(line: str, on: bool) -> None:
    """As the old judge had it: ``set variant`` and ``set not variant`` with an option."""
    house = forming()
    master(house, line)

    assert house.game().rules.game.dice is on


def test_scenario_with_fewer_powers_than_players_is_refused() -> None:
    """Nobody loses his seat by it."""
    house = forming()
    for number in range(6):
        join(house, f"p{number}")

    assert "6 players have joined, and mach_este is for 5" in said(
        master(house, "SET SCENARIO mach_este")
    )
    assert house.game().scenario == "1454"


def test_scenario_of_a_game_that_has_begun_stays() -> None:
    """The refusal says so."""
    assert "its scenario stays" in said(master(ruled("nomoney"), "SET SCENARIO 1499"))


def test_unknown_scenario_is_refused_with_those_that_there_are() -> None:
    """By their names."""
    assert "there are 1385, 1454" in said(master(forming(), "SET SCENARIO dunno"))


# --- the deal and the start ------------------------------------------------------------------


def test_prfrand_deals_without_regard_to_preferences() -> None:
    """The same game dealt by lists gives the first choice; by lot it is another deal."""
    wishes = [f"SET PREFERENCES {letter}" for letter in LETTERS]
    deals = []
    for setting in ("SET PRFLIST", "SET PRFRAND"):
        house = forming()
        master(house, setting)
        for number, wish in enumerate(wishes):
            join(house, f"p{number}", wish)
        seats = [seat for seat in house.game().seats if seat.role is Role.PLAYER]
        deals.append("".join(power for seat in seats for power in seat.powers))

    assert deals[0] == LETTERS
    assert deals[1] != LETTERS
    assert sorted(deals[1]) == sorted(LETTERS)


def test_manual_start_waits_for_the_word_of_the_master() -> None:
    """He is told that all seats are taken; FORCE BEGIN begins the game."""
    house = forming()
    master(house, "SET MANUAL START")
    for number in range(7):
        join(house, f"p{number}")
    sent = write(house, "last@player.example", "SIGNON ?borgia tulip9")

    assert "the master begins the game" in answer(sent, "last@player.example")
    assert "FORCE BEGIN begins the game" in answer(sent, GINA)
    assert house.game().status is Status.FORMING

    look_at_games(house.services, house.later(days=3))
    assert house.game().status is Status.FORMING

    master(house, "FORCE BEGIN")
    assert house.game().status is Status.RUNNING


# --- what is told ----------------------------------------------------------------------------


def test_secret_game_tells_only_its_master_how_many_are_missing() -> None:
    """Neither the list, nor the listing, nor the answer to a newcomer."""
    house = forming()
    master(house, "SET SECRET")
    sent = write(house, "lucia@player.example", "SIGNON ?borgia tulip9")
    asked = answer(write(house, DINO, "LIST", "LIST borgia"), DINO)

    assert "more player" not in answer(sent, "lucia@player.example")
    assert "7 more players needed" in answer(sent, GINA)
    assert "more player" not in asked
    assert "players wanted" in asked
    assert "7 more players needed" in said(master(house, "LIST"))


def test_quiet_game_tells_its_master_alone_who_goes_and_comes() -> None:
    """The others read nothing of it; the game goes on as before."""
    house = ruled("nomoney")
    master(house, "SET QUIET")
    gone = order(house, "L", "RESIGN")
    write(house, DINO, "REGISTER", "Name: Dino", "END")
    come = write(house, DINO, "SIGNON Lborgia tulip9")

    assert {x.to for x in gone} == {GINA, address_of(ruled("nomoney"), "L")}
    assert {x.to for x in come} == {GINA, DINO}


def test_quiet_game_tells_how_many_are_late_not_who() -> None:
    """The late themselves and the master read names."""
    house = ruled("nomoney")
    master(house, "SET QUIET")
    units = house.view().state.units_of("V")
    order(house, "V", *(f"{unit.kind.value} {unit.place} H" for unit in units))
    house.now = house.view().clock.deadline
    look_at_games(house.services, house.now)
    sent = house.mails_out()
    venice = next(x for x in sent if x.to == address_of(house, "V"))

    assert "waiting for 7 powers" in venice.subject
    assert "the game waits for 7 powers" in venice.body
    assert "Florence" in answer(sent, GINA)


def test_one_of_several_masters_is_named_when_he_sets_something() -> None:
    """Unless the game does not show it; a master alone needs no name."""
    house = forming()
    join(house, "lucia")
    write(house, DINO, "OBSERVE borgia tulip9")
    alone = master(house, "SET NODICE")
    master(house, "PROMOTE dino@other.example")
    shown = write(house, DINO, "SIGNON Mborgia tulip9", "SET DICE")
    master(house, "SET NO SHOW")
    hidden = write(house, DINO, "SIGNON Mborgia tulip9", "SET NODICE")
    lucia = "lucia@player.example"

    assert "Set by" not in answer(alone, lucia)
    assert "Set by Dino." in answer(shown, lucia)
    assert "Set by" not in answer(hidden, lucia)


# --- house rules -----------------------------------------------------------------------------


def test_long_comment_is_everything_up_to_end() -> None:
    """Nothing in it is read as a command; it takes the place of what was there."""
    house = forming()
    master(house, "SET COMMENT an old line")
    lines = ("SET COMMENT BEGIN", "No draws in this house.", "TERMINATE", "END", "SET NODICE")
    text = said(master(house, *lines))

    assert house.game().settings.comment == ("No draws in this house.", "TERMINATE")
    assert house.game().status is Status.FORMING
    assert not house.game().rules.game.dice
    assert "The comment has 2 lines now." in text


def test_long_comment_without_lines_is_refused() -> None:
    """And changes nothing."""
    house = forming()
    master(house, "SET COMMENT an old line")

    assert "write 1 to 30 lines" in said(master(house, "SET COMMENT BEGIN", "END")).lower()
    assert house.game().settings.comment == ("an old line",)


def test_a_comment_without_an_end_swallows_nothing() -> None:
    """Neither is it kept, nor is a command below it lost without a word."""
    house = forming()
    told = said(master(house, "SET COMMENT BEGIN", "Be kind.", "SET NODICE"))

    assert "This comment has no END; send it again with END below it." in told
    assert "line 4: SET NODICE" in told
    assert house.game().settings.comment == ()


# --- what there is not -----------------------------------------------------------------------


@cases
def test_what_another_judge_has_is_answered_with_what_there_is_here(
    line: str, teaches: str
) -> None:
    """One sentence, and no traceback."""
    house = forming()

    assert teaches.lower() in said(master(house, line)).lower()


def test_help_of_a_first_word_lists_what_begins_with_it() -> None:
    """HELP SET names every setting."""
    text = answer(write(House(), DINO, "HELP SET"), DINO)

    assert "SET DEADLINE" in text
    assert "SET RELIABILITY" in text
