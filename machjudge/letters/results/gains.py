"""What powers lost and took in a phase: provinces with their cities, and either alone."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from machjudge.adjudicator.model.names import PlaceId, PowerId
from machjudge.adjudicator.model.state import View
from machjudge.letters.page.standings import provinces_count, real_cities
from machjudge.letters.wording.words import Words
from machjudge.sentence import Sentence


@dataclass(frozen=True, slots=True)
class Places:
    """Places that changed hands, by the names that readers know."""

    whole: tuple[str, ...]
    """Provinces with their cities."""
    provinces: tuple[str, ...]
    """Provinces without a city, or whose city is somebody else's."""
    cities: tuple[str, ...]
    """Cities alone."""
    open: tuple[str, ...]
    """Of the provinces those whose city is somebody else's."""

    @property
    def all(self) -> tuple[str, ...]:
        """All their names, in the alphabet."""
        return tuple(sorted((*self.whole, *self.provinces, *self.cities)))


@dataclass(frozen=True, slots=True)
class ChangedHands:
    """What one power lost and took."""

    lost: Places
    taken: Places

    def __bool__(self) -> bool:
        """Whether anything changed hands."""
        return bool(self.lost.all or self.taken.all)

    def told(self, who: str) -> tuple[Sentence, ...]:
        """A sentence for each kind; *who* is a power's name, or empty for the reader."""
        lost = self._sentences("news.lost", self.lost, who)
        return (*lost, *self._sentences("news.took", self.taken, who))

    def _sentences(self, key: str, places: Places, who: str) -> list[Sentence]:
        kinds = {"whole": places.whole, "provinces": places.provinces, "cities": places.cities}
        say = partial(Sentence, key, who=who)
        return [
            say(kind=kind, places=names, open=places.open if kind == "provinces" else ())
            for kind, names in kinds.items()
            if names
        ]


def changes_of(words: Words, before: View, after: View, power: PowerId) -> ChangedHands:
    """What a power lost and took between two positions."""
    return ChangedHands(
        lost=_places(words, before, after, power), taken=_places(words, after, before, power)
    )


def _places(words: Words, held: View, other: View, power: PowerId) -> Places:
    """What a power holds in one position and not in the other."""
    cities_here, cities_there = real_cities(words, held), real_cities(words, other)
    cities = _only(cities_here, cities_there, power)
    provinces = _only(held.provinces, other.provinces, power)
    if not provinces_count(words):
        provinces &= cities
    alone = provinces - cities
    open_ = {p for p in alone if p in words.world.cities and cities_here.get(p) != power}
    return Places(
        whole=_names(words, provinces & cities),
        provinces=_names(words, alone),
        cities=_names(words, cities - provinces),
        open=_names(words, open_),
    )


def _only(
    here: Mapping[PlaceId, PowerId], there: Mapping[PlaceId, PowerId], power: PowerId
) -> set[PlaceId]:
    return {p for p, owner in here.items() if owner == power and there.get(p) != power}


def _names(words: Words, places: set[PlaceId]) -> tuple[str, ...]:
    return tuple(sorted(map(words.place, places)))


def standing(words: Words, before: View, after: View, power: PowerId) -> Mapping[str, object]:
    """How many cities and provinces a power has, and how many more than before.

    The provinces are None where only cities count.
    """
    had, has = (
        (_count(real_cities(words, state), power), _count(state.provinces, power))
        for state in (before, after)
    )
    return {
        "cities": has[0],
        "provinces": has[1] if provinces_count(words) else None,
        "more_cities": has[0] - had[0],
        "more_provinces": has[1] - had[1],
    }


def _count(owners: Mapping[PlaceId, PowerId], power: PowerId) -> int:
    return sum(owner == power for owner in owners.values())
