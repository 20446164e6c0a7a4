"""The results of a phase, section by section; the same for every reader of an open game."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields

from machjudge.adjudicator import events as happened
from machjudge.adjudicator.events import Event
from machjudge.adjudicator.model.moments import Stage
from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.orders import Orders
from machjudge.adjudicator.model.reasons import Removal
from machjudge.adjudicator.model.state import View
from machjudge.letters.page import standings
from machjudge.letters.results import movement_told
from machjudge.letters.results.absent import Absent, absent_lines, by_default_words
from machjudge.letters.results.bank import bank
from machjudge.letters.results.deaths import DEATHS, rebellion_table
from machjudge.letters.results.expenses import EFFECTS, expense_lines, expense_sentences
from machjudge.letters.results.moves import PowerReport, UnitReport, movement
from machjudge.letters.wording.parts import CampaignParts, parts_of
from machjudge.letters.wording.sentences import LineGroup, Told, tell
from machjudge.letters.wording.sight import EVERYTHING, SeenPhase, Sight
from machjudge.letters.wording.words import Words
from machjudge.sentence import Sentence, Wording


@dataclass(frozen=True, slots=True)
class PlayedPhase:
    """A phase as one reader sees it: what happened in it, and the orders that stood."""

    seen: SeenPhase
    orders: Orders
    absent: Absent = field(default_factory=Absent)
    """Without whose orders; nobody where it is only tried."""
    is_last: bool = False
    """Whether the game ends with it."""

    @property
    def before(self) -> View:
        """The position in which it began."""
        return self.seen.before

    @property
    def after(self) -> View:
        """The position that it led to."""
        return self.seen.after

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened in it."""
        return self.seen.events


_PLOTS = ("absent", "money", "expenses", "deaths", "bought")


@dataclass(frozen=True, slots=True)
class Results:
    """The lines of each section; what did not happen is empty."""

    victory: tuple[Told, ...]
    absent: tuple[Told, ...]
    """Whose orders did not come."""
    money: tuple[Told, ...]
    """The bank, and gifts between powers."""
    expenses: tuple[Told, ...]
    deaths: tuple[Told, ...]
    """Leaders who died, and the rebellions that follow."""
    bought: tuple[Told, ...]
    """What changed hands by all this, before the moves."""
    movement: tuple[Told, ...]
    ties: tuple[Told, ...]
    disbanded: tuple[Told, ...]
    retreats: tuple[Told, ...]
    unrest: tuple[Told, ...]
    dislodged: tuple[Told, ...]
    control: tuple[Told, ...]
    fates: tuple[Told, ...]
    adjustment: tuple[Told, ...]
    sighted: tuple[Told, ...]
    """Before a year's first campaign, where the fog of war hides units: those that are seen."""
    numbers: tuple[Told, ...]
    treasuries: tuple[Told, ...]
    disasters: tuple[Told, ...]
    marked: tuple[Told, ...]
    """In all campaigns but Fall: the places with rebels, famine, sieges."""
    holdings: tuple[Told, ...]
    """After Fall only: the yearly survey."""
    rolls: tuple[Told, ...]
    incomes: tuple[Told, ...]

    def sections(self) -> Iterator[tuple[Sentence, tuple[Told, ...]]]:
        """Each section in which something happened, below its title."""
        return self._sections([each.name for each in fields(self)])

    def plots(self) -> Iterator[tuple[Sentence, tuple[Told, ...]]]:
        """The sections about what was done before the units moved."""
        return self._sections(_PLOTS)

    def rest(self) -> Iterator[tuple[Sentence, tuple[Told, ...]]]:
        """The sections about what followed; others tell of orders, victory and treasuries."""
        told = {*_PLOTS, "victory", "movement", "adjustment", "treasuries"}
        return self._sections([each.name for each in fields(self) if each.name not in told])

    def _sections(self, names: Iterable[str]) -> Iterator[tuple[Sentence, tuple[Told, ...]]]:
        for name in names:
            if lines := getattr(self, name):
                yield Sentence(f"results.section.{name}"), lines


