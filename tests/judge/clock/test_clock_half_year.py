"""Half a year of calendar time in one game of eight, cron calling every three hours.

Every clause of the clock happens: early processing after a delay, warnings, lateness, absence,
grace, abandonment, replacement, pause, a jump of the server's clock, both ways to go on without
the silent, processing by hand.
"""

import re
from collections import Counter
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest

from tests.judge.calendar import MASTER, Record
from tests.judge.house import NOON, started
from tests.judge.letters_in import write
from tests.judge.year import OPENING, order

ROME = ZoneInfo("Europe/Rome")
GINA = "gina@player.example"
HALF_A_YEAR = timedelta(days=183)


@pytest.fixture(scope="module")
def year() -> Record:
    """The whole story."""
    house = started("nodice")
    record = Record(house)
    for chapter in CHAPTERS:
        chapter(record)
    return record


def templates_and_early(record: Record) -> None:
    """Times are set; the first phase is played half an hour after the last orders."""
    record.master("SET MOVES NEXT 10d GRACE 168 CLOCK 20:00 DAYS -MTWTF- DELAY 0.5")
    record.master("SET ADJUSTMENTS NEXT 71 DELAY 0.5 GRACE 72", "SET WARN 24 8 1")
    first = record.deadline
    for power, lines in OPENING.items():
        record.keep(order(record.house, power, *lines))
    record.seen["at once"] = record.phase
    record.house.later(minutes=31)
    record.cron()
    record.seen["after the delay"] = record.phase
    record.seen["deadlines"] = (first, record.deadline)


def warnings_and_lateness(record: Record) -> None:
    """Florence is warned three times, late, and plays by its late mail."""
    record.all_in(without="L")
    warned = record.until(record.deadline - timedelta(minutes=30))
    record.seen["warned"] = Counter(one.to for one in warned if "reminder" in one.subject)
    late = record.later(days=2)
    record.seen["late"] = Counter(one.to for one in late if re.search("late|waiting", one.subject))
    record.seen["waited in"] = record.phase
    record.say("L", "A flo H", "A are H", "F psa H")
    record.later(hours=3)
    record.seen["after the late mail"] = record.phase


def absence(record: Record) -> None:
    """Venice is away when the next deadline would be; the present one stays."""
    present, now = record.deadline, record.house.now
    start, end = now + timedelta(days=8), now + timedelta(days=22)
    written = f"SET ABSENCE {start:%d %b %Y} to {end:%d %b %Y}"
    (answer,) = [one for one in record.say("V", written) if one.to == "marco@player.example"]
    record.seen["absence answer"] = answer.body
    record.seen["deadline kept"] = (present, record.deadline)
    (record.seen["absence"],) = [s.absences for s in record.house.game().seats if s.absences]
    record.all_in()
    record.later(hours=3)
    record.seen["deadline after absence"] = record.deadline


def abandonment_and_replacement(record: Record) -> None:
    """Turkey is silent until the grace is over; Gina takes its seat."""
    phase = record.phase
    record.all_in(without="T")
    grace = record.house.view().clock.grace
    assert grace is not None
    record.until(grace - timedelta(hours=1))
    record.seen["before grace"] = [s.person for s in record.house.game().seats if "T" in s.powers]
    opened = record.later(hours=4)
    record.seen["opened"] = [one for one in opened if "wanted for" in one.subject]
    record.later(days=10)
    record.seen["waits for ever"] = (phase, record.phase)
    taking = ("SIGNON Tborgia gondola7", "A alb H", "F dur H", "F tun H")
    record.seen["stranger"] = record.keep(write(record.house, GINA, *taking))
    record.keep(write(record.house, GINA, "REGISTER", "Name: Gina", "Timezone: UTC", "END"))
    record.seen["before taking"] = (record.house.now, record.deadline)
    record.seen["taken"] = record.keep(write(record.house, GINA, "SIGNON Tborgia gondola7"))
    record.passwords["T"] = "gondola7"
    record.seen["fresh deadline"] = record.deadline
    old = write(record.house, "nino@player.example", "SIGNON Tborgia pwT", "A alb H")
    record.seen["old password"] = record.keep(old)
    record.all_in()
    record.later(hours=3)
    record.seen["after replacement"] = (phase, record.phase)


