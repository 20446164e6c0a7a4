"""Dealing powers: the lowest sum of ranks, by lot among equals."""

from collections.abc import Sequence
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from machjudge.adjudicator.names import PowerId
from machjudge.judge.opening import Preferences, deal_scenario, deal_sides, read_preferences
from machjudge.map_files.scenario import varied_id
from tests.judge.house import atlas

POWERS = tuple(PowerId(letter) for letter in "AFILV")
SECRET = bytes(32)
wishes = st.lists(
    st.permutations(POWERS).flatmap(
        lambda order: st.integers(0, 5).map(lambda n: tuple((p,) for p in order[:n]))
    ),
    min_size=5,
    max_size=5,
)


def deal(
    players: Sequence[Preferences], powers: Sequence[PowerId], secret: bytes
) -> tuple[PowerId, ...]:
    """A power for each player, where no powers go together."""
    return tuple(side[0] for side in deal_sides(players, [(power,) for power in powers], secret))


def cost(wish: Preferences, power: PowerId) -> int:
    """How far down its list a player's power stands."""
    return next((rank for rank, group in enumerate(wish) if power in group), len(wish))


@given(wishes)
def test_no_other_deal_costs_less(players: list[Preferences]) -> None:
    """The sum of the ranks is the lowest of all deals."""
    dealt = deal(players, POWERS, SECRET)

    best = min(
        sum(cost(wish, power) for wish, power in zip(players, order, strict=True))
        for order in permutations(POWERS)
    )
    assert sum(cost(w, p) for w, p in zip(players, dealt, strict=True)) == best


@given(wishes)
def test_everybody_gets_a_power_of_his_own(players: list[Preferences]) -> None:
    """Each power is dealt exactly once."""
    assert sorted(deal(players, POWERS, SECRET)) == sorted(POWERS)


def test_the_same_secret_deals_the_same() -> None:
    """The lot follows from the secret and nothing else."""
    nobody: list[Preferences] = [()] * 5

    assert deal(nobody, POWERS, b"x" * 32) == deal(nobody, POWERS, b"x" * 32)


def test_secrets_deal_differently() -> None:
    """Without wishes all powers come to the first player, over some secrets."""
    nobody: list[Preferences] = [()] * 5

    firsts = {deal(nobody, POWERS, bytes([number]) * 32)[0] for number in range(60)}
    assert firsts == set(POWERS)


def test_the_only_wish_is_fulfilled() -> None:
    """Who alone wants Venice gets it, whatever the lot."""
    for number in range(20):
        players: list[Preferences] = [(), (), ((PowerId("V"),),), (), ()]
        assert deal(players, POWERS, bytes([number]) * 32)[2] == "V"


def test_letters_are_groups_of_one() -> None:
    """``LV`` wants Florence before Venice."""
    assert read_preferences("LV", POWERS) == (("L",), ("V",))


def test_brackets_make_a_group() -> None:
    """``[LV]I`` wants Florence as much as Venice."""
    assert read_preferences("[LV]I", POWERS) == (("L", "V"), ("I",))


def test_star_stands_for_those_not_named() -> None:
    """``L*V`` wants everything else before Venice."""
    assert read_preferences("L*V", POWERS) == (("L",), ("A", "F", "I"), ("V",))


def test_letters_of_no_power_count_for_nothing() -> None:
    """What is no power of the game is passed over, an unclosed bracket too."""
    assert read_preferences("X?[L", POWERS) == (("L",),)


VARIANTS = [
    varied_id(whole, variant)
    for whole in map(atlas().scenario, ("1385", "1454", "1499", "1513", "1521"))
    if whole is not None
    for variant in whole.variants
]


@pytest.mark.parametrize("name", VARIANTS)
def test_a_variant_is_dealt_as_the_book_divides_it(name: str) -> None:
    """Each player leads a whole side, or as many powers as each chooses, and nobody's twice."""
    scenario = atlas().scenario(name)
    assert scenario is not None
    variant = scenario.variant
    assert variant is not None
    dealt = deal_scenario(scenario, [()] * variant.players, SECRET)
    led = [power for side in dealt for power in side]
    chosen = len(variant.then_choose) // variant.players

    assert len({*led}) == len(led)
    assert {*led} <= {*scenario.in_play}
    for side in variant.sides:
        (whole,) = [each for each in dealt if {*side.powers} <= {*each}]
        assert len({*whole} - {*side.powers}) == chosen
    if variant.each_chooses:
        assert [len(side) for side in dealt] == [variant.each_chooses] * variant.players
