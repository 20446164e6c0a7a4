"""From when on reminders and late notices would tell only what is over."""

from datetime import timedelta

import pytest

from machjudge.judge.game_settings import Policy
from machjudge.judge.mails import Outgoing
from tests.judge.house import House, started
from tests.judge.letters_in import write

LUCIA = "lucia@player.example"


def nudged(house: House, after: timedelta) -> list[Outgoing]:
    """What a nudge of the master sends so long after the deadline, except the answer."""
    clock = house.game().clock
    assert clock is not None
    house.now = clock.deadline + after
    house.store.tables.now = house.now
    sent = write(house, LUCIA, "SIGNON Mborgia masterkey", "NUDGE")
    return [each for each in sent if each.answers is None]


def test_a_reminder_ends_with_the_deadline_and_yields_for_half_of_the_time() -> None:
    """Then it is as urgent as an answer; so is what masters get before the deadline."""
    house = started()
    letters = nudged(house, -timedelta(hours=6))

    assert letters
    assert {each.expires for each in letters} == {house.game().clock.deadline}
    assert {each.yields for each in letters} == {timedelta(hours=3)}


@pytest.mark.parametrize("manual", [False, True])
def test_a_late_notice_ends_when_the_phase_is_played_without_the_late(manual: bool) -> None:
    """A phase that is played by hand is not played then: it may still be told."""
    house = started()
    house.change_settings(manual=manual, policy=Policy.HOLD)
    letters = nudged(house, timedelta(minutes=5))

    assert letters
    assert {each.expires for each in letters} == {None if manual else house.game().clock.grace}
    assert {each.yields for each in letters} == {None}


def test_a_late_notice_after_the_grace_is_sent() -> None:
    """The phase waits for something else then, and its end has passed already."""
    house = started()
    house.change_settings(manual=True, policy=Policy.HOLD)
    clock = house.game().clock
    letters = nudged(house, clock.grace - clock.deadline + timedelta(hours=1))

    assert letters
    assert {each.expires for each in letters} == {None}
