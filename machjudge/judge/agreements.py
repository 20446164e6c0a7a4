"""Agreements: what two powers do together when a phase is played, or not at all.

A player offers one by mail, the other accepts it, and either takes it back until then. The judge
adds its orders to those of both powers, or to neither: what a power orders itself comes first.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from enum import Enum
from hashlib import blake2b
from typing import TypedDict

from machjudge.adjudicator.dice import Dice
from machjudge.adjudicator.events import (
    ChitGiven,
    GiftGiven,
    GiftRefused,
    LoanRepaid,
    LoanTaken,
    Maintained,
    ProvinceTaken,
)
from machjudge.adjudicator.legality import objection_to, sort_out, unit_named
from machjudge.adjudicator.moments import Moment, Stage, phase_after, read_moment
from machjudge.adjudicator.money.assassins import hand_over, needs_chits
from machjudge.adjudicator.names import PowerId
from machjudge.adjudicator.orders import (
    Cede,
    Expense,
    GiveChit,
    Maintain,
    Named,
    Order,
    Orders,
    Pay,
    Purpose,
)
from machjudge.adjudicator.reasons import Flaw, Objection
from machjudge.adjudicator.state import State
from machjudge.adjudicator.units import Quality
from machjudge.adjudicator.world import World
from machjudge.adjudicator.year.forecast import (
    AdjustmentEntry,
    ExpenseEntry,
    Forecast,
    TreasuryEntry,
    forecast,
)
from machjudge.adjudicator.year.steps import Played, play
from machjudge.formats.game_file import (
    NO_PART,
    SealedSet,
    nonce_of,
    sealed_digest,
    sealing_key,
)
from machjudge.judge.audience import Meant, aim_of
from machjudge.judge.commands import NOT_PLAYED, PLAYERS, command
from machjudge.judge.confirmation import is_proven, require_confirmation
from machjudge.judge.credentials import Act, OfferToken, SeatToken
from machjudge.judge.endings import concession_meant, draw_meant
from machjudge.judge.game_settings import Policy
from machjudge.judge.game_view import (
    GameView,
    SeenGame,
    living,
    read_order_lines,
    read_order_texts,
    reader_of,
    seat_of,
    write_order,
    zone_of,
)
from machjudge.judge.limits import no_more_press
from machjudge.judge.mail_context import MailContext, not_approved, too_old
from machjudge.judge.mails import Outgoing
from machjudge.judge.outgoing import Addressee, game_message, head_now, view_for_power
from machjudge.judge.press import WantedPress, why_not
from machjudge.judge.records import Agreement, FiledOrder, Game, Readership, Seat
from machjudge.language.commands import PlainCommand, Tone
from machjudge.language.dates import read_instant
from machjudge.language.offers import VoteWords, answer_to_offer, read_offer
from machjudge.language.words import ParseError, read_phase
from machjudge.mail_parser.lines import Line, Owner, is_assent
from machjudge.messages.render import phase_name
from machjudge.messages.wording import Words, objection_words
from machjudge.translatable import Message, MessageOrText

MAX_OFFERS = 10
"""Offers and agreements of one power's making that may wait at a time."""
_MAX_PARTS = 6
"""Parts of one side."""
_KEPT = 60
"""Agreements of a game that are kept although they are over."""
_MAX_AHEAD = 8
"""Phases that are looked at for one with which an agreement can be carried out."""
_SEVERAL = 0
"""In place of its number, where a message is about several agreements."""
_DRAW, _CONCEDE = "draw", "concede"


@dataclass(frozen=True, slots=True)
class Vote:
    """A vote to end the game, cast once the phase is played."""

    among: tuple[PowerId, ...] = ()
    """The powers of a draw; empty: all survivors."""
    winner: PowerId | None = None
    """The power that has won; None: it is for a draw."""


Part = Pay | GiveChit | Cede | Maintain | Vote
"""What a side does."""


def read_part(world: World, text: str) -> Part:
    """Return a stored part.  Raises UnreadableOrder."""
    first, *rest = text.split()
    if first in (_DRAW, _CONCEDE):
        powers = tuple(map(PowerId, rest))
        return Vote(powers) if first == _DRAW else Vote(winner=powers[0])
    stage = Stage.ADJUSTMENT if first == "maintain" else Stage.CAMPAIGN
    (order,) = read_order_texts(world, stage, [text])
    if not isinstance(order, Pay | GiveChit | Cede | Maintain):
        raise TypeError(text)
    return order


def write_part(world: World, part: Part) -> str:
    """Return a part as it is stored."""
    if not isinstance(part, Vote):
        return write_order(world, part)
    return " ".join((_CONCEDE, part.winner) if part.winner else (_DRAW, *part.among))


def parts_of(world: World, agreement: Agreement, power: PowerId) -> tuple[Part, ...]:
    """Return what one side does."""
    return tuple([read_part(world, text) for text in agreement.side(power)])


# --- carrying out ------------------------------------------------------------------------------


class Lapse(Enum):
    """Why a side's part could not be done."""

    FUNDS = "funds"
    """Its own orders, debts and ducats leave too little."""
    ORDERS = "orders"
    """An order or vote of its own says otherwise."""
    CHIT = "chit"
    RULES = "rules"
    LATE = "late"


@dataclass(frozen=True, slots=True)
class FailedSide:
    """The side whose part could not be done, and why."""

    power: PowerId
    why: Lapse


@dataclass(frozen=True, slots=True)
class Settled:
    """A phase that was played with agreements."""

    played: Played
    done: tuple[Agreement, ...] = ()
    failed: tuple[tuple[Agreement, FailedSide], ...] = ()


@dataclass(frozen=True, slots=True)
class Ballot:
    """How a power votes: with all powers of its seat, by the settings of the game."""

    powers: tuple[PowerId, ...] = ()
    """Those of the seat; empty: the power alone."""
    cast: tuple[Vote, ...] = ()
    """What the seat votes for itself."""
    may_vote: bool = True
    """False for a seat without a player."""
    concessions: bool = True
    some_share: bool = True
    """A draw may be one of some of the survivors."""


