"""The results of a phase, section by section; the same for every reader of an open game."""

import re
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from typing import Any

from machjudge.adjudicator import events as happened
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
from machjudge.adjudicator.names import AUTONOMOUS, PowerId
from machjudge.adjudicator.orders import Named, Orders, Purpose, UnitOrder
from machjudge.adjudicator.prices import ATTEMPT
from machjudge.adjudicator.reasons import Forced, Removal
from machjudge.adjudicator.state import State, View
from machjudge.adjudicator.units import Unit, unit_order
from machjudge.messages import tables
from machjudge.messages.notation import PURPOSES, named_text, order_text
from machjudge.messages.visibility import EVERYTHING, SeenPhase, Sight
from machjudge.messages.wording import (
    CampaignParts,
    LineGroup,
    Section,
    Teller,
    Told,
    Words,
    because_forced,
    campaign_words,
    parts_of,
    tell,
    why,
)
from machjudge.translatable import Message, MessageOrText, capitalized


def by_default_words(order: MessageOrText) -> Message:
    """An order, or whose orders, with the words for what the judge wrote in place of a player."""
    return Message("results.by_default", order=order)


@dataclass(frozen=True, slots=True)
class Absent:
    """The powers for which a phase was played without their orders, or without all of them."""

    silent: frozenset[PowerId] = frozenset()
    """Nothing of theirs was on file."""
    partial: frozenset[PowerId] = frozenset()
    """Orders of theirs were missing."""
    ordered_for: frozenset[PowerId] = frozenset()
    """The judge has written orders in their place."""


def absent_lines(words: Words, absent: Absent, stage: Stage) -> tuple[Message, ...]:
    """Who sent nothing, or not everything, and for whom the judge has ordered."""
    told = {
        "results.no_orders": absent.silent,
        "results.not_all_orders": absent.partial,
        "results.hold" if stage is Stage.CAMPAIGN else "results.keeps": absent.ordered_for,
    }
    return tuple(
        Message(key, powers=_names(words, powers)) for key, powers in told.items() if powers
    )


def _names(words: Words, powers: frozenset[PowerId]) -> tuple[str, ...]:
    return tuple(words.power(p) for p in words.world.scenario.in_play if p in powers)


# --- rebellions and sieges -------------------------------------------------------------------


def _rebels_where(
    words: Words, event: happened.RebellionStarted | happened.RebellionEnded
) -> Message:
    in_both = event.in_province and event.in_city
    where = "both" if in_both else "city" if event.in_city else "province"
    return Message(f"results.rebels_in.{where}", place=words.place(event.place))


def _rebellion_started(words: Words, event: happened.RebellionStarted) -> Message:
    against = words.power(event.against) if event.against is not None else ""
    return Message("results.rebellion_started", where=_rebels_where(words, event), power=against)


def _rebellion_ended(words: Words, event: happened.RebellionEnded) -> Message:
    return Message(
        "results.rebellion_ended",
        where=_rebels_where(words, event),
        how=Message(f"results.rebellion_end.{event.because.name.lower()}"),
        power=words.power(event.by) if event.by is not None else "",
    )


def _siege_ended(words: Words, event: happened.SiegeEnded) -> Message:
    because = Message(f"results.siege_end.{event.because.name.lower()}")
    return Message("results.siege_ended", city=words.place(event.city), because=because)


def removed_by(**keys: str) -> Teller:
    """Tells of a unit that leaves the map, by the names of the reasons; of no others."""

    def told(words: Words, event: happened.UnitRemoved) -> Message | None:
        key = keys.get(event.because.name)
        return Message(f"results.removed.{key}", unit=words.whose(event.unit)) if key else None

    return told


UNREST: Section = {
    happened.RebellionStarted: _rebellion_started,
    happened.RebellionEnded: _rebellion_ended,
    happened.SiegeEnded: _siege_ended,
    happened.UnitRemoved: removed_by(STARVED="starved"),
}


def _tie_broken(words: Words, event: happened.TieBroken) -> Message:
    units = tuple(words.whose(unit) for unit in event.units)
    rule = Message(f"results.tie.{event.rule.replace(' ', '_')}")
    return Message("results.tie_broken", units=units, rule=rule)


TIES: Section = {happened.TieBroken: _tie_broken}

# --- dislodged units -------------------------------------------------------------------------


def _dislodged(words: Words, event: happened.UnitDislodged) -> Message:
    return Message(
        "results.may_retreat",
        unit=words.whose(event.unit),
        ways=(
            *(words.spot(spot) for spot in event.retreats),
            *((Message("results.its_city"),) if event.convert else ()),
        ),
    )


DISLODGED: Section = {
    happened.UnitDislodged: _dislodged,
    happened.UnitRemoved: removed_by(NO_RETREAT="destroyed"),
}


