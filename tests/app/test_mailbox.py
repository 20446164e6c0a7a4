"""A judge on a mailbox: what is taken when, what counts, and what becomes of it there."""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta

import pytest

from machjudge.app.application import ledger_of, reader_of_mailbox
from machjudge.app.working import look_at_mailbox, work
from machjudge.cli.maintenance import lines
from machjudge.db.engine import reading
from machjudge.db.maintenance import figures as figures_at
from machjudge.db.maintenance import figures_of_mailbox
from machjudge.mail import mailbox
from machjudge.settings import MailboxAddress, MailboxSecurity, read_listen
from tests.app.table import HOLDS, Table
from tests.mail.imap import PASSWORD, USER, ImapServer, imap

WEEK, MINUTE, SECOND = timedelta(days=7), timedelta(minutes=1), timedelta(seconds=1)
NO_MOVE = ("IDLE", "UIDPLUS")


@pytest.fixture
def server() -> Iterator[ImapServer]:
    """A mail server with an empty mailbox."""
    with imap(ImapServer()) as running:
        yield running


@pytest.fixture
def judge(lay, server) -> Table:
    """A judge on that mailbox, which has been looked at."""
    table = lay(more=settings_for(server))
    look(table)
    return table


def settings_for(server: ImapServer, **more: object) -> dict[str, object]:
    """The settings of a judge on the mailbox of a server."""
    inbox = MailboxAddress(MailboxSecurity.PLAIN, "127.0.0.1", server.port, USER, PASSWORD)
    return {"inbox": inbox, "listen": (), **more}


def look(table: Table) -> None:
    """Look at the mailbox, in a process of its own."""
    look_at_mailbox(table.application)


def written(number: int, text: str = "help", more: str = "") -> bytes:
    """A mail with a Message-ID."""
    return (
        f"Return-Path: <anna@example.com>\n{more}From: Anna <anna@example.com>\n"
        f"To: judge@mach.example\nMessage-ID: <m{number}@example.com>\n"
        f"Subject: mail {number}\n\n{text}\n"
    ).encode()


def kept(table: Table) -> list[str]:
    """The Message-IDs of all mails that were kept, in their order."""
    with table.application.engine.connect() as connection:
        rows = connection.exec_driver_sql("SELECT message_id FROM inbox ORDER BY id")
        return [message_id for (message_id,) in rows]


def received(table: Table) -> list[datetime]:
    """When these mails were received."""
    with table.application.engine.connect() as connection:
        asked = connection.exec_driver_sql("SELECT received FROM inbox ORDER BY id")
        return [
            at if isinstance(at, datetime) else datetime.fromisoformat(at).replace(tzinfo=UTC)
            for (at,) in asked
        ]


# --- what becomes of a mail ------------------------------------------------------------------


@pytest.mark.parametrize("can", [("IDLE", "MOVE", "UIDPLUS"), NO_MOVE, ("IDLE",), ()])
@pytest.mark.parametrize(("separator", "prefix"), [("/", ""), (".", "INBOX.")])
def test_mails_are_kept_and_moved(judge, server, can, separator, prefix) -> None:
    """Whatever the server can do, and however it names its folders."""
    server.capabilities = (*can, "NAMESPACE", "AUTH=PLAIN") if prefix else can
    server.separator, server.prefix = separator, prefix
    for number in (1, 2):
        server.deliver(written(number))
    look(judge)

    assert kept(judge) == ["<m1@example.com>", "<m2@example.com>"]
    assert server.mails() == []
    assert len(server.mails(f"{prefix}Judge{separator}Done")) == 2


def test_mails_are_deleted_where_no_folder_is_named(lay, server) -> None:
    """The keeper wants no copies."""
    table = lay(more=settings_for(server, inbox_done=""))
    server.deliver(written(1))
    look(table)

    assert len(kept(table)) == 1
    assert [len(each.mails) for each in server.folders.values()] == [0]


def test_a_mail_counts_by_the_time_at_which_the_server_received_it(judge, server) -> None:
    """Never later than it was kept, whatever the server's clock says."""
    now = judge.clock().replace(microsecond=0)
    for number, at in enumerate((now - timedelta(days=2), now + timedelta(hours=1))):
        server.deliver(written(number), at)
    look(judge)

    assert received(judge) == [now - timedelta(days=2), judge.clock()]


