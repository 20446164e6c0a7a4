"""Whole letters, compared as text with the files in ``golden``.

``GOLDEN=write pytest tests/messages/test_golden.py`` writes them anew; read what changed.
"""

import os
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import pytest

from machjudge.judge.mails import Outgoing
from machjudge.judge.tick import look_at_games
from machjudge.mail_parser.secrets import redact_line
from tests.judge.house import House, built_once
from tests.judge.letters_in import deliver, raw_mail, write
from tests.judge.phases import test_mastering as mastering
from tests.judge.year import FALL, OPENING, SPRING, SUMMER, address_of, order, play
from tests.messages.clock_letters import CLOCK_LETTERS, is_about
from tests.messages.language_letters import LANGUAGE_LETTERS
from tests.messages.master_letters import MASTER_LETTERS
from tests.messages.money_letters import MONEY_LETTERS
from tests.messages.order_letters import ORDER_LETTERS
from tests.messages.press_letters import PRESS_LETTERS
from tests.messages.seat_letters import SEAT_LETTERS
from tests.messages.sharing_letters import SHARING_LETTERS

GOLDEN = Path(__file__).parent / "golden"
WIDE_TEXTS = frozenset({"answer_map"})
"""Letters with the table of places, which has 80 columns."""


def to(letters: Sequence[Outgoing], address: str, subject: str = "") -> str:
    """The only letter to an address whose subject holds some words, as a golden text."""
    (letter,) = [each for each in letters if each.to == address and is_about(each, subject)]
    return text_of(letter)


def text_of(letter: Outgoing) -> str:
    """A letter as it stands in its file: whom it is for, subject, body."""
    files = "".join(f"Attachment: {file.name} {file.media_type}\n" for file in letter.attachments)
    return f"To: {letter.to}\nSubject: {letter.subject}\n{files}\n{letter.body}"


def running(*options: str) -> House:
    """A game that has just started."""
    house = House()
    house.start(options=options)
    return house


@built_once
def forming() -> House:
    """A game with a master and one player."""
    house = House()
    write(house, "gina@player.example", "REGISTER", "Name: Gina", "END")
    write(house, "gina@player.example", "CREATE ?Borgia masterkey 1454 nodice")
    write(house, "lucia@player.example", "SIGNON ?borgia tulip9")
    return house


# --- before the game -------------------------------------------------------------------------


def help_of_all() -> str:
    return to(write(House(), "lucia@player.example", "HELP"), "lucia@player.example")


def welcome_for_an_empty_mail() -> str:
    return to(write(House(), "lucia@player.example", ""), "lucia@player.example")


def welcome_for_prose() -> str:
    lines = ["Dear judge,", "I would like to join a game. How does it work?", "Regards, Lucia"]
    return to(write(forming(), "marco@player.example", *lines), "marco@player.example")


def orders_without_a_signon() -> str:
    lines = ["Dear judge,", "A Florence - Bologna", "F Pisa H", "Anna"]
    return to(write(running(), "anna@player.example", *lines), "anna@player.example")


def registered() -> str:
    lines = ["REGISTER", "Name: Lucia Neri", "Timezone: europe/rome", "END"]
    return to(write(House(), "lucia@player.example", *lines), "lucia@player.example")


def created() -> str:
    sent = write(House(), "gina@player.example", "CREATE ?Borgia masterkey 1454 nodice")
    return to(sent, "gina@player.example")


def joined() -> str:
    house = forming()
    sent = write(house, "marco@player.example", "SIGNON ?borgia tulip9", "SET PREFERENCES VL*")
    return to(sent, "marco@player.example")


def joined_told() -> str:
    return to(
        write(forming(), "marco@player.example", "SIGNON ?borgia tulip9"), "gina@player.example"
    )


def parameter_change() -> str:
    sent = write(forming(), "gina@player.example", "SIGNON Mborgia masterkey", "SET NOMONEY")
    return to(sent, "lucia@player.example")


def ruled() -> House:
    """A running game with money, whose master does not play."""
    return mastering.ruled()


