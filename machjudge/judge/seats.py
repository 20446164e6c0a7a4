"""Taking, confirming and leaving seats, and the master's commands about seats."""

import re
from collections.abc import Sequence
from dataclasses import replace

from machjudge.adjudicator.names import PowerId
from machjudge.adjudicator.orders import BulkOrder
from machjudge.judge import people
from machjudge.judge.audience import (
    held_seat,
    holder_name,
    powers_meant,
    seat_meant,
    seat_name,
)
from machjudge.judge.commands import (
    FIRST_MASTER,
    MASTERS,
    Caller,
    command,
    once_begun,
    setting,
)
from machjudge.judge.confirmation import (
    add_address,
    adds,
    ask_to_answer,
    claim_seat,
    letter_of,
    newcomer,
    open_claim,
    rivals,
    withdraw,
)
from machjudge.judge.corrections import leave_to_garrisons
from machjudge.judge.credentials import Act, AddressToken, SeatToken, SubstituteToken
from machjudge.judge.game_settings import Quitting
from machjudge.judge.game_view import (
    is_played,
    load,
    pending_lines,
    players,
    record_flaw,
    record_line,
    record_of,
    seat_of,
    with_left,
)
from machjudge.judge.limits import no_more_games, no_more_observers, no_more_seats
from machjudge.judge.mail_context import MailContext
from machjudge.judge.mastering import why_no_substitute
from machjudge.judge.opening import wish_for
from machjudge.judge.outgoing import (
    announce,
    masters_of,
    masters_only,
    public_name,
    sight_of,
    view_for_power,
)
from machjudge.judge.people import is_called, next_number, with_seat
from machjudge.judge.records import (
    SHUT_OUT,
    AddressStanding,
    Attendance,
    Game,
    Person,
    PersonId,
    Role,
    Seat,
    Status,
    Substitute,
    Wishes,
    is_invited,
    is_same_name,
    is_shut_out,
    why_not_sit,
    why_not_watch,
)
from machjudge.judge.reminders import clock_for_newcomer
from machjudge.judge.rule_settings import find_flag
from machjudge.judge.setup import begin, created, shut_out, still_needed, take_seat
from machjudge.judge.sign_in import (
    Hint,
    by_token,
    denies,
    hint_for_newcomer,
    hint_for_seat,
    hint_for_watcher,
    is_wordless,
    may_try,
    meant,
    named_game,
    own_words,
    rest_of_line,
    scenario_named,
    seat_letter,
    unlock,
    why_not,
)
from machjudge.judge.timetable import read_hours
from machjudge.language.commands import (
    Create,
    Diary,
    History,
    Join,
    List,
    NotACommand,
    Observe,
    PlainCommand,
    PostalPress,
    Press,
    Set,
    Setting,
    SignOff,
    SignOn,
    spellings,
)
from machjudge.mail_parser.lines import Line, agrees
from machjudge.messages.wording import Words
from machjudge.translatable import Message, MessageOrText


def unwelcome(context: MailContext, game: Game, person: Person) -> MessageOrText | None:
    """Return why a person may not take a seat; an invitation excuses a bad record."""
    flaw = why_not_sit(game.settings, person)
    if flaw is not None or is_invited(game.settings, person):
        return flaw
    return record_flaw(
        game.settings, record_of(context.uow.games.attended_by(person.id), person.id)
    )


def ask_for_approval(context: MailContext, seat: Seat, who: str) -> None:
    """Ask a master who approves players about a newcomer, who is told to wait."""
    if seat.approved or context.game is None or context.person is None:
        return
    context.done(Message("seats.approve.asked"))
    lines = [Message("seats.approve.wanted", name=context.person.name, who=who)]
    who_sits = context.person.id
    record = record_of(context.uow.games.attended_by(who_sits), who_sits)
    lines += [record_line(record)] if record else []
    subject = Message("seats.subject.approval")
    announce(context, context.game, subject, lines, masters_of(context.game))


# Taking a seat that nobody holds: by somebody new, or by its player who comes back. The old
# password of a seat takes it for nobody. It only lets a player back whose seat was opened because
# no orders came; who resigned or was ejected has left.
NOT_REGISTERED = Message("seats.take.not_registered")
OVER = Message("seats.take.over")
HAS_SEEN = Message("seats.take.has_seen")


def take_over(context: MailContext, line: Line, game: Game, letter: PowerId, password: str) -> bool:
    """Take an abandoned seat; return False if it is none.  Problems are refused."""
    seat = seat_of(game, letter)
    typed, password = password, people.plain_password(password)
    if seat is None or seat.person is not None or people.password_flaw(password):
        return False
    known, flaw = context.claimant, None
    if game.status is Status.FINISHED:
        flaw = OVER
    elif known is not None and is_shut_out(game.settings, known):
        flaw = SHUT_OUT
    if flaw is None and seat.former is None and is_out(context, game, seat):
        flaw = Message("seats.take.eliminated", game=game.name)
    if flaw is not None:
        context.refuse_all(line, flaw)
    elif seat.password and not may_try(context, game.id, letter):
        context.refuse_all(line, why_not(context, game.id, letter))
    elif seat.password and people.is_right(context.services, seat.password, typed):
        _take_back(context, line, game, seat, letter)
    else:
        _take(context, line, game, seat, letter, password)
    return True


def as_new(game: Game, seat: Seat, person: Person, hashed: str) -> Seat:
    """Return the seat without its last player's settings."""
    return replace(
        seat,
        person=person.id,
        address=person.addresses[0],
        password=hashed,
        waits=False,
        absences=(),
        priority=(),
        draw=None,
        concede=None,
        wishes=Wishes(),
        approved=not game.settings.approval,
        public=False,
        former=None,
    )


def abandoned(seat: Seat) -> Seat:
    """Return the seat after its player has left for good."""
    return replace(seat, person=None, former=None, waits=False, draw=None, concede=None)


def is_out(context: MailContext, game: Game, seat: Seat) -> bool:
    """Return True if all powers of a seat are eliminated, so that it needs no player."""
    if game.status is not Status.RUNNING:
        return False
    view = context.view() or load(context.services, context.uow, game)
    return view.state.eliminated.issuperset(seat.powers)


def open_seat_lines(game: Game, seats: Sequence[Seat]) -> list[Message]:
    """Return the lines that explain how to take the seats that have powers."""
    letters = tuple(seat.powers[0] for seat in seats if seat.powers)
    return [Message("seats.take.how", game=game.name, letters=letters)] if letters else []


def _take_back(context: MailContext, line: Line, game: Game, seat: Seat, letter: PowerId) -> None:
    person = context.uow.persons.get(seat.former) if seat.former is not None else None
    if person is None:
        context.refuse_all(line, Message("seats.take.old_password"))
        return
    if is_shut_out(game.settings, person):
        context.refuse_all(line, SHUT_OUT)
        return
    held = replace(seat, person=person.id, former=None)
    power = _speak(context, game, held, letter)
    context.done(Message("seats.take.you_again", power=power))
    _tell(context, held, person, "leads_again", power)


