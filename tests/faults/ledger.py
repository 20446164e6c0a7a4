"""The senders' own book of 250s, kept outside the judge, and what must have come of them."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from tests.faults.relay import TakenMail, by_id
from tests.results_told import tells_results

READERS = 5
"""Four players and a master."""

PAST_DATABASE = "MACH: mail is refused"
"""The subject of what the keeper is told by the relay alone while nothing can be stored."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A mail with orders, as its sender remembers it."""

    id: str
    sender: str
    game: str
    after: int | None
    """The number of the stored phase that its orders start from; None if it need have none."""


@dataclass(frozen=True, slots=True)
class StoredMail:
    """A mail as the judge has it."""

    id: str
    state: str
    order_sets: tuple[tuple[str, int], ...]
    """The games and phases for which orders of it were put on file."""


@dataclass(frozen=True, slots=True)
class Played:
    """A stored phase of a game."""

    game: str
    number: int
    begins_from: str
    """The code of the phase at which the game stood."""
    leads_to: str
    rebuilds: bool
    """True if its events lead from its position to the next, and its orders to its events."""


@dataclass(frozen=True, slots=True)
class Remains:
    """What is found when the judge is at rest."""

    mails: Sequence[StoredMail]
    letters: Mapping[str, str]
    """The state of each letter, by what stands for its number in its Message-ID."""
    phases: Sequence[Played]
    taken: Sequence[TakenMail]
    integrity: str


@dataclass
class Ledger:
    """Who has got a 250 for what."""

    acknowledged: dict[str, Sent] = field(default_factory=dict)
    repeats: int = 0
    """How many mails were sent again because no 250 had come."""
    readers: int | None = READERS
    """How many get the results of a phase; None: anyone who has a seat, and none of them twice."""
    alone: Collection[str] = ()
    """The games that one person plays, who is their master as well."""

    def breaches(self, remains: Remains) -> list[str]:
        """Every promise that is broken; none if all hold."""
        return [
            *self._mails(remains),
            *self._answers(remains),
            *self._orders(remains),
            *_letters(remains),
            *_phases(remains, self.readers, self.alone),
            *([] if remains.integrity == "ok" else [f"the database: {remains.integrity}"]),
        ]

    def _mails(self, remains: Remains) -> Iterator[str]:
        stored = Counter(mail.id for mail in remains.mails)
        states = {mail.id: mail.state for mail in remains.mails}
        for mail in self.acknowledged:
            if stored[mail] != 1:
                yield f"{mail} got its 250 and is there {stored[mail]} times"
            elif states[mail] != "finished":
                yield f"{mail} got its 250 and is {states[mail]}"

    def _answers(self, remains: Remains) -> Iterator[str]:
        answers = Counter(copies[0].answers for copies in by_id([*remains.taken]).values())
        for mail in self.acknowledged:
            if answers[mail] != 1:
                yield f"{mail} got its 250 and {answers[mail]} different answers"

    def _orders(self, remains: Remains) -> Iterator[str]:
        """Who has got a 250 before the deadline has orders on file for that phase."""
        order_sets = {mail.id: mail.order_sets for mail in remains.mails}
        for mail in self.acknowledged.values():
            if mail.after is not None and (mail.game, mail.after) not in order_sets.get(
                mail.id, ()
            ):
                yield f"{mail.id} does not count in {mail.game} after {mail.after}"


def _letters(remains: Remains) -> Iterator[str]:
    copies = by_id([*remains.taken])
    for same in copies.values():
        if len({each.content for each in same}) != 1:
            yield f"{same[0].id} stands over different mails"
    stored = [same[0] for same in copies.values() if same[0].subject != PAST_DATABASE]
    numbers = Counter(each.letter for each in stored)
    for number, times in numbers.items():
        if times != 1:
            yield f"letter {number} went out under {times} Message-IDs"
    for number, state in remains.letters.items():
        if state != "sent" or not numbers[number]:
            yield f"letter {number} is {state}, and went out {numbers[number]} times"
    for number in numbers.keys() - remains.letters.keys():
        yield f"letter {number} went out, and nobody knows of it"


def _phases(remains: Remains, readers: int | None, alone: Collection[str]) -> Iterator[str]:
    games: dict[str, list[Played]] = {}
    for phase in remains.phases:
        games.setdefault(phase.game, []).append(phase)
    for game, phases in games.items():
        if [each.number for each in phases] != list(range(len(phases))):
            yield f"{game} has the phases {[each.number for each in phases]}"
        for before, after in pairwise(phases):
            if before.leads_to != after.begins_from:
                yield f"{game} goes on from {before.leads_to} with {after.begins_from}"
        codes = Counter(each.begins_from for each in phases[1:])
        yield from (f"{game} plays {code} {n} times" for code, n in codes.items() if n > 1)
        yield from (f"{game} {p.begins_from} does not replay" for p in phases if not p.rebuilds)
        yield from _results(game, codes, remains.taken, 1 if game in alone else readers)


def _results(
    game: str, codes: Mapping[str, int], taken: Sequence[TakenMail], readers: int | None
) -> Iterator[str]:
    """Everybody gets the results of each phase, in one message."""
    for code in codes:
        told = Counter(
            same[0].to
            for same in by_id([*taken]).values()
            if same[0].subject.startswith(f"{game}: ") and tells_results(same[0].content, code)
        )
        if len(told) != (readers or len(told)) or set(told.values()) != {1}:
            yield f"{game} {code} was told {dict(told)}"
