"""What stands on each field of the rules: its option's name, values, flag and catalogue numbers.

What is played with each value is said in the catalogue of sentences, under the option's name.
"""

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

T = TypeVar("T")
V = TypeVar("V")


class Table(Mapping[str, V], Generic[V]):
    """A map that never changes, such as a price list, and can be part of frozen rules."""

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, V]) -> None:
        self._values = dict(sorted(values.items()))

    def __getitem__(self, key: str) -> V:
        return self._values[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __hash__(self) -> int:
        return hash(tuple(self._values.items()))

    def __repr__(self) -> str:
        return f"Table({self._values})"


@dataclass(frozen=True, slots=True, eq=False)
class Flag:
    """How players switch an option: a word, which switches it off with *no* in front of it."""

    name: str
    also: tuple[str, ...] = ()
    """Synonyms."""
    on: Any = True
    """The value that the word stands for."""
    off: Any = False
    needs: tuple[str, ...] = ()
    """Flags without which it cannot be on: they are switched on with it, and it off with them."""
    ends_with: tuple[str, ...] = ()
    """Flags that switch it off with them, and are not switched on by it."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Which numbers and words an option can be, or can hold."""

    most: int = 999
    """The largest number; the least is 0."""
    among: tuple[str, ...] = ()
    """The words that a list may hold, in their order, or the keys of a map that may be empty."""


@dataclass(frozen=True, slots=True, eq=False)
class Facts:
    """What is known of an option besides its type and its default."""

    name: str
    """What settings, presets and the codec call it."""
    numbers: tuple[str, ...]
    """Its rules in the catalogue."""
    flag: Flag | str
    """The flag that switches it, or the name of another's flag; empty if none does."""
    limits: Limits
    presets: Mapping[str, Any]
    """Its value in each named set of rules that plays it otherwise than the set's parent."""


FACTS = "option"
"""The key of a field's metadata under which its facts are."""


_NONE: Mapping[str, Any] = {}


def option(
    default: T,
    name: str,
    *numbers: str,
    flag: Flag | str = "",
    limits: Limits = Limits(),
    presets: Mapping[str, T] = _NONE,
) -> T:
    """A field of the rules: its default, and its facts as metadata.

    :param numbers: its rules in the catalogue, such as ``SIE-07``.
    :param presets: its value in the named sets of rules that play it otherwise.
    """
    facts = Facts(name, numbers, flag, limits, presets)
    found: T = dataclasses.field(default=default, metadata={FACTS: facts})
    return found
