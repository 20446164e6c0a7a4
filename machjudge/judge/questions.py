"""Answers about games, people and ratings, to commands and to questions in plain words."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo
from functools import lru_cache
from itertools import groupby
from operator import itemgetter

from machjudge.adjudicator.board import Scenario
from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.money.bank import CREDIT, RATES
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.orders import Expense, Named, Purpose
from machjudge.adjudicator.prices import ATTEMPT, STEP, price_of
from machjudge.adjudicator.units import Quality
from machjudge.adjudicator.world import world_of
from machjudge.judge.clock import times
from machjudge.judge.commands import ENTRIES, command
from machjudge.judge.confirmation import unconfirmed_lines
from machjudge.judge.credentials import Act, Verdict, verdict
from machjudge.judge.endings import outcome
from machjudge.judge.game_settings import Ratings
from machjudge.judge.game_view import (
    GameView,
    SeenGame,
    delay_lines,
    load,
    open_powers,
    people_of,
    players,
    progress,
    reader_of,
    record_line,
    record_of,
    times_late,
    zone_of,
)
from machjudge.judge.mail_context import MailContext, Work
from machjudge.judge.mails import Attachment, paged
from machjudge.judge.outgoing import head_of, sight_of, view_for_power
from machjudge.judge.ports import ScenarioUnusable, Services, UnitOfWork
from machjudge.judge.ratings import (
    PowerFigures,
    RatedGame,
    Record,
    Unrated,
    figures_of,
    finish_of,
    places_of,
    players_of,
    points_text,
    records_of,
    why_unrated,
)
from machjudge.judge.records import (
    Calendar,
    Clock,
    End,
    Game,
    Person,
    PersonId,
    Role,
    Seat,
    Status,
)
from machjudge.judge.reminders import (
    after_deadline,
    calendar_path,
    out_of_reach_lines,
    seat_goes,
)
from machjudge.judge.rule_settings import (
    PRESET_WORDS,
    RuleSet,
    of_game,
    of_preset,
    preset_of,
    rules_message,
    scenario_called,
    service_contrasts,
    usual_rules,
)
from machjudge.judge.setup import guest_lines, player_lines, still_needed, tenure_lines
from machjudge.judge.sign_in import hint_for_reader
from machjudge.language.commands import List, PlainCommand
from machjudge.language.words import (
    RESIGNING,
    Topic,
    area_of,
    cut,
    deed_of,
    fold,
    priced_in,
    questions_in,
    topic_of,
)
from machjudge.mail_parser.lines import Line
from machjudge.map_files.toml_reader import BrokenMap
from machjudge.messages import tables
from machjudge.messages.receipt import asked, retreat_lines, ways_of
from machjudge.messages.render import MessageHeader, Reader, Text
from machjudge.messages.visibility import Sight
from machjudge.messages.wording import Words, contrasts, played_with, title_of
from machjudge.translatable import Message, MessageOrText, phrase


@dataclass(frozen=True, slots=True)
class Brief:
    """A game in the list of all."""

    name: str
    variant: str
    phase: str
    """Empty while the game forms."""
    needed: int | None
    """Players missing in a forming game; None if that is secret."""
    ends: datetime | None
    open: tuple[PowerId, ...]


def briefs(services: Services, uow: UnitOfWork, games: Sequence[Game]) -> list[Brief]:
    """Return the list entries of some games."""
    phases = uow.phases.now(games)
    return [brief(services, uow, game, phases.get(game.id, "")) for game in games]


def brief(services: Services, uow: UnitOfWork, game: Game, phase: str) -> Brief:
    """Return the list entry of a game in a phase with that code, even with a broken scenario."""
    ends = game.clock.ends if game.clock is not None else None
    scenario = usable_scenario(services, game)
    if scenario is None:
        return Brief(game.name, game.scenario, phase, needed=None, ends=ends, open=())
    return Brief(
        name=game.name,
        variant=phrase("{} ({})", title_of(scenario), scenario.id),
        phase=phase,
        needed=None if game.settings.secret else still_needed(scenario, game),
        ends=ends,
        open=tuple(sorted(open_powers(services, uow, game), key=scenario.in_play.index)),
    )


def usable_scenario(services: Services, game: Game) -> Scenario | None:
    """Return the scenario of a game; None if its file is missing or broken."""
    try:
        return services.scenario(game)
    except ScenarioUnusable:
        return None


def may_list(game: Game, person: PersonId | None) -> bool:
    """Return True if a game is listed, or the asker sits at it."""
    if not game.is_confirmed:
        return False
    sitting = {seat.person for seat in game.seats} | {game.master}
    return game.settings.listed or (person is not None and person in sitting)


def listing_facts(
    services: Services, uow: UnitOfWork, shown: Game | GameView, reader: Reader, sight: Sight
) -> Mapping[str, object]:
    """Return the facts of the template ``listing`` that this reader may see.

    *shown* is a game as it is stored, or one in the middle of a mail that changes it.
    """
    if isinstance(shown, GameView):
        return _running(services, shown, reader, sight)
    if shown.position is not None:
        return _running(services, load(services, uow, shown), reader, sight)
    scenario, people = services.scenario(shown), people_of(uow, shown)
    is_told = sight.manages or not shown.settings.secret
    joined = names_at(players(shown), people) if is_told else ()
    return {
        **_EMPTY,
        **_settings(scenario, shown),
        "head": head_of(services, shown),
        "needed": still_needed(scenario, shown) if is_told else None,
        "people": (*master_lines(uow.persons.get(shown.master)), *joined),
    }


def _running(
    services: Services, view: GameView, reader: Reader, sight: Sight
) -> Mapping[str, object]:
    words, game = Words(view.world), view.game
    state, in_play = sight.view(view.world, view.state), view.world.scenario.in_play
    late = [(words.power(power), times_late(game, power)) for power in in_play]
    watching = [seat for seat in game.seats if seat.role is Role.OBSERVER]
    return {
        **_EMPTY,
        **_settings(words.world.scenario, game),
        "head": head_of(services, game, state.moment.code),
        "moment": words.moment(state.moment),
        **_course(view, words, reader, sight),
        "people": (
            *master_lines(view.people.get(game.master)),
            *player_lines(words, view, sight),
            *(Message("info.observer", name=name) for name in names_at(watching, view.people)),
        ),
        "out_of_reach": out_of_reach_lines(view, reader, sight),
        "units": tables.board_units(words, state),
        "dislodged": [
            line for dislodged in state.dislodged for line in retreat_lines(words, dislodged)
        ],
        "treasuries": tables.treasuries(
            words, state, sight, dated=sight.sees_all or state.moment.stage is Stage.ADJUSTMENT
        ),
        "chits": tables.chits(words, state, tuple(filter(sight.sees_chits_of, in_play))),
        "votes": tuple(_votes(words, view, sight)),
        "late_counts": [each for each in late if each[1]] if game.settings.late_count else None,
        "holdings": tables.holdings(words, state),
    }


def _settings(scenario: Scenario, game: Game) -> Mapping[str, object]:
    """The settings of a game; of an imported one only its rules are known."""
    known = {"name": game.name, "rules": (rules_message(scenario, game),)}
    if game.is_imported:
        return known
    return {
        **known,
        "press": (Message("press.rules", rules=game.settings.press),),
        "times": (times(game.settings),),
        "comment": game.settings.comment,
    }


_EMPTY: Mapping[str, object] = {
    "moment": "",
    **dict.fromkeys(("outcome", "broken_off", "deadline", "late_counts")),
    **dict.fromkeys(("press", "times", "comment", "units", "dislodged"), ()),
    **dict.fromkeys(("treasuries", "chits", "votes", "holdings", "out_of_reach"), ()),
}


def _votes(words: Words, view: GameView, sight: Sight) -> Iterator[Message]:
    for seat in players(view.game):
        if not any(sight.sees_votes_of(power) for power in seat.powers):
            continue
        voters = tuple(map(words.power, seat.powers))
        if seat.draw is not None:
            among = tuple(map(words.power, seat.draw))
            yield Message("info.votes_for_draw", voters=voters, among=among)
        if seat.concede is not None:
            winner = words.power(seat.concede)
            yield Message("info.concedes", voters=voters, winner=winner)


def _course(view: GameView, words: Words, reader: Reader, sight: Sight) -> Mapping[str, object]:
    game = view.game
    if game.ending is not None:
        result = outcome(words, game.ending, practice=game.settings.practice)
        return {"outcome": result, "ended": game.ending.at, "held": ()}
    clock = view.clock
    return {
        "broken_off": broken_off(clock, reader.zone),
        "deadline": clock.deadline if clock.paused is None else None,
        "held": delay_lines(view, words, reader.now, reader.zone, sight),
    }


def broken_off(clock: Clock, zone: tzinfo) -> Message | None:
    """Return that a game is won or broken off, and when it ends; None if it goes on."""
    if clock.ends is None:
        return None
    return Message("info.broken_off", ends=clock.ends, zone=zone, won=clock.won)


def master_lines(person: Person | None) -> Iterable[Message]:
    """Return the line of a listing that names the master, if any."""
    return [Message("info.master", name=person.name)] if person is not None else []


def names_at(seats: Iterable[Seat], people: Mapping[PersonId, Person]) -> list[str]:
    """Return the names of the people at some seats."""
    sitting = (people.get(seat.person) for seat in seats if seat.person is not None)
    return [person.name for person in sitting if person is not None]


_MAX = 10

_SINCE = timedelta(days=30)


@command("ping", is_dry=True)
def ping(context: MailContext, _: Line, __: PlainCommand) -> None:
    """Report what arrived, and recent messages to the address of this answer only."""
    mail, since = context.mail, context.now - _SINCE
    facts = {
        "mail": mail,
        "is_reply_to_used": context.answer_to == (mail.reply_to or "").lower(),
        "received": context.received,
        "now": context.now,
        "is_late": context.now - context.received >= timedelta(minutes=1),
        "zone": zone_of(context.services, context.person),
        "person": context.person,
        "opened": context.game is not None and context.seat is not None,
        "unheard": context.uow.inbox.unheard(context.address, since, _MAX),
        "posted": context.uow.outbox.lately(context.answer_to, since, _MAX),
    }
    context.answer.texts.append(Text("PING", context.renderer.lines("ping", facts)))


_FILE = "my-data.json"


@command("send my data", act=Act.GAMES)
def send_my_data(context: MailContext, line: Line, _: PlainCommand) -> None:
    """Send the writer their stored data; a password proves a seat, not a person."""
    person = context.person
    is_proven = verdict(Act.GAMES, context.proof) is Verdict.YES
    if person is None or not person.is_confirmed or not is_proven:
        context.refuse(line, Message("info.own_data.no_proof"))
        return
    known = {
        "person": {
            "name": person.name,
            "addresses": person.addresses,
            "time zone": person.zone,
            "registered": person.registered,
        },
        **context.uow.personal_data.of(person),
    }
    text = json.dumps(known, ensure_ascii=False, indent=1, default=_written)
    facts = {
        "head": MessageHeader(context.services.judge.code),
        "subject": Message("info.own_data.subject"),
        "lines": (Message("info.own_data.letter", file=_FILE),),
        "reader": reader_of(context.services, person, context.now),
    }
    page = context.services.renderer.page("token", facts)
    file = Attachment(_FILE, "application/json", text.encode("utf-8", "replace"))
    context.send(replace(paged(person.addresses[0], page), attachments=(file,)))
    context.done(Message("info.own_data.sent", address=person.addresses[0]))


@command("get calendar", act=Act.PERSON)
def get_calendar(context: MailContext, line: Line, _: PlainCommand) -> None:
    """Tell each address of the writer where its calendar file is, and nobody else."""
    web, person = context.services.judge.web, context.person
    if web is None:
        context.refuse(line, Message("info.calendar.no_pages"))
        return
    if person is None or not person.is_confirmed:
        context.refuse(line, Message("setup.register_first"))
        return
    if person.calendar is Calendar.OFF:
        context.refuse(line, Message("info.calendar.off"), instead="SET CALENDAR LINK")
        return
    for address in person.addresses:
        path = calendar_path(context.services.secret, address)
        facts = {
            "head": MessageHeader(context.services.judge.code),
            "subject": Message("info.calendar.subject"),
            "lines": (Message("info.calendar.letter", link=web + path, is_whole=bool(web)),),
            "reader": reader_of(context.services, person, context.now),
        }
        context.send(paged(address, context.services.renderer.page("token", facts)))
    context.done(Message("info.calendar.sent", addresses=person.addresses))


def _written(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


_SETTING_ENTRIES = {
    "moderated": "moderated",
    "access": "access",
    "level": "level",
    "dedication": "dedication",
    "rated": "rated",
    "resume": "resume",
    "proxy": "proxy",
    "powers": "powers",
    "name": "name",
    "allow master": "allow_master",
    "rating": "rated",
    "foreign press": "foreign_press",
    "foreign rule": "foreign_rule",
}

UNSUPPORTED_PHRASES = {
    "unstart": ("unstart",),
    "press_end": ("endpress", "endbroadcast"),
    "postal_end": ("endpostal", "endpostalpress"),
    "diary_end": ("enddiary",),
    "become_master": ("become master", "add master", "add gm", "add co-master"),
    "go_on": ("restart",),
    "join": ("join", "enroll", "enter game", "subscribe"),
    "takeover": ("takeover",),
    "leave": (
        "quit",
        "leave game",
        "leave the game",
        "abandon",
        "leave",
        "unsubscribe",
        *RESIGNING,
    ),
    "draw": ("vote", "draw", "nodraw", "concede", "concession", "surrender"),
    "begin": ("start game", "start the game", "begin game", "begin the game", "start", "begin"),
    "play": ("adjudicate", "rollforward", "run"),
    "undo": ("undo", "revert"),
    "orders": ("orders", "my orders", "show orders"),
    "replace": ("replace", "replace order", "replace orders"),
    "log": ("master log", "masterlog", "game log"),
    "end": ("delete game", "end game"),
    "seat": ("kick", "dummy", "replace player"),
    "readmit": ("un-eject", "readmit", "unban"),
    "invite": ("invite",),
    "time": ("extend", "extension", "delay", "postpone"),
    "deadline": ("deadline",),
    "grace": ("grace",),
    "clock": ("timing",),
    "password": ("password", "change password", "new password"),
    "address": ("address", "change address", "email"),
    "rename": ("rename",),
    "lines_of_register": ("name:",),
    "scenario": ("variant", "scenario"),
    "opening": ("set-up", "setup"),
    "keeper": ("adjust dedication", "record", "fixid", "no control"),
    "records": ("dedication",),
    "ready": ("done", "submit", "finished", "finalize"),
    "wait": ("not ready", "unready"),
    "set_nowait": ("unwait", "unset wait"),
    "nowait": ("no wait", "not wait", "don't wait", "dont wait"),
    # With what questions begin, and nothing that may be an order.
    "question": (
        "what",
        "how",
        "when",
        "where",
        "why",
        "which",
        "can",
        "could",
        "would",
        "should",
        "does",
    ),
}
"""First words of other judges' commands and old habits, by the entries that explain them."""

