"""A game until its first phase: how it is made, who may join, its scenario and its opening.

Players may share the dice: each sends a random word after the commitment to the secret is known,
so that nobody who knows the secret can choose it by the words.  The words are published before
the first die is thrown.
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
from machjudge.adjudicator.options import (
    OPTIONS,
    departures,
    nearest,
    value_text,
    with_option,
)
from machjudge.adjudicator.rules import Level, Rules
from machjudge.adjudicator.state import Sides
from machjudge.adjudicator.world import World
from machjudge.bots.policies import BotPolicy
from machjudge.judge import people, rule_settings
from machjudge.judge.audience import person_meant
from machjudge.judge.changes import Changes
from machjudge.judge.commands import PLAYERS, command, once_begun, setting
from machjudge.judge.confirmation import ask_to_answer, newcomer
from machjudge.judge.credentials import Act
from machjudge.judge.game_settings import (
    GameSettings,
    Ratings,
    service_departures,
    service_value,
    with_preset,
)
from machjudge.judge.game_view import (
    GameView,
    absences_of,
    log_entry,
    players,
    seat_of,
    vacant_powers,
    zone_of,
)
from machjudge.judge.limits import no_more_games
from machjudge.judge.mail_context import MailContext
from machjudge.judge.mails import Outgoing
from machjudge.judge.opening import deal_scenario, opening_events, read_preferences, set_up
from machjudge.judge.order_sets import with_lesson
from machjudge.judge.outgoing import (
    Addressee,
    addressees,
    announce_setting,
    game_message,
    head_now,
    head_of,
    interludes,
    last_played,
    with_map,
)
from machjudge.judge.people import next_number, with_seat
from machjudge.judge.ports import Services
from machjudge.judge.records import (
    Claimed,
    Game,
    GameId,
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
    rules_message,
    scenario_called,
    set_edition,
    tell,
    usual_rules,
    with_word,
)
from machjudge.judge.sign_in import may_try
from machjudge.judge.timetable import first_clock, why_longer
from machjudge.language.commands import Create, PlainCommand, Setting
from machjudge.language.lexicon import lexicon_of
from machjudge.language.words import fold
from machjudge.mail_parser.lines import Line
from machjudge.messages import tables
from machjudge.messages.news import news, standings
from machjudge.messages.receipt import example, said_for
from machjudge.messages.render import phase_name
from machjudge.messages.results import PlayedPhase, correction_lines
from machjudge.messages.tables import commitment_lines, victory_words
from machjudge.messages.visibility import Sight
from machjudge.messages.wording import Words, title_of
from machjudge.translatable import Message, MessageOrText


@dataclass(frozen=True, slots=True)
class WantedGame:
    """The name, scenario and rules of a new game."""

    name: str
    scenario: Scenario
    rules: Rules
    listed: bool = True
    preset: str = "judge"
    """The named rule set, which also decides the service options."""
    practice: bool = False
    tutorial: bool = False
    """Practice with lessons."""
    power: str = ""
    """The power that the person of a practice game leads; empty: one by lot."""


def new_game(
    services: Services, wanted: WantedGame, creator: Person, hashed: str, now: datetime
) -> Game:
    """Return a game without players; its creator is its master, with a seat."""
    seat = Seat(
        number=1,
        role=Role.MASTER,
        person=creator.id,
        address=creator.addresses[0],
        password=hashed,
        preferences=wanted.power,
    )
    settings = with_preset(GameSettings(listed=wanted.listed, zone=creator.zone), wanted.preset)
    return Game(
        id=GameId(wanted.name.lower()),
        name=wanted.name,
        version=1,
        status=Status.FORMING,
        scenario=wanted.scenario.id,
        rules=wanted.rules,
        settings=replace(
            settings, **_PRACTICE, tutorial=wanted.tutorial, allowed=(creator.addresses[0],)
        )
        if wanted.practice
        else settings,
        secret=services.chance.secret(),
        created=now,
        master=creator.id,
        seats=(seat,),
    )


_A_MONTH = 30 * 24
_PRACTICE: Mapping[str, Any] = {
    "practice": True,
    "listed": False,
    "vacant": BotPolicy.PLANNER,
    "first_hours": _A_MONTH,
    "campaign_hours": _A_MONTH,
    "retreat_hours": _A_MONTH,
    "adjustment_hours": _A_MONTH,
    "warn_hours": (),
    "auto_victory": True,
    "ratings": Ratings.OFF,
}
"""The settings of a practice game; its phases are played as soon as its player has ordered."""


def take_seat(game: Game, role: Role, person: Person, hashed: str) -> Seat:
    """Return a new seat for a person; add it with ``with_seat``."""
    return Seat(
        number=next_number(game),
        role=role,
        person=person.id,
        address=person.addresses[0],
        password=hashed,
        approved=role is not Role.PLAYER or not game.settings.approval,
    )


def still_needed(scenario: Scenario, game: Game) -> int:
    """Return how many players are missing until the game starts."""
    return scenario.players - len(players(game))


def start(
    services: Services, game: Game, people: Mapping[PersonId, Person], now: datetime
) -> tuple[Changes, GameView]:
    """Deal the powers, set up the board, pay the opening income, and tell everybody."""
    world = services.world(game)
    dealt = _dealt(game, services.scenario(game))
    sides = tuple(seat.powers for seat in players(dealt))
    if all(len(side) <= 1 for side in sides):
        sides = ()
    opening = opened(services, world, dealt, sides, now)
    # The powers alone that have units: of one set of them the first (SET-24).
    for seat in players(dealt):
        led = tuple(power for power in seat.powers if world.leads(power, sides) == power)
        dealt = with_seat(dealt, replace(seat, powers=led))
    clock = first_clock(game.settings, now, opening.after.moment.stage, absences_of(game))
    started = replace(
        dealt,
        status=Status.RUNNING,
        position=opening.number,
        clock=replace(clock, vacant=vacant_powers(dealt)),
    )
    view = GameView(started, world, opening, {}, people, opening.number)
    began = Message("setup.started")
    changes = Changes(
        game=started,
        phases=[(opening, holdings(world, opening.after))],
        notices=[log_entry(services, game.id, now, None, "started", began)],
        messages=_start_messages(services, view, now),
    )
    return changes, view


def _dealt(game: Game, scenario: Scenario) -> Game:
    seats = players(game)
    by_lot = game.settings.by_lot
    wishes = [read_preferences("" if by_lot else s.preferences, scenario.in_play) for s in seats]
    for seat, powers in zip(seats, deal_scenario(scenario, wishes, game.key), strict=True):
        game = with_seat(game, replace(seat, powers=powers))
    return game


def opened(
    services: Services, world: World, game: Game, sides: Sides, now: datetime
) -> StoredPhase:
    """Return the opening as stored phase 0: the set-up and the income (INC-16)."""
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


def _start_messages(services: Services, view: GameView, now: datetime) -> list[Outgoing]:
    words, game = Words(view.world), view.game
    facts = {
        "head": head_now(services, view),
        "rules": (rules_message(view.world.scenario, game),),
        "commitment": commitment_lines(game.secret),
        "is_shared": game.shared is not None,
    }
    return [
        game_message(
            game,
            to.address,
            services.renderer.page("start", {**facts, **_for_starter(services, words, view, to)}),
            may_wait=True,
        )
        for to in addressees(services, game, view.people, now)
    ]


def for_beginner(services: Services, view: GameView, to: Addressee) -> Mapping[str, object]:
    """Return the position for a power's new leader, and lines to send back."""
    words, state = Words(view.world), to.sight.view(view.world, view.state)
    return {
        "units": tables.board_units(words, state),
        **with_map(services, view, to),
    }


