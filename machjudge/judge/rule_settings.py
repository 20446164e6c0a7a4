"""The rules of a game: scenario, named rule sets, flags, toggles and single options."""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from difflib import get_close_matches
from typing import Any

import structlog

from machjudge.adjudicator.board import Scenario
from machjudge.adjudicator.land.victory import cities_needed
from machjudge.adjudicator.moments import Season, Stage
from machjudge.adjudicator.options import (
    NO_OPTIONS,
    OPTIONS,
    PARENTS,
    PRESETS,
    Option,
    UnknownRule,
    Value,
    counting_homes,
    departures,
    keys_of,
    lineage,
    nearest,
    said_value,
    value_text,
    with_option,
    without_features,
    written,
)
from machjudge.adjudicator.rules import Flag as Switch
from machjudge.adjudicator.rules import Rules
from machjudge.adjudicator.state import State
from machjudge.adjudicator.units import Quality
from machjudge.adjudicator.world import World, world_of
from machjudge.formats.position import read_rules
from machjudge.judge import clock
from machjudge.judge.commands import OVER, once_begun, setting
from machjudge.judge.game_settings import (
    SERVICE_OPTION_FIELDS,
    TOGGLES,
    GameSettings,
    Policy,
    Treasuries,
    read_service_option,
    service_departures,
    service_value,
    with_preset,
)
from machjudge.judge.game_view import GameView, seat_of
from machjudge.judge.mail_context import MailContext
from machjudge.judge.mails import Outgoing
from machjudge.judge.order_lines import VoidOrders, revalidate
from machjudge.judge.outgoing import announce, announce_setting, sight_of, view_for_power
from machjudge.judge.ratings import FAME
from machjudge.judge.records import Game, Status
from machjudge.language import lexicon_of, reserved_names, settings
from machjudge.language.commands import Setting
from machjudge.mail_parser.lines import Line
from machjudge.map_files.folders import Atlas
from machjudge.map_files.scenario import varied_id
from machjudge.map_files.shapes import Shapes
from machjudge.map_files.toml_reader import BrokenMap, FileFault, reserved_name_flaw
from machjudge.messages.layout import one_line
from machjudge.messages.notation import order_text
from machjudge.messages.render import MessageHeader, Text
from machjudge.messages.tables import (
    Departure,
    departures_of,
    flag_words,
    rule_lines,
    victory_words,
)
from machjudge.messages.wording import (
    Words,
    about_option,
    objection_words,
    played_with,
    possible_values,
    set_of_rules,
)
from machjudge.translatable import Message, MessageOrText, Name

log = structlog.get_logger(__name__)

USUAL_SCENARIO = "1454"
_DAY = timedelta(days=1)
_MAX_POSTED = 200


def scenario_called(context: MailContext, name: str) -> Scenario | Message:
    """Return the scenario of a name, or why there is none; report a broken file to the keeper."""
    try:
        found = context.services.atlas.scenario(name)
        if found is not None:
            _refuse_reserved(found)
    except BrokenMap as fault:
        _tell_keeper(context, name, fault)
        return Message("session.scenario_broken", name=name)
    return found or Message("session.no_scenario", name=name, known=known(context))


def _refuse_reserved(scenario: Scenario) -> None:
    """Raise BrokenMap if orders cannot name something in the scenario or on its board."""
    faults = []
    for each in reserved_names(lexicon_of(scenario)):
        file = scenario.id if each.bearer in scenario.powers else scenario.board.id
        says = reserved_name_flaw(each.name, each.line)
        faults.append(FileFault(f"{file}.toml", None, each.bearer, says))
    if faults:
        raise BrokenMap(faults)


def is_scenario_name(context: MailContext, name: str) -> bool:
    """Return True if there is a scenario of that name, valid or broken."""
    try:
        return context.services.atlas.scenario(name) is not None
    except BrokenMap:
        return True


def shapes_of(context: MailContext, scenario: Scenario) -> Shapes | None:
    """Return the drawing of a scenario's board; None if missing or broken."""
    try:
        return context.services.atlas.shapes(scenario.board)
    except BrokenMap as fault:
        _tell_keeper(context, scenario.board.id, fault)
        return None


def nearest_scenario(context: MailContext, name: str) -> str | None:
    """Return the name of the scenario that is most similar to a word."""
    others = [each for each in context.services.atlas.scenario_ids() if each != name.lower()]
    near = get_close_matches(name.lower(), others, n=1)
    return near[0] if near else None


def known(context: MailContext) -> Message:
    """Return the list of scenarios, as the end of a sentence."""
    return Message("session.scenarios", names=", ".join(context.services.atlas.scenario_ids()))


def scenarios(context: MailContext) -> Iterator[Scenario]:
    """Return all scenarios with valid files."""
    atlas = context.services.atlas
    for name in atlas.scenario_ids():
        with suppress(BrokenMap):
            found = atlas.scenario(name)
            if found is not None:
                yield found