UNSUPPORTED_COMMANDS = {
    phrase: entry for entry, phrases in UNSUPPORTED_PHRASES.items() for phrase in phrases
}

UNSUPPORTED_PRESS = dict.fromkeys(
    (
        "announce",
        "anonymous press",
        "e-mail",
        "gray press",
        "grey press",
        "letter",
        "mail",
        "message",
        "msg",
        "partial press",
        "postal",
        "private press",
        "secret press",
        "send message",
        "send press",
        "tell",
        "whisper",
        "white press",
        "write",
        "write to",
    ),
    "press",
)
"""First words of other judges' messages; their lines are no orders here either."""

UNSUPPORTED_SETTINGS = {
    key: Message(f"foreign.setting.{entry}") for key, entry in _SETTING_ENTRIES.items()
}
"""The replacement for settings of other judges."""
QUESTION = Message("foreign.command.question")
"""The answer to a question in plain words."""
_MAX_WORDS = 5
_FIRST_WORDS = frozenset(
    phrase.split()[0] for phrase in (*UNSUPPORTED_COMMANDS, *UNSUPPORTED_PRESS)
)


def supported_instead(line: str) -> Message | None:
    """Return the equivalent of another judge's command; None for any other line."""
    entry = _entry(line, UNSUPPORTED_COMMANDS) or _entry(line, UNSUPPORTED_PRESS)
    return Message(f"foreign.command.{entry}") if entry is not None else None


