"""From when to when a history is wanted: a phase, a date in the past, or so many days."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, time
from typing import TypeAlias

from machjudge.adjudicator.model.moments import Moment, Stage
from machjudge.language.commands.commands import History
from machjudge.language.vocabulary.dates import read_instant
from machjudge.language.vocabulary.phase_names import read_phase
from machjudge.language.vocabulary.said import Problem
from machjudge.sentence import Sentence
from machjudge.service.game.view import zone_of
from machjudge.service.info.questions import game_meant
from machjudge.service.model.records import StoredPhase
from machjudge.service.session.session import Session

Said: TypeAlias = tuple[str, ...]

FIRST_MINUTE, LAST_MINUTE = time(0, 0), time(23, 59)
EVERYTHING = frozenset({"all", "full", "everything", "complete", "of"})
"""Words that ask for a whole history or summary, and name no game."""

_NEVER = datetime.max.replace(tzinfo=UTC)
_EVER = datetime.min.replace(tzinfo=UTC)
_ORDER = {Stage.CAMPAIGN: 0, Stage.RETREATS: 1, Stage.ADJUSTMENT: 2}
_SPAN = re.compile(
    r"(?:the )?(?:last )?(?P<count>\d{1,4})? ?(?P<unit>[hdw]|hours?|days?|weeks?)(?: ago)?",
    re.IGNORECASE,
)
_PAST = re.compile(r"\b(?:last|past|since)\b", re.IGNORECASE)


def game_and_date(session: Session, said: History) -> tuple[str, Said]:
    """The game that is named, and since when; ``history 18 nov`` leaves out a word."""
    words = tuple(word for word in said.game.split() if word.lower() not in EVERYTHING)
    if said.since or not words:
        return " ".join(words), said.since
    if game_meant(session, words[0]) is not None:
        return words[0], words[1:]
    return ("", words) if _is_date(session, words) else (words[0], words[1:])


def limit(
    session: Session, phases: Sequence[StoredPhase], words: Said, usual: time
) -> datetime | Sentence | None:
    """An instant, or that at which the named phase was played; or why there is none.

    Up to a phase is up to its results: where *usual* is the last minute of a day.
    """
    if not words:
        return None
    moment = read_phase(words)
    if moment is None:
        return _instant(session, words, usual)
    ranks = [(_rank(phase.before.moment), phase.processed) for phase in phases]
    later = [at for rank, at in ranks if rank >= _rank(moment)]
    if usual is FIRST_MINUTE or not later:
        return later[0] if later else _NEVER
    return max((at for rank, at in ranks if rank <= _rank(moment)), default=_EVER)


def _instant(session: Session, words: Said, usual: time) -> datetime | Sentence:
    """The last such instant: what is asked for has happened."""
    text = " ".join(words)
    span = _SPAN.fullmatch(text)
    if span is not None:
        text = f"-{span['count'] or 1}{span['unit'][0].lower()}"
    plain = _PAST.sub(" ", text).strip()
    instant = read_instant(
        plain, session.now, zone_of(session.services, session.person), usual, past=True
    )
    if isinstance(instant, Problem):
        return Sentence("info.history.no_limit", why=instant.reason)
    return instant


def _is_date(session: Session, words: Said) -> bool:
    instant = _instant(session, words, FIRST_MINUTE)
    return read_phase(words) is not None or not isinstance(instant, Sentence)


def _rank(moment: Moment) -> tuple[object, ...]:
    campaign = moment.campaign
    return (campaign.year, "SUF".index(moment.code[0]), _ORDER[moment.stage])
