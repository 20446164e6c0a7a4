"""What ``set`` understands."""

import pytest

from machjudge.language import Fault, Problem, parse_command
from machjudge.language.commands.commands import Set, Setting
from machjudge.language.commands.setting_names import Takes, options
from tests.letters.said import say


@pytest.mark.parametrize(
    ("text", "settings"),
    [
        ("deadline Mon, 23 Nov 20:00", [Setting("deadline", value=("Mon, 23 Nov 20:00",))]),
        ("nomoney, nodice", [Setting("money", on=False), Setting("dice", on=False)]),
        (
            "no money nodice famine",
            [
                Setting("money", on=False),
                Setting("dice", on=False),
                Setting("famine"),
            ],
        ),
        ("not moderated", [Setting("moderated", on=False)]),
        (
            "unmoderate, private, unlist",
            [
                Setting("moderated", on=False),
                Setting("listed", on=False),
                Setting("listed", on=False),
            ],
        ),
        ("no private", [Setting("listed")]),
        ("dice shared", [Setting("dice", value=("shared",))]),
        (
            "storms sea_die, noplague",
            [
                Setting("storms", value=("sea_die",)),
                Setting("plague", on=False),
            ],
        ),
        ("password secret, wait", [Setting("password", value=("secret",)), Setting("wait")]),
        ("p secret", [Setting("password", value=("secret",))]),
        ("max absence 10", [Setting("max absence", value=("10",))]),
        ("centres 15", [Setting("cities", value=("15",))]),
        (
            "moves clock 1410 next 71, wait",
            [
                Setting("moves", value=("clock", "1410", "next", "71")),
                Setting("wait"),
            ],
        ),
        ("white/grey", [Setting("white/grey press")]),
        ("press none", [Setting("press", on=False)]),
        ("press white, nofake", [Setting("white press"), Setting("fake press", on=False)]),
        ("partial may be faked", [Setting("fake press")]),
        ("late press partial", [Setting("late press", value=("partial",))]),
        ("address a@b", [Setting("address", value=("a@b",))]),
        ("address", [Setting("address")]),
        ("no draw", [Setting("draw", on=False)]),
        ("no absence", [Setting("absence", on=False)]),
        ("vacation 1 dec to 10 dec", [Setting("absence", value=("1 dec to 10 dec",))]),
        ("comment Hello, world", [Setting("comment", value=("Hello, world",))]),
        ("COASTAL Convoys, MACH-2", [Setting("coastal convoys"), Setting("mach2")]),
        ("preferences L, V, *", [Setting("preferences", value=("L, V, *",))]),
        (", wait ,", [Setting("wait")]),
        ("wait off", [Setting("wait", on=False)]),
        ("nowait off", [Setting("wait")]),
        ("wait on.", [Setting("wait")]),
        ("plague = on and storms: off", [Setting("plague"), Setting("storms", on=False)]),
        (
            "plague and storms; noforts",
            [Setting(k) for k in ("plague", "storms")] + [Setting("forts", on=False)],
        ),
        ("private on", [Setting("listed", on=False)]),
        ("dice off", [Setting("dice", value=("off",))]),
        ("wait.", [Setting("wait")]),
        ("password = secret", [Setting("password", value=("secret",))]),
        ("password: secret", [Setting("password", value=("secret",))]),
        ("address=a@b.example", [Setting("address", value=("a@b.example",))]),
        ("maxabsence 10", [Setting("max absence", value=("10",))]),
        ("allow lucia@b.example", [Setting("allow player", value=("lucia@b.example",))]),
        ("deny rival", [Setting("deny player", value=("rival",))]),
        ("tz Europe/Rome", [Setting("timezone", value=("Europe/Rome",))]),
    ],
)
def test_settings_are_read_in_their_order(text: str, settings: list[Setting]) -> None:
    """Each key has many names, and "no" before or in front of it."""
    assert parse_command(f"set {text}") == Set(tuple(settings))


@pytest.mark.parametrize(
    ("text", "column", "reason"),
    [
        ("set", 3, "what to set is missing"),
        ("set , ,", 7, "what to set is missing"),
        ("set foo", 4, 'there is no setting "foo"'),
        ("set no", 4, 'there is no setting "no"'),
        ("set password", 12, '"password" needs one word'),
        ("set password new word", 13, "a password is one word, with no space in it"),
        ("set max absence ten", 16, '"max absence" needs a number'),
        ("set cities 1234567", 11, '"cities" needs a number'),
        ("set deadline", 12, '"deadline" needs words up to the end of the line'),
    ],
)
def test_broken_setting_says_what_is_wrong(text: str, column: int, reason: str) -> None:
    """An unknown key, or one without its value."""
    problem = parse_command(text)

    assert isinstance(problem, Problem)
    assert (problem.column, say(problem.reason)) == (column, reason)
    assert problem.fault in (Fault.INCOMPLETE, Fault.UNEXPECTED)


def test_nearest_setting_is_suggested() -> None:
    """A slip in a key is put right."""
    problem = parse_command("set dedline mon 20:00")

    assert isinstance(problem, Problem)
    assert problem.nearest == "set deadline mon 20:00"


def test_a_wild_guess_is_no_suggestion() -> None:
    """What looks like nothing gets none; what several settings begin with gets them all."""
    wild, begun = parse_command("set fooled"), parse_command("set manual")

    assert isinstance(wild, Problem)
    assert isinstance(begun, Problem)
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