Votes = Mapping[PowerId, Ballot]
"""The ballots of powers."""
_PLAIN_BALLOT = Ballot()


def settle(
    world: World,
    state: State,
    own: Orders,
    agreements: Iterable[Agreement],
    dice: Dice,
    votes: Votes | None = None,
    idle: Collection[PowerId] = (),
) -> Settled:
    """Play a phase with each agreement of which every part can be done in full, and no other.

    Those accepted first come first.  What came of the parts is read from the phase itself: if one
    of them failed, it is played again without its agreement, with the same dice.

    :param own: the powers' own orders, which come first.
    :param idle: the powers whose orders do not count.
    """
    sequence = sorted(agreements, key=lambda each: (each.accepted, each.number))
    broken: dict[int, FailedSide] = {}
    while True:
        standing: list[Agreement] = []
        failed: list[tuple[Agreement, FailedSide]] = []
        for each in sequence:
            failure = broken.get(each.number) or _failure(
                world, state, own, (*standing, each), votes or {}, idle
            )
            if failure is None:
                standing.append(each)
            else:
                failed.append((each, failure))
        played = play(world, state, with_orders(world, state, own, standing), dice)
        wrong = ((each, _undone(world, played, each)) for each in reversed(standing))
        one = next(((each, failure) for each, failure in wrong if failure is not None), None)
        if one is None:
            return Settled(played, tuple(standing), tuple(failed))
        broken[one[0].number] = one[1]


def with_orders(world: World, state: State, own: Orders, agreements: Sequence[Agreement]) -> Orders:
    """Return the orders of all powers with those of some agreements."""
    orders = dict(own)
    for power, agreed in _orders_of(world, state, own, agreements):
        orders[power] = (*orders.get(power, ()), *(order for _, order in agreed))
    return orders


def _orders_of(
    world: World, state: State, own: Orders, agreements: Sequence[Agreement]
) -> Iterator[tuple[PowerId, list[tuple[Agreement, Order]]]]:
    """The orders that agreements add to each power's own."""
    for power in sorted({one for each in agreements for one in (each.giver, each.to)}):
        mine = [each for each in agreements if each.is_of((power,))]
        agreed = list(_added(world, state, power, own.get(power, ()), mine))
        if agreed:
            yield power, agreed


def _added(
    world: World,
    state: State,
    power: PowerId,
    own: Sequence[Order],
    agreements: Iterable[Agreement],
) -> Iterator[tuple[Agreement, Order]]:
    """The orders that agreements add: none that stands already."""
    stands = set(sort_out(world, state, {power: tuple(own)}).standing[power])
    for agreement in agreements:
        for part in parts_of(world, agreement, power):
            match part:
                case Vote():
                    continue
                case Pay():
                    yield agreement, replace(part, agreement=agreement.number)
                case GiveChit():
                    yield agreement, part
                case Cede() | Maintain() if _in_full(world, state, power, part) not in stands:
                    yield agreement, part
                case Cede() | Maintain():
                    continue


def _in_full(world: World, state: State, power: PowerId, order: Cede | Maintain) -> Order:
    unit = unit_named(world, state, power, order.unit) if isinstance(order, Maintain) else None
    if isinstance(order, Cede) or unit is None:
        return order
    standing = sort_out(world, state, {power: (order,)}).standing[power]
    return standing[0] if standing else order


def _failure(
    world: World,
    state: State,
    own: Orders,
    agreements: Sequence[Agreement],
    votes: Votes,
    idle: Collection[PowerId],
) -> FailedSide | None:
    """Why the last of some agreements cannot be carried out beside the others, by its sides."""
    for power in (agreements[-1].giver, agreements[-1].to):
        if power in idle:
            return FailedSide(power, Lapse.LATE)
        ballot = votes.get(power, _PLAIN_BALLOT)
        why = lapse_of(world, state, power, own.get(power, ()), agreements, ballot)
        if why is not None:
            return FailedSide(power, why)
    return None


def lapse_of(
    world: World,
    state: State,
    power: PowerId,
    own: Sequence[Order],
    agreements: Sequence[Agreement],
    ballot: Ballot = _PLAIN_BALLOT,
) -> Lapse | None:
    """Return why a power cannot do its parts of all these agreements beside its *own* orders.

    Others' parts count as done; nothing else of theirs counts.
    """
    mine = [each for each in agreements if each.is_of((power,))]
    parts = [part for each in mine for part in parts_of(world, each, power)]
    added = [order for _, order in _added(world, state, power, own, mine)]
    return (
        _of_chits(world, state, power, own, parts)
        or _of_votes(world, state, power, agreements, ballot)
        or _of_orders(world, state, power, own, added)
        or _of_funds(world, state, power, own, added, mine)
    )


def _of_chits(
    world: World, state: State, power: PowerId, own: Sequence[Order], parts: Sequence[Part]
) -> Lapse | None:
    given = [part for part in parts if isinstance(part, GiveChit)]
    for gift in given:
        passed = hand_over(world, state, power, gift.to, gift.of)
        if isinstance(passed, Objection):
            return Lapse.CHIT if passed.flaw is Flaw.NO_CHIT else Lapse.RULES
    tried = [
        each.power
        for each in own
        if isinstance(each, Expense) and each.purpose is Purpose.ASSASSINATE and needs_chits(world)
    ]
    held = Counter(state.chits.get(power, ()))
    wanted = Counter(gift.of for gift in given)
    if any(number > held[victim] for victim, number in wanted.items()):
        return Lapse.CHIT
    is_used = any(number + tried.count(of) > held[of] for of, number in wanted.items())
    return Lapse.ORDERS if is_used else None


