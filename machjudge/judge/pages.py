"""The public web pages: an index, and a page and a replay for each listed game; also imports.

Hidden facts neither stand in them nor change them, so that watching the files shows no more than
reading them.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from itertools import groupby
from urllib.parse import quote

import structlog

from machjudge.adjudicator.board import Scenario
from machjudge.adjudicator.events import is_correction
from machjudge.adjudicator.legality import sort_out
from machjudge.adjudicator.moments import Moment, Stage, read_moment
from machjudge.adjudicator.names import MachjudgeError, PowerId
from machjudge.adjudicator.state import View
from machjudge.adjudicator.world import world_of
from machjudge.drawing import as_played, lacking
from machjudge.drawing.animation import HEIGHT, WIDTH, Flipbook, bands
from machjudge.drawing.marks import colours_of
from machjudge.drawing.scene import Scene
from machjudge.formats.game_file import Chronicle, ChronicleEntry, ChronicleLine
from machjudge.formats.values import shown
from machjudge.judge.audience import aim_of
from machjudge.judge.clock import times
from machjudge.judge.endings import declared, finished, outcome
from machjudge.judge.game_view import delay_lines, load, read_order_lines, reader_of, zone_of
from machjudge.judge.order_sets import absent_in
from machjudge.judge.outgoing import sight_of
from machjudge.judge.pictures import phase_seen
from machjudge.judge.ports import Services, UnitOfWork
from machjudge.judge.press import press_facts_of, signed_by
from machjudge.judge.questions import brief, broken_off, may_list, usable_scenario
from machjudge.judge.records import (
    Calendar,
    End,
    Ending,
    FiledOrder,
    Game,
    GameId,
    Holding,
    MailId,
    OrderSet,
    Person,
    PersonId,
    PressItem,
    Provenance,
    RandomWord,
    SharedDice,
    Status,
    StoredPhase,
    holdings,
    is_by_invitation,
)
from machjudge.judge.reminders import (
    CalendarEntry,
    calendar_of,
    calendar_owners,
    calendar_path,
)
from machjudge.judge.rule_settings import rules_message
from machjudge.judge.setup import WantedGame, name_flaw, new_game
from machjudge.messages import results
from machjudge.messages.receipt import cities_that_count
from machjudge.messages.render import Reader, phase_name, title
from machjudge.messages.results import correction_lines
from machjudge.messages.tables import map_in_words
from machjudge.messages.visibility import Sight
from machjudge.messages.wording import SectionLine, Words
from machjudge.translatable import Message, MessageOrText


@dataclass(frozen=True, slots=True)
class ReadPress:
    """A message and its heading."""

    at: datetime
    title: MessageOrText
    text: str


def press_for(uow: UnitOfWork, game: Game, words: Words, sight: Sight) -> Iterator[ReadPress]:
    """Return the press that a reader may see, as they may see it, oldest first."""
    for item in uow.press.all_of(game.id):
        if sight.sees_message(press_facts_of(item)):
            yield ReadPress(item.at, _title(item, words, sight), item.text)


def _title(item: PressItem, words: Words, sight: Sight) -> MessageOrText:
    press_facts = press_facts_of(item)
    signed = signed_by(words, item.author) if sight.sees_signature(press_facts) else ""
    if item.postal:
        return Message("info.history.postal", author=signed)
    readers = item.aim if item.shown is None or sight.sees_author(press_facts) else item.shown
    return title(signed, aim_of(words.world.scenario, readers), anonymous=item.anonymous)


@dataclass(frozen=True, slots=True)
class TurnRead:
    """A played phase, or corrections by one mail during a phase."""

    code: str
    at: datetime
    words: Words
    before: View
    after: View
    played: results.PlayedPhase | None
    corrected: tuple[MessageOrText, ...] = ()

    def results_for(self, sight: Sight) -> results.Results | None:
        """The results as the reader may read them; None for corrections."""
        return (
            None if self.played is None else results.phase_results(self.words, self.played, sight)
        )

    def scene(self, sight: Sight) -> Scene:
        """What a picture of it shows its reader."""
        return Scene(self.after) if self.played is None else phase_seen(self.played, sight)


def line_of_phases(uow: UnitOfWork, game: Game) -> tuple[StoredPhase, ...]:
    """Return the phases that led to the current position, oldest first; none rolled back."""
    return line_to(game.position, uow.phases.all_of(game.id))


def line_to(number: int | None, phases: Iterable[StoredPhase]) -> tuple[StoredPhase, ...]:
    """Return those of some phases that led to the one with that number, oldest first."""
    by_number = {phase.number: phase for phase in phases}
    found: list[StoredPhase] = []
    while number is not None and number in by_number:
        found.append(by_number[number])
        number = by_number[number].parent
    return tuple(reversed(found))


def last_year(turns: Sequence[TurnRead]) -> Sequence[TurnRead]:
    """Return the turns of the last three campaigns with a played phase."""
    campaigns = dict.fromkeys(turn.before.moment.campaign for turn in reversed(turns))
    last = [*campaigns][:_CAMPAIGNS_OF_A_YEAR]
    return [turn for turn in turns if turn.before.moment.campaign in last]


_CAMPAIGNS_OF_A_YEAR = 3


@dataclass(frozen=True, slots=True)
class TurnReader:
    """Reads the turns of a game for one reader."""

    services: Services
    uow: UnitOfWork
    game: Game
    sight: Sight

    def turns(self, phases: Sequence[StoredPhase]) -> Iterator[TurnRead]:
        """Return the turns after the opening that led to the current position."""
        now = phases[-1].after.moment
        shown = (phase for phase in phases if phase.parent is not None and not phase.is_secret)
        for (is_fix, _, _), group in groupby(
            shown, key=lambda each: (is_correction(each.events), each.moment, each.processed)
        ):
            if is_fix:
                yield self._corrected([*group], now)
            else:
                yield from (self._played(phase, now) for phase in group)

    def _played(self, phase: StoredPhase, now: Moment) -> TurnRead:
        world, moment = self.services.world(self.game), phase.before.moment
        orders = {
            power: read_order_lines(world, moment.stage, lines)
            for power, lines in phase.orders.items()
        }
        standing = sort_out(world, phase.before, orders).standing
        on_file = self.uow.order_sets.on_file
        order_sets = on_file(self.game.id, phase.parent) if phase.parent is not None else {}
        seen = self.sight.phase(world, phase.before, phase.after, phase.events, now)
        played = results.PlayedPhase(*seen, standing, absent_in(world, phase, order_sets))
        words = self.sight.words(world, seen.before)
        return TurnRead(moment.code, phase.processed, words, seen.before, seen.after, played)

    def _corrected(self, phases: Sequence[StoredPhase], now: Moment) -> TurnRead:
        """The master's corrections during a phase."""
        words, sight = Words(self.services.world(self.game)), self.sight
        corrections = (
            correction_lines(words, phase.before, phase.after, phase.events, sight, now)
            for phase in phases
        )
        return TurnRead(
            phases[0].moment,
            phases[0].processed,
            words,
            sight.view(words.world, phases[0].before, now),
            sight.view(words.world, phases[-1].after, now),
            None,
            tuple(line for lines in corrections for line in lines),
        )


