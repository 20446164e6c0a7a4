"""A mail server with one mailbox, as far as the judge uses IMAP (RFC 3501, 2177, 4315, 6851).

It runs in a thread. `make neighbours` tries the same against Dovecot.
"""

import asyncio
import base64
import re
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from typing import NoReturn

from tests.patience import SECONDS
from tests.ports import free_port

USER, PASSWORD = "judge@mach.example", 'pass "word\\'
CAPABILITIES = ("IDLE", "MOVE", "UIDPLUS", "NAMESPACE", "AUTH=PLAIN", "AUTH=XOAUTH2")

_LITERAL = re.compile(rb"\{(\d+)(\+?)\}$")
_WORD = re.compile(r'"((?:[^"\\]|\\.)*)"|(\((?:[^()"]|"[^"]*")*\))|([^\s"]+)', re.DOTALL)


@dataclass(eq=False)
class Stored:
    """A mail in a folder."""

    uid: int
    raw: bytes
    received: datetime
    flags: set[str] = field(default_factory=set)


@dataclass
class Folder:
    """A folder; numbers of mails are never given twice while its validity lasts."""

    validity: int = 1
    numbers: Iterator[int] = field(default_factory=lambda: count(1))
    mails: list[Stored] = field(default_factory=list)


@dataclass
class ImapServer:
    """What the server has, and how it behaves; a test may change both while it runs."""

    port: int = field(default_factory=free_port)
    capabilities: tuple[str, ...] = CAPABILITIES
    separator: str = "/"
    prefix: str = ""
    tokens: set[str] = field(default_factory=set)
    folders: dict[str, Folder] = field(default_factory=lambda: {"INBOX": Folder()})
    protection: ssl.SSLContext | None = None
    is_tls: bool = False
    commands: list[str] = field(default_factory=list)
    """Every command that came, without its tag; of a login only its name."""
    refuses: Callable[[str], str] = lambda _: ""
    """Of a command, why it is refused with NO; empty: it is not."""
    cuts: Callable[[str], bool] = lambda _: False
    """Of a command, whether the connection ends instead of being answered."""
    cuts_after: Callable[[str], bool] = lambda _: False
    """The same, but it has been carried out."""

    def __post_init__(self) -> None:
        """Prepare a loop of its own."""
        self.lock = threading.RLock()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self.sessions: set[_Session] = set()

    def deliver(self, raw: bytes, received: datetime | None = None, folder: str = "INBOX") -> int:
        """Put a mail into a folder; its number."""
        raw = raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
        with self.lock:
            to = self.folders.setdefault(folder, Folder())
            mail = Stored(next(to.numbers), raw, received or datetime.now(UTC))
            to.mails.append(mail)
        self.notify()
        return mail.uid

    def mails(self, folder: str = "INBOX") -> list[bytes]:
        """The mails in a folder; none if there is no such folder."""
        with self.lock:
            return [each.raw for each in self.folders.get(folder, Folder()).mails]

    def renumber(self) -> None:
        """Give all mails of the inbox other numbers, as after a repair."""
        with self.lock:
            inbox = self.folders["INBOX"]
            inbox.validity += 1
            inbox.numbers = count(1)
            for each in inbox.mails:
                each.uid = next(inbox.numbers)
        self.cut()

    def notify(self) -> None:
        """Tell the sessions that wait that something has changed."""
        loop = self._loop
        if loop is not None:
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(lambda: [each.changed.set() for each in self.sessions])

    def cut(self) -> None:
        """End all connections at once."""
        loop = self._loop
        if loop is not None:
            loop.call_soon_threadsafe(lambda: [each.abort() for each in tuple(self.sessions)])

    def start(self) -> None:
        """Open the port; what the folders hold has stayed."""
        opened = threading.Event()
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._run(opened)), name="imap", daemon=True
        )
        self._thread.start()
        assert opened.wait(SECONDS)

    def stop(self) -> None:
        """Close the port and end all connections."""
        loop, thread, self._loop = self._loop, self._thread, None
        assert loop is not None
        assert thread is not None
        loop.call_soon_threadsafe(self._end.set)
        thread.join(SECONDS)

    async def _run(self, opened: threading.Event) -> None:
        self._end = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        server = await asyncio.start_server(
            self._visit, "127.0.0.1", self.port, ssl=self.protection if self.is_tls else None
        )
        opened.set()
        await self._end.wait()
        server.close()
        for each in tuple(self.sessions):
            each.abort()
        await asyncio.sleep(0)

    async def _visit(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        session = _Session(self, reader, writer)
        self.sessions.add(session)
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError):
                await session.run()
        finally:
            self.sessions.discard(session)
            session.abort()


@contextmanager
def imap(server: ImapServer) -> Iterator[ImapServer]:
    """Have a server run."""
    server.start()
    try:
        yield server
    finally:
        if server._loop is not None:
            server.stop()


class _Refused(Exception):
    """Something that is answered with NO."""


def _refuse(why: str) -> NoReturn:
    raise _Refused(why)


def _do_not_know(command: str) -> NoReturn:
    raise ValueError(command)


