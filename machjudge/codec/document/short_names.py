"""Units, places and times as the short words of the format: ``V A pad``, ``pro/nc``, ``S1454``."""

import re

from machjudge.adjudicator.model.board import Spot
from machjudge.adjudicator.model.moments import Campaign, Moment, read_campaign, read_moment
from machjudge.adjudicator.model.names import Coast, PlaceId, PowerId
from machjudge.adjudicator.model.orders import Named
from machjudge.adjudicator.model.units import Kind, Quality, Unit
from machjudge.codec.document.shape import Json, as_text, refuse, shown

_KINDS = {kind.value: kind for kind in Kind}
_QUALITIES = {quality.value: quality for quality in Quality if quality.value}
_PLAIN = Quality.PLAIN
_SINCE = " since "
_NO_KIND = "-"
_NUMBERED = re.compile("[AFG][1-9][0-9]{0,2}")
"""A type with a number, ``A2``."""
_LONGEST_TIME = 6
"""Characters of a phase, ``S1454M``."""


def spot_text(place: PlaceId, coast: Coast) -> str:
    """A place, with its coast where it has one."""
    return f"{place}/{coast}" if coast else place


def read_spot(value: Json) -> Spot:
    """A place with or without a coast; whether the board has it, is not asked.  Raises Unfit."""
    place, _, coast = as_text(value).partition("/")
    return Spot(PlaceId(place), Coast(coast))


def unit_text(unit: Unit) -> str:
    """A unit as positions list it; when it was built is not part of it."""
    coast = unit.coast
    place = f"{unit.place}/{coast}" if coast else unit.place
    number = unit.number or ""
    words = f"{unit.owner} {unit.kind.letter}{number} {place}"
    return words if unit.quality is _PLAIN else f"{words} {unit.quality.value}"


def read_unit(value: Json, since: Campaign | None = None) -> Unit:
    """A unit of a position; whether it can stand there, is not asked.  Raises Unfit."""
    match as_text(value).split(" "):
        case [owner, kind, spot] if kind in _KINDS:
            quality = Quality.PLAIN
        case [owner, kind, spot, mark] if kind in _KINDS and mark in _QUALITIES:
            quality = _QUALITIES[mark]
        case [owner, kind, spot, *marks] if _NUMBERED.fullmatch(kind):
            plain = read_unit(" ".join((owner, kind[0], spot, *marks)), since)
            return plain.numbered(int(kind[1:]))
        case _:
            refuse(f'"{shown(as_text(value))}" is no unit; one is written "V F pro/nc em"')
    place, _, coast = spot.partition("/")
    return Unit(PowerId(owner), _KINDS[kind], PlaceId(place), Coast(coast), quality, since)


def full_unit_text(unit: Unit) -> str:
    """A unit as events name it: with the campaign in which it was built, where that is known."""
    text = unit_text(unit)
    return text if unit.since is None else f"{text}{_SINCE}{unit.since.code}"


def read_full_unit(value: Json) -> Unit:
    """The inverse of ``full_unit_text``.  Raises Unfit."""
    text, since, code = as_text(value).partition(_SINCE)
    return read_unit(text, read_when(code) if since else None)


def named_text(named: Named) -> str:
    """A unit as orders name it: ``pad``, ``A pad``, ``V A pad``, or ``V - pad`` without a type."""
    spot = spot_text(named.place, named.coast)
    kind = _NO_KIND if named.kind is None else named.kind.letter
    if named.owner is not None:
        return f"{named.owner} {kind} {spot}"
    return spot if named.kind is None else f"{kind} {spot}"


def read_named(value: Json) -> Named:
    """The inverse of ``named_text``.  Raises Unfit."""
    match as_text(value).split(" "):
        case [spot]:
            owner, kind = None, None
        case [letter, spot] if letter in _KINDS:
            owner, kind = None, _KINDS[letter]
        case [power, letter, spot] if letter in _KINDS or letter == _NO_KIND:
            owner, kind = PowerId(power), _KINDS.get(letter)
        case _:
            refuse(f'"{shown(as_text(value))}" names no unit; one is named "A pad" or "pad"')
    place, coast = read_spot(spot)
    return Named(kind, place, coast, owner)


def read_phase(value: Json) -> Moment:
    """A phase such as ``S1454M``.  Raises Unfit."""
    text = as_text(value)
    found = read_moment(text) if len(text) <= _LONGEST_TIME else None
    if found is None:
        refuse(f'"{shown(text)}" is no phase; one is written "S1454M"')
    return found


def read_when(value: Json) -> Campaign:
    """A campaign such as ``S1454``.  Raises Unfit."""
    text = as_text(value)
    found = read_campaign(text) if 0 < len(text) < _LONGEST_TIME else None
    if found is None:
        refuse(f'"{shown(text)}" is no campaign; one is written "S1454"')
    return found
