"""Coming and going: opening a seat, joining, watching, resigning."""

from collections.abc import Sequence
from dataclasses import replace

from machjudge.adjudicator.model.names import PowerId
from machjudge.language.commands.commands import Join, Observe, Resign, SignOff, SignOn
from machjudge.language.commands.signon import spellings
from machjudge.letters.wording.words import Words, counted
from machjudge.reading import Line
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
from machjudge.service.session.quotas import no_more_observers, no_more_seats
from machjudge.service.session.session import Talk
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


def sign_on(talk: Talk, line: Line, typed: SignOn) -> None:
    """Speak from a seat; an abandoned one is taken over by whoever signs on to it."""
    said = as_meant(talk, typed)
    game = talk.find_game(said.game)
    letter = letter_of(talk, said)
    if game is not None and open_claim(talk, game, letter, said.password):
        return
    # A mail that only checks orders takes no seat, and shows nobody the orders of one.
    if (
        game is not None
        and not talk.is_dry
        and take_over(talk, line, game, PowerId(letter), said.password)
    ):
        return
    if opens_seat(talk, said):
        return
    _refuse_signon(talk, line, said, why_not(talk, said.game, letter))


def opens_seat(talk: Talk, typed: SignOn) -> bool:
    """Speak from the seat that a signon opens; say whether it opens one.  Refuses nothing."""
    said = as_meant(talk, typed)
    game = talk.find_game(said.game)
    letter = letter_of(talk, said)
    seat = unlock(talk, said.game, letter, said.password)
    if game is None or seat is None:
        return False
    talk.enter(game, seat)
    talk.speak_from(seat.number, PowerId(letter))
    return True


def is_open(talk: Talk, typed: SignOn) -> bool:
    """Whether a signon means the seat that the mail has opened already."""
    said = as_meant(talk, typed)
    game, seat = talk.game, talk.seat
    if game is None or seat is None or talk.became or said.game.lower() != game.id:
        return False
    return is_called(seat, letter_of(talk, said))


def as_meant(talk: Talk, typed: SignOn) -> SignOn:
    """The reading of a signon that fits the games that there are; its password is a secret."""
    said = meant(typed, lambda name: scenario_named(talk.desk, talk.uow, name))
    _hide(talk, said.password)
    return said


def _hide(talk: Talk, password: str) -> None:
    """Keep a password out of the answer; the word for it is none."""
    talk.secrets.update(each for each in spellings(password) if each.lower() not in _NO_SECRETS)


def letter_of(talk: Talk, said: SignOn) -> str:
    """The letter of the seat that a signon names; empty if there is no such seat."""
    game = talk.find_game(said.game)
    if len(said.seat) == 1 or game is None:
        return said.seat.upper() if len(said.seat) == 1 else ""
    return seat_letter(talk.desk.scenario(game), said.seat)


def _refuse_signon(talk: Talk, line: Line, said: SignOn, reason: str) -> None:
    """Refuse a signon that opens nothing, with what it may have meant."""
    hint = hint_for_seat(talk, said)
    if said.rest:
        talk.refuse_all(line, f"{reason}; {ONE_LINE_EACH}", hint.instead, NOTHING_TAKEN)
    else:
        talk.refuse_all(line, _with_hint(reason, hint), hint.instead)


def _with_hint(reason: str, hint: Hint) -> str:
    return f"{reason}; {hint.reason}" if hint.reason else reason


def sign_off(talk: Talk, _: Line, said: SignOff) -> None:
    """Read no further; where the word may have been meant for the game, say what was done."""
    talk.is_closed, talk.has_quit = True, said.has_quit
    if said.has_quit:
        talk.answer.notices.append("  Your mail was read up to there. RESIGN gives up a seat.")


# --- joining and watching --------------------------------------------------------------------


def join(talk: Talk, line: Line, typed: Join) -> None:
    """Take a seat in a game that forms, or open the seat that one has there; the last one starts.

    Options behind the password are not compared with the game's, as the judge tells them anyway.
    """
    _hide(talk, typed.password)
    said = named_game(typed, lambda name: talk.find_game(name) is not None)
    _hide(talk, said.password)
    if said.wishes and not rest_of_line(said):
        if not said.game and not _are_options(talk, said.wishes):
            talk.refuse_all(line, NO_SPACE, hint_for_newcomer(talk, said.password).instead)
            return
        talk.answer.ignored.append(f"line {line.number}: what stands behind the password")
    game = _visible(talk.find_game(said.game)) if said.game else _next_public(talk)
    opened = by_token(talk, game, registry.FORMING, said.password)
    if game is not None and open_claim(talk, game, registry.FORMING, said.password):
        return
    if game is not None and opened is not None:
        talk.enter(game, opened)
    elif game is not None and _sits(talk, game):
        _open_own(talk, line, game, said.password)
    elif game is not None and game.status is Status.FORMING:
        _sit_down(talk, line, game, registry.plain_password(said.password))
    else:
        hint = hint_for_newcomer(talk, said.game)
        talk.refuse_all(line, _with_hint(NOT_JOINED, hint), hint.instead)


