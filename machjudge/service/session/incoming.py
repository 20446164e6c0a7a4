"""Raw mails as they are read: with the words of the judge's own language, each line once."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from typing import Any

from machjudge.adjudicator.model.moments import Stage
from machjudge.adjudicator.model.names import MachjudgeError
from machjudge.language.commands import openings
from machjudge.language.commands.commands import Command, NotACommand
from machjudge.language.commands.dialogue import parse_command
from machjudge.language.orders.sweeps import Piece, advised, read_pieces
from machjudge.language.vocabulary.lexicon import Lexicon
from machjudge.language.vocabulary.said import Problem
from machjudge.letters.page.page import Stationery
from machjudge.letters.wording.catalogue import BadCatalogue
from machjudge.letters.wording.library import OTHER_NAMES, TEXTS
from machjudge.reading import Line, Mail, ReadingLimits, Vocabulary, read, redact, words_of
from machjudge.sentence import Sentence

NOT_KEPT = b"\n[not kept: this mail cannot be shown without the passwords that may be in it]\n"


@cache
def vocabulary() -> Vocabulary:
    """The words by which commands and orders are known in a mail; gathered at the first call."""
    return Vocabulary(
        openings.commands(),
        openings.verbs(),
        openings.whole_orders(),
        openings.deeds(),
        frozenset((*TEXTS, *OTHER_NAMES)),
    )


class Unreadable(MachjudgeError):
    """Reading a mail raised an error; it would do so again. *kind* is the error's name."""

    def __init__(self, kind: str) -> None:
        msg = f"cannot be read: {kind}"
        super().__init__(msg)
        self.kind = kind


@contextmanager
def faults_of_reading() -> Iterator[None]:
    """Turn whatever reading raises into Unreadable, without the text of the mail."""
    try:
        yield
    except Exception as fault:
        raise Unreadable(type(fault).__name__) from fault


_HEADINGS = ("results.section.form", "todo.send", "todo.buttons", "todo.how", "title.orders")
"""What stands in messages with lines to send back, and in no mail of a player."""


@cache
def _with_headings(paper: Stationery) -> Vocabulary:
    """The same words, and the headings of messages in every language of the templates."""
    papers = [paper.of(language) for language in paper.languages]
    try:
        said = [each.say(Sentence(key)) for each in papers for key in _HEADINGS]
    except BadCatalogue:
        return vocabulary()
    return replace(vocabulary(), headings=frozenset(" ".join(words_of(text)) for text in said))


def read_mail(
    raw: bytes,
    own: Collection[str] = (),
    limits: ReadingLimits | None = None,
    *,
    paper: Stationery | None = None,
    messages: Sequence[str] = (),
    envelope: str = "",
) -> Mail:
    """Read a mail as it came over the wire; see :func:`machjudge.reading.read`.

    *paper* is that on which the judge writes, *messages* are texts that the mail may quote.
    Raises Unreadable if something in the mail raises an error.
    """
    with faults_of_reading():
        words = vocabulary() if paper is None else _with_headings(paper)
        return read(raw, words, own, limits, messages, envelope)


class SaidLines:
    """The lines of a mail as they were read; a line is read when it is first asked for.

    It lives as long as the mail is handled: passwords stand in it.
    """

    def __init__(self) -> None:
        self._commands: dict[str, Command | NotACommand | Problem] = {}
        self._orders: dict[tuple[str, Lexicon, Stage], tuple[Piece, ...]] = {}
        self.near: dict[str, Any] = {}
        """Which command a beginning looks like that is none (see `nearest_entry`)."""
        self._advised: dict[tuple[str, Lexicon, Stage], tuple[Piece, ...]] = {}

    def command(self, line: Line) -> Command | NotACommand | Problem:
        """A line as a command, which the text of a press never is.  Raises Unreadable."""
        return NotACommand() if line.is_press else self.command_in(line.text)

    def command_in(self, text: str) -> Command | NotACommand | Problem:
        """A text as a command; see `parse_command`.  Raises Unreadable if it raises an error."""
        if text not in self._commands:
            with faults_of_reading():
                self._commands[text] = parse_command(text)
        return self._commands[text]

    def orders(self, text: str, lexicon: Lexicon, stage: Stage) -> tuple[Piece, ...]:
        """A text as orders for a kind of phase, without advice for what is wrong."""
        key = text, lexicon, stage
        if key not in self._orders:
            self._orders[key] = read_pieces(text, lexicon, stage)
        return self._orders[key]

    def advised(self, text: str, lexicon: Lexicon, stage: Stage) -> tuple[Piece, ...]:
        """The same with the nearest line that can be read for each order that is refused."""
        key = text, lexicon, stage
        if key not in self._advised:
            self._advised[key] = advised(self.orders(text, lexicon, stage), lexicon, stage)
        return self._advised[key]


def kept_text(raw: bytes, secrets: Collection[str] = ()) -> bytes:
    """What is kept of a mail that was handled; see :func:`machjudge.reading.secrets.redact`.

    Never raises: of a mail that cannot be redacted, nothing is kept.
    """
    try:
        return redact(raw, secrets)
    except Exception:
        return NOT_KEPT
