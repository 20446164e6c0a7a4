"""The Containerfile: read, looked through, and followed step by step where no engine is there.

Followed means: each instruction is carried out in folders of this machine, with what it names below
`/opt/machjudge`, `/build` and `/var/lib/machjudge` put there, and the Python of this machine in the
place of the image's.
"""

import json
import os
import pwd
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
CONTAINERFILE = ROOT / "Containerfile"
ENGINES = ("podman", "docker")


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction of a Containerfile, such as ``RUN`` and what is to be run."""

    name: str
    text: str

    @property
    def words(self) -> list[str]:
        """Its words, or those of its form in JSON."""
        return json.loads(self.text) if self.text.startswith("[") else self.text.split()


Stage = list[Instruction]


def stages(text: str) -> list[Stage]:
    """The stages of a Containerfile, each beginning with its FROM."""
    lines = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    found: list[Stage] = []
    for line in re.sub(r"\\\n\s*", "", lines).splitlines():
        if line.strip():
            name, _, rest = line.strip().partition(" ")
            if name == "FROM":
                found.append([])
            found[-1].append(Instruction(name, rest.strip()))
    return found


def context(root: Path) -> Iterator[Path]:
    """The files that `.containerignore` lets through, relative to the project."""
    lines = (root / ".containerignore").read_text(encoding="utf-8").splitlines()
    allowed = {line[1:] for line in lines if line.startswith("!")}
    refused = [line for line in lines if line and line[0] not in "#!" and line != "*"]
    for path in sorted(root.rglob("*")):
        inside = path.relative_to(root)
        if path.is_file() and inside.parts[0] in allowed:
            names = [name for pattern in refused for name in [pattern.removeprefix("**/")]]
            if not any(fnmatch(part, name) for part in inside.parts for name in names):
                yield inside


def working_engine() -> str | None:
    """The container engine of this machine that has or gets the image below; None without one."""
    base = stages(CONTAINERFILE.read_text(encoding="utf-8"))[0][0].words[0]
    for engine in ENGINES:
        answers = shutil.which(engine) and _is_done(engine, "info")
        if answers and any(
            _is_done(engine, *ask, base) for ask in (("image", "inspect"), ("pull",))
        ):
            return engine
    return None


def _is_done(engine: str, *words: str) -> bool:
    """Whether an engine does what it is told."""
    try:
        done = asked(engine, *words)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0 and "Cannot connect" not in done.stderr


def asked(engine: str, *words: str, cwd: Path = ROOT) -> "subprocess.CompletedProcess[str]":
    """What an engine does and says, with the home of whoever runs it: podman asks for that."""
    environment = os.environ | {"HOME": pwd.getpwuid(os.geteuid()).pw_dir}
    return subprocess.run(  # noqa: S603 - our own
        [engine, *words],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )


@dataclass
class Followed:
    """A machine on which the Containerfile is carried out, in a folder of its own.

    *lent* is a folder of Python packages which takes the place of what an index would give.
    """

    folder: Path
    lent: Path | None = None
    environment: dict[str, str] = field(default_factory=dict)
    user: str = "root"
    workdir: str = "/"
    health: str = ""
    command: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Put the Python of the image where it stands in its path."""
        tools = self.folder / "usr" / "local"
        subprocess.run(  # noqa: S603
            [sys.executable, "-m", "venv", "--system-site-packages", str(tools)], check=True
        )

    def place(self, path: str) -> Path:
        """Where a path of the image is on this machine."""
        return self.folder / Path(self.workdir, path).relative_to("/")

    def follow(self, root: Path) -> None:
        """Carry all instructions out.  CalledProcessError with the first that fails."""
        for stage in stages(CONTAINERFILE.read_text(encoding="utf-8")):
            # What a stage does not copy is not there in the next; here all lies in one folder.
            self.environment, self.workdir = {"PATH": "/usr/local/bin:/usr/bin:/bin"}, "/"
            for each in stage:
                getattr(self, f"_{each.name.lower()}")(each, root)

    def _from(self, each: Instruction, root: Path) -> None:
        assert each.words[0].startswith("docker.io/library/python:"), each

    def _env(self, each: Instruction, root: Path) -> None:
        for word in each.words:
            name, _, value = word.partition("=")
            self.environment[name] = value.replace("$PATH", self.environment["PATH"])

    def _workdir(self, each: Instruction, root: Path) -> None:
        self.workdir = each.text
        self.place(".").mkdir(parents=True, exist_ok=True)

    def _copy(self, each: Instruction, root: Path) -> None:
        source, target = each.words[-2:]
        if each.words[0].startswith("--from="):
            assert self.place(source).exists(), each
            return
        for path in context(root):
            if source == "." or path.is_relative_to(source):
                inside = path if source == "." else Path(target) / path.relative_to(source)
                file = self.place(".") / inside
                file.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(root / path, file)

    def _run(self, each: Instruction, root: Path) -> None:
        line = each.text
        if "useradd" in line:
            # The user is ours; its folder is made.
            assert "--uid" in line, line
            (home,) = re.findall(r"--home-dir (\S+)", line)
            self.place(home).mkdir(parents=True)
            return
        if self.lent and "--require-hashes" in line:
            self._lend()
            return
        self.run(line)

    def _lend(self) -> None:
        assert self.lent is not None
        for packages in self.folder.glob("*/*/lib/python*/site-packages"):
            (packages / "lent.pth").write_text(str(self.lent), encoding="utf-8")

    def _user(self, each: Instruction, root: Path) -> None:
        self.user = each.text

    def _volume(self, each: Instruction, root: Path) -> None:
        assert self.place(each.text).is_dir(), each

    def _healthcheck(self, each: Instruction, root: Path) -> None:
        self.health = each.text.partition("CMD ")[2]

    def _stopsignal(self, each: Instruction, root: Path) -> None:
        assert each.text == "SIGTERM"

    def _entrypoint(self, each: Instruction, root: Path) -> None:
        self.command = each.words

    def _cmd(self, each: Instruction, root: Path) -> None:
        self.command = [*self.command, *each.words]

    def run(self, line: str, **more: str) -> str:
        """What a line of the shell prints, run as it would be in the image."""
        done = subprocess.run(  # noqa: S603 - a line of our own
            ["/bin/sh", "-c", self._placed(line)],
            cwd=self.place("."),
            env=self.environ(more),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
        return done.stdout

    def environ(self, more: Mapping[str, str]) -> dict[str, str]:
        """The variables of a process in the image."""
        kept = {k: v for k, v in os.environ.items() if k.startswith(("PIP_", "SSL_", "LANG"))}
        own = {name: self._placed(text) for name, text in self.environment.items()}
        return {**kept, **own, **more}

    def _placed(self, text: str) -> str:
        """A text with paths of the image where they are on this machine."""
        return re.sub(
            r"(?<![\w.])/(?=(?:opt/machjudge|build|var/lib/machjudge|usr/local)\b)",
            f"{self.folder}/",
            text,
        )
