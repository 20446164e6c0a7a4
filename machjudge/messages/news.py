"""Work out a phase's results, once for all readers who may see the same."""

from collections.abc import (
    Callable,
    Collection,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
    Set,
)
from dataclasses import dataclass, field
from typing import Any, TypeVar

from machjudge.adjudicator import events as event_types
from machjudge.adjudicator.events import Event
from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.money.bank import debts_of
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.orders import Expense, Purpose
from machjudge.adjudicator.prices import STEP, price_of
from machjudge.adjudicator.reasons import Removal
from machjudge.adjudicator.state import View
from machjudge.adjudicator.units import Unit
from machjudge.adjudicator.world import World
from machjudge.messages import results
from machjudge.messages.notation import paid_line
from machjudge.messages.render import phase_name
from machjudge.messages.results import (
    DEATHS,
    PlayedPhase,
    PowerReport,
    SettledExpense,
    actor_of,
    adjustments,
    orders_of,
    own_orders,
    phase_results,
    settled_expenses,
    unit_reports,
)
from machjudge.messages.tables import (
    debt_lines,
    debt_text,
    fortresses,
    gained,
    living,
    provinces_count,
    real_cities,
)
from machjudge.messages.visibility import Outlook, Sight
from machjudge.messages.wording import (
    EventMessages,
    LineGroup,
    Words,
    messages_about,
    parts_of,
)
from machjudge.translatable import Message, MessageOrText


@dataclass(frozen=True, slots=True)
class Places:
    """Places that changed hands, by their names."""

    whole: tuple[str, ...]
    """Provinces with their cities."""
    provinces: tuple[str, ...]
    """Provinces without a city, or with another owner's city."""
    cities: tuple[str, ...]
    """Cities alone."""
    fortresses: tuple[str, ...]
    """Fortresses alone, which are no cities (MAP-07)."""
    open: tuple[str, ...]
    """Those of the provinces whose city has another owner."""
    open_forts: tuple[str, ...]
    """Those of the provinces whose fortress has another owner."""
    kept: tuple[str, ...]
    """Those of the provinces whose city or fortress the power has in both positions."""

    @property
    def all(self) -> tuple[str, ...]:
        """Return all names, sorted."""
        return tuple(sorted((*self.whole, *self.provinces, *self.cities, *self.fortresses)))


@dataclass(frozen=True, slots=True)
class ChangedHands:
    """A power's losses and gains."""

    lost: Places
    taken: Places

    def __bool__(self) -> bool:
        """Return True if anything changed hands."""
        return bool(self.lost.all or self.taken.all)

    def messages(self, who: str) -> tuple[Message, ...]:
        """Return a message for each kind of places; *who* is a power, or empty for the reader."""
        return (*_changed("news.lost", self.lost, who), *_changed("news.took", self.taken, who))


def _changed(key: str, places: Places, who: str) -> Iterator[Message]:
    for kind, names in (
        ("whole", places.whole),
        ("provinces", places.provinces),
        ("cities", places.cities),
        ("fortresses", places.fortresses),
    ):
        if names:
            alone = kind == "provinces"
            yield Message(
                key,
                who=who,
                kind=kind,
                places=names,
                open=places.open if alone else (),
                forts=places.open_forts if alone else (),
                kept=places.kept if alone else (),
            )


def changes_of(words: Words, before: View, after: View, power: PowerId) -> ChangedHands:
    """Return a power's losses and gains between two positions."""
    return ChangedHands(
        lost=_places(words, before, after, power), taken=_places(words, after, before, power)
    )


