"""Results begin with the news for their reader, and so do their subjects."""

from copy import deepcopy
from dataclasses import replace

import pytest

from machjudge.adjudicator import events as event_types
from machjudge.adjudicator.events import Event
from machjudge.adjudicator.moments import Stage, read_moment
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.orders import Expense, Hold, Named, Purpose
from machjudge.adjudicator.reasons import Forced, HeldInstead, Removal
from machjudge.adjudicator.state import View
from machjudge.judge.game_settings import Policy, Treasuries
from machjudge.judge.mails import Outgoing
from machjudge.judge.tick import look_at_games
from machjudge.messages.news import changes_of, news
from machjudge.messages.results import PlayedPhase, own_orders, unit_reports
from machjudge.messages.wording import Words, parts_of
from tests.cases import cases
from tests.judge.ending.test_ending import nearly_won, year_to_spring
from tests.judge.house import House, started
from tests.judge.letters_in import answer, reply, results_to, write
from tests.judge.phases.test_mastering import GINA, ruled
from tests.judge.riches import position, springtime
from tests.judge.year import FALL, OPENING, SPRING, SUMMER, address_of, order, play
from tests.messages.said import say

FLORENCE = ("A are H", "A flo H", "F psa H")
PAPACY = ("A bol H", "A per H", "A rme H", "F anc H")


def bribed(counter: int) -> Outgoing:
    """What the Papacy reads when Florence pays 21 ducats for its army in Bologna."""
    house = springtime()
    sent = order(house, "L", *FLORENCE, "A bol - mod", "e1: 21 d buy A bol")
    sent += order(house, "P", *PAPACY, f"e1: {counter} d counter-bribe A bol")
    for power in "IVNTAF":
        sent += order(house, power, "hold all")
    return results_to(sent, address_of(house, "P"))


def test_a_lost_army_is_told_with_what_would_have_saved_it() -> None:
    """The sum, the price, and how much was missing."""
    told = bribed(3)

    assert "– Bologna lost, A Bologna gone (" in told.subject
    assert "Florence bought your A Bologna for 21 ducats." in told.body
    saved = "21 - 3 = 18, the price was 18. 3 ducats more would have saved it."
    assert saved in " ".join(told.body.split())


def test_news_stand_in_the_first_lines() -> None:
    """What is lost, taken and owned comes before the deadline, and the head of tools is last."""
    body = bribed(3).body
    news, _, rest = body.partition("\n\n")

    assert "You lost Bologna." in news
    assert "You have " in news
    assert rest.startswith("NEXT: Summer 1454\n")
    assert body.splitlines()[-2].startswith(":: Judge: MACH  Game: Borgia")
    assert body.splitlines()[-1].startswith(":: Deadline: U1454M ")


def test_what_is_hidden_is_no_news() -> None:
    """Where treasuries are hidden, the price of a bribe stands in no other power's message."""
    house = springtime()
    house.change_settings(treasuries=Treasuries.PRIVATE)
    sent = order(house, "L", *FLORENCE, "A bol - mod", "e1: 21 d buy A bol")
    sent += order(house, "P", *PAPACY, "e1: 3 d counter-bribe A bol")
    for power in "IVNTAF":
        sent += order(house, power, "hold all")
    victim = results_to(sent, address_of(house, "P"))

    assert "Your A Bologna now serves Florence." in victim.body
    for power in "IVPNTAF":
        told = results_to(sent, address_of(house, power))
        assert "21" not in told.body.partition("LINES TO SEND BACK")[0].replace("1421", "")
        assert "21" not in told.subject
    own = results_to(sent, address_of(house, "L"))
    assert "21" in own.body


