"""What can be set: one small handler for each setting."""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

from machjudge.adjudicator.rules import OrderNotation
from machjudge.judge import people
from machjudge.judge.commands import ANYBODY, PLAYERS, SEATED, once_begun, setting
from machjudge.judge.confirmation import (
    ask_address,
    confirm_change,
    find_zone,
    nearest_zone,
)
from machjudge.judge.credentials import Act
from machjudge.judge.game_view import zone_words
from machjudge.judge.mail_context import MailContext, is_own
from machjudge.judge.opening import WISH_POWERS, read_preferences
from machjudge.judge.records import Calendar, Notify, Person
from machjudge.language.commands import Set, Setting
from machjudge.language.settings import ONE_ADDRESS
from machjudge.mail_parser.lines import Line
from machjudge.messages.render import MessageRenderer
from machjudge.translatable import Message


@setting("language", act=Act.PERSON, who=ANYBODY)
def set_language(context: MailContext, line: Line, said: Setting) -> None:
    """Read mails of the judge in another language."""
    renderer = context.services.renderer
    language = _language_in(renderer, said)
    if language is None:
        names = tuple(_names_of(renderer.of(each))[0] for each in renderer.languages)
        context.refuse(line, Message("setup.language.unknown", names=names))
    elif context.person is None:
        context.once_known = partial(_write_in, context, line, language)
    else:
        context.once_known = None
        _write_in(context, line, language)


def _write_in(context: MailContext, line: Line, language: str) -> None:
    person = context.person
    if person is None:
        context.refuse(line, Message("setup.register_first"))
    else:
        context.changes.persons[person.id] = replace(person, language=language)
        context.done(Message("setup.language.set"))


def language_set_by(context: MailContext, commands: Iterable[object]) -> str:
    """The language that these commands of a mail set in the end; empty if they set none."""
    settings = (one for each in commands if isinstance(each, Set) for one in each.settings)
    wanted = (one for one in settings if one.key == "language")
    found = [_language_in(context.services.renderer, each) for each in wanted]
    return next(filter(None, reversed(found)), "")


def _language_in(renderer: MessageRenderer, said: Setting) -> str | None:
    """The language that a setting names; None if there is none of that name."""
    known = {name: each for each in renderer.languages for name in _names_of(renderer.of(each))}
    return known.get(said.value[0].lower()) if said.value else None


def _names_of(renderer: MessageRenderer) -> list[str]:
    """What a language is called: first as it is to be written, then its other names."""
    return renderer.say(Message("setup.language.names")).split()


@setting("calendar", act=Act.PERSON, who=ANYBODY)
def set_calendar(context: MailContext, line: Line, said: Setting) -> None:
    """Have deadlines come as a file for one's calendar, as an invitation, or not at all."""
    person = context.person
    word = said.value[0].lower() if said.value else Calendar.OFF.value
    if word not in _CALENDARS:
        context.refuse(line, Message("setup.calendar.unknown"), instead="SET CALENDAR ON")
    elif person is None:
        context.refuse(line, Message("setup.register_first"))
    else:
        wish = _CALENDARS[word] if said.on else Calendar.OFF
        context.changes.persons[person.id] = replace(person, calendar=wish)
        context.done(Message("setup.calendar.set", how=wish.value))


_CALENDARS = {wish.value: wish for wish in Calendar}


@setting("html", act=Act.PERSON, who=ANYBODY)
def set_html(context: MailContext, line: Line, said: Setting) -> None:
    """Have messages laid out for eyes beside their text, or their text alone."""
    _switch(context, line, said, "SET HTML OFF", lambda person, on: replace(person, html=on))


@setting("pictures", act=Act.PERSON, who=ANYBODY)
def set_pictures(context: MailContext, line: Line, said: Setting) -> None:
    """Have messages show maps, or words alone."""
    _switch(
        context, line, said, "SET PICTURES OFF", lambda person, on: replace(person, pictures=on)
    )


@setting("json", act=Act.PERSON, who=ANYBODY)
def set_json(context: MailContext, line: Line, said: Setting) -> None:
    """Have results bring what happened as a JSON file, or not."""
    _switch(context, line, said, "SET JSON OFF", lambda person, on: replace(person, json=on))


