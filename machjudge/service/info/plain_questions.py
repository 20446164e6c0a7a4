"""Questions in plain words, answered shortly with what the seat that asks may know.

Any other question comes back as a message to the master that is ready to be sent.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from machjudge.adjudicator.model.moments import Stage
from machjudge.adjudicator.model.names import PlaceId, PowerId
from machjudge.language.vocabulary.wishes import Topic, deed_of, topic_of
from machjudge.language.vocabulary.words import cut, fold
from machjudge.letters.page.reply import Text
from machjudge.letters.receipt.todo import asked, ways_of
from machjudge.letters.wording.words import Words
from machjudge.reading import Line
from machjudge.sentence import Sentence, Wording
from machjudge.service.game.completeness import progress
from machjudge.service.game.delays import holdup_lines
from machjudge.service.game.view import GameView, SeenGame, reader_of, zone_of
from machjudge.service.info.listings import master_lines
from machjudge.service.info.questions import sight_at
from machjudge.service.model.records import Role
from machjudge.service.session.outgoing import as_led
from machjudge.service.session.session import Session
from machjudge.service.setup.forming import player_lines

_MOST_ANSWERED = 8
"""Of a mail with more questions the first ones are answered."""
_LONGEST_CODE = 3
"""A shorter word is a place only where it is the code of one."""


def answer_questions(session: Session, lines: Sequence[Line]) -> None:
    """Answer the questions of a mail, when everything that it orders is on file."""
    told: list[Wording] = []
    for line in lines[:_MOST_ANSWERED]:
        found = [*_answers(session, line.text)] or [*_for_master(session, line.text)]
        told += [Sentence("info.asked.question", text=session.safe(line.text)), *found, ""]
    if told:
        session.answer.texts.append(Text(Sentence("info.asked.title"), tuple(told[:-1])))


def _for_master(session: Session, text: str) -> Iterator[Wording]:
    """A question to the master, as its asker can send it on."""
    if session.seat is not None and session.seat.role is Role.MASTER:
        yield Sentence("info.asked.help")
        return
    yield Sentence("info.asked.ask_master")
    for line in ("PRESS TO M", session.safe(text), "ENDPRESS"):
        yield Sentence("info.asked.line", text=line)


def _answers(session: Session, text: str) -> Iterator[Wording]:
    """What the judge knows about a question; nothing if that is for a person to say."""
    topic, situation = topic_of(text), session.situation()
    if topic is None:
        return
    if situation is None or session.is_claim:
        yield session.why_not_played()
        return
    yield from _ANSWERS[topic](session, situation, text)


def _due(session: Session, situation: GameView, _: str) -> Iterator[Wording]:
    """Which phase is played, until when."""
    clock, reader = situation.clock, reader_of(session.services, session.person, session.now)
    yield Sentence(
        "info.asked.due",
        phase=Words(situation.world).moment(situation.state.moment),
        deadline=clock.deadline,
        zone=reader.zone,
        left=clock.deadline - session.now,
        is_over=session.now >= clock.deadline,
        stands=clock.paused is not None or clock.ends is not None,
    )


def _changes(session: Session, situation: GameView, text: str) -> Iterator[Wording]:
    """Until when other orders take the place of those on file."""
    yield Sentence(
        "info.asked.change",
        is_over=situation.is_overdue(session.now),
        has_ended=situation.clock.ends is not None,
    )
    yield from _due(session, situation, text)


def _late(session: Session, situation: GameView, _: str) -> Iterator[Wording]:
    """Who and what holds the phase up."""
    sight, zone = sight_at(session, situation.game), zone_of(session.services, session.person)
    yield from holdup_lines(situation, Words(situation.world), session.now, zone, sight)


def _received(session: Session, situation: GameView, _: str) -> Iterator[Wording]:
    """How the orders of the seat stand; they are shown in the same message."""
    powers = session.seat.powers if session.seat is not None else ()
    for power in powers:
        sheet = situation.sheets.get(power)
        yield Sentence(
            "info.asked.received",
            power=Words(situation.world).power(power),
            n=len(sheet.lines) if sheet is not None else 0,
        )
        yield from progress(situation, power)


def _players(session: Session, situation: GameView, text: str) -> Iterator[Wording]:
    """Who leads the powers that are named, or all; nobody's name where the game hides them."""
    words, lexicon = Words(situation.world), session.lexicon(situation.game)
    named = {
        power
        for word in cut(fold(text))
        if len(word) > 1 and isinstance(power := lexicon.power(word), str)
    }
    in_play = situation.world.scenario.in_play
    lines = player_lines(words, situation, sight_at(session, situation.game))
    for power, line in zip(in_play, lines, strict=True):
        if power in named or not named.intersection(in_play):
            yield line


