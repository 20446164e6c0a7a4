"""Mail servers of the distribution, each with a configuration of its own in a folder of its own.

What a keeper has installed is not touched: no file outside the folder is written.
"""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.patience import wait_until
from tests.ports import free_port, is_open

_POSTFIX = """\
compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/data
maillog_file = {folder}/maillog
maillog_file_prefixes = {folder}
mail_owner = postfix
setgid_group = postdrop
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
myhostname = mail.mach.example
mydestination =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
smtp_dns_support_level = disabled
virtual_mailbox_domains = mach.example
virtual_mailbox_maps    = inline:{{judge@mach.example=judge}}
virtual_transport       = lmtp:[127.0.0.1]:{judge}
recipient_delimiter     = +
message_size_limit      = 1048576
# The world, as far as it is here.
transport_maps = inline:{{players.example=smtp:[127.0.0.1]:{world}}}
"""
_SERVICES = """\
127.0.0.1:{port} inet n - n - - smtpd
pickup   unix n - n 60 1 pickup
cleanup  unix n - n - 0 cleanup
qmgr     unix n - n 300 1 qmgr
tlsmgr   unix - - n 1000? 1 tlsmgr
rewrite  unix - - n - - trivial-rewrite
bounce   unix - - n - 0 bounce
defer    unix - - n - 0 bounce
trace    unix - - n - 0 bounce
verify   unix - - n - 1 verify
flush    unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp     unix - - n - - smtp
relay    unix - - n - - smtp
error    unix - - n - - error
retry    unix - - n - - error
discard  unix - - n - - discard
local    unix - n n - - local
virtual  unix - n n - - virtual
lmtp     unix - - n - - lmtp
anvil    unix - - n - 1 anvil
scache   unix - - n - 1 scache
postlog  unix-dgram n - n - 1 postlogd
"""


@contextmanager
def postfix(folder: Path, judge: int, world: int) -> Iterator[int]:
    """Postfix before the judge, as docs/keeping.md says; its port.

    Mails to the judge go to the port *judge* by LMTP, those to players to the port *world*.
    """
    folder.mkdir()
    folder.chmod(0o755)
    for name in ("queue", "data"):
        (folder / name).mkdir()
    _run("chown", "postfix", str(folder / "data"))
    port = free_port()
    (folder / "main.cf").write_text(_POSTFIX.format(folder=folder, judge=judge, world=world))
    (folder / "master.cf").write_text(_SERVICES.format(port=port))
    _run("postfix", "-c", str(folder), "start")
    try:
        wait_until(lambda: is_open(port), "Postfix")
        yield port
    finally:
        _run("postfix", "-c", str(folder), "stop")


_EXIM = """\
spool_directory = {folder}
log_file_path = {folder}/%slog
primary_hostname = mail.mach.example
domainlist judges = mach.example
local_interfaces = 127.0.0.1
daemon_smtp_ports = {port}
tls_advertise_hosts =
acl_smtp_rcpt = accept
host_lookup =
never_users =
begin routers
judge:
  driver = manualroute
  domains = +judges
  route_list = * 127.0.0.1 byname
  self = send
  transport = judge
begin transports
judge:
  driver = smtp
  protocol = lmtp
  port = {judge}
  allow_localhost
"""


@contextmanager
def exim(folder: Path, judge: int) -> Iterator[int]:
    """Exim, which hands mails for the judge to the port *judge* by LMTP; its port."""
    folder.mkdir()
    _run("chown", "Debian-exim", str(folder))
    port = free_port()
    settings = folder / "exim.conf"
    settings.write_text(_EXIM.format(folder=folder, judge=judge, port=port))
    with _started(["exim4", "-C", str(settings), "-bdf", "-q1m"], folder, port):
        yield port


_OPENSMTPD = """\
listen on 127.0.0.1 port {port} hostname mail.mach.example
action "judge" relay host "lmtp://127.0.0.1:{judge}"
match from any for domain "mach.example" action "judge"
"""


@contextmanager
def opensmtpd(folder: Path, judge: int) -> Iterator[int]:
    """OpenSMTPD, which hands mails for the judge to the port *judge* by LMTP; its port.

    Its queue is the one of the machine, `/var/spool/smtpd`: the program knows no other.
    """
    folder.mkdir()
    port = free_port()
    settings = folder / "smtpd.conf"
    settings.write_text(_OPENSMTPD.format(judge=judge, port=port))
    with _started(["smtpd", "-d", "-f", str(settings)], folder, port):
        yield port


@contextmanager
def _started(command: list[str], folder: Path, port: int) -> Iterator[None]:
    with (folder / "output").open("wb") as output:
        server = subprocess.Popen(command, stdout=output, stderr=output)  # noqa: S603 - as named
        try:
            wait_until(lambda: is_open(port) or server.poll() is not None, command[0])
            assert server.poll() is None, (folder / "output").read_text()
            yield
        finally:
            server.terminate()
            server.wait()


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == 0, f"{' '.join(command)}: {done.stdout}{done.stderr}"


_DOVECOT = """\
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/log
protocols = {protocol}
listen = 127.0.0.1
ssl = required
ssl_cert = <{certificate}
ssl_key = <{certificate}
auth_mechanisms = plain login
mail_location = maildir:{folder}/mail
first_valid_uid = 1
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid=nobody gid=nogroup home={folder}/mail
}}
service imap-login {{
  inet_listener imap {{
    port = {plain}
  }}
  inet_listener imaps {{
    port = {tls}
  }}
}}
service submission-login {{
  inet_listener submission {{
    port = {port}
  }}
}}
hostname = mail.mach.example
submission_relay_host = 127.0.0.1
submission_relay_port = {world}
"""


@dataclass
class Dovecot:
    """A Dovecot for one mailbox or for submission, whose mails stay when it is killed."""

    folder: Path
    protocol: str
    """``imap`` or ``submission``."""
    certificate: Path
    password: str
    world: int = 1
    """The port to which submission hands mails over."""
    port: int = field(default_factory=free_port)
    """Of IMAP with TLS, or of submission with STARTTLS."""

    def __post_init__(self) -> None:
        """Write its configuration."""
        self.folder.mkdir()
        self.folder.chmod(0o755)
        for name in ("run", "state", "mail"):
            (self.folder / name).mkdir()
        _run("chown", "nobody:nogroup", str(self.folder / "mail"))
        self._settings = self.folder / "dovecot.conf"
        text = _DOVECOT.format(**vars(self), plain=free_port(), tls=self.port)
        self._settings.write_text(text)
        self._server: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Begin, or go on."""
        self._server = subprocess.Popen(  # noqa: S603 - as named
            ["/usr/sbin/dovecot", "-F", "-c", str(self._settings)],
            start_new_session=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        wait_until(lambda: is_open(self.port), "Dovecot")

    def kill(self) -> None:
        """Kill it and all its processes on the spot."""
        if self._server is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._server.pid, signal.SIGKILL)
            self._server.wait()
            wait_until(lambda: not is_open(self.port), "the end of Dovecot")
        for left in ("master.pid", "login/master.pid"):
            (self.folder / "run" / left).unlink(missing_ok=True)
        self._server = None
