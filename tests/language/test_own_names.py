"""Names of places and powers in other languages, and their letters for kinds of units."""

from dataclasses import replace
from pathlib import Path

import pytest

from machjudge.adjudicator.board import Board, Scenario
from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.orders import Advance, BulkOrder, Expense, Hold, Pay, Verb
from machjudge.adjudicator.units import Kind
from machjudge.language import Lexicon, Parsed, lexicon_of, parse_order
from machjudge.language.lexicon import write
from machjudge.language.orders import parse_bulk_order
from machjudge.language.words import OWN_WORDS, ParseError
from machjudge.map_files.folders import Atlas
from tests.cases import cases

LANGUAGES = ("es", "it")
MAPS = Atlas([Path(__file__).parents[2] / "maps"])


@pytest.fixture(scope="module")
def scenario() -> Scenario:
    """The scenario of 1454."""
    found = MAPS.scenario("1454")
    assert found is not None
    return found


def read(text: str, lexicon: Lexicon) -> Parsed:
    """A line of a campaign."""
    return parse_order(text, lexicon, Stage.CAMPAIGN)


def test_each_language_has_names() -> None:
    """Those of the shipped maps are Spanish and Italian."""
    assert sorted(MAPS.names) == list(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", MAPS.scenario_ids())
def test_every_place_and_power_is_understood_by_its_own_name(name: str, language: str) -> None:
    """On every shipped board: as a unit's place, as a destination, and as who is paid."""
    scenario = MAPS.scenario(name)
    assert scenario is not None
    lexicon, own = lexicon_of(scenario, language), scenario.board.names[language]
    first = next(iter(scenario.board.places))
    for place in scenario.board.places.values():
        called = own.get(place.name, place.name)
        (holds,) = read(f"A {called} h", lexicon).said
        (goes,) = read(f"A {first} - {called}", lexicon).said
        assert isinstance(holds, Hold)
        assert isinstance(goes, Advance)
        assert (holds.unit.place, goes.to) == (place.id, place.id)
    for power in scenario.powers.values():
        (pays,) = read(f"pay 3 ducats to {own.get(power.name, power.name)}", lexicon).said
        assert isinstance(pays, Pay)
        assert pays.to == power.id


@pytest.mark.parametrize("language", LANGUAGES)
def test_usual_names_are_understood_in_every_language(scenario: Scenario, language: str) -> None:
    """What is on file, and what stands in a message of before, means the same to everybody."""
    lexicon = lexicon_of(scenario, language)
    for place in scenario.board.places.values():
        for name in (place.id, place.name):
            (said,) = read(f"A {name} h", lexicon).said
            assert isinstance(said, Hold)
            assert said.unit.place == place.id


def test_other_readers_names_stay_as_they_were(scenario: Scenario) -> None:
    """Roma is the beginning of Romagna in English, and Rome in Spanish."""
    (english,) = read("A roma h", lexicon_of(scenario)).said
    (spanish,) = read("A roma h", lexicon_of(scenario, "es")).said

    assert isinstance(english, Hold)
    assert isinstance(spanish, Hold)
    assert (english.unit.place, spanish.unit.place) == ("rma", "rme")


def test_orders_on_file_have_the_usual_names(scenario: Scenario) -> None:
    """Whatever the language in which they were written."""
    lexicon = lexicon_of(scenario, "es")

    assert [
        write(said, lexicon)
        for line in ("A Florencia - Bolonia", "pay 3 ducats to Papado")
        for said in read(line, lexicon).understood
    ] == ["A flo - bol", "pay 3 ducats to Papacy"]


def test_powers_go_by_their_names_of_all_languages_for_everybody(scenario: Scenario) -> None:
    """Anyone who reads English may answer somebody who is called otherwise in Italian."""
    assert lexicon_of(scenario).power("turchia") == "T"
    assert lexicon_of(scenario).power("turquía") == "T"


def test_name_that_is_the_usual_one_of_another_place_is_asked_back(scenario: Scenario) -> None:
    """Nothing is taken for one of the two."""
    names = {"xx": {"Venice": "Padua"}}
    board: Board = replace(scenario.board, names=names)
    (said,) = read("A padua h", Lexicon(board, scenario.powers, "xx")).said

    assert isinstance(said, ParseError)
    assert [each.id for each in said.candidates] == ["pad", "ven"]


@cases
def test_spanish_letters_are_read(scenario: Scenario, line: str, order: str) -> None:
    """``E`` is an army before a place and behind a conversion; an expense begins as always."""
    lexicon = lexicon_of(scenario, "es")
    (said,) = read(line, lexicon).understood

    assert write(said, lexicon) == order


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", MAPS.scenario_ids())
def test_no_word_of_orders_of_a_language_means_a_place_or_power(name: str, language: str) -> None:
    """On every shipped board; and none is an order word of the judge's own."""
    scenario = MAPS.scenario(name)
    assert scenario is not None
    lexicon = lexicon_of(scenario, language)

    assert [word for word in OWN_WORDS[language] if lexicon.means_something(word)] == []


@cases
def test_words_of_orders_are_read_from_who_reads_their_language(
    scenario: Scenario, language: str, line: str, order: str
) -> None:
    """And are kept on file in the judge's own."""
    lexicon = lexicon_of(scenario, language)
    (said,) = read(line, lexicon).understood

    assert write(said, lexicon) == order


@cases
def test_words_of_other_languages_are_asked_back_as_the_kind_of_phase_has_them(
    scenario: Scenario, line: str, stage: str, meant: str
) -> None:
    """Spanish and German verbs of who reads English, and verbs that mean two things."""
    (problem,) = parse_order(line, lexicon_of(scenario), Stage[stage]).refused

    assert isinstance(problem, ParseError)
    assert problem.nearest == meant


@pytest.mark.parametrize("line", ["Armata flo - sie", "esercito flo - sie", "A flo - sie"])
def test_italian_words_are_read(scenario: Scenario, line: str) -> None:
    """Armata and esercito are armies."""
    (said,) = read(line, lexicon_of(scenario, "it")).understood

    assert isinstance(said, Advance)
    assert said.unit.kind is Kind.ARMY


def test_letter_of_a_power_is_none_of_a_unit() -> None:
    """Where somebody leads the Este, E may mean them."""
    este = MAPS.scenario("mach_este")
    assert este is not None
    assert PowerId("E") in este.powers
    assert lexicon_of(este, "es").letters == {}


def test_expense_of_other_readers_keeps_its_letter(scenario: Scenario) -> None:
    """No English line is read otherwise than before."""
    (said,) = read("e 1: 12 d buy A bol", lexicon_of(scenario)).said

    assert isinstance(said, Expense)
    assert read("E flo - sie", lexicon_of(scenario)).refused
    assert said.unit is not None
    assert said.unit.place == PlaceId("bol")


# --- lists -----------------------------------------------------------------------------------

HOLDS, KEEPS = Stage.CAMPAIGN, Stage.ADJUSTMENT


@cases
def test_units_are_joined_by_and_in_every_language(
    scenario: Scenario, language: str, stage: str, line: str, orders: list[str]
) -> None:
    """Comma, ``and``, ``&``, ``e`` and ``y``; one verb before or behind them holds for all."""
    lexicon = lexicon_of(scenario, language)
    parsed = parse_order(line, lexicon, Stage[stage])

    assert [write(each, lexicon) for each in parsed.understood] == orders
    assert parsed.refused == ()


@pytest.mark.parametrize("line", ["E 1: 12 ducats disband A bol", "A pro e h", "G pisa c a"])
def test_a_letter_that_means_something_else_joins_nothing(scenario: Scenario, line: str) -> None:
    """An expense, an east coast."""
    assert len(read(line, lexicon_of(scenario)).said) == 1


@cases
def test_orders_for_many_units_are_read_in_three_languages(
    scenario: Scenario, stage: str, line: str, verb: str, rest: bool
) -> None:
    """As ``hold all`` and ``hold rest``; a verb that means both means that of the phase."""
    found = parse_bulk_order(line, lexicon_of(scenario), Stage[stage])

    assert found == BulkOrder(Verb[verb], rest)


def test_a_list_of_exceptions_is_joined_in_the_same_ways(scenario: Scenario) -> None:
    """The units behind ``eccetto`` and ``menos``."""
    found = parse_bulk_order(
        "mantieni tutto eccetto A Bari e F Napoli", lexicon_of(scenario, "it"), KEEPS
    )

    assert isinstance(found, BulkOrder)
    assert [each.place for each in found.excepted] == ["bar", "nap"]


@pytest.mark.parametrize("line", ["A are-H", "A are - h", "A are -> hold", "A are - holds"])
def test_a_unit_holds_behind_a_dash(scenario: Scenario, line: str) -> None:
    """As some write every order."""
    lexicon = lexicon_of(scenario)

    assert [write(each, lexicon) for each in read(line, lexicon).understood] == ["A are h"]
