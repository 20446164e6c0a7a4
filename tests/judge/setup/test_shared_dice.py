"""Dice that the players share: words asked for, taken, published, and then the game begins."""

from dataclasses import replace
from datetime import timedelta

import pytest

from machjudge.adjudicator.dice import commitment, shared_key
from machjudge.formats.game_file import Chronicle
from machjudge.judge.archive import chronicle_of, scenario_of, verify
from machjudge.judge.mails import Outgoing
from machjudge.judge.records import GameId, Status
from machjudge.judge.setup import TIME_FOR_WORDS
from machjudge.judge.tick import look_at_games
from tests.judge.house import PEOPLE, House, built_once, started
from tests.judge.letters_in import answer, raw_mail, work, write

PLAYERS = PEOPLE[:8]
GINA = "gina@player.example"


def address(name: str) -> str:
    """Where somebody's mails go."""
    return f"{name.lower()}@player.example"


@built_once
def forming(*settings: str) -> House:
    """A game of 1454 with a master and nobody else."""
    house = House()
    write(house, GINA, "REGISTER", "Name: Gina", "END")
    write(house, GINA, "CREATE ?borgia masterkey 1454", *settings)
    return house


def joined(house: House, *names: str) -> list[Outgoing]:
    """Everything that is sent while people join."""
    sent: list[Outgoing] = []
    for name in names:
        sent += write(house, address(name), f"SIGNON ?borgia pw{name}", "SIGNOFF")
    return sent


def asked() -> House:
    """A game with shared dice whose seats are all taken."""
    house = forming("SET DICE SHARED")
    joined(house, *PLAYERS)
    return house


def say(house: House, name: str, *lines: str) -> list[Outgoing]:
    """A player writes from his seat."""
    return write(house, address(name), f"SIGNON ?borgia pw{name}", *lines, "SIGNOFF")


def about(letters: list[Outgoing], subject: str) -> list[Outgoing]:
    """The letters with some words in their subject."""
    return [letter for letter in letters if subject in letter.subject]


# --- the setting -----------------------------------------------------------------------------


def test_the_master_has_the_dice_shared() -> None:
    """Before the game begins; everybody is told, and dice are on with it."""
    house = forming("SET NODICE")
    joined(house, "Lucia")

    letters = write(house, GINA, "SIGNON Mborgia masterkey", "SET DICE SHARED")

    assert house.game().shared is not None
    assert house.game().rules.game.dice
    assert "the dice are shared by all players" in answer(letters, address("Lucia"))


@pytest.mark.parametrize(("setting", "dice"), [("SET DICE", True), ("SET NODICE", False)])
def test_shared_dice_can_be_taken_back(setting: str, dice: bool) -> None:
    """As long as nobody has been asked for a word."""
    house = forming("SET DICE SHARED")

    write(house, GINA, "SIGNON Mborgia masterkey", setting)

    assert house.game().shared is None
    assert house.game().rules.game.dice is dice


@pytest.mark.parametrize("setting", ["SET DICE", "SET NODICE"])
def test_nobody_undoes_words_that_were_asked_for(setting: str) -> None:
    """The master may know them, and could wait for others."""
    house = asked()

    letters = write(house, GINA, "SIGNON Mborgia masterkey", setting)

    assert house.game().shared is not None
    assert "asked for their words already" in answer(letters, GINA)


def test_a_game_that_has_begun_cannot_share_its_dice() -> None:
    """Its first dice are thrown."""
    house = started()

    letters = write(house, address("Lucia"), "SIGNON Mborgia masterkey", "SET DICE SHARED")

    assert house.game().shared is None
    assert "from the beginning or not at all" in answer(letters, address("Lucia"))


# --- words -----------------------------------------------------------------------------------


