"""What the judge says in other languages than English."""

from collections.abc import Mapping
from pathlib import Path

import jinja2
import pytest
from jinja2 import meta

from machjudge.letters.page.page import Stationery
from machjudge.letters.wording.catalogue import LANGUAGE, Catalogue

TEMPLATES = Path(__file__).parents[2] / "templates"
ENGLISH = Stationery([TEMPLATES])
OTHERS = [each for each in ENGLISH.languages if each != LANGUAGE]
COMPILER = jinja2.Environment(autoescape=True)
COMPILER.filters.update(ENGLISH.filters)


def own(language: str) -> Mapping[str, str]:
    """The entries that a language has itself, by their keys."""
    return Catalogue((TEMPLATES / language,), COMPILER).entries


def fields(text: str) -> frozenset[str]:
    """The fields for which an entry or a template asks."""
    return frozenset(meta.find_undeclared_variables(COMPILER.parse(text)))


@pytest.mark.parametrize("language", OTHERS)
def test_another_language_has_no_sentence_of_its_own(language: str) -> None:
    """Each of its entries is one of the English ones."""
    assert own(language).keys() - ENGLISH.catalogue.entries.keys() == set()


@pytest.mark.parametrize("language", OTHERS)
def test_each_sentence_tells_as_much_as_in_english(language: str) -> None:
    """It has the same fields."""
    english = ENGLISH.catalogue.entries
    apart = {
        key: (fields(text), fields(english[key]))
        for key, text in own(language).items()
        if fields(text) != fields(english[key])
    }

    assert apart == {}


@pytest.mark.parametrize("language", OTHERS)
def test_a_file_of_another_language_keeps_up_with_the_english_one(language: str) -> None:
    """Of a file that is begun, one entry in fifty at most is still said in English."""
    said = own(language)
    begun = {key.partition(".")[0] for key in said}
    english = [key for key in ENGLISH.catalogue.entries if key.partition(".")[0] in begun]
    missing = [key for key in english if key not in said]

    assert len(missing) <= len(english) / 50, missing


@pytest.mark.parametrize("language", OTHERS)
def test_each_message_tells_as_much_as_in_english(language: str) -> None:
    """Its template prints the same facts."""
    for file in (TEMPLATES / language).glob("*.txt"):
        english = (TEMPLATES / LANGUAGE / file.name).read_text("utf-8")
        assert fields(file.read_text("utf-8")) == fields(english), file.name


def test_a_language_that_is_not_there_is_english() -> None:
    """So that nobody is left without messages when a language goes away."""
    assert ENGLISH.of("xx") is ENGLISH
    assert ENGLISH.of("es").of(LANGUAGE) is ENGLISH
