"""What people write around their orders, by SMTP: signatures, quotations, press without an end."""

from tests.journeys.conftest import SMALL, flat
from tests.journeys.judge import Judge, QueuedMessage
from tests.journeys.pens import plain

LORENZA = SMALL.people["L"]
SIGNON = SMALL.signon("L")
ORDERS = ("A flo H", "A pst H", "F psa H")


def ask(judge: Judge, *lines: str) -> QueuedMessage:
    """The answer to a mail of Lorenza."""
    mail = plain(LORENZA, (SIGNON, *lines))
    judge.send(*mail.copies, sender=LORENZA.address)
    return judge.answer_to(mail.id)


def test_a_signature_orders_nothing(judge) -> None:
    """The name of the power, of a firm, a telephone: no order, no error, no flag."""
    judge.serve()
    closing = ("", "Best regards,", "Florence", "A Milan - Como Railway Co.", "Sent from my iPhone")
    told = flat(ask(judge, "Dear judge,", *ORDERS, *closing))

    assert "COMPLETE: all orders of Florence are on file. " in told
    assert "NOT TAKEN" not in told
    assert "line 7: Best regards, line 8: Florence" in told


def test_an_order_typed_into_the_quotation_is_named(judge) -> None:
    """Its writer is told first thing, and what to do."""
    judge.serve()
    wrote = "On Fri, 20 Nov 2026 at 13:02, MACH judge <judge@mach.example> wrote:"
    told = flat(
        ask(judge, *ORDERS[:2], "", wrote, "> Florence: order your 3 units.", "> F psa - lig")
    )

    assert "NOT READ: line 7, which looks like an order; see below. ORDERS ON FILE" in told
    assert "NOT READ line 7:" in told
    assert "send it again above the quotation" in told


def test_press_without_an_end_takes_no_order_to_a_rival(judge) -> None:
    """Nothing goes out; the writer has her text again."""
    judge.serve()
    before = len(judge.letters())
    told = flat(ask(judge, "PRESS TO V", "Dear Caterina, I stay at home.", "A flo - bol"))

    assert {letter.to for letter in judge.letters()[before:]} == {LORENZA.address}
    assert "This text has no ENDPRESS, and line 4 looks like an order." in told
    assert "YOUR TEXT, WHICH WAS NOT SENT Dear Caterina, I stay at home. A flo - bol" in told


def test_a_command_below_a_long_line_is_heard(judge) -> None:
    """It is no rest of the order above it."""
    judge.serve()
    long = "Army of Pistoia supports the army of Florence to hold where it stands in Florence"
    told = flat(ask(judge, "A flo H", long, "SET WAIT", "F psa H"))

    assert "COMPLETE" in told
    assert "Florence waits for the deadline of this phase." in told
