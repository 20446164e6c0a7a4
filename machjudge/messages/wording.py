"""Put places, powers, units, phases, times and reasons into words."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from enum import Enum
from functools import cache, lru_cache
from typing import Any, TypeAlias, get_args, get_origin, get_type_hints

from babel import Locale, UnknownLocaleError
from babel.dates import parse_pattern

from machjudge.adjudicator import events as event_types
from machjudge.adjudicator import reasons as because
from machjudge.adjudicator.board import Board, Scenario, Spot
from machjudge.adjudicator.events import Event
from machjudge.adjudicator.evolve import evolve_all
from machjudge.adjudicator.moments import Campaign, Moment, Season, Stage
from machjudge.adjudicator.names import AUTONOMOUS, PlaceId, PowerId
from machjudge.adjudicator.options import (
    OPTIONS,
    PRESETS,
    Option,
    departures,
    keys_of,
    may_be_none,
    nearest,
    written,
)
from machjudge.adjudicator.reasons import Flaw, Objection, Reason
from machjudge.adjudicator.rules import AdjustmentSeason, OrderNotation, Rules, Table
from machjudge.adjudicator.state import View
from machjudge.adjudicator.units import Kind, Quality, Unit
from machjudge.adjudicator.world import World
from machjudge.language.words import OWN_LETTERS
from machjudge.messages.layout import marked
from machjudge.translatable import (
    CommonName,
    Message,
    MessageOrText,
    Name,
    capitalized,
    joined,
    phrase,
)

_NOBODY = CommonName("nobody", Message("text.nobody"))
_AUTONOMOUS = CommonName("autonomous", Message("text.autonomous"))
_AUTONOMOUS_UNITS = CommonName("autonomous", Message("text.autonomous_units"))
_QUALITIES: Mapping[Quality, str] = {
    Quality.MILITIA: CommonName("militia", Message("text.militia")),
    Quality.MERCENARY: CommonName("mercenaries", Message("text.mercenaries")),
    Quality.PROFESSIONAL: CommonName("professionals", Message("text.professionals")),
    Quality.CAVALRY: CommonName("cavalry", Message("text.cavalry")),
}


def campaign_words(campaign: Campaign) -> Message:
    """Return ``Spring 1454``."""
    season = Message(f"times.season.{campaign.season.name.lower()}")
    return Message("times.campaign", season=season, year=campaign.year)


def moment_words(moment: Moment) -> Message:
    """Return ``Spring 1454, campaign``, whatever the rules call it."""
    stage = Message(f"times.stage.{moment.stage.name.lower()}")
    return Message("times.moment", campaign=campaign_words(moment.campaign), stage=stage)


def ducats(number: int) -> str:
    """Return ``1 ducat``, ``5 ducats``."""
    return "1 ducat" if number == 1 else f"{number} ducats"


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return ``1 unit``, ``3 units``, ``2 cities``."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def listed(items: Iterable[str], last: str = "and") -> str:
    """Return ``a``, ``a and b``, ``a, b and c``."""
    words = list(items)
    if len(words) <= 1:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def titled(title: str, items: Iterable[str]) -> str:
    """Return ``Title: item, item, item``."""
    return phrase("{}: {}", title, joined(", ", items))


@lru_cache(maxsize=4096)
def _place_name(board: Board, place: PlaceId) -> Name:
    return Name(board.places[place].name, board.names)


@lru_cache(maxsize=1024)
def _power_name(scenario: Scenario, power: PowerId) -> Name:
    return Name(scenario.powers[power].name, scenario.board.names)


def title_of(scenario: Scenario) -> Name:
    """Return the title of a scenario, such as ``The Balance of Power``."""
    return Name(scenario.title, scenario.board.names)


def notes_of(scenario: Scenario) -> tuple[Name, ...]:
    """Return what its file says of a scenario."""
    return tuple(Name(note, scenario.board.names) for note in scenario.notes)


@lru_cache(maxsize=64)
def _letters(scenario: Scenario) -> Mapping[Kind, str]:
    """Return the letters of the kinds of units, as each language writes and reads them."""
    own = {
        language: {usual.upper(): letter.upper() for letter, usual in letters.items()}
        for language, letters in OWN_LETTERS.items()
        if not any(PowerId(letter.upper()) in scenario.powers for letter in letters)
    }
    return {kind: Name(kind.letter, own) for kind in Kind}


@dataclass(frozen=True, slots=True)
class Words:
    """The names of one world."""

    world: World
    numbers: Mapping[tuple[Kind | None, PlaceId], Unit] | None = None
    """The numbers of the position's units; None in games without numbers."""
    in_letters: bool = False
    """True if orders are written in the letters of 1978."""

    def place(self, place: PlaceId) -> str:
        """The name of a place, such as ``Western Tyrrhenian Sea``."""
        return _place_name(self.world.scenario.board, place)

    def moment(self, moment: Moment) -> Message:
        """``Spring 1454, campaign``; some rules put the adjustment into Spring (MOV-02)."""
        campaign = moment.campaign
        spring = self.world.rules.game.adjustment_season is AdjustmentSeason.SPRING
        if spring and moment.stage is Stage.ADJUSTMENT:
            campaign = Campaign(campaign.year + 1, Season.SPRING)
        return moment_words(Moment(campaign, moment.stage))

    def spot(self, spot: Spot) -> str:
        """The name of a place with its coast: ``Croatia/sc``."""
        name = self.place(spot.place)
        return phrase("{}/{}", name, spot.coast) if spot.coast else name

    def power(self, power: PowerId | None) -> str:
        """The name of a power; ``nobody`` for none."""
        if power is None:
            return _NOBODY
        if power == AUTONOMOUS:
            return _AUTONOMOUS
        return _power_name(self.world.scenario, power)

    def owner(self, power: PowerId) -> str:
        """The owner of several units, above them: ``Venice``, ``Autonomous``."""
        return capitalized(_AUTONOMOUS_UNITS if power == AUTONOMOUS else self.power(power))

    def letter(self, kind: Kind) -> str:
        """The letter of a kind: ``A``, in Spanish ``E``; the usual one where units have numbers."""
        if self.world.rules.game.notation is OrderNotation.NUMBERS:
            return kind.letter
        return _letters(self.world.scenario)[kind]

    def unit(self, unit: Unit) -> str:
        """A unit as its owner's list has it: ``A Florence``, ``F2 Croatia/sc``."""
        place, coast = self.place(unit.place), unit.coast
        spot = phrase("{}/{}", place, coast) if coast else place
        number = self._number(unit) if unit.number else ""
        plain = phrase("{}{} {}", self.letter(unit.kind), number, spot)
        quality = _QUALITIES.get(unit.quality)
        return phrase("{} ({})", plain, quality) if quality is not None else plain

    def _number(self, unit: Unit) -> str:
        if self.world.rules.game.notation is OrderNotation.NUMBERS:
            return str(unit.number)
        return ""

    def whose(self, unit: Unit) -> str:
        """A unit with its owner: ``A Bologna (Papacy)``."""
        return phrase("{} ({})", self.unit(unit), self.power(unit.owner))

    def has_fortress(self, place: PlaceId) -> bool:
        """Return whether a fortress stands there, which is no city (MAP-07)."""
        city = self.world.cities.get(place)
        return city is not None and city.fortress

    def roll_line(self, line: str) -> str:
        """The name of a line of the variable income table: ``Milan``."""
        return Name(line.replace("_", " ").title(), self.world.board.names)

    def places(self, places: Iterable[PlaceId]) -> str:
        """Return the names of places, sorted, with commas."""
        return joined(", ", sorted(self.place(place) for place in places))


