"""A mail that could be read and not be handled: set aside, and everybody whom it concerns is told.

It is tried several times. Errors are counted apart from the deaths of processes: a process that is
killed, or a machine without power, is not the fault of the mail it has at hand. So a mail is set
aside after few errors, but after many deaths only, and the other mails go first meanwhile.
Its sender and the master are told in the same transaction, before any phase is played without it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo

import structlog

from machjudge.adjudicator.model.names import MachjudgeError
from machjudge.letters.page.head import Head
from machjudge.letters.page.page import BadTemplate
from machjudge.letters.wording.catalogue import BadCatalogue
from machjudge.sentence import Sentence
from machjudge.service.game.view import zone_of
from machjudge.service.model.records import Game, Notice, PersonId, Role, Seat
from machjudge.service.ports.faults import about_mail
from machjudge.service.ports.interfaces import UnitOfWork
from machjudge.service.ports.mails import KeptMail, Outgoing
from machjudge.service.ports.services import ScenarioUnusable, Services
from machjudge.service.session.answerable import is_own
from machjudge.service.session.outgoing import head_of, letter, sight_of

log = structlog.get_logger(__name__)

MOST_ERRORS = 3
"""After so many errors a mail is set aside."""
MOST_DEATHS = 8
"""After so many deaths, too."""
_DAY = timedelta(days=1)
_MOST_TOLD = 5


class ProcessDied(MachjudgeError):
    """Processes ended while they handled a mail, again and again."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What a mail has proved before it failed."""

    game: Game | None = None
    seat: Seat | None = None
    is_known: bool = False
    """Whether the mail was heard far enough to know that; otherwise it may have proved more."""


def is_worth_another_try(kept: KeptMail, error: Exception) -> bool:
    """Whether a mail is tried again; a broken scenario is the same until its keeper mends it."""
    is_new = kept.tries < MOST_ERRORS and kept.deaths < MOST_DEATHS
    return is_new and not isinstance(error, ScenarioUnusable)


def set_aside(
    services: Services, kept: KeptMail, error: Exception, proof: Proof, now: datetime
) -> None:
    """Set a mail aside, and tell the keeper, its sender and the masters.

    Raises Stale if it is finished.
    """
    with services.store.writing() as uow:
        case = _case(services, uow, kept, proof, error)
        letters = _letters(case, now)
        uow.inbox.set_aside(kept.id, type(error).__name__, now)
        for game in case.games:
            uow.notices.add(Notice(game.id, now, None, "aside", str(kept.id)))
        for each in (*about_mail(services, kept, error), *letters):
            uow.outbox.put(each)
        uow.commit()


def _letters(case: "_Case", now: datetime) -> list[Outgoing]:
    """To the sender and to the masters, each address once."""
    if case.proof.is_known and case.proof.seat is None and case.unusable is None:
        return []  # a mail that proves nothing gives no right to an answer about our errors
    try:
        letters = [*_to_sender(case, now), *_to_masters(case)]
    except (BadTemplate, BadCatalogue):
        # The keeper's own paper may be what is wrong; only the keeper can be told then.
        log.exception("mail.not_told", mail=case.kept.id)
        return []
    return list({each.to: each for each in reversed(letters)}.values())[::-1]


@dataclass(frozen=True, slots=True)
class _Case:
    """A mail that is set aside, and whom it concerns."""

    services: Services
    uow: UnitOfWork
    kept: KeptMail
    proof: Proof
    person: PersonId | None
    """To whom its address belongs, which proves nothing."""
    games: tuple[Game, ...]
    """The game that it is for; where nobody knows, those at which its sender sits."""
    unusable: Game | None
    """The game whose scenario is broken, if that is why."""

    def head(self, game: Game | None) -> Head:
        """The head of a message about it; of a game that cannot go on it has what the game says."""
        code = self.services.judge.code
        if game is None:
            return Head(code)
        if game is self.unusable:
            return Head(code, game.name, variant=game.scenario, state=game.status.value)
        return head_of(self.services, game)

    def seats(self, game: Game) -> list[Seat]:
        """The seats that it comes from: the one it has opened, or those of its address."""
        if self.proof.seat is not None:
            return [self.proof.seat]
        return _seats_of(game, self.kept.sender, self.person)

    def zone(self, reader: str) -> tzinfo:
        """The time zone of a reader."""
        person = self.uow.persons.by_address(reader) if reader else None
        return zone_of(self.services, person)


