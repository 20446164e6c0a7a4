"""``machjudge doctor``: whether a judge can do its work, one line for each thing looked at."""

import asyncio
import os
import re
import socket
import stat
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from email.utils import format_datetime
from enum import Enum
from ipaddress import ip_address
from pathlib import Path
from secrets import token_bytes, token_hex
from shutil import disk_usage
from threading import Thread

import click
from sqlalchemy import select

from machjudge.adjudicator.names import MachjudgeError
from machjudge.app import log_to_stderr
from machjudge.app.application import place_of, prepare_database, way_to
from machjudge.app.machine import misfit, now, path_of, secret_beside, secret_of
from machjudge.app.serving import endpoint_at
from machjudge.cli.faults import WRONG, say
from machjudge.db.engine import file_of, open_engine, reading
from machjudge.db.mail_queues import refusal_of_relay
from machjudge.db.maintenance import expect_whole, figures
from machjudge.db.pending_work import looks_in
from machjudge.db.schema_version import newest_step
from machjudge.db.tables import InboxRow
from machjudge.judge.mails import Arrival
from machjudge.judge.secret import fixed
from machjudge.mail.addresses import tagged
from machjudge.mail.compose import ComposedMail
from machjudge.mail.relay import Relay, Taken, signer_of
from machjudge.mail.server import Listener, protection_by
from machjudge.mail_parser.reader import LOOP_HEADER
from machjudge.settings import (
    TABLE,
    ListenAddress,
    MailboxAddress,
    MailboxSecurity,
    Settings,
    SettingsError,
    TcpAddress,
    UnixAddress,
    is_loopback,
    load,
    migrations_folder,
    where_set,
    write_listen,
    write_mailbox,
    write_relay,
)

_BESIDE = ("-wal", "-shm")
_PATIENCE_SECONDS = 10.0
"""How long the relay may take for its greeting."""
_OTHERS = stat.S_IRWXO
_GROUP_AND_OTHERS = stat.S_IRWXG | _OTHERS


class DoctorVerdict(Enum):
    """What a finding says; the value stands before it."""

    RIGHT = "ok"
    WRONG = "wrong"
    NOTE = "note"
    PUBLISH = "publish"
    """A DNS record for the domain of the judge's address."""


@dataclass(frozen=True, slots=True)
class DoctorFinding:
    """One line: what was looked at, what was found, and what to do."""

    verdict: DoctorVerdict
    what: str
    says: str

    def __str__(self) -> str:
        return f"{self.verdict.value:8}{self.what}: {' '.join(self.says.split())}"


Look = Callable[[Settings], Iterator[DoctorFinding]]


def right(what: str, says: str) -> DoctorFinding:
    """A finding with which nothing is to be done."""
    return DoctorFinding(DoctorVerdict.RIGHT, what, says)


def wrong(what: str, says: str) -> DoctorFinding:
    """A finding that keeps the judge from its work."""
    return DoctorFinding(DoctorVerdict.WRONG, what, says)


def note(what: str, says: str) -> DoctorFinding:
    """A finding that the keeper should know of."""
    return DoctorFinding(DoctorVerdict.NOTE, what, says)


_LITTLE = 50_000_000
"""The bytes on the disk of the database below which the keeper has to make room."""


def database(settings: Settings) -> Iterator[DoctorFinding]:
    """Check that the database is there, as this version needs it, with room to grow."""
    file = file_of(settings.database)
    try:
        prepare_database(settings.database, creates=False, unless=secret_beside(settings))
        if file is not None:
            expect_whole(file)
    except MachjudgeError as fault:
        yield wrong("database", str(fault))
    else:
        step = newest_step(migrations_folder())
        yield right("database", f"it can be used, and is at the latest step ({step})")
        if file is not None and (left := disk_usage(file.parent).free) < _LITTLE:
            yield wrong(
                "database", f"the disk of {file} is nearly full: {left // 10**6} MB are left"
            )


def secret(settings: Settings) -> Iterator[DoctorFinding]:
    """Check that the judge's secret can be read."""
    try:
        if fault := _secret_of_another(settings):
            yield wrong("secret", fault)
        elif path_of(settings).exists():
            secret_of(settings, creates=False).check()
            yield right("secret", f"{path_of(settings)} can be used; keep a copy of it elsewhere")
        else:
            yield note("secret", f"{path_of(settings)} will be made by the first serve or tick")
    except MachjudgeError as fault:
        yield wrong("secret", str(fault))
    except OSError as fault:
        yield wrong("secret", f"{fault.filename}: {fault.strerror}; run this as the judge's user")


