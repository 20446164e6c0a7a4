"""Read map files of the old judge, and write them from scenarios."""

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from machjudge.adjudicator.board import (
    Board,
    City,
    CityIncome,
    Place,
    Power,
    Scenario,
    Spot,
    Strait,
    Table,
    Terrain,
)
from machjudge.adjudicator.names import NO_COAST, Coast, PlaceId, PowerId
from machjudge.adjudicator.units import Quality
from machjudge.map_files.board import COASTS, EMPTY, FIRST, LAST, SECTIONS, plain_name
from machjudge.map_files.toml_reader import BrokenMap, FileFault, did_you_mean, read_text

END = "-1"
COMMENT = "#"
NOBODYS, LAND, WATER, ICE, CONVOYABLE = "xlwvc"
"""The marks of places outside homes; the last two are of Diplomacy's variants."""
STRAIT = "cc"
WEAK = "mx"
"""The border that costs a support, in Diplomacy's variants."""

_PLACE = re.compile(r"(?P<name>[^,]+),\s*(?P<marks>\S+)\s+(?P<names>.+)")
_MARKS = re.compile(
    r"(?P<mark>[A-Zxlwvc])(?P<canal>w?)(?:(?P<income>\d)(?P<city>[Ppf.])(?P<venice>V?))?"
)
_OTHER_MARKS = re.compile(r"(?P<mark>[rg\d])w?(?:\d[Ppf.]V?)?")
"""Powers as digits, and marks of other games."""
_BORDER = re.compile(r"(?P<place>\w+)-(?P<kind>[a-z]{2}):(?P<ends>.*)")
_ROW = re.compile(r"(?P<row>\d+):(?P<cells>.*)")
_ROLL = re.compile(
    r"(?P<city>\D.*?)\s+(?P<dice>\d+)(?P<ducats>(?:\s+\d+){6})(?:\s+(?P<first>\d+))?"
)
_LIMIT = re.compile(r"(?P<power>[A-Z])(?P<kinds>(?:\s+[x.br]{4}){3})")


@dataclass(frozen=True, slots=True)
class OldPlace:
    """A line of the first part: a place with its marks and abbreviations."""

    line: int
    name: str
    mark: str
    """The letter of the home's power, or a mark."""
    income: int | None
    """The city's ducats; None in files without cities, as for Diplomacy."""
    city: str
    """``P`` or ``p`` a port, ``f`` a fortified city, ``.`` neither; upper case is fortified."""
    venice: bool
    canal: bool
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OldBorder:
    """A line of the second part: a place's borders for armies, fleets or one coast."""

    line: int
    place: str
    kind: str
    ends: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OldRoll:
    """A variable income: the city, its dice, ducats for each side, and the opening treasury."""

    line: int
    city: str
    dice: int
    ducats: tuple[int, ...]
    first: int


@dataclass(slots=True)
class OldFile:
    """An old map file."""

    title: str = ""
    places: list[OldPlace] = field(default_factory=list)
    borders: list[OldBorder] = field(default_factory=list)
    tables: dict[str, list[tuple[int, int, tuple[str, ...]]]] = field(default_factory=dict)
    """For famine, plague and storm the rows: line, number, cells."""
    rolls: list[OldRoll] = field(default_factory=list)
    orders: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    """For cities and provinces the order of reports: line and word."""
    limits: list[tuple[int, str, tuple[str, ...]]] = field(default_factory=list)
    """Which units a power may have: line, letter, and a word for armies, fleets and garrisons."""


def _why_no_marks(marks: str) -> str:
    """Why the marks of a place are wrong."""
    other = _OTHER_MARKS.fullmatch(marks)
    if other is None:
        return (
            f"{marks!r} are no marks of a place: a letter, the city's ducats, and one of P p f ."
            " follow each other, as in V3PV"
        )
    mark = other["mark"]
    if mark.isdigit():
        return f"the power {mark!r} is a digit; powers are capital letters here: give it one"
    return (
        f"the mark {mark!r} is of another game; known are the letters of powers, x for a place of"
        " nobody's, l land, w water, v ice and c a coast where fleets convoy"
    )