def test_a_plain_subject_has_the_code_alone() -> None:
    """For anyone who asked for it, and nobody else; news are back on demand."""
    house = started("nodice")
    said = write(house, "anna@player.example", "SIGNON Lborgia pwL", "SET SUBJECT PLAIN")
    assert "The subjects of your results have the code of the phase." in answer(
        said, "anna@player.example"
    )
    sent = play(house, OPENING)

    assert results_to(sent, "anna@player.example").subject == "MACH:borgia - F1453B Results"
    assert results_to(sent, "marco@player.example").subject.startswith(
        "borgia: orders by Fri 27 Nov, 13:00"
    )

    write(house, "anna@player.example", "SIGNON Lborgia pwL", "SET SUBJECT NEWS")
    again = results_to(play(house, SPRING), "anna@player.example")
    assert (
        again.subject == "borgia: orders by Fri 27 Nov, 13:00 – Piombino and Siena taken (U1454M)"
    )
    wrong = write(house, "anna@player.example", "SIGNON Lborgia pwL", "SET SUBJECT blue")
    assert "Write plain, or news." in answer(wrong, "anna@player.example")


def test_anyone_who_leads_nothing_reads_of_all_powers() -> None:
    """The master reads who took what, and that places changed hands."""
    house = ruled("nodice")
    play(house, OPENING)
    told = results_to(play(house, SPRING), GINA)

    assert "places change hands" in told.subject
    assert told.body.startswith("Milan took Mantua, Montferrat and Trent")
    assert "You " not in told.body.partition("NEXT:")[0]


@pytest.mark.parametrize("power", "LPVN")
def test_the_lines_to_send_back_are_orders_for_each_unit(power) -> None:
    """Sent as they stand, they are a complete order set."""
    house = started("nodice")
    for orders in (OPENING, SPRING):
        sent = play(house, orders)
    form = results_to(sent, address_of(house, power)).body.partition("LINES TO SEND BACK\n")[2]
    lines = [line for line in form.partition("\n\n")[0].splitlines() if line.endswith((" H", " B"))]

    said = order(house, power, *lines)

    assert "COMPLETE: all orders of" in answer(said, address_of(house, power))


def test_a_siege_that_is_half_done_goes_on_by_default() -> None:
    """The line to send back besieges, and the places in reach stand below the lines."""
    house = started("nodice")
    for orders in (OPENING, SPRING, SUMMER):
        sent = play(house, orders)
    told = results_to(play(house, {"P": ("A Perugia - Spoleto",)}) or sent, address_of(house, "I"))

    assert FALL
    assert "A Trent B\n" in told.body.partition("LINES TO SEND BACK\n")[2]
    assert "A Trent reaches " in told.body


def test_an_untouched_reply_changes_nothing_and_is_told_so() -> None:
    """The message alone, quoted; a reply with orders of its own is not told so."""
    house = started("nodice")
    play(house, OPENING)
    letter = results_to(play(house, SPRING), "anna@player.example")
    quoted = ["On Fri, MACH judge wrote:", *(f"> {line}" for line in letter.body.splitlines())]
    says = "Your mail holds nothing but the message that it quotes, so nothing was changed."

    untouched = answer(reply(house, letter, *quoted), "anna@player.example")
    ordered = answer(reply(house, letter, "A are H", *quoted), "anna@player.example")

    assert says in untouched
    assert "A Arezzo: no order" in untouched
    assert says not in ordered


def test_nothing_of_others_is_called_the_reader_s_own() -> None:
    """Florence bounces off its own army: to Venice that army is one of the same power."""
    florence = ("A flo - are", "A are H", "F psa H")
    sent = play(springtime("nodice"), {**SPRING, "I": SPRING["I"][:3], "L": florence})

    for address in ("anna@player.example", "marco@player.example"):
        said = " ".join(results_to(sent, address).body.split())
        assert "A Florence - Arezzo; bounced: A Arezzo of the same power did not leave" in said
        assert "your own" not in said


