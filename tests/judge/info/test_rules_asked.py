"""Which rules are we playing: the set of rules and each departure, and the text of this game."""

from collections.abc import Sequence

import pytest

from machjudge.adjudicator.options import (
    OPTIONS,
    PRESETS,
    Option,
    Value,
    departures,
    keys_of,
    nearest,
    preset,
    with_option,
    written,
)
from machjudge.adjudicator.rules import Table
from machjudge.messages.catalogue import Library
from machjudge.messages.tables import Departure, as_played, departures_of
from machjudge.messages.wording import played_with
from tests.cases import cases
from tests.judge.house import ROOT, House, message_renderer
from tests.judge.letters_in import answer, write
from tests.judge.setup.test_ruling import LUCIA, MASTER, forming, master

say = message_renderer().say
DOCS = Library(ROOT / "docs")
LANGUAGES = [each for each in message_renderer().languages if DOCS.is_in(each, "rules")]


def asked(house: House, *lines: str) -> str:
    """The answer to somebody without a seat, in one line."""
    return " ".join(answer(write(house, "dino@x.example", *lines), "dino@x.example").split())


def test_a_rule_is_told_as_the_game_plays_it() -> None:
    """To anyone who has signed on, or names the game; the usual rule to everybody else."""
    house = forming("preset", "judge2009")
    here = "SIE-07 In this game: A half-done siege ends when its unit holds"

    assert here in master(house, "GET RULES SIE-07")
    assert here in asked(house, "GET RULES borgia SIE-07")
    assert here in asked(house, "GET RULES SIE-07 of borgia")
    assert "SIE-07 A besieger that holds keeps" in asked(house, "GET RULES SIE-07")


def test_a_section_without_its_flag_says_so() -> None:
    """Below its title."""
    said = master(forming("nospecial"), "GET RULES SPC")

    assert "RULES: SPC special units (flag special) In this game: There are no special" in said


def test_the_rules_of_a_game_name_its_set_and_every_departure() -> None:
    """In the answer and in the file."""
    house = forming("judge2009", "noplague", "nofamine")
    sent = write(house, LUCIA, MASTER, "GET RULES")
    (letter,) = [each for each in sent if each.attachments]
    whole = letter.attachments[0].content.decode()

    for text in (letter.body, whole):
        told = " ".join(text.split())
        assert "Rules: judge2009, the old judge's rules" in told
        assert "but: - There is no famine." in told
    assert "- SIE-07 In this game: A half-done siege ends" in whole


@pytest.mark.parametrize("name", PRESETS)
def test_a_game_of_a_set_of_rules_is_made_and_told(name: str) -> None:
    """By its name in CREATE; the listing names it, and what the scenario changes of it."""
    house = forming("preset", name)
    game, said = house.game(), asked(house, "LIST borgia")

    near = nearest(game.rules)
    assert PRESETS[near] == PRESETS[name] or near == name
    assert f"Rules: {near}, " in said
    for each in departures(game.rules, PRESETS[near]):
        assert say(played_with(each, OPTIONS[each].of(game.rules))) in said


def another(option: Option) -> Sequence[Value]:
    """Each value of an option but the usual one; of a number, a list or a map one other."""
    if option.choices:
        return [written(each) for each in option.choices if each != option.default]
    if isinstance(option.default, int):
        return [option.default + 1]
    if isinstance(option.default, Table):
        return [{next(iter(keys_of(option))): 7}]
    return [list(keys_of(option)[:-1]) or [1, 1, 1, 1]]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", OPTIONS)
def test_the_text_of_the_rules_follows_every_option(language: str, name: str) -> None:
    """Each value says in its rules, under each of their numbers, what is played with it."""
    option, usual, own = (
        OPTIONS[name],
        DOCS.lines("rules", language),
        message_renderer().of(language).say,
    )
    texts = {}
    for value in another(option):
        rules = with_option(preset("judge"), name, value)
        here = own(played_with(name, option.of(rules)))
        lines = texts[str(value)] = as_played(usual, departures_of(rules), own)
        changed = [line for line in lines if line not in usual]
        assert changed
        assert all(here in line for line in changed)

    assert len(set(texts.values())) == len(texts)


@pytest.mark.parametrize("language", [each for each in LANGUAGES if each != "en"])
@pytest.mark.parametrize("name", OPTIONS)
def test_an_option_changes_the_same_rules_in_every_language(language: str, name: str) -> None:
    """Those in which it is named, and below the title of a section that it rules."""
    apart = departures_of(with_option(preset("judge"), name, another(OPTIONS[name])[0]))

    assert changed_by(apart, language) == changed_by(apart, "en") != []


def changed_by(apart: Sequence[Departure], language: str) -> list[int]:
    """The lines of the rules that are told otherwise, by their places."""
    lines = enumerate(DOCS.lines("rules", language))
    return [place for place, line in lines if as_played([line], apart, say) != (line,)]


