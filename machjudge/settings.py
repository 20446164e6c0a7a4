"""The settings of an installation: what can be set, where it is read, where the data folders lie.

Values come from a TOML file and from ``MACHJUDGE_*`` variables; variables win.
The games themselves are not set up here: that is `Rules`, the board and the scenario.
"""

import dataclasses
import difflib
import ipaddress
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from stat import S_ISREG
from types import MappingProxyType
from typing import Any, Generic, TypeVar
from urllib.parse import SplitResult, quote, unquote, urlsplit
from zoneinfo import ZoneInfo, available_timezones

from machjudge.adjudicator.names import MachjudgeError

# Where mail comes in and where it goes out, written as addresses. Opens no connection. Host
# names, IPv4 addresses and IPv6 addresses in brackets (RFC 3986, section 3.2.2).
_HOST_NAME = re.compile(r"[a-z0-9_]([a-z0-9_.-]{0,251}[a-z0-9_])?", re.ASCII)
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_SPACE_OR_CONTROL = re.compile(r"[\x00-\x20\x7f]")
_NOT_IN_FOLDER = re.compile(r"[\x00-\x1f\x7f%*]")
_LONGEST_FOLDER = 200
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
    """The mail server that takes our mails."""

    security: RelaySecurity
    host: str
    port: int
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    """None without a user, and if it is in a file."""


class MailboxSecurity(StrEnum):
    """How the way to the mailbox is protected; the value is the scheme of its address."""

    PLAIN = "imap"
    STARTTLS = "imap+starttls"
    TLS = "imaps"


_MAILBOX_PORT = {
    MailboxSecurity.PLAIN: 143,
    MailboxSecurity.STARTTLS: 143,
    MailboxSecurity.TLS: 993,
}


@dataclass(frozen=True, slots=True)
class MailboxAddress:
    """A folder of a mailbox (IMAP) from which mails are taken."""

    security: MailboxSecurity
    host: str
    port: int
    user: str
    password: str | None = field(default=None, repr=False)
    """None if it is in a file, or a token takes its place."""
    folder: str = "INBOX"
    """With ``/`` between its parts, whatever the server writes there."""

    @property
    def name(self) -> str:
        """Whose mailbox it is, where, and which folder: the same however it is reached."""
        return f"{self.user}@{self.host}/{self.folder}"


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

    The password may be left out. ValueError for anything else, and for a password that would
    travel unprotected.
    """
    address = _split(text)
    security = RelaySecurity(address.scheme)
    user, password = _decoded(address.username), _decoded(address.password)
    if user is not None and security is RelaySecurity.PLAIN:
        raise ValueError(text)
    port = _USUAL_PORT[security] if address.port is None else address.port
    return RelayAddress(security, _host(address), port, user, password)


def write_relay(relay: RelayAddress) -> str:
    """The address of *relay*, with asterisks for its password."""
    password = "" if relay.password is None else ":***"
    login = "" if relay.user is None else f"{quote(relay.user, safe='')}{password}@"
    return f"{relay.security}://{login}{_bracketed(relay.host)}:{relay.port}"


def read_mailbox(text: str) -> MailboxAddress:
    """What ``imaps://user:password@host/FOLDER`` means, or ``imap+starttls://`` or ``imap://``.

    Port, password and folder may be left out. ValueError for anything else, and for a password
    that would travel unprotected to another machine.
    """
    address = _split(text, has_path=True)
    security = MailboxSecurity(address.scheme)
    host, user = _host(address), _decoded(address.username)
    if user is None or (security is MailboxSecurity.PLAIN and not is_loopback(host)):
        raise ValueError(text)
    port = _MAILBOX_PORT[security] if address.port is None else address.port
    folder = _folder_name(unquote(address.path.removeprefix("/"), errors="strict") or "INBOX")
    return MailboxAddress(security, host, port, user, _decoded(address.password), folder)


def write_mailbox(mailbox: MailboxAddress) -> str:
    """The address of *mailbox*, with asterisks for its password."""
    password = "" if mailbox.password is None else ":***"
    login = f"{quote(mailbox.user, safe='@')}{password}@"
    place = f"{_bracketed(mailbox.host)}:{mailbox.port}/{quote(mailbox.folder)}"
    return f"{mailbox.security}://{login}{place}"


def is_loopback(host: str) -> bool:
    """Return True if a host is this machine, by its name or address alone."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _folder_name(text: str) -> str:
    """The name of a folder on a mail server, refused with control signs, wildcards, empty parts."""
    if len(text) > _LONGEST_FOLDER or not all(text.split("/")) or _NOT_IN_FOLDER.search(text):
        raise ValueError(text)
    return text


