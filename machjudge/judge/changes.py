"""The changes of one use case, collected first and written in one short transaction."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from machjudge.judge.credentials import (
    OfferToken,
    PendingAct,
    PressToken,
    SeatToken,
    Token,
    TokenScope,
)
from machjudge.judge.faults import Stale
from machjudge.judge.mails import Outgoing
from machjudge.judge.ports import UnitOfWork
from machjudge.judge.records import (
    Game,
    Holding,
    Limit,
    Note,
    Notice,
    OrderSet,
    Person,
    PersonId,
    Plan,
    PressItem,
    Role,
    Seat,
    StoredPhase,
    Substitute,
    Tenure,
)


def bump_generations(old: Game | None, new: Game, stay: Collection[int] = ()) -> Game:
    """Return *new* with the tokens ended of each seat with a new owner or password.

    The player of an opened seat, who may come back, still counts as its owner.

    :param old: the game as it was read; None for a new one.
    :param stay: the numbers of seats whose tokens go on.
    """
    before = {seat.number: seat for seat in old.seats} if old is not None else {}
    seats = tuple(
        [
            replace(seat, generation=was.generation + 1)
            if (was := before.get(seat.number)) is not None
            and was is not seat
            and seat.number not in stay
            and _is_changed(was, seat)
            else seat
            for seat in new.seats
        ]
    )
    return new if seats == new.seats else replace(new, seats=seats)


# How long the reply tokens of a seat live: as long as its owner and its password stay the same.
# Each seat counts its generations; a token opens the seat of its own generation only.
def _is_changed(was: Seat, seat: Seat) -> bool:
    is_same = (was.holder, was.password) == (seat.holder, seat.password)
    return not is_same and seat.generation == was.generation


def with_tenures(read: Game, game: Game) -> Game:
    """Return *game* with the record of who leads which seat, from which phase until which.

    A seat has one as soon as it has changed hands; what begins and ends in one phase is left out.
    """
    if read.position is None or game.position is None:
        return game
    is_same = read.settings.vacant is game.settings.vacant
    if is_same and (game.seats is read.seats or not _changed_hands(read, game)):
        return game
    tenures = game.seating.tenures
    before = {seat.number: seat for seat in read.seats if seat.powers}
    for seat in game.seats:
        was = before.get(seat.number)
        if was is not None:
            tenures = _with_tenure(tenures, read, game, was, seat)
    seating = replace(game.seating, tenures=tenures)
    return game if seating == game.seating else replace(game, seating=seating)


def _changed_hands(read: Game, game: Game) -> bool:
    before = [(seat.number, seat.person) for seat in read.seats if seat.powers]
    return before != [(seat.number, seat.person) for seat in game.seats if seat.powers]


def _with_tenure(
    tenures: tuple[Tenure, ...], read: Game, game: Game, was: Seat, seat: Seat
) -> tuple[Tenure, ...]:
    at = game.position or 0
    old = Tenure(seat.number, was.person, _FIRST, bot=_has_bot(read, was))
    new = Tenure(seat.number, seat.person, at, bot=_has_bot(game, seat))
    if (old.person, old.bot) == (new.person, new.bot):
        return tenures
    own = [each for each in tenures if each.seat == seat.number] or [old]
    others = [each for each in tenures if each.seat != seat.number]
    *earlier, last = own
    is_gap = last.person is None and last.since == at
    kept = [*earlier] if is_gap else [*earlier, replace(last, until=at)]
    goes_on = kept[-1:] and (kept[-1].person, kept[-1].bot) == (new.person, new.bot)
    if goes_on and kept[-1].until == at:
        kept[-1] = replace(kept[-1], until=None)
    else:
        kept.append(new)
    is_as_ever = kept == [Tenure(seat.number, seat.person, _FIRST)] and seat.person is not None
    return tuple(others) if is_as_ever else (*others, *kept)


_FIRST = 0
"""The stored phase with which every game opens."""


def _has_bot(game: Game, seat: Seat) -> bool:
    return seat.person is None and game.settings.vacant is not None


def with_token(message: Outgoing, game: Game | None) -> Outgoing:
    """Return the message with the current token of the seat of its address, a player's first.

    Messages to other addresses, and with tokens of another kind, are returned unchanged.
    """
    if game is None or message.game != game.id or not message.takes_token:
        return message
    match message.reply:
        case SeatToken(seat=number):
            seat = next((each for each in game.seats if each.number == number), None)
        case None:
            seat = _seat_at(game.seats, message.to)
        case _:
            return message
    if seat is None:
        return replace(message, reply=None)
    watches = seat.role is Role.OBSERVER and seat.address == message.to
    return replace(
        message,
        reply=_in_generation(message.reply, token_of(game, seat, message.phase)),
        observer=seat.number if watches else None,
    )


def _in_generation(wanted: TokenScope | None, token: SeatToken | None) -> TokenScope | None:
    """The token of the seat; one for press or an offer keeps its other facts."""
    if isinstance(wanted, PressToken | OfferToken) and token is not None:
        return replace(wanted, generation=token.generation, phase=token.phase)
    return token


def token_of(game: Game, seat: Seat, phase: str) -> SeatToken | None:
    """Return the scope of an answer to a message for the seat; None for an abandoned one."""
    if seat.holder is None:
        return None
    return SeatToken(game.id, seat.number, seat.generation, phase)


def _seat_at(seats: Iterable[Seat], address: str) -> Seat | None:
    there = [seat for seat in seats if seat.address == address and seat.holder is not None]
    return min(there, key=lambda seat: (seat.role is not Role.PLAYER, seat.number), default=None)


_MOMENT = timedelta(microseconds=1)


@dataclass(slots=True)
class Changes:
    """Values to be saved; nothing is written before ``write``."""

    read: Game | None = None
    """The game as it was read; None if it is new or there is none."""
    game: Game | None = None
    persons: dict[PersonId, Person] = field(default_factory=dict)
    known: Mapping[PersonId, Person] = field(default_factory=dict)
    """The existing ones of them, as they were read."""
    forgotten: set[PersonId] = field(default_factory=set)
    """Unconfirmed people to be removed."""
    gives_way: Game | None = None
    """An unconfirmed game whose name the new one has."""
    is_removed: bool = False
    """The game is removed, as its creator was never confirmed."""
    order_sets: list[OrderSet] = field(default_factory=list)
    plans: list[Plan] = field(default_factory=list)
    phases: list[tuple[StoredPhase, tuple[Holding, ...]]] = field(default_factory=list)
    press: list[PressItem] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    removed_notes: list[Note] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    messages: list[Outgoing] = field(default_factory=list)
    tokens: list[Token] = field(default_factory=list)
    acts: list[PendingAct] = field(default_factory=list)
    acts_done: set[str] = field(default_factory=set)
    tokens_stay: set[int] = field(default_factory=set)
    """The numbers of seats whose reply tokens go on, although their owner has changed."""
    erased: set[PersonId] = field(default_factory=set)
    """People whose identity is to be removed."""
    used: set[str] = field(default_factory=set)
    substitutes: list[Substitute] = field(default_factory=list)
    no_substitutes: list[tuple[PersonId, str | None]] = field(default_factory=list)
    """The offers that are taken back, by person and game; None: all."""
    limit_uses: list[tuple[Limit, datetime]] = field(default_factory=list)

    def write(self, uow: UnitOfWork) -> None:
        """Save everything.  Raises Stale if the game or a person is no longer as it was read.

        Seats with a new owner or password get new reply tokens, and so do the messages.
        """
        if self.game is not None:
            self.game = bump_generations(self.read, self.game, self.tokens_stay)
            if self.read is not None and self.game is not self.read:
                self.game = with_tenures(self.read, self.game)
            self.game = self._begun_after_all_kept(uow, self.game)
        if self.persons and uow.persons.held(self.persons) != self.known:
            msg = "somebody has been changed meanwhile"
            raise Stale(msg)
        for person in self.persons.values():
            uow.persons.save(person)
        self._write_game(uow)
        for gone in self.forgotten:
            uow.persons.remove(gone)
        for order_set in self.order_sets:
            uow.order_sets.add(order_set)
        for plan in self.plans:
            uow.plans.add(plan)
        for phase, holdings in self.phases:
            uow.phases.add(phase, holdings)
        self._write_words(uow)
        for message in self.messages:
            uow.outbox.put(with_token(message, self.game))
        self._write_keys(uow)
        self._count(uow)

    def _count(self, uow: UnitOfWork) -> None:
        """Count the limits.  Raises Stale if one has been reached meanwhile."""
        uow.counts.lock({limit.key for limit, _ in self.limit_uses})
        for limit, at in self.limit_uses:
            if limit.most and limit.used(uow.counts, at) >= limit.most:
                msg = "somebody else has used up what may be done"
                raise Stale(msg)
            uow.counts.add((limit.key,), at)

    def _begun_after_all_kept(self, uow: UnitOfWork, game: Game) -> Game:
        """The game, with a phase that begins now made to begin after every kept mail.

        A phase takes a moment to be played.  Orders received in this moment were written before the
        results were known, and must not count for the next phase.
        """
        old = self.read.clock if self.read is not None else None
        if not self.phases or game.clock is None or (old and old.began == game.clock.began):
            return game  # corrections leave the phase as it is
        newest = uow.inbox.newest(game.id)
        if newest is None or newest <= game.clock.began:
            return game
        return replace(game, clock=replace(game.clock, began=newest + _MOMENT))

    def _write_keys(self, uow: UnitOfWork) -> None:
        """Write tokens; one that was used meanwhile is not used again."""
        for hashed in self.used:
            if uow.tokens.token(hashed) is None:
                msg = "somebody else has used that token"
                raise Stale(msg)
            uow.tokens.drop(hashed)
        for token in self.tokens:
            uow.tokens.add(token)
        for name in self.acts_done:
            uow.acts.drop(name)
        generations = (
            {seat.number: seat.generation for seat in self.game.seats} if self.game else {}
        )
        for act in self.acts:
            # The mail that asks for the act may have changed the password as well.
            uow.acts.add(replace(act, generation=generations.get(act.seat, act.generation)))

    def _write_words(self, uow: UnitOfWork) -> None:
        for person, game in self.no_substitutes:
            uow.substitutes.remove(person, game)
        for offer in self.substitutes:
            uow.substitutes.add(offer)
        for item in self.press:
            uow.press.add(item)
        for note in self.notes:
            uow.notes.add(note)
        for note in self.removed_notes:
            uow.notes.remove(note)
        for notice in self.notices:
            uow.notices.add(notice)

    def _write_game(self, uow: UnitOfWork) -> None:
        """Write the game; its version goes up with all that belongs to it."""
        if self.game is None:
            return
        if self.is_removed:
            uow.games.remove(self.game.id)
        elif self.read is None:
            if self.gives_way is not None:
                self._remove_for_new_one(uow, self.gives_way)
            uow.games.add(replace(self.game, version=1))
        elif self.game != self.read or self._belongs_to_game():
            changed = (self.plans, self.phases, self.notes, self.removed_notes)
            is_same = self.game == self.read and not any(changed)
            game = replace(self.game, version=self.read.version + 1)
            uow.games.save(game, self.read, adds_only_sheets=is_same)

    def _remove_for_new_one(self, uow: UnitOfWork, older: Game) -> None:
        """Remove an unconfirmed game.  Raises Stale if it was confirmed meanwhile."""
        now = uow.games.get(older.id)
        if now is not None and (now.is_confirmed or now.version != older.version):
            msg = "somebody has confirmed or changed that game meanwhile"
            raise Stale(msg)
        if now is not None:
            uow.games.remove(older.id)

    def _belongs_to_game(self) -> bool:
        """True if something is written that two transactions must not write at once."""
        written = (
            self.order_sets,
            self.plans,
            self.phases,
            self.press,
            self.notes,
            self.removed_notes,
        )
        return any(written)
