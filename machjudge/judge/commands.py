"""The declaration of commands: who may give one, what it needs, and its handler.

A function becomes a command by ``@command``, and a setting by ``@setting``; its name stands in
`HELP_ORDER`, its usage and help in the texts of the commands.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, TypedDict, TypeVar, Unpack

from machjudge.judge.credentials import Act
from machjudge.judge.game_settings import TOGGLES
from machjudge.judge.mail_context import MailContext, NotPlayed
from machjudge.judge.records import Status
from machjudge.language.commands import Command
from machjudge.mail_parser.lines import Line
from machjudge.translatable import Message, MessageOrText

Handler = Callable[[MailContext, Line, Any], None]
"""Any: each handler takes its own command."""


class Caller(Enum):
    """The roles in which commands are used."""

    ANYBODY = "anybody"
    PLAYER = "player"
    OBSERVER = "observer"
    MASTER = "master"
    CO_MASTER = "co_master"

    @property
    def words(self) -> Message:
        """The role in words."""
        return Message(f"help.caller.{self.value}")


ANYBODY = frozenset(Caller)
SEATED = frozenset({Caller.PLAYER, Caller.OBSERVER, Caller.MASTER, Caller.CO_MASTER})
PLAYERS = frozenset({Caller.PLAYER})
PLAYERS_AND_MASTER = frozenset({Caller.PLAYER, Caller.MASTER})
WATCHING = frozenset({Caller.OBSERVER, Caller.MASTER, Caller.CO_MASTER})
MASTERS = frozenset({Caller.MASTER, Caller.CO_MASTER})
FIRST_MASTER = frozenset({Caller.MASTER})


OVER: Mapping[Status, MessageOrText] = {Status.FINISHED: Message("game.is_over")}
NOT_PLAYED: Mapping[Status, MessageOrText] = {Status.FORMING: Message("game.has_not_begun"), **OVER}


def once_begun(reason: MessageOrText) -> Mapping[Status, MessageOrText]:
    """Return the refusal of a command that shapes a game before it begins."""
    return {Status.RUNNING: reason, Status.FINISHED: reason}


class Group(Enum):
    """The groups of the commands, in the order of the help."""

    COMING = "coming"
    PLAYING = "playing"
    TALKING = "talking"
    ASKING = "asking"
    RUNNING = "running"
    RULES = "rules"
    PRESS = "press"

    @property
    def title(self) -> Message:
        """The heading of the group."""
        return Message(f"help.group.{self.value}")


HELP_ORDER: tuple[tuple[Group, str], ...] = (
    (
        Group.COMING,
        "register, create, signon ?, signon, send token, revoke tokens, forget me, "
        "i am also, confirm, observe, signoff, resign, offer substitute, "
        "offer no substitute, random",
    ),
    (
        Group.PLAYING,
        "set wait, ready, phase, if, clear, same, restore, history orders, dry, offer, accept, "
        "withdraw, hint, takeback, "
        "set absence, "
        "set priority, set preferences, set password, set address, set public address, "
        "set notation, set subject, set newspaper, set timezone, set calendar, "
        "set calendar alarm, set notify, "
        "set language, set html, set pictures, set json",
    ),
    (
        Group.TALKING,
        "press, broadcast, postal press, diary, set open diary, set broadcast, set all press",
    ),
    (Group.ASKING, "list, help, get, differences, map, whatif, who, version"),
    (
        Group.RUNNING,
        "set deadline, set grace, set start, set moves, set retreats, set adjustments, "
        "set nmr, set vacant, set warn, set briefing, set notice, set excuse, set substitutes, "
        "set max absence, set strict grace, set strict wait, set manual process, "
        "set auto process, pause, resume",
    ),
    (Group.PLAYING, "for"),
    (Group.RUNNING, "preview, process, nudge, rollback, fix, become"),
    (Group.RULES, "set scenario"),
    (
        Group.RUNNING,
        "set prflist, set prfboth, set prfrand, set manual start, set auto start, "
        "set reliability, set resrat, eject, reinstate, promote, demote, force begin, "
        "set players, set confirm, set takeover, set sender, set approve, set comment, "
        "set allow player, set deny player, set listed",
    ),
    (
        Group.RULES,
        "set money, set dice, set summer, set garrisons, set forts, set coastal convoys, "
        "set disband, set bank, set famine, set plague, set storms, set assassinations, "
        "set special, set adjacency, set mach2, set preset, set option, set basic, "
        "set advanced, set cities, set homes",
    ),
    (Group.PLAYING, "set draw, set concede"),
    (Group.RUNNING, "declare, terminate"),
    (Group.RULES, ", ".join(f"set {key}" for key in TOGGLES)),
    (
        Group.ASKING,
        "history, summary, info player, send my data, get export, get calendar, stats, ping",
    ),
    (
        Group.PRESS,
        "set press, set white press, set grey press, set white/grey press, "
        "set grey/white press, set partial press, set fake press, "
        "set partial fakes broadcast, set observer press, set late press, set grace press, "
        "set must order, set postal press, set watch all press, set reveal press",
    ),
)
"""The names of all commands, in the order of the help."""


@dataclass(frozen=True, slots=True)
class CommandEntry:
    """The facts of a command, or of one setting."""

    name: str
    group: Group
    handler: Handler | None
    """None if `CommandLines` carries it out, because it reads several lines."""
    who: frozenset[Caller] = ANYBODY
    act: Act = Act.READ
    """The act for the table of proofs."""
    kind: type[Command] | None = None
    """The class of its commands; None for settings, and for plain commands of its name."""
    setting: str = ""
    """The key of a setting; empty for commands."""
    also: tuple[str, ...] = ()
    is_dry: bool = False
    """Allowed in a mail that is only checked: it asks, or is about orders."""
    for_the_living: bool = False
    """It delays the game, so that players of eliminated powers may not use it."""
    is_personal: bool = False
    """For the player alone, not for a master who has become a power."""
    about_phase: bool = False
    """It is about the current phase, which a command above it may be to change."""
    tells_orders: bool = False
    """Its answer shows the orders on file, including the mail's."""
    unchanging: Callable[[MailContext, Any], str] | None = None
    """The line that always means the same; None if it is the line itself."""
    opens_seat: bool = False
    """It opens a seat; a mail opens one at most."""
    secret_at: int = 0
    """The index of the word that is a password or token; 0 if none is."""
    refused_in: Mapping[Status, MessageOrText] = field(default_factory=dict, hash=False)
    """The states of a game in which it is always refused, with the reasons."""

    @property
    def usage(self) -> Message:
        """How it is written."""
        return Message(f"commands.{self._key}.usage")

    @property
    def names(self) -> tuple[str, ...]:
        """All its names in ``help``."""
        return (self.name, self.setting or self.name, *self.also)

    @property
    def help(self) -> Message:
        """What it does; more than the first line if it is the only one asked for."""
        return Message(f"commands.{self._key}.help")

    @property
    def _key(self) -> str:
        return re.sub(r"\W+", "_", self.name.replace("?", "new"))


