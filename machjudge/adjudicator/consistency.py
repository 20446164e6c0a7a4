"""Check that a position is possible under the rules, before a foreign one is played."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from machjudge.adjudicator.board import Spot
from machjudge.adjudicator.land.retreats import near_spots
from machjudge.adjudicator.land.sieges import locks_out
from machjudge.adjudicator.moments import Moment, Season, Stage
from machjudge.adjudicator.money.bank import CREDIT, interest_on
from machjudge.adjudicator.names import AUTONOMOUS, PlaceId, PowerId
from machjudge.adjudicator.rules import Chits, CityRetreat, Opening
from machjudge.adjudicator.state import Dislodged, Loan, State
from machjudge.adjudicator.units import FLEET, Unit
from machjudge.adjudicator.world import World

Step: TypeAlias = str | Unit | Spot | Loan
"""A field, unit, place or loan in a position."""


@dataclass(frozen=True, slots=True)
class Inconsistency:
    """An impossible detail of a position."""

    at: tuple[Step, ...]
    """The path to it: ``("sieges", "pad")``, ``("dislodged", unit, "convert")``."""
    says: str
    """The fault in a few words without a full stop."""
    harmless: bool = False
    """True if it changes no result: another judge may leave it so until the next phase."""


def named(unit: Unit) -> str:
    """Return a unit as positions write it, without its quality."""
    spot = Spot(unit.place, unit.coast)
    return f"{unit.owner} {unit.kind.letter} {spot}"


# --- sieges ----------------------------------------------------------------------------------


def _siege_faults(world: World, state: State) -> Iterator[Inconsistency]:
    for city in sorted(state.sieges):
        post = world.siege_post(city)
        besieger = state.field.get(post)
        flaw = _flaw_of_besieger(world, city, besieger)
        if flaw:
            yield Inconsistency(("sieges", city), flaw)
        elif besieger is None:
            yield Inconsistency(("sieges", city), f"nobody besieges {city}", harmless=True)
        if any(waiting.unit.place == post for waiting in state.dislodged):
            says = f"a unit was just dislodged from {post}, so no siege is half done"
            yield Inconsistency(("sieges", city), says)


def _flaw_of_besieger(world: World, city: PlaceId, besieger: Unit | None) -> str:
    """Which cities can be besieged, and by whom (SIE-01, SIE-02, MAP-25)."""
    if not world.holds_garrison(city):
        return f"there is no fortified city in {city}"
    in_water = world.place(city).venice or world.place(city).afloat
    if in_water and world.siege_post(city) == city:
        return f"{city} cannot be besieged"
    if besieger is not None and besieger.kind is FLEET and not world.is_port(city):
        return f"a fleet cannot besiege {city}, which is no port"
    return ""


# --- rebellions ------------------------------------------------------------------------------


def _rebellion_faults(world: World, state: State) -> Iterator[Inconsistency]:
    for place, target in sorted(state.province_rebellions.items()):
        says = _flaw_of_rebels(world, place) or _flaw_of_target(world, state, target)
        if says:
            yield Inconsistency(("rebellion", place), says)
    for place, target in sorted(state.city_rebellions.items()):
        says = _flaw_of_city_rebels(world, state, place) or _flaw_of_target(world, state, target)
        if not says and state.province_rebellions.get(place, target) != target:
            says = "the rebels of the province are against another power"
        if says:
            yield Inconsistency(("city_rebellion", place), says)


def _flaw_of_rebels(world: World, place: PlaceId) -> str:
    if world.place(place).is_sea or place in world.closed:
        return f"nobody rebels in {place}"
    one_marker = world.place(place).venice or world.place(place).afloat
    return f"in {place} the city rebels, and not the province" if one_marker else ""


def _flaw_of_city_rebels(world: World, state: State, place: PlaceId) -> str:
    """Rebels hold fortified cities in which no garrison stands (REB-03, REB-04, MAP-26)."""
    city = world.cities.get(place)
    if city is None or not city.fortified:
        return f"there is no fortified city in {place}"
    if place in state.garrisons:
        return f"{named(state.garrisons[place])} stands in the city"
    if world.place(place).venice and place in state.field:
        return f"{named(state.field[place])} stands there"
    return ""


def _flaw_of_target(world: World, state: State, target: PowerId | None) -> str:
    """Against whom rebels are: a living power, or nobody when it is gone (REB-01, REB-37)."""
    if target is not None and target not in world.in_play:
        return f"nobody plays {target}"
    if target in state.eliminated:
        return f"{target} is eliminated, so these rebels are against nobody"
    return ""


_LONGEST_LOAN = 2
"""Years (BNK-02)."""


def _money_faults(world: World, state: State) -> Iterator[Inconsistency]:
    yield from _faults_of_loans(world, state)
    for power in sorted(state.defaulted):
        flaw = _flaw_of_debtor(world, state, power)
        if flaw:
            yield Inconsistency(("defaulted", power), flaw)
    yield from _faults_of_chits(world, state)
    for power in sorted(state.eliminated - set(world.in_play)):
        yield Inconsistency(("eliminated", power), f"nobody plays {power}")


# --- loans -----------------------------------------------------------------------------------


def _faults_of_loans(world: World, state: State) -> Iterator[Inconsistency]:
    principal: Counter[PowerId] = Counter()
    for loan in state.loans:
        principal[loan.power] += loan.principal
        flaw = _flaw_of_debtor(world, state, loan.power)
        if loan.power in state.defaulted:
            flaw = f"the bank has cancelled the debts of {loan.power}, and lends it nothing more"
        flaw = flaw or _flaw_of_loan(world, state, loan)
        if not flaw and principal[loan.power] > CREDIT:
            flaw = f"{loan.power} owes more than {CREDIT} ducats without interest"
        if flaw:
            yield Inconsistency(("loans", loan), flaw)


def _flaw_of_debtor(world: World, state: State, power: PowerId) -> str:
    """The bank lends to living powers with players (ELI-02)."""
    if power not in world.in_play:
        return f"nobody plays {power}"
    return f"{power} is eliminated and owes nothing" if power in state.eliminated else ""


def _flaw_of_loan(world: World, state: State, loan: Loan) -> str:
    """When a loan falls due, and how much interest there can be (BNK-02, BNK-03)."""
    now, before_bank = state.moment.campaign, state.moment.stage is Stage.CAMPAIGN
    if loan.due < now or (loan.due == now and not before_bank):
        return f"it was due in {loan.due.code}, and this is {state.moment.code}"
    if loan.due.season is Season.SUMMER and not world.rules.game.summer:
        return f"this game has no Summer, so nothing is due in {loan.due.code}"
    if loan.principal == 0:
        return "nothing is left to pay back: interest is paid before principal"
    # At most two loans are due in one campaign, of one year and of two; each is rounded up.
    if loan.interest > interest_on(loan.principal, _LONGEST_LOAN) + 1:
        return f"its interest is more than the bank asks for {loan.principal}"
    return ""


# --- chits -----------------------------------------------------------------------------------


def _faults_of_chits(world: World, state: State) -> Iterator[Inconsistency]:
    """Each power began with one chit for every other (ASN-01)."""
    players = frozenset(world.in_play)
    most = len(players) - 1
    around: Counter[PowerId] = Counter()
    for power, held in sorted(state.chits.items()):
        around.update(held)
        strangers = {power, *held} - players if held else set()
        flaw = f"nobody plays {', '.join(sorted(strangers))}" if strangers else ""
        if any(around[victim] > most for victim in held):
            flaw = f"there are more chits for one power than the {most} of the beginning"
        if flaw:
            yield Inconsistency(("chits", power), flaw)
        elif power in held and world.rules.assassins.chits is not Chits.DRAWN:
            says = f"{power} holds a chit on itself, as nobody does at the beginning"
            yield Inconsistency(("chits", power), says, harmless=True)


def _owner_faults(state: State) -> Iterator[Inconsistency]:
    """Remaining property of powers out of the game."""
    if not state.eliminated:
        return
    fields = {"provinces": state.provinces, "cities": state.cities, "homes": state.homes}
    for field, owners in fields.items():
        for place, owner in sorted(owners.items()):
            if owner in state.eliminated:
                yield Inconsistency((field, place), f"{owner} is eliminated and has no land")


def _phase_faults(world: World, state: State) -> Iterator[Inconsistency]:
    says = _flaw(world, state.moment)
    if says:
        yield Inconsistency(("phase",), says)
    elif state.moment.stage is Stage.RETREATS and not state.dislodged:
        says = f"nobody is dislodged, so the phase {state.moment.code} is left out"
        yield Inconsistency(("phase",), says, harmless=True)


# The phase of a position: whether games under these rules ever come to it (MOV-02, SET-02).
def _flaw(world: World, moment: Moment) -> str:
    first = world.scenario.year
    if moment.season is Season.SUMMER and not world.rules.game.summer:
        return f"{moment.code} is no phase: this game has no Summer"
    if moment.stage is Stage.ADJUSTMENT and moment.season is not Season.FALL:
        return f"{moment.code} is no phase: the adjustment follows Fall"
    opens = world.rules.game.opening is not Opening.CAMPAIGN
    if moment.stage is Stage.ADJUSTMENT and moment.year == first - 1 and not opens:
        return f"this game begins with S{first}M, without an adjustment before"
    return ""


def _retreat_faults(world: World, state: State) -> Iterator[Inconsistency]:
    met: set[PlaceId] = set()
    for waiting in state.dislodged:
        at = ("dislodged", waiting.unit)
        if state.moment.stage is not Stage.RETREATS:
            says = f"nobody waits for a retreat in {state.moment.code}"
            yield Inconsistency(("dislodged",), says)
        elif waiting.unit.place in met:
            yield Inconsistency(at, f"another unit was dislodged from {waiting.unit.place} too")
        else:
            yield from _faults_of(world, state, waiting, at)
        met.add(waiting.unit.place)


# The units of a position: whose, from when, and how many in Venice (MOV-04, MAP-20).
# The units that wait for their retreat, and where they may go (MOV-40 to MOV-48).
def _faults_of(
    world: World, state: State, waiting: Dislodged, at: tuple[str | Unit, ...]
) -> Iterator[Inconsistency]:
    driven = _flaw_of_defeat(world, state, waiting.unit)
    if driven:
        yield Inconsistency((*at, "unit"), f"{named(waiting.unit)}: {driven}")
        return
    if not waiting.retreats and not waiting.convert:
        yield Inconsistency(at, f"{named(waiting.unit)} has no retreat, so it is destroyed at once")
    for number, spot in enumerate(waiting.retreats):
        flaw = _flaw_of_retreat(world, state, waiting.unit, spot)
        if not flaw and spot in waiting.retreats[:number]:
            flaw = f"{spot} stands here twice"
        if flaw:
            yield Inconsistency((*at, "retreats", spot), flaw)
    flaw = _flaw_of_conversion(world, state, waiting) if waiting.convert else ""
    if flaw:
        yield Inconsistency((*at, "convert"), flaw)


def _flaw_of_defeat(world: World, state: State, unit: Unit) -> str:
    """A dislodged unit needs another power's unit in its place (MOV-15, MAP-22)."""
    by = state.field.get(unit.place)
    if unit.is_garrison:
        return "a garrison is never dislodged"
    if by is not None and by.owner == unit.owner:
        return f"its own {named(by)} cannot have dislodged it"
    return "a unit dislodged there is destroyed" if world.place(unit.place).venice else ""