def large(number: int, more: str = "", line: str = "help") -> bytes:
    """A mail with a command and much else."""
    return written(number, f"{line}\n{'x' * 3000}", more)


def test_what_is_too_large_is_refused_and_stops_nothing(lay, server) -> None:
    """It lies in a folder of its own, and does nothing; those behind it are kept."""
    table = lay(more=settings_for(server, size_limit=2000))
    server.deliver(large(1, line="create ?borgia secret 1385"))
    server.deliver(written(2))
    look(table)
    work(table.application)

    assert kept(table) == ["<m1@example.com>", "<m2@example.com>"]
    assert len(server.mails("Judge/Refused")) == len(server.mails("Judge/Done")) == 1
    assert table.dump()["games"] == []
    refused, answer = table.post()
    assert (refused.to, refused.answers) == ("anna@example.com", "<m1@example.com>")
    assert "it has 4 kB, and the judge reads 2 kB at most." in " ".join(refused.body.split())
    assert answer.answers == "<m2@example.com>"


def test_that_a_mail_is_too_large_is_said_once_a_day(lay, server) -> None:
    """In the language of its sender, if they are known."""
    table = lay(more=settings_for(server, size_limit=2000))
    table.say("anna", "register", "Name: Anna Neri", "end", "set language italiano")
    table.post()
    told = []
    for hours in (0, 12, 24):
        table.clock.now += timedelta(hours=hours and 12, seconds=1)
        server.deliver(large(hours))
        look(table)
        work(table.application)
        told.append(len(letters := table.post()))

    assert told == [1, 0, 1]
    assert "il giudice ne legge al massimo 2" in " ".join(letters[0].body.split())


@pytest.mark.parametrize(
    "sign",
    [
        "Auto-Submitted: auto-replied\n",
        "List-Id: News <news.example.org>\n",
        "Precedence: bulk\n",
        "Content-Type: multipart/report; report-type=delivery-status; boundary=b\n",
        "From: MAILER-DAEMON@example.org\n",
    ],
)
def test_no_machine_list_or_bounce_hears_of_a_mail_that_is_too_large(lay, server, sign) -> None:
    """It lies in the folder for refused mails, and that is all."""
    table = lay(more=settings_for(server, size_limit=2000))
    server.deliver(large(1, sign))
    server.deliver(large(2).replace(b"<anna@example.com>\nFrom", b"<>\nFrom"))
    look(table)
    work(table.application)

    assert len(kept(table)) == len(server.mails("Judge/Refused")) == 2
    assert table.post() == []


def test_of_a_large_mail_that_cannot_be_fetched_nobody_hears(lay, server) -> None:
    """It is refused all the same."""
    table = lay(more=settings_for(server, size_limit=2000))
    number = server.deliver(large(1))
    server.refuses = lambda command: "corrupt" if command == f"fetch of {number}" else ""
    for _ in range(3):
        look(table)

    assert kept(table) == []
    assert len(server.mails("Judge/Refused")) == 1


def test_what_the_server_does_not_give_is_refused_in_the_end(judge, server) -> None:
    """Others are kept at once; games wait until it is decided what becomes of it."""
    broken = server.deliver(written(1))
    server.deliver(written(2))
    server.refuses = lambda command: "corrupt" if command == f"fetch of {broken}" else ""
    look(judge)

    assert kept(judge) == ["<m2@example.com>"]
    assert len(server.mails("Judge/Refused")) == 1
    assert not server.mails()


def test_a_mail_with_which_connections_end_stops_none_behind_it(judge, server) -> None:
    """After some attempts it is refused, so that games do not wait for ever."""
    settings, clock = judge.application.settings, judge.clock
    ledger = ledger_of(settings, judge.application.engine, clock)
    reader = reader_of_mailbox(settings, judge.application.services.secret, ledger, clock)
    assert reader is not None
    assert ledger.claim()
    deadly = server.deliver(written(1))
    for number in (2, 3):
        server.deliver(written(number))
    server.cuts = lambda command: "BODY" in command and str(deadly) in re.split(r"[ ,]", command)
    looks = 0
    while server.mails():
        with suppress(mailbox.MailboxFault):
            reader.look()
        looks += 1
        assert looks < 30
        assert looks < 3 or kept(judge) == ["<m2@example.com>", "<m3@example.com>"]

    reader.leave()

    assert looks > 15
    assert len(server.mails("Judge/Refused")) == 1


