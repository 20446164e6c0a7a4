"""From the shape of an order to its recipe, once for each shape."""

from functools import cache, lru_cache

from machjudge.adjudicator.model.moments import Stage
from machjudge.adjudicator.model.orders import Order
from machjudge.language.orders.forms import Meanings, OrderTrouble, Recipe
from machjudge.language.orders.money_orders import MoneyOrders
from machjudge.language.orders.unit_orders import UnitOrders
from machjudge.language.vocabulary.grammar import Halt, Shape, letter, tree_of, vocabulary
from machjudge.language.vocabulary.lexicon import HEAD, Lexicon
from machjudge.language.vocabulary.words import bare, cut

MOST_TERMS = 60
"""No single order has more words."""
_MOST_SHAPES = 4096
"""How many shapes of each kind of phase are remembered; the recorded games know two hundred."""


class _Orders(UnitOrders, MoneyOrders):
    """Reads whole trees."""


_orders = cache(_Orders)


def recipe_of(stage: Stage, shape: Shape) -> Recipe | Halt:
    """How to make the order of a shape, or where the shape stops being an order."""
    # A chain, because the hash of an Enum costs more than the rest of the lookup.
    if stage is Stage.CAMPAIGN:
        return _of_campaign(shape)
    return _of_retreats(shape) if stage is Stage.RETREATS else _of_adjustment(shape)


@lru_cache(maxsize=_MOST_SHAPES)
def _of_campaign(shape: Shape) -> Recipe | Halt:
    return _compiled(Stage.CAMPAIGN, shape)


@lru_cache(maxsize=_MOST_SHAPES)
def _of_retreats(shape: Shape) -> Recipe | Halt:
    return _compiled(Stage.RETREATS, shape)


@lru_cache(maxsize=_MOST_SHAPES)
def _of_adjustment(shape: Shape) -> Recipe | Halt:
    return _compiled(Stage.ADJUSTMENT, shape)


def _compiled(stage: Stage, shape: Shape) -> Recipe | Halt:
    tree = tree_of(stage, shape)
    return tree if isinstance(tree, Halt) else _orders().transform(tree)


def quickly(text: str, lexicon: Lexicon, stage: Stage) -> tuple[Order, ...] | None:
    """What a line of one order with nothing but clear names says; nothing if it is anything else.

    This is the way of almost all orders; whatever is unusual is left to the thorough reader.
    """
    if not text.isascii():
        return None
    words = cut(bare(text))
    if len(words) > MOST_TERMS:
        return None
    classes = lexicon.classes
    try:
        shape = "".join([classes.get(word) or _of_beginning(word, lexicon) for word in words])
    except KeyError:
        return None
    if shape.endswith(HEAD):
        # Nothing stands behind the word that could make a longer name of it.
        shape = shape[:-1] + letter(vocabulary().get(words[-1], "NAME"))
    recipe = recipe_of(stage, shape)
    return _cooked(recipe, words, lexicon) if isinstance(recipe, Recipe) else None


def _of_beginning(word: str, lexicon: Lexicon) -> str:
    """The class of a word with which the names of a single place begin.

    Raises KeyError for any other, and where the place has coasts: ``prove`` may be one of them.
    """
    place = lexicon.place(word) if word.isalpha() else None
    if not isinstance(place, str) or lexicon.board.places[place].coasts:
        raise KeyError(word)
    return letter("NAME")


def _cooked(recipe: Recipe, words: list[str], lexicon: Lexicon) -> tuple[Order, ...] | None:
    """The orders of a recipe whose names are all clear, if they make sense."""
    slots = recipe.slots
    if slots.either:
        return None
    places, powers = {}, {}
    for index in slots.places:
        place = lexicon.exact.get(words[index]) or lexicon.place(words[index])
        if not isinstance(place, str):
            return None
        places[index] = place
    for index in slots.powers:
        power = lexicon.power(words[index])
        if not isinstance(power, str):
            return None
        powers[index] = power
    cooked = recipe.make(Meanings(words, places, powers, lexicon.off_venice))
    orders = [one for one in cooked if not isinstance(one, OrderTrouble)]
    return tuple(orders) if len(orders) == len(cooked) else None
