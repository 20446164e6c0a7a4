"""Who sits at a game, as far as its master decides: ejecting, promoting, inviting, beginning."""

from collections.abc import Sequence
from dataclasses import replace

from machjudge.adjudicator.names import PowerId
from machjudge.adjudicator.orders import Sweep
from machjudge.judge import people
from machjudge.judge.audience import held_seat, holder_name, seat_meant, seat_name
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
from machjudge.judge.credentials import Act, AddressToken, SeatToken
from machjudge.judge.game_settings import Quitting
from machjudge.judge.game_view import (
    flaw_of,
    is_played,
    load,
    pending_lines,
    players,
    record_of,
    seat_of,
    with_left,
)
from machjudge.judge.mail_context import (
    ANYBODY,
    COMING,
    FIRST_MASTER,
    MASTERS,
    RUNNING,
    Caller,
    CommandEntry,
    Session,
    no_more_games,
    no_more_observers,
    no_more_seats,
    once_begun,
)
from machjudge.judge.opening import wish_for
from machjudge.judge.outgoing import (
    announce,
    as_led,
    masters_of,
    masters_only,
    public_name,
    sight_of,
)
from machjudge.judge.people import next_number, with_seat
from machjudge.judge.records import (
    SHUT_OUT,
    AddressStanding,
    Game,
    Person,
    PersonId,
    Role,
    Seat,
    Status,
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
    is_called,
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
from machjudge.sentence import Sentence, Wording, joined


def unwelcome(session: Session, game: Game, person: Person) -> Wording | None:
    """Why somebody may not take a seat; an invitation excuses a bad record."""
    flaw = why_not_sit(game.conduct, person)
    if flaw is not None or is_invited(game.conduct, person):
        return flaw
    return flaw_of(game.conduct, record_of(session.uow.games.attended_by(person.id), person.id))


def ask_for_approval(session: Session, seat: Seat, who: str) -> None:
    """Where the master approves players: they are asked, and the newcomer told to wait."""
    if seat.approved or session.game is None or session.person is None:
        return
    session.done(Sentence("seats.approve.asked"))
    told = [Sentence("seats.approve.wanted", name=session.person.name, who=who)]
    subject = Sentence("seats.subject.approval")
    announce(session, session.game, subject, told, masters_of(session.game))


NOT_REGISTERED = Sentence("seats.take.not_registered")
OVER = Sentence("seats.take.over")
HAS_SEEN = Sentence("seats.take.has_seen")


def take_over(session: Session, line: Line, game: Game, letter: PowerId, password: str) -> bool:
    """Sit down at a seat that nobody holds; say whether it is one.  What is wrong is refused."""
    seat = seat_of(game, letter)
    typed, password = password, people.plain_password(password)
    if seat is None or seat.person is not None or people.password_flaw(password):
        return False
    flaw = _why_nobody(session, game)
    if flaw is None and seat.former is None and is_out(session, game, seat):
        flaw = _eliminated(game)
    if flaw is not None:
        session.refuse_all(line, flaw)
    elif seat.password and not may_try(session, game.id, letter):
        session.refuse_all(line, why_not(session, game.id, letter))
    elif seat.password and people.is_right(session.services, seat.password, typed):
        _take_back(session, line, game, seat, letter)
    else:
        _take(session, line, game, seat, letter, password)
    return True


def _why_nobody(session: Session, game: Game) -> Wording | None:
    """Why the writer gets no seat of the game, whatever the password is."""
    if game.status is Status.FINISHED:
        return OVER
    known = session.claimant
    return SHUT_OUT if known is not None and is_shut_out(game.conduct, known) else None


def _eliminated(game: Game) -> Wording:
    return Sentence("seats.take.eliminated", game=game.name)


def has_seen_orders(game: Game, person: Person) -> bool:
    """Whether somebody runs the game without playing, so that nothing is hidden from them."""
    own = [seat for seat in game.seats if seat.person == person.id]
    return any(seat.role is Role.MASTER for seat in own) and sight_of(game, own).sees_all


def as_new(game: Game, seat: Seat, person: Person, hashed: str) -> Seat:
    """The seat as somebody new has it: nothing of what its last player wished is left."""
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
        approved=not game.conduct.approval,
        public=False,
        former=None,
    )


def abandoned(seat: Seat) -> Seat:
    """The seat of somebody who has left it for good."""
    return replace(seat, person=None, former=None, waits=False, draw=None, concede=None)


def is_out(session: Session, game: Game, seat: Seat) -> bool:
    """Whether all powers of a seat have left the game, so that nobody need take it."""
    if game.status is not Status.RUNNING:
        return False
    situation = session.situation() or load(session.services, session.uow, game)
    return situation.state.eliminated.issuperset(seat.powers)


def open_seat_lines(game: Game, seats: Sequence[Seat]) -> list[Sentence]:
    """How somebody takes those of the seats that have powers."""
    letters = tuple(seat.powers[0] for seat in seats if seat.powers)
    return [Sentence("seats.take.how", game=game.name, letters=letters)] if letters else []


# --- what happens then -----------------------------------------------------------------------


def _take_back(session: Session, line: Line, game: Game, seat: Seat, letter: PowerId) -> None:
    """The player whose seat was opened has it again; no deadline is put off for that."""
    person = session.uow.persons.get(seat.former) if seat.former is not None else None
    if person is None:
        session.refuse_all(line, Sentence("seats.take.old_password"))
        return
    if is_shut_out(game.conduct, person):
        session.refuse_all(line, SHUT_OUT)
        return
    held = replace(seat, person=person.id, former=None)
    power = _speak(session, game, held, letter)
    session.done(Sentence("seats.take.you_again", power=power))
    _tell(session, held, person, "leads_again", power)


