"""Mails made after public bug reports: whose words each row is, and what of them is read."""

import json
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from machjudge.cli.read import read

REPORTS = Path(__file__).parent / "reports"
EXPECTED = tomllib.loads((REPORTS / "expected.toml").read_text(encoding="utf-8"))


def shown(name: str, *options: str) -> dict:
    """What `machjudge read` makes of a mail."""
    result = CliRunner().invoke(read, ["--json", *options, str(REPORTS / f"{name}.eml")])
    assert result.exit_code == 0, result.output
    return json.loads(result.output)


@pytest.mark.parametrize("is_known", [True, False], ids=["known", "unknown"])
@pytest.mark.parametrize("name", EXPECTED)
def test_exactly_what_the_writer_says_is_read(name: str, *, is_known: bool) -> None:
    """With and without the message that the mail answers."""
    options = ["--answering", str(REPORTS / "answered.eml")] if is_known else []

    mail = shown(name, *options)

    assert mail["kind"] == EXPECTED[name]["kind"]
    assert mail["lines"] == EXPECTED[name]["lines"]


@pytest.mark.parametrize("name", [name for name in EXPECTED if name.startswith("1_")])
def test_each_row_of_a_known_message_is_the_judges(name: str) -> None:
    """With nothing of it left to the writer or to somebody else."""
    mail = shown(name, "--answering", str(REPORTS / "answered.eml"))

    quoted = [row for row in mail["rows"] if row["text"] == "build G Arezzo, G Florence, G Pisa"]
    assert [row["owner"] for row in quoted] == ["judge"]


def test_every_mail_of_the_reports_is_tested() -> None:
    """No mail lies in the folders without its expectation, and none is missing."""
    found = {str(path.relative_to(REPORTS).with_suffix("")) for path in REPORTS.glob("*/*.eml")}
    assert found == set(EXPECTED)
