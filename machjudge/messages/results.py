"""The results of a phase, section by section."""

import re
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from machjudge.adjudicator import events as event_types
from machjudge.adjudicator.board import Spot
from machjudge.adjudicator.events import (
    DiceThrown,
    Event,
    ExpensePaid,
    ExpenseSettled,
    Fate,
    RebellionRolled,
)
from machjudge.adjudicator.moments import Moment, Stage
from machjudge.adjudicator.money.assassins import deadly_faces
from machjudge.adjudicator.names import AUTONOMOUS, PlaceId, PowerId
from machjudge.adjudicator.orders import Named, Orders, Purpose, UnitOrder
from machjudge.adjudicator.prices import ATTEMPT
from machjudge.adjudicator.reasons import Forced, Removal
from machjudge.adjudicator.state import State, View
from machjudge.adjudicator.units import Unit, unit_order
from machjudge.messages import tables
from machjudge.messages.notation import deed_words, order_text
from machjudge.messages.visibility import EVERYTHING, Sight
from machjudge.messages.wording import (
    CampaignParts,
    EventMessages,
    LineGroup,
    MessageMaker,
    SectionLine,
    Words,
    message_of,
    messages_about,
    parts_of,
    reason_words,
)
from machjudge.translatable import Message, MessageOrText


def default_order_words(order: MessageOrText) -> Message:
    """Return an order, or its power, marked as written by the judge."""
    return Message(_BY_DEFAULT, order=order)


@dataclass(frozen=True, slots=True)
class Absent:
    """The powers whose orders were missing or incomplete."""

    silent: frozenset[PowerId] = frozenset()
    """They had no orders on file."""
    partial: frozenset[PowerId] = frozenset()
    """Some of their orders were missing."""
    ordered_for: frozenset[PowerId] = frozenset()
    """The judge ordered in their place."""
    bots: frozenset[PowerId] = frozenset()
    """A bot leads them."""


def absent_lines(words: Words, absent: Absent, stage: Stage) -> tuple[Message, ...]:
    """Return the powers with missing orders, and those for which the judge ordered."""
    found = {
        "results.no_orders": absent.silent,
        "results.not_all_orders": absent.partial,
        "results.hold" if stage is Stage.CAMPAIGN else "results.keeps": absent.ordered_for,
    }
    return tuple(
        Message(key, powers=_names(words, powers)) for key, powers in found.items() if powers
    )


def _bot_lines(words: Words, absent: Absent) -> tuple[Message, ...]:
    led = _names(words, absent.bots)
    return (Message("results.by_bot", powers=led),) if led else ()


def _names(words: Words, powers: frozenset[PowerId]) -> tuple[str, ...]:
    return tuple(words.power(p) for p in words.world.scenario.in_play if p in powers)


# --- rebellions and sieges -------------------------------------------------------------------


def _rebels_where(
    words: Words, event: event_types.RebellionStarted | event_types.RebellionEnded
) -> Message:
    in_both = event.in_province and event.in_city
    where = "both" if in_both else "city" if event.in_city else "province"
    return Message(
        f"results.rebels_in.{where}",
        place=words.place(event.place),
        fortress=words.has_fortress(event.place),
    )


def removed_by(**keys: str) -> MessageMaker:
    """Return a message maker for removed units, by the names of the reasons; silent for others."""

    def make(words: Words, event: event_types.UnitRemoved) -> Message | None:
        key = keys.get(event.because.name)
        return Message(f"results.removed.{key}", unit=words.whose(event.unit)) if key else None

    return make


UNREST: EventMessages = {
    event_types.RebellionStarted: message_of(
        "results.rebellion_started", where=_rebels_where, power="against"
    ),
    event_types.RebellionEnded: message_of(
        "results.rebellion_ended",
        where=_rebels_where,
        how=lambda _, event: Message(f"results.rebellion_end.{event.because.name.lower()}"),
        power="by",
    ),
    event_types.SiegeEnded: message_of(
        "results.siege_ended",
        "city",
        because=lambda _, event: Message(f"results.siege_end.{event.because.name.lower()}"),
    ),
    event_types.UnitRemoved: removed_by(STARVED="starved"),
}

TIES: EventMessages = {
    event_types.TieBroken: message_of(
        "results.tie_broken",
        "units",
        rule=lambda _, event: Message(f"results.tie.{event.rule.replace(' ', '_')}"),
    )
}

# --- dislodged units -------------------------------------------------------------------------


def _dislodged(words: Words, event: event_types.UnitDislodged) -> Message:
    return Message(
        "results.may_retreat",
        unit=words.whose(event.unit),
        ways=(
            *(words.spot(spot) for spot in event.retreats),
            *((Message("results.its_city"),) if event.convert else ()),
        ),
    )


DISLODGED: EventMessages = {
    event_types.UnitDislodged: _dislodged,
    event_types.UnitRemoved: removed_by(NO_RETREAT="destroyed"),
}