class _Session:
    """One connection."""

    def __init__(
        self, server: ImapServer, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self.server = server
        self.reader = reader
        self.writer = writer
        self.user = ""
        self.folder: Folder | None = None
        self.seen: list[int] = []
        """The numbers that the client knows of, in order."""
        self.changed = asyncio.Event()

    def abort(self) -> None:
        self.writer.transport.abort()

    def say(self, text: str) -> None:
        self.writer.write(f"{text}\r\n".encode())

    async def run(self) -> None:
        self.say(f"* OK [CAPABILITY {self.can()}] ready")
        while True:
            await self.writer.drain()
            line = await self.line()
            if line is None:
                return
            tag, _, rest = line.partition(" ")
            command = name if (name := rest.partition(" ")[0].upper()) in _SHORT else rest
            self.server.commands.append(command)
            if self.server.cuts(command):
                return
            try:
                with self.server.lock:
                    done = self.carry_out(command, rest)
                said = await done if done is not None else "done"
                self.update()
            except _Refused as refused:
                self.say(f"{tag} NO {refused}")
                continue
            except (KeyError, ValueError, TypeError, IndexError) as fault:
                self.say(f"{tag} BAD {type(fault).__name__}")
                continue
            if self.server.cuts_after(command):
                return
            self.say(f"{tag} OK {said}")
            if rest.upper() == "LOGOUT":
                await self.writer.drain()
                return
            if rest.upper() == "STARTTLS":
                assert self.server.protection is not None
                await self.writer.drain()
                await self.writer.start_tls(self.server.protection)

    async def line(self) -> str | None:
        """A command, its literals as quoted words; None at the end."""
        whole = ""
        while True:
            read = await self.reader.readline()
            if not read.endswith(b"\n"):
                return None
            read = read.rstrip(b"\r\n")
            literal = _LITERAL.search(read)
            if literal is None:
                return whole + read.decode()
            if not literal[2]:
                self.say("+ go on")
            text = await self.reader.readexactly(int(literal[1]))
            quoted = text.decode("utf-8", "surrogateescape")
            quoted = quoted.replace("\\", "\\\\").replace('"', '\\"')
            whole += f'{read[: literal.start()].decode()}"{quoted}"'

    def can(self) -> str:
        able = ["IMAP4rev1", *self.server.capabilities]
        if self.server.protection is not None and not self.server.is_tls:
            able.append("STARTTLS")
        return " ".join(able)

    def carry_out(self, command: str, rest: str):
        if why := self.server.refuses(command):
            raise _Refused(why)
        name, *words = _words(rest)
        name = name.upper()
        if name == "UID":
            name, words = f"UID_{words[0].upper()}", words[1:]
        does = getattr(self, f"do_{name.lower()}", None)
        if does is None:
            raise ValueError(name)
        if not self.user and name not in _BEFORE:
            _refuse("log in first")
        if name.startswith("UID_") and self.folder is None:
            raise ValueError(name)
        return does(*words)

    def update(self) -> None:
        """Tell what changed in the folder."""
        with self.server.lock:
            if self.folder is None:
                return
            now = [each.uid for each in self.folder.mails]
            for uid in [each for each in self.seen if each not in now]:
                self.say(f"* {self.seen.index(uid) + 1} EXPUNGE")
                self.seen.remove(uid)
            if len(now) > len(self.seen):
                self.seen = now
                self.say(f"* {len(now)} EXISTS")

    # --- commands -----------------------------------------------------------------------------

    def do_capability(self) -> None:
        self.say(f"* CAPABILITY {self.can()}")

    def do_noop(self) -> None:
        pass

    def do_logout(self) -> None:
        self.say("* BYE good bye")

    def do_starttls(self) -> None:
        if self.server.protection is None:
            _refuse("no TLS")

    def do_login(self, user: str, password: str) -> None:
        self.let_in(user, password == PASSWORD)

    def let_in(self, user: str, is_right: bool) -> None:
        if user != USER or not is_right:
            _refuse("[AUTHENTICATIONFAILED] no such user or password")
        self.user = user

    async def do_authenticate(self, kind: str) -> str:
        self.say("+ ")
        given = base64.b64decode(await self.reader.readline()).decode()
        if kind.upper() == "PLAIN":
            _, user, password = given.split("\0")
            self.let_in(user, password == PASSWORD)
            return "logged in"
        fields = dict(each.split("=", 1) for each in given.split("\1") if each)
        token = fields["auth"].removeprefix("Bearer ")
        if token not in self.server.tokens:
            # As providers do: why stands in another challenge, which wants an empty answer.
            self.say("+ " + base64.b64encode(b'{"status":"400"}').decode())
            answer = await self.reader.readline()
            if answer.strip():
                raise ValueError(answer)
        self.let_in(fields["user"], token in self.server.tokens)
        return "logged in"

    def do_namespace(self) -> None:
        separator = self.server.separator.replace("\\", "\\\\")
        self.say(f'* NAMESPACE (("{self.server.prefix}" "{separator}")) NIL NIL')

    def do_list(self, _: str, pattern: str) -> None:
        if not pattern:
            self.say(f'* LIST (\\Noselect) "{self.server.separator}" ""')
        elif pattern in self.server.folders:
            self.say(f'* LIST () "{self.server.separator}" "{pattern}"')

    def do_create(self, name: str) -> None:
        if not name.startswith(self.server.prefix):
            _refuse("[CANNOT] outside of the namespace")
        if name in self.server.folders:
            _refuse("[ALREADYEXISTS] it is there")
        self.server.folders[name] = Folder()

    def do_subscribe(self, _: str) -> None:
        pass

    def do_select(self, name: str) -> None:
        self.folder = self.named(name)
        self.seen = [each.uid for each in self.folder.mails]
        self.say(f"* {len(self.seen)} EXISTS")
        self.say("* 0 RECENT")
        self.say("* FLAGS (\\Deleted \\Seen)")
        self.say(f"* OK [UIDVALIDITY {self.folder.validity}] valid")

    def named(self, name: str) -> Folder:
        if name not in self.server.folders:
            _refuse("[TRYCREATE] no such folder")
        return self.server.folders[name]

    def do_append(self, name: str, *words: str) -> None:
        at = datetime.strptime(words[-2].strip(), "%d-%b-%Y %H:%M:%S %z")
        self.server.deliver(words[-1].encode("utf-8", "surrogateescape"), at, name)

    def do_uid_search(self, what: str) -> None:
        found = [
            each.uid for each in self.known() if what.upper() == "ALL" or "\\Deleted" in each.flags
        ]
        self.say(f"* SEARCH{''.join(f' {each}' for each in found)}")

    def known(self) -> list[Stored]:
        """The mails of which the client knows."""
        return [each for each in self.folder.mails if each.uid in self.seen]

    def chosen(self, numbers: str) -> list[Stored]:
        ranges = [each.partition(":") for each in numbers.split(",")]
        wanted = {
            uid for first, _, last in ranges for uid in range(int(first), int(last or first) + 1)
        }
        return [each for each in self.known() if each.uid in wanted]

    def do_uid_fetch(self, numbers: str, what: str) -> None:
        for each in self.chosen(numbers):
            if why := self.server.refuses(f"fetch of {each.uid}"):
                raise _Refused(why)
            said = [f"UID {each.uid}"]
            if "RFC822.SIZE" in what:
                said.append(f"RFC822.SIZE {len(each.raw)}")
            if "INTERNALDATE" in what:
                said.append(f'INTERNALDATE "{each.received:%d-%b-%Y %H:%M:%S %z}"')
            line = f"* {self.seen.index(each.uid) + 1} FETCH ({' '.join(said)}"
            if "BODY.PEEK[]" not in what:
                self.say(f"{line})")
                continue
            most = re.search(r"BODY\.PEEK\[\]<0\.(\d+)>", what)
            raw = each.raw[: int(most[1])] if most else each.raw
            self.writer.write(f"{line} BODY[]{'<0>' if most else ''} {{{len(raw)}}}\r\n".encode())
            self.writer.write(raw)
            self.say(")")

    def do_uid_copy(self, numbers: str, name: str) -> None:
        to, mails = self.named(name), self.chosen(numbers)
        to.mails += [Stored(next(to.numbers), each.raw, each.received) for each in mails]

    def do_uid_move(self, numbers: str, name: str) -> None:
        if "MOVE" not in self.server.capabilities:
            _do_not_know("MOVE")
        self.do_uid_copy(numbers, name)
        self.remove(self.chosen(numbers))

    def do_uid_store(self, numbers: str, _: str, flags: str) -> None:
        for each in self.chosen(numbers):
            each.flags |= set(flags.strip("()").split())

    def do_uid_expunge(self, numbers: str) -> None:
        if "UIDPLUS" not in self.server.capabilities:
            _do_not_know("UIDPLUS")
        self.remove([each for each in self.chosen(numbers) if "\\Deleted" in each.flags])

    def do_expunge(self) -> None:
        self.remove([each for each in self.known() if "\\Deleted" in each.flags])

    def remove(self, mails: list[Stored]) -> None:
        self.folder.mails = [each for each in self.folder.mails if each not in mails]
        self.server.notify()

    async def do_idle(self) -> str:
        if "IDLE" not in self.server.capabilities:
            _do_not_know("IDLE")
        self.changed.clear()
        self.say("+ idling")
        done = asyncio.create_task(self.reader.readline())
        while not done.done():
            self.update()
            await self.writer.drain()
            changed = asyncio.create_task(self.changed.wait())
            await asyncio.wait({done, changed}, return_when=asyncio.FIRST_COMPLETED)
            changed.cancel()
            self.changed.clear()
        if done.result().strip().upper() != b"DONE":
            raise ConnectionError
        return "done"


_SHORT = {"LOGIN", "APPEND"}
"""Commands of which only the name is noted."""
_BEFORE = {"CAPABILITY", "NOOP", "LOGOUT", "STARTTLS", "LOGIN", "AUTHENTICATE"}


def _words(text: str) -> list[str]:
    found = []
    for quoted, listed, bare in _WORD.findall(text):
        found.append(re.sub(r"\\(.)", r"\1", quoted, flags=re.DOTALL) or listed or bare)
    return found
