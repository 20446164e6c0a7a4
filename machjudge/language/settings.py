"""The keys of ``set``, their names, and their values.

Several settings are parted by commas: ``set nomoney, nodice, press white``.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from enum import Enum
from functools import cache
from itertools import dropwhile, islice
from typing import NamedTuple

from machjudge.language.commands import Set, Setting
from machjudge.language.words import Fault, ParseError
from machjudge.translatable import Message


class Takes(Enum):
    """The kind of value of a setting."""

    NOTHING = "nothing"
    """Nothing, or a word that the rules know: ``set dice shared``."""
    WORD = "word"
    NUMBER = "number"
    WORDS = "words"
    LINE = "line"


NAMES: Mapping[Takes, Sequence[str]] = {
    # Each string is one setting: its key first, then its other names.
    Takes.NOTHING: (
        "wait|w",
        "public address|address public",
        "nmr|cd|!nmr wait|!cd wait",
        "vacant|vacant bots|vacant bot|vacant seats|bots|bot",
        "strict grace",
        "strict wait",
        "late count",
        "offers|offer|agreements",
        "fresh deadline",
        "newcomers|newcomer",
        "moderated|moderate",
        "listed|list|public|!private",
        "quiet",
        "master plays|playing master",
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
        # Of other judges; the service says what there is instead.
        "foreign press|blank press|minor press|touch press|partial must be faked",
        "foreign rule|any center|any centers|any centre|home center|home centers|home centre"
        "|one center|one centre|any disband|normal disband|auto disband|attack transform"
        "|transform|trafo|blank board|empty board|strict convoy|air lift|portage|duality"
        "|hong kong|gateways|railways|bcentres|neutrals|capture win|allied win|home transfer"
        "|xflags|build anywhere|chaos|fleet rome|wings|payola|blind",
    ),
    Takes.WORD: (
        "password|pw|p",
        "preset|rules|ruleset",
        "scenario|variant",
        "reliability|ontimerat|on time",
        "resrat",
        "notice",
        "substitutes|substitute",
        "access",
        "level",
        "dedication",
        "notation",
        "language|lang|idioma|lingua",
        "subject|subjects",
        "calendar|ics",
        "html",
        "pictures|picture|maps",
        "json",
    ),
    Takes.NUMBER: (
        "max absence|max holidays|max vacations",
        "powers",
        "takeover|take over",
        "cities|centers|centres|victory|winning centers|winning cities|to win|win",
        "rating|ep|bn|mn",
        "homes|countries",
    ),
    Takes.WORDS: (
        "address|ad|email|mail",
        "players",
        "option|options|rule|rules option",
        "confirm|confirmation",
        "sender|senders",
        "draw",
        "concede|conc",
        "approve|approved",
        "allow player|allow|invite|allow players",
        "deny player|deny|ban|deny players",
        "allow master|deny master",
        "timezone|zone|time zone|tz",
        "notify|notification|notifications|digest|digests",
        "observer press|observer|observers",
        "newspaper|newspapers",
        "late press",
        "excuse|excuses",
        "moves|move",
        "retreats|retreat",
        "adjustments|adjustment|adjust|builds|build",
    ),
    Takes.LINE: (
        "preferences|preference|pref|prefs",
        "calendar alarm|calendar alarms|ics alarm|alarm|alarms",
        "deadline|deadlines",
        "grace",
        "start",
        "absence|holiday|holidays|vacation|vacations",
        "warn|warning|warnings|reminder|reminders|remind",
        "briefing|briefings",
        "priority|priorities",
        "comment|info",
        "name",
    ),
}

_LEAST_SQUASHED = 5


@dataclass(frozen=True, slots=True)
class SettingName:
    """A name of a setting: its key and kind of value."""

    key: str
    takes: Takes
    on: bool
    """False for a name that means the opposite, such as ``private`` for ``not listed``."""


@cache
def options() -> Mapping[str, SettingName]:
    """Return every name of every setting in lower case, long ones also as one word."""
    spelled = {
        name.removeprefix("!"): SettingName(names.split("|")[0], takes, not name.startswith("!"))
        for takes, group in NAMES.items()
        for names in group
        for name in names.split("|")
    }
    squashed = {
        name.replace(" ", ""): option
        for name, option in spelled.items()
        if len(name) > _LEAST_SQUASHED
    }
    return squashed | spelled


def takes_nothing(key: str) -> bool:
    """Return whether a setting takes only a word that switches it on or off."""
    return options()[key].takes is Takes.NOTHING and key not in _WORDED


_WORDED = frozenset({"nmr", "vacant", "dice", "press", "public address"})
"""Switches with further words, known by their handlers."""


ONE_ADDRESS = Message("language.one_address")
MAX_SETTINGS = 60
"""The most settings in a line."""
TOO_MANY = Message("language.too_many_settings", most=MAX_SETTINGS)
_MAX_WORDS = 5
_WORD = re.compile(r"[^\s,]+|,")
_ONE_WORD = re.compile(r"\S+")
_NUMBER = re.compile(r"[0-9]{1,6}")
_UNIT = re.compile(
    r"\s+(?:days?|d[ií]as?|giorn[oi]|cit(?:y|ies)|ciudad(?:es)?|citt[aà])\b", re.IGNORECASE
)
"""What a number counts, which says nothing more: ``set max absence 5 days``."""
_WITHOUT = ("no", "not", "un")
_ON = frozenset({"on", "yes", "true", "1", "sí", "sì", "si"})
_OFF = frozenset({"off", "no", "false", "0", "never", "nunca", "mai"})
_AND = frozenset({",", ";", "and", "&", "+"})
_ENDS = ".;:=!"
_EQUALS = re.compile(r"(?P<name>[^\s=:,][^=:,]*?)\s*(?P<sign>[=:])")
_LIKE = 0.7
_MAX_MEANT = 4


class _Found(NamedTuple):
    """A setting's name in a line, and the number of the word behind it."""

    option: SettingName
    on: bool
    behind: int


