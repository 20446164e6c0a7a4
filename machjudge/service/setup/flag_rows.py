"""The rows of the table of commands that are about the rules of a game."""

from collections.abc import Iterator

from machjudge.language.commands.commands import Set
from machjudge.service.session.command import MASTERS, RULES, Entry, Handler
from machjudge.service.setup import ruling, shared_dice
from machjudge.service.setup.flags import Flag, find_flag

_KEYS = (
    "money",
    "dice",
    "summer",
    "garrisons",
    "forts",
    "coastal convoys",
    "disband",
    "bank",
    "famine",
    "plague",
    "storms",
    "assassinations",
    "special",
    "adjacency",
)
"""The flags of the rules, by the names that the language has for them."""


def _flags() -> Iterator[Entry]:
    for key in _KEYS:
        found = find_flag(key)
        if found is not None:
            yield _flag(key, found[0])


def _flag(key: str, flag: Flag) -> Entry:
    usage = f"SET [NO]{key.upper()}"
    if key == "dice":
        return _row(key, f"{usage} [SHARED]", flag.about, shared_dice.set_dice, (*_LATER, *_SHARED))
    return _row(key, usage, flag.about, ruling.set_flag, _LATER)


def _row(key: str, usage: str, about: str, handler: Handler, more: tuple[str, ...]) -> Entry:
    return Entry(f"set {key}", RULES, usage, about, MASTERS, handler, Set, setting=key, more=more)


_SHARED = ("SHARED, before the game begins: the dice", "follow from words of the players, too.")
_LATER = ("Once the game has begun, it is marked in", "the log and told to everybody.")

FLAG_ROWS: tuple[Entry, ...] = (
    *_flags(),
    _row(
        "mach2",
        "SET [NO]MACH2",
        "the rules of 1995",
        ruling.set_edition,
        ("These rules are not there yet.",),
    ),
    _row(
        "preset",
        "SET PRESET basic",
        "all flags as a named set of rules has them",
        ruling.set_preset,
        ("Only before the game begins.", "SET PRESET judge brings back the usual flags."),
    ),
    _row(
        "basic",
        "SET BASIC",
        "the basic game: no ducats, no dice",
        ruling.set_level,
        ("The same as SET PRESET basic; before the game begins.",),
    ),
    _row(
        "advanced",
        "SET ADVANCED",
        "the advanced game with its usual flags",
        ruling.set_level,
        ("The same as SET PRESET judge; before the game begins.",),
    ),
    _row(
        "cities",
        "SET CITIES 15",
        "how many cities win",
        ruling.set_cities,
        ("The home countries needed follow from it.", *_LATER),
    ),
    _row("homes", "SET HOMES 2", "how many home countries win", ruling.set_homes, _LATER),
)
"""In the order of the listing."""