class _OldLines:
    """Parses lines by the part in which they stand."""

    def __init__(self, file: Path) -> None:
        self._file = str(file)
        self._lines = read_text(file).splitlines()
        self._faults: list[FileFault] = []
        self._found = OldFile()
        self._number = 0
        self._part: Callable[[str], str] = self._place
        self._following: list[Callable[[str], str]] = [self._border, self._headed]
        self._table = ""

    def read(self) -> OldFile:
        for number, line in enumerate(self._lines, start=1):
            self._number = number
            text = line.strip()
            if text.startswith(COMMENT):
                self._found.title = self._found.title or text.strip("# ")
            elif text == END and self._following:
                self._part = self._following.pop(0)
            elif text and text != END:
                self._note(self._part(text))
        if self._following:
            self._note(f"a line {END} ends the places, and one the borders; here is none")
        if self._faults:
            raise BrokenMap(self._faults)
        return self._found

    def _note(self, says: str) -> None:
        if says:
            self._faults.append(FileFault(self._file, self._number, "", says))

    def _place(self, text: str) -> str:
        match = _PLACE.fullmatch(text)
        if match is None:
            return "a place is written: Ancona,  P1P  anc ancon"
        marks = _MARKS.fullmatch(match["marks"])
        if marks is None:
            return _why_no_marks(match["marks"])
        income = marks["income"]
        place = OldPlace(
            line=self._number,
            name=match["name"].strip(),
            mark=marks["mark"],
            income=int(income) if income else None,
            city=marks["city"] or ".",
            venice=bool(marks["venice"]),
            canal=bool(marks["canal"]),
            names=tuple(dict.fromkeys(match["names"].casefold().split())),
        )
        self._found.places.append(place)
        return ""

    def _border(self, text: str) -> str:
        match = _BORDER.fullmatch(text)
        if match is None:
            return "a border is written: alb-mv: rag her dur"
        ends = tuple(match["ends"].casefold().split())
        self._found.borders.append(OldBorder(self._number, match["place"], match["kind"], ends))
        return ""

    def _headed(self, text: str) -> str:
        for head, (table, part) in self._parts().items():
            if text.casefold().startswith(head):
                self._table, self._part = table, part
                return ""
        return "this table is not known"

    def _parts(self) -> Mapping[str, tuple[str, Callable[[str], str]]]:
        return {
            "famine": ("famine", self._row),
            "plague": ("plague", self._row),
            "storm": ("storm", self._row),
            "variable income": ("", self._roll),
            "ownership": ("cities", self._listed),
            "center": ("provinces", self._listed),
            "limits": ("", self._limit),
        }

    def _row(self, text: str) -> str:
        match = _ROW.fullmatch(text)
        if match is None:
            return self._other(text, "a row of a table is its number, a colon and eleven cells")
        cells = tuple(match["cells"].casefold().split())
        self._found.tables.setdefault(self._table, []).append(
            (self._number, int(match["row"]), cells)
        )
        return ""

    def _roll(self, text: str) -> str:
        match = _ROLL.fullmatch(text)
        if match is None:
            return self._other(text, "an income is a city, its dice and six numbers of ducats")
        ducats = tuple(int(word) for word in match["ducats"].split())
        first = int(match["first"] or 0)
        self._found.rolls.append(
            OldRoll(self._number, match["city"], int(match["dice"]), ducats, first)
        )
        return ""

    def _listed(self, text: str) -> str:
        if not self._other(text, "none"):
            return ""
        words = [(self._number, word) for word in text.casefold().split()]
        self._found.orders.setdefault(self._table, []).extend(words)
        return ""

    def _limit(self, text: str) -> str:
        match = _LIMIT.fullmatch(text)
        if match is None:
            return self._other(text, "a limit is a power's letter and three words such as x.xx")
        kinds = tuple(match["kinds"].split())
        self._found.limits.append((self._number, match["power"], kinds))
        return ""

    def _other(self, text: str, otherwise: str) -> str:
        """None where a line begins another table, or the fault."""
        return otherwise if ":" not in text or self._headed(text) else ""


_PER_LINE_TOMLTEXT = 20


def board_text(board: Board, remarks: Iterable[str] = ()) -> str:
    """Return a board file that reads as *board*, with remarks on top."""
    return _text([*_remarks(remarks), "[board]", f"title = {_quoted(board.title)}", *_parts(board)])


def scenario_text(
    title: str,
    board_id: str,
    powers: Iterable[Power],
    cities: Iterable[CityIncome],
    remarks: Iterable[str] = (),
) -> str:
    """Return a scenario file with powers without units, and remarks on top.

    It is refused until their units are written.
    """
    head = ["[scenario]", f"title = {_quoted(title)}", f'board = "{board_id}"', f"year  = {_YEAR}"]
    parts = [*_remarks(remarks), *head]
    for power in powers:
        parts += ["", f"[powers.{power.id}]", *_power_tomltext(power)]
    parts += _table("city_income", {each.city: _throw(each.line, each.dice) for each in cities})
    return _text(parts)


_YEAR = "1400 # of the first Spring; write the right one"


def _power_tomltext(power: Power) -> Iterator[str]:
    yield f"name      = {_quoted(power.name)}"
    yield f"adjective = {_quoted(power.adjective)}"
    yield f'home      = "{" ".join(power.home)}"'
    yield '# units   = "A ..., F ..., G ..." # write its set-up here'
    if power.income_line is not None:
        yield f"income    = {_throw(power.income_line, power.income_dice)}"
    if power.initial_ducats:
        yield f"ducats    = {power.initial_ducats}"
    if power.special is not None:
        yield f'special   = "{" ".join(kind.value for kind in power.special)}"'