def _tell_keeper(context: MailContext, name: str, fault: BrokenMap) -> None:
    log.error("scenario.broken", scenario=name, faults=[str(each) for each in fault.faults])
    keeper = context.services.judge.keeper
    if keeper is None:
        return
    facts = {
        "head": MessageHeader(context.services.judge.code),
        "name": name,
        "faults": fault.faults,
    }
    page = context.services.renderer.page("broken_map", facts)
    subject = one_line(page.subject)
    lately = context.uow.outbox.lately(keeper, context.now - _DAY, _MAX_POSTED)
    if all(each.outgoing.subject != subject for each in lately):
        context.send(Outgoing(keeper, subject, page.body))


@dataclass(frozen=True, slots=True)
class SwitchWord:
    """A word that switches something on, or off behind *no*."""

    option: str
    name: str
    on: Mapping[str, Value]
    off: Mapping[str, Value]
    also: tuple[str, ...] = ()


_LISTED = (
    "money",
    "dice",
    "summer",
    "garrisons",
    "forts",
    "coastal_convoys",
    "disband_order",
    "loans",
    "famine",
    "plague",
    "storm",
    "assassinations",
    "special",
    "adjacency",
)


def _flag(name: str) -> SwitchWord:
    """The flag of an option, with everything that it switches (SET-04)."""
    switch = _switch(OPTIONS[name])
    on = {name: switch.on}
    on.update((each, _switch(OPTIONS[each]).on) for each in switch.needs)
    off = {name: switch.off}
    for other, option in OPTIONS.items():
        if option.facts.flag == name:
            on[other], *_, off[other] = option.choices
        elif isinstance(option.facts.flag, Switch):
            bound = (*option.facts.flag.needs, *option.facts.flag.ends_with)
            off |= {other: option.facts.flag.off} if name in bound else {}
    return SwitchWord(
        name,
        switch.name,
        on={option: written(value) for option, value in on.items()},
        off={option: written(value) for option, value in off.items()},
        also=switch.also,
    )


def _switch(option: Option) -> Switch:
    """The word declared at an option's field.  Raises TypeError if there is none."""
    if not isinstance(option.facts.flag, Switch):
        raise TypeError(option.facts.name)
    return option.facts.flag


FLAGS: tuple[SwitchWord, ...] = tuple(_flag(name) for name in _LISTED)
"""In the order of the listing (SET-03 to SET-15)."""


def find_flag(word: str) -> tuple[SwitchWord, bool] | None:
    """Return the flag of a word such as ``nomoney``, and its value; None if there is none."""
    return _FLAG_WORDS.get("".join(letter for letter in word.lower() if letter.isalnum()))


_FLAG_WORDS = {
    f"{no}{name}": (flag, not no)
    for flag in FLAGS
    for name in (flag.name, *flag.also)
    for no in ("", "no")
}


def flag_of(option: str) -> SwitchWord | None:
    """Return the flag of an option; None if it has none."""
    return next((flag for flag in FLAGS if flag.option == option), None)


def switched(rules: Rules, flag: SwitchWord, *, on: bool) -> Rules:
    """Return the rules with a flag switched; what is on already is not changed."""
    if on and is_on(rules, flag):
        return rules
    for option, value in (flag.on if on else flag.off).items():
        rules = with_option(rules, option, value)
    return rules


def is_on(rules: Rules, flag: SwitchWord) -> bool:
    """Return True if a flag and what it needs are on."""
    needed = [OPTIONS[name] for name in flag.on if OPTIONS[name].facts.flag != flag.option]
    return all(option.of(rules) != _switch(option).off for option in needed)


def for_players(atlas: Atlas, scenario: Scenario, numbers: Sequence[int]) -> Scenario | Message:
    """Return the scenario for a number of players and an option, or why there is none."""
    base = base_of(atlas, scenario)
    players, option = (*numbers, 1)[:2]
    if players == base.players and option == 1:
        return base
    for variant in base.variants:
        if (variant.players, variant.option) == (players, option):
            return atlas.scenario(varied_id(base, variant)) or scenario
    known = sorted({base.players, *(variant.players for variant in base.variants)})
    return Message(
        "setup.people.unknown",
        scenario=base.id,
        players=players,
        option=option,
        known=tuple(map(str, known)),
    )


def base_of(atlas: Atlas, scenario: Scenario) -> Scenario:
    """Return the scenario of which this one is a variant, or itself."""
    if scenario.variant is None:
        return scenario
    option = scenario.variant.option
    parts = 2 if option > 1 else 1
    return atlas.scenario(scenario.id.rsplit("-", parts)[0]) or scenario


def people_lines(scenario: Scenario) -> tuple[Message, ...]:
    """Return what a listing says of a variant: number of people, their powers, unused ones."""
    variant = scenario.variant
    if variant is None:
        return ()
    lines = [Message("setup.people.number", n=variant.players)]
    if variant.each_chooses > 1:
        lines.append(Message("setup.people.each", n=variant.each_chooses))
    if variant.sides:
        sides = tuple(_names(scenario, side.powers) for side in variant.sides)
        lines.append(Message("setup.people.sides", sides=sides))
    if variant.then_choose:
        powers = _names(scenario, variant.then_choose)
        lines.append(Message("setup.people.also_one", powers=powers))
    if variant.dropped:
        gone = tuple(Name(name, scenario.board.names) for name in variant.dropped_names)
        lines.append(Message("setup.people.dropped", powers=gone))
    return tuple(lines)


