"""Another scenario for a game that forms: ``set scenario 1385``, and what is lost by it."""

from collections.abc import Iterator
from dataclasses import replace

from machjudge.adjudicator.model.options import OPTIONS, departures, value_text
from machjudge.adjudicator.model.presets import nearest
from machjudge.adjudicator.model.rules import Rules
from machjudge.adjudicator.model.scenario import Scenario
from machjudge.language.commands.commands import Setting
from machjudge.letters.page.rulesheet import victory_words
from machjudge.reading import Line
from machjudge.sentence import Sentence, Wording
from machjudge.service.credentials.authority import Act
from machjudge.service.game.view import players
from machjudge.service.model.conduct import Conduct
from machjudge.service.model.desk_options import desk_departures, desk_value, with_preset
from machjudge.service.model.records import Game
from machjudge.service.session.command import MASTERS, RULES, CommandEntry, once_begun
from machjudge.service.session.scenario_lookup import known, nearest_scenario, scenario_called
from machjudge.service.session.session import Session
from machjudge.service.setup.flags import FLAGS, find_flag, is_on
from machjudge.service.setup.gathering import tell
from machjudge.service.setup.rulebook import BadOption, preset_of, rules_for, with_word
from machjudge.service.setup.ruling import change_rules, set_edition

_GAMES = frozenset({"machiavelli", "mach", "mach1", "machiavelli1"})
"""Words for the game itself, which every game here is."""


def set_scenario(session: Session, line: Line, said: Setting) -> None:
    """Take another scenario with its usual rules, or switch an option: ``set variant nodice``."""
    game, word = session.game, said.value[0] if said.value else ""
    if game is None:
        return
    if find_flag(word) is not None:
        _switch(session, line, game, word if said.on else f"no{word}")
    elif preset_of(word) == "mach2" and session.services.atlas.scenario(word) is None:
        set_edition(session, line, Setting("mach2", on=said.on))
    elif flaw := _no_scenario(session, game, word):
        session.refuse(line, flaw)
    else:
        _choose(session, line, game, word if said.on else "")


SET_SCENARIO = CommandEntry(
    "set scenario",
    RULES,
    MASTERS,
    Act.STEER,
    set_scenario,
    setting="scenario",
    also=("set variant",),
    refused_in=once_begun(Sentence("setup.scenario.stays")),
)


def _switch(session: Session, line: Line, game: Game, word: str) -> None:
    rules = with_word(game.rules, word)
    if isinstance(rules, BadOption):
        session.refuse(line, rules.why)
    else:
        found = find_flag(word)
        names = {found[0].option} if found is not None else set()
        told = Sentence("setup.option", word=word.lower())
        change_rules(session, line, rules, told, names=names)


def _no_scenario(session: Session, game: Game, word: str) -> Sentence | None:
    """Why a word for the whole game chooses no scenario; None for any other word."""
    plain = word.lower().replace("-", "").replace("_", "")
    if plain not in _GAMES:
        return None
    title = session.services.scenario(game).title
    return Sentence("setup.scenario.only_game", title=title, id=game.scenario, known=known(session))


def _choose(session: Session, line: Line, game: Game, word: str) -> None:
    scenario = scenario_called(session, word)
    if isinstance(scenario, Sentence):
        near = nearest_scenario(session, word)
        session.refuse(line, scenario, instead=f"SET SCENARIO {near}" if near else None)
    elif (seats := len(players(game))) > scenario.players:
        most = scenario.players
        session.refuse(
            line, Sentence("setup.scenario.too_many", joined=seats, id=scenario.id, most=most)
        )
    else:
        _take(session, game, scenario)


def _take(session: Session, game: Game, scenario: Scenario) -> None:
    """Preferences were for the powers of another scenario; the usual rules of this one begin."""
    rules = rules_for(scenario, ())
    if isinstance(rules, BadOption):
        return
    lost = tuple(_lost(session, game, rules))
    seats = tuple(replace(seat, preferences="") for seat in game.seats)
    conduct = with_preset(game.conduct, scenario.preset or "judge")
    changed = replace(game, scenario=scenario.id, rules=rules, seats=seats, conduct=conduct)
    told = Sentence("setup.scenario.set", title=scenario.title, id=scenario.id, lost=lost)
    tell(session, changed, told)
    if lost:
        session.done(Sentence("setup.scenario.set_again"))
    if any(seat.preferences for seat in players(game)):
        session.done(Sentence("setup.scenario.no_preferences"))


def _lost(session: Session, game: Game, rules: Rules) -> Iterator[Wording]:
    """What the master has set and the usual rules of the new scenario undo."""
    name = nearest(game.rules)
    scenario = session.services.scenario(game)
    before = rules_for(scenario, (name,))
    if isinstance(before, BadOption):
        return
    if name != nearest(rules):
        yield Sentence("setup.scenario.rules_of", name=name)
    for flag in FLAGS:
        now = is_on(game.rules, flag)
        if now is not is_on(before, flag) and now is not is_on(rules, flag):
            yield flag.name if now else f"no{flag.name}"
    for each in departures(game.rules, before):
        value = OPTIONS[each].of(game.rules)
        if each in _UNSWITCHED and value != OPTIONS[each].of(rules):
            yield f"{each} {value_text(value)}"
    yield from _lost_at_desk(game.conduct, name, nearest(rules))
    wins = victory_words(game.rules, scenario.players)
    if wins not in (victory_words(each, scenario.players) for each in (before, rules)):
        yield Sentence("setup.scenario.win_with", wins=wins)


def _lost_at_desk(conduct: Conduct, name: str, other: str) -> Iterator[Wording]:
    """What the master has set otherwise than both sets of rules have it."""
    set_so = desk_departures(conduct, with_preset(conduct, name))
    lost = desk_departures(conduct, with_preset(conduct, other))
    yield from (f"{n} {value_text(desk_value(conduct, n))}" for n in set_so if n in lost)


_UNSWITCHED = frozenset(
    name for name, option in OPTIONS.items() if not option.facts.flag and option.group != "victory"
)
"""The options of which neither a flag nor the victory condition tells."""
