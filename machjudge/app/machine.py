"""The machine's clock and randomness, and the judge's secret."""

import base64
import gc
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
    """Cryptographic randomness."""

    def secret(self) -> bytes:
        """Return 32 bytes for the dice of a game."""
        return os.urandom(_SECRET_BYTES)

    def token(self) -> str:
        """Return sixteen letters and digits, one of 2^80 texts."""
        return base64.b32encode(os.urandom(_TOKEN_BYTES)).decode("ascii").lower()


Clock = Callable[[], datetime]
"""Returns the present instant in UTC."""


def now() -> datetime:
    """Return the present instant in UTC."""
    return datetime.now(UTC)


_GARBAGE = (20_000, 20, 20)
"""The thresholds of garbage collection: new, older, all objects."""


def collect_garbage_seldom() -> None:
    """Look for garbage after many new objects: with a whole judge loaded, a look takes long."""
    gc.set_threshold(*_GARBAGE)


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
    """Return the judge's secret; with *creates* a missing one is made at once.

    Raises SecretUnusable if it cannot be read or made; without *creates* only when it is used.
    """
    secret = JudgeSecret(lambda: _key_in(path_of(settings), creates=creates))
    if creates:
        secret.check()
    return secret


def judge_secret(settings: Settings, engine: Engine) -> JudgeSecret:
    """Return the secret known to the judge's database, or record it there.

    Raises SecretUnusable if it cannot be read or made, or is another one.
    """
    if fault := misfit(settings, engine):
        raise SecretUnusable(fault)
    secret = secret_of(settings)
    if _known_to(engine) is None:
        take_secret(engine, secret)
    return secret


def misfit(settings: Settings, engine: Engine) -> str:
    """Return why the secret is not the database's, or "".  Raises SecretUnusable if unreadable."""
    known, path = _known_to(engine), path_of(settings)
    if known is None:
        return ""
    if not path.exists():
        return _GONE.format(path, name_of(engine))
    is_right = secret_of(settings, creates=False).fingerprint == known
    return "" if is_right else _OTHER.format(path, name_of(engine))


def secret_beside(settings: Settings) -> Path | None:
    """Return the file of an existing secret, or None."""
    try:
        path = path_of(settings)
    except SecretUnusable:
        return None
    return path if path.exists() else None


def take_secret(engine: Engine, secret: JudgeSecret) -> None:
    """Record this secret in the database, as the only one."""
    with writing(engine) as connection:
        connection.execute(delete(JudgeRow))
        connection.execute(insert(JudgeRow), {"id": 1, "secret": secret.fingerprint})
        connection.commit()


def _known_to(engine: Engine) -> str | None:
    """The recorded fingerprint of the secret, or None."""
    with reading(engine) as connection:
        return connection.scalar(select(JudgeRow.secret))


def path_of(settings: Settings) -> Path:
    """Return the secret's path: from the settings, or beside the SQLite database.

    Raises SecretUnusable if neither is the case.
    """
    if settings.secret_file is not None:
        return settings.secret_file
    database = file_of(settings.database)
    if database is None:
        raise SecretUnusable(_NOT_SET)
    return database.with_suffix(".secret")


def bring_secret(old: Settings, new: Settings) -> None:
    """Copy the secret of the settings *old* to the place of the settings *new*.

    Raises SecretUnusable if another one is there or it is unreadable; OSError if it cannot be made.
    """
    here, there = path_of(old), path_of(new)
    key = _key_in(here, creates=True)
    if not there.exists():
        _make(there, key)
    if _key_in(there, creates=False) != key:
        message = f"{there} is the secret of another judge: remove it, or name another file"
        raise SecretUnusable(message)


def bring_secret_back(file: Path, settings: Settings, *, force: bool) -> Path | None:
    """Put a saved secret where *settings* have it.

    With *force* another one that is there is put aside; returns where it is then.  Raises
    SecretUnusable if it is there without *force*, or *file* is none.
    """
    key, there = _key_in(file, creates=False), path_of(settings)
    aside = None
    if there.exists():
        if there.read_text(encoding="ascii", errors="replace").strip() == key.hex():
            return None
        if not force:
            message = f"{there} is another secret than {file}: restore with --force puts it aside"
            raise SecretUnusable(message)
        aside = there.with_name(f"{there.name}.{token_hex(4)}.before-restore")
        there.rename(aside)
    _make(there, key)
    return aside


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
    """Write a secret readable by its owner, on disk before its use.

    Of two processes one wins; both read the same.
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
