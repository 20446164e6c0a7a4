"""What somebody wishes of the mails about all their games: how often they come."""

import re
from dataclasses import replace

from machjudge.language.commands.commands import Setting
from machjudge.reading import Line
from machjudge.sentence import Sentence
from machjudge.service.credentials.authority import Act
from machjudge.service.model.records import Notify
from machjudge.service.session.command import ANYBODY, PLAYING, CommandEntry
from machjudge.service.session.session import Session

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
