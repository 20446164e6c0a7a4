"""`machjudge adjudicate`: lines in, lines out, for programs and for people."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from machjudge.cli import main
from machjudge.cli.adjudicate import explained
from machjudge.formats.adjudicate import answer
from tests.formats.questions import MONEYLESS, asked, position
from tests.replays.judge import ATLAS, SPOKEN
from tests.replays.records import FILES, question, records


def answers(output: str) -> list[dict[str, Any]]:
    """The lines of an output."""
    return [json.loads(line) for line in output.splitlines()]


def test_each_line_is_answered_in_its_turn(runner: CliRunner) -> None:
    """Bad lines get errors, empty lines nothing, and the rest goes on."""
    lines = [json.dumps(asked(id=1)), "nonsense", "", "  ", json.dumps(asked(id=2))]

    result = runner.invoke(main, ["adjudicate"], input="\n".join(lines))

    assert result.exit_code == 0
    first, second, third = answers(result.output)
    assert first["id"] == 1
    assert "position" in first
    assert second["error"]["where"] == "line"
    assert third["id"] == 2
    assert "position" in third


def test_files_are_read_one_after_the_other(runner: CliRunner) -> None:
    """Instead of the standard input; a byte order mark does no harm."""
    Path("one").write_text(json.dumps(asked(id="a")) + "\n", encoding="utf-8-sig")
    Path("two").write_text(json.dumps(asked(id="b")), encoding="utf-8")

    result = runner.invoke(main, ["adjudicate", "one", "two"], input=json.dumps(asked(id="c")))

    assert [answer["id"] for answer in answers(result.output)] == ["a", "b"]


def test_a_file_that_is_not_there_is_a_clear_message(runner: CliRunner) -> None:
    """With the name, and 2 for a mistake of the caller's."""
    result = runner.invoke(main, ["adjudicate", "nowhere.jsonl"])

    assert result.exit_code == 2
    assert "nowhere.jsonl" in result.output


def test_a_keeper_s_own_scenarios_are_found(runner: CliRunner) -> None:
    """The folder of the setting `maps` counts here as well."""
    folder = Path("own/scenarios")
    folder.mkdir(parents=True)
    maps = Path(__file__).parents[2] / "maps"
    text = (maps / "scenarios" / "1454.toml").read_text(encoding="utf-8")
    (folder / "mine.toml").write_text(text.replace('also  = ["', 'also  = ["my-'), "utf-8")

    result = runner.invoke(
        main,
        ["adjudicate"],
        input=json.dumps(asked(scenario="mine")),
        env={"MACHJUDGE_MAPS": "own"},
    )

    assert "results" in answers(result.output)[0]


def test_a_broken_scenario_is_an_error_of_its_line(runner: CliRunner) -> None:
    """The line says what is wrong with the file, and the next line goes on."""
    folder = Path("own/scenarios")
    folder.mkdir(parents=True)
    (folder / "mine.toml").write_text("[scenario]\ntitle = 3\n", encoding="utf-8")
    lines = json.dumps(asked(scenario="mine")) + "\n" + json.dumps(asked())

    result = runner.invoke(main, ["adjudicate"], input=lines, env={"MACHJUDGE_MAPS": "own"})

    broken, sound = answers(result.output)
    assert broken["error"]["where"] == "scenario"
    assert "mine.toml" in broken["error"]["says"]
    assert "results" in sound