def _take(
    context: MailContext, line: Line, game: Game, seat: Seat, letter: PowerId, password: str
) -> None:
    """Give the seat to a new person; an unconfirmed one has to answer first."""
    person = context.person_or_new() if context.services.judge.confirm else context.person
    known = context.claimant or person
    flaw = NOT_REGISTERED if known is None else _why_not_lead(context, game, known)
    if is_out(context, game, seat):
        flaw = Message("seats.take.eliminated", game=game.name)
    if person is None or flaw is not None:
        context.refuse_all(line, flaw or NOT_REGISTERED)
        return
    taken = as_new(game, seat, person, context.services.passwords.hash(password))
    if person.is_confirmed:
        led(context, game, taken, letter, person)
        return
    claim_seat(context, game, taken, person)
    if context.writer.unconfirmed is not None:
        names = seat_name(context, game, seat)
        context.answer.verdict.append(Message("seats.take.waits", power=names, game=game.name))


def led(context: MailContext, game: Game, taken: Seat, letter: PowerId, person: Person) -> None:
    """Record the new leader of a power, and show them its orders."""
    power = _speak(context, game, taken, letter)
    key = "take.you" if taken.password else "substitute.you"
    context.done(Message(f"seats.{key}", power=power))
    _tell_of_votes(context, game, taken.number)
    _show_what_was_kept(context, power)
    _tell(context, taken, person, "has_taken_over", power, *_fresh_deadline(context))
    ask_for_approval(context, taken, str(taken.number))


def _tell_of_votes(context: MailContext, game: Game, number: int) -> None:
    """Tell a seat's new player which votes of the last one have lapsed."""
    was = next((seat for seat in game.seats if seat.number == number), None)
    words = Words(context.services.world(game))
    if was is not None and was.draw is not None:
        among = tuple(map(words.power, was.draw))
        context.done(Message("seats.take.draw_lapsed", among=among))
    if was is not None and was.concede is not None:
        context.done(Message("seats.take.concede_lapsed", winner=words.power(was.concede)))


def _why_not_lead(context: MailContext, game: Game, person: Person) -> MessageOrText | None:
    """Why a person may not lead an abandoned power; None counts the seat."""
    own = [seat for seat in game.seats if seat.person == person.id]
    is_master = any(seat.role is Role.MASTER for seat in own)
    if is_master and sight_of(game, own).sees_all:
        return HAS_SEEN
    if is_master and game.settings.master_plays:
        # Who can open a seat, and then take it, could read what is on file for it.
        return Message("seats.take.before_it_begins")
    return unwelcome(context, game, person) or no_more_seats(context)


def _speak(context: MailContext, game: Game, seat: Seat, letter: PowerId) -> MessageOrText:
    context.enter(game, seat)
    context.speak_from(seat.number, letter)
    context.progress.sat_down = True
    return seat_name(context, game, seat)


def _tell(
    context: MailContext,
    seat: Seat,
    person: Person,
    what: str,
    power: MessageOrText,
    *more: Message,
) -> None:
    context.note("joined", Message(f"seats.take.{what}", name=person.name, power=power))
    name = public_name(context.own_game, person)
    deed = Message(f"seats.take.{what}", name=name, power=power)
    lines = [Message("seats.take.announced", deed=deed), *more]
    key = "back" if what == "leads_again" else "signon"
    subject = Message(f"seats.subject.{key}", powers=_names(context, seat))
    announce(context, context.own_game, subject, lines, masters_only(context.own_game))


def _names(context: MailContext, seat: Seat) -> tuple[str, ...]:
    return tuple(map(Words(context.services.world(context.own_game)).power, seat.powers))


def _show_what_was_kept(context: MailContext, power: MessageOrText) -> None:
    """Show the orders on file, which belong to the power."""
    view, own = context.view(), context.power
    if view is None or own is None:
        return
    order_set = view.order_sets.get(own)
    if order_set is not None and order_set.lines:
        context.done(Message("seats.take.filed", power=power))
    if pending_lines(view_for_power(view, own), own):
        context.done(Message("seats.take.kept", power=power))


def _fresh_deadline(context: MailContext) -> list[Message]:
    """Give the taker of the last open seat the time of a whole phase; say so."""
    game, view = context.game, context.view()
    if game is None or game.clock is None or view is None:
        return []
    clock = clock_for_newcomer(game, view.state.moment.stage, context.now)
    if clock == game.clock:
        return []
    context.set_game(replace(game, clock=clock))
    message = Message("seats.take.deadline_moved")
    context.done(message)
    return [message]


ONE_LINE_EACH = Message("seats.one_line_each")
NOTHING_TAKEN = Message("seats.nothing_taken")
TEXT_ON_LINE = Message("seats.text_on_line")
_NO_SECRETS = frozenset({"password", "passwort", "pass", "pw"})


@command(
    "signon",
    act=Act.ENTER,
    kind=SignOn,
    also=("sign on", "hello", "login"),
    is_dry=True,
    opens_seat=True,
    secret_at=2,
)
def sign_on(context: MailContext, line: Line, typed: SignOn) -> None:
    """Speak from a seat; signing on to an abandoned one takes it over."""
    said = as_meant(context, typed)
    game = context.find_game(said.game)
    letter = named_letter(context, said)
    if game is not None and open_claim(context, game, letter, said.password):
        return
    # A mail that only checks orders takes no seat, and shows nobody the orders of one.
    if (
        game is not None
        and not context.progress.is_dry
        and take_over(context, line, game, PowerId(letter), said.password)
    ):
        return
    if opens_seat(context, said):
        return
    reason, hint = why_not(context, said.game, letter), hint_for_seat(context, said)
    if said.rest:
        both = Message("session.both", first=reason, second=ONE_LINE_EACH)
        context.refuse_all(line, both, hint.instead, NOTHING_TAKEN)
    else:
        context.refuse_all(line, with_hint(reason, hint), hint.instead)


def opens_seat(context: MailContext, typed: SignOn) -> bool:
    """Speak from the seat of a signon; return False if it opens none.  Refuses nothing."""
    said = as_meant(context, typed)
    game = context.find_game(said.game)
    letter = named_letter(context, said)
    seat = unlock(context, said.game, letter, said.password)
    if game is None or seat is None:
        return False
    context.enter(game, seat)
    context.speak_from(seat.number, PowerId(letter))
    return True


def is_open(context: MailContext, typed: SignOn) -> bool:
    """Return True if a signon means the seat that the mail has opened already."""
    said = as_meant(context, typed)
    game, seat = context.game, context.seat
    if game is None or seat is None or context.became or said.game.lower() != game.id:
        return False
    return is_called(seat, named_letter(context, said))


