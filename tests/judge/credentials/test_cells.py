"""The table of what a mail may do, cell by cell, with forged and with honest senders."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest

from machjudge.judge.credentials import TABLE, Act, Proven, Verdict
from machjudge.judge.game_settings import GameSettings
from machjudge.judge.records import GameId
from tests.judge.house import House
from tests.judge.letters_in import answer, message_to, reply, write

MARCO, LUCIA, ANNA = (f"{name}@player.example" for name in ("marco", "lucia", "anna"))
NEMO = "nemo@evil.example"
SIGNONS = {MARCO: "SIGNON VBorgia pwV", LUCIA: "SIGNON MBorgia masterkey"}


def people(house: House) -> object:
    """Everybody whose address is confirmed."""
    return {p.id: p for p in house.store.tables.persons.values() if p.is_confirmed}


def seats(house: House) -> object:
    """Who sits where."""
    games = house.store.tables.games.items()
    return {(name, s.number, s.person) for name, game in games for s in game.seats}


def wishes(house: House) -> object:
    """Whose address may be read, at seats and at those that wait."""
    game = house.game()
    return [(seat.number, seat.public) for seat in (*game.seats, *game.claims)]


def settings(house: House) -> GameSettings:
    """How the game is led."""
    return house.game().settings


@dataclass(frozen=True)
class Probe:
    """What shows whether an act is done."""

    lines: tuple[str, ...]
    changes: Callable[[House], object] | None = None
    shows: str = ""
    """What the answer shows when it is done, where nothing changes."""
    owner: str = MARCO


PROBES = {
    Act.READ: Probe(("VERSION",), shows="Games running:"),
    Act.ENTER: Probe(("OBSERVE other spy77",), seats),
    Act.SEAT: Probe(("SET PUBLIC ADDRESS",), wishes),
    Act.PLAY: Probe(("maintain A Padua",), lambda house: len(house.store.tables.order_sets)),
    Act.PERSON: Probe(("REGISTER", "Name: Doge", "END"), people),
    Act.GAMES: Probe(("LIST hidden",), shows="THE GAME HIDDEN"),
    Act.STEER: Probe(("SET QUIET",), settings, owner=LUCIA),
    Act.FINAL: Probe(("RESIGN",), seats),
}


@pytest.fixture
def house() -> House:
    """A judge that believes no From, with a game that has begun, another, and an unlisted one."""
    made = House(confirm=True)
    made.start()
    game = made.game()
    for name, listed in (("other", True), ("hidden", False)):
        changed = replace(game.settings, listed=listed)
        copy = replace(
            game, id=GameId(name), name=name, settings=changed, position=None, clock=None
        )
        made.store.tables.games[copy.id] = replace(copy, status=type(game.status).FORMING)
    return made


def is_done(house: House, probe: Probe, proven: Proven, claimed: str) -> bool:
    """True if an act is done at once for a mail with that proof and that address in From."""
    before = probe.changes(house) if probe.changes is not None else None
    lines = probe.lines
    if proven in (Proven.SENDER, Proven.BOTH):
        house.services.senders.verified = {claimed}
    if proven is Proven.UNCONFIRMED:
        write(house, claimed, "OBSERVE Borgia waits77")
        lines = ("SIGNON OBorgia waits77", *lines)
        before = probe.changes(house) if probe.changes is not None else None
    if proven in (Proven.PASSWORD, Proven.BOTH):
        lines = (SIGNONS[probe.owner], *lines)
    if proven is Proven.TOKEN:
        asked = write(house, probe.owner, SIGNONS[probe.owner])
        own = {MARCO: (), LUCIA: ("SIGNON MBorgia masterkey",)}[probe.owner]
        sent = reply(house, message_to(asked, probe.owner), *own, *lines, sender=claimed)
    else:
        sent = write(house, claimed, *lines)
    if probe.shows:
        return probe.shows in answer(sent, claimed)
    return probe.changes is not None and probe.changes(house) != before


OF_THE_ADDRESS = (Proven.SENDER, Proven.TOKEN)
"""Proofs that are of the address itself: only its owner has them."""
CLAIMS = [
    (claim, proven)
    for claim in ("stranger", "other", "owner")
    for proven in Proven
    if claim == "owner" or proven not in OF_THE_ADDRESS
]


@pytest.mark.parametrize(("claim", "proven"), CLAIMS)
@pytest.mark.parametrize("act", list(Act), ids=lambda each: each.name)
def test_cell(house: House, act: Act, claim: str, proven: Proven) -> None:
    """The verdict follows from the proof, whatever address stands in From.

    But settings of a person by a password need an address of theirs, and a verified sender is no
    further proof beside somebody else's password.
    """
    probe = PROBES[act]
    claimed = {"stranger": NEMO, "other": ANNA}.get(claim, probe.owner)
    is_own = claim == "owner"
    counts = proven if is_own or proven is not Proven.BOTH else Proven.PASSWORD
    done = TABLE[act][counts] in (Verdict.YES, *([Verdict.ON_FILE] if is_own else []))
    if (act, proven) == (Act.FINAL, Proven.UNCONFIRMED):
        done = False

    assert is_done(house, probe, proven, claimed) is done
