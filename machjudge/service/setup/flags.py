"""The flags of a game as players write them, each with the options of the rules behind it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from machjudge.adjudicator.model.presets import Value, with_option
from machjudge.adjudicator.model.rules import Rules


@dataclass(frozen=True, slots=True)
class Flag:
    """A word that switches something on, and with *no* in front of it off."""

    name: str
    on: Mapping[str, Value]
    off: Mapping[str, Value]
    also: tuple[str, ...] = field(default=())
    """Synonyms."""


_MONEY_OFF: Mapping[str, Value] = {
    "money": False,
    "loans": False,
    "assassinations": False,
    "special": False,
    "adjacency": "none",
    "initial_adjustment": "none",
}
_DICE_OFF: Mapping[str, Value] = {
    "dice": False,
    "loans": False,
    "assassinations": False,
    "famine": False,
    "plague": False,
    "storm": "off",
}

FLAGS: tuple[Flag, ...] = (
    Flag(
        "money",
        {"money": True, "initial_adjustment": "full"},
        _MONEY_OFF,
    ),
    Flag("dice", {"dice": True}, _DICE_OFF),
    Flag("summer", {"summer": True}, {"summer": False}),
    Flag("garrisons", {"garrisons": True}, {"garrisons": False}, ("garrison",)),
    Flag(
        "forts",
        {"forts": True},
        {"forts": False},
        ("fort", "fortress", "fortresses"),
    ),
    Flag(
        "coastalconvoys",
        {"coastal_convoys": True},
        {"coastal_convoys": False},
        ("coastalconvoy",),
    ),
    Flag("disband", {"disband_order": True}, {"disband_order": False}),
    Flag(
        "loans",
        {"loans": True, "dice": True},
        {"loans": False},
        ("bank", "bankers", "loan"),
    ),
    Flag("famine", {"famine": True, "dice": True}, {"famine": False}),
    Flag("plague", {"plague": True, "dice": True}, {"plague": False}),
    Flag("storms", {"storm": "table", "dice": True}, {"storm": "off"}, ("storm",)),
    Flag(
        "assassinations",
        {"assassinations": True, "dice": True},
        {"assassinations": False},
        ("assassination", "assassins"),
    ),
    Flag("special", {"special": True}, {"special": False}),
    Flag(
        "adjacency",
        {"adjacency": "units"},
        {"adjacency": "none"},
        ("adjacent", "adj"),
    ),
)
"""In the order of the listing (SET-03 to SET-15)."""


def find_flag(word: str) -> tuple[Flag, bool] | None:
    """The flag that a word such as ``nomoney`` switches, and whether on; nothing if none."""
    plain = "".join(letter for letter in word.lower() if letter.isalnum())
    for flag in FLAGS:
        for name in (flag.name, *flag.also):
            if plain in (name, f"no{name}"):
                return flag, plain == name
    return None


def switched(rules: Rules, flag: Flag, *, on: bool) -> Rules:
    """The rules with a flag switched."""
    for option, value in (flag.on if on else flag.off).items():
        rules = with_option(rules, option, value)
    return rules


def is_on(rules: Rules, flag: Flag) -> bool:
    """Whether everything behind a flag is on."""
    return all(with_option(rules, option, value) == rules for option, value in flag.on.items())
