"""Postal press waits for the results; a diary is its writer's alone."""

import pytest

from machjudge.judge.game_settings import FromLate, FromObservers, PressRules
from machjudge.judge.mails import Outgoing
from tests.judge.house import House, started
from tests.judge.letters_in import answer, write
from tests.judge.press.test_press_rules import ANNA, DINO, OGLE, press, refused, with_master
from tests.judge.year import OPENING, order, play
from tests.results_told import tells_results

MASTER = "SIGNON Mborgia masterkey"


@pytest.fixture
def house() -> House:
    """1454 without money and with postal press; Dino, who does not play, is the master."""
    return with_master(postal=True)


def post(house: House, *text: str) -> list[Outgoing]:
    """Florence writes postal press."""
    return press(house, "POSTAL PRESS", *text, "ENDPRESS")


def results(sent: list[Outgoing]) -> dict[str, str]:
    """The results by their readers."""
    return {one.to.partition("@")[0]: one.body for one in sent if tells_results(one.body)}


def processed(house: House) -> dict[str, str]:
    """The results of the phase, which its master has played."""
    preview = answer(write(house, DINO, MASTER, "PREVIEW"), DINO)
    code = house.view().state.moment.code
    word = preview.rpartition(f"PROCESS {code} ")[2].split()[0]
    return results(write(house, DINO, MASTER, f"PROCESS {code} {word}"))


# --- postal press -----------------------------------------------------------------------------


def test_postal_press_comes_with_the_results(house: House) -> None:
    """To everybody, signed, once; the receipt lists it until then."""
    receipt = answer(post(house, "Florence seeks", "marigold"), ANNA)
    later = answer(press(house, "A flo h"), ANNA)
    first = processed(house)
    house.later(hours=1)
    second = processed(house)

    assert "POSTAL PRESS THAT WAITS\n  1. S1454M: Florence seeks\n" in receipt
    assert "  1. S1454M: Florence seeks\n" in later
    assert len(first) == 10
    assert all(
        "POSTAL PRESS\nFrom Florence:\n  Florence seeks\n  marigold\n" in b for b in first.values()
    )
    assert not any("marigold" in body for body in second.values())


def test_postal_press_is_played_when_all_orders_are_in() -> None:
    """Also where nobody has the phase played."""
    house = started("nodice")
    house.change_settings(press=PressRules(postal=True))
    post(house, "marigold")
    sent = play(house, OPENING)

    assert results(sent)
    assert all("From Florence:\n  marigold" in body for body in results(sent).values())


def test_nobody_reads_postal_press_before(house: House) -> None:
    """Not in a preview, a listing, the history, or with the commands of another."""
    post(house, "marigold")
    lines = ["LIST", "HISTORY", "SUMMARY", "POSTAL LIST", "POSTAL READ 1", "POSTAL DELETE 1"]
    bodies = [
        answer(write(house, DINO, MASTER, "PREVIEW", *lines), DINO),
        answer(write(house, DINO, MASTER, "BECOME Florence", *lines), DINO),
        answer(write(house, OGLE, "SIGNON Oborgia tulip9", *lines), OGLE),
        answer(order(house, "V", *lines), "marco@player.example"),
    ]

    assert not any("marigold" in body for body in bodies)
    assert len(house.store.tables.notes) == 1


def test_postal_press_can_be_read_and_withdrawn(house: House) -> None:
    """By its writer; numbers of others stay."""
    post(house, "marigold")
    post(house, "tansy")
    shown = answer(press(house, "POSTAL READ 1", "POSTAL WITHDRAW 1", "POSTAL LIST"), ANNA)
    gone = answer(press(house, "POSTAL DELETE 1"), ANNA)
    bodies = processed(house).values()

    assert "  marigold" in shown
    assert "Postal press 1 is withdrawn." in shown
    assert "There is no entry 1; it may be out already" in gone
    assert all("tansy" in body and "marigold" not in body for body in bodies)


