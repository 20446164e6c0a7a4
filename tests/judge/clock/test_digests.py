"""SET NOTIFY: every message by itself, or what can wait in one digest a day; nothing is lost."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from machjudge.judge.faults import Stale
from machjudge.judge.mails import Attachment, OutboxId, Outgoing, leaving_tag
from machjudge.judge.records import Notify
from machjudge.judge.reminders import send_digests
from machjudge.judge.tick import look_at_games
from machjudge.judge.tick_times import digest_at
from tests.judge.calendar import watch_clock
from tests.judge.fakes import SECRET
from tests.judge.house import House, message_renderer, started
from tests.judge.letters_in import answer, raw_mail, work, write
from tests.judge.year import OPENING, play

MASTER = "lucia@player.example"
VENICE = "marco@player.example"
ANNA = "anna@player.example"
ROME = ZoneInfo("Europe/Rome")


@pytest.fixture
def house() -> House:
    """A game that has just begun, at noon UTC; the next deadline is a week later."""
    return started()


def wishes(house: House, *lines: str, of: str = VENICE) -> str:
    """What somebody is told who sets how mails come."""
    return answer(write(house, of, "SIGNON Vborgia pwV", *lines), of)


def to(sent: Sequence[Outgoing], address: str = VENICE) -> list[Outgoing]:
    """What of letters goes to an address."""
    return [one for one in sent if one.to == address]


def results(sent: Sequence[Outgoing], address: str = VENICE) -> list[Outgoing]:
    """The results among letters to an address."""
    return [one for one in to(sent, address) if "Results of " in one.body]


def broadcast(house: House, text: str) -> list[Outgoing]:
    """Anna writes to everybody."""
    return write(house, ANNA, "SIGNON Lborgia pwL", "BROADCAST", text, "ENDPRESS")


def digests(house: House, **time: float) -> list[Outgoing]:
    """The digests that go out so much later, when the judge looks."""
    house.later(**time)
    send_digests(house.services, house.now)
    return house.mails_out()


def test_press_waits_for_the_digest_of_a_reader_who_wants_one(house) -> None:
    """At seven of their day they get it word for word; others have had it at once."""
    wishes(house, "SET NOTIFY DAILY")
    sent = broadcast(house, "Friends, let us talk.")
    assert to(sent) == []
    assert len(to(sent, "paolo@player.example")) == 1
    broadcast(house, "Second thoughts.")
    assert digests(house, hours=17, minutes=55) == []  # five to seven in Rome
    (digest,) = digests(house, minutes=10)

    assert digest.to == VENICE
    assert digest.subject == (
        "borgia: adjustments by Fri 27 Nov, 13:00 – digest of 2 messages (F1453B)"
    )
    assert digest.body.index("Friends, let us talk.") < digest.body.index("Second thoughts.")
    assert digests(house, hours=48) == []


def test_what_is_due_stands_above_everything_else(house) -> None:
    """Each game with its deadline, and with what is missing of one's orders."""
    wishes(house, "SET NOTIFY DAILY 18")
    broadcast(house, "Friends, let us talk.")
    (digest,) = digests(house, hours=6)
    due, _, rest = digest.body.partition("MESSAGES")

    assert due.startswith("DUE\nBorgia, ")
    assert "Deadline Fri 27 Nov 2026, 13:00 CET (12:00 UTC), that is 7 days from now." in due
    assert "Venice still needs:" in due
    assert "Friends, let us talk." in rest


def test_the_digest_of_one_game_carries_its_token(house) -> None:
    """An answer to it may hold orders, as an answer to any message of the game."""
    wishes(house, "SET NOTIFY DAILY")
    broadcast(house, "Friends, let us talk.")
    (digest,) = digests(house, days=1)

    assert digest.reply is not None
    assert digest.game == "borgia"
    assert "Sign on in your answer" not in digest.body


