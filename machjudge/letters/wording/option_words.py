"""What is played with an option, as sentences of the catalogue."""

from collections.abc import Mapping, Sequence
from enum import Enum

from machjudge.adjudicator.model.options import (
    OPTIONS,
    Option,
    departures,
    keys_of,
    may_be_none,
    written,
)
from machjudge.adjudicator.model.presets import PRESETS, nearest
from machjudge.adjudicator.model.rules import Rules
from machjudge.adjudicator.model.rules.option import Table
from machjudge.sentence import Sentence


def about_option(name: str) -> Sentence:
    """What an option decides, in a few words."""
    return Sentence(f"options.{name}.about")


def played_with(name: str, value: object) -> Sentence:
    """What is played with a value of an option, in one sentence."""
    plain = written(value)
    if isinstance(value, bool | Enum):
        return Sentence(f"options.{name}.{str(plain).lower()}")
    if not plain and isinstance(plain, Mapping | list | tuple):
        return Sentence(f"options.{name}.empty")
    return Sentence(f"options.{name}.value", value=_in_words(name, plain))


_OF_EXPENSES = frozenset({"adjacency_kinds", "expense_prices"})
"""Options whose letters are those of expenses in the book of 1978."""


def _in_words(name: str, plain: object) -> int | str | tuple[Sentence, ...]:
    if isinstance(plain, int | str):
        return plain
    numbers = plain if isinstance(plain, Mapping) else {}
    parts = plain if isinstance(plain, Mapping | list | tuple) else ()
    if name in _OF_EXPENSES:
        return tuple(
            Sentence(f"options.expense.{letter}", ducats=numbers.get(letter)) for letter in parts
        )
    return ", ".join(f"{part} {numbers[part]}" if numbers else str(part) for part in parts)


def possible_values(option: Option) -> Sentence:
    """What an option without a choice of values can be: a number, numbers, a list or a map."""
    most, among = option.facts.limits.most, option.facts.limits.among
    if isinstance(option.default, Table):
        none, keys = may_be_none(option), tuple(keys_of(option))
        return Sentence("options.possible.map", keys=keys, most=most, may_be_none=none)
    if isinstance(option.default, tuple) and among:
        return Sentence("options.possible.list", values=tuple(among))
    if isinstance(option.default, tuple):
        return Sentence("options.possible.numbers", count=len(option.default), most=most)
    return Sentence("options.possible.number", most=most)


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
