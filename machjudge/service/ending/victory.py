"""Games that end by themselves: somebody has won, or a die ends it (VIC-01, VIC-10)."""

from collections.abc import Iterable, Sequence

from machjudge.adjudicator.events import EndThrown, SideWon, VictoryReached
from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.state import State
from machjudge.service.model.ends import End, Ending
from machjudge.service.model.records import Game, StoredPhase


def ending_of(game: Game, played: StoredPhase) -> Ending | None:
    """How a game ends with its last phase; None if it goes on.

    Of several who have won at once, whoever has most cities wins; equals share the win (VIC-08).
    Where a die ends the game, whoever fulfils the condition has won before whoever leads (VIC-10).
    """
    is_known = game.clock is not None and game.clock.won
    counts = game.conduct.auto_victory or is_known or _end_thrown(played) is not None
    return declared(played) if counts else None


def declared(played: StoredPhase) -> Ending | None:
    """How a phase ended its game if what it declares counts; None if it declares no winner."""
    ended, best = _end_thrown(played), _best(played)
    if not best and ended is not None:
        best = _sides(played.after, ended.leaders)
    if not best:
        return None
    winners = tuple(power for side in best for power in side)
    return Ending(End.VICTORY if len(best) == 1 else End.DRAW, winners, played.processed)


def _end_thrown(played: StoredPhase) -> EndThrown | None:
    return next((e for e in played.events if isinstance(e, EndThrown) and e.is_end), None)


def _sides(state: State, powers: Iterable[PowerId]) -> Sequence[tuple[PowerId, ...]]:
    return list(dict.fromkeys(map(state.side_of, powers)))


def _best(played: StoredPhase) -> Sequence[tuple[PowerId, ...]]:
    """The sides that have won with the most cities; nobody if nobody has won."""
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
    return [side for cities, side in won if cities == most]
