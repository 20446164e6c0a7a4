"""Taking a seat at a game that forms."""

from collections.abc import Sequence

from machjudge.language.commands.commands import Join
from machjudge.reading import Line
from machjudge.sentence import Sentence
from machjudge.service.credentials.authority import Act
from machjudge.service.game import registry
from machjudge.service.game.view import players
from machjudge.service.identity.provisional import claim_seat, open_claim
from machjudge.service.identity.registering import newcomer
from machjudge.service.identity.signon import (
    hint_for_newcomer,
    named_game,
    rest_of_line,
)
from machjudge.service.identity.unlock import by_token, unlock, why_not
from machjudge.service.model.power_assignment import wish_for
from machjudge.service.model.records import Game, Person, Role, Seat, Status
from machjudge.service.seats.admitting import ask_for_approval, unwelcome
from machjudge.service.seats.entering import hide_password, with_hint
from machjudge.service.session.command import ANYBODY, COMING, CommandEntry
from machjudge.service.session.outgoing import announce, masters_of
from machjudge.service.session.quotas import no_more_seats
from machjudge.service.session.session import Session
from machjudge.service.setup.flags import find_flag
from machjudge.service.setup.forming import still_needed, take_seat
from machjudge.service.setup.shared_dice import begin


def join(session: Session, line: Line, typed: Join) -> None:
    """Take a seat in a game that forms, or open the seat that one has there; the last one starts.

    Options behind the password are not compared with the game's, as the judge tells them anyway.
    """
    hide_password(session, typed.password)
    said = named_game(typed, lambda name: session.find_game(name) is not None)
    hide_password(session, said.password)
    if said.wishes and not rest_of_line(session.said, said):
        if not said.game and not _are_options(session, said.wishes):
            hint = hint_for_newcomer(session, said.password)
            session.refuse_all(line, Sentence("seats.join.no_space"), hint.instead)
            return
        behind = Sentence("seats.join.behind_password")
        session.answer.ignored.append(Sentence("session.line", number=line.number, text=behind))
    game = visible(session.find_game(said.game)) if said.game else _next_public(session)
    opened = by_token(session, game, registry.FORMING, said.password)
    if game is not None and open_claim(session, game, registry.FORMING, said.password):
        return
    if game is not None and opened is not None:
        session.enter(game, opened)
    elif game is not None and _sits(session, game):
        _open_own(session, line, game, said.password)
    elif game is not None and game.status is Status.FORMING:
        _sit_down(session, line, game, registry.plain_password(said.password))
    else:
        hint = hint_for_newcomer(session, said.game)
        session.refuse_all(line, with_hint(Sentence("seats.join.no_game"), hint), hint.instead)


JOIN = CommandEntry(
    "signon ?",
    COMING,
    ANYBODY,
    Act.ENTER,
    join,
    Join,
    opens_seat=True,
    secret_at=2,
)


def _are_options(session: Session, words: Sequence[str]) -> bool:
    """Whether words ask for rules or a scenario, as those behind a ``create`` do."""
    known = session.services.atlas.scenario_ids()
    return all(find_flag(word) is not None or word.lower() in known for word in words)


def visible(game: Game | None) -> Game | None:
    """A game whose creator is confirmed; nobody else sees any other."""
    return game if game is not None and game.is_confirmed else None


def _next_public(session: Session) -> Game | None:
    every = (g for g in session.uow.games.unfinished() if g.is_confirmed and g.conduct.listed)
    forming = [g for g in every if g.status is Status.FORMING]
    return min(forming, key=lambda game: game.created, default=None)


def _sits(session: Session, game: Game) -> bool:
    """Whether the address in From is that of a player; only the seat's password opens it."""
    person = session.claimant
    return person is not None and any(seat.person == person.id for seat in players(game))


def _open_own(session: Session, line: Line, game: Game, password: str) -> None:
    seat = unlock(session, game.id, registry.FORMING, password)
    if seat is None:
        session.refuse_all(line, why_not(session, game.id, registry.FORMING))
    else:
        session.enter(game, seat)


def _sit_down(session: Session, line: Line, game: Game, password: str) -> None:
    person = newcomer(session, line, password)
    if person is None:
        return
    flaw = unwelcome(session, game, session.claimant or person) or no_more_seats(session)
    if flaw is not None:
        session.refuse_all(line, flaw)
        return
    seat = take_seat(game, Role.PLAYER, person, session.services.passwords.hash(password))
    if person.is_confirmed:
        session.enter(game, seat)
        seated(session, seat, person)
        return
    claim_seat(session, game, seat, person)
    if session.waits is not None:
        session.answer.verdict.append(Sentence("seats.join.waits", game=game.name))
        _ask_for_wishes(session, seat)


def _ask_for_wishes(session: Session, seat: Seat) -> None:
    game = session.game
    if game is not None and not (game.conduct.by_lot or seat.preferences):
        powers = session.services.scenario(game).in_play
        session.answer.verdict.append(wish_for(powers))


def seated(session: Session, seat: Seat, person: Person) -> None:
    """Somebody sits at a game that forms: note it, and tell whom it concerns."""
    game = session.game
    if game is None:
        return
    joined = game
    session.note("joined", Sentence("seats.join.log", name=person.name))
    needed = still_needed(session.services.scenario(game), joined)
    session.answer.verdict.append(Sentence("seats.join.joined", game=game.name))
    ask_for_approval(session, seat, str(seat.number))
    if needed:
        if not game.conduct.secret:
            session.answer.verdict.append(Sentence("seats.join.needed", n=needed))
        _ask_for_wishes(session, seat)
        _tell_of_newcomer(session, joined, person, needed)
    elif not all(each.approved for each in players(joined)):
        session.answer.verdict.append(Sentence("seats.join.approval"))
    elif game.conduct.manual_start:
        session.answer.verdict.append(Sentence("seats.join.manual"))
        told = Sentence("seats.join.begin", name=person.name)
        announce(session, joined, Sentence("seats.subject.ready"), [told], masters_of(joined))
    else:
        is_shared = game.shared is not None
        session.answer.verdict.append(Sentence("seats.join.last", is_shared=is_shared))


def _tell_of_newcomer(session: Session, game: Game, person: Person, needed: int) -> None:
    """Masters read how many are still missing, the others where that is no secret."""
    masters = masters_of(game)
    others = {seat.address for seat in game.seats} - masters
    for readers, is_master in ((masters, True), (others, False)):
        shown = needed if is_master or not game.conduct.secret else 0
        told = Sentence("seats.join.told", name=person.name, needed=shown)
        announce(session, game, Sentence("seats.subject.player"), [told], readers)


def start_if_full(session: Session) -> None:
    """Start the game, or ask for words, when the last player has joined.

    At the end of their mail, so that the preferences in it still count.
    """
    game = session.game
    if game is None or game.status is not Status.FORMING:
        return
    waits = game.conduct.manual_start or not all(seat.approved for seat in players(game))
    if not still_needed(session.services.scenario(game), game) and not waits:
        begin(session, game)
