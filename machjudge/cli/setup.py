"""``machjudge setup``: five questions, each answer tried at once, and a judge is ready to start."""

import getpass
import os
import pwd
import shlex
import stat
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit, urlunsplit
from zoneinfo import ZoneInfo

import click
import tomlkit
from tomlkit.exceptions import TOMLKitError

from machjudge.app import log_to_stderr
from machjudge.app.machine import judge_secret, path_of
from machjudge.cli import CommandFault
from machjudge.cli.doctor import (
    LOOKS,
    DoctorFinding,
    DoctorVerdict,
    address,
    mailbox,
    records,
    relay,
    right,
    runs,
    to_itself,
    to_somebody,
    wrong,
)
from machjudge.db.engine import file_of, open_engine
from machjudge.db.maintenance import CopyFailed, expect_file_unused, migrate
from machjudge.mail.relay import SecretUnreadable, secret_in
from machjudge.settings import (
    CONFIG_VARIABLE,
    PREFIX,
    TABLE,
    USUAL_FILES,
    Settings,
    SettingsError,
    load,
    migrations_folder,
    read_mailbox,
    read_relay,
    write_mailbox,
    write_relay,
)

_OF_SYSTEM = Path("/etc/machjudge/machjudge.toml")
_STATE = Path("/var/lib/machjudge")
_UNITS = Path("/etc/systemd/system")
_SYSTEMD_RUNS = Path("/run/systemd/system")
_USER = "machjudge"
_SERVER = "server"
_OWN_DOOR = "lmtp://127.0.0.1:2424"
_OWN_RELAY = "smtp://127.0.0.1:25"
_DOOR_OF_CONTAINER = "lmtp://0.0.0.0:2424"
_WITH_PASSWORD = ("inbox", "relay")
_BY_NAME = {entry.name: entry for entry in TABLE}


class Runs(StrEnum):
    """What starts the judge."""

    SYSTEMD = "systemd"
    CONTAINER = "container"
    HAND = "hand"


# --- the settings as they are written ------------------------------------------------------------