def _places(words: Words, held: View, other: View, power: PowerId) -> Places:
    """What a power holds in one position and not in the other."""
    real, forts = real_cities(words, held), fortresses(words, held)
    cities = gained(power, real_cities(words, other), real)
    taken_forts = gained(power, fortresses(words, other), forts)
    provinces = gained(power, other.provinces, held.provinces)
    if not provinces_count(words):
        provinces &= cities
        taken_forts = frozenset()
    both = cities | taken_forts
    alone = provinces - both
    others = {place for place in alone if place in words.world.cities}
    kept = {place for place in others if power in (real.get(place), forts.get(place))}
    others -= kept
    are_forts = {place for place in others if words.has_fortress(place)}
    return Places(
        whole=_names(words, provinces & both),
        provinces=_names(words, alone),
        cities=_names(words, cities - provinces),
        fortresses=_names(words, taken_forts - provinces),
        open=_names(words, others - are_forts),
        open_forts=_names(words, are_forts),
        kept=_names(words, kept),
    )


def _names(words: Words, places: Set[PlaceId]) -> tuple[str, ...]:
    return tuple(sorted(map(words.place, places)))


def standing(words: Words, before: View, after: View, power: PowerId) -> Mapping[str, object]:
    """Return the numbers of a power's cities and provinces, with their changes.

    The provinces are None where only cities count.
    """
    had, has = (
        (_count(real_cities(words, state), power), _count(state.provinces, power))
        for state in (before, after)
    )
    return {
        "cities": has[0],
        "provinces": has[1] if provinces_count(words) else None,
        "more_cities": has[0] - had[0],
        "more_provinces": has[1] - had[1],
    }


def _count(owners: Mapping[PlaceId, PowerId], power: PowerId) -> int:
    return [*owners.values()].count(power)


_KINDS = (
    "income",
    "taxes",
    "borrowed",
    "got",
    "repaid",
    "seized",
    "given",
    "expenses",
    "upkeep",
    "built",
)
"""What moves ducats, in the order of a sum's parts."""


def ledger(before: View, after: View, power: PowerId, events: Iterable[Event]) -> Message:
    """Return the treasury in ducats, and the sum that led to it, where it is complete."""
    sums = dict.fromkeys(_KINDS, 0)
    for event in events:
        if type(event) in _MOVES or isinstance(event, event_types.GiftGiven):
            for kind, ducats in _moved(power, event):
                sums[kind] += ducats
    had, has = before.treasuries.get(power, 0), after.treasuries.get(power, 0)
    steps = tuple(
        Message(f"news.step.{kind}", ducats=abs(sums[kind])) for kind in _KINDS if sums[kind]
    )
    is_whole = had + sum(sums.values()) == has
    return Message("news.has", ducats=has, had=had, steps=steps if is_whole else ())


def _moved(power: PowerId, event: Event) -> tuple[tuple[str, int], ...]:
    if isinstance(event, event_types.GiftGiven):
        got, given = event.receiver == power, event.giver == power
        return ("got", event.ducats * got), ("given", -event.ducats * given)
    if actor_of(event) != power:
        return ()
    kind, ducats = _MOVES[type(event)]
    return ((kind, ducats(event)),)


# Any: the sum of each kind of event takes that kind.
_MOVES: dict[type[Any], tuple[str, Callable[[Any], int]]] = {
    event_types.IncomePaid: ("income", lambda e: e.seas + e.provinces + e.cities + e.variable),
    event_types.TaxesForced: ("taxes", lambda e: e.ducats),
    event_types.LoanTaken: ("borrowed", lambda e: e.principal),
    event_types.LoanRepaid: ("repaid", lambda e: -e.principal - e.interest),
    event_types.LoanDefaulted: ("seized", lambda e: -e.seized),
    event_types.ExpensePaid: ("expenses", lambda e: -e.paid),
    event_types.Maintained: ("upkeep", lambda e: -e.ducats),
    event_types.UnitBuilt: ("built", lambda e: -e.ducats),
    event_types.AdjustmentFailed: ("built", lambda e: -e.lost),
}


# What a phase brought for one reader, the important things first. A player reads of what they
# lost, took, have and owe; others read of all powers.
_KILLED: EventMessages = {event_types.PowerAssassinated: DEATHS[event_types.PowerAssassinated]}


