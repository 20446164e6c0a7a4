"""Every setting, in one place: its name, its type, its default and what it means."""

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from machjudge.adjudicator.model.names import MachjudgeError
from machjudge.settings import kinds
from machjudge.settings.addresses import ListenAddress, RelayAddress
from machjudge.settings.folders import maps_folder
from machjudge.settings.kinds import Shown, ValueKind, choice, number

T = TypeVar("T")

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
        default=kind.read(default, Path()),
        repr=not kind.secret,
        metadata={"default": default, "kind": kind, "meaning": meaning},
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What is in force; `origins` says for every name where its value comes from."""

    database: str = setting(
        "sqlite:///machjudge.db",
        kinds.DATABASE,
        "The database that holds games and mails.",
    )
    secret_file: Path | None = setting(
        "",
        kinds.FILE,
        "The file with the judge's secret, made on first use; empty: beside the SQLite database.",
    )
    listen: tuple[ListenAddress, ...] = setting(
        "smtp://127.0.0.1:2525",
        kinds.LISTEN,
        "Where mails are taken in.",
    )
    relay: RelayAddress = setting(
        "smtp://127.0.0.1:25",
        kinds.RELAY,
        "The mail server that mails are handed to.",
    )
    certificate: Path | None = setting(
        "",
        kinds.FILE,
        "The certificate with which the listener offers STARTTLS, in PEM; empty: none.",
    )
    certificate_key: Path | None = setting(
        "",
        kinds.FILE,
        "The private key of the certificate, in PEM; empty: in the same file.",
    )
    dkim_key: Path | None = setting(
        "",
        kinds.FILE,
        "The private key with which messages are signed (DKIM), in PEM; empty: not by the judge.",
    )
    dkim_selector: str = setting(
        "machjudge",
        kinds.LABEL,
        "The selector under which the public half of that key is published.",
    )
    address: str = setting(
        "judge@localhost",
        kinds.JUDGE_ADDRESS,
        "The judge's own mail address; with +anything before the @ it is the judge's too.",
    )
    code: str = setting(
        "MACH",
        kinds.CODE,
        "The judge's code, in subjects and in the lines that begin with two colons.",
    )
    keeper: str | None = setting(
        "",
        kinds.MAIL_ADDRESS,
        "The mail address of the judge keeper, who is told of faults.",
    )
    confirm: str = setting(
        "on",
        choice("on", "off"),
        "Whether a new address counts only after somebody has answered from it.",
    )
    trust_results_of: str = setting(
        "",
        kinds.HOST,
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
    keep_mails: int = setting(
        "0",
        number("days", 0),
        "For how many days the texts of mails are kept once they are done with; 0: for ever.",
    )
    templates: Path | None = setting(
        "",
        kinds.FOLDER,
        "A folder with templates of the keeper's own, which go before those that come along.",
    )
    maps: Path | None = setting(
        "",
        kinds.FOLDER,
        "A folder with further boards and scenarios.",
    )
    web: Path | None = setting(
        "",
        kinds.PLACE,
        "The folder into which tick writes web pages of the listed games; empty: none.",
    )
    log_level: str = setting(
        "info",
        choice("debug", "info", "warning", "error"),
        "The least severe messages that are logged.",
    )
    timezone: ZoneInfo = setting(
        "UTC",
        kinds.ZONE,
        "The time zone in which times are written and read.",
    )
    retry: tuple[int, ...] = setting(
        "1 5 15 60 240 720 1440 1440",
        kinds.MINUTES,
        "The waits before each further attempt to send a mail; after the last it is given up.",
    )
    origins: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)

    @property
    def map_folders(self) -> list[Path]:
        """The folder of the program's maps, and that of the keeper after it."""
        return [maps_folder(), *([self.maps] if self.maps else [])]


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