def words_at(world: World, state: View, *, in_letters: bool = False) -> Words:
    """Return the names of a world, with the numbers of a position's units.

    :param in_letters: write orders in the letters of 1978.
    """
    if world.rules.game.notation is OrderNotation.PLACES:
        return Words(world)
    units = (*state.units(), *(each.unit for each in state.dislodged))
    numbers: Mapping[tuple[Kind | None, PlaceId], Unit] = {
        (unit.kind, unit.place): unit for unit in units if unit.number
    }
    return Words(world, numbers, in_letters)


_DAY = timedelta(days=1)
_HOUR = timedelta(hours=1)
_MINUTE = timedelta(minutes=1)
_COUNT_DAYS_FROM = timedelta(hours=48)
_COUNT_HOURS_FROM = timedelta(minutes=90)


def header_time(instant: datetime) -> str:
    """Return the machine-readable form in UTC: ``Tue Nov 24 2026 20:00:00 +0000``."""
    weekday, month, day, time, year = instant.astimezone(UTC).ctime().split()
    return f"{weekday} {month} {day:0>2} {year} {time} +0000"


@cache
def dated(day: date, pattern: str, language: str) -> str:
    """Return a day in the words of a language, by a pattern of Unicode (UTS 35).

    In English where CLDR does not know the language.
    """
    try:
        locale = Locale.parse(language)
    except (UnknownLocaleError, ValueError):
        locale = Locale("en")
    return str(parse_pattern(pattern).apply(day, locale))