INDEX = "index.html"
FOLDERS = ("games", "replays", "calendars")
"""Each listed game has a page in the first two, under its name."""
_HIDES = "calendars/index.html"
"""Web servers show it in place of a list of the folder."""


@dataclass(frozen=True, slots=True)
class WayIn:
    """How to join or watch a game: what it does, and the line to mail to the judge."""

    what: str
    line: str


@dataclass(frozen=True, slots=True)
class GameCard:
    """A game in the index, without people's names."""

    id: str
    name: str
    variant: str
    phase: str
    """In words; empty while it forms."""
    state: tuple[str, ...]
    """Its deadline, whom it waits for, or how it ended."""
    rules: tuple[str, ...]
    has_begun: bool
    deadline: datetime | None = None
    """None while the clock stands."""
    waits_for: tuple[str, ...] = ()
    """Whose orders are missing, after the deadline."""
    ways: tuple[WayIn, ...] = ()


def card_of(services: Services, uow: UnitOfWork, game: Game, phase: str, now: datetime) -> GameCard:
    """Return the card of a game in a phase with that code."""
    say, about = services.renderer.say, brief(services, uow, game, phase)
    rules: list[str] = []
    if (scenario := usable_scenario(services, game)) is not None:
        moment = read_moment(phase)
        words = Words(services.world(game))
        phase = say(phase_name(words, moment)) if moment is not None else ""
        rules.append(say(rules_message(scenario, game)))
    if not game.is_imported:
        rules.append(say(Message("press.rules", rules=game.settings.press)))
        rules.append(say(times(game.settings)))
    return GameCard(
        game.id,
        game.name,
        about.variant,
        phase,
        tuple(say(line) for line in _state(services, game, about.needed, about.open)),
        (*rules, *game.settings.comment),
        game.position is not None,
        clock.deadline if (clock := game.clock) and not (clock.paused or clock.ends) else None,
        tuple(say(line) for line in _waits_for(services, uow, game, now)),
        tuple(_ways_in(services, game, about.needed, about.open)),
    )


