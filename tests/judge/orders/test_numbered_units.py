"""The notation of 1978 by mail: units have numbers, and orders name them so (MOV-03)."""

import tomllib
from pathlib import Path

import pytest

from machjudge.adjudicator.state import State
from machjudge.adjudicator.units import Unit
from machjudge.judge.mails import Outgoing
from tests.cases import cases
from tests.judge.house import PEOPLE, House, built_once
from tests.judge.letters_in import reply, write

ACTS = tomllib.loads(
    Path(__file__).with_name("introductory_1978.toml").read_text(encoding="utf-8")
)["acts"]


def players(house: House) -> dict[str, str]:
    """The address of each power's player."""
    powers = [seat.powers[0] for seat in house.game().seats if seat.powers]
    return {
        power: f"{name.lower()}@player.example" for name, power in zip(PEOPLE, powers, strict=False)
    }


def answer(house: House, power: str, *lines: str) -> str:
    """The answer to a mail of a power's player, in one line."""
    sent = write(house, players(house)[power], f"SIGNON {power}borgia pw{power}", *lines)
    return " ".join(next(x.body for x in sent if x.subject.startswith("Re:")).split())


def units_of(state: State, power: str) -> str:
    """A power's units with their numbers, as the book lists them."""
    return ", ".join(sorted(map(_text, state.units_of(power))))


def _text(unit: Unit) -> str:
    coast = f"/{unit.coast}" if unit.coast else ""
    return f"{unit.kind.letter}{unit.number} {unit.place}{coast}"


def test_the_introductory_game_is_played_as_the_book_prints_it() -> None:
    """MOV-03, MOV-13: each order of it, and every number of a unit at the end of each campaign."""
    house = House()
    house.start("1385", ["battleline_basic"])
    for act in ACTS:
        assert house.view().state.moment.code == act["phase"]
        for power, lines in act["orders"].items():
            assert "NOT TAKEN" not in answer(house, power, *lines)
        told = {power: units_of(house.view().state, power) for power in act.get("after", ())}
        assert told == act.get("after", {})


@built_once
def started() -> House:
    """A game of the advanced book in its first campaign, in which units have numbers."""
    house = House()
    house.start("1385", ["battleline_advanced"])
    for power in players(house):
        answer(house, power, "hold rest", "maintain all")
    assert house.view().state.moment.code == "S1385M"
    return house


@cases
def test_each_order_of_the_print_is_read(line: str, read: str) -> None:
    """MOV-03, EXP-37: with the place and the number in the answer."""
    said = answer(started(), "I", line)

    assert read in said


@cases
def test_a_fleet_carries_a_numbered_army(line: str, read: str) -> None:
    """MOV-03, MOV-09: to wherever it goes, where no goal is said."""
    assert read in answer(started(), "N", line)


@cases
def test_seas_conversions_and_disbanding_are_read(power: str, line: str, read: str) -> None:
    """MOV-03: the book's short names of seas, a unit's new number, and the nought."""
    assert read in answer(started(), power, line)


@cases
def test_several_orders_on_a_line_may_name_numbers_and_places(line: str) -> None:
    """MOV-03: a comma behind a place parts the orders as everywhere."""
    house = started()

    assert "NOT TAKEN" not in answer(house, "I", line)
    assert house.on_file("I") == ["A pav h", "A mil h", "F gen h"]


def test_units_with_numbers_and_places_are_maintained_in_one_line() -> None:
    """MOV-03, ADJ-01: with both, with either, in a list."""
    house = House()
    house.start("1385", ["battleline_advanced"])
    said = answer(house, "I", "maintain A1 pavia, A2 milan, A3, A bol, F1 genoa")

    assert "NOT TAKEN" not in said
    assert len(house.on_file("I")) == 5


@pytest.mark.parametrize("line", ["A9: H", "T-A1", "A1: S-A9", "C-A7(FL)-6d"])
def test_a_number_that_nobody_bears_is_refused(line: str) -> None:
    """With a sentence about it, or as a line that says nothing; as it was written."""
    said = answer(started(), "I", line)

    assert f"NOT TAKEN line 2: {line} " in said
    assert "[our fault]" not in said


def test_a_unit_to_be_bought_is_ordered_by_its_new_number() -> None:
    """EXP-24: in the mail of the purchase, and, as the only one to be bought, in a later one."""
    house = started()
    said = answer(house, "I", "I-Flore-A7-21d", "A7: A-Bolog")
    later = answer(house, "I", "A7: S-Bolog")

    assert "A2 Florence - Bologna" in said
    assert "A2 Florence S Milanese Bologna" in later

    answer(house, "I", "expense 1: none")
    assert "NOT TAKEN line 2: A7: H " in answer(house, "I", "A7: H")


def test_several_expenses_by_letter_are_numbered_in_their_order() -> None:
    """EXP-01: the first is expense 1."""
    said = answer(started(), "I", "C-A1-3d", "C-A2-3d")

    assert "E1 3d counter-bribe A1 Pavia" in said
    assert "E2 3d counter-bribe A2 Milan" in said


def test_elsewhere_units_have_no_numbers() -> None:
    """MOV-03: the place says which one it is."""
    house = House()
    house.start("1385", ["nomoney"])

    assert "Units have no numbers here" in answer(house, "I", "A1: A-Montf")


