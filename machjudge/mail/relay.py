"""The relay: the mail server that takes our mails.  One connection serves several (RFC 5321)."""

import smtplib
import ssl
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from enum import Enum
from types import TracebackType
from typing import Self

from structlog import get_logger

from machjudge.adjudicator.model.names import MachjudgeError
from machjudge.mail.compose import ComposedMail
from machjudge.service.model.records import Bounce
from machjudge.service.ports.bounce_kind import bounce_of

SECONDS = 60.0
"""How long the relay may take for one answer."""
_FAREWELL_SECONDS = 5.0
"""How long it may take to say good-bye."""

_GO_AHEAD = 354
_PERMANENT = 500

log = get_logger(__name__)


class Security(Enum):
    """How the way to the relay is protected."""

    PLAIN = "plain"
    STARTTLS = "starttls"
    TLS = "tls"


@dataclass(frozen=True, slots=True)
class Way:
    """The way to the relay; *user* and *password* are both there or both absent."""

    host: str
    port: int
    security: Security = Security.PLAIN
    user: str | None = None
    password: str | None = field(default=None, repr=False)


class OutOfReach(MachjudgeError):
    """The relay takes no mails now, whichever they are; what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Taken:
    """The relay has taken the mail."""


@dataclass(frozen=True, slots=True)
class NotNow:
    """The relay did not take the mail this time."""

    why: str
    bounce: Bounce | None = None
    """What that says of the recipient; None: nothing."""


@dataclass(frozen=True, slots=True)
class Unanswered(NotNow):
    """The relay had the mail offered and said nothing in its time."""


@dataclass(frozen=True, slots=True)
class Never:
    """The relay will not take this mail."""

    why: str
    bounce: Bounce | None = None
    """What that says of the recipient; None: nothing."""


Answer = Taken | NotNow | Never


class Relay:
    """The relay at the end of *way*; connects when the first mail is to go.

    *name* is our host name, *trust* the certificates that are believed (default: the system's),
    *seconds* how long it may take for one answer.
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
        self._line: smtplib.SMTP | None = None

    def __enter__(self) -> Self:
        """Use it for some mails."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Say good-bye to the relay."""
        self.hang_up()

    def hand_over(self, mail: ComposedMail) -> Answer:
        """Offer a mail.  Raises OutOfReach, and then nothing has been offered."""
        fresh = self._line is None
        line = self._line or self._connected()
        try:
            answer = self._offer(line, mail)
        except smtplib.SMTPServerDisconnected as fault:
            self.hang_up()
            if isinstance(fault.__context__, TimeoutError):
                return Unanswered(_told(fault))
            # A relay may end a connection after some mails, which says nothing about this one.
            return NotNow(_told(fault)) if fresh else self.hand_over(mail)
        except (OSError, smtplib.SMTPException) as fault:
            self.hang_up()
            return NotNow(_told(fault))
        if line.sock is None:  # closed by the library: the relay has ended it in order (421)
            self.hang_up()
            return answer if fresh else self.hand_over(mail)
        return answer

    def greet(self) -> None:
        """Connect as if a mail were to go, and hang up.  Raises OutOfReach."""
        self._connected()
        self.hang_up()

    def hang_up(self) -> None:
        """End the connection, if there is one."""
        line, self._line = self._line, None
        if line is not None:
            with suppress(OSError, smtplib.SMTPException):
                if line.sock is not None:
                    line.sock.settimeout(min(_FAREWELL_SECONDS, self._seconds))
                line.quit()
            line.close()

    def _offer(self, line: smtplib.SMTP, mail: ComposedMail) -> Answer:
        if mail.international and not line.has_extn("smtputf8"):
            return Never("the relay cannot send to an address that is not ASCII")
        options = ["SMTPUTF8"] if mail.international else []
        try:
            line.sendmail(mail.sender, [mail.recipient], mail.content, options)
        except smtplib.SMTPRecipientsRefused as refused:
            refusal = _refusal(*refused.recipients[mail.recipient])
            # 421 ends the connection, whoever the recipient is.
            counts = None if line.sock is None else bounce_of(refusal.why)
            return replace(refusal, bounce=counts)
        except smtplib.SMTPResponseException as refused:
            return _refusal(refused.smtp_code, refused.smtp_error)
        return Taken()

    def _connected(self) -> smtplib.SMTP:
        try:
            line = self._dialled()
            self._line = line
            self._introduce(line)
        except (OSError, smtplib.SMTPException) as fault:
            self.hang_up()
            message = f"the relay {self._way.host}:{self._way.port}: {_told(fault)}"
            raise OutOfReach(message) from fault
        return line

    def _dialled(self) -> smtplib.SMTP:
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
        if self._way.user is not None:
            line.login(self._way.user, self._way.password or "")

    def _certificates(self) -> ssl.SSLContext:
        return self._trust or ssl.create_default_context()


class _Line(smtplib.SMTP):
    """A connection on which addresses and texts go out as they are; they are well formed.

    The library takes addresses apart and looks at each sign of a text, 70 kB with a picture: a
    fifteenth of all that an order mail costs.
    """

    def mail(self, sender: str, options: Sequence[str] = ()) -> tuple[int, bytes]:
        """Say who sends a mail (RFC 5321, 4.1.1.2, and RFC 6531)."""
        self.command_encoding = "utf-8" if "SMTPUTF8" in options else "ascii"
        return self.docmd("mail", " ".join((f"FROM:<{sender}>", *options)))

    def rcpt(self, recip: str, options: Sequence[str] = ()) -> tuple[int, bytes]:
        """Say to whom it goes (RFC 5321, 4.1.1.3)."""
        return self.docmd("rcpt", " ".join((f"TO:<{recip}>", *options)))

    def data(self, msg: bytes) -> tuple[int, bytes]:  # type: ignore[override]
        """Send the text, which ends with a line end (RFC 5321, 4.1.1.4 and 4.5.2)."""
        code, told = self.docmd("data")
        if code != _GO_AHEAD:
            raise smtplib.SMTPDataError(code, told)
        self.send(msg.replace(b"\n.", b"\n..") + b".\r\n")
        return self.getreply()


class _ProtectedLine(_Line, smtplib.SMTP_SSL):
    """The same under TLS from its beginning."""


class KeptRelays:
    """Connections to the relay that stay open from round to round, for threads of one process."""

    def __init__(self, connect: Callable[[], AbstractContextManager[Relay]]) -> None:
        self._connect = connect
        self._idle: deque[tuple[Relay, ExitStack]] = deque()

    @contextmanager
    def one(self) -> Iterator[Relay]:
        """A relay for some mails; its connection is kept afterwards."""
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
        """End the connections that nobody uses."""
        with suppress(IndexError):
            while True:
                self._idle.pop()[1].close()


def _refusal(code: int, text: bytes | str) -> NotNow | Never:
    words = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    why = f"{code} {' '.join(words.split())}"
    return Never(why) if code >= _PERMANENT else NotNow(why)


def _told(fault: Exception) -> str:
    """A fault in one line."""
    return f"{type(fault).__name__}: {' '.join(str(fault).split())}"
