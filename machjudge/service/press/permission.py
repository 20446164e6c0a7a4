"""Whether a message may be written: by this writer, in this game, now."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from machjudge.adjudicator.model.rules import Ban
from machjudge.adjudicator.money.excommunication import is_cut_off
from machjudge.language.commands.commands import Tone
from machjudge.letters.page.press import EVERYBODY
from machjudge.letters.wording.words import Words
from machjudge.sentence import Sentence
from machjudge.service.game.view import GameView
from machjudge.service.model.press_rules import Fakes, FromLate, FromObservers, PressRules, Tones
from machjudge.service.model.records import Game, Role, Seat, Status
from machjudge.service.orders.submit import Given, submit
from machjudge.service.session.audience import Meant
from machjudge.service.session.outgoing import sight_of
from machjudge.service.session.session import Session

_FIRST_TONE = {
    Tones.NONE: Tone.SIGNED,
    Tones.WHITE: Tone.SIGNED,
    Tones.WHITE_GREY: Tone.SIGNED,
    Tones.GREY: Tone.ANONYMOUS,
    Tones.GREY_WHITE: Tone.ANONYMOUS,
}


@dataclass(frozen=True, slots=True)
class WantedPress:
    """What somebody wants to send."""

    seat: Seat
    to: Meant
    tone: Tone | None = None
    """As they wrote; None: as the game usually has it."""
    shown: Meant | None = None
    """To whom it shall say that it went; None if they wrote nothing of that."""
    no_fake: bool = False

    @property
    def is_free(self) -> bool:
        """Whether it is the master's, or for them alone: always allowed, signed, never faked."""
        return self.to.is_master or self.seat.role is Role.MASTER


def as_meant(rules: PressRules, wanted: WantedPress) -> WantedPress:
    """The wish with what the game says where the writer said nothing."""
    signs = wanted.is_free or _observer_signs(rules, wanted.seat)
    tone = wanted.tone or (Tone.SIGNED if signs else _FIRST_TONE[rules.tones])
    fakes = rules.fakes is Fakes.BROADCAST and not (
        wanted.is_free or wanted.no_fake or wanted.to.aim.to_all or wanted.to.names_master
    )
    shown = Meant(EVERYBODY, all_but=True) if fakes and wanted.shown is None else wanted.shown
    return replace(wanted, tone=tone, shown=shown)


def _observer_signs(rules: PressRules, seat: Seat) -> bool:
    return seat.role is Role.OBSERVER and rules.observers is FromObservers.WHITE


def why_not(session: Session, game: Game, wanted: WantedPress) -> Sentence | None:
    """Why the message may not be sent, in one sentence; nothing if it may.

    *wanted* as `as_meant` has it.
    """
    reasons = (
        *_manner(game, wanted),
        *_kind(game.conduct.press, wanted),
        *_time(session, game, wanted),
    )
    return next(iter(reasons), None)


def is_ruled_out(rules: PressRules, wanted: WantedPress) -> bool:
    """Whether the game has no such press at any time: to some, to all, from observers."""
    return next(_kind(rules, wanted), None) is not None


def _manner(game: Game, wanted: WantedPress) -> Iterator[Sentence]:
    """Signed or not, faked or not."""
    rules, hides = game.conduct.press, wanted.tone is Tone.ANONYMOUS or wanted.shown is not None
    if wanted.is_free:
        if hides:
            yield Sentence("press.master_signs", to_master=wanted.to.is_master)
        return
    if hides and wanted.to.names_master and _master_plays(game):
        yield Sentence("press.master_plays")
    yield from _tone(rules, wanted)
    if wanted.shown is not None:
        yield from _fake(rules, wanted)


def _tone(rules: PressRules, wanted: WantedPress) -> Iterator[Sentence]:
    signs = _observer_signs(rules, wanted.seat)
    if wanted.tone is Tone.ANONYMOUS and signs:
        yield Sentence("press.observers_sign")
    elif wanted.tone is Tone.ANONYMOUS and rules.tones is Tones.WHITE:
        yield Sentence("press.always_signed")
    elif wanted.tone is Tone.SIGNED and rules.tones is Tones.GREY and not signs:
        yield Sentence("press.always_anonymous")