class _Facts(TypedDict, total=False):
    who: frozenset[Caller]
    act: Act
    kind: type[Command]
    setting: str
    also: tuple[str, ...]
    is_dry: bool
    for_the_living: bool
    is_personal: bool
    about_phase: bool
    tells_orders: bool
    unchanging: Callable[[MailContext, Any], str]
    opens_seat: bool
    secret_at: int
    refused_in: Mapping[Status, MessageOrText]


ENTRIES: dict[str, CommandEntry] = {}
_GROUPS = {name: group for group, names in HELP_ORDER for name in names.split(", ")}
_Declared = TypeVar("_Declared", bound=Handler | None)


def command(name: str, **facts: Unpack[_Facts]) -> Callable[[_Declared], _Declared]:
    """Declare a function to be the handler of a command, by default for anybody."""

    def declare(handler: _Declared) -> _Declared:
        refusing = _refused_where_not_played(handler) if handler is not None else None
        ENTRIES[name] = CommandEntry(name, _GROUPS[name], refusing, **facts)
        return handler

    return declare


def _refused_where_not_played(handler: Handler) -> Handler:
    def handle(context: MailContext, line: Line, said: Any) -> None:  # noqa: ANN401
        try:
            handler(context, line, said)
        except NotPlayed:
            context.refuse(line, context.why_not_played())

    return handle


def setting(*keys: str, **facts: Unpack[_Facts]) -> Callable[[_Declared], _Declared]:
    """Declare a function to set these keys of the language, by default for masters."""

    def declare(handler: _Declared) -> _Declared:
        for key in keys:
            own: _Facts = {"who": MASTERS, "act": Act.STEER, "setting": key, **facts}
            command(f"set {key}", **own)(handler)
        return handler

    return declare