def _of_votes(
    world: World, state: State, power: PowerId, agreements: Sequence[Agreement], ballot: Ballot
) -> Lapse | None:
    """A vote that the game does not know, or another vote of the same seat."""
    voters = ballot.powers or (power,)
    sides = [(each, one) for each in agreements for one in (each.giver, each.to) if one in voters]
    parts = [part for each, one in sides for part in parts_of(world, each, one)]
    agreed = {part for part in parts if isinstance(part, Vote)}
    for part in agreed:
        named = {*part.among, *filter(None, (part.winner,))}
        is_known = ballot.concessions if part.winner is not None else ballot.some_share
        is_known |= part.winner is None and not part.among
        if not (ballot.may_vote and is_known) or state.eliminated & {power, *named}:
            return Lapse.RULES
        if part.winner in voters:
            return Lapse.RULES
        same = [each for each in ballot.cast if (each.winner is None) is (part.winner is None)]
        if any(each != part for each in same):
            return Lapse.ORDERS
    draws = {part for part in agreed if part.winner is None}
    return Lapse.ORDERS if max(len(draws), len(agreed - draws)) > 1 else None


def _of_orders(
    world: World, state: State, power: PowerId, own: Sequence[Order], added: Sequence[Order]
) -> Lapse | None:
    """An own order for the same thing, or a part that the rules do not allow here."""
    begins = len(own)
    sorted_out = sort_out(world, state, {power: (*own, *added)})
    if any(each.line >= begins for each in sorted_out.refused):
        return Lapse.RULES
    is_other = any(each.by >= begins for each in sorted_out.replaced)
    return Lapse.ORDERS if is_other else None


def _of_funds(
    world: World,
    state: State,
    power: PowerId,
    own: Sequence[Order],
    added: Sequence[Order],
    agreements: Iterable[Agreement],
) -> Lapse | None:
    """Own orders must get as much as without the agreements, and the parts all that they need."""
    if not world.rules.game.money or state.moment.stage is Stage.RETREATS:
        return None
    received: Counter[PowerId] = Counter()
    for agreement in agreements:
        giver = agreement.other(power)
        for part in parts_of(world, agreement, giver):
            if isinstance(part, Pay):
                received[giver] += part.ducats
    both = sort_out(world, state, {power: (*own, *added)}).standing[power]
    alone = sort_out(world, state, {power: tuple(own)}).standing[power]
    needed = _spent(power, forecast(world, state, power, alone))
    for order in added:
        unit = unit_named(world, state, power, order.unit) if isinstance(order, Maintain) else None
        if isinstance(order, Pay):
            needed["gift", order.to] += order.ducats
        elif unit is not None:
            needed["unit", (unit.kind, unit.place)] = 1
    spent = _spent(power, forecast(world, state, power, both, received))
    is_short = any(spent[what] < number for what, number in needed.items())
    return Lapse.FUNDS if is_short else None


def _spent(power: PowerId, ahead: Forecast) -> Counter[tuple[str, object]]:
    """What a power's ducats bring about, each in ducats, or 1 for a unit."""
    spent: Counter[tuple[str, object]] = Counter()
    for entry in ahead.entries:
        match entry:
            case TreasuryEntry(GiftGiven(giver, to, ducats, _)) if giver == power:
                spent["gift", to] += ducats
            case TreasuryEntry(LoanRepaid(due=due, principal=principal, interest=interest)):
                spent["repaid", due] += principal + interest
            case TreasuryEntry(LoanTaken(due=due, principal=principal)):
                spent["lent", due] += principal
            case ExpenseEntry(expense=expense, paid=paid):
                spent["expense", expense.number] += paid
            case AdjustmentEntry(item) if item.paid and item.barred is None:
                spent["unit", (item.unit.kind, item.unit.place)] += 1
            case _:
                pass
    return spent


def _undone(world: World, played: Played, agreement: Agreement) -> FailedSide | None:
    """The side with a part that did not come about in a phase."""
    for power in (agreement.giver, agreement.to):
        for part in parts_of(world, agreement, power):
            if not _is_done(played, power, part):
                return FailedSide(power, Lapse.RULES)
    return None


def _is_done(played: Played, power: PowerId, part: Part) -> bool:
    match part:
        case Pay(to=to):
            gifts = [
                each
                for each in played.events
                if isinstance(each, GiftGiven | GiftRefused)
                and (each.giver, each.receiver) == (power, to)
            ]
            is_whole = all(isinstance(g, GiftGiven) and g.ducats == g.asked for g in gifts)
            return bool(gifts) and is_whole
        case GiveChit(of, to):
            return ChitGiven(power, to, of) in played.events
        case Cede(place, to):
            return ProvinceTaken(place, to, power) in played.events
        case Maintain(unit=named):
            return any(
                isinstance(each, Maintained)
                and (each.unit.owner, each.unit.place) == (power, named.place)
                and named.kind in (None, each.unit.kind)
                for each in played.events
            )
        case Vote(among, winner):
            return not played.state.eliminated & {power, *among, *filter(None, (winner,))}


Lines = Mapping[PowerId, tuple[FiledOrder, ...]]


def play_agreed(
    view: GameView, lines: Lines, dice: Dice, late: Collection[PowerId] = ()
) -> tuple[Settled, Lines]:
    """Play the current phase with the orders of *lines* and what is agreed for it.

    Return the lines with those of the agreements that were carried out, too.
    """
    world, state = view.world, view.state
    own = {
        power: read_order_lines(world, state.moment.stage, each) for power, each in lines.items()
    }
    due = agreed_now(view)
    if not due:
        return Settled(play(world, state, own, dice)), lines
    is_idle = view.game.settings.policy is Policy.HOLD and state.moment.stage is Stage.CAMPAIGN
    settled = settle(world, state, own, due, dice, _votes(view), late if is_idle else ())
    filed = dict(lines)
    for power, agreed in _orders_of(world, state, own, settled.done):
        more = [
            FiledOrder(
                f"agreement {agreement.number}",
                write_order(world, order),
                agreement.accepted or agreement.made,
                agreement.mail if power == agreement.giver else agreement.accepted_by,
            )
            for agreement, order in agreed
        ]
        filed[power] = (*filed.get(power, ()), *more)
    return settled, filed


