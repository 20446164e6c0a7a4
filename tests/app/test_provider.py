"""A judge whose messages go through a provider with rules: a real server, a real database."""

import smtplib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import timedelta
from email import message_from_bytes, policy
from itertools import pairwise

import pytest

from machjudge.app.application import Application, judge_of
from machjudge.db.engine import reading
from machjudge.db.mail_queues import StoredSendQueue
from machjudge.db.pending_work import anything_waits
from machjudge.judge.mails import NO_LIMITS, Outgoing, SendLimits
from machjudge.mail.relay import Relay, Way
from machjudge.settings import Settings
from tests.app.table import Table
from tests.app.test_keeper import figures
from tests.mail.servers import Postmaster, relaying
from tests.ports import free_port

KEEPER = "keeper@mach.example"
REFUSES = "refuses messages because of the judge"


@dataclass
class Provider(Postmaster):
    """A submission server that refuses what a provider may refuse."""

    refuses_plus: bool = False
    account: str = ""
    """What it says to every MAIL FROM."""
    texts: str = ""
    """What it says after every text."""
    left: int | None = None
    """How many messages it takes before it says that these are too many."""
    too_many: str = "452 4.5.3 Too many messages, try again later"
    asked: list[str] = field(default_factory=list)
    """Every envelope sender that it was told."""

    async def handle_MAIL(self, server, session, envelope, address, options):  # noqa: N802
        """Look at the sender."""
        self.asked.append(address)
        if self.account:
            return self.account
        if self.refuses_plus and "+" in address:
            return "553 5.1.7 The sender's address is not allowed"
        return await super().handle_MAIL(server, session, envelope, address, options)

    async def handle_DATA(self, server, session, envelope):  # noqa: N802
        """Count the messages."""
        if self.left == 0:
            return self.too_many
        if self.texts:
            return self.texts
        self.left = None if self.left is None else self.left - 1
        return await super().handle_DATA(server, session, envelope)


@dataclass
class Office:
    """A judge and its provider."""

    table: Table
    provider: Provider
    port: int
    read: int = 0

    @property
    def judge(self) -> Application:
        """The judge."""
        return self.table.application

    def again(self, limits: SendLimits = NO_LIMITS, **settings: str) -> None:
        """The process begins anew, with these settings."""
        table = self.table
        table.application = built = table.another()
        own = judge_of(replace(built.settings, **settings))
        bag = StoredSendQueue(built.engine, "a sender", limits)
        way = Way("127.0.0.1", self.port)
        sender = replace(
            built.sender, judge=own, bag=bag, connect=lambda: Relay(way, "mach.example")
        )
        table.application = replace(built, sender=sender)

    def put(self, *letters: Outgoing) -> None:
        """Put messages into the outbox."""
        with self.judge.store.writing() as uow:
            for each in letters:
                uow.outbox.put(each)
            uow.commit()

    def send(self, **later: float) -> list[tuple[str, str]]:
        """Send what is due, after some time; who got what since the last look."""
        self.table.clock.on(**later)
        self.judge.sender.send_due()
        return self.got()

    def got(self) -> list[tuple[str, str]]:
        """The addresses and subjects of what the provider has taken since the last look."""
        new = self.provider.taken[self.read :]
        self.read = len(self.provider.taken)
        mails = [message_from_bytes(raw, policy=policy.default) for _, _, raw in new]
        return [(str(mail["To"]), str(mail["Subject"])) for mail in mails]

    def told(self) -> list[str]:
        """What the keeper got since the last look about the provider."""
        return [subject for to, subject in self.got() if to == KEEPER and REFUSES in subject]

    def waiting(self) -> int:
        """How many messages wait."""
        return self.judge.keepers.queues().messages


@pytest.fixture
def office(lay: Callable[..., Table]) -> Iterator[Office]:
    """A judge without messages, and an obliging provider."""
    office = Office(lay(), Provider(), free_port())
    office.again()
    with relaying(office.provider, office.port):
        yield office


