"""The advanced game of 1454 through two years by mail: what happens, and what people read of it.

``GOLDEN=write pytest tests/judge/whole/test_two_years.py`` writes the transcript anew; read what
changed.
"""

import os
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

from machjudge.adjudicator import events as event_types
from machjudge.adjudicator.events import Event
from machjudge.adjudicator.reasons import Removal
from machjudge.cli import main
from machjudge.formats.game_file import Chronicle, chronicle_lines
from machjudge.judge.archive import export, replay
from machjudge.judge.mails import Outgoing
from machjudge.judge.records import GameId, StoredPhase
from tests.games.ledger import Ledger
from tests.games.letters import opening_table
from tests.judge.house import PEOPLE, House
from tests.judge.letters_in import write
from tests.judge.riches import words_of
from tests.judge.year import order
from tests.results_told import tells_results

STORY = Path(__file__).with_name("two_years.toml")
TRANSCRIPT = Path(__file__).with_name("two_years.txt")
BORGIA = GameId("borgia")
GINA = "gina@player.example"
SEATS = {power: name.lower() for power, name in zip("IVLPNTAF", PEOPLE, strict=False)}


@dataclass(frozen=True)
class Told:
    """Two years, and every letter of them."""

    house: House
    letters: Mapping[str, Sequence[Outgoing]]
    """By the phases in which they were sent."""

    def results(self, address: str) -> Iterator[Outgoing]:
        """The results mails to an address, in their order."""
        for letters in self.letters.values():
            yield from (x for x in letters if x.to == address and tells_results(x.body))

    @property
    def phases(self) -> list[StoredPhase]:
        """Everything that is stored of the game."""
        return self.house.store.tables.phases

    def events(self, kind: type[Event]) -> list[Event]:
        """Everything of a kind that has happened."""
        return [each for phase in self.phases for each in phase.events if isinstance(each, kind)]


@pytest.fixture(scope="module")
def told() -> Told:
    """The game, from its creation to the adjustment after its second year."""
    house = House()
    write(house, GINA, "REGISTER", "Name: Gina", "END")
    write(house, GINA, "CREATE ?Borgia masterkey 1454 plague storms")
    for power, name in SEATS.items():
        address = f"{name}@player.example"
        write(house, address, f"SIGNON ?borgia pw{power}", f"SET PREFERENCES {power}")
    letters: dict[str, list[Outgoing]] = {}
    for phase in tomllib.loads(STORY.read_text("utf-8"))["phases"]:
        assert house.view().state.moment.code == phase["phase"]
        sent = letters.setdefault(phase["phase"], [])
        for power, lines in phase["orders"].items():
            sent += order(house, power, *lines)
    return Told(house, letters)


def test_two_years_are_played(told: Told) -> None:
    """From the opening adjustment to the one before the third year."""
    assert told.house.view().state.moment.code == "S1456M"
    assert len(list(told.results(GINA))) == 11


def test_everything_that_ducats_and_fate_can_do_happens(told: Told) -> None:
    """Bribes, purchases, rebellions, a default, assassinations, famine, plague and storms."""
    removed = {event.because for event in told.events(event_types.UnitRemoved)}
    struck = {event.kind for event in told.events(event_types.DisasterStruck)}
    killers = {event.by for event in told.events(event_types.PowerAssassinated)}

    assert {Removal.BRIBE, Removal.FAMINE, Removal.PLAGUE, Removal.STORM} <= removed
    assert struck == {"famine", "plague", "storm"}
    assert killers == {("V",), ()}
    for kind in (
        event_types.UnitChangedOwner,
        event_types.RebellionStarted,
        event_types.RebellionEnded,
        event_types.RebelsSupported,
        event_types.LoanDefaulted,
        event_types.LoanRepaid,
        event_types.GiftGiven,
        event_types.GiftRefused,
        event_types.ChitGiven,
        event_types.ChitUsed,
        event_types.OrderIgnored,
        event_types.FamineEnded,
    ):
        assert told.events(kind), kind


def test_transcript_of_the_results_reads_as_it_was_approved(told: Told) -> None:
    """All results mails of the two years as the master gets them, word for word."""
    text = "\n".join(f"Subject: {x.subject}\n\n{x.body}" for x in told.results(GINA))
    if os.environ.get("GOLDEN") == "write":
        TRANSCRIPT.write_text(text, encoding="utf-8")

    assert text == TRANSCRIPT.read_text(encoding="utf-8")


def test_ledger_kept_from_the_mails_alone_balances(told: Told) -> None:
    """Treasuries and debts of both years follow from what the letters say."""
    ledger = Ledger()
    first = told.phases[0]
    ledger.open(opening_table(words_of(told.house), first.after))

    flaws = [flaw for letter in told.results(GINA) for flaw in ledger.read(letter.body)]

    assert flaws == []
    real = {words_of(told.house).power(p): d for p, d in told.phases[-1].after.treasuries.items()}
    assert dict(ledger.treasuries) == real


def test_nobody_is_told_of_chits_but_their_giver(told: Told) -> None:
    """Two pass in the two years; two letters say so."""
    told_of = [
        letter.to
        for letters in told.letters.values()
        for letter in letters
        if "Your chit on" in letter.body
    ]

    assert told_of == ["anna@player.example", "lucia@player.example"]
    assert len(told.events(event_types.ChitGiven)) == 2


def test_every_position_is_rebuilt(told: Told) -> None:
    """From its events, and by playing its orders again with the dice of the secret."""
    checks = replay(told.house.services, BORGIA)

    assert checks is not None
    assert len(checks) == 14
    assert all(check.is_kept and check.plays_again for check in checks)


def test_verify_finds_nothing_wrong_with_the_exported_game(told: Told, tmp_path: Path) -> None:
    """The master ends the game; the file that is exported then is checked without a judge."""
    write(told.house, GINA, "SIGNON Mborgia masterkey", "DECLARE VICTORY France")
    exported = export(told.house.services, BORGIA)
    assert isinstance(exported, Chronicle)
    file = tmp_path / "borgia.json"
    file.write_text("\n".join(chronicle_lines(exported)), encoding="utf-8")

    result = CliRunner().invoke(main, ["verify", str(file)])

    assert result.exit_code == 0, result.output
    said = " ".join(result.output.split())
    throws = len(told.events(event_types.DiceThrown))
    assert "phases holds: 14, from F1453B to F1455B" in said
    assert f"dice holds: {throws} throws, all from the secret" in said
    assert "orders holds: played again, they bring the same" in said
    assert "Everything holds." in said
