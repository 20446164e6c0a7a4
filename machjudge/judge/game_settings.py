"""The settings of a game: its press, its clock, who may join, and what is on or off."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from machjudge.adjudicator.options import Option, Value, lineage, options_in, typed
from machjudge.adjudicator.rules import option
from machjudge.bots.policies import BotPolicy


class Tones(Enum):
    """The signature of press; the first of two is the default."""

    NONE = "none"
    WHITE = "white"
    GREY = "grey"
    WHITE_GREY = "white/grey"
    GREY_WHITE = "grey/white"


class Fakes(Enum):
    """How press to some may state other readers."""

    NONE = "none"
    MAY = "may"
    BROADCAST = "broadcast"
    """It states everybody by default."""


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
    """Press to some is allowed."""
    fakes: Fakes = Fakes.NONE
    observers: FromObservers = FromObservers.ANY
    late: FromLate = FromLate.ANY
    grace: bool = True
    """Writing is allowed between the deadline and the results."""
    must_order: bool = False
    """Players write only once they have orders on file."""
    postal: bool = False
    """Press can be published with the results."""
    watched: bool = False
    """Observers may read press to some."""
    opened: bool = False
    """All press and its writers become public after the game."""


PRESS_SWITCHES: Mapping[str, str] = {
    "partial press": "partial",
    "grace press": "grace",
    "must order": "must_order",
    "postal press": "postal",
    "watch all press": "watched",
    "reveal press": "opened",
}
"""The press rules that are on or off, by their settings."""


class Policy(Enum):
    """What happens to a phase with missing orders after the grace."""

    WAIT = "wait"
    HOLD = "hold"
    """The late spend nothing, and their units hold (the rules of 1978)."""
    CIVIL_DISORDER = "civil_disorder"
    """The phase is played as it is."""


class Quitting(Enum):
    """What happens to a power whose player resigns."""

    NONE = "none"
    """Another player may lead it."""
    AUTONOMOUS = "autonomous"
    """It leaves the game, and autonomous garrisons hold its cities."""


class Treasuries(Enum):
    """Who sees the treasuries until the game is over."""

    PUBLIC = "public"
    PRIVATE = "private"


class Fog(Enum):
    """Which units each player sees before a year's first campaign (area FOG)."""

    OFF = "off"
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
    """The ratings points of a finished game (area RAT)."""

    OFF = "off"
    BATTLELINE = "battleline"
    """By places (the rules of 1978)."""
    HOF = "hof"
    """For the winners of games with 23 cities or more."""


ANY_DAY = "SMTWTFS"
"""Every day of the week."""


@dataclass(frozen=True, slots=True)
class PhaseTiming:
    """The template for the times of one kind of phase, beside its length."""

    clock: int | None = None
    """The minute of the day to which deadlines are rounded up; None: the full hour."""
    least_hours: int = 0
    """The shortest time after the previous phase."""
    grace_hours: int = 72
    """From the deadline to the policy for the late."""
    delay_minutes: int = 0
    """From the last orders until a complete phase is played."""
    days: str = ANY_DAY
    """Days for deadlines, from Sunday: ``-`` never, a lower-case letter from noon on."""


