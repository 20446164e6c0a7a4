"""``machjudge doctor`` tells in one line each what keeps a judge from its work."""

import sqlite3
import stat
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import quote

import pytest
from click.testing import CliRunner
from sqlalchemy import insert, make_url

from machjudge.cli import doctor, main
from machjudge.db.engine import open_engine, writing
from machjudge.db.tables import HeartbeatRow
from tests.cases import cases
from tests.mail.imap import PASSWORD, USER, ImapServer, imap
from tests.mail.servers import Postmaster, relaying
from tests.ports import free_port


@pytest.fixture
def variables(tmp_path: Path) -> dict[str, str]:
    """The settings of a judge in a folder of its own, with a relay that is not there."""
    return {
        "MACHJUDGE_CONFIG": "/dev/null",
        "MACHJUDGE_DATABASE": f"sqlite:///{tmp_path}/judge.db",
        "MACHJUDGE_ADDRESS": "judge@mach.example",
        "MACHJUDGE_KEEPER": "keeper@mach.example",
        "MACHJUDGE_RELAY": f"smtp://127.0.0.1:{free_port()}",
    }


def said(variables: dict[str, str], *command: str, code: int = 0) -> str:
    """What a command prints."""
    done = CliRunner().invoke(main, command, env=variables)
    assert done.exit_code == code, done.output
    return done.output


def test_a_judge_that_can_do_its_work_has_no_wrong_line(variables) -> None:
    """Each thing has its line, and DNS records are told as text."""
    said(variables, "migrate")
    with relaying(Postmaster(), int(variables["MACHJUDGE_RELAY"].rpartition(":")[2])):
        lines = said(variables, "doctor").splitlines()

    words = [line.partition(":")[0].split() for line in lines]
    assert words[:8] == [
        ["ok", "settings"],
        ["ok", "database"],
        ["note", "course"],
        ["note", "secret"],
        ["ok", "permissions"],
        ["ok", "relay"],
        ["ok", "address"],
        ["ok", "keeper"],
    ]
    assert [kind for kind, _ in words[8:]] == ["publish"] * 4
    assert any('mach.example. IN TXT "v=spf1 mx -all"' in line for line in lines)
    assert any("rua=mailto:keeper@mach.example" in line for line in lines)


def test_nothing_is_made_by_looking(variables, tmp_path) -> None:
    """What is missing is told with what to do, all at once."""
    variables["MACHJUDGE_KEEPER"] = ""
    variables["MACHJUDGE_ADDRESS"] = "judge@localhost"
    output = said(variables, "doctor", code=1)

    wrong = [line.split()[1] for line in output.splitlines() if line.startswith("wrong")]
    assert wrong == ["database:", "relay:", "address:", "keeper:"]
    assert "machjudge migrate" in output
    assert "publish" not in output
    assert list(tmp_path.iterdir()) == []


def test_all_faults_of_the_settings_are_findings(variables) -> None:
    """They end the looking, since nothing else can be looked at."""
    variables |= {"MACHJUDGE_RETRY": "never", "MACHJUDGE_TIMEZONE": "Mars/Olympus"}
    lines = said(variables, "doctor", code=1).splitlines()

    assert [line.split()[:2] for line in lines] == [["wrong", "settings:"]] * 2


def test_files_that_others_may_read_are_told_with_the_remedy(variables, tmp_path) -> None:
    """The database, the secret, and a file of settings with a password in it."""
    said(variables, "migrate")
    (tmp_path / "judge.secret").write_text("ab" * 32)
    config = tmp_path / "judge.toml"
    config.write_text('relay = "smtps://judge:tulip@127.0.0.1:1"\n')
    del variables["MACHJUDGE_RELAY"]
    for name in ("judge.db", "judge.secret", "judge.toml"):
        (tmp_path / name).chmod(0o644)
    output = said(variables, "--config", str(config), "doctor", code=1)

    assert f"chmod 600 {tmp_path}/judge.db\n" in output
    assert f"chmod 600 {tmp_path}/judge.secret\n" in output
    assert f"chmod 640 {config}\n" in output
    assert "tulip" not in output
    assert stat.S_IMODE(config.stat().st_mode) == 0o644


@cases
def test_spf_names_the_relay_unless_it_is_on_this_machine(variables, monkeypatch, host, sends):
    """It sends for the domain; a relay here is taken for the mail server of the domain."""
    variables["MACHJUDGE_RELAY"] = f"smtp://{host}:1"
    monkeypatch.setattr("machjudge.mail.relay.Relay.greet", lambda _: None)

    assert f'"v=spf1 {sends} -all"' in said(variables, "doctor", code=1)


class Strict(Postmaster):
    """A relay that takes no sender with a plus."""

    async def handle_MAIL(self, server, session, envelope, address, options):  # noqa: N802
        """Look at the sender."""
        if "+" in address or "refused" in address:
            return "553 5.1.7 Not your address"
        return await super().handle_MAIL(server, session, envelope, address, options)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({}, 'set envelope to "plain"'),
        ({"MACHJUDGE_ENVELOPE": "plain"}, "takes judge@mach.example"),
        ({"MACHJUDGE_PLUS": "off"}, "takes judge@mach.example"),
        ({"MACHJUDGE_ADDRESS": "refused@mach.example"}, "set address"),
    ],
)
def test_a_sender_that_the_relay_refuses_is_told_with_the_remedy(variables, changes, says) -> None:
    """Nothing is sent: the relay is only told who would send."""
    said(variables, "migrate")
    relay = Strict()
    with relaying(relay, int(variables["MACHJUDGE_RELAY"].rpartition(":")[2])):
        is_fine = says.startswith("takes")
        output = said(variables | changes, "doctor", code=0 if is_fine else 1)

    (line,) = [each for each in output.splitlines() if says in each]
    assert line.startswith("ok" if is_fine else "wrong")
    assert relay.taken == []


