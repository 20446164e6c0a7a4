"""One line in, one line out: the answer to a question put to `machjudge adjudicate`."""

from collections.abc import Mapping
from dataclasses import dataclass

from machjudge.adjudicator.names import MachjudgeError
from machjudge.adjudicator.phase import Played
from machjudge.codec.document import TOO_DEEP, read_document
from machjudge.codec.happened import events_of
from machjudge.codec.notation import Notation
from machjudge.codec.results import Result, results, results_of
from machjudge.codec.shape import Json, Unfit, as_object, entry, refuse
from machjudge.codec.sheet import play_entries, read_entries
from machjudge.codec.task import Shelf, Task, read_task
from machjudge.codec.written import position_of

Id = str | int | float | None
"""What a line calls itself; the answer repeats it."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A line that is not valid: where in it the fault is, and what is wrong."""

    id: Id
    where: str
    says: str


@dataclass(frozen=True, slots=True)
class Answer:
    """A phase played: what became of the lines, and everything that happened."""

    id: Id
    task: Task
    results: list[Result]
    played: Played


def answer(line: bytes, shelf: Shelf, notation: Notation) -> Answer | Refusal:
    """Adjudicate the phase that a line of JSON describes; whatever the line is, nothing raises.

    A fault of the installation, such as a broken map, is a refusal as well.
    """
    fields: Mapping[str, Json] = {}
    try:
        fields = as_object(read_document(line))
        entry(fields, "id", _refuse_wrong_id)
        task = read_task(fields, shelf)
        entries = read_entries(task, notation)
        played = play_entries(task, entries)
    except Unfit as unfit:
        return Refusal(_id(fields), unfit.where, unfit.says)
    except RecursionError:
        return Refusal(_id(fields), "", TOO_DEEP)
    except MachjudgeError as fault:
        return Refusal(_id(fields), "", str(fault))
    return Answer(_id(fields), task, results(task, entries, played, notation), played)


def document_of(told: Answer | Refusal) -> dict[str, Json]:
    """The answer as the format writes it."""
    match told:
        case Refusal():
            return {"id": told.id, "error": {"where": told.where, "says": told.says}}
        case Answer():
            return {
                "id": told.id,
                "results": results_of(told.results),
                "position": position_of(told.played.state, told.task.world),
                "events": events_of(told.played.events),
            }


def id_of(line: bytes) -> Id:
    """What a line calls itself; nothing if that cannot be made out."""
    try:
        return _id(as_object(read_document(line)))
    except Unfit:
        return None


def _refuse_wrong_id(value: Json) -> None:
    if isinstance(value, bool | list | dict):
        refuse("an id is a string or a number")


def _id(fields: Mapping[str, Json]) -> Id:
    given = fields.get("id")
    return None if isinstance(given, bool | list | dict) else given
