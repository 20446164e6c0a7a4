"""Votes of the players to end a game: for a draw, or for one of them to have won.

The vote that makes them unanimous ends the game.  Those who are eliminated and seats without a
player are not asked; nobody is told how others vote.
"""

from collections.abc import Sequence
from dataclasses import replace

from machjudge.adjudicator.model.names import PowerId
from machjudge.language.commands.commands import Setting
from machjudge.letters.wording.words import Words
from machjudge.reading import Line
from machjudge.sentence import Sentence, Wording
from machjudge.service.credentials.authority import Act
from machjudge.service.ending.ending import end_game
from machjudge.service.game.view import GameView, living, players
from machjudge.service.model.ends import End
from machjudge.service.model.records import Seat
from machjudge.service.session.audience import no_power, powers_meant
from machjudge.service.session.command import NOT_PLAYED, PLAYERS, PLAYING, CommandEntry
from machjudge.service.session.session import Session


def set_draw(session: Session, line: Line, said: Setting) -> None:
    """Vote for a draw of all survivors, or of some; or take the vote back."""
    seat, situation = session.seat, session.situation()
    if seat is None or situation is None:
        session.refuse(line, session.why_not_played())
        return
    if not said.on:
        session.set_seat(replace(seat, draw=None))
        session.done(Sentence("ending.vote.no_draw"))
        return
    among = _among(situation, said.value)
    if not isinstance(among, tuple):
        session.refuse(line, among)
        return
    session.set_seat(replace(seat, draw=among))
    names = tuple(map(Words(situation.world).power, among))
    session.done(Sentence("ending.vote.draw", among=names))
    count(session)


SET_DRAW = CommandEntry(
    "set draw",
    PLAYING,
    PLAYERS,
    Act.PLAY,
    set_draw,
    setting="draw",
    for_the_living=True,
    refused_in=NOT_PLAYED,
)


def _among(situation: GameView, value: Sequence[str]) -> tuple[PowerId, ...] | Wording:
    """Who shall share the win, or why that is no draw."""
    left = living(situation)
    if not value:
        return left
    if situation.game.conduct.dias:
        return Sentence("ending.vote.draw_of_all")
    named = powers_meant(situation.world.scenario, value)
    if isinstance(named, str):
        return no_power(situation.world.scenario, named)
    if not set(named) <= set(left):
        return Sentence("ending.vote.eliminated_cannot_share")
    if len({situation.state.side_of(power) for power in named}) == 1:
        return Sentence("ending.vote.is_no_draw", power=named[0])
    return together(situation, named)


def set_concede(session: Session, line: Line, said: Setting) -> None:
    """Vote for another power to have won; or take the vote back."""
    seat, situation = session.seat, session.situation()
    if seat is None or situation is None:
        session.refuse(line, session.why_not_played())
        return
    if not said.on:
        session.set_seat(replace(seat, concede=None))
        session.done(Sentence("ending.vote.no_concede"))
        return
    named = powers_meant(situation.world.scenario, said.value)
    objection = _why_not(situation, seat, named)
    if objection is not None or isinstance(named, str):
        session.refuse(line, objection or "")
        return
    winners = together(situation, named)
    session.set_seat(replace(seat, concede=winners[0]))
    names = tuple(map(Words(situation.world).power, winners))
    session.done(Sentence("ending.vote.concede", winners=names))
    count(session)


SET_CONCEDE = CommandEntry(
    "set concede",
    PLAYING,
    PLAYERS,
    Act.PLAY,
    set_concede,
    setting="concede",
    for_the_living=True,
    refused_in=NOT_PLAYED,
)


def _why_not(situation: GameView, seat: Seat, named: tuple[PowerId, ...] | str) -> Wording | None:
    """Why a game cannot be given to whoever is named; None if it can."""
    if not situation.game.conduct.concessions:
        return Sentence("ending.vote.no_concessions")
    if isinstance(named, str):
        scenario = situation.world.scenario
        return no_power(scenario, named) if named else Sentence("ending.vote.to_whom")
    if len(named) != 1:
        return Sentence("ending.vote.to_one")
    if named[0] in seat.powers:
        return Sentence("ending.vote.to_yourself")
    return None if named[0] in living(situation) else Sentence("ending.vote.to_eliminated")


def count(session: Session) -> None:
    """End the game if the votes agree."""
    situation = session.situation()
    if situation is None:
        return
    voters = voters_of(situation)
    draw = _agreed_draw(voters)
    if draw:
        end_game(session, End.DRAW, draw, by_vote=True)
        return
    winner = _agreed_winner(voters)
    if winner is not None:
        end_game(session, End.CONCESSION, together(situation, (winner,)), by_vote=True)


def together(situation: GameView, named: Sequence[PowerId]) -> tuple[PowerId, ...]:
    """The powers with all that win with them: those of one player, if they are not eliminated."""
    meant = {each for power in named for each in situation.state.side_of(power)}
    return tuple(power for power in living(situation) if power in meant)


def voters_of(situation: GameView) -> tuple[Seat, ...]:
    """The seats whose votes count: taken, with a power that is not eliminated."""
    left = set(living(situation))
    return tuple(
        seat
        for seat in players(situation.game)
        if seat.person is not None and left.intersection(seat.powers)
    )


def _agreed_draw(voters: Sequence[Seat]) -> tuple[PowerId, ...] | None:
    """Among whom all want the game drawn, if they do."""
    wishes = {seat.draw for seat in voters}
    return wishes.pop() if len(wishes) == 1 else None


def _agreed_winner(voters: Sequence[Seat]) -> PowerId | None:
    """To whom all others concede, if they do."""
    for winner in sorted({seat.concede for seat in voters if seat.concede is not None}):
        others = [seat for seat in voters if winner not in seat.powers]
        if others and all(seat.concede == winner for seat in others):
            return winner
    return None
