"""What is said about time by mail: templates, this phase's times, absences, priorities."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from machjudge.adjudicator.names import PowerId
from machjudge.judge.clock import due_days
from machjudge.judge.game_settings import GameSettings, PhaseTiming, Policy
from machjudge.judge.order_sets import in_order_of_worth
from machjudge.judge.process import play_on
from machjudge.judge.tick import look_at_games
from machjudge.messages.wording import listed
from tests.cases import cases
from tests.judge.house import NOON, House, message_renderer, started
from tests.judge.letters_in import answer, master, write
from tests.judge.year import OPENING, order, play

MASTER = "lucia@player.example"
VENICE = "marco@player.example"
FLORENCE = "anna@player.example"


def settings(house: House) -> GameSettings:
    """How the game is run now."""
    return house.game().settings


# --- templates -------------------------------------------------------------------------------


def test_template_takes_all_its_words() -> None:
    """In any order, cut short, with hours, days and minutes."""
    house = started()
    master(house, "SET MOVE N 71 C 1410 M 12h G 7d DE 30m DA -mTWTF-")

    assert settings(house).campaign_hours == 71
    assert settings(house).moves == PhaseTiming(1410, 12, 168, 30, "-mTWTF-")
    assert settings(house).retreats == PhaseTiming()


@pytest.mark.parametrize(
    "words",
    ["NEXT", "NEXT 0", "NEXT soon", "CLOCK 25:00", "CLOCK 1440", "DAYS MTWTFSS", "DELAY 99999d"],
)
def test_what_fits_no_template_is_refused(words) -> None:
    """Nothing is changed, and the answer says what would fit."""
    house = started()
    body = answer(master(house, f"SET RETREATS {words}"), MASTER)

    assert "NOT TAKEN" in body
    assert settings(house) == replace(settings(house), retreat_hours=24, retreats=PhaseTiming())


@cases
def test_setting_that_makes_no_sense_is_refused_with_its_reason(line: str, says: str) -> None:
    """Not with a list of what there is."""
    house = started()
    before = settings(house)
    body = answer(master(house, line), MASTER)

    assert says in " ".join(body.split())
    assert settings(house) == before


def test_least_time_may_be_as_long_as_the_phase() -> None:
    """It is played at its deadline then; the order of the words does not matter."""
    house = started()
    master(house, "SET MOVES MIN 96 NEXT 96")

    assert (settings(house).moves.least_hours, settings(house).campaign_hours) == (96, 96)


@cases
def test_days_are_told_in_words(days: str, words: str) -> None:
    """Nobody counts letters from Sunday."""
    assert listed(map(message_renderer().say, due_days(days))) == words


def test_template_does_not_touch_the_running_phase() -> None:
    """The deadline that was announced stays; everybody reads the new times."""
    house = started()
    before = house.game().clock
    sent = master(house, "SET ADJUSTMENTS NEXT 5 GRACE 5 CLOCK 20:00")

    assert house.game().clock == before
    assert "The running phase keeps its times." in answer(sent, MASTER)
    assert "due at 20:00" in answer(sent, FLORENCE)


@pytest.mark.parametrize(
    ("line", "policy"),
    [
        ("SET NMR HOLD", Policy.HOLD),
        ("SET NMR", Policy.HOLD),
        ("SET NMR CIVIL DISORDER", Policy.CIVIL_DISORDER),
        ("SET NMR WAIT", Policy.WAIT),
        ("SET NO NMR", Policy.WAIT),
        ("SET NOCD", Policy.WAIT),
    ],
)
def test_policy_for_the_missing_is_set(line, policy) -> None:
    """By its words, and by the old ones."""
    house = started()
    master(house, "SET NMR HOLD" if policy is Policy.WAIT else "SET NONMR")
    assert "Set: when grace is over" in answer(master(house, line), MASTER)

    assert settings(house).policy is policy


def test_switches_warnings_and_absences_are_set() -> None:
    """Several on one line where they take no list."""
    house = started()
    master(house, "SET STRICT GRACE, STRICT WAIT, MANUAL PROCESS, MAX ABSENCE 30")
    master(house, "SET WARN 1, 24 8")
    now = settings(house)

    assert (now.strict_grace, now.strict_wait, now.manual) == (True, True, True)
    assert (now.most_absent_days, now.warn_hours) == (30, (24, 8, 1))
    master(house, "SET NO STRICT GRACE, AUTO PROCESS", "SET NO WARN")
    now = settings(house)
    assert (now.strict_grace, now.manual, now.warn_hours) == (False, False, ())


@pytest.mark.parametrize("line", ["SET MOVES NEXT 5", "SET NMR HOLD", "PAUSE", "SET GRACE +9d"])
def test_players_do_not_set_the_clock(line) -> None:
    """It is for the master."""
    house = started()
    before = house.game()
    body = answer(order(house, "L", line), FLORENCE)

    assert "NOT TAKEN" in body
    assert " only." in body
    assert (house.game().settings, house.game().clock) == (before.settings, before.clock)


# --- this phase ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "instant"),
    [
        ("mon 20:00", datetime(2026, 11, 23, 19, 0, tzinfo=UTC)),
        ("24 Nov 2026 20:00 UTC", datetime(2026, 11, 24, 20, 0, tzinfo=UTC)),
        ("2026-11-24T20:00Z", datetime(2026, 11, 24, 20, 0, tzinfo=UTC)),
        ("+48h", NOON + timedelta(hours=48)),
        ("dec 1 18:00 America/New_York", datetime(2026, 12, 1, 23, 0, tzinfo=UTC)),
    ],
)
def test_deadline_in_words_is_repeated_in_both_zones(words, instant) -> None:
    """In Rome's time, and in UTC."""
    house = started()
    body = answer(master(house, f"SET DEADLINE {words}"), MASTER)
    clock = house.view().clock

    assert clock.deadline == instant
    assert clock.grace == instant + timedelta(hours=72)
    assert f"{instant:%H:%M} UTC)." in " ".join(body.split())