def as_meant(context: MailContext, typed: SignOn) -> SignOn:
    """Return the reading of a signon that fits the existing games; its password is a secret."""
    said = meant(typed, lambda name: scenario_named(context.services, context.uow, name))
    hide_password(context, said.password)
    return said


def hide_password(context: MailContext, password: str) -> None:
    """Keep a password out of the answer, but not the word for "none"."""
    context.secrets.update(each for each in spellings(password) if each.lower() not in _NO_SECRETS)


def named_letter(context: MailContext, said: SignOn) -> str:
    """Return the letter of the seat that a signon names; empty if there is no such seat."""
    game = context.find_game(said.game)
    if len(said.seat) == 1 or game is None:
        return said.seat.upper() if len(said.seat) == 1 else ""
    return seat_letter(context.services.scenario(game), said.seat)


def with_hint(reason: MessageOrText, hint: Hint) -> MessageOrText:
    """Return a reason, with what to write instead where that is known."""
    return Message("session.both", first=reason, second=hint.reason) if hint.reason else reason


@command("signoff", kind=SignOff, also=("sign off", "log off", "quit", "--"), is_dry=True)
def sign_off(context: MailContext, _: Line, said: SignOff) -> None:
    """Read no further; say what was done if the word may have been meant for the game."""
    context.progress.is_closed, context.progress.has_quit = True, said.has_quit
    if said.has_quit:
        context.answer.notices.append(Message("seats.quit"))


@command(
    "resign",
    act=Act.FINAL,
    who=frozenset({Caller.PLAYER, Caller.OBSERVER, Caller.CO_MASTER}),
    is_personal=True,
)
def resign(context: MailContext, line: Line, _: PlainCommand) -> None:
    """Give up a seat; a player's is open to others from now on."""
    game, seat = context.own_game, context.own_seat
    if game.status is Status.FINISHED:
        context.refuse(line, OVER)
        return
    agreed = [each for each in game.agreements if each.is_of(seat.powers) and not each.withdrawn]
    if agreed and line.first_word.lower().startswith("withdraw"):
        context.refuse(line, Message("seats.leave.or_offer", number=agreed[-1].number))
        return
    if seat.role is Role.MASTER and seat.person == game.master:
        context.refuse(line, Message("seats.leave.master"))
        return
    others = tuple(each for each in game.seats if each.number != seat.number)
    if context.is_claim:
        withdraw(context, game, seat)
        return
    if seat.powers:
        _abandon(context, game, seat)
    else:
        context.set_game(replace(game, seats=others))
        context.seat_number = None
    context.note("resigned", Message("seats.leave.log", number=seat.number))
    context.done(Message("seats.leave.done", game=game.name))
    context.progress.is_closed = context.progress.has_resigned = True


def _abandon(context: MailContext, game: Game, seat: Seat) -> None:
    names = _names(context, seat)
    quits = game.status is Status.RUNNING and game.settings.quitting is Quitting.AUTONOMOUS
    gone = leave_to_garrisons(context, seat.powers) if quits else []
    context.set_game(with_left(context.own_game, [seat.person]))
    context.set_seat(abandoned(seat))
    lines = [Message("seats.leave.announced", powers=names), *gone]
    is_wanted = not is_out(context, game, seat)
    lines += open_seat_lines(game, [seat]) if is_wanted else []
    now = context.own_game
    if not is_played(now):
        lines.append(Message("seats.leave.nobody_plays"))
    key = "wanted" if is_wanted else "left"
    subject = Message(f"seats.subject.{key}", powers=names)
    announce(context, now, subject, lines, masters_only(game))


def _with_holder(context: MailContext, said: PlainCommand) -> str:
    """The line that ejects this person even if the seat changes hands first."""
    found = held_seat(context, context.game, said.text) if context.game is not None else None
    name = holder_name(context, found) if isinstance(found, Seat) else ""
    is_named = not name or said.text.endswith(")") or is_same_name(name, said.text)
    return f"EJECT {said.text}" if is_named else f"EJECT {said.text} ({name})"


@command("eject", act=Act.FINAL, who=MASTERS, unchanging=_with_holder)
def eject(context: MailContext, line: Line, said: PlainCommand) -> None:
    """Take all seats from a person, who stays out until readmitted; a player's seat is open."""
    game = context.own_game
    found = held_seat(context, game, said.text)
    if isinstance(found, Message):
        context.refuse(line, found)
        return
    if game.status is Status.FINISHED:
        context.refuse(line, Message("game.is_over"))
        return
    person = found.holder
    own = context.seat.person if context.seat is not None else None
    if person is None or person in (game.master, own):
        context.refuse(line, Message("seats.eject.not_that"))
        return
    seats = [seat for seat in game.seats if person in (seat.person, seat.former)]
    context.set_game(_without_person(game, person, seats))
    _tell_of_ejection(context, game, person, seats)
    context.undone_by(f"REINSTATE {called(context, game, seats[0])}")


def _without_person(game: Game, person: PersonId, seats: Sequence[Seat]) -> Game:
    """The game with a person's seats opened or removed, and the person shut out."""
    gone = {seat.number for seat in seats if not seat.powers}
    game = replace(
        game,
        seats=tuple(seat for seat in game.seats if seat.number not in gone),
        settings=shut_out(game.settings, person),
        ejected=(*(seat for seat in game.ejected if seat.holder != person), *seats),
    )
    for seat in seats:
        if seat.powers:
            game = with_seat(game, abandoned(seat))
    return game


def _tell_of_ejection(
    context: MailContext, game: Game, person: PersonId, seats: Sequence[Seat]
) -> None:
    """*game* is the one before, so that its former player is told too."""
    names = tuple(seat_name(context, game, seat) for seat in seats)
    context.note("ejected", Message("seats.eject.log", names=names))
    known = context.uow.persons.get(person)
    who = named = known.name if known is not None else ""
    # A list names a person uniquely: by name, if no other person has it.
    if known is not None and ("," in named or len(context.uow.persons.by_name(named)) != 1):
        named = known.addresses[0]
    context.done(Message("seats.eject.done", who=who, names=names, named=named))
    wanted = [seat for seat in seats if not is_out(context, game, seat)]
    lines = [Message("seats.eject.announced", names=names), *open_seat_lines(game, wanted)]
    addresses = {seat.address for seat in seats}
    subject = Message("seats.subject.taken")
    announce(context, game, subject, [Message("seats.eject.you", names=names)], addresses)
    announce(context, game, subject, lines, {seat.address for seat in game.seats} - addresses)


_OVER = {Status.FINISHED: Message("game.is_over")}


