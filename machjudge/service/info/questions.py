"""Questions to the judge: lists, who plays, which version."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from machjudge.language.commands.commands import List, PlainCommand
from machjudge.letters.page.reply import Text
from machjudge.letters.wording.option_words import contrasts
from machjudge.letters.wording.sight import Sight
from machjudge.letters.wording.words import Words
from machjudge.reading import Line
from machjudge.sentence import Sentence, Wording
from machjudge.service.credentials.authority import Act, Verdict, verdict
from machjudge.service.game.delays import holdup_lines
from machjudge.service.game.view import GameView, load, players, reader_of, zone_of
from machjudge.service.identity.lapsing import unconfirmed_lines
from machjudge.service.identity.signon import hint_for_reader
from machjudge.service.info.listings import (
    brief,
    broken_off,
    listing_facts,
    may_list,
    usable_scenario,
)
from machjudge.service.info.skills import skills_of
from machjudge.service.model.records import Game, PersonId, Status
from machjudge.service.session.command import ANYBODY, ASKING, CommandEntry
from machjudge.service.session.outgoing import sight_of
from machjudge.service.session.session import Session
from machjudge.service.setup.forming import player_lines
from machjudge.service.setup.guestlist import guest_lines
from machjudge.service.setup.rulebook import (
    PRESET_WORDS,
    RuleSet,
    desk_contrasts,
    of_game,
    of_preset,
    preset_of,
)

# --- games -----------------------------------------------------------------------------------


def list_games(session: Session, line: Line, said: List) -> None:
    """All listed games in brief, or some of them in full."""
    words = said.game.split()
    plain = {word.lower() for word in words}
    every = bool(words) and plain <= _EVERY
    if every and game_meant(session, words[0]) is None:
        _list(session, full=said.full, open_="forming" in plain or "open" in plain)
    elif words or session.game is not None:
        for name in words or [""]:
            game = game_or_refuse(session, line, name, "LIST")
            if game is not None:
                _show(session, game)
    else:
        _list(session, full=said.full)


LIST = CommandEntry(
    "list",
    ASKING,
    ANYBODY,
    Act.READ,
    list_games,
    List,
    is_dry=True,
    tells_orders=True,
)


_EVERY = frozenset(
    {"all", "every", "games", "game", "forming", "open", "my", "mine", "public", "running", "the"}
)
"""Words behind ``list`` that name no game."""


def _list(session: Session, *, full: bool, open_: bool = False) -> None:
    """The games that the writer may be shown, in brief or in full; or those with an open seat."""
    shown = [game for game in session.uow.games.unfinished() if may_be_shown(session, game)]
    if open_:
        shown = [game for game in shown if _has_room(game)]
    if full:
        whole = [game for game in shown if usable_scenario(session.services, game)]
        for game in whole:
            _show(session, game)
        shown = [game for game in shown if game not in whole]
        if whole and not shown:
            return
    services, uow = session.services, session.uow
    phases = uow.phases.now(shown)
    entries = [brief(services, uow, game, phases.get(game.id, "")) for game in shown]
    lines = session.paper.lines("list", {"games": entries})
    session.answer.texts.append(Text(Sentence("info.title.games"), lines))


def _has_room(game: Game) -> bool:
    return game.status is Status.FORMING or any(seat.person is None for seat in players(game))


def game_or_refuse(session: Session, line: Line, name: str, command: str) -> Game | None:
    """The game that is named, or the one that the mail is about; refuses where there is none."""
    game = game_meant(session, name)
    if game is None and name:
        hint = hint_for_reader(session, name, command)
        session.refuse(line, Sentence("info.unknown_game"), instead=hint)
    elif game is None:
        session.refuse(line, Sentence("info.which_game", command=command))
    return game


def game_meant(session: Session, name: str) -> Game | None:
    """The game that is named, or the one that the mail is about; only one that may be shown."""
    own = (
        session.game if session.game is not None and name.lower() in ("", session.game.id) else None
    )
    game = own or (session.find_game(name) if name else None)
    return game if game is not None and may_be_shown(session, game) else None


def may_be_shown(session: Session, game: Game) -> bool:
    """Whether the writer may be shown a game: it is listed, or they have proved to sit at it.

    The password of a seat proves that for its own game alone.
    """
    is_open = session.game is not None and session.game.id == game.id and session.seat is not None
    if is_open and (not session.is_claim or not game.is_confirmed):
        return True
    if verdict(Act.GAMES, session.proof) is not Verdict.YES:
        return may_list(game, None)
    return may_list(game, session.person.id if session.person is not None else None)


def _show(session: Session, game: Game) -> None:
    reader = reader_of(session.services, session.person, session.now)
    stored = session.find_game(game.id)
    if stored is None:
        return
    sight = sight_at(session, stored)
    facts = listing_facts(session.services, session.uow, as_it_is(session, stored), reader, sight)
    is_open = session.seat is not None and (not session.is_claim or not game.is_confirmed)
    known = is_open and session.game is not None and session.game.id == game.id
    said = {
        **facts,
        "reader": reader,
        "with_head": not known,
        "is_master": sight.sees_all or sight.is_over,
        "guests": _guests(session, game) if known and sight.is_master else [],
    }
    lines = session.paper.lines("listing", said)
    session.answer.texts.append(Text(Sentence("info.title.game", game=game.name), lines))


def _guests(session: Session, game: Game) -> list[Wording]:
    """Who may join, and how many have not confirmed their addresses; for a master."""
    return [*guest_lines(session), *unconfirmed_lines(game)]


def sight_at(session: Session, game: Game) -> Sight:
    """What whoever writes may see of a game: by the seat that they have opened, and no other."""
    is_open = session.game is not None and session.game.id == game.id and not session.is_claim
    if is_open and session.game is not None and session.seat is not None:
        return sight_of(session.game, [session.seat])
    return sight_of(game, [])


def as_it_is(session: Session, stored: Game) -> Game | GameView:
    """The game with what this mail has set, ordered and corrected so far."""
    if session.game is None or session.game.id != stored.id:
        return stored
    return session.game if session.current is None else replace(session.current, game=session.game)


def who(session: Session, line: Line, said: PlainCommand) -> None:
    """Who plays a game, by names only; or for whom it waits."""
    plain = [word.lower() for word in said.words]
    is_late = "late" in plain
    if plain[:1] == ["is"] and not is_late:
        session.refuse(line, Sentence("info.no_persons"))
        return
    words = [word for word in said.words if word.lower() not in _NO_GAMES]
    game = game_or_refuse(session, line, words[0] if words else "", "WHO")
    if game is None:
        return
    if is_late:
        _who_is_late(session, line, game)
        return
    if game.position is None:
        joined = [*_joined(session, game)]
        people: Sequence[Wording] = joined or [Sentence("info.nobody_joined")]
    else:
        situation = load(session.services, session.uow, game)
        sight = sight_at(session, game)
        skills = _skills_at(session, game) if sight.sees_people() else {}
        people = player_lines(Words(situation.world), situation, sight, skills)
    lines = (*people, *_public_addresses(session, game))
    session.answer.texts.append(Text(Sentence("info.title.who", game=game.name), lines))


WHO = CommandEntry(
    "who",
    ASKING,
    ANYBODY,
    Act.READ,
    who,
    also=("who game", "who late"),
    is_dry=True,
    tells_orders=True,
)


def _skills_at(session: Session, game: Game) -> Mapping[PersonId, Sentence]:
    """The skill ratings of a game's players."""
    return skills_of(session, [seat.person for seat in players(game) if seat.person is not None])