def pause_and_resume(record: Record) -> None:
    """Ten days stand still; orders are taken meanwhile."""
    before, phase = record.deadline, record.phase
    record.master("PAUSE")
    record.all_in()
    sent = record.later(days=20)
    record.seen["while paused"] = (phase, record.phase, sent)
    record.master("RESUME")
    record.seen["moved by pause"] = record.deadline - before
    record.later(hours=3)
    record.seen["after pause"] = (phase, record.phase)


def fall_without_some(record: Record) -> None:
    """Those who are silent hold; then what is there is played; upkeep in the player's order."""
    record.seen["hold in"] = record.phase
    record.master("SET NMR HOLD", "SET MOVES GRACE 48")
    record.all_in(without="A")
    record.say("A", "A tyr - trt")
    record.until(record.deadline + timedelta(days=9))
    record.seen["after hold"] = record.phase
    while not record.phase.endswith("B"):
        record.all_in()
        record.later(hours=3)
    record.say("A", "SET PRIORITY F, A aus, A")
    record.master("SET NMR CIVIL DISORDER")
    record.seen["disorder in"] = record.phase
    record.all_in(without="A")
    record.until(record.deadline + timedelta(days=9))
    record.seen["after disorder"] = record.phase


def jump(record: Record) -> None:
    """The server's clock leaps by three days, and is set right two days later."""
    before = record.deadline
    record.house.now += timedelta(days=3)
    record.seen["jump letters"] = record.cron()
    record.seen["moved by jump"] = record.deadline - before
    record.house.now -= timedelta(days=3)
    record.cron()
    record.seen["moved back"] = record.deadline - before


def by_hand(record: Record) -> None:
    """The master plays a phase himself."""
    record.master("SET MANUAL PROCESS", "SET NMR WAIT")
    phase = record.phase
    record.all_in()
    sent = record.later(days=2)
    record.seen["asked"] = [one.to for one in sent if "ready" in one.subject]
    record.seen["by hand before"] = (phase, record.phase)
    record.master(f"PROCESS {phase}")
    record.seen["by hand after"] = (phase, record.phase)
    record.master("SET AUTO PROCESS")


def to_the_end(record: Record) -> None:
    """Ordinary play until half a year is over."""
    while record.house.now < NOON + HALF_A_YEAR:
        record.later(days=6)
        record.all_in()


CHAPTERS = (
    templates_and_early,
    warnings_and_lateness,
    absence,
    abandonment_and_replacement,
    pause_and_resume,
    fall_without_some,
    jump,
    by_hand,
    to_the_end,
)


def test_half_a_year_passes(year: Record) -> None:
    """From November to May, and the year of the game has turned."""
    assert year.house.now - NOON >= HALF_A_YEAR
    assert int(year.phase[1:5]) > 1454


def test_every_clause_happens(year: Record) -> None:
    """The log of the game names each of them."""
    kinds = {notice.kind for notice in year.house.store.tables.notices}

    wanted = {"processed", "times", "absence", "abandoned", "joined", "paused", "resumed", "clock"}
    assert wanted <= kinds


def test_complete_phase_is_played_after_the_delay(year: Record) -> None:
    """Half an hour after the last orders, not at once."""
    assert (year.seen["at once"], year.seen["after the delay"]) == ("F1453B", "S1454M")


def test_deadline_is_at_the_clock_on_an_allowed_day_and_not_before_the_old_one(year) -> None:
    """At 20:00 in Rome, the master's zone, on a working day."""
    old, new = year.seen["deadlines"]
    here = new.astimezone(ROME)

    assert new >= old
    assert (here.hour, here.minute) == (20, 0)
    assert here.weekday() < 5


def test_missing_are_warned_at_the_chosen_hours(year: Record) -> None:
    """Three warnings, to Florence alone."""
    assert year.seen["warned"] == {"anna@player.example": 3}