def _secret_of_another(settings: Settings) -> str:
    """Why the secret does not fit the database; empty if it does, or if there is no database."""
    try:
        prepare_database(settings.database, creates=False)
    except MachjudgeError:
        return ""  # the look at the database tells it
    engine = open_engine(settings.database)
    try:
        return misfit(settings, engine)
    finally:
        engine.dispose()


def relay(settings: Settings) -> Iterator[DoctorFinding]:
    """Check that the relay greets us, and takes password and sender."""
    domain = settings.address.rpartition("@")[2]
    server = Relay(way_to(settings), domain, seconds=_PATIENCE_SECONDS)
    is_tagged = settings.envelope == "sealed" and settings.plus == "on"
    sender = _tagged(settings, "bounce") if is_tagged else settings.address
    try:
        server.greet()
        refusal = server.sender_refusal(sender)
    except MachjudgeError as fault:
        yield wrong("relay", f"{fault}; start that mail server, or correct the setting relay")
        return
    if not refusal:
        yield right("relay", f"{write_relay(settings.relay)} answers, and takes {sender}")
    elif is_tagged and not server.sender_refusal(settings.address):
        yield wrong("envelope", f'the relay refuses {sender} ({refusal}): set envelope to "plain"')
    else:
        what_to_do = "set address to one that you may send as, or correct the setting relay"
        yield wrong("relay", f"it refuses the sender {sender} ({refusal}): {what_to_do}")
    yield from _refusals(settings)


def _refusals(settings: Settings) -> Iterator[DoctorFinding]:
    """What the relay has said against the judge, if that is why messages wait."""
    with suppress(MachjudgeError):  # the look at the database tells it
        prepare_database(settings.database, creates=False)
        engine = open_engine(settings.database)
        try:
            with reading(engine) as connection:
                found = refusal_of_relay(connection)
        finally:
            engine.dispose()
        if found is not None:
            until, why = found
            yield note("relay", f"it refuses messages, which wait until {until:%H:%M} UTC: {why}")


def mailbox(settings: Settings) -> Iterator[DoctorFinding]:
    """Check that the mailbox can be opened, where the keeper has one."""
    inbox = settings.inbox
    if inbox is None:
        return
    from machjudge.mail.mailbox import OpenFolder  # noqa: PLC0415 - few judges have one

    try:
        folder = OpenFolder(place_of(settings, inbox))
        facts = folder.facts()
        folder.leave()
    except MachjudgeError as fault:
        yield wrong("mailbox", f"{fault}; correct the settings that begin with inbox")
        return
    tells = "tells of new mails" if facts.has_idle else "is asked for new mails every 20 seconds"
    yield right("mailbox", f"{write_mailbox(inbox)} can be opened; the server {tells}")
    if facts.is_read_only:
        yield wrong("mailbox", "mails cannot be moved there: the folder may only be read")
    if facts.mails:
        yield note("mailbox", f"mails in the folder, all of which the judge takes: {facts.mails}")
    if inbox.security is MailboxSecurity.PLAIN:
        yield note("mailbox", "the password travels without TLS: only for a server on this machine")


def address(settings: Settings) -> Iterator[DoctorFinding]:
    """Check that players and the keeper can be written to."""
    domain = settings.address.rpartition("@")[2]
    if "." in domain:
        yield right(
            "address",
            settings.address
            if settings.plus == "off"
            else f"{settings.address}; the mail server must also let {_tagged(settings)} in",
        )
    else:
        yield wrong(
            "address",
            f"nobody elsewhere can write to {settings.address}: set address and its domain",
        )
    if settings.keeper is None:
        yield wrong("keeper", "nobody is told of faults: set keeper to your address")
    else:
        yield right("keeper", f"{settings.keeper} is told of faults")
    if settings.confirm == "off":
        yield note("confirm", "every From is believed: only for a closed network, else set it on")


