"""A mail that cannot be handled: tried again for seconds, then set aside, and everybody is told.

A fault that repeats itself at the same place would do so for ever, and one of reading does so at
once: such a mail is set aside.  Errors are counted apart from the deaths of processes: a process
that is killed, or a machine without power, is not the fault of the mail it has at hand.  So a mail
is set aside after few errors, but after many deaths only, and the other mails go first meanwhile.
Its writer and the master are told in the same transaction, before any phase is played without it.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo

import structlog

from machjudge.adjudicator.model.names import MachjudgeError
from machjudge.letters.page.head import Head
from machjudge.reading import claim_in, codes_in, texts_of
from machjudge.sentence import Sentence, Wording
from machjudge.service.credentials.reply_tokens import presented
from machjudge.service.game.view import load, zone_of
from machjudge.service.intake.by_token import place_opened
from machjudge.service.limits.answering import fitted
from machjudge.service.model.records import Game, GameId, Notice, PersonId, Role, Seat, Status
from machjudge.service.ports.changes import Changes
from machjudge.service.ports.faults import about_mail, kind_of
from machjudge.service.ports.interfaces import Stale, UnitOfWork
from machjudge.service.ports.mails import KeptMail, Outgoing
from machjudge.service.ports.services import ScenarioUnusable, Services
from machjudge.service.ports.stale import StoreTrouble
from machjudge.service.session.answerable import is_own
from machjudge.service.session.incoming import Unreadable, kept_text
from machjudge.service.session.outgoing import head_of, letter, sight_of
from machjudge.service.session.session import Session

log = structlog.get_logger(__name__)

MOST_ERRORS = 3
"""After so many errors at different places a mail is set aside."""
MOST_DEATHS = 8
"""After so many deaths, too."""
AGAIN_AFTER = timedelta(seconds=2)
"""How long a mail rests after an error; nobody waits for it meanwhile."""
_DAY = timedelta(days=1)
_LONGEST_TEXT = 20_000
"""Characters of a mail that its writer gets back."""


class ProcessDied(MachjudgeError):
    """Processes ended while they handled a mail, again and again."""


@dataclass(frozen=True, slots=True)
class FailedTry:
    """A try that failed, and what the mail had proved before it."""

    kept: KeptMail
    error: Exception
    now: datetime
    game: Game | None = None
    seat: Seat | None = None
    """The seat that the mail has opened by a proof."""
    secrets: frozenset[str] = frozenset()
    """Words of the mail that nobody may read."""

    @property
    def is_final(self) -> bool:
        """Whether the mail is not tried again by itself."""
        if isinstance(self.error, Unreadable | ScenarioUnusable):
            return True  # the same until the program or the file is mended
        is_worn_out = self.kept.tries >= MOST_ERRORS or self.kept.deaths >= MOST_DEATHS
        return is_worn_out or self.kept.fault == kind_of(self.error)


def failure_of(
    services: Services, kept: KeptMail, error: Exception, heard: Sequence[Session], now: datetime
) -> FailedTry:
    """What is known of a try that failed; *heard* is what was made of the mail, if anything."""
    session = next(iter(heard), None)
    if session is not None and session.writers_seat is not None:
        secrets = frozenset(session.secrets)
        return FailedTry(kept, error, now, session.game, session.writers_seat, secrets)
    secrets = frozenset(session.secrets) if session is not None else frozenset()
    with suppress(Exception), services.store.reading() as uow:
        # Whatever was heard, the address to which a reply went proves who wrote it.
        codes = codes_in(kept.recipients)
        found = [speaks for _, speaks in presented(services.secret, uow.reply_tokens, codes)]
        place = place_opened(found, lambda name: uow.games.get(GameId(name)))
        if place is not None:
            return FailedTry(kept, error, now, place.game, place.seat, secrets)
    game = session.game if session is not None else None
    return FailedTry(kept, error, now, game, None, secrets)


def try_again(services: Services, failure: FailedTry) -> None:
    """Have a mail tried once more; only its own writer's next mail for the game waits for it."""
    kept, seat = failure.kept, failure.seat
    with services.store.writing() as uow:
        if failure.game is not None and seat is not None:
            uow.inbox.concerns(kept.id, failure.game.id)
        uow.inbox.put_back(
            kept.id,
            failure.now + AGAIN_AFTER,
            counts=True,
            fault=kind_of(failure.error),
            writer=seat.person if seat is not None else None,
        )
        uow.commit()


