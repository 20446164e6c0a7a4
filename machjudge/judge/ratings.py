"""Ratings points and skill ratings of people, from finished games (area RAT).

All is computed from how the games ended; nothing is accumulated.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from itertools import groupby
from typing import Any, TypeVar

from machjudge.adjudicator.land.victory import cities_needed
from machjudge.adjudicator.names import PowerId
from machjudge.adjudicator.options import nearest
from machjudge.judge.game_settings import Ratings
from machjudge.judge.records import End, Game, Holding, PersonId, Role

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Led:
    """A seat at the end of a game: its person, and the powers that it led."""

    person: PersonId | None
    """None: the seat was abandoned."""
    powers: tuple[PowerId, ...]


@dataclass(frozen=True, slots=True)
class RatedGame:
    """A game's end, as far as ratings depend on it."""

    ratings: Ratings
    end: End
    winners: tuple[PowerId, ...]
    cities: Mapping[PowerId, int]
    """Of each power that has a seat."""
    seats: tuple[Led, ...]
    wins_with: int
    is_named: bool = True
    scenario: str = ""
    edition: str = field(default="", compare=False)
    """The named set of rules that is the nearest; ratings do not ask for it."""
    eliminated: frozenset[PowerId] = field(default=frozenset(), compare=False)
    """The powers that were out of the game at its end (area ELI); ratings do not ask for them."""


def finish_of(game: Game, holdings: Iterable[Holding]) -> RatedGame | None:
    """Return how a game with these *holdings* ended; None if it is not over."""
    ending, settings = game.ending, game.settings
    if ending is None:
        return None
    seats = tuple(Led(s.person, s.powers) for s in game.seats if s.role is Role.PLAYER)
    return RatedGame(
        ratings=settings.ratings,
        end=ending.end,
        winners=ending.winners,
        cities=of_seats(seats, {each.power: each.cities for each in holdings}),
        seats=seats,
        wins_with=cities_needed(game.rules.victory, len(seats)),
        is_named=not settings.anonymous or settings.reveal,
        scenario=game.scenario,
        edition=nearest(game.rules),
    )


def of_seats(seats: Iterable[Led], cities: Mapping[PowerId, int]) -> Mapping[PowerId, int]:
    """Return the cities of powers with a seat: not those whose units another has (SET-24)."""
    led = {power for seat in seats for power in seat.powers}
    return {power: number for power, number in cities.items() if power in led}


class Unrated(Enum):
    """Why a finished game is not rated."""

    OFF = "off"
    BROKEN_OFF = "broken_off"
    FEW = "few"
    CITIES = "cities"
    UNNAMED = "unnamed"


@dataclass(frozen=True, slots=True)
class RatedPlace:
    """A place in the order of finishing, and its ratings points."""

    first: int
    """From 1."""
    last: int
    """The same as *first*, unless tied."""
    points: Fraction


@dataclass(frozen=True, slots=True)
class RatedPlayer:
    """A player at the end of the game."""

    person: PersonId | None
    powers: tuple[PowerId, ...]
    total: Fraction
    place: RatedPlace


@dataclass(slots=True)
class Record:
    """A person's results in rated games."""

    games: int = 0
    points: Fraction = Fraction()
    places: dict[tuple[int, int], tuple[int, Fraction]] = field(default_factory=dict)
    """By first and last place: how often, and the points for it."""

    @property
    def skill(self) -> Fraction:
        """The points for a game (RAT-06)."""
        return self.points / self.games if self.games else Fraction()

    def add(self, place: RatedPlace) -> None:
        """Count one more game."""
        self.games += 1
        self.points += place.points
        times, points = self.places.get((place.first, place.last), (0, Fraction()))
        self.places[place.first, place.last] = (times + 1, points + place.points)

    @property
    def skill_text(self) -> str:
        """The games and the points for each: ``10-5.8`` (RAT-06)."""
        return f"{self.games}-{_decimal(self.skill, 1)}"


def points_text(points: Fraction) -> str:
    """Return points in decimals, with two places at most: ``6``, ``4.5``, ``4.67``."""
    return _decimal(points, 2).rstrip("0").rstrip(".")


def _decimal(value: Fraction, places: int) -> str:
    """A number that is not negative, halves rounded up."""
    scale = 10**places
    whole, rest = divmod(int(value * scale + Fraction(1, 2)), scale)
    return f"{whole}.{rest:0{places}}"


FAME = 23
"""The least cities that win a game for the hall of fame (VIC-04)."""

Chart = Callable[[int, int], int]
"""The points of a place, from 1, among so many."""
_FIRST = 10


def _by_place(place: int, among: int) -> int:
    """In equal steps down from the first (RAT-03); 10, 8, 6, 4, 2 among five."""
    return _FIRST * (among + 1 - place) // among


