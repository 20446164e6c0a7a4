"""Mails are taken up in order, by one worker each, and end once."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from machjudge.db.engine import writing
from machjudge.db.mail_queues import Holder, myself, release_dead
from machjudge.db.tables import InboxRow
from machjudge.judge.faults import FollowsFailed, MustWait, Stale
from machjudge.judge.mails import MailEnd, MailOutcome
from tests.db.examples import GAME, LUCIA, OTTO


def claim(house, holder: str = "a worker", **limits):
    """Claim in a transaction of its own."""
    with house.store(holder).writing() as uow:
        mail = uow.inbox.claim(house.clock.now, **limits)
        uow.commit()
    return mail


def finish(house, mail) -> None:
    """Finish a mail in a transaction of its own."""
    with house.store().writing() as uow:
        uow.inbox.finish(mail, MailEnd(MailOutcome.ANSWERED), b"redacted", house.clock.now)
        uow.commit()


def only_row(house) -> InboxRow:
    """The only row of the inbox."""
    with Session(house.engine) as session:
        return session.scalars(select(InboxRow)).one()


def test_oldest_mail_is_taken_up_first(house, arrival) -> None:
    """It comes with everything that is known of it."""
    house.arrivals.keep([arrival("lucia@example.com", raw=b"first"), arrival("b@example.com")])

    mail = claim(house)

    assert (mail.raw, mail.sender, mail.tries) == (b"first", "lucia@example.com", 1)
    assert mail.recipient == "judge@mach.example"
    assert mail.received == house.clock.now


def test_nothing_is_taken_up_where_nothing_waits(house) -> None:
    """An empty inbox gives no mail."""
    assert claim(house) is None


def test_a_claimed_mail_is_not_given_to_another(house, arrival) -> None:
    """The other one gets the next mail, or none."""
    house.arrivals.keep([arrival("a@example.com")])

    claim(house)

    assert claim(house, "another worker") is None


def test_a_mail_with_the_message_id_of_an_older_one_is_known(house, arrival) -> None:
    """Also when the older one is done with; a mail without Message-ID is like no other."""
    ident = "<0123456789abcdefghijklmnop@example.com>"
    first, second, other = (arrival(key=key) for key in ("1", "2", "3"))
    nameless = (replace(arrival(), message_id="") for _ in range(2))
    twice = (replace(first, message_id=ident), replace(second, message_id=ident))
    house.arrivals.keep([*twice, other, *nameless])
    found = []

    while mail := claim(house):
        with house.store().reading() as uow:
            found.append(uow.inbox.has_come_before(mail))
        finish(house, mail)

    assert found == [False, True, False, False, False]


def test_a_claim_ends_after_two_minutes(house, arrival) -> None:
    """Anyone who held it is dead; the mail is taken up again, and the death is no error of it."""
    house.arrivals.keep([arrival()])
    claim(house)

    house.clock.on(minutes=2)
    again = claim(house, "another worker")

    assert (again.tries, again.deaths) == (1, 1)


def die_with(house, mail, times: int = 1) -> None:
    """Processes claim a mail and are killed with it in their hands; a tick notices at once."""
    for _ in range(times):
        claimed = claim(house, dead())
        assert claimed.id == mail.id
        house.store().release_dead()


def dead() -> str:
    """A process that this machine knows to be gone."""
    return str(Holder(myself().host, 2**22 + 1, "1"))


def test_one_death_changes_nothing_for_a_mail(house, arrival) -> None:
    """It is taken up again at once, before younger ones, with no error more than before."""
    house.arrivals.keep([arrival("a@x.example"), arrival("b@x.example")])
    mail = claim(house, dead())
    house.store().release_dead()
    again = claim(house)

    assert (again.id, again.tries, again.deaths) == (mail.id, 1, 1)


def test_a_mail_with_two_deaths_comes_last_and_holds_up_no_mail(house, arrival) -> None:
    """Even mails for its game go first; phases wait for it all the same."""
    house.arrivals.keep([arrival("a@x.example"), arrival("b@x.example")])
    oldest = claim(house, dead())
    house.store().release_dead()
    die_with(house, oldest)
    younger = claim(house)
    with house.store().writing() as uow:
        waits = uow.inbox.must_wait(younger.id, "borgia")
    finish(house, younger)
    rests = claim(house)
    house.clock.on(minutes=1)
    with house.store().writing() as uow:
        holds = uow.inbox.any_before(house.clock.now, "borgia")

    assert (younger.sender, waits, rests, holds) == ("b@x.example", False, None, True)
    assert claim(house).id == oldest.id


def test_a_mail_rests_longer_after_each_death(house, arrival) -> None:
    """A bad hour of the machine, in which every process dies, does not use up its chances."""
    house.arrivals.keep([arrival()])
    waited = []
    for _ in range(7):
        while (taken := claim(house, dead())) is None:
            house.clock.on(minutes=1)
        waited.append(house.clock.now)
        house.store().release_dead()

    minutes = [(after - before).seconds // 60 for before, after in pairwise(waited)]
    assert taken.deaths == 6
    assert minutes == [0, 1, 2, 4, 5, 5]


def test_a_senders_second_mail_waits_for_the_first(house, arrival) -> None:
    """Also while another worker has the first; mails of others go on."""
    house.arrivals.keep([arrival("a@x.example"), arrival("a@x.example"), arrival("b@x.example")])

    first, second = claim(house), claim(house, "another worker")

    assert (first.sender, second.sender) == ("a@x.example", "b@x.example")
    assert claim(house, "a third") is None
    finish(house, first)
    assert claim(house, "a third").sender == "a@x.example"


def test_bounces_do_not_wait_for_each_other(house, arrival) -> None:
    """They have no sender, and so no order."""
    house.arrivals.keep([arrival(""), arrival("")])

    assert claim(house) is not None
    assert claim(house) is not None


def test_only_mails_received_before_an_instant(house, arrival) -> None:
    """With *before*, one received at that very instant is passed over."""
    house.arrivals.keep([arrival("a@x.example")])
    deadline = house.clock.on(hours=1)
    house.arrivals.keep([arrival("b@x.example")])

    assert claim(house, before=deadline).sender == "a@x.example"
    assert claim(house, before=deadline) is None


def test_a_mail_put_back_waits_for_its_time(house, arrival) -> None:
    """Until then its sender's later mails wait too."""
    house.arrivals.keep([arrival("a@x.example"), arrival("a@x.example")])
    mail = claim(house)
    with house.store().writing() as uow:
        uow.inbox.put_back(mail.id, house.clock.now + timedelta(minutes=1), counts=True)
        uow.commit()

    assert claim(house) is None
    house.clock.on(minutes=1)
    again = claim(house)
    assert (again.id, again.tries) == (mail.id, 2)


