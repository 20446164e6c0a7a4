"""The turns of a game as one reader may read them: phases played, and corrections in between."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from machjudge.adjudicator.events.corrections import is_correction
from machjudge.adjudicator.legality.lawful import sort_out
from machjudge.adjudicator.model.moments import Moment
from machjudge.adjudicator.model.state import View
from machjudge.drawing.scene import Scene
from machjudge.letters.page.corrected import correction_lines
from machjudge.letters.results import results
from machjudge.letters.wording.sight import Sight
from machjudge.letters.wording.words import Words
from machjudge.sentence import Wording
from machjudge.service.game.stored_orders import read_order_lines
from machjudge.service.model.records import Game, StoredPhase
from machjudge.service.orders.missing_orders import absent_in
from machjudge.service.pictures.seen import phase_seen
from machjudge.service.ports.interfaces import UnitOfWork
from machjudge.service.ports.services import Services


@dataclass(frozen=True, slots=True)
class TurnRead:
    """A phase that was played, or what the master corrected by one mail while it waited."""

    code: str
    """The code of the phase, such as ``S1454M``."""
    at: datetime
    """When it was played or corrected."""
    words: Words
    before: View
    after: View
    played: results.PlayedPhase | None
    """None for corrections."""
    corrected: tuple[Wording, ...] = ()

    def told(self, sight: Sight) -> results.Results | None:
        """The results as the reader may read them; None for corrections."""
        return None if self.played is None else results.results(self.words, self.played, sight)

    def scene(self, sight: Sight) -> Scene:
        """What a picture of it shows its reader."""
        return Scene(self.after) if self.played is None else phase_seen(self.played, sight)


def line_of_phases(uow: UnitOfWork, game: Game) -> tuple[StoredPhase, ...]:
    """The phases that led to the position now, the opening first; none rolled back."""
    return line_to(game.position, uow.phases.all_of(game.id))


def line_to(number: int | None, phases: Iterable[StoredPhase]) -> tuple[StoredPhase, ...]:
    """Those of some phases that led to the one with that number, the opening first."""
    by_number = {phase.number: phase for phase in phases}
    found: list[StoredPhase] = []
    while number is not None and number in by_number:
        found.append(by_number[number])
        number = by_number[number].parent
    return tuple(reversed(found))


def last_year(turns: Sequence[TurnRead]) -> Sequence[TurnRead]:
    """The turns of the last three campaigns in which something was played."""
    campaigns = dict.fromkeys(turn.before.moment.campaign for turn in reversed(turns))
    last = [*campaigns][:_CAMPAIGNS_OF_A_YEAR]
    return [turn for turn in turns if turn.before.moment.campaign in last]


_CAMPAIGNS_OF_A_YEAR = 3


@dataclass(frozen=True, slots=True)
class TurnReader:
    """Reads the turns of a game for somebody."""

    services: Services
    uow: UnitOfWork
    game: Game
    sight: Sight

    def turns(self, phases: Sequence[StoredPhase]) -> Iterator[TurnRead]:
        """The turns after the opening, of the phases that led to the position now."""
        now = phases[-1].after.moment
        shown = (phase for phase in phases if phase.parent is not None and not phase.is_secret)
        for (is_fix, _, _), group in groupby(shown, key=_kind_of):
            if is_fix:
                yield self._corrected([*group], now)
            else:
                yield from (self._played(phase, now) for phase in group)

    def _played(self, phase: StoredPhase, now: Moment) -> TurnRead:
        world, moment = self.services.world(self.game), phase.before.moment
        orders = {
            power: read_order_lines(world, moment.stage, lines)
            for power, lines in phase.orders.items()
        }
        standing = sort_out(world, phase.before, orders).standing
        on_file = self.uow.sheets.on_file
        sheets = on_file(self.game.id, phase.parent) if phase.parent is not None else {}
        seen = self.sight.phase(world, phase.before, phase.after, phase.events, now)
        played = results.PlayedPhase(seen, standing, absent_in(world, phase, sheets))
        words = self.sight.words(world, seen.before)
        return TurnRead(moment.code, phase.processed, words, seen.before, seen.after, played)

    def _corrected(self, phases: Sequence[StoredPhase], now: Moment) -> TurnRead:
        """What the master has set right while a phase waited for its orders."""
        words, sight = Words(self.services.world(self.game)), self.sight
        told = (
            correction_lines(words, phase.before, phase.after, phase.events, sight, now)
            for phase in phases
        )
        return TurnRead(
            phases[0].moment,
            phases[0].processed,
            words,
            sight.view(words.world, phases[0].before, now),
            sight.view(words.world, phases[-1].after, now),
            None,
            tuple(line for lines in told for line in lines),
        )


def _kind_of(phase: StoredPhase) -> tuple[bool, str, datetime]:
    """Corrections of one mail go together."""
    return is_correction(phase.events), phase.moment, phase.processed
