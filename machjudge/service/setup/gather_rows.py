"""The rows of the table of commands with which a master gathers the players of a game."""

from machjudge.language.commands.commands import Set
from machjudge.service.session.command import MASTERS, RULES, RUNNING, Entry, Handler
from machjudge.service.setup import gathering, scenarios

_BEFORE = ("Only before the game begins.",)


def _row(key: str, usage: str, about: str, handler: Handler, more: tuple[str, ...]) -> Entry:
    return Entry(f"set {key}", RUNNING, usage, about, MASTERS, handler, Set, key, (), more)


GATHER_ROWS: tuple[Entry, ...] = (
    Entry(
        "set scenario",
        RULES,
        "SET SCENARIO 1499",
        "another scenario, with its usual rules",
        MASTERS,
        scenarios.set_scenario,
        Set,
        setting="scenario",
        also=("set variant",),
        more=("SET VARIANT nodice: an option of the rules.", *_BEFORE),
    ),
    _row(
        "prflist",
        "SET PRFLIST",
        "Deal the powers by the players' preference lists.",
        gathering.set_deal,
        ("Whoever sends no list takes what is left.", *_BEFORE),
    ),
    _row(
        "prfboth",
        "SET PRFBOTH",
        "The same: by lists, and by lot for those without.",
        gathering.set_deal,
        _BEFORE,
    ),
    _row("prfrand", "SET PRFRAND", "Deal the powers by lot alone.", gathering.set_deal, _BEFORE),
    _row(
        "manual start",
        "SET MANUAL START",
        "You begin the game by FORCE BEGIN.",
        gathering.set_manual_start,
        _BEFORE,
    ),
    _row(
        "auto start",
        "SET AUTO START",
        "The game begins when all seats are taken.",
        gathering.set_manual_start,
        _BEFORE,
    ),
    _row(
        "ontimerat",
        "SET ONTIMERAT 80",
        "To join, one needs orders in time in 80% of phases.",
        gathering.set_least_on_time,
        ("Newcomers without a record may join, and the invited.",),
    ),
    _row(
        "resrat",
        "SET RESRAT 20",
        "To join, one may have left 20% of games.",
        gathering.set_most_left,
        ("Newcomers without a record may join, and the invited.",),
    ),
)
"""All of them."""