def _are_options(talk: Talk, words: Sequence[str]) -> bool:
    """Whether words ask for rules or a scenario, as those behind a ``create`` do."""
    known = talk.desk.atlas.scenario_ids()
    return all(find_flag(word) is not None or word.lower() in known for word in words)


def _visible(game: Game | None) -> Game | None:
    """A game whose creator is confirmed; nobody else sees any other."""
    return game if game is not None and game.is_confirmed else None


def _next_public(talk: Talk) -> Game | None:
    every = (g for g in talk.uow.games.all() if g.is_confirmed and g.conduct.listed)
    forming = [g for g in every if g.status is Status.FORMING]
    return min(forming, key=lambda game: game.created, default=None)


def _sits(talk: Talk, game: Game) -> bool:
    """Whether the address in From is that of a player; only the seat's password opens it."""
    person = talk.claimant
    return person is not None and any(seat.person == person.id for seat in players(game))


def _open_own(talk: Talk, line: Line, game: Game, password: str) -> None:
    seat = unlock(talk, game.id, registry.FORMING, password)
    if seat is None:
        talk.refuse_all(line, why_not(talk, game.id, registry.FORMING))
    else:
        talk.enter(game, seat)


def _sit_down(talk: Talk, line: Line, game: Game, password: str) -> None:
    person = newcomer(talk, line, password)
    if person is None:
        return
    flaw = unwelcome(talk, game, talk.claimant or person) or no_more_seats(talk)
    if flaw is not None:
        talk.refuse_all(line, flaw)
        return
    seat = take_seat(game, Role.PLAYER, person, talk.desk.passwords.hash(password))
    if person.is_confirmed:
        talk.enter(game, seat)
        seated(talk, seat, person)
        return
    claim_seat(talk, line, game, seat, person)
    if talk.waits is not None:
        talk.answer.verdict.append(f"A seat in the game {game.name} waits for you.")
        talk.answer.verdict += () if game.conduct.by_lot else (WISH_POWERS,)


def seated(talk: Talk, seat: Seat, person: Person) -> None:
    """Somebody sits at a game that forms: note it, and tell whom it concerns."""
    game = talk.game
    if game is None:
        return
    joined = game
    talk.note("joined", f"{person.name} joined")
    needed = still_needed(talk.desk.scenario(game), joined)
    talk.answer.verdict.append(f"You have joined the game {game.name}.")
    ask_for_approval(talk, seat, str(seat.number))
    if needed:
        talk.answer.verdict += [
            *_needed_words(game, needed),
            *(() if game.conduct.by_lot else [WISH_POWERS]),
        ]
        _tell_of_newcomer(talk, joined, person, needed)
    elif not all(each.approved for each in players(joined)):
        talk.answer.verdict.append("The game begins when the master has approved its players.")
    elif game.conduct.manual_start:
        talk.answer.verdict.append("All seats are taken: the master begins the game.")
        told = f"{person.name} has joined, and all seats are taken. FORCE BEGIN begins the game."
        announce(talk, joined, "Ready to Begin", [told], masters_of(joined))
    else:
        starts = "the game starts" if game.shared is None else "random words are asked for"
        talk.answer.verdict.append(f"You are the last one: {starts}.")


def _needed_words(game: Game, needed: int, *, is_master: bool = False) -> list[str]:
    """How many players are still missing, to whom it is told."""
    if game.conduct.secret and not is_master:
        return []
    return [f"{counted(needed, 'more player')} needed."]


def _tell_of_newcomer(talk: Talk, game: Game, person: Person, needed: int) -> None:
    """Masters read how many are still missing, the others where that is no secret."""
    masters = masters_of(game)
    others = {seat.address for seat in game.seats} - masters
    for readers, is_master in ((masters, True), (others, False)):
        told = [f"{person.name} has joined.", *_needed_words(game, needed, is_master=is_master)]
        announce(talk, game, "New Player", [" ".join(told)], readers)


