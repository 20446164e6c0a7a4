"""Battles that no rule case needs: whom a strait is closed to, what a tie costs, who is blamed."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from machjudge.adjudicator.battle.results import TieBreaker
from machjudge.adjudicator.battle.strength import Answer, Battle, Contender, Guards
from machjudge.adjudicator.dice import GivenDice
from machjudge.adjudicator.events import (
    Advanced,
    AdvanceFailed,
    ConversionFailed,
    Held,
    SiegeEnded,
    SupportFailed,
    SupportGiven,
    TieBroken,
    TransportFailed,
    UnitDislodged,
)
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.orders import Advance, Transport
from machjudge.adjudicator.reasons import (
    ConvoyParadox,
    CutBy,
    Forced,
    HeldInstead,
    NoConvoy,
    NotMatched,
    SiegeEnd,
    StraitClosed,
    WasDislodged,
)
from machjudge.adjudicator.units import Kind, Unit
from machjudge.adjudicator.year.steps import play
from tests.adjudicator.chronicle import Chronicle
from tests.adjudicator.echoes import Echoes
from tests.adjudicator.report import Report
from tests.adjudicator.scene import Outcome, besiege, convert, hold, move, named, scene, support
from tests.strategies import CLASSIC, STANDARD, STRAITS, battles

# --- whom a strait is closed to --------------------------------------------------------------


def fleets(*owners: str, answers: tuple[Answer, ...]) -> Battle:
    """A battle of fleets, all in Messina, of which so much is known."""
    units = [Unit(PowerId(owner), Kind.FLEET, PlaceId("mes")) for owner in owners]
    contenders = [Contender(unit, n, 1, unit.place) for n, unit in enumerate(units)]
    return Battle(contenders, list(answers))


@pytest.mark.parametrize(
    ("guards", "answer", "closed"),
    [
        # Who stays closes it, whatever becomes of his order; who leaves, if he does not get away.
        (Guards((0,), (), (), frozenset()), None, True),
        (Guards((), (0,), (), frozenset()), True, False),
        (Guards((), (0,), (), frozenset()), False, True),
        (Guards((), (0,), (), frozenset()), None, None),
        # Who enters closes it once he is in.
        (Guards((), (), (0,), frozenset()), True, True),
        (Guards((), (), (0,), frozenset()), False, False),
        (Guards((), (), (0,), frozenset()), None, None),
        (Guards((), (), (), frozenset()), None, False),
    ],
)
def test_a_strait_is_closed_to_others(guards: Guards, answer: Answer, closed: Answer) -> None:
    """A Turkish fleet and the strait of Messina (MAP-13 to MAP-16): closed to Naples, not to it."""
    battle = fleets("T", answers=(answer,))

    assert guards.closed_to(battle.contenders, battle.answers, PowerId("N")) is closed
    assert guards.closed_to(battle.contenders, battle.answers, PowerId("T")) is False
    if closed is not None:
        guard = battle.contenders[0].unit if closed else None
        assert guards.closing(battle.contenders, battle.answers, PowerId("N")) == guard
        assert guards.closing(battle.contenders, battle.answers, PowerId("T")) is None


def test_whom_the_guard_lets_pass_is_not_stopped() -> None:
    """A permission holds for whom it names, and only where the owner of the guard gave it."""
    allowed = frozenset({(PowerId("T"), PowerId("N")), (PowerId("V"), PowerId("F"))})
    for guards in (
        Guards((0,), (), (), allowed),
        Guards((), (0,), (), allowed),
        Guards((), (), (1,), allowed),
    ):
        battle = fleets("T", "T", answers=(False, True))

        assert guards.closed_to(battle.contenders, battle.answers, PowerId("N")) is False
        assert guards.closing(battle.contenders, battle.answers, PowerId("N")) is None
        assert guards.closed_to(battle.contenders, battle.answers, PowerId("F")) is True
        assert (
            guards.closing(battle.contenders, battle.answers, PowerId("F"))
            == battle.contenders[0].unit
        )


def test_one_guard_of_several_is_enough() -> None:
    """The first that closes the strait is the one that is named."""
    guards = Guards((), (0,), (1, 2), frozenset())
    owner = PowerId("N")
    gone_then_second = fleets("T", "V", "F", answers=(True, True, True))
    gone_then_third = fleets("T", "V", "F", answers=(True, False, True))
    own_then_third = fleets("T", "N", "F", answers=(True, True, True))
    open_yet = fleets("T", "V", "F", answers=(True, None, False))

    assert (
        guards.closing(gone_then_second.contenders, gone_then_second.answers, owner)
        == gone_then_second.contenders[1].unit
    )
    assert (
        guards.closing(gone_then_third.contenders, gone_then_third.answers, owner)
        == gone_then_third.contenders[2].unit
    )
    assert (
        guards.closing(own_then_third.contenders, own_then_third.answers, owner)
        == own_then_third.contenders[2].unit
    )
    assert guards.closed_to(own_then_third.contenders, own_then_third.answers, owner) is True
    assert guards.closed_to(open_yet.contenders, open_yet.answers, owner) is None


# --- ties ------------------------------------------------------------------------------------


def test_where_nothing_else_fits_all_fail() -> None:
    """A group with supports, without transports and straits, fails as a whole (decision 2)."""
    battle = fleets("T", "V", "F", answers=(None, None, None))
    battle.contenders[1].goal = PlaceId("ion")
    battle.into[PlaceId("ion")] = [1]
    breaker = TieBreaker(battle, range(3))

    decided = breaker.decide([0, 1])

    units = tuple(contender.unit for contender in battle.contenders[:2])
    assert decided == {0: False, 1: False}
    assert breaker.events == [TieBroken("all fail", units)]
    assert battle.answers == [None] * 3


def test_a_circle_advances() -> None:
    """Three armies that each make room for the next advance together, and the tie names them."""
    played = scene(units="V A fer, V A man, V A ver").play(
        {"V": [move("A fer", "man"), move("A man", "ver"), move("A ver", "fer")]}
    )

    [tie] = played.told(TieBroken)
    assert tie.rule == "all advance"
    assert [unit.place for unit in tie.units] == ["fer", "man", "ver"]
    assert [event.to for event in played.told(Advanced)] == ["man", "ver", "fer"]


# --- who is to blame -------------------------------------------------------------------------


def played(units: str, sheets: dict[str, list], **position: object) -> Outcome:
    """What came of a campaign."""
    return scene(units=units, **position).play(sheets)


def carry(fleet: str, army: str, to: str) -> Transport:
    """``F uas T A anc - dal``."""
    return Transport(named(fleet), named(army), PlaceId(to))


def sail(army: str, via: str, to: str) -> Advance:
    """``A anc - uas - dal``."""
    return Advance(named(army), PlaceId(to), via=tuple(PlaceId(sea) for sea in via.split()))


def test_who_does_not_arrive_cuts_nothing() -> None:
    """Of two attacks on a supporter only the one that gets there is named (MOV-12, MOV-14)."""
    told = played(
        "V F dal, V F ist, P A anc, T A her",
        {
            "V": [support("F dal", "F ist", "uas"), move("F ist", "uas")],
            "P": [sail("A anc", "uas", "dal")],
            "T": [move("A her", "dal")],
        },
    )

    [failed] = told.told(SupportFailed)
    assert isinstance(failed.because, CutBy)
    assert failed.because.attacker.place == "her"


def test_the_target_of_a_support_is_not_named_for_a_cut() -> None:
    """It attacks in vain; another attack cuts (MOV-14)."""
    told = played(
        "A A tyr, A A trt, I A mil, I A com, I A ver",
        {
            "A": [support("A tyr", "A trt", "mil"), move("A trt", "mil")],
            "I": [move("A mil", "trt"), move("A com", "tyr")],
        },
    )

    [failed] = told.told(SupportFailed)
    assert isinstance(failed.because, CutBy)
    assert failed.because.attacker.place == "com"


def test_a_convoy_without_a_fleet_says_where_it_broke() -> None:
    """The first place of the route without a fleet that carries, and no fleet to blame (MOV-09)."""
    told = played(
        "P A anc, P F uas",
        {"P": [sail("A anc", "uas las", "dur"), carry("F uas", "A anc", "dur")]},
    )

    [failed] = told.told(AdvanceFailed)
    assert failed.because == NoConvoy(PlaceId("las"), None, dislodged=False)


def test_a_besieger_before_his_own_garrison_lifts_the_siege() -> None:
    """Also without an order, once the garrison is his owner's (SIE-12)."""
    told = played("V A pad, V G pad", {"V": []}, sieges="pad")

    [ended] = told.told(SiegeEnded)
    assert ended == SiegeEnded(PlaceId("pad"), SiegeEnd.LIFTED)