def preview() -> str:
    house = ruled()
    play(house, OPENING)
    mastering.master(house, "FIX TREASURY Florence 60 BECAUSE it was paid twice")
    order(house, "L", "A flo - pst", "E 1: 12 assassinate Milan")
    return text_of(mastering.master(house, "PREVIEW")[0])


def rollback() -> str:
    house = ruled()
    play(house, OPENING)
    return to(mastering.master(house, "ROLLBACK"), address_of(house, "L"))


def correction() -> str:
    line = "FIX TREASURY Florence 9 BECAUSE it was paid twice"
    house = ruled()
    return to(mastering.master(house, line), address_of(house, "L"))


def written_by_the_master() -> str:
    house = ruled()
    play(house, OPENING)
    return to(mastering.master(house, "BECOME Florence", "A flo h"), address_of(house, "L"))


def list_of_games() -> str:
    return to(write(forming(), "nobody@other.example", "LIST"), "nobody@other.example")


def listing_forming() -> str:
    return to(write(forming(), "nobody@other.example", "LIST Borgia"), "nobody@other.example")


def started(*options: str) -> str:
    house = House()
    house.start(options=options, keep_mails=True)
    return to(house.mails_out(), "anna@player.example")


# --- orders ----------------------------------------------------------------------------------


def complete() -> str:
    house = running("nomoney")
    return to(order(house, "L", "A flo - bol", "A are h", "F psa - egl"), "anna@player.example")


def incomplete() -> str:
    return to(order(running("nomoney"), "L", "A flo - bol"), "anna@player.example")


def game_over() -> str:
    house = running("nodice")
    play(house, OPENING)
    sent = write(house, "gina@player.example", "SIGNON Mborgia masterkey", "DECLARE VICTORY V")
    return to(sent, "anna@player.example", "game over")


def vote() -> str:
    house = running("nomoney")
    return to(order(house, "L", "SET DRAW LV", "SET CONCEDE I"), "anna@player.example")


def report(*lines: str) -> str:
    house = House()
    house.start(options=["nodice"])
    play(house, OPENING)
    order(house, "L", "BROADCAST", "Peace to all.", "ENDPRESS")
    house.later(hours=50)
    play(house, SPRING)
    return to(write(house, "nobody@other.example", *lines), "nobody@other.example")


def ping() -> str:
    return to(write(running("nomoney"), "anna@player.example", "PING"), "anna@player.example")


def listing_of_the_master() -> str:
    house = House()
    write(house, "gina@player.example", "CREATE ?Borgia masterkey 1454 nodice")
    write(house, "gina@player.example", "SIGNON Mborgia masterkey", "SET HIDDEN MONEY, ANONYMOUS")
    for number in range(8):
        write(house, f"p{number}@player.example", "SIGNON ?borgia tulip9")
    own = next(s for s in house.game().seats if "L" in s.powers)
    write(house, own.address, "SIGNON Lborgia tulip9", "SET DRAW LV")
    sent = write(house, "gina@player.example", "SIGNON Mborgia masterkey", "LIST")
    return to(sent, "gina@player.example")


def with_errors() -> str:
    house = running("nomoney")
    order(house, "L", "A flo h", "A are h", "F psa h")
    lines = [
        "A flo - psaa",
        "A are - rme",
        "A mil h",
        "A are",
        "A sal - rme",
        "F psa - pio (maybe)",
    ]
    return to(order(house, "L", *lines), "anna@player.example")


def adjustment_with_a_change_of_mind() -> str:
    house = running("nodice")
    lines = ["maintain A flo", "maintain A are", "disband A are", "maintain F psa", "build G flo"]
    return to(order(house, "L", *lines), "anna@player.example")


def from_another_address() -> str:
    house = running("nomoney")
    sent = write(house, "anna@office.example", "SIGNON Lborgia pwL", "A flo h")
    return to(sent, "anna@office.example")


def wrong_password() -> str:
    sent = write(running(), "anna@player.example", "SIGNON Lborgia tulip8", "A flo h")
    return to(sent, "anna@player.example")


def late_orders() -> str:
    house = running("nomoney")
    house.later(days=7, hours=5)
    return to(order(house, "L", "A flo h", "A are h", "F psa h"), "anna@player.example", "Re:")


