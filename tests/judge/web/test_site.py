"""The pages of a judge: which there are, what stands in them, and when they are written anew."""

import re
from dataclasses import replace

import pytest
from icalendar import Calendar

from machjudge.app.working import MARK
from machjudge.judge.game_settings import Treasuries
from machjudge.judge.pages import Site, site_of
from machjudge.judge.records import Status
from machjudge.judge.reminders import calendar_path
from tests.judge.house import PEOPLE, House
from tests.judge.letters_in import write
from tests.judge.pages.test_replay import drilled, hiding, told, year
from tests.judge.year import SPRING, order

MASTER = "gina@desk.example"


class Folder:
    """Pages as they lie in a folder."""

    def __init__(self) -> None:
        self.pages: dict[str, str] = {}

    def tick(self, house: House) -> Site:
        """Write what has changed; what was written."""
        site = site_of(house.services, self._mark)
        self.pages.update({page.path: page.content for page in site.pages})
        return site

    def written(self, house: House) -> set[str]:
        """The paths of what a tick writes, without calendars."""
        return {page.path for page in self.tick(house).pages if "calendars/" not in page.path}

    def calendars(self, house: House) -> dict[str, str]:
        """The calendar files that a tick writes, by their paths."""
        pages = self.tick(house).pages
        return {page.path: page.content for page in pages if page.path.endswith(".ics")}

    def _mark(self, path: str) -> str:
        found = MARK.search(self.pages.get(path, ""))
        return found[1] if found is not None else ""


ALL = {"index.html", "games/borgia.html", "replays/borgia.html"}


def test_a_game_has_a_page_a_replay_and_a_line_in_the_index() -> None:
    """With map, standing, history, rules and press to all; nobody's name or address."""
    house, folder = year(), Folder()

    assert folder.written(house) == ALL
    page, index = folder.pages["games/borgia.html"], folder.pages["index.html"]
    for words in ("Who has what", "History", "Rules", "Every place in words", "Fall 1454"):
        assert words in told(page), words
    assert "A Pavia - Montferrat" in told(page)
    assert "Peace & <b>quiet</b>." in told(page)
    assert 'href="../replays/borgia.html#t' in page
    assert 'href="games/borgia.html"' in index
    assert "Borgia" in told(index)
    for path, text in folder.pages.items():
        if "calendars/" in path:
            continue
        assert "Psst." not in text
        assert "@player.example" not in text
        assert not any(re.search(rf"\b{name}\b", text) for name in PEOPLE)
        assert not re.search(r'(?i)(src|href)="https?:|url\((?!#)', text)


def test_nothing_is_written_that_has_not_changed() -> None:
    """However often somebody looks, and whatever the clock says."""
    house, folder = year(), Folder()
    folder.tick(house)
    house.later(days=1)

    assert folder.written(house) == set()


def test_what_is_hidden_moves_no_page() -> None:
    """Orders, private press, a diary, treasuries and kinds of units change no file and no mark."""
    house, folder = year(), Folder()
    hiding(house, treasuries=Treasuries.PRIVATE, special_public=False)
    folder.tick(house)
    order(house, "L", "PRESS TO V", "Psst.", "ENDPRESS", "DIARY", "Mine.", "ENDPRESS")
    order(house, "V", *SPRING["V"])
    phases = house.store.tables.phases
    phases[:] = [replace(each, after=drilled(each.after)) for each in phases]

    assert folder.written(house) == set()


@pytest.mark.parametrize("what", ["press", "deadline", "comment"])
def test_what_everybody_may_see_is_written_at_the_next_tick(what: str) -> None:
    """Press to all, another deadline, another comment of the master."""
    house, folder = year(), Folder()
    folder.tick(house)
    match what:
        case "press":
            order(house, "V", "BROADCAST", "Hear, hear.", "ENDPRESS")
        case "deadline":
            game = house.game()
            assert game.clock is not None
            later = replace(game.clock, deadline=house.later(days=9))
            house.store.tables.games[game.id] = replace(game, clock=later)
        case _:
            hiding(house, comment=("Be kind.",))

    assert folder.written(house) == ALL
    assert what != "press" or "Hear, hear." in folder.pages["games/borgia.html"]


def test_a_game_that_forms_has_a_page_without_a_replay() -> None:
    """With how many it still needs."""
    house, folder = House(), Folder()
    write(house, MASTER, "CREATE ?Borgia masterkey 1454")

    assert folder.written(house) == ALL - {"replays/borgia.html"}
    assert "8 players more needed." in told(folder.pages["games/borgia.html"])


def test_a_game_that_is_not_listed_has_none() -> None:
    """And loses what it had."""
    house, folder = year(), Folder()
    folder.tick(house)
    hiding(house, listed=False)
    site = folder.tick(house)

    assert not any(path.startswith(("games/", "replays/")) for path in site.paths)
    assert [page.path for page in site.pages] == ["index.html"]
    assert "Borgia" not in folder.pages["index.html"]
    assert "No games are listed." in folder.pages["index.html"]


def test_a_finished_game_is_written_once_more_with_what_is_open_then() -> None:
    """Then it stays, among the finished ones."""
    house, folder = year(), Folder()
    hiding(house, treasuries=Treasuries.PRIVATE)
    folder.tick(house)
    assert ">Ducats<" not in folder.pages["games/borgia.html"]
    game = house.game()
    over = replace(game, status=Status.FINISHED, clock=None)
    house.store.tables.games[game.id] = over

    assert folder.written(house) == ALL
    assert ">Ducats<" in folder.pages["games/borgia.html"]
    assert "Finished games" in folder.pages["index.html"]
    assert folder.written(house) == set()


def test_a_game_that_cannot_be_shown_keeps_no_other_from_its_page() -> None:
    """Its scenario is gone; the index names it all the same."""
    house, folder = year(), Folder()
    game = house.game()
    lost = replace(game, id=type(game.id)("lost"), name="Lost", scenario="1789")
    house.store.tables.games[lost.id] = lost
    phases = house.store.tables.phases
    phases += [replace(each, game=lost.id) for each in phases]

    assert folder.written(house) == ALL
    assert "Lost" in folder.pages["index.html"]


def test_each_address_has_a_calendar_with_its_own_deadlines() -> None:
    """Another one at another address; nothing secret moves it, and no name stands in it."""
    house, folder = year(), Folder()
    files = folder.calendars(house)
    marco = files[calendar_path(house.services.secret, "marco@player.example")]
    anna = files[calendar_path(house.services.secret, "anna@player.example")]
    (entry,) = Calendar.from_ical(marco).walk("VEVENT")

    assert house.game().clock is not None
    assert entry["DTSTART"].dt == house.game().clock.deadline
    assert "Borgia" in entry["SUMMARY"]
    assert marco != anna
    assert not any(name in text for text in files.values() for name in PEOPLE)
    assert not any("player.example" in path + text for path, text in files.items())
    order(house, "V", *SPRING["V"])
    assert folder.calendars(house) == {}


def test_a_calendar_says_nothing_of_an_address_without_games() -> None:
    """Who does not want deadlines in the calendar has no file."""
    house, folder = year(), Folder()
    write(house, "marco@player.example", "SIGNON Vborgia pwV", "SET CALENDAR OFF")
    write(house, "zoe@player.example", "REGISTER", "Name: Zoe", "END")
    files = folder.calendars(house)
    zoe = files[calendar_path(house.services.secret, "zoe@player.example")]

    assert calendar_path(house.services.secret, "marco@player.example") not in files
    assert Calendar.from_ical(zoe).walk("VEVENT") == []
