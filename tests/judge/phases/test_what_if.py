"""WHATIF: orders that are only tried, by whoever sits at a game, as far as they can know it."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from random import Random

import pytest

from machjudge.adjudicator.names import PowerId
from machjudge.adjudicator.orders import Orders
from machjudge.adjudicator.state import Loan, State
from machjudge.adjudicator.world import World
from machjudge.judge.game_settings import Treasuries
from machjudge.judge.game_view import write_order
from machjudge.judge.mail_context import LineParser
from machjudge.judge.records import JudgeLimits, Status
from machjudge.judge.what_if import Trial, read_tried, try_out
from machjudge.messages.visibility import Sight
from tests.games.game import Deal, play_phase, world_for
from tests.games.game import opening as opened
from tests.games.players import orders_for
from tests.games.variations import with_everything
from tests.judge.house import UNLIMITED, House, message_renderer, started
from tests.judge.letters_in import write
from tests.judge.phases.test_mastering import master, ruled
from tests.judge.riches import springtime
from tests.judge.year import OPENING, SPRING, SUMMER, address_of, order, play


def asked(house: House, *lines: str, power: str = "L") -> str:
    """The answer to a player's mail, its lines wrapped back into one."""
    to = address_of(house, power)
    return " ".join(" ".join(x.body for x in order(house, power, *lines) if x.to == to).split())


def tried(house: House, *lines: str, power: str = "L") -> str:
    """The part of the answer that is about a trial."""
    return asked(house, *lines, power=power).partition("WHAT IF, ")[2].partition("NEXT:")[0]


def test_tried_orders_bring_their_results_and_nothing_is_stored() -> None:
    """Nor is anybody told, or the game changed."""
    house = started("nomoney")
    house.mails_out()
    before = house.view()

    told = tried(house, "WHATIF", "A flo - bol", "Papacy: A per h", "END")

    assert "nothing of this is on file" in told
    assert "A Florence - Bologna" in told.partition("MOVEMENT")[2]
    assert "bounced off A Bologna (Papacy), both with strength 1" in told
    assert house.on_file() == []
    assert house.view() == before
    assert house.mails_out() == []


def test_orders_above_and_below_a_trial_are_orders() -> None:
    """It ends with END, or with the next command; those on file play their part in it."""
    house = started("nomoney")

    told = tried(house, "A are - per", "WHATIF", "A flo - bol", "end.", "A flo h", "F psa h")
    asked(house, "WHATIF", "A flo - bol", "SET WAIT")

    assert "A Arezzo - Perugia" in told.partition("MOVEMENT")[2]
    assert house.on_file() == ["A are - per", "A flo h", "F psa h"]
    assert any(seat.waits for seat in house.game().seats if "L" in seat.powers)


def test_an_order_is_of_the_power_whose_unit_it_names_or_that_stands_above() -> None:
    """Names stand on a line of their own, before a colon, or behind FOR."""
    house = started()
    play(house, OPENING)

    told = tried(
        house,
        "WHATIF",
        "A bol - fer",
        "FOR Venice",
        "expense 1: 9 ducats disband A bol",
        "Naples:",
        "A flo - bol",
        "Milan: borrow 5 ducats for 1 year",
        "what nonsense",
    )

    found = told.partition("ORDERS TRIED")[2].partition("NOT TAKEN")
    assert "Papacy A Bologna - Ferrara" in found[0]
    assert "Venice expense 1: 9 ducats disband A Bologna" in found[0]
    assert "Milan borrow 5 ducats for 1 year" in found[0]
    assert "Naples A Florence - Bologna" in found[0]
    assert "what nonsense: this is no order" in found[2]


def test_a_phase_that_was_played_is_tried_with_other_orders() -> None:
    """What all others ordered stands, as the results have shown it."""
    house = started("nodice")
    for orders in (OPENING, SPRING, SUMMER):
        play(house, orders)

    as_it_was = tried(house, "WHATIF U1454M", "END")
    otherwise = tried(house, "WHATIF summer 1454 movement", "A sie h", "END")

    assert "none; what follows is the phase as it stands for you" in as_it_was
    assert "As on file: Milan, Venice, Florence" in as_it_was
    assert "A Arezzo - Perugia" in as_it_was.partition("MOVEMENT")[2]
    assert "bounced off A Perugia" in otherwise
    assert "bounced off A Perugia" not in as_it_was
    assert "There is no phase F1460M to be tried here" in asked(house, "WHATIF F1460M", "A flo h")


