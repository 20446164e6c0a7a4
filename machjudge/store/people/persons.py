"""The people: the port `Persons`.  Whoever was read once in a transaction is not read again."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

from sqlalchemy import ColumnElement, Row, bindparam, delete, select, update
from sqlalchemy.orm import Session

from machjudge.service.model.digest_hours import DIGEST_HOUR
from machjudge.service.model.records import (
    AddressStanding,
    Calendar,
    Notify,
    Person,
    PersonId,
    is_same_name,
)
from machjudge.store.people.bounces import COLUMNS as BOUNCES
from machjudge.store.people.bounces import bounce_columns, read_bounces
from machjudge.store.schema.engine import is_sqlite
from machjudge.store.schema.rows import add_rows, rows
from machjudge.store.schema.tables import AddressRow, PersonRow

COLUMNS = (
    PersonRow.id.label("person"),
    PersonRow.name.label("person_name"),
    PersonRow.zone,
    PersonRow.registered,
    PersonRow.standing,
    PersonRow.claimed,
    PersonRow.calendar,
    PersonRow.language,
    PersonRow.html,
    PersonRow.pictures,
    PersonRow.json,
    PersonRow.notify,
    PersonRow.digest_hour,
    AddressRow.address,
    *BOUNCES,
)
"""What is read of people, and of their addresses."""
IN_ORDER = (PersonRow.registered, PersonRow.id, AddressRow.rank)
"""How the rows of people are ordered: as they came, with the first address first."""
PEOPLE = PersonRow.id.in_(bindparam("people", expanding=True))
"""Whether somebody is among the ``people`` of a statement."""

_EVERYBODY = (
    select(*COLUMNS).outerjoin(AddressRow, AddressRow.person == PersonRow.id).order_by(*IN_ORDER)
)
_OWNER = select(AddressRow.person).where(AddressRow.address == bindparam("at"))
_OF = _EVERYBODY.where(PEOPLE)
_AT = _EVERYBODY.where(PersonRow.id == _OWNER.scalar_subquery())


class StoredPersons:
    """The people in one transaction."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._known: dict[PersonId, Person | None] = {}
        self._strange: set[str] = set()
        """Addresses that are nobody's."""

    def get(self, person: PersonId) -> Person | None:
        """The person with that token."""
        return self.of((person,)).get(person)

    def of(self, people: Collection[PersonId]) -> Mapping[PersonId, Person]:
        """Several people at once; those who are not there are left out."""
        unknown = [each for each in people if each not in self._known]
        if unknown:
            self._known |= dict.fromkeys(unknown)
            self.take(self._session.connection().execute(_OF, {"people": unknown}))
        found = {each: self._known[each] for each in people}
        return {each: person for each, person in found.items() if person is not None}

    def held(self, people: Collection[PersonId]) -> Mapping[PersonId, Person]:
        """The same, as they are now; nobody else changes them until the transaction ends.

        On SQLite a writing transaction is alone anyway.
        """
        self._forget()
        if not is_sqlite(self._session.connection()):
            # In one order, so that no two transactions wait for each other.
            rows = select(PersonRow.id).where(PEOPLE).order_by(PersonRow.id).with_for_update()
            self._session.connection().execute(rows, {"people": list(people)})
        return self.of(people)

    def by_address(self, address: str) -> Person | None:
        """Whose address it is (compared in lower case)."""
        wanted = address.lower()
        for person in self._known.values():
            if person is not None and person.is_confirmed and wanted in person.addresses:
                return person
        if wanted in self._strange:
            return None
        for person in self.take(self._session.connection().execute(_AT, {"at": wanted})):
            return person
        self._strange.add(wanted)
        return None

    def names(self, besides: Collection[PersonId] = ()) -> Sequence[str]:
        """The names of everybody else whose address is confirmed."""
        confirmed = PersonRow.claimed.is_(None)
        others = select(PersonRow.name).where(confirmed, PersonRow.id.not_in(list(besides)))
        return rows(self._session, others)

    def by_name(self, name: str) -> Sequence[Person]:
        """Everybody of that name; case and the number of spaces make no difference."""
        # Compared here: not every database knows the small letters beyond ASCII.
        every = select(PersonRow.id, PersonRow.name).where(PersonRow.claimed.is_(None))
        found = self._session.connection().execute(every)
        called = [PersonId(row.id) for row in found if is_same_name(row.name, name)]
        return sorted(self.of(called).values(), key=lambda each: (each.registered, each.id))

    def save(self, person: Person) -> None:
        """Add or replace a person.  Raises Stale if an address belongs to another person."""
        self._forget()
        self._save_row(person)
        self._session.execute(delete(AddressRow).where(AddressRow.person == person.id))
        if not person.is_confirmed:
            return
        scores = {each.address: each for each in person.bounces}
        addresses = [
            {"address": address, "person": person.id, "rank": rank}
            | bounce_columns(scores.get(address))
            for rank, address in enumerate(map(str.lower, person.addresses))
        ]
        taken = f"an address of {person.id} belongs to somebody else"
        add_rows(self._session, AddressRow, addresses, taken)

    def _save_row(self, person: Person) -> None:
        columns = {
            "name": person.name,
            "zone": person.zone,
            "registered": person.registered,
            "standing": person.standing.value,
            "claimed": None if person.is_confirmed else person.addresses[0],
            "calendar": person.calendar.value,
            "language": person.language or None,
            "html": person.html,
            "pictures": person.pictures,
            "json": person.json,
            "notify": person.notify.value,
            "digest_hour": person.digest_hour,
        }
        known = self._session.scalar(
            update(PersonRow)
            .where(PersonRow.id == person.id)
            .values(**columns)
            .returning(PersonRow.id)
        )
        if known is None:
            taken = f"{person.id} has just been added by somebody else"
            add_rows(self._session, PersonRow, [{"id": person.id, **columns}], taken)

    def unconfirmed(self, until: datetime) -> Sequence[Person]:
        """Everybody who came before an instant and whose address is only claimed, oldest first."""
        waiting = (
            PersonRow.standing != AddressStanding.CONFIRMED.value,
            PersonRow.registered < until,
        )
        return self._read(*waiting)

    def remove(self, person: PersonId) -> None:
        """Forget somebody whose address nobody has confirmed."""
        self._forget()
        self._session.execute(delete(PersonRow).where(PersonRow.id == person))

    def _forget(self) -> None:
        """Whoever was read may have changed."""
        self._known.clear()
        self._strange.clear()

    def _read(self, *wanted: ColumnElement[bool]) -> Sequence[Person]:
        """The people wanted with their addresses, in the order in which they came."""
        return self.take(self._session.connection().execute(_EVERYBODY.where(*wanted)))

    def take(self, found: Iterable[Any], asked: Collection[PersonId] = ()) -> Sequence[Person]:
        """Know the people in rows with `COLUMNS`, one after the other, one row for each address.

        Of those who were *asked* for it is known as well who is not there.
        """
        self._known |= {each: None for each in asked if each not in self._known}
        people = [_person(list(rows)) for _, rows in groupby(found, lambda row: row.person)]
        self._known |= {each.id: each for each in people}
        return people


def _person(rows: Sequence[Row[Any]]) -> Person:
    """Somebody with their addresses, or with the one that they claim."""
    row = rows[0]
    own = [row.claimed] if row.claimed is not None else [each.address for each in rows]
    return Person(
        id=PersonId(row.person),
        name=row.person_name,
        addresses=tuple(each for each in own if each is not None),
        zone=row.zone,
        registered=row.registered,
        standing=AddressStanding.CONFIRMED
        if row.claimed is None
        else AddressStanding(row.standing),
        calendar=Calendar.ON if row.calendar is None else Calendar(row.calendar),
        language=row.language or "",
        html=row.html is not False,
        pictures=row.pictures is not False,
        json=row.json is True,
        notify=Notify.EACH if row.notify is None else Notify(row.notify),
        digest_hour=DIGEST_HOUR if row.digest_hour is None else row.digest_hour,
        bounces=tuple(score for each in rows if (score := read_bounces(each)) is not None),
    )
