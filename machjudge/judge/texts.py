"""Texts and files by mail: a fixed list, rules by section, scenarios, maps and replays."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import partial

from machjudge import drawing
from machjudge.adjudicator.board import Scenario
from machjudge.adjudicator.rules import Rules
from machjudge.adjudicator.state import View
from machjudge.adjudicator.world import world_of
from machjudge.drawing.scene import Scene
from machjudge.judge.commands import command
from machjudge.judge.game_view import GameView, load, reader_of
from machjudge.judge.mail_context import MailContext, Work
from machjudge.judge.newspaper import HTML, send_newspaper
from machjudge.judge.opening import set_up
from machjudge.judge.outgoing import sight_of
from machjudge.judge.pages import (
    TurnReader,
    course_of,
    last_year,
    line_of_phases,
    replay_of,
)
from machjudge.judge.pictures import MOVING, PICTURE_REQUEST, moving_request, wish_for
from machjudge.judge.questions import as_it_is, game_meant, sight_at, stored_game_or_refuse
from machjudge.judge.records import Game
from machjudge.judge.rule_settings import (
    FLAGS,
    USUAL_SCENARIO,
    RuleSet,
    describe,
    is_on,
    is_scenario_name,
    known,
    nearest_scenario,
    of_game,
    of_preset,
    people_lines,
    preset_of,
    scenario_called,
    scenarios,
    shapes_of,
    usual_rules,
    variant_table,
)
from machjudge.judge.sign_in import hint_for_reader
from machjudge.language.commands import PlainCommand
from machjudge.mail_parser.lines import Line
from machjudge.map_files.folders import places_text
from machjudge.messages import tables
from machjudge.messages.catalogue import OTHER_NAMES, TEXTS
from machjudge.messages.layout import marked
from machjudge.messages.render import File, Text
from machjudge.messages.tables import as_played, map_in_words
from machjudge.messages.visibility import EVERYTHING
from machjudge.messages.wording import Words, moment_words, notes_of, title_of
from machjudge.translatable import Message, MessageOrText, phrase

_REPLAY = "-replay.html"
_MAX_REPLAYS = 3
"""Replays per answer: each is a second of work and up to some megabytes."""


@command("map", is_dry=True)
def send_map(context: MailContext, line: Line, said: PlainCommand) -> None:
    """Send a board's places with their borders, and its picture as in the game."""
    forms = {"text": _send_in_words, "svg": _send_svg, "gif": _send_moving}
    words = [word for word in said.words if word.lower() not in forms]
    asked = [forms[word.lower()] for word in said.words if word.lower() in forms]
    send = asked[0] if asked else _send_board
    name = words[0] if words else ""
    is_scenario = bool(name) and is_scenario_name(context, name)
    game = None if is_scenario else game_meant(context, name)
    if game is not None:
        send(context, context.services.scenario(game), game)
        return
    if name and not is_scenario:
        reason = Message("session.no_game_or_scenario", known=known(context))
        context.refuse(line, reason, instead=hint_for_reader(context, name, "MAP"))
        return
    scenario = scenario_called(context, name or USUAL_SCENARIO)
    if isinstance(scenario, Message):
        context.refuse(line, scenario)
    else:
        send(context, scenario, None)


def send_replay(context: MailContext, line: Line, name: str) -> None:
    """Send a replay: what the public may see, or all of it for the master."""
    stored = stored_game_or_refuse(context, line, name, "GET REPLAY")
    if stored is None:
        return
    sent = [each.name for each in context.answer.files if each.name.endswith(_REPLAY)]
    if f"{stored.id}{_REPLAY}" in sent:
        return
    if len(sent) >= _MAX_REPLAYS:
        context.refuse(line, Message("replay.enough", most=_MAX_REPLAYS))
        return
    by_seat = sight_at(context, stored)
    sight = by_seat if by_seat.sees_all else sight_of(stored, [])
    context.progress.work += Work.REPLAY
    course = course_of(context.services, context.uow, stored, sight)
    if course is None:
        context.refuse(line, Message("info.not_begun"))
        return
    own = reader_of(context.services, context.person, context.now)
    reader = replace(own, language=context.renderer.language)
    page = replay_of(context.services, course, reader)
    file = File(f"{stored.id}{_REPLAY}", HTML, page.encode())
    context.answer.files.append(file)
    message = Message("replay.sent", file=file.name, is_secret=sight.sees_all, over=sight.is_over)
    context.answer.texts.append(Text(Message("info.title.replay", game=stored.name), (message,)))


