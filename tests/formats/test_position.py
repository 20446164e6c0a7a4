"""Positions: what is absent, what comes back, and every fault with its place."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from machjudge.adjudicator.moments import Campaign, Moment, Season, Stage
from machjudge.adjudicator.options import PRESETS
from machjudge.adjudicator.rules import Rules
from machjudge.adjudicator.state import State
from machjudge.formats.position import (
    FIELDS,
    WHOLE_POSITION,
    WHOLE_RULES,
    position_of,
    read_position,
)
from machjudge.formats.values import Unfit
from tests.cases import cases
from tests.formats.questions import world
from tests.replays.judge import ATLAS

CASES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))

MONEY = {"preset": "judge", "set": {"forts": True}}
BARE = {"phase": "S1454M"}


def read(fields: dict[str, Any], rules: dict[str, Any] = MONEY) -> Any:
    """The position of 1454 with these fields."""
    return read_position(BARE | fields, world(rules=rules))


def written(fields: dict[str, Any], rules: dict[str, Any] = MONEY) -> dict[str, Any]:
    """The same position as the format writes it."""
    return position_of(read(fields, rules), world(rules=rules))


def test_absent_owners_are_as_the_scenario_starts() -> None:
    """Provinces, cities and home countries come from the scenario, each for itself."""
    found = written({"provinces": {"pad": "I"}})

    assert found["provinces"] == {"pad": "I"}
    assert found["cities"]["flo"] == "L"
    assert found["homes"]["mil"] == "I"


def test_empty_owners_are_nobody() -> None:
    """A field that is there and empty is not absent."""
    found = written({"provinces": {}, "cities": {}, "homes": {}})

    assert (found["provinces"], found["cities"], found["homes"]) == ({}, {}, {})


def test_everything_else_is_empty_when_absent() -> None:
    """Every field is written, and those that nothing was said of are empty or 0."""
    found = written({})

    assert set(FIELDS) == set(found)
    assert found["treasury"] == dict.fromkeys("AFILNPTV", 0)
    for field in set(FIELDS) - {"phase", "provinces", "cities", "homes", "treasury"}:
        assert not found[field], field


def test_without_money_there_are_no_treasuries() -> None:
    """A game without money has none to fill."""
    assert written({}, {"preset": "judge_basic"})["treasury"] == {}


def test_lists_are_sorted() -> None:
    """However they came in."""
    found = written(
        {
            "units": ["V A ver", "L A hun", "V A pad em", "& G gen", "I A flo"],
            "famine": ["ver", "bar"],
            "sieges": ["pad", "flo"],
            "eliminated": ["T", "A"],
            "loans": [
                {"power": "V", "principal": 1, "interest": 0, "due": "S1455"},
                {"power": "L", "principal": 2, "interest": 1, "due": "F1455"},
            ],
            "chits": {"V": "TFA"},
        }
    )

    assert found["units"] == ["& G gen", "I A flo", "L A hun", "V A pad em", "V A ver"]
    assert found["famine"] == ["bar", "ver"]
    assert found["sieges"] == ["flo", "pad"]
    assert found["eliminated"] == ["A", "T"]
    assert [loan["power"] for loan in found["loans"]] == ["L", "V"]
    assert found["chits"] == {"V": "AFT"}


def test_the_age_of_units_is_kept() -> None:
    """`since` says when a unit was built, dislodged ones included; others are from the set-up."""
    fields = {
        "phase": "S1460R",
        "units": ["V A ver", "V G pad"],
        "dislodged": [{"unit": "I A mil", "retreats": ["pav"]}],
        "since": {"V G pad": "F1455", "I A mil": "F1457"},
    }

    assert read(fields).garrisons["pad"].since.code == "F1455"
    assert written(fields)["since"] == {"I A mil": "F1457", "V G pad": "F1455"}


def test_rebels_are_against_the_power_that_controls_the_province() -> None:
    """A list says so; nobody's province has rebels against nobody."""
    fields = {
        "provinces": {"pad": "V"},
        "rebellion": ["pad", "mil", "flo"],
        "city_rebellion": ["pad"],
        "eliminated": ["I"],
    }
    state = read(fields)

    assert state.province_rebellions == {"pad": "V", "mil": None, "flo": None}
    assert state.city_rebellions == {"pad": "V"}
    assert written(fields)["rebellion"] == ["flo", "mil", "pad"]


def test_land_that_is_not_written_is_not_left_to_the_eliminated() -> None:
    """As the scenario starts, but for what Milan would have (ELI-02)."""
    state = read({"eliminated": ["I"]})

    for owners in (state.provinces, state.cities, state.homes):
        assert "V" in owners.values()
        assert "I" not in owners.values()


def test_rebels_against_another_make_an_object() -> None:
    """As soon as one of them is not against the controller, all targets are written."""
    fields = {"provinces": {"pad": "V"}, "rebellion": {"pad": "I", "flo": None}}

    assert written(fields)["rebellion"] == {"flo": None, "pad": "I"}


def test_dislodged_units_name_every_way_out() -> None:
    """Retreats with coasts, and whether the city is open; false when nothing is said."""
    fields = {
        "phase": "S1460R",
        "dislodged": [
            {"unit": "V F lag", "retreats": ["uas", "fri", "ven"], "convert": False},
            {"unit": "I F avi", "retreats": ["wgl", "pro/nc"]},
            {"unit": "I A mil", "convert": True},
        ],
    }

    assert written(fields)["dislodged"] == [
        {"unit": "I A mil", "retreats": [], "convert": True},
        {"unit": "I F avi", "retreats": ["pro/nc", "wgl"], "convert": False},
        {"unit": "V F lag", "retreats": ["fri", "uas", "ven"], "convert": False},
    ]