def test_waiting_for_ones_turn_is_no_try(house, arrival) -> None:
    """A mail put back without fault has as many tries as before."""
    house.arrivals.keep([arrival()])
    mail = claim(house)
    with house.store().writing() as uow:
        uow.inbox.put_back(mail.id, house.clock.now, counts=False)
        uow.commit()

    assert claim(house).tries == 1


def test_a_mail_waits_for_older_ones_that_may_be_for_its_game(house, arrival) -> None:
    """An older mail in doubt, or for the same game; not one for another game or for none."""
    house.arrivals.keep([arrival("a@x.example"), arrival("b@x.example")])
    older, younger = claim(house), claim(house)
    verdicts = []
    with house.store().writing() as uow:
        verdicts.append(uow.inbox.must_wait(younger.id, "borgia"))
        for game in ("borgia", "sforza", None):
            uow.inbox.concerns(older.id, game)
            verdicts.append(uow.inbox.must_wait(younger.id, "borgia"))
        verdicts.append(uow.inbox.must_wait(older.id, "borgia"))

    assert verdicts == [True, True, False, False, False]


@pytest.mark.parametrize("game", ["borgia", None])
@pytest.mark.parametrize("of_older", ["in doubt", "borgia", "sforza", None])
def test_anyone_who_notes_a_mails_game_hears_whether_it_must_wait(
    house, arrival, game, of_older
) -> None:
    """With the same statement; a mail for no game waits for none."""
    house.arrivals.keep([arrival("a@x.example"), arrival("b@x.example")])
    older, younger = claim(house), claim(house)
    with house.store().writing() as uow:
        first = None if of_older == "in doubt" else uow.inbox.concerns(older.id, of_older)
        uow.commit()
    with house.store().writing(single=True) as uow:
        waits = uow.inbox.concerns(younger.id, game)
        uow.commit()

    assert not first
    assert waits == (game is not None and of_older in ("in doubt", game))