def _waits_for(
    services: Services, uow: UnitOfWork, game: Game, now: datetime
) -> Iterator[MessageOrText]:
    """For whom a game waits after its deadline, as far as everybody is told.

    Before the deadline nothing on the page tells who has ordered.
    """
    clock = game.clock
    stands = clock is None or clock.paused is not None or clock.ends is not None
    if clock is None or stands or now < clock.deadline or usable_scenario(services, game) is None:
        return
    view = load(services, uow, game)
    sight = sight_of(game, [])
    yield from delay_lines(view, Words(view.world), now, zone_of(services, None), sight)


def _ways_in(
    services: Services, game: Game, needed: int | None, seats: tuple[str, ...]
) -> Iterator[WayIn]:
    """The lines by which to join, take a seat over, or watch."""
    say, is_by_list = services.renderer.say, is_by_invitation(game.settings)
    if game.ending is not None or game.is_imported or game.status is Status.FINISHED:
        return
    password = say(Message("web.password"))
    if game.position is None and (needed is None or needed):
        yield WayIn(say(Message("web.join", invited=is_by_list)), f"SIGNON ?{game.name} {password}")
    elif game.position is not None:
        for power in seats:
            name = Words(services.world(game)).power(PowerId(power))
            what = say(Message("web.take_over", power=name, invited=is_by_list))
            yield WayIn(what, f"SIGNON {power}{game.name} {password}")
    yield WayIn(say(Message("web.watch")), f"OBSERVE {game.name} {password}")


def _state(
    services: Services, game: Game, needed: int | None, seats: tuple[str, ...]
) -> Iterator[Message]:
    zone, clock = zone_of(services, None), game.clock
    if game.ending is not None and usable_scenario(services, game) is not None:
        yield outcome(Words(services.world(game)), game.ending)
    if game.position is None and needed is not None:
        yield Message("web.needed", n=needed)
    ends = broken_off(clock, zone) if clock is not None else None
    if ends is not None:
        yield ends
    elif clock is not None and clock.paused is not None:
        yield Message("web.paused")
    elif clock is not None:
        yield Message("web.deadline", at=clock.deadline, zone=zone)
    if seats and game.position is not None and game.ending is None:
        yield Message("web.open", powers=seats)


def cards(
    services: Services, uow: UnitOfWork, games: list[Game], now: datetime
) -> Mapping[str, GameCard]:
    """Return the cards of some games, by their ids."""
    phases = uow.phases.now(games)
    return {game.id: card_of(services, uow, game, phases.get(game.id, ""), now) for game in games}


Section = tuple[MessageOrText, Sequence[SectionLine]]
"""A title, and the lines below."""


@dataclass(frozen=True, slots=True)
class PowerStanding:
    """A power's holdings after a turn."""

    power: PowerId
    name: str
    cities: int
    ducats: int | None
    """None if hidden from the reader, and in games without money."""


@dataclass(frozen=True, slots=True)
class TurnShown:
    """A turn, or the opening, on the page."""

    code: str
    """The phase that was played: ``S1454M``; of the opening, ``start``."""
    title: MessageOrText
    at: datetime
    view: View
    scene: Scene
    sections: tuple[Section, ...]
    standing: tuple[PowerStanding, ...]
    press: tuple[ReadPress, ...]
    """Written from then until the next turn."""

    @property
    def ends_year(self) -> bool:
        """True for the opening and each Fall, which the tables of years show."""
        return self.view.moment.stage is Stage.ADJUSTMENT