@pytest.mark.parametrize(
    ("fields", "where", "says"),
    [
        *CASES["a_fault_is_named_with_its_place"],
        ({"treasury": {"V": 10**40}}, "treasury.V", "a huge number stands where"),
    ],
)
def test_a_fault_is_named_with_its_place(fields: dict[str, Any], where: str, says: str) -> None:
    """The path leads to the fault, and the text says what is wrong."""
    with pytest.raises(Unfit) as unfit:
        read(fields)

    assert unfit.value.where == where
    assert says in unfit.value.says


def test_garrisons_need_a_fortress_in_use() -> None:
    """Where fortresses are not in use, nobody stands in one."""
    read({"units": ["V G ber"]})

    with pytest.raises(Unfit, match="no garrison can stand in ber"):
        read({"units": ["V G ber"]}, {"preset": "judge", "set": {"forts": False}})


@cases
def test_a_fault_of_a_dislodged_unit_is_named(
    waiting: dict[str, Any], where: str, says: str
) -> None:
    """Down to the field of the one that waits."""
    with pytest.raises(Unfit) as unfit:
        read({"phase": "S1454R", "dislodged": [waiting]})

    assert unfit.value.where == where
    assert says in unfit.value.says


def _places() -> tuple[list[str], list[str]]:
    found = ATLAS.scenario("1454")
    assert found is not None
    places = found.board.places.values()
    return (
        sorted(place.id for place in places if not place.is_sea),
        sorted(place.id for place in places if place.city is not None),
    )


PROVINCES, CITIES = _places()
POWERS = st.sampled_from("AFILNPTV")
OWNERS = st.dictionaries(st.sampled_from(PROVINCES), POWERS, max_size=8)


POSITIONS = st.fixed_dictionaries(
    {},
    optional={
        "units": st.sets(st.sampled_from(CITIES), max_size=6).flatmap(
            lambda cities: st.tuples(
                *(POWERS.map(lambda power, city=city: f"{power} A {city}") for city in cities)
            ).map(list)
        ),
        "provinces": OWNERS,
        "homes": OWNERS,
        "cities": st.dictionaries(st.sampled_from(CITIES), POWERS, max_size=8),
        "famine": st.lists(st.sampled_from(PROVINCES), unique=True),
        "rebellion": st.lists(st.sampled_from(PROVINCES), unique=True)
        | st.dictionaries(st.sampled_from(PROVINCES), st.none() | POWERS, max_size=5),
        "sieges": st.lists(st.sampled_from(CITIES), unique=True, max_size=4),
        "treasury": st.dictionaries(POWERS, st.integers(0, 99)),
        "chits": st.dictionaries(POWERS, st.text("AFILNPTV", max_size=4)),
        "eliminated": st.lists(POWERS, unique=True, max_size=3),
        "defaulted": st.lists(POWERS, unique=True, max_size=3),
    },
)


def _refusals(fields: dict[str, Any]) -> list[str]:
    """Where a position is refused."""
    try:
        read(fields)
    except Unfit as unfit:
        return [unfit.where]
    return []


@given(POSITIONS)
def test_what_is_written_reads_as_the_same_position(fields: dict[str, Any]) -> None:
    """Writing is the inverse of reading, once all that no game could lead to is taken out."""
    while refused := _refusals(fields):
        del fields[refused[0].partition("[")[0].partition(".")[0]]
    state = read(fields)

    again = read_position(json.loads(json.dumps(written(fields))), world(rules=MONEY))

    assert state == again


# Positions and rules that are complete by themselves, and those of earlier versions.


STATE = State(Moment(Campaign(1454, Season.SPRING), Stage.CAMPAIGN))


def position(**changed: Any) -> dict[str, Any]:
    """The document of an empty position, with fields changed."""
    written = WHOLE_POSITION.write(STATE)
    assert isinstance(written, dict)
    return {**written, **changed}


@pytest.mark.parametrize("name", PRESETS)
def test_rules_come_back_whole(name: str) -> None:
    """Every option of every named set."""
    assert WHOLE_RULES.read(WHOLE_RULES.write(PRESETS[name])) == PRESETS[name]


def test_an_option_that_is_younger_than_a_game_plays_as_usual() -> None:
    """A game goes on by the rules with which it began."""
    written: Any = WHOLE_RULES.write(Rules())
    del written["control"]["conquest"]

    assert WHOLE_RULES.read(written) == Rules()


def test_a_group_of_options_is_never_absent() -> None:
    """What lacks so much was not written by a judge."""
    written: Any = WHOLE_RULES.write(Rules())
    del written["control"]

    with pytest.raises(Unfit):
        WHOLE_RULES.read(written)


def test_a_position_of_an_earlier_version_has_nobody_waiting_to_conquer() -> None:
    """The field is younger than such positions."""
    written = position()
    del written["home_holders"]

    assert WHOLE_POSITION.read(written) == STATE


def test_any_other_field_of_a_position_must_be_there() -> None:
    """Half a position is none."""
    written = position()
    del written["treasuries"]

    with pytest.raises(Unfit):
        WHOLE_POSITION.read(written)