def test_anyone_who_waits_knows_whether_an_older_mail_is_being_read(house, arrival) -> None:
    """While somebody has it who has not said for which game it is."""
    house.arrivals.keep([arrival("a@example.com"), arrival("b@example.com")])
    verdicts = []

    def ask() -> None:
        with house.store().reading() as uow:
            verdicts.append(uow.inbox.is_read_elsewhere(2, house.clock.now))

    ask()
    older = claim(house)
    ask()
    with house.store().writing() as uow:
        uow.inbox.concerns(older.id, "borgia")
        uow.commit()
    ask()

    assert verdicts == [False, True, False]


def test_a_mail_that_must_wait_is_passed_over(house, arrival) -> None:
    """From when its game is known until the older ones are handled, or known to be for others."""
    house.arrivals.keep([arrival(f"{name}@x.example") for name in "abc"])
    older, younger = claim(house), claim(house)
    with house.store().writing() as uow:
        uow.inbox.concerns(younger.id, "borgia")
        uow.inbox.put_back(younger.id, house.clock.now, counts=False)
        uow.commit()
    passed_over = [claim(house), claim(house)]
    with house.store().writing() as uow:
        uow.inbox.concerns(older.id, "sforza")
        uow.commit()
    again = claim(house)

    assert [each and each.sender for each in passed_over] == ["c@x.example", None]
    assert (again.id, again.tries) == (younger.id, 1)


@pytest.mark.parametrize("end", ["finish", "set_aside"])
def test_nobody_waits_for_a_mail_that_has_ended(house, arrival, end) -> None:
    """Finished or set aside, it holds up neither its sender, nor its game, nor a phase."""
    house.arrivals.keep([arrival("a@x.example"), arrival("a@x.example")])
    mail = claim(house)
    now = house.clock.now
    with house.store().writing() as uow:
        if end == "finish":
            uow.inbox.finish(mail, MailEnd(MailOutcome.SILENT), b"", now)
        else:
            uow.inbox.set_aside(mail.id, "broken", now)
        uow.commit()

    younger = claim(house)
    with house.store().writing() as uow:
        assert uow.inbox.must_wait(younger.id, "borgia") is False
        uow.inbox.concerns(younger.id, "sforza")
        assert uow.inbox.any_before(now + timedelta(hours=1), "borgia") is False


def test_a_mail_ends_in_its_turn(house, arrival) -> None:
    """Not before an older one that may be for the same game; nothing of it is kept then."""
    house.arrivals.keep([arrival("a@x.example"), arrival("b@x.example")])
    older, younger = claim(house), claim(house)
    now = house.clock.now
    with house.store().writing() as uow, pytest.raises(MustWait):
        uow.inbox.finish(younger, MailEnd(MailOutcome.ANSWERED), b"", now, "borgia")
    with house.store().writing() as uow:
        uow.inbox.concerns(older.id, "sforza")
        uow.inbox.finish(younger, MailEnd(MailOutcome.ANSWERED), b"", now, "borgia")
        uow.commit()
    with house.store().writing() as uow, pytest.raises(Stale):
        uow.inbox.finish(younger, MailEnd(MailOutcome.ANSWERED), b"", now, "borgia")

    assert claim(house) is None


def test_a_claimed_mail_says_whether_another_one_waits(house, arrival) -> None:
    """Finished ones do not."""
    house.arrivals.keep([arrival("a@x.example"), arrival("b@x.example")])
    first = claim(house)
    finish(house, first)

    assert (first.queue_was_empty, claim(house).queue_was_empty) == (False, True)


def test_no_mail_is_taken_up_while_a_deadline_is_over(house, arrival) -> None:
    """Unless the claim does not mind."""
    with house.store().writing() as uow:
        uow.persons.save(LUCIA)
        uow.persons.save(OTTO)
        uow.games.add(GAME)
        uow.commit()
    house.arrivals.keep([arrival()])
    house.clock.now = GAME.clock.deadline

    assert claim(house, unless_overdue=True) is None
    assert claim(house) is not None


