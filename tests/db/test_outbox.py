"""Letters are put in by the desk, claimed by one sender each, and marked."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Row, text

from machjudge.db import mail_queues
from machjudge.db.engine import reading, writing
from machjudge.db.mail_queues import KeeperQueues, StoredSendQueue
from machjudge.db.mail_queues import _message as read_letter
from machjudge.judge.credentials import SeatToken, code_of, hash_of
from machjudge.judge.faults import Stale
from machjudge.judge.mails import (
    Attachment,
    Fate,
    OutboxId,
    Outgoing,
    QueuedMessage,
    message_returned,
    return_tag,
)
from machjudge.judge.records import GameId
from machjudge.judge.secret import fixed
from tests.db.examples import OTTO
from tests.patience import wait_until

WHOLE = Outgoing(
    to="lucia@example.com",
    subject="MACH:borgia - S1454M Results",
    body="Würzburg\n",
    game="borgia",
    phase="S1454M",
    answers="<2@example.com>",
    references=("<0@example.com>", "<1@example.com>"),
    attachments=(
        Attachment("map.svg", "image/svg+xml", b"<svg/>"),
        Attachment("raw", "application/octet-stream", bytes(range(256))),
        Attachment("near.png", "image/png", b"PNG", "near"),
    ),
    observer=4,
    layout="en .",
)


def put(house, *letters: Outgoing) -> None:
    """Put letters into the outbox, in a transaction of its own."""
    with house.store().writing() as uow:
        for letter in letters:
            uow.outbox.put(letter)
        uow.commit()


def claim(house, holder: str = "a sender"):
    """Claim for ten minutes."""
    return house.bag(holder).claim(house.clock.now, house.clock.now + timedelta(minutes=10))


def plain(to: str) -> Outgoing:
    """A letter that says nothing much."""
    return Outgoing(to=to, subject="Hello", body="Hello\n")


def test_a_letter_comes_out_as_it_went_in(house) -> None:
    """With its thread and all attachments, in their order."""
    put(house, WHOLE)

    letter = claim(house)

    assert letter.outgoing == WHOLE
    assert (letter.made, letter.tries) == (house.clock.now, 1)


def test_a_letter_that_waits_for_a_digest_is_sent_to_nobody(house) -> None:
    """It is found again with its files, by its reader and address; each once."""
    held = replace(WHOLE, held_for=OTTO.id)
    put(house, held, replace(plain("otto@example.com"), held_for=OTTO.id))
    house.clock.now += timedelta(hours=1)
    put(house, held)

    assert claim(house) is None
    with house.store().writing() as uow:
        waiting = uow.outbox.held()
        letters = uow.outbox.held_for(OTTO.id, WHOLE.to)
        uow.outbox.gather([each.id for each in letters], house.clock.now)
        uow.commit()
    assert [(each.person, each.address) for each in waiting] == [
        (OTTO.id, WHOLE.to),
        (OTTO.id, "otto@example.com"),
    ]
    assert waiting[0].since == letters[0].made < letters[1].made
    assert [each.outgoing for each in letters] == [WHOLE, WHOLE]
    with house.store().writing() as uow:
        assert [each.address for each in uow.outbox.held()] == ["otto@example.com"]
        with pytest.raises(Stale):
            uow.outbox.gather([letters[0].id], house.clock.now)
    assert claim(house) is None


def test_a_digest_says_whose_it_is(house) -> None:
    """Also when it is looked up by its number, to be stopped."""
    put(house, replace(WHOLE, digest_of=OTTO.id))
    letter = claim(house)

    assert letter.outgoing == replace(WHOLE, digest_of=OTTO.id)
    with house.store().reading() as uow:
        posted = uow.outbox.posted(letter.id)
    assert posted is not None
    assert posted.outgoing.digest_of == OTTO.id


def test_a_letter_of_a_transaction_that_was_undone_is_not_there(house) -> None:
    """Nothing is said about what has not happened."""
    with house.store().writing() as uow:
        uow.outbox.put(WHOLE)

    assert claim(house) is None
    assert house.committed == 0


def test_a_claimed_letter_says_whether_another_one_is_due(house) -> None:
    """One that was put off is not."""
    put(house, plain("a@x.example"), plain("b@x.example"), plain("c@x.example"))
    first, second = claim(house), claim(house)
    house.bag().later(first.id, house.clock.now + timedelta(hours=1), "busy", counts=True)
    house.bag().sent(second.id, house.clock.now)

    assert (first.queue_was_empty, claim(house).queue_was_empty) == (False, True)


def test_letters_go_in_the_order_of_their_writing(house) -> None:
    """The oldest one first."""
    put(house, plain("b@x.example"), plain("a@x.example"))

    assert [claim(house).outgoing.to, claim(house).outgoing.to] == ["b@x.example", "a@x.example"]


def test_no_letter_overtakes_an_older_one_to_the_same_person(house) -> None:
    """However slow the relay is with it; others go meanwhile."""
    put(house, plain("a@x.example"), plain("a@x.example"), plain("b@x.example"))
    first = claim(house)

    assert claim(house, "another").outgoing.to == "b@x.example"
    assert claim(house, "another") is None
    house.bag().sent(first.id, house.clock.now)
    assert claim(house, "another").id == first.id + 1


@pytest.mark.postgresql
@pytest.mark.parametrize("migrated_url", ["postgresql"], indirect=True)
def test_two_who_claim_at_the_same_time_keep_that_order(house, monkeypatch) -> None:
    """The second one sees what the first one has claimed, which has not committed yet."""
    put(house, plain("a@x.example"), plain("a@x.example"))
    others = []

    with ThreadPoolExecutor(1) as pool:

        def while_claiming(row: Row[Any], **how: Any) -> QueuedMessage:
            if not others:
                others.append(pool.submit(claim, house, "another"))
                wait_until(lambda: others[0].done() or is_waited_for(house), "the other claim")
            return read_letter(row, **how)

        monkeypatch.setattr(mail_queues, "_message", while_claiming)
        first = claim(house)

    assert first.id == 1
    assert others[0].result() is None


def is_waited_for(house) -> bool:
    """True if a transaction waits for another one."""
    waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    with reading(house.engine, single=True) as connection:
        return connection.scalar(text(waiting)) > 0


def test_a_claimed_letter_is_nobody_elses(house) -> None:
    """Until the claim ends by itself."""
    put(house, WHOLE)
    claim(house)

    assert claim(house, "another") is None
    house.clock.on(minutes=10)
    again = claim(house, "another")
    assert (again.tries, again.deaths) == (1, 1)


def test_a_sent_letter_is_not_sent_again(house) -> None:
    """Not even after the claim would have ended."""
    put(house, WHOLE)
    house.bag().sent(claim(house).id, house.clock.now)

    house.clock.on(days=1)
    assert claim(house) is None


@pytest.mark.parametrize("migrated_url", ["sqlite"], indirect=True)
def test_letters_sent_one_after_the_other_wait_for_the_disk_now_and_then(
    house, monkeypatch
) -> None:
    """All are noted at once, so that a process that dies has none sent again.

    On the disk is the first one, one each half a second, and the last one, so that a loss of power
    has few sent again.
    """
    put(house, *(plain(f"{n}@x.example") for n in range(6)))
    now, seconds, synced = house.clock.now, iter([0.0, 0.4, 0.5, 0.9, 0.95]), []

    def noting(engine, *, single: bool = False, outlasts_power: bool = True):
        synced.append(outlasts_power)
        return writing(engine, single=single, outlasts_power=outlasts_power)

    letter = claim(house)
    bag = StoredSendQueue(house.engine, "a sender", seconds=lambda: next(seconds))
    monkeypatch.setattr(mail_queues, "writing", noting)
    for after in range(1, 6):
        letter = bag.sent_one(letter.id, now, now + timedelta(minutes=10))
        assert states(house) == ["sent"] * after + ["waiting"] * (6 - after)
    bag.sent(letter.id, now)

    assert synced == [True, False, True, False, False, True]


@pytest.mark.parametrize("migrated_url", ["sqlite"], indirect=True)
def test_the_last_letter_sent_waits_for_the_disk_although_others_were_expected(
    house, monkeypatch
) -> None:
    """Somebody else has them in hand; nothing that is noted later would bring it to the disk."""
    put(house, *(plain(f"{n}@x.example") for n in range(3)))
    now, synced = house.clock.now, []
    first, _ = claim(house), claim(house, "another")
    bag = StoredSendQueue(house.engine, "a sender", seconds=lambda: 0.0)
    second = bag.sent_one(first.id, now, now + timedelta(minutes=10))

    def noting(engine, *, single: bool = False, outlasts_power: bool = True):
        synced.append(outlasts_power)
        return writing(engine, single=single, outlasts_power=outlasts_power)

    monkeypatch.setattr(mail_queues, "writing", noting)
    assert bag.sent_one(second.id, now, now + timedelta(minutes=10)) is None

    assert synced == [False, True]
    assert states(house) == ["sent", "waiting", "sent"]


def states(house) -> list[str]:
    """How it stands with all letters."""
    with reading(house.engine) as connection:
        return [*connection.scalars(text("SELECT state FROM outbox ORDER BY id"))]


def test_a_letter_put_off_waits_for_its_time(house) -> None:
    """Others go meanwhile; the try counts."""
    put(house, WHOLE, plain("a@x.example"))
    letter = claim(house)
    house.bag().later(letter.id, house.clock.now + timedelta(minutes=5), "busy", counts=True)

    assert claim(house).outgoing.to == "a@x.example"
    assert claim(house) is None
    house.clock.on(minutes=5)
    again = claim(house)
    assert (again.id, again.tries) == (letter.id, 2)


def test_a_relay_out_of_reach_is_no_try(house) -> None:
    """Such a letter is due at once and has had no try."""
    put(house, WHOLE)
    house.bag().later(claim(house).id, house.clock.now, "down", counts=False)

    assert claim(house).tries == 1


def test_a_letter_given_up_is_not_claimed(house) -> None:
    """It waits for the keeper."""
    put(house, WHOLE)
    house.bag().give_up(claim(house).id, house.clock.now, "550 nobody")

    house.clock.on(days=1)
    assert claim(house) is None


def test_a_letter_is_marked_once(house) -> None:
    """Anyone who comes second learns that somebody else has sent it."""
    put(house, WHOLE)
    letter = claim(house)
    house.bag().sent(letter.id, house.clock.now)

    with pytest.raises(Stale):
        house.bag("another").later(letter.id, house.clock.now, "busy", counts=True)


def test_many_senders_claim_each_letter_once(house) -> None:
    """Six at a time share forty letters without one lost or claimed twice."""
    put(house, *(plain(f"{n}@x.example") for n in range(40)))

    def work(name: str) -> list[str]:
        claimed = []
        while (letter := claim(house, name)) is not None:
            claimed.append(letter.outgoing.to)
        return claimed

    with ThreadPoolExecutor(6) as pool:
        claimed = [each for some in pool.map(work, "abcdef") for each in some]

    assert sorted(claimed) == sorted(f"{n}@x.example" for n in range(40))


def test_anyone_who_waits_for_letters_is_woken_by_a_commit(house) -> None:
    """The signal comes after the commit, so that the letters are there."""
    put(house, WHOLE)

    assert house.committed == 1


def test_signs_that_no_database_keeps_are_replaced(house) -> None:
    """A NUL and half a character in a subject or body cost nobody his letter."""
    put(house, Outgoing("a@x.example", "a\x00b", "c\ud800d"))

    letter = claim(house).outgoing
    assert (letter.subject, letter.body) == (
        "a\N{REPLACEMENT CHARACTER}b",
        "c\N{REPLACEMENT CHARACTER}d",
    )


def test_the_latest_letters_to_an_address_and_their_fate(house) -> None:
    """The newest first, at most as many as asked for, those of others left out."""
    put(house, plain("a@example.com"), plain("b@example.com"), plain("a@example.com"))
    house.bag("a sender").sent(claim(house).id, house.clock.now)

    with house.store().reading() as uow:
        lately = uow.outbox.lately("a@example.com", house.clock.now, 10)
        assert [each.fate for each in lately] == [Fate.WAITING, Fate.SENT]
        assert len(uow.outbox.lately("a@example.com", house.clock.now, 1)) == 1
        assert len(uow.outbox.bodies("a@example.com", house.clock.now, 10)) == 2
        assert uow.outbox.bodies("c@example.com", house.clock.now, 10) == []
        later = house.clock.now + timedelta(seconds=1)
        assert uow.outbox.lately("a@example.com", later, 10) == []


def test_a_letter_is_found_by_its_number(house) -> None:
    """With its game and its phase, by which an answer to it is understood."""
    letter = Outgoing("a@x.example", "s", "b", game=GameId("borgia"), phase="S1454M")
    put(house, letter, plain("b@x.example"))
    number = claim(house).id

    with house.store().reading() as uow:
        found = uow.outbox.posted(number)
        other = uow.outbox.posted(OutboxId(number + 1))
        assert found is not None
        assert other is not None
        assert (found.outgoing.game, found.outgoing.phase) == ("borgia", "S1454M")
        assert found.made == house.clock.now
        assert (other.outgoing.game, other.outgoing.phase) == (None, "")
        assert uow.outbox.posted(OutboxId(999_999_999)) is None


def test_the_address_of_bounces_lasts(house) -> None:
    """It follows from the judge's secret and the letter's number, no matter who asks."""
    put(house, plain("a@example.com"))
    secret = fixed(bytes(range(32)))
    tag = return_tag(secret, claim(house).id)

    assert message_returned(secret, f"judge+{tag}@mach.example") == 1


def test_of_a_reply_token_only_the_hash_is_kept(house) -> None:
    """What it speaks for comes back with the letter, and is found by the hash."""
    token_scopes = SeatToken(GameId("borgia"), 3, 0, "S1454M")
    put(
        house,
        replace(plain("a@x.example"), reply=token_scopes),
        replace(plain("b@x"), reply=token_scopes),
    )
    code = code_of(fixed(bytes(range(32))), token_scopes)
    with house.store().reading() as uow:
        hashed, unknown = hash_of(code), hash_of("a" * 26)
        assert uow.reply_tokens.meanings((hashed, unknown)) == {hashed: token_scopes}

    assert claim(house).outgoing.reply == token_scopes
    with house.engine.connect() as connection:
        tables = ("outbox", "reply_tokens")
        kept = [str(connection.execute(text(f"SELECT * FROM {t}")).all()) for t in tables]  # noqa: S608
    assert code not in "".join(kept)


def test_a_letter_that_came_back_is_the_keepers(house) -> None:
    """Only one that was sent, and with the reason; it can be tried again."""
    put(house, plain("a@example.com"), plain("b@example.com"))
    sent = claim(house).id
    house.bag("a sender").sent(sent, house.clock.now)

    with house.store().writing() as uow:
        for letter in (sent, sent + 1, 99):
            uow.outbox.came_back(letter, house.clock.now, "no such mailbox", None)
        uow.commit()
    services = KeeperQueues(house.engine, house.clock)
    assert [(each.id, each.why) for each in services.messages_given_up()] == [
        (sent, "came back: no such mailbox")
    ]
    assert services.retry_message(sent)
