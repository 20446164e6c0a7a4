"""The relay: the mail server that takes our mails. One connection serves several (RFC 5321)."""

import re
import smtplib
import ssl
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import Enum
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from structlog import get_logger

from machjudge.adjudicator.names import MachjudgeError
from machjudge.judge.faults import Stale
from machjudge.judge.mails import (
    LEASE,
    OutboxId,
    Outgoing,
    QueuedMessage,
    SendQueue,
    bounce_of,
    is_about_sender,
    says_too_many,
    speaks_of_mailbox,
)
from machjudge.judge.pictures import without_picture_requests
from machjudge.judge.records import Bounce, Judge
from machjudge.judge.secret import JudgeSecret
from machjudge.mail.compose import ComposedMail, Unwritable, compose

# Signs the mails that go out with the judge's own key (DKIM, RFC 6376).
_TRIED = b"From: a@example.org\r\nTo: b@example.org\r\n\r\n-\r\n"

log = get_logger(__name__)

Signing = Callable[[ComposedMail], ComposedMail]
"""Returns a mail with its signature."""


class KeyUnusable(MachjudgeError):
    """A file has no private key for signatures."""


@dataclass(frozen=True, slots=True)
class DkimSigner:
    """Signs for a domain, whose selector has the public key."""

    domain: str
    selector: str
    key: bytes = field(repr=False)
    """PEM: RSA, at least 1024 bits."""

    def __call__(self, mail: ComposedMail) -> ComposedMail:
        """Return the signed mail, or the mail if it cannot be signed."""
        try:
            signature = self.signature(mail.content)
        except Exception:  # whatever the library stumbles over, the mail goes
            log.exception("message not signed")
            return mail
        return replace(mail, content=signature + mail.content)

    def signature(self, content: bytes) -> bytes:
        """Return the header field ``DKIM-Signature``.  Raises the library's errors."""
        import dkim  # noqa: PLC0415  takes long to load, and few keepers have their own key

        written: bytes = dkim.sign(
            content,
            self.selector.encode("ascii"),
            self.domain.encode("idna"),
            self.key,
            canonicalize=(b"relaxed", b"relaxed"),
        )
        return written


def unsigned(mail: ComposedMail) -> ComposedMail:
    """Return the mail as it is: the relay signs it, if at all."""
    return mail


def signer_of(file: Path, selector: str, domain: str) -> DkimSigner:
    """Return a signer with the key of a file, tested once.  Raises KeyUnusable."""
    try:
        signer = DkimSigner(domain, selector, file.read_bytes())
    except OSError as fault:
        message = f"the key for DKIM cannot be read: {file}: {fault.strerror or fault}"
        raise KeyUnusable(message) from fault
    try:
        signer.signature(_TRIED)
    except Exception as fault:  # the library raises many things for what is no key
        message = f"{file} has no private RSA key in PEM of 1024 bits or more"
        raise KeyUnusable(message) from fault
    return signer


SECONDS = 60.0
"""The seconds for one answer of the relay."""
_FAREWELL_SECONDS = 5.0
"""The seconds for QUIT."""

_TAKEN = 250
_GO_AHEAD = 354
_REFUSED = 400
_ENDS = 421
_PERMANENT = 500


# What a refusal is about: the message, its recipient, or the judge itself as its provider sees it.
# MAIL FROM and passwords are the same for all messages; so are limits, and a sender who is not
# allowed. Servers tell these at RCPT and after the text as well.
class SmtpStep(Enum):
    """What the relay was told when it refused."""

    SENDER = "MAIL FROM"
    RECIPIENT = "RCPT TO"
    TEXT = "DATA"


_ACCEPTED = {
    SmtpStep.SENDER: frozenset({_TAKEN}),
    SmtpStep.RECIPIENT: frozenset({_TAKEN, 251}),
    SmtpStep.TEXT: frozenset({_GO_AHEAD}),
}
"""The codes with which it goes on (RFC 5321, 4.2.2 and 4.3.2)."""


class Security(Enum):
    """The protection of the connection."""

    PLAIN = "plain"
    STARTTLS = "starttls"
    TLS = "tls"


class TokenSource(Protocol):
    """Access tokens that take the place of a password (OAuth 2.0)."""

    @property
    def is_cached(self) -> bool:
        """Return whether the next token is one that was given before."""

    def forget(self) -> None:
        """Forget the cached token, which was refused."""

    def token(self) -> str:
        """Return a valid token.  Raises SecretUnreadable."""


