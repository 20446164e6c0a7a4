"""Texts by mail: our own, from a fixed list; rules by section and number; scenarios."""

import re
from collections.abc import Mapping
from difflib import get_close_matches

from machjudge.adjudicator.model.scenario import Scenario
from machjudge.adjudicator.model.world import world_of
from machjudge.language.commands.commands import PlainCommand
from machjudge.letters.page import standings
from machjudge.letters.page.reply import Text
from machjudge.letters.wording.library import OTHER_NAMES, TEXTS
from machjudge.letters.wording.sight import EVERYTHING
from machjudge.letters.wording.words import Words
from machjudge.reading import Line
from machjudge.sentence import Sentence, phrase
from machjudge.service.credentials.authority import Act
from machjudge.service.info.maps import send_map, send_replay
from machjudge.service.info.questions import game_meant
from machjudge.service.info.rules_asked import send_rules, text_file, text_in_full
from machjudge.service.model.opening import set_up
from machjudge.service.session.command import ANYBODY, ASKING, CommandEntry
from machjudge.service.session.scenario_lookup import (
    is_scenario_name,
    known,
    nearest_scenario,
    scenario_called,
    scenarios,
)
from machjudge.service.session.session import Session
from machjudge.service.setup.rulebook import BadOption, describe, rules_for
from machjudge.service.setup.variants import people_lines, variant_table

_OF_SCENARIOS = {"map": "map", "info": "scenario"}
"""Beginnings of the old judge's file names that end in a scenario: ``map.mach_eos``."""


_SPECIAL = ("map", "replay", "scenario", "scenarios", "package", "index", "all")
"""What can be asked for besides the texts of the library."""
_FILLERS = frozenset({"the", "a", "me", "file", "please", "info", "about"})
_PARTS = re.compile(r"[._-]")
_EDITIONS = frozenset({"mach", "mach1", "mach2", "machiavelli", "judge", "full"})
"""Parts of the old judge's file names that say no more than that the text is about the game."""


def get(session: Session, line: Line, said: PlainCommand) -> None:
    """Send a text of the fixed list; the old judge's names lead to ours."""
    name, rest = _name_meant(session, said)
    if name in _OF_GAMES:
        _OF_GAMES[name](session, line, rest)
    elif name in ("package", "all", "index"):
        if name != "index":
            _send_package(session)
        if name != "package":
            _send_index(session)
    elif name == "rules":
        send_rules(session, line, rest)
    elif name == "scenarios":
        _send_scenarios(session)
    elif name in TEXTS:
        _send(session, name)
    else:
        unknown = Sentence("info.get.unknown", names=(*TEXTS, "map", "replay", "scenario", "index"))
        session.refuse(line, unknown, instead=_nearest(session, said.words[0]))


def is_asked_for(word: str) -> bool:
    """Whether a word may be the name of a text that can be asked for."""
    return bool(get_close_matches(word, (*TEXTS, *_SPECIAL, *OTHER_NAMES), n=1, cutoff=0.8))


def _send_map(session: Session, line: Line, rest: str) -> None:
    send_map(session, line, PlainCommand("map", tuple(rest.split())))


GET = CommandEntry(
    "get",
    ASKING,
    ANYBODY,
    Act.READ,
    get,
    also=("send", "send me"),
    is_dry=True,
)


def _name_meant(session: Session, said: PlainCommand) -> tuple[str, str]:
    """The text that is wanted, by our name for it, and what else was written."""
    words = [word for word in said.words if word.lower() not in _FILLERS]
    first, *others = words or [said.words[0]]
    name, rest = first.lower().removesuffix(".txt").rstrip(".,!?"), " ".join(others)
    kind, _, of = name.partition(".")
    if of and kind in _OF_SCENARIOS and is_scenario_name(session, of) and name not in OTHER_NAMES:
        return _OF_SCENARIOS[kind], of
    names = {*TEXTS, *_SPECIAL, *OTHER_NAMES}
    if name not in names:
        parts = [part for part in _PARTS.split(name) if part not in _EDITIONS]
        name = parts[0] if len(parts) == 1 and parts[0] in names else name
    name, _, part = OTHER_NAMES.get(name, name).partition("/")
    return name, f"{part} {rest}".strip()


