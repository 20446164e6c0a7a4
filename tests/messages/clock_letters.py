"""Letters about time, each as the mail that one reader gets."""

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta

from machjudge.judge.mails import Outgoing
from machjudge.judge.reminders import send_digests
from tests.judge.calendar import watch_clock
from tests.judge.house import House
from tests.judge.letters_in import master, tick, write
from tests.judge.returned import HARD, come_back
from tests.judge.year import OPENING, order, play
from tests.results_told import tells_results

MASTER = "lucia@player.example"


def is_about(letter: Outgoing, subject: str) -> bool:
    """True if a letter has the words in its subject, or is the one with the results."""
    return tells_results(letter.body) if subject == "Results" else subject in letter.subject


def text_of(letters: Sequence[Outgoing], address: str, subject: str = "") -> str:
    """The only letter to an address whose subject holds some words, as a golden text."""
    return as_text(letter_of(letters, address, subject))


def letter_of(letters: Sequence[Outgoing], address: str, subject: str = "") -> Outgoing:
    """The only letter to an address whose subject holds some words."""
    (letter,) = [each for each in letters if each.to == address and is_about(each, subject)]
    return letter


def as_text(letter: Outgoing) -> str:
    """A letter as a golden text."""
    return f"To: {letter.to}\nSubject: {letter.subject}\n\n{letter.body}"


def _running() -> House:
    house = House()
    house.start()
    return house


def _opened(address: str, days_late: int, *settings: str) -> str:
    """Florence stays silent until its seat is opened."""
    house = _running()
    master(house, *settings)
    play(house, OPENING, without="L")
    house.later(days=8)
    tick(house)
    house.later(days=days_late)
    return text_of(tick(house), address, "wanted for")


def _out_of_reach(subject: str, address: str) -> str:
    """A message to Florence comes back before the deadline."""
    house = _running()
    come_back(house, "anna@player.example", HARD)
    house.later(days=6, hours=12)
    letters = tick(house)
    house.later(hours=12)
    return text_of([*letters, *tick(house)], address, subject)


def _set_times() -> tuple[House, list[Outgoing]]:
    house = _running()
    moves = "SET MOVES NEXT 71 CLOCK 20:00 DAYS -MTWTF- DELAY 0.5"
    return house, master(house, moves, "SET WARN 24 8 1", "SET NMR HOLD")


def _times_answer() -> str:
    return text_of(_set_times()[1], MASTER)


def _times_told() -> str:
    house = _running()
    return text_of(master(house, "SET MOVES CLOCK 20:00 DAYS -mTWTf-"), "anna@player.example")


def _away(address: str) -> str:
    house = _running()
    return text_of(order(house, "V", "SET ABSENCE 25 Nov to 2 Dec"), address)


def _paused() -> str:
    return text_of(master(_running(), "PAUSE"), "anna@player.example")


def _resumed() -> str:
    house = _running()
    master(house, "PAUSE")
    house.later(days=4)
    return text_of(master(house, "RESUME"), "anna@player.example")


def _broken_off(address: str) -> str:
    return text_of(master(_running(), "TERMINATE"), address)


def _taken_back(address: str) -> str:
    house = _running()
    master(house, "TERMINATE")
    house.later(days=4)
    return text_of(master(house, "RESUME"), address)


def _broken_off_receipt() -> str:
    house = _running()
    master(house, "TERMINATE")
    house.later(days=1)
    return text_of(master(house, "PROCESS F1453B"), MASTER)


def _jumped(address: str) -> str:
    house = _running()
    watch_clock(house.services, house.now)
    house.now += timedelta(days=3)
    watch_clock(house.services, house.now)
    return text_of(house.mails_out(), address)


def _ready() -> str:
    house = _running()
    master(house, "SET MANUAL PROCESS")
    return text_of(play(house, OPENING), MASTER, "ready")


def _digest() -> str:
    """Marco has waited for press, the results and a comment until seven."""
    house = _running()
    write(house, "marco@player.example", "SIGNON Vborgia pwV", "SET NOTIFY DAILY")
    write(house, "anna@player.example", "SIGNON Lborgia pwL", "BROADCAST", "Peace?", "ENDPRESS")
    play(house, OPENING)
    master(house, "SET COMMENT Be kind.")
    house.later(days=1)
    send_digests(house.services, house.now)
    return text_of(house.mails_out(), "marco@player.example", "digest")


CLOCK_LETTERS: Mapping[str, Callable[[], str]] = {
    "late_out_of_reach": lambda: _out_of_reach("you are late", MASTER),
    "reminder_out_of_reach": lambda: _out_of_reach("reminder", "anna@player.example"),
    "opened_own": lambda: _opened("anna@player.example", 3),
    "opened_others": lambda: _opened("marco@player.example", 3),
    "opened_where_units_hold": lambda: _opened("marco@player.example", 1, "SET NMR HOLD"),
    "digest": _digest,
    "times_answer": _times_answer,
    "times_told": _times_told,
    "absence_answer": lambda: _away("marco@player.example"),
    "absence_told": lambda: _away(MASTER),
    "paused": _paused,
    "resumed": _resumed,
    "broken_off": lambda: _broken_off("anna@player.example"),
    "broken_off_answer": lambda: _broken_off(MASTER),
    "broken_off_not_played": _broken_off_receipt,
    "taken_back": lambda: _taken_back("anna@player.example"),
    "taken_back_answer": lambda: _taken_back(MASTER),
    "clock_jumped": lambda: _jumped("anna@player.example"),
    "clock_jumped_keeper": lambda: _jumped("keeper@mach.example"),
    "ready_to_process": _ready,
}
"""By the names of their golden files."""