def _split(text: str, *, has_path: bool = False) -> SplitResult:
    """The parts of an address that has a host and perhaps a port, and no more than a path."""
    # urlsplit drops tabs and line ends instead of refusing them.
    if _SPACE_OR_CONTROL.search(text):
        raise ValueError(text)
    address = urlsplit(text)
    is_too_long = address.query or address.fragment or not (has_path or address.path in {"", "/"})
    if address.port == 0 or is_too_long:
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


_PACKAGE = Path(__file__).resolve().parent


def docs_folder() -> Path:
    """The texts that are sent for the asking; MachjudgeError if they are missing."""
    return find_folder(_PACKAGE, "docs")


def maps_folder() -> Path:
    """The boards and scenarios that come with the program; MachjudgeError if they are missing."""
    return find_folder(_PACKAGE, "maps")


def templates_folder() -> Path:
    """The templates of the messages; MachjudgeError if they are missing."""
    return find_folder(_PACKAGE, "templates")


def migrations_folder() -> Path:
    """The steps of the database; MachjudgeError if they are missing."""
    return find_folder(_PACKAGE, "migrations")


def find_folder(package: Path, name: str) -> Path:
    """The folder *name* inside *package* (as in a wheel) or beside it (as in a checkout)."""
    inside = package / name
    if inside.is_dir():
        return inside
    beside = package.parent / name
    # Beside an installed package lie the folders of strangers, and no pyproject.toml.
    if beside.is_dir() and (package.parent / "pyproject.toml").is_file():
        return beside
    message = f"the folder {name} is missing from this installation: {inside}"
    raise MachjudgeError(message)


T = TypeVar("T")

Shown = str | int | list[str] | list[int]
"""What a TOML file or a JSON document can hold."""

_LOCAL_PART = r"[A-Za-z0-9!#$%&'*/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*/=?^_`{|}~-]+)*"
_DOMAIN = r"([A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?\.)*[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?"
_JUDGE_ADDRESS = f"{_LOCAL_PART}@{_DOMAIN}"
_MAIL_ADDRESS = f"{_LOCAL_PART.replace('!#', '!+#')}@{_DOMAIN}"
_DATABASE = re.compile(r"sqlite:///[^:?\x00-\x20][^\x00-\x1f]*|postgresql(\+psycopg)?://\S+")
_SQLITE = "sqlite:///"
_LONGEST_ADDRESS = 254  # RFC 5321, section 4.5.3.1.3, less the two brackets


@dataclass(frozen=True, slots=True)
class ValueKind(Generic[T]):
    """One kind of values.

    *read* takes the text and the folder from which relative paths count, and raises ValueError;
    *show* gives what may be printed; *secret* says that the text may contain a password.
    """

    expected: str
    read: Callable[[str, Path], T]
    show: Callable[[T], Shown]
    secret: bool = False


def _read_database(text: str, folder: Path) -> str:
    if not _DATABASE.fullmatch(text):
        raise ValueError(text)
    if not text.startswith(_SQLITE) or folder == Path():
        return text
    # A file's own folder counts, so that cron finds the same database from anywhere.
    path, mark, query = text.removeprefix(_SQLITE).partition("?")
    return f"{_SQLITE}{folder / path}{mark}{query}"