@command("reinstate", act=Act.STEER, who=MASTERS, also=("uneject",), refused_in=_OVER)
def reinstate(context: MailContext, line: Line, said: PlainCommand) -> None:
    """Give somebody who was ejected their seats back, as they were; tell them, and the others."""
    game = context.own_game
    first = _ejected_seat(context, game, said.text)
    if isinstance(first, Message):
        context.refuse(line, first)
        return
    own = [seat for seat in game.ejected if seat.holder == first.holder]
    taken = [seat for seat in own if not _is_free(context, game, seat)]
    if taken:
        names = tuple(seat_name(context, game, seat) for seat in taken)
        context.refuse(line, Message("seats.reinstate.taken", names=names))
        return
    who = first.holder
    person = context.uow.persons.get(who) if who is not None else None
    if person is None:
        context.refuse(line, Message("seats.reinstate.gone"))
        return
    given = [_as_it_was(context, game, seat) for seat in own]
    settings = replace(
        game.settings, shut_out=tuple(p for p in game.settings.shut_out if p != person.id)
    )
    rest = tuple(seat for seat in game.ejected if seat.holder != person.id)
    game = replace(game, settings=settings, ejected=rest)
    for seat in given:
        game = with_seat(game, seat)
    context.set_game(game)
    names = tuple(seat_name(context, game, seat) for seat in given)
    context.note("reinstated", Message("seats.reinstate.log", names=names))
    context.done(Message("seats.reinstate.done", who=person.name, names=names))
    addresses = {seat.address for seat in given}
    subject = Message("seats.subject.given_back")
    announce(context, game, subject, [Message("seats.reinstate.you", names=names)], addresses)
    lines = [Message("seats.reinstate.announced", names=names)]
    announce(context, game, subject, lines, {seat.address for seat in game.seats} - addresses)
    context.undone_by(f"EJECT {called(context, game, given[0])}")


def _ejected_seat(context: MailContext, game: Game, who: str) -> Seat | Message:
    """The seat that was taken from its holder, by power, number, name or address."""
    seats, persons = game.ejected, context.uow.persons
    named = powers_meant(context.services.scenario(game), (who,))
    for seat in reversed(seats):
        holder = seat.holder
        person = persons.get(holder) if holder is not None else None
        is_named = person is not None and (
            is_same_name(person.name, who) or who.lower() in person.addresses
        )
        is_power = not isinstance(named, str) and set(named) <= set(seat.powers)
        if is_named or is_power or who == str(seat.number):
            return seat
    return Message("seats.reinstate.nobody", who=who)


def called(context: MailContext, game: Game, seat: Seat) -> str:
    """Return the word by which a line names a seat: its power, its holder, or its number."""
    if seat.powers:
        return str(context.services.scenario(game).powers[seat.powers[0]].name)
    holder = seat.holder
    person = context.uow.persons.get(holder) if holder is not None else None
    others = [seat.person for seat in game.seats if seat.person is not None]
    known = context.uow.persons.of(set(others)).values()
    names = [each for each in known if person is not None and is_same_name(each.name, person.name)]
    return person.name if person is not None and len(names) <= 1 else str(seat.number)


def _is_free(context: MailContext, game: Game, seat: Seat) -> bool:
    """Return True if nobody has taken the place of an ejected player since."""
    if seat.powers:
        now = seat_of(game, seat.powers[0])
        return now is not None and now.person is None
    if seat.role is not Role.PLAYER:
        return True
    return game.status is Status.FORMING and bool(
        still_needed(context.services.scenario(game), game)
    )


def _as_it_was(context: MailContext, game: Game, seat: Seat) -> Seat:
    """The seat for its old holder; votes and waits of a phase that is over are gone."""
    if seat.powers:
        now = seat_of(game, seat.powers[0])
        return replace(seat, generation=now.generation if now is not None else seat.generation)
    is_taken = any(each.number == seat.number for each in (*game.seats, *game.claims))
    number = next_number(game) if is_taken else seat.number
    return replace(seat, number=number, generation=seat.generation + 1)


@command("promote", act=Act.FINAL, who=FIRST_MASTER)
def promote(context: MailContext, line: Line, said: PlainCommand) -> None:
    """Make an observer a co-master, or a co-master the master; all keep their passwords."""
    game = context.own_game
    found = seat_meant(context, game, said.text)
    if isinstance(found, Message):
        context.refuse(line, found)
        return
    if found.role is Role.MASTER and found.person is not None:
        _hand_over(context, game, found, found.person)
        return
    if found.role is not Role.OBSERVER:
        context.refuse(line, Message("seats.promote.not_that"))
        return
    context.undone_by(f"DEMOTE {called(context, game, found)}")
    _give_role(context, found, Role.MASTER, "promote", Message("seats.subject.co_master"))


def _give_role(context: MailContext, found: Seat, role: Role, deed: str, subject: Message) -> None:
    """Make an observer a co-master, or the reverse, and tell everybody."""
    game = context.own_game
    name = seat_name(context, game, found)
    context.set_seat(replace(found, role=role))
    context.note(f"{deed}d", Message(f"seats.{deed}.log", name=name))
    context.done(Message(f"seats.{deed}.done", name=name))
    own = [Message(f"seats.{deed}.you", game=game.name)]
    announce(context, context.own_game, subject, own, {found.address})
    lines, others = (
        [Message(f"seats.{deed}.announced", name=name)],
        {seat.address for seat in game.seats},
    )
    announce(context, context.own_game, subject, lines, others - {found.address})


def _hand_over(context: MailContext, game: Game, found: Seat, person: PersonId) -> None:
    name = seat_name(context, game, found)
    changed = replace(game, master=person, heard=context.received)
    context.set_game(changed)
    context.note("master", Message("seats.promote.master_log", name=name))
    message = Message("seats.promote.master", name=name)
    context.done(message)
    subject = Message("seats.subject.master")
    announce(context, changed, subject, [message, Message("seats.promote.old_master")])


@command("demote", act=Act.FINAL, who=FIRST_MASTER)
def demote(context: MailContext, line: Line, said: PlainCommand) -> None:
    """Make a co-master an observer again, who keeps the password."""
    game = context.own_game
    found = seat_meant(context, game, said.text)
    if isinstance(found, Message):
        context.refuse(line, found)
        return
    if found.role is not Role.MASTER or found.person == game.master:
        context.refuse(line, Message("seats.demote.not_that"))
        return
    context.undone_by(f"PROMOTE {called(context, game, found)}")
    _give_role(context, found, Role.OBSERVER, "demote", Message("seats.subject.observer"))