def _names(scenario: Scenario, powers: Sequence[str]) -> tuple[str, ...]:
    own = scenario.board.names
    return tuple(Name(p.name, own) for p in scenario.powers.values() if p.id in powers)


def variant_table(scenario: Scenario) -> tuple[Message, ...]:
    """Return the numbers of players of a scenario, by variant id."""
    return tuple(
        Message(
            "setup.people.variant",
            id=varied_id(scenario, variant),
            players=variant.players,
            each=variant.each_chooses,
            sides=tuple("".join(side.powers) for side in variant.sides),
        )
        for variant in scenario.variants
        if variant.players != scenario.players
    )


_PRESET_NAMES = {
    "basic": "judge_basic",
    "advanced": "judge",
    "mach1": "judge",
    "mach": "judge",
    "machiavelli": "judge",
    "machiavelli2": "mach2",
    "mach_2": "mach2",
}
_FILLERS = frozenset({"preset", "rules", "with", "and", "option", "options", "flag", "set"})
"""Words without a meaning of their own: ``create x secret 1454 preset judge2009``."""

PRESET_WORDS = ("basic", *PRESETS)
"""The playable rule sets, as masters write them."""


@dataclass(frozen=True, slots=True)
class BadOption:
    """An invalid word of a create, and why."""

    word: str
    why: Message


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The rules of a game or a named rule set, and how the game is run."""

    name: str
    rules: Rules
    settings: GameSettings

    @property
    def sentences(self) -> tuple[MessageOrText, ...]:
        """The nearest named rule set, and a sentence for each difference."""
        usual = with_preset(self.settings, nearest(self.rules))
        of_service = self._of_service(service_departures(self.settings, usual))
        return set_of_rules(self.rules, [each.sentence for each in of_service])

    @property
    def unusual(self) -> tuple[Message, ...]:
        """How that set differs from the usual rules, and these rules from it."""
        name = nearest(self.rules)
        own = service_departures(self.settings, with_preset(self.settings, name))
        apart = {*departures(self.rules, PRESETS[name]), *own}
        return tuple(each.sentence for each in self.departures if each.name not in apart)

    @property
    def departures(self) -> tuple[Departure, ...]:
        """The differences from the usual rules and the usual service options."""
        usual = with_preset(self.settings, "judge")
        of_service = self._of_service(service_departures(self.settings, usual))
        return (*departures_of(self.rules), *of_service)

    def _of_service(self, names: Iterable[str]) -> tuple[Departure, ...]:
        options = ((name, SERVICE_OPTION_FIELDS[name].facts.numbers) for name in names)
        return tuple(
            Departure(name, numbers, played_with(name, service_value(self.settings, name)))
            for name, numbers in options
        )


def of_game(game: Game) -> RuleSet:
    """Return the rules of a game."""
    return RuleSet(game.name, game.rules, game.settings)


def of_preset(name: str) -> RuleSet:
    """Return the rules of a named set, one of those in `PRESETS`."""
    return RuleSet(name, PRESETS[name], with_preset(GameSettings(), name))


def preset_for(scenario: Scenario, options: Sequence[str]) -> str:
    """Return the rule set that a creator's words name last; else the scenario's, if any."""
    named = [found for found in map(preset_of, options) if found is not None]
    return named[-1] if named else scenario.preset


def usual_rules(scenario: Scenario, preset: str = "") -> Rules:
    """Return the rules of a scenario, with a named rule set or its own."""
    name = preset or scenario.preset
    return read_rules({"preset": name} if name else {}, scenario)


def rules_for(scenario: Scenario, options: Sequence[str]) -> Rules | BadOption:
    """Return the rules that a creator asks for; by default those of the scenario's preset."""
    words = as_one_word([word for word in options if word and word.lower() not in _FILLERS])
    rules = usual_rules(scenario, preset_for(scenario, words))
    for at, word in enumerate(words):
        if preset_of(word) is not None:
            continue
        changed = with_word(rules, word, words[at + 1 : at + 2])
        if isinstance(changed, BadOption):
            return changed
        rules = changed
    return rules


def as_one_word(words: Sequence[str]) -> list[str]:
    """Return a creator's words with ``no plague``, ``money off`` and ``judge 2009`` as one each."""
    joined: list[str] = []
    left = list(words)
    while left:
        word, *left = left
        behind = left[0].lower() if left else ""
        flag = find_flag(word)
        if flag is not None and flag[1] and behind in ("on", "off"):
            joined.append(word if behind == "on" else f"no{word}")
        elif behind and word.lower() in ("no", "without", "not") and find_flag(behind) is not None:
            joined.append(f"no{behind}")
        elif behind and preset_of(f"{word}{behind}") is not None:
            joined.append(f"{word}{behind}")
        else:
            joined.append(word)
            continue
        left = left[1:]
    return joined


def with_word(rules: Rules, word: str, behind: Sequence[str] = ()) -> Rules | BadOption:
    """Return the rules with one flag switched, by a word such as ``nomoney``.

    :param behind: the words that follow, for the line that sets an option instead.
    """
    found = find_flag(word)
    return _no_flag(word, behind) if found is None else switched(rules, found[0], on=found[1])


