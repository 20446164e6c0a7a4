"""Missed deadlines: who is warned, excused, remembered, and when a seat is lost by it."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from machjudge.judge.game_settings import Policy
from machjudge.judge.game_view import attended
from machjudge.judge.mails import Outgoing
from machjudge.judge.records import Attendance, Seat
from machjudge.judge.tick import look_at_games
from tests.judge.calendar import Record, watch_clock
from tests.judge.game.test_attendance import hold_all, tick_late
from tests.judge.house import House, built_once, seat_of
from tests.judge.letters_in import answer, message_to, reply, tick, write
from tests.judge.phases.test_mastering import GINA, master, ruled, said
from tests.judge.returned import HARD, come_back
from tests.judge.year import address_of, order

ALL = "IVLPNTAF"
ANNA, MARCO = "anna@player.example", "marco@player.example"
STRANGER = "flora@far.example"


def record(house: House, name: str) -> Attendance:
    """How somebody has kept the deadlines of the game."""
    people = house.store.tables.persons.values()
    person = next(each.id for each in people if each.name == name)
    return attended(house.game(), person)


def newcomer(house: House) -> None:
    """Flora is registered, and plays nowhere."""
    write(house, STRANGER, "REGISTER", "Name: Flora", "END")


def at_deadline(house: House, **after: float) -> list[Outgoing]:
    """What the deadline brings, or a time after it."""
    house.now = house.view().clock.deadline + timedelta(**after)
    return tick(house)


# --- warnings --------------------------------------------------------------------------------


def test_reminder_names_the_instant_at_which_the_seat_is_lost() -> None:
    """And the seat is open at that instant, not before."""
    house = ruled("nomoney")
    master(house, "SET MOVES GRACE 24", "SET DEADLINE +48h")
    hold_all(house, *ALL.replace("L", ""))
    reminder = message_to(at_deadline(house, hours=-12), ANNA)
    opens = house.view().clock.deadline + timedelta(hours=24)

    assert "If orders of yours stay missing, your seat is open to others from" in reminder.body
    assert f"{opens:%H:%M} UTC" in reminder.body
    at_deadline(house)
    at_deadline(house, hours=23)
    assert seat_of(house, "L").person is not None
    at_deadline(house, hours=24)
    assert seat_of(house, "L").person is None


def test_no_seat_is_opened_before_its_player_had_the_notice() -> None:
    """Where nobody was reminded, the late notice is the first that they hear."""
    house = ruled("nomoney")
    master(house, "SET MOVES GRACE 0", "SET NOWARN", "SET NOTICE 10", "SET DEADLINE +48h")
    hold_all(house, *ALL.replace("L", ""))
    late = message_to(at_deadline(house), ANNA)
    at_deadline(house, hours=9)
    kept = seat_of(house, "L").person
    at_deadline(house, hours=10)

    assert "Your seat is open to others from" in late.body
    assert kept is not None
    assert seat_of(house, "L").person is None


def test_judge_that_was_down_warns_first() -> None:
    """The grace was over when it came back: the seat has its notice all the same."""
    house = ruled("nomoney")
    master(house, "SET MOVES GRACE 2", "SET NOWARN", "SET DEADLINE +48h")
    hold_all(house, *ALL.replace("L", ""))
    at_deadline(house, hours=5)
    at_deadline(house, hours=10)
    kept = seat_of(house, "L").person
    at_deadline(house, hours=11)

    assert kept is not None
    assert seat_of(house, "L").person is None


def test_orders_keep_the_seat_until_the_last_moment() -> None:
    """The line that prevents it is in the warning."""
    house = ruled("nomoney")
    master(house, "SET MOVES GRACE 24", "SET DEADLINE +48h")
    hold_all(house, *ALL.replace("L", "").replace("V", ""))
    at_deadline(house)
    house.now = house.view().clock.deadline + timedelta(hours=23, minutes=59)
    hold_all(house, "L")
    at_deadline(house, hours=24)

    assert seat_of(house, "L").person is not None
    assert seat_of(house, "V").person is None


def test_newcomer_is_warned_anew() -> None:
    """What the last player was told is nothing to the next."""
    house = ruled("nomoney")
    master(house, "SET MOVES GRACE 24", "SET NOFRESH DEADLINE", "SET DEADLINE +48h")
    order(house, "L", "RESIGN")
    hold_all(house, *ALL.replace("L", "").replace("V", ""))
    at_deadline(house)
    house.now = house.view().clock.deadline + timedelta(hours=23)
    newcomer(house)
    told = write(house, STRANGER, "SIGNON Lborgia tulip9")
    told += tick(house)
    at_deadline(house, hours=25)

    assert any(m.to == STRANGER and "your seat is open" in m.body.lower() for m in told)
    assert seat_of(house, "V").person is None
    assert seat_of(house, "L").person is not None


def test_later_deadline_needs_another_warning() -> None:
    """The old one named another time."""
    house = ruled("nomoney")
    master(house, "SET MOVES GRACE 0", "SET NOWARN", "SET DEADLINE +48h")
    hold_all(house, *ALL.replace("L", ""))
    at_deadline(house)
    house.later(hours=1)
    master(house, "SET DEADLINE +1h")
    at_deadline(house)
    at_deadline(house, hours=5)
    kept = seat_of(house, "L").person
    at_deadline(house, hours=6)

    assert kept is not None
    assert seat_of(house, "L").person is None


def test_player_of_two_powers_who_ordered_for_one_is_not_silent() -> None:
    """A game that plays on keeps the seat of somebody who is there."""
    house = ruled("nomoney")
    house.change_settings(policy=Policy.HOLD, warn_hours=())
    both = replace(
        seat_of(house, "L"), powers=(*seat_of(house, "L").powers, *seat_of(house, "V").powers)
    )
    others = [seat for seat in house.game().seats if not set(seat.powers) & {"L", "V"}]
    house.change(seats=(*others, both))
    hold_all(house, "L")
    at_deadline(house)
    grace = house.view().clock.grace
    assert grace is not None
    house.now = grace - timedelta(minutes=1)
    tick(house)

    assert seat_of(house, "L").person is not None
    assert seat_of(house, "T").person is None


def test_master_hears_of_a_warning_that_came_back_before_the_seat_is_opened() -> None:
    """The late notice returns: the master reads it at once, once."""
    house = ruled("nomoney")
    master(house, "SET MOVES GRACE 24", "SET NOBRIEFING", "SET NOWARN", "SET DEADLINE +48h")
    hold_all(house, *ALL.replace("L", ""))
    at_deadline(house)
    house.later(hours=1)
    come_back(house, ANNA, HARD)
    told = tick(house)
    again = at_deadline(house, hours=2)

    assert [letter.to for letter in told if "cannot be reached" in letter.subject] == [GINA]
    assert again == []
    assert seat_of(house, "L").person is not None


# --- an excuse -------------------------------------------------------------------------------


@built_once
def excusing(*more: str) -> House:
    """A game that excuses one miss by two days; all but Florence and Venice have ordered."""
    house = ruled("nomoney")
    master(house, "SET EXCUSE 48", "SET NOWARN", "SET NOBRIEFING", *more, "SET DEADLINE +48h")
    hold_all(house, *ALL.replace("L", "").replace("V", ""))
    return house


def test_first_miss_moves_the_deadline_and_is_told_to_all() -> None:
    """Those who are excused read that it was for them, the others who it was."""
    house = excusing()
    was = house.view().clock.deadline
    sent = at_deadline(house)
    own, other = message_to(sent, ANNA).body, message_to(sent, "nino@player.example").body

    assert house.view().clock.deadline == was + timedelta(hours=48)
    assert "You have missed the deadline. This game excuses that once" in own
    assert "Venice has missed the deadline" in " ".join(own.split())
    assert "Florence have missed the deadline for the first time" in " ".join(other.split())
    assert "deadline" in message_to(sent, ANNA).subject
    assert record(house, "Anna").late == 0
    assert record(house, "Anna").excused == 1


def test_second_miss_is_not_excused() -> None:
    """Neither in the same phase nor in a later one."""
    house = excusing()
    at_deadline(house)
    deadline = house.view().clock.deadline
    late = at_deadline(house)
    assert house.view().clock.deadline == deadline
    assert "you are late" in message_to(late, ANNA).subject

    hold_all(house, "L", "V")
    assert house.view().state.moment.code != "S1454M"
    hold_all(house, *ALL.replace("L", ""))
    deadline = house.view().clock.deadline
    late = at_deadline(house)
    assert house.view().clock.deadline == deadline
    assert "you are late" in message_to(late, ANNA).subject


def test_excuse_of_another_seat_moves_a_later_phase() -> None:
    """Each seat has its own."""
    house = excusing()
    hold_all(house, "V")
    at_deadline(house)
    hold_all(house, "L")
    hold_all(house, *ALL.replace("V", ""))
    deadline = house.view().clock.deadline
    at_deadline(house)

    assert house.view().clock.deadline == deadline + timedelta(hours=48)


def test_yearly_excuse_comes_back_with_the_year() -> None:
    """And not before."""
    house = excusing("SET EXCUSE YEARLY")
    at_deadline(house)
    game = house.game()
    used = tuple((number, code.replace("1454", "1453")) for number, code in game.seating.excused)

    readiness = house.view().readiness()
    assert readiness.missing
    assert not readiness.excusable
    house.change(seating=replace(game.seating, excused=used))
    assert house.view().readiness().excusable == readiness.missing


def test_quiet_game_names_nobody() -> None:
    """Others read that somebody was excused."""
    house = excusing("SET QUIET")
    sent = at_deadline(house)

    body = " ".join(message_to(sent, "nino@player.example").body.split())
    assert "Somebody has missed the deadline for the first time" in body
    assert "Florence" not in body.partition("NEXT")[0]
    assert "Florence" in message_to(sent, GINA).body


def test_listing_says_what_happens_to_the_late() -> None:
    """In sentences, where it is not as usual."""
    house = ruled("nomoney")
    told = said(master(house, "SET EXCUSE 48 YEARLY", "SET NOTICE 24", "LIST"))

    assert "The first deadline that somebody misses in a year moves by 48 hours." in told
    assert "A seat is opened 24 hours after a warning, or later." in told


@pytest.mark.parametrize("line", ["SET NOTICE 0", "SET NOTICE soon", "SET EXCUSE", "SET EXCUSE 0"])
def test_hours_that_are_none_are_refused(line: str) -> None:
    """With an example."""
    assert "write hours" in said(master(ruled("nomoney"), line)).lower()


# --- records ---------------------------------------------------------------------------------


def test_orders_after_a_reminder_and_missed_phases_are_counted_apart() -> None:
    """Anna answers a reminder, Marco never; the others are in time."""
    house = ruled("nomoney")
    master(house, "SET NMR HOLD", "SET MOVES GRACE 0", "SET NOBRIEFING", "SET DEADLINE +48h")
    hold_all(house, *ALL.replace("L", "").replace("V", ""))
    at_deadline(house, hours=-12)
    hold_all(house, "L")
    at_deadline(house)

    assert record(house, "Anna") == Attendance(record(house, "Anna").person, 1, reminded=1)
    assert record(house, "Marco") == Attendance(record(house, "Marco").person, 0, 1, missed=1)
    assert record(house, "Nino") == Attendance(record(house, "Nino").person, 1)


def test_reliability_is_told_to_oneself_and_to_masters_of_the_game() -> None:
    """Nobody else reads it, an address in From is no proof, and another game's master is none."""
    house = ruled("nomoney")
    tick_late(house)
    own = answer(order(house, "L", "GET RELIABILITY"), ANNA)
    write(house, STRANGER, "CREATE ?sforza topsecret 1454")
    other = write(house, STRANGER, "SIGNON Msforza topsecret", "INFO PLAYER Anna")
    house.services = replace(house.services, judge=replace(house.services.judge, confirm=True))
    forged = write(house, ANNA, "GET RELIABILITY")
    spied = order(house, "V", "INFO PLAYER Anna")

    assert "PLAYER Anna" in own
    assert "In time in 0 of 1 phase (0%), in 1 game." in own
    assert "In time in 0 of 1 phase (0%)" in said(master(house, "INFO PLAYER Anna"))
    for refused in (answer(other, STRANGER), answer(forged, ANNA), answer(spied, MARCO)):
        assert "In time in" not in refused
        assert "NOT TAKEN" in refused