@setting("approve", also=("set approved",))
def set_approved(context: MailContext, line: Line, said: Setting) -> None:
    """Approve the player of a seat; ``not approve`` withdraws it."""
    game = context.own_game
    for who in said.value:
        found = seat_meant(context, game, who)
        if isinstance(found, Message):
            context.refuse(line, found)
            continue
        name = seat_name(context, game, found)
        if not said.on:
            if found.approved and game.status is Status.RUNNING:
                context.refuse(line, Message("seats.approve.eject", who=who))
            elif found.approved and game.settings.approval:
                context.set_seat(replace(found, approved=False))
                context.note("approved", Message("seats.approve.withdrawn_log", name=name))
                context.done(Message("seats.approve.withdrawn", name=name))
                context.undone_by(f"SET APPROVE {found.number}")
                lines = [Message("seats.approve.you_wait")]
                announce(context, game, Message("seats.subject.approval"), lines, {found.address})
            else:
                eject(context, line, PlainCommand("eject", (who,)))
            continue
        context.done(Message("seats.approve.done", name=name, already=found.approved))
        if not found.approved:
            context.set_seat(replace(found, approved=True))
            context.note("approved", Message("seats.approve.log", name=name))
            is_forming = game.status is Status.FORMING
            back = "SET NOAPPROVE" if is_forming and game.settings.approval else "EJECT"
            context.undone_by(f"{back} {found.number}")
            lines = [Message("seats.approve.you")]
            announce(context, game, Message("seats.subject.approved"), lines, {found.address})


@command(
    "force begin", act=Act.FINAL, who=MASTERS, refused_in=once_begun(Message("seats.begin.already"))
)
def force_begin(context: MailContext, line: Line, _: PlainCommand) -> None:
    """Begin with the players present; the other seats are open."""
    game = context.own_game
    if not players(game):
        context.refuse(line, Message("seats.begin.nobody"))
        return
    empty = still_needed(context.services.scenario(game), game)
    for _number in range(empty):
        game = with_seat(game, Seat(next_number(game), Role.PLAYER, None, "", ""))
    context.set_game(game)
    context.note("begun", Message("seats.begin.log", empty=empty))
    if not begin(context, game):
        context.done(Message("seats.begin.words"))
        return
    seats = (seat for seat in players(context.own_game) if seat.person is None)
    context.done(Message("seats.begin.done", open=tuple(p for seat in seats for p in seat.powers)))


@setting("comment", also=("set info",))
def set_comment(context: MailContext, line: Line, said: Setting) -> None:
    """Add a line to the comment in the listing; ``nocomment`` clears it."""
    old = context.own_game.settings.comment
    if said.on and len(old) >= _MAX_COMMENT:
        context.refuse(line, Message("seats.comment.too_long", most=_MAX_COMMENT))
        return
    text = context.safe(" ".join(said.value)[:_LONGEST_COMMENT])
    message = Message("seats.comment.set", is_on=said.on, text=text)
    _change_comment(context, (*old, text) if said.on else (), message, message, message)


def set_house_rules(context: MailContext, line: Line, lines: Sequence[str]) -> None:
    """Replace the comment by several lines."""
    kept = tuple(context.safe(text[:_LONGEST_COMMENT]) for text in lines if text)
    if not 0 < len(kept) <= _MAX_COMMENT:
        context.refuse(line, Message("seats.comment.lines", most=_MAX_COMMENT))
        return
    noted = Message("seats.comment.log", n=len(kept))
    done = Message("seats.comment.done", n=len(kept))
    _change_comment(context, kept, noted, done, Message("seats.comment.announced", lines=kept))


def _change_comment(
    context: MailContext, comment: tuple[str, ...], noted: Message, done: Message, message: Message
) -> None:
    game = context.own_game
    changed = replace(game, settings=replace(game.settings, comment=comment))
    context.set_game(changed)
    context.note("comment", noted)
    context.done(done)
    announce(context, changed, Message("seats.subject.comment"), [message])


_MAX_COMMENT = 30
_LONGEST_COMMENT = 200


@command("signon ?", act=Act.ENTER, kind=Join, opens_seat=True, secret_at=2)
def join(context: MailContext, line: Line, typed: Join) -> None:
    """Take a seat in a forming game, or open one's own there; the last player starts it.

    Options behind the password are not compared with the game's, as the judge tells them anyway.
    """
    hide_password(context, typed.password)
    said = named_game(typed, lambda name: context.find_game(name) is not None)
    hide_password(context, said.password)
    if said.wishes and not rest_of_line(context.parsed_lines, said):
        if not said.game and not _are_options(context, said.wishes):
            hint = hint_for_newcomer(context, said.password)
            context.refuse_all(line, Message("seats.join.no_space"), hint.instead)
            return
        behind = Message("seats.join.behind_password")
        context.answer.ignored.append(Message("session.line", number=line.number, text=behind))
    game = visible(context.find_game(said.game)) if said.game else _next_public(context)
    opened = by_token(context, game, people.FORMING, said.password)
    if game is not None and open_claim(context, game, people.FORMING, said.password):
        return
    if game is not None and opened is not None:
        context.enter(game, opened)
    elif game is not None and _sits(context, game, Role.PLAYER):
        own = unlock(context, game.id, people.FORMING, said.password)
        if own is None:
            context.refuse_all(line, why_not(context, game.id, people.FORMING))
        else:
            context.enter(game, own)
    elif game is not None and game.status is Status.FORMING:
        _sit_down(context, line, game, Role.PLAYER, said.password)
    else:
        hint = hint_for_newcomer(context, said.game)
        context.refuse_all(line, with_hint(Message("seats.join.no_game"), hint), hint.instead)


def _are_options(context: MailContext, words: Sequence[str]) -> bool:
    """Return True if words ask for rules or a scenario, as behind a ``create``."""
    known = context.services.atlas.scenario_ids()
    return all(find_flag(word) is not None or word.lower() in known for word in words)


def visible(game: Game | None) -> Game | None:
    """Return a game whose creator is confirmed; others are hidden."""
    return game if game is not None and game.is_confirmed else None


def _next_public(context: MailContext) -> Game | None:
    every = (g for g in context.uow.games.unfinished() if g.is_confirmed and g.settings.listed)
    forming = [g for g in every if g.status is Status.FORMING]
    return min(forming, key=lambda game: game.created, default=None)


def _sits(context: MailContext, game: Game, role: Role) -> bool:
    """Return True if From is the address of such a seat, which only its password opens."""
    person = context.claimant
    return person is not None and any(s.person == person.id and s.role is role for s in game.seats)


def _sit_down(context: MailContext, line: Line, game: Game, role: Role, typed: str) -> None:
    password = people.plain_password(typed)
    person = newcomer(context, line, password)
    if person is None:
        return
    flaw = _why_not_sit(context, game, role, context.claimant or person)
    if flaw is not None:
        context.refuse_all(line, flaw)
        return
    seat = take_seat(game, role, person, context.services.passwords.hash(password))
    if person.is_confirmed:
        context.enter(game, seat)
        arrived(context, seat, person)
        return
    claim_seat(context, game, seat, person)
    if context.writer.unconfirmed is None:
        return
    if role is Role.OBSERVER:
        context.answer.verdict.append(Message("seats.watch.waits", game=game.name))
    else:
        context.answer.verdict.append(Message("seats.join.waits", game=game.name))
        _ask_for_wishes(context, seat)


