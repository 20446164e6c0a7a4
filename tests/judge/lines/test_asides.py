"""Greetings, closing lines, signatures and quoted text: no errors, and nothing is lost in them."""

from email.message import EmailMessage

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from machjudge.adjudicator.names import PowerId
from tests.judge.house import House
from tests.judge.letters_in import answer, raw_mail, write
from tests.judge.letters_in import deliver as deliver_raw
from tests.judge.year import on_file
from tests.mail_parser.mails import CORPUS

ANNA = "anna@player.example"
SIGNON = "SIGNON Lborgia pwL"
ORDERS = ("A are H", "A flo H", "F psa H")


@pytest.fixture
def year_end() -> House:
    """1454 with money, in its first adjustment."""
    house = House()
    house.start(keep_mails=True)
    return house


def is_flagged(house: House) -> bool:
    """True if the phase waits for a mail of Florence without errors."""
    order_set = house.view().order_sets.get(PowerId("L"))
    return order_set is not None and order_set.flawed


def said(house: House, *lines: str) -> str:
    """The answer to Anna."""
    return answer(write(house, ANNA, *lines), ANNA)


def not_read(body: str) -> str:
    """The section NOT READ of an answer."""
    return body.partition("\nNOT READ\n")[2].partition("\n\n")[0]


# --- greetings and closing lines --------------------------------------------------------------


@pytest.mark.parametrize(
    "closing",
    [
        ("Regards,", "Florence"),
        ("Cheers", "Lucia"),
        ("Best regards,", "Anna Rossi", "Milan Consulting Ltd.", "Tel. +39 02 1234567"),
        ("Thanks!",),
        ("thank you",),
        ("Many thanks in advance, Anna",),
        ("Anna",),
        ("", "Anna"),
        ("", "Anna Rossi", "Borgia fan club"),
        ("Mit freundlichen Grüßen", "Anna"),
        ("Viele Gruesse,", "Anna"),
        ("Cordiali saluti", "", "Anna"),
        ("Un saludo", "Anna"),
        ("Cordialement,", "Anna"),
        ("Thanks 👍", "Sent from my iPhone"),
        ("Sent from my iPhone", "Anna"),
        ("Get Outlook for iOS",),
        ("Thanks, A.", "PS what are the prices for bribes?"),
    ],
)
def test_a_closing_costs_nothing(house: House, closing: tuple[str, ...]) -> None:
    """It is no error, no order, and holds the phase up from nothing."""
    body = said(house, SIGNON, *ORDERS, *closing)

    assert "COMPLETE: all orders of Florence are on file.\n" in body
    assert "NOT TAKEN" not in body
    assert not is_flagged(house)


@pytest.mark.parametrize("yes", ["ok!", "Yes, confirmed. Thanks!", "Sì, confermo", "vale, gracias"])
def test_agreeing_is_no_order(house: House, yes: str) -> None:
    """Anyone who answers a message with a kind word gets no error; orders below it count."""
    body = said(house, SIGNON, yes, *ORDERS)

    assert "COMPLETE: all orders of Florence are on file.\n" in body
    assert f"line 2: {yes}" in not_read(body)
    assert not is_flagged(house)


@pytest.mark.parametrize("prose", ["What a week it has been, and no end of it.", "Hi all,", "ok!"])
def test_the_name_below_a_mail_without_orders_is_no_order(house: House, prose: str) -> None:
    """Nobody looks for a place that is called nearly so."""
    body = said(house, SIGNON, prose, "", "Anna")

    assert "line 4: Anna" in not_read(body)
    assert '"Anna"' not in body


def test_a_list_of_places_may_end_with_that_of_the_writer(year_end: House) -> None:
    """Anyone who is called like a place keeps the unit there."""
    year_end.mails_out()
    deliver_raw(year_end, raw_mail(ANNA, [SIGNON, "Arezzo", "", "Florence"], name="Florence"), ANNA)

    assert on_file(year_end) == ["maintain A are", "maintain A flo"]


def test_a_signature_reverses_no_order(year_end: House) -> None:
    """The name of the power below a closing line is not "maintain A Florence"."""
    year_end.mails_out()
    body = said(year_end, SIGNON, "remove A Florence", "", "Regards,", "Florence")

    assert on_file(year_end) == ["remove A flo"]
    assert "replaces" not in body
    assert "  line 4: Regards,\n  line 5: Florence\n" in body


