"""Settings of how the desk runs a game that are on or off."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from machjudge.language.commands.commands import Setting
from machjudge.reading import Line
from machjudge.sentence import Wording
from machjudge.service.credentials.authority import Act
from machjudge.service.model.conduct import Conduct
from machjudge.service.model.records import Status
from machjudge.service.session.announce import announce_setting
from machjudge.service.session.command import MASTERS, OVER, RULES, CommandEntry, once_begun
from machjudge.service.session.session import Session

HABITS: Mapping[str, bool] = {
    "dias": True,
    "concessions": True,
    "hidden money": True,
    "anonymous": True,
    "reveal": True,
    "secret": True,
    "approval": False,
    "quiet": False,
    "show": False,
    "fresh deadline": False,
    "late count": False,
}
"""Whether each stays as it is once the game has begun, by the key of the setting.

The field of `Conduct` has the same name.
"""


def set_habit(session: Session, line: Line, said: Setting) -> None:
    """Switch one of them on or off; most only before the game begins."""
    game = session.game
    if game is None:
        return
    # Any: mypy cannot know that these fields are all yes or no.
    change: dict[str, Any] = {said.key.replace(" ", "_"): said.on}
    changed = replace(game, conduct=replace(game.conduct, **change))
    session.set_game(changed)
    state = "on" if said.on else "off"
    session.note("conduct", f"{said.key} {state}")
    session.done(f"{said.key} is {state}.")
    announce_setting(session, changed, [f"The master has set {said.key} {state}."])


def _begun(key: str) -> Mapping[Status, Wording]:
    return once_begun(f"{key} does not change once the game has begun")


SET_HABITS = tuple(
    CommandEntry(
        f"set {key}",
        RULES,
        MASTERS,
        Act.STEER,
        set_habit,
        setting=key,
        refused_in={**_begun(key), **OVER} if stays else OVER,
    )
    for key, stays in HABITS.items()
)


def habit_lines(conduct: Conduct) -> tuple[str, ...]:
    """What a listing says of them: those that are not as usual."""
    said = {
        "A draw includes all survivors.": conduct.dias,
        "No concessions.": not conduct.concessions,
        "Ducats are hidden: you see your own.": conduct.hidden_money,
        "Nobody but the master knows": conduct.anonymous,
        "  who leads what.": conduct.anonymous,
        "  It is not told in the end either.": conduct.anonymous and not conduct.reveal,
        "How many are missing is not told.": conduct.secret,
        "Who comes, goes or is late": conduct.quiet,
        "  is told to the master alone.": conduct.quiet,
        "Which master sets something": not conduct.show,
        "  is not told.": not conduct.show,
        "A newcomer gets no new deadline.": not conduct.fresh_deadline,
        "The master approves the players.": conduct.approval,
        _takeover(conduct.silent_days): conduct.silent_days != Conduct().silent_days,
        "Powers are dealt by lot alone.": conduct.by_lot,
        "The master begins the game.": conduct.manual_start,
        f"To join: in time in {conduct.least_on_time}% of phases.": conduct.least_on_time > 0,
        f"To join: left {conduct.most_left}% of games at most.": conduct.most_left < _ALL,
    }
    return tuple(line for line, is_so in said.items() if is_so)


def _takeover(days: int) -> str:
    if not days:
        return "No co-master takes over."
    return f"A co-master takes over after {days} silent days."


_ALL = 100