def dossier_of(
    context: MailContext, view: GameView, to: Addressee
) -> tuple[tuple[MessageOrText, tuple[MessageOrText, ...]], ...]:
    """Return titled lines for who takes a power over: the last phase, how all stand, the people.

    What a master has corrected since counts. Nothing but what the seat may know.
    """
    words, last = Words(view.world), last_played(context)
    view = replace(view, people=context.people(view.game))
    sections: list[tuple[MessageOrText, tuple[MessageOrText, ...]]] = []
    if last is not None:
        seen = to.sight.phase(view.world, last.before, last.after, last.events, view.state.moment)
        played = PlayedPhase(*seen, orders={})
        events = to.sight.visible(played.events)
        title = Message("setup.dossier.last", phase=phase_name(words, last.before.moment))
        lines = [*news(words, played, events, to.powers)]
        for each in interludes(context):
            lines += correction_lines(words, each.before, each.after, each.events, to.sight)
        sections.append((title, tuple(lines)))
        now = replace(played, after=to.sight.view(view.world, view.state))
        standing = standings(words, now, to.sight)
        sections.append((Message("results.section.standing"), standing))
    players = player_lines(words, view, to.sight)
    sections.append((Message("title.players"), players))
    return tuple(sections)


def _for_starter(
    services: Services, words: Words, view: GameView, to: Addressee
) -> Mapping[str, object]:
    own, state = to.powers, to.sight.view(view.world, view.state)
    seen = to.sight.words(words.world, state)
    events = to.sight.visible(view.phase.events)
    shown = with_lesson(view, own, for_beginner(services, view, to))
    why = why_longer(view.game.settings, view.state.moment.stage, view.clock, None)
    due = cast("tuple[MessageOrText, ...]", shown["due"])
    return {
        **shown,
        "due": (why, *due) if why is not None else due,
        "players": player_lines(words, view, to.sight),
        "rolls": tables.rolls(words, events),
        "incomes": tables.incomes(words, state, events),
        "own": [words.power(power) for power in own],
        "own_signon": f"{own[0]}{view.game.name}" if own else "",
        "example": [
            line
            for power in own
            for line in said_for(seen, power, own, example(seen, state, power))
        ],
    }


