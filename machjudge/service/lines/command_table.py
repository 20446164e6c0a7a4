"""The commands in one table: what each is called, who may use it, and what carries it out.

``help`` and the command reference are made from it.  A further command is a row and a handler.
"""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from machjudge.language.commands import commands as said
from machjudge.language.commands.commands import Become, Command, Help, Set, Setting
from machjudge.letters.page.reply import Text
from machjudge.letters.wording.library import OTHER_NAMES, TEXTS
from machjudge.letters.wording.words import unbroken
from machjudge.reading import Line
from machjudge.service.clock import this_phase
from machjudge.service.clock.clock_rows import AWAY_ENTRIES, CLOCK_ENTRIES
from machjudge.service.ending.ending_rows import ENDING_ROWS
from machjudge.service.identity import further_addresses, tokens
from machjudge.service.identity.revoking import revoke_tokens
from machjudge.service.info import questions, texts
from machjudge.service.info.report_rows import REPORT_ROWS
from machjudge.service.model.records import Game, Role, Seat
from machjudge.service.orders import planning, waiting
from machjudge.service.orders.order_rows import ORDER_ROWS
from machjudge.service.phases.master_rows import MASTER_ROWS
from machjudge.service.press.press_rows import PRESS_ROWS, PRESS_RULES
from machjudge.service.seats import entering
from machjudge.service.seats.seat_rows import SEAT_ROWS
from machjudge.service.session.command import (
    ASKING,
    COMING,
    EVERYBODY,
    MASTERS,
    PLAYERS,
    PLAYING,
    PRESS,
    RULES,
    RUNNING,
    SEATED,
    TALKING,
    Entry,
    Who,
)
from machjudge.service.session.session import Session
from machjudge.service.setup import creating, setting, shared_dice
from machjudge.service.setup.flag_rows import FLAG_ROWS
from machjudge.service.setup.gather_rows import GATHER_ROWS


def _help(session: Session, line: Line, asked: Help) -> None:
    """All commands, or one."""
    if asked.topic.lower() in _EVERYTHING:
        give_help(session)
        return
    entry = find_entry(asked.topic)
    several = [each for each in TABLE if each.name.startswith(f"{asked.topic.lower()} ")]
    if entry is None and several:
        found = (text for each in several for text in (f"  {each.usage}", f"    {each.about}"))
        session.answer.texts.append(Text(f"HELP {asked.topic.upper()}", tuple(found)))
        return
    if entry is None:
        text = asked.topic.lower() in (*TEXTS, *OTHER_NAMES)
        instead = f"GET {asked.topic.upper()}" if text else nearest(asked.topic)
        session.refuse(line, f"there is no command {asked.topic!r}", instead=instead)
        return
    facts = {"command": entry, "also": entry.also, "who": [who.value for who in _listed(entry.who)]}
    lines = session.services.paper.lines("help_one", facts)
    session.answer.texts.append(Text(f"HELP {entry.name.upper()}", lines))


_EVERYTHING = frozenset({"", "all", "me", "help", "commands", "please"})


def give_help(session: Session) -> None:
    """Add the help to the answer."""
    groups = [
        {"title": group, "commands": [entry for entry in TABLE if entry.group == group]}
        for group in (COMING, PLAYING, TALKING, ASKING, RUNNING)
    ]
    facts = {"groups": groups, "flags": _settings(RULES), "press": _settings(PRESS)}
    session.answer.texts.append(Text("HELP", session.services.paper.lines("help", facts)))


def _settings(group: str) -> list[str]:
    """The settings of a group, in lines that break between them only."""
    return unbroken((entry.setting for entry in TABLE if entry.group == group), _HELP_WIDTH)


_HELP_WIDTH = 68


def _listed(who: Iterable[Who]) -> list[Who]:
    """Those who may, in the order of the enumeration; anybody stands for all."""
    allowed = [each for each in Who if each in set(who)]
    return allowed[:1] if Who.ANYBODY in allowed else allowed


