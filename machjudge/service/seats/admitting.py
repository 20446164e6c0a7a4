"""Whether somebody may sit down at a game, and asking the master where they approve players."""

from machjudge.sentence import Sentence, Wording
from machjudge.service.game.attendance import flaw_of, record_of
from machjudge.service.model.invitations import is_invited, why_not_sit
from machjudge.service.model.records import Game, Person, Seat
from machjudge.service.session.outgoing import announce, masters_of
from machjudge.service.session.session import Session


def unwelcome(session: Session, game: Game, person: Person) -> Wording | None:
    """Why somebody may not take a seat; an invitation excuses a bad record."""
    flaw = why_not_sit(game.conduct, person)
    if flaw is not None or is_invited(game.conduct, person):
        return flaw
    return flaw_of(game.conduct, record_of(session.uow.games.attended_by(person.id), person.id))


def ask_for_approval(session: Session, seat: Seat, who: str) -> None:
    """Where the master approves players: they are asked, and the newcomer told to wait."""
    if seat.approved or session.game is None or session.person is None:
        return
    session.done(Sentence("seats.approve.asked"))
    told = [Sentence("seats.approve.wanted", name=session.person.name, who=who)]
    subject = Sentence("seats.subject.approval")
    announce(session, session.game, subject, told, masters_of(session.game))