def news(
    words: Words, played: PlayedPhase, events: Sequence[Event], powers: Sequence[PowerId]
) -> tuple[Message, ...]:
    """Return the most important news for the reader of *powers*; never empty.

    *events* are those that the reader may see.
    """
    won = messages_about(results.VICTORY, words, events)
    own = alive(played, powers)
    if not own:
        return (*won, *(_of_all(words, played, events) or [Message("news.nothing_changed")]))
    out = [e for e in eliminated(events) if e.power not in own]
    lines = [line for power in own for line in _own(words, played, events, power)]
    return (*won, *messages_about(results.FATES, words, out), *lines)


def alive(played: PlayedPhase, powers: Iterable[PowerId]) -> list[PowerId]:
    """Return the living powers at the start of the phase; leaders of others only watch."""
    return [power for power in powers if power not in played.before.eliminated]


def eliminated(events: Iterable[Event]) -> list[event_types.PowerEliminated]:
    """Return the powers out of the game."""
    return [event for event in events if isinstance(event, event_types.PowerEliminated)]


def _of_all(words: Words, played: PlayedPhase, events: Sequence[Event]) -> list[Message]:
    lines = [*messages_about({**_KILLED, **results.FATES}, words, events)]
    for power in words.world.scenario.powers:
        changes = changes_of(words, played.before, played.after, power)
        lines += changes.messages(words.power(power))
    return lines


def _own(
    words: Words, played: PlayedPhase, events: Sequence[Event], power: PowerId
) -> Iterator[Message]:
    own = list(about(power, events))
    killed = [event for event in own if isinstance(event, event_types.PowerAssassinated)]
    out = any(event.power == power for event in eliminated(events))
    if out:
        yield Message("news.eliminated", power=words.power(power))
    yield from _missed(words, played, power)
    for death in killed:
        killers = tuple(map(words.power, death.by))
        yield Message("news.killed", killers=killers, out=out)
    yield from _attempts(words, power, events)
    homes = [event for event in events if isinstance(event, _OF_HOMES)]
    yield from messages_about(
        _HOMES, words, [event for event in homes if _is_home_of(power, event)]
    )
    yield from messages_about(results.DISLODGED, words, _waiting(own, played))
    bought = {one.settled.unit for one in _bribes_against(power, events)}
    given_up = _given_up(own)
    gone = [event for event in own if not _told_elsewhere(event, bought)]
    losses = [*messages_about(_GONE, words, gone), *_bought(words, power, events)]
    losses += _unrest(words, played, events, power)
    changes = changes_of(words, played.before, played.after, power)
    yield from losses
    yield from changes.messages("")
    for event in events:
        if isinstance(event, event_types.UnitChangedOwner) and event.to == power:
            yield Message("news.serves_you", unit=words.whose(event.unit))
    built = [event.unit for event in own if isinstance(event, event_types.UnitBuilt)]
    if built:
        yield Message("news.built", units=tuple(map(words.unit, built)))
    if given_up:
        yield Message("news.given_up", units=tuple(map(words.unit, given_up)))
    if not losses and not changes and not out:
        yield Message("news.kept_all")
    yield from _starving(words, played, events, power)
    if words.world.rules.game.money and power not in played.after.eliminated:
        yield ledger(played.before, played.after, power, events)
        yield from debt_lines(played.after, power)


_OF_HOMES = (event_types.HomeConquered, event_types.HomeHeld)
_HOMES: EventMessages = {kind: results.FATES[kind] for kind in _OF_HOMES}


def _is_home_of(power: PowerId, event: event_types.HomeConquered | event_types.HomeHeld) -> bool:
    return power in (event.home, event.by, getattr(event, "before", None))


def about(power: PowerId, events: Iterable[Event]) -> Iterator[Event]:
    """The events that befell a power or its units."""
    for event in events:
        unit = getattr(event, "unit", None)
        victim = getattr(event, "victim", None) or getattr(event, "against", None)
        if power in (victim, unit.owner if unit is not None else None):
            yield event


