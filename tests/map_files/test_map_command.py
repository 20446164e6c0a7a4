"""``machjudge map``: check, list, show and draw, as a keeper uses them."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from machjudge.cli import main
from tests.cases import cases


@pytest.fixture
def runner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CliRunner:
    """A command line in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return CliRunner()


def run(runner: CliRunner, *words: object, maps: Path | None = None) -> Result:
    """The outcome of ``machjudge map``, with a keeper's folder of maps if there is one."""
    env = {"MACHJUDGE_MAPS": str(maps)} if maps else {}
    return runner.invoke(main, ["map", *map(str, words)], env=env)


def test_check_says_ok_with_counts(runner: CliRunner, maps: Path) -> None:
    """Boards, scenarios and drawings are told apart, counted, and the exit code is 0."""
    result = run(
        runner,
        "check",
        maps / "boards" / "classic.toml",
        maps / "boards" / "classic.shapes.json",
        maps / "scenarios" / "1454.toml",
    )
    board, shapes, scenario = result.stdout.splitlines()

    assert result.exit_code == 0
    assert board.endswith(
        "OK, a board of 70 provinces and 11 seas, 44 cities and 14 fortresses, "
        "147 borders for armies and 112 for fleets"
    )
    assert shapes.endswith("OK, a drawing of 81 places")
    assert scenario.endswith(
        "OK, a scenario on classic for 8 powers with 27 units, 12 autonomous garrisons, 9 variants"
    )


def test_every_map_that_comes_along_is_sound(runner: CliRunner, maps: Path) -> None:
    """All files of the folder pass the check."""
    files = [*maps.glob("*/*.toml"), *maps.glob("*/*.json")]
    result = run(runner, "check", *files)

    assert result.exit_code == 0
    assert result.stdout.count(": OK, ") == len(files) > 15


def test_check_names_all_faults_of_all_files(runner: CliRunner, keepers_maps: Path) -> None:
    """Each fault is a line with file, line, key and reason; the exit code is 1."""
    board = keepers_maps / "boards" / "small.toml"
    text = board.read_text(encoding="utf-8")
    worse = keepers_maps / "worse.toml"
    worse.write_text(
        text.replace("income = 3", "income = 300").replace('guard = "isl"', 'guard = "val"'),
        encoding="utf-8",
    )
    result = run(runner, "check", worse, keepers_maps / "nowhere.toml", board)

    assert result.exit_code == 1
    assert result.stdout == (
        f"{board}: OK, a board of 6 provinces and 2 seas, 4 cities and 1 fortresses, "
        "4 borders for armies and 8 for fleets\n"
    )
    assert result.stderr.splitlines() == [
        f"{worse}:6: inland.hil.income: a whole number from 0 to 99 is needed here",
        f"{worse}:38: strait[1].guard: val is no coastal province",
        f"{keepers_maps / 'nowhere.toml'}: No such file or directory",
    ]


def test_list_names_ours_and_the_keepers(runner: CliRunner, maps: Path, keepers_maps: Path) -> None:
    """One line for each scenario with id, year, letters, board and title."""
    result = run(runner, "list", maps=keepers_maps)
    lines = [line.split(maxsplit=4) for line in result.stdout.splitlines()]

    assert result.exit_code == 0
    assert len(lines) == 1 + len([*maps.glob("scenarios/*.toml")])
    assert ["1454", "1454", "IVLPNTAF", "classic", "The Balance of Power"] in lines
    assert ["duel", "1500", "NS", "small", "A duel"] in lines


def test_show_prints_the_places(runner: CliRunner, keepers_maps: Path) -> None:
    """By id or by file, the table that players get by mail."""
    by_id = run(runner, "show", "duel", maps=keepers_maps)
    by_file = run(runner, "show", keepers_maps / "scenarios" / "duel.toml")

    assert by_id.exit_code == by_file.exit_code == 0
    assert by_id.stdout == by_file.stdout
    assert "\nhil  Hill            N    fortified 3         A bay val\n" in by_id.stdout


def test_draw_writes_svg(runner: CliRunner, tmp_path: Path) -> None:
    """To the given file, or to the standard output."""
    result = run(runner, "draw", "1454")
    written = run(runner, "draw", "1454", "--output", "lodi.svg")

    assert result.stdout.startswith("<svg ")
    assert written.stdout == ""
    assert (tmp_path / "lodi.svg").read_text(encoding="utf-8") == result.stdout


PHASE = {
    "board": "classic",
    "scenario": "1454",
    "rules": {"preset": "judge"},
    "position": {"phase": "S1454M", "units": ["L A flo", "P A bol"]},
    "orders": {"L": ["A flo - bol"], "P": ["A bol - rma"]},
}


def test_draw_shows_a_phase_with_its_orders(runner: CliRunner) -> None:
    """As they are ordered, or what became of them; near a power only what is near it."""
    Path("phase.json").write_text(json.dumps(PHASE), encoding="utf-8")
    ordered = run(runner, "draw", "1454", "--phase", "phase.json")
    played = run(runner, "draw", "1454", "--phase", "phase.json", "--played", "--for", "l")

    assert "L A flo-bol" in ordered.stdout
    assert 'class="move planned"' in ordered.stdout
    assert 'id="tur"' in ordered.stdout
    assert 'class="move done"' in played.stdout
    assert 'id="tur"' not in played.stdout


def test_draw_writes_png(runner: CliRunner, tmp_path: Path) -> None:
    """The whole board as wide as a message, or in the size of the drawing."""
    run(runner, "draw", "1454", "--png", "--crop", "all", "-o", "all.png")
    run(runner, "draw", "1454", "--png", "-o", "large.png")
    small, large = (tmp_path / name for name in ("all.png", "large.png"))

    assert small.read_bytes()[:8] == large.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert small.read_bytes()[16:20] == (800).to_bytes(4, "big")
    assert large.read_bytes()[16:20] == (2000).to_bytes(4, "big")


@cases
def test_draw_says_what_is_wrong_with_what_it_gets(
    runner: CliRunner, more: list[str], says: str
) -> None:
    """And nothing else: no half picture, no traceback."""
    Path("phase.json").write_text(json.dumps(PHASE), encoding="utf-8")
    Path("broken.json").write_text("{", encoding="utf-8")
    other = {**PHASE, "scenario": "1454_nine", "board": "nine"}
    Path("other.json").write_text(json.dumps(other), encoding="utf-8")
    result = run(runner, "draw", "1454", *more)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("machjudge: ")
    assert says in result.stderr


def test_draw_says_when_there_is_no_drawing(runner: CliRunner, keepers_maps: Path) -> None:
    """A keeper's board without one; no file is begun."""
    result = run(runner, "draw", "duel", "-o", "x.svg", maps=keepers_maps)

    assert result.exit_code == 2
    assert result.stderr == "machjudge: the board small has no drawing\n"
    assert not Path("x.svg").exists()


def test_an_unknown_scenario_is_told(runner: CliRunner) -> None:
    """The answer names those that there are."""
    result = run(runner, "show", "1455")

    assert result.exit_code == 2
    assert "There is no scenario '1455'; there are 1385, 1454," in result.stderr


def test_a_broken_scenario_ends_in_one_line(runner: CliRunner, keepers_maps: Path) -> None:
    """Showing it is refused with the fault, without a traceback."""
    file = keepers_maps / "scenarios" / "duel.toml"
    file.write_text("[scenario\n", encoding="utf-8")
    result = run(runner, "show", "duel", maps=keepers_maps)

    assert result.exit_code == 2
    assert f"{file}:1: not valid TOML" in result.stderr
