"""What a receipt can say about the money before the phase."""

from dataclasses import replace

import pytest

from machjudge.adjudicator.legality import sort_out
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.orders import Advance, Expense, Order, Purpose, Tax, Transport, UnitOrder
from machjudge.adjudicator.reasons import CityRebels, Forced, HeldInstead
from machjudge.adjudicator.units import Quality, Unit
from machjudge.adjudicator.year.forecast import (
    AdjustmentEntry,
    ExpenseEntry,
    Forecast,
    RemarkKind,
    RemarkSeverity,
    TreasuryEntry,
    forecast,
)
from tests.adjudicator.scene import (
    Scene,
    besiege,
    borrow,
    bribe_away,
    build,
    buy,
    convert,
    counter,
    hold,
    incite,
    maintain,
    move,
    murder,
    named,
    pay,
    relieve,
    scene,
    support,
)


def foreseen(position: Scene, power: str, *sheet: Order) -> Forecast:
    """The forecast of a sheet, sorted out as it would be."""
    name = PowerId(power)
    standing = sort_out(position.world, position.state, {name: sheet}).standing[name]
    return forecast(position.world, position.state, name, standing)


def remarks(of: Forecast) -> list[tuple[RemarkSeverity, RemarkKind, int]]:
    """Severity, subject and ducats of each remark."""
    return [(remark.severity, remark.kind, remark.ducats) for remark in of.remarks]


def test_a_forecast_follows_the_order_of_execution() -> None:
    """Bank, gifts, loans, collection, expenses, with the treasury after each."""
    book = [{"power": "V", "principal": 5, "interest": 1, "due": "S1455"}]
    position = scene(units="V A pad, I A ver", treasury={"V": 20}, loans=book)
    of = foreseen(position, "V", buy(1, "A ver", 18), borrow(10, 2), pay(6), pay(4, "I"))

    assert (of.treasury, of.left) == (20, 2)
    assert [entry.left for entry in of.entries] == [14, 10, 20, 2]
    assert [type(entry) for entry in of.entries] == [TreasuryEntry] * 3 + [ExpenseEntry]
    assert [(debt.principal, debt.interest) for debt in of.debts] == [(10, 5)]
    assert of.remarks == ()


def test_a_price_is_spelled_out_with_its_doublings() -> None:
    """Militia in the garrison of a major city: four times twelve."""
    position = scene(units="V A pat, P G rme cm", treasury={"V": 50})
    (entry,) = foreseen(position, "V", bribe_away(1, "G rme", 48)).entries

    assert isinstance(entry, ExpenseEntry)
    assert (entry.price.base, entry.price.major_city, entry.price.quality) == (
        12,
        True,
        Quality.MILITIA,
    )
    assert entry.price.ducats == 48
    assert entry.fate == "done"


@pytest.mark.parametrize(
    ("order", "fate"),
    [
        (buy(1, "A mil", 18), "out of reach"),
        (buy(1, "A ver", 15), "too small"),
        (buy(1, "F trv", 18), "no such unit"),
        (relieve(1, "ver", 3), "no effect"),
        (incite(1, "trv", 9), "too small"),
        (murder(1, "L", 12), "no chit"),
        (murder(1, "I", 11), "no attempt"),
    ],
)
def test_what_cannot_work_is_warned_of(order: Order, fate: str) -> None:
    """With its reason; the money is counted all the same."""
    position = scene(units="P A pad, I A ver, I A mil", treasury={"P": 40}, chits={"P": "I"})
    of = foreseen(position, "P", order)
    (remark,) = of.remarks

    assert (remark.severity, remark.kind, remark.fate) == (
        RemarkSeverity.WARNING,
        RemarkKind.WILL_FAIL,
        fate,
    )
    assert of.left < 40


def test_an_expense_out_of_reach_says_so() -> None:
    """The entry shows it beside the price."""
    position = scene(units="P A pad, I A mil", treasury={"P": 40})
    (entry,) = foreseen(position, "P", buy(1, "A mil", 18)).entries

    assert isinstance(entry, ExpenseEntry)
    assert not entry.within_reach


