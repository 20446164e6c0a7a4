"""What one use case changes, collected first and written in one short transaction."""

from dataclasses import dataclass, field, replace

from machjudge.service.ports import UnitOfWork
from machjudge.service.records import (
    Game,
    Holding,
    Notice,
    Outgoing,
    Person,
    PersonId,
    PressItem,
    Sheet,
    StoredPhase,
)


@dataclass(slots=True)
class Changes:
    """Values to be saved; nothing is written before ``write``."""

    read: Game | None = None
    """The game as it was read; none where it is new or there is none."""
    game: Game | None = None
    """The game as it shall be."""
    persons: dict[PersonId, Person] = field(default_factory=dict)
    sheets: list[Sheet] = field(default_factory=list)
    phases: list[tuple[StoredPhase, tuple[Holding, ...]]] = field(default_factory=list)
    press: list[PressItem] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    letters: list[Outgoing] = field(default_factory=list)

    def write(self, uow: UnitOfWork) -> None:
        """Save everything.  Raises Stale if the game is no longer as it was read."""
        for person in self.persons.values():
            uow.persons.save(person)
        self._write_game(uow)
        for sheet in self.sheets:
            uow.sheets.add(sheet)
        for phase, holdings in self.phases:
            uow.phases.add(phase, holdings)
        for item in self.press:
            uow.press.add(item)
        for notice in self.notices:
            uow.notices.add(notice)
        for letter in self.letters:
            uow.outbox.put(letter)

    def _write_game(self, uow: UnitOfWork) -> None:
        """The game's version goes up with everything that belongs to it, orders and press too."""
        if self.game is None:
            return
        if self.read is None:
            uow.games.add(replace(self.game, version=1))
        elif self.game != self.read or self.sheets or self.phases or self.press:
            uow.games.save(replace(self.game, version=self.read.version + 1))
