"""Who sits at a game, as far as its master decides: ejecting, promoting, inviting, beginning."""

from collections.abc import Sequence
from dataclasses import replace

from machjudge.language.commands import Eject, ForceBegin, Promote, Setting
from machjudge.letters.words import Words, counted, listed
from machjudge.reading import Line
from machjudge.service.announce import announce
from machjudge.service.audience import powers_meant
from machjudge.service.forming import still_needed
from machjudge.service.invitations import with_word
from machjudge.service.post import public_name
from machjudge.service.records import Game, PersonId, Role, Seat, Status
from machjudge.service.registry import next_number, with_seat
from machjudge.service.sharing import begin
from machjudge.service.situation import players, seat_of
from machjudge.service.talk import Talk


def eject(talk: Talk, line: Line, said: Eject) -> None:
    """Take a seat from whoever sits there; a player's is open to others from now on."""
    game = talk.game
    found = _seat_meant(talk, said.who)
    if game is None or isinstance(found, str):
        talk.refuse(line, str(found))
        return
    if game.status is Status.FINISHED:
        talk.refuse(line, "the game is over")
        return
    if found.person == game.master or found.number == talk.seat_number:
        talk.refuse(line, "neither the master nor oneself can be ejected")
        return
    name = _name(talk, game, found)
    told = [f"The master has taken the seat of {name} from whoever sat there."]
    if found.powers:
        told += [
            "It is open; whoever signs on to it takes it over:",
            f"  SIGNON {found.powers[0]}{game.name} and a password of his own",
        ]
        talk.set_seat(replace(found, person=None, waits=False, draw=None, concede=None))
    else:
        others = tuple(seat for seat in game.seats if seat.number != found.number)
        talk.set_game(replace(game, seats=others))
    talk.note("ejected", f"the seat of {name} was taken from its owner")
    talk.done(f"The seat of {name} is taken from its owner.")
    talk.done("SET DENY PLAYER and his address keep him from coming back.")
    # From the seats as they were, so that he reads it himself.
    own = [f"The master has taken your seat of {name} from you.", *_WHY]
    announce(talk, game, "Seat Taken", own, {found.address})
    rest = {seat.address for seat in game.seats} - {found.address}
    announce(talk, game, "Seat Taken", told, rest)


_WHY = (
    "Your password does not open it any more.",
    "Why, only the master knows: LIST tells who he is.",
)


def promote(talk: Talk, line: Line, said: Promote) -> None:
    """Let an observer run the game as well, or give it to a co-master; all keep passwords."""
    game = talk.game
    found = _seat_meant(talk, said.address)
    if game is None or isinstance(found, str):
        talk.refuse(line, str(found))
        return
    if found.role is Role.MASTER and found.person is not None:
        _hand_over(talk, game, found, found.person)
        return
    if found.role is not Role.OBSERVER:
        talk.refuse(line, "only an observer can become a co-master, and a co-master the master")
        return
    name = _name(talk, game, found)
    talk.set_seat(replace(found, role=Role.MASTER))
    talk.note("promoted", f"{name} became a co-master")
    talk.done(f"{name} is a co-master now, and signs on with M and his own password.")
    own = [
        "You are a co-master now. Your password stays:",
        f"  SIGNON M{game.name} and your password",
        "HELP tells under FOR THE MASTER what you may do.",
    ]
    others = {seat.address for seat in game.seats} - {found.address}
    announce(talk, talk.game or game, "Co-Master", own, {found.address})
    announce(talk, talk.game or game, "Co-Master", [f"{name} is a co-master now."], others)


def _hand_over(talk: Talk, game: Game, found: Seat, person: PersonId) -> None:
    """Give the game to a co-master; whoever gives it is one himself from then on."""
    name = _name(talk, game, found)
    changed = replace(game, master=person, heard=talk.received)
    talk.set_game(changed)
    talk.note("master", f"{name} was made the master")
    told = f"{name} is the master of the game now."
    talk.done(told)
    announce(talk, changed, "New Master", [told, "The old master is a co-master."])


def set_approved(talk: Talk, line: Line, said: Setting) -> None:
    """Approve whoever sits at a seat; ``not approve`` takes it from him."""
    for who in said.value:
        if not said.on:
            eject(talk, line, Eject(who))
            continue
        found = _seat_meant(talk, who)
        if talk.game is None or isinstance(found, str):
            talk.refuse(line, str(found))
        elif found.approved:
            talk.done(f"{_name(talk, talk.game, found)} is approved already.")
        else:
            talk.set_seat(replace(found, approved=True))
            name = _name(talk, talk.game, found)
            talk.note("approved", f"{name} was approved")
            talk.done(f"{name} is approved.")
            told = ["The master has approved you: your orders count."]
            announce(talk, talk.game, "Approved", told, {found.address})


