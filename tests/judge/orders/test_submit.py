"""Orders from a mail: a line never costs another one, and what is refused changes nothing."""

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from machjudge.adjudicator.names import PowerId
from machjudge.judge.game_view import GameView
from machjudge.judge.order_lines import Submission, SubmittedOrders, submit
from machjudge.judge.records import MailId
from machjudge.mail_parser.lines import Line
from tests.judge.house import NOON, House, message_renderer, started
from tests.judge.year import OPENING, order, play


def given_lines(
    view: GameView, power: str, *lines: str, mail: int = 7, minutes: int = 0
) -> SubmittedOrders:
    """Submit the lines as one mail, so many minutes after noon."""
    numbered = tuple(Line(number, text, text) for number, text in enumerate(lines, start=1))
    received = NOON + timedelta(minutes=minutes)
    return submit(view, Submission(PowerId(power), numbered, received, MailId(mail)))


def on_file(taken: SubmittedOrders) -> list[str]:
    """The canonical order set."""
    return [line.canonical for line in taken.order_set.lines]


def test_orders_are_filed_in_canonical_notation() -> None:
    """However they were written, orders on file have one form."""
    taken = given_lines(started("nomoney").view(), "L", "army florence to bologna", "F Pisa holds")

    assert on_file(taken) == ["A flo - bol", "F psa h"]
    assert not taken.order_set.flawed


def test_filed_line_keeps_what_was_written() -> None:
    """The player's own words and their receipt stay beside the canonical form."""
    taken = given_lines(started("nomoney").view(), "L", "florence  -> bologna", minutes=3)

    (line,) = taken.order_set.lines
    assert (line.written, line.mail) == ("florence  -> bologna", 7)
    assert line.received == NOON + timedelta(minutes=3)


def test_three_wrong_lines_cost_none_of_five_right_ones() -> None:
    """Each bad line is a trouble of its own, each good one is filed."""
    taken = given_lines(
        started("nomoney").view(),
        "P",
        "A bol - mod",
        "A per - psaa",
        "A rme h",
        "A flo h",
        "F anc - uas",
        "A per - mil",
        "A per - are",
        "A bol h",
    )

    assert [trouble.number for trouble in taken.troubles] == [2, 4, 6]
    assert on_file(taken) == ["A bol h", "A rme h", "F anc - uas", "A per - are"]


def test_later_line_replaces_an_earlier_one_for_the_same_unit() -> None:
    """Of two orders for one unit in one mail the second stands."""
    taken = given_lines(started("nomoney").view(), "L", "A flo h", "A flo - bol")

    assert on_file(taken) == ["A flo - bol"]


def test_refused_line_leaves_the_older_order_in_force_and_says_so() -> None:
    """What was on file for the unit stays, and the trouble names it."""
    house = started("nomoney")
    house.file("L", "A flo h")

    taken = given_lines(house.view(), "L", "A flo - rme", minutes=5)

    assert on_file(taken) == ["A flo h"]
    assert message_renderer().say(taken.troubles[0].note) == "still in force: A Florence H"


def test_unreadable_line_names_the_older_order_of_its_unit() -> None:
    """Half an order is worse than none: the older one is named even if the line cannot be read."""
    house = started("nomoney")
    house.file("L", "A flo h")

    taken = given_lines(house.view(), "L", "A flo - nowhere", minutes=5)

    assert message_renderer().say(taken.troubles[0].note) == "still in force: A Florence H"


def test_the_unit_that_was_meant_is_offered() -> None:
    """Of another type, or in a place that begins alike: the line can be sent with a tap."""
    winter = House()
    winter.start()
    taken = given_lines(started("nomoney").view(), "L", "F flo - bol", "F pis h", "F rom h")
    kept = given_lines(winter.view(), "L", "maintain F flo")

    offered = ["A Florence - Bologna", "F Pisa H", None]
    assert [each.instead for each in taken.troubles] == offered
    assert [each.instead for each in kept.troubles] == ["maintain A Florence"]
    assert on_file(taken) == on_file(kept) == []


