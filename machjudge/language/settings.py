"""What ``set`` can set: the keys with all their names, and what each of them takes.

``set`` takes several settings, parted by commas: ``set nomoney, nodice, press white``.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum
from functools import cache
from itertools import dropwhile, islice, takewhile
from typing import NamedTuple

from machjudge.language.commands import Set, Setting
from machjudge.language.said import Fault, Problem


class Takes(Enum):
    """What stands behind the key of a setting."""

    NOTHING = "nothing"
    """Or one of the words that the rules know: ``set dice shared``."""
    WORD = "one word"
    NUMBER = "a number"
    WORDS = "words up to the next comma"
    LINE = "everything up to the end of the line, commas too"


_NAMES: Mapping[Takes, Sequence[str]] = {
    # Each string is one setting: its key first, then its other names.
    Takes.NOTHING: (
        "wait|w",
        "public address|address public",
        "nmr|cd|!nmr wait|!cd wait",
        "strict grace",
        "strict wait",
        "late count",
        "fresh deadline",
        "moderated|moderate",
        "listed|list|public|!private",
        "quiet",
        "secret",
        "show",
        "reveal",
        "approval",
        "dias",
        "concessions",
        "rated",
        "resume",
        "manual process",
        "auto process",
        "manual start",
        "auto start",
        "basic",
        "advanced",
        "mach2|machiavelli2|mach-2",
        "summer",
        "money",
        "hidden money",
        "anonymous|gunboat|anonymous players",
        "dice",
        "bank|loans|bankers",
        "famine",
        "plague",
        "storms|storm",
        "assassinations|assassination|assassins",
        "special",
        "garrisons|garrison",
        "forts|fort|fortress|fortresses",
        "adjacency|adjacent|adj",
        "coastal convoys|coastal convoy|coastalconvoys|coastalconvoy",
        "disband",
        "white press|white|press white",
        "grey press|gray press|grey|gray|press grey|press gray",
        "white/grey press|white/grey|white/gray|press white/grey|press white/gray",
        "grey/white press|grey/white|gray/white|press grey/white|press gray/white",
        "press|!none|!press none",
        "partial press|partial",
        "partial fakes broadcast|partial fakes broadcast by default",
        "fake press|fake|faked press|partial may be faked|partial may",
        "postal press|postal",
        "grace press",
        "must order",
        "watch all press",
        "reveal press",
        "all press|!normal press",
        "broadcast press|broadcast|broadcasts|normal broadcast|normal broadcasts",
        "open diary|public diary|publish diary",
        "proxy",
        "prflist",
        "prfboth",
        "prfrand",
    ),
    Takes.WORD: (
        "password|pw|p",
        "preset",
        "scenario|variant",
        "ontimerat|on time",
        "resrat",
        "access",
        "level",
        "dedication",
        "notation",
        "language",
    ),
    Takes.NUMBER: (
        "max absence|max holidays|max vacations",
        "powers",
        "takeover|take over",
        "cities|centers|centres",
        "homes|countries",
    ),
    Takes.WORDS: (
        "address|ad",
        "players",
        "draw",
        "concede|conc",
        "approve|approved",
        "allow player",
        "deny player",
        "timezone|zone",
        "observer press|observer|observers",
        "late press",
        "moves|move",
        "retreats|retreat",
        "adjustments|adjustment|adjust|builds|build",
    ),
    Takes.LINE: (
        "preferences|preference|pref|prefs",
        "deadline",
        "grace",
        "start",
        "absence|holiday|holidays|vacation|vacations",
        "warn|warning|warnings",
        "priority|priorities",
        "comment|info",
        "name",
    ),
}

ONE_ADDRESS = "mails of a seat go to one address: write SET ADDRESS and that one"
_MOST_WORDS = 5
_WORD = re.compile(r"[^\s,]+|,")
_ONE_WORD = re.compile(r"\S+")
_NUMBER = re.compile(r"[0-9]{1,6}")
_WITHOUT = ("no", "not", "un")


@dataclass(frozen=True, slots=True)
class Option:
    """A name of a setting: the key that it stands for, and what it takes."""

    key: str
    takes: Takes
    on: bool
    """False for a name that means the opposite, such as ``private`` for ``not listed``."""


class _Found(NamedTuple):
    """A setting's name in a line, and the number of the word behind it."""

    option: Option
    on: bool
    behind: int


