"""Tables of a position: money, holdings, charts, rules, and the map in words."""

import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from machjudge.adjudicator import events as event_types
from machjudge.adjudicator.board import Table
from machjudge.adjudicator.dice import SIDES, Throw, commitment
from machjudge.adjudicator.events import Event
from machjudge.adjudicator.land.victory import cities_needed, homes_needed
from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.money.bank import debts_of, owed
from machjudge.adjudicator.names import AUTONOMOUS, NO_COAST, Coast, PlaceId, PowerId
from machjudge.adjudicator.options import JUDGE, OPTIONS, departures
from machjudge.adjudicator.rules import BasicTest, HomesCounted, Level, Rules
from machjudge.adjudicator.state import Loan, State, View
from machjudge.adjudicator.units import Unit
from machjudge.adjudicator.year.disasters import BOTH_FROM, COLUMNS, ROWS
from machjudge.messages.visibility import EVERYTHING, Sight
from machjudge.messages.wording import (
    LineGroup,
    SectionLine,
    Words,
    campaign_words,
    message_of,
    played_with,
    titled,
)
from machjudge.translatable import Message, MessageOrText, phrase


def treasuries(
    words: Words, state: View, sight: Sight = EVERYTHING, *, dated: bool = False
) -> tuple[MessageOrText, ...]:
    """Return a line for each living power with ducats, and one for each campaign's debt.

    Debts are dated only where it is *dated*, as after Fall (BNK-12). Hidden powers are left out.
    """
    if not state.treasuries:
        return ()
    lines: list[MessageOrText] = []
    for power in living(words, state):
        if sight.sees_money_of(power):
            ducats = state.treasuries.get(power, 0)
            lines.append(Message("tables.treasury", power=words.power(power), ducats=ducats))
            lines += _debts(state, power, dated=dated)
    return tuple(lines)


def _debts(state: View, power: PowerId, *, dated: bool) -> list[Message]:
    return [
        Message("tables.owes", debt=debt_text(debt, dated=dated)) for debt in debts_of(state, power)
    ]


def debt_text(debt: Loan, *, dated: bool = True) -> MessageOrText:
    """Return a debt, with its date where *dated*: ``10+2d due Spring 1455``."""
    sums = f"{debt.principal}+{debt.interest}d"
    return Message("tables.debt", owed=sums, due=campaign_words(debt.due)) if dated else sums


def living(words: Words, state: View) -> tuple[PowerId, ...]:
    """Return the powers in play and not eliminated, in the scenario's order."""
    return tuple(p for p in words.world.scenario.in_play if p not in state.eliminated)


def rolls(words: Words, events: Sequence[Event]) -> tuple[MessageOrText, ...]:
    """The variable incomes, each with its dice."""
    return tuple(_roll(words, event) for event in events if isinstance(event, event_types.RollPaid))


_roll = message_of(
    "tables.roll",
    "power",
    "dice",
    "fixed",
    "ducats",
    line=lambda words, event: words.roll_line(event.line),
)


def incomes(words: Words, after: View, events: Sequence[Event]) -> tuple[MessageOrText, ...]:
    """The income of each power by source, its treasury afterwards, and what it owes (BNK-12)."""
    lines: list[MessageOrText] = []
    for event in events:
        if isinstance(event, event_types.IncomePaid):
            line = Message(
                "tables.income",
                power=words.power(event.power),
                seas=event.seas,
                provinces=event.provinces,
                cities=event.cities,
                variable=event.variable,
                total=event.seas + event.provinces + event.cities + event.variable,
                now=after.treasuries.get(event.power, 0),
            )
            lines += [line, *_debts(after, event.power, dated=True)]
    return tuple(lines)


def control_changes(words: Words, before: View, after: View) -> tuple[LineGroup, ...]:
    """Return what changed hands: ``Venice: +Bologna, -Ferrara``, provinces and cities apart.

    Provinces are left out where only cities count.
    """
    provinces = _changes(words, before.provinces, after.provinces) if provinces_count(words) else ()
    cities = _changes(words, real_cities(words, before), real_cities(words, after))
    forts = _changes(words, fortresses(words, before), fortresses(words, after))
    found = (
        _group("provinces", provinces),
        _group("cities", cities),
        _group("fortresses", forts),
    )
    return tuple(group for group in found if group.lines)


