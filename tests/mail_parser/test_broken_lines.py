"""A line that a mail program broke is put together; a command below a long line never is."""

import re

import pytest

from machjudge.judge.command_table import TABLE
from machjudge.mail_parser.lines import Line
from tests.cases import cases
from tests.language.test_docs import EXAMPLES, PAGE
from tests.mail_parser.mails import SIGNON, lines_of, mail

LONG = "A Ravenna supports the army of the Duke of Milan from Ferrara to Bologna"
"""So long that the first word of hardly any line would have fitted behind it."""

COMMANDS = sorted(
    {
        f"{words.upper()} Borgia"
        for entry in TABLE
        for words in (entry.name, *entry.also)
        if words[0].isalpha() and "…" not in words
    }
)
ORDERS = sorted(
    {line for line, _ in EXAMPLES}
    | {
        order
        for cell in re.findall(r"^\| ((?:`[^`]+`(?:, )?)+) \|", PAGE, re.MULTILINE)
        for order in re.findall(r"`([^`…]+)`", cell)
    }
)


@pytest.mark.parametrize("line", COMMANDS)
def test_no_command_is_swallowed_by_a_long_line_above_it(line: str) -> None:
    """Every command of the table, by each of its names, stays a line of its own."""
    assert lines_of(mail(f"{SIGNON}\n{LONG}\n{line}\n")) == [SIGNON, LONG, line]


@pytest.mark.parametrize("line", ORDERS)
def test_no_order_is_swallowed_by_a_long_line_above_it(line: str) -> None:
    """Every form of an order that the documentation shows stays a line of its own."""
    assert len(lines_of(mail(f"{SIGNON}\n{LONG}\n{line}\n"))) == 3


@cases
def test_what_used_to_be_swallowed_stays_a_line(line: str) -> None:
    """A player of two powers must not pay from the wrong purse."""
    assert lines_of(mail(f"{SIGNON}\n{LONG}\n{line}\n")) == [SIGNON, LONG, line]


@pytest.mark.parametrize(
    ("above", "below"),
    [
        (LONG, "holds"),
        (
            "F Western Mediterranean Sea convoys A Pisa - Ligurian Sea - Gulf of Lions",
            "to Sardinia",
        ),
        ("Florence, Milan and Venice all want to borrow 25 ducats from the bank, I", "for 2 years"),
        ("E1: 12 ducats", "disband army bologna"),
        ("Expense 2: 9 d", "disbands A Florence"),
    ],
)
def test_the_rest_of_a_broken_order_is_put_back(above: str, below: str) -> None:
    """A word that may begin an order still ends a broken one where nothing else makes sense."""
    assert lines_of(mail(f"{SIGNON}\n{above}\n{below}\n")) == [SIGNON, f"{above} {below}"]


def test_a_piece_of_a_seal_is_no_expense() -> None:
    """Hexadecimal digits that begin with an e; an expense goes on with its ducats."""
    for text, is_said in (("e3f9a594eccc9ea0b4896d56f9", False), ("e3 9d buy A bol", True)):
        assert Line(1, text, text).is_said is is_said


def test_a_comment_is_never_the_rest_of_an_order() -> None:
    """Not even of one that could go on."""
    rows = [SIGNON, "G ven C A", "# comes nearer to Venice", "A ver -", "// and then?"]
    assert lines_of(mail("\n".join(rows))) == rows


@pytest.mark.parametrize("line", ["PHASE EVERY M", "CLEAR EVERY M", "BECOME F", "FOR A"])
def test_a_command_that_ends_with_a_letter_swallows_no_order(line: str) -> None:
    """The letter is a kind of phase, or a power, and not the beginning of a broken order."""
    order = "army florence to bologna"

    assert lines_of(mail(f"{SIGNON}\n{line}\n{order}\n")) == [SIGNON, line, order]
