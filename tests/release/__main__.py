# ruff: noqa: T201 - a tool prints
"""Build what is published, and try it: ``python -m tests.release --twine PATH`` (`make release`).

The archive of the source and the wheel go to `dist`.  They are built twice, in different folders,
and are the same byte for byte.  The wheel is installed into a bare environment by the lock file;
what is installed plays `machjudge demo`, and a game of a database of every earlier step.  Ends with
1 and one line for the first thing that is not so.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from email import message_from_bytes
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from machjudge import __version__
from machjudge.db.schema_version import newest_step
from machjudge.settings import migrations_folder
from tests.release.container import ROOT, Followed, working_engine
from tests.release.upgrades import old_judge, play_on, steps

DIST = ROOT / "dist"


class Unfit(Exception):
    """Why this is not to be published."""


def main() -> int:
    """Do all of it; 1 where something is not as it must be."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--twine", required=True, help="the command of twine")
    twine = parser.parse_args().twine
    try:
        with TemporaryDirectory(prefix="release") as name:
            for told in _tried(Path(name), twine):
                print(told, flush=True)
    except (Unfit, AssertionError) as fault:
        print(f"not to be published: {fault}", file=sys.stderr)
        return 1
    return 0


def _tried(folder: Path, twine: str) -> Iterator[str]:
    yield changelog_agrees((ROOT / "docs" / "changelog.md").read_text(encoding="utf-8"))
    source, wheel = _built(folder)
    yield f"built twice, the same each time: {source.name}, {wheel.name}"
    print(_run(twine, "check", "--strict", str(source), str(wheel)).strip())
    yield contents_agree(source, wheel)
    program = _installed(folder / "bare", wheel)
    yield f"installed by the lock file alone: {_run(program, '--version').strip()}"
    _run(program, "demo", "--folder", str(folder / "demo"))
    yield "the demo was played from the wheel"
    for step in steps():
        play_on(old_judge(step, folder / "old", program))
    yield f"a game of each step {steps()[0]} to {steps()[-1]} was upgraded and played on"
    yield _container(folder / "container")
    for file in (source, wheel):
        yield f"{sha256(file.read_bytes()).hexdigest()}  {file.relative_to(ROOT)}"


def changelog_agrees(text: str, version: str = __version__) -> str:
    """That the newest version of the changelog is *version*, and that nothing stands above it."""
    above, _, rest = text.partition("\n## Unreleased\n")[2].partition("\n## ")
    found = re.match(r"(\d+\.\d+\.\d+) - (\d{4}-\d{2}-\d{2})\n", rest)
    if found is None or found[1] != version:
        message = f"the newest version of docs/changelog.md is not {version}, with its date"
        raise Unfit(message)
    if waiting := re.findall(r"^- ", above, re.MULTILINE):
        message = f"{len(waiting)} lines of the changelog are Unreleased: move them to {version}"
        raise Unfit(message)
    if newest_step(migrations_folder()) not in steps():
        message = "no judge of today's step is kept: python -m tests.release.upgrades"
        raise Unfit(message)
    return f"version {version} of {found[2]}, as the changelog says"


def _built(folder: Path) -> tuple[Path, Path]:
    """The archive and the wheel in `dist`, the same as those of another checkout elsewhere."""
    shutil.rmtree(DIST, ignore_errors=True)
    build = (sys.executable, "-m", "build", "--no-isolation", "--outdir")
    _run(*build, str(DIST), str(ROOT))
    (source,), (wheel,) = DIST.glob("*.tar.gz"), DIST.glob("*.whl")
    with tarfile.open(source) as archive:
        archive.extractall(folder, filter="data")
    (unpacked,) = folder.glob("machjudge-*")
    again = folder / "again"
    os.umask(0o077)
    _run(*build, str(again), str(unpacked))
    os.umask(0o022)
    for file in (source, wheel):
        if (again / file.name).read_bytes() != file.read_bytes():
            message = f"{file.name} is another one when it is built from the archive elsewhere"
            raise Unfit(message)
    return source, wheel


def contents_agree(source: Path, wheel: Path) -> str:
    """That both have the licences, the wheel all folders, and the archive all that is tracked."""
    archive = zipfile.ZipFile(wheel)
    names = set(archive.namelist())
    (about,) = [name for name in names if name.endswith(".dist-info/METADATA")]
    metadata = message_from_bytes(archive.read(about))
    with tarfile.open(source) as packed:
        inside = {name.partition("/")[2] for name in packed.getnames()}
    tracked = _tracked()
    licences = metadata.get_all("License-File", [])
    wanted: dict[str, bool] = {
        f"Version is not {__version__}": metadata["Version"] == __version__,
        "License-Expression": metadata["License-Expression"] == "MIT AND Apache-2.0",
        "a licence is missing": len(licences) == 2
        and all(about.replace("METADATA", f"licenses/{name}") in names for name in licences)
        and inside >= set(licences),
        "a folder is missing in the wheel": all(
            any(name.startswith(f"machjudge/{folder}/") for name in names)
            for folder in ("docs", "maps", "templates", "migrations")
        ),
        "files are missing in the archive": inside >= tracked,
        "files that are not tracked are in the archive": not tracked
        or inside - tracked <= {"PKG-INFO"},
    }
    if wrong := [what for what, holds in wanted.items() if not holds]:
        raise Unfit("; ".join(wrong))
    return f"{len(names)} files in the wheel, {len(inside)} in the archive, both licences in each"


def _tracked() -> set[str]:
    """What git tracks, where there is git."""
    if not (ROOT / ".git").exists():
        return set()
    listed = _run("git", "-C", str(ROOT), "ls-files", "-z")
    return {name for name in listed.split("\0") if name and (ROOT / name).is_file()}


def _installed(venv: Path, wheel: Path) -> str:
    """The command of a bare environment into which the wheel was installed by the lock file."""
    _run(sys.executable, "-m", "venv", str(venv))
    pip = (str(venv / "bin" / "pip"), "--disable-pip-version-check", "install", "--quiet")
    _run(*pip, "--require-hashes", "--requirement", str(ROOT / "requirements" / "run.txt"))
    _run(*pip, "--no-deps", "--no-index", str(wheel))
    _run(str(venv / "bin" / "pip"), "check")
    return str(venv / "bin" / "machjudge")


def _container(folder: Path) -> str:
    """Build the image with an engine, or follow the Containerfile without one."""
    engine = working_engine()
    if engine is not None:
        name = f"machjudge:{__version__}"
        _run(engine, "build", "--file", "Containerfile", "--tag", name, ".")
        return f"{engine} built {name}: {_run(engine, 'run', '--rm', name, '--version').strip()}"
    folder.mkdir()
    machine = Followed(folder)
    machine.follow(ROOT)
    told = machine.run(f"{machine.command[0]} --version").strip()
    return f"no container engine answers here; the Containerfile was followed: {told}"


def _run(*command: str) -> str:
    """What a command prints that must succeed."""
    done = subprocess.run(  # noqa: S603 - our own
        command, cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode:
        message = f"{' '.join(command)}\n{done.stdout}{done.stderr}"
        raise Unfit(message)
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