def begins_press(line: str) -> bool:
    """Return True if a line begins a message in the words of another judge."""
    return _entry(line, UNSUPPORTED_PRESS) is not None


def _entry(line: str, phrases: dict[str, str]) -> str | None:
    return next((phrases[each] for each in _beginnings(line) if each in phrases), None)


@lru_cache(maxsize=256)
def _beginnings(line: str) -> tuple[str, ...]:
    """The first words of a line, longest first; none if no phrase begins with the first."""
    written = line.split(maxsplit=_MAX_WORDS)[:_MAX_WORDS]
    words = [fold(word).rstrip(".,;!?") for word in written[:1]]
    if not _FIRST_WORDS.issuperset(words):
        return ()
    words += [fold(word).rstrip(".,;!?") for word in written[1:]]
    return tuple(" ".join(words[:count]) for count in range(len(words), 0, -1))


@command("info player", also=("get reliability",))
def info_player(context: MailContext, line: Line, said: PlainCommand) -> None:
    """Tell somebody how reliable they are; masters also of the people of their games.

    The answer uses the name of the question, so that no address is matched with a name.
    """
    own = _own_person(context)
    person = person_or_refuse(context, line, said.text) if said.text else own
    if person is None and not said.text:
        context.refuse(line, Message("info.player.own"))
    if person is None:
        return
    if person != own and not _is_of_master(context, person):
        context.refuse(line, Message("info.player.private"))
        return
    record = record_line(record_of(context.uow.games.attended_by(person), person))
    name = context.person.name if not said.text and context.person is not None else said.text
    context.answer.texts.append(Text(Message("info.title.player", who=name), (record,)))


def _own_person(context: MailContext) -> PersonId | None:
    """The person who writes: by a proof of theirs, or by the password of a seat of theirs."""
    person = context.person
    if person is None or context.became or context.is_claim:
        return None
    sits = context.seat is not None and context.seat.person == person.id
    is_known = sits or verdict(Act.GAMES, context.proof) is Verdict.YES
    return person.id if is_known else None