def permissions(settings: Settings) -> Iterator[DoctorFinding]:
    """Check that only the judge can read what is secret, and can write where it must."""
    kept = file_of(settings.database)
    files = [] if kept is None else [kept, *(kept.with_name(kept.name + end) for end in _BESIDE)]
    with suppress(MachjudgeError):  # the look at the secret tells it
        files.append(path_of(settings))
    files += filter(None, (settings.certificate_key, settings.dkim_key))
    files += filter(None, (settings.inbox_refresh_token_file,))
    faults = [fault for file in files if (fault := _open_to(file, _GROUP_AND_OTHERS, "600"))]
    # The judge reads these by its group, and does not write them.
    read = (
        *_with_passwords(settings),
        settings.inbox_password_file,
        settings.inbox_client_secret_file,
        settings.relay_password_file,
    )
    faults += [fault for file in read if file and (fault := _open_to(file, _OTHERS, "640"))]
    yield from (wrong("permissions", each) for each in dict.fromkeys(faults))
    if not faults:
        yield right("permissions", "nobody else reads the judge's files")
    token = settings.inbox_refresh_token_file
    if token is not None and not os.access(token.parent, os.W_OK | os.X_OK):
        yield note("permissions", f"a new refresh token cannot be written beside {token}")


def records(settings: Settings) -> Iterator[DoctorFinding]:
    """The DNS records without which messages end in spam folders, as a zone file has them.

    None for an address whose provider has them.
    """
    domain = settings.address.rpartition("@")[2]
    is_of_provider = settings.inbox is not None and not settings.listen
    if "." not in domain or is_of_provider:
        return
    host = settings.relay.host
    sends = "mx" if is_loopback(host) else f"mx {_sender_of(host)}"
    reports = f"; rua=mailto:{settings.keeper}" if settings.keeper else ""
    lines = (
        ("MX", f"{domain}. IN MX 10 mail.{domain}. (the mail server that takes your mail in)"),
        ("SPF", f'{domain}. IN TXT "v=spf1 {sends} -all"'),
        ("DKIM", _key_record(settings, domain)),
        ("DMARC", f'_dmarc.{domain}. IN TXT "v=DMARC1; p=none{reports}" (later p=quarantine)'),
    )
    yield from (DoctorFinding(DoctorVerdict.PUBLISH, what, says) for what, says in lines)


def web(settings: Settings) -> Iterator[DoctorFinding]:
    """Check that the web pages can be written, where the keeper wants some."""
    folder = settings.web
    if folder is None:
        return
    if folder.is_dir() and os.access(folder, os.W_OK | os.X_OK):
        yield right("web", f"tick writes pages into {folder}; a web server may hand them over")
    elif folder.exists():
        yield wrong("web", f"{folder} is no folder that the judge can write to")
    elif os.access(folder.parent, os.W_OK | os.X_OK):
        yield note("web", f"{folder} is not there yet; tick makes it")
    else:
        yield wrong("web", f"{folder} is not there, and the judge cannot make it")


ARRIVES_SECONDS = 60.0
"""How long a mail to the judge itself may be on its way."""
_TAGGED_SECONDS = 20.0
"""How much longer one to its address with a plus may be."""
_LOOKS_EVERY_SECONDS = 0.5
_TRIAL = re.compile(
    rb"^message-id:[ \t\r\n]*(<[0-9a-f]{24}\.trial@[^>]+>)", re.IGNORECASE | re.MULTILINE
)
_RUNS_WITHIN = timedelta(minutes=3)
_NEWEST = 50

Arrived = Callable[[], str]
"""The headers of the mails that have arrived."""


def runs(settings: Settings) -> bool:
    """Return whether processes of the judge have looked at its clock in the last minutes."""
    with suppress(MachjudgeError):
        prepare_database(settings.database, creates=False)
        engine = open_engine(settings.database)
        try:
            with reading(engine) as connection:
                last = looks_in(connection).last
        finally:
            engine.dispose()
        return last is not None and abs(now() - last) < _RUNS_WITHIN
    return False