def _send_board(context: MailContext, scenario: Scenario, game: Game | None) -> None:
    """A board and its picture, in the position of the game that the writer may see."""
    state = _send_places(context, scenario, game)
    if shapes_of(context, scenario) is not None:
        scene, lacks = Scene(state or drawing.set_up(scenario)), _lacks(scenario, game)
        wish = wish_for(scenario, scene, without=lacks)
        context.answer.files.append(File(f"{scenario.board.id}.png", PICTURE_REQUEST, wish))
        context.progress.work += Work.PICTURE


def _send_svg(context: MailContext, scenario: Scenario, game: Game | None) -> None:
    state = _send_places(context, scenario, game)
    shapes = shapes_of(context, scenario)
    if shapes is not None:
        played = drawing.as_played(scenario, _lacks(scenario, game))
        own = drawing.named_in(played, context.renderer.language)
        begin = Message("map.set_up", year=scenario.year)
        when = moment_words(state.moment) if state is not None else begin
        title = context.say(Message("map.title", scenario=title_of(scenario), when=when))
        picture = drawing.draw(
            shapes, state, own, title, lambda key: context.say(Message(f"map.legend.{key}"))
        )
        context.answer.files.append(
            File(f"{scenario.board.id}.svg", "image/svg+xml", picture.encode())
        )
        context.progress.work += Work.PICTURE


def _lacks(scenario: Scenario, game: Game | None) -> tuple[str, ...]:
    """What is not drawn: what the game lacks, or any game of the scenario."""
    return drawing.lacking(_rules_of(scenario, game))


def _rules_of(scenario: Scenario, game: Game | None) -> Rules:
    return game.rules if game is not None else usual_rules(scenario)


def _send_moving(context: MailContext, scenario: Scenario, game: Game | None) -> None:
    """The phases of the last year as pictures in turn, the current position first."""
    if game is None or game.position is None or shapes_of(context, scenario) is None:
        _send_board(context, scenario, game)
        return
    sight = sight_at(context, game)
    reader = TurnReader(context.services, context.uow, game, sight)
    turns = last_year([*reader.turns(line_of_phases(context.uow, game))])
    if not turns:
        _send_board(context, scenario, game)
        return
    _send_places(context, scenario, game)
    scenes = [
        (context.renderer.say(turn.words.moment(turn.before.moment)), turn.scene(sight))
        for turn in (turns[-1], *turns[:-1])
    ]
    name = f"{game.id}.gif"
    context.answer.files.append(
        File(name, MOVING, moving_request(scenario, scenes, _lacks(scenario, game)))
    )
    context.progress.work += Work.PICTURE


def _send_places(context: MailContext, scenario: Scenario, game: Game | None) -> View | None:
    """The places in words; returns the position of the game."""
    state = _position_of(context, game)
    own = drawing.named_in(scenario, context.renderer.language)
    text = places_text(own, context.say, _rules_of(scenario, game), partial(marked, "row"))
    name = game.name if game is not None else ""
    title = Message("info.title.map", game=name, code=state.moment.code if state else "")
    context.answer.texts.append(Text(title, tuple(text.rstrip("\n").split("\n"))))
    context.progress.work += Work.PLACES
    return state


def _send_in_words(context: MailContext, scenario: Scenario, game: Game | None) -> None:
    """Every place with its owner, units and borders; of a scenario as it opens."""
    words = Words(world_of(scenario, _rules_of(scenario, game)))
    state = _position_of(context, game) or EVERYTHING.view(words.world, set_up(words.world))
    title = Message(
        "info.title.map", game=game.name if game is not None else "", code=state.moment.code
    )
    context.answer.texts.append(Text(title, map_in_words(words, state)))
    context.progress.work += Work.PLACES


def _position_of(context: MailContext, game: Game | None) -> View | None:
    """The units of a game as the writer sees them; None before it has begun."""
    if game is None or game.position is None:
        return None
    here = as_it_is(context, game)
    read = here if isinstance(here, GameView) else load(context.services, context.uow, game)
    return sight_at(context, game).view(read.world, read.state)


# ``get rules``: the rules of the game or set that is meant, in short, by section and number. What
# is sent is in the language of its reader where the text is there; a line above an English one
# says so.
_OF_GAME = frozenset({"of", "for", "in", "by", "preset"})