def start_if_full(talk: Talk) -> None:
    """Start the game, or ask for words, when the last player has joined.

    At the end of his mail, so that the preferences in it still count.
    """
    game = talk.game
    if game is None or game.status is not Status.FORMING:
        return
    waits = game.conduct.manual_start or not all(seat.approved for seat in players(game))
    if not still_needed(talk.desk.scenario(game), game) and not waits:
        begin(talk, game)


def observe(talk: Talk, line: Line, said: Observe) -> None:
    """Watch a game from a seat of one's own; once there, open that seat.

    Nobody else's seat is opened so: a password that is somebody's by chance is not compared.
    """
    _hide(talk, said.password)
    game = _visible(talk.find_game(said.game))
    if game is not None and open_claim(talk, game, registry.OBSERVER, said.password):
        return
    seat = by_token(talk, game, registry.OBSERVER, said.password)
    if game is not None and seat is None and not _watches(talk, game):
        _begin_to_watch(talk, line, game, registry.plain_password(said.password))
        return
    seat = seat or unlock(talk, said.game, registry.OBSERVER, said.password)
    if game is not None and seat is not None:
        talk.enter(game, seat)
        return
    hint = hint_for_watcher(talk, said.game) if game is None else Hint()
    talk.refuse_all(line, why_not(talk, said.game, registry.OBSERVER), hint.instead)


def _watches(talk: Talk, game: Game) -> bool:
    """Whether the address in From is that of an observer; only the seat's password opens it."""
    person = talk.claimant
    return person is not None and any(
        seat.person == person.id and seat.role is Role.OBSERVER for seat in game.seats
    )


def _begin_to_watch(talk: Talk, line: Line, game: Game, password: str) -> None:
    person = newcomer(talk, line, password)
    if person is None:
        return
    flaw = why_not_watch(game.conduct, talk.claimant or person)
    flaw = flaw or no_more_observers(talk, game) or no_more_seats(talk)
    if flaw is not None:
        talk.refuse_all(line, flaw)
        return
    seat = take_seat(game, Role.OBSERVER, person, talk.desk.passwords.hash(password))
    if person.is_confirmed:
        talk.enter(game, seat)
        watching(talk, game, person)
        return
    claim_seat(talk, line, game, seat, person)
    if talk.waits is not None:
        talk.answer.verdict.append(f"A place to watch {game.name} waits for you.")


def watching(talk: Talk, game: Game, person: Person) -> None:
    """Somebody watches a game: note it, and tell whom it concerns."""
    talk.note("joined", f"{person.name} watches")
    talk.done(f"You watch {game.name}; SIGNON O{game.name} opens your seat.")
    told = [f"{person.name} watches the game."]
    announce(talk, _now(talk, game), "New Player Signon: O", told, masters_only(game))


# --- leaving ---------------------------------------------------------------------------------


def resign(talk: Talk, line: Line, _: Resign) -> None:
    """Give up a seat; a player's is open to others from now on."""
    game, seat = talk.game, talk.seat
    if game is None or seat is None:
        return
    if game.status is Status.FINISHED:
        talk.refuse(line, OVER)
        return
    if seat.role is Role.MASTER and seat.person == game.master:
        talk.refuse(line, "the master cannot resign; PROMOTE gives the game to a co-master")
        return
    others = tuple(each for each in game.seats if each.number != seat.number)
    if talk.is_claim:
        withdraw(talk, game, seat)
        return
    if seat.powers:
        _abandon(talk, game, seat)
    else:
        talk.set_game(replace(game, seats=others))
        talk.seat_number = None
    talk.note("resigned", f"seat {seat.number} was given up")
    talk.done(f"You have left the game {game.name}.")
    talk.is_closed = True


def _abandon(talk: Talk, game: Game, seat: Seat) -> None:
    names = ", ".join(Words(talk.desk.world(game)).power(power) for power in seat.powers)
    talk.set_game(with_left(game, [seat.person]))
    talk.set_seat(abandoned(seat))
    told = [f"The player of {names} has resigned.", *open_seat_lines(game, [seat])]
    if not is_played(_now(talk, game)):
        told.append("Nobody plays now: the game waits until somebody does.")
    subject = f"Waiting for Replacements: {''.join(seat.powers)}"
    announce(talk, _now(talk, game), subject, told, masters_only(game))


def _now(talk: Talk, game: Game) -> Game:
    """The game with the changes of this mail."""
    return talk.game if talk.game is not None else game
