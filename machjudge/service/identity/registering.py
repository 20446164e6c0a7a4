"""Registering: the name and the time zone of whoever writes."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from difflib import get_close_matches
from functools import cache
from zoneinfo import ZoneInfo
from zoneinfo import available_timezones as zones_on_disk

from machjudge.reading import Line
from machjudge.sentence import Sentence
from machjudge.service.credentials.authority import Act
from machjudge.service.game import registry
from machjudge.service.game.view import zone_words
from machjudge.service.identity.provisional import ask_to_answer
from machjudge.service.model.records import AddressStanding, Person
from machjudge.service.session.command import ANYBODY, COMING, CommandEntry
from machjudge.service.session.session import Session

NO_NAME = Sentence("identity.register.first")


def register(session: Session, line: Line, fields: Sequence[Line]) -> None:
    """Write down or change who somebody is; *fields* are lines such as ``Name: Lucia``."""
    said = {key: (value, at) for at in fields for key, value in [_field(at)]}
    person = session.person
    is_new = person is None
    named = said.get("name", ("", line))
    name = _free_name(session, *named) if named[0] else ""
    if person is None:
        name = name or _name_of_mail(session)
        if not name:
            session.refuse(line, Sentence("identity.register.no_name"))
            return
        person = session.somebody_new(name)
    elif name:
        person = replace(person, name=name)
    person = session.known_by(_with_zone(session, person, said))
    if not person.is_confirmed:
        session.known_by(replace(person, standing=AddressStanding.REGISTERING))
        ask_to_answer(session, person)
    told = Sentence(
        "identity.register.registered",
        name=person.name,
        zone=zone_words(person.zone),
        is_done=person.is_confirmed,
        is_assumed=is_new and not said.keys() & _ZONES,
    )
    session.done(told)


def _free_name(session: Session, typed: str, line: Line) -> str:
    """The name as it is kept; empty, and refused, where nobody may be called so."""
    flaw = session.names().flaw(typed)
    if flaw is not None:
        session.refuse(line, flaw)
        return ""
    return registry.clean_name(typed)


def _name_of_mail(session: Session) -> str:
    """The name in From, or one like it that is free; empty if there is none."""
    wanted = registry.clean_name(session.mail.display_name)
    return session.names().nearest(wanted, session.address) if wanted else ""


def _field(line: Line) -> tuple[str, str]:
    key, _, value = line.text.partition(":")
    return key.strip().lower().replace(" ", ""), value.strip()


def _with_zone(session: Session, person: Person, said: dict[str, tuple[str, Line]]) -> Person:
    for key in _ZONES:
        if key in said:
            zone, line = said[key]
            found = find_zone(zone)
            if found is None:
                near = nearest_zone(zone) or "Europe/Rome"
                until = zone_words(person.zone)
                unknown = Sentence("identity.register.no_zone", zone=zone, until=until)
                session.refuse(line, unknown, f"Timezone: {near}")
                continue
            person = replace(person, zone=found)
    return person


@cache
def available_timezones() -> frozenset[str]:
    """The names of all time zones; looked up on the disk once."""
    return frozenset(zones_on_disk())


def find_zone(text: str) -> str | None:
    """A time zone by its IANA name in any case, its city, or hours from UTC; or None."""
    wanted = text.strip().strip(".,;").replace(" ", "_").lower()
    exact = next((zone for zone in available_timezones() if zone.lower() == wanted), None)
    if exact is not None:
        return exact
    offset = _OFFSET.fullmatch(wanted)
    if offset is not None:
        # The signs of these names are turned round: Etc/GMT-1 is an hour east of Greenwich.
        hours = int(offset["hours"]) * (1 if offset["sign"] == "-" else -1)
        name = f"Etc/GMT{hours:+d}" if hours else "UTC"
        return name if name in available_timezones() else None
    names = (wanted, wanted.partition("(")[0].rstrip("_"), wanted.partition(",")[0])
    return next((zone for name in names if (zone := _zone_of_city(name)) is not None), None)


def _zone_of_city(name: str) -> str | None:
    """The zone of a city of that name; None where several differ.

    Some cities have two names in the zone database, for one and the same zone.
    """
    cities = sorted((zone for zone in available_timezones() if _is_city(zone, name)), key=len)
    if len({tuple(_offsets(zone)) for zone in cities}) > 1:
        return None
    return next(iter(cities), None)


def _offsets(zone: str) -> Iterator[timedelta | None]:
    """How far the zone is from UTC, month by month through some years."""
    months = (datetime(year, month, 1) for year in _YEARS for month in range(1, 13))  # noqa: DTZ001
    return (ZoneInfo(zone).utcoffset(month) for month in months)


def nearest_zone(text: str) -> str | None:
    """The name of the time zone that looks most like a text."""
    zones = (zone for zone in sorted(available_timezones()) if zone.partition("/")[0] in _AREAS)
    cities = {zone.rpartition("/")[2].lower(): zone for zone in zones}
    wanted = text.strip().replace(" ", "_").lower().rpartition("/")[2]
    near = get_close_matches(wanted, cities, n=1, cutoff=0.7)
    return cities[near[0]] if near else None


def _is_city(zone: str, wanted: str) -> bool:
    area, _, city = zone.rpartition("/")
    return area.partition("/")[0] in _AREAS and city.lower() == wanted


_OFFSET = re.compile(r"(?:utc|gmt)?(?P<sign>[+-])0?(?P<hours>\d{1,2})(?::?00)?")
_ZONES = ("timezone", "zone")
_YEARS = range(2000, 2031)
_AREAS = ("Africa", "America", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")


def newcomer(session: Session, line: Line, password: str) -> Person | None:
    """Whoever takes a new seat with a password of their own; nothing where something is wrong."""
    flaw = registry.password_flaw(password)
    if flaw is not None:
        session.refuse_all(line, flaw)
        return None
    person = session.person_or_new()
    if person is None:
        session.refuse_all(line, NO_NAME)
    return person


REGISTER = CommandEntry(
    "register",
    COMING,
    ANYBODY,
    Act.PERSON,
    None,
)