def test_postal_press_withdrawn_in_the_mail_that_wrote_it(house: House) -> None:
    """Nothing is left of it."""
    press(house, "POSTAL PRESS", "marigold", "ENDPRESS", "POSTAL DELETE 1")

    assert not any("marigold" in body for body in processed(house).values())


def test_a_master_posts_and_plays_in_one_mail(house: House) -> None:
    """What he wrote above goes out with these results, and only with these."""
    preview = answer(write(house, DINO, MASTER, "PREVIEW"), DINO)
    word = preview.rpartition("PROCESS S1454M ")[2].split()[0]
    text = ["POSTAL PRESS", "marigold", "ENDPRESS"]
    first = results(write(house, DINO, MASTER, *text, f"PROCESS S1454M {word}"))

    assert all("From the master:\n  marigold" in body for body in first.values())
    assert house.store.tables.notes == []


def test_postal_press_is_in_the_history(house: House) -> None:
    """Once it is out."""
    post(house, "marigold")
    processed(house)
    body = answer(write(house, "x@far.example", "HISTORY borgia"), "x@far.example")

    assert "Postal press from Florence," in body
    assert "marigold" in body


def test_postal_press_of_a_game_that_ends_is_in_its_last_mail(house: House) -> None:
    """There are no results any more."""
    post(house, "marigold")
    sent = write(house, DINO, MASTER, "DECLARE VICTORY Venice")
    last = [one.body for one in sent if one.subject.startswith("borgia: game over")]

    assert len(last) == 10
    assert all("POSTAL PRESS\nFrom Florence:\n  marigold" in body for body in last)


@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        ({"postal": False}, "There is no postal press in this game."),
        ({"late": FromLate.PARTIAL}, "you write to some only"),
        ({"grace": False}, "There is no press between the deadline"),
        ({"must_order": True}, "Order first"),
    ],
)
def test_postal_press_obeys_the_rules(rules, reason) -> None:
    """And comes back where they forbid it."""
    house = with_master(**{"postal": True, **rules})
    house.later(days=8)

    refused(post(house, "marigold"), reason)


def test_postal_press_of_a_silenced_observer_comes_back() -> None:
    """As his other press does."""
    house = with_master(postal=True, observers=FromObservers.NONE)
    sent = write(house, OGLE, "SIGNON Oborgia tulip9", "POSTAL PRESS", "marigold", "ENDPRESS")

    assert "Observers write no press" in answer(sent, OGLE)
    assert "  marigold" in answer(sent, OGLE)


def test_ten_wait_at_most(house: House) -> None:
    """The eleventh comes back."""
    for number in range(10):
        post(house, f"tansy {number}")

    refused(post(house, "marigold"), "10 of yours wait already")


def test_no_password_goes_out_by_post(house: House) -> None:
    """Redacted, as in other press."""
    post(house, "signon Lborgia pwL")
    bodies = processed(house).values()

    assert all("signon Lborgia ********" in body for body in bodies)


# --- the diary --------------------------------------------------------------------------------


def diary(house: House, *lines: str) -> str:
    """What Florence is answered about her diary."""
    return answer(press(house, *lines), ANNA)


def test_a_diary_is_written_listed_read_and_torn(house: House) -> None:
    """By its numbers, which stay."""
    first = diary(house, "DIARY", "marigold", "A flo - bol", "ENDPRESS")
    diary(house, "DIARY RECORD", "tansy", "ENDPRESS")
    listed = diary(house, "DIARY LIST")
    read = diary(house, "DIARY READ 1")
    removed_notes = diary(house, "DIARY DELETE 1", "DIARY LIST")

    assert "Entry 1 is in your diary" in first
    assert "YOUR DIARY\n  1. S1454M: marigold\n  2. S1454M: tansy\n" in listed
    assert "  marigold\n  A flo - bol\n" in read
    assert "  2. S1454M: tansy" in removed_notes
    assert "1. S1454M" not in removed_notes
    assert house.view().order_sets == {}