@dataclass(frozen=True, slots=True)
class GameCourse:
    """A game with all its turns, as one reader may see it."""

    game: Game
    words: Words
    sight: Sight
    turns: tuple[TurnShown, ...]

    @property
    def years(self) -> tuple[TurnShown, ...]:
        """The opening, the end of each Fall, and the position now, each with its corrections."""
        last = len(self.turns) - 1
        shown = (t for n, t in enumerate(self.turns) if n in (0, last) or t.ends_year)
        return tuple({turn.view.moment: turn for turn in shown}.values())


def course_of(services: Services, uow: UnitOfWork, game: Game, sight: Sight) -> GameCourse | None:
    """Return the turns of a game; None before it has begun."""
    phases = line_of_phases(uow, game)
    return course_along(services, uow, game, sight, phases) if phases else None


def course_along(
    services: Services, uow: UnitOfWork, game: Game, sight: Sight, phases: Sequence[StoredPhase]
) -> GameCourse:
    """Return the turns of a game that took the course of these phases."""
    words = Words(services.world(game))
    turns = [*TurnReader(services, uow, game, sight).turns(phases)]
    first = _opening(words, phases, sight)
    shown = [first, *(_shown(words, turn, sight) for turn in turns)]
    return GameCourse(
        game, words, sight, tuple(_with_press(shown, press_for(uow, game, words, sight)))
    )


def _with_press(turns: Sequence[TurnShown], press: Iterable[ReadPress]) -> Iterator[TurnShown]:
    """The turns, each with the press until the next; older press goes to the first."""
    starts = [turn.at for turn in turns]
    by_turn: dict[int, list[ReadPress]] = defaultdict(list)
    for each in press:
        by_turn[max(0, bisect_right(starts, each.at) - 1)].append(each)
    for number, turn in enumerate(turns):
        yield replace(turn, press=tuple(by_turn[number]))


def replay_of(services: Services, course: GameCourse, reader: Reader) -> str:
    """Return the page of a replay."""
    return services.renderer.document("replay", {**facts_of(services, course), "reader": reader})


def facts_of(
    services: Services, course: GameCourse, *, last_only: bool = False
) -> Mapping[str, object]:
    """Return the facts of the page; *last_only*: only the current position has a map."""
    game, scenario = course.game, course.words.world.scenario
    colours = colours_of(scenario.powers)
    held = [{each.power: each.cities for each in turn.standing} for turn in course.turns]
    return {
        "game": game,
        "scenario": scenario,
        "is_secret": course.sight.sees_all and not course.sight.is_over,
        "outcome": outcome(course.words, game.ending) if game.ending is not None else None,
        "turns": course.turns,
        "years_shown": course.years,
        "has_money": any(
            each.ducats is not None for turn in course.turns for each in turn.standing
        ),
        "powers": [
            (power, course.words.power(power), colours[power]) for power in scenario.in_play
        ],
        "map": _map(services, course, course.turns[-1:] if last_only else course.turns),
        "patterns": "".join(each.pattern for each in colours.values()),
        "chart_drawn": bands(held, {power: colours[power] for power in scenario.in_play}),
        "chart_size": (WIDTH, HEIGHT),
    }


def _map(
    services: Services, course: GameCourse, turns: Sequence[TurnShown]
) -> Mapping[str, object] | None:
    scenario = course.words.world.scenario
    shapes = services.atlas.shapes(scenario.board)
    if shapes is None:
        return None
    book = Flipbook(shapes, as_played(scenario, lacking(course.game.rules)))
    leaves = [book.leaf(turn.scene) for turn in turns]
    return {
        "width": book.frame.width,
        "height": book.frame.height,
        "definitions": book.definitions(),
        "bottom": book.bottom(),
        "grounds": [leaf.ground for leaf in leaves],
        "middle": book.middle(),
        "above": [leaf.above for leaf in leaves],
    }


_START = "start"


def _opening(words: Words, phases: Sequence[StoredPhase], sight: Sight) -> TurnShown:
    view = sight.view(words.world, phases[0].after, phases[-1].after.moment)
    return TurnShown(
        _START,
        Message("replay.opening", moment=words.moment(view.moment)),
        phases[0].processed,
        view,
        Scene(view),
        (),
        _standing(words, view, sight),
        (),
    )


