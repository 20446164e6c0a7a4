"""Whom press is for: names, initials and glued initials of powers, observers and the master.

Press that goes to the wrong reader cannot be called back: what is not clear is refused.
"""

from collections.abc import Iterable
from difflib import get_close_matches
from enum import Enum
from typing import TypeAlias

from machjudge.adjudicator.model.names import PowerId
from machjudge.language.vocabulary.lexicon import Lexicon, Several
from machjudge.language.vocabulary.said import (
    Ambiguous,
    Candidate,
    Fault,
    Problem,
    Refused,
    in_words,
)
from machjudge.language.vocabulary.words import fold
from machjudge.sentence import Sentence


class ReaderRole(Enum):
    """Readers who play no power."""

    OBSERVERS = "O"
    MASTER = "M"


Reader: TypeAlias = PowerId | ReaderRole

_ROLES = {
    "o": ReaderRole.OBSERVERS,
    "observer": ReaderRole.OBSERVERS,
    "observers": ReaderRole.OBSERVERS,
    "m": ReaderRole.MASTER,
    "master": ReaderRole.MASTER,
    "gm": ReaderRole.MASTER,
    "gamemaster": ReaderRole.MASTER,
    "game-master": ReaderRole.MASTER,
    "moderator": ReaderRole.MASTER,
}

_LIKE = 0.7


def read_readers(names: Iterable[str], lexicon: Lexicon) -> tuple[Reader, ...] | Refused:
    """Find who is meant by the names of an audience.

    :param names: as :class:`machjudge.language.commands.commands.Audience` has them.
    :param lexicon: the powers of the game.
    :returns: everybody who is meant, once each, in the order of mention; or the first name that
        is nobody's, or may be several people's.
    """
    readers: list[Reader] = []
    for name in names:
        meant = _readers(name, lexicon)
        if isinstance(meant, Problem | Ambiguous):
            return meant
        readers += [reader for reader in meant if reader not in readers]
    return tuple(readers)


def _readers(name: str, lexicon: Lexicon) -> tuple[Reader, ...] | Refused:
    """A power's name or initial, a role, or several initials in one word."""
    plain = fold(name)
    if plain in _ROLES and not lexicon.is_power(plain):
        return (_ROLES[plain],)
    power = lexicon.power(plain)
    glued = _initials(plain, lexicon)
    if isinstance(power, str):
        # In capitals it may be several initials: press to PA goes to the Papacy or to two powers.
        unclear = len(plain) > 1 and name.isupper() and glued and not lexicon.is_power(plain)
        return _either(name, power, glued, lexicon) if unclear else (power,)
    if isinstance(power, Several):
        return Ambiguous(name, 0, name, power.candidates)
    near = _nearest(plain, lexicon)
    if glued and near is None:
        return glued
    if glued and near is not None and name.isupper():
        return _either(name, near, glued, lexicon)
    reason = Sentence("language.nobody_called", name=name)
    return Problem(name, 0, Fault.NO_POWER, reason, name, nearest=nearest_power(plain, lexicon))


def nearest_power(text: str, lexicon: Lexicon) -> str | None:
    """The name of the power that looks most like a word; None if no name does."""
    power = _nearest(fold(text), lexicon)
    return None if power is None else lexicon.powers[power].name


def _nearest(plain: str, lexicon: Lexicon) -> PowerId | None:
    near = get_close_matches(plain, lexicon.power_names(), n=1, cutoff=_LIKE)
    power = lexicon.power(near[0]) if near else None
    return power if isinstance(power, str) else None


def _initials(plain: str, lexicon: Lexicon) -> tuple[Reader, ...]:
    """The readers of a word in which every letter is an initial; None if one is not."""
    ids = {power.lower(): power for power in lexicon.powers}
    readers = [ids.get(letter) or _ROLES.get(letter) for letter in plain]
    found = tuple(reader for reader in readers if reader is not None)
    # Nobody writes an initial twice: such a word is a word.
    return found if len(found) == len(plain) == len(set(plain)) else ()


def _either(name: str, power: PowerId, glued: tuple[Reader, ...], lexicon: Lexicon) -> Ambiguous:
    """``PA`` may be the Papacy, or the Papacy and Austria; ``ILN`` a slip in Milan."""
    spelt = in_words([_called(reader, lexicon) for reader in glued], "and")
    whole = Candidate(power, lexicon.powers[power].name)
    return Ambiguous(name, 0, name, (whole, Candidate(" ".join(name.upper()), spelt)))


def _called(reader: Reader, lexicon: Lexicon) -> str:
    if isinstance(reader, ReaderRole):
        return reader.name.lower()
    return lexicon.powers[reader].name