def test_what_is_not_given_for_a_moment_is_kept(judge, server) -> None:
    """Something else had it in hand."""
    busy = server.deliver(written(1))
    asked = iter("12")
    server.refuses = lambda command: next(asked, "") if command == f"fetch of {busy}" else ""
    look(judge)

    assert kept(judge) == ["<m1@example.com>"]
    assert len(server.mails("Judge/Done")) == 1


def test_a_mail_that_nobody_can_read_stops_nothing(judge, server) -> None:
    """Bytes of any kind are a mail like others."""
    for raw in (b"", b"\0" * 1000, b"\xff\xfe" * 500, b"\n\n\n", b":" * 5000):
        server.deliver(raw)
    server.deliver(written(1))
    look(judge)

    assert "<m1@example.com>" in str(judge.dump()["inbox"])
    assert server.mails() == []


def test_mails_that_cannot_be_moved_are_not_taken_again(judge, server) -> None:
    """They stay where they are until they can be moved."""
    server.refuses = lambda command: "[OVERQUOTA] full" if "MOVE" in command else ""
    server.deliver(written(1))
    look(judge)
    look(judge)
    stayed = len(server.mails())
    server.refuses = lambda _: ""
    look(judge)

    assert (kept(judge), stayed, server.mails()) == (["<m1@example.com>"], 1, [])


def test_mails_are_known_when_the_server_has_numbered_them_anew(judge, server) -> None:
    """By Message-ID and text; without a Message-ID by their time, so that two are two."""
    alike = b"From: anna@example.com\nTo: judge@mach.example\n\nhelp\n"
    now = judge.clock().replace(microsecond=0)
    server.refuses = lambda command: "no" if "MOVE" in command else ""
    server.deliver(written(1))
    server.deliver(alike, now - 2 * MINUTE)
    server.deliver(alike, now - MINUTE)
    look(judge)
    before = len(judge.dump()["inbox"])
    server.renumber()
    look(judge)

    assert (before, len(judge.dump()["inbox"])) == (3, 3)


def test_what_somebody_has_deleted_is_not_taken(judge, server) -> None:
    """A mail program has marked it, and not yet removed it."""
    server.deliver(written(1))
    server.folders["INBOX"].mails[0].flags.add("\\Deleted")
    look(judge)

    assert kept(judge) == []


STEPS = 24


@pytest.mark.parametrize("can", [("IDLE", "MOVE", "UIDPLUS"), NO_MOVE])
@pytest.mark.parametrize("way", ["cuts", "cuts_after"])
def test_a_connection_that_ends_at_any_step_loses_nothing(judge, server, way, can) -> None:
    """Before a command is carried out or after it: each mail is kept once, and none stays."""
    server.capabilities = can
    reached = 0
    for step in range(1, STEPS):
        server.deliver(written(step))
        counted = iter(range(1, STEPS))
        setattr(server, way, lambda _, counted=counted, step=step: next(counted, 0) == step)
        look(judge)
        reached = max(reached, next(counted, STEPS))
        setattr(server, way, lambda _: False)
        look(judge)

        assert kept(judge) == [f"<m{each}@example.com>" for each in range(1, step + 1)]
        assert server.mails() == []
    assert reached > 10


# --- passwords and tokens --------------------------------------------------------------------


def test_a_wrong_password_is_told_once_and_never_shown(lay, server, capsys) -> None:
    """In the log once, to the keeper after ten minutes, and once a day; games wait."""
    wrong = settings_for(server)
    wrong["inbox"] = MailboxAddress(
        MailboxSecurity.PLAIN, "127.0.0.1", server.port, USER, "s3kret-word"
    )
    table = lay(more=wrong)
    for _ in range(5):
        table.tick()
        table.clock.now += 6 * MINUTE

    told = [each for each in table.post() if "mailbox out of reach" in each.subject]
    assert [each.to for each in told] == ["keeper@mach.example"]
    assert "the password is refused: [AUTHENTICATIONFAILED]" in " ".join(told[0].body.split())
    shown = "".join(map(str, capsys.readouterr())) + str(table.dump())
    assert "s3kret" not in shown


