"""The judge's mailbox at a mail provider: mails are taken from it by IMAP (RFC 3501, RFC 9051).

A mail is durable in the ledger before it is moved or deleted there. Its time is that at which the
provider got it (INTERNALDATE), and its envelope is what the provider has noted of it.
"""

import http.client
import json
import os
import re
import ssl
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event, Lock
from typing import Protocol, TypeVar
from urllib.parse import urlencode, urlsplit

from imapclient import IMAPClient, SocketTimeout
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError, LoginError
from structlog import get_logger

from machjudge.adjudicator.names import MachjudgeError
from machjudge.judge.mails import Arrival, MailboxLedger
from machjudge.judge.secret import JudgeSecret
from machjudge.mail.addresses import is_postmaster, is_sound, route
from machjudge.mail.relay import SecretUnreadable, Security, secret_in
from machjudge.mail.server import MAX_RECIPIENTS, arrival
from machjudge.mail_parser.mime import addresses_in, split_header
from machjudge.mail_parser.reader import CUT_HEADER, author_in

SECONDS = 60.0
"""The seconds for one answer of the mail server."""
MARGIN = timedelta(seconds=10)
"""For how long a mail may have been on its way into the folder after it was received."""
POLL_SECONDS = 60.0
"""The seconds between looks where the server tells of new mails (IDLE, RFC 2177)."""
POLL_WITHOUT_IDLE_SECONDS = 20.0
_SLICE_SECONDS = 1.0
"""How often it is asked meanwhile if a game waits, or the process ends."""
SHORTEST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 1.0, 60.0
"""The pauses between attempts to reach the mailbox, doubled each time."""
_STANDBY_SECONDS = 10.0
"""The seconds until it is asked again for a mailbox that another process looks at."""

_TOGETHER = 20
"""The most mails fetched, and kept, at once."""
_FILED_TOGETHER = 200
_GIVEN_UP = 20
"""So many lost connections with a mail refuse it; that the server does not give it counts seven."""
_REFUSAL = 7
_KEPT_OF_LARGE = 65_536
"""Bytes of a mail that is too large: enough to know who wrote it."""

_UNKNOWN = (-1, None)
"""Size and time of a mail that the server does not give."""

T = TypeVar("T")

log = get_logger(__name__)


class MailboxFault(MachjudgeError):
    """The mailbox cannot be reached, opened or read now."""


# --- how it is opened ------------------------------------------------------------------------


class MailboxLogin(Protocol):
    """Proves to the server that we may open the mailbox."""

    def __call__(self, client: IMAPClient, user: str) -> None:
        """Log in.  Raises MailboxFault, or LoginError."""


@dataclass(frozen=True, slots=True)
class PasswordLogin:
    """Logs in with a password, asked for each time so that it may change."""

    password: Callable[[], str] = field(repr=False)

    def __call__(self, client: IMAPClient, user: str) -> None:
        """Log in.  Raises MailboxFault."""
        password = self.password()
        try:
            # LOGIN is for ASCII only.
            is_plain = user.isascii() and password.isascii()
            (client.login if is_plain else client.plain_login)(user, password)
        except LoginError as fault:
            message = f"the password is refused: {_line(fault).replace(password, '***')}"
            raise MailboxFault(message) from None


@dataclass(slots=True)
class TokenLogin:
    """Logs in with an access token (XOAUTH2), a new one if the cached one is refused."""

    tokens: "AccessTokens"

    def __call__(self, client: IMAPClient, user: str) -> None:
        """Log in.  Raises MailboxFault."""
        was_cached = self.tokens.is_cached
        try:
            self._try(client, user)
        except LoginError as fault:
            self.tokens.forget()
            if not was_cached:
                message = f"the access token is refused: {_line(fault)}"
                raise MailboxFault(message) from None
            self(client, user)

    def _try(self, client: IMAPClient, user: str) -> None:
        answers = iter((f"user={user}\1auth=Bearer {self.tokens.token()}\1\1",))
        # After a refusal the server tells why, and waits for an empty answer.
        client.sasl_login("XOAUTH2", lambda _: next(answers, ""))


