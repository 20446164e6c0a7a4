"""Mails and deadlines in their order, on a real database, with a clock that a test moves."""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from sqlalchemy import text

from machjudge.app import tick, work
from machjudge.app.working import Rounds, Wakeups, _work_round
from machjudge.db.engine import DatabaseOutOfReach
from machjudge.db.work import DatabaseStore
from machjudge.judge import tick as service_tick
from machjudge.judge import worker
from machjudge.judge.archive import replay
from machjudge.judge.records import GameId
from machjudge.judge.worker import MAX_DEATHS, take
from tests.app.table import HOLDS, PLAYERS, Table
from tests.load.copies import add_games
from tests.results_told import tells_results

WEEK = timedelta(days=7)
SECOND = timedelta(seconds=1)
Seats = Mapping[str, str]


@pytest.fixture
def table(lay, started) -> Table:
    """A judge with a game that has just begun."""
    return lay(seats=started.seats, copied=started.folder)


@pytest.fixture
def seats(table) -> Seats:
    """Who leads each power of the game."""
    return table.seats


def all_hold(table: Table, seats: Seats, *, wait: bool) -> None:
    """All order sets are complete; Florence may ask to wait for the deadline."""
    for power in ("L", "N", "V", "I"):
        more = ["set wait"] if wait and power == "L" else []
        table.say(seats[power], table.signon(power, seats), *HOLDS[power], *more)
    table.post_before = table.post()


def advance(table: Table, seats: Seats, to: str) -> None:
    """A mail of Florence with another order is received; nobody handles it yet."""
    table.receive(seats["L"], table.signon("L", seats), f"A Florence - {to}")


def test_a_dry_mail_from_an_unknown_address_is_answered(table, seats) -> None:
    """When its answer is kept, nothing is asked of the database that was read before."""
    table.say("stranger", table.signon("L", seats), "DRY", *HOLDS["L"])

    (answer,) = [each for each in table.post() if each.to == "stranger@example.com"]
    assert "DRY: this mail was only checked." in answer.body


def test_a_phase_is_played_as_soon_as_all_are_ready(table, seats) -> None:
    """Everybody gets the results at once."""
    all_hold(table, seats, wait=False)

    assert table.moments() == ["S1385M", "S1385M"]
    results = [each.to for each in table.post_before if tells_results(each.body)]
    assert sorted(results) == sorted(f"{name}@example.com" for name in (*PLAYERS, "lucia"))


def test_anyone_who_waits_is_waited_for_until_the_deadline(table, seats) -> None:
    """At the deadline the phase is played; a further tick at that moment changes nothing."""
    all_hold(table, seats, wait=True)
    table.clock.now += WEEK - SECOND
    table.tick()
    before = table.moments()
    table.clock.now += SECOND
    table.tick()
    after, state = table.moments(), table.dump()
    table.tick()

    assert (before, after) == (["S1385M"], ["S1385M", "S1385M"])
    assert table.dump() == state


def test_a_mail_received_before_the_deadline_counts(table, seats) -> None:
    """Nobody had handled it: the tick does, before it plays the phase."""
    all_hold(table, seats, wait=True)
    table.clock.now += WEEK - SECOND
    advance(table, seats, "Bologna")
    table.clock.now += SECOND
    table.tick()

    assert table.moments() == ["S1385M", "S1385M"]
    assert "A flo - bol" in table.orders("L")


@pytest.mark.parametrize("worker", [tick, work])
def test_a_mail_received_at_the_deadline_does_not_count(table, seats, worker) -> None:
    """The phase is played as it stood, no matter who comes first: cron or the worker."""
    all_hold(table, seats, wait=True)
    table.clock.now += WEEK - SECOND
    advance(table, seats, "Bologna")
    table.clock.now += SECOND
    advance(table, seats, "Arezzo")
    table.clock.now += SECOND
    worker(table.application)

    assert table.moments() == ["S1385M", "S1385M"]
    assert "A flo - bol" in table.orders("L")


def in_grace(table: Table, seats: Seats) -> None:
    """Florence is late; the grace ends at noon."""
    table.say("lucia", "signon Mborgia pwlucia", "set nmr hold", "set grace 28 Nov 2026 12:00")
    for power in ("N", "V", "I"):
        table.say(seats[power], table.signon(power, seats), *HOLDS[power])
    table.clock.now += WEEK + timedelta(hours=20)
    table.tick()


def test_a_phase_waits_for_a_mail_of_the_grace_that_somebody_else_still_has(table, seats) -> None:
    """Venice changed its mind after Florence had completed the phase; that process hangs."""
    in_grace(table, seats)
    table.receive(seats["L"], table.signon("L", seats), *HOLDS["L"])
    take(table.application.services, table.clock())
    table.receive(seats["V"], table.signon("V", seats), "G Venice converts F")
    table.claim_elsewhere()
    table.clock.now += timedelta(minutes=1)
    table.tick()
    before = table.moments()
    table.clock.now += timedelta(minutes=11)
    table.tick()

    assert (before, table.moments()) == (["S1385M"], ["S1385M", "S1385M"])
    assert "G ven c f" in table.orders("V")


