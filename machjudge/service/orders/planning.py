"""The commands about order sets: for which phase, dropping them, taking an earlier one again."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias, TypeVar

from machjudge.adjudicator.model.moments import Moment, Season, Stage
from machjudge.adjudicator.model.names import PowerId
from machjudge.language.commands.commands import (
    Clear,
    Cleared,
    Dry,
    OrderSets,
    Phase,
    Restore,
    Setting,
)
from machjudge.letters.page.reply import Text
from machjudge.letters.wording.notation import order_text
from machjudge.letters.wording.times import when
from machjudge.letters.wording.words import Words, moment_words
from machjudge.reading import Line
from machjudge.service.game.pending import plan_lines
from machjudge.service.game.stored_orders import read_order_lines
from machjudge.service.game.view import Situation, zone_of
from machjudge.service.model.plans import Plan, Target, is_ahead
from machjudge.service.model.records import Sheet
from machjudge.service.orders import waiting
from machjudge.service.orders.future_orders import keep, plan_of
from machjudge.service.orders.submit import Given, submit
from machjudge.service.session.session import Talk, too_old

MOST_YEARS = 5
"""For how many years ahead orders are kept."""

_MOST_SETS = 20
"""How many of one's own order sets are shown."""
Numbered = TypeVar("Numbered", Sheet, Plan)
LinesOf: TypeAlias = Callable[[Numbered], Iterable[str]]
_KINDS = {
    Stage.CAMPAIGN: "every campaign",
    Stage.RETREATS: "every retreat phase",
    Stage.ADJUSTMENT: "every adjustment",
}


# --- for which phase -------------------------------------------------------------------------


def phase(talk: Talk, line: Line, said: Phase) -> None:
    """The orders that follow are for that phase, or for every phase of a kind."""
    situation = talk.situation()
    flaw = talk.why_not_played() if situation is None else _flaw(talk, situation, said.phase)
    talk.is_nowhere, talk.is_phase_unread = bool(flaw), False
    talk.target = None
    if flaw or situation is None:
        talk.refuse(line, flaw, note="The orders below it were not taken")
    elif said.phase == situation.state.moment:
        talk.names_phase = True
    else:
        talk.target = said.phase


def _flaw(talk: Talk, situation: Situation, target: Target) -> str:
    """Why orders cannot be kept for a phase."""
    if talk.power in situation.state.eliminated:
        return "your power is eliminated, so that there are no orders to keep"
    if isinstance(target, Stage) or target == situation.state.moment:
        return ""
    now = situation.state.moment
    last = now.campaign.years_later(MOST_YEARS)
    if target < now:
        return f"{target.code} is over; the game is at {now.code}"
    if last < target.campaign:
        return f"orders are kept for {MOST_YEARS} years at most, so until {last.code}"
    if target.season is Season.SUMMER and not situation.world.rules.game.summer:
        return f"{target.code} will not come, because this game has no Summer"
    if target.stage is Stage.ADJUSTMENT and target.season is not Season.FALL:
        return f"{target.code} will not come, because only Fall ends in an adjustment"
    return ""


def set_wait(talk: Talk, line: Line, said: Setting) -> None:
    """Wait for the deadline, or not: in this phase, or in the one named above."""
    situation, power = talk.situation(), talk.power
    if talk.is_nowhere:
        talk.refuse(line, "there can be no orders for the phase that is named above")
    elif talk.target is None or situation is None or power is None:
        waiting.set_wait(talk, line, said)
    else:
        plan = plan_of(talk, power)
        keep(talk, plan.with_part(replace(plan.part(talk.target), waits=said.on)))
        talk.done(waiting.wish_words(talk, _named(talk.target), waits=said.on))


def _named(target: Target) -> str:
    return target.code if isinstance(target, Moment) else _KINDS[target]


def dry(talk: Talk, _: Line, __: Dry) -> None:
    """Nothing of the mail is stored, which was seen before it was read."""
    talk.is_dry = True


# --- dropping --------------------------------------------------------------------------------


