"""What powers may order about each other and their land: alliances, bans, cessions, fires."""

from machjudge.adjudicator.model.names import PlaceId, PowerId
from machjudge.adjudicator.model.orders import Ally, Burn, Cede, Excommunicate, Permit, PowerOrder
from machjudge.adjudicator.model.reasons import Flaw, Objection
from machjudge.adjudicator.model.rules import Ban
from machjudge.adjudicator.model.state import State
from machjudge.adjudicator.model.world import World


def objection_to_dealing(
    world: World, state: State, power: PowerId, order: PowerOrder
) -> Objection | None:
    """Why an order about powers and their land may not be ordered, or nothing."""
    match order:
        case Ally():
            if not world.straits:
                return Objection(Flaw.FLAG_OFF, "MAP-11")
            return objection_to_partner(world, state, power, order.power, "MAP-11")
        case Permit():
            if not world.rules.game.money or not world.rules.bribes.by_permission:
                return Objection(Flaw.FLAG_OFF, "EXP-29")
            return objection_to_partner(world, state, power, order.power, "EXP-29")
        case Excommunicate():
            return _objection_to_ban(world, state, power, order)
        case Cede():
            return _objection_to_cession(world, state, power, order)
        case Burn():
            return _objection_to_burning(world, state, power, order)


def objection_to_partner(
    world: World, state: State, power: PowerId, partner: PowerId, rule: str
) -> Objection | None:
    """Why another power cannot be meant: it has to be another, in the game and alive."""
    if partner == power:
        return Objection(Flaw.YOURSELF, rule)
    if partner not in world.in_play:
        return Objection(Flaw.UNKNOWN_POWER, rule)
    if world.leads(partner, state.sides) != partner:
        return Objection(Flaw.LED_BY_ANOTHER, "SET-24")
    if partner in state.eliminated:
        return Objection(Flaw.ELIMINATED, rule)
    return None


def _objection_to_ban(
    world: World, state: State, power: PowerId, order: Excommunicate
) -> Objection | None:
    """Each power once; where nobody may talk to it, one power in the game (BNK-22)."""
    ban, victim = world.rules.orders.ban, order.power
    if ban is Ban.OFF:
        return Objection(Flaw.FLAG_OFF, "BNK-22")
    if not _is_papal(world, state, power):
        return Objection(Flaw.NOT_THE_POPE, "BNK-22")
    if state.excommunicated if ban is Ban.NO_TALK else victim in state.excommunicated:
        return Objection(Flaw.BANNED_BEFORE, "BNK-22")
    return objection_to_partner(world, state, power, victim, "BNK-22")


def _is_papal(world: World, state: State, power: PowerId) -> bool:
    """Whether a power is the Papacy, or has its units among those of one player (SET-24)."""
    popes = (each.id for each in world.scenario.powers.values() if each.papal)
    return any(world.leads(pope, state.sides) == power for pope in popes)


def _objection_to_cession(
    world: World, state: State, power: PowerId, order: Cede
) -> Objection | None:
    if not world.rules.orders.cession:
        return Objection(Flaw.FLAG_OFF, "CTL-17")
    if order.to is None:
        return None
    flaw = _why_not_ceded(world, state, power, order.place, order.to)
    if flaw is not None:
        return Objection(flaw, "CTL-17", order.place)
    return objection_to_partner(world, state, power, order.to, "CTL-17")


def _objection_to_burning(
    world: World, state: State, power: PowerId, order: Burn
) -> Objection | None:
    """It has to be one's own and calm, with an army or fleet of one's own (INC-20)."""
    if not world.rules.game.money or not world.rules.orders.scorched_earth:
        return Objection(Flaw.FLAG_OFF, "INC-20")
    if not order.burnt:
        return None
    place = order.place
    unit = state.field.get(place)
    absent = Flaw.NO_UNIT if unit is None or unit.owner != power else None
    flaw = _why_not_free(world, state, power, place) or absent
    return Objection(flaw, "INC-20", place) if flaw is not None else None


def _why_not_ceded(
    world: World, state: State, giver: PowerId, place: PlaceId, receiver: PowerId
) -> Flaw | None:
    """Why a power cannot leave a province to another: it has to be its own, calm and empty."""
    there = (state.field.get(place), state.garrisons.get(place))
    strangers = [unit for unit in there if unit is not None and unit.owner != receiver]
    taken = Flaw.OCCUPIED if strangers else None
    return _why_not_free(world, state, giver, place) or taken


def _why_not_free(world: World, state: State, power: PowerId, place: PlaceId) -> Flaw | None:
    """Why a power cannot do as it likes with a province: its own with its city, and calm."""
    city = state.cities.get(place) if place in world.cities else power
    if state.provinces.get(place) != power or city != power:
        return Flaw.NO_CITY_CONTROL
    rebels = place in state.province_rebellions or place in state.city_rebellions
    return Flaw.REBELLION if rebels else None