_EARLIER_SECONDS = 60.0
"""So long before its end a token is not used any more."""
_USUAL_LIFE_SECONDS = 3600.0
_LONGEST_ANSWER = 100_000
_OWNER_ONLY = 0o600
_ASKING = Lock()
"""One token at a time is asked for: with its answer the refresh token may end."""
_AS_WRITTEN = re.compile(r"\bb'((?:[^'\\]|\\.)*)'")
_WORD = re.compile(r"[\w .:-]{1,100}")


class AccessTokens:
    """Access tokens for a refresh token (RFC 6749, 6), each cached until it ends.

    *secret* is that of the client, None if it has none. *file* holds the refresh token; one that
    the provider gives in its place is written there.
    """

    def __init__(
        self,
        url: str,
        client: str,
        secret: Callable[[], str | None],
        file: Path,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._url = urlsplit(url)
        self._client = client
        self._secret = secret
        self._file = file
        self._clock = clock
        self._token = ""
        self._ends = 0.0
        self._newer = ""
        """A refresh token that could not be written."""

    @property
    def is_cached(self) -> bool:
        """Return whether the next token is one that was given before."""
        return bool(self._token) and self._clock() < self._ends - _EARLIER_SECONDS

    def forget(self) -> None:
        """Forget the cached token, which was refused."""
        self._token = ""

    def token(self) -> str:
        """Return a valid token.  Raises SecretUnreadable."""
        with _ASKING:
            if not self.is_cached:
                given = self._asked()
                self._token = _text_in(given, "access_token")
                life = given.get("expires_in")
                seconds = float(life) if isinstance(life, int | float) else _USUAL_LIFE_SECONDS
                self._ends = self._clock() + max(seconds, 2 * _EARLIER_SECONDS)
                if (newer := given.get("refresh_token")) and isinstance(newer, str):
                    self._keep(newer)
            return self._token

    def _asked(self) -> Mapping[str, object]:
        form = {
            "grant_type": "refresh_token",
            "client_id": self._client,
            "refresh_token": self._newer or secret_in(self._file),
        }
        if (secret := self._secret()) is not None:
            form["client_secret"] = secret
        try:
            status, text = self._posted(urlencode(form))
            given = json.loads(text)
        except (OSError, http.client.HTTPException, ValueError) as fault:
            message = f"no token from {self._url.hostname}: {_line(fault)}"
            raise SecretUnreadable(message) from None
        if not isinstance(given, dict) or status != http.HTTPStatus.OK:
            why = given.get("error") if isinstance(given, dict) else None
            is_word = isinstance(why, str) and _WORD.fullmatch(why)
            message = f"no token from {self._url.hostname}: {why if is_word else status}"
            raise SecretUnreadable(message)
        return given

    def _posted(self, form: str) -> tuple[int, bytes]:
        is_protected = self._url.scheme == "https"
        kind = http.client.HTTPSConnection if is_protected else http.client.HTTPConnection
        line = kind(self._url.hostname or "", self._url.port, timeout=SECONDS)
        path = f"{self._url.path or '/'}{f'?{self._url.query}' if self._url.query else ''}"
        headers = {
            "Content-Type": "application/x-www-form-urlencoded",
            "Accept": "application/json",
        }
        try:
            line.request("POST", path, form, headers)
            answer = line.getresponse()
            return answer.status, answer.read(_LONGEST_ANSWER)
        finally:
            line.close()

    def _keep(self, newer: str) -> None:
        """Replace the refresh token: the old one may have ended with this answer."""
        beside = self._file.with_name(f".{self._file.name}.new")
        try:
            if secret_in(self._file) == newer:
                return
            beside.unlink(missing_ok=True)
            opened = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY)
            with os.fdopen(opened, "w", encoding="utf-8") as written:
                written.write(f"{newer}\n")
                written.flush()
                os.fsync(opened)
            beside.replace(self._file)
            self._newer = ""
        except (OSError, SecretUnreadable) as fault:
            self._newer = newer
            log.warning("refresh token not written", file=str(self._file), why=_line(fault))


