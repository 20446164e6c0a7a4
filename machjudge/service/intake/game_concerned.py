"""For which game a mail is, before anything of it is carried out."""

from machjudge.language.commands.commands import (
    Create,
    Join,
    NotACommand,
    Observe,
    SignOff,
    SignOn,
)
from machjudge.reading import Mail
from machjudge.service.identity.signon import (
    ScenarioOf,
    meant,
    named_game,
)
from machjudge.service.lines.leftovers import is_greeting
from machjudge.service.model.records import GameId
from machjudge.service.session.incoming import line_read


def _no_game(_: str) -> None:
    """Nothing is known of any game."""


def game_concerned(mail: Mail, scenario_of: ScenarioOf = _no_game) -> GameId | None:
    """For which game a mail is: the one that its first opening command names.

    *scenario_of* is asked only where a signon can be read in several ways.
    """
    greeted = None
    for line in mail.lines:
        match NotACommand() if line.is_press else line_read(line.text):
            case SignOn() as said if is_greeting(line):
                greeted = greeted or GameId(said.game.lower())
            case SignOn() as said:
                return GameId(meant(said, scenario_of).game.lower())
            case Join() as said:
                game = named_game(said, lambda name: scenario_of(name) is not None).game
                return GameId(game.lower()) if game else None
            case Observe(game=name) | Create(game=name):
                return GameId(name.lower())
            case SignOff():
                break
            case _:
                continue
    return greeted
