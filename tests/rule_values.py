"""The options of a game as settings write them."""

from machjudge.adjudicator.options import Value, find_option, written
from machjudge.adjudicator.rules import Rules


def option_value(rules: Rules, name: str) -> Value:
    """An option's value.  Raises UnknownRule."""
    return written(find_option(name).of(rules))