def test_an_expense_on_a_unit_of_another_power_than_it_names_is_warned_of() -> None:
    """The unit of the place is meant; its owner is told, and nothing if the name is right."""
    position = scene(units="V A pad, I A ver", treasury={"V": 90})
    wrong, right = (
        Expense(number, Purpose.BUY, 18, unit=replace(named("A ver"), owner=PowerId(owner)))
        for number, owner in ((1, "L"), (2, "I"))
    )
    (remark,) = foreseen(position, "V", wrong).remarks

    assert (remark.severity, remark.kind) == (RemarkSeverity.WARNING, RemarkKind.OTHER_OWNER)
    assert remark.unit is not None
    assert (remark.unit.owner, remark.unit.place) == (PowerId("I"), PlaceId("ver"))
    assert foreseen(position, "V", right).remarks == ()


def test_money_that_will_not_reach_is_warned_of_in_order() -> None:
    """The second expense gets what the first leaves, the third nothing."""
    position = scene(units="V A pad, I A ver, I A vic, I A trv", treasury={"V": 30})
    orders = [buy(1, "A ver", 18), buy(2, "A vic", 18), buy(3, "A trv", 18)]
    of = foreseen(position, "V", *orders)
    short = [(r.order, r.ducats) for r in of.remarks if r.kind is RemarkKind.MONEY_SHORT]

    assert short == [(orders[1], 12), (orders[2], 0)]
    assert of.left == 0


def test_ducats_without_effect_are_noted() -> None:
    """Odd ones of a bribe, and what is above a fixed price."""
    position = scene(units="V A pad, I A ver", treasury={"V": 90}, chits={"V": "I"}, famine="pad")
    of = foreseen(
        position, "V", buy(1, "A ver", 20), relieve(2, "pad", 5), murder(3, "I", 17),
        counter(4, "A pad", 4),
    )  # fmt: skip

    assert remarks(of) == [
        (RemarkSeverity.NOTICE, RemarkKind.ODD_DUCATS, 2),
        (RemarkSeverity.NOTICE, RemarkKind.MORE_THAN_PRICE, 2),
        (RemarkSeverity.NOTICE, RemarkKind.MORE_THAN_PRICE, 5),
        (RemarkSeverity.NOTICE, RemarkKind.ODD_DUCATS, 1),
    ]


def test_the_bank_is_foreseen() -> None:
    """Too much paid, a gift in debt, a loan above the credit, money that is not there."""
    book = [{"power": "V", "principal": 20, "interest": 4, "due": "F1456"}]
    position = scene(treasury={"V": 10, "I": 5}, loans=book)

    assert remarks(foreseen(position, "I", pay(3))) == [
        (RemarkSeverity.WARNING, RemarkKind.MORE_THAN_OWED, 0)
    ]
    assert remarks(foreseen(position, "V", pay(15))) == [
        (RemarkSeverity.WARNING, RemarkKind.MONEY_SHORT, 10)
    ]
    assert remarks(foreseen(position, "V", pay(2, "I"))) == [
        (RemarkSeverity.WARNING, RemarkKind.IN_DEBT, 24)
    ]
    assert remarks(foreseen(position, "V", borrow(6, 1))) == [
        (RemarkSeverity.WARNING, RemarkKind.OVER_CREDIT, 5)
    ]
    assert remarks(foreseen(position, "I", pay(9, "L"))) == [
        (RemarkSeverity.WARNING, RemarkKind.MONEY_SHORT, 5)
    ]


def test_a_gift_to_an_excommunicated_power_is_foreseen_to_fail() -> None:
    """Where the ban keeps ducats from it."""
    position = scene(
        options={"excommunication": "no_money"},
        treasury={"I": 5},
        memory={"excommunicated": {"L": "S1455"}},
    )

    assert remarks(foreseen(position, "I", pay(2, "L"))) == [
        (RemarkSeverity.WARNING, RemarkKind.CUT_OFF, 0)
    ]


def test_a_gift_that_is_not_there_as_a_whole_is_foreseen_to_fail() -> None:
    """Where the rules give nothing of it, in the adjustment as well (BNK-18, BNK-23)."""
    options = {"overspend": "void", "gifts_in_adjustment": True}
    for phase in ("S1455M", "F1454B"):
        of = foreseen(scene(phase, options=options, treasury={"I": 5}), "I", pay(9, "L"))

        assert remarks(of) == [(RemarkSeverity.WARNING, RemarkKind.MONEY_SHORT, 0)]
        assert of.left == 5