def test_the_name_of_the_power_alone_at_the_end_reverses_nothing(year_end: House) -> None:
    """Without a closing line above it, too; the answer names it."""
    year_end.mails_out()
    body = said(year_end, SIGNON, "remove A Florence", "", "Florence")

    assert on_file(year_end) == ["remove A flo"]
    assert "line 4: Florence\n  That is taken for your name" in not_read(body)
    assert not is_flagged(year_end)


def test_a_list_of_places_may_end_with_that_of_the_power(year_end: House) -> None:
    """Where the other lines are bare names as well, each of them keeps a unit."""
    year_end.mails_out()
    said(year_end, SIGNON, "Arezzo", "", "Pisa", "", "Florence")

    assert on_file(year_end) == ["maintain A are", "maintain F psa", "maintain A flo"]


def test_any_name_alone_at_the_end_is_no_error(house: House) -> None:
    """In a campaign no order is a bare name."""
    body = said(house, SIGNON, *ORDERS, "", "Kasimir")

    assert "COMPLETE: all orders of Florence are on file.\n" in body
    assert "line 6: Kasimir" in not_read(body)


def test_a_name_that_is_no_place_is_named_as_not_read(year_end: House) -> None:
    """It may be anybody's; what is missing stands first."""
    year_end.mails_out()
    body = said(year_end, SIGNON, "maintain A are, A flo", "", "Pissa")

    assert body.startswith("NOT COMPLETE: 1 order of Florence missing.")
    assert "line 4: Pissa" in not_read(body)


@pytest.mark.parametrize(
    "greeting", ["Dear judge,", "Hi all", "Ciao a tutti!", "Guten Tag,", "Please see below"]
)
@pytest.mark.parametrize("at", [0, 1])
def test_a_greeting_is_named_and_no_error(house: House, greeting: str, at: int) -> None:
    """Above the signon or below it."""
    lines = [SIGNON, *ORDERS]
    lines.insert(at, greeting)
    body = said(house, *lines)

    assert "COMPLETE: all orders of Florence are on file.\n" in body
    assert f"line {at + 1}: {greeting}" in not_read(body)
    assert not is_flagged(house)


def test_a_full_order_below_a_closing_line_is_named(house: House) -> None:
    """The answer does not say simply COMPLETE, and the phase waits for a clean mail."""
    body = said(house, SIGNON, *ORDERS, "Thanks", "A flo - bol", "Anna")

    assert on_file(house) == ["A are h", "A flo h", "F psa h"]
    assert "NOT READ: line 6, which looks like an order; see below." in body.split("\n\n")[0]
    assert "line 6: A flo - bol" in not_read(body)
    assert "Line 6 looks like an order. If you mean it, send it again above" in not_read(body)
    assert is_flagged(house)
    assert not is_flagged_after_clean_mail(house)


def is_flagged_after_clean_mail(house: House) -> bool:
    """True if a mail without errors leaves the flag."""
    said(house, SIGNON, "A flo - bol")
    return is_flagged(house)


@pytest.mark.parametrize(
    "line", ["SET WAIT", "WAIT", "hold all", "PRESS TO V", "SIGNON Vborgia pwV"]
)
def test_a_command_below_a_closing_line_is_named(house: House, line: str) -> None:
    """It is not carried out, and its writer is told."""
    body = said(house, SIGNON, *ORDERS, "Thanks", line)

    assert "NOT READ: line 6" in body
    assert "line 6: " in not_read(body)
    assert house.game().seats[2].waits is False


def test_what_is_on_file_anyway_is_not_named(house: House) -> None:
    """The same order once more below the closing line changes nothing."""
    body = said(house, SIGNON, *ORDERS, "Thanks", "A flo h")

    assert "COMPLETE: all orders of Florence are on file.\n" in body
    assert "NOT READ: line" not in body


def test_thanks_above_the_orders_end_nothing(house: House) -> None:
    """A courtesy between the signon and the first order is but named."""
    body = said(house, SIGNON, "Thanks for the results!", *ORDERS)

    assert on_file(house) == ["A are h", "A flo h", "F psa h"]
    assert "line 2: Thanks for the results!" in not_read(body)


def test_an_order_in_a_signature_is_named(house: House) -> None:
    """Below two dashes nothing else is."""
    body = said(house, SIGNON, *ORDERS, "-- ", "Anna", "A flo - bol")

    assert "line 7: A flo - bol" in not_read(body)
    assert "Anna" not in not_read(body)


# --- quoted text ------------------------------------------------------------------------------

WROTE = "On Fri, 20 Nov 2026 at 13:02, MACH judge <judge@mach.example> wrote:"


def quoted(text: str) -> list[str]:
    """Lines as a mail program quotes them."""
    return [f"> {line}".rstrip() for line in text.split("\n")]


