"""Maps: of a scenario, or of a game with its units; and whole games to look through."""

from dataclasses import replace

from machjudge import drawing
from machjudge.adjudicator.model.rules import Rules
from machjudge.adjudicator.model.scenario import Scenario
from machjudge.adjudicator.model.state import View
from machjudge.adjudicator.model.world import world_of
from machjudge.atlas import places_text
from machjudge.drawing.scene import Scene
from machjudge.language.commands.commands import PlainCommand
from machjudge.letters.page.map_text import map_in_words
from machjudge.letters.page.reply import File, Text
from machjudge.letters.wording.sight import EVERYTHING
from machjudge.letters.wording.words import Words, moment_words
from machjudge.reading import Line
from machjudge.sentence import Sentence
from machjudge.service.credentials.authority import Act
from machjudge.service.game.view import GameView, load, reader_of
from machjudge.service.identity.signon import hint_for_reader
from machjudge.service.info.questions import as_it_is, game_meant, game_or_refuse, sight_at
from machjudge.service.model.opening import set_up
from machjudge.service.model.records import Game
from machjudge.service.pages.replay import course_of, replay_of
from machjudge.service.pages.turns import TurnReader, last_year, line_of_phases
from machjudge.service.pictures.wishes import MOVING, WISH, moving_wish, wish_for
from machjudge.service.session.answered_mail import Work
from machjudge.service.session.command import ANYBODY, ASKING, CommandEntry
from machjudge.service.session.outgoing import sight_of
from machjudge.service.session.scenario_lookup import (
    USUAL_SCENARIO,
    is_scenario_name,
    known,
    scenario_called,
    shapes_of,
)
from machjudge.service.session.session import Session
from machjudge.service.setup.rulebook import BadOption, rules_for

_REPLAY = "-replay.html"
_MOST_REPLAYS = 3
"""How many replays one answer has: each is a second of work and up to some megabytes."""
_IN_WORDS, _AS_SVG, _MOVING = "text", "svg", "gif"


def send_map(session: Session, line: Line, said: PlainCommand) -> None:
    """The places of a board with their borders, and its picture as it stands in the game."""
    forms = {_IN_WORDS: _send_in_words, _AS_SVG: _send_svg, _MOVING: _send_moving}
    words = [word for word in said.words if word.lower() not in forms]
    asked = [forms[word.lower()] for word in said.words if word.lower() in forms]
    send = asked[0] if asked else _send_board
    name = words[0] if words else ""
    is_scenario = bool(name) and is_scenario_name(session, name)
    game = None if is_scenario else game_meant(session, name)
    if game is not None:
        send(session, session.services.scenario(game), game)
        return
    if name and not is_scenario:
        reason = Sentence("session.no_game_or_scenario", known=known(session))
        session.refuse(line, reason, instead=hint_for_reader(session, name, "MAP"))
        return
    scenario = scenario_called(session, name or USUAL_SCENARIO)
    if isinstance(scenario, Sentence):
        session.refuse(line, scenario)
    else:
        send(session, scenario, None)


MAP = CommandEntry(
    "map",
    ASKING,
    ANYBODY,
    Act.READ,
    send_map,
    is_dry=True,
)


def send_replay(session: Session, line: Line, name: str) -> None:
    """A game as a page to look through: of what anybody may see, or all of it for its master."""
    game = game_or_refuse(session, line, name, "GET REPLAY")
    stored = session.find_game(game.id) if game is not None else None
    if stored is None:
        return
    sent = [each.name for each in session.answer.files if each.name.endswith(_REPLAY)]
    if f"{stored.id}{_REPLAY}" in sent:
        return
    if len(sent) >= _MOST_REPLAYS:
        session.refuse(line, Sentence("replay.enough", most=_MOST_REPLAYS))
        return
    by_seat = sight_at(session, stored)
    sight = by_seat if by_seat.sees_all else sight_of(stored, [])
    session.work += Work.REPLAY
    course = course_of(session.services, session.uow, stored, sight)
    if course is None:
        session.refuse(line, Sentence("info.not_begun"))
        return
    own = reader_of(session.services, session.person, session.now)
    reader = replace(own, language=session.paper.language)
    page = replay_of(session.services, course, reader)
    media_type = "; ".join(("text/html", "charset=utf-8"))
    file = File(f"{stored.id}{_REPLAY}", media_type, page.encode())
    session.answer.files.append(file)
    told = Sentence("replay.sent", file=file.name, is_secret=sight.sees_all, over=sight.is_over)
    session.answer.texts.append(Text(Sentence("info.title.replay", game=stored.name), (told,)))


