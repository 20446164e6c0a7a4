"""Exports of games, and their verification: commitment, positions, dice and results."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from machjudge.adjudicator.board import Scenario
from machjudge.adjudicator.dice import SecretDice, Throw, commitment
from machjudge.adjudicator.events import DiceThrown, Event, is_correction
from machjudge.adjudicator.evolve import evolve_all
from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.money.assassins import is_interlude, passed_again
from machjudge.adjudicator.names import MachjudgeError, PowerId
from machjudge.adjudicator.orders import Hold, Maintain
from machjudge.adjudicator.state import State
from machjudge.adjudicator.world import World, world_of
from machjudge.adjudicator.year.steps import play
from machjudge.formats.game_file import (
    NO_PART,
    Chronicle,
    ChronicleEnd,
    ChronicleEntry,
    ChronicleLine,
    correction_digest,
    head_link,
    last_link,
    nonce_of,
    phase_link,
    seal_of,
    sealed_digest,
    sealed_root_of,
    sealing_key,
    throws_of,
)
from machjudge.formats.values import shown
from machjudge.judge.game_view import UnreadableOrder, read_order_texts
from machjudge.judge.opening import opening_events, set_up
from machjudge.judge.ports import Services
from machjudge.judge.records import BOT, Game, GameId, Provenance, Status, StoredPhase
from machjudge.language.lexicon import BY_AGREEMENT
from machjudge.map_files.folders import Atlas
from machjudge.translatable import Message, MessageOrText


@dataclass(frozen=True, slots=True)
class NotFinished:
    """An unfinished game, whose secret must stay in the judge."""

    name: str


def chronicle_of(services: Services, game_id: GameId) -> Chronicle | None:
    """Return the chronicle of a game, which contains its secret; None if there is no game."""
    with services.store.reading() as uow:
        game = uow.games.get(game_id)
        if game is None:
            return None
        phases = uow.phases.all_of(game_id)
    return record_of(services, game, phases)


def export(services: Services, game_id: GameId) -> Chronicle | NotFinished | None:
    """Return the chronicle of a finished game; None if there is no such game."""
    with services.store.reading() as uow:
        game = uow.games.get(game_id)
    if game is not None and game.status is not Status.FINISHED:
        return NotFinished(game.name)
    return chronicle_of(services, game_id)


def record_of(services: Services, game: Game, phases: Iterable[StoredPhase]) -> Chronicle:
    """Return the chronicle of a game with those phases; an imported one names its origin."""
    here = Provenance(services.judge.code, game.name)
    origin, end = here, None
    if (ending := game.ending) is not None:
        origin = ending.origin or here
        end = ChronicleEnd(ending.end.value, ending.winners, ending.at, by_vote=ending.by_vote)
    return Chronicle(
        game=origin.game,
        scenario=game.scenario,
        judge=origin.judge,
        commitment=commitment(game.secret),
        secret=game.secret,
        words=game.words,
        last=game.position,
        phases=tuple(_entry(phase) for phase in phases),
        end=end,
        master_plays=game.settings.master_plays,
    )


def _entry(phase: StoredPhase) -> ChronicleEntry:
    return ChronicleEntry(
        number=phase.number,
        parent=phase.parent,
        moment=phase.moment,
        adjudicator=phase.adjudicator,
        rules=phase.rules,
        before=phase.before,
        orders={
            power: tuple(
                ChronicleLine(line.written, line.canonical, by_judge=line.mail is None)
                for line in lines
            )
            for power, lines in phase.orders.items()
        },
        dice=throws_of(phase.events),
        events=phase.events,
        after=phase.after,
        played=phase.processed,
        sealed=phase.sealed,
        agreements=phase.agreements,
    )


# Rebuild every position of a game: from its events, and by playing its orders again. The first
# must always succeed, and every die must follow from the secret. The second is promised for
# phases of the running version only; for older ones the answer names what the newer rules would
# decide otherwise, and nothing is changed.
class ScenarioMissing(MachjudgeError):
    """The scenario of a game to be replayed is missing."""


@dataclass(frozen=True, slots=True)
class WrongDice:
    """Dice that do not follow from the secret."""

    purpose: str
    n: int
    claimed: tuple[int, ...]
    right: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PhaseCheck:
    """The check of one stored phase."""

    number: int
    moment: str
    adjudicator: str
    starts_right: bool
    """It starts from the position after its parent, or from the scenario's set-up."""
    events_rebuild: bool
    """Its events lead from the position before to the one after."""
    wrong_dice: tuple[WrongDice, ...]
    differences: tuple[MessageOrText, ...]
    """Events that a replay lacks (-) or adds (+)."""

    @property
    def is_kept(self) -> bool:
        """The stored documents agree with each other; must always be true."""
        return self.starts_right and self.events_rebuild and not self.wrong_dice

    @property
    def plays_again(self) -> bool:
        """Its orders and dice bring the same events again."""
        return not self.differences


