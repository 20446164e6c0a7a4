"""A map file of the old judge as it stands: its lines in parts, nothing looked up yet."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from machjudge.atlas.faults import BrokenMap, FileFault
from machjudge.atlas.sheet import read_text

END = "-1"
COMMENT = "#"
NOBODYS, LAND, WATER, ICE, CONVOYABLE = "xlwvc"
"""The marks of a place that is no power's home; the last two are of Diplomacy's variants."""
STRAIT = "cc"
WEAK = "mx"
"""The border over which units come with one support less, where Diplomacy's variants have one."""

_PLACE = re.compile(r"(?P<name>[^,]+),\s*(?P<marks>\S+)\s+(?P<names>.+)")
_MARKS = re.compile(
    r"(?P<mark>[A-Zxlwvc])(?P<canal>w?)(?:(?P<income>\d)(?P<city>[Ppf.])(?P<venice>V?))?"
)
_OTHER_MARKS = re.compile(r"(?P<mark>[rg\d])w?(?:\d[Ppf.]V?)?")
"""Powers as digits, and marks of other games, where ours have a letter."""
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
    """The letter of the power whose home it is, or one of the marks of nobody's places."""
    income: int | None
    """Ducats of the city; None where the file says nothing of cities, as for Diplomacy."""
    city: str
    """``P`` or ``p`` a port, ``f`` a fortified city, ``.`` neither; upper case is fortified."""
    venice: bool
    canal: bool
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OldBorder:
    """A line of the second part: what borders on a place, for armies, fleets or one coast."""

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
    """All of a file."""

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
    """What is wrong with the marks of a place."""
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


def read_old_file(file: Path) -> OldFile:
    """The parts of a file.  Raises BrokenMap with every line that is none."""
    return _OldLines(file).read()


class _OldLines:
    """Goes through the lines; what a line may be depends on the part it stands in."""

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
        """Nothing where a line begins another table, or else what is wrong with it."""
        return otherwise if ":" not in text or self._headed(text) else ""
