"""A game from its creation to its start: seats taken, powers dealt, the first position."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType
from typing import cast

from machjudge.adjudicator.events.evolve import evolve_all
from machjudge.adjudicator.model.dice import SecretDice
from machjudge.adjudicator.model.rules import Rules
from machjudge.adjudicator.model.scenario import Scenario
from machjudge.adjudicator.model.state import Sides
from machjudge.adjudicator.model.world import World
from machjudge.letters.page import standings
from machjudge.letters.page.rulesheet import commitment_lines
from machjudge.letters.receipt.todo import LinesByPlace, example, said_for
from machjudge.letters.wording.sight import Sight
from machjudge.letters.wording.words import Words
from machjudge.sentence import Sentence, Wording
from machjudge.service.game.registry import next_number, with_seat
from machjudge.service.game.timetable import first_clock
from machjudge.service.game.view import (
    GameView,
    absences_of,
    players,
    seat_of,
    vacant_powers,
)
from machjudge.service.model.conduct import Conduct
from machjudge.service.model.desk_options import with_preset
from machjudge.service.model.holdings import holdings
from machjudge.service.model.opening import opening_events, set_up
from machjudge.service.model.power_assignment import deal_scenario, read_preferences
from machjudge.service.model.records import (
    Game,
    GameId,
    Notice,
    Person,
    PersonId,
    Role,
    Seat,
    Status,
    StoredPhase,
)
from machjudge.service.pictures.seen import pictures_of_position
from machjudge.service.ports.changes import Changes
from machjudge.service.ports.mails import Outgoing
from machjudge.service.ports.services import Services
from machjudge.service.session.outgoing import Addressee, addressees, for_reader, head_now, letter
from machjudge.service.setup.habits import rules_told


@dataclass(frozen=True, slots=True)
class WantedGame:
    """A game that somebody wants: its name, scenario and rules."""

    name: str
    scenario: Scenario
    rules: Rules
    listed: bool = True
    preset: str = "judge"
    """The named set of rules, which says how the desk runs the game, too."""


def new_game(
    services: Services, wanted: WantedGame, creator: Person, hashed: str, now: datetime
) -> Game:
    """A game that nobody has joined yet; its creator is its master, with a seat of their own."""
    seat = Seat(
        number=1,
        role=Role.MASTER,
        person=creator.id,
        address=creator.addresses[0],
        password=hashed,
    )
    conduct = Conduct(listed=wanted.listed, zone=creator.zone)
    return Game(
        id=GameId(wanted.name.lower()),
        name=wanted.name,
        version=1,
        status=Status.FORMING,
        scenario=wanted.scenario.id,
        rules=wanted.rules,
        conduct=with_preset(conduct, wanted.preset),
        secret=services.chance.secret(),
        created=now,
        master=creator.id,
        seats=(seat,),
    )


def take_seat(game: Game, role: Role, person: Person, hashed: str) -> Seat:
    """A new seat for somebody; add it with ``with_seat``."""
    return Seat(
        number=next_number(game),
        role=role,
        person=person.id,
        address=person.addresses[0],
        password=hashed,
        approved=role is not Role.PLAYER or not game.conduct.approval,
    )


def still_needed(scenario: Scenario, game: Game) -> int:
    """How many players are missing until the game starts."""
    return scenario.players - len(players(game))


def start(
    services: Services, game: Game, people: Mapping[PersonId, Person], now: datetime
) -> tuple[Changes, GameView]:
    """Deal the powers, set up the board, pay the opening income, and tell everybody.

    The changes hold the game as it shall be; what it was read as is left to the caller.
    """
    world = services.world(game)
    dealt = _dealt(game, services.scenario(game))
    sides = _sides(dealt)
    opening = opened(services, world, dealt, sides, now)
    dealt = _leading(dealt, world, sides)
    clock = first_clock(game.conduct, now, opening.after.moment.stage, absences_of(game))
    started = replace(
        dealt,
        status=Status.RUNNING,
        position=opening.number,
        clock=replace(clock, vacant=vacant_powers(dealt)),
    )
    situation = GameView(started, world, opening, {}, people, opening.number)
    told = services.paper.say(Sentence("setup.started"))
    changes = Changes(
        game=started,
        phases=[(opening, holdings(world, opening.after))],
        notices=[Notice(game.id, now, None, "started", told)],
        letters=_start_letters(services, situation, now),
    )
    return changes, situation


def _dealt(game: Game, scenario: Scenario) -> Game:
    seats = players(game)
    by_lot = game.conduct.by_lot
    wishes = [read_preferences("" if by_lot else s.preferences, scenario.in_play) for s in seats]
    for seat, powers in zip(seats, deal_scenario(scenario, wishes, game.key), strict=True):
        game = with_seat(game, replace(seat, powers=powers))
    return game


def _sides(game: Game) -> Sides:
    """The powers of each player, where somebody leads several."""
    sides = tuple(seat.powers for seat in players(game))
    return sides if any(len(side) > 1 for side in sides) else ()


def _leading(game: Game, world: World, sides: Sides) -> Game:
    """The game with the powers alone that have units: of one set of them the first (SET-24)."""
    for seat in players(game):
        led = tuple(power for power in seat.powers if world.leads(power, sides) == power)
        game = with_seat(game, replace(seat, powers=led))
    return game


def opened(
    services: Services, world: World, game: Game, sides: Sides, now: datetime
) -> StoredPhase:
    """The opening as stored phase 0: the set-up, and the income of the year before (INC-16)."""
    before = set_up(world, sides)
    dice = SecretDice(game.key, before.moment.code)
    events = opening_events(world, before, dice)
    return StoredPhase(
        game=game.id,
        number=0,
        parent=None,
        moment=before.moment.code,
        before=before,
        after=evolve_all(before, events),
        orders={},
        rules=game.rules,
        events=events,
        adjudicator=services.judge.version,
        processed=now,
    )


def _start_letters(services: Services, situation: GameView, now: datetime) -> list[Outgoing]:
    words, game = Words(situation.world), situation.game
    facts = {
        "head": head_now(services, situation),
        "rules": (rules_told(situation.world.scenario, game),),
        "commitment": commitment_lines(game.secret),
        "is_shared": game.shared is not None,
    }
    return [
        letter(
            game,
            to.address,
            services.paper.page("start", {**facts, **_for_starter(services, words, situation, to)}),
            may_wait=True,
        )
        for to in addressees(services, game, situation.people, now)
    ]


def for_beginner(services: Services, situation: GameView, to: Addressee) -> Mapping[str, object]:
    """The position as somebody sees it who leads a power from now on, and lines to send back."""
    words, state = Words(situation.world), to.sight.view(situation.world, situation.state)
    asked = for_reader(situation, to)
    say = services.paper.of(to.reader.language).say
    ordered = cast("LinesByPlace", asked["by_place"])
    lines = tuple((place, say(line)) for place, line in ordered)
    return {
        "units": standings.board_units(words, state),
        **asked,
        "pictures": pictures_of_position(services, words, state, to.powers, lines)
        if to.reader.pictures
        else (),
    }


def _for_starter(
    services: Services, words: Words, situation: GameView, to: Addressee
) -> Mapping[str, object]:
    own, state = to.powers, to.sight.view(situation.world, situation.state)
    seen = to.sight.words(words.world, state)
    events = to.sight.visible(situation.phase.events)
    return {
        **for_beginner(services, situation, to),
        "players": player_lines(words, situation, to.sight),
        "rolls": standings.rolls(words, events),
        "incomes": standings.incomes(words, state, events),
        "own": [words.power(power) for power in own],
        "own_signon": f"{own[0]}{situation.game.name}" if own else "",
        "example": [
            line
            for power in own
            for line in said_for(seen, power, own, example(seen, state, power))
        ],
    }


def player_lines(
    words: Words,
    situation: GameView,
    sight: Sight,
    skills: Mapping[PersonId, Wording] = MappingProxyType({}),
) -> tuple[Sentence, ...]:
    """Who leads what, by names only; in an anonymous game only whether somebody does.

    Of a game that was imported nobody knows who they were.

    :param skills: what stands beside the names.
    """
    lines = []
    for power in words.world.scenario.in_play:
        seat = seat_of(situation.game, power)
        person = situation.people.get(seat.person) if seat is not None and seat.person else None
        is_shown = sight.sees_people() or power in sight.powers
        name = person.name if person and is_shown else ""
        lead = situation.leads(power)
        lines.append(
            Sentence(
                "setup.player",
                power=words.power(power),
                name=name,
                is_led=person is not None or situation.game.is_imported,
                skill=skills.get(person.id, "") if name and person else "",
                is_out=power in situation.state.eliminated,
                lead=words.power(lead) if lead != power else "",
            )
        )
    return tuple(lines)
