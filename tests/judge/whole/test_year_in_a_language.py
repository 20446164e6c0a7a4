"""A year is played by somebody who reads another language, and no English sentence reaches them."""

import re
from collections.abc import Iterator
from pathlib import Path

import jinja2
import pytest
from jinja2 import nodes

from machjudge.messages.catalogue import LANGUAGE
from machjudge.messages.render import MessageRenderer
from tests.judge.house import started
from tests.judge.letters_in import write
from tests.judge.year import FALL, OPENING, SPRING, SUMMER, order, play

ANNA = "anna@player.example"
TEMPLATES = Path(__file__).parents[3] / "templates"
PAPER = MessageRenderer([TEMPLATES])
COMPILER = jinja2.Environment(autoescape=True)
COMPILER.filters.update(PAPER.filters)

QUESTIONS = [
    ["HELP", "HELP SIGNON", "HELP SET PRESS", "HELP OPTION home_formula", "GET SYNTAX"],
    ["LIST", "LIST borgia", "WHO", "WHO LATE", "GET INDEX", "VERSION", "PING", "STATS"],
    ["HISTORY", "SUMMARY", "GET SCENARIO 1454", "INFO PLAYER Anna", "DIFFERENCES judge judge2009"],
    ["SET ABSENCE 24 Dec to 2 Jan", "SET DRAW LV", "SET PASSWORD tulip9", "SET FOO", "FROB"],
    ["DIARY", "A note.", "ENDPRESS", "DIARY LIST", "SET CALENDAR OFF", "SET PRIORITY A flo"],
]
EXPENSES = [
    "borrow 10 ducats for 1 year",
    "give 2 ducats to Milan",
    "expense 1: 12 ducats disband A Bologna",
    "expense 2: assassinate Milan",
    "F pis - pio",
    "A are",
]


def said_in(text: str) -> Iterator[str]:
    """The pieces of three words and more that an entry or a layout says itself."""
    for each in COMPILER.parse(text).find_all((nodes.TemplateData, nodes.Const)):
        piece = each.data if isinstance(each, nodes.TemplateData) else str(each.value)
        for line in piece.split("\n"):
            if len(_WORD.findall(line)) >= _WORDS:
                yield " ".join(line.split())


_WORD = re.compile(r"[^\W\d_]{2,}")
_WORDS = 3


def pieces_of(language: str) -> set[str]:
    """All pieces of a language."""
    entries = PAPER.of(language).catalogue.entries.values()
    layouts = [each.read_text("utf-8") for each in (TEMPLATES / language).glob("*.txt")]
    return {piece for text in (*entries, *layouts) for piece in said_in(text)}


def year_of(language: str) -> str:
    """All that somebody gets in a year of a game, who asks much and makes mistakes."""
    house = started()
    # PING names earlier messages by the subjects that they had.
    before = [each.outgoing.subject for to, each in house.store.tables.posted if to == ANNA]
    signon = "SIGNON Lborgia pwL"
    sent = [*write(house, ANNA, signon, f"SET LANGUAGE {language}")]
    for lines in QUESTIONS[:-1]:
        sent += write(house, ANNA, signon, *lines, "SIGNOFF")
    house_key = "SIGNON Lborgia tulip9"
    sent += write(house, ANNA, house_key, *QUESTIONS[-1], "SIGNOFF")
    sent += write(house, ANNA, house_key, "SET PASSWORD pwL", "SIGNOFF")
    sent += play(house, OPENING)
    sent += order(house, "L", *EXPENSES)
    for season in (SPRING, SUMMER, FALL):
        sent += play(house, season)
    own = [f"{each.subject}\n{each.body}" for each in sent if each.to == ANNA]
    told = " ".join("\n".join(own).split())
    for subject in before:
        told = told.replace(subject.partition(", you lead")[0], "")
    return told


@pytest.mark.slow
@pytest.mark.parametrize("language", [each for each in PAPER.languages if each != LANGUAGE])
def test_a_year_is_told_without_an_english_sentence(language: str) -> None:
    """Of the pieces that the English catalogue says, none stands in what the reader gets."""
    told = year_of(language)
    own = pieces_of(language)
    english = pieces_of(LANGUAGE) - own

    assert sum(piece in told for piece in own) > 100
    found = [piece for piece in english if piece in told]
    assert [each for each in found if re.search(rf"(?<!\w){re.escape(each)}(?!\w)", told)] == []