def _no_flag(word: str, behind: Sequence[str]) -> BadOption:
    """Say what a creator may have meant: a flag, a rule set, an option or a setting."""
    plain, _, value = word.casefold().partition("=")
    said = [value] if value else list(behind)
    flags = [name for flag in FLAGS for name in (flag.name, f"no{flag.name}")]
    near = get_close_matches(plain, [*flags, *PRESET_WORDS], n=1, cutoff=0.75)
    positive = plain.removeprefix("no")
    if plain not in EVERY_OPTION and positive in EVERY_OPTION:
        plain, said = positive, ["off"]
    options = [plain] if plain in EVERY_OPTION else []
    if not near and not options:
        options = get_close_matches(plain, EVERY_OPTION, n=1, cutoff=0.75)
    if options:
        later = option_line(options[0], said)
    elif plain in settings.options():
        later = " ".join(("SET", _TIMES_OF_PHASES.get(plain, plain.upper()), *said))
    else:
        return BadOption(word, Message("setup.no_option", near=near[0] if near else ""))
    return BadOption(word, Message("setup.option_later", later=later))


_TIMES_OF_PHASES = {"deadline": "MOVES NEXT", "deadlines": "MOVES NEXT", "grace": "MOVES GRACE"}
"""How times are set while a game forms."""


def option_line(name: str, words: Sequence[str]) -> str:
    """Return the line that sets an option to the value that *words* come nearest to."""
    option, said = EVERY_OPTION[name], " ".join(words).casefold()
    choices = [value_text(each) for each in option.choices]
    if not choices:
        return f"SET OPTION {name} {said if said.isdecimal() else value_text(option.default)}"
    usual = value_text(option.default)
    other = next((each for each in choices if each != usual), usual)
    alike = {"on": "true", "yes": "true", "off": "false", "no": "false"}.get(said, said)
    near = get_close_matches(alike, choices, n=1) or get_close_matches(said, choices, n=1)
    return f"SET OPTION {name} {near[0] if near else other}"


def preset_of(word: str) -> str | None:
    """Return the named rule set of a word, playable or not."""
    plain = word.lower().replace("-", "_")
    plain = _PRESET_NAMES.get(plain, plain)
    return plain if plain in PARENTS else None


def describe(rules: Rules, players: int) -> tuple[MessageOrText, ...]:
    """Return the lines of the listing about rule set, flags and victory."""
    money = FLAGS[_LISTED.index("money")]
    # What goes off with the ducats is nothing that a game without them could have.
    listed = [f for f in FLAGS if rules.game.money or f == money or f.option not in money.off]
    return (
        *set_of_rules(rules),
        rule_lines(
            rules,
            players,
            on=[flag.name for flag in listed if is_on(rules, flag)],
            off=[flag.name for flag in listed if not is_on(rules, flag)],
        ),
    )


def service_contrasts(
    settings: GameSettings, other: GameSettings
) -> tuple[tuple[str, Message, Message], ...]:
    """Return the service options in which two games differ, with the sentences of both values."""
    return tuple(
        (n, played_with(n, service_value(settings, n)), played_with(n, service_value(other, n)))
        for n in service_departures(settings, other)
    )


def set_toggle(context: MailContext, line: Line, said: Setting) -> None:
    """Switch one of the `TOGGLES` on or off; most only before the game begins."""
    game = context.own_game
    # Any: mypy cannot know that the other fields are all yes or no.
    change: dict[str, Any] = {said.key.replace(" ", "_"): said.on}
    if said.key == "hidden money":
        change = {"treasuries": Treasuries.PRIVATE if said.on else Treasuries.PUBLIC}
    changed = replace(game, settings=replace(game.settings, **change))
    context.set_game(changed)
    says = Message(f"setup.toggle.{'on' if said.on else 'off'}.{said.key.replace(' ', '_')}")
    context.note("settings", says)
    context.done(Message("setup.toggle.done", name=said.key, on=said.on, says=says))
    announce_setting(context, changed, [Message("setup.toggle.announced", says=says)])


def _stays(name: str) -> Mapping[Status, MessageOrText]:
    """Return why a setting is refused after the game has begun."""
    return once_begun(Message("setup.toggle.stays", name=name))


for _key, _is_kept in TOGGLES.items():
    setting(_key, refused_in={**_stays(_key), **OVER} if _is_kept else OVER)(set_toggle)


@setting("listed", also=("set list", "set public", "set private"))
def set_listed(context: MailContext, _: Line, said: Setting) -> None:
    """Show or hide the game in the public list."""
    game = context.own_game
    context.set_game(replace(game, settings=replace(game.settings, listed=said.on)))
    context.done(Message("setup.listed", on=said.on))


def rules_message(scenario: Scenario, game: Game) -> Message:
    """Return the listing's lines about the rules: powers, flags, departures."""
    return Message(
        "setup.rules",
        people=people_lines(scenario),
        described=describe(game.rules, scenario.players),
        settings=game.settings,
        usual=GameSettings(),
        rated=played_with("ratings", game.settings.ratings),
        qualifies=cities_needed(game.rules.victory, scenario.players) >= FAME,
    )


