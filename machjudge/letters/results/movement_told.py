"""What happened besides movement and money, in one sentence for each event, by sections.

An event that no section tells says nothing to a reader: it is part of another one's sentence, or
of a table.
"""

from collections.abc import Sequence

from machjudge.adjudicator import events as happened
from machjudge.adjudicator.events import Event
from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.reasons import RebellionEnd, Removal
from machjudge.letters.wording.notation import order_text
from machjudge.letters.wording.sentences import Section, tell
from machjudge.letters.wording.why import why
from machjudge.letters.wording.words import Words, counted, ducats, flowed, listed

# --- rebellions and sieges -------------------------------------------------------------------


def _rebels_where(words: Words, event: happened.RebellionStarted | happened.RebellionEnded) -> str:
    place = words.place(event.place)
    if event.in_province and event.in_city:
        return f"province and city of {place}"
    return f"city of {place}" if event.in_city else f"province of {place}"


def _rebellion_started(words: Words, event: happened.RebellionStarted) -> str:
    against = f" against {words.power(event.against)}" if event.against is not None else ""
    return f"Rebellion{against} in the {_rebels_where(words, event)}."


_ENDS = {
    RebellionEnd.PUT_DOWN: "put down",
    RebellionEnd.LIBERATED: "over: the place is freed",
    RebellionEnd.BOUGHT: "over: the place is bought free",
    RebellionEnd.PACIFIED: "pacified",
    RebellionEnd.SIEGE: "put down by siege",
}


def _rebellion_ended(words: Words, event: happened.RebellionEnded) -> str:
    by = f" ({words.power(event.by)})" if event.by is not None else ""
    return f"The rebellion in the {_rebels_where(words, event)} is {_ENDS[event.because]}{by}."


def _siege_ended(words: Words, event: happened.SiegeEnded) -> str:
    return f"The siege of {words.place(event.city)} ends: {event.because.value}."


def _starved_out(words: Words, event: happened.UnitRemoved) -> str:
    if event.because is Removal.STARVED:
        return f"{words.whose(event.unit)} is starved out by the siege."
    return ""


UNREST: Section = {
    happened.RebellionStarted: _rebellion_started,
    happened.RebellionEnded: _rebellion_ended,
    happened.SiegeEnded: _siege_ended,
    happened.UnitRemoved: _starved_out,
}

_TIES = {
    "transports fail": "the convoys fail",
    "moves first": "the strait is closed only as far as that settles by itself",
    "guards stay": "the fleets that stood there guard the strait",
    "all advance": "all of them advance",
    "all fail": "all of them fail",
}


def _tie_broken(words: Words, event: happened.TieBroken) -> str:
    units = listed(words.whose(unit) for unit in event.units)
    return f"The orders of {units} waited for each other: {_TIES[event.rule]}."


TIES: Section = {happened.TieBroken: _tie_broken}

# --- dislodged units -------------------------------------------------------------------------


def _dislodged(words: Words, event: happened.UnitDislodged) -> str:
    ways = [words.spot(spot) for spot in event.retreats]
    if event.convert:
        ways.append("its city (C G)")
    where = f"may retreat to {listed(ways, 'or')}" if ways else "has no retreat"
    return f"{words.whose(event.unit)} {where}."


def _no_retreat(words: Words, event: happened.UnitRemoved) -> str:
    if event.because is Removal.NO_RETREAT:
        return f"{words.whose(event.unit)} is destroyed."
    return ""


DISLODGED: Section = {
    happened.UnitDislodged: _dislodged,
    happened.UnitRemoved: _no_retreat,
}


def _retreated(words: Words, event: happened.Retreated) -> str:
    place = words.place(event.to) + (f"/{event.coast}" if event.coast else "")
    where = f"into the city of {place}" if event.into_city else f"to {place}"
    return f"{words.whose(event.unit)} retreats {where}."


def _retreat_failed(words: Words, event: happened.UnitRemoved) -> str:
    fates = {
        Removal.ORDERED: "disbands",
        Removal.NO_RETREAT_ORDERED: "had no retreat order and disbands",
        Removal.RETREATS_MET: "met another retreat and is destroyed",
        Removal.NO_RETREAT: "has no retreat and is destroyed",
    }
    fate = fates.get(event.because)
    return f"{words.whose(event.unit)} {fate}." if fate is not None else ""


RETREATS: Section = {
    happened.Retreated: _retreated,
    happened.UnitRemoved: _retreat_failed,
}


def _disbanded(words: Words, event: happened.UnitRemoved) -> str:
    if event.because is Removal.ORDERED:
        return f"{words.whose(event.unit)} is disbanded by its owner."
    return ""


