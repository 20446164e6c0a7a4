"""Reasons why an order was refused or failed: one frozen value each.

Objections refuse an order; the other reasons stop a valid one. Texts are made in messages.
"""

from dataclasses import dataclass
from enum import Enum

from machjudge.adjudicator.names import Coast, PlaceId
from machjudge.adjudicator.orders import Named
from machjudge.adjudicator.units import Unit


class Flaw(Enum):
    """What is wrong with a refused order; the value says it in few words."""

    NO_UNIT = "no such unit there"
    UNSEEN = "you see no such unit there"
    NOT_YOURS = "not one of your units"
    WRONG_PHASE = "not an order of this phase"
    NOT_ADJACENT = "not next to each other"
    WRONG_TERRAIN = "no place for this type of unit"
    NEUTRAL = "neutral and closed"
    COAST_NEEDED = "the coast must be named"
    NO_SUCH_COAST = "no such coast"
    SAME_PLACE = "already there"
    NO_ROUTE = "the route does not hold together"
    NOT_A_CONVOY = "cannot carry an army here"
    NO_FLEETS = "no fleets stand where they could carry the army there"
    NOT_ON_A_WAY = "no way of that army leads over this fleet"
    NOBODY_THERE = "no such unit stands there"
    CANNOT_GO = "that unit could not move there"
    CANNOT_REACH = "could not move there itself"
    ITSELF = "a unit cannot support itself"
    GARRISON_ONLY = "a garrison may only hold, support into its province, or convert"
    GARRISON_HOLDS = "a garrison cannot be supported to hold"
    NO_CITY = "no fortified city here"
    CITY_TAKEN = "a garrison stands in the city"
    NO_PORT = "the city is no port"
    SAME_KIND = "already of that type"
    ARMY_FLEET = "an army cannot become a fleet at once, nor a fleet an army"
    UNDER_SIEGE = "the garrison is under siege"
    NO_SIEGE = "there is no siege"
    VENICE = "the rules of Venice forbid it"
    FLAG_OFF = "this game's rules leave it out"
    NOT_DISLODGED = "not dislodged"
    NO_RETREAT_THERE = "no retreat leads there"
    NOT_HOME = "not in your home country"
    NO_CITY_CONTROL = "you do not control both province and city"
    FAMINE = "famine is there"
    REBELLION = "rebels are there"
    OCCUPIED = "a unit is there"
    NO_TRADE = "a unit is there already, and a build does not replace it"
    TOO_MANY_SPECIAL = "no more special units allowed"
    TOO_MANY_UNITS = "no more units of that type allowed"
    NO_MONEY = "not enough ducats"
    NOTHING_TO_BUILD = "no more builds due"
    NOTHING_TO_REMOVE = "no removal due"
    YOURSELF = "not against yourself"
    UNKNOWN_POWER = "no such power in the game"
    ELIMINATED = "that power is eliminated"
    LED_BY_ANOTHER = "another power has the units of that one"
    OUT_OF_THE_GAME = "your power is eliminated"
    NO_CREDIT = "the bank lends you nothing more after a default"
    BAD_AMOUNT = "no such amount"
    BAD_NUMBER = "expenses are numbered 1 to 4"
    BAD_TERM = "the bank lends for one year or two"
    NO_CHIT = "you hold no such chit"
    BAD_TARGET = "this expense cannot be aimed at that"
    MAJOR_CITY = "a major city is there"
    NEW_UNIT = "a unit is being built there"
    SET_UP = "nothing is built before the first campaign"
    NOT_THE_POPE = "only the Papacy may do that"
    BANNED_BEFORE = "the Papacy has used up that ban"
    NO_CAVALRY = "only armies are cavalry"


@dataclass(frozen=True, slots=True)
class Objection:
    """Why an order may not be given, with its rule."""

    flaw: Flaw
    rule: str
    """The number in the rule catalogue, such as ``MOV-22``."""
    place: PlaceId | None = None
    """The place concerned, if not that of an existing unit."""
    coasts: tuple[Coast, ...] = ()
    """The coasts to choose from."""


@dataclass(frozen=True, slots=True)
class Bounced:
    """A rival for the same place was at least as strong (MOV-33)."""

    against: Unit
    strength: int
    rival: int


@dataclass(frozen=True, slots=True)
class Withstood:
    """The unit in the place, which stayed, was at least as strong (MOV-32)."""

    against: Unit
    strength: int
    rival: int


