"""The dice: what they follow from, worked by hand, and whether they are fair and independent.

The secrets are fixed, so every figure here is the same on every run.
"""

import hmac
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from machjudge.adjudicator.dice import (
    DiceMissing,
    GivenDice,
    SecretDice,
    Throw,
    commitment,
    shared_key,
)

PAGE = (Path(__file__).parents[2] / "docs" / "dice.md").read_text(encoding="utf-8")
SECRET = bytes(range(32))
OTHERS = [sha256(bytes([number])).digest() for number in range(20)]
"""Twenty secrets that have nothing in common."""

# The values that chi-square exceeds once in a thousand times, by degrees of freedom.
LIMIT = {5: 20.5, 25: 52.6, 35: 66.6}


def throw_by_the_page() -> Callable[[bytes, str, str, int, int], list[int]]:
    """The function that the page gives its readers."""
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    names: dict = {}
    exec(code, names)  # noqa: S102 - our own page
    return names["throw"]


def vectors_of_the_page() -> list[tuple[str, str, int, tuple[int, ...]]]:
    """Its worked throws: phase, purpose, n and the dice."""
    rows = re.findall(r"\| `(\w+)` \| `([\w ]+)` \| (\d+) \| ([\d, ]+) \|", PAGE)
    return [
        (phase, what, int(n), tuple(map(int, dice.split(",")))) for phase, what, n, dice in rows
    ]


@pytest.mark.parametrize("vector", vectors_of_the_page(), ids=lambda vector: vector[1])
def test_worked_throws_of_the_page_are_ours(vector: tuple[str, str, int, tuple[int, ...]]) -> None:
    """Each of them, by our dice and by the ten lines of the page."""
    phase, what, n, dice = vector

    assert SecretDice(SECRET, phase).roll(Throw(what, len(dice), n)) == dice
    assert tuple(throw_by_the_page()(SECRET, phase, what, n, len(dice))) == dice


def test_page_shows_five_throws_and_what_is_odd_about_two() -> None:
    """One byte that is skipped, and one throw that a single digest does not fill."""
    vectors = vectors_of_the_page()
    digest = hmac.new(SECRET, b"S1461M/plague severity/1", sha256).digest()

    assert len(vectors) == 5
    assert digest[1] == 253
    assert max(len(dice) for *_, dice in vectors) > 32


def test_commitment_and_shared_key_of_the_page_are_ours() -> None:
    """Both stand there in full."""
    assert commitment(SECRET) in PAGE
    assert shared_key(SECRET, ("tulip", "Càrdinal", "7 of 9")).hex() in PAGE


def test_commitment_is_the_sha256() -> None:
    """As anybody's tool computes it."""
    assert commitment(b"") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


# --- what they follow from -------------------------------------------------------------------


@given(st.integers(1, 40), st.integers(1, 40))
def test_more_dice_begin_with_the_same(few: int, many: int) -> None:
    """How many are asked for changes none of them."""
    dice = SecretDice(SECRET, "S1454M")
    least, most = sorted((few, many))

    assert dice.roll(Throw("storm row", most))[:least] == dice.roll(Throw("storm row", least))


def test_phase_purpose_number_and_secret_all_matter() -> None:
    """A long throw of each differs from the others."""
    throws = {
        SecretDice(secret, phase).roll(Throw(purpose, 20, n))
        for secret in (SECRET, OTHERS[0])
        for phase in ("S1454M", "F1454M")
        for purpose in ("famine row", "famine column")
        for n in (1, 2)
    }

    assert len(throws) == 16


def test_words_and_their_order_make_the_key() -> None:
    """A word more, less, or elsewhere is another key; so is a word cut in two."""
    lists = [(), ("a",), ("a", "b"), ("b", "a"), ("ab",), ("a b",), ("a", "b", "c")]

    keys = {shared_key(SECRET, words) for words in lists}

    assert len(keys) == len(lists)
    assert SECRET not in keys


def test_given_dice_must_suffice() -> None:
    """Too few, too many or none: nothing is made up."""
    dice = GivenDice({"storm row": (1, 2)})

    assert dice.roll(Throw("storm row", 2)) == (1, 2)
    for missing in (Throw("storm row", 1), Throw("storm row", 3), Throw("storm column", 2)):
        with pytest.raises(DiceMissing, match=missing.purpose):
            dice.roll(missing)