def _is_of_master(context: MailContext, person: PersonId) -> bool:
    """Return True if a master asks about somebody who has, had or wants a seat of the game."""
    game, seat = context.game, context.seat
    if game is None or seat is None or seat.role is not Role.MASTER or context.is_claim:
        return False
    seats = (*game.seats, *game.ejected)
    sat = {who for each in seats for who in (each.person, each.former)}
    return person in sat or any(each.person == person for each in game.attendance)


def person_or_refuse(context: MailContext, line: Line, who: str) -> PersonId | None:
    """Return the person of that address or name at a game; refuse unless there is exactly one."""
    by_address = context.uow.persons.by_address(who)
    if by_address is not None:
        return by_address.id
    called = context.uow.persons.by_name(who.replace("_", " "))
    found = sorted(context.uow.games.seated([person.id for person in called]))
    if len(found) == 1:
        return found[0]
    context.refuse(line, Message("info.player.several" if found else "info.player.nobody", who=who))
    return None


@command("list", kind=List, is_dry=True, tells_orders=True)
def list_games(context: MailContext, line: Line, said: List) -> None:
    """List all public games in brief, or some in full."""
    words = said.game.split()
    plain = {word.lower() for word in words}
    every = bool(words) and plain <= _EVERY
    if every and game_meant(context, words[0]) is None:
        _list(context, full=said.full, open_="forming" in plain or "open" in plain)
    elif words or context.game is not None:
        for name in words or [""]:
            game = game_or_refuse(context, line, name, "LIST")
            if game is not None:
                _show(context, game)
    else:
        _list(context, full=said.full)


_EVERY = frozenset(
    {"all", "every", "games", "game", "forming", "open", "my", "mine", "public", "running", "the"}
)


def _list(context: MailContext, *, full: bool, open_: bool = False) -> None:
    shown = [game for game in context.uow.games.unfinished() if may_be_shown(context, game)]
    if open_:
        shown = [
            game
            for game in shown
            if game.status is Status.FORMING or any(s.person is None for s in players(game))
        ]
    if full:
        whole = [game for game in shown if usable_scenario(context.services, game)]
        for game in whole:
            _show(context, game)
        shown = [game for game in shown if game not in whole]
        if whole and not shown:
            return
    entries = briefs(context.services, context.uow, shown)
    lines = context.renderer.lines("list", {"games": entries})
    context.answer.texts.append(Text(Message("info.title.games"), lines))


def game_or_refuse(context: MailContext, line: Line, name: str, command: str) -> Game | None:
    """Return the game that is named, or that of the mail; refuse if there is none."""
    game = game_meant(context, name)
    if game is None and name:
        hint = hint_for_reader(context, name, command)
        context.refuse(line, Message("info.unknown_game"), instead=hint)
    elif game is None:
        context.refuse(line, Message("info.which_game", command=command))
    return game


def stored_game_or_refuse(context: MailContext, line: Line, name: str, command: str) -> Game | None:
    """Return the same game as stored, without this mail's changes."""
    game = game_or_refuse(context, line, name, command)
    return context.find_game(game.id) if game is not None else None


def game_meant(context: MailContext, name: str) -> Game | None:
    """Return the game that is named, or that of the mail, if it may be shown."""
    own = (
        context.game if context.game is not None and name.lower() in ("", context.game.id) else None
    )
    game = own or (context.find_game(name) if name else None)
    return game if game is not None and may_be_shown(context, game) else None


def may_be_shown(context: MailContext, game: Game) -> bool:
    """Return True if a game is listed, or the mail has opened a seat there."""
    is_open = context.game is not None and context.game.id == game.id and context.seat is not None
    if is_open and (not context.is_claim or not game.is_confirmed):
        return True
    if verdict(Act.GAMES, context.proof) is not Verdict.YES:
        return may_list(game, None)
    return may_list(game, context.person.id if context.person is not None else None)


def _show(context: MailContext, game: Game) -> None:
    reader = reader_of(context.services, context.person, context.now)
    stored = context.find_game(game.id)
    if stored is None:
        return
    sight = sight_at(context, stored)
    facts = listing_facts(context.services, context.uow, as_it_is(context, stored), reader, sight)
    is_open = context.seat is not None and (not context.is_claim or not game.is_confirmed)
    known = is_open and context.game is not None and context.game.id == game.id
    said = {
        **facts,
        "reader": reader,
        "with_head": not known,
        "is_master": sight.sees_all or sight.is_over,
        "open": brief(context.services, context.uow, stored, "").open,
        "guests": [*guest_lines(context), *unconfirmed_lines(game)]
        if known and sight.is_master
        else [],
    }
    lines = context.renderer.lines("listing", said)
    context.answer.texts.append(Text(Message("info.title.game", game=game.name), lines))


def sight_at(context: MailContext, game: Game) -> Sight:
    """Return what the writer may see of a game from the opened seat."""
    is_open = context.game is not None and context.game.id == game.id and not context.is_claim
    if is_open and context.game is not None and context.seat is not None:
        return sight_of(context.game, [context.seat])
    return sight_of(game, [])


def as_it_is(context: MailContext, stored: Game) -> Game | GameView:
    """Return the game with this mail's settings, orders and corrections."""
    if context.game is None or context.game.id != stored.id:
        return stored
    return context.game if context.current is None else replace(context.current, game=context.game)


@command("who", also=("who game", "who late"), is_dry=True, tells_orders=True)
def who(context: MailContext, line: Line, said: PlainCommand) -> None:
    """Tell who plays a game, by names only, or for whom it waits."""
    plain = [word.lower() for word in said.words]
    is_late = "late" in plain
    if plain[:1] == ["is"] and not is_late:
        context.refuse(line, Message("info.no_persons"))
        return
    words = [word for word in said.words if word.lower() not in _NO_GAMES]
    game = game_or_refuse(context, line, words[0] if words else "", "WHO")
    if game is None:
        return
    if is_late:
        _who_is_late(context, line, game)
        return
    if game.position is None:
        joined = [*_joined(context, game)]
        people: Sequence[MessageOrText] = joined or [Message("info.nobody_joined")]
    else:
        view = load(context.services, context.uow, game)
        sight = sight_at(context, game)
        skills = _skills_at(context, game) if sight.sees_people() else {}
        people = player_lines(Words(view.world), view, sight, skills)
    lines = (*people, *_public_addresses(context, game))
    context.answer.texts.append(Text(Message("info.title.who", game=game.name), lines))
    led = _tenures(context, game)
    if led:
        context.answer.texts.append(Text(Message("title.tenures"), led))


