"""How games ended, as far as ratings depend on it, without reading the games whole."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Row, func, select
from sqlalchemy.orm import Session

from machjudge.adjudicator.land.victory import cities_needed
from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.rules import VictoryRules
from machjudge.codec.document.values import form_of
from machjudge.service.model.conduct import Ratings
from machjudge.service.model.ends import End, Ending
from machjudge.service.model.ratings import Led, RatedGame, of_seats
from machjudge.service.model.records import GameId, PersonId, Role, Status
from machjudge.store.games.endings import read_ending
from machjudge.store.schema.tables import GameRow, HoldingRow, SeatRow

_OVER = GameRow.status == Status.FINISHED.value
_RATINGS = GameRow.conduct["ratings"].as_string()
_RATED = (_OVER, _RATINGS.in_([each.value for each in Ratings if each is not Ratings.OFF]))
_PLAYS = (SeatRow.role == Role.PLAYER.value, SeatRow.is_claim.is_(False))
_VICTORY = form_of(VictoryRules)


def finished(session: Session) -> Sequence[GameId]:
    """The finished games that are listed, by name."""
    listed = GameRow.conduct["listed"].as_boolean()
    found = session.scalars(select(GameRow.id).where(_OVER, listed).order_by(GameRow.id))
    return [GameId(each) for each in found]


def ends(session: Session) -> Mapping[End, int]:
    """How many games ended in which way; those that were imported ended elsewhere."""
    here = GameRow.ending["origin", "judge"].as_string().is_(None)
    how = select(GameRow.ending["end"].as_string().label("end")).where(_OVER, here).subquery()
    found = session.execute(select(how.c.end, func.count()).group_by(how.c.end))
    return {End(end): number for end, number in found if end is not None}


def finishes(session: Session, of: Collection[PersonId] | None) -> Sequence[RatedGame]:
    """How the rated games ended: a statement for each table, and one where there are none."""
    wanted = list(_RATED)
    if of is not None:
        plays = select(SeatRow.game).where(*_PLAYS, SeatRow.person.in_(sorted(of)))
        wanted.append(GameRow.id.in_(plays))
    conduct = GameRow.conduct
    columns = (
        GameRow.id,
        GameRow.ending,
        GameRow.rules["victory"].label("victory"),
        _RATINGS.label("ratings"),
        conduct["anonymous"].as_boolean().label("anonymous"),
        conduct["reveal"].as_boolean().label("reveal"),
    )
    found = session.execute(select(*columns).where(*wanted).order_by(GameRow.id)).all()
    if not found:
        return ()
    seats, cities = _seats(session, wanted), _cities(session, wanted)
    ended = ((each, read_ending(each.ending)) for each in found)
    return [
        _finish(each, ending, seats[each.id], cities[each.id])
        for each, ending in ended
        if ending is not None
    ]


def _seats(session: Session, wanted: Iterable[ColumnElement[bool]]) -> Mapping[str, Sequence[Led]]:
    seats: dict[str, list[Led]] = defaultdict(list)
    columns = select(SeatRow.game, SeatRow.person, SeatRow.powers)
    of_them = columns.join(GameRow, GameRow.id == SeatRow.game).where(*_PLAYS, *wanted)
    for game, person, powers in session.execute(of_them.order_by(SeatRow.number)):
        sits = None if person is None else PersonId(person)
        seats[game].append(Led(sits, tuple(PowerId(power) for power in powers)))
    return seats


def _cities(
    session: Session, wanted: Iterable[ColumnElement[bool]]
) -> Mapping[str, Mapping[PowerId, int]]:
    cities: dict[str, dict[PowerId, int]] = defaultdict(dict)
    at_end = (GameRow.id == HoldingRow.game) & (GameRow.position == HoldingRow.phase)
    columns = select(HoldingRow.game, HoldingRow.power, HoldingRow.cities)
    of_them = columns.join(GameRow, at_end).where(*wanted).order_by(HoldingRow.power)
    for game, power, number in session.execute(of_them):
        cities[game][PowerId(power)] = number
    return cities


# Any: mypy cannot know the types of parts of JSON.
def _finish(
    found: Row[Any], ending: Ending, seats: Sequence[Led], cities: Mapping[PowerId, int]
) -> RatedGame:
    return RatedGame(
        ratings=Ratings(found.ratings),
        end=ending.end,
        winners=ending.winners,
        cities=of_seats(seats, cities),
        seats=tuple(seats),
        wins_with=cities_needed(_VICTORY.read(found.victory), len(seats)),
        is_named=not found.anonymous or found.reveal,
    )
