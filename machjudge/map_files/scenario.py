"""Read and check a scenario file: powers, set-up, control and variants."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from machjudge.adjudicator.board import (
    Board,
    CityIncome,
    Power,
    Scenario,
    Side,
    Table,
    Terrain,
    Variant,
)
from machjudge.adjudicator.names import AUTONOMOUS, NO_COAST, PlaceId, PowerId
from machjudge.adjudicator.options import PRESETS
from machjudge.adjudicator.units import Kind, Quality, Unit
from machjudge.adjudicator.world import FOR_ALL
from machjudge.map_files.board import (
    Places,
    find_places,
    find_provinces,
    find_spot,
    note_unknown,
    plain_name,
    read_city,
    read_income_lines,
    read_rules,
    read_table,
)
from machjudge.map_files.toml_reader import FileTable, did_you_mean, open_table


@dataclass(frozen=True, slots=True)
class ControlClaim:
    """The lines ``holds``, ``holds_province`` and ``holds_city`` of a power."""

    provinces: tuple[PlaceId, ...]
    cities: tuple[PlaceId, ...]


Claims = Mapping[PowerId, ControlClaim]
Owners = dict[PlaceId, PowerId]


def read_claim(table: FileTable, places: Places) -> ControlClaim:
    """Return the claim of one power; faults are noted."""
    whole = find_provinces(table, "holds", places)
    city = find_provinces(table, "holds_city", places)
    for place in city:
        if places[place].city is None:
            table.note("holds_city", f"{place} has no city")
    return ControlClaim((*whole, *find_provinces(table, "holds_province", places)), (*whole, *city))


def settle_control(
    group: FileTable,
    powers: Mapping[PowerId, Power],
    claims: Claims,
    autonomous: Iterable[Unit],
    board: Board,
) -> Mapping[PowerId, Power]:
    """Return the powers with their starting control; contradictions are noted.

    A home province and its city are its power's, unless claimed by another or with an autonomous
    garrison (CTL-03). *group* is the table of the powers.
    """
    free = {unit.place for unit in autonomous}
    provinces = _owners(group, {power: claim.provinces for power, claim in claims.items()})
    cities = _owners(group, {power: claim.cities for power, claim in claims.items()})
    for place in sorted(free & cities.keys()):
        group.note(cities[place], f"{place} has an autonomous unit, so nobody holds its city")
    for power in powers.values():
        _add_home(power, free, provinces, cities)
    settled = {power.id: _with(power, provinces, cities, board) for power in powers.values()}
    for power in settled.values():
        _note_strangers(group, power, board)
    return settled


def _owners(group: FileTable, claims: Mapping[PowerId, tuple[PlaceId, ...]]) -> Owners:
    owners: Owners = {}
    for power, places in claims.items():
        for place in places:
            other = owners.setdefault(place, power)
            if other != power:
                group.note(power, f"{place} is held by {other} too")
    return owners


def _add_home(power: Power, free: set[PlaceId], provinces: Owners, cities: Owners) -> None:
    if power.conquerable_only:
        return
    in_field = {unit.place for unit in power.units if not unit.is_garrison}
    for place in power.home:
        if place not in free:
            cities.setdefault(place, power.id)
        if place not in free or place in in_field:
            provinces.setdefault(place, power.id)


def _with(power: Power, provinces: Owners, cities: Owners, board: Board) -> Power:
    return replace(
        power,
        provinces=tuple(place for place, owner in provinces.items() if owner == power.id),
        cities=tuple(
            place
            for place, owner in cities.items()
            if owner == power.id and board.places[place].city is not None
        ),
    )


def _note_strangers(group: FileTable, power: Power, board: Board) -> None:
    """Note units outside their power's control (CTL-03)."""
    for unit in power.units:
        held = power.cities if unit.is_garrison else power.provinces
        if unit.place not in held and not board.places[unit.place].is_sea:
            part = "the city of " if unit.is_garrison else ""
            group.note(
                f"{power.id}.units",
                f"a unit stands in {part}{unit.place}, which {power.id} does not hold",
            )


_KINDS = {kind.value: kind for kind in Kind}
_QUALITIES = {quality.value: quality for quality in Quality}


def read_units(
    table: FileTable, key: str, owner: PowerId, board: Board, *, forts: bool
) -> tuple[Unit, ...]:
    """Return the units of a text such as ``"A pav, F pro/nc, G mil ep"``; faults are noted."""
    if not table.has(key):
        return ()
    written = " ".join(table.cells(key)).split(",")
    units = (_read_unit(table, key, text, owner, board, forts=forts) for text in written)
    return tuple(unit for unit in units if unit is not None)