def _text_in(given: Mapping[str, object], name: str) -> str:
    found = given.get(name)
    if not isinstance(found, str) or not found.isascii() or not found.isprintable():
        message = f"the answer of the token server has no {name}"
        raise SecretUnreadable(message)
    return found


# --- one connection --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MailboxPlace:
    """Where the mailbox is; folders have ``/`` between their parts."""

    host: str
    port: int
    security: Security
    user: str
    login: MailboxLogin = field(repr=False)
    folder: str = "INBOX"
    done: str = ""
    """Where mails go that are kept; empty: they are deleted."""
    refused: str = ""
    """Where mails go that are refused; empty: they are deleted."""
    trust: ssl.SSLContext | None = field(default=None, repr=False)
    """The trusted certificates; None: the system's."""

    def __str__(self) -> str:
        """Return what a keeper knows it by."""
        return f"{self.user} at {self.host}:{self.port}"


@dataclass(frozen=True, slots=True)
class MailboxFacts:
    """What a server can do, and what is in the folder."""

    mails: int
    has_idle: bool
    has_move: bool
    is_read_only: bool


class OpenFolder:
    """The folder of a mailbox, opened.  Raises MailboxFault where that is impossible."""

    def __init__(self, place: MailboxPlace) -> None:
        self._place = place
        with _as_mailbox_fault(place):
            self._client = self._dialled()
            try:
                self._introduce()
                self._separator, self._prefix = self._namespace()
                chosen = self._client.select_folder(self._named(place.folder))
            except BaseException:
                self.close()
                raise
        self._chosen: Mapping[bytes, object] = chosen
        self._made: set[str] = set()

    @property
    def validity(self) -> int:
        """The validity of the numbers of mails; 0 if the server has none."""
        found = self._chosen.get(b"UIDVALIDITY")
        return found if isinstance(found, int) else 0

    @property
    def has_idle(self) -> bool:
        """Return whether the server tells of new mails."""
        return bool(self._client.has_capability("IDLE"))

    def facts(self) -> MailboxFacts:
        """Return what is to be known of it."""
        with _as_mailbox_fault(self._place):
            exists = self._chosen.get(b"EXISTS")
            return MailboxFacts(
                mails=exists if isinstance(exists, int) else 0,
                has_idle=self.has_idle,
                has_move=bool(self._client.has_capability("MOVE")),
                is_read_only=bool(self._chosen.get(b"READ-ONLY")),
            )

    def numbers(self) -> tuple[set[int], set[int]]:
        """Return the numbers of all mails, and of those that somebody has deleted."""
        with _as_mailbox_fault(self._place):
            self._client.noop()  # the server tells of what came since
            return set(self._client.search("ALL")), set(self._client.search("DELETED"))

    def sizes(self, numbers: Sequence[int]) -> dict[int, tuple[int, datetime | None]]:
        """Return the size in bytes of each mail that is still there, and when it was received.

        Raises as `mails`.
        """
        with _as_mailbox_fault(self._place, lets_refusals=True):
            found = self._client.fetch(numbers, ["RFC822.SIZE", "INTERNALDATE"])
        return {
            number: (each[b"RFC822.SIZE"], _utc(each.get(b"INTERNALDATE")))
            for number, each in found.items()
            if isinstance(each.get(b"RFC822.SIZE"), int)
        }

    def mails(self, numbers: Sequence[int], most: int | None = None) -> dict[int, bytes]:
        """Return mails that are still there, or their first *most* bytes.

        Raises IMAPClientError if the server does not give one of them, MailboxFault if the
        connection is lost.
        """
        part, key = ("", b"BODY[]") if most is None else (f"<0.{most}>", b"BODY[]<0>")
        with _as_mailbox_fault(self._place, lets_refusals=True):
            found = self._client.fetch(numbers, [f"BODY.PEEK[]{part}"])
        raw = {number: each.get(key) for number, each in found.items()}
        return {number: each for number, each in raw.items() if isinstance(each, bytes)}

    def file(self, numbers: Sequence[int], folder: str) -> None:
        """Move mails to a folder, or delete them where it is empty; those that are gone too."""
        with _as_mailbox_fault(self._place):
            for at in range(0, len(numbers), _FILED_TOGETHER):
                some = numbers[at : at + _FILED_TOGETHER]
                if not folder:
                    self._delete(some)
                    continue
                name = self._named(folder)
                self._make(name)
                if self._client.has_capability("MOVE"):
                    self._client.move(some, name)
                else:
                    self._client.copy(some, name)
                    self._delete(some)

    def listen(self, seconds: float) -> bool:
        """Return whether the server said something within *seconds*; between `begin` and `end`."""
        began = time.monotonic()
        with _as_mailbox_fault(self._place):
            # Of a connection that has ended it reports nothing, at once.
            return bool(self._client.idle_check(seconds)) or time.monotonic() - began < seconds / 2

    def begin_listening(self) -> None:
        """Have the server tell what happens."""
        with _as_mailbox_fault(self._place):
            self._client.idle()

    def end_listening(self) -> None:
        """Have it tell no more."""
        with _as_mailbox_fault(self._place):
            self._client.idle_done()

    def leave(self) -> None:
        """Log out and close."""
        with suppress(Exception):
            self._client.logout()
        self.close()

    def close(self) -> None:
        """Close the connection at once."""
        with suppress(Exception):
            self._client.shutdown()

    def _dialled(self) -> IMAPClient:
        place = self._place
        client = IMAPClient(
            place.host,
            place.port,
            ssl=place.security is Security.TLS,
            ssl_context=self._certificates(),
            timeout=SocketTimeout(connect=SECONDS, read=SECONDS),
        )
        client.normalise_times = False
        return client

    def _introduce(self) -> None:
        if self._place.security is Security.STARTTLS:
            self._client.starttls(self._certificates())
        self._place.login(self._client, self._place.user)

    def _certificates(self) -> ssl.SSLContext | None:
        if self._place.security is Security.PLAIN:
            return None
        return self._place.trust or ssl.create_default_context()

    def _namespace(self) -> tuple[str, str]:
        """What stands between the parts of a folder, and before all own ones (RFC 2342)."""
        if self._client.has_capability("NAMESPACE"):
            personal = self._client.namespace().personal
            if personal:
                prefix, separator = personal[0]
                return separator or "/", prefix
        listed = self._client.list_folders("", "")
        separator = listed[0][1] if listed else None
        return separator.decode("ascii") if separator else "/", ""

    def _named(self, folder: str) -> str:
        if folder.upper() == "INBOX":
            return "INBOX"
        name = self._separator.join(folder.split("/"))
        return name if name.startswith(self._prefix) else f"{self._prefix}{name}"

    def _make(self, name: str) -> None:
        """Make a folder that is not there; others may make it at the same time."""
        if name in self._made:
            return
        if not self._client.folder_exists(name):
            with suppress(IMAPClientError):
                self._client.create_folder(name)
                self._client.subscribe_folder(name)
        self._made.add(name)

    def _delete(self, numbers: Sequence[int]) -> None:
        self._client.delete_messages(numbers, silent=True)
        if self._client.has_capability("UIDPLUS"):
            self._client.uid_expunge(numbers)
        else:
            self._client.expunge()


