"""A year is played by somebody who reads another language, and no English sentence reaches them."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import jinja2
import pytest
from jinja2 import nodes

from machjudge.adjudicator.options import PRESETS
from machjudge.judge.command_table import TABLE
from machjudge.language.lexicon import vocabulary
from machjudge.messages.catalogue import LANGUAGE
from machjudge.messages.render import MessageRenderer
from tests.judge.house import PEOPLE, atlas, started
from tests.judge.letters_in import write
from tests.judge.year import FALL, OPENING, SPRING, SUMMER, order, play

ANNA = "anna@player.example"
LUCIA = "lucia@player.example"
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


_WORD = re.compile(r"(?<!\w)[^\W\d_]{2,}(?!\w)")
_WORDS = 3


def pieces_of(language: str) -> set[str]:
    """All pieces of a language."""
    entries = PAPER.of(language).catalogue.entries.values()
    layouts = [each.read_text("utf-8") for each in (TEMPLATES / language).glob("*.txt")]
    return {piece for text in (*entries, *layouts) for piece in said_in(text)}


@cache
def year_of(language: str) -> tuple[str, ...]:
    """The lines that somebody gets in a year of a game, who asks much and makes mistakes."""
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
    # That judge is told to end the game, so that its last message comes, too.
    write(house, LUCIA, "SIGNON Mborgia masterkey", "SET NMR HOLD", "SET DEADLINE +48h", "SIGNOFF")
    sent += write(house, LUCIA, "SIGNON Mborgia masterkey", "DECLARE VICTORY Venice")
    own = [f"{each.subject}\n{each.body}" for each in sent if each.to == ANNA]
    lines = "\n".join(own).split("\n")
    quoted = tuple(subject.partition(", you lead")[0] for subject in before)
    return tuple(line for line in lines if not line.strip().startswith(quoted))


@pytest.mark.parametrize("language", [each for each in PAPER.languages if each != LANGUAGE])
def test_a_year_is_told_without_an_english_sentence(language: str) -> None:
    """Of the pieces that the English catalogue says, none stands in what the reader gets."""
    told = " ".join(" ".join(year_of(language)).split())
    own = pieces_of(language)
    english = pieces_of(LANGUAGE) - own

    assert sum(piece in told for piece in own) > 100
    found = [piece for piece in english if piece in told and is_english(piece)]
    assert [each for each in found if re.search(rf"(?<!\w){re.escape(each)}(?!\w)", told)] == []


def is_english(line: str) -> bool:
    """Whether a line has two words or more that neither name anything nor are typed as they are."""
    said = [word for word in _WORD.findall(line) if not word.isupper()]
    return len([word for word in said if word.lower() not in typed_words()]) > 1


_AS_THEY_ARE = "Re: borgia: Orders, machjudge verify, machjudge export, Timezone: Europe/Rome, none"
"""A subject of a player, commands of a terminal, a field and a word for programs."""


@cache
def typed_words() -> frozenset[str]:
    """The words of commands and orders, and the names of a game, in small letters."""
    scenario = atlas().scenario("1454")
    assert scenario is not None
    names = [_AS_THEY_ARE, *scenario.board.places]
    names += [place.name for place in scenario.board.places.values()]
    names += [power.name for power in scenario.powers.values()]
    names += [*PEOPLE, *atlas().scenario_ids(), *PRESETS, *vocabulary(), scenario.title]
    names += [name for entry in TABLE for name in (entry.name, PAPER.say(entry.usage))]
    return frozenset(word.lower() for name in names for word in _WORD.findall(name))


def test_an_english_line_is_known() -> None:
    """By words that are neither names nor commands."""
    assert is_english("Press is signed (white).")
    assert not is_english("SET ABSENCE 24 Dec to 2 Jan")
    assert not is_english("expense 1: 12 ducats disband A Bologna")


@pytest.mark.parametrize("language", [each for each in PAPER.languages if each != LANGUAGE])
def test_no_line_is_the_english_one(language: str) -> None:
    """Lines that the same year has in English, too, are orders, commands, names and numbers."""
    english = {line.strip() for line in year_of(LANGUAGE)}

    # The two lines at the end of each message are for programs.
    own = {line.strip() for line in year_of(language) if not line.startswith("::")}
    shared = own & english
    assert len(shared) > 50
    assert [line for line in sorted(shared) if is_english(line)] == []