class Draft:
    """The settings to be written to *file*, tried as they will be read from there.

    What stands in the file already stays, comments and all.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self._beside = file.with_name(f".{file.name}.new")
        try:
            self._document = tomlkit.parse(file.read_text("utf-8-sig") if file.exists() else "")
        except (TOMLKitError, ValueError) as fault:
            message = f"{file}: not a TOML file: {fault}; mend it, or name another with --config"
            raise CommandFault(message) from fault

    def has(self, name: str) -> bool:
        """Return whether a setting is written."""
        return name in self._document

    def put(self, **settings: str | None) -> None:
        """Write settings; None takes one away, and a password in an address the one in a file."""
        for name, text in settings.items():
            if name in _WITH_PASSWORD and text and _password_in(text):
                self._document.pop(f"{name}_password_file", None)
            if text is None:
                self._document.pop(name, None)
            elif name == "listen":
                self._document[name] = text.split()
            else:
                self._document[name] = text

    def text_of(self, name: str) -> str:
        """Return a setting as it is written; empty if it is not."""
        found = self._document.get(name, "")
        return " ".join(map(str, found)) if isinstance(found, list) else str(found)

    def password_of(self, name: str) -> str | None:
        """Return the password of `inbox` or `relay`, from its address or its file."""
        file = self.text_of(f"{name}_password_file")
        if not file:
            return _password_in(self.text_of(name))
        try:
            return secret_in(self.file.parent / file)
        except SecretUnreadable:
            return None  # the trial tells it

    def settings(self) -> Settings:
        """Return the settings.  Raises SettingsError, with the name of the file."""
        _write_new(self._beside, tomlkit.dumps(self._document))
        try:
            return load({}, self._beside)
        except SettingsError as fault:
            here = str(self.file)
            faults = [each.replace(str(self._beside), here) for each in fault.faults]
            raise SettingsError(faults) from None
        finally:
            self._beside.unlink(missing_ok=True)

    def save(self, owner: "ServiceUser") -> None:
        """Write the file, whole or not at all, so that only the judge reads it."""
        self._replace(self.file, tomlkit.dumps(self._document), owner)

    def save_passwords(self, owner: "ServiceUser") -> None:
        """Write each password that stands in an address into a file of its own."""
        for name in _WITH_PASSWORD:
            text = self.text_of(name)
            if (password := _password_in(text)) is None:
                continue
            file = self.file.with_name(f"{name}.password")
            self._replace(file, f"{password}\n", owner)
            url = urlsplit(text)
            login, _, place = url.netloc.rpartition("@")
            bare = url._replace(netloc=f"{login.partition(':')[0]}@{place}")
            self.put(**{name: bare.geturl(), f"{name}_password_file": file.name})

    def _replace(self, file: Path, text: str, owner: "ServiceUser") -> None:
        beside = file.with_name(f".{file.name}.new")
        _write_new(beside, text)
        owner.lets_read(beside, file)
        beside.replace(file)

    def lines(self) -> Iterator[str]:
        """The settings as variables of a container."""
        for name in self._document:
            yield f"{PREFIX}{name.upper()}={self.text_of(name)}"


def _write_new(file: Path, text: str) -> None:
    """Write a file that only its owner may read."""
    file.unlink(missing_ok=True)
    opened = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(opened, "w", encoding="utf-8") as written:
        written.write(text)
        written.flush()
        os.fsync(opened)


def _password_in(address: str) -> str | None:
    """The password in the address of a mailbox or a relay, if there is one."""
    try:
        found = urlsplit(address).password
    except ValueError:
        return None  # it is told when the settings are read
    return None if found is None else unquote(found)


@dataclass(frozen=True, slots=True)
class ServiceUser:
    """As whom the judge runs; *user* is None if that is the user of the setup."""

    user: pwd.struct_passwd | None

    @property
    def name(self) -> str:
        """The name of the user."""
        return getpass.getuser() if self.user is None else self.user.pw_name

    def owns(self, path: Path) -> None:
        """Give a file or folder to the judge."""
        if self.user is not None and path.exists():
            os.chown(path, self.user.pw_uid, self.user.pw_gid)

    def lets_read(self, file: Path, old: Path) -> None:
        """Let the judge read a file, and nobody else: as the *old* one, if it is there."""
        if self.user is not None:
            os.chown(file, os.geteuid(), self.user.pw_gid)
            file.chmod(0o640)
        elif old.exists():
            found = old.stat()
            os.chown(file, found.st_uid, found.st_gid)
            file.chmod(stat.S_IMODE(found.st_mode) & ~(stat.S_IWGRP | stat.S_IRWXO))


# --- the questions -------------------------------------------------------------------------------

Accept = Callable[[str], Iterator[DoctorFinding]]
"""Writes an answer into the draft, and tries it.  Raises ValueError if it is none."""


@dataclass(slots=True)
class Interview:
    """Asks, or with *is_silent* takes what is offered."""

    draft: Draft
    is_silent: bool
    tries: bool

    def ask(self, name: str, question: str, offered: str, accept: Accept) -> None:
        """Ask until an answer can be used; a wrong one is told with what to do.

        Raises CommandFault if nobody is asked.
        """
        while True:
            text, is_usable = offered, True
            if not self.is_silent:
                text = click.prompt(question, default=offered or None, type=str).strip()
            try:
                findings = [*accept(text)]
            except (ValueError, SettingsError) as fault:
                is_usable = False
                expected = f"it must be {_BY_NAME[name].kind.expected}; set {_variable(name)}"
                faults = fault.faults if isinstance(fault, SettingsError) else (expected,)
                findings = [wrong(name, each) for each in faults]
            bad = [each for each in findings if each.verdict is DoctorVerdict.WRONG]
            if self.is_silent and bad:
                raise CommandFault(*(f"{each.what}: {each.says}" for each in bad))
            for each in findings:
                click.echo(f"  {each}")
            if not bad or (
                is_usable and click.confirm("  Go on with it nevertheless?", default=False)
            ):
                return

    def password(self, of_whom: str, offered: str | None) -> str | None:
        """Ask for a password, without showing it."""
        if self.is_silent:
            return offered
        keep = "" if offered is None else " (nothing: the one that is known)"
        masked: str = click.prompt(
            f"Password of {of_whom}{keep}", hide_input=True, default="", show_default=False
        )
        return masked or offered

    # --- 1 ---------------------------------------------------------------------------------

    def address(self) -> None:
        """Ask for the judge's address."""

        def accept(text: str) -> Iterator[DoctorFinding]:
            self.draft.put(address=_BY_NAME["address"].kind.read(text, Path()))
            yield from (each for each in address(self._outline()) if each.what == "address")

        own = self.draft.text_of("address")
        self.ask("address", "1. The judge's own mail address", own, accept)

    # --- 2 ---------------------------------------------------------------------------------

    def way_in(self, door: str) -> None:
        """Ask how mails come in; *door* is offered for an own server."""
        inbox, listen = self.draft.text_of("inbox"), self.draft.text_of("listen")
        known = write_mailbox(replace(read_mailbox(inbox), password=None)) if inbox else ""
        offered = (
            known
            or (listen if listen and listen != door else "")
            or (_SERVER if self.is_silent or listen else "")
        )

        untried = {known: True}
        """What is known is tried as it is, and then with another password."""

        def accept(text: str) -> Iterator[DoctorFinding]:
            if text == _SERVER or text.startswith(("lmtp", "smtp")):
                self.draft.put(inbox=None, inbox_password_file=None)
                self.draft.put(listen=door if text == _SERVER else text)
                self.draft.settings()
                yield right("listen", "mails come in at a server of your own")
                return
            self.draft.put(listen=listen or None if text == known else None)
            if untried.pop(text, None) is None:
                self.draft.put(inbox=self._inbox(text))
            settings = self.draft.settings()
            yield from mailbox(settings) if self.tries else ()

        question = (
            f"2. The host of the mailbox (IMAP) at your provider, or {_SERVER!r} if mails come to a"
            " mail server of your own"
        )
        self.ask("inbox", question, offered, accept)

    def _inbox(self, text: str) -> str:
        """The address of the mailbox, with its password where that is in no file."""
        if "://" not in text:
            text = f"imaps://{quote(self.draft.text_of('address'), safe='@')}@{text}/INBOX"
        found = read_mailbox(text)
        if found.password is not None or self.draft.has("inbox_refresh_token_file"):
            return text
        password = self.password(found.user, self.draft.password_of("inbox"))
        if not password or self._is_in_file("inbox", password):
            return text
        url = urlsplit(text)
        login = f"{quote(found.user, safe='')}:{quote(password, safe='')}"
        place = url.netloc.rpartition("@")[2]
        return urlunsplit((url.scheme, f"{login}@{place}", url.path, "", ""))

    # --- 3 ---------------------------------------------------------------------------------

    def relay(self) -> None:
        """Ask for the server that takes the messages; then send a mail, and wait for it."""
        written = self.draft.text_of("relay")
        known = write_relay(replace(read_relay(written), password=None)) if written else ""
        untried = {known: True}

        def accept(text: str) -> Iterator[DoctorFinding]:
            if untried.pop(text, None) is None:
                self.draft.put(relay=(address := self._relay(text)))
                if urlsplit(address).username is None:
                    self.draft.put(relay_password_file=None)
            settings = self.draft.settings()
            if self.tries:
                yield from self._tried(settings)

        question = "3. The mail server that takes the judge's messages"
        self.ask("relay", question, known or self._likely_relay(), accept)

    def _likely_relay(self) -> str:
        inbox = self.draft.text_of("inbox")
        if not inbox:
            return _OWN_RELAY
        found = read_mailbox(inbox)
        host = f"smtp.{found.host.removeprefix('imap.')}"
        return f"smtp+starttls://{quote(found.user, safe='')}@{host}:587"

    def _relay(self, text: str) -> str:
        """The address of the relay, with the password if there is a user."""
        inbox = self.draft.text_of("inbox")
        own = read_mailbox(inbox) if inbox else None
        known = self.draft.password_of("inbox") or self.draft.password_of("relay")
        if "://" not in text:
            login = "" if own is None else f"{quote(own.user, safe='')}@"
            text = f"smtp+starttls://{login}{text}"
        url = urlsplit(text)
        if url.username is None or url.password is not None:
            read_relay(text)
            return text
        password = self.password(url.username.replace("%40", "@"), known)
        if not password or self._is_in_file("relay", password):
            read_relay(text)
            return text
        place = url.netloc.rpartition("@")[2]
        login = f"{quote(url.username, safe='%')}:{quote(password, safe='')}"
        whole = urlunsplit((url.scheme, f"{login}@{place}", "", "", ""))
        read_relay(whole)
        return whole

    def _is_in_file(self, name: str, password: str) -> bool:
        """Return True if the draft has a file with this password."""
        is_known = password == self.draft.password_of(name)
        return is_known and self.draft.has(f"{name}_password_file")

    def _tried(self, settings: Settings) -> Iterator[DoctorFinding]:
        """Try the relay, and change the settings for addresses where it wants that."""
        findings = [*relay(settings)]
        if any(_is_wrong(each, "envelope") for each in findings):
            self.draft.put(envelope="plain")
            settings = self.draft.settings()
            findings = [*relay(settings), right("envelope", "it is set to plain")]
        yield from findings
        if any(each.verdict is DoctorVerdict.WRONG for each in findings):
            return
        for each in to_itself(settings):
            if _is_wrong(each, "plus"):
                self.draft.put(plus="off")
                yield right("plus", f"it is set to off: {each.says.partition(':')[0]}")
            else:
                yield each

    # --- 4, 5 ------------------------------------------------------------------------------

    def zone(self) -> None:
        """Ask for the time zone."""

        def accept(text: str) -> Iterator[DoctorFinding]:
            zone = _BY_NAME["timezone"].kind.read(text, Path())
            self.draft.put(timezone=str(zone))
            yield right("timezone", f"it is {self.draft.settings().timezone}")

        offered = self.draft.text_of("timezone") or _zone_here()
        self.ask("timezone", "4. The time zone of most of your players", offered, accept)

    def keeper(self) -> None:
        """Ask who is told of faults; a mail shows that the relay takes mails to them."""

        def accept(text: str) -> Iterator[DoctorFinding]:
            if not text:
                raise ValueError(text)
            self.draft.put(keeper=_BY_NAME["keeper"].kind.read(text, Path()))
            settings = self.draft.settings()
            refusal = to_somebody(settings, text) if self.tries else ""
            if refusal:
                why = f"the relay takes no mail to {text}: {refusal}; set keeper to an address"
                yield wrong("keeper", f"{why} that gets mail")
            else:
                yield right("keeper", f"{text} is told of faults")

        own = self.draft.text_of("keeper")
        self.ask("keeper", "5. Your own address, for faults", own, accept)

    def _outline(self) -> Settings:
        """The settings as far as they are known, to look at the address alone."""
        return Settings(address=self.draft.text_of("address"))


