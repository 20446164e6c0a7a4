"""`machjudge read`: what a keeper sees of a raw mail."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from machjudge.cli.read import read
from tests.mail_parser.mails import CORPUS, corpus, mail


@pytest.mark.parametrize("case", corpus(), ids=lambda case: case.name)
def test_the_json_has_kind_lines_defects_and_rows(case) -> None:
    """As the corpus expects them; each row has an owner, and the writer's rows have a kind."""
    result = CliRunner().invoke(read, ["--json", str(CORPUS / f"{case.name}.eml")])
    shown = json.loads(result.output)

    assert result.exit_code == 0
    assert list(shown) == ["kind", "lines", "defects", "rows"]
    assert all((row["kind"] is None) == (row["owner"] != "writer") for row in shown["rows"])
    assert (shown["kind"], tuple(shown["lines"])) == (case.kind, case.lines)
    assert all(isinstance(defect, str) for defect in shown["defects"])


def test_defects_are_sentences_with_their_lines() -> None:
    """A keeper can tell the player which line, and why."""
    result = CliRunner().invoke(read, ["--json", str(CORPUS / "32_huge_line.eml")])

    assert json.loads(result.output)["defects"] == ["line 2: the line is too long; not read"]


def test_a_mail_is_shown_for_people() -> None:
    """Sender, subject, kind, defects, and the lines with their numbers in the mail."""
    raw = mail("SIGNON Lborgia tulip9\n\nA Flo \x07H\nSIGNOFF\n", "Subject: Orders")

    result = CliRunner().invoke(read, ["-"], input=raw)

    assert result.output.splitlines() == [
        "from:    lucia@player.example",
        "subject: Orders",
        "kind:    hold",
        "defect:  line 3: the line holds control characters; not read",
        "    1  SIGNON Lborgia tulip9",
        "    4  SIGNOFF",
    ]


def test_the_reason_of_silence_is_shown() -> None:
    """Why a mail is never answered."""
    result = CliRunner().invoke(read, [str(CORPUS / "21_out_of_office.eml")])

    assert "kind:    ignore (the mail says that it was submitted automatically" in result.output


def test_the_address_for_answers_is_shown_if_it_is_another() -> None:
    """Reply-To, when it counts."""
    result = CliRunner().invoke(read, [str(CORPUS / "reply_to.eml")])

    assert "answer:  lucia@home.example" in result.output


def test_a_mail_can_come_by_standard_input() -> None:
    """A dash is standard input."""
    result = CliRunner().invoke(read, ["--json", "-"], input=mail("list\n"))

    assert json.loads(result.output) == {
        "kind": "orders",
        "lines": ["list"],
        "defects": [],
        "rows": [
            {"number": 1, "text": "list", "owner": "writer", "kind": "command", "changed": False}
        ],
    }


@pytest.mark.parametrize("name", ["missing.eml", "."])
def test_a_file_that_cannot_be_read_is_said_so(name: str, tmp_path: Path) -> None:
    """A clear message and exit code 2, no traceback."""
    result = CliRunner().invoke(read, [str(tmp_path / name)])

    assert (result.exit_code, type(result.exception)) == (2, SystemExit)
    assert "No such file" in result.output or "Is a directory" in result.output


def test_terminal_escapes_do_not_reach_the_terminal() -> None:
    """A mail cannot write to the keeper's screen what it likes."""
    raw = mail(
        "A \x1b[2J H\nA Flo H\n", "Subject: =?utf-8?q?=1B[2J?=", sender="\x1b[2J <a@b.example>"
    )

    result = CliRunner().invoke(read, ["-"], input=raw)

    assert "\x1b" not in result.output


def test_what_is_not_read_is_shown_with_its_owner_and_kind() -> None:
    """Greetings, and what stands below a closing line or in a quotation."""
    raw = mail("Hi all\nSIGNON Lborgia tulip9\nA Flo H\n> A Flo - Bol\n\nRegards,\nLucia\n")

    result = CliRunner().invoke(read, ["-"], input=raw)

    shown = result.output.splitlines()
    assert "    1  Hi all   (prose: not read)" in shown
    assert "    3  A Flo H" in shown
    assert "    4  A Flo - Bol   (quotation: not read)" in shown
    assert "    6  Regards,   (footer: not read)" in shown


def test_a_reference_by_an_endless_number_is_read() -> None:
    """The line is marked as one that holds what is no text; the rest is read."""
    raw = mail("<p>HELP<p>A Flo &#" + "1" * 4301 + ";", "Content-Type: text/html")

    result = CliRunner().invoke(read, ["-"], input=raw)

    assert result.exit_code == 0
    assert result.output.splitlines()[-1] == "    1  HELP"
    assert "line 2: the line holds bytes that are no text" in result.output
