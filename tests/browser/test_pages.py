"""The web pages in a browser: they fit, load nothing, and lead to each other (`make browser`)."""

import re
from pathlib import Path

import pytest

from tests.browser.chromium import Tab

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("page", ["index.html", "games/borgia.html", "replays/borgia.html"])
def test_page_fits_its_window(tab: Tab, pages: Path, page: str, width: int, dark: bool) -> None:
    """Nobody scrolls sideways, whatever is unfolded; the console stays empty."""
    tab.faults.clear()
    tab.open(pages / page, width, dark=dark)
    tab.says("document.querySelectorAll('details').forEach(each => { each.open = true; })")

    assert int(tab.says("document.documentElement.scrollWidth")) <= width
    assert tab.faults == []


def test_a_page_counts_down(tab: Tab, pages: Path) -> None:
    """In words of the page's language; the instant is there for who points at it."""
    tab.faults.clear()
    tab.open(pages / "games" / "borgia.html", 390)
    told = tab.says("document.querySelector('.left time').textContent")

    assert re.fullmatch(r"(in )?\d+ (day|hour|minute)s?( ago)?", told)
    assert not tab.says("document.querySelector('.left').hidden")
    assert tab.faults == []


def test_links_lead_to_the_pages(tab: Tab, pages: Path) -> None:
    """From the index to a game, from there to a phase of its replay."""
    tab.open(pages / "index.html", 1280)
    links = tab.says("[...document.links].map(each => each.href)")
    tab.open(pages / "games" / "borgia.html", 1280)
    links += tab.says("[...document.links].map(each => each.href)")
    own = [link.removeprefix("file://") for link in links if link.startswith("file://")]
    files = {link.partition("#")[0] for link in own}

    # Nobody is led to the calendars, whose names are secrets.
    shown = [each for each in pages.rglob("*.*") if each.parent.name != "calendars"]
    assert files == {str(each) for each in shown}
    others = [link for link in links if not link.startswith("file://")]
    assert all(link.startswith("mailto:judge@mach.example?body=") for link in others)
    assert any(link.endswith("#t3") for link in links)
