# ruff: noqa: T201 - a tool prints
"""The judge behind mail servers of the distribution: ``python -m tests.neighbours``.

Postfix hands mails over by LMTP as docs/keeping.md says, takes the judge's own, and swaks writes
to it as people do: a campaign is played.  Exim and OpenSMTPD hand a mail over.  Dovecot has the
mailbox of a judge: whole games are played while all are killed.  All of them have to be there;
`--with` names fewer.  To be run as root: these servers change their user themselves.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from email.utils import parseaddr
from pathlib import Path

from machjudge.app import log_to_stderr
from tests.faults.remains import WAITING
from tests.faults.roles import Role, running
from tests.faults.scene import POWERS, Scene
from tests.journeys.judge import JUDGE
from tests.neighbours import mailbox
from tests.neighbours.servers import exim, opensmtpd, postfix
from tests.patience import wait_until
from tests.surroundings import cut_off

_NEEDS = {
    "postfix": ("postfix", "swaks"),
    "exim": ("exim4", "swaks"),
    "opensmtpd": ("smtpd", "swaks"),
    "dovecot": ("dovecot",),
}
_GAME = "gamea"


def main() -> int:
    """Play, and say what came of it; 2 where a program is missing."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--with", dest="servers", nargs="+", choices=_NEEDS, default=[*_NEEDS])
    servers = parser.parse_args().servers
    missing = {need for each in servers for need in _NEEDS[each] if shutil.which(need) is None}
    if missing or os.geteuid():
        print(
            f"needed, and not there: {', '.join(sorted(missing)) or 'to be root'}", file=sys.stderr
        )
        return 2
    cut_off()
    log_to_stderr("error")
    with tempfile.TemporaryDirectory(prefix="neighbours") as name:
        Path(name).chmod(0o755)
        for each in servers:
            print(f"{each}: {_TRIED[each](Path(name) / each)}", flush=True)
    return 0


def _campaign(folder: Path) -> str:
    """A campaign of four players by Postfix; what was played."""
    scene = _scene(folder)
    scene.relay.start()
    try:
        with postfix(folder / "postfix", scene.port, scene.relay_port) as port:
            scene.more["MACHJUDGE_RELAY"] = f"smtp://127.0.0.1:{port}"
            with running(scene.fork(Role.SERVE), scene.fork(Role.WORKER)):
                _form(scene, port)
                orders = _order(scene, port)
                scene.let_deadlines_pass()
                assert scene.fork(Role.TICK).wait() == 0, scene.log()
                wait_until(lambda: scene.rows(WAITING) == [(0,)], "the results")
                _all_arrived(scene)
    finally:
        scene.relay.end()
    taken = scene.relay.taken()
    assert scene.played() == 1, scene.log()
    assert not scene.breaches(), scene.breaches()
    assert any("+" in parseaddr(each.reply_to)[1] for each in taken), "no reply code came through"
    return f"a campaign played, {orders} mails with orders, {len(taken)} messages delivered"


def _form(scene: Scene, port: int) -> None:
    """Make the game and take its seats, one mail after the other."""
    create = f"create ?{_GAME} giudice4 1385 nomoney nodice"
    _write(port, f"master.{_GAME}", JUDGE, create)
    _settle(scene, 1)
    for number, power in enumerate(POWERS):
        lines = (f"signon ?{_GAME} {power}-password", f"set preferences {power}")
        _write(port, f"{power.lower()}.{_GAME}", JUDGE, *lines)
        _settle(scene, 2 + number)


def _order(scene: Scene, port: int) -> int:
    """Have everybody reply with orders; how many mails these are."""
    orders = scene.orders()
    for each in orders:
        _hand_over(port, each.sent.sender, each.to, each.raw)
        scene.ledger.acknowledged[each.sent.id] = each.sent
    _settle(scene, 1 + len(POWERS) + len(orders))
    return len(orders)


def _handed_over(server: Callable[..., object]) -> Callable[[Path], str]:
    """Have a server hand one mail over, and the judge answer it."""

    def tried(folder: Path) -> str:
        scene = _scene(folder)
        scene.relay.start()
        try:
            with (
                server(folder / "server", scene.port) as port,
                running(scene.fork(Role.SERVE), scene.fork(Role.WORKER)),
            ):
                _write(port, "anna", JUDGE, "help")
                wait_until(scene.relay.taken, "the answer")
        finally:
            scene.relay.end()
        return f"a mail handed over, answered with {scene.relay.taken()[0].subject!r}"

    return tried


_TRIED: dict[str, Callable[[Path], str]] = {
    "postfix": _campaign,
    "exim": _handed_over(exim),
    "opensmtpd": _handed_over(opensmtpd),
    "dovecot": mailbox.on_dovecot,
}


def _scene(folder: Path) -> Scene:
    """A judge that listens by LMTP."""
    folder.mkdir()
    folder.chmod(0o755)
    scene = Scene(folder, games=1)
    scene.more["MACHJUDGE_LISTEN"] = f"lmtp://127.0.0.1:{scene.port}"
    with scene.opened():
        pass  # its database is there now
    return scene


def _settle(scene: Scene, mails: int) -> None:
    """Wait until so many mails came through, all are handled, and all messages have arrived."""
    finished = "SELECT count(*) FROM inbox WHERE state = 'finished'"
    wait_until(lambda: scene.rows(finished) == [(mails,)], f"mail {mails}")
    wait_until(lambda: scene.rows(WAITING) == [(0,)], "the messages")
    _all_arrived(scene)


def _all_arrived(scene: Scene) -> None:
    """Wait until the world has all messages that Postfix has taken from the judge."""
    (row,) = scene.rows("SELECT count(*) FROM outbox WHERE state = 'sent'")
    sent = int(str(row[0]))
    wait_until(lambda: len({each.id for each in scene.relay.taken()}) >= sent, "the messages")


def _write(port: int, author: str, to: str, *lines: str) -> None:
    """Write a mail as somebody does at a command line."""
    sender = f"{author}@players.example"
    header = ("--header", "Subject: orders", "--header", f"From: {author.title()} <{sender}>")
    words = ("--from", sender, "--to", to, *header, "--body", "\n".join(lines))
    _swaks(port, *words)


def _hand_over(port: int, sender: str, to: str, raw: bytes) -> None:
    """Send a mail that is there whole."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(raw.replace(b"\r\n", b"\n"))
        file.flush()
        _swaks(port, "--from", sender, "--to", to, "--data", f"@{file.name}")


def _swaks(port: int, *words: str) -> Sequence[str]:
    command = ["swaks", "--server", "127.0.0.1", "--port", str(port), "--hide-all", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == 0, f"{' '.join(command)}: {done.stdout}{done.stderr}"
    return done.stdout.splitlines()


if __name__ == "__main__":
    sys.exit(main())
