"""Grace in every policy: the phase is played when the last message said, and everybody reads it."""

import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache

import pytest

from machjudge.adjudicator.names import PowerId
from machjudge.judge.game_settings import Policy
from machjudge.judge.mails import Outgoing
from machjudge.judge.tick import look_at_games
from tests.judge.calendar import MASTER, Record
from tests.judge.house import House, started
from tests.judge.letters_in import answer, raw_mail, write
from tests.judge.year import OPENING, SPRING, order, play
from tests.results_told import tells_results

NINO = "nino@player.example"
ANNA = "anna@player.example"
TURKEY = PowerId("T")
STEP = timedelta(minutes=30)
GRACES = (0, 2, 12, 24, 72)
PLAYED_ON = ("HOLD", "CIVIL DISORDER")


def is_about(letter: Outgoing, words: str) -> bool:
    """True if a message has the words in its subject, or is the one with the results."""
    return tells_results(letter.body) if words == "Results" else words in letter.subject


@dataclass
class Course:
    """What was written from the reminder to the results of a phase in which Turkey is silent."""

    record: Record
    deadline: datetime
    grace: datetime
    letters: list[tuple[datetime, Outgoing]] = field(default_factory=list)

    def to(self, address: str, words: str) -> list[tuple[datetime, Outgoing]]:
        """The messages to an address with these words in their subject."""
        return [(at, m) for at, m in self.letters if m.to == address and is_about(m, words)]

    @property
    def played(self) -> datetime:
        """When the results went out."""
        return next(at for at, letter in self.letters if tells_results(letter.body))


@cache
def silent(policy: str, grace: int, *orders: str) -> Course:
    """Turkey sends nothing, or *orders*, in Spring; cron calls each half hour."""
    record = Record(House(), step=STEP)
    record.house.start(options=("nodice",))
    record.master(f"SET NMR {policy}", f"SET MOVES GRACE {grace}", "SET WARN 6")
    play(record.house, OPENING)
    play(record.house, SPRING, without="T")
    if orders:
        order(record.house, "T", *orders)
    clock = record.house.view().clock
    assert clock.grace is not None
    course = Course(record, clock.deadline, clock.grace)
    record.house.now = clock.deadline - timedelta(hours=7)
    record.cron()
    record.letters.clear()
    while record.house.now < clock.grace + timedelta(hours=1):
        record.later(minutes=30)
    course.letters = record.letters
    return course


@pytest.mark.parametrize("policy", PLAYED_ON)
@pytest.mark.parametrize("grace", GRACES)
def test_phase_is_played_when_grace_ends_and_not_before(policy: str, grace: int) -> None:
    """72 hours are 72, and two are two, though the seat is opened before."""
    course = silent(policy, grace)

    assert course.grace - course.deadline == timedelta(hours=grace)
    assert course.played == course.grace


@pytest.mark.parametrize("policy", PLAYED_ON)
@pytest.mark.parametrize("grace", GRACES)
def test_every_message_names_the_time_at_which_the_phase_is_played(policy, grace) -> None:
    """The silent player, the punctual one and the master read the same instant."""
    course = silent(policy, grace)
    told = [m for _, m in course.letters if re.search("late|waiting|wanted", m.subject)]

    assert {letter.to for letter in told} >= ({NINO, ANNA, MASTER} if grace else set())
    assert all(f"{course.grace:%H:%M} UTC" in letter.body for letter in told)


@pytest.mark.parametrize("policy", PLAYED_ON)
@pytest.mark.parametrize("grace", GRACES)
def test_everybody_gets_the_results_the_silent_player_too(policy: str, grace: int) -> None:
    """Anyone who lost the seat in the phase reads what became of the units."""
    course = silent(policy, grace)
    results = [letter for _, letter in course.letters if tells_results(letter.body, "S1454M")]

    assert len(results) == 8
    (own,) = [letter for letter in results if letter.to == NINO]
    assert ("Your seat is open to others." in own.body) == bool(grace)


@pytest.mark.parametrize("policy", PLAYED_ON)
def test_seat_is_opened_a_day_before_the_end_and_never_in_the_first_half(policy: str) -> None:
    """The late notice names the time."""
    for grace, opens in ((2, 1), (12, 6), (24, 12), (72, 48), (100, 76)):
        course = silent(policy, grace)
        ((at, letter),) = course.to(NINO, "wanted for")
        late = course.to(NINO, "you are late")[0][1]

        assert at == course.deadline + timedelta(hours=opens)
        assert "If nothing comes from you, your seat is open to others from" in late.body
        assert f"{at:%H:%M} UTC" in late.body
        assert "If orders stay missing, it is played " in letter.body