def _read_unit(
    table: FileTable, key: str, text: str, owner: PowerId, board: Board, *, forts: bool
) -> Unit | None:
    kind, place, quality, *rest = (*text.split(), "", "", "")
    if kind not in _KINDS or quality not in _QUALITIES or any(rest):
        table.note(key, f"{text.strip()!r} is no unit; units are written A pav, F pro/nc, G mil")
        return None
    unit = _placed(table, key, Unit(owner, _KINDS[kind], PlaceId(place)), board)
    if unit is None:
        return None
    reason = why_not_there(unit, board, forts=forts)
    if reason:
        table.note(key, f"{text.strip()}: {reason}")
    return Unit(owner, unit.kind, unit.place, unit.coast, _QUALITIES[quality])


def _placed(table: FileTable, key: str, unit: Unit, board: Board) -> Unit | None:
    """The unit with the coast split from its place, if both exist."""
    if unit.kind is Kind.FLEET:
        spot = find_spot(table, key, unit.place, board.places)
        return unit.at(spot.place, spot.coast) if spot else None
    if unit.place in board.places:
        return unit
    note_unknown(table, key, unit.place, board.places)
    return None


def why_not_there(unit: Unit, board: Board, *, forts: bool) -> str:
    """Return why a unit cannot be in its place, or "" (MOV-03, MAP-02, MAP-07)."""
    place = board.places[unit.place]
    match unit.kind:
        case Kind.ARMY:
            return "an army cannot be at sea" if place.is_sea else ""
        case Kind.FLEET:
            return "a fleet cannot be inland" if place.terrain is Terrain.INLAND else ""
        case Kind.GARRISON:
            if place.city is None:
                return f"{place.id} has no city"
            if not place.city.fortified:
                return "the city is not fortified"
            if place.city.fortress and not forts:
                return "fortresses are not in use in this scenario"
            return ""


def read_garrisons(table: FileTable, key: str, board: Board, *, forts: bool) -> tuple[Unit, ...]:
    """Return the autonomous garrisons of a text of places; faults are noted."""
    garrisons = []
    for place in find_places(table, key, board.places):
        unit = Unit(AUTONOMOUS, Kind.GARRISON, place)
        reason = why_not_there(unit, board, forts=forts)
        if reason:
            table.note(key, f"{place}: {reason}")
        garrisons.append(unit)
    return tuple(garrisons)


def note_crowds(table: FileTable, units: Iterable[Unit], board: Board) -> None:
    """Note each space with several units: province, city, or Venice (MOV-04, MAP-20)."""
    taken: dict[tuple[PlaceId, bool], Unit] = {}
    for unit in units:
        in_city = unit.is_garrison and not board.places[unit.place].venice
        other = taken.setdefault((unit.place, in_city), unit)
        if other is not unit:
            table.findings.note(
                table.where, f"{_owned(unit)} and {_owned(other)} stand in the same space"
            )


def _owned(unit: Unit) -> str:
    coast = f"/{unit.coast}" if unit.coast != NO_COAST else ""
    return f"{unit.owner} {unit.kind.value} {unit.place}{coast}"


RESERVED = {"M": "the master", "O": "an observer"}
MAX_DICE = 9
MAX_DUCATS = 999

_LETTER = re.compile(r"[A-Z]")


def read_powers(
    file: FileTable, board: Board, autonomous: tuple[Unit, ...], *, forts: bool
) -> Mapping[PowerId, Power]:
    """Return the powers in order, with their starting control."""
    group = file.table("powers")
    powers: dict[PowerId, Power] = {}
    claims: dict[PowerId, ControlClaim] = {}
    for key in group.all_keys():
        table, letter = group.table(key), PowerId(key)
        note_letter(group, key, key)
        powers[letter] = read_power(table, letter, board, forts=forts)
        claims[letter] = read_claim(table, board.places)
        table.close()
    if not powers:
        file.note("powers", "a scenario needs powers, such as [powers.V]")
    note_same_names(group, powers.values())
    note_shared_homes(group, powers.values())
    return settle_control(group, powers, claims, autonomous, board)


def note_letter(table: FileTable, key: str, letter: str) -> None:
    """Note an impossible letter of a power."""
    if not _LETTER.fullmatch(letter):
        table.note(key, "a power is known by one letter A-Z")
    elif letter in RESERVED:
        table.note(key, f"the letter {letter} is kept for {RESERVED[letter]}")


