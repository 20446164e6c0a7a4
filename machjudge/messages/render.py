"""Compose messages from templates: their head, the facts of answers and press, the pages."""

from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cached_property, partial
from itertools import groupby
from pathlib import Path
from typing import Any

import jinja2

from machjudge.adjudicator.moments import Moment, Stage
from machjudge.adjudicator.names import MachjudgeError
from machjudge.messages import wording
from machjudge.messages.catalogue import LANGUAGE, Catalogue
from machjudge.messages.layout import (
    KINDS,
    InlinePicture,
    clean_lines,
    indented,
    laid,
    marked,
    one_line,
)
from machjudge.messages.wording import LineError, Words, full_sentence, header_time
from machjudge.translatable import Message, MessageOrText


def flag_line(power: str) -> Message:
    """The error flag of a power, by its name."""
    return Message("delays.flag", power=power)


def flag_help(*, holds: bool) -> Message:
    """What clears the error flag; *holds* before the deadline, when the phase waits for that."""
    return Message("delays.flag_help", holds=holds)


def wait_line(power: str) -> Message:
    """Return the line that says that a power wishes to wait."""
    return Message("delays.wait", power=power)


def without_orders(stage: Stage, *, holds: bool, money: bool, is_silent: bool) -> Message:
    """Return what happens to units without orders: *holds* where the late may only hold.

    *is_silent*: the power has no orders on file.
    """
    match stage:
        case Stage.CAMPAIGN:
            return Message(f"delays.without_orders.{'all' if holds else 'some'}_hold")
        case Stage.RETREATS:
            return Message("delays.without_orders.disbanded")
        case Stage.ADJUSTMENT if money:
            key = "kept_by_ducats" if is_silent else "not_maintained"
            return Message(f"delays.without_orders.{key}")
        case Stage.ADJUSTMENT:
            return Message("delays.without_orders.chosen")


def phase_name(words: Words, moment: Moment) -> Message:
    """Return ``Spring 1454``, ``Spring 1454 retreats``, for subjects."""
    campaign = words.moment(moment).fields["campaign"]
    return Message(f"news.phase.{moment.stage.name.lower()}", campaign=campaign)


@dataclass(frozen=True, slots=True)
class MessageHeader:
    """The game in the two machine-readable lines that begin with two colons."""

    judge: str
    """The judge's code, such as ``MACH``."""
    game: str = ""
    """Empty in messages without a game."""
    variant: str = ""
    """The title of the scenario with its id."""
    phase: str = ""
    """The code of the phase being played, such as ``S1454M``; else empty."""
    deadline: datetime | None = None
    state: str = ""
    """Replaces a deadline: ``forming``, ``finished``."""
    ends: datetime | None = None
    """The end of the game, if it is won or broken off."""
    won: bool = False
    """True if it was won."""
    next: MessageOrText = ""
    """The phase in words: ``Spring 1454``."""

    @property
    def lines(self) -> tuple[str, ...]:
        """Return the lines with two colons: two in messages about a game, otherwise one."""
        if not self.game:
            return (f":: Judge: {self.judge}",)
        first = f":: Judge: {self.judge}  Game: {self.game}  Variant: {self.variant}"
        if self.ends is not None:
            return (first, f":: Deadline: none (ends {header_time(self.ends)})")
        if self.deadline is None:
            return (first, f":: Deadline: none ({self.state})")
        due = f"{self.phase} {header_time(self.deadline)}".lstrip()
        return (first, f":: Deadline: {due}")

    @property
    def tag(self) -> str:
        """Return the beginning of subjects: ``borgia:``, or ``MACH:`` without a game."""
        return f"{self.game.lower() or self.judge}:"


@dataclass(frozen=True, slots=True)
class Reader:
    """The reader of a message, and the time."""

    zone: tzinfo
    now: datetime
    language: str = LANGUAGE
    html: bool = True
    """True if the message has an HTML part."""
    pictures: bool = True
    """True if that part shows maps."""
    json: bool = False
    """True if results have a JSON file."""

    def left(self, until: datetime) -> timedelta:
        """Return the remaining time; negative after the deadline."""
        return until - self.now


