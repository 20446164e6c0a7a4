"""``machjudge import``: what one judge exports another one keeps, or refuses whole in one line."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from machjudge.formats.game_file import chronicle_lines, seal_of
from machjudge.judge.records import GameId, StoredPhase
from tests.cli.test_verify import desk, game, one_line, run
from tests.db.examples import LUCIA
from tests.games.chronicles import first_version

MASTER = ("--master", "L.Rossi@example.org")
Document = dict[str, Any]
Change = Callable[[Document], object]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A finished game as another judge has exported it."""
    path = tmp_path / "chance.json"
    path.write_text("\n".join(chronicle_lines(game())) + "\n", encoding="ascii")
    return path


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """The database of a judge with one person and no game."""
    path = tmp_path / "club.sqlite"
    with desk(path) as uow:
        uow.persons.save(LUCIA)
    return path


def nothing_is_kept(database: Path, name: str = "chance") -> bool:
    """True if neither the game nor a phase of it is in the database."""
    with desk(database) as uow:
        return uow.games.get(GameId(name)) is None and not uow.phases.all_of(GameId(name))


def test_a_game_that_is_imported_is_exported_byte_for_byte(database: Path, file: Path) -> None:
    """And shown, replayed and verified; the seal is told, to be compared with its last mail."""
    told = run(database, "import", str(file), *MASTER)

    assert told.exit_code == 0
    assert told.stdout.splitlines() == [
        "Chance: 5 phases imported; the seal of its last mail",
        f"must be {seal_of(game())}",
    ]
    assert run(database, "export", "chance").stdout == file.read_text(encoding="ascii")
    assert "5 phases, 0 of them wrong" in run(database, "replay", "chance").stdout
    assert f"seal    holds: it is {seal_of(game())}" in run(database, "verify", "chance").stdout
    assert "Played as Chance at the judge MACH." in run(database, "show", "chance").stdout


def test_a_game_gets_another_name_and_keeps_the_one_that_is_sealed(
    database: Path, file: Path
) -> None:
    """Twice the same game is two games; each file is the one that was imported."""
    run(database, "import", str(file), *MASTER)
    told = run(database, "import", str(file), *MASTER, "--as", "Fortune")

    assert told.stdout.startswith("Fortune: 5 phases imported;")
    assert run(database, "export", "fortune").stdout == file.read_text(encoding="ascii")
    assert run(database, "export", "chance").stdout == file.read_text(encoding="ascii")


def test_orders_are_kept_as_those_of_players_or_of_the_judge(database: Path, file: Path) -> None:
    """The lines of players came with mails, and stand on file; those of the judge do not."""
    run(database, "import", str(file), *MASTER)
    entry = next(each for each in game().phases if each.orders)
    silent = min(entry.orders)

    with desk(database) as uow:
        phase: StoredPhase = uow.phases.get(GameId("chance"), entry.number)
        order_sets = uow.order_sets.on_file(GameId("chance"), entry.number - 1)

    assert {power for power, lines in phase.orders.items() if lines[0].mail is None} == {silent}
    assert set(order_sets) == set(entry.orders) - {silent}


def test_a_file_of_version_1_is_imported(database: Path, file: Path) -> None:
    """It comes out as one of the newest version, with the seal that it had."""
    file.write_bytes(first_version(game()))

    told = run(database, "import", str(file), *MASTER)
    said = json.loads(run(database, "export", "chance").stdout)

    assert told.exit_code == 0
    assert (said["version"], said["seal"]) == (3, seal_of(game()))
    assert said["end"]["how"] == "terminated"
    assert {phase["played"] for phase in said["phases"]} == {said["end"]["at"]}


def test_phases_of_other_versions_may_come_out_otherwise_now(database: Path, file: Path) -> None:
    """They are no obstacle, as they are none for verify."""
    entry = game().phases[2]
    power = max(entry.orders, key=lambda each: len(entry.orders[each]))
    fewer = replace(entry, orders={**entry.orders, power: entry.orders[power][:1]})
    phases = (*game().phases[:2], fewer, *game().phases[3:])
    lines = chronicle_lines(replace(game(), phases=phases))
    file.write_text("\n".join(lines), encoding="ascii")

    assert "would come out otherwise now" in run(database, "verify", str(file)).stdout
    assert run(database, "import", str(file), *MASTER).exit_code == 0


