"""For how many people a game is: ``set players``, before it begins."""

from dataclasses import replace

from machjudge.adjudicator.land.victory import CITIES_OF_FEW, FEW, cities_needed
from machjudge.adjudicator.model.rules import Level, Rules
from machjudge.adjudicator.model.scenario import Scenario
from machjudge.language.commands.commands import Setting
from machjudge.reading import Line
from machjudge.sentence import Sentence
from machjudge.service.credentials.authority import Act
from machjudge.service.game.view import players
from machjudge.service.model.records import Game, Status
from machjudge.service.session.command import MASTERS, RUNNING, CommandEntry
from machjudge.service.session.outgoing import announce_setting
from machjudge.service.session.session import Session
from machjudge.service.setup.variants import for_players, people_lines


def set_players(session: Session, line: Line, said: Setting) -> None:
    """Play with fewer people than powers: ``set players 4``, ``set players 3 option 2``."""
    words = [word for word in said.value if word.lower() not in ("option", "players")]
    if len(words) not in (1, 2) or not all(word.isdecimal() for word in words):
        session.refuse(line, Sentence("setup.players.how_many"), instead="SET PLAYERS 4")
        return
    game = session.game
    if game is None:
        return
    atlas, scenario = session.services.atlas, session.services.scenario(game)
    wanted = for_players(atlas, scenario, [int(word) for word in words])
    if isinstance(wanted, Sentence):
        session.refuse(line, wanted)
    elif flaw := _flaw(game, wanted):
        session.refuse(line, flaw, instead="SET PLAYERS 4")
    else:
        _play(session, game, wanted)


SET_PLAYERS = CommandEntry(
    "set players",
    RUNNING,
    MASTERS,
    Act.STEER,
    set_players,
    setting="players",
)


def _play(session: Session, game: Game, wanted: Scenario) -> None:
    changed = replace(game, scenario=wanted.id)
    told = Sentence("setup.players.set", n=wanted.players, scenario=wanted.id)
    session.set_game(changed)
    session.note("scenario", told)
    for each in (told, *people_lines(wanted)[1:], *advice(wanted, game.rules)):
        session.done(each)
    announce_setting(session, changed, [told, *people_lines(wanted)[1:]])


def _flaw(game: Game, wanted: Scenario) -> Sentence | None:
    """Why the number of players cannot be changed so; None if it can."""
    if game.status is not Status.FORMING:
        return Sentence("setup.players.stay")
    if game.shared is not None and game.shared.until is not None:
        return Sentence("setup.words.asked_already")
    joined = len(players(game))
    return Sentence("setup.players.joined", n=joined) if joined > wanted.players else None


def advice(scenario: Scenario, rules: Rules) -> tuple[Sentence, ...]:
    """What the master may want to set besides."""
    variant = scenario.variant
    if variant is None:
        return ()
    if rules.victory.level is Level.BASIC and not variant.suits_basic_victory:
        return (Sentence("setup.players.no_basic"),)
    if variant.players <= FEW and cities_needed(rules.victory, variant.players) < CITIES_OF_FEW:
        return (Sentence("setup.players.more_cities", cities=CITIES_OF_FEW),)
    return ()