def _spot_reached(words: Words, event: event_types.Retreated | event_types.DrivenAshore) -> str:
    return words.spot(Spot(event.to, event.coast))


def _retreated(words: Words, event: event_types.Retreated) -> Message:
    key = "results.retreated_into_city" if event.into_city else "results.retreated"
    wanted = words.place(event.instead_of) if event.instead_of is not None else ""
    place = _spot_reached(words, event)
    fortress = event.into_city and words.has_fortress(event.to)
    unit = words.whose(event.unit)
    return Message(key, unit=unit, place=place, wanted=wanted, fortress=fortress)


RETREATS: EventMessages = {
    event_types.Retreated: _retreated,
    event_types.UnitRemoved: removed_by(
        ORDERED="disbands",
        NO_RETREAT_ORDERED="not_ordered",
        RETREATS_MET="met_another",
        NO_RETREAT="no_retreat",
    ),
}

SENT: EventMessages = {
    event_types.Retreated: _retreated,
    event_types.UnitRemoved: removed_by(RETREATS_MET="met_another"),
}
"""Where the judge sends the dislodged at the end of a campaign (MOV-47)."""

DISBANDED: EventMessages = {event_types.UnitRemoved: removed_by(ORDERED="disbanded")}

# --- control, victory ------------------------------------------------------------------------

FATES: EventMessages = {
    event_types.UnitRemoved: removed_by(ELIMINATION="leaves"),
    event_types.HomeConquered: message_of("results.home_conquered", "home", power="by"),
    event_types.HomeHeld: message_of("results.home_held", "home", power="by"),
    event_types.PowerEliminated: message_of("results.eliminated", "power"),
}

NUMBERS: EventMessages = {
    event_types.UnitNumbered: message_of(
        "results.numbered",
        "unit",
        number=lambda _, event: f"{event.unit.kind.letter}{event.number}",
    )
}

VICTORY: EventMessages = {
    event_types.VictoryReached: message_of("results.victory", "power", "cities", "homes"),
    event_types.SideWon: message_of("results.side_won", "powers", "cities", "homes"),
    event_types.EndThrown: message_of("results.end_thrown", "leaders", "cities", "die", "limit"),
}

# --- the year's end --------------------------------------------------------------------------


def _relief_used(words: Words, event: event_types.ReliefUsed) -> Message | None:
    place = words.place(event.place)
    return Message("results.famine_averted", place=place) if event.needed else None


DISASTERS: EventMessages = {
    event_types.DisasterStruck: message_of(
        "results.disaster",
        "severity",
        "row",
        "column",
        kind=lambda _, event: Message(f"results.disasters.{event.kind}"),
        places=lambda words, event: tuple(sorted(words.place(place) for place in event.places)),
    ),
    event_types.StormBroke: message_of("results.storm_broke", "place", "die"),
    event_types.PlagueSpread: message_of("results.plague_spread", "place"),
    event_types.ProvinceBurnt: message_of("results.province_burnt", "place", "power"),
    event_types.DrivenAshore: message_of("results.driven_ashore", "unit", place=_spot_reached),
    event_types.ReliefUsed: _relief_used,
    event_types.UnitRemoved: removed_by(FAMINE="famine", PLAGUE="plague", STORM="storm"),
}

_NOT_KEPT = {
    Removal.ORDERED: "disbands",
    Removal.NOT_MAINTAINED: "not_maintained",
    Removal.TOO_FEW_CITIES: "too_few_cities",
}


def _removed(words: Words, event: event_types.UnitRemoved) -> Message:
    key = _NOT_KEPT.get(event.because, "loses")
    return Message(f"results.adjustment.{key}", unit=words.unit(event.unit))


def _own_unit(words: Words, event: event_types.Maintained | event_types.UnitBuilt) -> str:
    return words.unit(event.unit)


def _because(words: Words, event: Any) -> Message:  # noqa: ANN401 - whatever has a reason
    return reason_words(words, event.because)


def _order(words: Words, event: Any) -> str:  # noqa: ANN401 - whatever has an order
    return order_text(words, event.order)


_VOID: EventMessages = {
    event_types.OrderIgnored: message_of("results.order_ignored", order=_order),
    event_types.OrderRefused: message_of("results.order_refused", order=_order, because=_because),
}


def void_orders(words: Words, power: PowerId, events: Iterable[Event]) -> tuple[Message, ...]:
    """A message for each order that was on file and not carried out at all."""
    own = [event for event in events if getattr(event, "power", None) == power]
    return messages_about(_VOID, words, own)


taxes_words = message_of("results.taxes_forced", "place", "ducats")

ADJUSTMENT: EventMessages = {
    event_types.TaxesForced: taxes_words,
    event_types.Maintained: message_of("results.maintains", "ducats", unit=_own_unit),
    event_types.UnitBuilt: message_of("results.builds", "ducats", unit=_own_unit),
    event_types.UnitRemoved: _removed,
    event_types.AdjustmentFailed: message_of(
        "results.adjustment_failed",
        "lost",
        order=_order,
        because=_because,
    ),
    event_types.BuildsWaived: message_of("results.waives", n="count"),
}


