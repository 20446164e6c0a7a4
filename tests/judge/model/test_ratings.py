"""Ratings points: places, ties, several powers, and what counts (area RAT)."""

import tomllib
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from machjudge.adjudicator.names import PowerId
from machjudge.judge.game_settings import Ratings
from machjudge.judge.ratings import (
    Led,
    RatedGame,
    RatedPlace,
    Record,
    Unrated,
    places_of,
    players_of,
    points_text,
    records_of,
    why_unrated,
)
from machjudge.judge.records import End, PersonId
from tests.adjudicator.numbers import RULES

pytestmark = pytest.mark.cover

CASES = tomllib.loads((Path(__file__).parent / "ratings.toml").read_text(encoding="utf-8"))["case"]


def finish(case: Mapping[str, Any]) -> RatedGame:
    """The game of a case."""
    seats = [seat.split() for seat in case["seats"]]
    return RatedGame(
        ratings=Ratings(case["ratings"]),
        end=End(case.get("end", "victory")),
        winners=tuple(map(PowerId, case["winners"])),
        cities={PowerId(power): number for power, number in case["cities"].items()},
        seats=tuple(
            Led(None if who == "-" else PersonId(who), tuple(map(PowerId, powers)))
            for who, powers in seats
        ),
        wins_with=case.get("wins_with", 15),
        is_named=case.get("named", True),
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["title"])
def test_players_get_the_points_of_the_rule(case: Mapping[str, Any]) -> None:
    """Or nobody gets any, for the reason that is told."""
    over = finish(case)
    why = Unrated(case["unrated"]) if "unrated" in case else None
    expected = {PersonId(who): Fraction(points) for who, points in case.get("points", {}).items()}

    assert why_unrated(over) is why
    got = records_of([over])
    assert {who: own[over.ratings].points for who, own in got.items()} == expected
    assert {own[over.ratings].games for own in got.values()} <= {1}


def test_every_rule_of_ratings_has_a_case() -> None:
    """But the one of how a skill rating is written, which is not about one game."""
    named = {rule for case in CASES for rule in case["rules"]}
    assert named | {"RAT-06"} == {rule for rule in RULES if rule.startswith("RAT")}


@pytest.mark.parametrize(
    ("times", "skill", "points"), [((2, 2, 1, 3, 2), "10-5.8", 58), ((1, 4, 2, 1, 2), "10-6.2", 62)]
)
def test_rat_06_a_skill_rating_is_the_points_of_a_game(
    times: tuple[int, ...], skill: str, points: int
) -> None:
    """As the book counts the places of two players in ten games of five."""
    worth = (10, 8, 6, 4, 2)
    record = Record()
    for place, (many, each) in enumerate(zip(times, worth, strict=True), start=1):
        for _ in range(many):
            record.add(RatedPlace(place, place, Fraction(each)))

    assert (record.skill_text, record.points) == (skill, points)
    assert record.places[2, 2] == (times[1], times[1] * 8)


def test_rat_06_the_number_of_games_stands_before_the_skill() -> None:
    """As the book writes it; halves are rounded up."""
    assert Record(32, Fraction(1824, 10)).skill_text == "32-5.7"
    assert Record(20, Fraction(113)).skill_text == "20-5.7"
    assert Record().skill_text == "0-0.0"


@pytest.mark.parametrize(
    ("points", "text"), [("6", "6"), ("17/2", "8.5"), ("14/3", "4.67"), ("0", "0"), ("10", "10")]
)
def test_points_are_written_in_decimals(points: str, text: str) -> None:
    """With as many places as they need, two at most."""
    assert points_text(Fraction(points)) == text


def test_a_rating_is_kept_apart_from_the_hall_of_fame() -> None:
    """Each has its games."""
    cases = [case for case in CASES if case["winners"] == "B" and "points" in case]
    got = records_of(map(finish, cases))[PersonId("bob")]

    assert {each.value: record.games for each, record in got.items()} == {"battleline": 1, "hof": 1}


games = st.builds(
    lambda ratings, cities, split, winner: RatedGame(
        ratings=ratings,
        end=End.VICTORY,
        winners=(PowerId("ABCDEFGHI"[winner % len(cities)]),),
        cities={PowerId(p): n for p, n in zip("ABCDEFGHI", cities, strict=False)},
        seats=tuple(
            Led(PersonId(f"p{split[n] if split else n}"), (PowerId("ABCDEFGHI"[n]),))
            for n in range(len(cities))
        ),
        wins_with=23,
    ),
    st.sampled_from([Ratings.BATTLELINE, Ratings.HOF]),
    st.lists(st.integers(0, 30), min_size=2, max_size=9),
    st.none() | st.lists(st.integers(0, 4), min_size=9, max_size=9),
    st.integers(0, 8),
)


@given(games)
def test_ties_neither_make_nor_lose_points(over: RatedGame) -> None:
    """All places together are worth what they are worth without a tie, among powers and players."""
    for placed in (list(places_of(over).values()), [p.place for p in players_of(over)]):
        number = len(placed)
        chart = [10 * (number + 1 - k) // number for k in range(1, number + 1)]
        whole = sum(chart) if over.ratings is Ratings.BATTLELINE else 10
        assert sum((place.points for place in placed), Fraction()) == whole


@given(games, st.randoms(use_true_random=False))
def test_the_order_of_seats_and_powers_decides_nothing(over: RatedGame, chance: Any) -> None:
    """The same game told in another order gives everybody the same."""
    seats, cities = list(over.seats), list(over.cities.items())
    chance.shuffle(seats)
    chance.shuffle(cities)
    told = RatedGame(
        over.ratings, over.end, over.winners, dict(cities), tuple(seats), over.wins_with
    )

    assert records_of([told]) == records_of([over])


@given(games)
def test_more_cities_never_make_a_lower_place(over: RatedGame) -> None:
    """Among those who have not won; the winner is first."""
    places = places_of(over)
    others = [power for power in places if power not in over.winners]

    assert all(places[winner].first == 1 for winner in over.winners)
    for one in others:
        for other in others:
            if over.cities[one] > over.cities[other]:
                assert places[one].last < places[other].first
