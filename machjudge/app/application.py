"""The parts of one judge, built from its settings."""

import hmac
import math
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import Engine

from machjudge import __version__
from machjudge.app.machine import SystemChance, judge_secret, now, secret_beside, secret_of
from machjudge.db.engine import (
    DatabaseOutOfReach,
    file_of,
    name_of,
    open_engine,
    reading,
)
from machjudge.db.mail_queues import (
    Arrivals,
    KeeperQueues,
    Leases,
    StoredMailbox,
    StoredSendQueue,
    myself,
)
from machjudge.db.schema_version import SchemaStanding, WrongSchema, standing
from machjudge.db.work import DatabaseStore, WatchedMailbox
from machjudge.judge.mails import MailboxLedger, SendLimits
from machjudge.judge.pictures import drawing_by
from machjudge.judge.ports import Services
from machjudge.judge.records import Judge, JudgeLimits
from machjudge.judge.secret import JudgeSecret
from machjudge.mail.authentication import DnsSenderChecks
from machjudge.mail.relay import Relay, Sender, Signing, Way, secret_in, signer_of, unsigned
from machjudge.mail.relay import Security as Protection
from machjudge.map_files.folders import Atlas
from machjudge.messages.catalogue import Library
from machjudge.messages.render import MessageRenderer
from machjudge.settings import (
    MailboxAddress,
    MailboxSecurity,
    RelaySecurity,
    Settings,
    docs_folder,
    migrations_folder,
    templates_folder,
)

if TYPE_CHECKING:
    from machjudge.mail.mailbox import AccessTokens, MailboxLogin, MailboxPlace, MailboxReader

# Passwords as argon2id hashes (RFC 9106): the port `Passwords`.
AT_ONCE = 2
"""The most passwords hashed at the same time."""

REMEMBERED_SECONDS = 600
"""The seconds for which a right password is cached."""

# OWASP's recommendation for argon2id: enough, also on the small machines that judges run on.
_MEMORY_KIB = 19 * 1024
_PASSES = 2
_LANES = 1


class Argon2Passwords:
    """Password hashes that cost 19 MiB of memory and two passes each.

    Slow by design, so never called from an event loop.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._right = RightPasswords(clock)
        self._hasher = PasswordHasher(
            time_cost=_PASSES, memory_cost=_MEMORY_KIB, parallelism=_LANES
        )
        self._places = threading.BoundedSemaphore(AT_ONCE)
        # Anyone who guesses the name of a seat that has no password learns nothing from the time.
        self._nobodys = self.hash("nobody has this password")

    def hash(self, password: str) -> str:
        """Return the hash with its parameters."""
        with self._places:
            return self._hasher.hash(password)

    def is_right(self, hashed: str | None, password: str) -> bool:
        """Return whether the password is right; False without a hash, in the same time."""
        if hashed and self.is_cached(hashed, password):
            return True
        with self._places:
            try:
                self._hasher.verify(hashed or self._nobodys, password)
            except (VerificationError, InvalidHashError):
                return False
        if hashed:
            self._right.add(hashed, password)
        return bool(hashed)

    def is_cached(self, hashed: str, password: str) -> bool:
        """Return whether the password was found right in the last ten minutes."""
        return self._right.has(hashed, password)


class RightPasswords:
    """A cache of right passwords for ten minutes.

    In memory only, as keyed hashes (HMAC, RFC 2104) under a key of the process.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._key = secrets.token_bytes(32)
        self._until: dict[bytes, float] = {}
        self._lock = threading.Lock()

    def add(self, hashed: str, password: str) -> None:
        """Keep a password of a hash."""
        now = self._clock()
        with self._lock:
            # The oldest come first.
            while self._until and (until := next(iter(self._until.items())))[1] <= now:
                del self._until[until[0]]
            self._until.pop(mark := self._mark(hashed, password), None)
            self._until[mark] = now + REMEMBERED_SECONDS

    def has(self, hashed: str, password: str) -> bool:
        """Return whether a hash's password is cached."""
        return self._clock() < self._until.get(self._mark(hashed, password), -math.inf)

    def _mark(self, hashed: str, password: str) -> bytes:
        text = f"{hashed}\0{password}".encode("utf-8", "surrogatepass")
        return hmac.digest(self._key, text, "sha256")


_WHAT_TO_DO_DATABASE = (
    "name the judge's settings with --config, or create it with machjudge migrate"
)
_MISSING = f"there is no database {{}}: {_WHAT_TO_DO_DATABASE}"
_EMPTY = f"the database {{}} is empty: {_WHAT_TO_DO_DATABASE}"
_LOST = (
    "there is no judge in the database {}, but its secret {} is there: put the database back or "
    "restore a backup; for a new judge, machjudge migrate"
)