def adjustment_messages(
    words: Words, power: PowerId, events: Sequence[Event]
) -> tuple[Message, ...]:
    """Return a power's adjustment."""
    return messages_about(ADJUSTMENT, words, [each for each in events if actor_of(each) == power])


def actor_of(event: Event) -> PowerId | None:
    """Return the owner of an event's unit, or the power that it names."""
    unit = getattr(event, "unit", None)
    return unit.owner if unit is not None else getattr(event, "power", None)


# What happened at the bank and between powers, in one sentence for each event (area BNK). When a
# loan is due stands in the income report and in the mails to its owner alone (BNK-12).
def _loan_repaid(words: Words, event: event_types.LoanRepaid) -> Message:
    return Message(
        "results.loan_collected" if event.collected else "results.loan_repaid",
        power=words.power(event.power),
        ducats=event.principal,
        interest=event.interest,
    )


def bank(year: int) -> EventMessages:
    """Return a year's messages of the bank, which alone tell of gifts (BNK-11)."""
    return {
        event_types.LoanRepaid: _loan_repaid,
        event_types.PaymentNotNeeded: message_of("results.not_needed", "power", "paid", "asked"),
        event_types.GiftGiven: message_of("results.gift", "giver", "receiver", "ducats", "asked"),
        event_types.GiftRefused: message_of(
            "results.gift_refused",
            "giver",
            "receiver",
            because=lambda _, event: event.because.replace(" ", "_"),
        ),
        event_types.Excommunicated: message_of(
            "results.excommunicated", "victim", power="by", campaign="during"
        ),
        event_types.LoanTaken: message_of(
            "results.loan_taken",
            "power",
            "interest",
            ducats="principal",
            years=lambda _, event: event.due.year - year,
        ),
        event_types.LoanRefused: message_of(
            "results.loan_refused",
            "power",
            "ducats",
            by_limit=lambda _, event: event.because == "limit",
        ),
        event_types.LoanDefaulted: message_of("results.loan_defaulted", "power", "owed", "seized"),
    }


CORRECTIONS: EventMessages = {
    event_types.TreasuryCorrected: message_of("corrections.treasury", "power", "ducats", "because"),
    event_types.UnitCorrected: message_of(
        "corrections.unit", "unit", "place", "in_city", "because"
    ),
    event_types.OwnerCorrected: message_of(
        "corrections.owner", "place", "in_city", "because", power="by"
    ),
    event_types.MarkerCorrected: message_of(
        "corrections.marker",
        "place",
        "on",
        "because",
        marker=lambda _, event: Message(f"corrections.markers.{event.marker.name.lower()}"),
        power="against",
    ),
    event_types.HomeCorrected: message_of("corrections.home", "home", "because", power="by"),
    event_types.LoanCorrected: message_of(
        "corrections.loan", "power", "interest", "due", "because", ducats="principal"
    ),
    event_types.CreditCorrected: message_of(
        "corrections.credit", "power", "because", lends=lambda _, event: not event.defaulted
    ),
    event_types.ChitsCorrected: message_of(
        "corrections.chits", "power", "victim", "because", n="count"
    ),
    event_types.EliminationCorrected: message_of(
        "corrections.elimination", "power", "out", "because"
    ),
}


def is_marked(state: State, marker: event_types.Marker, place: PlaceId) -> bool:
    """Return True if a marker lies in a place."""
    match marker:
        case event_types.Marker.FAMINE:
            return place in state.famine
        case event_types.Marker.SIEGE:
            return place in state.sieges
        case event_types.Marker.REBELLION:
            return place in state.province_rebellions
        case event_types.Marker.CITY_REBELLION:
            return place in state.city_rebellions


def what_was(words: Words, before: State, event: event_types.CorrectionEvent) -> Message:
    """Return what a correction found; of numbers also what they are now."""
    match event:
        case event_types.TreasuryCorrected(power, ducats):
            was = before.treasuries.get(power, 0)
            return Message(
                "corrections.treasury_before", power=words.power(power), was=was, now=ducats
            )
        case event_types.LoanCorrected(power, due, principal, interest):
            owed = [loan for loan in before.loans if (loan.power, loan.due) == (power, due)]
            return Message(
                "corrections.loan_before",
                power=words.power(power),
                was=sum(loan.principal for loan in owed),
                now=principal,
                interest_was=sum(loan.interest for loan in owed),
                interest_now=interest,
            )
        case event_types.ChitsCorrected(power, victim, count):
            return Message(
                "corrections.chits_before",
                power=words.power(power),
                victim=words.power(victim),
                was=before.chits.get(power, ()).count(victim),
                now=count,
            )
        case event_types.CreditCorrected(power):
            lends = power not in before.defaulted
            return Message("corrections.credit_before", lends=lends)
        case event_types.EliminationCorrected(power):
            return _had_before(words, before, power)
        case _:
            return _was_there(words, before, event)


