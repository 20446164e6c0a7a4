"""The table of all commands, and the help and command reference made from it."""

from collections.abc import MutableMapping, Sequence
from difflib import get_close_matches

from machjudge.judge import (
    agreements,
    clock,
    confirmation,
    corrections,
    endings,
    history,
    mastering,
    order_lines,
    order_sets,
    orders_ahead,
    personal_settings,
    postal_press,
    practice,
    press,
    preview,
    questions,
    rule_settings,
    seats,
    setup,
    sign_in,
    texts,
    what_if,
)
from machjudge.judge.commands import (
    ENTRIES,
    HELP_ORDER,
    Caller,
    CommandEntry,
    Group,
    command,
)
from machjudge.judge.mail_context import MailContext
from machjudge.language import settings
from machjudge.language.commands import Become, Command, PlainCommand, Set, Setting
from machjudge.mail_parser.lines import Line
from machjudge.messages.catalogue import OTHER_NAMES, TEXTS
from machjudge.messages.render import Text
from machjudge.translatable import Message


@command("help", is_dry=True)
def _help(context: MailContext, line: Line, asked: PlainCommand) -> None:
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
    # In the order of the enumeration; anybody stands for all.
    callers = [Caller.ANYBODY] if Caller.ANYBODY in entry.who else list(Caller)
    allowed = [each.words for each in callers if each in entry.who]
    facts = {"command": entry, "also": entry.also, "who": allowed}
    lines = context.renderer.lines("help_one", facts)
    context.answer.texts.append(Text(f"HELP {entry.name.upper()}", lines))


_EVERYTHING = frozenset({"", "all", "me", "help", "commands", "please"})


def give_help(context: MailContext) -> None:
    """Add the help to the answer."""
    groups = [
        {"title": group.title, "commands": [entry for entry in TABLE if entry.group == group]}
        for group in Group
        if group not in (Group.RULES, Group.PRESS)
    ]
    facts = {
        "groups": groups,
        "flags": _settings(Group.RULES),
        "press": _settings(Group.PRESS),
    }
    context.answer.texts.append(Text("HELP", context.renderer.lines("help", facts)))


def _settings(group: Group) -> list[str]:
    """The settings of a group, in one line."""
    return [", ".join(entry.setting for entry in TABLE if entry.group == group)]


HANDLERS = (
    agreements,
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
    practice,
    press,
    preview,
    questions,
    rule_settings,
    seats,
    personal_settings,
    setup,
    sign_in,
    texts,
    what_if,
)

TABLE = tuple(ENTRIES[name] for _, names in HELP_ORDER for name in names.split(", "))


def entries_for(command: Command) -> Sequence[CommandEntry]:
    """Return the rows of a command: one per setting of a ``set``, otherwise one or none."""
    match command:
        case Set():
            keys = {each.key for each in command.settings}
            return [entry for entry in TABLE if entry.setting in keys]
        case PlainCommand(name=name):
            found = ENTRIES.get(name)
            return [found] if found is not None and found.kind is None else []
        case Become(own=own):
            return [ENTRIES["for" if own else "become"]]
        case _:
            return [entry for entry in TABLE if entry.kind is type(command)][:1]


def entry_of_setting(one: Setting) -> CommandEntry | None:
    """Return the row of a setting, or None."""
    return _BY_SETTING.get(one.key)


_BY_SETTING = {entry.setting: entry for entry in TABLE if entry.setting}


def find_entry(name: str) -> CommandEntry | None:
    """Return a row by its name or one of its synonyms, in any case of letters."""
    wanted = " ".join(name.lower().split())
    called = settings.options().get(wanted.removeprefix("set "))
    setting = f"set {called.key}" if called is not None and wanted.startswith("set ") else wanted
    found = (each for name in (wanted, setting) for each in TABLE if name in each.names)
    return next(found, None)


def nearest(words: str, caller: Caller | None = None) -> Message | None:
    """Return the usage of the command most similar to *words* that *caller* may use, or None."""
    entry = nearest_entry(words)
    return entry.usage if entry is not None and caller in (None, *entry.who) else None


def nearest_entry(
    words: str, known: MutableMapping[str, CommandEntry | None] | None = None
) -> CommandEntry | None:
    """Return the command most similar to *words*, or None; *known* is a cache."""
    wanted = words.lower().split()[:3]
    found = {} if known is None else known
    begins = [" ".join(wanted[:count]) for count in range(len(wanted), 0, -1)]
    for begin in begins:
        if begin not in found:
            near = get_close_matches(begin, _NAMES, n=1, cutoff=0.75)
            is_meant = bool(near) and not _is_opposite(begin, near[0])
            found[begin] = _NAMES[near[0]] if is_meant else None
        if found[begin] is not None:
            return found[begin]
    return None


_NAMES = {name: entry for entry in TABLE for name in (entry.name, *entry.also)}


def _is_opposite(said: str, name: str) -> bool:
    """True if one of two commands undoes the other: ``uneject`` and ``eject``."""
    pairs = ((said, name), (name, said))
    return any(one in (f"{no}{other}", f"{no} {other}") for one, other in pairs for no in _UNDOES)


_UNDOES = ("un", "dis", "de", "no", "not", "don't", "dont")
