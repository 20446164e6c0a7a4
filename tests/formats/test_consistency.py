"""Positions that no game could have led to are refused, each with the path to what is wrong."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from machjudge.adjudicator.consistency import inconsistencies
from machjudge.formats.position import position_of, read_position
from machjudge.formats.values import Unfit
from tests.cases import cases
from tests.formats.questions import error, position, world

JUDGE = {"preset": "judge", "set": {"forts": True}}
BARE = {"phase": "S1455M"}
RETREATS = {"phase": "S1455R", "units": ["V A pad"]}
"""A Venetian army has driven another out of Padua."""


def read(fields: dict[str, Any], rules: dict[str, Any] = JUDGE, scenario: str = "1454") -> Any:
    """The position with these fields."""
    return read_position(BARE | fields, world(scenario, rules))


def waiting(unit: str, *retreats: str, convert: bool = False) -> list[dict[str, Any]]:
    """A unit that waits for its retreat."""
    return [{"unit": unit, "retreats": list(retreats), "convert": convert}]


def loan(**fields: Any) -> list[dict[str, Any]]:
    """What Venice owes the bank."""
    return [{"power": "V", "principal": 10, "interest": 2, "due": "S1456"} | fields]


@cases
def test_what_no_game_leads_to_is_refused(fields: dict[str, Any], where: str, says: str) -> None:
    """The path leads to it, and the text says what is wrong."""
    with pytest.raises(Unfit) as unfit:
        read(fields)

    assert unfit.value.where == where
    assert says in unfit.value.says


@cases
def test_retreats_lead_where_a_unit_could_go(
    dislodged: list[dict[str, Any]], where: str, says: str
) -> None:
    """Across a border of its own kind, into the city only as a last resort and if it is open."""
    with pytest.raises(Unfit) as unfit:
        read(RETREATS | {"dislodged": dislodged})

    assert unfit.value.where == f"dislodged{where}"
    assert says in unfit.value.says


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({"units": ["N A pad"]}, "units[0]"),
        ({"loans": loan(power="N")}, "loans[0]"),
        ({"rebellion": {"mil": "N"}}, "rebellion.mil"),
        ({"eliminated": ["N"]}, "eliminated[0]"),
    ],
)
def test_who_is_not_played_has_nothing(fields: dict[str, Any], where: str) -> None:
    """A power that can only be conquered has no units, debts, rebels or end (ELI-01)."""
    with pytest.raises(Unfit, match="nobody plays N") as unfit:
        read(fields, scenario="mach_span")

    assert unfit.value.where == where


def test_map_30_nobody_rebels_in_a_neutral_country() -> None:
    """It belongs to no power."""
    with pytest.raises(Unfit, match="nobody rebels in tyr"):
        read({"phase": "S1386M", "rebellion": ["tyr"]}, scenario="1385")


def test_nothing_is_due_in_a_summer_that_is_not_played() -> None:
    """The bank counts the campaigns of the game (BNK-03)."""
    short = {"preset": "judge", "set": {"summer": False}}
    with pytest.raises(Unfit, match="this game has no Summer"):
        read({"loans": loan(due="U1456")}, short)


@cases
def test_nobody_retreats_into_a_city_that_is_taken_or_rebels(more: dict[str, Any]) -> None:
    """A garrison stands there, or rebels against the unit's owner hold it (MOV-42, MOV-44)."""
    into_the_city = RETREATS | {"dislodged": waiting("I A pad", convert=True)}
    read(into_the_city)

    with pytest.raises(Unfit) as unfit:
        read(into_the_city | more)

    assert unfit.value.where == "dislodged[0].convert"


def test_rebels_against_another_leave_the_city_open() -> None:
    """Only its target is kept out (REB-08)."""
    fields = RETREATS | {"dislodged": waiting("I A pad", convert=True)}

    assert read(fields | {"city_rebellion": {"pad": "V"}}).dislodged[0].convert


@cases
def test_a_phase_that_the_rules_skip_is_refused(
    phase: str, rules: dict[str, Any], says: str
) -> None:
    """Nobody ever writes orders for it."""
    where, told = error(position(phase=phase) | {"rules": rules})

    assert where == "position.phase"
    assert says in told


def test_the_year_before_opens_games_with_an_adjustment() -> None:
    """Those with money begin in the winter before their first Spring (INC-16)."""
    assert read({"phase": "F1453B"}).moment.code == "F1453B"


@cases
def test_what_another_judge_leaves_behind_is_let_pass(leavings: dict[str, Any]) -> None:
    """In a position that says who owns what: a siege without a besieger lapses, and so on."""
    in_game = {"provinces": {"pad": "I"}, "cities": {"pad": "I"}}

    assert read(in_game | leavings)


def test_a_chit_given_to_its_own_victim_is_there() -> None:
    """Nobody can use it any more; the position after such a gift is one that is read."""
    before = read({"provinces": {}, "cities": {}, "chits": {"F": "V", "V": "V"}})

    assert before.chits == {"F": ("V",), "V": ("V",)}


PLACES = st.sampled_from(["pad", "ven", "mil", "hun", "lag", "per", "flo"])
UNITS = st.sets(st.tuples(st.sampled_from("VI&"), st.sampled_from("AFG"), PLACES), max_size=4)
SMALL = st.fixed_dictionaries(
    {
        "units": UNITS.map(lambda units: [" ".join(unit) for unit in units]),
        "sieges": st.lists(PLACES, max_size=2),
        "city_rebellion": st.lists(PLACES, max_size=2),
        "eliminated": st.lists(st.sampled_from("VIT"), max_size=1),
    }
)


@given(SMALL)
def test_a_position_is_refused_in_one_of_its_fields_or_read_and_written(
    fields: dict[str, Any],
) -> None:
    """Whatever is in it."""
    refused = ""
    try:
        state = read(fields)
    except Unfit as unfit:
        refused = unfit.where

    if refused:
        assert refused.partition("[")[0] in fields
    else:
        here = world(rules=JUDGE)
        written = json.loads(json.dumps(position_of(state, here)))
        assert not [found for found in inconsistencies(here, state) if not found.harmless]
        assert read_position(written, here) == state