def _retreated(words: Words, event: happened.Retreated) -> Message:
    place = words.spot(Spot(event.to, event.coast))
    key = "results.retreated_into_city" if event.into_city else "results.retreated"
    wanted = words.place(event.instead_of) if event.instead_of is not None else ""
    return Message(key, unit=words.whose(event.unit), place=place, wanted=wanted)


RETREATS: Section = {
    happened.Retreated: _retreated,
    happened.UnitRemoved: removed_by(
        ORDERED="disbands",
        NO_RETREAT_ORDERED="not_ordered",
        RETREATS_MET="met_another",
        NO_RETREAT="no_retreat",
    ),
}

SENT: Section = {
    happened.Retreated: _retreated,
    happened.UnitRemoved: removed_by(RETREATS_MET="met_another"),
}
"""Where the judge has sent the dislodged at the end of their campaign (MOV-47)."""

DISBANDED: Section = {happened.UnitRemoved: removed_by(ORDERED="disbanded")}

# --- control, victory ------------------------------------------------------------------------


def _home_conquered(words: Words, event: happened.HomeConquered) -> Message:
    by = words.power(event.by) if event.by is not None else ""
    return Message("results.home_conquered", home=words.power(event.home), power=by)


def _home_held(words: Words, event: happened.HomeHeld) -> Message:
    by = words.power(event.by) if event.by is not None else ""
    return Message("results.home_held", home=words.power(event.home), power=by)


def _power_eliminated(words: Words, event: happened.PowerEliminated) -> Message:
    return Message("results.eliminated", power=words.power(event.power))


def _victory_reached(words: Words, event: happened.VictoryReached) -> Message:
    power = words.power(event.power)
    return Message("results.victory", power=power, cities=event.cities, homes=event.homes)


def _side_won(words: Words, event: happened.SideWon) -> Message:
    powers = tuple(words.power(power) for power in event.powers)
    return Message("results.side_won", powers=powers, cities=event.cities, homes=event.homes)


def _end_thrown(words: Words, event: happened.EndThrown) -> Message:
    return Message(
        "results.end_thrown",
        leaders=tuple(map(words.power, event.leaders)),
        cities=event.cities,
        die=event.die,
        limit=event.limit,
    )


FATES: Section = {
    happened.UnitRemoved: removed_by(ELIMINATION="leaves"),
    happened.HomeConquered: _home_conquered,
    happened.HomeHeld: _home_held,
    happened.PowerEliminated: _power_eliminated,
}


def _numbered(words: Words, event: happened.UnitNumbered) -> Message:
    number = f"{event.unit.kind.letter}{event.number}"
    return Message("results.numbered", unit=words.whose(event.unit), number=number)


NUMBERS: Section = {happened.UnitNumbered: _numbered}

VICTORY: Section = {
    happened.VictoryReached: _victory_reached,
    happened.SideWon: _side_won,
    happened.EndThrown: _end_thrown,
}

# --- the year's end --------------------------------------------------------------------------


def _disaster(words: Words, event: happened.DisasterStruck) -> Message:
    """What the dice say, and in lines of their own the places struck."""
    return Message(
        "results.disaster",
        kind=Message(f"results.disasters.{event.kind}"),
        severity=event.severity,
        row=event.row,
        column=event.column,
        places=tuple(sorted(words.place(place) for place in event.places)),
    )


def _storm_broke(words: Words, event: happened.StormBroke) -> Message:
    return Message("results.storm_broke", place=words.place(event.place), die=event.die)


def _plague_spread(words: Words, event: happened.PlagueSpread) -> Message:
    return Message("results.plague_spread", place=words.place(event.place))


def _province_burnt(words: Words, event: happened.ProvinceBurnt) -> Message:
    place, power = words.place(event.place), words.power(event.power)
    return Message("results.province_burnt", place=place, power=power)


def _driven_ashore(words: Words, event: happened.DrivenAshore) -> Message:
    place = words.spot(Spot(event.to, event.coast))
    return Message("results.driven_ashore", unit=words.whose(event.unit), place=place)


def _relief_used(words: Words, event: happened.ReliefUsed) -> Message | None:
    place = words.place(event.place)
    return Message("results.famine_averted", place=place) if event.needed else None


DISASTERS: Section = {
    happened.DisasterStruck: _disaster,
    happened.StormBroke: _storm_broke,
    happened.PlagueSpread: _plague_spread,
    happened.ProvinceBurnt: _province_burnt,
    happened.DrivenAshore: _driven_ashore,
    happened.ReliefUsed: _relief_used,
    happened.UnitRemoved: removed_by(FAMINE="famine", PLAGUE="plague", STORM="storm"),
}


def _maintained(words: Words, event: happened.Maintained) -> Message:
    unit = words.unit(event.unit)
    return Message("results.maintains", unit=unit, ducats=event.ducats)


def _built(words: Words, event: happened.UnitBuilt) -> Message:
    return Message("results.builds", unit=words.unit(event.unit), ducats=event.ducats)