def _variable(name: str) -> str:
    return f"{name} in the file, or {_BY_NAME[name].variable}"


def _is_wrong(found: DoctorFinding, what: str) -> bool:
    return found.verdict is DoctorVerdict.WRONG and found.what == what


def _zone_here() -> str:
    """The time zone of this machine."""
    with_name = os.path.realpath("/etc/localtime").partition("/zoneinfo/")[2]
    try:
        return str(ZoneInfo(with_name)) if with_name else "UTC"
    except (KeyError, OSError, ValueError):
        return "UTC"


# --- what starts the judge -----------------------------------------------------------------------

_SANDBOX = """\
UMask=0077
NoNewPrivileges=yes
CapabilityBoundingSet=
ProtectSystem=strict
ProtectHome={home}
ProtectProc=invisible
ProtectClock=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectControlGroups=yes
PrivateTmp=yes
PrivateDevices=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
MemoryDenyWriteExecute=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
ReadWritePaths={state}
"""
_SERVICE = """\
[Unit]
Description=A judge for games of Machiavelli
After=network.target

[Service]
User={user}
ExecStart={program} serve
Restart=on-failure
RestartSec=5
TimeoutStopSec=60
{sandbox}
[Install]
WantedBy=multi-user.target
"""
_ONCE = """\
[Unit]
Description={what}

[Service]
Type=oneshot
User={user}
ExecStart={program} {command}
{sandbox}"""
_TIMER = """\
[Unit]
Description={what}

[Timer]
{when}

[Install]
WantedBy=timers.target
"""


