"""The powers of a scenario file: names, home countries, set-up, and what they control."""

import re
from collections.abc import Iterable, Mapping

from machjudge.adjudicator.model.board import Board
from machjudge.adjudicator.model.names import PlaceId, PowerId
from machjudge.adjudicator.model.scenario import Power
from machjudge.adjudicator.model.units import Quality, Unit
from machjudge.adjudicator.model.world import FOR_ALL
from machjudge.atlas.control import ControlClaim, read_claim, settle_control
from machjudge.atlas.places import find_provinces, plain_name
from machjudge.atlas.setup import read_units
from machjudge.atlas.sheet import FileTable, did_you_mean

RESERVED = {"M": "the master", "O": "an observer"}
MOST_DICE = 9
MOST_DUCATS = 999

_LETTER = re.compile(r"[A-Z]")


def read_powers(
    file: FileTable, board: Board, autonomous: tuple[Unit, ...], *, forts: bool
) -> Mapping[PowerId, Power]:
    """The powers in the order of the file, with what they control at the start."""
    group = file.sheet("powers")
    powers: dict[PowerId, Power] = {}
    claims: dict[PowerId, ControlClaim] = {}
    for key in group.all_keys():
        sheet, letter = group.sheet(key), PowerId(key)
        note_letter(group, key, key)
        powers[letter] = read_power(sheet, letter, board, forts=forts)
        claims[letter] = read_claim(sheet, board.places)
        sheet.close()
    if not powers:
        file.note("powers", "a scenario needs powers, such as [powers.V]")
    note_same_names(group, powers.values())
    note_shared_homes(group, powers.values())
    return settle_control(group, powers, claims, autonomous, board)


def note_letter(sheet: FileTable, key: str, letter: str) -> None:
    """Note a letter by which no power can be known."""
    if not _LETTER.fullmatch(letter):
        sheet.note(key, "a power is known by one letter A-Z")
    elif letter in RESERVED:
        sheet.note(key, f"the letter {letter} is kept for {RESERVED[letter]}")


def read_power(sheet: FileTable, letter: PowerId, board: Board, *, forts: bool) -> Power:
    """One power, except for what it controls; ``control`` settles that between the powers."""
    line, dice = read_roll(sheet.sheet("income"), board) if sheet.has("income") else (None, 0)
    power = Power(
        id=letter,
        name=sheet.text("name"),
        adjective=sheet.text("adjective"),
        aliases=sheet.texts("also"),
        home=find_provinces(sheet, "home", board.places),
        provinces=(),
        cities=(),
        units=read_units(sheet, "units", letter, board, forts=forts),
        income_line=line,
        income_dice=dice,
        initial_ducats=sheet.whole("ducats", 0, most=MOST_DUCATS),
        special=_read_special(sheet) if sheet.has("special") else None,
        papal=sheet.flag("papal"),
        conquerable_only=sheet.flag("conquerable_only"),
    )
    _note_idle(sheet, power)
    if power.home and not any(board.places[place].city for place in power.home):
        sheet.note("home", "none of these provinces has a city, and without one a power is out")
    return power


def _read_special(sheet: FileTable) -> tuple[Quality, ...]:
    """The kinds of special units that a power may have, such as ``"cm em"`` (SET-20)."""
    kinds = {quality.value: quality for quality in Quality if quality not in FOR_ALL}
    for word in sheet.words("special"):
        if word not in kinds:
            sheet.note("special", f"{word!r} is no special kind; they are cm, em and ep")
    return tuple(kind for word, kind in kinds.items() if word in sheet.words("special"))


def read_roll(sheet: FileTable, board: Board) -> tuple[str, int]:
    """A roll of variable income: its line, and how many dice (INC-10)."""
    line = sheet.text("line")
    dice = sheet.whole("dice", 1, least=1, most=MOST_DICE)
    if line and line not in board.income_lines:
        near = did_you_mean(line, board.income_lines)
        sheet.note("line", f"there is no income line {line!r}{near}")
    sheet.close()
    return line, dice


def _note_idle(sheet: FileTable, power: Power) -> None:
    if power.conquerable_only:
        if power.units:
            sheet.note("units", "a power that nobody plays has no units")
        if not power.home:
            sheet.note("home", "a power that nobody plays needs a home country to be conquered")
    elif not power.units:
        sheet.findings.note(
            sheet.where, "no units; if nobody plays this power, say conquerable_only = true"
        )


def note_same_names(group: FileTable, powers: Iterable[Power]) -> None:
    """Note every name or adjective that stands for two powers."""
    taken: dict[str, PowerId] = {}
    for power in powers:
        for name in (power.name, power.adjective, *power.aliases):
            if not plain_name(name):
                continue
            other = taken.setdefault(plain_name(name), power.id)
            if other != power.id:
                group.note(power.id, f"{name!r} is a name of {other} too")


def note_shared_homes(group: FileTable, powers: Iterable[Power]) -> None:
    """Note every province that belongs to two home countries (HOM-01)."""
    owners: dict[PlaceId, PowerId] = {}
    for power in powers:
        for place in power.home:
            other = owners.setdefault(place, power.id)
            if other != power.id:
                group.note(f"{power.id}.home", f"{place} belongs to the home country of {other}")
