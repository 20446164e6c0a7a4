"""The subject of results: what a phase brought for one reader, in some words."""

from collections.abc import Iterator, Sequence

from machjudge.adjudicator import events as happened
from machjudge.adjudicator.events import Event
from machjudge.adjudicator.model.names import PowerId
from machjudge.letters.results.gains import changes_of
from machjudge.letters.results.news import about, alive, eliminated, rebelling
from machjudge.letters.results.results import PlayedPhase
from machjudge.letters.wording.words import Words
from machjudge.sentence import Sentence

_FEW = 2
"""So many places are named in a subject; of more only the number."""


def headline(
    words: Words, played: PlayedPhase, events: Sequence[Event], powers: Sequence[PowerId]
) -> Sentence:
    """The news in some words that everybody may read over a shoulder: nothing of money is in it.

    *events* are those that the reader may see.
    """
    own = alive(played, powers)
    items = [each for power in own for each in _items(words, played, events, power)]
    if not own:
        items = _items_of_all(words, played, events)
    return Sentence("news.headline", items=(*_ends(words, played, events, own), *items))


def _ends(
    words: Words, played: PlayedPhase, events: Sequence[Event], own: Sequence[PowerId]
) -> Iterator[Sentence]:
    """Who has won, or would have, and who is out of the game: before all else in a subject."""
    sides = [e.powers for e in events if isinstance(e, happened.SideWon)]
    sides += [(e.power,) for e in events if isinstance(e, happened.VictoryReached)]
    names = tuple(words.power(power) for side in sides for power in side)
    if played.is_last:
        yield Sentence("news.item.won", names=names if len(sides) == 1 else ())
    elif names:
        yield Sentence("news.item.victory", names=names)
    out = [event.power for event in eliminated(events)]
    if set(out) & set(own):
        yield Sentence("news.item.you_eliminated")
    others = tuple(words.power(power) for power in out if power not in own)
    if others:
        yield Sentence("news.item.eliminated", names=others)


def _items(
    words: Words, played: PlayedPhase, events: Sequence[Event], power: PowerId
) -> list[Sentence]:
    own = list(about(power, events))
    gone = {e.unit for e in own if isinstance(e, happened.UnitRemoved | happened.UnitChangedOwner)}
    changes = changes_of(words, played.before, played.after, power)
    retreats = [d.unit for d in played.after.dislodged if d.unit.owner == power]
    built = [event.unit for event in own if isinstance(event, happened.UnitBuilt)]
    killed = any(isinstance(event, happened.PowerAssassinated) for event in own)
    said = {
        "retreat": tuple(map(words.unit, retreats)),
        "lost": changes.lost.all,
        "gone": tuple(map(words.unit, sorted(gone, key=lambda unit: unit.place))),
        "rebels": rebelling(words, own),
        "taken": changes.taken.all,
        "built": tuple(map(words.unit, built)),
    }
    dead = [Sentence("news.item.killed")] if killed else []
    return dead + [
        Sentence(f"news.item.{key}", names=names if len(names) <= _FEW else (), n=len(names))
        for key, names in said.items()
        if names
    ]


def _items_of_all(words: Words, played: PlayedPhase, events: Sequence[Event]) -> list[Sentence]:
    before, after = played.before, played.after
    places = {
        place
        for old, new in ((before.provinces, after.provinces), (before.cities, after.cities))
        for place in {*old, *new}
        if old.get(place) != new.get(place)
    }
    victims = [e.victim for e in events if isinstance(e, happened.PowerAssassinated)]
    dead = [Sentence("news.item.leaders_killed", names=tuple(map(words.power, victims)))]
    moved = [Sentence("news.item.changed_hands", n=len(places))]
    return (dead if victims else []) + (moved if places else [])
