"""Why something failed: one sentence for each reason that the adjudicator gives."""

from machjudge.adjudicator.model import reasons as because
from machjudge.adjudicator.model.names import PlaceId
from machjudge.adjudicator.model.orders import Named
from machjudge.adjudicator.model.reasons import Flaw, Objection, Reason
from machjudge.letters.wording.words import Words
from machjudge.sentence import Sentence, phrase


def why(words: Words, reason: Reason) -> Sentence:
    """The sentence for a reason, without a full stop."""
    match reason:
        case (
            because.Bounced() | because.Withstood() | because.OwnUnitMet() | because.OwnUnitStayed()
        ):
            return _not_strong_enough(words, reason)
        case because.NoConvoy() | because.ConvoyParadox():
            return _no_convoy(words, reason)
        case because.StraitClosed() | because.VeniceHeld() | because.CityRebels():
            return _closed(words, reason)
        case because.CutBy(unit) | because.SupporterDislodged(unit) | because.WasDislodged(unit):
            key = "why.cut" if isinstance(reason, because.CutBy) else "why.dislodged"
            return Sentence(key, unit=words.whose(unit))
        case because.NotMatched(named):
            return Sentence("why.not_matched", unit=_named(words, named))
        case because.HeldInstead():
            return because_forced(reason)
        case Objection():
            return objection(words, reason)


def because_forced(reason: because.HeldInstead) -> Sentence:
    """Why a unit held instead, with the rule."""
    why_held = Sentence(f"why.forced.{reason.why.name.lower()}")
    return Sentence("why.held_instead", why=why_held, rule=reason.rule)


def objection(words: Words, refused: Objection) -> Sentence:
    """Why an order may not be given: what is wrong, where, and the rule."""
    if (refused.flaw, refused.rule) == (Flaw.VENICE, "MAP-21"):
        return Sentence("why.venice_is_full", rule=refused.rule)
    return Sentence(
        "why.objection",
        flaw=Sentence(f"why.flaw.{refused.flaw.name.lower()}"),
        place=words.place(refused.place) if refused.place is not None else "",
        coasts=refused.coasts,
        rule=refused.rule,
    )


def _not_strong_enough(
    words: Words,
    reason: because.Bounced | because.Withstood | because.OwnUnitMet | because.OwnUnitStayed,
) -> Sentence:
    if isinstance(reason, because.OwnUnitMet):
        return Sentence("why.own_unit_met", unit=words.unit(reason.unit))
    if isinstance(reason, because.OwnUnitStayed):
        return Sentence("why.own_unit_stayed", unit=words.unit(reason.unit))
    key = "why.bounced" if isinstance(reason, because.Bounced) else "why.withstood"
    unit = words.whose(reason.against)
    return Sentence(key, unit=unit, strength=reason.strength, rival=reason.rival)


def _closed(
    words: Words, reason: because.StraitClosed | because.VeniceHeld | because.CityRebels
) -> Sentence:
    match reason:
        case because.StraitClosed(guard):
            return Sentence("why.strait_closed", guard=words.whose(guard))
        case because.VeniceHeld(by):
            return Sentence("why.venice_held", unit=words.whose(by))
        case because.CityRebels(city):
            return Sentence("why.city_rebels", place=words.place(city))


def _no_convoy(words: Words, reason: because.NoConvoy | because.ConvoyParadox) -> Sentence:
    if isinstance(reason, because.ConvoyParadox):
        return Sentence("why.convoy_paradox")
    return Sentence(
        "why.no_convoy",
        place=words.place(reason.at) if reason.at is not None else "",
        fleet=words.whose(reason.fleet) if reason.fleet is not None else "",
        dislodged=reason.dislodged,
    )


def _named(words: Words, named: Named) -> str:
    place: PlaceId = named.place
    name = words.place(place)
    return phrase("{} {}", named.kind.value, name) if named.kind else name
