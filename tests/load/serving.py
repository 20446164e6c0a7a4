"""What order mails cost a judge that serves, and how fast it takes in new ones meanwhile."""

import subprocess
import sys
from time import monotonic

from tests.load.game import LoadedJudge
from tests.load.measure import Figure
from tests.load.spending import spent, spent_alone

AHEAD = 100
"""How many order mails the worker still has to handle while others are taken in."""
TAKEN_IN = 250


def order_mails(judge: LoadedJudge, pid: int, pydip: float, mails: int) -> list[Figure]:
    """The CPU of an order mail from SMTP to the reply handed to the relay, in pydip phases."""
    replies = judge.has_tokens()
    figures = []
    for password in (False, True) if replies else (True,):
        judge.send([judge.order_mail(password=password) for _ in range(5)])
        judge.rest()
        before = spent(pid)
        judge.send([judge.order_mail(password=password) for _ in range(mails)])
        judge.rest()
        each = (spent(pid) - before) / mails
        way = "with a password" if password else "as a reply, with a token"
        figures.append(
            Figure(
                f"order mail of 10 orders {way}, / pydip",
                each / pydip,
                "" if password else "<= 40",
                remark=f"{1000 * each:.1f} ms",
            )
        )
    return figures


def taken_in(judge: LoadedJudge, pid: int) -> Figure:
    """How many mails a second are taken in while the worker is busy.

    *pid* is the process that takes them in.
    """
    judge.hand_over([judge.order_mail(password=not judge.has_tokens()) for _ in range(AHEAD)])
    mails = [judge.mail(f"player{n}", "PING").as_bytes() for n in range(TAKEN_IN)]
    before = spent_alone(pid)
    with subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-m", "tests.load.sending", str(judge.installation.port)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as sender:
        out, _ = sender.communicate(b"\0".join(mails))
    each = (spent_alone(pid) - before) / TAKEN_IN
    idle = "" if judge.waiting() else "; the worker had come to its end"
    return Figure(
        "mails taken in while the worker is busy",
        TAKEN_IN / float(out),
        ">= 300",
        unit="/s",
        remark=f"{1000 * each:.1f} ms of CPU each{idle}",
    )


def handled(judge: LoadedJudge, mails: int) -> Figure:
    """How many order mails a second go through a judge that has nothing else to do."""
    written = [judge.order_mail(password=not judge.has_tokens()) for _ in range(mails)]
    began = monotonic()
    judge.send(written)
    judge.rest()
    return Figure("order mails answered", mails / (monotonic() - began), "", unit="/s")