def clear(talk: Talk, line: Line, said: Clear) -> None:
    """Drop orders on file: of a phase, of all later ones, of every phase of a kind, or all."""
    situation, power = talk.situation(), talk.power
    if situation is None or power is None:
        talk.refuse(line, talk.why_not_played())
        return
    what = _meant(talk, situation, said.what)
    is_now = what in (situation.state.moment, Cleared.ALL)
    flaw = _clear_flaw(talk, situation, what, is_now=is_now)
    if flaw:
        talk.refuse(line, flaw)
        return
    if is_now:
        _clear_now(talk, situation, power)
    _clear_ahead(talk, situation, power, what)


def _meant(talk: Talk, situation: Situation, what: Target | Cleared) -> Target | Cleared:
    if what is not Cleared.HERE:
        return what
    return talk.target or situation.state.moment


def _clear_flaw(talk: Talk, situation: Situation, what: Target | Cleared, *, is_now: bool) -> str:
    if talk.is_nowhere:
        return "say what to clear, because there can be no orders for the phase named above"
    if isinstance(what, Moment) and what < situation.state.moment:
        return f"{what.code} is over; what was ordered for it stays in the record"
    plan = situation.plans.get(talk.power or PowerId(""))
    if plan is not None and plan.received > talk.received:
        return "a newer mail of yours has changed your orders for later phases; CLEAR again"
    return too_old(talk) if is_now and not isinstance(what, Moment) else ""


def _clear_now(talk: Talk, situation: Situation, power: PowerId) -> None:
    code = situation.state.moment.code
    old = situation.sheets.get(power)
    if old is None or not old.lines:
        talk.done(f"You had no orders on file for {code}.")
    else:
        talk.done(f"Your orders for {code} are dropped; RESTORE {old.number} brings them back.")
    if old is None or old.lines or old.flawed:
        talk.file(_next_set(talk, situation, power, old))


def _next_set(talk: Talk, situation: Situation, power: PowerId, old: Sheet | None) -> Sheet:
    return Sheet(
        game=situation.game.id,
        after=situation.phase.number,
        power=power,
        number=old.number + 1 if old is not None else 1,
        lines=(),
        flawed=False,
        received=max(talk.received, old.received) if old is not None else talk.received,
        mail=talk.mail_id,
    )


def _clear_ahead(talk: Talk, situation: Situation, power: PowerId, what: Target | Cleared) -> None:
    plan = plan_of(talk, power)
    now = situation.state.moment
    left = plan.without(lambda target: _is_dropped(target, what, now))
    gone = [part.target for part in plan.parts if part not in left.parts]
    if gone:
        keep(talk, left)
    told = [_named(target) for target in gone if is_ahead(target, now)]
    if told:
        talk.done(f"Your orders for {', '.join(told)} are dropped.")
    elif what != now and what is not Cleared.ALL:
        talk.done("There was nothing of that kind on file.")


def _is_dropped(target: Target, what: Target | Cleared, now: Moment) -> bool:
    match what:
        case Cleared.ALL:
            return True
        case Cleared.LATER:
            return isinstance(target, Moment) and now < target
        case Cleared.STANDING:
            return isinstance(target, Stage)
        case Cleared.HERE | Moment() | Stage():
            return target == what


# --- earlier sets ----------------------------------------------------------------------------


def restore(talk: Talk, line: Line, said: Restore) -> None:
    """Take an earlier order set again, as far as its orders can still be given."""
    situation, power = talk.situation(), talk.power
    if situation is None or power is None:
        talk.refuse(line, talk.why_not_played())
    elif said.later:
        _restore_plan(talk, line, situation, said.number)
    elif too_old(talk):
        talk.refuse(line, too_old(talk))
    else:
        _restore_set(talk, line, situation, said.number)


