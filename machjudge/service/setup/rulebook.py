"""The rules with which a game is made: its scenario's, and what its creator asks for."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from machjudge.adjudicator.model.options import OPTIONS
from machjudge.adjudicator.model.presets import PRESETS
from machjudge.adjudicator.model.rules import Rules
from machjudge.adjudicator.model.scenario import Scenario
from machjudge.codec.document.rulebook import read_rules
from machjudge.letters.page.rulesheet import rule_lines
from machjudge.letters.wording.option_words import unlike_judge
from machjudge.sentence import Sentence, Wording
from machjudge.service.setup.flags import FLAGS, find_flag, is_on, switched

_PRESET_NAMES = {"basic": "judge_basic"}
"""Presets by the words that players use for them."""

PRESET_WORDS = (*_PRESET_NAMES, *(name for name in PRESETS if name not in _PRESET_NAMES.values()))
"""The sets of rules as masters write them."""


@dataclass(frozen=True, slots=True)
class BadOption:
    """A word of a create that cannot be followed, and why."""

    word: str
    why: Sentence


def rules_for(scenario: Scenario, options: Sequence[str]) -> Rules | BadOption:
    """The rules that a creator's words ask for; without words those of the scenario's preset."""
    words = [word for word in options if word]
    named = [word for word in words if _preset_of(word) is not None]
    preset = _preset_of(named[-1]) if named else scenario.preset
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


def _preset_of(word: str) -> str | None:
    plain = _PRESET_NAMES.get(word.lower(), word.lower())
    return plain if plain in PRESETS else None


def describe(rules: Rules) -> tuple[Wording, ...]:
    """The lines of the listing about the rules: flags, victory, and what else is unusual."""
    unlike = unlike_judge(rules, _UNSWITCHED)
    return (
        rule_lines(
            rules,
            on=[flag.name for flag in FLAGS if is_on(rules, flag)],
            off=[flag.name for flag in FLAGS if not is_on(rules, flag)],
        ),
        *([Sentence("options.unlike"), *unlike] if unlike else ()),
    )


_UNSWITCHED = frozenset(
    name for name, option in OPTIONS.items() if not option.facts.flag and option.group != "victory"
)
"""The options of which neither a flag nor the victory condition tells."""
