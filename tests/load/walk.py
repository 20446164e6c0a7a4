"""Through which modules of the judge an order mail goes, in this process."""

import cProfile
import pstats
import sys
from collections import defaultdict
from types import FrameType

from tests.load.game import LoadedJudge, arrival_of, arrival_through
from tests.load.measure import Figure
from tests.load.statements import opened, through

_BEFORE = 3
"""Mails that fill what is remembered between mails, so that they are not counted."""
_PACKAGE = "/machjudge/"


def calls(judge: LoadedJudge) -> Figure:
    """How many functions are called for an order mail, on the same way: no clock is needed."""
    with opened(judge) as application:
        for _ in range(_BEFORE):
            through(application, judge.order_mail(password=not judge.has_tokens()))
        arrival = arrival_of(judge.order_mail(password=not judge.has_tokens()))
        with cProfile.Profile() as profile:
            arrival_through(application, arrival)
    return Figure("calls of functions of an order mail", pstats.Stats(profile).total_calls, "")


def order_mail(judge: LoadedJudge, *, is_told: bool = False) -> Figure:
    """How many modules run from the kept mail to the answer at the relay; which, if *is_told*."""
    passed: set[str] = set()

    def look(frame: FrameType, event: str, _: object) -> None:
        _, found, module = frame.f_code.co_filename.rpartition(_PACKAGE)
        if found and event == "call":
            passed.add(module.removesuffix(".py"))

    with opened(judge) as application:
        for _ in range(_BEFORE):
            through(application, judge.order_mail(password=not judge.has_tokens()))
        mail = judge.order_mail(password=not judge.has_tokens())
        sys.setprofile(look)
        through(application, mail)
        sys.setprofile(None)
    rooms: dict[str, set[str]] = defaultdict(set)
    for module in passed:
        room, _, name = module.rpartition("/")
        rooms[room].add(name)
    for room, names in sorted(rooms.items()) if is_told else ():
        sys.stdout.write(f"{room}: {', '.join(sorted(names))}\n")
    service = sum(len(names) for room, names in rooms.items() if room.startswith("service"))
    return Figure("modules of an order mail", len(passed), "<= 40", remark=f"service: {service}")