# The rules of a game, set by its master: flags, presets, and what wins (area SET). Before the
# game begins they change freely. Later each change is marked in the log and told, and refused
# where the position holds what the new rules do not know.
@setting(
    "money",
    "summer",
    "garrisons",
    "forts",
    "coastal convoys",
    "disband",
    "bank",
    "famine",
    "plague",
    "storms",
    "assassinations",
    "special",
    "adjacency",
)
def set_flag(context: MailContext, line: Line, said: Setting) -> None:
    """Switch a rule of the game on or off (SET-02 to SET-15)."""
    flag, _ = _FLAG_WORDS[said.key.replace(" ", "")]
    before = context.own_game.rules
    rules = switched(before, flag, on=said.on)
    several = flag.name in _PLURALS
    message = Message("setup.rule.flag", name=flag_words(flag.name), on=said.on, several=several)
    message = _with_others(message, before, rules, flag)
    change_rules(context, line, rules, message, names=FLAG_OPTIONS)
    # These went off with this one and do not come back with it (SET-03, SET-04).
    others = (each for each in FLAGS if each != flag and each.option in flag.off)
    off = tuple(flag_words(each.name) for each in others if not is_on(rules, each))
    if off and said.on and rules != before:
        context.done(Message("setup.rule.still_off", names=off))


FLAG_OPTIONS = frozenset(flag.option for flag in FLAGS)


_PLURALS = frozenset(
    {
        "dice",
        "garrisons",
        "forts",
        "coastalconvoys",
        "disband",
        "loans",
        "storms",
        "assassinations",
        "special",
    }
)


def _with_others(message: Message, before: Rules, after: Rules, flag: SwitchWord) -> Message:
    """*message*, with the other flags that change too, such as those that need dice (SET-04)."""
    others = tuple(
        flag_words(f.name) for f in FLAGS if f != flag and is_on(before, f) is not is_on(after, f)
    )
    several = flag.name in _PLURALS
    both = Message("setup.rule.with_others", change=message, several=several, others=others)
    return both if others else message


_KEPT = once_begun(Message("setup.rule.preset_stays"))


@setting("preset", refused_in=_KEPT)
def set_preset(context: MailContext, line: Line, said: Setting) -> None:
    """Take all flags from a named rule set, before the game begins (SET-16)."""
    game = context.own_game
    word, scenario = said.value[0].lower(), context.services.scenario(game)
    rules = rules_for(scenario, said.value)
    if not isinstance(rules, BadOption):
        settings = with_preset(game.settings, preset_for(scenario, said.value) or "judge")
        _take_preset(context, line, rules, settings, word)
    elif preset_of(word) is not None:
        context.refuse(line, rules.why)
    else:
        near = get_close_matches(word, PRESET_WORDS, n=1)
        reason = Message("setup.rule.no_preset", known=PRESET_WORDS)
        context.refuse(line, reason, instead=f"SET PRESET {near[0]}" if near else None)


@setting("mach2", refused_in=_KEPT)
def set_edition(context: MailContext, line: Line, said: Setting) -> None:
    """Switch to the rules of 1995 or back, keeping the game's departures (SET-01)."""
    game = context.own_game
    before = nearest(game.rules)
    if not said.on and "mach2" not in lineage(before):
        context.done(Message("setup.rule.mach2_off"))
        return
    name = "mach2" if said.on else "judge"
    rules = PRESETS[name]
    kept = departures(game.rules, PRESETS[before])
    for each in kept:
        rules = with_option(rules, each, written(OPTIONS[each].of(game.rules)))
    _take_preset(context, line, rules, with_preset(game.settings, name), name)
    if kept:
        context.done(Message("setup.rule.kept", change=_options_message(game.rules, kept)))


def _take_preset(
    context: MailContext, line: Line, rules: Rules, settings: GameSettings, name: str
) -> None:
    run = tuple(each for _, _, each in service_contrasts(context.own_game.settings, settings))
    message = Message("setup.rule.preset", name=name, run=run)
    change_rules(context, line, rules, message, settings=settings)


@setting("basic", "advanced", refused_in=_KEPT)
def set_level(context: MailContext, line: Line, said: Setting) -> None:
    """Take the rules of the basic or the advanced game, which are presets (SET-16)."""
    name = {"basic": "basic", "advanced": "judge"}[said.key]
    if not said.on:
        context.refuse(line, Message("setup.rule.basic_or_advanced"))
    else:
        set_preset(context, line, Setting("preset", value=(name,)))


@setting("cities")
def set_cities(context: MailContext, line: Line, said: Setting) -> None:
    """Set how many cities win (SET-22)."""
    game = context.own_game
    most = len(world_of(context.services.scenario(game), game.rules).full_cities)
    if not 1 <= said.number <= most:
        context.refuse(line, Message("setup.rule.most_cities", most=most))
    else:
        _change_victory(context, line, **_VICTORY_OF["victory_cities"](said.number))


@setting("homes")
def set_homes(context: MailContext, line: Line, said: Setting) -> None:
    """Set how many home countries win, the own included, whatever the number of cities."""
    most = len(context.services.scenario(context.own_game).powers)
    if said.number > most:
        context.refuse(line, Message("setup.rule.most_homes", most=most))
    else:
        _change_victory(context, line, **_VICTORY_OF["victory_homes"](said.number))


