"""Results: one for each line and each unit without one, with marks and the reason for them."""

import tomllib
from pathlib import Path
from typing import Any, get_args

import pytest

from machjudge.adjudicator.reasons import Failure, NotMatched, SupportFailure
from machjudge.formats.adjudicate import _FAILED
from tests.formats.questions import asked, told

CASES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))

MONEY = {
    "preset": "judge",
    "set": {"dice": False, "special": False, "adjacency": "none"},
}
NO_CASH = {"preset": "judge_basic"}


def results(
    units: list[str],
    orders: dict[str, list[str]],
    rules: dict[str, Any] = NO_CASH,
    phase: str = "S1454M",
    **fields: Any,
) -> list[dict[str, Any]]:
    """The results of a phase of 1454."""
    where = {"phase": phase, "units": units} | fields
    document = told(asked(position=where, orders=orders, rules=rules))
    found: list[dict[str, Any]] = document["results"]
    return found


def marks(*args: Any, **fields: Any) -> dict[str, list[str]]:
    """Order -> marks."""
    return {result["order"]: result["marks"] for result in results(*args, **fields)}


def test_every_line_has_a_result_in_its_place() -> None:
    """Powers sorted, each one's lines in the order given, then the units without an order."""
    found = results(
        ["V A pad", "V A ver", "A A hun", "& G gen"],
        {"V": ["A ver - pad", "ver h", "A xyz h"], "A": ["A hun - aus"]},
    )

    assert [(one["power"], one["given"], one["order"], one["marks"]) for one in found] == [
        ("&", None, "G gen h", []),
        ("A", "A hun - aus", "A hun - aus", []),
        ("V", "A ver - pad", "A ver - pad", ["replaced"]),
        ("V", "ver h", "A ver h", []),
        ("V", "A xyz h", "A xyz h", ["void"]),
        ("V", None, "A pad h", []),
    ]


def test_a_line_with_two_orders_has_two_results() -> None:
    """Both repeat the line that they come from."""
    found = results(["V A pad", "V A ver"], {"V": ["A pad h, A ver h"]})

    assert [one["given"] for one in found] == ["A pad h, A ver h"] * 2
    assert [one["order"] for one in found] == ["A pad h", "A ver h"]


def test_a_line_that_says_nothing_is_void() -> None:
    """An empty line is a line given, too."""
    [found] = results([], {"V": [""]})

    assert found == {
        "power": "V",
        "given": "",
        "order": "",
        "marks": ["void"],
        "reason": {"kind": "not_read", "says": "the line says nothing"},
    }


def test_an_abbreviation_of_two_places_is_void() -> None:
    """The reason names the places that may be meant."""
    [found] = results([], {"V": ["A sal h"]})

    assert found["marks"] == ["void"]
    assert found["reason"] == {
        "kind": "not_read",
        "says": '"sal" may be Salerno or Saluzzo',
    }


def test_a_success_has_no_mark_and_no_reason() -> None:
    """Empty marks mean that the order was carried out."""
    [found] = results(["V A pad"], {"V": ["A pad - ver"]})

    assert (found["marks"], found["reason"]) == ([], None)


@pytest.mark.parametrize(
    ("units", "orders", "order", "mark", "reason"),
    [
        *CASES["a_failure_has_its_mark_and_reason"],
        (
            ["V A dal", "V F uas"],
            {"V": ["A dal - uas - anc"]},
            "A dal - uas - anc",
            "no convoy",
            {"kind": "no_convoy", "at": "uas", "fleet": None, "dislodged": False},
        ),
    ],
)
def test_a_failure_has_its_mark_and_reason(
    units: list[str], orders: dict[str, list[str]], order: str, mark: str, reason: dict[str, Any]
) -> None:
    """The mark says what happened in a word, the reason by whom and with which strength."""
    [found] = [one for one in results(units, orders) if one["order"] == order]

    assert found["marks"] == [mark]
    if reason:
        assert found["reason"] == reason
    else:
        assert found["reason"]["kind"] in ("objection", "held_instead")


def test_a_dislodged_unit_is_marked_beside_its_own_failure() -> None:
    """A move that bounced and a unit driven out are two marks of one order."""
    found = results(
        ["I A luc", "L A psa", "L A pst"],
        {"I": ["A luc - psa"], "L": ["A psa - luc", "A pst s A psa - luc"]},
    )

    assert found[0]["marks"] == ["bounce", "dislodged"]
    assert found[0]["reason"]["kind"] == "withstood"


def test_a_unit_driven_out_on_hold_names_who_did_it() -> None:
    """The reason is the event of the dislodgement, with both strengths and the ways out."""
    found = results(
        ["I A luc", "L A psa", "L A pst"],
        {"I": ["A luc h"], "L": ["A psa - luc", "A pst s A psa - luc"]},
    )

    assert found[0]["marks"] == ["dislodged"]
    assert found[0]["reason"]["kind"] == "unit_dislodged"
    assert (found[0]["reason"]["strength"], found[0]["reason"]["rival"]) == (2, 1)


