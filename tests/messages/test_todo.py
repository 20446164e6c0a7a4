"""What a power has to do, ready to copy; tables of who holds what."""

from dataclasses import replace

from machjudge.adjudicator.board import Spot
from machjudge.adjudicator.moments import Campaign, Moment, Season, Stage
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.options import with_option
from machjudge.adjudicator.state import Dislodged, Loan, State
from machjudge.adjudicator.units import Kind, Unit
from machjudge.adjudicator.world import world_of
from machjudge.judge.opening import set_up
from machjudge.judge.rule_settings import BadOption, rules_for
from machjudge.messages.receipt import alert, asked, example, todo
from machjudge.messages.tables import board_units, holdings, marked
from machjudge.messages.visibility import EVERYTHING
from machjudge.messages.wording import Words
from tests.judge.house import atlas
from tests.messages.said import lines

L, P = PowerId("L"), PowerId("P")
FLO, ARE, PST = PlaceId("flo"), PlaceId("are"), PlaceId("pst")


def words(*options: str) -> Words:
    """1454 with some options."""
    scenario = atlas().scenario("1454")
    assert scenario is not None
    rules = rules_for(scenario, options)
    assert not isinstance(rules, BadOption)
    return Words(world_of(scenario, rules))


def at(state: State, stage: Stage) -> State:
    """The same position in another phase of Fall 1454."""
    return replace(state, moment=Moment(Campaign(1454, Season.FALL), stage))


def test_eliminated_power_has_nothing_to_do() -> None:
    """It is told so, once and for all."""
    speech = words()
    state = replace(set_up(speech.world), eliminated=frozenset({L}))

    assert lines(todo(speech, state, L)) == ("Florence is eliminated: no more orders.",)


def test_a_campaign_shows_what_a_power_has_and_owes() -> None:
    """Treasury, debts by their dates, what is due now, and whom its chits are for."""
    speech = words()
    due = Campaign(1454, Season.FALL)
    state = replace(
        at(set_up(speech.world), Stage.CAMPAIGN),
        treasuries={L: 7},
        loans=(Loan(L, 10, 2, due), Loan(P, 3, 1, due)),
        chits={L: (P, P)},
    )

    assert lines(todo(speech, state, L))[-4:] == (
        "Your treasury: 7 ducats.",
        "You owe the bank 10+2d due Fall 1454.",
        "12 ducats of your debt are due in this campaign. The bank takes them before your "
        "expenses; if you have less, it takes all, has your leader killed, and never lends again.",
        "Assassination chits: Papacy (2)",
    )


def test_an_adjustment_that_ducats_do_not_pay_for_names_who_goes() -> None:
    """The lines can be sent as they stand; each removal has a button of its own besides."""
    speech = words()
    state = replace(at(set_up(speech.world), Stage.ADJUSTMENT), treasuries={L: 7})
    asks = asked(speech, state, L)
    removed = [line for line in asks.sendable if line.startswith("remove ")]

    assert len(asks.sendable) == 3
    assert len(removed) == 1
    assert asks.offered[0] == removed[0]
    assert "Your ducats do not pay for all of them." in " ".join(lines(asks.due))
    rich = asked(speech, replace(state, treasuries={L: 9}), L)
    assert [line for line in rich.sendable if line.startswith("remove ")] == []
    assert "do not pay" not in " ".join(lines(rich.due))


def test_a_set_up_that_is_only_paid_asks_for_no_maintain_orders() -> None:
    """Units stay as far as the ducats go, whatever is ordered (INC-16)."""
    speech = words()
    rules = with_option(speech.world.rules, "initial_adjustment", "maintain_only")
    speech = Words(world_of(speech.world.scenario, rules))
    before = Moment(Campaign(1453, Season.FALL), Stage.ADJUSTMENT)
    state = replace(set_up(speech.world), moment=before, treasuries={L: 20})
    told = " ".join(lines(todo(speech, state, L)))

    assert "whatever you order, and nothing is built before the first campaign." in told
    assert "without a maintain order" not in told


def test_power_without_units_is_asked_for_nothing() -> None:
    """In a campaign."""
    speech = words("nomoney")
    state = replace(set_up(speech.world), field={}, garrisons={})

    assert lines(todo(speech, state, L)) == ("Florence has no units to give orders to.",)


def test_retreats_are_offered_line_by_line() -> None:
    """Places, the own city, and the end."""
    speech = words("nomoney")
    unit = Unit(L, Kind.ARMY, FLO)
    waiting = Dislodged(unit, (Spot(PlaceId("pst")),), convert=True)
    state = at(replace(set_up(speech.world), dislodged=(waiting,)), Stage.RETREATS)

    assert lines(todo(speech, state, L))[1:4] == (
        "A Florence - Pistoia",
        "A Florence C G",
        "A Florence disband",
    )
    assert lines(alert(speech, state, L)) == ("You must retreat: A Florence.",)
    assert lines(todo(speech, state, P)) == ("Papacy: nothing to do in this phase.",)
    assert lines(alert(speech, state, P)) == ()


