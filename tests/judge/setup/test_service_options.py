"""Service options: set by name, by a set of rules, and told like the options of the rules."""

from dataclasses import replace

import pytest

from machjudge.judge.game_settings import (
    GameSettings,
    Policy,
    Quitting,
    Ratings,
    Treasuries,
    with_preset,
)
from tests.cases import cases
from tests.judge.house import House, started
from tests.judge.letters_in import answer, write
from tests.judge.setup.test_ruling import LUCIA, MASTER, forming, master


@pytest.mark.parametrize(
    ("line", "policy", "treasuries"),
    [
        ("SET OPTION late_orders hold", Policy.HOLD, Treasuries.PUBLIC),
        ("SET OPTION late orders = civil disorder", Policy.CIVIL_DISORDER, Treasuries.PUBLIC),
        ("SET OPTION treasury_visibility private", Policy.WAIT, Treasuries.PRIVATE),
    ],
)
def test_a_service_option_is_set_by_its_name(
    line: str, policy: Policy, treasuries: Treasuries
) -> None:
    """As the settings do that say the same."""
    house = forming()
    master(house, line)

    settings = house.game().settings
    assert (settings.policy, settings.treasuries) == (policy, treasuries)


@cases
def test_the_listing_says_how_the_game_is_run_where_it_is_not_as_usual(
    line: str, says: str
) -> None:
    """And nothing of it where it is."""
    house = forming()
    assert says not in master(house, "LIST")

    master(house, f"SET OPTION {line}")
    assert says in master(house, "LIST")


def test_the_kinds_of_units_stay_hidden_or_not_once_the_game_has_begun() -> None:
    """Else somebody could be shown what was promised to be hidden."""
    house = started()

    assert "NOT TAKEN" in master(house, "SET OPTION special_public false")
    assert house.game().settings.special_public


def test_games_are_set_for_ratings_points_until_they_begin() -> None:
    """The players are told, the listing says so, and nobody changes it in the middle."""
    house = forming()
    write(house, LUCIA, "SIGNON ?borgia tulip9")
    said = master(house, "SET OPTION ratings battleline")

    assert "The players get ratings points for their places" in said
    assert "(ratings: battleline)." in said
    assert house.game().settings.ratings is Ratings.BATTLELINE
    assert "The players get ratings points" in master(house, "LIST")
    assert "Ratings is off, battleline or hof" in master(house, "SET OPTION ratings elo")

    running = House()
    running.start("1454")
    assert "Ratings does not change once the game has begun" in master(
        running, "SET OPTION ratings hof"
    )
    assert running.game().settings.ratings is Ratings.OFF


def test_f135_the_listing_marks_games_for_the_hall_of_fame() -> None:
    """23 cities or more win them; a game that is set for it and has fewer says what it takes."""
    house = forming()
    assert "hall of fame" not in master(house, "LIST")

    master(house, "SET OPTION ratings hof")
    assert "It takes 23 cities for the hall of fame." in master(house, "LIST")

    master(house, "SET CITIES 23")
    assert "Qualifies for the hall of fame." in master(house, "LIST")

    master(house, "SET OPTION ratings off")
    assert "Qualifies for the hall of fame." in master(house, "LIST")


def test_a_game_may_end_by_itself_by_a_word_of_its_master() -> None:
    """Also once it has begun, and nothing else changes."""
    house = House()
    before = house.start("1454").settings
    said = master(house, "SET OPTION victory_auto true")

    assert "(victory_auto: true)" in said
    assert house.game().settings == replace(before, auto_victory=True)


@cases
def test_what_cannot_be_is_refused_with_what_could(line: str, says: str) -> None:
    """And nothing changes."""
    house = forming()
    before = house.game().settings

    assert says in master(house, line)
    assert house.game().settings == before


def test_who_sees_the_treasuries_stays_once_the_game_has_begun() -> None:
    """By its name as by its setting."""
    house = started()
    said = master(house, "SET OPTION treasury_visibility private")

    assert "NOT TAKEN" in said
    assert not house.game().settings.hidden_money


@pytest.mark.parametrize(
    ("preset", "policy", "treasuries", "ratings"),
    [
        ("judge", Policy.WAIT, Treasuries.PUBLIC, Ratings.OFF),
        ("battleline_basic", Policy.HOLD, Treasuries.PUBLIC, Ratings.BATTLELINE),
        ("karttunen", Policy.HOLD, Treasuries.PRIVATE, Ratings.BATTLELINE),
    ],
)
def test_a_set_of_rules_says_how_the_game_is_run(
    preset: str, policy: Policy, treasuries: Treasuries, ratings: Ratings
) -> None:
    """Whatever was set before; the other settings stay."""
    before = GameSettings(policy=Policy.CIVIL_DISORDER, dias=True)

    expected = GameSettings(
        policy=policy,
        treasuries=treasuries,
        ratings=ratings,
        auto_victory=preset != "judge",
        quitting=Quitting.NONE if preset == "judge" else Quitting.AUTONOMOUS,
        dias=True,
    )
    assert with_preset(before, preset) == expected


def test_a_set_of_rules_that_changes_service_options_says_so() -> None:
    """In the answer."""
    house = forming()
    master(house, "SET NMR HOLD")
    said = master(house, "SET PRESET judge")

    assert "the rules are those of judge. The game waits for the late" in said
    assert house.game().settings.policy is Policy.WAIT


def test_another_scenario_says_which_service_options_it_resets() -> None:
    """As it does of the rules."""
    house = forming()
    master(house, "SET OPTION late_orders hold")
    said = master(house, "SET SCENARIO 1385")

    assert "late_orders hold" in said
    assert house.game().settings.policy is Policy.WAIT


def test_the_rules_asked_for_say_how_the_game_is_run() -> None:
    """Where it is run otherwise than its set of rules says."""
    house = forming()
    master(house, "SET OPTION treasury_visibility private")
    said = " ".join(answer(write(house, LUCIA, MASTER, "GET RULES"), LUCIA).split())

    assert "- Each player sees their own ducats only, until the game is over." in said


def test_differences_tell_of_service_options() -> None:
    """Between a game and a set of rules."""
    house = forming()
    master(house, "SET OPTION late_orders hold")
    said = master(house, "DIFFERENCES judge")

    assert "late_orders" in said
    assert "judge: The game waits for the late" in said


def test_help_tells_of_service_options() -> None:
    """In the list, and of each alone with its value in this game."""
    house = forming()
    master(house, "SET OPTION late_orders hold")

    assert "treasury_visibility: public, private" in master(house, "HELP OPTIONS")
    said = master(house, "HELP OPTION late_orders")
    assert "In this game it is hold." in said
    assert "GET RULES" not in said


def test_a_game_of_another_conduct_plays_the_same_rules() -> None:
    """The rules know nothing of the desk."""
    house = forming()
    before = house.game()
    master(house, "SET OPTION late_orders hold")

    assert house.game().rules == before.rules
    assert replace(house.game().settings, policy=Policy.WAIT) == before.settings


# --- what a game has not ----------------------------------------------------------------------


def test_nothing_is_said_of_building_where_units_are_only_paid() -> None:
    """In the first adjustment of the game of 1978 nothing is built (INC-16)."""
    house = House()
    house.start("1454", ["battleline"], keep_mails=True)
    first = next(x.body for x in house.mails_out() if "maintain" in x.body)

    assert "new unit" not in " ".join(first.split()).lower()
    house = House()
    house.start("1454", keep_mails=True)
    usual = next(x.body for x in house.mails_out() if "maintain" in x.body)
    assert "You can build" in usual
