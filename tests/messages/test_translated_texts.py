"""The long texts in other languages say as much as the English ones, line by line."""

import re
from pathlib import Path

import pytest

from machjudge.messages.catalogue import Library
from tests.judge.house import ROOT

DOCS = ROOT / "docs"
LANGUAGES = ("es", "it")
FOR_PLAYERS = ("guide", "syntax", "press")
"""What is there in every language."""
MADE_FROM_TABLES = ("commands.md", "options.md")
"""What is not translated: `tests/judge/whole/pages.py` has them made in each language."""
TRANSLATED = [
    file.relative_to(DOCS)
    for language in LANGUAGES
    for file in (DOCS / language).glob("*.md")
    if file.name not in MADE_FROM_TABLES
]
RULES = [file for file in TRANSLATED if file.name == "rules.md"]

_PLAYED = re.compile(r"(?s)(```(?:mail|letter) \w+\n).*?(?=\n```)")
_CODE = re.compile(r"`([^`]*)`")
_LINK = re.compile(r"\]\(([^)]+)\)")
_SIGNS_BEFORE = re.compile(r"^(#+ |- |\d+\. |\| |    |> |!\[|```.*|)")
_FIGURE = re.compile(r"\d+")
_NUMBER = re.compile(r"\b[A-Z]{3}-\d\d\b")
_TYPED = re.compile(r"^ {4}\s*([A-Z]{2,}(?: [A-Z]+)*)")


def bones(text: str) -> list[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """Of each line its kind, and what stands in it that is the same in every language.

    That is its commands, its links, and how many cells of a table it has.  The mails and letters
    of a guide are left out: they are played, and the letters are in the language of their reader.
    """
    return [
        (
            f"{_SIGNS_BEFORE.match(line)[0]}{line.count('|')}",
            tuple(each for each in _CODE.findall(line) if is_typed(each)),
            tuple(Path(each).name for each in _LINK.findall(line)) + tuple(_TYPED.findall(line)),
        )
        for line in _PLAYED.sub(r"\1", text).splitlines()
    ]


def is_typed(code: str) -> bool:
    """True if it is to be typed, and so the same everywhere; the judge's own words are not."""
    return not code.islower() and not code.startswith("NOT READ")


@pytest.mark.parametrize("file", TRANSLATED, ids=str)
def test_a_text_says_in_another_language_what_it_says_in_english(file: Path) -> None:
    """Each line has its own, of the same kind and with the same commands.

    So anyone who adds a line or a command to the English text is told where another one lacks it.
    """
    english = (DOCS / file.name).read_text("utf-8")

    assert bones((DOCS / file).read_text("utf-8")) == bones(english)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", FOR_PLAYERS)
def test_what_players_read_first_is_there_in_each_language(language: str, name: str) -> None:
    """Other texts may come later; until then they are sent in English."""
    assert Library(DOCS).is_in(language, name)


@pytest.mark.parametrize("file", RULES, ids=str)
def test_a_rule_has_the_same_figures_and_options_in_every_language(file: Path) -> None:
    """Amounts, rows of a table, other rules that it names, the options that change it."""
    english = (DOCS / file.name).read_text("utf-8").splitlines()

    for own, line in zip((DOCS / file).read_text("utf-8").splitlines(), english, strict=True):
        assert same_everywhere(own) == same_everywhere(line)


def same_everywhere(line: str) -> tuple[list[str], ...]:
    """What of a rule has no words, in any order: figures, numbers of rules, and what is typed."""
    return tuple(sorted(each.findall(line)) for each in (_FIGURE, _NUMBER, _CODE))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_of_a_language_lie_in_the_same_sections(language: str) -> None:
    """So that a number leads to its rule."""
    library = Library(DOCS)

    for own, english in zip(library.sections(language), library.sections(), strict=True):
        assert own.area == english.area
        assert len(own.lines) == len(english.lines)


def docs_in(folder: Path, **languages: str) -> Library:
    """A library of rules of one section in some languages."""
    for language, text in languages.items():
        place = folder / ("" if language == "en" else language)
        place.mkdir(exist_ok=True)
        (place / "rules.md").write_text(text, "utf-8")
    return Library(folder)


IN_BOTH = {
    "en": "## SIE — sieges\n\n- **SIE-01** A siege.\n",
    "es": "## SIE — asedios de ciudades sólidas\n\n- **SIE-01** Un asedio.\n",
}


@pytest.mark.parametrize("wanted", ["SIE", "sieges", "asedios", "ciudades solidas", "siege"])
def test_a_section_is_found_by_its_letters_or_words_of_either_language(
    tmp_path: Path, wanted: str
) -> None:
    """With or without accents; it is sent in the language of the reader."""
    found = docs_in(tmp_path, **IN_BOTH).rules_about(wanted, "es")

    assert found == ("asedios de ciudades sólidas", "- SIE-01 Un asedio.")


def test_a_rule_is_sent_in_the_language_of_its_reader(tmp_path: Path) -> None:
    """And the English one where there is none."""
    library = docs_in(tmp_path, **IN_BOTH)

    assert library.rules_about("SIE-01", "es") == ("- SIE-01 Un asedio.",)
    assert library.rules_about("SIE-01", "it") == ("- SIE-01 A siege.",)
    assert library.rules_about("SIE-01") == ("- SIE-01 A siege.",)
    assert (library.is_in("es", "rules"), library.is_in("it", "rules")) == (True, False)
