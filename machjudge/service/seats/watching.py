"""Watching a game, with a password of one's own."""

from machjudge.language.commands.commands import Observe
from machjudge.reading import Line
from machjudge.sentence import Sentence, Wording
from machjudge.service.credentials.authority import Act
from machjudge.service.game import registry
from machjudge.service.identity.provisional import claim_seat, open_claim
from machjudge.service.identity.registering import newcomer
from machjudge.service.identity.signon import (
    Hint,
    hint_for_watcher,
)
from machjudge.service.identity.unlock import by_token, unlock, why_not
from machjudge.service.model.invitations import why_not_watch
from machjudge.service.model.records import Game, Person, Role
from machjudge.service.seats.entering import hide_password
from machjudge.service.seats.joining import visible
from machjudge.service.session.command import ANYBODY, COMING, CommandEntry
from machjudge.service.session.outgoing import announce, masters_only
from machjudge.service.session.quotas import no_more_observers, no_more_seats
from machjudge.service.session.session import Session
from machjudge.service.setup.forming import take_seat


def observe(session: Session, line: Line, said: Observe) -> None:
    """Watch a game from a seat of one's own; once there, open that seat.

    Nobody else's seat is opened so: a password that is somebody's by chance is not compared.
    """
    hide_password(session, said.password)
    game = visible(session.find_game(said.game))
    if game is not None and open_claim(session, game, registry.OBSERVER, said.password):
        return
    seat = by_token(session, game, registry.OBSERVER, said.password)
    if game is not None and seat is None and not _watches(session, game):
        _begin_to_watch(session, line, game, registry.plain_password(said.password))
        return
    seat = seat or unlock(session, said.game, registry.OBSERVER, said.password)
    if game is not None and seat is not None:
        session.enter(game, seat)
        return
    hint = hint_for_watcher(session, said.game) if game is None else Hint()
    session.refuse_all(line, why_not(session, said.game, registry.OBSERVER), hint.instead)


OBSERVE = CommandEntry(
    "observe",
    COMING,
    ANYBODY,
    Act.ENTER,
    observe,
    Observe,
    also=("watch", "signon O…"),
    opens_seat=True,
    secret_at=2,
)


def _watches(session: Session, game: Game) -> bool:
    """Whether the address in From is that of an observer; only the seat's password opens it."""
    person = session.claimant
    return person is not None and any(
        seat.person == person.id and seat.role is Role.OBSERVER for seat in game.seats
    )


def _begin_to_watch(session: Session, line: Line, game: Game, password: str) -> None:
    person = newcomer(session, line, password)
    if person is None:
        return
    flaw: Wording | None = why_not_watch(game.conduct, session.claimant or person)
    flaw = flaw or no_more_observers(session, game) or no_more_seats(session)
    if flaw is not None:
        session.refuse_all(line, flaw)
        return
    seat = take_seat(game, Role.OBSERVER, person, session.services.passwords.hash(password))
    if person.is_confirmed:
        session.enter(game, seat)
        watching(session, game, person)
        return
    claim_seat(session, game, seat, person)
    if session.waits is not None:
        session.answer.verdict.append(Sentence("seats.watch.waits", game=game.name))


def watching(session: Session, game: Game, person: Person) -> None:
    """Somebody watches a game: note it, and tell whom it concerns."""
    session.note("joined", Sentence("seats.watch.log", name=person.name))
    session.done(Sentence("seats.watch.you", game=game.name))
    told = [Sentence("seats.watch.told", name=person.name)]
    subject = Sentence("seats.subject.signon", letters=registry.OBSERVER)
    announce(session, session.game or game, subject, told, masters_only(game))
