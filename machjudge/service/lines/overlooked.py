"""What looks like an order or a command and stands where none is read.

Below a closing line, in a signature, in quoted text, or in press without an end. Nothing of it is
carried out; the answer names every such line with its number.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from machjudge.adjudicator.legality.lawful import objection_to
from machjudge.adjudicator.legality.naming import unit_named
from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.orders import Maintain, Order, Remove, Sweep, UnitOrder
from machjudge.language.commands import commands as c
from machjudge.language.commands.commands import Command, NotACommand
from machjudge.language.orders.sweeps import Piece, may_be_for_many
from machjudge.language.vocabulary.said import Problem
from machjudge.sentence import Wording
from machjudge.service.game.stored_orders import write_order
from machjudge.service.game.view import SeenGame
from machjudge.service.lines.command_table import entry_of_setting
from machjudge.service.orders.order_lines import unit_numbers
from machjudge.service.phases.impersonation import own_seats
from machjudge.service.session.incoming import vocabulary
from machjudge.service.session.outgoing import as_led
from machjudge.service.session.session import Session

_ASKING = (c.SignOn, c.SignOff, c.List, c.History, c.If)
_ASKING_PLAIN = frozenset(
    {
        "help",
        "get",
        "history orders",
        "summary",
        "who",
        "map",
        "version",
        "ping",
        "info player",
        "stats",
        "endpress",
        "send token",
        "else",
        "endif",
    }
)
"""Commands that change nothing, and words around orders: alone they are no loss."""
_FOR_UNITS = (UnitOrder, Maintain, Remove)
_SHORT = 4
"""More words than that behind a free command are a sentence: "process of elimination"."""
_LONGEST = 200
_MAINTAINS = re.compile(r"\b(?:m|maintains?|keep)\b", re.IGNORECASE)
_GREETS = re.compile(r"hello\b", re.IGNORECASE)
_LONGEST_SIGNON = 5
_SENTENCE = re.compile(r"[.!?]$")


@dataclass
class Search:
    """Looks for orders and commands in lines that were not read."""

    session: Session

    @cached_property
    def situation(self) -> SeenGame | None:
        """The game as whoever writes sees it; mostly there is nothing to look for in it."""
        situation, power = self.session.situation(), self.session.power
        return as_led(situation, power or PowerId("")) if situation else None

    def finds(self, text: str) -> bool:
        """Whether a line is a whole order or a command that does something."""
        return self.is_command(text) or bool(self.orders_in(text)) or self.is_sweep(text)

    def is_command(self, text: str) -> bool:
        """Whether a line is a command that would change something."""
        command = self.session.said.command_in(text) if len(text) <= _LONGEST else NotACommand()
        if isinstance(command, (NotACommand, Problem, *_ASKING)):
            return False
        if isinstance(command, c.PlainCommand) and command.name in _ASKING_PLAIN:
            return False
        if isinstance(command, c.Set):
            return all(entry_of_setting(each) is not None for each in command.settings)
        return not _is_sentence(command, text)

    def is_signon(self, text: str) -> bool:
        """Whether a line is a signon, and neither a greeting nor a sentence."""
        said = isinstance(self.session.said.command_in(text), c.SignOn) and not _GREETS.match(text)
        return said and len(text.split()) <= _LONGEST_SIGNON and not _SENTENCE.search(text)

    def is_sweep(self, text: str) -> bool:
        """Whether a line orders many units at once, such as "hold all"."""
        is_likely = len(text) <= _LONGEST and may_be_for_many(text)
        pieces = self._pieces(text) if is_likely else ()
        return len(pieces) == 1 and isinstance(pieces[0].said, Sweep)

    def orders_in(self, text: str) -> tuple[Order, ...]:
        """The orders of a line that is nothing but whole orders: unit, place and action."""
        if self.situation is None or len(text) > _LONGEST:
            return ()
        text = self._in_places(self.situation, text)
        if not looks_like_order(text):
            return ()
        pieces = self._pieces(text)
        orders = [one for each in pieces for one in each.understood]
        is_whole = not any(isinstance(each.said, Sweep) or each.refused for each in pieces)
        return tuple(orders) if is_whole and not any(_is_bare(one, text) for one in orders) else ()

    def others_in(self, text: str) -> tuple[Wording, ...]:
        """Other powers of whoever writes, for whose units a line has orders."""
        own = {power for seat in own_seats(self.session) for power in seat.powers}
        others = own - {self.session.power}
        if self.situation is None or not others:
            return ()
        world, state, power = self.situation.world, self.situation.state, self.session.power
        orders = (each for each in self.orders_in(text) if isinstance(each, _FOR_UNITS))
        units = (unit_named(world, state, power or PowerId(""), each.unit) for each in orders)
        owners = {unit.owner for unit in units if unit is not None} & others
        return tuple(map(self.situation.words.power, sorted(owners)))

    def _in_places(self, situation: SeenGame, text: str) -> str:
        """A line with places for the numbers of units, where they have any."""
        power = self.session.power
        numbers = unit_numbers(situation, power) if power is not None else None
        placed = numbers.in_places(text) if numbers is not None else text
        return placed if isinstance(placed, str) else text

    def _pieces(self, text: str) -> tuple[Piece, ...]:
        """A line as orders, without advice for slips, which costs more than all the rest."""
        if self.situation is None:
            return ()
        lexicon = self.situation.lexicon
        return self.session.said.orders(text, lexicon, self.situation.state.moment.stage)

    def is_on_file(self, text: str) -> bool:
        """Whether all orders of a line are on file anyway."""
        orders = self.orders_in(text)
        return bool(orders) and set(map(self.canonical, orders)) <= set(self._filed())

    def is_ordered(self, text: str) -> bool:
        """Whether an order for the unit of a line is on file."""
        filed = {tuple(line.split()[:2]) for line in self._filed()}
        units = {tuple(self.canonical(each).split()[:2]) for each in self.orders_in(text)}
        return bool(units) and units <= filed

    def is_sure(self, text: str) -> bool:
        """Whether a line can only be an order for now: lawful, and not on file already."""
        situation, power = self.situation, self.session.power
        if situation is None or power is None:
            return False
        if self.is_sweep(text):
            return True
        orders = self.orders_in(text)
        flaws = (objection_to(situation.world, situation.state, power, each) for each in orders)
        return bool(orders) and not any(flaws) and not self.is_on_file(text)

    def canonical(self, order: Order) -> str:
        """An order as it is kept on file."""
        return write_order(self.situation.world, order) if self.situation is not None else ""

    def _filed(self) -> Iterator[str]:
        powers = {power for seat in own_seats(self.session) for power in seat.powers}
        for power in powers | ({self.session.power} if self.session.power else set()):
            sheet = self.situation.sheets.get(PowerId(power)) if self.situation else None
            yield from (line.canonical for line in (sheet.lines if sheet is not None else ()))


def looks_like_order(text: str) -> bool:
    """A quick look, before a line is parsed."""
    is_order = vocabulary().is_unit_order(text) or vocabulary().is_bare_order(text)
    return is_order or vocabulary().begins_command(text)


def _is_bare(order: Order, text: str) -> bool:
    """Whether an order is but a name, which in an adjustment means to keep a unit."""
    return isinstance(order, Maintain) and not _MAINTAINS.search(text)


def _is_sentence(command: Command, text: str) -> bool:
    """Whether a command whose words are free is rather the beginning of a sentence."""
    if isinstance(command, c.Press | c.PostalPress | c.Diary):
        return False
    words = text.split()
    return len(words) > _SHORT or (len(words) > 1 and bool(_SENTENCE.search(text)))
