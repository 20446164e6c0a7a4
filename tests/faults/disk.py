"""A disk that forgets: what it may have of each file after the power has failed."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

from tests.faults.layer import Act, Sync, Truncate, Write

_SECTOR = 512
"""What a disk writes whole or not at all."""
_KEPT, _TORN = 0.3, 0.4


class Disk:
    """Some files, written by acts of which only those before a sync are sure to last."""

    def __init__(self, files: Mapping[Path, bytes]) -> None:
        self._lasting = {file: bytearray(data) for file, data in files.items()}
        self._unsynced: dict[Path, list[Act]] = {}

    def take(self, act: Act) -> None:
        """Note an act; a sync makes all before it last."""
        waiting = self._unsynced.setdefault(act.file, [])
        if isinstance(act, Sync):
            _apply(self._lasting.setdefault(act.file, bytearray()), waiting)
            waiting.clear()
        else:
            waiting.append(act)

    def after_a_loss(self, chance: Random) -> dict[Path, bytes]:
        """What is there: of unsynced acts some, in parts, or none."""
        files = {file: bytearray(data) for file, data in self._lasting.items()}
        for file, acts in self._unsynced.items():
            left = [part for act in acts for part in _left_of(act, chance)]
            if left:
                _apply(files.setdefault(file, bytearray()), left)
        return {file: bytes(data) for file, data in files.items()}


def _left_of(act: Act, chance: Random) -> Sequence[Act]:
    """What is left of an act: all of it, some sectors, or nothing."""
    drawn = chance.random()
    if drawn < _KEPT:
        return [act]
    if drawn > _KEPT + _TORN or not isinstance(act, Write):
        return []
    first = act.at - act.at % _SECTOR
    cuts = range(first, act.at + len(act.data), _SECTOR)
    return [_part(act, cut) for cut in cuts if chance.random() < 1 / 2]


def _part(act: Write, sector: int) -> Write:
    """What a write puts into one sector."""
    begin, end = max(sector, act.at), min(sector + _SECTOR, act.at + len(act.data))
    return Write(act.file, begin, act.data[begin - act.at : end - act.at])


def _apply(data: bytearray, acts: Sequence[Act]) -> None:
    for act in acts:
        match act:
            case Write(_, at, written):
                data.extend(bytes(max(0, at - len(data))))
                data[at : at + len(written)] = written
            case Truncate(_, length):
                del data[length:]