def agreed_now(view: GameView) -> tuple[Agreement, ...]:
    """Return what is agreed for the phase that is played, in the order of acceptance."""
    now = view.state.moment
    due = (each for each in view.game.agreements if each.phase == now.code and each.stands(now))
    return tuple(sorted(due, key=lambda each: (each.accepted, each.number)))


def _votes(view: GameView) -> Votes:
    """The ballots of the seats; a vote for a draw of all survivors names nobody."""
    left, settings = living(view), view.game.settings
    votes: dict[PowerId, Ballot] = {}
    for seat in view.game.seats:
        cast = [Vote(() if seat.draw == left else seat.draw)] if seat.draw is not None else []
        cast += [Vote(winner=seat.concede)] if seat.concede is not None else []
        ballot = Ballot(
            seat.powers,
            tuple(cast),
            may_vote=seat.person is not None,
            concessions=settings.concessions,
            some_share=not settings.dias,
        )
        votes.update(dict.fromkeys(seat.powers, ballot))
    return votes


def with_votes(game: Game, world: World, settled: Settled) -> Game:
    """Return the game with the votes of the agreements that were carried out."""
    seats = {seat.number: seat for seat in game.seats}
    for agreement in settled.done:
        for power in (agreement.giver, agreement.to):
            for part in parts_of(world, agreement, power):
                seat = seat_of(game, power)
                if not isinstance(part, Vote) or seat is None:
                    continue
                seat = seats[seat.number]
                left = (p for p in world.in_play if p not in settled.played.state.eliminated)
                seats[seat.number] = (
                    replace(seat, concede=part.winner)
                    if part.winner is not None
                    else replace(seat, draw=part.among or tuple(left))
                )
    return replace(game, seats=tuple(seats.values()))


# What both sides are told when an agreement is accepted binds the judge to its terms.


def sealed_agreement(agreement: Agreement) -> SealedSet:
    """Return what both sides do, each part with the letter of its power, to be sealed."""
    sides = [(power, agreement.side(power)) for power in (agreement.giver, agreement.to)]
    return SealedSet(
        1, tuple((text, power) for power, parts in sides for text in parts or (NO_PART,))
    )


def _proof(game: Game, agreement: Agreement) -> Message:
    number, key = str(agreement.number), sealing_key(game.secret, game.id, agreement.phase)
    sealed, name = sealed_agreement(agreement), PowerId(number)
    return Message(
        "agreements.sealed",
        game=game.id,
        code=agreement.phase,
        number=number,
        digest=sealed_digest(key, game.id, agreement.phase, name, sealed),
        nonce=nonce_of(key, name, sealed.number),
    )


# --- in words ----------------------------------------------------------------------------------


def outcome_lines(before: GameView, settled: Settled, to: Addressee) -> tuple[Message, ...]:
    """Return what became of the agreements of a phase, for a reader who may know of them."""
    words, now = Words(before.world), before.state.moment
    ended = [*((each, None) for each in settled.done), *settled.failed]
    lines = [
        Message("agreements.carried_out", **_sides(words, each, to.powers))
        if failure is None
        else Message(
            "agreements.not_carried_out",
            why=_why(words, failure, to.powers),
            **_sides(words, each, to.powers),
        )
        for each, failure in ended
        if to.sight.sees_agreement(each.giver, each.to)
    ]
    over = (each for each in before.game.agreements if _ends_unanswered(each, now, settled))
    lines += [
        Message("agreements.unanswered", **_sides(words, each, to.powers))
        for each in over
        if to.sight.sees_agreement(each.giver, each.to)
    ]
    return tuple(lines)


def _ends_unanswered(agreement: Agreement, now: Moment, settled: Settled) -> bool:
    """Return True if an offer could be accepted in the phase that was played, and no more."""
    last, comes = read_moment(agreement.until), settled.played.state.moment
    is_open = agreement.accepted is None and agreement.withdrawn is None
    return is_open and last is not None and not last < now and last < comes


def _why(words: Words, failure: FailedSide, powers: Collection[PowerId]) -> Message:
    """Why a side could not do its part: the other side does not read what it has, or ordered."""
    if failure.power in powers:
        return Message(f"agreements.why.{failure.why.value}")
    return Message("agreements.why.other", power=words.power(failure.power))


class _Sides(TypedDict):
    number: int
    other: str
    terms: Message


def _sides(words: Words, agreement: Agreement, powers: Collection[PowerId]) -> _Sides:
    """The facts of a sentence about an agreement; a side that the reader leads stands first."""
    world = words.world
    first = agreement.to if agreement.to in powers else agreement.giver
    other = agreement.other(first)
    terms = Message(
        "agreements.terms",
        first="" if first in powers else words.power(first),
        other=words.power(other),
        parts=tuple(part_words(words, part) for part in parts_of(world, agreement, first)),
        others=tuple(part_words(words, part) for part in parts_of(world, agreement, other)),
    )
    return {"number": agreement.number, "other": words.power(other), "terms": terms}


def part_words(words: Words, part: Part) -> Message:
    """Return a part in words."""
    match part:
        case Pay(ducats=ducats):
            return Message("text.ducats", n=ducats)
        case GiveChit(of=of):
            return Message("agreements.part.chit", power=words.power(of))
        case Cede(place=place):
            return Message("agreements.part.province", place=words.place(place))
        case Maintain(unit=named):
            kind = named.kind.letter if named.kind is not None else ""
            return Message("agreements.part.upkeep", kind=kind, place=words.place(named.place))
        case Vote(among, winner):
            names = tuple(map(words.power, among))
            won = words.power(winner) if winner is not None else ""
            return Message("agreements.part.vote", among=names, winner=won)


def waiting_lines(context: MailContext) -> tuple[Message, ...]:
    """Return the receipt's lines about one's offers and agreements."""
    game, seat, view = context.game, context.seat, context.view()
    if game is None or seat is None or view is None or not game.agreements:
        return ()
    return waiting_for(view, seat.powers, context.now)


