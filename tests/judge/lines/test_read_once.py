"""Each line of a mail is read once, whatever looks at it."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from machjudge.adjudicator.names import PowerId
from machjudge.judge import command_table, game_view, mail_context
from machjudge.language import command_parser
from machjudge.language import orders as parse
from machjudge.language import orders as sweeps
from tests.judge.house import House
from tests.judge.letters_in import write

ANNA = "anna@player.example"

COMMANDS = ["SIGNON LBorgia pwL", "SET WAIT", "LIST", "PHASE F1454M", "PHASE S1454M", "HELP SET"]
ORDERS = [
    "army florence to bologna",
    "fleet pisa hold",
    "army arezzo hold",
    "army florence to romagna",
    "army florence besiege",
    "army arezzo to perugia, army florence to bologna",
    "fleet pisa to tyrrhenian sea",
    "fleet pisa to ligurian sea",
    "army arezzo supports army florence to bologna",
    "hold the rest",
]


@dataclass
class Readings:
    """How often each grammar, and the search for the nearest command, looked at which text."""

    commands: Counter[str] = field(default_factory=Counter)
    orders: Counter[str] = field(default_factory=Counter)
    nearest: Counter[str] = field(default_factory=Counter)

    def forget(self) -> None:
        """Begin with another mail."""
        for each in (self.commands, self.orders, self.nearest):
            each.clear()


def counted(counter: Counter[str], of: Callable[..., Any]) -> Callable[..., Any]:
    """The same function, with its first argument counted."""

    def count(text: str, *more: object, **named: object) -> object:
        counter[text] += 1
        return of(text, *more, **named)

    return count


@pytest.fixture
def readings(monkeypatch) -> Iterator[Readings]:
    """Counts wherever a grammar is used for a line."""
    found = Readings()
    monkeypatch.setattr(
        mail_context, "parse_command", counted(found.commands, command_parser.parse_command)
    )
    of_orders = counted(found.orders, parse.read_order)
    monkeypatch.setattr(parse, "read_order", of_orders)
    monkeypatch.setattr(sweeps, "read_order", of_orders)
    monkeypatch.setattr(game_view, "read_order", of_orders)
    of_nearest = counted(found.nearest, command_table.get_close_matches)
    monkeypatch.setattr(command_table, "get_close_matches", of_nearest)
    return found


def test_each_line_is_read_once_by_each_grammar(house: House, readings: Readings) -> None:
    """Orders by both, as they might be commands; commands by theirs only."""
    write(house, ANNA, COMMANDS[0], *ORDERS, *COMMANDS[1:])

    assert [line for line in (*COMMANDS, *ORDERS) if readings.commands[line] != 1] == []
    assert [line for line in ORDERS[:-1] if readings.orders[line] != 1] == []
    assert [line for line in COMMANDS if readings.orders[line]] == []
    assert max(readings.orders.values()) == 1
    assert len(house.view().order_sets[PowerId("L")].lines) == 3


@pytest.mark.parametrize("first", ["DRY", "PHASE F1454M", "PHASE EVERY M", "IF A flo"])
def test_orders_for_later_and_checked_ones_are_read_once(
    house: House, readings: Readings, first: str
) -> None:
    """Also in a mail that is only checked, for a later phase, and behind a condition."""
    last = ["ENDIF"] if first.startswith("IF") else []
    write(house, ANNA, COMMANDS[0], first, *ORDERS, *last)

    assert max(readings.commands.values()) == 1
    assert [line for line in ORDERS[:-1] if readings.orders[line] != 1] == []


def test_press_between_orders_has_none_of_them_read_again(house: House, readings: Readings) -> None:
    """The orders above it can decide if press may be sent."""
    write(house, ANNA, "SIGNON MBorgia masterkey", "SET MUST ORDER")
    readings.forget()
    press = ["PRESS TO V", "Peace?", "ENDPRESS"]
    write(house, ANNA, COMMANDS[0], ORDERS[0], *press, ORDERS[1], *press, ORDERS[2])

    assert max(readings.commands.values()) == 1
    assert max(readings.orders.values()) == 1
    assert not readings.commands["Peace?"]


def test_nearest_commands_are_looked_for_where_a_line_is_refused(
    house: House, readings: Readings
) -> None:
    """And there once, by its first two words and by its first one."""
    write(house, ANNA, COMMANDS[0], *ORDERS, *COMMANDS[1:])
    assert not readings.nearest

    write(house, ANNA, "hsitory Borgia", "LIST")
    assert readings.nearest == {"hsitory borgia": 1, "hsitory": 1}
    readings.forget()
    write(house, ANNA, COMMANDS[0], "hsitory", ORDERS[0])
    assert readings.nearest == {"hsitory": 1}
