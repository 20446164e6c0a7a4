"""Seats that were taken before their address was confirmed: values and JSON."""

from datetime import datetime

from machjudge.service.model.records import Claimed, PersonId
from machjudge.store.schema.tables import Json


def write_claimed(claimed: Claimed | None) -> Json:
    """How somebody came to a seat, as JSON."""
    if claimed is None:
        return None
    since = claimed.since.isoformat()
    return {"person": claimed.person, "since": since, "reminded": claimed.reminded}


def read_claimed(document: Json) -> Claimed | None:
    """How somebody came to a seat, from JSON."""
    if document is None:
        return None
    since = datetime.fromisoformat(document["since"])
    return Claimed(PersonId(document["person"]), since, document["reminded"])