def test_a_phase_waits_for_mails_received_before_its_deadline(house, arrival) -> None:
    """For its game or in doubt, waiting or claimed; not for one received at the deadline."""
    house.arrivals.keep([arrival("a@x.example")])
    received = house.clock.now
    answers = []
    with house.store().writing() as uow:
        answers.append(uow.inbox.any_before(received, "borgia"))
        answers.append(uow.inbox.any_before(received + timedelta(microseconds=1), "borgia"))
    mail = claim(house)
    with house.store().writing() as uow:
        for game in ("borgia", "sforza"):
            uow.inbox.concerns(mail.id, game)
            answers.append(uow.inbox.any_before(received + timedelta(hours=1), "borgia"))

    assert answers == [False, True, True, False]


def test_what_is_kept_of_a_finished_mail_is_redacted(house, arrival) -> None:
    """The raw bytes are replaced; how and when it ended is noted."""
    house.arrivals.keep([arrival(raw=b"signon Lborgia secret")])

    finish(house, claim(house))

    row = only_row(house)
    assert (row.raw, row.outcome, row.ended) == (b"redacted", "answered", house.clock.now)
    assert row.holder is None


def test_a_mail_set_aside_stays_whole(house, arrival) -> None:
    """The keeper may want to try it again."""
    house.arrivals.keep([arrival(raw=b"whole")])
    mail = claim(house)
    with house.store().writing() as uow:
        uow.inbox.set_aside(mail.id, "broken", house.clock.now)
        uow.commit()

    row = only_row(house)
    assert (row.raw, row.why) == (b"whole", "broken")


def test_a_mail_takes_effect_once(house, arrival) -> None:
    """The second, whose claim had ended, is told so, and their effects are undone."""
    house.arrivals.keep([arrival()])
    slow = claim(house)
    house.clock.on(minutes=11)
    finish(house, claim(house, "another worker"))

    with pytest.raises(Stale), house.store().writing() as uow:
        uow.inbox.finish(slow, MailEnd(MailOutcome.ANSWERED), b"", house.clock.now)


def test_many_workers_take_up_each_mail_once(house, arrival) -> None:
    """Eight at a time share sixty mails without a mail lost or taken up twice."""
    house.arrivals.keep([arrival(f"{n}@x.example") for n in range(60)])

    def work(name: str) -> list[int]:
        taken = []
        while (mail := claim(house, name)) is not None:
            taken.append(mail.id)
        return taken

    with ThreadPoolExecutor(8) as pool:
        taken = [each for ids in pool.map(work, "abcdefgh") for each in ids]

    assert sorted(taken) == sorted(set(taken))
    assert len(taken) == 60


def test_claims_of_a_dead_process_end_at_once(house, arrival) -> None:
    """Nobody has to wait two minutes for a process that this machine knows to be gone."""
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    dead = str(Holder(myself().host, child.pid, "1"))
    house.arrivals.keep([arrival("a@x.example"), arrival("b@x.example"), arrival("c@x.example")])
    claim(house, dead)
    claim(house, str(myself()))
    claim(house, "elsewhere|1|1")

    with writing(house.engine) as connection, Session(connection) as session:
        released = release_dead(session, house.clock.now)
        connection.commit()

    assert released == 1
    assert claim(house).sender == "a@x.example"
    assert claim(house) is None


def test_mails_that_were_taken_for_automatic_ones_are_found_again(house, arrival) -> None:
    """The newest first, with the reason; those that were answered are none."""
    house.arrivals.keep([arrival("a@x.example") for _ in range(3)])
    ends = [
        (MailOutcome.SILENT, "bulk mail"),
        (MailOutcome.ANSWERED, ""),
        (MailOutcome.HELD, "a list"),
    ]
    for outcome, why in ends:
        mail = claim(house)
        with house.store().writing() as uow:
            uow.inbox.finish(mail, MailEnd(outcome, why), b"", house.clock.now)
            uow.commit()

    with house.store().reading() as uow:
        found = uow.inbox.unheard("a@x.example", house.clock.now, 10)
        assert [(each.outcome, each.why) for each in found] == [ends[2], ends[0]]
        assert len(uow.inbox.unheard("a@x.example", house.clock.now, 1)) == 1
        assert uow.inbox.unheard("b@x.example", house.clock.now, 10) == []
        assert uow.inbox.unheard("a@x.example", house.clock.now + timedelta(days=1), 10) == []


