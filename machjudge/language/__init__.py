"""The language of the game: lines of text in, orders and commands out, and orders back into text.

Pure: the lexicon of a scenario comes in as an argument, and so does the time for dates.
"""

from machjudge.language.command_parser import ReaderRole, parse_command, read_readers
from machjudge.language.commands import NotACommand
from machjudge.language.dates import read_instant, zone_named
from machjudge.language.lexicon import Lexicon, lexicon_of, unit_text, write
from machjudge.language.orders import UnsayableName, parse_order, unsayable_names
from machjudge.language.words import Candidate, Fault, Parsed, ParseError, read_phase

__all__ = [
    "Candidate",
    "Fault",
    "Lexicon",
    "NotACommand",
    "ParseError",
    "Parsed",
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
