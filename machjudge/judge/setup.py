"""Dice that the players share: a random word of each is asked for, taken and published.

The words are asked for with the commitment to the secret, so that whoever knows the secret cannot
choose it by them; they are published, and that is committed, before the first die is thrown.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import takewhile
from types import MappingProxyType
from typing import Any, cast

from machjudge.adjudicator.board import Scenario
from machjudge.adjudicator.dice import SecretDice
from machjudge.adjudicator.evolve import evolve_all
from machjudge.adjudicator.land.victory import CITIES_OF_FEW, FEW, cities_needed
from machjudge.adjudicator.options import OPTIONS, departures, nearest, value_text, with_option
from machjudge.adjudicator.rules import Level, Rules
from machjudge.adjudicator.state import Sides
from machjudge.adjudicator.world import World
from machjudge.judge import people, rule_settings
from machjudge.judge.audience import person_meant
from machjudge.judge.changes import Changes
from machjudge.judge.confirmation import ask_to_answer, newcomer
from machjudge.judge.credentials import Act
from machjudge.judge.game_settings import Conduct, desk_departures, desk_value, with_preset
from machjudge.judge.game_view import (
    GameView,
    absences_of,
    players,
    seat_of,
    vacant_powers,
    zone_of,
)
from machjudge.judge.mail_context import (
    ANYBODY,
    COMING,
    MASTERS,
    PLAYERS,
    RULES,
    RUNNING,
    CommandEntry,
    Session,
    no_more_games,
    once_begun,
)
from machjudge.judge.mails import Outgoing
from machjudge.judge.opening import deal_scenario, opening_events, read_preferences, set_up
from machjudge.judge.outgoing import (
    Addressee,
    addressees,
    announce_setting,
    for_reader,
    head_now,
    head_of,
    letter,
)
from machjudge.judge.people import next_number, with_seat
from machjudge.judge.pictures import pictures_of_position
from machjudge.judge.ports import Services
from machjudge.judge.records import (
    Claimed,
    Game,
    GameId,
    Notice,
    Person,
    PersonId,
    RandomWord,
    Role,
    Seat,
    SharedDice,
    Status,
    StoredPhase,
    holdings,
    is_by_invitation,
)
from machjudge.judge.rule_settings import (
    FLAGS,
    USUAL_SCENARIO,
    BadOption,
    change_rules,
    find_flag,
    for_players,
    is_on,
    is_scenario_name,
    known,
    nearest_scenario,
    people_lines,
    preset_for,
    preset_of,
    rules_for,
    rules_told,
    scenario_called,
    set_edition,
    with_word,
)
from machjudge.judge.sign_in import may_try
from machjudge.judge.timetable import first_clock
from machjudge.language.commands import Create, PlainCommand, Setting
from machjudge.mail_parser.lines import Line
from machjudge.messages import tables
from machjudge.messages.receipt import LinesByPlace, example, said_for
from machjudge.messages.tables import commitment_lines, victory_words
from machjudge.messages.visibility import Sight
from machjudge.messages.wording import Words
from machjudge.sentence import Sentence, Wording


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
        "units": tables.board_units(words, state),
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
        "rolls": tables.rolls(words, events),
        "incomes": tables.incomes(words, state, events),
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


_ALL = 100
_BEGUN = Sentence("setup.has_begun")


def set_deal(session: Session, _: Line, said: Setting) -> None:
    """Deal the powers by the players' lists, or by lot alone: ``set prfrand``."""
    by_lot = (said.key == "prfrand") is said.on
    _change(session, Sentence("setup.deal", by_lot=by_lot), by_lot=by_lot)


