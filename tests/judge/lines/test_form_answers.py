"""The lines to send back may be changed where they stand in the quotation, by whoever has proof."""

from collections.abc import Sequence

import pytest

from machjudge.judge.credentials import code_of, tag_of
from machjudge.judge.mails import Outgoing
from tests.judge.fakes import SECRET
from tests.judge.house import House
from tests.judge.letters_in import Carrier, answer, deliver, reply, results_to, work, write
from tests.judge.year import OPENING, on_file, play
from tests.mail_parser.mails import CORPUS

ANNA = "anna@player.example"
UNTOUCHED = "Your mail holds nothing but the message that it quotes, so nothing was changed."


@pytest.fixture
def house() -> House:
    """1454 before its first campaign; Anna leads Florence."""
    house = House()
    house.start(options=["nodice"])
    return house


@pytest.fixture
def letter(house) -> Outgoing:
    """The results that bring Anna the lines to send back."""
    return results_to(play(house, OPENING), ANNA)


def changed(letter: Outgoing, *pairs: tuple[str, str]) -> list[str]:
    """The rows of a message with some of them changed in place."""
    rows = letter.body.splitlines()
    for old, new in pairs:
        rows[rows.index(old)] = new
    return rows


def gmail(rows: Sequence[str]) -> list[str]:
    """As Gmail, Apple Mail and Yahoo quote in plain text."""
    return ["On Fri, Nov 20, 2026 at 1:00 PM MACH judge wrote:", "", *(f"> {r}" for r in rows)]


def apple(rows: Sequence[str]) -> list[str]:
    """As Apple Mail writes the line above."""
    told = "On 20 Nov 2026, at 13:00, MACH judge <judge@mach.example> wrote:"
    return [told, "", *(f"> {row}" for row in rows)]


def outlook(rows: Sequence[str]) -> list[str]:
    """As Outlook does: no marks, a header block above."""
    head = ("From: MACH judge <judge@mach.example>", "Sent: Friday, November 20, 2026 1:00 PM")
    return [*head, "To: Anna <anna@player.example>", "Subject: Results", "", *rows]


def numbered(rows: Sequence[str]) -> list[str]:
    """As Outlook does when somebody has made a list of the lines."""
    at = rows.index("LINES TO SEND BACK") + 1
    listed = [f"{n}. {row}" if row else row for n, row in enumerate(rows[at:], start=1)]
    return outlook([*rows[:at], *listed])


def samsung(rows: Sequence[str]) -> list[str]:
    """As the mail program of Samsung telephones does."""
    head = ("-------- Original message --------", "From: MACH judge <judge@mach.example>")
    return [*head, "Date: 20/11/2026 13:00 (GMT+01:00)", "Subject: Results", "", *rows]


def yahoo(rows: Sequence[str]) -> list[str]:
    """As Yahoo does: a line above, the rows without marks but with a space."""
    told = "On Friday, November 20, 2026 at 01:00:00 PM GMT+1, MACH judge wrote:"
    return [told, "", *(f"> {row}" for row in rows)]


PROGRAMS = [gmail, apple, outlook, numbered, samsung, yahoo]


@pytest.mark.parametrize("program", PROGRAMS)
def test_lines_changed_in_place_are_orders(house, letter, program) -> None:
    """What was changed counts and is named, and the others count as they stand."""
    rows = changed(letter, ("A Florence H", "A flo - sie"), ("F Pisa H", "f pisa - pio"))

    told = answer(reply(house, letter, *program(rows)), ANNA)

    assert on_file(house) == ["A are h", "A flo - sie", "F psa - pio"]
    assert "changed in the message that you quote, and are read as orders" in " ".join(told.split())
    assert "NOT READ" not in told


@pytest.mark.parametrize("program", PROGRAMS)
def test_an_untouched_form_changes_nothing(house, letter, program) -> None:
    """And its sender is told so."""
    told = answer(reply(house, letter, *program(letter.body.splitlines())), ANNA)

    assert on_file(house) == []
    assert UNTOUCHED in told


