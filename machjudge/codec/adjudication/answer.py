"""One line in, one line out: the answer to a question put to `machjudge adjudicate`."""

from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from machjudge.adjudicator.year.phase import Played
from machjudge.codec.adjudication.results import Result, results, results_of
from machjudge.codec.adjudication.sheet import play_entries, read_entries
from machjudge.codec.adjudication.task import Shelf, Task, read_task
from machjudge.codec.document.document import TOO_DEEP, read_document, write_document
from machjudge.codec.document.happened import events_of
from machjudge.codec.document.notation import Notation
from machjudge.codec.document.shape import Json, Unfit, as_object, entry, refuse
from machjudge.codec.document.written import position_of

Id = str | int | None
"""What a line calls itself; the answer repeats it."""


WHOLE = "line"
"""Where a fault is that is in no single field."""

_WRITER = msgspec.json.Encoder()
_DELETE = "\x7f"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A line that is not valid: where in it the fault is, and what is wrong."""

    id: Id
    where: str
    says: str


@dataclass(frozen=True, slots=True)
class AnsweredLine:
    """A phase played: what became of the lines, and everything that happened."""

    id: Id
    task: Task
    results: list[Result]
    played: Played


def answer(line: bytes, shelf: Shelf, notation: Notation) -> AnsweredLine | Refusal:
    """Adjudicate the phase that a line of JSON describes; a line that is not valid is refused.

    Whatever the line is, what raises is a fault of our own.
    """
    fields: Mapping[str, Json] = {}
    try:
        fields = as_object(read_document(line))
        entry(fields, "id", _read_id)
        task = read_task(fields, shelf)
        entries = read_entries(task, notation)
        played = play_entries(task, entries)
    except Unfit as unfit:
        return Refusal(_id(fields), unfit.where or WHOLE, unfit.says)
    except RecursionError:
        return Refusal(_id(fields), WHOLE, TOO_DEEP)
    return AnsweredLine(_id(fields), task, results(task, entries, played, notation), played)


def document_of(told: AnsweredLine | Refusal) -> dict[str, Json]:
    """The answer as the format writes it."""
    match told:
        case Refusal():
            return {"id": told.id, "error": {"where": told.where, "says": told.says}}
        case AnsweredLine():
            return {
                "id": told.id,
                "results": results_of(told.results),
                "position": position_of(told.played.state, told.task.world),
                "events": events_of(told.played.events),
            }


def write_answer(told: AnsweredLine | Refusal) -> str:
    """The answer on one line, in ASCII.

    Almost all answers are written seven times as fast as the standard library writes them; it gets
    those with something in them to escape that is no control character.
    """
    document = document_of(told)
    try:
        text = _WRITER.encode(document).decode("ascii")
    except UnicodeError:
        return write_document(document)
    return text if _DELETE not in text else write_document(document)


def id_of(line: bytes) -> Id:
    """What a line calls itself; nothing if that cannot be made out."""
    try:
        return _id(as_object(read_document(line)))
    except Unfit:
        return None


def _read_id(value: Json) -> str | int:
    if not isinstance(value, str | int) or isinstance(value, bool):
        refuse("an id is a string or a whole number")
    return value


def _id(fields: Mapping[str, Json]) -> Id:
    try:
        return entry(fields, "id", _read_id)
    except Unfit:
        return None