def _group(title: str, lines: Iterable[str]) -> LineGroup:
    return LineGroup(
        Message(f"tables.title.{title}"), tuple(phrase("  {}", line) for line in lines)
    )


def _changes(
    words: Words, before: Mapping[PlaceId, PowerId], after: Mapping[PlaceId, PowerId]
) -> tuple[str, ...]:
    lines = []
    for power in words.world.scenario.powers:
        won = _signed(words, "+", gained(power, before, after))
        lost = _signed(words, "-", gained(power, after, before))
        if won or lost:
            lines.append(titled(words.power(power), [*won, *lost]))
    return tuple(lines)


def gained(
    power: PowerId, before: Mapping[PlaceId, PowerId], after: Mapping[PlaceId, PowerId]
) -> frozenset[PlaceId]:
    """Return the places that a power gained."""
    return frozenset(
        [place for place, owner in after.items() if owner == power and before.get(place) != power]
    )


def _signed(words: Words, sign: str, places: Iterable[PlaceId]) -> list[str]:
    return [phrase("{}{}", sign, name) for name in sorted(map(words.place, places))]


_MARKS = "*+%!"
"""The marks of places: home country, rebellion, famine, besieged."""


def holdings(words: Words, state: View) -> tuple[SectionLine, ...]:
    """Return homes, provinces and cities by power, with the legend of marks in use."""
    provinces = state.provinces if provinces_count(words) else {}
    groups = (
        *_homes(words, state),
        _holdings(
            words,
            state,
            "provinces",
            provinces,
            {"+": state.province_rebellions, "%": state.famine},
        ),
        _holdings(
            words,
            state,
            "cities",
            real_cities(words, state),
            {"+": state.city_rebellions, "!": state.sieges},
        ),
        _holdings(
            words,
            state,
            "fortresses",
            fortresses(words, state),
            {"+": state.city_rebellions, "!": state.sieges},
        ),
    )
    lines = (line for group in groups for line in group.lines)
    rows = "".join(line for line in lines if isinstance(line, str))
    used = tuple(mark for mark in _MARKS if mark in rows)
    legend = (Message("tables.legend", marks=used),) if used else ()
    return (*(group for group in groups if group.lines), *legend)


def marked(words: Words, state: View) -> tuple[MessageOrText, ...]:
    """The places with rebels, famine or a half-done siege, by their marks; nothing if none."""
    found = {
        "+": {*state.province_rebellions, *state.city_rebellions},
        "%": state.famine,
        "!": state.sieges,
    }
    return tuple(
        Message("tables.marked", mark=mark, places=tuple(sorted(map(words.place, places))))
        for mark, places in found.items()
        if places
    )


def _homes(words: Words, state: View) -> list[LineGroup]:
    """The owners of home countries, once one has changed."""
    owners = {
        power: state.homes.get(min(home)) for power, home in words.world.home_blocks.items() if home
    }
    if all(owner == power for power, owner in owners.items()):
        return []
    rows = []
    for power in words.world.scenario.powers:
        own = [words.power(home) for home, owner in owners.items() if owner == power]
        if own:
            rows.append(titled(words.power(power), own))
    return [_group("homes", rows)]


def provinces_count(words: Words) -> bool:
    """Return whether provinces matter beside their cities: by income or another owner (SET-10)."""
    game = words.world.rules.game
    return game.money or game.garrisons


def real_cities(words: Words, state: State) -> Mapping[PlaceId, PowerId]:
    """Return the cities in use without fortresses."""
    cities = words.world.cities
    return {p: o for p, o in state.cities.items() if p in cities and not cities[p].fortress}


def fortresses(words: Words, state: State) -> Mapping[PlaceId, PowerId]:
    """Return the fortresses in use (MAP-07), which are no cities."""
    cities = words.world.cities
    return {p: o for p, o in state.cities.items() if p in cities and cities[p].fortress}


