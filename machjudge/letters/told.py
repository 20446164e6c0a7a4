"""What happened besides movement, in one sentence for each event, sorted into sections.

An event that no section tells says nothing to a reader: it is part of another one's sentence, or
of a table.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from machjudge.adjudicator import events as happened
from machjudge.adjudicator.events import Event
from machjudge.adjudicator.names import PowerId
from machjudge.adjudicator.reasons import RebellionEnd, Removal
from machjudge.letters.expenses import Spent, expense_told
from machjudge.letters.notation import order_text
from machjudge.letters.why import why
from machjudge.letters.words import Words, campaign_words, counted, ducats, listed

Teller = Callable[[Words, Any], str]
"""Any: the sentence of each kind of event takes that kind."""

Section = dict[type[Any], Teller]


def tell(section: Section, words: Words, events: Iterable[Event | Spent]) -> tuple[str, ...]:
    """The sentences of one section, in the order of the events; empty ones are left out."""
    told = (section[type(event)](words, event) for event in events if type(event) in section)
    return tuple(sentence for sentence in told if sentence)


# --- money -----------------------------------------------------------------------------------


def _loan_repaid(words: Words, event: happened.LoanRepaid) -> str:
    how = "The bank collects" if event.collected else "Paid to the bank:"
    paid = f"{ducats(event.principal)} and {event.interest} interest"
    return f"{words.power(event.power)}: {how} {paid}, due {campaign_words(event.due)}."


def _payment_not_needed(words: Words, event: happened.PaymentNotNeeded) -> str:
    who = words.power(event.power)
    return f"{who}: of {ducats(event.asked)} for the bank {event.paid} were taken."


def _gift_given(words: Words, event: happened.GiftGiven) -> str:
    short = f" (of {event.asked} ordered)" if event.asked != event.ducats else ""
    giver, receiver = words.power(event.giver), words.power(event.receiver)
    return f"{giver} pays {ducats(event.ducats)} to {receiver}{short}."


def _gift_refused(words: Words, event: happened.GiftRefused) -> str:
    why_not = {
        "in debt": "its own debt to the bank comes first",
        "eliminated": "that power is eliminated",
    }[event.because]
    giver, receiver = words.power(event.giver), words.power(event.receiver)
    return f"{giver} pays nothing to {receiver}: {why_not}."


def _loan_taken(words: Words, event: happened.LoanTaken) -> str:
    back = f"{event.principal + event.interest} due {campaign_words(event.due)}"
    return f"{words.power(event.power)} borrows {ducats(event.principal)}; {back}."


def _loan_refused(words: Words, event: happened.LoanRefused) -> str:
    why_not = {
        "limit": "more than 25 would be owed",
        "defaulted": "the bank lends nothing after a default",
    }[event.because]
    return f"{words.power(event.power)} does not get {ducats(event.ducats)}: {why_not}."


def _loan_defaulted(words: Words, event: happened.LoanDefaulted) -> str:
    who = words.power(event.power)
    return f"{who} cannot pay {ducats(event.owed)}: the bank takes {event.seized} and its revenge."


def _chit_given(words: Words, event: happened.ChitGiven) -> str:
    victim = words.power(event.victim)
    giver, receiver = words.power(event.giver), words.power(event.receiver)
    return f"{giver} gives its chit on {victim} to {receiver}."


def _power_assassinated(words: Words, event: happened.PowerAssassinated) -> str:
    killers = listed(words.power(power) for power in event.by) or "the bank"
    return f"The leader of {words.power(event.victim)} is assassinated by {killers}."


def _rebellion_rolled(words: Words, event: happened.RebellionRolled) -> str:
    rises = "rises" if event.die <= event.limit else "stays quiet"
    return f"{words.place(event.place)} {rises}: die {event.die}, rises up to {event.limit}."


def _changed_owner(words: Words, event: happened.UnitChangedOwner) -> str:
    return f"{words.whose(event.unit)} now serves {words.power(event.to)}."


def _famine_ended(words: Words, event: happened.FamineEnded) -> str:
    return f"Famine in {words.place(event.place)} is relieved." if event.relieved else ""


def _bribed_away(words: Words, event: happened.UnitRemoved) -> str:
    if event.because in (Removal.BRIBE, Removal.ASSASSINATION):
        return f"{words.whose(event.unit)}: {event.because.value}."
    return ""


MONEY: Section = {
    happened.LoanRepaid: _loan_repaid,
    happened.PaymentNotNeeded: _payment_not_needed,
    happened.GiftGiven: _gift_given,
    happened.GiftRefused: _gift_refused,
    happened.LoanTaken: _loan_taken,
    happened.LoanRefused: _loan_refused,
    happened.LoanDefaulted: _loan_defaulted,
    Spent: expense_told,
    happened.ChitGiven: _chit_given,
    happened.PowerAssassinated: _power_assassinated,
    happened.RebellionRolled: _rebellion_rolled,
    happened.UnitChangedOwner: _changed_owner,
    happened.FamineEnded: _famine_ended,
    happened.UnitRemoved: _bribed_away,
}

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


def _eliminated_unit(words: Words, event: happened.UnitRemoved) -> str:
    if event.because is Removal.ELIMINATION:
        return f"{words.whose(event.unit)} leaves the map."
    return ""


FATES: Section = {
    happened.UnitRemoved: _eliminated_unit,
    happened.HomeConquered: _home_conquered,
    happened.PowerEliminated: _power_eliminated,
}

VICTORY: Section = {happened.VictoryReached: _victory_reached}

# --- the year's end --------------------------------------------------------------------------


def _disaster(words: Words, event: happened.DisasterStruck) -> str:
    lines = [
        f"{name} {number}"
        for name, number in (("row", event.row), ("column", event.column))
        if number is not None
    ]
    strikes = f"{listed(lines)}: {words.places(event.places) or 'no place'}" if lines else "nothing"
    return f"{event.kind.capitalize()}: severity {event.severity}, {strikes}."


def _lost_to_disaster(words: Words, event: happened.UnitRemoved) -> str:
    if event.because in (Removal.FAMINE, Removal.PLAGUE, Removal.STORM):
        return f"{words.whose(event.unit)} is lost to {event.because.value}."
    return ""


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


# --- what the master corrects ----------------------------------------------------------------


def _treasury_corrected(words: Words, event: happened.TreasuryCorrected) -> str:
    return f"{words.power(event.power)} has {ducats(event.ducats)} now: {event.because}."


def _unit_corrected(words: Words, event: happened.UnitCorrected) -> str:
    where = f"the city of {words.place(event.place)}" if event.in_city else words.place(event.place)
    if event.unit is None:
        return f"No unit stands in {where} now: {event.because}."
    return f"{words.whose(event.unit)} stands in {where} now: {event.because}."


def _owner_corrected(words: Words, event: happened.OwnerCorrected) -> str:
    what = "city" if event.in_city else "province"
    whose = f"{words.power(event.by)}'s" if event.by is not None else "nobody's"
    return f"The {what} of {words.place(event.place)} is {whose} now: {event.because}."


def _marker_corrected(words: Words, event: happened.MarkerCorrected) -> str:
    against = f" against {words.power(event.against)}" if event.against is not None else ""
    there = f"is {event.marker.value}{against} now" if event.on else f"is no {event.marker.value}"
    return f"In {words.place(event.place)} there {there}: {event.because}."


CORRECTIONS: Section = {
    happened.TreasuryCorrected: _treasury_corrected,
    happened.UnitCorrected: _unit_corrected,
    happened.OwnerCorrected: _owner_corrected,
    happened.MarkerCorrected: _marker_corrected,
}
