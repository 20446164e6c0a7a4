"""The variants of a scenario file: how they are read, and the scenarios made from them."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from machjudge.adjudicator.model.names import PlaceId, PowerId
from machjudge.adjudicator.model.scenario import Power, Scenario, Side, Variant
from machjudge.adjudicator.model.units import Unit
from machjudge.atlas.control import ControlClaim, settle_control
from machjudge.atlas.places import find_places
from machjudge.atlas.powers import (
    note_letter,
    note_same_names,
    note_shared_homes,
    read_power,
)
from machjudge.atlas.setup import note_crowds, read_garrisons, read_units
from machjudge.atlas.sheet import FileTable

MOST_PLAYERS = 26
"""There are no more letters for powers."""


def read_variants(file: FileTable, scenario: Scenario) -> tuple[Variant, ...]:
    """The variants in the order of the file; *scenario* is what they vary."""
    variants: list[Variant] = []
    for sheet in file.sheets("variants"):
        variant = _read_variant(sheet, scenario)
        if (variant.players, variant.option) in ((v.players, v.option) for v in variants):
            sheet.note("option", "this number of players has that option already")
        sheet.close()
        variants.append(variant)
    return tuple(variants)


def _read_variant(sheet: FileTable, scenario: Scenario) -> Variant:
    powers, board, forts = scenario.powers, scenario.board, scenario.forts
    removed = find_places(sheet, "removed_garrisons", board.places)
    variant = Variant(
        players=sheet.whole("players", least=1, most=MOST_PLAYERS),
        option=sheet.whole("option", 1, least=1),
        suits_basic_victory=sheet.flag("suits_basic_victory", default=True),
        each_chooses=sheet.whole("each_chooses", 0, most=MOST_PLAYERS),
        sides=tuple(Side(side) for side in _read_sides(sheet, powers)),
        then_choose=_letters(sheet, "then_choose", sheet.words("then_choose"), powers),
        dropped=_letters(sheet, "dropped", sheet.words("dropped"), powers),
        dropped_open=sheet.flag("dropped_open"),
        added_power=_read_added_power(sheet, scenario, removed),
        added_units=_read_added_units(sheet, scenario),
        removed_garrisons=removed,
        added_garrisons=read_garrisons(sheet, "added_garrisons", board, forts=forts),
        note=sheet.text("note", ""),
    )
    _note_units(sheet, variant, scenario)
    _note_players(sheet, variant, scenario)
    return variant


def _read_sides(sheet: FileTable, powers: Mapping[PowerId, Power]) -> list[tuple[PowerId, ...]]:
    return [_letters(sheet, "sides", tuple(side.split()), powers) for side in sheet.texts("sides")]


def _letters(
    sheet: FileTable, key: str, words: tuple[str, ...], powers: Mapping[PowerId, Power]
) -> tuple[PowerId, ...]:
    for word in words:
        if word not in powers:
            sheet.note(key, f"there is no power {word!r} in this scenario")
    return tuple(PowerId(word) for word in words if word in powers)


def _read_added_power(
    sheet: FileTable, scenario: Scenario, removed: tuple[PlaceId, ...]
) -> Power | None:
    if not sheet.has("added_power"):
        return None
    below = sheet.sheet("added_power")
    letter = PowerId(below.text("id"))
    note_letter(below, "id", letter)
    if letter in scenario.powers:
        below.note("id", f"{letter} is a power of the scenario already")
    power = read_power(below, letter, scenario.board, forts=scenario.forts)
    everybody = [*scenario.powers.values(), power]
    note_same_names(below, everybody)
    note_shared_homes(below, everybody)
    below.close()
    remaining = [unit for unit in scenario.autonomous if unit.place not in removed]
    claims = {letter: ControlClaim((), ())}
    return settle_control(below, {letter: power}, claims, remaining, scenario.board)[letter]


def _read_added_units(sheet: FileTable, scenario: Scenario) -> tuple[Unit, ...]:
    group = sheet.sheet("added_units")
    units: list[Unit] = []
    for letter in group.all_keys():
        _letters(group, letter, (letter,), scenario.powers)
        units += read_units(group, letter, PowerId(letter), scenario.board, forts=scenario.forts)
    return tuple(units)


def _note_units(sheet: FileTable, variant: Variant, scenario: Scenario) -> None:
    garrisons = {unit.place for unit in scenario.autonomous}
    for place in variant.removed_garrisons:
        if place not in garrisons:
            sheet.note("removed_garrisons", f"{place} has no autonomous garrison")
    playing = [p for p in scenario.powers.values() if p.id not in variant.dropped]
    if variant.added_power:
        playing.append(variant.added_power)
    note_crowds(
        sheet,
        [
            *(unit for power in playing for unit in power.units),
            *(unit for unit in scenario.autonomous if unit.place not in variant.removed_garrisons),
            *variant.added_units,
            *variant.added_garrisons,
        ],
        scenario.board,
    )


def _note_players(sheet: FileTable, variant: Variant, scenario: Scenario) -> None:
    """Note what does not add up between the players and the powers that they lead."""
    led = [power for side in variant.sides for power in side.powers]
    for power in dict.fromkeys(power for power in led if led.count(power) > 1):
        sheet.note("sides", f"{power} stands on two sides")
    for power in dict.fromkeys(led):
        if power in variant.dropped:
            sheet.note("sides", f"{power} is dropped")
    if bool(variant.sides) == bool(variant.each_chooses):
        sheet.findings.note(sheet.where, "a variant has either sides or each_chooses")
    elif variant.sides and len(variant.sides) != variant.players:
        sheet.note("sides", f"{len(variant.sides)} sides for {variant.players} players")
    elif variant.each_chooses * variant.players > len(_choices(variant, scenario)):
        sheet.note("each_chooses", "there are not that many powers to choose from")
    elif _idle(variant, scenario):
        sheet.findings.note(sheet.where, f"nobody leads {', '.join(_idle(variant, scenario))}")


def _idle(variant: Variant, scenario: Scenario) -> list[PowerId]:
    """The powers that are in the game and that no player leads."""
    choices = _choices(variant, scenario)
    if variant.each_chooses:
        return choices[variant.each_chooses * variant.players :]
    led = {power for side in variant.sides for power in side.powers} | {*variant.then_choose}
    return [power for power in choices if power not in led]


def _choices(variant: Variant, scenario: Scenario) -> list[PowerId]:
    added = [variant.added_power.id] if variant.added_power else []
    return [*(power for power in scenario.in_play if power not in variant.dropped), *added]


# --- the scenario for another number of players ----------------------------------------------


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
