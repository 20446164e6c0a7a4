"""The judge for commands that look at it: nothing is created for them."""

from collections.abc import Iterator
from contextlib import contextmanager

import click

from machjudge.app import Application, build
from machjudge.cli import CommandFault
from machjudge.judge.records import GameId
from machjudge.settings import Settings


class GameType(click.ParamType[GameId]):
    """Reads the name of a game; case does not matter."""

    name = "game"

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> GameId:
        """The game of that name; a Fault if no game can be called so."""
        if not value.isascii():  # and no database is asked for bytes that are no text
            raise no_such_game(value)
        return GameId(value.lower())


def no_such_game(name: str) -> CommandFault:
    """What is said where there is no game of that name."""
    return CommandFault(f"there is no game called {name}")


@contextmanager
def existing_application(settings: Settings) -> Iterator[Application]:
    """The rooms of the judge, closed at the end.

    Raises DatabaseOutOfReach or WrongSchema if there is no database with our tables.
    """
    application = build(settings, creates=False)
    try:
        yield application
    finally:
        application.close()
