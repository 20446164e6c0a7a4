"""Which tables a database reads whole for the statements that it gets."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Engine, event

from machjudge.db.engine import is_sqlite

_READS = ("SELECT", "UPDATE", "DELETE", "WITH")
"""How the statements begin that look for rows."""


@dataclass(slots=True)
class Looked:
    """What was asked of a database."""

    statements: int = 0
    scans: set[str] = field(default_factory=set)
    """Tables that were read from one end to the other, whether that is long or short."""


@contextmanager
def looking() -> Iterator[Looked]:
    """Have each statement explained that is sent in this process while the block runs."""
    looked = Looked()

    def explain(connection: Any, _: object, statement: str, parameters: Any, *how: Any) -> None:
        looked.statements += 1
        if not statement.lstrip().upper().startswith(_READS):
            return
        asked = parameters[0] if how[-1] else parameters
        with_plan = "EXPLAIN QUERY PLAN" if is_sqlite(connection) else "EXPLAIN"
        cursor = connection.connection.cursor()
        try:
            cursor.execute(f"{with_plan} {statement}", asked)
            rows = cursor.fetchall()
            looked.scans |= {name for row in rows if (name := _scanned(row))}
        finally:
            cursor.close()

    event.listen(Engine, "before_cursor_execute", explain)
    try:
        yield looked
    finally:
        event.remove(Engine, "before_cursor_execute", explain)


def _scanned(row: tuple[Any, ...]) -> str:
    """The table that a line of a plan says is read whole; empty if it says something else."""
    line = str(row[-1]).strip().removeprefix("->").strip()
    words = line.split()
    if words[:1] == ["SCAN"] and words[1] != "CONSTANT" and not words[1].startswith("("):
        return words[1]
    if line.startswith("Seq Scan on"):
        return words[3]
    return ""
