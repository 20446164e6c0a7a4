"""Letters that follow from what a master does with people and settings, as golden texts."""

from collections.abc import Callable, Mapping, Sequence

from machjudge.judge.mails import Outgoing
from machjudge.judge.tick import look_at_games
from tests.judge.house import House, built_once
from tests.judge.letters_in import write
from tests.judge.phases import test_mastering as mastering
from tests.judge.year import address_of
from tests.messages.clock_letters import text_of

GINA, DINO, LUCIA = "gina@player.example", "dino@other.example", "lucia@player.example"


def _master(house: House, *lines: str) -> list[Outgoing]:
    return mastering.master(house, *lines)


@built_once
def _forming() -> House:
    house = House()
    write(house, GINA, "CREATE ?Borgia masterkey 1454")
    write(house, LUCIA, "SIGNON ?borgia tulip9")
    return house


@built_once
def _watched() -> House:
    house = mastering.ruled("nomoney")
    write(house, DINO, "OBSERVE borgia tulip9")
    return house


def _to(letters: Sequence[Outgoing], address: str, subject: str = "") -> str:
    return text_of(letters, address, subject)


def _ejected(address: str) -> str:
    house = mastering.ruled("nomoney")
    return _to(_master(house, "EJECT Florence"), address or address_of(house, "L"))


def _promoted(address: str) -> str:
    return _to(_master(_watched(), f"PROMOTE {DINO}"), address)


def _begun_with_empty_seats() -> str:
    return _to(_master(_forming(), "FORCE BEGIN"), GINA, "Re:")


def _comment() -> str:
    lines = ("SET COMMENT BEGIN", "No draws before 1457.", "Be kind to each other.", "END")
    return _to(_master(_forming(), *lines), LUCIA)


def _scenario_changed() -> str:
    return _to(_master(_forming(), "SET SCENARIO 1385"), LUCIA)


def _nudged(address: str) -> str:
    house = mastering.ruled("nomoney")
    return _to(_master(house, "NUDGE"), address or address_of(house, "L"))


def _player_record() -> str:
    house = mastering.ruled("nomoney")
    house.now = house.view().clock.deadline
    look_at_games(house.services, house.now)
    house.mails_out()
    return _to(_master(house, "INFO PLAYER anna"), mastering.GINA)


def _counted_late() -> str:
    house = mastering.ruled("nomoney")
    _master(house, "SET LATE COUNT")
    house.now = house.view().clock.deadline
    look_at_games(house.services, house.now)
    return _to(house.mails_out(), GINA)


def _full_for_the_master() -> str:
    house = _forming()
    _master(house, "SET MANUAL START")
    for number in range(6):
        write(house, f"p{number}@player.example", f"SIGNON ?borgia pw{number}x")
    return _to(write(house, DINO, "SIGNON ?borgia rose88"), GINA)


def _refused() -> str:
    lines = ("SET ACCESS ANY", "SET ONTIMERAT often", "SET NOSUCH", "UNSTART", "WHO IS Lucia")
    return _to(_master(_forming(), *lines), GINA)


MASTER_LETTERS: Mapping[str, Callable[[], str]] = {
    "ejected_own": lambda: _ejected(""),
    "ejected_answer": lambda: _ejected(GINA),
    "promoted": lambda: _promoted(DINO),
    "promoted_told": lambda: _promoted(LUCIA),
    "begun_with_empty_seats": _begun_with_empty_seats,
    "comment": _comment,
    "scenario_changed": _scenario_changed,
    "nudged": lambda: _nudged(""),
    "nudge_answer": lambda: _nudged(GINA),
    "player_record": _player_record,
    "late_counted": _counted_late,
    "full_for_the_master": _full_for_the_master,
    "settings_refused": _refused,
}
"""By the names of their golden files."""
