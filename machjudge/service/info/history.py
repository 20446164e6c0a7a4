"""``history``: the results and the press of a game again."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from machjudge.language.commands.commands import History
from machjudge.letters.page.reply import Text
from machjudge.letters.results.results import Results
from machjudge.letters.wording.words import Words
from machjudge.reading import Line
from machjudge.sentence import Sentence, Wording
from machjudge.service.credentials.authority import Act
from machjudge.service.game.view import zone_of
from machjudge.service.info.questions import game_or_refuse, sight_at
from machjudge.service.info.time_span import (
    FIRST_MINUTE,
    LAST_MINUTE,
    game_and_date,
    limit,
)
from machjudge.service.model.records import Game, StoredPhase
from machjudge.service.pages.press_read import press_for
from machjudge.service.pages.turns import TurnRead, TurnReader, line_of_phases
from machjudge.service.session.answered_mail import Work
from machjudge.service.session.command import ANYBODY, ASKING, CommandEntry
from machjudge.service.session.session import Session

_MOST_LINES = 1000


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
    session.work += Work.HISTORY + len(phases)
    first = limit(session, phases, since, FIRST_MINUTE)
    last = limit(session, phases, said.until, LAST_MINUTE)
    for each in (first, last):
        if isinstance(each, Sentence):
            session.refuse(line, each)
            return
    messages = _messages(session, stored)
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
    """The results of each phase as the reader may see them, and the corrections."""
    sight = sight_at(session, game)
    reader = TurnReader(session.services, session.uow, game, sight)
    for turn in reader.turns(phases):
        told = turn.told(sight)
        lines = (_corrected(session, turn),) if told is None else _lines(session, turn, told)
        yield _Part(turn.at, lines)


def _corrected(session: Session, turn: TurnRead) -> Sentence:
    return Sentence(
        "info.history.corrected",
        code=turn.code,
        at=turn.at,
        zone=zone_of(session.services, session.person),
        told=turn.corrected,
    )


def _lines(session: Session, turn: TurnRead, told: Results) -> tuple[str, ...]:
    facts = {
        "code": turn.code,
        "phase_words": turn.words.moment(turn.before.moment),
        "at": turn.at,
        "zone": zone_of(session.services, session.person),
        "sections": told.sections(),
    }
    return session.paper.lines("history", facts)


def _messages(session: Session, game: Game) -> Iterator[_Part]:
    """The press that the reader may see, as they may see it."""
    zone = zone_of(session.services, session.person)
    words = Words(session.services.world(game))
    for press in press_for(session.uow, game, words, sight_at(session, game)):
        told = Sentence(
            "info.history.press", title=press.title, at=press.at, zone=zone, text=press.text
        )
        yield _Part(press.at, (told,))