def set_aside(services: Services, failure: FailedTry) -> None:
    """Set a mail aside, and tell the keeper, its writer and the masters.

    Where telling them raises an error as well, fewer are told: the mail is set aside in any case.
    Raises Stale if it is finished, StoreTrouble.
    """
    for write in (_write, _tell_keeper):
        try:
            with services.store.writing() as uow:
                write(services, uow, failure)
                uow.inbox.set_aside(failure.kept.id, kind_of(failure.error), failure.now)
                uow.commit()
        except (Stale, StoreTrouble):
            raise
        except Exception:
            log.exception("mail.not_told", mail=failure.kept.id)
        else:
            return
    with services.store.writing() as uow:
        uow.inbox.set_aside(failure.kept.id, kind_of(failure.error), failure.now)
        uow.commit()


def _tell_keeper(services: Services, uow: UnitOfWork, failure: FailedTry) -> None:
    for each in about_mail(services, uow, failure.kept, failure.error, failure.now):
        uow.outbox.put(each)


def _write(services: Services, uow: UnitOfWork, failure: FailedTry) -> None:
    """Tell everybody, note it in the log of the game, and let its phase wait for the writer."""
    case = _case(services, uow, failure)
    waits = case.unusable is None and _flag(case)
    _tell_keeper(services, uow, failure)
    for game in case.games:
        uow.notices.add(Notice(game.id, failure.now, None, "aside", str(failure.kept.id)))
    letters = [*_to_writer(case, waits=waits), *_to_masters(case, waits=waits)]
    for each in reversed({each.to: each for each in reversed(letters)}.values()):
        uow.outbox.put(each)


@dataclass(frozen=True, slots=True)
class _Case:
    """A mail that is set aside, and whom it concerns."""

    services: Services
    uow: UnitOfWork
    failure: FailedTry
    person: PersonId | None
    """To whom its address belongs, which proves nothing."""
    games: tuple[Game, ...]
    """The game that it is for; where nobody knows, those at which its sender sits."""
    unusable: Game | None
    """The game whose scenario is broken, if that is why."""
    is_told: bool
    """Whether anybody is told of a mail that proves nothing: once per address and day."""

    @property
    def kept(self) -> KeptMail:
        """The mail."""
        return self.failure.kept

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
        if self.failure.seat is not None:
            return [self.failure.seat]
        return _seats_of(game, self.kept.sender, self.person)

    def zone(self, reader: str) -> tzinfo:
        """The time zone of a reader."""
        person = self.uow.persons.by_address(reader) if reader else None
        return zone_of(self.services, person)


def _case(services: Services, uow: UnitOfWork, failure: FailedTry) -> _Case:
    kept, error = failure.kept, failure.error
    unusable = error.game if isinstance(error, ScenarioUnusable) else None
    owner = uow.persons.by_address(kept.sender) if kept.sender else None
    person = None if owner is None else owner.id
    game = unusable or failure.game
    if game is None and kept.game is not None:
        game = uow.games.get(kept.game)
    games = (game,) if game is not None else tuple(_games_of(uow, kept.sender, person))
    lately = uow.inbox.set_aside_since(kept.sender, failure.now - _DAY)
    is_told = failure.seat is not None or not lately
    return _Case(services, uow, failure, person, games, unusable, is_told)


def _games_of(uow: UnitOfWork, address: str, person: PersonId | None) -> Iterator[Game]:
    for game in uow.games.unfinished():
        if _seats_of(game, address, person):
            yield game


def _seats_of(game: Game, address: str, person: PersonId | None) -> list[Seat]:
    """The taken seats of a game with that address on file, or of that person."""
    taken = [seat for seat in game.seats if seat.person is not None]
    return [seat for seat in taken if seat.person == person or seat.address == address]


