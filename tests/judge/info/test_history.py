"""HISTORY tells its reader again what their seat read of each phase, and no more."""

import pytest

from machjudge.adjudicator.units import Kind, Quality
from machjudge.judge.game_settings import Treasuries
from tests.judge.house import House, started
from tests.judge.letters_in import write
from tests.judge.riches import drilled, position
from tests.judge.year import OPENING, SPRING, order, play

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