Watched = Callable[[Iterator[PhaseCheck], int], Iterator[PhaseCheck]]
"""Passes on the checks as they are made, and may report them."""


def unwatched(made: Iterator[PhaseCheck], _total: int) -> Iterator[PhaseCheck]:
    """Return the checks, without a report."""
    return made


def replay(
    services: Services, game_id: GameId, watched: Watched = unwatched
) -> tuple[PhaseCheck, ...] | None:
    """Check all stored phases of a game, if there is one.  Raises ScenarioMissing, BrokenMap."""
    chronicle = chronicle_of(services, game_id)
    if chronicle is None:
        return None
    made = checks(chronicle, scenario_of(chronicle, services.atlas))
    return tuple(watched(made, len(chronicle.phases)))


def scenario_of(chronicle: Chronicle, atlas: Atlas) -> Scenario:
    """Return the scenario of a game.  Raises ScenarioMissing, BrokenMap."""
    scenario = atlas.scenario(chronicle.scenario)
    if scenario is None:
        msg = f"there is no scenario {shown(chronicle.scenario)!r} here to play it again on"
        raise ScenarioMissing(msg)
    return scenario


def checks(chronicle: Chronicle, scenario: Scenario) -> Iterator[PhaseCheck]:
    """Check the phases of a game; nothing in them is trusted."""
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
    """The position after the events; None if they are impossible in that position."""
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


def _differences(world: World, key: bytes, entry: ChronicleEntry) -> tuple[MessageOrText, ...]:
    try:
        again = _played_again(world, key, entry)
    # What is checked may hold anything; that it cannot be played is an answer, too.
    except Exception as error:
        fault = f"{type(error).__name__}: {error}"
        return (Message("archive.cannot_be_played", fault=fault),)
    if again == entry.events:
        return ()
    lost = [f"- {event}" for event in _without(entry.events, again)]
    new = [f"+ {event}" for event in _without(again, entry.events)]
    return (*lost, *new) or (Message("archive.same_events"),)


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


_MAX_DICE = 20
"""No throw has more dice; of a false file no more are shown."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check."""

    what: str
    """One word, such as ``dice``."""
    holds: bool
    says: MessageOrText
    doubt: bool = False
    """A phase of another version could not be checked fully."""


def verify(
    chronicle: Chronicle, scenario: Scenario, version: str, watched: Watched = unwatched
) -> tuple[Finding, ...]:
    """Check a game; only phases of *version*, the running one, must be replayed equally."""
    checked = tuple(watched(checks(chronicle, scenario), len(chronicle.phases)))
    return (
        _secret(chronicle),
        _order(chronicle),
        _of_phases(
            checked,
            "starts",
            lambda check: None if check.starts_right else Message("archive.starts_wrong"),
            Message("archive.starts"),
        ),
        _of_phases(
            checked,
            "events",
            lambda check: None if check.events_rebuild else Message("archive.events_wrong"),
            Message("archive.events"),
        ),
        _dice(chronicle, checked),
        _orders(checked, version),
        _seals(chronicle),
        _sealed(chronicle, scenario),
        *_corrections(chronicle),
    )


def _secret(chronicle: Chronicle) -> Finding:
    right = commitment(chronicle.secret)
    holds = chronicle.commitment == right
    instead = "" if holds else shown(chronicle.commitment)
    return Finding("secret", holds, Message("archive.secret", right=right, instead=instead))