class _Value(NamedTuple):
    """The value behind a setting's name, and its end in the line."""

    words: tuple[str, ...]
    end: int
    reverses: bool = False
    """True for a word that switches it off."""


def read_settings(line: str, start: int) -> Set | ParseError:
    """Read what stands behind ``set``.

    :param line: the whole line.
    :param start: the beginning of the settings.
    :returns: the settings, or the first that is unknown or lacks its value.
    """
    text = _without_equals(line, start)
    settings: list[Setting] = []
    words = _words(text, start)
    while words:
        if len(settings) == MAX_SETTINGS:
            return ParseError(line, words[0].start(), Fault.UNEXPECTED, TOO_MANY)
        found = _named(words)
        if found is None:
            return _unknown(line, words)
        value = _value(text, found, words)
        if isinstance(value, ParseError):
            return replace(value, line=line)
        settings.append(Setting(found.option.key, found.on is not value.reverses, value.words))
        words = _behind(words, value.end)
    if not settings:
        return ParseError(line, len(line), Fault.INCOMPLETE, Message("language.what_to_set"))
    return Set(tuple(settings))


def _without_equals(line: str, start: int) -> str:
    """The line with spaces for the signs of ``set password = new``, ``set address: a@b``."""
    found = _EQUALS.match(line, start + len(line[start:]) - len(line[start:].lstrip()))
    words = list(_WORD.finditer(found["name"])) if found is not None else []
    named = _named(words)
    if found is None or named is None or named.behind < len(words):
        return line
    at = found.start("sign")
    return f"{line[:at]} {line[at + 1 :]}"


def _words(line: str, start: int) -> list[re.Match[str]]:
    return list(dropwhile(_is_and, _WORD.finditer(line, start)))


def _behind(words: Sequence[re.Match[str]], end: int) -> list[re.Match[str]]:
    first = next((n for n, word in enumerate(words) if word.start() >= end), len(words))
    return list(dropwhile(_is_and, words[first:]))


def _is_comma(word: re.Match[str]) -> bool:
    return word.group() == ","


def _is_and(word: re.Match[str]) -> bool:
    return word.group().lower() in _AND


def _named(words: Sequence[re.Match[str]]) -> _Found | None:
    said = [word.group().lower().rstrip(_ENDS) for word in words[:_MAX_WORDS]]
    for count in range(len(said), 0, -1):
        name = " ".join(said[:count])
        for without in ("", *_WITHOUT):
            option = options().get(name.removeprefix(without).lstrip())
            if option is not None and name.startswith(without):
                return _Found(option, option.on != bool(without), count)
    return None


