"""The press rules of a game by ``set``."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

from machjudge.language.commands.commands import Setting
from machjudge.reading import Line
from machjudge.sentence import Sentence
from machjudge.service.credentials.authority import Act
from machjudge.service.model.press_rules import (
    Fakes,
    FromLate,
    FromObservers,
    PressRules,
    Tones,
)
from machjudge.service.ports.message_parts import Standing
from machjudge.service.session.command import (
    MASTERS,
    PRESS,
    CommandEntry,
    Handler,
    once_begun,
)
from machjudge.service.session.outgoing import announce_setting
from machjudge.service.session.session import Session

T = TypeVar("T")

_TONES = {
    "white press": Tones.WHITE,
    "grey press": Tones.GREY,
    "white/grey press": Tones.WHITE_GREY,
    "grey/white press": Tones.GREY_WHITE,
}
_SWITCHES = {
    "partial press": "partial",
    "grace press": "grace",
    "must order": "must_order",
    "postal press": "postal",
    "watch all press": "watched",
    "reveal press": "opened",
}
"""Settings that are on or off, with their fields."""


# --- the rules --------------------------------------------------------------------------------


def set_tone(session: Session, line: Line, said: Setting) -> None:
    """Say whether press is signed: ``white``, ``grey``, ``white/grey``, ``grey/white``."""
    if said.on:
        _change(session, tones=_TONES[said.key])
    else:
        session.refuse(line, Sentence("press.which_tone"))


def _rule(key: str, handler: Handler) -> CommandEntry:
    return CommandEntry(
        f"set {key}",
        PRESS,
        MASTERS,
        Act.STEER,
        handler,
        setting=key,
    )


SET_TONES = tuple(
    _rule(key, set_tone)
    for key in ("white press", "grey press", "white/grey press", "grey/white press")
)


def set_press(session: Session, line: Line, said: Setting) -> None:
    """Have no press at all (``none``), or signed press again."""
    game = session.game
    if said.value:
        session.refuse(line, Sentence("press.known_tones"))
    elif not said.on:
        _change(session, tones=Tones.NONE)
    elif game is not None and game.conduct.press.tones is Tones.NONE:
        _change(session, tones=Tones.WHITE)
    elif game is not None:
        session.done(Sentence("press.rules", rules=game.conduct.press))


SET_PRESS = _rule("press", set_press)


def set_switch(session: Session, _: Line, said: Setting) -> None:
    """Switch one rule on or off."""
    # Any: mypy cannot know that these fields are all yes or no.
    change: dict[str, Any] = {_SWITCHES[said.key]: said.on}
    _change(session, **change)


SET_PARTIAL_PRESS = _rule("partial press", set_switch)
SET_GRACE_PRESS = _rule("grace press", set_switch)
SET_MUST_ORDER = _rule("must order", set_switch)
SET_POSTAL_PRESS = _rule("postal press", set_switch)
SET_WATCH_ALL_PRESS = _rule("watch all press", set_switch)
SET_REVEAL_PRESS = CommandEntry(
    "set reveal press",
    PRESS,
    MASTERS,
    Act.STEER,
    set_switch,
    setting="reveal press",
    refused_in=once_begun(Sentence("press.open_stays")),
)


def set_fake(session: Session, _: Line, said: Setting) -> None:
    """Let press to some say that it went to others, or not."""
    _change(session, fakes=Fakes.MAY if said.on else Fakes.NONE)


SET_FAKE_PRESS = _rule("fake press", set_fake)


def set_fakes_broadcast(session: Session, _: Line, said: Setting) -> None:
    """Let press to some say that it went to everybody unless its writer says otherwise."""
    _change(session, fakes=Fakes.BROADCAST if said.on else Fakes.MAY)


SET_FAKES_BROADCAST = _rule("partial fakes broadcast", set_fakes_broadcast)


def set_observers(session: Session, line: Line, said: Setting) -> None:
    """Say what observers may write: ``any``, ``white``, ``no``."""
    words = {"any": FromObservers.ANY, "white": FromObservers.WHITE, "no": FromObservers.NONE}
    found = _chosen(session, line, said, words, FromObservers.NONE)
    if found is not None:
        _change(session, observers=found)


SET_OBSERVER_PRESS = _rule("observer press", set_observers)


def set_late(session: Session, line: Line, said: Setting) -> None:
    """Say what players may write while their orders are late."""
    words = {
        "any": FromLate.ANY,
        "partial": FromLate.PARTIAL,
        "broadcast": FromLate.BROADCAST,
        "no": FromLate.NONE,
    }
    found = _chosen(session, line, said, words, FromLate.NONE)
    if found is not None:
        _change(session, late=found)


SET_LATE_PRESS = _rule("late press", set_late)


def _chosen(
    session: Session, line: Line, said: Setting, words: Mapping[str, T], off: T
) -> T | None:
    """The choice that a word behind the setting stands for; without a word, the first."""
    if not said.on:
        return off
    word = " ".join(said.value).lower().removesuffix(" press")
    word = {"none": "no", "": next(iter(words)), "broadcasts": "broadcast"}.get(word, word)
    if word not in words:
        session.refuse(line, Sentence("press.choose", name=said.key, words=tuple(words)))
    return words.get(word)


def _change(session: Session, **change: Any) -> None:  # noqa: ANN401  fields of several kinds
    """Change the press rules, and tell everybody how they are now."""
    game = session.game
    if game is None:
        return
    rules: PressRules = replace(game.conduct.press, **change)
    if rules == game.conduct.press:
        session.done(Sentence("press.nothing_changes"))
        return
    changed = replace(game, conduct=replace(game.conduct, press=rules))
    session.set_game(changed)
    before = Sentence("press.rules", rules=game.conduct.press)
    after = Sentence("press.rules", rules=rules)
    session.note("conduct", Sentence("press.noted", rules=after))
    session.done(Sentence("press.changed", before=before, after=after))
    session.answer.standing["press"] = (Sentence("press.standing", rules=after),)
    standing = Standing("press", (Sentence("press.told_standing", rules=after),))
    announce_setting(session, changed, [Sentence("press.master_changed")], standing)


ENTRIES = (
    SET_PRESS,
    *SET_TONES,
    SET_PARTIAL_PRESS,
    SET_FAKE_PRESS,
    SET_FAKES_BROADCAST,
    SET_OBSERVER_PRESS,
    SET_LATE_PRESS,
    SET_GRACE_PRESS,
    SET_MUST_ORDER,
    SET_POSTAL_PRESS,
    SET_WATCH_ALL_PRESS,
    SET_REVEAL_PRESS,
)
"""All settings of press, in the order of the help."""
