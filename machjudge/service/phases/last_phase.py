"""Phases with which a game ends by itself."""

from dataclasses import replace
from datetime import datetime

from machjudge.adjudicator.model.names import PowerId
from machjudge.service.ending.ending import end_by_itself
from machjudge.service.game.view import GameView
from machjudge.service.model.records import PersonId
from machjudge.service.phases.process import process
from machjudge.service.ports.changes import Changes
from machjudge.service.ports.interfaces import UnitOfWork
from machjudge.service.ports.services import Services


def process_to_the_end(
    services: Services,
    uow: UnitOfWork,
    situation: GameView,
    now: datetime,
    by: PersonId | None = None,
    late: frozenset[PowerId] = frozenset(),
) -> tuple[Changes, GameView]:
    """Play a phase as `process` does, and write the last mail where the game ends with it."""
    changes, after = process(services, situation, now, by, late)
    if after.game.ending is not None:
        end_by_itself(services, uow, after, after.game.ending, changes)
        after = replace(after, game=changes.game or after.game)
    return changes, after