def _throw(line: str, dice: int) -> str:
    return f'{{ line = "{line}", dice = {dice} }}'


def _parts(board: Board) -> Iterator[str]:
    for section, terrain in SECTIONS.items():
        places = [place for place in board.places.values() if place.terrain is terrain]
        yield from _table(section, {place.id: _place(place, board) for place in places})
    yield from _table("army", {place: _words(ends) for place, ends in board.army.items() if ends})
    fleet = {str(spot): _words(map(str, ends)) for spot, ends in board.fleet.items() if ends}
    yield from _table("fleet", fleet)
    for strait in board.straits:
        between = _words(strait.edge)
        yield from ("", "[[strait]]", f'guard   = "{strait.guard}"', f"between = {between}")
    for name, table in {
        "famine": board.famine,
        "plague": board.plague,
        "storm": board.storm,
    }.items():
        yield from _disaster(name, table)
    lines = {line: str([*ducats]) for line, ducats in board.income_lines.items()}
    yield from _table("income", lines)
    orders = {"provinces": board.province_order, "cities": board.city_order}
    if any(orders.values()):
        yield from ("", "[report]")
    for key, order in orders.items():
        if order:
            yield from (f'{key} = """', *_lines(order), '"""')


def _place(place: Place, board: Board) -> str:
    facts = {"name": _quoted(place.name)}
    city = place.city
    if city is not None:
        kind = "fortress" if city.fortress else "fortified" if city.fortified else "unfortified"
        facts["city"] = _quoted(kind)
        if city.port:
            facts["port"] = "true"
        if city.income != (0 if city.fortress else 1):
            facts["income"] = str(city.income)
    if place.coasts:
        facts["coasts"] = _quoted(" ".join(place.coasts))
    for key, is_so in (("venice", place.venice), ("impassable", board.is_impassable(place.id))):
        if is_so:
            facts[key] = "true"
    if place.aliases:
        facts["also"] = json.dumps([*place.aliases], ensure_ascii=False)
    return f"{{ {', '.join(f'{key} = {value}' for key, value in facts.items())} }}"


def _disaster(name: str, table: Table) -> Iterator[str]:
    columns = range(FIRST, LAST + 1)
    width = max((len(place) for place in table.values()), default=1)
    rows = {}
    for row in sorted({row for row, _ in table}):
        cells = " ".join(f"{table.get((row, column), EMPTY):<{width}}" for column in columns)
        rows[str(row)] = _quoted(cells.rstrip())
    yield from _table(name, rows)


def _table(name: str, lines: Mapping[str, str]) -> Iterator[str]:
    if lines:
        yield from ("", f"[{name}]")
    width = max(map(len, map(_key, lines)), default=0)
    for key, value in lines.items():
        yield f"{_key(key):<{width}} = {value}"


def _key(name: str) -> str:
    """A key, in quotation marks if needed."""
    return name if name.isalnum() and name.isascii() else _quoted(name)


def _words(names: Iterable[str]) -> str:
    return f'"{" ".join(sorted(names))}"'


def _lines(places: tuple[PlaceId, ...]) -> Iterator[str]:
    for start in range(0, len(places), _PER_LINE_TOMLTEXT):
        yield f"  {' '.join(places[start : start + _PER_LINE_TOMLTEXT])}"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _remarks(remarks: Iterable[str]) -> Iterator[str]:
    for remark in remarks:
        yield f"# {remark}"


def _text(lines: Iterable[str]) -> str:
    return "\n".join(lines) + "\n"


_ARMY_KINDS = ("mv", WEAK)


