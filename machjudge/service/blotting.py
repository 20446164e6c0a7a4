"""Messages without what would open a seat; everything else in them stays as it was written."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from machjudge.reading import BLOT, blot_line
from machjudge.service.talk import Talk

_OPENING = re.compile(
    r"(?<!\w)(?:(?P<seat>sign[\s-]?on|log[\s-]?in|hello)|observe|watch|create)\s+(?P<game>\S+)\s",
    re.IGNORECASE,
)
_ONLY_A_SIGNON = re.compile(
    r"[\s>*|•-]*(?:sign-?on|login)\s+\S+\s+(?P<secret>\S.{0,70})$", re.IGNORECASE
)
_HALF_A_SIGNON = re.compile(
    r"[\s>*|•-]*(?:sign[\s-]?on|login|hello)\s+(?P<game>\S+)\s*$", re.IGNORECASE
)
_SET = re.compile(
    r"(?<!\w)set\s+(?:password|passwort|passwd|pass|pw)(?!\w)\s*[:=]?\s*(?P<secret>\S+)",
    re.IGNORECASE,
)
_SET_MEANT = re.compile(
    r"[\s>*|•-]*set\s+(?P<meant>\w+)\s*[:=]?\s*(?P<secret>\S+)\s*$", re.IGNORECASE
)
_AROUND = ".,:;!()[]<>\"'*_"
_MEANT = ("password", "passwort")


@dataclass(frozen=True, slots=True)
class Blotted:
    """A message that may go out."""

    lines: tuple[str, ...]
    count: int
    """In how many lines something was blotted out."""


def blotted(talk: Talk, lines: Sequence[str]) -> Blotted:
    """The lines of a message without passwords.

    Blotted is what stands behind a signon for a game that there is, and in a line that is nothing
    but a signon or ``set password``; and the writer's own password as a word.  Whoever greets
    Milan with "hello" gives nothing away.
    """
    kept: list[str] = []
    is_half = False
    for line in lines:
        clean = BLOT if is_half and len(line.split()) == 1 else _without_secrets(talk, line)
        is_half = _is_half(talk, line) or (is_half and not line.strip())
        kept.append(clean)
    changed = sum(before != after for before, after in zip(lines, kept, strict=True))
    return Blotted(tuple(kept), changed)


def _is_half(talk: Talk, line: str) -> bool:
    """Whether a line is a signon whose password must stand in the next one."""
    half = _HALF_A_SIGNON.match(line)
    return half is not None and _names_game(
        talk, half["game"], with_seat=True, is_greeting=_greets(half)
    )


def _without_secrets(talk: Talk, line: str) -> str:
    for opening in _OPENING.finditer(line):
        greets = _greets(opening)
        if _names_game(talk, opening["game"], with_seat=bool(opening["seat"]), is_greeting=greets):
            line = line[: opening.start()] + blot_line(line[opening.start() :])
            break
    line = _without_settings(line)
    for secret in sorted(talk.secrets, key=len, reverse=True):
        line = re.sub(rf"(?<!\w){re.escape(secret)}(?!\w)", BLOT, line, flags=re.IGNORECASE)
    return line


def _without_settings(line: str) -> str:
    """Without what a line sets as a password, or signs on with, whatever the game is called."""
    line = _SET.sub(_without_secret, line)
    meant = _SET_MEANT.match(line)
    if meant is not None and get_close_matches(meant["meant"].lower(), _MEANT, cutoff=0.6):
        line = _SET_MEANT.sub(_without_secret, line)
    only = _ONLY_A_SIGNON.match(line)
    if only is not None and len(only["secret"].split()) == 1:
        line = _ONLY_A_SIGNON.sub(_without_secret, line)
    return line


def _without_secret(found: "re.Match[str]") -> str:
    start, end = found.span("secret")
    return found[0][: start - found.start()] + BLOT + found[0][end - found.start() :]


def _names_game(talk: Talk, said: str, *, with_seat: bool, is_greeting: bool) -> bool:
    """Whether a word names a game that there is, or, in no greeting, this one with a slip."""
    name = said.strip(_AROUND)
    if name.startswith("?"):
        return True
    names = (name[1:], name.partition("@")[2]) if with_seat else (name,)
    named = any(talk.find_game(each) is not None for each in names if each)
    return named or (with_seat and not is_greeting and _is_near(talk, name[1:]))


def _is_near(talk: Talk, name: str) -> bool:
    own = [talk.game.id] if talk.game is not None else []
    return bool(get_close_matches(name.lower(), own, cutoff=0.8))


def _greets(found: "re.Match[str]") -> bool:
    return "hello" in found[0].lower()
