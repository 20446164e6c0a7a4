"""The commands in one table, in their groups and in the order of the help.

Each entry stands below its handler.  ``help`` and the command reference are made from the table.
"""

from collections.abc import Iterable, MutableMapping, Sequence
from difflib import get_close_matches

from machjudge.judge import (
    clock,
    confirmation,
    corrections,
    endings,
    history,
    mastering,
    order_lines,
    order_sets,
    orders_ahead,
    postal_press,
    press,
    preview,
    questions,
    rule_settings,
    seats,
    set_handlers,
    setup,
    sign_in,
    texts,
)
from machjudge.judge import history as summary
from machjudge.judge import mastering as impersonation
from machjudge.judge import mastering as succession
from machjudge.judge import questions as own_data
from machjudge.judge import questions as ping
from machjudge.judge import questions as player_record
from machjudge.judge import questions as stats
from machjudge.judge import texts as maps
from machjudge.judge.credentials import Act
from machjudge.judge.mail_context import (
    ANYBODY,
    ASKING,
    COMING,
    PLAYING,
    PRESS,
    RULES,
    RUNNING,
    TALKING,
    Caller,
    CommandEntry,
    Group,
    MailContext,
)
from machjudge.language import settings
from machjudge.language.commands import Become, Command, PlainCommand, Set, Setting
from machjudge.mail_parser.lines import Line
from machjudge.messages.catalogue import OTHER_NAMES, TEXTS
from machjudge.messages.render import Text
from machjudge.translatable import Message


def _help(context: MailContext, line: Line, asked: PlainCommand) -> None:
    """All commands, or one."""
    if asked.text.lower() in _EVERYTHING:
        give_help(context)
        return
    if rule_settings.give_option_help(context, asked.text):
        return
    entry = find_entry(asked.text)
    several = [each for each in TABLE if each.name.startswith(f"{asked.text.lower()} ")]
    if entry is None and several:
        found = context.renderer.lines("help_some", {"commands": several})
        context.answer.texts.append(Text(f"HELP {asked.text.upper()}", found))
        return
    if entry is None:
        text = asked.text.lower() in (*TEXTS, *OTHER_NAMES)
        instead = f"GET {asked.text.upper()}" if text else nearest(asked.text)
        context.refuse(line, Message("lines.no_command", word=asked.text), instead=instead)
        return
    facts = {"command": entry, "also": entry.also, "who": [who.words for who in _listed(entry.who)]}
    lines = context.renderer.lines("help_one", facts)
    context.answer.texts.append(Text(f"HELP {entry.name.upper()}", lines))


HELP = CommandEntry(
    "help",
    ASKING,
    ANYBODY,
    Act.READ,
    _help,
    is_dry=True,
)
_EVERYTHING = frozenset({"", "all", "me", "help", "commands", "please"})


def give_help(context: MailContext) -> None:
    """Add the help to the answer."""
    groups = [
        {"title": group.title, "commands": [entry for entry in TABLE if entry.group == group]}
        for group in (COMING, PLAYING, TALKING, ASKING, RUNNING)
    ]
    facts = {"groups": groups, "flags": _settings(RULES), "press": _settings(PRESS)}
    context.answer.texts.append(Text("HELP", context.renderer.lines("help", facts)))


def _settings(group: Group) -> list[str]:
    """The settings of a group, in one line."""
    return [", ".join(entry.setting for entry in TABLE if entry.group == group)]


def _listed(who: Iterable[Caller]) -> list[Caller]:
    """Those who may, in the order of the enumeration; anybody stands for all."""
    allowed = [each for each in Caller if each in set(who)]
    return allowed[:1] if Caller.ANYBODY in allowed else allowed


