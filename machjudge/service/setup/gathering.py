"""How a game gathers its players: the deal of the powers, who may join, the start."""

from dataclasses import replace
from typing import Any

from machjudge.language.commands.commands import Setting
from machjudge.reading import Line
from machjudge.sentence import Sentence, Wording
from machjudge.service.credentials.authority import Act
from machjudge.service.model.records import Game
from machjudge.service.session.command import MASTERS, RUNNING, CommandEntry, once_begun
from machjudge.service.session.outgoing import announce_setting
from machjudge.service.session.session import Session

_ALL = 100
_BEGUN = Sentence("setup.has_begun")


def set_deal(session: Session, _: Line, said: Setting) -> None:
    """Deal the powers by the players' lists, or by lot alone: ``set prfrand``."""
    by_lot = (said.key == "prfrand") is said.on
    _change(session, Sentence("setup.deal", by_lot=by_lot), by_lot=by_lot)


SET_PRFLIST = CommandEntry(
    "set prflist",
    RUNNING,
    MASTERS,
    Act.STEER,
    set_deal,
    setting="prflist",
    refused_in=once_begun(_BEGUN),
)
SET_PRFBOTH = CommandEntry(
    "set prfboth",
    RUNNING,
    MASTERS,
    Act.STEER,
    set_deal,
    setting="prfboth",
    refused_in=once_begun(_BEGUN),
)
SET_PRFRAND = CommandEntry(
    "set prfrand",
    RUNNING,
    MASTERS,
    Act.STEER,
    set_deal,
    setting="prfrand",
    refused_in=once_begun(_BEGUN),
)


def set_manual_start(session: Session, _: Line, said: Setting) -> None:
    """Begin at the master's word, or as soon as all seats are taken."""
    manual = (said.key == "manual start") is said.on
    _change(session, Sentence("setup.manual_start", on=manual), manual_start=manual)


SET_MANUAL_START = CommandEntry(
    "set manual start",
    RUNNING,
    MASTERS,
    Act.STEER,
    set_manual_start,
    setting="manual start",
    refused_in=once_begun(_BEGUN),
)
SET_AUTO_START = CommandEntry(
    "set auto start",
    RUNNING,
    MASTERS,
    Act.STEER,
    set_manual_start,
    setting="auto start",
    refused_in=once_begun(_BEGUN),
)


def set_least_on_time(session: Session, line: Line, said: Setting) -> None:
    """Let only those join who were in time in so many of 100 phases."""
    percent = _percent(said, off=0)
    if percent is None:
        session.refuse(line, _NO_PERCENT, instead="SET ONTIMERAT 80")
    else:
        _change(session, Sentence("setup.on_time", percent=percent), least_on_time=percent)


SET_ONTIMERAT = CommandEntry(
    "set ontimerat",
    RUNNING,
    MASTERS,
    Act.STEER,
    set_least_on_time,
    setting="ontimerat",
)


def set_most_left(session: Session, line: Line, said: Setting) -> None:
    """Let only those join who left so many of 100 games at most."""
    percent = _percent(said, off=_ALL)
    if percent is None:
        session.refuse(line, _NO_PERCENT, instead="SET RESRAT 20")
    else:
        _change(session, Sentence("setup.most_left", percent=percent), most_left=percent)


SET_RESRAT = CommandEntry(
    "set resrat",
    RUNNING,
    MASTERS,
    Act.STEER,
    set_most_left,
    setting="resrat",
)


_NO_PERCENT = Sentence("setup.no_percent")


def _percent(said: Setting, off: int) -> int | None:
    """A number of 100, also written as a fraction of 1."""
    if not said.on:
        return off
    word = said.value[0].removesuffix("%") if said.value else ""
    try:
        number = float(word)
    except ValueError:
        return None
    percent = round(number * _ALL if "." in word and number <= 1 else number)
    return percent if 0 <= percent <= _ALL else None


def _change(session: Session, told: Sentence, **change: Any) -> None:  # noqa: ANN401  any field
    if session.game is not None:
        conduct = replace(session.game.conduct, **change)
        tell(session, replace(session.game, conduct=conduct), told)


def tell(session: Session, changed: Game, told: Wording) -> None:
    """Take over a game that the master has changed, and tell everybody."""
    session.set_game(changed)
    session.note("conduct", told)
    session.done(Sentence("setup.done", told=told))
    announce_setting(session, changed, [Sentence("setup.master_has_set", told=told)])