def test_game_without_newcomers_takes_only_people_with_a_record() -> None:
    """The refusal says so; the invited may join all the same."""
    house = ruled("nomoney")
    hold_all(house, *ALL)
    write(house, GINA, "CREATE ?sforza masterkey 1454")
    write(house, GINA, "SIGNON Msforza masterkey", "SET NONEWCOMERS")
    new = answer(write(house, STRANGER, "SIGNON ?sforza tulip9"), STRANGER)
    known = answer(write(house, MARCO, "SIGNON ?sforza tulip9"), MARCO)

    assert "you have no record yet" in " ".join(new.split())
    assert "You have joined" in known


def test_each_holder_of_a_seat_has_a_tenure() -> None:
    """From which phase until which; one who comes back in the same phase has never been away."""
    house = ruled("nomoney")
    order(house, "V", "RESIGN")
    master(house, "EJECT Turkey")
    master(house, "REINSTATE Turkey")
    hold_all(house, *ALL.replace("V", ""))
    at_deadline(house, days=8)
    newcomer(house)
    write(house, STRANGER, "SIGNON Vborgia tulip9")
    who = " ".join(answer(write(house, STRANGER, "WHO borgia"), STRANGER).split())

    assert "WHO LED WHAT, AND WHEN" in who
    code = house.view().state.moment.code
    assert f"Venice: Marco, from S1454M until S1454M Venice: Flora, since {code}" in who
    assert "Turkey: " not in who.partition("WHO LED WHAT")[2]