OFFERED = ["A are h", "A flo h", "F psa h"]
TAKEN = "Taken as offered: A Arezzo H; A Florence H; F Pisa H."


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize(
    "said",
    [
        ("ok",),
        ("Yes!",),
        ("Looks good to me, thanks!",),
        ("Dear judge,", "", "va bene", "", "Anna"),
        ("de acuerdo",),
        ("Please leave all as they are.",),
        ("Hi judge,", "leave everything as it is, please"),
        ("Lascia tutto com'è, grazie",),
        ("Perfetto, grazie mille",),
    ],
)
def test_a_word_of_agreement_above_the_form_takes_its_lines(house, letter, program, said) -> None:
    """The first line says so, the next how to change them; a second such mail is told the same."""
    answers = [
        answer(reply(house, letter, *said, "", *program(letter.body.splitlines())), ANNA)
        for _ in range(2)
    ]

    assert on_file(house) == OFFERED
    for told in answers:
        assert told.startswith(TAKEN)
        assert "To change one, send another order for its unit; CLEAR drops all." in told
        assert "COMPLETE: all orders of Florence are on file." in told
        assert "NOT TAKEN" not in told
    assert not house.view().flagged()


def test_agreement_without_a_quotation_and_without_a_header_takes_nothing(house, letter) -> None:
    """Nobody knows to which message of the phase somebody agrees."""
    told = answer(reply(house, letter, "ok", carrier=Carrier.ADDRESS), ANNA)

    assert on_file(house) == []
    assert told.startswith("NOT COMPLETE")
    assert "Your mail agrees, but quotes no lines" in " ".join(told.split())


def test_agreement_without_a_proof_is_told_what_is_missing(house) -> None:
    """It is no newcomer who says so: a welcome would be no answer to it."""
    told = answer(write(house, ANNA, "Ok!"), ANNA)
    stranger = answer(write(house, "zoe@player.example", "Ok!"), "zoe@player.example")

    assert "You agree, but your mail does not say to what" in told
    assert "WELCOME" not in told
    assert "WELCOME" in stranger


def test_an_order_with_a_word_that_asks_for_assent_is_no_question(house, letter) -> None:
    """What cannot be read of it is told, and holds the phase like any slip."""
    told = answer(reply(house, letter, "A flo - xyz. OK?"), ANNA)
    assert "NOT TAKEN" in told
    assert "YOUR QUESTIONS" not in told

    again = answer(reply(house, letter, "A flo - sie, ok?", "A are h. OK?"), ANNA)
    assert sorted(on_file(house)) == ["A are h", "A flo - sie"]
    assert "YOUR QUESTIONS" not in again


def test_an_order_on_file_counts_more_than_the_line_that_is_agreed_to(house, letter) -> None:
    """It stays, and the answer says for which line."""
    reply(house, letter, "A flo - sie")
    told = answer(reply(house, letter, "ok", "", *gmail(letter.body.splitlines())), ANNA)

    assert sorted(on_file(house)) == ["A are h", "A flo - sie", "F psa h"]
    assert told.startswith("Taken as offered: A Arezzo H; F Pisa H.")
    assert "Another order on file stays for the unit of: A Florence H." in told


@pytest.mark.parametrize(
    "said",
    [
        ("ok?",),
        ("ok, but wait for Marco",),
        ("not ok",),
        ("ok", "I will send mine tomorrow."),
        ("Anna",),
    ],
)
def test_other_words_take_nothing(house, letter, said) -> None:
    """Who says more than yes may mean something else."""
    reply(house, letter, *said, "", *gmail(letter.body.splitlines()))

    assert on_file(house) == []
    assert not house.view().flagged()


def test_a_changed_line_below_agreement_counts_as_changed(house, letter) -> None:
    """The others count as they stand."""
    rows = changed(letter, ("A Florence H", "A flo - sie"))
    reply(house, letter, "ok", "", *gmail(rows))

    assert sorted(on_file(house)) == ["A are h", "A flo - sie", "F psa h"]


def test_a_reply_without_words_says_what_to_send(house, letter) -> None:
    """Every time."""
    for _ in range(2):
        told = answer(reply(house, letter, *gmail(letter.body.splitlines())), ANNA)
        assert "reply with OK above them" in " ".join(told.split())

    assert on_file(house) == []


def test_an_empty_reply_is_told_that_it_changes_nothing(house, letter) -> None:
    """Where nothing is quoted, either."""
    told = answer(reply(house, letter), ANNA)

    assert "Your mail holds nothing of your own, so nothing was changed." in told