def _order(chronicle: Chronicle) -> Finding:
    wrong = _wrong_order(chronicle)
    if wrong is not None:
        return Finding("phases", holds=False, says=wrong)
    moments = {phase.number: phase.moment for phase in chronicle.phases}
    first, last = chronicle.phases[0].moment, moments[chronicle.last or 0]
    n = len(chronicle.phases)
    says = Message("archive.phases", n=n, first=shown(first), last=shown(last))
    return Finding("phases", holds=True, says=says)


def _wrong_order(chronicle: Chronicle) -> Message | None:
    phases = chronicle.phases
    numbers = [phase.number for phase in phases]
    if not phases:
        return Message("archive.no_phases")
    if any(number >= after for number, after in pairwise(numbers)):
        return Message("archive.not_in_order")
    for phase in phases:
        if (phase.parent is None) != (phase is phases[0]):
            return Message("archive.no_parent", phase=_named(phase))
    if chronicle.last not in numbers:
        return Message("archive.no_last_phase", last=chronicle.last)
    return None


def _of_phases(
    checked: Iterable[PhaseCheck],
    what: str,
    flaw: Callable[[PhaseCheck], MessageOrText | None],
    well: Message,
) -> Finding:
    for check in checked:
        found = flaw(check)
        if found is not None:
            return _wrong(what, check, found)
    return Finding(what, holds=True, says=well)


def _wrong(what: str, phase: ChronicleEntry | PhaseCheck, flaw: MessageOrText) -> Finding:
    says = Message("archive.of_phase", phase=_named(phase), flaw=flaw)
    return Finding(what, holds=False, says=says)


def _dice(chronicle: Chronicle, checked: Iterable[PhaseCheck]) -> Finding:
    for entry in chronicle.phases:
        if entry.dice != throws_of(entry.events):
            return _wrong("dice", entry, Message("archive.dice_not_in_events"))
    throws = sum(len(entry.dice) for entry in chronicle.phases)
    words = len(chronicle.words) if chronicle.words is not None else None
    well = Message("archive.dice", throws=throws, words=words)
    return _of_phases(checked, "dice", _dice_flaw, well)


def _dice_flaw(check: PhaseCheck) -> Message | None:
    if not check.wrong_dice:
        return None
    wrong = check.wrong_dice[0]
    return Message(
        "archive.dice_wrong",
        purpose=shown(wrong.purpose),
        n=wrong.n,
        instead=wrong.claimed[:_MAX_DICE],
        right=wrong.right[:_MAX_DICE],
    )


def _orders(checked: Sequence[PhaseCheck], version: str) -> Finding:
    """Check that this version's phases bring the same events again."""
    ours = (check for check in checked if check.adjudicator == version)
    finding = _of_phases(ours, "orders", _first_difference, Message("archive.orders"))
    others = [check for check in checked if check.adjudicator != version]
    if not finding.holds or not others:
        return finding
    changed = [check for check in others if not check.plays_again]
    says = Message(
        "archive.orders_of_others",
        others=len(others),
        changed=len(changed),
        first=_named(changed[0]) if changed else "",
        version=shown(changed[0].adjudicator) if changed else "",
    )
    return Finding("orders", holds=True, says=says, doubt=bool(changed))


def _seals(chronicle: Chronicle) -> Finding:
    """Check the seals of what cannot be computed: each phase continues the last.

    Within the judge nothing is sealed yet: the seal is shown, to compare with the last message.
    """
    if chronicle.seal:
        link = head_link(chronicle)
        for number, entry in enumerate(chronicle.phases):
            if entry.seal != phase_link(link, entry):
                flaw = Message("archive.not_as_sealed", is_first=not number)
                return _wrong("seal", entry, flaw)
            link = entry.seal
        if chronicle.seal != last_link(link, chronicle.last):
            says = Message("archive.not_the_last", last=chronicle.last)
            return Finding("seal", holds=False, says=says)
    says = Message("archive.seal", seal=chronicle.seal or seal_of(chronicle))
    return Finding("seal", holds=True, says=says)


