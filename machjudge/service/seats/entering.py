"""Coming and going: opening a seat, joining, watching, resigning."""

from collections.abc import Sequence
from dataclasses import replace

from machjudge.adjudicator.model.names import PowerId
from machjudge.language.commands.commands import Join, Observe, Resign, SignOff, SignOn
from machjudge.language.commands.signon import spellings
from machjudge.letters.wording.words import Words, counted
from machjudge.reading import Line
from machjudge.service.credentials.authority import Act
from machjudge.service.game import registry
from machjudge.service.game.attendance import with_left
from machjudge.service.game.view import is_played, players
from machjudge.service.identity.provisional import claim_seat, open_claim, withdraw
from machjudge.service.identity.registering import newcomer
from machjudge.service.identity.signon import (
    Hint,
    hint_for_newcomer,
    hint_for_seat,
    hint_for_watcher,
    meant,
    named_game,
    rest_of_line,
    scenario_named,
    seat_letter,
)
from machjudge.service.identity.unlock import by_token, is_called, unlock, why_not
from machjudge.service.model.invitations import why_not_watch
from machjudge.service.model.power_assignment import WISH_POWERS
from machjudge.service.model.records import Game, Person, Role, Seat, Status
from machjudge.service.seats.admitting import ask_for_approval, unwelcome
from machjudge.service.seats.takeover import OVER, abandoned, open_seat_lines, take_over
from machjudge.service.session.announce import announce, masters_of, masters_only
from machjudge.service.session.command import ANYBODY, COMING, CommandEntry, Who
from machjudge.service.session.quotas import no_more_observers, no_more_seats
from machjudge.service.session.session import Session
from machjudge.service.setup.flags import find_flag
from machjudge.service.setup.forming import still_needed, take_seat
from machjudge.service.setup.shared_dice import begin

NOT_JOINED = "there is no game of that name that you can join; LIST shows the games"
ONE_LINE_EACH = "orders stand on lines of their own, and a password has no space in it"
NOTHING_TAKEN = "Nothing of this mail was taken"
TEXT_ON_LINE = "a command with a text below it stands on a line of its own"
_NO_SECRETS = frozenset({"password", "passwort", "pass", "pw"})
NO_SPACE = "write the game in one word with the question mark, then one word as your password"


# --- opening a seat --------------------------------------------------------------------------


def sign_on(session: Session, line: Line, typed: SignOn) -> None:
    """Speak from a seat; an abandoned one is taken over by whoever signs on to it."""
    said = as_meant(session, typed)
    game = session.find_game(said.game)
    letter = letter_of(session, said)
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
    "SIGNON Lgame password",
    "Speak for your power; L is its letter, M the master, O an observer.",
    ANYBODY,
    Act.ENTER,
    sign_on,
    SignOn,
    also=(
        "sign on",
        "hello",
        "login",
    ),
    more=(
        "Orders and commands follow, one on each line.",
        "It also takes over a seat without a player.",
    ),
    is_dry=True,
    opens_seat=True,
    secret_at=2,
)


def opens_seat(session: Session, typed: SignOn) -> bool:
    """Speak from the seat that a signon opens; say whether it opens one.  Refuses nothing."""
    said = as_meant(session, typed)
    game = session.find_game(said.game)
    letter = letter_of(session, said)
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
    return is_called(seat, letter_of(session, said))


def as_meant(session: Session, typed: SignOn) -> SignOn:
    """The reading of a signon that fits the games that there are; its password is a secret."""
    said = meant(typed, lambda name: scenario_named(session.services, session.uow, name))
    _hide(session, said.password)
    return said


def _hide(session: Session, password: str) -> None:
    """Keep a password out of the answer; the word for it is none."""
    session.secrets.update(each for each in spellings(password) if each.lower() not in _NO_SECRETS)


def letter_of(session: Session, said: SignOn) -> str:
    """The letter of the seat that a signon names; empty if there is no such seat."""
    game = session.find_game(said.game)
    if len(said.seat) == 1 or game is None:
        return said.seat.upper() if len(said.seat) == 1 else ""
    return seat_letter(session.services.scenario(game), said.seat)


def _refuse_signon(session: Session, line: Line, said: SignOn, reason: str) -> None:
    """Refuse a signon that opens nothing, with what it may have meant."""
    hint = hint_for_seat(session, said)
    if said.rest:
        session.refuse_all(line, f"{reason}; {ONE_LINE_EACH}", hint.instead, NOTHING_TAKEN)
    else:
        session.refuse_all(line, _with_hint(reason, hint), hint.instead)