def units(user: str, program: str, state: Path) -> dict[str, str]:
    """Return the units of systemd by their names; *program* is the command, *state* its folder."""
    is_at_home = any(
        part.startswith(("/home", "/root", "/run/user")) for part in (program, str(state))
    )
    sandbox = _SANDBOX.format(state=state, home="no" if is_at_home else "yes")
    common = {"user": user, "program": program, "sandbox": sandbox}
    backup = f"backup --rotate 14 {state / 'backups'}"
    what = "What is due in the games of the judge"
    return {
        "machjudge.service": _SERVICE.format(**common),
        "machjudge-tick.service": _ONCE.format(what=what, command="tick", **common),
        "machjudge-tick.timer": _TIMER.format(
            what="Look each minute what is due in the games of the judge",
            when="OnCalendar=minutely\nAccuracySec=1s",
        ),
        "machjudge-backup.service": _ONCE.format(
            what="A backup of the judge", command=backup, **common
        ),
        "machjudge-backup.timer": _TIMER.format(
            what="Make a backup of the judge each night",
            when="OnCalendar=*-*-* 03:15:00\nPersistent=yes",
        ),
    }


COMPOSE = """\
# The image is made by docker build --file Containerfile --tag machjudge .
# The settings stand in judge.env; docs/keeping_container.md says more.
services:
  judge:
    image: machjudge
    container_name: judge
    env_file: judge.env
    volumes:
      - judge:/var/lib/machjudge
{ports}    restart: unless-stopped
    stop_grace_period: 90s
    read_only: true
    tmpfs:
      - /tmp
    cap_drop:
      - ALL
    security_opt:
      - no-new-privileges:true
volumes:
  judge:
    name: judge
"""
_PORTS = """\
    ports:
      - "127.0.0.1:{port}:{port}"
"""


