"""City and province: when a conversion is possible at all, and when it succeeds (area CNV).

A conversion out of the city is an advance into the province and fights like one (CNV-19); a
conversion into the city succeeds unless the city rebels (CNV-05, CNV-06).
"""

from collections.abc import Sequence

from machjudge.adjudicator.land.sieges import is_besieged
from machjudge.adjudicator.model.names import PlaceId
from machjudge.adjudicator.model.orders import Besiege, Convert, UnitOrder
from machjudge.adjudicator.model.reasons import Forced, HeldInstead
from machjudge.adjudicator.model.rules import Besieged, ConversionRules
from machjudge.adjudicator.model.state import Rebellions, State
from machjudge.adjudicator.model.units import GARRISON, Unit
from machjudge.adjudicator.model.world import World

Intent = UnitOrder | HeldInstead
"""What a unit will do in the campaign: its order, or hold instead of it."""


def leaves_city(intent: Intent | None) -> bool:
    """Whether it is a conversion of a garrison."""
    return isinstance(intent, Convert) and intent.into is not GARRISON


def enters_city(intent: Intent | None) -> bool:
    """Whether it is a conversion into a garrison."""
    return isinstance(intent, Convert) and intent.into is GARRISON


def goal_of_conversion(unit: Unit, order: Convert) -> PlaceId | None:
    """The province that a conversion out of its city enters; None for one into the city."""
    return None if order.into is GARRISON else unit.place


def objection_to_conversion(rules: ConversionRules, state: State, unit: Unit) -> HeldInstead | None:
    """Why the unit cannot convert at movement, whoever else does what (CNV-01, CNV-14)."""
    if not (unit.is_garrison and is_besieged(state, unit.place)):
        return None
    if rules.besieged is Besieged.NEVER:
        return HeldInstead(Forced.UNDER_SIEGE, "CNV-14")
    if rules.besieged_elite_stays and unit.quality.strength > 1:
        return HeldInstead(Forced.UNDER_SIEGE, "SPC-08")
    return None


def without_sallies(world: World, units: Sequence[Unit], chosen: list[Intent]) -> None:
    """Turn conversions out of a city that is besieged in this campaign into holds (CNV-12)."""
    besieged = {
        world.city_before(unit.place)
        for unit, intent in zip(units, chosen, strict=True)
        if isinstance(intent, Besiege)
    }
    for number, unit in enumerate(units):
        if leaves_city(chosen[number]) and unit.place in besieged:
            chosen[number] = HeldInstead(Forced.UNDER_SIEGE, "CNV-12")


def without_trades(units: Sequence[Unit], chosen: list[Intent]) -> None:
    """Turn into holds what cannot be: trading places, and entering a held city.

    *chosen* is what each of the units will do.  A garrison and the field unit of its province
    never trade places (MOV-20); whoever stays in the city keeps others out of it (CNV-01).
    """
    garrisons = {u.place: n for n, u in enumerate(units) if u.kind is GARRISON}
    for number, unit in enumerate(units) if garrisons else ():
        if not enters_city(chosen[number]) or unit.place not in garrisons:
            continue
        garrison = garrisons[unit.place]
        if leaves_city(chosen[garrison]):
            chosen[number] = chosen[garrison] = HeldInstead(Forced.TRADING_PLACES, "MOV-20")
        else:
            chosen[number] = HeldInstead(Forced.CITY_TAKEN, "CNV-01")


def locks_out(rules: ConversionRules, rebellions: Rebellions, unit: Unit) -> bool:
    """Whether rebels keep the power that they are against, or all, out of their city.

    (CNV-06, MOV-42, REB-08)
    """
    if unit.place not in rebellions:
        return False
    return rules.locked if rebellions[unit.place] == unit.owner else not rules.third_party