def player_lines(
    words: Words,
    view: GameView,
    sight: Sight,
    skills: Mapping[PersonId, MessageOrText] = MappingProxyType({}),
) -> tuple[Message, ...]:
    """Return who leads what, by names only; in an anonymous game only which are taken.

    The players of an imported game are unknown.

    :param skills: what stands beside the names.
    """
    lines = []
    bots = view.bots()
    for power in words.world.scenario.in_play:
        seat = seat_of(view.game, power)
        person = view.people.get(seat.person) if seat is not None and seat.person else None
        is_shown = sight.sees_people() or power in sight.powers
        name = person.name if person and is_shown else ""
        lead = view.leads(power)
        lines.append(
            Message(
                "setup.player",
                power=words.power(power),
                name=name,
                is_led=person is not None or view.game.is_imported,
                is_bot=power in bots,
                skill=skills.get(person.id, "") if name and person else "",
                is_out=power in view.state.eliminated,
                lead=words.power(lead) if lead != power else "",
            )
        )
    return tuple(lines)


def tenure_lines(
    words: Words,
    game: Game,
    people: Mapping[PersonId, Person],
    sight: Sight,
    code_of: Callable[[int], str],
) -> tuple[Message, ...]:
    """Return who led the seats that have changed hands, each from which phase until which.

    :param code_of: the code of the phase that follows a stored one.
    """
    if not sight.sees_people():
        return ()
    powers = {seat.number: seat.powers for seat in game.seats}
    names: dict[PersonId | None, str] = {who: person.name for who, person in people.items()}
    return tuple(
        Message(
            "setup.tenure",
            powers=tuple(map(words.power, powers[each.seat])),
            name=names.get(each.person, ""),
            is_bot=each.bot,
            is_known=each.person is not None,
            since=code_of(each.since),
            until="" if each.until is None else code_of(each.until),
        )
        for each in game.seating.tenures
        if each.seat in powers
    )


_BEGUN = once_begun(Message("setup.has_begun"))


@setting("prflist", "prfboth", "prfrand", refused_in=_BEGUN)
def set_deal(context: MailContext, _: Line, said: Setting) -> None:
    """Deal the powers by the players' lists, or by lot alone: ``set prfrand``."""
    by_lot = (said.key == "prfrand") is said.on
    _change(context, Message("setup.deal", by_lot=by_lot), by_lot=by_lot)


@setting("manual start", "auto start", refused_in=_BEGUN)
def set_manual_start(context: MailContext, _: Line, said: Setting) -> None:
    """Begin at the master's word, or as soon as all seats are taken."""
    manual = (said.key == "manual start") is said.on
    _change(context, Message("setup.manual_start", on=manual), manual_start=manual)


@setting("reliability", also=("set ontimerat",))
@setting("resrat")
def set_record(context: MailContext, line: Line, said: Setting) -> None:
    """Require a record of newcomers: phases of 100 in time, or games of 100 left."""
    is_on_time = said.key == "reliability"
    percent = _percent(said, off=0 if is_on_time else _ALL)
    if percent is None:
        instead = "SET RELIABILITY 80" if is_on_time else "SET RESRAT 20"
        context.refuse(line, Message("setup.no_percent"), instead=instead)
    elif is_on_time:
        _change(context, Message("setup.on_time", percent=percent), least_on_time=percent)
    else:
        _change(context, Message("setup.most_left", percent=percent), most_left=percent)


_ALL = 100


def _percent(said: Setting, off: int) -> int | None:
    if not said.on:
        return off
    word = said.value[0].removesuffix("%") if said.value else ""
    try:
        number = float(word)
    except ValueError:
        return None
    percent = round(number * _ALL if "." in word and number <= 1 else number)
    return percent if 0 <= percent <= _ALL else None


def _change(context: MailContext, message: Message, **change: Any) -> None:  # noqa: ANN401  any field
    game = context.own_game
    tell(context, replace(game, settings=replace(game.settings, **change)), message)


@setting("players")
def set_players(context: MailContext, line: Line, said: Setting) -> None:
    """Play with fewer people than powers: ``set players 4``, ``set players 3 option 2``."""
    words = [word for word in said.value if word.lower() not in ("option", "players")]
    if len(words) not in (1, 2) or not all(word.isdecimal() for word in words):
        context.refuse(line, Message("setup.players.how_many"), instead="SET PLAYERS 4")
        return
    game = context.own_game
    atlas, scenario = context.services.atlas, context.services.scenario(game)
    wanted = for_players(atlas, scenario, [int(word) for word in words])
    if isinstance(wanted, Message):
        context.refuse(line, wanted)
    elif flaw := _flaw(game, wanted):
        context.refuse(line, flaw, instead="SET PLAYERS 4")
    else:
        changed = replace(game, scenario=wanted.id)
        message = Message("setup.players.set", n=wanted.players, scenario=wanted.id)
        context.set_game(changed)
        context.note("scenario", message)
        for each in (message, *people_lines(wanted)[1:], *advice(wanted, game.rules)):
            context.done(each)
        announce_setting(context, changed, [message, *people_lines(wanted)[1:]])