def _shown(words: Words, turn: TurnRead, sight: Sight) -> TurnShown:
    moment = turn.words.moment(turn.before.moment)
    content = turn.results_for(sight)
    if content is None:
        title: MessageOrText = Message("replay.corrected", moment=moment)
        sections: tuple[Section, ...] = ((Message("replay.corrections"), turn.corrected),)
    else:
        title = moment
        sections = tuple(content.sections())
    standing = _standing(words, turn.after, sight)
    return TurnShown(
        turn.code, title, turn.at, turn.after, turn.scene(sight), sections, standing, ()
    )


def _standing(words: Words, view: View, sight: Sight) -> tuple[PowerStanding, ...]:
    return tuple(
        PowerStanding(
            power,
            words.power(power),
            cities_that_count(words, view, power),
            view.treasuries.get(power, 0)
            if view.treasuries and sight.sees_money_of(power)
            else None,
        )
        for power in words.world.scenario.in_play
    )


# Games that were played at another judge, brought here from the files that it has exported. A
# file names powers and no people: a game that was imported has a master, and nobody who played
# it. It stands beside the replay, which is made of a game before it is kept: what another version
# has played may be anything.
ELSEWHERE = MailId(0)
"""The mail number of lines from another judge, which no mail here has."""
_NO_PASSWORD = ""
"""Opens nothing: its master gets in by a token."""
_NO_SEAT = 0


class NotImported(MachjudgeError):
    """A game cannot be imported; nothing of it is kept."""

    def __init__(self, why: Message) -> None:
        super().__init__(why)
        self.why = why


@dataclass(frozen=True, slots=True)
class WantedImport:
    """The name of an imported game, and its master's address."""

    name: str
    master: str


def expected_master(services: Services, uow: UnitOfWork, wanted: WantedImport) -> Person:
    """Return the future master of a game.  Raises NotImported, also if its name is not free."""
    flaw = name_flaw(wanted.name, lambda name: uow.games.get(GameId(name.lower())))
    if flaw is not None:
        raise NotImported(Message("archive.name_refused", flaw=flaw))
    known = uow.persons.by_address(wanted.master) if wanted.master.isprintable() else None
    if known is None:
        raise NotImported(Message("archive.no_such_master", address=shown(wanted.master)))
    return known


def import_game(
    services: Services,
    chronicle: Chronicle,
    scenario: Scenario,
    wanted: WantedImport,
    now: datetime,
) -> Game:
    """Store a verified game (see `verify`) as a finished one.

    Raises NotImported if it cannot be stored or shown; Stale if a game of that name was made
    meanwhile.
    """
    with services.store.reading() as uow:
        master = expected_master(services, uow, wanted)
        phases = [
            stored_phase(GameId(wanted.name.lower()), each, each.played or now)
            for each in chronicle.phases
        ]
        last = next(phase for phase in phases if phase.number == chronicle.last)
        forming = new_game(
            services, WantedGame(wanted.name, scenario, last.rules), master, _NO_PASSWORD, now
        )
        settings = replace(forming.settings, master_plays=chronicle.master_plays)
        begun = replace(
            forming,
            settings=settings,
            secret=chronicle.secret,
            shared=_shared_dice(chronicle),
            position=last.number,
        )
        game = finished(begun, _ending(chronicle, last, now))
        kept = _shown_imported(services, uow, game, phases, now)
    with services.store.writing() as uow:
        uow.games.add(game)
        for phase, held in kept:
            uow.phases.add(phase, held)
        for order_set in _order_sets(phases):
            uow.order_sets.add(order_set)
        uow.commit()
    return game


def _shown_imported(
    services: Services, uow: UnitOfWork, game: Game, phases: Sequence[StoredPhase], now: datetime
) -> Sequence[tuple[StoredPhase, Sequence[Holding]]]:
    """The phases and holdings, after a trial replay as for the public.  Raises NotImported."""
    scenario = services.scenario(game)
    sight, line = sight_of(game, []), line_to(game.position, phases)
    try:
        course = course_along(services, uow, game, sight, line)
        replay_of(services, course, reader_of(services, None, now))
        return [(each, holdings(world_of(scenario, each.rules), each.after)) for each in phases]
    except Exception as error:  # the rules of another version may know what these do not
        fault = f"{type(error).__name__}: {shown(str(error))}"
        raise NotImported(Message("archive.cannot_be_shown", fault=fault)) from error