def when(instant: datetime, zone: tzinfo) -> Message:
    """The reader's time and UTC: ``Tue 24 Nov 2026, 21:00 CET (20:00 UTC)``."""
    here, utc = instant.astimezone(zone), instant.astimezone(UTC)
    if here.utcoffset() == utc.utcoffset():
        return Message("times.utc", day=utc.date(), time=f"{utc:%H:%M}")
    return Message(
        "times.local",
        day=here.date(),
        time=f"{here:%H:%M}",
        zone=_zone_name(here),
        other_day="" if here.date() == utc.date() else utc.date(),
        utc=f"{utc:%H:%M}",
    )


def when_short(instant: datetime, zone: tzinfo) -> Message:
    """The reader's time for a subject: ``Sat 28 Nov, 13:00``; it says so if that is UTC."""
    here = instant.astimezone(zone)
    return Message(
        "times.short", day=here.date(), time=f"{here:%H:%M}", is_utc=not here.utcoffset()
    )


def span(time: timedelta) -> Message:
    """A length of time in its largest sensible unit: ``3 days``, ``90 minutes``."""
    if time >= _COUNT_DAYS_FROM:
        return Message("times.days", n=round(time / _DAY))
    if time >= _COUNT_HOURS_FROM:
        return Message("times.hours", n=round(time / _HOUR))
    minutes = round(time / _MINUTE)
    if not minutes and time > timedelta(0):
        return Message("times.less_than_a_minute")
    return Message("times.minutes", n=max(minutes, 0))


def _zone_name(at: datetime) -> str:
    """``CET``, or ``+0330`` where the zone has no name of letters."""
    name = at.tzname() or ""
    return name if name.isalpha() else f"{at:%z}"


_BEFORE = 30
_MAX = 180
"""The most characters shown of a line."""