def _tenures(context: MailContext, game: Game) -> tuple[Message, ...]:
    """Who led the seats that have changed hands."""
    if not game.seating.tenures:
        return ()
    words, phases = Words(context.services.world(game)), context.uow.phases
    return tenure_lines(
        words,
        game,
        context.people(game),
        sight_at(context, game),
        lambda number: phases.get(game.id, number).after.moment.code,
    )


def _skills_at(context: MailContext, game: Game) -> Mapping[PersonId, Message]:
    """The skill ratings of a game's players: ``10-5.8`` (RAT-06)."""
    people = [seat.person for seat in players(game) if seat.person is not None]
    records = records_of(context.uow.games.finishes(people)) if people else {}
    skills = {}
    for person in people:
        own = records.get(person, {})
        rated = (Ratings.BATTLELINE, Ratings.HOF)
        texts = {each.value: own[each].skill_text if each in own else "" for each in rated}
        if own:
            skills[person] = Message("info.stats.skill", **texts)
    return skills


def _joined(context: MailContext, game: Game) -> Iterator[Message]:
    people, skills = context.people(game), _skills_at(context, game)
    for seat in players(game):
        if seat.person in people:
            name, skill = people[seat.person].name, skills.get(seat.person, "")
            yield Message("info.joined", name=name, skill=skill)


_NO_GAMES = frozenset({"game", "games", "is", "late", "full", "all", "plays", "in", "the"})


def _public_addresses(context: MailContext, game: Game) -> Iterator[str]:
    """The public addresses of a game's people, for a reader who has signed on."""
    if (
        context.game is None
        or context.game.id != game.id
        or context.seat is None
        or context.is_claim
    ):
        return
    if not sight_at(context, game).sees_people():
        return
    people = context.people(context.game)
    for seat in context.game.seats:
        if seat.public and seat.person in people:
            yield f"{people[seat.person].name} <{seat.address}>"


def _who_is_late(context: MailContext, line: Line, game: Game) -> None:
    """The missing; before the deadline, by name for masters only."""
    if game.status is not Status.RUNNING:
        context.refuse(line, Message("info.not_played"))
        return
    shown = as_it_is(context, game)
    view = shown if isinstance(shown, GameView) else load(context.services, context.uow, shown)
    sight, zone = sight_at(context, game), zone_of(context.services, context.person)
    ends = broken_off(view.clock, zone)
    lines: Sequence[MessageOrText] = (
        [ends]
        if ends is not None
        else delay_lines(view, Words(view.world), context.now, zone, sight)
    )
    title = Message("info.title.late", game=game.name)
    context.answer.texts.append(Text(title, tuple(lines)))


@command("version", is_dry=True)
def version(context: MailContext, _: Line, __: PlainCommand) -> None:
    """Tell the program's version and its load."""
    games = context.uow.games.unfinished()
    running = sum(game.status is Status.RUNNING for game in games)
    forming = sum(game.status is Status.FORMING for game in games)
    program = context.services.judge.version
    message = Message("info.version", version=program, running=running, forming=forming)
    context.answer.texts.append(Text(Message("info.title.version"), (message,)))


_FILLERS = frozenset(
    {"between", "of", "from", "to", "and", "vs", "with", "preset", "presets", "rules"}
)
_TWO = 2


@command("differences", is_dry=True)
def differences(context: MailContext, line: Line, said: PlainCommand) -> None:
    """Compare the rules of two sets, or of this game and one set."""
    words = [word.strip(",") for word in said.words if word.strip(",").lower() not in _FILLERS]
    sides = [_side(context, word) for word in words]
    faults = [each for each in sides if isinstance(each, Message)]
    if faults or not 0 < len(sides) <= _TWO:
        why = faults[0] if faults else Message("info.differences.two", known=PRESET_WORDS)
        context.refuse(line, why, instead=ENTRIES["differences"].usage)
        return
    own = of_game(context.game) if context.game else of_preset("judge")
    found = [each for each in sides if isinstance(each, RuleSet)]
    left, right = [*([own] if len(sides) < _TWO else []), *found]
    facts = {
        "left": left.name,
        "right": right.name,
        "rows": (
            *contrasts(left.rules, right.rules),
            *service_contrasts(left.settings, right.settings),
        ),
    }
    title = Message("info.title.differences", left=left.name, right=right.name)
    lines = context.renderer.lines("differences", facts)
    context.answer.texts.append(Text(title, lines))


def _side(context: MailContext, word: str) -> RuleSet | Message:
    preset = preset_of(word)
    if preset is not None:
        return of_preset(preset)
    game = game_meant(context, word)
    if game is not None:
        return of_game(game)
    return Message("setup.rule.no_preset", known=PRESET_WORDS)


_MAX_GAMES = 3


def give_welcome(context: MailContext) -> None:
    """Add an introduction: how to join, games with room, where help is."""
    found = [game for game in context.uow.games.unfinished() if may_list(game, None)]
    entries = briefs(context.services, context.uow, found)
    forming = {game.name for game in found if game.status is Status.FORMING}
    room = [entry for entry in entries if entry.name in forming or entry.open]
    facts = {"games": sorted(room, key=lambda entry: entry.name not in forming)[:_MAX_GAMES]}
    lines = context.renderer.lines("welcome", facts)
    context.answer.texts.append(Text(Message("info.title.welcome"), lines))


_MAX_ANSWERED = 8
# Questions in plain words, answered shortly with what the seat that asks may know. Any other
# question comes back as a message to the master that is ready to be sent.
_NEXT_QUESTION = re.compile(r"(?<=\?)\s++(?=[^?]*+\?)")
"""Between two questions of one line."""
_LONGEST_CODE = 3
"""A word up to this length is a place only if it is a place's code."""


