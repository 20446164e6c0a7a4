"""Reports by mail: history, summary, who is late, ping."""

import re

import pytest

from machjudge.adjudicator.units import Kind, Quality
from machjudge.judge.game_settings import Treasuries
from tests.judge.house import House, started
from tests.judge.letters_in import answer, write
from tests.judge.riches import drilled, position
from tests.judge.year import FALL, OPENING, SPRING, SUMMER, address_of, order, play
from tests.results_told import tells_results

STRANGER = "nobody@other.example"


@pytest.fixture(scope="module")
def year() -> House:
    """A game after its first year, with a broadcast and a press to one."""
    house = started("nodice")
    play(house, OPENING)
    order(house, "L", "BROADCAST", "Peace to all.", "ENDPRESS", "PRESS TO V", "Psst.", "ENDPRESS")
    house.later(hours=1)
    play(house, SPRING)
    house.later(hours=1)
    play(house, SUMMER)
    order(house, "P", "A per - spo")
    play(house, FALL)
    return house


def asked(house: House, *lines: str) -> str:
    """The answer to somebody without a seat."""
    return answer(write(house, STRANGER, *lines), STRANGER)


def test_history_is_what_an_observer_got(year: House) -> None:
    """All results and broadcasts in their order; no press to some."""
    body = asked(year, "HISTORY borgia")

    assert body.index("F1453B: results") < body.index("Peace to all.")
    assert body.index("Peace to all.") < body.index("S1454M: results")
    assert "Psst." not in body


def test_history_since_and_until_a_phase(year: House) -> None:
    """Only what lies between."""
    body = asked(year, "HISTORY borgia FROM S1454M TO S1454M")

    assert "S1454M: results" in body
    assert "F1453B: results" not in body
    assert "U1454M: results" not in body


def test_history_is_cut_and_says_so(year: House) -> None:
    """With how much is left out."""
    body = asked(year, "HISTORY borgia LINES 20")

    assert "more lines; go on with HISTORY Borgia FROM" in body


def test_history_of_nothing(year: House) -> None:
    """A time without anything, a game that is not there, a date that is none."""
    assert "There is nothing" in asked(year, "HISTORY borgia FROM F1499B")
    assert "no game of that name" in asked(year, "HISTORY medici")
    assert "write a phase like" in asked(year, "HISTORY borgia FROM yonder")


def test_history_shows_the_results_as_they_were(year: House) -> None:
    """The orders that a results mail tells stand in the history, too."""
    house = started("nodice")
    play(house, OPENING)
    sent = play(house, SPRING)
    mail = next(m for m in sent if tells_results(m.body, "S1454M") and m.to.startswith("carla"))
    body = asked(house, "HISTORY borgia FROM S1454M")
    others = mail.body.partition("\nOTHER POWERS\n")[2].partition("\n\n")[0].splitlines()
    orders = [line.partition(";")[0].partition(":")[0] for line in others]

    assert len(orders) > 20
    assert [line for line in orders if line not in body.splitlines()] == []


def test_summary_has_a_column_for_each_year(year: House) -> None:
    """Owners, cities and ducats at the beginning and now, from the index."""
    body = asked(year, "SUMMARY borgia")
    state = year.view().state
    row = next(line for line in body.splitlines() if line.startswith("Venice ") and "d" not in line)

    assert "WHO HELD WHAT" in body
    assert year.view().state.moment.code == "F1454B"
    assert row.split()[-1].isdigit()
    ducats = body[body.index("DUCATS") :]
    told = next(line for line in ducats.splitlines() if line.startswith("Florence"))
    assert told.split()[-1] == str(state.treasuries["L"])


def test_a_correction_or_a_chit_makes_no_further_year(year: House) -> None:
    """Nobody learns from the columns that a chit was given (ASN-02)."""
    house = started()
    lucia = address_of(house, "I")
    write(house, lucia, "SIGNON Mborgia masterkey", "FIX TREASURY L 9 BECAUSE so", "SIGNOFF")
    order(house, "L", "give Turkey to Naples")
    play(house, OPENING)
    order(house, "L", "give Milan to Naples")
    fixed = "FIX TREASURY L 8 BECAUSE so"
    write(house, lucia, "SIGNON Mborgia masterkey", fixed, "SIGNOFF")
    body = asked(house, "SUMMARY borgia")
    (file,) = write(house, STRANGER, "GET REPLAY borgia")[0].attachments

    assert house.view().last_number == 5
    assert [line.split() for line in body.splitlines() if line.startswith("Year ")] == [
        ["Year", "53", "now"]
    ] * 3
    codes = re.findall(r'<th scope="col">([SUF]\d{4}.)<', file.content.decode())
    assert codes == ["F1453B", "S1454M"] * 2


def test_the_summary_names_now_in_the_language_of_its_reader(year: House) -> None:
    """Its other columns are years."""
    assert "Año           53 hoy" in answer(
        order(year, "V", "SET LANGUAGE es", "SUMMARY"), address_of(year, "V")
    )


