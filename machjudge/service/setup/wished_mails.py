"""How somebody wants the judge's mails: in which language, laid out or plain, with a calendar."""

from dataclasses import replace

from machjudge.language.commands.commands import Setting
from machjudge.letters.page.page import Stationery
from machjudge.reading import Line
from machjudge.sentence import Sentence
from machjudge.service.credentials.authority import Act
from machjudge.service.model.records import Calendar
from machjudge.service.session.command import ANYBODY, PLAYING, CommandEntry
from machjudge.service.session.session import Session


def set_language(session: Session, line: Line, said: Setting) -> None:
    """Read mails of the judge in another language."""
    paper, person = session.services.paper, session.person
    known = {name: each for each in paper.languages for name in _names_of(paper.of(each))}
    language = known.get(said.value[0].lower()) if said.value else None
    if language is None:
        names = tuple(_names_of(paper.of(each))[0] for each in paper.languages)
        session.refuse(line, Sentence("setup.language.unknown", names=names))
    elif person is None:
        session.refuse(line, Sentence("setup.register_first"))
    else:
        session.changes.persons[person.id] = replace(person, language=language)
        session.done(Sentence("setup.language.set"))


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
    person = session.person
    word = said.value[0].lower() if said.value else "on"
    if word not in ("on", "off"):
        session.refuse(line, Sentence("setup.html.unknown"), instead="SET HTML OFF")
    elif person is None:
        session.refuse(line, Sentence("setup.register_first"))
    else:
        wish = said.on and word == "on"
        session.changes.persons[person.id] = replace(person, html=wish)
        session.done(Sentence("setup.html.set", on=wish))


SET_HTML = CommandEntry(
    "set html",
    PLAYING,
    ANYBODY,
    Act.PERSON,
    set_html,
    setting="html",
)
