"""Single options of the rules by their names: ``set option home_formula floor``, and their help."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

from machjudge.adjudicator.model.fixed import NO_OPTIONS
from machjudge.adjudicator.model.options import (
    OPTIONS,
    Option,
    UnknownRule,
    Value,
    keys_of,
    said_value,
    value_text,
    with_option,
    written,
)
from machjudge.adjudicator.model.presets import PRESETS
from machjudge.adjudicator.model.rules import Rules
from machjudge.language.commands import setting_names
from machjudge.language.commands.commands import Setting
from machjudge.letters.page.reply import Text
from machjudge.letters.wording.option_words import about_option, played_with, possible_values
from machjudge.reading import Line
from machjudge.sentence import Sentence
from machjudge.service.clock import phase_times
from machjudge.service.model.conduct import Policy, Treasuries
from machjudge.service.model.desk_options import DESK_OPTIONS, desk_option_read, desk_value
from machjudge.service.model.records import Game
from machjudge.service.session.command import OVER, once_begun
from machjudge.service.session.outgoing import announce_setting
from machjudge.service.session.session import Session
from machjudge.service.setup import habits, ruling
from machjudge.service.setup.flags import flag_of, switched

EVERY_OPTION: Mapping[str, Option] = {**OPTIONS, **DESK_OPTIONS}
"""The options of the rules, and those of the desk behind them."""
_FILLERS = frozenset({"to", "=", ":", "is"})
_VICTORY = {"victory_cities": ruling.set_cities, "victory_homes": ruling.set_homes}
"""Options that are set together with what follows from them (SET-22)."""


def set_option(session: Session, line: Line, said: Setting) -> None:
    """Set one option of the rules by its name (area SET)."""
    game = session.game
    if game is None:
        return
    name, words = _named([part for word in said.value for part in _parts(word)])
    option = EVERY_OPTION.get(name)
    if option is None:
        _refuse_name(session, line, name)
    elif not words:
        now = value_text(_value_in(game, option))
        session.refuse(line, Sentence("options.no_value", name=name, now=now), _example(option))
    elif name in _VICTORY and words[0].isdecimal():
        _VICTORY[name](session, line, Setting(name, value=(words[0],)))
    elif name in DESK_OPTIONS:
        _set_at_desk(session, line, option, words)
    else:
        _set(session, line, option, words)


SET_OPTION = ruling.rule_entry("option", set_option)


def _value_in(game: Game, option: Option) -> object:
    """The value of an option in a game."""
    name = option.facts.name
    return desk_value(game.conduct, name) if name in DESK_OPTIONS else option.of(game.rules)


def _parts(word: str) -> list[str]:
    """``home_formula=floor`` is two words; so is ``home_formula: floor``."""
    name, sign, value = word.partition("=")
    if sign and _plain(name) in EVERY_OPTION:
        return [name, value] if value else [name]
    return [word.rstrip(":")] if _plain(word.rstrip(":")) in EVERY_OPTION else [word]


def _plain(word: str) -> str:
    return word.casefold().replace("-", "_")


def _named(words: Sequence[str]) -> tuple[str, Sequence[str]]:
    """The option that the words begin with, however its name is parted, and the words behind it."""
    for count in range(min(len(words), _MOST_WORDS), 0, -1):
        name = _plain("_".join(words[:count]))
        if name in EVERY_OPTION or name in NO_OPTIONS:
            behind = words[count:]
            return name, behind[1:] if behind and behind[0] in _FILLERS else behind
    return _plain(words[0]) if words else "", ()


_MOST_WORDS = 6
"""Of how many words the name of an option is at most."""


def _refuse_name(session: Session, line: Line, name: str) -> None:
    if not name:
        session.refuse(line, Sentence("options.no_name"), _example(OPTIONS["home_formula"]))
    elif name in NO_OPTIONS:
        only, rule = NO_OPTIONS[name]
        session.refuse(
            line, Sentence("options.no_option", name=name, value=json.dumps(only), rule=rule)
        )
    else:
        near = get_close_matches(name, EVERY_OPTION, n=1)
        instead = _example(EVERY_OPTION[near[0]]) if near else None
        session.refuse(line, Sentence("options.unknown", name=name[:_MOST_SHOWN]), instead)


def _example(option: Option) -> str:
    """A line that sets the option to its usual value."""
    return f"SET OPTION {option.facts.name} {value_text(option.default)}"


def _set(session: Session, line: Line, option: Option, words: Sequence[str]) -> None:
    game, name = session.game, option.facts.name
    if game is None:
        return
    value = said_value(option, words)
    try:
        rules = _changed(game.rules, option, value)
    except UnknownRule:
        reason = _wrong_value(option, " ".join(words)[:_MOST_SHOWN])
        session.refuse(line, reason, _nearest(option, value))
        return
    now = option.of(rules)
    told = Sentence(
        "options.told", name=name, value=value_text(now), sentence=played_with(name, now)
    )
    flaw = _STAYS[name].get(game.status) if name in _STAYS and rules != game.rules else None
    if flaw is not None:
        session.refuse(line, flaw)
        return
    flag = flag_of(name)
    if flag is not None:
        told = ruling.with_others(told, game.rules, rules, Setting(flag.name))
    names = {name, *(ruling.FLAG_OPTIONS if flag is not None else ())}
    ruling.change_rules(session, line, rules, told, names=names)


_MOST_SHOWN = 60


def _set_at_desk(session: Session, line: Line, option: Option, words: Sequence[str]) -> None:
    """Do what the setting does by which masters say the same, if it may be done now."""
    game, value = session.game, said_value(option, words)
    if game is None:
        return
    try:
        found = desk_option_read(game.conduct, option.facts.name, value)
    except UnknownRule:
        reason = _wrong_value(option, " ".join(words)[:_MOST_SHOWN])
        session.refuse(line, reason, _nearest(option, value))
        return
    name = option.facts.name
    refused_in = _STAYS.get(name, OVER)
    flaw = refused_in.get(game.status)
    if flaw is not None:
        session.refuse(line, flaw)
    elif isinstance(found, Policy):
        phase_times.set_policy(session, line, Setting("nmr", value=(found.value.replace("_", ""),)))
    elif isinstance(found, Treasuries):
        habits.set_habit(session, line, Setting("hidden money", on=found is Treasuries.PRIVATE))
    else:
        _set_alone(session, game, option, found)


_STAYS = {
    "late_orders": phase_times.SET_NMR.refused_in,
    "treasury_visibility": habits.SET_HIDDEN_MONEY.refused_in,
    "side_units": once_begun(Sentence("setup.habit.stays", name="side_units")),
    "special_public": once_begun(Sentence("setup.habit.stays", name="special_public")),
    "fog": once_begun(Sentence("setup.habit.stays", name="fog")),
    "ratings": once_begun(Sentence("setup.habit.stays", name="ratings")),
}
"""Where an option is not changed any more; the others of the desk until the game is over."""


def _set_alone(session: Session, game: Game, option: Option, value: object) -> None:
    """Set an option of the desk that no setting of its own sets, and tell everybody."""
    # Any: mypy cannot know the types of fields that are named by options.
    change: dict[str, Any] = {option.field: value}
    changed = replace(game, conduct=replace(game.conduct, **change))
    name = option.facts.name
    sentence = played_with(name, value)
    told = Sentence("options.told", name=name, value=value_text(value), sentence=sentence)
    session.set_game(changed)
    session.note("conduct", told)
    session.done(Sentence("setup.done", told=told))
    announce_setting(session, changed, [Sentence("setup.master_has_set", told=told)])


def _changed(rules: Rules, option: Option, value: Value) -> Rules:
    """The rules with the option set, and with it what its flag switches.  Raises UnknownRule."""
    name = option.facts.name
    changed, flag = with_option(rules, name, value), flag_of(name)
    if flag is None:
        return changed
    is_off = flag.off[name] == written(option.of(changed))
    return with_option(switched(rules, flag, on=not is_off), name, value)


def _nearest(option: Option, value: object) -> str | None:
    """The line that was probably meant; None if nothing is like it."""
    known = [value_text(each) for each in option.choices]
    near = get_close_matches(str(value).casefold(), known, n=1)
    return f"SET OPTION {option.facts.name} {near[0]}" if near else None


def _wrong_value(option: Option, said: str) -> Sentence:
    """What an option can be, for a value that it cannot be."""
    name, limits, usual = option.facts.name, option.facts.limits, option.default
    if isinstance(usual, bool):
        return Sentence("options.not_truth", name=name, said=said)
    if option.choices:
        values = tuple(map(value_text, option.choices))
        return Sentence("options.not_among", name=name, values=values, said=said)
    if limits.among and isinstance(usual, tuple):
        return Sentence("options.not_list", name=name, values=limits.among, said=said)
    if isinstance(usual, tuple):
        count, most = len(usual), limits.most
        return Sentence("options.not_numbers", name=name, count=count, most=most, said=said)
    if isinstance(usual, int):
        return Sentence("options.not_number", name=name, most=limits.most, said=said)
    keys = keys_of(option)
    return Sentence("options.not_map", name=name, most=limits.most, values=keys, said=said)


# --- help ------------------------------------------------------------------------------------


def give_option_help(session: Session, topic: str) -> bool:
    """Add the help of all options, or of one, to the answer; False if the topic is no option."""
    words = topic.casefold().removeprefix("set ").split()
    if words in (["options"], ["option"]) and not topic.casefold().startswith("set "):
        _add(session, "HELP OPTIONS", "help_options", _listed())
        return True
    name = _plain("_".join(words[1:] if words[:1] == ["option"] else words))
    if name not in EVERY_OPTION or len(words) < _LEAST_WORDS.get(name, 1):
        return False
    _add(session, f"HELP OPTION {name}", "help_option", _facts(session, EVERY_OPTION[name]))
    return True


_LEAST_WORDS = {
    name: 2
    for name, option in EVERY_OPTION.items()
    if option.facts.flag or name in setting_names.options()
}
"""Options that are commands too, as ``dice`` and ``notation``: with the word *option* only."""


def _add(session: Session, title: str, template: str, facts: dict[str, object]) -> None:
    session.answer.texts.append(Text(title, session.paper.lines(template, facts)))


def _listed() -> dict[str, object]:
    return {"options": list(map(_row, EVERY_OPTION)), "presets": tuple(PRESETS)}


def _row(name: str) -> dict[str, object]:
    option = EVERY_OPTION[name]
    return {"name": name, "about": about_option(name), "values": _values(option)}


def _values(option: Option) -> str:
    """What the option can be, with its usual value first."""
    if not option.choices:
        return value_text(option.default)
    usual = value_text(option.default)
    others = (text for text in map(value_text, option.choices) if text != usual)
    return ", ".join((usual, *others))


def _facts(session: Session, option: Option) -> dict[str, object]:
    name, game = option.facts.name, session.game
    values = option.choices or (option.default,)
    return {
        **_row(name),
        "plays": [(value_text(value), played_with(name, value)) for value in values],
        "is_open": not option.choices,
        "possible": possible_values(option) if not option.choices else "",
        "usual": value_text(option.default),
        "now": value_text(_value_in(game, option)) if game is not None else "",
        "numbers": option.facts.numbers,
    }
