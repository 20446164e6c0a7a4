"""A scenario for another number of players, made from the scenario and one of its variants."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from machjudge.adjudicator.model.names import PlaceId, PowerId
from machjudge.adjudicator.model.scenario import Power, Scenario, Variant
from machjudge.adjudicator.model.units import Unit


def varied_id(scenario: Scenario, variant: Variant) -> str:
    """By what id a variant is known: ``1454-4``, and ``1454-3-2`` for a second option."""
    option = f"-{variant.option}" if variant.option > 1 else ""
    return f"{scenario.id}-{variant.players}{option}"


def vary(scenario: Scenario, variant: Variant) -> Scenario:
    """The scenario as it is played by the number of people of the variant.

    Dropped powers are gone with their homes (HOM-07); what was theirs is neutral (MAP-30), or
    open and nobody's.  Where everybody plays one power and none is dropped, only the id differs.
    """
    closed = () if variant.dropped_open else _lands(scenario, variant.dropped)
    powers = {
        power.id: _with_more(power, variant)
        for power in scenario.powers.values()
        if power.id not in variant.dropped
    }
    if variant.added_power is not None:
        powers[variant.added_power.id] = variant.added_power
    return replace(
        scenario,
        id=varied_id(scenario, variant),
        powers=powers,
        autonomous=_garrisons(scenario, variant, closed),
        neutral=scenario.neutral | set(closed),
        variants=(),
        variant=variant,
    )


def find_variant(scenario: Scenario, name: str) -> Variant | None:
    """The variant that the id means, if the scenario has it."""
    return next((each for each in scenario.variants if varied_id(scenario, each) == name), None)


def _lands(scenario: Scenario, dropped: Iterable[PowerId]) -> tuple[PlaceId, ...]:
    powers: Mapping[PowerId, Power] = scenario.powers
    return tuple(
        place for power in dropped for place in (*powers[power].home, *powers[power].provinces)
    )


def _with_more(power: Power, variant: Variant) -> Power:
    """A power with the units that the variant adds; it holds the places where they stand."""
    more = [unit for unit in variant.added_units if unit.owner == power.id]
    if not more:
        return power
    places = [unit.place for unit in more]
    lands = [unit.place for unit in more if not unit.is_garrison]
    return replace(
        power,
        units=(*power.units, *more),
        provinces=tuple(dict.fromkeys((*power.provinces, *lands))),
        cities=tuple(dict.fromkeys((*power.cities, *places))),
    )


def _garrisons(scenario: Scenario, variant: Variant, closed: Iterable[PlaceId]) -> tuple[Unit, ...]:
    """The autonomous garrisons; behind closed borders none is needed."""
    gone = {*variant.removed_garrisons, *closed}
    left = [unit for unit in scenario.autonomous if unit.place not in gone]
    return (*left, *variant.added_garrisons)
