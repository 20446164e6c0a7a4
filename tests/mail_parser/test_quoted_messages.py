"""Whatever the judge has sent, and however a mail program quotes it: only the writer orders."""

import re
import tomllib
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from textwrap import wrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from machjudge.judge.credentials import LABEL
from machjudge.judge.mail_context import read_mail
from machjudge.mail_parser.lines import LineKind, Owner
from tests.cases import cases
from tests.judge.house import message_renderer
from tests.mail_parser.mails import html, mail
from tests.mail_parser.programs import HABITS, written

GOLDEN = Path(__file__).parents[1] / "messages" / "golden"


def _messages() -> dict[str, list[str]]:
    """The texts of every message of the golden folder, in the three languages, by their names."""
    found: dict[str, list[str]] = {}
    for path in sorted(GOLDEN.glob("*.txt")):
        letters = re.split(r"^(?=To: \S+@)", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        found[path.stem] = [each.partition("\n\n")[2] for each in letters if each.strip()]
    return found


MESSAGES = _messages()
TEXTS = [text for texts in MESSAGES.values() for text in texts]
PAGES = sorted(GOLDEN.glob("html/*.html"))
"""Messages in HTML, each the other form of the text that is called like it."""
UTF8 = "Content-Type: text/plain; charset=utf-8"
_LINES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
TYPED, ANNOUNCED = _LINES["typed"], _LINES["announced"]
Layout = Callable[[Sequence[str]], list[str]]


def marked(rows: Sequence[str]) -> list[str]:
    """With the usual marks."""
    return [f"> {row}".rstrip() for row in rows]


def bare(rows: Sequence[str]) -> list[str]:
    """Without any."""
    return [*rows]


def indented(rows: Sequence[str]) -> list[str]:
    """Without marks, set in."""
    return [f"    {row}" if row else row for row in rows]


def bulleted(rows: Sequence[str]) -> list[str]:
    """As a list."""
    return [f"* {row.strip()}" if row.strip() else row for row in rows]


def numbered(rows: Sequence[str]) -> list[str]:
    """As a list with numbers."""
    return [f"{n}. {row.strip()}" if row.strip() else row for n, row in enumerate(rows, start=1)]


def supercite(rows: Sequence[str]) -> list[str]:
    """With the initials of the judge, as Emacs does."""
    return [f"    MJ> {row}".rstrip() for row in rows]


def wrapped(rows: Sequence[str]) -> list[str]:
    """Broken anew, with marks."""
    return [f"> {piece}" for row in rows for piece in (wrap(row, 50) or [""])]


def half_wrapped(rows: Sequence[str]) -> list[str]:
    """Broken by a gateway that sets no marks before the pieces."""
    return [piece for row in rows for piece in (wrap(f"> {row}", 60) or [">"])]


def narrow(rows: Sequence[str]) -> list[str]:
    """Broken anew for a narrow screen, long words too, without marks."""
    return [piece for row in rows for piece in (wrap(row, 38) or [""])]


def very_narrow(rows: Sequence[str]) -> list[str]:
    """Broken anew for a watch."""
    return [piece for row in rows for piece in (wrap(row, 12) or [""])]


def joined(rows: Sequence[str]) -> list[str]:
    """Without marks and without empty rows."""
    return [row for row in rows if row.strip()]


LAYOUTS: tuple[Layout, ...] = (
    marked, bare, indented, bulleted, numbered, supercite, wrapped, half_wrapped, narrow,
    very_narrow, joined,
)  # fmt: skip


def said(raw: bytes, *messages: str) -> list[str]:
    """What a mail says to the judge that has sent some messages to its writer."""
    return [
        line.text for line in read_mail(raw, renderer=message_renderer(), messages=messages).said
    ]


typed = st.lists(st.sampled_from(TYPED), min_size=1, max_size=3, unique=True)


@given(st.sampled_from(TEXTS), st.sampled_from(LAYOUTS), st.sampled_from(("", *ANNOUNCED)), typed)
def test_orders_above_a_quotation_are_the_only_ones(text, layout, announced, orders) -> None:
    """With or without an announcement, in a language that no list knows."""
    body = [*orders, "", *announced.split("\n"), *layout(text.split("\n"))]

    assert said(mail("\n".join(body), UTF8), text) == orders


@given(st.sampled_from(TEXTS), st.sampled_from(LAYOUTS), st.sampled_from(("", *ANNOUNCED)), typed)
def test_orders_below_a_quotation_are_the_only_ones(text, layout, announced, orders) -> None:
    """Below the last row of the message the writer goes on."""
    body = [*announced.split("\n"), *layout(text.split("\n")), "", *orders]

    assert said(mail("\n".join(body), UTF8), text) == orders


@given(st.sampled_from(TEXTS), st.sampled_from((marked, wrapped)), st.data())
def test_orders_between_the_rows_of_a_quotation_are_the_only_ones(text, layout, data) -> None:
    """Where the quotation has marks, and the orders have none."""
    rows = text.rstrip("\n").split("\n")
    at = data.draw(st.integers(1, len(rows) - 1))
    orders = data.draw(typed)
    body = [ANNOUNCED[1], *layout(rows[:at]), "", *orders, "", *layout(rows[at:])]

    assert said(mail("\n".join(body), UTF8), text) == orders


@given(st.randoms(use_true_random=False), st.booleans(), st.sampled_from(TEXTS), typed)
def test_whatever_a_program_does_only_its_writer_speaks(random, is_marked, text, orders) -> None:
    """Nothing of the judge's is taken for theirs, and none of their words is lost."""
    answer = written(random, text, orders, is_marked=is_marked)

    one = read_mail(answer.raw, renderer=message_renderer(), messages=[text])

    theirs = [row for row in one.rows if row.owner is Owner.WRITER]
    assert [row.text for row in one.said] == [*answer.typed], answer.habits
    assert {*answer.prose} <= {row.text for row in theirs} <= answer.own, answer.habits


@pytest.mark.parametrize("text", MESSAGES["receipt_from_another_address"])
@pytest.mark.parametrize("last", TYPED)
def test_the_last_row_above_a_quotation_is_no_part_of_it(text: str, last: str) -> None:
    """Though the message has the same words, too, where the first of the row below follows."""
    assert said(mail(f"A Arezzo H\n{last}\n\n{text}", UTF8), text) == ["A Arezzo H", last]


@given(
    st.sampled_from(TEXTS), st.sampled_from((marked, bare, indented)),
    st.sampled_from(HABITS["announced"]), typed,
)  # fmt: skip
def test_orders_that_the_writer_once_gave_are_not_given_again(text, layout, above, orders) -> None:
    """Where they answer their own mail, which quotes the message."""
    once = ["A Bologna - Modena", "", *above.split("\n"), *layout(text.split("\n"))]
    who = above.replace("MACH judge", "Lucia").replace("judge@mach", "lucia@player")
    body = [*orders, "", *who.split("\n"), *layout(once)]

    assert said(mail("\n".join(body), UTF8), text) == orders


CODE = f"{LABEL} r.4f55fxhiegjz54ik4hhbceoimy"
"""The row that is added when a message is sent."""


@given(st.sampled_from(TEXTS), st.sampled_from(LAYOUTS), st.sampled_from(ANNOUNCED))
def test_a_mail_that_only_quotes_says_nothing(text, layout, announced) -> None:
    """Nothing in it is its writer's, the announcement and the row with the code among it."""
    body = [*announced.split("\n"), *layout([*text.split("\n"), CODE])]
    one = read_mail(mail("\n".join(body), UTF8), renderer=message_renderer(), messages=[text])

    assert one.said == ()
    assert {row.owner for row in one.rows} <= {Owner.JUDGE, Owner.QUOTE, Owner.FOOTER}


SEALS = [text for text in TEXTS if re.search(r"\b[0-9a-f]{64}\b", text)]


@pytest.mark.parametrize("width", [72, 38, 24])
@pytest.mark.parametrize("text", SEALS)
def test_a_proof_that_is_broken_within_its_words_is_the_judges(text: str, width: int) -> None:
    """However narrow the rows are: a proof has words longer than a row."""
    rows = [piece for row in text.split("\n") for piece in (wrap(row, width) or [""])]
    raw = mail("\n".join(["Va bene", "", ANNOUNCED[2], "", *rows]), UTF8)

    one = read_mail(raw, renderer=message_renderer(), messages=[text])

    assert [row.text for row in one.rows if row.owner is Owner.WRITER] == ["Va bene"]


FORMS = [
    text for text in TEXTS if re.search(r"^(?:LINES TO SEND|LÍNEAS|RIGHE)", text, re.MULTILINE)
]


@given(st.sampled_from(FORMS), st.sampled_from((marked, bare, indented, bulleted)), st.data())
def test_a_changed_line_of_the_form_is_the_only_one(text, layout, data) -> None:
    """It is marked as changed within the words of the judge."""
    rows = text.rstrip("\n").split("\n")
    title = next(n for n, row in enumerate(rows) if re.match("LINES TO SEND|LÍNEAS|RIGHE", row))
    form = [n for n in range(title + 1, len(rows)) if re.match(r"  ?[AFG] \w|[AFG] \w", rows[n])]
    if not form:
        return
    at = data.draw(st.sampled_from(form))
    unit = " ".join(rows[at].split()[:2])
    changed = f"{unit} - Bologna" if rows[at].strip() != f"{unit} - Bologna" else f"{unit} - Siena"
    body = [ANNOUNCED[0], *layout([*rows[:at], changed, *rows[at + 1 :]])]

    one = read_mail(mail("\n".join(body), UTF8), renderer=message_renderer(), messages=[text])
    mine = [row for row in one.rows if row.owner is Owner.WRITER and row.kind is LineKind.ORDER]

    assert [(row.text, row.is_changed) for row in mine] == [(changed, True)]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
@cases
@pytest.mark.parametrize("is_above", [True, False])
def test_orders_beside_a_page_in_html_are_the_only_ones(
    path: Path, around: str, *, is_above: bool
) -> None:
    """True if it is the page that the program quotes, or its text."""
    page, (text, *_) = path.read_text(encoding="utf-8"), MESSAGES[path.stem]
    shown = re.search(r"<body[^>]*>(.*)</body>", page, re.DOTALL)
    assert shown is not None
    quoted = around.format(escape(text) if "<pre>" in around else shown[1])
    mine = "".join(f"<div>{order}</div>" for order in TYPED)
    body = f"{mine}<br>{quoted}" if is_above else f"{quoted}<div>{mine}</div>"

    assert said(html(body), text) == [*TYPED]


@pytest.mark.parametrize("above", ["", *ANNOUNCED])
@pytest.mark.parametrize("layout", [bare, marked])
def test_a_message_shown_in_a_press_is_its_writers(above: str, layout: Layout) -> None:
    """Though the mail quotes the same message below."""
    (text,) = MESSAGES["receipt_incomplete"]
    shown = ["PRESS TO V", "Look what I got:", *text.rstrip("\n").split("\n"), "ENDPRESS"]
    body = [*shown, "", *above.split("\n"), *layout(text.split("\n"))]

    one = read_mail(mail("\n".join(body), UTF8), renderer=message_renderer(), messages=[text])

    assert [row.text.strip() for row in one.lines] == [row.strip() for row in shown]


def test_a_sentence_that_is_copied_with_the_form_is_no_order() -> None:
    """Though it begins like one, and nothing announces it."""
    rows = ["maintain A Florence", "A unit without a maintain order is removed."]
    text = "\n".join([":: Judge: MACH", *rows, "New units cost 3 ducats each."])

    assert said(mail("\n".join(rows), UTF8), text) == rows[:1]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("text", MESSAGES["receipt_incomplete"])
def test_agreement_stands_alone_above_any_quotation(text: str, layout: Layout) -> None:
    """Nothing of the message is left to its writer, the row with the code as little."""
    body = ["ok", "", *layout([*text.split("\n"), "", CODE])]

    one = read_mail(mail("\n".join(body), UTF8), renderer=message_renderer(), messages=[text])

    assert [row.text for row in one.rows if row.owner is Owner.WRITER] == ["ok"]


AGREED = "Looks good to me, thanks!"


@pytest.mark.parametrize("between", ["", "________________________________\n"])
def test_words_directly_above_a_header_are_their_writers(between: str) -> None:
    """Outlook sets no empty row between them and its drawn line, or none but the header."""
    text = FORMS[0]
    header = "Von: MACH judge <judge@mach.example>\nGesendet: Freitag, 20. November 2026 13:02"
    raw = mail(f"{AGREED}\n{between}{header}\n{text}", UTF8)

    one = read_mail(raw, renderer=message_renderer(), messages=[text])

    assert [row.text for row in one.rows if row.owner is Owner.WRITER] == [AGREED]


def test_the_message_that_is_quoted_is_known_among_many_like_it() -> None:
    """However many receipts went out since: those that share the most are looked at first."""
    text = FORMS[0]
    since = ["\n".join(text.split("\n")[-8 - n :]) for n in range(25)]
    raw = mail(f"{AGREED}\n\n{ANNOUNCED[2]}\n\n{text}", UTF8)

    one = read_mail(raw, renderer=message_renderer(), messages=[*since, text])

    assert [row.text for row in one.rows if row.owner is Owner.WRITER] == [AGREED]


@pytest.mark.parametrize("layout", [marked, bare])
@pytest.mark.parametrize("above", ["told:", "MACH judge wrote: Its readers are told:"])
def test_a_row_is_known_below_another_that_ends_like_a_row_of_the_message(layout, above) -> None:
    """Though with that end, its first words stand further below in the message, too."""
    rows = ["Press from Florence to Venice and the master:", "Its readers are told:"]
    text = "\n".join([*rows, "Press from Florence to Milan and Venice", "", ":: Judge: MACH"])
    body = ["A Florence H", "", f"On 20 Nov 2026 13:02, {above}", *layout(text.split("\n"))]

    assert said(mail("\n".join(body), UTF8), text) == ["A Florence H"]


@pytest.mark.parametrize("left", ["build G Pisa", "build G Arezzo, G Pisa"])
def test_an_order_within_which_something_was_left_out_is_changed(left: str) -> None:
    """Though each of its words stands in the message, in the same order."""
    rows = ["You can build:", "build G Arezzo, G Florence, G Pisa", "Pisa or Arezzo may wait."]
    text = "\n".join([":: Judge: MACH", *rows])
    quoted = "\n".join([ANNOUNCED[0], *marked([":: Judge: MACH", rows[0], left, rows[2]])])

    found = read_mail(mail(quoted, UTF8), renderer=message_renderer(), messages=[text])

    assert [row.text for row in found.rows if row.is_changed] == [left]