TABLE: tuple[Entry, ...] = (
    Entry(
        "register",
        COMING,
        "REGISTER … END",
        "Say who you are: lines with Name: and Timezone:.",
        EVERYBODY,
        None,
        said.Register,
        more=("Name: Lucia Neri", "Timezone: Europe/Rome", "END"),
    ),
    Entry(
        "create",
        COMING,
        "CREATE ?game password scenario [options]",
        "Make a new game; you become its master.",
        EVERYBODY,
        creating.create,
        said.Create,
        more=(
            "Options: nomoney, nodice, forts, private …",
            "CREATE ?borgia tulip9 1454 players 4: four people,",
            "who lead two powers each.",
            "Example: CREATE ?borgia tulip9 1454 nodice",
        ),
    ),
    Entry(
        "signon ?",
        COMING,
        "SIGNON ?game password",
        "Join a game that forms, with a password of your own.",
        EVERYBODY,
        entering.join,
        said.Join,
    ),
    Entry(
        "signon",
        COMING,
        "SIGNON Lgame password",
        "Speak for your power; L is its letter, M the master, O an observer.",
        EVERYBODY,
        entering.sign_on,
        said.SignOn,
        also=("sign on", "hello", "login"),
        more=(
            "Orders and commands follow, one on each line.",
            "It also takes over a seat without a player.",
        ),
    ),
    Entry(
        "send token",
        COMING,
        "SEND TOKEN game",
        "Forgot your password? A token opens your seat once.",
        EVERYBODY,
        tokens.send_token,
        said.SendToken,
        more=(
            "It goes to your addresses on file, and works",
            "for a day in place of the password:",
            "SET PASSWORD new in the same mail.",
        ),
    ),
    Entry(
        "revoke tokens",
        COMING,
        "REVOKE TOKENS",
        "End the reply codes of all earlier messages for your seat.",
        SEATED,
        revoke_tokens,
        said.RevokeTokens,
        more=(
            "Do so if you have passed one on by mistake.",
            "The answer carries a new one.",
        ),
    ),
    Entry(
        "i am also",
        COMING,
        "I AM ALSO old@example.org",
        "Write from another address: a token goes to the old one.",
        EVERYBODY,
        tokens.also_known,
        said.AlsoKnown,
        more=("CONFIRM and the token, from either address.",),
    ),
    Entry(
        "confirm",
        COMING,
        "CONFIRM token",
        "Confirm that an address is yours.",
        EVERYBODY,
        further_addresses.confirm,
        said.Confirm,
    ),
    Entry(
        "observe",
        COMING,
        "OBSERVE game password",
        "Watch a game, with a password of your own.",
        EVERYBODY,
        entering.observe,
        said.Observe,
        also=("watch", "signon O…"),
    ),
    Entry(
        "signoff",
        COMING,
        "SIGNOFF",
        "Ends the mail; later lines are ignored.",
        EVERYBODY,
        entering.sign_off,
        said.SignOff,
        also=("sign off", "log off", "quit", "--"),
        more=("QUIT does not give up your seat: RESIGN does.",),
    ),
    Entry(
        "resign",
        COMING,
        "RESIGN",
        "Leave a game; the seat is open to others.",
        frozenset({Who.PLAYER, Who.OBSERVER, Who.CO_MASTER}),
        entering.resign,
        said.Resign,
        also=("withdraw",),
    ),
    Entry(
        "random",
        COMING,
        "RANDOM word",
        "Add your word to the shared dice.",
        PLAYERS,
        shared_dice.give_word,
        said.RandomWord,
        more=("Once all seats are taken, until the deadline", "for words; see SET DICE SHARED."),
    ),
    Entry(
        "set wait",
        PLAYING,
        "SET [NO]WAIT",
        "Wait for the deadline even when all orders are in.",
        PLAYERS,
        planning.set_wait,
        Set,
        setting="wait",
        also=("wait", "nowait"),
        more=(
            "Below PHASE S1456M it is for that phase.",
            "SET NOWAIT clears the error flag, as READY does.",
        ),
    ),
    Entry(
        "ready",
        PLAYING,
        "READY",
        "Your orders are meant as they stand on file.",
        PLAYERS,
        waiting.ready,
        said.Ready,
        more=(
            "Takes back SET WAIT, and clears the error flag",
            "that lines not taken have left.",
        ),
    ),
    *ORDER_ROWS,
    *AWAY_ENTRIES,
    Entry(
        "set preferences",
        PLAYING,
        "SET PREFERENCES LVP",
        "The powers that you would like, best first.",
        PLAYERS,
        setting.set_preferences,
        Set,
        setting="preferences",
        also=("set preference", "set pref"),
        more=("[LV]I: Florence or Venice, then Milan.", "*: any other power."),
    ),
    Entry(
        "set password",
        PLAYING,
        "SET PASSWORD new",
        "Change the password of this seat.",
        SEATED,
        setting.set_password,
        Set,
        setting="password",
        also=("set pw",),
    ),
    Entry(
        "set address",
        PLAYING,
        "SET ADDRESS [address]",
        "Send the mails of this game to this address, or here.",
        SEATED,
        setting.set_address,
        Set,
        setting="address",
        more=("One address; from others of yours you may write: I AM ALSO.",),
    ),
    Entry(
        "set public address",
        PLAYING,
        "SET [NO]PUBLIC ADDRESS",
        "Whether WHO shows others at the game your address.",
        SEATED,
        setting.set_public_address,
        Set,
        setting="public address",
        also=("set address public",),
        more=("At first it does not. In an anonymous game it never does.",),
    ),
    Entry(
        "set timezone",
        PLAYING,
        "SET TIMEZONE Europe/Rome",
        "The time zone in which you read times.",
        EVERYBODY,
        setting.set_zone,
        Set,
        setting="timezone",
    ),
    *PRESS_ROWS,
    Entry(
        "list",
        ASKING,
        "LIST [game]",
        "All games, or one in full.",
        EVERYBODY,
        questions.list_games,
        said.List,
    ),
    Entry("help", ASKING, "HELP [command]", "This help.", EVERYBODY, _help, said.Help),
    Entry(
        "get",
        ASKING,
        "GET RULES | MAP | SYNTAX | INDEX",
        "A text: the rules, the map, how orders are written.",
        EVERYBODY,
        texts.get,
        said.Get,
        also=("send", "send me"),
        more=(
            "GET RULES SIE, GET RULES SIE-04: a part of the rules.",
            "GET MAP 1385, GET SCENARIO 1385: of a scenario.",
            "GET GUIDE: for players. GET PACKAGE: for newcomers.",
            "GET INDEX: what there is.",
        ),
    ),
    Entry(
        "map",
        ASKING,
        "MAP [game]",
        "The same as GET MAP.",
        EVERYBODY,
        questions.send_map,
        said.Map,
    ),
    Entry(
        "who",
        ASKING,
        "WHO [game]",
        "Who plays, by name; WHO LATE: for whom the game waits.",
        EVERYBODY,
        questions.who,
        said.Who,
        also=("who game", "who late"),
    ),
    Entry(
        "version",
        ASKING,
        "VERSION",
        "Show the version of this program.",
        EVERYBODY,
        questions.version,
        said.Version,
    ),
    Entry(
        "set deadline",
        RUNNING,
        "SET DEADLINE 24 Nov 2026 20:00",
        "Change the deadline of this phase.",
        MASTERS,
        this_phase.set_deadline,
        Set,
        setting="deadline",
        more=("Also: SET DEADLINE mon 20:00 UTC", "Also: SET DEADLINE +48h"),
    ),
    *CLOCK_ENTRIES,
    *MASTER_ROWS,
    *GATHER_ROWS,
    *SEAT_ROWS,
    Entry(
        "set listed",
        RUNNING,
        "SET [NO]LISTED",
        "Whether LIST shows the game to everybody.",
        MASTERS,
        setting.set_listed,
        Set,
        setting="listed",
        also=("set list", "set public", "set private"),
    ),
    *FLAG_ROWS,
    *ENDING_ROWS,
    *REPORT_ROWS,
    *PRESS_RULES,
)
"""Every command that there is."""


