"""`machjudge config`: what is in force, where it comes from, and no password."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from machjudge.cli import main
from machjudge.settings import TABLE, load
from tests.cases import cases


def test_every_setting_is_shown_with_what_it_means(runner: CliRunner) -> None:
    """Each row of the table appears with its meaning and what is expected."""
    output = runner.invoke(main, ["config"]).output

    for entry in TABLE:
        assert f"\n{entry.name} = " in output
        assert f"# {entry.meaning}\n# Expected: {entry.kind.expected}.\n" in output


def test_the_output_is_a_settings_file(runner: CliRunner) -> None:
    """What `config` prints can be used as the file, and gives the same settings."""
    Path("own").mkdir()
    environ = {
        "MACHJUDGE_LISTEN": "smtp://[::1]:2525 lmtp+unix:/run/judge.sock",
        "MACHJUDGE_RETRY": "2, 4",
        "MACHJUDGE_TIMEZONE": "Europe/Rome",
        "MACHJUDGE_TEMPLATES": "own",
        "MACHJUDGE_KEEPER": "keeper+mach@example.org",
    }
    output = runner.invoke(main, ["config"], env=environ).output
    Path("machjudge.toml").write_text(output, encoding="utf-8")

    again = load({})

    assert again.listen == load(environ).listen
    assert (again.retry, str(again.timezone)) == ((2, 4), "Europe/Rome")
    assert again.keeper == "keeper+mach@example.org"
    assert again.templates == Path("own").resolve()


def test_origins_are_told(runner: CliRunner) -> None:
    """Each value says whether it is the default, or which file or variable it comes from."""
    Path("judge.toml").write_text('code = "ROMA"\nmax_lines = 50\n', encoding="utf-8")

    result = runner.invoke(
        main,
        ["--config", "judge.toml", "config", "--json"],
        env={"MACHJUDGE_MAX_LINES": "60"},
    )
    shown = json.loads(result.output)

    assert (shown["code"]["value"], shown["code"]["origin"]) == ("ROMA", "judge.toml")
    assert (shown["max_lines"]["value"], shown["max_lines"]["origin"]) == (
        60,
        "MACHJUDGE_MAX_LINES",
    )
    assert (shown["address"]["value"], shown["address"]["origin"]) == ("judge@localhost", "default")


@pytest.mark.parametrize("how", [["config"], ["config", "--json"]])
@cases
def test_no_password_is_shown(
    runner: CliRunner, how: list[str], variable: str, text: str, seen: str
) -> None:
    """Passwords in addresses are masked, the rest of the address is not."""
    output = runner.invoke(main, how, env={f"MACHJUDGE_{variable}": text}).output

    assert seen in output
    assert "s3" not in output
    assert "kret" not in output


def test_a_named_file_that_is_missing_is_told(runner: CliRunner) -> None:
    """`--config` with a file that is not there ends with one line."""
    result = runner.invoke(main, ["--config", "nowhere.toml", "config"])

    assert result.exit_code == 2
    assert result.stderr == (
        "machjudge: nowhere.toml: the settings cannot be read: No such file or directory\n"
    )
