"""Mails with forged senders, through SMTP: what stands in From opens, shows and changes nothing.

The last test walks the table of `docs/identity.md` cell by cell.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from email.utils import format_datetime
from pathlib import Path

import pytest

from machjudge.judge.credentials import TABLE, Act, Proven, Verdict
from tests.databases import put_back, rows_of
from tests.journeys.conftest import (
    CATERINA,
    DIARY,
    FRANCESCO,
    LORENZA,
    MASTER,
    SECRET_PRESS,
    TO_MASTER,
    ask,
    at_the_small_game,
    code_address,
)
from tests.journeys.judge import JUDGE, Judge, QueuedMessage
from tests.journeys.pens import Writer, plain
from tests.mail.servers import relaying


def orders(judge: Judge) -> list[tuple[object, ...]]:
    """All order sets on file."""
    return judge.rows("SELECT power, number, lines FROM sheets ORDER BY power, number")


@pytest.mark.parametrize("victim", [CATERINA, MASTER, FRANCESCO], ids=lambda each: each.name)
def test_observing_in_somebodys_name_shows_nothing_of_theirs(believer, victim) -> None:
    """Neither press nor diary, at once or with the new password; and nobody watches."""
    asks = ("HISTORY", "DIARY LIST", "DIARY READ 1", "POSTAL LIST")
    first = ask(believer, victim, "OBSERVE borgia spy77", *asks)
    again = ask(believer, victim, "SIGNON Oborgia spy77", *asks)
    away = ask(believer, Writer("M", "mallory@evil.example", ""), "SIGNON Oborgia spy77", *asks)

    for each in (first, again, away):
        assert not [text for text in (SECRET_PRESS, TO_MASTER, DIARY) if text in each.text]
    assert not believer.rows("SELECT number FROM seats WHERE role = 'observer' AND NOT is_claim")
    assert "Somebody has used your address" in first.text


def test_open_seat_in_somebodys_name_opens_no_other_seat(believer) -> None:
    """Not the orders, not the press, and not after the first mail."""
    open_ = ask(believer, LORENZA, "SIGNON Lborgia giglio15")
    ask(believer, LORENZA, "RESIGN", to=code_address(open_))
    ask(believer, CATERINA, "SIGNON Vborgia laguna22", "G ven H")
    before = orders(believer)

    tries = ("FOR Venice", "G ven C F", "PRESS TO I", "all is lost", "ENDPRESS")
    first = ask(believer, CATERINA, "SIGNON Lborgia spy77", *tries)
    ask(believer, CATERINA, "SIGNON Lborgia spy77", *tries)
    believer.rest()

    assert "ORDERS ON FILE" not in first.text
    assert orders(believer) == before
    assert not [letter for letter in believer.letters() if "all is lost" in letter.text][2:]
    assert not [x for x in believer.letters() if x.to == FRANCESCO.address and "lost" in x.text]


def test_forged_registration_renames_nobody(believer) -> None:
    """Nor does it move their times."""
    before = believer.rows("SELECT name, zone FROM persons WHERE claimed IS NULL ORDER BY id")

    ask(believer, CATERINA, "REGISTER", "Name: Fool", "Timezone: Asia/Tokyo", "END")
    ask(believer, CATERINA, "SET TIMEZONE Asia/Tokyo")

    after = believer.rows("SELECT name, zone FROM persons WHERE claimed IS NULL ORDER BY id")
    assert after == before


def test_unlisted_game_is_shown_to_no_claim(believer) -> None:
    """Not in the list, not in full, not its people or its history."""
    ask(believer, MASTER, "SIGNON Mborgia giudice4", "SET NOLISTED")

    asks = ("LIST", "LIST borgia", "WHO borgia", "HISTORY borgia", "MAP borgia")
    shown = ask(believer, CATERINA, *asks)

    assert "THE GAME BORGIA" not in shown.text
    assert "Lorenza" not in shown.text
    assert not shown.mail.get_payload() or "MAP OF BORGIA" not in shown.text


def test_game_by_invitation_is_joined_by_no_claim(believer) -> None:
    """Nobody is told, and no seat is taken, before the invited address answers."""
    lines = ("CREATE ?sforza giudice5 1385 nomoney nodice", f"SET ALLOW PLAYER {CATERINA.address}")
    made = ask(believer, MASTER, *lines)
    ask(believer, MASTER, to=code_address(made))
    joined = ask(believer, CATERINA, "SIGNON ?sforza spy77")
    believer.rest()
    taken = "SELECT count(*) FROM seats WHERE game = 'sforza' AND role = 'player' AND NOT is_claim"
    assert believer.rows(taken) == [(0,)]
    assert not [each for each in believer.letters() if "Caterina has joined" in each.text]

    ask(believer, CATERINA, to=code_address(joined))

    assert believer.rows(taken) == [(1,)]


@pytest.mark.parametrize("field", ["From: mallory@evil.example\r\n", ""])
def test_two_senders_are_obeyed_by_neither(believer, field) -> None:
    """Two From fields, or two addresses in one."""
    before = orders(believer)
    mail = plain(CATERINA, ("SIGNON Vborgia laguna22", "G ven C F"))
    raw = field.encode() + mail.copies[0]
    if not field:
        raw = raw.replace(b"From: ", b"From: mallory@evil.example, ", 1)

    believer.send(raw, sender=CATERINA.address)

    assert "exactly one sender" in believer.answer_to(mail.id).text
    assert orders(believer) == before


# --- what a trusted host finds right ---------------------------------------------------------


@pytest.fixture
def truster(tmp_path, begun) -> Iterator[Judge]:
    """The same judge, which believes the Authentication-Results of one host."""
    judge = at_the_small_game(tmp_path, begun)
    judge.more |= {"MACHJUDGE_CONFIRM": "on", "MACHJUDGE_TRUST_RESULTS_OF": "mx.mach.example"}
    with relaying(judge.post, judge.relay_port):
        judge.serve()
        yield judge
        judge.end()


WATCHERS = "SELECT count(*) FROM seats WHERE role = 'observer' AND NOT coalesce(is_claim, FALSE)"


def vouched_for(judge: Judge, ident: str, *lines: str) -> QueuedMessage:
    """The answer to a mail of Caterina's that the host finds rightly signed."""
    head = (
        "Authentication-Results: mx.mach.example; dkim=pass header.d=players.example",
        f"From: Caterina <{CATERINA.address}>",
        f"To: {JUDGE}",
        f"Date: {format_datetime(judge.clock())}",
        f"Message-ID: {ident}",
        "Content-Type: text/plain",
    )
    earlier = len(judge.answers_to(ident))
    judge.send("\n".join([*head, "", *lines, ""]).encode(), sender=CATERINA.address)
    judge.rest()
    return judge.answers_to(ident)[earlier]