SET_PRFLIST = CommandEntry(
    "set prflist",
    RUNNING,
    MASTERS,
    Act.STEER,
    set_deal,
    setting="prflist",
    refused_in=once_begun(_BEGUN),
)
SET_PRFBOTH = CommandEntry(
    "set prfboth",
    RUNNING,
    MASTERS,
    Act.STEER,
    set_deal,
    setting="prfboth",
    refused_in=once_begun(_BEGUN),
)
SET_PRFRAND = CommandEntry(
    "set prfrand",
    RUNNING,
    MASTERS,
    Act.STEER,
    set_deal,
    setting="prfrand",
    refused_in=once_begun(_BEGUN),
)


def set_manual_start(session: Session, _: Line, said: Setting) -> None:
    """Begin at the master's word, or as soon as all seats are taken."""
    manual = (said.key == "manual start") is said.on
    _change(session, Sentence("setup.manual_start", on=manual), manual_start=manual)


SET_MANUAL_START = CommandEntry(
    "set manual start",
    RUNNING,
    MASTERS,
    Act.STEER,
    set_manual_start,
    setting="manual start",
    refused_in=once_begun(_BEGUN),
)
SET_AUTO_START = CommandEntry(
    "set auto start",
    RUNNING,
    MASTERS,
    Act.STEER,
    set_manual_start,
    setting="auto start",
    refused_in=once_begun(_BEGUN),
)


def set_least_on_time(session: Session, line: Line, said: Setting) -> None:
    """Let only those join who were in time in so many of 100 phases."""
    percent = _percent(said, off=0)
    if percent is None:
        session.refuse(line, _NO_PERCENT, instead="SET ONTIMERAT 80")
    else:
        _change(session, Sentence("setup.on_time", percent=percent), least_on_time=percent)


SET_ONTIMERAT = CommandEntry(
    "set ontimerat",
    RUNNING,
    MASTERS,
    Act.STEER,
    set_least_on_time,
    setting="ontimerat",
)


def set_most_left(session: Session, line: Line, said: Setting) -> None:
    """Let only those join who left so many of 100 games at most."""
    percent = _percent(said, off=_ALL)
    if percent is None:
        session.refuse(line, _NO_PERCENT, instead="SET RESRAT 20")
    else:
        _change(session, Sentence("setup.most_left", percent=percent), most_left=percent)


SET_RESRAT = CommandEntry(
    "set resrat",
    RUNNING,
    MASTERS,
    Act.STEER,
    set_most_left,
    setting="resrat",
)


_NO_PERCENT = Sentence("setup.no_percent")


def _percent(said: Setting, off: int) -> int | None:
    """A number of 100, also written as a fraction of 1."""
    if not said.on:
        return off
    word = said.value[0].removesuffix("%") if said.value else ""
    try:
        number = float(word)
    except ValueError:
        return None
    percent = round(number * _ALL if "." in word and number <= 1 else number)
    return percent if 0 <= percent <= _ALL else None


def _change(session: Session, told: Sentence, **change: Any) -> None:  # noqa: ANN401  any field
    if session.game is not None:
        conduct = replace(session.game.conduct, **change)
        tell(session, replace(session.game, conduct=conduct), told)


def tell(session: Session, changed: Game, told: Wording) -> None:
    """Take over a game that the master has changed, and tell everybody."""
    session.set_game(changed)
    session.note("conduct", told)
    session.done(Sentence("setup.done", told=told))
    announce_setting(session, changed, [Sentence("setup.master_has_set", told=told)])


def set_players(session: Session, line: Line, said: Setting) -> None:
    """Play with fewer people than powers: ``set players 4``, ``set players 3 option 2``."""
    words = [word for word in said.value if word.lower() not in ("option", "players")]
    if len(words) not in (1, 2) or not all(word.isdecimal() for word in words):
        session.refuse(line, Sentence("setup.players.how_many"), instead="SET PLAYERS 4")
        return
    game = session.game
    if game is None:
        return
    atlas, scenario = session.services.atlas, session.services.scenario(game)
    wanted = for_players(atlas, scenario, [int(word) for word in words])
    if isinstance(wanted, Sentence):
        session.refuse(line, wanted)
    elif flaw := _flaw(game, wanted):
        session.refuse(line, flaw, instead="SET PLAYERS 4")
    else:
        _play(session, game, wanted)


