"""Coming and going: registering, opening a seat, joining, watching, creating, resigning."""

import re
from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches
from zoneinfo import available_timezones

from machjudge.adjudicator.names import PowerId
from machjudge.language.commands import Create, Join, Observe, Resign, SignOff, SignOn
from machjudge.letters.words import Words, counted
from machjudge.reading import Line
from machjudge.service import registry
from machjudge.service.announce import announce
from machjudge.service.flags import find_flag
from machjudge.service.forming import Wanted, new_game, start, still_needed, take_seat
from machjudge.service.records import Game, Person, Role, Seat, Status
from machjudge.service.rulebook import BadOption, rules_for
from machjudge.service.situation import players, seat_of
from machjudge.service.talk import Talk

NO_NAME = "please register first: send REGISTER, then a line with Name: and your name, then END"
NOT_JOINED = "there is no game of that name that you can join; LIST shows the games"
LONGEST_GAME = 20
"""Signs of a game's name."""

_GAME_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,19}")


# --- registering -----------------------------------------------------------------------------


def register(talk: Talk, line: Line, fields: Sequence[Line]) -> None:
    """Write down or change who somebody is; *fields* are lines such as ``Name: Lucia``."""
    said = {key: (value, at) for at in fields for key, value in [_field(at)]}
    person = talk.person
    name = registry.clean_name(said["name"][0] if "name" in said else talk.mail.display_name)
    if not name and person is None:
        talk.refuse(line, "a registration needs your name, in a line such as Name: Lucia Neri")
        return
    if person is None:
        person = registry.new_person(talk.desk, talk.address, name, talk.now)
    elif "name" in said and name:
        person = replace(person, name=name)
    person = _with_zone(talk, person, said)
    talk.changes.persons[person.id] = person
    talk.done(f"You are registered as {person.name}, time zone {person.zone}.")


def _field(line: Line) -> tuple[str, str]:
    key, _, value = line.text.partition(":")
    return key.strip().lower().replace(" ", ""), value.strip()


def _with_zone(talk: Talk, person: Person, said: dict[str, tuple[str, Line]]) -> Person:
    for key in ("timezone", "zone"):
        if key in said:
            zone, line = said[key]
            found = find_zone(zone)
            if found is None:
                near = get_close_matches(zone, available_timezones(), n=1, cutoff=0.5)
                talk.refuse(line, f"there is no time zone {zone!r}", instead=_zone_line(near))
                continue
            person = replace(person, zone=found)
    return person


def _zone_line(near: Sequence[str]) -> str:
    return f"Timezone: {near[0] if near else 'Europe/Rome'}"


def find_zone(text: str) -> str | None:
    """A time zone by its IANA name, in any case of letters; nothing if there is none."""
    wanted = text.strip().replace(" ", "_").lower()
    return next((zone for zone in available_timezones() if zone.lower() == wanted), None)


# --- opening a seat --------------------------------------------------------------------------


def sign_on(talk: Talk, line: Line, said: SignOn) -> None:
    """Speak from a seat; an abandoned one is taken over by whoever signs on to it."""
    talk.secrets.add(said.password)
    letter = _letter_of(talk, said)
    game = talk.find_game(said.game)
    if letter == registry.OBSERVER:
        observe(talk, line, Observe(said.game, said.password))
        return
    seat = registry.open_seat(talk.desk, game, letter, said.password, talk.person)
    if game is not None and seat is not None:
        talk.enter(game, seat)
        return
    if game is not None and _take_over(talk, line, game, letter, said.password):
        return
    refuse_and_close(talk, line, registry.NOT_OPENED)


def _letter_of(talk: Talk, said: SignOn) -> str:
    """The letter of a seat that may have been named in full."""
    if len(said.seat) == 1:
        return said.seat.upper()
    game = talk.find_game(said.game)
    powers = talk.desk.scenario(game).powers.values() if game is not None else ()
    wanted = said.seat.lower()
    named = (p.id for p in powers if wanted in (p.name.lower(), p.adjective.lower()))
    return next(named, PowerId("MASTER" if wanted == "master" else ""))[:1]