def test_last_mail_names_every_tenure() -> None:
    """With the phases; a bot is named as one."""
    house = ruled("nomoney")
    master(house, "SET VACANT BOT")
    hold_all(house, *ALL)
    order(house, "V", "RESIGN")
    code = house.view().state.moment.code
    hold_all(house, *ALL.replace("V", ""))
    newcomer(house)
    write(house, STRANGER, "SIGNON Vborgia tulip9")
    later = house.view().state.moment.code
    sent = master(house, "DECLARE VICTORY Milan")
    last = message_to([m for m in sent if "game over" in m.subject], ANNA).body

    assert f"Venice: Marco, from S1454M until {code}" in last
    assert f"Venice: a bot, from {code} until {later}" in last
    assert f"Venice: Flora, since {later}" in last


def test_successor_is_told_that_the_votes_of_the_last_player_have_lapsed() -> None:
    """They are not the votes of the person who sits there now."""
    house = ruled("nomoney")
    order(house, "V", "SET DRAW")
    master(house, "SET NOWARN", "SET MOVES GRACE 0", "SET DEADLINE +1h")
    at_deadline(house)
    at_deadline(house, hours=6)
    assert seat_of(house, "V").draw is not None
    newcomer(house)
    taken = answer(write(house, STRANGER, "SIGNON Vborgia tulip9"), STRANGER)

    assert seat_of(house, "V").draw is None
    assert "The vote of the last player for a draw" in " ".join(taken.split())


