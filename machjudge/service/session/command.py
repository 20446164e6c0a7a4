"""What a command is: its name, its help, who may use it, what it asks for, and what carries it out.

Each command has one entry, which stands below its handler.  The table of commands puts them
together; help, the reference and every list of commands with some trait follow from them.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from machjudge.language.commands.commands import Command
from machjudge.reading import Line
from machjudge.sentence import Sentence, Wording
from machjudge.service.credentials.authority import Act
from machjudge.service.model.records import Status
from machjudge.service.session.session import Session

Handler = Callable[[Session, Line, Any], None]
"""Any: each handler takes its own command."""


class Caller(Enum):
    """As what somebody uses a command."""

    ANYBODY = "anybody"
    PLAYER = "player"
    OBSERVER = "observer"
    MASTER = "master"
    CO_MASTER = "co_master"

    @property
    def words(self) -> Sentence:
        """Who that is."""
        return Sentence(f"help.caller.{self.value}")


ANYBODY = frozenset(Caller)
SEATED = frozenset({Caller.PLAYER, Caller.OBSERVER, Caller.MASTER, Caller.CO_MASTER})
PLAYERS = frozenset({Caller.PLAYER})
PLAYERS_AND_MASTER = frozenset({Caller.PLAYER, Caller.MASTER})
WATCHING = frozenset({Caller.OBSERVER, Caller.MASTER, Caller.CO_MASTER})
MASTERS = frozenset({Caller.MASTER, Caller.CO_MASTER})
FIRST_MASTER = frozenset({Caller.MASTER})


OVER: Mapping[Status, Wording] = {Status.FINISHED: Sentence("game.is_over")}
"""Where a command is refused that changes a game."""
NOT_PLAYED: Mapping[Status, Wording] = {Status.FORMING: Sentence("game.has_not_begun"), **OVER}
"""Where a command is refused that is about the phase."""


def once_begun(reason: Wording) -> Mapping[Status, Wording]:
    """Where a command is refused that shapes a game before it begins."""
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
    def title(self) -> Sentence:
        """What stands above the group."""
        return Sentence(f"help.group.{self.value}")


_NO_KEY = re.compile(r"\W+")
COMING, PLAYING, TALKING, ASKING, RUNNING, RULES, PRESS = Group


@dataclass(frozen=True, slots=True)
class CommandEntry:
    """All that is known of a command, or of one setting."""

    name: str
    group: Group
    who: frozenset[Caller]
    act: Act
    """What it asks for, in the table of what a mail may do."""
    handler: Handler | None
    """None where the conversation itself carries it out, because it reads several lines."""
    kind: type[Command] | None = None
    """The class of its commands; None for settings, and for plain commands of its name."""
    setting: str = ""
    """The key of a setting; empty for commands."""
    also: tuple[str, ...] = ()
    """Its other names."""
    is_dry: bool = False
    """Whether it may stand in a mail that is only checked: it asks, or is about orders."""
    for_the_living: bool = False
    """Whether it holds the game up, so that players of eliminated powers may not use it."""
    is_personal: bool = False
    """Whether it is for the player alone, and not for a master who has become a power."""
    about_phase: bool = False
    """Whether it means the phase that is played, which a command above it may be to change."""
    tells_orders: bool = False
    """Whether its answer tells what is on file; a player's counts all that the mail orders."""
    unchanging: Callable[[Session, Any], str] | None = None
    """Its line as it means the same whenever it is read; None where that is the line itself."""
    opens_seat: bool = False
    """Whether it opens a game; a mail opens one at most."""
    secret_at: int = 0
    """Which word behind the name is a password or token; 0 if none is."""
    refused_in: Mapping[Status, Wording] = field(default_factory=dict, hash=False)
    """The states of a game in which it is refused whatever follows it, with the reasons."""

    @property
    def usage(self) -> Sentence:
        """How it is written."""
        return Sentence(f"commands.{self._key}.usage")

    @property
    def names(self) -> tuple[str, ...]:
        """All that it can be called in ``help``."""
        return (self.name, self.setting or self.name, *self.also)

    @property
    def help(self) -> Sentence:
        """What it does; where only one command is asked for, more lines than the first one."""
        return Sentence(f"commands.{self._key}.help")

    @property
    def _key(self) -> str:
        return _NO_KEY.sub("_", self.name.replace("?", "new"))