def _take(
    session: Session, line: Line, game: Game, seat: Seat, letter: PowerId, password: str
) -> None:
    """Somebody new has the seat; where they are not confirmed, it waits for their answer."""
    person = session.person_or_new() if session.services.judge.confirm else session.person
    known = session.claimant or person
    flaw = NOT_REGISTERED if known is None else _why_not(session, game, known)
    if is_out(session, game, seat):
        flaw = _eliminated(game)
    if person is None or flaw is not None:
        session.refuse_all(line, flaw or NOT_REGISTERED)
        return
    taken = as_new(game, seat, person, session.services.passwords.hash(password))
    if person.is_confirmed:
        led(session, game, taken, letter, person)
        return
    claim_seat(session, game, taken, person)
    if session.waits is not None:
        names = seat_name(session, game, seat)
        session.answer.verdict.append(Sentence("seats.take.waits", power=names, game=game.name))


def led(session: Session, game: Game, taken: Seat, letter: PowerId, person: Person) -> None:
    """Somebody new leads a power, and reads what its last player has left."""
    power = _speak(session, game, taken, letter)
    session.done(Sentence("seats.take.you", power=power))
    _show_what_was_kept(session, power)
    _tell(session, taken, person, "has_taken_over", power, *_fresh_deadline(session))
    ask_for_approval(session, taken, str(taken.number))


def _why_not(session: Session, game: Game, person: Person) -> Wording | None:
    if has_seen_orders(game, person):
        return HAS_SEEN
    return unwelcome(session, game, person) or no_more_seats(session)


def _speak(session: Session, game: Game, seat: Seat, letter: PowerId) -> Wording:
    """Speak from the seat; the names of its powers."""
    session.enter(game, seat)
    session.speak_from(seat.number, letter)
    session.begins = True
    return seat_name(session, game, seat)


def _tell(
    session: Session, seat: Seat, person: Person, what: str, power: Wording, *more: Sentence
) -> None:
    """Note what somebody did, and tell the others."""
    if session.game is None:
        return
    session.note("joined", Sentence(f"seats.take.{what}", name=person.name, power=power))
    name = public_name(session.game, person)
    deed = Sentence(f"seats.take.{what}", name=name, power=power)
    told = [Sentence("seats.take.told", deed=deed), *more]
    subject = Sentence("seats.subject.signon", letters="".join(seat.powers))
    announce(session, session.game, subject, told, masters_only(session.game))


def _show_what_was_kept(session: Session, power: Wording) -> None:
    """Orders belong to the power: whoever takes it over finds them, and reads so."""
    situation, own = session.situation(), session.power
    if situation is None or own is None:
        return
    sheet = situation.sheets.get(own)
    if sheet is not None and sheet.lines:
        session.done(Sentence("seats.take.filed", power=power))
    if pending_lines(as_led(situation, own), own):
        session.done(Sentence("seats.take.kept", power=power))


def _fresh_deadline(session: Session) -> list[Sentence]:
    """Give whoever took over the last open seat the time of a whole phase; say so."""
    game, situation = session.game, session.situation()
    if game is None or game.clock is None or situation is None:
        return []
    clock = clock_for_newcomer(game, situation.state.moment.stage, session.now)
    if clock == game.clock:
        return []
    session.set_game(replace(game, clock=clock))
    told = Sentence("seats.take.deadline_moved")
    session.done(told)
    return [told]


ONE_LINE_EACH = Sentence("seats.one_line_each")
NOTHING_TAKEN = Sentence("seats.nothing_taken")
TEXT_ON_LINE = Sentence("seats.text_on_line")
_NO_SECRETS = frozenset({"password", "passwort", "pass", "pw"})


def sign_on(session: Session, line: Line, typed: SignOn) -> None:
    """Speak from a seat; an abandoned one is taken over by whoever signs on to it."""
    said = as_meant(session, typed)
    game = session.find_game(said.game)
    letter = named_letter(session, said)
    if game is not None and open_claim(session, game, letter, said.password):
        return
    # A mail that only checks orders takes no seat, and shows nobody the orders of one.
    if (
        game is not None
        and not session.is_dry
        and take_over(session, line, game, PowerId(letter), said.password)
    ):
        return
    if opens_seat(session, said):
        return
    _refuse_signon(session, line, said, why_not(session, said.game, letter))


SIGN_ON = CommandEntry(
    "signon",
    COMING,
    ANYBODY,
    Act.ENTER,
    sign_on,
    SignOn,
    also=("sign on", "hello", "login"),
    is_dry=True,
    opens_seat=True,
    secret_at=2,
)


def opens_seat(session: Session, typed: SignOn) -> bool:
    """Speak from the seat that a signon opens; say whether it opens one.  Refuses nothing."""
    said = as_meant(session, typed)
    game = session.find_game(said.game)
    letter = named_letter(session, said)
    seat = unlock(session, said.game, letter, said.password)
    if game is None or seat is None:
        return False
    session.enter(game, seat)
    session.speak_from(seat.number, PowerId(letter))
    return True


def is_open(session: Session, typed: SignOn) -> bool:
    """Whether a signon means the seat that the mail has opened already."""
    said = as_meant(session, typed)
    game, seat = session.game, session.seat
    if game is None or seat is None or session.became or said.game.lower() != game.id:
        return False
    return is_called(seat, named_letter(session, said))


def as_meant(session: Session, typed: SignOn) -> SignOn:
    """The reading of a signon that fits the games that there are; its password is a secret."""
    said = meant(typed, lambda name: scenario_named(session.services, session.uow, name))
    hide_password(session, said.password)
    return said


