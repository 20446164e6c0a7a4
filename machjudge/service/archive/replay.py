"""Rebuild every position of a game: from its events, and by playing its orders again.

The first must always succeed, and every die must follow from the secret.  The second is promised
for phases of the running version only; for older ones the answer names what the newer rules would
decide otherwise, and nothing is changed.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from machjudge.adjudicator.events import DiceThrown, Event
from machjudge.adjudicator.events.corrections import is_correction
from machjudge.adjudicator.events.evolve import evolve_all
from machjudge.adjudicator.model.dice import SecretDice, Throw
from machjudge.adjudicator.model.names import MachjudgeError
from machjudge.adjudicator.model.scenario import Scenario
from machjudge.adjudicator.model.state import State
from machjudge.adjudicator.model.world import World, world_of
from machjudge.adjudicator.money.chits import is_interlude, passed_again
from machjudge.adjudicator.year.phase import play
from machjudge.atlas import Atlas
from machjudge.codec.document.chronicle import Chronicle, ChronicleEntry, throws_of
from machjudge.codec.document.shape import shown
from machjudge.sentence import Sentence, Wording
from machjudge.service.archive.chronicle import chronicle_of
from machjudge.service.game.stored_orders import read_order_texts
from machjudge.service.model.opening import opening_events, set_up
from machjudge.service.model.records import GameId
from machjudge.service.ports.services import Services


class ScenarioMissing(MachjudgeError):
    """The scenario of a game that shall be played again is not here."""


@dataclass(frozen=True, slots=True)
class WrongDice:
    """Dice that do not follow from the secret."""

    purpose: str
    n: int
    told: tuple[int, ...]
    right: tuple[int, ...]
    """What follows from the secret; empty where nothing can."""


@dataclass(frozen=True, slots=True)
class PhaseCheck:
    """What came of rebuilding one stored phase."""

    number: int
    moment: str
    adjudicator: str
    """The version that made it."""
    starts_right: bool
    """Whether it starts from the position after its parent, or from the scenario's set-up."""
    events_rebuild: bool
    """Whether its events lead from the position before to the one after."""
    wrong_dice: tuple[WrongDice, ...]
    differences: tuple[Wording, ...]
    """Events that playing it again does not bring (-), or brings besides (+)."""

    @property
    def is_kept(self) -> bool:
        """Whether the stored documents agree with each other; must always be true."""
        return self.starts_right and self.events_rebuild and not self.wrong_dice

    @property
    def plays_again(self) -> bool:
        """Whether its orders and dice bring the same events again."""
        return not self.differences


Watched = Callable[[Iterator[PhaseCheck], int], Iterator[PhaseCheck]]
"""Passes on the checks of so many phases as they are made, and may tell of them."""


def unwatched(made: Iterator[PhaseCheck], _total: int) -> Iterator[PhaseCheck]:
    """The checks; nobody is told."""
    return made


def replay(
    services: Services, game_id: GameId, watched: Watched = unwatched
) -> tuple[PhaseCheck, ...] | None:
    """Check all stored phases of a game; None if there is no such game.

    Raises ScenarioMissing, BrokenMap.
    """
    chronicle = chronicle_of(services, game_id)
    if chronicle is None:
        return None
    made = checks(chronicle, scenario_of(chronicle, services.atlas))
    return tuple(watched(made, len(chronicle.phases)))


def scenario_of(chronicle: Chronicle, atlas: Atlas) -> Scenario:
    """The scenario on which a game was played.  Raises ScenarioMissing, BrokenMap."""
    scenario = atlas.scenario(chronicle.scenario)
    if scenario is None:
        msg = f"there is no scenario {shown(chronicle.scenario)!r} here to play it again on"
        raise ScenarioMissing(msg)
    return scenario


def checks(chronicle: Chronicle, scenario: Scenario) -> Iterator[PhaseCheck]:
    """Check the phases of a game, whatever they hold: nothing of them is taken for granted."""
    by_number = {entry.number: entry for entry in chronicle.phases}
    for entry in chronicle.phases:
        world = world_of(scenario, entry.rules)
        yield PhaseCheck(
            number=entry.number,
            moment=entry.moment,
            adjudicator=entry.adjudicator,
            starts_right=_starts_right(world, entry, by_number),
            events_rebuild=_rebuilt(entry.before, entry.events) == entry.after,
            wrong_dice=tuple(_wrong_dice(chronicle.key, entry)),
            differences=_differences(world, chronicle.key, entry),
        )


def _starts_right(
    world: World, entry: ChronicleEntry, by_number: dict[int, ChronicleEntry]
) -> bool:
    if entry.moment != entry.before.moment.code:
        return False
    if entry.parent is None:
        return entry.before == set_up(world, entry.before.sides)
    parent = by_number.get(entry.parent)
    return parent is not None and parent.number < entry.number and entry.before == parent.after


def _rebuilt(before: State, events: Sequence[Event]) -> State | None:
    """The position after the events; None if they cannot happen in that position."""
    try:
        return evolve_all(before, events)
    except (LookupError, ValueError):
        return None


# --- dice ------------------------------------------------------------------------------------


def _wrong_dice(key: bytes, entry: ChronicleEntry) -> Iterator[WrongDice]:
    for thrown in throws_of(entry.events):
        right = _right_dice(key, entry.moment, thrown)
        if right != thrown.dice or not right:
            yield WrongDice(thrown.purpose, thrown.n, thrown.dice, right)


def _right_dice(key: bytes, moment: str, thrown: DiceThrown) -> tuple[int, ...]:
    if not f"{moment}{thrown.purpose}".isascii():
        return ()
    return SecretDice(key, moment).roll(Throw(thrown.purpose, len(thrown.dice), thrown.n))


# --- orders ----------------------------------------------------------------------------------


def _differences(world: World, key: bytes, entry: ChronicleEntry) -> tuple[Wording, ...]:
    try:
        again = _played_again(world, key, entry)
    # What is checked may hold anything; that it cannot be played is an answer, too.
    except Exception as error:
        fault = f"{type(error).__name__}: {error}"
        return (Sentence("archive.cannot_be_played", fault=fault),)
    if again == entry.events:
        return ()
    lost = [f"- {event}" for event in _without(entry.events, again)]
    new = [f"+ {event}" for event in _without(again, entry.events)]
    return (*lost, *new) or (Sentence("archive.same_events"),)


def _played_again(world: World, key: bytes, entry: ChronicleEntry) -> tuple[Event, ...]:
    dice = SecretDice(key, entry.moment)
    if entry.parent is None:
        return opening_events(world, entry.before, dice)
    if is_correction(entry.events):
        return entry.events
    if is_interlude(entry.events):
        return passed_again(world, entry.before, entry.events)
    stage = entry.before.moment.stage
    orders = {
        power: read_order_texts(world, stage, (line.canonical for line in lines))
        for power, lines in entry.orders.items()
    }
    return play(world, entry.before, orders, dice).events


def _without(events: Iterable[Event], others: Iterable[Event]) -> list[Event]:
    left = list(others)
    found = []
    for event in events:
        if event in left:
            left.remove(event)
        else:
            found.append(event)
    return found
