"""``stats``, and skill ratings beside the names in ``who`` (area RAT)."""

from dataclasses import replace

import pytest

from machjudge.adjudicator.names import PowerId
from machjudge.adjudicator.options import PRESETS
from machjudge.judge.game_settings import Ratings
from machjudge.judge.questions import scenario_stats
from machjudge.judge.records import GameId
from machjudge.judge.tick import look_at_games
from tests.cases import cases
from tests.judge.house import House
from tests.judge.letters_in import answer, write
from tests.judge.year import order

LUCIA = "lucia@player.example"
DINO = "dino@other.example"


def running(ratings: Ratings = Ratings.BATTLELINE, **settings: bool) -> House:
    """A game of eight that has just started: Lucia leads Milan, Marco Venice, Anna Florence."""
    house = House()
    game = house.start()
    changed = replace(game.settings, ratings=ratings, **settings)
    house.store.tables.games[game.id] = replace(game, settings=changed)
    return house


def over(
    ratings: Ratings = Ratings.BATTLELINE, how: str = "VICTORY Venice", **settings: bool
) -> House:
    """The same, once its master has said how it ended."""
    house = running(ratings, **settings)
    write(house, LUCIA, "SIGNON Mborgia masterkey", f"DECLARE {how}")
    return house


def ask(house: House, *lines: str) -> str:
    """The answer to somebody who sits at no game, in one line."""
    return " ".join(answer(write(house, DINO, *lines), DINO).split())


def test_stats_of_a_game_show_places_cities_points_and_names() -> None:
    """Those who are tied share a place; who has won stands first."""
    said = ask(over(), "STATS borgia")

    assert "STATS OF BORGIA Venice has won. 1 Venice 4 cities 10 Marco" in said
    assert "2-3 Naples 4 cities 7.5 Rosa 2-3 Papacy 4 cities 7.5 Paolo" in said
    assert "4-8 France 3 cities 3.4 Carla" in said


def test_stats_of_the_judge_show_the_best_first() -> None:
    """How many games are over, and how many of them counted."""
    said = ask(over(), "Dear judge,", "STATS")

    assert "1 game over: 1 victory. 1 game counted for ratings points." in said
    assert "SKILL RATINGS (games-points for each) 1-10.0 Marco" in said
    assert "HALL OF FAME" not in said


def test_stats_of_a_scenario_tell_how_its_powers_have_fared() -> None:
    """Of each power, in how many listed games, how it ended, and its cities."""
    said = ask(over(), "STATS 1454")

    assert "STATS OF The Balance of Power 1 game over: 1 victory." in said
    assert "Venice 1 game, 1 won, 0 drawn, 0 eliminated; 4.0 cities at the end" in said
    assert "Turkey 1 game, 0 won, 0 drawn, 0 eliminated; 3.0 cities at the end" in said
    assert "Marco" not in said
    drawn = ask(over(Ratings.OFF, "DRAW Venice Florence"), "STATS 1454")
    assert "Florence 1 game, 0 won, 1 drawn" in drawn
    assert "Milan 1 game, 0 won, 0 drawn" in drawn


def test_editions_of_a_scenario_are_told_apart() -> None:
    """Games by other rules have figures of their own; where all are alike none is named."""
    house = over()
    alike = ask(house, "STATS 1454")
    second = replace(house.game(), id=GameId("other"), name="Other", rules=PRESETS["mach2"])
    house.store.tables.games[second.id] = second
    (of_end,) = [
        held
        for (name, number), held in house.store.tables.holdings.items()
        if (name, number) == (house.game().id, house.game().position)
    ]
    with house.store.writing() as uow:
        last = house.view().phase
        uow.phases.add(replace(last, game=second.id), of_end)
        uow.commit()
    apart = ask(house, "STATS 1454")

    assert "The Balance of Power, its powers: Milan 1 game" in alike
    assert "2 games over" in apart
    assert (
        "The Balance of Power (the second edition of the game, of 1995, as the old judge plays it),"
        " its powers: Milan 1 game, 0 won"
    ) in apart
    assert "The Balance of Power (the old judge's usual rules of 2004), its powers:" in apart
    assert "2 games, 1 won" not in apart


def test_a_keeper_reads_of_games_that_are_not_listed_too() -> None:
    """Practice counts for nobody."""
    for settings, is_told in (({"listed": False}, True), ({"practice": True}, False)):
        house = over(**settings)
        with house.store.reading() as uow:
            told = [*map(house.services.renderer.say, scenario_stats(house.services, uow))]
        assert any("Venice" in line and "1 won" in line for line in told) is is_told


def test_a_game_that_is_no_example_is_left_out_of_a_scenario() -> None:
    """One that is not listed, one that was broken off, and practice."""
    for house in (over(listed=False), over(practice=True)):
        assert "0 games over." in ask(house, "STATS 1454")
    broken = running()
    write(broken, LUCIA, "SIGNON Mborgia masterkey", "TERMINATE")
    look_at_games(broken.services, broken.later(days=30))
    assert "Venice 1" not in ask(broken, "STATS 1454")


def test_one_s_own_powers_are_told_to_oneself_alone() -> None:
    """By the seat's password; nobody else reads with what somebody won."""
    house = over()
    marco = "marco@player.example"
    own = " ".join(answer(write(house, marco, "SIGNON Vborgia pwV", "STATS Marco"), marco).split())

    assert "The Balance of Power, your powers: Venice 1 game, 1 won" in own
    assert "Milan 1 game" not in own
    assert "your powers" not in ask(house, "STATS Marco")


@pytest.mark.parametrize("line", ["STATS", "RATINGS", "stats of all games", "STATS JUDGE"])
def test_the_judge_is_asked_in_many_words(line: str) -> None:
    """Also where nothing is over yet."""
    said = ask(House(), line)

    assert "STATS 0 games over. No game has counted for ratings points yet." in said


