"""Texts by mail: the fixed list, sections of the rules, the old judge's names, scenarios."""

import re

import pytest

from machjudge.judge.pictures import PICTURE_REQUEST
from machjudge.messages.catalogue import OTHER_NAMES, TEXTS, Library
from tests.cases import cases
from tests.judge.house import ROOT, House, started
from tests.judge.letters_in import write

LUCIA = "lucia@player.example"


def asked(*lines: str):
    """The only answer to a question of somebody without a seat."""
    (letter,) = write(House(), LUCIA, *lines)
    return letter


@pytest.mark.parametrize("name", TEXTS)
def test_every_text_of_the_list_is_sent(name: str) -> None:
    """Nothing in the list is missing from the docs; the whole text arrives."""
    letter = asked(f"GET {name}")
    arrived = letter.body + "".join(file.content.decode() for file in letter.attachments)
    whole = Library(ROOT / "docs").lines(name)

    assert not letter.subject.startswith("Re: [Errors]")
    assert "".join(whole[-1].split()) in "".join(arrived.split())


@cases
def test_file_named_after_a_scenario_is_about_it(name: str, title: str) -> None:
    """The old judge has a map and an information for each of its variants."""
    assert asked(f"GET {name}").body.startswith(f"{title}\n")


def test_package_brings_everything_that_somebody_new_needs() -> None:
    """The guide to read; rules, syntax and commands as files."""
    sent = asked("GET PACKAGE")

    assert "PLAYING BY MAIL" in sent.body
    assert [file.name for file in sent.attachments] == ["rules.txt", "syntax.txt", "commands.txt"]


@pytest.mark.parametrize("name", OTHER_NAMES)
def test_names_of_the_old_judge_have_an_answer(name: str) -> None:
    """Each leads to a text of ours."""
    assert "there is no text" not in asked(f"GET {name}").body.lower()


@cases
def test_a_file_of_the_old_judge_brings_the_text_of_the_same_purpose(name, title) -> None:
    """By its whole name, or without the parts that say only that it is about the game."""
    assert asked(f"GET {name}").body.startswith(f"{title}\n")


def test_the_old_judge_s_drawing_is_ours() -> None:
    """Its map in PostScript leads to the one that is sent here, with the places in words."""
    sent = asked("GET machiavelli.ps")

    assert [file.media_type for file in sent.attachments] == [PICTURE_REQUEST]
    assert sent.body.startswith("MAP\n")


def test_a_section_and_one_rule() -> None:
    """GET RULES SIE sends all rules of the section, GET RULES SIE-04 that one only."""
    section, one = asked("GET RULES SIE").body, asked("get rules sie-04").body

    assert re.findall(r"SIE-\d\d", section)[:4] == ["SIE-01", "SIE-02", "SIE-03", "SIE-04"]
    assert "- SIE-04" in one
    assert "- SIE-05" not in one


def test_a_section_by_a_word_of_its_title() -> None:
    """GET RULES plague is GET RULES PLG."""
    assert "PLG-01" in asked("GET RULES plague").body


def test_what_is_not_in_the_list_is_not_sent() -> None:
    """No path leads out of it."""
    for name in ("../pyproject.toml", "rules.md/..", "/etc/passwd", "decisions"):
        letter = asked(f"GET {name}")
        assert letter.subject.startswith("Re: [Errors]")
        assert "GET INDEX" in letter.body


def test_an_unknown_rule_names_the_sections() -> None:
    """So that the next mail is right."""
    body = asked("GET RULES XYZ-99").body

    assert "there is no such rule" in body.lower()
    assert "SIE" in body


def test_every_rule_that_program_and_texts_name_has_its_entry() -> None:
    """What errors, results, templates, docs and the program refer to, GET RULES sends."""
    library = Library(ROOT / "docs")
    areas = "|".join(section.area for section in library.sections())
    pattern = rf"\b(?:{areas})-\d\d\b"
    folders = [(ROOT / "templates" / "en", "*"), (ROOT / "docs", "*.md")]
    folders += [(ROOT / "machjudge", f"**/*.{kind}") for kind in ("py", "lark")]
    texts = [file.read_text("utf-8") for folder, names in folders for file in folder.glob(names)]
    named = {name for text in texts for name in re.findall(pattern, text)}

    assert len(named) > 300
    alone = {name for name in named if library.rules_about(name)[0].startswith(f"- {name}")}
    assert sorted(named - alone) == []


