"""How many statements a judge sends to its database, and what its rounds cost, in this process."""

from collections.abc import Iterator

from machjudge.app.working import tick, work
from tests.load.copies import add_games
from tests.load.game import LoadedJudge, opened, through
from tests.load.measure import Counted, Figure, counting, seconds_of

FEW, MANY = 10, 10_000
_ROUNDS = 25
"""So often each is measured: they take milliseconds, and what else the machine does counts."""


def order_mail(judge: LoadedJudge) -> tuple[Figure, Counted]:
    """The statements of one order mail: kept, handled, answered, with the round around it."""
    with opened(judge) as application:
        through(application, judge.order_mail(password=not judge.has_tokens()))
        mail = judge.order_mail(password=not judge.has_tokens())
        with counting(application.engine) as counted:
            through(application, mail)
    figure = Figure("SQL statements of an order mail", len(counted.statements), "<= 15")
    return figure, counted


def rounds(judge: LoadedJudge) -> Iterator[Figure]:
    """What a round and a tick cost with many games of which none is due, against a few."""
    taken = {}
    for games in (FEW, MANY):
        with opened(judge) as application:
            add_games(application.engine, judge.name, games, running=True)
            taken[games] = (
                seconds_of(lambda: work(application), _ROUNDS),
                seconds_of(lambda: tick(application), _ROUNDS),
            )
    for number, what in enumerate(("the worker's round", "tick")):
        few, many = taken[FEW][number], taken[MANY][number]
        yield Figure(
            f"{what} with {MANY} running games, / with {FEW}",
            many / few,
            "<= 1.2",
            remark=f"{1000 * few:.1f} and {1000 * many:.1f} ms",
        )


def listings(judge: LoadedJudge) -> Iterator[Figure]:
    """Statements of commands that look at many games, with many finished games and with a few."""
    asked = {
        "LIST": ("LIST",),
        "INFO PLAYER": (f"SIGNON L{judge.name} tulip-anna", "INFO PLAYER anna@player.example"),
        "joining": ("SIGNON ?other tulip-zoe",),
    }
    counts: dict[str, list[int]] = {name: [] for name in asked}
    for games in (2, 100):
        with opened(judge) as application:
            add_games(application.engine, judge.name, games, running=False)
            for name, lines in asked.items():
                author = "anna" if name != "joining" else f"zoe{games}"
                with counting(application.engine) as counted:
                    through(application, judge.mail(author, *lines))
                counts[name].append(len(counted.statements))
    for name, (few, many) in counts.items():
        yield Figure(
            f"SQL statements of {name}, 100 finished games - 2", many - few, "0", remark=f"{many}"
        )
