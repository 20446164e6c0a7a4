"""The results of a campaign unit by unit: what was ordered, and what became of it."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from machjudge.adjudicator import events as happened
from machjudge.adjudicator.events import Event
from machjudge.adjudicator.model.names import AUTONOMOUS, PowerId
from machjudge.adjudicator.model.orders import Named, Orders, UnitOrder
from machjudge.adjudicator.model.reasons import Forced
from machjudge.adjudicator.model.state import View
from machjudge.adjudicator.model.units import Unit, unit_order
from machjudge.letters.results.absent import by_default_words
from machjudge.letters.wording.notation import order_text
from machjudge.letters.wording.why import because_forced, why
from machjudge.letters.wording.words import Words
from machjudge.sentence import Sentence, Wording, capitalized

_FAILURE = "results.failure"
_NO_ORDER = "results.no_order"


@dataclass(frozen=True, slots=True)
class UnitReport:
    """One unit: its order in the judge's notation, and remarks on what became of it."""

    order: Wording
    remarks: tuple[Sentence, ...] = ()
    """What failed begins with two asterisks."""

    @property
    def failed(self) -> bool:
        """Whether the order did not succeed."""
        return any(remark.key == _FAILURE for remark in self.remarks)

    @property
    def ordered(self) -> bool:
        """Whether it had an order."""
        return not isinstance(self.order, Sentence) or self.order.key != _NO_ORDER

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
        return UnitReport(Sentence(_NO_ORDER, unit=words.unit(unit)), tuple(remarks))
    # Type and coast stand in the report even where the player left them out.
    named = Named(unit.kind, unit.place, unit.coast)

    return UnitReport(order_text(words, replace(order, unit=named)), tuple(remarks))


def _remark(words: Words, event: Event) -> Sentence | None:
    remark = _REMARKS[type(event)](words, event)
    if remark is None or type(event) not in _FAILURES:
        return remark
    return Sentence(_FAILURE, remark=remark)


def _held(_: Words, event: happened.Held) -> Sentence | None:
    if event.because is None or event.because.why is Forced.NO_ORDER:
        return None
    return Sentence("results.holds", because=because_forced(event.because))


def _failed(key: str) -> Callable[[Words, Any], Sentence]:
    return lambda words, event: Sentence(key, because=why(words, event.because))


def _rebels_supported(words: Words, event: happened.RebelsSupported) -> Sentence:
    return Sentence("results.rebels_supported", place=words.place(event.place))


def _marched(words: Words, event: happened.Marched) -> Sentence | None:
    if event.to == event.ordered:
        return None
    at = words.place(event.to)
    stayed = event.to == event.unit.place
    return Sentence("results.marched_short", place=at, stayed=stayed)


def _converted(_: Words, event: happened.Converted) -> Sentence:
    return Sentence(f"results.converted.{event.into.name.lower()}")


def _dislodged(words: Words, event: happened.UnitDislodged) -> Sentence:
    return Sentence(
        "results.dislodged",
        unit=words.whose(event.by),
        strength=event.strength,
        rival=event.rival,
    )


def _siege_completed(words: Words, event: happened.SiegeCompleted) -> Sentence:
    return Sentence("results.siege_completed", city=words.place(event.besieged))


def _silent(_: Words, __: Event) -> None:
    return None


# Any: the remark of each kind takes that kind.  The table also says which events name a unit.
_REMARKS: dict[type[Any], Callable[[Words, Any], Sentence | None]] = {
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
    happened.UnitDislodged: _dislodged,
    happened.SiegeBegun: lambda _, __: Sentence("results.siege_begun"),
    happened.SiegeKept: lambda _, __: Sentence("results.siege_kept"),
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
