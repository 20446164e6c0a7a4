"""The rows of the table of commands that are about the course of a game, for its master."""

from machjudge.language.commands import commands as said
from machjudge.service.ending import rollback
from machjudge.service.phases import correcting, impersonation, mastering, preview
from machjudge.service.session.command import MASTERS, PLAYERS, PLAYING, RUNNING, Entry

MASTER_ROWS: tuple[Entry, ...] = (
    Entry(
        "for",
        PLAYING,
        "FOR Venice",
        "What follows is for another of your powers.",
        PLAYERS,
        impersonation.become,
        said.Become,
        more=("One signon opens all your seats of the game.",),
    ),
    Entry(
        "preview",
        RUNNING,
        "PREVIEW",
        "What the phase would bring as it stands, for you alone.",
        MASTERS,
        preview.preview,
        said.Preview,
        also=("predict",),
        more=(
            "It ends with the word that PROCESS needs.",
            "Not for a master who plays.",
        ),
    ),
    Entry(
        "process",
        RUNNING,
        "PROCESS S1454M word",
        "Play the phase now, with the orders that are there.",
        MASTERS,
        mastering.process_now,
        said.Process,
        more=(
            "The phase must be named, and the word with",
            "which PREVIEW ends, so that the right one is played.",
            "A master who plays only names the phase.",
        ),
    ),
    Entry(
        "nudge",
        RUNNING,
        "NUDGE",
        "Remind those whose orders are missing.",
        MASTERS,
        mastering.nudge,
        said.Nudge,
        also=("remind",),
    ),
    Entry(
        "rollback",
        RUNNING,
        "ROLLBACK [S1454M]",
        "Back to the phase before, or to one that you name.",
        MASTERS,
        rollback.rollback,
        said.Rollback,
        more=(
            "Its orders are on file again; the dice stay the same.",
            "A later phase may be named as well: forward again.",
        ),
    ),
    Entry(
        "fix",
        RUNNING,
        "FIX TREASURY Florence 9 BECAUSE …",
        "Set something right in the position, and say why.",
        MASTERS,
        correcting.fix,
        said.Fix,
        more=(
            "FIX UNIT Florence A pis BECAUSE …",
            "FIX UNIT nobody A pis BECAUSE …",
            "FIX OWNER Florence CITY pis BECAUSE …",
            "FIX OWNER nobody PROVINCE pis BECAUSE …",
            "FIX MARKER [NO] FAMINE pis BECAUSE …",
            "Markers: famine, siege, rebellion, city rebellion.",
            "FIX HOME Milan COUNTRY Florence BECAUSE …",
            "FIX LOAN Florence 10 5 Spring 1456 BECAUSE …",
            "  Ten ducats and five interest; 0: nothing is due then.",
            "FIX DEFAULT [NO] Florence BECAUSE …",
            "FIX CHITS Florence Venice 1 BECAUSE …",
            "FIX ELIMINATION [NO] Florence BECAUSE …",
        ),
    ),
    Entry(
        "become",
        RUNNING,
        "BECOME Florence",
        "Write the rest of the mail as that player, who gets a copy.",
        MASTERS,
        impersonation.become,
        said.Become,
        more=("Not for a master who plays.",),
    ),
)
"""In the order of the help."""