def test_a_signed_mail_counts_once(truster) -> None:
    """One of the same Message-ID proves nothing, whatever a server says of it."""
    vouched_for(truster, "<1@players.example>", "VERSION")
    again = vouched_for(truster, "<1@players.example>", "OBSERVE borgia spy77")
    assert truster.rows(WATCHERS) == [(0,)]
    assert "Somebody has used your address" in again.text

    vouched_for(truster, "<2@players.example>", "OBSERVE borgia spy78")
    assert truster.rows(WATCHERS) == [(1,)]


def test_a_private_mail_that_its_reader_hands_in_proves_nothing(truster) -> None:
    """It is rightly signed, and was no mail to the judge: Eve has put another type on top."""
    raw = (Path(__file__).parents[1] / "mail" / "dkim_replay.eml").read_bytes()
    field = b"Authentication-Results: mx.mach.example; dkim=pass header.d=p.example\n"
    truster.send(field + raw, sender="eve@evil.example")
    truster.rest()

    (told,) = [letter for letter in truster.letters() if letter.to == "v@p.example"]
    assert truster.rows(WATCHERS) == [(0,)]
    assert "confirm your address" in told.text


# --- the table, cell by cell -----------------------------------------------------------------


@dataclass(frozen=True)
class Probe:
    """What shows whether an act is done."""

    lines: tuple[str, ...]
    question: str = ""
    """Of the database; the act is done when its answer changes."""
    shows: str = ""
    """Or what the answer shows then."""
    seat: Writer = CATERINA