def _flaw(game: Game, wanted: Scenario) -> Message | None:
    if game.status is not Status.FORMING:
        return Message("setup.players.stay")
    if game.shared is not None and game.shared.until is not None:
        return Message("setup.words.asked_already")
    joined = len(players(game))
    return Message("setup.players.joined", n=joined) if joined > wanted.players else None


def advice(scenario: Scenario, rules: Rules) -> tuple[Message, ...]:
    """Return hints about further settings for the master."""
    variant = scenario.variant
    if variant is None:
        return ()
    if rules.victory.level is Level.BASIC and not variant.suits_basic_victory:
        return (Message("setup.players.no_basic"),)
    if variant.players <= FEW and cities_needed(rules.victory, variant.players) < CITIES_OF_FEW:
        return (Message("setup.players.more_cities", cities=CITIES_OF_FEW),)
    return ()


# The lists of those who may join a game, and of those who may not: ``set allow``, ``set deny``.
# An entry is an address, a pattern, or a person who is named. Addresses are shown to the masters
# alone.
@dataclass(frozen=True, slots=True)
class _Entry:
    """An entry of the lists of guests and of those kept out."""

    text: str
    """An address or a pattern in lower case; empty for a named person."""
    person: Person | None
    shown: str
    """Its name in the answer; empty for the whole list."""

    @property
    def texts(self) -> tuple[str, ...]:
        """What to remove from a list: the text, or each address of a named person."""
        if self.text or self.person is None:
            return (self.text,)
        return self.person.addresses


@setting("allow player", "deny player")
def set_guests(context: MailContext, line: Line, said: Setting) -> None:
    """Invite (then only the invited may join), readmit or keep out a person; or show the list."""
    entry = _entry(context, line, said)
    if entry is None:
        return
    invites = said.key == "allow player"
    settings = changed = context.own_game.settings
    if not said.on or " ".join(said.value).startswith("-"):
        changed = _not_invited(settings, entry) if invites else _not_denied(settings, entry)
        if entry.shown and changed == settings:
            key = "not_invited" if invites else "not_kept_out"
            context.done(Message(f"setup.guests.{key}", who=entry.shown))
    elif entry.shown and invites:
        changed = _let_in(context, settings, entry)
    elif entry.shown:
        changed = _denied(settings, entry)
        _tell_of_seats(context, entry)
    _save(context, changed)
    context.done(_invited(context, changed) if invites else _kept_out(context, changed))


def _invited(context: MailContext, settings: GameSettings) -> Message:
    names = (*_names(context, settings.invited), *settings.allowed)
    return Message("setup.guests.invited", are_few=is_by_invitation(settings), names=names)


def _kept_out(context: MailContext, settings: GameSettings) -> Message:
    names = (*_names(context, settings.shut_out), *settings.denied)
    return Message("setup.guests.kept_out", names=names)


def _entry(context: MailContext, line: Line, said: Setting) -> _Entry | None:
    """The entry that the words mean; without words the whole list.  Refuses what means nobody."""
    who = " ".join(said.value).removeprefix("-").strip()
    if not who:
        return _Entry("", None, "")
    person = person_meant(context, who)
    if "@" in who or "*" in who:
        known = None if isinstance(person, Message) else person
        return _Entry(who.lower(), known, who.lower())
    if isinstance(person, Message):
        context.refuse(line, Message("session.or_pattern", why=person))
        return None
    return _Entry("", person, person.name)


def shut_out(settings: GameSettings, person: PersonId) -> GameSettings:
    """Keep a person out, whatever their address, and withdraw the invitation."""
    invited = _without(settings.invited, person)
    return replace(settings, invited=invited, shut_out=_with(settings.shut_out, person))


def _let_in(context: MailContext, settings: GameSettings, entry: _Entry) -> GameSettings:
    """Readmit a person; where there is a list of the invited, invite them as well.

    In an open game an invitation would close it to everybody else.
    """
    freed = _not_denied(settings, entry)
    if freed != settings:
        context.done(Message("setup.guests.let_in", who=entry.shown))
        if not is_by_invitation(settings):
            return freed
    if entry.text:
        return replace(freed, allowed=_with(freed.allowed, entry.text))
    person = entry.person.id if entry.person is not None else ""
    return replace(freed, invited=_with(freed.invited, person))


def _not_invited(settings: GameSettings, entry: _Entry) -> GameSettings:
    allowed, invited = _taken_off(entry, settings.allowed, settings.invited)
    return replace(settings, allowed=allowed, invited=invited)


def _denied(settings: GameSettings, entry: _Entry) -> GameSettings:
    if entry.text:
        return replace(settings, denied=_with(settings.denied, entry.text))
    return shut_out(settings, entry.person.id) if entry.person is not None else settings


