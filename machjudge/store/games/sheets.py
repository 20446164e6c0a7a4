"""The order sets of all powers: the port `Sheets`."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from sqlalchemy import Row, bindparam, or_, select
from sqlalchemy.orm import Session

from machjudge.adjudicator.model.names import PowerId
from machjudge.service.model.records import GameId, MailId, Sheet
from machjudge.store.games.cache import SHEETS, CachedGames
from machjudge.store.schema.documents import read_lines, write_lines
from machjudge.store.schema.prepared import Prepared
from machjudge.store.schema.rows import add_rows, rows
from machjudge.store.schema.tables import SheetRow


@lru_cache
def _newer_than(powers: int) -> Prepared:
    """The order sets for a phase that are newer than those known of some powers."""
    of_phase = (SheetRow.game == bindparam("wanted"), SheetRow.after == bindparam("phase"))
    newer = [
        or_(SheetRow.power != bindparam(f"power{n}"), SheetRow.number > bindparam(f"number{n}"))
        for n in range(powers)
    ]
    columns = SheetRow.__table__.columns
    return Prepared(select(*columns).where(*of_phase, *newer).order_by(SheetRow.number))


class StoredSheets:
    """The order sets in one transaction."""

    def __init__(self, session: Session, cached: CachedGames) -> None:
        self._session = session
        self._cached = cached

    def on_file(self, game: GameId, after: int) -> Mapping[PowerId, Sheet]:
        """The newest sheet of each power that has one for the phase following *after*."""
        return self._cached.part(game, (SHEETS, after), lambda: self._read(game, after))

    def _read(self, game: GameId, after: int) -> Mapping[PowerId, Sheet]:
        before = self._cached.sheets_before(game, after)
        asked: dict[str, object] = {"wanted": game, "phase": after}
        for n, sheet in enumerate(before.values()):
            asked |= {f"power{n}": sheet.power, f"number{n}": sheet.number}
        found = _newer_than(len(before)).rows(self._session.connection(), asked)
        # Of each power the last one stays.
        newest = {PowerId(each.power): each for each in found}
        sheets = {**before, **{power: _sheet(each) for power, each in newest.items()}}
        return MappingProxyType({power: sheets[power] for power in sorted(sheets)})

    def history(self, game: GameId, after: int, power: PowerId) -> Sequence[Sheet]:
        """All sheets of a power for that phase, oldest first."""
        found = rows(
            self._session,
            select(SheetRow)
            .where(SheetRow.game == game, SheetRow.after == after, SheetRow.power == power)
            .order_by(SheetRow.number),
        )
        return [_sheet(each) for each in found]

    def add(self, sheet: Sheet) -> None:
        """Add a sheet.  Raises Stale if its number is taken."""
        columns = {
            "game": sheet.game,
            "after": sheet.after,
            "power": sheet.power,
            "number": sheet.number,
            "lines": write_lines(sheet.lines),
            "flawed": sheet.flawed,
            "received": sheet.received,
            "mail": sheet.mail,
        }
        taken = f"there is a sheet {sheet.number} of {sheet.power} in {sheet.game} already"
        add_rows(self._session, SheetRow, [columns], taken)
        self._cached.change(
            sheet.game, (SHEETS, sheet.after), lambda on_file: _with(on_file, sheet)
        )


def _with(on_file: Mapping[PowerId, Sheet], added: Sheet) -> Mapping[PowerId, Sheet]:
    """The sheets on file, one of them the newest of its power."""
    of_power = on_file.get(added.power)
    newest = added if of_power is None or of_power.number < added.number else of_power
    sheets = {**on_file, added.power: newest}
    return MappingProxyType({power: sheets[power] for power in sorted(sheets)})


def _sheet(found: SheetRow | Row[Any]) -> Sheet:
    name = f"sheet {found.number} of {found.power} in {found.game} after {found.after}"
    return Sheet(
        game=GameId(found.game),
        after=found.after,
        power=PowerId(found.power),
        number=found.number,
        lines=read_lines(found.lines, name),
        flawed=found.flawed,
        received=found.received,
        mail=None if found.mail is None else MailId(found.mail),
    )