def test_where_only_cities_count_provinces_are_no_news() -> None:
    """Plain Diplomacy: an army in Burgundy takes nothing, and each centre is named once."""
    house = House()
    house.start("standard", ["PRESET", "diplomacy"])
    first = {"F": ("A par - bur", "A mar - spa", "F bre H"), "A": ("A bud - ser",)}
    second = {"F": ("A bur H", "A spa - por", "F bre - pic")}
    for moves in (first, second):
        sent = []
        for power in "AEFGIRT":
            sent += order(house, power, *moves.get(power, ()), "hold rest")
    told = results_to(sent, address_of(house, "F"))
    other = results_to(sent, address_of(house, "E"))

    assert "– Portugal taken (" in told.subject
    assert "You took Portugal.\n" in told.body
    assert "Provinces:" not in told.body
    assert "Austria (4): Budapest*, Serbia, Trieste*, Vienna*" in told.body
    assert "France: 4 cities (+1)\n" in told.body
    assert told.body.count("+Portugal") == other.body.count("+Portugal") == 1
    assert "Burgundy" not in other.body.partition("CHANGED HANDS")[2].partition("LINES")[0]


def test_rebels_stand_in_the_subject_of_whom_they_rise_against() -> None:
    """Somebody who reads no more than the inbox must not take it for a quiet season."""
    house = springtime()
    sent = order(house, "L", *FLORENCE, "e1: cause rebellion Perugia")
    for power in "IVPNTAF":
        sent += order(house, power, "hold all")

    assert "– rebels in Perugia (" in results_to(sent, address_of(house, "P")).subject
    assert "nothing lost" in results_to(sent, address_of(house, "L")).subject


def test_famine_is_told_to_those_whose_land_or_units_it_strikes() -> None:
    """With the units that it will kill: in time to relieve them, or to march them off (FAM-07)."""
    house = springtime()
    position(house, moment=read_moment("F1454M"))
    sent: list[Outgoing] = []
    for power in "IVLPNTAF":
        sent += order(house, power, "hold all")
    struck = house.view().state.famine
    told = {power: results_to(sent, address_of(house, power)).body for power in "IVLPNTAF"}
    state = house.view().state

    assert struck
    for power, body in told.items():
        news = " ".join(body.partition("\nNEXT")[0].split())
        at_risk = [unit for unit in state.units_of(power) if unit.place in struck]
        lands = [place for place in struck if state.provinces.get(place) == power]
        assert ("Famine has come to" in news) is bool(at_risk or lands)
        assert ("die of it after Spring" in news) is bool(at_risk)
    assert any("die of it after Spring" in body for body in told.values())
    assert not all("Famine has come to" in body for body in told.values())


def test_a_unit_without_an_order_has_done_nothing() -> None:
    """Where grace is over, or for a unit just bought: it is neither done nor failed."""
    house = springtime()
    sent = order(house, "L", *FLORENCE, "e1: 9 d buy G sie")
    for power in "IVPNTAF":
        sent += order(house, power, "hold all")
    rows = results_to(sent, address_of(house, "L")).body.splitlines()

    assert "Done: A Arezzo H" in rows
    assert "G Siena: no order" in rows


def test_a_unit_that_cannot_be_paid_is_no_order_that_was_done() -> None:
    """What was ordered failed; that the unit goes was ordered by nobody."""
    house = started("nodice")
    write(house, "lucia@player.example", "SIGNON Mborgia masterkey", "FIX TREASURY L 6 BECAUSE x")
    body = results_to(play(house, OPENING), address_of(house, "L")).body
    own = body.partition("YOUR ORDERS\n")[2].partition("\n\n")[0]

    assert "1 of your 3 orders failed, see below." in body
    assert "Failed: cannot maintain F Pisa: not enough ducats [ADJ-12]" in own
    assert "\ndoes not maintain F Pisa: it is removed" in own