def results_to(house: House, power: str) -> Outgoing:
    """The results of a first campaign in which all hold."""
    letters: list[Outgoing] = []
    for each in players(house):
        letters += write(house, players(house)[each], f"SIGNON {each}borgia pw{each}", "hold all")
    to = players(house)[power]
    (found,) = [each for each in letters if each.to == to and "LINES TO SEND BACK" in each.body]
    return found


@pytest.mark.parametrize(
    ("line", "kept"),
    [("A1: A-Montf", "A pav - mon"), ("A1 Pavia - Montferrat", "A pav - mon")],
)
def test_a_numbered_line_may_be_changed_inside_the_quotation(line: str, kept: str) -> None:
    """MOV-03: as everywhere in a game whose units have numbers."""
    house = started()
    letter = results_to(house, "I")
    rows = [line if row == "A1 Pavia H" else row for row in letter.body.splitlines()]

    reply(house, letter, "On Fri, MACH judge wrote:", "", *(f"> {row}" for row in rows))

    assert house.on_file("I") == ["A bol h", "A cre h", "A mil h", kept, "F gen h"]


def test_the_lines_to_send_back_are_read_as_they_were_sent() -> None:
    """Each with the number and the place of its unit."""
    house = started()
    letter = results_to(house, "I")
    form = letter.body.partition("LINES TO SEND BACK\n")[2].splitlines()[:5]

    said = answer(house, "I", *form)

    assert "NOT TAKEN" not in said
    assert house.on_file("I") == ["A bol h", "A cre h", "A mil h", "A pav h", "F gen h"]


def test_without_the_option_no_message_shows_a_number() -> None:
    """MOV-03: a master may switch the notation while the game is played."""
    house = started()
    write(house, players(house)["I"], "SIGNON Mborgia masterkey", "SET OPTION notation judge")

    assert "A Pavia: no order" in answer(house, "I", "A Milan H")


@built_once
def in_letters() -> House:
    """A game of the advanced book whose Milanese player reads the letters of 1978."""
    house = started()
    said = answer(house, "I", "SET NOTATION 1978")
    assert "Orders are written to you in the letters of 1978" in said
    return house


@cases
def test_a_player_may_read_orders_in_the_letters_of_1978(line: str, read: str) -> None:
    """MOV-03: whatever the book has letters for; what is shown is read again as the same."""
    house = in_letters()
    said = answer(house, "I", line)
    kept = house.on_file("I")

    assert read in said
    assert "NOT TAKEN" not in answer(house, "I", read)
    assert house.on_file("I") == kept


def test_each_reads_results_in_the_own_notation() -> None:
    """MOV-03: one phase, two readers."""
    house = in_letters()
    answer(house, "N", "A1: A-Capua")
    answer(house, "N", "F1: T-A2", "SET NOTATION 1978")
    assert "F1 Naples: T-A2(Naples)" in answer(house, "N", "SEND ORDERS")
    answer(house, "N", "SET NOTATION JUDGE")
    letters: list[Outgoing] = []
    for each in players(house):
        letters += write(house, players(house)[each], f"SIGNON {each}borgia pw{each}", "hold rest")
    told = {
        power: " ".join(x.body.split())
        for power, to in players(house).items()
        for x in letters
        if x.to == to and "LINES TO SEND BACK" in x.body
    }

    assert "A1 Bari: A-Capua" in told["I"]
    assert "A1 Pavia: H" in told["I"]
    assert "A1 Bari - Capua" in told["N"]
    assert "A1 Pavia H" in told["N"]


def test_the_lines_to_send_back_are_in_letters_and_can_be_changed() -> None:
    """MOV-03: by their reader, inside the quotation too."""
    house = in_letters()
    letter = results_to(house, "I")
    rows = ["A1 Pavia: A-Montf" if r == "A1 Pavia: H" else r for r in letter.body.splitlines()]

    assert "A1 Pavia: H" in letter.body
    reply(house, letter, "On Fri, MACH judge wrote:", "", *(f"> {row}" for row in rows))
    assert house.on_file("I") == ["A bol h", "A cre h", "A mil h", "A pav - mon", "F gen h"]


def test_the_judge_s_notation_is_set_again() -> None:
    """By the same player."""
    house = in_letters()

    assert "in the judge's notation" in answer(house, "I", "SET NOTATION JUDGE")
    assert "A1 Pavia - Montferrat" in answer(house, "I", "A1: A-Montf")


@pytest.mark.parametrize("line", ["SET NOTATION latin", "SET NOTATION"])
def test_another_notation_is_refused(line: str) -> None:
    """With what there is."""
    assert "SET NOTATION 1978" in answer(started(), "I", line)


def test_without_numbers_there_are_no_letters() -> None:
    """MOV-03: the answer says what gives units numbers."""
    house = House()
    house.start("1385", ["nomoney"])

    assert "SET OPTION notation serial" in answer(house, "I", "SET NOTATION 1978")


@pytest.mark.parametrize(
    "line", ["A1: A-Xyzzy", "A1: A-Naples", "A2 S A1 - Xyzzy", "C-A1-3d-Xyzzy"]
)
def test_a_refused_line_is_shown_as_it_was_written(line: str) -> None:
    """MOV-03: with its numbers."""
    said = answer(started(), "I", line)

    assert "NOT TAKEN" in said
    assert line in said