def _was_there(words: Words, before: State, event: event_types.CorrectionEvent) -> Message:
    """What stood or lay in a place, or whose it was."""

    def name(power: PowerId | None) -> MessageOrText:
        return words.power(power) if power is not None else ""

    match event:
        case event_types.UnitCorrected(place, in_city):
            unit = (before.garrisons if in_city else before.field).get(place)
            return Message("corrections.unit_before", unit=words.whose(unit) if unit else "")
        case event_types.OwnerCorrected(place, in_city):
            owner = (before.cities if in_city else before.provinces).get(place)
            return Message("corrections.owner_before", power=name(owner))
        case event_types.MarkerCorrected(place, marker):
            called = Message(f"corrections.markers.{marker.name.lower()}")
            is_on = is_marked(before, marker, place)
            return Message("corrections.marker_before", marker=called, on=is_on)
        case event_types.HomeCorrected(places=places):
            owners = dict.fromkeys(before.homes.get(place) for place in places)
            named = tuple(words.power(power) for power in owners if power is not None)
            return Message("corrections.home_before", powers=named)
        case _:
            raise TypeError(event)


def _had_before(words: Words, before: State, power: PowerId) -> Message:
    """What a power had that is eliminated now, or comes back."""
    return Message(
        "corrections.elimination_before",
        out=power in before.eliminated,
        units=tuple(words.unit(unit) for unit in before.units() if unit.owner == power),
        cities=tuple(words.place(c) for c, owner in before.cities.items() if owner == power),
        ducats=before.treasuries.get(power, 0) if words.world.rules.game.money else 0,
    )


_UNSAID = {
    event_types.TreasuryCorrected: "treasury",
    event_types.LoanCorrected: "loan",
    event_types.CreditCorrected: "credit",
    event_types.ChitsCorrected: "chits",
    event_types.UnitCorrected: "unit",
    event_types.MarkerCorrected: "marker",
}
"""The messages that hide whose money, chits or unit it was."""


def correction_lines(
    words: Words,
    before: State,
    after: State,
    events: Iterable[Event],
    sight: Sight,
    now: Moment | None = None,
) -> tuple[Message, ...]:
    """Return corrections and their reasons; hidden ones only by their kind.

    :param now: the phase that the game is at.
    """
    two = sight.view(words.world, before, now), sight.view(words.world, after, now)
    return tuple(
        line
        for event in events
        for line in _told_corrected(words, event, sight, is_seen=sight.sees_correction(*two, event))
    )


def _told_corrected(
    words: Words, event: Event, sight: Sight, *, is_seen: bool
) -> tuple[Message, ...]:
    unsaid = _UNSAID.get(type(event))
    if unsaid is None or is_seen:
        return messages_about(CORRECTIONS, words, [sight.as_seen(event)])
    because = getattr(event, "because", "")
    return (Message(f"corrections.unsaid.{unsaid}", because=because),)


_FAILURE = "results.failure"
_NO_ORDER = "results.no_order"
_BY_DEFAULT = "results.by_default"


@dataclass(frozen=True, slots=True)
class UnitReport:
    """A unit's order in the judge's notation, with remarks on its result."""

    order: MessageOrText
    remarks: tuple[Message, ...] = ()
    """A failure begins with two asterisks."""
    leaderless: bool = False
    """True if it held because its leader was killed: its order did not fail, it was not heard."""

    @property
    def failed(self) -> bool:
        """Return whether the order failed."""
        return any(remark.key == _FAILURE for remark in self.remarks)

    @property
    def ordered(self) -> bool:
        """Return whether it had an order."""
        return not isinstance(self.order, Message) or self.order.key != _NO_ORDER

    @property
    def by_default(self) -> bool:
        """Return whether the judge ordered it."""
        return isinstance(self.order, Message) and self.order.key == _BY_DEFAULT

    @property
    def plain(self) -> tuple[Hashable, ...]:
        """The remarks without asterisks."""
        return tuple(
            remark.fields["remark"] if remark.key == _FAILURE else remark for remark in self.remarks
        )


@dataclass(frozen=True, slots=True)
class PowerReport:
    """The units of one power."""

    id: PowerId
    power: str
    units: tuple[UnitReport, ...]


def movement(
    words: Words,
    before: View,
    orders: Orders,
    events: Sequence[Event],
    by_default: frozenset[PowerId] = frozenset(),
) -> tuple[PowerReport, ...]:
    """Return all units by power, autonomous ones last if anything happened to them.

    The orders of powers *by_default* were written by the judge.
    """
    by_unit = _events_by_unit(events)
    order_of = orders_by_unit(before, orders)
    reports: dict[PowerId, list[UnitReport]] = {}
    for unit in sorted(by_unit, key=unit_order):
        only_holds = all(isinstance(event, event_types.Held) for event in by_unit[unit])
        if unit.owner != AUTONOMOUS or not only_holds:
            report = _report(words, unit, order_of.get(unit), by_unit[unit])
            if unit.owner in by_default and unit in order_of:
                report = replace(report, order=default_order_words(report.order))
            reports.setdefault(unit.owner, []).append(report)
    powers = [*words.world.scenario.powers, AUTONOMOUS]
    return tuple(
        PowerReport(power, words.owner(power), tuple(reports[power]))
        for power in powers
        if power in reports
    )


