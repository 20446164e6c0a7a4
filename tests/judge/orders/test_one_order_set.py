"""One order set gives one result: by mail, to `adjudicate`, and from what is exported.

Position, lines and dice are all that counts; a refused line leaves the earlier one (SYN-10).
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from machjudge.adjudicator.options import OPTIONS, PRESETS, departures, written
from machjudge.formats.adjudicate import answer, document_of
from machjudge.formats.position import position_of
from machjudge.judge.archive import checks, chronicle_of, scenario_of
from machjudge.judge.process import process
from machjudge.judge.records import GameId
from tests.judge.house import House
from tests.judge.year import order
from tests.replays.judge import ATLAS, SPOKEN

OrderSets = Mapping[str, Sequence[str]]

MACHIAVELLI: OrderSets = {
    "L": (
        "Florence: Army Arezzo -> Siena.",
        "A are - bol",
        "A are - mil",
        "A flo s A are - bol",
        "A flo S A are-are",
        "A flo - pst; F psa h",
        "F psa - wts",
        "F psa - adr",
        "F psa c g, A flo h",
        "hold all except A flo",
        "hold rest",
        "A(flo) - pst",
        "A flo frobnicates",
    ),
    "P": (
        "A bol h",
        "A bol - flo",
        "A per s A bol - flo",
        "A per - are",
        "Papacy: A rme - per",
        "A bol - swi",
        "F anc - uas",
        "hold all",
    ),
}
ADJUSTMENT: OrderSets = {
    "L": (
        "maintain all",
        "A are remove",
        "Florence: maintain A flo, F psa",
        "maintain all except A are",
        "build G flo",
        "build A flo",
        "remove F psa",
        "maintain A bol",
    ),
    **dict.fromkeys("IVPNTAF", ("maintain all",)),
}
DIPLOMACY: OrderSets = {
    "T": (
        "A con - bul",
        "A con - sev via convoy",
        "A con - nap",
        "Turkey: F ank - bla",
        "F ank C A con - sev",
        "A smy s A con",
        "A smy S A con - con",
        "A smy - arm",
        "hold rest",
    ),
    "F": (
        "A par - bur",
        "A par - ber",
        "A mar s A par - bur",
        "A mar S A bel",
        "F bre - eng, hold rest",
        "F bre - pic",
        "A par h",
    ),
}


def order_sets_of(lines: OrderSets) -> st.SearchStrategy[OrderSets]:
    """Order sets of some of the lines, in any order."""
    return st.fixed_dictionaries(
        {
            power: st.lists(st.sampled_from(own), min_size=1, max_size=5, unique=True)
            for power, own in lines.items()
        }
    )


def rules_of(house: House) -> dict[str, Any]:
    """The rules of the game as the format of `adjudicate` has them."""
    rules = house.game().rules
    own = departures(rules, PRESETS["judge"])
    return {"preset": "judge", "set": {name: written(OPTIONS[name].of(rules)) for name in own}}


def adjudicated(house: House, position: Any, order_sets: OrderSets) -> dict[str, Any]:
    """What `adjudicate` answers, through JSON on both sides."""
    view = house.view()
    question = {
        "board": view.world.board.id,
        "scenario": view.world.scenario.id,
        "rules": rules_of(house),
        "position": position,
        "orders": dict(order_sets),
        "dice": {"secret": view.game.key.hex()},
    }
    told = document_of(answer(json.dumps(question).encode(), ATLAS, SPOKEN))
    assert "error" not in told, told["error"]
    return json.loads(json.dumps(told))


def position_in(house: House) -> Any:
    """The position of the game, through JSON."""
    view = house.view()
    return json.loads(json.dumps(position_of(view.state, view.world)))


def processed(house: House) -> None:
    """Play the phase with what is on file; who is silent orders nothing."""
    view = house.view()
    with house.store.writing() as uow:
        changes, _ = process(house.services, uow, view, house.now)
        changes.write(uow)
        uow.commit()


def phase_by_mail(house: House, order_sets: OrderSets) -> OrderSets:
    """Send the order sets as mails, and play the phase, at its deadline if somebody is waited for.

    Gives the orders that were on file, in canonical text.
    """
    phase = house.view().phase.number
    for power, lines in order_sets.items():
        order(house, power, *lines)
    if house.view().phase.number == phase:
        processed(house)
    played = house.view().phase.orders
    return {power: [line.canonical for line in lines] for power, lines in played.items()}


def ways_out(position: Any) -> OrderSets:
    """For each dislodged unit a line that no unit can carry out, behind one that it can."""
    order_sets: dict[str, list[str]] = {}
    for waiting in position["dislodged"]:
        power, kind, place = waiting["unit"].split()[:3]
        unit = f"{kind} {place.partition('/')[0]}"
        first = [f"{unit} - {to}" for to in waiting["retreats"][:1]] or [f"{unit} disband"]
        order_sets.setdefault(power, []).extend([*first, f"{unit} - {place.partition('/')[0]}"])
    return order_sets


@pytest.mark.parametrize(
    ("scenario", "options", "lines"),
    [
        ("1454", ("nomoney", "nodice"), MACHIAVELLI),
        ("1454", ("nodice",), ADJUSTMENT),
        ("standard", ("preset", "diplomacy"), DIPLOMACY),
    ],
    ids=["campaign", "adjustment", "diplomacy"],
)
@settings(max_examples=12, deadline=None)
@given(data=st.data())
def test_syn_10_one_order_set_gives_one_result(
    scenario: str, options: Sequence[str], lines: OrderSets, data: st.DataObject
) -> None:
    """Also in the retreats that follow, rebuilt from the JSON of the position."""
    house = House()
    house.start(scenario, options)
    order_sets = data.draw(order_sets_of(lines))
    for _ in range(2):
        position = position_in(house)
        told = adjudicated(house, position, order_sets)
        filed = phase_by_mail(house, order_sets)
        assert told["position"] == position_in(house)
        assert told["position"] == adjudicated(house, position, filed)["position"]
        order_sets = ways_out(told["position"])
        if not order_sets:
            break
    chronicle = chronicle_of(house.services, GameId("borgia"))
    assert chronicle is not None
    assert all(
        check.is_kept and check.plays_again
        for check in checks(chronicle, scenario_of(chronicle, house.services.atlas))
    )