@pytest.mark.parametrize("worker", [tick, work])
def test_a_mail_counts_until_a_phase_is_played_without_somebody(table, seats, worker) -> None:
    """The grace is over, and the judge comes late: whatever was kept before it plays counts."""
    in_grace(table, seats)
    table.clock.now += timedelta(hours=5)
    table.receive(seats["L"], table.signon("L", seats), *HOLDS["L"], "A Florence - Bologna")
    table.clock.now += SECOND
    worker(table.application)

    assert table.moments() == ["S1385M", "S1385M"]
    assert "A flo - bol" in table.orders("L")


def test_orders_that_come_while_a_phase_is_played_do_not_slip_into_the_next(
    table, seats, monkeypatch
) -> None:
    """Nobody knew the results yet; Florence is told to send them again if they are meant."""
    all_hold(table, seats, wait=True)
    table.clock.now += WEEK
    played = service_tick.process

    def slow(*arguments: object, **more: object) -> object:
        table.clock.on(seconds=1)
        advance(table, seats, "Bologna")
        table.clock.on(seconds=1)
        return played(*arguments, **more)

    monkeypatch.setattr(service_tick, "process", slow)
    table.tick()
    monkeypatch.undo()
    table.tick()
    (receipt,) = [each.body for each in table.post() if "hello" in each.subject]

    assert table.moments() == ["S1385M", "S1385M"]
    assert "The mail was received before this phase began" in " ".join(receipt.split())


def test_mails_of_one_game_take_effect_in_the_order_of_receipt(table, seats) -> None:
    """Also when the same power writes from two addresses, and a second process helps."""
    all_hold(table, seats, wait=True)
    for n, place in enumerate(["Bologna", "Arezzo", "Bologna", "Pisa", "Arezzo"]):
        author = seats["L"] if n % 2 else "secretary"
        table.receive(author, table.signon("L", seats), f"A Florence - {place}")
    houses = [table.application, table.another()]
    with ThreadPoolExecutor(2) as pool:
        while table.application.keepers.queues().mails:
            list(pool.map(work, houses))
            table.clock.on(seconds=1)

    with table.application.store.reading() as uow:
        order_sets = uow.order_sets.history("borgia", 0, "L")
    written = [
        line.canonical
        for order_set in order_sets
        for line in order_set.lines
        if "flo -" in line.canonical
    ]
    assert written == ["A flo - bol", "A flo - are", "A flo - bol", "A flo - psa", "A flo - are"]


def test_two_ticks_at_once_play_a_phase_once(table, seats) -> None:
    """Eight processes come at the deadline: one phase, and one result for each reader."""
    all_hold(table, seats, wait=True)
    table.clock.now += WEEK
    houses = [table.another() for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(tick, houses))

    results = [each.to for each in table.post() if tells_results(each.body)]
    assert table.moments() == ["S1385M", "S1385M"]
    assert len(results) == len(set(results)) == 5


def test_all_deadlines_are_asked_for_once_where_many_are_over(table, seats, monkeypatch) -> None:
    """After an outage there may be thousands; each is played, and rests."""
    all_hold(table, seats, wait=True)
    add_games(table.application.engine, "borgia", 7, running=True, whole=True)
    asked, usual = [], DatabaseStore.overdue

    def noting(store: DatabaseStore, now: datetime) -> Sequence[tuple[GameId, datetime]]:
        asked.append(now)
        return usual(store, now)

    monkeypatch.setattr(DatabaseStore, "overdue", noting)
    table.clock.now += WEEK
    work(table.application)

    with table.application.store.reading() as uow:
        games, due = uow.games.unfinished(), uow.games.due(table.clock.now)
    assert len(asked) == 2
    assert [game.position for game in games] == [1] * 8
    assert due == []


def test_reminders_and_late_notices_go_once(table, seats) -> None:
    """However often cron calls."""
    table.clock.now += WEEK - timedelta(hours=2)
    for _ in range(3):
        table.tick()
    reminded = [each.subject for each in table.post() if "reminder" in each.subject]
    table.clock.now += timedelta(hours=3)
    for _ in range(3):
        table.tick()
    late = [each.subject for each in table.post()]

    assert len(reminded) == 4
    assert len(late) == 5
    assert table.moments() == ["S1385M"]


def test_a_tick_loads_only_games_that_changed_or_are_due(table, seats) -> None:
    """A game that waits rests until it changes, or for a day, or until a time of it comes."""

    def due(**later: float) -> tuple[GameId, ...]:
        with table.application.store.reading() as uow:
            return tuple(uow.games.due(table.clock.now + timedelta(**later)))

    table.tick()
    after_a_tick = due(), due(hours=23)
    advance(table, seats, "Bologna")
    work(table.application)
    after_an_order = due()
    table.tick()

    assert after_a_tick == ((), ())
    assert after_an_order == (GameId("borgia"),)
    assert (due(hours=23), due(days=1)) == ((), (GameId("borgia"),))


