"""The container: what its files say, and that its steps lead to a judge that answers."""

import re
import shutil
import subprocess
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from machjudge.cli import main
from machjudge.cli.setup import COMPOSE
from tests.app.processes import letters, mail
from tests.mail.servers import Postmaster, relaying
from tests.patience import wait_until
from tests.ports import free_port
from tests.release.container import (
    CONTAINERFILE,
    Followed,
    asked,
    context,
    stages,
    working_engine,
)

TEXT = CONTAINERFILE.read_text(encoding="utf-8")
BUILD, FINAL = stages(TEXT)


def texts(stage: str, name: str) -> list[str]:
    """What stands behind each instruction of a kind."""
    return [each.text for each in {"build": BUILD, "final": FINAL}[stage] if each.name == name]


def test_both_stages_begin_with_the_same_slim_python() -> None:
    """Of a named version, so that the environment that is copied finds its Python."""
    (build,), (final,) = texts("build", "FROM"), texts("final", "FROM")

    assert build == f"{final} AS build"
    assert re.fullmatch(r"docker\.io/library/python:3\.\d+-slim", final)


def test_whatever_comes_from_an_index_is_locked() -> None:
    """Each pip that is not told to stay away from the index asks for hashes of a lock file."""
    fetching = [
        line
        for line in texts("build", "RUN")
        if re.match(r"pip\b.* install|pip wheel", line) and "--no-index" not in line
    ]

    assert len(fetching) == 2
    for line in fetching:
        assert re.search(r" install --require-hashes --requirement requirements/\w+\.txt$", line)


def test_what_runs_has_no_rights_and_no_tools() -> None:
    """Another user than root, of a fixed number; no package manager is left, no compiler comes."""
    names = [each.name for each in FINAL]
    (made,) = texts("final", "RUN")
    (user,) = texts("final", "USER")

    assert user == "machjudge"
    assert re.search(rf"useradd .*--uid \d+ .*\b{user}\b", made)
    assert "uninstall --yes pip" in made
    assert names.index("USER") < names.index("ENTRYPOINT")
    assert texts("final", "COPY") == ["--from=build /opt/machjudge /opt/machjudge"]
    assert not re.search(r"\b(?:apt-get|apk|curl|wget|gcc|ADD)\b", TEXT)


def test_everything_that_is_written_lies_in_the_one_volume(root: Path) -> None:
    """The database is there, with the secret beside it; compose puts the volume there, too."""
    (volume,) = texts("final", "VOLUME")
    compose = (root / "compose.yaml").read_text(encoding="utf-8")

    assert f"sqlite:///{volume}/judge.db" in TEXT
    assert f"- judge:{volume}\n" in compose
    assert re.findall(r"^volumes:\n  (\w+):", compose, re.MULTILINE) == ["judge"]
    assert f"dockerfile: {CONTAINERFILE.name}\n" in compose


def test_setup_writes_the_same_for_compose(root: Path) -> None:
    """But that it does not build: it has the image alone."""
    ours = (root / "compose.yaml").read_text(encoding="utf-8")
    without_build = re.sub(r"    build:\n(?:      .*\n)+", "", ours)

    def said(text: str) -> list[str]:
        return [line for line in text.splitlines() if not line.startswith("#")]

    assert said(COMPOSE.format(ports="")) == said(without_build)


def test_the_command_is_one_of_the_program() -> None:
    """With its options."""
    (entry,), (command,) = ([each for each in FINAL if each.name == name] for name in ENTRY)
    name, *options = command.words
    told = CliRunner().invoke(main, [name, "--help"])

    assert entry.words == ["machjudge"]
    assert told.exit_code == 0
    assert [option for option in options if f"  {option}" not in told.output] == []


ENTRY = ("ENTRYPOINT", "CMD")


def test_the_image_is_made_of_what_the_wheel_is_made_of(root: Path) -> None:
    """No tests, environments, databases or settings of the keeper come into it."""
    tops = {path.parts[0] for path in context(root)}

    assert {"machjudge", "docs", "maps", "templates", "migrations", "share"} < tops
    assert {"LICENSE", "README.md", "pyproject.toml", "hatch_build.py", "requirements"} < tops
    assert tops.isdisjoint({"tests", ".venv", ".git", "demo", "dist", "judge.env"})
    assert not any("__pycache__" in path.parts for path in context(root))
    assert (root / ".dockerignore").read_bytes() == (root / ".containerignore").read_bytes()