@contextmanager
def _as_mailbox_fault(place: MailboxPlace, *, lets_refusals: bool = False) -> Iterator[None]:
    """Turn what goes wrong into MailboxFault, without more text than the server's."""
    try:
        yield
    except (MailboxFault, SecretUnreadable) as fault:
        message = f"the mailbox of {place}: {fault}"
        raise MailboxFault(message) from fault
    except (OSError, IMAPClientError, ValueError, LookupError, TypeError) as fault:
        is_refusal = isinstance(fault, IMAPClientError) and not isinstance(
            fault, IMAPClientAbortError
        )
        if lets_refusals and is_refusal:
            raise
        message = f"the mailbox of {place}: {_line(fault)}"
        raise MailboxFault(message) from fault


def _line(fault: Exception) -> str:
    """What a fault says, on one line."""
    text = fault.strerror if isinstance(fault, OSError) and fault.strerror else str(fault)
    # The library shows some answers of the server as Python writes them.
    text = _AS_WRITTEN.sub(r"\1", text)
    return " ".join(text.split())[:300] or type(fault).__name__


def _utc(instant: object) -> datetime | None:
    return instant.astimezone(UTC) if isinstance(instant, datetime) else None


# --- the envelope of a mail ------------------------------------------------------------------

_DELIVERED = (
    "x-original-to",
    "delivered-to",
    "envelope-to",
    "x-delivered-to",
    "x-envelope-to",
    "x-rcpt-to",
)
"""Fields in which mail servers note for whom a mail was."""
_ADDRESSED = ("to", "cc", "resent-to", "resent-cc")


