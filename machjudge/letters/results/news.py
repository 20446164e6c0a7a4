"""What a phase brought for one reader, the important things first.

A player reads of what they lost, took, have and owe; others read of all powers.
"""

from collections.abc import Iterable, Iterator, Sequence

from machjudge.adjudicator import events as happened
from machjudge.adjudicator.events import Event
from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.orders import Purpose
from machjudge.adjudicator.model.prices import STEP
from machjudge.adjudicator.model.units import Unit
from machjudge.adjudicator.money.banking import debts_of
from machjudge.letters.page.standings import debt_text, living
from machjudge.letters.page.treasury import debt_lines
from machjudge.letters.results import movement_told
from machjudge.letters.results.deaths import DEATHS
from machjudge.letters.results.expenses import Spent, spent
from machjudge.letters.results.gains import changes_of, standing
from machjudge.letters.results.ledger import ledger
from machjudge.letters.results.results import PlayedPhase
from machjudge.letters.wording.sentences import Section, tell
from machjudge.letters.wording.sight import Sight
from machjudge.letters.wording.words import Words
from machjudge.sentence import Sentence

_KILLED: Section = {happened.PowerAssassinated: DEATHS[happened.PowerAssassinated]}


def news(
    words: Words, played: PlayedPhase, events: Sequence[Event], powers: Sequence[PowerId]
) -> tuple[Sentence, ...]:
    """What the reader who leads *powers* has to know first; never empty.

    *events* are those that the reader may see.
    """
    won = tell(movement_told.VICTORY, words, events)
    own = alive(played, powers)
    if not own:
        return (*won, *(_of_all(words, played, events) or [Sentence("news.nothing_changed")]))
    out = [e for e in eliminated(events) if e.power not in own]
    lines = [line for power in own for line in _own(words, played, events, power)]
    return (*won, *tell(movement_told.FATES, words, out), *lines)


def alive(played: PlayedPhase, powers: Iterable[PowerId]) -> list[PowerId]:
    """The powers that were in the game when the phase began: whoever led others only watches."""
    return [power for power in powers if power not in played.before.eliminated]


def eliminated(events: Iterable[Event]) -> list[happened.PowerEliminated]:
    """Who is out of the game now."""
    return [event for event in events if isinstance(event, happened.PowerEliminated)]


def _of_all(words: Words, played: PlayedPhase, events: Sequence[Event]) -> list[Sentence]:
    told = [*tell({**_KILLED, **movement_told.FATES}, words, events)]
    for power in words.world.scenario.powers:
        changes = changes_of(words, played.before, played.after, power)
        told += changes.told(words.power(power))
    return told


def _own(
    words: Words, played: PlayedPhase, events: Sequence[Event], power: PowerId
) -> Iterator[Sentence]:
    own = list(about(power, events))
    killed = [event for event in own if isinstance(event, happened.PowerAssassinated)]
    out = any(event.power == power for event in eliminated(events))
    if out:
        yield Sentence("news.eliminated", power=words.power(power))
    yield from tell(_KILLED, words, killed)
    yield from tell(_HOMES, words, [event for event in events if _is_home_of(power, event)])
    yield from tell(movement_told.DISLODGED, words, _waiting(own, played))
    losses = [*_removed(words, own), *_bought(words, power, events), *_risen(words, own)]
    changes = changes_of(words, played.before, played.after, power)
    yield from losses
    yield from changes.told("")
    for event in events:
        if isinstance(event, happened.UnitChangedOwner) and event.to == power:
            yield Sentence("news.serves_you", unit=words.whose(event.unit))
    built = [event.unit for event in own if isinstance(event, happened.UnitBuilt)]
    if built:
        yield Sentence("news.built", units=tuple(map(words.unit, built)))
    if not losses and not changes and not out:
        yield Sentence("news.kept_all")
    yield from _starving(words, played, events, power)
    if words.world.rules.game.money and power not in played.after.eliminated:
        yield ledger(played.before, played.after, power, events)
        yield from debt_lines(played.after, power)


_HOMES: Section = {
    kind: movement_told.FATES[kind] for kind in (happened.HomeConquered, happened.HomeHeld)
}


def _is_home_of(power: PowerId, event: Event) -> bool:
    """Whether a home country was a power's, or becomes its own."""
    match event:
        case happened.HomeConquered():
            return power in (event.home, event.by, event.before)
        case happened.HomeHeld():
            return power in (event.home, event.by)
        case _:
            return False