def _flaw_of_retreat(world: World, state: State, unit: Unit, to: Spot) -> str:
    """Retreats lead across a border, but not into a closed Venice (MOV-40, MAP-28, MAP-34).

    Units placed later by a master do not matter; ``legality`` heeds them.
    """
    if to not in near_spots(world, unit):
        coasts = world.place(to.place).coasts
        if unit.kind is FLEET and coasts and not to.coast:
            return f"a fleet in {to.place} is on a coast: {' or '.join(coasts)}"
        return f"{named(unit)} cannot go to {to} in one step"
    closed = to.place in state.garrisons or to.place in state.city_rebellions
    return f"{to.place} lets nobody in" if world.place(to.place).venice and closed else ""


def _flaw_of_conversion(world: World, state: State, waiting: Dislodged) -> str:
    """The city of the own province must be able to take the unit in (MOV-42, MOV-44)."""
    unit = waiting.unit
    if not world.holds_garrison(unit.place):
        return f"there is no fortified city in {unit.place}"
    if unit.kind is FLEET and not world.berths(unit):
        return f"the city of {unit.place} is no port"
    if unit.place in state.garrisons:
        return f"{named(state.garrisons[unit.place])} stands in the city"
    if locks_out(world.rules.conversion, state.city_rebellions, unit):
        return f"the city of {unit.place} is in rebellion against {unit.owner}"
    last_resort = world.rules.retreat.to_city is CityRetreat.LAST_RESORT
    if last_resort and waiting.retreats:
        return "the city is open only to a unit that has no other retreat"
    return ""