def _with_hint(reason: str, hint: Hint) -> str:
    return f"{reason}; {hint.reason}" if hint.reason else reason


def sign_off(session: Session, _: Line, said: SignOff) -> None:
    """Read no further; where the word may have been meant for the game, say what was done."""
    session.is_closed, session.has_quit = True, said.has_quit
    if said.has_quit:
        session.answer.notices.append("  Your mail was read up to there. RESIGN gives up a seat.")


SIGN_OFF = CommandEntry(
    "signoff",
    COMING,
    "SIGNOFF",
    "Ends the mail; later lines are ignored.",
    ANYBODY,
    Act.READ,
    sign_off,
    SignOff,
    also=(
        "sign off",
        "log off",
        "quit",
        "--",
    ),
    more=("QUIT does not give up your seat: RESIGN does.",),
    is_dry=True,
)


# --- joining and watching --------------------------------------------------------------------


def join(session: Session, line: Line, typed: Join) -> None:
    """Take a seat in a game that forms, or open the seat that one has there; the last one starts.

    Options behind the password are not compared with the game's, as the judge tells them anyway.
    """
    _hide(session, typed.password)
    said = named_game(typed, lambda name: session.find_game(name) is not None)
    _hide(session, said.password)
    if said.wishes and not rest_of_line(said):
        if not said.game and not _are_options(session, said.wishes):
            session.refuse_all(line, NO_SPACE, hint_for_newcomer(session, said.password).instead)
            return
        session.answer.ignored.append(f"line {line.number}: what stands behind the password")
    game = _visible(session.find_game(said.game)) if said.game else _next_public(session)
    opened = by_token(session, game, registry.FORMING, said.password)
    if game is not None and open_claim(session, game, registry.FORMING, said.password):
        return
    if game is not None and opened is not None:
        session.enter(game, opened)
    elif game is not None and _sits(session, game):
        _open_own(session, line, game, said.password)
    elif game is not None and game.status is Status.FORMING:
        _sit_down(session, line, game, registry.plain_password(said.password))
    else:
        hint = hint_for_newcomer(session, said.game)
        session.refuse_all(line, _with_hint(NOT_JOINED, hint), hint.instead)