MAX_TROUBLES = 25
"""The most refused lines that are explained."""


@dataclass(frozen=True, slots=True)
class Text:
    """A requested text: a listing, the help, the rules."""

    title: MessageOrText
    lines: tuple[MessageOrText, ...]


@dataclass(frozen=True, slots=True)
class File:
    """An attached file."""

    name: str
    media_type: str
    content: bytes


@dataclass(slots=True)
class Answer:
    """The contents of an answer."""

    verdict: list[MessageOrText] = field(default_factory=list)
    """The most important statement, first."""
    troubles: list[LineError] = field(default_factory=list)
    done: list[MessageOrText] = field(default_factory=list)
    undo: list[str] = field(default_factory=list)
    """The lines that take back what was done, in the order in which to send them."""
    standing: dict[str, tuple[MessageOrText, ...]] = field(default_factory=dict)
    """Final states after all commands, by subject."""
    ignored: list[MessageOrText] = field(default_factory=list)
    overlooked: list[int] = field(default_factory=list)
    """The numbers of lines that look like orders but are not read there."""
    orders: list[MessageOrText] = field(default_factory=list)
    later: list[MessageOrText] = field(default_factory=list)
    """Orders for later phases."""
    numbers: list[MessageOrText] = field(default_factory=list)
    """The numbers by which order sets on file can be restored."""
    money: list[MessageOrText] = field(default_factory=list)
    """The money, in games with ducats."""
    warnings: list[MessageOrText] = field(default_factory=list)
    """Orders on file that will probably fail; no errors."""
    notices: list[MessageOrText] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)
    files: list[File] = field(default_factory=list)
    pictures: tuple[InlinePicture, ...] = ()
    """The pictures of the orders."""

    def with_rest(self, rest: "Answer") -> "Answer":
        """Return the answer to a mail whose later lines *rest* answers."""
        both: dict[str, Any] = {
            each.name: getattr(self, each.name) + getattr(rest, each.name)
            for each in fields(self)
            if each.name != "standing"
        }
        # What was done last is taken back first.
        both |= {"standing": self.standing | rest.standing, "undo": rest.undo + self.undo}
        return Answer(**both)

    @property
    def errors(self) -> int:
        """Return the number of refused lines."""
        return len(self.troubles)

    def done_lines(self) -> tuple[MessageOrText, ...]:
        """Return what was done, and the state after it."""
        return (*self.done, *(line for lines in self.standing.values() for line in lines))

    def trouble_lines(self, say: Callable[[MessageOrText], str]) -> tuple[str, ...]:
        """Return the troubles by line; a reason that neighbours share is said once."""
        ordered = sorted(self.troubles, key=lambda trouble: trouble.number)
        shown, lines = ordered[:MAX_TROUBLES], list[str]()
        for _, group in groupby(shown, lambda one: one.reason if one.is_bare else one):
            *above, last = group
            lines += [*last.lines(say, above), ""]
        more = len(ordered) - MAX_TROUBLES
        if more > 0:
            lines.append(say(Message("trouble.more", n=more)))
        return tuple(lines if more > 0 else lines[:-1])


@dataclass(frozen=True, slots=True)
class Aim:
    """The addressees of a message, real or as it says."""

    words: MessageOrText
    """``Milan and Venice``, ``everybody``; "" if it does not say."""
    to_all: bool = False
    """True for everybody."""


EVERYBODY = Aim(Message("press.everybody"), to_all=True)
UNNAMED = Aim(Message("press.its_writer"))
"""The author of anonymous press, for those who answer it."""
UNTOLD = Aim("")
"""The addressees of anonymous press to some: who is missing would betray the author."""