def force_begin(talk: Talk, line: Line, _: ForceBegin) -> None:
    """Begin with the players that there are; the other seats are open to whoever signs on."""
    game = talk.game
    if game is None or game.status is not Status.FORMING:
        talk.refuse(line, "the game has begun already")
        return
    if not players(game):
        talk.refuse(line, "nobody has joined yet")
        return
    empty = still_needed(talk.desk.scenario(game), game)
    for _number in range(empty):
        game = with_seat(game, Seat(next_number(game), Role.PLAYER, None, "", ""))
    talk.set_game(game)
    with_ = counted(empty, "empty seat") if empty else "all seats taken"
    talk.note("begun", f"began with {with_}")
    if not begin(talk, game):
        talk.done("The game begins when the words of the players are in.")
        return
    seats = players(talk.game) if talk.game is not None else ()
    open_ = [power for seat in seats if seat.person is None for power in seat.powers]
    talk.done(f"The game begins. Open seats: {listed(open_) or 'none'}.")


def set_comment(talk: Talk, line: Line, said: Setting) -> None:
    """Add a line to the comment and the house rules in the listing; ``nocomment`` clears it."""
    game = talk.game
    if game is None:
        return
    old = game.conduct.comment
    if said.on and len(old) >= _MOST_COMMENT:
        talk.refuse(line, f"a comment has {_MOST_COMMENT} lines at most; SET NOCOMMENT clears it")
        return
    text = talk.safe(" ".join(said.value)[:_LONGEST_COMMENT])
    comment = (*old, text) if said.on else ()
    changed = replace(game, conduct=replace(game.conduct, comment=comment))
    talk.set_game(changed)
    told = f"The comment says: {text}" if said.on else "The comment is cleared."
    talk.note("comment", told)
    talk.done(told)
    announce(talk, changed, "Comment", [told])


def set_house_rules(talk: Talk, line: Line, lines: Sequence[str]) -> None:
    """Put several lines in place of the comment."""
    game = talk.game
    kept = tuple(talk.safe(text[:_LONGEST_COMMENT]) for text in lines if text)
    if game is None or not 0 < len(kept) <= _MOST_COMMENT:
        talk.refuse(line, f"write 1 to {_MOST_COMMENT} lines, and END behind them")
        return
    changed = replace(game, conduct=replace(game.conduct, comment=kept))
    talk.set_game(changed)
    talk.note("comment", f"the comment has {counted(len(kept), 'line')} now")
    talk.done(f"The comment has {counted(len(kept), 'line')} now.")
    announce(talk, changed, "Comment", ["The comment says:", *(f"  {text}" for text in kept)])


_MOST_COMMENT = 30
_LONGEST_COMMENT = 200


def set_allowed(talk: Talk, _: Line, said: Setting) -> None:
    """Invite an address; from the first invitation on, only the invited may join."""
    _set_list(talk, "allowed", said)


def set_denied(talk: Talk, _: Line, said: Setting) -> None:
    """Keep an address out of the game."""
    _set_list(talk, "denied", said)


def _set_list(talk: Talk, which: str, said: Setting) -> None:
    game = talk.game
    if game is None:
        return
    conduct = game.conduct
    old = conduct.allowed if which == "allowed" else conduct.denied
    word = said.value[0] if said.on else f"-{said.value[0]}"
    new = with_word(old, word)
    changed = replace(conduct, allowed=new) if which == "allowed" else replace(conduct, denied=new)
    talk.set_game(replace(game, conduct=changed))
    # The log is shown to the players in the end, and addresses are nobody's affair.
    talk.note(
        which, f"the list of those who are {which} has {counted(len(new), 'entry', 'entries')}"
    )
    talk.done(f"{which.capitalize()}: {listed(new) or 'nobody in particular'}.")


# --- who is meant ----------------------------------------------------------------------------


def _seat_meant(talk: Talk, who: str) -> Seat | str:
    """The seat of a power, or of somebody by his name or address; else why there is none."""
    game = talk.game
    if game is None:
        return "sign on first"
    if who.isdecimal():
        numbered = next((seat for seat in game.seats if str(seat.number) == who), None)
        return numbered if numbered is not None else f"there is no seat {who}"
    named = powers_meant(talk.desk.scenario(game), (who,))
    if not isinstance(named, str):
        seat = seat_of(game, named[0]) if len(named) == 1 else None
        if seat is not None:
            return seat if seat.person is not None else "nobody sits there"
    seats = _by_person(talk, game, who.lower())
    if len(seats) == 1:
        return seats[0]
    return f"several people here are called {who!r}" if seats else f"nobody here is {who!r}"


def _by_person(talk: Talk, game: Game, who: str) -> Sequence[Seat]:
    people = talk.people(game)
    return [
        seat
        for seat in game.seats
        if seat.person in people
        and seat.person != game.master
        and who in (people[seat.person].name.lower(), seat.address, *people[seat.person].addresses)
    ]


def _name(talk: Talk, game: Game, seat: Seat) -> str:
    """How a seat is called before everybody: by its powers, else by who sits there."""
    if seat.powers:
        words = Words(talk.desk.world(game))
        return listed(words.power(power) for power in seat.powers)
    person = talk.people(game).get(seat.person) if seat.person is not None else None
    return public_name(game, person) if person is not None else "somebody"
