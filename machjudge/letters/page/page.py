"""The judge's writing paper: templates in, a subject and a body out, in which nothing can hide.

Whatever the facts hold, a subject is one line, a body has no control characters, and no line of
it is longer than `LONGEST_LINE` unless it has no space to be broken at.
"""

import re
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import jinja2

from machjudge.adjudicator.model.names import MachjudgeError
from machjudge.letters.page.head import Head, Reader
from machjudge.letters.wording import times, words
from machjudge.letters.wording.catalogue import LANGUAGE, Catalogue
from machjudge.letters.wording.trouble import full_sentence
from machjudge.sentence import Sentence, Wording

WIDTH = 72
"""To how many signs a sentence is broken."""

LONGEST_LINE = 80
"""A longer line is broken; readers have 40 to 80 columns, so most tables keep below 40."""

_LONGEST_SUBJECT = 200
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
_BREAKS = re.compile(r"[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]|\r\n?")
_BLANK_LINES = re.compile(r"\n{3,}")


class BadTemplate(MachjudgeError):
    """A template is missing, or asks for something that is not there."""


@dataclass(frozen=True, slots=True)
class Page:
    """A letter as its reader sees it."""

    subject: str
    body: str
    phase: str = ""
    """The code of the phase that its head names: the thread to which the letter belongs."""


class Stationery:
    """Writes letters with the templates of *folders*, of which the first one that has it counts.

    Each of them has a folder for each *language*.  The template of a letter has two blocks,
    ``subject`` and ``body``; that of a text, the second.  Sentences that stand in one are said.
    What has a reader among its facts is written in the language of that reader.
    """

    def __init__(
        self,
        folders: Sequence[Path],
        language: str = LANGUAGE,
        others: dict[str, "Stationery"] | None = None,
    ) -> None:
        self.language = language
        self._folders = folders
        self._others = {} if others is None else others
        self._others[language] = self
        languages = dict.fromkeys((language, LANGUAGE))
        places = [folder / each for each in languages for folder in folders]
        self._templates = jinja2.Environment(
            loader=jinja2.FileSystemLoader([str(place) for place in places]),
            finalize=self._said,
            undefined=jinja2.StrictUndefined,
            autoescape=False,  # noqa: S701  letters are plain text
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
        )
        self._templates.filters.update(_FILTERS)
        self._templates.filters |= {
            "say": self._said,
            "listed": self._listed,
            "when": lambda instant, zone: self.say(times.when(instant, zone)),
            "span": lambda time: self.say(times.span(time)),
            "ducats": lambda number: self.say(Sentence("text.ducats", n=number)),
        }
        self._templates.globals["sentence"] = Sentence
        self.catalogue = Catalogue(places, self._templates)

    def say(self, wording: Wording) -> str:
        """The words of a sentence.  Raises BadCatalogue."""
        return self.catalogue.say(wording)

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """The languages for which there is a folder."""
        places = (each for folder in self._folders for each in folder.glob("*/"))
        return tuple(sorted({each.name for each in places if each.is_dir()}))

    def of(self, language: str) -> "Stationery":
        """The same templates in another language; in this one where there is no such language."""
        if language not in self._others and language in self.languages:
            Stationery(self._folders, language, self._others)
        return self._others.get(language, self)

    def _for(self, facts: Mapping[str, object]) -> "Stationery":
        reader = facts.get("reader")
        return self.of(reader.language) if isinstance(reader, Reader) else self

    @property
    def filters(self) -> Mapping[str, Callable[..., Any]]:
        """What templates and entries may put behind a value."""
        return self._templates.filters

    def _listed(self, items: Iterable[Wording], last: str = "and") -> str:
        """The items with ``and`` or ``or`` of the language before the last one."""
        said = [self.say(item) for item in items]
        if len(said) <= 1:
            return "".join(said)
        return f"{', '.join(said[:-1])} {self.say(Sentence(f'text.last.{last}', item=said[-1]))}"

    def _said(self, value: object) -> object:
        return self.catalogue.say(value) if isinstance(value, Sentence) else value

    def page(self, name: str, facts: Mapping[str, object]) -> Page:
        """The letter of that purpose.  Raises BadTemplate."""
        if (paper := self._for(facts)) is not self:
            return paper.page(name, facts)
        subject, body = (self._block(name, part, facts) for part in ("subject", "body"))
        head = facts.get("head")
        phase = head.phase if isinstance(head, Head) else ""
        return Page(one_line(subject)[:_LONGEST_SUBJECT], clean_body(body), phase)

    def lines(self, name: str, facts: Mapping[str, object]) -> tuple[str, ...]:
        """The lines of a text that becomes part of a letter.  Raises BadTemplate."""
        if (paper := self._for(facts)) is not self:
            return paper.lines(name, facts)
        return tuple(clean_body(self._block(name, "body", facts)).rstrip("\n").split("\n"))

    def part(self, name: str, facts: Mapping[str, object]) -> str:
        """The text of a template without blocks, as other templates include it.

        Raises BadTemplate.
        """
        try:
            return self._templates.get_template(f"{name}.txt").render(facts)
        except jinja2.TemplateError as error:
            msg = f"the template {name}.txt cannot be used: {error}"
            raise BadTemplate(msg) from error

    def _block(self, name: str, block: str, facts: Mapping[str, object]) -> str:
        try:
            template = self._templates.get_template(f"{name}.txt")
            return "".join(template.blocks[block](template.new_context(dict(facts))))
        except (jinja2.TemplateError, KeyError) as error:
            msg = f"the template {name}.txt cannot be used: {error}"
            raise BadTemplate(msg) from error


def one_line(text: str) -> str:
    """The text as a single line without control characters, so that it can start no header."""
    return _CONTROL.sub("", " ".join(_BREAKS.sub(" ", text).split()))


def clean_body(text: str) -> str:
    """The text without control characters, with lines that fit and no heaps of empty lines."""
    lines = _CONTROL.sub("", _BREAKS.sub("\n", text).expandtabs(4)).split("\n")
    fitting = "\n".join(piece for line in lines for piece in _fitted(line.rstrip()))
    return _BLANK_LINES.sub("\n\n", fitting).strip("\n") + "\n"


def _fitted(line: str) -> list[str]:
    """The line in pieces; those after the first are indented as far as its text, and two more."""
    if len(line) <= LONGEST_LINE or line.startswith("::"):
        return [line]
    text = line.lstrip(" ")
    indent = " " * min(len(line) - len(text), WIDTH // 2)
    pieces = textwrap.wrap(
        text,
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent + ("  " if indent else ""),
        break_long_words=False,
        break_on_hyphens=False,
    )
    return pieces or [""]


def indented(text: str, by: str = "  ") -> str:
    """The text with every line moved in, so that none of them can pass for one of ours."""
    return "\n".join(by + line for line in _BREAKS.sub("\n", text).split("\n"))


# Any: each filter takes a kind of its own.
_FILTERS: dict[str, Callable[..., Any]] = {
    "one_line": one_line,
    "indented": indented,
    "full_sentence": full_sentence,
    "first_line": lambda text: text.split("\n")[0],
    "header_time": times.header_time,
    "flowed": lambda items, title, width: "\n".join(words.flowed(title, items, width)),
    "counted": lambda number, noun, plural="": words.counted(number, noun, plural),
    "beside": words.beside,
    "unbroken": lambda items: "\n".join(words.unbroken(items)),
}