class Gazetteer:
    """The places by abbreviation; unknown ones are noted with their line."""

    def __init__(self, old: OldFile, file: str) -> None:
        self._file = file
        self.faults: list[FileFault] = []
        """The faults, with lines of the old file."""
        self._exact: dict[str, PlaceId] = {}
        self._names: dict[str, PlaceId] = {}
        self.old: dict[PlaceId, OldPlace] = {}
        """The lines of the places, by our abbreviations."""
        for place in old.places:
            if not (
                not place.name.strip("X")
                and all(
                    {*border.ends} <= {*place.names}
                    for border in old.borders
                    if border.place in place.names
                )
            ):
                self._add(place)
        coasts, closed = self._coasts(old), self._closed(old)
        afloat = {self._exact.get(b.place) for b in old.borders if b.kind not in _ARMY_KINDS}
        self.places: dict[PlaceId, Place] = {
            name: self._place(name, place, coasts.get(name, ()), by_sea=name in afloat - closed)
            for name, place in self.old.items()
        }
        """Our places, in the file's order."""

    def note(self, line: int, says: str) -> None:
        """Note a fault of a line."""
        self.faults.append(FileFault(self._file, line, "", says))

    def find(self, line: int, word: str) -> PlaceId | None:
        """Return the place of an abbreviation, a name, or the beginning of one name."""
        name = plain_name(word)
        place = self._exact.get(word) or self._names.get(name)
        if place is not None:
            return place
        near = {place for full, place in self._names.items() if name and full.startswith(name)}
        if len(near) == 1:
            return near.pop()
        if near:
            self.note(line, f"{word!r} may be {' or '.join(sorted(near))}: write one of these")
        else:
            self.note(line, f"there is no place {word!r}{did_you_mean(word, self._exact)}")
        return None

    def found(self, line: int, words: Iterable[str]) -> list[PlaceId]:
        """Return the known places among words."""
        return [place for word in words if (place := self.find(line, word)) is not None]

    def _add(self, place: OldPlace) -> None:
        for name in place.names:
            if name in self._exact:
                self.note(place.line, f"{name!r} stands for {self._exact[name]} already")
            self._exact.setdefault(name, PlaceId(place.names[0]))
        self._names.setdefault(plain_name(place.name), PlaceId(place.names[0]))
        self.old.setdefault(PlaceId(place.names[0]), place)

    def _coasts(self, old: OldFile) -> dict[PlaceId, tuple[Coast, ...]]:
        named: dict[PlaceId, dict[Coast, None]] = {}
        for border in old.borders:
            if border.kind in COASTS and border.place in self._exact:
                named.setdefault(self._exact[border.place], {})[Coast(border.kind)] = None
        return {place: tuple(coasts) for place, coasts in named.items()}

    def _closed(self, old: OldFile) -> set[PlaceId | None]:
        """Places that border on themselves alone, and so are closed."""
        ends: dict[PlaceId | None, set[str]] = {}
        for border in old.borders:
            ends.setdefault(self._exact.get(border.place), set()).update(border.ends)
        return {
            place
            for place, words in ends.items()
            if place is not None and words <= {*self.old[place].names}
        }

    def _place(
        self, name: PlaceId, place: OldPlace, coasts: tuple[Coast, ...], *, by_sea: bool
    ) -> Place:
        land = Terrain.COASTAL if by_sea else Terrain.INLAND
        return Place(
            id=name,
            name=place.name,
            terrain=Terrain.SEA if place.mark == WATER else land,
            aliases=place.names[1:],
            city=self._city(place),
            coasts=coasts,
            venice=place.venice,
        )

    def _city(self, place: OldPlace) -> City | None:
        if place.income is None:
            return City(1, fortified=False, port=False) if place.mark not in (LAND, WATER) else None
        if place.city == ".":
            return City(place.income, fortified=False, port=False) if place.income else None
        if place.mark == WATER:
            self.note(place.line, "a sea has no city: its marks are w0.")
        if place.income == 0 and place.city == "p":
            self.note(place.line, "a fortress is marked 0f, or 0P with a port")
        port = place.city in "Pp"
        return City(place.income, place.city != "p", port, fortress=place.income == 0)

    def spot(self, line: int, word: str) -> tuple[PlaceId, Coast] | None:
        """Return place and coast of ``pro/nc``; a strait's ``/cc`` is no coast."""
        name, _, coast = word.partition("/")
        place = self.find(line, name)
        if place is None:
            return None
        coast = "" if coast in (STRAIT, WEAK) else coast
        coasts = self.places[place].coasts
        if coasts and not coast:
            choices = " or ".join(f"{name}/{each}" for each in coasts)
            self.note(line, f"{name} has several coasts: write {choices}")
        elif coast and coast not in coasts:
            self.note(line, f"{name} has no coast {coast!r}")
        else:
            return place, Coast(coast) if coast else NO_COAST
        return None


SPECIAL = (Quality.MILITIA, Quality.MERCENARY, Quality.PROFESSIONAL)
"""The special kinds in the order of a limit."""


@dataclass(slots=True)
class States:
    """The powers of an old map file, and the lines for their dice."""

    powers: dict[PowerId, Power]
    lines: dict[str, tuple[int, ...]] = field(default_factory=dict)
    city_incomes: tuple[CityIncome, ...] = ()
    remarks: list[str] = field(default_factory=list)


def read_powers(old: OldFile, places: Gazetteer) -> States:
    """Return the powers without names and units; faults are noted in *places*.

    The old judge throws for cities: the first one of a home country is here its power's, any other
    one the city's.
    """
    homes: dict[PowerId, list[PlaceId]] = {}
    for name, place in places.old.items():
        if place.mark.isupper():
            homes.setdefault(PowerId(place.mark), []).append(name)
    states = States({letter: _power(letter, home, places) for letter, home in homes.items()})
    _read_rolls(old, places, states)
    _read_limits(old, states)
    return states


def line_of(name: str) -> str:
    """Return a city's name for a line of income: small letters, and blanks between words."""
    return " ".join("".join(c if "a" <= c <= "z" else " " for c in name.casefold()).split())


