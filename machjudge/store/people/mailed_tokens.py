"""Tokens: the port `Keys`."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from machjudge.service.credentials.mailed_tokens import Token, TokenPurpose
from machjudge.service.model.records import GameId, PersonId
from machjudge.store.schema.rows import add_rows, row, rows
from machjudge.store.schema.tables import TokenRow

_KEPT = timedelta(days=7)
"""How long what is worth nothing any more is kept."""


class StoredKeys:
    """Tokens in one transaction."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def token(self, hashed: str) -> Token | None:
        """The token with that hash, whether it is still worth something or not."""
        found = row(self._session, select(TokenRow).where(TokenRow.hashed == hashed))
        return None if found is None else _token(found)

    def made_since(self, person: PersonId, since: datetime) -> Sequence[Token]:
        """The tokens for somebody that were made at or after an instant, oldest first."""
        wanted = select(TokenRow).where(TokenRow.person == person, TokenRow.made >= since)
        return [_token(each) for each in rows(self._session, wanted.order_by(TokenRow.made))]

    def add(self, token: Token) -> None:
        """Keep a token; those that ended long ago go.  Raises Stale if it is there already."""
        old = token.made - _KEPT
        self._session.execute(delete(TokenRow).where(TokenRow.until < old))
        values = {
            "hashed": token.hashed,
            "purpose": token.purpose.value,
            "person": token.person,
            "made": token.made,
            "until": token.until,
            "game": token.game,
            "seat": token.seat,
            "address": token.address,
        }
        add_rows(self._session, TokenRow, [values], "that token is there already")

    def drop(self, hashed: str) -> None:
        """Forget a token that was used."""
        self._session.execute(delete(TokenRow).where(TokenRow.hashed == hashed))


def _token(found: TokenRow) -> Token:
    return Token(
        hashed=found.hashed,
        purpose=TokenPurpose(found.purpose),
        person=PersonId(found.person),
        made=found.made,
        until=found.until,
        game=None if found.game is None else GameId(found.game),
        seat=found.seat,
        address=found.address,
    )
