"""What order mails cost a judge that serves, and how fast it takes in new ones meanwhile."""

import smtplib
import subprocess
import sys
from collections.abc import Iterator, Mapping
from statistics import quantiles
from time import monotonic, sleep
from typing import NamedTuple

from tests.app.processes import letters
from tests.load.game import LoadedJudge, opened
from tests.load.measure import Figure
from tests.load.spending import spent, spent_alone

AHEAD = 100
"""How many order mails the worker still has to handle while others are taken in."""
TAKEN_IN = 250
BEFORE = 50
"""So many mails a judge has answered before those that are measured."""
_TURNS = 5
"""In so many sets the mails go to an old and a new judge in turn."""
PHASE_SECONDS = 0.0003
"""What a phase takes pydip on the machine for which mails a second are asked."""


class Kind(NamedTuple):
    """A kind of order mail, and what is asked of it."""

    name: str
    password: bool
    pictures: bool
    phases: str
    rate: str


KINDS = (
    Kind(
        "a new picture in its answer", password=False, pictures=True, phases="<= 80", rate=">= 60"
    ),
    Kind("no picture", password=False, pictures=False, phases="<= 30", rate=">= 150"),
    Kind("no picture, with a password", password=True, pictures=False, phases="", rate=""),
)


def order_mails(judges: Mapping[str, LoadedJudge], pydip: float, mails: int) -> Iterator[Figure]:
    """The CPU of an order mail, all processes, from SMTP to the reply handed to the relay.

    *judges* get their mails in turn; each has the name of its program, "" for this one.
    """
    for kind in KINDS:
        wish = f"SET PICTURES {'ON' if kind.pictures else 'OFF'}"
        for judge in judges.values():
            judge.say("anna", f"SIGNON L{judge.name} tulip-anna", wish)
            _spent_for(judge, kind, BEFORE)
        spent_by = dict.fromkeys(judges, 0.0)
        for _ in range(_TURNS):
            for name, judge in judges.items():
                spent_by[name] += _spent_for(judge, kind, mails // _TURNS)
        for name, seconds in spent_by.items():
            each = seconds / (mails // _TURNS * _TURNS)
            yield from _costs(f"{name}order mail, {kind.name}", kind, each, pydip)
    for judge in judges.values():
        judge.say("anna", f"SIGNON L{judge.name} tulip-anna", "SET PICTURES ON")


def _costs(what: str, kind: Kind, each: float, pydip: float) -> Iterator[Figure]:
    remark = f"{1000 * each:.1f} ms of CPU"
    yield Figure(f"{what}, / pydip", each / pydip, kind.phases, remark=remark)
    scaled = pydip / each / PHASE_SECONDS
    remark = f"where pydip takes {1000 * PHASE_SECONDS} ms; {1 / each:.0f} here"
    yield Figure("  such mails on a core", scaled, kind.rate, unit="/s", remark=remark)


def _spent_for(judge: LoadedJudge, kind: Kind, mails: int) -> float:
    """Seconds of CPU of all processes for so many mails, answered and sent."""
    judge.begin_a_day()
    password = kind.password or not judge.has_tokens()
    judge.rest()
    pid = judge.installation.processes[0].pid
    before = spent(pid)
    judge.send([judge.order_mail(password=password, moves=kind.pictures) for _ in range(mails)])
    judge.rest()
    return spent(pid) - before


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
    password = not judge.has_tokens()
    written = [judge.order_mail(password=password, moves=True) for _ in range(mails)]
    began = monotonic()
    judge.send(written)
    judge.rest()
    what = "order mails answered, each with a new picture"
    return Figure(what, mails / (monotonic() - began), "", unit="/s", remark="by the clock")


def _delayed(judge: LoadedJudge, mails: int, rate: float) -> Figure:
    """How long answers take when *rate* order mails a second come in, one after the other."""
    password = not judge.has_tokens()
    written = [judge.order_mail(password=password, moves=True) for _ in range(mails)]
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
        "<= 100",
        unit=" ms",
        remark=f"95 of 100 within {parts[18]:.0f} ms, {len(delays)} mails at {rate:.1f}/s",
    )
