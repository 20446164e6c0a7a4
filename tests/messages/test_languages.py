"""What the judge says in other languages than English."""

import re
from collections.abc import Mapping
from copy import copy, deepcopy
from pathlib import Path

import jinja2
import pytest
from jinja2 import nodes

from machjudge.messages.catalogue import LANGUAGE, Catalogue
from machjudge.messages.render import MessageRenderer
from machjudge.translatable import (
    Capital,
    CommonName,
    Message,
    Name,
    capitalized,
    joined,
    phrase,
)
from tests.checks.test_sentences import variables

TEMPLATES = Path(__file__).parents[2] / "templates"
ENGLISH = MessageRenderer([TEMPLATES])
OTHERS = [each for each in ENGLISH.languages if each != LANGUAGE]
COMPILER = jinja2.Environment(autoescape=True)
COMPILER.filters.update(ENGLISH.filters)


TO_THE_KEEPER = (
    "archive.",
    "ports.game_failed",
    "ports.mail_set_aside",
    "ports.more_set_aside",
    "ports.more_of_kind",
    "ports.how_to_retry",
    "ports.relay_refuses",
)
"""What nobody at a game reads: it goes to the keeper of the judge, whose program is in English."""

MESSAGES_TO_THE_KEEPER = ("broken_map", "clock", "fault", "out_of_reach")

PLURAL_WITH_S = ("es",)

_WORD = re.compile(r"[^\W\d_]{2}")


def has_words(text: str) -> bool:
    """True if an entry or a template says anything besides what it is given."""
    template = COMPILER.parse(text)
    texts = [each.data for each in template.find_all(nodes.TemplateData)]
    texts += [
        str(each.value) for each in template.find_all(nodes.Const) if "." not in str(each.value)
    ]
    return any(_WORD.search(each) for each in texts)


def is_counted(node: nodes.Filter) -> bool:
    """True if a number of things is said there."""
    return node.name == "counted"


def own(language: str) -> Mapping[str, str]:
    """The entries that a language has itself, by their keys."""
    return Catalogue((TEMPLATES / language,), COMPILER).entries


@pytest.mark.parametrize("language", OTHERS)
def test_another_language_has_no_sentence_of_its_own(language: str) -> None:
    """Each of its entries is one of the English ones."""
    assert own(language).keys() - ENGLISH.catalogue.entries.keys() == set()


@pytest.mark.parametrize("language", OTHERS)
def test_each_sentence_tells_as_much_as_in_english(language: str) -> None:
    """It has the same fields."""
    english = ENGLISH.catalogue.entries
    apart = {
        key: (variables(text), variables(english[key]))
        for key, text in own(language).items()
        if variables(text) != variables(english[key])
    }

    assert apart == {}


@pytest.mark.parametrize("language", OTHERS)
def test_every_sentence_is_said_in_each_language(language: str) -> None:
    """Where there are words in English, but for what only the keeper of the judge reads."""
    said = own(language)

    assert [
        key
        for key, text in ENGLISH.catalogue.entries.items()
        if key not in said and not key.startswith(TO_THE_KEEPER) and has_words(text)
    ] == []


@pytest.mark.parametrize("language", OTHERS)
def test_every_message_is_laid_out_in_each_language(language: str) -> None:
    """Where the English layout has words."""
    assert [
        file.name
        for file in sorted((TEMPLATES / LANGUAGE).glob("*.txt"))
        if not (TEMPLATES / language / file.name).exists()
        and file.stem not in MESSAGES_TO_THE_KEEPER
        and has_words(file.read_text("utf-8"))
    ] == []


@pytest.mark.parametrize("language", [each for each in OTHERS if each not in PLURAL_WITH_S])
def test_a_number_of_things_has_its_own_plural(language: str) -> None:
    """Only English and Spanish make one by adding an s to a word."""
    texts = dict(own(language))
    texts |= {file.name: file.read_text("utf-8") for file in (TEMPLATES / language).glob("*.txt")}
    counted = {
        key: [each for each in COMPILER.parse(text).find_all(nodes.Filter) if is_counted(each)]
        for key, text in texts.items()
    }

    assert any(counted.values())
    assert [
        key for key, found in counted.items() if any(len(each.args) < 2 for each in found)
    ] == []


@pytest.mark.parametrize("language", OTHERS)
def test_each_message_tells_as_much_as_in_english(language: str) -> None:
    """Its template prints the same facts."""
    for file in (TEMPLATES / language).glob("*.txt"):
        english = (TEMPLATES / LANGUAGE / file.name).read_text("utf-8")
        assert variables(file.read_text("utf-8")) == variables(english), file.name


def test_a_language_that_is_not_there_is_english() -> None:
    """So that nobody is left without messages when a language goes away."""
    assert ENGLISH.of("xx") is ENGLISH
    assert ENGLISH.of("es").of(LANGUAGE) is ENGLISH


PAPACY = Name("Papacy", {"es": {"Papacy": "Papado"}, "it": {"Papacy": "Papato"}})
MILAN = Name("Milan", {"es": {"Milan": "Milán"}, "it": {"Milan": "Milano"}})
TURKEY = Name("Turkey", {"es": {"Turkey": "Turquía"}, "it": {"Turkey": "Turchia"}})
AUSTRIA = Name("Austria", {})
IONIAN = Name("Ionian Sea", {"es": {"Ionian Sea": "Mar Jónico"}, "it": {"Ionian Sea": "Mar Ionio"}})
ROMAGNA = Name("Romagna", {"es": {"Romagna": "Romaña"}})


