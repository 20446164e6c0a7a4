"""The rows of the table of commands that are about the end of a game, and what is hidden."""

from collections.abc import Iterator

from machjudge.language.commands import commands as said
from machjudge.language.commands.commands import Set
from machjudge.service.ending import closing, termination, voting
from machjudge.service.session.command import MASTERS, PLAYERS, PLAYING, RULES, RUNNING, Entry
from machjudge.service.setup import habits


def _habits() -> Iterator[Entry]:
    for key, habit in habits.HABITS.items():
        yield Entry(
            f"set {key}",
            RULES,
            f"SET [NO]{key.upper()}",
            habit.about,
            MASTERS,
            habits.set_habit,
            Set,
            setting=key,
            more=("Only before the game begins.",) if habit.until_begun else (),
        )


ENDING_ROWS: tuple[Entry, ...] = (
    Entry(
        "set draw",
        PLAYING,
        "SET [NO]DRAW [powers]",
        "Vote in this phase for a draw of all who are left, or of some.",
        PLAYERS,
        voting.set_draw,
        Set,
        setting="draw",
        more=("SET DRAW LV: Florence and Venice share the win.", "When all vote alike, it ends."),
    ),
    Entry(
        "set concede",
        PLAYING,
        "SET [NO]CONCEDE V",
        "Vote in this phase for another power to have won.",
        PLAYERS,
        voting.set_concede,
        Set,
        setting="concede",
        more=("When all others concede to one, the game ends.",),
    ),
    Entry(
        "declare",
        RUNNING,
        "DECLARE VICTORY Venice",
        "End the game: this power has won, or these.",
        MASTERS,
        closing.declare,
        said.Declare,
        also=("declare victory", "declare draw"),
        more=("DECLARE DRAW Venice, Milan: they share the win.",),
    ),
    Entry(
        "terminate",
        RUNNING,
        "TERMINATE",
        "Break the game off; nobody wins.",
        MASTERS,
        termination.terminate,
        said.Terminate,
        more=(
            "Its clocks stand, and it ends in a week.",
            "Until then RESUME takes it back.",
            "A game that is forming ends at once.",
        ),
    ),
    *_habits(),
)
"""All of them."""
