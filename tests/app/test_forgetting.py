"""Nothing that a judge keeps, shows or copies names somebody who was forgotten."""

import re
from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path

import pytest

from machjudge.db.engine import is_sqlite
from machjudge.db.maintenance import copy
from machjudge.judge.archive import export
from machjudge.judge.records import GameId
from tests.app.table import HOLDS, PLAYERS, Table

ADDRESS, SECOND = "quinzia@example.com", "rossellini@example.org"
TRACE = re.compile("quinzia|rossellini", re.IGNORECASE)


def lead(table: Table) -> None:
    """Games in which Quinzia Rossellini does all that leaves traces."""
    table.say("quinzia", "REGISTER", "Name: Quinzia Rossellini", "Language: it", "END")
    table.say("lucia", "CREATE ?borgia pwlucia 1385 nomoney nodice")
    table.say("sofia", "OBSERVE borgia pwsofia")
    names = ["quinzia", *PLAYERS[1:]]
    for name in names:
        table.say(name, f"SIGNON ?borgia pw{name}", "SET NEWSPAPER ON")
    with table.application.store.reading() as uow:
        leads = {
            power: seat.address.partition("@")[0]
            for seat in uow.games.get(GameId("borgia")).seats
            for power in seat.powers
        }
    (own,) = [power for power, name in leads.items() if name == "quinzia"]
    (other, *_) = [power for power, name in leads.items() if name != "quinzia"]
    hers, theirs = f"SIGNON {own}borgia pwquinzia", f"SIGNON {other}borgia pw{leads[other]}"
    master = "SIGNON Mborgia pwlucia"
    for line in (
        "DIARY\nSono Quinzia Rossellini.\nENDDIARY",
        "OFFER SUBSTITUTE",
        f"PRESS TO {other}\nSigned, Quinzia\nRossellini.\nENDPRESS",
        "SET ABSENCE 1 Dec - 3 Dec",
        f"OFFER {other}: vote draw FOR vote draw",
        f"SET ADDRESS {SECOND}",
        "\n".join(HOLDS[own]),
    ):
        table.say("quinzia", hers, *line.split("\n"))
    table.say(leads[other], theirs, "DIARY", "Quinzia Rossellini lies.", "ENDDIARY")
    table.say(leads[other], theirs, f"PRESS TO {own}", "Dear Quinzia Rossellini,", "ENDPRESS")
    table.say("lucia", master, f"SET DENY PLAYER {SECOND}", "WHO", "LIST", "HISTORY", "GET LOG")
    table.say("lucia", master, f"EJECT {own}")
    table.say("lucia", master, f"REINSTATE {own}")
    table.say("stranger", "INFO PLAYER Quinzia Rossellini")
    table.say("quinzia", f"SIGNON {own}borgia wrong")
    table.say("quinzia", "CREATE ?prova pwq PRACTICE")
    table.say("quinzia", "SIGNON Mprova pwq", "TERMINATE")
    table.say("lucia", master, "TERMINATE")
    table.post()
    table.clock.now += timedelta(days=8)
    for _ in range(2):
        table.tick()
        table.clock.now += timedelta(minutes=10)
    table.say("quinzia", "LIST")


def forget(table: Table) -> None:
    """Quinzia asks to be forgotten, and reads that it was done."""
    table.say("quinzia", "FORGET ME")
    asked = next(each.body for each in table.post() if "CONFIRM " in each.body)
    table.say("quinzia", re.search(r"CONFIRM \w{12,}", asked)[0])
    told = table.post()
    assert [each.to for each in told if "non ti conosce" in each.body] == [ADDRESS], told


def traces(texts: Iterable[object]) -> list[str]:
    """What stands around each trace."""
    shown = (repr(each) for each in texts)
    return [one[max(0, found.start() - 90) : found.end() + 40]
            for one in shown for found in TRACE.finditer(one)]  # fmt: skip


@pytest.fixture
def table(lay) -> Table:
    """A judge without games."""
    return lay()


