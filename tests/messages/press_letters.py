"""The letters of press: to its readers, to its writer, to its master; postal press and diaries."""

from collections.abc import Callable, Mapping

from machjudge.judge.game_settings import Fakes, FromLate, Tones
from machjudge.judge.mails import Outgoing
from tests.judge.house import House, built_once
from tests.judge.letters_in import write
from tests.judge.press.test_press_rules import ANNA, DINO, MARCO, OGLE, press, with_master

_TEXT = ("Venice,", "", "  I know who plans to be in Bologna by fall.", "ENDPRESS")
_MASTER = "SIGNON Mborgia masterkey"


def _to(sent: list[Outgoing], address: str) -> str:
    (letter,) = [one for one in sent if one.to == address]
    files = "".join(f"Attachment: {file.name} {file.media_type}\n" for file in letter.attachments)
    return f"To: {letter.to}\nSubject: {letter.subject}\n{files}\n{letter.body}"


@built_once
def _house() -> House:
    return with_master(tones=Tones.WHITE_GREY, fakes=Fakes.MAY, postal=True, watched=True)


def _written(line: str, to: str) -> str:
    return _to(press(_house(), line, *_TEXT), to)


def _read_along() -> str:
    house = _house()
    write(house, OGLE, "SIGNON Oborgia tulip9", "SET ALL PRESS")
    return _to(press(house, "PRESS TO V", *_TEXT), OGLE)


def _late() -> str:
    house = with_master(late=FromLate.NONE)
    house.later(days=8)
    sent = press(house, "PRESS TO V", *_TEXT)
    return _to([one for one in sent if one.subject.startswith("Re:")], ANNA)


def _results() -> str:
    house = _house()
    press(house, "POSTAL PRESS", "To all: Florence seeks", "peace.", "ENDPRESS")
    body = next(one.body for one in write(house, DINO, _MASTER, "PREVIEW") if one.to == DINO)
    word = body.rpartition("PROCESS S1454M ")[2].split()[0]
    return _to(write(house, DINO, _MASTER, f"PROCESS S1454M {word}"), MARCO)


def _diary() -> str:
    house = _house()
    press(house, "DIARY", *_TEXT)
    press(house, "DIARY", "Venice has not answered yet.", "ENDPRESS")
    return _to(press(house, "DIARY LIST", "DIARY READ 1"), ANNA)


def _last() -> str:
    house = _house()
    press(house, "DIARY", *_TEXT, "SET OPEN DIARY")
    press(house, "POSTAL PRESS", "To all: Florence seeks", "peace.", "ENDPRESS")
    return _to(write(house, DINO, _MASTER, "DECLARE VICTORY Venice"), MARCO)


PRESS_LETTERS: Mapping[str, Callable[[], str]] = {
    "press_anonymous": lambda: _written("PRESS GREY TO V", MARCO),
    "press_anonymous_receipt": lambda: _written("PRESS GREY TO V", ANNA),
    "press_anonymous_to_all": lambda: _written("BROADCAST GREY", MARCO),
    "press_anonymous_to_the_master": lambda: _written("BROADCAST GREY", DINO),
    "press_faked": lambda: _written("PRESS TO V FAKE TO IVL", MARCO),
    "press_faked_receipt": lambda: _written("PRESS TO V FAKE TO IVL", ANNA),
    "press_faked_to_the_master": lambda: _written("PRESS TO VM FAKE TO IVL", DINO),
    "press_to_all_but_one": lambda: _written("PRESS TO ALL BUT P", MARCO),
    "press_to_the_master": lambda: _written("PRESS TO M", DINO),
    "press_read_along": _read_along,
    "press_of_the_late": _late,
    "press_to_nobody_clear": lambda: _written("PRESS TO PA", ANNA),
    "press_without_readers": lambda: _written("PRESS", ANNA),
    "press_with_a_password": lambda: _to(
        press(_house(), "PRESS TO V", "Take my seat:", "SIGNON Lborgia pwL", "ENDPRESS"), ANNA
    ),
    "press_rules_changed": lambda: _to(
        write(_house(), DINO, _MASTER, "SET GREY, NOFAKE, LATE PRESS PARTIAL"), DINO
    ),
    "press_rules_told": lambda: _to(write(_house(), DINO, _MASTER, "SET GREY"), MARCO),
    "postal_receipt": lambda: _written("POSTAL PRESS", ANNA),
    "results_with_postal_press": _results,
    "diary_receipt": _diary,
    "game_over_with_a_diary": _last,
}
"""By the names of their golden files."""