TABLE: tuple[CommandEntry, ...] = (
    confirmation.REGISTER,
    setup.CREATE,
    seats.JOIN,
    seats.SIGN_ON,
    confirmation.SEND_TOKEN,
    confirmation.REVOKE_TOKENS,
    confirmation.FORGET_ME,
    confirmation.I_AM_ALSO,
    confirmation.CONFIRM,
    seats.OBSERVE,
    seats.SIGN_OFF,
    seats.RESIGN,
    setup.RANDOM,
    orders_ahead.SET_WAIT,
    order_lines.READY,
    orders_ahead.PHASE,
    order_lines.IF,
    orders_ahead.CLEAR,
    order_sets.SAME,
    order_sets.RESTORE,
    order_sets.HISTORY_ORDERS,
    orders_ahead.DRY,
    clock.SET_ABSENCE,
    clock.SET_PRIORITY,
    set_handlers.SET_PREFERENCES,
    set_handlers.SET_PASSWORD,
    set_handlers.SET_ADDRESS,
    set_handlers.SET_PUBLIC_ADDRESS,
    set_handlers.SET_NOTATION,
    set_handlers.SET_SUBJECT,
    set_handlers.SET_TIMEZONE,
    set_handlers.SET_CALENDAR,
    set_handlers.SET_NOTIFY,
    set_handlers.SET_LANGUAGE,
    set_handlers.SET_HTML,
    set_handlers.SET_PICTURES,
    set_handlers.SET_JSON,
    press.PRESS_TO,
    press.BROADCAST,
    postal_press.POSTAL_PRESS,
    postal_press.DIARY,
    postal_press.SET_OPEN_DIARY,
    press.SET_BROADCAST,
    press.SET_ALL_PRESS,
    questions.LIST,
    HELP,
    texts.GET,
    questions.DIFFERENCES,
    maps.MAP,
    questions.WHO,
    questions.VERSION,
    clock.SET_DEADLINE,
    clock.SET_GRACE,
    clock.SET_START,
    *clock.SET_TEMPLATES,
    clock.SET_NMR,
    clock.SET_WARN,
    clock.SET_MAX_ABSENCE,
    clock.SET_STRICT_GRACE,
    clock.SET_STRICT_WAIT,
    clock.SET_MANUAL_PROCESS,
    clock.SET_AUTO_PROCESS,
    clock.PAUSE,
    clock.RESUME,
    impersonation.FOR,
    preview.PREVIEW,
    mastering.PROCESS,
    mastering.NUDGE,
    endings.ROLLBACK,
    corrections.FIX,
    impersonation.BECOME,
    setup.SET_SCENARIO,
    setup.SET_PRFLIST,
    setup.SET_PRFBOTH,
    setup.SET_PRFRAND,
    setup.SET_MANUAL_START,
    setup.SET_AUTO_START,
    setup.SET_ONTIMERAT,
    setup.SET_RESRAT,
    seats.EJECT,
    seats.PROMOTE,
    seats.FORCE_BEGIN,
    setup.SET_PLAYERS,
    confirmation.SET_CONFIRM,
    succession.SET_TAKEOVER,
    sign_in.SET_SENDER,
    seats.SET_APPROVE,
    seats.SET_COMMENT,
    setup.SET_ALLOW_PLAYER,
    setup.SET_DENY_PLAYER,
    set_handlers.SET_LISTED,
    rule_settings.SET_MONEY,
    setup.SET_DICE,
    *rule_settings.SET_FLAGS,
    rule_settings.SET_MACH2,
    rule_settings.SET_PRESET,
    rule_settings.SET_OPTION,
    rule_settings.SET_BASIC,
    rule_settings.SET_ADVANCED,
    rule_settings.SET_CITIES,
    rule_settings.SET_HOMES,
    endings.SET_DRAW,
    endings.SET_CONCEDE,
    endings.DECLARE,
    endings.TERMINATE,
    *rule_settings.SET_HABITS,
    history.HISTORY,
    summary.SUMMARY,
    player_record.INFO_PLAYER,
    own_data.SEND_MY_DATA,
    stats.STATS,
    ping.PING,
    *press.ENTRIES,
)
"""Every command that there is."""


def entries_for(command: Command) -> Sequence[CommandEntry]:
    """The rows of a command: one for each of the settings of a ``set``, otherwise one or none."""
    match command:
        case Set():
            found = [entry for entry in TABLE if entry.setting in _keys(command)]
        case PlainCommand(name=name):
            found = [entry for entry in TABLE if entry.name == name and entry.kind is None][:1]
        case Become(own=own):
            found = [entry_of("for" if own else "become")]
        case _:
            found = [entry for entry in TABLE if entry.kind is type(command)][:1]
    return found


def entry_of(name: str) -> CommandEntry:
    """The row of that very name."""
    return next(entry for entry in TABLE if entry.name == name)


def _keys(command: Set) -> frozenset[str]:
    return frozenset(each.key for each in command.settings)


def entry_of_setting(one: Setting) -> CommandEntry | None:
    """The row of a setting."""
    return next((entry for entry in TABLE if entry.setting == one.key), None)


def find_entry(name: str) -> CommandEntry | None:
    """A row by its name or one of its synonyms, in any case of letters."""
    wanted = " ".join(name.lower().split())
    called = settings.options().get(wanted.removeprefix("set "))
    setting = f"set {called.key}" if called is not None and wanted.startswith("set ") else wanted
    found = (each for name in (wanted, setting) for each in TABLE if name in each.names)
    return next(found, None)


def nearest(words: str, caller: Caller | None = None) -> Message | None:
    """How the command is written that looks most like *words*; None if none that *caller* may."""
    entry = nearest_entry(words)
    return entry.usage if entry is not None and caller in (None, *entry.who) else None


def nearest_entry(
    words: str, known: MutableMapping[str, CommandEntry | None] | None = None
) -> CommandEntry | None:
    """The command that looks most like *words*; None if none does.

    *known* is what was found for other lines of the mail, each beginning looked at once.
    """
    wanted = words.lower().split()[:2]
    found = {} if known is None else known
    for begin in (" ".join(wanted), *wanted[:1]):
        if begin not in found:
            near = get_close_matches(begin, _NAMES, n=1, cutoff=0.75)
            is_meant = bool(near) and not _is_opposite(begin, near[0])
            found[begin] = _NAMES[near[0]] if is_meant else None
        if found[begin] is not None:
            return found[begin]
    return None


_NAMES = {name: entry for entry in TABLE for name in (entry.name, *entry.also)}


def _is_opposite(said: str, name: str) -> bool:
    """Whether one of two commands undoes the other: ``uneject`` and ``eject``."""
    pairs = ((said, name), (name, said))
    return any(one in (f"{no}{other}", f"{no} {other}") for one, other in pairs for no in _UNDOES)


_UNDOES = ("un", "dis", "de", "no", "not", "don't", "dont")