def test_power_with_too_many_units_is_asked_to_remove() -> None:
    """Without money; the line to send back is what the rules would choose."""
    speech = words("nomoney")
    state = at(set_up(speech.world), Stage.ADJUSTMENT)
    poorer = replace(state, cities={p: o for p, o in state.cities.items() if p != FLO})

    assert lines(todo(speech, poorer, L)) == (
        "Florence: 2 cities, 3 units.",
        "You must remove 1 unit. The lines to send back name whom the rules would choose.",
        "remove A Arezzo",
    )


def test_power_with_as_many_units_as_cities_has_nothing_to_adjust() -> None:
    """Without money."""
    speech = words("nomoney")
    state = at(set_up(speech.world), Stage.ADJUSTMENT)

    assert lines(todo(speech, state, L))[-1] == "Nothing to do in this phase."


def test_power_that_can_build_nowhere_is_offered_no_place() -> None:
    """With money, and all home cities in other hands."""
    speech = words()
    state = at(set_up(speech.world), Stage.ADJUSTMENT)
    lost = replace(state, cities={p: o for p, o in state.cities.items() if o != L})

    assert not any("build" in line for line in lines(todo(speech, lost, L)))


def test_newcomers_example_fits_the_phase() -> None:
    """Holds in a campaign, upkeep in an adjustment with money, nothing in one without."""
    rich, poor = words(), words("nomoney")

    assert example(poor, set_up(poor.world), L)[0] == "A Arezzo H"
    assert example(rich, set_up(rich.world), L)[0] == "maintain A Arezzo"
    assert example(poor, at(set_up(poor.world), Stage.ADJUSTMENT), L) == ()


def test_marks_are_explained_where_they_are_used() -> None:
    """Famine, rebellion and siege only when there is one."""
    speech = words()
    calm = set_up(speech.world)
    troubled = replace(
        calm,
        famine=frozenset({FLO}),
        province_rebellions={PST: L},
        city_rebellions={ARE: L},
        sieges=frozenset({FLO}),
    )

    assert lines(holdings(speech, calm))[-1] == "* home country"
    text = " ".join(lines(holdings(speech, troubled)))
    assert "Arezzo*, Florence*%, Pisa*, Pistoia*+" in text
    assert "Arezzo*+, Florence*!, Pisa*" in text
    assert lines(marked(speech, calm)) == ()
    assert lines(marked(speech, troubled)) == (
        "+ rebellion: Arezzo, Pistoia",
        "% famine: Florence",
        "! besieged: Florence",
    )
    assert "* home country, + rebellion, % famine, ! besieged" in text


def test_conquered_home_countries_are_listed() -> None:
    """Once one of them has passed into other hands."""
    speech = words()
    state = set_up(speech.world)
    homes = {p: (P if o == L else o) for p, o in state.homes.items()}

    text = "\n".join(lines(holdings(speech, replace(state, homes=homes))))
    assert "Home countries:" in text
    assert "Papacy: Florence, Papacy" in text
    assert "Home countries:" not in "\n".join(lines(holdings(speech, state)))


def test_units_are_listed_by_power_with_autonomous_ones_last() -> None:
    """In the order of the scenario."""
    speech = words()

    lines = board_units(speech, EVERYTHING.view(speech.world, set_up(speech.world)))
    assert lines[0].startswith("Milan:")
    assert any(line.startswith("Autonomous:") for line in lines)
    assert not any(line.startswith("France") for line in lines[-1:])


def test_adjustment_lists_all_that_can_be_built() -> None:
    """Kind by kind, in lines that can be sent: an army where none stands, garrisons anywhere."""
    speech = words()
    state = replace(at(set_up(speech.world), Stage.ADJUSTMENT), treasuries={P: 20, L: 20})
    venice = lines(todo(speech, state, PowerId("V")))
    at_first = venice.index("You can build:")

    assert venice[at_first - 1] == "New units cost 3 ducats each."
    assert venice[at_first + 1 :][:2] == ("build A Treviso", "build G Padua, G Treviso")
    assert "build G Ancona, G Bologna, G Perugia, G Rome" in lines(todo(speech, state, P))


def test_adjustment_says_when_nothing_can_be_built() -> None:
    """All cities are lost."""
    speech = words()
    state = replace(at(set_up(speech.world), Stage.ADJUSTMENT), homes={})

    assert "There is no place for a new unit of yours." in lines(todo(speech, state, L))