def _holdings(
    words: Words,
    state: View,
    title: str,
    owners: Mapping[PlaceId, PowerId],
    marks: Mapping[str, Container[PlaceId]],
) -> LineGroup:
    """The holdings of each power with marks; a star for its home."""

    def marked(place: PlaceId) -> str:
        home = "*" if state.homes.get(place) == owners[place] else ""
        return home + "".join(mark for mark, places in marks.items() if place in places)

    rows = []
    for power in words.world.scenario.powers:
        held = [place for place, owner in owners.items() if owner == power]
        if held:
            names = sorted(phrase("{}{}", words.place(place), marked(place)) for place in held)
            rows.append(titled(phrase("{} ({})", words.power(power), str(len(names))), names))
    return _group(title, rows)


def chits(words: Words, state: View, powers: Iterable[PowerId]) -> tuple[str, ...]:
    """The assassination chits of some powers, by the names of the victims (ASN-01)."""
    lines: list[str] = []
    for power in powers:
        victims = [words.power(victim) for victim in state.chits.get(power, ())]
        if victims:
            lines.append(titled(words.power(power), victims))
    return tuple(lines)


def board_units(words: Words, state: View) -> tuple[MessageOrText, ...]:
    """Return the units by owner, autonomous ones last, and whether there may be hidden ones."""
    others = {unit.owner for unit in state.units()} - set(words.world.scenario.powers)
    lines: list[MessageOrText] = [Message("tables.in_fog")] if state.in_fog else []
    for power in (*words.world.scenario.powers, *sorted(others)):
        units = [words.unit(unit) for unit in state.units_of(power)]
        if units:
            lines.append(titled(words.owner(power), units))
    return tuple(lines)


_NAME = 12
_CELL = 4
_YEARS = 7
"""The number of years in a chart."""

NOBODY = "."


@dataclass(frozen=True, slots=True)
class Year:
    """A column of the charts."""

    title: str
    """Two digits, such as ``54``; empty for the present."""
    state: View
    cities: Mapping[PowerId, int]
    treasuries: Mapping[PowerId, int]
    """The visible treasuries."""


def ownership(words: Words, years: Sequence[Year]) -> tuple[MessageOrText, ...]:
    """Return each province's owner by year, then its city's if another, in the board's order."""
    board = words.world.board
    rows = [
        (words.place(place), [_owners(place, each.state) for each in years])
        for place in dict.fromkeys((*board.province_order, *board.places))
        if any(place in each.state.provinces or place in each.state.cities for each in years)
    ]
    return _chart(years, rows)


def _owners(place: PlaceId, state: View) -> str:
    """``V`` for province and city of one owner, ``V-`` and ``VI`` for an other city's."""
    province, city = state.provinces.get(place), state.cities.get(place)
    if city is None or city == province:
        return province or NOBODY
    return f"{province or NOBODY}{city}"


def cities(words: Words, years: Sequence[Year]) -> tuple[MessageOrText, ...]:
    """Return the number of each power's cities by year."""
    return _of_powers(words, years, [each.cities for each in years])


def treasury_chart(words: Words, years: Sequence[Year]) -> tuple[MessageOrText, ...]:
    """Return the ducats of each power with visible money, by year."""
    return _of_powers(words, years, [each.treasuries for each in years])


def _of_powers(
    words: Words, years: Sequence[Year], numbers: Sequence[Mapping[PowerId, int]]
) -> tuple[MessageOrText, ...]:
    shown = [p for p in words.world.scenario.in_play if any(p in column for column in numbers)]
    rows = [
        (words.power(power), [str(column.get(power, NOBODY)) for column in numbers])
        for power in shown
    ]
    return _chart(years, rows)


def _chart(
    years: Sequence[Year], rows: Sequence[tuple[str, Sequence[str]]]
) -> tuple[MessageOrText, ...]:
    if not rows:
        return ()
    lines: list[MessageOrText] = []
    for start in range(0, len(years), _YEARS):
        titles = tuple(each.title for each in years[start : start + _YEARS])
        lines += [""] if start else []
        lines.append(Message("tables.years", titles=titles, width=_NAME, cell=_CELL))
        for name, cells in rows:
            cells_text = "".join(f"{cell:>{_CELL}}" for cell in cells[start : start + _YEARS])
            lines.append(Message("tables.row", name=name, width=_NAME, cells=cells_text))
    return tuple(lines)


