"""The letters about order sets: for later phases, with conditions, dropped, restored, tried."""

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.judge.house import House, built_once
from tests.judge.letters_in import write
from tests.judge.riches import springtime
from tests.judge.year import SPRING, order, play
from tests.messages.clock_letters import text_of

_ANNA = "anna@player.example"
_AHEAD: list[str] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))["ahead"]


@built_once
def _planned() -> House:
    house = springtime(ducats=9)
    order(house, "L", *SPRING["L"], *_AHEAD)
    return house


def _receipt() -> str:
    return text_of(order(springtime(ducats=9), "L", *SPRING["L"], *_AHEAD), _ANNA)


def _wrong() -> str:
    lines = [
        "A flo h",
        "PHASE S1454B",
        "A are h",
        "PHASE S1460M",
        "PHASE U1454M",
        "IF A sie OR",
        "A sie b",
        "ENDIF",
        "IF treasury Sicily > 3 THEN A sie h ENDIF",
        "A sei - per",
        "give turkey to naples",
        "IF A flo",
        "A flo h",
    ]
    return text_of(order(springtime(ducats=9), "L", *lines), _ANNA)


def _opened() -> str:
    spring = {**SPRING, "I": SPRING["I"][:3]}
    return text_of(play(_planned(), spring, "L"), _ANNA, "Results")


def _sets() -> str:
    house = _planned()
    order(house, "L", "CLEAR")
    return text_of(order(house, "L", "CLEAR LATER", "RESTORE 1", "HISTORY ORDERS"), _ANNA)


def _dry() -> str:
    lines = ["DRY", "A flo - bol", "HOLD REST", "PHASE U1454M", "A flo h", "A xyz h"]
    return text_of(order(springtime(ducats=9), "L", *lines), _ANNA)


def _taken_over() -> str:
    house = _planned()
    order(house, "L", "RESIGN")
    signon = ("REGISTER", "Name: Dino Grasso", "END", "SIGNON Lborgia newword9")
    return text_of(write(house, "dino@other.example", *signon), "dino@other.example")


ORDER_LETTERS: Mapping[str, Callable[[], str]] = {
    "receipt_later_phases": _receipt,
    "receipt_bad_conditions": _wrong,
    "results_with_kept_orders": _opened,
    "receipt_order_sets": _sets,
    "receipt_dry": _dry,
    "taken_over_with_kept_orders": _taken_over,
}
"""By the names of their golden files."""
