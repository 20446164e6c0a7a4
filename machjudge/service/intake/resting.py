"""Games in which nothing is due: until when nobody need look at them, unless they change."""

from contextlib import suppress
from datetime import datetime, timedelta

from machjudge.service.game.deadlines import Wait, decide, next_decision
from machjudge.service.game.view import load
from machjudge.service.model.records import Game, GameId, Status
from machjudge.service.phases.succession import next_succession, succession
from machjudge.service.ports.interfaces import Stale, UnitOfWork
from machjudge.service.ports.services import Services
from machjudge.service.setup.shared_dice import is_asking

LONGEST_REST = timedelta(days=1)
"""Each running game is looked at once a day, whatever its times are."""


def rest(services: Services, game_id: GameId, now: datetime) -> None:
    """Let a game rest that was just looked at, if nothing is left to be done at *now*."""
    with services.store.reading() as uow:
        game = uow.games.get(game_id)
        if game is None or is_asking(game):
            return
        until = _rests_until(services, uow, game, now)
    if until == now:
        return
    # Whoever changes the game meanwhile wants it looked at.
    with suppress(Stale), services.store.writing() as uow:
        uow.games.rest(game, until)
        uow.commit()


def _rests_until(services: Services, uow: UnitOfWork, game: Game, now: datetime) -> datetime | None:
    """Before when nothing is due: *now* where something is, None where nothing ever will."""
    if game.status is not Status.RUNNING:
        return None
    situation = load(services, uow, game)
    times = (situation.clock, game.conduct, situation.readiness(now), now)
    if succession(services, situation, now) is not None or not isinstance(decide(*times), Wait):
        return now
    instants = (next_decision(*times), next_succession(game, now))
    return min(each for each in (*instants, now + LONGEST_REST) if each is not None)