def note(to: str, number: int, **more: object) -> Outgoing:
    """A message that says nothing much."""
    return Outgoing(f"{to}@x.example", f"{to} {number}", "Hello\n", **more)


def numbers(got: list[tuple[str, str]]) -> list[int]:
    """The numbers of messages."""
    return [int(subject.rpartition(" ")[2]) for _, subject in got]


# --- a provider that refuses the judge -------------------------------------------------------


def test_a_plus_in_the_sender_that_is_refused_loses_no_message(office) -> None:
    """All wait, one is tried each time; with `envelope = "plain"` they go as soon as may be."""
    office.provider.refuses_plus = True
    office.put(*(note(to, n) for n, to in enumerate("abc", 1)))
    assert office.send() == office.send(seconds=59) == []
    assert len(office.provider.asked) == 1
    office.again(envelope="plain")

    assert numbers(office.send(seconds=1)) == [2, 3]
    assert numbers(office.send(minutes=1)) == [1]
    assert set(office.provider.asked[1:]) == {"judge@mach.example"}


@pytest.mark.parametrize(
    ("answer", "where"),
    [
        ("550 5.7.1 Refused by policy", "account"),
        ("530 5.7.0 Authentication required", "account"),
        ("550 5.4.5 Daily user sending limit exceeded", "account"),
        ("550 5.7.1 Refused by policy", "texts"),
        ("554 5.2.0 OutboundSpamException", "texts"),
    ],
)
def test_what_a_provider_has_against_the_judge_is_no_fault_of_an_address(
    office, answer, where
) -> None:
    """Nobody is out of reach and nothing is given up; the keeper hears of it once, then all go."""
    table = office.table
    table.start()
    setattr(office.provider, where, answer)
    table.say("lucia", "signon mborgia pwlucia", "set comment Welcome", "end")
    before = office.waiting()
    for _ in range(24):
        table.clock.on(hours=3)
        table.tick()
    asked = len(office.provider.asked)

    refusal = office.judge.keepers.refusal()
    assert refusal is not None
    assert refusal[1].endswith(answer.partition(" ")[2])
    assert office.got() == []
    assert figures(table)["machjudge_unreachable_addresses"] == 0
    assert office.judge.keepers.messages_given_up() == []
    assert office.waiting() >= before + (where == "texts")
    assert asked <= 30
    setattr(office.provider, where, "")
    for _ in range(3):
        table.clock.on(hours=1)
        table.tick()
    assert office.waiting() == 0
    assert len(office.told()) == 1
    assert office.judge.keepers.refusal() is None
    table.clock.on(hours=1)
    table.tick()
    assert office.told() == []


def test_a_wrong_password_is_not_tried_each_minute(office, monkeypatch) -> None:
    """Providers lock accounts for that: the pauses grow to an hour, and outlast the process."""
    tried = []

    def login(line, user, password):
        tried.append(office.table.clock.now)
        raise smtplib.SMTPAuthenticationError(535, b"5.7.8 Bad password")

    monkeypatch.setattr("smtplib.SMTP.login", login)
    office.put(note("a", 1))
    way = Way("127.0.0.1", office.port, user="judge", password=lambda: "wrong")
    for minute in range(240):
        if minute % 60 == 0:
            office.again()
        sender = replace(office.judge.sender, connect=lambda: Relay(way, "mach.example"))
        sender.send_due()
        office.table.clock.on(minutes=1)

    pauses = [b - a for a, b in pairwise(tried)]
    assert pauses[0] <= timedelta(minutes=2)
    assert pauses == sorted(pauses)
    assert pauses[-1] >= timedelta(hours=1)
    assert len(tried) < 10


