"""Further looks at a phase of a random game: texts, JSON, and the order in which mails come."""

import dataclasses
import json
from collections.abc import Iterable, Iterator, Mapping
from random import Random
from typing import TypeVar

from machjudge.adjudicator.events import Event, OrderRefused, OrderReplaced
from machjudge.adjudicator.legality import sort_out
from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.orders import (
    Borrow,
    GiveChit,
    Order,
    Orders,
    Pay,
    Remove,
    StrategicMove,
)
from machjudge.adjudicator.prices import unit_of_kind
from machjudge.adjudicator.state import State
from machjudge.adjudicator.year.steps import play
from machjudge.formats.position import position_of, read_position
from machjudge.formats.values import events_of, read_events
from machjudge.language.lexicon import lexicon_of, write
from machjudge.language.orders import parse_order
from tests.games.invariants import Phase

Key = TypeVar("Key")
Value = TypeVar("Value")


def canonical_texts_read_back(phase: Phase, _: Orders, __: Random) -> Iterator[str]:
    """What stands is on file as text: it reads as the same order, and stands again."""
    names = lexicon_of(phase.world.scenario)
    for power, sheet in phase.played.standing.items():
        for order in sheet:
            text = write(order, names)
            said = parse_order(text, names, phase.before.moment.stage).said
            if said != (order,):
                yield f"{power}: {order} is written {text!r} and reads {said}"


def what_stands_stands_again(phase: Phase, _: Orders, __: Random) -> Iterator[str]:
    """Orders that were sorted out are sorted out, but for those that took back a build (ADJ-11)."""
    again = sort_out(phase.world, phase.before, phase.played.standing)
    refused = [each for each in again.refused if not _took_back_a_build(phase, each.order)]
    if refused or again.replaced:
        yield f"what stood does not stand again: {refused}, {again.replaced}"


def _took_back_a_build(phase: Phase, order: Order) -> bool:
    return (
        phase.before.moment.stage is Stage.ADJUSTMENT
        and isinstance(order, Remove)
        and unit_of_kind(phase.before, order.unit.place, order.unit.kind) is None
    )


def json_reads_back(phase: Phase, _: Orders, __: Random) -> Iterator[str]:
    """Events and position, written as JSON and read again, are the same."""
    written = json.loads(json.dumps(events_of(phase.played.events)))
    if read_events(written) != phase.played.events:
        yield "the events read otherwise"
    position = json.loads(json.dumps(position_of(phase.after, phase.world)))
    if position_of(read_position(position, phase.world), phase.world) != position:
        yield "the position reads otherwise"


def mails_in_any_order_do_the_same(phase: Phase, _: Orders, chance: Random) -> Iterator[str]:
    """Neither the order of the powers nor that of lines about different things matters."""
    standing = phase.played.standing
    in_other_order = {
        power: _shuffled_sheet(phase, standing[power], chance)
        for power in _shuffled(list(standing), chance)
    }
    # A position read from a database lists everything in another order, too.
    before = _shuffled_state(phase.before, chance)
    again = play(phase.world, before, in_other_order, phase.dice)
    if again.state != phase.after:
        yield "another order of the mails leads to another position"
    expected = _without_receipts(phase.played.events)
    if _without_receipts(again.events) != expected:
        missing = [event for event in expected if event not in again.events]
        yield f"another order of the mails brings other events, not {missing}"


def _without_receipts(events: Iterable[Event]) -> list[Event]:
    return [event for event in events if not isinstance(event, OrderRefused | OrderReplaced)]


def _shuffled_sheet(phase: Phase, sheet: tuple[Order, ...], chance: Random) -> tuple[Order, ...]:
    """The same orders; those at the bank, gifts, marches, and all of an adjustment keep theirs."""
    if phase.before.moment.stage is Stage.ADJUSTMENT:
        return sheet
    kept = (Pay, Borrow, GiveChit, StrategicMove)
    ranked = [order for order in sheet if isinstance(order, kept)]
    mixed = _shuffled(list(range(len(sheet))), chance)
    places = sorted(mixed[: len(ranked)])
    others = iter(_shuffled([order for order in sheet if order not in ranked], chance))
    ranks = iter(ranked)
    return tuple(next(ranks) if n in places else next(others) for n in range(len(sheet)))


def _shuffled(items: list[Value], chance: Random) -> list[Value]:
    chance.shuffle(items)
    return items


def _shuffled_state(state: State, chance: Random) -> State:
    changes = {}
    for field in dataclasses.fields(state):
        value = getattr(state, field.name)
        if isinstance(value, Mapping):
            changes[field.name] = dict(_shuffled(list(value.items()), chance))
    return dataclasses.replace(state, **changes)