def waiting_for(view: GameView, powers: Collection[PowerId], at: datetime) -> tuple[Message, ...]:
    """Return the offers and agreements of powers that wait at an instant, as lines."""
    now, lines = view.state.moment, []
    for each in view.game.agreements:
        if not each.is_of(powers):
            continue
        is_open = each.is_open(now, at)
        if is_open or each.stands(now):
            words = view_for_power(view, each.giver if each.giver in powers else each.to).words
            state = "agreed" if not is_open else "offered" if each.giver in powers else "got"
            waits = Message(
                f"agreements.waits.{state}",
                phase=_phase_words(words, each.phase),
                **_sides(words, each, powers),
            )
            lines.append(Message("text.indented", text=waits))
    return tuple(lines)


def view_words(view: GameView, seat: Seat) -> Words:
    """Return the names that a seat reads."""
    return view_for_power(view, seat.powers[0]).words if seat.powers else Words(view.world)


def warnings_of(view: GameView, powers: Collection[PowerId]) -> list[Message]:
    """Return which agreements the orders of a seat's powers make impossible as they stand."""
    warnings = []
    for power in powers:
        standing: list[Agreement] = []
        for each in agreed_now(view) if view.game.agreements else ():
            if not each.is_of((power,)):
                standing += [each] if each.is_of(powers) else []
                continue
            why = _own_lapse(view, power, (*standing, each))
            if why is None:
                standing.append(each)
            else:
                warning = _impossible(view, each, power, why)
                warnings.append(Message("text.indented", text=warning))
    return warnings


def _own_lapse(view: GameView, power: PowerId, agreements: Sequence[Agreement]) -> Lapse | None:
    seen = view_for_power(view, power)
    ballot = _votes(view).get(power, _PLAIN_BALLOT)
    return lapse_of(seen.world, seen.state, power, seen.orders_of(power), agreements, ballot)


def _impossible(view: GameView, agreement: Agreement, power: PowerId, why: Lapse) -> Message:
    return Message(
        "agreements.impossible",
        number=agreement.number,
        other=Words(view.world).power(agreement.other(power)),
        why=Message(f"agreements.why.{why.value}"),
    )


# --- offering ----------------------------------------------------------------------------------


@command("offer", act=Act.PLAY, who=PLAYERS, refused_in=NOT_PLAYED)
def offer(context: MailContext, line: Line, said: PlainCommand) -> None:
    """Offer an agreement to another power, or list one's own offers and agreements."""
    if not said.words:
        if not waiting_lines(context):
            context.answer.notices.append(Message("agreements.none"))
        return
    made = _made(context, line, said)
    if not isinstance(made, Agreement):
        context.refuse(line, made)
        return
    view, (game, seat) = context.playing(), context.sitting()
    if _waits_for_proof(context, line, view.world, made, made.giver):
        return
    flaw = no_more_press(context, game, seat)
    if flaw is not None:
        context.refuse(line, flaw)
        return
    _keep(context, made)
    words = view_words(view, seat)
    context.done(
        Message(
            "agreements.offered",
            phase=_phase_words(words, made.phase),
            **_sides(words, made, seat.powers),
        )
    )
    due = [each for each in agreed_now(view) if each.is_of((made.giver, made.to))]
    why = _own_lapse(view, made.giver, (*due, made))
    if why is not None and made.phase == view.state.moment.code:
        context.answer.notices.append(_impossible(view, made, made.giver, why))
    _tell_offer(context, made)


def _made(context: MailContext, line: Line, said: PlainCommand) -> Agreement | Message:
    """The agreement that a line offers, or why it may not be offered."""
    view, power = context.leading()
    game, _ = context.sitting()
    flaw = too_old(context) or (None if game.settings.offers else Message("agreements.off"))
    if flaw is not None:
        return flaw
    seen = view_for_power(view, power)
    read = _read(seen, power, said.text)
    if isinstance(read, Message):
        return read
    return (
        _partner_flaw(context, power, read.to)
        or _limit_flaw(view, game, power, context.now)
        or _dated(context, seen, line, power, read)
    )


@dataclass(frozen=True, slots=True)
class _Terms:
    """An offer as it was read."""

    to: PowerId
    gives: tuple[Part, ...]
    asks: tuple[Part, ...]
    until: str
    """The words of its end; empty if there are none."""


def _partner_flaw(context: MailContext, power: PowerId, to: PowerId) -> Message | None:
    """Why a power may not deal with another now: it is press that names its writer."""
    view, (game, seat) = context.playing(), context.sitting()
    name = Words(view.world).power(to)
    if power in view.state.eliminated:
        return Message("lines.eliminated")
    if to in seat.powers:
        return Message("agreements.yourself")
    if to in view.state.eliminated:
        return Message("agreements.eliminated", power=name)
    other = seat_of(game, to)
    if other is None or other.person is None:
        return Message("agreements.nobody", power=name)
    aim = aim_of(view.world.scenario, Readership((to,)))
    wanted = WantedPress(seat, Meant(aim, (to,)), Tone.SIGNED, no_fake=True)
    return why_not(context, game, wanted)


def _limit_flaw(view: GameView, game: Game, power: PowerId, at: datetime) -> Message | None:
    now = view.state.moment
    own = [each for each in game.agreements if each.giver == power]
    waiting = sum(each.is_open(now, at) or each.stands(now) for each in own)
    return Message("agreements.too_many", most=MAX_OFFERS) if waiting >= MAX_OFFERS else None


def _dated(
    context: MailContext, seen: SeenGame, line: Line, power: PowerId, read: _Terms
) -> Agreement | Message:
    """The agreement with its phase and its end, or why the rules do not allow it."""
    game, now = seen.game, seen.state.moment
    phase = first_phase(seen, now, power, read.gives, read.to, read.asks)
    if phase is None:
        return _no_phase(seen, (*read.gives, *read.asks))
    for side, parts in ((power, read.gives), (read.to, read.asks)):
        for part in parts:
            flaw = _part_flaw(seen, phase, power, side, part)
            if flaw is not None:
                return flaw
    end = _end_of(context, read.until, phase)
    if isinstance(end, Message):
        return end
    until, expires = end
    write = seen.world
    made = Agreement(
        number=next_number(game),
        giver=power,
        to=read.to,
        gives=tuple(write_part(write, part) for part in read.gives),
        asks=tuple(write_part(write, part) for part in read.asks),
        phase=phase.code,
        until=until.code,
        made=context.received,
        mail=context.mail_id,
        expires=expires,
    )
    if phase == now and lapse_of(seen.world, seen.state, power, (), (made,)) is Lapse.FUNDS:
        return Message("agreements.too_few_ducats")
    return made


