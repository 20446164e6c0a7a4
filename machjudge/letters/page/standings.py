"""What letters list by powers: treasuries, income, who holds what; a fact a line."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from machjudge.adjudicator import events as happened
from machjudge.adjudicator.events import Event
from machjudge.adjudicator.model.names import PlaceId, PowerId
from machjudge.adjudicator.model.state import Loan, View
from machjudge.adjudicator.money.banking import debts_of
from machjudge.letters.wording.sentences import LineGroup, Told
from machjudge.letters.wording.sight import EVERYTHING, Sight
from machjudge.letters.wording.words import Words, campaign_words, titled
from machjudge.sentence import Sentence, Wording, capitalized, phrase


def treasuries(
    words: Words, state: View, sight: Sight = EVERYTHING, *, dated: bool = False
) -> tuple[Wording, ...]:
    """A line for each living power with its ducats, and one for each campaign's debt.

    When the debts are due stands there only where it is *dated*, as after Fall (BNK-12).  Powers
    whose money the reader may not see are left out.
    """
    if not state.treasuries:
        return ()
    lines: list[Wording] = []
    for power in living(words, state):
        if not sight.sees_money_of(power):
            continue
        lines.append(_treasury(words, state, power))
        debts = debts_of(state, power)
        lines += [_owes(debt_text(debt, dated=dated)) for debt in debts]
    return tuple(lines)


def _treasury(words: Words, state: View, power: PowerId) -> Sentence:
    ducats = state.treasuries.get(power, 0)
    return Sentence("tables.treasury", power=words.power(power), ducats=ducats)


def _owes(debt: Wording) -> Sentence:
    return Sentence("tables.owes", debt=debt)


def debt_text(debt: Loan, *, dated: bool = True) -> Wording:
    """What is owed, and, where it is *dated*, when it is due: ``10+2d due Spring 1455``."""
    sums = f"{debt.principal}+{debt.interest}d"
    return Sentence("tables.debt", owed=sums, due=campaign_words(debt.due)) if dated else sums


def living(words: Words, state: View) -> tuple[PowerId, ...]:
    """The powers in play that are not eliminated, in the scenario's order."""
    return tuple(p for p in words.world.scenario.in_play if p not in state.eliminated)


def rolls(words: Words, events: Sequence[Event]) -> tuple[Wording, ...]:
    """The variable incomes, each with its dice."""
    return tuple(_roll(words, event) for event in events if isinstance(event, happened.RollPaid))


def _roll(words: Words, event: happened.RollPaid) -> Sentence:
    return Sentence(
        "tables.roll",
        power=words.power(event.power),
        line=words.roll_line(event.line),
        dice=event.dice,
        fixed=event.fixed,
        ducats=event.ducats,
    )


def incomes(words: Words, after: View, events: Sequence[Event]) -> tuple[Wording, ...]:
    """The income of each power by source, its treasury afterwards, and what it owes (BNK-12)."""
    paid = [event for event in events if isinstance(event, happened.IncomePaid)]
    if not paid:
        return ()
    lines: list[Wording] = []
    for event in paid:
        lines.append(_income(words, after, event))
        lines += [_owes(debt_text(debt)) for debt in debts_of(after, event.power)]
    return tuple(lines)


def _income(words: Words, after: View, event: happened.IncomePaid) -> Sentence:
    return Sentence(
        "tables.income",
        power=words.power(event.power),
        seas=event.seas,
        provinces=event.provinces,
        cities=event.cities,
        variable=event.variable,
        total=event.seas + event.provinces + event.cities + event.variable,
        now=after.treasuries.get(event.power, 0),
    )


def control_changes(words: Words, before: View, after: View) -> tuple[LineGroup, ...]:
    """What changed hands: ``Venice: +Bologna, -Ferrara``, provinces and cities apart.

    Provinces are left out where only cities count.
    """
    provinces = _changes(words, before.provinces, after.provinces) if provinces_count(words) else ()
    cities = _changes(words, before.cities, after.cities)
    found = (_group("provinces", provinces), _group("cities", cities))
    return tuple(group for group in found if group.lines)


def _group(title: str, lines: Iterable[str]) -> LineGroup:
    return LineGroup(
        Sentence(f"tables.title.{title}"), tuple(phrase("  {}", line) for line in lines)
    )


def _changes(
    words: Words, before: Mapping[PlaceId, PowerId], after: Mapping[PlaceId, PowerId]
) -> tuple[str, ...]:
    lines = []
    for power in words.world.scenario.powers:
        won = _signed(words, "+", _won(power, before, after))
        lost = _signed(words, "-", _won(power, after, before))
        if won or lost:
            lines.append(titled(words.power(power), [*won, *lost]))
    return tuple(lines)