# --- the command ---------------------------------------------------------------------------------


@click.command()
@click.option("--yes", "is_silent", is_flag=True, help="Ask nothing; take variables, and the file.")
@click.option("--untried", is_flag=True, help="Log in nowhere, and send nothing.")
@click.option(
    "--run-by",
    type=click.Choice([each.value for each in Runs]),
    help="What starts the judge: systemd (where it runs), a container, or you by hand.",
)
@click.option(
    "--user", default=None, metavar="NAME", help="As whom the judge runs; machjudge for root."
)
@click.option(
    "--units",
    "units_folder",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Where the units of systemd are written.",
)
@click.pass_context
def setup(
    context: click.Context,
    *,
    is_silent: bool,
    untried: bool,
    run_by: str | None,
    user: str | None,
    units_folder: Path | None,
) -> None:
    """Set a judge up by five questions, each answer tried at once.

    It writes all that a judge needs: the file of settings, the database with the judge's secret,
    and the units of systemd or the files for a container. Each answer is tried: it logs in, and
    sends the judge a mail to see whether it arrives. Given again, it offers what is there. A judge
    that runs is left alone.

    With --yes nothing is asked: MACHJUDGE_ADDRESS, MACHJUDGE_INBOX or MACHJUDGE_LISTEN,
    MACHJUDGE_RELAY, MACHJUDGE_TIMEZONE and MACHJUDGE_KEEPER answer, or the file that is there.
    """
    log_to_stderr("critical")  # the findings tell what is wrong
    is_root = os.geteuid() == 0
    usually = Runs.SYSTEMD if is_root and _SYSTEMD_RUNS.is_dir() else Runs.HAND
    way = Runs(run_by) if run_by else usually
    owner = _owner(user, is_root=is_root and way is Runs.SYSTEMD)
    file = _file(context.find_object(Path), way, is_system=owner.user is not None)
    file.parent.mkdir(parents=True, exist_ok=True)
    draft = Draft(file)
    if way is not Runs.CONTAINER and not draft.has("database"):
        state = _STATE if _OF_SYSTEM.parents[1] in file.parents else Path()
        draft.put(database=f"sqlite:///{state / 'judge.db'}")
    for variable, text in sorted(os.environ.items()):
        name = variable.removeprefix(PREFIX).lower()
        if variable.startswith(PREFIX) and variable != CONFIG_VARIABLE and name in _BY_NAME:
            draft.put(**{name: text})
    if way is not Runs.CONTAINER:
        _expect_at_rest(draft)
    interview = Interview(draft, is_silent, tries=not untried)
    interview.address()
    interview.way_in(_DOOR_OF_CONTAINER if way is Runs.CONTAINER else _OWN_DOOR)
    interview.relay()
    interview.zone()
    interview.keeper()
    settings = draft.settings()
    if way is Runs.CONTAINER:
        begin = _container(draft, settings)
    else:
        _prepare(draft, settings, owner)
        begin = _started_by(way, draft, settings, owner, units_folder)
    click.echo("\n".join(["", *begin, "", *_first_mails(settings)]))