SET_PLAYERS = CommandEntry(
    "set players",
    RUNNING,
    MASTERS,
    Act.STEER,
    set_players,
    setting="players",
)


def _play(session: Session, game: Game, wanted: Scenario) -> None:
    changed = replace(game, scenario=wanted.id)
    told = Sentence("setup.players.set", n=wanted.players, scenario=wanted.id)
    session.set_game(changed)
    session.note("scenario", told)
    for each in (told, *people_lines(wanted)[1:], *advice(wanted, game.rules)):
        session.done(each)
    announce_setting(session, changed, [told, *people_lines(wanted)[1:]])


def _flaw(game: Game, wanted: Scenario) -> Sentence | None:
    """Why the number of players cannot be changed so; None if it can."""
    if game.status is not Status.FORMING:
        return Sentence("setup.players.stay")
    if game.shared is not None and game.shared.until is not None:
        return Sentence("setup.words.asked_already")
    joined = len(players(game))
    return Sentence("setup.players.joined", n=joined) if joined > wanted.players else None


def advice(scenario: Scenario, rules: Rules) -> tuple[Sentence, ...]:
    """What the master may want to set besides."""
    variant = scenario.variant
    if variant is None:
        return ()
    if rules.victory.level is Level.BASIC and not variant.suits_basic_victory:
        return (Sentence("setup.players.no_basic"),)
    if variant.players <= FEW and cities_needed(rules.victory, variant.players) < CITIES_OF_FEW:
        return (Sentence("setup.players.more_cities", cities=CITIES_OF_FEW),)
    return ()


@dataclass(frozen=True, slots=True)
class _Entry:
    """What a master writes on a list or takes from it."""

    text: str
    """An address or a pattern in small letters; empty for somebody who was named."""
    person: Person | None
    """Who it is; None for a pattern, or an address that nobody is known by."""
    shown: str
    """How the master is told of it; empty for the whole list."""

    @property
    def texts(self) -> tuple[str, ...]:
        """What goes from a list: the text itself; of somebody who was named, each address."""
        if self.text or self.person is None:
            return (self.text,)
        return self.person.addresses


def set_allowed(session: Session, line: Line, said: Setting) -> None:
    """Invite somebody, or let them in again; without a name show the list.

    From the first invitation on, only the invited may join.
    """
    entry = _entry(session, line, said)
    if entry is None or session.game is None:
        return
    conduct = changed = session.game.conduct
    if _is_taken_off(said):
        changed = _not_invited(conduct, entry)
        if entry.shown and changed == conduct:
            session.done(Sentence("setup.guests.not_invited", who=entry.shown))
    elif entry.shown:
        changed = _let_in(session, conduct, entry)
    _save(session, changed)
    session.done(_invited(session, changed))


SET_ALLOW_PLAYER = CommandEntry(
    "set allow player",
    RUNNING,
    MASTERS,
    Act.STEER,
    set_allowed,
    setting="allow player",
)


def set_denied(session: Session, line: Line, said: Setting) -> None:
    """Keep somebody out of the game; without a name show the list."""
    entry = _entry(session, line, said)
    if entry is None or session.game is None:
        return
    conduct = changed = session.game.conduct
    if _is_taken_off(said):
        changed = _not_denied(conduct, entry)
        if entry.shown and changed == conduct:
            session.done(Sentence("setup.guests.not_kept_out", who=entry.shown))
    elif entry.shown:
        changed = _denied(conduct, entry)
        _tell_of_seats(session, entry)
    _save(session, changed)
    session.done(_kept_out(session, changed))


SET_DENY_PLAYER = CommandEntry(
    "set deny player",
    RUNNING,
    MASTERS,
    Act.STEER,
    set_denied,
    setting="deny player",
)