@dataclass(frozen=True, slots=True)
class LineError:
    """What is wrong with a line; *line* may be shown, as it has no password."""

    number: int
    """The line number in the mail, from 1."""
    line: str
    reason: MessageOrText
    """One sentence without a full stop."""
    column: int | None = None
    """The start of the trouble, from 0."""
    length: int = 1
    """The length of the trouble."""
    instead: MessageOrText | None = None
    """A correct line, or its pattern."""
    is_usage: bool = False
    """True if its small words are to be filled in."""
    note: MessageOrText = ""
    """What stays in force."""
    part: tuple[int, int] | None = None
    """The part that was refused, in a line that says more."""

    @property
    def is_bare(self) -> bool:
        """Return whether only the reason is known: nothing of the line was understood."""
        begin = self.part[0] if self.part is not None else 0
        return self.column == begin and self.instead is None and not self.note

    def typed(self, say: Callable[[MessageOrText], str]) -> str:
        """Return the line as typed, with its number."""
        return say(Message("session.line", number=self.number, text=self._meant()))

    def lines(
        self, say: Callable[[MessageOrText], str], above: Sequence["LineError"] = ()
    ) -> tuple[str, ...]:
        """Return the receipt: what was typed, why it failed, what stays, what would be right.

        The reason also counts for the lines *above*.
        """
        reason = full_sentence(say(self.reason))
        above_lines = [*(each.typed(say) for each in (*above, self)), reason]
        if not above and (word := self._word()) and word not in reason:
            above_lines.append(say(Message("trouble.at", text=word)))
        if self.note:
            above_lines.append(full_sentence(say(self.note)))
        shown = marked("wrong", "\n".join(above_lines))
        if self.instead is None:
            return (shown,)
        instead = say(Message("trouble.did_you_mean", line=self.instead))
        return (shown, marked("button", instead) if self._is_line(say(self.instead)) else instead)

    def _is_line(self, instead: str) -> bool:
        return not self.is_usage or (instead.isupper() and "[" not in instead)

    def _meant(self) -> str:
        """The part that is meant; of a long text, the surroundings of the trouble."""
        start, end = self.part or (0, len(self.line))
        first = start
        if end - start > _MAX:
            column = self.column if self.column is not None else start
            first = max(start, min(column - _BEFORE, end - _MAX))
        last = min(end, first + _MAX)
        before, behind = "… " if first else "", " …" if last < len(self.line) else ""
        return f"{before}{self.line[first:last].strip()}{behind}"

    def _word(self) -> str:
        """The word with the trouble; empty if that is all that is meant."""
        if self.column is None:
            return ""
        word = self.line[self.column : self.column + self.length].strip()
        return "" if word in ("", self._meant()) else word[:_MAX]


def full_sentence(text: str) -> str:
    """Return the text with an initial capital and a full stop."""
    capital = text[:1].upper() + text[1:]
    return capital if capital.endswith((".", "?", "!")) else f"{capital}."


_OF_MOVES = (
    event_types.Held,
    event_types.Advanced,
    event_types.Marched,
    event_types.AdvanceFailed,
    event_types.SupportGiven,
    event_types.SupportFailed,
    event_types.RebelsSupported,
    event_types.Transported,
    event_types.TransportFailed,
    event_types.Converted,
    event_types.ConversionFailed,
    event_types.TieBroken,
    event_types.UnitDislodged,
    event_types.SiegeBegun,
    event_types.SiegeKept,
    event_types.SiegeCompleted,
)
"""Events of movement only; the first of these ends what money did (SEQ-02)."""


@dataclass(frozen=True, slots=True)
class CampaignParts:
    """A campaign in three parts; other phases have only the last."""

    money: Sequence[Event]
    """Bank, gifts, expenses and their effects."""
    deaths: Sequence[Event]
    """The first assassination up to the first move."""
    moves: Sequence[Event]
    """Movement and everything after it."""
    at_moves: View
    """The position before the moves."""


def parts_of(before: View, events: Sequence[Event]) -> CampaignParts:
    """The parts of a phase that began in *before*."""
    if before.moment.stage is not Stage.CAMPAIGN:
        return CampaignParts((), (), events, before)
    end = _first(events, *_OF_MOVES, event_types.PhaseEnded)
    death = min(_first(events, event_types.PowerAssassinated), end)
    at_moves = View.of(evolve_all(before, events[:end]))
    return CampaignParts(events[:death], events[death:end], events[end:], at_moves)


def _first(events: Sequence[Event], *kinds: type[Event]) -> int:
    """The index of the first event of some kinds, or the length."""
    found = (index for index, event in enumerate(events) if isinstance(event, kinds))
    return next(found, len(events))


def about_option(name: str) -> Message:
    """Return an option's subject."""
    return Message(f"options.{name}.about")