def _flag(case: _Case) -> bool:
    """Let the phase wait for a clean mail of a player, as after a line that was wrong."""
    failure, seat = case.failure, case.failure.seat
    if seat is None or seat.role is not Role.PLAYER or failure.game is None:
        return False
    case.uow.games.lock(failure.game.id)
    game = case.uow.games.get(failure.game.id)
    if game is None or game.status is not Status.RUNNING or game.clock is None:
        return False
    sheets = load(case.services, case.uow, game).sheets
    own = [sheets[power] for power in seat.powers if power in sheets]
    if case.kept.received < game.clock.began:
        return False
    flagged = [
        replace(
            sheet,
            flawed=True,
            number=sheet.number + 1,
            received=max(sheet.received, case.kept.received),
            mail=case.kept.id,
        )
        for sheet in own
        if not sheet.flawed
    ]
    if flagged:
        Changes(read=game, game=game, sheets=flagged).write(case.uow)
    return bool(own)


def _to_writer(case: _Case, *, waits: bool) -> Iterator[Outgoing]:
    """To where the mail came from, and to the owner of the seat that it has opened."""
    game = case.games[0] if len(case.games) == 1 else None
    for address in _addresses(case):
        received, zone = case.kept.received, case.zone(address)
        if case.unusable is None:
            told = Sentence("intake.aside.to_sender", received=received, zone=zone, waits=waits)
        else:
            name = case.unusable.name
            told = Sentence("intake.aside.unusable", received=received, zone=zone, game=name)
        facts = {
            "head": case.head(game),
            "subject": Sentence("intake.aside.not_handled"),
            "lines": (told, *_text_back(case)),
        }
        page = case.services.paper.page("token", facts)
        answers = case.kept.message_id or None
        of = None if game is None else game.id
        message = Outgoing(address, page.subject, page.body, game=of, answers=answers)
        cut = case.services.paper.say(Sentence("intake.aside.cut"))
        yield message if case.failure.seat is not None else fitted(message, "", cut)


def _text_back(case: _Case) -> tuple[Wording, ...]:
    """What somebody wrote, without its passwords."""
    kept = kept_text(case.kept.raw, case.failure.secrets)
    try:
        text = texts_of(kept)[0]
    except Exception:  # reading may be what is broken
        text = kept.partition(b"\n\n")[2].decode("utf-8", "replace")
    lines = text[:_LONGEST_TEXT].strip().split("\n")
    return (Sentence("intake.aside.text"), *(f"  {line}".rstrip() for line in lines))


def _addresses(case: _Case) -> tuple[str, ...]:
    """Who is told as its writer: the owner of the seat, and whoever is named in From.

    Neither machines nor lists are, and who has proved nothing is once a day.
    """
    judge, seat = case.services.judge.address, case.failure.seat
    claim = claim_in(case.kept.raw, (judge,), case.kept.envelope)
    named = claim.sender if claim is not None and not is_own(claim.sender, judge) else ""
    owner = seat.address if seat is not None else ""
    return tuple(dict.fromkeys(filter(None, (named, owner)))) if case.is_told else ()


def _to_masters(case: _Case, *, waits: bool) -> Iterator[Outgoing]:
    for game in case.games if case.is_told else ():
        for master in game.seats:
            if master.role is Role.MASTER and master.person is not None:
                yield _to_master(case, game, master, waits=waits)


def _to_master(case: _Case, game: Game, master: Seat, *, waits: bool) -> Outgoing:
    facts = {
        "powers": _powers(case, game, master),
        "sits": bool(case.seats(game)),
        "received": case.kept.received,
        "zone": case.zone(master.address),
    }
    if case.unusable is None:
        told = Sentence("intake.aside.to_master", waits=waits, **facts)
    else:
        told = Sentence("intake.aside.unusable_to_master", **facts)
    subject = Sentence("intake.aside.mail_not_handled")
    said = {"head": case.head(game), "subject": subject, "lines": (told,)}
    return letter(game, master.address, case.services.paper.page("token", said))


def _powers(case: _Case, game: Game, master: Seat) -> tuple[str, ...]:
    """The powers of whoever writes; none for a master who plays, and must not learn it.

    Nor where the scenario that names them is broken.
    """
    if sight_of(game, [master]).plays or game is case.unusable:
        return ()
    names = case.services.scenario(game).powers
    return tuple(names[power].name for seat in case.seats(game) for power in seat.powers)
