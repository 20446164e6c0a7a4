"""Who kept the deadlines of a game, and what that says of a person in all their games."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from machjudge.adjudicator.model.names import PowerId
from machjudge.sentence import Sentence
from machjudge.service.game.needs import has_to_order
from machjudge.service.game.view import GameView, players, seat_of
from machjudge.service.model.conduct import Conduct
from machjudge.service.model.records import Attendance, Game, PersonId, Status

_ALL = 100


def attended(game: Game, person: PersonId) -> Attendance:
    """How somebody kept the deadlines of a game so far."""
    found = (each for each in game.attendance if each.person == person)
    return next(found, Attendance(person))


def with_late(situation: GameView, late: frozenset[PowerId]) -> Game:
    """The deadline is over: whoever is late is noted down, the others were in time."""
    return _noted(situation, late)


def with_phase_played(situation: GameView, now: datetime) -> Game:
    """A phase is played: its players were in time, unless its deadline has been counted already.

    Whoever is still missing at *now* is late after the deadline; before it, because a master has
    the phase played before its time, they are not noted.
    """
    clock = situation.game.clock
    told = clock.late_told if clock is not None else None
    if clock is None or (told is not None and told >= clock.deadline):
        return situation.game
    missing = situation.readiness().missing
    if now >= clock.deadline:
        return _noted(situation, missing)
    return _noted(situation, frozenset(), missing)


def _noted(
    situation: GameView, late: frozenset[PowerId], skipped: frozenset[PowerId] = frozenset()
) -> Game:
    """Each person once, however many powers they lead: late with one is late."""
    game = situation.game
    for seat in players(game):
        asked = [p for p in seat.powers if has_to_order(situation.world, situation.state, p)]
        if seat.person is None or not asked or skipped.intersection(asked):
            continue
        old = attended(game, seat.person)
        was_late = bool(late.intersection(asked))
        game = _with(
            game, replace(old, on_time=old.on_time + (not was_late), late=old.late + was_late)
        )
    return game


def with_left(game: Game, people: Iterable[PersonId | None]) -> Game:
    """These have left their seats in a game that is being played."""
    for person in people:
        if person is not None and game.status is Status.RUNNING:
            old = attended(game, person)
            game = _with(game, replace(old, left=old.left + 1))
    return game


def _with(game: Game, changed: Attendance) -> Game:
    others = (each for each in game.attendance if each.person != changed.person)
    return replace(game, attendance=(*others, changed))


def times_late(game: Game, power: PowerId) -> int:
    """How often whoever leads a power now was late in this game."""
    seat = seat_of(game, power)
    return attended(game, seat.person).late if seat is not None and seat.person is not None else 0


# --- in all games ----------------------------------------------------------------------------


def record_of(games: Iterable[Game], person: PersonId) -> tuple[Attendance, ...]:
    """How somebody kept the deadlines of games, one for each that knows them.

    An anonymous game that is not over tells nothing: else one could see who is late in it.
    """
    open_ = (g for g in games if not g.conduct.anonymous or g.status is Status.FINISHED)
    return tuple(each for game in open_ for each in game.attendance if each.person == person)


def percent_on_time(record: Iterable[Attendance]) -> int | None:
    """Of 100 phases those that were ordered in time; nothing where there were none."""
    kept = list(record)
    on_time = sum(each.on_time for each in kept)
    phases = on_time + sum(each.late for each in kept)
    return on_time * _ALL // phases if phases else None


def percent_left(record: Iterable[Attendance]) -> int | None:
    """Of 100 games those that they left; nothing where there were none."""
    kept = list(record)
    return sum(bool(each.left) for each in kept) * _ALL // len(kept) if kept else None


def flaw_of(conduct: Conduct, record: Iterable[Attendance]) -> Sentence | None:
    """Why somebody with such a record may not join; whoever has none may."""
    kept = list(record)
    on_time, left = percent_on_time(kept), percent_left(kept)
    if on_time is not None and on_time < conduct.least_on_time:
        return Sentence("game.too_late", least=conduct.least_on_time, yours=on_time)
    if left is not None and left > conduct.most_left:
        return Sentence("game.left_too_many", most=conduct.most_left, yours=left)
    return None
