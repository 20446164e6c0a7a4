"""The letters about seats and the people at them."""

from collections.abc import Callable, Mapping

from machjudge.service.records import Outgoing
from tests.service.house import House
from tests.service.letters_in import write
from tests.service.test_sides import GINA, LUCIA, MARCO, begun


def _to(letters: list[Outgoing], address: str, subject: str = "") -> str:
    (letter,) = [one for one in letters if one.to == address and subject in one.subject]
    return f"To: {letter.to}\nSubject: {letter.subject}\n\n{letter.body}"


def _created_for_two() -> str:
    sent = write(House(), GINA, "CREATE ?borgia topsecret 1454 nodice players 2 option 2")
    return _to(sent, GINA)


def _receipt_of_a_side() -> str:
    house = begun(master=("SET NOMONEY",))
    lines = ("SIGNON Vborgia lucky7", "A pad - trv", "A bol h", "FOR Papacy", "A bol h")
    return _to(write(house, LUCIA, *lines), LUCIA)


def _started_with_sides() -> str:
    house = House()
    write(house, GINA, "CREATE ?borgia topsecret 1454-2-2 nodice", "SET NOMONEY")
    write(house, LUCIA, "SIGNON ?borgia lucky7", "SET PREF PV")
    return _to(write(house, MARCO, "SIGNON ?borgia marco7"), LUCIA, "Game Starting")


SEAT_LETTERS: Mapping[str, Callable[[], str]] = {
    "created_for_two": _created_for_two,
    "started_with_sides": _started_with_sides,
    "receipt_of_a_side": _receipt_of_a_side,
}
"""By the names of their golden files."""