def orders_by_unit(state: View, orders: Orders) -> Mapping[Unit, UnitOrder]:
    """Return the unit that each order is for, if its giver owns it when it is carried out.

    *state* is the position after the expenses: a unit's buyer orders it (EXP-24).
    """
    found: dict[Unit, UnitOrder] = {}
    for power, given in orders.items():
        for order in given:
            if not isinstance(order, UnitOrder):
                continue
            unit = find_unit(state, power, order.unit)
            if unit is not None and unit.owner == power:
                found[unit] = order
    return found


def find_unit(state: View, power: PowerId, named: Named) -> Unit | None:
    """Return the unit that a power names: of the type, else its own A/F, a garrison, any."""
    here = [
        unit
        for unit in (state.field.get(named.place), state.garrisons.get(named.place))
        if unit is not None and named.kind in (None, unit.kind)
    ]
    own = [unit for unit in here if unit.owner == power]
    return next(iter([*own, *here]), None)


def _events_by_unit(events: Iterable[Event]) -> dict[Unit, list[Event]]:
    """The events of each unit, those after its conversion included."""
    by_unit: dict[Unit, list[Event]] = {}
    before: dict[Unit, Unit] = {}
    for event in events:
        unit = getattr(event, "unit", None)
        if isinstance(event, event_types.Converted):
            before[event.unit.converted(event.into, event.coast)] = event.unit
        if isinstance(unit, Unit) and type(event) in _REMARKS:
            by_unit.setdefault(before.get(unit, unit), []).append(event)
    return by_unit


def _report(
    words: Words, unit: Unit, order: UnitOrder | None, events: Sequence[Event]
) -> UnitReport:
    remarks = []
    for event in events:
        remark = _REMARKS[type(event)](words, event)
        if remark is not None:
            failed = type(event) in _FAILURES
            remarks.append(Message(_FAILURE, remark=remark) if failed else remark)
    if order is None:
        return UnitReport(Message(_NO_ORDER, unit=words.unit(unit)), tuple(remarks))
    leaderless = any(
        isinstance(e, event_types.Held) and e.because and e.because.why is Forced.ASSASSINATED
        for e in events
    )
    # Type and coast stand in the report even where the player left them out.
    named = Named.of(unit)
    text = order_text(words, replace(order, unit=named))
    return UnitReport(text, tuple(remarks), leaderless=leaderless)


def _held(words: Words, event: event_types.Held) -> Message | None:
    if event.because is None or event.because.why is Forced.NO_ORDER:
        return None
    return Message("results.holds", because=reason_words(words, event.because))


def _marched(words: Words, event: event_types.Marched) -> Message | None:
    if event.to == event.ordered:
        return None
    at = words.place(event.to)
    stayed = event.to == event.unit.place
    return Message("results.marched_short", place=at, stayed=stayed)


def _silent(_: Words, __: Event) -> None:
    return None


_REMARKS: EventMessages = {
    event_types.Held: _held,
    event_types.Advanced: _silent,
    event_types.Marched: _marched,
    event_types.AdvanceFailed: _because,
    event_types.SupportGiven: _silent,
    event_types.SupportFailed: message_of("results.support_failed", because=_because),
    event_types.RebelsSupported: message_of("results.rebels_supported", "place"),
    event_types.Transported: _silent,
    event_types.TransportFailed: message_of("results.transport_failed", because=_because),
    event_types.Converted: lambda _, event: Message(f"results.converted.{event.into.name.lower()}"),
    event_types.ConversionFailed: message_of("results.conversion_failed", because=_because),
    event_types.UnitDislodged: message_of("results.dislodged", "strength", "rival", unit="by"),
    event_types.SiegeBegun: message_of("results.siege_begun"),
    event_types.SiegeKept: message_of("results.siege_kept"),
    event_types.SiegeCompleted: message_of(
        "results.siege_completed",
        city=lambda words, event: words.place(event.besieged),
        fortress=lambda words, event: words.has_fortress(event.besieged),
    ),
}
"""The remarks on a unit's order, by event."""

_FAILURES: frozenset[type[Any]] = frozenset(
    {
        event_types.Held,
        event_types.AdvanceFailed,
        event_types.Marched,
        event_types.SupportFailed,
        event_types.TransportFailed,
        event_types.ConversionFailed,
        event_types.UnitDislodged,
    }
)

# Leaders who die, by assassins or by the bank, and what follows (ASN-04 to ASN-11).
DEATHS: EventMessages = {
    event_types.PowerAssassinated: message_of("results.killed", "victim", killers="by"),
    event_types.UnitRemoved: removed_by(ASSASSINATION="lost_with_leader"),
}