@pytest.mark.slow
@pytest.mark.sqlite
def test_its_steps_lead_to_a_judge_that_answers(root: Path, tmp_path: Path) -> None:
    """Followed on this machine, without an index: the packages of the tests are lent."""
    machine = Followed(tmp_path, lent=Path(sysconfig.get_path("purelib")))
    machine.follow(root)
    ports = {"MACHJUDGE_LISTEN": f"lmtp://127.0.0.1:{free_port()}"}

    with running(machine, ports) as relay:
        wait_until(lambda: bool(relay.taken), "the answer")
        machine.run(machine.health, **ports)

    (answer,) = letters(relay)
    assert answer["To"] == "anna@example.com"


def test_a_judge_that_does_not_run_is_not_healthy(root: Path, tmp_path: Path) -> None:
    """Neither one without a database, nor one that has not looked at its clock for long."""
    (health,) = texts("final", "HEALTHCHECK")
    probe = health.partition("CMD ")[2]
    program = tmp_path / "machjudge"

    def asked(figures: str) -> int:
        program.write_text(f"#!/bin/sh\nprintf '{figures}'\n", encoding="utf-8")
        program.chmod(0o755)
        path = f"{tmp_path}:/usr/bin:/bin"
        return subprocess.run(  # noqa: S603 - a line of our own
            ["/bin/sh", "-c", probe], env={"PATH": path}, check=False
        ).returncode

    assert asked("machjudge_info 1\\nmachjudge_last_look_seconds 12.5\\n") == 0
    assert asked("machjudge_info 1\\nmachjudge_last_look_seconds 900\\n") == 1
    assert asked("machjudge_info 1\\n") == 1
    assert asked("") == 1


@contextmanager
def running(machine: Followed, ports: dict[str, str]) -> Iterator[Postmaster]:
    """The command of the image, with a mail handed over; its relay."""
    relay, port = Postmaster(), free_port()
    more = {
        "MACHJUDGE_RELAY": f"smtp://127.0.0.1:{port}",
        "MACHJUDGE_ADDRESS": "judge@mach.example",
        **ports,
    }
    command = shutil.which(machine.command[0], path=machine.environ({})["PATH"])
    assert command is not None
    with relaying(relay, port):
        process = subprocess.Popen(  # noqa: S603 - our own program
            [command, *machine.command[1:]],
            env=machine.environ(more),
            cwd=machine.place("."),
        )
        try:
            hand_over(int(ports["MACHJUDGE_LISTEN"].rpartition(":")[2]))
            yield relay
        finally:
            process.terminate()
            assert process.wait(60) == 0


def hand_over(port: int) -> None:
    """Give the judge a mail as soon as it listens."""
    import smtplib  # noqa: PLC0415

    def given() -> bool:
        try:
            with smtplib.LMTP("127.0.0.1", port) as client:
                client.sendmail("anna@example.com", ["judge@mach.example"], mail("anna", "help"))
        except OSError:
            return False
        return True

    wait_until(given, "the door")


@pytest.mark.slow
@pytest.mark.skipif(working_engine() is None, reason="no container engine answers here")
def test_an_engine_builds_and_runs_it(root: Path) -> None:
    """As the keeper's page says: the image is built, is not root, and knows its version."""
    engine = working_engine()
    assert engine is not None

    def run(*words: str) -> str:
        done = asked(engine, *words, cwd=root)
        assert done.returncode == 0, done.stderr
        return done.stdout

    run("build", "--file", "Containerfile", "--tag", "machjudge-tried", ".")
    try:
        assert "1." in run("run", "--rm", "machjudge-tried", "--version")
        who = ("--entrypoint", "id", "machjudge-tried", "-u")
        assert run("run", "--rm", *who).strip() == "975"
    finally:
        run("image", "rm", "machjudge-tried")
