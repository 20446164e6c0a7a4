"""What a refusal names to help: the order that must be meant, and where the unit can go."""

import pytest

from machjudge.messages.layout import clean_body
from tests.cases import cases
from tests.judge.house import House, built_once, message_renderer, started
from tests.judge.orders.test_submit import given_lines, on_file
from tests.judge.year import OPENING, SPRING, SUMMER, order, play


def advice(house: House, power: str, line: str) -> str:
    """What is said of a line that is not taken."""
    (trouble,) = given_lines(house.view(), power, line).troubles
    return " ".join(clean_body("\n".join(trouble.lines(message_renderer().say))).split())


@built_once
def campaign() -> House:
    """1454 in its first Spring, with money."""
    house = started()
    play(house, OPENING)
    return house


@pytest.mark.parametrize(
    ("power", "line", "meant"),
    [
        ("P", "A rom - per", "A Rome - Perugia"),
        ("P", "A per - rom", "A Perugia - Rome"),
        ("V", "A pad - tre", "A Padua - Treviso"),
        ("V", "A pad h, A ver s A pad - tre", "A Padua H"),
        ("P", "A bol - tre", None),
    ],
)
def test_ambiguous_name_in_a_campaign_brings_the_only_order_in_reach(power, line, meant) -> None:
    """With the line to send, where one candidate only makes an order; else without."""
    (trouble,) = given_lines(campaign().view(), power, line).troubles

    assert "may mean" in message_renderer().say(trouble.reason)
    assert trouble.instead == meant
    if meant is not None:
        (filed,) = on_file(given_lines(campaign().view(), power, meant))
        assert filed


def test_ambiguous_name_in_an_adjustment_brings_the_line_to_send() -> None:
    """The Papacy has no unit in Romagna: it can only mean the one in Rome."""
    house = started()
    (trouble,) = given_lines(house.view(), "P", "A rom").troubles

    assert trouble.instead == "maintain A Rome"
    assert on_file(given_lines(house.view(), "P", trouble.instead)) == ["maintain A rme"]


def test_ambiguous_name_in_a_list_is_told_apart() -> None:
    """Nothing of the line is taken; the advice is the line as it must be meant."""
    view = started().view()
    taken = given_lines(view, "P", "maintain A bol, A rom, A per")

    assert on_file(taken) == []
    meant = "maintain A Bologna, maintain A Rome, maintain A Perugia"
    assert taken.troubles[0].instead == meant
    assert len(on_file(given_lines(view, "P", meant))) == 3


@cases
def test_refusal_of_what_is_out_of_reach_names_what_is_within(power, line, said) -> None:
    """For a move and for a support."""
    assert said in advice(campaign(), power, line)


def test_an_army_with_fleets_on_its_way_reads_how_a_convoy_is_written() -> None:
    """With all seas in turn, by whomever the fleets are; the line can be sent as it is."""
    house = campaign()
    play(
        house,
        {
            **dict.fromkeys(SPRING, ("hold all",)),
            "N": ("F pal - ion", "rest hold"),
            "T": ("F dur - las", "rest hold"),
        },
    )
    said = advice(house, "N", "A mes - dal")
    line = "A Messina - Ionian Sea - Lower Adriatic Sea - Dalmatia"

    assert f"can reach Palermo; by convoy, name each sea on the way: {line}" in said
    assert on_file(given_lines(house.view(), "N", line))
    assert "by convoy" not in advice(house, "N", "A mes - flo")


def test_retreat_that_is_none_brings_the_lines_to_choose_from() -> None:
    """Each can be sent as it is."""
    house = campaign()
    play(house, SPRING)
    play(house, SUMMER)
    state = house.view().state
    (dislodged, *_) = state.dislodged
    unit = dislodged.unit
    said = advice(house, unit.owner, f"{unit.kind.value} {unit.place} - wgl")

    assert "; write " in said
    for line in said.partition("; write ")[2].rstrip(".").replace(" or ", ", ").split(", "):
        assert not given_lines(house.view(), unit.owner, line).troubles


@pytest.mark.parametrize("line", ["e1: famine relief bol", "retreat A bol - mod", "plague relief"])
def test_a_player_is_not_advised_to_use_a_master_s_command(line: str) -> None:
    """An order of another phase that begins like one, such as SET FAMINE or SET RETREATS."""
    (receipt,) = order(started(), "P", line)

    assert "NOT TAKEN" in receipt.body
    assert "SET " not in receipt.body.partition("NOT TAKEN")[2].partition("ORDERS ON FILE")[0]
