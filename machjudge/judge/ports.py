"""The ports of the judge, the claimed sender of a mail, and reports to the judge keeper."""

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
    MailEnd,
    OutboxId,
    Outgoing,
    QueuedMessage,
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
    Substitute,
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
        """Return the person with that token."""

    def of(self, people: Collection[PersonId]) -> Mapping[PersonId, Person]:
        """Return several people; unknown ones are left out."""

    def held(self, people: Collection[PersonId]) -> Mapping[PersonId, Person]:
        """Return the same as they are now, locked until the transaction ends."""

    def by_address(self, address: str) -> Person | None:
        """Return the owner of a confirmed address (compared in lower case)."""

    def names(self, besides: Collection[PersonId] = ()) -> Sequence[str]:
        """Return the names of all other people, which may be equal."""

    def by_name(self, name: str) -> Sequence[Person]:
        """Return all confirmed people of that name, up to case and number of spaces."""

    def confirmed(self) -> Sequence[Person]:
        """Return all people whose address is confirmed, oldest first."""

    def unconfirmed(self, until: datetime) -> Sequence[Person]:
        """Return people who came before an instant and are unconfirmed, oldest first."""

    def remove(self, person: PersonId) -> None:
        """Forget an unconfirmed person."""

    def save(self, person: Person) -> None:
        """Add or replace a person.  Raises Stale if an address belongs to another person."""


class Games(Protocol):
    """The games, without their positions."""

    def get(self, game: GameId) -> Game | None:
        """Return the game of that name."""

    def lock(self, game: GameId) -> None:
        """Keep others from changing games until the transaction ends (writing ones only)."""

    def unfinished(self) -> Sequence[Game]:
        """Return the games that form or run, by name."""

    def finished(self) -> Sequence[GameId]:
        """Return the finished games that are listed, by name."""

    def attended_by(self, person: PersonId) -> Sequence[Game]:
        """Return the games with a person in their attendance, by name."""

    def ends(self) -> Mapping[End, int]:
        """Return how many games ended in which way here."""

    def finishes(
        self,
        of: Collection[PersonId] | None = None,
        *,
        scenario: str | None = None,
        is_rated: bool = True,
    ) -> Sequence[RatedGame]:
        """Return the ends of the rated games, by name; or of all but practice.

        :param of: only those of these people.
        :param scenario: only the listed ones of a scenario.
        """

    def seated(self, people: Collection[PersonId]) -> Collection[PersonId]:
        """Return which of some people sit at a game, whatever its state."""

    def claimed(self) -> Sequence[GameId]:
        """Return the games with unconfirmed seats, by name."""

    def due(self, now: datetime) -> Sequence[GameId]:
        """Return the games to be looked at by *now*: changed ones, and those that are due."""

    def rest(self, game: Game, until: datetime | None) -> None:
        """Skip a game before *until* (always, if None), unless it changes or has changed."""

    def add(self, game: Game) -> None:
        """Add a game with version 1.  Raises Stale if the name is taken."""

    def remove(self, game: GameId) -> None:
        """Forget an unconfirmed game, with what was recorded about it."""

    def save(self, game: Game, read: Game | None = None, *, adds_only_sheets: bool = False) -> None:
        """Replace the game whose stored version is ``game.version - 1``.  Raises Stale.

        *read* is that version, if at hand: unchanged parts are not written again.  With
        *adds_only_sheets* only the version and the order sets change, and holders of the previous
        version need to read only those.
        """


class OrderSets(Protocol):
    """The order sets of all powers, with their history."""

    def on_file(self, game: GameId, after: int) -> Mapping[PowerId, OrderSet]:
        """Return the newest order set of each power for the phase following *after*."""

    def history(self, game: GameId, after: int, power: PowerId) -> Sequence[OrderSet]:
        """Return all order sets of a power for that phase, oldest first."""

    def add(self, order_set: OrderSet) -> None:
        """Add an order set.  Raises Stale if its number is taken."""


class Plans(Protocol):
    """The powers' plans, with their history."""

    def on_file(self, game: GameId) -> Mapping[PowerId, Plan]:
        """Return the newest plan of each power that has one."""

    def history(self, game: GameId, power: PowerId) -> Sequence[Plan]:
        """Return all plans of a power, oldest first."""

    def add(self, plan: Plan) -> None:
        """Add a plan.  Raises Stale if its number is taken."""


