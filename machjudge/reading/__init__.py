"""Reading: the raw bytes of a mail to sender, subject, kind, lines and defects. Pure.

:func:`read` is the way in; :func:`blot` makes what is kept of a mail after it was handled.
"""

from machjudge.reading.automatic import LOOP_HEADER
from machjudge.reading.claims import HeaderClaim, claim_in
from machjudge.reading.reader import read
from machjudge.reading.secrets.codes import blot_codes, codes_in
from machjudge.reading.secrets.passwords import (
    Behind,
    Place,
    blot_known,
    blot_line,
    blot_sentence,
    blot_words,
    blotted_column,
    hidden_in,
    means_password,
    passwords_in,
)
from machjudge.reading.secrets.redact import blot
from machjudge.reading.secrets.redacted_places import BLOT
from machjudge.reading.text.mail import (
    Aside,
    AttachedFile,
    Defect,
    Flaw,
    Kind,
    Limits,
    Line,
    Mail,
    Where,
    WhyIgnored,
)
from machjudge.reading.text.returned import why_returned
from machjudge.reading.text.vocabulary import Vocabulary

__all__ = [
    "BLOT",
    "LOOP_HEADER",
    "Aside",
    "AttachedFile",
    "Behind",
    "Defect",
    "Flaw",
    "HeaderClaim",
    "Kind",
    "Limits",
    "Line",
    "Mail",
    "Place",
    "Vocabulary",
    "Where",
    "WhyIgnored",
    "blot",
    "blot_codes",
    "blot_known",
    "blot_line",
    "blot_sentence",
    "blot_words",
    "blotted_column",
    "claim_in",
    "codes_in",
    "hidden_in",
    "means_password",
    "passwords_in",
    "read",
    "why_returned",
]