def test_a_password_may_stand_in_a_file(lay, server, tmp_path) -> None:
    """Its first line; it is read each time."""
    file = tmp_path / "password"
    file.write_text(f"{PASSWORD}\n", encoding="utf-8")
    more = settings_for(server, inbox_password_file=file)
    more["inbox"] = MailboxAddress(MailboxSecurity.PLAIN, "127.0.0.1", server.port, USER)
    table = lay(more=more)
    server.deliver(written(1))
    look(table)

    assert kept(table) == ["<m1@example.com>"]


# --- figures ---------------------------------------------------------------------------------


def figures(table: Table) -> dict[str, str]:
    """What `machjudge metrics` tells of the mailbox."""
    with reading(table.application.engine) as connection:
        inbox, now = table.application.settings.inbox, table.clock()
        assert inbox is not None
        mailbox_now = figures_of_mailbox(connection, inbox.name, now)
        rows = [*lines(figures_at(connection, now), now, mailbox_now)]
    told = (row.rpartition(" ") for row in rows if row.startswith("machjudge_mailbox_"))
    return {name.removeprefix("machjudge_mailbox_"): value for name, _, value in told}


def test_figures_tell_how_the_mailbox_is_reached(lay, server) -> None:
    """The last look and its connection, what it has left, and the last error."""
    table = lay(more=settings_for(server))
    settings, clock = table.application.settings, table.clock
    ledger = ledger_of(settings, table.application.engine, clock)
    reader = reader_of_mailbox(settings, table.application.services.secret, ledger, clock)
    assert reader is not None
    assert ledger.claim()
    assert figures(table) == {
        "waiting_mails": "0", "connected_seconds": "0", "connections_total": "0",
    }  # fmt: skip

    broken = server.deliver(written(1))
    server.refuses = lambda command: "corrupt" if command == f"fetch of {broken}" else ""
    reader.look()
    clock.now += 30 * SECOND

    assert figures(table) == {
        "last_look_seconds": "30", "waiting_mails": "1", "connected_seconds": "30",
        "connections_total": "1",
    }  # fmt: skip

    reader.hang_up()
    ledger.failed('no "way" in\\')
    clock.now += SECOND
    down = figures(table)
    server.refuses = lambda _: ""
    reader.look()

    assert down["connected_seconds"] == "0"
    assert down['last_error_seconds{why="no \\"way\\" in\\\\"}'] == "1"
    assert (figures(table)["connections_total"], figures(table)["waiting_mails"]) == ("2", "0")
    # A process that was killed holds its claim no longer than this.
    clock.now += 3 * MINUTE
    assert figures(table)["connected_seconds"] == "0"
    reader.leave()


# --- deadlines -------------------------------------------------------------------------------

Seats = Mapping[str, str]


@pytest.fixture
def table(lay, started, server) -> Table:
    """A judge on a mailbox with a game whose orders are all in, but Florence waits."""
    table = lay(seats=started.seats, copied=started.folder, more=settings_for(server))
    table.tick()
    for power in ("L", "N", "V", "I"):
        more = ["set wait"] if power == "L" else []
        table.say(table.seats[power], table.signon(power, table.seats), *HOLDS[power], *more)
    table.post()
    return table


def advance(table: Table, server: ImapServer, to: str, at: datetime) -> None:
    """Another order of Florence comes into the mailbox."""
    name = table.seats["L"]
    text = f"{table.signon('L', table.seats)}\nA Florence - {to}\n"
    raw = (
        f"Return-Path: <{name}@example.com>\nFrom: {name}@example.com\nTo: judge@mach.example\n"
        f"Message-ID: <{to}@example.com>\nSubject: x\n\n{text}"
    )
    server.deliver(raw.encode(), at)


