"""Decide what a reader may see.

The `Sight` of a reader tells which orders, plans, units, treasuries, chits, leaders, press and
diaries they may see. It turns a position into the `View` that messages are written of.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, NamedTuple, TypeVar

from machjudge.adjudicator import events as event_types
from machjudge.adjudicator.events import Event, Maintained, UnitBuilt
from machjudge.adjudicator.moments import Moment, Stage
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.state import State, View
from machjudge.adjudicator.units import Unit
from machjudge.adjudicator.world import World
from machjudge.adjudicator.year.steps import is_time_of_fog, units_in_contact
from machjudge.messages.wording import Words, words_at

# Positions and events as somebody reads them who does not know the kinds of all units (SPC-06).
Knows = Callable[[PowerId], bool]
"""Returns True if the reader knows the kinds of a power's units."""


# Any: a value of any type, and one of the same type back.
def without_kinds(value: Any, knows: Knows) -> Any:  # noqa: ANN401
    """Return the value with plain units where the reader does not know the kinds.

    Their costs are left out too, since those would tell them apart.
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
    event_types.OrderRefused,
    event_types.OrderReplaced,
    event_types.OrderIgnored,
    event_types.AdjustmentFailed,
    event_types.BuildsWaived,
)
"""Events that reveal the orders for units."""


def without_hidden(world: World, state: State, own: Collection[PowerId]) -> State:
    """Return the position without units, and sieges, that only their own player knows of."""
    contact = units_in_contact(world, state)

    def seen(units: Mapping[PlaceId, Unit]) -> dict[PlaceId, Unit]:
        # By place, so that not even their order tells of a unit between them.
        shown = (unit for unit in units.values() if unit.owner in own or unit in contact)
        return {unit.place: unit for unit in sorted(shown, key=lambda unit: unit.place)}

    field = seen(state.field)
    sieges = frozenset(place for place in state.sieges if world.siege_post(place) in field)
    return replace(state, field=field, garrisons=seen(state.garrisons), sieges=sieges)


def events_seen(
    world: World, before: State, after: State, events: Iterable[Event], own: Collection[PowerId]
) -> Iterator[Event]:
    """Return the events of an adjustment without those of hidden units (FOG-05).

    *after* is the position as the reader sees it.
    """
    for event in events:
        match event:
            case event_types.SiegeEnded(city=city):
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
    there = after.standing_at(unit)
    return there is not None and there.owner == unit.owner


_PLENTY = 999
"""Ducats of a treasury that cannot be seen: what is imagined of it is never too dear."""
E = TypeVar("E", bound=Event)

_MONEY_OF_ONE = (
    event_types.LoanRepaid,
    event_types.PaymentNotNeeded,
    event_types.LoanTaken,
    event_types.LoanRefused,
    event_types.LoanDefaulted,
    event_types.ExpensePaid,
    event_types.ExpenseSettled,
    event_types.RollPaid,
    event_types.IncomePaid,
    event_types.TaxesForced,
    event_types.AdjustmentFailed,
    event_types.TreasuryCorrected,
    event_types.LoanCorrected,
    event_types.CreditCorrected,
)
"""Events that reveal one power's treasury."""
_GUARDED = (
    *_MONEY_OF_ONE,
    event_types.ChitGiven,
    event_types.ChitsCorrected,
    event_types.ChitsDrawn,
    event_types.UnitMadePlain,
    event_types.GiftGiven,
    event_types.GiftRefused,
)
"""Events that not everybody reads of; see `Sight.sees`."""


@dataclass(frozen=True, slots=True)
class PressFacts:
    """A message, as far as it matters for its readers; people by their tokens."""

    author: str
    """The author; empty if no longer known."""
    sender: int
    """The number of the author's seat."""
    people: frozenset[str]
    """The author and all addressees."""
    seats: frozenset[int]
    """The numbers of the addressed seats."""
    to_all: bool
    anonymous: bool


@dataclass(frozen=True, slots=True)
class Outlook:
    """The visible part of a phase."""

    events: tuple[Event | None, ...]
    """Each event as visible; None if hidden."""
    money: frozenset[PowerId]
    """The powers with visible treasuries after it."""


class SeenPhase(NamedTuple):
    """A phase as one person sees it."""

    before: View
    after: View
    events: tuple[Event, ...]
    """The events without hidden units; money is filtered apart."""