_INCOME = "income "
_PARTS = ("severity", "row", "column")
_LEAST, _MAX = 2, 12
"""The sums of two dice."""


def chance_lines(words: Words, throw: Throw) -> tuple[MessageOrText, ...]:
    """Return the results of a throw with their effects; none where these depend on orders.

    Of a disaster all places of the row or column are named.
    """
    if throw.purpose.startswith(_INCOME):
        return _income_chances(words, throw.purpose.removeprefix(_INCOME))
    kind, _, what = throw.purpose.partition(" ")
    tables = {
        "famine": words.world.board.famine,
        "plague": words.world.board.plague,
        "storm": words.world.board.storm,
    }
    if kind not in tables or what not in _PARTS:
        return ()
    return _severity(words) if what == "severity" else _struck(words, tables[kind], what)


def throw_words(words: Words, throw: Throw) -> MessageOrText:
    """Return what a throw is for; its purpose as the record has it, where it needs no words."""
    kind, *rest = throw.purpose.split()
    powers, places = words.world.scenario.powers, words.world.board.places
    named = [
        words.power(PowerId(each)) if each in powers else words.place(PlaceId(each))
        for each in rest
        if each in powers or each in places
    ]
    match kind, rest:
        case "assassination", [_, _] if len(named) == len(rest):
            return Message("preview.throw.assassination", by=named[0], victim=named[1])
        case "bribe", [_, unit, place] if place in places:
            unit_there = phrase("{} {}", unit, words.place(PlaceId(place)))
            return Message("preview.throw.bribe", power=named[0], unit=unit_there)
        case (("rebellion" | "march" | "famine" | "plague" | "storm"), [place]) if place in places:
            return Message(f"preview.throw.{kind}", place=named[0])
        case (("famine" | "plague" | "storm"), [part]) if part in _PARTS:
            disaster = Message(f"preview.disaster.{kind}")
            return Message(f"preview.throw.{part}", disaster=disaster)
        case "income", [_, *_]:
            return Message("preview.throw.income", line=" ".join(rest).title())
        case _:
            return throw.purpose


def _income_chances(words: Words, line: str) -> tuple[Message, ...]:
    tables = words.world.incomes.lines
    table = next((table for name, table in tables.items() if name.lower() == line), ())
    if len(table) != SIDES:
        return ()
    results = tuple(f"{pips}: {ducats}d" for pips, ducats in enumerate(table, start=1))
    return (Message("preview.each_die", results=results),)


def _severity(words: Words) -> tuple[Message, ...]:
    severity = words.world.rules.disaster.severity
    row, column = ROWS[severity], COLUMNS[severity]
    none = set(range(_LEAST, BOTH_FROM)) - row - column
    return (
        Message(
            "preview.severity",
            nothing=", ".join(map(str, sorted(none))),
            row=", ".join(map(str, sorted(row))),
            column=", ".join(map(str, sorted(column))),
            both=(BOTH_FROM, _MAX),
        ),
    )


def _struck(words: Words, table: Table, what: str) -> tuple[Message, ...]:
    rules, neutral = words.world.rules, words.world.scenario.neutral
    closed: frozenset[PlaceId] = neutral if rules.game.neutral_impassable else frozenset()
    lines = []
    for number in range(_LEAST, _MAX + 1):
        found = {
            place
            for (row, column), place in table.items()
            if (row if what == "row" else column) == number
        }
        places = tuple(sorted(words.place(place) for place in found - closed))
        lines.append(Message("preview.struck", number=number, places=places))
    return tuple(lines)


def rule_lines(rules: Rules, players: int, on: Sequence[str], off: Sequence[str]) -> Message:
    """Return the flags that are on, those that are off, and the victory condition."""
    return Message(
        "rules.sheet",
        on=tuple(map(flag_words, on)),
        off=tuple(map(flag_words, off)),
        wins=victory_words(rules, players),
    )