_NOT_KEPT = {
    Removal.ORDERED: "disbands",
    Removal.NOT_MAINTAINED: "not_maintained",
    Removal.TOO_FEW_CITIES: "too_few_cities",
}


def _removed(words: Words, event: happened.UnitRemoved) -> Message:
    key = _NOT_KEPT.get(event.because, "loses")
    return Message(f"results.adjustment.{key}", unit=words.unit(event.unit))


def _adjustment_failed(words: Words, event: happened.AdjustmentFailed) -> Message:
    return Message(
        "results.adjustment_failed",
        order=order_text(words, event.order),
        because=why(words, event.because),
        lost=event.lost,
    )


def _taxes_forced(words: Words, event: happened.TaxesForced) -> Message:
    place = words.place(event.place)
    return Message("results.taxes_forced", place=place, ducats=event.ducats)


def _waived(_: Words, event: happened.BuildsWaived) -> Message:
    return Message("results.waives", n=event.count)


ADJUSTMENT: Section = {
    happened.TaxesForced: _taxes_forced,
    happened.Maintained: _maintained,
    happened.UnitBuilt: _built,
    happened.UnitRemoved: _removed,
    happened.AdjustmentFailed: _adjustment_failed,
    happened.BuildsWaived: _waived,
}


def adjustment_of(words: Words, power: PowerId, events: Sequence[Event]) -> tuple[Message, ...]:
    """What one power did in the adjustment."""
    return tell(ADJUSTMENT, words, [event for event in events if _actor(event) == power])


def _actor(event: Event) -> PowerId | None:
    unit = getattr(event, "unit", None)
    return unit.owner if unit is not None else getattr(event, "power", None)


def _loan_repaid(words: Words, event: happened.LoanRepaid) -> Message:
    return Message(
        "results.loan_collected" if event.collected else "results.loan_repaid",
        power=words.power(event.power),
        ducats=event.principal,
        interest=event.interest,
    )


def _payment_not_needed(words: Words, event: happened.PaymentNotNeeded) -> Message:
    power = words.power(event.power)
    return Message("results.not_needed", power=power, paid=event.paid, asked=event.asked)


def _gift_given(words: Words, event: happened.GiftGiven) -> Message:
    return Message(
        "results.gift",
        giver=words.power(event.giver),
        receiver=words.power(event.receiver),
        ducats=event.ducats,
        asked=event.asked,
    )


def _excommunicated(words: Words, event: happened.Excommunicated) -> Message:
    return Message(
        "results.excommunicated",
        victim=words.power(event.victim),
        power=words.power(event.by),
        campaign=campaign_words(event.during),
    )


def _gift_refused(words: Words, event: happened.GiftRefused) -> Message:
    return Message(
        "results.gift_refused",
        giver=words.power(event.giver),
        receiver=words.power(event.receiver),
        because=event.because.replace(" ", "_"),
    )


def _loan_taken(year: int, words: Words, event: happened.LoanTaken) -> Message:
    return Message(
        "results.loan_taken",
        power=words.power(event.power),
        ducats=event.principal,
        years=event.due.year - year,
        interest=event.interest,
    )


def _loan_refused(words: Words, event: happened.LoanRefused) -> Message:
    power, by_limit = words.power(event.power), event.because == "limit"
    return Message("results.loan_refused", power=power, ducats=event.ducats, by_limit=by_limit)


def _loan_defaulted(words: Words, event: happened.LoanDefaulted) -> Message:
    power = words.power(event.power)
    return Message("results.loan_defaulted", power=power, owed=event.owed, seized=event.seized)


def bank(year: int) -> Section:
    """The sentences of a campaign of that year.

    Gifts stay secret until their phase is played: nothing else tells of them (BNK-11).
    """
    return {
        happened.LoanRepaid: _loan_repaid,
        happened.PaymentNotNeeded: _payment_not_needed,
        happened.GiftGiven: _gift_given,
        happened.GiftRefused: _gift_refused,
        happened.Excommunicated: _excommunicated,
        happened.LoanTaken: partial(_loan_taken, year),
        happened.LoanRefused: _loan_refused,
        happened.LoanDefaulted: _loan_defaulted,
    }


def _treasury_corrected(words: Words, event: happened.TreasuryCorrected) -> Message:
    power = words.power(event.power)
    return Message("corrections.treasury", power=power, ducats=event.ducats, because=event.because)


def _unit_corrected(words: Words, event: happened.UnitCorrected) -> Message:
    return Message(
        "corrections.unit",
        unit=words.whose(event.unit) if event.unit is not None else "",
        place=words.place(event.place),
        in_city=event.in_city,
        because=event.because,
    )


def _owner_corrected(words: Words, event: happened.OwnerCorrected) -> Message:
    return Message(
        "corrections.owner",
        place=words.place(event.place),
        in_city=event.in_city,
        power=words.power(event.by) if event.by is not None else "",
        because=event.because,
    )


