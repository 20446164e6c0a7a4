"""The pages of a judge: which there are, what stands in them, and when they are written anew."""

import re
from dataclasses import replace
from datetime import timedelta
from xml.etree import ElementTree as ET

import feedparser
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
        site = site_of(house.services, self._mark, house.now)
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


FORMING = {"index.html", "games/borgia.html"}
ALL = {*FORMING, "games/borgia.atom", "replays/borgia.html"}


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

    assert folder.written(house) == FORMING
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


# --- what is due, how to come in, the feed ----------------------------------------------------


def test_a_page_counts_down_to_the_deadline() -> None:
    """Its instant stands there for programs; without a script the date is there as text."""
    house, folder = year(), Folder()
    folder.tick(house)
    page, clock = folder.pages["games/borgia.html"], house.game().clock
    assert clock is not None

    assert f'<time datetime="{clock.deadline:%Y-%m-%dT%H:%M:%SZ}">' in page
    assert "Due " in told(page)
    assert page.count("<script>") == 1


def test_a_page_says_whose_orders_are_missing_once_the_deadline_is_over() -> None:
    """Before that nobody learns from it who has ordered; a quiet game names nobody."""
    house, folder = year(), Folder()
    order(house, "V", *SPRING["V"])
    folder.tick(house)
    before = told(folder.pages["games/borgia.html"])
    clock = house.game().clock
    assert clock is not None
    house.now = clock.deadline + timedelta(hours=1)
    folder.tick(house)
    after = told(folder.pages["games/borgia.html"])
    hiding(house, quiet=True)
    folder.tick(house)

    quiet = told(folder.pages["games/borgia.html"])

    heads = [each.partition("Replay")[0].partition("Due ")[2] for each in (before, after, quiet)]
    assert "Late: " not in heads[0]
    assert "Milan" in heads[1].partition("Late: ")[2]
    assert "Milan" not in heads[2].partition("Late: ")[2]


def test_a_page_says_how_to_join_or_watch() -> None:
    """As lines to mail, which a link writes."""
    house, folder = House(), Folder()
    write(house, MASTER, "CREATE ?Borgia masterkey 1454")
    folder.tick(house)
    page = folder.pages["games/borgia.html"]

    assert "mailto:judge@mach.example?body=SIGNON%20%3FBorgia%20yourpassword" in page
    assert "OBSERVE Borgia yourpassword" in told(page)
    hiding(house, allowed=("anna@player.example",))
    folder.tick(house)
    assert "if you are invited" in told(folder.pages["games/borgia.html"])
    assert "anna@player.example" not in folder.pages["games/borgia.html"]


def test_the_last_orders_stand_beside_the_map() -> None:
    """Not among the older phases once more."""
    house, folder = year(), Folder()
    folder.tick(house)
    page = folder.pages["games/borgia.html"]
    last = page.index('id="last"')

    assert page.index('role="img"') < last < page.index('id="history"')
    assert page.count("<details>") == len(re.findall("#t[0-9]+", page))


def test_results_are_a_feed() -> None:
    """As RFC 4287 has it: ids that stay, the newest first, and nothing but what the page has."""
    house, folder = year(), Folder()
    folder.tick(house)
    text = folder.pages["games/borgia.atom"]
    feed = feedparser.parse(text.encode())
    root = ET.fromstring(text)  # noqa: S314 - our own
    atom = "{http://www.w3.org/2005/Atom}"

    assert not feed.bozo
    assert feed.version == "atom10"
    for each in (feed.feed, *feed.entries):
        assert each.id.startswith("tag:mach.example,2026-")
        assert each.title
        assert each.updated_parsed
    ids = [each.id for each in feed.entries]
    assert len(set(ids)) == len(ids) > 3
    assert [each.updated_parsed for each in feed.entries] == sorted(
        (each.updated_parsed for each in feed.entries), reverse=True
    )
    assert feed.feed.updated == feed.entries[0].updated
    assert len(root.findall(f"{atom}author")) == 1
    assert all(len(each.findall(f"{atom}id")) == 1 for each in root.findall(f"{atom}entry"))
    assert "A Pavia - Montferrat" in text
    assert "Psst." not in text
    house.later(days=1)
    assert folder.written(house) == set()
    order(house, "V", "BROADCAST", "Hear, hear.", "ENDPRESS")
    folder.tick(house)
    again = feedparser.parse(folder.pages["games/borgia.atom"].encode())
    assert [each.id for each in again.entries] == ids


def test_a_feed_names_itself_where_the_judge_knows_its_pages() -> None:
    """Links are whole addresses then."""
    house, folder = year(), Folder()
    judge = replace(house.services.judge, web="https://mach.example/m/")
    house.services = replace(house.services, judge=judge)
    folder.tick(house)
    feed = feedparser.parse(folder.pages["games/borgia.atom"].encode())

    assert {link.rel: link.href for link in feed.feed.links} == {
        "self": "https://mach.example/m/games/borgia.atom",
        "alternate": "https://mach.example/m/games/borgia.html",
    }
    assert feed.entries[0].link.startswith("https://mach.example/m/replays/borgia.html#t")