def test_results_wait_where_there_is_time_to_answer(house) -> None:
    """They come whole, with the lines to send back and the file for the calendar.

    All but the sentence about a map to tap on, which a digest does not have.
    """
    wishes(house, "SET NOTIFY DAILY")
    alone = House()
    alone.start()
    whole = results(play(alone, OPENING))[0]
    sent = play(house, OPENING)
    assert results(sent) == []
    assert len(results(sent, ANNA)) == 1
    (digest,) = digests(house, days=1)

    above, tapping, below = whole.body.partition(
        "Where there is a map, tap a place of yours for a mail with its order.\n"
    )
    assert tapping
    assert above + below.rstrip() in digest.body
    assert [file.name for file in digest.attachments] == ["deadline.ics"]


@pytest.mark.parametrize(("hours", "comes"), [(20, True), (29, True), (31, False), (300, False)])
def test_what_matters_comes_at_once_where_a_deadline_would_be_missed(house, hours, comes) -> None:
    """A digest brings it, 18 hours later, only where twelve hours are left then."""
    wishes(house, "SET NOTIFY DAILY")
    sent = write(house, MASTER, "SIGNON Mborgia masterkey", f"SET DEADLINE +{hours}h")

    assert len(to(sent)) == comes


def test_what_matters_comes_by_itself(house) -> None:
    """Results, moved deadlines and the end, and press in the digest."""
    wishes(house, "SET NOTIFY IMPORTANT")
    assert to(broadcast(house, "Friends, let us talk.")) == []
    moved = write(house, MASTER, "SIGNON Mborgia masterkey", "SET DEADLINE +5h")
    played = play(house, OPENING)
    comment = write(house, MASTER, "SIGNON Mborgia masterkey", "SET COMMENT Be kind")
    over = write(house, MASTER, "SIGNON Mborgia masterkey", "DECLARE DRAW")

    assert [len(to(sent)) for sent in (moved, comment, over)] == [1, 0, 1]
    assert len(results(played)) == 1
    (digest,) = digests(house, days=1)
    assert "Friends, let us talk." in digest.body
    assert "Be kind" in digest.body


@pytest.mark.parametrize("wish", ["DAILY", "IMPORTANT"])
def test_a_reminder_and_a_late_notice_never_wait(house, wish) -> None:
    """Nor does the message that one's seat is open."""
    wishes(house, f"SET NOTIFY {wish}")
    record = []
    for _ in range(24 * 30):
        house.later(hours=1)
        watch_clock(house.services, house.now)
        look_at_games(house.services, house.now)
        record += to(house.mails_out())
    subjects = " ".join(one.subject for one in record)

    assert "reminder" in subjects
    assert "you are late" in subjects
    assert "wanted for" in subjects


@pytest.mark.parametrize("wish", ["DAILY", "IMPORTANT"])
def test_what_happens_to_ones_seat_never_waits(house, wish) -> None:
    """Anyone who is ejected reads it at once."""
    wishes(house, f"SET NOTIFY {wish}")
    sent = write(house, MASTER, "SIGNON Mborgia masterkey", "EJECT V")

    assert any("from you" in one.body or "your seat" in one.body.lower() for one in to(sent)), sent


def test_an_answer_never_waits(house) -> None:
    """Anyone who writes hears at once."""
    wishes(house, "SET NOTIFY DAILY")

    assert len(to(write(house, VENICE, "SIGNON Vborgia pwV", "LIST"))) == 1


def test_anyone_who_wants_each_message_again_gets_what_waits(house) -> None:
    """In a last digest, which says so."""
    wishes(house, "SET NOTIFY DAILY")
    broadcast(house, "Friends, let us talk.")
    told = wishes(house, "SET NOTIFY EACH")
    (digest,) = digests(house, minutes=1)

    assert "Every message comes by itself." in told
    assert "Friends, let us talk." in digest.body
    assert "the last digest" in digest.body
    assert len(to(broadcast(house, "Third thoughts."))) == 1


