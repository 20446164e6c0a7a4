"""What happened besides movement and money, in one sentence for each event, by sections.

An event that no section tells says nothing to a reader: it is part of another one's sentence, or
of a table.
"""

from collections.abc import Sequence

from machjudge.adjudicator import events as happened
from machjudge.adjudicator.events import Event
from machjudge.adjudicator.model.board import Spot
from machjudge.adjudicator.model.names import PowerId
from machjudge.adjudicator.model.reasons import Removal
from machjudge.letters.wording.notation import order_text
from machjudge.letters.wording.sentences import Section, Teller, tell
from machjudge.letters.wording.why import why
from machjudge.letters.wording.words import Words
from machjudge.sentence import Sentence

# --- rebellions and sieges -------------------------------------------------------------------


def _rebels_where(
    words: Words, event: happened.RebellionStarted | happened.RebellionEnded
) -> Sentence:
    in_both = event.in_province and event.in_city
    where = "both" if in_both else "city" if event.in_city else "province"
    return Sentence(f"results.rebels_in.{where}", place=words.place(event.place))


def _rebellion_started(words: Words, event: happened.RebellionStarted) -> Sentence:
    against = words.power(event.against) if event.against is not None else ""
    return Sentence("results.rebellion_started", where=_rebels_where(words, event), power=against)


def _rebellion_ended(words: Words, event: happened.RebellionEnded) -> Sentence:
    return Sentence(
        "results.rebellion_ended",
        where=_rebels_where(words, event),
        how=Sentence(f"results.rebellion_end.{event.because.name.lower()}"),
        power=words.power(event.by) if event.by is not None else "",
    )


def _siege_ended(words: Words, event: happened.SiegeEnded) -> Sentence:
    because = Sentence(f"results.siege_end.{event.because.name.lower()}")
    return Sentence("results.siege_ended", city=words.place(event.city), because=because)


def removed_by(**keys: str) -> Teller:
    """Tells of a unit that leaves the map, by the names of the reasons; of no others."""

    def told(words: Words, event: happened.UnitRemoved) -> Sentence | None:
        key = keys.get(event.because.name)
        return Sentence(f"results.removed.{key}", unit=words.whose(event.unit)) if key else None

    return told


UNREST: Section = {
    happened.RebellionStarted: _rebellion_started,
    happened.RebellionEnded: _rebellion_ended,
    happened.SiegeEnded: _siege_ended,
    happened.UnitRemoved: removed_by(STARVED="starved"),
}


def _tie_broken(words: Words, event: happened.TieBroken) -> Sentence:
    units = tuple(words.whose(unit) for unit in event.units)
    rule = Sentence(f"results.tie.{event.rule.replace(' ', '_')}")
    return Sentence("results.tie_broken", units=units, rule=rule)


TIES: Section = {happened.TieBroken: _tie_broken}

# --- dislodged units -------------------------------------------------------------------------


def _dislodged(words: Words, event: happened.UnitDislodged) -> Sentence:
    return Sentence(
        "results.may_retreat",
        unit=words.whose(event.unit),
        ways=(
            *(words.spot(spot) for spot in event.retreats),
            *((Sentence("results.its_city"),) if event.convert else ()),
        ),
    )


DISLODGED: Section = {
    happened.UnitDislodged: _dislodged,
    happened.UnitRemoved: removed_by(NO_RETREAT="destroyed"),
}


def _retreated(words: Words, event: happened.Retreated) -> Sentence:
    place = words.spot(Spot(event.to, event.coast))
    key = "results.retreated_into_city" if event.into_city else "results.retreated"
    wanted = words.place(event.instead_of) if event.instead_of is not None else ""
    return Sentence(key, unit=words.whose(event.unit), place=place, wanted=wanted)


RETREATS: Section = {
    happened.Retreated: _retreated,
    happened.UnitRemoved: removed_by(
        ORDERED="disbands",
        NO_RETREAT_ORDERED="not_ordered",
        RETREATS_MET="met_another",
        NO_RETREAT="no_retreat",
    ),
}

SENT: Section = {
    happened.Retreated: _retreated,
    happened.UnitRemoved: removed_by(RETREATS_MET="met_another"),
}
"""Where the judge has sent the dislodged at the end of their campaign (MOV-47)."""

DISBANDED: Section = {happened.UnitRemoved: removed_by(ORDERED="disbanded")}

# --- control, victory ------------------------------------------------------------------------


def _home_conquered(words: Words, event: happened.HomeConquered) -> Sentence:
    by = words.power(event.by) if event.by is not None else ""
    return Sentence("results.home_conquered", home=words.power(event.home), power=by)


def _home_held(words: Words, event: happened.HomeHeld) -> Sentence:
    by = words.power(event.by) if event.by is not None else ""
    return Sentence("results.home_held", home=words.power(event.home), power=by)


def _power_eliminated(words: Words, event: happened.PowerEliminated) -> Sentence:
    return Sentence("results.eliminated", power=words.power(event.power))


def _victory_reached(words: Words, event: happened.VictoryReached) -> Sentence:
    power = words.power(event.power)
    return Sentence("results.victory", power=power, cities=event.cities, homes=event.homes)


