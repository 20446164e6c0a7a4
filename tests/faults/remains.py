"""What is found when a judge is at rest, asked past the desk."""

from collections.abc import Iterator, Sequence

from sqlalchemy import Connection, select, text

from machjudge.app import Application
from machjudge.db.engine import is_sqlite, reading
from machjudge.db.tables import OutboxRow
from machjudge.judge.archive import replay
from machjudge.judge.mails import OutboxId, hidden_number
from machjudge.judge.records import GameId
from tests.faults.ledger import Played, Remains, StoredMail
from tests.faults.relay import TakenMail

WAITING = (
    "SELECT (SELECT count(*) FROM inbox WHERE state = 'waiting')"
    " + (SELECT count(*) FROM outbox WHERE state = 'waiting')"
)


def remains_of(rooms: Application, games: Sequence[str], taken: Sequence[TakenMail]) -> Remains:
    """All that a judge knows, beside all that its relay has taken."""
    with reading(rooms.engine) as connection:
        mails = tuple(_mails(connection))
        found = connection.execute(select(OutboxRow.id, OutboxRow.state)).all()
        secret = rooms.services.secret
        letters = {hidden_number(secret, OutboxId(row.id)): row.state for row in found}
        integrity = _integrity(connection)
    phases = [phase for game in games for phase in _phases(rooms, GameId(game))]
    return Remains(mails, letters, phases, taken, integrity)


def waits(rooms: Application) -> bool:
    """True if a mail or a message waits."""
    with reading(rooms.engine) as connection:
        return bool(connection.scalar(text(WAITING)))


def _mails(connection: Connection) -> Iterator[StoredMail]:
    order_sets: dict[int, list[tuple[str, int]]] = {}
    on_file = text("SELECT mail, game, after FROM sheets WHERE mail IS NOT NULL")
    for mail, game, after in connection.execute(on_file):
        order_sets.setdefault(mail, []).append((game, after))
    for number, known, state in connection.execute(text("SELECT id, message_id, state FROM inbox")):
        yield StoredMail(known, state, tuple(order_sets.get(number, ())))


def _integrity(connection: Connection) -> str:
    """What the database says of itself; PostgreSQL has no such question."""
    if not is_sqlite(connection):
        return "ok"
    state = str(connection.scalar(text("PRAGMA integrity_check")))
    broken = connection.execute(text("PRAGMA foreign_key_check")).all()
    return state if not broken else f"broken references: {broken}"


def _phases(rooms: Application, game: GameId) -> Iterator[Played]:
    checks = {each.number: each for each in replay(rooms.services, game) or ()}
    with rooms.store.reading() as found:
        stored = found.phases.all_of(game)
    for each in stored:
        check = checks[each.number]
        codes = each.before.moment.code, each.after.moment.code
        yield Played(game, each.number, *codes, check.is_kept and check.plays_again)
