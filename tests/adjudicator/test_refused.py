"""Orders that cannot be given here and now are refused, each with its reason."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

import pytest

from machjudge.adjudicator.consistency import inconsistencies
from machjudge.adjudicator.dice import GivenDice
from machjudge.adjudicator.events import (
    ChitGiven,
    Marker,
    MarkerCorrected,
    OrderIgnored,
    is_correction,
)
from machjudge.adjudicator.evolve import evolve_all
from machjudge.adjudicator.land.victory import homes_needed
from machjudge.adjudicator.legality import (
    objection_to_carrying,
    orders_for_many,
    slot_of,
    sort_out,
)
from machjudge.adjudicator.moments import read_moment
from machjudge.adjudicator.money.assassins import (
    deal_chits,
    hand_over,
    is_interlude,
    passed_again,
)
from machjudge.adjudicator.money.income import yearly_income
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.options import (
    JUDGE,
    OPTIONS,
    UnknownRule,
    Value,
    check_limits,
    with_option,
)
from machjudge.adjudicator.orders import (
    Advance,
    BulkOrder,
    Convert,
    Disband,
    Expense,
    GiveChit,
    Hold,
    LiftSiege,
    Named,
    Order,
    Support,
    Transport,
    Verb,
)
from machjudge.adjudicator.prices import price_code
from machjudge.adjudicator.reasons import Flaw, Objection
from machjudge.adjudicator.rules import Level, Table, VictoryRules
from machjudge.adjudicator.units import Kind
from machjudge.adjudicator.year.forecast import RemarkKind, forecast
from tests.adjudicator.scene import (
    Scene,
    besiege,
    build,
    hold,
    incite,
    move,
    named,
    remove,
    scene,
)
from tests.rule_values import option_value

V, F, A = PowerId("V"), PowerId("F"), PowerId("A")
WAITING = [{"unit": "I A pad", "retreats": ["ver"], "convert": False}]


def flaw(position: Scene, order: Order) -> Flaw | None:
    """Why Venice may not give the order."""
    found = position.objection("V", order)
    return None if found is None else found.flaw


@pytest.mark.parametrize(
    ("order", "wrong"),
    [
        (build("A pad"), Flaw.WRONG_PHASE),
        (move("A pad", "pad"), Flaw.SAME_PLACE),
        (Convert(named("A pad"), Kind.ARMY), Flaw.SAME_KIND),
        (Transport(named("A pad"), named("A fer"), PlaceId("bol")), Flaw.NOT_A_CONVOY),
        (LiftSiege(named("G trv")), Flaw.GARRISON_ONLY),
        (besiege("A ven"), Flaw.VENICE),
        (incite(1, "uas"), Flaw.BAD_TARGET),
        (move("F avi", "pro/ec"), Flaw.NO_SUCH_COAST),
    ],
)
def test_an_order_that_makes_no_sense_here_is_refused(order: Order, wrong: Flaw) -> None:
    """In a campaign: wrong phase, same place, same type, wrong unit, wrong target."""
    units = "V A pad, V F uas, V A ven, V G trv, V F avi"
    assert flaw(scene(units=units, treasury={"V": 50}), order) is wrong


def test_map_30_nothing_is_bought_or_carried_in_a_neutral_country() -> None:
    """Rebels are not paid there, and no fleet takes an army there."""
    position = scene("S1386M", scenario="1385", units="V F uas, V A ven", treasury={"V": 50})
    (closed, *_) = sorted(position.world.closed)

    assert flaw(position, incite(1, closed)) is Flaw.NEUTRAL


def test_mov_08_a_fleet_carries_no_army_from_where_it_is_nor_to_a_neutral_country() -> None:
    """As no army could ever go so."""
    position = scene("S1386M", scenario="1385", units="V F ven")
    unit = position.state.field[PlaceId("ven")]
    (closed, *_) = sorted(position.world.closed)
    from_here = Transport(named("F ven"), named("A ven"), PlaceId("dal"))
    to_neutral = Transport(named("F ven"), named("A pad"), closed)

    found = [
        objection_to_carrying(position.world, position.state, unit, each)
        for each in (from_here, to_neutral)
    ]
    assert [each.flaw for each in found if each] == [Flaw.OCCUPIED, Flaw.NEUTRAL]


def test_mov_24_a_garrison_that_waits_for_a_retreat_is_found() -> None:
    """No garrison is ever dislodged: nothing else is said of it."""
    position = scene("S1455R", units="V A pad", dislodged=WAITING)
    (waiting,) = position.state.dislodged
    wrong = replace(waiting, unit=replace(waiting.unit, kind=Kind.GARRISON))
    state = replace(position.state, dislodged=(wrong,))

    (found,) = inconsistencies(position.world, state)
    assert found.says == "I G pad: a garrison is never dislodged"


def test_syn_10_a_support_without_a_type_means_the_garrison_that_comes_out() -> None:
    """Into its own province only a garrison can come."""
    position = scene(units="V A pad, V G trv, V A ven")
    support = Support(named("A pad"), Named(None, PlaceId("trv")), PlaceId("trv"))
    (standing,) = sort_out(position.world, position.state, {V: (support,)}).standing[V]

    assert isinstance(standing, Support)
    assert standing.supported.kind is Kind.GARRISON


def test_syn_10_the_later_of_two_orders_counts_though_one_names_no_type() -> None:
    """The unit is the same."""
    position = scene(units="V A pad")
    sheet = (hold("pad"), move("A pad", "fer"))
    sorted_out = sort_out(position.world, position.state, {V: sheet})

    assert sorted_out.standing[V] == (move("A pad", "fer"),)


def test_mov_47_only_ways_out_are_ordered_in_retreats() -> None:
    """A dislodged unit does not hold; chits are given away at any time."""
    position = scene("S1455R", units="V A pad", dislodged=WAITING, chits={"I": "A"})

    found = position.objection("I", hold("A pad"))
    assert found == Objection(Flaw.WRONG_PHASE, "MOV-47")
    assert position.objection("I", GiveChit(A, F)) is None


def test_syn_08_only_units_are_built_and_removed_in_adjustments() -> None:
    """A unit is disbanded as it is removed; another's is not; chits are given away at any time."""
    position = scene("F1455B", units="V A pad, I A mil", chits={"V": "A"})

    assert flaw(position, move("A pad", "fer")) is Flaw.WRONG_PHASE
    assert flaw(position, remove("A mil")) is Flaw.NOT_YOURS
    assert flaw(position, GiveChit(A, F)) is None
    disband = sort_out(position.world, position.state, {V: (Disband(named("A pad")),)})
    assert disband.standing[V] == (remove("A pad"),)