_CONFIRMED = "SELECT name, zone FROM persons WHERE claimed IS NULL ORDER BY id"
_SEATED = "SELECT game, number, person FROM seats WHERE NOT coalesce(is_claim, FALSE) ORDER BY 1, 2"
PROBES = {
    Act.READ: Probe(("VERSION",), shows="Games running:"),
    Act.ENTER: Probe(("OBSERVE other spy77",), _SEATED),
    Act.SEAT: Probe(
        ("SET PUBLIC ADDRESS",), "SELECT game, number, public FROM seats ORDER BY 1, 2"
    ),
    Act.PLAY: Probe(("G ven H",), "SELECT power, number FROM sheets ORDER BY 1, 2"),
    Act.PERSON: Probe(("REGISTER", "Name: Doge", "END"), _CONFIRMED),
    Act.GAMES: Probe(("LIST hidden",), shows="THE GAME HIDDEN"),
    Act.STEER: Probe(("SET QUIET",), "SELECT conduct FROM games WHERE id = 'borgia'", "", MASTER),
    Act.FINAL: Probe(("RESIGN",), _SEATED),
}
SIGNONS = {CATERINA: "SIGNON Vborgia laguna22", MASTER: "SIGNON Mborgia giudice4"}


def games(judge: Judge) -> None:
    """Another game to enter, and an unlisted one of Caterina's."""
    for name, writer, words in (("other", FRANCESCO, ""), ("hidden", CATERINA, "private")):
        made = ask(judge, writer, f"CREATE ?{name} tulip9 1385 {words}".rstrip())
        ask(judge, writer, to=code_address(made))


def is_done(judge: Judge, act: Act, proven: Proven, claimed: Writer) -> bool:
    """True if an act is done at once for a mail with that proof and that address in From."""
    probe = PROBES[act]
    to = JUDGE
    lines = probe.lines
    if proven is Proven.PASSWORD:
        lines = (SIGNONS[probe.seat], *lines)
    if proven is Proven.UNCONFIRMED:
        lines = ("SIGNON Oborgia waits77", *lines)
    if proven is Proven.TOKEN:
        to = code_address(ask(judge, probe.seat, SIGNONS[probe.seat]))
    before = judge.rows(probe.question) if probe.question else []
    answer = ask(judge, claimed, *lines, to=to)
    if probe.shows:
        return probe.shows in answer.text
    return judge.rows(probe.question) != before


@pytest.mark.parametrize("claim", ["a stranger", "somebody else", "the owner"])
def test_table_holds_for_every_claim_and_proof(believer, claim) -> None:
    """What a mail may do follows from what it proves, whatever address stands in From.

    Only settings of a person by a password need an address on file there.
    """
    games(believer)
    believer.rest()
    stranger = Writer("Nemo", "nemo@evil.example", "")
    proofs = [Proven.NOTHING, Proven.UNCONFIRMED, Proven.PASSWORD, Proven.TOKEN]
    found: dict[tuple[Act, Proven], bool] = {}
    engine = believer.application.engine
    before = rows_of(engine)
    for proven in proofs:
        for act, probe in PROBES.items():
            claimed = {"a stranger": stranger, "somebody else": LORENZA}.get(claim, probe.seat)
            if proven is Proven.UNCONFIRMED:
                ask(believer, claimed, "OBSERVE borgia waits77")
            found[act, proven] = is_done(believer, act, proven, claimed)
            believer.rest()
            put_back(engine, before)

    done = {Verdict.YES, *([Verdict.ON_FILE] if claim == "the owner" else [])}
    expected = {(act, proven): TABLE[act][proven] in done for act, proven in found}
    # A reply code from a foreign address may have been quoted to its sender.
    expected[Act.FINAL, Proven.TOKEN] = claim == "the owner"
    assert found == expected