@pytest.mark.parametrize("below", [False, True])
def test_lines_typed_above_or_below_count_more(house, letter, below) -> None:
    """What stands outside the quotation is what its writer meant last."""
    quoted = gmail(changed(letter, ("A Florence H", "A Florence - Siena")))
    typed = ["A Florence - Bologna"]

    reply(house, letter, *([*quoted, "", *typed] if below else [*typed, "", *quoted]))

    assert on_file(house) == ["A are h", "A flo - bol", "F psa h"]


def test_without_a_proof_a_quotation_orders_nothing(house, letter) -> None:
    """Anyone who has the text of the message and not its token changes nothing."""
    rows = changed(letter, ("A Florence H", "A Florence - Siena"))

    write(house, ANNA, *gmail(rows[: rows.index("LINES TO SEND BACK") + 5]))

    assert on_file(house) == []


def test_the_token_in_the_quotation_is_a_proof_as_before(house, letter) -> None:
    """Mail programs that leave out every header still quote the last line."""
    rows = changed(letter, ("A Florence H", "A Florence - Siena"))

    reply(house, letter, *gmail(rows), carrier=Carrier.HEADER)

    assert on_file(house) == ["A are h", "A flo - sie", "F psa h"]


def test_two_changed_rows_for_one_unit_are_not_taken(house, letter) -> None:
    """Nobody knows which is meant: both are named."""
    rows = changed(letter, ("A Florence H", "A Florence - Siena"), ("F Pisa H", "A Florence - Bol"))

    told = answer(reply(house, letter, *gmail(rows)), ANNA)

    assert on_file(house) == []
    assert "A Florence - Siena" in told.partition("NOT READ")[2]


def with_rows(letter: Outgoing, *rows: str) -> list[str]:
    """The rows of a message with others below the line for Pisa."""
    own = letter.body.splitlines()
    at = own.index("F Pisa H") + 1
    return [*own[:at], *rows, *own[at:]]


@pytest.mark.parametrize("program", PROGRAMS)
def test_an_expense_that_is_added_to_the_lines_is_taken(house, letter, program) -> None:
    """No form has a line for it; the lines of the units count as they stand."""
    expenses = ("e1: 3 d counter-bribe A are", "Expense 2: 3 ducats famine relief Pisa")

    told = answer(reply(house, letter, *program(with_rows(letter, *expenses))), ANNA)

    spent = [
        "expense 1: 3 ducats counter-bribe A are",
        "expense 2: 3 ducats famine relief psa",
    ]
    assert sorted(on_file(house)) == ["A are h", "A flo h", "F psa h", *spent]
    assert "NOT READ" not in told


def test_two_expenses_of_one_number_are_not_taken(house, letter) -> None:
    """Nobody knows which is meant: both are named."""
    rows = with_rows(letter, "e1: 3 d cb A are", "e1: 3 d cb A flo")

    told = answer(reply(house, letter, *gmail(rows)), ANNA)

    assert on_file(house) == []
    assert "e1: 3 d cb A are" in told.partition("NOT READ")[2]


def test_an_expense_elsewhere_in_the_quotation_is_not_taken(house, letter) -> None:
    """What stands below the lines may be somebody's proposal."""
    rows = [*letter.body.splitlines(), "e1: 3 d cb A are"]

    reply(house, letter, *gmail(rows))

    assert on_file(house) == []


def test_a_slip_in_an_added_expense_is_refused(house, letter) -> None:
    """As in a changed line."""
    rows = with_rows(letter, "e1: 3 d famine relief Xanadu")

    told = answer(reply(house, letter, *gmail(rows)), ANNA)

    assert "Xanadu" in told.partition("NOT TAKEN")[2]


def test_a_wrong_quotation_orders_nothing(house, letter) -> None:
    """Orders of another text that only looks like the message are named, and not taken."""
    rows = ["LINES TO SEND BACK", "A Florence - Siena", "so he wrote to me", "what do you think?"]

    told = answer(reply(house, letter, *gmail(rows)), ANNA)

    assert on_file(house) == []
    assert "A Florence - Siena" in told.partition("NOT READ")[2]


def test_an_answer_to_the_message_of_an_earlier_phase_orders_nothing(house, letter) -> None:
    """The lines of that phase are not those of this one."""
    moves = dict.fromkeys("IVLPNTAF", ("hold all",))
    play(house, moves)
    before = on_file(house)
    rows = changed(letter, ("A Florence H", "A Florence - Siena"))

    reply(house, letter, *gmail(rows))

    assert on_file(house) == before


