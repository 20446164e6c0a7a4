"""Turn lines of text into orders and commands, and orders into text. Pure.

The lexicon of a scenario and the time are arguments.
"""

from machjudge.language.command_parser import ReaderRole, parse_command, read_readers
from machjudge.language.commands import NotACommand
from machjudge.language.dates import read_instant, zone_named
from machjudge.language.lexicon import Lexicon, lexicon_of, unit_text, write
from machjudge.language.orders import ReservedName, parse_order, reserved_names
from machjudge.language.words import Candidate, Fault, Parsed, ParseError, read_phase

__all__ = [
    "Candidate",
    "Fault",
    "Lexicon",
    "NotACommand",
    "ParseError",
    "Parsed",
    "ReaderRole",
    "ReservedName",
    "lexicon_of",
    "parse_command",
    "parse_order",
    "read_instant",
    "read_phase",
    "read_readers",
    "reserved_names",
    "unit_text",
    "write",
    "zone_named",
]
