"""Random games by mail: every order a mail to the judge's desk, every result a mail read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from machjudge.adjudicator.dice import SecretDice
from machjudge.adjudicator.evolve import evolve_all
from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.money.assassins import passed_again
from machjudge.adjudicator.names import PowerId
from machjudge.adjudicator.orders import Remove
from machjudge.adjudicator.units import Unit
from machjudge.adjudicator.world import World
from machjudge.adjudicator.year.steps import Played
from machjudge.formats.game_file import Chronicle, chronicle_lines, read_chronicle
from machjudge.judge.archive import export, scenario_of, verify
from machjudge.judge.game_view import GameView, Missing, missing
from machjudge.judge.mails import Outgoing
from machjudge.judge.records import GameId, Status, StoredPhase
from machjudge.judge.tick import look_at_games
from machjudge.language.lexicon import lexicon_of
from machjudge.language.lexicon import write as written
from machjudge.messages.wording import Words
from tests.games.invariants import Phase, flaws
from tests.games.ledger import Ledger
from tests.games.letters import opening_table
from tests.games.players import orders_for
from tests.judge.house import House
from tests.judge.year import order
from tests.results_told import tells_results

BORGIA = GameId("borgia")
_SLIPS = ("A mil supprts", "A xyz - abc", "expense 9: buy A mil", "borrow ten ducats", "- - -")
"""Lines that nobody can understand; none of them may cost the others."""
_LONG = {"days": 40}
"""Time in which every deadline and every grace is over."""


@dataclass
class PostalGame:
    """A game on a judge in memory, and everything that is wrong with it.

    Chits change hands at once: what is stored of that is no phase, and the giver alone is told.
    """

    house: House
    chance: Random
    ledger: Ledger = field(default_factory=Ledger)
    flaws: list[str] = field(default_factory=list)
    mails: int = 0

    def play(self, years: int) -> None:
        """Play on until so many years are over, or until something is wrong."""
        view = self.house.view()
        words = Words(view.world)
        self.ledger.open(opening_table(words, view.state))
        last = view.world.scenario.year + years - 1
        while self.house.view().state.moment.year <= last and not self.flaws:
            self._phase()

    def _phase(self) -> None:
        before = self.house.view()
        letters = list(self._order())
        if self.house.view().state.moment == before.state.moment:
            self.house.later(**_LONG)
            look_at_games(self.house.services, self.house.now)
            letters += self.house.mails_out()
        stored = self.house.store.tables.phases
        new = [p for p in stored if p.number > before.phase.number and not p.is_interlude]
        if not new:
            self.flaws.append(f"{before.state.moment.code} is never played")
        for phase in new:
            self.flaws += self._flaws_of(phase, letters)
        self.house.later(hours=1)

    # --- mails in ------------------------------------------------------------------------------

    def _order(self) -> Iterator[Outgoing]:
        """Every power sends its orders in a mail or two, and then what is missing."""
        view = self.house.view()
        names = lexicon_of(view.world.scenario)
        sheets = orders_for(view.world, view.state, self.chance)
        powers = list(sheets)
        self.chance.shuffle(powers)
        for power in powers:
            lines = [written(each, names) for each in sheets[power] if _can_be_said(each)]
            for part in self._parts(lines):
                yield from self._mail(power, part)
        for power in view.world.scenario.in_play:
            now = self.house.view()
            if now.state.moment != view.state.moment:
                return
            lacking = missing(now.world, now.state, power, now.orders_of(power))
            if lacking:
                kept = [unit for unit in now.state.units_of(power) if not _goes(now, power, unit)]
                yield from self._mail(power, _lines_for(lacking, now.state.moment.stage, kept))

    def _parts(self, lines: list[str]) -> list[list[str]]:
        """One mail or two, now and then with a slip in it."""
        if self.chance.random() < 0.1:
            lines.insert(self.chance.randint(0, len(lines)), self.chance.choice(_SLIPS))
        if self.chance.random() < 0.7:
            return [lines]
        cut = self.chance.randint(0, len(lines))
        return [lines[:cut], lines[cut:]]

    def _mail(self, power: PowerId, lines: Sequence[str]) -> list[Outgoing]:
        """Send a mail; anyone who writes is answered."""
        self.mails += 1
        before = self.house.view()
        sent = order(self.house, power, *lines)
        answered = any(not tells_results(letter.body) for letter in sent)
        if not answered:
            self.flaws.append(f"{power} got no answer to {lines} in {before.state.moment.code}")
        aside = [row.aside for row in self.house.store.tables.inbox if row.aside]
        self.flaws += [f"a mail is set aside: {why}" for why in aside]
        return sent

    # --- results out ---------------------------------------------------------------------------

    def _flaws_of(self, stored: StoredPhase, letters: Sequence[Outgoing]) -> Iterator[str]:
        """What is wrong with a stored phase, and with the mail about it."""
        world = self.house.view().world
        if stored.is_interlude:
            yield from _flaws_of_gifts(world, stored)
            return
        dice = SecretDice(self.house.game().secret, stored.moment)
        played = Played(stored.events, stored.after, {})
        yield from flaws(Phase(world, stored.before, dice, played))
        told = [one for one in letters if tells_results(one.body, stored.moment)]
        if not told:
            yield f"nobody is told of {stored.moment}"
            return
        yield from self.ledger.read(*(one.body for one in told))


def _flaws_of_gifts(world: World, stored: StoredPhase) -> Iterator[str]:
    """What is wrong with chits that changed hands between two phases."""
    if passed_again(world, stored.before, stored.events) != stored.events:
        yield f"{stored.events} may not be given"
    if evolve_all(stored.before, stored.events) != stored.after:
        yield f"{stored.events} do not lead to the position after them"


def _can_be_said(order: object) -> bool:
    """True if the notation has a sign for it: none for what is less than nothing."""
    ducats = getattr(order, "ducats", None)
    return ducats is None or ducats >= 0


def _goes(now: GameView, power: PowerId, unit: Unit) -> bool:
    """True if a unit is ordered to be removed."""
    removed = [order.unit for order in now.orders_of(power) if isinstance(order, Remove)]
    return any((named.kind, named.place) == (unit.kind, unit.place) for named in removed)


def _lines_for(lacking: Missing, stage: Stage, kept: Sequence[Unit]) -> list[str]:
    """Whatever makes an order set complete."""
    deeds = {Stage.CAMPAIGN: "{} h", Stage.RETREATS: "{} disband", Stage.ADJUSTMENT: "remove {}"}
    lines = [deeds[stage].format(f"{u.kind.value} {u.place}") for u in lacking.units]
    lines += [f"remove {u.kind.value} {u.place}" for u in kept[: lacking.removals]]
    return [*lines, "waive"] if lacking.builds else lines


def verdict(game: PostalGame) -> list[str]:
    """What an export of the game, finished as it stands, does not hold when it is read again."""
    games = game.house.store.tables.games
    games[BORGIA] = replace(games[BORGIA], status=Status.FINISHED)
    exported = export(game.house.services, BORGIA)
    if not isinstance(exported, Chronicle):
        return ["the game is not exported"]
    again = read_chronicle("\n".join(chronicle_lines(exported)).encode())
    scenario = scenario_of(again, game.house.services.atlas)
    found = verify(again, scenario, game.house.services.judge.version)
    return [game.house.services.renderer.say(one.says) for one in found if not one.holds]
