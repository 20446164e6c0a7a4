"""What a reader may see, decided here and nowhere else.

Whoever writes a message asks the `Sight` of its reader: before a phase is played whose orders they
may see, at any time which units, whose ducats and chits, who leads what, and which press and
diaries.  Of a position it makes the `View` that messages are written of.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, NamedTuple, TypeVar

from machjudge.adjudicator import events as happened
from machjudge.adjudicator.events import Event, Maintained, UnitBuilt
from machjudge.adjudicator.moments import Moment
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.state import State, View
from machjudge.adjudicator.units import Unit
from machjudge.adjudicator.world import World
from machjudge.adjudicator.year.steps import is_time_of_fog, units_in_contact
from machjudge.messages.wording import Words, words_at

Knows = Callable[[PowerId], bool]
"""Whether the reader knows the kinds of a power's units."""


# Any: a value of any type, and one of the same type back.
def without_kinds(value: Any, knows: Knows) -> Any:  # noqa: ANN401
    """The same with plain units in place of those whose kinds the reader does not know.

    What they cost is left out, too; that of plain ones as well, for it would tell them apart.
    """
    match value:
        case Unit(owner=owner):
            return value if knows(owner) else value.made_plain()
        case Mapping():
            return {key: without_kinds(each, knows) for key, each in value.items()}
        case tuple() if not hasattr(value, "_fields"):
            return tuple(without_kinds(each, knows) for each in value)
        case _ if is_dataclass(value):
            return _of_object(value, knows)
        case _:
            return value


def _of_object(value: Any, knows: Knows) -> Any:  # noqa: ANN401
    before = {field.name: getattr(value, field.name) for field in fields(value)}
    after = {name: without_kinds(each, knows) for name, each in before.items()}
    if isinstance(value, UnitBuilt | Maintained) and not knows(value.unit.owner):
        after["ducats"] = 0
    return replace(value, **after) if after != before else value


_OF_ORDERS = (
    happened.OrderRefused,
    happened.OrderReplaced,
    happened.OrderIgnored,
    happened.AdjustmentFailed,
    happened.BuildsWaived,
)
"""Events that tell what a power ordered for its units, or did not."""


def without_hidden(world: World, state: State, own: Collection[PowerId]) -> State:
    """The position without the units that nobody learns of but their own player.

    Nor does a half-done siege tell of a besieger that is not seen.
    """
    contact = units_in_contact(world, state)

    def seen(units: Mapping[PlaceId, Unit]) -> dict[PlaceId, Unit]:
        # By place, so that not even their order tells of a unit between them.
        told = (unit for unit in units.values() if unit.owner in own or unit in contact)
        return {unit.place: unit for unit in sorted(told, key=lambda unit: unit.place)}

    field = seen(state.field)
    sieges = frozenset(place for place in state.sieges if world.siege_post(place) in field)
    return replace(state, field=field, garrisons=seen(state.garrisons), sieges=sieges)


def events_seen(
    world: World, before: State, after: State, events: Iterable[Event], own: Collection[PowerId]
) -> Iterator[Event]:
    """The events of an adjustment that tell of no hidden unit (FOG-05).

    *after* is the position as the reader sees it.
    """
    for event in events:
        match event:
            case happened.SiegeEnded(city=city):
                two = (before.field.get(world.siege_post(city)), before.garrisons.get(city))
                is_seen = any(unit is not None and unit.owner in own for unit in two)
            case _ if isinstance(event, _OF_ORDERS):
                is_seen = event.power in own
            case _:
                unit = getattr(event, "unit", None)
                is_seen = unit is None or unit.owner in own or _stands(after, unit)
        if is_seen:
            yield event


def _stands(after: State, unit: Unit) -> bool:
    """Whether the reader sees a unit of that power there."""
    there = after.standing_at(unit)
    return there is not None and there.owner == unit.owner


E = TypeVar("E", bound=Event)

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
    sender: int
    """The number of the seat from which it was written."""
    people: frozenset[str]
    """Its writer, and everybody to whom it was sent."""
    seats: frozenset[int]
    """The numbers of the seats for which it was."""
    to_all: bool
    anonymous: bool


@dataclass(frozen=True, slots=True)
class Outlook:
    """What somebody may read of a phase."""

    events: tuple[Event | None, ...]
    """Each of its events as it may be read; None if it may not."""
    money: frozenset[PowerId]
    """Whose treasuries may be seen after it."""