def title(author: MessageOrText, aim: Aim, *, anonymous: bool = False) -> Message:
    """Return ``Press from Florence to Milan and Venice``, ``Anonymous broadcast to everybody``.

    *author* is empty if the reader may not know it.
    """
    return Message(
        "press.title", author=author, aim=aim.words, to_all=aim.to_all, anonymous=anonymous
    )


def subject(author: MessageOrText, aim: Aim, *, anonymous: bool = False) -> Message:
    """Return ``press from Florence to Milan``, ``broadcast from Florence``, ``anonymous press``.

    *author* is empty if the reader may not know it; others also read that the rest do not.
    """
    return Message(
        "press.subject", author=author, aim=aim.words, to_all=aim.to_all, anonymous=anonymous
    )


_LONGEST_SUBJECT = 200


class BadTemplate(MachjudgeError):
    """A template is missing, or asks for an unknown value."""


@dataclass(frozen=True, slots=True)
class Page:
    """A message for one reader."""

    subject: str
    body: str
    phase: str = ""
    """The code of the phase in its head, which is its thread."""
    layout: str = ""
    """Language and kinds of the lines, from which its HTML is made; empty for none."""
    pictures: tuple[InlinePicture, ...] = ()


class _Templates(jinja2.Environment):
    """Templates whose globals are a plain dictionary: it is copied whenever one is rendered."""

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        return {**self.globals, **(d or {})}