def to_itself(settings: Settings) -> Iterator[DoctorFinding]:
    """Check that a mail of the judge to itself arrives, with a plus in its address and without."""
    own, tagged_own = settings.address, _tagged(settings, "trial")
    way = "inbox" if settings.inbox is not None else "listen"
    ids = {own: _trial_id(settings)}
    if settings.plus == "on":
        ids[tagged_own] = _trial_id(settings)
    try:
        with _arriving(settings) as arrived:
            refusals = {to: why for to, each in ids.items() if (why := _sent(settings, to, each))}
            if own in refusals:
                yield wrong("relay", f"{refusals[own]}; correct the setting relay, or address")
                return
            _wait_for({own: ids[own]}, arrived, ARRIVES_SECONDS)
            sent = {to: each for to, each in ids.items() if to not in refusals}
            missing = _wait_for(sent, arrived, _TAGGED_SECONDS) | refusals.keys()
    except MachjudgeError as fault:
        yield wrong(way, str(fault))
        return
    if own in missing:
        yield wrong(
            way,
            f"a mail to {own} was sent, and did not arrive within a minute: have mail"
            f" for that address come to {_way_in(settings)}",
        )
        return
    yield right("mail", f"a mail that the judge sent to {own} has arrived")
    if tagged_own in missing:
        why = refusals.get(tagged_own, "it did not arrive")
        yield wrong("plus", f'mail to {tagged_own} does not come in ({why}): set plus to "off"')


def to_somebody(settings: Settings, to: str) -> str:
    """Send somebody a mail of a trial; return why the relay does not take it, or ""."""
    try:
        return _sent(settings, to, _trial_id(settings))
    except MachjudgeError as fault:
        return str(fault)


def _trial_id(settings: Settings) -> str:
    return f"<{token_hex(12)}.trial@{settings.address.rpartition('@')[2]}>"


def _way_in(settings: Settings) -> str:
    if settings.inbox is not None:
        return write_mailbox(settings.inbox)
    return " ".join(write_listen(each) for each in settings.listen)


def _sent(settings: Settings, to: str, message_id: str) -> str:
    """Send a mail that no judge answers; return why it was not taken, or ""."""
    content = (
        f"Message-ID: {message_id}\r\nDate: {format_datetime(now())}\r\n"
        f"From: {settings.address}\r\nTo: {to}\r\nSubject: A trial of the judge {settings.code}\r\n"
        f"Auto-Submitted: auto-generated\r\n{LOOP_HEADER}: <{settings.address}>\r\n\r\n"
        "The judge has sent this to see whether it arrives. It needs no answer.\r\n"
    )
    mail = ComposedMail(settings.address, to, content.encode("ascii", "replace"))
    server = Relay(way_to(settings), settings.address.rpartition("@")[2])
    answer = server.hand_over(mail)
    server.hang_up()
    return "" if isinstance(answer, Taken) else answer.why


def _wait_for(ids: Mapping[str, str], arrived: Arrived, seconds: float) -> set[str]:
    """Wait for mails; return to whom none has arrived."""
    end = time.monotonic() + seconds
    while True:
        seen = arrived()
        missing = {to for to, each in ids.items() if each not in seen}
        if not missing or time.monotonic() >= end:
            return missing
        time.sleep(_LOOKS_EVERY_SECONDS)


@contextmanager
def _arriving(settings: Settings) -> Iterator[Arrived]:
    """What arrives: at a judge that runs, in its mailbox, or at its doors, which are opened.

    Mails of a trial are removed from the mailbox again.  Raises MachjudgeError.
    """
    if runs(settings):
        engine = open_engine(settings.database)
        newest = select(InboxRow.message_id).order_by(InboxRow.id.desc()).limit(_NEWEST)

        def kept() -> str:
            with reading(engine) as connection:
                return " ".join(connection.scalars(newest))

        try:
            yield kept
        finally:
            engine.dispose()
    elif settings.inbox is not None:
        yield from _in_mailbox(settings, settings.inbox)
    else:
        yield from _at_endpoints(settings)


def _in_mailbox(settings: Settings, inbox: MailboxAddress) -> Iterator[Arrived]:
    from machjudge.mail.mailbox import OpenFolder  # noqa: PLC0415 - few judges have one

    folder = OpenFolder(place_of(settings, inbox))
    before, _ = folder.numbers()
    seen: dict[int, str] = {}

    def found() -> str:
        every, _ = folder.numbers()
        if new := sorted(every - before - seen.keys())[-_NEWEST:]:
            for number, raw in folder.mails(new).items():
                own = _TRIAL.search(raw)
                seen[number] = "" if own is None else own[1].decode("ascii", "replace")
        return " ".join(seen.values())

    try:
        yield found
        if own := [number for number, each in seen.items() if each]:
            folder.file(own, "")
    finally:
        folder.leave()


