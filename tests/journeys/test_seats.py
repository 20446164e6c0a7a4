"""Who sits where, by SMTP: an ejection that holds, and bounces that nobody forges."""

from pathlib import Path

from tests.journeys.conftest import SMALL, ask, flat
from tests.journeys.pens import Writer

MASTER, LORENZA = SMALL.people["M"], SMALL.people["L"]
STRANGER = Writer("Dario", "dario@players.example", "tamburo8")

REPORT = Path(__file__).with_name("report.eml").read_bytes()


def report(name: str) -> bytes:
    """A report that a message could not be delivered, with a Message-ID of its own."""
    return f"Message-ID: <{name}@mx.example>\r\n".encode() + REPORT


def test_who_was_ejected_does_not_come_back_by_the_next_mail(judge) -> None:
    """Neither with the old password nor with a new one; no deadline changes for anybody."""
    judge.serve()
    deadline = judge.game("borgia").clock.deadline
    ejected = ask(judge, MASTER, SMALL.signon("M"), "EJECT Florence")
    again = ask(judge, LORENZA, SMALL.signon("L"), "A flo H")
    anew = ask(judge, LORENZA, "SIGNON Lborgia nuovo123", "A flo H")
    watching = ask(judge, LORENZA, "OBSERVE borgia nuovo123")

    assert "SET ALLOW PLAYER Lorenza" in ejected.text
    for refused in (again, anew, watching):
        assert "keeps you out of this game" in flat(refused)
    game = judge.game("borgia")
    assert [seat.person for seat in game.seats if "L" in seat.powers] == [None]
    assert game.clock.deadline == deadline

    back = ask(judge, MASTER, SMALL.signon("M"), "SET ALLOW PLAYER Lorenza")
    assert "may take a seat or watch again" in flat(back)
    assert "You lead Florence now" in flat(ask(judge, LORENZA, "SIGNON Lborgia nuovo123"))


def test_an_old_password_takes_a_seat_for_nobody(judge) -> None:
    """Not for who resigned, not for a stranger who knows it."""
    judge.serve()
    ask(judge, LORENZA, SMALL.signon("L"), "RESIGN")
    again = ask(judge, LORENZA, SMALL.signon("L"))
    known = ["REGISTER", "Name: Dario", "END", SMALL.signon("L")]
    other = ask(judge, STRANGER, *known)

    for refused in (again, other):
        assert "the password of its last player" in flat(refused)
    assert "You lead Florence now" in flat(ask(judge, STRANGER, "SIGNON Lborgia tamburo8"))


def test_only_who_had_the_message_in_hand_reports_it_as_returned(judge) -> None:
    """Guessed addresses mark nothing, the true one in any case of letters does, and lasts."""
    judge.serve()
    ask(judge, LORENZA, "HELP")
    judge.rest()
    (sender, _, _), *_ = [one for one in judge.post.taken if LORENZA.address in one[1]]
    local, _, domain = sender.partition("@")
    number = local.split(".")[1]
    failed = "SELECT count(*) FROM outbox WHERE why LIKE 'came back%'"

    for guessed in (f"judge+bounce.{number}", f"{local[:-1]}{'a' if local[-1] != 'a' else 'b'}"):
        judge.send(report(guessed), sender="", to=f"{guessed}@{domain}")
    judge.rest()
    assert judge.rows(failed) == [(0,)]

    judge.stop()
    judge.serve()
    judge.send(report("right"), sender="", to=f"{local.upper()}@{domain.upper()}")
    judge.rest()
    assert judge.rows(failed) == [(1,)]