def _joined(session: Session, game: Game) -> Iterator[Sentence]:
    """Those who have joined a game that forms, in the order of their seats."""
    people, skills = session.people(game), _skills_at(session, game)
    for seat in players(game):
        if seat.person in people:
            name, skill = people[seat.person].name, skills.get(seat.person, "")
            yield Sentence("info.joined", name=name, skill=skill)


_NO_GAMES = frozenset({"game", "games", "is", "late", "full", "all", "plays", "in", "the"})
"""Words behind ``who`` that name no game."""


def _public_addresses(session: Session, game: Game) -> Iterator[str]:
    """The addresses that their owners let others read, for whoever has signed on to the game."""
    if (
        session.game is None
        or session.game.id != game.id
        or session.seat is None
        or session.is_claim
    ):
        return
    if not sight_at(session, game).sees_people():
        return
    people = session.people(session.game)
    for seat in session.game.seats:
        if seat.public and seat.person in people:
            yield f"{people[seat.person].name} <{seat.address}>"


def _who_is_late(session: Session, line: Line, game: Game) -> None:
    """Before the deadline only masters are told names."""
    if game.status is not Status.RUNNING:
        session.refuse(line, Sentence("info.not_played"))
        return
    shown = as_it_is(session, game)
    situation = shown if isinstance(shown, GameView) else load(session.services, session.uow, shown)
    sight, zone = sight_at(session, game), zone_of(session.services, session.person)
    ends = broken_off(situation.clock, zone)
    lines: Sequence[Wording] = (
        [ends]
        if ends is not None
        else holdup_lines(situation, Words(situation.world), session.now, zone, sight)
    )
    title = Sentence("info.title.late", game=game.name)
    session.answer.texts.append(Text(title, tuple(lines)))


