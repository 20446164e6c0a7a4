"""No test reads what the machine, or whoever runs the tests, has set up."""

import os
import subprocess
import sys
import time
from pathlib import Path

from machjudge.settings import load
from tests.app.processes import Installation
from tests.ports import free_port

HOSTILE = """
timezone = "Asia/Tokyo"
code = "OTHER"
keeper = "somebody@else.example"
nonsense = "no judge starts with this"
"""


def test_settings_come_from_the_tests_alone(tmp_path: Path) -> None:
    """Neither a file in the folder nor one in /etc is looked for, here or in a process."""
    judge = Installation(tmp_path)

    assert set(load(os.environ).origins.values()) == {"default"}
    assert Path(os.devnull) not in load(judge.environment).origins.values()
    assert judge.environment["MACHJUDGE_CONFIG"] == os.environ["MACHJUDGE_CONFIG"] == os.devnull


def test_zone_home_language_and_umask_are_those_of_nobody() -> None:
    """UTC, none, C, and files that others may read unless we say otherwise."""
    before = os.umask(0o022)

    assert before == 0o022
    assert time.tzname == ("UTC", "UTC")
    assert not Path.home().is_dir()
    assert os.environ["LC_ALL"] == "C.UTF-8"
    assert [name for name in os.environ if name.startswith("PG")] == []


def test_a_port_is_given_once(tmp_path: Path) -> None:
    """To nobody else as long as this process lives; and never one that the system may give."""
    mine = {free_port() for _ in range(20)}
    code = "from tests.ports import free_port; print(*(free_port() for _ in range(100)))"
    told = subprocess.check_output([sys.executable, "-c", code], text=True)  # noqa: S603 (our own)
    theirs = {int(word) for word in told.split()}

    assert len(mine) == 20
    assert max(mine) < 32_768
    assert not mine & theirs


def test_tests_pass_among_hostile_settings(root: Path, tmp_path: Path) -> None:
    """With a file of settings that no judge can use, another zone, language, home and umask."""
    (tmp_path / "machjudge.toml").write_text(HOSTILE)
    tests = [
        "cli/test_config.py",
        "messages/test_page.py",
        "db/test_engine.py",
        # A judge as people run it: processes, a mail by SMTP, and its answer.
        "app/test_keeping_guide.py::test_line_that_talks_to_the_judge"
        "_brings_an_answer_on_ones_own_paper",
    ]
    hostile = {
        "HOME": str(tmp_path),
        "LC_ALL": "tr_TR.UTF-8",
        "MACHJUDGE_TIMEZONE": "Asia/Tokyo",
        "MACHJUDGE_FOO": "1",
        "PGHOST": "nowhere.invalid",
        "PYTHONPATH": str(root),
        "TZ": "Pacific/Kiritimati",
    }

    done = subprocess.run(  # noqa: S603 (our own arguments)
        [
            *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"),
            *("-m", "not games and not mutation", "-c", root / "pyproject.toml"),
            *(root / "tests" / each for each in tests),
        ],
        cwd=tmp_path,
        env={**os.environ, **hostile},
        umask=0o077,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr
