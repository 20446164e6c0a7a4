"""Orders that wait: preferences of retreats, standing sieges, standing upkeep."""

from datetime import timedelta

import pytest

from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.options import with_option
from machjudge.adjudicator.orders import Advance, Convert, Disband, Named, Order
from machjudge.adjudicator.units import Kind
from machjudge.judge.orders_ahead import retreats_chosen
from machjudge.judge.tick import look_at_games
from tests.cases import cases
from tests.judge import year
from tests.judge.house import House, built_once, started
from tests.judge.letters_in import raw_mail, work
from tests.judge.riches import springtime
from tests.judge.year import address_of, order, play

SPRING = {**year.SPRING, "I": year.SPRING["I"][:3]}
SUMMER = {**year.SUMMER, "I": year.SUMMER["I"][:3]}
"""Florence's army dislodges that of the Papacy in Perugia."""
PAPACY = ("A bol - fer", "A urb h", "F uas h")


@pytest.fixture
@built_once
def summer() -> House:
    """The game of the tests in its first Summer."""
    house = started("nomoney")
    play(house, SPRING)
    return house


def answer(house: House, power: str, *lines: str) -> str:
    """The answer to an order mail, whitespace made plain."""
    sent = order(house, power, *lines)
    (found,) = [m.body for m in sent if m.to == address_of(house, power) and "Re:" in m.subject]
    return " ".join(found.split())


def results(house: House, orders: year.Orders, of: str) -> str:
    """Play a phase; its results as a power without a mail in it reads them."""
    sent = play(house, orders, of)
    return _told(house, sent, of)


def _told(house: House, sent, of: str) -> str:
    found = [m.body for m in sent if m.to == address_of(house, of) and "Results of" in m.body]
    return " ".join(found[-1].split())


def deadline(house: House) -> list:
    """Let the deadline come."""
    house.now = max(house.now, house.view().clock.deadline + timedelta(minutes=1))
    house.store.tables.now = house.now
    look_at_games(house.services, house.now)
    return house.mails_out()


# --- preferences of retreats -----------------------------------------------------------------


@cases
def test_retreats_are_read_as_people_write_them(
    summer: House, language: str, lines: list[str], kept: list[str]
) -> None:
    """Beside an order, below it, alone; in three languages, with a greeting and a quotation."""
    answer(summer, "P", f"set language {language}")

    answer(
        summer, "P", "Dear judge,", "", *lines, "", "Regards", "Paolo", "", "> A per retreat rme"
    )

    plan = summer.view().plans[PowerId("P")]
    (part,) = [p for p in plan.parts if p.name == "U1454R"]
    assert kept == ["; ".join(item.orders) for item in part.items]
    assert "A per h" in summer.on_file("P")


def test_the_first_place_that_is_open_is_on_file_when_the_retreats_begin(summer: House) -> None:
    """MOV-40: Urbino is not empty.  The receipt and the results say what will happen."""
    said = answer(summer, "P", "A per h; retreat urb, spo, else disband", *PAPACY)
    assert "A Perugia - Urbino, else A Perugia - Spoleto, else A Perugia disband" in said
    assert "To withdraw this: CLEAR U1454R" in said

    told = results(summer, SUMMER, "P")

    assert summer.view().state.moment.code == "U1454R"
    assert summer.on_file("P") == ["A per - spo"]
    assert "A Perugia - Spoleto: the first of your preferences that is open." in told


def test_the_phase_waits_for_its_deadline_and_ready_plays_it(summer: House) -> None:
    """Nobody loses the look at the position by having thought of a retreat before."""
    answer(summer, "P", "A per h; retreat spo", *PAPACY)
    results(summer, SUMMER, "P")
    look_at_games(summer.services, summer.later(hours=1))
    assert summer.view().state.moment.code == "U1454R"

    answer(summer, "P", "READY")

    assert summer.view().state.moment.code == "F1454M"
    assert summer.view().state.field[PlaceId("spo")].owner == "P"


def test_at_the_deadline_they_are_played(summer: House) -> None:
    """Their player sent nothing else."""
    answer(summer, "P", "A per h; retreat spo", *PAPACY)
    results(summer, SUMMER, "P")

    deadline(summer)

    assert summer.view().state.field[PlaceId("spo")].owner == "P"


def test_below_a_phase_line_they_are_orders_like_any_others(summer: House) -> None:
    """Who writes orders for that very phase does not want it to wait."""
    answer(summer, "P", "A per h", *PAPACY, "PHASE U1454R", "A per retreat urb, spo")

    results(summer, SUMMER, "P")

    assert summer.view().state.moment.code == "F1454M"
    assert summer.view().state.field[PlaceId("spo")].owner == "P"


def test_what_the_player_sends_in_the_phase_goes_before_them(summer: House) -> None:
    """Orders of the phase count."""
    answer(summer, "P", "A per h; retreat spo", *PAPACY)
    results(summer, SUMMER, "P")

    answer(summer, "P", "A per - rme")
    deadline(summer)

    assert PlaceId("spo") not in summer.view().state.field
    assert summer.view().state.field[PlaceId("rme")].owner == "P"


def test_none_that_is_open_leaves_the_unit_without_an_order(summer: House) -> None:
    """The attacker came from Arezzo, Urbino is not empty (MOV-40); the player is told."""
    answer(summer, "P", "A per h; retreat are, urb", *PAPACY)

    told = results(summer, SUMMER, "P")

    assert summer.on_file("P") == []
    assert "None of your preferences is open to A Perugia, which has no order." in told


def test_units_that_are_not_dislodged_take_no_room_in_the_results(summer: House) -> None:
    """Nothing was refused, nothing unused."""
    answer(summer, "P", "A per h; retreat spo", "A urb h; retreat anc", *PAPACY[::2])

    told = results(summer, SUMMER, "P")

    assert "Urbino" not in told.partition("ORDERS KEPT FOR THIS PHASE")[2].partition("LINES")[0]
    assert "did not come" not in told


@pytest.mark.parametrize("drop", ["A per retreat none", "CLEAR U1454R", "CLEAR", "CLEAR LATER"])
def test_they_are_withdrawn(summer: House, drop: str) -> None:
    """One, those of the phase, and with the orders with which they were given."""
    answer(summer, "P", "A per h; retreat spo", *PAPACY)

    answer(summer, "P", drop)

    assert summer.view().plans[PowerId("P")].parts == ()


def test_a_newer_list_for_the_unit_takes_the_place_of_the_older(summer: House) -> None:
    """Of one unit only one list is kept, and RESTORE brings an older one back."""
    answer(summer, "P", "A per h; retreat spo", *PAPACY)
    answer(summer, "P", "A per retreat rme")
    (part,) = summer.view().plans[PowerId("P")].parts
    assert [item.orders for item in part.items] == [("A per - rme",)]

    answer(summer, "P", "RESTORE LATER 1")

    (part,) = summer.view().plans[PowerId("P")].parts
    assert [item.orders for item in part.items] == [("A per - spo",)]


@cases
def test_what_cannot_be_is_refused_at_once(summer: House, lines: list[str], why: str) -> None:
    """Nothing of the list is kept."""
    said = answer(summer, "P", *lines)

    assert why in said
    assert "(if dislodged)" not in said


def test_where_the_judge_chooses_there_is_nothing_to_prefer(summer: House) -> None:
    """MOV-47, as in 1978: retreats happen in the campaign."""
    summer.change(rules=with_option(summer.game().rules, "retreat_choice", "judge_ranked"))

    said = answer(summer, "P", "A per h; retreat spo")

    assert "the judge chooses where dislodged units retreat" in said
    assert summer.on_file("P") == ["A per h"]


def test_dry_and_strangers_keep_nothing(summer: House) -> None:
    """A mail without a proof does no more with them than with orders."""
    answer(summer, "P", "DRY", "A per h; retreat spo", "always F uas h")
    summer.store.receive(
        raw_mail(address_of(summer, "P"), ["SIGNON Pborgia wrong", "A per retreat spo"]),
        address_of(summer, "P"),
        summer.now,
    )
    work(summer)

    assert PowerId("P") not in summer.view().plans


def to(unit: str, *places: str) -> list[Order]:
    """Retreats of an army; ``c`` converts, ``d`` disbands."""
    named = Named(Kind.ARMY, PlaceId(unit))
    others = {"c": Convert(named, Kind.GARRISON), "d": Disband(named)}
    return [others.get(place) or Advance(named, PlaceId(place)) for place in places]


@cases
def test_units_of_one_power_do_not_destroy_each_other(
    wanted: list[list[str]], taken: list[str], chosen: list[str]
) -> None:
    """An earlier unit makes room where a later one would have no place; to disband comes last."""
    options = [to(str(n), *places) for n, places in enumerate(wanted)]

    found = retreats_chosen(options, [PlaceId(place) for place in taken])

    letters = [
        order.to if isinstance(order, Advance) else "c" if isinstance(order, Convert) else "d"
        for order in found
        if order is not None
    ]
    assert letters == chosen


# --- standing sieges -------------------------------------------------------------------------

SIEGE = ("always A trt besieges", "A man h", "A mon h")


def test_a_standing_siege_goes_on_until_the_city_falls(summer: House) -> None:
    """SIE-01: it is ordered in Summer, on file in Fall, and over in the next Spring."""
    said = answer(summer, "I", *SIEGE)
    assert "A Trent B (until the siege is over)" in said
    assert "A trt b" in summer.on_file("I")
    told = results(summer, {**SUMMER, "P": ("A per - spo", *PAPACY)}, "I")
    assert "A Trent B: your standing siege goes on." in told
    assert summer.on_file("I") == ["A trt b"]
    assert PowerId("I") not in {p for p in summer.view().order_sets if p != "I"}

    sent = play(summer, {"I": ("A man h", "A mon h"), **dict.fromkeys("VLPNTAF", ("hold all",))})

    assert PlaceId("trt") not in summer.view().state.garrisons
    assert "Your standing siege by A trt is over." in _told(summer, sent, "I")
    assert "until the siege" not in answer(summer, "I", "LIST")


@cases
def test_another_order_for_the_unit_gives_it_up(summer: House, ordered: str, goes_on: bool) -> None:
    """To hold keeps a siege half done (SIE-07); anything else ends it, and that is told."""
    answer(summer, "I", *SIEGE)

    said = answer(summer, "I", ordered)

    assert ("Your standing siege by A trt is over." in said) is not goes_on
    results(summer, {**SUMMER, "P": ("A per - spo", *PAPACY)}, "I")
    assert (summer.on_file("I") == ["A trt b"]) is goes_on


@pytest.mark.parametrize("drop", ["always A trt none", "CLEAR EVERY M", "CLEAR STANDING"])
def test_a_standing_siege_is_withdrawn(summer: House, drop: str) -> None:
    """The order of this campaign stays."""
    answer(summer, "I", *SIEGE)

    answer(summer, "I", drop)

    assert "A trt b" in summer.on_file("I")
    assert summer.view().plans[PowerId("I")].parts == ()


def test_a_siege_without_a_besieger_is_refused(summer: House) -> None:
    """There is no army in Padua, and none of Milan's in Bologna."""
    said = answer(summer, "I", "always A gen besieges", "always A bol besieges")

    assert said.count("NOT TAKEN") == 1
    assert PowerId("I") not in summer.view().plans


# --- standing upkeep -------------------------------------------------------------------------


def test_standing_upkeep_is_on_file_in_each_adjustment() -> None:
    """In the order in which it was written, REST as SET PRIORITY says; results say so."""
    house = springtime()
    said = answer(house, "I", "set priority F, A mil", "always maintain A pav, rest")
    assert "maintain A Pavia maintain rest Used in each adjustment" in said

    everybody = dict.fromkeys("IVLPNTAF", ("hold all",))
    for _ in range(3):
        sent = play(house, everybody)
    told = _told(house, sent, "I")

    assert house.view().state.moment.code == "F1454B"
    assert house.on_file("I") == ["maintain A pav", "maintain A mil", "maintain A cre"]
    assert "These are your standing orders for every adjustment." in told


@pytest.fixture
def adjusting() -> House:
    """The first adjustment, with Milan's standing upkeep on file and nothing else of it."""
    house = springtime()
    answer(house, "I", "always maintain A pav, rest")
    for _ in range(3):
        play(house, dict.fromkeys("IVLPNTAF", ("hold all",)))
    assert house.on_file("I")[0] == "maintain A pav"
    return house


def test_a_changed_list_of_upkeep_counts_for_the_adjustment_at_hand(adjusting: House) -> None:
    """Nothing else is on file there; the older list can be had back."""
    had = adjusting.on_file("I")
    said = answer(adjusting, "I", "always maintain A mil")

    assert adjusting.on_file("I") == ["maintain A mil"]
    assert "Your changed standing orders count for this phase as well; RESTORE 1" in said
    answer(adjusting, "I", "RESTORE 1")
    assert adjusting.on_file("I") == had


def test_a_changed_list_of_upkeep_drops_no_order_for_the_phase(adjusting: House) -> None:
    """What was ordered for this one stays; the player reads from when the list counts."""
    answer(adjusting, "I", "remove A cre")
    had = adjusting.on_file("I")
    said = answer(adjusting, "I", "always maintain A mil")

    assert adjusting.on_file("I") == had
    assert "stay as they are; the changed standing orders count from the next adjustment" in said


def test_a_newer_list_of_upkeep_takes_the_place_of_the_older() -> None:
    """Two lists would pay for what the player no longer wants first."""
    house = springtime()
    answer(house, "I", "always maintain A pav, rest")

    said = answer(house, "I", "always maintain A mil")

    assert "maintain A Pavia" not in said
    assert "Other units are not paid for; MAINTAIN REST adds them." in said