def test_words_are_asked_for_with_the_commitment() -> None:
    """When the last seat is taken: nothing is dealt, nothing thrown, the secret bound."""
    house = forming("SET DICE SHARED")
    joined(house, *PLAYERS[:-1])

    letters = about(joined(house, PLAYERS[-1]), "random words")

    digest = commitment(house.game().secret)
    assert len(letters) == len(PLAYERS) + 1
    for letter in letters:
        assert digest[:32] in letter.body
        assert digest[32:] in letter.body
        assert house.game().secret.hex() not in letter.body
    assert house.game().status is Status.FORMING
    assert house.store.tables.phases == []
    shared = house.game().shared
    assert shared is not None
    assert shared.until == house.now + TIME_FOR_WORDS


def test_no_word_is_taken_before_the_commitment_is_out() -> None:
    """Or the secret could be chosen by it."""
    house = forming("SET DICE SHARED")
    joined(house, "Lucia")

    letters = say(house, "Lucia", "RANDOM tulip")

    assert "asked for when all seats are taken" in answer(letters, address("Lucia"))
    assert house.game().words == ()


def test_words_stand_in_the_order_of_their_receipt() -> None:
    """One of each player; a later one takes the place of his earlier, at the end."""
    house = asked()

    letters = say(house, "Lucia", "RANDOM tulip")
    say(house, "Marco", "RANDOM 7  of 9")
    say(house, "Lucia", "RANDOM Càrdinal")

    assert "Your word is on file: tulip" in answer(letters, address("Lucia"))
    assert house.game().words == ("7 of 9", "Càrdinal")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (f"RANDOM {'x' * 41}", "40 signs at most"),
        ("RANDOM pwLucia", "That is a password"),
    ],
)
def test_what_is_no_word_is_refused(line: str, says: str) -> None:
    """With a sentence; nothing is put on file."""
    house = asked()

    letters = say(house, "Lucia", line)

    assert says in answer(letters, address("Lucia"))
    assert house.game().words == ()


def test_only_players_have_words() -> None:
    """Neither a master without a seat nor an observer."""
    house = asked()
    write(house, "dino@player.example", "OBSERVE borgia watch77")

    for sender, signon in (
        (GINA, "SIGNON Mborgia masterkey"),
        ("dino@player.example", "SIGNON Oborgia watch77"),
    ):
        write(house, sender, signon, "RANDOM tulip")

    assert house.game().words == ()


def test_a_game_with_dice_of_its_own_takes_no_words() -> None:
    """It is told."""
    house = forming()
    joined(house, "Lucia")

    letters = say(house, "Lucia", "RANDOM tulip")

    assert "The dice of this game are not shared" in answer(letters, address("Lucia"))


# --- the opening -----------------------------------------------------------------------------


def all_words(house: House) -> list[Outgoing]:
    """Everybody mails a word."""
    return [letter for name in PLAYERS for letter in say(house, name, f"RANDOM {name}s-word")]


def test_the_game_begins_when_all_words_are_in() -> None:
    """First the words go out, to everybody and in their order; the dice come afterwards."""
    house = asked()

    letters = all_words(house)

    told = [
        one.subject for one in letters if "words of the" in one.subject or "begins" in one.subject
    ]
    published = about(letters, "the words of the players")
    assert len(published) == len(PLAYERS) + 1
    assert "  1  Lucias-word\n  2  Marcos-word" in published[0].body
    assert max(i for i, s in enumerate(told) if "words" in s) < min(
        i for i, s in enumerate(told) if "begins" in s
    )
    assert house.game().status is Status.RUNNING
    begun = " ".join(about(letters, "the game begins")[0].body.split())
    assert "from the words of the players" in begun


def test_words_are_committed_before_the_first_die() -> None:
    """A judge that dies between the two goes on with the same words."""
    house = asked()
    for name in PLAYERS[:-1]:
        say(house, name, f"RANDOM {name}s-word")
    commits: list[tuple[bool, int]] = []

    def note() -> None:
        shared = house.game().shared
        commits.append((shared is not None and shared.published, len(house.store.tables.phases)))

    house.store.before_commit = note
    say(house, PLAYERS[-1], "RANDOM the last")

    # Before the commit that throws, the words were out and no phase was stored.
    assert next(each for each in reversed(commits) if each[1] == 0) == (True, 0)
    assert len(house.store.tables.phases) == 1


