"""The flags of a game as players write them, each with the options of the rules behind it."""

from collections.abc import Mapping
from dataclasses import dataclass

from machjudge.adjudicator.model.options import OPTIONS, Option, Value, with_option, written
from machjudge.adjudicator.model.rules import Rules
from machjudge.adjudicator.model.rules.option import Flag as Switch


@dataclass(frozen=True, slots=True)
class SwitchWord:
    """A word that switches something on, and with *no* in front of it off."""

    option: str
    """The option that it switches first of all."""
    name: str
    on: Mapping[str, Value]
    off: Mapping[str, Value]
    also: tuple[str, ...] = ()
    """Synonyms."""


_LISTED = (
    "money",
    "dice",
    "summer",
    "garrisons",
    "forts",
    "coastal_convoys",
    "disband_order",
    "loans",
    "famine",
    "plague",
    "storm",
    "assassinations",
    "special",
    "adjacency",
)
"""The options that have a flag, in the order of the listing."""


def _flag(name: str) -> SwitchWord:
    """The flag of an option, with all that is switched with it (SET-04)."""
    switch = _switch(OPTIONS[name])
    on = {name: switch.on}
    on.update((each, _switch(OPTIONS[each]).on) for each in switch.needs)
    off = {name: switch.off}
    for other, option in OPTIONS.items():
        if option.facts.flag == name:
            on[other], *_, off[other] = option.choices
        elif isinstance(option.facts.flag, Switch):
            bound = (*option.facts.flag.needs, *option.facts.flag.ends_with)
            off |= {other: option.facts.flag.off} if name in bound else {}
    return SwitchWord(name, switch.name, _written(on), _written(off), switch.also)


def _written(values: Mapping[str, object]) -> Mapping[str, Value]:
    return {name: written(value) for name, value in values.items()}


def _switch(option: Option) -> Switch:
    """The word that stands on an option's field.  Raises TypeError if none does."""
    if not isinstance(option.facts.flag, Switch):
        raise TypeError(option.facts.name)
    return option.facts.flag


FLAGS: tuple[SwitchWord, ...] = tuple(_flag(name) for name in _LISTED)
"""In the order of the listing (SET-03 to SET-15)."""


def find_flag(word: str) -> tuple[SwitchWord, bool] | None:
    """The flag that a word such as ``nomoney`` switches, and whether on; nothing if none."""
    plain = "".join(letter for letter in word.lower() if letter.isalnum())
    for flag in FLAGS:
        for name in (flag.name, *flag.also):
            if plain in (name, f"no{name}"):
                return flag, plain == name
    return None


def flag_of(option: str) -> SwitchWord | None:
    """The flag that switches an option; None if it has none."""
    return next((flag for flag in FLAGS if flag.option == option), None)


def switched(rules: Rules, flag: SwitchWord, *, on: bool) -> Rules:
    """The rules with a flag switched; what is on already stays as it is."""
    if on and is_on(rules, flag):
        return rules
    for option, value in (flag.on if on else flag.off).items():
        rules = with_option(rules, option, value)
    return rules


def is_on(rules: Rules, flag: SwitchWord) -> bool:
    """Whether a flag is on, and what it needs: nothing of it has the value that means off."""
    needed = [OPTIONS[name] for name in flag.on if OPTIONS[name].facts.flag != flag.option]
    return all(option.of(rules) != _switch(option).off for option in needed)
