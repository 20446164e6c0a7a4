"""What order mails cost a judge that serves, and how fast it takes in new ones meanwhile."""

import smtplib
import subprocess
import sys
from statistics import quantiles
from time import monotonic, sleep

from tests.app.processes import letters
from tests.load.game import LoadedJudge, opened
from tests.load.measure import Figure
from tests.load.spending import spent, spent_alone

AHEAD = 100
"""How many order mails the worker still has to handle while others are taken in."""
TAKEN_IN = 250
BEFORE = 50
"""So many mails a judge has answered before those that are measured."""


def order_mails(judge: LoadedJudge, pid: int, pydip: float, mails: int) -> list[Figure]:
    """The CPU of an order mail from SMTP to the reply handed to the relay, in pydip phases."""
    replies = judge.has_tokens()
    figures = []
    for password in (False, True) if replies else (True,):
        with opened(judge):  # on a new day
            judge.send([judge.order_mail(password=password) for _ in range(BEFORE)])
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
    with opened(judge):  # on a new day
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


def answered(judge: LoadedJudge, mails: int) -> tuple[Figure, Figure]:
    """How many order mails a second go through, and how long an answer takes at half of that."""
    with opened(judge):  # on a new day
        most = _handled(judge, mails)
    with opened(judge):
        return most, _delayed(judge, mails, most.measured / 2)


def _handled(judge: LoadedJudge, mails: int) -> Figure:
    """How many order mails a second go through a judge that has nothing else to do."""
    written = [judge.order_mail(password=not judge.has_tokens()) for _ in range(mails)]
    began = monotonic()
    judge.send(written)
    judge.rest()
    return Figure("order mails answered", mails / (monotonic() - began), "", unit="/s")


def _delayed(judge: LoadedJudge, mails: int, rate: float) -> Figure:
    """How long answers take when *rate* order mails a second come in, one after the other."""
    written = [judge.order_mail(password=not judge.has_tokens()) for _ in range(mails)]
    sent: dict[str, float] = {}
    before = len(judge.relay.taken)
    began = monotonic()
    with smtplib.SMTP("127.0.0.1", judge.installation.port) as client:
        for number, each in enumerate(written):
            sleep(max(0.0, began + number / rate - monotonic()))
            sent[str(each["Message-ID"])] = monotonic()
            client.send_message(each)
    judge.rest()
    answers = zip(list(letters(judge.relay))[before:], judge.relay.taken_at[before:], strict=True)
    delays = [
        1000 * (taken - sent[str(answer["In-Reply-To"])])
        for answer, taken in answers
        if str(answer["In-Reply-To"]) in sent
    ]
    parts = quantiles(delays, n=20)
    return Figure(
        "from an order mail to its answer at half that load, median",
        parts[9],
        "",
        unit=" ms",
        remark=f"95 of 100 within {parts[18]:.0f} ms, {len(delays)} mails at {rate:.1f}/s",
    )
