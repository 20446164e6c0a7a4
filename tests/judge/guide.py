"""Guides that are played: the mails in them go to a desk, and its letters are those shown.

In a guide three things belong to its game, in the order in which they stand there:

- a block of the kind ``mail lucia``: what Lucia writes to the judge;
- a block of the kind ``letter lucia``: a letter that came of it to her, from its subject on; a
  line of three dots stands for lines that the guide leaves out;
- a comment ``<!-- meanwhile: the others join -->``: what a chapter of the story does unseen.

``GOLDEN=write`` writes the letters into the guide as they are now, with the same lines left out,
and into its mails the word that a preview ends with.
"""

import difflib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from machjudge.judge.mails import Outgoing
from tests.judge.calendar import Record
from tests.judge.letters_in import write

DOTS = "…"
UNWRITTEN = "?"
"""A letter of this line alone is written whole by ``GOLDEN=write``."""

Chapter = Callable[[Record], None]


@dataclass(frozen=True, slots=True)
class Block:
    """A mail, a letter or a chapter, and the lines of the guide *start* to *end* that are it."""

    kind: str
    who: str
    lines: tuple[str, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Shown:
    """A letter that the guide shows, and the lines of the real one; none if none has come."""

    block: Block
    real: tuple[str, ...]

    @property
    def is_true(self) -> bool:
        """Character for character, the lines left out excepted."""
        return bool(self.real) and fits(self.block.lines, self.real)


@dataclass
class Player:
    """Plays a guide, block by block; *renews* the words of previews in its mails."""

    record: Record
    chapters: Mapping[str, Chapter]
    renews: bool = False
    shown: list[Shown] = field(default_factory=list)
    mails: list[tuple[Block, Sequence[str]]] = field(default_factory=list)
    """The mails, and what was sent of each."""
    _came: int = 0
    """How many letters had come before the last mail or chapter."""
    _seen: dict[str, int] = field(default_factory=dict)

    def play(self, guide: str) -> None:
        """Play all blocks of a guide in their order."""
        for block in blocks(guide):
            if block.kind == "letter":
                self.shown.append(Shown(block, self._letter(block)))
                continue
            self._came = len(self.record.letters)
            if block.kind == "meanwhile":
                self.chapters[block.who](self.record)
            else:
                self._mail(block)

    def _mail(self, block: Block) -> None:
        lines = [self._renewed(line) for line in block.lines]
        self.mails.append((block, lines))
        self.record.keep(write(self.record.house, _address(block.who), *lines))

    def _renewed(self, line: str) -> str:
        if not self.renews or not line.startswith("PROCESS "):
            return line
        lines = (x for _, letter in self.record.letters for x in letter.body.splitlines())
        return [x.strip() for x in lines if x.startswith("  PROCESS ")][-1]

    def _letter(self, block: Block) -> tuple[str, ...]:
        """The letter that a block shows, of those that came of the last mail or chapter."""
        first = max(self._came, self._seen.get(block.who, 0))
        came = [
            (number, _lines(letter))
            for number, (_, letter) in enumerate(self.record.letters)
            if number >= first and letter.to == _address(block.who)
        ]
        if not came:
            return ()
        number, real = max(came, key=lambda one: (_likeness(block.lines, one[1]), -one[0]))
        self._seen[block.who] = number + 1
        return real


def _address(who: str) -> str:
    return f"{who}@player.example"


def _lines(letter: Outgoing) -> tuple[str, ...]:
    return (f"Subject: {letter.subject}", "", *letter.body.rstrip("\n").split("\n"))


def _likeness(shown: Sequence[str], real: Sequence[str]) -> tuple[bool, bool, float]:
    """How well a letter may be the one shown: it is; its subject is; what they share."""
    words = shown[0].removeprefix(UNWRITTEN).strip()
    subject = shown[0] == real[0] or (shown[0].startswith(UNWRITTEN) and words in real[0])
    alike = difflib.SequenceMatcher(None, shown, real, autojunk=False).ratio()
    return fits(shown, real), subject, alike


_FENCE = re.compile(r"^```(mail|letter) (\w+)$")
_MEANWHILE = re.compile(r"^<!-- meanwhile: (.+) -->$")


def blocks(guide: str) -> Iterator[Block]:
    """The blocks of a guide that belong to its game."""
    lines = guide.split("\n")
    for number, line in enumerate(lines):
        if comment := _MEANWHILE.match(line):
            yield Block("meanwhile", comment[1], (), number, number)
        elif fence := _FENCE.match(line):
            end = lines.index("```", number)
            yield Block(fence[1], fence[2], tuple(lines[number + 1 : end]), number + 1, end)


# --- letters with lines left out -------------------------------------------------------------


def parts(shown: Sequence[str]) -> list[list[str]]:
    """The runs of lines between the lines of dots; empty ones at the ends if dots stand there."""
    runs: list[list[str]] = [[]]
    for line in shown:
        if line == DOTS:
            runs.append([])
        else:
            runs[-1].append(line)
    return runs


def fits(shown: Sequence[str], real: Sequence[str]) -> bool:
    """True if a letter is the one shown: each run stands in it, in order, the ends at the ends."""
    first, *rest = parts(shown)
    if not rest:
        return list(real) == first
    *middle, last = rest
    if list(real[: len(first)]) != first or len(real) < len(first) + len(last):
        return False
    at, stop = len(first), len(real) - len(last)
    for run in middle:
        found = _find(run, real[:stop], at)
        if found is None:
            return False
        at = found + len(run)
    return list(real[stop:]) == last


def _find(run: Sequence[str], real: Sequence[str], at: int) -> int | None:
    places = range(at, len(real) - len(run) + 1)
    return next((i for i in places if list(real[i : i + len(run)]) == list(run)), None)


def renewed(shown: Sequence[str], real: Sequence[str]) -> list[str]:
    """A letter as it is now, with the lines left out that the guide left out before.

    Each run goes on showing the lines from the place of its first line to that of its last, as
    well as they can be found again in the new letter.
    """
    if shown[0].startswith(UNWRITTEN):
        return list(real)
    if fits(shown, real):
        return list(shown)
    runs, lines = parts(shown), []
    at = 0
    for number, run in enumerate(runs):
        start, stop = _span(run, real, at)
        start = 0 if number == 0 else start
        stop = len(real) if number == len(runs) - 1 and run else stop
        lines += [*([DOTS] if number else []), *real[start:stop]]
        at = stop
    return lines


def _span(run: Sequence[str], real: Sequence[str], at: int) -> tuple[int, int]:
    """Where in the real letter a run stands now, from *at* on."""
    if not run:
        return at, at
    matcher = difflib.SequenceMatcher(None, run, real[at:], autojunk=False)
    found = [m for m in matcher.get_matching_blocks() if m.size]
    if not found:
        return at, at
    start = at + found[0].b - found[0].a
    left = len(run) - found[-1].a - found[-1].size
    stop = at + found[-1].b + found[-1].size + left
    return max(start, at), min(stop, len(real))


def rewritten(guide: str, player: Player) -> str:
    """A guide with its mails and letters as they are now."""
    lines = guide.split("\n")
    now = [(one.block, renewed(one.block.lines, one.real)) for one in player.shown if one.real]
    for block, text in sorted([*now, *player.mails], key=lambda each: -each[0].start):
        lines[block.start : block.end] = text
    return "\n".join(lines)
