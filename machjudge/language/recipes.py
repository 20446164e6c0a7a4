"""From the shape of an order to its recipe, once for each shape."""

from functools import cache, lru_cache
from typing import TypeAlias

from machjudge.adjudicator.moments import Stage
from machjudge.language.forms import Meanings, Outcome, Recipe
from machjudge.language.grammar import Halt, Shape, tree_of
from machjudge.language.lexicon import Lexicon
from machjudge.language.money_orders import MoneyOrders
from machjudge.language.unit_orders import UnitOrders
from machjudge.language.words import bare, cut

Cooked: TypeAlias = tuple[Outcome, ...]

_MOST_SHAPES = 4096
"""How many shapes are remembered; the recorded games know two hundred."""


class _Orders(UnitOrders, MoneyOrders):
    """Reads whole trees."""


@cache
def _orders() -> _Orders:
    return _Orders()


@lru_cache(maxsize=_MOST_SHAPES)
def recipe_of(stage: Stage, shape: Shape) -> Recipe | Halt:
    """How to make the order of a shape, or where the shape stops being an order."""
    tree = tree_of(stage, shape)
    return tree if isinstance(tree, Halt) else _orders().transform(tree)


def quickly(text: str, lexicon: Lexicon, stage: Stage) -> Cooked | None:
    """What a line of one order with nothing but exact names says; nothing if it is anything else.

    This is the way of almost all orders; whatever is unusual is left to the thorough reader.
    """
    if not text.isascii():
        return None
    words = cut(bare(text))
    try:
        shape = "".join([lexicon.classes[word] for word in words])
    except KeyError:
        return None
    recipe = recipe_of(stage, shape)
    return _cooked(recipe, words, lexicon) if isinstance(recipe, Recipe) else None


def _cooked(recipe: Recipe, words: list[str], lexicon: Lexicon) -> Cooked | None:
    """The orders of a recipe whose names are all exact."""
    slots = recipe.slots
    if slots.either:
        return None
    places, powers = {}, {}
    for index in slots.places:
        place = lexicon.exact.get(words[index])
        if place is None:
            return None
        places[index] = place
    for index in slots.powers:
        power = lexicon.power(words[index])
        if not isinstance(power, str):
            return None
        powers[index] = power
    return recipe.make(Meanings(words, places, powers))
