"""Assassination chits that change hands by mail: at once, for good, told to the giver alone."""

import pytest

from machjudge.adjudicator.names import PowerId
from machjudge.judge.archive import replay
from machjudge.judge.records import GameId
from tests.cases import cases
from tests.judge.house import House, started
from tests.judge.letters_in import master, write
from tests.judge.orders.test_money import FLORENCE, part, receipt, results
from tests.judge.riches import position, springtime
from tests.judge.year import OPENING, SPRING, SUMMER, address_of, order, play

L, N, T = PowerId("L"), PowerId("N"), PowerId("T")
GIVE = "give turkey to naples"


def held(house: House, power: PowerId) -> tuple[PowerId, ...]:
    """The chits that a power holds."""
    return house.view().state.chits[power]


def test_a_chit_passes_at_once() -> None:
    """Before the phase is played; the phase and its deadline stay what they were (ASN-02)."""
    house = springtime()
    before = house.view()

    order(house, "L", GIVE)

    assert held(house, N).count(T) == 2
    assert T not in held(house, L)
    assert house.view().state.moment == before.state.moment
    assert house.view().clock == before.clock


def test_the_giver_alone_is_told() -> None:
    """One letter, the answer; the receiver sees his chit where he looks."""
    house = springtime()

    sent = order(house, "L", GIVE)

    assert [letter.to for letter in sent] == [address_of(house, "L")]
    (done,) = part(sent[0], "DONE")
    assert done == "Your chit on Turkey is Naples's now. This cannot be taken back."
    assert part(sent[0], "MONEY")[1:] == [
        "Assassination chits: Austria, France, Milan, Naples, Papacy, Venice",
    ]
    looked = " ".join(part(receipt(house, "A bar h", power="N"), "MONEY"))
    assert "Turkey (2)" in looked


def test_results_do_not_tell_of_chits() -> None:
    """Neither the next ones nor the history of the game say that one was given."""
    house = springtime()
    order(house, "L", GIVE)

    sent = results(house)
    sent += write(house, "lucia@player.example", "HISTORY borgia")

    assert sent
    assert not any("chit on" in letter.body for letter in sent)
    history = sent[-1].body
    assert history.count("S1454M: results") == 1


def test_orders_on_file_stay_and_more_can_follow() -> None:
    """The position moves on, and the order sets with it."""
    house = springtime()
    order(house, "L", *FLORENCE[:2])
    order(house, "I", "A mil h")

    order(house, "L", GIVE, FLORENCE[2])

    order_sets = house.view().order_sets
    assert [line.canonical for line in order_sets[L].lines] == ["A flo h", "A are h", "F psa h"]
    assert [line.canonical for line in order_sets[PowerId("I")].lines] == ["A mil h"]
    assert results(house)
    assert house.view().state.moment.code == "U1454M"


def test_a_mail_that_only_gives_a_chit_is_no_order() -> None:
    """Nothing is on file because of it; a flaw of an earlier mail stays one."""
    house = springtime()

    order(house, "L", GIVE)
    order(house, "V", "A pad - nowhere")
    order(house, "V", "give turkey to milan")

    order_sets = house.view().order_sets
    assert L not in order_sets
    assert order_sets[PowerId("V")].flawed


def test_chits_pass_on() -> None:
    """Anyone who got one may give it away in the next mail."""
    house = springtime()
    order(house, "L", GIVE)

    order(house, "N", GIVE.replace("naples", "venice"), "give turkey to milan")

    assert T not in held(house, N)
    assert held(house, PowerId("V")).count(T) == 2
    assert held(house, PowerId("I")).count(T) == 2


@cases
def test_a_chit_that_cannot_be_given_is_refused(line: str, says: str) -> None:
    """With its sentence; nothing changes, and the other lines of the mail count."""
    house = springtime()
    position(house, eliminated=frozenset({PowerId("A")}))
    before = house.view().state.chits

    letter = receipt(house, *FLORENCE, line)

    assert says in part(letter, "NOT TAKEN"), letter.body
    assert house.view().state.chits == before
    assert len(house.view().order_sets[L].lines) == 3


def test_a_chit_cannot_be_given_twice() -> None:
    """The second line of the same mail finds none left."""
    house = springtime()

    letter = receipt(house, GIVE, "give turkey to venice")

    assert "You hold no such chit [ASN-02]." in part(letter, "NOT TAKEN")
    assert held(house, N).count(T) == 2


def test_without_assassins_there_are_no_chits() -> None:
    """SET-09."""
    letter = receipt(springtime("noassassinations"), GIVE)

    assert "This game is played without that [ASN-02]." in part(letter, "NOT TAKEN")
    assert not any("chits" in line for line in part(letter, "MONEY"))


@pytest.mark.parametrize("phase", ["F1453B", "U1454R"])
def test_chits_pass_in_every_phase(phase: str) -> None:
    """Also while retreats or adjustments are due."""
    house = started()
    for orders in (OPENING, SPRING, SUMMER):
        if house.view().state.moment.code == phase:
            break
        play(house, orders)
    assert house.view().state.moment.code == phase

    order(house, "L", GIVE)

    assert held(house, N).count(T) == 2
    assert house.view().state.moment.code == phase


def test_a_replay_follows_the_chits() -> None:
    """Every stored position is rebuilt, and every gift is one that the rules allow."""
    house = started()
    order(house, "L", GIVE)
    play(house, OPENING)
    order(house, "N", "give turkey to venice", "give turkey to milan")
    play(house, SPRING)

    checks = replay(house.services, GameId("borgia"))

    assert checks is not None
    assert [check.moment for check in checks] == ["F1453B", "F1453B", "F1453B", "S1454M", "S1454M"]
    assert all(check.is_kept and check.plays_again for check in checks)


def test_a_rollback_keeps_the_chits_that_were_given() -> None:
    """They are not to be taken back: the game returns to the phase with the gift made."""
    house = springtime()
    order(house, "L", GIVE, *FLORENCE)
    results(house)

    sent = master(house, "ROLLBACK")

    told = [x.body for x in sent if "rollback to S1454M" in x.subject]
    assert told
    assert all("Assassination chits are with those who held them then." in each for each in told)
    assert house.view().state.moment.code == "S1454M"
    assert held(house, N).count(T) == 2
    assert L in house.view().order_sets
