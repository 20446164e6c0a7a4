"""The keeper's guide is true: its settings are accepted, its commands exist, its copies restore."""

import configparser
import json
import re
import shlex
import subprocess
import sys
import tomllib
from email.message import EmailMessage
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from machjudge import __version__
from machjudge.cli import COMMANDS, imported, main
from machjudge.settings import TABLE, USUAL_FILES, load, templates_folder
from tests.app.processes import Installation, letters
from tests.judge.house import ROOT
from tests.mail.servers import Postmaster
from tests.patience import wait_until

GUIDE = (ROOT / "docs" / "keeping.md").read_text(encoding="utf-8")
PAGES = {
    page.name: page.read_text(encoding="utf-8") for page in (ROOT / "docs").glob("keeping_*.md")
}
"""Each way to a judge from nothing, on a page of its own."""
README = (ROOT / "README.md").read_text(encoding="utf-8")
PROGRAM = "/opt/machjudge/bin/machjudge"
PYTHON = "/opt/machjudge/bin/python"


def shown(language: str, text: str = GUIDE) -> list[str]:
    """All blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def files(language: str) -> dict[str, str]:
    """The blocks of a language that are shown as files, by their paths."""
    found = re.findall(rf"`(/etc/\S+)`[^`]*:\n\n```{language}\n(.*?)```", GUIDE, re.DOTALL)
    return dict(found)


def shell_lines(text: str = GUIDE) -> list[str]:
    """Every line that is to be typed, without its comment."""
    lines = (line for block in shown("sh", text) for line in block.splitlines())
    return [line.partition("  #")[0].strip() for line in lines if line]


def units() -> dict[str, configparser.ConfigParser]:
    """The systemd units by their names."""
    parsed = {}
    for path, text in files("ini").items():
        if path.startswith("/etc/systemd/system/"):
            unit = configparser.ConfigParser(interpolation=None)
            unit.optionxform = str  # type: ignore[method-assign, assignment]
            unit.read_string(text)
            parsed[path.rpartition("/")[2]] = unit
    return parsed


# --- settings and commands -------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", [each for page in (GUIDE, README, *PAGES.values()) for each in shown("toml", page)]
)
def test_settings_that_the_guide_shows_are_accepted(text: str, tmp_path: Path) -> None:
    """`machjudge config` takes each of them from the file; those of the README as well."""
    (tmp_path / "templates").mkdir()
    file = tmp_path / "machjudge.toml"
    file.write_text(text.replace("/etc/machjudge", str(tmp_path)), encoding="utf-8")

    result = CliRunner().invoke(main, ["--config", str(file), "config", "--json"])

    assert result.exit_code == 0, result.output
    told = json.loads(result.output)
    named = [line.partition("=")[0].strip() for line in text.splitlines() if line[0] != "#"]
    assert [name for name in named if told[name]["origin"] == "default"] == []


@pytest.mark.parametrize("text", [each for page in PAGES.values() for each in shown("env", page)])
def test_variables_that_a_page_shows_are_accepted(text: str) -> None:
    """Each is a setting, and together they can be used."""
    given = dict(line.split("=", 1) for line in text.splitlines())

    settings = load(given, usual=[])

    named = {row.variable for row in TABLE if settings.origins[row.name] != "default"}
    assert named == set(given)


def test_files_have_one_place_each() -> None:
    """Settings, state and program; the settings lie where they are looked for."""
    text = "\n".join([GUIDE, README, *PAGES.values()])
    named = set(re.findall(r"(?<![\w.])/(?:etc|opt|srv|var)/[\w./-]*machjudge[\w./-]*", text))
    places = ("/etc/machjudge/", "/var/lib/machjudge/", "/opt/machjudge/")
    of_others = {f"/etc/{name}" for name in ("cron.d/machjudge", "systemd/system/machjudge")}

    strangers = [
        path
        for path in named
        if not f"{path}/".startswith(places) and not path.startswith(tuple(of_others))
        if "prometheus" not in path
    ]

    assert strangers == []
    assert Path("/etc/machjudge/machjudge.toml") in USUAL_FILES
    assert "`/etc/machjudge/machjudge.toml` is found by itself" in GUIDE


def test_every_setting_stands_in_the_guide() -> None:
    """One row for each, in the order of the table, or in another."""
    rows = re.findall(r"^\| `(\w+)` \|", GUIDE, re.MULTILINE)

    assert sorted(rows) == sorted(entry.name for entry in TABLE)


def test_every_command_stands_in_the_guide_and_each_that_stands_there_exists() -> None:
    """Those to be typed, those of units and of cron, with their sub-commands."""
    lines = [*shell_lines(), *shell_lines(README)]
    lines += "".join([*shown("cron"), *shown("text", README)]).splitlines()
    lines += [unit["Service"]["ExecStart"] for unit in units().values() if "Service" in unit]
    typed = [found[1].split() for line in lines if (found := _TYPED.search(line))]

    assert len(typed) >= 15
    for words in typed:
        assert words[0] in COMMANDS, words
        command = imported(words[0])
        if isinstance(command, click.Group):
            assert words[1] in command.commands, words
    assert [name for name in COMMANDS if f"machjudge {name}" not in GUIDE] == []


_TYPED = re.compile(r"(?:^|/bin/)machjudge (?:--config \S+ )?(\w+(?: \w+)?)")


@pytest.mark.parametrize("page", PAGES)
def test_every_command_of_a_page_exists_with_its_options(page: str) -> None:
    """Those to be typed and those in its tables, in a container too."""
    text = PAGES[page]
    typed = [*shell_lines(text), *re.findall(r"`((?:docker|/opt|machjudge) ?[^`]+)`", text)]
    asked = [found for line in typed if (found := _ASKED.search(line))]

    assert asked
    for command, rest in (each.groups() for each in asked):
        told = CliRunner().invoke(main, [command, "--help"])
        options = re.findall(r" (--[a-z-]+)", rest)
        assert told.exit_code == 0, command
        assert [option for option in options if f"{option} " not in told.output] == []


_ASKED = re.compile(r"(?:^|/bin/|\s)machjudge (?!machjudge)(?:--config \S+ )?([a-z][\w-]*)(.*)")


def test_what_a_page_takes_from_the_archive_is_there() -> None:
    """The files that are named, and the image with its volume and its user."""
    page = PAGES["keeping_container.md"]
    containerfile = (ROOT / "Containerfile").read_text(encoding="utf-8")
    named = {"Containerfile", "compose.yaml", "requirements/run.txt"}

    assert [name for name in named if f"{name}" not in page or not (ROOT / name).is_file()] == []
    assert f"machjudge-{__version__}.tar.gz" in page
    (image,) = set(re.findall(r"FROM docker\.io/library/(\S+)", containerfile))
    assert f"`{image}`" in page
    (user,) = re.findall(r"--uid (\d+)", containerfile)
    assert f"number {user}," in page
    volumes = set(re.findall(r"--volume judge:(\S+)", page))
    assert volumes == set(re.findall(r"^VOLUME (\S+)", containerfile, re.MULTILINE))


def test_units_start_what_there_is() -> None:
    """Each service runs the program, the timer has its service, and all that is enabled exists."""
    found = units()
    enabled = {
        word
        for line in shell_lines()
        if line.startswith("systemctl") and "daemon-reload" not in line
        for word in line.split()
        if "." in word
    }

    timed = {
        f"machjudge-{what}.{kind}" for what in ("tick", "backup") for kind in ("service", "timer")
    }
    assert set(found) == {"machjudge.service", *timed}
    assert enabled == {"machjudge.service", "machjudge-tick.timer", "machjudge-backup.timer"}
    for name in enabled:
        assert found[name]["Install"]["WantedBy"]
    for name, unit in found.items():
        if name.endswith(".service"):
            assert unit["Service"]["ExecStart"].startswith(f"{PROGRAM} ")
            assert unit["Service"]["ReadWritePaths"] == "/var/lib/machjudge"


def test_the_services_share_one_sandbox() -> None:
    """Neither has rights of root, kernel settings, devices, or other places to write to."""
    services = [unit["Service"] for name, unit in units().items() if name.endswith(".service")]
    own = {"ExecStart", "Type", "Restart", "RestartSec", "TimeoutStopSec"}
    shared = [{key: each[key] for key in each if key not in own} for each in services]

    assert all(each == shared[0] for each in shared)
    assert shared[0]["CapabilityBoundingSet"] == ""
    assert shared[0]["ProtectSystem"] == "strict"
    assert shared[0]["SystemCallFilter"] == "@system-service"
    protected = [key for key in shared[0] if key.startswith(("Protect", "Private", "Restrict"))]
    assert len(protected) >= 15


def test_every_kind_of_line_in_the_log_stands_in_the_guide() -> None:
    """What the program logs, and what the guide explains, are the same."""
    sources = "\n".join(p.read_text("utf-8") for p in (ROOT / "machjudge").rglob("*.py"))
    logged = set(re.findall(r"log\.(?:info|warning|error|exception)\(\s*\"([^\"]+)\"", sources))
    table = GUIDE.partition("### The log")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)
    told = {name for row in rows for name in re.findall(r"`([^`]+)`", row)}

    assert len(logged) > 10
    assert told == logged


# --- letters of one's own --------------------------------------------------------------------


def own_templates(folder: Path) -> Path:
    """A folder with the template that the guide shows."""
    ((path, text),) = files("jinja").items()
    own = folder / Path(path).parent.name
    own.mkdir(parents=True)
    (own / Path(path).name).write_text(text, encoding="utf-8")
    return folder


def test_command_says_where_the_templates_lie() -> None:
    """So that one has something to copy."""
    (line,) = [line for line in shell_lines() if "templates_folder" in line]

    assert _run(line).strip() == str(templates_folder())


# --- the first mails -------------------------------------------------------------------------


def test_first_two_mails_of_each_page_are_answered_as_it_says(
    judge: Installation, relay: Postmaster
) -> None:
    """The help, and a game that is made once its master has answered."""
    judge.more["MACHJUDGE_CONFIRM"] = "on"
    endings = {text.partition("\n## The first two mails\n")[2] for text in PAGES.values()}
    assert len({ending.partition("\n## ")[0].strip() for ending in endings}) == 1
    first, helped, second, asked, done = shown("text", endings.pop())
    judge.run("migrate")
    judge.serve()

    def write(text: str, number: int, **more: str) -> str:
        written = EmailMessage()
        given = {
            "From": "you@mach.example",
            "To": "judge@mach.example",
            "Subject": "Hello",
            "Message-ID": f"<{number}@mach.example>",
            **more,
        }
        for name, value in given.items():
            written[name] = value
        written.set_content(text)
        judge.send(written.as_bytes(), sender="you@mach.example")
        wait_until(lambda: len(relay.taken) == number, f"answer {number}")
        answer = [*letters(relay)][-1].get_body(["plain"]).get_content()
        return "\n".join(answer.splitlines()) + "\n"

    assert helped in write(first, 1)
    assert asked in write(second, 2)
    asking = [*letters(relay)][-1]
    answer = {"In-Reply-To": str(asking["Message-ID"]), "Subject": f"Re: {asking['Subject']}"}
    assert done in write("", 3, **answer)


def _run(line: str, **places: str) -> str:
    """Run a line of the guide with our Python and with paths of the test."""
    for path, ours in {PYTHON: sys.executable, **places}.items():
        line = line.replace(path, ours)
    done = subprocess.run(  # noqa: S603  a line of our own guide
        shlex.split(line), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_postfix_takes_mail_for_the_judge_and_for_its_keeper() -> None:
    """Both addresses of the settings stand in a table of the judge's own domain."""
    settings = tomllib.loads(next(text for text in shown("toml") if "keeper " in text))
    (postfix,) = [text for text in shown("ini") if "virtual_mailbox_domains" in text]
    let_in = re.findall(r"inline:\{([^=}]+)=", postfix)

    assert {settings["address"], settings["keeper"]} == set(let_in)