def test_given_dice_of_several_throws_stand_in_their_order() -> None:
    """Two attempts of one assassin on one victim have one name and a die each."""
    first, second = (
        Throw("assassination A L", n=n, given_as=f"assassination A E{n}") for n in (1, 2)
    )
    by_victim = GivenDice({"assassination A L": (3, 5)})
    by_number = GivenDice({"assassination A E1": (3,), "assassination A E2": (5,)})

    for dice in (by_victim, by_number):
        assert (dice.roll(first), dice.roll(second)) == ((3,), (5,))


def test_a_missing_die_is_named_as_events_name_it() -> None:
    """By assassin and victim, with all that are needed."""
    second = Throw("assassination A L", n=2, given_as="assassination A E2")

    with pytest.raises(DiceMissing, match=r"'assassination A L' are needed \(2 of them\)"):
        GivenDice({"assassination A L": (3,)}).roll(second)


# --- whether they are fair -------------------------------------------------------------------


def purposes() -> Iterator[tuple[str, str, int]]:
    """Throws as games make them: phases of 50 years, their purposes, first and second throws."""
    for year in range(1454, 1504):
        for phase in (f"S{year}M", f"U{year}M", f"F{year}M", f"F{year}R"):
            for what in ("famine row", "plague column", "income milan", "rebellion per"):
                yield from ((phase, what, n) for n in (1, 2))


def sample(count: int) -> list[tuple[int, ...]]:
    """A throw of *count* dice for each of 32,000 purposes and secrets."""
    return [
        SecretDice(secret, phase).roll(Throw(what, count, n))
        for secret in OTHERS
        for phase, what, n in purposes()
    ]


def chi_square(counts: Sequence[int]) -> float:
    """How far counts are from all being equal."""
    mean = sum(counts) / len(counts)
    return sum((count - mean) ** 2 for count in counts) / mean


def table_chi_square(pairs: Sequence[tuple[int, int]]) -> float:
    """How far the two numbers of *pairs* are from having nothing to do with each other."""
    both = Counter(pairs)
    first, second = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    expected = {(a, b): first[a] * second[b] / len(pairs) for a in first for b in second}
    return sum((both[pair] - mean) ** 2 / mean for pair, mean in expected.items())


@pytest.fixture(scope="module")
def throws() -> list[tuple[int, ...]]:
    """The sample, with twenty dice each: enough to see that no face has a byte more than others."""
    return sample(20)


def test_faces_come_equally_often(throws: list[tuple[int, ...]]) -> None:
    """640,000 dice, none but 1 to 6; chi-square with 5 degrees of freedom."""
    faces = Counter(die for dice in throws for die in dice)

    assert set(faces) == {1, 2, 3, 4, 5, 6}
    assert chi_square(list(faces.values())) < LIMIT[5]


def test_pairs_of_one_throw_come_equally_often(throws: list[tuple[int, ...]]) -> None:
    """All 36; so the sums 2 to 12 of the disaster tables are as with dice on a table."""
    pairs = Counter(pair for dice in throws for pair in zip(dice[::2], dice[1::2], strict=True))

    assert len(pairs) == 36
    assert chi_square(list(pairs.values())) < LIMIT[35]


@pytest.mark.parametrize("apart", [1, 2, 8, 1600])
def test_throws_have_nothing_to_do_with_each_other(
    throws: list[tuple[int, ...]], apart: int
) -> None:
    """Of a purpose and its next throw, another purpose, another phase, another secret."""
    pairs = [(a[0], b[0]) for a, b in zip(throws, throws[apart:], strict=False)]

    assert table_chi_square(pairs) < LIMIT[25]


def test_dice_with_bytes_that_are_not_skipped_would_be_found_out() -> None:
    """The test sees the bias of a byte modulo 6, of which four faces have one chance more."""
    digests = (sha256(number.to_bytes(4, "big")).digest() for number in range(20_000))
    faces = Counter(byte % 6 for digest in digests for byte in digest)

    assert chi_square(list(faces.values())) > LIMIT[5]


def test_shared_keys_are_as_fair() -> None:
    """The faces of dice whose key follows from words."""
    keys = [shared_key(SECRET, (f"word{number}", "tulip")) for number in range(3000)]
    faces = Counter(
        die for key in keys for die in SecretDice(key, "F1454M").roll(Throw("storm row", 2))
    )

    assert chi_square(list(faces.values())) < LIMIT[5]