@pytest.mark.parametrize(
    ("sentence", "spanish", "italian"),
    [
        (
            Message("press.title", author=PAPACY, aim=MILAN, to_all=False, anonymous=False),
            "Prensa del Papado a Milán",
            "Stampa dal Papato a Milano",
        ),
        (
            Message("press.title", author=MILAN, aim=PAPACY, to_all=False, anonymous=False),
            "Prensa de Milán al Papado",
            "Stampa da Milano al Papato",
        ),
        (
            Message("results.gift", giver=PAPACY, receiver=MILAN, ducats=3, asked=3),
            "El Papado paga 3 ducados a Milán.",
            "Il Papato paga 3 ducati a Milano.",
        ),
        (
            Message("results.no_orders", powers=(PAPACY, MILAN)),
            "No llegaron órdenes del Papado y de Milán.",
            "Non sono arrivati ordini del Papato e di Milano.",
        ),
        (
            Message("ending.vote.draw", among=(MILAN, PAPACY)),
            "Votas por unas tablas entre Milán y el Papado, hasta que escribas SET NODRAW.",
            "Voti per una patta tra Milano e il Papato, finché non scrivi SET NODRAW.",
        ),
        (
            Message("results.gift", giver=TURKEY, receiver=AUSTRIA, ducats=3, asked=3),
            "Turquía paga 3 ducados a Austria.",
            "La Turchia paga 3 ducati all’Austria.",
        ),
        (
            Message("results.retreated", unit="F x", wanted="", place=IONIAN),
            "F x se retira al Mar Jónico.",
            "F x si ritira nel Mar Ionio.",
        ),
        (
            Message("results.may_retreat", unit="A x", ways=(MILAN, ROMAGNA, IONIAN)),
            "A x puede retirarse a Milán, a Romaña o al Mar Jónico.",
            "A x può ritirarsi a Milano, in Romagna o nel Mar Ionio.",
        ),
        (
            Message("results.killed", victim=MILAN, killers=(PAPACY,)),
            "El líder de Milán muere a manos del Papado.",
            "Il capo di Milano è ucciso dal Papato.",
        ),
        (
            Message("results.killed", victim=PAPACY, killers=()),
            "El líder del Papado muere a manos de la banca.",
            "Il capo del Papato è ucciso dalla banca.",
        ),
    ],
    ids=lambda value: value.key if isinstance(value, Message) else "",
)
def test_the_papacy_has_its_article_in_a_sentence(
    sentence: Message, spanish: str, italian: str
) -> None:
    """Joined with the word before it, and with a capital at the beginning; Milan has none."""
    assert ENGLISH.of("es").say(sentence) == spanish
    assert ENGLISH.of("it").say(sentence) == italian


BEFORE_NAMES = {
    "es": "de|a|por|con|contra|sobre|entre|como|que|ganado|lleva|llevas|tomado",
    "it": "di|a|da|per|con|contro|su|tra|come|che|vinto|serve|guida|guidi",
}
POWERS = "power|victim|giver|receiver|winners?|killers|among|leaders|lead|author|writer"


@pytest.mark.parametrize("language", OTHERS)
def test_no_power_stands_behind_a_word_without_the_form_for_it(language: str) -> None:
    """In every sentence and layout: a bare name would be ``da Papato``."""
    bare = re.compile(
        rf"\b(?:{BEFORE_NAMES[language]}) \{{\{{ (?:{POWERS})\b(?![^}}]*\| (?:the|of|to|from)\b)"
        rf"(?![^}}]*map\(.the.\))"
    )
    texts = dict(own(language))
    texts |= {file.name: file.read_text("utf-8") for file in (TEMPLATES / language).glob("*.txt")}

    assert bare.search("contra {{ power }}, contro {{ power }}")
    assert {key: found[0] for key, text in texts.items() if (found := bare.search(text))} == {}


# Names as texts: the usual one everywhere, another one where a message is said.


OWN = {"es": {"Venice": "Venecia"}}
VENICE = Name("Venice", OWN)
NOBODY = CommonName("nobody", Message("text.nobody"))


def said(text: str) -> str:
    """A text in Spanish."""
    assert isinstance(text, Name | CommonName | Capital) or hasattr(text, "said")
    return text.said("es", lambda _: "nadie")


@pytest.mark.parametrize(
    ("text", "usual", "spanish"),
    [
        (VENICE, "Venice", "Venecia"),
        (NOBODY, "nobody", "nadie"),
        (phrase("{} H", phrase("{} {}", "A", VENICE)), "A Venice H", "A Venecia H"),
        (joined(", ", [VENICE, "Rome", NOBODY]), "Venice, Rome, nobody", "Venecia, Rome, nadie"),
        (capitalized(NOBODY), "Nobody", "Nadie"),
    ],
)
def test_a_text_with_names_is_the_usual_one_until_it_is_said(text, usual, spanish) -> None:
    """Also after it was copied."""
    assert text == usual
    assert said(text) == spanish
    assert said(copy(text)) == said(deepcopy(text)) == spanish


def test_a_text_without_names_is_no_more_than_a_text() -> None:
    """Signs of a form that stand in it mean nothing."""
    assert type(phrase("{} {}", "{}", "b")) is str
    assert phrase("{} {}", "{0}", VENICE).said("es", str) == "{0} Venecia"  # type: ignore[attr-defined]
    assert type(joined(", ", ())) is str
    assert capitalized("venice") == "Venice"