def first_letter(house: House) -> str:
    """The first mail of the judge to Anna."""
    return answer(house.mails_out(), ANNA)


def test_an_order_changed_in_the_quote_of_our_letter_is_named(year_end: House) -> None:
    """The quote of what the judge wrote says what was changed; nothing of it is carried out."""
    letter = first_letter(year_end).replace("  maintain F Pisa", "  remove F Pisa", 1)
    body = said(year_end, SIGNON, "maintain A are, A flo", "", WROTE, *quoted(letter))

    assert on_file(year_end) == ["maintain A are", "maintain A flo"]
    assert "NOT READ: line" in body.split("\n\n")[0]
    assert "> remove F Pisa" in not_read(body)
    assert "send it again above the quotation" in " ".join(not_read(body).split())
    assert is_flagged(year_end)


@pytest.mark.parametrize("width", [72, 60, 30])
def test_the_quote_of_our_own_letter_is_no_news(year_end: House, width: int) -> None:
    """However the mail program has broken its lines, nothing in it was changed."""
    letter = first_letter(year_end)
    broken = [
        f"> {piece}" for line in letter.split("\n") for piece in (broken_at(line, width) or [""])
    ]
    body = said(year_end, SIGNON, "maintain all", "", WROTE, *broken)

    assert "COMPLETE: all orders of Florence are on file.\n" in body
    assert "NOT READ" not in body


def test_what_was_named_once_is_named_again(year_end: House) -> None:
    """The answer that names a line of a quotation does not make it ours."""
    letter = first_letter(year_end).replace("  maintain ", "  remove ")
    mail = [SIGNON, "maintain all", "", WROTE, *quoted(letter)]
    first, second = said(year_end, *mail), said(year_end, *mail)

    assert "> remove F Pisa" in not_read(first)
    assert not_read(second) == not_read(first)


def broken_at(line: str, width: int) -> list[str]:
    """A line in pieces, as a mail program breaks it."""
    pieces, piece = [], ""
    for word in line.split():
        if piece and len(piece) + 1 + len(word) > width:
            pieces.append(piece)
            piece = word
        else:
            piece = f"{piece} {word}".strip()
    return [*pieces, piece]


def test_orders_typed_into_a_strange_quote_are_named(house: House) -> None:
    """Whose text it was is not known: each whole order that is not on file is told."""
    body = said(
        house, WROTE, "> The game begins.", "> A are - per", f"{SIGNON}", "A flo H", "> F psa H"
    )

    assert on_file(house) == ["A flo h"]
    assert "line 3: > A are - per" in not_read(body)
    assert "line 6: > F psa H" in not_read(body)
    assert "NOT READ: lines 3 and 6" in body
    assert not is_flagged(house)


def test_prose_in_a_quote_is_no_order(house: House) -> None:
    """Neither sentences nor signons nor questions."""
    quote = ["> Hello Anna,", "> help is near. Who leads Milan?", "> SIGNON Lborgia pwL", "> LIST"]
    body = said(house, SIGNON, *ORDERS, "", WROTE, *quote)

    assert "NOT READ" not in body


def test_the_original_below_an_outlook_header_is_searched_as_well(house: House) -> None:
    """Without quote marks it is quoted all the same."""
    head = ["From: MACH judge <judge@mach.example>", "Sent: Friday, 20 November 2026 13:02"]
    head += ["To: anna@player.example", "Subject: MACH:borgia"]
    body = said(house, SIGNON, *ORDERS[:2], "", *head, "", "Your units:", "F psa - lig")

    assert "> F psa - lig" in not_read(body)


def test_bytes_of_a_mail_from_outlook_hold_nothing_up(house: House) -> None:
    """A mail in HTML with its signature block."""
    html = (
        "<div>SIGNON Lborgia pwL<br>A are H<br>A flo H<br>F psa H</div>"
        '<div id="Signature"><p>Anna Rossi</p><p>Milan Consulting Ltd.</p></div>'
    )
    raw = raw_mail(ANNA, [html]).replace(b"text/plain", b"text/html")
    body = answer(deliver_raw(house, raw, ANNA), ANNA)

    assert "COMPLETE: all orders of Florence are on file.\n" in body
    assert not is_flagged(house)


def test_a_postscript_is_named(house: House) -> None:
    """It is an order all the same."""
    body = said(house, SIGNON, *ORDERS, "Cheers", "PS: A flo - bol")

    assert "NOT READ: line 6" in body
    assert is_flagged(house)


