"""For how many people a game is: ``set players``, before it begins."""

from dataclasses import replace

from machjudge.adjudicator.land.victory import cities_needed
from machjudge.adjudicator.model.rules import Level, Rules
from machjudge.adjudicator.model.scenario import Scenario
from machjudge.language.commands.commands import Setting
from machjudge.letters.wording.words import counted
from machjudge.reading import Line
from machjudge.service.credentials.authority import Act
from machjudge.service.game.view import players
from machjudge.service.model.records import Game, Status
from machjudge.service.session.announce import announce_setting
from machjudge.service.session.command import MASTERS, RUNNING, CommandEntry
from machjudge.service.session.session import Session
from machjudge.service.setup.variants import for_players, people_lines

_FEW = 4
"""Up to so many players the book of 1978 asks for more cities."""
_CITIES_OF_FEW = 18


def set_players(session: Session, line: Line, said: Setting) -> None:
    """Play with fewer people than powers: ``set players 4``, ``set players 3 option 2``."""
    words = [word for word in said.value if word.lower() not in ("option", "players")]
    if len(words) not in (1, 2) or not all(word.isdecimal() for word in words):
        session.refuse(line, "say how many players", instead="SET PLAYERS 4")
        return
    if session.game is not None:
        scenario = session.services.scenario(session.game)
        _play(
            session,
            line,
            for_players(session.services.atlas, scenario, [int(word) for word in words]),
        )


SET_PLAYERS = CommandEntry(
    "set players",
    RUNNING,
    MASTERS,
    Act.STEER,
    set_players,
    setting="players",
)


def _play(session: Session, line: Line, wanted: Scenario | str) -> None:
    game = session.game
    flaw = _flaw(game, wanted) if game is not None else "sign on first"
    if game is None or isinstance(wanted, str) or flaw:
        session.refuse(line, flaw, instead="SET PLAYERS 4" if not isinstance(wanted, str) else None)
        return
    changed = replace(game, scenario=wanted.id)
    told = f"The game is for {counted(wanted.players, 'player')} now: {wanted.id}."
    session.set_game(changed)
    session.note("scenario", told)
    for each in (told, *people_lines(wanted)[1:], *advice(wanted, game.rules)):
        session.done(each)
    announce_setting(session, changed, [told, *people_lines(wanted)[1:]])


def _flaw(game: Game, wanted: Scenario | str) -> str:
    """Why the number of players cannot be changed so; empty if it can."""
    if isinstance(wanted, str):
        return wanted
    if game.status is not Status.FORMING:
        return "the number of players does not change once the game has begun"
    if game.shared is not None and game.shared.until is not None:
        return "the players have been asked for their words already"
    joined = len(players(game))
    return f"{counted(joined, 'player')} joined already" if joined > wanted.players else ""


def advice(scenario: Scenario, rules: Rules) -> tuple[str, ...]:
    """What the master may want to set besides."""
    variant = scenario.variant
    if variant is None:
        return ()
    if rules.victory.level is Level.BASIC and not variant.suits_basic_victory:
        return ("The basic victory does not suit so few players;", "see HELP SET CITIES.")
    if variant.players <= _FEW and cities_needed(rules.victory) < _CITIES_OF_FEW:
        return (f"For so few players the book wants {_CITIES_OF_FEW} cities:", "SET CITIES 18")
    return ()
