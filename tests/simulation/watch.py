"""What must hold after every event of a simulation, asked past the desk."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parseaddr

from sqlalchemy import text

from machjudge.adjudicator.dice import SecretDice
from machjudge.adjudicator.world import world_of
from machjudge.adjudicator.year.steps import Played, play
from machjudge.app import Application
from machjudge.db.engine import reading
from machjudge.judge.game_view import read_order_lines
from machjudge.judge.records import GameId, StoredPhase
from tests.faults.relay import TakenMail
from tests.games.invariants import Phase, flaws
from tests.results_told import tells_results
from tests.simulation.judge import SimulatedJudge
from tests.simulation.people import Player

_FINISHED = text(
    "SELECT i.id, i.message_id, i.state, i.outcome, i.received, (SELECT count(*) FROM outbox o"
    " WHERE o.answers = i.message_id) AS answers FROM inbox i"
    " WHERE i.state <> 'waiting' AND i.id > :from"
)
_KEPT = text("SELECT count(*) FROM inbox WHERE message_id = :id")
_ON_FILE = text(
    "SELECT count(*) FROM sheets s JOIN inbox i ON i.id = s.mail"
    " WHERE i.message_id = :id AND s.game = :game AND s.after = :after"
)
_RECEIVED = text("SELECT received FROM inbox WHERE message_id = :id")
_CODE = re.compile(r"\br\.[a-z2-7]{20,}")
_PASSWORD = re.compile(r"parola[a-z]+")


@dataclass(frozen=True, slots=True)
class Promised:
    """A mail with orders that was kept while its game was at a phase."""

    id: str
    game: str
    after: int
    deadline: datetime


@dataclass
class Watch:
    """What was seen so far; the same thing is not looked at twice."""

    judge: SimulatedJudge
    players: dict[str, Player]
    promised: dict[tuple[str, int], list[Promised]] = field(default_factory=dict)
    phases: dict[str, int] = field(default_factory=dict)
    """The number of the newest phase of each game that was looked at."""
    mails: set[str] = field(default_factory=set)
    letters: int = 0
    owners: dict[str, str] = field(default_factory=dict)
    """To whom each reply code was sent."""

    def breaches(self) -> list[str]:
        """Everything that is wrong now and was not before."""
        return [*self._mails(), *self._phases(), *self._letters()]

    def acknowledged(self, known: str) -> Iterator[str]:
        """A mail that has just got its 250 is there, once."""
        with reading(self.judge.rooms.engine) as connection:
            kept = connection.scalar(_KEPT, {"id": known})
        if kept != 1:
            yield f"{known} got its 250 and is there {kept} times"

    def is_kept(self, known: str) -> bool:
        """True if the judge has a mail, with or without a 250."""
        with reading(self.judge.rooms.engine) as connection:
            return bool(connection.scalar(_KEPT, {"id": known}))

    # --- mails --------------------------------------------------------------------------------

    def _mails(self) -> Iterator[str]:
        """Each mail that is done with was answered, once."""
        with reading(self.judge.rooms.engine) as connection:
            rows = connection.execute(_FINISHED, {"from": 0}).all()
        for row in rows:
            if row.message_id in self.mails:
                continue
            self.mails.add(row.message_id)
            if (row.state, row.outcome) != ("finished", "answered"):
                yield f"{row.message_id} is {row.state}, {row.outcome}"
            if row.answers != 1:
                yield f"{row.message_id} has {row.answers} answers"

    # --- phases -------------------------------------------------------------------------------

    def _phases(self) -> Iterator[str]:
        rooms = self.judge.rooms
        for game, seen in [*self.phases.items()]:
            with rooms.store.reading() as found:
                last = found.phases.last_number(GameId(game))
                new = [found.phases.get(GameId(game), n) for n in range(seen + 1, last + 1)]
            for phase in new:
                self.phases[game] = phase.number
                yield from self._phase(rooms, phase)

    def _phase(self, rooms: Application, phase: StoredPhase) -> Iterator[str]:
        """It follows on its parent, plays again, and nothing in it is as it must not be."""
        where = f"{phase.game} {phase.moment}"
        if phase.number == 0:
            return
        with rooms.store.reading() as found:
            game = found.games.get(phase.game)
            parent = found.phases.get(phase.game, phase.number - 1)
        assert game is not None
        if phase.parent != phase.number - 1 or phase.before != parent.after:
            yield f"{where} does not follow on what was before"
        scenario = rooms.services.atlas.scenario(game.scenario)
        assert scenario is not None
        world = world_of(scenario, phase.rules)
        stage = phase.before.moment.stage
        orders = {p: read_order_lines(world, stage, lines) for p, lines in phase.orders.items()}
        dice = SecretDice(game.secret, phase.moment)
        again = play(world, phase.before, orders, dice)
        if (again.events, again.state) != (phase.events, phase.after):
            yield f"{where} does not play again"
        played = Phase(world, phase.before, dice, Played(phase.events, phase.after, {}))
        yield from (f"{where}: {flaw}" for flaw in flaws(played))
        for each in self.promised.pop((phase.game, phase.number - 1), ()):
            yield from self._counts(each, phase)

    def _counts(self, mail: Promised, phase: StoredPhase) -> Iterator[str]:
        """Orders that were kept before the deadline are on file, if it was waited for."""
        asked = {"id": mail.id, "game": mail.game, "after": mail.after}
        with reading(self.judge.rooms.engine) as connection:
            received = _utc(str(connection.scalar(_RECEIVED, asked)))
            on_file = connection.scalar(_ON_FILE, asked)
        if received < mail.deadline <= phase.processed and not on_file:
            yield f"{mail.id} of {received} does not count in {phase.game} {phase.moment}"

    # --- letters ------------------------------------------------------------------------------

    def _letters(self) -> Iterator[str]:
        """No letter shows a password, or a code with which somebody else speaks for themselves."""
        new, self.letters = self.judge.taken[self.letters :], len(self.judge.taken)
        for letter in new:
            yield from (f"{letter.id} shows {each}" for each in _PASSWORD.findall(letter.content))
            to = parseaddr(letter.reply_to)[1]
            yield from self._codes(letter)
            self._read(letter, to)

    def _codes(self, letter: TakenMail) -> Iterator[str]:
        """Reply codes of others do not stand anywhere in it."""
        for found in set(_CODE.findall(letter.content)):
            owner = self.owners.setdefault(found, letter.to)
            if owner != letter.to:
                yield f"{letter.id} shows {letter.to} the code of {owner}"

    def _read(self, letter: TakenMail, to: str) -> None:
        """Its reader keeps the results at hand, to answer them and to quote them."""
        player = self.players.get(letter.to)
        if player is not None and tells_results(letter.content) and to:
            player.reply_to = to
            body = letter.content.partition("\r\n\r\n")[2]
            player.quoted = [line for line in body.splitlines()[:12] if line.isascii()]


def _utc(stored: str) -> datetime:
    moment = datetime.fromisoformat(stored)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