class Phases(Protocol):
    """The phases as they were played."""

    def get(self, game: GameId, number: int) -> StoredPhase:
        """Return one stored phase.  Raises KeyError."""

    def all_of(self, game: GameId) -> Sequence[StoredPhase]:
        """Return all stored phases of a game by number, including those rolled back."""

    def add(self, phase: StoredPhase, holdings: Sequence[Holding]) -> None:
        """Add a phase and its index rows.  Raises Stale if its number is taken."""

    def now(self, games: Iterable[Game]) -> Mapping[GameId, str]:
        """Return the code of the current phase of some games, except forming ones."""

    def last_number(self, game: GameId) -> int:
        """Return the highest number used in the game; -1 if there is none."""

    def holdings(self, game: GameId, number: int) -> Sequence[Holding]:
        """Return the index rows of one phase, by power."""


class PressFile(Protocol):
    """The messages between players."""

    def add(self, item: PressItem) -> None:
        """Keep a message."""

    def all_of(self, game: GameId) -> Sequence[PressItem]:
        """Return all messages of a game, oldest first."""

    def to_all(self) -> Mapping[GameId, int]:
        """Return how many messages to everybody each game has, if any."""


class Notes(Protocol):
    """Waiting postal press, and the diaries."""

    def add(self, note: Note) -> None:
        """Keep a note.  Raises Stale if its number is taken."""

    def remove(self, note: Note) -> None:
        """Remove a note."""

    def all_of(self, game: GameId, kind: NoteKind) -> Sequence[Note]:
        """Return all notes of that kind at a game, oldest first."""


class Notices(Protocol):
    """The log of each game."""

    def add(self, notice: Notice) -> None:
        """Add an entry."""

    def all_of(self, game: GameId) -> Sequence[Notice]:
        """Return all entries of a game, oldest first."""


class Heartbeat(Protocol):
    """The judge's looks at its clock, by which leaps are noticed."""

    def last(self) -> datetime | None:
        """Return the last look; None before the first."""

    def usual(self) -> timedelta | None:
        """Return the usual time between looks; None if unknown."""

    def missed(self) -> timedelta:
        """Return the unusual silences between looks that are not yet compensated."""

    def beat(
        self, now: datetime, usual: timedelta | None = None, missed: timedelta = timedelta(0)
    ) -> None:
        """Record a look at *now*, the usual time between looks, and what was missed.

        Raises Stale if another process has just recorded the first look of all.
        """

    def set_back(self, now: datetime) -> None:
        """Remove recorded future instants after the clock was ahead.

        What waits is due, claims end soon, and past events are counted until now.
        """


class Tokens(Protocol):
    """The mailed tokens."""

    def token(self, hashed: str) -> Token | None:
        """Return the token with that hash, valid or not."""

    def made_since(self, person: PersonId, since: datetime) -> Sequence[Token]:
        """Return a person's tokens made at or after an instant, oldest first."""

    def add(self, token: Token) -> None:
        """Add a token.  Raises Stale if it is there already."""

    def drop(self, hashed: str) -> None:
        """Remove a used token."""


class Substitutes(Protocol):
    """The people who would lead a seat that has lost its player."""

    def all(self) -> Sequence[Substitute]:
        """Return all of them, in the order in which they offered."""

    def add(self, offer: Substitute) -> None:
        """Add an offer, in place of an older one for the same game."""

    def remove(self, person: PersonId, game: str | None) -> int:
        """Remove somebody's offer for a game, or all with None; return how many."""


class PersonalData(Protocol):
    """A person's stored data, besides name and addresses."""

    def of(self, person: Person) -> Mapping[str, Sequence[Mapping[str, object]]]:
        """Return the rows by subject, their fields by name; the newest first."""

    def games(self, person: Person) -> Sequence[GameId]:
        """Return the games where a person has or had a seat, or whose settings name them."""

    def erase(
        self,
        person: Person,
        games: Sequence[GameId],
        called: str,
        translations: Mapping[str, str],
    ) -> None:
        """Remove a person's identity; where a name must stand they are *called* so.

        *games* are what `games` has given, before their seats were emptied.  Names go from them
        alone, and from what is about no game; addresses go from everything.

        Their seats and waiting mails stay; messages that wait, to them or with their name, are
        emptied once they are sent.  *translations* are for the log, by language.
        """


