"""Registering: the name and the time zone of whoever writes."""

from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches
from zoneinfo import available_timezones

from machjudge.reading import Line
from machjudge.service import registry
from machjudge.service.records import Person
from machjudge.service.talk import Talk


def register(talk: Talk, line: Line, fields: Sequence[Line]) -> None:
    """Write down or change who somebody is; *fields* are lines such as ``Name: Lucia``."""
    said = {key: (value, at) for at in fields for key, value in [_field(at)]}
    person = talk.person
    name = registry.clean_name(said["name"][0] if "name" in said else talk.mail.display_name)
    if not name and person is None:
        talk.refuse(line, "a registration needs your name, in a line such as Name: Lucia Neri")
        return
    if person is None:
        person = registry.new_person(talk.desk, talk.address, name, talk.now)
    elif "name" in said and name:
        person = replace(person, name=name)
    person = _with_zone(talk, person, said)
    talk.changes.persons[person.id] = person
    talk.done(f"You are registered as {person.name}, time zone {person.zone}.")


def _field(line: Line) -> tuple[str, str]:
    key, _, value = line.text.partition(":")
    return key.strip().lower().replace(" ", ""), value.strip()


def _with_zone(talk: Talk, person: Person, said: dict[str, tuple[str, Line]]) -> Person:
    for key in ("timezone", "zone"):
        if key in said:
            zone, line = said[key]
            found = find_zone(zone)
            if found is None:
                near = get_close_matches(zone, available_timezones(), n=1, cutoff=0.5)
                talk.refuse(line, f"there is no time zone {zone!r}", instead=_zone_line(near))
                continue
            person = replace(person, zone=found)
    return person


def _zone_line(near: Sequence[str]) -> str:
    return f"Timezone: {near[0] if near else 'Europe/Rome'}"


def find_zone(text: str) -> str | None:
    """A time zone by its IANA name, in any case of letters; nothing if there is none."""
    wanted = text.strip().replace(" ", "_").lower()
    return next((zone for zone in available_timezones() if zone.lower() == wanted), None)
