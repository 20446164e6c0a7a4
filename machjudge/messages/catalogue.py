"""The words of messages in each language, and the texts that can be requested."""

import re
import tomllib
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import starmap
from pathlib import Path
from typing import Any

import jinja2

from machjudge.adjudicator.names import MachjudgeError
from machjudge.language.words import fold
from machjudge.translatable import Message, MessageOrText, TranslatedText

# The sentences of one language: the files ``*.toml`` of its folder, each entry a small template.
# An entry is found by the name of its file and its own: ``setup.name_taken``. It is written like
# the templates of messages (Jinja), with the fields of the sentence as its variables.
LANGUAGE = "en"
"""The complete language, which other ones fall back to."""

_FIELD = re.compile(r"\{\{ (\w+)(?: \| say)? \}\}")
"""A field, already in words."""


class BadCatalogue(MachjudgeError):
    """An entry is missing, unreadable, or asks for an unknown field."""


class Catalogue:
    """Says sentences with entries of *folders*, the first of which has priority."""

    def __init__(
        self, folders: Sequence[Path], compiler: jinja2.Environment, language: str = LANGUAGE
    ) -> None:
        self.language = language
        self._is_usual = language == LANGUAGE
        self._folders = folders
        self._compiler = compiler
        self._compiled: dict[str, Callable[..., str]] = {}

    def say(self, wording: MessageOrText) -> str:
        """The words of a sentence; text stays as it is.  Raises BadCatalogue."""
        if isinstance(wording, str):
            return wording if self._is_usual else self._in_own_words(wording)
        entry = self._compiled.get(wording.key)
        if entry is None:
            entry = self._compiled[wording.key] = self._compile(wording.key)
        fields = wording.fields
        for name, value in fields.items():
            if isinstance(value, Message):
                fields[name] = self.say(value)
            elif not self._is_usual:
                fields[name] = self._in_words(value)
        try:
            return entry(**fields).removesuffix("\n")
        except (jinja2.TemplateError, KeyError) as error:
            msg = f"the sentence {wording.key} cannot be said: {error}"
            raise BadCatalogue(msg) from error

    def _in_words(self, value: Hashable) -> Hashable:
        """A field, with the names in it as this language has them."""
        if isinstance(value, tuple):
            return tuple(self._in_own_words(v) if isinstance(v, str) else v for v in value)
        return self.say(value) if isinstance(value, Message | str) else value

    def _in_own_words(self, text: str) -> str:
        """A text, with the names in it as this language has them."""
        return text.said(self.language, self.say) if isinstance(text, TranslatedText) else text

    @cached_property
    def entries(self) -> Mapping[str, str]:
        """All entries by their keys.  Raises BadCatalogue."""
        found: dict[str, str] = {}
        for folder in reversed(self._folders):
            for file in sorted(folder.glob("*.toml")):
                found.update(starmap(_as_named_now, _flat(file.stem, _read(file))))
        return found

    def _compile(self, key: str) -> Callable[..., str]:
        text = self.entries.get(key)
        if text is None:
            msg = f"there is no sentence {key} in the catalogue"
            raise BadCatalogue(msg)
        if (plain := _plain(text)) is not None:
            return plain
        try:
            return self._compiler.from_string(text).render
        except jinja2.TemplateError as error:
            msg = f"the sentence {key} cannot be read: {error}"
            raise BadCatalogue(msg) from error


# Names of version 1.0.0, which catalogues of keepers may use as long as the major version is 1.
_FORMER_AREAS = {"cautions": "order_warnings", "why": "reasons"}
_FORMER_NAMES = {
    "options.told": "chosen",
    "replay.told": "contents",
    "press.told_standing": "announced",
}
_FORMER_FIELDS = {"setup": "change", "phases": "change", "archive": "instead"}
_CODE = re.compile(r"\{[{%].*?[%}]\}")