class Inbox(Protocol):
    """The kept mails; unfinished are those that are neither finished nor set aside."""

    def claim(
        self, now: datetime, *, before: datetime | None = None, unless_overdue: bool = False
    ) -> KeptMail | None:
        """Claim the oldest unfinished mail that is unclaimed.

        Passed over are mails put back until later than *now*, mails whose sender has an older
        unfinished one that has not failed yet, mails known to be for a game for which they
        `must_wait`, and, with *before*, those received at or after that instant; with
        *unless_overdue* all of them while the deadline of a game is over.  Mails with which several
        processes died come last.  The claim ends by itself after a `LEASE`; *tries* goes up by one,
        or *deaths* if the claim is taken over from a dead process.
        """

    def concerns(self, mail: MailId, game: GameId | None) -> bool:
        """Record a mail's game, or that it has none; until then it is in doubt.

        Return True if an older unfinished mail is for the game, or still in doubt.
        """

    def has_come_before(self, mail: KeptMail) -> bool:
        """Return True if an older mail has the same Message-ID."""

    def must_wait(self, mail: MailId, game: GameId) -> bool:
        """Return True if an older unfinished mail is for the game, or still in doubt."""

    def is_read_elsewhere(self, mail: MailId, now: datetime) -> bool:
        """Return True if at *now* a process finds out the game of an older mail."""

    def any_before(self, instant: datetime, game: GameId) -> bool:
        """Return True if an unfinished mail before *instant* is for the game or in doubt.

        Certain in a writing transaction that was begun at or after *instant*.
        """

    def newest(self, game: GameId) -> datetime | None:
        """Return when the newest unfinished mail for the game or in doubt was received.

        Certain in a writing transaction, as `any_before`.
        """

    def oldest_untried(self, game: GameId) -> datetime | None:
        """Return when the oldest mail for the game or in doubt was received that none has tried."""

    def put_back(
        self,
        mail: MailId,
        until: datetime,
        *,
        counts: bool,
        fault: str = "",
        writer: PersonId | None = None,
    ) -> None:
        """End the claim; the mail can be claimed again at *until*.

        *counts*: the try was a failure of the mail's own.  With a *fault*, only later mails of its
        proven *writer* for the same game wait for it.
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
        """Mark the mail as handled; *redacted*, without passwords, replaces what was kept.

        Raises Stale if it is finished already, so that no mail takes effect twice; MustWait if an
        older unfinished mail is for *game*, or still in doubt; FollowsFailed if an older mail of
        *writer* for *game* has failed and is tried again.
        """

    def set_aside(self, mail: MailId, why: str, now: datetime) -> None:
        """Keep the mail for the judge keeper; *why* is one line.  Raises Stale if it has ended."""

    def finish_aside(self, mail: MailId, end: MailEnd, redacted: bytes, now: datetime) -> None:
        """Finish a mail that was set aside; *redacted* replaces what was kept."""

    def all_aside(self, since: datetime) -> Sequence[KeptMail]:
        """Return the mails set aside at or after *since*, without their texts."""

    def raw_of(self, mail: MailId) -> bytes:
        """Return the stored mail.  Raises KeyError if there is none of that number."""

    def set_aside_since(self, address: str, since: datetime) -> int:
        """Return how many mails of an address were set aside at or after *since*."""

    def unheard(self, address: str, since: datetime, most: int) -> Sequence[KeptMail]:
        """Return the newest mails from an address that were taken for automatic ones."""


class Outbox(Protocol):
    """Messages that are sent after the transaction is committed."""

    def put(self, message: Outgoing) -> None:
        """Add a message."""

    def lately(self, address: str, since: datetime, most: int) -> Sequence[QueuedMessage]:
        """Return the newest messages to an address made at or after *since*, without files."""

    def posted(self, message: OutboxId) -> QueuedMessage | None:
        """Return the message of that number without its files; None if there is none."""

    def bodies(self, address: str, since: datetime, most: int) -> Sequence[tuple[datetime, str]]:
        """Return instants and texts of the newest messages to an address since *since*."""

    def held(self) -> Sequence[WaitingDigest]:
        """Return whose messages wait for a digest, by person and address."""

    def held_for(self, person: PersonId, address: str) -> Sequence[QueuedMessage]:
        """Return the messages that wait for a person's digest at an address, oldest first."""

    def gather(self, messages: Collection[OutboxId], now: datetime) -> None:
        """Record that messages are in a digest.  Raises Stale if one of them waits no more."""

    def came_back(
        self, message: OutboxId, now: datetime, why: str, bounce: Bounce | None
    ) -> QueuedMessage | None:
        """Record a bounce of that weight; return None if no such message was sent."""

    def unreported_refusal(self) -> str:
        """Return why the relay refuses us, if the keeper has not heard of it; else ""."""

    def note_reported(self, now: datetime) -> None:
        """Record that the keeper has heard that the relay refuses us."""


class UnitOfWork(Protocol):
    """One transaction: all between its opening and its commit is saved, or nothing."""

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
    substitutes: Substitutes
    counts: Counts
    reply_tokens: ReplyTokens
    acts: PendingActs
    personal_data: PersonalData

    def commit(self) -> None:
        """Save all.  Raises Stale if the database found a conflict."""