def _fake(rules: PressRules, wanted: WantedPress) -> Iterator[Sentence]:
    if rules.fakes is Fakes.NONE:
        yield Sentence("press.never_faked")
    elif wanted.to.aim.to_all:
        yield Sentence("press.broadcast_faked")


def _master_plays(game: Game) -> bool:
    masters = (seat for seat in game.seats if seat.role is Role.MASTER and seat.person)
    return any(sight_of(game, [seat]).plays for seat in masters)


def _kind(rules: PressRules, wanted: WantedPress) -> Iterator[Sentence]:
    """To some or to all, from whom."""
    if wanted.is_free:
        return
    if rules.tones is Tones.NONE:
        yield Sentence("press.none")
    if not rules.partial and not wanted.to.aim.to_all:
        yield Sentence("press.none_to_some")
    if wanted.seat.role is Role.OBSERVER and rules.observers is FromObservers.NONE:
        yield Sentence("press.none_from_observers")


def _time(session: Session, game: Game, wanted: WantedPress) -> Iterator[Sentence]:
    """Whether this is a time for the writer to write."""
    if not wanted.is_free:
        yield from _banned(session, game, wanted)
        yield from why_not_now(session, game, wanted.seat, to_all=wanted.to.aim.to_all)


def _banned(session: Session, game: Game, wanted: WantedPress) -> Iterator[Sentence]:
    """Whether writer or reader leads an excommunicated power; what goes to all is no talk."""
    situation = session.situation()
    if situation is None or game.status is not Status.RUNNING:
        return
    world, state = situation.world, situation.state
    if wanted.to.is_unnamed:
        # To name the power would tell who wrote what is answered.
        if any(is_cut_off(world, state, each, by=Ban.NO_TALK) for each in world.scenario.in_play):
            yield Sentence("press.unnamed_in_ban")
        return
    readers = () if wanted.to.aim.to_all else wanted.to.seats(game, wanted.seat)
    for power in (p for seat in (wanted.seat, *readers) for p in seat.powers):
        if is_cut_off(world, state, power, by=Ban.NO_TALK):
            yield Sentence("press.excommunicated", power=Words(world).power(power))


def why_not_now(session: Session, game: Game, seat: Seat, *, to_all: bool) -> Iterator[Sentence]:
    """Why somebody may not write at present, by the rules for the late and for the grace."""
    rules, situation = game.conduct.press, session.situation()
    if situation is None or game.status is not Status.RUNNING:
        return
    is_over = session.received > situation.clock.deadline and situation.clock.paused is None
    if is_over and not rules.grace:
        yield Sentence("press.none_in_grace")
    if seat.role is not Role.PLAYER or (rules.late is FromLate.ANY and not rules.must_order):
        return
    ordered = _as_ordered(session, situation)
    if is_over and set(seat.powers) & ordered.readiness().missing:
        yield from _late(rules.late, to_all=to_all)
    if rules.must_order and _has_not_ordered(ordered, seat):
        yield Sentence("press.order_first")


def _late(rule: FromLate, *, to_all: bool) -> Iterator[Sentence]:
    may_write = rule is (FromLate.BROADCAST if to_all else FromLate.PARTIAL)
    if rule is not FromLate.ANY and not may_write:
        yield Sentence("press.late", rule=rule.value)


def _has_not_ordered(situation: GameView, seat: Seat) -> bool:
    """Whether orders are due from a seat, and a power of it has none on file."""
    late = situation.readiness().missing & set(seat.powers)
    sheets = (situation.sheets.get(power) for power in late)
    return any(sheet is None or not sheet.lines for sheet in sheets)


def _as_ordered(session: Session, situation: GameView) -> GameView:
    """The situation with the orders that stand above in this mail, which are not on file yet."""
    power = session.power
    if not session.order_lines or power is None:
        return situation
    lines = tuple(session.order_lines)
    taken = submit(
        situation, Given(power, lines, session.received, session.mail_id, said=session.said)
    )
    sheet = taken.sheet
    return (
        situation
        if sheet is None
        else replace(situation, sheets={**situation.sheets, power: sheet})
    )
