"""Boards and powers as the text of our own files, for what was read from another judge's."""

import json
from collections.abc import Iterable, Iterator, Mapping

from machjudge.adjudicator.model.board import Board, Place, Table
from machjudge.adjudicator.model.names import PlaceId
from machjudge.adjudicator.model.scenario import CityIncome, Power
from machjudge.atlas.places import SECTIONS
from machjudge.atlas.tables import EMPTY, FIRST, LAST

_PER_LINE = 20


def board_text(board: Board, remarks: Iterable[str] = ()) -> str:
    """A board file that is read as *board*, with remarks on top."""
    return _text([*_remarks(remarks), "[board]", f"title = {_quoted(board.title)}", *_parts(board)])


def scenario_text(
    title: str,
    board_id: str,
    powers: Iterable[Power],
    cities: Iterable[CityIncome],
    remarks: Iterable[str] = (),
) -> str:
    """A scenario file with powers that have no units yet, and with remarks on top.

    Until somebody writes them the file is refused, each power by its name.
    """
    head = ["[scenario]", f"title = {_quoted(title)}", f'board = "{board_id}"', f"year  = {_YEAR}"]
    parts = [*_remarks(remarks), *head]
    for power in powers:
        parts += ["", f"[powers.{power.id}]", *_power(power)]
    parts += _table("city_income", {each.city: _throw(each.line, each.dice) for each in cities})
    return _text(parts)


_YEAR = "1400 # of the first Spring; write the right one"


def _power(power: Power) -> Iterator[str]:
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
    for name, table in _disasters(board).items():
        yield from _disaster(name, table)
    lines = {line: str([*ducats]) for line, ducats in board.income_lines.items()}
    yield from _table("income", lines)
    orders = {"provinces": board.province_order, "cities": board.city_order}
    if any(orders.values()):
        yield from ("", "[report]")
    for key, order in orders.items():
        if order:
            yield from (f'{key} = """', *_lines(order), '"""')


def _disasters(board: Board) -> Mapping[str, Table]:
    return {"famine": board.famine, "plague": board.plague, "storm": board.storm}


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
    """A table with its lines, one below the other; nothing where it has none."""
    if lines:
        yield from ("", f"[{name}]")
    width = max(map(len, map(_key, lines)), default=0)
    for key, value in lines.items():
        yield f"{_key(key):<{width}} = {value}"


def _key(name: str) -> str:
    """A key; of letters and digits alone it needs no quotation marks."""
    return name if name.isalnum() and name.isascii() else _quoted(name)


def _words(names: Iterable[str]) -> str:
    return f'"{" ".join(sorted(names))}"'


def _lines(places: tuple[PlaceId, ...]) -> Iterator[str]:
    for start in range(0, len(places), _PER_LINE):
        yield f"  {' '.join(places[start : start + _PER_LINE])}"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _remarks(remarks: Iterable[str]) -> Iterator[str]:
    for remark in remarks:
        yield f"# {remark}"


def _text(lines: Iterable[str]) -> str:
    return "\n".join(lines) + "\n"
