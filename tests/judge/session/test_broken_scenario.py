"""A scenario file of the keeper's that is broken: who asks for it is answered, the keeper told."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from machjudge.judge.tick import look_at_games
from machjudge.map_files.folders import Atlas
from tests.judge.house import ROOT, House
from tests.judge.letters_in import answer, work, write

GINA, KEEPER = "gina@player.example", "keeper@mach.example"


@pytest.fixture
def house(tmp_path: Path) -> House:
    """A judge whose keeper has a scenario of his own, with a slip in it."""
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios" / "mine.toml").write_text('title = "Mine\n', encoding="utf-8")
    house = House()
    house.services = replace(house.services, atlas=Atlas([ROOT / "maps", tmp_path]))
    return house


ASKED = pytest.mark.parametrize(
    "lines",
    [
        ("CREATE ?Sforza tulip9 mine",),
        ("CREATE ?Sforza tulip9 1454", "SET SCENARIO mine"),
        ("GET SCENARIO mine",),
        ("GET map.mine",),
        ("MAP mine",),
    ],
)


@ASKED
def test_who_asks_for_it_gets_a_clear_refusal_and_the_keeper_a_message(house, lines) -> None:
    """At once, with the file and the line in the keeper's."""
    sent = write(house, GINA, *lines)
    body = " ".join(answer(sent, GINA).split())
    told = answer(sent, KEEPER)

    assert "'mine' cannot be used now; the keeper of this judge is told." in body
    assert "mine.toml:1" in told
    assert "mine.toml" not in body


def test_the_keeper_is_told_once_a_day(house) -> None:
    """However often somebody asks; then again, if it is still broken."""
    asked = ("CREATE ?Sforza tulip9 mine",)
    first, again = write(house, GINA, *asked), write(house, GINA, *asked)
    house.later(hours=25)
    next_day = write(house, GINA, *asked)

    assert {letter.to for letter in first} == {GINA, KEEPER}
    assert {letter.to for letter in again} == {GINA}
    assert {letter.to for letter in next_day} == {GINA, KEEPER}


def _scenario_text(old: str, new: str) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        file = folder / "scenarios" / "mine.toml"
        text = file.read_text(encoding="utf-8")
        assert old in text
        file.write_text(text.replace(old, new), encoding="utf-8")

    return change


def _instead(name: str, put: Callable[[Path], object]) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        (folder / name).unlink()
        put(folder / name)

    return change


BEGINNING = (ROOT / "maps" / "new" / "board.toml").read_text(encoding="utf-8")
SCENARIO, BOARD = "scenarios/mine.toml", "boards/mine.toml"
BREAKAGES: dict[str, Callable[[Path], None]] = {
    "no TOML": _scenario_text("[scenario]", "[scenario"),
    "empty": lambda folder: (folder / SCENARIO).write_text("") and None,
    "not text": _instead(SCENARIO, lambda file: file.write_bytes(b"\xff\xfe\x00")),
    "too deep": _instead(SCENARIO, lambda file: file.write_text("a = " + "[" * 5000)),
    "a folder": _instead(SCENARIO, Path.mkdir),
    "a link to nowhere": _instead(SCENARIO, lambda file: file.symlink_to("nowhere")),
    "a link to itself": _instead(SCENARIO, lambda file: file.symlink_to(file.name)),
    "a sign that no mail may have": _scenario_text("A new scenario", "A\\u0000scenario"),
    "a unit in a place of the wrong kind": _scenario_text('"A eas"', '"A bay"'),
    "a name that no order can say": _scenario_text('"Alba"', '"Bank"'),
    "an option with no such value": _scenario_text('"custom"', '"easy"'),
    "a broken board": _instead(BOARD, lambda file: file.write_text("[board")),
    "a board with a border of one side": _instead(
        BOARD,
        lambda file: file.write_text(BEGINNING.replace('eas = "hil val"', 'eas = "val"')),
    ),
    "no board": lambda folder: (folder / BOARD).unlink(),
}


@pytest.fixture
def keepers(tmp_path: Path) -> Path:
    """A keeper's folder with a sound scenario and its board."""
    for name in (SCENARIO, BOARD):
        (tmp_path / name).parent.mkdir()
    begun = (ROOT / "maps" / "new" / "scenario.toml").read_text(encoding="utf-8")
    (tmp_path / SCENARIO).write_text(begun.replace('"board"', '"mine"'), encoding="utf-8")
    (tmp_path / BOARD).write_text(BEGINNING, encoding="utf-8")
    return tmp_path


