"""Settings of one person, or of one seat: how mails come, address, password, preferences."""

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Any

from machjudge.adjudicator.rules import OrderNotation
from machjudge.judge import people
from machjudge.judge.commands import ANYBODY, PLAYERS, SEATED, once_begun, setting
from machjudge.judge.confirmation import (
    ask_address,
    confirm_change,
    find_zone,
    language_named,
    nearest_zone,
    unknown_language,
)
from machjudge.judge.credentials import Act
from machjudge.judge.game_view import zone_words
from machjudge.judge.mail_context import MailContext, is_own
from machjudge.judge.opening import WISH_POWERS, read_preferences
from machjudge.judge.questions import give_welcome
from machjudge.judge.records import Calendar, Notify
from machjudge.language.commands import Set, Setting
from machjudge.language.settings import ONE_ADDRESS
from machjudge.mail_parser.lines import Line
from machjudge.messages.calendar import ALARMS
from machjudge.messages.render import MessageRenderer
from machjudge.messages.wording import Words
from machjudge.translatable import Message


@setting("language", act=Act.PERSON, who=ANYBODY)
def set_language(context: MailContext, line: Line, said: Setting) -> None:
    """Read mails of the judge in another language."""
    renderer = context.services.renderer
    language = _language_in(renderer, said)
    if language is None:
        context.refuse(line, unknown_language(renderer))
        return
    message = Message("setup.language.set")
    if context.person is None:
        context.at_end.once_known = partial(_set_person, context, line, message, language=language)
    else:
        context.at_end.once_known = None
        _set_person(context, line, message, language=language)


def language_set_by(context: MailContext, commands: Iterable[object]) -> str:
    """Return the language that these commands of a mail finally set; empty if none."""
    settings = (one for each in commands if isinstance(each, Set) for one in each.settings)
    wanted = (one for one in settings if one.key == "language")
    found = [_language_in(context.services.renderer, each) for each in wanted]
    return next(filter(None, reversed(found)), "")


def _language_in(renderer: MessageRenderer, said: Setting) -> str | None:
    return language_named(renderer, said.value[0]) if said.value else None


def _set_person(
    context: MailContext,
    line: Line,
    message: Message,
    **change: Any,  # noqa: ANN401  fields of several kinds
) -> None:
    person = context.person
    is_stranger = context.uow.persons.by_address(context.address) is None
    if person is None and is_stranger and "language" in change:
        # Who joins does so in this language, as the welcome's lines say.
        give_welcome(context)
    elif person is None:
        context.refuse(line, Message("setup.register_first"))
    else:
        context.changes.persons[person.id] = replace(person, **change)
        context.done(message)


@setting("calendar", act=Act.PERSON, who=ANYBODY)
def set_calendar(context: MailContext, line: Line, said: Setting) -> None:
    """Get deadlines as a file, as an invitation, in the calendar file alone, or not at all."""
    known = {each.value: each for each in Calendar}
    word = said.value[0].lower() if said.value else Calendar.OFF.value
    if word not in known:
        context.refuse(line, Message("setup.calendar.unknown"), instead="SET CALENDAR ON")
        return
    calendar = known[word] if said.on else Calendar.OFF
    message = Message("setup.calendar.set", how=calendar.value)
    _set_person(context, line, message, calendar=calendar)


@setting("calendar alarm", act=Act.PERSON, who=ANYBODY)
def set_alarm(context: MailContext, line: Line, said: Setting) -> None:
    """Choose how many hours before a deadline one's calendar reminds one of it."""
    alarms = _alarms(said)
    if alarms is None:
        unknown = Message("setup.calendar.alarm_unknown", most=MAX_ALARMS, hours=LONGEST_ALARM)
        context.refuse(line, unknown, instead="SET CALENDAR ALARM 24 2")
        return
    _set_person(context, line, Message("setup.calendar.alarm", hours=alarms), alarms=alarms)


MAX_ALARMS = 4
LONGEST_ALARM = 336
"""The earliest reminder in hours before a deadline: two weeks."""


def _alarms(said: Setting) -> tuple[int, ...] | None:
    """The hours that were said, each once, the earliest reminder first; None if unreadable."""
    words = " ".join(said.value).lower()
    if not said.on or words == "off":
        return ()
    if words == "on":
        return ALARMS
    if _HOURS_BEFORE.fullmatch(words) is None:
        return None
    found = _HOUR_BEFORE.findall(words)
    hours = {int(number) * (24 if unit else 1) for number, unit in found}
    is_fit = len(hours) <= MAX_ALARMS and max(hours) <= LONGEST_ALARM and min(hours) > 0
    return tuple(sorted(hours, reverse=True)) if is_fit else None