def version(session: Session, _: Line, __: PlainCommand) -> None:
    """Which program this is, and how much it has to do."""
    games = session.uow.games.unfinished()
    running = sum(game.status is Status.RUNNING for game in games)
    forming = sum(game.status is Status.FORMING for game in games)
    program = session.services.judge.version
    told = Sentence("info.version", version=program, running=running, forming=forming)
    session.answer.texts.append(Text(Sentence("info.title.version"), (told,)))


VERSION = CommandEntry(
    "version",
    ASKING,
    ANYBODY,
    Act.READ,
    version,
    is_dry=True,
)


# --- what two sets of rules play otherwise ------------------------------------------------------

_FILLERS = frozenset(
    {"between", "of", "from", "to", "and", "vs", "with", "preset", "presets", "rules"}
)
_TWO = 2


def differences(session: Session, line: Line, said: PlainCommand) -> None:
    """What two sets of rules play otherwise; with one of them, this game and that set."""
    words = [word.strip(",") for word in said.words if word.strip(",").lower() not in _FILLERS]
    sides = [_side(session, word) for word in words]
    faults = [each for each in sides if isinstance(each, Sentence)]
    if faults or not 0 < len(sides) <= _TWO:
        why = faults[0] if faults else Sentence("info.differences.two", known=PRESET_WORDS)
        session.refuse(line, why, instead=DIFFERENCES.usage)
        return
    own = of_game(session.game) if session.game else of_preset("judge")
    left, right = [*([own] if len(sides) < _TWO else []), *_found(sides)]
    facts = {
        "left": left.name,
        "right": right.name,
        "rows": (
            *contrasts(left.rules, right.rules),
            *desk_contrasts(left.conduct, right.conduct),
        ),
    }
    title = Sentence("info.title.differences", left=left.name, right=right.name)
    lines = session.paper.lines("differences", facts)
    session.answer.texts.append(Text(title, lines))


DIFFERENCES = CommandEntry(
    "differences",
    ASKING,
    ANYBODY,
    Act.READ,
    differences,
    is_dry=True,
)


def _found(sides: list[RuleSet | Sentence]) -> list[RuleSet]:
    return [each for each in sides if isinstance(each, RuleSet)]


def _side(session: Session, word: str) -> RuleSet | Sentence:
    """The rules that a word means, or why it means none."""
    preset = preset_of(word)
    if preset is not None:
        return of_preset(preset)
    game = game_meant(session, word)
    if game is not None:
        return of_game(game)
    return Sentence("setup.rule.no_preset", known=PRESET_WORDS)
