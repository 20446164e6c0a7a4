"""The acts of a scene as lines of its picture."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from machjudge.adjudicator.model.names import PlaceId, PowerId
from machjudge.drawing.arrows import UNIT, Trail, aside, cut_short, share_of
from machjudge.drawing.palette import Colours
from machjudge.drawing.rings import Pixel
from machjudge.drawing.scene import Act, Backing, Completion, Convoy, Move, Scene
from machjudge.drawing.stands import Stands

_GAP = 3.0
_BESIDE = 7.0
"""How far two moves that cross each other are apart."""
_MEETING = 0.5
"""At which part of a move a support of it ends."""


@dataclass(frozen=True, slots=True)
class Trails:
    """The lines of all moves, supports and convoys."""

    scene: Scene
    stands: Stands
    colours: Mapping[PowerId, Colours]
    _ways: dict[tuple[PlaceId, PlaceId], tuple[Pixel, ...]] = field(default_factory=dict)

    def lines(self) -> Iterator[tuple[Act, Trail]]:
        """Each line with the act that it stands for; of moves first."""
        for move in self.scene.moves():
            yield move, self._move(move)
        for act in self.scene.acts:
            if isinstance(act, Backing):
                yield act, self._support(act)
            elif isinstance(act, Convoy):
                yield from ((act, line) for line in self._convoy(act))

    def _line(self, act: Move | Backing | Convoy, name: str, spots: tuple[Pixel, ...]) -> Trail:
        colours = self.colours.get(act.unit.owner)
        told = f"{act.unit.owner} {act.unit.kind.letter} {act.unit.place}"
        told += f"-{act.to}" if act.to else ""
        return Trail(name, spots, colours.symbol if colours else "#444", act.fate, told)

    def _move(self, move: Move) -> Trail:
        stands, size = self.stands, self.stands.frame.size
        start = stands.dislodged(move.unit) if move.retreats else stands.unit(move.unit)
        way = (start, *map(stands.field, move.via), stands.field(move.to, move.coast))
        if any(
            each.unit.place == move.to and each.to == move.unit.place for each in self.scene.moves()
        ):
            way = aside(way, _BESIDE * size)
        self._ways[move.unit.place, move.to] = way
        at_start = UNIT if self._is_taken(move.unit.place) else _GAP
        at_end = UNIT + _GAP if self._is_taken(move.to) else _GAP
        name = "retreat" if move.retreats else "move"
        return self._line(move, name, cut_short(way, at_start * size, at_end * size))

    def _is_taken(self, place: PlaceId) -> bool:
        return place in self.scene.state.field

    def _support(self, act: Backing) -> Trail:
        stands, size = self.stands, self.stands.frame.size
        start = stands.unit(act.unit)
        if act.to is None or act.to == act.supported:
            end, gap = self._standing(act.supported), UNIT + 5
        else:
            end, gap = self._on_the_way(act.supported, act.to), 0.0
        return self._line(act, "support", cut_short((start, end), UNIT * size, gap * size))

    def _standing(self, place: PlaceId) -> Pixel:
        unit = self.scene.state.field.get(place) or self.scene.state.garrisons.get(place)
        return self.stands.unit(unit) if unit else self.stands.field(place)

    def _on_the_way(self, start: PlaceId, to: PlaceId) -> Pixel:
        way = self._ways.get((start, to)) or (self.stands.field(start), self.stands.field(to))
        return share_of(way, _MEETING)[-1]

    def _convoy(self, act: Convoy) -> Iterator[Trail]:
        """From the army to the fleet and on to where it goes; the army's own line goes before."""
        stands, size = self.stands, self.stands.frame.size
        at = stands.unit(act.unit)
        army, to = stands.field(act.army), act.to
        yield self._line(act, "convoy", cut_short((army, at), UNIT * size, UNIT * size))
        goes = any(move.unit.place == act.army for move in self.scene.moves())
        if to is not None and not goes and act.fate is Completion.PLANNED:
            way = cut_short((at, stands.field(to)), UNIT * size, _GAP * size)
            yield self._line(act, "convoy", way)
