"""Which places of a drawing touch: their outlines walked in steps of one unit."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import combinations, pairwise
from math import ceil, dist

from machjudge.adjudicator.board import Board
from machjudge.adjudicator.names import PlaceId
from machjudge.map_files.shapes import Shapes

Border = frozenset[PlaceId]
_SHORTEST = 10
"""Outlines that run side by side for fewer steps meet in a point."""
_NEAR = 28
"""How far a mark over water is from each of its shores at most."""
_TOKEN = re.compile(r"[MmLlHhVvZz]|-?\d+")


def borders_of(board: Board) -> set[Border]:
    """Who borders on whom by the graphs of a board, by land or by sea."""
    army = {frozenset({a, b}) for a, ends in board.army.items() for b in ends}
    fleet = {frozenset({a.place, b.place}) for a, ends in board.fleet.items() for b in ends}
    return army | fleet


def drawn_borders(board: Board, shapes: Shapes) -> set[Border]:
    """Who touches whom, or is joined with them by a mark over water."""
    steps = {place: set(_steps(outline.path)) for place, outline in shapes.places.items()}
    at: dict[tuple[int, int], set[PlaceId]] = defaultdict(set)
    for place, points in steps.items():
        for x, y in points:
            for across, down in ((0, 0), (1, 0), (0, 1), (-1, 0), (0, -1)):
                at[x + across, y + down].add(place)
    shared = Counter(frozenset(two) for here in at.values() for two in combinations(here, 2))
    lands = {place.id: steps[place.id] for place in board.places.values() if not place.is_sea}
    joined = {
        frozenset(two)
        for mark in (*shapes.bridges, *shapes.crossings)
        for two in combinations(
            [p for p, points in lands.items() if min(dist(mark, at) for at in points) <= _NEAR], 2
        )
    }
    return {two for two, number in shared.items() if number > 3 * _SHORTEST} | joined


def _steps(path: str) -> Iterator[tuple[int, int]]:
    for start, end in _edges(path):
        far = max(1, ceil(dist(start, end)))
        for part in range(far):
            yield tuple(round(a + (b - a) * part / far) for a, b in zip(start, end, strict=True))  # type: ignore[misc]


def _edges(path: str) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """The straight edges of all rings of a path."""
    ring: list[tuple[int, int]] = []
    x = y = 0
    letter = ""
    tokens = _TOKEN.findall(path)
    while tokens:
        if tokens[0].isalpha():
            letter = tokens.pop(0)
        if letter in "Zz":
            yield from pairwise([*ring, ring[0]])
            (x, y), ring = ring[0], []
            continue
        own = letter.islower()
        if letter in "Hh":
            x = int(tokens.pop(0)) + own * x
        elif letter in "Vv":
            y = int(tokens.pop(0)) + own * y
        else:
            x, y = int(tokens.pop(0)) + own * x, int(tokens.pop(0)) + own * y
            letter = {"M": "L", "m": "l"}.get(letter, letter)
        ring.append((x, y))
