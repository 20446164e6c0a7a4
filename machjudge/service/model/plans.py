"""What a power has on file ahead: orders for later phases, and for every phase of a kind.

All values are frozen.  A plan is kept whole; every change is a new plan with the next number, so
that none that was acknowledged is ever lost.  It belongs to the power, not to whoever leads it: it
outlasts a rollback and a change of players.  A part of a plan whose phase has come stays in it, so
that the phase finds it again when it comes once more after a rollback.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeAlias

from machjudge.adjudicator.model.moments import Moment, Season, Stage, read_moment
from machjudge.adjudicator.model.names import PowerId
from machjudge.service.model.records import GameId, MailId

EVERY = "every "
"""With what the name of a part begins that is for every phase of a kind."""

_SEASONS = tuple(Season)
_STAGES = tuple(Stage)

Target: TypeAlias = Moment | Stage
"""For what orders are kept: one phase, or every phase of a kind."""


@dataclass(frozen=True, slots=True)
class Kept:
    """One order that is kept: as it was written, and in canonical notation."""

    written: str
    canonical: str


@dataclass(frozen=True, slots=True)
class Case:
    """A condition in canonical notation, and what is ordered if it holds; empty for ``else``."""

    condition: str
    items: "tuple[Item, ...]"


@dataclass(frozen=True, slots=True)
class Choice:
    """``if … else if … else … endif``: the first case that holds counts."""

    cases: tuple[Case, ...]


Item: TypeAlias = Kept | Choice


@dataclass(frozen=True, slots=True)
class PlanPart:
    """The part of a plan for one phase, or for every phase of a kind."""

    name: str
    """``S1456M``, or ``every M``."""
    items: tuple[Item, ...] = ()
    waits: bool = False
    """Whether that phase shall not be played before its deadline."""
    flawed: bool = False
    """Whether the last mail about it held lines that were refused."""

    @property
    def target(self) -> Target:
        """For what it is."""
        if self.name.startswith(EVERY):
            return Stage(self.name.removeprefix(EVERY))
        moment = read_moment(self.name)
        if moment is None:
            raise ValueError(self.name)
        return moment

    @property
    def is_empty(self) -> bool:
        """Whether nothing is said in it."""
        return not self.items and not self.waits


@dataclass(frozen=True, slots=True)
class Plan:
    """All that a power has on file ahead."""

    game: GameId
    power: PowerId
    number: int
    """1 for the first plan of the power in this game, then 2, 3, …"""
    parts: tuple[PlanPart, ...]
    """Single phases in their order, then those for every phase of a kind."""
    received: datetime
    mail: MailId | None

    def part(self, target: Target) -> PlanPart:
        """The part for a phase or kind of phase; an empty one where there is none."""
        name = name_of(target)
        return next((part for part in self.parts if part.name == name), PlanPart(name))

    def with_part(self, part: PlanPart) -> "Plan":
        """The plan with a part in place of the one of that name; an empty one is left out."""
        others = [each for each in self.parts if each.name != part.name]
        parts = others if part.is_empty else [*others, part]
        return replace(self, parts=tuple(sorted(parts, key=_rank)))

    def without(self, drops: Callable[[Target], bool]) -> "Plan":
        """The plan without the parts whose target is dropped."""
        return replace(self, parts=tuple(p for p in self.parts if not drops(p.target)))

    def pending(self, now: Moment) -> tuple[PlanPart, ...]:
        """The parts that are still to come when the game is at *now*."""
        return tuple(part for part in self.parts if is_ahead(part.target, now))

    def size(self) -> int:
        """How many orders and conditions it holds."""
        return sum(_size(item) for part in self.parts for item in part.items)


def name_of(target: Target) -> str:
    """The name of the part for a phase or a kind of phase."""
    return target.code if isinstance(target, Moment) else f"{EVERY}{target.value}"


def is_ahead(target: Target, now: Moment) -> bool:
    """Whether a part may still be carried out; one for a kind of phase always may."""
    return isinstance(target, Stage) or now < target


def orders_in(items: tuple[Item, ...]) -> Iterator[Kept]:
    """Every order of a part, whatever its conditions."""
    for item in items:
        if isinstance(item, Kept):
            yield item
        else:
            for case in item.cases:
                yield from orders_in(case.items)


def _rank(part: PlanPart) -> tuple[bool, int, int, int]:
    """Single phases as they follow each other, then kinds of phase."""
    target = part.target
    if isinstance(target, Stage):
        return (True, 0, 0, _STAGES.index(target))
    return (False, target.year, _SEASONS.index(target.season), _STAGES.index(target.stage))


def _size(item: Item) -> int:
    if isinstance(item, Kept):
        return 1
    return sum(1 + sum(_size(each) for each in case.items) for case in item.cases)
