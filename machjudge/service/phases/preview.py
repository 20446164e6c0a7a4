"""The phase as it stands, for the master alone; and the token without which they cannot play it.

A preview throws no die, whenever it is asked for: as long as orders can change, nobody may know
what the dice will say (``docs/dice.md``).
"""

import hmac
from collections.abc import Iterable, Iterator
from dataclasses import fields
from datetime import datetime
from hashlib import sha256
from itertools import pairwise

from machjudge.adjudicator.model.dice import Dice, Throw
from machjudge.language.commands.commands import PlainCommand
from machjudge.letters.page.chances import chance_lines
from machjudge.letters.page.reply import Text
from machjudge.letters.results import results as told
from machjudge.letters.wording.words import Words, counted, listed, moment_words
from machjudge.reading import Line
from machjudge.sentence import Wording
from machjudge.service.credentials.authority import Act
from machjudge.service.game.view import GameView, zone_of
from machjudge.service.phases.forecast import Course, Foreseen, Lines, foresee
from machjudge.service.phases.process import play_on
from machjudge.service.ports.services import Services
from machjudge.service.session.command import MASTERS, NOT_PLAYED, RUNNING, CommandEntry
from machjudge.service.session.outgoing import sight_of
from machjudge.service.session.session import Session

WHO_PLAYS = "you play in this game, so the phase is not shown to you"
_TOKEN_LETTERS = 8
_REMARK = "    "
"""With what the remark on a unit begins, below the line of its order."""
_TABLE_HEAD = "  Power "
"""With what the heads of tables begin."""
_TITLES = {
    "absent": "missing orders",
    "deaths": "assassinations",
    "bought": "changed hands before the moves",
    "ties": "settled by a rule",
    "unrest": "sieges and rebellions",
    "control": "changed hands",
    "fates": "powers",
    "rolls": "variable income",
    "incomes": "income",
    "holdings": "who holds what",
    "marked": "famine, sieges, rebellions",
}
"""The titles of the sections of results that are not called as their fields."""


def preview(session: Session, line: Line, _: PlainCommand) -> None:
    """Show what the phase would bring with the orders on file."""
    situation = session.situation()
    if situation is None:
        session.refuse(line, session.why_not_played())
    elif plays_himself(session):
        session.refuse(line, WHO_PLAYS)
    else:
        moment = situation.state.moment
        facts = {
            "phase_words": moment_words(moment),
            "foreseen": _foreseen_lines(session.services, situation, session.now),
            "process": f"PROCESS {moment.code} {token(situation)}",
            "ends": situation.clock.ends,
            "zone": zone_of(session.services, session.person),
        }
        lines = session.services.paper.lines("preview", facts)
        session.answer.texts.append(Text(f"PREVIEW OF {moment.code}", lines))


PREVIEW = CommandEntry(
    "preview",
    RUNNING,
    MASTERS,
    Act.STEER,
    preview,
    also=("predict",),
    refused_in=NOT_PLAYED,
)


def plays_himself(session: Session) -> bool:
    """Whether whoever speaks also leads a power of the game, so that they may not see orders."""
    return (
        session.game is None or session.seat is None or sight_of(session.game, [session.seat]).plays
    )


def token(situation: GameView) -> str:
    """Bound to the game, the phase and the version of its orders: eight letters and digits."""
    sheets = sorted((power, sheet.number) for power, sheet in situation.sheets.items())
    game, number = situation.game, situation.phase.number
    text = f"process/{game.id}/{situation.state.moment.code}/{number}/{sheets}/{game.rules}"
    return hmac.new(game.secret, text.encode(), sha256).hexdigest()[:_TOKEN_LETTERS]


def _foreseen_lines(services: Services, situation: GameView, now: datetime) -> Lines:
    foreseen = foresee(lambda dice: _told(services, situation, now, dice))
    words = Words(situation.world)
    powers = (words.power(power) for power in situation.world.scenario.powers)
    headings = frozenset(f"  {each}" for each in (*powers, "Provinces:", "Cities:"))
    return (*_titled(foreseen.certain, headings), *_dice_lines(services, words, foreseen))


def _titled(lines: Lines, headings: frozenset[str]) -> Iterator[str]:
    """The lines without titles, and names of powers, below which nothing stands."""
    kept = [
        line
        for line, below in pairwise((*lines, ""))
        if (line not in headings or below.startswith(_REMARK))
        and (not line.startswith(_TABLE_HEAD) or below.startswith(" "))
    ]
    for line, below in pairwise((*kept, "")):
        if line.startswith(" ") or below.startswith(" "):
            yield line


def _told(services: Services, situation: GameView, now: datetime, dice: Dice) -> Lines:
    processed = play_on(services, situation, now, dice=dice)
    words, stored = Words(situation.world), processed.stored
    results = told.results(
        words,
        told.Played(stored.before, stored.after, processed.orders, stored.events),
        thrown=False,
    )
    sections = ((each.name, getattr(results, each.name)) for each in fields(results))
    return tuple(
        line
        for name, told_ in sections
        if told_
        for line in _section(name, _lines_of(services, told_))
    )


def _lines_of(services: Services, told_: Iterable[Wording]) -> Lines:
    return tuple(line for each in told_ for line in services.paper.say(each).split("\n"))


def _section(name: str, lines: Lines) -> Iterator[str]:
    yield f"{_TITLES.get(name, name).upper()}"
    whole: list[str] = []
    for line in lines:
        if whole and line.startswith(_REMARK):
            # A remark alone would not say which unit it is about.
            whole[-1] += f" {line.strip()}"
        else:
            whole.append(line)
    yield from (f"  {line}" for line in whole)


def _dice_lines(services: Services, words: Words, foreseen: Foreseen) -> Iterator[str]:
    """Which dice are still to be thrown, and what each result would do."""
    if not foreseen.throws:
        return
    yield "DICE NOT YET THROWN"
    kinds = list(dict.fromkeys(throw.purpose.split()[0] for throw in foreseen.throws))
    for throw in sorted(foreseen.throws, key=lambda each: kinds.index(each.purpose.split()[0])):
        yield f"  {_throw_words(throw)}"
        yield from (f"    {line}" for line in _lines_of(services, chance_lines(words, throw)))
    for course in foreseen.courses:
        yield from _course_lines(course)


def _throw_words(throw: Throw) -> str:
    again = f", attempt {throw.n}" if throw.n > 1 else ""
    return f"{throw.purpose}{again}: {counted(throw.count, 'die', 'dice')}"


def _course_lines(course: Course) -> Iterator[str]:
    shown = [" ".join("+".join(map(str, dice)) for dice in faces) for faces in course.faces]
    yield f"IF THE DICE SAY {listed(shown, 'or')}"
    yield from course.lines or ("  nothing more happens",)
