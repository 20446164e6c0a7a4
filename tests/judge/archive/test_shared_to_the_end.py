"""A game with shared dice from its first word to `verify`, all of it by mail."""

from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

from machjudge.adjudicator.dice import shared_key
from machjudge.adjudicator.events import DiceThrown
from machjudge.cli import main
from machjudge.formats.game_file import Chronicle, chronicle_lines
from machjudge.judge.archive import export
from machjudge.judge.mails import Outgoing
from machjudge.judge.records import GameId, Status, StoredPhase
from tests.judge.house import House, started
from tests.judge.letters_in import write
from tests.judge.setup.test_shared_dice import GINA, PLAYERS, about, address, all_words, asked
from tests.judge.year import OPENING, Orders

KEY = "SIGNON Mborgia masterkey"
WORDS = tuple(f"{name}s-word" for name in PLAYERS)
SPRING: Orders = {
    "I": ("A mil h", "A pav h", "A cre h", "borrow 25 d for 1 year"),
    "V": ("A pad h", "A ver h", "F dal h", "G ven h", "borrow 20 d for 1 year"),
    "L": ("A are h", "A flo h", "F psa h"),
    "P": ("A bol h", "A per h", "A rme h", "F anc h"),
    "N": ("A bar h", "F nap h", "A mes h", "F pal h"),
    "T": ("A alb h", "F dur h", "F tun h"),
    "A": ("A hun h", "A aus h", "A tyr h"),
    "F": ("A swi h", "A avi h", "F mar h"),
}
ASSASSINS = {"I": ("e1: 24 d assassinate venice",), "V": ("e1: 12 d assassinate milan",)}


@dataclass(frozen=True)
class Played:
    """The game, the letters that began it, those that ended it, and what was thrown twice."""

    house: House
    first: list[Outgoing]
    last: list[Outgoing]
    thrown: list[list[DiceThrown]]


def send(house: House, orders: Orders) -> None:
    """Everybody's orders, no matter who was dealt which power."""
    for power, lines in orders.items():
        (seat,) = [seat for seat in house.game().seats if power in seat.powers]
        name = seat.address.split("@")[0].capitalize()
        write(house, address(name), f"SIGNON {power}borgia pw{name}", *lines, "SIGNOFF")


def latest(house: House) -> StoredPhase:
    """The phase that was stored last."""
    return house.store.tables.phases[-1]


@pytest.fixture(scope="module")
def played() -> Played:
    """An opening, a Spring with two assassins, the same Spring once more, and the end."""
    house = asked()
    first = all_words(house)
    send(house, {**OPENING, "I": OPENING["I"][:3]})
    thrown = []
    for _ in range(2):
        send(house, {p: (*lines, *ASSASSINS.get(p, ())) for p, lines in SPRING.items()})
        assert latest(house).moment == "S1454M"
        thrown.append([x for x in latest(house).events if isinstance(x, DiceThrown)])
        house.later(hours=1)
        if len(thrown) == 1:
            write(house, GINA, KEY, "ROLLBACK S1454M")
            house.later(hours=1)
    last = write(house, GINA, KEY, "DECLARE VICTORY France")
    return Played(house, first, last, thrown)


def test_a_rollback_throws_the_same_dice_again(played: Played) -> None:
    """Neither master nor keeper can play a phase until they like it."""
    first, again = played.thrown

    assert {throw.purpose for throw in first} >= {"assassination I V", "assassination V I"}
    assert first == again


def test_the_last_mail_has_words_and_secret(played: Played) -> None:
    """Everything from which the dice followed, to everybody, as it was published before."""
    letters = about(played.last, "game over")
    published = about(played.first, "the words of the players")[0].body
    secret = played.house.game().secret.hex()

    assert played.house.game().status is Status.FINISHED
    assert len(letters) == len(PLAYERS) + 1
    for letter in letters:
        lines = letter.body.splitlines()
        assert secret in "".join(lines).replace(" ", "")
        told = [f"{number:>3}  {word}" for number, word in enumerate(WORDS, start=1)]
        start = lines.index("The words of the players, in the order of their receipt:") + 1
        assert told == lines[start : start + len(told)]
        assert "\n".join(told).strip() in published
        assert secret not in "".join(published.split())


def test_verify_says_that_the_dice_are_of_secret_and_words(played: Played, tmp_path: Path) -> None:
    """From the exported file, without a judge; with the words in another order it does not."""
    chronicle = export(played.house.services, GameId("borgia"))
    assert isinstance(chronicle, Chronicle)
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    lines = "\n".join(chronicle_lines(chronicle))
    good.write_text(lines, encoding="ascii")
    first, second = (f'"{word}"' for word in WORDS[:2])
    bad.write_text(lines.replace(f"{first},{second}", f"{second},{first}"), encoding="ascii")

    right, wrong = (CliRunner().invoke(main, ["verify", str(file)]) for file in (good, bad))

    assert right.exit_code == 0
    assert "throws, all from the secret and 8 words of the players" in right.output
    assert wrong.exit_code == 1
    assert "First of all: dice." in wrong.output
    assert chronicle.key == shared_key(played.house.game().secret, WORDS)


def test_a_game_that_is_not_shared_ends_without_words() -> None:
    """Its last mail speaks of the number alone."""
    house = started()

    (letter, *_) = about(
        write(house, "lucia@player.example", KEY, "DECLARE VICTORY V"), "game over"
    )

    assert "follows from this number:" in letter.body
    assert "words" not in letter.body
