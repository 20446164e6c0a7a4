"""How people keep their deadlines comes back from a database as it was put in."""

from dataclasses import replace

from machjudge.judge.records import Attendance
from tests.db.examples import GAME, LUCIA, OTTO

KEPT = (Attendance(OTTO.id, on_time=3, late=1), Attendance(LUCIA.id, late=2, left=1))


def test_attendance_comes_back_in_its_order(house) -> None:
    """With every number."""
    with house.store().writing() as uow:
        uow.games.add(replace(GAME, attendance=KEPT))
        uow.persons.save(LUCIA)
        uow.persons.save(OTTO)
        uow.commit()

    with house.store().reading() as uow:
        found = uow.games.get(GAME.id)

    assert found is not None
    assert found.attendance == KEPT