def taken_over() -> House:
    """Milan has one city left, and an army of Venice stands before it."""
    house = springtime("nodice")
    state = house.view().state
    army = state.field[PlaceId("pad")]
    field = {place: unit for place, unit in state.field.items() if unit.owner != "I"}
    del field[PlaceId("pad")]
    field[PlaceId("pav")] = replace(army, place=PlaceId("pav"))
    owners = {
        kind: {
            place: PowerId("V") if owner == "I" and place != "mil" else owner
            for place, owner in held.items()
        }
        for kind, held in (("cities", state.cities), ("provinces", state.provinces))
    }
    position(house, field=field, garrisons={}, **owners)
    return house


def test_an_elimination_stands_first_for_everybody_and_in_the_subject() -> None:
    """Anyone who is out reads so before all that was lost; afterwards they read of all powers."""
    house = taken_over()
    orders = dict.fromkeys("LPNTAF", ("hold all",))
    sent = play(house, {**orders, "V": ("A pav - mil", "hold rest")})
    out, other = (results_to(sent, address_of(house, power)) for power in "IL")
    later = results_to(play(house, {**orders, "V": ("hold all",)}), address_of(house, "I"))

    assert "– you are eliminated, Milan lost (" in out.subject
    assert out.body.startswith("Your power, Milan, is eliminated: you are out of the game.\n")
    assert "The home country of Milan is Venice's now." in out.body.partition("NEXT:")[0]
    assert "– Milan eliminated (" in other.subject
    assert other.body.startswith("Milan is eliminated.\nYou lost nothing")
    assert later.body.startswith("Nothing has changed hands.\n")


@cases
def test_a_victory_stands_in_the_subject(cities, auto, subject) -> None:
    """The judge ends the game, or its master is to say so."""
    house = nearly_won(cities, auto=auto)
    sent = year_to_spring(house)

    assert f" – {subject} (" in results_to(sent, address_of(house, "A")).subject


def missed(policy: Policy, *orders: str) -> tuple[House, Outgoing]:
    """What Turkey reads of a Spring for which it sent nothing, or too little."""
    house = springtime()
    house.change_settings(policy=policy)
    for power in "IVLPNAF":
        order(house, power, "hold all")
    if orders:
        order(house, "T", *orders)
    return house, results_to(grace_over(house), address_of(house, "T"))


def grace_over(house: House) -> list[Outgoing]:
    """The messages at the end of the grace."""
    grace = house.view().clock.grace
    assert grace is not None
    house.now = grace
    house.mails_out()
    look_at_games(house.services, house.now)
    return house.mails_out()


@pytest.mark.parametrize("policy", [Policy.HOLD, Policy.CIVIL_DISORDER])
def test_a_missed_turn_is_the_news(policy: Policy) -> None:
    """First in the subject and in the text; nothing is ticked as done that nobody ordered."""
    _, told = missed(policy)
    body = " ".join(told.body.split())

    assert "– your orders did not come" in told.subject
    assert "Your orders for Spring 1454 did not come: your units held," in body[:200]
    assert "Done: " not in told.body
    assert "A Albania H (no order)" in body or "A Albania: no order" in body


def test_some_missed_orders_are_told_too() -> None:
    """With what became of the units without one."""
    _, told = missed(Policy.CIVIL_DISORDER, "A alb - her")
    body = " ".join(told.body.split())

    assert "– some of your orders did not come" in told.subject
    assert "Some of your orders for Spring 1454 did not come: your units without an order" in body
    assert "Done: A Albania - Herzegovina\n" in told.body


def test_what_the_judge_keeps_for_the_silent_is_not_done_by_them() -> None:
    """In the adjustment it keeps the units that the ducats pay for."""
    house, _ = missed(Policy.HOLD)
    position(house, moment=read_moment("F1454B"))
    for power in "IVLPNAF":
        order(house, power, "maintain all")
    told = results_to(grace_over(house), address_of(house, "T"))

    assert "Done: " not in told.body
    assert "maintains A Albania (3d) (no order)\n" in told.body
    assert "you keep as many units as your ducats pay for" in " ".join(told.body.split())