def hide_password(session: Session, password: str) -> None:
    """Keep a password out of the answer; the word for it is none."""
    session.secrets.update(each for each in spellings(password) if each.lower() not in _NO_SECRETS)


def named_letter(session: Session, said: SignOn) -> str:
    """The letter of the seat that a signon names; empty if there is no such seat."""
    game = session.find_game(said.game)
    if len(said.seat) == 1 or game is None:
        return said.seat.upper() if len(said.seat) == 1 else ""
    return seat_letter(session.services.scenario(game), said.seat)


def _refuse_signon(session: Session, line: Line, said: SignOn, reason: Sentence) -> None:
    """Refuse a signon that opens nothing, with what it may have meant."""
    hint = hint_for_seat(session, said)
    if said.rest:
        session.refuse_all(
            line,
            Sentence("session.both", first=reason, second=ONE_LINE_EACH),
            hint.instead,
            NOTHING_TAKEN,
        )
    else:
        session.refuse_all(line, with_hint(reason, hint), hint.instead)


def with_hint(reason: Wording, hint: Hint) -> Wording:
    """A reason, and what to write instead where that is known."""
    return Sentence("session.both", first=reason, second=hint.reason) if hint.reason else reason


def sign_off(session: Session, _: Line, said: SignOff) -> None:
    """Read no further; where the word may have been meant for the game, say what was done."""
    session.is_closed, session.has_quit = True, said.has_quit
    if said.has_quit:
        session.answer.notices.append(Sentence("seats.quit"))


SIGN_OFF = CommandEntry(
    "signoff",
    COMING,
    ANYBODY,
    Act.READ,
    sign_off,
    SignOff,
    also=("sign off", "log off", "quit", "--"),
    is_dry=True,
)


def resign(session: Session, line: Line, _: PlainCommand) -> None:
    """Give up a seat; a player's is open to others from now on."""
    game, seat = session.game, session.seat
    if game is None or seat is None:
        return
    if game.status is Status.FINISHED:
        session.refuse(line, OVER)
        return
    if seat.role is Role.MASTER and seat.person == game.master:
        session.refuse(line, Sentence("seats.leave.master"))
        return
    others = tuple(each for each in game.seats if each.number != seat.number)
    if session.is_claim:
        withdraw(session, game, seat)
        return
    if seat.powers:
        _abandon(session, game, seat)
    else:
        session.set_game(replace(game, seats=others))
        session.seat_number = None
    session.note("resigned", Sentence("seats.leave.log", number=seat.number))
    session.done(Sentence("seats.leave.done", game=game.name))
    session.is_closed = session.has_resigned = True


RESIGN = CommandEntry(
    "resign",
    COMING,
    frozenset({Caller.PLAYER, Caller.OBSERVER, Caller.CO_MASTER}),
    Act.FINAL,
    resign,
    also=("withdraw",),
    is_personal=True,
)


def _abandon(session: Session, game: Game, seat: Seat) -> None:
    names = joined(", ", map(Words(session.services.world(game)).power, seat.powers))
    quits = game.status is Status.RUNNING and game.conduct.quitting is Quitting.AUTONOMOUS
    gone = leave_to_garrisons(session, seat.powers) if quits else []
    now = session.game or game
    session.set_game(with_left(now, [seat.person]))
    session.set_seat(abandoned(seat))
    told = [Sentence("seats.leave.told", powers=names), *gone]
    is_wanted = not is_out(session, game, seat)
    told += open_seat_lines(game, [seat]) if is_wanted else []
    now = session.game or game
    if not is_played(now):
        told.append(Sentence("seats.leave.nobody_plays"))
    key = "wanted" if is_wanted else "left"
    subject = Sentence(f"seats.subject.{key}", letters="".join(seat.powers))
    announce(session, now, subject, told, masters_only(game))


def _with_holder(session: Session, said: PlainCommand) -> str:
    """The line that ejects the same person however seats have changed hands when it is read."""
    found = held_seat(session, session.game, said.text) if session.game is not None else None
    name = holder_name(session, found) if isinstance(found, Seat) else ""
    is_named = not name or said.text.endswith(")") or is_same_name(name, said.text)
    return f"EJECT {said.text}" if is_named else f"EJECT {said.text} ({name})"


def eject(session: Session, line: Line, said: PlainCommand) -> None:
    """Take all seats from somebody, who stays out until the master says otherwise.

    A player's seat is open to others from now on.
    """
    game = session.game
    if game is None:
        return
    found = held_seat(session, game, said.text)
    if isinstance(found, Sentence):
        session.refuse(line, found)
        return
    if game.status is Status.FINISHED:
        session.refuse(line, Sentence("game.is_over"))
        return
    person = found.person or found.former
    own = session.seat.person if session.seat is not None else None
    if person is None or person in (game.master, own):
        session.refuse(line, Sentence("seats.eject.not_that"))
        return
    seats = [seat for seat in game.seats if person in (seat.person, seat.former)]
    session.set_game(_without_person(game, person, seats))
    _tell_of_ejection(session, game, person, seats)


EJECT = CommandEntry(
    "eject",
    RUNNING,
    MASTERS,
    Act.FINAL,
    eject,
    unchanging=_with_holder,
)


def _without_person(game: Game, person: PersonId, seats: Sequence[Seat]) -> Game:
    """The game with somebody's seats opened or gone, and with them shut out."""
    gone = {seat.number for seat in seats if not seat.powers}
    game = replace(
        game,
        seats=tuple(seat for seat in game.seats if seat.number not in gone),
        conduct=shut_out(game.conduct, person),
    )
    for seat in seats:
        if seat.powers:
            game = with_seat(game, abandoned(seat))
    return game


