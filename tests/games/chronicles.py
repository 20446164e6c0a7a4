"""Random games as they are exported: played the way the desk plays them, from texts on file."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from machjudge.adjudicator.dice import SecretDice, commitment
from machjudge.adjudicator.evolve import evolve_all
from machjudge.adjudicator.legality import sort_out
from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.names import PowerId
from machjudge.adjudicator.orders import Orders, Remove
from machjudge.adjudicator.prices import unit_of_kind
from machjudge.adjudicator.state import State
from machjudge.adjudicator.world import World, world_of
from machjudge.adjudicator.year.steps import play
from machjudge.formats.game_file import (
    Chronicle,
    ChronicleEnd,
    ChronicleEntry,
    ChronicleLine,
    SealedSet,
    chronicle_lines,
    nonce_of,
    sealed_digest,
    sealed_root_of,
    sealing_key,
    throws_of,
)
from machjudge.judge.opening import opening_events, set_up
from machjudge.judge.pages import stored_phase
from machjudge.judge.records import GameId, StoredPhase
from machjudge.language.lexicon import lexicon_of, write
from tests.games.game import Deal, atlas, world_for
from tests.games.players import orders_for

VERSION = "1.0"
"""The version that is said to have played the phases."""


def played(number: int) -> datetime:
    """When a phase is said to have been played."""
    return datetime(2026, 11, 1, 12, 30, 15, 123456, tzinfo=UTC) + timedelta(days=number)


def chronicle_of(deal: Deal, phases: int, words: tuple[str, ...] | None = None) -> Chronicle:
    """The first phases of a random game, its opening included."""
    world = world_for(deal)
    empty = Chronicle(
        game="Chance",
        scenario=deal.scenario,
        judge="MACH",
        commitment=commitment(deal.secret),
        secret=deal.secret,
        words=words,
        last=phases - 1,
        phases=(),
        end=ChronicleEnd("draw", (PowerId("F"), PowerId("V")), played(phases), by_vote=True),
    )
    entries = [_opening(world, empty.key)]
    while len(entries) < phases:
        entries.append(_next(deal, world, empty.key, entries[-1]))
    return replace(empty, phases=tuple(entries))


def _opening(world: World, key: bytes) -> ChronicleEntry:
    before = set_up(world)
    dice = SecretDice(key, before.moment.code)
    events = opening_events(world, before, dice)
    return ChronicleEntry(
        number=0,
        parent=None,
        moment=before.moment.code,
        adjudicator=VERSION,
        rules=world.rules,
        before=before,
        orders={},
        dice=throws_of(events),
        events=events,
        after=evolve_all(before, events),
        played=played(0),
    )


def _next(deal: Deal, world: World, key: bytes, parent: ChronicleEntry) -> ChronicleEntry:
    state = parent.after
    orders = _on_file(world, state, orders_for(world, state, deal.chance(state.moment.code)))
    turn = play(world, state, orders, SecretDice(key, state.moment.code))
    return ChronicleEntry(
        number=parent.number + 1,
        parent=parent.number,
        moment=state.moment.code,
        adjudicator=VERSION,
        rules=world.rules,
        before=state,
        orders=_texts(world, orders),
        dice=throws_of(turn.events),
        events=turn.events,
        after=turn.state,
        played=played(parent.number + 1),
    )


def _on_file(world: World, state: State, orders: Orders) -> Orders:
    """The orders that stand; what took back a build is not kept."""
    standing = sort_out(world, state, orders).standing
    if state.moment.stage is not Stage.ADJUSTMENT:
        return standing
    return {
        power: tuple(o for o in sheet if not isinstance(o, Remove) or _is_there(state, o))
        for power, sheet in standing.items()
    }


def _is_there(state: State, order: Remove) -> bool:
    return unit_of_kind(state, order.unit.place, order.unit.kind) is not None


def _texts(world: World, orders: Orders) -> Mapping[PowerId, tuple[ChronicleLine, ...]]:
    names = lexicon_of(world.scenario)
    return {
        power: tuple(ChronicleLine(text, text) for text in (write(order, names) for order in sheet))
        for power, sheet in orders.items()
    }


def with_order_sets(chronicle: Chronicle) -> Chronicle:
    """The game with all that was ordered in sealed order sets, each the second of its power."""
    scenario = atlas().scenario(chronicle.scenario)
    assert scenario is not None
    return replace(
        chronicle,
        phases=tuple(
            entry
            if entry.parent is None
            else replace(entry, sealed=_sets(entry.orders, world_of(scenario, entry.rules).in_play))
            for entry in chronicle.phases
        ),
    )


def _sets(
    orders: Mapping[PowerId, tuple[ChronicleLine, ...]], powers: Iterable[PowerId]
) -> Mapping[PowerId, SealedSet]:
    return {
        power: SealedSet(2, tuple((line.canonical, power) for line in orders[power]))
        if orders.get(power)
        else SealedSet(0, ())
        for power in powers
    }


def proofs_of(chronicle: Chronicle) -> str:
    """What receipts and results tell of the game's sealed order sets, a line each."""
    game, lines = chronicle.game.lower(), []
    for entry in chronicle.phases:
        phase, key = entry.moment, sealing_key(chronicle.secret, game, entry.moment)
        for power, each in entry.sealed.items():
            if each.number:
                digest = sealed_digest(key, game, phase, power, each)
                nonce = nonce_of(key, power, each.number)
                lines.append(f"SEALED {game} {phase} {power} {each.number} {digest} {nonce}")
        if entry.sealed:
            root = sealed_root_of(key, game, phase, entry.sealed)
            lines.append(f"SEALED {game} {phase} ALL {root}")
    return "\n".join(lines)


def first_version(chronicle: Chronicle) -> bytes:
    """The game as a file of version 1 of the format, which lacks what came later."""
    said = json.loads("\n".join(chronicle_lines(chronicle)))
    phases = [
        {k: v for k, v in each.items() if k not in ("played", "sealed", "agreements")}
        for each in said["phases"]
    ]
    kept = {k: v for k, v in said.items() if k not in ("end", "master_plays")}
    old = kept | {"version": 1, "phases": phases}
    return json.dumps(old).encode()


def stored_phases(
    chronicle: Chronicle, game: GameId, at: Callable[[int], datetime] = played
) -> list[StoredPhase]:
    """The phases as a judge has them stored, each processed *at* an instant by its number."""
    return [stored_phase(game, entry, at(entry.number)) for entry in chronicle.phases]
