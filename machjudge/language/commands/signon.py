"""The words of a signon, as people write them: the seat, the game, the password, and the rest.

``signon Lborgia pw`` is the form that is taught.  Understood as well are ``L borgia pw``,
``borgia L pw``, ``Florence borgia pw``, quotes and brackets around a word, and orders on the same
line.  What depends on which games there are stays open: the further readings are in
:attr:`machjudge.language.commands.commands.SignOn.others`.
"""

import re
from collections.abc import Iterator, Sequence

from machjudge.language.commands.commands import SignOn, Words
from machjudge.sentence import Sentence

AROUND = " \"'`*_<>()[]{}“”‘’«»"
"""Signs that people put around a word."""
_BEHIND = AROUND + ".,;:"
_SEPARATED = re.compile(r"(?P<letter>[A-Za-z])[-/_:.,](?P<game>[A-Za-z].*)")
_LABEL = re.compile(r"(?:password|passwort|pass|pw)[:=]+", re.IGNORECASE)
_COMMENT = re.compile(r"\s*(?://|#|\(.*\)\s*$)")

NO_SEAT = Sentence("language.no_seat")
NOTHING_BEHIND = Sentence("language.no_password")


def name_in(word: str) -> str:
    """A word without the quotes, brackets and stops that people put around it."""
    return word.lstrip(AROUND).rstrip(_BEHIND)


def spellings(password: str) -> tuple[str, ...]:
    """A password as it was typed, and as it may have been meant: without stops and quotes."""
    found = (password, name_in(password), name_in(password).rstrip("!?" + _BEHIND))
    return tuple(dict.fromkeys(each for each in found if each))


def read_sign_on(words: Sequence[str]) -> SignOn | Sentence:
    """Read the words behind ``signon``; or say, for the one who wrote them, what is missing."""
    if not words or (not words[1:] and "@" not in words[0] and not name_in(words[0])[1:]):
        return NO_SEAT
    found = list(_readings(words))
    if not found:
        return NOTHING_BEHIND
    first, *others = found
    if not first.seat or not first.game:
        return NO_SEAT
    return SignOn(first.seat, first.game, first.password, first.rest, tuple(others))


def rest_of(words: Words) -> str:
    """What stands behind a password; a comment is nothing."""
    text = " ".join(words)
    return "" if _COMMENT.match(text) else text


def without_label(words: Sequence[str]) -> Words:
    """The words without a ``password:`` at their beginning."""
    return tuple(words[1:] if words and _LABEL.fullmatch(words[0]) else words)


def _readings(words: Sequence[str]) -> Iterator[SignOn]:
    """What the words may mean, the likeliest first; each with its password."""
    first = name_in(words[0])
    second = name_in(words[1]) if len(words) > 1 else ""
    if len(first) == 1:
        yield from _reading(first, second, words[2:])
    elif "@" in first:
        yield from _reading(*_around_at(first), words[1:])
    elif len(second) == 1 and words[2:]:
        yield from _reading(second, first, words[2:])
        if first[:1].lower() == second.lower():
            yield from _reading(first[0], first[1:], words[2:])
    else:
        yield from _reading(*_letter_and_game(first), words[1:])
        yield from _reading(first, second, words[2:])
        yield from _reading(second, first, words[2:])


def _reading(seat: str, game: str, behind: Sequence[str]) -> Iterator[SignOn]:
    password, *rest = without_label(behind) or ("",)
    if password:
        yield SignOn(seat, game, password, rest_of(tuple(rest)))


def _letter_and_game(word: str) -> tuple[str, str]:
    """``Lborgia``, or with a sign between the two: ``L-borgia``."""
    separated = _SEPARATED.fullmatch(word)
    return (separated["letter"], separated["game"]) if separated else (word[:1], word[1:])


def _around_at(word: str) -> tuple[str, str]:
    """``Florence@borgia``; ``borgia@L`` is the same as ``L@borgia``."""
    power, _, game = word.partition("@")
    return (game, power) if len(game) == 1 < len(power) else (power, game)
