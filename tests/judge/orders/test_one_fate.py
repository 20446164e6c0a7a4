"""A line of orders, or a part of it up to a semicolon, has one fate: all of them, or none."""

import pytest

from tests.judge.house import House, started
from tests.judge.letters_in import answer
from tests.judge.year import address_of, order


@pytest.fixture
def house() -> House:
    """1454 without money, in its first Spring."""
    made = House()
    made.start(options=["nomoney"])
    return made


def told(house: House, *lines: str, power: str = "L") -> str:
    """The answer to orders, in one line."""
    return " ".join(answer(order(house, power, *lines), address_of(house, power)).split())


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("hold A flo, A are, A mil", "A Florence H, A Arezzo H"),
        ("A flo H, A are - bol, F psa - zzz", "A Florence H"),
        ("A flo - sie, A xyz H", "A Florence - Siena"),
        ("A flo - sie, A aer H", "A Florence - Siena, A Arezzo H"),
        ("A flo, A xyz, F psa hold", "A Florence H, F Pisa H"),
        ("A flo - sie and A are - nap", "A Florence - Siena"),
        ("hold F psa, hold all except A xyz", None),
    ],
)
def test_nothing_of_a_line_is_taken_where_one_order_of_it_is_not(
    house: House, line: str, meant: str | None
) -> None:
    """If it cannot be read or may not be given, what was on file stays in force."""
    order(house, "L", "A flo - pst", "F psa - pio")
    before = house.on_file()
    said = told(house, line)

    assert house.on_file() == before
    assert house.view().order_sets["L"].flawed
    if meant is not None:
        assert f"Did you mean: {meant}" in said
        assert "Nothing of this line is taken: all its orders are, or none." in said
        assert "NOT TAKEN" not in told(house, meant)
        assert len(house.on_file()) >= len(before)


def test_a_semicolon_ends_a_line_of_orders(house: House) -> None:
    """What stands behind it has a fate of its own, now and for a later phase."""
    said = told(house, "A flo - sie, A are H; A pav H; F psa - pio, A xyz H")

    assert house.on_file() == ["A flo - sie", "A are h"]
    assert "line 2: … A pav H" in said
    assert "Did you mean: F Pisa - Piombino" in said
    assert 'Nothing of "F psa - pio, A xyz H" is taken' in said
    assert "Nothing of this line" not in said

    ahead = told(house, "PHASE U1454M", "A flo - sie; F psa - pio, A xyz H")

    assert "ORDERS FOR LATER PHASES U1454M: A Florence - Siena (set 1" in ahead
    assert 'Nothing of "F psa - pio, A xyz H" is taken' in ahead
    assert "Did you mean: F psa - pio" in ahead


def test_other_lines_of_the_mail_are_taken(house: House) -> None:
    """A line never costs another one (SYN-10)."""
    told(house, "A flo - sie, A xyz H", "A are H", "F psa - pio")

    assert house.on_file() == ["A are h", "F psa - pio"]


def test_the_form_of_a_year_of_orders_in_one_line_is_taken_whole(house: House) -> None:
    """Some programs put a whole mail into one line."""
    told(house, "A flo - sie, A are H, F psa - pio")

    assert house.on_file() == ["A flo - sie", "A are h", "F psa - pio"]


def test_a_list_joined_by_and_maintains_all_of_it() -> None:
    """None of four units is lost where somebody writes ``e`` before the last."""
    house = started()
    order(house, "N", "SET LANGUAGE italian")
    told(house, "mantieni A Bari, A Messina, F Napoli e F Palermo", power="N")

    assert house.on_file("N") == [
        "maintain A bar",
        "maintain A mes",
        "maintain F nap",
        "maintain F pal",
    ]


def test_orders_ahead_have_one_fate_too(house: House) -> None:
    """Nothing of the line is kept, and what is left can be sent again."""
    said = told(house, "PHASE U1454M", "A flo - sie, A xyz H", "F psa - pio")

    (part,) = house.view().plans["L"].parts
    assert [each.canonical for each in part.items] == ["F psa - pio"]
    assert "Did you mean: A flo - sie" in said


def test_a_hold_that_is_taken_back_is_not_suggested_again(house: House) -> None:
    """It is dropped by CLEAR, with the other orders sent again."""
    told(house, "A flo H", "F psa - pio")

    said = told(house, "cancel A flo H")

    assert "Did you mean: A Florence H" not in said
    assert "CLEAR" in said
    assert "F Pisa - Piombino" in said