def test_order_for_anothers_unit_is_refused() -> None:
    """Florence cannot order a Milanese army."""
    taken = given_lines(started("nomoney").view(), "L", "A mil h")

    assert on_file(taken) == []
    assert "not one of your units" in message_renderer().say(taken.troubles[0].reason)


def test_order_for_anothers_unit_is_kept_where_it_can_be_bought() -> None:
    """SYN-12: with ducats in the game it is on file, for the case that the purchase works."""
    house = started()
    play(house, OPENING)
    taken = given_lines(house.view(), "L", "A mil h")

    assert on_file(taken) == ["A mil h"]


def test_comment_behind_an_order_is_reported() -> None:
    """What was not read stands in the receipt."""
    taken = given_lines(started("nomoney").view(), "L", "A flo h (please)")

    assert taken.ignored == ((1, "(please)"),)
    assert taken.troubles == ()


def test_second_mail_adds_to_the_set_on_file() -> None:
    """Orders for other units stay when a mail names only one."""
    house = started("nomoney")
    house.file("L", "A flo h", "F psa h")

    taken = given_lines(house.view(), "L", "A are - per", minutes=5)

    assert on_file(taken) == ["A flo h", "F psa h", "A are - per"]
    assert taken.order_set.number == 2


def test_older_mail_never_replaces_the_order_of_a_newer_one() -> None:
    """A mail that was held up adds what is missing, and nothing else."""
    house = started("nomoney")
    house.later(minutes=10)
    house.file("L", "A flo h")

    taken = given_lines(house.view(), "L", "A flo - bol", "A are h", mail=0, minutes=2)

    assert sorted(on_file(taken)) == ["A are h", "A flo h"]


def test_faults_of_an_older_mail_do_not_spoil_a_newer_set() -> None:
    """The newest mail decides if the set is flawed."""
    house = started("nomoney")
    house.later(minutes=10)
    house.file("L", "A flo h")

    taken = given_lines(house.view(), "L", "nonsense here", mail=0, minutes=2)

    assert not taken.order_set.flawed


@given(st.lists(st.text(max_size=60), max_size=6))
def test_any_lines_in_never_a_fault_out(lines: list[str]) -> None:
    """Whatever is written, each line is filed, reported, or empty of orders."""
    house = _SPRING
    taken = given_lines(house.view(), "L", *lines)

    for line in taken.order_set.lines:
        again = given_lines(house.view(), "L", line.canonical)
        assert on_file(again) == [line.canonical]


_SPRING = started("nomoney")


def test_noise_is_not_read_to_its_end() -> None:
    """After a hundred wrong orders the rest is left alone: it would cost the others their time."""
    noise = ["x ; y ; z ; w ?"] * 500
    taken = given_lines(started("nomoney").view(), "L", "A flo h", *noise, "A are h")

    assert on_file(taken) == ["A flo h"]
    assert taken.order_set.flawed
    assert len(taken.troubles) < 110
    assert taken.ignored == ()
    assert taken.cut is not None


def test_a_refused_order_of_a_long_line_is_the_one_that_is_shown() -> None:
    """Of several orders on a line the receipt marks the one that was not taken."""
    line = "A bol h; A rme h; F anc h; A per - mil; " + "A per h, " * 3 + "A bol h"
    taken = given_lines(started("nomoney").view(), "P", line)

    (trouble,) = taken.troubles
    assert trouble.line[slice(*trouble.part)] == "A per - mil"


def test_a_correction_keeps_the_place_of_what_it_corrects() -> None:
    """Through several mails, and within one."""
    house = started("nomoney")
    order(house, "L", "A are h", "A flo - sie", "F psa h")
    order(house, "L", "A are - per")
    order(house, "L", "A flo - bol", "A flo h")

    lines = [line.canonical for line in house.view().order_sets[PowerId("L")].lines]
    assert lines == ["A are - per", "A flo h", "F psa h"]