def flag_words(name: str) -> Message:
    """Return what the listing calls a flag, by its name."""
    return Message(f"rules.flag.{name}")


def victory_words(rules: Rules, players: int) -> Message:
    """Return the victory condition of a game of so many: ``15 cities, 2 home countries``."""
    homes, cities = homes_needed(rules.victory), cities_needed(rules.victory, players)
    if rules.victory.level is Level.BASIC:
        whole = rules.victory.basic_test is BasicTest.PROVINCES_AND_ONE_OWN
        return Message("rules.wins_basic", cities=cities, with_provinces=whole)
    of_others = rules.victory.homes_counted is HomesCounted.OTHERS
    counted = max(0, homes - of_others)
    return Message("rules.wins", cities=cities, homes=counted, of_others=of_others)


def secret_lines(secret: bytes) -> tuple[str, ...]:
    """Return the secret in two lines of 32 signs, for the last mail of a game."""
    digits = secret.hex()
    half = len(digits) // 2
    return (f"  {digits[:half]}", f"  {digits[half:]}")


def commitment_lines(secret: bytes) -> tuple[str, ...]:
    """Return the SHA-256 of the secret in two lines of 32 signs, for the first mail of a game."""
    digest = commitment(secret)
    half = len(digest) // 2
    return (f"  {digest[:half]}", f"  {digest[half:]}")


_RULE = re.compile(r"^- ([A-Z]{3}-\d{2}) (.*)$")
_NAMED = re.compile(r"\w: ((?:\w+, )*\w+)\.$")
"""The end of a rule that has options, without the signs of its mark-up: ``Option: summer.``"""
_FLAG = re.compile(r"\(\w+ (\w+)", re.IGNORECASE)
"""The flag or option of a whole section, in its title: ``(flag special)``, in any language."""


@dataclass(frozen=True, slots=True)
class Departure:
    """An option that differs from the usual rules, with its rules and value."""

    name: str
    numbers: tuple[str, ...]
    sentence: Message


def departures_of(rules: Rules) -> tuple[Departure, ...]:
    """Return the options that differ from the usual ones."""
    return tuple(
        Departure(name, OPTIONS[name].facts.numbers, played_with(name, OPTIONS[name].of(rules)))
        for name in departures(rules, JUDGE)
    )


def as_played(
    lines: Iterable[str], apart: Sequence[Departure], say: Callable[[MessageOrText], str]
) -> tuple[str, ...]:
    """Return lines of the usual rules, with a sentence in each rule that the game changes."""
    return tuple(each for line in lines for each in _as_played(line, apart, say))


def _as_played(
    line: str, apart: Sequence[Departure], say: Callable[[MessageOrText], str]
) -> Iterator[str]:
    rule = _RULE.match(line)
    here = tuple(each.sentence for each in apart if _is_about(line, rule, each))
    if rule is not None and here:
        yield f"- {rule[1]} {say(Message('rules.here', here=here, usual=rule[2]))}"
        return
    yield line
    if here:
        yield say(Message("rules.section_here", here=here))


def _is_about(line: str, rule: re.Match[str] | None, each: Departure) -> bool:
    if rule is None:
        flag = _FLAG.search(line)
        return flag is not None and flag[1].lower() == each.name
    named = _NAMED.search(line)
    among = named[1].split(", ") if named is not None else ()
    return rule[1] in each.numbers or each.name in among


def map_in_words(words: Words, state: View) -> tuple[Message, ...]:
    """Return sentences for each accessible place of the board, by name."""
    places = sorted(words.world.board.places, key=words.place)
    places_text = tuple(_place(words, state, place) for place in places if _borders(words, place))
    return (Message("tables.in_fog"), *places_text) if state.in_fog else places_text


