"""How the service runs a game: its press, its clock, who may join, and what is on or off."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from machjudge.adjudicator.options import Option, Value, lineage, options_in, typed
from machjudge.adjudicator.rules import option


class Tones(Enum):
    """Whether press is signed; of two, the first is meant where nothing is said."""

    NONE = "none"
    WHITE = "white"
    GREY = "grey"
    WHITE_GREY = "white/grey"
    GREY_WHITE = "grey/white"


class Fakes(Enum):
    """Whether press to some may say that it went to others."""

    NONE = "none"
    MAY = "may"
    BROADCAST = "broadcast"
    """It says that it went to everybody, unless its writer says otherwise."""


class FromObservers(Enum):
    """What observers may write."""

    ANY = "any"
    WHITE = "white"
    NONE = "no"


class FromLate(Enum):
    """What a player may write while their orders are late."""

    ANY = "any"
    PARTIAL = "partial"
    BROADCAST = "broadcast"
    NONE = "no"


@dataclass(frozen=True, slots=True)
class PressRules:
    """The press rules of a game.  Press to the master alone is always allowed, and signed."""

    tones: Tones = Tones.WHITE
    partial: bool = True
    """Whether there is press to some."""
    fakes: Fakes = Fakes.NONE
    observers: FromObservers = FromObservers.ANY
    late: FromLate = FromLate.ANY
    grace: bool = True
    """Whether anybody may write between the deadline and the results."""
    must_order: bool = False
    """Whether players write only once they have orders on file."""
    postal: bool = False
    """Whether there is press that is published with the results."""
    watched: bool = False
    """Whether observers may read along press to some."""
    opened: bool = False
    """Whether all press may be read, with its writers, when the game is over."""


class Policy(Enum):
    """What becomes of a phase for which orders are missing when the grace is over."""

    WAIT = "wait"
    """It waits for as long as it takes."""
    HOLD = "hold"
    """Whoever is late spends nothing, and their units hold (the rules of 1978)."""
    CIVIL_DISORDER = "civil_disorder"
    """What is there is played."""


class Quitting(Enum):
    """What becomes of a power whose player resigns."""

    NONE = "none"
    """Somebody else may lead it."""
    AUTONOMOUS = "autonomous"
    """It leaves the game, and autonomous garrisons hold its cities."""


class Treasuries(Enum):
    """Who sees what the powers have in their treasuries, until the game is over."""

    PUBLIC = "public"
    PRIVATE = "private"
    """Each player sees their own ducats only."""


class Fog(Enum):
    """Which units each player learns of before a year's first campaign (area FOG)."""

    OFF = "off"
    """All of them."""
    KARTTUNEN = "karttunen"
    """Their own, and those that may meet others or take what others have."""


class Senders(Enum):
    """From whom a game takes mails with a password or a reply code."""

    ANY = "any"
    KNOWN = "known"
    """From addresses on file only."""
    VERIFIED = "verified"
    """From addresses on file that the mail itself proves (DKIM, Authentication-Results)."""


class Ratings(Enum):
    """What ratings points a game is for, once it is over (area RAT)."""

    OFF = "off"
    BATTLELINE = "battleline"
    """By places (the rules of 1978)."""
    HOF = "hof"
    """For the winners of games with 23 cities or more."""


ANY_DAY = "SMTWTFS"
"""A deadline may fall on any day of the week."""


@dataclass(frozen=True, slots=True)
class PhaseTiming:
    """The template by which phases of one kind get their times, beside their length."""

    clock: int | None = None
    """The minute of the day to which deadlines are rounded up; None: the full hour."""
    least_hours: int = 0
    """How long nothing is played after the phase before."""
    grace_hours: int = 72
    """How long the game waits after the deadline before it goes by its policy."""
    delay_minutes: int = 0
    """How long after the last orders a complete phase is played."""
    days: str = ANY_DAY
    """On which days deadlines may fall, from Sunday: ``-`` never, a small letter from noon on."""