def test_reb_06_a_rebellion_paid_for_twice_is_told_before() -> None:
    """The second one does nothing."""
    position = scene(units="V A cre", treasury={"V": 60})
    twice = (incite(1, "mil", 15), incite(2, "mil", 15))
    found = forecast(position.world, position.state, V, twice)

    assert RemarkKind.REPEATED in [remark.kind for remark in found.remarks]


def test_vic_05_the_basic_victory_asks_for_one_home_country() -> None:
    """One's own."""
    assert homes_needed(VictoryRules(level=Level.BASIC)) == 1


def test_inc_01_nobody_is_paid_in_a_game_without_money() -> None:
    """No die is thrown either."""
    position = scene("F1455M", options={"money": False})

    assert yearly_income(position.world, position.state, GivenDice({})) == ()


@pytest.mark.parametrize(
    ("receiver", "victim", "wrong"),
    [
        ("X", "A", Flaw.UNKNOWN_POWER),
        ("N", "A", Flaw.ELIMINATED),
        ("V", "A", Flaw.YOURSELF),
        ("F", "M", Flaw.NO_CHIT),
    ],
)
def test_asn_02_a_chit_that_cannot_be_given_away_stays(
    receiver: str, victim: str, wrong: Flaw
) -> None:
    """To nobody, to the dead, to oneself, or one that the giver does not have."""
    position = scene(chits={"V": "A"}, eliminated="N")
    given = hand_over(position.world, position.state, V, PowerId(receiver), PowerId(victim))

    assert given == Objection(wrong, "ASN-02")