def huge_line() -> str:
    raw = raw_mail("lucia@player.example", ["x" * 32_000])
    return to(deliver(House(), raw, "lucia@player.example"), "lucia@player.example")


# --- the course of the game ------------------------------------------------------------------


@cache
def year() -> dict[str, list[Outgoing]]:
    """The letters of the first year, by phase."""
    house = running()
    return {
        "F1453B": play(house, OPENING),
        "S1454M": play(house, SPRING),
        "U1454M": play(house, SUMMER),
        "U1454R": order(house, "P", "A per - spo"),
        "F1454M": play(house, FALL),
    }


def results(phase: str, address: str) -> str:
    return to(year()[phase], address, "Results")


def retreat_order() -> str:
    return to(year()["U1454R"], "paolo@player.example", "Re:")


def reminder() -> str:
    house = running("nomoney")
    order(house, "L", "A flo h")
    look_at_games(house.services, house.later(days=6, hours=13))
    return to(house.mails_out(), "anna@player.example")


def _late(address: str) -> str:
    house = running("nomoney")
    for power, lines in SPRING.items():
        if power not in "LV":
            order(house, power, *(line for line in lines if line != "G mil h"))
    order(house, "V", "A pad h", "A ver h", "F dal h", "G ven h")
    order(house, "L", "A flo h")
    house.later(days=8)
    house.mails_out()
    look_at_games(house.services, house.now)
    return to(house.mails_out(), address)


def late_own() -> str:
    return _late("anna@player.example")


def late_others() -> str:
    return _late("marco@player.example")


def press_to_two() -> str:
    sent = order(running(), "L", "PRESS TO IV", "Dear friends,", "", "  shall we meet?", "ENDPRESS")
    return to(sent, "marco@player.example")


def press_receipt() -> str:
    sent = order(running(), "L", "PRESS TO milan, venice", "Shall we meet?", "ENDPRESS")
    return to(sent, "anna@player.example")


def broadcast() -> str:
    return to(
        order(running(), "L", "BROADCAST", "Peace to all.", "ENDPRESS"), "carla@player.example"
    )


def listing_running() -> str:
    return to(write(running(), "nobody@other.example", "LIST Borgia"), "nobody@other.example")


def deadline_moved() -> str:
    sent = write(running(), "lucia@player.example", "SIGNON Mborgia masterkey", "SET DEADLINE +48h")
    return to(sent, "anna@player.example")


def resigned() -> str:
    return to(order(running(), "L", "RESIGN"), "marco@player.example")


def taken_over() -> str:
    house = running()
    order(house, "L", "RESIGN")
    write(house, "dino@player.example", "REGISTER", "Name: Dino", "END")
    sent = write(house, "dino@player.example", "SIGNON Lborgia newword")
    return to(sent, "dino@player.example")


def observed() -> str:
    sent = write(running(), "dino@player.example", "OBSERVE borgia tulip9")
    return to(sent, "marco@player.example")


def address_changed() -> str:
    house = running()
    sent = order(house, "L", "SET ADDRESS anna@new.example")
    assert address_of(house, "L") == "anna@new.example"
    return to(sent, "anna@player.example", "changes to your access")


# --- questions -------------------------------------------------------------------------------


def asked(*lines: str) -> str:
    return to(write(House(), "lucia@player.example", *lines), "lucia@player.example")