def played_with(name: str, value: object) -> Message:
    """Return a sentence for a value of an option."""
    plain = written(value)
    if isinstance(value, bool | Enum):
        return Message(f"options.{name}.{str(plain).lower()}")
    if not plain and isinstance(plain, Mapping | list | tuple):
        return Message(f"options.{name}.empty")
    return Message(f"options.{name}.value", value=_in_words(name, plain))


_OF_EXPENSES = frozenset({"adjacency_kinds", "expense_prices"})
"""Options keyed by the letters of expenses of 1978."""


def _in_words(name: str, plain: object) -> int | str | tuple[Message, ...]:
    if isinstance(plain, int | str):
        return plain
    numbers = plain if isinstance(plain, Mapping) else {}
    parts = plain if isinstance(plain, Mapping | list | tuple) else ()
    if name in _OF_EXPENSES:
        return tuple(
            Message(f"options.expense.{letter}", ducats=numbers.get(letter)) for letter in parts
        )
    return ", ".join(f"{part} {numbers[part]}" if numbers else str(part) for part in parts)


def possible_values(option: Option) -> Message:
    """Return an open option's values: a number, numbers, a list or a map."""
    most, among = option.facts.limits.most, option.facts.limits.among
    if isinstance(option.default, Table):
        none, keys = may_be_none(option), tuple(keys_of(option))
        return Message("options.possible.map", keys=keys, most=most, may_be_none=none)
    if isinstance(option.default, tuple) and among:
        return Message("options.possible.list", values=tuple(among))
    if isinstance(option.default, tuple):
        return Message("options.possible.numbers", count=len(option.default), most=most)
    return Message("options.possible.number", most=most)


def set_of_rules(rules: Rules, service: Sequence[Message] = ()) -> tuple[Message, ...]:
    """Return the nearest named set of rules, and a sentence for each departure from it.

    :param service: how the game is run otherwise than the set says.
    """
    name = nearest(rules)
    unlike = departures(rules, PRESETS[name])
    said = (*(played_with(each, OPTIONS[each].of(rules)) for each in unlike), *service)
    apart = [Message("presets.apart", sentence=each) for each in said]
    about = Message(f"presets.{name}")
    return (Message("presets.played", name=name, about=about, exact=not apart), *apart)


def contrasts(rules: Rules, others: Rules) -> tuple[tuple[str, Message, Message], ...]:
    """Return the options that two sets of rules play otherwise, with sentences of both values."""
    apart = ((name, OPTIONS[name]) for name in departures(rules, others))
    return tuple(
        (name, played_with(name, option.of(rules)), played_with(name, option.of(others)))
        for name, option in apart
    )


Part = Callable[[Words, Any], Hashable]
"""Makes a field's value. Any, since each part takes its own kind of event or reason."""

_IN_WORDS: Mapping[object, Part] = {
    PlaceId: Words.place,
    PowerId: Words.power,
    Unit: Words.whose,
    Campaign: lambda _, campaign: campaign_words(campaign),
}


@cache
def _part(of: type, field: str) -> Part:
    """The conversion of a field: places and powers by name, units with owners."""
    kind = get_type_hints(of)[field]
    in_words = next(
        (_IN_WORDS[each] for each in (kind, *get_args(kind)) if each in _IN_WORDS), None
    )
    if in_words is None:
        return lambda _, value: getattr(value, field)
    write = in_words
    if get_origin(kind) is tuple:
        return lambda words, value: tuple(write(words, each) for each in getattr(value, field))

    def part(words: Words, value: Any) -> Hashable:  # noqa: ANN401 - see Part
        there = getattr(value, field)
        return "" if there is None else write(words, there)

    return part