def results(
    words: Words, played: PlayedPhase, sight: Sight = EVERYTHING, *, thrown: bool = True
) -> Results:
    """What a phase brought, as far as this reader may see it.

    Not *thrown* are the dice of a preview: it tells what they would bring, and not each of them.
    """
    stage = played.before.moment.stage
    campaign, adjusting = stage is Stage.CAMPAIGN, stage is Stage.ADJUSTMENT
    surveyed = not adjusting and played.after.moment.stage is Stage.ADJUSTMENT
    events = sight.visible(played.events)
    parts = parts_of(played.before, played.events)
    return Results(
        victory=tell(movement_told.VICTORY, words, events),
        absent=absent_lines(words, played.absent, stage),
        money=tell(bank(played.before.moment.year), words, events),
        expenses=(
            *(expense_lines if thrown else expense_sentences)(words, events),
            *_effects(words, sight.visible(parts.money)),
        ),
        deaths=_deaths(words, parts.deaths, thrown=thrown),
        bought=standings.control_changes(words, played.before, parts.at_moves),
        movement=_movement(unit_reports(words, played, parts)),
        ties=tell(movement_told.TIES, words, events),
        disbanded=tell(movement_told.DISBANDED, words, events) if campaign else (),
        unrest=(
            *(rebellion_table(words, parts.moves) if thrown else ()),
            *tell(movement_told.UNREST, words, parts.moves),
        ),
        dislodged=tell(movement_told.DISLODGED, words, _waiting(events)) if campaign else (),
        retreats=tell(movement_told.SENT if campaign else movement_told.RETREATS, words, events)
        if not adjusting
        else (),
        control=standings.control_changes(words, parts.at_moves, played.after),
        fates=tell(movement_told.FATES, words, events),
        adjustment=tuple(adjustments(words, events, played.absent)) if adjusting else (),
        sighted=standings.board_units(words, played.after) if played.after.in_fog else (),
        numbers=tell(movement_told.NUMBERS, words, events),
        disasters=tell(movement_told.DISASTERS, words, events),
        rolls=standings.rolls(words, events),
        incomes=standings.incomes(words, played.after, events),
        holdings=standings.holdings(words, played.after) if surveyed else (),
        marked=() if surveyed else standings.marked(words, played.after),
        treasuries=()
        if _tells_income(events)
        else standings.treasuries(words, played.after, sight),
    )


def _effects(words: Words, events: Sequence[Event]) -> tuple[Wording, ...]:
    return tell({**movement_told.UNREST, **EFFECTS}, words, events)


def _deaths(words: Words, events: Sequence[Event], *, thrown: bool) -> tuple[Wording, ...]:
    """Who died, at once with what is lost; then the dice, and the rebellions that they brought."""
    risen = [event for event in events if isinstance(event, happened.RebellionStarted)]
    others = [event for event in events if not isinstance(event, happened.RebellionStarted)]
    return (
        *tell({**movement_told.UNREST, **DEATHS}, words, others),
        *(rebellion_table(words, events) if thrown else ()),
        *tell(movement_told.UNREST, words, risen),
    )


def _waiting(events: Sequence[Event]) -> tuple[Event, ...]:
    """The events without the dislodgements after which the judge sent the unit on (MOV-47)."""
    sent = {event.unit for event in events if isinstance(event, happened.Retreated)}
    sent |= {
        event.unit
        for event in events
        if isinstance(event, happened.UnitRemoved) and event.because is Removal.RETREATS_MET
    }
    return tuple(
        event
        for event in events
        if not isinstance(event, happened.UnitDislodged) or event.unit not in sent
    )


def unit_reports(
    words: Words, played: PlayedPhase, parts: CampaignParts
) -> tuple[PowerReport, ...]:
    """The units of all powers with what became of their orders; none outside campaigns."""
    if played.before.moment.stage is not Stage.CAMPAIGN:
        return ()
    by_default = played.absent.ordered_for
    return movement(words, parts.at_moves, played.orders, parts.moves, by_default)


def _movement(reports: Iterable[PowerReport]) -> tuple[LineGroup, ...]:
    return tuple(LineGroup(report.power, tuple(map(_unit, report.units))) for report in reports)


def _unit(report: UnitReport) -> Sentence:
    return Sentence("results.unit", order=report.order, remarks=report.remarks)


def adjustments(
    words: Words, events: Sequence[Event], absent: Absent, without: Collection[PowerId] = ()
) -> Iterator[LineGroup]:
    """What each power did in the adjustment, as far as the events are seen."""
    for power in words.world.scenario.in_play:
        acts = () if power in without else movement_told.adjustment_of(words, power, events)
        if acts:
            name = words.power(power)
            head = by_default_words(name) if power in absent.ordered_for else name
            yield LineGroup(head, tuple(Sentence("results.act", act=act) for act in acts))


def _tells_income(events: Sequence[Event]) -> bool:
    return any(isinstance(event, happened.IncomePaid) for event in events)