def _waiting(events: Iterable[Event], played: PlayedPhase) -> list[Event]:
    waiting = {dislodged.unit for dislodged in played.after.dislodged}
    return [e for e in events if isinstance(e, event_types.UnitDislodged) and e.unit in waiting]


_GONE: EventMessages = {
    event_types.UnitRemoved: results.removed_by(
        STARVED="starved",
        NO_RETREAT="no_retreat",
        NO_RETREAT_ORDERED="not_ordered",
        RETREATS_MET="met_another",
        ORDERED="disbanded",
        ELIMINATION="leaves",
        FAMINE="famine",
        PLAGUE="plague",
        STORM="storm",
        BRIBE="bribed",
        ASSASSINATION="lost_with_leader",
        NOT_MAINTAINED="not_maintained",
        TOO_FEW_CITIES="too_few_cities",
    )
}


def _given_up(events: Iterable[Event]) -> list[Unit]:
    """The units that their owners have disbanded, which is no loss."""
    return [
        event.unit
        for event in events
        if isinstance(event, event_types.UnitRemoved) and event.because is Removal.ORDERED
    ]


def _told_elsewhere(event: Event, bribed: Set[Unit | None]) -> bool:
    """Return True if a unit's end is told with those that were disbanded, or with who bribed it."""
    if not isinstance(event, event_types.UnitRemoved):
        return False
    return event.because is Removal.ORDERED or (
        event.because is Removal.BRIBE and event.unit in bribed
    )


def rebelling(words: Words, events: Iterable[Event]) -> tuple[str, ...]:
    """Return the names of the places with rebellions."""
    risen = [event for event in events if isinstance(event, event_types.RebellionStarted)]
    return tuple(sorted({words.place(event.place) for event in risen}))


def _missed(words: Words, played: PlayedPhase, power: PowerId) -> Iterator[Message]:
    """The orders that did not come, and what became of the units without them."""
    absent, moment = played.absent, played.before.moment
    if power not in absent.silent | absent.partial:
        return
    yield Message(
        "news.missed",
        phase=phase_name(words, moment),
        stage=moment.stage.name.lower(),
        all=power in absent.silent,
        ordered_for=power in absent.ordered_for,
        money=words.world.rules.game.money,
    )


def _attempts(words: Words, power: PowerId, events: Sequence[Event]) -> Iterator[Message]:
    """The assassins sent against a leader in vain, and who paid them."""
    for one in settled_expenses(events):
        settled = one.settled
        is_attempt = settled.expense.purpose is Purpose.ASSASSINATE
        if is_attempt and settled.expense.power == power and settled.fate != "done":
            paid = one.paid.paid if one.paid is not None else 0
            by = words.power(settled.power)
            yield Message("news.attempt", by=by, paid=paid, outcome=results.outcome(one))


def _unrest(
    words: Words, played: PlayedPhase, events: Sequence[Event], power: PowerId
) -> Iterator[Message]:
    """New rebellions against a power, who paid for them, and the rebels that helped others."""
    rolled = {e.place for e in events if isinstance(e, event_types.RebellionRolled)}
    risen = [
        event
        for event in events
        if isinstance(event, event_types.RebellionStarted) and event.against == power
    ]
    against = dict.fromkeys(
        (*played.before.province_rebellions.items(), *played.before.city_rebellions.items())
    )
    payers: dict[PlaceId, list[str]] = {}
    for one in settled_expenses(events):
        settled, where = one.settled, one.settled.expense.place
        if settled.expense.purpose is Purpose.CAUSE_REBELLION and where and settled.fate == "done":
            payers.setdefault(where, []).append(words.power(settled.power))
    groups: dict[tuple[tuple[str, ...], bool], list[PlaceId]] = {}
    for place in sorted({each.place for each in risen}, key=words.place):
        by = tuple(payers.get(place, ()))
        groups.setdefault((by, place in rolled and not by), []).append(place)
    for (by, is_dead), places in groups.items():
        ended = [place for place in places if not played.after.has_rebels(place)]
        lasting = [place for place in places if place not in ended]
        yield Message(
            "news.rebels",
            places=tuple(map(words.place, places)),
            by=by,
            dead=is_dead,
            **_pacifying(words, played.after, lasting),
        )
    for event in events:
        if not isinstance(event, event_types.RebelsSupported) or event.unit.owner == power:
            continue
        if (event.place, power) in against or any(e.place == event.place for e in risen):
            yield Message(
                "news.rebels_helped", place=words.place(event.place), unit=words.whose(event.unit)
            )


