"""Games that end by themselves with the phase in which somebody has won (VIC-01)."""

from machjudge.adjudicator.events import SideWon, VictoryReached
from machjudge.adjudicator.model.names import PowerId
from machjudge.service.model.ends import End, Ending
from machjudge.service.model.records import Game, StoredPhase


def ending_of(game: Game, played: StoredPhase) -> Ending | None:
    """How a game ends with its last phase; None if it goes on.

    Of several who have won at once, whoever has most cities wins; equals share the win (VIC-08).
    """
    if not game.conduct.auto_victory:
        return None
    won: list[tuple[int, tuple[PowerId, ...]]] = []
    for event in played.events:
        match event:
            case VictoryReached():
                won.append((event.cities, (event.power,)))
            case SideWon():
                won.append((event.cities, event.powers))
            case _:
                pass
    most = max((cities for cities, _ in won), default=0)
    best = [side for cities, side in won if cities == most]
    if not best:
        return None
    winners = tuple(power for side in best for power in side)
    return Ending(End.VICTORY if len(best) == 1 else End.DRAW, winners, played.processed)
