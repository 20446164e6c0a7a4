"""``machjudge setup`` asks five questions, tries the answers on real servers, and writes files."""

import configparser
import os
import smtplib
import sqlite3
import stat
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

import pytest
from aiosmtpd.smtp import AuthResult
from click.testing import CliRunner, Result

from machjudge.cli import main
from machjudge.cli.setup import units
from machjudge.settings import load
from tests.app.test_keeping_guide import PROGRAM, files
from tests.mail.imap import PASSWORD, USER, ImapServer, imap
from tests.mail.servers import Postmaster, certificates, relaying
from tests.patience import wait_until
from tests.ports import free_port
from tests.surroundings import OURS

KEEPER = "you@mach.example"
FILES = ["inbox.password", "judge.db", "judge.secret", "machjudge.toml", "relay.password"]
"""What a judge on a mailbox has, for itself alone."""


@dataclass
class Provider(Postmaster):
    """A provider: what is sent to the judge comes into its mailbox, or to its door."""

    inbox: ImapServer | None = None
    door: int = 0
    takes_plus: bool = True
    """True if mail to an address with a plus arrives."""
    sends_plus: bool = True
    """True if a sender may have one."""

    async def handle_MAIL(self, server, session, envelope, address, options):  # noqa: N802
        """Look at the sender."""
        if "+" in address and not self.sends_plus:
            return "553 5.1.7 Not your address"
        return await super().handle_MAIL(server, session, envelope, address, options)

    async def handle_DATA(self, server, session, envelope):  # noqa: N802
        """Deliver what is for the judge."""
        said = await super().handle_DATA(server, session, envelope)
        (to,) = envelope.rcpt_tos
        if not said.startswith("250") or not to.startswith("judge"):
            return said
        if "+" in to and not self.takes_plus:
            return said  # and it is lost
        content = envelope.original_content
        if self.inbox is not None:
            noted = f"Return-Path: <{envelope.mail_from}>\r\nDelivered-To: {to}\r\n".encode()
            self.inbox.deliver(noted + content)
        elif self.door:
            with smtplib.LMTP("127.0.0.1", self.door) as line:
                line.sendmail(envelope.mail_from, [to], content)
        return said


@dataclass
class Site:
    """A folder for a judge, and the servers of its provider."""

    folder: Path
    inbox: ImapServer
    provider: Provider
    relay_port: int = field(default_factory=free_port)

    @property
    def file(self) -> Path:
        """The file of settings."""
        return self.folder / "machjudge.toml"

    @property
    def variables(self) -> dict[str, str]:
        """What a program is started with."""
        others = {k: v for k, v in os.environ.items() if not k.startswith(OURS)}
        file = Path(__file__).parents[1] / "mail" / "relay.pem"
        return {**others, "SSL_CERT_FILE": str(file), "MACHJUDGE_CONFIG": str(self.file)}

    @property
    def mailbox(self) -> str:
        """Its address, without the password."""
        return f"imaps://{USER}@127.0.0.1:{self.inbox.port}/INBOX"

    @property
    def relay(self) -> str:
        """The same of the relay."""
        return f"smtp+starttls://{USER.replace('@', '%40')}@127.0.0.1:{self.relay_port}"

    def run(self, *words: str, answers: list[str] | None = None, code: int = 0, **more) -> str:
        """What a command prints that gets these answers."""
        typed = "".join(f"{each}\n" for each in answers or [])
        done: Result = CliRunner().invoke(
            main, words, input=typed, env={**self.variables, **more}, catch_exceptions=False
        )
        assert done.exit_code == code, done.output
        return done.output

    def answers(self) -> list[str]:
        """To all five questions, with the passwords."""
        return [USER, self.mailbox, PASSWORD, self.relay, "", "Europe/Rome", KEEPER]


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A provider that lets the judge in with its password, under TLS."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("machjudge.cli.doctor._LOOKS_EVERY_SECONDS", 0.05)
    shown, _ = certificates()
    inbox = ImapServer(protection=shown, is_tls=True)
    site = Site(tmp_path, inbox, Provider(inbox=inbox))

    def knows(server, session, envelope, mechanism, login) -> AuthResult:
        is_right = (login.login, login.password) == (USER.encode(), PASSWORD.encode())
        return AuthResult(success=is_right, handled=is_right)

    with ExitStack() as ends:
        ends.enter_context(imap(inbox))
        ends.enter_context(
            relaying(
                site.provider, site.relay_port, tls_context=shown, require_starttls=True,
                authenticator=knows, auth_required=True,
            )
        )  # fmt: skip
        yield site