def _sealed(chronicle: Chronicle, scenario: Scenario) -> Finding:
    """Check that the orders played are the order sets in force, with nothing left out or added."""
    n = by_masters = agreed = 0
    doubted: list[Message] = []
    is_sealed = False
    for entry in chronicle.phases:
        if entry.parent is None or is_interlude(entry.events):
            continue
        if is_sealed and not entry.sealed:
            return _wrong("sealed", entry, Message("archive.none_sealed"))
        is_sealed = bool(entry.sealed)
        world = world_of(scenario, entry.rules)
        for power in sorted({*entry.orders, *entry.sealed, *world.in_play} if is_sealed else ()):
            flaw = _not_as_given(world, entry, power) or _not_as_agreed(entry, power)
            if flaw is not None:
                return _wrong("sealed", entry, flaw)
            doubted += _given_by_judge(entry, power)
        sets = [sealed for sealed in entry.sealed.values() if sealed.number]
        n += len(sets)
        agreed += sum(
            bool(_AGREED.fullmatch(line.written)) for own in entry.orders.values() for line in own
        )
        by_masters += sum(_MASTER in each for sealed in sets for each in sealed.orders)
    says = Message(
        "archive.sealed",
        n=n,
        by_masters=by_masters,
        agreed=agreed,
        master_plays=chronicle.master_plays,
        late=tuple(doubted),
    )
    return Finding("sealed", holds=True, says=says, doubt=bool(doubted))


_MASTER = "M"
_AGREED = re.compile(r"agreement \d+")
"""What is written for an order of an agreement, which no player can write; both were told of it."""


def _not_as_given(world: World, entry: ChronicleEntry, power: PowerId) -> Message | None:
    """Say how the orders played for a power differ from those that it had on file, if they do."""
    sealed, lines = entry.sealed.get(power), entry.orders.get(power, ())
    if sealed is None or power not in world.in_play:
        return Message("archive.not_sealed", power=shown(power), is_here=sealed is not None)
    if not all(len(each) == len(("order", "seat")) for each in sealed.orders):
        return Message("archive.no_seat", power=shown(power), seat="")
    for _, seat in sealed.orders:
        if seat not in (power, _MASTER):
            return Message("archive.no_seat", power=shown(power), seat=shown(seat))
    given = [order for order, _ in sealed.orders]
    own = (line for line in lines if not (line.by_judge or _AGREED.fullmatch(line.written)))
    played = [line.canonical for line in own]
    due = [] if sealed.void else given
    left_out = [shown(order) for order in due if order not in played]
    added = [shown(order) for order in played if order not in due]
    added += [shown(line.canonical) for line in _not_the_judges(world, entry, power)]
    if added or played != due or (given and sealed.number < 1):
        more = {"left_out": tuple(left_out), "added": tuple(added)}
        return Message("archive.not_as_given", power=shown(power), **more)
    return None


def _not_as_agreed(entry: ChronicleEntry, power: PowerId) -> Message | None:
    """Say which agreement is not the one that its orders of a power were of, if there is one."""
    lines = entry.orders.get(power, ())
    given = {line.canonical for line in lines if not _AGREED.fullmatch(line.written)}
    kept = {text.split()[-1] for text in given if text.startswith("maintain")}
    played: dict[str, list[str]] = defaultdict(list)
    for line in lines:
        if _AGREED.fullmatch(line.written):
            number = line.written.split()[1]
            played[number].append(line.canonical.removesuffix(f"{BY_AGREEMENT}{number}"))
    for number in sorted(played.keys() | entry.agreements.keys()):
        agreed = entry.agreements.get(number)
        parts = [text for text, of in agreed.orders if of == power] if agreed is not None else []
        orders = [text for text in parts if text.split()[0] not in _NO_ORDERS]
        own = [text for text in orders if text.split()[0] in _ONCE]
        done = [text for text in own if text in given or text.split()[-1] in kept]
        if Counter(played[number]) - Counter(orders) or (
            Counter(orders) - Counter(played[number]) - Counter(done)
        ):
            return Message("archive.not_as_agreed", number=shown(number), power=shown(power))
    return None


_ONCE = frozenset(("maintain", "cede"))
"""What an own order does as well; gifts of an agreement stand beside own ones."""
_NO_ORDERS = frozenset(("draw", "concede", NO_PART))


