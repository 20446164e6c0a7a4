"""Orders that no position could ever make work are refused as read, and the good one stays."""

from typing import Any

import pytest

from machjudge.adjudicator.legality import objection_to, sort_out
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.orders import Order
from machjudge.adjudicator.reasons import Flaw
from machjudge.language.lexicon import lexicon_of
from machjudge.language.orders import parse_order
from tests.adjudicator.scene import Scene, scene, support

V = PowerId("V")
FLEETS = "V A per, V F uas, V F las, V G bol, V A anc, V F wgl"


def campaign(units: str = FLEETS, **more: Any) -> Scene:
    """A campaign of Venice with plenty of money, in which no fortress is in use."""
    return scene(units=units, treasury={"V": 200}, **more)


def order(position: Scene, text: str) -> Order:
    """What a line says."""
    world, state = position.world, position.state
    (said,) = parse_order(text, lexicon_of(world.scenario), state.moment.stage).understood
    return said


def flaw(position: Scene, text: str) -> Flaw | None:
    """What is wrong with a line of Venice."""
    found = objection_to(position.world, position.state, V, order(position, text))
    return None if found is None else found.flaw


def standing(position: Scene, *lines: str) -> list[Order]:
    """Which lines stand when a sheet has these."""
    sheet = tuple(order(position, line) for line in lines)
    return list(sort_out(position.world, position.state, {V: sheet}).standing[V])


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("A per s A per - urb", Flaw.ITSELF),
        ("A per s A per", Flaw.ITSELF),
        ("A per s per", Flaw.ITSELF),
        ("A per s per - urb", Flaw.ITSELF),
        ("F uas s F uas - las", Flaw.ITSELF),
        ("G bol s G bol c a", Flaw.ITSELF),
        ("A per s A ets - rme", Flaw.WRONG_TERRAIN),
        ("A per s F urb", Flaw.WRONG_TERRAIN),
        ("A anc s G urb c a", Flaw.NO_CITY),
        ("A per s G anc - urb", Flaw.GARRISON_ONLY),
        ("F uas t A anc - anc", Flaw.SAME_PLACE),
        ("F uas t A anc - per", Flaw.WRONG_TERRAIN),
        ("F uas t A per - dal", Flaw.WRONG_TERRAIN),
        ("F uas t F anc - dal", Flaw.NOT_A_CONVOY),
        ("F uas t A uas - dal", Flaw.WRONG_TERRAIN),
    ],
)
def test_syn_10_what_a_unit_could_never_do_for_another_is_refused(text: str, wrong: Flaw) -> None:
    """Nobody supports himself, a unit that cannot be there, or a garrison that leaves its city."""
    assert flaw(campaign(), text) is wrong


@pytest.mark.parametrize(
    "text",
    [
        "A per s A urb",
        "A per s A urb - rme",
        "A anc s F uas - urb",
        "A per s A mil - rme",
        "G bol s A bol",
        "G bol s bol",
        "G bol s A fer - bol",
        "F las s F bar",
        "F uas s G anc c f",
        "F uas t A anc - dal",
        "F uas t A ven - mes",
    ],
)
def test_syn_10_what_only_turns_out_useless_is_taken(text: str) -> None:
    """Whom it is for may be somewhere else."""
    assert flaw(campaign(), text) is None


def test_syn_10_fleets_carry_on_their_own_waters_only() -> None:
    """No chain of fleets leads from the Adriatic to the Black Sea of another board."""
    position = scene(
        "S1905M",
        scenario="standard",
        chosen="diplomacy",
        units="R F bla, R A sev, R F bar, R A stp",
    )
    world, state = position.world, position.state

    def wrong(text: str) -> Flaw | None:
        found = objection_to(world, state, PowerId("R"), order(position, text))
        return None if found is None else found.flaw

    assert wrong("F bla c A sev - rum") is None
    assert wrong("F bla c A sev - nor") is Flaw.NO_ROUTE
    assert wrong("F bar c A stp - ank") is Flaw.NO_ROUTE
    assert wrong("F bar c A stp - lon") is Flaw.NOT_ON_A_WAY


@pytest.mark.parametrize(
    ("good", "never"),
    [
        ("A per - urb", "A per s A per - urb"),
        ("F uas t A anc - dal", "F uas t A anc - anc"),
        ("G bol c a", "G bol s G bol c a"),
        ("A anc - urb", "A anc s F per"),
        ("expense 1: 9 ducats buy G sie", "expense 1: 9 ducats buy G hun"),
    ],
)
def test_syn_10_the_good_order_stays(good: str, never: str) -> None:
    """A refused line replaces nothing."""
    position = campaign()

    assert standing(position, good, never) == standing(position, good)