@dataclass(frozen=True, slots=True)
class _Scheme:
    """A way of rating: which games count, and their points."""

    chart: Chart
    least_players: int
    least_cities: int = 0


_SCHEMES: Mapping[Ratings, _Scheme] = {
    Ratings.BATTLELINE: _Scheme(_by_place, least_players=4),
    Ratings.HOF: _Scheme(
        lambda place, _: _FIRST if place == 1 else 0, least_players=2, least_cities=FAME
    ),
}


def why_unrated(finish: RatedGame) -> Unrated | None:
    """Return why a game is not rated (RAT-01, RAT-07); None if it is."""
    scheme = _SCHEMES.get(finish.ratings)
    if scheme is None:
        return Unrated.OFF
    if finish.end is End.TERMINATED:
        return Unrated.BROKEN_OFF
    if len(_sides(finish)) < scheme.least_players:
        return Unrated.FEW
    if finish.wins_with < scheme.least_cities:
        return Unrated.CITIES
    return None if finish.is_named else Unrated.UNNAMED


def places_of(finish: RatedGame) -> Mapping[PowerId, RatedPlace]:
    """Return the powers in the order of finishing (RAT-02); without points if not rated."""

    def rank(power: PowerId) -> tuple[bool, int]:
        has_won = power in finish.winners
        return (has_won, 0 if has_won else finish.cities[power])

    return dict(_in_order(finish, finish.cities, rank))


def players_of(finish: RatedGame) -> Sequence[RatedPlayer]:
    """Return the players in the order of finishing, by the points of all powers (RAT-05)."""
    of_powers = places_of(finish)

    def total(side: Led) -> Fraction:
        return sum((of_powers[p].points for p in side.powers if p in of_powers), Fraction())

    placed = _in_order(finish, _sides(finish), total)
    return [RatedPlayer(side.person, side.powers, total(side), place) for side, place in placed]


def records_of(finishes: Iterable[RatedGame]) -> Mapping[PersonId, Mapping[Ratings, Record]]:
    """Return each person's record of finished games, by the way of rating."""
    found: dict[PersonId, dict[Ratings, Record]] = {}
    for finish in finishes:
        if why_unrated(finish) is not None:
            continue
        for player in players_of(finish):
            if player.person is not None:
                records = found.setdefault(player.person, {})
                records.setdefault(finish.ratings, Record()).add(player.place)
    return found


@dataclass(slots=True)
class PowerFigures:
    """How a power fared in some games; those that were broken off do not count."""

    games: int = 0
    won: int = 0
    shared: int = 0
    """Draws that it was part of."""
    cities: int = 0
    """At the ends of all of them."""
    eliminated: int = 0

    @property
    def cities_text(self) -> str:
        """The cities at the end of a game, on average: ``7.5``."""
        return _decimal(Fraction(self.cities, self.games or 1), 1)


def figures_of(
    finishes: Iterable[RatedGame], person: PersonId | None = None
) -> Mapping[tuple[str, str, PowerId], PowerFigures]:
    """Return figures by scenario, edition and power; with *person*, of the powers they led."""
    found: dict[tuple[str, str, PowerId], PowerFigures] = {}
    for finish in finishes:
        if finish.end is End.TERMINATED:
            continue
        led = {p for seat in finish.seats if seat.person == person for p in seat.powers}
        for power, cities in sorted(finish.cities.items()):
            if person is not None and power not in led:
                continue
            figures = found.setdefault((finish.scenario, finish.edition, power), PowerFigures())
            has_won = power in finish.winners
            figures.games += 1
            figures.won += has_won and finish.end is not End.DRAW
            figures.shared += has_won and finish.end is End.DRAW
            figures.cities += cities
            figures.eliminated += power in finish.eliminated
    return found


def _sides(finish: RatedGame) -> Sequence[Led]:
    """The players with all their powers; an abandoned seat stands for itself."""
    sides: list[Led] = []
    for seat in finish.seats:
        own = [side for side in sides if side.person == seat.person is not None]
        powers = (*(power for side in own for power in side.powers), *seat.powers)
        sides = [*(side for side in sides if side not in own), Led(seat.person, powers)]
    return sides


def _in_order(
    finish: RatedGame, those: Iterable[T], rank: Callable[[T], Any]
) -> Iterator[tuple[T, RatedPlace]]:
    """*those* from the highest rank down; equal ones share the points of their places (RAT-04)."""
    ranked = sorted(those, key=rank, reverse=True)
    scheme = _SCHEMES.get(finish.ratings)
    first = 1
    for _, group in groupby(ranked, key=rank):
        tied = list(group)
        last = first + len(tied) - 1
        worth = (scheme.chart(n, len(ranked)) for n in range(first, last + 1)) if scheme else ()
        place = RatedPlace(first, last, Fraction(sum(worth), len(tied)))
        yield from ((each, place) for each in tied)
        first = last + 1
