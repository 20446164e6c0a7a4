"""``machjudge doctor``: whether a judge can do its work, one line for each thing looked at."""

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from ipaddress import ip_address
from pathlib import Path

import click

from machjudge.adjudicator.names import MachjudgeError
from machjudge.app.application import prepare_database, way_to
from machjudge.app.machine import misfit, path_of, secret_beside, secret_of
from machjudge.cli.faults import WRONG, say
from machjudge.db.engine import file_of, open_engine, reading
from machjudge.db.mail_queues import refusal_of_relay
from machjudge.db.schema_version import newest_step
from machjudge.mail.addresses import tagged
from machjudge.mail.relay import Relay, signer_of
from machjudge.mail.server import protection_by
from machjudge.settings import (
    TABLE,
    Settings,
    SettingsError,
    load,
    migrations_folder,
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


def database(settings: Settings) -> Iterator[DoctorFinding]:
    """Whether the database is there, and where this version needs it."""
    try:
        prepare_database(settings.database, creates=False, unless=secret_beside(settings))
    except MachjudgeError as fault:
        yield wrong("database", str(fault))
    else:
        step = newest_step(migrations_folder())
        yield right("database", f"it can be used, and is at the latest step ({step})")


def secret(settings: Settings) -> Iterator[DoctorFinding]:
    """Whether the judge's secret can be read."""
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
    """Whether the relay greets us, and takes password and sender."""
    domain = settings.address.rpartition("@")[2]
    server = Relay(way_to(settings.relay), domain, seconds=_PATIENCE_SECONDS)
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


def address(settings: Settings) -> Iterator[DoctorFinding]:
    """Whether players and the keeper can be written to."""
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
    """Whether only the judge can read what is secret, and can write where it must."""
    kept = file_of(settings.database)
    files = [] if kept is None else [kept, *(kept.with_name(kept.name + end) for end in _BESIDE)]
    with suppress(MachjudgeError):  # the look at the secret tells it
        files.append(path_of(settings))
    files += filter(None, (settings.certificate_key, settings.dkim_key))
    faults = [fault for file in files if (fault := _open_to(file, _GROUP_AND_OTHERS, "600"))]
    faults += [
        fault for file in _with_passwords(settings) if (fault := _open_to(file, _OTHERS, "640"))
    ]
    yield from (wrong("permissions", each) for each in dict.fromkeys(faults))
    if not faults:
        yield right("permissions", "nobody else reads the judge's files")


def records(settings: Settings) -> Iterator[DoctorFinding]:
    """The DNS records without which messages end in spam folders, as a zone file has them."""
    domain = settings.address.rpartition("@")[2]
    if "." not in domain:
        return
    host = settings.relay.host
    sends = "mx" if _is_loopback(host) else f"mx {_sender_of(host)}"
    reports = f"; rua=mailto:{settings.keeper}" if settings.keeper else ""
    lines = (
        ("MX", f"{domain}. IN MX 10 mail.{domain}. (the mail server that takes your mail in)"),
        ("SPF", f'{domain}. IN TXT "v=spf1 {sends} -all"'),
        ("DKIM", _key_record(settings, domain)),
        ("DMARC", f'_dmarc.{domain}. IN TXT "v=DMARC1; p=none{reports}" (later p=quarantine)'),
    )
    yield from (DoctorFinding(DoctorVerdict.PUBLISH, what, says) for what, says in lines)


def web(settings: Settings) -> Iterator[DoctorFinding]:
    """Whether the web pages can be written, where the keeper wants some."""
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


def keys(settings: Settings) -> Iterator[DoctorFinding]:
    """Whether the judge's own certificate and key can be used, where the keeper has some."""
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


LOOKS: tuple[Look, ...] = (database, secret, permissions, relay, address, keys, web, records)
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


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _sender_of(host: str) -> str:
    """How SPF names a host that sends (RFC 7208, 5.3 and 5.6)."""
    try:
        return f"ip{ip_address(host).version}:{host}"
    except ValueError:
        return f"a:{host}"


@click.command()
@click.pass_context
def doctor(context: click.Context) -> None:
    """Look for what keeps the judge from its work, and say what to do.

    Prints one line for each finding: ok, wrong, note, or a DNS record to publish. Nothing is
    changed, and no name server is asked. Exits with 1 if something is wrong.
    """
    found = [*_findings(context.find_object(Path))]
    say(str(each) for each in found)
    if any(each.verdict is DoctorVerdict.WRONG for each in found):
        context.exit(WRONG)


def _findings(file: Path | None) -> Iterator[DoctorFinding]:
    try:
        settings = load(os.environ, file)
    except SettingsError as fault:
        yield from (wrong("settings", each) for each in fault.faults)
        return
    yield right("settings", f"they can be used, from {_origins(settings)}")
    for look in LOOKS:
        yield from look(settings)


def _origins(settings: Settings) -> str:
    """Where the settings come from: files and variables, or nothing but defaults."""
    given = dict.fromkeys(each for each in settings.origins.values() if each != "default")
    return ", ".join(given) or "the defaults alone"
