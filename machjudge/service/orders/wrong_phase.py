"""Orders in an answer to a message about another phase, which fit that phase only."""

from dataclasses import dataclass, replace

from machjudge.letters.wording.words import Words
from machjudge.reading import Line
from machjudge.sentence import Sentence
from machjudge.service.game.view import GameView
from machjudge.service.model.records import StoredPhase
from machjudge.service.orders.submit import Given, submit
from machjudge.service.session.replied_phase import answered, as_it_was
from machjudge.service.session.session import Session


@dataclass(frozen=True, slots=True)
class Stray:
    """A line that shows that the orders of a mail are not for the phase that is played."""

    line: Line
    reason: Sentence
    note: Sentence


def stray_line(session: Session, situation: GameView, given: Given) -> Stray | None:
    """The line for which none of the orders is taken; None if they may be for this phase.

    Only where the mail answers a message about another phase, and does not name this one: a line
    that could be ordered then and cannot be now.
    """
    about = None if session.names_phase else answered(session)
    if about is None or not about.is_certain:
        return None
    stored = as_it_was(session, situation, about.moment)
    if stored is None:
        return None
    now = _refused(situation, given)
    then = _refused(_at(situation, stored), given) if now else set()
    line = next((each for each in given.lines if each.number in now - then), None)
    if line is None:
        return None
    here, there = situation.state.moment.code, about.moment.code
    words = Words(situation.world)
    reason = Sentence("orders.other_phase.reason", here=here, there=words.moment(about.moment))
    return Stray(line, reason, Sentence("orders.other_phase.note", here=here, there=there))


def _at(situation: GameView, stored: StoredPhase) -> GameView:
    """The situation as it was when that phase began, with nothing on file."""
    return replace(situation, phase=replace(stored, after=stored.before), sheets={})


def _refused(situation: GameView, given: Given) -> set[int]:
    """The numbers of the lines that cannot be ordered there."""
    return {trouble.number for trouble in submit(situation, given).troubles}
