"""Raw mails as the desk reads them: with the words of the judge's own language."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from functools import cache

from machjudge.adjudicator.model.names import MachjudgeError
from machjudge.language.commands import openings
from machjudge.reading import Limits, Mail, Vocabulary, read, redact

NOT_KEPT = b"\n[not kept: this mail cannot be shown without the passwords that may be in it]\n"


@cache
def vocabulary() -> Vocabulary:
    """The words by which commands and orders are known in a mail; gathered at the first call."""
    return Vocabulary(
        openings.commands(), openings.verbs(), openings.whole_orders(), openings.deeds()
    )


class Unreadable(MachjudgeError):
    """Reading a mail raised an error; it would do so again. *kind* is the error's name."""

    def __init__(self, kind: str) -> None:
        msg = f"cannot be read: {kind}"
        super().__init__(msg)
        self.kind = kind


@contextmanager
def faults_of_reading() -> Iterator[None]:
    """Turn whatever reading raises into Unreadable, without the text of the mail."""
    try:
        yield
    except Exception as fault:
        raise Unreadable(type(fault).__name__) from fault


def read_mail(raw: bytes, own: Collection[str] = (), limits: Limits | None = None) -> Mail:
    """Read a mail as it came over the wire; see :func:`machjudge.reading.read`.

    Raises Unreadable if something in the mail raises an error.
    """
    with faults_of_reading():
        return read(raw, vocabulary(), own, limits)


def kept_text(raw: bytes, secrets: Collection[str] = ()) -> bytes:
    """What is kept of a mail that was handled; see :func:`machjudge.reading.secrets.redact`.

    Never raises: of a mail that cannot be redacted, nothing is kept.
    """
    try:
        return redact(raw, secrets)
    except Exception:
        return NOT_KEPT