def _power(letter: PowerId, home: list[PlaceId], places: Gazetteer) -> Power:
    """A power, named after the greatest city of its home country."""
    cities = [(place.city.income, place.name) for h in home if (place := places.places[h]).city]
    greatest = max(cities, key=lambda city: city[0], default=(0, f"Power {letter}"))[1]
    return Power(letter, greatest, greatest, (), tuple(home), (), (), (), None, 0)


def _read_rolls(old: OldFile, places: Gazetteer, states: States) -> None:
    owners = {place: power.id for power in states.powers.values() for place in power.home}
    cities: list[CityIncome] = []
    for roll in old.rolls:
        city = places.find(roll.line, roll.city.casefold())
        if city is None:
            continue
        line = line_of(places.places[city].name)
        if states.lines.setdefault(line, roll.ducats) != roll.ducats:
            places.note(roll.line, f"{roll.city} has other ducats above")
        power = states.powers.get(owners.get(city, PowerId("")))
        if power is None or power.income_line is not None:
            cities.append(CityIncome(city, line, roll.dice))
        else:
            states.powers[power.id] = replace(
                power, income_line=line, income_dice=roll.dice, initial_ducats=roll.first
            )
    states.city_incomes = tuple(cities)


def _read_limits(old: OldFile, states: States) -> None:
    """The special kinds of each power; ours do not tell armies from fleets."""
    for _, letter, kinds in old.limits:
        power = states.powers.get(PowerId(letter))
        if power is None:
            continue
        allowed = (any(kind[at] != "." for kind in kinds) for at in range(1, len(SPECIAL) + 1))
        special = tuple(kind for kind, may in zip(SPECIAL, allowed, strict=True) if may)
        states.powers[power.id] = replace(power, special=special)
        if len({*kinds}) > 1 or {*kinds[0]} - {"x", "."} or kinds[0][0] != "x":
            says = f"{letter} may have {' '.join(kinds)} there; here a kind is allowed or not"
            states.remarks.append(says)


_DASH = "-"


@dataclass(frozen=True, slots=True)
class OldMap:
    """An old map file in our terms."""

    board: Board
    powers: Mapping[PowerId, Power]
    """By letter, named after a city: home, variable income, treasury, special kinds; no units."""
    city_incomes: tuple[CityIncome, ...]
    remarks: tuple[str, ...]
    """Guesses, and what was not converted."""


def read_old_map(file: Path, board_id: str) -> OldMap:
    """Return the board and powers of an old map file.  Raises BrokenMap with all faults."""
    old = _OldLines(file).read()
    places = Gazetteer(old, str(file))
    states = read_powers(old, places)
    reader = _BoardReader(old, places)
    board = reader.board(board_id, states.lines)
    if places.faults:
        raise BrokenMap(sorted(places.faults, key=lambda fault: fault.line or 0))
    remarks = (*reader.remarks, *states.remarks)
    return OldMap(board, states.powers, states.city_incomes, remarks)


