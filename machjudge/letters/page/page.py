"""The judge's writing paper: templates in, a subject and a body out, in which nothing can hide.

Whatever the facts hold, a subject is one line, a body has no control characters, and no line of
it is longer than `LONGEST_LINE` unless it has no space to be broken at.
"""

from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import jinja2

from machjudge.adjudicator.model.names import MachjudgeError
from machjudge.letters.layout.lines import KINDS, clean_lines, indented, laid, marked, one_line
from machjudge.letters.layout.picture import InlinePicture
from machjudge.letters.page.head import Head, Reader
from machjudge.letters.wording import times, words
from machjudge.letters.wording.catalogue import LANGUAGE, Catalogue
from machjudge.letters.wording.trouble import full_sentence
from machjudge.sentence import Sentence, Wording

_LONGEST_SUBJECT = 200


class BadTemplate(MachjudgeError):
    """A template is missing, or asks for something that is not there."""


@dataclass(frozen=True, slots=True)
class Page:
    """A letter as its reader sees it."""

    subject: str
    body: str
    phase: str = ""
    """The code of the phase that its head names: the thread to which the letter belongs."""
    layout: str = ""
    """The language and the kinds of the lines, from which its HTML is made; empty for none."""
    pictures: tuple[InlinePicture, ...] = ()


class _Templates(jinja2.Environment):
    """Templates whose globals are a plain dictionary: it is copied whenever one is rendered."""

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """The globals of a template."""
        return {**self.globals, **(d or {})}


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
        self._templates = _Templates(
            loader=jinja2.FileSystemLoader([str(place) for place in places]),
            finalize=self._said,
            undefined=jinja2.StrictUndefined,
            autoescape=False,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
        )
        self._templates.filters.update(_FILTERS)
        self._templates.filters |= {
            "say": self._said,
            "listed": self._listed,
            "join": self._joined,
            "the": lambda name: self.say(Sentence("text.the", name=name)),
            "subject": lambda name: self.say(Sentence("text.subject", name=name)),
            "of": lambda name: self.say(Sentence("text.of", name=name)),
            "to": lambda name: self.say(Sentence("text.to", name=name)),
            "from": lambda name: self.say(Sentence("text.from", name=name)),
            "when": lambda instant, zone: self.say(times.when(instant, zone)),
            "dated": lambda day, pattern: times.dated(day, pattern, language),
            "span": lambda time: self.say(times.span(time)),
            "ducats": lambda number: self.say(Sentence("text.ducats", n=number)),
        } | {kind: partial(self._marked, kind) for kind in KINDS}
        self._templates.globals["sentence"] = Sentence
        self.catalogue = Catalogue(places, self._templates, language)

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

    def _joined(self, items: Iterable[object], between: str = "") -> str:
        """The items with a text between them."""
        return between.join(str(self._said(item)) for item in items)

    def _said(self, value: object) -> object:
        if isinstance(value, Sentence) or (self.language != LANGUAGE and isinstance(value, str)):
            return self.catalogue.say(value)
        return value

    def _marked(self, kind: str, wording: Wording) -> str:
        return marked(kind, self.say(wording))

    def page(self, name: str, facts: Mapping[str, object]) -> Page:
        """The letter of that purpose.  Raises BadTemplate."""
        if (paper := self._for(facts)) is not self:
            return paper.page(name, facts)
        subject, body = (self._block(name, part, facts) for part in ("subject", "body"))
        head, reader = facts.get("head"), facts.get("reader")
        phase = head.phase if isinstance(head, Head) else ""
        lines, title = laid(body), one_line(subject)[:_LONGEST_SUBJECT]
        if not isinstance(reader, Reader) or not reader.html:
            return Page(title, lines.text, phase)
        return Page(title, lines.text, phase, f"{self.language} {lines.kinds}", _pictures(facts))

    def lines(self, name: str, facts: Mapping[str, object]) -> tuple[str, ...]:
        """The lines of a text that becomes part of a letter.  Raises BadTemplate."""
        if (paper := self._for(facts)) is not self:
            return paper.lines(name, facts)
        return clean_lines(self._block(name, "body", facts))

    def part(self, name: str, facts: Mapping[str, object]) -> str:
        """The text of a template without blocks, as other templates include it.

        Raises BadTemplate.
        """
        try:
            return self._templates.get_template(f"{name}.txt").render(facts)
        except jinja2.TemplateError as error:
            msg = f"the template {name}.txt cannot be used: {error}"
            raise BadTemplate(msg) from error

    def document(self, name: str, facts: Mapping[str, object]) -> str:
        """A web page, in which every fact is escaped but markup.  Raises BadTemplate."""
        if (paper := self._for(facts)) is not self:
            return paper.document(name, facts)
        try:
            return self._escaping.get_template(f"{name}.html").render(facts)
        except jinja2.TemplateError as error:
            msg = f"the template {name}.html cannot be used: {error}"
            raise BadTemplate(msg) from error

    @cached_property
    def _escaping(self) -> jinja2.Environment:
        return self._templates.overlay(autoescape=True)

    def _block(self, name: str, block: str, facts: Mapping[str, object]) -> str:
        try:
            template = self._templates.get_template(f"{name}.txt")
            return "".join(template.blocks[block](template.new_context(dict(facts))))
        except (jinja2.TemplateError, KeyError) as error:
            msg = f"the template {name}.txt cannot be used: {error}"
            raise BadTemplate(msg) from error


def _pictures(facts: Mapping[str, object]) -> tuple[InlinePicture, ...]:
    found = facts.get("pictures", ())
    return found if isinstance(found, tuple) else ()


# Any: each filter takes a kind of its own.
_FILTERS: dict[str, Callable[..., Any]] = {
    "one_line": one_line,
    "indented": indented,
    "full_sentence": full_sentence,
    "first_line": lambda text: text.split("\n")[0],
    "header_time": times.header_time,
    "capital": lambda text: text[:1].upper() + text[1:],
    "titled": lambda items, title: words.titled(title, items),
    "counted": lambda number, noun, plural="": words.counted(number, noun, plural),
}