def _place(words: Words, state: View, place: PlaceId) -> Message:
    city = words.world.cities.get(place)
    units = [each for each in (state.field.get(place), state.garrisons.get(place)) if each]
    dislodged = [each.unit for each in state.dislodged if each.unit.place == place]
    return Message(
        "map.place",
        place=words.place(place),
        is_sea=words.world.place(place).is_sea,
        has_city=city is not None,
        province=_owner(words, state, place, in_city=False),
        city=_owner(words, state, place, in_city=True) if city is not None else "",
        units=tuple(_unit(words, unit) for unit in units),
        dislodged=tuple(_unit(words, unit) for unit in dislodged),
        famine=place in state.famine,
        besieged=place in state.sieges,
        rebels=place in state.province_rebellions or place in state.city_rebellions,
        borders=_borders(words, place),
    )


def _owner(words: Words, state: View, place: PlaceId, *, in_city: bool) -> str:
    owner = (state.cities if in_city else state.provinces).get(place)
    return words.power(owner) if owner is not None and owner != AUTONOMOUS else ""


def _unit(words: Words, unit: Unit) -> Message:
    power = words.power(unit.owner) if unit.owner != AUTONOMOUS else ""
    plain, written = (
        phrase("{} {}", words.letter(unit.kind), words.place(unit.place)),
        words.unit(unit),
    )
    return Message(
        f"map.unit.{unit.kind.name.lower()}",
        power=power,
        written=written if written != plain else "",
    )


def _borders(words: Words, place: PlaceId) -> tuple[Message, ...]:
    """The neighbours of a place, with the only kind that may go there; at sea only fleets may.

    Coasts are named where a place has several.
    """
    world = words.world
    by_land = set(world.army.get(place, ()))
    fleets = {coast: near for (here, coast), near in world.landings.items() if here == place}
    by_sea = {to for near in fleets.values() for to in near}
    return tuple(
        Message(
            "map.border",
            place=words.place(to),
            only=_only(words, place, to, by_land, by_sea),
            leaving=_coasts(coast for coast, near in fleets.items() if to in near),
            reaching=_coasts(spot.coast for near in fleets.values() for spot in near.get(to, ())),
        )
        for to in sorted(by_land | by_sea, key=words.place)
    )


def _coasts(coasts: Iterable[Coast]) -> tuple[str, ...]:
    return tuple(f"/{coast}" for coast in sorted({*coasts} - {NO_COAST}))


def _only(
    words: Words, place: PlaceId, to: PlaceId, by_land: set[PlaceId], by_sea: set[PlaceId]
) -> str:
    """``army`` or ``fleet`` for a border of coasts that the other kind cannot cross."""
    has_sea = any(words.world.place(each).is_sea for each in (place, to))
    if has_sea or to in by_land & by_sea or not by_sea:
        return ""
    return "army" if to in by_land else "fleet"


def purse(words: Words, state: View, power: PowerId) -> tuple[Message, ...]:
    """Return treasury, debts with dates, the sum due now, and chits."""
    if not words.world.rules.game.money or power in state.eliminated:
        return ()
    return (
        Message("receipt.treasury", ducats=state.treasuries.get(power, 0)),
        *debt_lines(state, power),
        *chit_lines(words, state, power),
    )


def debt_lines(state: View, power: PowerId) -> tuple[Message, ...]:
    """Return the debts, earliest first, and the sum due in this campaign."""
    debts = debts_of(state, power)
    lines = [Message("receipt.debt", debt=debt_text(debt)) for debt in debts]
    if power in state.defaulted:
        lines.append(Message("receipt.no_credit"))
    due = owed([debt for debt in debts if not state.moment.campaign < debt.due])
    if due and state.moment.stage is Stage.CAMPAIGN:
        lines.append(Message("receipt.due_now", ducats=due))
    return tuple(lines)


def chit_lines(words: Words, state: View, power: PowerId) -> tuple[Message, ...]:
    """The assassination chits of a power (ASN-01)."""
    held = dict(Counter(state.chits.get(power, ())))
    others = [other for other in words.world.in_play if other != power]
    if others and held == dict.fromkeys(others, 1):
        return (Message("receipt.chit_on_each"),)
    names = tuple(
        phrase("{} ({})", words.power(one), str(n)) if n > 1 else words.power(one)
        for one, n in held.items()
    )
    return (Message("receipt.chits", names=names),) if names else ()