# --- refusals --------------------------------------------------------------------------------


def lie(said: Document) -> None:
    """A ducat more for Venice."""
    said["phases"][2]["after"]["treasuries"]["V"] += 1


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        (lie, "starts"),
        (lambda said: said["phases"][2]["dice"].clear(), "dice"),
        (lambda said: said.update(judge="ELSE"), "seal"),
        (lambda said: said.update(secret="00" * 32), "secret"),
        (lambda said: said["phases"].clear(), "phases"),
    ],
)
def test_a_file_in_which_something_is_wrong_is_refused_with_the_findings(
    change: Change, wrong: str, database: Path, file: Path
) -> None:
    """Those of verify, and one line that says so; nothing is kept."""
    said = json.loads(file.read_text(encoding="ascii"))
    change(said)
    file.write_text(json.dumps(said), encoding="ascii")

    refused = run(database, "import", str(file), *MASTER)

    assert refused.exit_code == 2
    assert refused.stdout == run(database, "verify", str(file)).stdout
    assert refused.stdout.splitlines()[-1] == f"Not everything holds. First of all: {wrong}."
    assert refused.stderr == f"machjudge: {file} is not imported: what it tells does not hold\n"
    assert nothing_is_kept(database)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda said: said.update(scenario="1789"), "there is no scenario '1789' here to play it"),
        (lambda said: said.update(version=4), " is broken at version: the number 4 stands where"),
        (lambda said: said.pop("end"), " is broken at end: is missing"),
        (lambda said: said["end"].update(how="luck"), ' is broken at end.how: "luck" is none of'),
        (lambda said: said["end"].update(winners=["Q"]), "it cannot be shown: KeyError: 'Q'"),
        (
            lambda said: said["phases"][1].update(played="soon"),
            ' is broken at phases[1].played: the text "soon" stands where an instant in UTC',
        ),
        (
            lambda said: said["phases"][1].update(adjudicator="1\0"),
            " is broken at phases[1].adjudicator: a NUL or half a character stands in it",
        ),
        (lambda said: said.update(game="\udcff"), " is broken at game: a NUL or half a character"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_in_one_line(
    change: Change, says: str, database: Path, file: Path
) -> None:
    """With what is wrong and where; nothing is kept."""
    said = json.loads(file.read_text(encoding="ascii"))
    change(said)
    file.write_text(json.dumps(said), encoding="ascii")

    assert says in one_line(run(database, "import", str(file), *MASTER))
    assert nothing_is_kept(database)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "Missing option '--master'. See "),
        (("--master", "nobody@example.com"), "nobody who is registered here has the address nobo"),
        (("--master", ""), "nobody who is registered here has the address"),
        ((*MASTER, "--as", "two words"), "a game's name has up to 20 letters and digits and beg"),
        ((*MASTER, "--as", ""), "a game's name has up to 20 letters and digits and beg"),
        ((*MASTER, "--as", "Taken"), "there is a game Taken already; take another name (--as "),
    ],
)
def test_a_name_or_a_master_that_cannot_be_is_refused(
    arguments: tuple[str, ...], says: str, database: Path, file: Path
) -> None:
    """Before anything of the file is played again."""
    run(database, "import", str(file), *MASTER, "--as", "taken")

    assert says in one_line(run(database, "import", str(file), *arguments))
    assert nothing_is_kept(database)


def test_what_is_no_file_of_a_game_is_told(database: Path, file: Path) -> None:
    """As verify tells it."""
    file.write_bytes(file.read_bytes()[:5000])
    missing = file.with_name("none.json")

    assert " is broken: it is not JSON: " in one_line(run(database, "import", str(file), *MASTER))
    assert one_line(run(database, "import", str(missing), *MASTER)) == (
        f"machjudge: {missing} cannot be read: No such file or directory"
    )


def test_no_database_comes_into_being(file: Path, tmp_path: Path) -> None:
    """In the wrong folder the one that is missing is named."""
    elsewhere = tmp_path / "elsewhere.sqlite"

    assert str(elsewhere) in one_line(run(elsewhere, "import", str(file), *MASTER))
    assert not elsewhere.exists()