def until(table: Table, before: timedelta) -> datetime:
    """Set the clock to a time before the deadline, which is returned."""
    end = table.clock.now + WEEK
    while table.clock.now < end - timedelta(hours=4):
        table.clock.now += timedelta(hours=3)
        table.tick()
    table.clock.now = end - before
    table.tick()
    return end


def test_a_mail_that_was_in_the_mailbox_before_the_deadline_counts(table, server) -> None:
    """It is fetched after the deadline; one that came at the deadline is too late."""
    end = until(table, SECOND)
    advance(table, server, "Bologna", end - SECOND)
    advance(table, server, "Arezzo", end)
    table.clock.now = end + 20 * SECOND
    table.tick()

    assert table.moments() == ["S1385M", "S1385M"]
    assert "A flo - bol" in table.orders("L")


def test_a_mail_on_its_way_into_the_mailbox_is_waited_for(table, server) -> None:
    """The server had it before the deadline, and shows it a moment after."""
    end = until(table, SECOND)
    table.clock.now = end + 2 * SECOND
    table.tick()
    before = table.moments()
    advance(table, server, "Bologna", end - SECOND)
    table.clock.now = end + 20 * SECOND
    table.tick()

    assert (before, len(table.moments())) == (["S1385M"], 2)
    assert "A flo - bol" in table.orders("L")


def test_a_phase_waits_while_the_mailbox_is_out_of_reach(table, server) -> None:
    """Keeper and master are told; orders that came in time count when it is back."""
    end = until(table, SECOND)
    server.stop()
    table.clock.now = end + MINUTE
    table.tick()
    for _ in range(3):
        table.clock.now += 30 * MINUTE
        table.tick()
    waited, told = table.moments(), [(each.to, each.subject) for each in table.post()]
    advance(table, server, "Bologna", end - SECOND)
    advance(table, server, "Arezzo", end + SECOND)
    server.start()
    table.tick()
    table.clock.now += MINUTE
    table.tick()

    assert waited == ["S1385M"]
    assert ("keeper@mach.example", "MACH: mailbox out of reach") in told
    assert [to for to, subject in told if "waiting for mail" in subject] == ["lucia@example.com"]
    assert len(table.moments()) == 2
    assert "A flo - bol" in table.orders("L")


def test_a_long_outage_of_the_mailbox_puts_the_deadline_off(table, server) -> None:
    """Nobody could send orders: it is as if the judge had been down."""
    end = until(table, timedelta(hours=1))
    server.stop()
    while table.clock.now < end + timedelta(hours=10):
        table.clock.now += timedelta(hours=1)
        table.tick()
    server.start()
    table.tick()
    table.clock.now += MINUTE
    table.tick()

    assert table.moments() == ["S1385M"]
    moved = [each.to for each in table.post() if "could not read its" in each.body]
    assert {*moved} >= {f"{name}@example.com" for name in table.seats.values()}


def test_where_mails_also_come_in_elsewhere_the_mailbox_is_waited_for_an_hour(
    lay, started, server
) -> None:
    """The judge goes on, as people can reach it by the other way."""
    more = settings_for(server, listen=(read_listen("smtp://127.0.0.1:2525"),))
    table = lay(seats=started.seats, copied=started.folder, more=more)
    table.tick()
    for power in ("L", "N", "V", "I"):
        wait = ["set wait"] if power == "L" else []
        table.say(table.seats[power], table.signon(power, table.seats), *HOLDS[power], *wait)
    end = until(table, SECOND)
    server.stop()
    table.clock.now = end + 50 * MINUTE
    table.tick()
    before = table.moments()
    table.clock.now = end + 61 * MINUTE
    table.tick()

    assert (before, len(table.moments())) == (["S1385M"], 2)


def test_a_phase_is_played_soon_after_the_last_orders(lay, started, server) -> None:
    """As soon as the mailbox was looked at after them."""
    table = lay(seats=started.seats, copied=started.folder, more=settings_for(server))
    table.tick()
    for power in ("L", "N", "V", "I"):
        table.say(table.seats[power], table.signon(power, table.seats), *HOLDS[power])
    before = table.moments()
    table.clock.now += 15 * SECOND
    table.tick()

    assert (before, len(table.moments())) == (["S1385M"], 2)
