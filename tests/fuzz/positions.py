"""Positions with orders, as a line for `machjudge adjudicate`: damaged ones, and dense battles.

The codec reads them, the solver plays them; what can be played must keep every rule of a game.
"""

import json
from collections.abc import Iterator
from functools import cache
from itertools import islice
from random import Random
from typing import Any

from machjudge.adjudicator.board import Board
from machjudge.adjudicator.orders import Orders
from machjudge.adjudicator.state import State
from machjudge.adjudicator.world import World
from machjudge.formats.adjudicate import AnsweredLine, answer, write_answer
from machjudge.formats.position import position_of
from machjudge.language.lexicon import lexicon_of, write
from tests.fuzz.damage import damaged
from tests.fuzz.trying import Target
from tests.games.game import Deal, opening, world_for
from tests.games.invariants import LOOKS, Phase, special_units_keep_their_limit
from tests.games.players import orders_for
from tests.replays.judge import ATLAS, SPOKEN
from tests.strategies import CLASSIC, STANDARD, STRAITS, battle

_SCENARIOS = ("1454", "1385", "standard")
_LESSONS = 60
"""How many games the positions to be damaged come from."""
_PHASES = 7
_LOOKS = tuple(each for each in LOOKS if each is not special_units_keep_their_limit)
"""What a phase keeps wherever it began; special units may be too many before it already."""
_ODD: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 7, 10**30, 1.5, 1e308, "", "A", "hil", "A A mil", "F V ven/nc",
    "xyz", "\x00", "\ud800", "S1454M", "W9999X", [], {}, [[]], {"": ""}, "rebels", "&", "9" * 5000,
)  # fmt: skip
"""Values that do not belong where they are put."""


def _question(world: World, rules: dict[str, Any], state: State, orders: Orders) -> dict[str, Any]:
    names = lexicon_of(world.scenario)
    return {
        "id": "fuzz",
        "board": _board_of(world).id,
        "scenario": world.scenario.id,
        "rules": rules,
        "position": position_of(state, world),
        "orders": {
            p: [write(each, names) for each in order_set] for p, order_set in orders.items()
        },
        "dice": {"secret": "5a" * 32},
    }


def _board_of(world: World) -> Board:
    scenario = ATLAS.scenario(world.scenario.id)
    assert scenario is not None
    return scenario.board


@cache
def _lesson(number: int) -> tuple[str, ...]:
    """The phases of a random game's first year, as lines."""
    deal = Deal(_SCENARIOS[number % len(_SCENARIOS)], number * 7)
    return tuple(json.dumps(each) for each in islice(_phases(deal), _PHASES))


def _phases(deal: Deal) -> Iterator[dict[str, Any]]:
    world = world_for(deal)
    rules = {"preset": deal.variation.preset, "set": dict(deal.variation.options)}
    state = opening(world, deal.secret)
    while True:
        orders = orders_for(world, state, deal.chance(state.moment.code))
        question = _question(world, rules, state, orders)
        yield question
        told = answer(json.dumps(question).encode(), ATLAS, SPOKEN)
        if not isinstance(told, AnsweredLine):
            return
        state = told.played.state


def make_position(chance: Random) -> bytes:
    """A phase of a random game with values changed, and now and then its text damaged."""
    line = chance.choice(_lesson(chance.randrange(_LESSONS)))
    if chance.random() < 0.1:
        return damaged(line.encode(), chance)
    question = json.loads(line)
    for _ in range(chance.randint(0, 4)):
        where = chance.choice(("position", "position", "orders", ""))
        _change(question.get(where) or question, chance)
    return json.dumps(question).encode()


def _change(inside: Any, chance: Random) -> None:
    """Change one entry, at any depth: another value, none, or that of a neighbour."""
    if not isinstance(inside, dict | list):
        return
    while True:
        keys = list(inside) if isinstance(inside, dict) else list(range(len(inside)))
        if not keys:
            return
        key = chance.choice(keys)
        if not isinstance(inside[key], dict | list) or chance.random() < 0.1:
            break
        inside = inside[key]
    match chance.randrange(4):
        case 0:
            inside[key] = chance.choice(_ODD)
        case 1:
            inside.pop(key)
        case 2:
            inside[key] = inside[chance.choice(keys)]
        case _:
            _twist(inside, key, chance)


def _twist(inside: Any, key: Any, chance: Random) -> None:
    """Change a value a little."""
    match inside[key]:
        case bool() as value:
            inside[key] = not value
        case int() as value:
            inside[key] = value + chance.choice((-1, 1, 100, -(10**9)))
        case str() as value:
            broken = damaged(value.encode("utf-8", "replace"), chance)
            inside[key] = broken.decode("utf-8", "replace")[:2_000]
        case list() as value:
            value += value[:3]
        case _:
            inside[key] = chance.choice(_ODD)


def make_battle(chance: Random) -> bytes:
    """Units that stand close together and have to do with each other."""
    world = CLASSIC if chance.random() < 0.6 else STANDARD
    around = STRAITS if world is CLASSIC and chance.random() < 0.3 else None
    fought = battle(chance.randint, world, chance.choice((9, 14, 20, 40)), around)
    preset, off = ("judge", {"money": False, "dice": False}), ("diplomacy", {})
    name, chosen = preset if world is CLASSIC else off
    rules = {"preset": name, "set": chosen}
    return json.dumps(_question(world, rules, fought.state, fought.orders)).encode()


def flaws_of_answer(raw: bytes) -> Iterator[str]:
    """The answer can be written; a phase that was played keeps the rules of a game."""
    told = answer(raw, ATLAS, SPOKEN)
    write_answer(told)
    if isinstance(told, AnsweredLine):
        task, played = told.task, told.played
        phase = Phase(task.world, task.state, task.dice, played)
        yield from (flaw for look in _LOOKS for flaw in look(phase))


def flaws_of_battle(raw: bytes) -> Iterator[str]:
    """The same, and every battle can be played."""
    told = answer(raw, ATLAS, SPOKEN)
    if not isinstance(told, AnsweredLine):
        yield f"a battle was refused: {told}"
        return
    yield from flaws_of_answer(raw)


POSITIONS = Target("positions", 15, make_position, lambda raw: [*flaws_of_answer(raw)])
"""The position reader."""
BATTLES = Target("battles", 8, make_battle, lambda raw: [*flaws_of_battle(raw)])
"""The solver."""
