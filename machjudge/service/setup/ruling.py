"""The rules of a game, set by its master: flags, presets, and what wins (area SET).

Before the game begins they change freely.  Later each change is marked in the log and told, and
refused where the position holds what the new rules do not know.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from difflib import get_close_matches

from machjudge.adjudicator.land.victory import cities_needed
from machjudge.adjudicator.model.moments import Season, Stage
from machjudge.adjudicator.model.options import (
    OPTIONS,
    departures,
    value_text,
    with_option,
    written,
)
from machjudge.adjudicator.model.presets import (
    PRESETS,
    lineage,
    nearest,
    without_features,
)
from machjudge.adjudicator.model.rules import Rules
from machjudge.adjudicator.model.state import State
from machjudge.adjudicator.model.units import Quality
from machjudge.adjudicator.model.world import World, world_of
from machjudge.language.commands.commands import Setting
from machjudge.letters.page.rulesheet import victory_words
from machjudge.letters.wording.notation import order_text
from machjudge.letters.wording.option_words import played_with
from machjudge.letters.wording.why import objection
from machjudge.reading import Line
from machjudge.sentence import Sentence, Wording
from machjudge.service.credentials.authority import Act
from machjudge.service.game.view import GameView, seat_of
from machjudge.service.model.conduct import Conduct
from machjudge.service.model.desk_options import with_preset
from machjudge.service.model.records import Game, Status
from machjudge.service.orders.merged_orders import judged_anew
from machjudge.service.session.command import MASTERS, RULES, CommandEntry, Handler, once_begun
from machjudge.service.session.outgoing import announce, announce_setting, as_led
from machjudge.service.session.session import Session
from machjudge.service.setup.flags import FLAGS, find_flag, is_on
from machjudge.service.setup.rulebook import (
    PRESET_WORDS,
    BadOption,
    desk_contrasts,
    preset_for,
    preset_of,
    rules_for,
    with_word,
)


def set_flag(session: Session, line: Line, said: Setting) -> None:
    """Switch a rule of the game on or off (SET-02 to SET-15)."""
    game = session.game
    if game is None:
        return
    if said.value:
        session.refuse(line, Sentence("setup.nothing_behind", name=said.key))
        return
    rules = with_word(game.rules, f"{'' if said.on else 'no'}{said.key}")
    if isinstance(rules, BadOption):
        session.refuse(line, rules.why)
    else:
        several = said.key in _PLURALS
        told = Sentence("setup.rule.flag", name=said.key, on=said.on, several=several)
        told = with_others(told, game.rules, rules, said)
        change_rules(session, line, rules, told, names=FLAG_OPTIONS)
        off = _still_off(rules, said) if said.on and rules != game.rules else ()
        if off:
            session.done(Sentence("setup.rule.still_off", names=off))


FLAG_OPTIONS = frozenset(flag.option for flag in FLAGS)
"""The options that flags switch."""


def _still_off(rules: Rules, said: Setting) -> tuple[str, ...]:
    """The flags that went off with this one and do not come back with it (SET-03, SET-04)."""
    found = find_flag(said.key)
    own = found[0] if found is not None else None
    return tuple(
        flag.name
        for flag in FLAGS
        if own is not None and flag != own and flag.option in own.off and not is_on(rules, flag)
    )


def rule_entry(key: str, handler: Handler = set_flag) -> CommandEntry:
    """The entry of a rule of the game, by the name that the language has for it."""
    return CommandEntry(f"set {key}", RULES, MASTERS, Act.STEER, handler, setting=key)


SET_MONEY = rule_entry("money")
SET_FLAGS = tuple(
    rule_entry(key)
    for key in (
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
)
"""The other flags; that of the dice stands with the shared dice."""


_PLURALS = frozenset({"dice", "garrisons", "forts", "coastal convoys", "storms", "assassinations"})


def with_others(told: Sentence, before: Rules, after: Rules, said: Setting) -> Sentence:
    """*told*, with the other flags that change as well, as those do that need dice (SET-04)."""
    found = find_flag(said.key)
    own = found[0] if found is not None else None
    others = tuple(f.name for f in FLAGS if f != own and is_on(before, f) is not is_on(after, f))
    several = said.key in _PLURALS
    both = Sentence("setup.rule.with_others", told=told, several=several, others=others)
    return both if others else told


def set_preset(session: Session, line: Line, said: Setting) -> None:
    """Take all flags from a named set of rules, before the game begins (SET-16)."""
    game = session.game
    if game is None:
        return
    word, scenario = said.value[0].lower(), session.services.scenario(game)
    rules = rules_for(scenario, said.value)
    if not isinstance(rules, BadOption):
        conduct = with_preset(game.conduct, preset_for(scenario, said.value) or "judge")
        run = tuple(each for _, _, each in desk_contrasts(game.conduct, conduct))
        told = Sentence("setup.rule.preset", name=word, run=run)
        change_rules(session, line, rules, told, conduct=conduct)
    elif preset_of(word) is not None:
        session.refuse(line, rules.why)
    else:
        near = get_close_matches(word, PRESET_WORDS, n=1)
        reason = Sentence("setup.rule.no_preset", known=PRESET_WORDS)
        session.refuse(line, reason, instead=f"SET PRESET {near[0]}" if near else None)


_KEPT = once_begun(Sentence("setup.rule.preset_stays"))
SET_PRESET = replace(
    rule_entry("preset", set_preset),
    refused_in=_KEPT,
)


def set_edition(session: Session, line: Line, said: Setting) -> None:
    """The rules of 1995, or the usual ones in their place (SET-01).

    A flag among others: what its master has set otherwise than the set of rules stays as it is.
    """
    game = session.game
    if game is None:
        return
    before = nearest(game.rules)
    if not said.on and "mach2" not in lineage(before):
        session.done(Sentence("setup.rule.mach2_off"))
        return
    name = "mach2" if said.on else "judge"
    rules, conduct = PRESETS[name], with_preset(game.conduct, name)
    kept = departures(game.rules, PRESETS[before])
    for each in kept:
        rules = with_option(rules, each, written(OPTIONS[each].of(game.rules)))
    run = tuple(each for _, _, each in desk_contrasts(game.conduct, conduct))
    told = Sentence("setup.rule.preset", name=name, run=run)
    change_rules(session, line, rules, told, conduct=conduct)
    if kept:
        session.done(Sentence("setup.rule.kept", told=_options_told(game.rules, kept)))


SET_MACH2 = replace(
    rule_entry("mach2", set_edition),
    refused_in=_KEPT,
)


def set_level(session: Session, line: Line, said: Setting) -> None:
    """The rules of the basic or the advanced game: presets by other words (SET-16)."""
    name = {"basic": "basic", "advanced": "judge"}[said.key]
    if not said.on:
        session.refuse(line, Sentence("setup.rule.basic_or_advanced"))
    else:
        set_preset(session, line, Setting("preset", value=(name,)))


SET_BASIC = replace(
    rule_entry("basic", set_level),
    refused_in=_KEPT,
)
SET_ADVANCED = replace(
    rule_entry("advanced", set_level),
    refused_in=_KEPT,
)


def set_cities(session: Session, line: Line, said: Setting) -> None:
    """How many cities win (SET-22)."""
    game = session.game
    if game is None:
        return
    scenario = session.services.scenario(game)
    most = len(world_of(scenario, game.rules).full_cities)
    if not 1 <= said.number <= most:
        session.refuse(line, Sentence("setup.rule.most_cities", most=most))
        return
    own = _custom(game.rules, scenario.players)
    _change_victory(session, line, with_option(own, "victory_cities", said.number))


SET_CITIES = rule_entry("cities", set_cities)


def set_homes(session: Session, line: Line, said: Setting) -> None:
    """How many home countries win, the own included, whatever the number of cities."""
    game = session.game
    if game is None:
        return
    scenario = session.services.scenario(game)
    most = len(scenario.powers)
    if said.number > most:
        session.refuse(line, Sentence("setup.rule.most_homes", most=most))
        return
    rules = with_option(_custom(game.rules, scenario.players), "home_formula", "none")
    _change_victory(session, line, with_option(rules, "victory_homes", said.number))


SET_HOMES = rule_entry("homes", set_homes)


def _change_victory(session: Session, line: Line, rules: Rules) -> None:
    if session.game is not None:
        players = session.services.scenario(session.game).players
        wins = victory_words(rules, players)
        told = Sentence("setup.rule.wins", wins=wins)
        change_rules(session, line, rules, told, names=_OF_VICTORY)


_OF_VICTORY = frozenset(name for name, option in OPTIONS.items() if option.group == "victory")


def _custom(rules: Rules, players: int) -> Rules:
    """The rules with a victory of their own numbers, which begin as what wins now."""
    from_now = with_option(rules, "victory_cities", cities_needed(rules.victory, players))
    return with_option(from_now, "victory_level", "custom")


def change_rules(
    session: Session,
    line: Line,
    rules: Rules,
    told: Wording,
    *,
    names: Collection[str] = (),
    conduct: Conduct | None = None,
) -> None:
    """Change the rules, note it and tell everybody; or say why they cannot change now.

    :param names: the options of which *told* tells; each other one that changes is named as well.
    :param conduct: how the game is run from now on; None where that stays.
    """
    game = session.game
    if game is None or game.status is Status.FINISHED:
        session.refuse(line, session.why_not_played())
        return
    if game.status is Status.FORMING:
        bare = session.services.scenario(game).bare
        left = without_features(rules, bare)
        if left != rules:
            told = Sentence("setup.rule.bare", told=told, name=bare)
        rules = left
    changed = replace(game, rules=rules, conduct=conduct or game.conduct)
    if changed == game:
        session.done(Sentence("setup.rule.as_before", told=told))
        return
    more = [name for name in departures(rules, game.rules) if name not in names]
    also = _options_told(rules, more)
    if game.status is Status.FORMING:
        accept(session, changed, told, also)
        return
    world = world_of(session.services.scenario(game), rules)
    situation = session.situation()
    flaw = unfit(world, game.rules, situation.state) if situation is not None else None
    if flaw is not None:
        session.refuse(line, flaw)
        return
    if session.current is not None:
        session.current = replace(session.current, world=world)
    told = Sentence("setup.rule.from_now_on", told=told)
    accept(session, changed, told, also)
    if situation is not None:
        _judge_anew(session, situation)


def _judge_anew(session: Session, before: GameView) -> None:
    """Take orders that the change makes void off file, and tell those who gave them."""
    game, after = session.game, session.situation()
    if game is None or after is None:
        return
    own = session.seat.address if session.seat is not None else ""
    for void in judged_anew(before, after):
        session.file(void.sheet)
        seat = seat_of(game, void.sheet.power)
        if seat is None or seat.person is None:
            continue
        seen = as_led(after, void.sheet.power)
        lines: list[Wording] = [
            Sentence("setup.rule.void", power=seen.words.power(void.sheet.power)),
            *(
                Sentence(
                    "setup.rule.void_order",
                    order=order_text(seen.words, order),
                    why=objection(seen.words, because),
                )
                for order, because in void.refused
            ),
            Sentence("setup.rule.void_waits"),
        ]
        announce(session, game, Sentence("session.parameter_change"), lines, {seat.address})
        if seat.address == own:
            session.answer.notices += lines
    session.done(Sentence("setup.rule.judged_anew"))


def _options_told(rules: Rules, names: Iterable[str]) -> tuple[Sentence, ...]:
    """What is played with each of some options."""
    values = ((name, OPTIONS[name].of(rules)) for name in names)
    return tuple(
        Sentence("options.told", name=name, value=value_text(v), sentence=played_with(name, v))
        for name, v in values
    )


def accept(session: Session, changed: Game, told: Wording, also: Sequence[Sentence] = ()) -> None:
    """Change a rule of the game, note it, and tell everybody; *also* is what changes with it."""
    more = [Sentence("setup.rule.also", told=each) for each in also]
    session.set_game(changed)
    for each in (told, *also):
        session.note("rules", each)
    for line in (Sentence("setup.rule.done", told=told), *more):
        session.done(line)
    announce_setting(session, changed, [Sentence("setup.rule.changed", told=told), *more])


def unfit(world: World, old: Rules, state: State) -> Sentence | None:
    """Why a game in this position cannot go on under the rules of *world*; nothing if it can."""
    game = world.rules.game
    if game.money is not old.game.money and state.moment.stage is not Stage.CAMPAIGN:
        return Sentence("setup.unfit.money")
    if any(unit.place in world.closed for unit in state.units()):
        return Sentence("setup.unfit.neutral")
    if not game.summer and state.moment.season is Season.SUMMER:
        return Sentence("setup.unfit.summer")
    if not game.garrisons and state.garrisons:
        return Sentence("setup.unfit.garrisons")
    if not game.forts and set(state.garrisons) - world.full_cities:
        return Sentence("setup.unfit.forts")
    if not game.special and any(unit.quality is not Quality.PLAIN for unit in state.units()):
        return Sentence("setup.unfit.special")
    if world.rules.money.assassinations and not (old.money.assassinations or state.chits):
        return Sentence("setup.unfit.assassinations")
    return None