def _why_not_sit(
    context: MailContext, game: Game, role: Role, person: Person
) -> MessageOrText | None:
    if role is Role.OBSERVER:
        flaw: MessageOrText | None = why_not_watch(game.settings, person)
        flaw = flaw or no_more_observers(context, game)
    else:
        flaw = unwelcome(context, game, person)
    return flaw or no_more_seats(context)


def _ask_for_wishes(context: MailContext, seat: Seat) -> None:
    game = context.own_game
    if not (game.settings.by_lot or seat.preferences):
        powers = context.services.scenario(game).in_play
        context.answer.verdict.append(wish_for(powers))


def arrived(context: MailContext, seat: Seat, person: Person) -> None:
    """Record a person's new seat, and tell all concerned."""
    game = context.own_game
    if seat.role is Role.OBSERVER:
        context.note("joined", Message("seats.watch.log", name=person.name))
        context.done(Message("seats.watch.you", game=game.name))
        lines = [Message("seats.watch.announced", name=person.name)]
        announce(context, game, Message("seats.subject.watches"), lines, masters_only(game))
        return
    context.note("joined", Message("seats.join.log", name=person.name))
    needed = still_needed(context.services.scenario(game), game)
    context.answer.verdict.append(Message("seats.join.joined", game=game.name))
    ask_for_approval(context, seat, str(seat.number))
    if needed:
        if not game.settings.secret:
            context.answer.verdict.append(Message("seats.join.needed", n=needed))
        _ask_for_wishes(context, seat)
        _tell_of_newcomer(context, game, person, needed)
    elif not all(each.approved for each in players(game)):
        context.answer.verdict.append(Message("seats.join.approval"))
    elif game.settings.manual_start:
        context.answer.verdict.append(Message("seats.join.manual"))
        lines = [Message("seats.join.begin", name=person.name)]
        announce(context, game, Message("seats.subject.ready"), lines, masters_of(game))
    else:
        is_shared = game.shared is not None
        context.answer.verdict.append(Message("seats.join.last", is_shared=is_shared))


def _tell_of_newcomer(context: MailContext, game: Game, person: Person, needed: int) -> None:
    """Masters are told how many are missing, the others where that is public."""
    masters = masters_of(game)
    others = {seat.address for seat in game.seats} - masters
    for readers, is_master in ((masters, True), (others, False)):
        is_told = not game.settings.secret or (is_master and not game.settings.master_plays)
        shown = needed if is_told else 0
        message = Message("seats.join.announced", name=person.name, needed=shown)
        announce(context, game, Message("seats.subject.player"), [message], readers)


def start_if_full(context: MailContext) -> None:
    """At the end of the mail of the last player, start the game, or ask for words."""
    game = context.game
    if game is None or game.status is not Status.FORMING:
        return
    waits = game.settings.manual_start or not all(seat.approved for seat in players(game))
    if not still_needed(context.services.scenario(game), game) and not waits:
        begin(context, game)


@command(
    "observe",
    act=Act.ENTER,
    kind=Observe,
    also=("watch", "signon O…"),
    opens_seat=True,
    secret_at=2,
)
def observe(context: MailContext, line: Line, said: Observe) -> None:
    """Take an observer's seat, or open one's own, but no other that has the same password."""
    hide_password(context, said.password)
    game = visible(context.find_game(said.game))
    if game is not None and open_claim(context, game, people.OBSERVER, said.password):
        return
    seat = by_token(context, game, people.OBSERVER, said.password)
    if game is not None and seat is None and not _sits(context, game, Role.OBSERVER):
        _sit_down(context, line, game, Role.OBSERVER, said.password)
        return
    seat = seat or unlock(context, said.game, people.OBSERVER, said.password)
    if game is not None and seat is not None:
        context.enter(game, seat)
        return
    hint = hint_for_watcher(context, said.game) if game is None else Hint()
    context.refuse_all(line, why_not(context, said.game, people.OBSERVER), hint.instead)


NOTHING_WAITS = Message("seats.nothing_waits")
_SHORT = 3


def confirm_address(context: MailContext) -> bool:
    """Confirm the address whose message this mail answers; return False if it answers none.

    The answer has to be empty, agree, or begin with what to do at the seat; else it is asked again.
    """
    found = next(
        (each for each in context.writer.token_scopes if isinstance(each, AddressToken)), None
    )
    # An answer that may be a machine's says nothing about who reads there.
    if found is None or context.mail.suspected is not None:
        return False
    person = context.uow.persons.get(found.person)
    if not adds(found) and _is_known(context, found, person):
        return True
    game, claim = _waiting(context, found)
    if _is_agreed(context, game):
        if adds(found):
            add_address(context, found)
        elif person is None:
            _confirm_once_more(context, found, game)
        else:
            _confirm(context, found, person)
        _pass_over_yes(context)
    elif adds(found):
        _refuse(context, Message("identity.seat.unclear"))
    elif _opens_another(context, game):
        _prove_address(context, found)
    elif person is None:
        _refuse(context, NOTHING_WAITS)
    else:
        _confirm_nothing(context, person, game, claim)
    return True


def _is_agreed(context: MailContext, game: Game | None) -> bool:
    first = next(own_words(context.mail), None)
    if first is None:
        return is_wordless(context.mail)
    line = next((each for each in context.mail.lines if each.text == first), None)
    return agrees(first) or (line is not None and _is_for_seat(context, line, game))


def _opens_another(context: MailContext, game: Game | None) -> bool:
    """Return True if an answer begins with a seat at another game, or a new game.

    It confirms nothing but still proves the address, so that forged mails which use up its daily
    limit keep nobody out.
    """
    first = next(own_words(context.mail), None)
    line = next((each for each in context.mail.lines if each.text == first), None)
    command = context.parsed_lines.command(line) if line is not None else None
    match command:
        case Create(game=name):
            return game is None or name.lower() != game.id
        case SignOn(game=name) | Join(game=name) | Observe(game=name):
            other = context.find_game(name)
            return other is not None and (game is None or other.id != game.id)
        case _:
            return False


def _prove_address(context: MailContext, token: AddressToken) -> None:
    owner = context.uow.persons.by_address(token.address)
    context.writer.proven, context.writer.has_code = (owner.id if owner is not None else None), True
    context.writer.confirmed_address = token.address if owner is None else ""