def _switch(
    context: MailContext, line: Line, said: Setting, off: str, put: Callable[[Person, bool], Person]
) -> None:
    """Put one wish of whoever writes on or off; *off* is the command that puts it off."""
    person, what = context.person, said.key
    word = said.value[0].lower() if said.value else "on"
    if word not in ("on", "off"):
        context.refuse(line, Message("setup.on_or_off"), instead=off)
    elif person is None:
        context.refuse(line, Message("setup.register_first"))
    else:
        wish = said.on and word == "on"
        context.changes.persons[person.id] = put(person, wish)
        context.done(Message(f"setup.{what}.set", on=wish))


_AT = re.compile(r"(?:at )?([01]?\d|2[0-3])(?::00)?(?: ?(?:h|hours|o'clock))?", re.IGNORECASE)
"""An hour of the day, such as ``18``, ``at 18:00``."""


@setting("notify", act=Act.PERSON, who=ANYBODY, also=("set digest",))
def set_notify(context: MailContext, line: Line, said: Setting) -> None:
    """Have every message come by itself, or in a digest once a day."""
    person, wish = context.person, _wish(said)
    if wish is None:
        context.refuse(line, Message("setup.notify.unknown"), instead="SET NOTIFY DAILY 7")
    elif person is None:
        context.refuse(line, Message("setup.register_first"))
    else:
        notify, hour = wish
        at = person.digest_hour if hour is None else hour
        context.changes.persons[person.id] = replace(person, notify=notify, digest_hour=at)
        context.done(Message("setup.notify.set", how=notify.value, hour=at))


def _wish(said: Setting) -> tuple[Notify, int | None] | None:
    """What somebody wants, and at which hour if they say so; None if that is not clear."""
    word, *rest = [each.lower() for each in said.value] or ["" if said.on else "each"]
    notify, behind = _NOTIFY.get(word), " ".join(rest)
    if notify is None or not behind:
        return None if notify is None else (notify, None)
    at = _AT.fullmatch(behind)
    return None if at is None or notify is Notify.EACH else (notify, int(at[1]))


_NOTIFY = {wish.value: wish for wish in Notify}


_IN_BRACKETS = re.compile(r"<([^<>\s]+)>\s*$")
_ADDRESS = re.compile(r"[!-;=?-~]{1,64}@[A-Za-z0-9.-]{1,255}")


@setting("password", act=Act.WISH, who=SEATED, also=("set pw",), is_personal=True, secret_at=1)
def set_password(context: MailContext, line: Line, said: Setting) -> None:
    """Change the password of the seat."""
    password = said.value[0]
    context.secrets.add(password)
    flaw = people.password_flaw(password)
    if flaw is not None:
        context.refuse(line, flaw)
    elif context.seat is not None:
        context.set_seat(replace(context.seat, password=context.services.passwords.hash(password)))
        context.done(Message("setup.password_changed"))
        confirm_change(context, "password")


@setting("address", act=Act.WISH, who=SEATED, is_personal=True)
def set_address(context: MailContext, line: Line, said: Setting) -> None:
    """Send the mails of this game to another address; the old one is told."""
    game, seat = context.game, context.seat
    words = " ".join(said.value)
    address = (_bare_address(words) or context.answer_to).lower()
    if words.count("@") > 1:
        context.refuse(line, ONE_ADDRESS)
    elif not _ADDRESS.fullmatch(address) or is_own(address, context.services.judge.address):
        context.refuse(line, Message("setup.address.none"))
    elif _is_strangers(context, address):
        context.refuse(line, Message("setup.address.others"))
    elif _is_to_confirm(context, address):
        _ask(context, address)
    elif game is not None and seat is not None and address != seat.address:
        confirm_change(context, "address", [Message("setup.address.moved")])
        context.set_seat(replace(seat, address=address))
        context.done(Message("setup.address.set", address=address))


def _is_to_confirm(context: MailContext, address: str) -> bool:
    """Whether somebody has to answer from the address before mails go there."""
    person = context.person
    known = person.addresses if person is not None else ()
    own = context.seat.address if context.seat is not None else ""
    return context.services.judge.confirm and address not in (*known, own)


def _ask(context: MailContext, address: str) -> None:
    if context.person is not None and context.seat is not None:
        ask_address(context, context.person, address, context.seat)
        context.done(Message("setup.address.to_confirm", address=address))


def _bare_address(words: str) -> str:
    """An address without a name before it and brackets around it."""
    found = _IN_BRACKETS.search(words)
    return found[1] if found is not None else words.strip("<>\"'.,;")


@setting("public address", act=Act.WISH, who=SEATED, also=("set address public",), is_personal=True)
def set_public_address(context: MailContext, line: Line, said: Setting) -> None:
    """Let the others at the game read one's address, or not; at first nobody does."""
    if said.value:
        context.refuse(line, Message("setup.nothing_behind", name=""), instead="SET PUBLIC ADDRESS")
    elif context.seat is not None:
        context.set_seat(replace(context.seat, public=said.on))
        context.done(Message("setup.address.public", on=said.on))