def test_a_row_of_another_power_is_not_taken(house, letter) -> None:
    """The form has one's own units alone."""
    rows = changed(letter, ("A Florence H", "A Bologna - Florence"))

    reply(house, letter, *gmail(rows))

    assert on_file(house) == []


@pytest.mark.parametrize("slip", ["A Florence - Xanadu", "A Florence", "A Florence supports"])
def test_a_slip_in_a_changed_row_is_refused(house, letter, slip) -> None:
    """Also what is left of a line, though a sentence below it begins like that."""
    rows = changed(letter, ("A Florence H", slip))

    told = answer(reply(house, letter, *gmail(rows)), ANNA)

    assert slip in told.partition("NOT TAKEN")[2]
    assert UNTOUCHED not in told


def test_an_order_that_stands_elsewhere_in_the_message_may_be_written_into_a_row(house) -> None:
    """Last season's order is told in the results; anyone who writes it into the form repeats it."""
    play(house, OPENING)
    moves = dict.fromkeys("IVLPNTAF", ("hold all",))
    sent = play(house, {**moves, "L": ("A flo - bol", "A are h", "F psa h")})
    letter = results_to(sent, ANNA)
    assert letter.body.count("A Florence - Bologna") == 1
    rows = changed(letter, ("A Florence H", "A Florence - Bologna"))

    reply(house, letter, *gmail(rows))

    assert on_file(house) == ["A are h", "A flo - bol", "F psa h"]


FILES = sorted(
    file.stem for form in ("form_", "quoted_html_") for file in CORPUS.glob(f"{form}*.eml")
)


@pytest.mark.parametrize("name", FILES)
def test_the_answers_of_mail_programs_in_html_are_orders(house, letter, name) -> None:
    """As they send them; Outlook numbers the lines, and Samsung signs above."""
    raw = (CORPUS / f"{name}.eml").read_bytes()
    assert letter.reply is not None
    to = f"judge+{tag_of(code_of(SECRET, letter.reply))}@mach.example"
    house.store.receive(raw, ANNA, house.now, recipient=to)
    work(house)

    told = answer(house.mails_out(), ANNA)

    assert on_file(house) == ["A are h", "A flo - sie", "F psa - pio"], told
    assert "NOT READ" not in told


def test_the_same_answers_without_the_token_order_nothing(house, letter) -> None:
    """The address in From is no proof."""
    for name in FILES:
        deliver(house, (CORPUS / f"{name}.eml").read_bytes(), ANNA)

    assert on_file(house) == []


def test_a_siege_is_not_given_up_by_changing_another_line(house, letter) -> None:
    """The line that stands is the order to besiege."""
    moves = dict.fromkeys("IVLPNTAF", ("hold all",))
    play(house, {**moves, "L": ("A flo - sie", "A are h", "F psa h")})
    sent = play(house, {**moves, "L": ("A sie b", "A are h", "F psa h")})
    letter = results_to(sent, ANNA)

    reply(house, letter, *gmail(changed(letter, ("A Arezzo H", "A Arezzo - Perugia"))))

    assert sorted(on_file(house)) == ["A are - per", "A sie b", "F psa h"]


def test_a_line_that_stands_replaces_no_order_on_file(house, letter) -> None:
    """An order once acknowledged is not lost by quoting the form again."""
    reply(house, letter, *gmail(changed(letter, ("A Arezzo H", "A Arezzo - Perugia"))))

    told = answer(
        reply(house, letter, *gmail(changed(letter, ("F Pisa H", "F Pisa - Piombino")))), ANNA
    )

    assert sorted(on_file(house)) == ["A are - per", "A flo h", "F psa - pio"]
    assert "This line changes nothing, for another order for its unit is on file: A Arezzo" in (
        " ".join(told.split())
    )


@pytest.mark.parametrize("said", ["Thanks a lot, great game so far!", "Ciao\nAnna"])
def test_kind_words_above_a_quotation_are_not_told_to_be_nothing(house, letter, said) -> None:
    """They order nothing, and the answer says just that."""
    told = answer(reply(house, letter, said, "", *gmail(letter.body.splitlines())), ANNA)

    assert "Nothing in your mail is an order or a command" in " ".join(told.split())
    assert UNTOUCHED not in told
    assert on_file(house) == []