def read_by(house: House, power: str, *events: Event, **changes: object) -> list[str]:
    """The news of a phase with these events; *changes* are of the position before it."""
    view = house.view()
    before = replace(view.state, **changes)  # type: ignore[arg-type]
    after = deepcopy(before)
    for event in events:
        if isinstance(event, event_types.Change):
            event.apply(after)
    played = PlayedPhase(View.of(before), View.of(after), events, {})
    return [say(line) for line in news(Words(view.world), played, events, (PowerId(power),))]


def settled(power: str, expense: Expense, fate: event_types.Fate, die: int = 0) -> list[Event]:
    """An expense of twelve ducats and its result."""
    owner = PowerId(power)
    dice = [event_types.DiceThrown(f"assassination {power}", (die,))] if die else []
    paid = event_types.ExpensePaid(owner, expense.number, 12, 12)
    return [paid, *dice, event_types.ExpenseSettled(owner, expense, fate, 12, 12)]


def test_who_paid_for_an_assassin_in_vain_is_told_to_the_one_who_lives() -> None:
    """With the die, as far as payments may be read; nobody else has it as news."""
    house = springtime()
    expense = Expense(1, Purpose.ASSASSINATE, 12, power=PowerId("L"))
    events = settled("V", expense, "failed", die=4)
    told = (
        "Venice paid 12 ducats to have your leader killed, in vain (die 4, kills up to 1: failed)."
    )

    assert told in read_by(house, "L", *events)
    assert told not in read_by(house, "P", *events)


def test_a_dead_leader_reads_that_the_game_goes_on_for_them() -> None:
    """Who killed, and what the units do next."""
    (first, *_) = read_by(
        springtime(), "L", event_types.PowerAssassinated(PowerId("L"), (PowerId("V"),))
    )

    assert first.startswith("Your leader is killed by Venice. You go on: your units held")


def test_rebels_are_told_with_who_paid_and_what_pacifies_them() -> None:
    """The price is that of the game, and the line one that it takes."""
    house = springtime()
    perugia = PlaceId("per")
    expense = Expense(1, Purpose.CAUSE_REBELLION, 9, place=perugia)
    risen = event_types.RebellionStarted(perugia, PowerId("P"), in_province=True, in_city=False)
    (told,) = (
        line
        for line in read_by(house, "P", *settled("L", expense, "done"), risen)
        if "Rebels" in line
    )
    price = house.view().world.rules.money.prices["b"]
    line = f"expense 1: {price} ducats pacify rebellion Perugia"

    assert told.startswith("Rebels rise against you in Perugia: Florence paid for it. To pacify")
    assert told.endswith(f"costs {price} ducats: {line}.")
    dead = [risen, event_types.RebellionRolled(perugia, 1, 2, home=True, with_unit=True)]
    assert any("after the death of your leader" in line for line in read_by(house, "P", *dead))


def test_rebels_that_helped_against_the_reader_are_news() -> None:
    """Those that were there before, and those of this campaign."""
    house = springtime()
    place = PlaceId("per")
    unit = house.view().state.field[PlaceId("are")]
    event = event_types.RebelsSupported(unit, place)
    told = "The rebels of Perugia helped A Arezzo (Florence) against you."

    assert told in read_by(house, "P", event, province_rebellions={place: PowerId("P")})
    assert told not in read_by(house, "N", event, province_rebellions={place: PowerId("P")})
    assert told not in read_by(house, "L", event, province_rebellions={place: PowerId("P")})


def test_a_fortress_is_no_city_in_news_and_tables() -> None:
    """Who takes one takes no city, and what is held already is not said to be missing."""
    house = springtime("forts")
    aquila, florence = PlaceId("aqu"), PowerId("L")
    alone = read_by(house, "L", event_types.CityTaken(aquila, florence, PowerId("N")))
    both = read_by(
        house,
        "L",
        event_types.ProvinceTaken(aquila, florence, PowerId("N")),
        event_types.CityTaken(aquila, florence, PowerId("N")),
    )
    province = read_by(house, "L", event_types.ProvinceTaken(aquila, florence, PowerId("N")))

    assert "You took the fortress of Aquila." in alone
    assert "You took Aquila." in both
    assert "You took Aquila; not yet the fortress of Aquila." in province


