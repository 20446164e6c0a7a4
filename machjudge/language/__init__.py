"""The language of the game: lines of text in, orders and commands out, and orders back into text.

Pure: the lexicon of a scenario comes in as an argument, and so does the time for dates.
"""

from machjudge.language.commands.audience import ReaderRole, read_readers
from machjudge.language.commands.commands import NotACommand
from machjudge.language.commands.dialogue import parse_command
from machjudge.language.orders.parse import parse_order
from machjudge.language.orders.unsayable import UnsayableName, unsayable_names
from machjudge.language.vocabulary.dates import read_instant, zone_named
from machjudge.language.vocabulary.lexicon import Lexicon, lexicon_of
from machjudge.language.vocabulary.phase_names import read_phase
from machjudge.language.vocabulary.said import (
    Ambiguous,
    Candidate,
    Fault,
    Parsed,
    Problem,
)
from machjudge.language.vocabulary.write import unit_text, write

__all__ = [
    "Ambiguous",
    "Candidate",
    "Fault",
    "Lexicon",
    "NotACommand",
    "Parsed",
    "Problem",
    "ReaderRole",
    "UnsayableName",
    "lexicon_of",
    "parse_command",
    "parse_order",
    "read_instant",
    "read_phase",
    "read_readers",
    "unit_text",
    "unsayable_names",
    "write",
    "zone_named",
]
