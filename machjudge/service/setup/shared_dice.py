"""Dice that the players share: a random word of each is asked for, taken and published.

The words are asked for with the commitment to the secret, so that whoever knows the secret cannot
choose it by them; they are published, and that is committed, before the first die is thrown.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from machjudge.adjudicator.model.options import with_option
from machjudge.language.commands.commands import PlainCommand, Setting
from machjudge.letters.page.rulesheet import commitment_lines
from machjudge.reading import Line
from machjudge.sentence import Sentence
from machjudge.service.credentials.authority import Act
from machjudge.service.game.view import players, zone_of
from machjudge.service.model.records import (
    Game,
    Notice,
    Person,
    PersonId,
    RandomWord,
    SharedDice,
    Status,
)
from machjudge.service.ports.changes import Changes
from machjudge.service.ports.mails import Outgoing
from machjudge.service.ports.services import Services
from machjudge.service.session.command import COMING, PLAYERS, CommandEntry
from machjudge.service.session.outgoing import addressees, head_of, letter
from machjudge.service.session.session import Session
from machjudge.service.setup import ruling
from machjudge.service.setup.forming import start, still_needed

TIME_FOR_WORDS = timedelta(days=3)
"""From the moment when all seats are taken to the opening deadline."""

LONGEST_WORD = 40
"""Signs of a word, spaces between its parts included."""

People = Mapping[PersonId, Person]


# --- the setting -----------------------------------------------------------------------------


def set_dice(session: Session, line: Line, said: Setting) -> None:
    """Switch the dice on or off, or have all players share them: ``set dice shared``."""
    game = session.game
    if game is None:
        return
    words = tuple(word.lower() for word in said.value)
    if words and (words != ("shared",) or not said.on):
        session.refuse(line, Sentence("setup.dice.known"), instead="SET DICE SHARED")
    elif words:
        _share(session, line, game)
    elif game.status is Status.FORMING and game.shared is not None:
        _stop_sharing(session, line, game, said)
    else:
        ruling.set_flag(session, line, said)


SET_DICE = ruling.rule_entry("dice", set_dice)


def _share(session: Session, line: Line, game: Game) -> None:
    if game.status is not Status.FORMING:
        session.refuse(line, Sentence("setup.dice.from_beginning"))
    elif game.shared is not None:
        session.done(Sentence("setup.dice.shared_already"))
    else:
        rules = with_option(game.rules, "dice", value=True)
        changed = replace(game, rules=rules, shared=SharedDice())
        ruling.accept(session, changed, Sentence("setup.dice.shared", on=True))


def _stop_sharing(session: Session, line: Line, game: Game, said: Setting) -> None:
    """Whoever knows the words must not undo them."""
    if game.shared is not None and game.shared.until is not None:
        session.refuse(line, Sentence("setup.words.asked_already"))
        return
    changed = replace(game, shared=None)
    if said.on:
        ruling.accept(session, changed, Sentence("setup.dice.shared", on=False))
    else:
        session.set_game(changed)
        ruling.set_flag(session, line, said)


# --- words -----------------------------------------------------------------------------------


def give_word(session: Session, line: Line, said: PlainCommand) -> None:
    """Keep a player's random word; a later one takes the place of their earlier one."""
    game, seat = session.game, session.seat
    if game is None or seat is None:
        return
    flaw = _flaw(session, game, said.text)
    if flaw is not None or game.shared is None:
        session.refuse(line, flaw or Sentence("setup.words.not_shared"))
        return
    others = tuple(word for word in game.shared.words if word.seat != seat.number)
    words = (*others, RandomWord(seat.number, said.text))
    session.set_game(replace(game, shared=replace(game.shared, words=words)))
    zone = zone_of(session.services, session.person)
    session.done(Sentence("setup.words.kept", word=said.text, until=game.shared.until, zone=zone))


RANDOM = CommandEntry(
    "random",
    COMING,
    PLAYERS,
    Act.ENTER,
    give_word,
)


