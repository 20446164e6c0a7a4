"""Reads cases: one ruling each, as data, with the outcome that it has and the one it prevents.

A file of ``cases/`` is a list of tables ``[[case]]``.  Each has ``rule`` (a number of the
catalogue, or several), ``title``, a sentence that states the expectation, a position, orders as
players write them, ``outcome``, and ``without``: the outcome if that rule did not exist, or were
read as people often misread it.  Both name the same things, and differ.

Where a case says nothing else it is played in the scenario 1454, in Spring 1455, by the judge
rules without money and without dice, so that positions stay small: no income, no famine, no
upkeep.  ``rules`` is as ``machjudge adjudicate`` reads it; what is set for one of the judge's own
presets comes on top of that, and other presets are taken as they are; one that cannot be named
yet is played option by option.

A position has the fields of ``machjudge adjudicate``, with three comforts: ``dislodged`` is a table
of units with their ways out, ``city`` among them where the unit may enter the city of its
province; ``changed_provinces``, ``changed_cities`` and ``changed_homes`` change single owners as
the scenario starts, and ``changed_places`` province and city both; an empty owner is nobody.

``option`` names one option and its value: it is set on top of ``rules``, and ``without`` is then
what comes of the position with that option as the preset has it, which the tests play too.

An outcome names parts of the position after: lists as a whole, tables (provinces, cities, homes,
treasury, chits) only where it says something.  ``marks`` are the marks of an order (power and
line), none if it succeeded; ``refused`` the lines that are not taken; ``victory`` who has won.

``reasons`` says of lines why they were not carried out, as the results of ``machjudge adjudicate``
do; fields that do not matter may be left out.

Where orders wait for each other so that only a tie-break decides, the case names it: ``ties``.
"""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.adjudicator.numbers import RULES
from tests.adjudicator.playing import ATLAS, Outcome

FOLDER = Path(__file__).parent / "cases"

_ABOUT = {"rule", "title", "source"}
_SETTING = {
    "scenario",
    "rules",
    "option",
    "orders",
    "dice",
    "outcome",
    "reasons",
    "ties",
    "without",
}
_PLAIN = {
    "phase", "units", "provinces", "cities", "homes", "famine", "rebellion", "city_rebellion",
    "sieges", "treasury", "loans", "defaulted", "chits", "eliminated", "since",
    "memory",
}  # fmt: skip
_CHANGED = {
    "changed_provinces": ("provinces",),
    "changed_cities": ("cities",),
    "changed_homes": ("homes",),
    "changed_places": ("provinces", "cities"),
}
_KEYS = _ABOUT | _SETTING | _PLAIN | _CHANGED.keys() | {"dislodged"}

_LISTS = {
    "units", "famine", "rebellion", "city_rebellion", "sieges", "loans", "defaulted", "eliminated",
}  # fmt: skip
_OWNERS = {"provinces", "cities", "homes", "treasury", "chits"}
_OUTCOMES = _LISTS | _OWNERS | {"phase", "dislodged", "marks", "refused", "victory", "memory"}

_PLACES = {"notation": "judge"}
"""Units have numbers only in the cases that are about them."""
_SMALL = {"money": False, "dice": False}
"""What cases leave out unless they say otherwise."""


class BadCase(Exception):
    """A case that does not say what it has to; the text says which and why."""


@dataclass(frozen=True)
class Case:
    """One case: what to play, and what comes of it."""

    name: str
    """The file and the title."""
    rules: tuple[str, ...]
    """The numbers that it stands for."""
    question: Mapping[str, Any]
    """What ``machjudge adjudicate`` is asked."""
    outcome: Mapping[str, Any]
    without: Mapping[str, Any]
    reasons: Mapping[str, Mapping[str, Any]]
    """Power and line -> the fields of the reason that matter."""
    ties: tuple[str, ...]
    """The tie-breaks that decide something here: hardly ever one."""
    option: Mapping[str, Any]
    """The option that the case is about, with its value; empty if it is about none."""
    neutral: Mapping[str, Any]
    """The question with that option as the preset has it."""


def all_cases() -> Iterator[Case]:
    """The cases of all files.  Raises BadCase."""
    for file in sorted(FOLDER.glob("*.toml")):
        yield from cases_of(file)


def cases_of(file: Path) -> Iterator[Case]:
    """The cases of one file.  Raises BadCase."""
    tables = tomllib.loads(file.read_text(encoding="utf-8"))
    if set(tables) != {"case"}:
        msg = f"{file.name}: has something else than cases"
        raise BadCase(msg)
    titles = set()
    for table in tables["case"]:
        case = read_case(file.stem, table)
        if case.name in titles:
            msg = f"{case.name}: stands there twice"
            raise BadCase(msg)
        titles.add(case.name)
        yield case


def read_case(file: str, table: Mapping[str, Any]) -> Case:
    """The case of one table.  Raises BadCase."""
    name = f"{file}: {table.get('title', table.get('rule'))}"
    try:
        return _read(name, table)
    except KeyError as missing:
        msg = f"{name}: {missing} is missing"
        raise BadCase(msg) from missing