@setting("subject", act=Act.WISH, who=SEATED, is_personal=True)
def set_subject(context: MailContext, line: Line, said: Setting) -> None:
    """Have the news in the subjects of results, or the code of the phase alone."""
    seat = context.seat
    word = said.value[0].lower() if said.value else ""
    if seat is None:
        return
    if word not in _SUBJECTS:
        context.refuse(line, Message("setup.subject.unknown"), instead="SET SUBJECT PLAIN")
        return
    is_plain = _SUBJECTS[word]
    context.set_seat(replace(seat, wishes=replace(seat.wishes, plain_subject=is_plain)))
    context.done(Message("setup.subject.set", is_plain=is_plain))


_SUBJECTS = {"plain": True, "news": False}


@setting("notation", act=Act.WISH, who=SEATED, is_personal=True)
def set_notation(context: MailContext, line: Line, said: Setting) -> None:
    """Read orders in the letters of the book of 1978, or in the judge's notation (MOV-03)."""
    game, seat = context.game, context.seat
    wish = _NOTATIONS.get(said.value[0].lower()) if said.value else None
    if game is None or seat is None:
        return
    if wish is None:
        context.refuse(line, Message("setup.notation.unknown"), instead="SET NOTATION 1978")
    elif wish and game.rules.game.notation is OrderNotation.PLACES:
        context.refuse(line, Message("setup.notation.no_numbers"))
    else:
        context.set_seat(replace(seat, wishes=replace(seat.wishes, in_letters=wish)))
        context.done(Message("setup.notation.set", in_letters=wish))


_NOTATIONS = {
    **dict.fromkeys(("1978", "serial", "book", "letters", "numbers"), True),
    **dict.fromkeys(("judge", "places", "usual", "plain"), False),
}


def _is_strangers(context: MailContext, address: str) -> bool:
    """Whether the address is another person's; they would be taken for whoever sits here."""
    owner = context.uow.persons.by_address(address)
    sitting = context.seat.person if context.seat is not None else None
    game = context.game
    others = [s for s in game.seats if s.person not in (None, sitting)] if game is not None else []
    is_taken = any(seat.address == address for seat in others)
    return is_taken or (owner is not None and owner.id != sitting)


@setting(
    "preferences",
    act=Act.WISH,
    who=PLAYERS,
    also=("set preference", "set pref"),
    refused_in=once_begun(Message("setup.preferences.dealt")),
)
def set_preferences(context: MailContext, line: Line, said: Setting) -> None:
    """Say which powers one likes, before they are dealt."""
    game, seat = context.game, context.seat
    if game is None or seat is None:
        return
    powers = context.services.scenario(game).in_play
    text = "".join(said.value).upper().replace(",", "")
    groups = read_preferences(text, powers)
    unknown = sorted(set(text) - set(powers) - set("[]*"))
    if unknown or not groups:
        context.refuse(line, Message("setup.preferences.unfit", letters="".join(powers)))
        return
    context.set_seat(replace(seat, preferences=text))
    verdict = context.answer.verdict
    verdict[:] = [
        each for each in verdict if not (isinstance(each, Message) and each.key == WISH_POWERS)
    ]
    context.done(Message("setup.preferences.set", text=text))


@setting("listed", also=("set list", "set public", "set private"))
def set_listed(context: MailContext, _: Line, said: Setting) -> None:
    """Show the game in the list of all, or only to those who know its name and sit at it."""
    game = context.game
    if game is not None:
        context.set_game(replace(game, conduct=replace(game.conduct, listed=said.on)))
        context.done(Message("setup.listed", on=said.on))


@setting("timezone", act=Act.PERSON, who=ANYBODY)
def set_zone(context: MailContext, line: Line, said: Setting) -> None:
    """Read times in one's own time zone."""
    person = context.person
    zone = find_zone(" ".join(said.value))
    if zone is None:
        near = nearest_zone(" ".join(said.value))
        instead = f"SET TIMEZONE {near}" if near is not None else None
        context.refuse(line, Message("setup.zone.unknown"), instead=instead)
    elif person is None:
        context.refuse(line, Message("setup.register_first"))
    else:
        context.changes.persons[person.id] = replace(person, zone=zone)
        context.done(Message("setup.zone.set", zone=zone_words(zone)))
