"""What the names in one order mean, by the lexicon of the game's board."""

from dataclasses import dataclass

from machjudge.adjudicator.model.names import PlaceId, PowerId
from machjudge.language.orders.forms import Meanings, Recipe
from machjudge.language.orders.pieces import Segment
from machjudge.language.vocabulary.lexicon import Lexicon, Several, Unknown
from machjudge.language.vocabulary.said import Fault


@dataclass(frozen=True, slots=True)
class Nameless:
    """The first word of an order that should be a name and is none, or several."""

    index: int
    meaning: Unknown | Several
    fault: Fault


def meanings_of(segment: Segment, recipe: Recipe, lexicon: Lexicon) -> Meanings | Nameless:
    """Look up every name that a recipe asks for, from the left."""
    places: dict[int, PlaceId] = {}
    powers: dict[int, PowerId] = {}
    slots = recipe.slots
    for index in sorted({*slots.places, *slots.powers, *slots.either}):
        text = segment[index].text
        place = lexicon.place(text) if index not in slots.powers else Unknown()
        power = lexicon.power(text) if index not in slots.places else Unknown()
        if isinstance(place, str):
            places[index] = place
        if isinstance(power, str):
            powers[index] = power
        if not isinstance(place, str) and not isinstance(power, str):
            return _nameless(index, place, power, asked_for_power=index in slots.powers)
    return Meanings(tuple(term.text for term in segment), places, powers, lexicon.off_venice)


def _nameless(
    index: int, place: Unknown | Several, power: Unknown | Several, *, asked_for_power: bool
) -> Nameless:
    meaning = place if isinstance(place, Several) else power
    return Nameless(index, meaning, Fault.NO_POWER if asked_for_power else Fault.NO_PLACE)
