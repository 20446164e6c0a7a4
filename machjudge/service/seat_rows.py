"""The rows of the table of commands with which a master decides who sits at his game."""

from machjudge.language import commands as said
from machjudge.language.commands import Set
from machjudge.service import manning, seating
from machjudge.service.entry import FIRST_MASTER, MASTERS, RUNNING, Entry

SEAT_ROWS: tuple[Entry, ...] = (
    Entry(
        "eject",
        RUNNING,
        "EJECT Venice",
        "Take a seat from its owner; a player's is open then.",
        MASTERS,
        seating.eject,
        said.Eject,
        more=("Observers and co-masters by name or address.",),
    ),
    Entry(
        "promote",
        RUNNING,
        "PROMOTE address",
        "Make an observer a co-master.",
        FIRST_MASTER,
        seating.promote,
        said.Promote,
        more=("By his address, or his name if it is one word.",),
    ),
    Entry(
        "force begin",
        RUNNING,
        "FORCE BEGIN",
        "Begin with the players that there are.",
        MASTERS,
        seating.force_begin,
        said.ForceBegin,
        more=("The other seats are open to whoever signs on.",),
    ),
    Entry(
        "set players",
        RUNNING,
        "SET PLAYERS 4",
        "Play with another number of people.",
        MASTERS,
        manning.set_players,
        Set,
        setting="players",
        more=(
            "Before the game begins. With fewer people than",
            "powers each leads several, which win together.",
            "SET PLAYERS 3 OPTION 2 where there are several ways;",
            "GET SCENARIO 1454 shows them, and SET SCENARIO",
            "1454-3-2 takes one by its name.",
        ),
    ),
    Entry(
        "set comment",
        RUNNING,
        "SET COMMENT text",
        "Add a line to the house rules in the listing.",
        MASTERS,
        seating.set_comment,
        Set,
        setting="comment",
        also=("set info",),
        more=(
            "SET NOCOMMENT clears them.",
            "SET COMMENT BEGIN, lines, END: all of them anew.",
        ),
    ),
    Entry(
        "set allow player",
        RUNNING,
        "SET ALLOW PLAYER address",
        "Invite somebody; only the invited may join then.",
        MASTERS,
        seating.set_allowed,
        Set,
        setting="allow player",
        more=(
            "SET ALLOW PLAYER *@club.example: a whole club.",
            "SET ALLOW PLAYER -address takes it back.",
        ),
    ),
    Entry(
        "set deny player",
        RUNNING,
        "SET DENY PLAYER address",
        "Keep somebody out of the game.",
        MASTERS,
        seating.set_denied,
        Set,
        setting="deny player",
        more=(
            "SET DENY PLAYER *@far.example: all of a place.",
            "SET DENY PLAYER -address takes it back.",
        ),
    ),
)
"""In the order of the help."""
