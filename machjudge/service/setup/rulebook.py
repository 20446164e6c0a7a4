"""The rules with which a game is made: its scenario's, and what its creator asks for."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from machjudge.adjudicator.model.presets import PARENTS, PRESETS, missing
from machjudge.adjudicator.model.rules import Rules
from machjudge.adjudicator.model.scenario import Scenario
from machjudge.codec.document.rulebook import read_rules
from machjudge.letters.page.rulesheet import rule_lines
from machjudge.letters.wording.option_words import set_of_rules
from machjudge.sentence import Sentence, Wording
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


def rules_for(scenario: Scenario, options: Sequence[str]) -> Rules | BadOption:
    """The rules that a creator's words ask for; without words those of the scenario's preset."""
    words = [word for word in options if word and word.lower() not in _FILLERS]
    named = [word for word in words if preset_of(word) is not None]
    preset = (preset_of(named[-1]) if named else "") or scenario.preset
    if preset and preset not in PRESETS:
        why = Sentence("setup.rule.incomplete", name=preset, lacks=missing(preset))
        return BadOption(preset, why)
    rules = read_rules({"preset": preset} if preset else {}, scenario)
    for word in words:
        if word in named:
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


def describe(rules: Rules) -> tuple[Wording, ...]:
    """The lines of the listing about the rules: the set of rules, flags, and what wins."""
    return (
        *set_of_rules(rules),
        rule_lines(
            rules,
            on=[flag.name for flag in FLAGS if is_on(rules, flag)],
            off=[flag.name for flag in FLAGS if not is_on(rules, flag)],
        ),
    )
