# ruff: noqa: T201 - a tool prints
"""What many games and many mails cost: ``python -m tests.load.crowd``.

Games and mails are copied straight into the database, so that a judge has ten thousand games and a
million mails in a minute.  Counted is CPU of the processes that work; wall clock stands beside it.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import count
from statistics import median
from time import monotonic, process_time, sleep

import psutil
from sqlalchemy import String, cast, func, insert, literal, select, text, update

from machjudge.app import Application, log_to_stderr
from machjudge.app.working import tick
from machjudge.cli.serve import is_quiet
from machjudge.db.engine import is_sqlite, writing
from machjudge.db.tables import Base, GameRow, HeartbeatRow
from machjudge.judge.game_view import load, missing
from machjudge.judge.records import GameId
from tests import databases
from tests.games.post import _lines_for
from tests.load.copies import add_games, numbers_from
from tests.load.game import (
    SEATS,
    LoadedJudge,
    handled,
    loaded_judge,
    opened,
    through,
    with_moves,
)
from tests.load.measure import Figure
from tests.load.plans import Looked, looking
from tests.load.serving import PHASE_SECONDS
from tests.load.spending import spent_alone
from tests.surroundings import cut_off

SIZES = ((10, 100), (1_000, 100_000), (10_000, 1_000_000))
"""How many games run, and how many mails and messages are stored."""
_TIMES = 15
_AT_ONCE = 100
_VARIANTS = 40
"""So many sets of orders games have: more than pictures are remembered."""
_LOOK_SECONDS = 0.5
"""How often is looked how far the ticks are: seldom, as looking takes a core from them."""


def main() -> int:
    """Measure what is asked for, and print it."""
    asked = _arguments()
    cut_off()
    log_to_stderr("error")
    databases.choose(asked.database)
    with loaded_judge() as judge:
        if asked.memory:
            _memory(judge, asked.memory)
        else:
            _copied(judge, asked)
    databases.close()
    return 0


def _copied(judge: LoadedJudge, asked: argparse.Namespace) -> None:
    """What is measured with copies, in a database that nobody else works on."""
    judge.rest()
    judge.installation.end()
    if asked.deadlines:
        for figure in deadlines(judge, asked.deadlines, asked.processes):
            print(figure)
    else:
        _sizes(judge, SIZES[: asked.sizes])


# --- one mail and one idle tick ---------------------------------------------------------------


def _sizes(judge: LoadedJudge, sizes: Sequence[tuple[int, int]]) -> None:
    """The cost of an order mail and of an idle tick, the larger the judge is."""
    first: dict[str, float] = {}
    for games, mails in sizes:
        with opened(judge) as application:
            add_games(application.engine, judge.name, games, running=True)
            _add_mails(application, mails)
            for what, seconds, looked in _measured(judge, application):
                ratio = seconds / first.setdefault(what, seconds)
                print(
                    f"{games:6} games, {mails:8} mails: {what:12} {1000 * seconds:6.2f} ms,"
                    f" {ratio:.2f} of the smallest, {looked.statements} statements, reads whole:"
                    f" {', '.join(sorted(looked.scans)) or 'nothing'}",
                    flush=True,
                )


def _measured(judge: LoadedJudge, application: Application) -> Iterator[tuple[str, float, Looked]]:
    settings = application.settings
    mails = iter([judge.order_mail(password=False) for _ in range(_TIMES + 2)])
    tasks = {
        "order mail": lambda: handled(application, next(mails)),
        "tick": lambda: tick(application),
        "idle tick": lambda: is_quiet(settings),
    }
    for what, task in tasks.items():
        task()
        seconds = median(_cpu(task) for _ in range(_TIMES))
        with looking() as looked:
            task()
        yield what, seconds, looked


def _cpu(task: Callable[[], object]) -> float:
    began = process_time()
    task()
    return process_time() - began


def _add_mails(application: Application, wanted: int) -> None:
    """Copy a mail that is done with, and a message that was sent, until there are so many."""
    tables = {table.name: table for table in Base.metadata.sorted_tables}
    with writing(application.engine) as connection:
        for name, state in (("inbox", "finished"), ("outbox", "sent")):
            table = tables[name]
            there = connection.scalar(select(func.count()).select_from(table)) or 0
            if there >= wanted:
                continue
            numbers = numbers_from(there, wanted)
            new = {"id": None, "key": literal("copy") + cast(numbers.c.n, String)}
            new["message_id"] = new["key"]
            columns = [each for each in table.c if each.name != "id"]
            origin = select(func.max(table.c.id)).where(table.c.state == state).scalar_subquery()
            made = [new.get(each.name, each).label(each.name) for each in columns]
            rows = (
                select(*made)
                .select_from(table.join(numbers, literal(True)))
                .where(table.c.id == origin)
            )
            connection.execute(insert(table).from_select([each.name for each in columns], rows))
        connection.commit()
    _analyze(application)


def _analyze(application: Application) -> None:
    """As PostgreSQL does by itself from time to time."""
    with writing(application.engine) as connection:
        if not is_sqlite(connection):
            connection.execute(text("ANALYZE"))
            connection.commit()


# --- many deadlines at once -------------------------------------------------------------------


def deadlines(
    judge: LoadedJudge,
    games: int,
    processes: int = 2,
    pydip: tuple[float, float] = (PHASE_SECONDS, PHASE_SECONDS),
) -> Iterator[Figure]:
    """Games with all orders on file, whose deadline is over at the same moment.

    Until everybody has the results, with their maps. The games have different orders, so that a
    picture of one of them is none of another. *pydip* is what its phase takes a process alone, and
    each of two at once.
    """
    variants = min(_VARIANTS, games)
    with opened(judge) as application:
        _file_orders(judge, application)
        for variant in range(variants):
            moves = (f"SIGNON L{judge.name} tulip-anna", *with_moves(variant))
            through(application, judge.mail("anna", *moves))
            number = len(range(variant, games, variants))
            suffix = f"v{variant:02}"
            add_games(
                application.engine, judge.name, number, running=True, whole=True, suffix=suffix
            )
        _have_them_due(application)
    judge.rest()
    judge.relay.taken.clear()
    began, own = monotonic(), process_time()
    ticks = [judge.installation.start("tick") for _ in range(processes)]
    cpu = [0.0] * processes
    letters = 0
    while any(each.poll() is None for each in ticks):
        for number, each in enumerate(ticks):
            with suppress(psutil.NoSuchProcess):
                cpu[number] = spent_alone(each.pid) if each.poll() is None else cpu[number]
        letters += len(judge.relay.taken)
        judge.relay.taken.clear()
        judge.relay.taken_at.clear()
        sleep(_LOOK_SECONDS)
    seconds, letters = monotonic() - began, letters + len(judge.relay.taken)
    used = f"{sum(cpu):.0f} s of CPU, and {process_time() - own:.0f} of the relay"
    told = f"{_played(judge)} played, {letters} messages, {used}"
    what = f"{games} deadlines at once, pictures sent, {processes} processes"
    yield Figure(what, seconds, f"<= {0.12 * games:.0f}", unit=" s", remark=told)
    each_game = sum(cpu) / games
    alone, at_once = pydip
    yield Figure(
        "a phase with results, maps, image maps of nine readers, / pydip",
        each_game / alone,
        "<= 400",
        remark=f"{1000 * each_game:.0f} ms of CPU",
    )
    yield Figure(
        "  the same, / pydip in two processes at once",
        each_game / at_once,
        "",
        remark=f"{1000 * alone:.2f} ms alone, {1000 * at_once:.2f} ms each of two",
    )


def _file_orders(judge: LoadedJudge, application: Application) -> None:
    """Everybody orders, and waits for the deadline."""
    with application.store.reading() as found:
        game = found.games.get(GameId(judge.name))
        assert game is not None
        view = load(application.services, found, game)
    for player, letter in SEATS.items():
        lacking = missing(view.world, view.state, letter, ())
        lines = _lines_for(lacking, view.state.moment.stage, view.state.units_of(letter))
        mail = judge.mail(player, f"SIGNON {letter}{judge.name} tulip-{player}", "SET WAIT", *lines)
        through(application, mail)


def _have_them_due(application: Application) -> None:
    """Have the deadlines of all copies be over."""
    with writing(application.engine) as connection:
        now = application.clock()
        of_copies = update(GameRow).where(GameRow.id.startswith("copy"))
        connection.execute(of_copies.values(deadline=now, next_look=now))
        connection.execute(update(HeartbeatRow).values(at=now))
        connection.commit()
    _analyze(application)


def _played(judge: LoadedJudge) -> int:
    """How many phases were played of copies."""
    last = "SELECT count(*) FROM games WHERE id LIKE 'copy%' AND position > (SELECT position"
    (row,) = judge.installation.rows(f"{last} FROM games WHERE id = '{judge.name}')")
    return int(str(row[0]))


# --- a day's traffic --------------------------------------------------------------------------


def _memory(judge: LoadedJudge, mails: int) -> None:
    """What `serve` and its worker hold in memory, ten times while mails come in."""
    serve = psutil.Process(judge.installation.processes[0].pid)
    for number in count(1):
        for done in range(0, mails // 10, _AT_ONCE):
            several = min(_AT_ONCE, mails // 10 - done)
            judge.begin_a_day()
            judge.send([judge.order_mail(password=False) for _ in range(several)])
            del judge.relay.taken[:-_AT_ONCE]
        held = [serve, *serve.children(recursive=True)]
        sizes = ", ".join(f"{each.memory_info().rss / 2**20:.1f} MB" for each in held)
        print(f"{number * (mails // 10):6} mails: {sizes}", flush=True)
        if number == 10:
            return


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--database", choices=databases.KINDS, default="sqlite")
    parser.add_argument("--sizes", type=int, default=3, help="how many of the sizes are tried")
    parser.add_argument("--deadlines", type=int, default=0, help="of so many games at once")
    parser.add_argument("--processes", type=int, default=2, help="how many ticks then run")
    parser.add_argument("--memory", type=int, default=0, help="send so many mails to `serve`")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