def test_a_siege_of_nobody_names_the_rule() -> None:
    """An empty city cannot be besieged (SIE-14), nor one's own garrison (SIE-12)."""
    for units, why, rule in (
        ("V A pad", Forced.NOTHING_TO_BESIEGE, "SIE-14"),
        ("V A pad, V G pad", Forced.OWN_CITY, "SIE-12"),
    ):
        told = played(units, {"V": [besiege("A pad")]})

        assert HeldInstead(why, rule) in [event.because for event in told.told(Held)]


def test_a_convoy_that_would_undo_itself_is_a_paradox() -> None:
    """The army would cut the support that keeps its own fleet in place (MOV-21)."""
    told = played(
        "P A anc, P F uas, V F dal, T F ist, T F las",
        {
            "P": [sail("A anc", "uas", "dal"), carry("F uas", "A anc", "dal")],
            "V": [support("F dal", "F uas")],
            "T": [move("F ist", "uas"), support("F las", "F ist", "uas")],
        },
    )

    assert [event.because for event in told.told(TransportFailed)] == [ConvoyParadox()]
    assert [e.because for e in told.told(AdvanceFailed) if e.to == "dal"] == [ConvoyParadox()]


def test_a_paradox_needs_no_listed_route() -> None:
    """The same where the rules find the way over the sea themselves."""
    told = scene(
        "S1902M",
        scenario="standard",
        chosen="diplomacy",
        units="E A lon, E F nth, F F bel, G F hol, G F hel",
    ).play(
        {
            "E": [move("A lon", "bel"), carry("F nth", "A lon", "bel")],
            "F": [support("F bel", "F nth")],
            "G": [move("F hol", "nth"), support("F hel", "F hol", "nth")],
        }
    )

    assert [event.because for event in told.told(TransportFailed)] == [ConvoyParadox()]
    assert [e.because for e in told.told(AdvanceFailed) if e.to == "bel"] == [ConvoyParadox()]


