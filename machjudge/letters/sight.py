"""What a reader may see, decided here and nowhere else.

Whoever writes a letter asks the `Sight` of its reader: before a phase is played whose orders he
may see, at any time whose ducats and chits, and who leads what.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from machjudge.adjudicator import events as happened
from machjudge.adjudicator.events import Event
from machjudge.adjudicator.names import PowerId

_MONEY_OF_ONE = (
    happened.LoanRepaid,
    happened.PaymentNotNeeded,
    happened.LoanTaken,
    happened.LoanRefused,
    happened.LoanDefaulted,
    happened.ExpensePaid,
    happened.ExpenseSettled,
    happened.RollPaid,
    happened.IncomePaid,
    happened.AdjustmentFailed,
)
"""Events that tell of one power's treasury."""


@dataclass(frozen=True, slots=True)
class Sight:
    """A reader by all his seats at a game: the powers that he leads, and whether he runs it."""

    powers: frozenset[PowerId] = frozenset()
    is_master: bool = False
    plays: bool = False
    hidden_money: bool = False
    """Whether the game hides treasuries."""
    anonymous: bool = False
    """Whether the game hides who leads what."""
    is_over: bool = False
    """Whether the game is finished: what was hidden may be seen."""
    reveals: bool = True
    """Whether the players of an anonymous game are named in the end."""

    @property
    def sees_all(self) -> bool:
        """Whether nothing is hidden from him: a master who does not play himself."""
        return self.is_master and not self.plays

    def sees_orders_of(self, power: PowerId) -> bool:
        """Whether he may see orders before their phase is played.

        His own; all of them as a master who does not play himself.
        """
        return power in self.powers or self.sees_all

    def sees_progress(self) -> bool:
        """Whether he may see before the deadline whose orders are complete."""
        return self.is_master

    def sees_money_of(self, power: PowerId) -> bool:
        """Whether he may see what is in a treasury, what it owes, and what goes in and out."""
        return not self.hidden_money or self.is_over or self.sees_orders_of(power)

    def sees_chits_of(self, power: PowerId) -> bool:
        """Whether he may see assassination chits, and that one was given away (ASN-02)."""
        return self.is_over or self.sees_orders_of(power)

    def sees_votes_of(self, power: PowerId) -> bool:
        """Whether he may see how somebody votes."""
        return self.sees_orders_of(power)

    def sees_people(self) -> bool:
        """Whether he may see who leads what."""
        return not self.anonymous or self.is_master or (self.is_over and self.reveals)

    def sees(self, event: Event) -> bool:
        """Whether he may read of something that happened in a phase."""
        match event:
            case happened.ChitGiven(giver=giver):
                return self.sees_chits_of(giver)
            case happened.GiftGiven(giver=giver, receiver=receiver):
                return self.sees_money_of(giver) or self.sees_money_of(receiver)
            case happened.GiftRefused(giver=giver):
                return self.sees_money_of(giver)
            case _ if isinstance(event, _MONEY_OF_ONE):
                return self.sees_money_of(event.power)
            case _:
                return True

    def visible(self, events: Iterable[Event]) -> tuple[Event, ...]:
        """The events of a phase of which he may read, in their order, as he may read them."""
        return tuple(self._as_seen(event) for event in events if self.sees(event))

    def _as_seen(self, event: Event) -> Event:
        """That a gift was cut short tells what is left in a treasury."""
        if isinstance(event, happened.GiftGiven) and not self.sees_money_of(event.giver):
            return replace(event, asked=event.ducats)
        return event


EVERYTHING = Sight(is_master=True)
"""For whoever may see all: the judge himself, and his tools."""
