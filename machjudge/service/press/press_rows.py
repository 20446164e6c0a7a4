"""The rows of the table of commands that are about press and diaries."""

from collections.abc import Iterator

from machjudge.language.commands import commands as said
from machjudge.language.commands.commands import Set
from machjudge.service.press import diary, postal, press_settings
from machjudge.service.session.command import MASTERS, PRESS, SEATED, TALKING, Entry, Handler, Who

_WATCHING = frozenset({Who.OBSERVER, Who.MASTER, Who.CO_MASTER})


def _rule(key: str, usage: str, about: str, handler: Handler, *more: str) -> Entry:
    name, late = f"set {key}", "It may change at any time; everybody is told."
    return Entry(name, PRESS, usage, about, MASTERS, handler, Set, key, more=(*more, late))


def _tones() -> Iterator[Entry]:
    for key, about in (
        ("white press", "press is signed"),
        ("grey press", "press is anonymous"),
        ("white/grey press", "press is signed, or anonymous on request"),
        ("grey/white press", "press is anonymous, or signed on request"),
    ):
        yield _rule(key, f"SET {key.upper()}", about, press_settings.set_tone)


PRESS_ROWS: tuple[Entry, ...] = (
    Entry(
        "press",
        TALKING,
        "PRESS TO LM … ENDPRESS",
        "A message to some: letters or names, M the master, O observers.",
        SEATED,
        None,
        said.Press,
        more=(
            "The lines up to ENDPRESS are the message.",
            "PRESS TO ALL BUT L leaves one out.",
            "PRESS GREY TO LM: nobody reads who wrote it.",
            "PRESS TO L FAKE TO LM: it says it went to both.",
            "PRESS TO L FAKE BROADCAST: it says, to all.",
            "The rules of the game say what there is: LIST.",
        ),
    ),
    Entry(
        "broadcast",
        TALKING,
        "BROADCAST … ENDPRESS",
        "A message to everybody at the game.",
        SEATED,
        None,
        said.Press,
        also=("press to all",),
        more=("BROADCAST GREY: nobody reads who wrote it.",),
    ),
    Entry(
        "postal press",
        TALKING,
        "POSTAL PRESS … ENDPRESS",
        "A message to everybody, with the next results.",
        SEATED,
        postal.look,
        said.PostalPress,
        also=("postal list", "postal read", "postal delete", "postal withdraw"),
        more=(
            "It is always signed.",
            "POSTAL LIST: what of yours waits.",
            "POSTAL READ 1, POSTAL DELETE 1: before it is out.",
        ),
    ),
    Entry(
        "diary",
        TALKING,
        "DIARY … ENDPRESS",
        "A note for yourself, that nobody else reads.",
        SEATED,
        diary.look,
        said.Diary,
        also=("diary record", "diary list", "diary read", "diary delete"),
        more=("DIARY LIST, DIARY READ 3, DIARY DELETE 3.", "Not even the master reads it."),
    ),
    Entry(
        "set open diary",
        TALKING,
        "SET [NO]OPEN DIARY",
        "Your diary goes out with the last mail of the game.",
        SEATED,
        diary.set_open,
        Set,
        setting="open diary",
        also=("set publish diary", "set public diary"),
        more=("By default it stays private.",),
    ),
    Entry(
        "set broadcast",
        TALKING,
        "SET [NO]BROADCAST",
        "Get the broadcasts of others, or not.",
        _WATCHING,
        press_settings.set_broadcasts,
        Set,
        setting="broadcast press",
        also=("set nobroadcast", "set normal broadcast"),
    ),
    Entry(
        "set all press",
        TALKING,
        "SET ALL PRESS",
        "Get silent copies of press to some.",
        _WATCHING,
        press_settings.set_all_press,
        Set,
        setting="all press",
        also=("set normal press", "set noall press"),
        more=(
            "For masters who do not play, and for observers",
            "where the game has WATCH ALL PRESS.",
            "SET NORMAL PRESS takes it back.",
        ),
    ),
)
"""In the order of the help."""

PRESS_RULES: tuple[Entry, ...] = (
    _rule(
        "press",
        "SET [NO]PRESS",
        "whether there is any press; NONE is the same as NOPRESS",
        press_settings.set_press,
        "Press to the master is always allowed.",
    ),
    *_tones(),
    _rule("partial press", "SET [NO]PARTIAL PRESS", "press to some", press_settings.set_switch),
    _rule(
        "fake press",
        "SET [NO]FAKE PRESS",
        "press to some may say that it went to others",
        press_settings.set_fake,
        "Also: SET PARTIAL MAY BE FAKED.",
    ),
    _rule(
        "partial fakes broadcast",
        "SET [NO]PARTIAL FAKES BROADCAST",
        "press to some says that it went to all, unless NO FAKE",
        press_settings.set_fakes_broadcast,
    ),
    _rule(
        "observer press",
        "SET OBSERVER PRESS ANY",
        "what observers may write: ANY, WHITE or NO",
        press_settings.set_observers,
    ),
    _rule(
        "late press",
        "SET [NO]LATE PRESS",
        "what the late may write: ANY, PARTIAL, BROADCAST or NO",
        press_settings.set_late,
        "SET LATE PRESS PARTIAL: to some only.",
    ),
    _rule(
        "grace press",
        "SET [NO]GRACE PRESS",
        "press between the deadline and the results",
        press_settings.set_switch,
    ),
    _rule(
        "must order",
        "SET [NO]MUST ORDER",
        "players write once they have orders on file",
        press_settings.set_switch,
    ),
    _rule(
        "postal press",
        "SET [NO]POSTAL PRESS",
        "press that comes with the results",
        press_settings.set_switch,
    ),
    _rule(
        "watch all press",
        "SET [NO]WATCH ALL PRESS",
        "observers may read along press to some",
        press_settings.set_switch,
    ),
    Entry(
        "set reveal press",
        PRESS,
        "SET [NO]REVEAL PRESS",
        "all press is open, with its writers, when the game is over",
        MASTERS,
        press_settings.set_switch,
        Set,
        "reveal press",
        more=("Only before the game begins.",),
    ),
)
"""In the order of the listing."""