def _not_denied(settings: GameSettings, entry: _Entry) -> GameSettings:
    denied, shut_out = _taken_off(entry, settings.denied, settings.shut_out)
    return replace(settings, denied=denied, shut_out=shut_out)


def _taken_off(
    entry: _Entry, texts: tuple[str, ...], people: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Two lists, of addresses and of people, without an entry, or emptied."""
    if not entry.shown:
        return (), ()
    person = [entry.person.id] if entry.person is not None else []
    return _without(texts, *entry.texts), _without(people, *person)


def _with(entries: tuple[str, ...], one: str) -> tuple[str, ...]:
    return tuple(sorted({*entries, one}))


def _without(entries: tuple[str, ...], *those: str) -> tuple[str, ...]:
    return tuple(each for each in entries if each not in those)


def _save(context: MailContext, settings: GameSettings) -> None:
    game = context.own_game
    if settings == game.settings:
        return
    context.set_game(replace(game, settings=settings))
    invited = len(settings.allowed) + len(settings.invited)
    denied = len(settings.denied) + len(settings.shut_out)
    # Players read the log in the end, and addresses are private.
    context.note("invitations", Message("setup.guests.noted", invited=invited, denied=denied))


def _tell_of_seats(context: MailContext, entry: _Entry) -> None:
    person = entry.person
    held = [s for s in context.own_game.seats if person is not None and s.person == person.id]
    if person is not None and held:
        first = next((power for seat in held for power in seat.powers), person.name)
        context.done(Message("setup.guests.has_seat", name=person.name, seat=first))


def _names(context: MailContext, people: tuple[str, ...]) -> list[str]:
    found = (context.uow.persons.get(PersonId(each)) for each in people)
    return sorted(person.name for person in found if person is not None)


def guest_lines(context: MailContext) -> list[Message]:
    """Return both lists of the game for a master, unless empty."""
    settings = context.own_game.settings
    lines = []
    if is_by_invitation(settings):
        lines.append(_invited(context, settings))
    if settings.denied or settings.shut_out:
        lines.append(_kept_out(context, settings))
    return lines


LONGEST_GAME = 20

_GAME_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,19}")


@command("create", act=Act.ENTER, kind=Create, opens_seat=True, secret_at=2)
def create(context: MailContext, line: Line, said: Create) -> None:
    """Make a game that others can join; its creator is its master."""
    context.secrets.add(said.password)
    wanted = _wanted(context, said)
    if not isinstance(wanted, WantedGame):
        context.refuse_all(line, wanted)
        return
    person = newcomer(context, line, said.password)
    if person is None:
        return
    used_up = no_more_games(context)
    if used_up is not None:
        context.refuse_all(line, used_up)
        return
    hashed = context.services.passwords.hash(said.password)
    game = new_game(context.services, wanted, person, hashed, context.now)
    older = context.find_game(said.game)
    if not person.is_confirmed:
        person = _same_creator(context, older, said.password) or person
        context.changes.persons[person.id] = person
    if older is not None:
        # It is unconfirmed, and the first answer gets the name.
        context.changes.gives_way = older
        gone = {each.claimed.person for each in older.claims if each.claimed is not None}
        context.changes.forgotten |= gone - {person.id}
    (seat,) = game.seats
    if person.is_confirmed:
        context.found(game, seat)
        created(context, game, person)
        return
    # The game is hidden until its creator is confirmed.
    claim = replace(seat, claimed=Claimed(person.id, context.now))
    context.found(replace(game, seats=(), claims=(claim,)), claim)
    ask_to_answer(context, person)
    context.answer.verdict.append(Message("setup.waits_for_creator", game=game.name))


def _same_creator(context: MailContext, older: Game | None, password: str) -> Person | None:
    """The creator who asked for the game before, with the same address and password."""
    for claim in older.claims if older is not None else ():
        if older is None or claim.claimed is None or claim.address != context.address:
            continue
        may = may_try(context, older.id, people.MASTER)
        if may and people.is_right(context.services, claim.password, password):
            return context.uow.persons.get(claim.claimed.person)
    return None


def created(context: MailContext, game: Game, person: Person) -> None:
    """Log a new game, and tell its master how others join."""
    context.note("created", Message("setup.created_by", name=person.name))
    if game.settings.practice:
        _begin_practice(context, game, person)
        return
    scenario = context.services.scenario(game)
    context.answer.verdict += [
        Message("setup.created", game=game.name, needed=still_needed(scenario, game)),
        *people_lines(scenario),
        *advice(scenario, game.rules),
    ]


def _begin_practice(context: MailContext, game: Game, person: Person) -> None:
    """Seat the creator of a practice game among bots, and start it."""
    (master,) = game.seats
    own = replace(
        take_seat(game, Role.PLAYER, person, master.password), preferences=master.preferences
    )
    game = with_seat(game, own)
    for _ in range(still_needed(context.services.scenario(game), game)):
        free = Seat(next_number(game), Role.PLAYER, person=None, address="", password="")
        game = with_seat(game, free)
    changes, view = start(context.services, game, context.people(game), context.now)
    context.add(changes, view)
    (led,) = (seat for seat in players(view.game) if seat.person is not None)
    context.speak_from(led.number, led.powers[0])
    context.answer.verdict.append(Message("practice.begun", game=game.name))


def _wanted(context: MailContext, said: Create) -> WantedGame | MessageOrText:
    def confirmed(name: str) -> Game | None:
        """Return a confirmed game of that name; an unconfirmed one leaves the name free."""
        game = context.find_game(name)
        return game if game is not None and game.is_confirmed else None

    flaw = name_flaw(said.game, confirmed)
    if flaw is not None:
        return flaw
    words, numbers = _without_players(
        [word for word in said.wishes if word.lower() not in _LISTING]
    )
    if [word.lower() for word in words] == [_TUTORIAL_WORD]:
        return _tutorial(context, said.game)
    practice = any(word.lower() == _PRACTICE_WORD for word in words)
    words = [word for word in words if word.lower() != _PRACTICE_WORD]
    words, as_power = _without_power(words) if practice else (words, "")
    named = [] if not words or _is_rule(context, words[0]) else words[:1]
    scenario_id = named[0] if named else USUAL_SCENARIO
    scenario = scenario_called(context, scenario_id)
    if isinstance(scenario, Message):
        return scenario
    varied = for_players(context.services.atlas, scenario, numbers) if numbers else scenario
    if isinstance(varied, Message):
        return varied
    options = words[len(named) :]
    rules = rules_for(varied, options)
    if isinstance(rules, BadOption):
        return Message("setup.bad_option", word=rules.word, why=rules.why)
    asked = [_LISTING[word.lower()] for word in said.wishes if word.lower() in _LISTING]
    power = lexicon_of(varied).power(fold(as_power)) if as_power else ""
    if not isinstance(power, str) or (power and power not in varied.in_play):
        return Message("practice.no_power", power=as_power)
    return WantedGame(
        said.game,
        varied,
        rules,
        all(asked),
        preset_for(varied, options) or "judge",
        practice=practice,
        power=power,
    )


_PRACTICE_WORD, _TUTORIAL_WORD = "practice", "tutorial"


def _tutorial(context: MailContext, name: str) -> WantedGame | MessageOrText:
    """The game of the lessons: Florence in the usual scenario, without dice."""
    scenario = scenario_called(context, USUAL_SCENARIO)
    if isinstance(scenario, Message):
        return scenario
    rules = rules_for(scenario, ["nodice"])
    if isinstance(rules, BadOption):
        return Message("setup.bad_option", word=rules.word, why=rules.why)
    return WantedGame(name, scenario, rules, listed=False, practice=True, tutorial=True, power="L")


def _without_power(words: list[str]) -> tuple[list[str], str]:
    """The other words, and the power behind ``as``."""
    plain = [word.lower() for word in words]
    if "as" not in plain:
        return words, ""
    at = plain.index("as")
    return words[:at], " ".join(words[at + 1 :])


def _is_rule(context: MailContext, word: str) -> bool:
    """Return True for a word about the rules, so that no scenario precedes them."""
    if find_flag(word) is not None or word.lower() == "preset":
        return True
    return preset_of(word) is not None and not is_scenario_name(context, word)


_COUNTS = {
    word: str(number)
    for number, words in enumerate(
        (
            ("two", "2", "dos", "due"),
            ("three", "3", "tres", "tre"),
            ("four", "4", "cuatro", "quattro"),
            ("five", "5", "cinco", "cinque"),
            ("six", "6", "seis", "sei"),
            ("seven", "7", "siete", "sette"),
            ("eight", "8", "ocho", "otto"),
            ("nine", "9", "nueve", "nove"),
        ),
        2,
    )
    for word in words
}
"""Numbers of players, in figures and in the words of the judge's languages."""


def _without_players(words: list[str]) -> tuple[list[str], list[int]]:
    """The other words, and the numbers behind ``players``: of people, and of an option."""
    plain = [_COUNTS.get(word.lower(), word.lower()) for word in words]
    if "players" not in plain:
        return words, []
    at = plain.index("players")
    if at and plain[at - 1] in _COUNTS.values() and not "".join(plain[at + 1 : at + 2]).isdecimal():
        # "3 players" as well.
        return [*words[: at - 1], *words[at + 1 :]], [int(plain[at - 1])]
    behind = [word for word in plain[at + 1 :] if word != "option"]
    numbers = [int(word) for word in takewhile(str.isdecimal, behind)][:2]
    used = len(numbers) + ("option" in plain[at + 1 : at + 1 + len(numbers) + 1])
    return [*words[:at], *words[at + 1 + used :]], numbers


_LISTING = {"private": False, "unlisted": False, "nolist": False, "public": True, "listed": True}


def name_flaw(name: str, find: Callable[[str], Game | None]) -> Message | None:
    """Return why a new game cannot have a name; *find* gives the game that has it."""
    if not _GAME_NAME.fullmatch(name):
        return Message("setup.no_name", most=LONGEST_GAME)
    if find(name) is not None:
        return Message("setup.name_taken", name=name)
    return None


_GAMES = frozenset({"machiavelli", "mach", "mach1", "machiavelli1"})


@setting("scenario", also=("set variant",), refused_in=once_begun(Message("setup.scenario.stays")))
def set_scenario(context: MailContext, line: Line, said: Setting) -> None:
    """Take another scenario with its usual rules, or switch an option: ``set variant nodice``."""
    game, word = context.own_game, said.value[0] if said.value else ""
    if find_flag(word) is not None:
        _switch(context, line, game, word if said.on else f"no{word}")
    elif preset_of(word) == "mach2" and context.services.atlas.scenario(word) is None:
        set_edition(context, line, Setting("mach2", on=said.on))
    elif word.lower().replace("-", "").replace("_", "") in _GAMES:
        title, every = title_of(context.services.scenario(game)), known(context)
        flaw = Message("setup.scenario.only_game", title=title, id=game.scenario, known=every)
        context.refuse(line, flaw)
    else:
        _choose(context, line, game, word if said.on else "")


def _switch(context: MailContext, line: Line, game: Game, word: str) -> None:
    rules, found = with_word(game.rules, word), find_flag(word)
    if isinstance(rules, BadOption):
        context.refuse(line, rules.why)
        return
    names = {found[0].option} if found is not None else set()
    message = Message("setup.option", word=word.lower())
    change_rules(context, line, rules, message, names=names)


def _choose(context: MailContext, line: Line, game: Game, word: str) -> None:
    scenario = scenario_called(context, word)
    if isinstance(scenario, Message):
        near = nearest_scenario(context, word)
        context.refuse(line, scenario, instead=f"SET SCENARIO {near}" if near else None)
    elif (seats := len(players(game))) > scenario.players:
        most = scenario.players
        context.refuse(
            line, Message("setup.scenario.too_many", joined=seats, id=scenario.id, most=most)
        )
    else:
        _take(context, game, scenario)


def _take(context: MailContext, game: Game, scenario: Scenario) -> None:
    """Take the scenario with its usual rules; preferences for other powers are dropped."""
    rules = usual_rules(scenario)
    lost = tuple(_lost(context, game, rules))
    seats = tuple(replace(seat, preferences="") for seat in game.seats)
    settings = with_preset(game.settings, scenario.preset or "judge")
    changed = replace(game, scenario=scenario.id, rules=rules, seats=seats, settings=settings)
    message = Message("setup.scenario.set", title=title_of(scenario), id=scenario.id, lost=lost)
    tell(context, changed, message)
    if lost:
        context.done(Message("setup.scenario.set_again"))
    if any(seat.preferences for seat in players(game)):
        context.done(Message("setup.scenario.no_preferences"))


def _lost(context: MailContext, game: Game, rules: Rules) -> Iterator[MessageOrText]:
    name = nearest(game.rules)
    scenario = context.services.scenario(game)
    before = usual_rules(scenario, name)
    if name != nearest(rules):
        yield Message("setup.scenario.rules_of", name=name)
    for flag in FLAGS:
        now = is_on(game.rules, flag)
        if now is not is_on(before, flag) and now is not is_on(rules, flag):
            yield flag.name if now else f"no{flag.name}"
    for each in departures(game.rules, before):
        value = OPTIONS[each].of(game.rules)
        if each in _UNSWITCHED and value != OPTIONS[each].of(rules):
            yield f"{each} {value_text(value)}"
    set_so = service_departures(game.settings, with_preset(game.settings, name))
    lost = service_departures(game.settings, with_preset(game.settings, nearest(rules)))
    for each in set_so:
        if each in lost:
            yield f"{each} {value_text(service_value(game.settings, each))}"
    wins = victory_words(game.rules, scenario.players)
    if wins not in (victory_words(each, scenario.players) for each in (before, rules)):
        yield Message("setup.scenario.win_with", wins=wins)


_UNSWITCHED = frozenset(
    name for name, option in OPTIONS.items() if not option.facts.flag and option.group != "victory"
)
"""The options that neither a flag nor the victory condition shows."""


TIME_FOR_WORDS = timedelta(days=3)
"""From the last seat taken to the opening deadline."""

LONGEST_WORD = 40

People = Mapping[PersonId, Person]


@setting("dice")
def set_dice(context: MailContext, line: Line, said: Setting) -> None:
    """Switch the dice on or off, or have all players share them: ``set dice shared``."""
    game = context.own_game
    words = tuple(word.lower() for word in said.value)
    if words and (words != ("shared",) or not said.on):
        context.refuse(line, Message("setup.dice.known"), instead="SET DICE SHARED")
    elif words and game.status is not Status.FORMING:
        context.refuse(line, Message("setup.dice.from_beginning"))
    elif words and game.shared is not None:
        context.done(Message("setup.dice.shared_already"))
    elif words:
        rules = with_option(game.rules, "dice", value=True)
        changed = replace(game, rules=rules, shared=SharedDice())
        rule_settings.accept(context, changed, Message("setup.dice.shared", on=True))
    elif game.status is not Status.FORMING or game.shared is None:
        rule_settings.set_flag(context, line, said)
    elif game.shared.until is not None:
        # Players who know the words must not undo them.
        context.refuse(line, Message("setup.words.asked_already"))
    elif said.on:
        changed = replace(game, shared=None)
        rule_settings.accept(context, changed, Message("setup.dice.shared", on=False))
    else:
        context.set_game(replace(game, shared=None))
        rule_settings.set_flag(context, line, said)


@command("random", act=Act.ENTER, who=PLAYERS)
def give_word(context: MailContext, line: Line, said: PlainCommand) -> None:
    """Keep a player's random word, in place of an earlier one."""
    game, seat = context.own_game, context.own_seat
    flaw = _why_no_word(context, game.shared, said.text)
    if flaw is not None or game.shared is None:
        context.refuse(line, flaw or Message("setup.words.not_shared"))
        return
    others = tuple(word for word in game.shared.words if word.seat != seat.number)
    words = (*others, RandomWord(seat.number, said.text))
    context.set_game(replace(game, shared=replace(game.shared, words=words)))
    zone = zone_of(context.services, context.person)
    context.done(Message("setup.words.kept", word=said.text, until=game.shared.until, zone=zone))


def _why_no_word(context: MailContext, shared: SharedDice | None, word: str) -> Message | None:
    if shared is None:
        return Message("setup.words.not_shared")
    if shared.until is None:
        return Message("setup.words.later")
    if shared.published or context.received >= shared.until:
        return Message("setup.words.over")
    if len(word) > LONGEST_WORD or not word.isprintable():
        return Message("setup.words.too_long", most=LONGEST_WORD)
    if context.safe(word) != word:
        return Message("setup.words.is_password")
    return None


def begin(context: MailContext, game: Game) -> bool:
    """Start a game whose seats are taken, or ask for words first; return True if it started."""
    if game.shared is None:
        changes, view = start(context.services, game, context.people(game), context.now)
        context.add(changes, view)
        return True
    if game.shared.until is None:
        # A full hour.
        until = (context.now + TIME_FOR_WORDS).replace(minute=0, second=0, microsecond=0)
        if until < context.now + TIME_FOR_WORDS:
            until += timedelta(hours=1)
        asked = replace(game, shared=SharedDice(until=until))
        context.set_game(asked)
        context.note("words", Message("setup.words.asked"))
        context.messages += _messages(
            context.services, "words_wanted", asked, context.people(asked), context.now
        )
    return False


def asked_until(game: Game) -> datetime | None:
    """Return until when a game waits for words; None if it does not."""
    if game.status is not Status.FORMING or game.shared is None:
        return None
    return game.shared.until


def is_asking(game: Game) -> bool:
    """Return True if a game waits for words."""
    return asked_until(game) is not None


def due(services: Services, game: Game, people: People, now: datetime) -> Changes | None:
    """Return what such a game needs: publishing the words, the start, or nothing."""
    shared = game.shared
    if shared is None or shared.until is None:
        return None
    if still_needed(services.scenario(game), game) and not shared.published:
        # A player has left: words are asked for again when the seat is taken.
        return _with_dice(services, game, SharedDice(), Message("setup.words.forgotten"), now)
    if shared.published:
        changes, _ = start(services, game, people, now)
        changes.read = game
        return changes
    asked = {seat.number for seat in players(game) if seat.person is not None}
    if now < shared.until and not asked <= {word.seat for word in shared.words}:
        return None
    seats = {seat.number for seat in players(game)}
    words = tuple(word for word in shared.words if word.seat in seats)
    message = Message("setup.words.published", n=len(words))
    changes = _with_dice(
        services, game, SharedDice(words, shared.until, published=True), message, now
    )
    if changes.game is not None:
        changes.messages += _messages(services, "words", changes.game, people, now)
    return changes


def _with_dice(
    services: Services, game: Game, shared: SharedDice, message: Message, now: datetime
) -> Changes:
    notice = log_entry(services, game.id, now, None, "words", message)
    return Changes(read=game, game=replace(game, shared=shared), notices=[notice])


def word_lines(game: Game) -> tuple[str, ...]:
    """Return the words in the order of their receipt, numbered, without their players."""
    words = game.shared.words if game.shared is not None else ()
    return tuple(f"{number:>3}  {word.text}" for number, word in enumerate(words, start=1))


def _messages(
    services: Services, page: str, game: Game, people: People, now: datetime
) -> list[Outgoing]:
    facts = {
        "head": head_of(services, game),
        "until": game.shared.until if game.shared is not None else None,
        "commitment": commitment_lines(game.secret),
        "words": word_lines(game),
    }
    return [
        game_message(game, to.address, services.renderer.page(page, {**facts, "reader": to.reader}))
        for to in addressees(services, game, people, now)
    ]
