"""The connections to a PostgreSQL server."""

import time

from sqlalchemy import Engine, create_engine, event, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import InvalidatePoolError
from sqlalchemy.pool import ConnectionPoolEntry

FRESH_SECONDS = 1.0
"""How long a connection may have rested before it is tried whether it is there."""
_RESTS = "machjudge_rests"
_PLANS = {"enable_seqscan": "off", "jit": "off"}
"""How statements are planned: by indexes, since a plan is kept, and must be as good when tables
have grown that are small now, or were when their sizes were noted last."""


def open_server(url: str, patience: int) -> Engine:
    """The engine for *url*, where a lock is waited for *patience* seconds.

    Raises ImportError without psycopg.
    """
    settings = {"lock_timeout": f"{patience}s", **_PLANS}
    engine = create_engine(
        make_url(url).set(drivername="postgresql+psycopg"),
        # What is written holds passwords until it is redacted: it must not show in an error.
        hide_parameters=True,
        connect_args={"options": " ".join(f"-c {name}={set_}" for name, set_ in settings.items())},
    )

    @event.listens_for(engine, "checkin")
    def note_rest(_dbapi: object, entry: ConnectionPoolEntry) -> None:
        entry.info[_RESTS] = time.monotonic()

    @event.listens_for(engine, "checkout")
    def try_rested(dbapi: DBAPIConnection, entry: ConnectionPoolEntry, _: object) -> None:
        rests = entry.info.pop(_RESTS, None)
        if rests is None or time.monotonic() < rests + FRESH_SECONDS:
            return
        try:
            engine.dialect.do_ping(dbapi)
        except engine.dialect.loaded_dbapi.Error as fault:
            raise InvalidatePoolError from fault

    return engine