def prepare_database(url: str, *, creates: bool = True, unless: Path | None = None) -> None:
    """Create the tables of an empty database, unless it is read-only.

    None are created where the file *unless*, left by a judge, exists. Raises WrongSchema for
    another version, and without *creates* for an empty database; DatabaseOutOfReach if it cannot be
    opened or, without *creates*, is missing.
    """
    creates = creates and unless is None
    if not creates:
        _expect_file(url, unless)
    engine = open_engine(url, creates=creates)
    try:
        with reading(engine) as connection:
            stands = standing(connection, migrations_folder())
    finally:
        engine.dispose()
    name = name_of(engine)
    match stands:
        case SchemaStanding.CURRENT:
            return
        case SchemaStanding.EMPTY if not creates:
            raise WrongSchema(_EMPTY.format(name) if unless is None else _LOST.format(name, unless))
        case SchemaStanding.EMPTY:
            from machjudge.db.maintenance import migrate  # noqa: PLC0415 - loads Alembic

            migrate(url, migrations_folder())
        case SchemaStanding.OLDER:
            message = (
                f"the database {name} is of an older version: back it up, then machjudge migrate"
            )
            raise WrongSchema(message)
        case SchemaStanding.UNKNOWN:
            message = f"the database {name} is of a newer version, or of another program"
            raise WrongSchema(message)


def _expect_file(url: str, unless: Path | None) -> None:
    """Refuse a missing SQLite database, which opening would create."""
    file = file_of(url)
    if file is None:
        return
    if not file.exists():
        missing = _MISSING.format(file) if unless is None else _LOST.format(file, unless)
        raise DatabaseOutOfReach(missing)
    if file.is_file() and file.stat().st_size == 0:
        raise WrongSchema(_EMPTY.format(file) if unless is None else _LOST.format(file, unless))


_MAILBOX_PROTECTION = {
    MailboxSecurity.PLAIN: Protection.PLAIN,
    MailboxSecurity.STARTTLS: Protection.STARTTLS,
    MailboxSecurity.TLS: Protection.TLS,
}
_PROTECTION = {
    RelaySecurity.PLAIN: Protection.PLAIN,
    RelaySecurity.STARTTLS: Protection.STARTTLS,
    RelaySecurity.TLS: Protection.TLS,
}


@dataclass(frozen=True, slots=True)
class Application:
    """One judge with all its parts, to be closed at the end."""

    settings: Settings
    engine: Engine
    clock: Callable[[], datetime]
    store: DatabaseStore
    services: Services
    arrivals: Arrivals
    sender: Sender
    keepers: KeeperQueues
    leases: Leases

    def close(self) -> None:
        """Close the database connections."""
        self.engine.dispose()


def build(
    settings: Settings,
    *,
    clock: Callable[[], datetime] = now,
    posted: Callable[[], None] = lambda: None,
    creates: bool = True,
) -> Application:
    """Return the judge of *settings*, its database at the latest step.

    *posted* is called in the thread of each transaction that put messages into the outbox.
    *creates* creates a missing database. Raises WrongSchema or DatabaseOutOfReach for an unusable
    database, SecretUnusable for an unusable secret.
    """
    prepare_database(settings.database, creates=creates, unless=secret_beside(settings))
    engine = open_engine(settings.database)
    secret = judge_secret(settings, engine) if creates else secret_of(settings, creates=False)
    holder = str(myself())
    store = DatabaseStore(engine, holder, clock, secret, posted, watched(settings))
    judge = judge_of(settings)
    limits = SendLimits(settings.messages_per_hour, settings.messages_per_day)
    return Application(
        settings=settings,
        engine=engine,
        clock=clock,
        store=store,
        services=services_of(settings, store, judge, secret),
        arrivals=Arrivals(engine, clock),
        sender=_sender(settings, StoredSendQueue(engine, holder, limits), (judge, secret), clock),
        keepers=KeeperQueues(engine, clock),
        leases=Leases(engine, holder, clock),
    )


LONGEST_WAIT = timedelta(hours=1)
"""For how long games wait for a mailbox out of reach where mails also come in elsewhere."""


def watched(settings: Settings) -> WatchedMailbox | None:
    """Return the mailbox that games wait for."""
    if settings.inbox is None:
        return None
    return WatchedMailbox(settings.inbox.name, LONGEST_WAIT if settings.listen else None)


def ledger_of(settings: Settings, engine: Engine, clock: Callable[[], datetime]) -> StoredMailbox:
    """Return what has been taken from the mailbox of the settings, which there must be."""
    name = "" if settings.inbox is None else settings.inbox.name
    return StoredMailbox(engine, name, str(myself()), clock)


