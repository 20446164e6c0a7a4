"""Orders for units, in all three kinds of phase, from the grammar's tree to recipes."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from machjudge.adjudicator.model.names import NO_COAST, Coast
from machjudge.adjudicator.model.orders import (
    Advance,
    Besiege,
    Build,
    Convert,
    Disband,
    Hold,
    LiftSiege,
    Maintain,
    Named,
    Remove,
    StrategicMove,
    Support,
    Tax,
    Transport,
    Waive,
)
from machjudge.adjudicator.model.units import Kind, Quality
from machjudge.language.orders.forms import (
    IntoForm,
    Meanings,
    NumberForm,
    OrderTrouble,
    Outcome,
    PlaceForm,
    PowerForm,
    Recipe,
    RouteForm,
    Slots,
    SpotForm,
    UnitForm,
    one_order,
)
from machjudge.language.orders.parts import OrderParts, Part, by_parts
from machjudge.language.vocabulary.said import Fault
from machjudge.sentence import Sentence

_POWER = (Sentence("language.expected.power_in_brackets"),)
_PLACE = (Sentence("language.expected.dash_and_place"),)
_WAYS = (Sentence("language.expected.army_alone"), Sentence("language.expected.move_with_dash"))


@dataclass(frozen=True, slots=True)
class Helped:
    """What stands behind "supports" or "convoys": the rest of the order, given its unit."""

    slots: Slots
    make: Callable[[Meanings, Named], Outcome]


@by_parts
class UnitOrders(OrderParts):
    """Reads the orders of campaigns and retreats; the methods are the rules of the grammar."""

    def hold(self, unit: UnitForm) -> Recipe:
        """``A mil h``."""
        return one_order(unit.slots, lambda by: Hold(unit.named(by)))

    def advance(self, unit: UnitForm, route: RouteForm) -> Recipe:
        """``A mil - pav``, ``A avi - wgl - cor``."""
        return _advance(unit, route)

    def advance_by_sea(self, unit: UnitForm, route: RouteForm) -> Recipe:
        """``A nor - swe via``."""
        return _advance(unit, route, by_sea=True)

    def by_way(self, *seas: PlaceForm) -> tuple[SpotForm, ...]:
        """``via uas - las``."""
        return tuple(map(SpotForm, seas))

    def by_way_to(self, *places: PlaceForm) -> RouteForm:
        """``via uas - las - bar``."""
        return RouteForm(tuple(map(SpotForm, places)))

    def advance_via(self, unit: UnitForm, route: RouteForm, seas: tuple[SpotForm, ...]) -> Recipe:
        """``A ven - bar via uas - las``."""
        *before, goal = route.spots
        return _advance(unit, RouteForm((*before, *seas, goal)))

    def advance_by_way(self, unit: UnitForm, route: RouteForm) -> Recipe:
        """``A ven via uas - las - bar``."""
        return _advance(unit, route)

    def march(self, unit: UnitForm, spot: SpotForm) -> Recipe:
        """``A mil A pav``, ``A mil: A-pav``, the notation of 1978."""
        return _advance(unit, RouteForm((spot,)))

    def strategic(self, unit: UnitForm, *way: SpotForm | RouteForm) -> Recipe:
        """``A mil sm - pav - cre``, ``A mil sm pav - cre``."""
        spots = tuple(s for w in way for s in (w.spots if isinstance(w, RouteForm) else (w,)))
        route = RouteForm(spots)

        def make(by: Meanings) -> Outcome:
            places = tuple(spot.place.meant(by) for spot in route.spots)
            return StrategicMove(unit.named(by), places, route.last.coast)

        return one_order(unit.slots + route.slots, make)

    def retreat_to(self, unit: UnitForm, spot: SpotForm) -> Recipe:
        """``A pad - fer`` of a dislodged unit."""
        return _advance(unit, RouteForm((spot,)))

    def besiege(self, unit: UnitForm, *_: Kind) -> Recipe:
        """``A pad b``, ``A pad b g``."""
        return one_order(unit.slots, lambda by: Besiege(unit.named(by)))

    def besiege_at(self, unit: UnitForm, *rest: Kind | PlaceForm) -> Recipe:
        """``A pad b g pad``: the place may be said; it is the unit's own, or Venice's Lagoon."""
        city = rest[-1]
        assert isinstance(city, PlaceForm)  # noqa: S101 (the grammar's promise, for mypy)

        def make(by: Meanings) -> Outcome:
            place = unit.spot.place.meant(by)
            if city.meant(by) != place and (place, city.meant(by)) not in by.off_venice:
                reason = Sentence("language.own_city")
                return OrderTrouble(city.index, Fault.CONTRADICTION, reason)
            return Besiege(unit.named(by))

        return one_order(unit.slots + city.slots, make)

    def lift(self, unit: UnitForm) -> Recipe:
        """``A pad l``."""
        return one_order(unit.slots, lambda by: LiftSiege(unit.named(by)))

    def disband(self, unit: UnitForm) -> Recipe:
        """``A mil disband``."""
        return one_order(unit.slots, lambda by: Disband(unit.named(by)))

    def disband_zero(self, unit: UnitForm, number: NumberForm) -> Recipe:
        """``A mil 0``, the notation of 1978."""
        (index,) = number.indexes

        def make(by: Meanings) -> Outcome:
            if by.words[index] != "0":
                reason = Sentence("language.number_for_unit")
                return OrderTrouble(index, Fault.UNEXPECTED, reason)
            return Disband(unit.named(by))

        return one_order(unit.slots, make)

    def convert(self, unit: UnitForm, into: IntoForm | None = None) -> Recipe:
        """``A per c g``; an army or fleet can only become a garrison, and need not say so."""
        if into is None and unit.kind is Kind.GARRISON:
            reason = Sentence("language.garrison_becomes")
            trouble = OrderTrouble(-1, Fault.INCOMPLETE, reason, ("a", "f"))
            return one_order(unit.slots, lambda _: trouble)
        form = into or IntoForm(Kind.GARRISON)
        return one_order(unit.slots, lambda by: Convert(unit.named(by), form.kind, form.coast))

    def convert_into(self, unit: UnitForm, kind: Kind, coast: Coast = NO_COAST) -> Recipe:
        """``A per - G``, ``A per: G``."""
        return self.convert(unit, IntoForm(kind, coast))

    def support(self, unit: UnitForm, helped: Helped) -> Recipe:
        """``A per s …``."""
        return one_order(unit.slots + helped.slots, lambda by: helped.make(by, unit.named(by)))

    def transport(self, unit: UnitForm, helped: Helped) -> Recipe:
        """``F ion t …``."""
        return one_order(unit.slots + helped.slots, lambda by: helped.make(by, unit.named(by)))

    def back(self, other: UnitForm) -> Helped:
        """``s A bol``."""
        return Helped(other.slots, lambda by, unit: Support(unit, other.named(by)))

    def back_move(self, other: UnitForm, to: RouteForm | SpotForm, *_seas: object) -> Helped:
        """``s A bol - fer``; of a route only the end counts."""
        goal = _goal(to)

        def make(by: Meanings, unit: Named) -> Outcome:
            return Support(unit, other.named(by), goal.place.meant(by), goal.coast)

        return Helped(other.slots + to.slots, make)

    def back_move_from(self, to: SpotForm, other: UnitForm) -> Helped:
        """``s move to fer from A bol``."""
        return self.back_move(other, to)

    def back_conversion(self, other: UnitForm, into: IntoForm | None = None) -> Helped:
        """``s G gen c a`` (CNV-15)."""
        if other.kind in (Kind.ARMY, Kind.FLEET) or (into and into.kind is Kind.GARRISON):
            reason = Sentence("language.only_garrison_supported")
            trouble = OrderTrouble(other.spot.place.index, Fault.CONTRADICTION, reason)
            return Helped(other.slots, lambda _by, _unit: trouble)
        garrison = replace(other, kind=Kind.GARRISON)
        coast = into.coast if into else NO_COAST

        def make(by: Meanings, unit: Named) -> Outcome:
            return Support(unit, garrison.named(by), other.spot.place.meant(by), coast)

        return Helped(other.slots, make)

    def back_either(self, first: PowerForm, second: PlaceForm) -> Helped:
        """``s Papal A rme`` to hold, or ``s bol A fer``, a move in the notation of 1978."""
        owned = self.back(UnitForm(Kind.ARMY, SpotForm(second), first))
        return _either(
            first, owned, lambda at: self.back_move(UnitForm(None, SpotForm(at)), SpotForm(second))
        )

    def back_power(self, power: PowerForm, place: PlaceForm) -> Helped:
        """``s Papal rme``: whatever that power has there (`support_target place_power`)."""
        return self.back(UnitForm(None, SpotForm(place), power))

    def back_into(self, place: PlaceForm, power: PowerForm) -> Helped:
        """``S-Arezz-(A)``, the notation of 1978 for the same."""
        return self.back_power(power, place)

    def back_unsaid(self, place: PlaceForm) -> Helped:
        """``S-Arezz``, which does not say for whom."""
        reason = Sentence("language.support_for_whom")
        trouble = OrderTrouble(-1, Fault.INCOMPLETE, reason, _POWER)
        return Helped(place.slots, lambda _by, _unit: trouble)

    def carry(self, army: UnitForm, to: RouteForm | SpotForm, *_seas: object) -> Helped:
        """``t A rag - pal``; of a route only the end counts."""
        goal = _goal(to)

        def make(by: Meanings, unit: Named) -> Outcome:
            return Transport(unit, army.named(by), goal.place.meant(by))

        return Helped(army.slots + to.slots, make)

    def carry_from(self, to: SpotForm, army: UnitForm) -> Helped:
        """``t to pal from A rag``."""
        return self.carry(army, to)

    def carry_anywhere(self, army: UnitForm) -> Helped:
        """``t A rag anywhere``: to wherever that army is ordered."""
        return Helped(army.slots, lambda by, unit: Transport(unit, army.named(by), None))

    def carry_either(self, first: PowerForm, second: PlaceForm) -> Helped:
        """``t rag A pal``, a move in the notation of 1978; with a power it is incomplete."""
        reason = Sentence("language.where_to")
        trouble = OrderTrouble(-1, Fault.INCOMPLETE, reason, _PLACE)
        owned = Helped(Slots(), lambda _by, _unit: trouble)
        return _either(
            first, owned, lambda at: self.carry(UnitForm(None, SpotForm(at)), SpotForm(second))
        )

    def build(self, *parts: Part) -> Recipe:
        """``build cm A pad``; the special kind may stand behind, and so may the word."""
        if isinstance(parts[0], UnitForm):
            typed = parts[0]
            parts = typed.kind or Kind.ARMY, typed.spot.place, typed.spot.coast
        quality = next((part for part in parts if isinstance(part, Quality)), Quality.PLAIN)
        kind = next(part for part in parts if isinstance(part, Kind))
        place = next(part for part in parts if isinstance(part, PlaceForm))
        coast = next((Coast(part) for part in parts if isinstance(part, str)), NO_COAST)
        return one_order(place.slots, lambda by: Build(kind, place.meant(by), coast, quality))

    def remove(self, *parts: UnitForm | Quality) -> Recipe:
        """``remove A pad``."""
        unit = _unit(parts)
        return one_order(unit.slots, lambda by: Remove(unit.named(by)))

    def maintain(self, *parts: UnitForm | Quality) -> Recipe:
        """``maintain A pad``, or only ``A pad``."""
        unit = _unit(parts)
        return one_order(unit.slots, lambda by: Maintain(unit.named(by)))

    def tax(self, place: PlaceForm) -> Recipe:
        """``tax Perugia``."""
        return one_order(place.slots, lambda by: Tax(place.meant(by)))

    def waive(self, *_: object) -> Recipe:
        """``waive``."""
        return one_order(Slots(), lambda _: Waive())


def _advance(unit: UnitForm, route: RouteForm, *, by_sea: bool = False) -> Recipe:
    goal = route.last
    to, coast, has_seas = goal.place.index, goal.coast, len(route.spots) > 1

    def make(by: Meanings) -> Outcome:
        seas = route.seas(by) if has_seas else ()
        return Advance(unit.named(by), by.places[to], coast, seas, by_sea)

    return one_order(unit.slots + route.slots, make)


def _goal(to: RouteForm | SpotForm) -> SpotForm:
    return to.last if isinstance(to, RouteForm) else to


def _unit(parts: tuple[UnitForm | Quality, ...]) -> UnitForm:
    """The unit; a special kind is no part of its name and may be said or not."""
    return next(part for part in parts if isinstance(part, UnitForm))


def _either(first: PowerForm, as_owner: Helped, as_place: Callable[[PlaceForm], Helped]) -> Helped:
    """Decide by what the first word means: a power, whose army follows, or a place."""
    if first.index is None:
        return as_owner
    at = PlaceForm(first.index)
    moving = as_place(at)
    slots = Slots(places=tuple(i for i in moving.slots.places if i != at.index))

    def make(by: Meanings, unit: Named) -> Outcome:
        if at.index in by.places and at.index in by.powers:
            reason = Sentence("language.army_or_move")
            return OrderTrouble(at.index, Fault.UNCLEAR, reason, _WAYS)
        return (moving if at.index in by.places else as_owner).make(by, unit)

    return Helped(slots + Slots(either=(at.index,)), make)