def _tell_of_ejection(
    session: Session, game: Game, person: PersonId, seats: Sequence[Seat]
) -> None:
    """*game* is as it was, so that its former player reads it as well."""
    names = tuple(seat_name(session, game, seat) for seat in seats)
    session.note("ejected", Sentence("seats.eject.log", names=names))
    known = session.uow.persons.get(person)
    who, named = (known.name, _how_to_name(session, known)) if known is not None else ("", "")
    session.done(Sentence("seats.eject.done", who=who, names=names, named=named))
    wanted = [seat for seat in seats if not is_out(session, game, seat)]
    told = [Sentence("seats.eject.told", names=names), *open_seat_lines(game, wanted)]
    addresses = {seat.address for seat in seats}
    subject = Sentence("seats.subject.taken")
    announce(session, game, subject, [Sentence("seats.eject.you", names=names)], addresses)
    announce(session, game, subject, told, {seat.address for seat in game.seats} - addresses)


def _how_to_name(session: Session, person: Person) -> str:
    """How a list names somebody without doubt: by name, where nobody else has it."""
    is_clear = "," not in person.name and len(session.uow.persons.by_name(person.name)) == 1
    return person.name if is_clear else person.addresses[0]


def promote(session: Session, line: Line, said: PlainCommand) -> None:
    """Let an observer run the game as well, or give it to a co-master; all keep passwords."""
    game = session.game
    if game is None:
        return
    found = seat_meant(session, game, said.text)
    if isinstance(found, Sentence):
        session.refuse(line, found)
        return
    if found.role is Role.MASTER and found.person is not None:
        _hand_over(session, game, found, found.person)
        return
    if found.role is not Role.OBSERVER:
        session.refuse(line, Sentence("seats.promote.not_that"))
        return
    name = seat_name(session, game, found)
    session.set_seat(replace(found, role=Role.MASTER))
    session.note("promoted", Sentence("seats.promote.log", name=name))
    session.done(Sentence("seats.promote.done", name=name))
    own, told = (
        Sentence("seats.promote.you", game=game.name),
        Sentence("seats.promote.told", name=name),
    )
    others = {seat.address for seat in game.seats} - {found.address}
    subject = Sentence("seats.subject.co_master")
    announce(session, session.game or game, subject, [own], {found.address})
    announce(session, session.game or game, subject, [told], others)


PROMOTE = CommandEntry(
    "promote",
    RUNNING,
    FIRST_MASTER,
    Act.FINAL,
    promote,
)


def _hand_over(session: Session, game: Game, found: Seat, person: PersonId) -> None:
    """Give the game to a co-master; whoever gives it is one from then on."""
    name = seat_name(session, game, found)
    changed = replace(game, master=person, heard=session.received)
    session.set_game(changed)
    session.note("master", Sentence("seats.promote.master_log", name=name))
    told = Sentence("seats.promote.master", name=name)
    session.done(told)
    subject = Sentence("seats.subject.master")
    announce(session, changed, subject, [told, Sentence("seats.promote.old_master")])


def set_approved(session: Session, line: Line, said: Setting) -> None:
    """Approve whoever sits at a seat; ``not approve`` takes it from them."""
    game = session.game
    if game is None:
        return
    for who in said.value:
        found = seat_meant(session, game, who)
        if isinstance(found, Sentence):
            session.refuse(line, found)
            continue
        name = seat_name(session, game, found)
        if not said.on:
            if found.approved and game.status is Status.RUNNING:
                session.refuse(line, Sentence("seats.approve.eject", who=who))
            else:
                eject(session, line, PlainCommand("eject", (who,)))
            continue
        session.done(Sentence("seats.approve.done", name=name, already=found.approved))
        if not found.approved:
            session.set_seat(replace(found, approved=True))
            session.note("approved", Sentence("seats.approve.log", name=name))
            told = [Sentence("seats.approve.you")]
            announce(session, game, Sentence("seats.subject.approved"), told, {found.address})


SET_APPROVE = CommandEntry(
    "set approve",
    RUNNING,
    MASTERS,
    Act.STEER,
    set_approved,
    setting="approve",
    also=("set approved",),
)


def force_begin(session: Session, line: Line, _: PlainCommand) -> None:
    """Begin with the players that there are; the other seats are open to whoever signs on."""
    game = session.game
    if game is None:
        return
    if not players(game):
        session.refuse(line, Sentence("seats.begin.nobody"))
        return
    empty = still_needed(session.services.scenario(game), game)
    for _number in range(empty):
        game = with_seat(game, Seat(next_number(game), Role.PLAYER, None, "", ""))
    session.set_game(game)
    session.note("begun", Sentence("seats.begin.log", empty=empty))
    if not begin(session, game):
        session.done(Sentence("seats.begin.words"))
        return
    seats = players(session.game) if session.game is not None else ()
    open_ = [power for seat in seats if seat.person is None for power in seat.powers]
    session.done(Sentence("seats.begin.done", open=tuple(open_)))


FORCE_BEGIN = CommandEntry(
    "force begin",
    RUNNING,
    MASTERS,
    Act.FINAL,
    force_begin,
    refused_in=once_begun(Sentence("seats.begin.already")),
)