def test_no_table_names_anyone_who_was_forgotten(table) -> None:
    """Logs in each language, press, diaries, kept mails and messages, lists, counts, tokens."""
    lead(table)
    rows = [(name, row) for name, found in table.dump().items() for row in found]
    before = {name for name, row in rows if TRACE.search(repr(row))}
    forget(table)

    assert before >= {"persons", "addresses", "seats", "games", "notices", "press", "notes",
                      "inbox", "outbox", "counts"}  # fmt: skip
    assert traces((name, row) for name, found in table.dump().items() for row in found) == []


def test_what_others_ask_for_then_names_nobody(table, tmp_path) -> None:
    """Listings, the log in each language, the file of the game, and a backup, byte for byte."""
    lead(table)
    forget(table)
    table.say("lucia", "SIGNON Mborgia pwlucia", "WHO", "LIST", "HISTORY", "GET LOG", "STATS")
    shown = [(each.subject, each.body, each.layout, each.attachments) for each in table.post()]
    with table.application.store.reading() as uow:
        log = [(each.text, each.translations) for each in uow.notices.all_of(GameId("borgia"))]
    chronicle = export(table.application.services, GameId("borgia"))

    assert any("(forgotten)" in text for text, _ in log)
    assert any("(dimenticato)" in (others or {}).get("it", "") for _, others in log)
    assert "(forgotten)" in str(shown)
    assert traces([*shown, *log, chronicle]) == []
    if is_sqlite(table.application.engine):
        copy(Path(str(table.application.engine.url.database)), tmp_path / "backup.db")
        assert TRACE.search((tmp_path / "backup.db").read_bytes().decode("latin-1")) is None


def test_a_list_of_the_invited_does_not_become_empty(table) -> None:
    """Else anybody might join: the forgotten person's token stands in the address's place."""
    table.say("quinzia", "REGISTER", "Name: Quinzia", "Language: it", "END")
    table.say("lucia", "CREATE ?borgia pwlucia 1385 nomoney nodice")
    table.say("lucia", "SIGNON Mborgia pwlucia", f"SET ALLOW PLAYER {ADDRESS}")
    table.post()
    forget(table)
    table.say("pia", "SIGNON ?borgia pwpia")

    (told, *_) = [each for each in table.post() if each.to == "pia@example.com"]
    assert "invit" in told.body
    with table.application.store.reading() as uow:
        settings = uow.games.get(GameId("borgia")).settings
    assert (settings.allowed, len(settings.invited)) == ((), 1)


def test_a_message_that_waits_goes_out_with_the_name_and_is_emptied_then(table) -> None:
    """What a reader was promised is sent as it was written."""
    lead(table)
    table.say("lucia", "SIGNON Mborgia pwlucia", "WHO")
    table.say("quinzia", "FORGET ME")
    table.say("quinzia", re.search(r"CONFIRM \w{12,}", repr(table.dump()["outbox"]))[0])
    sent = table.post()

    assert any("Quinzia Rossellini" in each.body for each in sent if each.to == "lucia@example.com")
    assert traces(table.dump()["outbox"]) == []


@pytest.mark.parametrize("name", ["hold", "hold your", "Florence Pisa"])
def test_a_name_spoils_no_text_of_others(table, name) -> None:
    """Of one word, or small: it may stand in any sentence; nor any other in games of others."""
    table.say("lucia", "CREATE ?borgia pwlucia 1385 nomoney nodice")
    table.say(
        "lucia", "SIGNON Mborgia pwlucia", "PRESS TO M", "hold your Florence Pisa", "ENDPRESS"
    )
    table.say("quinzia", "REGISTER", f"Name: {name}", "Language: it", "END")
    table.post()
    before = [row for row in table.dump()["outbox"] if "lucia@example.com" in repr(row)]
    forget(table)

    assert before
    after = table.dump()["outbox"]
    assert [row for row in after if "lucia@example.com" in repr(row)] == before