def _read(name: str, table: Mapping[str, Any]) -> Case:
    _known(name, table, _KEYS)
    rules = (table["rule"],) if isinstance(table["rule"], str) else tuple(table["rule"])
    _known(name, rules, RULES)
    _sentence(name, table["title"])
    outcome, without = (_outcome(name, table[key]) for key in ("outcome", "without"))
    _differ(name, outcome, without)
    reasons, ties = table.get("reasons", {}), tuple(table.get("ties", ()))
    option = table.get("option", {})
    neutral = _question(name, table)
    question = {**neutral, "rules": _with_option(neutral["rules"], option)}
    return Case(name, rules, question, outcome, without, reasons, ties, option, neutral)


def _known(name: str, words: Mapping[str, Any] | Sequence[str], known: Any) -> None:
    unknown = sorted(set(words) - set(known))
    if unknown or not words:
        msg = f"{name}: does not know {', '.join(unknown) or 'nothing'}"
        raise BadCase(msg)


def _sentence(name: str, title: str) -> None:
    if len(title.split()) < 3 or title.endswith("."):
        msg = f"{name}: the title is no sentence, or has a full stop"
        raise BadCase(msg)


# --- what to play ----------------------------------------------------------------------------


def _question(name: str, table: Mapping[str, Any]) -> dict[str, Any]:
    scenario = ATLAS.scenario(table.get("scenario", "1454"))
    if scenario is None:
        msg = f"{name}: there is no such scenario"
        raise BadCase(msg)
    question = {
        "id": name,
        "board": scenario.board.id,
        "scenario": scenario.id,
        "rules": _rules(table.get("rules", {})),
        "position": _position(table, scenario.powers),
        "orders": table.get("orders", {}),
    }
    return question | {key: table[key] for key in ("dice",) if key in table}


def _rules(said: Mapping[str, Any]) -> dict[str, Any]:
    preset = said.get("preset", "judge")
    small = _SMALL if preset.startswith("judge") else {}
    return {"preset": preset, "set": {**_PLACES, **small, **said.get("set", {})}}


def _with_option(rules: Mapping[str, Any], option: Mapping[str, Any]) -> dict[str, Any]:
    return {**rules, "set": {**rules["set"], **option}}


def _position(table: Mapping[str, Any], powers: Mapping[Any, Any]) -> dict[str, Any]:
    position = {"phase": "S1455M", **{key: table[key] for key in _PLAIN if key in table}}
    if "dislodged" in table:
        position["dislodged"] = [
            {
                "unit": unit,
                "retreats": [way for way in ways if way != "city"],
                "convert": "city" in ways,
            }
            for unit, ways in table["dislodged"].items()
        ]
    for key, fields in _CHANGED.items():
        for field in fields if key in table else ():
            before = position.get(field) or _started(powers, field)
            changed = before | table[key]
            nobody = {"", *table.get("eliminated", ())}
            position[field] = {place: o for place, o in changed.items() if o not in nobody}
    return position


def _started(powers: Mapping[Any, Any], field: str) -> dict[str, str]:
    of_power = {"provinces": "provinces", "cities": "cities", "homes": "home"}[field]
    return {place: power.id for power in powers.values() for place in getattr(power, of_power)}


# --- what comes of it ------------------------------------------------------------------------


def _outcome(name: str, said: Mapping[str, Any]) -> dict[str, Any]:
    _known(name, said, _OUTCOMES)
    return {key: _plain(key, value) for key, value in said.items()}


def _plain(key: str, value: Any) -> Any:
    """A value without what does not matter: the order of lists."""
    match key:
        case "marks" | "dislodged":
            return {line: sorted(marks) for line, marks in value.items()}
        case _ if isinstance(value, list):
            return sorted(value, key=str)
        case _:
            return value


def _differ(name: str, outcome: Mapping[str, Any], without: Mapping[str, Any]) -> None:
    if outcome.keys() != without.keys():
        msg = f"{name}: outcome and without name different things"
        raise BadCase(msg)
    for key in outcome.keys() & (_OWNERS | {"marks"}):
        if outcome[key].keys() != without[key].keys():
            msg = f"{name}: outcome and without name different {key}"
            raise BadCase(msg)
    if outcome == without:
        msg = f"{name}: outcome and without are equal"
        raise BadCase(msg)


def seen(came: Outcome, named: Mapping[str, Any]) -> dict[str, Any]:
    """What came of a phase, as far as an outcome names it."""
    return {key: _plain(key, _seen(came, key, value)) for key, value in named.items()}


def reasons_seen(
    came: Outcome, named: Mapping[str, Mapping[str, Any]]
) -> dict[str, dict[str, Any] | None]:
    """Why lines were not carried out, as far as the reasons of a case say it."""
    return {
        line: {key: reason.get(key) for key in fields}
        if (reason := came.reasons.get(line))
        else None
        for line, fields in named.items()
    }


def _seen(came: Outcome, key: str, named: Any) -> Any:
    after = came.position
    match key:
        case "marks":
            return {line: came.marks.get(line, ["no such line"]) for line in named}
        case "refused":
            return came.refused
        case "victory":
            return came.victory
        case "dislodged":
            return {
                waiting["unit"]: waiting["retreats"] + ["city"] * waiting["convert"]
                for waiting in after["dislodged"]
            }
        case _ if key in _OWNERS:
            nothing: Any = 0 if key == "treasury" else ""
            return {place: after[key].get(place, nothing) for place in named}
        case _:
            return after[key]
