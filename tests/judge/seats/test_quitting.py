"""What becomes of a power whose player resigns, by the option `quit_rule`."""

import pytest

from machjudge.adjudicator.names import AUTONOMOUS, PlaceId
from machjudge.adjudicator.units import GARRISON
from machjudge.judge.game_settings import Quitting
from tests.cases import cases
from tests.judge.house import House, built_once, started
from tests.judge.letters_in import write
from tests.judge.year import OPENING, SPRING, address_of, play

WITHOUT_TURKEY = {power: lines for power, lines in SPRING.items() if power != "T"}


@pytest.fixture
@built_once
def house() -> House:
    """A game in its first campaign, in which the person who quits is out."""
    house = started()
    house.change_settings(quitting=Quitting.AUTONOMOUS)
    play(house, OPENING)
    return house


def resign(house: House) -> list:
    """The player of Turkey writes."""
    return write(house, address_of(house, "T"), "SIGNON Tborgia pwT", "RESIGN")


def test_units_of_who_quits_go_and_autonomous_garrisons_hold_the_cities(house: House) -> None:
    """At once, in every fortified city that the power had."""
    resign(house)
    state = house.view().state

    assert "T" in state.eliminated
    assert state.units_of("T") == []
    held = [state.garrisons[PlaceId(place)] for place in ("dur", "tun")]
    assert [(unit.owner, unit.kind) for unit in held] == 2 * [(AUTONOMOUS, GARRISON)]
    assert "T" not in state.provinces.values()


def test_the_others_are_told_and_nobody_is_asked_to_take_the_seat(house: House) -> None:
    """In one message each."""
    sent = resign(house)
    (told,) = [mail for mail in sent if mail.to == address_of(house, "V")]

    assert told.subject.endswith(": Turkey out of the game (S1454M)")
    assert (
        "Turkey is out of the game, and its units are gone. Autonomous garrisons stand in"
        " Durazzo and Tunis now."
    ) in " ".join(told.body.split())
    assert "SIGNON" not in told.body


def test_the_game_goes_on_without_the_power(house: House) -> None:
    """No orders of it are waited for."""
    resign(house)
    play(house, WITHOUT_TURKEY)

    assert house.view().state.moment.code == "U1454M"


def test_the_record_has_it(house: House) -> None:
    """As a change of the position between two phases, which a replay makes again."""
    resign(house)
    after = house.view().phase

    assert after.moment == "S1454M"
    assert after.parent == after.number - 1
    assert {event.because for event in after.events} == {"its player has left"}


def test_by_the_usual_rules_the_seat_is_open() -> None:
    """And the units stay."""
    house = started()
    play(house, OPENING)
    sent = resign(house)

    assert any(mail.subject.endswith(": a player wanted for Turkey (S1454M)") for mail in sent)
    assert len(house.view().state.units_of("T")) == 3


def test_a_resignation_of_an_eliminated_power_asks_for_nobody(house: House) -> None:
    """Whatever became of it before."""
    house.change_settings(quitting=Quitting.NONE)
    master = ("gina@player.example", "SIGNON Mborgia masterkey")
    write(house, *master, "FIX ELIMINATION Turkey BECAUSE a test")
    sent = resign(house)

    assert any(mail.subject.endswith(": Turkey out of the game (S1454M)") for mail in sent)
    assert not any("wanted for" in mail.subject for mail in sent)


NEWCOMER = "olga@elsewhere.example"


@cases
def test_no_answer_offers_a_seat_that_is_out_of_the_game(
    house: House, address: str, lines: list[str]
) -> None:
    """Neither to somebody new nor to the person who has left it."""
    resign(house)
    sent = write(house, address or address_of(house, "T"), *lines)
    said = " ".join(" ".join(mail.body for mail in sent).split())

    assert "Tborgia pass" not in said.replace("TBorgia", "Tborgia")
    assert "seat is open" not in said
    assert "open seats" not in said
    assert "open: T" not in said
    assert "Open seats: T" not in said
    assert "to take the power over" not in said
    if any("SIGNON T" in line for line in lines):
        assert "That power is eliminated, and there is nothing to lead" in said


def test_a_seat_that_is_only_left_is_offered() -> None:
    """By the usual rules, in each of these answers."""
    house = started()
    play(house, OPENING)
    resign(house)

    for line, offer in {
        "LIST": "Open seats: T",
        "LIST borgia": "Open seats: T; to take one: SIGNON TBorgia and a password of your own.",
        "hello there": "open: T",
        "SIGNON ?borgia secret": "open seats: T",
    }.items():
        sent = write(house, NEWCOMER, line)
        assert offer in " ".join(" ".join(mail.body for mail in sent).split())