def set_comment(session: Session, line: Line, said: Setting) -> None:
    """Add a line to the comment and the house rules in the listing; ``nocomment`` clears it."""
    game = session.game
    if game is None:
        return
    old = game.conduct.comment
    if said.on and len(old) >= _MOST_COMMENT:
        session.refuse(line, Sentence("seats.comment.too_long", most=_MOST_COMMENT))
        return
    text = session.safe(" ".join(said.value)[:_LONGEST_COMMENT])
    comment = (*old, text) if said.on else ()
    changed = replace(game, conduct=replace(game.conduct, comment=comment))
    session.set_game(changed)
    told = Sentence("seats.comment.set", is_on=said.on, text=text)
    session.note("comment", told)
    session.done(told)
    announce(session, changed, Sentence("seats.subject.comment"), [told])


SET_COMMENT = CommandEntry(
    "set comment",
    RUNNING,
    MASTERS,
    Act.STEER,
    set_comment,
    setting="comment",
    also=("set info",),
)


def set_house_rules(session: Session, line: Line, lines: Sequence[str]) -> None:
    """Put several lines in place of the comment."""
    game = session.game
    kept = tuple(session.safe(text[:_LONGEST_COMMENT]) for text in lines if text)
    if game is None or not 0 < len(kept) <= _MOST_COMMENT:
        session.refuse(line, Sentence("seats.comment.lines", most=_MOST_COMMENT))
        return
    changed = replace(game, conduct=replace(game.conduct, comment=kept))
    session.set_game(changed)
    session.note("comment", Sentence("seats.comment.log", n=len(kept)))
    session.done(Sentence("seats.comment.done", n=len(kept)))
    told = [Sentence("seats.comment.told", lines=kept)]
    announce(session, changed, Sentence("seats.subject.comment"), told)


_MOST_COMMENT = 30
_LONGEST_COMMENT = 200


def join(session: Session, line: Line, typed: Join) -> None:
    """Take a seat in a game that forms, or open the seat that one has there; the last one starts.

    Options behind the password are not compared with the game's, as the judge tells them anyway.
    """
    hide_password(session, typed.password)
    said = named_game(typed, lambda name: session.find_game(name) is not None)
    hide_password(session, said.password)
    if said.wishes and not rest_of_line(session.said, said):
        if not said.game and not _are_options(session, said.wishes):
            hint = hint_for_newcomer(session, said.password)
            session.refuse_all(line, Sentence("seats.join.no_space"), hint.instead)
            return
        behind = Sentence("seats.join.behind_password")
        session.answer.ignored.append(Sentence("session.line", number=line.number, text=behind))
    game = visible(session.find_game(said.game)) if said.game else _next_public(session)
    opened = by_token(session, game, people.FORMING, said.password)
    if game is not None and open_claim(session, game, people.FORMING, said.password):
        return
    if game is not None and opened is not None:
        session.enter(game, opened)
    elif game is not None and _sits(session, game):
        _open_own(session, line, game, said.password)
    elif game is not None and game.status is Status.FORMING:
        _sit_down(session, line, game, people.plain_password(said.password))
    else:
        hint = hint_for_newcomer(session, said.game)
        session.refuse_all(line, with_hint(Sentence("seats.join.no_game"), hint), hint.instead)


JOIN = CommandEntry(
    "signon ?",
    COMING,
    ANYBODY,
    Act.ENTER,
    join,
    Join,
    opens_seat=True,
    secret_at=2,
)


def _are_options(session: Session, words: Sequence[str]) -> bool:
    """Whether words ask for rules or a scenario, as those behind a ``create`` do."""
    known = session.services.atlas.scenario_ids()
    return all(find_flag(word) is not None or word.lower() in known for word in words)


def visible(game: Game | None) -> Game | None:
    """A game whose creator is confirmed; nobody else sees any other."""
    return game if game is not None and game.is_confirmed else None


def _next_public(session: Session) -> Game | None:
    every = (g for g in session.uow.games.unfinished() if g.is_confirmed and g.conduct.listed)
    forming = [g for g in every if g.status is Status.FORMING]
    return min(forming, key=lambda game: game.created, default=None)


def _sits(session: Session, game: Game) -> bool:
    """Whether the address in From is that of a player; only the seat's password opens it."""
    person = session.claimant
    return person is not None and any(seat.person == person.id for seat in players(game))


def _open_own(session: Session, line: Line, game: Game, password: str) -> None:
    seat = unlock(session, game.id, people.FORMING, password)
    if seat is None:
        session.refuse_all(line, why_not(session, game.id, people.FORMING))
    else:
        session.enter(game, seat)


def _sit_down(session: Session, line: Line, game: Game, password: str) -> None:
    person = newcomer(session, line, password)
    if person is None:
        return
    flaw = unwelcome(session, game, session.claimant or person) or no_more_seats(session)
    if flaw is not None:
        session.refuse_all(line, flaw)
        return
    seat = take_seat(game, Role.PLAYER, person, session.services.passwords.hash(password))
    if person.is_confirmed:
        session.enter(game, seat)
        seated(session, seat, person)
        return
    claim_seat(session, game, seat, person)
    if session.waits is not None:
        session.answer.verdict.append(Sentence("seats.join.waits", game=game.name))
        _ask_for_wishes(session, seat)


def _ask_for_wishes(session: Session, seat: Seat) -> None:
    game = session.game
    if game is not None and not (game.conduct.by_lot or seat.preferences):
        powers = session.services.scenario(game).in_play
        session.answer.verdict.append(wish_for(powers))