DISBANDED: Section = {happened.UnitRemoved: _disbanded}

# --- control, victory ------------------------------------------------------------------------


def _home_conquered(words: Words, event: happened.HomeConquered) -> str:
    home = f"The home country of {words.power(event.home)}"
    if event.by is None:
        return f"{home} is nobody's now."
    return f"{home} is {words.power(event.by)}'s now."


def _power_eliminated(words: Words, event: happened.PowerEliminated) -> str:
    return f"{words.power(event.power)} is eliminated."


def _victory_reached(words: Words, event: happened.VictoryReached) -> str:
    homes = counted(event.homes, "home country", "home countries")
    has = f"{counted(event.cities, 'city', 'cities')}, {homes}"
    return f"{words.power(event.power)} fulfils the condition of victory ({has})."


def _side_won(words: Words, event: happened.SideWon) -> str:
    homes = counted(event.homes, "home country", "home countries")
    has = f"{counted(event.cities, 'city', 'cities')}, {homes}"
    names = listed(words.power(power) for power in event.powers)
    return f"{names} together fulfil the condition of victory ({has})."


def _eliminated_unit(words: Words, event: happened.UnitRemoved) -> str:
    if event.because is Removal.ELIMINATION:
        return f"{words.whose(event.unit)} leaves the map."
    return ""


FATES: Section = {
    happened.UnitRemoved: _eliminated_unit,
    happened.HomeConquered: _home_conquered,
    happened.PowerEliminated: _power_eliminated,
}

VICTORY: Section = {
    happened.VictoryReached: _victory_reached,
    happened.SideWon: _side_won,
}

# --- the year's end --------------------------------------------------------------------------


def _disaster(words: Words, event: happened.DisasterStruck) -> str:
    """What the dice say, and in lines of their own the places struck."""
    lines = [
        f"{name} {number}"
        for name, number in (("row", event.row), ("column", event.column))
        if number is not None
    ]
    told = f"{event.kind.capitalize()}: severity {event.severity}, {listed(lines) or 'nothing'}."
    if not lines:
        return told
    names = sorted(words.place(place) for place in event.places)
    struck = [f"  {line}" for line in flowed("Struck", names or ("no place",), 38)]
    return "\n".join([told, *struck])


def _lost_to_disaster(words: Words, event: happened.UnitRemoved) -> str:
    how = _LOST.get(event.because)
    return f"{words.whose(event.unit)} is lost {how}." if how is not None else ""


_LOST = {
    Removal.FAMINE: "to famine",
    Removal.PLAGUE: "to plague",
    Removal.STORM: "in a storm",
}

DISASTERS: Section = {
    happened.DisasterStruck: _disaster,
    happened.UnitRemoved: _lost_to_disaster,
}


def _maintained(words: Words, event: happened.Maintained) -> str:
    return f"maintains {words.unit(event.unit)} ({event.ducats}d)"


def _built(words: Words, event: happened.UnitBuilt) -> str:
    price = f" ({event.ducats}d)" if event.ducats else ""
    return f"builds {words.unit(event.unit)}{price}"


def _removed(words: Words, event: happened.UnitRemoved) -> str:
    verbs = {
        Removal.ORDERED: "disbands {}",
        Removal.NOT_MAINTAINED: "does not maintain {}: it is removed",
        Removal.TOO_FEW_CITIES: "has too few cities for {}: it is removed",
    }
    verb = verbs.get(event.because, "loses {}")
    return verb.format(words.unit(event.unit))


def _adjustment_failed(words: Words, event: happened.AdjustmentFailed) -> str:
    lost = f"; {ducats(event.lost)} lost" if event.lost else ""
    return f"cannot {order_text(words, event.order)}: {why(words, event.because)}{lost}"


def _waived(_: Words, event: happened.BuildsWaived) -> str:
    return f"waives {counted(event.count, 'build')}"


ADJUSTMENT: Section = {
    happened.Maintained: _maintained,
    happened.UnitBuilt: _built,
    happened.UnitRemoved: _removed,
    happened.AdjustmentFailed: _adjustment_failed,
    happened.BuildsWaived: _waived,
}


def adjustment_of(words: Words, power: PowerId, events: Sequence[Event]) -> tuple[str, ...]:
    """What one power did in the adjustment."""
    return tell(ADJUSTMENT, words, [event for event in events if _actor(event) == power])


def _actor(event: Event) -> PowerId | None:
    unit = getattr(event, "unit", None)
    return unit.owner if unit is not None else getattr(event, "power", None)
