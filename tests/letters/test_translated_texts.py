"""The long texts in other languages say as much as the English ones, line by line."""

import re
from pathlib import Path

import pytest

from machjudge.letters.page.page import Stationery
from machjudge.letters.wording.library import TEXTS, Library
from tests.service.house import ROOT, stationery

DOCS = ROOT / "docs"
IN_ENGLISH = {"es": "en inglés", "it": "in inglese"}
TRANSLATED = [
    file.relative_to(DOCS) for language in IN_ENGLISH for file in (DOCS / language).glob("*.md")
]

_PLAYED = re.compile(r"(?s)(```(?:mail|letter) \w+\n).*?(?=\n```)")
_CODE = re.compile(r"`([^`]*)`")
_LINK = re.compile(r"\]\(([^)]+)\)")
_SIGNS_BEFORE = re.compile(r"^(#+ |- |\d+\. |\| |    |> |!\[|```.*|)")
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
    """Whether it is to be typed, and so the same everywhere; the judge's own words are not."""
    return not code.islower() and not code.startswith("NOT READ")


@pytest.mark.parametrize("file", TRANSLATED, ids=str)
def test_a_text_says_in_another_language_what_it_says_in_english(file: Path) -> None:
    """Each line has its own, of the same kind and with the same commands.

    So whoever adds a line or a command to the English text is told where another one lacks it.
    """
    english = (DOCS / file.name).read_text("utf-8")

    assert bones((DOCS / file).read_text("utf-8")) == bones(english)


def test_both_languages_have_the_same_texts() -> None:
    """What is there in Spanish is there in Italian, and there are some."""
    names = {
        language: {f.name for f in TRANSLATED if f.parts[0] == language} for language in IN_ENGLISH
    }

    assert names["es"] == names["it"] != set()


@pytest.mark.parametrize("language", IN_ENGLISH)
@pytest.mark.parametrize("name", TEXTS)
def test_the_list_of_texts_says_which_are_in_english(language: str, name: str) -> None:
    """Those that the language has not; of rules and syntax there is a short form in it."""
    paper: Stationery = stationery().of(language)
    about = paper.catalogue.entries[f"info.texts.{name}"]
    is_own = Library(DOCS).lines(name, language) != Library(DOCS).lines(name)

    if name not in ("rules", "syntax"):
        assert (IN_ENGLISH[language] in about) is not is_own
