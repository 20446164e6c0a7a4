"""Seats taken under an address that nobody has confirmed: kept beside the game, for nobody yet.

The acknowledgement goes to the claimed address, and asks for an answer.  Until it comes, the
seat is opened by its own password and by nothing else; it counts for nothing, and nobody is told.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from machjudge.sentence import Sentence
from machjudge.service.credentials.authority import Proven, Verdict, verdict
from machjudge.service.credentials.reply_tokens import AddressToken, Speaks
from machjudge.service.game import registry
from machjudge.service.game.view import zone_of, zone_words
from machjudge.service.identity.tokens import letter_of
from machjudge.service.identity.unlock import may_try
from machjudge.service.model.records import AddressStanding, Claimed, Game, Person, Role, Seat
from machjudge.service.ports.services import Services
from machjudge.service.session.command import CommandEntry
from machjudge.service.session.session import NOT_CONFIRMED, Session

MOST_CLAIMS = 3
"""Seats at one game that may wait for an answer from one address."""
MOST_AT_A_GAME = 50
LASTS = timedelta(days=3)
"""How long somebody waits for an answer who has no game whose master could say so."""


def claim_seat(session: Session, game: Game, seat: Seat, person: Person) -> None:
    """Keep a seat for somebody until they answer from the address that they claim.

    Nobody is kept out by those who do not answer: where there are many, the oldest gives way.
    """
    number = registry.next_number(game)
    gone = _giving_way(game, seat.address)
    session.claim(game, replace(seat, number=number, claimed=Claimed(person.id, session.now)))
    give_way(session, gone)
    ask_to_answer(session, person)


def _giving_way(game: Game, address: str) -> list[Seat]:
    """The claims for which there is no room beside one more of an address."""
    by_age = sorted(game.claims, key=lambda claim: (claim.claimed is not None, _since(claim)))
    own = [claim for claim in by_age if claim.address == address]
    gone = own[: max(0, len(own) + 1 - MOST_CLAIMS)]
    rest = [claim for claim in by_age if claim not in gone]
    return gone + rest[: max(0, len(rest) + 1 - MOST_AT_A_GAME)]


def _since(claim: Seat) -> datetime:
    return claim.claimed.since if claim.claimed is not None else datetime.max.replace(tzinfo=UTC)


def give_way(session: Session, claims: Sequence[Seat]) -> None:
    """Drop claims of the open game, and for whom they were kept."""
    if session.game is not None and claims:
        numbers = {claim.number for claim in claims}
        session.set_game(registry.without_claims(session.game, numbers))
    session.changes.forgotten |= {each.claimed.person for each in claims if each.claimed}


def ask_to_answer(session: Session, person: Person) -> None:
    """Have the answer to this mail ask for a reply from the claimed address."""
    session.waits = person


def waiting_words(session: Session) -> Iterator[Sentence]:
    """What the acknowledgement asks for and of whom, and what the answer would set."""
    person = session.waits
    if person is None:
        return
    claim = session.seat if session.is_claim else None
    is_known = session.uow.persons.by_address(person.addresses[0]) is not None
    yield Sentence(
        "identity.seat.waits",
        is_known=is_known,
        until=session.now + lasts(session.game),
        zone=zone_of(session.services, person),
    )
    yield from what_is_set(session.services, session.game, person, claim, is_known=is_known)


def rivals(game: Game, claim: Seat) -> list[Seat]:
    """The other claims of the same address at a game."""
    others = (each for each in game.claims if each.number != claim.number)
    return [each for each in others if each.address == claim.address]


def what_is_set(
    services: Services, game: Game | None, person: Person, claim: Seat | None, *, is_known: bool
) -> Iterator[Sentence]:
    """What the answer sets, as the mail has asked for it, and how many have asked for the same.

    *is_known*: the address is somebody's here.
    """
    others = rivals(game, claim) if game is not None and claim is not None else []
    registers = person.standing is AddressStanding.REGISTERING
    wishes = claim.preferences if claim is not None else ""
    sets = (
        (claim is not None and not others, Sentence("identity.seat.sets.password")),
        (registers or not is_known, Sentence("identity.seat.sets.name", name=person.name)),
        (
            registers or person.zone != services.judge.zone,
            Sentence("identity.seat.sets.zone", zone=zone_words(person.zone)),
        ),
        (bool(wishes), Sentence("identity.seat.sets.preferences", preferences=wishes)),
    )
    told = tuple(sentence for is_so, sentence in sets if is_so)
    if told:
        yield Sentence("identity.seat.answer_sets", sets=told)
    if others:
        yield Sentence("identity.seat.several", n=len(others) + 1)


def code_for(session: Session, address: str) -> Speaks | None:
    """For what an answer to this mail's answer speaks, beside a seat: for an address."""
    if session.waits is not None:
        own = address == session.waits.addresses[0]
        claim = session.seat if session.is_claim else None
        return token_of_claim(session.game, session.waits, claim) if own else None
    person = session.person
    if not session.has_code or person is None or address not in person.addresses:
        return None
    return AddressToken(person.id, address)


def token_of_claim(game: Game | None, person: Person, claim: Seat | None) -> AddressToken:
    """What the answer to a message about a claim carries: whose it is, at which game, for what."""
    at = game.id if game is not None else ""
    seat = f" {letter_of(claim)}" if claim is not None else ""
    return AddressToken(person.id, person.addresses[0], f"{at}{seat}")


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