def _invited(session: Session, conduct: Conduct) -> Sentence:
    """Who is invited, for a master."""
    names = (*_names(session, conduct.invited), *conduct.allowed)
    return Sentence("setup.guests.invited", are_few=is_by_invitation(conduct), names=names)


def _kept_out(session: Session, conduct: Conduct) -> Sentence:
    """Who is kept out, for a master."""
    names = (*_names(session, conduct.shut_out), *conduct.denied)
    return Sentence("setup.guests.kept_out", names=names)


# --- the entry -------------------------------------------------------------------------------


def _is_taken_off(said: Setting) -> bool:
    return not said.on or " ".join(said.value).startswith("-")


def _entry(session: Session, line: Line, said: Setting) -> _Entry | None:
    """Whom the words mean; without words, everybody on the list.  Refuses what means nobody."""
    who = " ".join(said.value).removeprefix("-").strip()
    if not who:
        return _Entry("", None, "")
    person = person_meant(session, who)
    if "@" in who or "*" in who:
        known = None if isinstance(person, Sentence) else person
        return _Entry(who.lower(), known, who.lower())
    if isinstance(person, Sentence):
        session.refuse(line, Sentence("session.or_pattern", why=person))
        return None
    return _Entry("", person, person.name)


# --- the lists -------------------------------------------------------------------------------


def let_in_again(conduct: Conduct, person: Person) -> Conduct:
    """Somebody is shut out no longer."""
    return replace(conduct, shut_out=_without(conduct.shut_out, person.id))


def shut_out(conduct: Conduct, person: PersonId) -> Conduct:
    """Somebody stays out, whatever address they write from, and is invited no more."""
    invited = _without(conduct.invited, person)
    return replace(conduct, invited=invited, shut_out=_with(conduct.shut_out, person))


def _let_in(session: Session, conduct: Conduct, entry: _Entry) -> Conduct:
    """Take somebody from the list of those kept out; where there is a list, invite them as well.

    In a game that is open to all, the first would otherwise close it to everybody else.
    """
    freed = _not_denied(conduct, entry)
    if freed != conduct:
        session.done(Sentence("setup.guests.let_in", who=entry.shown))
        if not is_by_invitation(conduct):
            return freed
    if entry.text:
        return replace(freed, allowed=_with(freed.allowed, entry.text))
    person = entry.person.id if entry.person is not None else ""
    return replace(freed, invited=_with(freed.invited, person))


def _not_invited(conduct: Conduct, entry: _Entry) -> Conduct:
    if not entry.shown:
        return replace(conduct, allowed=(), invited=())
    invited = _without(conduct.invited, entry.person.id) if entry.person else conduct.invited
    return replace(conduct, allowed=_without(conduct.allowed, *entry.texts), invited=invited)


def _denied(conduct: Conduct, entry: _Entry) -> Conduct:
    if entry.text:
        return replace(conduct, denied=_with(conduct.denied, entry.text))
    return shut_out(conduct, entry.person.id) if entry.person is not None else conduct


def _not_denied(conduct: Conduct, entry: _Entry) -> Conduct:
    if not entry.shown:
        return replace(conduct, denied=(), shut_out=())
    freed = let_in_again(conduct, entry.person) if entry.person is not None else conduct
    return replace(freed, denied=_without(freed.denied, *entry.texts))


def _with(entries: tuple[str, ...], one: str) -> tuple[str, ...]:
    return tuple(sorted({*entries, one}))


def _without(entries: tuple[str, ...], *those: str) -> tuple[str, ...]:
    return tuple(each for each in entries if each not in those)


# --- what is said ----------------------------------------------------------------------------


