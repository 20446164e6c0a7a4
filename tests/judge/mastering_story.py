"""What happens unseen in the game of the master's guide: what the players write, and time."""

from collections.abc import Mapping
from datetime import timedelta
from functools import partial

from tests.judge.calendar import Record
from tests.judge.guide import Chapter
from tests.judge.playing_story import GINA, PLAYERS, orders, person
from tests.judge.year import OPENING

SPRING: Mapping[str, tuple[str, ...]] = {
    "L": ("A flo - bol", "A are h", "F psa - pio", "borrow 18 for 2 years", "e1: 18 buy A bol"),
    "P": ("A bol - fer", "A per h", "A rme h", "F anc - uas", "e1: 3 counter-bribe A bol"),
    "V": ("A pad - fer", "A ver h", "F dal - las", "G ven h"),
}


def eight_join(record: Record, language: str) -> None:
    """The game begins, and its first adjustment is played; all players read a language."""
    record.master_address = GINA
    for power, name in PLAYERS.items():
        named = f"Name: {name.capitalize()}"
        person(record, name, "REGISTER", named, "END", f"SET LANGUAGE {language}")
        person(record, name, f"SIGNON ?Borgia pw{power}", f"SET PREFERENCES {power}")
    record.later(days=2)
    orders(record, OPENING)
    record.later(hours=6)


def all_but_turkey(record: Record) -> None:
    """Florence bribes, and Papacy guards against it."""
    orders(record, SPRING)
    record.all_in(without="LPVT")
    record.say("T", "A alb H", "SET WAIT")


def turkey_is_silent(record: Record) -> None:
    """The others send their orders; a day goes by after the deadline."""
    record.all_in(without="T")
    record.until(record.deadline + timedelta(days=1))


def story(language: str) -> Mapping[str, Chapter]:
    """The chapters, with players who read a language."""
    return {
        "eight players join and adjust": partial(eight_join, language=language),
        "all but Turkey send orders for Spring": all_but_turkey,
        "Turkey is silent, and the deadline passes": turkey_is_silent,
    }
