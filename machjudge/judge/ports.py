"""Telling the judge keeper of our own faults, in plain words and without anybody's text."""

import traceback
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Protocol

import structlog

from machjudge.adjudicator.board import Scenario
from machjudge.adjudicator.names import MachjudgeError, PowerId
from machjudge.adjudicator.world import World, world_of
from machjudge.judge.credentials import PendingActs, ReplyTokens, Token
from machjudge.judge.faults import (
    Stale,
)
from machjudge.judge.mails import (
    KeptMail,
    Letter,
    LetterId,
    MailEnd,
    Outgoing,
    WaitingDigest,
)
from machjudge.judge.ratings import RatedGame
from machjudge.judge.records import (
    Bounce,
    Counts,
    End,
    Game,
    GameId,
    Holding,
    Judge,
    Limit,
    MailId,
    Note,
    NoteKind,
    Notice,
    OrderSet,
    Person,
    PersonId,
    Plan,
    PressItem,
    StoredPhase,
)
from machjudge.judge.secret import JudgeSecret
from machjudge.mail_parser.lines import Mail, MailFlaw
from machjudge.map_files.folders import Atlas
from machjudge.map_files.toml_reader import BrokenMap
from machjudge.messages.catalogue import BadCatalogue, Library
from machjudge.messages.layout import clean_body, one_line
from machjudge.messages.render import BadTemplate, MessageHeader, MessageRenderer, Page
from machjudge.translatable import Message


class Persons(Protocol):
    """The people."""

    def get(self, person: PersonId) -> Person | None:
        """The person with that token."""

    def of(self, people: Collection[PersonId]) -> Mapping[PersonId, Person]:
        """Several people at once; those who are not there are left out."""

    def held(self, people: Collection[PersonId]) -> Mapping[PersonId, Person]:
        """The same, as they are now; nobody else changes them until the transaction ends."""

    def by_address(self, address: str) -> Person | None:
        """Whose confirmed address it is (compared in lower case)."""

    def names(self, besides: Collection[PersonId] = ()) -> Sequence[str]:
        """The names of everybody else; several people may have the same."""

    def by_name(self, name: str) -> Sequence[Person]:
        """Everybody confirmed of that name; case and the number of spaces do not count."""

    def unconfirmed(self, until: datetime) -> Sequence[Person]:
        """Everybody who came before an instant and whose address is only claimed, oldest first."""

    def remove(self, person: PersonId) -> None:
        """Forget somebody whose address nobody has confirmed."""

    def save(self, person: Person) -> None:
        """Add or replace a person.  Raises Stale if an address belongs to another person."""


class Games(Protocol):
    """The games, without their positions."""

    def get(self, game: GameId) -> Game | None:
        """The game of that name."""

    def lock(self, game: GameId) -> None:
        """Let nobody else change a game until the transaction ends (writing transactions only)."""

    def unfinished(self) -> Sequence[Game]:
        """The games that form or run, by name."""

    def finished(self) -> Sequence[GameId]:
        """The finished games that are listed, by name."""

    def attended_by(self, person: PersonId) -> Sequence[Game]:
        """The games with somebody in their attendance, by name."""

    def ends(self) -> Mapping[End, int]:
        """How many games ended in which way here."""

    def finishes(self, of: Collection[PersonId] | None = None) -> Sequence[RatedGame]:
        """How the games for ratings points ended, by name; with *of*, those that they played."""

    def seated(self, people: Collection[PersonId]) -> Collection[PersonId]:
        """Those of some people who sit at a game, whatever its state."""

    def claimed(self) -> Sequence[GameId]:
        """The games with seats that wait for an answer, by name."""

    def due(self, now: datetime) -> Sequence[GameId]:
        """The games to be looked at by *now*, by name: changed ones, and those that are due."""

    def rest(self, game: Game, until: datetime | None) -> None:
        """Nothing is to be done with a game before *until* (never, if None), unless it changes.

        Does nothing if it has changed since it was read.
        """

    def add(self, game: Game) -> None:
        """Add a game with version 1.  Raises Stale if the name is taken."""

    def remove(self, game: GameId) -> None:
        """Forget a game that nobody has confirmed, with what was noted about it."""

    def save(self, game: Game, read: Game | None = None, *, adds_only_sheets: bool = False) -> None:
        """Replace the game whose stored version is ``game.version - 1``.  Raises Stale.

        *read* is that version, if it is at hand: what has not changed is not written again.
        With *adds_only_sheets* nothing of the game changes but its version and its order sets,
        and whoever knows the one before reads those alone.
        """