class SeenPhase(NamedTuple):
    """A phase as somebody sees it."""

    before: View
    after: View
    events: tuple[Event, ...]
    """Without those that tell of units hidden from them; whose money they see is asked apart."""


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
    foggy: bool = False
    """Whether the game hides units that meet nobody, until a year's first campaign is played."""
    anonymous: bool = False
    """Whether the game hides who leads what."""
    is_over: bool = False
    """Whether the game is finished: what was hidden may be seen."""
    reveals: bool = True
    """Whether the players of an anonymous game are named in the end."""
    people: frozenset[str] = frozenset()
    """Who they are: the tokens of whoever sits at their seats."""
    watches_from: frozenset[int] = frozenset()
    """The numbers of their seats, where they read as observers alone: what the same people wrote
    and got at other seats is not theirs to read there."""
    has_copies: bool = False
    """Whether observers of the game may have copies of press to others."""
    opens_press: bool = False
    """Whether all press of the game may be read in the end, with its writers."""
    in_letters: bool = False
    """Whether they read orders in the letters of 1978, where units have numbers."""

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

    @property
    def _sees_kinds(self) -> bool:
        return not self.hidden_kinds or self.is_over or self.sees_all

    def as_seen(self, event: E) -> E:
        """An event with the kinds of units that they may see."""
        if self._sees_kinds:
            return event
        seen: E = without_kinds(event, self.sees_kinds_of)
        return seen

    def view(self, world: World, state: State, now: Moment | None = None) -> View:
        """A position as they see it: their own units, those in contact, and kinds they may know.

        *now* is the phase that the game is at, where the position may be an earlier one: once
        the campaign has been played, nothing is hidden any more (FOG-06).
        """
        in_fog = self._in_fog(world, state, now)
        shown = without_hidden(world, state, self.powers) if in_fog else state
        if not self._sees_kinds:
            shown = without_kinds(shown, self.sees_kinds_of)
        return View.of(shown, in_fog=in_fog)

    def _in_fog(self, world: World, state: State, now: Moment | None) -> bool:
        if not self.foggy or self.is_over or self.sees_all:
            return False
        return now in (None, state.moment) and is_time_of_fog(world, state)

    def phase(
        self,
        world: World,
        before: State,
        after: State,
        events: Iterable[Event],
        now: Moment | None = None,
    ) -> SeenPhase:
        """A phase as they see it, that has been played; *now* as in `view`."""
        seen, told = self.view(world, after, now), tuple(events)
        if seen.in_fog:
            told = tuple(events_seen(world, before, seen, told, self.powers))
        return SeenPhase(
            self.view(world, before, after.moment), seen, tuple(map(self.as_seen, told))
        )

    def shares(self, powers: Iterable[PowerId]) -> Hashable:
        """What decides which units they see, of which kinds, and how orders are written.

        The same for all who read alike.
        """
        hides = self.foggy and not self.is_over and not self.sees_all
        kinds = frozenset(filter(self.sees_kinds_of, powers))
        return kinds, self.powers if hides else None, self.in_letters

    def words(self, world: World, view: View) -> Words:
        """The names of the world in a position that they see, in their notation."""
        return words_at(world, view, in_letters=self.in_letters)

    def sees_correction(self, before: View, after: View, event: Event) -> bool:
        """Whether they may read what a master corrected, of which they see both positions.

        Of units in the fog, and of sieges there, only what changes for them (FOG-07).
        """
        match event:
            case happened.UnitCorrected():
                return not after.in_fog or _space(before, event) != _space(after, event)
            case happened.MarkerCorrected(marker=happened.Marker.SIEGE):
                return not after.in_fog or before.sieges != after.sieges
            case _:
                return self.sees(event)

    def sees_chits_of(self, power: PowerId) -> bool:
        """Whether they may see assassination chits, and that one was given away (ASN-02)."""
        return self.is_over or self.sees_orders_of(power)

    def sees_votes_of(self, power: PowerId) -> bool:
        """Whether they may see how somebody votes."""
        return self.sees_orders_of(power)

    def sees_people(self) -> bool:
        """Whether they may see who leads what."""
        return not self.anonymous or self.is_master or (self.is_over and self.reveals)

    def sees_bounces(self) -> bool:
        """Whether they may see whose messages come back, and at which address."""
        return self.is_master

    def sees_message(self, missive: Missive) -> bool:
        """Whether they may read a message: it was for them, or for all; or everything is theirs."""
        return missive.to_all or self._was_sent(missive) or self._sees_all_press()

    def _was_sent(self, missive: Missive) -> bool:
        if not self.people & missive.people:
            return False
        is_copy = self.reads_along(watched=self.has_copies)
        at = missive.seats | {missive.sender}
        return not self.watches_from or is_copy or bool(self.watches_from & at)

    def sees_author(self, missive: Missive) -> bool:
        """Whether they may know who wrote a message, and to whom it really went."""
        is_own = missive.author in self.people and self._is_theirs(missive.sender)
        return is_own or self._sees_all_press()

    def _is_theirs(self, seat: int) -> bool:
        """Whether what somebody did at a seat is theirs to know, if it is the same person."""
        return not self.watches_from or seat in self.watches_from

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

    def sees_note_of(self, person: str, seat: int) -> bool:
        """Whether they may read a diary, or postal press that is not published: their own.

        *seat* is the number of the seat from which it was written.
        """
        return person in self.people and self._is_theirs(seat)

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


def _space(view: View, event: happened.UnitCorrected) -> Unit | None:
    return (view.garrisons if event.in_city else view.field).get(event.place)


EVERYTHING = Sight(is_master=True)
"""For whoever may see all: the judge itself, and its tools."""
