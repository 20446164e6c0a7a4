"""What happened in a phase, and what is ordered, on the drawn board."""

from collections import Counter
from dataclasses import replace

from machjudge.adjudicator import events as event_types
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.orders import Build, Remove
from machjudge.adjudicator.orders import Named as NamedUnit
from machjudge.adjudicator.state import View
from machjudge.adjudicator.units import Kind, Unit
from machjudge.cli.maps import whole_board
from machjudge.drawing.scene import (
    Completion,
    Deal,
    Loss,
    Move,
    NewUnit,
    Scene,
    Siege,
    scene_of_orders,
    scene_of_phase,
)
from machjudge.map_files.shapes import Shapes
from machjudge.messages.results import orders_by_unit
from tests.drawing.campaign import campaign, scene
from tests.map_files.small import parsed

SVG = "{http://www.w3.org/2000/svg}"
PER, BOL = PlaceId("per"), PlaceId("bol")


def drawn(shapes: Shapes, what: Scene) -> Counter[str]:
    """The acts of a picture: what each is, how it ended, and whose it is."""
    picture = parsed(whole_board(shapes, what, campaign().scenario))
    kinds = {"move", "retreat", "support", "convoy"}
    return Counter(
        f"{group.get('class')} {group.findtext(f'{SVG}title')}"
        for group in picture.iter(f"{SVG}g")
        if (group.get("class") or "").split(" ")[0] in kinds
    )


def test_moves_bounces_supports_and_convoys_are_drawn(shapes: Shapes) -> None:
    """Each as what it was and as it ended, once."""
    assert drawn(shapes, scene()) == {
        "move done I A pav-mon": 1,
        "move done I A mil-trt": 1,
        "move failed I A cre-man": 1,
        "move failed V A ver-man": 1,
        "move done L A flo-bol": 1,
        "support done L A mod-bol": 1,
        "support failed P A bol": 1,
        "convoy done N F gon-cap": 1,
        "move done N A mes-cap": 1,
        "move done T A alb-dur": 1,
    }


def test_a_bounced_move_has_a_cross_and_no_point(shapes: Shapes) -> None:
    """Two bounced, one support was cut: three crosses in discs."""
    picture = parsed(whole_board(shapes, scene(), campaign().scenario))
    discs = [each for each in picture.iter() if each.get("class") == "disc"]

    assert len(discs) == 3


def test_dislodged_units_sieges_and_deals_are_drawn(shapes: Shapes) -> None:
    """Bologna's army must retreat, half of Siena's siege is done, Perugia's army cost 30 ducats."""
    picture = parsed(whole_board(shapes, scene(), campaign().scenario))
    count = Counter(element.get("class") for element in picture.iter())
    texts = ["".join(text.itertext()) for text in picture.iter(f"{SVG}text")]

    assert count["unit lost"] == 2  # one of them in the legend
    assert count["siege half"] == 2
    assert texts.count("30") == 1
    assert Deal(PER, 30, PowerId("L")) in scene().acts


def test_units_that_went_leave_a_ghost(shapes: Shapes) -> None:
    """Five places were left empty, and nobody came into them."""
    picture = parsed(whole_board(shapes, scene(), campaign().scenario))

    assert Counter(e.get("class") for e in picture.iter())["unit ghost"] == 5


def test_nothing_is_drawn_without_its_event(shapes: Shapes) -> None:
    """An order alone shows nothing: what a reader may not see of a phase is not there."""
    played = campaign()
    ordered = orders_by_unit(View.of(played.before), played.orders)

    assert not drawn(shapes, scene_of_phase(played.after, (), ordered))


def test_a_unit_bought_with_hidden_ducats_shows_a_coin_without_a_number(shapes: Shapes) -> None:
    """Anyone who may not read of the expense sees that the army passed to another, not for what."""
    played = campaign()
    hidden = (event_types.ExpenseSettled, event_types.ExpensePaid)
    seen = [event for event in played.events if not isinstance(event, hidden)]
    acts = scene_of_phase(played.after, seen, {}).acts

    assert [act for act in acts if isinstance(act, Deal)] == [Deal(PER, None, PowerId("L"))]
    texts = whole_board(shapes, scene_of_phase(played.after, seen, {}), played.scenario)
    assert ">30<" not in texts


def test_retreats_losses_and_fallen_cities_are_acts() -> None:
    """The events of retreats, of sieges and of the adjustment."""
    played = campaign()
    army = Unit(PowerId("P"), Kind.ARMY, BOL)
    events = (
        event_types.Retreated(army, PlaceId("rma"), played.after.dislodged[0].unit.coast),
        event_types.SiegeCompleted(replace(army, place=PlaceId("sie"))),
        event_types.UnitBuilt(army, 3),
    )
    acts = scene_of_phase(played.after, events, {}).acts

    assert acts == (
        Move(army, PlaceId("rma"), Completion.DONE, retreats=True),
        Siege(PlaceId("sie"), Completion.DONE),
        NewUnit(army, Completion.DONE),
    )


def test_orders_are_drawn_before_they_are_carried_out(shapes: Shapes) -> None:
    """The order set of Florence: a move, its support, a siege, an expense."""
    played, florence = campaign(), PowerId("L")
    own = played.orders[florence]
    ordered = orders_by_unit(View.of(played.before), {florence: own})
    planned = scene_of_orders(played.before, ordered, [(florence, order) for order in own])

    assert drawn(shapes, planned) == {
        "move planned L A flo-bol": 1,
        "support planned L A mod-bol": 1,
    }
    assert Siege(PlaceId("sie"), Completion.PLANNED) in planned.acts
    assert Deal(PER, 30, florence) in planned.acts


def test_orders_of_an_adjustment_are_drawn() -> None:
    """A unit to be raised, and one to be removed."""
    florence, state = PowerId("L"), campaign().before
    orders = (
        Build(Kind.GARRISON, PlaceId("flo")),
        Remove(NamedUnit(Kind.ARMY, PlaceId("mod"))),
        Remove(NamedUnit(Kind.ARMY, BOL)),
    )
    acts = scene_of_orders(state, {}, [(florence, order) for order in orders]).acts

    assert acts == (
        NewUnit(Unit(florence, Kind.GARRISON, PlaceId("flo")), Completion.PLANNED),
        Loss(state.field[PlaceId("mod")]),
    )
