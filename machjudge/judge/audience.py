"""Resolves words for the readers of a message, a seat or a person."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from machjudge.adjudicator.board import Power, Scenario
from machjudge.adjudicator.names import PowerId
from machjudge.judge.game_view import seat_of
from machjudge.judge.mail_context import MailContext
from machjudge.judge.outgoing import public_name
from machjudge.judge.people import MASTER, OBSERVER
from machjudge.judge.records import Game, Person, Readership, Role, Seat, is_same_name
from machjudge.language import ParseError, read_readers
from machjudge.language.command_parser import Reader, nearest_power
from machjudge.language.command_parser import ReaderRole as Side
from machjudge.language.commands import Audience
from machjudge.language.lexicon import lexicon_of
from machjudge.messages.render import EVERYBODY, UNNAMED, UNTOLD, Aim
from machjudge.messages.wording import Words
from machjudge.translatable import Message, MessageOrText, Name

_WORDS = {
    "master": MASTER,
    "gm": MASTER,
    "moderator": MASTER,
    "observer": OBSERVER,
    "observers": OBSERVER,
}
_SIDES = {each.value: each for each in Side}
_ALL = frozenset({"all", "everybody", "everyone"})
_FILLERS = frozenset({"and", "the", "to", ","})


@dataclass(frozen=True, slots=True)
class Meant:
    """The audience that words mean."""

    aim: Aim
    named: tuple[Reader, ...] = ()
    """In the order of the scenario, observers and master last."""
    all_but: bool = False
    seat: int | None = None
    """The number of the only seat that is meant; then nothing is named."""

    @property
    def is_unnamed(self) -> bool:
        """Only the judge knows who is meant."""
        return self.aim == UNNAMED

    @property
    def readers(self) -> Readership:
        """The same as stored."""
        return Readership(letters_of(self.named), self.all_but)

    @property
    def is_master(self) -> bool:
        """Only the master was named."""
        return not self.all_but and self.named == (Side.MASTER,)

    @property
    def names_master(self) -> bool:
        """The master was named as a reader."""
        return not self.all_but and Side.MASTER in self.named

    def seats(self, game: Game, sender: Seat) -> tuple[Seat, ...]:
        """Return the taken seats that are meant, without the sender's own.

        A seat that is not named counts even if it is abandoned, to hide which it is.
        """
        if self.seat is not None:
            only = (seat for seat in game.seats if seat.number == self.seat != sender.number)
            return tuple(seat for seat in only if seat.person is not None or self.is_unnamed)
        return tuple(
            seat
            for seat in game.seats
            if seat.number != sender.number
            and seat.person is not None
            and (self._names(seat) is not self.all_but)
        )

    def _names(self, seat: Seat) -> bool:
        match seat.role:
            case Role.PLAYER:
                return bool(set(seat.powers) & set(self.named))
            case Role.MASTER:
                return Side.MASTER in self.named
            case Role.OBSERVER:
                return Side.OBSERVERS in self.named


def meant_by(scenario: Scenario, audience: Audience) -> Meant | Message:
    """Return the audience of words, or why it is unclear."""
    names = _without_fillers(audience.names)
    if audience.all_but and not names:
        return Meant(EVERYBODY, all_but=True)
    if not audience.all_but and names and all(name.lower() in _ALL for name in names):
        return Meant(EVERYBODY, all_but=True)
    found = read_readers(names, lexicon_of(scenario))
    match found:
        case ParseError(found=text, candidates=some) if some:
            called, letters = zip(*((each.name, each.id) for each in some), strict=True)
            return Message("session.may_be", word=text, names=called, letters=letters)
        case ParseError(found=word):
            near = nearest_power(word, lexicon_of(scenario))
            return Message(
                "session.no_reader", word=word, near=near, powers=", ".join(scenario.in_play)
            )
        case tuple():
            return _meant(scenario, found, all_but=audience.all_but)


def no_power(scenario: Scenario, word: str) -> Message:
    """Return the error for an unknown power, with the nearest name."""
    near = nearest_power(word, lexicon_of(scenario))
    return Message("session.no_power", word=word, near=near)


def _meant(scenario: Scenario, found: Sequence[Reader], *, all_but: bool) -> Meant | Message:
    out = [each for each in found if not isinstance(each, Side) and each not in scenario.in_play]
    if out:
        return Message("session.power_not_played", power=scenario.powers[out[0]].name)
    order: tuple[Reader, ...] = (*scenario.in_play, Side.OBSERVERS, Side.MASTER)
    named = tuple(each for each in order if each in found)
    return Meant(aim_of(scenario, Readership(letters_of(named), all_but)), named, all_but)


def letters_of(readers: Iterable[Reader]) -> tuple[str, ...]:
    """Return the letters by which readers are known."""
    return tuple(each.value if isinstance(each, Side) else each for each in readers)


def aim_of(scenario: Scenario, readers: Readership) -> Aim:
    """Return a readership in words."""
    if not readers.named:
        return EVERYBODY if readers.all_but else UNTOLD
    names = tuple(_called_reader(scenario, each) for each in readers.named)
    words = Message("press.readers", names=names)
    return Aim(Message("press.all_but", names=words) if readers.all_but else words)


def _called_reader(scenario: Scenario, reader: str) -> MessageOrText:
    if reader in _SIDES:
        return Message(f"press.side.{_SIDES[reader].name.lower()}")
    power = scenario.powers.get(PowerId(reader))
    return Name(power.name if power else reader, scenario.board.names)


def powers_meant(scenario: Scenario, names: Sequence[str]) -> tuple[PowerId, ...] | str:
    """Return the powers of words in scenario order, or the word (or "") that names none."""
    found: set[str] = set()
    for word in _words(names):
        letters = _letters(scenario, word)
        if letters is None or not letters <= set(scenario.in_play):
            return word
        found.update(letters)
    return tuple(power for power in scenario.in_play if power in found) or ""


def _without_fillers(words: Sequence[str]) -> list[str]:
    """The names among words; ``the game master`` is one."""
    plain = [word.lower() for word in words]
    is_master = plain[-2:] == ["game", "master"]
    named = [*words[:-2], words[-1]] if is_master else words
    return [word for word in named if word.lower() not in _FILLERS]


def _words(names: Sequence[str]) -> list[str]:
    words = [word for name in names for word in name.replace(",", " ").split()]
    return _without_fillers(words)


def _letters(scenario: Scenario, word: str) -> frozenset[str] | None:
    """The letters of the seats that a word means; nothing if it means none.

    An exact name comes first, then joined letters, then the beginning of a name; in lower case the
    beginning of a name comes before joined letters.
    """
    plain = word.lower()
    if plain in _WORDS:
        return frozenset({_WORDS[plain]})
    exact = [p.id for p in scenario.powers.values() if plain in _called(p)]
    if exact:
        return frozenset(exact)
    glued = frozenset(word.upper())
    if not glued <= {*scenario.in_play, MASTER, OBSERVER} or len(glued) < len(word):
        glued = frozenset()
    begun = lexicon_of(scenario).power(word)
    named = frozenset({begun}) if isinstance(begun, str) else frozenset()
    return (glued or named or None) if word.isupper() else (named or glued or None)


def _called(power: Power) -> set[str]:
    return {name.lower() for name in (power.name, power.adjective, *power.aliases)}


def seat_meant(context: MailContext, game: Game, who: str) -> Seat | Message:
    """Return a seat with a holder, or with one who may come back; else why there is none."""
    if who.isdecimal():
        numbered = next((seat for seat in game.seats if str(seat.number) == who), None)
        return _held(numbered) if numbered else Message("session.no_seat", number=who)
    named = powers_meant(context.services.scenario(game), (who,))
    if not isinstance(named, str):
        seat = seat_of(game, named[0]) if len(named) == 1 else None
        if seat is not None:
            return _held(seat)
    return _seat_by_person(context, game, who)


_HELD = re.compile(r"(.+?)\s*\((.+)\)")
"""A seat with its holder's name: ``Florence (Anna)``."""


