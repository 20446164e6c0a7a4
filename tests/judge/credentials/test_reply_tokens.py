"""Answering a message of the judge is enough: its token opens the seat."""

import pytest

from machjudge.judge.credentials import SeatToken, code_of
from tests.judge.fakes import SECRET
from tests.judge.house import House, started
from tests.judge.letters_in import Carrier, answer, deliver, message_to, raw_mail, reply, write
from tests.judge.year import OPENING, SPRING, address_of, play

MALLORY, MARCO = "mallory@evil.example", "marco@player.example"


def first(house: House, power: str = "A"):
    """The acknowledgement of a first mail, with its token."""
    (letter,) = write(house, address_of(house, power), f"SIGNON {power}borgia pw{power}")
    return letter


@pytest.mark.parametrize("carrier", Carrier)
def test_an_answer_needs_no_signon(house, carrier) -> None:
    """Wherever it carries the token."""
    letters = reply(house, first(house), "A tyr H", carrier=carrier)

    assert "Errors" not in letters[0].subject
    assert [line.canonical for line in house.view().order_sets["A"].lines] == ["A tyr h"]


def test_a_signon_still_works_beside_a_token(house) -> None:
    """For the same seat, and for another one."""
    letter = first(house)
    same = reply(house, letter, "SIGNON Aborgia pwA", "A tyr H")
    other = reply(house, letter, "SIGNON Lborgia pwL", "A flo - pis")

    assert [each.to for each in same] == [address_of(house, "A")]
    assert set(house.view().order_sets) == {"A", "L"}
    assert {each.to for each in other} == {address_of(house, "A"), address_of(house, "L")}


def test_an_empty_answer_shows_what_is_on_file(house) -> None:
    """Nobody is told that there is no text to read."""
    text = answer(reply(house, first(house), ""), address_of(house, "A"))

    assert "Austria in Borgia" in text
    assert "no text to read" not in text


def test_a_typed_code_is_no_order(house) -> None:
    """The line with the code opens the seat, and raises no error flag."""
    letter = first(house)
    code = code_of(SECRET, letter.reply)
    letters = write(house, address_of(house, "A"), f"Reply code: r.{code}", "A tyr H")

    assert not house.view().order_sets["A"].flawed
    assert code not in "".join(each.body for each in letters)


@pytest.mark.parametrize(
    "mail",
    [
        ["SIGNON Aborgia pwA", "REVOKE TOKENS"],
        ["SIGNON Aborgia pwA", "SET PASSWORD other77"],
    ],
)
def test_what_ends_the_tokens_of_a_seat(house, mail) -> None:
    """An old one gets a readable answer; the answer to the mail that ended it has a new one."""
    old = first(house)
    (new, *_) = write(house, address_of(house, "A"), *mail)
    text = answer(reply(house, old, "A tyr H"), address_of(house, "A"))

    assert "opens no seat any more" in text
    assert house.view().order_sets == {}
    reply(house, new, "A tyr H")
    assert set(house.view().order_sets) == {"A"}


@pytest.mark.parametrize(
    ("language", "line"), [("en", "yourpassword"), ("es", "tucontraseña"), ("it", "tuapassword")]
)
def test_the_answer_to_an_old_code_names_the_seat_and_the_game(house, language, line) -> None:
    """Both are known: the lines to send have no letter and no game to fill in."""
    old = first(house)
    write(house, address_of(house, "A"), "SIGNON Aborgia pwA", f"SET LANGUAGE {language}")
    write(house, address_of(house, "A"), "SIGNON Aborgia pwA", "SET PASSWORD other77")
    text = answer(reply(house, old, "A tyr H"), address_of(house, "A"))

    assert f"SIGNON ABorgia {line}\nA tyr H\nSIGNOFF\n" in text
    assert "SIGNON ABorgia" in text.partition("A tyr H")[0]
    assert "Lgame" not in text


def test_a_seat_that_changes_its_player_has_other_tokens(house) -> None:
    """Anyone who resigned orders nothing for the one who came after."""
    marco = address_of(house, "L")
    old = first(house, "L")
    reply(house, old, "RESIGN")
    write(house, "nina@new.example", "REGISTER", "Name: Nina", "END", "SIGNON Lborgia tulip9")
    letters = reply(house, old, "A flo - pis")

    assert "opens no seat any more" in answer(letters, marco)
    assert house.view().order_sets == {}


def test_no_token_goes_to_an_address_that_is_not_on_file(house) -> None:
    """A password opens the seat from anywhere, but the answer there opens nothing later."""
    letters = write(house, MALLORY, "SIGNON Lborgia pwL", "A flo - pis")
    tokens = {letter.to: letter.reply for letter in letters}

    assert tokens[MALLORY] is None
    assert isinstance(tokens[address_of(house, "L")], SeatToken)


