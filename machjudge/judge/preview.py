"""The preview of a phase for the master alone, and the token without which they cannot play it.

A preview throws no die: as long as orders can change, nobody may know what the dice will say
(``docs/dice.md``).
"""

import hmac
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from itertools import groupby, product
from operator import attrgetter
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from machjudge.adjudicator.dice import SIDES, Dice, Throw
from machjudge.adjudicator.options import JUDGE, OPTIONS, departures
from machjudge.judge.agreements import agreed_now
from machjudge.judge.commands import MASTERS, NOT_PLAYED, command
from machjudge.judge.credentials import Act
from machjudge.judge.game_view import GameView, reader_of, zone_of
from machjudge.judge.mail_context import MailContext
from machjudge.judge.outgoing import sight_of
from machjudge.judge.pictures import pictures_of_orders
from machjudge.judge.ports import Services
from machjudge.judge.process import play_on
from machjudge.language.commands import PlainCommand
from machjudge.mail_parser.lines import Line
from machjudge.messages import results
from machjudge.messages.render import Text
from machjudge.messages.tables import chance_lines, throw_words
from machjudge.messages.visibility import EVERYTHING
from machjudge.messages.wording import LineGroup, Words
from machjudge.translatable import Message, MessageOrText

ForecastLine = TypeVar("ForecastLine", bound=Hashable)
"""What a reader is told of a course: a text, or any other value."""
Faces: TypeAlias = tuple[tuple[int, ...], ...]

# What a phase would bring as its orders stand, while no die has been thrown for it. A throw that
# decides between two courses (an assassin, a rebellion) is tried with every face, as long as
# there are few of them; of the others (incomes, disasters) only the names are results.
_DECISIVE = ("assassination", "rebellion", "bribe")
"""Prefixes of the purposes of throws that are tried with every face.

If they are too many, only the first kind: an assassin's success brings rebellions.
"""

_MAX_COURSES = 36
"""Combinations of faces that are tried: two dice."""


@dataclass(slots=True)
class OpenDice:
    """Dice that are not thrown: *faces* for some throws, one face for all others."""

    faces: Mapping[tuple[str, int], tuple[int, ...]] = field(default_factory=dict)
    face: int = 1
    asked: dict[tuple[str, int], Throw] = field(default_factory=dict)

    def roll(self, throw: Throw) -> tuple[int, ...]:
        """Return the given faces for a throw."""
        key = (throw.purpose, throw.n)
        self.asked.setdefault(key, throw)
        return self.faces.get(key, (self.face,) * throw.count)


@dataclass(frozen=True, slots=True)
class DiceOutcome(Generic[ForecastLine]):
    """The additional results of some faces."""

    faces: tuple[Faces, ...]
    """The combinations that bring it, each with all decisive throws in their order."""
    lines: tuple[ForecastLine, ...]


@dataclass(frozen=True, slots=True)
class PhaseForecast(Generic[ForecastLine]):
    """The possible results of a phase."""

    certain: tuple[ForecastLine, ...]
    throws: tuple[Throw, ...]
    decisive: tuple[Throw, ...] = ()
    """Those that were tried with every face; empty if there are too many, or none."""
    courses: tuple[DiceOutcome[ForecastLine], ...] = ()


def forecast_phase(tell: Callable[[Dice], tuple[ForecastLine, ...]]) -> PhaseForecast[ForecastLine]:
    """Try the dice of a phase; *tell* plays it with some dice and returns the result."""
    first = OpenDice()
    lines = tell(first)
    if not first.asked:
        return PhaseForecast(lines, ())
    asked = dict(first.asked)
    forecasts = [lines]
    for face in range(2, SIDES + 1):
        dice = OpenDice(face=face)
        forecasts.append(tell(dice))
        asked |= dice.asked
    throws = tuple(asked.values())
    for beginnings in (_DECISIVE, _DECISIVE[:1]):
        decisive = tuple(each for each in throws if each.purpose.startswith(beginnings))
        if decisive and SIDES ** sum(each.count for each in decisive) <= _MAX_COURSES:
            return _tried(tell, throws, decisive)
    return PhaseForecast(_common(forecasts), throws)


def _tried(
    tell: Callable[[Dice], tuple[ForecastLine, ...]],
    throws: tuple[Throw, ...],
    decisive: tuple[Throw, ...],
) -> PhaseForecast[ForecastLine]:
    courses: dict[Faces, tuple[ForecastLine, ...]] = {}
    every = [product(range(1, SIDES + 1), repeat=each.count) for each in decisive]
    for faces in product(*every):
        laid = {(t.purpose, t.n): dice for t, dice in zip(decisive, faces, strict=True)}
        runs = [tell(OpenDice(laid, face)) for face in (1, SIDES)]
        courses[faces] = _common(runs)
    certain = _common(list(courses.values()))
    known = set(certain)
    by_lines: dict[tuple[ForecastLine, ...], list[Faces]] = {}
    for faces, lines in courses.items():
        more = tuple(line for line in lines if line not in known)
        by_lines.setdefault(more, []).append(faces)
    sorted_out = tuple(DiceOutcome(tuple(faces), lines) for lines, faces in by_lines.items())
    return PhaseForecast(certain, throws, decisive, sorted_out)