def read_power(table: FileTable, letter: PowerId, board: Board, *, forts: bool) -> Power:
    """Return one power without its control, which `settle_control` adds."""
    line, dice = read_roll(table.table("income"), board) if table.has("income") else (None, 0)
    power = Power(
        id=letter,
        name=table.text("name"),
        adjective=table.text("adjective"),
        aliases=table.texts("also"),
        home=find_provinces(table, "home", board.places),
        provinces=(),
        cities=(),
        units=read_units(table, "units", letter, board, forts=forts),
        income_line=line,
        income_dice=dice,
        initial_ducats=table.whole("ducats", 0, most=MAX_DUCATS),
        special=_read_special(table) if table.has("special") else None,
        papal=table.flag("papal"),
        conquerable_only=table.flag("conquerable_only"),
    )
    if power.conquerable_only:
        if power.units:
            table.note("units", "a power that nobody plays has no units")
        if not power.home:
            table.note("home", "a power that nobody plays needs a home country to be conquered")
    elif not power.units:
        table.findings.note(
            table.where, "no units; if nobody plays this power, say conquerable_only = true"
        )
    if power.home and not any(board.places[place].city for place in power.home):
        table.note("home", "none of these provinces has a city, and without one a power is out")
    return power


def _read_special(table: FileTable) -> tuple[Quality, ...]:
    """The special kinds of a power, such as ``"cm em"`` (SET-20)."""
    kinds = {quality.value: quality for quality in Quality if quality not in FOR_ALL}
    for word in table.words("special"):
        if word not in kinds:
            table.note("special", f"{word!r} is no special kind; they are cm, em and ep")
    return tuple(kind for word, kind in kinds.items() if word in table.words("special"))


def read_roll(table: FileTable, board: Board) -> tuple[str, int]:
    """Return a variable income: its line and number of dice (INC-10)."""
    line = table.text("line")
    dice = table.whole("dice", 1, least=1, most=MAX_DICE)
    if line and line not in board.income_lines:
        near = did_you_mean(line, board.income_lines)
        table.note("line", f"there is no income line {line!r}{near}")
    table.close()
    return line, dice


def note_same_names(group: FileTable, powers: Iterable[Power]) -> None:
    """Note a name or adjective of two powers."""
    taken: dict[str, PowerId] = {}
    for power in powers:
        for name in (power.name, power.adjective, *power.aliases):
            if not plain_name(name):
                continue
            other = taken.setdefault(plain_name(name), power.id)
            if other != power.id:
                group.note(power.id, f"{name!r} is a name of {other} too")


def note_shared_homes(group: FileTable, powers: Iterable[Power]) -> None:
    """Note a province of two home countries (HOM-01)."""
    owners: dict[PlaceId, PowerId] = {}
    for power in powers:
        for place in power.home:
            other = owners.setdefault(place, power.id)
            if other != power.id:
                group.note(f"{power.id}.home", f"{place} belongs to the home country of {other}")


MAX_PLAYERS = 26
"""There are no more letters."""


def read_variants(file: FileTable, scenario: Scenario) -> tuple[Variant, ...]:
    """Return the variants of *scenario*, in order."""
    variants: list[Variant] = []
    for table in file.sheets("variants"):
        variant = _read_variant(table, scenario)
        if (variant.players, variant.option) in ((v.players, v.option) for v in variants):
            table.note("option", "this number of players has that option already")
        table.close()
        variants.append(variant)
    return tuple(variants)


def _read_variant(table: FileTable, scenario: Scenario) -> Variant:
    powers, board, forts = scenario.powers, scenario.board, scenario.forts
    removed = find_places(table, "removed_garrisons", board.places)
    dropped = _letters(table, "dropped", table.words("dropped"), powers)
    variant = Variant(
        players=table.whole("players", least=1, most=MAX_PLAYERS),
        option=table.whole("option", 1, least=1),
        suits_basic_victory=table.flag("suits_basic_victory", default=True),
        each_chooses=table.whole("each_chooses", 0, most=MAX_PLAYERS),
        sides=tuple(Side(side) for side in _read_sides(table, powers)),
        then_choose=_letters(table, "then_choose", table.words("then_choose"), powers),
        dropped=dropped,
        dropped_names=tuple(powers[power].name for power in dropped),
        dropped_open=table.flag("dropped_open"),
        added_power=_read_added_power(table, scenario, removed),
        added_units=_read_added_units(table, scenario),
        removed_garrisons=removed,
        added_garrisons=read_garrisons(table, "added_garrisons", board, forts=forts),
        note=table.text("note", ""),
    )
    _note_units(table, variant, scenario)
    _note_players(table, variant, scenario)
    return variant


