"""The name that signs a mail, without a closing line above it.

In most phases no order is a bare name, so a name at the end is a signature. In an adjustment
"Florence" may mean to keep the army there, unless it is the name of the power that writes.
"""

import re

from machjudge.adjudicator.model.moments import Stage
from machjudge.adjudicator.model.names import PowerId
from machjudge.language.vocabulary.said import Parsed, Problem
from machjudge.letters.wording.words import Words
from machjudge.reading import Line
from machjudge.sentence import Sentence
from machjudge.service.game.view import GameView
from machjudge.service.session.incoming import vocabulary
from machjudge.service.session.session import Session
from machjudge.service.session.unread_lines import tell_unread

_NAME = re.compile(r"[^\W\d_][\w.'’-]*(?: [^\W\d_][\w.'’-]*){0,2}[.,!]?$")


def without_farewell(
    session: Session, situation: GameView, lines: tuple[Line, ...]
) -> tuple[Line, ...]:
    """The lines without a name that stands alone below all others; the answer names it."""
    if len(lines) <= 1 or not _stands_alone(session, lines[-1]):
        return lines
    name = lines[-1].text.rstrip(" .,!")
    power = session.power
    is_own = power is not None and _calls(situation, power, name)
    if not is_own and may_be_order(session, situation, name):
        return lines
    keeps = situation.state.moment.stage is Stage.ADJUSTMENT
    if is_own and keeps and any(_is_bare(session, situation, line.text) for line in lines[:-1]):
        return lines
    tell_unread(session, lines[-1:])
    session.answer.ignored.append(Sentence("lines.your_name"))
    return lines[:-1]


def _stands_alone(session: Session, line: Line) -> bool:
    """Whether a line of up to three words is the last of the mail, below an empty one."""
    said = session.mail.instructions
    at = next((n for n, each in enumerate(said) if each.number == line.number), 0)
    is_last = at > 0 and at == len(said) - 1
    return is_last and said[at - 1].number < line.number - 1 and bool(_NAME.match(line.text))


def _is_bare(session: Session, situation: GameView, text: str) -> bool:
    """Whether a line orders by a name alone, so that the mail is a list of such."""
    is_name = bool(_NAME.match(text)) and not vocabulary().begins_command(text)
    return is_name and may_be_order(session, situation, text)


def _calls(situation: GameView, power: PowerId, name: str) -> bool:
    return name.lower() == Words(situation.world).power(power).lower()


def may_be_order(session: Session, situation: GameView, text: str) -> bool:
    """Whether a line is an order, or so near one that it may be a slip of the pen."""
    lexicon, stage = session.lexicon(situation.game), situation.state.moment.stage
    pieces = session.said.advised(text, lexicon, stage)
    said = [one for each in pieces if isinstance(each.said, Parsed) for one in each.said.said]
    is_nothing = all(isinstance(one, Problem) and one.nearest is None for one in said)
    return any(each.is_for_many for each in pieces) or not is_nothing
