"""What ``set`` understands."""

from typing import Any

from machjudge.language import Fault, ParseError, parse_command
from machjudge.language.commands import Set, Setting
from machjudge.language.settings import Takes, options
from tests.cases import cases
from tests.messages.said import say


@cases
def test_settings_are_read_in_their_order(text: str, settings: list[dict[str, Any]]) -> None:
    """Each key has many names, and "no" before or in front of it."""
    expected = (Setting(**each | {"value": tuple(each.get("value", ()))}) for each in settings)

    assert parse_command(f"set {text}") == Set(tuple(expected))


@cases
def test_broken_setting_says_what_is_wrong(text: str, column: int, reason: str) -> None:
    """An unknown key, or one without its value."""
    problem = parse_command(text)

    assert isinstance(problem, ParseError)
    assert (problem.column, say(problem.reason)) == (column, reason)
    assert problem.fault in (Fault.INCOMPLETE, Fault.UNEXPECTED)


def test_nearest_setting_is_suggested() -> None:
    """A slip in a key is put right."""
    problem = parse_command("set dedline mon 20:00")

    assert isinstance(problem, ParseError)
    assert problem.nearest == "set deadline mon 20:00"


def test_a_wild_guess_is_no_suggestion() -> None:
    """What looks like nothing gets none; what several settings begin with gets them all."""
    wild, begun = parse_command("set fooled"), parse_command("set manual")

    assert isinstance(wild, ParseError)
    assert isinstance(begun, ParseError)
    assert wild.nearest is None
    assert begun.expected == ("set manual process", "set manual start")


def test_number_of_a_setting_is_a_number() -> None:
    """The value was tested when the line was read."""
    command = parse_command("set players 5")

    assert isinstance(command, Set)
    assert command.settings[0].number == 5


def test_every_name_leads_to_its_key() -> None:
    """The first name of each setting is its key, and no name stands for two."""
    assert all(options()[option.key].key == option.key for option in options().values())
    assert {option.takes for option in options().values()} == set(Takes)