def _pacifying(words: Words, after: View, places: Sequence[PlaceId]) -> dict[str, object]:
    """The order that ends the first of some rebellions, and its price in ducats."""
    if not (places and words.world.rules.game.money):
        return {"price": 0, "line": ""}
    line = paid_line(words, after, Purpose.PACIFY, places[0])
    price = price_of(words.world, after, Expense(1, Purpose.PACIFY, place=places[0])).ducats
    return {"price": price, "line": line}


def _starving(
    words: Words, played: PlayedPhase, events: Iterable[Event], power: PowerId
) -> Iterator[Message]:
    """New famine in a power's provinces, or where its units stand, which will die of it."""
    after = played.after
    struck = {event.place for event in events if isinstance(event, event_types.FamineBegan)}
    units = [unit for unit in after.units_of(power) if unit.place in struck]
    places = {p for p in struck if after.provinces.get(p) == power} | {u.place for u in units}
    if places:
        names = tuple(sorted(map(words.place, places)))
        yield Message("news.famine", places=names, units=tuple(sorted(map(words.unit, units))))


def _bought(words: Words, power: PowerId, events: Sequence[Event]) -> Iterator[Message]:
    """The bribes that cost a power a unit, with the sufficient counter-bribes.

    Where payments are hidden, only the unit's new owner.
    """
    shown = set()
    for one in _bribes_against(power, events):
        if one.settled.unit is not None:
            shown.add(one.settled.unit)
            yield _bribe(words, one, one.settled.unit)
    changed = [event for event in events if isinstance(event, event_types.UnitChangedOwner)]
    for event in changed:
        if event.unit.owner == power and event.unit not in shown:
            to = words.power(event.to)
            yield Message("news.changed_sides", unit=words.unit(event.unit), power=to)


_BRIBES = (Purpose.BUY, Purpose.DISBAND, Purpose.TO_AUTONOMOUS)


def _bribes_against(power: PowerId, events: Sequence[Event]) -> Iterator[SettledExpense]:
    """The bribes that cost a power a unit."""
    for one in settled_expenses(events):
        unit = one.settled.unit
        is_bribe = one.settled.expense.purpose in _BRIBES
        if unit is not None and unit.owner == power and one.settled.fate == "done" and is_bribe:
            yield one