def test_a_gift_of_the_adjustment_is_gone_before_units_are_paid() -> None:
    """BNK-23."""
    position = scene(
        "F1454B", options={"gifts_in_adjustment": True}, units="I A mil", treasury={"I": 5}
    )
    of = foreseen(position, "I", pay(4, "L"), maintain("A mil"))

    assert of.left == 1
    assert (RemarkSeverity.WARNING, RemarkKind.NOT_PROVIDED_FOR, 0) in remarks(of)


def test_a_debt_that_the_bank_collects_is_foreseen() -> None:
    """With its interest, once no order pays it before."""
    book = [{"power": "V", "principal": 5, "interest": 1, "due": "S1455"}]
    position = scene(treasury={"V": 20}, loans=book)

    assert remarks(foreseen(position, "V")) == [(RemarkSeverity.WARNING, RemarkKind.DEBT_DUE, 6)]
    assert remarks(foreseen(position, "V", pay(6))) == []


def test_famine_is_foreseen_for_who_stays_there_and_who_goes_there() -> None:
    """In Spring, at whose end it strikes (FAM-07)."""
    famine = ["fer", "pad"]
    position = scene(units="V A pad, V A trv, V A man", famine=famine)
    of = foreseen(position, "V", hold("A pad"), hold("A trv"), move("A man", "fer"))
    found = sorted(
        (str(remark.kind), str(remark.unit and remark.unit.place)) for remark in of.remarks
    )

    assert found == [(str(RemarkKind.FAMINE), "pad"), (str(RemarkKind.FAMINE_THERE), "man")]
    later = scene("U1455M", units="V A pad", famine=famine)
    assert remarks(foreseen(later, "V", hold("A pad"))) == []


def test_a_move_into_a_place_that_is_held_for_sure_is_foreseen_to_bounce() -> None:
    """Before one's own unit that stays, and before a garrison in Venice (MAP-34)."""
    own = scene(units="V A pad, V A trv")
    of = foreseen(own, "V", hold("A pad"), move("A trv", "pad"))
    assert [(remark.kind, remark.unit) for remark in of.remarks] == [
        (RemarkKind.BOUNCES, own.state.field[PlaceId("pad")])
    ]
    assert foreseen(own, "V", move("A pad", "fer"), move("A trv", "pad")).remarks == ()

    venice = scene(units="V G ven, I F lag")
    of = foreseen(venice, "I", move("F lag", "ven"))
    assert [(remark.kind, remark.unit) for remark in of.remarks] == [
        (RemarkKind.BOUNCES, venice.state.garrisons[PlaceId("ven")])
    ]


def test_a_default_is_foreseen_and_voids_the_expenses() -> None:
    """With what is missing; others' gifts may still help."""
    book = [{"power": "V", "principal": 20, "interest": 4, "due": "S1455"}]
    position = scene(units="V A pad, I A ver", treasury={"V": 18}, loans=book)
    of = foreseen(position, "V", buy(1, "A ver", 18))

    assert (RemarkSeverity.WARNING, RemarkKind.WILL_DEFAULT, 6) in remarks(of)
    assert [remark.fate for remark in of.remarks if remark.fate] == ["void: default"]
    assert of.left == 0


def test_other_powers_debts_are_not_foreseen() -> None:
    """A forecast is about one power."""
    book = [{"power": "I", "principal": 20, "interest": 4, "due": "S1455"}]
    of = foreseen(scene(treasury={"V": 18}, loans=book), "V")

    assert (of.left, of.entries, of.debts, of.remarks) == (18, (), (), ())


def test_orders_for_units_to_be_bought_are_noted() -> None:
    """With a purchase on file; without one it is probably a slip (issue of bought units)."""
    position = scene(units="V A pad, I A ver, I A vic", treasury={"V": 30})
    of = foreseen(
        position, "V", buy(1, "A ver", 18), move("A ver", "fer"), hold("A vic"), hold("A pad")
    )

    assert [(remark.severity, remark.kind) for remark in of.remarks] == [
        (RemarkSeverity.NOTICE, RemarkKind.IF_BOUGHT),
        (RemarkSeverity.WARNING, RemarkKind.NO_PURCHASE),
    ]


