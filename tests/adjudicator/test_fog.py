"""Which units the fog of war hides, and which orders it lets through (area FOG)."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from machjudge.adjudicator.legality import order_as_meant
from machjudge.adjudicator.moments import read_moment
from machjudge.adjudicator.names import AUTONOMOUS, NO_COAST, Coast, PlaceId, PowerId
from machjudge.adjudicator.options import preset, with_option
from machjudge.adjudicator.orders import (
    Advance,
    Convert,
    Expense,
    Hold,
    Named,
    Order,
    Purpose,
    Support,
)
from machjudge.adjudicator.reasons import Flaw, Objection
from machjudge.adjudicator.state import State, View
from machjudge.adjudicator.units import ARMY, FLEET, GARRISON, Kind, Unit
from machjudge.adjudicator.world import World, world_of
from machjudge.adjudicator.year.forecast import RemarkKind, forecast
from machjudge.adjudicator.year.steps import is_time_of_fog, units_in_contact
from tests.adjudicator.numbers import AREAS
from tests.strategies import ATLAS

FLORENCE, PAPACY, NAPLES = PowerId("L"), PowerId("P"), PowerId("N")
KINDS = {kind.value: kind for kind in Kind}
_SCENARIO = ATLAS.scenario("1454")
assert _SCENARIO is not None
WORLD = world_of(_SCENARIO, preset("judge"))
POOR = world_of(_SCENARIO, with_option(preset("judge"), "money", False))


def at(*units: str, when: str = "S1455M", **more: object) -> State:
    """A position of units such as ``N F nap`` on land that nobody owns."""
    moment = read_moment(when)
    assert moment is not None
    made = [_unit(*text.split()) for text in units]
    state = State(
        moment,
        field={unit.place: unit for unit in made if not unit.is_garrison},
        garrisons={unit.place: unit for unit in made if unit.is_garrison},
    )
    return replace(state, **more)  # type: ignore[arg-type]


def _unit(owner: str, kind: str, place: str, coast: str = NO_COAST) -> Unit:
    return Unit(PowerId(owner), KINDS[kind], PlaceId(place), Coast(coast))


def shown(state: State, world: World = WORLD) -> list[str]:
    """The units that everybody learns of."""
    units = units_in_contact(world, state)
    return sorted(f"{unit.owner} {unit.kind.value} {unit.place}" for unit in units)


@pytest.mark.parametrize(
    ("when", "is_time"),
    [
        ("S1454M", False),
        ("F1454B", False),
        ("S1455M", True),
        ("S1455R", False),
        ("U1455M", False),
        ("F1455M", False),
        ("S1456M", True),
    ],
)
def test_fog_01_it_lies_from_an_adjustment_to_the_next_campaign(when: str, is_time: bool) -> None:
    """Not before the first campaign of the game, and lifts with that campaign's results."""
    assert is_time_of_fog(WORLD, at(when=when)) is is_time


def test_fog_02_units_that_may_meet_are_shown() -> None:
    """Two steps apart they may enter one place; three apart they cannot."""
    assert shown(at("L A flo", "P A per")) == ["L A flo", "P A per"]
    assert shown(at("L A flo", "P A rme")) == []
    assert shown(at("L A flo", "L A per")) == []


def test_fog_02_a_move_is_one_over_land_or_coast_and_no_convoy() -> None:
    """The fleet could carry the army to the enemy: that does not show the army."""
    assert shown(at("N F ion", "N A mes", "T A alb")) == ["N F ion", "T A alb"]


def test_fog_02_powers_of_one_player_are_no_enemies() -> None:
    """Nor is their land another's."""
    together = {"sides": ((FLORENCE, PAPACY),)}
    land = {"provinces": {PlaceId("per"): PAPACY}}

    assert shown(at("L A flo", "P A per", **together)) == []
    assert shown(at("L A are", **land)) == ["L A are"]
    assert shown(at("L A are", **land, **together)) == []


def test_fog_03_a_unit_that_may_take_what_another_has_is_shown() -> None:
    """A province or a city, of a power: not what is nobody's, or an autonomous city's."""
    per = PlaceId("per")
    assert shown(at("L A are", provinces={per: PAPACY})) == ["L A are"]
    assert shown(at("L A are", cities={per: PAPACY})) == ["L A are"]
    assert shown(at("L A are", provinces={per: AUTONOMOUS})) == []
    assert shown(at("L A are", provinces={per: FLORENCE})) == []
    assert shown(at("L A are")) == []


def test_fog_04_a_garrison_is_shown_where_somebody_may_come_to_its_province() -> None:
    """It takes no land; what it may do is come out."""
    per = PlaceId("per")
    assert shown(at("P G per", "L A are")) == ["L A are", "P G per"]
    assert shown(at("P G per", "L A flo")) == []
    assert shown(at("P G per", provinces={per: FLORENCE})) == []