# --- always ----------------------------------------------------------------------------------

DEEDS = ("silent", "orders", "part", "late", "away", "unreachable")
STEP = timedelta(hours=2)


def _act(record: Record, power: str, deed: str, hours: int) -> None:
    """What a player does with a phase, so many hours before or after its deadline."""
    house = record.house
    view = house.view()
    if seat_of(house, power).person is None:
        return
    is_time = abs((view.clock.deadline + timedelta(hours=hours)) - house.now) < STEP / 2
    if not is_time:
        return
    match deed:
        case "orders" | "late":
            holds(record, power)
        case "part":
            holds(record, power, 1)
        case "away":
            record.say(power, "SET ABSENCE NOW TO +48h")
        case "unreachable":
            if any(letter.to == address_of(house, power) for _, letter in record.letters):
                record.keep(come_back(house, address_of(house, power), HARD))


def holds(record: Record, power: str, most: int | None = None) -> None:
    """A power orders its units to hold, or some of them; what comes of it is kept."""
    units = record.house.view().state.units_of(power)[:most]
    lines = (f"{unit.kind.value} {unit.place} H" for unit in units)
    record.keep(order(record.house, power, *lines))


def _warned(record: Record, seat: Seat, now: datetime, notice: timedelta) -> bool:
    """True if the seat's address was told of the opening, long enough ago, in time to act."""
    told = [
        at
        for at, letter in record.letters
        if letter.to == seat.address
        and ("you are late" in letter.subject or "reminder" in letter.subject)
        and ("seat is open to others" in letter.body)
    ]
    began = record.house.view().clock.began
    return any(began <= at <= now - notice for at in told)