class OrderSets(Protocol):
    """The order sets of all powers, with their history."""

    def on_file(self, game: GameId, after: int) -> Mapping[PowerId, OrderSet]:
        """The newest order set of each power that has one for the phase following *after*."""

    def history(self, game: GameId, after: int, power: PowerId) -> Sequence[OrderSet]:
        """All order sets of a power for that phase, oldest first."""

    def add(self, order_set: OrderSet) -> None:
        """Add an order set.  Raises Stale if its number is taken."""


class Plans(Protocol):
    """What the powers have on file ahead, with its history."""

    def on_file(self, game: GameId) -> Mapping[PowerId, Plan]:
        """The newest plan of each power that has one."""

    def history(self, game: GameId, power: PowerId) -> Sequence[Plan]:
        """All plans of a power, oldest first."""

    def add(self, plan: Plan) -> None:
        """Add a plan.  Raises Stale if its number is taken."""


class Phases(Protocol):
    """The phases as they were processed."""

    def get(self, game: GameId, number: int) -> StoredPhase:
        """One stored phase.  Raises KeyError."""

    def all_of(self, game: GameId) -> Sequence[StoredPhase]:
        """All stored phases of a game by number, those from before a rollback included."""

    def add(self, phase: StoredPhase, holdings: Sequence[Holding]) -> None:
        """Add a phase and its rows of the index.  Raises Stale if its number is taken."""

    def now(self, games: Iterable[Game]) -> Mapping[GameId, str]:
        """The code of the phase in which each of some games is; without those that form."""

    def last_number(self, game: GameId) -> int:
        """The highest number used in the game; -1 where there is none."""

    def holdings(self, game: GameId, number: int) -> Sequence[Holding]:
        """The rows of the index of one phase, by power."""


class PressFile(Protocol):
    """The messages between players."""

    def add(self, item: PressItem) -> None:
        """Keep a message."""

    def all_of(self, game: GameId) -> Sequence[PressItem]:
        """All messages of a game, oldest first."""

    def to_all(self) -> Mapping[GameId, int]:
        """How many messages to everybody there are in each game that has any."""


class Notes(Protocol):
    """Postal press that waits, and the diaries."""

    def add(self, note: Note) -> None:
        """Keep a note.  Raises Stale if its number is taken."""

    def remove(self, note: Note) -> None:
        """Throw a note away."""

    def all_of(self, game: GameId, kind: NoteKind) -> Sequence[Note]:
        """All notes of that kind at a game, oldest first."""


class Notices(Protocol):
    """The log of each game."""

    def add(self, notice: Notice) -> None:
        """Keep an entry."""

    def all_of(self, game: GameId) -> Sequence[Notice]:
        """All entries of a game, oldest first."""


class Heartbeat(Protocol):
    """When the judge last looked at its clock, so that a jump of it is noticed."""

    def last(self) -> datetime | None:
        """When it was; None before the first."""

    def usual(self) -> timedelta | None:
        """How long is usually between looks; None as long as nothing is known."""

    def missed(self) -> timedelta:
        """Unusual silences between looks that nobody has made up for yet."""

    def beat(
        self, now: datetime, usual: timedelta | None = None, missed: timedelta = timedelta(0)
    ) -> None:
        """Note that it is *now*, how long is usually between looks, what was missed.

        Raises Stale if another process has just noted the first look of all.
        """

    def set_back(self, now: datetime) -> None:
        """The clock was ahead and is right again: nothing that it has noted stays in the future.

        What waits for its time is due, claims end soon, and what happened happened until now.
        """