def test_a_clock_that_leapt_forward_and_back_loses_nothing(house) -> None:
    """What was written in a time that has not come is not kept until then."""
    wishes(house, "SET NOTIFY DAILY")
    house.later(days=400)
    broadcast(house, "From the future.")
    house.later(days=-400)
    (digest,) = digests(house, minutes=1)

    assert "From the future." in digest.body


def test_two_ticks_at_once_send_one_digest(house) -> None:
    """Anyone who is second finds it made."""
    wishes(house, "SET NOTIFY DAILY")
    broadcast(house, "Friends, let us talk.")
    house.later(days=1)
    house.store.before_writing = lambda: send_digests(house.services, house.now)
    send_digests(house.services, house.now)

    assert len(to(house.mails_out())) == 1


def test_a_message_that_cannot_be_gathered_stays(house) -> None:
    """Nothing of a digest is written where one of its messages is gone."""
    with house.store.writing() as uow, pytest.raises(Stale):
        uow.outbox.gather([OutboxId(77)], house.now)


def test_a_digest_that_fails_stops_no_other(house, monkeypatch) -> None:
    """The others get theirs; the failing one stays for the next time."""
    wishes(house, "SET NOTIFY DAILY")
    write(house, ANNA, "SIGNON Lborgia pwL", "SET NOTIFY DAILY")
    write(house, MASTER, "SIGNON Mborgia masterkey", "BROADCAST", "Welcome.", "ENDPRESS")
    good = message_renderer().page
    renderer = house.services.renderer

    faults = [KeyError("digest")]

    def bad(name: str, facts):
        if name == "digest" and faults:
            raise faults.pop()
        return good(name, facts)

    monkeypatch.setattr(type(renderer), "page", lambda _, name, facts: bad(name, facts))
    first = digests(house, days=1)
    monkeypatch.undo()
    second = digests(house, minutes=1)

    assert len(first) == len(second) == 1
    assert {one.to for one in (*first, *second)} == {ANNA, VENICE}


def test_games_are_together_in_one_digest(house) -> None:
    """What is due next comes first; there is no token, as it would be of one of them."""
    wishes(house, "SET NOTIFY DAILY")
    broadcast(house, "Friends, let us talk.")
    game = house.game()
    twin = replace(game, id=type(game.id)("twin"), name="Twin")
    tables = house.store.tables
    tables.games[twin.id] = twin
    tables.phases += [replace(each, game=twin.id) for each in tables.phases]
    write(house, MASTER, "SIGNON Mborgia masterkey", "SET DEADLINE +300h")
    write(house, ANNA, "SIGNON Ltwin pwL", "BROADCAST", "Twin talk.", "ENDPRESS")
    (digest,) = digests(house, days=1)

    assert digest.body.index("Twin, ") < digest.body.index("Borgia, ")
    assert "Friends, let us talk." in digest.body
    assert "Twin talk." in digest.body
    assert "Sign on in your answer" in digest.body
    assert (digest.reply, digest.game) == (None, None)


def test_pictures_inside_a_message_stay_with_it(house) -> None:
    """They would be files without a place; files of their own come along."""
    wishes(house, "SET NOTIFY DAILY")
    (person,) = [each for each in house.store.tables.persons.values() if each.name == "Marco"]
    files = (Attachment("map.png", "image/png", b"1", cid="map"), Attachment("a", "text/x", b"2"))
    with house.store.writing() as uow:
        uow.outbox.put(
            Outgoing(
                VENICE,
                "News",
                "News\n",
                game=house.game().id,
                attachments=files,
                held_for=person.id,
            )
        )
        uow.commit()
    (digest,) = digests(house, days=1)

    assert [file.name for file in digest.attachments] == ["a"]


def test_more_than_one_message_can_hold_is_two(house) -> None:
    """Nothing is cut."""
    wishes(house, "SET NOTIFY DAILY")
    for number in range(40):
        broadcast(house, f"number {number} " + "lorem ipsum dolor " * 1000)
    sent = digests(house, days=1)
    text = "".join(one.body for one in sent)

    assert len(sent) > 1
    assert all(f"number {number} " in text for number in range(40))


