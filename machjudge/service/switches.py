"""What a game cannot have yet, in one table: such options are off, and such orders are refused.

A game that is created gets every option of this table switched off, whatever its creator asks
for, and its listing and first mail say so.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from machjudge.adjudicator.orders import Borrow, Expense, Order, Pay
from machjudge.adjudicator.presets import Value, with_option
from machjudge.adjudicator.rules import Rules


@dataclass(frozen=True, slots=True)
class Switch:
    """One thing that is left out."""

    name: str
    """As the listing says it."""
    options: Mapping[str, Value]
    """The rule options that switch it off, by their names in the presets."""
    orders: tuple[type[Order], ...] = ()
    """The orders that are refused."""


LEFT_OUT: tuple[Switch, ...] = (
    Switch("bank and gifts", {"loans": False}, (Borrow, Pay)),
    Switch("expenses", {"adjacency": "none"}, (Expense,)),
    Switch("assassinations", {"assassinations": False}),
    Switch("special units", {"special": False}),
    Switch("famine", {"famine": False}),
    Switch("plague", {"plague": False}),
    Switch("storms", {"storm": "off"}),
)
"""Empty, once all of it is there."""


def without_left_out(rules: Rules) -> Rules:
    """The rules with everything switched off that is left out.  Raises UnknownRule."""
    for switch in LEFT_OUT:
        for option, value in switch.options.items():
            rules = with_option(rules, option, value)
    return rules


def left_out_names() -> tuple[str, ...]:
    """What the listing and the first mail name."""
    return tuple(switch.name for switch in LEFT_OUT)


def is_left_out(order: Order) -> bool:
    """Whether no game takes such an order yet."""
    return any(isinstance(order, switch.orders) for switch in LEFT_OUT if switch.orders)


def is_option_left_out(option: str, value: Value) -> str | None:
    """The name of what setting *option* to *value* would switch on, although it is left out."""
    for switch in LEFT_OUT:
        if option in switch.options and switch.options[option] != value:
            return switch.name
    return None
