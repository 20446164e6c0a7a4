"""What a mail claims: one sender in From, who gets the answer, and nothing more."""

import pytest

from tests.cases import cases
from tests.judge.house import House
from tests.judge.letters_in import answer, deliver, raw_mail, write

MARCO = "marco@player.example"
THIEF = "thief@other.example"


@pytest.fixture
def house() -> House:
    """A judge with a game that has just begun."""
    made = House()
    made.start()
    return made


def two_fields(lines: list[str]) -> bytes:
    """A mail with two From fields."""
    return f"From: {THIEF}\n".encode() + raw_mail(MARCO, lines)


def two_addresses(lines: list[str]) -> bytes:
    """A mail with two addresses in its From field."""
    raw = raw_mail(MARCO, lines)
    return raw.replace(b"From: Marco <marco@player.example>", f"From: {MARCO}, {THIEF}".encode())


@pytest.mark.parametrize("forge", [two_fields, two_addresses])
def test_mail_of_two_senders_is_not_obeyed(house: House, forge) -> None:
    """Neither of them is, and the person who sent it reads why."""
    before = house.game()

    sent = deliver(
        house, forge(["SIGNON FBorgia pwF", "A flo - pis", "PRESS TO V", "hello"]), MARCO
    )

    assert house.game() == before
    assert not house.store.tables.order_sets
    assert "exactly one sender" in answer(sent, MARCO)
    assert {letter.to for letter in sent} == {MARCO}


def test_stranger_to_the_mail_hears_nothing_of_it(house: House) -> None:
    """An envelope sender who is neither named in the mail nor on file gets no message."""
    sent = deliver(house, two_fields(["LIST"]), "bystander@else.example")

    assert not sent
    (row,) = house.store.tables.inbox
    assert row.aside == "From names not exactly one sender"


def test_answers_go_to_no_foreign_reply_to(house: House) -> None:
    """Reply-To counts only if it is another address of the one who writes."""
    raw = f"Reply-To: {THIEF}\n".encode() + raw_mail(MARCO, ["SIGNON VBorgia pwV", "PING"])

    sent = deliver(house, raw, MARCO)

    assert {letter.to for letter in sent} == {MARCO}
    assert "not used: it is no address of yours here" in answer(sent, MARCO)


def test_answers_go_to_ones_own_reply_to(house: House) -> None:
    """A second address on file may be the one for answers."""
    second = "marco@office.example"
    sent = write(house, second, f"I AM ALSO {MARCO}")
    (token,) = [line.split()[-1] for line in answer(sent, MARCO).splitlines() if "CONFIRM" in line]
    write(house, second, f"CONFIRM {token}")

    sent = deliver(house, f"Reply-To: {second}\n".encode() + raw_mail(MARCO, ["PING"]), MARCO)

    assert {letter.to for letter in sent} == {second}


ORDERS = ["SIGNON Vborgia pwV", "A ven H"]
LIST = "players@lists.example"
MUNGED = f"Marco via Players <{LIST}>"


def by_list(lines: list[str], *fields: str, sender: str = MUNGED) -> bytes:
    """A mail that a mailing list has put its own address into."""
    head = "\n".join(["List-Id: <players.lists.example>", *fields, f"From: {sender}"])
    raw = raw_mail(MARCO, lines)
    return raw.replace(b"From: Marco <marco@player.example>", head.encode())


@cases
@pytest.mark.parametrize("sender", [MUNGED, LIST, f"Marco <{THIEF}>"])
def test_orders_by_a_list_are_answered_at_the_address_on_file(
    house: House, fields: list[str], sender: str
) -> None:
    """The receipt shows orders and money: no list gets it, and nobody in it."""
    sent = deliver(house, by_list(ORDERS, *fields, sender=sender), "players-bounces@lists.example")

    assert {letter.to for letter in sent} == {MARCO}
    assert "ON FILE" in answer(sent, MARCO)


def test_a_stranger_who_writes_by_a_list_is_answered_in_person(house: House) -> None:
    """The list itself never is."""
    raw = by_list(["LIST"], f"Reply-To: Eve <{THIEF}>")

    assert {letter.to for letter in deliver(house, raw, "players-bounces@lists.example")} == {THIEF}
    assert deliver(house, by_list(["LIST"]), "players-bounces@lists.example") == []


def test_nobody_joins_without_an_address(house: House) -> None:
    """A mail that names nobody does only what its proof allows."""
    before = dict(house.store.tables.persons)
    raw = by_list(["I AM Marco Polo"])

    assert deliver(house, raw, "players-bounces@lists.example") == []
    assert house.store.tables.persons == before


def test_what_stands_in_reply_to_is_vouched_for_by_no_signature(house: House) -> None:
    """A server that signs From says nothing of the other fields."""
    house.services.senders.verified = {MARCO, "lucia@player.example"}
    write(house, "lucia@player.example", "SIGNON Mborgia masterkey", "SET SENDER VERIFIED")
    raw = by_list(ORDERS, f"Reply-To: {MARCO}")

    deliver(house, raw, "players-bounces@lists.example")
    assert not house.store.tables.order_sets
    deliver(house, raw_mail(MARCO, ORDERS), MARCO)
    assert house.store.tables.order_sets


@pytest.mark.parametrize(
    "fields",
    [
        b"X-Loop: players@lists.example",
        b"X-MS-Exchange-Inbox-Rules-Loop: judge@mach.example",
        b"X-Spam-Judge: ham",
        b"Sender: players-bounces@lists.example",
        b"Sender: noreply@forms.example",
        b"Reply-To: judge@mach.example",
        b"\n".join([b"Received: from a.example by b.example; now"] * 26),
    ],
)
def test_what_servers_add_keeps_no_order_from_being_done(house: House, fields: bytes) -> None:
    """It is somebody else's, or says nothing about who wrote."""
    sent = deliver(house, fields + b"\n" + raw_mail(MARCO, ORDERS), MARCO)

    assert {letter.to for letter in sent} == {MARCO}
    assert "ON FILE" in answer(sent, MARCO)


@pytest.mark.parametrize(
    ("sender", "reply_to"),
    [
        ("Form <noreply@club.example>", MARCO),
        ("Marco via Mach <judge@mach.example>", MARCO),
        ("judge+x@mach.example", None),
        ("Marco", None),
        ("<>", None),
    ],
)
def test_a_from_of_nobody_keeps_no_order_from_being_done(
    house: House, sender: str, reply_to: str | None
) -> None:
    """The person stands in Reply-To or in the envelope."""
    raw = raw_mail(MARCO, ORDERS).replace(
        b"From: Marco <marco@player.example>", f"From: {sender}".encode()
    )
    if reply_to:
        raw = f"Reply-To: {reply_to}\n".encode() + raw
    sent = deliver(house, raw, "bounces-7@club.example" if reply_to else MARCO)

    assert {letter.to for letter in sent} == {MARCO}
    assert "ON FILE" in answer(sent, MARCO)


@pytest.mark.parametrize("forge", [two_fields, two_addresses])
def test_two_senders_with_a_right_password_do_not_end_in_silence(house: House, forge) -> None:
    """The address on file hears of it, whatever the envelope names."""
    sent = deliver(house, forge(ORDERS), "bystander@else.example")

    assert {letter.to for letter in sent} == {MARCO}
    assert "more than one sender" in answer(sent, MARCO)
    assert not house.store.tables.order_sets
