"""A game of many years, played at random, as the judge has it stored."""

from dataclasses import replace
from datetime import timedelta

from machjudge.judge.records import Status
from tests.games.chronicles import chronicle_of, stored_phases
from tests.games.game import Deal
from tests.games.variations import with_everything
from tests.judge.house import House


def played(phases: int, *, over: bool = False) -> House:
    """A game of 1454 with everything on and so many phases, named Borgia."""
    house = House()
    game, began = house.start(), house.now
    chronicle = chronicle_of(Deal("1454", 4, chosen=with_everything()), phases)
    house.store.tables.phases[:] = stored_phases(
        chronicle, game.id, lambda number: began + timedelta(days=number)
    )
    house.store.tables.games[game.id] = replace(
        game,
        rules=chronicle.phases[0].rules,
        position=chronicle.last,
        status=Status.FINISHED if over else game.status,
        clock=None if over else game.clock,
    )
    return house
