"""The grammar: orders and commands out of words, and lines of people with damage."""

from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from itertools import chain
from pathlib import Path
from random import Random

from machjudge.adjudicator.moments import Stage
from machjudge.language import (
    Lexicon,
    parse_command,
    parse_order,
    read_instant,
    read_phase,
    read_readers,
    write,
    zone_named,
)
from machjudge.language.lexicon import vocabulary
from machjudge.language.orders import advised, read_line
from machjudge.mail_parser.secrets import redact_line
from tests.fuzz.damage import ODD, damaged
from tests.fuzz.trying import Target
from tests.language.boards import lexicon

_LONGEST = 1_000
"""Characters of a line that the reader lets through."""
_FRONTS = ("", "", "set ", "press to ", "signon ", "history ", "if ", "join ", "phase ", "create ?")
_SIGNS = ("12", "0", "3.5", ",", ";", ".", "and", "the", "#", "//", "(", ")", "–", "→", "\x00", "'")
_NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


@cache
def _names() -> tuple[Lexicon, ...]:
    return lexicon("1454"), lexicon("standard")


@cache
def _words() -> tuple[str, ...]:
    names = ((*each.place_names(), *each.power_names()) for each in _names())
    return (*sorted({*vocabulary(), *chain.from_iterable(names)}), *_SIGNS)


@cache
def _written() -> tuple[bytes, ...]:
    """Lines as people write them."""
    table = Path(__file__).parents[1] / "language" / "as_people_write.tsv"
    rows = table.read_text(encoding="utf-8").splitlines()
    return tuple(field.encode() for row in rows for field in row.split("\t") if field)


def make(chance: Random) -> bytes:
    """A line: words in any order, or somebody's with damage; some are as long as a line may be."""
    if chance.random() < 0.5:
        return damaged(chance.choice(_written()), chance, (*ODD, b" and ", b", ", b" if ", b" - "))
    words = [chance.choice(_words()) for _ in range(chance.randint(1, 9))]
    again = 200 if chance.random() < 0.02 else 1
    gap = chance.choice((" ", " ", "", "  ", ", "))
    return (chance.choice(_FRONTS) + gap.join(words * again)).encode("utf-8", "replace")


def flaws(raw: bytes) -> Iterator[str]:
    """Whatever was understood can be written and read again, and carets stand within the line."""
    text = raw.decode("utf-8", "replace")[:_LONGEST]
    parse_command(text)
    redact_line(text)
    read_instant(text, _NOON, UTC)
    zone_named(text)
    read_phase(text.split())
    for names in _names():
        read_readers([text], names)
    names = _names()[len(text) % 2]
    stage = tuple(Stage)[len(text) % 3]
    advised(read_line(text, names, stage), names, stage)
    parsed = parse_order(text, names, stage)
    for order in parsed.understood:
        known = write(order, names)
        if parse_order(known, names, stage).said != (order,):
            yield f"{order} is written {known!r}, which is read otherwise"
    yield from (
        f"the caret stands at {one.column} of {one.line!r}"
        for one in parsed.refused
        if not 0 <= one.column <= len(one.line)
    )


LINES = Target("lines", 25, make, lambda raw: [*flaws(raw)])
"""Orders and commands."""
