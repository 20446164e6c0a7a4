"""Which seat a signon means, and what it may have meant where it opens none.

Hints are made from what was typed and from the games that everybody can list, and from nothing
else: an unlisted game looks like one that does not exist.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches

from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.scenario import Scenario
from machjudge.language.commands.commands import (
    Diary,
    Join,
    NotACommand,
    NoteAction,
    PlainCommand,
    PostalPress,
    Press,
    Set,
    SignOn,
)
from machjudge.language.commands.signon import name_in
from machjudge.language.vocabulary.lexicon import lexicon_of
from machjudge.language.vocabulary.said import Problem
from machjudge.sentence import Sentence
from machjudge.service.game.registry import FORMING, MASTER, OBSERVER
from machjudge.service.game.view import load, open_powers
from machjudge.service.model.records import Game, GameId, Status
from machjudge.service.ports.interfaces import UnitOfWork
from machjudge.service.ports.services import Services
from machjudge.service.session.incoming import SaidLines
from machjudge.service.session.session import Session

ScenarioOf = Callable[[str], Scenario | None]
"""The scenario of the game of a name; None if there is no such game."""

_ROLES = {
    "master": MASTER,
    "gm": MASTER,
    "moderator": MASTER,
    "observer": OBSERVER,
    "watcher": OBSERVER,
}
_LONGEST_GAME = 20
_LONGEST_WORD = 40
_LEAST_NAME = 3
_LIKE = 0.75
_MOST_NAMED = 8


@dataclass(frozen=True, slots=True)
class Hint:
    """What helps whoever wrote a line that opened nothing."""

    reason: Sentence | None = None
    """What stands behind the refusal."""
    instead: Sentence | None = None
    """The line that may have been meant."""


# --- what is meant ---------------------------------------------------------------------------


def seat_letter(scenario: Scenario, seat: str) -> str:
    """The letter of a seat that may have been named in full; empty if there is no such seat."""
    if len(seat) == 1:
        return seat.upper()
    found = lexicon_of(scenario).power(seat.lower())
    return _ROLES.get(seat.lower()) or (found if isinstance(found, str) else "")


def meant(said: SignOn, scenario_of: ScenarioOf) -> SignOn:
    """The first reading of a signon whose game exists and has such a seat; else the likeliest."""
    for reading in _readings(said):
        scenario = scenario_of(reading.game)
        if scenario is not None and seat_letter(scenario, reading.seat):
            return reading
    return said


def scenario_named(services: Services, uow: UnitOfWork, name: str) -> Scenario | None:
    """The scenario of the game of a name; None if there is no such game."""
    game = uow.games.get(GameId(name.lower()))
    return services.scenario(game) if game is not None else None


def named_game(said: Join, is_game: Callable[[str], bool]) -> Join:
    """``? borgia tulip9``: the game, where one is called so, and then the password."""
    if said.game or not said.wishes or not is_game(name_in(said.password)):
        return said
    password, *wishes = said.wishes
    return Join(name_in(said.password), password, tuple(wishes))


def _readings(said: SignOn) -> Iterator[SignOn]:
    """All that a signon may mean, with a power's name joined to the game last."""
    yield said
    yield from said.others
    word = said.seat + said.game
    if len(said.seat) == 1 and len(word) <= _LONGEST_WORD:
        for end in range(max(_LEAST_NAME, len(word) - _LONGEST_GAME), len(word)):
            yield SignOn(word[:end], word[end:], said.password, said.rest)


def rest_of_line(lines: SaidLines, said: SignOn | Join) -> str:
    """What is read as a line of its own behind a password; of a newcomer's words only a command."""
    if isinstance(said, SignOn):
        return said.rest
    text = " ".join(said.wishes)
    command = lines.command_in(text)
    return "" if isinstance(command, NotACommand | Problem) else text


def begins_text(lines: SaidLines, line: str) -> bool:
    """Whether the lines below belong to a line, so that it cannot stand behind a password."""
    match lines.command_in(line):
        case (
            PlainCommand(name="register")
            | Press()
            | PostalPress(act=NoteAction.RECORD)
            | Diary(act=NoteAction.RECORD)
        ):
            return True
        case Set(settings=settings):
            return any(each.value[:1] and each.key == "comment" for each in settings)
        case _:
            return False


# --- what helps ------------------------------------------------------------------------------


def hint_for_seat(session: Session, said: SignOn) -> Hint:
    """What a signon may have meant that opened no seat."""
    games = _public(session)
    game = games.get(said.game.lower())
    if game is not None:
        return _of_public_game(session, game, said)
    whole = games.get((said.seat + said.game).lower())
    if whole is not None:
        letter = "?" if whole.status is Status.FORMING else "L"
        return Hint(Sentence("identity.signon.letter_first"), _signon(letter, whole))
    near = _nearest(said.game, games)
    return Hint(instead=_signon(said.seat, near)) if near is not None else Hint()


def _of_public_game(session: Session, game: Game, said: SignOn) -> Hint:
    letter = seat_letter(session.services.scenario(game), said.seat)
    if letter == OBSERVER:
        return Hint(Sentence("identity.signon.observe"), _observe(game))
    if game.position is not None:
        lead = load(session.services, session.uow, game).leads(PowerId(letter))
        has_units = Sentence("identity.signon.has_units", lead=lead, power=letter)
        return Hint(has_units, _signon(lead, game)) if lead != letter else Hint()
    if game.status is not Status.FORMING or letter == MASTER:
        return Hint()
    return Hint(Sentence("identity.signon.not_begun", game=game.name), _signon(FORMING, game))


def hint_for_newcomer(session: Session, name: str) -> Hint:
    """What somebody may have meant who wants to join a game that they cannot join."""
    games = _public(session)
    game = games.get(name.lower())
    if game is not None:
        empty = open_powers(session.services, session.uow, game)
        reason = Sentence("identity.signon.has_begun", game=game.name, empty=empty)
        return Hint(reason, _signon(empty[0], game) if empty else None)
    forming = {key: each for key, each in games.items() if each.status is Status.FORMING}
    near = _nearest(name, forming)
    if near is not None:
        return Hint(instead=_signon(FORMING, near))
    names = ", ".join([each.name for each in forming.values()][:_MOST_NAMED])
    return Hint(Sentence("identity.signon.forming_now", names=names))


def hint_for_watcher(session: Session, name: str) -> Hint:
    """What somebody may have meant who wants to watch a game that there is not."""
    near = _nearest(name, _public(session))
    return Hint(instead=_observe(near)) if near is not None else Hint()


def hint_for_reader(session: Session, name: str, command: str) -> str | None:
    """The line with the game that somebody may have meant who asks about one."""
    near = _nearest(name, _public(session))
    return f"{command} {near.name}" if near is not None else None


def _signon(letter: str, game: Game) -> Sentence:
    return Sentence("identity.signon.line", letter=letter, game=game.name)


def _observe(game: Game) -> Sentence:
    return Sentence("identity.signon.observe_line", game=game.name)


def _public(session: Session) -> dict[str, Game]:
    """The games that everybody can list, by their names in small letters."""
    games = session.uow.games.unfinished()
    return {game.id: game for game in games if game.is_confirmed and game.conduct.listed}


def _nearest(name: str, games: dict[str, Game]) -> Game | None:
    near = get_close_matches(name.lower(), games, n=1, cutoff=_LIKE)
    return games[near[0]] if near else None
