"""What the master does to end a game with winners: recognise a victory, declare a draw."""

from machjudge.adjudicator.model.names import PowerId
from machjudge.language.commands.commands import Declare
from machjudge.letters.wording.words import Words
from machjudge.reading import Line
from machjudge.sentence import Sentence, Wording
from machjudge.service.credentials.authority import Act
from machjudge.service.ending.ending import end_game
from machjudge.service.ending.voting import together
from machjudge.service.game.view import GameView, living
from machjudge.service.model.ends import End
from machjudge.service.session.audience import no_power, powers_meant
from machjudge.service.session.command import MASTERS, NOT_PLAYED, RUNNING, CommandEntry
from machjudge.service.session.session import Session


def declare(session: Session, line: Line, said: Declare) -> None:
    """Say who has won, or who shares the win (VIC-01, VIC-08)."""
    situation = session.situation()
    if situation is None:
        session.refuse(line, session.why_not_played())
        return
    if not said.draw and not said.powers:
        session.refuse(line, Sentence("ending.say_who_has_won"))
        return
    winners = _winners(situation, said)
    if isinstance(winners, tuple):
        end_game(session, End.DRAW if said.draw else End.VICTORY, winners)
    else:
        session.refuse(line, winners)


DECLARE = CommandEntry(
    "declare",
    RUNNING,
    MASTERS,
    Act.FINAL,
    declare,
    Declare,
    also=("declare victory", "declare draw"),
    refused_in=NOT_PLAYED,
)


def _winners(situation: GameView, said: Declare) -> tuple[PowerId, ...] | Wording:
    """Who is named, or why they cannot win."""
    if not said.powers:
        return living(situation)
    named = powers_meant(situation.world.scenario, said.powers)
    if isinstance(named, str):
        return no_power(situation.world.scenario, named)
    out = [power for power in named if power not in living(situation)]
    if out:
        return Sentence("ending.eliminated", power=Words(situation.world).power(out[0]))
    if said.draw and len({situation.state.side_of(power) for power in named}) == 1:
        return Sentence("ending.draw_of_one")
    return together(situation, named)
