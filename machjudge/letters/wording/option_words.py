"""What is played with an option, as sentences of the catalogue."""

from collections.abc import Mapping, Sequence
from enum import Enum

from machjudge.adjudicator.model.options import OPTIONS, departures, written
from machjudge.adjudicator.model.presets import PRESETS, nearest
from machjudge.adjudicator.model.rules import Rules
from machjudge.sentence import Sentence


def about_option(name: str) -> Sentence:
    """What an option decides, in a few words."""
    return Sentence(f"options.{name}.about")


def played_with(name: str, value: object) -> Sentence:
    """What is played with a value of an option, in one sentence."""
    plain = written(value)
    if isinstance(value, bool | Enum):
        return Sentence(f"options.{name}.{str(plain).lower()}")
    return Sentence(f"options.{name}.value", value=_in_words(plain, "d" * (name in _IN_DUCATS)))


_IN_DUCATS = frozenset({"expense_prices"})
"""Options whose numbers are ducats."""


def _in_words(plain: object, unit: str) -> int | str:
    if isinstance(plain, int | str):
        return plain
    if isinstance(plain, Mapping):
        return ", ".join(f"{key} {number}{unit}" for key, number in plain.items())
    return ", ".join(map(str, plain)) if isinstance(plain, list | tuple) else ""


def unlike(rules: Rules, usual: Rules) -> tuple[Sentence, ...]:
    """A sentence for each option that is played otherwise than in the *usual* rules."""
    return tuple(played_with(name, OPTIONS[name].of(rules)) for name in departures(rules, usual))


def set_of_rules(rules: Rules, at_desk: Sequence[Sentence] = ()) -> tuple[Sentence, ...]:
    """The named set of rules that is nearest, and a sentence for each departure from it.

    :param at_desk: how the game is run otherwise than the set says.
    """
    name = nearest(rules)
    said = (*unlike(rules, PRESETS[name]), *at_desk)
    apart = [Sentence("presets.apart", sentence=each) for each in said]
    about = Sentence(f"presets.{name}")
    return (Sentence("presets.played", name=name, about=about, exact=not apart), *apart)


def contrasts(rules: Rules, others: Rules) -> tuple[tuple[str, Sentence, Sentence], ...]:
    """Each option that two sets of rules play otherwise, with the sentences of its two values."""
    apart = ((name, OPTIONS[name]) for name in departures(rules, others))
    return tuple(
        (name, played_with(name, option.of(rules)), played_with(name, option.of(others)))
        for name, option in apart
    )
