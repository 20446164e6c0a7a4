"""The wheel holds all that a judge needs, and what is installed from it runs by itself."""

import json
import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from machjudge import __version__

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
    assert any(name.endswith("licenses/LICENSE") for name in names)


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
