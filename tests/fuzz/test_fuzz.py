"""A part of `make fuzz`, and that it finds out what is raised, hangs, or takes too much memory."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache

import pytest

from tests.fuzz import trying
from tests.fuzz.__main__ import TARGETS
from tests.fuzz.mails import BOMBS, MAILS
from tests.fuzz.trying import Target, chance_of, tried, try_one

INPUTS = 25
BYTES = 10_000


@pytest.mark.parametrize("target", TARGETS, ids=lambda each: each.name)
def test_odd_inputs_do_no_harm(target: Target) -> None:
    """Nothing is raised, nothing hangs, and what comes of them can be."""
    assert [*tried(target, seed=0, numbers=range(INPUTS))] == []


@pytest.mark.parametrize("shape", BOMBS)
def test_a_bomb_costs_what_its_size_allows(shape: str) -> None:
    """Time and memory are measured."""
    assert try_one(MAILS, BOMBS[shape](BYTES)) == []


@pytest.mark.parametrize("target", TARGETS, ids=lambda each: each.name)
def test_the_same_seed_brings_the_same_inputs(target: Target) -> None:
    """And another one others: so a line of a report repeats its input."""

    def made(seed: int) -> list[bytes]:
        return [target.make(chance_of(target.name, seed, number)) for number in range(5)]

    assert made(1) == made(1) != made(2)


def test_all_inputs_are_shared_out() -> None:
    """The shares are of a hundred."""
    assert sum(each.share for each in TARGETS) == 100


def broken(flaws: Callable[[bytes], Sequence[str]]) -> list[str]:
    """What is found in something that is broken."""
    return try_one(Target("broken", 1, lambda _: b"", flaws), b"a" * 10, measured=True)


def test_what_is_raised_is_found_out() -> None:
    """With where it was raised."""
    found = broken(lambda raw: [str(raw[11])])

    assert len(found) == 1
    assert "IndexError" in found[0]


def test_what_hangs_is_found_out(monkeypatch) -> None:
    """It is ended, twice."""
    times = []

    def hang(_: bytes) -> Sequence[str]:
        times.append(1)
        while True:
            pass

    monkeypatch.setattr(trying, "SECONDS", 0.02)

    assert broken(hang) == ["slow: more than 0.0 seconds for 10 bytes"]
    assert len(times) == 2


def test_what_is_slow_once_is_not_slow(monkeypatch) -> None:
    """Grammars are read at the first use."""

    @cache
    def once() -> Iterator[None]:
        while True:
            pass

    calls = iter([once, list])
    monkeypatch.setattr(trying, "SECONDS", 0.02)

    assert broken(lambda _: next(calls)() or []) == []


def test_what_takes_much_memory_is_found_out(monkeypatch) -> None:
    """More than its size allows."""
    monkeypatch.setattr(trying, "BYTES", 1_000)

    assert broken(lambda _: [*map(str, bytes(1_000_000)[:0])])[0].startswith("memory: 1000")
    assert broken(lambda _: []) == []