class _BoardReader:
    """Looks up names; collects remarks, and faults in its gazetteer."""

    def __init__(self, old: OldFile, places: Gazetteer) -> None:
        self._old = old
        self._places = places
        self.remarks: list[str] = []

    def board(self, board_id: str, lines: Mapping[str, tuple[int, ...]]) -> Board:
        self._remark_marks()
        places = self._places.places
        army: dict[PlaceId, set[PlaceId]] = {
            place.id: set() for place in places.values() if place.terrain is not Terrain.SEA
        }
        fleet: dict[Spot, set[Spot]] = {
            Spot(place.id, coast): set()
            for place in places.values()
            if place.terrain is not Terrain.INLAND
            for coast in place.coasts or (NO_COAST,)
        }
        straits = self._read_borders(army, fleet)
        return Board(
            id=board_id,
            title=self._old.title or board_id,
            places=places,
            army={place: frozenset(ends) for place, ends in army.items()},
            fleet={spot: frozenset(ends) for spot, ends in fleet.items()},
            straits=tuple(strait for edge in straits for strait in self._guarded(edge, fleet)),
            famine=self._table("famine"),
            plague=self._table("plague"),
            storm=self._table("storm"),
            income_lines=lines,
            ambiguous={},
            province_order=self._order("provinces"),
            rules={},
            city_order=self._order("cities"),
        )

    def _remark_marks(self) -> None:
        for name, place in self._places.old.items():
            if place.mark in (ICE, CONVOYABLE):
                kind = "ice" if place.mark == ICE else "a coast where fleets convoy"
                self.remarks.append(f"{name} is {kind} there; here it is a province like others")
            if place.mark == LAND:
                says = "is marked l, land without an owner; it is nobody's here, and written as x"
                self.remarks.append(f"{name} {says}")
            if place.canal:
                self.remarks.append(f"{name} lets fleets pass as a canal there, and not here")

    def _read_borders(
        self, army: dict[PlaceId, set[PlaceId]], fleet: dict[Spot, set[Spot]]
    ) -> list[frozenset[PlaceId]]:
        """Add the borders; return the straits' edges."""
        straits: dict[frozenset[PlaceId], None] = {}
        filler = {name for place in self._old.places for name in place.names}
        filler -= {name for place in self._places.old.values() for name in place.names}
        for border in self._old.borders:
            here = None if border.place in filler else self._places.find(border.line, border.place)
            if here is None or all(end in self._places.old[here].names for end in border.ends):
                continue
            weak = [end for end in border.ends if end.endswith(f"/{WEAK}")]
            if border.kind == WEAK or weak:
                units = "armies" if border.kind in ("mv", WEAK) else "fleets"
                to = (
                    f" to {', '.join(end.removesuffix(f'/{WEAK}') for end in weak)}" if weak else ""
                )
                says = f"{units} come from {here}{to} with one support less there, and not here"
                self.remarks.append(says)
            if border.kind in ("mv", WEAK):
                ends_on_land = (end.removesuffix(f"/{WEAK}") for end in border.ends)
                army.setdefault(here, set()).update(self._places.found(border.line, ends_on_land))
            elif border.kind in COASTS or border.kind.startswith("x"):
                coast = Coast(border.kind) if border.kind in COASTS else NO_COAST
                ends = (self._places.spot(border.line, word) for word in border.ends)
                near = {Spot(*end) for end in ends if end is not None}
                fleet.setdefault(Spot(here, coast), set()).update(near)
            elif border.kind != STRAIT:
                says = f"{border.kind!r} is no kind of border: mv, xc, nc, sc, ec, wc, cc or mx"
                self._places.note(border.line, says)
                continue
            marked = [e for e in border.ends if border.kind == STRAIT or e.endswith(f"/{STRAIT}")]
            for end in self._places.found(border.line, (e.partition("/")[0] for e in marked)):
                straits[frozenset((here, end))] = None
        return list(straits)

    def _guarded(
        self, edge: frozenset[PlaceId], fleet: Mapping[Spot, set[Spot]]
    ) -> Iterator[Strait]:
        """The strait of an edge with a possible guard, which the file does not name."""
        between = " and ".join(sorted(edge))
        guards = possible_guards(edge, self._places.places, fleet)
        if not guards:
            self.remarks.append(f"nobody can guard the strait between {between}, so it is none")
            return
        if len(guards) > 1:
            others = " or ".join(guards[1:])
            says = f"{guards[0]} guards the strait between {between}; it might be {others}"
            self.remarks.append(says)
        yield Strait(edge, guards[0])

    def _table(self, kind: str) -> Table:
        table = {}
        width = LAST - FIRST + 1
        for line, row, cells in self._old.tables.get(kind, ()):
            if not FIRST <= row <= LAST or len(cells) != width:
                self._places.note(line, f"rows are {FIRST} to {LAST}, each with {width} cells")
            for column, word in enumerate(cells, start=FIRST):
                place = self._places.find(line, word) if word.strip(_DASH) else None
                if place is not None:
                    table[row, column] = place
        return table

    def _order(self, kind: str) -> tuple[PlaceId, ...]:
        found = (self._places.find(*each) for each in self._old.orders.get(kind, ()))
        return tuple(dict.fromkeys(place for place in found if place is not None))


def possible_guards(
    edge: frozenset[PlaceId],
    places: Mapping[PlaceId, Place],
    fleet: Mapping[Spot, Collection[Spot]],
) -> list[PlaceId]:
    """Return the provinces with fleet borders to both sides of a strait; the first is taken."""
    near: dict[PlaceId, set[PlaceId]] = {place: set() for place in places}
    for spot, ends in fleet.items():
        near[spot.place].update(end.place for end in ends)
    return [
        place
        for place, ends in near.items()
        if edge <= ends and places[place].terrain is Terrain.COASTAL
    ]


_MAX_DUCATS = 9
"""A city's income has one digit."""


def unsaid_of(scenario: Scenario) -> tuple[str, ...]:
    """Return what the old judge's file cannot say of the scenario."""
    return (*_ALWAYS, *(each for part in _PARTS for each in part(scenario)))


_ALWAYS = (
    "the title of the board, the year, names and order of powers, units, who holds what beyond"
    " home countries, autonomous units",
)


def _of_scenario(scenario: Scenario) -> Iterator[str]:
    if scenario.variants:
        yield "ways to play with another number of players"
    if scenario.notes:
        yield "remarks for readers"
    if scenario.preset or scenario.rules or scenario.board.rules or scenario.forts:
        yield "which rules are played"
    if scenario.neutral:
        names = _listed(scenario.board.places, scenario.neutral)
        yield f"provinces that nobody may enter, which are left out ({names})"


