"""The atlas finds boards and scenarios by id in several folders, and nothing outside them."""

import shutil
from pathlib import Path

import pytest

from machjudge.map_files.folders import Atlas
from machjudge.map_files.toml_reader import BrokenMap
from tests.map_files.small import BOARD, SCENARIO, scenario_of


def test_the_same_board_is_given_for_every_id(atlas: Atlas) -> None:
    """The recorded phases call the classic board machiavelli; it is one object."""
    assert atlas.board("classic") is atlas.board("machiavelli")
    assert atlas.board("Classic") is atlas.board("classic")


def test_a_scenario_is_loaded_once(atlas: Atlas) -> None:
    """Scenarios and worlds made from them are compared by identity, so it must stay the same."""
    assert atlas.scenario("1454") is atlas.scenario("1454")


@pytest.mark.parametrize(
    "name",
    [
        *("", "1455", "../scenarios/1454", "/etc/passwd", "..", ".", "1454.toml", "classic"),
        *("boards/classic", "1454\n", "1454\x00", "a" * 500, "*", "１４５４"),
    ],
)
def test_an_unknown_id_is_nothing(atlas: Atlas, name: str) -> None:
    """An id that is not there, or that would leave the folders, finds no scenario."""
    assert atlas.scenario(name) is None


def test_a_folder_beside_cannot_be_named(tmp_path: Path, maps: Path) -> None:
    """A sound file outside the folders of the atlas has no id."""
    shutil.copytree(maps, tmp_path / "maps")
    shutil.copy(maps / "scenarios" / "1454.toml", tmp_path / "secret.toml")
    atlas = Atlas([tmp_path / "maps"])

    assert atlas.scenario("../secret") is None
    assert atlas.scenario("../../secret") is None
    assert atlas.scenario(str(tmp_path / "secret")) is None


def test_a_keepers_scenario_is_found_beside_ours(maps: Path, keepers_maps: Path) -> None:
    """What a keeper wrote is one more scenario, on his own board or one of ours."""
    atlas = Atlas([maps, keepers_maps])
    (keepers_maps / "scenarios" / "ours.toml").write_text(
        (maps / "scenarios" / "1499.toml").read_text(encoding="utf-8"), encoding="utf-8"
    )
    duel, ours = atlas.scenario("duel"), atlas.scenario("ours")

    assert duel is not None
    assert duel.board.title == "A small board"
    assert ours is not None
    assert ours.board is atlas.board("classic")
    assert atlas.scenario("two") is duel
    assert {"1454", "duel", "ours"} <= set(atlas.scenario_ids())


def test_the_first_folder_counts(maps: Path, keepers_maps: Path) -> None:
    """A file of the same id in a later folder does not replace the first."""
    (keepers_maps / "scenarios" / "1454.toml").write_text(SCENARIO, encoding="utf-8")
    ours, keepers = Atlas([maps, keepers_maps]), Atlas([keepers_maps, maps])

    assert scenario_of(ours, "1454").title == "The Balance of Power"
    assert scenario_of(keepers, "1454").title == "A duel"


def test_a_broken_file_does_not_hide_the_others(maps: Path, keepers_maps: Path) -> None:
    """It is refused when it is asked for, and only then."""
    (keepers_maps / "scenarios" / "bad.toml").write_text("no toml", encoding="utf-8")
    atlas = Atlas([maps, keepers_maps])

    assert atlas.scenario("mach_eos") is atlas.scenario("1385")
    assert atlas.scenario("two") is not None
    with pytest.raises(BrokenMap, match="not valid TOML"):
        atlas.scenario("bad")


def test_a_folder_that_is_not_there_has_no_maps(tmp_path: Path) -> None:
    """An atlas without files knows nothing, and says so quietly."""
    atlas = Atlas([tmp_path / "nowhere"])

    assert atlas.scenario_ids() == ()
    assert atlas.board("classic") is None


def test_a_scenario_that_is_only_a_file_loads(atlas: Atlas, maps: Path, tmp_path: Path) -> None:
    """Somebody's file anywhere is played on a board of the atlas."""
    file = tmp_path / "mine.toml"
    file.write_text(
        (maps / "scenarios" / "1454.toml").read_text(encoding="utf-8").replace("1454 #", "1460 #"),
        encoding="utf-8",
    )
    mine = atlas.scenario_file(file)

    assert (mine.id, mine.year) == ("mine", 1460)
    assert mine.board is atlas.board("classic")


@pytest.mark.parametrize("beside", ["small.toml", "boards/small.toml", "../boards/small.toml"])
def test_a_board_may_lie_beside_its_scenario(atlas: Atlas, tmp_path: Path, beside: str) -> None:
    """A board that the atlas has not is looked for beside the scenario's file."""
    folder = tmp_path / "scenarios"
    folder.mkdir()
    board = folder / beside
    board.parent.mkdir(exist_ok=True)
    board.write_text(BOARD, encoding="utf-8")
    (folder / "duel.toml").write_text(SCENARIO, encoding="utf-8")

    assert atlas.scenario_file(folder / "duel.toml").board.title == "A small board"


def test_a_file_cannot_name_a_board_elsewhere(atlas: Atlas, tmp_path: Path) -> None:
    """The name of a board is an id, never a path."""
    (tmp_path / "small.toml").write_text(BOARD, encoding="utf-8")
    (tmp_path / "sub").mkdir()
    file = tmp_path / "sub" / "duel.toml"
    file.write_text(SCENARIO.replace('"small"', '"../small"'), encoding="utf-8")

    with pytest.raises(BrokenMap, match="there is no board"):
        atlas.scenario_file(file)
