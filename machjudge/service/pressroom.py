"""Messages between the people of a game: to all, or to some."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from machjudge.letters.page import clean_body
from machjudge.letters.words import Words, listed
from machjudge.reading import BLOT, blot_line
from machjudge.service.post import addressees, head_of, letter
from machjudge.service.records import Game, PressItem, Role, Seat
from machjudge.service.registry import MASTER, OBSERVER
from machjudge.service.talk import Talk

ALL = "everybody"
_LONGEST = 20_000
"""Signs of a message; what is longer is not sent."""

_OPENING = re.compile(
    r"(?<!\w)(?:(?P<seat>sign[\s-]?on|log[\s-]?in|hello)|observe|watch|create)\s+(?P<game>\S+)\s",
    re.IGNORECASE,
)
_AROUND = ".,:;!()[]<>\"'*_"


@dataclass(frozen=True, slots=True)
class Message:
    """A message that somebody wants to send; *readers* is empty for everybody."""

    sender: Seat
    readers: tuple[Seat, ...]
    text: str

    @property
    def is_partial(self) -> bool:
        """Whether it goes to some only."""
        return bool(self.readers)


def send(talk: Talk, game: Game, message: Message) -> str | None:
    """Send a message and keep it; why not, where it cannot be sent."""
    text = clean_body(message.text).strip("\n")
    if not text.strip():
        return "the message is empty and was not sent"
    if len(text) > _LONGEST:
        return f"the message is longer than {_LONGEST} signs and was not sent"
    seats = [seat.number for seat in message.readers]
    talk.changes.press.append(
        PressItem(game.id, talk.now, game.position, message.sender.number, tuple(seats), text)
    )
    _letters(talk, game, message, text)
    names = [name_of(talk, game, seat) for seat in message.readers] or [ALL]
    talk.done(f"Your press went to {listed(names)}:")
    talk.answer.done += [f"  {line}" for line in text.split("\n")]
    return None


def without_secrets(talk: Talk, line: str) -> str:
    """A line of a message without what would open a seat; everything else stays as it is.

    That is what stands behind a signon for a game that there is, and the writer's password as a
    word: who greets Milan with "hello" gives nothing away.
    """
    for opening in _OPENING.finditer(line):
        if _is_opening(talk, opening):
            line = line[: opening.start()] + blot_line(line[opening.start() :])
            break
    for secret in sorted(talk.secrets, key=len, reverse=True):
        line = re.sub(rf"(?<!\w){re.escape(secret)}(?!\w)", BLOT, line, flags=re.IGNORECASE)
    return line


def _is_opening(talk: Talk, opening: "re.Match[str]") -> bool:
    name = opening["game"].strip(_AROUND)
    if name.startswith("?"):
        return True
    names = (name[1:], name.partition("@")[2]) if opening["seat"] else (name,)
    return any(talk.find_game(each) is not None for each in names if each)


def _letters(talk: Talk, game: Game, message: Message, text: str) -> None:
    situation = talk.situation()
    facts = {
        "head": head_of(
            talk.desk, game, situation.state.moment.code if situation is not None else ""
        ),
        "partial": message.is_partial,
        "sender": name_of(talk, game, message.sender),
        "sender_tag": tag_of(talk, game, message.sender),
        "readers": [name_of(talk, game, seat) for seat in message.readers] or [ALL],
        "readers_tag": "".join(tag_of(talk, game, seat) for seat in message.readers),
        "text": text,
        "answer_to": tag_of(talk, game, message.sender),
    }
    wanted = {seat.number for seat in message.readers}
    for to in addressees(talk.desk, game, talk.people(game), talk.now):
        numbers = {seat.number for seat in to.seats}
        if message.sender.number in numbers or (wanted and not wanted & numbers):
            continue
        page = talk.desk.paper.page("press", {**facts, "reader": to.reader})
        talk.send(letter(game, to.address, page))


def name_of(talk: Talk, game: Game, seat: Seat) -> str:
    """By what name a seat writes: its power, ``Master``, or the name of a person."""
    if seat.powers:
        words = Words(talk.desk.world(game))
        return listed(words.power(power) for power in seat.powers)
    if seat.role is Role.MASTER:
        return "the master"
    person = talk.uow.persons.get(seat.person) if seat.person is not None else None
    return person.name if person is not None else seat.role.value


def tag_of(talk: Talk, game: Game, seat: Seat) -> str:
    """The short form for subjects: the letters of the powers, M, O, or a name."""
    if seat.powers:
        return "".join(seat.powers)
    return {Role.MASTER: MASTER, Role.OBSERVER: OBSERVER}.get(seat.role) or name_of(
        talk, game, seat
    )


def seats_of(game: Game, letters: Sequence[str]) -> tuple[Seat, ...]:
    """The seats behind power letters, M for the master and O for all observers."""
    return tuple(
        seat
        for seat in game.seats
        if seat.person is not None
        and (
            set(seat.powers) & set(letters)
            or (seat.role is Role.MASTER and MASTER in letters)
            or (seat.role is Role.OBSERVER and OBSERVER in letters)
        )
    )
