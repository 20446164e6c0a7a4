"""The results of a phase for all its readers: worked out once for all who may see the same."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from machjudge.letters.results.results import PlayedPhase, Results, results
from machjudge.letters.wording.sight import Outlook, Sight
from machjudge.letters.wording.words import Words

Render = Callable[[Mapping[str, object]], str]
"""What makes a text of the facts of the results."""


@dataclass(slots=True)
class SharedResults:
    """The results of one phase; what is asked for again, for an equal view, is not made again."""

    words: Words
    played: PlayedPhase
    render: Render
    _made: list[tuple[Outlook, bool, Mapping[str, object]]] = field(default_factory=list)

    def facts(self, sight: Sight) -> Mapping[str, object]:
        """What a page says of the phase: ``results``, and the same as ``results_text``."""
        outlook = sight.outlook(self.played.events, self.words.world.scenario.powers)
        for known, is_master, facts in self._made:
            if known == outlook and is_master == sight.is_master:
                return facts
        facts = self._facts(results(self.words, self.played, sight), is_master=sight.is_master)
        self._made.append((outlook, sight.is_master, facts))
        return facts

    def _facts(self, seen: Results, *, is_master: bool) -> Mapping[str, object]:
        facts = {"results": seen, "is_master": is_master, "is_over": self.played.is_last}
        return {**facts, "results_text": self.render(facts)}
