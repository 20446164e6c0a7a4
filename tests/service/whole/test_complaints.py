"""What players have complained of at other judges, and the test that shows the answer here.

The numbers are those of the survey of complaints that the project began with.
"""

import re
from collections.abc import Mapping, Sequence

import pytest

from machjudge.service.intake.tick import look_at_games
from machjudge.service.model.records import Status
from tests.service.house import ROOT, House, started
from tests.service.letters_in import write
from tests.service.phases.test_mastering import GINA, MASTER, master, ruled, said
from tests.service.year import address_of, order

DINO = "dino@other.example"

ANSWERS: Mapping[int, tuple[str, Sequence[str]]] = {
    1: ("HTML and mails of many parts are read", ("test_a_mail_in_html_is_read",)),
    2: (
        "whoever gets no mail can ask what was sent to him",
        ("test_ping_tells_what_arrived_and_what_was_sent",),
    ),
    3: (
        "every mail has one outcome, an empty one too",
        ("test_every_mail_is_answered_once", "test_an_empty_mail_brings_a_welcome"),
    ),
    4: (
        "the set of rules stands in every listing, and errors name the rule",
        ("test_flags_show_in_the_listing", "test_errors_name_the_rule"),
    ),
    5: (
        "nobody is eliminated too early; a wrong position is set right by a command",
        (
            "test_f202_known_faults_of_another_program_are_not_copied",
            "test_f206_master_sets_a_wrong_position_right",
        ),
    ),
    6: (
        "friends pass straits, sieges end",
        ("test_f202_known_faults_of_another_program_are_not_copied",),
    ),
    7: ("a preview shows bribes", ("test_preview_shows_bribes",)),
    8: (
        "treasuries may be hidden",
        ("test_f199_treasuries_are_public_or_each_players_own",),
    ),
    9: (
        "dice can be checked, and a rollback changes none",
        ("test_a_loaded_die_is_found_and_named", "test_a_rollback_keeps_what_was_rolled_back"),
    ),
    10: (
        "the last order for a unit counts, in one mail",
        ("test_a_build_becomes_a_removal_in_one_mail",),
    ),
    11: (
        "names are spelled as one likes, and hold may stand behind a support",
        ("test_names_in_full_and_hold_behind_a_support_are_understood",),
    ),
    12: (
        "each game says what becomes of the missing",
        (
            "test_seat_opens_when_the_grace_is_over",
            "test_missing_orders_are_waited_for_until_the_grace_is_over",
        ),
    ),
    13: (
        "the master decides whether a newcomer gets a new deadline",
        ("test_newcomer_gets_a_new_deadline_as_the_master_has_set_it",),
    ),
    14: (
        "a game begins with fewer, or with sides of several powers",
        ("test_game_begins_with_empty_seats",),
    ),
    15: (
        "everything comes by mail, and reminders when the game wants them",
        ("test_switches_warnings_and_absences_are_set",),
    ),
    16: (
        "a phase is complete when every unit has an order, a hold included",
        ("test_phase_of_holds_alone_is_complete",),
    ),
    17: (
        "any position can be tried on one's own machine",
        ("test_each_line_is_answered_in_its_turn",),
    ),
    18: (
        "a master sees who is missing and reminds them; a map comes by mail",
        (
            "test_who_late_tells_masters_names_before_the_deadline",
            "test_master_reminds_those_whose_orders_are_missing",
            "test_map_of_the_game_shows_its_position",
        ),
    ),
    19: (
        "clocks stand in a pause, and absences push deadlines",
        ("test_clock_stands_while_paused", "test_absence_pushes_the_next_deadline_only"),
    ),
    20: (
        "what failed is told apart from what was refused; notices go out once",
        ("test_late_are_told_each_day_and_others_once", "test_reminder_goes_out_once"),
    ),
}
"""By the number of the complaint: what is so here, and the tests that show it."""


@pytest.mark.parametrize("number", range(1, 21))
def test_every_complaint_has_a_test_that_answers_it(number: int) -> None:
    """Under that very name, somewhere in the tests."""
    written = "\n".join(
        file.read_text(encoding="utf-8") for file in (ROOT / "tests").rglob("test_*.py")
    )
    names = set(re.findall(r"^def (test_\w+)\(", written, re.MULTILINE))

    assert set(ANSWERS[number][1]) <= names


def told(letters, to: str) -> str:
    """Everything that an address was sent, in one line."""
    return " ".join(" ".join(x.body for x in letters if x.to == to).split())


def test_an_empty_mail_brings_a_welcome() -> None:
    """Complaint 3: no mail is swallowed."""
    (sent,) = write(House(), DINO, "")

    assert "To join, send these lines" in sent.body


def test_errors_name_the_rule() -> None:
    """Complaint 4: by its number, which GET RULES explains."""
    house = ruled("nomoney")

    assert "[MOV-09]" in told(order(house, "P", "A rme - tun"), address_of(house, "P"))


def test_a_build_becomes_a_removal_in_one_mail() -> None:
    """Complaint 10: the later line for the same unit takes the place of the earlier."""
    house = started("nodice")
    text = told(order(house, "L", "maintain A flo", "remove A flo"), address_of(house, "L"))

    assert "remove A Florence" in text.replace("Remove", "remove")
    assert "replaces line 2: maintain A Florence" in text


def test_names_in_full_and_hold_behind_a_support_are_understood() -> None:
    """Complaint 11: nothing is refused, and two units support."""
    house = ruled("nomoney")
    lines = ("Army Arezzo supports Army Florence hold", "A FLORENCE holds", "Fleet pisa stands")
    text = told(order(house, "L", *lines), address_of(house, "L"))

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
        before = house.situation().clock.deadline
        write(house, DINO, "SIGNON Lborgia tulip9")
        deadlines.append(house.situation().clock.deadline - before)

    assert deadlines[0].days > 0
    assert deadlines[1].total_seconds() == 0


def test_phase_of_holds_alone_is_complete() -> None:
    """Complaint 16: who orders nothing but holds has ordered."""
    house = ruled("nomoney")
    for power in "IVLPNTAF":
        units = house.situation().state.units_of(power)
        order(house, power, *(f"{unit.kind.value} {unit.place} H" for unit in units))

    assert house.situation().state.moment.code == "U1454M"


def test_master_reminds_those_whose_orders_are_missing() -> None:
    """Complaint 18: at once, and nobody else; after the deadline as a late notice."""
    house = ruled("nomoney")
    units = house.situation().state.units_of("V")
    order(house, "V", *(f"{unit.kind.value} {unit.place} H" for unit in units))
    early = master(house, "NUDGE")
    house.now = house.situation().clock.deadline
    look_at_games(house.services, house.now)
    house.mails_out()
    late = master(house, "NUDGE")
    missing = {address_of(house, power) for power in "ILPNTAF"}

    assert {x.to for x in early if x.subject.endswith("Reminder")} == missing
    assert {x.to for x in late if "You are late!" in x.subject} == missing
    assert "Reminded: Austria, France, Milan, Florence, Naples, Papacy and Turkey." in said(early)


def test_nudge_of_nobody_says_so() -> None:
    """A game that has not begun, and one whose last power has nobody."""
    house = House()
    write(house, GINA, "CREATE ?borgia masterkey 1454")

    assert "game has not begun" in said(write(house, GINA, MASTER, "NUDGE"))
    assert house.game().status is Status.FORMING
