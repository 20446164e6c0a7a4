"""An address is confirmed by answering a message of the judge that went there.

What was waiting happens then: the seat is somebody's, the others are told, the game may begin.
"""

from dataclasses import replace

from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.orders import Sweep
from machjudge.language.commands.commands import (
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
    SignOff,
    SignOn,
)
from machjudge.reading import Line
from machjudge.reading.text.courtesies import agrees
from machjudge.sentence import Sentence, Wording
from machjudge.service.credentials.reply_tokens import AddressToken, SeatToken
from machjudge.service.game import registry
from machjudge.service.game.view import load, seat_of
from machjudge.service.identity.agreeing import denies, is_wordless, own_words
from machjudge.service.identity.further_addresses import add_address, adds
from machjudge.service.identity.provisional import ask_to_answer, rivals, withdraw
from machjudge.service.identity.tokens import letter_of
from machjudge.service.model.invitations import why_not_watch
from machjudge.service.model.records import AddressStanding, Game, Person, Role, Seat, Status
from machjudge.service.seats.admitting import unwelcome
from machjudge.service.seats.joining import seated
from machjudge.service.seats.takeover import HAS_SEEN, as_new, has_seen_orders, led
from machjudge.service.seats.watching import watching
from machjudge.service.session.quotas import no_more_games, no_more_observers, no_more_seats
from machjudge.service.session.session import Session
from machjudge.service.setup.creating import created
from machjudge.service.setup.forming import still_needed

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
    if typed and registry.password_flaw(typed) is None:
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
            return registry.plain_password(password)
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
    return registry.without_claims(game, {claim.number, *(each.number for each in others)})


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
    is_called = (
        letter == registry.FORMING if seat.role is Role.PLAYER else letter_of(seat) == letter
    )
    return seat.address == token.address and (is_called or letter_of(seat) == letter)
