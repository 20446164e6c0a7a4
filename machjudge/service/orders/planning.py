"""The commands about orders ahead: for which phase they are, the wish to wait, dropping them."""

from dataclasses import replace

from machjudge.adjudicator.model.moments import Moment, Season, Stage
from machjudge.adjudicator.model.names import PowerId
from machjudge.language.commands.commands import (
    Clear,
    Cleared,
    Phase,
    PlainCommand,
    Setting,
)
from machjudge.reading import Line
from machjudge.sentence import Sentence, Wording
from machjudge.service.credentials.authority import Act
from machjudge.service.game.view import GameView
from machjudge.service.model.plans import Target, is_ahead
from machjudge.service.model.records import Sheet
from machjudge.service.orders import waiting
from machjudge.service.orders.future_orders import keep, plan_of
from machjudge.service.session.command import ANYBODY, PLAYERS, PLAYING, CommandEntry
from machjudge.service.session.session import Session, too_old

MOST_YEARS = 5
"""For how many years ahead orders are kept."""


# --- for which phase -------------------------------------------------------------------------


def phase(session: Session, line: Line, said: Phase) -> None:
    """The orders that follow are for that phase, or for every phase of a kind."""
    situation = session.situation()
    flaw = session.why_not_played() if situation is None else _flaw(session, situation, said.phase)
    session.is_nowhere, session.is_phase_unread = flaw is not None, False
    session.target = None
    if flaw is not None or situation is None:
        session.refuse(line, flaw or "", note=Sentence("orders.later.not_taken"))
    elif said.phase == situation.state.moment:
        session.names_phase = True
    else:
        session.target = said.phase


PHASE = CommandEntry(
    "phase",
    PLAYING,
    PLAYERS,
    Act.PLAY,
    phase,
    Phase,
    is_dry=True,
)


def _flaw(session: Session, situation: GameView, target: Target) -> Sentence | None:
    """Why orders cannot be kept for a phase."""
    if session.power in situation.state.eliminated:
        return Sentence("orders.later.eliminated")
    if isinstance(target, Stage) or target == situation.state.moment:
        return None
    now = situation.state.moment
    last = now.campaign.years_later(MOST_YEARS)
    if target < now:
        return Sentence("orders.later.over", code=target.code, now=now.code)
    if last < target.campaign:
        return Sentence("orders.later.too_late", years=MOST_YEARS, last=last.code)
    if target.season is Season.SUMMER and not situation.world.rules.game.summer:
        return Sentence("orders.later.no_summer", code=target.code)
    if target.stage is Stage.ADJUSTMENT and target.season is not Season.FALL:
        return Sentence("orders.later.no_adjustment", code=target.code)
    return None


def set_wait(session: Session, line: Line, said: Setting) -> None:
    """Wait for the deadline, or not: in this phase, or in the one named above."""
    situation, power = session.situation(), session.power
    if session.is_nowhere:
        session.refuse(line, Sentence("orders.later.nowhere"))
    elif session.target is None or situation is None or power is None:
        waiting.set_wait(session, line, said)
    else:
        plan = plan_of(session, power)
        keep(session, plan.with_part(replace(plan.part(session.target), waits=said.on)))
        session.done(waiting.wish(session, _named(session.target), waits=said.on))


SET_WAIT = CommandEntry(
    "set wait",
    PLAYING,
    PLAYERS,
    Act.PLAY,
    set_wait,
    setting="wait",
    also=("wait", "nowait"),
    is_dry=True,
    for_the_living=True,
)


def _named(target: Target) -> Wording:
    if isinstance(target, Moment):
        return target.code
    return Sentence(f"orders.every.{target.name.lower()}")


def dry(session: Session, _: Line, __: PlainCommand) -> None:
    """Nothing of the mail is stored, which was seen before it was read."""
    session.is_dry = True


DRY = CommandEntry(
    "dry",
    PLAYING,
    ANYBODY,
    Act.READ,
    dry,
    is_dry=True,
)


# --- dropping --------------------------------------------------------------------------------


def clear(session: Session, line: Line, said: Clear) -> None:
    """Drop orders on file: of a phase, of all later ones, of every phase of a kind, or all."""
    situation, power = session.situation(), session.power
    if situation is None or power is None:
        session.refuse(line, session.why_not_played())
        return
    what = _meant(session, situation, said.what)
    is_now = what in (situation.state.moment, Cleared.ALL)
    flaw = _clear_flaw(session, situation, what, is_now=is_now)
    if flaw:
        session.refuse(line, flaw)
        return
    if is_now:
        _clear_now(session, situation, power)
    _clear_ahead(session, situation, power, what)


CLEAR = CommandEntry(
    "clear",
    PLAYING,
    PLAYERS,
    Act.PLAY,
    clear,
    Clear,
    is_dry=True,
)


def _meant(session: Session, situation: GameView, what: Target | Cleared) -> Target | Cleared:
    if what is not Cleared.HERE:
        return what
    return session.target or situation.state.moment


def _clear_flaw(
    session: Session, situation: GameView, what: Target | Cleared, *, is_now: bool
) -> Wording | None:
    if session.is_nowhere:
        return Sentence("orders.clear.nowhere")
    if isinstance(what, Moment) and what < situation.state.moment:
        return Sentence("orders.clear.over", code=what.code)
    plan = situation.plans.get(session.power or PowerId(""))
    if plan is not None and plan.received > session.received:
        return Sentence("orders.clear.older")
    return too_old(session) if is_now and not isinstance(what, Moment) else None


def _clear_now(session: Session, situation: GameView, power: PowerId) -> None:
    code = situation.state.moment.code
    old = situation.sheets.get(power)
    if old is None or not old.lines:
        session.done(Sentence("orders.clear.nothing_now", code=code))
    else:
        session.done(Sentence("orders.clear.now", code=code, number=old.number))
    if old is None or old.lines or old.flawed:
        session.file(_next_set(session, situation, power, old))


def _next_set(session: Session, situation: GameView, power: PowerId, old: Sheet | None) -> Sheet:
    return Sheet(
        game=situation.game.id,
        after=situation.phase.number,
        power=power,
        number=old.number + 1 if old is not None else 1,
        lines=(),
        flawed=False,
        received=max(session.received, old.received) if old is not None else session.received,
        mail=session.mail_id,
    )


def _clear_ahead(
    session: Session, situation: GameView, power: PowerId, what: Target | Cleared
) -> None:
    plan = plan_of(session, power)
    now = situation.state.moment
    left = plan.without(lambda target: _is_dropped(target, what, now))
    gone = [part.target for part in plan.parts if part not in left.parts]
    if gone:
        keep(session, left)
    told = tuple(_named(target) for target in gone if is_ahead(target, now))
    if told:
        session.done(Sentence("orders.clear.done", phases=told))
    elif what != now and what is not Cleared.ALL:
        session.done(Sentence("orders.clear.nothing"))


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