class _Doormat:
    """Keeps what arrives in memory."""

    def __init__(self) -> None:
        self.ids: list[str] = []

    def keep(self, arrivals: Sequence[Arrival]) -> None:
        """Note what has come."""
        self.ids += [each.message_id for each in arrivals]


def _at_endpoints(settings: Settings) -> Iterator[Arrived]:
    mat, loop = _Doormat(), asyncio.new_event_loop()

    async def made() -> Listener:
        key = fixed(token_bytes(32))
        listener = Listener(settings.address, settings.size_limit, key, mat, lambda: None)
        await listener.open([endpoint_at(each) for each in settings.listen])
        return listener

    thread = Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        listener = asyncio.run_coroutine_threadsafe(made(), loop).result()
        try:
            yield lambda: " ".join(mat.ids)
        finally:
            asyncio.run_coroutine_threadsafe(listener.close(1), loop).result()
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def keys(settings: Settings) -> Iterator[DoctorFinding]:
    """Check that the judge's own certificate and key can be used, where the keeper has some."""
    domain = settings.address.rpartition("@")[2]
    if settings.certificate is not None:
        try:
            protection_by(settings.certificate, settings.certificate_key)
        except MachjudgeError as fault:
            yield wrong("certificate", str(fault))
        else:
            yield right("certificate", "the listener offers STARTTLS")
    if settings.dkim_key is not None:
        try:
            signer_of(settings.dkim_key, settings.dkim_selector, domain)
        except MachjudgeError as fault:
            yield wrong("dkim", str(fault))
        else:
            yield right("dkim", f"messages are signed for {domain} with {settings.dkim_key}")


def _key_record(settings: Settings, domain: str) -> str:
    """Where the public key for signatures is published, and where it is to be had."""
    if settings.dkim_key is None:
        return (
            f"<selector>._domainkey.{domain}. IN TXT as the relay prints it: it is the relay that"
            " signs, the judge has no key"
        )
    return (
        f'{settings.dkim_selector}._domainkey.{domain}. IN TXT "v=DKIM1; k=rsa; p=..." with the'
        f" lines that 'openssl rsa -in {settings.dkim_key} -pubout' prints between its first and"
        " its last"
    )


_LONG = timedelta(minutes=10)
"""How long nothing need happen; a slow cron takes as long as it usually does."""
_MANY_TIMES = 4


def course(settings: Settings) -> Iterator[DoctorFinding]:
    """Check that serve and tick go on; else say since when they do not."""
    try:
        prepare_database(settings.database, creates=False)
    except MachjudgeError:
        return  # the look at the database tells it
    engine, at = open_engine(settings.database), now()
    try:
        with reading(engine) as connection:
            found, looks = figures(connection, at), looks_in(connection)
    finally:
        engine.dispose()
    since = looks.last
    longest = max(_LONG, _MANY_TIMES * (looks.usual or timedelta(0)))
    if since is None:
        yield note("course", "neither serve nor tick has run yet")
    elif since - at > _LONG:
        ahead = f"serve or tick looked at it at {since:%Y-%m-%d %H:%M} UTC, which is still to come"
        yield wrong("course", f"the clock of this machine was set back, or is wrong: {ahead}")
    elif at - since > longest:
        yield wrong("course", f"serve and tick have stopped, since {_ago(since, at)}: start them")
    else:
        yield right("course", f"serve or tick looked at its clock last at {_ago(since, at)}")
    if found.oldest_mail is not None and at - found.oldest_mail > _LONG:
        waits = _ago(found.oldest_mail, at)
        yield wrong("serve", f"it takes no mails: the oldest waits since {waits}; start serve")
    if found.oldest_message is not None and at - found.oldest_message > _LONG:
        waits = _ago(found.oldest_message, at)
        yield note("serve", f"the oldest message waits since {waits}: see the relay, keeper list")
    shut = () if since is None else filter(_is_closed, settings.listen)
    yield from (_closed(address, since, at) for address in shut)
    if found.overdue:
        late = f"{found.overdue} phases are not played although their deadline is over"
        yield wrong("tick", f"{late}: neither serve nor tick plays them; start one of them")


