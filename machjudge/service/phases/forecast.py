"""What a phase would bring as its orders stand, while no die has been thrown for it.

A throw that decides between two courses (an assassin, a rebellion) is tried with every face, as
long as there are few of them; of the others (incomes, disasters) only the names are told.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Generic, TypeVar

from machjudge.adjudicator.model.dice import SIDES, Dice, Throw

Line = TypeVar("Line", bound=Hashable)
"""What a reader is told of a course: a text, or any other value."""

_DECISIVE = ("assassination", "rebellion", "bribe")
"""With what the purposes of the throws begin that are tried with every face.

Where all of them are too many, the first kind alone: an assassin's success brings rebellions.
"""

_MOST_COURSES = 36
"""How many combinations of faces are tried: two dice."""


@dataclass(slots=True)
class OpenDice:
    """Dice that nobody has thrown: *faces* for some throws, one face for all others."""

    faces: Mapping[tuple[str, int], tuple[int, ...]] = field(default_factory=dict)
    face: int = 1
    asked: dict[tuple[str, int], Throw] = field(default_factory=dict)
    """All throws that were asked for, in their order."""

    def roll(self, throw: Throw) -> tuple[int, ...]:
        """The faces laid down for a throw."""
        key = (throw.purpose, throw.n)
        self.asked.setdefault(key, throw)
        return self.faces.get(key, (self.face,) * throw.count)


@dataclass(frozen=True, slots=True)
class Course(Generic[Line]):
    """What some results of the dice would bring besides what comes anyhow."""

    faces: tuple[tuple[tuple[int, ...], ...], ...]
    """The results that bring it, each with the dice of all decisive throws in their order."""
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Foreseen(Generic[Line]):
    """A phase that is still to be played."""

    certain: tuple[Line, ...]
    """What every result that was tried brings."""
    throws: tuple[Throw, ...]
    """All throws that may be made."""
    decisive: tuple[Throw, ...] = ()
    """Those that were tried with every face; empty where there are too many, or none."""
    courses: tuple[Course[Line], ...] = ()


def foresee(tell: Callable[[Dice], tuple[Line, ...]]) -> Foreseen[Line]:
    """Try the dice of a phase; *tell* plays it with some dice and says what came of it."""
    first = OpenDice()
    lines = tell(first)
    if not first.asked:
        return Foreseen(lines, ())
    asked = dict(first.asked)
    told = [lines]
    for face in range(2, SIDES + 1):
        dice = OpenDice(face=face)
        told.append(tell(dice))
        asked |= dice.asked
    throws = tuple(asked.values())
    for beginnings in (_DECISIVE, _DECISIVE[:1]):
        decisive = tuple(each for each in throws if each.purpose.startswith(beginnings))
        if decisive and SIDES ** sum(each.count for each in decisive) <= _MOST_COURSES:
            return _tried(tell, throws, decisive)
    return Foreseen(_common(told), throws)


def _tried(
    tell: Callable[[Dice], tuple[Line, ...]], throws: tuple[Throw, ...], decisive: tuple[Throw, ...]
) -> Foreseen[Line]:
    courses: dict[tuple[tuple[int, ...], ...], tuple[Line, ...]] = {}
    every = [product(range(1, SIDES + 1), repeat=each.count) for each in decisive]
    for faces in product(*every):
        laid = {(t.purpose, t.n): dice for t, dice in zip(decisive, faces, strict=True)}
        runs = [tell(OpenDice(laid, face)) for face in (1, SIDES)]
        courses[faces] = _common(runs)
    certain = _common(list(courses.values()))
    return Foreseen(certain, throws, decisive, _sorted_out(courses, certain))


def _sorted_out(
    courses: Mapping[tuple[tuple[int, ...], ...], tuple[Line, ...]], certain: tuple[Line, ...]
) -> tuple[Course[Line], ...]:
    """The results of the dice by what they bring."""
    by_lines: dict[tuple[Line, ...], list[tuple[tuple[int, ...], ...]]] = {}
    for faces, lines in courses.items():
        by_lines.setdefault(_without(lines, certain), []).append(faces)
    return tuple(Course(tuple(faces), lines) for lines, faces in by_lines.items())


def _common(told: Sequence[tuple[Line, ...]]) -> tuple[Line, ...]:
    """The lines that stand in all of them, in the order of the first."""
    others = [set(lines) for lines in told[1:]]
    return tuple(line for line in told[0] if all(line in other for other in others))


def _without(lines: Iterable[Line], certain: Iterable[Line]) -> tuple[Line, ...]:
    known = set(certain)
    return tuple(line for line in lines if line not in known)