def _case(
    services: Services, uow: UnitOfWork, kept: KeptMail, proof: Proof, error: Exception
) -> _Case:
    unusable = error.game if isinstance(error, ScenarioUnusable) else None
    owner = uow.persons.by_address(kept.sender) if kept.sender else None
    person = None if owner is None else owner.id
    game = unusable or proof.game
    if game is None and kept.game is not None:
        game = uow.games.get(kept.game)
    games = (game,) if game is not None else tuple(_games_of(uow, kept.sender, person))
    return _Case(services, uow, kept, proof, person, games, unusable)


def _games_of(uow: UnitOfWork, address: str, person: PersonId | None) -> Iterator[Game]:
    for game in uow.games.unfinished():
        if _seats_of(game, address, person):
            yield game


def _seats_of(game: Game, address: str, person: PersonId | None) -> list[Seat]:
    """The taken seats of a game with that address on file, or of that person."""
    taken = [seat for seat in game.seats if seat.person is not None]
    return [seat for seat in taken if seat.person == person or seat.address == address]


def _to_sender(case: _Case, now: datetime) -> Iterator[Outgoing]:
    """To where the mail came from, and to the owner of the seat that it has opened."""
    game = case.games[0] if len(case.games) == 1 else None
    key = "to_sender" if case.unusable is None else "unusable"
    for address in _addresses(case, now):
        told = Sentence(
            f"intake.aside.{key}",
            received=case.kept.received,
            zone=case.zone(address),
            game=game.name if game is not None else "",
        )
        facts = {
            "head": case.head(game),
            "subject": Sentence("intake.aside.not_handled"),
            "lines": (told,),
        }
        page = case.services.paper.page("token", facts)
        answers = case.kept.message_id or None
        of = None if game is None else game.id
        yield Outgoing(address, page.subject, page.body, game=of, answers=answers)


def _addresses(case: _Case, now: datetime) -> tuple[str, ...]:
    """Who has proved nothing gets a few messages a day; a stranger gets one."""
    sender = case.kept.sender
    if not sender or is_own(sender, case.services.judge.address):
        return ()
    if case.proof.seat is not None:
        return tuple(dict.fromkeys([sender, case.proof.seat.address]))
    most = _MOST_TOLD if any(case.seats(game) for game in case.games) else 1
    lately = case.uow.inbox.set_aside_since(sender, now - _DAY)
    return (sender,) if lately < most else ()


def _to_masters(case: _Case) -> Iterator[Outgoing]:
    for game in case.games:
        for master in game.seats:
            if master.role is Role.MASTER and master.person is not None:
                yield _to_master(case, game, master)


def _to_master(case: _Case, game: Game, master: Seat) -> Outgoing:
    told = Sentence(
        "intake.aside.to_master" if case.unusable is None else "intake.aside.unusable_to_master",
        powers=_powers(case, game, master),
        sits=bool(case.seats(game)),
        received=case.kept.received,
        zone=case.zone(master.address),
    )
    subject = Sentence("intake.aside.mail_not_handled")
    facts = {"head": case.head(game), "subject": subject, "lines": (told,)}
    return letter(game, master.address, case.services.paper.page("token", facts))


def _powers(case: _Case, game: Game, master: Seat) -> tuple[str, ...]:
    """The powers of whoever writes; none for a master who plays, and must not learn it.

    Nor where the scenario that names them is broken.
    """
    if sight_of(game, [master]).plays or game is case.unusable:
        return ()
    names = case.services.scenario(game).powers
    return tuple(names[power].name for seat in case.seats(game) for power in seat.powers)
