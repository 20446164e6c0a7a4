"""From the tree of a line about press, postal press or a diary to the command."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from lark import Token, Transformer, v_args

from machjudge.language.commands import commands as c
from machjudge.language.vocabulary.said import Fault
from machjudge.sentence import Sentence


@dataclass(frozen=True, slots=True)
class WrongCommand:
    """A command that is complete and cannot be meant, and where in the line the trouble is."""

    at: int
    reason: Sentence
    fault: Fault = Fault.UNEXPECTED


@dataclass(frozen=True, slots=True)
class Fake:
    """To whom press is said to go."""

    shown_to: c.Audience


@dataclass(frozen=True, slots=True)
class NoFake:
    """Press must not be faked."""


Option: TypeAlias = c.Audience | c.Tone | Fake | NoFake
NUMBER = re.compile(r"[0-9]{1,6}")


def arguments(
    method: Callable[..., object], _rule: str, children: Sequence[object], _meta: object
) -> object:
    """Give a method what its children mean: no keywords, only arguments."""
    return method(*(x for x in children if not isinstance(x, Token) or x.type in ARGUMENTS))


ARGUMENTS = ("ARG", "PLUS", "MINUS", "TEXT")


@v_args(wrapper=arguments)
class PressParts(Transformer[Token, c.Command | WrongCommand]):
    """Makes the commands with which somebody writes to others, or for himself."""

    def press(self, *options: Option) -> c.Press | WrongCommand:
        """``press``, which must say to whom."""
        if not any(isinstance(option, c.Audience) for option in options):
            return WrongCommand(0, Sentence("language.to_whom"))
        return _press(options)

    def broadcast(self, *options: Option) -> c.Press:
        """``broadcast``."""
        return _press(options)

    def some(self, *names: Token) -> c.Audience:
        """``to L, M``, ``+LM``."""
        return c.Audience(_names(names))

    def all_but(self, *names: Token) -> c.Audience:
        """``to all but L``, ``-L``."""
        return c.Audience(_names(names), all_but=True)

    def fake(self, audience: c.Audience) -> Fake:
        """``fake to LM``."""
        return Fake(audience)

    def postal_read(self, number: Token) -> c.Command | WrongCommand:
        """``postal read 1``."""
        return _numbered(c.PostalPress, c.NoteAction.READ, number)

    def postal_delete(self, number: Token) -> c.Command | WrongCommand:
        """``postal delete 1``."""
        return _numbered(c.PostalPress, c.NoteAction.DELETE, number)

    def diary_read(self, number: Token) -> c.Command | WrongCommand:
        """``diary read 3``."""
        return _numbered(c.Diary, c.NoteAction.READ, number)

    def diary_delete(self, number: Token) -> c.Command | WrongCommand:
        """``diary delete 3``."""
        return _numbered(c.Diary, c.NoteAction.DELETE, number)


def _numbered(
    of: type[c.PostalPress] | type[c.Diary], act: c.NoteAction, number: Token
) -> c.PostalPress | c.Diary | WrongCommand:
    if not NUMBER.fullmatch(number):
        return WrongCommand(number.start_pos or 0, Sentence("language.entries_have_numbers"))
    return of(act, int(number))


def _names(words: Sequence[Token]) -> c.Words:
    """The names in a list: parted by spaces, commas or "and", with or without a sign before."""
    pieces = [piece for word in words for piece in word.lstrip("+-").split(",")]
    return tuple(piece for piece in pieces if piece and piece.lower() not in ("and", "&"))


def _press(options: Sequence[Option]) -> c.Press:
    """Of what is said twice the last counts."""
    press = c.Press(c.EVERYBODY)
    for option in options:
        match option:
            case c.Audience():
                press = replace(press, to=option)
            case c.Tone():
                press = replace(press, tone=option)
            case Fake():
                press = replace(press, shown_to=option.shown_to, no_fake=False)
            case NoFake():
                press = replace(press, shown_to=None, no_fake=True)
    return press