def with_maps(house: House, folder: Path) -> House:
    """The house as after a start: all maps are read anew."""
    house.services = replace(house.services, atlas=Atlas([ROOT / "maps", folder]))
    return house


@ASKED
@pytest.mark.parametrize("breakage", BREAKAGES)
def test_whatever_is_broken_the_mail_is_answered_at_once(keepers, breakage, lines) -> None:
    """The sender gets a refusal, the keeper the faults, and nothing is tried again."""
    BREAKAGES[breakage](keepers)
    house = with_maps(House(), keepers)
    sent = write(house, GINA, *lines)

    assert "'mine' cannot be used now;" in " ".join(answer(sent, GINA).split())
    assert "mine.toml" in answer(sent, KEEPER)
    house.later(hours=1)
    assert work(house) == []


@ASKED
def test_a_sound_scenario_of_the_keepers_is_played(keepers, lines) -> None:
    """The same mails are followed where nothing is broken."""
    sent = write(with_maps(House(), keepers), GINA, *lines)

    assert "cannot be used" not in answer(sent, GINA)
    assert {letter.to for letter in sent} == {GINA}


@pytest.mark.parametrize("line", ["LIST", "LIST FULL"])
def test_a_file_broken_under_its_game_spoils_no_list(keepers, line) -> None:
    """Its own game is listed with the scenario's id; the others are shown as ever."""
    house = with_maps(House(), keepers)
    write(house, GINA, "CREATE ?Sforza tulip9 mine")
    write(house, GINA, "CREATE ?Este tulip9 1385")
    BREAKAGES["no TOML"](keepers)
    body = answer(
        write(with_maps(house, keepers), "ann@player.example", line), "ann@player.example"
    )

    assert re.search(r"Sforza: forming\s+mine\s", body)
    assert "The Expansion of States" in body


ANN, CARL = "ann@player.example", "carl@player.example"


@pytest.fixture
def running(keepers: Path) -> House:
    """A game on the keeper's scenario that has begun, and then its file was broken."""
    house = with_maps(House(), keepers)
    write(house, GINA, "CREATE ?Sforza tulip9 mine", "SET NOMONEY")
    write(house, ANN, "SIGNON ?Sforza lucky7")
    write(house, CARL, "SIGNON ?Sforza carl77")
    BREAKAGES["no TOML"](keepers)
    return with_maps(house, keepers)


@pytest.mark.parametrize("line", ["SIGNON ASforza lucky7", "LIST Sforza", "MAP Sforza"])
def test_anyone_who_writes_to_a_game_that_cannot_go_on_is_told_so_at_once(running, line) -> None:
    """The keeper reads what is wrong with the file, and nothing is tried again."""
    sent = write(running, ANN, line)
    body = " ".join(answer(sent, ANN).split())

    assert "the game Sforza cannot go on now, because the file of its scenario" in body
    assert "send your mail again" in body
    assert "mine.toml" not in body
    assert "mine.toml:3" in answer(sent, KEEPER)
    running.later(hours=2)
    assert work(running) == []
    assert running.mails_out() == []


def test_the_master_of_a_game_that_cannot_go_on_is_told_of_a_players_mail(running) -> None:
    """Once for each of them, and nobody else is."""
    sent = write(running, ANN, "SIGNON ASforza lucky7", "A eas h")

    assert {letter.to for letter in sent} == {ANN, GINA, KEEPER}
    assert "the file of this game's scenario cannot be used" in " ".join(answer(sent, GINA).split())


def test_a_game_waits_for_its_scenario_and_goes_on_with_it(running, keepers) -> None:
    """No deadline is played meanwhile; orders count as ever once the file is mended."""
    before = running.game("sforza").position
    look_at_games(running.services, running.later(days=30))
    assert running.game("sforza").position == before

    file = keepers / SCENARIO
    file.write_text(file.read_text(encoding="utf-8").replace("[scenario\n", "[scenario]\n"))
    sent = write(with_maps(running, keepers), ANN, "SIGNON ASforza lucky7", "A eas h")

    assert any("A East Shore H" in letter.body for letter in sent if letter.to == ANN)


def test_other_games_of_the_judge_go_on(running) -> None:
    """Only mails to the broken one are set aside."""
    sent = write(running, ANN, "CREATE ?Este tulip9 1385")

    assert "cannot go on" not in answer(sent, ANN)
    assert {letter.to for letter in sent} == {ANN}
