"""The map in words: every place with its owner, units and borders, in lines to be read aloud."""

from collections.abc import Iterable

from machjudge.adjudicator.model.names import AUTONOMOUS, NO_COAST, Coast, PlaceId
from machjudge.adjudicator.model.state import View
from machjudge.adjudicator.model.units import Unit
from machjudge.letters.wording.words import Words
from machjudge.sentence import Sentence, phrase


def map_in_words(words: Words, state: View) -> tuple[Sentence, ...]:
    """A sentence or two for each place of the board that can be entered, by name."""
    places = sorted(words.world.board.places, key=words.place)
    told = tuple(_place(words, state, place) for place in places if _borders(words, place))
    return (Sentence("tables.in_fog"), *told) if state.in_fog else told


def _place(words: Words, state: View, place: PlaceId) -> Sentence:
    city = words.world.cities.get(place)
    units = [each for each in (state.field.get(place), state.garrisons.get(place)) if each]
    dislodged = [each.unit for each in state.dislodged if each.unit.place == place]
    return Sentence(
        "map.place",
        place=words.place(place),
        is_sea=words.world.place(place).is_sea,
        has_city=city is not None,
        province=_owner(words, state, place, in_city=False),
        city=_owner(words, state, place, in_city=True) if city is not None else "",
        units=tuple(_unit(words, unit) for unit in units),
        dislodged=tuple(_unit(words, unit) for unit in dislodged),
        famine=place in state.famine,
        besieged=place in state.sieges,
        rebels=place in state.province_rebellions or place in state.city_rebellions,
        borders=_borders(words, place),
    )


def _owner(words: Words, state: View, place: PlaceId, *, in_city: bool) -> str:
    owner = (state.cities if in_city else state.provinces).get(place)
    return words.power(owner) if owner is not None and owner != AUTONOMOUS else ""


def _unit(words: Words, unit: Unit) -> Sentence:
    power = words.power(unit.owner) if unit.owner != AUTONOMOUS else ""
    plain, written = phrase("{} {}", unit.kind.value, words.place(unit.place)), words.unit(unit)
    return Sentence(
        f"map.unit.{unit.kind.name.lower()}",
        power=power,
        written=written if written != plain else "",
    )


def _borders(words: Words, place: PlaceId) -> tuple[Sentence, ...]:
    """The places next to one, each with who alone may go there; of seas only fleets may anyway.

    Where a place has several coasts, with those between which fleets go.
    """
    world = words.world
    by_land = set(world.army.get(place, ()))
    fleets = {coast: near for (here, coast), near in world.landings.items() if here == place}
    by_sea = {to for near in fleets.values() for to in near}
    return tuple(
        Sentence(
            "map.border",
            place=words.place(to),
            only=_only(words, place, to, by_land, by_sea),
            leaving=_coasts(coast for coast, near in fleets.items() if to in near),
            reaching=_coasts(spot.coast for near in fleets.values() for spot in near.get(to, ())),
        )
        for to in sorted(by_land | by_sea, key=words.place)
    )


def _coasts(coasts: Iterable[Coast]) -> tuple[str, ...]:
    return tuple(f"/{coast}" for coast in sorted({*coasts} - {NO_COAST}))


def _only(
    words: Words, place: PlaceId, to: PlaceId, by_land: set[PlaceId], by_sea: set[PlaceId]
) -> str:
    """``army`` or ``fleet`` for a border of coasts that the other kind cannot cross."""
    has_sea = any(words.world.place(each).is_sea for each in (place, to))
    if has_sea or to in by_land & by_sea or not by_sea:
        return ""
    return "army" if to in by_land else "fleet"
