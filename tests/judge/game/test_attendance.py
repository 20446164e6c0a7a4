"""Who keeps the deadlines: counted in each game, told by ``info player``, asked of newcomers."""

import pytest

from machjudge.adjudicator.names import PowerId
from machjudge.judge.game_view import attended, percent_left, percent_on_time
from machjudge.judge.process import process
from machjudge.judge.records import Attendance, PersonId
from machjudge.judge.tick import look_at_games
from tests.judge.house import House
from tests.judge.letters_in import ask, write
from tests.judge.phases.test_mastering import GINA, master, ruled, said
from tests.judge.year import address_of, order

DINO = "dino@other.example"
FLO = PowerId("L")


def hold_all(house: House, *powers: str) -> None:
    """These powers order everything that they have."""
    for power in powers:
        order(house, power, *_holds(house, power))


def _holds(house: House, power: str) -> list[str]:
    units = house.view().state.units_of(PowerId(power))
    return [f"{unit.kind.value} {unit.place} H" for unit in units]


def tick_late(house: House) -> None:
    """The deadline passes, and everybody is told."""
    house.now = house.view().clock.deadline
    look_at_games(house.services, house.now)
    house.mails_out()


def record(house: House, power: str) -> Attendance:
    """How the player of a power kept his deadlines."""
    game = house.game()
    (seat,) = [seat for seat in game.seats if power in seat.powers]
    assert seat.person is not None
    return attended(game, seat.person)


def test_deadline_counts_the_late_and_the_punctual() -> None:
    """Once in a phase, however often the notice is repeated."""
    house = ruled("nomoney")
    hold_all(house, "V")
    tick_late(house)
    house.later(hours=25)
    look_at_games(house.services, house.now)
    late, punctual = record(house, "L"), record(house, "V")

    assert (late.on_time, late.late) == (0, 1)
    assert (punctual.on_time, punctual.late) == (1, 0)


def test_phase_that_is_complete_counts_for_all() -> None:
    """Nobody was late, and the late notices of no phase are counted twice."""
    house = ruled("nomoney")
    hold_all(house, *"IVLPNTAF")

    assert house.view().state.moment.code != "S1454M"
    assert {(each.on_time, each.late) for each in house.game().attendance} == {(1, 0)}


def test_master_who_plays_a_phase_early_makes_nobody_late() -> None:
    """Anyone who has not ordered yet had time left: nothing is noted of him."""
    house = ruled("nomoney")
    hold_all(house, "V")
    with house.store.reading() as uow:
        changes, _ = process(house.services, uow, house.view(), house.now)
    game = changes.game
    assert game is not None
    counted = {each.person for each in game.attendance}
    (venice,) = [seat.person for seat in game.seats if "V" in seat.powers]

    assert counted == {venice}


def test_resigning_counts_as_leaving() -> None:
    """Also after somebody else has the seat."""
    house = ruled("nomoney")
    (seat,) = [seat for seat in house.game().seats if "L" in seat.powers]
    order(house, "L", "RESIGN")

    assert seat.person is not None
    assert attended(house.game(), seat.person).left == 1


# --- what is told of it ----------------------------------------------------------------------


def test_info_player_tells_numbers_by_name_and_by_address() -> None:
    """Never the other of the two, to a master of the game."""
    house = ruled("nomoney")
    tick_late(house)
    address = address_of(house, "L")
    by_address = said(master(house, f"INFO PLAYER {address}"))
    by_name = said(master(house, "INFO PLAYER anna"))

    assert "In time in 0 of 1 phase (0%), in 1 game." in by_address
    assert "In time in 0 of 1 phase (0%), in 1 game." in by_name
    assert "Anna" not in by_address
    assert address not in by_name


def test_info_player_refuses_whom_nobody_knows() -> None:
    """And says how to ask."""
    assert "write an address, or a name from WHO" in ask(House(), "INFO PLAYER Machiavelli")


def test_info_player_tells_nothing_of_an_anonymous_game_that_goes_on() -> None:
    """Else one could see who leads the power that is late."""
    house = ruled("nomoney")
    house.change_settings(anonymous=True)
    tick_late(house)

    assert "No deadlines so far." in said(master(house, "INFO PLAYER anna"))


def test_listing_and_notices_say_how_often_somebody_was_late_where_the_game_counts() -> None:
    """``set late count``; without it no number stands anywhere."""
    house = ruled("nomoney")
    assert "LATE SO FAR" not in said(master(house, "LIST"))

    master(house, "SET LATE COUNT")
    assert "LATE SO FAR Nobody so far." in said(master(house, "LIST"))

    house.now = house.view().clock.deadline
    look_at_games(house.services, house.now)
    notices = [x.body for x in house.mails_out() if "waiting for" in x.subject]

    assert "Florence (late 1 time)" in notices[0]
    assert "LATE SO FAR Milan: 1 time" in said(master(house, "LIST"))


# --- who may join ----------------------------------------------------------------------------


def test_percentages_are_of_phases_and_of_games() -> None:
    """Without any there are none."""
    dino = PersonId("dino")
    kept = [Attendance(dino, 3, 1), Attendance(dino, 1, 0, left=1)]

    assert percent_on_time(kept) == 80
    assert percent_left(kept) == 50
    assert percent_on_time([]) is None
    assert percent_left([Attendance(dino)]) == 0


def second_game(house: House, *settings: str) -> None:
    """Another game that forms, with bars."""
    write(house, GINA, "CREATE ?sforza masterkey 1454")
    write(house, GINA, "SIGNON Msforza masterkey", *settings)


@pytest.mark.parametrize(
    ("bar", "refusal"),
    [
        ("SET RELIABILITY 0.8", "in time in 80% of phases; you were in 0%"),
        ("SET RESRAT 20", "leave 20% of games at most; you left 100%"),
    ],
)
def test_bar_keeps_out_whose_record_does_not_reach_it(bar: str, refusal: str) -> None:
    """Somebody without a record may join, and the person who is invited."""
    house = ruled("nomoney")
    tick_late(house)
    address = address_of(house, "L")
    order(house, "L", "RESIGN")
    second_game(house, bar)

    assert refusal in ask(house, "SIGNON ?sforza tulip9", sender=address)
    assert "You have joined" in ask(house, "SIGNON ?sforza tulip9")

    write(house, GINA, "SIGNON Msforza masterkey", f"SET ALLOW PLAYER {address}")
    assert "You have joined" in ask(house, "SIGNON ?sforza tulip9", sender=address)


@pytest.mark.parametrize("wrong", ["SET ONTIMERAT often", "SET RESRAT 101", "SET ONTIMERAT -1"])
def test_bar_is_a_number_of_100(wrong: str) -> None:
    """The refusal shows how it is written."""
    house = ruled("nomoney")

    assert "write a number from 0 to 100" in said(master(house, wrong)).lower()