def answer_requests(record: Record, sent: list[Outgoing]) -> None:
    """Flora takes each seat for which she is asked; only open ones are offered."""
    house = record.house
    free = {seat.number for seat in house.game().seats if seat.person is None}
    assert {each.seat for each in house.game().seating.asked} <= free
    for asked in [m for m in sent if m.to == STRANGER and "will you lead" in m.subject]:
        record.keep(reply(house, asked, "yes"))


GAMES = st.fixed_dictionaries(
    {
        "deeds": st.lists(
            st.lists(
                st.tuples(st.sampled_from(DEEDS), st.integers(-15, 40)), min_size=3, max_size=3
            ),
            min_size=3,
            max_size=3,
        ),
        "policy": st.sampled_from(list(Policy)),
        "grace": st.sampled_from((0, 3, 24, 48)),
        "warn": st.sampled_from(((), (12,), (4,))),
        "notice": st.sampled_from((1, 6, 20)),
        "excuse": st.sampled_from((0, 24)),
        "bot": st.booleans(),
        "substitutes": st.booleans(),
        "sleeps": st.lists(st.booleans(), min_size=12, max_size=12),
    }
)


def drawn_game(drawn) -> Record:
    """A game with the settings that were drawn, and somebody who has offered to substitute."""
    record = Record(ruled("nomoney"), master_address=GINA)
    house = record.house
    lines = ["SET VACANT BOT"] if drawn["bot"] else []
    lines += [f"SET EXCUSE {drawn['excuse']}"] if drawn["excuse"] else []
    lines += ["SET SUBSTITUTES 4"] if drawn["substitutes"] else []
    newcomer(house)
    write(house, STRANGER, "OFFER SUBSTITUTE")
    master(house, f"SET MOVES GRACE {drawn['grace']}", f"SET NOTICE {drawn['notice']}", *lines)
    house.change_settings(policy=drawn["policy"], warn_hours=drawn["warn"])
    master(house, "SET DEADLINE +16h")
    return record


@settings(max_examples=15)
@given(GAMES)
def test_nobody_loses_a_seat_without_having_been_told_in_time(drawn) -> None:
    """Whatever people do, and however the judge looks: warned before, and orders were missing."""
    record = drawn_game(drawn)
    house, notice, sleeps = record.house, drawn["notice"], drawn["sleeps"]
    order_of = dict(zip("LVN", drawn["deeds"], strict=True))
    hold_all(house, *(power for power in ALL if power not in order_of))
    number = 0
    for step in range(60):
        phases = len(house.store.tables.phases)
        for power, own in order_of.items():
            if number < len(own):
                _act(record, power, *own[number])
        before = {seat.number: seat for seat in house.game().seats}
        missing = house.view().readiness().missing
        if not sleeps[step % len(sleeps)]:
            watch_clock(house.services, house.now)
            assert look_at_games(house.services, house.now).failed == ()
        sent = house.mails_out()
        for seat in house.game().seats:
            was = before[seat.number]
            if was.person is not None and seat.person != was.person:
                assert missing.intersection(was.powers)
                assert _warned(record, was, house.now, timedelta(hours=notice))
        record.keep(sent)
        answer_requests(record, sent)
        if len(house.store.tables.phases) > phases:
            number += 1
            live = [p for p in ALL if seat_of(house, p).person is not None]
            for power in (power for power in live if power not in order_of):
                holds(record, power)
        if number == len(DEEDS):
            break
        house.later(hours=STEP.total_seconds() / 3600)
