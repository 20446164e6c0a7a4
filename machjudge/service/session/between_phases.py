"""What changes a position while a phase waits for its orders: chits given away (ASN-02).

It is stored as a phase without orders and without an end, so that replays and rollbacks see it;
the orders on file move on with the position.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from machjudge.adjudicator.events import ChitGiven, Event
from machjudge.adjudicator.events.evolve import evolve, evolve_all
from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.orders import GiveChit
from machjudge.adjudicator.model.reasons import Objection
from machjudge.adjudicator.money.chits import hand_over
from machjudge.service.game.view import GameView
from machjudge.service.model.holdings import holdings
from machjudge.service.model.records import Holding, Sheet, StoredPhase
from machjudge.service.ports.services import Services


@dataclass(frozen=True, slots=True)
class Interlude:
    """What is to be saved, and how the game stands with it."""

    stored: StoredPhase
    holdings: tuple[Holding, ...]
    sheets: tuple[Sheet, ...]
    """The orders on file, filed again for the phase that goes on."""
    situation: GameView


def chits_given(
    situation: GameView, giver: PowerId, orders: Sequence[GiveChit]
) -> tuple[ChitGiven | Objection, ...]:
    """Each gift in its turn, or why there is none; one that is given cannot be given again."""
    state = situation.state
    found: list[ChitGiven | Objection] = []
    for order in orders:
        given = hand_over(situation.world, state, giver, order.to, order.of)
        if isinstance(given, ChitGiven):
            state = evolve(state, given)
        found.append(given)
    return tuple(found)


def interlude(
    services: Services, situation: GameView, events: Sequence[Event], now: datetime
) -> Interlude:
    """Change the position at once; *events* must be those of an interlude."""
    before = situation.state
    stored = StoredPhase(
        game=situation.game.id,
        number=situation.last_number + 1,
        parent=situation.phase.number,
        moment=before.moment.code,
        before=before,
        after=evolve_all(before, events),
        orders={},
        rules=situation.game.rules,
        events=tuple(events),
        adjudicator=services.judge.version,
        processed=now,
    )
    sheets = {
        power: replace(sheet, after=stored.number) for power, sheet in situation.sheets.items()
    }
    game = replace(situation.game, position=stored.number)
    after = replace(situation, game=game, phase=stored, sheets=sheets, last_number=stored.number)
    rows = holdings(situation.world, stored.after)
    return Interlude(stored, rows, tuple(sheets.values()), after)