def first_phase(
    seen: SeenGame,
    now: Moment,
    giver: PowerId,
    gives: Sequence[Part],
    to: PowerId,
    asks: Sequence[Part],
) -> Moment | None:
    """Return the first phase from *now* on in which all of an agreement may be ordered."""
    moment = now
    for _ in range(_MAX_AHEAD):
        sides = ((giver, gives), (to, asks))
        if all(_fits(seen, moment, side, part) for side, parts in sides for part in parts):
            return moment
        moment = phase_after(moment, dislodged=False, summer=seen.world.rules.game.summer)
    return None


def _fits(seen: SeenGame, moment: Moment, power: PowerId, part: Part) -> bool:
    match part:
        case Vote():
            return True
        case GiveChit():
            return moment.stage is not Stage.RETREATS
        case Pay() | Cede() | Maintain():
            found = objection_to(seen.world, replace(seen.state, moment=moment), power, part)
            return found is None or found.flaw is not Flaw.WRONG_PHASE


_OF_RULES = (
    Flaw.FLAG_OFF,
    Flaw.UNKNOWN_POWER,
    Flaw.YOURSELF,
    Flaw.ELIMINATED,
    Flaw.LED_BY_ANOTHER,
    Flaw.BAD_AMOUNT,
)
"""What no position changes."""


def _part_flaw(
    seen: SeenGame, phase: Moment, reader: PowerId, power: PowerId, part: Part
) -> Message | None:
    """Why the rules do not let a power do a part in a phase, as far as *reader* may know."""
    if isinstance(part, Vote):
        return None
    world, state = seen.world, replace(seen.state, moment=phase)
    found: Objection | None
    if isinstance(part, GiveChit):
        passed = hand_over(world, state, power, part.to, part.of)
        found = passed if isinstance(passed, Objection) else None
        is_known = power == reader
    else:
        found = objection_to(world, state, power, part)
        is_known = power == reader or not (isinstance(part, Maintain) and seen.state.in_fog)
    if found is None:
        return None
    is_now = phase == seen.state.moment and is_known
    if not is_now and found.flaw not in _OF_RULES:
        return None
    words, is_own = seen.words, power == reader
    is_plain = is_own or found.flaw in _OF_RULES
    not_now = Message("agreements.not_now", rule=found.rule)
    why = objection_words(words, found) if is_plain else not_now
    name = "" if is_own else words.power(power)
    return Message("agreements.against_rules", power=name, part=part_words(words, part), why=why)


def _no_phase(seen: SeenGame, parts: Sequence[Part]) -> Message:
    words = seen.words
    has_upkeep = any(isinstance(part, Maintain) for part in parts)
    return Message(
        "agreements.no_phase",
        parts=tuple(part_words(words, part) for part in parts),
        has_gifts=seen.world.rules.money.adjustment_gifts or not has_upkeep,
    )


def _end_of(
    context: MailContext, until: str, phase: Moment
) -> tuple[Moment, datetime | None] | Message:
    """The last phase of an offer, and the instant at which it ends if one was named."""
    if not until:
        return phase, None
    named = read_phase(until.split())
    if named is not None:
        return (named, None) if not named < phase else Message("agreements.until_too_early")
    instant = read_instant(until, context.received, zone_of(context.services, context.person))
    if isinstance(instant, ParseError):
        return Message("agreements.until_unread", text=context.safe(until))
    if instant <= context.received:
        return Message("agreements.until_too_early")
    return phase, instant


def next_number(game: Game) -> int:
    """Return a number that no agreement of a game had, and that does not tell how many there are.

    Those of three digits come first, in an order of the game's own, then those of four.
    """
    last = game.agreements[-1].number if game.agreements else 0
    digits = max(len(str(last)), 3)

    def place(number: int) -> bytes:
        return blake2b(f"agreement/{number}".encode(), key=game.secret).digest()

    block = sorted(range(10 ** (digits - 1), 10**digits), key=place)
    left = block[block.index(last) + 1 :] if last else block
    taken = {each.number for each in game.agreements}
    return next((each for each in left if each not in taken), 10**digits)


def _keep(context: MailContext, agreement: Agreement) -> None:
    """Store an agreement in place of its former self; of too many the oldest go that are over."""
    view, (game, _) = context.playing(), context.sitting()
    now = view.state.moment
    others = [each for each in game.agreements if each.number != agreement.number]
    live = [each for each in others if each.is_open(now, context.now) or each.stands(now)]
    over = [each for each in others if each not in live][-_KEPT:]
    kept = [each for each in others if each in live or each in over]
    known = [each.number for each in game.agreements]
    at = known.index(agreement.number) if agreement.number in known else len(kept)
    context.set_game(replace(game, agreements=(*kept[:at], agreement, *kept[at:])))


def _waits_for_proof(
    context: MailContext, line: Line, world: World, agreement: Agreement, power: PowerId
) -> bool:
    """Ask the address on file where a chit is given with a password alone (ASN-02)."""
    gives = parts_of(world, agreement, power)
    if is_proven(context) or not any(isinstance(part, GiveChit) for part in gives):
        return False
    require_confirmation(context, line, line.text)
    return True


# --- reading an offer --------------------------------------------------------------------------