def _nearest(session: Session, name: str) -> str:
    """The request for the text, or the game, that looks most like what was asked for."""
    game = game_meant(session, name)
    if game is not None:
        return f"LIST {game.name}"
    near = get_close_matches(name.lower(), (*TEXTS, *_SPECIAL), n=1, cutoff=0.8)
    return f"GET {near[0].upper()}" if near else "GET INDEX"


def _send_index(session: Session) -> None:
    """Everything that can be sent, with what it is."""
    about = {name: _about(session, name) for name in TEXTS}
    facts = {"texts": about, "scenarios": session.services.atlas.scenario_ids()}
    lines = session.paper.lines("get_index", facts)
    session.answer.texts.append(Text(Sentence("info.title.texts"), lines))


def _send_scenarios(session: Session) -> None:
    """Each scenario with its title, and for how many people it can be had."""
    found = tuple(map(_in_brief, scenarios(session)))
    lines = session.paper.lines("get_scenarios", {"scenarios": found})
    session.answer.texts.append(Text(Sentence("info.title.scenarios"), lines))


def _in_brief(scenario: Scenario) -> Mapping[str, object]:
    people = {scenario.players, *(variant.players for variant in scenario.variants)}
    return {"id": scenario.id, "title": scenario.title, "people": tuple(map(str, sorted(people)))}


def _about(session: Session, name: str) -> Sentence:
    about = Sentence(f"info.texts.{name}")
    is_own = session.services.library.is_in(session.paper.language, name)
    return about if is_own else Sentence("info.get.listed_in_english", about=about)


def _send(session: Session, name: str) -> None:
    """A text; one with a short form as a file besides that."""
    whole = text_in_full(session, name)
    if name == "syntax":
        lines = session.paper.lines("get_syntax", {})
        session.answer.texts.append(Text(name.upper(), lines))
        session.answer.files.append(text_file(name, whole))
    else:
        session.answer.texts.append(Text(name.upper(), whole))


def _send_package(session: Session) -> None:
    """Everything for somebody who is new: the guide to read, the other texts as files."""
    welcome = Sentence("info.get.welcome")
    session.answer.texts.append(Text(Sentence("info.title.package"), (welcome,)))
    _send(session, "guide")
    for name in _IN_PACKAGE:
        session.answer.files.append(text_file(name, text_in_full(session, name)))


_IN_PACKAGE = ("rules", "syntax", "commands")
"""What comes along with the guide, as files."""


def _send_scenario(session: Session, line: Line, name: str) -> None:
    """How a scenario begins."""
    which = Sentence("session.which_scenario", known=known(session))
    scenario = scenario_called(session, name) if name else which
    if isinstance(scenario, Sentence):
        near = nearest_scenario(session, name) or "1454"
        session.refuse(line, scenario, instead=f"GET SCENARIO {near}")
        return
    lines = session.paper.lines("scenario", _opening(scenario))
    title = Sentence("info.title.scenario", scenario=scenario.id)
    session.answer.texts.append(Text(title, lines))


def _opening(scenario: Scenario) -> Mapping[str, object]:
    """Title, powers, usual rules, units and holdings at the beginning."""
    rules = rules_for(scenario, ())
    if isinstance(rules, BadOption):
        return {"title": scenario.title, "notes": scenario.notes, "powers": ()}
    words = Words(world_of(scenario, rules))
    state = EVERYTHING.view(words.world, set_up(words.world))
    return {
        "title": scenario.title,
        "notes": scenario.notes,
        "powers": [phrase("{} {}", power, words.power(power)) for power in scenario.in_play],
        "people": people_lines(scenario),
        "variants": variant_table(scenario),
        "rules": describe(rules, scenario.players),
        "units": standings.board_units(words, state),
        "holdings": standings.holdings(words, state),
    }


_OF_GAMES = {"map": _send_map, "replay": send_replay, "scenario": _send_scenario}
"""What is sent of a game or a scenario that is named behind it."""
