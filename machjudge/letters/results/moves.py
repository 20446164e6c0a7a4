"""The results of a campaign unit by unit: what was ordered, and what became of it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from machjudge.adjudicator import events as happened
from machjudge.adjudicator.events import Event
from machjudge.adjudicator.model.names import AUTONOMOUS, PowerId
from machjudge.adjudicator.model.orders import Named, Orders, UnitOrder
from machjudge.adjudicator.model.reasons import Forced, HeldInstead
from machjudge.adjudicator.model.state import State
from machjudge.adjudicator.model.units import Unit, unit_order
from machjudge.letters.results.absent import DEFAULT
from machjudge.letters.wording.notation import order_text
from machjudge.letters.wording.why import because_forced, why
from machjudge.letters.wording.words import KINDS, Words, one


@dataclass(frozen=True, slots=True)
class UnitReport:
    """One unit: its order in the judge's notation, and remarks on what became of it."""

    order: str
    remarks: tuple[str, ...] = ()
    """What failed begins with two asterisks."""


@dataclass(frozen=True, slots=True)
class PowerReport:
    """The units of one power."""

    power: str
    units: tuple[UnitReport, ...]


def movement(
    words: Words,
    before: State,
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
                report = replace(report, order=f"{report.order} {DEFAULT}")
            reports.setdefault(unit.owner, []).append(report)
    powers = [*words.world.scenario.powers, AUTONOMOUS]
    return tuple(
        PowerReport(words.power(power).capitalize(), tuple(reports[power]))
        for power in powers
        if power in reports
    )


def _only_holds(events: Sequence[Event]) -> bool:
    return all(isinstance(event, happened.Held) for event in events)


def orders_by_unit(state: State, orders: Orders) -> Mapping[Unit, UnitOrder]:
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


def find_unit(state: State, power: PowerId, named: Named) -> Unit | None:
    """The unit that a power names: of the type, or its own A/F, else its garrison, else any."""
    here = [
        unit
        for unit in (state.field.get(named.place), state.garrisons.get(named.place))
        if unit is not None and named.kind in (None, unit.kind)
    ]
    own = [unit for unit in here if unit.owner == power]
    return next(iter([*own, *here]), None)


def _events_by_unit(events: Iterable[Event]) -> dict[Unit, list[Event]]:
    by_unit: dict[Unit, list[Event]] = {}
    for event in events:
        unit = getattr(event, "unit", None)
        if isinstance(unit, Unit) and type(event) in _REMARKS:
            by_unit.setdefault(unit, []).append(event)
    return by_unit


def _report(
    words: Words, unit: Unit, order: UnitOrder | None, events: Sequence[Event]
) -> UnitReport:
    remarks = [remark for event in events if (remark := _remark(words, event))]
    if order is None:
        return UnitReport(f"{words.unit(unit)}: no order", tuple(remarks))
    # Type and coast stand in the report even where the player left them out.
    named = Named(unit.kind, unit.place, unit.coast)
    return UnitReport(order_text(words, replace(order, unit=named)), tuple(remarks))


def _remark(words: Words, event: Event) -> str:
    remark = _REMARKS[type(event)](words, event)
    return f"** {remark}" if remark and type(event) in _FAILURES else remark


def _held(_: Words, event: happened.Held) -> str:
    match event.because:
        case None:
            return ""
        case HeldInstead(why=Forced.NO_ORDER):
            return ""
        case HeldInstead():
            return f"holds: {because_forced(event.because)}"


def _advance_failed(words: Words, event: happened.AdvanceFailed) -> str:
    return why(words, event.because)


def _support_failed(words: Words, event: happened.SupportFailed) -> str:
    return f"support failed: {why(words, event.because)}"


def _rebels_supported(words: Words, event: happened.RebelsSupported) -> str:
    return f"the rebels of {words.place(event.place)} supported it"


def _transport_failed(words: Words, event: happened.TransportFailed) -> str:
    return f"convoy failed: {why(words, event.because)}"


def _conversion_failed(words: Words, event: happened.ConversionFailed) -> str:
    return f"conversion failed: {why(words, event.because)}"


def _converted(_: Words, event: happened.Converted) -> str:
    return f"now {one(KINDS[event.into])}"


def _dislodged(words: Words, event: happened.UnitDislodged) -> str:
    odds = f"strength {event.strength} against {event.rival}"
    return f"dislodged by {words.whose(event.by)}, {odds}"


def _siege_begun(_: Words, __: happened.SiegeBegun) -> str:
    return "the siege is half done"


def _siege_kept(_: Words, __: happened.SiegeKept) -> str:
    return "the siege stays half done"


def _siege_completed(words: Words, event: happened.SiegeCompleted) -> str:
    return f"the siege is complete: the city of {words.place(event.unit.place)} has fallen"


def _silent(_: Words, __: Event) -> str:
    return ""


# Any: the remark of each kind takes that kind.  The table also says which events name a unit.
_REMARKS: dict[type[Any], Callable[[Words, Any], str]] = {
    happened.Held: _held,
    happened.Advanced: _silent,
    happened.AdvanceFailed: _advance_failed,
    happened.SupportGiven: _silent,
    happened.SupportFailed: _support_failed,
    happened.RebelsSupported: _rebels_supported,
    happened.Transported: _silent,
    happened.TransportFailed: _transport_failed,
    happened.Converted: _converted,
    happened.ConversionFailed: _conversion_failed,
    happened.UnitDislodged: _dislodged,
    happened.SiegeBegun: _siege_begun,
    happened.SiegeKept: _siege_kept,
    happened.SiegeCompleted: _siege_completed,
}

_FAILURES: frozenset[type[Any]] = frozenset(
    {
        happened.Held,
        happened.AdvanceFailed,
        happened.SupportFailed,
        happened.TransportFailed,
        happened.ConversionFailed,
        happened.UnitDislodged,
    }
)