def _of_places(scenario: Scenario) -> Iterator[str]:
    places = scenario.board.places.values()
    lost = sorted(name for place in places for name in place.aliases if not name.isalnum())
    if lost:
        yield f"names of several words ({', '.join(lost)})"
    if scenario.board.ambiguous:
        yield f"abbreviations that are refused ({', '.join(scenario.board.ambiguous)})"
    for says, is_so in _OF_CITIES.items():
        found = [place.id for place in places if is_so(place)]
        if found:
            yield f"{says} ({', '.join(found)})"
    if any(place.city is not None and place.city.fortress for place in places):
        yield "in which order reports list fortresses among the cities, if the old judge minds"


_OF_CITIES: dict[str, Callable[[Place], object]] = {
    "a city in the water, as which no rule is known there": lambda place: place.afloat,
    "an anchor on some coasts only": lambda place: place.city and place.city.anchors,
    "a city that pays nothing, which becomes a fortress": lambda place: (
        place.city and not place.city.fortress and not place.city.income
    ),
    "a fortress that pays, which becomes a city": lambda place: (
        place.city and place.city.fortress and place.city.income
    ),
    f"an income above {_MAX_DUCATS} ducats": lambda place: (
        place.city and place.city.income > _MAX_DUCATS
    ),
}


def _of_straits(scenario: Scenario) -> Iterator[str]:
    board = scenario.board
    if board.patches:
        yield "borders that an option of the rules opens or closes"
    for strait in board.straits:
        name = "-".join(sorted(strait.edge))
        if any(board.places[place].coasts for place in strait.edge):
            yield f"the strait {name}, where a province has several coasts"
        elif possible_guards(strait.edge, board.places, board.fleet)[:1] != [strait.guard]:
            yield f"that {strait.guard} guards the strait {name}"
        if strait.option:
            yield f"that the strait {name} is there with {strait.option} only"


def _of_incomes(scenario: Scenario) -> Iterator[str]:
    for power in scenario.powers.values():
        yield from _of_power(power, scenario)
    owners = {home: power for power in scenario.powers.values() for home in power.home}
    for each in scenario.city_incomes:
        owner = owners.get(each.city)
        if owner is not None and owner.income_line is None:
            yield f"that the throw of {each.city} is not the throw of {owner.name}"
    used = {power.income_line for power in scenario.powers.values()}
    used |= {each.line for each in scenario.city_incomes}
    unused = sorted(scenario.board.income_lines.keys() - used)
    if unused:
        yield f"lines of income that nobody throws by ({', '.join(unused)})"
    yield "names of lines of income: a throw goes by its city"


def _of_power(power: Power, scenario: Scenario) -> Iterator[str]:
    cities = [home for home in power.home if scenario.board.places[home].city is not None]
    if power.income_line is not None and not {*cities} - {c.city for c in scenario.city_incomes}:
        yield f"the throw of {power.name}, which has no city for it"
    elif power.income_line is None and power.initial_ducats:
        yield f"the first ducats of {power.name}, which throws for no income"
    if power.papal:
        yield f"that {power.name} may excommunicate"
    if power.conquerable_only:
        yield f"that nobody plays {power.name}"
    if not power.home:
        yield f"that there is {power.name}, which has no home country"


_PARTS: tuple[Callable[[Scenario], Iterator[str]], ...] = (
    _of_scenario,
    _of_places,
    _of_straits,
    _of_incomes,
)


def _listed(places: Iterable[PlaceId], some: frozenset[PlaceId]) -> str:
    return ", ".join(place for place in places if place in some)


_NAME_WIDTH, _CELL_WIDTH, _CITY_WIDTH, _PER_LINE = 24, 5, 15, 16
_EMPTY = "-" * _CELL_WIDTH


@dataclass(frozen=True, slots=True)
class OldText:
    """An old map file, and what it lacks of the scenario."""

    text: str
    unsaid: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OldRow:
    """A line of the table of incomes."""

    city: PlaceId
    line: str
    dice: int
    first: int
    """The opening treasury."""


def write_old_map(scenario: Scenario) -> OldText:
    """Return a scenario's map file, without closed provinces."""
    writer = _Writer(scenario)
    unsaid = unsaid_of(scenario)
    head = [f"# {scenario.title}", *(f"# Not said below: {each}." for each in unsaid)]
    lines = (line.rstrip() for line in (*head, *writer.lines()))
    return OldText("\n".join(lines) + "\n", unsaid)