@dataclass(frozen=True, slots=True)
class Way:
    """The connection to the relay; *password* is asked for with each login of *user*."""

    host: str
    port: int
    security: Security = Security.PLAIN
    user: str | None = None
    password: Callable[[], str] = field(default=str, repr=False)
    tokens: TokenSource | None = field(default=None, repr=False)
    """None: the user has a password."""


class SecretUnreadable(MachjudgeError):
    """A file has no password or token in its first line, or nobody gives a token."""


def secret_in(file: Path) -> str:
    """Return the first line of a file with a password or token.  Raises SecretUnreadable."""
    try:
        with file.open(encoding="utf-8-sig") as opened:
            found = opened.readline().rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as fault:
        why = fault.strerror if isinstance(fault, OSError) else "not UTF-8"
        message = f"{file} cannot be read: {why}"
        raise SecretUnreadable(message) from None
    if not found:
        message = f"the first line of {file} is empty"
        raise SecretUnreadable(message)
    return found


class OutOfReach(MachjudgeError):
    """The relay takes no mails now."""


class Refused(OutOfReach):
    """The relay answered, but let us in no further than its greeting."""

    def __init__(self, why: str, code: int) -> None:
        self.is_lasting = code >= _PERMANENT
        super().__init__(why)


@dataclass(frozen=True, slots=True)
class Taken:
    """The relay took the mail."""


@dataclass(frozen=True, slots=True)
class NotNow:
    """The relay did not take the mail this time."""

    why: str
    bounce: Bounce | None = None
    """The result for the recipient, or None."""


@dataclass(frozen=True, slots=True)
class Unanswered(NotNow):
    """The relay did not answer in time."""


@dataclass(frozen=True, slots=True)
class Doubted(NotNow):
    """The relay refused the mail by a policy: the mail's own, or all of ours."""


@dataclass(frozen=True, slots=True)
class Closed(NotNow):
    """The relay takes no mail of ours now: it has had too many, or refuses its own sender."""

    lasting: bool = False
    """It will not change by itself."""


@dataclass(frozen=True, slots=True)
class Never:
    """The relay will not take this mail."""

    why: str
    bounce: Bounce | None = None
    """The result for the recipient, or None."""


Answer = Taken | NotNow | Never


class _Line(smtplib.SMTP):
    """A connection that sends well-formed addresses and texts unchanged.

    The library parses addresses and each sign of a text, 70 kB with a picture: a fifteenth of an
    order mail's costs.
    """

    def offer(self, mail: ComposedMail) -> tuple[SmtpStep, int, bytes] | None:
        """Send a mail (RFC 5321, 4.1.1); return what was refused first, if anything, and how.

        Where the relay offers it, all that goes before the text goes at once (RFC 2920).
        """
        refused: tuple[SmtpStep, int, bytes] | None = None
        code = 0
        try:
            for step, code, reply in self._answers(mail):
                if refused is None and code not in _ACCEPTED[step]:
                    refused = step, code, reply
            if refused is None:
                code, reply = self.text(mail.content)
                refused = None if code == _TAKEN else (SmtpStep.TEXT, code, reply)
            elif code == _GO_AHEAD:  # it waits for a text, though nobody is to get any
                code, _ = self.text(b"")
            if code == _ENDS:
                self.close()
            elif refused is not None:
                self.rset()
        except smtplib.SMTPServerDisconnected:
            if refused is None:
                raise
        return refused

    def _answers(self, mail: ComposedMail) -> Iterator[tuple[SmtpStep, int, bytes]]:
        """The answers to what goes before the text, up to one after which nothing is asked."""
        commands = self._commands(mail)
        is_pipelined = self.has_extn("pipelining")
        if is_pipelined:
            self.send(b"".join(commands.values()))
        for step, command in commands.items():
            if not is_pipelined:
                self.send(command)
            code, reply = self.getreply()
            yield step, code, reply
            if code == _ENDS or not (is_pipelined or code in _ACCEPTED[step]):
                return

    def _commands(self, mail: ComposedMail) -> dict[SmtpStep, bytes]:
        """What goes before the text.  Raises ValueError for addresses that are no such."""
        options = [f"size={len(mail.content)}"] if self.has_extn("size") else []
        options += ["SMTPUTF8"] if mail.international else []
        said = {
            SmtpStep.SENDER: " ".join((f"mail FROM:<{mail.sender}>", *options)),
            SmtpStep.RECIPIENT: f"rcpt TO:<{mail.recipient}>",
            SmtpStep.TEXT: "data",
        }
        if any("\r" in each or "\n" in each for each in said.values()):
            message = "an address has a line end"
            raise ValueError(message)
        encoding = "utf-8" if mail.international else "ascii"
        return {step: f"{command}\r\n".encode(encoding) for step, command in said.items()}

    def text(self, content: bytes) -> tuple[int, bytes]:
        """Send the text, which ends with a line end (RFC 5321, 4.5.2); return the answer."""
        self.send(content.replace(b"\n.", b"\n..") + b".\r\n")
        return self.getreply()


