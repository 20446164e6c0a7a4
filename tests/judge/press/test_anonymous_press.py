"""Nothing in a mail of anonymous or faked press tells who wrote it: no header, part or number."""

from dataclasses import replace
from email import message_from_bytes, policy

import pytest

from machjudge.judge.game_settings import Fakes, PressRules, Tones
from machjudge.judge.mails import OutboxId, Outgoing, QueuedMessage
from machjudge.mail.compose import compose
from tests.cases import cases
from tests.judge.house import House
from tests.judge.letters_in import answer, deliver, raw_mail, write
from tests.judge.press.test_press_rules import ANNA, DINO, MARCO, with_master
from tests.judge.year import order

ROSA = "rosa@player.example"
WRITERS = {"L": "Florence", "N": "Naples", "A": "Austria"}


def grey(house: House, power: str, line: str, *text: str) -> list[Outgoing]:
    """Anonymous press; the letters to others in the order of the outbox."""
    sent = order(house, power, line, *(text or ("marigold",)), "ENDPRESS")
    own = next(seat.address for seat in house.game().seats if power in seat.powers)
    return [one for one in sent if one.to != own]


def mail_of(house: House, letter: Outgoing, number: int = 7) -> bytes:
    """The whole mail as it leaves."""
    made = QueuedMessage(OutboxId(number), house.now, 1, letter)
    return compose(made, house.services.judge, house.services.secret).content


def fresh(**rules: object) -> House:
    """The same game again, with white and grey press."""
    return with_master(**{"tones": Tones.WHITE_GREY, "fakes": Fakes.MAY, **rules})


@cases
def test_the_mail_of_anonymous_press_is_the_same_no_matter_who_wrote_it(line) -> None:
    """Byte by byte, with all headers, and for each writer."""
    mails = set()
    for power in WRITERS:
        house = fresh()
        (letter,) = [one for one in grey(house, power, line) if one.to == MARCO]
        mails.add(mail_of(house, letter))

    assert len(mails) == 1


def test_the_mail_names_nobody() -> None:
    """From is the judge, there is no Reply-To, and the thread is that of the phase."""
    house = fresh()
    raw = raw_mail(ANNA, ["SIGNON Lborgia pwL", "BROADCAST GREY", "marigold"], subject="From Anna")
    raw = raw.replace(b"To: judge", b"In-Reply-To: <secret@anna.example>\nTo: judge", 1)
    sent = [one for one in deliver(house, raw, ANNA) if one.to == MARCO]
    content = mail_of(house, sent[0])
    mail = message_from_bytes(content, policy=policy.default)

    assert mail["From"].addresses[0].addr_spec == "judge@mach.example"
    assert mail["Reply-To"].addresses[0].addr_spec.startswith("judge+r.")
    assert mail["Sender"] is None
    assert mail["References"] == "<borgia.s1454m.game@mach.example>"
    for word in (b"anna", b"florence", b" flo ", b"secret"):
        assert word not in content.lower()


def test_signed_press_does_not_show_the_address_of_its_writer() -> None:
    """The power, not the person."""
    house = fresh()
    (letter,) = [one for one in order(house, "L", "PRESS TO V", "hear") if one.to == MARCO]
    content = mail_of(house, letter).lower()

    assert b"anna" not in content
    assert b"\nreply-to: mach judge <judge+r." in content
    assert b"from: mach judge <judge@mach.example>" in content


def test_the_readers_of_anonymous_press_are_not_told() -> None:
    """All but one would name the one."""
    house = fresh()
    letters = grey(house, "L", "PRESS GREY TO AFINPTV")

    assert len(letters) == 7
    for letter in letters:
        assert "Anonymous press to you, and perhaps to others:" in letter.body
        assert letter.subject.startswith("borgia: anonymous press (")


def test_the_order_of_the_letters_tells_nothing() -> None:
    """Over many messages the place of the writer in the outbox is everywhere."""
    house = fresh()
    orders = set()
    for _ in range(8):
        orders.add(tuple(one.to for one in grey(house, "L", "BROADCAST GREY")))

    assert len(orders) > 3
    assert len({tuple(sorted(each)) for each in orders}) == 1


def test_what_is_signed_goes_by_the_seats() -> None:
    """There is nothing to hide."""
    house = fresh()
    first = [one.to for one in grey(house, "L", "BROADCAST")]
    second = [one.to for one in grey(house, "L", "BROADCAST")]

    assert first == second


@pytest.mark.parametrize("asked", ["HISTORY", "SUMMARY", "LIST"])
def test_reports_keep_the_writer_secret(asked) -> None:
    """The writer reads his name, and a master who does not play; all others do not."""
    house = fresh()
    grey(house, "L", "BROADCAST GREY", "marigold")
    grey(house, "L", "PRESS GREY TO V FAKE TO VT", "tansy")
    marco = answer(order(house, "V", asked), MARCO)
    rosa = answer(order(house, "N", asked), ROSA)
    anna = answer(order(house, "L", asked), ANNA)
    dino = answer(write(house, DINO, "SIGNON Mborgia masterkey", asked), DINO)
    if asked != "HISTORY":
        assert not any("marigold" in body for body in (marco, rosa, anna, dino))
        return

    assert "Anonymous broadcast to everybody," in marco
    assert "Anonymous press to Venice and Turkey," in marco.replace(
        "Turkey and Venice", "Venice and Turkey"
    )
    assert "Florence to" not in marco
    assert "tansy" not in rosa
    assert "marigold" in rosa
    for body in (anna, dino):
        assert "Anonymous broadcast from Florence to everybody," in body
        assert "Anonymous press from Florence to Venice," in body


