"""``forget me``: a token goes to the addresses on file, and its answer removes who somebody is."""

from machjudge.language.commands.commands import PlainCommand
from machjudge.reading import Line
from machjudge.sentence import Sentence
from machjudge.service.credentials.authority import Act
from machjudge.service.credentials.mailed_tokens import Token, TokenPurpose
from machjudge.service.game.view import zone_of
from machjudge.service.identity.tokens import LINK_LASTS, make_token, sent_lately, token_letter
from machjudge.service.model.records import Person, PersonId
from machjudge.service.session.command import ANYBODY, COMING, CommandEntry
from machjudge.service.session.session import Session


def forget_me(session: Session, _: Line, __: PlainCommand) -> None:
    """Mail a token to whoever writes, at their addresses on file; the answer says the same to all.

    CONFIRM and the token have them forgotten.
    """
    session.done(Sentence("identity.forget.sent"))
    person = session.claimant
    if person is not None and not sent_lately(session, person.id, TokenPurpose.FORGET):
        _mail_token(session, person)


FORGET_ME = CommandEntry(
    "forget me",
    COMING,
    ANYBODY,
    Act.READ,
    forget_me,
)


def forget(session: Session, line: Line, token: Token) -> None:
    """Have somebody forgotten who has a seat in no game any more that is not over."""
    games = _unfinished(session, token.person)
    if games:
        session.refuse(line, Sentence("identity.forget.still_there", games=games))
        return
    session.changes.used.add(token.hashed)
    session.changes.erased.add(token.person)
    session.done(Sentence("identity.forget.done"))
    session.is_closed = True


def _unfinished(session: Session, person: PersonId) -> tuple[str, ...]:
    found = session.uow.games.unfinished()
    return tuple(game.name for game in found if any(seat.person == person for seat in game.seats))


def _mail_token(session: Session, person: Person) -> None:
    token = Token("", TokenPurpose.FORGET, person.id, session.now, session.now + LINK_LASTS)
    text = make_token(session, token)
    zone = zone_of(session.services, person)
    says = Sentence("identity.forget.letter", token=text, until=token.until, zone=zone)
    subject = Sentence("identity.please_confirm")
    session.mails_token = True
    for address in person.addresses:
        session.send(token_letter(session, address, person, subject, says))
