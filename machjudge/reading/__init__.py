"""Reading: the raw bytes of a mail to sender, subject, kind, lines and defects. Pure.

:func:`read` is the way in; :func:`blot` makes what is kept of a mail after it was handled.
"""

from machjudge.reading.automatic import LOOP_HEADER
from machjudge.reading.blot import blot
from machjudge.reading.mail import Defect, Flaw, Kind, Limits, Line, Mail, WhyIgnored
from machjudge.reading.passwords import BLOT, blot_line
from machjudge.reading.reader import read
from machjudge.reading.returned import why_returned
from machjudge.reading.vocabulary import Vocabulary

__all__ = [
    "BLOT",
    "LOOP_HEADER",
    "Defect",
    "Flaw",
    "Kind",
    "Limits",
    "Line",
    "Mail",
    "Vocabulary",
    "WhyIgnored",
    "blot",
    "blot_line",
    "read",
    "why_returned",
]