def entries_for(command: Command) -> Sequence[Entry]:
    """The rows of a command: one for each of the settings of a ``set``, otherwise one or none."""
    if isinstance(command, Set):
        return tuple(entry for entry in TABLE if entry.setting in _keys(command))
    if isinstance(command, Become):
        return (entry_of("for" if command.own else "become"),)
    found = (entry for entry in TABLE if entry.kind is type(command))
    return tuple(found)[:1]


def entry_of(name: str) -> Entry:
    """The row of that very name."""
    return next(entry for entry in TABLE if entry.name == name)


def _keys(command: Set) -> frozenset[str]:
    return frozenset(each.key for each in command.settings)


def entry_of_setting(one: Setting) -> Entry | None:
    """The row of a setting."""
    return next((entry for entry in TABLE if entry.setting == one.key), None)


def find_entry(name: str) -> Entry | None:
    """A row by its name or one of its synonyms, in any case of letters."""
    wanted = " ".join(name.lower().split())
    for entry in TABLE:
        if wanted in (entry.name, entry.setting or entry.name, *entry.also):
            return entry
    return None


def nearest(words: str) -> str | None:
    """How the command is written that looks most like *words*; nothing if none does."""
    names = {name: entry for entry in TABLE for name in (entry.name, *entry.also)}
    wanted = words.lower().split()
    for count in (2, 1):
        near = get_close_matches(" ".join(wanted[:count]), names, n=1, cutoff=0.75)
        if near:
            return names[near[0]].usage
    return None


def role_words(game: Game | None, seat: Seat | None) -> Who:
    """As what somebody at a seat uses commands; a game has one master and any co-masters."""
    if game is None or seat is None:
        return Who.ANYBODY
    match seat.role:
        case Role.PLAYER:
            return Who.PLAYER
        case Role.OBSERVER:
            return Who.OBSERVER
        case Role.MASTER:
            return Who.MASTER if seat.person == game.master else Who.CO_MASTER


FOR_THE_PLAYER_HIMSELF = frozenset(
    {
        "set password",
        "set address",
        "set public address",
        "resign",
        "diary",
        "set open diary",
    }
)
"""What a master who has become a power may not do in its name."""

FOR_THE_LIVING = frozenset({"set wait", "set absence", "set draw", "set concede"})
"""What would hold the game up, so the player of an eliminated power may not do it."""
