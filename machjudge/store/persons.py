"""The people: the port `Persons`."""

from collections.abc import Collection, Sequence

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from machjudge.service.records import Person, PersonId, is_same_name
from machjudge.store.rows import add_rows, row, rows
from machjudge.store.tables import AddressRow, PersonRow


class Persons:
    """The people in one transaction."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def get(self, person: PersonId) -> Person | None:
        """The person with that token."""
        found = row(self._session, select(PersonRow).where(PersonRow.id == person))
        return None if found is None else self._person(found)

    def by_address(self, address: str) -> Person | None:
        """Whose address it is (compared in lower case)."""
        owner = select(AddressRow.person).where(AddressRow.address == address.lower())
        found = row(self._session, select(PersonRow).where(PersonRow.id == owner.scalar_subquery()))
        return None if found is None else self._person(found)

    def names(self, besides: Collection[PersonId] = ()) -> Sequence[str]:
        """The names of everybody else."""
        others = select(PersonRow.name).where(PersonRow.id.not_in(list(besides)))
        return rows(self._session, others)

    def by_name(self, name: str) -> Sequence[Person]:
        """Everybody of that name; case and the number of spaces make no difference."""
        # Compared here: not every database knows the small letters beyond ASCII.
        named = rows(self._session, select(PersonRow).order_by(PersonRow.registered, PersonRow.id))
        return [self._person(each) for each in named if is_same_name(each.name, name)]

    def save(self, person: Person) -> None:
        """Add or replace a person.  Raises Stale if an address belongs to another person."""
        self._save_row(person)
        self._session.execute(delete(AddressRow).where(AddressRow.person == person.id))
        addresses = [
            {"address": address.lower(), "person": person.id, "rank": rank}
            for rank, address in enumerate(person.addresses)
        ]
        taken = f"an address of {person.id} belongs to somebody else"
        add_rows(self._session, AddressRow, addresses, taken)

    def _save_row(self, person: Person) -> None:
        columns = {"name": person.name, "zone": person.zone, "registered": person.registered}
        known = self._session.scalar(
            update(PersonRow)
            .where(PersonRow.id == person.id)
            .values(**columns)
            .returning(PersonRow.id)
        )
        if known is None:
            taken = f"{person.id} has just been added by somebody else"
            add_rows(self._session, PersonRow, [{"id": person.id, **columns}], taken)

    def _person(self, found: PersonRow) -> Person:
        addresses = rows(
            self._session,
            select(AddressRow.address)
            .where(AddressRow.person == found.id)
            .order_by(AddressRow.rank),
        )
        return Person(
            PersonId(found.id), found.name, tuple(addresses), found.zone, found.registered
        )