class Tokens(Protocol):
    """The tokens that were mailed."""

    def token(self, hashed: str) -> Token | None:
        """The token with that hash, whether it is still worth something or not."""

    def made_since(self, person: PersonId, since: datetime) -> Sequence[Token]:
        """The tokens for somebody that were made at or after an instant, oldest first."""

    def add(self, token: Token) -> None:
        """Keep a token.  Raises Stale if it is there already."""

    def drop(self, hashed: str) -> None:
        """Forget a token that was used."""


class PersonalData(Protocol):
    """What the database has of somebody, beside their name and addresses."""

    def of(self, person: Person) -> Mapping[str, Sequence[Mapping[str, object]]]:
        """By what they are about: a row for each, its fields by their names; the newest first."""

    def games(self, person: Person) -> Sequence[GameId]:
        """The games in which somebody has a seat, or had one; by name."""

    def erase(self, person: Person, called: str) -> None:
        """Remove what tells who somebody is; where a name must stand they are *called* so.

        Their seats and mails that still wait stay as they are; letters that wait are emptied once
        they have gone.
        """


class Inbox(Protocol):
    """The kept mails.  The listener adds to it; the worker takes from it.

    An unfinished mail is one that is neither finished nor set aside.
    """

    def claim(
        self, now: datetime, *, before: datetime | None = None, unless_overdue: bool = False
    ) -> KeptMail | None:
        """Take up the oldest unfinished mail that nobody else has claimed.

        Passed over are mails put back until later than *now*, mails whose sender has an older
        unfinished one that has not failed yet, mails known to be for a game for which they
        `must_wait`, and, with *before*, those received at or after that instant; with
        *unless_overdue* all of them where the deadline of a game is over.  Mails with which
        several processes died come last.  The claim ends by itself after a `LEASE`; *tries* goes
        up by one, or *deaths* where the claim is taken over from a dead process.
        """

    def concerns(self, mail: MailId, game: GameId | None) -> bool:
        """Note for which game a mail is, or that it is for none; until then it is in doubt.

        Whether an older unfinished mail is for the game, or still in doubt.
        """

    def has_come_before(self, mail: KeptMail) -> bool:
        """Whether an older mail has the same Message-ID, whatever else it says."""

    def must_wait(self, mail: MailId, game: GameId) -> bool:
        """Whether an older unfinished mail is for the game, or still in doubt."""

    def is_read_elsewhere(self, mail: MailId, now: datetime) -> bool:
        """Whether somebody finds out at *now* for which game an older mail is."""

    def any_before(self, instant: datetime, game: GameId) -> bool:
        """Whether a mail received before *instant*, for the game or in doubt, is unfinished.

        Certain in a writing transaction that was begun at or after *instant*.
        """

    def newest(self, game: GameId) -> datetime | None:
        """When the newest unfinished mail was received that is for the game or in doubt.

        Certain in a writing transaction, as `any_before`.
        """

    def put_back(
        self,
        mail: MailId,
        until: datetime,
        *,
        counts: bool,
        fault: str = "",
        writer: PersonId | None = None,
    ) -> None:
        """End the claim; take the mail up again at *until*.

        *counts*: the try was a failure of the mail's own.  With a *fault*, nobody waits for it any
        more but later mails of *writer*, who has proved to have written it, for the same game.
        """

    def finish(
        self,
        mail: KeptMail,
        end: MailEnd,
        redacted: bytes,
        now: datetime,
        game: GameId | None = None,
        writer: PersonId | None = None,
    ) -> None:
        """The mail is handled; *redacted* replaces what was kept: every password in it is out.

        Raises Stale if it is finished already, so that no mail takes effect twice; MustWait if an
        older unfinished mail is for *game*, or still in doubt; FollowsFailed if an older mail of
        *writer* for *game* has failed and is tried again.
        """

    def set_aside(self, mail: MailId, why: str, now: datetime) -> None:
        """Keep the mail for the judge keeper; *why* is one line.  Raises Stale if it has ended."""

    def finish_aside(self, mail: MailId, end: MailEnd, redacted: bytes, now: datetime) -> None:
        """A mail that was set aside is done with; *redacted* replaces what was kept."""

    def all_aside(self, since: datetime) -> Sequence[KeptMail]:
        """The mails set aside at or after *since*, as they were, without their texts."""

    def raw_of(self, mail: MailId) -> bytes:
        """What is kept of a mail.  Raises KeyError if there is none of that number."""

    def set_aside_since(self, address: str, since: datetime) -> int:
        """How many mails from an address were set aside at or after *since*."""

    def unheard(self, address: str, since: datetime, most: int) -> Sequence[KeptMail]:
        """The newest mails from an address that were taken for automatic ones."""


