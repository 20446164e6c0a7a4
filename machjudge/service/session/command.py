"""A row of the table of commands: what a command is called, who may use it, what carries it out."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from machjudge.language.commands import commands as said
from machjudge.language.commands.commands import Command
from machjudge.reading import Line
from machjudge.service.session.session import Session

Handler = Callable[[Session, Line, Any], None]
"""Any: each handler takes its own command."""


class Who(Enum):
    """Who may use a command."""

    ANYBODY = "anybody"
    PLAYER = "players"
    OBSERVER = "observers"
    MASTER = "the master"
    CO_MASTER = "co-masters"


EVERYBODY = frozenset(Who)
SEATED = frozenset({Who.PLAYER, Who.OBSERVER, Who.MASTER, Who.CO_MASTER})
PLAYERS = frozenset({Who.PLAYER})
MASTERS = frozenset({Who.MASTER, Who.CO_MASTER})
FIRST_MASTER = frozenset({Who.MASTER})


@dataclass(frozen=True, slots=True)
class Entry:
    """A row of the table."""

    name: str
    group: str
    usage: str
    about: str
    who: frozenset[Who]
    handler: Handler | None
    """None where the conversation itself carries it out, because it reads several lines."""
    kind: type[Command]
    setting: str = ""
    """The key of a setting; empty for commands."""
    also: tuple[str, ...] = ()
    more: tuple[str, ...] = ()

    @property
    def opens(self) -> bool:
        """Whether it opens a game; a mail opens one at most."""
        return self.kind in (said.SignOn, said.Join, said.Observe, said.Create)


COMING, PLAYING, TALKING, ASKING, RUNNING, RULES, PRESS = (
    "COMING AND GOING",
    "PLAYING",
    "TALKING",
    "ASKING",
    "FOR THE MASTER",
    "RULES OF A GAME",
    "RULES OF ITS PRESS",
)