_EACH_HOUR = r"([0-9]{1,3}) ?(?:(d(?:ays?)?)|h(?:ours?)?)?"
_HOUR_BEFORE = re.compile(rf"{_EACH_HOUR}\b")
_HOURS_BEFORE = re.compile(rf"{_EACH_HOUR}(?:(?: ?[,;] ?| and | )?{_EACH_HOUR}\b)*")


@setting("html", "pictures", "json", act=Act.PERSON, who=ANYBODY)
def set_form(context: MailContext, line: Line, said: Setting) -> None:
    """Get messages with or without HTML, maps, or JSON beside their text."""
    word = said.value[0].lower() if said.value else "on"
    if word not in ("on", "off"):
        instead = " ".join(("SET", said.key.upper(), "OFF"))
        context.refuse(line, Message("setup.on_or_off"), instead=instead)
        return
    on = said.on and word == "on"
    _set_person(context, line, Message(f"setup.{said.key}.set", on=on), **{said.key: on})


@setting("notify", act=Act.PERSON, who=ANYBODY, also=("set digest",))
def set_notify(context: MailContext, line: Line, said: Setting) -> None:
    """Get every message singly, or a digest once a day."""
    person, wanted = context.person, _notify_and_hour(said)
    if wanted is None:
        context.refuse(line, Message("setup.notify.unknown"), instead="SET NOTIFY DAILY 7")
        return
    notify, hour = wanted
    if hour is None and person is not None:
        hour = person.digest_hour
    message = Message("setup.notify.set", how=notify.value, hour=hour)
    _set_person(context, line, message, notify=notify, digest_hour=hour)


def _notify_and_hour(said: Setting) -> tuple[Notify, int | None] | None:
    word, *rest = [each.lower() for each in said.value] or ["" if said.on else "each"]
    notify = next((each for each in Notify if each.value == word), None)
    if notify is None or not rest:
        return None if notify is None else (notify, None)
    at = _HOUR.fullmatch(" ".join(rest))
    return None if at is None or notify is Notify.EACH else (notify, int(at[1]))


_HOUR = re.compile(r"(?:at )?([01]?\d|2[0-3])(?::00)?(?: ?(?:h|hours|o'clock))?", re.IGNORECASE)


@setting("timezone", act=Act.PERSON, who=ANYBODY)
def set_zone(context: MailContext, line: Line, said: Setting) -> None:
    """Read times in one's own time zone."""
    zone = find_zone(" ".join(said.value))
    if zone is None:
        near = nearest_zone(" ".join(said.value))
        instead = f"SET TIMEZONE {near}" if near is not None else None
        context.refuse(line, Message("setup.zone.unknown"), instead=instead)
        return
    _set_person(context, line, Message("setup.zone.set", zone=zone_words(zone)), zone=zone)


@setting("password", act=Act.SEAT, who=SEATED, also=("set pw",), is_personal=True, secret_at=1)
def set_password(context: MailContext, line: Line, said: Setting) -> None:
    """Change the password of the seat."""
    password = said.value[0]
    context.secrets.add(password)
    flaw = people.password_flaw(password)
    if flaw is not None:
        context.refuse(line, flaw)
        return
    context.set_seat(replace(context.own_seat, password=context.services.passwords.hash(password)))
    context.done(Message("setup.password_changed"))
    confirm_change(context, "password")


@setting("address", act=Act.SEAT, who=SEATED, is_personal=True)
def set_address(context: MailContext, line: Line, said: Setting) -> None:
    """Send the mails of this game to another address; the old one is told."""
    seat, person = context.own_seat, context.person
    words = " ".join(said.value)
    in_brackets = _IN_BRACKETS.search(words)
    bare = in_brackets[1] if in_brackets is not None else words.strip("<>\"'.,;")
    address = (bare or context.answer_to).lower()
    known = person.addresses if person is not None else ()
    if words.count("@") > 1:
        context.refuse(line, ONE_ADDRESS)
    elif not _ADDRESS.fullmatch(address) or is_own(address, context.services.judge.address):
        context.refuse(line, Message("setup.address.none"))
    elif _is_strangers(context, address):
        context.refuse(line, Message("setup.address.others"))
    elif context.services.judge.confirm and address not in (*known, seat.address):
        if person is not None:
            ask_address(context, person, address, seat)
            context.done(Message("setup.address.to_confirm", address=address))
    elif address != seat.address:
        confirm_change(context, "address", [Message("setup.address.moved")])
        context.set_seat(replace(seat, address=address))
        context.done(Message("setup.address.set", address=address))


_IN_BRACKETS = re.compile(r"<([^<>\s]+)>\s*$")
_ADDRESS = re.compile(r"[!-;=?-~]{1,64}@[A-Za-z0-9.-]{1,255}")