class MessageRenderer:
    """Writes messages with templates of *folders*, the first of which has priority.

    Each has a folder for each *language*. The template of a message has the blocks ``subject`` and
    ``body``, that of a text only the second. The reader among the facts decides the language.
    """

    def __init__(
        self,
        folders: Sequence[Path],
        language: str = LANGUAGE,
        others: dict[str, "MessageRenderer"] | None = None,
    ) -> None:
        self.language = language
        self._folders = folders
        self._others = {} if others is None else others
        self._others[language] = self
        self._articles: dict[tuple[str, str], str] = {}
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
            auto_reload=False,
        )
        self._templates.filters.update(_FILTERS)
        self._templates.filters |= {
            "say": self._said,
            "listed": self._listed,
            "join": self._joined,
            **{
                key: partial(self._articled, key)
                for key in ("the", "subject", "of", "to", "from", "at")
            },
            "when": lambda instant, zone: self.say(wording.when(instant, zone)),
            "when_short": lambda instant, zone: self.say(wording.when_short(instant, zone)),
            "dated": lambda day, pattern: wording.dated(day, pattern, language),
            "span": lambda time: self.say(wording.span(time)),
            "ducats": lambda number: self.say(Message("text.ducats", n=number)),
        }
        self._templates.filters |= {kind: partial(self._marked, kind) for kind in KINDS}
        self._templates.globals["sentence"] = Message
        self.catalogue = Catalogue(places, self._templates, language)

    def say(self, text: MessageOrText) -> str:
        """Return the words of a message.  Raises BadCatalogue."""
        return self.catalogue.say(text)

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """Return the languages with a folder."""
        places = (each for folder in self._folders for each in folder.glob("*/"))
        return tuple(sorted({each.name for each in places if each.is_dir()}))

    def translations(self, wording: MessageOrText) -> Mapping[str, str]:
        """Return a sentence in each language in which it reads otherwise than here."""
        said = self.say(wording)
        others = {each: self.of(each).say(wording) for each in self.languages}
        return {language: text for language, text in others.items() if text != said}

    def of(self, language: str) -> "MessageRenderer":
        """Return the renderer of another language, or this one if there is none."""
        if language not in self._others and language in self.languages:
            MessageRenderer(self._folders, language, self._others)
        return self._others.get(language, self)

    def _for(self, facts: Mapping[str, object]) -> "MessageRenderer":
        reader = facts.get("reader")
        return self.of(reader.language) if isinstance(reader, Reader) else self

    @property
    def filters(self) -> Mapping[str, Callable[..., Any]]:
        """Return the filters of templates and entries."""
        return self._templates.filters

    def _articled(self, key: str, name: MessageOrText) -> str:
        """A name as the language says it there; names are few, so each is put together once."""
        at = key, self.say(name)
        if at not in self._articles:
            self._articles[at] = self.say(Message(f"text.{key}", name=at[1]))
        return self._articles[at]

    def _listed(self, items: Iterable[MessageOrText], last: str = "and") -> str:
        said = list(map(self.catalogue.say, items))
        if len(said) <= 1:
            return "".join(said)
        return f"{', '.join(said[:-1])} {self.say(Message(f'text.last.{last}', item=said[-1]))}"

    def _joined(self, items: Iterable[object], between: str = "") -> str:
        return between.join([str(self._said(item)) for item in items])

    def _said(self, value: object) -> object:
        if isinstance(value, Message) or (self.language != LANGUAGE and isinstance(value, str)):
            return self.catalogue.say(value)
        return value

    def _marked(self, kind: str, text: MessageOrText) -> str:
        return marked(kind, self.catalogue.say(text))

    def page(self, name: str, facts: Mapping[str, object]) -> Page:
        """Return the message of a purpose.  Raises BadTemplate."""
        if (renderer := self._for(facts)) is not self:
            return renderer.page(name, facts)
        subject, body = (self._block(name, part, facts) for part in ("subject", "body"))
        head, reader = facts.get("head"), facts.get("reader")
        phase = head.phase if isinstance(head, MessageHeader) else ""
        lines, title = laid(body), _subject(subject, "" if facts.get("is_plain") else phase)
        if not isinstance(reader, Reader) or not reader.html:
            return Page(title, lines.text, phase)
        return Page(title, lines.text, phase, f"{self.language} {lines.kinds}", _pictures(facts))

    def lines(self, name: str, facts: Mapping[str, object]) -> tuple[str, ...]:
        """Return the lines of a text that becomes part of a message.  Raises BadTemplate."""
        if (renderer := self._for(facts)) is not self:
            return renderer.lines(name, facts)
        return clean_lines(self._block(name, "body", facts))

    def part(self, name: str, facts: Mapping[str, object]) -> str:
        """Return the text of a template without blocks.  Raises BadTemplate."""
        try:
            return self._templates.get_template(f"{name}.txt").render(facts)
        except jinja2.TemplateError as error:
            msg = f"the template {name}.txt cannot be used: {error}"
            raise BadTemplate(msg) from error

    def document(self, name: str, facts: Mapping[str, object]) -> str:
        """Return a web page or a feed, every fact escaped but markup.  Raises BadTemplate."""
        if (renderer := self._for(facts)) is not self:
            return renderer.document(name, facts)
        try:
            file = name if "." in name else f"{name}.html"
            return self._escaping.get_template(file).render(facts)
        except jinja2.TemplateError as error:
            msg = f"the template {name} cannot be used: {error}"
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


def _subject(text: str, phase: str) -> str:
    """The subject as a line for a header, with the code of the phase at its end: ``(S1454M)``."""
    mark = f" ({phase})" if phase else ""
    return f"{one_line(text)[: _LONGEST_SUBJECT - len(mark)].rstrip()}{mark}"


def _pictures(facts: Mapping[str, object]) -> tuple[InlinePicture, ...]:
    found = facts.get("pictures", ())
    return found if isinstance(found, tuple) else ()


# Any: each filter takes a kind of its own.
_FILTERS: dict[str, Callable[..., Any]] = {
    "one_line": one_line,
    "indented": indented,
    "full_sentence": full_sentence,
    "first_line": lambda text: text.split("\n")[0],
    "header_time": header_time,
    "rfc3339": lambda at: f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}",
    "capital": lambda text: text[:1].upper() + text[1:],
    "titled": lambda items, title: wording.titled(title, items),
    "counted": wording.counted,
}