def send_rules(context: MailContext, line: Line, wanted: str) -> None:
    """Send the rules in short, a section or one rule, as in a game or a named rule set."""
    library, language = context.services.library, context.renderer.language
    lines = library.rules_about(wanted, language) if wanted else ()
    played = of_game(context.game) if context.game is not None else None
    named, about = None if lines else _rules_named(context, wanted), wanted
    if named is not None:
        played, about = named
    if not about:
        _send_in_short(context, played)
        return
    lines = lines or library.rules_about(about, language)
    if not lines:
        areas = tuple(section.area for section in library.sections())
        context.refuse(line, Message("info.get.no_rule", areas=areas))
        return
    title = Message("info.title.rules", wanted=about)
    apart = played.departures if played is not None else ()
    own = as_played(lines, apart, context.renderer.say)
    context.answer.texts.append(Text(title, below_its_language(context, "rules", own)))


def _rules_named(context: MailContext, wanted: str) -> tuple[RuleSet, str] | None:
    words = wanted.split()
    for word in words:
        game, preset = game_meant(context, word), preset_of(word)
        if game is not None:
            played = of_game(game)
        elif preset is not None:
            played = of_preset(preset)
        else:
            continue
        rest = (each for each in words if each != word and each.lower() not in _OF_GAME)
        return played, " ".join(rest)
    return None


def _send_in_short(context: MailContext, played: RuleSet | None) -> None:
    """The rule set, its differences, the rules in short, and all of them as a file."""
    library, renderer = context.services.library, context.renderer
    events: tuple[MessageOrText, ...] = played.sentences if played is not None else ()
    facts = {
        "sections": library.sections(renderer.language),
        "played": events,
        "unusual": played.unusual if played is not None else (),
        "game": played.name if played is not None else "",
        "on": {flag.option for flag in FLAGS if played is None or is_on(played.rules, flag)},
    }
    context.answer.texts.append(Text("RULES", renderer.lines("get_rules", facts)))
    apart = played.departures if played is not None else ()
    rules = as_played(library.lines("rules", renderer.language), apart, renderer.say)
    whole = (*map(renderer.say, events), *below_its_language(context, "rules", rules))
    context.answer.files.append(text_file("rules", whole))


def text_in_full(context: MailContext, name: str) -> tuple[str, ...]:
    """Return the lines of a text for the reader."""
    lines = context.services.library.lines(name, context.renderer.language)
    return below_its_language(context, name, lines)


def below_its_language(context: MailContext, name: str, lines: Sequence[str]) -> tuple[str, ...]:
    """Return the lines of a text, with a note above if it is not in the reader's language."""
    context.progress.work += sum(map(len, lines)) // Work.SIGNS
    if context.services.library.is_in(context.renderer.language, name):
        return tuple(lines)
    return (context.renderer.say(Message("info.get.in_english")), "", *lines)


def text_file(name: str, lines: Sequence[str]) -> File:
    """Return a text as a file."""
    return File(f"{name}.txt", "text/plain", ("\n".join(lines) + "\n").encode())


_OF_SCENARIOS = {"map": "map", "info": "scenario"}
"""Prefixes of the old judge's file names with a scenario: ``map.mach_eos``."""


_SPECIAL = ("map", "newspaper", "replay", "scenario", "scenarios", "package", "index", "all")
_FILLERS = frozenset({"the", "a", "me", "file", "please", "info", "about"})
_PARTS = re.compile(r"[._-]")
_EDITIONS = frozenset({"mach", "mach1", "mach2", "machiavelli", "judge", "full"})


@command("get", also=("send", "send me"), is_dry=True)
def get(context: MailContext, line: Line, said: PlainCommand) -> None:
    """Send a text of the fixed list, also by the old judge's names."""
    name, rest = _name_meant(context, said)
    if name in _OF_GAMES:
        _OF_GAMES[name](context, line, rest)
    elif name in ("package", "all", "index"):
        if name != "index":
            _send_package(context)
        if name != "package":
            _send_index(context)
    elif name == "rules":
        send_rules(context, line, rest)
    elif name == "scenarios":
        _send_scenarios(context)
    elif name in TEXTS:
        _send(context, name)
    else:
        names = (*TEXTS, *_OF_GAMES, "index")
        unknown = Message("info.get.unknown", names=names)
        context.refuse(line, unknown, instead=_nearest(context, said.words[0]))