def test_a_fault_of_our_own_costs_no_other_line(
    runner: CliRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is told as such, traced for the keeper, and the program ends with 1."""

    def broken(line: bytes, *_: object) -> object:
        if b'"bad"' in line:
            message = "the cellar is flooded"
            raise KeyError(message)
        return answer(line, ATLAS, SPOKEN)

    monkeypatch.setattr("machjudge.cli.adjudicate.answer", broken)
    lines = json.dumps(asked(id="bad")) + "\n" + json.dumps(asked(id="good"))

    result = runner.invoke(main, ["adjudicate"], input=lines)

    bad, good = answers(result.stdout)
    assert result.exit_code == 1
    assert bad["id"] == "bad"
    assert "a fault of machjudge, not of the line: KeyError" in bad["error"]["says"]
    assert good["id"] == "good"
    assert "the cellar is flooded" in result.stderr


def test_a_program_can_talk_to_it_line_by_line(tmp_path: Path) -> None:
    """Every answer comes before the next question is asked."""
    with subprocess.Popen(
        [sys.executable, "-m", "machjudge", "adjudicate"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=tmp_path,
    ) as session:
        assert session.stdin is not None
        assert session.stdout is not None
        before = {"phase": "S1454M", "units": ["V A pad"]}
        for to in ("ver", "bre", "ber"):
            start = before["units"][0].split()[2]
            orders = {"V": [f"A {start} - {to}"]}
            line = json.dumps(asked(position=before, orders=orders, rules=MONEYLESS))
            session.stdin.write(line.encode() + b"\n")
            session.stdin.flush()
            before = json.loads(session.stdout.readline())["position"]
        session.stdin.close()

    assert session.returncode == 0
    assert before["units"] == ["V A ber"]
    assert before["phase"] == "F1454B"


def test_people_read_a_sentence_for_every_order(runner: CliRunner) -> None:
    """Who bounced it with which strength, who cut it, which fleet failed it."""
    question = position(
        units=["V A pad", "I A ver", "V A vic", "I A trt", "L A psa", "L F egl", "F G mar"]
    )
    question["orders"] = {
        "V": ["A pad - ver", "A vic s A pad - ver", "A pad frobnicate"],
        "I": ["A trt - vic"],
        "L": ["A psa - egl - pro", "A xyz h"],
    }

    output = runner.invoke(main, ["adjudicate", "--explain"], input=json.dumps(question)).output

    assert output.startswith("q: Spring 1454, campaign\n")
    for line in (
        "Venice",
        "  A pad - ver: bounced off A Verona (Milan), both with strength 1",
        "  A vic s A pad - ver: cut by A Trent (Milan)",
        "  A trt - vic: bounced off A Vicenza (Venice), both with strength 1",
        "  A psa - egl - pro: no convoy: no fleet in Eastern Gulf of Lyons carried it",
        '  A xyz h: not understood: no place of this board is called "xyz"',
        "  (G mar h): holds",
        "Next: Summer 1454, campaign",
    ):
        assert f"\n{line}\n" in output


def test_people_read_how_far_a_unit_marches(runner: CliRunner) -> None:
    """To the end, part of the way, or not at all."""
    question = position(units=["V A ver", "V A fri", "I A mil", "I A pav"])
    question["rules"] = {"preset": "judge", "set": {"strategic_move": "order_any", "money": False}}
    question["orders"] = {
        "V": ["A ver sm vic", "A fri sm trv - pad - fer"],
        "I": ["A mil sm pav", "A pav h"],
    }

    output = runner.invoke(main, ["adjudicate", "--explain"], input=json.dumps(question)).output

    assert "A ver sm vic [A ver sm - vic]: marches" in output
    assert "gets as far as Padua" in output
    assert "A mil sm pav [A mil sm - pav]: cannot march" in output


def test_people_read_where_a_unit_may_retreat(runner: CliRunner) -> None:
    """And by whom it was driven out."""
    question = position(units=["I A luc", "L A psa", "L A pst"])
    question["orders"] = {"I": ["A luc h"], "L": ["A psa - luc", "A pst s A psa - luc"]}

    output = runner.invoke(main, ["adjudicate", "--explain"], input=json.dumps(question)).output

    assert (
        "A luc h: dislodged by A Pisa (Florence), strength 2 against 1; "
        "may retreat to Bologna or Modena"
    ) in output
    assert "A psa - luc: moves with strength 2" in output
    assert "A pst s A psa - luc: supports A Pisa (Florence)" in output


def test_people_read_what_became_of_their_ducats(runner: CliRunner) -> None:
    """Loans and gifts refused or cut short, and expenses that were too small."""
    question = asked(
        rules={"preset": "judge", "set": {"dice": False, "adjacency": "none"}},
        position={
            "phase": "S1454M",
            "units": ["V A pad", "I A ver"],
            "treasury": {"V": 20, "I": 9, "L": 5},
            "loans": [
                {"power": "V", "principal": 20, "interest": 0, "due": "F1455"},
                {"power": "L", "principal": 1, "interest": 0, "due": "F1455"},
            ],
        },
        orders={
            "V": ["expense 1: 3 ducats buy A ver", "borrow 20 ducats for 1 year"],
            "I": ["pay 20 ducats to Florence", "pay 1 ducat to bank", "A pad h", "A cr - ver"],
            "L": ["pay 5 ducats to Milan"],
        },
    )

    output = runner.invoke(main, ["adjudicate", "--explain"], input=json.dumps(question)).output

    for line in (
        "  expense 1: 3 ducats buy A ver: too small: it weighs 3 ducats, the price is 18 ducats",
        "  borrow 20 ducats for 1 year: refused: limit",
        "  pay 20 ducats to Florence: only 9 ducats of 20 were there",
        "  pay 1 ducat to bank: only 0 ducats of 1 were taken",
        "  pay 5 ducats to Milan: refused: in debt",
        "  A pad h: not an order for one of its own units",
    ):
        assert f"\n{line}\n" in output


def test_people_read_errors_too(runner: CliRunner) -> None:
    """In one line, with the place of the fault."""
    output = runner.invoke(
        main, ["adjudicate", "--explain"], input=json.dumps(asked(scenario="1455"))
    ).output

    assert output == 'q: an error at scenario: there is no scenario "1455"\n\n'


def test_a_question_without_an_id_is_explained_without_one(runner: CliRunner) -> None:
    """Nobody is called None."""
    for one in (asked(id=None), asked(id=None, scenario="1455")):
        told = runner.invoke(main, ["adjudicate", "--explain"], input=json.dumps(one)).output

        assert not told.startswith("None")


def test_nothing_that_a_terminal_obeys_is_repeated(runner: CliRunner) -> None:
    """An order can hold any character; the explanation cannot."""
    question = asked(orders={"V": ["A pad \x1b[2J\x07 \ud800"]}, id="\x1b[31m")

    output = runner.invoke(main, ["adjudicate", "--explain"], input=json.dumps(question)).output

    assert all(char.isprintable() or char == "\n" for char in output)


@pytest.mark.parametrize("name", FILES)
def test_every_kind_of_phase_can_be_explained(name: str) -> None:
    """Every order of the recorded phases gets a sentence of its own."""
    for record in list(records(name))[:: 40 if name != "datc" else 4]:
        text = explained(answer(question(record), ATLAS, SPOKEN))

        assert ": failed\n" not in text, record["id"]
        assert ": \n" not in text, record["id"]
