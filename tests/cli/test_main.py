"""The command itself: its sub-commands, its errors, its quiet ends."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.shell_completion import BashComplete
from click.testing import CliRunner

from machjudge import __version__
from machjudge.cli import COMMANDS, completed, imported, main
from tests.cases import cases

RUN_FAULTY = (
    "from machjudge.cli import COMMANDS, main;COMMANDS['faulty'] = 'tests.cli.faulty:faulty';main()"
)


@pytest.fixture
def runner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CliRunner:
    """A command line in a folder of its own, with a command that ends badly."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(COMMANDS, "faulty", "tests.cli.faulty:faulty")
    return CliRunner()


@pytest.fixture
def _faulty_is_missing(runner: CliRunner, monkeypatch: pytest.MonkeyPatch) -> None:
    """The module of the command that ends badly is not there."""
    monkeypatch.setitem(COMMANDS, "faulty", "tests.cli.nowhere:faulty")


def test_version_is_told(runner: CliRunner) -> None:
    """`machjudge --version` names the program and its version."""
    assert runner.invoke(main, ["--version"]).output == f"machjudge, version {__version__}\n"


@pytest.mark.usefixtures("_faulty_is_missing")
def test_help_lists_the_commands_that_are_there(runner: CliRunner) -> None:
    """A command whose module is missing is not offered."""
    output = runner.invoke(main, ["--help"]).output

    assert "\n  config " in output
    assert "faulty" not in output


@pytest.mark.usefixtures("_faulty_is_missing")
def test_a_command_without_module_is_unknown(runner: CliRunner) -> None:
    """Calling a command whose module is missing is a usage error, no traceback."""
    result = runner.invoke(main, ["faulty"])

    assert result.exit_code == 2
    assert "No such command 'faulty'" in result.stderr


def test_a_mistyped_command_names_the_nearest(runner: CliRunner) -> None:
    """`confg` asks whether `config` was meant."""
    result = runner.invoke(main, ["confg"])

    assert result.exit_code == 2
    assert "Did you mean 'config'?" in result.stderr


def test_a_fault_is_one_line(runner: CliRunner) -> None:
    """A fault of ours ends with status 2 and one line on stderr, however it was worded."""
    result = runner.invoke(main, ["faulty", "fault"])

    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr == "machjudge: the map classic is broken\n"


def test_a_bad_setting_is_one_line(runner: CliRunner) -> None:
    """A setting that cannot be used ends with status 2 and one line on stderr."""
    result = runner.invoke(main, ["config"], env={"MACHJUDGE_SIZE_LIMIT": "much"})

    assert result.exit_code == 2
    assert result.stderr == (
        "machjudge: MACHJUDGE_SIZE_LIMIT: size_limit must be "
        "a whole number of bytes, 1024 or more, not 'much'\n"
    )


def test_interrupting_is_quiet(runner: CliRunner) -> None:
    """Ctrl-C ends with the status of shells and without a word."""
    result = runner.invoke(main, ["faulty", "interrupt"])

    assert result.exit_code == 130
    assert result.output == ""


def test_a_question_that_nobody_answers_ends_as_when_interrupted(runner: CliRunner) -> None:
    """Where input is at its end; it is no fault of the program."""
    result = runner.invoke(main, ["faulty", "ask"], input="")

    assert result.exit_code == 130
    assert result.output.strip() == "Who:"