def _marker_corrected(words: Words, event: happened.MarkerCorrected) -> Message:
    return Message(
        "corrections.marker",
        place=words.place(event.place),
        marker=Message(f"corrections.markers.{event.marker.name.lower()}"),
        power=words.power(event.against) if event.against is not None else "",
        on=event.on,
        because=event.because,
    )


def _home_corrected(words: Words, event: happened.HomeCorrected) -> Message:
    power = words.power(event.by) if event.by is not None else ""
    home = words.power(event.home)
    return Message("corrections.home", home=home, power=power, because=event.because)


def _loan_corrected(words: Words, event: happened.LoanCorrected) -> Message:
    return Message(
        "corrections.loan",
        power=words.power(event.power),
        ducats=event.principal,
        interest=event.interest,
        due=campaign_words(event.due),
        because=event.because,
    )


def _credit_corrected(words: Words, event: happened.CreditCorrected) -> Message:
    power, lends = words.power(event.power), not event.defaulted
    return Message("corrections.credit", power=power, lends=lends, because=event.because)


def _chits_corrected(words: Words, event: happened.ChitsCorrected) -> Message:
    return Message(
        "corrections.chits",
        power=words.power(event.power),
        victim=words.power(event.victim),
        n=event.count,
        because=event.because,
    )


def _elimination_corrected(words: Words, event: happened.EliminationCorrected) -> Message:
    power = words.power(event.power)
    return Message("corrections.elimination", power=power, out=event.out, because=event.because)


CORRECTIONS: Section = {
    happened.TreasuryCorrected: _treasury_corrected,
    happened.UnitCorrected: _unit_corrected,
    happened.OwnerCorrected: _owner_corrected,
    happened.MarkerCorrected: _marker_corrected,
    happened.HomeCorrected: _home_corrected,
    happened.LoanCorrected: _loan_corrected,
    happened.CreditCorrected: _credit_corrected,
    happened.ChitsCorrected: _chits_corrected,
    happened.EliminationCorrected: _elimination_corrected,
}


def numbers_changed(words: Words, before: State, event: Event) -> Message | None:
    """What a corrected number was and what it is now; None where no number was corrected."""
    match event:
        case happened.TreasuryCorrected(power, ducats):
            was = before.treasuries.get(power, 0)
            name = words.power(power)
            return Message("corrections.treasury_before", power=name, was=was, now=ducats)
        case happened.LoanCorrected(power, due, principal, interest):
            owed = [loan for loan in before.loans if (loan.power, loan.due) == (power, due)]
            return Message(
                "corrections.loan_before",
                power=words.power(power),
                was=sum(loan.principal for loan in owed),
                now=principal,
                interest_was=sum(loan.interest for loan in owed),
                interest_now=interest,
            )
        case happened.ChitsCorrected(power, victim, count):
            return Message(
                "corrections.chits_before",
                power=words.power(power),
                victim=words.power(victim),
                was=before.chits.get(power, ()).count(victim),
                now=count,
            )
        case _:
            return None


_UNSAID = {
    happened.TreasuryCorrected: "treasury",
    happened.LoanCorrected: "loan",
    happened.CreditCorrected: "credit",
    happened.ChitsCorrected: "chits",
    happened.UnitCorrected: "unit",
    happened.MarkerCorrected: "marker",
}
"""What those read who may not know whose money or chits it was, or which unit."""


def correction_lines(
    words: Words,
    before: State,
    after: State,
    events: Iterable[Event],
    sight: Sight,
    now: Moment | None = None,
) -> tuple[Message, ...]:
    """What was corrected, and why; where it is hidden from the reader, only of what kind it was.

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
        return tell(CORRECTIONS, words, [sight.as_seen(event)])
    because = getattr(event, "because", "")
    return (Message(f"corrections.unsaid.{unsaid}", because=because),)


_FAILURE = "results.failure"
_NO_ORDER = "results.no_order"


@dataclass(frozen=True, slots=True)
class UnitReport:
    """One unit: its order in the judge's notation, and remarks on what became of it."""

    order: MessageOrText
    remarks: tuple[Message, ...] = ()
    """What failed begins with two asterisks."""

    @property
    def failed(self) -> bool:
        """Whether the order did not succeed."""
        return any(remark.key == _FAILURE for remark in self.remarks)

    @property
    def ordered(self) -> bool:
        """Whether it had an order."""
        return not isinstance(self.order, Message) or self.order.key != _NO_ORDER

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
    """All units by power, autonomous ones last and only where something happened to them.

    The orders of powers *by_default* were written by the judge.
    """
    by_unit = _events_by_unit(events)
    order_of = orders_by_unit(before, orders)
    reports: dict[PowerId, list[UnitReport]] = {}
    for unit in sorted(by_unit, key=unit_order):
        if unit.owner != AUTONOMOUS or not _only_holds(by_unit[unit]):
            report = _report(words, unit, order_of.get(unit), by_unit[unit])
            if unit.owner in by_default and unit in order_of:
                report = replace(report, order=by_default_words(report.order))
            reports.setdefault(unit.owner, []).append(report)
    powers = [*words.world.scenario.powers, AUTONOMOUS]
    return tuple(
        PowerReport(power, capitalized(words.power(power)), tuple(reports[power]))
        for power in powers
        if power in reports
    )


