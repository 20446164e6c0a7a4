"""Names and abbreviations of places and powers (SYN-09)."""

from dataclasses import replace

import pytest

from machjudge.adjudicator.board import Power
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.language import Lexicon
from machjudge.language.lexicon import JUNK, Several, Unknown, letter, squash
from machjudge.language.orders import reserved_names
from tests.cases import cases


@cases
def test_place_is_found_by_name_or_abbreviation(classic: Lexicon, text: str, place: str) -> None:
    """Names, listed abbreviations and beginnings that fit one place only."""
    assert classic.place(text) == place


def test_first_five_letters_always_suffice(classic: Lexicon) -> None:
    """SYN-09 promises it for every province."""
    provinces = [place for place in classic.board.places.values() if not place.is_sea]

    assert [classic.place(place.name[:5]) for place in provinces] == [p.id for p in provinces]


def test_every_name_and_alias_is_its_own_place(classic: Lexicon, standard: Lexicon) -> None:
    """No name of a place is hidden by another's."""
    for lexicon in (classic, standard):
        for place in lexicon.board.places.values():
            for name in (place.id, place.name, *place.aliases):
                assert lexicon.place(name) == place.id


@pytest.mark.parametrize(
    ("text", "meant"),
    [("rom", {"rma", "rme"}), ("tre", {"trt", "trv"}), ("sal", {"slr", "slz"})],
)
def test_three_abbreviations_are_refused(classic: Lexicon, text: str, meant: set[str]) -> None:
    """They may mean two places, and the hint names both."""
    found = classic.place(text)

    assert isinstance(found, Several)
    assert {candidate.id for candidate in found.candidates} == meant


def test_beginning_of_several_places_is_ambiguous(classic: Lexicon) -> None:
    """All places that begin so are named."""
    found = classic.place("east")

    assert isinstance(found, Several)
    assert [candidate.name for candidate in found.candidates] == [
        "Eastern Gulf of Lyons",
        "Eastern Tyrrhenian Sea",
    ]


@pytest.mark.parametrize("text", ["ur", "xyz", "urbinos", ""])
def test_too_little_or_too_much_is_no_place(classic: Lexicon, text: str) -> None:
    """Two letters are no beginning, and a name does not go on."""
    assert classic.place(text) == Unknown()


@cases
def test_power_is_found(classic: Lexicon, text: str, power: str) -> None:
    """By name, adjective, other name, initial, or two letters of any of them."""
    assert classic.power(text) == power


def test_beginning_of_several_powers_is_ambiguous(classic: Lexicon) -> None:
    """Two powers that begin alike are both named."""
    twin = replace(classic.powers[PowerId("I")], id=PowerId("M"), name="Mirandola", adjective="")
    lexicon = Lexicon(classic.board, {**classic.powers, PowerId("M"): twin})
    found = lexicon.power("mi")

    assert isinstance(found, Several)
    assert [candidate.name for candidate in found.candidates] == ["Milan", "Mirandola"]
    assert lexicon.power("m") == "M"


def test_unknown_power_is_unknown(classic: Lexicon) -> None:
    """Genoa is a place and no power of 1454."""
    assert classic.power("genoa") == Unknown()


def test_alias_of_two_places_means_neither(classic: Lexicon) -> None:
    """Nobody can tell which, unless one of them bears it as its name."""
    places = dict(classic.board.places)
    for place in ("mil", "pav"):
        place_id = PlaceId(place)
        places[place_id] = replace(places[place_id], aliases=("plain", "milan", ""))
    lexicon = Lexicon(replace(classic.board, places=places), {})

    assert isinstance(lexicon.place("plain"), Several)
    assert lexicon.place("milan") == "mil"


@pytest.mark.parametrize(
    ("word", "name"),
    [("xyz", "NAME"), ("123", "NUMBER"), ("1.5", "FRACTION"), ("----", "MOVE"), ("===>", "MOVE")],
)
def test_unlisted_words_have_a_class_by_their_look(classic: Lexicon, word: str, name: str) -> None:
    """Letters are a name, digits a number, dashes and arrows a move."""
    assert classic.kind_of(word) == letter(name)


@pytest.mark.parametrize("word", ["!", "#", "//", "==", "²"])
def test_other_signs_are_in_no_order(classic: Lexicon, word: str) -> None:
    """They are classed as junk."""
    assert classic.kind_of(word) == JUNK


@cases
def test_words_that_mean_something_are_no_comment(
    classic: Lexicon, word: str, meaning: bool
) -> None:
    """Order words, places and powers, also their beginnings of three letters."""
    assert classic.means_something(word) is meaning


def test_order_word_may_be_a_place_too(classic: Lexicon) -> None:
    """Fornova is "for"."""
    assert classic.is_place_too("for")
    assert not classic.is_place_too("hold")


def test_exact_power_is_told_from_a_beginning(classic: Lexicon) -> None:
    """Names, adjectives and initials are exact."""
    assert classic.is_power("Papal States")
    assert not classic.is_power("pap")


def test_names_are_compared_without_signs() -> None:
    """Case, accents, spaces and signs make no difference."""
    assert squash("St. Pétersburg") == squash("ST PETERSBURG") == "stpetersburg"


def test_names_can_be_listed(classic: Lexicon) -> None:
    """For suggestions: names and abbreviations in plain letters."""
    assert {"perugia", "per", "western gulf of lyons"} <= set(classic.place_names())
    assert {"milan", "milanese"} <= set(classic.power_names())


def test_power_without_adjective_is_still_found(classic: Lexicon) -> None:
    """An empty name is no name."""
    power = Power(PowerId("Z"), "Zara", "", (), (), (), (), (), None, 0)

    assert Lexicon(classic.board, {power.id: power}).power("za") == "Z"


def test_syn_09_names_that_end_like_a_coast_can_be_said(standard: Lexicon) -> None:
    """Nobody is told that an order cannot name a place because its name ends so."""
    petersburg = standard.board.places[PlaceId("stp")]
    names = ("stpe", "St Peters", "Petes", *petersburg.aliases)
    places = {**standard.board.places, petersburg.id: replace(petersburg, aliases=names)}

    assert reserved_names(Lexicon(replace(standard.board, places=places), standard.powers)) == ()