@dataclass(frozen=True, slots=True)
class OwnUnitStayed:
    """One's own unit did not leave; it cannot be dislodged (MOV-15)."""

    unit: Unit


@dataclass(frozen=True, slots=True)
class OwnUnitMet:
    """One's own unit tried to enter the same place, and the rules let neither in (MOV-16)."""

    unit: Unit


@dataclass(frozen=True, slots=True)
class NoConvoy:
    """A fleet of the route did not order the convoy, or was dislodged (MOV-09, MOV-12)."""

    at: PlaceId | None
    """The place where the route broke; None if no route was listed and no chain was there."""
    fleet: Unit | None
    """The fleet that failed; None if none had the matching order."""
    dislodged: bool


@dataclass(frozen=True, slots=True)
class ConvoyParadox:
    """The convoy's success depended on what the army itself would do there (MOV-21)."""


@dataclass(frozen=True, slots=True)
class StraitClosed:
    """A hostile fleet closed the strait, so the order counts as not given (MAP-35)."""

    guard: Unit


@dataclass(frozen=True, slots=True)
class VeniceHeld:
    """A garrison in Venice turns every move back, and is turned back itself (MAP-24, MAP-34)."""

    by: Unit


@dataclass(frozen=True, slots=True)
class CityRebels:
    """The city rebels against the unit's owner (CNV-06)."""

    city: PlaceId


@dataclass(frozen=True, slots=True)
class CutBy:
    """A unit of another power attacked the supporter (MOV-14)."""

    attacker: Unit


@dataclass(frozen=True, slots=True)
class SupporterDislodged:
    """The supporter was driven out (MOV-14)."""

    by: Unit


@dataclass(frozen=True, slots=True)
class NotMatched:
    """The supported or transported unit did something else, or is not there (MOV-13)."""

    named: Named


@dataclass(frozen=True, slots=True)
class WasDislodged:
    """The unit itself was driven out before it could finish."""

    by: Unit


class Forced(Enum):
    """Why a unit holds against its order, or without one."""

    NO_ORDER = "no order"
    ASSASSINATED = "its leader was assassinated"
    SIEGE_GOES_ON = "it stands before a half-done siege"
    OWN_CITY = "it besieges its own city"
    NOTHING_TO_BESIEGE = "there is nothing to besiege"
    TRADING_PLACES = "garrison and field unit cannot trade places"
    UNDER_SIEGE = "it is under siege"
    CITY_TAKEN = "a garrison stands in the city"
    REBELS_IN_VENICE = "rebels against its power hold Venice"
    NO_FLEET = "no convoy"


@dataclass(frozen=True, slots=True)
class HeldInstead:
    """The unit held instead of carrying out its order."""

    why: Forced
    rule: str


Failure = (
    Bounced
    | Withstood
    | OwnUnitMet
    | OwnUnitStayed
    | NoConvoy
    | ConvoyParadox
    | StraitClosed
    | VeniceHeld
    | CityRebels
    | WasDislodged
)
SupportFailure = CutBy | SupporterDislodged | NotMatched | StraitClosed
Reason = Failure | SupportFailure | HeldInstead | Objection


class Removal(Enum):
    """Why a unit left the map."""

    BRIBE = "bribed to disband"
    ORDERED = "disbanded by its owner"
    STARVED = "starved out by a siege"
    ASSASSINATION = "lost with its assassinated leader"
    NO_RETREAT = "no retreat was open"
    NO_RETREAT_ORDERED = "no retreat was ordered"
    RETREATS_MET = "retreats met in one place"
    FAMINE = "famine"
    PLAGUE = "plague"
    STORM = "storm"
    ELIMINATION = "its power was eliminated"
    NOT_MAINTAINED = "not maintained"
    TOO_FEW_CITIES = "too few cities to keep it"


class RebellionEnd(Enum):
    """How a rebellion ended (REB-25 to REB-32)."""

    PUT_DOWN = "put down by a holding unit"
    LIBERATED = "freed by another power"
    BOUGHT = "freed by a purchase"
    PACIFIED = "pacified"
    SIEGE = "put down by siege"


class SiegeEnd(Enum):
    """How a siege ended without the last besiege order."""

    LIFTED = "lifted"
    BESIEGER_GONE = "the besieger is gone"
    NOTHING_LEFT = "nothing is left to besiege"
    WON = "nobody holds the city any more, and it falls"
    BROKEN = "broken by assassination"
    ABANDONED = "abandoned for another order"