def rebellion_table(words: Words, events: Iterable[Event]) -> tuple[Message, ...]:
    """Return the dice of provinces tested for rebellion; those up to the limit rebel."""
    rows = tuple(
        (words.place(event.place), event.die, event.limit)
        for event in events
        if isinstance(event, RebellionRolled)
    )
    return (Message("results.rebellion_table", rows=rows),) if rows else ()


@dataclass(frozen=True, slots=True)
class SettledExpense:
    """An expense with its payment; None if a ruined power paid nothing (BNK-10)."""

    settled: ExpenseSettled
    paid: ExpensePaid | None
    die: int | None = None
    """The assassin's die, if thrown."""


def settled_expenses(events: Iterable[Event]) -> Iterator[SettledExpense]:
    """Return each settled expense with its payment and die."""
    paid: dict[tuple[PowerId, int], ExpensePaid] = {}
    die: int | None = None
    for event in events:
        if isinstance(event, ExpensePaid):
            paid[event.power, event.number] = event
        elif isinstance(event, DiceThrown) and event.purpose.startswith("assassination "):
            (die,) = event.dice
        elif isinstance(event, ExpenseSettled):
            # An assassin's die is thrown right before its attempt is settled.
            yield SettledExpense(event, paid.get((event.power, event.expense.number)), die)
            die = None


# Expenses as people read them: what was paid, for what, and what became of it. That money left a
# treasury and that an expense was settled are two events, for everything is paid before anything
# takes effect; a reader gets both together, by the numbers of each power.
def expense_lines(words: Words, events: Iterable[Event]) -> tuple[MessageOrText, ...]:
    """Return all expenses by power and number, two lines each."""
    by_power: dict[PowerId, list[SettledExpense]] = {}
    for one in settled_expenses(events):
        by_power.setdefault(one.settled.power, []).append(one)
    lines: list[MessageOrText] = []
    for power in words.world.scenario.powers:
        own = sorted(by_power.get(power, ()), key=lambda one: one.settled.expense.number)
        lines += [words.power(power)] if own else []
        lines += [_expense("results.expense", words, one) for one in own]
    return tuple(lines)


def foreseen_expenses(words: Words, events: Iterable[Event]) -> tuple[Message, ...]:
    """Return a sentence for each expense of a preview, without dice."""
    return tuple(
        _expense("results.expense_foreseen", words, replace(one, die=None))
        for one in settled_expenses(events)
    )


def _own_expenses(
    words: Words, events: Iterable[Event], powers: Collection[PowerId]
) -> Iterator[tuple[Message, bool]]:
    """The expenses of *powers*, and True for each that succeeded."""
    for one in settled_expenses(events):
        if one.settled.power in powers:
            yield _expense("results.own_expense", words, one), one.settled.fate == "done"


def _expense(key: str, words: Words, one: SettledExpense) -> Message:
    expense = one.settled.expense
    return Message(
        key,
        power=words.power(one.settled.power),
        number=expense.number,
        deed=deed_words(words, expense, one.settled.unit) or "",
        paid=one.paid.paid if one.paid is not None else None,
        asked=one.paid.asked if one.paid is not None else None,
        outcome=outcome(one),
    )


def outcome(one: SettledExpense) -> Message:
    """Return the result of an expense, with the deciding figures."""
    settled = one.settled
    if one.die is not None:
        return Message(
            "results.die",
            die=one.die,
            faces=deadly_faces(settled.expense, settled.force),
            kills=settled.fate == "done",
        )
    if settled.expense.purpose is Purpose.COUNTER_BRIBE and settled.fate == "done":
        return Message("results.against_bribes")
    match settled.fate:
        case "too small":
            return Message("results.too_small", price=settled.price)
        case "counter-bribed":
            weight = max(settled.force, 0)
            return Message("results.counter_bribed", weight=weight, price=settled.price)
        case _:
            return fate_words(settled.fate)


def fate_words(fate: Fate) -> Message:
    """Return the result of an expense, past or future."""
    return Message(f"results.fate.{_NO_KEY.sub('_', fate)}", attempt=ATTEMPT)


_NO_KEY = re.compile(r"\W+")

# --- what they bring about -------------------------------------------------------------------


def _changed_owner(words: Words, event: event_types.UnitChangedOwner) -> Message:
    unit = words.whose(event.unit)
    power = "" if event.to == AUTONOMOUS else words.power(event.to)
    return Message("results.changed_owner", unit=unit, power=power)


def _made_plain(words: Words, event: event_types.UnitMadePlain) -> Message:
    kind = event.unit.quality.name.lower()
    return Message("results.made_plain", unit=words.whose(event.unit.made_plain()), kind=kind)


def _famine_ended(words: Words, event: event_types.FamineEnded) -> Message | None:
    place = words.place(event.place)
    return Message("results.famine_relieved", place=place) if event.relieved else None


