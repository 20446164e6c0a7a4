"""What an order is about: which of a sheet stands beside which, and which replaces which."""

from machjudge.adjudicator.legality.naming import unit_named
from machjudge.adjudicator.model.moments import Stage
from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.orders import (
    Advance,
    Ally,
    Besiege,
    Borrow,
    Build,
    Burn,
    Cede,
    Convert,
    Disband,
    Excommunicate,
    Expense,
    GiveChit,
    Hold,
    LiftSiege,
    Maintain,
    MoneyOrder,
    Named,
    Order,
    Pay,
    Permit,
    PowerOrder,
    Remove,
    StrategicMove,
    Support,
    Tax,
    Transport,
    Waive,
)
from machjudge.adjudicator.model.rules import Ban
from machjudge.adjudicator.model.state import State
from machjudge.adjudicator.model.units import GARRISON, Kind
from machjudge.adjudicator.model.world import World

Slot = tuple[str, object]
"""What an order is about: of two orders for one slot the later stands (SYN-10)."""


def slot_of(world: World, state: State, power: PowerId, order: Order, line: int = 0) -> Slot:
    """What *order* is about; every gift of a chit, by its *line*, is about something else."""
    match order:
        case (
            Advance() | Support() | Hold() | Convert() | Transport() | Besiege() | LiftSiege()
            | StrategicMove()
        ):  # fmt: skip
            kind = order.unit.kind or _kind_named(world, state, power, order.unit)
            return ("garrison" if kind is GARRISON else "unit", order.unit.place)
        case Maintain() | Remove() | Disband():
            return _slot_of_unit(world, state, power, order)
        case Borrow() | Pay() | Expense():
            return _slot_of_money(order)
        case Ally() | Permit() | Excommunicate() | Cede() | Burn():
            return _slot_of_power(world, order)
        case Waive():
            return ("waive", None)
        case GiveChit():
            return ("chit", (line, order))
        case Build() | Tax():
            return ("build" if isinstance(order, Build) else "tax", order.place)


def _slot_of_power(world: World, order: PowerOrder) -> Slot:
    if isinstance(order, Cede | Burn):
        return ("cede" if isinstance(order, Cede) else "burn", order.place)
    if not isinstance(order, Excommunicate):
        return ("ally" if isinstance(order, Ally) else "permit", order.power)
    # Where nobody may talk to it, one power in the game can be banned (BNK-22).
    return ("ban", None if world.rules.orders.ban is Ban.NO_TALK else order.power)


def _slot_of_money(order: MoneyOrder) -> Slot:
    match order:
        case Borrow():
            return ("borrow", order.years)
        case Pay():
            return ("pay", order.to)
        case Expense():
            return ("expense", order.number)


def _slot_of_unit(
    world: World, state: State, power: PowerId, order: Maintain | Remove | Disband
) -> Slot:
    unit = unit_named(world, state, power, order.unit)
    removal = isinstance(order, Remove | Disband)
    if unit is None and removal and state.moment.stage is Stage.ADJUSTMENT:
        return ("build", order.unit.place)
    kind = order.unit.kind if unit is None else unit.kind
    return ("garrison" if kind is GARRISON else "unit", order.unit.place)


def _kind_named(world: World, state: State, power: PowerId, named: Named) -> Kind | None:
    unit = unit_named(world, state, power, named)
    return None if unit is None else unit.kind