def _show_database(url: str) -> str:
    """The URL with asterisks for passwords, before the host or behind the question mark."""
    masked = re.sub(r"(?<=://)([^:@/]*):.*@", r"\1:***@", url)
    return re.sub(r"([?&][^=&]*pass[^=&]*=)[^&]*", r"\1***", masked, flags=re.IGNORECASE)


def _read_listen(text: str, _folder: Path) -> tuple[ListenAddress, ...]:
    addresses = tuple(read_listen(word) for word in text.replace(",", " ").split())
    if len(set(addresses)) < len(addresses):
        raise ValueError(text)
    return addresses


def _read_token_url(text: str, _folder: Path) -> str:
    """An address of the web; without TLS on this machine only, as secrets travel there."""
    if not text:
        return ""
    address = urlsplit(text)
    is_safe = address.scheme == "https" or (
        address.scheme == "http" and is_loopback(address.hostname or "")
    )
    if _SPACE_OR_CONTROL.search(text) or not is_safe or address.username is not None:
        raise ValueError(text)
    _host(address)
    return text


def _read_folder(text: str, folder: Path) -> Path | None:
    if not text:
        return None
    try:
        path = folder / Path(text).expanduser()
        found = path.is_dir()
    except (OSError, RuntimeError) as error:
        raise ValueError(text) from error
    if not found:
        raise ValueError(text)
    return path


def _read_file(text: str, folder: Path) -> Path | None:
    try:
        return folder / Path(text).expanduser() if text else None
    except RuntimeError as error:
        raise ValueError(text) from error


def _show_folder(path: Path | None) -> str:
    return "" if path is None else str(path)


def _read_web_url(text: str, _folder: Path) -> str:
    if not text:
        return ""
    found = urlsplit(text)
    is_plain = (
        text.isascii() and not _SPACE_OR_CONTROL.search(text) and not set(text) & set('"<>?#')
    )
    if found.scheme not in ("http", "https") or not found.hostname or not is_plain:
        raise ValueError(text)
    return text if text.endswith("/") else f"{text}/"


def _read_zone(text: str, _folder: Path) -> ZoneInfo:
    try:
        return ZoneInfo(text)
    except (KeyError, OSError) as error:
        if not available_timezones():
            raise SettingsError([_NO_ZONES]) from error
        raise ValueError(text) from error


def _read_minutes(text: str, _folder: Path) -> tuple[int, ...]:
    minutes = tuple(_count(word) for word in text.replace(",", " ").split())
    if not minutes or min(minutes) == 0 or list(minutes) != sorted(minutes):
        raise ValueError(text)
    return minutes


def _same(value: T) -> T:
    return value


def _matched(pattern: str, text: str, longest: int) -> str:
    if len(text) > longest or not re.fullmatch(pattern, text):
        raise ValueError(text)
    return text


def _matching(pattern: str, longest: int) -> Callable[[str, Path], str]:
    return lambda text, _: _matched(pattern, text, longest)


def _count(text: str) -> int:
    """A whole number as people write it: no sign, no point, no underscores."""
    return int(_matched(r"[0-9]+", text, 12))


def number(unit: str, least: int) -> ValueKind[int]:
    """A whole number of *unit*, not below *least*."""

    def read(text: str, _folder: Path) -> int:
        if _count(text) < least:
            raise ValueError(text)
        return _count(text)

    return ValueKind(f"a whole number of {unit}, {least} or more", read, _same)


def choice(*words: str) -> ValueKind[str]:
    """One of *words*."""

    def read(text: str, _folder: Path) -> str:
        if text not in words:
            raise ValueError(text)
        return text

    return ValueKind(f"one of {', '.join(words)}", read, _same)