def _save(session: Session, conduct: Conduct) -> None:
    if session.game is None or conduct == session.game.conduct:
        return
    session.set_game(replace(session.game, conduct=conduct))
    invited = len(conduct.allowed) + len(conduct.invited)
    denied = len(conduct.denied) + len(conduct.shut_out)
    # The log is shown to the players in the end, and addresses are nobody's affair.
    session.note("invitations", Sentence("setup.guests.noted", invited=invited, denied=denied))


def _tell_of_seats(session: Session, entry: _Entry) -> None:
    """Somebody who sits at the game already keeps the seat."""
    game, person = session.game, entry.person
    if game is None or person is None:
        return
    held = [seat for seat in game.seats if seat.person == person.id]
    if held:
        first = next((power for seat in held for power in seat.powers), person.name)
        session.done(Sentence("setup.guests.has_seat", name=person.name, seat=first))


def _names(session: Session, people: tuple[str, ...]) -> list[str]:
    """The names of people by their tokens."""
    found = (session.uow.persons.get(PersonId(each)) for each in people)
    return sorted(person.name for person in found if person is not None)


def guest_lines(session: Session) -> list[Sentence]:
    """Both lists of the game, as far as there is something on them, for a master."""
    if session.game is None:
        return []
    conduct = session.game.conduct
    lines = []
    if is_by_invitation(conduct):
        lines.append(_invited(session, conduct))
    if conduct.denied or conduct.shut_out:
        lines.append(_kept_out(session, conduct))
    return lines


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
        may = may_try(session, older.id, people.MASTER)
        if may and people.is_right(session.services, claim.password, password):
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


_GAMES = frozenset({"machiavelli", "mach", "mach1", "machiavelli1"})
"""Words for the game itself, which every game here is."""


def set_scenario(session: Session, line: Line, said: Setting) -> None:
    """Take another scenario with its usual rules, or switch an option: ``set variant nodice``."""
    game, word = session.game, said.value[0] if said.value else ""
    if game is None:
        return
    if find_flag(word) is not None:
        _switch(session, line, game, word if said.on else f"no{word}")
    elif preset_of(word) == "mach2" and session.services.atlas.scenario(word) is None:
        set_edition(session, line, Setting("mach2", on=said.on))
    elif flaw := _no_scenario(session, game, word):
        session.refuse(line, flaw)
    else:
        _choose(session, line, game, word if said.on else "")


SET_SCENARIO = CommandEntry(
    "set scenario",
    RULES,
    MASTERS,
    Act.STEER,
    set_scenario,
    setting="scenario",
    also=("set variant",),
    refused_in=once_begun(Sentence("setup.scenario.stays")),
)


def _switch(session: Session, line: Line, game: Game, word: str) -> None:
    rules = with_word(game.rules, word)
    if isinstance(rules, BadOption):
        session.refuse(line, rules.why)
    else:
        found = find_flag(word)
        names = {found[0].option} if found is not None else set()
        told = Sentence("setup.option", word=word.lower())
        change_rules(session, line, rules, told, names=names)


def _no_scenario(session: Session, game: Game, word: str) -> Sentence | None:
    """Why a word for the whole game chooses no scenario; None for any other word."""
    plain = word.lower().replace("-", "").replace("_", "")
    if plain not in _GAMES:
        return None
    title = session.services.scenario(game).title
    return Sentence("setup.scenario.only_game", title=title, id=game.scenario, known=known(session))


def _choose(session: Session, line: Line, game: Game, word: str) -> None:
    scenario = scenario_called(session, word)
    if isinstance(scenario, Sentence):
        near = nearest_scenario(session, word)
        session.refuse(line, scenario, instead=f"SET SCENARIO {near}" if near else None)
    elif (seats := len(players(game))) > scenario.players:
        most = scenario.players
        session.refuse(
            line, Sentence("setup.scenario.too_many", joined=seats, id=scenario.id, most=most)
        )
    else:
        _take(session, game, scenario)


