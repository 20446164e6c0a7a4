"""Who may use a command, and in which state of the game."""

from machjudge.reading import Line
from machjudge.sentence import Sentence, Wording
from machjudge.service.credentials.authority import Act, Verdict, verdict
from machjudge.service.identity.irreversible import is_from_address_on_file
from machjudge.service.identity.provisional import why_not_yet
from machjudge.service.model.records import Game, Role, Seat
from machjudge.service.session.command import Caller, CommandEntry
from machjudge.service.session.session import Session


def may(session: Session, line: Line, entry: CommandEntry) -> bool:
    """Whether the sender may use a command; if not, they are told why not."""
    flaw = _why_not(session, entry)
    if flaw:
        session.refuse(line, flaw)
    return not flaw


def _why_not(session: Session, entry: CommandEntry) -> Wording | None:
    """Why the sender may not use a command now; None if they may."""
    game, seat = session.game, session.seat
    if session.became and entry.is_personal:
        return Sentence("lines.only_the_player")
    if entry.about_phase and session.moves_once_agreed:
        return Sentence("lines.waits_above", what=session.moves_once_agreed)
    if entry.for_the_living and _is_out(session):
        return Sentence("lines.eliminated")
    if not entry.who & {_role_of(game, seat), Caller.ANYBODY}:
        allowed = tuple(each.words for each in Caller if each in entry.who)
        return Sentence("help.only_for", who=allowed) if seat else Sentence("help.sign_on")
    if entry.act is Act.PERSON and not _may_set_person(session):
        return Sentence("lines.from_own_address")
    flaw = why_not_yet(session, entry)
    return flaw or (entry.refused_in.get(game.status) if game else None)


def _may_set_person(session: Session) -> bool:
    """Whether the mail may change what holds for its writer at all games."""
    person = session.person
    if person is not None:
        known = session.uow.persons.get(person.id) or person
        if session.address in known.addresses or is_from_address_on_file(session):
            return True
    return verdict(Act.PERSON, session.proof) is not Verdict.ON_FILE


def _is_out(session: Session) -> bool:
    """Whether a player speaks all of whose powers are eliminated."""
    situation, seat = session.situation(), session.seat
    if situation is None or seat is None or not seat.powers:
        return False
    return set(seat.powers) <= situation.state.eliminated


def _role_of(game: Game | None, seat: Seat | None) -> Caller:
    """As what somebody at a seat uses commands; a game has one master and any co-masters."""
    if game is None or seat is None:
        return Caller.ANYBODY
    match seat.role:
        case Role.PLAYER:
            return Caller.PLAYER
        case Role.OBSERVER:
            return Caller.OBSERVER
        case Role.MASTER:
            return Caller.MASTER if seat.person == game.master else Caller.CO_MASTER