def _read_sides(table: FileTable, powers: Mapping[PowerId, Power]) -> list[tuple[PowerId, ...]]:
    return [_letters(table, "sides", tuple(side.split()), powers) for side in table.texts("sides")]


def _letters(
    table: FileTable, key: str, words: tuple[str, ...], powers: Mapping[PowerId, Power]
) -> tuple[PowerId, ...]:
    for word in words:
        if word not in powers:
            table.note(key, f"there is no power {word!r} in this scenario")
    return tuple(PowerId(word) for word in words if word in powers)


def _read_added_power(
    table: FileTable, scenario: Scenario, removed: tuple[PlaceId, ...]
) -> Power | None:
    if not table.has("added_power"):
        return None
    below = table.table("added_power")
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


def _read_added_units(table: FileTable, scenario: Scenario) -> tuple[Unit, ...]:
    group = table.table("added_units")
    units: list[Unit] = []
    for letter in group.all_keys():
        _letters(group, letter, (letter,), scenario.powers)
        units += read_units(group, letter, PowerId(letter), scenario.board, forts=scenario.forts)
    return tuple(units)


def _note_units(table: FileTable, variant: Variant, scenario: Scenario) -> None:
    garrisons = {unit.place for unit in scenario.autonomous}
    for place in variant.removed_garrisons:
        if place not in garrisons:
            table.note("removed_garrisons", f"{place} has no autonomous garrison")
    playing = [p for p in scenario.powers.values() if p.id not in variant.dropped]
    if variant.added_power:
        playing.append(variant.added_power)
    note_crowds(
        table,
        [
            *(unit for power in playing for unit in power.units),
            *(unit for unit in scenario.autonomous if unit.place not in variant.removed_garrisons),
            *variant.added_units,
            *variant.added_garrisons,
        ],
        scenario.board,
    )


def _note_players(table: FileTable, variant: Variant, scenario: Scenario) -> None:
    """Note contradictions between the players and their powers."""
    led = [power for side in variant.sides for power in side.powers]
    for power in dict.fromkeys(power for power in led if led.count(power) > 1):
        table.note("sides", f"{power} stands on two sides")
    for power in dict.fromkeys(led):
        if power in variant.dropped:
            table.note("sides", f"{power} is dropped")
    if bool(variant.sides) == bool(variant.each_chooses):
        table.findings.note(table.where, "a variant has either sides or each_chooses")
    elif variant.sides and len(variant.sides) != variant.players:
        table.note("sides", f"{len(variant.sides)} sides for {variant.players} players")
    elif variant.each_chooses * variant.players > len(_choices(variant, scenario)):
        table.note("each_chooses", "there are not that many powers to choose from")
    elif _idle(variant, scenario):
        table.findings.note(table.where, f"nobody leads {', '.join(_idle(variant, scenario))}")


def _idle(variant: Variant, scenario: Scenario) -> list[PowerId]:
    """The powers in the game without a player."""
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
    """Return a variant's id: ``1454-4``, and ``1454-3-2`` for a second option."""
    option = f"-{variant.option}" if variant.option > 1 else ""
    return f"{scenario.id}-{variant.players}{option}"


def vary(scenario: Scenario, variant: Variant) -> Scenario:
    """Return the scenario as the variant plays it.

    Dropped powers are gone with their homes (HOM-07); their places are neutral (MAP-30), or open
    and nobody's. Where all play one power and none is dropped, only the id differs.
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
    """Return the variant with the id, or None."""
    return next((each for each in scenario.variants if varied_id(scenario, each) == name), None)


def _lands(scenario: Scenario, dropped: Iterable[PowerId]) -> tuple[PlaceId, ...]:
    powers: Mapping[PowerId, Power] = scenario.powers
    return tuple(
        place for power in dropped for place in (*powers[power].home, *powers[power].provinces)
    )


def _with_more(power: Power, variant: Variant) -> Power:
    """A power with the variant's further units and their places."""
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
    """The autonomous garrisons, without those in closed provinces."""
    gone = {*variant.removed_garrisons, *closed}
    left = [unit for unit in scenario.autonomous if unit.place not in gone]
    return (*left, *variant.added_garrisons)


BoardNamed = Callable[[str], Board | None]
"""Returns the board of an id, or None."""

LATEST = 9999


