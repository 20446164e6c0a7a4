"""What is counted for the limits, in the database."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from types import SimpleNamespace

from machjudge.judge.faults import Stale
from machjudge.judge.limits import FREE, begin_try, keys_of_stranger
from machjudge.judge.mail_context import MailWriter
from machjudge.judge.records import MailId
from tests.db.conftest import NOON

KEY = "tries/seat/borgia/V"


def counted(house, key: str = KEY) -> list:
    """When it happened within a day."""
    with house.store().reading() as uow:
        return list(uow.counts.all_lately([key], NOON - timedelta(days=1))[key])


def test_what_is_counted_is_there_until_it_is_forgotten(house) -> None:
    """In its order, under its own key, and as far back as one asks."""
    later = NOON + timedelta(hours=1)
    with house.store().writing() as uow:
        uow.counts.add((KEY,), later)
        uow.counts.add((KEY,), NOON)
        uow.counts.add(("another",), NOON)
        uow.commit()

    assert counted(house) == [NOON, later]
    with house.store().writing() as uow:
        assert list(uow.counts.all_lately([KEY], NOON)[KEY]) == [later]
        uow.counts.take_back((KEY,), NOON)
        assert list(uow.counts.all_lately([KEY], NOON - timedelta(hours=1))[KEY]) == [later]
        uow.counts.forget((KEY,))
        uow.commit()
    assert counted(house) == []
    assert counted(house, "another") == [NOON]


def test_how_often_something_happened_is_counted_between_two_instants(house) -> None:
    """After the first one, and up to the second one; nothing is a number as well."""
    hours = [NOON + timedelta(hours=n) for n in range(4)]
    with house.store().writing() as uow:
        for each in hours:
            uow.counts.add((KEY,), each)
        uow.commit()

    with house.store().reading() as uow:
        found = uow.counts.numbers([KEY, "another"], hours[0], hours[2])
    assert found == {KEY: 2, "another": 0}


def test_one_of_two_at_the_same_instant_is_taken_back(house) -> None:
    """The other one stays."""
    with house.store().writing() as uow:
        uow.counts.add((KEY, KEY), NOON)
        uow.counts.take_back((KEY,), NOON)
        uow.commit()

    assert counted(house) == [NOON]


def test_what_was_counted_long_ago_goes(house) -> None:
    """The table does not grow for ever."""
    with house.store().writing() as uow:
        uow.counts.add(("old",), NOON - timedelta(days=30))
        uow.counts.add((KEY,), NOON)
        uow.commit()
    house.store().forget_old()

    assert counted(house) == [NOON]
    with house.store().reading() as uow:
        assert list(uow.counts.all_lately(["old"], NOON - timedelta(days=60))["old"]) == []


def test_many_at_once_try_no_more_passwords_than_one(house) -> None:
    """Forty mails under forty addresses, eight at a time: five passwords are tried."""

    def begin(number: int) -> bool:
        services, writer = SimpleNamespace(store=house.store()), MailWriter()
        mail = SimpleNamespace(services=services, writer=writer, mail_id=MailId(number), now=NOON)
        keys = keys_of_stranger(f"m{number}@far.example", "borgia", "V")
        while True:
            try:
                return begin_try(mail, keys) is None
            except Stale:
                writer.tries = 0

    with ThreadPoolExecutor(8) as pool:
        may = list(pool.map(begin, range(1, 41)))

    assert sum(may) == FREE
    assert len(counted(house)) == FREE