@dataclass(frozen=True, slots=True)
class Sight:
    """A reader: their seats at a game, the powers they lead, and if they run it."""

    powers: frozenset[PowerId] = frozenset()
    is_master: bool = False
    plays: bool = False
    as_player: bool = False
    """True if the game lets its master play: a master sees nothing that others do not."""
    hidden_money: bool = False
    """True if the game hides treasuries."""
    hidden_kinds: bool = False
    """True if the game hides special units."""
    foggy: bool = False
    """True if the game hides units out of contact before a year's first campaign."""
    anonymous: bool = False
    """True if the game hides the leaders of powers."""
    is_over: bool = False
    """True if the game is finished, so what was hidden may be seen."""
    reveals: bool = True
    """True if an anonymous game names its players in the end."""
    people: frozenset[str] = frozenset()
    """The tokens of the people at their seats."""
    watches_from: frozenset[int] = frozenset()
    """The seats where they only observe, and do not read what the same people wrote elsewhere."""
    has_copies: bool = False
    """True if observers of the game may get copies of press."""
    opens_press: bool = False
    """True if all press may be read in the end, with its authors."""
    in_letters: bool = False
    """True for orders in the letters of 1978, with numbered units."""

    @property
    def sees_all(self) -> bool:
        """Return whether they see everything: a master who does not play."""
        return self.is_master and not self.plays

    @property
    def manages(self) -> bool:
        """Return whether they see more than players, to run the game: who is late, who is who."""
        return self.is_master and not self.as_player

    def sees_orders_of(self, power: PowerId) -> bool:
        """Return whether they see orders before the phase is played: their own, or as master."""
        return power in self.powers or (self.is_master and not self.plays)

    def opens_orders(self, stage: Stage) -> bool:
        """Return whether they may read the orders of all powers once a phase has been played.

        Which units are special, the orders of an adjustment tell.
        """
        is_hidden = self.hidden_money or self.foggy
        is_hidden |= self.hidden_kinds and stage is Stage.ADJUSTMENT
        return not is_hidden or self.is_over or self.sees_all

    def sees_plans_of(self, power: PowerId) -> bool:
        """Return whether they see plans for later phases: as leader, or as master for one."""
        return power in self.powers

    def sees_agreement(self, *sides: PowerId) -> bool:
        """Return whether they see what two powers have agreed: as one of them, or as master."""
        return any(self.sees_orders_of(power) for power in sides)

    def sees_progress(self) -> bool:
        """Return whether they see before the deadline whose orders are complete."""
        return self.manages

    def sees_money_of(self, power: PowerId) -> bool:
        """Return whether they see a power's treasury, debts and payments."""
        return not self.hidden_money or self.is_over or self.sees_orders_of(power)

    def sees_kinds_of(self, power: PowerId) -> bool:
        """Return whether they see which of a power's units are special (SPC-06)."""
        return not self.hidden_kinds or self.is_over or self.sees_orders_of(power)

    @property
    def _sees_kinds(self) -> bool:
        return not self.hidden_kinds or self.is_over or self.sees_all

    def as_seen(self, event: E) -> E:
        """Return an event with the kinds of units that they may see."""
        if self._sees_kinds:
            return event
        seen: E = without_kinds(event, self.sees_kinds_of)
        return seen

    def view(self, world: World, state: State, now: Moment | None = None) -> View:
        """Return a position as they see it: own units, those in contact, known kinds.

        *now* is the present phase: once the campaign has been played, nothing is hidden (FOG-06).
        """
        in_fog = self._in_fog(world, state, now)
        shown = without_hidden(world, state, self.powers) if in_fog else state
        if not self._sees_kinds:
            shown = without_kinds(shown, self.sees_kinds_of)
        return View.of(shown, in_fog=in_fog)

    def known(self, world: World, view: View) -> View:
        """Return their view without what they could only learn from the results of orders.

        Hidden treasuries suffice for everything, hidden chits fit, hidden debts are none, and what
        others have taxed by force pays.
        """
        powers = world.in_play
        hidden = frozenset(power for power in powers if not self.sees_money_of(power))
        all_chits = tuple(sorted(powers))
        return replace(
            view,
            treasuries=view.treasuries
            | (dict.fromkeys(hidden, _PLENTY) if world.rules.game.money else {}),
            chits={
                power: view.chits.get(power, ()) if self.sees_chits_of(power) else all_chits
                for power in powers
            },
            loans=tuple(loan for loan in view.loans if loan.power not in hidden),
            defaulted=view.defaulted - hidden,
            relieved=frozenset() if hidden else view.relieved,
            taxed=frozenset(at for at in view.taxed if view.provinces.get(at) not in hidden),
        )

    def without_hidden_money(self, world: World, view: View) -> View:
        """Return their view without the treasuries, debts and chits that they do not see."""
        seen = frozenset(power for power in world.in_play if self.sees_money_of(power))
        hides = len(seen) < len(world.in_play)
        return replace(
            view,
            treasuries={p: d for p, d in view.treasuries.items() if p in seen},
            loans=tuple(loan for loan in view.loans if loan.power in seen),
            defaulted=view.defaulted & seen,
            chits={p: own for p, own in view.chits.items() if self.sees_chits_of(p)},
            relieved=frozenset() if hides else view.relieved,
            taxed=frozenset() if hides else view.taxed,
        )

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
        """Return a played phase as they see it; *now* as in `view`."""
        seen, seen_events = self.view(world, after, now), tuple(events)
        if seen.in_fog:
            seen_events = tuple(events_seen(world, before, seen, seen_events, self.powers))
        return SeenPhase(
            self.view(world, before, after.moment), seen, tuple(map(self.as_seen, seen_events))
        )

    def shares(self, powers: Iterable[PowerId]) -> Hashable:
        """Return a key of visible units, kinds and notation, equal for readers who see the same."""
        hides = self.foggy and not self.is_over and not self.sees_all
        kinds = frozenset(filter(self.sees_kinds_of, powers))
        return kinds, self.powers if hides else None, self.in_letters

    def words(self, world: World, view: View) -> Words:
        """Return the names for a visible position, in their notation."""
        return words_at(world, view, in_letters=self.in_letters)

    def sees_correction(self, before: View, after: View, event: Event) -> bool:
        """Return whether they may read a correction, given both positions as they see them.

        In the fog only what changes for them (FOG-07).
        """
        match event:
            case event_types.UnitCorrected():
                return not after.in_fog or _space(before, event) != _space(after, event)
            case event_types.MarkerCorrected(marker=event_types.Marker.SIEGE):
                return not after.in_fog or before.sieges != after.sieges
            case _:
                return self.sees(event)

    def sees_chits_of(self, power: PowerId) -> bool:
        """Return whether they see chits and gifts of them (ASN-02)."""
        return self.is_over or self.sees_orders_of(power)

    def sees_votes_of(self, power: PowerId) -> bool:
        """Return whether they see a person's votes."""
        return self.sees_orders_of(power)

    def sees_people(self) -> bool:
        """Return whether they see who leads which power."""
        return not self.anonymous or self.manages or (self.is_over and self.reveals)

    def sees_bounces(self) -> bool:
        """Return whether they see bounces and their addresses."""
        return self.manages

    def sees_message(self, press_facts: PressFacts) -> bool:
        """Return whether they may read a message: addressed to them or all, or as master."""
        return press_facts.to_all or self._was_sent(press_facts) or self._sees_all_press()

    def _was_sent(self, press_facts: PressFacts) -> bool:
        if not self.people & press_facts.people:
            return False
        is_copy = self.reads_along(watched=self.has_copies)
        at = press_facts.seats | {press_facts.sender}
        return not self.watches_from or is_copy or bool(self.watches_from & at)

    def sees_author(self, press_facts: PressFacts) -> bool:
        """Return whether they may know a message's author and real addressees."""
        is_own = press_facts.author in self.people and self._is_theirs(press_facts.sender)
        return is_own or self._sees_all_press()

    def _is_theirs(self, seat: int) -> bool:
        return not self.watches_from or seat in self.watches_from

    def sees_signature(self, press_facts: PressFacts) -> bool:
        """Return whether they read its author's name on it."""
        return not press_facts.anonymous or self.sees_author(press_facts)

    def _sees_all_press(self) -> bool:
        return self.sees_all or (self.is_over and self.opens_press)

    def reads_along(self, *, watched: bool) -> bool:
        """Return whether they may get copies of press to others: never players (ADR 12).

        *watched*: the game lets its observers read along.
        """
        return not self.plays and not self.powers and (self.is_master or watched)

    def sees_note_of(self, person: str, seat: int) -> bool:
        """Return whether they may read a diary, or unpublished postal press, of seat *seat*."""
        return person in self.people and self._is_theirs(seat)

    def sees(self, event: Event) -> bool:
        """Return whether they may read of an event."""
        if not isinstance(event, _GUARDED):
            return True
        match event:
            case event_types.ChitGiven(giver=giver):
                return self.sees_chits_of(giver)
            case event_types.ChitsCorrected(power=power) | event_types.ChitsDrawn(power=power):
                return self.sees_chits_of(power)
            case event_types.UnitMadePlain(unit=unit):
                return self.sees_kinds_of(unit.owner)
            case event_types.AdjustmentFailed(power=power) if not self.sees_kinds_of(power):
                return False
            case event_types.GiftGiven(giver=giver, receiver=receiver):
                return self.sees_money_of(giver) or self.sees_money_of(receiver)
            case event_types.GiftRefused(giver=giver):
                return self.sees_money_of(giver)
            case _ if isinstance(event, _MONEY_OF_ONE):
                return self.sees_money_of(event.power)
            case _:
                return True

    def visible(self, events: Iterable[Event]) -> tuple[Event, ...]:
        """Return the visible events of a phase, in order."""
        seen = [self._as_seen(each) if isinstance(each, _GUARDED) else each for each in events]
        return tuple([event for event in seen if event is not None])

    def outlook(self, events: Iterable[Event], powers: Iterable[PowerId]) -> Outlook:
        """Return a reader's view of a phase; equal views read the same."""
        seen = [self._as_seen(each) if isinstance(each, _GUARDED) else each for each in events]
        return Outlook(
            tuple(seen), frozenset(power for power in powers if self.sees_money_of(power))
        )

    def _as_seen(self, event: Event) -> Event | None:
        """The event if it is visible, a gift without the cut that reveals a treasury."""
        if not self.sees(event):
            return None
        if isinstance(event, event_types.GiftGiven) and not self.sees_money_of(event.giver):
            return replace(event, asked=event.ducats)
        return event


def _space(view: View, event: event_types.UnitCorrected) -> Unit | None:
    return (view.garrisons if event.in_city else view.field).get(event.place)


EVERYTHING = Sight(is_master=True)
"""The view of the judge itself, and of its tools."""
