"""Judges that earlier states of the program have left, one for each step of the database.

`machjudge demo` of the last state of the program at each step has made them: a database and its
secret with two games under way, and the reply code of the last message to Florence in one of them.
``python -m tests.release.upgrades`` adds the judge of today's step; none is ever changed again.
"""

import io
import re
import sqlite3
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from contextlib import closing
from email import message_from_bytes
from email.policy import default
from email.utils import parseaddr
from pathlib import Path
from tempfile import TemporaryDirectory

from machjudge.db.schema_version import newest_step
from machjudge.settings import migrations_folder
from tests.app.processes import Installation, letters, mail
from tests.mail.servers import Postmaster, relaying
from tests.patience import wait_until

OLD = Path(__file__).parent / "judges.tar.xz"
_PLAYERS = {
    "francesco": ("I", "castello7"),
    "caterina": ("V", "laguna22"),
    "alfonso": ("N", "vesuvio3"),
}
"""Who signs on by a password; Lorenza, who leads Florence, answers by her reply code."""
_PLAYED = "SELECT count(*) FROM phases WHERE game = 'ducats'"


def steps() -> list[str]:
    """The steps of which a judge is there."""
    with tarfile.open(OLD) as archive:
        return sorted({name.partition("/")[0] for name in archive.getnames()})


def old_judge(step: str, folder: Path, program: str) -> Installation:
    """The judge of a step in a folder of that name, run by the command *program*."""
    with tarfile.open(OLD) as archive:
        archive.extractall(folder, filter="data")
    own = folder / step
    with closing(sqlite3.connect(own / "judge.db")) as database:
        database.executescript((own / "judge.sql").read_text(encoding="utf-8"))
    (own / "judge.secret").chmod(0o600)
    return Installation(own, forks=False, program=(program,))


def play_on(judge: Installation) -> None:
    """Upgrade an old judge, and play a phase of its game.  AssertionError for what is not so.

    Nothing is touched before `migrate`; then passwords and reply codes open their seats.
    """
    if judge.folder.name != newest_step(migrations_folder()):
        assert "migrate" in judge.run("tick", expected=2)
    judge.run("migrate")
    ((before,),) = judge.rows(_PLAYED)
    assert isinstance(before, int)
    relay, mails = Postmaster(), list(_orders(judge))
    with relaying(relay, judge.relay_port):
        try:
            judge.serve()
            judge.send(*mails)
            wait_until(lambda: judge.rows(_PLAYED) == [(before + 1,)], "the phase")
            wait_until(lambda: len(relay.taken) >= 2 * len(mails), "receipts and results")
        finally:
            judge.end()
    told = [each for each in letters(relay) if "U1385M" in str(each["Subject"])]
    assert {parseaddr(str(each["To"]))[1] for each in told} == {
        f"{name}@players.example" for name in (*_PLAYERS, "lorenza")
    }
    judge.run("replay", "ducats")


def _orders(judge: Installation) -> Iterator[bytes]:
    """A mail of each player with orders for all units."""
    code = (judge.folder / "reply_code").read_text(encoding="utf-8")
    texts = {"lorenza": f"{code}\nhold rest"} | {
        name: f"signon {power}ducats {password}\nhold rest\nsignoff"
        for name, (power, password) in _PLAYERS.items()
    }
    for name, text in texts.items():
        yield mail(name, text).replace(b"@example.com", b"@players.example")


def main() -> None:
    """Add the judge of today's step, unless it is there."""
    step = newest_step(migrations_folder())
    if step in steps():
        return
    with TemporaryDirectory() as name:
        demo = Path(name) / "demo"
        command = [sys.executable, "-m", "machjudge", "demo", "--folder", str(demo)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - our own
        with tarfile.open(OLD) as archive:
            archive.extractall(name, filter="data")
        own = Path(name) / step
        own.mkdir()
        with closing(sqlite3.connect(demo / "judge.db")) as database:
            script = "\n".join([*database.iterdump(), ""])
        (own / "judge.sql").write_text(script, encoding="utf-8")
        (own / "judge.secret").write_bytes((demo / "judge.secret").read_bytes())
        (own / "reply_code").write_text(f"{_last_code(demo / 'mailbox')}\n", encoding="utf-8")
        pack({each: Path(name) / each for each in [*steps(), step]})


def pack(judges: dict[str, Path]) -> None:
    """Write the archive anew from folders, in the order of their steps."""
    with tarfile.open(OLD, "w:xz", preset=9) as archive:
        for step, folder in sorted(judges.items()):
            for file in sorted(folder.iterdir()):
                entry = tarfile.TarInfo(f"{step}/{file.name}")
                entry.size = file.stat().st_size
                archive.addfile(entry, io.BytesIO(file.read_bytes()))


def _last_code(mailbox: Path) -> str:
    """The reply code of the last message to Florence about the game with ducats."""
    code = ""
    for file in sorted(mailbox.glob("*-to-lorenza.eml")):
        message = message_from_bytes(file.read_bytes(), policy=default)
        body = message.get_body(["plain"])
        assert body is not None
        found = re.search(r"\br\.[a-z2-7]{20,}", body.get_content())
        if found and "ducats" in str(message["Subject"]):
            code = found.group()
    return code


if __name__ == "__main__":
    main()
