"""The rules with which a game is made: its scenario's, and what its creator asks for."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from machjudge.adjudicator.model.options import departures
from machjudge.adjudicator.model.presets import PARENTS, PRESETS, nearest
from machjudge.adjudicator.model.rules import Rules
from machjudge.adjudicator.model.scenario import Scenario
from machjudge.codec.document.rulebook import read_rules
from machjudge.letters.page.game_rules import Departure, departures_of
from machjudge.letters.page.rulesheet import rule_lines
from machjudge.letters.wording.option_words import played_with, set_of_rules
from machjudge.sentence import Sentence, Wording
from machjudge.service.model.conduct import Conduct
from machjudge.service.model.desk_options import (
    DESK_OPTIONS,
    desk_departures,
    desk_value,
    with_preset,
)
from machjudge.service.model.records import Game
from machjudge.service.setup.flags import FLAGS, find_flag, is_on, switched

_PRESET_NAMES = {
    "basic": "judge_basic",
    "advanced": "judge",
    "mach1": "judge",
    "mach": "judge",
    "machiavelli": "judge",
    "machiavelli2": "mach2",
    "mach_2": "mach2",
}
"""Presets by other words that players use for them."""
_FILLERS = frozenset({"preset", "rules"})
"""Words before the name of a preset: ``create x secret 1454 preset judge2009``."""

PRESET_WORDS = ("basic", *PRESETS)
"""The sets of rules that can be played, as masters write them."""


@dataclass(frozen=True, slots=True)
class BadOption:
    """A word of a create that cannot be followed, and why."""

    word: str
    why: Sentence


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The rules of a game, or a named set of rules: what is played, and how the game is run."""

    name: str
    rules: Rules
    conduct: Conduct

    @property
    def told(self) -> tuple[Wording, ...]:
        """The nearest named set of rules, and a sentence for each departure from it."""
        usual = with_preset(self.conduct, nearest(self.rules))
        at_desk = self._at_desk(desk_departures(self.conduct, usual))
        return set_of_rules(self.rules, [each.sentence for each in at_desk])

    @property
    def unusual(self) -> tuple[Sentence, ...]:
        """What that set plays otherwise than the usual rules, and these rules with it."""
        name = nearest(self.rules)
        own = desk_departures(self.conduct, with_preset(self.conduct, name))
        apart = {*departures(self.rules, PRESETS[name]), *own}
        return tuple(each.sentence for each in self.departures if each.name not in apart)

    @property
    def departures(self) -> tuple[Departure, ...]:
        """What is played otherwise than the usual rules, and how the game is run otherwise."""
        usual = with_preset(self.conduct, "judge")
        at_desk = self._at_desk(desk_departures(self.conduct, usual))
        return (*departures_of(self.rules), *at_desk)

    def _at_desk(self, names: Iterable[str]) -> tuple[Departure, ...]:
        """How the game is run, as some options of the desk say it."""
        options = ((name, DESK_OPTIONS[name].facts.numbers) for name in names)
        return tuple(
            Departure(name, numbers, played_with(name, desk_value(self.conduct, name)))
            for name, numbers in options
        )


def of_game(game: Game) -> RuleSet:
    """What a game plays."""
    return RuleSet(game.name, game.rules, game.conduct)


def of_preset(name: str) -> RuleSet:
    """What a game of a set of rules plays, which must be one of those in `PRESETS`."""
    return RuleSet(name, PRESETS[name], with_preset(Conduct(), name))


def preset_for(scenario: Scenario, options: Sequence[str]) -> str:
    """The set of rules that a creator's words name last; else the scenario's, if it has one."""
    named = [found for found in map(preset_of, options) if found is not None]
    return named[-1] if named else scenario.preset


def rules_for(scenario: Scenario, options: Sequence[str]) -> Rules | BadOption:
    """The rules that a creator's words ask for; without words those of the scenario's preset."""
    words = [word for word in options if word and word.lower() not in _FILLERS]
    preset = preset_for(scenario, words)
    rules = read_rules({"preset": preset} if preset else {}, scenario)
    for word in words:
        if preset_of(word) is not None:
            continue
        changed = with_word(rules, word)
        if isinstance(changed, BadOption):
            return changed
        rules = changed
    return rules


def with_word(rules: Rules, word: str) -> Rules | BadOption:
    """The rules with one flag switched, as a word such as ``nomoney`` says."""
    found = find_flag(word)
    if found is None:
        names = [name for flag in FLAGS for name in (flag.name, f"no{flag.name}")]
        near = get_close_matches(word.lower(), names, n=1, cutoff=0.75)
        return BadOption(word, Sentence("setup.no_option", near=near[0] if near else ""))
    return switched(rules, found[0], on=found[1])


def preset_of(word: str) -> str | None:
    """The named set of rules that a word means, whether it can be played or not."""
    plain = word.lower().replace("-", "_")
    plain = _PRESET_NAMES.get(plain, plain)
    return plain if plain in PARENTS else None


def describe(rules: Rules, players: int) -> tuple[Wording, ...]:
    """The lines of the listing about the rules: the set of rules, flags, and what wins."""
    return (
        *set_of_rules(rules),
        rule_lines(
            rules,
            players,
            on=[flag.name for flag in FLAGS if is_on(rules, flag)],
            off=[flag.name for flag in FLAGS if not is_on(rules, flag)],
        ),
    )


def desk_contrasts(conduct: Conduct, other: Conduct) -> tuple[tuple[str, Sentence, Sentence], ...]:
    """Each option of the desk that two games have otherwise, with the sentences of its values."""
    return tuple(
        (n, played_with(n, desk_value(conduct, n)), played_with(n, desk_value(other, n)))
        for n in desk_departures(conduct, other)
    )