def answer_questions(context: MailContext, lines: Sequence[Line]) -> None:
    """Answer the questions of a mail after its orders are on file."""
    answers: list[MessageOrText] = []
    asked = [text for line in lines for text in _NEXT_QUESTION.split(line.text)]
    for text in asked[:_MAX_ANSWERED]:
        found = [each for part in questions_in(text) for each in _answers(context, part)]
        if not found and context.seat is not None and context.seat.role is Role.MASTER:
            found.append(Message("info.asked.help"))
        elif not found:
            # A question to the master, as its asker can send it on.
            found.append(Message("info.asked.ask_master"))
            rows = ("PRESS TO M", context.safe(text), "ENDPRESS")
            found += [Message("info.asked.line", text=row) for row in rows]
        answers += [Message("info.asked.question", text=context.safe(text)), *found, ""]
    if answers:
        context.answer.texts.append(Text(Message("info.asked.title"), tuple(answers[:-1])))


def _answers(context: MailContext, text: str) -> Iterator[MessageOrText]:
    topic, view = topic_of(text), context.view()
    if topic is None:
        return
    if view is None or context.is_claim:
        yield context.why_not_played()
        return
    yield from _ANSWERS[topic](context, view, text)


def _due(context: MailContext, view: GameView, _: str) -> Iterator[MessageOrText]:
    clock, reader = view.clock, reader_of(context.services, context.person, context.now)
    yield Message(
        "info.asked.due",
        phase=Words(view.world).moment(view.state.moment),
        deadline=clock.deadline,
        zone=reader.zone,
        left=clock.deadline - context.now,
        is_over=context.now >= clock.deadline,
        stands=clock.paused is not None or clock.ends is not None,
    )


def _changes(context: MailContext, view: GameView, text: str) -> Iterator[MessageOrText]:
    yield Message(
        "info.asked.change",
        is_over=view.is_overdue(context.now),
        has_ended=view.clock.ends is not None,
    )
    yield from _due(context, view, text)


def _silence(context: MailContext, view: GameView, text: str) -> Iterator[MessageOrText]:
    """What becomes of those whose orders are missing at the deadline."""
    clock, zone = view.clock, zone_of(context.services, context.person)
    yield from _due(context, view, text)
    if clock.paused is not None or clock.ends is not None:
        return
    settings = view.game.settings
    yield Message("info.asked.silent")
    if settings.manual:
        yield Message("info.asked.by_hand")
    else:
        yield after_deadline(view, zone, 1)
    if settings.excused_hours:
        yield Message("info.asked.excused", hours=settings.excused_hours)
    if settings.substitute_hours or settings.vacant is not None:
        yield Message("info.asked.line", text=seat_goes(view))


def _late(context: MailContext, view: GameView, _: str) -> Iterator[MessageOrText]:
    sight, zone = sight_at(context, view.game), zone_of(context.services, context.person)
    yield from delay_lines(view, Words(view.world), context.now, zone, sight)


def _received(context: MailContext, view: GameView, _: str) -> Iterator[MessageOrText]:
    powers = context.seat.powers if context.seat is not None else ()
    for power in powers:
        order_set = view.order_sets.get(power)
        yield Message(
            "info.asked.received",
            power=Words(view.world).power(power),
            n=len(order_set.lines) if order_set is not None else 0,
        )
        yield from progress(view, power)


def _players(context: MailContext, view: GameView, text: str) -> Iterator[MessageOrText]:
    """The leaders of the named powers, or all; without names in anonymous games."""
    words, lexicon = Words(view.world), context.lexicon(view.game)
    named = {
        power
        for word in cut(fold(text))
        if len(word) > 1 and isinstance(power := lexicon.power(word), str)
    }
    in_play = view.world.scenario.in_play
    lines = player_lines(words, view, sight_at(context, view.game))
    for power, line in zip(in_play, lines, strict=True):
        if power in named or not named.intersection(in_play):
            yield line


def _master(context: MailContext, view: GameView, _: str) -> Iterator[MessageOrText]:
    yield from master_lines(view.people.get(view.game.master))


def _led(context: MailContext, view: GameView) -> tuple[SeenGame, PowerId] | None:
    power = context.power
    return (view_for_power(view, power), power) if power is not None else None


def _money(context: MailContext, view: GameView, _: str) -> Iterator[MessageOrText]:
    led = _led(context, view)
    if led is None or not view.world.rules.game.money:
        yield Message("info.asked.no_money")
        return
    seen, power = led
    ducats = seen.state.treasuries.get(power, 0)
    yield Message("todo.treasury", power=seen.words.power(power), ducats=ducats)
    yield from tables.chit_lines(seen.words, seen.state, power)


_KINDS = {
    "militia": Quality.MILITIA,
    "mercenary": Quality.MERCENARY,
    "professional": Quality.PROFESSIONAL,
    "cavalry": Quality.CAVALRY,
    "unit": Quality.PLAIN,
}
_ON_UNITS = {"ei": Purpose.BUY, "dgh": Purpose.DISBAND, "f": Purpose.TO_AUTONOMOUS}


def _price(context: MailContext, view: GameView, text: str) -> Iterator[MessageOrText]:
    """What something costs by the rules of the game; of a bribe to a unit that is seen, exactly."""
    rules, what = view.world.rules, priced_in(text)
    if not rules.game.money:
        yield Message("info.price.no_money")
    elif what in _KINDS:
        yield _price_of_kind(context, view, _KINDS[what])
    elif what == "loan" and rules.money.loans:
        yield Message("info.price.loan", one=RATES[1], two=RATES[2], most=CREDIT)
    elif what == "loan":
        yield played_with("loans", value=False)
    elif what == "assassin":
        yield played_with("assassinations", value=rules.money.assassinations)
        if rules.money.assassinations:
            yield Message("info.price.assassin", attempt=ATTEMPT)
    elif what == "c":
        yield Message("info.price.counter_bribe", step=STEP)
    else:
        yield from _prices_of_bribes(context, view, text, what)


