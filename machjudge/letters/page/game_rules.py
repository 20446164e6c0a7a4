"""The text of the rules as one game plays them: what its options change stands in each rule."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from machjudge.adjudicator.model.options import OPTIONS, departures
from machjudge.adjudicator.model.presets import JUDGE
from machjudge.adjudicator.model.rules import Rules
from machjudge.letters.wording.option_words import played_with
from machjudge.sentence import Sentence, Wording

_RULE = re.compile(r"^- ([A-Z]{3}-\d{2}) (.*)$")
_NAMED = re.compile(r"\w: ((?:\w+, )*\w+)\.$")
"""The end of a rule that has options, without the signs of its mark-up: ``Option: summer.``"""
_FLAG = re.compile(r"\(\w+ (\w+)", re.IGNORECASE)
"""The flag or option of a whole section, in its title: ``(flag special)``, in any language."""


@dataclass(frozen=True, slots=True)
class Departure:
    """An option that a game plays otherwise than usual: its rules, and what is played."""

    name: str
    numbers: tuple[str, ...]
    sentence: Sentence


def departures_of(rules: Rules) -> tuple[Departure, ...]:
    """What some rules play otherwise than the usual ones."""
    options = ((name, OPTIONS[name]) for name in departures(rules, JUDGE))
    return tuple(
        Departure(name, option.facts.numbers, played_with(name, option.of(rules)))
        for name, option in options
    )


def as_played(
    lines: Iterable[str], apart: Sequence[Departure], say: Callable[[Wording], str]
) -> tuple[str, ...]:
    """Lines of the usual rules, with a sentence in each rule that a game plays otherwise."""
    return tuple(each for line in lines for each in _as_played(line, apart, say))


def _as_played(
    line: str, apart: Sequence[Departure], say: Callable[[Wording], str]
) -> Iterator[str]:
    rule = _RULE.match(line)
    here = tuple(each.sentence for each in apart if _is_about(line, rule, each))
    if rule is not None and here:
        yield f"- {rule[1]} {say(Sentence('rules.here', here=here, usual=rule[2]))}"
        return
    yield line
    if here:
        yield say(Sentence("rules.section_here", here=here))


def _is_about(line: str, rule: re.Match[str] | None, each: Departure) -> bool:
    """Whether a line is the rule of an option, or the title of the section that it rules."""
    if rule is None:
        flag = _FLAG.search(line)
        return flag is not None and flag[1].lower() == each.name
    named = _NAMED.search(line)
    among = named[1].split(", ") if named is not None else ()
    return rule[1] in each.numbers or each.name in among
