"""Reading: the raw bytes of a mail to sender, subject, kind, lines and defects. Pure.

:func:`read` is the way in; :func:`redact` makes what is kept of a mail after it was handled.
"""

from machjudge.reading.automatic import LOOP_HEADER, Failure, failure_in
from machjudge.reading.claims import author_in, claim_in
from machjudge.reading.mime.address import addresses_in
from machjudge.reading.reader import read, texts_of
from machjudge.reading.secrets.codes import REDACTED, codes_in, lines_of_codes, redact_codes
from machjudge.reading.secrets.password_places import Behind, PasswordPlace, means_password
from machjudge.reading.secrets.passwords import (
    hidden_in,
    redact_known,
    redact_line,
    redact_secrets,
    redact_sentence,
    redact_words,
    redacted_column,
)
from machjudge.reading.secrets.redact import redact
from machjudge.reading.text.comparison import closest, words_of
from machjudge.reading.text.mail import (
    AttachedFile,
    Defect,
    Line,
    LineKind,
    Mail,
    MailFlaw,
    MailKind,
    Owner,
    ReadingLimits,
    Where,
    WhyIgnored,
)
from machjudge.reading.text.rows import Vocabulary

__all__ = [
    "LOOP_HEADER",
    "REDACTED",
    "AttachedFile",
    "Behind",
    "Defect",
    "Failure",
    "Line",
    "LineKind",
    "Mail",
    "MailFlaw",
    "MailKind",
    "Owner",
    "PasswordPlace",
    "ReadingLimits",
    "Vocabulary",
    "Where",
    "WhyIgnored",
    "addresses_in",
    "author_in",
    "claim_in",
    "closest",
    "codes_in",
    "failure_in",
    "hidden_in",
    "lines_of_codes",
    "means_password",
    "read",
    "redact",
    "redact_codes",
    "redact_known",
    "redact_line",
    "redact_secrets",
    "redact_sentence",
    "redact_words",
    "redacted_column",
    "texts_of",
    "words_of",
]
