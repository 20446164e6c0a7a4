"""The judge's secret in a file of its own, outside the database."""

import os
import re
from contextlib import suppress
from pathlib import Path
from secrets import token_bytes, token_hex

from machjudge.service.credentials.secret import LEAST_BYTES, JudgeSecret, SecretUnusable
from machjudge.settings import Settings
from machjudge.store.schema.copying import sync_folder
from machjudge.store.schema.engine import file_of

_NOT_SET = (
    "the judge's secret is not in the database: name a file for it with secret_file in the "
    "settings or MACHJUDGE_SECRET_FILE; the judge makes it on first use"
)
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
