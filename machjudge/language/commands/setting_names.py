"""What ``set`` can set: every name of every setting, and what each of them takes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache


class Takes(Enum):
    """What stands behind the key of a setting."""

    NOTHING = "nothing"
    """Or one of the words that the rules know: ``set dice shared``."""
    WORD = "word"
    NUMBER = "number"
    WORDS = "words"
    LINE = "line"


NAMES: Mapping[Takes, Sequence[str]] = {
    # Each string is one setting: its key first, then its other names.
    Takes.NOTHING: (
        "wait|w",
        "public address|address public",
        "nmr|cd|!nmr wait|!cd wait",
        "strict grace",
        "strict wait",
        "late count",
        "fresh deadline",
        "moderated|moderate",
        "listed|list|public|!private",
        "quiet",
        "secret",
        "show",
        "reveal",
        "approval",
        "dias",
        "concessions",
        "rated",
        "resume",
        "manual process",
        "auto process",
        "manual start",
        "auto start",
        "basic",
        "advanced",
        "mach2|machiavelli2|mach-2",
        "summer",
        "money",
        "hidden money",
        "anonymous|gunboat|anonymous players",
        "dice",
        "bank|loans|bankers",
        "famine",
        "plague",
        "storms|storm",
        "assassinations|assassination|assassins",
        "special",
        "garrisons|garrison",
        "forts|fort|fortress|fortresses",
        "adjacency|adjacent|adj",
        "coastal convoys|coastal convoy|coastalconvoys|coastalconvoy",
        "disband",
        "white press|white|press white",
        "grey press|gray press|grey|gray|press grey|press gray",
        "white/grey press|white/grey|white/gray|press white/grey|press white/gray",
        "grey/white press|grey/white|gray/white|press grey/white|press gray/white",
        "press|!none|!press none",
        "partial press|partial",
        "partial fakes broadcast|partial fakes broadcast by default",
        "fake press|fake|faked press|partial may be faked|partial may",
        "postal press|postal",
        "grace press",
        "must order",
        "watch all press",
        "reveal press",
        "all press|!normal press",
        "broadcast press|broadcast|broadcasts|normal broadcast|normal broadcasts",
        "open diary|public diary|publish diary",
        "proxy",
        "prflist",
        "prfboth",
        "prfrand",
        # Of other judges; the service says what there is instead.
        "foreign press|blank press|minor press|touch press|partial must be faked",
        "foreign rule|any center|any centers|any centre|home center|home centers|home centre"
        "|one center|one centre|any disband|normal disband|auto disband|attack transform"
        "|transform|trafo|blank board|empty board|strict convoy|air lift|portage|duality"
        "|hong kong|gateways|railways|bcentres|neutrals|capture win|allied win|home transfer"
        "|xflags|build anywhere|chaos|fleet rome|wings|payola|blind",
    ),
    Takes.WORD: (
        "password|pw|p",
        "preset",
        "scenario|variant",
        "ontimerat|on time",
        "resrat",
        "access",
        "level",
        "dedication",
        "notation",
        "language|lang|idioma|lingua",
        "subject|subjects",
        "calendar|ics",
        "html",
        "pictures|picture|maps",
        "json",
    ),
    Takes.NUMBER: (
        "max absence|max holidays|max vacations",
        "powers",
        "takeover|take over",
        "cities|centers|centres|victory|winning centers|winning cities|to win",
        "rating|ep|bn|mn",
        "homes|countries",
    ),
    Takes.WORDS: (
        "address|ad|email|mail",
        "players",
        "option|options|rule|rules option",
        "confirm|confirmation",
        "sender|senders",
        "draw",
        "concede|conc",
        "approve|approved",
        "allow player|allow|invite|allow players",
        "deny player|deny|ban|deny players",
        "allow master|deny master",
        "timezone|zone|time zone|tz",
        "notify|notification|notifications|digest|digests",
        "observer press|observer|observers",
        "late press",
        "moves|move",
        "retreats|retreat",
        "adjustments|adjustment|adjust|builds|build",
    ),
    Takes.LINE: (
        "preferences|preference|pref|prefs",
        "deadline",
        "grace",
        "start",
        "absence|holiday|holidays|vacation|vacations",
        "warn|warning|warnings",
        "priority|priorities",
        "comment|info",
        "name",
    ),
}

_LEAST_SQUASHED = 5


@dataclass(frozen=True, slots=True)
class SettingName:
    """A name of a setting: the key that it stands for, and what it takes."""

    key: str
    takes: Takes
    on: bool
    """False for a name that means the opposite, such as ``private`` for ``not listed``."""


@cache
def options() -> Mapping[str, SettingName]:
    """Every name of every setting, in lower case; long ones also written as one word."""
    spelled = {
        name.removeprefix("!"): SettingName(names.split("|")[0], takes, not name.startswith("!"))
        for takes, group in NAMES.items()
        for names in group
        for name in names.split("|")
    }
    squashed = {
        name.replace(" ", ""): option
        for name, option in spelled.items()
        if len(name) > _LEAST_SQUASHED
    }
    return squashed | spelled


def takes_nothing(key: str) -> bool:
    """Whether nothing can stand behind a setting, but a word that switches it on or off."""
    return options()[key].takes is Takes.NOTHING and key not in _WORDED


_WORDED = frozenset({"nmr", "dice", "press", "public address"})
"""Settings that are switched, and know words besides; their handlers say which."""
