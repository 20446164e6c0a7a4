"""What the README promises: each promise names tests that are there."""

import re

import pytest

from tests.checks.test_features import TESTS, is_there

README = (TESTS.parent / "README.md").read_text(encoding="utf-8")
PAGE = (TESTS.parent / "docs" / "reliability.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (.+?) \| (`.+::.+`) \|$", PAGE, re.MULTILINE)
PROMISED = re.findall(r"^- (.+)$", README.partition("## Two commands")[0], re.MULTILINE)


def words(text: str) -> str:
    """A sentence without its signs."""
    return " ".join(re.findall(r"\w+", text.lower()))


@pytest.mark.parametrize("kept_by", [kept_by for _, kept_by in ROWS])
def test_what_keeps_a_promise_is_there(kept_by: str) -> None:
    """Nothing was renamed or dropped without the page."""
    assert all(is_there(name) for name in re.findall(r"`(.+?)`", kept_by))


@pytest.mark.parametrize("promise", [promise for promise, _ in ROWS])
def test_the_readme_makes_the_promise_in_these_words(promise: str) -> None:
    """Anyone who changes the README comes by here."""
    assert words(promise) in " ".join(map(words, PROMISED))


def test_no_promise_of_the_readme_is_without_a_test() -> None:
    """Each line of promises has two rows at least."""
    for line in PROMISED:
        assert sum(words(promise) in words(line) for promise, _ in ROWS) >= 2, line