class _Value(NamedTuple):
    """What was written behind a setting's name, and where it ends in the line."""

    words: tuple[str, ...]
    end: int


@cache
def options() -> Mapping[str, Option]:
    """Every name of every setting, in lower case."""
    return {
        name.removeprefix("!"): Option(names.split("|")[0], takes, not name.startswith("!"))
        for takes, group in _NAMES.items()
        for names in group
        for name in names.split("|")
    }


def read_settings(line: str, start: int) -> Set | Problem:
    """Read what stands behind ``set``.

    :param line: the whole line.
    :param start: where the settings begin in it.
    :returns: the settings in their order, or the first that does not exist or lacks its value.
    """
    settings: list[Setting] = []
    words = _words(line, start)
    while words:
        found = _named(words)
        if found is None:
            return _unknown(line, words[0])
        value = _value(line, found, words)
        if isinstance(value, Problem):
            return value
        settings.append(Setting(found.option.key, found.on, value.words))
        words = _words(line, value.end)
    if not settings:
        return Problem(line, len(line), Fault.INCOMPLETE, "what to set is missing")
    return Set(tuple(settings))


def _words(line: str, start: int) -> list[re.Match[str]]:
    """The words from a place on; commas only where they do not come first."""
    return list(dropwhile(_is_comma, _WORD.finditer(line, start)))


def _is_comma(word: re.Match[str]) -> bool:
    return word.group() == ","


def _named(words: Sequence[re.Match[str]]) -> _Found | None:
    """The longest name of a setting with which the words begin."""
    said = [word.group().lower() for word in words[:_MOST_WORDS]]
    for count in range(len(said), 0, -1):
        name = " ".join(said[:count])
        for without in ("", *_WITHOUT):
            option = options().get(name.removeprefix(without).lstrip())
            if option is not None and name.startswith(without):
                return _Found(option, option.on != bool(without), count)
    return None


def _value(line: str, found: _Found, words: Sequence[re.Match[str]]) -> _Value | Problem:
    """What was written behind the name of a setting, as far as it belongs to it."""
    behind, after = words[found.behind :], words[found.behind - 1].end()
    match found.option.takes:
        case Takes.NOTHING:
            return _up_to_next(behind, after)
        case Takes.WORDS:
            return _value_of(takewhile(lambda word: not _is_comma(word), behind), after)
        case Takes.LINE:
            rest = line[after:].strip()
            value = _Value((rest,) if rest else (), len(line))
        case Takes.WORD | Takes.NUMBER:
            value = _value_of(islice(_ONE_WORD.finditer(line, after), 1), after)
    return value if _is_enough(found, value) else _missing(line, found, after)


def _up_to_next(behind: Sequence[re.Match[str]], after: int) -> _Value:
    """The words up to a comma or to the name of another setting."""
    count = next(
        (n for n, word in enumerate(behind) if _is_comma(word) or _named(behind[n:])), len(behind)
    )
    return _value_of(behind[:count], after)


def _value_of(words: Iterable[re.Match[str]], after: int) -> _Value:
    kept = list(words)
    return _Value(
        tuple(word.group().rstrip(",") for word in kept), kept[-1].end() if kept else after
    )


def _is_enough(found: _Found, value: _Value) -> bool:
    if not found.on:
        return True
    if found.option.takes is Takes.NUMBER:
        return any(_NUMBER.fullmatch(word) for word in value.words)
    return bool(value.words)


def _missing(line: str, found: _Found, after: int) -> Problem:
    reason = f'"{found.option.key}" needs {found.option.takes.value}'
    return Problem(line, min(after + 1, len(line)), Fault.INCOMPLETE, reason)


def _unknown(line: str, word: re.Match[str]) -> Problem:
    """There is no such setting; the nearest line is the one with the name that looks most like."""
    like = get_close_matches(word.group().lower(), options(), n=1)
    nearest = line[: word.start()] + like[0] + line[word.end() :] if like else None
    reason = f'there is no setting "{word.group()}"'
    if "@" in word.group():
        # Somebody writes several addresses behind a setting that takes one.
        reason = ONE_ADDRESS
    return Problem(line, word.start(), Fault.UNEXPECTED, reason, word.group(), nearest=nearest)