def test_a_closed_pipe_is_quiet() -> None:
    """`machjudge … | head -1` leaves no complaint on stderr."""
    with subprocess.Popen(  # noqa: S603 (our own arguments)
        [sys.executable, "-c", RUN_FAULTY, "faulty", "talk"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as talking:
        assert talking.stdout
        assert talking.stderr
        first = talking.stdout.readline()
        talking.stdout.close()
        complaint = talking.stderr.read()

    assert first == b"a line of some length\n"
    assert complaint == b""


def test_the_module_runs_like_the_command() -> None:
    """`python -m machjudge` is `machjudge`."""
    command = [sys.executable, "-m", "machjudge", "--version"]

    output = subprocess.check_output(command, text=True)  # noqa: S603 (our own arguments)

    assert output == f"machjudge, version {__version__}\n"


def test_a_command_imports_only_what_it_needs() -> None:
    """Showing the settings loads neither database nor grammar nor mail server."""
    heavy = {"sqlalchemy", "alembic", "lark", "jinja2", "aiosmtpd", "argon2", "structlog"}
    script = (
        "import sys; from machjudge.cli import main; main(['config'], standalone_mode=False);"
        f"print(sorted(set({heavy!r}) & set(sys.modules)))"
    )

    output = subprocess.check_output([sys.executable, "-c", script], text=True)  # noqa: S603

    assert output.splitlines()[-1] == "[]"


def test_what_shells_complete_is_offered_without_the_program() -> None:
    """Options of each command and the commands below it: no database and no rules are loaded."""
    script = (
        "import sys\n"
        "from click.shell_completion import BashComplete\n"
        "from machjudge.cli import main\n"
        "shell = BashComplete(main, {}, 'machjudge', '')\n"
        "for words in (['keeper', 'ban'], *([name] for name in sys.argv[1:])):\n"
        "    assert shell.get_completions(words, '--'), words\n"
        "assert shell.get_completions(['keeper'], '')\n"
        "print(*sorted(name for name in sys.modules if name.startswith('machjudge.')))\n"
        "print(*sorted({'sqlalchemy', 'lark', 'jinja2', 'PIL'} & set(sys.modules)))"
    )

    own, heavy, _ = subprocess.check_output(  # noqa: S603 (our own arguments)
        [sys.executable, "-c", script, *COMMANDS], text=True
    ).split("\n")

    assert {name.split(".")[1] for name in own.split()} == {"adjudicator", "cli", "settings"}
    assert [name for name in own.split() if ".adjudicator." in name] == [
        "machjudge.adjudicator.names"
    ]
    assert heavy == ""


def _each_command(of: click.Command, names: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    yield names
    for name, command in of.commands.items() if isinstance(of, click.Group) else ():
        yield from _each_command(command, (*names, name))


@pytest.mark.parametrize("name", COMMANDS)
def test_shells_complete_what_the_command_itself_would(name: str) -> None:
    """Options, commands, choices and files, each with its help."""
    whole, light = imported(name), completed(name)

    for words in _each_command(whole, ()):
        for begun in ("", "-"):
            offered = []
            for command in (whole, light):
                shell = BashComplete(command, {}, name, "")
                found = shell.get_completions([*words], begun)
                told = [(each.value, each.type, each.help) for each in found]
                # If -h is one as well is decided when a command is first asked for help.
                offered.append([each for each in told if each[0] not in {"-h", "--help"}])
            assert offered[0] == offered[1]


@pytest.mark.parametrize("begun", ["", "ver", "--"])
def test_the_list_of_commands_and_what_shells_complete_import_no_command(begun: str) -> None:
    """The sentence of each command is read in its source; nothing but click is loaded."""
    script = (
        "import sys\n"
        "from click.shell_completion import BashComplete\n"
        "from machjudge.cli import main\n"
        "offered = BashComplete(main, {}, 'machjudge', '').get_completions([], sys.argv[1])\n"
        "main(['--help'], standalone_mode=False)\n"
        "print(*sorted(name for name in sys.modules if name.startswith('machjudge.cli.')))\n"
        "print(len(offered) > 0, *sorted({'sqlalchemy', 'lark', 'jinja2'} & set(sys.modules)))"
    )

    output = subprocess.check_output(  # noqa: S603 (our own arguments)
        [sys.executable, "-c", script, begun], text=True
    ).splitlines()

    assert "  verify       Check all dice and positions of a game." in output
    assert output[-2:] == ["machjudge.cli.faults", "True"]


def test_every_command_of_the_table_is_a_command(runner: CliRunner) -> None:
    """Each command that is listed can be imported and explains itself."""
    listed = main.list_commands(main.make_context("machjudge", ["config"]))

    silent = [name for name in listed if runner.invoke(main, [name, "--help"]).exit_code != 0]

    assert "config" in listed
    assert silent == []


def test_differences_of_two_sets_of_rules(runner: CliRunner) -> None:
    """Each option with both of its sentences."""
    output = runner.invoke(main, ["differences", "judge", "judge2009"]).output

    assert "home_loss\n  judge: A power keeps a home country" in output


@cases
def test_shells_complete_commands_and_options(words, begun, offered) -> None:
    """As far as is written."""
    found = BashComplete(main, {}, "machjudge", "_MACHJUDGE_COMPLETE").get_completions(words, begun)

    assert [each.value for each in found] == offered
