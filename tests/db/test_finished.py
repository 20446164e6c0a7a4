"""How finished games are read for ratings points: few columns, all games at once."""

from dataclasses import replace

import pytest
from sqlalchemy import select, update

from machjudge.adjudicator.options import with_option
from machjudge.db.engine import writing
from machjudge.db.tables import GameRow
from machjudge.judge.game_settings import GameSettings, Ratings
from machjudge.judge.ratings import figures_of, finish_of
from machjudge.judge.records import (
    End,
    Ending,
    Game,
    GameId,
    Holding,
    PersonId,
    Provenance,
    Role,
    Seat,
    Status,
)
from tests.db.examples import FLORENCE, GAME, LUCIA, NOW, OTTO, PHASE, RULES, VENICE

EARLIER = (Holding(VENICE, 3, 1), Holding(FLORENCE, 3, 2))
AT_END = (Holding(FLORENCE, 0, 0), Holding(VENICE, 9, 5))
SEATS = (
    Seat(0, Role.MASTER, LUCIA.id, "lucia@example.com", ""),
    Seat(1, Role.PLAYER, OTTO.id, "otto@example.com", "", (VENICE,)),
    Seat(2, Role.PLAYER, None, "", "", (FLORENCE,)),
    Seat(3, Role.OBSERVER, LUCIA.id, "lucia@example.com", ""),
)


def over(name: str, ratings: Ratings, end: End = End.VICTORY, **settings: bool) -> Game:
    """A game that has ended at its second phase."""
    return replace(
        GAME,
        id=GameId(name),
        status=Status.FINISHED,
        rules=with_option(RULES, "victory_level", "ultimate"),
        settings=GameSettings(ratings=ratings, **settings),
        clock=None,
        ending=Ending(end, (VENICE,), NOW),
        position=1,
        seats=SEATS,
        claims=(Seat(4, Role.PLAYER, OTTO.id, "otto@example.com", "", (FLORENCE,)),),
    )


GAMES = (
    over("alba", Ratings.BATTLELINE),
    over("bari", Ratings.HOF, End.DRAW, anonymous=True),
    over("como", Ratings.HOF, anonymous=True, reveal=False),
    over("deruta", Ratings.OFF),
    replace(GAME, id=GameId("este"), settings=GameSettings(ratings=Ratings.HOF)),
)


@pytest.fixture
def ended(house):
    """Four games that are over, and one that goes on."""
    with house.store().writing() as uow:
        uow.persons.save(LUCIA)
        uow.persons.save(OTTO)
        for game in GAMES:
            uow.games.add(game)
            uow.phases.add(replace(PHASE, game=game.id), EARLIER)
            uow.phases.add(replace(PHASE, game=game.id, number=1, parent=0), AT_END)
        uow.commit()
    return house


def test_games_for_ratings_points_are_read_as_they_ended(ended) -> None:
    """With what was held in the last position; those that count for nothing are left out."""
    with ended.store().reading() as uow:
        assert uow.games.finishes() == [finish_of(game, AT_END) for game in GAMES[:3]]


def test_only_the_games_in_which_somebody_leads_a_power_are_read(ended) -> None:
    """Not those that they ran or watched."""
    with ended.store().reading() as uow:
        assert len(uow.games.finishes([OTTO.id, LUCIA.id])) == 3
        assert not uow.games.finishes([LUCIA.id])
        assert not uow.games.finishes([PersonId("p9")])
        assert not uow.games.finishes([])


def test_the_listed_games_of_a_scenario_are_read_rated_or_not(ended) -> None:
    """Those that go on are not among them, nor practice."""
    over_now = [game for game in GAMES if game.ending is not None]
    practice = replace(over_now[0], id=GameId("practice"), name="Practice")
    settings = replace(practice.settings, practice=True)
    with ended.store().writing() as uow:
        uow.games.add(replace(practice, settings=settings))
        uow.commit()

    with ended.store().reading() as uow:
        found = uow.games.finishes(scenario=over_now[0].scenario, is_rated=False)
        listed = [game for game in over_now if game.settings.listed]
        assert found == [finish_of(game, AT_END) for game in listed]
        assert not uow.games.finishes(scenario="1385", is_rated=False)
        assert uow.games.finishes([OTTO.id], is_rated=False)


def test_who_was_eliminated_is_read_from_the_last_position(house) -> None:
    """A power without cities may still be in the game (ELI-01)."""
    game = over("alba", Ratings.HOF)
    at_end = replace(PHASE, game=game.id, number=1, parent=0)
    with house.store().writing() as uow:
        uow.persons.save(LUCIA)
        uow.persons.save(OTTO)
        for each, out in ((game, ()), (replace(game, id=GameId("bari")), (FLORENCE,))):
            uow.games.add(each)
            after = replace(PHASE.after, eliminated=frozenset(out))
            uow.phases.add(replace(at_end, game=each.id, number=0, parent=None), EARLIER)
            uow.phases.add(replace(at_end, game=each.id, after=after), AT_END)
        uow.commit()

    with house.store().reading() as uow:
        found = uow.games.finishes(is_rated=False)
    assert [each.eliminated for each in found] == [frozenset(), {FLORENCE}]
    assert figures_of(found)[found[0].scenario, found[0].edition, FLORENCE].eliminated == 1


def test_games_are_counted_by_how_they_ended(ended) -> None:
    """All that are over, but for those that ended at another judge."""
    elsewhere = over("faenza", Ratings.OFF)
    ending = replace(elsewhere.ending, origin=Provenance("ELSE", "Faenza"))
    with ended.store().writing() as uow:
        uow.games.add(replace(elsewhere, ending=ending))
        uow.commit()

    with ended.store().reading() as uow:
        assert uow.games.ends() == {End.VICTORY: 3, End.DRAW: 1}
        assert uow.games.get(elsewhere.id).ending == ending


def test_games_of_an_earlier_version_count_for_no_ratings(ended) -> None:
    """Their settings know nothing of them."""
    with writing(ended.engine) as connection:
        found = connection.execute(select(GameRow.id, GameRow.settings)).all()
        for name, settings in found:
            del settings["ratings"]
            of = update(GameRow).where(GameRow.id == name)
            connection.execute(of.values(settings=settings))
        connection.commit()

    with ended.store().reading() as uow:
        assert not uow.games.finishes()
        assert {each.ratings for each in uow.games.finishes(is_rated=False)} == {Ratings.OFF}
        assert uow.games.get(GameId("alba")).settings.ratings is Ratings.OFF


def test_finished_games_that_are_listed_are_found_by_name(ended) -> None:
    """Those that go on are not among them, nor one that its master keeps off the list."""
    with ended.store().writing() as uow:
        hidden = over("fano", Ratings.OFF, listed=False)
        uow.games.add(hidden)
        uow.phases.add(replace(PHASE, game=hidden.id), EARLIER)
        uow.commit()

    with ended.store().reading() as uow:
        assert uow.games.finished() == [game.id for game in GAMES[:4]]