def _bribe(words: Words, one: SettledExpense, unit: Unit) -> Message:
    settled = one.settled
    paid = one.paid.paid if one.paid is not None else settled.force
    more = ((settled.force - settled.price) // STEP + 1) * STEP
    return Message(
        "news.bribed",
        power=words.power(settled.power),
        deed=settled.expense.purpose.name.lower() if settled.expense.purpose else "",
        unit=words.unit(unit),
        paid=paid,
        weight=settled.force,
        against=paid - paid % STEP - settled.force,
        price=settled.price,
        more=more,
    )


# --- how the powers stand --------------------------------------------------------------------


def standings(words: Words, played: PlayedPhase, sight: Sight) -> tuple[Message, ...]:
    """Return a line for each living power: cities, provinces, and visible money.

    Debts are dated only after Fall (BNK-12).
    """
    after = played.after
    is_dated = any(isinstance(event, event_types.IncomePaid) for event in played.events)
    lines = []
    for power in living(words, after):
        debts = debts_of(after, power)
        sees = bool(after.treasuries) and sight.sees_money_of(power)
        lines.append(
            Message(
                "news.stands",
                power=words.power(power),
                **standing(words, played.before, after, power),
                treasury=after.treasuries.get(power, 0) if sees else None,
                debts=tuple(debt_text(debt, dated=is_dated) for debt in debts if sees),
            )
        )
    return tuple(lines)


_FEW = 2
"""The most places named in a subject; more are counted."""

_MAX_ITEMS = 4
"""The most items in a subject."""


def headline(
    words: Words, played: PlayedPhase, events: Sequence[Event], powers: Sequence[PowerId]
) -> Message:
    """Return the news in some words without money, since others may read a subject.

    *events* are those that the reader may see.
    """
    own = alive(played, powers)
    items = [each for power in own for each in _items(words, played, events, power)]
    if not own:
        items = _items_of_all(words, played, events)
    items = [*_ends(words, played, events, own), *items]
    return Message("news.headline", items=tuple(items[:_MAX_ITEMS]))


def _ends(
    words: Words, played: PlayedPhase, events: Sequence[Event], own: Sequence[PowerId]
) -> Iterator[Message]:
    """Winners and eliminated powers, which come first in a subject."""
    sides = [e.powers for e in events if isinstance(e, event_types.SideWon)]
    sides += [(e.power,) for e in events if isinstance(e, event_types.VictoryReached)]
    names = tuple(words.power(power) for side in sides for power in side)
    if played.is_last:
        yield Message("news.item.won", names=names if len(sides) == 1 else ())
    elif names:
        yield Message("news.item.victory", names=names)
    out = [event.power for event in eliminated(events)]
    if set(out) & set(own):
        yield Message("news.item.you_eliminated")
    others = tuple(words.power(power) for power in out if power not in own)
    if others:
        yield Message("news.item.eliminated", names=others)


def _items(
    words: Words, played: PlayedPhase, events: Sequence[Event], power: PowerId
) -> list[Message]:
    own = list(about(power, events))
    gone = {
        e.unit for e in own if isinstance(e, event_types.UnitRemoved | event_types.UnitChangedOwner)
    }
    given_up = _given_up(own)
    changes = changes_of(words, played.before, played.after, power)
    retreats = [d.unit for d in played.after.dislodged if d.unit.owner == power]
    built = [event.unit for event in own if isinstance(event, event_types.UnitBuilt)]
    killed = any(isinstance(event, event_types.PowerAssassinated) for event in own)
    urgent = [Message("news.item.killed")] if killed else []
    if power in played.absent.silent | played.absent.partial:
        urgent.insert(0, Message("news.item.missed", all=power in played.absent.silent))
    if next(_attempts(words, power, events), None) is not None:
        urgent.append(Message("news.item.attempt"))
    said = {
        "retreat": tuple(map(words.unit, retreats)),
        "lost": changes.lost.all,
        "gone": tuple(
            map(words.unit, sorted(gone.difference(given_up), key=lambda unit: unit.place))
        ),
        "rebels": rebelling(words, own),
        "taken": changes.taken.all,
        "built": tuple(map(words.unit, built)),
        "given_up": tuple(map(words.unit, given_up)),
    }
    return urgent + [
        Message(f"news.item.{key}", names=names if len(names) <= _FEW else (), n=len(names))
        for key, names in said.items()
        if names
    ]


def _items_of_all(words: Words, played: PlayedPhase, events: Sequence[Event]) -> list[Message]:
    before, after = played.before, played.after
    places = {
        place
        for old, new in ((before.provinces, after.provinces), (before.cities, after.cities))
        for place in {*old, *new}
        if old.get(place) != new.get(place)
    }
    victims = [e.victim for e in events if isinstance(e, event_types.PowerAssassinated)]
    dead = [Message("news.item.leaders_killed", names=tuple(map(words.power, victims)))]
    moved = [Message("news.item.changed_hands", n=len(places))]
    return (dead if victims else []) + (moved if places else [])


T = TypeVar("T")

Render = Callable[[Mapping[str, object]], str]
"""What makes a text of the facts of the results."""

Say = Callable[[MessageOrText], str]
"""What makes a text of a sentence."""


@dataclass(slots=True)
class SharedResults:
    """The results of one phase, cached for readers with equal views."""

    words: Words
    played: PlayedPhase
    render: Render
    say: Say
    _reports: tuple[PowerReport, ...] | None = None
    _orders: Mapping[PowerId, LineGroup] | None = None
    _made: list[tuple[Outlook, bool, dict[object, Any]]] = field(default_factory=list)
    _last: tuple[Sight, dict[object, Any]] | None = None

    def once(self, sight: Sight, make: Callable[[PlayedPhase, Sight], T]) -> T:
        """Return the result of *make*, once for all readers with equal views."""
        made = self._made_for(sight)
        if make not in made:
            made[make] = make(self.played, sight)
        found: T = made[make]
        return found

    def _made_for(self, sight: Sight) -> dict[object, Any]:
        if self._last is None or self._last[0] is not sight:
            outlook = sight.outlook(self.played.events, self.words.world.scenario.powers)
            key = (outlook, sight.is_master)
            made = next((made for *known, made in self._made if (*known,) == key), None)
            if made is None:
                made = {}
                self._made.append((*key, made))
            self._last = (sight, made)
        return self._last[1]

    def facts(self, sight: Sight) -> Mapping[str, object]:
        """Return the page's texts that all readers with the same view share."""
        return self.once(sight, self._facts)

    def _facts(self, played: PlayedPhase, sight: Sight) -> Mapping[str, object]:
        seen = phase_results(self.words, played, sight)
        return {
            "results": seen,
            "is_master": sight.is_master,
            "is_over": played.is_last,
            "plots_text": self.render({"sections": seen.plots()}),
            "rest_text": self.render({"sections": seen.rest()}),
            "standing": tuple(map(self.say, standings(self.words, played, sight))),
        }

    def reports(self) -> tuple[PowerReport, ...]:
        """Return the reports on all units."""
        if self._reports is None:
            parts = parts_of(self.played.before, self.played.events)
            self._reports = unit_reports(self.words, self.played, parts)
        return self._reports

    def others(self, powers: Collection[PowerId]) -> tuple[LineGroup, ...]:
        """Return the orders of the other powers."""
        if self._orders is None:
            self._orders = {each.id: orders_of(each, self.say) for each in self.reports()}
        return tuple(group for power, group in self._orders.items() if power not in powers)


@dataclass(slots=True)
class ResultsForAll:
    """The results of one phase for readers with different views."""

    world: World
    see: Callable[[Sight], PlayedPhase]
    """The phase as a reader sees it."""
    render: Render
    say: Say
    _made: dict[Hashable, SharedResults] = field(default_factory=dict)

    def seen_by(self, sight: Sight) -> SharedResults:
        """Return the results shared with all who see as much."""
        known = sight.shares(self.world.scenario.powers)
        if known not in self._made:
            seen = self.see(sight)
            words = sight.words(self.world, seen.before)
            self._made[known] = SharedResults(words, seen, self.render, self.say)
        return self._made[known]


def events_seen(played: PlayedPhase, sight: Sight) -> tuple[Event, ...]:
    """Return the events of a phase that a person may read."""
    return sight.visible(played.events)


def facts_for_reader(
    shared: SharedResults, sight: Sight, powers: Sequence[PowerId]
) -> Mapping[str, object]:
    """Return the page's texts for the one reader of *powers*."""
    words, played, reports = shared.words, shared.played, shared.reports()
    stage, events = played.before.moment.stage, shared.once(sight, events_seen)
    own = own_orders(words, stage, reports, powers, events, played.absent.ordered_for)
    ended = [each.fields["failed"] is True for each in own if each.fields["ordered"] is True]
    return {
        "news": news(words, played, events, powers),
        "headline": headline(words, played, events, powers),
        "failed": sum(ended),
        "ordered": len(ended),
        "own_orders": own,
        "others": tuple(adjustments(words, events, played.absent, powers))
        if stage is Stage.ADJUSTMENT
        else shared.others(powers),
    }
