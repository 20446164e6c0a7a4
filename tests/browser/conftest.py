"""A Chromium for all tests of this folder, and pages that they look at."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from machjudge.judge.game_view import reader_of
from machjudge.judge.outgoing import sight_of
from machjudge.judge.pages import course_of, replay_of, site_of
from tests.browser.chromium import Tab, browser_here, tab_of
from tests.judge.pages.long_game import played


@pytest.fixture(scope="session")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tab]:
    """A tab; without Chromium the tests fail, as `make browser` is about nothing else."""
    browser = browser_here()
    assert browser, "There is no Chromium here; on Debian and Ubuntu, install the package chromium."
    with tab_of(browser, tmp_path_factory.mktemp("browser")) as opened:
        yield opened


@pytest.fixture(scope="session")
def replay(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The replay of a game of a few years."""
    house = played(20)
    with house.store.reading() as uow:
        course = course_of(house.services, uow, house.game(), sight_of(house.game(), []))
    assert course is not None
    page = replay_of(house.services, course, reader_of(house.services, None, house.now))
    file = tmp_path_factory.mktemp("pages") / "borgia.html"
    file.write_text(page, encoding="utf-8")
    return file


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the web pages of a judge with that game."""
    folder = tmp_path_factory.mktemp("web")
    for page in site_of(played(20).services, lambda _: "", played(20).now).pages:
        file = folder / page.path
        file.parent.mkdir(exist_ok=True)
        file.write_text(page.content, encoding="utf-8")
    return folder
