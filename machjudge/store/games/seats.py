"""The seats of a game as rows."""

from dataclasses import asdict
from typing import Any

from sqlalchemy import Row

from machjudge.adjudicator.model.names import PowerId
from machjudge.service.model.records import (
    GameId,
    PersonId,
    Role,
    Seat,
    Wishes,
)
from machjudge.store.games.clocks import read_absences, write_absences
from machjudge.store.games.endings import read_votes, write_votes
from machjudge.store.schema.claimed import read_claimed, write_claimed
from machjudge.store.schema.tables import (
    SeatRow,
)


def seat_columns(game: GameId, seat: Seat) -> dict[str, object]:
    """What is stored of a seat that somebody has; a claim says so besides."""
    return {
        "game": game,
        "number": seat.number,
        "role": seat.role.value,
        "person": seat.person,
        "address": seat.address,
        "password": seat.password,
        "powers": list(seat.powers),
        "preferences": seat.preferences,
        "waits": seat.waits,
        "absences": write_absences(seat.absences),
        "priority": list(seat.priority),
        "votes": write_votes(seat.draw, seat.concede),
        "wishes": asdict(seat.wishes),
        "approved": seat.approved,
        "public": seat.public,
        "former": seat.former,
        "generation": seat.generation,
        "claimed": write_claimed(seat.claimed),
        "is_claim": False,
    }


def read_seat(found: SeatRow | Row[Any]) -> Seat:
    """A seat from its row."""
    draw, concede = read_votes(found.votes)
    return Seat(
        number=found.number,
        role=Role(found.role),
        person=None if found.person is None else PersonId(found.person),
        address=found.address,
        password=found.password,
        powers=tuple(PowerId(power) for power in found.powers),
        preferences=found.preferences,
        waits=found.waits,
        absences=read_absences(found.absences),
        priority=tuple(found.priority),
        draw=draw,
        concede=concede,
        wishes=Wishes(**found.wishes),
        approved=found.approved,
        public=found.public,
        former=None if found.former is None else PersonId(found.former),
        generation=found.generation,
        claimed=read_claimed(found.claimed),
    )
