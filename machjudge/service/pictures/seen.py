"""What a reader's pictures show.  Their `Sight` decides; here it is asked, and nowhere else."""

from collections.abc import Callable, Iterable, Sequence

import structlog

from machjudge.adjudicator.model.names import PlaceId, PowerId
from machjudge.adjudicator.model.scenario import Scenario
from machjudge.adjudicator.model.state import View
from machjudge.adjudicator.model.units import Unit
from machjudge.drawing import lacking
from machjudge.drawing.planned import scene_of_orders
from machjudge.drawing.played import scene_of_phase
from machjudge.drawing.scene import Scene, places_of
from machjudge.letters.layout.picture import InlinePicture
from machjudge.letters.receipt.todo import LinesByPlace
from machjudge.letters.results.moves import orders_by_unit
from machjudge.letters.results.results import PlayedPhase
from machjudge.letters.results.shared import SharedResults
from machjudge.letters.wording.parts import parts_of
from machjudge.letters.wording.sight import Sight
from machjudge.letters.wording.words import Words, words_at
from machjudge.sentence import Sentence, Wording
from machjudge.service.game.view import SeenGame
from machjudge.service.pictures.wishes import WISH, wish_for
from machjudge.service.ports.services import Services

log = structlog.get_logger(__name__)


def phase_seen(played: PlayedPhase, sight: Sight) -> Scene:
    """A phase as its reader may see it; *played* is already theirs, as `Sight.phase` makes it."""
    at_moves = parts_of(played.before, played.events).at_moves
    ordered = orders_by_unit(at_moves, played.orders)
    return scene_of_phase(played.after, sight.visible(played.events), ordered)


def orders_seen(situation: SeenGame, sight: Sight) -> Scene | None:
    """The orders on file that a reader may see, in the position as they see it; None without any.

    *situation* is already theirs, as `GameView.seen_by` makes it.
    """
    powers = filter(sight.sees_orders_of, situation.world.scenario.in_play)
    orders = {power: situation.orders_of(power) for power in powers}
    if not any(orders.values()):
        return None
    others = [(power, order) for power, given in orders.items() for order in given]
    return scene_of_orders(situation.state, orders_by_unit(situation.state, orders), others)


def pictures_of_phase(
    services: Services,
    phase: SharedResults,
    sight: Sight,
    powers: Sequence[PowerId],
    lines: LinesByPlace = (),
) -> tuple[InlinePicture, ...]:
    """The picture near a reader's powers, or of the whole board for whoever leads none.

    *lines* are what they may order at a tap on a place.

    None where the board has no drawing, or where something is wrong with it: results go anyway.
    """
    return _if_drawn(
        services,
        phase.words.world.scenario,
        lambda: _near(
            phase.words,
            phase.once(sight, phase_seen),
            powers,
            [(place, phase.say(line)) for place, line in lines],
        ),
    )


def pictures_of_position(
    services: Services, words: Words, view: View, powers: Sequence[PowerId], lines: LinesByPlace
) -> tuple[InlinePicture, ...]:
    """The same of a position in which a game begins."""
    return _if_drawn(
        services, words.world.scenario, lambda: _near(words, Scene(view), powers, lines)
    )


def pictures_of_orders(
    services: Services, situation: SeenGame, sight: Sight
) -> tuple[InlinePicture, ...]:
    """The picture of the orders on file: near a reader's powers, or all orders for a master.

    A small one, as it is drawn for each mail with orders.
    None without orders, or where `pictures_of_phase` has none.
    """
    scene = orders_seen(situation, sight)
    if scene is None:
        return ()
    scenario, words = situation.world.scenario, words_at(situation.world, situation.state)
    own = tuple(power for power in scenario.in_play if power in sight.powers)

    def made() -> InlinePicture:
        lacks = lacking(situation.world.rules)
        document = wish_for(scenario, scene, own, small=True, without=lacks)
        return InlinePicture("map", document, _around(words, scene, own), WISH)

    return _if_drawn(services, scenario, made)


def _near(
    words: Words, scene: Scene, powers: Sequence[PowerId], lines: Iterable[tuple[PlaceId, str]]
) -> InlinePicture:
    own = tuple(power for power in powers if places_of(scene, (power,)))
    world = words.world
    lacks = lacking(world.rules)
    document = wish_for(world.scenario, scene, own, lines=lines, without=lacks)
    return InlinePicture("map", document, _position(words, scene, own), WISH)


def _if_drawn(
    services: Services, scenario: Scenario, made: Callable[[], InlinePicture]
) -> tuple[InlinePicture, ...]:
    """A picture of a board that has a drawing; none where something is wrong with it."""
    try:
        return () if services.atlas.shapes(scenario.board) is None else (made(),)
    except Exception:  # whatever is wrong with a picture, its message goes
        log.exception("no picture", scenario=scenario.id)
        return ()


def _position(words: Words, scene: Scene, powers: Sequence[PowerId]) -> Sentence:
    """The position in words: the units in the places near the reader, or all of them."""
    state = scene.state
    near = frozenset(places_of(scene, powers)) if powers else frozenset(words.world.board.places)
    lost = [each.unit for each in state.dislodged if each.unit.place in near]
    return Sentence(
        "map.picture",
        near=bool(powers),
        units=_units(words, (unit for unit in state.units() if unit.place in near)),
        dislodged=tuple(map(words.whose, lost)),
        besieged=tuple(words.place(place) for place in sorted(state.sieges & near)),
    )


def _around(words: Words, scene: Scene, powers: Sequence[PowerId]) -> Sentence:
    """What the lines of the orders do not tell: the units of others near them."""
    own, world = places_of(scene, powers), words.world
    near = {*own, *(to for place in own for to in world.borders.get(place, ()))}
    others = (
        unit for unit in scene.state.units() if unit.place in near and unit.owner not in powers
    )
    return Sentence("map.orders", near=bool(powers), units=_units(words, others))


def _units(words: Words, units: Iterable[Unit]) -> tuple[Wording, ...]:
    return tuple(map(words.whose, sorted(units, key=lambda unit: words.place(unit.place))))