def test_a_signoff_below_a_closing_line_is_nothing_to_name(house: House) -> None:
    """It ends the mail."""
    body = said(house, SIGNON, *ORDERS, "Cheers", "Anna", "SIGNOFF", "A flo - bol")

    assert not_read(body) == (
        "  line 5: Cheers\n  line 6: Anna\n"
        "  A closing line ends the orders: nothing below it is read."
    )


def test_orders_behind_a_picture_are_named(house: House) -> None:
    """Some programs put what stands behind a picture into a text of its own."""
    raw = (CORPUS / "apple_text_image_text.eml").read_bytes()
    raw = raw.replace(b"tulip9", b"pwL").replace(b"lucia@player.example", ANNA.encode())
    body = answer(deliver_raw(house, raw, ANNA), ANNA)

    assert on_file(house) == ["A flo h"]
    assert ": A Are - Per\n" in not_read(body)
    assert "NOT READ: lines" in body


# --- an attached file -------------------------------------------------------------------------


def test_an_attached_file_with_the_orders_is_read(house: House) -> None:
    """The receipt says so."""
    mail = EmailMessage()
    mail["From"] = f"Anna <{ANNA}>"
    mail.set_content(f"{SIGNON}\nmy orders are attached\n")
    mail.add_attachment("\n".join(ORDERS).encode(), "text", "plain", filename="orders.txt")
    body = answer(deliver_raw(house, mail.as_bytes(), ANNA), ANNA)

    assert on_file(house) == ["A are h", "A flo h", "F psa h"]
    assert "COMPLETE: all orders of Florence are on file.\n" in body
    assert "the attached file orders.txt was read; its lines count from 3 to 5." in " ".join(
        body.split()
    )


# --- nothing vanishes -------------------------------------------------------------------------

WRITTEN = ("A flo - bol", "A are - per", "F psa - egl", "A flo H")
AROUND = (
    "",
    "Dear judge,",
    "Thanks!",
    "Regards,",
    "Anna",
    "-- ",
    "Florence",
    "some words about nothing",
    "----------------",
    WROTE,
    "> quoted words",
    "> A are H",
    "PRESS TO V",
    "ENDPRESS",
    "Sent from my iPhone",
    "This e-mail is confidential.",
)


@given(st.lists(st.sampled_from(WRITTEN + AROUND), max_size=14))
@settings(max_examples=80)
def test_no_order_vanishes(rows: list[str]) -> None:
    """Wherever it was written, it is on file, replaced, refused, sent as press, or named."""
    house = House()
    house.start(options=["nomoney"])
    letters = write(house, ANNA, SIGNON, *rows)
    told = "\n".join(letter.body for letter in letters)
    kept = {line.lower() for line in on_file(house)}

    for number, row in enumerate(rows, start=2):
        if row in WRITTEN:
            is_named = f"ine {number}" in told or row in told
            assert is_named or row.lower() in kept, (number, row, told)


@pytest.mark.parametrize(
    "sentence",
    [
        "I will be late for the next turn, sorry.",
        "Sorry for the delay, we had no internet at home.",
        "I'm away until Monday, no computer there.",
    ],
)
def test_a_sentence_to_somebody_is_no_order(house: House, sentence: str) -> None:
    """It is named as not read, and holds nothing up."""
    text = answer(write(house, ANNA, "SIGNON Lborgia pwL", "A flo H", sentence, "A are H"), ANNA)

    assert sentence in " ".join(text.partition("NOT READ")[2].split())
    assert "A Arezzo H" in text
    assert "NOT TAKEN" not in text
    assert "L" not in house.view().flagged()


@pytest.mark.parametrize(
    "sentence", ["I think the army in Milan will attack me.", "maintain whatever I have, please"]
)
def test_a_sentence_that_may_be_an_order_is_asked_about(house: House, sentence: str) -> None:
    """What names a unit and a place, or begins with a verb of orders."""
    text = answer(write(house, ANNA, "SIGNON Lborgia pwL", "A flo H", sentence), ANNA)

    assert "NOT TAKEN" in text
    assert "L" in house.view().flagged()


def test_an_order_behind_the_name_of_its_power_is_not_left_out_in_silence() -> None:
    """It may be a row of another judge's results, below a sentence; the answer asks about it."""
    house = House()
    house.start(options=("nomoney", "nodice"))
    listed = "Florence: Army Arezzo -> Siena."
    body = said(house, SIGNON, "I think that this is good", listed, "F psa H")

    assert on_file(house) == []
    assert listed in not_read(body)
    assert "NOT READ: lines 3 and 4, which look like orders" in body