class Store(Protocol):
    """Opens transactions.  Leaving one without a commit undoes it."""

    def reading(self) -> AbstractContextManager[UnitOfWork]:
        """Open a transaction that reads one consistent state, and never writes."""

    def writing(
        self, *, single: bool = False, outlasts_power: bool = True
    ) -> AbstractContextManager[UnitOfWork]:
        """Open a short transaction that writes: nothing is parsed, adjudicated or rendered in it.

        Raises Stale if another transaction was in the way.  *single*: it is one call of one
        repository, whose writes may become durable before the commit.  Without *outlasts_power*
        they may be lost in a power failure, but not when the process dies.
        """

    @property
    def banned(self) -> frozenset[str]:
        """The addresses, and the domains with an @, that the keeper keeps out, as last read."""

    def read_bans(self) -> None:
        """Read them anew, as each look at the clock does."""

    def heard_until(self, now: datetime) -> datetime:
        """Return the instant at or before *now* up to which all mails received are kept.

        It lies behind where mails wait in a mailbox that was not looked at since.
        """


class Passwords(Protocol):
    """Hashing of passwords (argon2id)."""

    def hash(self, password: str) -> str:
        """Return the hash to be stored."""

    def is_right(self, hashed: str | None, password: str) -> bool:
        """Return True if the password fits; False after the same time without a hash."""

    def is_cached(self, hashed: str, password: str) -> bool:
        """Return True if the password was compared lately and is right."""


class SenderChecks(Protocol):
    """Proofs of senders by mails."""

    def is_verified(self, raw: bytes, address: str, received: datetime) -> bool:
        """Return True if the mail *raw* proves that *address*, in its From, wrote it.

        *received* is its instant: an old mail proves nothing.  Raises SenderNotKnownYet.
        """


class Chance(Protocol):
    """Random bytes, replaceable in tests."""

    def secret(self) -> bytes:
        """Return 32 bytes for the dice of a game."""

    def token(self) -> str:
        """Return a unique short random text of letters and digits."""


# The address that a mail claims to come from: one person's, and no right to anything. Anybody can
# write any From (RFC 5322, 3.6.2). A claim says where an answer goes, and nothing else.
NOT_ONE_SENDER = Message("ports.not_one_sender")


@dataclass(frozen=True, slots=True)
class Claim:
    """The claimed sender of a mail."""

    address: str
    name: str


def claim_of(mail: Mail) -> Claim | None:
    """Return a mail's claimed sender; None if From is empty, or names several."""
    several = any(defect.flaw is MailFlaw.SEVERAL_SENDERS for defect in mail.defects)
    if several or mail.sender is None:
        return None
    return Claim(mail.sender.lower(), mail.display_name)


def where_to_answer(mail: Mail, persons: Persons) -> str:
    """Return From, or a Reply-To of the same person; empty without a single sender."""
    claim = claim_of(mail)
    if claim is None:
        return ""
    reply_to = (mail.reply_to or "").lower()
    owner = persons.by_address(claim.address) if reply_to else None
    is_own = owner is not None and reply_to in owner.addresses
    return reply_to if is_own else claim.address


def who_hears_of_it(mail: Mail, envelope: str, persons: Persons) -> str:
    """Return who is told of a mail without a single sender: a known envelope sender, or "".

    Known are addresses in From or on file, as others may be a stranger's.

    :param envelope: ``MAIL FROM`` in lower case.
    """
    is_known = envelope in mail.senders or persons.by_address(envelope) is not None
    return envelope if envelope and is_known else ""


class ScenarioUnusable(MachjudgeError):
    """The scenario of a game in play is broken or missing."""

    def __init__(self, game: Game, faults: Sequence[str]) -> None:
        """Name the game, and what is wrong with the file."""
        super().__init__(game.scenario, *faults)
        self.game = game
        self.faults = tuple(faults)


@dataclass(frozen=True, slots=True)
class Services:
    """The judge's identity, storage, maps and templates."""

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
        """Return the scenario of a game.  Raises ScenarioUnusable."""
        try:
            scenario = self.atlas.scenario(game.scenario)
        except BrokenMap as fault:
            raise ScenarioUnusable(game, [str(each) for each in fault.faults]) from fault
        if scenario is None:
            raise ScenarioUnusable(game, [f"there is no scenario {game.scenario}"])
        return scenario

    def world(self, game: Game) -> World:
        """Return the scenario of a game under its rules.  Raises ScenarioUnusable."""
        return world_of(self.scenario(game), game.rules)


