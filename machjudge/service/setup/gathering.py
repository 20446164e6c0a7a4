"""How a game gathers its players: the deal of the powers, who may join, the start."""

from dataclasses import replace

from machjudge.language.commands.commands import Setting
from machjudge.reading import Line
from machjudge.service.credentials.authority import Act
from machjudge.service.model.conduct import Conduct
from machjudge.service.model.records import Game
from machjudge.service.session.announce import announce_setting
from machjudge.service.session.command import MASTERS, RUNNING, CommandEntry, once_begun
from machjudge.service.session.session import Session

_ALL = 100
_BEGUN = "the game has begun"


def set_deal(session: Session, line: Line, said: Setting) -> None:
    """Deal the powers by the players' lists, or by lot alone: ``set prfrand``."""
    by_lot = (said.key == "prfrand") is said.on
    told = "powers are dealt by lot alone" if by_lot else "powers are dealt by preference lists"
    _change(session, line, told, by_lot=by_lot)


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


def set_manual_start(session: Session, line: Line, said: Setting) -> None:
    """Begin at the master's word, or as soon as all seats are taken."""
    manual = (said.key == "manual start") is said.on
    told = "the master begins the game" if manual else "the game begins when all seats are taken"
    _change(session, line, told, manual_start=manual)


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
        told = f"whoever joins needs orders in time in {percent}% of earlier phases"
        _change(session, line, told if percent else "all may join, in time or not", on_time=percent)


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
        told = f"whoever joins may have left {percent}% of earlier games"
        _change(
            session, line, told if percent < _ALL else "all may join, loyal or not", left=percent
        )


SET_RESRAT = CommandEntry(
    "set resrat",
    RUNNING,
    MASTERS,
    Act.STEER,
    set_most_left,
    setting="resrat",
)


_NO_PERCENT = "write a number from 0 to 100, or a fraction such as 0.8"


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


def _change(  # noqa: PLR0913  one for each thing that can change
    session: Session,
    line: Line,
    told: str,
    *,
    by_lot: bool | None = None,
    manual_start: bool | None = None,
    on_time: int | None = None,
    left: int | None = None,
) -> None:
    game = session.game
    if game is None:
        return
    old = game.conduct
    conduct: Conduct = replace(
        old,
        by_lot=old.by_lot if by_lot is None else by_lot,
        manual_start=old.manual_start if manual_start is None else manual_start,
        least_on_time=old.least_on_time if on_time is None else on_time,
        most_left=old.most_left if left is None else left,
    )
    tell(session, replace(game, conduct=conduct), told)


def tell(session: Session, changed: Game, told: str) -> None:
    """Take over a game that the master has changed, and tell everybody."""
    session.set_game(changed)
    session.note("conduct", told)
    session.done(f"{told[0].upper()}{told[1:]}.")
    announce_setting(session, changed, [f"The master has set: {told}."])
