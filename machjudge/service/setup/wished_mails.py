"""How somebody wants the judge's mails: in which language, how often, laid out, with a calendar."""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

from machjudge.language.commands.commands import Set, Setting
from machjudge.letters.page.page import Stationery
from machjudge.reading import Line
from machjudge.sentence import Sentence
from machjudge.service.credentials.authority import Act
from machjudge.service.model.records import Calendar, Notify, Person
from machjudge.service.session.command import ANYBODY, PLAYING, CommandEntry
from machjudge.service.session.session import Session


def set_language(session: Session, line: Line, said: Setting) -> None:
    """Read mails of the judge in another language."""
    paper = session.services.paper
    language = _language_in(paper, said)
    if language is None:
        names = tuple(_names_of(paper.of(each))[0] for each in paper.languages)
        session.refuse(line, Sentence("setup.language.unknown", names=names))
    elif session.person is None:
        session.once_known = partial(_write_in, session, line, language)
    else:
        session.once_known = None
        _write_in(session, line, language)


def _write_in(session: Session, line: Line, language: str) -> None:
    person = session.person
    if person is None:
        session.refuse(line, Sentence("setup.register_first"))
    else:
        session.changes.persons[person.id] = replace(person, language=language)
        session.done(Sentence("setup.language.set"))


def language_set_by(session: Session, commands: Iterable[object]) -> str:
    """The language that these commands of a mail set in the end; empty if they set none."""
    settings = (one for each in commands if isinstance(each, Set) for one in each.settings)
    wanted = (one for one in settings if one.key == "language")
    found = [_language_in(session.services.paper, each) for each in wanted]
    return next(filter(None, reversed(found)), "")


def _language_in(paper: Stationery, said: Setting) -> str | None:
    """The language that a setting names; None if there is none of that name."""
    known = {name: each for each in paper.languages for name in _names_of(paper.of(each))}
    return known.get(said.value[0].lower()) if said.value else None


def _names_of(paper: Stationery) -> list[str]:
    """What a language is called: first as it is to be written, then its other names."""
    return paper.say(Sentence("setup.language.names")).split()


SET_LANGUAGE = CommandEntry(
    "set language",
    PLAYING,
    ANYBODY,
    Act.PERSON,
    set_language,
    setting="language",
)


def set_calendar(session: Session, line: Line, said: Setting) -> None:
    """Have deadlines come as a file for one's calendar, as an invitation, or not at all."""
    person = session.person
    word = said.value[0].lower() if said.value else Calendar.OFF.value
    if word not in _CALENDARS:
        session.refuse(line, Sentence("setup.calendar.unknown"), instead="SET CALENDAR ON")
    elif person is None:
        session.refuse(line, Sentence("setup.register_first"))
    else:
        wish = _CALENDARS[word] if said.on else Calendar.OFF
        session.changes.persons[person.id] = replace(person, calendar=wish)
        session.done(Sentence("setup.calendar.set", how=wish.value))


_CALENDARS = {wish.value: wish for wish in Calendar}

SET_CALENDAR = CommandEntry(
    "set calendar",
    PLAYING,
    ANYBODY,
    Act.PERSON,
    set_calendar,
    setting="calendar",
)


def set_html(session: Session, line: Line, said: Setting) -> None:
    """Have messages laid out for eyes beside their text, or their text alone."""
    _switch(session, line, said, "SET HTML OFF", lambda person, on: replace(person, html=on))


SET_HTML = CommandEntry(
    "set html",
    PLAYING,
    ANYBODY,
    Act.PERSON,
    set_html,
    setting="html",
)


def set_pictures(session: Session, line: Line, said: Setting) -> None:
    """Have messages show maps, or words alone."""
    _switch(
        session, line, said, "SET PICTURES OFF", lambda person, on: replace(person, pictures=on)
    )


SET_PICTURES = CommandEntry(
    "set pictures",
    PLAYING,
    ANYBODY,
    Act.PERSON,
    set_pictures,
    setting="pictures",
)


def set_json(session: Session, line: Line, said: Setting) -> None:
    """Have results bring what happened as a JSON file, or not."""
    _switch(session, line, said, "SET JSON OFF", lambda person, on: replace(person, json=on))


SET_JSON = CommandEntry(
    "set json",
    PLAYING,
    ANYBODY,
    Act.PERSON,
    set_json,
    setting="json",
)


def _switch(
    session: Session, line: Line, said: Setting, off: str, put: Callable[[Person, bool], Person]
) -> None:
    """Put one wish of whoever writes on or off; *off* is the command that puts it off."""
    person, what = session.person, said.key
    word = said.value[0].lower() if said.value else "on"
    if word not in ("on", "off"):
        session.refuse(line, Sentence("setup.on_or_off"), instead=off)
    elif person is None:
        session.refuse(line, Sentence("setup.register_first"))
    else:
        wish = said.on and word == "on"
        session.changes.persons[person.id] = put(person, wish)
        session.done(Sentence(f"setup.{what}.set", on=wish))


_AT = re.compile(r"(?:at )?([01]?\d|2[0-3])(?::00)?(?: ?(?:h|hours|o'clock))?", re.IGNORECASE)
"""An hour of the day, such as ``18``, ``at 18:00``."""


def set_notify(session: Session, line: Line, said: Setting) -> None:
    """Have every message come by itself, or in a digest once a day."""
    person, wish = session.person, _wish(said)
    if wish is None:
        session.refuse(line, Sentence("setup.notify.unknown"), instead="SET NOTIFY DAILY 7")
    elif person is None:
        session.refuse(line, Sentence("setup.register_first"))
    else:
        notify, hour = wish
        at = person.digest_hour if hour is None else hour
        session.changes.persons[person.id] = replace(person, notify=notify, digest_hour=at)
        session.done(Sentence("setup.notify.set", how=notify.value, hour=at))


def _wish(said: Setting) -> tuple[Notify, int | None] | None:
    """What somebody wants, and at which hour if they say so; None if that is not clear."""
    word, *rest = [each.lower() for each in said.value] or ["" if said.on else "each"]
    notify, behind = _NOTIFY.get(word), " ".join(rest)
    if notify is None or not behind:
        return None if notify is None else (notify, None)
    at = _AT.fullmatch(behind)
    return None if at is None or notify is Notify.EACH else (notify, int(at[1]))


_NOTIFY = {wish.value: wish for wish in Notify}

SET_NOTIFY = CommandEntry(
    "set notify",
    PLAYING,
    ANYBODY,
    Act.PERSON,
    set_notify,
    setting="notify",
    also=("set digest",),
)
