"""Why something failed: one sentence for each reason that the adjudicator gives."""

from dataclasses import dataclass

from machjudge.adjudicator.model import reasons as because
from machjudge.adjudicator.model.names import PlaceId
from machjudge.adjudicator.model.orders import Named
from machjudge.adjudicator.model.reasons import Flaw, Objection, Reason
from machjudge.letters.wording.words import Words, listed


def why(words: Words, reason: Reason) -> str:
    """The sentence for a reason, without a full stop."""
    match reason:
        case because.Bounced() | because.Withstood() | because.OwnUnitStayed():
            return _not_strong_enough(words, reason)
        case because.NoConvoy() | because.ConvoyParadox():
            return _no_convoy(words, reason)
        case because.StraitClosed() | because.VeniceHeld() | because.CityRebels():
            return _closed(words, reason)
        case because.CutBy() | because.SupporterDislodged() | because.WasDislodged():
            return _driven_out(words, reason)
        case because.NotMatched(named):
            return f"{_named(words, named)} did not do that"
        case because.HeldInstead():
            return because_forced(reason)
        case Objection():
            return objection(words, reason)


def because_forced(reason: because.HeldInstead) -> str:
    """Why a unit held instead, with the rule."""
    return f"{reason.why.value} [{reason.rule}]"


def objection(words: Words, refused: Objection) -> str:
    """Why an order may not be given: what is wrong, where, and the rule."""
    if (refused.flaw, refused.rule) == (Flaw.VENICE, "MAP-21"):
        return f"Venice has room for one unit [{refused.rule}]"
    said = _FULLER.get(refused.flaw, refused.flaw.value)
    where = f" ({words.place(refused.place)})" if refused.place is not None else ""
    return f"{said}{where}{_coasts(refused)} [{refused.rule}]"


_FULLER = {
    Flaw.NO_UNIT: "there is no such unit",
    Flaw.NOT_YOURS: "that is not one of your units",
    Flaw.WRONG_PHASE: "that is not an order for this phase",
    Flaw.NOT_ADJACENT: "the two places do not touch",
    Flaw.WRONG_TERRAIN: "that type of unit cannot be there",
    Flaw.NO_CITY: "there is no fortified city",
    Flaw.FLAG_OFF: "this game is played without that",
}


def _coasts(refused: Objection) -> str:
    if not refused.coasts:
        return ""
    return f": write {listed((f'/{coast}' for coast in refused.coasts), 'or')}"


@dataclass(frozen=True, slots=True)
class _Odds:
    """Two strengths in words."""

    strength: int
    rival: int

    def __str__(self) -> str:
        if self.strength == self.rival:
            return f"both with strength {self.strength}"
        return f"strength {self.rival} against {self.strength}"


def _not_strong_enough(
    words: Words, reason: because.Bounced | because.Withstood | because.OwnUnitStayed
) -> str:
    match reason:
        case because.Bounced(against, strength, rival):
            return f"bounced with {words.whose(against)}, {_Odds(strength, rival)}"
        case because.Withstood(against, strength, rival):
            return f"bounced off {words.whose(against)}, {_Odds(strength, rival)}"
        case because.OwnUnitStayed(unit):
            return f"bounced: your own {words.unit(unit)} did not leave"


def _closed(
    words: Words, reason: because.StraitClosed | because.VeniceHeld | because.CityRebels
) -> str:
    match reason:
        case because.StraitClosed(guard):
            return f"blocked: {words.whose(guard)} closed the strait"
        case because.VeniceHeld(by):
            return f"{words.whose(by)} cannot be overcome in Venice"
        case because.CityRebels(city):
            return f"the city of {words.place(city)} is in rebellion"


def _driven_out(
    words: Words, reason: because.CutBy | because.SupporterDislodged | because.WasDislodged
) -> str:
    match reason:
        case because.CutBy(attacker):
            return f"cut by {words.whose(attacker)}"
        case because.SupporterDislodged(by) | because.WasDislodged(by):
            return f"dislodged by {words.whose(by)}"


def _no_convoy(words: Words, reason: because.NoConvoy | because.ConvoyParadox) -> str:
    if isinstance(reason, because.ConvoyParadox):
        return "no convoy: it depended on what the army itself would do there"
    if reason.at is None:
        return "no convoy: no chain of fleets carried it"
    where = words.place(reason.at)
    if reason.fleet is None:
        return f"no convoy: no fleet in {where} carried it"
    if reason.dislodged:
        return f"no convoy: {words.whose(reason.fleet)} was dislodged"
    return f"no convoy: {words.whose(reason.fleet)} did not carry it"


def _named(words: Words, named: Named) -> str:
    place: PlaceId = named.place
    return f"{named.kind.value} {words.place(place)}" if named.kind else words.place(place)