def seated(session: Session, seat: Seat, person: Person) -> None:
    """Somebody sits at a game that forms: note it, and tell whom it concerns."""
    game = session.game
    if game is None:
        return
    joined = game
    session.note("joined", Sentence("seats.join.log", name=person.name))
    needed = still_needed(session.services.scenario(game), joined)
    session.answer.verdict.append(Sentence("seats.join.joined", game=game.name))
    ask_for_approval(session, seat, str(seat.number))
    if needed:
        if not game.conduct.secret:
            session.answer.verdict.append(Sentence("seats.join.needed", n=needed))
        _ask_for_wishes(session, seat)
        _tell_of_newcomer(session, joined, person, needed)
    elif not all(each.approved for each in players(joined)):
        session.answer.verdict.append(Sentence("seats.join.approval"))
    elif game.conduct.manual_start:
        session.answer.verdict.append(Sentence("seats.join.manual"))
        told = Sentence("seats.join.begin", name=person.name)
        announce(session, joined, Sentence("seats.subject.ready"), [told], masters_of(joined))
    else:
        is_shared = game.shared is not None
        session.answer.verdict.append(Sentence("seats.join.last", is_shared=is_shared))


def _tell_of_newcomer(session: Session, game: Game, person: Person, needed: int) -> None:
    """Masters read how many are still missing, the others where that is no secret."""
    masters = masters_of(game)
    others = {seat.address for seat in game.seats} - masters
    for readers, is_master in ((masters, True), (others, False)):
        shown = needed if is_master or not game.conduct.secret else 0
        told = Sentence("seats.join.told", name=person.name, needed=shown)
        announce(session, game, Sentence("seats.subject.player"), [told], readers)


def start_if_full(session: Session) -> None:
    """Start the game, or ask for words, when the last player has joined.

    At the end of their mail, so that the preferences in it still count.
    """
    game = session.game
    if game is None or game.status is not Status.FORMING:
        return
    waits = game.conduct.manual_start or not all(seat.approved for seat in players(game))
    if not still_needed(session.services.scenario(game), game) and not waits:
        begin(session, game)


def observe(session: Session, line: Line, said: Observe) -> None:
    """Watch a game from a seat of one's own; once there, open that seat.

    Nobody else's seat is opened so: a password that is somebody's by chance is not compared.
    """
    hide_password(session, said.password)
    game = visible(session.find_game(said.game))
    if game is not None and open_claim(session, game, people.OBSERVER, said.password):
        return
    seat = by_token(session, game, people.OBSERVER, said.password)
    if game is not None and seat is None and not _watches(session, game):
        _begin_to_watch(session, line, game, people.plain_password(said.password))
        return
    seat = seat or unlock(session, said.game, people.OBSERVER, said.password)
    if game is not None and seat is not None:
        session.enter(game, seat)
        return
    hint = hint_for_watcher(session, said.game) if game is None else Hint()
    session.refuse_all(line, why_not(session, said.game, people.OBSERVER), hint.instead)


OBSERVE = CommandEntry(
    "observe",
    COMING,
    ANYBODY,
    Act.ENTER,
    observe,
    Observe,
    also=("watch", "signon O…"),
    opens_seat=True,
    secret_at=2,
)


def _watches(session: Session, game: Game) -> bool:
    """Whether the address in From is that of an observer; only the seat's password opens it."""
    person = session.claimant
    return person is not None and any(
        seat.person == person.id and seat.role is Role.OBSERVER for seat in game.seats
    )


def _begin_to_watch(session: Session, line: Line, game: Game, password: str) -> None:
    person = newcomer(session, line, password)
    if person is None:
        return
    flaw: Wording | None = why_not_watch(game.conduct, session.claimant or person)
    flaw = flaw or no_more_observers(session, game) or no_more_seats(session)
    if flaw is not None:
        session.refuse_all(line, flaw)
        return
    seat = take_seat(game, Role.OBSERVER, person, session.services.passwords.hash(password))
    if person.is_confirmed:
        session.enter(game, seat)
        watching(session, game, person)
        return
    claim_seat(session, game, seat, person)
    if session.waits is not None:
        session.answer.verdict.append(Sentence("seats.watch.waits", game=game.name))


def watching(session: Session, game: Game, person: Person) -> None:
    """Somebody watches a game: note it, and tell whom it concerns."""
    session.note("joined", Sentence("seats.watch.log", name=person.name))
    session.done(Sentence("seats.watch.you", game=game.name))
    told = [Sentence("seats.watch.told", name=person.name)]
    subject = Sentence("seats.subject.signon", letters=people.OBSERVER)
    announce(session, session.game or game, subject, told, masters_only(game))


NOTHING_WAITS = Sentence("seats.nothing_waits")
_SHORT = 3
"""Words of a line that says no more than yes."""


def hear_answer(session: Session) -> bool:
    """Confirm the address whose message this mail answers; say whether it answers one.

    Only an answer without words of its own does, one that agrees, or one that begins with what is
    to be done at the seat.  To anything else the question is asked once more.
    """
    found = next((each for each in session.speaks if isinstance(each, AddressToken)), None)
    # An answer that may be a machine's says nothing about who reads there.
    if found is None or session.mail.suspected is not None:
        return False
    person = session.uow.persons.get(found.person)
    if not adds(found) and _is_known(session, found, person):
        return True
    game, claim = _waiting(session, found)
    if _is_agreed(session, game):
        if adds(found):
            add_address(session, found)
        elif person is None:
            _confirm_once_more(session, found, game)
        else:
            _confirm(session, found, person)
        _pass_over_yes(session)
    elif adds(found):
        _refuse(session, Sentence("identity.seat.unclear"))
    elif _opens_another(session, game):
        _prove_address(session, found)
    elif person is None:
        _refuse(session, NOTHING_WAITS)
    elif denies(session.mail):
        _undo(session, found, person)
    else:
        _ask_again(session, person, game, claim)
    return True