def test_a_mailbox_is_opened(variables) -> None:
    """Its line says what the server can do; no DNS records are for the judge to publish."""
    said(variables, "migrate")
    with imap(ImapServer()) as server, relaying(Postmaster(), _port_of(variables)):
        login = f"{quote(USER)}:{quote(PASSWORD)}"
        variables["MACHJUDGE_INBOX"] = f"imap://{login}@127.0.0.1:{server.port}"
        server.deliver(b"From: anna@example.com\n\nhelp\n")
        output = said(variables, "doctor")

    found = [line for line in output.splitlines() if "mailbox:" in line]
    assert [line.split()[0] for line in found] == ["ok", "note", "note"]
    assert "the server tells of new mails" in found[0]
    assert "all of which the judge takes: 1" in found[1]
    assert "publish" not in output
    assert PASSWORD not in output


def test_a_mailbox_that_cannot_be_opened_is_wrong(variables) -> None:
    """A wrong password is told in the server's words, and not shown."""
    with imap(ImapServer()) as server:
        variables["MACHJUDGE_INBOX"] = f"imap://{quote(USER)}:s3kret@127.0.0.1:{server.port}"
        output = said(variables, "doctor", code=1)

    (line,) = [line for line in output.splitlines() if "mailbox:" in line]
    assert line.startswith("wrong")
    assert "[AUTHENTICATIONFAILED]" in line
    assert "s3kret" not in output


def _port_of(variables: dict[str, str]) -> int:
    return int(variables["MACHJUDGE_RELAY"].rpartition(":")[2])


# --- whether it goes on ----------------------------------------------------------------------


def looked(variables: dict[str, str], ago: timedelta) -> None:
    """The judge looked at its clock that long ago, as it does each minute."""
    engine = open_engine(variables["MACHJUDGE_DATABASE"])
    row = {"id": 1, "at": datetime.now(UTC) - ago, "usual": 60, "missed": 0}
    with writing(engine) as connection:
        connection.execute(insert(HeartbeatRow), row)
        connection.commit()
    engine.dispose()


def test_a_judge_that_has_stopped_is_told_with_the_time(variables) -> None:
    """Since when, and that nobody listens where it should."""
    said(variables, "migrate")
    looked(variables, timedelta(hours=3, minutes=5))
    address = f"lmtp://127.0.0.1:{free_port()}"
    lines = said({**variables, "MACHJUDGE_LISTEN": address}, "doctor", code=1).splitlines()

    assert any("serve and tick have stopped, since" in x and "(3 h 5 min ago)" in x for x in lines)
    assert any("it has stopped: nobody listens at" in x and address in x for x in lines)


def test_a_judge_that_looks_at_its_clock_goes_on(variables) -> None:
    """With when it did last."""
    said(variables, "migrate")
    looked(variables, timedelta(minutes=1))
    lines = said(variables, "doctor", code=1)

    assert "ok      course: serve or tick looked at its clock last at" in lines


def test_a_clock_that_was_set_back_is_told(variables) -> None:
    """Else everything seems to be late, or nothing."""
    said(variables, "migrate")
    looked(variables, -timedelta(days=1))
    lines = said(variables, "doctor", code=1).splitlines()

    assert any(line.startswith("wrong   course: the clock of this machine") for line in lines)


def test_a_disk_that_is_nearly_full_is_told(variables, monkeypatch) -> None:
    """Before mails are refused because of it."""
    said(variables, "migrate")
    monkeypatch.setattr(doctor, "disk_usage", lambda _: SimpleNamespace(free=7_000_000))

    assert "is nearly full: 7 MB are left" in said(variables, "doctor", code=1)


def test_a_broken_file_is_found_and_all_else_is_looked_at(variables) -> None:
    """Also where the part that is broken is not read by every command."""
    said(variables, "migrate")
    file = Path(str(make_url(variables["MACHJUDGE_DATABASE"]).database))
    with closing(sqlite3.connect(file)) as database:
        database.execute("PRAGMA journal_mode=DELETE")
        ((size,),) = database.execute("PRAGMA page_size").fetchall()
        tables = "SELECT name, rootpage FROM sqlite_master"
        pages = dict(database.execute(tables).fetchall())
    with file.open("r+b") as broken:
        for name in ("press", "games"):
            broken.seek((pages[name] - 1) * size)
            broken.write(b"\xff" * size)
    lines = said(variables, "doctor", code=1).splitlines()

    (found,) = [line for line in lines if line.startswith("wrong   database:")]
    assert f"{file} is broken" in found
    assert "restore a backup (machjudge restore)" in found
    assert lines[-1].startswith("publish")


def test_a_fault_names_the_setting_and_where_it_was_set(variables, tmp_path) -> None:
    """Of every command, for the value that it quotes."""
    gone = {**variables, "MACHJUDGE_DATABASE": f"sqlite:///{tmp_path}/gone/judge.db"}

    for command in (("tick",), ("keeper", "list"), ("metrics",), ("serve",)):
        assert "(setting database, MACHJUDGE_DATABASE)" in said(gone, *command, code=2)
