"""The wheel holds all that a judge needs, and what is installed from it runs by itself."""

import json
import os
import re
import subprocess
import sys
import sysconfig
import zipfile
from email import message_from_bytes
from email.message import Message
from pathlib import Path

import pytest

from machjudge import __version__
from tests.release.upgrades import old_judge, play_on, steps

CARRIED = ("docs", "maps", "templates", "migrations")


def run(*command: str | Path, cwd: Path) -> str:
    """The output of a command that must succeed."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the checkout with the backend that is installed."""
    out = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "-o", out, root, cwd=out)
    (built,) = out.glob("machjudge-*-py3-none-any.whl")
    return built


@pytest.fixture(scope="module")
def scratch(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel alone in it.

    What it depends on is lent by the environment of the tests through a .pth file: its folder is
    searched last, and the editable install that lies there stays out, because .pth files in such
    a folder are not followed.  Thus no package index is needed.
    """
    venv = tmp_path_factory.mktemp("scratch")
    run(sys.executable, "-m", "venv", "--without-pip", venv, cwd=venv)
    python = venv / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check"]
    run(*pip, "install", "--quiet", "--no-deps", "--no-index", wheel, cwd=venv)
    where = "import sysconfig; print(sysconfig.get_path('purelib'))"
    packages = Path(run(python, "-c", where, cwd=venv).strip())
    (packages / "lent.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    return venv


@pytest.mark.parametrize("folder", CARRIED)
def test_the_wheel_carries_the_data(root: Path, wheel: Path, folder: str) -> None:
    """Every file of maps, templates and migrations lies inside the package."""
    here = {
        f"machjudge/{path.relative_to(root).as_posix()}"
        for path in (root / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }

    assert here
    assert here <= set(zipfile.ZipFile(wheel).namelist())


def test_the_wheel_carries_the_package_and_nothing_beside_it(wheel: Path) -> None:
    """No tests, docs or tools: the package, typed, and its metadata with the licence."""
    names = zipfile.ZipFile(wheel).namelist()

    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"machjudge"}
    assert "machjudge/py.typed" in names


def test_the_wheel_has_both_licences(root: Path, wheel: Path) -> None:
    """That of the program and that of its fonts, with their texts (PEP 639)."""
    about = metadata(wheel)
    archive = zipfile.ZipFile(wheel)
    texts = {
        name.partition("/licenses/")[2]: archive.read(name)
        for name in archive.namelist()
        if "/licenses/" in name
    }

    assert about["License-Expression"] == "MIT AND Apache-2.0"
    assert set(about.get_all("License-File", [])) == set(texts)
    assert {root / name for name in texts} == {
        root / "LICENSE",
        root / "machjudge/drawing/fonts/LICENSE.txt",
    }
    for name, text in texts.items():
        assert text == (root / name).read_bytes()
    assert b"Apache License" in texts["machjudge/drawing/fonts/LICENSE.txt"]


def test_the_metadata_name_nothing_that_is_not_there(root: Path, wheel: Path) -> None:
    """The author is that of the licence; the description has no picture or link to a file."""
    about = metadata(wheel)
    text = str(about.get_payload())

    assert f"(c) 2026 {about['Author']}" in (root / "LICENSE").read_text(encoding="utf-8")
    assert about.get_all("Project-URL", []) == []
    assert about["Description-Content-Type"] == "text/markdown"
    assert text.startswith("# machjudge")
    assert re.findall(r"\]\((?!https?:)[^)]*\)", text) == []
    assert "docs/keeping.md" in text


def metadata(wheel: Path) -> Message:
    """What the wheel says of itself."""
    archive = zipfile.ZipFile(wheel)
    (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
    return message_from_bytes(archive.read(name))


def test_the_wheel_has_the_manual_and_the_completions(root: Path, wheel: Path) -> None:
    """They are installed below `share`, where `man` and the shells look for them."""
    names = {name.partition(".data/data/")[2] for name in zipfile.ZipFile(wheel).namelist()}
    here = {str(path.relative_to(root)) for path in (root / "share").rglob("*") if path.is_file()}

    assert "share/man/man1/machjudge.1" in here
    assert here <= names


def test_the_wheel_has_the_command(wheel: Path) -> None:
    """`machjudge` is a console script."""
    archive = zipfile.ZipFile(wheel)
    (entry_points,) = [name for name in archive.namelist() if name.endswith("/entry_points.txt")]

    assert "machjudge = machjudge.cli:main" in archive.read(entry_points).decode()


def test_what_is_installed_tells_its_version(scratch: Path) -> None:
    """`machjudge --version` runs from the wheel."""
    assert __version__ in run(scratch / "bin" / "machjudge", "--version", cwd=scratch)


def test_what_is_installed_shows_its_settings(scratch: Path) -> None:
    """`machjudge config` runs from the wheel, outside any checkout."""
    output = run(scratch / "bin" / "machjudge", "config", "--json", cwd=scratch)

    assert json.loads(output)["listen"]["value"] == ["smtp://127.0.0.1:2525"]


@pytest.mark.parametrize("folder", CARRIED)
def test_what_is_installed_finds_its_data(scratch: Path, folder: str) -> None:
    """The folders are found in the installed package, not in the checkout."""
    ask = f"from machjudge.settings import {folder}_folder; print({folder}_folder())"

    found = run(scratch / "bin" / "python", "-c", ask, cwd=scratch).strip()

    assert found.startswith(os.fspath(scratch.resolve()))
    assert found.endswith(os.path.join("machjudge", folder))  # noqa: PTH118


# --- upgrades --------------------------------------------------------------------------------


def test_there_is_a_judge_of_every_step_before_the_first_release() -> None:
    """Sixteen steps were made before it."""
    assert [f"{number:04}" for number in range(1, 17)] == steps()[:16]


@pytest.mark.sqlite
@pytest.mark.parametrize(
    "step",
    [steps()[0], *(pytest.param(step, marks=pytest.mark.slow) for step in ("0006", "0012"))],
)
def test_a_game_of_an_earlier_step_is_played_on_by_the_wheel(
    step: str, scratch: Path, tmp_path: Path
) -> None:
    """Each of these steps changes a kind of its own; `make release` tries all."""
    play_on(old_judge(step, tmp_path, str(scratch / "bin" / "machjudge")))
