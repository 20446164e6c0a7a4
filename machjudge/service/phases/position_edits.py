"""The correction that the words of a FIX mean, or why they mean none.

What no game could have led to is refused, so that a slip of the pen makes no impossible position.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

from machjudge.adjudicator.consistency import inconsistencies
from machjudge.adjudicator.events import (
    ChitsCorrected,
    CorrectionEvent,
    CreditCorrected,
    EliminationCorrected,
    HomeCorrected,
    LoanCorrected,
    Marker,
    MarkerCorrected,
    OwnerCorrected,
    TreasuryCorrected,
    UnitCorrected,
)
from machjudge.adjudicator.events.evolve import evolve
from machjudge.adjudicator.model.board import Spot
from machjudge.adjudicator.model.moments import Stage
from machjudge.adjudicator.model.names import PlaceId, PowerId
from machjudge.adjudicator.model.orders import Hold, Named
from machjudge.adjudicator.model.units import Kind, Unit
from machjudge.language.commands.commands import Fix
from machjudge.language.orders.parse import parse_order
from machjudge.language.vocabulary.lexicon import Lexicon, lexicon_of
from machjudge.language.vocabulary.phases import read_campaign
from machjudge.service.game.view import GameView

NOBODY = "nobody"
USAGE: Mapping[str, str] = {
    "treasury": "FIX TREASURY Florence 9 BECAUSE …",
    "unit": "FIX UNIT Florence A pis BECAUSE …",
    "owner": "FIX OWNER Florence CITY pis BECAUSE …",
    "marker": "FIX MARKER NO FAMINE pis BECAUSE …",
    "home": "FIX HOME Milan COUNTRY Florence BECAUSE …",
    "loan": "FIX LOAN Florence 10 5 Spring 1456 BECAUSE …",
    "default": "FIX DEFAULT NO Florence BECAUSE …",
    "chits": "FIX CHITS Florence Venice 1 BECAUSE …",
    "elimination": "FIX ELIMINATION NO Florence BECAUSE …",
}
"""How each kind is written, by the word behind FIX."""
ALSO: Mapping[str, str] = {
    "chit": "chits",
    "credit": "default",
    "eliminated": "elimination",
    "loans": "loan",
}
_MARKERS = {marker.value: marker for marker in Marker}
_MOST_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Wrong:
    """Why words mean no correction."""

    says: str


def correction_meant(situation: GameView, said: Fix) -> CorrectionEvent | Wrong:
    """The correction, of one of the kinds of `USAGE`; or why there is none."""
    words = _Words(situation, lexicon_of(situation.world.scenario), said.said, said.because)
    event = _READERS[ALSO.get(said.what, said.what)](words)
    return event if isinstance(event, Wrong) else _impossible(situation, event) or event


def _impossible(situation: GameView, event: CorrectionEvent) -> Wrong | None:
    """What no game could have led to, and was not so before."""
    world, before = situation.world, situation.state
    old = set(inconsistencies(world, before))
    new = [each for each in inconsistencies(world, evolve(before, event)) if each not in old]
    says = next((each.says for each in new if not each.harmless), "")
    return Wrong(f"no game leads to such a position: {says}") if says else None


@dataclass(frozen=True, slots=True)
class _Words:
    """The words between FIX and BECAUSE, and the position that they are about."""

    situation: GameView
    lexicon: Lexicon
    said: tuple[str, ...]
    because: str

    def is_on(self) -> bool:
        """Whether they do not begin with NO."""
        return [word.lower() for word in self.said[:1]] != ["no"]

    def behind_no(self) -> tuple[str, ...]:
        """Those behind a NO, or all of them."""
        return self.said if self.is_on() else self.said[1:]

    def power(self, words: Sequence[str]) -> PowerId | Wrong:
        """The power in play that words name."""
        found = self.lexicon.power(" ".join(words).lower()) if words else None
        power = next((p for p in self.situation.world.in_play if p == found), None)
        return power or Wrong(f"{' '.join(words)!r} is no power here" if words else "name a power")

    def living(self, words: Sequence[str]) -> PowerId | Wrong:
        """The same, one that is not eliminated."""
        power = self.power(words)
        if isinstance(power, Wrong) or power not in self.situation.state.eliminated:
            return power
        return Wrong("that power is eliminated; FIX ELIMINATION NO brings it back")

    def owner(self, words: Sequence[str]) -> PowerId | Wrong | None:
        """A living power, or nobody."""
        return None if [word.lower() for word in words] == [NOBODY] else self.living(words)

    def place(self, words: Sequence[str]) -> PlaceId | None:
        """The place that words name."""
        found = self.lexicon.place(" ".join(words)) if words else None
        return PlaceId(found) if isinstance(found, str) else None


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) <= _MOST_DIGITS


# --- money, chits ----------------------------------------------------------------------------


def _treasury(words: _Words) -> CorrectionEvent | Wrong:
    if not words.situation.world.rules.game.money:
        return Wrong("this game is played without money")
    *named, ducats = words.said or ("",)
    if not _is_number(ducats):
        return Wrong("name a power and its ducats")
    power = words.living(named)
    if isinstance(power, Wrong):
        return power
    return TreasuryCorrected(power, int(ducats), words.because)


def _loan(words: _Words) -> CorrectionEvent | Wrong:
    """``Florence 10 5 Spring 1456``: principal, interest, due; all that is due then."""
    if not words.situation.world.rules.money.loans:
        return Wrong("there is no bank in this game")
    named = tuple(takewhile(lambda word: not _is_number(word), words.said))
    numbers = tuple(takewhile(_is_number, words.said[len(named) :]))[:2]
    due = read_campaign(words.said[len(named) + len(numbers) :])
    if not numbers or due is None:
        return Wrong("name a power, ducats, their interest, and the campaign when they are due")
    power = words.living(named)
    if isinstance(power, Wrong):
        return power
    principal, interest = int(numbers[0]), sum(map(int, numbers[1:]))
    return LoanCorrected(power, due, principal, interest, words.because)


def _default(words: _Words) -> CorrectionEvent | Wrong:
    """``Florence``: the bank lends it nothing more; ``no Florence``: it does again."""
    if not words.situation.world.rules.money.loans:
        return Wrong("there is no bank in this game")
    power = words.living(words.behind_no())
    if isinstance(power, Wrong):
        return power
    return CreditCorrected(power, words.is_on(), words.because)


def _chits(words: _Words) -> CorrectionEvent | Wrong:
    """``Florence Venice 1``: who holds how many chits on whom."""
    if not words.situation.world.rules.money.assassinations:
        return Wrong("there are no assassins in this game")
    *named, count = [word for word in words.said if word.lower() != "on"] or [""]
    if not _is_number(count) or int(count) > len(words.situation.world.in_play):
        return Wrong("name a power, its victim, and how many chits it holds")
    for at in range(1, len(named)):
        power, victim = words.living(named[:at]), words.power(named[at:])
        if not isinstance(power, Wrong) and not isinstance(victim, Wrong):
            return ChitsCorrected(power, victim, int(count), words.because)
    return Wrong("name two powers that play here, and how many chits the first holds")


# --- units -----------------------------------------------------------------------------------


def _unit(words: _Words) -> CorrectionEvent | Wrong:
    said = words.said
    if len(said) < 2:  # noqa: PLR2004  an owner and a unit
        return Wrong("name the owner and the unit, or nobody and the unit that goes")
    owner = words.owner(said[:1])
    if isinstance(owner, Wrong):
        return owner
    parsed = parse_order(f"{' '.join(said[1:])} h", words.lexicon, Stage.CAMPAIGN).said
    named = parsed[0].unit if len(parsed) == 1 and isinstance(parsed[0], Hold) else None
    if named is None or named.kind is None:
        return Wrong("write the unit with its letter, as in A pis")
    unit = Unit(owner, named.kind, named.place, named.coast) if owner is not None else None
    flaw = _space_flaw(words.situation, named) if unit is not None else ""
    if flaw:
        return Wrong(flaw)
    return UnitCorrected(named.place, named.kind is Kind.GARRISON, unit, words.because)


def _space_flaw(situation: GameView, named: Named) -> str:
    """Why such a unit cannot stand there; empty if it can."""
    world, place = situation.world, named.place
    is_garrison = named.kind is Kind.GARRISON
    other = situation.state.field if is_garrison else situation.state.garrisons
    if place in world.venice and place in other:
        return "only one unit stands there; take the other one away first"
    if is_garrison:
        return "" if place in world.cities else "there is no city"
    if named.kind is Kind.ARMY:
        return "no army stands in a sea" if world.place(place).is_sea else ""
    spot = Spot(place, named.coast)
    return "" if spot in world.board.fleet else "no fleet stands there, or not on that coast"


# --- owners, markers -------------------------------------------------------------------------


def _owner(words: _Words) -> CorrectionEvent | Wrong:
    small = [word.lower() for word in words.said]
    kind = next((word for word in small if word in ("city", "province")), "")
    if not kind or small[0] == kind or small[-1] == kind:
        return Wrong("name the owner, then city or province, then the place")
    at = small.index(kind)
    owner = words.owner(words.said[:at])
    if isinstance(owner, Wrong):
        return owner
    place = words.place(words.said[at + 1 :])
    if place is None or not _can_be_owned(words.situation, place, in_city=kind == "city"):
        return Wrong(f"there is no {kind} of that name")
    return OwnerCorrected(place, kind == "city", owner, words.because)


def _can_be_owned(situation: GameView, place: PlaceId, *, in_city: bool) -> bool:
    world = situation.world
    return place in world.cities if in_city else not world.place(place).is_sea


def _marker(words: _Words) -> CorrectionEvent | Wrong:
    small = [word.lower() for word in words.behind_no()]
    name = next((n for n in sorted(_MARKERS, key=len, reverse=True) if _begins(small, n)), "")
    place = words.place(small[len(name.split()) :]) if name else None
    if place is None:
        return Wrong(f"write {', '.join(_MARKERS)} and the place")
    marker, on = _MARKERS[name], words.is_on()
    state, in_city = words.situation.state, marker is Marker.CITY_REBELLION
    owners = state.cities if in_city else state.provinces
    rebels = marker in (Marker.REBELLION, Marker.CITY_REBELLION)
    against = owners.get(place) if on and rebels else None
    return MarkerCorrected(place, marker, on, against, words.because)


def _begins(words: Sequence[str], name: str) -> bool:
    return " ".join(words[: len(name.split())]) == name


# --- powers ----------------------------------------------------------------------------------


def _home(words: _Words) -> CorrectionEvent | Wrong:
    """``Milan COUNTRY Florence``: whose the home country of Florence is now, as a whole."""
    small = [word.lower() for word in words.said]
    if "country" not in small:
        return Wrong("name the owner, then COUNTRY, then the power whose home it was at first")
    at = small.index("country")
    by, home = words.owner(words.said[:at]), words.lexicon.power(" ".join(small[at + 1 :]))
    if isinstance(by, Wrong):
        return by
    world = words.situation.world
    found = next((each for each in world.home_blocks if each == home), None)
    if found is None:
        return Wrong(f"{' '.join(words.said[at + 1 :])!r} has no home country here")
    return HomeCorrected(found, world.scenario.powers[found].home, by, words.because)


def _elimination(words: _Words) -> CorrectionEvent | Wrong:
    """``Florence``: it is out, and all that it had is gone; ``no Florence``: it is back."""
    power = words.power(words.behind_no())
    if isinstance(power, Wrong):
        return power
    if (power in words.situation.state.eliminated) is words.is_on():
        return Wrong("it is eliminated already" if words.is_on() else "it is not eliminated")
    return EliminationCorrected(power, words.is_on(), words.because)


_READERS: Mapping[str, Callable[[_Words], CorrectionEvent | Wrong]] = {
    "treasury": _treasury,
    "unit": _unit,
    "owner": _owner,
    "marker": _marker,
    "home": _home,
    "loan": _loan,
    "default": _default,
    "chits": _chits,
    "elimination": _elimination,
}
