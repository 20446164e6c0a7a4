"""What other judges know and this one does not: a sentence each about what there is instead."""

from functools import lru_cache

from machjudge.language.vocabulary.wishes import RESIGNING
from machjudge.language.vocabulary.words import fold
from machjudge.sentence import Sentence

_SETTINGS = {
    "moderated": "moderated",
    "access": "access",
    "level": "level",
    "dedication": "dedication",
    "rated": "rated",
    "resume": "resume",
    "proxy": "proxy",
    "powers": "powers",
    "name": "name",
    "allow master": "allow_master",
    "rating": "rated",
    "foreign press": "foreign_press",
    "foreign rule": "foreign_rule",
}
"""Settings of other judges, by the keys that the language has for them, and their entries."""

_ASKING = (
    "what",
    "how",
    "when",
    "where",
    "why",
    "which",
    "can",
    "could",
    "would",
    "should",
    "does",
)
"""With what questions begin, and nothing that may be an order."""

COMMANDS = {
    "unstart": "unstart",
    "endpress": "press_end",
    "endbroadcast": "press_end",
    "endpostal": "postal_end",
    "endpostalpress": "postal_end",
    "enddiary": "diary_end",
    "become master": "become_master",
    "join": "join",
    "enroll": "join",
    "enter game": "join",
    "takeover": "takeover",
    "quit": "leave",
    "leave game": "leave",
    "leave the game": "leave",
    "abandon": "leave",
    "leave": "leave",
    **dict.fromkeys(RESIGNING, "leave"),
    "unsubscribe": "leave",
    "subscribe": "join",
    "vote": "draw",
    "draw": "draw",
    "nodraw": "draw",
    "concede": "draw",
    "concession": "draw",
    "surrender": "draw",
    "start game": "begin",
    "start the game": "begin",
    "begin game": "begin",
    "begin the game": "begin",
    "start": "begin",
    "begin": "begin",
    "adjudicate": "play",
    "rollforward": "play",
    "run": "play",
    "undo": "undo",
    "revert": "undo",
    "orders": "orders",
    "my orders": "orders",
    "show orders": "orders",
    "delete game": "end",
    "end game": "end",
    "kick": "seat",
    "uneject": "readmit",
    "un-eject": "readmit",
    "readmit": "readmit",
    "unban": "readmit",
    "dummy": "seat",
    "replace player": "seat",
    "invite": "invite",
    "extend": "time",
    "extension": "time",
    "delay": "time",
    "postpone": "time",
    "deadline": "deadline",
    "grace": "grace",
    "timing": "clock",
    "password": "password",
    "change password": "password",
    "new password": "password",
    "address": "address",
    "change address": "address",
    "email": "address",
    "rename": "rename",
    "name:": "lines_of_register",
    "variant": "scenario",
    "scenario": "scenario",
    "set-up": "opening",
    "setup": "opening",
    "adjust dedication": "keeper",
    "record": "keeper",
    "fixid": "keeper",
    "no control": "keeper",
    "dedication": "records",
    **dict.fromkeys(_ASKING, "question"),
    "done": "ready",
    "submit": "ready",
    "finished": "ready",
    "finalize": "ready",
    "not ready": "wait",
    "unready": "wait",
    "unwait": "set_nowait",
    "unset wait": "set_nowait",
    "no wait": "nowait",
    "not wait": "nowait",
    "don't wait": "nowait",
    "dont wait": "nowait",
}
"""Commands of other judges and old habits, by the words that they begin with; and their entries."""

PRESS_COMMANDS = {
    "announce": "press",
    "anonymous press": "press",
    "e-mail": "press",
    "gray press": "press",
    "grey press": "press",
    "letter": "press",
    "mail": "press",
    "message": "press",
    "msg": "press",
    "partial press": "press",
    "postal": "press",
    "private press": "press",
    "secret press": "press",
    "send message": "press",
    "send press": "press",
    "tell": "press",
    "whisper": "press",
    "white press": "press",
    "write": "press",
    "write to": "press",
}
"""With what others begin a message; its lines are no orders here either."""

SETTINGS = {key: Sentence(f"foreign.setting.{entry}") for key, entry in _SETTINGS.items()}
"""What there is instead of settings of other judges."""
QUESTION = Sentence("foreign.command.question")
"""The answer to a question in plain words."""
_MOST_WORDS = 5
_FIRST_WORDS = frozenset(phrase.split()[0] for phrase in (*COMMANDS, *PRESS_COMMANDS))


def explained(line: str) -> Sentence | None:
    """What there is here instead of a command of another judge; None if the line is no such."""
    entry = _entry(line, COMMANDS) or _entry(line, PRESS_COMMANDS)
    return Sentence(f"foreign.command.{entry}") if entry is not None else None


def begins_press(line: str) -> bool:
    """Whether a line begins a message in the words of another judge."""
    return _entry(line, PRESS_COMMANDS) is not None


def _entry(line: str, phrases: dict[str, str]) -> str | None:
    """The entry of the longest of the phrases with which a line begins."""
    return next((phrases[each] for each in _beginnings(line) if each in phrases), None)


@lru_cache(maxsize=256)
def _beginnings(line: str) -> tuple[str, ...]:
    """The first words of a line, most of them first; none if no phrase begins with the first."""
    written = line.split(maxsplit=_MOST_WORDS)[:_MOST_WORDS]
    words = [fold(word).rstrip(".,;!?") for word in written[:1]]
    if not _FIRST_WORDS.issuperset(words):
        return ()
    words += [fold(word).rstrip(".,;!?") for word in written[1:]]
    return tuple(" ".join(words[:count]) for count in range(len(words), 0, -1))
