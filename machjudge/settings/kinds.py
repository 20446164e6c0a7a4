"""The kinds of values that a setting can have: how each is read from text and shown again."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar
from zoneinfo import ZoneInfo

from machjudge.settings.addresses import (
    ListenAddress,
    RelayAddress,
    read_listen,
    read_relay,
    write_listen,
    write_relay,
)

T = TypeVar("T")

Shown = str | int | list[str] | list[int]
"""What a TOML file or a JSON document can hold."""

_LOCAL_PART = r"[A-Za-z0-9!#$%&'*/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*/=?^_`{|}~-]+)*"
_DOMAIN = r"([A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?\.)*[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?"
_JUDGE_ADDRESS = re.compile(f"{_LOCAL_PART}@{_DOMAIN}")
_MAIL_ADDRESS = re.compile(f"{_LOCAL_PART.replace('!#', '!+#')}@{_DOMAIN}")
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
    if not addresses or len(set(addresses)) < len(addresses):
        raise ValueError(text)
    return addresses


def _show_listen(addresses: tuple[ListenAddress, ...]) -> list[str]:
    return [write_listen(address) for address in addresses]


def _read_relay(text: str, _folder: Path) -> RelayAddress:
    return read_relay(text)


def _read_judge_address(text: str, _folder: Path) -> str:
    return _matched(_JUDGE_ADDRESS, text, _LONGEST_ADDRESS)


def _read_mail_address(text: str, _folder: Path) -> str | None:
    return _matched(_MAIL_ADDRESS, text, _LONGEST_ADDRESS) if text else None


def _show_optional(text: str | None) -> str:
    return text or ""


def _read_host(text: str, _folder: Path) -> str:
    return _matched(re.compile(_DOMAIN), text, _LONGEST_ADDRESS) if text else ""


def _read_code(text: str, _folder: Path) -> str:
    return _matched(re.compile(r"[A-Za-z][A-Za-z0-9]{0,15}"), text, 16)


def _read_label(text: str, _folder: Path) -> str:
    return _matched(re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"), text, 63)


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


def _read_zone(text: str, _folder: Path) -> ZoneInfo:
    try:
        return ZoneInfo(text)
    except (KeyError, OSError) as error:
        raise ValueError(text) from error


def _read_minutes(text: str, _folder: Path) -> tuple[int, ...]:
    minutes = tuple(_count(word) for word in text.replace(",", " ").split())
    if not minutes or min(minutes) == 0 or list(minutes) != sorted(minutes):
        raise ValueError(text)
    return minutes


def _same(value: T) -> T:
    return value


def _matched(pattern: re.Pattern[str], text: str, longest: int) -> str:
    if len(text) > longest or not pattern.fullmatch(text):
        raise ValueError(text)
    return text


def _count(text: str) -> int:
    """A whole number as people write it: no sign, no point, no underscores."""
    return int(_matched(re.compile(r"[0-9]+"), text, 12))


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
    "each of them once, an IPv6 address in brackets",
    _read_listen,
    _show_listen,
)
RELAY = ValueKind(
    "smtp://host:port, smtps://host:port or smtp+starttls://host:port, "
    "the latter two with user:password@ before the host if need be, "
    "special signs in these as %XX",
    _read_relay,
    write_relay,
    secret=True,
)
JUDGE_ADDRESS = ValueKind("a mail address without a +", _read_judge_address, _same)
MAIL_ADDRESS = ValueKind("a mail address, or nothing", _read_mail_address, _show_optional)
HOST = ValueKind("the name of a host, or nothing", _read_host, _same)
CODE = ValueKind("up to 16 letters and digits, a letter first", _read_code, _same)
LABEL = ValueKind("a label of DNS: up to 63 letters, digits and hyphens", _read_label, _same)
FOLDER = ValueKind("a folder that exists, or nothing", _read_folder, _show_folder)
PLACE = ValueKind("the path of a folder, or nothing", _read_file, _show_folder)
FILE = ValueKind("the path of a file, or nothing", _read_file, _show_folder)
ZONE = ValueKind("the name of a time zone, such as UTC or Europe/Rome", _read_zone, str)
MINUTES: ValueKind[tuple[int, ...]] = ValueKind(
    "a list of whole numbers of minutes, 1 or more, none less than the one before it",
    _read_minutes,
    list,
)
