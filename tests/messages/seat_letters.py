"""The letters about seats and the people at them."""

from collections.abc import Callable, Mapping

from machjudge.judge.mails import Outgoing
from tests.judge.house import House, started
from tests.judge.identity.test_keys import MALLORY, guess, token_in
from tests.judge.letters_in import write
from tests.judge.seats.test_approval import forming as approving
from tests.judge.seats.test_approval import later
from tests.judge.seats.test_approval import running as with_co_master
from tests.judge.setup.test_sides import GINA, LUCIA, MARCO, begun

MARCO_V = "marco@player.example"
"""Who leads Venice."""


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
    return _to(write(house, MARCO, "SIGNON ?borgia marco7"), LUCIA, "the game begins")


def _way_in() -> str:
    return _to(write(started(), MARCO_V, "SEND TOKEN borgia"), MARCO_V, "a way back to your seat")


def _way_in_asked() -> str:
    return _to(write(started(), MARCO_V, "SEND TOKEN borgia"), MARCO_V, "Re:")


def _way_in_used() -> str:
    house = started()
    token = token_in(write(house, MARCO_V, "SEND TOKEN borgia"), MARCO_V)
    return _to(
        write(house, MARCO_V, f"SIGNON Vborgia {token}", "SET PASSWORD fresh77"), MARCO_V, "Re:"
    )


def _password_changed() -> str:
    sent = write(started(), MARCO_V, "SIGNON Vborgia pwV", "SET PASSWORD fresh77")
    return _to(sent, MARCO_V, "changes to your access")


def _link_asked() -> str:
    return _to(write(started(), "marco@new.example", "I AM ALSO marco@player.example"), MARCO_V)


def _linked() -> str:
    house = started()
    letters = write(house, "marco@new.example", "I AM ALSO marco@player.example")
    sent = write(house, "marco@new.example", f"CONFIRM {token_in(letters, MARCO_V)}")
    return _to(sent, "marco@new.example")


def _locked() -> str:
    house = started()
    guess(house, 4)
    return _to(write(house, MALLORY, "SIGNON Vborgia wrong77"), MALLORY)


def _approval_wanted() -> str:
    house = approving("SET APPROVAL")
    return _to(write(house, LUCIA, "SIGNON ?borgia lucky7"), GINA, "approval wanted")


def _joined_unapproved() -> str:
    return _to(write(approving("SET APPROVAL"), LUCIA, "SIGNON ?borgia lucky7"), LUCIA)


def _new_master() -> str:
    house = with_co_master()
    later(house, 13)
    house.mails_out()
    later(house, 1)
    return _to(house.mails_out(), LUCIA, "new master")


def _silent_master() -> str:
    house = with_co_master()
    later(house, 13)
    return _to(house.mails_out(), GINA, "a silent master")


SEAT_LETTERS: Mapping[str, Callable[[], str]] = {
    "created_for_two": _created_for_two,
    "started_with_sides": _started_with_sides,
    "receipt_of_a_side": _receipt_of_a_side,
    "way_in": _way_in,
    "way_in_asked": _way_in_asked,
    "way_in_used": _way_in_used,
    "password_changed": _password_changed,
    "link_asked": _link_asked,
    "linked": _linked,
    "locked": _locked,
    "approval_wanted": _approval_wanted,
    "joined_unapproved": _joined_unapproved,
    "new_master": _new_master,
    "silent_master": _silent_master,
}
"""By the names of their golden files."""