@dataclass(frozen=True, slots=True)
class GameSettings:
    """How the service runs a game; all values are plain, so that they are stored as JSON."""

    first_hours: int = 168
    """From the start of the game to its first deadline."""
    campaign_hours: int = 72
    retreat_hours: int = 24
    adjustment_hours: int = 48
    moves: PhaseTiming = PhaseTiming(grace_hours=168)
    retreats: PhaseTiming = PhaseTiming()
    adjustments: PhaseTiming = PhaseTiming()
    zone: str = "UTC"
    """The time zone of the clock and the days of the templates, an IANA name."""
    strict_grace: bool = False
    """Whether the end of the grace may fall on any day."""
    strict_wait: bool = False
    """Whether only those may wait who have orders to give."""
    policy: Policy = option(Policy.WAIT, "late_orders", presets={"battleline": Policy.HOLD})
    manual: bool = False
    """Whether phases are played by the master only."""
    most_absent_days: int = 15
    """How long an absence may be."""
    warn_hours: tuple[int, ...] = (12,)
    """How long before the deadline the missing are warned, the longest first."""
    late_hours: int = 24
    """How often late notices are repeated."""
    confirm_hours: int = 72
    """How long a seat waits for somebody to confirm their address."""
    listed: bool = True
    """Whether ``list`` without a name shows the game."""
    dias: bool = False
    """Whether a draw includes all survivors."""
    concessions: bool = True
    """Whether the players may give the game to one of them."""
    auto_victory: bool = option(False, "victory_auto", "VIC-01", presets={"battleline": True})
    """Whether a game ends by itself with the campaign in which somebody has won."""
    quitting: Quitting = option(
        Quitting.NONE, "quit_rule", presets={"battleline": Quitting.AUTONOMOUS}
    )
    treasuries: Treasuries = option(
        Treasuries.PUBLIC, "treasury_visibility", presets={"karttunen": Treasuries.PRIVATE}
    )
    special_public: bool = option(True, "special_public", "SPC-06")
    """Whether everybody sees which units are special, and of which kind."""
    fog: Fog = option(Fog.OFF, "fog", "FOG-01")
    ratings: Ratings = option(
        Ratings.OFF, "ratings", "RAT-01", presets={"battleline": Ratings.BATTLELINE}
    )
    anonymous: bool = False
    """Whether only the master knows who leads what, until the game is over."""
    reveal: bool = True
    """Whether the last mail says who led what in an anonymous game."""
    comment: tuple[str, ...] = ()
    """What the master says in the listing, and the rules of their house."""
    allowed: tuple[str, ...] = ()
    """The addresses that may join; empty: all but those denied."""
    approval: bool = False
    """Whether the master approves whoever takes a seat, before their orders count."""
    silent_days: int = 14
    """After so many days without a signon of the master a co-master takes over; 0 never."""
    denied: tuple[str, ...] = ()
    """The addresses that may not join."""
    invited: tuple[str, ...] = ()
    """The tokens of people who were invited by name; with *allowed* the list of the invited."""
    shut_out: tuple[str, ...] = ()
    """The tokens of people who were ejected, or kept out by name; no invitation beats it."""
    quiet: bool = False
    """Whether only masters are told who comes, goes and is late."""
    secret: bool = False
    """Whether only masters are told how many players a forming game still needs."""
    show: bool = True
    """Whether a game with several masters tells which of them has set something."""
    late_count: bool = False
    """Whether the listing and late notices say how often each was late."""
    by_lot: bool = False
    """Whether powers are dealt without regard to preferences."""
    manual_start: bool = False
    """Whether the game begins at its master's word, not when all seats are taken."""
    fresh_deadline: bool = True
    """Whether whoever takes the last open seat gets the time of a whole phase."""
    least_on_time: int = 0
    """How many of 100 phases a newcomer must have ordered in time elsewhere."""
    most_left: int = 100
    """How many of 100 games a newcomer may have left."""
    sender: Senders = Senders.ANY
    """From whom mails are taken."""
    press: PressRules = field(default_factory=PressRules)

    @property
    def foggy(self) -> bool:
        """Whether units are hidden until a year's first campaign has been played."""
        return self.fog is not Fog.OFF

    @property
    def hidden_money(self) -> bool:
        """Whether each player sees their own ducats only, until the game is over."""
        return self.treasuries is Treasuries.PRIVATE


TOGGLES: Mapping[str, bool] = {
    "dias": True,
    "concessions": True,
    "hidden money": True,
    "anonymous": True,
    "reveal": True,
    "secret": True,
    "approval": False,
    "quiet": False,
    "show": False,
    "fresh deadline": False,
    "late count": False,
}
"""The settings that are on or off, and whether each stays as it is once the game has begun.

The field of `GameSettings` has the same name, but for hidden money, which is a value of one.
"""

SERVICE_OPTION_FIELDS: Mapping[str, Option] = dict(options_in("", GameSettings()))
"""The settings that the named sets of rules decide too, by their names, in the order above."""


def service_value(conduct: GameSettings, name: str) -> object:
    """The value of an option in a game that is run so."""
    value: object = getattr(conduct, SERVICE_OPTION_FIELDS[name].field)
    return value


def read_service_option(conduct: GameSettings, name: str, value: Value) -> object:
    """A value that masters write, as the settings have it.  Raises UnknownRule."""
    return typed(SERVICE_OPTION_FIELDS[name], service_value(conduct, name), value)


def with_preset(conduct: GameSettings, preset: str) -> GameSettings:
    """The settings with all service options as a named set of rules has them."""
    # Any: mypy cannot know the types of fields that are named by options.
    values: dict[str, Any] = {
        option.field: option.default for option in SERVICE_OPTION_FIELDS.values()
    }
    for each in reversed(tuple(lineage(preset))):
        for setting in SERVICE_OPTION_FIELDS.values():
            values[setting.field] = setting.facts.presets.get(each, values[setting.field])
    return replace(conduct, **values)


def service_departures(conduct: GameSettings, usual: GameSettings) -> tuple[str, ...]:
    """The names of the service options that two games have otherwise."""
    return tuple(
        n for n in SERVICE_OPTION_FIELDS if service_value(conduct, n) != service_value(usual, n)
    )
