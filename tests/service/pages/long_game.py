"""A game of many years, played at random, as the judge has it stored."""

from dataclasses import replace
from datetime import timedelta

from machjudge.service.model.records import SheetLine, Status, StoredPhase
from tests.games.chronicles import chronicle_of
from tests.games.game import Deal
from tests.games.variations import with_everything
from tests.service.house import House


def played(phases: int, *, over: bool = False) -> House:
    """A game of 1454 with everything on and so many phases, named Borgia."""
    house = House()
    game = house.start()
    chronicle = chronicle_of(Deal("1454", 4, chosen=with_everything()), phases)
    stored = [
        StoredPhase(
            game=game.id,
            number=entry.number,
            parent=entry.parent,
            moment=entry.moment,
            before=entry.before,
            after=entry.after,
            orders={
                power: tuple(
                    SheetLine(line.written, line.canonical, house.now, None) for line in lines
                )
                for power, lines in entry.orders.items()
            },
            rules=entry.rules,
            events=entry.events,
            adjudicator=entry.adjudicator,
            processed=house.now + timedelta(days=entry.number),
        )
        for entry in chronicle.phases
    ]
    house.store.tables.phases[:] = stored
    house.store.tables.games[game.id] = replace(
        game,
        rules=stored[0].rules,
        position=stored[-1].number,
        status=Status.FINISHED if over else game.status,
        clock=None if over else game.clock,
    )
    return house