def test_fog_04_autonomous_units_are_known_to_all_and_count_for_nobody() -> None:
    """They plan nothing."""
    assert shown(at("& G sie", "L A flo")) == ["& G sie"]


# --- orders ----------------------------------------------------------------------------------


def view(*units: str, in_fog: bool = True) -> View:
    """A position in the fog as Florence sees it, with ducats."""
    return View.of(at(*units, treasuries={FLORENCE: 40}), in_fog=in_fog)


UNSEEN = Objection(Flaw.UNSEEN, "FOG-08", PlaceId("nap"))


@pytest.mark.parametrize(
    ("order", "read"),
    [
        (Hold(Named(ARMY, PlaceId("nap"))), Hold(Named(ARMY, PlaceId("nap")))),
        (
            Advance(Named(FLEET, PlaceId("nap")), PlaceId("gon")),
            Advance(Named(FLEET, PlaceId("nap")), PlaceId("gon")),
        ),
        (
            Convert(Named(GARRISON, PlaceId("nap")), ARMY),
            Convert(Named(GARRISON, PlaceId("nap")), ARMY),
        ),
        (Hold(Named(None, PlaceId("nap"))), UNSEEN),
        (Hold(Named(ARMY, PlaceId("gon"))), replace(UNSEEN, place=PlaceId("gon"))),
        (
            Hold(Named(FLEET, PlaceId("cro"))),
            Objection(Flaw.COAST_NEEDED, "MOV-06", PlaceId("cro"), (Coast("nc"), Coast("sc"))),
        ),
        (
            Hold(Named(FLEET, PlaceId("cro"), Coast("sc"))),
            Hold(Named(FLEET, PlaceId("cro"), Coast("sc"))),
        ),
    ],
)
def test_fog_08_an_order_for_a_unit_that_may_stand_unseen_is_taken(
    order: Order, read: object
) -> None:
    """If it names a type that could stand there, for it might be bought."""
    assert order_as_meant(WORLD, view("L A flo"), FLORENCE, order) == read


def test_fog_08_without_money_nobody_orders_what_they_do_not_see() -> None:
    """And without fog it is known that nobody is there."""
    order = Hold(Named(ARMY, PlaceId("nap")))
    plain = view("L A flo", in_fog=False)

    assert order_as_meant(POOR, view("L A flo"), FLORENCE, order) == UNSEEN
    assert order_as_meant(WORLD, plain, FLORENCE, order) == replace(
        UNSEEN, flaw=Flaw.NO_UNIT, rule="SYN-10"
    )


def test_fog_08_a_support_keeps_open_what_type_of_unit_it_is_for() -> None:
    """The type is filled in when the campaign is played."""
    order = Support(Named(ARMY, PlaceId("flo")), Named(None, PlaceId("per")), PlaceId("are"))

    assert order_as_meant(WORLD, view("L A flo"), FLORENCE, order) == order
    seen = order_as_meant(WORLD, view("L A flo", "P A per"), FLORENCE, order)
    assert seen == replace(order, supported=Named(ARMY, PlaceId("per")))


@pytest.mark.parametrize(
    ("in_fog", "kind"), [(True, RemarkKind.NONE_SEEN), (False, RemarkKind.WILL_FAIL)]
)
def test_fog_08_a_bribe_for_somebody_unseen_is_not_said_to_fail(
    in_fog: bool, kind: RemarkKind
) -> None:
    """It is said that nobody is seen there."""
    state = view("L A flo", in_fog=in_fog)
    bribe = Expense(1, Purpose.DISBAND, 12, unit=Named(ARMY, PlaceId("sie")))
    remarks = forecast(WORLD, state, FLORENCE, [bribe]).remarks

    assert [remark.kind for remark in remarks] == [kind]


@pytest.mark.parametrize(("in_fog", "kinds"), [(True, []), (False, [RemarkKind.NOT_THERE])])
def test_fog_08_a_support_of_somebody_unseen_may_help(
    in_fog: bool, kinds: list[RemarkKind]
) -> None:
    """Nothing is said of it."""
    state = view("L A flo", in_fog=in_fog)
    order = Support(Named(ARMY, PlaceId("flo")), Named(ARMY, PlaceId("sie")))
    remarks = forecast(WORLD, state, FLORENCE, [order]).remarks

    assert [remark.kind for remark in remarks] == kinds


def test_every_rule_of_the_fog_has_a_test() -> None:
    """Here, or where the messages are."""
    here = Path(__file__)
    other = here.parents[1] / "judge" / "phases" / "test_fog.py"
    texts = here.read_text(encoding="utf-8") + other.read_text(encoding="utf-8")
    found = {int(number) for number in re.findall(r"def test_fog_(\d\d)_", texts)}

    assert found == set(AREAS["FOG"])