def _take(session: Session, game: Game, scenario: Scenario) -> None:
    """Preferences were for the powers of another scenario; the usual rules of this one begin."""
    rules = rules_for(scenario, ())
    if isinstance(rules, BadOption):
        return
    lost = tuple(_lost(session, game, rules))
    seats = tuple(replace(seat, preferences="") for seat in game.seats)
    conduct = with_preset(game.conduct, scenario.preset or "judge")
    changed = replace(game, scenario=scenario.id, rules=rules, seats=seats, conduct=conduct)
    told = Sentence("setup.scenario.set", title=scenario.title, id=scenario.id, lost=lost)
    tell(session, changed, told)
    if lost:
        session.done(Sentence("setup.scenario.set_again"))
    if any(seat.preferences for seat in players(game)):
        session.done(Sentence("setup.scenario.no_preferences"))


def _lost(session: Session, game: Game, rules: Rules) -> Iterator[Wording]:
    """What the master has set and the usual rules of the new scenario undo."""
    name = nearest(game.rules)
    scenario = session.services.scenario(game)
    before = rules_for(scenario, (name,))
    if isinstance(before, BadOption):
        return
    if name != nearest(rules):
        yield Sentence("setup.scenario.rules_of", name=name)
    for flag in FLAGS:
        now = is_on(game.rules, flag)
        if now is not is_on(before, flag) and now is not is_on(rules, flag):
            yield flag.name if now else f"no{flag.name}"
    for each in departures(game.rules, before):
        value = OPTIONS[each].of(game.rules)
        if each in _UNSWITCHED and value != OPTIONS[each].of(rules):
            yield f"{each} {value_text(value)}"
    yield from _lost_at_desk(game.conduct, name, nearest(rules))
    wins = victory_words(game.rules, scenario.players)
    if wins not in (victory_words(each, scenario.players) for each in (before, rules)):
        yield Sentence("setup.scenario.win_with", wins=wins)


def _lost_at_desk(conduct: Conduct, name: str, other: str) -> Iterator[Wording]:
    """What the master has set otherwise than both sets of rules have it."""
    set_so = desk_departures(conduct, with_preset(conduct, name))
    lost = desk_departures(conduct, with_preset(conduct, other))
    yield from (f"{n} {value_text(desk_value(conduct, n))}" for n in set_so if n in lost)


_UNSWITCHED = frozenset(
    name for name, option in OPTIONS.items() if not option.facts.flag and option.group != "victory"
)
"""The options of which neither a flag nor the victory condition tells."""


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
        rule_settings.set_flag(session, line, said)


SET_DICE = rule_settings.rule_entry("dice", set_dice)


def _share(session: Session, line: Line, game: Game) -> None:
    if game.status is not Status.FORMING:
        session.refuse(line, Sentence("setup.dice.from_beginning"))
    elif game.shared is not None:
        session.done(Sentence("setup.dice.shared_already"))
    else:
        rules = with_option(game.rules, "dice", value=True)
        changed = replace(game, rules=rules, shared=SharedDice())
        rule_settings.accept(session, changed, Sentence("setup.dice.shared", on=True))


def _stop_sharing(session: Session, line: Line, game: Game, said: Setting) -> None:
    """Whoever knows the words must not undo them."""
    if game.shared is not None and game.shared.until is not None:
        session.refuse(line, Sentence("setup.words.asked_already"))
        return
    changed = replace(game, shared=None)
    if said.on:
        rule_settings.accept(session, changed, Sentence("setup.dice.shared", on=False))
    else:
        session.set_game(changed)
        rule_settings.set_flag(session, line, said)


# --- words -----------------------------------------------------------------------------------


def give_word(session: Session, line: Line, said: PlainCommand) -> None:
    """Keep a player's random word; a later one takes the place of their earlier one."""
    game, seat = session.game, session.seat
    if game is None or seat is None:
        return
    flaw = _flaw_shared_dice(session, game, said.text)
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


def _flaw_shared_dice(session: Session, game: Game, word: str) -> Sentence | None:
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