@pytest.mark.parametrize("words", ["tue thu sat 20:00", "Tuesday, Thursday and Saturday at 20:00"])
@pytest.mark.parametrize("begun", [True, False])
def test_a_deadline_on_several_days_is_answered_with_the_line_for_every_week(words, begun) -> None:
    """One deadline has one day; the line that is shown does what was meant."""
    house = started() if begun else House()
    if not begun:
        write(house, MASTER, "CREATE ?borgia masterkey")
    told = answer(master(house, f"SET DEADLINE {words}"), MASTER)
    assert "SET MOVES DAYS --T-T-S CLOCK 20:00" in told

    master(house, "SET MOVES DAYS --T-T-S CLOCK 20:00")
    moves = settings(house).moves
    assert (moves.clock, moves.days) == (1200, "--T-T-S")


def test_grace_and_start_of_this_phase_are_set() -> None:
    """The grace not before the deadline; a start drags the deadline along."""
    house = started()
    assert "grace follows it" in answer(master(house, "SET GRACE +2h"), MASTER)
    master(house, "SET GRACE +9d")
    assert house.view().clock.grace == NOON + timedelta(days=9)
    master(house, "SET START +8d")
    clock = house.view().clock

    assert clock.start == clock.deadline == NOON + timedelta(days=8)
    play(house, OPENING)
    assert house.view().state.moment.code == "F1453B"
    house.later(days=8)
    look_at_games(house.services, house.now)
    assert house.view().state.moment.code == "S1454M"


def test_paused_game_takes_orders_and_no_other_times() -> None:
    """The head says so; a second pause, and a deadline, are refused."""
    house = started()
    told = answer(master(house, "PAUSE"), FLORENCE)
    assert ":: Deadline: none (paused)" in told
    assert "paused already" in answer(master(house, "PAUSE"), MASTER)
    assert "RESUME first" in answer(master(house, "SET DEADLINE +9d"), MASTER)

    body = answer(order(house, "L", *OPENING["L"]), FLORENCE)
    assert "COMPLETE: all orders of Florence are on file." in body
    listing = answer(write(house, FLORENCE, "LIST borgia"), FLORENCE)
    assert "Paused; the clocks stand since Fri 20 Nov 2026, 13:00 CET" in listing
    house.later(days=2)
    master(house, "RESUME")
    assert house.view().clock.deadline == NOON + timedelta(days=9)
    assert "neither paused" in answer(master(house, "RESUME"), MASTER)


def test_times_after_a_pause_are_where_the_game_has_its_deadlines() -> None:
    """At 20:00 in Rome, on a workday, however odd the time of RESUME; nobody reads of 00:58:56."""
    house = started()
    master(house, "SET ADJUSTMENTS CLOCK 20:00 DAYS -MTWTF-", "PAUSE")
    house.later(hours=13, minutes=58, seconds=56)
    sent = master(house, "RESUME")
    clock = house.view().clock

    assert clock.deadline == datetime(2026, 11, 30, 19, 0, tzinfo=UTC)
    assert clock.grace == datetime(2026, 12, 3, 19, 0, tzinfo=UTC)
    assert "Mon Nov 30 2026 19:00:00 +0000" in sent[0].body


