"""The commands in one table, in their groups and in the order of the help.

Each entry stands below its handler.  ``help`` and the command reference are made from the table.
"""

from collections.abc import Iterable, MutableMapping, Sequence
from difflib import get_close_matches

from machjudge.language.commands import setting_names
from machjudge.language.commands.commands import Become, Command, PlainCommand, Set, Setting
from machjudge.letters.page.reply import Text
from machjudge.letters.wording.library import OTHER_NAMES, TEXTS
from machjudge.reading import Line
from machjudge.sentence import Sentence
from machjudge.service.clock import absences, phase_templates, phase_times, this_phase
from machjudge.service.credentials.authority import Act
from machjudge.service.ending import closing, rollback, termination, voting
from machjudge.service.identity import (
    forgetting,
    further_addresses,
    lapsing,
    registering,
    revoking,
    senders,
    tokens,
)
from machjudge.service.info import (
    history,
    maps,
    own_data,
    ping,
    player_record,
    questions,
    stats,
    summary,
    texts,
)
from machjudge.service.orders import drafting, order_sets, planning, waiting
from machjudge.service.phases import correcting, impersonation, mastering, preview, succession
from machjudge.service.press import diary, postal, press_copies, press_room, press_settings
from machjudge.service.seats import entering, joining, leaving, seating, watching
from machjudge.service.session.command import (
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
)
from machjudge.service.session.session import Session
from machjudge.service.setup import (
    creating,
    gathering,
    guestlist,
    habits,
    options,
    player_count,
    ruling,
    scenarios,
    setting,
    shared_dice,
    wished_mails,
)


def _help(session: Session, line: Line, asked: PlainCommand) -> None:
    """All commands, or one."""
    if asked.text.lower() in _EVERYTHING:
        give_help(session)
        return
    if options.give_option_help(session, asked.text):
        return
    entry = find_entry(asked.text)
    several = [each for each in TABLE if each.name.startswith(f"{asked.text.lower()} ")]
    if entry is None and several:
        found = session.paper.lines("help_some", {"commands": several})
        session.answer.texts.append(Text(f"HELP {asked.text.upper()}", found))
        return
    if entry is None:
        text = asked.text.lower() in (*TEXTS, *OTHER_NAMES)
        instead = f"GET {asked.text.upper()}" if text else nearest(asked.text)
        session.refuse(line, Sentence("lines.no_command", word=asked.text), instead=instead)
        return
    facts = {"command": entry, "also": entry.also, "who": [who.words for who in _listed(entry.who)]}
    lines = session.paper.lines("help_one", facts)
    session.answer.texts.append(Text(f"HELP {entry.name.upper()}", lines))


HELP = CommandEntry(
    "help",
    ASKING,
    ANYBODY,
    Act.READ,
    _help,
    is_dry=True,
)
_EVERYTHING = frozenset({"", "all", "me", "help", "commands", "please"})


def give_help(session: Session) -> None:
    """Add the help to the answer."""
    groups = [
        {"title": group.title, "commands": [entry for entry in TABLE if entry.group == group]}
        for group in (COMING, PLAYING, TALKING, ASKING, RUNNING)
    ]
    facts = {"groups": groups, "flags": _settings(RULES), "press": _settings(PRESS)}
    session.answer.texts.append(Text("HELP", session.paper.lines("help", facts)))


def _settings(group: Group) -> list[str]:
    """The settings of a group, in one line."""
    return [", ".join(entry.setting for entry in TABLE if entry.group == group)]


def _listed(who: Iterable[Caller]) -> list[Caller]:
    """Those who may, in the order of the enumeration; anybody stands for all."""
    allowed = [each for each in Caller if each in set(who)]
    return allowed[:1] if Caller.ANYBODY in allowed else allowed