def _only_holds(events: Sequence[Event]) -> bool:
    return all(isinstance(event, happened.Held) for event in events)


def orders_by_unit(state: View, orders: Orders) -> Mapping[Unit, UnitOrder]:
    """The unit on the map that each order is for, where its giver owns it when it is carried out.

    *state* is the position after the expenses: who bought a unit gives it its order (EXP-24).
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
    """The unit that a power names: of the type, or its own A/F, else its garrison, else any."""
    here = [
        unit
        for unit in (state.field.get(named.place), state.garrisons.get(named.place))
        if unit is not None and named.kind in (None, unit.kind)
    ]
    own = [unit for unit in here if unit.owner == power]
    return next(iter([*own, *here]), None)


def _events_by_unit(events: Iterable[Event]) -> dict[Unit, list[Event]]:
    """The events that name a unit; what happens to one after its conversion is its own, too."""
    by_unit: dict[Unit, list[Event]] = {}
    before: dict[Unit, Unit] = {}
    for event in events:
        unit = getattr(event, "unit", None)
        if isinstance(event, happened.Converted):
            before[event.unit.converted(event.into, event.coast)] = event.unit
        if isinstance(unit, Unit) and type(event) in _REMARKS:
            by_unit.setdefault(before.get(unit, unit), []).append(event)
    return by_unit


def _report(
    words: Words, unit: Unit, order: UnitOrder | None, events: Sequence[Event]
) -> UnitReport:
    remarks = [remark for event in events if (remark := _remark(words, event))]
    if order is None:
        return UnitReport(Message(_NO_ORDER, unit=words.unit(unit)), tuple(remarks))
    # Type and coast stand in the report even where the player left them out.
    named = Named(unit.kind, unit.place, unit.coast)

    return UnitReport(order_text(words, replace(order, unit=named)), tuple(remarks))


def _remark(words: Words, event: Event) -> Message | None:
    remark = _REMARKS[type(event)](words, event)
    if remark is None or type(event) not in _FAILURES:
        return remark
    return Message(_FAILURE, remark=remark)


def _held(_: Words, event: happened.Held) -> Message | None:
    if event.because is None or event.because.why is Forced.NO_ORDER:
        return None
    return Message("results.holds", because=because_forced(event.because))


def _failed(key: str) -> Callable[[Words, Any], Message]:
    return lambda words, event: Message(key, because=why(words, event.because))


def _rebels_supported(words: Words, event: happened.RebelsSupported) -> Message:
    return Message("results.rebels_supported", place=words.place(event.place))


def _marched(words: Words, event: happened.Marched) -> Message | None:
    if event.to == event.ordered:
        return None
    at = words.place(event.to)
    stayed = event.to == event.unit.place
    return Message("results.marched_short", place=at, stayed=stayed)


def _converted(_: Words, event: happened.Converted) -> Message:
    return Message(f"results.converted.{event.into.name.lower()}")


def _dislodged_moves(words: Words, event: happened.UnitDislodged) -> Message:
    return Message(
        "results.dislodged",
        unit=words.whose(event.by),
        strength=event.strength,
        rival=event.rival,
    )


def _siege_completed(words: Words, event: happened.SiegeCompleted) -> Message:
    return Message("results.siege_completed", city=words.place(event.besieged))


def _silent(_: Words, __: Event) -> None:
    return None


# Any: the remark of each kind takes that kind.  The table also says which events name a unit.
_REMARKS: dict[type[Any], Callable[[Words, Any], Message | None]] = {
    happened.Held: _held,
    happened.Advanced: _silent,
    happened.Marched: _marched,
    happened.AdvanceFailed: lambda words, event: why(words, event.because),
    happened.SupportGiven: _silent,
    happened.SupportFailed: _failed("results.support_failed"),
    happened.RebelsSupported: _rebels_supported,
    happened.Transported: _silent,
    happened.TransportFailed: _failed("results.transport_failed"),
    happened.Converted: _converted,
    happened.ConversionFailed: _failed("results.conversion_failed"),
    happened.UnitDislodged: _dislodged_moves,
    happened.SiegeBegun: lambda _, __: Message("results.siege_begun"),
    happened.SiegeKept: lambda _, __: Message("results.siege_kept"),
    happened.SiegeCompleted: _siege_completed,
}

_FAILURES: frozenset[type[Any]] = frozenset(
    {
        happened.Held,
        happened.AdvanceFailed,
        happened.Marched,
        happened.SupportFailed,
        happened.TransportFailed,
        happened.ConversionFailed,
        happened.UnitDislodged,
    }
)


def _power_assassinated(words: Words, event: happened.PowerAssassinated) -> Message:
    killers = tuple(words.power(power) for power in event.by)
    return Message("results.killed", victim=words.power(event.victim), killers=killers)


DEATHS: Section = {
    happened.PowerAssassinated: _power_assassinated,
    happened.UnitRemoved: removed_by(ASSASSINATION="lost_with_leader"),
}


def rebellion_table(words: Words, events: Iterable[Event]) -> tuple[Message, ...]:
    """The dice of the provinces that were tested for rebellion: those up to the limit rebel."""
    rows = tuple(
        (words.place(event.place), event.die, event.limit)
        for event in events
        if isinstance(event, RebellionRolled)
    )
    return (Message("results.rebellion_table", rows=rows),) if rows else ()


@dataclass(frozen=True, slots=True)
class Spent:
    """An expense with its payment; None if a ruined power paid nothing (BNK-10)."""

    settled: ExpenseSettled
    paid: ExpensePaid | None
    die: int | None = None
    """The die of an assassin, where one was thrown."""


def spent(events: Iterable[Event]) -> Iterator[Spent]:
    """Each expense that was settled, together with its payment and its die."""
    paid: dict[tuple[PowerId, int], ExpensePaid] = {}
    die: int | None = None
    for event in events:
        if isinstance(event, ExpensePaid):
            paid[event.power, event.number] = event
        elif isinstance(event, DiceThrown) and event.purpose.startswith("assassination "):
            (die,) = event.dice
        elif isinstance(event, ExpenseSettled):
            # An assassin's die is thrown right before its attempt is settled.
            yield Spent(event, paid.get((event.power, event.expense.number)), die)
            die = None


def expense_lines(words: Words, events: Iterable[Event]) -> tuple[MessageOrText, ...]:
    """All expenses by powers and numbers: two lines for each, below the power's name."""
    by_power: dict[PowerId, list[Spent]] = {}
    for one in spent(events):
        by_power.setdefault(one.settled.power, []).append(one)
    lines: list[MessageOrText] = []
    for power in words.world.scenario.powers:
        own = sorted(by_power.get(power, ()), key=lambda one: one.settled.expense.number)
        lines += [words.power(power)] if own else []
        lines += [_told("results.expense", words, one) for one in own]
    return tuple(lines)


