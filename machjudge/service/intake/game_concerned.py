"""For which game a mail is, before anything of it is carried out."""

from machjudge.language.commands.commands import (
    Create,
    Join,
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
from machjudge.service.lines.kinds import is_greeting
from machjudge.service.model.records import GameId
from machjudge.service.session.incoming import SaidLines


def _no_game(_: str) -> None:
    """Nothing is known of any game."""


def game_concerned(
    said: SaidLines, mail: Mail, scenario_of: ScenarioOf = _no_game
) -> GameId | None:
    """For which game a mail is: the one that its first opening command names.

    *scenario_of* is asked only where a signon can be read in several ways.
    """
    greeted = None
    for line in mail.instructions:
        match said.command(line):
            case SignOn() as opening if is_greeting(line):
                greeted = greeted or GameId(opening.game.lower())
            case SignOn() as opening:
                return GameId(meant(opening, scenario_of).game.lower())
            case Join() as opening:
                game = named_game(opening, lambda name: scenario_of(name) is not None).game
                return GameId(game.lower()) if game else None
            case Observe(game=name) | Create(game=name):
                return GameId(name.lower())
            case SignOff():
                break
            case _:
                continue
    return greeted
