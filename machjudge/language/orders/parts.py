"""The parts of every order, from the grammar's tree to forms: units, places, powers, numbers."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from lark import Token, Transformer, v_args

from machjudge.adjudicator.model.names import NO_COAST, Coast
from machjudge.adjudicator.model.units import Kind, Quality
from machjudge.language.orders.forms import (
    IntoForm,
    NumberForm,
    PlaceForm,
    PowerForm,
    Recipe,
    RouteForm,
    SpotForm,
    UnitForm,
)
from machjudge.sentence import Sentence

NO_NUMBER = Sentence("language.amount")
"""What a player is told who writes a word for it."""

Part: TypeAlias = (
    Kind | Coast | Quality | PlaceForm | PowerForm | SpotForm | UnitForm | RouteForm | IntoForm
)


def _meaningful(
    method: Callable[..., object], _rule: str, children: Sequence[object], _meta: object
) -> object:
    """Give a method what its children mean; their bare words only where there is nothing else."""
    parts = [child for child in children if not isinstance(child, Token)]
    return method(*(parts or children))


by_parts = v_args(wrapper=_meaningful)
"""The decorator of all classes that read the grammar's trees: see :func:`_meaningful`."""


@by_parts
class OrderParts(Transformer[Token, Recipe]):
    """Names the parts of orders; the methods are the rules of the grammar."""

    def army(self, *_: Token) -> Kind:
        """``a``."""
        return Kind.ARMY

    def fleet(self, *_: Token) -> Kind:
        """``f``."""
        return Kind.FLEET

    def garrison(self, *_: Token) -> Kind:
        """``g``."""
        return Kind.GARRISON

    def north(self, *_: Token) -> Coast:
        """``nc``."""
        return Coast("nc")

    def south(self, *_: Token) -> Coast:
        """``sc``."""
        return Coast("sc")

    def east(self, *_: Token) -> Coast:
        """``ec``."""
        return Coast("ec")

    def west(self, *_: Token) -> Coast:
        """``wc``."""
        return Coast("wc")

    def coast(self, compass: Coast) -> Coast:
        """``/nc`` or ``(nc)``."""
        return compass

    def plain(self, *_: Token) -> Quality:
        """``normal``."""
        return Quality.PLAIN

    def militia(self, *_: Token) -> Quality:
        """``citizen's militia``."""
        return Quality.MILITIA

    def mercenary(self, *_: Token) -> Quality:
        """``elite mercenary``."""
        return Quality.MERCENARY

    def professional(self, *_: Token) -> Quality:
        """``elite professional``."""
        return Quality.PROFESSIONAL

    def cavalry(self, *_: Token) -> Quality:
        """``cavalry``."""
        return Quality.CAVALRY

    def place(self, name: Token) -> PlaceForm:
        """A place by its name."""
        return PlaceForm(_index(name))

    def power(self, name: Token) -> PowerForm:
        """A power by its name or initial."""
        return PowerForm(_index(name))

    def owner(self, name: Token) -> PowerForm:
        """Whose unit it is."""
        return PowerForm(None if name.type == "AUTONOMOUS" else _index(name))

    def number(self, digits: Token) -> NumberForm:
        """A number."""
        return NumberForm((_index(digits),))

    def total(self, *numbers: NumberForm) -> NumberForm:
        """``6+3``."""
        return NumberForm(tuple(index for number in numbers for index in number.indexes))

    def negative(self, number: NumberForm) -> NumberForm:
        """``-3``."""
        return NumberForm(number.indexes, Sentence("language.less_than_nothing"))

    def surcharge(self, number: NumberForm) -> NumberForm:
        """``+3``, which other judges read as the list price and three more."""
        return NumberForm(number.indexes, Sentence("language.whole_amount"))

    def wordy(self, name: Token) -> NumberForm:
        """``many``, which is no amount."""
        return NumberForm((_index(name),), NO_NUMBER)

    def spot(self, place: PlaceForm, coast: Coast = NO_COAST) -> SpotForm:
        """A place with its coast."""
        return SpotForm(place, coast)

    def unit(self, first: Kind | PlaceForm, *rest: Part) -> UnitForm:
        """A unit, with or without its type."""
        if isinstance(first, PlaceForm):
            return UnitForm(None, _spot(first, *rest))
        return UnitForm(first, _spot(*rest))

    def typed(self, kind: Kind, *spot: Part) -> UnitForm:
        """A unit with its type."""
        return UnitForm(kind, _spot(*spot))

    def owned(self, owner: PowerForm, kind: Kind, *spot: Part) -> UnitForm:
        """A unit with the power that it belongs to."""
        return UnitForm(kind, _spot(*spot), owner)

    def owned_army(self, owner: PowerForm, place: PlaceForm) -> UnitForm:
        """An army with the power that it belongs to."""
        return UnitForm(Kind.ARMY, SpotForm(place), owner)

    def route(self, *spots: SpotForm) -> RouteForm:
        """Where a unit goes, by which seas."""
        return RouteForm(spots)

    def into(self, kind: Kind, coast: Coast = NO_COAST) -> IntoForm:
        """What a unit converts into."""
        return IntoForm(kind, coast)


def _index(token: Token) -> int:
    """The number of a word, which `tree_of` hides in the token's position."""
    return token.start_pos or 0


def _spot(*parts: Part) -> SpotForm:
    """A place and perhaps a coast, which the grammar gives in this order."""
    place, *coast = parts
    assert isinstance(place, PlaceForm)  # noqa: S101 (the grammar's promise, for mypy)
    return SpotForm(place, *(Coast(str(one)) for one in coast))