# --- the parts of a game ---------------------------------------------------------------------


def _ending(chronicle: Chronicle, last: StoredPhase, now: datetime) -> Ending:
    origin, end = Provenance(chronicle.judge, chronicle.game), chronicle.end
    if end is None:
        return replace(declared(last) or Ending(End.TERMINATED, (), now), origin=origin)
    return Ending(End(end.how), end.winners, end.at, by_vote=end.by_vote, origin=origin)


def _shared_dice(chronicle: Chronicle) -> SharedDice | None:
    if chronicle.words is None:
        return None
    words = tuple(RandomWord(_NO_SEAT, word) for word in chronicle.words)
    return SharedDice(words, published=True)


def stored_phase(game: GameId, entry: ChronicleEntry, at: datetime) -> StoredPhase:
    """Return a phase of a file as it is stored, played *at* an instant."""
    return StoredPhase(
        game=game,
        number=entry.number,
        parent=entry.parent,
        moment=entry.moment,
        before=entry.before,
        after=entry.after,
        orders={
            power: tuple(_line(line, at) for line in lines) for power, lines in entry.orders.items()
        },
        rules=entry.rules,
        events=entry.events,
        adjudicator=entry.adjudicator,
        processed=at,
        sealed=entry.sealed,
        agreements=entry.agreements,
    )


def _line(line: ChronicleLine, at: datetime) -> FiledOrder:
    return FiledOrder(line.written, line.canonical, at, None if line.by_judge else ELSEWHERE)


def _order_sets(phases: Iterable[StoredPhase]) -> Iterable[OrderSet]:
    """The players' order sets; without one a player is told to have been silent."""
    order_sets: dict[tuple[int, PowerId], OrderSet] = {}
    for phase in phases:
        for power, lines in phase.orders.items():
            own = tuple(line for line in lines if line.mail is not None)
            if own and phase.parent is not None:
                order_sets[phase.parent, power] = OrderSet(
                    game=phase.game,
                    after=phase.parent,
                    power=power,
                    number=1,
                    lines=own,
                    flawed=False,
                    received=phase.processed,
                    mail=None,
                )
    return order_sets.values()


log = structlog.get_logger(__name__)

_NEVER = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class WebPage:
    """A page and its facts."""

    path: str
    """Below the folder: ``games/borgia.html``."""
    content: str


Known = Callable[[str], str]
"""The mark of the page at a path, empty if there is none."""


@dataclass(frozen=True, slots=True)
class Site:
    """The pages to write, and the paths of all pages."""

    pages: tuple[WebPage, ...]
    paths: frozenset[str]


def site_of(services: Services, known: Known, now: datetime) -> Site:
    """Return the pages that have changed; *known* tells what is there."""
    with services.store.reading() as uow:
        games = [game for game in uow.games.unfinished() if may_list(game, None)]
        over = uow.games.finished()
        press = uow.press.to_all()
        going = cards(services, uow, games, now)
        marks = {
            game.id: _mark(services, astuple(going[game.id]), game.position, press.get(game.id, 0))
            for game in games
        }
        # A finished game changes no more but for its press, and is not read each time.
        marks |= {game: _mark(services, "over", game, press.get(game, 0)) for game in over}
        unfinished = {game.id: game for game in games}
        pages: list[WebPage] = []
        for name, mark in marks.items():
            if known(f"games/{name}.html") == mark:
                continue
            game = unfinished.get(name) or uow.games.get(name)
            if game is not None:
                card = going.get(name) or cards(services, uow, [game], now)[name]
                pages += _pages_of(services, uow, game, card, mark)
        pages += _index(services, uow, (going, over), marks, known, now)
        paths = {INDEX, *(f"{folder}/{name}.html" for name in marks for folder in FOLDERS[:2])}
        paths |= {f"games/{name}.atom" for name in marks}
        for path, mark, written in _calendars(services, uow):
            paths.add(path)
            if known(path) != mark:
                pages.append(WebPage(path, written()))
    return Site(tuple(pages), frozenset(paths))


