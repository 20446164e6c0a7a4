"""Games that were played at another judge: kept as they were exported, shown as if played here."""

from dataclasses import replace
from functools import cache

import pytest

from machjudge.adjudicator.events import VictoryReached
from machjudge.adjudicator.names import PowerId
from machjudge.formats.game_file import (
    Chronicle,
    ChronicleEnd,
    chronicle_lines,
    read_chronicle,
    seal_of,
)
from machjudge.judge.archive import export, replay, scenario_of
from machjudge.judge.outgoing import sight_of
from machjudge.judge.pages import NotImported, WantedImport, course_of, import_game, site_of
from machjudge.judge.records import End, Ending, Game, GameId, Provenance, Status
from tests.games.chronicles import chronicle_of, first_version
from tests.games.game import Deal, atlas
from tests.games.variations import with_everything
from tests.judge.house import House, started
from tests.judge.letters_in import answer, write
from tests.judge.year import OPENING, SPRING, SUMMER, play

GINA, DINO, OLGA = "gina@desk.example", "dino@other.example", "olga@club.example"
VENICE, FLORENCE = PowerId("V"), PowerId("L")


@cache
def origin() -> House:
    """A judge at which a game was played by mail, with a rollback and a silent power, and ended."""
    house = started()
    play(house, OPENING)
    house.later(hours=1)
    play(house, SPRING)
    rule(house, "ROLLBACK")
    house.later(hours=1)
    rule(house, "PROCESS S1454M")
    play(house, SUMMER, "T")
    rule(house, "PROCESS U1454M")
    rule(house, "DECLARE DRAW V L")
    return house


@cache
def file() -> bytes:
    """The file of that game."""
    return exported(origin(), "borgia")


def rule(house: House, *lines: str) -> None:
    """The master decides something."""
    write(house, house.game().seats[0].address, "SIGNON Mborgia masterkey", *lines)


def written(chronicle: Chronicle) -> bytes:
    """The file of a game."""
    return "".join(f"{line}\n" for line in chronicle_lines(chronicle)).encode()


def club() -> House:
    """Another judge, where Olga is registered, and nothing else."""
    house = House()
    house.services = replace(house.services, judge=replace(house.services.judge, code="CLUB"))
    write(house, OLGA, "REGISTER", "Name: Olga", "END")
    house.later(days=1)
    return house


def brought(house: House, chronicle: Chronicle, name: str = "", master: str = OLGA) -> Game:
    """The game, imported."""
    wanted = WantedImport(name or chronicle.game, master)
    return import_game(
        house.services, chronicle, scenario_of(chronicle, atlas()), wanted, house.now
    )


def imported(name: str = "") -> House:
    """The other judge with the game of a year."""
    house = club()
    brought(house, read_chronicle(file()), name)
    return house


def exported(house: House, name: str) -> bytes:
    """The file that a judge writes of a game."""
    chronicle = export(house.services, GameId(name))
    assert isinstance(chronicle, Chronicle)
    return written(chronicle)


def ask(house: House, *lines: str) -> str:
    """The answer to somebody who knows of the game by hearsay."""
    return answer(write(house, DINO, *lines), DINO)


# --- the record ------------------------------------------------------------------------------


def test_what_is_exported_again_is_the_same_byte_for_byte() -> None:
    """With the name and the judge that were sealed, whatever it is called here."""
    assert exported(imported(), "borgia") == file()
    assert exported(imported("lucrezia"), "lucrezia") == file()


def test_a_game_with_shared_dice_and_every_rule_comes_out_as_it_went_in() -> None:
    """With the words of those who played it."""
    chronicle = chronicle_of(Deal("1454", 4, chosen=with_everything()), 8, ("tulip", "Càrdinal"))
    house = club()
    brought(house, chronicle)

    assert exported(house, "chance") == written(chronicle)


def test_it_is_rebuilt_as_it_is_stored() -> None:
    """Every phase, those that were rolled back as well."""
    checks = replay(imported().services, GameId("borgia"))

    assert checks is not None
    assert [check.moment for check in checks] == ["F1453B", "F1453B", "S1454M", "S1454M", "U1454M"]
    assert all(check.is_kept and check.plays_again for check in checks)


def test_a_file_of_version_1_ends_as_its_last_phase_says() -> None:
    """With the victory that it declares, else broken off; all of it at the import."""
    old = read_chronicle(first_version(chronicle_of(Deal("1454", 4, chosen=with_everything()), 4)))
    last = old.phases[-1]
    reached = VictoryReached(VENICE, 15, (VENICE, FLORENCE))
    won = replace(old, phases=(*old.phases[:-1], replace(last, events=(*last.events, reached))))
    house = club()
    here = Provenance("MACH", "Chance")

    broken_off, victory = brought(house, old, "one"), brought(house, won, "two")

    assert broken_off.ending == Ending(End.TERMINATED, (), house.now, origin=here)
    assert victory.ending == Ending(End.VICTORY, (VENICE,), house.now, origin=here)
    again = read_chronicle(exported(house, "one"))
    assert again.end == ChronicleEnd("terminated", (), house.now, by_vote=False)
    assert {entry.played for entry in again.phases} == {house.now}
    assert seal_of(again) == seal_of(old)


