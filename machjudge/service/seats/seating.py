"""Who sits at a game, as far as its master decides: ejecting, promoting, inviting, beginning."""

from collections.abc import Sequence
from dataclasses import replace

from machjudge.language.commands.commands import Eject, ForceBegin, Promote, Setting
from machjudge.letters.wording.words import counted, listed
from machjudge.reading import Line
from machjudge.sentence import Sentence
from machjudge.service.credentials.authority import Act
from machjudge.service.game.registry import next_number, with_seat
from machjudge.service.game.view import players
from machjudge.service.model.records import Game, Person, PersonId, Role, Seat, Status
from machjudge.service.seats.takeover import abandoned, open_seat_lines
from machjudge.service.session.announce import announce
from machjudge.service.session.command import (
    FIRST_MASTER,
    MASTERS,
    RUNNING,
    CommandEntry,
    once_begun,
)
from machjudge.service.session.people_meant import seat_meant, seat_name
from machjudge.service.session.session import Session
from machjudge.service.setup.forming import still_needed
from machjudge.service.setup.guestlist import shut_out
from machjudge.service.setup.shared_dice import begin


def eject(session: Session, line: Line, said: Eject) -> None:
    """Take all seats from somebody, who stays out until the master says otherwise.

    A player's seat is open to others from now on.
    """
    game = session.game
    if game is None:
        return
    found = seat_meant(session, game, said.who)
    if isinstance(found, Sentence):
        session.refuse(line, found)
        return
    if game.status is Status.FINISHED:
        session.refuse(line, "the game is over")
        return
    person = found.person or found.former
    own = session.seat.person if session.seat is not None else None
    if person is None or person in (game.master, own):
        session.refuse(line, "you can eject neither the master nor yourself")
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
    Eject,
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
    names = listed(seat_name(session, game, seat) for seat in seats)
    session.note("ejected", f"the seat of {names} was taken from its owner")
    known = session.uow.persons.get(person)
    who = known.name if known is not None else "somebody"
    session.done(f"You have ejected {who}: the seat of {names} is taken.")
    session.done("They can neither take a seat here nor watch, from any address")
    session.done("of theirs, until you let them in again:")
    session.done(f"  SET ALLOW PLAYER {_how_to_name(session, known)}")
    told = [
        f"The master has taken the seat of {names} from its owner.",
        *open_seat_lines(game, seats),
    ]
    own = [f"The master has taken your seat of {names} from you.", *_WHY]
    addresses = {seat.address for seat in seats}
    announce(session, game, "Seat Taken", own, addresses)
    rest = {seat.address for seat in game.seats} - addresses
    announce(session, game, "Seat Taken", told, rest)


def _how_to_name(session: Session, person: Person | None) -> str:
    """How a list names somebody without doubt: by name, where nobody else has it."""
    if person is None:
        return "and the name"
    is_clear = "," not in person.name and len(session.uow.persons.by_name(person.name)) == 1
    return person.name if is_clear else person.addresses[0]


_WHY = (
    "Your password no longer opens it. You cannot take a seat in this",
    "game, or watch it, until the master lets you in again.",
    "Only the master can tell you why; LIST shows who that is.",
)


def promote(session: Session, line: Line, said: Promote) -> None:
    """Let an observer run the game as well, or give it to a co-master; all keep passwords."""
    game = session.game
    if game is None:
        return
    found = seat_meant(session, game, said.address)
    if isinstance(found, Sentence):
        session.refuse(line, found)
        return
    if found.role is Role.MASTER and found.person is not None:
        _hand_over(session, game, found, found.person)
        return
    if found.role is not Role.OBSERVER:
        session.refuse(line, "only an observer can become a co-master, and a co-master the master")
        return
    name = seat_name(session, game, found)
    session.set_seat(replace(found, role=Role.MASTER))
    session.note("promoted", f"{name} became a co-master")
    session.done(f"{name} is a co-master now, and signs on with M and the same password.")
    own = [
        "You are a co-master now. Your password stays:",
        f"  SIGNON M{game.name} and your password",
        "HELP lists under FOR THE MASTER what you may do.",
    ]
    others = {seat.address for seat in game.seats} - {found.address}
    announce(session, session.game or game, "Co-Master", own, {found.address})
    announce(session, session.game or game, "Co-Master", [f"{name} is a co-master now."], others)