def load_scenario(file: Path, board_named: BoardNamed) -> Scenario:
    """Return the scenario of a file, whose name is the id.  Raises BrokenMap, also of its board."""
    return read_scenario(open_table(file), file.stem, board_named)


def read_scenario(file: FileTable, scenario_id: str, board_named: BoardNamed) -> Scenario:
    """Return the scenario of an opened file.  Raises BrokenMap with all faults."""
    head = file.table("scenario")
    board = _read_board(file, head, board_named)
    forts = head.flag("forts")
    autonomous = (
        *read_garrisons(head, "autonomous", board, forts=forts),
        *read_units(head, "autonomous_units", AUTONOMOUS, board, forts=forts),
    )
    scenario = Scenario(
        id=scenario_id,
        title=head.text("title"),
        board=board,
        year=head.whole("year", least=1, most=LATEST),
        powers=read_powers(file, board, autonomous, forts=forts),
        autonomous=autonomous,
        neutral=frozenset(find_provinces(head, "neutral", board.places)),
        city_incomes=_read_city_incomes(file.table("city_income"), board),
        forts=forts,
        variants=(),
        notes=head.texts("notes"),
        rules=read_rules(file.table("rules")),
        preset=_read_preset(head, "preset"),
        bare=_read_preset(head, "bare"),
    )
    head.texts("also")
    scenario = replace(scenario, variants=read_variants(file, scenario))
    units = [unit for power in scenario.powers.values() for unit in power.units]
    note_crowds(file, [*units, *scenario.autonomous], scenario.board)
    _note_neutral(file, scenario, [*units, *scenario.autonomous])
    if not scenario.in_play:
        file.note("powers", "nobody can play any of these powers")
    head.close()
    file.close()
    file.findings.raise_if_any()
    return scenario


def _read_board(file: FileTable, head: FileTable, board_named: BoardNamed) -> Board:
    """The board with the scenario's own cities, tables and lines of income.

    Its absence is raised at once.
    """
    name = head.text("board")
    board = board_named(name) if name else None
    if board is None:
        if name:
            head.note("board", f"there is no board {name!r}")
        raise file.findings.broken()
    if not any(file.has(key) for key in _OF_THE_BOARD):
        return board
    own = read_income_lines(file.table("income"))
    return replace(
        board,
        income_lines={**board.income_lines, **own},
        places=_with_cities(file.table("cities"), board),
        famine=_own_table(file, "famine", board.famine, board),
        plague=_own_table(file, "plague", board.plague, board),
        storm=_own_table(file, "storm", board.storm, board),
    )


_OF_THE_BOARD = ("income", "cities", "famine", "plague", "storm")
"""Parts of a board that a scenario may change."""


def _with_cities(group: FileTable, board: Board) -> Places:
    places = dict(board.places)
    for key in group.all_keys():
        table, place = group.table(key), places.get(PlaceId(key))
        if place is None or place.is_sea:
            group.note(key, f"there is no province {key!r}")
        else:
            places[place.id] = replace(place, city=read_city(table, place.terrain))
        table.close()
    return places


def _own_table(file: FileTable, kind: str, usual: Table, board: Board) -> Table:
    if not file.has(kind):
        return usual
    return read_table(file.table(kind), board.places, at_sea=kind == "storm")


def _read_preset(head: FileTable, key: str) -> str:
    preset = head.text(key, "")
    if preset and preset not in PRESETS:
        head.note(key, f"there is no preset {preset!r}; known are {', '.join(PRESETS)}")
    return preset


def _read_city_incomes(group: FileTable, board: Board) -> tuple[CityIncome, ...]:
    incomes = []
    for key in group.all_keys():
        line, dice = read_roll(group.table(key), board)
        place = board.places.get(PlaceId(key))
        if place is None or place.city is None:
            group.note(key, f"there is no city {key!r}")
        incomes.append(CityIncome(PlaceId(key), line, dice))
    return tuple(incomes)


def _note_neutral(file: FileTable, scenario: Scenario, units: list[Unit]) -> None:
    """Note the contents of neutral provinces (MAP-30)."""
    uses: Mapping[str, set[PlaceId]] = {
        "a unit": {unit.place for unit in units},
        "a home country": {place for power in scenario.powers.values() for place in power.home},
        "a power": {place for power in scenario.powers.values() for place in power.provinces},
    }
    for what, places in uses.items():
        for place in sorted(places & scenario.neutral):
            file.note("scenario.neutral", f"{place} is neutral, but has {what}")
