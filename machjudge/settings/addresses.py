"""Where mail comes in and where it goes out, written as addresses.  Opens no connection.

Host names, IPv4 addresses and IPv6 addresses in brackets (RFC 3986, section 3.2.2).
"""

import ipaddress
import re
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from urllib.parse import SplitResult, quote, unquote, urlsplit

_HOST_NAME = re.compile(r"[a-z0-9_]([a-z0-9_.-]{0,251}[a-z0-9_])?", re.ASCII)
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_SPACE_OR_CONTROL = re.compile(r"[\x00-\x20\x7f]")
_UNIX = "+unix:"


class Protocol(StrEnum):
    """What is spoken by those who hand us a mail."""

    SMTP = "smtp"
    LMTP = "lmtp"


@dataclass(frozen=True, slots=True)
class TcpAddress:
    """A host (a name or an address, without brackets) and a port that we listen on."""

    protocol: Protocol
    host: str
    port: int


@dataclass(frozen=True, slots=True)
class UnixAddress:
    """A Unix socket that we listen on."""

    protocol: Protocol
    path: Path


ListenAddress = TcpAddress | UnixAddress


class RelaySecurity(StrEnum):
    """How the way to the relay is protected; the value is the scheme of its address."""

    PLAIN = "smtp"
    STARTTLS = "smtp+starttls"
    TLS = "smtps"


_USUAL_PORT = {RelaySecurity.PLAIN: 25, RelaySecurity.STARTTLS: 587, RelaySecurity.TLS: 465}


@dataclass(frozen=True, slots=True)
class RelayAddress:
    """The mail server that takes our mails; *user* and *password* are both there or both absent."""

    security: RelaySecurity
    host: str
    port: int
    user: str | None = None
    password: str | None = field(default=None, repr=False)


def read_listen(text: str) -> ListenAddress:
    """What ``smtp://host:port``, ``lmtp://host:port`` or ``lmtp+unix:/path`` means.

    ValueError for anything else.
    """
    scheme, unix, path = text.partition(_UNIX)
    if unix:
        return UnixAddress(Protocol(scheme), _absolute(unquote(path)))
    address = _split(text)
    if address.port is None or address.username is not None:
        raise ValueError(text)
    return TcpAddress(Protocol(address.scheme), _host(address), address.port)


def write_listen(address: ListenAddress) -> str:
    """The inverse of `read_listen`."""
    match address:
        case TcpAddress(protocol, host, port):
            return f"{protocol}://{_bracketed(host)}:{port}"
        case UnixAddress(protocol, path):
            return f"{protocol}{_UNIX}{quote(str(path))}"


def read_relay(text: str) -> RelayAddress:
    """What ``smtp://host:port`` means, or ``smtps://`` or ``smtp+starttls://user:password@host``.

    ValueError for anything else, and for a password that would travel unprotected.
    """
    address = _split(text)
    security = RelaySecurity(address.scheme)
    user, password = address.username, address.password
    if (user is None) is not (password is None) or (user and security is RelaySecurity.PLAIN):
        raise ValueError(text)
    port = _USUAL_PORT[security] if address.port is None else address.port
    return RelayAddress(security, _host(address), port, _decoded(user), _decoded(password))


def write_relay(relay: RelayAddress) -> str:
    """The address of *relay*, with asterisks for its password."""
    login = "" if relay.user is None else f"{quote(relay.user, safe='')}:***@"
    return f"{relay.security}://{login}{_bracketed(relay.host)}:{relay.port}"


def _split(text: str) -> SplitResult:
    """The parts of an address that has a host and perhaps a port, and nothing behind them."""
    # urlsplit drops tabs and line ends instead of refusing them.
    if _SPACE_OR_CONTROL.search(text):
        raise ValueError(text)
    address = urlsplit(text)
    if address.port == 0 or address.path not in {"", "/"} or address.query or address.fragment:
        raise ValueError(text)
    return address


def _host(address: SplitResult) -> str:
    host = address.hostname or ""
    if ":" in host:
        return str(ipaddress.IPv6Address(host))
    if not _HOST_NAME.fullmatch(host):
        raise ValueError(host)
    return host


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _decoded(text: str | None) -> str | None:
    """A user or password without its percent signs, refused if empty or with control signs."""
    if text is None:
        return None
    plain = unquote(text, errors="strict")
    if not plain or _CONTROL.search(plain):
        raise ValueError(text)
    return plain


def _absolute(path: str) -> Path:
    if not path.startswith("/") or path.endswith("/") or _CONTROL.search(path):
        raise ValueError(path)
    return Path(path)
