"""The words by which the reader knows a command or an order; the caller passes them in."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

_UNIT = r"(?:a|f|g|army|fleet|garrison)"
_EXPENSE = r"(?:e|exp|expense) ?\d"
_NUMBERED = r"[afg][1-9]\d?"
_LETTERED = r"[a-l] ?- ?[\w(][\w '()./-]{0,40}- ?\d{1,4} ?d(?:ucats?)?$"
"""An expense in the letters of 1978, ``C-A1-3d``."""
_NOTHING = r"(?!)"


@dataclass(frozen=True)
class Vocabulary:
    """The words of the judge's language, in lower case."""

    commands: frozenset[tuple[str, ...]] = frozenset()
    """Phrases with which a command begins."""
    verbs: frozenset[tuple[str, ...]] = frozenset()
    """Phrases with which an order begins that goes on behind them."""
    orders: frozenset[tuple[str, ...]] = frozenset()
    """Phrases that are an order by themselves."""
    deeds: frozenset[str] = frozenset()
    """Words that say what a unit does, behind its name."""
    texts: frozenset[str] = frozenset()
    """The texts that somebody can ask for."""
    headings: frozenset[str] = frozenset()
    """Rows that stand in messages of the judge and nowhere else, in small letters."""

    def begins_command(self, text: str) -> bool:
        """Whether a line begins with a command or with an order that begins with its verb.

        ``for 2 years`` is the end of a loan, and a verb alone may be the end of any order.
        """
        return bool(self._command.match(text))

    def is_command(self, text: str) -> bool:
        """Whether a line begins with a command, and not with the verb of an order."""
        return bool(self._dialogue.match(text))

    def is_unit_order(self, text: str) -> bool:
        """Whether a line begins like an order that names its unit's kind."""
        return bool(self._unit_order.match(text))

    def is_bare_order(self, text: str) -> bool:
        """Whether a line begins like an order that names a place only."""
        return bool(self._bare_order.match(text))

    @cached_property
    def _dialogue(self) -> re.Pattern[str]:
        commands = rf"(?:{_any(self.commands)})(?![\w'])(?<!\bfor)"
        loans = r"for(?= +[^\d\s])" if ("for",) in self.commands else _NOTHING
        return re.compile(rf"{commands}|{loans}", re.IGNORECASE)

    @cached_property
    def _command(self) -> re.Pattern[str]:
        verbs = rf"(?:{_any(self.verbs)})[:,]? +\S"
        alone = rf"(?:{_any(self.orders)})(?![\w'])"
        return re.compile(rf"{self._dialogue.pattern}|{verbs}|{alone}|{_EXPENSE}", re.IGNORECASE)

    @cached_property
    def _deed(self) -> str:
        return f"(?:-|->|{_any((deed,) for deed in self.deeds)})"

    @cached_property
    def _unit_order(self) -> re.Pattern[str]:
        deed = rf":? {self._deed}(?!\w)"
        letter = r" ?: ?(?:[afg](?: ?-|/|$)|0$)"
        plain = rf"{_UNIT} [\w.'/ ]{{1,40}}?(?: ?->? ?\w|{deed}|{letter})"
        numbered = rf"{_NUMBERED}(?: [\w.'/ ]{{1,40}}?)??(?: ?: ?\w| ->? ?\w|{deed})"
        return re.compile(f"{plain}|{numbered}|{_LETTERED}", re.IGNORECASE)

    @cached_property
    def _bare_order(self) -> re.Pattern[str]:
        words = r"[\w.']{2,20}(?: [\w.']{2,20}){0,2}"
        deed = rf" {self._deed}(?: |$)"
        return re.compile(rf"{words}(?: ->? ?\w|-> ?\w|{deed})", re.IGNORECASE)


def _any(phrases: Iterable[tuple[str, ...]]) -> str:
    """One of the phrases, the longest first, with spaces or hyphens between their words."""
    longest = sorted(phrases, key=lambda phrase: (-len(" ".join(phrase)), phrase))
    return "|".join("[ -]+".join(map(re.escape, phrase)) for phrase in longest) or _NOTHING