def envelope_of(raw: bytes, judge: str) -> tuple[str, tuple[str, ...]]:
    """Return the envelope sender of a mail in a mailbox, and its recipients of the judge's.

    The sender is the topmost Return-Path (RFC 5321, 4.4), empty for bounces; where there is none,
    the author. Every mail is for the judge; addresses with a tag come first, because providers
    remove tags when they note for whom a mail was.
    """
    header, _ = split_header(raw.lstrip(b"\r\n"))
    delivered = _addresses(header.all, _DELIVERED)
    addressed = _addresses(header.all, _ADDRESSED)
    ways = {each: way for each in (*delivered, *addressed) if (way := route(judge, each))}
    own = sorted(ways, key=lambda each: not ways[each].tag)[:MAX_RECIPIENTS]
    posted = [each for each in (*delivered, *addressed) if is_postmaster(judge, each)]
    if posted and not any(each in ways for each in addressed):
        own = posted[:1]
    recipients = tuple(own) or (judge,)
    returns = header.all("return-path")
    if returns and returns[0].strip() == "<>":
        return "", recipients
    sender = next(iter(addresses_in(returns[0])), "") if returns else ""
    if not sender or not is_sound(sender):
        sender = author_in(raw, recipients, "")
    return sender if is_sound(sender) else "", recipients


def _addresses(fields: Callable[[str], list[str]], names: Sequence[str]) -> list[str]:
    return [each for name in names for value in fields(name) for each in addresses_in(value)]


# --- taking mails ----------------------------------------------------------------------------