class _ProtectedLine(_Line, smtplib.SMTP_SSL):
    """A connection under TLS from its beginning."""


class Relay:
    """The relay of *way*; connects with the first mail.

    *name* is our host name, *trust* the trusted certificates (default: the system's), *seconds* the
    time for one answer.
    """

    def __init__(
        self,
        way: Way,
        name: str,
        trust: ssl.SSLContext | None = None,
        seconds: float | None = None,
    ) -> None:
        self._way = way
        self._name = name
        self._trust = trust
        self._seconds = SECONDS if seconds is None else seconds
        self._line: _Line | None = None

    def __enter__(self) -> Self:
        """Return the relay."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Disconnect."""
        self.hang_up()

    def hand_over(self, mail: ComposedMail) -> Answer:
        """Offer a mail.  Raises OutOfReach if nothing was offered."""
        fresh = self._line is None
        line = self._line or self._connected()
        try:
            answer = self._offer(line, mail)
        except smtplib.SMTPServerDisconnected as fault:
            self.hang_up()
            if isinstance(fault.__context__, TimeoutError):
                return Unanswered(_fault_words(fault))
            # A relay may end a connection after some mails, which says nothing about this one.
            return NotNow(_fault_words(fault)) if fresh else self.hand_over(mail)
        except (OSError, smtplib.SMTPException) as fault:
            self.hang_up()
            return NotNow(_fault_words(fault))
        if line.sock is None:  # closed by the library: the relay has ended it in order (421)
            self.hang_up()
            return answer if fresh else self.hand_over(mail)
        return answer

    def greet(self) -> None:
        """Connect and disconnect, as a test.  Raises OutOfReach."""
        self._connected()
        self.hang_up()

    def hang_up(self) -> None:
        """Disconnect, if connected."""
        line, self._line = self._line, None
        if line is not None:
            with suppress(OSError, smtplib.SMTPException):
                if line.sock is not None:
                    line.sock.settimeout(min(_FAREWELL_SECONDS, self._seconds))
                line.quit()
            line.close()

    def _offer(self, line: _Line, mail: ComposedMail) -> Answer:
        if mail.international and not line.has_extn("smtputf8"):
            return Never("the relay cannot send to an address that is not ASCII")
        refused = line.offer(mail)
        return Taken() if refused is None else refusal(*refused)

    def sender_refusal(self, sender: str) -> str:
        """Return why the relay refuses an envelope sender, or "".  Raises OutOfReach."""
        line = self._line or self._connected()
        try:
            code, reply = line.mail(sender)
            line.rset()
        except (OSError, smtplib.SMTPException) as fault:
            raise OutOfReach(_fault_words(fault)) from fault
        finally:
            self.hang_up()
        return "" if code < _REFUSED else _words(code, reply)

    def _connected(self) -> _Line:
        try:
            line = self._dialled()
            self._line = line
            self._introduce(line)
        except (OSError, smtplib.SMTPException, SecretUnreadable) as fault:
            self.hang_up()
            message = f"the relay {self._way.host}:{self._way.port}: {_fault_words(fault)}"
            if isinstance(fault, smtplib.SMTPResponseException):
                raise Refused(message, fault.smtp_code) from fault
            raise OutOfReach(message) from fault
        return line

    def _dialled(self) -> _Line:
        way = self._way
        if way.security is Security.TLS:
            return _ProtectedLine(
                way.host, way.port, self._name, timeout=self._seconds, context=self._certificates()
            )
        return _Line(way.host, way.port, self._name, timeout=self._seconds)

    def _introduce(self, line: smtplib.SMTP) -> None:
        if self._way.security is Security.STARTTLS:
            line.starttls(context=self._certificates())
        line.ehlo_or_helo_if_needed()
        if self._way.user is None:
            return
        if self._way.tokens is None:
            line.login(self._way.user, self._way.password())
            return
        was_cached = self._way.tokens.is_cached
        try:
            self._show_token(line, self._way.user, self._way.tokens)
        except smtplib.SMTPAuthenticationError:
            self._way.tokens.forget()
            if not was_cached:
                raise
            self._show_token(line, self._way.user, self._way.tokens)

    def _show_token(self, line: smtplib.SMTP, user: str, tokens: TokenSource) -> None:
        """Log in by XOAUTH2, or by OAUTHBEARER (RFC 7628) where the relay offers that alone."""
        offered = line.esmtp_features.get("auth", "").upper().split()
        bearer, end = f"auth=Bearer {tokens.token()}\1\1", ""
        kind, shown = "XOAUTH2", f"user={user}\1{bearer}"
        if "OAUTHBEARER" in offered and kind not in offered:
            server = f"host={self._way.host}\1port={self._way.port}\1"
            kind, shown, end = "OAUTHBEARER", f"n,a={user},\1{server}{bearer}", "\1"
        # After a refusal the relay tells why, and waits for an answer that says nothing.
        line.auth(kind, lambda challenge=None: shown if challenge is None else end)

    def _certificates(self) -> ssl.SSLContext:
        return self._trust or ssl.create_default_context()


