"""The text of the rules as one game plays them: what its options change stands in each rule."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from machjudge.adjudicator.model.options import OPTIONS, departures
from machjudge.adjudicator.model.presets import JUDGE
from machjudge.adjudicator.model.rules import Rules
from machjudge.letters.wording.option_words import played_with
from machjudge.sentence import Sentence, Wording

_RULE = re.compile(r"^- ([A-Z]{3}-\d{2}) (.*)$")
_NAMED = re.compile(r"\bOption: ((?:\w+, )*\w+)\.$")
"""The end of a rule that has options, without the signs of its mark-up."""
_FLAG = re.compile(r"\(flag (\w+)", re.IGNORECASE)
"""The flag of a whole section, in its title."""


def as_played(lines: Iterable[str], rules: Rules, say: Callable[[Wording], str]) -> tuple[str, ...]:
    """Lines of the usual rules, with a sentence in each rule that a game plays otherwise."""
    apart = departures(rules, JUDGE)
    return tuple(each for line in lines for each in _as_played(line, rules, apart, say))


def _as_played(
    line: str, rules: Rules, apart: Sequence[str], say: Callable[[Wording], str]
) -> Iterator[str]:
    rule = _RULE.match(line)
    here = tuple(
        played_with(name, OPTIONS[name].of(rules)) for name in apart if _is_about(line, rule, name)
    )
    if rule is not None and here:
        yield f"- {rule[1]} {say(Sentence('rules.here', here=here, usual=rule[2]))}"
        return
    yield line
    if here:
        yield say(Sentence("rules.section_here", here=here))


def _is_about(line: str, rule: re.Match[str] | None, option: str) -> bool:
    """Whether a line is the rule of an option, or the title of the section that its flag rules."""
    if rule is None:
        flag = _FLAG.search(line)
        return flag is not None and flag[1].lower() == option
    named = _NAMED.search(line)
    among = named[1].split(", ") if named is not None else ()
    return rule[1] in OPTIONS[option].facts.numbers or option in among