def test_where_the_chain_has_a_gap_no_place_is_to_blame() -> None:
    """An army that only a chain of fleets could carry, of which one is ordered to (MOV-09)."""
    carry = Transport(named("F nth"), named("A lon"), PlaceId("swe"))
    units = "E A lon, E F nth, G F ska"
    told = scene("S1902M", scenario="standard", chosen="diplomacy", units=units).play(
        {"E": [move("A lon", "swe"), carry]}
    )

    [failed] = told.told(AdvanceFailed)
    assert failed.because == NoConvoy(None, None, dislodged=False)


def test_who_is_driven_out_of_venice_does_not_get_into_its_city() -> None:
    """Province and city are one space there, so a stronger attack stops it (MAP-23)."""
    told = played(
        "V F ven, A F lag em",
        {"V": [convert("F ven", "G")], "A": [move("F lag", "ven")]},
    )

    [failed] = told.told(ConversionFailed)
    [driven] = told.told(UnitDislodged)
    assert failed.because == WasDislodged(driven.by)
    assert failed.into is Kind.GARRISON


def test_ones_own_guard_is_not_the_one_that_closes_a_strait() -> None:
    """It was thrown out by the fleet that closes it from now on (MAP-14)."""
    told = played(
        "N F mes, N F gon, T F pal, T F ets",
        {
            "N": [hold("F mes"), move("F gon", "ion")],
            "T": [move("F pal", "mes"), support("F ets", "F pal", "mes")],
        },
    )

    [failed] = told.told(AdvanceFailed)
    assert isinstance(failed.because, StraitClosed)
    assert failed.because.guard.place == "pal"


def test_ones_own_guard_does_not_end_a_convoy() -> None:
    """The same for the fleet that carries."""
    told = played(
        "N F mes, N F gon, N A otr, T F pal, T F ets, N F ion",
        {
            "N": [
                hold("F mes"),
                sail("A otr", "ion gon", "slr"),
                carry("F gon", "A otr", "slr"),
                carry("F ion", "A otr", "slr"),
            ],
            "T": [move("F pal", "mes"), support("F ets", "F pal", "mes")],
        },
    )

    reasons = [event.because for event in told.told(AdvanceFailed)]
    assert [type(because) for because in reasons] == [StraitClosed]
    assert reasons[0].guard.place == "pal"


@pytest.mark.parametrize("leaver", [True, False])
@pytest.mark.parametrize("converting", [True, False])
def test_each_way_out_of_a_strait_has_its_own_rule(leaver: bool, converting: bool) -> None:
    """A fleet that sails off, and one that turns garrison, may still close the strait (MAP-36)."""
    options = {"strait_leaver_blocks": leaver, "strait_convert_in_blocks": converting}
    for order, closes in ((move("F mes", "ets"), leaver), (convert("F mes", "G"), converting)):
        told = scene(units="T F mes, N F gon", options=options).play(
            {"T": [order], "N": [move("F gon", "ion")]}
        )

        assert [event.unit.owner for event in told.told(AdvanceFailed)] == ["N"] * closes


