"""The order lines of a mail, sorted by the phase that they are for, with their conditions.

Conditions of the phase that is being played are judged at once, as its position is known; those of
later phases are kept.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from machjudge.language.commands.commands import If
from machjudge.language.orders.condition_reader import parse_condition
from machjudge.language.orders.conditions import Condition, write_condition
from machjudge.language.vocabulary.branches import (
    BranchPiece,
    Mark,
    begins_branch,
    ends_branch,
    is_talk,
    pieces_of,
)
from machjudge.language.vocabulary.said import Ambiguous, Problem
from machjudge.letters.wording.trouble import Trouble
from machjudge.reading import Line
from machjudge.sentence import Sentence, Wording
from machjudge.service.credentials.authority import Act
from machjudge.service.game.conditions import flaw_of, holds
from machjudge.service.game.view import SeenGame
from machjudge.service.model.plans import Target
from machjudge.service.orders.order_refusals import trouble_of
from machjudge.service.session.command import PLAYERS, PLAYING, CommandEntry
from machjudge.service.session.outgoing import as_led
from machjudge.service.session.session import Session, is_player

_MOST_NESTED = 10
_NO_IF = Sentence("orders.condition.no_if")
_LOST = Sentence("orders.condition.lost")


@dataclass(slots=True)
class DraftCase:
    """A condition, or none for ``else``, and what follows it."""

    condition: Condition | None
    items: "list[Drafted]" = field(default_factory=list)


@dataclass(slots=True)
class Block:
    """``if … endif`` as it stands in a mail; *line* is where it begins."""

    line: Line
    cases: list[DraftCase] = field(default_factory=list)
    is_lost: bool = False
    """Whether something is wrong with it, so that nothing of it counts."""

    def lines(self) -> "Iterator[Line]":
        """The orders in it."""
        for item in (item for case in self.cases for item in case.items):
            yield from (item,) if isinstance(item, Line) else item.lines()


Drafted: TypeAlias = Line | Block


class OrderDraft:
    """What one mail orders, line by line."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.ahead: dict[Target, list[Drafted]] = {}
        """What is for later phases."""
        self.unread: list[Line] = []
        """What was ordered for a phase for which there can be no orders."""
        self.is_flawed = False
        """Whether something could not be read that was meant for the phase that is played."""
        self._open: list[Block] = []

    def takes(self, line: Line, below: Sequence[Line]) -> bool:
        """Whether a line belongs to ``if … endif`` by its words, and is no talk."""
        if not (is_player(self.session.seat) and begins_branch(line.text)):
            return False
        return not is_talk(line.text) or any(ends_branch(each.text) for each in below)

    def take(self, line: Line) -> None:
        """Take a line that is no command; behind ``if`` it may hold words of that."""
        if self._open:
            self.branch(line)
        else:
            self.add(line)

    def add(self, line: Line) -> None:
        """Take an order."""
        if self._open:
            self._open[-1].cases[-1].items.append(line)
        elif self.session.is_nowhere:
            self.unread.append(line)
            self.is_flawed |= self.session.is_phase_unread
        elif self.session.target is None:
            self.session.order_lines.append(line)
        else:
            self.ahead.setdefault(self.session.target, []).append(line)

    def branch(self, line: Line) -> None:
        """Take a line with words of ``if … endif`` in it."""
        for piece in pieces_of(line.text):
            self._take(line, piece)

    def break_off(self) -> None:
        """A command, or the end of the mail: what is not closed is lost."""
        if self._open and not any(block.is_lost for block in self._open):
            self._refuse(self._open[0].line, Sentence("orders.condition.no_endif"))
        self.unread += (line for block in self._open for line in block.lines())
        self._open.clear()

    # --- pieces -------------------------------------------------------------------------------

    def _take(self, line: Line, piece: BranchPiece) -> None:
        match piece.mark:
            case None:
                self._order(line, piece)
            case Mark.IF:
                self._begin(line, piece)
            case Mark.THEN | Mark.ELSE_IF | Mark.ELSE | Mark.END_IF if not self._open:
                self._without_if(line, piece)
            case Mark.THEN:
                self._order(line, piece)
            case Mark.ELSE_IF:
                self._next_case(line, self._condition(line, piece))
            case Mark.ELSE:
                self._next_case(line, None)
                self._order(line, piece)
            case Mark.END_IF:
                self._close(self._open.pop())
                self._order(line, piece)

    def _without_if(self, line: Line, piece: BranchPiece) -> None:
        """What follows was meant to depend on something; nobody knows on what."""
        if piece.mark is Mark.END_IF:
            self._refuse(line, _NO_IF)
        else:
            self._refuse(line, _NO_IF, note=_LOST)
            self._open.append(Block(line, [DraftCase(None)], is_lost=True))

    def _order(self, line: Line, piece: BranchPiece) -> None:
        if piece.text:
            self.add(replace(line, text=piece.text))

    def _begin(self, line: Line, piece: BranchPiece) -> None:
        block = Block(line)
        self._open.append(block)
        if len(self._open) > _MOST_NESTED:
            self._spoil(line, Sentence("orders.condition.too_deep"))
        block.cases.append(DraftCase(self._condition(line, piece)))

    def _next_case(self, line: Line, condition: Condition | None) -> None:
        block = self._open[-1]
        if block.cases[-1].condition is None and not block.is_lost:
            self._spoil(line, Sentence("orders.condition.behind_else"))
        block.cases.append(DraftCase(condition))

    def _close(self, block: Block) -> None:
        if self._open:
            # One that is lost would change the meaning of what it stands in.
            self._open[-1].is_lost |= block.is_lost
            self._open[-1].cases[-1].items.append(block)
        elif block.is_lost:
            return
        elif self.session.is_nowhere:
            self.unread.append(block.line)
        elif self.session.target is None:
            self._judge(block)
        else:
            self.ahead.setdefault(self.session.target, []).append(block)

    # --- conditions ---------------------------------------------------------------------------

    def _condition(self, line: Line, piece: BranchPiece) -> Condition | None:
        situation, power = self.session.situation(), self.session.power
        if situation is None or power is None:
            self._spoil(line, self.session.why_not_played())
            return None
        found = parse_condition(piece.text, as_led(situation, power).lexicon, power)
        if isinstance(found, Problem | Ambiguous):
            shown = replace(found, line=line.text, column=found.column + piece.column)
            trouble = trouble_of(line, shown)
            if trouble is not None:
                self._spoil(line, trouble.reason, trouble)
            return None
        flaw = flaw_of(found, situation.game, power)
        if flaw:
            self._spoil(line, flaw)
        return found

    def _judge(self, block: Block) -> None:
        """Take what counts of a block for the phase that is being played."""
        situation, power = self.session.situation(), self.session.power
        if situation is None or power is None:
            return
        chosen = self._chosen(as_led(situation, power), block)
        self.session.order_lines += chosen
        number = block.line.number
        if not chosen:
            told = Sentence("orders.condition.none_true", number=number)
            self.session.answer.notices.append(told)

    def _chosen(self, situation: SeenGame, block: Block) -> list[Line]:
        found = _case_that_holds(situation, block)
        if found is None:
            return []
        if found.condition is not None:
            text = write_condition(found.condition, situation.lexicon)
            number = block.line.number
            told = Sentence("orders.condition.is_true", number=number, condition=text)
            self.session.answer.notices.append(told)
        lines: list[Line] = []
        for item in found.items:
            lines += [item] if isinstance(item, Line) else self._chosen(situation, item)
        return lines

    # --- what is wrong ------------------------------------------------------------------------

    def doubt(self) -> None:
        """What is on file for this phase may not be what was meant: it is not played early."""
        self.is_flawed |= self.session.target is None and not self.session.is_nowhere

    def _spoil(self, line: Line, reason: Wording, trouble: Trouble | None = None) -> None:
        """Nothing of the open block counts; the first reason says why."""
        if not any(block.is_lost for block in self._open):
            self._refuse(line, reason, trouble, _LOST)
        self._open[-1].is_lost = True

    def _refuse(
        self, line: Line, reason: Wording, trouble: Trouble | None = None, note: Wording = ""
    ) -> None:
        self.doubt()
        shown = trouble or Trouble(line.number, line.text, reason)
        self.session.take_trouble(replace(shown, note=note))


def _case_that_holds(situation: SeenGame, block: Block) -> DraftCase | None:
    for case in block.cases:
        if case.condition is None or holds(case.condition, situation.state):
            return case
    return None


IF = CommandEntry(
    "if",
    PLAYING,
    PLAYERS,
    Act.PLAY,
    None,
    If,
    also=("else if", "else", "endif"),
    is_dry=True,
)