JOIN = CommandEntry(
    "signon ?",
    COMING,
    "SIGNON ?game password",
    "Join a game that forms, with a password of your own.",
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


def _visible(game: Game | None) -> Game | None:
    """A game whose creator is confirmed; nobody else sees any other."""
    return game if game is not None and game.is_confirmed else None


def _next_public(session: Session) -> Game | None:
    every = (g for g in session.uow.games.all() if g.is_confirmed and g.conduct.listed)
    forming = [g for g in every if g.status is Status.FORMING]
    return min(forming, key=lambda game: game.created, default=None)


def _sits(session: Session, game: Game) -> bool:
    """Whether the address in From is that of a player; only the seat's password opens it."""
    person = session.claimant
    return person is not None and any(seat.person == person.id for seat in players(game))


def _open_own(session: Session, line: Line, game: Game, password: str) -> None:
    seat = unlock(session, game.id, registry.FORMING, password)
    if seat is None:
        session.refuse_all(line, why_not(session, game.id, registry.FORMING))
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
    claim_seat(session, line, game, seat, person)
    if session.waits is not None:
        session.answer.verdict.append(f"A seat in the game {game.name} waits for you.")
        session.answer.verdict += () if game.conduct.by_lot else (WISH_POWERS,)


def seated(session: Session, seat: Seat, person: Person) -> None:
    """Somebody sits at a game that forms: note it, and tell whom it concerns."""
    game = session.game
    if game is None:
        return
    joined = game
    session.note("joined", f"{person.name} joined")
    needed = still_needed(session.services.scenario(game), joined)
    session.answer.verdict.append(f"You have joined the game {game.name}.")
    ask_for_approval(session, seat, str(seat.number))
    if needed:
        session.answer.verdict += [
            *_needed_words(game, needed),
            *(() if game.conduct.by_lot else [WISH_POWERS]),
        ]
        _tell_of_newcomer(session, joined, person, needed)
    elif not all(each.approved for each in players(joined)):
        session.answer.verdict.append("The game begins when the master has approved its players.")
    elif game.conduct.manual_start:
        session.answer.verdict.append("All seats are taken: the master begins the game.")
        told = f"{person.name} has joined, and all seats are taken. FORCE BEGIN begins the game."
        announce(session, joined, "Ready to Begin", [told], masters_of(joined))
    else:
        starts = "the game starts" if game.shared is None else "random words are asked for"
        session.answer.verdict.append(f"You are the last one: {starts}.")


def _needed_words(game: Game, needed: int, *, is_master: bool = False) -> list[str]:
    """How many players are still missing, to whom it is told."""
    if game.conduct.secret and not is_master:
        return []
    return [f"{counted(needed, 'more player')} needed."]


def _tell_of_newcomer(session: Session, game: Game, person: Person, needed: int) -> None:
    """Masters read how many are still missing, the others where that is no secret."""
    masters = masters_of(game)
    others = {seat.address for seat in game.seats} - masters
    for readers, is_master in ((masters, True), (others, False)):
        told = [f"{person.name} has joined.", *_needed_words(game, needed, is_master=is_master)]
        announce(session, game, "New Player", [" ".join(told)], readers)


def start_if_full(session: Session) -> None:
    """Start the game, or ask for words, when the last player has joined.

    At the end of his mail, so that the preferences in it still count.
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
    _hide(session, said.password)
    game = _visible(session.find_game(said.game))
    if game is not None and open_claim(session, game, registry.OBSERVER, said.password):
        return
    seat = by_token(session, game, registry.OBSERVER, said.password)
    if game is not None and seat is None and not _watches(session, game):
        _begin_to_watch(session, line, game, registry.plain_password(said.password))
        return
    seat = seat or unlock(session, said.game, registry.OBSERVER, said.password)
    if game is not None and seat is not None:
        session.enter(game, seat)
        return
    hint = hint_for_watcher(session, said.game) if game is None else Hint()
    session.refuse_all(line, why_not(session, said.game, registry.OBSERVER), hint.instead)


OBSERVE = CommandEntry(
    "observe",
    COMING,
    "OBSERVE game password",
    "Watch a game, with a password of your own.",
    ANYBODY,
    Act.ENTER,
    observe,
    Observe,
    also=(
        "watch",
        "signon O…",
    ),
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
    flaw = why_not_watch(game.conduct, session.claimant or person)
    flaw = flaw or no_more_observers(session, game) or no_more_seats(session)
    if flaw is not None:
        session.refuse_all(line, flaw)
        return
    seat = take_seat(game, Role.OBSERVER, person, session.services.passwords.hash(password))
    if person.is_confirmed:
        session.enter(game, seat)
        watching(session, game, person)
        return
    claim_seat(session, line, game, seat, person)
    if session.waits is not None:
        session.answer.verdict.append(f"A place to watch {game.name} waits for you.")


def watching(session: Session, game: Game, person: Person) -> None:
    """Somebody watches a game: note it, and tell whom it concerns."""
    session.note("joined", f"{person.name} watches")
    session.done(f"You watch {game.name}; SIGNON O{game.name} opens your seat.")
    told = [f"{person.name} watches the game."]
    announce(session, _now(session, game), "New Player Signon: O", told, masters_only(game))


# --- leaving ---------------------------------------------------------------------------------


def resign(session: Session, line: Line, _: Resign) -> None:
    """Give up a seat; a player's is open to others from now on."""
    game, seat = session.game, session.seat
    if game is None or seat is None:
        return
    if game.status is Status.FINISHED:
        session.refuse(line, OVER)
        return
    if seat.role is Role.MASTER and seat.person == game.master:
        session.refuse(line, "the master cannot resign; PROMOTE gives the game to a co-master")
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
    session.note("resigned", f"seat {seat.number} was given up")
    session.done(f"You have left the game {game.name}.")
    session.is_closed = True


RESIGN = CommandEntry(
    "resign",
    COMING,
    "RESIGN",
    "Leave a game; the seat is open to others.",
    frozenset({Who.PLAYER, Who.OBSERVER, Who.CO_MASTER}),
    Act.FINAL,
    resign,
    Resign,
    also=("withdraw",),
    is_personal=True,
)


def _abandon(session: Session, game: Game, seat: Seat) -> None:
    names = ", ".join(Words(session.services.world(game)).power(power) for power in seat.powers)
    session.set_game(with_left(game, [seat.person]))
    session.set_seat(abandoned(seat))
    told = [f"The player of {names} has resigned.", *open_seat_lines(game, [seat])]
    if not is_played(_now(session, game)):
        told.append("Nobody plays now: the game waits until somebody does.")
    subject = f"Waiting for Replacements: {''.join(seat.powers)}"
    announce(session, _now(session, game), subject, told, masters_only(game))


def _now(session: Session, game: Game) -> Game:
    """The game with the changes of this mail."""
    return session.game if session.game is not None else game