def test_what_was_played_can_be_rebuilt(table, seats) -> None:
    """Every stored position, from its events and from its orders."""
    all_hold(table, seats, wait=False)

    checks = replay(table.application.services, "borgia")

    assert [(each.is_kept, each.plays_again) for each in checks] == [(True, True)] * 2


@pytest.fixture
def breaking(tmp_path, lay) -> Table:
    """A judge whose answers fail for mails with a certain subject."""
    own = tmp_path / "templates"
    (own / "en").mkdir(parents=True)
    (own / "en" / "reply.txt").write_text(
        "{% block subject %}{{ nowhere if 'break' in subject else subject }}{% endblock %}"
        "{% block body %}Hello.{% endblock %}"
    )
    return lay(templates=own)


def test_a_mail_that_fails_twice_alike_is_set_aside(breaking) -> None:
    """Keeper and sender are told within a minute; nobody waits, as it has proved nothing."""
    breaking.receive("lucia", "help", subject="break")
    breaking.receive("lucia", "help", subject="after it")
    breaking.receive("otto", "help", subject="beside it")
    subjects = []
    for _ in range(6):
        breaking.tick()
        subjects.append([each.subject for each in breaking.post()])
        breaking.clock.on(seconds=10)

    told = "MACH: Mail 1 was set aside after 2 tries"
    assert subjects[0] == ["after it", "beside it"]
    assert subjects[1:] == [[told, "MACH: not handled"], [], [], [], []]
    assert [each.id for each in breaking.application.keepers.mails_aside()] == [1]


def test_a_mail_set_aside_can_be_tried_again(breaking, lay) -> None:
    """Once the fault is mended, it is handled like any other."""
    breaking.receive("lucia", "help", subject="break")
    for _ in range(3):
        breaking.tick()
        breaking.clock.on(minutes=2)
    breaking.post()
    (breaking.templates / "en" / "reply.txt").unlink()
    mended = lay(clock=breaking.clock)
    retried = mended.application.keepers.retry_mail(1)
    mended.tick()

    assert retried
    assert [each.subject for each in mended.post()] == ["Re: MACH: break"]
    assert mended.application.keepers.mails_aside() == []


def test_a_mail_that_kills_its_worker_is_set_aside_too(lay) -> None:
    """Three deaths may be chance; after many the mail is taken for their cause."""
    table = lay()
    table.receive("lucia", "help")
    for _ in range(MAX_DEATHS):
        table.claim_elsewhere()
        table.clock.on(minutes=11)
    before = table.application.keepers.mails_aside()
    table.tick()

    assert before == []
    assert [each.why for each in table.application.keepers.mails_aside()] == ["ProcessDied"]
    told = [(each.to, each.subject) for each in table.post()]
    assert ("keeper@mach.example", "MACH: Mail 1 was set aside after 8 deaths") in told
    assert ("lucia@example.com", "MACH: not handled") in told


def test_the_texts_of_old_mails_go_where_the_keeper_wants_it(table) -> None:
    """After as many days as the setting says; the game plays on."""

    def kept() -> int:
        with table.application.engine.connect() as connection:
            return len(connection.execute(text("SELECT id FROM inbox WHERE length(raw) > 0")).all())

    settings = replace(table.application.settings, keep_mails=90)
    tidy = replace(table.application, settings=settings)
    table.clock.now += timedelta(days=60)
    tick(tidy)
    before = kept()
    table.clock.now += timedelta(days=60)
    tick(table.application)
    without = kept()
    tick(tidy)

    assert before == without > 0
    assert kept() == 0


def test_what_was_in_hand_when_the_database_went_away_is_taken_up_at_once(lay, monkeypatch) -> None:
    """Not after minutes, though this process lives: that was no try and no death."""
    table, rounds = lay(), Rounds()
    table.receive("lucia", "help")
    healthy = DatabaseStore.writing
    is_away = []

    def writing(self, **options):
        if is_away:
            raise DatabaseOutOfReach
        return healthy(self, **options)

    def go_away(*_):
        is_away.append(True)
        raise DatabaseOutOfReach

    with monkeypatch.context() as away:
        away.setattr(DatabaseStore, "writing", writing)
        away.setattr(worker, "handle", go_away)
        _work_round(table.application, Wakeups(), {}, rounds)
    waiting = table.application.keepers.queues().mails
    _work_round(table.application, Wakeups(), {}, rounds)
    table.application.sender.send_due()

    assert waiting == 1
    assert table.application.keepers.queues().mails == 0
    assert table.application.keepers.mails_aside() == []