def _is_for_seat(context: MailContext, line: Line, game: Game | None) -> bool:
    """Return True for an order, or a command that a puzzled reader would not type."""
    match context.parsed_lines.command(line):
        case Set() | Press() | PostalPress() | Diary() | PlainCommand(name="register"):
            return True
        case SignOff(has_quit=has_quit):
            return not has_quit
        case SignOn(game=name) | Join(game=name) | Observe(game=name) | Create(game=name):
            return game is not None and name.lower() == game.id
        case List(game=name) | History(game=name):
            return not name or context.find_game(name) is not None
        case NotACommand():
            return game is not None and _is_order(context, line, game)
        case _:
            return False


def _is_order(context: MailContext, line: Line, game: Game) -> bool:
    if game.position is None:
        return False
    stage = load(context.services, context.uow, game).state.moment.stage
    pieces = context.parsed_lines.orders(line.text, context.lexicon(game), stage)
    return bool(pieces) and all(
        isinstance(each.said, BulkOrder) or (each.understood and not each.refused)
        for each in pieces
    )


def _pass_over_yes(context: MailContext) -> None:
    kept = (
        row
        for row in context.mail.rows
        if row.is_press or len(row.text.split()) > _SHORT or not agrees(row.text)
    )
    context.mail = replace(context.mail, rows=tuple(kept))


def _refuse(context: MailContext, why: Message) -> None:
    context.progress.is_closed = True
    context.answer.verdict.append(why)


def _confirm_nothing(
    context: MailContext, person: Person, game: Game | None, claim: Seat | None
) -> None:
    """Forget the request if the answer denies it; else ask for a clear word."""
    if denies(context.mail):
        if game is not None and claim is not None:
            context.changes.read = game
            withdraw(context, game, claim)
        context.changes.forgotten.add(person.id)
        _refuse(context, Message("seats.nothing_kept"))
        return
    if game is not None and claim is not None:
        context.claim(game, claim)
    ask_to_answer(context, person)
    _refuse(context, Message("identity.seat.unclear"))


def _waiting(context: MailContext, token: AddressToken) -> tuple[Game | None, Seat | None]:
    """The game of a token, and the seat there that waits for its answer."""
    game = _game_of(context, token)
    claims = game.claims if game is not None else ()
    return game, next((claim for claim in claims if _is_for(claim, token)), None)


def _game_of(context: MailContext, token: AddressToken) -> Game | None:
    is_about_one = token.serial and not adds(token)
    return context.find_game(token.serial.partition(" ")[0]) if is_about_one else None


def _is_for(seat: Seat, token: AddressToken) -> bool:
    return seat.claimed is not None and seat.claimed.person == token.person


def _confirm(context: MailContext, token: AddressToken, person: Person) -> None:
    """Give the seat to the owner of the address, or to a new person."""
    owner = context.uow.persons.by_address(token.address)
    if owner is None:
        # The name may have been taken meanwhile.
        name = context.names().nearest(person.name, token.address)
        owner = replace(person, name=name, standing=AddressStanding.CONFIRMED)
    else:
        context.changes.forgotten.add(person.id)
        owner = _with_wishes(context, owner, person)
    _prove(context, token, owner)
    game, claim = _waiting(context, token)
    if claim is not None and game is not None:
        _seat(context, game, claim, owner)
    elif token.serial:
        context.answer.verdict.append(NOTHING_WAITS)


def _prove(context: MailContext, token: AddressToken, owner: Person) -> None:
    context.changes.persons[owner.id] = owner
    context.writer.proven, context.writer.has_code = owner.id, True
    context.answer.verdict.append(Message("seats.confirmed", address=token.address))


def _confirm_once_more(context: MailContext, token: AddressToken, game: Game | None) -> None:
    """Handle an answer to a claim that is gone: dropped, lapsed, or another was answered.

    The answer still proves the address.  Another claim of it for the same kind of seat is granted,
    without the settings of its mail.
    """
    _prove_address(context, token)
    letter = token.serial.partition(" ")[2]
    same = [
        claim
        for claim in (game.claims if game is not None and game.is_confirmed else ())
        if claim.address == token.address and letter_of(claim) == letter
    ]
    owner = context.person_or_new() if same else None
    if owner is None or game is None:
        context.answer.verdict.append(NOTHING_WAITS)
        return
    _prove(context, token, owner)
    claim = same[-1]
    bare = Seat(claim.number, claim.role, None, claim.address, "", claim.powers)
    _seat(context, game, replace(bare, approved=claim.approved, claimed=claim.claimed), owner)


def _with_wishes(context: MailContext, owner: Person, asked: Person) -> Person:
    """A known person with the changes that their own unproven mail asked for."""
    if asked.standing is AddressStanding.REGISTERING:
        return replace(owner, name=asked.name, zone=asked.zone)
    return owner if asked.zone == context.services.judge.zone else replace(owner, zone=asked.zone)


def _seat(context: MailContext, game: Game, claim: Seat, owner: Person) -> None:
    others = rivals(game, claim)
    context.changes.forgotten |= {each.claimed.person for each in others if each.claimed}
    rest = people.without_claims(game, {claim.number, *(each.number for each in others)})
    seat = replace(claim, person=owner.id, password=_password(context, game, claim))
    flaw = _flaw(context, game, claim, owner)
    if flaw:
        context.changes.read, context.changes.game = game, rest
        context.changes.is_removed = not game.is_confirmed
        context.answer.verdict.append(Message("seats.no_seat", why=flaw))
        return
    if not game.is_confirmed:
        context.changes.read = game
        context.found(replace(game, master=owner.id, seats=(seat,), claims=()), seat)
        created(context, context.own_game, owner)
    elif claim.powers and claim.role is not Role.OBSERVER:
        _lead(context, rest, seat, owner)
    else:
        context.enter(rest, seat)
        arrived(context, seat, owner)
    if not seat.password:
        context.answer.verdict.append(Message("seats.no_password"))


def _password(context: MailContext, game: Game, claim: Seat) -> str:
    """The password hash from the answer, else from the only claim, if there is only one."""
    typed = next(filter(None, (_typed(context, line, game) for line in context.mail.lines)), "")
    if typed and people.password_flaw(typed) is None:
        return context.services.passwords.hash(typed)
    return "" if rivals(game, claim) else claim.password


def _typed(context: MailContext, line: Line, game: Game) -> str:
    match context.parsed_lines.command(line):
        case (
            SignOn(game=name, password=password)
            | Join(game=name, password=password)
            | Observe(game=name, password=password)
            | Create(game=name, password=password)
        ) if name.lower() == game.id:
            return people.plain_password(password)
        case Set(settings=settings):
            chosen = (each.value for each in settings if each.key == "password" and each.value)
            return next((words[0] for words in chosen), "")
        case _:
            return ""