def _send_board(session: Session, scenario: Scenario, game: Game | None) -> None:
    """A board and its picture; with a game in the position that the writer may see there."""
    state = _send_places(session, scenario, game)
    if shapes_of(session, scenario) is not None:
        scene, lacks = Scene(state or drawing.set_up(scenario)), _lacks(scenario, game)
        wish = wish_for(scenario, scene, without=lacks)
        session.answer.files.append(File(f"{scenario.board.id}.png", WISH, wish))
        session.work += Work.PICTURE


def _send_svg(session: Session, scenario: Scenario, game: Game | None) -> None:
    """A board and a drawing of it that can be made as large as one likes."""
    state = _send_places(session, scenario, game)
    shapes = shapes_of(session, scenario)
    if shapes is not None:
        played = drawing.as_played(scenario, _lacks(scenario, game))
        own = drawing.named_in(played, session.paper.language)
        title = session.say(_title_of(scenario, state))
        picture = drawing.draw(
            shapes, state, own, title, lambda key: session.say(Sentence(f"map.legend.{key}"))
        )
        session.answer.files.append(
            File(f"{scenario.board.id}.svg", "image/svg+xml", picture.encode())
        )
        session.work += Work.PICTURE


def _lacks(scenario: Scenario, game: Game | None) -> tuple[str, ...]:
    """What is not drawn: what the game lacks, or any game of the scenario where nobody chose."""
    rules = _rules_of(scenario, game)
    return () if rules is None else drawing.lacking(rules)


def _rules_of(scenario: Scenario, game: Game | None) -> Rules | None:
    """The rules of a game, or the usual ones of a scenario; None where its own make no sense."""
    rules = game.rules if game is not None else rules_for(scenario, ())
    return None if isinstance(rules, BadOption) else rules


def _title_of(scenario: Scenario, state: View | None) -> Sentence:
    """What a drawing shows: a position, or how a scenario begins."""
    begin = Sentence("map.set_up", year=scenario.year)
    when = moment_words(state.moment) if state is not None else begin
    return Sentence("map.title", scenario=scenario.title, when=when)


def _send_moving(session: Session, scenario: Scenario, game: Game | None) -> None:
    """The phases of the last year one after the other, the position now first."""
    if game is None or game.position is None or shapes_of(session, scenario) is None:
        _send_board(session, scenario, game)
        return
    sight = sight_at(session, game)
    reader = TurnReader(session.services, session.uow, game, sight)
    turns = last_year([*reader.turns(line_of_phases(session.uow, game))])
    if not turns:
        _send_board(session, scenario, game)
        return
    _send_places(session, scenario, game)
    scenes = [
        (session.paper.say(turn.words.moment(turn.before.moment)), turn.scene(sight))
        for turn in (turns[-1], *turns[:-1])
    ]
    name = f"{game.id}.gif"
    session.answer.files.append(
        File(name, MOVING, moving_wish(scenario, scenes, _lacks(scenario, game)))
    )
    session.work += Work.PICTURE


def _send_places(session: Session, scenario: Scenario, game: Game | None) -> View | None:
    """The places in words; returns the position of the game."""
    state = _position_of(session, game)
    own = drawing.named_in(scenario, session.paper.language)
    text = places_text(own, session.say, _rules_of(scenario, game))
    name = game.name if game is not None else ""
    title = Sentence("info.title.map", game=name, code=state.moment.code if state else "")
    session.answer.texts.append(Text(title, tuple(text.rstrip("\n").split("\n"))))
    session.work += Work.PLACES
    return state


def _send_in_words(session: Session, scenario: Scenario, game: Game | None) -> None:
    """Every place with its owner, units and borders; of a scenario as it opens."""
    rules = _rules_of(scenario, game)
    if rules is None:
        _send_board(session, scenario, game)
        return
    words = Words(world_of(scenario, rules))
    state = _position_of(session, game) or EVERYTHING.view(words.world, set_up(words.world))
    title = Sentence(
        "info.title.map", game=game.name if game is not None else "", code=state.moment.code
    )
    session.answer.texts.append(Text(title, map_in_words(words, state)))
    session.work += Work.PLACES


def _position_of(session: Session, game: Game | None) -> View | None:
    """Where the units of a game stand, as the writer sees it; none of one that has not begun."""
    if game is None or game.position is None:
        return None
    here = as_it_is(session, game)
    read = here if isinstance(here, GameView) else load(session.services, session.uow, game)
    return sight_at(session, game).view(read.world, read.state)
