"""``history``: the results and the press of a game again."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from machjudge.adjudicator.events.corrections import is_correction
from machjudge.adjudicator.legality.lawful import sort_out
from machjudge.adjudicator.model.moments import Moment
from machjudge.language.commands.commands import History
from machjudge.letters.page.corrections import correction_lines
from machjudge.letters.page.press import Aim, title
from machjudge.letters.page.reply import Text
from machjudge.letters.results import results
from machjudge.letters.wording.sight import Sight
from machjudge.letters.wording.words import Words
from machjudge.reading import Line
from machjudge.sentence import Sentence, Wording
from machjudge.service.credentials.authority import Act
from machjudge.service.game.stored_orders import read_order_lines
from machjudge.service.game.view import zone_of
from machjudge.service.info.questions import game_or_refuse, sight_at
from machjudge.service.info.time_span import (
    FIRST_MINUTE,
    LAST_MINUTE,
    game_and_date,
    limit,
)
from machjudge.service.model.records import Game, PressItem, StoredPhase
from machjudge.service.orders.missing_orders import absent_in
from machjudge.service.ports.interfaces import UnitOfWork
from machjudge.service.press.press_message import missive_of
from machjudge.service.session.command import ANYBODY, ASKING, CommandEntry
from machjudge.service.session.outgoing import sight_of
from machjudge.service.session.session import Session

_MOST_LINES = 1000


def line_of_phases(uow: UnitOfWork, game: Game) -> tuple[StoredPhase, ...]:
    """The phases that led to the position now, the opening first; none rolled back."""
    by_number = {phase.number: phase for phase in uow.phases.all_of(game.id)}
    found: list[StoredPhase] = []
    number = game.position
    while number is not None and number in by_number:
        found.append(by_number[number])
        number = by_number[number].parent
    return tuple(reversed(found))


@dataclass(frozen=True, slots=True)
class _Part:
    """Something that the reader has read, or may."""

    at: datetime
    lines: tuple[Wording, ...]


def history(session: Session, line: Line, said: History) -> None:
    """Results since a phase or an instant, and the press that the reader may see."""
    name, since = game_and_date(session, said)
    game = game_or_refuse(session, line, name, "HISTORY")
    stored = session.find_game(game.id) if game is not None else None
    if stored is None:
        return
    phases = line_of_phases(session.uow, stored)
    first = limit(session, phases, since, FIRST_MINUTE)
    last = limit(session, phases, said.until, LAST_MINUTE)
    for each in (first, last):
        if isinstance(each, Sentence):
            session.refuse(line, each)
            return
    messages = _messages(session, stored, sight_at(session, stored))
    parts = [*(_results(session, stored, phases) if phases else ()), *messages]
    shown = [part for part in parts if _is_within(part.at, first, last)]
    told = (part.lines for part in sorted(shown, key=lambda part: part.at))
    lines = [
        text for part in told for line in ("", *part) for text in session.say(line).split("\n")
    ]
    _send(session, stored, lines, said.lines or _MOST_LINES)


HISTORY = CommandEntry(
    "history",
    ASKING,
    ANYBODY,
    Act.READ,
    history,
    History,
    is_dry=True,
)


def _send(session: Session, game: Game, lines: Sequence[str], most: int) -> None:
    shown: list[Wording] = [*lines[:most]] or [Sentence("info.history.nothing")]
    if len(lines) > most:
        more = Sentence("info.history.more", n=len(lines) - most, game=game.name)
        shown += ["", more]
    title = Sentence("info.title.history", game=game.name)
    session.answer.texts.append(Text(title, tuple(shown)))


def _is_within(at: datetime, since: object, until: object) -> bool:
    is_after = not isinstance(since, datetime) or at >= since
    return is_after and (not isinstance(until, datetime) or at <= until)


def _results(session: Session, game: Game, phases: Sequence[StoredPhase]) -> Iterator[_Part]:
    """The results of each phase as somebody without a seat may see them, and the corrections."""
    sight, now = sight_of(game, []), phases[-1].after.moment
    shown = (phase for phase in phases if phase.parent is not None and not phase.is_secret)
    for (is_fix, _, at), group in groupby(shown, key=_kind_of):
        if is_fix:
            yield _Part(at, (_corrected(session, game, [*group], now),))
        else:
            for phase in group:
                yield _Part(at, _result_lines(session, game, phase, sight, now))


def _kind_of(phase: StoredPhase) -> tuple[bool, str, datetime]:
    """Corrections of one mail go together."""
    return is_correction(phase.events), phase.moment, phase.processed


def _corrected(
    session: Session, game: Game, phases: Sequence[StoredPhase], now: Moment
) -> Sentence:
    """What the master has set right while a phase waited for its orders."""
    words, sight = Words(session.services.world(game)), sight_at(session, game)
    told = (
        correction_lines(words, phase.before, phase.after, phase.events, sight, now)
        for phase in phases
    )
    return Sentence(
        "info.history.corrected",
        code=phases[0].moment,
        at=phases[0].processed,
        zone=zone_of(session.services, session.person),
        told=tuple(line for lines in told for line in lines),
    )


def _result_lines(
    session: Session, game: Game, phase: StoredPhase, sight: Sight, now: Moment
) -> tuple[str, ...]:
    world, moment = session.services.world(game), phase.before.moment
    orders = {
        power: read_order_lines(world, moment.stage, lines) for power, lines in phase.orders.items()
    }
    standing = sort_out(world, phase.before, orders).standing
    sheets = session.uow.sheets.on_file(game.id, phase.parent) if phase.parent is not None else {}
    seen = sight.phase(world, phase.before, phase.after, phase.events, now)
    words = sight.words(world, seen.before)
    played = results.PlayedPhase(seen, standing, absent_in(world, phase, sheets))
    facts = {
        "code": moment.code,
        "phase_words": words.moment(moment),
        "at": phase.processed,
        "zone": zone_of(session.services, session.person),
        "sections": results.results(words, played, sight).sections(),
    }
    return session.paper.lines("history", facts)


def _messages(session: Session, game: Game, sight: Sight) -> Iterator[_Part]:
    """The press that the reader may see, as they may see it."""
    for item in session.uow.press.all_of(game.id):
        if sight.sees_message(missive_of(item)):
            zone, title = zone_of(session.services, session.person), _title(item, sight)
            told = Sentence(
                "info.history.press", title=title, at=item.at, zone=zone, text=item.text
            )
            yield _Part(item.at, (told,))


def _title(item: PressItem, sight: Sight) -> Wording:
    missive = missive_of(item)
    signed = item.author if sight.sees_signature(missive) else ""
    if item.postal:
        return Sentence("info.history.postal", author=signed)
    if item.shown is None or sight.sees_author(missive):
        aim = Aim(item.aim, to_all=not item.readers)
    else:
        aim = Aim(item.shown, to_all=item.shown_to_all)
    return title(signed, aim, anonymous=item.anonymous)