def _flaw(context: MailContext, game: Game, claim: Seat, owner: Person) -> MessageOrText | None:
    if not game.is_confirmed:
        return no_more_games(context)
    if claim.role is Role.OBSERVER:
        return _why_not_sit(context, game, claim.role, owner)
    if claim.powers:
        seat = seat_of(game, claim.powers[0])
        if seat is None or seat.person is not None or game.status is Status.FINISHED:
            return Message("seats.too_late")
        return _why_not_lead(context, game, owner)
    if game.status is not Status.FORMING or not still_needed(context.services.scenario(game), game):
        return Message("seats.all_taken", game=game.name)
    return _why_not_sit(context, game, claim.role, owner)


def _lead(context: MailContext, game: Game, claim: Seat, owner: Person) -> None:
    letter = PowerId(claim.powers[0])
    seat = seat_of(game, letter)
    if seat is None:
        return
    taken = replace(as_new(game, seat, owner, claim.password), address=claim.address)
    led(context, game, replace(taken, claimed=claim.claimed), letter, owner)


def _is_known(context: MailContext, token: AddressToken, person: Person | None) -> bool:
    """The message was answered before; it still proves the writer, and opens the seat."""
    seat = _answered_seat(context, token)
    if seat is not None:
        context.writer.token_scopes = (seat, *context.writer.token_scopes)
        return True
    if person is None or not person.is_confirmed or token.address not in person.addresses:
        return False
    context.writer.proven, context.writer.has_code = person.id, True
    return True


def _answered_seat(context: MailContext, token: AddressToken) -> SeatToken | None:
    """The seat that a person has by an answer to this message, or to another about it."""
    game = _game_of(context, token)
    for seat in game.seats if game is not None else ():
        is_it = _is_for(seat, token) or _is_same(seat, token)
        if game is not None and seat.person and seat.claimed is not None and is_it:
            return SeatToken(game.id, seat.number, seat.generation)
    return None


def _is_same(seat: Seat, token: AddressToken) -> bool:
    """Return True for a seat claimed under the same address with the same letter."""
    letter = token.serial.partition(" ")[2]
    is_called = letter == people.FORMING if seat.role is Role.PLAYER else letter_of(seat) == letter
    return seat.address == token.address and (is_called or letter_of(seat) == letter)


# --- substitutes -----------------------------------------------------------------------------


@command("offer substitute", act=Act.PERSON)
def offer_substitute(context: MailContext, line: Line, said: PlainCommand) -> None:
    """Offer to lead a seat that has lost its player, in one game or in every one."""
    person, words = context.person, list(said.words)
    notice = 0
    if len(words) >= _NOTICE_WORDS and words[-2].lower() == "notice":
        hours = read_hours(words[-1])
        if not isinstance(hours, int):
            context.refuse(line, hours, instead="OFFER SUBSTITUTE NOTICE 24")
            return
        notice, words = hours, words[:-2]
    game = _game_of_offer(context, line, words)
    if person is None or not person.is_confirmed or game is None:
        if game is not None:
            context.refuse(line, NOT_REGISTERED)
        return
    if isinstance(game, Game):
        flaw = why_no_substitute(game, person, _record(context, person))
        if flaw is not None:
            context.refuse(line, flaw)
            return
    named = game.name if isinstance(game, Game) else ""
    key = game.id if isinstance(game, Game) else ""
    context.changes.substitutes.append(Substitute(person.id, key, context.now, notice))
    context.done(Message("seats.substitute.offered", game=named, notice=notice))


_NOTICE_WORDS = 2


@command("offer no substitute", act=Act.PERSON)
def offer_no_substitute(context: MailContext, line: Line, said: PlainCommand) -> None:
    """Take back an offer for one game, or all of them."""
    game = _game_of_offer(context, line, list(said.words))
    if game is None:
        return
    if context.person is None:
        context.refuse(line, NOT_REGISTERED)
        return
    key = game.id if isinstance(game, Game) else None
    context.changes.no_substitutes.append((context.person.id, key))
    named = game.name if isinstance(game, Game) else ""
    context.done(Message("seats.substitute.withdrawn", game=named))


def _game_of_offer(context: MailContext, line: Line, words: Sequence[str]) -> Game | str | None:
    """The game that an offer names, "" for every game; None if it is refused."""
    if not words or words == ["all"]:
        return ""
    found = visible(context.find_game(words[0].removeprefix("?"))) if len(words) == 1 else None
    if found is None or found.status is Status.FINISHED:
        context.refuse(line, Message("seats.substitute.no_game", name=" ".join(words)))
        return None
    return found


def _record(context: MailContext, person: Person) -> Sequence[Attendance]:
    return record_of(context.uow.games.attended_by(person.id), person.id)


def answer_as_substitute(context: MailContext) -> bool:
    """Take or decline the seat for which the writer was asked; return False if none is.

    A clear yes alone takes it, and what follows in the mail is said from the seat.
    """
    scopes = context.writer.token_scopes
    token = next((each for each in scopes if isinstance(each, SubstituteToken)), None)
    if token is None or context.mail.suspected is not None:
        return False
    person, game = context.uow.persons.get(token.person), context.find_game(token.game)
    if person is None or game is None:
        _refuse(context, Message("seats.substitute.over"))
        return True
    context.writer.proven, context.writer.has_code = person.id, True
    seat = next((each for each in game.seats if each.number == token.seat), None)
    asked = next(
        (a for a in game.seating.asked if (a.seat, a.person) == (token.seat, person.id)), None
    )
    is_free = seat is not None and seat.person is None and seat.generation == token.generation
    if seat is None or asked is None or not is_free or game.status is not Status.RUNNING:
        mine = seat is not None and seat.person == person.id
        if not mine:
            _refuse(context, Message("seats.substitute.over"))
        elif seat is not None:
            scope = SeatToken(game.id, seat.number, seat.generation)
            context.writer.token_scopes = (scope, *scopes)
        return True
    first = next(own_words(context.mail), "")
    if _DECLINES.match(first):
        answered = tuple(replace(a, is_open=False) if a == asked else a for a in game.seating.asked)
        context.changes.read = game
        context.changes.game = replace(game, seating=replace(game.seating, asked=answered))
        _refuse(context, Message("seats.substitute.declined", game=game.name))
    elif not agrees(first):
        _refuse(context, Message("seats.substitute.unclear"))
    else:
        flaw = why_no_substitute(game, person, _record(context, person)) or no_more_seats(context)
        if flaw is not None:
            _refuse(context, Message("seats.no_seat", why=flaw))
            return True
        left = tuple(a for a in game.seating.asked if a.seat != seat.number)
        free = replace(game, seating=replace(game.seating, asked=left))
        led(context, game, as_new(game, seat, person, ""), PowerId(seat.powers[0]), person)
        context.set_game(replace(context.own_game, seating=free.seating))
        _pass_over_yes(context)
    return True


_DECLINES = re.compile(r"\W*(?:no|nein|non|nope|decline[d]?|rechazo|rifiuto)\b", re.IGNORECASE)