class _Writer:
    def __init__(self, scenario: Scenario) -> None:
        self._scenario = scenario
        self._board = scenario.board
        self._left_out = scenario.neutral
        self._places = [p for p in self._board.places.values() if p.id not in self._left_out]
        self._owners: Mapping[PlaceId, PowerId] = {
            place: power.id for power in scenario.powers.values() for place in power.home
        }
        self._straits = {
            strait.edge
            for strait in self._board.straits
            if not any(self._board.places[place].coasts for place in strait.edge)
        }

    def lines(self) -> Iterator[str]:
        yield from map(self._place, self._places)
        yield END
        for place in self._places:
            yield from self._borders(place)
        yield END
        yield from self._table("Famine", self._board.famine)
        yield from self._table("Plague", self._board.plague)
        yield from self._incomes()
        yield from self._listed("Ownership (city) ordering:", self._board.city_order)
        yield from self._listed(
            "Center (province) order for summary report:", self._board.province_order
        )
        yield from self._table("Storms", self._board.storm)
        yield from self._limits()
        yield END

    def _place(self, place: Place) -> str:
        names = (place.id, *(name for name in place.aliases if name.isalnum()))
        marks = WATER + "0." if place.is_sea else f"{self._mark(place)}{_city(place.city)}"
        venice = "V" if place.venice or place.afloat else ""
        return f"{place.name + ',':<{_NAME_WIDTH}} {marks + venice:<5} {' '.join(names)}"

    def _mark(self, place: Place) -> str:
        return self._owners.get(place.id) or (NOBODYS if self._near(place) else LAND)

    def _near(self, place: Place) -> bool:
        return bool(self._board.army.get(place.id)) or any(
            self._board.fleet[spot] for spot in self._board.spots(place.id)
        )

    def _borders(self, place: Place) -> Iterator[str]:
        if not self._near(place):
            yield f"{place.id}-mv: {place.id}"
        if army := sorted(self._board.army.get(place.id, frozenset()) - self._left_out):
            yield f"{place.id}-mv: {' '.join(army)}"
        closed = [end for edge in self._straits if place.id in edge for end in edge - {place.id}]
        for spot in self._board.spots(place.id):
            near = sorted(self._board.fleet[spot])
            ends = [end for end in near if end.place not in self._left_out]
            if ends:
                words = " ".join(_end(end, closed) for end in ends)
                yield f"{place.id}-{spot.coast or 'xc'}: {words}"
        if closed:
            yield f"{place.id}-{STRAIT}: {' '.join(sorted(closed))}"

    def _table(self, title: str, table: Table) -> Iterator[str]:
        columns = range(FIRST, LAST + 1)
        yield ""
        yield f"{title + ':':<9}" + " ".join(f"{column:<{_CELL_WIDTH}}" for column in columns)
        for row in columns:
            found = (table.get((row, column)) for column in columns)
            cells = (_EMPTY if p is None or p in self._left_out else p for p in found)
            yield f"{row:>6}:  " + " ".join(f"{cell:<{_CELL_WIDTH}}" for cell in cells)

    def _incomes(self) -> Iterator[str]:
        rows = income_rows(self._scenario)
        yield ""
        yield f"Variable Income:  {'City':<{_CITY_WIDTH}} dice   1  2  3  4  5  6 Initial"
        for row in rows:
            name = self._board.places[row.city].name
            ducats = " ".join(f"{each:>2}" for each in self._board.income_lines[row.line])
            yield f"{'':18}{name:<{_CITY_WIDTH}} {row.dice:>4}  {ducats} {row.first:>4}"
        yield "# End of Variable Income."

    def _listed(self, title: str, places: Iterable[PlaceId]) -> Iterator[str]:
        names = [place for place in places if place not in self._left_out]
        yield ""
        yield title
        for start in range(0, len(names), _PER_LINE):
            yield f"   {' '.join(names[start : start + _PER_LINE])}"
        yield "# End of the order."

    def _limits(self) -> Iterator[str]:
        powers = [p for p in self._scenario.powers.values() if p.special is not None]
        if powers:
            yield ""
            yield "Limits for Units Types:"
        for power in powers:
            kinds = "".join("x" if kind in (power.special or ()) else "." for kind in SPECIAL)
            yield f"   {power.id} " + " ".join([f"x{kinds}"] * 3)


def income_rows(scenario: Scenario) -> list[OldRow]:
    """Return the income throws by city, those of powers first."""
    rows = [
        OldRow(city, power.income_line, power.income_dice, power.initial_ducats)
        for power in scenario.powers.values()
        if power.income_line is not None and (city := _throwing(power, scenario)) is not None
    ]
    return rows + [OldRow(each.city, each.line, each.dice, 0) for each in scenario.city_incomes]


def _throwing(power: Power, scenario: Scenario) -> PlaceId | None:
    """The city of a power's throw: its line's, or its greatest."""
    own = {each.city for each in scenario.city_incomes}
    cities = [
        (line_of(place.name) == power.income_line, place.city.income, place.id)
        for home in power.home
        if home not in own and (place := scenario.board.places[home]).city is not None
    ]
    return max(cities, key=lambda city: city[:2], default=(False, 0, None))[2]


def _city(city: City | None) -> str:
    if city is None:
        return "0."
    kind = ("P" if city.fortified else "p") if city.port else "f" if city.fortified else "."
    return f"{min(city.income, 9)}{kind}"


def _end(end: Spot, closed: list[PlaceId]) -> str:
    if end.place in closed and end.coast == NO_COAST:
        return f"{end.place}/{STRAIT}"
    return str(end)
