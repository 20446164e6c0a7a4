"""The Makefile: which Python it takes, what it says otherwise, and when it installs anew."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest


@pytest.fixture
def clone(root: Path, tmp_path: Path) -> Path:
    """A folder with what `make venv` looks at, and nothing made yet."""
    locks = [f"requirements/{name}.txt" for name in ("run", "build", "dev")]
    for name in ("Makefile", "pyproject.toml", *locks):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(root / name, tmp_path / name)
    return tmp_path


def make(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """What `make` does there when a person calls it."""
    # A make that runs the tests would hand its own flags and depth down.
    handed_down = {"MAKEFLAGS", "MFLAGS", "MAKELEVEL"}
    environ = {name: text for name, text in os.environ.items() if name not in handed_down}
    return subprocess.run(  # noqa: S603 (our own arguments)
        ["make", *arguments],  # noqa: S607 (whichever make is there)
        cwd=folder,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )


def test_an_old_python_is_told_by_its_version(clone: Path) -> None:
    """Python 3.10 is refused with its version, what is needed and what to type."""
    old = clone / "old-python"
    old.write_text('#!/bin/sh\n[ "$1" = --version ] && echo Python 3.10.4\n', encoding="utf-8")
    old.chmod(0o755)

    done = make(clone, "venv", f"PYTHON={old}")

    assert done.returncode != 0
    assert "needs Python 3.11 or newer, and this is Python 3.10.4" in done.stderr
    assert not (clone / ".venv").exists()


def test_a_missing_python_is_told(clone: Path) -> None:
    """A Python that is not there is named, and nothing is made."""
    done = make(clone, "venv", "PYTHON=no-such-python")

    assert done.returncode != 0
    assert "There is no no-such-python here" in done.stderr
    assert not (clone / ".venv").exists()


def test_a_changed_lock_is_installed_again(clone: Path) -> None:
    """Nothing is installed twice, but a lock file younger than its stamp is installed again."""
    (clone / ".venv/bin").mkdir(parents=True)
    for name in (".venv/bin/python", ".venv/.run", ".venv/.dev"):
        (clone / name).touch()
    before = make(clone, "--dry-run", "venv")
    for name in ("requirements/dev.txt", ".venv/.dev"):
        os.utime(clone / name, (2e9, 2e9 + (name == "requirements/dev.txt")))

    after = make(clone, "--dry-run", "venv")

    assert "--require-hashes" not in before.stdout
    assert "--require-hashes -r requirements/dev.txt" in after.stdout
    assert "requirements/run.txt" not in after.stdout


def test_tests_and_demo_need_what_is_locked(clone: Path) -> None:
    """Both commands of a newcomer install with hashes, and then the project itself."""
    for target, lock in (("test", "dev"), ("demo", "run")):
        steps = make(clone, "--dry-run", target).stdout

        assert f"install --require-hashes -r requirements/{lock}.txt" in steps
        assert "install --no-deps --no-build-isolation --editable ." in steps


def test_help_names_every_target(root: Path) -> None:
    """`make` alone says what can be made."""
    shown = make(root).stdout

    targets = "test slow demo venv games bench mutation wheel release lock clean"
    for target in targets.split():
        assert f"make {target} " in shown


def test_continuous_integration_runs_the_tests(root: Path) -> None:
    """`.ci/run` can be run, and runs `make test`."""
    script = root / ".ci/run"

    assert os.access(script, os.X_OK)
    assert "make test" in script.read_text(encoding="utf-8")
