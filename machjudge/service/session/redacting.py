"""Messages without what would open a seat; everything else in them stays as it was written."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

from machjudge.reading import (
    Behind,
    PasswordPlace,
    means_password,
    redact_secrets,
    redact_words,
)
from machjudge.service.session.session import Session

_AROUND = ".,:;!()[]<>\"'*_|/\\="
_ODD = re.compile(r"\d")
_SIGNON = re.compile(r"[\s>*|•-]*(?:sign-?on|login)\b", re.IGNORECASE)
_SETTING = re.compile(r"set\s+(?P<key>\w+)\s*[:=]?\s*$", re.IGNORECASE)
_KEYS = frozenset(("password", "passwort", "passwd", "pass", "pw"))


@dataclass(frozen=True, slots=True)
class Redacted:
    """A message that may go out."""

    lines: tuple[str, ...]
    count: int
    """In how many lines something was replaced."""


def redacted(session: Session, lines: Sequence[str]) -> Redacted:
    """The lines of a message without passwords.

    Of what the finder of passwords finds, only what opens a seat counts: what stands behind a
    signon for a game that there is, and in a line that is nothing but a signon or ``set password``;
    and the writer's own password as a word.  A "hello" to Milan gives nothing away.
    """
    found = redact_words(lines, lambda place: _what_counts(session, lines, place))
    kept = redact_secrets(found, session.secrets)
    changed = sum(before != after for before, after in zip(lines, kept, strict=True))
    return Redacted(tuple(kept), changed)


def _what_counts(
    session: Session, lines: Sequence[str], place: PasswordPlace
) -> PasswordPlace | None:
    """What of a find gives something away to the readers of a message, if anything does."""
    line = lines[place.line]
    if place.line != place.opening[0] and len(line.split()) != 1:
        return None
    match place.behind:
        case Behind.SIGNON | Behind.HELLO | Behind.GAME:
            return place if _opens(session, lines, place) else None
        case Behind.SETTING:
            first = replace(place, end=place.start + len(place.first))
            return first if _sets(lines, place) else None
        case Behind.NAME | Behind.CONFIRM:
            return place if _ODD.search(place.first) else None


def _opens(session: Session, lines: Sequence[str], place: PasswordPlace) -> bool:
    """Whether a signon or its like is meant as one."""
    greets = place.behind is Behind.HELLO
    with_seat = place.behind is not Behind.GAME
    if _names_game(session, place.game, with_seat=with_seat, is_greeting=greets):
        return True
    is_alone = bool(_SIGNON.match(lines[place.opening[0]]))
    said = lines[place.line][place.start :]
    return is_alone and len(said.split()) == 1


def _sets(lines: Sequence[str], place: PasswordPlace) -> bool:
    """Whether a password is set; "set passwords aside" sets none."""
    command = _SETTING.search(_before(lines, place))
    key = command["key"].lower() if command else ""
    line, column = place.opening
    begins = not lines[line][:column].strip(" >*|•-\t")
    is_last = place.start + len(place.first) >= len(lines[place.line].rstrip())
    return key in _KEYS or (begins and is_last and means_password(key))


def _before(lines: Sequence[str], place: PasswordPlace) -> str:
    """The command in front of a find."""
    line, column = place.opening
    return lines[line][column : place.start if line == place.line else None]


def _names_game(session: Session, said: str, *, with_seat: bool, is_greeting: bool) -> bool:
    """Whether a word names a game that there is, or, in no greeting, this one with a slip."""
    name = said.strip(_AROUND)
    if name.startswith("?"):
        return True
    names = (name[1:], name.partition("@")[2]) if with_seat else (name,)
    named = any(session.find_game(each) is not None for each in names if each)
    return named or (with_seat and not is_greeting and _is_near(session, name[1:]))


def _is_near(session: Session, name: str) -> bool:
    own = [session.game.id] if session.game is not None else []
    return bool(get_close_matches(name.lower(), own, cutoff=0.8))