def _unit_faults(world: World, state: State) -> Iterator[Inconsistency]:
    for unit in state.units():
        yield from _faults_of_units(world, state, unit, ("units", unit))
    for waiting in state.dislodged:
        at = ("dislodged", waiting.unit, "unit")
        yield from _faults_of_units(world, state, waiting.unit, at)
    # In Venice one unit stands in all (MAP-20).
    for place in sorted(world.venice):
        garrison, other = state.garrisons.get(place), state.field.get(place)
        if garrison is not None and other is not None:
            says = f"{named(other)} is there too, and {place} has room for one unit in all"
            yield Inconsistency(("units", garrison), says)


def _faults_of_units(
    world: World, state: State, unit: Unit, at: tuple[str | Unit, ...]
) -> Iterator[Inconsistency]:
    owner = _flaw_of_owner(world, state, unit)
    if owner:
        yield Inconsistency(at, f"{named(unit)}: {owner}")
    if unit.since is not None and state.moment.campaign < unit.since:
        says = f"{unit.since.code} is later than {state.moment.code}"
        yield Inconsistency(("since", unit), says)


def _flaw_of_owner(world: World, state: State, unit: Unit) -> str:
    """Whose units there are: garrisons may be autonomous; the dead have none (ELI-02)."""
    if unit.owner == AUTONOMOUS:
        fits = unit.is_garrison or world.rules.special.autonomous_afield
        return "" if fits else "only garrisons are autonomous"
    if unit.owner not in world.in_play:
        return f"nobody plays {unit.owner}, so it has no units"
    return f"{unit.owner} is eliminated and has no units" if unit.owner in state.eliminated else ""


def inconsistencies(world: World, state: State) -> Iterator[Inconsistency]:
    """Return everything in the position that is impossible in this world."""
    yield from _phase_faults(world, state)
    yield from _unit_faults(world, state)
    yield from _retreat_faults(world, state)
    yield from _siege_faults(world, state)
    yield from _rebellion_faults(world, state)
    yield from _money_faults(world, state)
    yield from _owner_faults(state)