class MailboxReader:
    """Takes the mails of a mailbox for the judge with address *judge*.

    *size_limit* is in bytes, *secret* gives the keys of repeated deliveries. Mails that are kept
    are in *ledger*, whose errors are passed on.
    """

    def __init__(
        self,
        place: MailboxPlace,
        judge: str,
        size_limit: int,
        secret: JudgeSecret,
        ledger: MailboxLedger,
        clock: Callable[[], datetime],
    ) -> None:
        self._place = place
        self._judge = judge
        self._size_limit = size_limit
        self._secret = secret
        self._ledger = ledger
        self._clock = clock
        self._folder: OpenFolder | None = None
        self._hurt: Counter[tuple[int, int]] = Counter()
        """How often the connection was lost, or a mail not given, while it was fetched."""
        self._not_filed = ""
        self._kept_at = -MARGIN.total_seconds()
        """When a mail was kept, in seconds that pass."""

    def look(self) -> bool:
        """Take all mails, and put them where they belong; return whether there were any.

        Raises MailboxFault, and errors of the ledger; then the connection is closed.
        """
        try:
            return self._look()
        except BaseException:
            self.hang_up()
            raise

    def wait(self, end: Event) -> None:
        """Return when something happens in the mailbox, a game waits for it, or at the next look.

        That is soon if a mail has just come: games go on once the margin after it is over. Raises
        MailboxFault, and errors of the ledger.
        """
        folder = self._folder
        if folder is None:
            return
        has_idle = folder.has_idle
        until = time.monotonic() + (POLL_SECONDS if has_idle else POLL_WITHOUT_IDLE_SECONDS)
        if time.monotonic() < (known := self._kept_at + MARGIN.total_seconds() + 1):
            until = min(until, known)
        try:
            if has_idle:
                folder.begin_listening()
            while not end.is_set() and (left := until - time.monotonic()) > 0:
                if self._ledger.is_awaited(self._clock() - MARGIN):
                    break
                if not has_idle:
                    end.wait(min(left, _SLICE_SECONDS))
                elif folder.listen(min(left, _SLICE_SECONDS)):
                    break
            if has_idle:
                folder.end_listening()
        except BaseException:
            self.hang_up()
            raise

    @property
    def has_left(self) -> bool:
        """Return whether the last look left a mail that the server did not give."""
        return bool(self._hurt)

    def hang_up(self) -> None:
        """Close the connection."""
        folder, self._folder = self._folder, None
        if folder is not None:
            folder.close()

    def leave(self) -> None:
        """Log out, if logged in."""
        folder, self._folder = self._folder, None
        if folder is not None:
            folder.leave()

    def _look(self) -> bool:
        if self._folder is None:
            self._folder = OpenFolder(self._place)
            self._ledger.opened()
        folder, began = self._folder, self._clock()
        present, deleted = folder.numbers()
        taken = self._ledger.taken(folder.validity)
        if not taken.keys() <= present:
            self._ledger.gone(folder.validity, taken.keys() - present)
        self._file(folder, {each: taken[each] for each in taken.keys() & present})
        new = sorted(present - deleted - taken.keys())
        left = self._take(folder, new)
        self._ledger.looked(began - MARGIN, left)
        return bool(new)

    def _take(self, folder: OpenFolder, numbers: Sequence[int]) -> int:
        """Take mails in their order; return how many are left for another time."""
        found: dict[int, tuple[int, datetime | None]] = {}
        if numbers:
            found = self._given(folder.sizes, folder.validity, numbers, may_hurt=False)
        lost = [n for n in numbers if n not in found and self._hurt[folder.validity, n]]
        found |= dict.fromkeys(lost, _UNKNOWN)
        left = 0
        for share in self._shares(folder.validity, found):
            mails = self._read(folder, {number: found[number] for number in share})
            left += sum(self._hurt[folder.validity, n] > 0 for n in share if n not in mails)
            if not mails:
                continue
            self._ledger.keep(folder.validity, mails)
            self._kept_at = time.monotonic()
            for number, mail in mails.items():
                if mail is not None and not mail.is_cut:
                    log.info("mail kept", message_id=mail.message_id, number=number)
            refused = {number: mail is None or mail.is_cut for number, mail in mails.items()}
            self._file(folder, refused)
        return left

    def _read(
        self, folder: OpenFolder, share: Mapping[int, tuple[int, datetime | None]]
    ) -> dict[int, Arrival | None]:
        """Mails of these sizes and times as they are stored; None for those not kept at all."""
        wanted = [
            each
            for each, (size, _) in share.items()
            if 0 <= size <= self._size_limit and self._hurt[folder.validity, each] < _GIVEN_UP
        ]
        raw = self._given(folder.mails, folder.validity, wanted) if wanted else {}
        mails: dict[int, Arrival | None] = {}
        for number, (size, received) in share.items():
            if size > self._size_limit:
                mails[number] = self._cut(folder, number, size, received)
                log.warning("mail refused", number=number, size=size, why="too large")
            elif number in raw:
                del self._hurt[folder.validity, number]
                mails[number] = self._arrival(number, raw[number], received)
            elif self._hurt[folder.validity, number] >= _GIVEN_UP:
                log.error("mail refused", number=number, why="cannot be fetched")
                del self._hurt[folder.validity, number]
                mails[number] = None
        return mails

    def _cut(
        self, folder: OpenFolder, number: int, size: int, received: datetime | None
    ) -> Arrival | None:
        """What is kept of a mail that is too large, so that its sender is told; None if nothing."""
        hurt = (folder.validity, number)
        most = min(self._size_limit, _KEPT_OF_LARGE)
        found: dict[int, bytes] = {}
        if self._hurt[hurt] < _GIVEN_UP:
            found = self._given(lambda some: folder.mails(some, most), folder.validity, [number])
        del self._hurt[hurt]
        if number not in found:
            return None
        raw = f"{CUT_HEADER}: {size} {self._size_limit}\r\n".encode() + found[number]
        beginning = self._arrival(number, raw, received)
        return None if beginning is None else replace(beginning, is_cut=True)

    def _shares(
        self, validity: int, found: Mapping[int, tuple[int, datetime | None]]
    ) -> Iterator[list[int]]:
        """The mails that are fetched together; last, and alone, those with which it failed."""
        whole = [each for each in sorted(found) if not self._hurt[validity, each]]
        share: list[int] = []
        total = 0
        for number in whole:
            size = min(found[number][0], self._size_limit)
            if share and (len(share) == _TOGETHER or total + size > self._size_limit):
                yield share
                share, total = [], 0
            share.append(number)
            total += size
        if share:
            yield share
        hurt = sorted(
            found.keys() - set(whole), key=lambda each: (self._hurt[validity, each], each)
        )
        yield from ([each] for each in hurt)

    def _given(
        self,
        ask: Callable[[Sequence[int]], dict[int, T]],
        validity: int,
        numbers: Sequence[int],
        *,
        may_hurt: bool = True,
    ) -> dict[int, T]:
        """What the server gives of mails; one by one where it refuses some of them.

        Raises MailboxFault if the connection is lost; that counts against them if it *may_hurt*.
        """
        try:
            return ask(numbers)
        except IMAPClientError as refusal:
            if len(numbers) > 1:
                ones = (self._given(ask, validity, [n], may_hurt=may_hurt) for n in numbers)
                return {number: given for one in ones for number, given in one.items()}
            self._hurt[validity, numbers[0]] += _REFUSAL
            log.warning("mail not given", number=numbers[0], why=_line(refusal))
            return {}
        except MailboxFault:
            if may_hurt:
                self._hurt.update((validity, each) for each in numbers)
            raise

    def _arrival(self, number: int, raw: bytes, received: datetime | None) -> Arrival | None:
        """A mail as it is stored; None if whatever is in it makes that impossible."""
        try:
            sender, recipients = envelope_of(raw, self._judge)
            at = self._clock() if received is None else received
            return arrival(raw, sender, recipients, self._secret, received=at)
        except Exception:  # no mail stops those behind it
            log.exception("mail refused", number=number, size=len(raw))
            return None

    def _file(self, folder: OpenFolder, mails: Mapping[int, bool]) -> None:
        """Put away mails that are in the ledger; True for those that were refused."""
        try:
            for where, is_refused in ((self._place.done, False), (self._place.refused, True)):
                numbers = sorted(each for each in mails if mails[each] is is_refused)
                if numbers:
                    folder.file(numbers, where)
        except MailboxFault as fault:
            if isinstance(fault.__cause__, OSError | IMAPClientAbortError):
                raise
            # They stay where they are, and are not taken again.
            if self._not_filed != str(fault):
                log.warning("mails stay in the mailbox", why=str(fault))
            self._not_filed = str(fault)
        else:
            self._not_filed = self._not_filed if not mails else ""


# --- watching it -----------------------------------------------------------------------------


class MailboxNews(Protocol):
    """Hears what becomes of a mailbox that is watched."""

    def kept(self) -> None:
        """Note that all mails up to a later instant are kept."""

    def out_of_reach(self, fault: Exception) -> None:
        """Note that it cannot be looked at; called with each attempt."""


def watch(reader: MailboxReader, ledger: MailboxLedger, news: MailboxNews, end: Event) -> None:
    """Take mails as they come, until *end*; whatever happens, it is tried again.

    While another process has the mailbox, it is left to that.
    """
    pause = SHORTEST_PAUSE_SECONDS
    while not end.is_set():
        try:
            if not ledger.claim():
                reader.leave()
                end.wait(_STANDBY_SECONDS)
                continue
            reader.look()
            news.kept()
            pause = SHORTEST_PAUSE_SECONDS
            reader.wait(end)
        except Exception as fault:
            news.out_of_reach(fault)
            end.wait(pause)
            pause = min(2 * pause, LONGEST_PAUSE_SECONDS)
    reader.leave()
    with suppress(Exception):  # the claim ends by itself
        ledger.release()