def _master(session: Session, situation: GameView, _: str) -> Iterator[Wording]:
    """Who keeps the game, as its listing says it to everybody."""
    yield from master_lines(situation.people.get(situation.game.master))


def _led(session: Session, situation: GameView) -> tuple[SeenGame, PowerId] | None:
    """The game as the asker sees it who leads a power."""
    power = session.power
    return (as_led(situation, power), power) if power is not None else None


def _money(session: Session, situation: GameView, _: str) -> Iterator[Wording]:
    """What is in the asker's own treasury."""
    led = _led(session, situation)
    if led is None or not situation.world.rules.game.money:
        yield Sentence("info.asked.no_money")
        return
    seen, power = led
    ducats = seen.state.treasuries.get(power, 0)
    yield Sentence("todo.treasury", power=seen.words.power(power), ducats=ducats)


def _reach(session: Session, situation: GameView, text: str) -> Iterator[Wording]:
    """The places to which units can go that are named, as far as the asker sees them."""
    led = _led(session, situation)
    if led is None:
        return
    seen, power = led
    places = _places(seen, text)
    units = [unit for unit in seen.state.units() if unit.place in places]
    if not units and not places:
        units = list(seen.state.units_of(power))
    for unit in units:
        ways = ways_of(seen.words, unit)
        yield ways or Sentence("info.asked.stays", unit=seen.words.unit(unit))
    if not units:
        yield Sentence("info.asked.no_unit", places=tuple(map(seen.words.place, sorted(places))))
    else:
        yield Sentence(f"info.asked.may.{seen.state.moment.stage.name.lower()}")


def _places(seen: SeenGame, text: str) -> frozenset[PlaceId]:
    """The places that a question names, and no word of it that only begins like one."""
    plain, lexicon = cut(fold(text)), seen.lexicon
    names = (" ".join(plain[at : at + n]) for at in range(len(plain)) for n in (1, 2, 3))
    found = (lexicon.place(n) for n in names if n in lexicon.exact or len(n) > _LONGEST_CODE)
    return frozenset(each for each in found if isinstance(each, str))


def _how(session: Session, situation: GameView, text: str) -> Iterator[Wording]:
    """With which line something is done; in an adjustment also what can be built."""
    deed = deed_of(text)
    if not deed:
        return
    yield Sentence(f"info.how.{deed}")
    led = _led(session, situation)
    if deed == "build" and led is not None and situation.state.moment.stage is Stage.ADJUSTMENT:
        seen, power = led
        for choice in asked(seen.words, seen.state, power).choices:
            yield from choice.lines


_ANSWERS: Mapping[Topic, Callable[[Session, GameView, str], Iterator[Wording]]] = {
    Topic.DEADLINE: _due,
    Topic.PHASE: _due,
    Topic.CHANGE: _changes,
    Topic.RECEIVED: _received,
    Topic.LATE: _late,
    Topic.MASTER: _master,
    Topic.PLAYERS: _players,
    Topic.MONEY: _money,
    Topic.REACH: _reach,
    Topic.HOW: _how,
}
