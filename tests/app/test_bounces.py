"""A season in which the relay does not take everybody's messages: a real relay, a real database."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from email import message_from_bytes, policy

import pytest

from machjudge.mail.relay import Relay, Way
from tests.app.table import HOLDS, Table
from tests.app.test_keeper import figures
from tests.mail.servers import Postmaster, relaying
from tests.ports import free_port

MASTER = "lucia@example.com"
SUBJECT = "cannot be reached"
GONE = "550 5.1.1 No such user"
FULL = "452 4.2.2 Mailbox full"
SPAM = "554 5.7.1 Looks like spam"


@dataclass
class Season:
    """A game of four and its master, who see what the relay takes."""

    table: Table
    postmaster: Postmaster = field(default_factory=Postmaster)
    read: int = 0

    def refuse(self, name: str, answer: str) -> None:
        """From now on the relay says this about somebody's address."""
        self.postmaster.refused_recipients[f"{name}@example.com"] = answer

    def days(self, number: float) -> dict[str, list[str]]:
        """Time passes with a call of cron every three hours; what arrives at each address."""
        for _ in range(round(number * 8)):
            self.table.clock.on(hours=3)
            self.table.tick()
        found: dict[str, list[str]] = {}
        for _, recipients, raw in self.postmaster.taken[self.read :]:
            mail = message_from_bytes(raw, policy=policy.default)
            body = mail.get_body(("plain",))
            text = f"{mail['Subject']}\n{body.get_content() if body is not None else ''}"
            for to in recipients:
                found.setdefault(to, []).append(text)
        self.read = len(self.postmaster.taken)
        return found


@pytest.fixture
def season(lay) -> Iterator[Season]:
    """A game that begins, a week before its deadline."""
    table, port = lay(), free_port()
    season = Season(table)
    judge = table.application
    connect = lambda: Relay(Way("127.0.0.1", port), "mach.example")  # noqa: E731
    table.application = replace(judge, sender=replace(judge.sender, connect=connect))
    table.start()
    table.say("lucia", "signon mborgia pwlucia", "set comment Welcome", "end")
    with relaying(season.postmaster, port):
        yield season


def named(mails: dict[str, list[str]], to: str = MASTER) -> list[str]:
    """Whom a message about seats that cannot be reached names."""
    texts = [text for text in mails.get(to, ()) if SUBJECT in text.splitlines()[0]]
    everybody = ("pia", "otto", "nino", "ugo")
    return [name for text in texts for name in everybody if f"{name}@example.com" in text]


def test_masters_hear_in_time_whom_the_relay_does_not_take(season) -> None:
    """Who is refused for good; a mailbox that stays full, on the second day; no spam.

    Messages go on to all of them, and the other players learn nothing.
    """
    for name, answer in (("otto", GONE), ("nino", FULL), ("ugo", SPAM)):
        season.refuse(name, answer)
    season.table.say("lucia", "signon mborgia pwlucia", "set nobriefing")
    before = season.days(1)
    season.table.say("lucia", "signon mborgia pwlucia", "nudge")
    at_half, later = season.days(2.5), season.days(1)

    assert (named(before), named(at_half), named(later)) == ([], ["otto"], ["otto", "nino"])
    for mails in (before, at_half, later):
        others = [text for to, texts in mails.items() if to != MASTER for text in texts]
        assert not any("otto@" in text or "nino@" in text for text in others)
    season.table.say("lucia", "signon mborgia pwlucia", "nudge")
    with season.table.application.store.reading() as uow:
        assert len(uow.outbox.lately("otto@example.com", season.table.clock.now, 9)) == 1
    assert figures(season.table)["machjudge_unreachable_addresses"] == 2


def test_who_writes_again_is_named_no_more(season) -> None:
    """Their mail proves that they are there, and their messages arrive."""
    season.refuse("otto", GONE)
    season.days(1)
    season.postmaster.refused_recipients.clear()
    table = season.table
    power = next(power for power, name in table.seats.items() if name == "otto")
    table.say("otto", table.signon(power, table.seats), *HOLDS[power])
    mails = season.days(4)

    assert mails["otto@example.com"]
    assert named(mails) == []