def expense_sentences(words: Words, events: Iterable[Event]) -> tuple[Message, ...]:
    """The same in a sentence for each expense, for a preview: no die is told in it."""
    return tuple(
        _told("results.expense_foreseen", words, replace(one, die=None)) for one in spent(events)
    )


def own_expenses(
    words: Words, events: Iterable[Event], powers: Collection[PowerId]
) -> Iterator[tuple[Message, bool]]:
    """The expenses of *powers*, each with whether it did what it was for."""
    for one in spent(events):
        if one.settled.power in powers:
            yield _told("results.own_expense", words, one), one.settled.fate == "done"


def _told(key: str, words: Words, one: Spent) -> Message:
    expense = one.settled.expense
    return Message(
        key,
        power=words.power(one.settled.power),
        number=expense.number,
        purpose=PURPOSES[expense.purpose] if expense.purpose is not None else "",
        target=_target(words, one.settled),
        paid=one.paid.paid if one.paid is not None else None,
        asked=one.paid.asked if one.paid is not None else None,
        outcome=_outcome(one),
    )


def _target(words: Words, settled: ExpenseSettled) -> str:
    expense = settled.expense
    if settled.unit is not None:
        return words.whose(settled.unit)
    if expense.unit is not None:
        return named_text(words, expense.unit)
    if expense.place is not None:
        return words.place(expense.place)
    return words.power(expense.power) if expense.power is not None else ""


def _outcome(one: Spent) -> Message:
    """What became of it, with the figures where figures decided."""
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
    """What became, or will become, of an expense."""
    return Message(f"results.fate.{_NO_KEY.sub('_', fate)}", attempt=ATTEMPT)


_NO_KEY = re.compile(r"\W+")

# --- what they bring about -------------------------------------------------------------------


def _changed_owner(words: Words, event: happened.UnitChangedOwner) -> Message:
    unit = words.whose(event.unit)
    power = "" if event.to == AUTONOMOUS else words.power(event.to)
    return Message("results.changed_owner", unit=unit, power=power)


def _forestalled(words: Words, event: happened.FamineForestalled) -> Message:
    return Message("results.famine_forestalled", place=words.place(event.place))


def _made_plain(words: Words, event: happened.UnitMadePlain) -> Message:
    kind = event.unit.quality.name.lower()
    return Message("results.made_plain", unit=words.whose(event.unit.made_plain()), kind=kind)


