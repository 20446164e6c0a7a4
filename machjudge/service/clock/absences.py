"""When players are away, and which of their units are kept when they are silent."""

import re
from dataclasses import replace
from datetime import datetime, time, timedelta

from machjudge.adjudicator.model.units import Kind
from machjudge.language.commands.commands import Setting
from machjudge.language.vocabulary.lexicon import Several, Unknown
from machjudge.reading import Line
from machjudge.sentence import Sentence
from machjudge.service.clock.this_phase import instant_of
from machjudge.service.credentials.authority import Act
from machjudge.service.game.view import zone_of
from machjudge.service.model.records import Absence, Game, Seat
from machjudge.service.session.command import PLAYERS, PLAYERS_AND_MASTER, PLAYING, CommandEntry
from machjudge.service.session.outgoing import addressees, announce
from machjudge.service.session.session import Session

MOST_ABSENCES = 3
"""How many absences somebody may have pending."""
_DAY = timedelta(days=1)
_FIRST_MINUTE, _LAST_MINUTE = time(0, 0), time(23, 59)
_TO = re.compile(r"\s+(?:to|until|till)\s+|\s+-\s+", re.IGNORECASE)
_MOST_WISHES = 40


def set_absence(session: Session, line: Line, said: Setting) -> None:
    """Be away for some time: no deadline that is set from now on falls into it."""
    game, seat = session.game, session.seat
    if game is None or seat is None:
        return
    pending = tuple(each for each in seat.absences if each.end > session.now)
    if not said.on:
        _clear(session, line, seat, pending, "".join(said.value))
        return
    absence = _absence(session, line, said.value[0])
    if absence is None:
        return
    # A longer one is the master's to allow: they write it for the player, after BECOME.
    most = None if session.became else game.conduct.most_absent_days
    flaw = _flaw(pending, absence, most)
    if flaw is not None:
        session.refuse(line, flaw)
        return
    kept = tuple(sorted((*pending, absence), key=lambda each: each.start))
    _keep(session, seat, kept)
    session.note("absence", Sentence("clock.absence.noted", seat=seat.number, absence=absence))
    session.done(Sentence("clock.absence.set", absence=_told(session, absence)))
    if game.clock is not None and absence.start <= game.clock.deadline <= absence.end:
        session.done(Sentence("clock.absence.deadline_stays"))
    _tell_master(session, seat)


SET_ABSENCE = CommandEntry(
    "set absence",
    PLAYING,
    PLAYERS_AND_MASTER,
    Act.PLAY,
    set_absence,
    setting="absence",
    also=("set holiday", "set vacation", "set noabsence"),
    for_the_living=True,
)


def _absence(session: Session, line: Line, text: str) -> Absence | None:
    """The time that somebody wrote; without an end it is a day."""
    zone = zone_of(session.services, session.person)
    first, *rest = _TO.split(text.removeprefix("from ").strip(), maxsplit=1)
    if first.lower() in ("now", "today"):
        start: datetime | None = session.now
    else:
        start = instant_of(session, line, first, zone, _FIRST_MINUTE)
    if start is None:
        return None
    end = instant_of(session, line, rest[0], zone, _LAST_MINUTE) if rest else start + _DAY
    return Absence(start, end) if end is not None else None


def _flaw(pending: tuple[Absence, ...], absence: Absence, most: int | None) -> Sentence | None:
    if absence.end <= absence.start:
        return Sentence("clock.absence.ends_before")
    if len(pending) >= MOST_ABSENCES:
        return Sentence("clock.absence.too_many", most=MOST_ABSENCES)
    if most is not None and absence.end - absence.start > (most + 1) * _DAY:
        return Sentence("clock.absence.too_long", most=most)
    return None


def _clear(
    session: Session, line: Line, seat: Seat, pending: tuple[Absence, ...], number: str
) -> None:
    """Take one absence away by its number, or all of them."""
    if not number or number.lower() == "all":
        _keep(session, seat, ())
        session.done(Sentence("clock.absence.all_gone"))
        _tell_master(session, seat, gone=pending)
    elif number.isdecimal() and 1 <= int(number) <= len(pending):
        gone = pending[int(number) - 1]
        _keep(session, seat, tuple(each for each in pending if each is not gone))
        session.done(Sentence("clock.absence.gone", absence=_told(session, gone)))
        _tell_master(session, seat, gone=(gone,))
    else:
        session.refuse(line, Sentence("clock.absence.unknown", have=len(pending)))


def _keep(session: Session, seat: Seat, absences: tuple[Absence, ...]) -> None:
    session.set_seat(replace(seat, absences=absences))


def _told(session: Session, absence: Absence) -> Sentence:
    """From when and to when, in the zone of whoever writes and in UTC."""
    zone = zone_of(session.services, session.person)
    return Sentence("clock.absence.lasts", absence=absence, zone=zone)


def _tell_master(session: Session, seat: Seat, gone: tuple[Absence, ...] = ()) -> None:
    """Masters read who is away, and who no more; players read the deadlines that follow."""
    game, person = session.game, session.person
    left = _absences(game, seat, session.now) if game is not None else ()
    if game is None or not (gone or left):
        return
    name = person.name if person is not None else seat.address
    lines = [Sentence("clock.absence.ended", name=name)] if gone else []
    lines += [_told(session, each) for each in gone]
    lines += [Sentence("clock.absence.pending", name=name)] if left else []
    lines += [_told(session, each) for each in left]
    masters = {
        to.address
        for to in addressees(session.services, game, session.people(game), session.now)
        if to.sight.is_master
    }
    announce(session, game, Sentence("clock.absence.subject"), lines, only=masters)


def _absences(game: Game, seat: Seat, now: datetime) -> tuple[Absence, ...]:
    kept = next((s.absences for s in game.seats if s.number == seat.number), ())
    return tuple(each for each in kept if each.end > now)


def set_priority(session: Session, line: Line, said: Setting) -> None:
    """Say which units the judge keeps first in an adjustment without orders."""
    game, seat = session.game, session.seat
    if game is None or seat is None:
        return
    if not said.on:
        session.set_seat(replace(seat, priority=()))
        session.done(Sentence("clock.priority.judge"))
        return
    items = [" ".join(item.split()) for item in said.value[0].split(",")]
    wishes = [_wish(session, game, item) for item in items if item]
    wrong = [item for item, wish in zip(filter(None, items), wishes, strict=True) if wish is None]
    if wrong or not wishes or len(wishes) > _MOST_WISHES:
        session.refuse(line, Sentence("clock.priority.unknown", wrong=wrong[0] if wrong else ""))
        return
    kept = tuple(dict.fromkeys(wish for wish in wishes if wish is not None))
    session.set_seat(replace(seat, priority=kept))
    session.done(Sentence("clock.priority.set", kept=kept))


SET_PRIORITY = CommandEntry(
    "set priority",
    PLAYING,
    PLAYERS,
    Act.PLAY,
    set_priority,
    setting="priority",
)


def _wish(session: Session, game: Game, item: str) -> str | None:
    """A unit, a place or a kind as it is kept: ``A mil``, ``mil``, ``A``; nothing if it is none."""
    letter, _, rest = item.partition(" ")
    kinds = [kind.value for kind in Kind if letter.lower() in (kind.value.lower(), _full(kind))]
    if kinds and not rest:
        return kinds[0]
    name = (rest if kinds else item).lower()
    place = session.lexicon(game).place(name)
    if isinstance(place, Several | Unknown):
        return None
    return f"{kinds[0]} {place}" if kinds else str(place)


def _full(kind: Kind) -> str:
    return kind.name.lower()