EFFECTS: EventMessages = {
    event_types.UnitChangedOwner: _changed_owner,
    event_types.UnitMadePlain: _made_plain,
    event_types.UnitRemoved: removed_by(BRIBE="bribed"),
    event_types.FamineEnded: _famine_ended,
    event_types.FamineForestalled: message_of("results.famine_forestalled", "place"),
}
"""The effects of expenses other than rebellions and ends of sieges."""


def own_orders(
    words: Words,
    stage: Stage,
    reports: Sequence[PowerReport],
    powers: Sequence[PowerId],
    events: Sequence[Event],
    by_default: Collection[PowerId] = (),
) -> tuple[Message, ...]:
    """Return the results of the orders of *powers*; *events* are those that the reader may see.

    The judge ordered for the powers *by_default*.
    """
    if stage is Stage.ADJUSTMENT:
        return tuple(
            _ended(default_order_words(act), failed=False, ordered=False)
            if power in by_default
            else _ended(act, act.key == _REFUSED, ordered=act.key not in _LOST)
            for power in powers
            for act in adjustment_messages(words, power, events)
        )
    units = [unit for report in reports if report.id in powers for unit in report.units]
    moves = (
        _order_and_remarks(
            "news.order",
            unit,
            failed=unit.failed and not unit.by_default and not unit.leaderless,
            ordered=unit.ordered and not unit.by_default and not unit.leaderless,
        )
        for unit in units
    )
    paid = _own_expenses(words, events, powers)
    return (*moves, *(_ended(line, not done) for line, done in paid))


_REFUSED = "results.adjustment_failed"
_LOST = frozenset(
    f"results.adjustment.{key}" for key in ("not_maintained", "too_few_cities", "loses")
)
"""Losses that were not ordered."""


def _ended(order: Message, failed: bool, *, ordered: bool = True) -> Message:
    return Message("news.order", order=order, remarks=(), failed=failed, ordered=ordered)


def orders_of(report: PowerReport, say: Callable[[MessageOrText], str]) -> LineGroup:
    """Return a power's orders below its name, for other readers."""
    return LineGroup(
        report.power,
        tuple(say(_order_and_remarks("news.other_order", unit)) for unit in report.units),
    )


def _order_and_remarks(key: str, unit: UnitReport, **more: bool) -> Message:
    return Message(key, order=unit.order, remarks=unit.plain, **more)


@dataclass(frozen=True, slots=True)
class PlayedPhase:
    """A phase as one reader sees it: events and valid orders."""

    before: View
    """The position at its start."""
    after: View
    """The position at its end."""
    events: tuple[Event, ...]
    orders: Orders
    absent: Absent = field(default_factory=Absent)
    """The powers without orders; none in a preview."""
    is_last: bool = False
    """True if the game ends with it."""


_PLOTS = ("absent", "money", "expenses", "deaths", "bought")


@dataclass(frozen=True, slots=True)
class Results:
    """The lines of each section; empty sections have none."""

    victory: tuple[SectionLine, ...]
    absent: tuple[SectionLine, ...]
    """The powers without orders."""
    bots: tuple[SectionLine, ...]
    """The powers that bots lead."""
    money: tuple[SectionLine, ...]
    """The bank, and gifts between powers."""
    expenses: tuple[SectionLine, ...]
    deaths: tuple[SectionLine, ...]
    """Dead leaders, and the rebellions after them."""
    bought: tuple[SectionLine, ...]
    """Owners changed by expenses, before the moves."""
    movement: tuple[SectionLine, ...]
    ties: tuple[SectionLine, ...]
    disbanded: tuple[SectionLine, ...]
    retreats: tuple[SectionLine, ...]
    unrest: tuple[SectionLine, ...]
    dislodged: tuple[SectionLine, ...]
    control: tuple[SectionLine, ...]
    fates: tuple[SectionLine, ...]
    adjustment: tuple[SectionLine, ...]
    sighted: tuple[SectionLine, ...]
    """The units seen in the fog of war, before a year's first campaign."""
    numbers: tuple[SectionLine, ...]
    treasuries: tuple[SectionLine, ...]
    disasters: tuple[SectionLine, ...]
    marked: tuple[SectionLine, ...]
    """The places with rebels, famine, sieges; not after Fall."""
    holdings: tuple[SectionLine, ...]
    """The yearly survey, after Fall only."""
    rolls: tuple[SectionLine, ...]
    incomes: tuple[SectionLine, ...]

    def sections(self) -> Iterator[tuple[Message, tuple[SectionLine, ...]]]:
        """Return each section with events, below its title."""
        return self._sections([each.name for each in fields(self)])

    def plots(self) -> Iterator[tuple[Message, tuple[SectionLine, ...]]]:
        """Return the sections about what happened before the moves."""
        return self._sections(_PLOTS)

    def rest(self) -> Iterator[tuple[Message, tuple[SectionLine, ...]]]:
        """Return the sections about what followed, without orders, victory and treasuries."""
        handled = {*_PLOTS, "victory", "movement", "adjustment", "treasuries"}
        return self._sections([each.name for each in fields(self) if each.name not in handled])

    def _sections(self, names: Iterable[str]) -> Iterator[tuple[Message, tuple[SectionLine, ...]]]:
        for name in names:
            if lines := getattr(self, name):
                yield Message(f"results.section.{name}"), lines