def _as_named_now(key: str, text: str) -> tuple[str, str]:
    """Return an entry of a keeper with the names of today."""
    area, _, name = key.partition(".")
    if key in _FORMER_NAMES:
        name = _FORMER_NAMES[key]
    elif name.rpartition(".")[2] == "told":
        name = f"{name.removesuffix('told')}announced"
    field = _FORMER_FIELDS.get(area, "lines")

    def renamed(found: re.Match[str]) -> str:
        code = found[0].replace('conduct.vacant.name != "OFF"', "settings.vacant")
        return re.sub(r"\btold\b", field, re.sub(r"\bconduct\b", "settings", code))

    return f"{_FORMER_AREAS.get(area, area)}.{name}", _CODE.sub(renamed, text)


def _plain(text: str) -> Callable[..., str] | None:
    """Return an entry of fields only, as the templates would say it but faster; else None."""
    words, names = _FIELD.split(text)[::2], _FIELD.findall(text)
    if any("{" in each for each in words):
        return None
    pairs = tuple(zip(words[1:], names, strict=True))

    def said(**fields: object) -> str:
        text = words[0]
        for end, name in pairs:
            text += f"{fields[name]}{end}"
        return text

    return said


def _read(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        msg = f"the catalogue {file.name} cannot be read: {error}"
        raise BadCatalogue(msg) from error


def _flat(prefix: str, table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in table.items():
        key = f"{prefix}.{name}"
        if isinstance(value, dict):
            yield from _flat(key, value)
        else:
            yield key, str(value).removesuffix("\n")


class TextMissing(MachjudgeError):
    """A text of the list has no file."""


TEXTS: Mapping[str, str] = {
    "rules": "rules.md",
    "syntax": "orders.md",
    "rulings": "rulings.md",
    "options": "options.md",
    "commands": "commands.md",
    "guide": "playing.md",
    "press": "press.md",
    "mastering": "mastering.md",
    "dice": "dice.md",
    "deviations": "deviations.md",
    "byhand": "by_hand.md",
}
"""The file of each text that can be sent, by the word behind ``get``."""

OTHER_NAMES: Mapping[str, str] = {
    "rules.machiavelli": "rules",
    "rules.mach": "rules",
    "rules.mach2": "rules/mach2",
    "rules.machiavelli2": "rules/mach2",
    "rules.standard": "rules",
    "flags": "options",
    "presets": "options",
    "syntax.machiavelli": "syntax",
    "orders": "syntax",
    "help": "commands",
    "master": "mastering",
    "info.master": "mastering",
    "set": "commands",
    "deadlines": "commands",
    "info": "guide",
    "info.machiavelli": "guide",
    "info.mach": "guide",
    "info.player": "guide",
    "info.observer": "guide",
    "intro": "guide",
    "newplayer": "package",
    "new": "package",
    "register": "guide",
    "registration": "guide",
    "signon": "commands",
    "observe": "commands",
    "create": "commands",
    "mail": "guide",
    "faq": "guide",
    "house": "guide",
    "house.rules": "guide",
    "lists": "commands",
    "list": "commands",
    "dedication": "commands",
    "dedsystems": "commands",
    "variants": "scenarios",
    "data": "index",
    "preferences": "commands",
    "absence": "commands",
    "draws": "commands",
    "diary": "commands",
    "rules.dipmach": "rules/dipmach",
    "machart": "deviations",
    "bugs": "deviations",
    "ruling": "rulings",
    "differences": "deviations",
    "places": "map",
    "table": "byhand",
    "by_hand": "byhand",
    "machiavelli.ps": "map",
    "files": "index",
}
"""The old judge's file names, each with our text of the same purpose."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the rules: its letters such as ``SIE``, its title and lines."""

    area: str
    title: str
    lines: tuple[str, ...]


class Library:
    """The folder of the texts and their translations; missing ones are in English."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def is_in(self, language: str, name: str) -> bool:
        """Return whether a text exists in a language.  Raises KeyError."""
        return language == LANGUAGE or self._own(name, language).is_file()

    def lines(self, name: str, language: str = LANGUAGE) -> tuple[str, ...]:
        """A text of the list, without the signs of its mark-up.  Raises TextMissing, KeyError."""
        return _plain_text(self._file(name, language))

    def sections(self, language: str = LANGUAGE) -> tuple[Section, ...]:
        """The rules in parts.  Raises TextMissing."""
        return _sections(self._file("rules", language))

    def rules_about(self, wanted: str, language: str = LANGUAGE) -> tuple[str, ...]:
        """Return a section by its letters or title, a rule by its number, or nothing.

        Titles may be in the language or in English.
        """
        word = fold(wanted.strip())
        titled = [(each, self._titles(each)) for each in self.sections(language)]
        for section, titles in titled:
            if word == section.area.lower() or word in titles:
                return (section.title, *section.lines)
        for section, _ in titled:
            rule = [line for line in section.lines if _number(line) == word] or [
                # Some lines state several rules.
                line
                for line in section.lines
                if word.startswith(f"{section.area.lower()}-") and word in line.lower()
            ]
            if rule:
                return tuple(rule)
        named = [each for each, titles in titled if word and any(word in one for one in titles)]
        return (named[0].title, *named[0].lines) if named else ()

    def _titles(self, section: Section) -> frozenset[str]:
        """The title of a section in its language and in English, in plain letters."""
        english = (each.title for each in self.sections() if each.area == section.area)
        return frozenset(map(fold, (section.title, *english)))

    def _file(self, name: str, language: str) -> Path:
        own = self._own(name, language)
        return own if own.is_file() else self._folder / TEXTS[name]

    def _own(self, name: str, language: str) -> Path:
        return self._folder / (language if language != LANGUAGE else "") / TEXTS[name]


_HEADING = re.compile(r"^## ([A-Z]{3}) — (.+)$")
_RULE = re.compile(r"^- ([A-Z]{3}-\d{2})\b")


def _number(line: str) -> str:
    """The number of the rule that a line states, in lower case; empty for other lines."""
    found = _RULE.match(line)
    return found[1].lower() if found else ""


@cache
def _sections(file: Path) -> tuple[Section, ...]:
    parts: list[Section] = []
    lines: list[str] = []
    area = title = ""
    for line in [*_read_lines(file), "## END — end"]:
        heading = _HEADING.match(line)
        if heading is None:
            lines.append(_without_markup(line))
            continue
        if area:
            text = tuple("\n".join(lines).strip("\n").split("\n"))
            parts.append(Section(area, title, text))
        area, title, lines = heading[1], _without_markup(heading[2]), []
    return tuple(parts)


@cache
def _plain_text(file: Path) -> tuple[str, ...]:
    return tuple(_plain_lines(_read_lines(file)))


_MARGINS = {"mail": "| ", "letter": "> "}
"""The margins of mails shown in a guide, and of letters."""


def _plain_lines(lines: Iterable[str]) -> Iterator[str]:
    """Lines without mark-up: no comments, no fences; a margin before what they held."""
    margin: str | None = None
    for line in lines:
        if line.startswith("```"):
            kind = line[3:].partition(" ")[0]
            margin = _MARGINS.get(kind, "    ") if margin is None else None
        elif margin is not None:
            yield f"{margin}{line}".rstrip()
        elif not line.startswith("<!--"):
            yield _without_markup(line)


def _read_lines(file: Path) -> list[str]:
    try:
        return file.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        msg = f"the text {file.name} is missing from this installation"
        raise TextMissing(msg) from error


_LINK = re.compile(r"\[([^\]]+)\]\([^)]+\)")


def _without_markup(line: str) -> str:
    """A line without the signs of Markdown; headings in capitals."""
    text = _LINK.sub(r"\1", line).replace("**", "").replace("`", "")
    if text.startswith("#"):
        return text.lstrip("# ").upper()
    return text