def _owner(name: str | None, *, is_root: bool) -> ServiceUser:
    if name is None and not is_root:
        return ServiceUser(None)
    try:
        return ServiceUser(pwd.getpwnam(name or _USER))
    except KeyError:
        wanted = name or _USER
        message = (
            f"there is no user {wanted}: useradd --system --home-dir {_STATE} --no-create-home"
            f" --shell /usr/sbin/nologin {wanted}, or name another with --user"
        )
        raise CommandFault(message) from None


def _file(named: Path | None, way: Runs, *, is_system: bool) -> Path:
    """The file of settings: the one that is named, the one that is there, or where it belongs."""
    chosen = named or (Path(text) if (text := os.environ.get(CONFIG_VARIABLE)) else None)
    if chosen is not None and chosen != Path(os.devnull):
        return chosen.absolute()
    if way is Runs.CONTAINER:
        return Path("machjudge.toml").absolute()
    there = next((each for each in USUAL_FILES if each.is_file()), None)
    return (there or (_OF_SYSTEM if is_system else Path("machjudge.toml"))).absolute()


def _expect_at_rest(draft: Draft) -> None:
    """Refuse to change a judge that runs."""
    try:
        url = _BY_NAME["database"].kind.read(draft.text_of("database"), draft.file.parent)
    except ValueError:
        return  # the questions tell it
    database = file_of(url)
    if database is None:
        is_running = runs(Settings(database=url))
    else:
        try:
            if database.exists():
                expect_file_unused(database)
            is_running = False
        except CopyFailed:
            is_running = True
    if is_running:
        message = (
            f"a judge runs on the database of {draft.file}: stop it first, for example by"
            " systemctl stop machjudge.service machjudge-tick.timer"
        )
        raise CommandFault(message)


