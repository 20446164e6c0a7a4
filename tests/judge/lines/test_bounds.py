"""What one mail may cost: bounded by its size, whatever is written into it.

Work is counted in steps of Python, by which a test fails or holds on every machine alike; how long
the worst mails take is measured by `make worst`.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from machjudge.judge import texts
from machjudge.judge.rows import MAX_COMMANDS, MAX_ERRORS, MAX_SETTINGS
from machjudge.judge.worker import take
from tests.bench.worst_mails import SIZE, WORST
from tests.judge.house import House
from tests.judge.letters_in import answer, deliver, flat, raw_mail, work, write

ATTACKS = Path(__file__).parents[1] / "intake" / "attacks"
ANNA = "anna@player.example"
LUCIA = "lucia@player.example"
MAX_CALLS = 4_000_000
"""Calls of functions, Python's own and ours, while a mail is handled; orders need 20,000."""


NAMED = (
    "settings",
    "a sign of eighteen letters in press",
    "conditions",
    "greetings",
    "orders that cannot be read",
    "orders on a line",
    "words of a master",
    "time zones that do not exist",
    "parts in parts",
    "references of HTML",
)


@pytest.fixture(scope="module")
def house() -> Iterator[House]:
    """1454 in its first Spring; warmed up, so that no grammar is loaded while calls are counted."""
    house = House()
    house.start(options=["nomoney"])
    write(house, ANNA, "SIGNON Lborgia pwL", "A flo - bologn", "set nomony", "get ruls", "phase x")
    write(house, LUCIA, "SIGNON Mborgia masterkey", "lst", "set timezone Rom", "if A mil")
    return house


@pytest.fixture
def game() -> House:
    """A game of its own."""
    house = House()
    house.start(options=["nomoney"])
    return house