def _take_over(talk: Talk, line: Line, game: Game, letter: str, password: str) -> bool:
    """Sit down at an abandoned seat; its new password is the one in the signon."""
    seat = seat_of(game, PowerId(letter))
    if seat is None or seat.person is not None or registry.password_flaw(password):
        return False
    person = talk.person_or_new()
    if person is None:
        refuse_and_close(talk, line, NO_NAME)
        return True
    hashed = talk.desk.passwords.hash(password)
    taken = replace(seat, person=person.id, address=person.addresses[0], password=hashed)
    talk.enter(game, taken)
    power = Words(talk.desk.world(game)).power(PowerId(letter))
    talk.done(f"You lead {power} now, with the password of your signon.")
    talk.note("joined", f"{person.name} took over {power}")
    told = [f"{person.name} has taken over {power}."]
    announce(talk, _now(talk, game), f"New Player Signon: {letter}", told)
    return True


def refuse_and_close(talk: Talk, line: Line, reason: str) -> None:
    """Refuse a line on which everything after it depends, and read no further."""
    talk.refuse(line, reason, note="The rest of the mail was not read")
    talk.is_closed = True


def sign_off(talk: Talk, _: Line, __: SignOff) -> None:
    """Read no further."""
    talk.is_closed = True


# --- joining and watching --------------------------------------------------------------------


def join(talk: Talk, line: Line, said: Join) -> None:
    """Take a seat in a game that forms, or open the seat that one has there; the last one starts.

    Options behind the password are not compared with the game's, as the judge tells them anyway.
    """
    talk.secrets.add(said.password)
    game = talk.find_game(said.game) if said.game else _next_public(talk)
    if game is None:
        refuse_and_close(talk, line, NOT_JOINED)
        return
    if _sits(talk, game):
        _open_own(talk, line, game, said.password)
    elif game.status is Status.FORMING:
        _sit_down(talk, line, game, said.password)
    else:
        refuse_and_close(talk, line, NOT_JOINED)


def _next_public(talk: Talk) -> Game | None:
    forming = [g for g in talk.uow.games.all() if g.status is Status.FORMING and g.conduct.listed]
    return min(forming, key=lambda game: game.created, default=None)


def _sits(talk: Talk, game: Game) -> bool:
    person = talk.person
    return person is not None and any(seat.person == person.id for seat in players(game))


def _open_own(talk: Talk, line: Line, game: Game, password: str) -> None:
    seat = registry.open_seat(talk.desk, game, registry.FORMING, password, talk.person)
    if seat is None:
        refuse_and_close(talk, line, registry.NOT_OPENED)
    else:
        talk.enter(game, seat)


def _sit_down(talk: Talk, line: Line, game: Game, password: str) -> None:
    person = _newcomer(talk, line, password)
    if person is None:
        return
    seat = take_seat(game, Role.PLAYER, person, talk.desk.passwords.hash(password))
    talk.enter(game, seat)
    joined = _now(talk, game)
    talk.note("joined", f"{person.name} joined")
    needed = still_needed(talk.desk.scenario(game), joined)
    talk.answer.verdict.append(f"You have joined the game {game.name}.")
    if needed:
        more = f"{counted(needed, 'more player')} needed."
        talk.answer.verdict += [more, "Say which powers you like: SET PREFERENCES LVP"]
        announce(talk, joined, "New Player", [f"{person.name} has joined. {more}"])
    else:
        talk.answer.verdict.append("You are the last one: the game starts.")


def start_if_full(talk: Talk) -> None:
    """Start the game when the last player has joined.

    At the end of his mail, so that the preferences in it still count.
    """
    game = talk.game
    if game is None or game.status is not Status.FORMING:
        return
    if not still_needed(talk.desk.scenario(game), game):
        changes, situation = start(talk.desk, game, talk.people(game), talk.now)
        talk.add(changes, situation)


def _newcomer(talk: Talk, line: Line, password: str) -> Person | None:
    """Whoever takes a new seat with a password of his own; nothing where something is wrong."""
    flaw = registry.password_flaw(password)
    if flaw is not None:
        refuse_and_close(talk, line, flaw)
        return None
    person = talk.person_or_new()
    if person is None:
        refuse_and_close(talk, line, NO_NAME)
    return person


def observe(talk: Talk, line: Line, said: Observe) -> None:
    """Watch a game from a seat of one's own; once there, open that seat."""
    talk.secrets.add(said.password)
    game = talk.find_game(said.game)
    seat = registry.open_seat(talk.desk, game, registry.OBSERVER, said.password, talk.person)
    if game is None:
        refuse_and_close(talk, line, registry.NOT_OPENED)
    elif seat is not None:
        talk.enter(game, seat)
    elif _watches(talk, game):
        refuse_and_close(talk, line, registry.NOT_OPENED)
    else:
        _begin_to_watch(talk, line, game, said.password)