@cases
def test_the_text_of_the_rules_follows_the_service_options(line: str, rule: str, here: str) -> None:
    """In the rule, or below the title of the section."""
    house = forming()
    usual = master(house, f"GET RULES {rule}")
    said = master(house, line, f"GET RULES {rule}").partition(f"RULES: {rule}")[2]

    assert "In this game:" not in usual
    assert "In this game:" in said
    assert here in said


@pytest.mark.parametrize("name", PRESETS)
def test_the_rules_of_a_set_say_each_of_its_departures(name: str) -> None:
    """In the answer in short, and in the rule itself."""
    said = asked(House(), f"GET RULES {name}")

    for each in departures(PRESETS[name], preset("judge")):
        option = OPTIONS[each]
        here = " ".join(say(played_with(each, option.of(PRESETS[name]))).split())
        assert here in said
        assert any(here in asked(House(), f"GET RULES {name} {at}") for at in option.facts.numbers)


def test_the_old_judge_s_file_of_1995_has_the_rules_of_1995() -> None:
    """F026: GET rules.machiavelli2, whole and in part."""
    said = asked(House(), "GET rules.machiavelli2")

    assert "Rules: mach2, the second edition of the game, of 1995" in said
    assert "Unlike the usual rules: " in said
    assert "CTL-01 In this game:" in asked(House(), "GET rules.machiavelli2 CTL-01")


def test_a_game_of_another_set_is_not_told_the_usual_rules() -> None:
    """What its set plays otherwise stands above the rules in short."""
    said = asked(forming("preset", "article"), "GET RULES borgia")

    assert "- A besieged city pays its income." in said
    assert "Where borgia plays otherwise, the sentences above hold." in said


def test_differences_stand_side_by_side() -> None:
    """Each option with both of its sentences; with one set, the game and that one."""
    said = asked(House(), "DIFFERENCES judge and judge2009")
    own = master(forming("judge2009"), "DIFFERENCES judge")

    assert "home_loss judge: A power keeps a home country" in said
    assert "judge2009: A power loses a home country when it holds none" in said
    assert "home_loss borgia: A power loses a home country when it holds none" in own
    assert "judge and judge play the same." in asked(House(), "DIFFERENCES judge judge")


@pytest.mark.parametrize("line", ["DIFFERENCES a b c", "DIFFERENCES chess", "DIFFERENCES and"])
def test_differences_of_nothing_known_are_refused(line: str) -> None:
    """With the sets that there are."""
    said = asked(House(), line)

    assert "judge, judge_basic" in said
    assert "DIFFERENCES judge judge2009" in said


def test_another_scenario_says_what_is_lost() -> None:
    """The set of rules, flags, options and what wins."""
    house = forming("judge2009", "plague")
    said = master(house, "SET OPTION special_limit 2", "SET CITIES 20", "SET SCENARIO 1499")

    assert "the rules of judge2009, plague, special_limit 2 and to win with 20 cities" in said


ABSENT = {
    "diplomacy": {
        "en": (
            "siege",
            "garrison",
            "ducat",
            "bank",
            "rebel",
            "famine",
            "militia",
            "Summer",
            "dice",
        ),
        "es": ("asedi", "guarnici", "ducado", "banca", "rebel", "hambruna", "milicia", "verano"),
        "it": ("assed", "guarnigion", "ducat", "banca", "ribell", "carestia", "milizia", "estate"),
    },
    "judge_basic": {
        "en": ("ducat", "bank", "rebel", "famine", "militia"),
        "es": ("ducado", "banca", "rebel", "hambruna", "milicia"),
        "it": ("ducat", "banca", "ribell", "carestia", "milizia"),
    },
}


@pytest.mark.parametrize("language", ["en", "es", "it"])
@pytest.mark.parametrize("name", ABSENT)
def test_the_rules_in_short_are_those_that_the_game_has(name: str, language: str) -> None:
    """Who plays plain Diplomacy reads of no sieges, ducats or rebels there."""
    house = forming("preset", name)
    write(house, LUCIA, MASTER, f"SET LANGUAGE {language}")
    body = answer(write(house, LUCIA, MASTER, "GET RULES"), LUCIA)
    begin = {"en": "THE YEAR", "es": "EL AÑO", "it": "L’ANNO"}[language]
    end = {"en": "ALL RULES", "es": "TODAS LAS REGLAS", "it": "TUTTE LE REGOLE"}[language]
    short = body.partition(begin)[2].partition(end)[0]
    usual = asked(house, "GET RULES")

    assert len(short) > 900
    assert [word for word in ABSENT[name][language] if word.lower() in short.lower()] == []
    assert [word for word in ABSENT[name]["en"] if word not in usual] == []