@pytest.mark.parametrize(
    ("deed", "wrong"),
    [
        ("buy A ets", Flaw.WRONG_TERRAIN),
        ("buy F flo", Flaw.WRONG_TERRAIN),
        ("buy G hun", Flaw.NO_CITY),
        ("disband G ver", Flaw.NO_CITY),
        ("disband A lag", Flaw.WRONG_TERRAIN),
        ("counter-bribe G urb", Flaw.NO_CITY),
        ("counter-bribe F mil", Flaw.WRONG_TERRAIN),
        ("garrison to autonomous ets", Flaw.NO_CITY),
        ("garrison to autonomous G cor", Flaw.NO_CITY),
        ("buy autonomous A pad", None),
    ],
)
def test_exp_31_bribes_on_units_that_cannot_exist_cost_nothing(
    deed: str, wrong: Flaw | None
) -> None:
    """They are refused before the money is paid."""
    position = campaign()
    line = f"expense 1: 30 ducats {deed}"
    parsed = parse_order(line, lexicon_of(position.world.scenario), position.state.moment.stage)

    if wrong is None:
        assert not parsed.understood or flaw(position, line) is Flaw.BAD_TARGET
    else:
        assert flaw(position, line) is wrong
        outcome = position.play({V: [order(position, line)]})
        assert outcome.treasury("V") == 200


@pytest.mark.parametrize("deed", ["buy A pad", "disband ets", "disband F pro", "buy G ver"])
def test_exp_31_bribes_on_units_that_could_be_there_are_taken(deed: str) -> None:
    """Also where none is; with fortresses in use a garrison may stand in Verona."""
    position = campaign(options={"forts": True})

    assert flaw(position, f"expense 1: 30 ducats {deed}") is None


def test_map_11_without_straits_nobody_opens_one() -> None:
    """The standard board has none."""
    position = scene("S1905M", scenario="dipmach", units="R F bla")
    found = objection_to(
        position.world, position.state, PowerId("R"), order(position, "ally Turkey")
    )

    assert found is not None
    assert found.flaw is Flaw.FLAG_OFF


@pytest.mark.parametrize(
    ("phase", "text"),
    [
        ("S1455M", "ally Milan"),
        ("S1455M", "pay 3 ducats to Milan"),
        ("S1455M", "borrow 3 ducats for 1 year"),
        ("S1455M", "expense 1: 18 ducats buy A mil"),
        ("S1455M", "A mil h"),
        ("F1455B", "build A ven"),
        ("F1455B", "give Milan to Naples"),
    ],
)
def test_eli_02_the_dead_order_nothing(phase: str, text: str) -> None:
    """Not a ducat, not a permission: every line of an eliminated power is refused."""
    position = scene(phase, units="I A mil", eliminated=["V"])

    assert flaw(position, text) is Flaw.OUT_OF_THE_GAME


# Supports for a place and a power: which of them may be ordered.


def the_scene() -> Scene:
    """A garrison in Padua and an army in Verona, where supports are for places."""
    return scene(units="V G pad, V A ver", options={"support_target": "place_power"})


def test_a_garrison_supports_into_its_own_province_only() -> None:
    """Whatever power the support is for (MOV-22)."""
    objection = the_scene().objection("V", support("G pad", "A ver", "fer"))

    assert objection is not None
    assert objection.flaw is Flaw.GARRISON_ONLY
    assert the_scene().objection("V", support("G pad", "A ver", "pad")) is None


def test_a_place_out_of_reach_is_not_supported() -> None:
    """The supporter must be able to go there itself (MOV-13)."""
    objection = the_scene().objection("V", support("A ver", "A rme"))

    assert objection is not None
    assert (objection.flaw, objection.place) == (Flaw.CANNOT_REACH, "rme")


def test_a_support_stands_as_place_and_power() -> None:
    """Whatever unit it was written for."""
    played = the_scene().play({"V": [support("G pad", "A ver", "pad")]}).played

    assert played is not None
    (order,) = played.standing[PowerId("V")]
    named = getattr(order, "supported")  # noqa: B009 - any order may stand there
    assert (named.place, named.owner) == (PlaceId("pad"), "V")