# --- what is not taken -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "master", "says"),
    [
        ("", "nobody@club.example", "nobody who is registered here has the address nobody@club.ex"),
        ("", "olga\udc80", "nobody who is registered here has the address olga"),
        ("BORGIA2", OLGA, "there is a game BORGIA2 already; take another name"),
        ("two words", OLGA, "a game's name has up to 20 letters and digits"),
        ("b" * 21, OLGA, "a game's name has up to 20 letters and digits"),
    ],
)
def test_who_and_what_cannot_be_is_refused(name: str, master: str, says: str) -> None:
    """With the reason; nothing is kept."""
    house = imported("borgia2")
    before = dict(house.store.tables.games)

    with pytest.raises(NotImported) as refused:
        brought(house, read_chronicle(file()), name, master)

    assert house.services.renderer.say(refused.value.why).startswith(says)
    assert dict(house.store.tables.games) == before


def test_what_nobody_could_be_shown_is_refused() -> None:
    """Such as a winner whom the scenario does not have."""
    house, chronicle = club(), read_chronicle(file())
    end = ChronicleEnd("victory", (PowerId("Q"),), house.now, by_vote=False)

    with pytest.raises(NotImported) as refused:
        brought(house, replace(chronicle, end=end))

    assert house.services.renderer.say(refused.value.why) == "it cannot be shown: KeyError: 'Q'"
    assert GameId("borgia") not in house.store.tables.games


# --- what is told of it ----------------------------------------------------------------------


def test_listing_says_where_it_was_played_and_nothing_that_is_not_known() -> None:
    """Neither times nor press, which were that judge's; and somebody led each power."""
    said = " ".join(ask(imported("lucrezia"), "LIST lucrezia").split())

    played = "Played as Borgia at the judge MACH. Florence and Venice share the win: the game is"
    assert played in said.replace("Venice and Florence", "Florence and Venice")
    assert "TIMES" not in said
    assert "PRESS" not in said
    assert "Master: Olga" in said
    assert "Florence: somebody" in said
    assert "Deadline: none (finished)" in said


def test_history_tells_results_as_they_were_told_there() -> None:
    """To the letter; who was silent, too."""
    there, here = ask(origin(), "HISTORY borgia"), ask(imported(), "HISTORY borgia")

    assert "No orders came from Turkey." in here
    assert here == there.replace(":: Judge: MACH", ":: Judge: CLUB")


def test_summary_and_replay_show_it_to_everybody() -> None:
    """The replay as it was sent there, but for where the game was played."""
    house = imported()
    sent = write(house, DINO, "SUMMARY borgia", "GET REPLAY borgia")
    (letter,) = [each for each in sent if each.to == DINO]
    (page,) = letter.attachments

    assert "SUMMARY OF BORGIA\nPlayed as Borgia at the judge MACH." in letter.body
    assert page.name == "borgia-replay.html"
    assert b"Played as Borgia at the judge MACH." in page.content


def test_web_pages_are_written_of_it() -> None:
    """Like those of any game that is listed, without times that nobody here has set."""
    house = imported()
    site = site_of(house.services, lambda _path: "", house.now)
    pages = {page.path: page.content for page in site.pages if "calendars/" not in page.path}

    own = {"games/borgia.html", "games/borgia.atom", "replays/borgia.html"}
    assert set(pages) == {"index.html", *own}
    assert "Played as Borgia at the judge MACH." in pages["games/borgia.html"]
    assert "First deadline" not in pages["games/borgia.html"]


def test_it_counts_for_nobody() -> None:
    """Neither among the games that are over here, nor for ratings, nor for its master."""
    house = imported()

    assert "0 games over." in ask(house, "STATS")
    assert "The game was for no ratings points." in ask(house, "STATS borgia")
    assert house.game().attendance == ()
    with house.store.reading() as uow:
        assert list(uow.games.finishes()) == []


def test_its_master_gets_in_by_a_token_and_cannot_go_on_with_it() -> None:
    """No password opens the seat before; a game whose secret is known is not played on."""
    house = imported()
    tried = answer(write(house, OLGA, "SIGNON Mborgia masterkey", "ROLLBACK"), OLGA)
    sent = write(house, OLGA, "SEND TOKEN borgia")
    (letter,) = [each for each in sent if "SIGNON MBorgia" in each.body]
    (line,) = [line.strip() for line in letter.body.splitlines() if "SIGNON MBorgia" in line]
    opened = write(house, OLGA, line, "SET PASSWORD olgaskey")
    rolled = answer(write(house, OLGA, "SIGNON Mborgia olgaskey", "ROLLBACK"), OLGA)

    assert "do not go together" in tried
    assert any("Master in Borgia" in each.body for each in opened)
    assert "The game is over" in rolled
    assert house.game().status is Status.FINISHED


def test_its_course_is_that_of_the_game_as_it_was_played() -> None:
    """Turn by turn, with the instants."""
    house = imported()
    with house.store.reading() as uow:
        course = course_of(house.services, uow, house.game(), sight_of(house.game(), []))
    chronicle = read_chronicle(file())

    assert course is not None
    assert [turn.at for turn in course.turns] == [
        entry.played for entry in chronicle.phases if entry.number != 2
    ]