@dataclass(frozen=True, slots=True)
class GameSettings:
    """The settings of a game; all values are plain, so that they are stored as JSON."""

    first_hours: int = 168
    """From the start of the game to its first deadline."""
    campaign_hours: int = 72
    retreat_hours: int = 24
    adjustment_hours: int = 48
    moves: PhaseTiming = PhaseTiming(grace_hours=168)
    retreats: PhaseTiming = PhaseTiming()
    adjustments: PhaseTiming = PhaseTiming()
    zone: str = "UTC"
    """The IANA time zone of the templates."""
    strict_grace: bool = False
    """The grace ends only on days allowed for deadlines."""
    strict_wait: bool = False
    """Only players with orders to give may wait."""
    policy: Policy = option(Policy.WAIT, "late_orders", presets={"battleline": Policy.HOLD})
    manual: bool = False
    """Phases are played by the master only."""
    vacant: BotPolicy | None = None
    """How a bot orders for powers without a player; None if nobody does."""
    """Who orders for powers without a player."""
    practice: bool = False
    """One person plays against bots, and may take phases back."""
    tutorial: bool = False
    """Practice whose first year is told as lessons, with neighbours that act by a script."""
    most_absent_days: int = 15
    warn_hours: tuple[int, ...] = (12,)
    """Reminders before the deadline, the longest first."""
    briefing_hours: int = 24
    """How long before each deadline the masters read who is missing; 0: never."""
    late_hours: int = 24
    notice_hours: int = 6
    """The shortest time from a warning to the opening of the seat that it is about."""
    excused_hours: int = 0
    """How far a deadline moves for a player who misses it for the first time; 0: not at all."""
    excused_yearly: bool = False
    """Each player is excused once a year, not once a game."""
    confirm_hours: int = 72
    """How long a seat waits for the confirmation of an address."""
    listed: bool = True
    """``list`` without a name shows the game."""
    dias: bool = False
    """A draw includes all survivors."""
    concessions: bool = True
    """The players may give the game to one of them."""
    auto_victory: bool = option(False, "victory_auto", "VIC-01", presets={"battleline": True})
    """A victory ends the game automatically."""
    quitting: Quitting = option(
        Quitting.NONE, "quit_rule", presets={"battleline": Quitting.AUTONOMOUS}
    )
    treasuries: Treasuries = option(
        Treasuries.PUBLIC, "treasury_visibility", presets={"karttunen": Treasuries.PRIVATE}
    )
    special_public: bool = option(True, "special_public", "SPC-06")
    fog: Fog = option(Fog.OFF, "fog", "FOG-01")
    ratings: Ratings = option(
        Ratings.OFF, "ratings", "RAT-01", presets={"battleline": Ratings.BATTLELINE}
    )
    anonymous: bool = False
    """Only the master knows the players until the game is over."""
    master_plays: bool = False
    """Its masters see what players see, whether they lead a power or not."""
    reveal: bool = True
    """The last mail names the players of an anonymous game."""
    comment: tuple[str, ...] = ()
    allowed: tuple[str, ...] = ()
    """The addresses that may join; empty: all but those denied."""
    approval: bool = False
    """The master approves each player before their orders count."""
    substitute_hours: int = 0
    """How long each substitute has to answer who is asked for an open seat; 0: none is."""
    silent_days: int = 14
    """Silent days of the master until a co-master takes over; 0 never."""
    denied: tuple[str, ...] = ()
    invited: tuple[str, ...] = ()
    """The tokens of people invited by name; with *allowed* the list of the invited."""
    shut_out: tuple[str, ...] = ()
    """The tokens of people ejected, or kept out by name; it beats invitations."""
    quiet: bool = False
    """Only masters are told who comes, goes and is late."""
    secret: bool = False
    """Only masters are told how many players a forming game still needs."""
    show: bool = True
    """Announcements name which of several masters has set something."""
    late_count: bool = False
    """The listing and late notices count how often each was late."""
    by_lot: bool = False
    """Powers are dealt without regard to preferences."""
    manual_start: bool = False
    """The game begins at its master's word, not when all seats are taken."""
    fresh_deadline: bool = True
    """The taker of the last open seat gets the time of a whole phase."""
    least_on_time: int = 0
    """Of 100 phases, those that a newcomer must have ordered in time elsewhere."""
    newcomers: bool = True
    """People without a record may join a game that asks for one."""
    most_left: int = 100
    """Of 100 games, those that a newcomer may have left."""
    sender: Senders = Senders.ANY
    press: PressRules = field(default_factory=PressRules)
    offers: bool = True
    """Players may offer each other agreements, as far as they may write to each other."""

    @property
    def foggy(self) -> bool:
        """True if units are hidden until a year's first campaign has been played."""
        return self.fog is not Fog.OFF

    @property
    def hidden_money(self) -> bool:
        """True if each player sees their own ducats only, until the game is over."""
        return self.treasuries is Treasuries.PRIVATE


TOGGLES: Mapping[str, bool] = {
    "dias": True,
    "concessions": True,
    "hidden money": True,
    "anonymous": True,
    "master plays": True,
    "reveal": True,
    "secret": True,
    "approval": False,
    "quiet": False,
    "show": False,
    "newcomers": False,
    "fresh deadline": False,
    "late count": False,
    "offers": False,
}
"""The settings that are on or off, and whether each is fixed once the game has begun."""

SERVICE_OPTION_FIELDS: Mapping[str, Option] = dict(options_in("", GameSettings()))
"""The settings that the named rule sets decide too, by name, in the order above."""


def service_value(settings: GameSettings, name: str) -> object:
    """Return the value of an option in a game with these settings."""
    value: object = getattr(settings, SERVICE_OPTION_FIELDS[name].field)
    return value


def read_service_option(settings: GameSettings, name: str, value: Value) -> object:
    """Return a value that masters write as a setting.  Raises UnknownRule."""
    return typed(SERVICE_OPTION_FIELDS[name], service_value(settings, name), value)


def with_preset(settings: GameSettings, preset: str) -> GameSettings:
    """Return the settings with all service options of a named rule set."""
    # Any: mypy cannot know the types of fields that are named by options.
    values: dict[str, Any] = {
        option.field: option.default for option in SERVICE_OPTION_FIELDS.values()
    }
    for each in reversed(tuple(lineage(preset))):
        for setting in SERVICE_OPTION_FIELDS.values():
            values[setting.field] = setting.facts.presets.get(each, values[setting.field])
    return replace(settings, **values)


def service_departures(settings: GameSettings, usual: GameSettings) -> tuple[str, ...]:
    """Return the names of the service options in which two games differ."""
    return tuple(
        n for n in SERVICE_OPTION_FIELDS if service_value(settings, n) != service_value(usual, n)
    )