def test_asn_01_mixed_chits_are_drawn_by_turns() -> None:
    """Each power draws as many as there are others; dice decide the order of the bag."""
    position = scene(options={"assassin_chits": "drawn"})
    powers = position.world.in_play
    dice = {f"chits {power}": (n % 6 + 1,) * 42 for n, power in enumerate(powers)}
    drawn = deal_chits(position.world, position.state, GivenDice(dice))
    state = evolve_all(position.state, drawn)

    assert [len(each.victims) for each in drawn] == [len(powers) - 1] * len(powers)
    assert Counter(v for each in drawn for v in each.victims) == dict.fromkeys(powers, 7)
    assert [state.chits[power] for power in powers] == [each.victims for each in drawn]


def test_asn_01_dice_decide_where_a_chit_lies_in_the_bag() -> None:
    """Thrown so that each power's chits lie where one other draws, it draws all of them."""
    position = scene(options={"assassin_chits": "drawn"})
    powers = position.world.in_play
    dice = {
        f"chits {power}": tuple(
            face
            for chit in range(len(powers) - 1)
            for face in _six_dice(chit * len(powers) + (number + 1) % len(powers))
        )
        for number, power in enumerate(powers)
    }
    drawn = deal_chits(position.world, position.state, GivenDice(dice))
    before = (powers[-1], *powers[:-1])

    assert [(each.power, {*each.victims}) for each in drawn] == [
        (power, {other}) for power, other in zip(powers, before, strict=True)
    ]