def test_at_the_deadline_the_game_begins_with_the_words_there_are() -> None:
    """Not a moment earlier."""
    house = asked()
    say(house, "Lucia", "RANDOM tulip")

    house.later(seconds=TIME_FOR_WORDS.total_seconds() - 1)
    look_at_games(house.services, house.now)
    before = house.game().status
    house.later(seconds=1)
    look_at_games(house.services, house.now)

    assert before is Status.FORMING
    assert house.game().status is Status.RUNNING
    assert house.game().words == ("tulip",)


def test_without_any_word_the_game_begins_all_the_same() -> None:
    """The key is that of an empty list, and everybody is told."""
    house = asked()
    house.later(days=4)
    look_at_games(house.services, house.now)

    assert house.game().key == shared_key(house.game().secret, ())
    assert any("has mailed a word" in letter.body for letter in house.mails_out())


def test_a_word_received_in_time_counts_though_it_is_handled_late() -> None:
    """The 250 is what counts; the words wait for it."""
    house = asked()
    sender = address("Lucia")
    raw = raw_mail(sender, ["SIGNON ?borgia pwLucia", "RANDOM tulip"])
    house.store.receive(raw, sender, house.now + TIME_FOR_WORDS - timedelta(seconds=1))
    house.later(days=4)

    look_at_games(house.services, house.now)
    waited = house.game().status
    work(house)

    assert waited is Status.FORMING
    assert house.game().words == ("tulip",)
    assert house.game().status is Status.RUNNING


def test_a_word_received_too_late_is_refused() -> None:
    """Even if the words have not gone out yet."""
    house = asked()
    house.later(days=4)

    letters = say(house, "Lucia", "RANDOM tulip")

    assert "The time for words is over" in answer(about(letters, "Orders"), address("Lucia"))
    assert house.game().words == ()


def test_anyone_who_leaves_takes_his_word_along() -> None:
    """All words are forgotten, and asked for anew when the seat is taken again."""
    house = asked()
    say(house, "Lucia", "RANDOM tulip")

    say(house, "Lucia", "RESIGN")
    forgotten = house.game().words
    letters = joined(house, "Dino")

    assert forgotten == ()
    assert len(about(letters, "random words")) == len(PLAYERS) + 1
    assert house.game().status is Status.FORMING


def test_a_forced_beginning_asks_for_words_too() -> None:
    """Of the players that there are; the master cannot leave them out."""
    house = forming("SET DICE SHARED")
    joined(house, "Lucia", "Marco")

    write(house, GINA, "SIGNON Mborgia masterkey", "FORCE BEGIN")
    still = house.game().status
    say(house, "Lucia", "RANDOM tulip")
    say(house, "Marco", "RANDOM rose")

    assert still is Status.FORMING
    assert house.game().status is Status.RUNNING
    assert house.game().words == ("tulip", "rose")


# --- what it proves --------------------------------------------------------------------------


def flaws(chronicle: Chronicle, house: House) -> list[str]:
    """What of a chronicle does not hold."""
    scenario = scenario_of(chronicle, house.services.atlas)
    found = verify(chronicle, scenario, house.services.judge.version)
    return [finding.what for finding in found if not finding.holds]


def test_dice_of_a_shared_game_follow_from_the_words() -> None:
    """The chronicle has them, and without them nothing fits."""
    house = asked()
    all_words(house)

    chronicle = chronicle_of(house.services, GameId("borgia"))

    assert chronicle is not None
    assert chronicle.words == tuple(f"{name}s-word" for name in PLAYERS)
    assert len(chronicle.phases[0].dice) > 0
    assert flaws(chronicle, house) == []
    assert "dice" in flaws(replace(chronicle, words=None), house)
