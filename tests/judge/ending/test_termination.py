"""A game that its master breaks off: a week in which he can take it back, then its end."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from machjudge.judge.endings import RESPITE
from machjudge.judge.game_settings import GameSettings
from machjudge.judge.mails import Outgoing
from machjudge.judge.records import Clock, End, Status
from machjudge.judge.timetable import Finish, Readiness, Wait, decide
from tests.cases import cases
from tests.judge.calendar import watch_clock
from tests.judge.house import NOON, House, built_once, started
from tests.judge.letters_in import answer, master, raw_mail, tick, work, write
from tests.judge.phases import test_mastering as mastering
from tests.judge.year import OPENING, order, play

MASTER = "lucia@player.example"
FLORENCE = "anna@player.example"
END = NOON + RESPITE
MINUTE = timedelta(minutes=1)
TOLD = "ends Fri 27 Nov 2026, 13:00 CET (12:00 UTC)"


@built_once
def broken_off(*options: str) -> House:
    """That game, broken off."""
    house = started(*options)
    master(house, "TERMINATE")
    return house


def said(letters: list[Outgoing], address: str) -> str:
    """The answer to somebody, without its line breaks."""
    return " ".join(answer(letters, address).split())


# --- breaking off -----------------------------------------------------------------------------


def test_terminate_stops_the_clock_and_names_the_end() -> None:
    """The game is still running; everybody reads when it ends in his zone and in UTC."""
    house = started()
    sent = master(house, "TERMINATE")
    told = [letter for letter in sent if "broken off" in letter.subject]

    assert house.game().status is Status.RUNNING
    assert (house.game().clock.paused, house.game().clock.ends) == (NOON, END)
    assert {letter.to for letter in sent} == {seat.address for seat in house.game().seats}
    assert len(told) == 7
    for letter in told:
        assert "Fri 27 Nov 2026, 13:00 CET (12:00 UTC)" in " ".join(letter.body.split())
        assert ":: Deadline: none (ends Fri Nov 27 2026 12:00:00 +0000)" in letter.body
    assert "RESUME takes that back" in said(sent, MASTER)


def test_nothing_is_revealed_before_the_end() -> None:
    """No mail of the week has the secret, whatever is asked."""
    house = started()
    sent = master(house, "TERMINATE")
    sent += master(house, "PREVIEW", "LIST", "HISTORY", "SUMMARY", "TERMINATE", "RESUME")
    sent += master(house, "TERMINATE")
    house.later(days=6, hours=23)
    sent += [*tick(house), *order(house, "L", "LIST", "SUMMARY")]
    told = ["".join(letter.body.split()) for letter in sent]

    assert len(told) > 20
    assert not [body for body in told if house.game().secret.hex() in body]


def test_game_ends_at_that_instant_and_not_before() -> None:
    """A tick a minute before does nothing; one at the instant sends the last mail to all."""
    house = broken_off()
    house.now = END - MINUTE
    assert tick(house) == []
    house.now = END
    last = tick(house)
    game = house.game()

    assert (game.status, game.clock, game.ending.end) == (Status.FINISHED, None, End.TERMINATED)
    assert (game.ending.at, game.ending.winners) == (END, ())
    assert {letter.to for letter in last} == {seat.address for seat in game.seats}
    for letter in last:
        assert game.secret.hex() in "".join(letter.body.split())
        assert "nobody has won" in letter.body
        assert "the game was broken off" in letter.body
    assert tick(house) == []


def test_last_mail_after_the_week_has_press_and_diaries() -> None:
    """Postal press that waited for results, and diaries that their writers have opened."""
    house = started()
    master(house, "SET POSTAL PRESS")
    order(house, "L", "DIARY", "I wanted Pisa.", "ENDPRESS", "SET OPEN DIARY")
    order(house, "L", "POSTAL PRESS", "Peace, and olives.", "ENDPRESS")
    master(house, "TERMINATE")
    house.now = END
    last = tick(house)

    assert len(last) >= 8
    for letter in last:
        assert "Peace, and olives." in letter.body
        assert b"I wanted Pisa." in letter.attachments[0].content


def test_deadline_passes_while_the_game_is_broken_off() -> None:
    """Nobody is warned, told late or replaced, and nothing is played."""
    house = started()
    house.later(days=6)
    play(house, OPENING, without="L")
    master(house, "TERMINATE")
    moment = house.view().state.moment
    house.later(days=5)

    assert tick(house) == []
    assert house.view().state.moment == moment


def test_complete_orders_are_not_played() -> None:
    """They are taken, also after the deadline, and wait for RESUME."""
    house = broken_off()
    before = house.view().state.moment
    play(house, OPENING)

    assert house.view().state.moment == before
    assert house.game().status is Status.RUNNING
    master(house, "RESUME")
    tick(house)
    assert house.view().state.moment != before


# --- taking back ------------------------------------------------------------------------------


def test_resume_takes_it_back_and_sets_the_deadline_anew() -> None:
    """By as long as the clock stood; everybody is told, and the week means nothing any more."""
    house = started()
    deadline = house.game().clock.deadline
    master(house, "TERMINATE")
    house.later(days=3)
    sent = master(house, "RESUME")
    clock = house.game().clock
    told = next(letter for letter in sent if letter.to == FLORENCE)

    assert (clock.paused, clock.ends) == (None, None)
    assert clock.deadline == deadline + timedelta(days=3)
    assert "the game goes on" in told.subject
    assert "The master has taken it back: the game does not end." in told.body
    assert "Orders are due" in told.body
    house.now = END
    assert not any("game over" in letter.subject for letter in tick(house))
    assert house.game().status is Status.RUNNING


def test_resume_lets_a_game_go_on_that_was_paused_before() -> None:
    """The deadline moves by the pause and the week together."""
    house = started()
    deadline = house.game().clock.deadline
    master(house, "PAUSE")
    house.later(days=2)
    master(house, "TERMINATE")
    house.later(days=2)
    master(house, "RESUME")

    assert house.game().clock.deadline == deadline + timedelta(days=4)
    assert house.game().clock.ends is None


def test_co_master_takes_it_back() -> None:
    """As the master could."""
    house = started()
    write(house, "otto@player.example", "REGISTER", "Name: Otto", "END")
    write(house, "otto@player.example", "OBSERVE borgia watcher7")
    master(house, "PROMOTE Otto")
    master(house, "TERMINATE")
    write(house, "otto@player.example", "SIGNON Mborgia masterkey", "RESUME")

    assert house.game().clock.ends is None


def test_player_takes_nothing_back() -> None:
    """He is told that it is for the master."""
    house = broken_off()

    assert "for the master" in said(order(house, "L", "RESUME"), FLORENCE)
    assert house.game().clock.ends == END


def test_resume_that_waits_when_the_week_is_over_counts() -> None:
    """A mail that was received before the end is handled before the end."""
    house = broken_off()
    house.now = END - MINUTE
    mail = raw_mail(MASTER, ["SIGNON Mborgia masterkey", "RESUME"])
    house.store.receive(mail, MASTER, house.now)
    house.now = END + MINUTE
    assert tick(house) == []
    work(house)

    assert house.game().clock.ends is None
    assert house.game().status is Status.RUNNING


def test_resume_that_comes_when_the_week_is_over_is_too_late() -> None:
    """Also where nobody has looked at the clock since; the game ends with that mail."""
    house = broken_off()
    house.now = END
    sent = master(house, "RESUME")
    (refused,) = [letter for letter in sent if letter.subject.startswith("Re:")]

    assert "Too late: the game ended for good Fri 27 Nov" in " ".join(refused.body.split())
    assert house.game().status is Status.FINISHED
    assert len([letter for letter in sent if "game over" in letter.subject]) == 8


def test_game_that_ended_after_the_week_is_not_revived() -> None:
    """The secret is out."""
    house = broken_off()
    house.now = END
    tick(house)

    assert "The game is over" in said(master(house, "RESUME"), MASTER)
    assert house.game().status is Status.FINISHED


def test_nothing_to_take_back_is_said() -> None:
    """Of a game whose clock runs, and of one that is forming."""
    house = started()
    assert "neither paused nor terminated" in said(master(house, "RESUME"), MASTER)
    forming = House()
    write(forming, MASTER, "CREATE ?Borgia masterkey 1454")

    assert "has not begun" in said(master(forming, "RESUME"), MASTER)


# --- meanwhile --------------------------------------------------------------------------------


@cases
def test_what_cannot_be_meanwhile_names_the_end_and_resume(line) -> None:
    """And changes nothing."""
    house = broken_off()
    before = replace(house.game(), version=0)
    body = said(master(house, line), MASTER)

    assert TOLD in body
    assert "RESUME takes that back" in body
    assert replace(house.game(), version=0) == before


def test_nobody_is_reminded_while_the_game_is_paused() -> None:
    """A nudge has no deadline to name; the answer says what to do first."""
    house = started()
    master(house, "PAUSE")

    assert "The game is paused; RESUME first" in said(master(house, "NUDGE"), MASTER)


def test_orders_and_press_are_taken_meanwhile() -> None:
    """The receipt says when the game ends, and the orders are on file."""
    house = broken_off("nodice")
    sent = order(house, "L", "maintain A flo", "BROADCAST", "What a pity.", "ENDPRESS")

    assert TOLD.removeprefix("ends ") in said(sent, FLORENCE)
    assert "SET WAIT" not in said(sent, FLORENCE)
    assert house.view().order_sets["L"].lines
    assert any("What a pity." in letter.body for letter in sent if letter.to != FLORENCE)


def test_listing_list_and_summary_say_that_the_game_ends() -> None:
    """In full in the reader's time, in brief in UTC."""
    house = broken_off()
    asked = said(write(house, FLORENCE, "LIST Borgia"), FLORENCE)
    late = said(write(house, FLORENCE, "WHO LATE Borgia"), FLORENCE)
    summary = said(write(house, FLORENCE, "SUMMARY Borgia"), FLORENCE)
    brief = said(write(house, FLORENCE, "LIST"), FLORENCE)
    for body in (asked, summary, late):
        assert "it ends for good Fri 27 Nov 2026, 13:00 CET (12:00 UTC)" in body
    assert "broken off; ends Fri Nov 27 2026 12:00:00 +0000" in brief