def _relieved(words: Words, event: happened.FamineEnded) -> Message | None:
    place = words.place(event.place)
    return Message("results.famine_relieved", place=place) if event.relieved else None


EFFECTS: Section = {
    happened.UnitChangedOwner: _changed_owner,
    happened.UnitMadePlain: _made_plain,
    happened.UnitRemoved: removed_by(BRIBE="bribed"),
    happened.FamineEnded: _relieved,
    happened.FamineForestalled: _forestalled,
}
"""What expenses bring about, besides rebellions and the ends of sieges."""


def own_orders(
    words: Words,
    stage: Stage,
    reports: Sequence[PowerReport],
    powers: Sequence[PowerId],
    events: Sequence[Event],
) -> tuple[Message, ...]:
    """What became of the orders of *powers*; *events* are those that the reader may see."""
    if stage is Stage.ADJUSTMENT:
        acts = [act for power in powers for act in adjustment_of(words, power, events)]
        return tuple(_ended(act, act.key == _REFUSED, ordered=act.key not in _LOST) for act in acts)
    units = [unit for report in reports if report.id in powers for unit in report.units]
    moves = (
        _told_orders_told("news.order", unit, failed=unit.failed, ordered=unit.ordered)
        for unit in units
    )
    paid = own_expenses(words, events, powers)
    return (*moves, *(_ended(told, not done) for told, done in paid))


_REFUSED = "results.adjustment_failed"
_LOST = frozenset(
    f"results.adjustment.{key}" for key in ("not_maintained", "too_few_cities", "loses")
)
"""What nobody ordered."""


def _ended(order: Message, failed: bool, *, ordered: bool = True) -> Message:
    return Message("news.order", order=order, remarks=(), failed=failed, ordered=ordered)


def orders_of(report: PowerReport, say: Callable[[MessageOrText], str]) -> LineGroup:
    """The orders of a power below its name, as others read them."""
    return LineGroup(
        report.power,
        tuple(say(_told_orders_told("news.other_order", unit)) for unit in report.units),
    )


def _told_orders_told(key: str, unit: UnitReport, **more: bool) -> Message:
    return Message(key, order=unit.order, remarks=unit.plain, **more)


@dataclass(frozen=True, slots=True)
class PlayedPhase:
    """A phase as one reader sees it: what happened in it, and the orders that stood."""

    seen: SeenPhase
    orders: Orders
    absent: Absent = field(default_factory=Absent)
    """Without whose orders; nobody where it is only tried."""
    is_last: bool = False
    """Whether the game ends with it."""

    @property
    def before(self) -> View:
        """The position in which it began."""
        return self.seen.before

    @property
    def after(self) -> View:
        """The position that it led to."""
        return self.seen.after

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened in it."""
        return self.seen.events


_PLOTS = ("absent", "money", "expenses", "deaths", "bought")


@dataclass(frozen=True, slots=True)
class Results:
    """The lines of each section; what did not happen is empty."""

    victory: tuple[Told, ...]
    absent: tuple[Told, ...]
    """Whose orders did not come."""
    money: tuple[Told, ...]
    """The bank, and gifts between powers."""
    expenses: tuple[Told, ...]
    deaths: tuple[Told, ...]
    """Leaders who died, and the rebellions that follow."""
    bought: tuple[Told, ...]
    """What changed hands by all this, before the moves."""
    movement: tuple[Told, ...]
    ties: tuple[Told, ...]
    disbanded: tuple[Told, ...]
    retreats: tuple[Told, ...]
    unrest: tuple[Told, ...]
    dislodged: tuple[Told, ...]
    control: tuple[Told, ...]
    fates: tuple[Told, ...]
    adjustment: tuple[Told, ...]
    sighted: tuple[Told, ...]
    """Before a year's first campaign, where the fog of war hides units: those that are seen."""
    numbers: tuple[Told, ...]
    treasuries: tuple[Told, ...]
    disasters: tuple[Told, ...]
    marked: tuple[Told, ...]
    """In all campaigns but Fall: the places with rebels, famine, sieges."""
    holdings: tuple[Told, ...]
    """After Fall only: the yearly survey."""
    rolls: tuple[Told, ...]
    incomes: tuple[Told, ...]

    def sections(self) -> Iterator[tuple[Message, tuple[Told, ...]]]:
        """Each section in which something happened, below its title."""
        return self._sections([each.name for each in fields(self)])

    def plots(self) -> Iterator[tuple[Message, tuple[Told, ...]]]:
        """The sections about what was done before the units moved."""
        return self._sections(_PLOTS)

    def rest(self) -> Iterator[tuple[Message, tuple[Told, ...]]]:
        """The sections about what followed; others tell of orders, victory and treasuries."""
        told = {*_PLOTS, "victory", "movement", "adjustment", "treasuries"}
        return self._sections([each.name for each in fields(self) if each.name not in told])

    def _sections(self, names: Iterable[str]) -> Iterator[tuple[Message, tuple[Told, ...]]]:
        for name in names:
            if lines := getattr(self, name):
                yield Message(f"results.section.{name}"), lines