@pytest.mark.parametrize("name", ["rules", "syntax"])
def test_short_texts_speak_of_the_whole_game(name: str) -> None:
    """Ducats, rebellion and assassins are in both; the rules in short tell of dice, too."""
    body = asked(f"GET {name}").body.lower()

    for word in ("ducats", "borrow" if name == "syntax" else "bank", "rebellion", "assass"):
        assert word in body
    if name == "rules":
        assert "\ndice\n" in body
        assert "get dice" in body


def test_a_scenario_with_its_units() -> None:
    """Title, powers, units at the beginning."""
    body = asked("GET SCENARIO 1385").body

    assert "SCENARIO 1385" in body
    assert "Units:" in body


@pytest.mark.parametrize(("name", "is_said"), [("mach2_ttr", True), ("1454", False)])
def test_a_scenario_says_what_its_file_remarks(name: str, is_said: bool) -> None:
    """Anyone who asks for one reads that no book stands beside it."""
    assert ("and no book stands beside it" in asked(f"GET SCENARIO {name}").body) is is_said


def test_index_names_everything() -> None:
    """Each text, the map and the scenarios."""
    body = asked("GET INDEX").body

    assert [
        name for name in (*TEXTS, "map", "replay", "scenario") if f"GET {name.upper()}" not in body
    ] == []


def test_map_in_words_names_owner_units_and_borders() -> None:
    """Of a game as it stands, without a table; what is hidden on no map stands in it."""
    house = started("nodice")
    (sent,) = write(house, "x@new.example", "GET MAP TEXT borgia")
    body = " ".join(sent.body.split())

    assert "MAP OF BORGIA: F1453B" in body
    assert "Florence: province and city of Florence; army of Florence. Borders Arezzo, " in body
    assert "Siena: province and city of nobody; autonomous garrison. Borders " in body
    assert "Venice Lagoon, sea: no unit. Borders Friuli, Padua, Treviso, Upper Adriatic" in body
    assert "Ancona: province and city of the Papacy; fleet of the Papacy. Borders Aquila, " in body
    assert "Spoleto (army only)" in body
    assert sent.attachments == ()


def test_map_in_words_tells_coasts_and_numbers() -> None:
    """On which coast a fleet lies, from which coast it leaves, and the units' numbers."""
    (sent,) = write(House(), "x@new.example", "GET MAP TEXT standard")
    body = " ".join(sent.body.split())
    house = started("preset", "battleline_basic")
    numbered = write(house, "x@new.example", "GET MAP TEXT borgia")[0].body

    assert "fleet of Russia (F St Petersburg/sc). Borders Barents Sea (fleets from /nc)," in body
    assert "Norwegian Sea, Skagerrak, St Petersburg (fleets to /nc) and Sweden." in body
    assert "Portugal: province and city of nobody; no unit. Borders Mid-Atlantic Ocean and " in body
    assert "Spain (fleets to /nc, /sc)." in body
    assert "Moscow: province and city of Russia; army of Russia. Borders Livonia, " in body
    assert "army of Florence (A" in numbered


def test_map_in_words_of_a_scenario_is_its_opening() -> None:
    """Every place that can be entered is in it; another name is refused as for the map."""
    (sent,) = write(House(), "x@new.example", "MAP TEXT 1454")
    (wrong,) = write(House(), "x@new.example", "MAP TEXT nowhere")

    assert "Milan: province and city of Milan; army of Milan." in sent.body
    assert "borders" not in wrong.body.lower()
    assert "NOT TAKEN" in wrong.body


def test_scenarios_are_listed_with_their_titles_and_for_how_many_people() -> None:
    """Somebody who makes a game for five friends finds what there is for them."""
    body = asked("GET SCENARIOS").body

    assert "  1499: The Struggle for Dominance, part one; 3, 4, 5 or 6 people\n" in body
    assert "  1454_nine: The Balance of Power, for nine players; 9 people\n" in body