def about(power: PowerId, events: Iterable[Event]) -> Iterator[Event]:
    """The events that befell a power or its units."""
    for event in events:
        unit = getattr(event, "unit", None)
        victim = getattr(event, "victim", None) or getattr(event, "against", None)
        if power in (victim, unit.owner if unit is not None else None):
            yield event


def _waiting(events: Iterable[Event], played: PlayedPhase) -> list[Event]:
    waiting = {dislodged.unit for dislodged in played.after.dislodged}
    return [e for e in events if isinstance(e, happened.UnitDislodged) and e.unit in waiting]


_GONE = movement_told.removed_by(
    STARVED="starved",
    NO_RETREAT="no_retreat",
    NO_RETREAT_ORDERED="not_ordered",
    RETREATS_MET="met_another",
    ORDERED="disbanded",
    ELIMINATION="leaves",
    FAMINE="famine",
    PLAGUE="plague",
    STORM="storm",
    BRIBE="bribed",
    ASSASSINATION="lost_with_leader",
    NOT_MAINTAINED="not_maintained",
    TOO_FEW_CITIES="too_few_cities",
)


def _removed(words: Words, events: Iterable[Event]) -> tuple[Sentence, ...]:
    return tell({happened.UnitRemoved: _GONE}, words, list(events))


def _risen(words: Words, events: Iterable[Event]) -> list[Sentence]:
    places = rebelling(words, events)
    return [Sentence("news.rebels", places=places)] if places else []


def rebelling(words: Words, events: Iterable[Event]) -> tuple[str, ...]:
    """The names of the places in which rebels rise."""
    risen = [event for event in events if isinstance(event, happened.RebellionStarted)]
    return tuple(sorted({words.place(event.place) for event in risen}))


def _starving(
    words: Words, played: PlayedPhase, events: Iterable[Event], power: PowerId
) -> Iterator[Sentence]:
    """New famine in a power's provinces, or where its units stand, which will die of it."""
    after = played.after
    struck = {event.place for event in events if isinstance(event, happened.FamineBegan)}
    units = [unit for unit in after.units_of(power) if unit.place in struck]
    places = {p for p in struck if after.provinces.get(p) == power} | {u.place for u in units}
    if places:
        names = tuple(sorted(map(words.place, places)))
        yield Sentence("news.famine", places=names, units=tuple(sorted(map(words.unit, units))))


def _bought(words: Words, power: PowerId, events: Sequence[Event]) -> Iterator[Sentence]:
    """The bribes that cost a power a unit, with what would have been enough against each.

    Where the reader may not see what was paid, only whom the unit serves now.
    """
    told = set()
    for one in spent(events):
        unit = one.settled.unit
        is_bribe = one.settled.expense.purpose in _BRIBES
        if unit is not None and unit.owner == power and one.settled.fate == "done" and is_bribe:
            told.add(unit)
            yield _bribe(words, one, unit)
    changed = [event for event in events if isinstance(event, happened.UnitChangedOwner)]
    for event in changed:
        if event.unit.owner == power and event.unit not in told:
            to = words.power(event.to)
            yield Sentence("news.changed_sides", unit=words.unit(event.unit), power=to)


_BRIBES = (Purpose.BUY, Purpose.DISBAND, Purpose.TO_AUTONOMOUS)


def _bribe(words: Words, one: Spent, unit: Unit) -> Sentence:
    settled = one.settled
    paid = one.paid.paid if one.paid is not None else settled.force
    more = ((settled.force - settled.price) // STEP + 1) * STEP
    return Sentence(
        "news.bribed",
        power=words.power(settled.power),
        deed=settled.expense.purpose.name.lower() if settled.expense.purpose else "",
        unit=words.unit(unit),
        paid=paid,
        weight=settled.force,
        against=paid - paid % STEP - settled.force,
        price=settled.price,
        more=more,
    )


# --- how the powers stand --------------------------------------------------------------------


def standings(words: Words, played: PlayedPhase, sight: Sight) -> tuple[Sentence, ...]:
    """A line for each living power: cities, provinces, and the money that the reader may see.

    When debts are due stands there only after Fall (BNK-12).
    """
    after = played.after
    is_dated = any(isinstance(event, happened.IncomePaid) for event in played.events)
    lines = []
    for power in living(words, after):
        debts = debts_of(after, power)
        sees = bool(after.treasuries) and sight.sees_money_of(power)
        lines.append(
            Sentence(
                "news.stands",
                power=words.power(power),
                **standing(words, played.before, after, power),
                treasury=after.treasuries.get(power, 0) if sees else None,
                debts=tuple(debt_text(debt, dated=is_dated) for debt in debts if sees),
            )
        )
    return tuple(lines)