def test_tokens_are_passed_on_to_nobody(house) -> None:
    """Who forwards his message in press, in a diary or in a comment gives nothing away."""
    letter = first(house)
    tag = f"r.{code_of(SECRET, letter.reply)}"
    letters = reply(
        house,
        letter,
        "PRESS TO L",
        f"Look: Reply code: {tag}",
        f"bare {tag[2:]}, and judge+{tag}@mach.example",
        "ENDPRESS",
        f"nonsense {tag}",
    )

    assert len(letters) > 1
    assert tag[2:] not in "".join(each.body + each.subject for each in letters).lower()
    kept = house.store.tables
    assert tag[2:] not in str([kept.press, kept.notes, kept.notices, kept.outbox])
    assert tag[2:].encode() not in kept.inbox[-1].mail.raw


def test_an_old_token_is_for_its_phase() -> None:
    """It opens the seat, and the answer names both phases as for an old message."""
    house = started("nodice")
    play(house, OPENING)
    old = first(house)
    house.later(hours=1)
    play(house, SPRING)
    house.later(hours=1)
    house.mails_out()
    text = answer(reply(house, old, "A tyr H"), address_of(house, "A"))

    assert "Your mail answers a message about S1454M.\nThe game is at U1454M" in text


@pytest.mark.parametrize("gap", ["\u200b", "\u00ad", "\n> ", "=\n", " "])
def test_a_broken_code_opens_its_seat_and_goes_to_nobody(gap: str) -> None:
    """A mail program broke it in the quotation, and its owner quotes it in press, too."""
    house = House(confirm=True)
    house.start()
    asked = message_to(write(house, MARCO, "SIGNON VBorgia pwV"), MARCO)
    assert asked.reply is not None
    code = code_of(SECRET, asked.reply)
    broken = f"r.{code[:9]}{gap}{code[9:]}"
    lines = ["maintain A pad", "PRESS TO I", "Dear Lucia,", f"see {broken} below.", "ENDPRESS"]
    sent = write(house, "marco@elsewhere.example", *lines, "", f"> Reply code: {broken}")
    (press,) = [each.body for each in sent if each.to == "lucia@player.example"]

    assert [line.canonical for line in house.view().order_sets["V"].lines] == ["maintain A pad"]
    assert "Dear Lucia" in press
    assert code[:9] not in press
    assert code[9:] not in press


# --- where no address has a plus: the code travels in the Message-ID and in the text -----------


def ids_of(code: str = "") -> str:
    """A Message-ID of the judge, with a code or without."""
    return f"<20261120T120000.abcdefgh{f'.r.{code}' if code else ''}@mach.example>"


def answering(house: House, sender: str, *lines: str, **fields: str):
    """A mail to the judge's bare address with more fields in its header; what is sent then."""
    raw = raw_mail(sender, lines, "Re: Orders")
    above = "".join(f"{name.replace('_', '-')}: {value}\n" for name, value in fields.items())
    return deliver(house, above.encode() + raw, sender)


def seats_with_orders(house: House) -> set[str]:
    """Whose orders are on file."""
    return set(house.view().order_sets)


@pytest.mark.parametrize("field", ["In_Reply_To", "References"])
def test_a_message_id_with_a_code_opens_its_seat_and_no_other(field) -> None:
    """Though other Message-IDs of the judge, without a code or with a forged one, stand there."""
    house = started()
    code = code_of(SECRET, first(house).reply)
    others = [ids_of(), ids_of("a" * 26), "<borgia.s1454m.game@mach.example>"]
    answering(
        house, address_of(house, "A"), "A tyr H", "SIGNON Lborgia", "A flo - pis",
        **{field: " ".join([*others, ids_of(code)])},
    )  # fmt: skip

    assert seats_with_orders(house) == {"A"}


@pytest.mark.parametrize(
    "forged",
    [
        "<borgia.s1454m.game@mach.example>",
        "<20261120T120000.abcdefgh@mach.example>",
        f"<20261120T120000.abcdefgh.r.{'a' * 26}@mach.example>",
        "<20261120T120000.000000.1@mach.example>",
    ],
)
def test_references_without_the_code_open_nothing(forged) -> None:
    """Anyone who knows how Message-IDs look, or has seen one in somebody's thread."""
    house = started()
    first(house)
    for field in ("In_Reply_To", "References"):
        answering(house, MALLORY, "A tyr H", **{field: forged})
        answering(house, address_of(house, "A"), "A tyr H", **{field: forged})

    assert seats_with_orders(house) == set()


def test_the_message_that_is_answered_counts_before_what_is_quoted() -> None:
    """Who plays at two seats, or was shown a mail, orders for the one that they answer."""
    house = started()
    own, other = (code_of(SECRET, first(house, power).reply) for power in "AL")
    answering(
        house, address_of(house, "A"), "A tyr H", "", "> A flo - pis", f"> Reply code: r.{other}",
        In_Reply_To=ids_of(own), References=f"{ids_of(other)} {ids_of(own)}",
    )  # fmt: skip

    assert seats_with_orders(house) == {"A"}
