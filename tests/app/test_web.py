"""The folder of web pages: what a tick writes into it, and what it does where it cannot."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from machjudge.app import Application, build
from machjudge.app.working import tick, write_pages
from machjudge.cli.doctor import DoctorVerdict, web
from machjudge.judge.records import GameId, Status
from machjudge.judge.reminders import calendar_path
from machjudge.settings import load
from tests.cli.test_verify import keep

PAGES = {"index.html", "games/chance.html", "games/chance.atom", "replays/chance.html"}


@pytest.fixture
def judge(tmp_path: Path) -> Iterator[Application]:
    """A judge with one finished game, and a folder for its pages."""
    database = tmp_path / "judge.sqlite"
    keep(database, Status.FINISHED)
    settings = load({"MACHJUDGE_DATABASE": f"sqlite:///{database}"})
    application = build(replace(settings, web=tmp_path / "pages"))
    list_it(application, listed=True)
    yield application
    application.close()


def folder(judge: Application) -> Path:
    """Where its pages are."""
    assert judge.settings.web is not None
    return judge.settings.web


def files(judge: Application) -> dict[str, int]:
    """What lies in it, hidden files too, and when it was written."""
    here = folder(judge)
    return {
        str(each.relative_to(here)): each.stat().st_mtime_ns
        for each in here.rglob("*")
        if each.is_file()
    }


def list_it(judge: Application, *, listed: bool) -> None:
    """Put the game into the list, or take it out of it."""
    with judge.store.writing() as uow:
        game = uow.games.get(GameId("chance"))
        assert game is not None
        settings = replace(game.settings, listed=listed)
        uow.games.save(replace(game, settings=settings, version=game.version + 1))
        uow.commit()


def test_tick_writes_the_pages_and_leaves_them_alone_afterwards(judge: Application) -> None:
    """The folder is made; no half-written file stays."""
    tick(judge)
    first = files(judge)
    tick(judge)

    pages = {each for each in first if not each.endswith(".ics")}
    assert pages == {*PAGES, "calendars/index.html"}
    assert files(judge) == first


def test_a_page_that_was_lost_is_written_again(judge: Application) -> None:
    """That one and its replay."""
    write_pages(judge)
    (folder(judge) / "games" / "chance.html").unlink()
    write_pages(judge)

    assert "games/chance.html" in files(judge)


def test_pages_of_a_game_that_is_not_listed_go(judge: Application) -> None:
    """Files that are not ours stay."""
    write_pages(judge)
    mine = folder(judge) / "games" / "mine.html"
    mine.write_text("<p>Mine.</p>", encoding="utf-8")
    list_it(judge, listed=False)
    write_pages(judge)

    left = {each for each in files(judge) if not each.startswith("calendars/")}
    assert left == {"index.html", "games/mine.html"}


def test_the_calendar_file_of_an_address_goes_with_it(judge: Application) -> None:
    """It stands under a name that nobody guesses, and is left alone while nothing changes."""
    write_pages(judge)
    with judge.store.writing() as uow:
        owner = uow.persons.confirmed()[0]
        before = {calendar_path(judge.services.secret, each) for each in owner.addresses}
        assert before <= set(files(judge))
        uow.persons.save(replace(owner, addresses=("somebody@else.example",)))
        uow.commit()
    write_pages(judge)

    assert not before & set(files(judge))
    assert calendar_path(judge.services.secret, "somebody@else.example") in files(judge)
    with_crlf = next(folder(judge).glob("calendars/*.ics")).read_bytes()
    assert b"\r\r\n" not in with_crlf
    assert with_crlf.startswith(b"BEGIN:VCALENDAR\r\n")


@pytest.mark.parametrize("broken", ["a file", "no parent", "a file inside"])
def test_a_broken_folder_is_one_line_in_the_log_and_stops_no_tick(
    judge: Application, tmp_path: Path, broken: str
) -> None:
    """The rest of the tick is done."""
    where = folder(judge)
    if broken == "a file":
        where.write_text("x", encoding="utf-8")
    elif broken == "no parent":
        where = tmp_path / "no" / "such"
    else:
        where.mkdir()
        (where / "games").write_text("x", encoding="utf-8")
    with capture_logs() as logs:
        ticked = tick(replace(judge, settings=replace(judge.settings, web=where)))

    assert ticked.failed == ()
    (line,) = [each for each in logs if each["event"] == "web pages not written"]
    assert line["log_level"] == "warning"
    assert line["folder"] == str(where)
    assert line["why"]


@pytest.mark.parametrize("broken", ["site_of", "note_pages"])
def test_a_fault_of_ours_stops_no_tick(
    judge: Application, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    """It is logged with its traceback."""
    monkeypatch.setattr(f"machjudge.app.working.{broken}", lambda *_: 1 / 0)
    with capture_logs() as logs:
        tick(judge)

    assert "web pages failed" in [each["event"] for each in logs]


def test_without_the_setting_nothing_is_written(judge: Application, tmp_path: Path) -> None:
    """As it is unless the keeper wants pages."""
    tick(replace(judge, settings=replace(judge.settings, web=None)))

    assert not (tmp_path / "pages").exists()


@pytest.mark.parametrize(
    ("place", "verdict", "says"),
    [
        ("", DoctorVerdict.RIGHT, "tick writes pages into"),
        ("new", DoctorVerdict.NOTE, "tick makes it"),
        ("no/such", DoctorVerdict.WRONG, "cannot make it"),
        ("file", DoctorVerdict.WRONG, "no folder that the judge can write to"),
    ],
)
def test_doctor_looks_at_the_folder(
    tmp_path: Path, place: str, verdict: DoctorVerdict, says: str
) -> None:
    """It may be there, be makeable, or be unusable."""
    (tmp_path / "file").write_text("x", encoding="utf-8")
    (finding,) = web(replace(load({}), web=tmp_path / place))

    assert finding.verdict is verdict
    assert says in finding.says
    assert [*web(load({}))] == []