def written(site: Site) -> dict[str, object]:
    """What stands in the file of settings."""
    return tomllib.loads(site.file.read_text(encoding="utf-8"))


def test_five_answers_make_a_judge_on_a_mailbox(site) -> None:
    """The settings for the judge alone, database and secret, and what to send first."""
    told = site.run("setup", answers=site.answers())

    settings = load({}, site.file)
    assert (settings.address, settings.keeper, str(settings.timezone)) == (
        USER, KEEPER, "Europe/Rome",
    )  # fmt: skip
    assert settings.inbox.password is settings.relay.password is None
    assert PASSWORD not in site.file.read_text()
    for name in ("inbox.password", "relay.password"):
        assert (site.folder / name).read_text() == f"{PASSWORD}\n"
    assert (settings.plus, settings.envelope, settings.listen) == ("on", "sealed", ())
    for name in FILES:
        assert stat.S_IMODE((site.folder / name).stat().st_mode) == 0o600
    assert sorted(each.name for each in site.folder.iterdir()) == FILES
    assert PASSWORD not in told
    assert "serve --all" in told
    first, second = told.split(f"To: {USER}")[1:]
    assert "HELP" in first
    assert "REGISTER\n  Name: Your Name\n  Timezone: Europe/Rome\n  END\n  CREATE ?B" in second
    assert site.inbox.mails() == []
    assert "wrong" not in site.run("doctor")
    assert "up to date" in site.run("migrate")


def test_it_may_be_given_again(site) -> None:
    """It offers what is there: with nothing but Enter the same settings come out, comments too."""
    site.run("setup", answers=site.answers())
    text = site.file.read_text() + "# My judge\nanswers_per_day = 7\n"
    site.file.write_text(text)
    secret = (site.folder / "judge.secret").read_text()
    told = site.run("setup", answers=[""] * 5)

    assert site.file.read_text() == text
    assert (site.folder / "judge.secret").read_text() == secret
    assert "wrong" not in told
    assert site.run("setup", "--yes") is not None
    assert site.file.read_text() == text
    site.run("setup", answers=["", "", "", "", "else@mach.example"])
    assert written(site)["keeper"] == "else@mach.example"
    assert "# My judge" in site.file.read_text()


@pytest.mark.parametrize(
    ("at", "bad", "again", "says"),
    [
        (0, ["no address"], [], "address: it must be a mail address"),
        (1, ["imaps://127.0.0.1"], [], "inbox: it must be imaps://"),
        (1, ["MAILBOX", "guessed"], ["n"], "the password is refused"),
        (3, ["smtp://user@127.0.0.1:1", "x"], [], "relay: it must be smtp://"),
        (3, ["RELAY", "guessed"], ["n"], "535"),
        (3, ["smtp://127.0.0.1:1"], ["n"], "start that mail server, or correct the setting relay"),
        (5, ["Mars/Olympus"], [], "timezone: it must be the name of a time zone"),
        (6, ["nobody"], [], "keeper: it must be a mail address"),
        (6, ["gone@mach.example"], ["n"], "the relay takes no mail to gone@mach.example"),
    ],
)
def test_a_wrong_answer_is_told_and_asked_again(site, at, bad, again, says) -> None:
    """With the setting and what to do; the right answer then counts."""
    site.provider.refused_recipients["gone@mach.example"] = "550 5.1.1 No such user"
    places = {"MAILBOX": site.mailbox, "RELAY": site.relay}
    answers = site.answers()
    answers[at:at] = [places.get(each, each) for each in bad] + again
    told = site.run("setup", answers=answers)

    (line,) = [each for each in told.splitlines() if each.startswith("  wrong")]
    assert says in line
    assert load({}, site.file).keeper == KEEPER