def message_of(key: str, *same: str, **others: str | Part) -> Callable[[Words, Any], Message]:
    """Return the message maker of an event or reason, with the *same* fields.

    *others* are renamed or made by a function.
    """
    parts = {**dict(zip(same, same, strict=True)), **others}

    def make(words: Words, value: Any) -> Message:  # noqa: ANN401 - see Part
        fields = {
            name: (_part(value.__class__, part) if isinstance(part, str) else part)(words, value)
            for name, part in parts.items()
        }
        return Message(key, **fields)

    return make


def objection_words(words: Words, refused: Objection) -> Message:
    """Return why an order may not be given, where, and the rule."""
    if (refused.flaw, refused.rule) == (Flaw.VENICE, "MAP-21"):
        return Message("reasons.venice_is_full", rule=refused.rule)
    place = words.place(refused.place) if refused.place is not None else ""
    if (refused.flaw, refused.rule) == (Flaw.NO_CITY, "ADJ-03"):
        return Message("reasons.no_build_site", place=place, rule=refused.rule)
    return Message(
        "reasons.objection",
        flaw=Message(f"reasons.flaw.{refused.flaw.name.lower()}"),
        place=place,
        coasts=refused.coasts,
        rule=refused.rule,
    )


def _unit_named(words: Words, reason: because.NotMatched) -> str:
    place = words.place(reason.named.place)
    return phrase("{} {}", words.letter(reason.named.kind), place) if reason.named.kind else place


def _own_unit(words: Words, reason: because.OwnUnitMet | because.OwnUnitStayed) -> str:
    return words.unit(reason.unit)


_REASONS: Mapping[type[Reason], Callable[[Words, Any], Message]] = {
    because.Bounced: message_of("reasons.bounced", "strength", "rival", unit="against"),
    because.Withstood: message_of("reasons.withstood", "strength", "rival", unit="against"),
    because.OwnUnitMet: message_of("reasons.own_unit_met", unit=_own_unit),
    because.OwnUnitStayed: message_of("reasons.own_unit_stayed", unit=_own_unit),
    because.NoConvoy: message_of("reasons.no_convoy", "fleet", "dislodged", place="at"),
    because.ConvoyParadox: message_of("reasons.convoy_paradox"),
    because.StraitClosed: message_of("reasons.strait_closed", "guard"),
    because.VeniceHeld: message_of("reasons.venice_held", unit="by"),
    because.CityRebels: message_of("reasons.city_rebels", place="city"),
    because.CutBy: message_of("reasons.cut", unit="attacker"),
    because.SupporterDislodged: message_of("reasons.dislodged", unit="by"),
    because.WasDislodged: message_of("reasons.dislodged", unit="by"),
    because.NotMatched: message_of("reasons.not_matched", unit=_unit_named),
    because.HeldInstead: message_of(
        "reasons.held_instead",
        "rule",
        why=lambda _, reason: Message(f"reasons.forced.{reason.why.name.lower()}"),
    ),
    Objection: objection_words,
}


def reason_words(words: Words, reason: Reason) -> Message:
    """Return why something failed or may not be ordered, without a full stop."""
    return _REASONS[type(reason)](words, reason)


@dataclass(frozen=True, slots=True)
class LineGroup:
    """Lines below a heading, such as the units of a power."""

    head: MessageOrText
    lines: tuple[MessageOrText, ...]


SectionLine: TypeAlias = MessageOrText | LineGroup
"""A line of a section."""


def section_lines(section: Iterable[SectionLine]) -> Iterator[MessageOrText]:
    """Return the lines of a section with their headings."""
    for each in section:
        yield from (each.head, *each.lines) if isinstance(each, LineGroup) else (each,)


MessageMaker = Callable[[Words, Any], Message | None]
"""Makes the message of an event, or None. Any, since each takes its own kind of event."""

EventMessages = dict[type[Any], MessageMaker]
"""The message makers by kind of event."""


def messages_about(
    makers: EventMessages, words: Words, events: Iterable[Event]
) -> tuple[Message, ...]:
    """Return the messages of the events that have one, in order."""
    made = (makers[type(event)](words, event) for event in events if type(event) in makers)
    return tuple(message for message in made if message is not None)
