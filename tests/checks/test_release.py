"""What `make release` asks of the changelog."""

import re

import pytest

from machjudge import __version__
from machjudge.db.schema_version import newest_step
from machjudge.settings import migrations_folder
from tests.release.__main__ import Unfit, changelog_agrees
from tests.release.container import ROOT
from tests.release.upgrades import steps

CHANGELOG = (ROOT / "docs" / "changelog.md").read_text(encoding="utf-8")


def test_the_newest_version_of_the_changelog_is_that_of_the_program() -> None:
    """With its date; what is new meanwhile stands above it."""
    head, unreleased, versions = CHANGELOG.partition("\n## Unreleased\n")

    assert "## " not in head
    assert unreleased
    assert versions.partition("\n## ")[2].startswith(f"{__version__} - 20")


def test_the_pages_for_keepers_name_the_files_of_this_version() -> None:
    """As they are followed literally."""
    pages = [each.read_text(encoding="utf-8") for each in (ROOT / "docs").glob("keeping_*.md")]
    named = {each for page in pages for each in re.findall(r"machjudge-(\d+\.\d+\.\d+)", page)}

    assert named == {__version__}


def test_no_line_of_the_changelog_stands_there_twice() -> None:
    """As it would after a careless merge."""
    lines = [line for line in CHANGELOG.splitlines() if line.startswith("- ")]

    assert [line for line in set(lines) if lines.count(line) > 1] == []


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "# Changelog\n\n## Unreleased\n\n- X\n\n## 2.0.0 - 2027-01-01\n",
            "1 lines of the changelog are Unreleased",
        ),
        ("# Changelog\n\n## Unreleased\n\n## 1.9.0 - 2027-01-01\n", "not 2.0.0"),
        ("# Changelog\n\n## Unreleased\n\n## 2.0.0\n", "with its date"),
    ],
)
def test_a_changelog_that_is_not_ready_is_refused(text: str, why: str) -> None:
    """With what is to be done."""
    with pytest.raises(Unfit, match=why):
        changelog_agrees(text, "2.0.0")


def test_a_changelog_that_is_ready_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is left under Unreleased, and the judge of today's step is kept."""
    text = "# Changelog\n\n## Unreleased\n\n### Added\n\n## 2.0.0 - 2027-01-01\n"
    kept = [*steps(), newest_step(migrations_folder())]
    monkeypatch.setattr("tests.release.__main__.steps", lambda: kept)

    assert changelog_agrees(text, "2.0.0") == "version 2.0.0 of 2027-01-01, as the changelog says"
