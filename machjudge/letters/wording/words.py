"""Places, powers, units and phases in the words of letters; all names come from the world."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from machjudge.adjudicator.model.board import Board, Spot
from machjudge.adjudicator.model.moments import Campaign, Moment, Season, Stage
from machjudge.adjudicator.model.names import AUTONOMOUS, PlaceId, PowerId
from machjudge.adjudicator.model.rules import AdjustmentSeason, OrderNotation
from machjudge.adjudicator.model.scenario import Scenario
from machjudge.adjudicator.model.state import View
from machjudge.adjudicator.model.units import Kind, Quality, Unit
from machjudge.adjudicator.model.world import World
from machjudge.sentence import CommonName, Name, Sentence, joined, phrase

_NOBODY = CommonName("nobody", Sentence("text.nobody"))
_AUTONOMOUS = CommonName("autonomous", Sentence("text.autonomous"))
_QUALITIES: Mapping[Quality, str] = {
    Quality.MILITIA: CommonName("militia", Sentence("text.militia")),
    Quality.MERCENARY: CommonName("mercenaries", Sentence("text.mercenaries")),
    Quality.PROFESSIONAL: CommonName("professionals", Sentence("text.professionals")),
    Quality.CAVALRY: CommonName("cavalry", Sentence("text.cavalry")),
}


def campaign_words(campaign: Campaign) -> Sentence:
    """``Spring 1454``."""
    season = Sentence(f"times.season.{campaign.season.name.lower()}")
    return Sentence("times.campaign", season=season, year=campaign.year)


def moment_words(moment: Moment) -> Sentence:
    """``Spring 1454, campaign``, whatever the rules call it."""
    stage = Sentence(f"times.stage.{moment.stage.name.lower()}")
    return Sentence("times.moment", campaign=campaign_words(moment.campaign), stage=stage)


def ducats(number: int) -> str:
    """``1 ducat``, ``5 ducats``."""
    return "1 ducat" if number == 1 else f"{number} ducats"


def counted(number: int, noun: str, plural: str = "") -> str:
    """``1 unit``, ``3 units``, ``2 cities``."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def listed(items: Iterable[str], last: str = "and") -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    words = list(items)
    if len(words) <= 1:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def titled(title: str, items: Iterable[str]) -> str:
    """``Title: item, item, item``."""
    return phrase("{}: {}", title, joined(", ", items))


@lru_cache(maxsize=4096)
def _place_name(board: Board, place: PlaceId) -> Name:
    """The name of a place, made once."""
    return Name(board.places[place].name, board.names)


@lru_cache(maxsize=1024)
def _power_name(scenario: Scenario, power: PowerId) -> Name:
    """The name of a power, made once."""
    return Name(scenario.powers[power].name, scenario.board.names)


@dataclass(frozen=True, slots=True)
class Words:
    """The names of one world."""

    world: World
    numbers: Mapping[tuple[Kind | None, PlaceId], Unit] | None = None
    """The units of the position that is told of, that have numbers; None where none may have."""
    in_letters: bool = False
    """Whether orders are written in the letters of the book of 1978."""

    def place(self, place: PlaceId) -> str:
        """The name of a place, such as ``Western Tyrrhenian Sea``."""
        return _place_name(self.world.scenario.board, place)

    def moment(self, moment: Moment) -> Sentence:
        """``Spring 1454, campaign``; some rules put the adjustment into Spring (MOV-02)."""
        campaign = moment.campaign
        spring = self.world.rules.game.adjustment_season is AdjustmentSeason.SPRING
        if spring and moment.stage is Stage.ADJUSTMENT:
            campaign = Campaign(campaign.year + 1, Season.SPRING)
        return moment_words(Moment(campaign, moment.stage))

    def spot(self, spot: Spot) -> str:
        """The name of a place with its coast: ``Croatia/sc``."""
        name = self.place(spot.place)
        return phrase("{}/{}", name, spot.coast) if spot.coast else name

    def power(self, power: PowerId | None) -> str:
        """The name of a power; ``nobody`` for none."""
        if power is None:
            return _NOBODY
        if power == AUTONOMOUS:
            return _AUTONOMOUS
        return _power_name(self.world.scenario, power)

    def unit(self, unit: Unit) -> str:
        """A unit as its owner's list has it: ``A Florence``, ``F2 Croatia/sc``."""
        spot = Spot(unit.place, unit.coast)
        plain = phrase("{}{} {}", unit.kind.value, self._number(unit), self.spot(spot))
        quality = _QUALITIES.get(unit.quality)
        return phrase("{} ({})", plain, quality) if quality is not None else plain

    def _number(self, unit: Unit) -> str:
        """Its number, where units are known by numbers."""
        if unit.number and self.world.rules.game.notation is OrderNotation.NUMBERS:
            return str(unit.number)
        return ""

    def whose(self, unit: Unit) -> str:
        """A unit with its owner: ``A Bologna (Papacy)``."""
        return phrase("{} ({})", self.unit(unit), self.power(unit.owner))

    def roll_line(self, line: str) -> str:
        """The name of a line of the variable income table: ``Milan``."""
        return Name(line.replace("_", " ").title(), self.world.board.names)

    def places(self, places: Iterable[PlaceId]) -> str:
        """The names of places in the alphabet, with commas."""
        return joined(", ", sorted(self.place(place) for place in places))


def words_at(world: World, state: View, *, in_letters: bool = False) -> Words:
    """The names of a world, with the numbers of a position's units where they have any.

    :param in_letters: where they have, orders are written in the letters of 1978.
    """
    if world.rules.game.notation is OrderNotation.PLACES:
        return Words(world)
    units = (*state.units(), *(each.unit for each in state.dislodged))
    numbers: Mapping[tuple[Kind | None, PlaceId], Unit] = {
        (unit.kind, unit.place): unit for unit in units if unit.number
    }
    return Words(world, numbers, in_letters)
