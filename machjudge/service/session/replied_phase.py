"""Which phase a mail answers: that of the message it replies to, else the one in its subject.

Mail programs name the message in In-Reply-To and References (RFC 5322, 3.6.4).  What the subject
says is weaker: people type a new text below an old subject.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain, islice

from machjudge.adjudicator.model.moments import Moment, read_moment
from machjudge.letters.page.head import phase_name
from machjudge.letters.wording.words import Words
from machjudge.sentence import Sentence
from machjudge.service.credentials.reply_tokens import SeatToken
from machjudge.service.game.view import GameView
from machjudge.service.model.records import Game, StoredPhase
from machjudge.service.ports.bounce_address import shown_number
from machjudge.service.ports.deliveries import Posted
from machjudge.service.ports.mailbox import LetterId
from machjudge.service.ports.mails import dotted
from machjudge.service.session.session import Session

_CODE = "[SUF][0-9]{4}[MRB]"
_OWN_ID = re.compile(
    r"<([0-9]{8}T[0-9]{6})(?:\.([a-z2-7]{8})|(\.[0-9]{6})\.([1-9][0-9]{0,8}))"
    r"(?:\.r\.([a-z2-7]{26}))?@([^<>\s@]+)>"
)
"""When a message was made, its hidden number, and the tag of its reply token.

Earlier versions wrote the number as it is, behind the millionths of the second.
"""
_ROOT = re.compile(rf"<([^<>\s@]+)\.({_CODE})\.game@([^<>\s@]+)>", re.IGNORECASE)
_TAG = re.compile(rf":(\S+)\s+-\s+({_CODE})\b(\s+Results\b)?", re.IGNORECASE)
_MOST_LOOKED_AT = 4
"""How many phases back subjects are compared with."""
_LARGEST_NUMBER = 999_999_999
"""What a forged ID may stand for at the most; a database knows no larger number of a row."""
_SECOND, _MICROSECOND = "%Y%m%dT%H%M%S", ".%f"


@dataclass(frozen=True, slots=True)
class Answered:
    """Another phase than the one that is played, about which the answered message was."""

    moment: Moment
    is_certain: bool
    """Whether the mail names the very message; otherwise its subject has the code."""


def answered(session: Session) -> Answered | None:
    """The other phase that a mail answers; None if it answers the present one, or nothing."""
    situation = session.situation()
    if situation is None or session.seat is None:
        return None
    by_id = next(chain(_by_ids(session, situation), _by_tokens(session, situation)), None)
    found = by_id or _by_subject(session, situation, session.mail.subject)
    if found is None or found == situation.state.moment:
        return None
    return Answered(found, is_certain=by_id is not None)


def as_it_was(session: Session, situation: GameView, moment: Moment) -> StoredPhase | None:
    """The stored phase in which *moment* was played, on the way to the position now."""
    return next((p for p in _back(session, situation) if p.before.moment == moment), None)


def began(session: Session) -> datetime | None:
    """When the phase began that is played, a UTC instant; what changed it in between is no phase.

    None if it is the first one, or no game is played.
    """
    situation = session.situation()
    back = _back(session, situation) if situation is not None else ()
    return next((each.processed for each in back if not each.is_interlude), None)


def answered_at(session: Session) -> datetime | None:
    """When the message of the judge was made that a mail answers by its header; else None."""
    posted = _posted(session, next(iter(reversed(session.mail.references)), ""))
    return posted.made if posted is not None else None


def _by_ids(session: Session, situation: GameView) -> Iterator[Moment]:
    """The phases of our messages that the mail names, that of the answered one first."""
    domain = session.services.judge.address.rpartition("@")[2].lower()
    for each in reversed(session.mail.references):
        own, root = _OWN_ID.fullmatch(each), _ROOT.fullmatch(each)
        found = None
        if own is not None:
            found = _of_token(session, situation, own[5]) if own[6].lower() == domain else None
            found = found or _of_posted(session, situation, _posted(session, each))
        elif root is not None and root[3].lower() == domain:
            is_here = root[1].lower() == dotted(situation.game.id)
            found = read_moment(root[2].upper()) if is_here else None
        if found is not None:
            yield found


def _by_tokens(session: Session, situation: GameView) -> Iterator[Moment]:
    """The phases of the messages whose reply tokens the mail carries."""
    for code in session.codes:
        moment = _of_token(session, situation, code)
        if moment is not None:
            yield moment


def _of_token(session: Session, situation: GameView, code: str | None) -> Moment | None:
    """The phase of a message about this game that carries a token."""
    match session.codes.get(code or ""):
        case SeatToken(game=game, phase=phase) if game == situation.game.id:
            return read_moment(phase)
    return None


def _posted(session: Session, message_id: str) -> Posted | None:
    """The letter in the outbox with a Message-ID of ours; None if there is none."""
    domain = session.services.judge.address.rpartition("@")[2].lower()
    own = _OWN_ID.fullmatch(message_id)
    if own is None or own[6].lower() != domain:
        return None
    shown = shown_number(session.services.secret, own[2]) if own[2] else LetterId(int(own[4]))
    is_number = shown is not None and shown <= _LARGEST_NUMBER
    posted = session.uow.outbox.posted(shown) if shown is not None and is_number else None
    if posted is None:
        return None
    made = posted.made.astimezone(UTC)
    told = f"{made:{_SECOND}}{f'{made:{_MICROSECOND}}' if own[3] else ''}"
    return posted if told == own[1] + (own[3] or "") else None


def _of_posted(session: Session, situation: GameView, posted: Posted | None) -> Moment | None:
    """The phase of a letter in the outbox; None if it is about another game."""
    if posted is None or posted.game != situation.game.id:
        return None
    if posted.phase:
        return read_moment(posted.phase)
    return _by_subject(session, situation, posted.subject)


def _by_subject(session: Session, situation: GameView, subject: str) -> Moment | None:
    """The phase that a subject names by its code; results ask for orders for the next one."""
    tag = _TAG.search(subject)
    if tag is None and f"{situation.game.id}, " in subject.lower():
        return _by_news(session, situation, subject)
    if tag is None or not _is_called(situation.game, tag[1]):
        return None
    moment = read_moment(tag[2].upper())
    if moment is None or tag[3] is None:
        return moment
    stored = as_it_was(session, situation, moment)
    return stored.after.moment if stored is not None else moment


def _by_news(session: Session, situation: GameView, subject: str) -> Moment | None:
    """The phase that the news asked orders for, by the phase whose news a subject has."""
    for stored in islice(_back(session, situation), _MOST_LOOKED_AT):
        phase = phase_name(Words(situation.world), stored.before.moment)
        tag = Sentence("news.subject", game=situation.game.id, phase=phase, headline="")
        papers = dict.fromkeys((session.paper, session.services.paper))
        if any(paper.say(tag).strip().lower() in subject.lower() for paper in papers):
            return stored.after.moment
    return None


def _is_called(game: Game, name: str) -> bool:
    return name.lower() == game.id


def _back(session: Session, situation: GameView) -> Iterator[StoredPhase]:
    """The phases that led to the position now, the last one first."""
    stored = situation.phase
    fresh = {phase.number: phase for phase, _ in session.changes.phases}
    while stored.parent is not None:
        yield stored
        stored = fresh.get(stored.parent) or session.uow.phases.get(
            situation.game.id, stored.parent
        )