def _price_of_kind(context: MailContext, view: GameView, quality: Quality) -> Message:
    rules, plain = view.world.rules, quality is Quality.PLAIN
    is_played = rules.special.cavalry if quality is Quality.CAVALRY else rules.game.special
    if not plain and not is_played:
        return played_with("special", value=False)
    led = context.power
    if led is not None and not view.world.allows(led, quality):
        return Message("info.price.not_yours", kind=quality.name.lower())
    most = None if plain else view.world.special_limit(view.state.moment.campaign)
    ducats, strength = quality.price, quality.strength
    kind = quality.name.lower()
    return Message("info.price.unit", kind=kind, ducats=ducats, strength=strength, most=most)


def _prices_of_bribes(
    context: MailContext, view: GameView, text: str, letters: str
) -> Iterator[Message]:
    """The price of a bribe to the named unit, or the rows of the price list with these letters."""
    led, purpose = _led(context, view), _ON_UNITS.get(letters)
    if led is not None and purpose is not None:
        seen, power = led
        places = _places(seen, text)
        aims = [each for each in seen.state.units() if each.place in places]
        for unit in (each for each in aims if each.owner != power):
            expense = Expense(1, purpose, 0, Named(unit.kind, unit.place), None)
            price = price_of(view.world, seen.state, expense).ducats
            yield Message("info.price.bribe", unit=seen.words.whose(unit), ducats=price)
        if aims:
            return
    prices = view.world.rules.money.prices
    priced = [letter for letter in letters if letter in prices]
    if priced:
        rows = (Message(f"options.expense.{each}", ducats=prices[each]) for each in priced)
        yield Message("info.price.list", rows=tuple(rows))
    if set(letters) & set("defghi"):
        yield Message("info.price.more")


def _rule(context: MailContext, view: GameView, text: str) -> Iterator[MessageOrText]:
    """The order for something of which the rules tell, and where."""
    if area_of(text):
        yield from _how(context, view, text)


def _reach(context: MailContext, view: GameView, text: str) -> Iterator[MessageOrText]:
    """The named destinations of units, as far as the asker sees them."""
    led = _led(context, view)
    if led is None:
        return
    seen, power = led
    places = _places(seen, text)
    units = [unit for unit in seen.state.units() if unit.place in places]
    if not units and not places:
        units = list(seen.state.units_of(power))
    for unit in units:
        ways = ways_of(seen.words, unit)
        yield ways or Message("info.asked.stays", unit=seen.words.unit(unit))
    if not units:
        yield Message("info.asked.no_unit", places=tuple(map(seen.words.place, sorted(places))))
    else:
        yield Message(f"info.asked.may.{seen.state.moment.stage.name.lower()}")


def _places(seen: SeenGame, text: str) -> frozenset[PlaceId]:
    """The places that a question names by complete words."""
    plain, lexicon = cut(fold(text)), seen.lexicon
    names = (" ".join(plain[at : at + n]) for at in range(len(plain)) for n in (1, 2, 3))
    found = (lexicon.place(n) for n in names if n in lexicon.exact or len(n) > _LONGEST_CODE)
    return frozenset(each for each in found if isinstance(each, str))


def _how(context: MailContext, view: GameView, text: str) -> Iterator[MessageOrText]:
    """The line that does something, in an adjustment what can be built, and where its rules are."""
    deed, area = deed_of(text), area_of(text)
    if deed:
        yield Message(f"info.how.{deed}")
    led = _led(context, view)
    if deed == "build" and led is not None and view.state.moment.stage is Stage.ADJUSTMENT:
        seen, power = led
        for choice in asked(seen.words, seen.state, power).choices:
            yield from choice.lines
    if area:
        yield Message("info.asked.rules", area=area)


_ANSWERS: Mapping[Topic, Callable[[MailContext, GameView, str], Iterator[MessageOrText]]] = {
    Topic.DEADLINE: _due,
    Topic.PHASE: _due,
    Topic.CHANGE: _changes,
    Topic.RECEIVED: _received,
    Topic.SILENCE: _silence,
    Topic.LATE: _late,
    Topic.MASTER: _master,
    Topic.PLAYERS: _players,
    Topic.PRICE: _price,
    Topic.MONEY: _money,
    Topic.REACH: _reach,
    Topic.RULE: _rule,
    Topic.HOW: _how,
}


_MAX_PEOPLE = 20
"""Rows of a table of the judge, the best first."""
_JUDGE = frozenset({"all", "judge", "games", "of"})


@command("stats", also=("ratings", "rating"), is_dry=True)
def stats(context: MailContext, line: Line, said: PlainCommand) -> None:
    """Report on all finished games, on one, a scenario, or a person (for sure behind *player*)."""
    context.progress.work += Work.HISTORY
    first, *rest = [*said.words, ""]
    if _JUDGE.issuperset(word.lower() for word in said.words):
        _of_judge(context)
    elif first.lower() == "player" and any(rest):
        _of_person(context, line, " ".join(rest).strip())
    elif first.lower() == "game":
        name = " ".join(rest).strip()
        game = game_or_refuse(context, line, name, "STATS")
        if game is not None:
            _of_game(context, game)
    elif (game := game_meant(context, said.text)) is not None:
        _of_game(context, game)
    elif said.text.lower() in context.services.atlas.scenario_ids():
        _of_scenario(context, line, said.text)
    else:
        _of_person(context, line, said.text)


def _of_person(context: MailContext, line: Line, who: str) -> None:
    found = person_or_refuse(context, line, who)
    if found is None:
        return
    records = records_of(context.uow.games.finishes([found])).get(found, {})
    lines: list[MessageOrText] = [
        message for ratings in Ratings for message in _record_stats(ratings, records.get(ratings))
    ]
    lines = lines or [Message("info.stats.nothing")]
    if found == _own_person(context):
        own = context.uow.games.finishes([found], is_rated=False)
        lines += _figures(context.services, figures_of(own, found), Message("info.stats.own"))
    title = Message("info.title.stats_of_player", who=who)
    context.answer.texts.append(Text(title, tuple(lines)))


def _of_scenario(context: MailContext, line: Line, name: str) -> None:
    """How the powers of a scenario have fared in the listed games that are over."""
    scenario = scenario_called(context, name)
    if isinstance(scenario, Message):
        context.refuse(line, scenario)
        return
    finishes = context.uow.games.finishes(scenario=scenario.id, is_rated=False)
    head = _ends(Counter(finish.end for finish in finishes))
    figures = figures_of(finishes)
    lines = (head, *_figures(context.services, figures, Message("info.stats.powers")))
    title = Message("info.title.stats_of_scenario", scenario=scenario.title)
    context.answer.texts.append(Text(title, lines))


