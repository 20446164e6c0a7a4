"""The results of a phase, section by section, as far as its reader may see them."""

from collections.abc import Sequence
from dataclasses import dataclass

from machjudge.adjudicator import events as happened
from machjudge.adjudicator.events import Event
from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.orders import Orders
from machjudge.adjudicator.state import State
from machjudge.letters import tables, told
from machjudge.letters.expenses import with_payments
from machjudge.letters.moves import PowerReport, movement
from machjudge.letters.sight import EVERYTHING, Sight
from machjudge.letters.words import Words


@dataclass(frozen=True, slots=True)
class Played:
    """A phase as it was played: the orders that stood, and what happened."""

    before: State
    after: State
    orders: Orders
    events: Sequence[Event]


@dataclass(frozen=True, slots=True)
class Results:
    """The lines of each section; what did not happen is empty."""

    victory: tuple[str, ...]
    money: tuple[str, ...]
    movement: tuple[str, ...]
    ties: tuple[str, ...]
    disbanded: tuple[str, ...]
    unrest: tuple[str, ...]
    dislodged: tuple[str, ...]
    retreats: tuple[str, ...]
    control: tuple[str, ...]
    fates: tuple[str, ...]
    adjustment: tuple[str, ...]
    disasters: tuple[str, ...]
    rolls: tuple[str, ...]
    incomes: tuple[str, ...]
    holdings: tuple[str, ...]
    """After Fall only: the yearly survey."""
    treasuries: tuple[str, ...]


def results(words: Words, played: Played, sight: Sight = EVERYTHING) -> Results:
    """What a phase brought, as far as this reader may see it."""
    stage = played.before.moment.stage
    campaign, adjusting = stage is Stage.CAMPAIGN, stage is Stage.ADJUSTMENT
    events = sight.visible(played.events)
    return Results(
        victory=told.tell(told.VICTORY, words, events),
        money=told.tell(told.MONEY, words, with_payments(events)),
        movement=_movement(words, played) if campaign else (),
        ties=told.tell(told.TIES, words, events),
        disbanded=told.tell(told.DISBANDED, words, events) if campaign else (),
        unrest=told.tell(told.UNREST, words, events),
        dislodged=told.tell(told.DISLODGED, words, events) if campaign else (),
        retreats=told.tell(told.RETREATS, words, events) if stage is Stage.RETREATS else (),
        control=tables.control_changes(words, played.before, played.after),
        fates=told.tell(told.FATES, words, events),
        adjustment=_adjustment(words, events) if adjusting else (),
        disasters=told.tell(told.DISASTERS, words, events),
        rolls=tables.rolls(words, events),
        incomes=tables.incomes(words, played.after, events),
        holdings=_survey(words, played.after) if not adjusting else (),
        treasuries=() if _tells_income(events) else tables.treasuries(words, played.after, sight),
    )


def _movement(words: Words, played: Played) -> tuple[str, ...]:
    reports = movement(words, played.before, played.orders, played.events)
    return tuple(line for report in reports for line in _lines(report))


def _lines(report: PowerReport) -> list[str]:
    lines = [report.power]
    for unit in report.units:
        lines.append(f"  {unit.order}")
        lines += [f"    {remark}" for remark in unit.remarks]
    return lines


def _adjustment(words: Words, events: Sequence[Event]) -> tuple[str, ...]:
    lines: list[str] = []
    for power in words.world.scenario.in_play:
        acts = told.adjustment_of(words, power, events)
        if acts:
            lines += [words.power(power), *(f"  {act}" for act in acts)]
    return tuple(lines)


def _survey(words: Words, after: State) -> tuple[str, ...]:
    return tables.holdings(words, after) if after.moment.stage is Stage.ADJUSTMENT else ()


def _tells_income(events: Sequence[Event]) -> bool:
    return any(isinstance(event, happened.IncomePaid) for event in events)