# --- backup and mail -------------------------------------------------------------------------


@pytest.mark.sqlite
def test_backup_that_the_guide_makes_is_restored_as_it_says(judge: Installation) -> None:
    """What came after the backup is gone, what was there before is there."""
    judge.run("migrate")
    tables = "SELECT count(*) FROM sqlite_master"
    before = judge.rows(tables)
    save, restore = (typed(judge, each) for each in ("backup", "restore"))
    judge.run(*save)
    judge.rows("CREATE TABLE after_the_backup (x)")
    assert judge.rows(tables) != before

    judge.run(*restore)

    assert judge.rows(tables) == before
    judge.run("migrate")


def typed(judge: Installation, command: str) -> list[str]:
    """The words of a command as the guide shows them, with paths of the test."""
    found = [line for line in shell_lines() if f"{PROGRAM} {command} " in line]
    (line,) = [line for line in found if "--rotate" not in line]
    words = line.partition(f"{PROGRAM} ")[2]
    return shlex.split(words.replace("/var/lib/machjudge", str(judge.folder)))


def test_line_that_talks_to_the_judge_brings_an_answer_on_ones_own_paper(
    judge: Installation, relay: Postmaster
) -> None:
    """By LMTP, with another port; the keeper's template goes before the one that came along."""
    judge.run("migrate")
    judge.more["MACHJUDGE_TEMPLATES"] = str(own_templates(judge.folder / "own"))
    (line,) = [line for line in shell_lines() if "smtplib" in line]
    judge.more["MACHJUDGE_LISTEN"] = f"lmtp://127.0.0.1:{judge.port}"
    judge.start("serve")
    wait_until(lambda: "listening" in judge.log(), "the door")

    said = _run(line, **{"2424": str(judge.port)})
    wait_until(lambda: bool(relay.taken), "the answer")

    (answer,) = letters(relay)
    assert said.strip() == "{}"
    assert isinstance(answer, EmailMessage)
    assert answer["To"] == "you@mach.example"
    text = answer.get_body(["plain"]).get_content()
    first, second = [each for each in text.splitlines() if each.startswith("::")]
    assert first.startswith(":: Judge: MACH")
    assert second == ":: House rules: https://mach.example/rules"