def test_no_die_is_thrown_for_a_trial() -> None:
    """What each face would bring is told, and the throw of the phase stays open."""
    house = started()
    play(house, OPENING)

    lines = ("WHATIF", "borrow 12 ducats for 1 year", "expense 1: 12 ducats assassinate Venice")

    told = tried(house, *lines)

    assert "DICE NOT YET THROWN assassination of the leader of Venice by Florence: 1 die" in told
    assert "IF THE DICE SAY 1 EXPENSES Florence: E1 assassinate Venice, 12 ducats: done." in told
    assert "IF THE DICE SAY 2, 3, 4, 5 or 6 EXPENSES" in told
    assert tried(house, *lines) == told


def test_a_seat_tries_so_many_times_a_day() -> None:
    """What the keeper allows; the lines of a refused trial are no orders."""
    house = House(limits=replace(UNLIMITED, what_ifs_a_day=2))
    house.start(options=("nomoney",))

    told = [asked(house, "WHATIF", "A flo h") for _ in range(3)]
    house.later(hours=25)
    again = asked(house, "WHATIF", "A flo h")

    assert ["ou have tried orders 2 times" in each for each in told] == [False, False, True]
    assert "MOVEMENT" in again
    assert house.on_file() == []
    assert JudgeLimits().what_ifs_a_day == 20


def test_a_trial_without_a_seat_is_refused_and_holds_no_orders() -> None:
    """A stranger learns nothing, and what they wrote is listed as not read."""
    house = started("nomoney")

    told = " ".join(write(house, "dino@elsewhere.example", "WHATIF", "A flo - bol")[0].body.split())

    assert "MOVEMENT" not in told
    assert "line 1: WHATIF" in told
    assert house.on_file() == []


def test_a_mail_that_is_only_checked_tries_nothing() -> None:
    """Its trials would not be counted, and they store nothing anyway."""
    house = started("nomoney")

    told = asked(house, "DRY", "WHATIF", "A flo - bol", "END")

    assert "WHAT IF, S1454M" not in told
    assert "line 3: WHATIF" in told


def test_an_order_for_many_units_needs_a_power() -> None:
    """A master names it above; a player's own is meant otherwise."""
    house = ruled("nomoney")

    body = next(x.body for x in master(house, "WHATIF", "all hold", "Venice:", "all hold", "END"))

    told = " ".join(body.split())
    assert "line 3, all hold: the power whose order it is is not named" in told
    assert "Venice A Padua H" in told.partition("ORDERS TRIED")[2]


def test_a_master_tries_with_all_orders_on_file() -> None:
    """As PREVIEW shows them."""
    house = ruled("nomoney")
    play(house, {"L": SPRING["L"]})

    body = next(x.body for x in master(house, "WHATIF", "A bol h", "END"))

    told = " ".join(body.split())
    assert "As on file: Florence." in told
    assert "A Florence - Siena" in told.partition("WHAT IF")[2]


def test_a_player_tries_without_the_orders_of_others() -> None:
    """They are secret until the phase is played, also in their effects."""
    house = started("nomoney")
    alone = tried(house, "WHATIF", "A flo - bol", "END")
    play(house, {"P": SPRING["P"]})

    assert tried(house, "WHATIF", "A flo - bol", "END") == alone


def test_a_finished_game_is_tried_by_its_phases() -> None:
    """There is no present one."""
    house = started("nodice")
    for orders in (OPENING, SPRING):
        play(house, orders)
    house.change(status=Status.FINISHED)

    assert "name the phase: WHATIF F1455M" in asked(house, "WHATIF", "A flo h")
    assert "MOVEMENT" in tried(house, "WHATIF S1454M", "A flo h")


def test_the_upkeep_of_others_is_taken_as_paid() -> None:
    """What they will maintain is not known in an adjustment."""
    house = started()

    told = tried(house, "WHATIF", "maintain A flo", "END")

    assert (
        "The upkeep of Milan, Venice, Papacy, Naples, Turkey, Austria and France is taken" in told
    )
    assert "maintains F Dalmatia (3d)" in told


# --- secrets ---------------------------------------------------------------------------------