def _restore_set(talk: Talk, line: Line, situation: Situation, number: int) -> None:
    power = talk.power or PowerId("")
    sets = sets_of(talk, situation, power)
    if number not in sets:
        talk.refuse(line, _no_such_set(sets), instead="HISTORY ORDERS")
        return
    last = sets[max(sets)]
    empty = replace(last, lines=(), flawed=False)
    lines = tuple(
        Line(at, each.canonical, each.canonical)
        for at, each in enumerate(sets[number].lines, start=1)
    )
    before = replace(situation, sheets={**situation.sheets, power: empty})
    taken = submit(before, Given(power, lines, talk.received, talk.mail_id))
    if taken.sheet is None:
        return
    written = {each.canonical: each for each in sets[number].lines}
    again = tuple(
        replace(each, written=written[each.canonical].written)
        if each.canonical in written
        else each
        for each in taken.sheet.lines
    )
    talk.file(replace(taken.sheet, lines=again))
    talk.done(f"Your orders are those of set {number} again; this is set {taken.sheet.number}.")
    for trouble in taken.troubles:
        talk.refuse(line, f"{trouble.line}: {trouble.reason}")


def _restore_plan(talk: Talk, line: Line, situation: Situation, number: int) -> None:
    power = talk.power or PowerId("")
    plans = plans_of(talk, power)
    if number not in plans:
        talk.refuse(line, _no_such_set(plans), instead="HISTORY ORDERS")
        return
    newest = plan_of(talk, power)
    keep(talk, replace(newest, parts=plans[number].parts))
    talk.done(f"Your orders for later phases are those of set {number} again.")


def _no_such_set(sets: Mapping[int, object]) -> str:
    if not sets:
        return "you have no such order sets yet"
    return f"there is no such set; they have the numbers {min(sets)} to {max(sets)}"


def sets_of(talk: Talk, situation: Situation, power: PowerId) -> dict[int, Sheet]:
    """The order sets of a power for the phase that is played, by their numbers.

    What changed the position in between (chits, corrections) does not end the phase.
    """
    stored = situation.phase
    found: dict[int, Sheet] = {}
    fresh = {phase.number: phase for phase, _ in talk.changes.phases}
    while True:
        for each in talk.uow.sheets.history(situation.game.id, stored.number, power):
            found.setdefault(each.number, each)
        if not stored.is_interlude or stored.parent is None:
            break
        stored = fresh.get(stored.parent) or talk.uow.phases.get(situation.game.id, stored.parent)
    found.update({s.number: s for s in talk.changes.sheets if s.power == power})
    return dict(sorted(found.items()))


def plans_of(talk: Talk, power: PowerId) -> dict[int, Plan]:
    """All plans of a power by their numbers."""
    game = talk.game
    stored = talk.uow.plans.history(game.id, power) if game is not None else ()
    fresh = (plan for plan in talk.changes.plans if plan.power == power)
    return {plan.number: plan for plan in (*stored, *fresh)}


def order_sets(talk: Talk, line: Line, _: OrderSets) -> None:
    """Show one's own order sets with their numbers."""
    situation, power = talk.situation(), talk.power
    if situation is None or power is None:
        talk.refuse(line, talk.why_not_played())
        return
    moment = situation.state.moment
    sets = list(sets_of(talk, situation, power).values())
    lines = _shown(talk, sets, lambda each: _set_lines(situation, each))
    title = f"YOUR ORDER SETS OF {moment.code}"
    talk.answer.texts.append(Text(title, lines or (f"  none yet for {moment_words(moment)}",)))
    plans = list(plans_of(talk, power).values())
    if plans:
        shown = _shown(talk, plans, lambda each: plan_lines(situation, each)[:-1])
        talk.answer.texts.append(Text("YOUR ORDER SETS FOR LATER PHASES", shown))


def _shown(talk: Talk, sets: Sequence[Numbered], lines_of: LinesOf[Numbered]) -> tuple[str, ...]:
    """The newest of them, each under its number and when it came."""
    lines: list[str] = []
    zone = zone_of(talk.desk, talk.person)
    for each in sets[-_MOST_SETS:]:
        lines.append(f"  set {each.number}, {when(each.received, zone)}")
        lines += list(lines_of(each)) or ["    no orders"]
    return tuple(lines)


def _set_lines(situation: Situation, sheet: Sheet) -> Iterable[str]:
    words = Words(situation.world)
    orders = read_order_lines(situation.world, situation.state.moment.stage, sheet.lines)
    return [f"    {order_text(words, order)}" for order in orders]
