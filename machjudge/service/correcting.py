"""What a master sets right in the position: stored as a phase of its own, with his reason.

The orders on file stay there; the phase that is being played stays the same one.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from machjudge.adjudicator.board import Spot
from machjudge.adjudicator.events import (
    Event,
    Marker,
    MarkerCorrected,
    OwnerCorrected,
    TreasuryCorrected,
    UnitCorrected,
)
from machjudge.adjudicator.evolve import evolve_all
from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.orders import Hold, Named
from machjudge.adjudicator.units import Kind, Unit
from machjudge.language.commands import Fix
from machjudge.language.lexicon import Lexicon, lexicon_of
from machjudge.language.parse import parse_order
from machjudge.letters.sentences import tell
from machjudge.letters.told import CORRECTIONS
from machjudge.letters.words import Words
from machjudge.reading import Line
from machjudge.service.announce import announce
from machjudge.service.holdings import holdings
from machjudge.service.records import Sheet, StoredPhase
from machjudge.service.situation import Situation, seat_of
from machjudge.service.talk import Talk

NOBODY = "nobody"
_USAGE = {
    "treasury": "FIX TREASURY Florence 9 BECAUSE …",
    "unit": "FIX UNIT Florence A pis BECAUSE …",
    "owner": "FIX OWNER Florence CITY pis BECAUSE …",
    "marker": "FIX MARKER NO FAMINE pis BECAUSE …",
}
_MARKERS = {marker.value: marker for marker in Marker}


def fix(talk: Talk, line: Line, said: Fix) -> None:
    """Set one thing right, and tell everybody what and why."""
    situation = talk.situation()
    if situation is None:
        talk.refuse(line, talk.why_not_played())
        return
    if said.what not in _USAGE:
        talk.refuse(line, "what is set right is a treasury, a unit, an owner or a marker")
        return
    event = _event(situation, said)
    if isinstance(event, str):
        talk.refuse(line, event, instead=_USAGE[said.what])
        return
    _store(talk, situation, event)
    (told,) = tell(CORRECTIONS, Words(situation.world), [event])
    talk.done(told)
    _tell(talk, situation, event, told)


def _tell(talk: Talk, situation: Situation, event: Event, told: str) -> None:
    """Tell everybody; where ducats are hidden, how many they are now its owner alone."""
    game = situation.game
    public, owner = told, None
    if isinstance(event, TreasuryCorrected) and game.conduct.hidden_money:
        public = f"A treasury was corrected: {event.because}."
        owner = seat_of(game, event.power)
    talk.note("correction", public)
    others = {seat.address for seat in game.seats if owner is None or seat.number != owner.number}
    head = "The master has set something right."
    if owner is not None and owner.person is not None:
        announce(talk, talk.game or game, "Correction", [head, told], {owner.address})
        others -= {owner.address}
    announce(talk, talk.game or game, "Correction", [head, public], others)


def _store(talk: Talk, situation: Situation, event: Event) -> None:
    game, before = situation.game, situation.state
    stored = StoredPhase(
        game=game.id,
        number=situation.last_number + 1,
        parent=situation.phase.number,
        moment=before.moment.code,
        before=before,
        after=evolve_all(before, [event]),
        orders={},
        rules=game.rules,
        events=(event,),
        adjudicator=talk.desk.judge.version,
        processed=talk.now,
    )
    talk.changes.phases.append((stored, holdings(situation.world, stored.after)))
    talk.changes.sheets += _carried_over(talk, situation, stored.number)
    moved = replace(game, position=stored.number)
    talk.set_game(moved)
    sheets = {power: replace(s, after=stored.number) for power, s in situation.sheets.items()}
    talk.current = replace(
        situation, game=moved, phase=stored, sheets=sheets, last_number=stored.number
    )


def _carried_over(talk: Talk, situation: Situation, number: int) -> Iterable[Sheet]:
    """The orders on file, with their history, for the corrected position."""
    old = situation.phase.number
    for power in situation.sheets:
        filed = [s for s in talk.changes.sheets if (s.power, s.after) == (power, old)]
        history = talk.uow.sheets.history(situation.game.id, old, power)
        yield from [replace(sheet, after=number) for sheet in (*history, *filed)]


# --- what is said ----------------------------------------------------------------------------


def _event(situation: Situation, said: Fix) -> Event | str:
    """The correction that words mean, or why they mean none."""
    lexicon = lexicon_of(situation.world.scenario)
    match said.what:
        case "treasury":
            return _treasury(situation, lexicon, said)
        case "unit":
            return _unit(situation, lexicon, said)
        case "owner":
            return _owner(situation, lexicon, said)
        case _:
            return _marker(situation, lexicon, said)


def _treasury(situation: Situation, lexicon: Lexicon, said: Fix) -> Event | str:
    if not situation.world.rules.game.money:
        return "this game is played without money"
    *words, ducats = said.said or ("",)
    power = _power(situation, lexicon, words)
    if power is None or not ducats.isascii() or not ducats.isdigit() or len(ducats) > 6:  # noqa: PLR2004  a million
        return "name a power and its ducats"
    return TreasuryCorrected(power, int(ducats), said.because)


def _unit(situation: Situation, lexicon: Lexicon, said: Fix) -> Event | str:
    words = said.said
    if len(words) < 2:  # noqa: PLR2004  an owner and a unit
        return "name the owner and the unit, or nobody and the unit that goes"
    owner = None if words[0].lower() == NOBODY else _power(situation, lexicon, words[:1])
    if owner is None and words[0].lower() != NOBODY:
        return f"{words[0]!r} is no power here"
    parsed = parse_order(f"{' '.join(words[1:])} h", lexicon, Stage.CAMPAIGN).said
    named = parsed[0].unit if len(parsed) == 1 and isinstance(parsed[0], Hold) else None
    if named is None or named.kind is None:
        return "write the unit with its letter, as in A pis"
    unit = Unit(owner, named.kind, named.place, named.coast) if owner is not None else None
    flaw = _space_flaw(situation, named) if unit is not None else ""
    in_city = named.kind is Kind.GARRISON
    return flaw or UnitCorrected(named.place, in_city, unit, said.because)


def _space_flaw(situation: Situation, named: Named) -> str:
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


def _owner(situation: Situation, lexicon: Lexicon, said: Fix) -> Event | str:
    words = [word.lower() for word in said.said]
    kind = next((word for word in words if word in ("city", "province")), "")
    if not kind or words[0] == kind or words[-1] == kind:
        return "name the owner, then city or province, then the place"
    at = words.index(kind)
    owner = _power(situation, lexicon, words[:at])
    if owner is None and words[:at] != [NOBODY]:
        return f"{' '.join(said.said[:at])!r} is no power here"
    place = _place(lexicon, words[at + 1 :])
    if place is None or not _can_be_owned(situation, place, in_city=kind == "city"):
        return f"there is no {kind} of that name"
    return OwnerCorrected(place, kind == "city", owner, said.because)


def _can_be_owned(situation: Situation, place: PlaceId, *, in_city: bool) -> bool:
    world = situation.world
    return place in world.cities if in_city else not world.place(place).is_sea


def _marker(situation: Situation, lexicon: Lexicon, said: Fix) -> Event | str:
    words = [word.lower() for word in said.said]
    on = words[:1] != ["no"]
    words = words if on else words[1:]
    name = next((n for n in sorted(_MARKERS, key=len, reverse=True) if _begins(words, n)), "")
    place = _place(lexicon, words[len(name.split()) :]) if name else None
    if place is None:
        return f"write {', '.join(_MARKERS)} and the place"
    marker = _MARKERS[name]
    state, in_city = situation.state, marker is Marker.CITY_REBELLION
    owners = state.cities if in_city else state.provinces
    rebels = marker in (Marker.REBELLION, Marker.CITY_REBELLION)
    against = owners.get(place) if on and rebels else None
    return MarkerCorrected(place, marker, on, against, said.because)


def _begins(words: Sequence[str], name: str) -> bool:
    return " ".join(words[: len(name.split())]) == name


def _power(situation: Situation, lexicon: Lexicon, words: Sequence[str]) -> PowerId | None:
    found = lexicon.power(" ".join(words).lower()) if words else None
    return next((p for p in situation.world.in_play if p == found), None)


def _place(lexicon: Lexicon, words: Sequence[str]) -> PlaceId | None:
    found = lexicon.place(" ".join(words)) if words else None
    return PlaceId(found) if isinstance(found, str) else None