def test_an_order_on_file_for_a_unit_that_is_gone_is_warned_of() -> None:
    """The master took the unit away after the order was filed."""
    position = scene(units="V A pad", treasury={"V": 30})
    of = forecast(
        position.world, position.state, PowerId("V"), (hold("A pad"), move("A ver", "fer"))
    )

    assert remarks(of) == [(RemarkSeverity.WARNING, RemarkKind.NO_UNIT, 0)]


@pytest.mark.parametrize("money", [True, False])
@pytest.mark.parametrize("there", [True, False])
@pytest.mark.parametrize(
    "order",
    [
        support("A pad", "A fer"),
        support("A pad", "A fer", "ver"),
        Transport(named("F uas"), named("A fer"), PlaceId("dal")),
    ],
)
def test_mov_13_a_support_or_transport_of_no_unit_is_warned_of(order, there, money) -> None:
    """Nobody is helped by it; of a unit that is there, whosever, nothing is said."""
    units = "V A pad, V F uas" + (", I A fer" if there else "")
    position = scene(units=units, options={"money": money})

    told = [] if there else [(RemarkSeverity.WARNING, RemarkKind.NOT_THERE, 0)]
    assert remarks(foreseen(position, "V", order)) == told


_TO_DAL = Transport(named("F uas"), named("A fer"), PlaceId("dal"))


@pytest.mark.parametrize(
    ("backing", "other", "told"),
    [
        (support("A pad", "A fer", "bol"), move("A fer", "bol"), False),
        (support("A pad", "A fer", "bol"), move("A fer", "man"), True),
        (support("A pad", "A fer", "bol"), hold("A fer"), True),
        (support("A pad", "A fer"), hold("A fer"), False),
        (support("A pad", "A fer"), support("A fer", "A pad"), False),
        (support("A pad", "A fer"), besiege("A fer"), False),
        (support("A pad", "A fer"), move("A fer", "man"), True),
        (support("A pad", "A fer"), convert("A fer", "G"), True),
        (support("A pad", "G man", "man"), convert("G man", "A"), False),
        (support("A pad", "G man"), convert("G man", "A"), True),
        (_TO_DAL, Advance(named("A fer"), PlaceId("dal"), via=(PlaceId("uas"),)), False),
        (_TO_DAL, move("A fer", "man"), True),
        (_TO_DAL, hold("A fer"), True),
        (replace(_TO_DAL, to=None), hold("A fer"), True),
    ],
)
def test_mov_13_a_support_or_transport_that_an_own_order_contradicts_is_warned_of(
    backing: Order, other: UnitOrder, *, told: bool
) -> None:
    """Of the power's own units alone, and only where they have an order."""
    own = scene(units="V A pad, V F uas, V A fer, V G man")

    def warned(position: Scene, *sheet: Order) -> list[Unit | None]:
        of = forecast(position.world, position.state, PowerId("V"), sheet)
        return [each.unit for each in of.remarks if each.kind is RemarkKind.NOT_MATCHED]

    (unit,) = [
        each
        for each in own.state.units()
        if (each.kind, each.place) == (other.unit.kind, other.unit.place)
    ]
    assert warned(own, backing, other) == ([unit] if told else [])
    assert warned(own, backing) == []
    theirs = scene(units="V A pad, V F uas, I A fer, I G man")
    assert warned(theirs, backing, other) == []


def test_nothing_is_said_of_a_support_that_may_fit_all_the_same() -> None:
    """Where a place is supported, and where the other order falls away."""
    sheet = (support("A pad", "A fer", "bol"), move("A fer", "man"))
    by_place = scene(units="V A pad, V A fer", options={"support_target": "place_power"})
    assert forecast(by_place.world, by_place.state, PowerId("V"), sheet).remarks == ()

    besieging = scene(units="V A pad, V A fer, I G fer", sieges="fer")
    of = foreseen(besieging, "V", support("A pad", "A fer"), move("A fer", "man"))
    assert [each.kind for each in of.remarks] == [RemarkKind.REFUSED]


