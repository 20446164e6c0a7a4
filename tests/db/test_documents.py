"""Positions, rules and orders on file survive as JSON, also across versions."""

import json
from dataclasses import replace
from enum import Enum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.options import JUDGE, OPTIONS, with_option
from machjudge.adjudicator.state import State
from machjudge.db.rows import (
    BrokenDocument,
    read_lines,
    read_phase,
    read_rules,
    read_settings,
    write_lines,
    write_phase,
    write_rules,
    write_settings,
)
from machjudge.judge.game_settings import (
    SERVICE_OPTION_FIELDS,
    GameSettings,
    PhaseTiming,
    Policy,
    Ratings,
)
from tests.db.examples import LINE, PHASE, STATE, WRITTEN_BY_US
from tests.rule_values import option_value

POWERS = st.sampled_from([PowerId(letter) for letter in "VFMNAPTI"])
PLACES = st.sampled_from([PlaceId(name) for name in ("pad", "mil", "flo", "nap", "es")])
OWNERS = st.dictionaries(PLACES, POWERS)
REBELS = st.dictionaries(PLACES, st.none() | POWERS)


@st.composite
def states(draw: st.DrawFn) -> State:
    """Positions that differ from the example in what a mapping or set can hold."""
    return State(
        moment=STATE.moment,
        field=STATE.field,
        provinces=draw(OWNERS),
        cities=draw(OWNERS),
        homes=draw(OWNERS),
        sieges=draw(st.frozensets(PLACES)),
        famine=draw(st.frozensets(PLACES)),
        province_rebellions=draw(REBELS),
        city_rebellions=draw(REBELS),
        treasuries=draw(st.dictionaries(POWERS, st.integers(0, 10**6))),
        chits=draw(st.dictionaries(POWERS, st.lists(POWERS).map(tuple))),
        eliminated=draw(st.frozensets(POWERS)),
    )


def through_json(value):
    """What a database makes of it."""
    return json.loads(json.dumps(value))


@given(before=states())
def test_a_position_comes_back_equal(before) -> None:
    """Reading is the inverse of writing."""
    phase = replace(PHASE, before=before)
    stored = through_json(write_phase(phase))

    assert replace(PHASE, **read_phase(stored, "phase 0")) == phase


def test_the_same_phase_is_written_the_same() -> None:
    """Whatever the order in which its mappings were filled."""
    turned = State(
        moment=STATE.moment,
        provinces=dict(reversed(STATE.provinces.items())),
        treasuries=dict(reversed(STATE.treasuries.items())),
    )
    plain = State(moment=STATE.moment, provinces=STATE.provinces, treasuries=STATE.treasuries)

    turned, plain = (write_phase(replace(PHASE, before=each)) for each in (turned, plain))

    assert json.dumps(turned) == json.dumps(plain)


@pytest.mark.parametrize("name", sorted(OPTIONS))
def test_every_rule_comes_back(name) -> None:
    """Whatever an option is set to, the stored rules say so."""
    value = option_value(JUDGE, name)
    other = with_option(JUDGE, name, not value) if isinstance(value, bool) else JUDGE

    assert read_rules(through_json(write_rules(other)), "rules") == other


@pytest.mark.parametrize(
    ("written", "read", "without"),
    [
        (write_rules(JUDGE), read_rules, "siege"),
        (write_settings(GameSettings()), read_settings, "warn_hours"),
        (
            write_settings(GameSettings())["moves"],
            lambda moves, name: read_settings(
                write_settings(GameSettings()) | {"moves": moves}, name
            ),
            "grace_hours",
        ),
    ],
)
def test_a_document_without_one_of_its_fields_is_damaged(written, read, without) -> None:
    """Every field is always written: none has a default that would hide a loss."""
    stored = through_json(written)
    del stored[without]

    with pytest.raises(BrokenDocument, match=without):
        read(stored, "it")


def test_a_conduct_from_before_an_option_is_the_usual_one() -> None:
    """What every version had must be there."""
    written = write_settings(GameSettings(ratings=Ratings.HOF, auto_victory=True, dias=True))
    for younger in ("ratings", "auto_victory"):
        del written[younger]

    assert read_settings(through_json(written), "settings") == GameSettings(dias=True)


def test_conduct_comes_back_equal() -> None:
    """Every field."""
    moves = PhaseTiming(1410, 12, 167, 30, "-MTWTF-")
    times = GameSettings(
        1, 2, 3, 4, moves, zone="Europe/Rome", policy=Policy.HOLD, warn_hours=(24, 8)
    )
    settings = replace(times, manual=True, late_hours=6, listed=False)

    assert read_settings(through_json(write_settings(settings)), "settings") == settings


@pytest.mark.parametrize("option", SERVICE_OPTION_FIELDS.values(), ids=SERVICE_OPTION_FIELDS)
def test_each_value_of_an_option_comes_back(option) -> None:
    """Also those of an enumeration that is younger than this module."""
    usual = getattr(GameSettings(), option.field)
    values = {Enum: lambda: [*type(usual)], bool: lambda: [True, False]}
    kind = next((each for each in values if isinstance(usual, each)), None)
    for value in [usual] if kind is None else values[kind]():
        settings = replace(GameSettings(), **{option.field: value})

        assert read_settings(through_json(write_settings(settings)), "settings") == settings


def test_lines_come_back_equal() -> None:
    """Those of players and those that the judge wrote."""
    lines = (LINE, WRITTEN_BY_US)

    assert read_lines(through_json(write_lines(lines)), "sheet") == lines


@pytest.mark.parametrize(
    ("change", "names"),
    [
        ({"version": 2}, "version"),
        ({"version": 2, "weather": "fine"}, "version"),
        ({"weather": "fine"}, "weather"),
        ({"before": {}}, "before.moment"),
        ({"events": [{"kind": "sung"}]}, r"events\[0\].kind"),
    ],
)
def test_a_document_that_cannot_be_read_says_where(change, names) -> None:
    """One of a newer version, or one that somebody has damaged, is a fault of ours."""
    stored = through_json(write_phase(PHASE)) | change

    with pytest.raises(BrokenDocument, match=f"phase 7 of borgia.*{names}"):
        read_phase(stored, "phase 7 of borgia")


def test_a_line_with_a_broken_instant_says_where() -> None:
    """The instant of receipt decides about lateness: it is not guessed."""
    stored = through_json(write_lines((LINE,)))
    stored[0]["received"] = "yesterday"

    with pytest.raises(BrokenDocument, match=r"\[0\].received"):
        read_lines(stored, "sheet")
