"""The results of a phase for all its readers: worked out once for all who may see the same."""

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from machjudge.adjudicator.events import Event
from machjudge.adjudicator.model.moments import Stage
from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.world import World
from machjudge.letters.results.headline import headline
from machjudge.letters.results.moves import PowerReport
from machjudge.letters.results.news import news, standings
from machjudge.letters.results.orders_told import orders_of, own_orders
from machjudge.letters.results.results import (
    PlayedPhase,
    adjustments,
    results,
    unit_reports,
)
from machjudge.letters.wording.parts import parts_of
from machjudge.letters.wording.sentences import LineGroup
from machjudge.letters.wording.sight import Outlook, Sight
from machjudge.letters.wording.words import Words
from machjudge.sentence import Wording

T = TypeVar("T")

Render = Callable[[Mapping[str, object]], str]
"""What makes a text of the facts of the results."""

Say = Callable[[Wording], str]
"""What makes a text of a sentence."""


@dataclass(slots=True)
class SharedResults:
    """The results of one phase; what is asked for again, for an equal view, is not made again."""

    words: Words
    played: PlayedPhase
    render: Render
    say: Say
    _reports: tuple[PowerReport, ...] | None = None
    _orders: Mapping[PowerId, LineGroup] | None = None
    _made: list[tuple[Outlook, bool, dict[object, Any]]] = field(default_factory=list)
    _last: tuple[Sight, dict[object, Any]] | None = None

    def once(self, sight: Sight, make: Callable[[PlayedPhase, Sight], T]) -> T:
        """What *make* makes of the phase: once for all who see as much."""
        made = self._made_for(sight)
        if make not in made:
            made[make] = make(self.played, sight)
        found: T = made[make]
        return found

    def _made_for(self, sight: Sight) -> dict[object, Any]:
        """What is made already for those who see as much."""
        if self._last is None or self._last[0] is not sight:
            outlook = sight.outlook(self.played.events, self.words.world.scenario.powers)
            key = (outlook, sight.is_master)
            made = next((made for *known, made in self._made if (*known,) == key), None)
            if made is None:
                made = {}
                self._made.append((*key, made))
            self._last = (sight, made)
        return self._last[1]

    def facts(self, sight: Sight) -> Mapping[str, object]:
        """What a page says of the phase to all who see as much: the texts between its own parts."""
        return self.once(sight, self._facts)

    def _facts(self, played: PlayedPhase, sight: Sight) -> Mapping[str, object]:
        seen = results(self.words, played, sight)
        return {
            "results": seen,
            "is_master": sight.is_master,
            "is_over": played.is_last,
            "plots_text": self.render({"sections": seen.plots()}),
            "rest_text": self.render({"sections": seen.rest()}),
            "standing": tuple(map(self.say, standings(self.words, played, sight))),
        }

    def reports(self) -> tuple[PowerReport, ...]:
        """What became of the orders of all units."""
        if self._reports is None:
            parts = parts_of(self.played.before, self.played.events)
            self._reports = unit_reports(self.words, self.played, parts)
        return self._reports

    def others(self, powers: Collection[PowerId]) -> tuple[LineGroup, ...]:
        """The orders of the other powers, said once for all who read of them."""
        if self._orders is None:
            self._orders = {each.id: orders_of(each, self.say) for each in self.reports()}
        return tuple(group for power, group in self._orders.items() if power not in powers)


@dataclass(slots=True)
class ResultsForAll:
    """The results of one phase, for readers who see different units, or not the kinds of all."""

    world: World
    see: Callable[[Sight], PlayedPhase]
    """The phase as a reader sees it."""
    render: Render
    say: Say
    _made: dict[Hashable, SharedResults] = field(default_factory=dict)

    def seen_by(self, sight: Sight) -> SharedResults:
        """The results that this reader shares with all who see as much."""
        known = sight.shares(self.world.scenario.powers)
        if known not in self._made:
            seen = self.see(sight)
            words = sight.words(self.world, seen.before)
            self._made[known] = SharedResults(words, seen, self.render, self.say)
        return self._made[known]


def events_seen(played: PlayedPhase, sight: Sight) -> tuple[Event, ...]:
    """The events of a phase of which somebody may read."""
    return sight.visible(played.events)


def told_to(shared: SharedResults, sight: Sight, powers: Sequence[PowerId]) -> Mapping[str, object]:
    """What a page says of the phase to the one reader who leads *powers*."""
    words, played, reports = shared.words, shared.played, shared.reports()
    stage, events = played.before.moment.stage, shared.once(sight, events_seen)
    own = own_orders(words, stage, reports, powers, events)
    ended = [each.fields["failed"] is True for each in own if each.fields["ordered"] is True]
    return {
        "news": news(words, played, events, powers),
        "headline": headline(words, played, events, powers),
        "failed": sum(ended),
        "ordered": len(ended),
        "own_orders": own,
        "others": tuple(adjustments(words, events, played.absent, powers))
        if stage is Stage.ADJUSTMENT
        else shared.others(powers),
    }