def place_of(settings: Settings, inbox: MailboxAddress) -> "MailboxPlace":
    """Return where the mailbox is, and how it is opened."""
    from machjudge.mail.mailbox import MailboxPlace  # noqa: PLC0415 - few judges have one

    return MailboxPlace(
        inbox.host,
        inbox.port,
        _MAILBOX_PROTECTION[inbox.security],
        inbox.user,
        _login_of(settings, inbox),
        inbox.folder,
        settings.inbox_done,
        settings.inbox_refused,
    )


def _login_of(settings: Settings, inbox: MailboxAddress) -> "MailboxLogin":
    from machjudge.mail.mailbox import PasswordLogin, TokenLogin  # noqa: PLC0415 - as above

    file = settings.inbox_password_file
    if inbox.password is None and file is None:
        return TokenLogin(_tokens_of(settings))
    return PasswordLogin(lambda: inbox.password or "" if file is None else secret_in(file))


def _tokens_of(settings: Settings) -> "AccessTokens":
    from machjudge.mail.mailbox import AccessTokens  # noqa: PLC0415 - as above

    of_client, file = settings.inbox_client_secret_file, settings.inbox_refresh_token_file
    return AccessTokens(
        settings.inbox_token_url,
        settings.inbox_client_id,
        lambda: None if of_client is None else secret_in(of_client),
        file or Path(),
    )


def reader_of_mailbox(
    settings: Settings,
    secret: JudgeSecret,
    ledger: MailboxLedger,
    clock: Callable[[], datetime],
) -> "MailboxReader | None":
    """Return the reader of the mailbox; None if there is none in the settings."""
    if settings.inbox is None:
        return None
    from machjudge.mail.mailbox import MailboxReader  # noqa: PLC0415 - as above

    place = place_of(settings, settings.inbox)
    return MailboxReader(place, settings.address, settings.size_limit, secret, ledger, clock)


SHEETS = 2
"""The most sheets of boards, of some 5 MB each, in a process that has to be small."""


def small(application: Application) -> Application:
    """Return the judge, keeping less in memory; its pictures take longer to draw."""
    drawn = drawing_by(Atlas(application.settings.map_folders), SHEETS)
    return replace(application, sender=replace(application.sender, drawn=drawn))


def renderer_of(settings: Settings) -> MessageRenderer:
    """Return the message renderer: the keeper's templates, then the program's."""
    own = [settings.templates] if settings.templates else []
    return MessageRenderer([*own, templates_folder()])


def services_of(
    settings: Settings, store: DatabaseStore, judge: Judge, secret: JudgeSecret
) -> Services:
    """Return the judge's services."""
    return Services(
        judge=judge,
        store=store,
        passwords=Argon2Passwords(),
        chance=SystemChance(),
        atlas=Atlas(settings.map_folders),
        renderer=renderer_of(settings),
        library=Library(docs_folder()),
        secret=secret,
        senders=DnsSenderChecks(judge.address, settings.trust_results_of),
    )


def judge_of(settings: Settings) -> Judge:
    """Return the judge's identity in its mails."""
    return Judge(
        code=settings.code,
        address=settings.address,
        keeper=settings.keeper,
        version=__version__,
        zone=str(settings.timezone),
        max_lines=settings.max_lines,
        limits=JudgeLimits(
            answers_a_day=settings.answers_per_day,
            games_a_day=settings.games_per_day,
            seats_a_day=settings.seats_per_day,
            observers=settings.observers_per_game,
            press_an_hour=settings.press_per_hour,
            what_ifs_a_day=settings.what_ifs_per_day,
        ),
        confirm=settings.confirm == "on",
        plus=settings.plus == "on",
        plain_envelope=settings.envelope == "plain",
        web=settings.web_url if settings.web is not None else None,
    )


def _sender(
    settings: Settings,
    bag: StoredSendQueue,
    judge: tuple[Judge, JudgeSecret],
    clock: Callable[[], datetime],
) -> Sender:
    way = way_to(settings)
    name = settings.address.rpartition("@")[2]
    return Sender(
        bag=bag,
        connect=lambda: Relay(way, name),
        judge=judge[0],
        secret=judge[1],
        waits=[timedelta(minutes=minutes) for minutes in settings.retry],
        clock=clock,
        drawn=drawing_by(Atlas(settings.map_folders)),
        signed=_signing(settings),
    )


def _signing(settings: Settings) -> Signing:
    """The signing of messages.  Raises KeyUnusable."""
    if settings.dkim_key is None:
        return unsigned
    domain = settings.address.rpartition("@")[2]
    return signer_of(settings.dkim_key, settings.dkim_selector, domain)


def way_to(settings: Settings) -> Way:
    """Return the connection data of the relay."""
    relay, file = settings.relay, settings.relay_password_file
    return Way(
        relay.host,
        relay.port,
        _PROTECTION[relay.security],
        relay.user,
        lambda: relay.password or "" if file is None else secret_in(file),
        _tokens_of(settings) if settings.relay_takes_token else None,
    )