class Outbox(Protocol):
    """Letters that are sent after the transaction is committed."""

    def put(self, letter: Outgoing) -> None:
        """Add a letter."""

    def lately(self, address: str, since: datetime, most: int) -> Sequence[Letter]:
        """The newest letters to an address made at or after *since*, without their files."""

    def posted(self, letter: LetterId) -> Letter | None:
        """The letter of that number without its files; None if there is none."""

    def bodies(self, address: str, since: datetime, most: int) -> Sequence[tuple[datetime, str]]:
        """When the newest letters to an address were made, not before *since*, and their texts."""

    def held(self) -> Sequence[WaitingDigest]:
        """Whose letters wait for a digest, by person and address."""

    def held_for(self, person: PersonId, address: str) -> Sequence[Letter]:
        """The letters that wait for somebody's digest to an address, oldest first."""

    def gather(self, letters: Collection[LetterId], now: datetime) -> None:
        """Note that letters are in a digest.  Raises Stale if one of them waits no more."""

    def came_back(
        self, letter: LetterId, now: datetime, why: str, bounce: Bounce | None
    ) -> Letter | None:
        """Note that a letter could not be delivered; None if no such letter was sent.

        *bounce* is what it counts against its address; None: nothing.
        """


class UnitOfWork(Protocol):
    """One transaction: what happens between its opening and its commit happens whole or not."""

    persons: Persons
    games: Games
    order_sets: OrderSets
    plans: Plans
    phases: Phases
    press: PressFile
    notes: Notes
    notices: Notices
    inbox: Inbox
    outbox: Outbox
    heartbeat: Heartbeat
    tokens: Tokens
    counts: Counts
    reply_tokens: ReplyTokens
    acts: PendingActs
    personal_data: PersonalData

    def commit(self) -> None:
        """Make it last.  Raises Stale if the database found a conflict."""


class Store(Protocol):
    """Opens transactions.  Leaving one without a commit undoes it."""

    def reading(self) -> AbstractContextManager[UnitOfWork]:
        """A transaction that reads one consistent state of everything, and never writes."""

    def writing(
        self, *, single: bool = False, outlasts_power: bool = True
    ) -> AbstractContextManager[UnitOfWork]:
        """A transaction that writes: short, nothing is parsed, adjudicated or rendered in it.

        Raises Stale if another transaction was in the way.
        *single*: one call of one repository is all that it does; what that writes may last before
        the commit.  Without *outlasts_power* that may be gone when the power fails, as claims may;
        not when the process dies.
        """


class Passwords(Protocol):
    """Hashing of passwords (argon2id)."""

    def hash(self, password: str) -> str:
        """The hash to be stored."""

    def is_right(self, hashed: str | None, password: str) -> bool:
        """Whether the password is the one; without a hash it is not, and that takes as long."""

    def is_cached(self, hashed: str, password: str) -> bool:
        """Whether the password is known to be the one, because it was compared lately."""


class SenderChecks(Protocol):
    """What mails prove of their senders."""

    def is_verified(self, raw: bytes, address: str, received: datetime) -> bool:
        """Whether the mail *raw* proves that *address*, the one in its From, wrote it to the judge.

        *received* is when it came: an old mail proves nothing.  Raises SenderNotKnownYet.
        """


class Chance(Protocol):
    """Random bytes, from outside so that tests can say which."""

    def secret(self) -> bytes:
        """32 bytes for the dice of a game."""

    def token(self) -> str:
        """A short random text of letters and digits that is never given twice."""