def phase_results(
    words: Words, played: PlayedPhase, sight: Sight = EVERYTHING, *, thrown: bool = True
) -> Results:
    """What a phase brought, as far as this reader may see it.

    Not *thrown* are the dice of a preview: it tells what they would bring, and not each of them.
    """
    stage = played.before.moment.stage
    campaign, adjusting = stage is Stage.CAMPAIGN, stage is Stage.ADJUSTMENT
    surveyed = not adjusting and played.after.moment.stage is Stage.ADJUSTMENT
    events = sight.visible(played.events)
    parts = parts_of(played.before, played.events)
    return Results(
        victory=tell(VICTORY, words, events),
        absent=absent_lines(words, played.absent, stage),
        money=tell(bank(played.before.moment.year), words, events),
        expenses=(
            *(expense_lines if thrown else expense_sentences)(words, events),
            *_effects(words, sight.visible(parts.money)),
        ),
        deaths=_deaths(words, parts.deaths, thrown=thrown),
        bought=tables.control_changes(words, played.before, parts.at_moves),
        movement=_movement(unit_reports(words, played, parts)),
        ties=tell(TIES, words, events),
        disbanded=tell(DISBANDED, words, events) if campaign else (),
        unrest=(
            *(rebellion_table(words, parts.moves) if thrown else ()),
            *tell(UNREST, words, parts.moves),
        ),
        dislodged=tell(DISLODGED, words, _waiting(events)) if campaign else (),
        retreats=tell(SENT if campaign else RETREATS, words, events) if not adjusting else (),
        control=tables.control_changes(words, parts.at_moves, played.after),
        fates=tell(FATES, words, events),
        adjustment=tuple(adjustments(words, events, played.absent)) if adjusting else (),
        sighted=tables.board_units(words, played.after) if played.after.in_fog else (),
        numbers=tell(NUMBERS, words, events),
        disasters=tell(DISASTERS, words, events),
        rolls=tables.rolls(words, events),
        incomes=tables.incomes(words, played.after, events),
        holdings=tables.holdings(words, played.after) if surveyed else (),
        marked=() if surveyed else tables.marked(words, played.after),
        treasuries=() if _tells_income(events) else tables.treasuries(words, played.after, sight),
    )


def _effects(words: Words, events: Sequence[Event]) -> tuple[MessageOrText, ...]:
    return tell({**UNREST, **EFFECTS}, words, events)


def _deaths(words: Words, events: Sequence[Event], *, thrown: bool) -> tuple[MessageOrText, ...]:
    """Who died, at once with what is lost; then the dice, and the rebellions that they brought."""
    risen = [event for event in events if isinstance(event, happened.RebellionStarted)]
    others = [event for event in events if not isinstance(event, happened.RebellionStarted)]
    return (
        *tell({**UNREST, **DEATHS}, words, others),
        *(rebellion_table(words, events) if thrown else ()),
        *tell(UNREST, words, risen),
    )


def _waiting(events: Sequence[Event]) -> tuple[Event, ...]:
    """The events without the dislodgements after which the judge sent the unit on (MOV-47)."""
    sent = {event.unit for event in events if isinstance(event, happened.Retreated)}
    sent |= {
        event.unit
        for event in events
        if isinstance(event, happened.UnitRemoved) and event.because is Removal.RETREATS_MET
    }
    return tuple(
        event
        for event in events
        if not isinstance(event, happened.UnitDislodged) or event.unit not in sent
    )


def unit_reports(
    words: Words, played: PlayedPhase, parts: CampaignParts
) -> tuple[PowerReport, ...]:
    """The units of all powers with what became of their orders; none outside campaigns."""
    if played.before.moment.stage is not Stage.CAMPAIGN:
        return ()
    by_default = played.absent.ordered_for
    return movement(words, parts.at_moves, played.orders, parts.moves, by_default)


def _movement(reports: Iterable[PowerReport]) -> tuple[LineGroup, ...]:
    return tuple(LineGroup(report.power, tuple(map(_unit, report.units))) for report in reports)


def _unit(report: UnitReport) -> Message:
    return Message("results.unit", order=report.order, remarks=report.remarks)


def adjustments(
    words: Words, events: Sequence[Event], absent: Absent, without: Collection[PowerId] = ()
) -> Iterator[LineGroup]:
    """What each power did in the adjustment, as far as the events are seen."""
    for power in words.world.scenario.in_play:
        acts = () if power in without else adjustment_of(words, power, events)
        if acts:
            name = words.power(power)
            head = by_default_words(name) if power in absent.ordered_for else name
            yield LineGroup(head, tuple(Message("results.act", act=act) for act in acts))


def _tells_income(events: Sequence[Event]) -> bool:
    return any(isinstance(event, happened.IncomePaid) for event in events)