def _figures(
    services: Services, figures: Mapping[tuple[str, str, PowerId], PowerFigures], title: Message
) -> Iterator[MessageOrText]:
    """A table for each scenario, and each edition of it, by its powers in their order."""
    editions = Counter(name for name, _ in {(name, edition) for name, edition, _ in figures})
    for (name, edition), of_scenario in groupby(sorted(figures), key=itemgetter(0, 1)):
        try:
            scenario = services.atlas.scenario(name)
        except BrokenMap:
            continue
        if scenario is None:
            continue
        words, there = Words(world_of(scenario, usual_rules(scenario))), set(of_scenario)
        rules = Message(f"presets.{edition}") if editions[name] > 1 else ""
        yield ""
        yield Message("info.stats.by_power", title=title, scenario=scenario.title, rules=rules)
        for power in scenario.in_play:
            if (name, edition, power) in there:
                one = figures[name, edition, power]
                yield Message(
                    "info.stats.figures",
                    power=words.power(power),
                    games=one.games,
                    won=one.won,
                    shared=one.shared,
                    eliminated=one.eliminated,
                    cities=one.cities_text,
                )


def _record_stats(ratings: Ratings, record: Record | None) -> Iterator[Message]:
    if record is None:
        return
    yield Message(
        "info.stats.record",
        ratings=ratings.value,
        skill=record.skill_text,
        points=points_text(record.points),
        games=record.games,
    )
    for (first, last), (count, points) in sorted(record.places.items()):
        yield Message(
            "info.stats.place",
            place=_place_text(first, last),
            times=count,
            points=points_text(points),
        )


def _place_text(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"


def _of_game(context: MailContext, game: Game) -> None:
    title = Message("info.title.stats_of_game", game=game.name)
    context.answer.texts.append(Text(title, tuple(_game_lines(context, game))))


def _game_lines(context: MailContext, game: Game) -> Iterator[MessageOrText]:
    ending, number = game.ending, game.position
    found = context.uow.phases.holdings(game.id, number) if number is not None else ()
    finish = finish_of(game, found)
    if ending is None or finish is None:
        rated = played_with("ratings", game.settings.ratings)
        yield Message("info.stats.not_over", rated=rated)
        return
    words, why = Words(context.services.world(game)), why_unrated(finish)
    yield outcome(words, ending, practice=game.settings.practice)
    if why not in (Unrated.OFF, Unrated.BROKEN_OFF):
        is_told = sight_at(context, game).sees_people()
        people = context.people(game).values() if is_told else ()
        names = {person.id: person.name for person in people}
        yield from _powers(words, finish, names)
        if any(len(player.powers) > 1 for player in players_of(finish)):
            yield from _players_stats(words, finish, names)
    led = _tenures(context, game)
    if led:
        yield ""
        yield Message("title.tenures")
        yield from led
    if why is not None:
        yield Message(f"info.stats.unrated.{why.value}")


def _powers(words: Words, finish: RatedGame, names: Mapping[PersonId, str]) -> Iterator[Message]:
    leaders = {p: seat.person for seat in finish.seats if seat.person for p in seat.powers}
    for power, place in places_of(finish).items():
        yield Message(
            "info.stats.power",
            place=_place_text(place.first, place.last),
            power=words.power(power),
            cities=finish.cities[power],
            points=points_text(place.points),
            name=names.get(leaders[power], "") if power in leaders else "",
        )


def _players_stats(
    words: Words, finish: RatedGame, names: Mapping[PersonId, str]
) -> Iterator[Message]:
    """Leaders of several powers count by the points of all of them (RAT-05)."""
    for player in players_of(finish):
        yield Message(
            "info.stats.player",
            place=_place_text(player.place.first, player.place.last),
            powers=tuple(map(words.power, player.powers)),
            name=names.get(player.person, "") if player.person else "",
            total=points_text(player.total),
            points=points_text(player.place.points),
        )


def _of_judge(context: MailContext) -> None:
    lines = judge_stats(context.uow)
    context.answer.texts.append(Text(Message("info.title.stats"), lines))


def judge_stats(uow: UnitOfWork) -> tuple[MessageOrText, ...]:
    """Return how the games of the judge ended, and the best by each way of rating."""
    ends = uow.games.ends()
    finishes = uow.games.finishes()
    counted = sum(why_unrated(finish) is None for finish in finishes)
    lines: list[MessageOrText] = [
        _ends(ends),
        Message("info.stats.counted", n=counted) if counted else Message("info.stats.nothing"),
    ]
    records = records_of(finishes)
    for ratings in Ratings:
        rated = [(who, own[ratings]) for who, own in records.items() if ratings in own]
        # By skill, then by games; the rest is left to chance by the tokens of people.
        ranked = sorted(rated, key=lambda each: (-each[1].skill, -each[1].games, each[0]))
        if ranked:
            lines += ["", Message(f"info.stats.title_{ratings.value}")]
            lines += _table(uow, ranked)
    return tuple(lines)


def scenario_stats(services: Services, uow: UnitOfWork) -> tuple[MessageOrText, ...]:
    """Return how the powers of each scenario have fared in all games that were not practice."""
    figures = figures_of(uow.games.finishes(is_rated=False))
    return tuple(_figures(services, figures, Message("info.stats.powers")))


def _ends(ends: Mapping[End, int]) -> Message:
    return Message(
        "info.stats.over",
        total=sum(ends.values()),
        victories=ends.get(End.VICTORY, 0),
        draws=ends.get(End.DRAW, 0),
        concessions=ends.get(End.CONCESSION, 0),
        terminated=ends.get(End.TERMINATED, 0),
    )


def _table(uow: UnitOfWork, ranked: Sequence[tuple[PersonId, Record]]) -> Iterator[Message]:
    shown = ranked[:_MAX_PEOPLE]
    people = uow.persons.of([who for who, _ in shown])
    for who, record in shown:
        if who in people:
            yield Message("info.stats.person", skill=record.skill_text, name=people[who].name)
    if len(ranked) > len(shown):
        yield Message("info.stats.more", n=len(ranked) - len(shown))
