"""One line in, one line out: the answer to a question of `machjudge adjudicate`."""

from collections.abc import Mapping

from machjudge.adjudicator.names import MachjudgeError
from machjudge.codec.document import TOO_DEEP, read_document, write_document
from machjudge.codec.happened import events_of
from machjudge.codec.notation import Notation
from machjudge.codec.shape import Json, Unfit, as_object, refuse
from machjudge.codec.sheet import Outcome, play_task
from machjudge.codec.task import Shelf, read_task
from machjudge.codec.written import position_of


def answer(line: bytes, shelf: Shelf, notation: Notation) -> dict[str, Json]:
    """The results, the position after and the events; or an error, with the place of the fault."""
    fields: Mapping[str, Json] = {}
    try:
        fields = as_object(read_document(line))
        outcome = play_task(read_task(fields, shelf), notation)
    except Unfit as unfit:
        return {"id": _id(fields), "error": {"where": unfit.where, "says": unfit.says}}
    return {
        "id": fields.get("id"),
        "position": position_of(outcome.state, outcome.task.world),
        "events": events_of(outcome.events),
    }


def _id(fields):
    return fields.get("id")