def _change_victory(context: MailContext, line: Line, **options: Value) -> None:
    game = context.own_game
    players = context.services.scenario(game).players
    rules = _with_victory(game.rules, players, options)
    message = Message("setup.rule.wins", wins=victory_words(rules, players))
    change_rules(context, line, rules, message, names=_OF_VICTORY)


def _with_victory(rules: Rules, players: int, options: Mapping[str, Value]) -> Rules:
    """Return the rules with another victory condition, starting from the numbers in force."""
    cities = cities_needed(rules.victory, players)
    own: dict[str, Value] = {"victory_cities": cities, "victory_level": "custom", **options}
    for name, value in own.items():
        rules = with_option(rules, name, value)
    return counting_homes(rules) if "victory_homes" in options else rules


_OF_VICTORY = frozenset(name for name, option in OPTIONS.items() if option.group == "victory")


def change_rules(
    context: MailContext,
    line: Line,
    rules: Rules,
    message: MessageOrText,
    *,
    names: Collection[str] = (),
    settings: GameSettings | None = None,
) -> None:
    """Change the rules, log it and tell everybody; or say why they cannot change now.

    :param names: the options that *message* names; each other one that changes is named as well.
    :param settings: the new service options; None if they stay.
    """
    game = context.game
    if game is None or game.status is Status.FINISHED:
        context.refuse(line, context.why_not_played())
        return
    if game.status is Status.FORMING:
        bare = context.services.scenario(game).bare
        left = without_features(rules, bare)
        if left != rules:
            message = Message("setup.rule.bare", change=message, name=bare)
        rules = left
    changed = replace(game, rules=rules, settings=settings or game.settings)
    if changed == game:
        context.done(Message("setup.rule.as_before", change=message))
        return
    more = [name for name in departures(rules, game.rules) if name not in names]
    also = _options_message(rules, more)
    if game.status is Status.FORMING:
        accept(context, changed, message, also)
        return
    world = world_of(context.services.scenario(game), rules)
    view = context.view()
    flaw = unfit(world, game.rules, view.state) if view is not None else None
    if flaw is not None:
        context.refuse(line, flaw)
        return
    if context.current is not None:
        context.current = replace(context.current, world=world)
    message = Message("setup.rule.from_now_on", change=message)
    accept(context, changed, message, also)
    if view is not None:
        _judge_anew(context, view)


def _judge_anew(context: MailContext, before: GameView) -> None:
    game, after = context.game, context.view()
    if game is None or after is None:
        return
    own = context.seat.address if context.seat is not None else ""
    seats = [context.seat] if context.seat is not None else []
    sight = sight_of(game, seats)
    voided: list[Message] = []
    for void in revalidate(before, after):
        context.file(void.order_set)
        # A master who plays must not learn what others have ordered.
        if sight.sees_orders_of(void.order_set.power):
            voided += _voided_lines(after, void)
        seat = seat_of(game, void.order_set.power)
        if seat is None or seat.person is None:
            continue
        seen = view_for_power(after, void.order_set.power)
        lines: list[MessageOrText] = [
            Message("setup.rule.void", power=seen.words.power(void.order_set.power)),
            *(
                Message(
                    "setup.rule.void_order",
                    order=order_text(seen.words, order),
                    why=objection_words(seen.words, because),
                )
                for order, because in void.refused
            ),
            Message("setup.rule.void_waits"),
        ]
        announce(context, game, Message("session.parameter_change"), lines, {seat.address})
        if seat.address == own:
            context.answer.notices += lines
    context.done(Message("setup.rule.judged_anew"))
    if voided:
        for line in (Message("setup.rule.voided_title"), *voided):
            context.done(line)


def _voided_lines(view: GameView, void: VoidOrders) -> Iterator[Message]:
    words = Words(view.world)
    for order, because in void.refused:
        yield Message(
            "setup.rule.voided",
            power=words.power(void.order_set.power),
            order=order_text(words, order),
            why=objection_words(words, because),
        )


def _options_message(rules: Rules, names: Iterable[str]) -> tuple[Message, ...]:
    return tuple(_option_message(name, OPTIONS[name].of(rules)) for name in names)


def _option_message(name: str, value: object) -> Message:
    sentence = played_with(name, value)
    return Message("options.chosen", name=name, value=value_text(value), sentence=sentence)


def accept(
    context: MailContext, changed: Game, message: MessageOrText, also: Sequence[Message] = ()
) -> None:
    """Change a rule, log it, and tell everybody; *also* is what changes with it."""
    more = [Message("setup.rule.also", change=each) for each in also]
    context.set_game(changed)
    for each in (message, *also):
        context.note("rules", each)
    for line in (Message("setup.rule.done", change=message), *more):
        context.done(line)
    announce_setting(context, changed, [Message("setup.rule.changed", change=message), *more])


