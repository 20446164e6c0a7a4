"""The rows of the table of commands with which a master decides who sits at his game."""

from machjudge.language.commands import commands as said
from machjudge.language.commands.commands import Set
from machjudge.service.identity import senders
from machjudge.service.identity.lapsing import set_confirm
from machjudge.service.phases import succession
from machjudge.service.seats import seating
from machjudge.service.session.command import FIRST_MASTER, MASTERS, RUNNING, Entry
from machjudge.service.setup import guestlist, player_count

SEAT_ROWS: tuple[Entry, ...] = (
    Entry(
        "eject",
        RUNNING,
        "EJECT Venice",
        "Take all seats from somebody and keep them out.",
        MASTERS,
        seating.eject,
        said.Eject,
        more=(
            "Observers and co-masters by name or address.",
            "SET ALLOW PLAYER and the name lets them in again.",
        ),
    ),
    Entry(
        "promote",
        RUNNING,
        "PROMOTE address",
        "Make an observer a co-master, a co-master the master.",
        FIRST_MASTER,
        seating.promote,
        said.Promote,
        more=("By address, or by name if it is one word.",),
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
        player_count.set_players,
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
        "set confirm",
        RUNNING,
        "SET CONFIRM 3 DAYS",
        "How long a seat waits for its address to be confirmed.",
        MASTERS,
        set_confirm,
        Set,
        setting="confirm",
        more=("Three days by default. After one, they are reminded.",),
    ),
    Entry(
        "set takeover",
        RUNNING,
        "SET [NO]TAKEOVER 14",
        "After how many silent days a co-master becomes master.",
        FIRST_MASTER,
        succession.set_takeover,
        Set,
        setting="takeover",
        more=(
            "Fourteen days by default. An absence is no silence.",
            "The old master becomes a co-master, and gets the game",
            "back if the new one gives it by PROMOTE.",
        ),
    ),
    Entry(
        "set sender",
        RUNNING,
        "SET SENDER any|known|verified",
        "From whom the game takes mails.",
        MASTERS,
        senders.set_sender,
        Set,
        setting="sender",
        also=("set senders",),
        more=(
            "ANY: a password or a reply code is enough.",
            "KNOWN: and the mail comes from an address on file.",
            "VERIFIED: and its mail server proves that (DKIM).",
        ),
    ),
    Entry(
        "set approve",
        RUNNING,
        "SET [NO]APPROVE Venice",
        "Approve a newcomer, or take the seat back.",
        MASTERS,
        seating.set_approved,
        Set,
        setting="approve",
        also=("set approved",),
        more=(
            "By power, name, address, or the number of the seat.",
            "Where SET APPROVAL is on, orders count from then on.",
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
        "SET ALLOW PLAYER address or name",
        "Invite somebody; only the invited may join then.",
        MASTERS,
        guestlist.set_allowed,
        Set,
        setting="allow player",
        more=(
            "SET ALLOW PLAYER *@club.example: a whole club.",
            "SET ALLOW PLAYER -address takes it back.",
            "Somebody who was kept out may come again.",
        ),
    ),
    Entry(
        "set deny player",
        RUNNING,
        "SET DENY PLAYER address or name",
        "Keep somebody out of the game.",
        MASTERS,
        guestlist.set_denied,
        Set,
        setting="deny player",
        more=(
            "SET DENY PLAYER *@far.example: all of a place.",
            "SET DENY PLAYER -address takes it back.",
        ),
    ),
)
"""In the order of the help."""