def _calendars(services: Services, uow: UnitOfWork) -> Iterator[tuple[str, str, Callable[[], str]]]:
    """The path of each confirmed address's calendar file, its mark, and what writes it."""
    games = [g for g in uow.games.unfinished() if usable_scenario(services, g) is not None]
    phases = uow.phases.now(games)
    entries: dict[tuple[str, PersonId], list[CalendarEntry]] = defaultdict(list)
    for game in games:
        for owner in calendar_owners(game):
            entries[owner].append(CalendarEntry(game, phases.get(game.id, "")))
    for person in uow.persons.confirmed():
        if person.calendar is Calendar.OFF:
            continue
        for address in person.addresses:
            own = entries.get((address, person.id), [])
            looks = (address, person.zone, person.language, person.alarms)
            mark = _mark(services, *looks, [each.facts for each in own])
            file = partial(calendar_of, services, person, address, own, mark)
            yield calendar_path(services.secret, address), mark, file
    mark = _mark(services, _HIDES)
    hides = {"judge": services.judge, "reader": _reader(services), "mark": mark}
    yield _HIDES, mark, partial(services.renderer.document, "calendars", hides)


def _mark(services: Services, *parts: object) -> str:
    return sha256(repr((services.judge.version, *parts)).encode()).hexdigest()[:16]


def _pages_of(
    services: Services, uow: UnitOfWork, game: Game, card: GameCard, mark: str
) -> Iterator[WebPage]:
    """The page of a game and its replay; none, with a log entry, if it cannot be shown."""
    reader = _reader(services)
    try:
        course = course_of(services, uow, game, sight_of(game, []))
        if course is not None:
            yield WebPage(f"replays/{game.id}.html", replay_of(services, course, reader))
            yield WebPage(f"games/{game.id}.atom", _feed(services, course, reader, mark))
        yield WebPage(f"games/{game.id}.html", _game_page(services, card, course, reader, mark))
    except Exception:  # one game's fault must not keep the others from their pages
        log.exception("page not written", game=game.id)


def _feed(services: Services, course: GameCourse, reader: Reader, mark: str) -> str:
    """The results of a game as an Atom feed (RFC 4287), the newest first.

    An entry's id follows from game, phase and instant: a phase that is played again is a new one.
    """
    game, judge = course.game, services.judge
    tag = f"tag:{judge.address.rpartition('@')[2]},{game.created:%Y-%m-%d}:{quote(game.id)}"
    played = list(enumerate(course.turns))[-MAX_ENTRIES:]
    facts = {
        "game": game,
        "judge": judge,
        "reader": reader,
        "mark": mark,
        "tag": tag,
        "updated": course.turns[-1].at,
        "entries": [
            (f"{tag}/{turn.code}/{turn.at:%Y%m%dT%H%M%SZ}", number, turn)
            for number, turn in reversed(played)
        ],
    }
    return services.renderer.document("feed.xml", facts)


MAX_ENTRIES = 30
"""The most phases in a feed."""


def _game_page(
    services: Services, card: GameCard, course: GameCourse | None, reader: Reader, mark: str
) -> str:
    drawn = {} if course is None else facts_of(services, course, last_only=True)
    facts = {**drawn, "card": card, "reader": reader, "mark": mark, "course": course}
    facts["judge"] = services.judge
    if course is not None:
        facts["in_words"] = map_in_words(course.words, course.turns[-1].view)
    return services.renderer.document("game", facts)


def _index(
    services: Services,
    uow: UnitOfWork,
    games: tuple[Mapping[str, GameCard], Sequence[GameId]],
    marks: Mapping[GameId, str],
    known: Known,
    now: datetime,
) -> Iterator[WebPage]:
    going, over = games
    mark = _mark(services, sorted(marks.items()))
    if known(INDEX) == mark:
        return
    found = [game for name in over if (game := uow.games.get(name)) is not None]
    facts = {
        "judge": services.judge,
        "reader": _reader(services),
        "mark": mark,
        "going": list(going.values()),
        "over": list(cards(services, uow, found, now).values()),
    }
    yield WebPage(INDEX, services.renderer.document("index", facts))


def _reader(services: Services) -> Reader:
    """The public, without an instant, which would change every page."""
    return reader_of(services, None, _NEVER)