def held_seat(context: MailContext, game: Game, text: str) -> Seat | Message:
    """Return the seat meant; if a name stands beside it, only while that person holds it."""
    found, held = seat_meant(context, game, text), _HELD.fullmatch(text)
    if held is None or isinstance(found, Seat):
        return found
    found = seat_meant(context, game, held[1])
    if isinstance(found, Seat) and not is_same_name(holder_name(context, found), held[2]):
        name = seat_name(context, game, found)
        return Message("seats.eject.other_holder", seat=name, name=held[2])
    return found


def holder_name(context: MailContext, seat: Seat) -> str:
    """Return the name of a seat's holder, or of one who may come back."""
    person = context.uow.persons.get(seat.holder) if seat.holder is not None else None
    return person.name if person is not None else ""


def _held(seat: Seat) -> Seat | Message:
    is_free = seat.person is None and seat.former is None
    return Message("session.nobody_sits_there") if is_free else seat


def _seat_by_person(context: MailContext, game: Game, who: str) -> Seat | Message:
    """The first seat of the only person at the game with that name."""
    people = context.people(game)
    found = [
        seat
        for seat in game.seats
        if seat.person in people
        and seat.person != game.master
        and (_is_called(people[seat.person], who) or seat.address == who.lower())
    ]
    if len({seat.person for seat in found}) > 1:
        return Message("session.several_here", name=who)
    if found:
        return found[0]
    return Message("session.nobody_here", name=who, near=_nearest(context, game, who))


def _nearest(context: MailContext, game: Game, who: str) -> str | None:
    """The most similar power, or person at the game; for masters only, who know the people."""
    power = nearest_power(who, lexicon_of(context.services.scenario(game)))
    if power is not None:
        return power
    sitting = (person for person in context.people(game).values() if person.id != game.master)
    names = {name.lower(): name for each in sitting for name in (each.name, *each.addresses)}
    near = get_close_matches(who.lower(), names, n=1, cutoff=0.75)
    return names[near[0]] if near else None


def person_meant(context: MailContext, who: str) -> Person | Message:
    """Return a registered person, by name, address, or power or seat here; else the error."""
    found = _registered(context, who)
    if len(found) > 1:
        return Message("session.several_people", name=who)
    if found:
        return found[0]
    seat = seat_meant(context, context.game, who) if context.game is not None else None
    sitting = seat.holder if isinstance(seat, Seat) else None
    person = context.uow.persons.get(sitting) if sitting is not None else None
    return person if person is not None else Message("session.not_registered", name=who)


def _registered(context: MailContext, who: str) -> Sequence[Person]:
    if "@" in who:
        person = context.uow.persons.by_address(who)
        return [person] if person is not None else []
    return context.uow.persons.by_name(who)


def _is_called(person: Person, who: str) -> bool:
    return is_same_name(person.name, who) or who.lower() in person.addresses


def seat_name(context: MailContext, game: Game, seat: Seat) -> MessageOrText:
    """Return the public name of a seat: its powers, else its holder."""
    if seat.powers:
        words = Words(context.services.world(game))
        return Message("session.powers", names=tuple(map(words.power, seat.powers)))
    person = context.people(game).get(seat.person) if seat.person is not None else None
    return public_name(game, person) if person is not None else Message("session.somebody")