def unfit(world: World, old: Rules, state: State) -> Message | None:
    """Return why the position cannot go on under the rules of *world*; empty if it can."""
    game = world.rules.game
    if game.money is not old.game.money and state.moment.stage is not Stage.CAMPAIGN:
        return Message("setup.unfit.money")
    if any(unit.place in world.closed for unit in state.units()):
        return Message("setup.unfit.neutral")
    if not game.summer and state.moment.season is Season.SUMMER:
        return Message("setup.unfit.summer")
    if not game.garrisons and state.garrisons:
        return Message("setup.unfit.garrisons")
    if not game.forts and set(state.garrisons) - world.full_cities:
        return Message("setup.unfit.forts")
    if not game.special and any(unit.quality is not Quality.PLAIN for unit in state.units()):
        return Message("setup.unfit.special")
    if world.rules.money.assassinations and not (old.money.assassinations or state.chits):
        return Message("setup.unfit.assassinations")
    return None


EVERY_OPTION: Mapping[str, Option] = {**OPTIONS, **SERVICE_OPTION_FIELDS}
"""The options of the rules, then those of the service."""
_FILLER_WORDS = frozenset({"to", "=", ":", "is"})
_VICTORY = {"victory_cities": set_cities, "victory_homes": set_homes}
"""Options that are set together with their consequences (SET-22)."""


@setting("option")
def set_option(context: MailContext, line: Line, said: Setting) -> None:
    """Set one option of the rules by its name (area SET)."""
    name, words = _named([part for word in said.value for part in _parts(word)])
    option = EVERY_OPTION.get(name)
    if option is None:
        _refuse_name(context, line, name, said.value[1:])
    elif not words:
        now = value_text(_value_in(context.own_game, option))
        context.refuse(line, Message("options.no_value", name=name, now=now), _example(option))
    elif name in _VICTORY and words[0].isdecimal():
        _VICTORY[name](context, line, Setting(name, value=(words[0],)))
    else:
        value = said_value(option, words)
        do = _set_service_option if name in SERVICE_OPTION_FIELDS else _set_rule
        try:
            do(context, line, option, value)
        except UnknownRule:
            reason = _wrong_value(option, " ".join(words)[:_MAX_SHOWN])
            context.refuse(line, reason, option_line(name, words))


def _value_in(game: Game, option: Option) -> object:
    name = option.facts.name
    return (
        service_value(game.settings, name)
        if name in SERVICE_OPTION_FIELDS
        else option.of(game.rules)
    )


def _parts(word: str) -> list[str]:
    """Split ``home_formula=floor`` or ``home_formula: floor`` into two words."""
    name, sign, value = word.partition("=")
    if sign and _plain(name) in EVERY_OPTION:
        return [name, value] if value else [name]
    return [word.rstrip(":")] if _plain(word.rstrip(":")) in EVERY_OPTION else [word]


def _plain(word: str) -> str:
    return word.casefold().replace("-", "_")


def _named(words: Sequence[str]) -> tuple[str, Sequence[str]]:
    """The option that the words begin with, however spelled, and the words behind it."""
    for count in range(min(len(words), _MAX_WORDS), 0, -1):
        name = _plain("_".join(words[:count]))
        if name in EVERY_OPTION or name in NO_OPTIONS:
            behind = words[count:]
            return name, behind[1:] if behind and behind[0] in _FILLER_WORDS else behind
    return _plain(words[0]) if words else "", ()


_MAX_WORDS = 6


def _refuse_name(context: MailContext, line: Line, name: str, behind: Sequence[str]) -> None:
    if not name:
        context.refuse(line, Message("options.no_name"), _example(OPTIONS["home_formula"]))
    elif name in NO_OPTIONS:
        only, rule = NO_OPTIONS[name]
        context.refuse(
            line, Message("options.no_option", name=name, value=json.dumps(only), rule=rule)
        )
    else:
        near = get_close_matches(name, EVERY_OPTION, n=1)
        instead = option_line(near[0], behind) if near else None
        context.refuse(line, Message("options.unknown", name=name[:_MAX_SHOWN]), instead)


def _example(option: Option) -> str:
    return f"SET OPTION {option.facts.name} {value_text(option.default)}"


def _set_rule(context: MailContext, line: Line, option: Option, value: Value) -> None:
    """Set an option of the rules, with what its flag switches.  Raises UnknownRule."""
    game, name = context.own_game, option.facts.name
    rules, flag = _with_own_flag(game.rules, name, value), flag_of(name)
    flaw = _STAYS[name].get(game.status) if name in _STAYS and rules != game.rules else None
    if flaw is not None:
        context.refuse(line, flaw)
        return
    message, names = _option_message(name, option.of(rules)), {name}
    if flag is not None:
        message = _with_others(message, game.rules, rules, flag)
        names |= FLAG_OPTIONS
    change_rules(context, line, rules, message, names=names)


def _with_own_flag(rules: Rules, name: str, value: Value) -> Rules:
    """Return the rules with an option set, and with what its flag switches.  Raises UnknownRule."""
    found, flag = with_option(rules, name, value), flag_of(name)
    if flag is None:
        return found
    is_off = flag.off[name] == written(OPTIONS[name].of(found))
    return with_option(switched(rules, flag, on=not is_off), name, value)


