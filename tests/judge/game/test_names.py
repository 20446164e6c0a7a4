"""Nobody is called like an office, a power or somebody else."""

import pytest

from machjudge.judge.people import Names, skeletons
from tests.cases import cases
from tests.judge.house import House, atlas, message_renderer, started
from tests.judge.letters_in import answer, deliver, raw_mail, write

DINO = "dino@far.example"
TAKEN = ("Lucia", "Marco Rossi", "Jim Carter")


def names() -> Names:
    """The names at a judge with three people."""
    return Names(atlas(), "MACH", TAKEN)


def registered(house: House, name: str, who: str = DINO) -> str:
    """The answer to a registration under a name."""
    body = answer(write(house, who, "REGISTER", f"Name: {name}", "END"), who)
    return " ".join(body.split())


def names_at(house: House) -> list[str]:
    """What everybody is called."""
    return [person.name for person in house.store.tables.persons.values()]


@cases
def test_names_that_look_alike(one: str, other: str) -> None:
    """Other alphabets, capitals, accents, spaces and invisible signs make no other name."""
    assert skeletons(one) & skeletons(other)


@pytest.mark.parametrize(
    ("one", "other"), [("Lucia", "Lucio"), ("Anna", "Hanna"), ("Lucia", "Lucia 2"), ("李", "王")]
)
def test_names_that_do_not_look_alike(one: str, other: str) -> None:
    """Other letters are another name."""
    assert not skeletons(one) & skeletons(other)


@cases
def test_which_names_are_free(name: str, why: str) -> None:
    """With the reason where one is not."""
    flaw = names().flaw(name)

    assert why in (message_renderer().say(flaw) if flaw is not None else "None")


@cases
def test_what_somebody_is_called_instead(wanted: str, address: str, named: str) -> None:
    """The same with a number, or a name from the address, or a guest: always a free one."""
    assert names().nearest(wanted, address) == named
    assert names().flaw(named) is None


@pytest.mark.parametrize("name", ["the master", "Venice", "Lucia", "Lucіa"])
def test_nobody_registers_under_such_a_name(name: str) -> None:
    """The answer says why; who is registered already keeps the old name."""
    house = started()
    before = names_at(house)
    told = registered(house, name)
    assert "choose another one" in told
    registered(house, "Dino")
    registered(house, name)

    assert sorted(names_at(house)) == sorted([*before, "Dino"])


def test_one_may_register_again_under_the_own_name() -> None:
    """It is nobody else's."""
    house = House()
    registered(house, "Dino")

    assert "You are registered as DINO" in registered(house, "DINO")


@pytest.mark.parametrize(("shown", "named"), [("the master", "Dino"), ("Lucia", "Lucia 2")])
def test_a_name_in_from_that_is_not_free_costs_no_seat(shown: str, named: str) -> None:
    """The seat is taken under another name, and the answer says so."""
    house = started()
    raw = raw_mail(DINO, ["OBSERVE borgia tulip9"], name=shown)
    told = " ".join(answer(deliver(house, raw, DINO), DINO).split())

    assert f"You are registered as {named}" in told
    assert f"The name {shown} is not free here" in told
    assert "You watch Borgia" in told