def test_preview_says_that_nothing_is_played() -> None:
    """The master still sees the phase, with the day of the end instead of the token."""
    house = mastering.ruled()
    mastering.master(house, "TERMINATE")
    (shown,) = mastering.master(house, "PREVIEW")
    told = " ".join(shown.body.partition("PREVIEW OF")[2].split())

    assert "It is not played: the game is broken off and ends Fri 27 Nov 2026" in told
    assert "To take that back, send RESUME." in told
    assert "PROCESS" not in told


def test_victory_and_votes_end_a_broken_off_game_at_once() -> None:
    """Nobody has to wait for the week."""
    declared = broken_off()
    master(declared, "DECLARE VICTORY Venice")
    voted = broken_off("nomoney")
    for power in "AFLINPTV":
        order(voted, power, "SET DRAW")

    assert declared.game().ending.end is End.VICTORY
    assert voted.game().ending.end is End.DRAW


# --- the judge's clock ------------------------------------------------------------------------


def test_decision_for_a_broken_off_game_is_pure() -> None:
    """Who is missing, and if anybody is there at all."""
    clock = Clock(NOON, NOON, paused=NOON, ends=END)
    nobody = Readiness(frozenset(), wait=False, played=False)

    assert decide(clock, GameSettings(), nobody, END - MINUTE) == Wait()
    assert decide(clock, GameSettings(), nobody, END) == Finish()


def test_leap_of_the_clock_puts_the_end_off_once() -> None:
    """A judge that was down for ten days ends nothing on waking; what stood stands."""
    house = started()
    watch_clock(house.services, house.now)
    master(house, "TERMINATE")
    deadline = house.game().clock.deadline
    house.later(days=10)
    watch_clock(house.services, house.now)
    house.store.tables.heartbeat = NOON
    watch_clock(house.services, house.now)
    house.mails_out()

    assert house.game().clock.ends == END + timedelta(days=10)
    assert house.game().clock.deadline == deadline
    assert tick(house) == []


def test_clock_set_back_takes_the_end_back_too() -> None:
    """And the deadline stays where it stood."""
    house = started()
    watch_clock(house.services, house.now)
    master(house, "TERMINATE")
    deadline = house.game().clock.deadline
    house.later(days=3650)
    watch_clock(house.services, house.now)
    house.now = datetime(2026, 11, 20, 13, 0, tzinfo=UTC)
    watch_clock(house.services, house.now)

    assert (house.game().clock.ends, house.game().clock.deadline) == (END, deadline)
