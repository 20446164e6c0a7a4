"""The phase as it stands, for the master alone; and the token without which they cannot play it.

A preview throws no die, whenever it is asked for: as long as orders can change, nobody may know
what the dice will say (``docs/dice.md``).
"""

import hmac
from collections.abc import Iterable, Mapping
from datetime import datetime
from hashlib import sha256
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple, TypeAlias

from machjudge.adjudicator.model.dice import Dice, Throw
from machjudge.adjudicator.model.options import OPTIONS, departures
from machjudge.adjudicator.model.presets import JUDGE
from machjudge.language.commands.commands import PlainCommand
from machjudge.letters.page.chances import chance_lines
from machjudge.letters.page.reply import Text
from machjudge.letters.results import results as told
from machjudge.letters.wording.sentences import LineGroup
from machjudge.letters.wording.sight import EVERYTHING
from machjudge.letters.wording.words import Words
from machjudge.reading import Line
from machjudge.sentence import Sentence, Wording
from machjudge.service.credentials.authority import Act
from machjudge.service.game.view import GameView, reader_of, zone_of
from machjudge.service.phases.forecast import Course, foresee
from machjudge.service.phases.process import play_on
from machjudge.service.pictures.seen import pictures_of_orders
from machjudge.service.ports.services import Services
from machjudge.service.session.command import MASTERS, NOT_PLAYED, RUNNING, CommandEntry
from machjudge.service.session.outgoing import sight_of
from machjudge.service.session.session import Session

Groups: TypeAlias = list[tuple[Wording | None, list[Wording]]]
"""Lines by the heads that they stand under."""
_TITLE, _HEAD = attrgetter("title"), attrgetter("head")
_TOKEN_LETTERS = 8


class PreviewRow(NamedTuple):
    """A line of the results, with what it stands under."""

    title: Sentence
    head: Wording | None
    line: Wording


def preview(session: Session, line: Line, _: PlainCommand) -> None:
    """Show what the phase would bring with the orders on file."""
    situation = session.situation()
    if situation is None:
        session.refuse(line, session.why_not_played())
    elif plays_himself(session):
        session.refuse(line, Sentence("phases.preview.you_play"))
    else:
        moment = situation.state.moment
        facts = {
            "phase_words": Words(situation.world).moment(moment),
            **_foreseen(session.services, situation, session.now),
            "code": moment.code,
            "token": token(situation),
            "ends": situation.clock.ends,
            "zone": zone_of(session.services, session.person),
        }
        lines = session.paper.lines("preview", facts)
        session.answer.texts.append(Text(Sentence("phases.preview.title", code=moment.code), lines))
        if reader_of(session.services, session.person, session.now).pictures:
            sight = sight_of(situation.game, [session.seat] if session.seat is not None else [])
            seen = situation.seen_by(sight)
            session.answer.pictures = pictures_of_orders(session.services, seen, sight)


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
    rules = [f"{name}={OPTIONS[name].of(game.rules)}" for name in departures(game.rules, JUDGE)]
    text = f"process/{game.id}/{situation.state.moment.code}/{number}/{sheets}/{rules}"
    return hmac.new(game.secret, text.encode(), sha256).hexdigest()[:_TOKEN_LETTERS]


def _foreseen(services: Services, situation: GameView, now: datetime) -> Mapping[str, object]:
    """What comes anyhow, which dice are still to be thrown, and what each result would do."""
    foreseen = foresee(lambda dice: _told(services, situation, now, dice))
    words = Words(situation.world)
    kinds = list(dict.fromkeys(_kind(throw) for throw in foreseen.throws))
    throws = sorted(foreseen.throws, key=lambda each: kinds.index(_kind(each)))
    return {
        "certain": _by_section(foreseen.certain),
        "throws": [(throw, chance_lines(words, throw)) for throw in throws],
        "courses": [(_dice(each), _by_section(each.lines)) for each in foreseen.courses],
    }


def _told(
    services: Services, situation: GameView, now: datetime, dice: Dice
) -> tuple[PreviewRow, ...]:
    processed = play_on(services, situation, now, dice=dice)
    stored = processed.stored
    seen = EVERYTHING.phase(situation.world, stored.before, stored.after, stored.events)
    played = told.PlayedPhase(seen, processed.orders)
    results = told.results(EVERYTHING.words(situation.world, seen.before), played, thrown=False)
    return tuple(
        PreviewRow(title, each.head, line)
        if isinstance(each, LineGroup)
        else PreviewRow(title, None, line)
        for title, lines in results.sections()
        for each in lines
        for line in (each.lines if isinstance(each, LineGroup) else (each,))
    )


def _by_section(rows: Iterable[PreviewRow]) -> list[tuple[Sentence, Groups]]:
    """The rows by their titles and heads."""
    return [
        (title, [(head, [row.line for row in under]) for head, under in groupby(own, _HEAD)])
        for title, own in groupby(rows, _TITLE)
    ]


def _kind(throw: Throw) -> str:
    return throw.purpose.split()[0]


def _dice(course: Course[PreviewRow]) -> list[str]:
    return [" ".join("+".join(map(str, dice)) for dice in faces) for faces in course.faces]