class KeptRelays:
    """Connections to the relay that stay open between rounds, for threads of one process."""

    def __init__(self, connect: Callable[[], AbstractContextManager[Relay]]) -> None:
        self._connect = connect
        self._idle: deque[tuple[Relay, ExitStack]] = deque()

    @contextmanager
    def one(self) -> Iterator[Relay]:
        """Return a relay whose connection is kept afterwards."""
        try:
            relay, end = self._idle.pop()
        except IndexError:
            end = ExitStack()
            relay = end.enter_context(self._connect())
        try:
            yield relay
        finally:
            self._idle.append((relay, end))

    def hang_up(self) -> None:
        """Disconnect the unused ones."""
        with suppress(IndexError):
            while True:
                self._idle.pop()[1].close()


_NO_ROOM = 452
_BUSY = 450
_TOO_LARGE = 552
_UNKNOWN_PARAMETER = frozenset({501, 504, 555})
_WANTS_PASSWORD = frozenset({454, 530, 534, 535, 538})
_STATUS = re.compile(r"(?<![\w.])[45]\.(\d{1,3})\.(\d{1,3})(?!\.?\d)")
_POLICY = "7"
_OF_RECIPIENT = frozenset({"1", "2"})
_OF_RELAY = frozenset({("3", "1"), ("3", "2"), ("4", "5"), ("5", "3")})
"""Its room, its willingness, its congestion, and too many recipients (RFC 3463)."""


def refusal(stage: SmtpStep, code: int, text: bytes | str) -> NotNow | Never:
    """Return the meaning of a refusal (RFC 5321, 4.2; RFC 3463)."""
    why = _words(code, text)
    if _is_about_us(stage, code, why):
        return Closed(why, lasting=code >= _PERMANENT and not says_too_many(why))
    if code >= _PERMANENT and stage is not SmtpStep.SENDER and _is_policy(why):
        return Doubted(why)
    bounce = bounce_of(why) if stage is SmtpStep.RECIPIENT else None
    return Never(why, bounce) if code >= _PERMANENT else NotNow(why, bounce)


def _words(code: int, text: bytes | str) -> str:
    words = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    return f"{code} {' '.join(words.split())}"


def _is_about_us(stage: SmtpStep, code: int, why: str) -> bool:
    """True if the relay would refuse any other message as well."""
    found = _STATUS.search(why)
    status = ("", "") if found is None or found[2] == found[1] == "0" else (found[1], found[2])
    if code in {_ENDS, *_WANTS_PASSWORD}:
        return True
    if stage is SmtpStep.SENDER:
        return code != _TOO_LARGE and code not in _UNKNOWN_PARAMETER
    if is_about_sender(why, status):
        return True
    is_of_recipient = status[0] in _OF_RECIPIENT or (not status[0] and speaks_of_mailbox(why))
    if is_of_recipient or code >= _PERMANENT or status[0] == _POLICY:
        return False
    return status in _OF_RELAY or code == _NO_ROOM or (code == _BUSY and stage is SmtpStep.TEXT)


