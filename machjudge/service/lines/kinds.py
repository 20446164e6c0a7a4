"""What a row of its writer is, said once and for all: the one place that knows.

A row is a command, an order or like one, agreement, a question, or prose.  It is like an order if
it names a unit and a place of the game, or begins with a verb of orders or an expense; whatever the
language of the rest.  Only such a row can be an error that holds a phase up: prose is named as not
read, and that is all.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import cache

from machjudge.adjudicator.model.orders import Sweep
from machjudge.adjudicator.model.rules import OrderNotation
from machjudge.language.commands import openings
from machjudge.language.commands.commands import (
    Become,
    Command,
    If,
    List,
    NotACommand,
    PlainCommand,
    SignOn,
)
from machjudge.language.vocabulary.lexicon import Lexicon, Unknown
from machjudge.language.vocabulary.said import Problem
from machjudge.language.vocabulary.synonyms import UNREAD
from machjudge.language.vocabulary.wishes import topic_of, wish_of
from machjudge.language.vocabulary.words import cut, fold
from machjudge.reading import Line, LineKind
from machjudge.reading.text.courtesies import is_assent, is_heading
from machjudge.service.info.foreign_commands import QUESTION, explained
from machjudge.service.info.texts import is_asked_for
from machjudge.service.lines.command_table import TABLE, nearest_entry
from machjudge.service.session.incoming import vocabulary
from machjudge.service.session.session import Session, is_player

_STRUCK = re.compile(r"~~.*~~")
_LETTER = re.compile(r"(?<![\w'])[AFG](?![\w'.])")
"""The letter of a unit inside a line; a small one is a word of many languages."""
_WRITTEN = re.compile(r"(?<!\w)-+>?(?=\s|\w)|\s->?\s|>")
_ASKED = frozenset(("get", "who", "list", "help", "history"))
"""Words with which questions to the judge begin, and sentences."""
_WATCHED = frozenset(("your", "my", "his", "her", "their", "the", "this", "how", "what", "out"))
"""What stands behind ``watch`` in a sentence, and is no game."""
_NEVER_TALK = frozenset(("clear", "fix", "phase", "restore", "set"))
"""Commands that a sentence seldom begins with, and that nobody may lose: `set wait, please!`."""
_LEAST_BEHIND, _MOST_BEHIND = 2, 8
_MOST_OF_COMMAND = 6
"""A longer line is prose, however much it begins like a command of another judge."""
_MOST_OF_NAME = 5
"""So many words with a unit and a place are an order whose rest is missing."""
_MOST_OF_SLIP = 4
_ALIKE = 0.8
_MOST_SLIPS = 50
"""For so many lines of a mail an order is looked for that is like them, which takes long."""
_NUMBERED = re.compile(r"(?<!\w)[afg][1-9]\d?(?!\w)", re.IGNORECASE)
"""A unit by its number, in games where units have numbers."""
_SENTENCES = re.compile(r"(?<=[.!?;])\s+")
_EXPENSE = re.compile(
    r"(?:famine|plague) relief\b|pacify\b|counter-? ?bribe\b|cb\b|bribe\b|assassinate\b"
    r"|buy\b|cause\b|rebellion\b",
    re.IGNORECASE,
)
"""An expense without its number."""
_VERBS = frozenset(("build", "burn", "cede", "disband", "maintain", "pay", "remove"))
"""Verbs of other languages that begin an order; others begin as many sentences."""


def kind_of(session: Session, line: Line, command: Command | NotACommand | Problem) -> LineKind:
    """What a row is; *command* is what it says as a command."""
    text = line.text
    if line.is_press:
        return LineKind.TEXT
    if _STRUCK.fullmatch(text):
        return LineKind.PROSE
    if _is_question(session, text, command):
        return LineKind.QUESTION
    if not isinstance(command, NotACommand):
        return LineKind.PROSE if _is_talk(session, text, command) else LineKind.COMMAND
    if says_nothing(text):
        return LineKind.PROSE
    if _is_order(session, text) or wish_of(text) is not None:
        return LineKind.ORDER
    reason = explained(text)
    if reason == QUESTION or text.endswith("?"):
        return LineKind.QUESTION
    if len(text.split()) <= _MOST_OF_COMMAND and (reason or _is_near_command(session, text)):
        return LineKind.COMMAND
    if is_assent(text):
        return LineKind.AGREEMENT
    return LineKind.ORDER if _is_slip(session, text) else LineKind.PROSE


def _is_question(session: Session, text: str, command: Command | NotACommand | Problem) -> bool:
    """Whether a line asks in plain words, though it begins like `who` or names a unit and a place.

    An order behind which somebody puts a question mark is an order.
    """
    if session.seat is None or not (text.endswith("?") or text[:1] == "¿"):
        return False
    if isinstance(command, NotACommand):
        return not (vocabulary().is_unit_order(text) or _is_read(session, text))
    is_plain = isinstance(command, Problem | PlainCommand | List)
    return is_plain and topic_of(text) is not None


def says_nothing(text: str) -> bool:
    """Whether a line ends something that has ended already, or is but a heading.

    ``END`` below a registration or a text, "My orders for Spring:".
    """
    return text.strip(" .!").lower() == "end" or (" for " in text and is_heading(text))


def questions_within(session: Session, line: Line) -> tuple[Line, ...]:
    """What a line says, and behind it the questions of the same line, as lines of their own.

    Nothing where the line asks nothing, or can be read as it stands: "A flo - bol?" is an order.
    """
    if "?" not in line.text or not is_player(session.seat):
        return ()
    sentences = _SENTENCES.split(line.text)
    if len(sentences) == 1 or _is_whole_order(session, line.text):
        return ()
    asked = [each for each in sentences if _asks(session, each)]
    if not asked or len(asked) == len(sentences):
        return ()
    rest = " ".join(each for each in sentences if each not in asked)
    return tuple(replace(line, text=each) for each in (rest, *asked))


def _asks(session: Session, text: str) -> bool:
    """Whether a sentence asks something that is worth an answer."""
    is_asked = _is_question(session, text, session.said.command_in(text))
    return is_asked and (topic_of(text) is not None or len(text.split()) > _LEAST_BEHIND)


def is_greeting(line: Line) -> bool:
    """Whether a line begins with the word that people also greet with."""
    return line.first_word.lower().rstrip("!,.") == "hello"


# --- commands ---------------------------------------------------------------------------------


def _is_near_command(session: Session, text: str) -> bool:
    """Whether a line begins with a command in which a letter or two are wrong."""
    if not is_player(session.seat):
        return nearest_entry(text, session.said.near) is not None
    first, *behind = text.lower().split()
    is_short = len(behind) < _LEAST_BEHIND and not is_greeting(Line(0, text, text))
    return is_short and bool(get_close_matches(first, _first_words(), n=1, cutoff=_ALIKE))


@cache
def _first_words() -> frozenset[str]:
    """The first words of all commands."""
    return frozenset(name.split()[0] for entry in TABLE for name in (entry.name, *entry.also))


def _is_talk(session: Session, text: str, command: Command | Problem) -> bool:
    """Whether a player says something to somebody in a line that begins like a command."""
    if not is_player(session.seat):
        return False
    first, *behind = (word.strip(",;:.!?") for word in text.lower().split())
    match command:
        case If():
            return True  # it is none of a condition: "If you agree, I will come."
        case Become(own=True):
            return len(behind) > 1 and not _is_order(session, text)  # "For now I trust you."
        case SignOn():
            return False
        case Problem() if first not in _NEVER_TALK and wish_of(text) is None:
            ends = text[-1] in ".!?" and len(behind) >= _LEAST_BEHIND
            return (ends or len(behind) > _MOST_BEHIND) and not _is_order(session, text)
    if first == "watch":
        return bool(_WATCHED.intersection(behind[:1]))
    return (
        first in _ASKED
        and _LEAST_BEHIND <= len(behind) <= _MOST_BEHIND
        and text[-1] in "!?."
        and not _names_something(session, behind)
    )


def _names_something(session: Session, words: Sequence[str]) -> bool:
    """Whether words hold a text, a game, a power or a place, as those behind "get rules" do."""
    game = session.game
    lexicon = session.lexicon(game) if game is not None else None
    return any(
        is_asked_for(word)
        or session.find_game(word) is not None
        or (lexicon is not None and lexicon.is_exact(word) and len(word) > 1)
        for word in words
    )


# --- orders -----------------------------------------------------------------------------------


def _is_order(session: Session, text: str) -> bool:
    """Whether a line holds an order for the phase that is played, or looks like an order."""
    game, situation = session.game, session.situation()
    if is_order_like(text, session.lexicon(game) if game is not None else None):
        return True
    if situation is None:
        return False
    is_numbered = situation.world.rules.game.notation is not OrderNotation.PLACES
    if is_numbered and (_NUMBERED.search(text) or vocabulary().is_unit_order(text)):
        return True
    return _is_read(session, text)


def _is_read(session: Session, text: str) -> bool:
    """Whether something in a line can be read as an order for the phase that is played."""
    game, situation = session.game, session.situation()
    if game is None or situation is None:
        return False
    pieces = session.said.orders(text, session.lexicon(game), situation.state.moment.stage)
    return any(isinstance(each.said, Sweep) or each.understood for each in pieces)


def _is_whole_order(session: Session, text: str) -> bool:
    """Whether all of a line can be read as orders for the phase that is played."""
    game, situation = session.game, session.situation()
    if game is None or situation is None:
        return False
    pieces = session.said.orders(text, session.lexicon(game), situation.state.moment.stage)
    return not any(each.refused for each in pieces if not isinstance(each.said, Sweep))


def _is_slip(session: Session, text: str) -> bool:
    """Whether a line is so near an order that it may be one in which letters are wrong."""
    game, situation = session.game, session.situation()
    is_short = _LEAST_BEHIND <= len(text.split()) <= _MOST_OF_COMMAND
    if game is None or situation is None or not is_player(session.seat) or not is_short:
        return False
    session.slips_looked_for += 1
    if session.slips_looked_for > _MOST_SLIPS:
        return False
    pieces = session.said.advised(text, session.lexicon(game), situation.state.moment.stage)
    refused = [one for each in pieces for one in each.refused]
    return all(isinstance(one, Problem) and one.nearest is not None for one in refused)


def is_order_like(text: str, lexicon: Lexicon | None) -> bool:
    """Whether a line names a unit and a place, or begins with a verb of orders or an expense.

    :param lexicon: the names of the game; without them a line is known by its words alone.
    """
    words = vocabulary()
    if words.begins_command(text) and not words.is_command(text):
        return True
    if _EXPENSE.match(text):
        return True
    if lexicon is None:
        return words.is_unit_order(text)
    plain = [word for word in cut(fold(text)) if word[0].isalnum() or word[0] in "->"]
    if not plain:
        return False
    if _VERBS.intersection(UNREAD.get(plain[0], ())) and len(plain) > 1:
        return True
    places = [at for at in range(len(plain)) if _is_place(plain, at, lexicon)]
    if words.is_unit_order(text) and (places or len(plain) <= _MOST_OF_SLIP):
        return True
    return bool(places) and _names_unit(text, plain, places, lexicon)


def _names_unit(text: str, plain: Sequence[str], places: Collection[int], lexicon: Lexicon) -> bool:
    """Whether a unit is named in a line with places."""
    if not _unit_words().isdisjoint(plain):
        return True
    acts = len(places) > 1 or _WRITTEN.search(text) or not vocabulary().deeds.isdisjoint(plain[1:])
    is_order = bool(acts) or len(plain) <= _MOST_OF_NAME
    if plain[0] in _letters(lexicon) and 1 in places:
        return is_order
    if _is_slip_of_verb(plain[0]) and not _letters(lexicon).isdisjoint(plain[1:]):
        return True
    letters = {at for at, word in enumerate(plain) if word in _letters(lexicon)}
    return is_order and bool(_LETTER.search(text)) and any(at - 1 in letters for at in places)


def _is_slip_of_verb(word: str) -> bool:
    """Whether a word is a verb of orders with a slip of the pen."""
    return bool(get_close_matches(word, _known_verbs(), n=1, cutoff=_ALIKE))


def _is_place(plain: Sequence[str], at: int, lexicon: Lexicon) -> bool:
    """Whether a word is a place, or the first of one; an abbreviation may mean several."""
    word = plain[at]
    if word in lexicon.heads:
        pieces = (plain[at : at + len(name)] for name in lexicon.heads[word])
        if any(tuple(each) in lexicon.heads[word] for each in pieces):
            return True
    if word in vocabulary().deeds or not word[0].isalpha():
        return False
    return word in lexicon.names_anywhere or not isinstance(lexicon.place(word), Unknown)


def _letters(lexicon: Lexicon) -> frozenset[str]:
    return frozenset(("a", "f", "g", *lexicon.letters))


@cache
def _unit_words() -> frozenset[str]:
    """Every word for a kind of unit, in any language of the judge."""
    return openings.unit_words()


@cache
def _known_verbs() -> tuple[str, ...]:
    return tuple(sorted(word for word, *more in openings.verbs() if not more))
