"""Another scenario for a game that forms: ``set scenario 1385``, and what is lost by it."""

from collections.abc import Iterator
from dataclasses import replace

from machjudge.adjudicator.model.rules import Rules
from machjudge.adjudicator.model.scenario import Scenario
from machjudge.language.commands.commands import Setting
from machjudge.letters.page.rulesheet import victory_words
from machjudge.letters.wording.words import counted, listed
from machjudge.reading import Line
from machjudge.service.game.view import players
from machjudge.service.model.records import Game, Status
from machjudge.service.session.scenario_lookup import known, nearest_scenario, scenario_called
from machjudge.service.session.session import Talk
from machjudge.service.setup.flags import FLAGS, find_flag, is_on
from machjudge.service.setup.gathering import tell
from machjudge.service.setup.rulebook import BadOption, rules_for, with_word
from machjudge.service.setup.ruling import NO_MACH2, change_rules

_GAMES = frozenset({"machiavelli", "mach", "mach1", "machiavelli1"})
"""Words for the game itself, which every game here is."""
_SECOND = frozenset({"mach2", "machiavelli2"})


def set_scenario(talk: Talk, line: Line, said: Setting) -> None:
    """Take another scenario with its usual rules, or switch an option: ``set variant nodice``."""
    game, word = talk.game, said.value[0] if said.value else ""
    if game is None or game.status is not Status.FORMING:
        talk.refuse(line, "the game has begun; its scenario stays")
    elif find_flag(word) is not None:
        _switch(talk, line, game, word if said.on else f"no{word}")
    elif flaw := _no_scenario(talk, game, word):
        talk.refuse(line, flaw)
    else:
        _choose(talk, line, game, word if said.on else "")


def _switch(talk: Talk, line: Line, game: Game, word: str) -> None:
    rules = with_word(game.rules, word)
    if isinstance(rules, BadOption):
        talk.refuse(line, rules.why)
    else:
        change_rules(talk, line, rules, f"option {word.lower()}")


def _no_scenario(talk: Talk, game: Game, word: str) -> str:
    """Why a word for the whole game chooses no scenario; empty for any other word."""
    plain = word.lower().replace("-", "").replace("_", "")
    if plain in _SECOND:
        return NO_MACH2
    if plain not in _GAMES:
        return ""
    title = talk.desk.scenario(game).title
    return (
        f"every game here is Machiavelli; its scenario stays {title} ({game.scenario}), and "
        f"SET SCENARIO and a name choose another one; {known(talk)}"
    )


def _choose(talk: Talk, line: Line, game: Game, word: str) -> None:
    scenario = scenario_called(talk, word)
    if isinstance(scenario, str):
        near = nearest_scenario(talk, word)
        talk.refuse(line, scenario, instead=f"SET SCENARIO {near}" if near else None)
    elif (seats := len(players(game))) > scenario.players:
        most = scenario.players
        talk.refuse(
            line, f"{counted(seats, 'player')} have joined, and {scenario.id} is for {most}"
        )
    else:
        _take(talk, game, scenario)


def _take(talk: Talk, game: Game, scenario: Scenario) -> None:
    """Preferences were for the powers of another scenario; the usual rules of this one begin."""
    rules = rules_for(scenario, ())
    if isinstance(rules, BadOption):
        return
    lost = list(_lost(talk, game, rules))
    seats = tuple(replace(seat, preferences="") for seat in game.seats)
    changed = replace(game, scenario=scenario.id, rules=rules, seats=seats)
    told = f"the scenario is {scenario.title} ({scenario.id}), with its usual rules"
    if lost:
        told += f"; what was set before is gone: {listed(lost)}"
    tell(talk, changed, told)
    if lost:
        talk.done("Set it again if the game shall have it.")
    if any(seat.preferences for seat in players(game)):
        talk.done("Preferences are forgotten; the players may send new ones.")


def _lost(talk: Talk, game: Game, rules: Rules) -> Iterator[str]:
    """The flags that the master has set and that the usual rules of the new scenario undo."""
    usual = rules_for(talk.desk.scenario(game), ())
    if isinstance(usual, BadOption):
        return
    for flag in FLAGS:
        now = is_on(game.rules, flag)
        if now is not is_on(usual, flag) and now is not is_on(rules, flag):
            yield flag.name if now else f"no{flag.name}"
    wins = victory_words(game.rules)
    if wins not in (victory_words(usual), victory_words(rules)):
        yield f"to win with {wins}"