TABLE: tuple[CommandEntry, ...] = (
    registering.REGISTER,
    creating.CREATE,
    joining.JOIN,
    entering.SIGN_ON,
    tokens.SEND_TOKEN,
    revoking.REVOKE_TOKENS,
    forgetting.FORGET_ME,
    tokens.I_AM_ALSO,
    further_addresses.CONFIRM,
    watching.OBSERVE,
    entering.SIGN_OFF,
    leaving.RESIGN,
    shared_dice.RANDOM,
    planning.SET_WAIT,
    waiting.READY,
    planning.PHASE,
    drafting.IF,
    planning.CLEAR,
    order_sets.SAME,
    order_sets.RESTORE,
    order_sets.HISTORY_ORDERS,
    planning.DRY,
    absences.SET_ABSENCE,
    absences.SET_PRIORITY,
    setting.SET_PREFERENCES,
    setting.SET_PASSWORD,
    setting.SET_ADDRESS,
    setting.SET_PUBLIC_ADDRESS,
    setting.SET_NOTATION,
    setting.SET_SUBJECT,
    setting.SET_TIMEZONE,
    wished_mails.SET_CALENDAR,
    wished_mails.SET_NOTIFY,
    wished_mails.SET_LANGUAGE,
    wished_mails.SET_HTML,
    wished_mails.SET_PICTURES,
    wished_mails.SET_JSON,
    press_room.PRESS_TO,
    press_room.BROADCAST,
    postal.POSTAL_PRESS,
    diary.DIARY,
    diary.SET_OPEN_DIARY,
    press_copies.SET_BROADCAST,
    press_copies.SET_ALL_PRESS,
    questions.LIST,
    HELP,
    texts.GET,
    questions.DIFFERENCES,
    maps.MAP,
    questions.WHO,
    questions.VERSION,
    this_phase.SET_DEADLINE,
    this_phase.SET_GRACE,
    this_phase.SET_START,
    *phase_templates.SET_TEMPLATES,
    phase_times.SET_NMR,
    phase_times.SET_WARN,
    phase_times.SET_MAX_ABSENCE,
    phase_times.SET_STRICT_GRACE,
    phase_times.SET_STRICT_WAIT,
    phase_times.SET_MANUAL_PROCESS,
    phase_times.SET_AUTO_PROCESS,
    this_phase.PAUSE,
    this_phase.RESUME,
    impersonation.FOR,
    preview.PREVIEW,
    mastering.PROCESS,
    mastering.NUDGE,
    rollback.ROLLBACK,
    correcting.FIX,
    impersonation.BECOME,
    scenarios.SET_SCENARIO,
    gathering.SET_PRFLIST,
    gathering.SET_PRFBOTH,
    gathering.SET_PRFRAND,
    gathering.SET_MANUAL_START,
    gathering.SET_AUTO_START,
    gathering.SET_ONTIMERAT,
    gathering.SET_RESRAT,
    seating.EJECT,
    seating.PROMOTE,
    seating.FORCE_BEGIN,
    player_count.SET_PLAYERS,
    lapsing.SET_CONFIRM,
    succession.SET_TAKEOVER,
    senders.SET_SENDER,
    seating.SET_APPROVE,
    seating.SET_COMMENT,
    guestlist.SET_ALLOW_PLAYER,
    guestlist.SET_DENY_PLAYER,
    setting.SET_LISTED,
    ruling.SET_MONEY,
    shared_dice.SET_DICE,
    *ruling.SET_FLAGS,
    ruling.SET_MACH2,
    ruling.SET_PRESET,
    options.SET_OPTION,
    ruling.SET_BASIC,
    ruling.SET_ADVANCED,
    ruling.SET_CITIES,
    ruling.SET_HOMES,
    voting.SET_DRAW,
    voting.SET_CONCEDE,
    closing.DECLARE,
    termination.TERMINATE,
    *habits.SET_HABITS,
    history.HISTORY,
    summary.SUMMARY,
    player_record.INFO_PLAYER,
    own_data.SEND_MY_DATA,
    stats.STATS,
    ping.PING,
    *press_settings.ENTRIES,
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
    called = setting_names.options().get(wanted.removeprefix("set "))
    setting = f"set {called.key}" if called is not None and wanted.startswith("set ") else wanted
    found = (each for name in (wanted, setting) for each in TABLE if name in each.names)
    return next(found, None)


def nearest(words: str, caller: Caller | None = None) -> Sentence | None:
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
