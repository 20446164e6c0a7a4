"""The people: the port `Persons`."""

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from machjudge.service.model.records import Person, PersonId, Standing, is_same_name
from machjudge.store.schema.rows import add_rows, row, rows
from machjudge.store.schema.tables import AddressRow, PersonRow


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
        """The names of everybody else whose address is confirmed."""
        confirmed = PersonRow.claimed.is_(None)
        others = select(PersonRow.name).where(confirmed, PersonRow.id.not_in(list(besides)))
        return rows(self._session, others)

    def by_name(self, name: str) -> Sequence[Person]:
        """Everybody of that name; case and the number of spaces make no difference."""
        # Compared here: not every database knows the small letters beyond ASCII.
        confirmed = PersonRow.claimed.is_(None)
        every = select(PersonRow).where(confirmed)
        named = rows(self._session, every.order_by(PersonRow.registered, PersonRow.id))
        return [self._person(each) for each in named if is_same_name(each.name, name)]

    def save(self, person: Person) -> None:
        """Add or replace a person.  Raises Stale if an address belongs to another person."""
        self._save_row(person)
        self._session.execute(delete(AddressRow).where(AddressRow.person == person.id))
        if not person.is_confirmed:
            return
        addresses = [
            {"address": address.lower(), "person": person.id, "rank": rank}
            for rank, address in enumerate(person.addresses)
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
        waiting = (PersonRow.standing != Standing.CONFIRMED.value, PersonRow.registered < until)
        found = select(PersonRow).where(*waiting).order_by(PersonRow.registered, PersonRow.id)
        return [self._person(each) for each in rows(self._session, found)]

    def remove(self, person: PersonId) -> None:
        """Forget somebody whose address nobody has confirmed."""
        self._session.execute(delete(PersonRow).where(PersonRow.id == person))

    def _person(self, found: PersonRow) -> Person:
        if found.claimed is not None:
            claimed = (found.claimed,)
            standing = Standing(found.standing)
            return Person(
                PersonId(found.id), found.name, claimed, found.zone, found.registered, standing
            )
        addresses = rows(
            self._session,
            select(AddressRow.address)
            .where(AddressRow.person == found.id)
            .order_by(AddressRow.rank),
        )
        return Person(
            PersonId(found.id), found.name, tuple(addresses), found.zone, found.registered
        )