def _prepare(draft: Draft, settings: Settings, owner: ServiceUser) -> None:
    """Make the database and the secret, and then write the settings, so that both fit."""
    database = file_of(settings.database)
    if database is not None and not database.parent.exists():
        database.parent.mkdir(mode=0o700, parents=True)
        owner.owns(database.parent)
    migrate(settings.database, migrations_folder())
    engine = open_engine(settings.database)
    try:
        judge_secret(settings, engine)
    finally:
        engine.dispose()
    if database is not None:
        for end in ("", "-wal", "-shm"):
            owner.owns(database.with_name(database.name + end))
    owner.owns(path_of(settings))
    draft.save_passwords(owner)
    draft.save(owner)
    click.echo(f"Written: {draft.file}, the database, and the secret {path_of(settings)}.")
    judge_settings = load({}, draft.file)
    for look in LOOKS:
        if look in {relay, mailbox, records, address}:
            continue
        for found in look(judge_settings):
            if found.verdict is not DoctorVerdict.RIGHT:
                click.echo(f"  {found}")


def _started_by(
    way: Runs, draft: Draft, settings: Settings, owner: ServiceUser, folder: Path | None
) -> Iterator[str]:
    """Write the units; what is to be done to start the judge."""
    config = "" if draft.file in USUAL_FILES[1:] else f" --config {shlex.quote(str(draft.file))}"
    program = f"{_program()}{config}"
    if way is Runs.HAND:
        yield "Start it with"
        yield f"  {program} serve --all"
        return
    place = folder or _UNITS
    place.mkdir(parents=True, exist_ok=True)
    database = file_of(settings.database)
    state = path_of(settings).parent if database is None else database.parent
    made = units(owner.name, program, state.absolute())
    for name, text in made.items():
        beside = place / f".{name}.new"
        beside.write_text(text, encoding="utf-8")
        beside.replace(place / name)
    yield f"Written to {place}: {' '.join(made)}. Start the judge with"
    yield "  systemctl daemon-reload"
    yield "  systemctl enable --now machjudge.service machjudge-tick.timer machjudge-backup.timer"


def _program() -> str:
    """The command of this installation."""
    script = Path(sys.executable).with_name("machjudge")
    return str(script) if script.is_file() else f"{sys.executable} -m machjudge"


def _container(draft: Draft, settings: Settings) -> Iterator[str]:
    """Write the files for a container; what is to be done to start the judge."""
    folder = draft.file.parent
    environment = folder / "judge.env"
    beside = folder / ".judge.env.new"
    _write_new(beside, "".join(f"{line}\n" for line in draft.lines()))
    beside.replace(environment)
    draft.save(ServiceUser(None))
    port = next((str(getattr(each, "port", "")) for each in settings.listen), "")
    compose = COMPOSE.format(ports=_PORTS.format(port=port) if port else "")
    (folder / "compose.yaml").write_text(compose, encoding="utf-8")
    # In a container this folder has another name than outside.
    place = "" if folder == Path.cwd() else f" to {folder}"
    yield f"Written{place}: judge.env, compose.yaml, {draft.file.name}. Start the judge with"
    yield "  docker compose up --detach        # or: podman-compose up --detach"


def _first_mails(settings: Settings) -> Iterator[str]:
    yield "Then send two mails, from an address of your own. The first asks for the help:"
    yield from _mail(settings, "HELP")
    yield "The second says who you are, and makes a game:"
    yield from _mail(
        settings,
        "REGISTER",
        "Name: Your Name",
        f"Timezone: {settings.timezone}",
        "END",
        "CREATE ?Borgia masterkey 1454",
    )
    yield "The judge asks you to answer, to see that the address is yours; then the game is there."
    yield "machjudge doctor --mail looks at all of this again at any time."


def _mail(settings: Settings, *lines: str) -> Iterator[str]:
    yield from ("", f"  To: {settings.address}", "  Subject: Hello", "")
    yield from (f"  {line}" for line in lines)
    yield ""
