"""What the program takes from its machine: the time, chance, and the secret of its judge."""

import base64
import os
import re
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_bytes, token_hex

from sqlalchemy import Engine, delete, insert, select

from machjudge.db.engine import (
    file_of,
    name_of,
    reading,
    sync_folder,
    writing,
)
from machjudge.db.tables import JudgeRow
from machjudge.judge.secret import LEAST_BYTES, JudgeSecret, SecretUnusable
from machjudge.settings import (
    Settings,
)

_SECRET_BYTES = 32
_TOKEN_BYTES = 10


class SystemChance:
    """Chance that nobody can foresee."""

    def secret(self) -> bytes:
        """32 bytes for the dice of a game."""
        return os.urandom(_SECRET_BYTES)

    def token(self) -> str:
        """Sixteen letters and digits, one of 2^80 such texts."""
        return base64.b32encode(os.urandom(_TOKEN_BYTES)).decode("ascii").lower()


Clock = Callable[[], datetime]
"""What says which instant it is, in UTC."""


def now() -> datetime:
    """This instant, in UTC."""
    return datetime.now(UTC)


_NOT_SET = (
    "the judge's secret is not in the database: name a file for it with secret_file in the "
    "settings or MACHJUDGE_SECRET_FILE; the judge makes it on first use"
)
_WHAT_TO_DO = (
    "put a copy of the right one there; if it is lost for good, machjudge migrate --new-secret"
)
_GONE = f"the judge's secret {{}} is not there, but the database {{}} knows one: {_WHAT_TO_DO}"
_OTHER = f"{{}} is not the secret with which the database {{}} began: {_WHAT_TO_DO}"
_HEX = re.compile(r"(?:[0-9a-fA-F]{2})+")
_OWNER_ONLY = 0o600


def secret_of(settings: Settings, *, creates: bool = True) -> JudgeSecret:
    """The judge's secret; with *creates* it is made now if there is none yet.

    Raises SecretUnusable if it cannot be read or made; without *creates* only when it is used.
    """
    secret = JudgeSecret(lambda: _key_in(path_of(settings), creates=creates))
    if creates:
        secret.check()
    return secret


def judge_secret(settings: Settings, engine: Engine) -> JudgeSecret:
    """The secret with which the judge's database began; where that knows none, it does from now on.

    Raises SecretUnusable if it cannot be read or made, or is another one.
    """
    if fault := misfit(settings, engine):
        raise SecretUnusable(fault)
    secret = secret_of(settings)
    if _known_to(engine) is None:
        take_secret(engine, secret)
    return secret


def misfit(settings: Settings, engine: Engine) -> str:
    """Why the secret that is there is not the one that the database knows; empty if it may be.

    Raises SecretUnusable if it cannot be read.
    """
    known, path = _known_to(engine), path_of(settings)
    if known is None:
        return ""
    if not path.exists():
        return _GONE.format(path, name_of(engine))
    is_right = secret_of(settings, creates=False).fingerprint == known
    return "" if is_right else _OTHER.format(path, name_of(engine))


def secret_beside(settings: Settings) -> Path | None:
    """The file with the judge's secret, where there is one already: a judge began before."""
    try:
        path = path_of(settings)
    except SecretUnusable:
        return None
    return path if path.exists() else None


def take_secret(engine: Engine, secret: JudgeSecret) -> None:
    """Have the database know this secret, and no other one."""
    with writing(engine) as connection:
        connection.execute(delete(JudgeRow))
        connection.execute(insert(JudgeRow), {"id": 1, "secret": secret.fingerprint})
        connection.commit()


def _known_to(engine: Engine) -> str | None:
    """The fingerprint of the secret that a database knows; None where it knows none."""
    with reading(engine) as connection:
        return connection.scalar(select(JudgeRow.secret))


def path_of(settings: Settings) -> Path:
    """Where the secret is: as the settings say, else beside the SQLite database.

    Raises SecretUnusable if neither is the case.
    """
    if settings.secret_file is not None:
        return settings.secret_file
    database = file_of(settings.database)
    if database is None:
        raise SecretUnusable(_NOT_SET)
    return database.with_suffix(".secret")


def bring_secret(old: Settings, new: Settings) -> None:
    """Have the secret of the judge with the settings *old* where the settings *new* name it.

    Raises SecretUnusable if another one is there or it cannot be read; OSError where it cannot
    be made.
    """
    here, there = path_of(old), path_of(new)
    key = _key_in(here, creates=True)
    if not there.exists():
        _make(there, key)
    if _key_in(there, creates=False) != key:
        message = f"{there} is the secret of another judge: remove it, or name another file"
        raise SecretUnusable(message)


def _key_in(path: Path, *, creates: bool) -> bytes:
    try:
        if creates and not path.exists():
            _make(path, token_bytes(LEAST_BYTES))
        text = path.read_text(encoding="ascii").strip()
    except (OSError, ValueError) as fault:
        message = f"the judge's secret in {path} cannot be used: {_why(fault)}"
        raise SecretUnusable(message) from fault
    if not _HEX.fullmatch(text) or len(text) < 2 * LEAST_BYTES:
        message = f"{path} is no secret of a judge: it wants {2 * LEAST_BYTES} hexadecimal digits"
        raise SecretUnusable(message)
    return bytes.fromhex(text)


def _make(path: Path, key: bytes) -> None:
    """Write a secret that only its owner reads, on disk before it is used.

    Of two processes that do so at once, one wins; both then read the same.
    """
    new = path.with_name(f"{path.name}.{token_hex(8)}.new")
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(f"{key.hex()}\n")
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            os.link(new, path)
        sync_folder(path.parent)
    finally:
        new.unlink()


def _why(fault: Exception) -> str:
    return fault.strerror or str(fault) if isinstance(fault, OSError) else "it is no plain text"
