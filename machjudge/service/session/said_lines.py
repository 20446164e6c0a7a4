"""What the lines of one mail say: each is read once by each grammar, and handed on."""

from machjudge.adjudicator.model.moments import Stage
from machjudge.language.commands.commands import Command, NotACommand
from machjudge.language.commands.dialogue import parse_command
from machjudge.language.orders.sweeps import Piece, advised, read_pieces
from machjudge.language.vocabulary.lexicon import Lexicon
from machjudge.language.vocabulary.said import Problem
from machjudge.reading import Line
from machjudge.service.session.incoming import faults_of_reading


class SaidLines:
    """The lines of a mail as they were read; a line is read when it is first asked for.

    It lives as long as the mail is handled: passwords stand in it.
    """

    def __init__(self) -> None:
        self._commands: dict[str, Command | NotACommand | Problem] = {}
        self._orders: dict[tuple[str, Lexicon, Stage], tuple[Piece, ...]] = {}
        self._advised: dict[tuple[str, Lexicon, Stage], tuple[Piece, ...]] = {}

    def command(self, line: Line) -> Command | NotACommand | Problem:
        """A line as a command, which the text of a press never is.  Raises Unreadable."""
        return NotACommand() if line.is_press else self.command_in(line.text)

    def command_in(self, text: str) -> Command | NotACommand | Problem:
        """A text as a command; see `parse_command`.  Raises Unreadable if it raises an error."""
        if text not in self._commands:
            with faults_of_reading():
                self._commands[text] = parse_command(text)
        return self._commands[text]

    def orders(self, text: str, lexicon: Lexicon, stage: Stage) -> tuple[Piece, ...]:
        """A text as orders for a kind of phase, without advice for what is wrong."""
        key = text, lexicon, stage
        if key not in self._orders:
            self._orders[key] = read_pieces(text, lexicon, stage)
        return self._orders[key]

    def advised(self, text: str, lexicon: Lexicon, stage: Stage) -> tuple[Piece, ...]:
        """The same with the nearest line that can be read for each order that is refused."""
        key = text, lexicon, stage
        if key not in self._advised:
            self._advised[key] = advised(self.orders(text, lexicon, stage), lexicon, stage)
        return self._advised[key]
