"""The rows of the table of commands that are about orders: for which phase, and which set."""

from machjudge.language.commands import commands as said
from machjudge.service.orders import planning
from machjudge.service.session.command import EVERYBODY, PLAYERS, PLAYING, Entry

ORDER_ROWS: tuple[Entry, ...] = (
    Entry(
        "phase",
        PLAYING,
        "PHASE S1456M | EVERY M",
        "Keep the orders that follow for a later phase.",
        PLAYERS,
        planning.phase,
        said.Phase,
        more=(
            "PHASE SPRING 1456 MOVE: up to five years ahead.",
            "PHASE EVERY M (R, B): for each phase of that kind",
            "for which nothing else is on file.",
            "The phase that is played: back to it.",
        ),
    ),
    Entry(
        "if",
        PLAYING,
        "IF … THEN … ELSE … ENDIF",
        "Orders that count if a condition holds when the phase begins.",
        PLAYERS,
        None,
        said.If,
        also=("else if", "else", "endif"),
        more=(
            "IF A mil: anybody's army is in Milan.",
            "IF Florence owns pis, IF nobody owns pis",
            "IF treasury >= 9, IF treasury Milan < 6",
            "With AND, OR, NOT and parentheses.",
        ),
    ),
    Entry(
        "clear",
        PLAYING,
        "CLEAR [S1456M]",
        "Drop your orders for this phase, or for a later one.",
        PLAYERS,
        planning.clear,
        said.Clear,
        more=(
            "CLEAR LATER: of all later phases.",
            "CLEAR STANDING: those for every phase of a kind.",
            "CLEAR ALL: all of these.",
        ),
    ),
    Entry(
        "restore",
        PLAYING,
        "RESTORE 3",
        "Take an earlier order set of this phase again.",
        PLAYERS,
        planning.restore,
        said.Restore,
        more=("RESTORE LATER 3: of those for later phases.",),
    ),
    Entry(
        "history orders",
        PLAYING,
        "HISTORY ORDERS",
        "Your order sets of this phase, with their numbers.",
        PLAYERS,
        planning.order_sets,
        said.OrderSets,
    ),
    Entry(
        "dry",
        PLAYING,
        "DRY",
        "Check the orders of this mail, and store nothing.",
        EVERYBODY,
        planning.dry,
        said.Dry,
        more=("Wherever it stands, it is for the whole mail.",),
    ),
)
"""All of them."""
