"""What the keeper looks at and decides: games, people, announcements, bans."""

import pytest
from click.testing import CliRunner

from machjudge.cli import main
from machjudge.db.engine import open_engine, reading
from machjudge.db.mail_queues import banned
from tests.judge.house import House
from tests.judge.letters_in import raw_mail, work, write
from tests.judge.seats.test_seating import DINO, forming


@pytest.fixture
def variables(tmp_path) -> dict[str, str]:
    """The settings of a judge in a folder of its own, with an empty database."""
    found = {
        "MACHJUDGE_CONFIG": "/dev/null",
        "MACHJUDGE_DATABASE": f"sqlite:///{tmp_path}/judge.db",
        "MACHJUDGE_ADDRESS": "judge@mach.example",
    }
    assert CliRunner().invoke(main, ["migrate"], env=found).exit_code == 0
    return found


def said(variables: dict[str, str], *command: str, code: int = 0, text: str = "") -> str:
    """What a command of the keeper prints."""
    done = CliRunner().invoke(main, ["keeper", *command], env=variables, input=text)
    assert done.exit_code == code, done.output
    return done.output


def test_addresses_and_domains_are_banned_and_taken_again(variables) -> None:
    """The list shows them; a word that is neither is refused."""
    assert "bad@spam.example is banned." in said(variables, "ban", "Bad@Spam.example")
    assert "banned already" in said(variables, "ban", "bad@spam.example")
    assert "@spam.example is banned." in said(variables, "ban", "@spam.example")
    assert "Banned: 2" in said(variables, "list")
    assert "not banned any more" in said(variables, "unban", "@spam.example")
    assert "is not banned" in said(variables, "unban", "@spam.example", code=2)
    assert "neither an address nor a domain" in said(variables, "ban", "spam", code=2)
    engine = open_engine(variables["MACHJUDGE_DATABASE"])
    with reading(engine) as connection:
        assert banned(connection) == {"bad@spam.example"}
    engine.dispose()


def test_a_judge_without_games_says_so(variables) -> None:
    """And without people, and to whom a message goes."""
    assert said(variables, "games") == "Games: 0\n"
    assert said(variables, "people") == "People: 0\n"
    assert "0 people" in said(variables, "announce", "Down on Sunday", "-", text="Until noon.")
    assert "there is no text" in said(variables, "announce", "Down", "-", code=2, text=" ")
    told = said(variables, "announce", "x", "-", "--to", "nope", code=2, text="x")
    assert "no game called nope" in told


def test_who_is_banned_reads_once_a_day_that_nothing_was_read() -> None:
    """Nothing that the mail asks for is done, whatever proves its writer; others are heard."""
    house = forming()
    house.store.banned = frozenset({DINO})
    first = write(house, DINO, "SIGNON ?borgia tulip9")
    again = write(house, DINO, "SIGNON ?borgia tulip9")
    house.later(hours=25)
    next_day = write(house, DINO, "LIST")

    assert [x.to for x in first] == [DINO]
    assert "takes no mails from your address" in " ".join(first[0].body.split())
    assert again == []
    assert len(next_day) == 1
    assert DINO not in {seat.address for seat in house.game().seats}
    house.store.banned = frozenset()
    write(house, DINO, "SIGNON ?borgia tulip9")
    assert DINO in {seat.address for seat in house.game().seats}


def test_a_banned_domain_is_that_domain_alone() -> None:
    """Neither those below it, nor one that ends in the same letters."""
    house = House()
    house.store.banned = frozenset({"@spam.example"})

    for sender, is_out in (
        ("a@spam.example", True),
        ("a@more.spam.example", False),
        ("a@nospam.example", False),
    ):
        house.store.receive(raw_mail(sender, ["VERSION"]), sender, house.now)
        work(house)
        body = " ".join(house.mails_out()[0].body.split())
        assert ("takes no mails from your address" in body) is is_out