def _watches(talk: Talk, game: Game) -> bool:
    person = talk.person
    return person is not None and any(
        seat.person == person.id and seat.role is Role.OBSERVER for seat in game.seats
    )


def _begin_to_watch(talk: Talk, line: Line, game: Game, password: str) -> None:
    person = _newcomer(talk, line, password)
    if person is None:
        return
    hashed = talk.desk.passwords.hash(password)
    talk.enter(game, take_seat(game, Role.OBSERVER, person, hashed))
    talk.note("joined", f"{person.name} watches")
    talk.done(f"You watch {game.name}; SIGNON O{game.name} opens your seat.")
    announce(talk, _now(talk, game), "New Player Signon: O", [f"{person.name} watches the game."])


# --- creating --------------------------------------------------------------------------------


def create(talk: Talk, line: Line, said: Create) -> None:
    """Make a game that others can join; its creator is its master."""
    talk.secrets.add(said.password)
    wanted = _wanted(talk, said)
    if isinstance(wanted, str):
        refuse_and_close(talk, line, wanted)
        return
    person = _newcomer(talk, line, said.password)
    if person is None:
        return
    hashed = talk.desk.passwords.hash(said.password)
    game = new_game(talk.desk, wanted, person, hashed, talk.now)
    talk.found(game, game.seats[0])
    talk.note("created", f"{person.name} created the game")
    needed = counted(still_needed(wanted.scenario, game), "player")
    talk.answer.verdict += [
        f"The game {game.name} is created, and you are its master.",
        f"Your seat: SIGNON M{game.name} and your password.",
        f"It starts when {needed} have joined with",
        f"  SIGNON ?{game.name} and a password of their own.",
        "You may join in the same way and play yourself.",
    ]


def _wanted(talk: Talk, said: Create) -> Wanted | str:
    """The game that is asked for, or why there cannot be such a game."""
    flaw = _name_flaw(talk, said.game)
    if flaw is not None:
        return flaw
    words = [word for word in said.wishes if word.lower() not in _LISTING]
    named = words[:1] if words and find_flag(words[0]) is None else []
    scenario_id = named[0] if named else _USUAL_SCENARIO
    scenario = talk.desk.atlas.scenario(scenario_id)
    if scenario is None:
        return f"there is no scenario {scenario_id!r}; {_scenarios(talk)}"
    rules = rules_for(scenario, words[len(named) :])
    if isinstance(rules, BadOption):
        return f"{rules.word!r}: {rules.why}"
    asked = [_LISTING[word.lower()] for word in said.wishes if word.lower() in _LISTING]
    return Wanted(said.game, scenario, rules, listed=all(asked))


_USUAL_SCENARIO = "1454"

_LISTING = {"private": False, "unlisted": False, "nolist": False, "public": True, "listed": True}
"""Words of a create that say whether the game is listed."""


def _scenarios(talk: Talk) -> str:
    return f"there are {', '.join(talk.desk.atlas.scenario_ids())}"


def _name_flaw(talk: Talk, name: str) -> str | None:
    if not _GAME_NAME.fullmatch(name):
        return f"a game's name has up to {LONGEST_GAME} letters and digits and begins with a letter"
    if talk.find_game(name) is not None:
        return f"there is a game {name} already; take another name"
    return None


# --- leaving ---------------------------------------------------------------------------------


def resign(talk: Talk, line: Line, _: Resign) -> None:
    """Give up a seat; a player's is open to others from now on."""
    game, seat = talk.game, talk.seat
    if game is None or seat is None:
        return
    if seat.role is Role.MASTER:
        talk.refuse(line, "a master cannot resign")
        return
    others = tuple(each for each in game.seats if each.number != seat.number)
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
    talk.set_seat(replace(seat, person=None, waits=False))
    told = [
        f"The player of {names} has resigned.",
        "The seat is open; whoever signs on to it takes it over:",
        f"  SIGNON {seat.powers[0]}{game.name} and a password of his own",
    ]
    announce(talk, _now(talk, game), f"Waiting for Replacements: {''.join(seat.powers)}", told)


def _now(talk: Talk, game: Game) -> Game:
    """The game with the changes of this mail."""
    return talk.game if talk.game is not None else game