DATABASE = ValueKind(
    "sqlite:///file or postgresql://user:password@host/name",
    _read_database,
    _show_database,
    secret=True,
)
LISTEN: ValueKind[tuple[ListenAddress, ...]] = ValueKind(
    "a list of smtp://host:port, lmtp://host:port, smtp+unix:/path or lmtp+unix:/path, "
    "each of them once, an IPv6 address in brackets; an empty one only beside an inbox",
    _read_listen,
    lambda addresses: [write_listen(address) for address in addresses],
)
RELAY = ValueKind(
    "smtp://host:port, smtps://host:port or smtp+starttls://host:port, "
    "the latter two with user:password@ before the host if need be, "
    "special signs in these as %XX",
    lambda text, _: read_relay(text),
    write_relay,
    secret=True,
)
MAILBOX = ValueKind(
    "imaps://user:password@host/FOLDER or imap+starttls://user:password@host/FOLDER "
    "(imap:// for this machine only), special signs in these as %XX, or nothing",
    lambda text, _: read_mailbox(text) if text else None,
    lambda mailbox: "" if mailbox is None else write_mailbox(mailbox),
    secret=True,
)
MAIL_FOLDER = ValueKind(
    "the name of a folder on the mail server, with / between its parts, or nothing",
    lambda text, _: _folder_name(text) if text else "",
    _same,
)
TOKEN_URL = ValueKind("https://host/path, or nothing", _read_token_url, _same)
WORD = ValueKind(
    "a word of ASCII without spaces, or nothing", _matching(r"[\x21-\x7e]*", 500), _same
)
JUDGE_ADDRESS = ValueKind(
    "a mail address without a +", _matching(_JUDGE_ADDRESS, _LONGEST_ADDRESS), _same
)
MAIL_ADDRESS: ValueKind[str | None] = ValueKind(
    "a mail address, or nothing",
    lambda text, _: _matched(_MAIL_ADDRESS, text, _LONGEST_ADDRESS) if text else None,
    lambda text: text or "",
)
HOST = ValueKind(
    "the name of a host, or nothing",
    lambda text, _: _matched(_DOMAIN, text, _LONGEST_ADDRESS) if text else "",
    _same,
)
CODE = ValueKind(
    "up to 16 letters and digits, a letter first",
    _matching(r"[A-Za-z][A-Za-z0-9]{0,15}", 16),
    _same,
)
LABEL = ValueKind(
    "a label of DNS: up to 63 letters, digits and hyphens",
    _matching(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?", 63),
    _same,
)
FOLDER = ValueKind("a folder that exists, or nothing", _read_folder, _show_folder)
PLACE = ValueKind("the path of a folder, or nothing", _read_file, _show_folder)
FILE = ValueKind("the path of a file, or nothing", _read_file, _show_folder)
WEB_URL = ValueKind("https://host/path/ or http://host/path/, or nothing", _read_web_url, _same)
_NO_ZONES = (
    "no time zone data is installed: install the package tzdata, of the system or with pip"
    " (pip install tzdata)"
)
ZONE = ValueKind("the name of a time zone, such as UTC or Europe/Rome", _read_zone, str)
MINUTES: ValueKind[tuple[int, ...]] = ValueKind(
    "a list of whole numbers of minutes, 1 or more, none less than the one before it",
    _read_minutes,
    list,
)


PREFIX = "MACHJUDGE_"


class SettingsError(MachjudgeError):
    """Settings that cannot be used.

    *faults* has a sentence for each: which setting, where it was said, what is expected.
    """

    def __init__(self, faults: Iterable[str]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(self.faults))


def setting(default: str, kind: ValueKind[T], meaning: str) -> T:
    """One field of `Settings`; *default* as one would write it in a variable."""
    return field(
        default_factory=lambda: kind.read(default, Path()),
        repr=not kind.secret,
        metadata={"default": default, "kind": kind, "meaning": meaning},
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What is in force; `origins` says for every name where its value comes from."""

    database: str = setting(
        "sqlite:///machjudge.db",
        DATABASE,
        "The database that holds games and mails.",
    )
    secret_file: Path | None = setting(
        "",
        FILE,
        "The file with the judge's secret, made on first use; empty: beside the SQLite database.",
    )
    listen: tuple[ListenAddress, ...] = setting(
        "smtp://127.0.0.1:2525",
        LISTEN,
        "Where mails are taken in; with an inbox, nowhere else unless it is set.",
    )
    inbox: MailboxAddress | None = setting(
        "",
        MAILBOX,
        "The mailbox (IMAP) from which mails are taken; empty: none.",
    )
    inbox_password_file: Path | None = setting(
        "",
        FILE,
        "The file in whose first line the password of the inbox stands; empty: in its address.",
    )
    inbox_done: str = setting(
        "Judge/Done",
        MAIL_FOLDER,
        "The folder of the mailbox to which mails are moved once they are kept; empty: deleted.",
    )
    inbox_refused: str = setting(
        "Judge/Refused",
        MAIL_FOLDER,
        "The folder for mails that are too large or cannot be fetched; empty: deleted.",
    )
    inbox_token_url: str = setting(
        "",
        TOKEN_URL,
        "Where the provider gives out tokens (OAuth 2.0) that take the place of the password.",
    )
    inbox_client_id: str = setting(
        "",
        WORD,
        "The name under which the provider knows this judge there.",
    )
    inbox_client_secret_file: Path | None = setting(
        "",
        FILE,
        "The file with the secret that belongs to that name; empty: there is none.",
    )
    inbox_refresh_token_file: Path | None = setting(
        "",
        FILE,
        "The file with the refresh token; where the provider gives a new one, it is replaced.",
    )
    relay: RelayAddress = setting(
        "smtp://127.0.0.1:25",
        RELAY,
        "The mail server that mails are handed to.",
    )
    relay_password_file: Path | None = setting(
        "",
        FILE,
        "The file in whose first line the password of the relay stands; empty: in its address, or "
        "its user has none and shows the token of the inbox.",
    )
    envelope: str = setting(
        "sealed",
        choice("sealed", "plain"),
        "The sender that the relay is told: an address of its own for each message, or the bare "
        "one.",
    )
    plus: str = setting(
        "on",
        choice("on", "off"),
        "Whether the judge's address may be written with +anything before the @.",
    )
    messages_per_hour: int = setting(
        "0",
        number("messages", 0),
        "How many messages the relay is given in an hour; 0: no limit.",
    )
    messages_per_day: int = setting(
        "0",
        number("messages", 0),
        "How many messages the relay is given in 24 hours; 0: no limit.",
    )
    certificate: Path | None = setting(
        "",
        FILE,
        "The certificate with which the listener offers STARTTLS, in PEM; empty: none.",
    )
    certificate_key: Path | None = setting(
        "",
        FILE,
        "The private key of the certificate, in PEM; empty: in the same file.",
    )
    dkim_key: Path | None = setting(
        "",
        FILE,
        "The private key with which messages are signed (DKIM), in PEM; empty: not by the judge.",
    )
    dkim_selector: str = setting(
        "machjudge",
        LABEL,
        "The selector under which the public half of that key is published.",
    )
    address: str = setting(
        "judge@localhost",
        JUDGE_ADDRESS,
        "The judge's own mail address; with +anything before the @ it is the judge's too.",
    )
    code: str = setting(
        "MACH",
        CODE,
        "The judge's code, in subjects and in the lines that begin with two colons.",
    )
    keeper: str | None = setting(
        "",
        MAIL_ADDRESS,
        "The mail address of the judge keeper, who is told of faults.",
    )
    confirm: str = setting(
        "on",
        choice("on", "off"),
        "Whether a new address counts only after somebody has answered from it.",
    )
    trust_results_of: str = setting(
        "",
        HOST,
        "The host whose Authentication-Results are believed; empty: none.",
    )
    size_limit: int = setting(
        "1048576",
        number("bytes", 1024),
        "How large a mail may be; larger ones are refused.",
    )
    max_lines: int = setting(
        "1000",
        number("lines", 1),
        "How many lines of a mail are read at most.",
    )
    answers_per_day: int = setting(
        "5",
        number("messages", 0),
        "Messages a day to one address for mails without a proof of who wrote them; 0: no limit.",
    )
    games_per_day: int = setting(
        "3",
        number("games", 0),
        "How many games one person may make in 24 hours; 0: no limit.",
    )
    seats_per_day: int = setting(
        "10",
        number("seats", 0),
        "How many seats one person may take in 24 hours, observers' seats included; 0: no limit.",
    )
    observers_per_game: int = setting(
        "40",
        number("observers", 0),
        "How many people may watch a game at the same time; 0: no limit.",
    )
    press_per_hour: int = setting(
        "60",
        number("texts", 0),
        "How many texts one seat may send to others in an hour; 0: no limit.",
    )
    what_ifs_per_day: int = setting(
        "20",
        number("trials", 0),
        "How many trials of orders (WHATIF) one seat may ask for in 24 hours; 0: no limit.",
    )
    keep_mails: int = setting(
        "0",
        number("days", 0),
        "For how many days the texts of mails are kept once they are done with; 0: for ever.",
    )
    templates: Path | None = setting(
        "",
        FOLDER,
        "A folder with templates of the keeper's own, which go before those that come along.",
    )
    maps: Path | None = setting(
        "",
        FOLDER,
        "A folder with further boards and scenarios.",
    )
    web: Path | None = setting(
        "",
        PLACE,
        "The folder into which tick writes web pages of the listed games; empty: none.",
    )
    web_url: str = setting(
        "",
        WEB_URL,
        "The address on the web of that folder, told to players; empty: they have to know it.",
    )
    log_level: str = setting(
        "info",
        choice("debug", "info", "warning", "error"),
        "The least severe messages that are logged.",
    )
    timezone: ZoneInfo = setting(
        "UTC",
        ZONE,
        "The time zone in which times are written and read.",
    )
    retry: tuple[int, ...] = setting(
        "1 5 15 60 240 720 1440 1440",
        MINUTES,
        "The waits before each further attempt to send a mail; after the last it is given up.",
    )
    origins: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)

    @property
    def map_folders(self) -> list[Path]:
        """The folder of the program's maps, and that of the keeper after it."""
        return [maps_folder(), *([self.maps] if self.maps else [])]

    @property
    def relay_takes_token(self) -> bool:
        """Whether the relay's user has no password: the token of the inbox is shown instead."""
        own = (self.relay.password, self.relay_password_file)
        return self.relay.user is not None and own == (None, None)


@dataclass(frozen=True, slots=True)
class SettingRow:
    """A row of the table of settings: what a keeper has to know of one of them."""

    name: str
    default: str
    meaning: str
    # Any: each row has a kind of its own, which only the field of `Settings` knows.
    kind: ValueKind[Any]

    @property
    def variable(self) -> str:
        """The environment variable that sets it."""
        return PREFIX + self.name.upper()

    def shown(self, settings: Settings) -> Shown:
        """Its value in *settings* as it may be printed, passwords masked."""
        return self.kind.show(getattr(settings, self.name))


TABLE = tuple(
    SettingRow(each.name, each.metadata["default"], each.metadata["meaning"], each.metadata["kind"])
    for each in dataclasses.fields(Settings)
    if "kind" in each.metadata
)
"""One row for every setting, in the order in which they are printed."""


# Put the settings in force together from a file and from variables. Reads nothing but the file.
# Variables win over the file, and the file over the defaults.
CONFIG_VARIABLE = PREFIX + "CONFIG"
"""The variable that names the file."""

USUAL_FILES = (
    Path("machjudge.toml"),
    Path("/etc/machjudge/machjudge.toml"),
    Path("/etc/machjudge.toml"),  # where it stood before 1.0
)
"""Where a file is looked for when nobody names one; the first that exists is read."""


def where_set(settings: "Settings", text: str) -> str:
    """Return which setting a fault is about, and where it was set; "" if it quotes no value."""
    for entry in TABLE:
        shown = entry.shown(settings)
        for value in shown if isinstance(shown, list) else [shown]:
            plain = str(value).rpartition("://")[2] if "://" in str(value) else str(value)
            plain = plain.lstrip("/") if str(value).startswith("sqlite") else plain
            is_said = f"setting {entry.name}" in text
            if plain in text and not is_said and ("/" in plain or ":" in plain):
                return f"setting {entry.name}, {settings.origins.get(entry.name, 'default')}"
    return ""


_BY_NAME = {entry.name: entry for entry in TABLE}
_BY_VARIABLE = {entry.variable: entry for entry in TABLE}
_LONGEST_QUOTE = 60


@dataclass(frozen=True, slots=True)
class GivenValue:
    """The value that somebody gave to one setting: as text, where, and the folder it counts from.

    The folder is that of the file, for paths; the one that we are in for a variable.
    """

    entry: SettingRow
    text: str
    origin: str
    folder: Path


@dataclass(frozen=True, slots=True)
class SettingFault:
    """Something that cannot be used: which setting, where it was said, what is expected."""

    says: str


def load(
    environ: Mapping[str, str], file: Path | None = None, usual: Sequence[Path] = USUAL_FILES
) -> Settings:
    """The settings in force.

    *file* is the one named on the command line; without it MACHJUDGE_CONFIG names one, and
    without that the first of *usual* that exists is read, if any.
    SettingsError names every fault at once.
    """
    chosen = _choose_file(environ, file, usual)
    found = [] if chosen is None else list(_in_file(chosen))
    found += _in_variables(environ)
    read = [(each, _value(each)) for each in found]
    faults = [value.says for _, value in read if isinstance(value, SettingFault)]
    if faults:
        raise SettingsError(faults)
    # Any: each field has a type of its own, and its kind has just made a value of that type.
    values: dict[str, Any] = {}
    origins = {entry.name: "default" for entry in TABLE}
    for given, value in read:
        if isinstance(given, GivenValue):
            values[given.entry.name] = value
            origins[given.entry.name] = given.origin
    if values.get("inbox") is not None and "listen" not in values:
        values["listen"] = ()
    settings = Settings(**values, origins=MappingProxyType(origins))
    if faults := [*_misfits(settings)]:
        raise SettingsError(faults)
    return settings


def _misfits(settings: Settings) -> Iterator[str]:
    """What does not go together: how mails come in, and how mailbox and relay are opened."""
    relay, of_relay = settings.relay, settings.relay_password_file
    inbox, origin = settings.inbox, settings.origins["inbox"]
    names = ("inbox_token_url", "inbox_client_id", "inbox_refresh_token_file")
    token = [each for each in names if getattr(settings, each)]
    if token and len(token) < len(names):
        asked = f"{names[0]}, {names[1]} and {names[2]} must be set together"
        yield f"{settings.origins[token[0]]}: {asked}"
    if relay.user is None and of_relay is not None:
        yield (
            f"{settings.origins['relay_password_file']}: with relay_password_file the relay must"
            " have a user before its host, as in smtps://user@host"
        )
    ways: tuple[object, ...] = (relay.password, of_relay)
    given = sum(each is not None for each in ways)
    if relay.user is not None and given != 1 and not (settings.relay_takes_token and token):
        yield (
            f"{settings.origins['relay']}: relay must have one password: in its address, in"
            f" relay_password_file, or by inbox_refresh_token_file; here are {given}"
        )
    if inbox is None:
        if not settings.listen:
            yield f"{settings.origins['listen']}: listen must be {LISTEN.expected}"
        return
    ways = (inbox.password, settings.inbox_password_file)
    given = sum(each is not None for each in ways)
    if token and not (given and settings.relay_takes_token):
        given += 1
    if given != 1:
        yield (
            f"{origin}: inbox must have one password: in its address, in inbox_password_file,"
            f" or by inbox_refresh_token_file; here are {given}"
        )


def _choose_file(
    environ: Mapping[str, str], file: Path | None, usual: Sequence[Path]
) -> Path | None:
    if file is not None:
        return file
    named = environ.get(CONFIG_VARIABLE)
    if named:
        return Path(named)
    return next((path for path in usual if _is_there(path)), None)


def _is_there(path: Path) -> bool:
    """Return True if a file is there, as far as that can be seen.

    A folder of settings that we may not enter counts: reading the file tells it.  The folder that
    we happen to be in does not.
    """
    try:
        return S_ISREG(path.stat().st_mode)
    except PermissionError:
        return path.is_absolute()
    except (OSError, ValueError):
        return False


def _in_file(file: Path) -> Iterator[GivenValue | SettingFault]:
    folder = file.resolve().parent
    table = _read_file_sources(file)
    if isinstance(table, SettingFault):
        yield table
        return
    for key, value in table.items():
        if key in _BY_NAME:
            yield _given(_BY_NAME[key], value, file, folder)
        else:
            yield _unknown(f"{file}: there is no setting {key!r}", key, _BY_NAME)


def _read_file_sources(file: Path) -> Mapping[str, object] | SettingFault:
    try:
        # Some editors put a byte order mark at the beginning.
        return tomllib.loads(file.read_text(encoding="utf-8-sig"))
    except OSError as error:
        return SettingFault(f"{file}: the settings cannot be read: {error.strerror}")
    except ValueError as error:
        return SettingFault(f"{file}: not a TOML file: {error}")


def _given(entry: SettingRow, value: object, file: Path, folder: Path) -> GivenValue | SettingFault:
    """The *value* of a TOML file as one would write it in a variable."""
    match value:
        case str():
            text = value
        case int() if not isinstance(value, bool):
            text = str(value)
        case list() if all(type(item) in {str, int} for item in value):
            text = " ".join(map(str, value))
        case _:
            return _expected(entry, repr(value), str(file))
    return GivenValue(entry, text, str(file), folder)


def _in_variables(environ: Mapping[str, str]) -> Iterator[GivenValue | SettingFault]:
    known = [*_BY_VARIABLE, CONFIG_VARIABLE]
    for variable, text in sorted(environ.items()):
        if not variable.startswith(PREFIX) or variable == CONFIG_VARIABLE:
            continue
        if variable in _BY_VARIABLE:
            yield GivenValue(_BY_VARIABLE[variable], text, variable, Path())
        else:
            yield _unknown(f"there is no variable {variable}", variable, known)


def _value(given: GivenValue | SettingFault) -> object:
    """The value that is meant; a Fault if there is none."""
    if isinstance(given, SettingFault):
        return given
    try:
        return given.entry.kind.read(given.text, given.folder)
    except ValueError:
        return _expected(given.entry, repr(given.text), given.origin)


def _expected(entry: SettingRow, quoted: str, origin: str) -> SettingFault:
    said = "" if entry.kind.secret else f", not {quoted[:_LONGEST_QUOTE]}"
    return SettingFault(f"{origin}: {entry.name} must be {entry.kind.expected}{said}")


def _unknown(
    message: str, word: str, known: Sequence[str] | Mapping[str, SettingRow]
) -> SettingFault:
    near = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return SettingFault(
        f"{message}; did you mean {near[0]}?"
        if near
        else f"{message}; there are {', '.join(known)}"
    )