# --- too many --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "answer",
    [
        "421 4.7.0 Too many messages",
        "450 4.7.1 Too much mail from this account",
        "452 4.5.3 Too many messages",
        "451 4.7.28 Unusual rate of mail",
    ],
)
def test_too_many_messages_wait_in_their_order_and_none_fails(office, answer) -> None:
    """The pauses are the relay's, not each message's; they grow until it takes one again."""
    office.provider.left, office.provider.too_many = 2, answer
    office.put(*(note("ab"[n % 2], n) for n in range(1, 7)))
    first = numbers(office.send())
    asked = []
    for minute in range(60):
        before = len(office.provider.asked)
        if minute % 20 == 0:
            office.again()
        assert office.send(minutes=1) == []
        asked.append(len(office.provider.asked) - before)
    pauses = [minute for minute, number in enumerate(asked, 1) if number]
    office.provider.left = None
    rest = [number for _ in range(64) for number in numbers(office.send(minutes=1))]

    assert first == [1, 2]
    assert max(asked) == 1
    assert pauses[:5] == [1, 3, 7, 15, 31]
    assert sorted(rest) == [3, 4, 5, 6]
    assert [n for n in rest if n % 2] == [3, 5]
    assert [n for n in rest if not n % 2] == [4, 6]
    assert office.judge.keepers.messages_given_up() == []


def test_a_message_that_alone_is_refused_so_holds_up_no_others_for_long(office) -> None:
    """Others go first after the pause, and at last that message is given up, nobody else's."""
    office.provider.refused_recipients["poison@x.example"] = "421 4.7.0 Try again later"
    office.put(note("poison", 0))
    got = []
    for number in range(1, 200):
        office.put(note("a", number))
        got += numbers(office.send(hours=1))
    got += numbers(office.send(hours=1))

    assert got == list(range(1, 200))
    (lost,) = office.judge.keepers.messages_given_up()
    assert lost.outgoing.to == "poison@x.example"
    assert figures(office.table)["machjudge_unreachable_addresses"] == 0


# --- limits ----------------------------------------------------------------------------------

OBSERVED = {"observer": 3, "game": "borgia"}


def test_within_an_hour_the_relay_gets_no_more_than_the_limit(office) -> None:
    """Also where the process begins anew, and whatever one process sends beside another."""
    limits = SendLimits(an_hour=8)
    office.put(*(note("a", n) for n in range(1, 21)))
    found = []
    for _ in range(12):
        office.again(limits)
        found.append(numbers(office.send(minutes=15)))

    assert [n for each in found for n in each] == list(range(1, 21))
    for first in range(len(found) - 3):
        assert sum(map(len, found[first : first + 4])) <= 8


def test_what_is_not_urgent_leaves_room_for_answers(office) -> None:
    """A quarter of the hour is theirs; what observers get waits, and loses nothing."""
    office.again(SendLimits(an_hour=8))
    office.put(*(note(f"o{n}", n, **OBSERVED) for n in range(1, 11)))
    first = numbers(office.send())
    office.put(note("a", 100), note("b", 101))
    second = numbers(office.send(minutes=1))
    office.put(note("c", 102))
    third = numbers(office.send(minutes=1))
    rest = [numbers(office.send(minutes=30)) for _ in range(8)]

    assert first == [1, 2, 3, 4, 5, 6]
    assert second == [100, 101]
    assert third == []
    assert [n for each in rest for n in each] == [102, 7, 8, 9, 10]


def test_what_is_not_urgent_goes_after_what_is(office) -> None:
    """Though it is older; but to one reader everything goes in the order of its writing."""
    office.again(SendLimits(an_hour=100))
    office.put(
        note("o", 1, **OBSERVED), note("o", 2, **OBSERVED), note("p", 3, **OBSERVED),
        note("a", 4), note("p", 5),
    )  # fmt: skip

    assert numbers(office.send()) == [3, 4, 5, 1, 2]