@cases
def test_stats_of_somebody_count_their_places(line: str, title: str) -> None:
    """The answer calls them as the question did."""
    said = ask(over(), line)

    told = "Skill rating 1-3.4: 3.4 points in 1 game. place 4-8 1 time 3.4 points"
    assert f"{title} {told}" in said
    assert ("Anna" in said) is False


def test_a_game_goes_before_somebody_of_its_name() -> None:
    """The word *player* tells them apart, *game* as well."""
    house = over()
    anna = next(p for p in house.store.tables.persons.values() if p.name == "Anna")
    house.store.tables.persons[anna.id] = replace(anna, name="Borgia")

    assert "Venice has won" in ask(house, "STATS Borgia")
    assert "Venice has won" in ask(house, "STATS GAME Borgia")
    assert "Skill rating 1-3.4" in ask(house, "STATS PLAYER Borgia")


def test_stats_without_anything_to_show_say_so() -> None:
    """Of a game that goes on, of somebody without games, of nobody."""
    house = running()

    said = ask(house, "STATS borgia")
    assert "The game is not over. The players get ratings points for their places" in said
    assert "No game has counted" in ask(house, "STATS Anna")
    assert "Nobody is called Machiavelli" in ask(house, "STATS Machiavelli")
    assert "no game of that name" in ask(house, "STATS GAME Machiavelli")


@pytest.mark.parametrize(
    ("ratings", "settings", "why"),
    [
        (Ratings.OFF, {}, "The game was for no ratings points."),
        (Ratings.HOF, {}, "the hall of fame is for games that 23 cities or more win"),
        (Ratings.BATTLELINE, {"anonymous": True, "reveal": False}, "nobody is told who led what"),
    ],
    ids=["off", "few cities", "no names"],
)
def test_a_game_that_counts_for_nobody_says_why(
    ratings: Ratings, settings: dict[str, bool], why: str
) -> None:
    """And stands in no rating."""
    house = over(ratings, **settings)

    assert why in ask(house, "STATS borgia")
    assert "No game has counted" in ask(house, "STATS")
    assert "No game has counted" in ask(house, "STATS Anna")


def test_a_game_that_is_broken_off_counts_for_nobody() -> None:
    """RAT-01: it has no order of finishing either."""
    house = running()
    write(house, LUCIA, "SIGNON Mborgia masterkey", "TERMINATE")
    house.later(days=8)
    look_at_games(house.services, house.now)

    assert "broken off counts for nobody" in ask(house, "STATS borgia")
    assert "1 game over: 1 broken off. No game has counted" in ask(house, "STATS")


def test_who_led_what_stays_hidden_where_it_is_not_told_in_the_end() -> None:
    """Neither names nor ratings tell."""
    house = over(anonymous=True, reveal=False)

    for line in ("STATS borgia", "STATS", "WHO borgia"):
        said = ask(house, line)
        assert "Marco" not in said
        assert "1-10" not in said


def test_an_anonymous_game_that_goes_on_shows_no_rating() -> None:
    """A rating would tell who leads what."""
    house = over()
    game = house.game()
    open_, hidden = (
        replace(
            game,
            id=name,
            name=name,
            status=running().game().status,
            ending=None,
            settings=replace(game.settings, anonymous=name == "hidden"),
        )
        for name in ("open", "hidden")
    )
    for each in (open_, hidden):
        house.store.tables.games[each.id] = each
        house.store.tables.phases += [
            replace(phase, game=each.id)
            for phase in house.store.tables.phases
            if phase.game == game.id
        ]

    assert "Venice: Marco (1-10.0)" in ask(house, "WHO open")
    assert "(1-" not in ask(house, "WHO hidden")
    assert "Venice: somebody" in ask(house, "WHO hidden")


def test_who_shows_the_ratings_of_those_who_have_joined() -> None:
    """In a game that forms; who has none has nothing beside the name."""
    house = over()
    write(house, LUCIA, "CREATE ?sforza masterkey 1454")
    write(house, "anna@player.example", "SIGNON ?sforza tulip9")
    write(house, DINO, "SIGNON ?sforza tulip8")

    said = ask(house, "WHO sforza")
    assert "Anna (1-3.4)" in said
    assert said.count("(") == 1


def test_who_leads_the_power_in_the_end_gets_the_points() -> None:
    """RAT-07: neither who left before, nor anybody else for an open seat."""
    house = running()
    order(house, "L", "RESIGN")
    order(house, "V", "RESIGN")
    write(house, DINO, "REGISTER", "Name: Dino", "END", "SIGNON Lborgia tulip9")
    write(house, LUCIA, "SIGNON Mborgia masterkey", "DECLARE VICTORY Venice")

    said = ask(house, "STATS borgia")
    assert "1 Venice 4 cities 10 2-3" in said
    assert "4-8 Florence 3 cities 3.4 Dino" in said
    assert "Anna" not in ask(house, "STATS")


def test_a_player_of_several_powers_counts_by_their_sum() -> None:
    """RAT-05: the powers first, and below them the players."""
    house = running()
    game = house.game()
    master, _, venice, *others = game.seats
    both = replace(venice, powers=(PowerId("V"), PowerId("I")))
    house.store.tables.games[game.id] = replace(game, seats=(master, both, *others))
    write(house, LUCIA, "SIGNON Mborgia masterkey", "DECLARE VICTORY Papacy")

    said = ask(house, "STATS borgia")
    assert "1 Papacy 4 cities 10 Paolo" in said
    assert "Venice and Milan, Marco: 10.9 together, 10 for the player" in said
    assert "2 Papacy, Paolo: 10 together, 8 for the player" in said