def _read(seen: SeenGame, power: PowerId, text: str) -> _Terms | Message:
    """Read an offer; who pays an upkeep asks that the unit is maintained."""
    said = read_offer(text, power, seen.lexicon)
    if isinstance(said, Message):
        return said
    if said.to not in seen.world.in_play:
        return Message("language.offer.to_whom", name=seen.words.power(said.to))
    sides: dict[PowerId, list[Part]] = {power: [], said.to: []}
    for side, words in ((power, said.gives), (said.to, said.asks)):
        other = said.to if side == power else power
        for each in words:
            match each:
                case Maintain(unit=named):
                    pays, keeps = _upkeep_of(seen, other, named)
                    sides[side].append(pays)
                    sides[other].append(keeps)
                case VoteWords():
                    vote = _vote_meant(seen, side, each)
                    if isinstance(vote, Message):
                        return vote
                    sides[side].append(vote)
                case _:
                    sides[side].append(each)
    own, others = _summed(sides[power]), _summed(sides[said.to])
    if max(len(own), len(others)) > _MAX_PARTS:
        return Message("agreements.too_many_parts", most=_MAX_PARTS)
    return _Terms(said.to, own, others, said.until)


def _upkeep_of(seen: SeenGame, owner: PowerId, named: Named) -> tuple[Pay, Maintain]:
    """The price of the upkeep of a unit, as one sees it, and its owner's order to maintain it."""
    unit = unit_named(seen.world, seen.state, owner, named)
    quality = unit.quality if unit is not None else Quality.PLAIN
    is_owners = unit is not None and unit.owner == owner
    kept = Named.of(unit) if unit is not None and is_owners else named
    return Pay(quality.price, owner), Maintain(kept)


def _vote_meant(seen: SeenGame, power: PowerId, said: VoteWords) -> Vote | Message:
    seat = seat_of(seen.game, power)
    if said.is_draw or seat is None:
        among = draw_meant(seen, said.powers)
        if isinstance(among, Message):
            return among
        return Vote(() if among == living(seen) else among)
    winner = concession_meant(seen, seat, said.powers)
    return winner if isinstance(winner, Message) else Vote(winner=winner)


def _summed(parts: Iterable[Part]) -> tuple[Part, ...]:
    """The parts, each once, with one payment."""
    given = list(dict.fromkeys(part for part in parts if not isinstance(part, Pay)))
    pays = [part for part in parts if isinstance(part, Pay)]
    if not pays:
        return tuple(given)
    return (Pay(sum(part.ducats for part in pays), pays[0].to), *given)


# --- accepting and taking back -----------------------------------------------------------------


@command("accept", act=Act.PLAY, who=PLAYERS, refused_in=NOT_PLAYED)
def accept(context: MailContext, line: Line, said: PlainCommand) -> None:
    """Accept an offer of another power."""
    found = _meant(context, line, said)
    if found is None:
        return
    view, (game, seat) = context.playing(), context.sitting()
    now = view.state.moment
    seen = view_for_power(view, found.to)
    if found.giver in seat.powers:
        context.refuse(line, Message("agreements.own", number=found.number))
    elif found.stands(now):
        context.done(Message("agreements.already", number=found.number))
    elif (flaw := _why_not_accepted(context, seen, found)) is not None:
        context.refuse(line, flaw)
    elif _waits_for_proof(context, line, view.world, found, found.to):
        pass
    elif (flaw := no_more_press(context, game, seat)) is not None:
        context.refuse(line, flaw)
    else:
        phase = _phase_of(seen, found) or now
        taken = replace(
            found, accepted=context.received, accepted_by=context.mail_id, phase=phase.code
        )
        _keep(context, taken)
        phase_words = _phase_words(seen.words, taken.phase)
        sides = _sides(seen.words, taken, seat.powers)
        context.done(Message("agreements.accepted", phase=phase_words, **sides))
        context.answer.notices.append(_proof(game, taken))
        _tell(context, [taken], taken.giver, "accepted")


def _why_not_accepted(context: MailContext, seen: SeenGame, found: Agreement) -> Message | None:
    game, now, words = seen.game, seen.state.moment, seen.words
    if (flaw := not_approved(context)) is not None:
        return flaw
    if found.withdrawn is not None:
        by, zone = words.power(found.withdrawn_by), zone_of(context.services, context.person)
        return Message(
            "agreements.gone", number=found.number, power=by, at=found.withdrawn, zone=zone
        )
    if not found.is_open(now, context.received):
        return Message("agreements.over", number=found.number)
    if not game.settings.offers:
        return Message("agreements.off")
    if (flaw := _partner_flaw(context, found.to, found.giver)) is not None:
        return flaw
    phase = _phase_of(seen, found)
    if phase is None:
        return Message("agreements.over", number=found.number)
    flaws = (
        _part_flaw(seen, phase, found.to, found.to, part)
        for part in parts_of(seen.world, found, found.to)
    )
    return next((each for each in flaws if each is not None), None)


def _phase_of(seen: SeenGame, agreement: Agreement) -> Moment | None:
    """The phase with which an offer would be carried out if it were accepted now."""
    first, last = read_moment(agreement.phase), read_moment(agreement.until)
    begin = max(seen.state.moment, first) if first is not None else seen.state.moment
    gives, asks = (
        parts_of(seen.world, agreement, each) for each in (agreement.giver, agreement.to)
    )
    phase = first_phase(seen, begin, agreement.giver, gives, agreement.to, asks)
    return phase if phase is not None and last is not None and not last < phase else None


@command("withdraw", act=Act.PLAY, who=PLAYERS, also=("decline",), refused_in=NOT_PLAYED)
def withdraw(context: MailContext, line: Line, said: PlainCommand) -> None:
    """Take back an offer or an agreement, or decline an offer."""
    found = _meant(context, line, said)
    if found is None:
        return
    view, (game, seat) = context.playing(), context.sitting()
    now, power = view.state.moment, found.giver if found.giver in seat.powers else found.to
    if found.withdrawn is not None:
        context.done(Message("agreements.gone_already", number=found.number))
        return
    is_agreed = found.stands(now)
    if not is_agreed and not found.is_open(now, context.received):
        context.refuse(line, Message("agreements.over", number=found.number))
        return
    gone = replace(found, withdrawn=context.received, withdrawn_by=power)
    _keep(context, gone)
    no_more_press(context, game, seat)  # It counts as press, and is never refused.
    words = view_words(view, seat)
    other = words.power(found.other(power))
    what = "withdrawn" if is_agreed or power == found.giver else "declined"
    context.done(Message(f"agreements.{what}", number=found.number, other=other))
    _tell(context, [gone], found.other(power), what)