PROMOTE = CommandEntry(
    "promote",
    RUNNING,
    FIRST_MASTER,
    Act.FINAL,
    promote,
    Promote,
)


def _hand_over(session: Session, game: Game, found: Seat, person: PersonId) -> None:
    """Give the game to a co-master; whoever gives it is one himself from then on."""
    name = seat_name(session, game, found)
    changed = replace(game, master=person, heard=session.received)
    session.set_game(changed)
    session.note("master", f"{name} was made the master")
    told = f"{name} is the master of the game now."
    session.done(told)
    announce(session, changed, "New Master", [told, "The old master is a co-master."])


def set_approved(session: Session, line: Line, said: Setting) -> None:
    """Approve whoever sits at a seat; ``not approve`` takes it from them."""
    game = session.game
    if game is None:
        return
    for who in said.value:
        if not said.on:
            eject(session, line, Eject(who))
            continue
        found = seat_meant(session, game, who)
        if isinstance(found, Sentence):
            session.refuse(line, found)
        elif found.approved:
            session.done(f"{seat_name(session, game, found)} is approved already.")
        else:
            session.set_seat(replace(found, approved=True))
            name = seat_name(session, game, found)
            session.note("approved", f"{name} was approved")
            session.done(f"{name} is approved.")
            told = ["The master has approved you: your orders count."]
            announce(session, game, "Approved", told, {found.address})


SET_APPROVE = CommandEntry(
    "set approve",
    RUNNING,
    MASTERS,
    Act.STEER,
    set_approved,
    setting="approve",
    also=("set approved",),
)


def force_begin(session: Session, line: Line, _: ForceBegin) -> None:
    """Begin with the players that there are; the other seats are open to whoever signs on."""
    game = session.game
    if game is None:
        return
    if not players(game):
        session.refuse(line, "nobody has joined yet")
        return
    empty = still_needed(session.services.scenario(game), game)
    for _number in range(empty):
        game = with_seat(game, Seat(next_number(game), Role.PLAYER, None, "", ""))
    session.set_game(game)
    with_ = counted(empty, "empty seat") if empty else "all seats taken"
    session.note("begun", f"began with {with_}")
    if not begin(session, game):
        session.done("The game begins when the words of the players are in.")
        return
    seats = players(session.game) if session.game is not None else ()
    open_ = [power for seat in seats if seat.person is None for power in seat.powers]
    session.done(f"The game begins. Open seats: {listed(open_) or 'none'}.")


FORCE_BEGIN = CommandEntry(
    "force begin",
    RUNNING,
    MASTERS,
    Act.FINAL,
    force_begin,
    ForceBegin,
    refused_in=once_begun("the game has begun already"),
)


def set_comment(session: Session, line: Line, said: Setting) -> None:
    """Add a line to the comment and the house rules in the listing; ``nocomment`` clears it."""
    game = session.game
    if game is None:
        return
    old = game.conduct.comment
    if said.on and len(old) >= _MOST_COMMENT:
        session.refuse(
            line, f"a comment has {_MOST_COMMENT} lines at most; SET NOCOMMENT clears it"
        )
        return
    text = session.safe(" ".join(said.value)[:_LONGEST_COMMENT])
    comment = (*old, text) if said.on else ()
    changed = replace(game, conduct=replace(game.conduct, comment=comment))
    session.set_game(changed)
    told = f"The comment says: {text}" if said.on else "The comment is cleared."
    session.note("comment", told)
    session.done(told)
    announce(session, changed, "Comment", [told])


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
        session.refuse(line, f"write 1 to {_MOST_COMMENT} lines, and END behind them")
        return
    changed = replace(game, conduct=replace(game.conduct, comment=kept))
    session.set_game(changed)
    session.note("comment", f"the comment has {counted(len(kept), 'line')} now")
    session.done(f"The comment has {counted(len(kept), 'line')} now.")
    announce(session, changed, "Comment", ["The comment says:", *(f"  {text}" for text in kept)])


_MOST_COMMENT = 30
_LONGEST_COMMENT = 200