def is_asked_for(word: str) -> bool:
    """Return True if a word may be the name of a text."""
    return bool(get_close_matches(word, (*TEXTS, *_SPECIAL, *OTHER_NAMES), n=1, cutoff=0.8))


def _send_map(context: MailContext, line: Line, rest: str) -> None:
    send_map(context, line, PlainCommand("map", tuple(rest.split())))


def _name_meant(context: MailContext, said: PlainCommand) -> tuple[str, str]:
    words = [word for word in said.words if word.lower() not in _FILLERS]
    first, *others = words or [said.words[0]]
    name, rest = first.lower().removesuffix(".txt").rstrip(".,!?"), " ".join(others)
    kind, _, of = name.partition(".")
    if of and kind in _OF_SCENARIOS and is_scenario_name(context, of) and name not in OTHER_NAMES:
        return _OF_SCENARIOS[kind], of
    names = {*TEXTS, *_SPECIAL, *OTHER_NAMES}
    if name not in names:
        parts = [part for part in _PARTS.split(name) if part not in _EDITIONS]
        name = parts[0] if len(parts) == 1 and parts[0] in names else name
    name, _, part = OTHER_NAMES.get(name, name).partition("/")
    return name, f"{part} {rest}".strip()


def _nearest(context: MailContext, name: str) -> str:
    game = game_meant(context, name)
    if game is not None:
        return f"LIST {game.name}"
    near = get_close_matches(name.lower(), (*TEXTS, *_SPECIAL), n=1, cutoff=0.8)
    return f"GET {near[0].upper()}" if near else "GET INDEX"


def _send_index(context: MailContext) -> None:
    texts = {}
    for name in TEXTS:
        about = Message(f"info.texts.{name}")
        is_own = context.services.library.is_in(context.renderer.language, name)
        texts[name] = about if is_own else Message("info.get.listed_in_english", about=about)
    facts = {"texts": texts, "scenarios": context.services.atlas.scenario_ids()}
    lines = context.renderer.lines("get_index", facts)
    context.answer.texts.append(Text(Message("info.title.texts"), lines))


def _send_scenarios(context: MailContext) -> None:
    found = []
    for each in scenarios(context):
        people = sorted({each.players, *(variant.players for variant in each.variants)})
        found.append({"id": each.id, "title": each.title, "people": tuple(map(str, people))})
    lines = context.renderer.lines("get_scenarios", {"scenarios": found})
    context.answer.texts.append(Text(Message("info.title.scenarios"), lines))


def _send(context: MailContext, name: str) -> None:
    whole = text_in_full(context, name)
    if name == "syntax":
        lines = context.renderer.lines("get_syntax", {})
        context.answer.texts.append(Text(name.upper(), lines))
        context.answer.files.append(text_file(name, whole))
    else:
        context.answer.texts.append(Text(name.upper(), whole))


def _send_package(context: MailContext) -> None:
    welcome = Message("info.get.welcome")
    context.answer.texts.append(Text(Message("info.title.package"), (welcome,)))
    _send(context, "guide")
    for name in ("rules", "syntax", "commands"):
        context.answer.files.append(text_file(name, text_in_full(context, name)))


def _send_scenario(context: MailContext, line: Line, name: str) -> None:
    which = Message("session.which_scenario", known=known(context))
    scenario = scenario_called(context, name) if name else which
    if isinstance(scenario, Message):
        near = nearest_scenario(context, name) or "1454"
        context.refuse(line, scenario, instead=f"GET SCENARIO {near}")
        return
    lines = context.renderer.lines("scenario", _opening(scenario))
    title = Message("info.title.scenario", scenario=scenario.id)
    context.answer.texts.append(Text(title, lines))


def _opening(scenario: Scenario) -> Mapping[str, object]:
    rules = usual_rules(scenario)
    words = Words(world_of(scenario, rules))
    state = EVERYTHING.view(words.world, set_up(words.world))
    return {
        "title": title_of(scenario),
        "notes": notes_of(scenario),
        "powers": [phrase("{} {}", power, words.power(power)) for power in scenario.in_play],
        "people": people_lines(scenario),
        "variants": variant_table(scenario),
        "rules": describe(rules, scenario.players),
        "units": tables.board_units(words, state),
        "holdings": tables.holdings(words, state),
    }


_OF_GAMES = {
    "map": _send_map,
    "newspaper": send_newspaper,
    "replay": send_replay,
    "scenario": _send_scenario,
}
"""What is sent of a game or a scenario that is named behind it."""