def test_nobody_else_reads_a_diary(house: House) -> None:
    """Not even a master who does not play, as himself or in the place of its writer."""
    diary(house, "DIARY", "marigold", "ENDPRESS")
    lines = ["DIARY LIST", "DIARY READ 1", "DIARY DELETE 1", "SET OPEN DIARY"]
    as_florence = answer(write(house, DINO, MASTER, "BECOME Florence", *lines), DINO)
    as_master = answer(write(house, DINO, MASTER, *lines, "PREVIEW", "HISTORY"), DINO)
    as_venice = answer(order(house, "V", *lines), "marco@player.example")
    end = write(house, DINO, MASTER, "DECLARE VICTORY Venice")
    after = answer(write(house, DINO, MASTER, "HISTORY", "LIST", "SUMMARY"), DINO)
    mails = [as_florence, as_master, as_venice, after, *(one.body for one in end)]
    files = [file.content for one in end for file in one.attachments]

    assert not any("marigold" in body for body in mails)
    assert not any(b"marigold" in content for content in files)
    assert "Only the player may do that." in as_florence


def test_an_open_diary_goes_out_with_the_last_mail(house: House) -> None:
    """To everybody, as a file; the others stay closed."""
    diary(house, "DIARY", "marigold", "ENDPRESS", "SET OPEN DIARY")
    order(house, "V", "DIARY", "tansy", "ENDPRESS")
    end = write(house, DINO, MASTER, "DECLARE VICTORY Venice")
    files = [one.attachments[0] for one in end if one.subject.startswith("borgia: game over")]

    assert len(files) == 10
    assert all(file.name == "diaries.txt" for file in files)
    assert b"THE DIARY OF FLORENCE\n\nS1454M, Fri Nov 20" in files[0].content
    assert not any(b"tansy" in file.content for one in end for file in one.attachments)


def test_an_opened_diary_can_be_closed(house: House) -> None:
    """Before the end."""
    diary(house, "DIARY", "marigold", "ENDPRESS", "SET OPEN DIARY")
    said = diary(house, "SET NOOPEN DIARY")
    end = write(house, DINO, MASTER, "DECLARE VICTORY Venice")

    assert "Your diary stays private." in said
    assert {file.name for one in end for file in one.attachments} == {"deadline.ics"}


def test_a_diary_may_be_kept_by_anyone_who_has_a_seat(house: House) -> None:
    """Before the game and after it, too; strangers have none."""
    stranger = answer(
        write(house, "x@far.example", "DIARY", "marigold", "ENDPRESS"), "x@far.example"
    )
    observer = answer(
        write(house, OGLE, "SIGNON Oborgia tulip9", "DIARY", "marigold", "ENDPRESS"), OGLE
    )

    assert "Sign on first" in stranger
    assert "Entry 1 is in your diary" in observer


def test_a_diary_has_its_limits(house: House) -> None:
    """A long entry comes back, an empty one is none, and an unknown one is not there."""
    lines = ["marigold" for _ in range(600)]
    long = diary(house, "DIARY", *lines, "ENDPRESS")
    empty = diary(house, "DIARY", "ENDPRESS")
    unknown = diary(house, "DIARY READ 7")

    assert "An entry has 4000 signs at most." in long
    assert long.count("  marigold") == 600
    assert "The message is empty" in empty
    assert "There is no entry 7" in unknown


@pytest.mark.parametrize("end", ["ENDDIARY", "end diary", "ENDPRESS"])
def test_orders_behind_an_entry_are_orders(house: House, end: str) -> None:
    """The entry ends where its writer says so, and the receipt shows what went into it."""
    receipt = answer(press(house, "DIARY", "marigold", end, "A flo h"), ANNA)

    assert "DIARY LIST shows all:\n    marigold\n" in receipt
    assert "  A Florence H\n" in receipt


def test_end_of_postal_press_has_a_name_of_its_own(house: House) -> None:
    """Anyone who begins with POSTAL PRESS may end with ENDPOSTAL."""
    receipt = answer(press(house, "POSTAL PRESS", "marigold", "ENDPOSTAL", "A flo h"), ANNA)

    assert "  A Florence H\n" in receipt