def test_support_for_a_move_that_a_strait_stops_is_void() -> None:
    """Such a move counts as not ordered, so only support to hold helps its fleet (MAP-35)."""
    told = played(
        "T F mes, N F gon, N F otr, N F tiv",
        {
            "T": [hold("F mes")],
            "N": [
                move("F gon", "ion"),
                support("F otr", "F gon", "ion"),
                support("F tiv", "F gon"),
            ],
        },
    )

    assert [event.because for event in told.told(SupportFailed)] == [NotMatched(named("F gon"))]
    assert [event.unit.place for event in told.told(SupportGiven)] == ["tiv"]


def test_support_for_a_move_that_no_strait_stops_counts() -> None:
    """Nobody guards the strait, so the support to hold is the void one (MAP-35)."""
    told = played(
        "N F gon, N F otr, N F tiv",
        {
            "N": [
                move("F gon", "ion"),
                support("F otr", "F gon", "ion"),
                support("F tiv", "F gon"),
            ],
        },
    )

    assert [event.because for event in told.told(SupportFailed)] == [NotMatched(named("F gon"))]
    assert [event.unit.place for event in told.told(SupportGiven)] == ["otr"]


def test_a_garrison_that_took_to_its_ships_closes_the_strait_to_retreats() -> None:
    """What counts is who guards the strait after movement (MAP-17)."""
    orders = {"V": [move("F ets", "gon"), support("F tiv", "F ets", "gon")]}
    units = "T G mes, N F gon, V F ets, V F tiv"

    closed = played(units, {**orders, "T": [convert("G mes", "F")]}).told(UnitDislodged)
    still_open = played(units, orders).told(UnitDislodged)

    assert "ion" not in [spot.place for spot in closed[0].retreats]
    assert "ion" in [spot.place for spot in still_open[0].retreats]


@pytest.mark.parametrize(
    ("last_resort", "others", "expected"),
    [
        ("fleet", "", ["pad", "ven"]),
        ("garrison_last", "", ["pad"]),
        ("garrison_last", ", A A pad", ["ven"]),
    ],
)
def test_venice_as_the_way_out_of_the_lagoon(
    last_resort: str, others: str, expected: list[str]
) -> None:
    """Where the rules say so, a fleet goes there only if no other way is open (MAP-34)."""
    told = scene(
        units="V F lag, A F uas, A F trv, A F fri" + others,
        options={"lagoon_retreat_to_venice": last_resort},
    ).play({"A": [move("F uas", "lag"), support("F trv", "F uas", "lag"), hold("F fri")]})

    [driven] = told.told(UnitDislodged)
    assert [spot.place for spot in driven.retreats] == expected


def test_mov_44_nobody_retreats_into_a_city_where_a_garrison_has_been_put_since() -> None:
    """A master may put one there while the retreats are written."""
    driven_out = scene("S1455R", units="V A bol", dislodged=[{"unit": "I A bol", "convert": True}])
    garrison = Unit(PowerId("V"), Kind.GARRISON, PlaceId("bol"))
    now = replace(driven_out, state=replace(driven_out.state, garrisons={garrison.place: garrison}))

    assert driven_out.play({"I": [convert("A bol", "G")]}).units() == ["I G bol", "V A bol"]
    assert now.play({"I": [convert("A bol", "G")]}).units() == ["V A bol", "V G bol"]


# Every result carries its reason: rivals as strong as they are said to be, attackers that attack.


BATTLES = st.one_of(battles(CLASSIC), battles(CLASSIC, 9, STRAITS), battles(STANDARD))


@given(BATTLES)
def test_reasons_are_borne_out_by_the_other_events(battle) -> None:
    """Strengths recompute from supports, cuts name an attack, convoys a fleet of their route."""
    played = play(battle.world, battle.state, battle.orders, GivenDice({}))

    assert list(Report(battle.world, played.events).faults()) == []


@given(BATTLES)
def test_events_say_what_was_before(battle) -> None:
    """Owners that lose something had it, sieges that end were laid, orders are told as given."""
    played = play(battle.world, battle.state, battle.orders, GivenDice({}))

    assert list(Chronicle(battle.world, battle.state, played.events).faults()) == []
    assert list(Echoes(played.standing, played.events).faults()) == []