def _common(forecasts: Sequence[tuple[ForecastLine, ...]]) -> tuple[ForecastLine, ...]:
    """The lines that all of them contain, in the order of the first."""
    others = [set(lines) for lines in forecasts[1:]]
    return tuple(line for line in forecasts[0] if all(line in other for other in others))


Groups: TypeAlias = list[tuple[MessageOrText | None, list[MessageOrText]]]
_TITLE, _HEAD = attrgetter("title"), attrgetter("head")
_TOKEN_LETTERS = 8


class PreviewRow(NamedTuple):
    """A line of the results, with its headings."""

    title: Message
    head: MessageOrText | None
    line: MessageOrText


@command("preview", act=Act.STEER, who=MASTERS, also=("predict",), refused_in=NOT_PLAYED)
def preview(context: MailContext, line: Line, _: PlainCommand) -> None:
    """Show what the phase would bring with the orders on file."""
    view = context.playing()
    if master_plays(context):
        may = context.own_game.settings.master_plays
        context.refuse(line, Message("phases.preview.you_play", may=may))
    else:
        moment = view.state.moment
        facts = {
            "phase_words": Words(view.world).moment(moment),
            **forecast_facts(
                Words(view.world),
                forecast_phase(lambda dice: _rows_for(context.services, view, context.now, dice)),
            ),
            "code": moment.code,
            "token": token(view),
            "ends": view.clock.ends,
            "zone": zone_of(context.services, context.person),
        }
        lines = context.renderer.lines("preview", facts)
        context.answer.texts.append(Text(Message("phases.preview.title", code=moment.code), lines))
        if reader_of(context.services, context.person, context.now).pictures:
            sight = sight_of(view.game, [context.seat] if context.seat is not None else [])
            seen = view.seen_by(sight)
            context.answer.pictures = pictures_of_orders(context.services, seen, sight)


def master_plays(context: MailContext) -> bool:
    """Return True if the speaker also leads a power, so that they may not see orders."""
    return (
        context.game is None or context.seat is None or sight_of(context.game, [context.seat]).plays
    )


def token(view: GameView) -> str:
    """Return eight letters and digits, for the game, the phase and the version of its orders."""
    order_sets = sorted((power, order_set.number) for power, order_set in view.order_sets.items())
    game, number = view.game, view.phase.number
    rules = [f"{name}={OPTIONS[name].of(game.rules)}" for name in departures(game.rules, JUDGE)]
    agreed = [each.number for each in agreed_now(view)] if game.agreements else ""
    text = f"process/{game.id}/{view.state.moment.code}/{number}/{order_sets}/{rules}{agreed}"
    return hmac.new(game.secret, text.encode(), sha256).hexdigest()[:_TOKEN_LETTERS]


def forecast_facts(words: Words, foreseen: PhaseForecast[PreviewRow]) -> Mapping[str, object]:
    """Return what a template prints of a forecast: what is certain, the dice, what they bring."""
    kinds = list(dict.fromkeys(_kind(throw) for throw in foreseen.throws))
    throws = sorted(foreseen.throws, key=lambda each: kinds.index(_kind(each)))
    return {
        "certain": _by_section(foreseen.certain),
        "throws": [
            (throw, throw_words(words, throw), chance_lines(words, throw)) for throw in throws
        ],
        "courses": [
            (list(map(_dice, each.faces)), _by_section(each.lines)) for each in foreseen.courses
        ],
    }


def _rows_for(
    services: Services, view: GameView, now: datetime, dice: Dice
) -> tuple[PreviewRow, ...]:
    processed = play_on(services, view, now, dice=dice)
    stored = processed.stored
    seen = EVERYTHING.phase(view.world, stored.before, stored.after, stored.events)
    played = results.PlayedPhase(*seen, processed.orders)
    words = EVERYTHING.words(view.world, seen.before)
    return rows_of(results.phase_results(words, played, thrown=False))


def rows_of(found: results.Results) -> tuple[PreviewRow, ...]:
    """Return each line of some results with its headings."""
    return tuple(
        PreviewRow(title, each.head, line)
        if isinstance(each, LineGroup)
        else PreviewRow(title, None, line)
        for title, lines in found.sections()
        for each in lines
        for line in (each.lines if isinstance(each, LineGroup) else (each,))
    )


def _by_section(rows: Iterable[PreviewRow]) -> list[tuple[Message, Groups]]:
    return [
        (title, [(head, [row.line for row in under]) for head, under in groupby(own, _HEAD)])
        for title, own in groupby(rows, _TITLE)
    ]


def _kind(throw: Throw) -> str:
    return throw.purpose.split()[0]


def _dice(faces: Faces) -> str:
    return " ".join("+".join(map(str, dice)) for dice in faces)