def _six_dice(place: int) -> tuple[int, ...]:
    """Six dice that put a chit into that place of the bag."""
    return tuple(place // 6**power % 6 + 1 for power in range(5, -1, -1))


@pytest.mark.parametrize("options", [{}, {"assassin_chits": "drawn", "assassinations": False}])
def test_asn_01_no_chits_are_drawn_where_none_are_mixed(options: Mapping[str, Value]) -> None:
    """No die is thrown."""
    position = scene(options=options)

    assert deal_chits(position.world, position.state, GivenDice({})) == []


def test_asn_02_gifts_are_made_again_as_far_as_the_rules_allow() -> None:
    """Of two gifts of the same chit, only the first one can be."""
    gifts = (ChitGiven(V, F, A), ChitGiven(V, PowerId("P"), A))
    position = scene(chits={"V": "A"})
    strict = scene(chits={"V": "A"}, options={"assassinations": False})

    assert passed_again(position.world, position.state, gifts) == gifts[:1]
    assert passed_again(strict.world, strict.state, gifts) == ()


def test_a_marker_that_a_master_sets_lies_there_until_it_is_taken_away() -> None:
    """Famine, sieges, and rebels."""
    position = scene()
    place = PlaceId("mil")
    there = [MarkerCorrected(place, marker, True, V, "why") for marker in Marker]
    state = evolve_all(position.state, there)
    after = evolve_all(state, [replace(event, on=False) for event in there])

    assert (state.sieges, state.famine) == (frozenset({place}), frozenset({place}))
    assert dict(state.province_rebellions) == dict(state.city_rebellions) == {place: V}
    assert not (after.sieges)
    assert not (after.famine)
    assert not (after.province_rebellions)
    assert not after.city_rebellions


def test_an_expense_without_a_purpose_has_no_price() -> None:
    """Nor a letter on the price list."""
    start = scene()

    assert price_code(start.world, start.state, Expense(1, None, None)) == ""


def test_hom_01_a_home_province_belongs_to_one_power() -> None:
    """Others to nobody; everybody in play leads one power."""
    scenario = scene().world.scenario

    assert scenario.home_of(PlaceId("ven")) == V
    assert scenario.players == len(scenario.in_play)


def test_an_order_as_written_is_about_the_unit_that_is_there() -> None:
    """With or without its type: the slot is the same."""
    position = scene(units="V A pad")
    slots = {slot_of(position.world, position.state, V, hold(unit)) for unit in ("A pad", "pad")}

    assert slots == {("unit", PlaceId("pad"))}


def test_asn_02_the_second_gift_of_one_chit_in_orders_is_ignored() -> None:
    """The first one is made; both are of the phase, and so no interlude."""
    orders = {"V": [GiveChit(A, F), GiveChit(A, PowerId("P"))]}
    outcome = scene(chits={"V": "A"}).play(orders)

    assert outcome.told(ChitGiven) == [ChitGiven(V, F, A)]
    assert [ignored.order for ignored in outcome.told(OrderIgnored)] == orders["V"][1:]
    assert not is_interlude(outcome.events)


def test_a_correction_is_known_by_its_events() -> None:
    """All of them are corrections, and there is one at least."""
    corrected = MarkerCorrected(PlaceId("mil"), Marker.SIEGE, True, None, "why")

    assert [is_correction(each) for each in ([corrected], [corrected, ChitGiven(V, F, A)], [])] == [
        True,
        False,
        False,
    ]


def test_phases_are_in_their_order() -> None:
    """By campaign, and in a campaign by stage."""
    codes = ["S1454M", "S1454R", "U1454M", "F1454M", "F1454B", "S1455M"]
    moments = [moment for code in reversed(codes) if (moment := read_moment(code))]

    assert [moment.code for moment in sorted(moments)] == codes


def test_a_list_of_an_option_is_a_list_of_the_right_length() -> None:
    """Neither a word nor a list that is too short is taken, in settings or from a document."""
    name, option = next((n, o) for n, o in OPTIONS.items() if isinstance(o.default, tuple))
    group = replace(getattr(JUDGE, option.group), **{option.field: (1, 2, 3, 4, 5, 6, 7, 8, 9, 9)})

    check_limits(JUDGE)
    with pytest.raises(UnknownRule, match=f"{name} cannot be 'word'"):
        with_option(JUDGE, name, "word")
    with pytest.raises(UnknownRule, match=name):
        check_limits(replace(JUDGE, **{option.group: group}))


def test_a_map_of_an_option_that_lacks_entries_is_not_complete() -> None:
    """Settings change the entries that they name; a document has them all."""
    name, option = "expense_prices", OPTIONS["expense_prices"]
    first = "a"
    group = replace(getattr(JUDGE, option.group), **{option.field: Table({first: 1})})

    with pytest.raises(UnknownRule, match=f"{name} is not complete"):
        check_limits(replace(JUDGE, **{option.group: group}))


def test_a_map_of_an_option_is_not_given_as_a_list() -> None:
    """Nor with the name of an entry that it does not have."""
    usual = option_value(JUDGE, "expense_prices")

    assert isinstance(usual, Mapping)
    wrong: tuple[Value, ...] = ([3, 6], {**usual, "z": 3})
    for value in wrong:
        with pytest.raises(UnknownRule, match="expense_prices cannot be"):
            with_option(JUDGE, "expense_prices", value)


def test_syn_10_an_order_for_many_units_names_the_unit_that_is_not_there() -> None:
    """It stands for an order for each unit that has none, those excepted that it names."""
    position = scene(units="V A pad, V G trv, P A bol")
    world, state, venice = position.world, position.state, PowerId("V")

    def meant(*excepted: Named) -> object:
        return orders_for_many(
            world, state, venice, BulkOrder(Verb.HOLD, rest=False, excepted=excepted), ()
        )

    assert meant() == (Hold(named("A pad")), Hold(named("G trv")))
    assert orders_for_many(
        world, state, venice, BulkOrder(Verb.HOLD, rest=False, kind=Kind.GARRISON), ()
    ) == (Hold(named("G trv")),)
    assert meant(named("A pad")) == (Hold(named("G trv")),)
    assert meant(named("A mil")) == named("A mil")
    assert meant(named("A bol")) == named("A bol")


def test_reb_26_an_order_for_a_unit_of_others_is_no_hold_order() -> None:
    """By the book an invalid order for an own unit is one."""
    position = scene(chosen="battleline_basic", units="V A pad, P A bol")
    orders = {PowerId("V"): (Hold(named("A bol")), Advance(named("A pad"), PlaceId("flo")))}
    sorted_out = sort_out(position.world, position.state, orders)

    assert len(sorted_out.refused) == len(orders[PowerId("V")])
    assert [order.unit.place for order in sorted_out.standing[PowerId("V")]] == ["pad"]
