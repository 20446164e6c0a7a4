"""Seats taken under an address that nobody has confirmed: kept beside the game, for nobody yet.

The acknowledgement goes to the claimed address, and asks for an answer.  Until it comes, the
seat is opened by its own password and by nothing else; it counts for nothing, and nobody is told.
"""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta

from machjudge.reading import Line
from machjudge.sentence import Sentence
from machjudge.service.credentials.authority import Proven, Verdict, verdict
from machjudge.service.credentials.reply_tokens import AddressToken, Speaks
from machjudge.service.game import registry
from machjudge.service.game.view import zone_of
from machjudge.service.identity.unlock import may_try
from machjudge.service.model.records import Claimed, Game, Person, Role, Seat
from machjudge.service.session.command import CommandEntry
from machjudge.service.session.session import NOT_CONFIRMED, Session

MOST_CLAIMS = 3
"""Seats at one game that may wait for an answer from one address."""
MOST_AT_A_GAME = 50
LASTS = timedelta(days=3)
"""How long somebody waits for an answer who has no game whose master could say so."""


def claim_seat(session: Session, line: Line, game: Game, seat: Seat, person: Person) -> None:
    """Keep a seat for somebody until they answer from the address that they claim."""
    flaw = _flaw(game, seat)
    if flaw:
        session.changes.persons.pop(person.id, None)
        session.refuse_all(line, flaw)
        return
    number = registry.next_number(game)
    session.claim(game, replace(seat, number=number, claimed=Claimed(person.id, session.now)))
    ask_to_answer(session, person)


def _flaw(game: Game, seat: Seat) -> Sentence | None:
    if sum(claim.address == seat.address for claim in game.claims) >= MOST_CLAIMS:
        return Sentence("identity.seat.too_many")
    return Sentence("identity.seat.full") if len(game.claims) >= MOST_AT_A_GAME else None


def ask_to_answer(session: Session, person: Person) -> None:
    """Have the answer to this mail ask for a reply from the claimed address."""
    session.waits = person


def waiting_words(session: Session) -> Iterator[Sentence]:
    """What the acknowledgement asks for, and of whom."""
    if session.waits is not None:
        yield Sentence(
            "identity.seat.waits",
            is_known=session.claimant is not None,
            until=session.now + lasts(session.game),
            zone=zone_of(session.services, session.waits),
        )


def code_for(session: Session, address: str) -> Speaks | None:
    """For what an answer to this mail's answer speaks, beside a seat: for an address."""
    if session.waits is not None:
        own = address == session.waits.addresses[0]
        game = session.game.id if session.game is not None else ""
        return AddressToken(session.waits.id, address, game) if own else None
    person = session.person
    if not session.has_code or person is None or address not in person.addresses:
        return None
    return AddressToken(person.id, address)


def lasts(game: Game | None) -> timedelta:
    """How long a seat waits for an answer."""
    return timedelta(hours=game.conduct.confirm_hours) if game is not None else LASTS


def is_over(game: Game, claim: Seat, now: datetime) -> bool:
    """Whether nobody has answered in time."""
    return claim.claimed is not None and now >= claim.claimed.since + lasts(game)


# --- opening one ------------------------------------------------------------------------------


def open_claim(session: Session, game: Game, letter: str, password: str) -> bool:
    """Speak from a seat that waits for an answer, if the password is its own; say whether it is."""
    claims = _candidates(session, game, letter)
    if not claims or not may_try(session, game.id, letter):
        return False
    for claim in claims:
        if registry.is_right(session.services, claim.password, password):
            session.claim(game, claim)
            session.waits = session.person
            return True
    return False


def _candidates(session: Session, game: Game, letter: str) -> list[Seat]:
    """The seats under the address in From that a signon with that letter means."""
    own = [claim for claim in game.claims if claim.address == session.address]
    return [claim for claim in own if _is_called(claim, letter)][:MOST_CLAIMS]


def _is_called(claim: Seat, letter: str) -> bool:
    match claim.role:
        case Role.PLAYER:
            return letter in claim.powers or (letter == registry.FORMING and not claim.powers)
        case Role.MASTER:
            return letter == registry.MASTER
        case Role.OBSERVER:
            return letter == registry.OBSERVER


def withdraw(session: Session, game: Game, claim: Seat) -> None:
    """Give up a seat that waits for an answer, and whoever it waits for."""
    if not game.is_confirmed:
        session.changes.is_removed = True
    session.set_game(registry.without_claims(game, {claim.number}))
    if claim.claimed is not None:
        session.changes.persons.pop(claim.claimed.person, None)
        if session.uow.persons.get(claim.claimed.person) is not None:
            session.changes.forgotten.add(claim.claimed.person)
    session.seat_number = session.opened_seat = session.waits = None
    session.is_closed = session.has_resigned = True
    session.done(Sentence("identity.seat.withdrawn", game=game.name))


# --- what it may do ---------------------------------------------------------------------------


def why_not_yet(session: Session, entry: CommandEntry) -> Sentence | None:
    """Why a command waits until the address of the open seat is confirmed; None if it may be."""
    if session.proof is not Proven.UNCONFIRMED:
        return None
    found = verdict(entry.act, Proven.UNCONFIRMED)
    is_own = session.game is not None and not session.game.is_confirmed
    may = found in (Verdict.YES, Verdict.ANSWERED) or (
        found is Verdict.OWN and (is_own or entry.name == "resign")
    )
    return None if may and entry.name != "set address" else NOT_CONFIRMED
