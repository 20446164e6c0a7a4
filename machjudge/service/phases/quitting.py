"""A power whose player has quit leaves the game, by the option of the book of 1978."""

from collections.abc import Iterator

from machjudge.adjudicator.events import CorrectionEvent, EliminationCorrected, UnitCorrected
from machjudge.adjudicator.model.names import AUTONOMOUS, PlaceId, PowerId
from machjudge.adjudicator.model.state import State
from machjudge.adjudicator.model.units import GARRISON, Unit
from machjudge.adjudicator.model.world import World
from machjudge.letters.wording.words import Words
from machjudge.sentence import Sentence
from machjudge.service.phases.correcting import correct
from machjudge.service.session.session import Session


def leave_to_garrisons(session: Session, powers: tuple[PowerId, ...]) -> list[Sentence]:
    """Take the living ones of some powers out of the game; what everybody reads of it.

    Autonomous garrisons stand in their fortified cities and fortresses then.
    """
    told: list[Sentence] = []
    because = session.services.paper.say(Sentence("seats.quits.because"))
    for power in powers:
        situation = session.situation()
        if situation is None or power in situation.state.eliminated:
            continue
        words = Words(situation.world)
        held = [*_held(situation.world, situation.state, power)]
        correct(session, situation, [*_leaving(power, held, because)])
        told.append(
            Sentence(
                "seats.quits.told",
                power=words.power(power),
                cities=tuple(map(words.place, held)),
            )
        )
    return told


def _held(world: World, state: State, power: PowerId) -> Iterator[PlaceId]:
    """The cities of a power that a garrison can hold: no rebels and nobody else's unit in them."""
    for place in sorted(place for place, owner in state.cities.items() if owner == power):
        garrison = state.garrisons.get(place)
        is_own = garrison is None or garrison.owner == power
        if is_own and world.holds_garrison(place) and place not in state.city_rebellions:
            yield place


def _leaving(power: PowerId, held: list[PlaceId], because: str) -> Iterator[CorrectionEvent]:
    yield EliminationCorrected(power, out=True, because=because)
    for place in held:
        garrison = Unit(AUTONOMOUS, GARRISON, place)
        yield UnitCorrected(place, in_city=True, unit=garrison, because=because)