def _flaw(session: Session, game: Game, word: str) -> Sentence | None:
    """Why no word is taken now, or not this one."""
    shared = game.shared
    if shared is None:
        return Sentence("setup.words.not_shared")
    if shared.until is None:
        return Sentence("setup.words.later")
    if shared.published or session.received >= shared.until:
        return Sentence("setup.words.over")
    if len(word) > LONGEST_WORD or not word.isprintable():
        return Sentence("setup.words.too_long", most=LONGEST_WORD)
    if session.safe(word) != word:
        return Sentence("setup.words.is_password")
    return None


# --- the opening -----------------------------------------------------------------------------


def begin(session: Session, game: Game) -> bool:
    """Start a game whose seats are taken, or ask for words first; whether it has started."""
    if game.shared is None:
        changes, situation = start(session.services, game, session.people(game), session.now)
        session.add(changes, situation)
        return True
    if game.shared.until is None:
        asked = replace(game, shared=SharedDice(until=_deadline(session.now)))
        session.set_game(asked)
        session.note("words", Sentence("setup.words.asked"))
        session.letters += _letters(
            session.services, "words_wanted", asked, session.people(asked), session.now
        )
    return False


def _deadline(now: datetime) -> datetime:
    """A full hour."""
    until = now + TIME_FOR_WORDS
    hour = until.replace(minute=0, second=0, microsecond=0)
    return hour if hour == until else hour + timedelta(hours=1)


def asked_until(game: Game) -> datetime | None:
    """Until when a game waits for the words of its players; None if it does not."""
    if game.status is not Status.FORMING or game.shared is None:
        return None
    return game.shared.until


def is_asking(game: Game) -> bool:
    """Whether a game waits for the words of its players."""
    return asked_until(game) is not None


def due(services: Services, game: Game, people: People, now: datetime) -> Changes | None:
    """What is to be done with such a game: words published, then the game started; or nothing."""
    shared = game.shared
    if shared is None or shared.until is None:
        return None
    if still_needed(services.scenario(game), game) and not shared.published:
        return _wait_for_players(services, game, now)
    if shared.published:
        changes, _ = start(services, game, people, now)
        changes.read = game
        return changes
    return _published(services, game, people, now) if _are_closed(game, shared, now) else None


def _are_closed(game: Game, shared: SharedDice, now: datetime) -> bool:
    """At the deadline, or as soon as every player has mailed their word."""
    asked = {seat.number for seat in players(game) if seat.person is not None}
    over = shared.until is not None and now >= shared.until
    return over or asked <= {word.seat for word in shared.words}


def _wait_for_players(services: Services, game: Game, now: datetime) -> Changes:
    """Somebody has left: words are asked for anew when their seat is taken."""
    told = services.paper.say(Sentence("setup.words.forgotten"))
    notice = Notice(game.id, now, None, "words", told)
    return Changes(read=game, game=replace(game, shared=SharedDice()), notices=[notice])


def _published(services: Services, game: Game, people: People, now: datetime) -> Changes:
    seats = {seat.number for seat in players(game)}
    words = tuple(word for word in game.shared.words if word.seat in seats) if game.shared else ()
    until = game.shared.until if game.shared is not None else None
    closed = replace(game, shared=SharedDice(words, until, published=True))
    told = services.paper.say(Sentence("setup.words.published", n=len(words)))
    notice = Notice(game.id, now, None, "words", told)
    letters = _letters(services, "words", closed, people, now)
    return Changes(read=game, game=closed, notices=[notice], letters=letters)


def word_lines(game: Game) -> tuple[str, ...]:
    """The words in the order of their receipt, numbered; not who mailed which."""
    words = game.shared.words if game.shared is not None else ()
    return tuple(f"{number:>3}  {word.text}" for number, word in enumerate(words, start=1))


def _letters(
    services: Services, page: str, game: Game, people: People, now: datetime
) -> list[Outgoing]:
    facts = {
        "head": head_of(services, game),
        "until": game.shared.until if game.shared is not None else None,
        "commitment": commitment_lines(game.secret),
        "words": word_lines(game),
    }
    return [
        letter(game, to.address, services.paper.page(page, {**facts, "reader": to.reader}))
        for to in addressees(services, game, people, now)
    ]