def _is_policy(why: str) -> bool:
    found = _STATUS.search(why)
    if found is not None and (found[1], found[2]) != ("0", "0"):
        return found[1] == _POLICY
    return bounce_of(why) is None


def _fault_words(fault: Exception) -> str:
    return f"{type(fault).__name__}: {' '.join(str(fault).split())}"


MAX_DEATHS = 20
"""The number of deaths with a message in hand that blames the message."""

# Messages of the outbox -> the relay. A message is claimed, offered, and marked. Who dies between
# offering and marking leaves a claim that ends; the message is then sent again with the same
# Message-ID.
REST_AFTER_SILENCE = timedelta(minutes=1)
"""The rest of a message to which the relay was silent."""


class _SilentRelay(Exception):
    """The relay answers to no message."""


@dataclass(frozen=True, slots=True)
class Round:
    """The result of sending due messages."""

    sent: int = 0
    put_off: int = 0
    given_up: int = 0
    out_of_reach: str | None = None
    """The relay's fault; the messages wait."""


@dataclass(frozen=True, slots=True)
class Sender:
    """Sends due messages; *waits* are the pauses before further tries."""

    bag: SendQueue
    connect: Callable[[], AbstractContextManager[Relay]]
    judge: Judge
    secret: JudgeSecret
    waits: Sequence[timedelta]
    clock: Callable[[], datetime]
    drawn: Callable[[Outgoing], Outgoing] = without_picture_requests
    """Draws a message's pictures; without it there are none."""
    signed: Signing = unsigned
    """Signs a mail, if the judge has a key."""
    unanswered: set[OutboxId] = field(default_factory=set)
    """The messages without answer since the relay's last one."""
    doubted: set[str] = field(default_factory=set)
    """The recipients of messages refused by a policy since the relay took one."""

    def send_due(self, stop: Callable[[], bool] = lambda: False) -> Round:
        """Send all due messages, oldest first, until *stop*."""
        answers: Counter[type[Answer]] = Counter()
        with self.connect() as relay:
            message = None if stop() else self._claimed()
            while message is not None:
                if self._has_expired(message):
                    message = None if stop() else self._claimed()
                    continue
                try:
                    answer = self._offered(relay, message)
                except Refused as fault:
                    closed = Closed(str(fault), lasting=fault.is_lasting)
                    return self._paused(message, closed, answers)
                except OutOfReach as fault:
                    return self._postponed(message, self.clock(), str(fault), answers)
                except _SilentRelay as fault:
                    due = self.clock() + REST_AFTER_SILENCE
                    return self._postponed(message, due, str(fault), answers)
                if isinstance(answer, Closed):
                    return self._paused(message, answer, answers)
                answers[type(answer)] += 1
                message = self._done(message, answer, is_last=message.queue_was_empty or stop())
        return _round(answers)

    def _done(
        self, message: QueuedMessage, answer: Answer, *, is_last: bool
    ) -> QueuedMessage | None:
        """Record an answer, and claim the next message, unless it *is_last*."""
        try:
            if isinstance(answer, Taken) and not (is_last or message.after_refusal):
                now = self.clock()
                following = self.bag.sent_one(message.id, now, now + LEASE)
                log.info("message sent", message=message.id, tries=message.tries)
                return following
            self._mark(message, answer)
        except Stale:
            # The claim had ended, and somebody else has sent it again: the same mail.
            log.warning("message sent twice", message=message.id)
        return None if is_last else self._claimed()

    def _claimed(self) -> QueuedMessage | None:
        now = self.clock()
        return self.bag.claim(now, now + LEASE)

    def _offered(self, relay: Relay, message: QueuedMessage) -> Answer:
        """The relay's answer to a message; Never for one that cannot be written."""
        if message.deaths >= MAX_DEATHS:
            return Never(f"the process ended {message.deaths} times while it sent this message")
        self.secret.check()  # without it nothing can be written, which is no fault of a message
        try:
            mail = self._written(message)
        except Exception as fault:
            return Never(str(fault) if isinstance(fault, Unwritable) else type(fault).__name__)
        try:
            answer = relay.hand_over(mail)
        except OutOfReach:
            raise
        except Exception as fault:
            log.exception("message not handed over", message=message.id)
            relay.hang_up()
            answer = NotNow(type(fault).__name__)
        self._watch_for_silence(message, answer)
        answer = self._watch_for_policy(message, answer)
        # What the relay says of us counts against a message only while it takes others.
        is_its_own = not (isinstance(answer, Closed) and message.after_refusal)
        if isinstance(answer, NotNow) and is_its_own and message.tries > len(self.waits):
            return Never(f"given up after {message.tries} tries: {answer.why}", answer.bounce)
        return answer

    def _has_expired(self, message: QueuedMessage) -> bool:
        """True if a message would tell what is over; it is marked so."""
        now, expires = self.clock(), message.outgoing.expires
        if expires is None or now < expires:
            return False
        with suppress(Stale):
            self.bag.expire(message.id, now)
        log.warning("message expired", message=message.id, expired=expires)
        return True

    def _watch_for_policy(self, message: QueuedMessage, answer: Answer) -> Answer:
        """Take refusals by a policy of mails to several people for one of all our mails."""
        if isinstance(answer, Taken):
            self.doubted.clear()
        if not isinstance(answer, Doubted):
            return answer
        self.doubted.add(message.outgoing.to)
        return answer if len(self.doubted) == 1 else Closed(answer.why, lasting=True)

    def _written(self, message: QueuedMessage) -> ComposedMail:
        """The mail without parts that cannot be written.  Raises the text's errors."""
        plain = replace(message.outgoing, attachments=(), layout="")
        for form in (self.drawn, without_picture_requests):
            try:
                return self._composed(message, form(message.outgoing))
            except Exception:  # whatever is wrong with a picture or a file, its message goes
                log.exception("message not written", message=message.id)
        return self._composed(message, plain)

    def _composed(self, message: QueuedMessage, outgoing: Outgoing) -> ComposedMail:
        return self.signed(compose(replace(message, outgoing=outgoing), self.judge, self.secret))

    def _watch_for_silence(self, message: QueuedMessage, answer: Answer) -> None:
        """Raise _SilentRelay after several messages without answer; one alone may be to blame."""
        if not isinstance(answer, Unanswered):
            self.unanswered.clear()
            return
        self.unanswered.add(message.id)
        if len(self.unanswered) > 1:
            raise _SilentRelay(answer.why)

    def _mark(self, message: QueuedMessage, answer: Answer) -> None:
        now = self.clock()
        match answer:
            case Taken():
                self.bag.sent(message.id, now)
                log.info("message sent", message=message.id, tries=message.tries)
            case NotNow(why):
                due = now + self.waits[message.tries - 1]
                if isinstance(answer, Doubted):
                    self.bag.refused(now, why)
                self.bag.later(message.id, due, why, counts=True)
                log.warning("message put off", message=message.id, tries=message.tries, due=due)
            case Never(why, bounce):
                self.bag.give_up(message.id, now, why, bounce)
                counts = None if bounce is None else bounce.name.lower()
                log.error(
                    "message given up", message=message.id, tries=message.tries, bounce=counts
                )
        if message.after_refusal and isinstance(answer, Taken):
            self.bag.resume()

    def _paused(
        self, message: QueuedMessage, closed: Closed, answers: Counter[type[Answer]]
    ) -> Round:
        """Leave the relay alone: it would refuse the other messages as well."""
        now, counts = self.clock(), not message.after_refusal
        with suppress(Stale):
            until = self.bag.pause(
                message.id, now, closed.why, lasting=closed.lasting, counts=counts
            )
            log.warning("relay refuses", why=closed.why, until=until)
        return _round(answers, closed.why)

    def _postponed(
        self, message: QueuedMessage, due: datetime, why: str, answers: Counter[type[Answer]]
    ) -> Round:
        """A try that does not count: the relay did not judge the message."""
        self.bag.later(message.id, due, why, counts=False)
        log.warning("relay out of reach", why=why)
        return _round(answers, why)


def _round(answers: Counter[type[Answer]], out_of_reach: str | None = None) -> Round:
    put_off = answers[NotNow] + answers[Unanswered]
    return Round(answers[Taken], put_off, answers[Never], out_of_reach)