LETTERS: dict[str, Callable[[], str]] = {
    "help_of_all": help_of_all,
    "welcome_for_an_empty_mail": welcome_for_an_empty_mail,
    "welcome_for_prose": welcome_for_prose,
    "orders_without_a_signon": orders_without_a_signon,
    "registered": registered,
    "created": created,
    "joined": joined,
    "joined_told": joined_told,
    "parameter_change": parameter_change,
    "preview": preview,
    "rollback": rollback,
    "correction": correction,
    "written_by_the_master": written_by_the_master,
    "list_of_games": list_of_games,
    "listing_forming": listing_forming,
    "started": started,
    "started_without_money": lambda: started("nomoney"),
    "receipt_complete": complete,
    "game_over": game_over,
    "vote": vote,
    "history": lambda: report("HISTORY borgia"),
    "summary": lambda: report("SUMMARY borgia"),
    "who_late": lambda: report("WHO LATE borgia"),
    "ping": ping,
    "listing_of_the_master": listing_of_the_master,
    "receipt_incomplete": incomplete,
    "receipt_with_errors": with_errors,
    "receipt_adjustment": adjustment_with_a_change_of_mind,
    "receipt_from_another_address": from_another_address,
    "receipt_late": late_orders,
    "receipt_retreat": retreat_order,
    "wrong_password": wrong_password,
    "huge_line": huge_line,
    "results_adjustment": lambda: results("F1453B", "lucia@player.example"),
    "results_campaign": lambda: results("S1454M", "carla@player.example"),
    "results_with_a_dislodged_unit": lambda: results("U1454M", "paolo@player.example"),
    "results_retreats": lambda: results("U1454R", "anna@player.example"),
    "results_fall": lambda: results("F1454M", "rosa@player.example"),
    "reminder": reminder,
    "late_own": late_own,
    "late_others": late_others,
    "press_to_two": press_to_two,
    "press_receipt": press_receipt,
    "broadcast": broadcast,
    "listing_running": listing_running,
    "deadline_moved": deadline_moved,
    "resigned": resigned,
    "taken_over": taken_over,
    "observed": observed,
    "address_changed": address_changed,
    "answer_map": lambda: asked("GET MAP 1385"),
    "answer_texts": lambda: asked("GET INDEX", "GET SYNTAX", "GET RULES"),
    "answer_rule": lambda: asked("GET RULES SIE-04", "GET RULES victory", "GET info.mach2x"),
    "answer_scenario": lambda: asked("GET SCENARIO 1385"),
    "answer_help_of_one": lambda: asked("HELP SIGNON", "HELP SET DEADLINE", "VERSION", "HELP xyz"),
    **CLOCK_LETTERS,
    **MASTER_LETTERS,
    **MONEY_LETTERS,
    **PRESS_LETTERS,
    **SHARING_LETTERS,
    **SEAT_LETTERS,
    **ORDER_LETTERS,
    **LANGUAGE_LETTERS,
}


@pytest.mark.parametrize("name", LETTERS)
def test_letter_is_as_it_was_read_and_approved(name: str) -> None:
    """Each kind of letter equals its file, word for word."""
    text = LETTERS[name]()
    file = GOLDEN / f"{name}.txt"
    if os.environ.get("GOLDEN") == "write":
        file.write_text(text, encoding="utf-8")

    assert text == file.read_text(encoding="utf-8")


def test_every_golden_file_has_its_letter() -> None:
    """No file is left over from a letter that is written no more."""
    assert {file.stem for file in GOLDEN.glob("*.txt")} == set(LETTERS)


@pytest.mark.parametrize("name", LETTERS)
def test_letter_fits_a_terminal(name: str) -> None:
    """No line is wider than 80 columns."""
    lines = (GOLDEN / f"{name}.txt").read_text(encoding="utf-8").splitlines()

    assert [line for line in lines if len(line) > 80 and not line.startswith("Subject")] == []


@pytest.mark.parametrize("name", [name for name in LETTERS if name not in WIDE_TEXTS])
def test_tables_fit_a_telephone(name: str) -> None:
    """Lines that a wrapping would spoil, those with columns, are no wider than 40."""
    body = (GOLDEN / f"{name}.txt").read_text(encoding="utf-8").partition("\n\n")[2]
    columns = [line for line in body.splitlines() if "   " in line.strip()]

    assert [line for line in columns if len(line) > 48] == []


def test_no_subject_of_the_judge_looks_like_one_with_a_password() -> None:
    """What a reply repeats of it is not redacted, neither a word nor the code of the phase."""
    texts = [path.read_text(encoding="utf-8") for path in GOLDEN.glob("*.txt")]
    subjects = [text.split("\n")[1].removeprefix("Subject: ") for text in texts]

    assert subjects
    assert [redact_line(f"Re: {each}") for each in subjects] == [f"Re: {each}" for each in subjects]
