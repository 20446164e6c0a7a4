"""Settings of how the desk runs a game that are on or off, and do not change once it has begun."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from machjudge.language.commands import Setting
from machjudge.reading import Line
from machjudge.service.announce import announce
from machjudge.service.records import Conduct, Status
from machjudge.service.talk import Talk

HABITS: Mapping[str, str] = {
    "dias": "A draw includes all survivors.",
    "concessions": "The players may give the game to one of them (on at first).",
    "hidden money": "Each player sees his own ducats only.",
    "anonymous": "Only the master knows who leads what.",
    "reveal": "The last mail tells who led what (on at first).",
}
"""By the key of the setting; the field of `Conduct` has the same name."""


def set_habit(talk: Talk, line: Line, said: Setting) -> None:
    """Switch one of them on or off, before the game begins."""
    game = talk.game
    if game is None or game.status is not Status.FORMING:
        talk.refuse(line, f"{said.key} does not change once the game has begun")
        return
    # Any: mypy cannot know that these fields are all yes or no.
    change: dict[str, Any] = {said.key.replace(" ", "_"): said.on}
    changed = replace(game, conduct=replace(game.conduct, **change))
    talk.set_game(changed)
    state = "on" if said.on else "off"
    talk.note("conduct", f"{said.key} {state}")
    talk.done(f"{said.key} is {state}.")
    announce(talk, changed, "Parameter Change", [f"The master has set {said.key} {state}."])


def habit_lines(conduct: Conduct) -> tuple[str, ...]:
    """What a listing says of them: those that are not as usual."""
    said = {
        "A draw includes all survivors.": conduct.dias,
        "No concessions.": not conduct.concessions,
        "Ducats are hidden: each sees his own.": conduct.hidden_money,
        "Nobody but the master knows": conduct.anonymous,
        "  who leads what.": conduct.anonymous,
        "  It is not told in the end either.": conduct.anonymous and not conduct.reveal,
    }
    return tuple(line for line, is_so in said.items() if is_so)