def _is_agreed(session: Session, game: Game | None) -> bool:
    """Whether an answer confirms what it was asked for."""
    first = next(own_words(session.mail), None)
    if first is None:
        return is_wordless(session.mail)
    line = next((each for each in session.mail.lines if each.text == first), None)
    return agrees(first) or (line is not None and _is_for_seat(session, line, game))


def _opens_another(session: Session, game: Game | None) -> bool:
    """Whether an answer begins with taking a place at another game, or making one.

    That confirms nothing of what was asked for, and comes from the address all the same: forged
    mails that use up what the address may be sent in a day keep nobody out.
    """
    first = next(own_words(session.mail), None)
    line = next((each for each in session.mail.lines if each.text == first), None)
    command = session.said.command(line) if line is not None else None
    match command:
        case Create(game=name):
            return game is None or name.lower() != game.id
        case SignOn(game=name) | Join(game=name) | Observe(game=name):
            other = session.find_game(name)
            return other is not None and (game is None or other.id != game.id)
        case _:
            return False


def _prove_address(session: Session, token: AddressToken) -> None:
    """Whoever writes reads at the address of a message; nothing else is done."""
    owner = session.uow.persons.by_address(token.address)
    session.proven, session.has_code = (owner.id if owner is not None else None), True
    session.confirmed_address = token.address if owner is None else ""


def _is_for_seat(session: Session, line: Line, game: Game | None) -> bool:
    """Whether a line is an order, or a command that nobody types who wonders what this is."""
    match session.said.command(line):
        case Set() | Press() | PostalPress() | Diary() | PlainCommand(name="register"):
            return True
        case SignOff(has_quit=has_quit):
            return not has_quit
        case SignOn(game=name) | Join(game=name) | Observe(game=name) | Create(game=name):
            return game is not None and name.lower() == game.id
        case List(game=name) | History(game=name):
            return not name or session.find_game(name) is not None
        case NotACommand():
            return game is not None and _is_order(session, line, game)
        case _:
            return False


def _is_order(session: Session, line: Line, game: Game) -> bool:
    """Whether a line is nothing but orders that can be read."""
    if game.position is None:
        return False
    stage = load(session.services, session.uow, game).state.moment.stage
    pieces = session.said.orders(line.text, session.lexicon(game), stage)
    return bool(pieces) and all(
        isinstance(each.said, Sweep) or (each.understood and not each.refused) for each in pieces
    )


def _pass_over_yes(session: Session) -> None:
    """A word of agreement above the orders, which nobody has to send, wants no answer."""
    mail = session.mail
    rows = tuple(row for row in mail.rows if row.is_press or not _is_yes(row.text))
    session.mail = replace(mail, rows=rows)


def _is_yes(text: str) -> bool:
    return len(text.split()) <= _SHORT and agrees(text)


def _refuse(session: Session, why: Sentence) -> None:
    """Do nothing of a mail but to say why."""
    session.is_closed = True
    session.answer.verdict.append(why)


def _ask_again(session: Session, person: Person, game: Game | None, claim: Seat | None) -> None:
    """Confirm nothing, and ask for a word that is clear."""
    if game is not None and claim is not None:
        session.claim(game, claim)
    ask_to_answer(session, person)
    _refuse(session, Sentence("identity.seat.unclear"))


def _undo(session: Session, token: AddressToken, person: Person) -> None:
    game, claim = _waiting(session, token)
    if game is not None and claim is not None:
        session.changes.read = game
        withdraw(session, game, claim)
    session.changes.forgotten.add(person.id)
    session.is_closed = True
    session.answer.verdict.append(Sentence("seats.nothing_kept"))


def _waiting(session: Session, token: AddressToken) -> tuple[Game | None, Seat | None]:
    """The game that a token is about, and the seat there that waits for its answer."""
    game = session.find_game(_game_of(token)) if token.serial and not adds(token) else None
    claims = game.claims if game is not None else ()
    return game, next((claim for claim in claims if _is_for(claim, token)), None)


def _game_of(token: AddressToken) -> str:
    return token.serial.partition(" ")[0]


def _is_for(seat: Seat, token: AddressToken) -> bool:
    return seat.claimed is not None and seat.claimed.person == token.person


# --- answered for the first time --------------------------------------------------------------


def _confirm(session: Session, token: AddressToken, person: Person) -> None:
    """The seat goes to whoever the address belongs to; else to somebody new."""
    owner = session.uow.persons.by_address(token.address)
    if owner is None:
        # Somebody else may have taken the name meanwhile.
        name = session.names().nearest(person.name, token.address)
        owner = replace(person, name=name, standing=AddressStanding.CONFIRMED)
    else:
        session.changes.forgotten.add(person.id)
        owner = _with_wishes(session, owner, person)
    _prove(session, token, owner)
    game, claim = _waiting(session, token)
    if claim is not None and game is not None:
        _seat(session, game, claim, owner)
    elif token.serial:
        session.answer.verdict.append(NOTHING_WAITS)


def _prove(session: Session, token: AddressToken, owner: Person) -> None:
    session.changes.persons[owner.id] = owner
    session.proven, session.has_code = owner.id, True
    session.answer.verdict.append(Sentence("seats.confirmed", address=token.address))