def lines_back(
    before: Rules, after: Rules, scenario: Scenario, *, is_forming: bool
) -> tuple[str, ...]:
    """Return the lines that change the rules *after* into those *before*; empty if equal."""

    def kept(rules: Rules) -> Rules:
        return without_features(rules, scenario.bare) if is_forming else rules

    if before == after:
        return ()
    for flag in FLAGS:
        on = is_on(before, flag)
        if kept(switched(after, flag, on=on)) == before:
            return (f"SET {'' if on else 'NO'}{flag.name.upper()}",)
    lines, now = list[str](), after
    for _ in range(_MAX_ROUNDS):
        for name in sorted(departures(before, now), key=_order_back):
            value = OPTIONS[name].of(before)
            if OPTIONS[name].of(now) == value:
                continue
            number = value if name in _VICTORY and isinstance(value, int) else None
            now = kept(
                _with_own_flag(now, name, written(value))
                if number is None
                else _with_victory(now, scenario.players, _VICTORY_OF[name](number))
            )
            lines.append(f"SET OPTION {name} {value_text(value)}")
    return tuple(lines)


_VICTORY_OF: Mapping[str, Callable[[int], Mapping[str, Value]]] = {
    "victory_cities": lambda number: {"victory_cities": number},
    "victory_homes": lambda number: {"home_formula": "none", "victory_homes": number},
}
"""What `set_cities` and `set_homes` set."""
_MAX_ROUNDS = 3
"""Some options switch others, which are then set once more."""


def _order_back(name: str) -> tuple[bool, bool, bool]:
    """Flags first, and the level of victory after its numbers, which change it."""
    return (flag_of(name) is None, name == "home_formula", name == "victory_level")


_MAX_SHOWN = 60


def _set_service_option(context: MailContext, line: Line, option: Option, value: Value) -> None:
    """Do what the equivalent setting does, if it may be done now.  Raises UnknownRule."""
    game, name = context.own_game, option.facts.name
    found = read_service_option(game.settings, name, value)
    flaw = _STAYS.get(name, OVER).get(game.status)
    if flaw is not None:
        context.refuse(line, flaw)
    elif isinstance(found, Policy):
        clock.set_policy(context, line, Setting("nmr", value=(found.value.replace("_", ""),)))
    elif isinstance(found, Treasuries):
        set_toggle(context, line, Setting("hidden money", on=found is Treasuries.PRIVATE))
    else:
        # Any: mypy cannot know the types of fields that are named by options.
        change: dict[str, Any] = {option.field: found}
        message = _option_message(name, found)
        tell(context, replace(game, settings=replace(game.settings, **change)), message)


_STAYS = {
    "late_orders": {},
    "treasury_visibility": {**_stays("hidden money"), **OVER},
    "side_units": _stays("side_units"),
    "special_public": _stays("special_public"),
    "fog": _stays("fog"),
    "ratings": _stays("ratings"),
}
"""Options fixed once the game has begun; other service options until it is over."""


def tell(context: MailContext, changed: Game, message: MessageOrText) -> None:
    """Save a change of the master, and tell everybody."""
    context.set_game(changed)
    context.note("settings", message)
    context.done(Message("setup.done", change=message))
    announce_setting(context, changed, [Message("setup.master_has_set", change=message)])


def _wrong_value(option: Option, said: str) -> Message:
    name, limits, usual = option.facts.name, option.facts.limits, option.default
    if isinstance(usual, bool):
        return Message("options.not_truth", name=name, said=said)
    if option.choices:
        values = tuple(map(value_text, option.choices))
        return Message("options.not_among", name=name, values=values, said=said)
    if limits.among and isinstance(usual, tuple):
        return Message("options.not_list", name=name, values=limits.among, said=said)
    if isinstance(usual, tuple):
        count, most = len(usual), limits.most
        return Message("options.not_numbers", name=name, count=count, most=most, said=said)
    if isinstance(usual, int):
        return Message("options.not_number", name=name, most=limits.most, said=said)
    keys = keys_of(option)
    return Message("options.not_map", name=name, most=limits.most, values=keys, said=said)


def give_option_help(context: MailContext, topic: str) -> bool:
    """Add the help of all options, or of one; return False if the topic is no option."""
    words = topic.casefold().removeprefix("set ").split()
    if words in (["options"], ["option"]) and not topic.casefold().startswith("set "):
        facts = {"options": list(map(_row, EVERY_OPTION)), "presets": tuple(PRESETS)}
        lines = context.renderer.lines("help_options", facts)
        context.answer.texts.append(Text("HELP OPTIONS", lines))
        return True
    name = _plain("_".join(words[1:] if words[:1] == ["option"] else words))
    if name not in EVERY_OPTION or len(words) < _LEAST_WORDS.get(name, 1):
        return False
    lines = context.renderer.lines("help_option", _facts(context, EVERY_OPTION[name]))
    context.answer.texts.append(Text(f"HELP OPTION {name}", lines))
    return True


_LEAST_WORDS = {
    name: 2
    for name, option in EVERY_OPTION.items()
    if option.facts.flag or name in settings.options()
}
"""Options that are also commands, as ``dice``: with the word *option* only."""


def _row(name: str) -> dict[str, object]:
    """An option in short: its subject, and its values with the usual one first."""
    option = EVERY_OPTION[name]
    usual = value_text(option.default)
    others = (text for text in map(value_text, option.choices) if text != usual)
    return {"name": name, "about": about_option(name), "values": ", ".join((usual, *others))}


def _facts(context: MailContext, option: Option) -> dict[str, object]:
    name, game = option.facts.name, context.game
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
