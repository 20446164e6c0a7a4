"""Every command, with everything that can be wrong: one clear sentence, one exit code."""

import os
import re
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from machjudge.app.application import prepare_database
from machjudge.cli import COMMANDS, main
from tests.cases import cases
from tests.cli.faulty import without_permission
from tests.patience import SECONDS

READING = ["keeper list", "keeper show 1", "keeper retry L1", "replay g", "export g", "verify g"]
"""The commands that look at a database."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which all commands are called."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def called(line: str, **variables: str) -> Result:
    """What comes of a command line."""
    return CliRunner().invoke(main, line.split(), env=variables, prog_name="machjudge")


def refused(line: str, **variables: str) -> str:
    """The one sentence with which a command refuses, without the name of the program."""
    result = called(line, **variables)
    (said,) = result.stderr.splitlines()
    assert (result.exit_code, result.stdout) == (2, "")
    assert said.startswith("machjudge: ")
    return said.removeprefix("machjudge: ")


# --- files ------------------------------------------------------------------------------------


def missing(_file: Path) -> None:
    """No file at all."""


def a_folder(file: Path) -> None:
    """A folder where a file is expected."""
    file.mkdir()


def not_utf8(file: Path) -> None:
    """Bytes that are no text."""
    file.write_bytes(b"caf\xe9 = \xff\x00")


def empty(file: Path) -> None:
    """A file without a byte."""
    file.touch()


def huge(file: Path) -> None:
    """A line of some millions of characters."""
    file.write_text("x" * 3_000_000)


Makes = Callable[[Path], None]


@pytest.mark.parametrize("make", [missing, a_folder])
@cases
def test_a_file_that_cannot_be_read_is_named(line: str, make: Makes, folder: Path) -> None:
    """With the reason."""
    make(folder / "x.toml")

    assert "x.toml" in refused(line)


@pytest.mark.parametrize("make", [not_utf8, empty, huge])
@pytest.mark.parametrize(
    "line", ["verify ./x.toml", "map show ./x.toml", "map draw ./x.toml", "serve --config ./x.toml"]
)
def test_a_file_that_is_no_such_file_is_named(line: str, make: Makes, folder: Path) -> None:
    """With what is wrong with it; a file of settings may be empty."""
    make(folder / "x.toml")
    if (line, make) == ("serve --config ./x.toml", empty):
        return

    assert "x.toml" in refused(line)


@pytest.mark.parametrize("make", [not_utf8, empty, huge])
def test_what_is_read_line_by_line_is_answered(make: Makes, folder: Path) -> None:
    """A mail may be anything, and so may a line of JSON; both end with 0."""
    make(folder / "x")

    for line in ("read x", "read --json x", "adjudicate x", "adjudicate --explain x"):
        result = called(line)
        assert (result.exit_code, result.stderr) == (0, "")


@pytest.mark.parametrize("make", [missing, a_folder, not_utf8, empty, huge])
def test_checking_a_bad_map_ends_with_1(make: Makes, folder: Path) -> None:
    """That is the answer which was asked for: a line for each fault, with the file."""
    make(folder / "x.toml")
    result = called("map check x.toml")

    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("x.toml:")


def test_files_without_permission_are_named(folder: Path) -> None:
    """Also those of a database, which somebody else may own."""
    prepare_database(f"sqlite:///{folder}/machjudge.db")
    (folder / "x.toml").touch()
    for each in folder.iterdir():
        each.chmod(0)
    folder.chmod(0o555)

    lines = ["read x.toml", "config --config x.toml", "map draw 1454 -o x.svg", "keeper list"]
    done = [run(line, preexec_fn=without_permission) for line in lines]

    folder.chmod(0o755)
    assert [each.returncode for each in done] == [2, 2, 2, 2]
    for each, word in zip(done, ["x.toml", "x.toml", "x.svg", "machjudge.db"], strict=True):
        assert re.fullmatch(rf"machjudge: .*{word}.*[Pp]ermission.*\n", each.stderr)


# --- the database -----------------------------------------------------------------------------


@pytest.mark.parametrize("line", READING)
def test_commands_that_read_create_nothing(line: str, folder: Path) -> None:
    """In the wrong folder they say which database they looked for, and what to do."""
    said = refused(line)

    assert said == (
        f"there is no database {folder}/machjudge.db: "
        "name the judge's settings with --config, or create it with machjudge migrate"
    )
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("line", READING)
def test_an_empty_database_is_not_filled_by_reading(line: str, folder: Path) -> None:
    """It stays as it is."""
    (folder / "machjudge.db").touch()

    assert "machjudge.db is empty: " in refused(line)
    assert (folder / "machjudge.db").read_bytes() == b""


@pytest.mark.parametrize("line", [*READING, "tick", "serve", "worker", "migrate"])
def test_a_file_that_is_no_database_is_named(line: str, folder: Path) -> None:
    """And not changed."""
    (folder / "machjudge.db").write_text("Dear Lucia,\n" * 100)

    assert f"{folder}/machjudge.db: file is not a database" in refused(line)
    assert (folder / "machjudge.db").read_text() == "Dear Lucia,\n" * 100


@pytest.mark.parametrize("line", [*READING, "tick", "serve", "migrate"])
def test_a_folder_is_no_database(line: str, folder: Path) -> None:
    """Which is said plainly."""
    (folder / "machjudge.db").mkdir()

    assert refused(line).endswith("machjudge.db: it is a folder")


@pytest.mark.parametrize("line", ["keeper list", "tick", "migrate"])
def test_a_database_of_another_program_stays_as_it_is(line: str, folder: Path) -> None:
    """To the last byte."""
    file = folder / "machjudge.db"
    with sqlite3.connect(file) as other:
        other.execute("CREATE TABLE recipes (name TEXT)")
    other.close()
    before = file.read_bytes()

    assert "of another program" in refused(line)
    assert file.read_bytes() == before


@pytest.mark.parametrize("line", [*READING, "tick", "serve", "migrate"])
def test_a_database_of_a_newer_version_is_refused(line: str, folder: Path) -> None:
    """By every command."""
    prepare_database(f"sqlite:///{folder}/machjudge.db")
    with sqlite3.connect(folder / "machjudge.db") as newer:
        newer.execute("UPDATE alembic_version SET version_num = '9999'")
    newer.close()

    assert re.search("newer version|not know: 9999", refused(line))


@pytest.mark.parametrize("line", ["keeper list", "tick", "migrate"])
def test_a_locked_database_is_told(
    line: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When patience has ended."""
    monkeypatch.setattr("machjudge.db.engine.PATIENCE_SECONDS", 0.1)
    prepare_database(f"sqlite:///{folder}/machjudge.db")
    other = sqlite3.connect(folder / "machjudge.db", isolation_level=None)
    other.execute("PRAGMA locking_mode=EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    other.execute("CREATE TABLE somebody (n INTEGER)")

    assert "machjudge.db: database is locked" in refused(line)
    other.close()


@pytest.mark.parametrize("line", ["keeper list", "tick", "serve", "migrate", "replay g"])
def test_a_missing_driver_is_told_with_the_command_that_installs_it(
    line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A judge without the extra `postgresql` whose settings name such a database."""
    monkeypatch.setitem(sys.modules, "psycopg", None)

    said = refused(line, MACHJUDGE_DATABASE="postgresql://judge:secret9@127.0.0.1/judge")

    assert said.endswith(f'not installed: {sys.executable} -m pip install "psycopg[binary]"')


def test_a_server_out_of_reach_is_named_without_its_password() -> None:
    """Host and database, so that one sees what was looked for."""
    said = refused("keeper list", MACHJUDGE_DATABASE="postgresql://judge:secret9@127.0.0.1:1/mach")

    assert "judge:***@127.0.0.1:1/mach" in said
    assert "secret9" not in said


# --- arguments and settings -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("keeper show twelve", "'twelve' is neither a mail (12) nor a message (L12)"),
        ("keeper show 99999999999999999999", "there is no mail set aside with the number"),
        ("keeper drop L99999999999999999999", "there is no message given up with the number"),
        ("tick --confg x", "Did you mean '--config'? See machjudge tick --help."),
        ("serve now", "unexpected extra argument (now). See machjudge serve --help."),
        ("map show", "Missing argument 'SCENARIO'. See machjudge map show --help."),
        ("map show 1455", "There is no scenario '1455'; there are 1385, 1454,"),
        ("replay b\udcffrgia", "there is no game called b?rgia"),
        ("verify b\udcffrgia", "there is no file b?rgia"),
    ],
)
def test_bad_arguments_have_the_prefix_and_the_exit_code_of_all_errors(
    line: str, said: str, folder: Path
) -> None:
    """One line that says where help is."""
    prepare_database(f"sqlite:///{folder}/machjudge.db")

    assert said in refused(line)


@pytest.mark.parametrize("line", ["tick", "keeper list", "keeper show 1", "map list", "config"])
def test_settings_are_named_on_either_side_of_a_command(line: str, folder: Path) -> None:
    """The one that stands last counts."""
    words = line.split()
    for place in range(len(words) + 1):
        said = refused(" ".join([*words[:place], "--config", "none.toml", *words[place:]]))
        assert said.startswith("none.toml: the settings cannot be read")

    (folder / "right.toml").write_text('code = "RIGHT"')
    told = called("--config none.toml config --config right.toml")
    assert 'code = "RIGHT"' in told.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_takes_the_option(name: str) -> None:
    """On its right as on its left."""
    for line in (f"--config none.toml {name} --help", f"{name} --config none.toml --help"):
        assert called(line).exit_code == 0


@pytest.mark.parametrize("name", ["serve", "tick", "doctor", "config"])
def test_without_time_zone_data_a_keeper_reads_what_to_install(folder: Path, name: str) -> None:
    """Neither the system has any, nor the package tzdata is there."""
    script = "import sys; sys.modules['tzdata'] = None; from machjudge.cli import main; main()"
    result = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", script, name],
        env={**os.environ, "PYTHONTZPATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )

    assert result.returncode == (1 if name == "doctor" else 2)
    assert (result.stdout + result.stderr).endswith(
        ": no time zone data is installed: install the package tzdata, of the system or with pip"
        " (pip install tzdata)\n"
    )
    assert len(result.stderr.splitlines()) <= 1


def test_all_faults_of_the_settings_are_told_at_once(folder: Path) -> None:
    """A line for each, those of the file before those of the variables; no password shows."""
    (folder / "j.toml").write_text(
        'code = 5\nadress = "x"\ntimezone = "Mars"\nrelay = "smtp://u:secret9@h"\nretry = [true]\n'
    )

    result = called("tick --config j.toml", MACHJUDGE_SIZE_LIMIT="much", MACHJUDGE_FOO="1")

    starts = [line.partition(" must ")[0] for line in result.stderr.splitlines()]
    assert result.exit_code == 2
    assert starts == [
        "machjudge: j.toml: code",
        "machjudge: j.toml: there is no setting 'adress'; did you mean address?",
        "machjudge: j.toml: timezone",
        "machjudge: j.toml: relay",
        "machjudge: j.toml: retry",
        starts[5],
        "machjudge: MACHJUDGE_SIZE_LIMIT: size_limit",
    ]
    assert starts[5].startswith("machjudge: there is no variable MACHJUDGE_FOO; ")
    assert "secret9" not in result.stderr


SETTING = "(setting listen, MACHJUDGE_LISTEN)"


def test_a_port_in_use_is_told_as_the_settings_write_it() -> None:
    """And with the words of the system."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        door = f"smtp://127.0.0.1:{taken.getsockname()[1]}"

        said = refused("serve", MACHJUDGE_LISTEN=door)

    assert said == f"cannot listen at {door}: Address already in use {SETTING}"


def test_a_socket_in_use_is_not_taken_from_its_judge(folder: Path) -> None:
    """One that nobody listens at any more is another matter."""
    door = f"lmtp+unix:{folder}/door"
    with socket.socket(socket.AF_UNIX) as taken:
        taken.bind("door")
        taken.listen()

        said = refused("serve", MACHJUDGE_LISTEN=door)

    assert said == f"cannot listen at {door}: Address already in use {SETTING}"


# --- what is printed --------------------------------------------------------------------------


def run(line: str, **options) -> subprocess.CompletedProcess[str]:
    """A command as a process of its own."""
    return subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", "machjudge", *line.split()],
        **{"stdout": subprocess.PIPE} | options,
        stderr=subprocess.PIPE,
        text=True,
        timeout=SECONDS,
        check=False,
    )


@pytest.fixture
def full() -> Iterator[int]:
    """A device on which nothing has room."""
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full here")
    device = os.open("/dev/full", os.O_WRONLY)
    yield device
    os.close(device)


@pytest.mark.parametrize("line", ["--help", "config", "map draw 1454", "keeper list"])
def test_an_answer_that_cannot_be_given_is_an_error(line: str, full: int, folder: Path) -> None:
    """Because the disk is full, or because the output is closed."""
    prepare_database(f"sqlite:///{folder}/machjudge.db")

    no_room = run(line, stdout=full)
    closed = run(line, stdout=None, preexec_fn=lambda: os.close(1))

    says = "machjudge: the answer cannot be written: "
    assert (no_room.returncode, no_room.stderr) == (2, f"{says}No space left on device\n")
    assert (closed.returncode, closed.stderr) == (2, f"{says}Bad file descriptor\n")


@pytest.mark.parametrize("line", ["--help", "config", "map draw 1454", "map check x.toml"])
def test_a_reader_who_has_enough_is_no_error(line: str, folder: Path) -> None:
    """`| head -1` leaves the exit code as it is, and stderr alone."""
    (folder / "x.toml").touch()
    reading, writing = os.pipe()
    os.close(reading)

    done = run(line, stdout=writing)

    os.close(writing)
    assert done.returncode == ("check" in line)
    assert done.stderr.strip() in {"", "x.toml: scenario.board: this key is missing"}


def test_a_terminal_that_is_not_utf8_gets_what_it_can_show(folder: Path) -> None:
    """What it cannot show is escaped; nothing ends the command."""
    (folder / "x.toml").write_text('maps = "Łdz"\n', "utf-8")
    (folder / "Łdz").mkdir()
    environment = {**os.environ, "PYTHONIOENCODING": "latin-1", "MACHJUDGE_CONFIG": "x.toml"}

    done = run("config", env=environment)

    assert (done.returncode, done.stderr) == (0, "")
    assert "\\u0141dz" in done.stdout


def test_a_drawing_replaces_nothing_unless_it_is_told_to(folder: Path) -> None:
    """With `--force` it does; without it the file stays as it is."""
    file = folder / "map.svg"
    file.write_text("my own drawing")

    assert refused("map draw 1454 -o map.svg") == "map.svg is there already; --force replaces it"
    assert file.read_text() == "my own drawing"

    assert called("map draw 1454 -o map.svg --force").exit_code == 0
    assert file.read_text("utf-8").startswith("<svg ")
    assert [each.name for each in folder.iterdir()] == ["map.svg"]


# --- help -------------------------------------------------------------------------------------


def test_the_list_of_commands_shows_whole_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each fits on a line of 80 columns; in a narrow terminal none is cut."""
    wide = called("--help").stdout + called("keeper --help").stdout + called("map --help").stdout
    monkeypatch.setenv("COLUMNS", "50")
    narrow = called("--help").stdout.partition("Commands:\n")[2]

    lines = [line for part in wide.split("Commands:\n")[1:] for line in _rows(part)]
    assert len(lines) == len(COMMANDS) + 16
    assert [line for line in lines if not line.endswith(".") or line.endswith("..")] == []
    assert "..." not in narrow


def _rows(part: str) -> list[str]:
    return part.partition("Usage:")[0].strip("\n").splitlines()


def test_help_says_what_the_exit_codes_mean() -> None:
    """All five stand in the keeper's guide, too."""
    told = " ".join(called("--help").stdout.split())

    assert "Exit codes: 0 done; 1 " in told


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "demo"])
def test_unforeseen_faults_are_one_line_with_a_code_of_their_own(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Kind and place, for a report; not what it says, which may be a secret."""

    def fail(*_arguments: object, **_options: object) -> None:
        message = "secret9"
        raise KeyError(message)

    monkeypatch.setattr(click.Command, "invoke", fail)
    result = called(f"{name} x y")

    if result.exit_code == 2:
        pytest.skip("its arguments are refused before that")
    assert result.exit_code == 3
    assert re.fullmatch(
        r"machjudge: a fault of machjudge itself, please report it: KeyError in test_\w+\.py:\d+\n",
        result.stderr,
    )