@pytest.mark.parametrize(
    ("position", "order", "because"),
    [
        ({"sieges": "pad"}, move("A pad", "fer"), HeldInstead(Forced.SIEGE_GOES_ON, "SIE-04")),
        ({"sieges": "pad"}, besiege("A pad"), None),
        ({"sieges": "pad"}, hold("A pad"), None),
        ({}, move("A pad", "fer"), None),
        ({}, convert("A pad", "G"), HeldInstead(Forced.CITY_TAKEN, "CNV-01")),
        ({"sieges": "bol"}, convert("G bol", "A"), HeldInstead(Forced.UNDER_SIEGE, "CNV-14")),
        ({}, convert("G bol", "A"), None),
        ({}, besiege("A man"), HeldInstead(Forced.NOTHING_TO_BESIEGE, "SIE-14")),
        ({}, convert("A man", "G"), None),
        ({"city_rebellion": {"man": "V"}}, convert("A man", "G"), CityRebels(PlaceId("man"))),
    ],
)
def test_sie_04_what_siege_or_rebels_hold_back_is_warned_of(position, order, because) -> None:
    """The order may be given, as a bribe may end the siege, but comes to nothing as it stands."""
    there = scene(units="V A pad, I G pad, V G bol, I A bol, V A man", **position)
    of = foreseen(there, "V", order)

    assert [remark.objection for remark in of.remarks] == ([because] if because else [])


def test_sie_10_the_own_bribe_that_ends_a_siege_frees_the_besieger() -> None:
    """Of an order that counts on it nothing is said, unless the bribe is too small (SIE-11)."""
    there = scene(units="V A pad, I G pad", sieges="pad", treasury={"V": 30})
    kinds = [
        [remark.kind for remark in foreseen(there, "V", move("A pad", "fer"), bribe).remarks]
        for bribe in (bribe_away(1, "G pad", 12), bribe_away(1, "G pad", 9))
    ]

    assert kinds == [[], [RemarkKind.WILL_FAIL, RemarkKind.REFUSED]]


def test_without_money_a_campaign_has_no_forecast() -> None:
    """Nothing to count."""
    position = scene(units="V A pad", options={"money": False})
    of = foreseen(position, "V", hold("A pad"))

    assert (of.treasury, of.left, of.entries, of.remarks) == (0, 0, (), ())


def test_an_adjustment_is_counted_line_by_line() -> None:
    """What is refused for money, what is lost, and who is forgotten."""
    position = scene("F1455B", units="V A pad em, V A ver, V A fer", treasury={"V": 14})
    of = foreseen(
        position, "V", maintain("A pad"), build("A dal", "cm"), maintain("A ver"), build("A trv")
    )

    assert [entry.left for entry in of.entries] == [8, 2, 2, 2]
    assert all(isinstance(entry, AdjustmentEntry) for entry in of.entries)
    assert [(r.severity, r.kind) for r in of.remarks] == [
        (RemarkSeverity.WARNING, RemarkKind.REFUSED),
        (RemarkSeverity.ERROR, RemarkKind.REFUSED),
        (RemarkSeverity.ERROR, RemarkKind.REFUSED),
        (RemarkSeverity.WARNING, RemarkKind.NOT_PROVIDED_FOR),
        (RemarkSeverity.WARNING, RemarkKind.NOT_PROVIDED_FOR),
    ]
    assert of.left == 2


def test_an_adjustment_by_cities_says_what_is_due() -> None:
    """Builds left, builds too many, units that the rules would choose."""
    position = scene(
        "F1455B",
        units="A A cri, V A fer, V A mod, V A bol, V A luc, V A sie",
        options={"money": False},
    )

    assert remarks(foreseen(position, "A", build("A tyr"))) == [
        (RemarkSeverity.NOTICE, RemarkKind.BUILDS_LEFT, 1)
    ]
    assert remarks(foreseen(position, "V", build("A pad"))) == [
        (RemarkSeverity.ERROR, RemarkKind.REFUSED, 0),
        (RemarkSeverity.WARNING, RemarkKind.NOT_PROVIDED_FOR, 0),
    ]


def test_taxes_taken_by_force_are_foreseen_before_what_they_pay_for() -> None:
    """With what they bring, which the upkeep below them can spend."""
    position = scene(
        "F1455B",
        options={"forced_taxation": "v31"},
        units="V A pad",
        treasury={"V": 1},
    )
    outlook = foreseen(position, "V", Tax(PlaceId("pad")), maintain("A pad"))

    assert [entry.left for entry in outlook.entries] == [3, 0]
    assert outlook.left == 0
