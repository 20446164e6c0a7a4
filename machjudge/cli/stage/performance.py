"""Play a script through the mails of a judge, and compare its positions with those it tells."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from machjudge.adjudicator.model.moments import read_moment
from machjudge.adjudicator.model.names import PlaceId
from machjudge.adjudicator.model.state import State
from machjudge.adjudicator.model.units import Unit
from machjudge.cli.stage.postoffice import Delivered
from machjudge.cli.stage.script import Script, StageAct
from machjudge.cli.stage.theatre import Player, StageFright, Theatre

_NAMES = {"I": "Milan", "V": "Venice", "N": "Naples", "L": "Florence"}


@dataclass(frozen=True, slots=True)
class Exchange:
    """A mail from a player and the judge's answer, or a letter that came by itself."""

    player: Player
    wrote: tuple[str, ...]
    """Empty for a letter that came by itself."""
    letter: Delivered


@dataclass(frozen=True, slots=True)
class Compared:
    """How the position after an act compares with the one that the script tells."""

    act: StageAct
    differences: tuple[str, ...]
    """Each power whose units or lands differ, in words; empty: equal."""


Tell = Callable[[str, Exchange], None]
"""Told of each exchange, with a word for what it is."""
Position = Callable[[str], State]
"""The position of a game now."""


def _players() -> dict[str, Player]:
    return {
        "I": Player("Francesco", "francesco@players.example", "castello7"),
        "V": Player("Caterina", "caterina@players.example", "laguna22"),
        "N": Player("Alfonso", "alfonso@players.example", "vesuvio3"),
        "L": Player("Lorenza", "lorenza@players.example", "giglio15"),
    }


@dataclass(slots=True)
class Performance:
    """Four players, one game."""

    theatre: Theatre
    script: Script
    tell: Tell
    position: Position
    players: Mapping[str, Player] = field(default_factory=_players)
    mails: int = 0

    def register(self) -> None:
        """Make everybody known to the judge, once for all games."""
        for player in self.players.values():
            name = f"Name: {player.name}"
            self.exchange("registers", player, ("register", name, "end"))

    def open(self) -> None:
        """Create the game, join it, and read the first letter."""
        game, host = self.script.game, self.players["I"]
        wish = f"{self.script.scenario} {self.script.options}"
        create = f"create ?{game} {host.password} {wish}".rstrip()
        self.exchange("creates a game", host, (create,))
        for power, player in self.players.items():
            lines = (f"signon ?{game} {player.password}", f"set preferences {power}", "signoff")
            self.exchange("joins", player, lines)
        for power, player in self.players.items():
            about = f":{self.script.game} - {self.script.acts[0].phase} Game Starting"
            letter = self.theatre.letter_to(player, about)
            self._check_seat(power, letter)
            self.tell("starts", Exchange(player, (), letter))

    def _check_seat(self, power: str, letter: Delivered) -> None:
        if f"You lead {_NAMES[power]}" not in letter.text:
            says = f"{letter.to} did not get {_NAMES[power]}"
            raise StageFright(says)

    def play(self, act: StageAct) -> Compared:
        """Send everybody's orders of an act, wait for its results, compare the position."""
        for power, orders in act.orders.items():
            player = self.players[power]
            lines = (f"signon {power}{self.script.game} {player.password}", *orders, "signoff")
            self.exchange(act.verb, player, lines)
        for player in self.players.values():
            letter = self._results_of(act, player)
            self.tell(f"{act.verb}: results", Exchange(player, (), letter))
        return Compared(act, tuple(_differences(act, self.position(self.script.game))))

    def _results_of(self, act: StageAct, player: Player) -> Delivered:
        """Their subject has the news; the text says which phase it was."""
        moment = read_moment(act.phase)
        if moment is None:
            says = f"{act.phase} is no phase"
            raise StageFright(says)
        season, stage = moment.season.name.capitalize(), moment.stage.name.lower()
        about = f"Results of {season} {moment.year}, {stage}."
        return self.theatre.letter_to(player, f"{self.script.game}, ", about)

    def exchange(self, what: str, player: Player, lines: tuple[str, ...]) -> Delivered:
        """One mail to the judge, and its answer."""
        self.mails += 1
        letter = self.theatre.answer_to(self.theatre.write(player, what, lines))
        self.tell(what, Exchange(player, lines, letter))
        return letter


def _differences(act: StageAct, state: State) -> list[str]:
    different = []
    for power, expected in act.after.items():
        found = {_short(unit) for unit in state.units() if unit.owner == power}
        if found != expected:
            different.append(f"{_NAMES[power]}: {sorted(found)} instead of {sorted(expected)}")
    for place, power in act.control.items():
        if state.provinces.get(PlaceId(place)) != power:
            different.append(f"{place} is not {_NAMES[power]}'s")
    return different


def _short(unit: Unit) -> str:
    coast = f"/{unit.coast}" if unit.coast else ""
    return f"{unit.kind.value} {unit.place}{coast}"