@cache
def phases(seed: int) -> tuple[World, tuple[tuple[State, Orders], ...]]:
    """Some phases of a random game with everything on, with their orders."""
    deal = Deal("1454", seed, 3, with_everything())
    world = world_for(deal)
    state = opened(world, bytes(32))
    found = []
    for _ in range(8):
        orders = orders_for(world, state, deal.chance(f"orders {state.moment.code}"))
        found.append((state, orders))
        state = play_phase(deal, world, state, ()).after
    return world, tuple(found)


def otherwise(state: State, hidden: frozenset[PowerId], chance: Random) -> State:
    """The same position with other money, debts, chits and forced taxes of some powers."""
    treasuries = {
        power: chance.randrange(60) if power in hidden else ducats
        for power, ducats in state.treasuries.items()
    }
    chits = {
        power: tuple(sorted(chance.sample(sorted(state.treasuries), 3)))
        if power in hidden
        else held
        for power, held in state.chits.items()
    }
    due = state.moment.campaign
    loans = tuple(Loan(power, 5, 1, due) for power in hidden if chance.random() < 0.5)
    kept = tuple(loan for loan in state.loans if loan.power not in hidden)
    theirs = [place for place, owner in state.provinces.items() if owner in hidden]
    taxed = frozenset(chance.sample(theirs, min(3, len(theirs))))
    return replace(state, treasuries=treasuries, chits=chits, loans=(*kept, *loans), taxed=taxed)


def readings(seed: int) -> Iterator[tuple[str, str]]:
    """What one player reads of trials in two games that look the same to them."""
    world, played = phases(seed)
    chance = Random(seed)  # noqa: S311 - a test's
    for state, orders in played:
        own = chance.choice(world.in_play)
        hidden = frozenset(world.in_play) - {own}
        sight = Sight(
            frozenset({own}), plays=True, hidden_money=True, hidden_kinds=True, foggy=True
        )
        lines = [(n, text) for n, text in enumerate(tried_lines(world, orders, chance), 1)]
        told = []
        for each in (state, otherwise(state, hidden, chance)):
            known = {own: orders.get(own, ())}
            trial = Trial.of(world, sight.view(world, each), sight, known)
            made = try_out(trial, read_tried(trial, lines, own, LineParser()))
            told.append("\n".join(map(str, message_renderer().lines("what_if", made.facts))))
        yield told[0], told[1]


def tried_lines(world: World, orders: Orders, chance: Random) -> list[str]:
    """Orders of all powers, below their names."""
    lines = []
    for power, given in sorted(orders.items()):
        lines.append(f"{world.scenario.powers[power].name}:")
        lines += [write_order(world, each) for each in given if chance.random() < 0.7]
    return lines


@pytest.mark.parametrize("seed", range(4))
def test_a_trial_tells_nothing_that_its_reader_could_not_know(seed: int) -> None:
    """Other treasuries, debts and chits of others change no word of it (FOG-01, SPC-06)."""
    for one, other in readings(seed):
        assert one == other


def test_a_trial_of_a_past_phase_tells_nothing_that_another_had_hoped_for() -> None:
    """Orders for a unit that its bribe did not bring are known to their giver alone (SYN-12)."""
    told = []
    for place in ("mod", "pst"):
        house = springtime("nodice")
        play(house, {**SPRING, "I": SPRING["I"][:3], "P": ("hold all",)})
        house.change_settings(treasuries=Treasuries.PRIVATE)
        hoped = ("hold all", "expense 1: 6 ducats buy A bol", f"A bol - {place}")
        everybody = dict.fromkeys("ILPNTAF", ("hold all",))
        play(house, {**everybody, "V": hoped})
        stored = next(p for p in house.store.tables.phases if p.moment == "U1454M" and p.orders)
        assert f"A bol - {place}" in [x.canonical for x in stored.orders[PowerId("V")]]
        bribed = ("WHATIF U1454M", "Venice: expense 1: 60 ducats buy A bol", "END")
        told.append(tried(house, *bribed))
        assert "60 ducats buy A Bologna" in told[-1]

    assert told[0] == told[1]


def test_a_trial_shows_treasuries_only_to_those_who_see_them() -> None:
    """As everywhere in a game that hides them; what others pay for is taken as paid."""
    house = springtime("nodice")
    house.change_settings(treasuries=Treasuries.PRIVATE)

    told = tried(house, "WHATIF", "Papacy: expense 1: 60 ducats disband A flo", "END")

    assert "Papacy: E1 disband A Florence" not in told
    assert "A Florence" in told
    assert "Papacy:" not in told.partition("TREASURIES")[2]