def test_mails_of_an_address_that_were_set_aside_lately_are_counted(house, arrival) -> None:
    """Not those of others, and not those that ended earlier."""
    house.arrivals.keep([arrival("a@x.example"), arrival("b@x.example")])
    for _ in range(2):
        mail = claim(house)
        with house.store().writing() as uow:
            uow.inbox.set_aside(mail.id, "cannot be read", house.clock.now)
            uow.commit()

    with house.store().reading() as uow:
        assert uow.inbox.set_aside_since("a@x.example", house.clock.now) == 1
        assert uow.inbox.set_aside_since("c@x.example", house.clock.now) == 0
        assert uow.inbox.set_aside_since("a@x.example", house.clock.now + timedelta(1)) == 0


def test_nobody_waits_for_a_mail_that_has_failed(house, arrival) -> None:
    """Neither the next of its sender, nor one for the game, nor one that asks who reads it."""
    house.arrivals.keep([arrival("a@x.example"), arrival("a@x.example"), arrival("b@x.example")])
    first = claim(house)
    assert claim(house) is not None  # b's
    with house.store().writing() as uow:
        uow.inbox.concerns(first.id, "borgia")
        until = house.clock.now + timedelta(seconds=2)
        uow.inbox.put_back(first.id, until, counts=True, fault="IndexError at a.py:1")
        uow.commit()

    second = claim(house)
    assert second is not None
    with house.store().reading() as uow:
        assert not uow.inbox.must_wait(second.id, "borgia")
        assert uow.inbox.any_before(house.clock.on(seconds=3), "borgia")
    again = claim(house)
    assert (again.id, again.tries, again.why) == (first.id, 2, "IndexError at a.py:1")
    with house.store().reading() as uow:
        assert not uow.inbox.is_read_elsewhere(second.id, house.clock.now)


def test_a_later_mail_of_the_same_proven_writer_follows_one_that_has_failed(house, arrival) -> None:
    """For the same game only; those of others, and of nobody who has proved anything, do not."""
    house.arrivals.keep([arrival(f"{n}@x.example") for n in range(5)])
    first, *others = [claim(house) for _ in range(5)]
    anna = "anna"
    with house.store().writing() as uow:
        for each in (first, *others):
            uow.inbox.concerns(each.id, "borgia")
        uow.inbox.put_back(first.id, house.clock.now, counts=True, fault="x at y:1", writer=anna)
        uow.commit()

    def finish(mail, game: str, writer: str | None) -> None:
        with house.store().writing() as uow:
            uow.inbox.finish(
                mail, MailEnd(MailOutcome.ANSWERED), b"", house.clock.now, game, writer
            )
            uow.commit()

    for mail in reversed(others):
        with house.store().writing() as uow:
            uow.inbox.put_back(mail.id, house.clock.now, counts=False, fault="waits")
            uow.commit()
    with pytest.raises(FollowsFailed):
        finish(others[0], "borgia", anna)
    finish(others[1], "borgia", "marco")
    finish(others[2], "borgia", None)
    finish(others[3], "sforza", anna)
    finish(first, "borgia", anna)
    finish(others[0], "borgia", anna)


def test_a_process_lets_go_of_what_it_has_lost(house, arrival) -> None:
    """After trouble of the database: no try, no death, and what others hold stays theirs."""
    house.arrivals.keep([arrival("a@x.example"), arrival("b@x.example")])
    mine, theirs = claim(house), claim(house, "another worker")

    assert house.store().release_own() == 1
    again = claim(house)
    assert (again.id, again.tries, again.deaths) == (mine.id, 1, 0)
    assert claim(house) is None
    assert theirs.id != mine.id


def test_mails_set_aside_are_listed_and_ended(house, arrival) -> None:
    """With when and why; their text is there until somebody is done with them."""
    house.arrivals.keep([arrival("a@x.example")])
    mail = claim(house)
    with house.store().writing() as uow:
        uow.inbox.set_aside(mail.id, "for somebody", house.clock.now)
        (found,) = uow.inbox.all_aside(house.clock.now)
        assert (found.id, found.sender, found.why) == (mail.id, "a@x.example", "for somebody")
        assert uow.inbox.raw_of(mail.id) == mail.raw
        assert uow.inbox.all_aside(house.clock.now + timedelta(seconds=1)) == []
        uow.inbox.finish_aside(mail.id, MailEnd(MailOutcome.ANSWERED), b"gone", house.clock.now)
        assert uow.inbox.raw_of(mail.id) == b"gone"
        assert uow.inbox.all_aside(house.clock.now) == []
        with pytest.raises(KeyError):
            uow.inbox.raw_of(99)
        uow.commit()