def _value(line: str, found: _Found, words: Sequence[re.Match[str]]) -> _Value | ParseError:
    behind, after = words[found.behind :], words[found.behind - 1].end()
    match found.option.takes:
        case Takes.NOTHING:
            return _switch(found, _up_to_next(behind, after))
        case Takes.WORDS:
            value = _value_of(behind[: _end_of_words(behind)], after)
            return _switch(found, value) if found.option.key == "draw" else value
        case Takes.LINE:
            rest = line[after:].strip()
            value = _Value((rest,) if rest else (), len(line))
        case Takes.WORD | Takes.NUMBER:
            value = _value_of(islice(_ONE_WORD.finditer(line, after), 1), after)
            if found.option.takes is Takes.NUMBER and (unit := _UNIT.match(line, value.end)):
                value = value._replace(end=unit.end())
    if not _is_enough(found, value):
        return _missing(line, found, after)
    return _one_word(line, found, value) if found.option.key == "password" else value


def _end_of_words(behind: Sequence[re.Match[str]]) -> int:
    for number, word in enumerate(behind):
        more = behind[number + 1 : number + 2]
        if _is_comma(word) and not (more and "@" in more[0].group()):
            return number
    return len(behind)


def _switch(found: _Found, value: _Value) -> _Value:
    """``set wait off``, ``set plague on``: the word switches the setting."""
    word = value.words[0].lower().rstrip(_ENDS) if len(value.words) == 1 else ""
    if word in _ON | _OFF and found.option.key != "dice":
        return _Value((), value.end, reverses=word in _OFF)
    return value


def _one_word(line: str, found: _Found, value: _Value) -> _Value | ParseError:
    """A password has no space: what follows is another setting, or a slip."""
    behind = _WORD.search(line, value.end)
    if behind is None or _is_comma(behind) or line[value.end - 1] == ",":
        return value
    reason = Message("language.password_is_a_word")
    return ParseError(line, value.end - len(value.words[0]), Fault.UNEXPECTED, reason)


def _up_to_next(behind: Sequence[re.Match[str]], after: int) -> _Value:
    count = next(
        (n for n, word in enumerate(behind) if _is_and(word) or _named(behind[n:])), len(behind)
    )
    return _value_of(behind[:count], after)


def _value_of(words: Iterable[re.Match[str]], after: int) -> _Value:
    kept = list(words)
    texts = (word.group().rstrip(",") for word in kept)
    return _Value(tuple(filter(None, texts)), kept[-1].end() if kept else after)


def _is_enough(found: _Found, value: _Value) -> bool:
    if not found.on:
        return True
    if found.option.takes is Takes.NUMBER:
        return any(_NUMBER.fullmatch(word) for word in value.words)
    return bool(value.words)


def _missing(line: str, found: _Found, after: int) -> ParseError:
    reason = Message(f"language.needs.{found.option.takes.value}", key=found.option.key)
    return ParseError(line, min(after + 1, len(line)), Fault.INCOMPLETE, reason)


def _unknown(line: str, words: Sequence[re.Match[str]]) -> ParseError:
    """The refusal of an unknown setting, with the nearest name."""
    word = words[0]
    said = word.group().lower().rstrip(_ENDS)
    meant = tuple(name for name in _own_names() if name.startswith(f"{said} "))[:_MAX_MEANT]
    reason = Message("language.no_setting", found=word.group())
    return ParseError(
        line,
        word.start(),
        Fault.UNEXPECTED,
        reason,
        word.group(),
        tuple(f"set {name}" for name in meant),
        None if meant else _nearest(line, words),
    )


def _own_names() -> list[str]:
    """The names of the settings of this judge, without those of others."""
    return [name for name, option in options().items() if not option.key.startswith("foreign")]


_OTHERWISE = {
    **dict.fromkeys(("days", "weekdays", "weekend", "weekends"), "MOVES DAYS -MTWTF-"),
    **dict.fromkeys(("hours", "clock", "time", "times", "phase"), "MOVES NEXT 72 CLOCK 20:00"),
}
"""What stands here for the names that masters expect."""


def _nearest(line: str, words: Sequence[re.Match[str]]) -> str | None:
    before = line[: words[0].start()]
    for count in (1, 2):
        said = " ".join(word.group().lower() for word in words[:count])
        for without in ("", *_WITHOUT):
            other = _OTHERWISE.get(said.removeprefix(without).lstrip())
            if other is not None:
                return before + other
        like = get_close_matches(said, _own_names(), n=1, cutoff=_LIKE)
        if like and len(words) >= count:
            return before + like[0] + line[words[count - 1].end() :]
    return None