def test_summary_before_the_start_is_refused() -> None:
    """There is nothing to sum up."""
    house = House()
    write(house, "gina@player.example", "CREATE ?Borgia masterkey 1454")

    assert "has not begun" in asked(house, "SUMMARY borgia")


def test_who_late_tells_masters_names_before_the_deadline() -> None:
    """Others get a number until then."""
    house = started("nomoney")
    order(house, "L", "A flo h", "A are h", "F psa h")
    plain = asked(house, "WHO LATE borgia")
    mails = write(house, "gina@player.example", "SIGNON Mborgia masterkey", "WHO LATE")
    master = answer(mails, "gina@player.example")

    assert "7 powers still without" in plain
    assert "Venice" not in plain
    assert "Milan, Venice" in master or "Venice" in master
    assert "Florence" not in master[master.index("WHO IS LATE") :]


@pytest.mark.parametrize("first", [True, False])
def test_a_player_s_questions_count_the_orders_of_the_mail(first: bool) -> None:
    """Above them or below: an answer does not say that orders are missing which it has taken."""
    house = started("nomoney")
    lines = ["WHO LATE", "LIST", "A flo h", "A are h", "F psa h"]
    sent = order(house, "L", *(lines if first else lines[::-1]))
    body = answer(sent, "anna@player.example")

    assert "COMPLETE: all orders of Florence are on file." in body
    assert body.count("7 powers still without complete orders.") == 2
    assert "Florence, no order" not in body


def test_who_late_tells_everybody_after_the_deadline() -> None:
    """Then the late are named."""
    house = started("nomoney")
    house.later(days=8)

    assert "Late: " in asked(house, "WHO LATE borgia")


def test_ping_tells_what_arrived_and_what_was_sent() -> None:
    """Sender, time, and the letters to this address only."""
    house = started("nomoney")
    body = answer(write(house, address_of(house, "L"), "PING"), address_of(house, "L"))

    assert "From: anna@player.example" in body
    assert "registered as Anna" in body
    assert "the game begins" in body
    assert "opened a seat: no" in body
    assert "No message went to this address" in asked(house, "PING")


# HISTORY tells its reader again what their seat read of each phase, and no more.


MARKS = {
    "what a gift of Florence to Venice was": ("Florence pays 5 ducats to Venice", "LV"),
    "that Florence has mercenaries": ("(mercenaries)", "L"),
    "what Florence paid for its army": ("maintains A Florence (mercenaries) (6d)", "L"),
    "what Venice paid for its fleet": ("maintains F Dalmatia (3d)", "V"),
    "what a gift of Naples to Turkey was": ("Naples pays 4 ducats to Turkey", "NT"),
}


def secretive() -> House:
    """A game that hides treasuries and kinds of units; Florence has a mercenary army."""
    house = started("nodice")
    house.change_settings(treasuries=Treasuries.PRIVATE, special_public=False)
    position(house, treasuries=dict.fromkeys(house.view().state.treasuries, 40))
    drilled(house, "flo", Quality.MERCENARY, Kind.ARMY)
    return house


def history(house: House, power: str) -> str:
    """The history that somebody reads who has opened the seat of a power, or none."""
    if power:
        return order(house, power, "HISTORY")[-1].body
    return write(house, "dino@elsewhere.example", "HISTORY borgia")[0].body


@pytest.mark.parametrize("reader", ["", "L", "V", "N", "T", "A"])
def test_half_hidden_things_stand_in_the_history_of_those_who_read_them(reader: str) -> None:
    """Ducats and kinds of units: by the seat that somebody has opened, as in the results."""
    house = secretive()
    play(house, OPENING)
    more = {"L": ("give 5 ducats to Venice",), "N": ("give 4 ducats to Turkey",)}
    play(house, {power: (*own, *more.get(power, ())) for power, own in SPRING.items()})
    assert house.view().state.moment.code == "U1454M"

    told = " ".join(history(house, reader).split())

    for what, (words, readers) in MARKS.items():
        assert (words in told) is (reader in [*readers]), what


def test_history_up_to_a_phase_holds_its_results_and_nothing_later() -> None:
    """Also up to the first one, whose set-up stands before its results."""
    house = started("nodice")
    for orders in (OPENING, SPRING):
        house.later(hours=1)
        play(house, orders)

    def told(words: str) -> list[bool]:
        body = order(house, "L", f"HISTORY {words}")[-1].body
        return [f"{code}: results of" in body for code in ("F1453B", "S1454M")]

    assert told("TO F1453B") == [True, False]
    assert told("FROM F1453B TO F1453B") == [True, False]
    assert told("FROM S1454M TO S1454M") == [False, True]
    assert told("TO S1454M") == told("TO F1455B") == [True, True]
    assert told("TO S1453M") == [False, False]
