"""The places of an old map file, and which of them a word in its tables means."""

from collections.abc import Iterable

from machjudge.adjudicator.model.board import City, Place, Terrain
from machjudge.adjudicator.model.names import NO_COAST, Coast, PlaceId
from machjudge.atlas.faults import FileFault
from machjudge.atlas.oldjudge.oldfile import LAND, STRAIT, WATER, WEAK, OldFile, OldPlace
from machjudge.atlas.places import COASTS, plain_name
from machjudge.atlas.sheet import did_you_mean

_ARMY_KINDS = ("mv", WEAK)


class Gazetteer:
    """The places by their first abbreviations; what cannot be found is noted with its line."""

    def __init__(self, old: OldFile, file: str) -> None:
        self._file = file
        self.faults: list[FileFault] = []
        """What is wrong so far, with the line of the old file."""
        self._exact: dict[str, PlaceId] = {}
        self._names: dict[str, PlaceId] = {}
        self.old: dict[PlaceId, OldPlace] = {}
        """The lines of the places by the abbreviations that they go by here."""
        for place in old.places:
            if not _is_filler(place, old):
                self._add(place)
        coasts, closed = self._coasts(old), self._closed(old)
        afloat = {self._exact.get(b.place) for b in old.borders if b.kind not in _ARMY_KINDS}
        self.places: dict[PlaceId, Place] = {
            name: self._place(name, place, coasts.get(name, ()), by_sea=name in afloat - closed)
            for name, place in self.old.items()
        }
        """The places as we have them, in the order of the file."""

    def note(self, line: int, says: str) -> None:
        """Note a fault of a line."""
        self.faults.append(FileFault(self._file, line, "", says))

    def find(self, line: int, word: str) -> PlaceId | None:
        """The place that a word means: an abbreviation, a name, or the beginning of one name."""
        name = plain_name(word)
        place = self._exact.get(word) or self._names.get(name)
        if place is not None:
            return place
        near = {place for full, place in self._names.items() if name and full.startswith(name)}
        if len(near) == 1:
            return near.pop()
        if near:
            self.note(line, f"{word!r} may be {' or '.join(sorted(near))}: write one of these")
        else:
            self.note(line, f"there is no place {word!r}{did_you_mean(word, self._exact)}")
        return None

    def found(self, line: int, words: Iterable[str]) -> list[PlaceId]:
        """The places of several words, without those that mean none."""
        return [place for word in words if (place := self.find(line, word)) is not None]

    def _add(self, place: OldPlace) -> None:
        for name in place.names:
            if name in self._exact:
                self.note(place.line, f"{name!r} stands for {self._exact[name]} already")
            self._exact.setdefault(name, PlaceId(place.names[0]))
        self._names.setdefault(plain_name(place.name), PlaceId(place.names[0]))
        self.old.setdefault(PlaceId(place.names[0]), place)

    def _coasts(self, old: OldFile) -> dict[PlaceId, tuple[Coast, ...]]:
        """The coasts of the places that have several, in the order of the file."""
        named: dict[PlaceId, dict[Coast, None]] = {}
        for border in old.borders:
            if border.kind in COASTS and border.place in self._exact:
                named.setdefault(self._exact[border.place], {})[Coast(border.kind)] = None
        return {place: tuple(coasts) for place, coasts in named.items()}

    def _closed(self, old: OldFile) -> set[PlaceId | None]:
        """The places that border on themselves alone, so that nobody can enter them."""
        ends: dict[PlaceId | None, set[str]] = {}
        for border in old.borders:
            ends.setdefault(self._exact.get(border.place), set()).update(border.ends)
        return {
            place
            for place, words in ends.items()
            if place is not None and words <= {*self.old[place].names}
        }

    def _place(
        self, name: PlaceId, place: OldPlace, coasts: tuple[Coast, ...], *, by_sea: bool
    ) -> Place:
        land = Terrain.COASTAL if by_sea else Terrain.INLAND
        return Place(
            id=name,
            name=place.name,
            terrain=Terrain.SEA if place.mark == WATER else land,
            aliases=place.names[1:],
            city=self._city(place),
            coasts=coasts,
            venice=place.venice,
        )

    def _city(self, place: OldPlace) -> City | None:
        if place.income is None:
            return City(1, fortified=False, port=False) if place.mark not in (LAND, WATER) else None
        if place.city == ".":
            return City(place.income, fortified=False, port=False) if place.income else None
        if place.mark == WATER:
            self.note(place.line, "a sea has no city: its marks are w0.")
        if place.income == 0 and place.city == "p":
            self.note(place.line, "a fortress is marked 0f, or 0P with a port")
        port = place.city in "Pp"
        return City(place.income, place.city != "p", port, fortress=place.income == 0)

    def spot(self, line: int, word: str) -> tuple[PlaceId, Coast] | None:
        """The place and coast of ``pro/nc``; a strait's ``/cc`` is no coast."""
        name, _, coast = word.partition("/")
        place = self.find(line, name)
        if place is None:
            return None
        coast = "" if coast in (STRAIT, WEAK) else coast
        coasts = self.places[place].coasts
        if coasts and not coast:
            choices = " or ".join(f"{name}/{each}" for each in coasts)
            self.note(line, f"{name} has several coasts: write {choices}")
        elif coast and coast not in coasts:
            self.note(line, f"{name} has no coast {coast!r}")
        else:
            return place, Coast(coast) if coast else NO_COAST
        return None


def _is_filler(place: OldPlace, old: OldFile) -> bool:
    """Whether it is the place of no name that these files begin with, XXXXXX."""
    return not place.name.strip("X") and all(
        {*border.ends} <= {*place.names} for border in old.borders if border.place in place.names
    )