def _won(
    power: PowerId, before: Mapping[PlaceId, PowerId], after: Mapping[PlaceId, PowerId]
) -> frozenset[PlaceId]:
    return frozenset(
        place for place, owner in after.items() if owner == power and before.get(place) != power
    )


def _signed(words: Words, sign: str, places: Iterable[PlaceId]) -> list[str]:
    return [phrase("{}{}", sign, name) for name in sorted(words.place(place) for place in places)]


_MARKS = "*+%!"
"""The signs behind the names of places: home country, rebellion, famine, besieged."""


def holdings(words: Words, state: View) -> tuple[Told, ...]:
    """Home countries, provinces and cities by power, with the legend of the marks in use."""
    provinces = state.provinces if provinces_count(words) else {}
    groups = (
        *_homes(words, state),
        _block(words, "provinces", provinces, lambda place: _province_marks(state, place)),
        _block(words, "cities", real_cities(words, state), lambda place: _city_marks(state, place)),
    )
    lines = (line for group in groups for line in group.lines)
    rows = "".join(line for line in lines if isinstance(line, str))
    used = tuple(mark for mark in _MARKS if mark in rows)
    legend = (Sentence("tables.legend", marks=used),) if used else ()
    return (*(group for group in groups if group.lines), *legend)


def marked(words: Words, state: View) -> tuple[Wording, ...]:
    """The places with rebels, famine or a half-done siege, by their marks; nothing if none."""
    found = {
        "+": {*state.province_rebellions, *state.city_rebellions},
        "%": state.famine,
        "!": state.sieges,
    }
    return tuple(
        Sentence("tables.marked", mark=mark, places=tuple(sorted(map(words.place, places))))
        for mark, places in found.items()
        if places
    )


def _homes(words: Words, state: View) -> list[LineGroup]:
    """Who owns which home countries, once one of them has passed into other hands."""
    owners = {
        power: state.homes.get(min(home)) for power, home in words.world.home_blocks.items() if home
    }
    if all(owner == power for power, owner in owners.items()):
        return []
    rows = []
    for power in words.world.scenario.powers:
        own = [words.power(home) for home, owner in owners.items() if owner == power]
        if own:
            rows.append(titled(words.power(power), own))
    return [_group("homes", rows)]


def provinces_count(words: Words) -> bool:
    """Whether provinces are more than their cities: they pay, or can be another's (SET-10)."""
    game = words.world.rules.game
    return game.money or game.garrisons


def real_cities(words: Words, state: View) -> Mapping[PlaceId, PowerId]:
    """The cities in use, fortresses left out."""
    cities = words.world.cities
    return {p: o for p, o in state.cities.items() if p in cities and not cities[p].fortress}


def _block(
    words: Words,
    title: str,
    owners: Mapping[PlaceId, PowerId],
    marks: Callable[[PlaceId], str],
) -> LineGroup:
    rows = []
    for power in words.world.scenario.powers:
        names = sorted(
            phrase("{}{}", words.place(p), marks(p))
            for p, owner in owners.items()
            if owner == power
        )
        if names:
            rows.append(titled(phrase("{} ({})", words.power(power), str(len(names))), names))
    return _group(title, rows)


def _province_marks(state: View, place: PlaceId) -> str:
    owner = state.provinces.get(place)
    home = "*" if owner is not None and state.homes.get(place) == owner else ""
    rebels = "+" if place in state.province_rebellions else ""
    return home + rebels + ("%" if place in state.famine else "")


def _city_marks(state: View, place: PlaceId) -> str:
    owner = state.cities.get(place)
    home = "*" if owner is not None and state.homes.get(place) == owner else ""
    rebels = "+" if place in state.city_rebellions else ""
    return home + rebels + ("!" if place in state.sieges else "")


def chits(words: Words, state: View, powers: Iterable[PowerId]) -> tuple[str, ...]:
    """The assassination chits of some powers, by the names of the victims (ASN-01)."""
    lines: list[str] = []
    for power in powers:
        victims = [words.power(victim) for victim in state.chits.get(power, ())]
        if victims:
            lines.append(titled(words.power(power), victims))
    return tuple(lines)


def board_units(words: Words, state: View) -> tuple[Wording, ...]:
    """The units on the map by owner, autonomous ones last, and whether there may be others."""
    owners = [*words.world.scenario.powers, *_others(words, state)]
    lines: list[Wording] = [Sentence("tables.in_fog")] if state.in_fog else []
    for power in owners:
        units = [words.unit(unit) for unit in state.units_of(power)]
        if units:
            lines.append(titled(capitalized(words.power(power)), units))
    return tuple(lines)


def _others(words: Words, state: View) -> list[PowerId]:
    return sorted({unit.owner for unit in state.units()} - set(words.world.scenario.powers))
