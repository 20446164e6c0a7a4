"""What players have complained of at other judges, and the test that shows the answer here.

The numbers are those of the survey of complaints that the project began with.
"""

import re
from functools import cache

from machjudge.judge.records import Status
from machjudge.judge.tick import look_at_games
from tests.cases import cases
from tests.judge.house import ROOT, House, started
from tests.judge.letters_in import sent_to, write
from tests.judge.phases.test_mastering import GINA, MASTER, master, ruled, said
from tests.judge.year import address_of, order

DINO = "dino@other.example"


@cache
def written() -> set[str]:
    """The names of all tests."""
    files = (ROOT / "tests").rglob("test_*.py")
    text = "\n".join(file.read_text(encoding="utf-8") for file in files)
    return set(re.findall(r"^def (test_\w+)\(", text, re.MULTILINE))


@cases
def test_every_complaint_has_a_test_that_answers_it(
    number: int, answer: str, tests: list[str]
) -> None:
    """Under that very name, somewhere in the tests."""
    assert answer, number
    assert set(tests) <= written()


def test_an_empty_mail_brings_a_welcome() -> None:
    """Complaint 3: no mail is swallowed."""
    (sent,) = write(House(), DINO, "")

    assert "To join, send these lines" in sent.body


def test_errors_name_the_rule() -> None:
    """Complaint 4: by its number, which GET RULES explains."""
    house = ruled("nomoney")

    assert "[MOV-09]" in sent_to(order(house, "P", "A rme - tun"), address_of(house, "P"))


def test_a_build_becomes_a_removal_in_one_mail() -> None:
    """Complaint 10: the later line for the same unit takes the place of the earlier."""
    house = started("nodice")
    text = sent_to(order(house, "L", "maintain A flo", "remove A flo"), address_of(house, "L"))

    assert "remove A Florence" in text.replace("Remove", "remove")
    assert "replaces line 2: maintain A Florence" in text


def test_names_in_full_and_hold_behind_a_support_are_understood() -> None:
    """Complaint 11: nothing is refused, and two units support."""
    house = ruled("nomoney")
    lines = ("Army Arezzo supports Army Florence hold", "A FLORENCE holds", "Fleet pisa stands")
    text = sent_to(order(house, "L", *lines), address_of(house, "L"))

    assert "NOT TAKEN" not in text
    assert "A Arezzo S A Florence" in text


def test_newcomer_gets_a_new_deadline_as_the_master_has_set_it() -> None:
    """Complaint 13: on at first; off, the deadline stays where it was."""
    deadlines = []
    for setting in ("SET FRESH DEADLINE", "SET NO FRESH DEADLINE"):
        house = ruled("nomoney")
        master(house, setting)
        write(house, DINO, "REGISTER", "Name: Dino", "END")
        house.later(days=6)
        order(house, "L", "RESIGN")
        before = house.view().clock.deadline
        write(house, DINO, "SIGNON Lborgia tulip9")
        deadlines.append(house.view().clock.deadline - before)

    assert deadlines[0].days > 0
    assert deadlines[1].total_seconds() == 0


def test_phase_of_holds_alone_is_complete() -> None:
    """Complaint 16: who orders nothing but holds has ordered."""
    house = ruled("nomoney")
    for power in "IVLPNTAF":
        units = house.view().state.units_of(power)
        order(house, power, *(f"{unit.kind.value} {unit.place} H" for unit in units))

    assert house.view().state.moment.code == "U1454M"


def test_master_reminds_those_whose_orders_are_missing() -> None:
    """Complaint 18: at once, and nobody else; after the deadline as a late notice."""
    house = ruled("nomoney")
    units = house.view().state.units_of("V")
    order(house, "V", *(f"{unit.kind.value} {unit.place} H" for unit in units))
    early = master(house, "NUDGE")
    house.now = house.view().clock.deadline
    look_at_games(house.services, house.now)
    house.mails_out()
    late = master(house, "NUDGE")
    missing = {address_of(house, power) for power in "ILPNTAF"}

    assert {x.to for x in early if "reminder" in x.subject} == missing
    assert {x.to for x in late if "you are late" in x.subject} == missing
    assert "Reminded: Austria, France, Milan, Florence, Naples, the Papacy and Turkey." in said(
        early
    )


def test_nudge_of_nobody_says_so() -> None:
    """A game that has not begun, and one whose last power has nobody."""
    house = House()
    write(house, GINA, "CREATE ?borgia masterkey 1454")

    assert "game has not begun" in said(write(house, GINA, MASTER, "NUDGE"))
    assert house.game().status is Status.FORMING