def _not_the_judges(world: World, entry: ChronicleEntry, power: PowerId) -> Iterator[ChronicleLine]:
    """The orders that are told to be the judge's, and are none that it gives.

    It holds the units of the late, maintains those of the silent, and leaves all else to bots.
    """
    sealed, stage = entry.sealed[power], entry.before.moment.stage
    for line in entry.orders.get(power, ()):
        if not line.by_judge or line.written == BOT:
            continue
        try:
            (order,) = read_order_texts(world, stage, [line.canonical])
        except UnreadableOrder:
            yield line
            continue
        if stage is Stage.CAMPAIGN:
            is_usual = sealed.void and isinstance(order, Hold)
        else:
            is_usual = not sealed.orders and isinstance(order, Maintain)
        if not is_usual:
            yield line


def _given_by_judge(entry: ChronicleEntry, power: PowerId) -> Iterator[Message]:
    """Where the judge ordered though an order set was on file: its player can tell why."""
    sealed, phase = entry.sealed[power], _named(entry)
    if not sealed.orders:
        return
    if sealed.void:
        yield Message("archive.ordered_for", power=power, phase=phase, bot=False)
    elif any(line.written == BOT and line.by_judge for line in entry.orders.get(power, ())):
        yield Message("archive.ordered_for", power=power, phase=phase, bot=True)


# Receipts and results tell what was on file: each answer to orders the SHA-256 of the order set
# and its nonce, each results that of all sets. Whoever has them can tell whether a record is of
# the orders that were acknowledged.
@dataclass(frozen=True, slots=True)
class Receipt:
    """What a message says of an order set, of all sets, of an agreement or of a correction."""

    game: str
    phase: str
    about: str
    """The letter of a power, or the number of an agreement; `ALL` or `FIX`."""
    number: int
    """Of the order set; 1 of an agreement, else 0."""
    digest: str
    nonce: str = ""


ALL, FIX = "ALL", "FIX"
"""What a proof is about that is not of one power: the sets of all, or a master's correction."""
_RECEIPT = re.compile(
    r"SEALED ([a-z][a-z0-9_-]{0,19}) ([SUF]\d{4}[MRB]) (?:(ALL|FIX)|([A-Z]|\d{3,6}) (\d{1,6}))"
    r" ([0-9a-f]{64})(?: ([0-9a-f]{32})\b)?"
)
_QUOTE = re.compile(r"^[>|\s*]+", re.MULTILINE)


def receipts_in(text: str) -> Iterator[Receipt]:
    """Return what a text of a message, also a quoted one, says of order sets."""
    for found in _RECEIPT.finditer(" ".join(_QUOTE.sub("", text).split())):
        game, phase, of_all, power, number, digest, nonce = found.groups()
        yield Receipt(game, phase, of_all or power, int(number or 0), digest, nonce or "")


def compare(chronicle: Chronicle, receipts: Iterable[Receipt]) -> Finding:
    """Check a record against receipts and results of its game; only its players have all of them.

    A receipt of the set that was in force must be of the same orders. No receipt may have a higher
    number; where only lower ones of other orders are here, or none, the last is missing, or the
    orders are not the player's. The same holds for agreements of a power whose receipts are here.
    Proofs of other games are passed over.
    """
    ours = sorted(
        {each for each in receipts if each.game == chronicle.game.lower()},
        key=lambda each: (each.phase, each.about, each.number, each.digest),
    )
    known = [each for each in ours if _has_its_nonce(chronicle, each)]
    sets = _sets_by_power(chronicle)
    confirmed: set[tuple[int, str]] = set()
    same = 0
    for each in known:
        found = _confirmed_by(chronicle, sets, each)
        if found is None:
            of_one = "agreement_differs" if each.about.isdecimal() else "differs"
            what = {ALL: "all_differ", FIX: "fix_differs"}.get(each.about, of_one)
            flaw = Message(
                f"archive.receipt.{what}", phase=each.phase, power=each.about, number=each.number
            )
            return Finding("receipts", holds=False, says=flaw)
        same += bool(found)
        confirmed.update((phase, each.about) for phase in found)
    seats = {each.about for each in known} - {ALL, FIX}
    played = [
        (entry, power, entry.sealed[power].number)
        for power in map(PowerId, sorted(seats & sets.keys()))
        for entry in sets[power]
        if entry.sealed[power].number
    ]
    played += [
        (entry, PowerId(number), agreed.number)
        for entry in chronicle.phases
        for number, agreed in entry.agreements.items()
        if any(side in seats for _, side in agreed.orders)
    ]
    doubts = [
        (entry.moment, about, number)
        for entry, about, number in played
        if (entry.number, about) not in confirmed
    ]
    first = doubts[0] if doubts else ("", "", 0)
    says = Message(
        "archive.receipt.same",
        same=same,
        of=len(ours),
        strange=len(ours) - len(known),
        n=len(doubts),
        phase=first[0],
        power=first[1],
        number=first[2],
    )
    is_doubted = bool(doubts) or len(known) < len(ours)
    return Finding("receipts", holds=bool(same), says=says, doubt=is_doubted)