def _side_won(words: Words, event: happened.SideWon) -> Sentence:
    powers = tuple(words.power(power) for power in event.powers)
    return Sentence("results.side_won", powers=powers, cities=event.cities, homes=event.homes)


def _end_thrown(words: Words, event: happened.EndThrown) -> Sentence:
    return Sentence(
        "results.end_thrown",
        leaders=tuple(map(words.power, event.leaders)),
        cities=event.cities,
        die=event.die,
        limit=event.limit,
    )


FATES: Section = {
    happened.UnitRemoved: removed_by(ELIMINATION="leaves"),
    happened.HomeConquered: _home_conquered,
    happened.HomeHeld: _home_held,
    happened.PowerEliminated: _power_eliminated,
}


def _numbered(words: Words, event: happened.UnitNumbered) -> Sentence:
    number = f"{event.unit.kind.letter}{event.number}"
    return Sentence("results.numbered", unit=words.whose(event.unit), number=number)


NUMBERS: Section = {happened.UnitNumbered: _numbered}

VICTORY: Section = {
    happened.VictoryReached: _victory_reached,
    happened.SideWon: _side_won,
    happened.EndThrown: _end_thrown,
}

# --- the year's end --------------------------------------------------------------------------


def _disaster(words: Words, event: happened.DisasterStruck) -> Sentence:
    """What the dice say, and in lines of their own the places struck."""
    return Sentence(
        "results.disaster",
        kind=Sentence(f"results.disasters.{event.kind}"),
        severity=event.severity,
        row=event.row,
        column=event.column,
        places=tuple(sorted(words.place(place) for place in event.places)),
    )


def _storm_broke(words: Words, event: happened.StormBroke) -> Sentence:
    return Sentence("results.storm_broke", place=words.place(event.place), die=event.die)


def _plague_spread(words: Words, event: happened.PlagueSpread) -> Sentence:
    return Sentence("results.plague_spread", place=words.place(event.place))


def _province_burnt(words: Words, event: happened.ProvinceBurnt) -> Sentence:
    place, power = words.place(event.place), words.power(event.power)
    return Sentence("results.province_burnt", place=place, power=power)


def _driven_ashore(words: Words, event: happened.DrivenAshore) -> Sentence:
    place = words.spot(Spot(event.to, event.coast))
    return Sentence("results.driven_ashore", unit=words.whose(event.unit), place=place)


def _relief_used(words: Words, event: happened.ReliefUsed) -> Sentence | None:
    place = words.place(event.place)
    return Sentence("results.famine_averted", place=place) if event.needed else None


DISASTERS: Section = {
    happened.DisasterStruck: _disaster,
    happened.StormBroke: _storm_broke,
    happened.PlagueSpread: _plague_spread,
    happened.ProvinceBurnt: _province_burnt,
    happened.DrivenAshore: _driven_ashore,
    happened.ReliefUsed: _relief_used,
    happened.UnitRemoved: removed_by(FAMINE="famine", PLAGUE="plague", STORM="storm"),
}


def _maintained(words: Words, event: happened.Maintained) -> Sentence:
    unit = words.unit(event.unit)
    return Sentence("results.maintains", unit=unit, ducats=event.ducats)


def _built(words: Words, event: happened.UnitBuilt) -> Sentence:
    return Sentence("results.builds", unit=words.unit(event.unit), ducats=event.ducats)


_NOT_KEPT = {
    Removal.ORDERED: "disbands",
    Removal.NOT_MAINTAINED: "not_maintained",
    Removal.TOO_FEW_CITIES: "too_few_cities",
}


def _removed(words: Words, event: happened.UnitRemoved) -> Sentence:
    key = _NOT_KEPT.get(event.because, "loses")
    return Sentence(f"results.adjustment.{key}", unit=words.unit(event.unit))


def _adjustment_failed(words: Words, event: happened.AdjustmentFailed) -> Sentence:
    return Sentence(
        "results.adjustment_failed",
        order=order_text(words, event.order),
        because=why(words, event.because),
        lost=event.lost,
    )


def _taxes_forced(words: Words, event: happened.TaxesForced) -> Sentence:
    place = words.place(event.place)
    return Sentence("results.taxes_forced", place=place, ducats=event.ducats)


def _waived(_: Words, event: happened.BuildsWaived) -> Sentence:
    return Sentence("results.waives", n=event.count)


ADJUSTMENT: Section = {
    happened.TaxesForced: _taxes_forced,
    happened.Maintained: _maintained,
    happened.UnitBuilt: _built,
    happened.UnitRemoved: _removed,
    happened.AdjustmentFailed: _adjustment_failed,
    happened.BuildsWaived: _waived,
}


def adjustment_of(words: Words, power: PowerId, events: Sequence[Event]) -> tuple[Sentence, ...]:
    """What one power did in the adjustment."""
    return tell(ADJUSTMENT, words, [event for event in events if _actor(event) == power])


def _actor(event: Event) -> PowerId | None:
    unit = getattr(event, "unit", None)
    return unit.owner if unit is not None else getattr(event, "power", None)