@pytest.mark.parametrize("opened", [True, False])
def test_the_end_reveals_press_only_where_the_game_says_so(opened) -> None:
    """Writers and readers of all press; otherwise it stays as it was."""
    house = fresh(opened=opened)
    grey(house, "L", "PRESS GREY TO V FAKE BROADCAST", "marigold")
    write(house, DINO, "SIGNON Mborgia masterkey", "DECLARE VICTORY Venice")
    rosa = answer(order(house, "N", "HISTORY"), ROSA)
    marco = answer(order(house, "V", "HISTORY"), MARCO)

    assert ("Anonymous press from Florence to Venice," in rosa) is opened
    assert ("marigold" in rosa) is opened
    assert ("Anonymous broadcast to everybody," in marco) is not opened


def test_a_name_from_before_the_deal_does_not_tell_the_power() -> None:
    """Who wrote as Anna while the game formed is Anna in its history, not Florence."""
    house = fresh()
    game = house.game()
    anonymous = replace(game.settings, anonymous=True, press=PressRules())
    seats = tuple(replace(seat, powers=()) for seat in game.seats)
    house.store.tables.games[game.id] = replace(game, settings=anonymous, seats=seats)
    anna = next(seat for seat in seats if seat.address == ANNA)
    master = [seat for seat in game.seats if not seat.powers]
    assert master
    house.store.tables.games[game.id] = replace(
        house.game(),
        seats=tuple(replace(s, powers=()) if s.number == anna.number else s for s in game.seats),
    )
    write(house, ANNA, "SIGNON ?borgia pwL", "BROADCAST", "marigold", "ENDPRESS")
    house.store.tables.games[game.id] = replace(
        game, version=house.game().version, settings=anonymous
    )
    body = answer(order(house, "V", "HISTORY"), MARCO)

    assert "Broadcast from Anna (player) to everybody," in body
    assert "Florence to" not in body


def test_lines_that_look_like_headers_stay_text() -> None:
    """In the body, and in what becomes a subject."""
    house = fresh()
    text = [
        "Subject: forged",
        "Bcc: all@far.example",
        "",
        "--=_7.boundary",
        "From nobody",
        "ENDPRESS",
    ]
    (letter,) = [one for one in order(house, "L", "PRESS TO V", *text) if one.to == MARCO]
    content = mail_of(house, letter)
    mail = message_from_bytes(content, policy=policy.default)

    assert mail["Bcc"] is None
    assert mail["Subject"] == "borgia: press from Florence to Venice (S1454M)"
    assert [each.get_content_type() for each in mail.iter_parts()] == ["text/plain", "text/html"]
    assert "  Bcc: all@far.example" in mail.get_body(["plain"]).get_content().splitlines()


def test_an_answer_to_press_reaches_the_judge_and_nobody_else() -> None:
    """It is a mail to the judge like any other, and its quotation is not read."""
    house = fresh()
    order(house, "L", "PRESS TO V", "A ven h", "ENDPRESS")
    sent = write(house, MARCO, "I agree!", "", "On Friday the judge wrote:", "> A ven h")

    assert {one.to for one in sent} == {MARCO}
    assert house.view().order_sets == {}


@pytest.mark.parametrize(
    "announcement",
    [
        ["On Fri, 20 Nov 2026 at 13:02, Judge <judge@mach.example> wrote:"],
        ["From: Judge <judge@mach.example>", "Sent: Friday, 20 November 2026", "To: anna"],
    ],
)
@pytest.mark.parametrize("ends", [[], ["ENDPRESS"]])
def test_a_quoted_page_below_a_press_never_goes_on(announcement: list[str], ends) -> None:
    """Without marks; though the page shows how a press is written, with its end."""
    house = fresh()
    order(house, "L", "A flo h")
    page = next(one.body for one in order(house, "V", "PRESS TO L", "Secret!", "ENDPRESS"))
    assert "\n  ENDPRESS\n" in page
    below = ["", *announcement, "", *page.splitlines()]
    sent = order(house, "L", "PRESS TO V", "Shall we?", *ends, *below)

    (letter,) = [one for one in sent if one.to == MARCO]
    assert "  Shall we?" in letter.body
    assert "Secret!" not in letter.body
    assert "13:02" not in letter.body
    assert "Sent:" not in letter.body


def test_a_press_with_its_end_may_tell_what_another_wrote() -> None:
    """The orders below it are read."""
    house = fresh()
    text = ["Look:", "On Fri, 20 Nov 2026 at 13:02, Nino <n@far.example> wrote:", "You are next."]
    sent = order(house, "L", "PRESS TO V", *text, "ENDPRESS", "A flo h")

    (letter,) = [one for one in sent if one.to == MARCO]
    assert "  You are next." in letter.body
    assert list(house.view().order_sets) == ["L"]