def test_without_grace_the_reminder_says_so_and_nobody_waits() -> None:
    """The phase is played at the deadline; nobody reads that the game waits."""
    course = silent("HOLD", 0)
    ((_, reminder),) = course.to(NINO, "reminder")

    assert "There is no grace: the phase is played at the deadline.\n" in reminder.body
    assert course.to(NINO, "you are late") == []
    assert course.to(ANNA, "waiting for") == []
    late = [each.late for each in course.record.house.game().attendance if each.late]
    assert late == [1]


@pytest.mark.parametrize("grace", GRACES)
def test_game_that_waits_opens_the_seat_when_grace_ends(grace: int) -> None:
    """Nothing is played, and the late notice has named the time."""
    course = silent("WAIT", grace)
    ((at, _),) = course.to(NINO, "wanted for")

    # Without grace the late notice goes first.
    assert at == course.grace + (timedelta(0) if grace else STEP)
    assert course.record.phase == "S1454M"
    assert course.to(NINO, "Results") == []


def test_grace_that_the_master_sets_is_kept() -> None:
    """Two hours behind the deadline."""
    record = Record(House(), step=STEP)
    record.house.start(options=("nodice",))
    record.master("SET NMR HOLD")
    play(record.house, OPENING, without="T")
    end = record.deadline + timedelta(hours=2)
    record.master(f"SET GRACE {end:%d %b %Y %H:%M} UTC")
    assert record.house.view().clock.grace == end

    record.until(end - STEP)
    assert record.phase == "F1453B"
    record.later(minutes=30)
    assert record.phase == "S1454M"


def test_others_read_when_grace_ends_and_what_comes_then() -> None:
    """They plan by it as well as the late player."""
    held = silent("HOLD", 72).to(ANNA, "waiting for")[0][1].body
    waits = silent("WAIT", 72).to(ANNA, "waiting for")[0][1].body

    assert "Grace ends Mon 30 Nov 2026, 13:00 CET (12:00 UTC).\n" in held
    assert "Then it is played without them.\n" in held
    assert "Grace ends Mon 30 Nov 2026, 13:00 CET (12:00 UTC).\n" in waits
    assert "Then their seat is open to others.\n" in waits


def test_late_player_reads_what_becomes_of_their_own_units() -> None:
    """Not of those of others."""
    body = silent("HOLD", 72).to(NINO, "you are late")[0][1].body

    assert "Your units hold, and you spend nothing.\n" in body
    assert "Then their" not in body


def test_anyone_who_sent_some_orders_keeps_the_seat() -> None:
    """No message says that it is open, and the phase is played all the same."""
    course = silent("CIVIL DISORDER", 12, "A alb - her")
    late = course.to(NINO, "you are late")[0][1].body

    assert course.played == course.grace
    assert course.to(NINO, "wanted for") == []
    assert "your seat" not in late


def test_seat_that_opens_in_a_phase_is_waited_for_until_grace_ends() -> None:
    """An ejected player's successor has the time that everybody was told."""
    record = Record(House(), step=STEP)
    record.house.start(options=("nodice",))
    record.master("SET NMR HOLD")
    play(record.house, OPENING, without="T")
    record.master("EJECT Turkey")
    record.cron()
    assert record.phase == "F1453B"

    record.until(record.house.view().clock.grace)
    assert record.phase == "S1454M"


def test_seat_that_was_open_before_a_phase_holds_nobody_up() -> None:
    """Where the phase is played without the late, it does not wait for a power without player."""
    course = silent("HOLD", 3)
    assert course.record.phase == "U1454M"
    course.record.all_in(without="T")

    assert course.record.phase == "F1454M"


def test_mail_received_in_the_grace_counts_however_late_it_is_read() -> None:
    """An acknowledged order is never lost, though the judge looks when the grace is over."""
    record = Record(House(), step=STEP)
    record.house.start(options=("nodice",))
    record.master("SET NMR HOLD", "SET MOVES GRACE 12")
    play(record.house, OPENING)
    play(record.house, SPRING, without="T")
    grace = record.house.view().clock.grace
    assert grace is not None
    record.until(grace - STEP)
    mail = raw_mail(NINO, ["SIGNON Tborgia pwT", *SPRING["T"]])
    record.house.store.receive(mail, NINO, record.house.now)
    record.later(minutes=30)

    assert record.phase == "S1454M"
    write(record.house, ANNA, "HELP")
    assert record.phase == "U1454M"
    (stored,) = [p for p in record.house.store.tables.phases if p.moment == "S1454M" and p.parent]
    assert [line.written for line in stored.orders[TURKEY]] == list(SPRING["T"])


