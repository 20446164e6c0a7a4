"""``summary``: a game by years."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time
from typing import TypeAlias

from machjudge.adjudicator import events as happened
from machjudge.adjudicator.moments import Moment, Stage
from machjudge.judge.credentials import Act
from machjudge.judge.endings import outcome
from machjudge.judge.game_view import zone_of
from machjudge.judge.mail_context import ANYBODY, ASKING, CommandEntry, Session, Work
from machjudge.judge.outgoing import head_of
from machjudge.judge.pages import TurnRead, TurnReader, line_of_phases, press_for
from machjudge.judge.ports import UnitOfWork
from machjudge.judge.press import missive_of
from machjudge.judge.questions import broken_off, game_meant, game_or_refuse, sight_at
from machjudge.judge.records import Game, StoredPhase
from machjudge.language.commands import History, PlainCommand
from machjudge.language.dates import read_instant
from machjudge.language.words import Problem, read_phase
from machjudge.mail_parser.lines import Line
from machjudge.messages import tables
from machjudge.messages.render import Text
from machjudge.messages.results import Results
from machjudge.messages.tables import Year
from machjudge.messages.visibility import Sight
from machjudge.messages.wording import Words
from machjudge.sentence import Sentence, Wording

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


def summary(session: Session, line: Line, said: PlainCommand) -> None:
    """The game by years: who held what, cities, ducats; and some numbers."""
    name = "" if said.text.lower() in EVERYTHING else said.text
    game = game_or_refuse(session, line, name, "SUMMARY")
    stored = session.find_game(game.id) if game is not None else None
    if stored is None:
        return
    phases = line_of_phases(session.uow, stored)
    if not phases:
        session.refuse(line, Sentence("info.not_begun"))
        return
    words = Words(session.services.world(stored))
    years = _years(session, words, phases, sight_at(session, stored))
    facts = {
        "head": head_of(session.services, stored, phases[-1].after.moment.code),
        "outcome": _outcome(session, words, stored),
        "ownership": tables.ownership(words, years),
        "cities": tables.cities(words, years),
        "treasuries": tables.treasury_chart(words, years),
        **_numbers(session, stored, phases),
    }
    lines = session.paper.lines("summary", facts)
    session.answer.texts.append(Text(Sentence("info.title.summary", game=stored.name), lines))


SUMMARY = CommandEntry(
    "summary",
    ASKING,
    ANYBODY,
    Act.READ,
    summary,
    also=("status",),
    is_dry=True,
)


def _outcome(session: Session, words: Words, game: Game) -> Sentence | None:
    """How the game ended, or when it will; None if it goes on."""
    if game.ending is not None:
        return outcome(words, game.ending)
    if game.clock is None:
        return None
    return broken_off(game.clock, zone_of(session.services, session.person))


def _years(
    session: Session, words: Words, phases: Sequence[StoredPhase], sight: Sight
) -> tuple[Year, ...]:
    """The opening, the end of each year's Fall, and the position now.

    Each once: what a master corrects meanwhile, and a chit that goes to somebody, is no year.
    """
    now = phases[-1]
    shown = {
        phase.after.moment: phase
        for phase in phases
        if phase.parent is None or phase.after.moment.stage is Stage.ADJUSTMENT or phase is now
    }
    return tuple(_year(session.uow, words, phase, now, sight) for phase in shown.values())


def _year(
    uow: UnitOfWork, words: Words, phase: StoredPhase, now: StoredPhase, sight: Sight
) -> Year:
    held = uow.phases.holdings(phase.game, phase.number)
    return Year(
        title="" if phase is now else f"{phase.after.moment.campaign.year % 100:02}",
        state=sight.view(words.world, phase.after, now.after.moment),
        cities={each.power: each.cities for each in held},
        treasuries={
            each.power: each.treasury
            for each in held
            if each.treasury is not None and sight.sees_money_of(each.power)
        },
    )


def _numbers(session: Session, game: Game, phases: Sequence[StoredPhase]) -> Mapping[str, object]:
    """How long it took, how much was written, how the dice fell."""
    until = game.ending.at if game.ending is not None else session.now
    throws = (e for p in phases for e in p.events if isinstance(e, happened.DiceThrown))
    return {
        "played": sum(p.parent is not None and not p.is_interlude for p in phases),
        "lasted": until - phases[0].processed,
        "broadcasts": _broadcasts(session, game),
        "thrown": [die for throw in throws for die in throw.dice],
    }


def _broadcasts(session: Session, game: Game) -> int:
    """How many messages the reader may see that say they went to everybody: no fake stands out."""
    sight = sight_at(session, game)
    items = [i for i in session.uow.press.all_of(game.id) if sight.sees_message(missive_of(i))]
    return sum((item.shown or item.aim).to_all for item in items)