log = structlog.get_logger(__name__)

_KIND = "fault"
_OWN = Path(__file__).parents[1]
_DAY = timedelta(days=1)
_LOOKED_BACK = timedelta(days=7)


def tell_of_game(services: Services, game: GameId, error: Exception, now: datetime) -> None:
    """Report a game that could not be processed; once a day per game."""
    log.error("game.failed", game=game, fault=_named(error), exc_info=error)
    # The other transaction tells the keeper, or the next tick does.
    with suppress(Stale), services.store.writing() as uow:
        today = [
            n for n in uow.notices.all_of(game) if n.kind == _KIND and n.at.date() == now.date()
        ]
        if today:
            return
        uow.notices.add(Notice(game, now, None, _KIND, _named(error)))
        for message in _messages(services, Message("ports.game_failed", game=game), error):
            uow.outbox.put(message)
        uow.commit()


def about_mail(
    services: Services, uow: UnitOfWork, mail: KeptMail, error: Exception, now: datetime
) -> list[Outgoing]:
    """Return the first message a day about a mail set aside; `tell_of_more` counts the others."""
    kind = kind_of(error)
    limit = _report_limit(kind)
    if limit.used(uow.counts, now) >= limit.most:
        uow.counts.add((_untold(kind),), now)
        return []
    uow.counts.add((limit.key,), now)
    deaths = mail.deaths if mail.tries <= 1 else 0
    what = Message("ports.mail_set_aside", mail=mail.id, tries=mail.tries, deaths=deaths)
    return _messages(services, what, error)


def tell_of_more(services: Services, now: datetime) -> None:
    """Tell the keeper once a day per kind of fault how many more mails it has set aside."""
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
            if not _report_limit(kind).used(uow.counts, now)
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
    keys = {_report_limit(kind).key for kind in more}
    with suppress(Stale), services.store.writing() as uow:
        uow.counts.lock(keys)
        if any(_report_limit(kind).used(uow.counts, now) for kind in more):
            return  # another process has told it
        uow.counts.add(keys, now)
        uow.counts.forget([*map(_untold, more)])
        uow.outbox.put(Outgoing(to=keeper, subject=page.subject, body=page.body))
        uow.commit()


def tell_of_refusal(services: Services, now: datetime) -> None:
    """Tell the keeper, once, that the relay refuses messages because of the judge itself."""
    keeper = services.judge.keeper
    with services.store.reading() as uow:
        why = uow.outbox.unreported_refusal()
    if not why:
        return
    facts = {
        "head": MessageHeader(services.judge.code),
        "subject": Message("ports.relay_refuses"),
        "lines": (
            Message("ports.relay_refuses_why", why=one_line(why)),
            Message("ports.relay_refuses_what_to_do"),
        ),
    }
    page = services.renderer.page("token", facts)
    with suppress(Stale), services.store.writing() as uow:
        if not uow.outbox.unreported_refusal():
            return  # another process has told it
        uow.outbox.note_reported(now)
        if keeper is not None:
            uow.outbox.put(Outgoing(to=keeper, subject=page.subject, body=page.body))
        uow.commit()


def _report_limit(kind: str) -> Limit:
    return Limit(f"keeper/{kind}", 1, _DAY)


def _untold(kind: str) -> str:
    return f"keeper/untold/{kind}"


def _messages(services: Services, what: Message, error: Exception) -> list[Outgoing]:
    if services.judge.keeper is None:
        return []
    page = _page(services, _said(services, what), error)
    return [Outgoing(to=services.judge.keeper, subject=page.subject, body=page.body)]


def kind_of(error: Exception) -> str:
    """Return the type and place of a fault, without its text, which may quote people."""
    cause = error.__cause__
    of = "" if cause is None else f" of {type(cause).__name__}"
    frames = traceback.extract_tb((cause or error).__traceback__)
    own = [frame for frame in frames if Path(frame.filename).is_relative_to(_OWN)]
    at = "".join(f" at {Path(each.filename).name}:{each.lineno}" for each in (own or frames)[-1:])
    which = f" in {error.game.scenario}" if isinstance(error, ScenarioUnusable) else ""
    return f"{_named(error)}{which}{of}{at}"


def _said(services: Services, what: Message) -> str:
    """The sentence, or its key if the keeper's own catalogue is the fault."""
    try:
        return services.renderer.say(what)
    except BadCatalogue as flaw:
        return f"{what!r}: {flaw}"


def _page(services: Services, what: str, fault: Exception) -> Page:
    """The message; without a template if the keeper's own one is the fault."""
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
    """The kind of the fault only: its text may repeat what people wrote."""
    return type(error).__name__
