"""What must be true of every position and of every phase, whatever the players order."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from machjudge.adjudicator.dice import Dice
from machjudge.adjudicator.events import DiceThrown, UnitBuilt, UnitRemoved
from machjudge.adjudicator.evolve import evolve_all
from machjudge.adjudicator.land.control import changes_of_control, is_disputed
from machjudge.adjudicator.land.sieges import besieger_of, has_target
from machjudge.adjudicator.moments import Season, Stage, phase_after
from machjudge.adjudicator.money.bank import CREDIT
from machjudge.adjudicator.names import AUTONOMOUS, PowerId
from machjudge.adjudicator.rules import RebelControl, Timing
from machjudge.adjudicator.state import State
from machjudge.adjudicator.units import Kind, Quality
from machjudge.adjudicator.world import World
from machjudge.adjudicator.year.steps import Played
from machjudge.formats.position import ground_of


@dataclass(frozen=True, slots=True)
class Phase:
    """A phase that was played."""

    world: World
    before: State
    dice: Dice
    played: Played

    @property
    def after(self) -> State:
        """The position after it."""
        return self.played.state


def flaws(phase: Phase) -> list[str]:
    """Everything that is not as it must be, in a few words each."""
    return [flaw for look in LOOKS for flaw in look(phase)]


# --- the units -------------------------------------------------------------------------------


def units_stand_where_they_may(phase: Phase) -> Iterator[str]:
    """Each in a space of its own kind, entered under its own place (MOV-04, MAP-20)."""
    state, ground = phase.after, ground_of(phase.world)
    waiting = [each.unit for each in state.dislodged]
    for unit in (*state.units(), *waiting):
        flaw = ground.flaw_of_unit(unit)
        if flaw is not None:
            yield f"{unit}: {flaw}"
    for place, unit in (*state.field.items(), *state.garrisons.items()):
        if unit.place != place or unit.is_garrison != (state.garrisons.get(place) is unit):
            yield f"{unit} is entered under {place}"
    for place in phase.world.venice:
        if place in state.field and place in state.garrisons:
            yield "two units in Venice"


def units_serve_living_powers(phase: Phase) -> Iterator[str]:
    """Or nobody, as autonomous garrisons do (ELI-02, MOV-25)."""
    living = _living(phase) | {AUTONOMOUS}
    for unit in phase.after.units():
        if unit.owner not in living:
            yield f"{unit} serves nobody"
        if unit.owner == AUTONOMOUS and not unit.is_garrison:
            yield f"{unit} is autonomous in the field"


def places_belong_to_living_powers(phase: Phase) -> Iterator[str]:
    """Provinces and cities do; so do homes, or to a power that nobody plays (HOM-05, ELI-01)."""
    state, living = phase.after, _living(phase)
    unplayed = set(phase.world.scenario.powers) - set(phase.world.scenario.in_play)
    for what, owners, known in (
        ("province", state.provinces, living),
        ("city", state.cities, living),
        ("home", state.homes, living | unplayed),
    ):
        for place, owner in owners.items():
            if owner not in known:
                yield f"{what} {place} belongs to {owner}"


def _living(phase: Phase) -> set[PowerId]:
    return set(phase.world.scenario.in_play) - phase.after.eliminated


def every_unit_is_accounted_for(phase: Phase) -> Iterator[str]:
    """As many units as before, and those built, without those removed."""
    count = _count(phase.before)
    count += sum(isinstance(event, UnitBuilt) for event in phase.played.events)
    count -= sum(isinstance(event, UnitRemoved) for event in phase.played.events)
    if count != _count(phase.after):
        yield f"{_count(phase.after)} units where {count} should be"


def _count(state: State) -> int:
    return sum(1 for _ in state.units()) + len(state.dislodged)


def special_units_keep_their_limit(phase: Phase) -> Iterator[str]:
    """No power has more of them than the rules allow (SPC-06)."""
    special = Counter(u.owner for u in phase.after.units() if u.quality is not Quality.PLAIN)
    for power, number in special.items():
        if power != AUTONOMOUS and number > phase.world.rules.adjustment.special_limit:
            yield f"{power} has {number} special units"


def only_retreats_have_dislodged_units(phase: Phase) -> Iterator[str]:
    """Units wait beside the map in retreats and never else (SEQ-02)."""
    if bool(phase.after.dislodged) != (phase.after.moment.stage is Stage.RETREATS):
        yield f"{len(phase.after.dislodged)} dislodged units in {phase.after.moment.code}"
    for waiting in phase.after.dislodged:
        for spot in waiting.retreats:
            if spot.place in phase.after.field:
                yield f"{waiting.unit} may retreat to {spot}, where a unit stands"


# --- places ----------------------------------------------------------------------------------


def sieges_have_both_sides(phase: Phase) -> Iterator[str]:
    """A half-done siege has a besieger who could besiege, and somebody in the city (SIE-17)."""
    for place in phase.after.sieges:
        besieger = besieger_of(phase.world, phase.after, place)
        if besieger is None:
            yield f"nobody besieges {place}"
        elif not has_target(phase.after, besieger, place):
            yield f"{besieger} besieges nobody in {place}"
        elif besieger.kind is Kind.FLEET and not phase.world.is_port(place):
            yield f"{besieger} besieges a city without a port"


def rebels_are_where_they_can_be(phase: Phase) -> Iterator[str]:
    """Rebels hold no city with a garrison, and no open one (REB-03, REB-04)."""
    state = phase.after
    for place in state.city_rebellions:
        city = phase.world.cities.get(place)
        if city is None or not city.fortified:
            yield f"rebels in the open city of {place}"
        if place in state.garrisons:
            yield f"rebels beside {state.garrisons[place]}"
    for place, against in (*state.province_rebellions.items(), *state.city_rebellions.items()):
        if phase.world.place(place).is_sea:
            yield f"rebels at sea in {place}"
        if against in state.eliminated:
            yield f"rebels in {place} against {against}, who is gone"
    if any(place in state.province_rebellions for place in phase.world.venice):
        yield "rebels in the province of Venice"


def present_units_control(phase: Phase) -> Iterator[str]:
    """After a campaign nothing is left to change hands (CTL-03); winter counts none (CTL-15)."""
    state = phase.after
    if phase.before.moment.stage is Stage.ADJUSTMENT:
        return
    if phase.world.rules.control.timing is Timing.CONTINUOUS:
        kept = phase.world.rules.rebellion.control is RebelControl.KEPT
        for event in changes_of_control(phase.world, state):
            if kept or not is_disputed(state, event):
                yield f"not counted: {event}"


def famine_is_over_after_spring(phase: Phase) -> Iterator[str]:
    """Famine lasts from Fall to the end of Spring (FAM-09)."""
    if phase.after.famine and phase.after.moment.season is Season.SUMMER:
        yield f"famine in {sorted(phase.after.famine)}"


# --- money -----------------------------------------------------------------------------------


def treasuries_are_not_overdrawn(phase: Phase) -> Iterator[str]:
    """No treasury below zero, and one for each living power where there is money."""
    treasuries = phase.after.treasuries
    for power, ducats in treasuries.items():
        if ducats < 0:
            yield f"{power} has {ducats} ducats"
    if set(treasuries) != (_living(phase) if phase.world.rules.game.money else set()):
        yield f"treasuries of {sorted(treasuries)}"


def debts_keep_the_rules_of_the_bank(phase: Phase) -> Iterator[str]:
    """At most 25 ducats of principal; what was due is collected, or its debtor ruined (BNK)."""
    state = phase.after
    owed: Counter[str] = Counter()
    for loan in state.loans:
        owed[loan.power] += loan.principal
        if min(loan.principal, loan.interest) < 0 or not loan.principal + loan.interest:
            yield f"{loan} is none"
        if loan.due < phase.before.moment.campaign or loan.due < state.moment.campaign:
            yield f"{loan} should have been collected"
        if loan.power not in state.treasuries:
            yield f"{loan} of a power that is not there"
    yield from (f"{power} owes {sum_}" for power, sum_ in owed.items() if sum_ > CREDIT)


def chits_are_held_by_the_living(phase: Phase) -> Iterator[str]:
    """Sorted, held by living powers, and never more than before (ASN-01, ASN-02)."""
    state = phase.after
    for power, held in state.chits.items():
        if power in state.eliminated or tuple(sorted(held)) != held:
            yield f"{power} holds {held}"
    if _chits(state) > _chits(phase.before):
        yield "chits from nowhere"


def _chits(state: State) -> int:
    return sum(len(held) for held in state.chits.values())


# --- the phase -------------------------------------------------------------------------------


def events_rebuild_the_position(phase: Phase) -> Iterator[str]:
    """Applied to the position before, they give the one after."""
    if evolve_all(phase.before, phase.played.events) != phase.after:
        yield "the events lead to another position"


def the_next_phase_follows(phase: Phase) -> Iterator[str]:
    """Retreats where units wait, the adjustment after Fall, else the next campaign (MOV-02)."""
    expected = phase_after(
        phase.before.moment,
        dislodged=bool(phase.after.dislodged),
        summer=phase.world.rules.game.summer,
    )
    if phase.after.moment != expected:
        yield f"{phase.after.moment.code} follows {phase.before.moment.code}"


def no_dice_are_thrown_without_dice(phase: Phase) -> Iterator[str]:
    """A game without dice throws none (SET-04); no throw is made twice."""
    thrown = [event for event in phase.played.events if isinstance(event, DiceThrown)]
    if thrown and not phase.world.rules.game.dice:
        yield f"{thrown[0]} in a game without dice"
    names = Counter((event.purpose, event.n) for event in thrown)
    yield from (f"{name} is thrown twice" for name, count in names.items() if count > 1)


LOOKS: tuple[Callable[[Phase], Iterator[str]], ...] = (
    units_stand_where_they_may,
    units_serve_living_powers,
    places_belong_to_living_powers,
    every_unit_is_accounted_for,
    special_units_keep_their_limit,
    only_retreats_have_dislodged_units,
    sieges_have_both_sides,
    rebels_are_where_they_can_be,
    present_units_control,
    famine_is_over_after_spring,
    treasuries_are_not_overdrawn,
    debts_keep_the_rules_of_the_bank,
    chits_are_held_by_the_living,
    events_rebuild_the_position,
    the_next_phase_follows,
    no_dice_are_thrown_without_dice,
)
"""Everything that is looked at."""