def test_results_say_whose_orders_did_not_come() -> None:
    """And mark what the judge has ordered in their place."""
    held = silent("HOLD", 12).to(ANNA, "Results")[0][1].body
    played = silent("CIVIL DISORDER", 12).to(ANNA, "Results")[0][1].body
    some = silent("HOLD", 2, "A alb - her").to(ANNA, "Results")[0][1].body

    assert "No orders came from Turkey.\nBy default the units of Turkey hold.\n" in held
    assert "\n  F Durazzo H (no order)\n" in held
    assert "No orders came from Turkey.\n" in played
    assert "By default" not in played
    assert "\n  F Durazzo: no order\n" in played
    assert "Not all orders came from Turkey.\nBy default the units of Turkey hold.\n" in some
    assert "\n  A Albania H (no order)\n" in some


def test_history_says_it_as_the_results_did() -> None:
    """From the stored phase and the order sets that were on file."""
    course = silent("HOLD", 2, "A alb - her")
    told = order(course.record.house, "L", "HISTORY borgia FROM S1454M")

    assert "Not all orders came from Turkey.\n" in told[0].body
    assert "\n  A Albania H (no order)\n" in told[0].body
    assert "No orders came" not in told[0].body


def test_results_of_an_adjustment_say_who_was_silent() -> None:
    """The judge keeps the units that the ducats pay for; nobody ordered that."""
    record = Record(House(), step=STEP)
    record.house.start(options=("nodice",))
    record.master("SET NMR CIVIL DISORDER")
    play(record.house, OPENING, without="T")
    record.step = timedelta(hours=6)
    grace = record.house.view().clock.grace
    assert grace is not None
    sent = record.until(grace)
    body = next(m.body for m in sent if m.to == ANNA and tells_results(m.body))

    assert "No orders came from Turkey.\n" in body
    assert "By default Turkey keeps what the ducats pay for.\n" in body
    assert "\nTurkey (no order)\n  maintains A Albania (3d)\n" in body


def test_policies_are_the_three_that_are_tried_here() -> None:
    """A fourth one needs its own phase."""
    assert {policy.value for policy in Policy} == {"wait", "hold", "civil_disorder"}


def test_phase_that_waits_without_end_is_played_a_day_after_that_changes() -> None:
    """Not at once: the late had been told that the game waits for them."""
    record = Record(House(), step=STEP)
    record.house.start(options=("nodice",))
    play(record.house, OPENING, without="T")
    grace = record.house.view().clock.grace
    assert grace is not None
    record.step = timedelta(hours=6)
    record.until(grace + timedelta(hours=12))
    now = record.house.now
    sent = record.master("SET NMR HOLD")
    told = next(m.body for m in sent if m.to == ANNA)

    assert record.phase == "F1453B"
    assert record.house.view().clock.grace == now + timedelta(hours=24)
    assert "The phase waits for the late until " in told
    record.later(hours=24)
    assert record.phase == "S1454M"


def test_whose_seat_is_open_is_shown_how_to_take_their_own_back() -> None:
    """Not the seats of others that opened with it; those who lost none are shown them all."""
    house = started("nodice")
    for power in "IVPNTA":
        order(house, power, *OPENING[power])
    look_at_games(house.services, house.later(days=20))
    look_at_games(house.services, house.later(days=20))
    told = {each.to: each.body for each in house.mails_out() if "wanted for" in each.subject}

    shown = {
        who: [letter for letter in "IVLPNTAF" if f"SIGNON {letter}Borgia password" in body]
        for who, body in told.items()
    }
    assert shown["anna@player.example"] == ["L"]
    assert shown["carla@player.example"] == ["F"]
    assert shown["marco@player.example"] == ["L", "F"]


def test_nobody_waits_for_a_deadline_that_is_over() -> None:
    """It is neither offered nor acknowledged; who asks reads what brings more time."""
    house = started("nodice", "nomoney")
    order(house, "I", "SET WAIT")
    play(house, SPRING, without="LV")
    house.later(days=7, minutes=5)
    look_at_games(house.services, house.now)
    house.mails_out()

    ordered = answer(order(house, "L", "A flo - sie"), ANNA)
    asked = " ".join(answer(order(house, "L", "SET WAIT"), ANNA).split())
    waited = answer(order(house, "I", "A mil h"), MASTER)

    assert "SET WAIT" not in ordered
    assert "The deadline is over, and the phase is played as soon as all orders are in" in asked
    assert "Florence waits for the deadline" not in asked
    assert "You asked to wait" not in waited
    assert not next(seat for seat in house.game().seats if "L" in seat.powers).waits


def test_a_paused_game_takes_a_wish_to_wait_after_its_deadline() -> None:
    """The deadline moves on when the game is resumed."""
    house = started("nodice", "nomoney")
    write(house, MASTER, "SIGNON Mborgia masterkey", "PAUSE")
    house.later(days=9)

    assert "Florence waits for the deadline" in answer(order(house, "L", "SET WAIT"), ANNA)