def _is_strangers(context: MailContext, address: str) -> bool:
    """True if the address is another person's, who would be taken for this one."""
    owner, own = context.uow.persons.by_address(address), context.own_seat.person
    others = (seat for seat in context.own_game.seats if seat.person not in (None, own))
    is_taken = any(seat.address == address for seat in others)
    return is_taken or (owner is not None and owner.id != own)


@setting("public address", act=Act.SEAT, who=SEATED, also=("set address public",), is_personal=True)
def set_public_address(context: MailContext, line: Line, said: Setting) -> None:
    """Show one's address to the others at the game, or not (the default)."""
    if said.value:
        context.refuse(line, Message("setup.nothing_behind", name=""), instead="SET PUBLIC ADDRESS")
        return
    context.set_seat(replace(context.own_seat, public=said.on))
    context.done(Message("setup.address.public", on=said.on))


@setting("subject", act=Act.SEAT, who=SEATED, is_personal=True)
def set_subject(context: MailContext, line: Line, said: Setting) -> None:
    """Have the news in the subjects of results, or the code of the phase alone."""
    word, seat = said.value[0].lower() if said.value else "", context.own_seat
    if word not in ("plain", "news"):
        context.refuse(line, Message("setup.subject.unknown"), instead="SET SUBJECT PLAIN")
        return
    is_plain = word == "plain"
    context.set_seat(replace(seat, wishes=replace(seat.wishes, plain_subject=is_plain)))
    context.done(Message("setup.subject.set", is_plain=is_plain))


@setting("newspaper", act=Act.SEAT, who=SEATED, is_personal=True)
def set_newspaper(context: MailContext, line: Line, said: Setting) -> None:
    """Get the newspaper of each year, or not (the default)."""
    word, seat = said.value[0].lower() if said.value else "on", context.own_seat
    if word not in ("on", "off"):
        context.refuse(line, Message("setup.on_or_off"), instead="SET NEWSPAPER ON")
        return
    on = said.on and word == "on"
    context.set_seat(replace(seat, wishes=replace(seat.wishes, newspaper=on)))
    context.done(Message("newspaper.set", on=on, game=context.own_game.name))


@setting("notation", act=Act.SEAT, who=SEATED, is_personal=True)
def set_notation(context: MailContext, line: Line, said: Setting) -> None:
    """Read orders in the letters of the book of 1978, or in the judge's notation (MOV-03)."""
    word, seat = said.value[0].lower() if said.value else "", context.own_seat
    in_letters = word in ("1978", "serial", "book", "letters", "numbers")
    if not in_letters and word not in ("judge", "places", "usual", "plain"):
        context.refuse(line, Message("setup.notation.unknown"), instead="SET NOTATION 1978")
    elif in_letters and context.own_game.rules.game.notation is OrderNotation.PLACES:
        context.refuse(line, Message("setup.notation.no_numbers"))
    else:
        context.set_seat(replace(seat, wishes=replace(seat.wishes, in_letters=in_letters)))
        context.done(Message("setup.notation.set", in_letters=in_letters))


_SHORTEST_NAME = 4
"""Letters of a power's name; shorter words are letters of several powers."""
_NAME_OR_SIGN = re.compile(r"[^\W\d_]+|[^\s,]")


@setting(
    "preferences",
    act=Act.SEAT,
    who=PLAYERS,
    also=("set preference", "set pref"),
    refused_in=once_begun(Message("setup.preferences.dealt")),
)
def set_preferences(context: MailContext, line: Line, said: Setting) -> None:
    """Set one's preferences for powers, before they are dealt."""
    scenario, lexicon = (
        context.services.scenario(context.own_game),
        context.lexicon(context.own_game),
    )
    powers, names = scenario.in_play, Words(context.services.world(context.own_game))
    text = ""
    for word in _NAME_OR_SIGN.findall(" ".join(said.value)):
        found = lexicon.power(word) if len(word) >= _SHORTEST_NAME else word
        text += found.upper() if isinstance(found, str) else word.upper()
    groups = read_preferences(text, powers)
    if set(text) - set(powers) - set("[]*") or not groups:
        known = tuple((power, names.power(power)) for power in powers)
        context.refuse(line, Message("setup.preferences.unfit", powers=known))
        return
    named = {power for power in powers if power in text}
    context.set_seat(replace(context.own_seat, preferences=text))
    verdict = context.answer.verdict
    verdict[:] = [
        each for each in verdict if not (isinstance(each, Message) and each.key == WISH_POWERS)
    ]
    liked = tuple(
        tuple(map(names.power, group)) if named.issuperset(group) else () for group in groups
    )
    context.done(Message("setup.preferences.set", text=text, groups=liked))