def test_times_that_the_master_sets_are_full_minutes() -> None:
    """Also where they are counted from now."""
    house = started()
    house.later(seconds=37)
    master(house, "SET DEADLINE +48h", "SET GRACE +72h", "SET START +12h")
    clock = house.view().clock

    assert clock.grace is not None
    assert clock.start is not None
    assert {each.second for each in (clock.deadline, clock.grace, clock.start)} == {0}


def test_order_in_a_pause_is_not_late() -> None:
    """Whenever the deadline would have been."""
    house = started()
    master(house, "PAUSE")
    house.later(days=9)

    assert "LATE" not in answer(order(house, "L", *OPENING["L"]), FLORENCE)


# --- absences and priorities -----------------------------------------------------------------


def test_absence_is_taken_and_taken_back() -> None:
    """At most three pending; by number, or all at once."""
    house = started()
    for month in ("1 Dec 2026 to 5 Dec 2026", "1 Jan 2027 to 9 Jan 2027", "1 Feb 2027"):
        order(house, "V", f"SET ABSENCE {month}")
    body = answer(order(house, "V", "SET ABSENCE 1 Mar 2027"), VENICE)
    (seat,) = [seat for seat in house.game().seats if "V" in seat.powers]

    assert "3 absences are pending" in " ".join(body.split())
    assert [each.start.astimezone(UTC).month for each in seat.absences] == [11, 12, 1]
    assert seat.absences[2].end - seat.absences[2].start == timedelta(days=1)
    order(house, "V", "SET NO ABSENCE")
    (seat,) = [seat for seat in house.game().seats if "V" in seat.powers]
    assert seat.absences == ()


@cases
def test_absence_that_cannot_be_is_refused(words, says) -> None:
    """With the reason."""
    house = started()
    body = answer(order(house, "V", f"SET ABSENCE {words}"), VENICE)

    assert says in " ".join(body.split())


def test_master_alone_is_told_of_an_absence() -> None:
    """The other players are not."""
    house = started()
    sent = order(house, "V", "SET ABSENCE 1 Dec 2026 to 5 Dec 2026")

    assert {letter.to for letter in sent} == {VENICE, MASTER}


def test_master_is_told_that_an_absence_is_taken_back() -> None:
    """One of two, then the other; by then the deadlines need not go by it."""
    house = started()
    order(house, "V", "SET ABSENCE 1 Dec 2026 to 5 Dec 2026")
    order(house, "V", "SET ABSENCE 24 Dec 2026 to 2 Jan 2027")
    one = answer(order(house, "V", "SET NO ABSENCE 1"), MASTER)
    rest = answer(order(house, "V", "SET NO ABSENCE"), MASTER)

    assert "Marco is not away any more:\n  from Tue 1 Dec 2026" in one
    assert "Marco is away:\n  from Thu 24 Dec 2026" in one
    assert "Marco is not away any more:\n  from Thu 24 Dec 2026" in rest
    assert "Marco is away" not in rest
    assert {letter.to for letter in order(house, "V", "SET NO ABSENCE")} == {VENICE}


def test_priority_says_which_units_are_kept() -> None:
    """Units, places, kinds; then as the judge likes; what money pays, and no more."""
    house = started("nodice")
    order(house, "N", "SET PRIORITY fleets of naples")
    body = order(house, "N", "SET PRIORITY F pal, bar, F")
    assert "F pal, bar, F" in answer(body, "rosa@player.example")
    view = house.view()
    units = in_order_of_worth(view, PowerId("N"))
    assert [f"{unit.kind.value} {unit.place}" for unit in units] == [
        "F pal",
        "A bar",
        "F nap",
        "A mes",
    ]

    poor = replace(view.state, treasuries={**view.state.treasuries, PowerId("N"): 7})
    view = replace(view, phase=replace(view.phase, after=poor))
    stored = play_on(house.services, view, house.now).stored
    lines = stored.orders[PowerId("N")]
    assert [line.canonical for line in lines] == ["maintain F pal", "maintain A bar"]


def test_sheet_without_a_valid_order_is_silence() -> None:
    """Whose every line was refused keeps his units all the same."""
    house = started("nodice")
    order(house, "N", "maintain nothing at all")
    stored = play_on(house.services, house.view(), house.now).stored

    assert len(stored.orders[PowerId("N")]) == 4


def test_only_those_with_orders_may_wait_strictly() -> None:
    """Elsewhere everybody may."""
    house = started()
    order(house, "L", "SET WAIT")
    eliminated = replace(house.view().state, eliminated=frozenset({PowerId("L")}))
    view = house.view()
    view = replace(view, phase=replace(view.phase, after=eliminated))
    assert view.readiness().wait
    strict = replace(view.game, settings=replace(settings(house), strict_wait=True))

    assert not replace(view, game=strict).readiness().wait
