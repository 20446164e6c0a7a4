"""Telling everybody at a game that something has changed."""

from collections.abc import Collection, Sequence

from machjudge.sentence import Sentence, Wording
from machjudge.service.model.records import Game, Role
from machjudge.service.ports.message_parts import Part, Standing
from machjudge.service.session.outgoing import addressees, head_of
from machjudge.service.session.session import Session


def announce(
    session: Session,
    game: Game,
    subject: Wording,
    lines: Sequence[Wording],
    only: Collection[str] | None = None,
    standing: Standing | None = None,
) -> None:
    """Tell everybody at the game, or some addresses, except the speaker, who gets the answer."""
    own = session.seat.address if session.seat is not None else ""
    situation = session.situation()
    head = head_of(
        session.services, game, situation.state.moment.code if situation is not None else ""
    )
    for to in addressees(session.services, game, session.people(game), session.now):
        if to.address != own and (only is None or to.address in only):
            session.send(
                Part(game.id, to.address, to.reader, head, subject, tuple(lines), standing)
            )


def masters_only(game: Game) -> frozenset[str] | None:
    """Who is told of comings and goings: everybody, in a quiet game the masters alone."""
    return masters_of(game) if game.conduct.quiet else None


def masters_of(game: Game) -> frozenset[str]:
    """The addresses of the master and their co-masters."""
    return frozenset(seat.address for seat in game.seats if seat.role is Role.MASTER)


def announce_setting(
    session: Session, game: Game, lines: Sequence[Wording], standing: Standing | None = None
) -> None:
    """Tell everybody what has been set; of several masters also which of them has set it."""
    person = session.person
    if game.conduct.show and len(masters_of(game)) > 1 and person is not None:
        lines = [*lines, Sentence("session.set_by", name=person.name)]
    announce(session, game, Sentence("session.parameter_change"), lines, standing=standing)
