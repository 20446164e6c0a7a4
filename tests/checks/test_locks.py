"""The lock files hold what pyproject.toml asks for, with hashes, and no address."""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PIN = re.compile(
    r"^(?P<name>[a-z0-9-]+)(?P<extras>\[[a-z0-9,-]+\])?==(?P<version>\S+)(?P<rest>.*(?:\n[ ]+.*)*)",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Pin:
    """One locked version, the number of its files, and those who asked for it."""

    version: str
    hashes: int
    askers: str


def locked(root: Path, name: str) -> dict[str, Pin]:
    """The pins of one lock file, by name."""
    text = (root / "requirements" / name).read_text(encoding="utf-8")
    return {
        pin["name"]: Pin(
            pin["version"], pin["rest"].count("--hash=sha256:"), pin["rest"].partition("# via")[2]
        )
        for pin in PIN.finditer(text)
    }


def asked_for(root: Path, name: str) -> dict[str, Requirement]:
    """What pyproject.toml asks for in that lock file, by name."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    lines = {
        "run.txt": project["project"]["dependencies"],
        "build.txt": project["build-system"]["requires"],
        "dev.txt": project["dependency-groups"]["dev"],
        "bench.txt": project["dependency-groups"]["bench"],
        "mutation.txt": project["dependency-groups"]["mutation"],
        "release.txt": project["dependency-groups"]["release"],
    }
    requirements = map(Requirement, lines[name])
    return {canonicalize_name(each.name): each for each in requirements}


LOCKS = ["run.txt", "build.txt", "dev.txt", "bench.txt", "mutation.txt", "release.txt"]
OURS = "machjudge (pyproject.toml"
ASKER = dict.fromkeys(LOCKS, "-r -") | {"run.txt": OURS, "build.txt": OURS}
# The backend itself asks for it when a checkout is installed; `make lock` adds it.
BY_BACKEND = {name: {"editables"} if name == "build.txt" else set[str]() for name in LOCKS}


@pytest.mark.parametrize("name", LOCKS)
def test_lock_is_fresh(root: Path, name: str) -> None:
    """Exactly what pyproject.toml asks for was asked for when the file was locked (make lock)."""
    asked_then = {key for key, pin in locked(root, name).items() if ASKER[name] in pin.askers}

    assert asked_then == asked_for(root, name).keys() | BY_BACKEND[name]


@pytest.mark.parametrize("name", LOCKS)
def test_locked_versions_are_those_allowed(root: Path, name: str) -> None:
    """Each locked version fits the bounds in pyproject.toml."""
    pins = locked(root, name)

    outside = [
        f"{pins[key].version} for {requirement}"
        for key, requirement in asked_for(root, name).items()
        if not requirement.specifier.contains(pins[key].version)
    ]

    assert outside == []


@pytest.mark.parametrize("name", LOCKS)
def test_extras_that_are_asked_for_are_locked(root: Path, name: str) -> None:
    """A pin names its extras: without, pip takes the newest release, which has no hash here."""
    text = (root / "requirements" / name).read_text(encoding="utf-8")
    extras = {pin["name"]: pin["extras"] or "" for pin in PIN.finditer(text)}

    missing = [
        str(requirement)
        for key, requirement in asked_for(root, name).items()
        if not set(requirement.extras) <= set(extras[key].strip("[]").split(","))
    ]

    assert missing == []


@pytest.mark.parametrize("name", LOCKS)
def test_everything_locked_has_hashes(root: Path, name: str) -> None:
    """The file suits pip --require-hashes: no pin without a hash, no line that is no pin."""
    text = (root / "requirements" / name).read_text(encoding="utf-8")
    strangers = [line for line in PIN.sub("", text).splitlines() if line and line[0] != "#"]

    assert strangers == []
    assert [key for key, pin in locked(root, name).items() if not pin.hashes] == []


@pytest.mark.parametrize("name", LOCKS[1:])
def test_locks_agree(root: Path, name: str) -> None:
    """What is in both files is locked at the same version."""
    run, dev = locked(root, "run.txt"), locked(root, name)

    assert {k: run[k].version for k in run.keys() & dev} == {
        k: dev[k].version for k in run.keys() & dev
    }
