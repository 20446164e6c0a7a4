"""What a reader's pictures show.  Their `Sight` decides; here it is asked, and nowhere else."""

from collections.abc import Sequence

import structlog

from machjudge.adjudicator.model.names import PowerId
from machjudge.drawing.played import scene_of_phase
from machjudge.drawing.scene import Scene, places_of
from machjudge.letters.layout.picture import InlinePicture
from machjudge.letters.results.moves import orders_by_unit
from machjudge.letters.results.results import PlayedPhase
from machjudge.letters.results.shared import SharedResults
from machjudge.letters.wording.parts import parts_of
from machjudge.letters.wording.sight import Sight
from machjudge.letters.wording.words import Words
from machjudge.sentence import Sentence
from machjudge.service.pictures.wishes import WISH, wish_for
from machjudge.service.ports.services import Services

log = structlog.get_logger(__name__)


def phase_seen(played: PlayedPhase, sight: Sight) -> Scene:
    """A phase as its reader may see it; *played* is already theirs, as `Sight.phase` makes it."""
    at_moves = parts_of(played.before, played.events).at_moves
    ordered = orders_by_unit(at_moves, played.orders)
    return scene_of_phase(played.after, sight.visible(played.events), ordered)


def pictures_of_phase(
    services: Services,
    phase: SharedResults,
    sight: Sight,
    powers: Sequence[PowerId],
) -> tuple[InlinePicture, ...]:
    """The picture near a reader's powers, or of the whole board for whoever leads none.

    None where the board has no drawing, or where something is wrong with it: results go anyway.
    """
    words, scenario = phase.words, phase.words.world.scenario
    try:
        if services.atlas.shapes(scenario.board) is None:
            return ()
        scene = phase.once(sight, phase_seen)
        own = tuple(power for power in powers if places_of(scene, (power,)))
        return (
            InlinePicture("map", wish_for(scenario, scene, own), _alt(words, scene, own), WISH),
        )
    except Exception:  # whatever is wrong with a picture, its message goes
        log.exception("no picture", scenario=scenario.id)
        return ()


def _alt(words: Words, scene: Scene, powers: Sequence[PowerId]) -> Sentence:
    """The position in words: the units in the places near the reader, or all of them."""
    state = scene.state
    near = frozenset(places_of(scene, powers)) if powers else frozenset(words.world.board.places)
    units = sorted(
        (u for u in state.units() if u.place in near), key=lambda u: words.place(u.place)
    )
    lost = [each.unit for each in state.dislodged if each.unit.place in near]
    return Sentence(
        "map.picture",
        near=bool(powers),
        units=tuple(map(words.whose, units)),
        dislodged=tuple(map(words.whose, lost)),
        besieged=tuple(words.place(place) for place in sorted(state.sieges & near)),
    )