def test_what_the_provider_does_with_a_plus_is_found_out(site, monkeypatch) -> None:
    """A sender that it refuses, and mail that does not arrive: each is set as it has to be."""
    monkeypatch.setattr("machjudge.cli.doctor._TAGGED_SECONDS", 0.5)
    site.provider.sends_plus = site.provider.takes_plus = False
    told = site.run("setup", answers=site.answers())

    settings = load({}, site.file)
    assert (settings.envelope, settings.plus) == ("plain", "off")
    assert "plus: it is set to off" in told
    assert "wrong" not in site.run("doctor", "--mail")
    site.file.write_text(site.file.read_text().replace('plus = "off"', 'plus = "on"'))
    assert 'set plus to "off"' in site.run("doctor", "--mail", code=1)


def test_a_mail_that_does_not_come_back_is_told(site, monkeypatch) -> None:
    """As where the relay delivers somewhere else; doctor says the same later."""
    monkeypatch.setattr("machjudge.cli.doctor.ARRIVES_SECONDS", 0.5)
    monkeypatch.setattr("machjudge.cli.doctor._TAGGED_SECONDS", 0.5)
    site.provider.inbox = None
    answers = site.answers()
    answers[5:5] = ["y"]
    told = site.run("setup", answers=answers)

    assert "did not arrive" in told
    assert "inbox" in next(line for line in told.splitlines() if "did not arrive" in line)
    assert "did not arrive" in site.run("doctor", "--mail", code=1)


def test_variables_answer_where_nobody_is_asked(site) -> None:
    """With the passwords in files or in the addresses; given again it changes nothing."""
    password = site.folder / "password"
    password.write_text(f"{PASSWORD}\n")
    password.chmod(0o600)
    relay = site.relay.replace(
        "@127", f":{PASSWORD.replace(' ', '%20').replace(chr(34), '%22')}@127"
    )
    variables = {
        "MACHJUDGE_ADDRESS": USER,
        "MACHJUDGE_INBOX": site.mailbox,
        "MACHJUDGE_INBOX_PASSWORD_FILE": str(password),
        "MACHJUDGE_RELAY": relay.replace("\\", "%5C"),
        "MACHJUDGE_TIMEZONE": "Europe/Madrid",
        "MACHJUDGE_KEEPER": KEEPER,
        "MACHJUDGE_MESSAGES_PER_DAY": "500",
    }
    site.run("setup", "--yes", **variables)
    before = site.file.read_text()

    settings = load({}, site.file)
    assert settings.messages_per_day == 500
    assert settings.inbox.password is None
    assert "wrong" not in site.run("doctor")
    site.run("setup", "--yes", **variables)
    assert site.file.read_text() == before


@pytest.mark.parametrize(
    ("left_out", "says"),
    [
        ("MACHJUDGE_ADDRESS", "MACHJUDGE_ADDRESS"),
        ("MACHJUDGE_KEEPER", "MACHJUDGE_KEEPER"),
        ("MACHJUDGE_INBOX_PASSWORD", "inbox must have one password"),
    ],
)
def test_what_nobody_answers_is_named_and_nothing_is_written(site, left_out, says) -> None:
    """Exit code 2, and a line for each; neither settings nor a database."""
    variables = {
        "MACHJUDGE_ADDRESS": USER,
        "MACHJUDGE_INBOX": site.mailbox,
        "MACHJUDGE_RELAY": "smtp://127.0.0.1:25",
        "MACHJUDGE_KEEPER": KEEPER,
    }
    if left_out != "MACHJUDGE_INBOX_PASSWORD":
        variables["MACHJUDGE_INBOX"] = site.mailbox.replace("@127", ":x@127")
    variables.pop(left_out, None)
    told = site.run("setup", "--yes", "--untried", code=2, **variables)

    assert says in told
    assert list(site.folder.iterdir()) == []


