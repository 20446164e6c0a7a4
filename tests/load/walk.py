"""Through which modules of the judge an order mail goes, in this process."""

import cProfile
import pstats
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from types import FrameType

from machjudge.judge.game_view import load
from machjudge.judge.process import process
from machjudge.judge.records import GameId
from tests.load.game import MASTER, LoadedJudge, arrival_of, arrival_through, opened, through
from tests.load.measure import Figure

_BEFORE = 3
"""Mails that fill what is remembered between mails, so that they are not counted."""
_PACKAGE = "/machjudge/"


def calls(judge: LoadedJudge) -> Iterator[Figure]:
    """How many Python functions run on the same way, and how many of them are ours; no clock."""
    password = f"SIGNON M{judge.name} tulip-{MASTER}"
    with opened(judge) as application:
        for _ in range(_BEFORE):
            through(application, judge.order_mail(password=not judge.has_tokens()))
            through(application, judge.mail(MASTER, password, "SET DEADLINE +48h"))
        order_mail = arrival_of(judge.order_mail(password=not judge.has_tokens()))
        yield _counted("an order mail", 6500, lambda: arrival_through(application, order_mail))
        setting = arrival_of(judge.mail(MASTER, password, "SET DEADLINE +72h"))
        yield _counted("SET DEADLINE", 12000, lambda: arrival_through(application, setting))
        with application.store.reading() as reading:
            game = reading.games.get(GameId(judge.name))
            assert game is not None
            view = load(application.services, reading, game)

            def play() -> None:
                process(application.services, reading, view, application.clock())

            play()  # templates are compiled once
            yield _counted("a phase of nine readers", 30000, play)


def _counted(what: str, most: int, act: Callable[[], object]) -> Figure:
    with cProfile.Profile(builtins=False) as profile:
        act()
    stats = pstats.Stats(profile)
    own = sum(
        calls
        for (file, _, _), (_, calls, *_) in stats.stats.items()  # type: ignore[attr-defined]
        if _PACKAGE in file
    )
    return Figure(
        f"Python calls of {what}", stats.total_calls, f"<= {most}", remark=f"{own} of them ours"
    )


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
    judges = len(rooms["judge"])
    return Figure("modules of an order mail", len(passed), "<= 60", remark=f"judge: {judges}")
