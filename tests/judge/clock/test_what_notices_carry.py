"""Reminders, late notices and takeovers bring what the first message of the phase brought."""

from datetime import timedelta

import pytest

from machjudge.judge.game_settings import Policy, Treasuries
from machjudge.judge.mails import Outgoing
from machjudge.judge.tick import look_at_games
from tests.judge.house import House, built_once
from tests.judge.letters_in import master, results_to, write
from tests.judge.riches import springtime
from tests.judge.year import OPENING, SPRING, address_of, order, play
from tests.results_told import tells_results

ANNA, DINO = "anna@player.example", "dino@other.example"


@built_once
def silent(*orders: str) -> House:
    """A Spring in which Florence sends nothing, or *orders*."""
    house = House()
    house.start(options=("nodice",))
    house.change_settings(policy=Policy.WAIT)
    play(house, OPENING)
    play(house, SPRING, without="L")
    if orders:
        order(house, "L", *orders)
    house.mails_out()
    return house


def notice(house: House, before: timedelta) -> Outgoing:
    """What Florence gets at so long before the deadline."""
    house.now = house.view().clock.deadline - before
    look_at_games(house.services, house.now)
    (found,) = [each for each in house.mails_out() if each.to == ANNA]
    return found


def form_of(body: str) -> list[str]:
    """The lines to send back, without what explains them."""
    return body.partition("LINES TO SEND BACK\n")[2].partition("\nSend these")[0].splitlines()


@pytest.mark.parametrize("before", [timedelta(hours=7), timedelta(0)])
def test_notices_have_form_reach_map_and_buttons(before: timedelta) -> None:
    """With orders on file as they are there, so that the form sent as it is loses none."""
    told = notice(silent("A flo - sie"), before)

    assert form_of(told.body) == ["A Arezzo H", "A Florence - Siena", "F Pisa H"]
    assert "A Arezzo reaches Florence, Perugia, Siena, Urbino." in told.body
    assert "OR SEND ONE LINE\n" in told.body
    assert ("SET WAIT" in told.body) is bool(before)
    assert "write SIGNON LBorgia and your password" in " ".join(told.body.split())
    assert [each.cid for each in told.attachments] == ["map"]
    assert told.layout
    assert told.takes_token


def test_the_form_of_a_reminder_makes_the_orders_complete() -> None:
    """An answer with it as it stands."""
    house = silent("A flo - sie")
    told = notice(house, timedelta(hours=7))
    sent = write(house, ANNA, "SIGNON Lborgia pwL", *form_of(told.body))

    assert any(tells_results(each.body, "S1454M") for each in sent)


def test_others_get_no_form_and_no_map() -> None:
    """Who is not late has nothing to send."""
    house = silent()
    house.now = house.view().clock.deadline
    look_at_games(house.services, house.now)
    other = next(each for each in house.mails_out() if each.to == address_of(house, "V"))

    assert other.subject == "borgia: waiting for Florence (S1454M)"
    assert "LINES TO SEND BACK" not in other.body
    assert other.attachments == ()


def taken_over(house: House) -> str:
    """What somebody new reads who takes Turkey over after Spring."""
    write(house, address_of(house, "T"), "SIGNON Tborgia pwT", "RESIGN")
    lines = ("REGISTER", "Name: Dino Grasso", "END", "SIGNON Tborgia tulip9")
    return next(each.body for each in write(house, DINO, *lines) if each.to == DINO)


@built_once
def played(**settings: object) -> House:
    """A game in Summer, in which Turkey has lost its fleet to nobody."""
    house = springtime()
    house.change_settings(**settings)
    for power in "IVLPNTAF":
        order(house, power, "hold all")
    return house


def test_a_takeover_brings_a_dossier() -> None:
    """The last phase, how all stand, who leads what, chits and ducats; no address of anybody."""
    house = played()
    body = taken_over(house)

    assert "IN SPRING 1454\nYou lost nothing and took nothing.\n" in body
    assert "STANDING\nMilan: " in body
    assert "Turkey: 3 cities, 5 provinces, 40 ducats\n" in body
    assert "Milan: Lucia\n" in body.partition("PLAYERS\n")[2]
    assert "Turkey: Dino Grasso\n" in body
    assert "Assassination chits" in body
    assert "player.example" not in body


def test_a_dossier_stands_as_the_master_has_corrected_it() -> None:
    """Ducats and cities are those of now; what was corrected stands with the phase."""
    house = played()
    fix = ("FIX TREASURY Turkey 6 BECAUSE of a slip", "FIX OWNER Turkey CITY Siena BECAUSE of it")
    master(house, *fix)
    body = taken_over(house)
    phase = body.partition("IN SPRING 1454\n")[2].partition("\n\n")[0]

    assert "Treasury: 6d\n" in body
    assert "Turkey: 4 cities (+1), 5 provinces, 6 ducats\n" in body
    assert "Turkey has 6 ducats now: because of a slip." in phase


def test_a_dossier_tells_no_correction_of_hidden_money() -> None:
    """Of another's ducats it says that they were corrected, as all were told."""
    house = played(treasuries=Treasuries.PRIVATE)
    master(house, "FIX TREASURY Venice 77 BECAUSE of a slip")
    body = taken_over(house)

    assert "of a slip" in body.partition("IN SPRING 1454\n")[2].partition("\n\n")[0]
    assert "77" not in body


def test_a_dossier_tells_what_the_seat_may_know() -> None:
    """Neither treasuries of others where they are hidden, nor people in an anonymous game."""
    body = taken_over(played(treasuries=Treasuries.PRIVATE, anonymous=True))
    standing = body.partition("STANDING\n")[2].partition("\n\n")[0]

    assert "40 ducats" in next(each for each in standing.splitlines() if "Turkey" in each)
    assert standing.count("ducats") == 1
    assert "Lucia" not in body


def test_the_welcome_names_a_signon_that_is_taken() -> None:
    """A game that has begun is joined by one of its open seats."""
    house = springtime()
    write(house, address_of(house, "T"), "SIGNON Tborgia pwT", "RESIGN")
    (told,) = (each.body for each in write(house, DINO, "Hello?") if each.to == DINO)

    assert "SIGNON TBorgia yourpassword\n" in told
    assert "?Borgia" not in told


def test_a_longer_phase_says_why() -> None:
    """One after a phase that was played early; one with the usual time says nothing."""
    house = House()
    house.start(options=("nodice",))
    early = " ".join(results_to(play(house, OPENING), ANNA).body.split())
    house.later(days=5)
    usual = " ".join(results_to(play(house, SPRING), ANNA).body.split())

    assert "The last phase was played early, and the deadline that it had stays;" in early
    assert "a campaign usually has 72 hours." in early
    assert "usually" not in usual