def test_anyone_who_breaks_off_has_changed_nothing(site) -> None:
    """At any question: nothing is written, and it is no fault of the program."""
    for number in range(len(site.answers())):
        told = site.run("setup", answers=site.answers()[:number], code=130)
        assert "fault of machjudge" not in told
    assert list(site.folder.iterdir()) == []


def test_who_may_read_the_settings_stays_so(site) -> None:
    """Where the keeper has given the file to a group; others may never read passwords."""
    site.run("setup", answers=site.answers())
    site.file.chmod(0o664)
    site.run("setup", "--yes")

    assert stat.S_IMODE(site.file.stat().st_mode) == 0o640


def test_passwords_leave_the_settings_and_can_be_changed(site) -> None:
    """From a file of an earlier version they are moved; another relay needs none any more."""
    site.run("setup", answers=site.answers())
    word = quote(PASSWORD, safe="")
    old = site.file.read_text().replace("@127", f":{word}@127")
    site.file.write_text("".join(f"{line}\n" for line in old.splitlines() if "_file" not in line))
    site.run("setup", "--yes")

    assert word not in site.file.read_text()
    assert "wrong" not in site.run("doctor")

    for name in ("inbox.password", "relay.password"):
        (site.folder / name).write_text("of last year\n")
    assert "refused" in site.run("setup", "--yes", code=2)
    answers = ["", "", "n", "", PASSWORD, "", "n", "", "", "", ""]
    site.run("setup", answers=answers)

    assert (site.folder / "relay.password").read_text() == f"{PASSWORD}\n"
    assert "wrong" not in site.run("doctor")

    site.run("setup", "--untried", answers=["", "", "smtp://127.0.0.1:25", "", ""])
    assert "relay_password_file" not in written(site)


def test_a_user_who_is_not_there_is_named(site) -> None:
    """With the command that makes them."""
    words = ("setup", "--yes", "--run-by", "systemd", "--user", "no-such-user")

    assert "useradd --system" in site.run(*words, code=2)
    assert list(site.folder.iterdir()) == []


def test_a_judge_that_runs_is_left_alone(site) -> None:
    """Before anything is asked."""
    site.run("setup", answers=site.answers())
    before = site.file.read_text()
    with closing(sqlite3.connect(site.folder / "judge.db")) as judge:
        judge.execute("PRAGMA journal_mode=WAL")
        judge.execute("SELECT * FROM games").fetchall()
        told = site.run("setup", answers=["other@mach.example"], code=2)

    assert "a judge runs" in told
    assert "stop it first" in told
    assert site.file.read_text() == before


def test_a_server_of_ones_own_gets_the_mail_at_the_door(site) -> None:
    """The door is opened for as long as the mail is on its way."""
    site.provider.inbox, site.provider.door = None, free_port()
    door = f"lmtp://127.0.0.1:{site.provider.door}"
    relay = site.relay
    told = site.run("setup", answers=[USER, door, relay, PASSWORD, "", KEEPER])
    looked = site.run("doctor", "--mail")

    assert written(site)["listen"] == [door]
    assert "arrived" in looked
    assert "mail kept" not in told + looked, "the log is mixed with what is asked and found"
    with closing(smtplib.LMTP()) as nobody, pytest.raises(ConnectionRefusedError):
        nobody.connect("127.0.0.1", site.provider.door)


