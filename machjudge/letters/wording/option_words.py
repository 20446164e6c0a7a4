"""What is played with an option of the rules, as sentences of the catalogue."""

from collections.abc import Mapping

from machjudge.adjudicator.model.options import OPTIONS, departures, find_option, written
from machjudge.adjudicator.model.presets import JUDGE
from machjudge.adjudicator.model.rules import Rules
from machjudge.sentence import Sentence


def about_option(name: str) -> Sentence:
    """What an option decides, in a few words."""
    return Sentence(f"options.{name}.about")


def played_with(name: str, value: object) -> Sentence:
    """What is played with a value of the rules, in one sentence.  Raises UnknownRule."""
    plain = written(value)
    if find_option(name).choices:
        return Sentence(f"options.{name}.{str(plain).lower()}")
    return Sentence(f"options.{name}.value", value=_in_words(plain))


def _in_words(plain: object) -> int | str:
    if isinstance(plain, int | str):
        return plain
    if isinstance(plain, Mapping):
        return ", ".join(f"{key} {number}d" for key, number in plain.items())
    return ", ".join(map(str, plain)) if isinstance(plain, list | tuple) else ""


def unlike_judge(rules: Rules, among: frozenset[str] = frozenset(OPTIONS)) -> list[Sentence]:
    """A sentence for each of some options that is played otherwise than in the judge's rules."""
    return [
        played_with(name, OPTIONS[name].of(rules))
        for name in departures(rules, JUDGE)
        if name in among
    ]