def _is_closed(address: ListenAddress) -> bool:
    """True if nobody listens there."""
    try:
        match address:
            case TcpAddress(host=host, port=port):
                socket.create_connection((host, port), _PATIENCE_SECONDS).close()
            case UnixAddress(path=path):
                with socket.socket(socket.AF_UNIX) as one:
                    one.settimeout(_PATIENCE_SECONDS)
                    one.connect(str(path))
    except OSError:
        return True
    return False


def _closed(address: ListenAddress, since: datetime | None, now: datetime) -> DoctorFinding:
    last = "" if since is None else f"; the judge's last sign of life was {_ago(since, now)}"
    return wrong("serve", f"it has stopped: nobody listens at {write_listen(address)}{last}")


def _ago(at: datetime, now: datetime) -> str:
    minutes = max(0, int((now - at).total_seconds())) // 60
    days, hours = divmod(minutes // 60, 24)
    rest = f"{minutes % 60} min"
    said = f"{days} d {hours} h" if days else f"{hours} h {rest}" if hours else rest
    return f"{at:%Y-%m-%d %H:%M} UTC ({said} ago)"


LOOKS: tuple[Look, ...] = (
    database,
    course,
    secret,
    permissions,
    relay,
    mailbox,
    address,
    keys,
    web,
    records,
)
"""Every look, in the order in which it is told."""


def _tagged(settings: Settings, tag: str = "anything") -> str:
    return tagged(settings.address, tag)


def _open_to(file: Path, whom: int, mode: str) -> str | None:
    """What is wrong with a file that *whom* may use; None if nothing is."""
    try:
        found = stat.S_IMODE(file.stat().st_mode)
    except OSError:
        return None  # what is not there, or cannot be seen, other looks tell
    if not found & whom:
        return None
    return f"others may use {file} (mode {found:o}): chmod {mode} {file}"


def _with_passwords(settings: Settings) -> Iterator[Path]:
    """The files of settings in which a password stands."""
    for entry in TABLE:
        shown = str(entry.shown(settings))
        origin = settings.origins.get(entry.name, "")
        if entry.kind.secret and "***" in shown and Path(origin).is_file():
            yield Path(origin).absolute()


def _sender_of(host: str) -> str:
    """How SPF names a host that sends (RFC 7208, 5.3 and 5.6)."""
    try:
        return f"ip{ip_address(host).version}:{host}"
    except ValueError:
        return f"a:{host}"


@click.command()
@click.option("--mail", "by_mail", is_flag=True, help="Also send the judge a mail of its own.")
@click.pass_context
def doctor(context: click.Context, *, by_mail: bool) -> None:
    """Look for what keeps the judge from its work.

    Prints one line for each finding: ok, wrong, note, or a DNS record to publish. Nothing is
    changed, and no name server is asked. Exits with 1 if something is wrong. With --mail the judge
    sends mails to itself, which it does not answer, and waits for them up to a minute.
    """
    log_to_stderr("critical")  # the findings tell what is wrong
    found = [*_findings(context.find_object(Path), by_mail=by_mail)]
    say(str(each) for each in found)
    if any(each.verdict is DoctorVerdict.WRONG for each in found):
        context.exit(WRONG)


def _findings(file: Path | None, *, by_mail: bool) -> Iterator[DoctorFinding]:
    try:
        settings = load(os.environ, file)
    except SettingsError as fault:
        yield from (wrong("settings", each) for each in fault.faults)
        return
    yield right("settings", f"they can be used, from {_origins(settings)}")
    for look in LOOKS:
        for each in _looked(look, settings):
            is_bad = each.verdict is DoctorVerdict.WRONG and look is not permissions
            where = where_set(settings, each.says) if is_bad else ""
            yield replace(each, says=f"{each.says} ({where})") if where else each
    if by_mail:
        yield from to_itself(settings)


def _looked(look: Look, settings: Settings) -> Iterator[DoctorFinding]:
    """What a look finds, or what kept it from looking."""
    try:
        yield from look(settings)
    except MachjudgeError as fault:
        yield wrong(look.__name__, str(fault))


def _origins(settings: Settings) -> str:
    """Where the settings come from: files and variables, or nothing but defaults."""
    given = dict.fromkeys(each for each in settings.origins.values() if each != "default")
    return ", ".join(given) or "the defaults alone"
