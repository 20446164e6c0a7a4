"""Names of places and powers that no order can say, because their words mean something else."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from machjudge.adjudicator.model.board import Place
from machjudge.adjudicator.model.moments import Stage
from machjudge.adjudicator.model.names import PlaceId, PowerId
from machjudge.adjudicator.model.orders import Advance, Hold, Named, Order, Pay
from machjudge.adjudicator.model.scenario import Power
from machjudge.adjudicator.model.units import Kind
from machjudge.language.orders.parse import read_order
from machjudge.language.vocabulary.lexicon import Lexicon


@dataclass(frozen=True, slots=True)
class UnsayableName:
    """A name with which an order does not say what bears it."""

    bearer: PlaceId | PowerId
    name: str
    line: str
    """An order with the name that is not read as it should be."""


@lru_cache(maxsize=64)
def unsayable_names(lexicon: Lexicon) -> tuple[UnsayableName, ...]:
    """The names of a lexicon that orders cannot say, such as a place called Hold (SYN-09).

    Each name is tried in orders; how an order is read decides, and no list of words.
    """
    places = lexicon.board.places.values()
    return (
        *(each for place in places for each in _of_place(place, lexicon)),
        *(each for power in lexicon.powers.values() for each in _of_power(power, lexicon)),
    )


def _of_place(place: Place, lexicon: Lexicon) -> Iterator[UnsayableName]:
    other = next((p for p in lexicon.board.places if p != place.id), place.id)
    unit, stranger = Named(Kind.ARMY, place.id), Named(Kind.ARMY, other)
    for name in (place.id, place.name, *place.aliases):
        trials: dict[str, Order] = {
            f"A {name} H": Hold(unit),
            f"A {other} - {name}": Advance(stranger, place.id),
        }
        yield from _misread(place.id, name, trials, lexicon)


def _of_power(power: Power, lexicon: Lexicon) -> Iterator[UnsayableName]:
    for name in (power.id, power.name, power.adjective, *power.aliases):
        yield from _misread(power.id, name, {f"pay 3 to {name}": Pay(3, power.id)}, lexicon)


def _misread(
    bearer: PlaceId | PowerId, name: str, trials: dict[str, Order], lexicon: Lexicon
) -> Iterator[UnsayableName]:
    for line, meant in trials.items():
        if read_order(line, lexicon, Stage.CAMPAIGN).said != (meant,):
            yield UnsayableName(bearer, name, line)
            return