def _has_its_nonce(chronicle: Chronicle, receipt: Receipt) -> bool:
    """Whether the nonce follows from the game's secret; the judge cannot have told another."""
    key = sealing_key(chronicle.secret, chronicle.game, receipt.phase)
    return receipt.nonce in ("", nonce_of(key, PowerId(receipt.about), receipt.number))


def _sets_by_power(chronicle: Chronicle) -> Mapping[str, list[ChronicleEntry]]:
    """The phases in which each power had an order set, an empty one too."""
    found: dict[str, list[ChronicleEntry]] = defaultdict(list)
    for entry in chronicle.phases:
        for power in entry.sealed:
            found[power].append(entry)
    return found


def _confirmed_by(
    chronicle: Chronicle, sets: Mapping[str, Sequence[ChronicleEntry]], receipt: Receipt
) -> tuple[int, ...] | None:
    """The numbers of the phases of which a message tells the truth.

    None if it tells something else; nothing if it is of a set that was replaced, or of a phase that
    was not played from there.
    """
    game, phase = chronicle.game, receipt.phase
    key = sealing_key(chronicle.secret, game, phase)
    played = [each for each in chronicle.phases if each.moment == phase]
    if receipt.about == ALL:
        roots = {
            each.number: sealed_root_of(key, game, phase, each.sealed)
            for each in played
            if each.sealed
        }
        return tuple(number for number, root in roots.items() if root == receipt.digest) or None
    if receipt.about == FIX:
        fixed = {
            each.number
            for each in played
            if is_correction(each.events)
            for event in each.events
            if correction_digest(key, game, phase, event) == receipt.digest
        }
        return tuple(fixed) or None
    power = PowerId(receipt.about)
    if power.isdecimal():
        agreed = {each.number: each.agreements.get(power) for each in played}
        told = {
            number: sealed_digest(key, game, phase, power, terms)
            for number, terms in agreed.items()
            if terms is not None
        }
        same = tuple(number for number, digest in told.items() if digest == receipt.digest)
        return same or (None if told else ())
    own = [each for each in sets.get(power, ()) if each.moment == phase]
    equal = tuple(
        each.number
        for each in own
        if each.sealed[power].number >= receipt.number
        and receipt.digest
        == sealed_digest(
            key, game, phase, power, replace(each.sealed[power], number=receipt.number)
        )
    )
    is_replaced = any(each.sealed[power].number > receipt.number for each in own)
    return equal or (() if is_replaced or _is_left(chronicle, phase) else None)


def _is_left(chronicle: Chronicle, phase: str) -> bool:
    """Whether a phase of that code began and was never played: the last, or one rolled back."""
    went_on = {each.parent for each in chronicle.phases}
    return any(
        each.after.moment.code == phase and each.number not in went_on for each in chronicle.phases
    )


def _corrections(chronicle: Chronicle) -> Iterator[Finding]:
    """List the master's corrections, which the players must know of."""
    corrected = tuple(_named(each) for each in chronicle.phases if is_correction(each.events))
    if corrected:
        yield Finding("by-hand", holds=True, says=Message("archive.corrected", phases=corrected))


def _first_difference(check: PhaseCheck) -> MessageOrText | None:
    first = next(iter(check.differences), None)
    if not isinstance(first, str):
        return first
    is_lost = first.startswith("-")
    return Message("archive.lost_event" if is_lost else "archive.new_event", event=first[2:])


def _named(phase: ChronicleEntry | PhaseCheck) -> Message:
    return Message("archive.phase", number=phase.number, moment=shown(phase.moment))