def test_units_of_a_dead_leader_have_held_and_failed_in_nothing() -> None:
    """Their orders were not heard: the line says why, and it counts neither as done nor failed."""
    house = springtime()
    view = house.view()
    army = view.state.field[PlaceId("flo")]
    held = event_types.Held(army, HeldInstead(Forced.ASSASSINATED, "ASN-04"))
    events = (event_types.PowerAssassinated(PowerId("L"), (PowerId("V"),)), held)
    seen = View.of(view.state)
    played = PlayedPhase(seen, seen, events, {PowerId("L"): (Hold(Named.of(army)),)})
    words = Words(view.world)
    reports = unit_reports(words, played, parts_of(seen, events))
    (told,) = own_orders(words, Stage.CAMPAIGN, reports, (PowerId("L"),), events)

    assert (told.fields["ordered"], told.fields["failed"]) == (False, False)
    assert say(told) == "A Florence H; holds: its leader was assassinated [ASN-04]"


def test_a_unit_that_its_owner_disbands_is_no_loss() -> None:
    """It is told as what the reader did, and the subject does not call it gone."""
    house = springtime()
    fleet = house.view().state.field[PlaceId("psa")]
    gone = event_types.UnitRemoved(fleet, Removal.ORDERED)
    told = read_by(house, "L", gone)
    starved = read_by(house, "L", replace(gone, because=Removal.FAMINE))

    assert told[:2] == ["You have disbanded F Pisa.", "You lost nothing and took nothing."]
    assert starved[0] == "F Pisa (Florence) is lost to famine."


def test_a_bribe_that_disbands_a_unit_is_told_once() -> None:
    """Who paid says it all; that the unit took the money is for the others."""
    house = springtime()
    sent = order(house, "L", *FLORENCE, "e1: 21 d disband A bol")
    for power in "IVPNTAF":
        sent += order(house, power, "hold all")
    news_of = {
        power: " ".join(
            results_to(sent, address_of(house, power)).body.partition("NEXT")[0].split()
        )
        for power in "PV"
    }

    assert "Florence paid 21 ducats to disband your A Bologna." in news_of["P"]
    assert "takes the money" not in news_of["P"]


def test_a_province_that_is_lost_without_its_city_is_told_so() -> None:
    """Its garrison still stands there, so the place is not lost whole."""
    house = springtime()
    view = house.view()
    perugia = PlaceId("per")
    after = deepcopy(view.state)
    after.provinces = {**after.provinces, perugia: PowerId("L")}
    changes = changes_of(Words(view.world), View.of(view.state), View.of(after), PowerId("P"))

    assert [say(line) for line in changes.messages("")] == [
        "You lost the province of Perugia; its city is still yours."
    ]
    assert [say(line) for line in changes.messages("Papacy")] == [
        "The Papacy lost the province of Perugia."
    ]


def test_an_adjustment_without_orders_asks_for_none() -> None:
    """It is played at once, so that no deadline of it is named."""
    house = House()
    house.start("standard")
    powers = [power for seat in house.game().seats for power in seat.powers]
    sent: list[Outgoing] = []
    for _ in ("S1901M", "F1901M"):
        for power in powers:
            sent += order(house, power, "hold all")
    (told,) = (
        " ".join(each.body.partition("NEXT:")[2].partition("\n\n")[0].split())
        for each in sent
        if each.to == address_of(house, powers[0]) and "(F1901B)" in each.subject
    )

    assert house.view().state.moment.code == "S1902M"
    assert told == (
        "Fall 1901 adjustment Nobody has anything to order: the phase is played without waiting."
    )