# --- what starts it ------------------------------------------------------------------------------


def test_the_units_are_those_of_the_guide() -> None:
    """To the letter, where the judge lies where the guide has it."""
    shown = {
        path.rpartition("/")[2]: text
        for path, text in files("ini").items()
        if path.startswith("/etc/systemd/system/")
    }

    assert units("machjudge", PROGRAM, Path("/var/lib/machjudge")) == shown


def test_units_are_written_for_another_place(site) -> None:
    """With its user, its file of settings and its state; the judge owns what it writes."""
    place = site.folder / "units"
    told = site.run(
        "setup", "--run-by", "systemd", "--user", "nobody", "--units", str(place),
        answers=site.answers(),
    )  # fmt: skip

    assert "systemctl enable --now machjudge.service" in told
    names = sorted(each.name for each in place.iterdir())
    assert names == sorted(units("machjudge", PROGRAM, Path("/var/lib/machjudge")))
    for name in names:
        unit = configparser.ConfigParser(interpolation=None)
        unit.read(place / name)
        if name.endswith(".service"):
            assert f"--config {site.file}" in unit["Service"]["ExecStart"]
            assert unit["Service"]["User"] == "nobody"
            assert unit["Service"]["ReadWritePaths"] == str(site.folder)
    if os.geteuid() == 0:
        assert (site.folder / "judge.db").owner() == "nobody"
        assert (site.folder / "judge.secret").owner() == "nobody"
        assert (site.file.owner(), stat.S_IMODE(site.file.stat().st_mode)) == ("root", 0o640)


def test_a_container_gets_its_settings_as_variables(site) -> None:
    """They are those that were answered; no database is made here."""
    told = site.run("setup", "--run-by", "container", answers=site.answers())

    assert "Written: judge.env, compose.yaml, machjudge.toml. Start" in told
    environment = site.folder / "judge.env"
    assert stat.S_IMODE(environment.stat().st_mode) == 0o600
    lines = dict(line.split("=", 1) for line in environment.read_text().splitlines())
    settings = load(lines, Path(os.devnull))
    assert settings.inbox.password == settings.relay.password == PASSWORD
    assert not any(sign in value for value in lines.values() for sign in "$'\" #")
    assert "env_file: judge.env" in (site.folder / "compose.yaml").read_text()
    assert not (site.folder / "judge.db").exists()


def test_the_judge_that_was_set_up_answers(site) -> None:
    """`serve --all` with nothing but that file: the first two mails get their answers.

    While it runs, `doctor` finds its own mail with it, and `setup` leaves it alone.
    """
    told = site.run("setup", answers=site.answers())
    mails = [
        "".join(
            f"{line[2:]}\n" for line in text.partition("\n\n")[2].splitlines() if line[:2] == "  "
        )
        for text in told.split(f"  To: {USER}\n")[1:]
    ]

    def answers() -> list[bytes]:
        return [content for _, to, content in site.provider.taken if to == ["pia@x.example"]]

    command = [sys.executable, "-m", "machjudge", "serve", "--all"]
    with (site.folder / "log").open("wb") as log:
        process = subprocess.Popen(  # noqa: S603  our own program
            command, env=site.variables, stderr=log, cwd=Path(__file__).parents[2]
        )
        try:
            for number, text in enumerate(mails, 1):
                ids = f"Message-ID: <{number}@x.example>\n"
                head = f"From: Pia <pia@x.example>\nTo: {USER}\n{ids}\n"
                site.inbox.deliver(f"{head}{text}".encode())
                wait_until(lambda: len(answers()) >= number, "the answer")  # noqa: B023
            assert "arrived" in site.run("doctor", "--mail")
            assert "a judge runs" in site.run("setup", "--yes", code=2)
        finally:
            process.terminate()
            process.wait()

    first, second = answers()
    assert b"This is a judge for games of Machiavelli" in first
    assert b"The game Borgia waits for you" in second
