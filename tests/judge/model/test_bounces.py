"""How much messages that come back count against their address."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from machjudge.judge.mails import bounce_of
from machjudge.judge.records import Bounce, Bounces, with_bounce

MONDAY = datetime(2026, 11, 23, 9, tzinfo=UTC)
DAY = timedelta(days=1)
ADDRESS = "anna@player.example"
HARD, SOFT = Bounce.HARD, Bounce.SOFT


def score(*bounces: tuple[Bounce, float]) -> Bounces | None:
    """The score after bounces, each so many days after Monday."""
    known = None
    for bounce, days in bounces:
        known = with_bounce(known, ADDRESS, bounce, MONDAY + days * DAY)
    return known


@pytest.mark.parametrize(
    ("status", "words", "bounce"),
    [
        ("5.1.1", "smtp; 550 no such user", HARD),
        ("5.1.2", "smtp; 550 5.1.2 no such domain", HARD),
        ("5.2.1", "mailbox disabled", HARD),
        ("", "550-5.1.1 The account does not exist", HARD),
        ("", "550 No such user here", HARD),
        ("5.0.0", "smtp; 550 No such user", HARD),
        ("4.4.1", "smtp; 421 no answer", SOFT),
        ("4.4.7", "delivery time expired", SOFT),
        ("5.4.7", "delivery time expired", SOFT),
        ("5.2.2", "smtp; 552 mailbox full", SOFT),
        ("4.2.2", "smtp; 452 over quota", SOFT),
        ("5.3.4", "message too large", SOFT),
        ("", "452 try later", SOFT),
        ("", "no reason given", SOFT),
        ("", "gone 550 times", SOFT),
        ("", "connected to 5.1.1.7", SOFT),
        ("5.7.1", "smtp; 550 not wanted here", None),
        ("4.7.0", "smtp; 421 try later", None),
        ("5.0.0", "smtp; 550 5.7.26 not authenticated", None),
        ("5.0.0", "smtp; 554 message looks like SPAM", None),
        ("5.2.0", "smtp; 550 rejected by our policy", None),
        ("", "554 blocked, see the block list", None),
        ("", "450 greylisted", None),
        ("5.1.8", "sender's domain not found", None),
        ("5.1.1", "550 no such user; spam is reported", HARD),
        ("5.4.5", "smtp; 550 5.4.5 Daily user sending limit exceeded", None),
        ("5.0.0", "smtp; 554 Your account has been suspended", None),
        ("5.2.0", "Submission.Exception:OutboundSpamException", None),
        ("5.0.0", "smtp; 550 too many messages, try tomorrow", None),
        ("4.2.1", "450 the user receives mail at a rate that is too fast", SOFT),
        ("5.2.2", "552 too many messages in the mailbox", SOFT),
    ],
)
def test_the_code_of_a_server_says_how_much_it_counts(status, words, bounce) -> None:
    """RFC 3463; what is refused as spam or by a policy says nothing of the address.

    The words are asked only where the code leaves the reason open.
    """
    assert bounce_of(words, status) is bounce


@given(st.text(), st.text())
def test_any_words_of_a_server_are_survived(words, status) -> None:
    """They come from strangers."""
    assert bounce_of(words, status) in {HARD, SOFT, None}


@pytest.mark.parametrize(
    ("bounces", "halves", "is_out"),
    [
        ([(HARD, 0)], 2, True),
        ([(SOFT, 0)], 1, False),
        ([(SOFT, 0), (SOFT, 0.5)], 1, False),
        ([(SOFT, 0), (SOFT, 1)], 2, True),
        ([(SOFT, 0), (HARD, 0.5)], 2, True),
        ([(HARD, 0), (SOFT, 0.5)], 2, True),
        ([(HARD, 0), (HARD, 0.5)], 2, True),
        ([(HARD, 0), (HARD, 1), (SOFT, 1.1), (SOFT, 2)], 5, True),
        ([(SOFT, 0), (SOFT, 7.9)], 2, True),
        ([(SOFT, 0), (SOFT, 8)], 1, False),
        ([(HARD, 0), (SOFT, 9)], 1, False),
    ],
)
def test_a_day_counts_as_much_as_its_worst_bounce(bounces, halves, is_out) -> None:
    """A hard one is enough, soft ones of two days; after eight days without one it begins anew."""
    found = score(*bounces)

    assert (found.halves, found.is_out_of_reach) == (halves, is_out)


def test_it_is_known_since_when_messages_come_back() -> None:
    """Since the first one of those that count together."""
    found = score((SOFT, 0), (HARD, 3))

    assert (found.since, found.last) == (MONDAY, MONDAY + 3 * DAY)
    assert score((SOFT, 0), (HARD, 8)).since == MONDAY + 8 * DAY


def test_a_long_phase_does_not_forget_what_it_brought() -> None:
    """Nothing else was sent since; what is older than the phase ends after eight days."""
    found = score((HARD, 0))

    assert found.counts(MONDAY - DAY, MONDAY + 20 * DAY)
    assert found.counts(MONDAY + DAY, MONDAY + 8 * DAY)
    assert not found.counts(MONDAY + DAY, MONDAY + 8.1 * DAY)
    assert not score((SOFT, 0)).counts(MONDAY - DAY, MONDAY)