def calls_for(house: House, raw: bytes) -> int:
    """How many functions are called to handle a mail."""
    count = 0

    def profile(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    house.store.receive(raw, ANNA, house.now)
    sys.setprofile(profile)
    try:
        taken = take(house.services, house.now)
    finally:
        sys.setprofile(None)
    assert taken is not None
    assert taken.is_finished
    return count


@pytest.mark.parametrize("name", NAMED)
def test_the_largest_mail_of_a_kind_costs_a_bounded_number_of_steps(house: House, name) -> None:
    """A mebibyte of settings, conditions, greetings, nested parts or nonsense."""
    raw = WORST[name]()
    assert SIZE * 0.9 < len(raw) <= SIZE

    assert calls_for(house, raw) < MAX_CALLS


@pytest.mark.usefixtures("house")
def test_what_quotes_a_message_costs_twice_as_much_at_most(game: House) -> None:
    """It is read once more beside the messages that it may quote."""
    received = write(game, ANNA, "SIGNON Lborgia pwL", "LIST borgia")[-1].body
    quoted = next(row for row in received.splitlines() if len(row.split()) > 6)
    head, text = WORST["orders that cannot be read"]().split(b"\r\n\r\n", 1)
    raw = b"\r\n\r\n".join([head, quoted.encode() + b"\r\n" + text])

    assert MAX_CALLS < calls_for(game, raw) < 2 * MAX_CALLS


def flawed(house: House) -> bool:
    """True if the error flag of Florence is raised."""
    return "L" in house.view().flagged()


def test_settings_on_a_line_are_limited(game: House) -> None:
    """The answer says how many a line may hold; nothing of such a line is taken."""
    line = "set " + ", ".join(["wait"] * 61)
    text = answer(write(game, ANNA, "SIGNON Lborgia pwL", line, "A flo h"), ANNA)

    assert "a line sets 60 things at most, and nothing of this one was taken" in flat(text).lower()
    assert "A Florence H" in text


def test_settings_of_a_mail_are_limited(game: House) -> None:
    """What is above the limit counts, what is below is told first, and the phase waits."""
    lines = ["set " + ", ".join(["wait"] * 50)] * (MAX_SETTINGS // 50 + 1)
    text = answer(write(game, ANNA, "SIGNON Lborgia pwL", "A flo h", *lines, "A pis h"), ANNA)

    first = text.partition("\nDONE")[0]
    assert f"a mail may hold {MAX_SETTINGS} settings; nothing from line 7 on" in flat(first)
    assert "A Florence H" in text
    assert flawed(game)


def test_commands_of_a_mail_are_limited(game: House) -> None:
    """The orders above them count; those below are told to be missing."""
    lines = [f"phase U{1455 + n % 4}M" for n in range(MAX_COMMANDS + 5)]
    text = answer(write(game, ANNA, "SIGNON Lborgia pwL", "A flo h", *lines), ANNA)

    assert f"a mail may hold {MAX_COMMANDS} commands" in flat(text)
    assert "Send what is missing in another mail." in text
    assert "A Florence H" in text


def test_wrong_lines_of_a_mail_are_limited(game: House) -> None:
    """The first hundred are counted; that the rest was not read stands first, with its line."""
    wrong = [f"A flo frobs {n}" for n in range(MAX_ERRORS + 50)]
    letters = write(game, ANNA, "SIGNON Lborgia pwL", "A pis h", *wrong, "A are h")

    text = answer(letters, ANNA)
    told = f"NOT READ: more than {MAX_ERRORS} lines are wrong; nothing from line 103 on was read."
    assert told in flat(text.partition("NOT TAKEN")[0])
    assert flawed(game)


def test_wrong_commands_are_limited_as_well(game: House) -> None:
    """A master is told from which line on nothing was read."""
    wrong = [f"set zone{n}" for n in range(MAX_ERRORS + 50)]
    text = answer(write(game, LUCIA, "SIGNON Mborgia masterkey", *wrong), LUCIA)

    assert f"more than {MAX_ERRORS} lines are wrong; nothing from line 102 on" in flat(text)


def test_text_of_a_mail_is_limited_and_that_is_said_first(game: House) -> None:
    """Orders above the limit are on file, and the phase waits for what may stand below it."""
    rows = ["// " + "x" * 900] * 40
    text = answer(write(game, ANNA, "SIGNON Lborgia pwL", "A flo h", *rows, "A pis h"), ANNA)

    assert "NOT READ: your mail is too long; nothing from line 36 on" in flat(text)
    assert "A Florence H" in text
    assert flawed(game)


def test_a_mail_of_too_many_rows_is_told_to_be_cut(game: House) -> None:
    """What stands below the rows that are looked at may have been an order."""
    text = answer(
        write(game, ANNA, "SIGNON Lborgia pwL", "A flo h", *[""] * 6_100, "A pis h"), ANNA
    )

    assert "NOT READ: your mail is too long; only its beginning was read." in flat(text)
    assert flawed(game)


def test_a_quotation_that_is_cut_off_holds_nothing_up(game: House) -> None:
    """Below their orders people quote whole histories; a remark says that it was too long."""
    quoted = [f"> {n} line of an old message" for n in range(7_000)]
    text = answer(write(game, ANNA, "SIGNON Lborgia pwL", "A flo h", "", *quoted), ANNA)

    assert "the quoted text is too long; not all of it was looked at" in flat(text)
    assert "your mail is too long" not in text
    assert not flawed(game)


def test_what_stands_below_a_signoff_may_be_as_long_as_it_likes(game: House) -> None:
    """It would not have been read anyway."""
    rows = ["A flo - pst"] * 7_000
    text = answer(write(game, ANNA, "SIGNON Lborgia pwL", "A flo h", "SIGNOFF", *rows), ANNA)

    assert "too long" not in text
    assert not flawed(game)


def test_a_sign_that_stands_for_eighteen_letters_stays_one(game: House) -> None:
    """U+FDFA, a million times, was eighteen million letters."""
    raw = raw_mail(ANNA, ["SIGNON Lborgia pwL", "A flo h", "\ufdfa" * 100])
    deliver(game, raw, ANNA)
    work(game)

    (row,) = game.store.tables.inbox
    assert len(row.mail.raw.decode()) < 1_000


# --- the work of one mail ---------------------------------------------------------------------


def test_the_same_question_is_asked_once(game: House, monkeypatch) -> None:
    """A stranger's 990 lines for one map cost one map, and nothing is cut off."""
    raw = (ATTACKS / "get_map_svg.eml").read_bytes()
    drawn = []
    monkeypatch.setattr(texts.drawing, "draw", lambda *given: drawn.append(given) or "<svg/>")

    (letter,) = deliver(game, raw, "e@evil.example")

    assert len(drawn) == 1
    assert "NOT READ" not in letter.body


def test_a_mail_may_ask_for_so_much_and_the_rest_is_told_as_not_read(game: House) -> None:
    """Of twenty-four maps five come; the first line that was not read is named."""
    wanted = [f"GET MAP {each}" for each in game.services.atlas.scenario_ids()]
    assert len(wanted) > 20

    (letter,) = write(game, ANNA, "SIGNON Lborgia pwL", *wanted)

    assert "NOT READ: a mail may ask for so many maps" in letter.body
    assert "nothing from line 7 on was read" in flat(letter.body)
    assert sum(each.name.endswith(".png") for each in letter.attachments) <= 5


def test_orders_behind_too_many_questions_hold_the_phase_up(game: House) -> None:
    """They are not read, and the phase waits for them."""
    write(game, ANNA, "SIGNON Lborgia pwL", "A flo h")
    wanted = [f"GET MAP {each}" for each in game.services.atlas.scenario_ids()]
    write(game, ANNA, "SIGNON Lborgia pwL", *wanted, "A flo - bol")

    assert flawed(game)


def test_a_question_is_answered_anew_after_a_change(game: House) -> None:
    """A master who looks before and behind a setting reads both answers."""
    look = "LIST borgia"
    sent = write(game, LUCIA, "SIGNON Mborgia masterkey", look, "SET DEADLINE +99h", look, look)

    assert answer(sent, LUCIA).count("THE GAME BORGIA") == 2


@pytest.mark.parametrize("line", ["GET MAP SVG {}", "MAP {}", "GET SCENARIO {}", "GET RULES {}"])
def test_whatever_a_stranger_asks_for_is_bounded(game: House, line: str) -> None:
    """In work and in the size of the answer, however many different things are asked for."""
    names = [*game.services.atlas.scenario_ids(), *game.services.library.sections()]
    rows = [line.format(getattr(each, "area", each)) for each in names]

    (letter,) = write(game, "eve@elsewhere.example", *rows * 10)

    size = sum(len(each.content) for each in letter.attachments) + len(letter.body.encode())
    assert size < 700_000


@pytest.mark.parametrize("line", ["GET MAP SVG {}", "GET REPLAY borgia", "HISTORY borgia {}"])
def test_questions_cost_a_bounded_number_of_steps(house: House, line: str) -> None:
    """For all the lines that one mail may have."""
    names = house.services.atlas.scenario_ids()
    rows = [line.format(names[n % len(names)]) for n in range(990)]

    assert calls_for(house, raw_mail(ANNA, rows)) < MAX_CALLS


def test_texts_of_a_mail_are_limited(game: House) -> None:
    """As all commands are; the rest is told as not read, and no word of it is a command."""
    sent = write(game, ANNA, "SIGNON Lborgia pwL", *("DIARY RECORD", "hm", "", "ENDPRESS") * 240)

    assert f"a mail may hold {MAX_COMMANDS} commands" in flat(answer(sent, ANNA))
    assert len(game.store.tables.notes) <= MAX_COMMANDS