def phase_results(
    words: Words,
    played: PlayedPhase,
    sight: Sight = EVERYTHING,
    *,
    thrown: bool = True,
    idle: bool = True,
) -> Results:
    """Return the phase's results that this reader may see.

    Dice not *thrown* are a preview's: their effects are told, not the dice. Units without an order
    to which nothing happens are *idle*.
    """
    stage = played.before.moment.stage
    campaign, adjusting = stage is Stage.CAMPAIGN, stage is Stage.ADJUSTMENT
    surveyed = not adjusting and played.after.moment.stage is Stage.ADJUSTMENT
    events = sight.visible(played.events)
    parts = parts_of(played.before, played.events)
    incomes = tables.incomes(words, played.after, events)
    return Results(
        victory=messages_about(VICTORY, words, events),
        absent=absent_lines(words, played.absent, stage),
        bots=_bot_lines(words, played.absent),
        money=messages_about(bank(played.before.moment.year), words, events),
        expenses=(
            *(expense_lines if thrown else foreseen_expenses)(words, events),
            *messages_about({**UNREST, **EFFECTS}, words, sight.visible(parts.money)),
        ),
        deaths=_deaths(words, parts.deaths, thrown=thrown),
        bought=tables.control_changes(words, played.before, parts.at_moves),
        movement=tuple(_movement(words, played, parts, idle=idle)),
        ties=messages_about(TIES, words, events),
        disbanded=messages_about(DISBANDED, words, events) if campaign else (),
        unrest=(
            *(rebellion_table(words, parts.moves) if thrown else ()),
            *messages_about(UNREST, words, parts.moves),
        ),
        dislodged=messages_about(DISLODGED, words, _waiting(events)) if campaign else (),
        retreats=messages_about(SENT if campaign else RETREATS, words, events)
        if not adjusting
        else (),
        control=tables.control_changes(words, parts.at_moves, played.after),
        fates=messages_about(FATES, words, events),
        adjustment=tuple(adjustments(words, events, played.absent)) if adjusting else (),
        sighted=tables.board_units(words, played.after) if played.after.in_fog else (),
        numbers=messages_about(NUMBERS, words, events),
        disasters=messages_about(DISASTERS, words, events),
        rolls=tables.rolls(words, events),
        incomes=incomes,
        holdings=tables.holdings(words, played.after) if surveyed else (),
        marked=() if surveyed else tables.marked(words, played.after),
        treasuries=() if incomes else tables.treasuries(words, played.after, sight),
    )


def _movement(
    words: Words, played: PlayedPhase, parts: CampaignParts, *, idle: bool
) -> Iterator[LineGroup]:
    """What became of each power's units."""
    for report in unit_reports(words, played, parts):
        units = [unit for unit in report.units if idle or unit.ordered or unit.remarks]
        if units:
            lines = (Message("results.unit", order=u.order, remarks=u.remarks) for u in units)
            yield LineGroup(report.power, tuple(lines))


def _deaths(words: Words, events: Sequence[Event], *, thrown: bool) -> tuple[MessageOrText, ...]:
    """Deaths and losses, then the dice and the rebellions."""
    risen = [event for event in events if isinstance(event, event_types.RebellionStarted)]
    others = [event for event in events if not isinstance(event, event_types.RebellionStarted)]
    return (
        *messages_about({**UNREST, **DEATHS}, words, others),
        *(rebellion_table(words, events) if thrown else ()),
        *messages_about(UNREST, words, risen),
    )


def _waiting(events: Sequence[Event]) -> tuple[Event, ...]:
    """The events without dislodgements that the judge resolved itself (MOV-47)."""
    sent = {
        event.unit
        for event in events
        if isinstance(event, event_types.Retreated)
        or (isinstance(event, event_types.UnitRemoved) and event.because is Removal.RETREATS_MET)
    }
    return tuple(
        event
        for event in events
        if not isinstance(event, event_types.UnitDislodged) or event.unit not in sent
    )


def unit_reports(
    words: Words, played: PlayedPhase, parts: CampaignParts
) -> tuple[PowerReport, ...]:
    """Return all units with the results of their orders; none outside campaigns."""
    if played.before.moment.stage is not Stage.CAMPAIGN:
        return ()
    by_default = played.absent.ordered_for
    return movement(words, parts.at_moves, played.orders, parts.moves, by_default)


def adjustments(
    words: Words, events: Sequence[Event], absent: Absent, without: Collection[PowerId] = ()
) -> Iterator[LineGroup]:
    """Return each power's adjustment, as far as its events are visible."""
    for power in words.world.scenario.in_play:
        acts = () if power in without else adjustment_messages(words, power, events)
        if acts:
            name = words.power(power)
            head = default_order_words(name) if power in absent.ordered_for else name
            yield LineGroup(head, tuple(Message("results.act", act=act) for act in acts))