def _confirm_once_more(session: Session, token: AddressToken, game: Game | None) -> None:
    """The claim that is answered is gone: it gave way, lapsed, or another one was answered.

    The answer proves the address all the same.  Where another claim of it waits for the same
    kind of seat, that one is given, without anything that its mail has set.
    """
    _prove_address(session, token)
    letter = token.serial.partition(" ")[2]
    same = [
        claim
        for claim in (game.claims if game is not None and game.is_confirmed else ())
        if claim.address == token.address and letter_of(claim) == letter
    ]
    owner = session.person_or_new() if same else None
    if owner is None or game is None:
        session.answer.verdict.append(NOTHING_WAITS)
        return
    _prove(session, token, owner)
    claim = same[-1]
    bare = Seat(claim.number, claim.role, None, claim.address, "", claim.powers)
    _seat(session, game, replace(bare, approved=claim.approved, claimed=claim.claimed), owner)


def _with_wishes(session: Session, owner: Person, asked: Person) -> Person:
    """Somebody who is known, with what their own unproven mail asked to change."""
    if asked.standing is AddressStanding.REGISTERING:
        return replace(owner, name=asked.name, zone=asked.zone)
    return owner if asked.zone == session.services.judge.zone else replace(owner, zone=asked.zone)


def _seat(session: Session, game: Game, claim: Seat, owner: Person) -> None:
    """The seat that waited is its owner's, if it still may be."""
    rest = _without(session, game, claim)
    seat = replace(claim, person=owner.id, password=_password(session, game, claim))
    flaw = _flaw(session, game, claim, owner)
    if flaw:
        session.changes.read, session.changes.game = game, rest
        session.changes.is_removed = not game.is_confirmed
        session.answer.verdict.append(Sentence("seats.no_seat", why=flaw))
        return
    if not game.is_confirmed:
        _found(session, game, seat, owner)
    elif claim.role is Role.OBSERVER:
        session.enter(rest, seat)
        watching(session, rest, owner)
    elif claim.powers:
        _lead(session, rest, seat, owner)
    else:
        session.enter(rest, seat)
        seated(session, seat, owner)
    if not seat.password:
        session.answer.verdict.append(Sentence("seats.no_password"))


def _password(session: Session, game: Game, claim: Seat) -> str:
    """The hash of the password: that of the answer, else that of the claim if it is the only one.

    Of several claims under one address nobody knows which are its owner's.
    """
    typed = next(filter(None, (_typed(session, line, game) for line in session.mail.lines)), "")
    if typed and people.password_flaw(typed) is None:
        return session.services.passwords.hash(typed)
    return "" if rivals(game, claim) else claim.password


def _typed(session: Session, line: Line, game: Game) -> str:
    """The password in a line that opens a seat of the game, or sets one."""
    match session.said.command(line):
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


def _without(session: Session, game: Game, claim: Seat) -> Game:
    """The game without the seats that waited for an answer from the same address."""
    others = rivals(game, claim)
    for each in others:
        if each.claimed is not None:
            session.changes.forgotten.add(each.claimed.person)
    return people.without_claims(game, {claim.number, *(each.number for each in others)})


def _flaw(session: Session, game: Game, claim: Seat, owner: Person) -> Wording | None:
    if not game.is_confirmed:
        return no_more_games(session)
    if claim.role is Role.OBSERVER:
        return (
            why_not_watch(game.conduct, owner)
            or no_more_observers(session, game)
            or no_more_seats(session)
        )
    if claim.powers:
        seat = seat_of(game, claim.powers[0])
        if seat is None or seat.person is not None or game.status is Status.FINISHED:
            return Sentence("seats.too_late")
        if has_seen_orders(game, owner):
            return HAS_SEEN
        return unwelcome(session, game, owner) or no_more_seats(session)
    if game.status is not Status.FORMING or not still_needed(session.services.scenario(game), game):
        return Sentence("seats.all_taken", game=game.name)
    return unwelcome(session, game, owner) or no_more_seats(session)


def _found(session: Session, game: Game, seat: Seat, owner: Person) -> None:
    """The game is there for everybody."""
    session.changes.read = game
    session.set_game(replace(game, master=owner.id, seats=(seat,), claims=()))
    session.seat_number = session.opened_seat = seat.number
    if session.game is not None:
        created(session, session.game, owner)


def _lead(session: Session, game: Game, claim: Seat, owner: Person) -> None:
    """Somebody new leads a power whose player has left."""
    letter = PowerId(claim.powers[0])
    seat = seat_of(game, letter)
    if seat is None:
        return
    taken = replace(as_new(game, seat, owner, claim.password), address=claim.address)
    led(session, game, replace(taken, claimed=claim.claimed), letter, owner)


# --- answered again ---------------------------------------------------------------------------


def _is_known(session: Session, token: AddressToken, person: Person | None) -> bool:
    """Whether the message was answered before: it still says who writes, and opens the seat."""
    seat = _answered_seat(session, token)
    if seat is not None:
        session.speaks = (seat, *session.speaks)
        return True
    if person is None or not person.is_confirmed or token.address not in person.addresses:
        return False
    session.proven, session.has_code = person.id, True
    return True


def _answered_seat(session: Session, token: AddressToken) -> SeatToken | None:
    """The seat that somebody has by an answer to the message, or to another one about it."""
    game = session.find_game(_game_of(token)) if token.serial and not adds(token) else None
    for seat in game.seats if game is not None else ():
        is_it = _is_for(seat, token) or _is_same(seat, token)
        if game is not None and seat.person and seat.claimed is not None and is_it:
            return SeatToken(game.id, seat.number, seat.generation)
    return None


def _is_same(seat: Seat, token: AddressToken) -> bool:
    """Whether a seat was claimed under the address that got the message, with the same letter."""
    letter = token.serial.partition(" ")[2]
    is_called = letter == people.FORMING if seat.role is Role.PLAYER else letter_of(seat) == letter
    return seat.address == token.address and (is_called or letter_of(seat) == letter)
