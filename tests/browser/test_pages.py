"""The web pages in a browser: they fit, load nothing, and lead to each other (`make browser`)."""

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


def test_links_lead_to_the_pages(tab: Tab, pages: Path) -> None:
    """From the index to a game, from there to a phase of its replay."""
    tab.open(pages / "index.html", 1280)
    links = tab.says("[...document.links].map(each => each.href)")
    tab.open(pages / "games" / "borgia.html", 1280)
    links += tab.says("[...document.links].map(each => each.href)")
    files = {link.partition("#")[0].removeprefix("file://") for link in links}

    assert files == {str(each) for each in pages.rglob("*.html")}
    assert any(link.endswith("#t3") for link in links)