def test_a_limit_of_a_day_is_not_used_up_at_once(office) -> None:
    """What is not urgent spreads over the day: an eighth of the limit in an hour."""
    office.again(SendLimits(a_day=64))
    office.put(*(note(f"o{n}", n, **OBSERVED) for n in range(1, 101)))
    hours = [len(office.send(hours=1)) for _ in range(24)]

    assert max(hours) <= 8
    assert 48 <= sum(hours) <= 64
    office.put(note("a", 1000))
    assert numbers(office.send(minutes=1)) == [1000]


def test_messages_while_the_relay_is_away_use_up_no_limit(office) -> None:
    """Nothing was given to it."""
    office.again(SendLimits(an_hour=3))
    connect = office.judge.sender.connect
    office.put(*(note("a", n) for n in range(1, 4)))
    away = replace(office.judge.sender, connect=lambda: Relay(Way("127.0.0.1", 1), "mach.example"))
    for _ in range(5):
        assert away.send_due().out_of_reach is not None
    assert connect is office.judge.sender.connect

    assert numbers(office.send()) == [1, 2, 3]


# --- reminders -------------------------------------------------------------------------------


def reminders(got: list[tuple[str, str]]) -> list[str]:
    """Who was reminded."""
    return [to for to, subject in got if "Reminder" in subject or "reminder" in subject]


def test_a_reminder_comes_before_half_of_its_time_is_over(office) -> None:
    """It yields to others, but then it is as urgent as an answer."""
    office.again(SendLimits(an_hour=4))
    deadline = office.table.clock.now + timedelta(hours=4)
    late = {"yields": timedelta(hours=2), "expires": deadline}
    office.put(*(note(f"r{n}", n, **late) for n in range(1, 4)))
    office.put(*(note(f"a{n}", 100 + n) for n in range(1, 11)))
    found = [number for _ in range(16) for number in numbers(office.send(minutes=15))]

    assert {1, 2, 3} <= set(found)
    assert found[:8] == [101, 102, 103, 104, 105, 106, 107, 108]
    assert found[8:] == [1, 2, 3, 109, 110]


def test_a_reminder_is_not_sent_after_its_deadline(office) -> None:
    """However long the relay was away; the keeper's list does not call it a failure."""
    deadline = office.table.clock.now + timedelta(hours=4)
    office.put(note("r", 1, expires=deadline), note("a", 2))

    assert numbers(office.send(hours=4)) == [2]
    assert office.waiting() == 0
    assert office.judge.keepers.messages_given_up() == []


def test_reminders_of_a_game_are_made_so(office) -> None:
    """They expire with the deadline, and results do not."""
    table = office.table
    table.start()
    began = table.clock.now
    nudged = table.clock.on(hours=1)
    table.say("lucia", "signon mborgia pwlucia", "nudge")
    with office.judge.store.reading() as uow:
        deadline = uow.games.get("borgia").clock.deadline
        sent = [
            each
            for name in ("pia", "otto", "nino", "ugo")
            for each in uow.outbox.lately(f"{name}@example.com", began, 9)
        ]
    assert {each.outgoing.expires for each in sent if each.made >= nudged} == {deadline}
    assert {each.outgoing.expires for each in sent if each.made < nudged} == {None}


def test_settings_make_the_limits(tmp_path) -> None:
    """And the forms of addresses."""
    judge = judge_of(Settings(plus="off", envelope="plain"))

    assert (judge.plus, judge.plain_envelope) == (False, True)


def test_a_tick_has_nothing_to_do_while_the_relay_is_left_alone(office) -> None:
    """Each minute one is begun; it loads the program when the pause is over."""
    office.put(note("a", 1))
    office.provider.account = "421 4.7.0 Too many messages"
    office.judge.sender.send_due()
    clock = office.table.clock
    with reading(office.judge.engine) as connection:
        found = [anything_waits(connection, clock.now + timedelta(seconds=s)) for s in (1, 59, 121)]

    assert found == [False, False, True]
