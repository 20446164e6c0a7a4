"""What a mail may do is one table, and the docs show the same."""

from machjudge.judge.command_table import TABLE as COMMANDS
from machjudge.judge.commands import ANYBODY, FIRST_MASTER, MASTERS
from machjudge.judge.credentials import TABLE, Act, Proven, Verdict
from tests.judge.house import ROOT

PROOFS = {
    Proven.NOTHING: "nothing",
    Proven.UNCONFIRMED: "password of an unconfirmed seat",
    Proven.PASSWORD: "password of a seat",
    Proven.TOKEN: "reply code",
    Proven.SENDER: "verified sender",
    Proven.BOTH: "password and verified sender",
}
ACTS = {
    Act.READ: "read what everybody may read",
    Act.ENTER: "join, watch, take over, create",
    Act.SEAT: "settings, password and address of the seat",
    Act.PLAY: "orders, press, diary of the seat",
    Act.PERSON: "settings of a person at all games",
    Act.GAMES: "unlisted games and data of a person",
    Act.STEER: "what the master of the game may do",
    Act.FINAL: "what cannot be taken back",
}
LONGER = {
    Verdict.ANSWERED: "when answered",
    Verdict.FRESH: "after a fresh code",
    Verdict.ON_FILE: "from an address on file",
    Verdict.OWN: "own new game",
}


def _verdict(found: Verdict) -> str:
    return LONGER.get(found, found.value)


def _docs_table() -> list[list[str]]:
    text = (ROOT / "docs" / "identity.md").read_text("utf-8")
    rows = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def test_docs_show_the_table() -> None:
    """Column for column and row for row."""
    head, _, *rows = _docs_table()

    assert head[1:] == [PROOFS[proven] for proven in Proven]
    assert rows == [[ACTS[act], *(_verdict(TABLE[act][each]) for each in Proven)] for act in Act]


def test_nothing_proven_does_nothing_but_reading_and_asking() -> None:
    """A claim alone has no yes but for what everybody may read."""
    verdicts = {act: TABLE[act][Proven.NOTHING] for act in Act}

    assert verdicts.pop(Act.READ) is Verdict.YES
    assert {verdicts.pop(Act.ENTER), verdicts.pop(Act.PERSON)} == {Verdict.ANSWERED}
    assert set(verdicts.values()) == {Verdict.NO}


def test_what_cannot_be_taken_back_is_marked() -> None:
    """Each of these ends something for somebody; a further one needs a line here."""
    final = {entry.name for entry in COMMANDS if entry.act is Act.FINAL}

    assert final == {
        *("resign", "eject", "promote", "demote", "force begin"),
        *("declare", "terminate", "process", "rollback"),
    }


def test_only_masters_steer_and_only_seats_play() -> None:
    """What is asked for fits who may ask it."""
    steering = {entry.who for entry in COMMANDS if entry.act is Act.STEER}
    playing = {entry.name for entry in COMMANDS if entry.act is Act.PLAY and entry.who == ANYBODY}

    assert steering == {MASTERS, FIRST_MASTER}
    assert playing == set()