def _meant(context: MailContext, line: Line, said: PlainCommand) -> Agreement | None:
    """The agreement of the number in a line, or of the message that the mail answers."""
    view, (game, seat) = context.playing(), context.sitting()
    own = [each for each in game.agreements if each.is_of(seat.powers)]
    number = _number_in(said.text) if said.words else offer_answered(context)
    found = next((each for each in own if each.number == number), None)
    if found is None:
        now = view.state.moment
        live = [each for each in own if each.is_open(now, context.now) or each.stands(now)]
        numbers = tuple(str(each.number) for each in live)
        context.refuse(line, Message("agreements.which", numbers=numbers, verb=said.name.upper()))
    return found


def _number_in(text: str) -> int | None:
    found = re.search(r"\d{1,6}", text)
    return int(found[0]) if found is not None else None


def offer_answered(context: MailContext) -> int | None:
    """Return the number of the offer that a mail answers by its reply code; 0: of several."""
    scopes = context.writer.token_scopes
    surest = next((each for each in scopes if isinstance(each, SeatToken)), None)
    return surest.agreement if isinstance(surest, OfferToken) else None


def take_answer(context: MailContext, left: list[Line]) -> None:
    """Read an answer to an offer: of a line that only accepts or declines make that command.

    All other lines are read as in any mail.  A mail that looks like an automatic answer says
    neither.
    """
    number = offer_answered(context)
    if number is None or not context.writer.opened_by_token or context.game is None:
        return
    own = [row for row in context.mail.rows if row.owner is Owner.WRITER and not row.is_press]
    found = next(((row, verb) for row in own if (verb := _verb_of(row.text))), None)
    if found is not None and context.mail.suspected is None:
        row, verb = found
        text = f"{verb} {_number_in(row.text) or number or ''}".strip()
        said = replace(row, text=text, where=None)
        at = next((n for n, each in enumerate(left) if each.number == row.number), None)
        left[:] = [said, *left] if at is None else [*left[:at], said, *left[at + 1 :]]
        return
    view, seat = context.view(), context.seat
    agreement = next((each for each in context.game.agreements if each.number == number), None)
    if view is None or seat is None or agreement is None or agreement.to not in seat.powers:
        return
    if agreement.is_open(view.state.moment, context.received):
        context.answer.verdict.append(Message("agreements.not_answered", number=number))


def _verb_of(text: str) -> str:
    """Return the command that a line of an answer means; "" if it means none."""
    accepts = True if is_assent(text) else answer_to_offer(text)
    return "" if accepts is None else "ACCEPT" if accepts else "WITHDRAW"


# --- telling the other side --------------------------------------------------------------------


def _tell_offer(context: MailContext, made: Agreement) -> None:
    """Send the other side all that this mail offers it, in one message."""
    game = context.own_game
    sides = (made.giver, made.to)
    offers = [
        each
        for each in game.agreements
        if (each.giver, each.to) == sides and each.mail == made.mail and each.withdrawn is None
    ]
    seat, numbers = seat_of(game, made.to), {_SEVERAL, *(each.number for each in offers)}
    context.messages[:] = [
        each
        for each in context.messages
        if not isinstance(each, Outgoing)
        or not isinstance(each.reply, OfferToken)
        or (seat is None or each.reply.seat != seat.number or each.reply.agreement not in numbers)
    ]
    _tell(context, offers, made.to, "offer")


def _tell(context: MailContext, agreements: Sequence[Agreement], power: PowerId, what: str) -> None:
    """Send the other side a message, whose answer is about these agreements."""
    view, game = context.playing(), context.own_game
    seat = seat_of(game, power)
    if seat is None or seat.person is None:
        return
    person = context.people(game).get(seat.person)
    reader = reader_of(context.services, person, context.now)
    words, first = view_words(view, seat), agreements[0]
    is_one = len(agreements) == 1
    lines: list[MessageOrText] = []
    choices: list[Message] = []
    for each in agreements:
        sides, phase = _sides(words, each, seat.powers), _phase_words(words, each.phase)
        lines += [""] if lines else []
        lines.append(Message(f"agreements.told.{what}", phase=phase, **sides))
        if what == "accepted":
            lines.append(_proof(game, each))
        if what == "offer":
            lines.append(_end_words(words, each, reader.zone))
            choices += [
                Message(f"agreements.choice.{verb}", number=each.number)
                for verb in ("accept", "decline")
            ]
    if what == "offer":
        lines += [] if is_one else [""]
        lines.append(Message(f"agreements.told.{'answer' if is_one else 'answers'}"))
    subject = Message(
        f"agreements.subject.{what}",
        numbers=tuple(str(each.number) for each in agreements),
        power=words.power(first.other(power)),
    )
    head = head_now(context.services, view)
    page = context.services.renderer.page(
        "offer",
        {"head": head, "reader": reader, "subject": subject, "lines": lines, "choices": choices},
    )
    here, about = view.state.moment.code, first.number if is_one else _SEVERAL
    code = OfferToken(game.id, seat.number, seat.generation, here, about)
    context.send(replace(game_message(game, seat.address, page), reply=code))


def _end_words(words: Words, agreement: Agreement, zone: tzinfo) -> Message:
    """Return until when an offer can be accepted."""
    number, at = agreement.number, agreement.expires
    if at is not None:
        return Message("agreements.told.ends", number=number, at=at, zone=zone)
    if agreement.until != agreement.phase:
        until = _phase_words(words, agreement.until)
        return Message("agreements.told.how_later", number=number, until=until)
    return Message("agreements.told.how", number=number)


def _phase_words(words: Words, code: str) -> MessageOrText:
    moment = read_moment(code)
    return phase_name(words, moment) if moment is not None else code
