"""The recorded phases, and in what an answer differs from what a record expects."""

import gzip
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from machjudge.adjudicator.board import Board

FOLDER = Path(__file__).parent
FILES = tuple(sorted(file.name.partition(".")[0] for file in FOLDER.glob("*.jsonl.gz")))
"""The files of records, by name."""

Record = dict[str, Any]
Differences = dict[str, tuple[Any, Any]]
"""Field of the position -> what was expected, what came."""


def records(name: str) -> Iterator[Record]:
    """The records of a file, in its order."""
    with gzip.open(FOLDER / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def question(record: Record) -> bytes:
    """The line that asks for the recorded phase."""
    asked = ("id", "board", "scenario", "rules", "position", "orders", "dice")
    return json.dumps({key: record[key] for key in asked if key in record}).encode()


def differences(record: Record, answer: Mapping[str, Any], board: Board) -> Differences:
    """Where the position after is not the expected one; an error differs as a whole."""
    if "error" in answer:
        return {"error": (None, answer["error"])}
    found = {}
    for field, wanted in record["expect"].items():
        expected, actual = (
            _plain(field, value, board) for value in (wanted, answer["position"][field])
        )
        if expected != actual:
            found[field] = (_only(expected, actual), _only(actual, expected))
    return found


def _plain(field: str, value: Any, board: Board) -> Any:
    """The value without what does not matter: order of lists, zeros, fortresses, empty marks."""
    match field:
        case "dislodged":
            return {
                waiting["unit"]: (sorted(waiting["retreats"]), waiting.get("convert", False))
                for waiting in value
            }
        case "cities":
            return {
                place: owner for place, owner in value.items() if not _is_fortress(place, board)
            }
        case "treasury":
            return {power: ducats for power, ducats in value.items() if ducats}
        case "loans":
            return sorted(json.dumps(loan, sort_keys=True) for loan in value)
        case _:
            return value if isinstance(value, dict) and field not in _PLACES else sorted(value)


_PLACES = ("rebellion", "city_rebellion")


def _is_fortress(place: str, board: Board) -> bool:
    city = board.places[place].city
    return city is not None and city.fortress


def _only(one: Any, other: Any) -> Any:
    """What *one* has and *other* has not."""
    if isinstance(one, dict):
        return {key: value for key, value in one.items() if other.get(key) != value}
    return [item for item in one if item not in other]
