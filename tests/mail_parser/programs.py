"""Mails as some mail program makes them of what a person writes and of a message it answers.

Every habit of a program is drawn by itself, so that most are of programs nobody has heard of.
"""

import base64
import quopri
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from random import Random
from textwrap import wrap
from typing import TypeVar

HABITS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
Choice = TypeVar("Choice")
SIGNS = str.maketrans({"'": "\u2019", "-": "\u2013"})


@dataclass(frozen=True)
class WrittenMail:
    """A mail, and what its writer has typed."""

    raw: bytes
    typed: tuple[str, ...]
    """Orders and commands."""
    prose: tuple[str, ...]
    own: frozenset[str]
    """All rows that are the writer's, or the program's."""
    habits: tuple[str, ...]
    """What the program did, for the one who reads a failure."""


def written(random: Random, message: str, lines: Sequence[str], *, is_marked: bool) -> WrittenMail:
    """Return an answer to *message* in which somebody gives *lines*.

    With *is_marked* quoted rows have a mark; else they may have any, or none.
    """
    return _Program(random, is_marked=is_marked).mail(message, lines)


class _Markup(str):
    """A text that is in HTML already."""

    __slots__ = ()


class _Program:
    def __init__(self, random: Random, *, is_marked: bool) -> None:
        self.random = random
        self.habits: list[str] = []
        self.is_html = self.some("html", (False, False, True))
        self.mark = self.some("mark", HABITS["marks"] if is_marked else HABITS["any_marks"])
        self.width = self.some("width", (None, None, 12, 18, 25, 38, 60, 72, 76))
        self.keeps_empty = self.some("empty", (True, True, False))
        self.dress = self.some("dress", tuple(_DRESSES))
        self.is_marked = is_marked

    def some(self, habit: str, choices: Sequence[Choice]) -> Choice:
        """One of the choices, noted as a habit."""
        choice = self.random.choice(choices)
        self.habits.append(f"{habit}={choice!r}")
        return choice

    def mail(self, message: str, lines: Sequence[str]) -> WrittenMail:
        """The answer."""
        quoted = self.quotation(message)
        announced = self.some("announced", ("", *HABITS["announced"])).split("\n")
        greeting = self.some("greeting", ("", *HABITS["greetings"]))
        prose = self.some("prose", ("", *HABITS["prose"]))
        closing = self.some("closing", ("", *HABITS["closings"])).split("\n")
        footer = self.some("footer", ("", *HABITS["footers"])).split("\n")
        typed = [self.order(line) for line in lines]
        own = [*filter(None, (greeting, prose)), *typed, *filter(None, closing)]
        places = ("above", "below", "between") if self.is_marked else ("above", "below")
        place = self.some("place", places)
        match place:
            case "above":
                body = self.joined(own, announced, quoted, footer)
            case "below":
                body = self.joined([], announced, quoted, [*own, *footer])
            case _:
                own = [*filter(None, (prose,)), *typed]
                at = self.random.randrange(1, max(2, len(quoted)))
                rest = self.joined(own, [""], quoted[at:], footer)
                rest = _Markup(rest) if self.is_html else rest
                body = self.joined([], announced, quoted[:at], [rest])
        return WrittenMail(
            self.encoded(body),
            tuple(lines),
            tuple(filter(None, (prose,))),
            frozenset((greeting, prose, *lines, *closing, *footer, *announced)),
            tuple(self.habits),
        )

    def order(self, line: str) -> str:
        """An order as the program's keyboard writes it."""
        return _DRESSES[self.dress](f"{self.some('bullet', HABITS['bullets'])}{line}")

    def quotation(self, message: str) -> list[str]:
        """The rows of the message as quoted."""
        rows = [row for row in message.rstrip("\n").split("\n") if self.keeps_empty or row.strip()]
        if self.width is not None:
            rows = [piece for row in rows for piece in (wrap(row, self.width) or [""])]
        direction = self.some("direction", ("", "", "", "\u200e", "\u200f"))
        return [_DRESSES[self.dress](f"{self.mark}{direction}{row}").rstrip() for row in rows]

    def joined(
        self,
        above: Sequence[str],
        announced: Sequence[str],
        quoted: Sequence[str],
        below: Sequence[str],
    ) -> str:
        """The body, in text or in HTML."""
        if not self.is_html:
            return "\n".join([*above, "", *announced, *quoted, "", *below])
        row = self.some("row", HABITS["html_rows"])
        around = self.some("around", HABITS["html_marked" if self.is_marked else "html_around"])

        def rows(texts: Sequence[str]) -> str:
            return "".join(
                text if isinstance(text, _Markup) else row.format(escape(text) or "<br>")
                for text in texts
            )

        shown = rows([*filter(None, announced)])
        return f"{rows(above)}<div><br></div>{shown}{around.format(rows(quoted))}{rows(below)}"

    def encoded(self, body: str) -> bytes:
        """The bytes of the mail."""
        charset, transfer = self.some("encoding", _ENCODINGS)
        kind = "html" if self.is_html else "plain"
        raw = body.encode(charset, "xmlcharrefreplace" if self.is_html else "replace")
        head = (
            "From: Lucia <lucia@player.example>\nTo: judge@mach.example\nSubject: Re: borgia\n"
            f"Content-Type: text/{kind}; charset={charset}\nContent-Transfer-Encoding: {transfer}"
            "\n\n"
        )
        return head.encode() + _TRANSFERS[transfer](raw)


_ENCODINGS = (
    ("utf-8", "8bit"), ("utf-8", "base64"), ("utf-8", "quoted-printable"),
    ("utf-7", "7bit"), ("utf-16", "base64"), ("gb18030", "base64"),
)  # fmt: skip
_TRANSFERS: dict[str, Callable[[bytes], bytes]] = {
    "7bit": bytes,
    "8bit": bytes,
    "base64": base64.encodebytes,
    "quoted-printable": quopri.encodestring,
}
_DRESSES: dict[str, Callable[[str], str]] = {
    "plain": lambda row: row,
    "no-break spaces": lambda row: row.replace(" ", "\xa0"),
    "tabs": lambda row: row.replace("  ", "\t"),
    "no width": lambda row: row.replace(" ", "\u200b "),
    "typography": lambda row: row.replace(" - ", " \u2014 ").translate(SIGNS),
    "small no-break spaces": lambda row: row.replace(": ", "\u202f: "),
    "soft hyphens": lambda row: row.replace("e", "e\u00ad"),
}