def test_anyone_who_unsubscribes_from_digests_gets_none_any_more(house) -> None:
    """By the address in it: messages come by themselves, and watched games are left."""
    wishes(house, "SET NOTIFY DAILY")
    write(house, MASTER, "SIGNON Mborgia masterkey", "BROADCAST", "Welcome.", "ENDPRESS")
    (digest,) = digests(house, days=1)
    assert digest.digest_of is not None
    number = next(
        n
        for n, (_, posted) in enumerate(house.store.tables.posted, start=1)
        if posted.outgoing.digest_of is not None
    )
    address = f"judge+{leaving_tag(SECRET, OutboxId(number))}@mach.example"
    raw = raw_mail(VENICE, ["unsubscribe"])
    house.store.receive(raw, VENICE, house.now, recipient=address)
    work(house)
    (told,) = house.mails_out()

    assert "No more digests" in told.body
    assert house.store.tables.persons[digest.digest_of].notify is Notify.EACH
    assert house.game().seats  # the seat at the game is theirs still
    assert any(seat.person == digest.digest_of for seat in house.game().seats)


@pytest.mark.parametrize(
    ("said", "notify", "hour"),
    [
        ("DAILY", Notify.DAILY, 7),
        ("daily at 18:00", Notify.DAILY, 18),
        ("IMPORTANT 0", Notify.IMPORTANT, 0),
        ("each", Notify.EACH, 7),
        ("daily 23h", Notify.DAILY, 23),
    ],
)
def test_it_is_set_for_the_person(house, said, notify, hour) -> None:
    """With the hour of their day, if they want another."""
    wishes(house, f"SET NOTIFY {said}")
    (person,) = [each for each in house.store.tables.persons.values() if each.name == "Marco"]

    assert (person.notify, person.digest_hour) == (notify, hour)


@pytest.mark.parametrize("said", ["", "weekly", "daily 24", "daily soon", "each 7"])
def test_another_word_is_refused(house, said) -> None:
    """The answer says what there is."""
    told = " ".join(wishes(house, f"SET NOTIFY {said}").split())

    assert "rite each, daily or important" in told


# --- the hour ---------------------------------------------------------------------------------


def utc(*parts: int) -> datetime:
    """An instant."""
    return datetime(*parts, tzinfo=UTC)


@pytest.mark.parametrize(
    ("hour", "after", "at"),
    [
        (7, utc(2026, 11, 20, 12), utc(2026, 11, 21, 6)),
        (7, utc(2026, 11, 21, 6), utc(2026, 11, 22, 6)),  # never the same instant again
        (7, utc(2026, 7, 1, 4), utc(2026, 7, 1, 5)),  # summer time
        (2, utc(2027, 3, 27, 12), utc(2027, 3, 28, 1)),  # there is no two o'clock that day
        (2, utc(2026, 10, 24, 12), utc(2026, 10, 25, 0)),  # there are two of them
        (2, utc(2026, 10, 25, 0, 30), utc(2026, 10, 26, 1)),  # and one digest
    ],
)
def test_the_hour_is_that_of_the_day_of_the_reader(hour, after, at) -> None:
    """Also where clocks go forward or back."""
    assert digest_at(ROME, hour, after) == at


_YEARS = (datetime(2020, 1, 1), datetime(2030, 1, 1))  # noqa: DTZ001  as Hypothesis wants them


@given(
    st.datetimes(*_YEARS, timezones=st.just(UTC)),
    st.integers(0, 23),
    st.sampled_from(["Europe/Rome", "America/St_Johns", "Pacific/Apia", "Australia/Lord_Howe"]),
)
def test_a_digest_comes_within_two_days_and_once_a_day(after, hour, zone) -> None:
    """The next one is later, on a later day of the reader."""
    zone = ZoneInfo(zone)
    first = digest_at(zone, hour, after)
    second = digest_at(zone, hour, first)

    assert after < first <= after + timedelta(hours=49)
    assert second.astimezone(zone).date() > first.astimezone(zone).date()
