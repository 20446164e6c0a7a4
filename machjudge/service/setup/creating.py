"""Creating a game: its name, its scenario and its rules."""

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import takewhile

from machjudge.language.commands.commands import Create
from machjudge.reading import Line
from machjudge.sentence import Sentence, Wording
from machjudge.service.credentials.authority import Act
from machjudge.service.game import registry
from machjudge.service.identity.provisional import ask_to_answer
from machjudge.service.identity.registering import newcomer
from machjudge.service.identity.unlock import may_try
from machjudge.service.model.records import Claimed, Game, Person
from machjudge.service.session.command import ANYBODY, COMING, CommandEntry
from machjudge.service.session.quotas import no_more_games
from machjudge.service.session.scenario_lookup import (
    USUAL_SCENARIO,
    is_scenario_name,
    scenario_called,
)
from machjudge.service.session.session import Session
from machjudge.service.setup.flags import find_flag
from machjudge.service.setup.forming import WantedGame, new_game, still_needed
from machjudge.service.setup.player_count import advice
from machjudge.service.setup.rulebook import BadOption, preset_for, preset_of, rules_for
from machjudge.service.setup.variants import for_players, people_lines

LONGEST_GAME = 20
"""Signs of a game's name."""

_GAME_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,19}")


def create(session: Session, line: Line, said: Create) -> None:
    """Make a game that others can join; its creator is its master."""
    session.secrets.add(said.password)
    wanted = _wanted(session, said)
    if not isinstance(wanted, WantedGame):
        session.refuse_all(line, wanted)
        return
    person = newcomer(session, line, said.password)
    if person is None:
        return
    used_up = no_more_games(session)
    if used_up is not None:
        session.refuse_all(line, used_up)
        return
    hashed = session.services.passwords.hash(said.password)
    game = new_game(session.services, wanted, person, hashed, session.now)
    older = session.find_game(said.game)
    if not person.is_confirmed:
        person = _same_creator(session, older, said.password) or person
        session.changes.persons[person.id] = person
    if older is not None:
        # Nobody has answered for it, and whoever answers first has the name.
        session.changes.gives_way = older
        gone = {each.claimed.person for each in older.claims if each.claimed is not None}
        session.changes.forgotten |= gone - {person.id}
    if not person.is_confirmed:
        _wait_for_creator(session, game, person)
        return
    session.found(game, game.seats[0])
    created(session, game, person)


CREATE = CommandEntry(
    "create",
    COMING,
    ANYBODY,
    Act.ENTER,
    create,
    Create,
    opens_seat=True,
    secret_at=2,
)


def _same_creator(session: Session, older: Game | None, password: str) -> Person | None:
    """Who has asked for the game before, if the mail has their address and password.

    The answer to either message is theirs then.
    """
    for claim in older.claims if older is not None else ():
        if older is None or claim.claimed is None or claim.address != session.address:
            continue
        may = may_try(session, older.id, registry.MASTER)
        if may and registry.is_right(session.services, claim.password, password):
            return session.uow.persons.get(claim.claimed.person)
    return None


def _wait_for_creator(session: Session, game: Game, person: Person) -> None:
    """A game that nobody else sees until its creator has confirmed their address."""
    (seat,) = game.seats
    claim = replace(seat, claimed=Claimed(person.id, session.now))
    session.found(replace(game, seats=(), claims=(claim,)), claim)
    ask_to_answer(session, person)
    session.answer.verdict.append(Sentence("setup.waits_for_creator", game=game.name))


def created(session: Session, game: Game, person: Person) -> None:
    """A game is there: note it, and tell its master how others join."""
    session.note("created", Sentence("setup.created_by", name=person.name))
    scenario = session.services.scenario(game)
    session.answer.verdict += [
        Sentence("setup.created", game=game.name, needed=still_needed(scenario, game)),
        *people_lines(scenario),
        *advice(scenario, game.rules),
    ]


def _wanted(session: Session, said: Create) -> WantedGame | Wording:
    """The game that is asked for, or why there cannot be such a game."""
    flaw = name_flaw(said.game, lambda name: _confirmed(session, name))
    if flaw is not None:
        return flaw
    words, numbers = _without_players(
        [word for word in said.wishes if word.lower() not in _LISTING]
    )
    named = [] if not words or _is_rule(session, words[0]) else words[:1]
    scenario_id = named[0] if named else USUAL_SCENARIO
    scenario = scenario_called(session, scenario_id)
    if isinstance(scenario, Sentence):
        return scenario
    varied = for_players(session.services.atlas, scenario, numbers) if numbers else scenario
    if isinstance(varied, Sentence):
        return varied
    options = words[len(named) :]
    rules = rules_for(varied, options)
    if isinstance(rules, BadOption):
        return Sentence("setup.bad_option", word=rules.word, why=rules.why)
    asked = [_LISTING[word.lower()] for word in said.wishes if word.lower() in _LISTING]
    return WantedGame(said.game, varied, rules, all(asked), preset_for(varied, options) or "judge")


def _confirmed(session: Session, name: str) -> Game | None:
    """A game of that name whose creator has answered; until then its name is free."""
    game = session.find_game(name)
    return game if game is not None and game.is_confirmed else None


def _is_rule(session: Session, word: str) -> bool:
    """Whether a word is about the rules, so that no scenario is named before them."""
    if find_flag(word) is not None or word.lower() == "preset":
        return True
    return preset_of(word) is not None and not is_scenario_name(session, word)


def _without_players(words: list[str]) -> tuple[list[str], list[int]]:
    """The other words, and the numbers behind ``players``: of people, and of an option."""
    plain = [word.lower() for word in words]
    if "players" not in plain:
        return words, []
    at = plain.index("players")
    behind = [word for word in plain[at + 1 :] if word != "option"]
    numbers = [int(word) for word in takewhile(str.isdecimal, behind)][:2]
    used = len(numbers) + ("option" in plain[at + 1 : at + 1 + len(numbers) + 1])
    return [*words[:at], *words[at + 1 + used :]], numbers


_LISTING = {"private": False, "unlisted": False, "nolist": False, "public": True, "listed": True}
"""Words of a create that say whether the game is listed."""


def name_flaw(name: str, find: Callable[[str], Game | None]) -> Sentence | None:
    """Why no new game can have a name; *find* gives the game that has it."""
    if not _GAME_NAME.fullmatch(name):
        return Sentence("setup.no_name", most=LONGEST_GAME)
    if find(name) is not None:
        return Sentence("setup.name_taken", name=name)
    return None
