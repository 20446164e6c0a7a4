"""Mails for tests, and the corpus."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from machjudge.judge.mail_context import read_mail as read
from machjudge.mail_parser.lines import Mail

CORPUS = Path(__file__).parent / "corpus"

SIGNON = "SIGNON Lborgia tulip9"
ORDERS = (SIGNON, "A Flo H", "A Are - Per", "SIGNOFF")


@dataclass(frozen=True)
class Case:
    """A mail of the corpus and what a reader must make of it."""

    name: str
    raw: bytes
    kind: str
    lines: tuple[str, ...]
    defects: frozenset[str]


def corpus() -> list[Case]:
    """Every mail of the corpus."""
    table = tomllib.loads((CORPUS / "expected.toml").read_text(encoding="utf-8"))
    return [
        Case(
            name,
            (CORPUS / f"{name}.eml").read_bytes(),
            row["kind"],
            tuple(row["lines"]),
            frozenset(row.get("defects", ())),
        )
        for name, row in table.items()
    ]


def mail(
    body: str | bytes, *fields: str, sender: str | None = "Lucia <lucia@player.example>"
) -> bytes:
    """The bytes of a mail with a body, a sender and further header fields."""
    head = [] if sender is None else [f"From: {sender}"]
    text = body.encode() if isinstance(body, str) else body
    return "\r\n".join([*head, *fields]).encode() + b"\r\n\r\n" + text


def html(body: str) -> bytes:
    """The bytes of a mail that is HTML only."""
    return mail(body, "Content-Type: text/html; charset=utf-8")


def lines_of(raw: bytes) -> list[str]:
    """The lines of a mail for the grammar."""
    return texts(read(raw))


def texts(one: Mail) -> list[str]:
    """The texts of the lines."""
    return [line.text for line in one.lines]


def flaws_of(one: Mail) -> set[str]:
    """The names of the flaws in a mail."""
    return {defect.flaw.name for defect in one.defects}
