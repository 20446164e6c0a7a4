"""The replay in a browser: it fits, keys move it, and its console stays empty (`make browser`)."""

from pathlib import Path

import pytest

from tests.browser.chromium import Tab

pytestmark = pytest.mark.browser

WIDTHS = [390, 1280]
_PHASES = 20


def title(tab: Tab) -> str:
    """The phase that the page says it shows."""
    return str(tab.says("document.querySelector('#where').textContent"))


def shown(tab: Tab, what: str) -> list[int]:
    """Which of the turns or drawings are to be seen, by number."""
    script = f"[...document.querySelectorAll({what!r})].map((e, n) => [n, e])"
    found = tab.says(
        f"{script}.filter(([n, e]) => getComputedStyle(e).display !== 'none').map(([n]) => n)"
    )
    return [int(number) for number in found]


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", WIDTHS)
def test_page_fits_its_window(tab: Tab, replay: Path, width: int, dark: bool) -> None:
    """Nobody scrolls sideways, in no phase; and nothing is loaded or goes wrong."""
    tab.faults.clear()
    tab.open(replay, width, dark=dark)
    for _ in range(_PHASES):
        wide = tab.says("document.documentElement.scrollWidth")
        assert int(wide) <= width
        tab.press("ArrowLeft")

    assert title(tab).endswith("the beginning")
    assert tab.faults == []


@pytest.mark.parametrize("width", WIDTHS)
def test_keys_move_the_phase(tab: Tab, replay: Path, width: int) -> None:
    """It opens at the last one; arrows, Home and End go through them, and stop at the ends."""
    tab.open(replay, width)
    last = _PHASES - 1
    seen = []
    for key in ("", "ArrowRight", "ArrowLeft", "ArrowLeft", "ArrowRight", "Home", "End"):
        if key:
            tab.press(key)
        numbers = [shown(tab, what) for what in (".turn", ".ground", ".above")]
        assert numbers[0] == numbers[1] == numbers[2]
        seen += numbers[0]
        assert title(tab) == tab.says(f"document.querySelector('#h{numbers[0][0]}').textContent")

    assert seen == [last, last, last - 1, last - 2, last - 1, 0, last]


def test_slider_has_the_focus_first_and_says_the_phase(tab: Tab, replay: Path) -> None:
    """Tab goes over slider, buttons, map and further; Enter presses a button."""
    tab.open(replay, 1280)
    order = []
    for _ in range(8):
        tab.press("Tab")
        order.append(tab.says("document.activeElement.id"))
    tab.says("document.querySelector('#first').focus()")
    tab.press("Enter")

    assert order == ["phase", "first", "back", "on", "last", "play", "map", "larger"]
    assert shown(tab, ".turn") == [0]
    told = tab.says("document.querySelector('#phase').getAttribute('aria-valuetext')")
    assert told == title(tab)
    assert tab.says("document.querySelector('#phase').value") == "0"


def test_slider_takes_the_keys_itself(tab: Tab, replay: Path) -> None:
    """One step for one press."""
    tab.open(replay, 1280)
    tab.press("Tab")
    tab.press("ArrowLeft")

    assert shown(tab, ".turn") == [_PHASES - 2]


def test_a_larger_map_scrolls_inside_the_page(tab: Tab, replay: Path) -> None:
    """And the page itself does not."""
    tab.open(replay, 390)
    tab.says("document.querySelector('#larger').click()")
    inside = tab.says("[document.querySelector('#map')].map(m => m.scrollWidth > m.clientWidth)[0]")

    assert inside is True
    assert int(tab.says("document.documentElement.scrollWidth")) <= 390
    assert tab.says("document.querySelector('#larger').getAttribute('aria-pressed')") == "true"


def test_a_link_names_its_phase(tab: Tab, replay: Path) -> None:
    """As the pages of a judge have them."""
    tab.open(replay, 1280)
    tab.says("location.hash = '#t3'")
    while shown(tab, ".turn") == [_PHASES - 1]:
        pass

    assert shown(tab, ".turn") == [3]


def test_play_runs_to_the_end_and_stops(tab: Tab, replay: Path) -> None:
    """The button says whether it runs."""
    tab.open(replay, 1280)
    tab.press("ArrowLeft")
    tab.says("document.querySelector('#play').click()")
    assert tab.says("document.querySelector('#play').getAttribute('aria-pressed')") == "true"
    while tab.says("document.querySelector('#play').getAttribute('aria-pressed')") == "true":
        pass

    assert shown(tab, ".turn") == [_PHASES - 1]


def test_a_page_that_asks_for_more_or_fails_is_found(tab: Tab, tmp_path: Path) -> None:
    """Else the empty lists above would say nothing."""
    page = tmp_path / "bad.html"
    page.write_text(
        "<!DOCTYPE html><title>x</title><img src='missing.png'><script>none()</script>",
        encoding="utf-8",
    )
    tab.faults.clear()
    tab.open(page, 390)

    assert any("missing.png" in each for each in tab.faults)
    assert any("none is not defined" in each for each in tab.faults)
    tab.faults.clear()