NOT_ONE_SENDER = Message("ports.not_one_sender")
"""What the sender is told of a mail that claims nobody, or several people at once."""


@dataclass(frozen=True, slots=True)
class Claim:
    """Who a mail says that it comes from."""

    address: str
    """The one address, in lower case."""
    name: str
    """The name before it; empty if there is none."""


def claim_of(mail: Mail) -> Claim | None:
    """What a mail claims; None where it names nobody, or From more than one."""
    several = any(defect.flaw is MailFlaw.SEVERAL_SENDERS for defect in mail.defects)
    if several or mail.sender is None:
        return None
    return Claim(mail.sender.lower(), mail.display_name)


def where_to_answer(mail: Mail, persons: Persons) -> str:
    """Where the answer goes: From, or a Reply-To that is another address of the same person.

    Empty where the mail claims nobody.
    """
    claim = claim_of(mail)
    if claim is None:
        return ""
    reply_to = (mail.reply_to or "").lower()
    owner = persons.by_address(claim.address) if reply_to else None
    is_own = owner is not None and reply_to in owner.addresses
    return reply_to if is_own else claim.address


def who_hears_of_it(mail: Mail, envelope: str, persons: Persons) -> str:
    """Who is told that a mail claims nobody: its envelope sender, if named in From or on file.

    Empty where nobody is told: the address may be a stranger's.

    :param envelope: ``MAIL FROM`` in lower case.
    """
    is_known = envelope in mail.senders or persons.by_address(envelope) is not None
    return envelope if envelope and is_known else ""


class ScenarioUnusable(MachjudgeError):
    """A game is played on a scenario whose file was broken, or taken away, after it began."""

    def __init__(self, game: Game, faults: Sequence[str]) -> None:
        """Say which game cannot go on, and what is wrong with the file."""
        super().__init__(game.scenario, *faults)
        self.game = game
        self.faults = tuple(faults)


@dataclass(frozen=True, slots=True)
class Services:
    """The judge's desk: who it is, where things are kept, its maps and its templates."""

    judge: Judge
    store: Store
    passwords: Passwords
    chance: Chance
    atlas: Atlas
    renderer: MessageRenderer
    library: Library
    secret: JudgeSecret
    senders: SenderChecks

    def scenario(self, game: Game) -> Scenario:
        """The scenario of a game.  Raises ScenarioUnusable."""
        try:
            scenario = self.atlas.scenario(game.scenario)
        except BrokenMap as fault:
            raise ScenarioUnusable(game, [str(each) for each in fault.faults]) from fault
        if scenario is None:
            raise ScenarioUnusable(game, [f"there is no scenario {game.scenario}"])
        return scenario

    def world(self, game: Game) -> World:
        """The scenario of a game under its rules.  Raises ScenarioUnusable."""
        return world_of(self.scenario(game), game.rules)


log = structlog.get_logger(__name__)

_KIND = "fault"
_OWN = Path(__file__).parents[1]
"""Where the program's modules are."""
_DAY = timedelta(days=1)
_LOOKED_BACK = timedelta(days=7)
"""For so long the keeper is told of mails that were set aside."""


def tell_of_game(services: Services, game: GameId, error: Exception, now: datetime) -> None:
    """Tell of a game that could not be processed; once a day for the same game."""
    log.error("game.failed", game=game, fault=_named(error), exc_info=error)
    # Whoever is in the way tells the keeper, or the next tick does.
    with suppress(Stale), services.store.writing() as uow:
        today = [
            n for n in uow.notices.all_of(game) if n.kind == _KIND and n.at.date() == now.date()
        ]
        if today:
            return
        uow.notices.add(Notice(game, now, None, _KIND, _named(error)))
        for letter in _letters(services, Message("ports.game_failed", game=game), error):
            uow.outbox.put(letter)
        uow.commit()


