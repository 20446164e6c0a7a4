"""What a reader may see, decided here and nowhere else.

Whoever writes a letter asks the `Sight` of its reader: before a phase is played whose orders they
may see, at any time whose ducats and chits, who leads what, and which press and diaries.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeVar

from machjudge.adjudicator import events as happened
from machjudge.adjudicator.events import Event
from machjudge.adjudicator.model.names import PowerId
from machjudge.letters.wording.disguise import without_kinds

T = TypeVar("T")

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
    happened.TaxesForced,
    happened.AdjustmentFailed,
    happened.TreasuryCorrected,
    happened.LoanCorrected,
    happened.CreditCorrected,
)
"""Events that tell of one power's treasury."""


@dataclass(frozen=True, slots=True)
class Missive:
    """What decides who may read a message; people by the tokens that stand for them."""

    author: str
    """Who wrote it; empty where that is no longer known."""
    people: frozenset[str]
    """Its writer, and everybody to whom it was sent."""
    to_all: bool
    anonymous: bool


@dataclass(frozen=True, slots=True)
class Outlook:
    """What somebody may read of a phase."""

    events: tuple[Event | None, ...]
    """Each of its events as it may be read; None if it may not."""
    money: frozenset[PowerId]
    """Whose treasuries may be seen after it."""


@dataclass(frozen=True, slots=True)
class Sight:
    """A reader by all their seats at a game: the powers that they lead, and whether they run it."""

    powers: frozenset[PowerId] = frozenset()
    is_master: bool = False
    plays: bool = False
    hidden_money: bool = False
    """Whether the game hides treasuries."""
    hidden_kinds: bool = False
    """Whether the game hides which units are special, and of which kind."""
    anonymous: bool = False
    """Whether the game hides who leads what."""
    is_over: bool = False
    """Whether the game is finished: what was hidden may be seen."""
    reveals: bool = True
    """Whether the players of an anonymous game are named in the end."""
    people: frozenset[str] = frozenset()
    """Who they are: the tokens of whoever sits at their seats."""
    opens_press: bool = False
    """Whether all press of the game may be read in the end, with its writers."""

    @property
    def sees_all(self) -> bool:
        """Whether nothing is hidden from them: a master who does not play."""
        return self.is_master and not self.plays

    def sees_orders_of(self, power: PowerId) -> bool:
        """Whether they may see orders before their phase is played.

        Their own; all of them as a master who does not play.
        """
        return power in self.powers or self.sees_all

    def sees_plans_of(self, power: PowerId) -> bool:
        """Whether they may see what is kept for later phases: whoever leads the power, nobody else.

        A master sees a power's when they write in its name.
        """
        return power in self.powers

    def sees_progress(self) -> bool:
        """Whether they may see before the deadline whose orders are complete."""
        return self.is_master

    def sees_money_of(self, power: PowerId) -> bool:
        """Whether they may see what is in a treasury, what it owes, and what goes in and out."""
        return not self.hidden_money or self.is_over or self.sees_orders_of(power)

    def sees_kinds_of(self, power: PowerId) -> bool:
        """Whether they may see which of a power's units are special (SPC-06)."""
        return not self.hidden_kinds or self.is_over or self.sees_orders_of(power)

    def as_seen(self, value: T) -> T:
        """A position, an event or a phase with the kinds of units that they may see."""
        if not self.hidden_kinds or self.is_over or self.sees_all:
            return value
        seen: T = without_kinds(value, self.sees_kinds_of)
        return seen

    def sees_chits_of(self, power: PowerId) -> bool:
        """Whether they may see assassination chits, and that one was given away (ASN-02)."""
        return self.is_over or self.sees_orders_of(power)

    def sees_votes_of(self, power: PowerId) -> bool:
        """Whether they may see how somebody votes."""
        return self.sees_orders_of(power)

    def sees_people(self) -> bool:
        """Whether they may see who leads what."""
        return not self.anonymous or self.is_master or (self.is_over and self.reveals)

    def sees_message(self, missive: Missive) -> bool:
        """Whether they may read a message: it was for them, or for all; or everything is theirs."""
        return missive.to_all or bool(self.people & missive.people) or self._sees_all_press()

    def sees_author(self, missive: Missive) -> bool:
        """Whether they may know who wrote a message, and to whom it really went."""
        return missive.author in self.people or self._sees_all_press()

    def sees_signature(self, missive: Missive) -> bool:
        """Whether the name of its writer stands on it for them."""
        return not missive.anonymous or self.sees_author(missive)

    def _sees_all_press(self) -> bool:
        return self.sees_all or (self.is_over and self.opens_press)

    def reads_along(self, *, watched: bool) -> bool:
        """Whether they may have copies of press to others: no player ever (ADR 12).

        *watched*: the game lets its observers read along.
        """
        return not self.plays and not self.powers and (self.is_master or watched)

    def sees_note_of(self, person: str) -> bool:
        """Whether they may read a diary, or postal press that is not published: their own."""
        return person in self.people

    def sees(self, event: Event) -> bool:
        """Whether they may read of something that happened in a phase."""
        match event:
            case happened.ChitGiven(giver=giver):
                return self.sees_chits_of(giver)
            case happened.ChitsCorrected(power=power) | happened.ChitsDrawn(power=power):
                return self.sees_chits_of(power)
            case happened.UnitMadePlain(unit=unit):
                return self.sees_kinds_of(unit.owner)
            case happened.AdjustmentFailed(power=power) if not self.sees_kinds_of(power):
                return False
            case happened.GiftGiven(giver=giver, receiver=receiver):
                return self.sees_money_of(giver) or self.sees_money_of(receiver)
            case happened.GiftRefused(giver=giver):
                return self.sees_money_of(giver)
            case _ if isinstance(event, _MONEY_OF_ONE):
                return self.sees_money_of(event.power)
            case _:
                return True

    def visible(self, events: Iterable[Event]) -> tuple[Event, ...]:
        """The events of a phase of which they may read, in their order, as they may read them."""
        return tuple(self._as_seen(event) for event in events if self.sees(event))

    def outlook(self, events: Iterable[Event], powers: Iterable[PowerId]) -> Outlook:
        """What decides what he reads of a phase: two readers with the same one read the same."""
        seen = tuple(self._as_seen(event) if self.sees(event) else None for event in events)
        return Outlook(seen, frozenset(power for power in powers if self.sees_money_of(power)))

    def _as_seen(self, event: Event) -> Event:
        """That a gift was cut short tells what is left in a treasury."""
        if isinstance(event, happened.GiftGiven) and not self.sees_money_of(event.giver):
            return replace(event, asked=event.ducats)
        return event


EVERYTHING = Sight(is_master=True)
"""For whoever may see all: the judge itself, and its tools."""