def test_late_are_told_each_day_and_others_once(year: Record) -> None:
    """Two days late: at the deadline, and a day after it."""
    late = year.seen["late"]

    assert late["anna@player.example"] == 2
    assert late["marco@player.example"] == 1
    assert year.seen["waited in"] == "S1454M"
    assert year.seen["after the late mail"] == "U1454M"


def test_absence_pushes_the_next_deadline_only(year: Record) -> None:
    """The present one stays; the next falls behind the absence."""
    before, after = year.seen["deadline kept"]
    (away,) = year.seen["absence"]

    assert before == after
    assert year.seen["deadline after absence"] >= away.end
    assert "UTC" in year.seen["absence answer"]
    assert "CET" in year.seen["absence answer"]


def test_seat_opens_when_the_grace_is_over(year: Record) -> None:
    """Not an hour before; everybody is told, the one who loses it as well; the game waits."""
    assert None not in year.seen["before grace"]
    assert len(year.seen["opened"]) == 8
    (own,) = [one for one in year.seen["opened"] if one.to == "nino@player.example"]
    assert "your seat is open" in own.subject
    assert len(set(year.seen["waits for ever"])) == 1


def test_only_registered_people_take_over(year: Record) -> None:
    """A stranger is told to register; then his password is the seat's, and the old one is not."""
    (refused,) = [one for one in year.seen["stranger"] if one.to == GINA]
    (taken,) = [one for one in year.seen["taken"] if one.to == GINA]
    (old,) = [one for one in year.seen["old password"] if one.to == "nino@player.example"]

    assert "REGISTER" in refused.body
    assert "You lead Turkey now" in taken.body
    assert "[Errors]" in old.subject
    assert len([one for one in year.seen["taken"] if "new player" in one.subject]) == 7


def test_newcomer_has_the_time_of_a_phase(year: Record) -> None:
    """The deadline that was over is put off."""
    now, over = year.seen["before taking"]

    assert over < now
    assert year.seen["fresh deadline"] >= now + timedelta(days=10)
    before, after = year.seen["after replacement"]
    assert before != after


def test_clock_stands_while_paused(year: Record) -> None:
    """Complete orders are not played, nobody is warned; the deadline moves by the pause."""
    before, during, sent = year.seen["while paused"]

    assert before == during
    assert sent == []
    assert year.seen["moved by pause"] == timedelta(days=20)
    assert year.seen["after pause"][1] != before


def test_silent_hold_by_orders_of_their_own(year: Record) -> None:
    """Even what Austria had written for one unit does not count."""
    lines = year.on_file(year.seen["hold in"], "A")

    assert {line.mail for line in lines} == {None}
    assert {line.canonical.split()[-1] for line in lines} == {"h"}
    assert len(lines) == 3
    assert year.seen["after hold"] != year.seen["hold in"]


def test_silent_in_the_adjustment_keep_what_the_money_pays(year: Record) -> None:
    """In the player's own order, as orders that the judge wrote."""
    lines = year.on_file(year.seen["disorder in"], "A")

    assert {line.mail for line in lines} == {None}
    assert lines[0].canonical == "maintain A aus"
    assert year.seen["after disorder"] != year.seen["disorder in"]


def test_jump_moves_deadlines_and_is_told(year: Record) -> None:
    """By three days there, and back again; players and keeper read of it."""
    told = {one.to for one in year.seen["jump letters"]}

    assert year.seen["moved by jump"] == timedelta(days=3)
    assert year.seen["moved back"] == timedelta(0)
    assert {"keeper@mach.example", MASTER, GINA} <= told


def test_master_plays_by_hand_when_he_wants_to(year: Record) -> None:
    """He is asked once a day; nothing happens without him."""
    assert set(year.seen["asked"]) == {MASTER}
    assert len(year.seen["asked"]) in (2, 3)
    assert len(set(year.seen["by hand before"])) == 1
    assert len(set(year.seen["by hand after"])) == 2


def test_no_letter_goes_out_twice(year: Record) -> None:
    """Cron calls often; what it sends at one time differs."""
    count = Counter((at, one.to, one.subject, one.body) for at, one in year.letters)

    assert [key[:3] for key, times in count.items() if times > 1] == []