def about_mail(
    services: Services, uow: UnitOfWork, mail: KeptMail, error: Exception, now: datetime
) -> list[Outgoing]:
    """The message about a mail that was set aside, if it is the first of its kind in a day.

    `tell_of_more` counts the others.
    """
    kind = kind_of(error)
    limit = _told(kind)
    if limit.used(uow.counts, now) >= limit.most:
        uow.counts.add((_untold(kind),), now)
        return []
    uow.counts.add((limit.key,), now)
    deaths = mail.deaths if mail.tries <= 1 else 0
    what = Message("ports.mail_set_aside", mail=mail.id, tries=mail.tries, deaths=deaths)
    return _letters(services, what, error)


def tell_of_more(services: Services, now: datetime) -> None:
    """Tell the keeper once a day for each kind of fault how many mails more it has set aside."""
    keeper = services.judge.keeper
    if keeper is None:
        return
    with services.store.reading() as uow:
        kinds = {each.why for each in uow.inbox.all_aside(now - _LOOKED_BACK)}
        since = now - _LOOKED_BACK
        untold = uow.counts.numbers([*map(_untold, kinds)], since, now) if kinds else {}
        due = [kind for kind in kinds if untold[_untold(kind)]]
        more = {
            kind: untold[_untold(kind)]
            for kind in sorted(due)
            if not _told(kind).used(uow.counts, now)
        }
    if not more:
        return
    lines = [Message("ports.more_of_kind", n=n, error=kind) for kind, n in more.items()]
    facts = {
        "head": MessageHeader(services.judge.code),
        "subject": Message("ports.more_set_aside", n=sum(more.values())),
        "lines": (*lines, Message("ports.how_to_retry")),
    }
    page = services.renderer.page("token", facts)
    keys = {_told(kind).key for kind in more}
    with suppress(Stale), services.store.writing() as uow:
        uow.counts.lock(keys)
        if any(_told(kind).used(uow.counts, now) for kind in more):
            return  # another process has told it
        uow.counts.add(keys, now)
        uow.counts.forget([*map(_untold, more)])
        uow.outbox.put(Outgoing(to=keeper, subject=page.subject, body=page.body))
        uow.commit()


def _told(kind: str) -> Limit:
    """How often the keeper is told of a kind of fault."""
    return Limit(f"keeper/{kind}", 1, _DAY)


def _untold(kind: str) -> str:
    """The key under which mails are counted of which the keeper has not been told."""
    return f"keeper/untold/{kind}"


def _letters(services: Services, what: Message, error: Exception) -> list[Outgoing]:
    if services.judge.keeper is None:
        return []
    page = _page(services, _said(services, what), error)
    return [Outgoing(to=services.judge.keeper, subject=page.subject, body=page.body)]


def kind_of(error: Exception) -> str:
    """The kind of a fault and the place where it was raised; the same is raised there again.

    Without the text of the fault, which may repeat what somebody wrote.
    """
    cause = error.__cause__
    of = "" if cause is None else f" of {type(cause).__name__}"
    frames = traceback.extract_tb((cause or error).__traceback__)
    own = [frame for frame in frames if Path(frame.filename).is_relative_to(_OWN)]
    at = "".join(f" at {Path(each.filename).name}:{each.lineno}" for each in (own or frames)[-1:])
    which = f" in {error.game.scenario}" if isinstance(error, ScenarioUnusable) else ""
    return f"{_named(error)}{which}{of}{at}"


def _said(services: Services, what: Message) -> str:
    """What has happened; by its key if the keeper's own catalogue is the fault."""
    try:
        return services.renderer.say(what)
    except BadCatalogue as flaw:
        return f"{what!r}: {flaw}"


def _page(services: Services, what: str, fault: Exception) -> Page:
    """The letter; without a template if the keeper's own one is the fault."""
    error = kind_of(fault)
    faults = fault.faults if isinstance(fault, ScenarioUnusable) else ()
    try:
        facts = {
            "head": MessageHeader(services.judge.code),
            "what": what,
            "error": error,
            "faults": faults,
        }
        return services.renderer.page("fault", facts)
    except (BadTemplate, BadCatalogue) as flaw:
        subject = one_line(f"{services.judge.code}: {what}")
        return Page(subject, clean_body(f"{what}\n{error}\n{flaw}\n"))


def _named(error: Exception) -> str:
    """The kind of the fault only: its text may repeat what somebody wrote."""
    return type(error).__name__