def test_a_siege_half_done_marks_other_orders() -> None:
    """A besieger that would rather go holds, and is told so."""
    found = marks(["V A fer", "I G fer"], {"V": ["A fer - man"]}, sieges=["fer"])

    assert found["A fer - man"] == ["siege in progress"]


def test_a_garrison_falls_with_its_city() -> None:
    """The siege's second half starves it out, whatever it was ordered."""
    found = marks(["V A fer", "I G fer"], {"V": ["A fer b"], "I": ["G fer h"]}, sieges=["fer"])

    assert found == {"A fer b": [], "G fer h": ["starved out"]}


def test_retreats_have_marks_of_their_own() -> None:
    """Who meets another is destroyed, and so is who says nothing."""
    waiting = [
        {"unit": "V A pad", "retreats": ["ver"]},
        {"unit": "I A bre", "retreats": ["ver"]},
        {"unit": "L A psa", "retreats": ["luc"]},
        {"unit": "P A bol", "retreats": ["rma"]},
    ]
    found = results(
        [],
        {"V": ["A pad - ver"], "I": ["A bre - ver"], "P": ["A bol - rma"]},
        phase="S1454R",
        dislodged=waiting,
    )

    assert [(one["power"], one["order"], one["marks"]) for one in found] == [
        ("I", "A bre - ver", ["destroyed"]),
        ("L", None, ["destroyed"]),
        ("P", "A bol - rma", []),
        ("V", "A pad - ver", ["destroyed"]),
    ]


def test_the_adjustment_marks_what_was_not_paid() -> None:
    """A unit that nobody maintains goes, a build beyond the treasury fails."""
    found = results(
        ["V A pad", "V A ver"],
        {"V": ["maintain A pad", "build A trv"]},
        rules=MONEY,
        phase="F1454B",
        treasury={"V": 5},
    )

    assert [(one["given"], one["marks"]) for one in found] == [
        ("maintain A pad", []),
        ("build A trv", ["void"]),
        (None, ["not maintained"]),
    ]


def test_money_orders_say_what_became_of_the_ducats() -> None:
    """Refused, in part, or the fate of the expense."""
    found = results(
        ["V A pad", "I A ver"],
        {
            "V": [
                "expense 1: 3 ducats buy A ver",
                "pay 9 ducats to bank",
                "borrow 20 ducats for 1 year",
                "ally Milan",
            ],
            "I": ["pay 5 ducats to Venice", "pay 20 ducats to Florence", "pay 1 ducat to bank"],
            "L": ["pay 5 ducats to Milan"],
        },
        rules=MONEY,
        treasury={"V": 20, "I": 9, "L": 5},
        loans=[
            {"power": "V", "principal": 20, "interest": 0, "due": "F1455"},
            {"power": "L", "principal": 1, "interest": 0, "due": "F1455"},
        ],
    )

    assert {one["given"]: one["marks"] for one in found if one["given"]} == {
        "expense 1: 3 ducats buy A ver": ["too small"],
        "pay 9 ducats to bank": [],
        "borrow 20 ducats for 1 year": ["refused"],
        "ally Milan": [],
        "pay 5 ducats to Venice": [],
        "pay 20 ducats to Florence": ["partly"],
        "pay 1 ducat to bank": ["partly"],
        "pay 5 ducats to Milan": ["refused"],
    }


def test_an_order_for_a_unit_that_was_not_bought_comes_to_nothing() -> None:
    """It was written in case; the owner's own order stands."""
    found = results(
        ["V A pad", "I A ver"],
        {"V": ["expense 1: 3 ducats buy A ver", "A ver h"], "I": ["A ver - vic"]},
        rules=MONEY,
        treasury={"V": 20},
    )

    assert {(one["power"], one["order"]): one["marks"] for one in found} == {
        ("I", "A ver - vic"): [],
        ("V", "expense 1: 3 ducats buy A ver"): ["too small"],
        ("V", "A ver h"): ["void"],
        ("V", "A pad h"): [],
    }


def test_a_unit_that_was_bought_obeys_its_buyer() -> None:
    """The order of the former owner is void; without one of the buyer it has none."""
    found = results(
        ["V A pad", "I A ver"],
        {"V": ["expense 1: 18 ducats buy A ver"], "I": ["A ver - vic"]},
        rules=MONEY,
        treasury={"V": 20},
    )

    assert {(one["power"], one["given"], one["order"]): one["marks"] for one in found} == {
        ("I", "A ver - vic", "A ver - vic"): ["void"],
        ("V", "expense 1: 18 ducats buy A ver", "expense 1: 18 ducats buy A ver"): [],
        ("V", None, "A pad h"): [],
        ("V", None, "A ver h"): [],
    }


def test_every_failure_has_a_mark() -> None:
    """A new reason needs a word of its own."""
    assert {*get_args(Failure), *get_args(SupportFailure), NotMatched} == set(_FAILED)
