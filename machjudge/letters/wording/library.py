"""The texts that are sent for the asking: our own, from a fixed list of files, as plain lines."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from machjudge.adjudicator.model.names import MachjudgeError
from machjudge.language.vocabulary.words import fold
from machjudge.letters.wording.catalogue import LANGUAGE


class TextMissing(MachjudgeError):
    """A file of the list is not where the program's files are."""


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
"""The file of each text that can be sent, by the word behind ``get``; nothing else ever is."""

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
"""The file names of the old judge, each with our text of the same purpose, or a part of it."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the rules: ``SIE``, what it is about, and its lines."""

    area: str
    title: str
    lines: tuple[str, ...]


class Library:
    """The folder in which the texts lie, with a folder for each other language.

    A text that a language has not is the English one.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def is_in(self, language: str, name: str) -> bool:
        """Whether a text of the list is there in a language.  Raises KeyError."""
        return language == LANGUAGE or self._own(name, language).is_file()

    def lines(self, name: str, language: str = LANGUAGE) -> tuple[str, ...]:
        """A text of the list, without the signs of its mark-up.  Raises TextMissing, KeyError."""
        return _plain_file(self._file(name, language))

    def sections(self, language: str = LANGUAGE) -> tuple[Section, ...]:
        """The rules in parts.  Raises TextMissing."""
        return _sections(self._file("rules", language))

    def rules_about(self, wanted: str, language: str = LANGUAGE) -> tuple[str, ...]:
        """A section by its letters or words of its title, one rule by its number; or nothing.

        The words may be those of the language, or English.
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
    for line in [*_read(file), "## END — end"]:
        heading = _HEADING.match(line)
        if heading is None:
            lines.append(_plain(line))
            continue
        if area:
            parts.append(Section(area, title, _trimmed(lines)))
        area, title, lines = heading[1], _plain(heading[2]), []
    return tuple(parts)


def _trimmed(lines: Sequence[str]) -> tuple[str, ...]:
    return tuple("\n".join(lines).strip("\n").split("\n"))


@cache
def _plain_file(file: Path) -> tuple[str, ...]:
    return tuple(_plain_lines(_read(file)))


_MARGINS = {"mail": "| ", "letter": "> "}
"""What stands before the lines of a mail that a guide shows, and before those of a letter."""


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
            yield _plain(line)


def _read(file: Path) -> list[str]:
    try:
        return file.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        msg = f"the text {file.name} is missing from this installation"
        raise TextMissing(msg) from error


_LINK = re.compile(r"\[([^\]]+)\]\([^)]+\)")


def _plain(line: str) -> str:
    """A line without the signs of Markdown; headings in capitals."""
    text = _LINK.sub(r"\1", line).replace("**", "").replace("`", "")
    if text.startswith("#"):
        return text.lstrip("# ").upper()
    return text
