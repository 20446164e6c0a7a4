"""Raw mails as the desk reads them: with the words of the judge's own language."""

from collections.abc import Collection

from machjudge.language import openings
from machjudge.reading import Limits, Mail, Vocabulary, read

WORDS = Vocabulary(openings.commands(), openings.verbs(), openings.whole_orders(), openings.deeds())
"""The words by which commands and orders are known in a mail."""


def read_mail(raw: bytes, own: Collection[str] = (), limits: Limits | None = None) -> Mail:
    """Read a mail as it came over the wire; see :func:`machjudge.reading.read`."""
    return read(raw, WORDS, own, limits)
