"""Who sits at a game, as far as its master decides: ejecting, promoting, inviting, beginning."""

from collections.abc import Sequence
from dataclasses import replace

from machjudge.language.commands.commands import PlainCommand, Setting
from machjudge.reading import Line
from machjudge.sentence import Sentence
from machjudge.service.credentials.authority import Act
from machjudge.service.game.registry import next_number, with_seat
from machjudge.service.game.view import players
from machjudge.service.model.records import (
    Game,
    Person,
    PersonId,
    Role,
    Seat,
    Status,
    is_same_name,
)
from machjudge.service.seats.takeover import abandoned, is_out, open_seat_lines
from machjudge.service.session.command import (
    FIRST_MASTER,
    MASTERS,
    RUNNING,
    CommandEntry,
    once_begun,
)
from machjudge.service.session.outgoing import announce
from machjudge.service.session.people_meant import held_seat, holder_name, seat_meant, seat_name
from machjudge.service.session.session import Session
from machjudge.service.setup.forming import still_needed
from machjudge.service.setup.guestlist import shut_out
from machjudge.service.setup.shared_dice import begin


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
