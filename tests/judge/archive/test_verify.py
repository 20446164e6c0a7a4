"""Checking games: what holds, and that nothing which was changed goes unnoticed."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from machjudge.adjudicator.dice import SecretDice, Throw, commitment
from machjudge.adjudicator.events import DiceThrown, TreasuryCorrected
from machjudge.adjudicator.evolve import evolve_all
from machjudge.adjudicator.names import PowerId
from machjudge.formats.game_file import (
    HOW,
    Chronicle,
    ChronicleEntry,
    chronicle_lines,
    read_chronicle,
)
from machjudge.formats.values import Unfit
from machjudge.judge.archive import (
    Finding,
    NotFinished,
    chronicle_of,
    export,
    replay,
    scenario_of,
    verify,
)
from machjudge.judge.records import End, GameId, Status
from tests.games import chronicles
from tests.games.chronicles import VERSION
from tests.games.game import Deal, atlas
from tests.games.variations import with_everything
from tests.judge.house import House, built_once, message_renderer, started
from tests.judge.year import OPENING, SPRING, play

BORGIA = GameId("borgia")
EVERYTHING_ON = Deal("1454", 4, chosen=with_everything())


@cache
def game(phases: int = 12, words: tuple[str, ...] | None = None) -> Chronicle:
    """Phases of a random game with everything on: two years and a half."""
    return chronicles.chronicle_of(EVERYTHING_ON, phases, words)


@cache
def text() -> bytes:
    """A short game as a file."""
    return "\n".join(chronicle_lines(game(4))).encode()


def found(chronicle: Chronicle, version: str = VERSION) -> dict[str, Finding]:
    """The findings about a game, by what they are about."""
    scenario = scenario_of(chronicle, atlas())
    say = message_renderer().say
    findings = verify(chronicle, scenario, version)
    return {each.what: replace(each, says=say(each.says)) for each in findings}


def wrong(chronicle: Chronicle, version: str = VERSION) -> list[str]:
    """What does not hold."""
    return [what for what, finding in found(chronicle, version).items() if not finding.holds]


def with_phase(chronicle: Chronicle, index: int, **changes: object) -> Chronicle:
    """The game with one of its phases changed."""
    phases = list(chronicle.phases)
    phases[index] = replace(phases[index], **changes)
    return replace(chronicle, phases=tuple(phases))


# --- what holds ------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", atlas().scenario_ids())
def test_a_game_that_was_played_holds(scenario: str) -> None:
    """Of every scenario, written to a file and read again."""
    played = chronicles.chronicle_of(Deal(scenario, 4, chosen=with_everything()), 8)
    file = "\n".join(chronicle_lines(played)).encode()

    again = read_chronicle(file)

    assert again == played
    assert wrong(again) == []


def test_a_file_of_version_1_is_read_and_holds() -> None:
    """It tells neither how the game ended nor when it was played; its seal is the same."""
    old = read_chronicle(chronicles.first_version(game(4)))

    assert (old.end, {entry.played for entry in old.phases}) == (None, {None})
    assert wrong(old) == []
    assert old.seal == read_chronicle(text()).seal
    said = {**json.loads(chronicles.first_version(game(4))), "end": None}
    with pytest.raises(Unfit, match="there is no such field"):
        read_chronicle(json.dumps(said).encode())


@pytest.mark.parametrize(
    ("end", "says"),
    [
        ({"how": "luck"}, 'end.how: "luck" is none of victory, draw, '),
        ({"winners": []}, "end.winners: somebody has won, unless the game was terminated"),
        ({"how": "terminated"}, "end.winners: somebody has won, unless the game was terminated"),
        ({"at": "2026-11-20T12:30:00"}, "end.at: .* stands where an instant in UTC"),
        ({"at": "2026-11-20T12:30:00+01:00"}, "end.at: .* stands where an instant in UTC"),
        ({"at": "0001-01-01T00:00:00Z"}, "end.at: .* stands where an instant in UTC"),
        ({"at": "yesterday"}, "end.at: .* stands where an instant in UTC"),
        ({"by_vote": 1}, "end.by_vote: the number 1 stands where true or false"),
        ({"by": "me"}, "end.by: there is no such field"),
    ],
)
def test_an_end_that_is_none_is_told(end: dict[str, object], says: str) -> None:
    """With the way to the fault."""
    said = json.loads(text())
    said["end"] |= end

    with pytest.raises(Unfit, match=says):
        read_chronicle(json.dumps(said).encode())


def test_ends_are_those_of_the_judge() -> None:
    """Each by the word for it."""
    assert set(HOW) == {end.value for end in End}


def test_findings_say_what_was_found() -> None:
    """In few words, with the figures."""
    findings = found(game())
    throws = sum(len(entry.dice) for entry in game().phases)

    assert findings["secret"].says == f"its SHA-256 is {commitment(game().secret)}"
    assert findings["phases"].says == f"12, from F1453B to {game().phases[-1].moment}"
    assert findings["dice"].says == f"{throws} throws, all from the secret"
    assert throws > 20


def test_shared_dice_follow_from_the_words() -> None:
    """With the words all is well; with one more, or without them, the dice are wrong."""
    shared = game(6, ("tulip", "Càrdinal"))

    assert wrong(shared) == []
    assert found(shared)["dice"].says.endswith("all from the secret and 2 words of the players")
    for words in (None, (), ("Càrdinal", "tulip"), ("tulip", "Càrdinal", "more")):
        assert "dice" in wrong(replace(shared, words=words))


def test_a_rollback_keeps_what_was_rolled_back() -> None:
    """A phase that is played again goes on from an earlier one, with the same dice."""
    phases = game(6).phases
    again = replace(phases[4], number=6)
    rolled_back = replace(game(6), phases=(*phases, again), last=6)

    assert wrong(rolled_back) == []
    assert again.dice == phases[4].dice


def corrected(index: int) -> Chronicle:
    """The game up to a phase, after which the master makes Venice rich."""
    fix = TreasuryCorrected(PowerId("V"), 99, "a slip")
    entry = game(6).phases[index]
    by_hand = replace(
        entry,
        number=index + 1,
        parent=index,
        moment=entry.after.moment.code,
        before=entry.after,
        orders={},
        dice=(),
        events=(fix,),
        after=evolve_all(entry.after, (fix,)),
    )
    return replace(game(6), phases=(*game(6).phases[: index + 1], by_hand), last=index + 1)


def test_what_the_master_set_right_is_told() -> None:
    """It follows from nothing, so the person who checks must see it; it breaks nothing."""
    chronicle = corrected(3)
    moment = chronicle.phases[-1].moment

    assert wrong(chronicle) == []
    assert found(chronicle)["by-hand"].says == (
        f"the master has set right 1 thing: phase 4 ({moment})"
    )
    assert "by-hand" not in found(game(6))


def test_an_opening_cannot_be_a_correction() -> None:
    """Nothing but the set-up and its income is a beginning."""
    fix = TreasuryCorrected(PowerId("V"), 99, "a gift")
    start = game(4).phases[0]
    forged = replace(start, dice=(), events=(fix,), after=evolve_all(start.before, (fix,)))

    assert wrong(replace(game(4), phases=(forged,), last=0)) == ["orders"]


# --- what does not hold ----------------------------------------------------------------------


def other_dice(entry: ChronicleEntry) -> ChronicleEntry:
    """The same phase with another number on its first die, wherever it is told."""
    first = entry.dice[0]
    other = replace(first, dice=(first.dice[0] % 6 + 1, *first.dice[1:]))
    events = tuple(other if event == first else event for event in entry.events)
    return replace(entry, dice=(other, *entry.dice[1:]), events=events)


def test_a_loaded_die_is_found_and_named() -> None:
    """With its phase, its purpose, and what it should be."""
    index, entry = next((i, e) for i, e in enumerate(game().phases) if i and e.dice)
    loaded = other_dice(entry)
    phases = (*game().phases[:index], loaded, *game().phases[index + 1 :])

    findings = found(replace(game(), phases=phases))

    die = entry.dice[0]
    assert not findings["dice"].holds
    for part in (f"phase {index} ({entry.moment})", die.purpose, ",".join(map(str, die.dice))):
        assert part in findings["dice"].says


def test_another_secret_fits_neither_commitment_nor_dice() -> None:
    """Anyone who changes the one must change the others."""
    other = replace(game(), secret=bytes(32))

    assert wrong(other) == ["secret", "dice", "orders"]
    assert "dice" in wrong(replace(other, commitment=commitment(bytes(32))))


def test_a_die_nobody_had_to_throw_is_found() -> None:
    """Right by the secret, but the orders do not ask for it."""
    entry = game().phases[1]
    throw = Throw("storm row", 2)
    more = DiceThrown(throw.purpose, SecretDice(game().key, entry.moment).roll(throw))
    padded = with_phase(game(), 1, dice=(more, *entry.dice), events=(more, *entry.events))

    assert wrong(padded) == ["orders"]


def test_dice_beside_the_events_are_found() -> None:
    """The list of a phase is the dice among its events."""
    index = next(i for i, entry in enumerate(game().phases) if entry.dice)

    assert wrong(with_phase(game(), index, dice=())) == ["dice"]


def test_a_ducat_more_is_found_where_it_appears() -> None:
    """In a position before or after: neither fits its neighbours any more."""
    entry = game().phases[2]
    richer = replace(entry.after, treasuries={**entry.after.treasuries, "V": 99})

    findings = found(with_phase(game(), 2, after=richer))

    assert not findings["events"].holds
    assert "phase 2" in findings["events"].says
    assert "phase 3" in findings["starts"].says


def test_another_set_up_is_found() -> None:
    """The opening starts from the scenario, not from what the file says."""
    opening = game().phases[0]
    fewer = replace(opening.before, field=dict(list(opening.before.field.items())[1:]))

    assert "starts" in wrong(with_phase(game(), 0, before=fewer))


def test_another_order_is_found() -> None:
    """Its result is not the one that is told."""
    index = next(i for i, entry in enumerate(game().phases) if entry.moment == "S1454M")
    orders = dict(game().phases[index].orders)
    del orders[min(orders)]

    assert wrong(with_phase(game(), index, orders=orders)) == ["orders"]


def test_an_order_that_cannot_be_read_is_told() -> None:
    """As a fault of the file, not as a traceback."""
    index = next(i for i, entry in enumerate(game().phases) if entry.orders)
    orders = dict(game().phases[index].orders)
    power = min(orders)
    orders[power] = (replace(orders[power][0], canonical="A xyz - abc"),)

    findings = found(with_phase(game(), index, orders=orders))

    assert "cannot be read" in findings["orders"].says


def test_phases_of_other_versions_are_told_not_blamed() -> None:
    """Mended rules break no old game; dice and positions are checked all the same."""
    index = next(i for i, entry in enumerate(game().phases) if entry.moment == "S1454M")
    older = with_phase(game(), index, orders={}, adjudicator="0.5")

    findings = found(older)

    assert wrong(older) == []
    assert findings["orders"].says.endswith(
        f"; 1 phase of other versions, 1 would come out otherwise now, first phase {index} "
        "(S1454M) of 0.5"
    )
    assert "dice" in wrong(replace(older, words=("tulip",)))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda c: replace(c, phases=()), "there are none"),
        (lambda c: replace(c, phases=c.phases[::-1]), "they are not numbered in their order"),
        (lambda c: replace(c, phases=c.phases[1:]), "goes on from nothing, or is no opening"),
        (lambda c: replace(c, last=99), "there is no last phase 99"),
        (lambda c: replace(c, last=None), "there is no last phase None"),
        (lambda c: with_phase(c, 3, parent=None), "phase 3 (U1454M) goes on from nothing"),
    ],
)
def test_phases_must_hang_together(change: Callable[[Chronicle], Chronicle], says: str) -> None:
    """A first one that is the opening, numbers that go up, a last one that is there."""
    finding = found(change(game(4)))["phases"]

    assert not finding.holds
    assert says in finding.says


# --- whatever the file holds -----------------------------------------------------------------

CHECKED = ("commitment", "secret", "number", "parent", "before", "after", "dice", "events")
"""Fields in which no change can go unnoticed."""


def places(value: Any, path: tuple = ()) -> Iterator[tuple]:
    """The way to every value of a document."""
    yield path
    if isinstance(value, dict):
        for key, item in value.items():
            yield from places(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from places(item, (*path, index))


@cache
def all_places() -> tuple[tuple, ...]:
    """Every place in the short game's document but the whole."""
    return tuple(places(json.loads(text())))[1:]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=6,
)


@st.composite
def changed_documents(draw: st.DrawFn) -> tuple[tuple, Any]:
    """A place of the document, and the document with something else there, or nothing."""
    document = json.loads(text())
    path = draw(st.sampled_from(all_places()))
    parent = document
    for step in path[:-1]:
        parent = parent[step]
    match draw(st.sampled_from(("other", "gone", "near", "copied"))):
        case "other":
            parent[path[-1]] = draw(JSON)
        case "gone":
            del parent[path[-1]]
        case "near":
            parent[path[-1]] = near(parent[path[-1]], draw)
        case "copied":
            other = draw(st.sampled_from(all_places()))
            value = json.loads(text())
            for step in other:
                value = value[step]
            parent[path[-1]] = value
    return path, document


def near(value: Any, draw: st.DrawFn) -> Any:
    """Something of the same kind, a little different."""
    match value:
        case bool():
            return not value
        case int():
            return value + draw(st.integers(-3, 3))
        case str() if value:
            at = draw(st.integers(0, len(value) - 1))
            return value[:at] + draw(st.characters(codec="utf-8")) + value[at + 1 :]
        case list() if value:
            return draw(st.permutations(value))
        case _:
            return value


def outcome(content: bytes) -> Chronicle | str:
    """The game, or why it cannot be read."""
    try:
        return read_chronicle(content)
    except Unfit as unfit:
        return unfit.says


@settings(max_examples=100)
@given(changed_documents())
def test_no_change_goes_unnoticed(changed: tuple[tuple, Any]) -> None:
    """A document is broken, or does not hold, or says the same; there is never a traceback."""
    path, document = changed
    assume(document["scenario"] == "1454" if isinstance(document.get("scenario"), str) else True)

    read = outcome(json.dumps(document).encode())

    if isinstance(read, Chronicle):
        flaws = wrong(read)
        assert flaws or read == game(4) or not any(step in CHECKED for step in path)
    else:
        assert read


@settings(max_examples=100)
@given(st.data())
def test_no_bytes_bring_a_traceback(data: st.DataObject) -> None:
    """A file cut short, or with other bytes in it, is broken or says what holds."""
    content = bytearray(text())
    at = data.draw(st.integers(0, len(content) - 1))
    match data.draw(st.sampled_from(("cut", "put", "lost"))):
        case "cut":
            content = content[:at]
        case "put":
            content[at : at + 1] = data.draw(st.binary(max_size=4))
        case "lost":
            del content[at : at + data.draw(st.integers(1, 400))]

    read = outcome(bytes(content))

    assert read
    if isinstance(read, Chronicle) and read.scenario == "1454":
        wrong(read)


# --- at the desk -----------------------------------------------------------------------------


@built_once
def played() -> House:
    """A game of 1454 in its first summer."""
    house = started()
    play(house, OPENING)
    play(house, SPRING)
    return house


def test_a_game_that_goes_on_is_not_exported() -> None:
    """Its secret must not leave; only a finished one is written."""
    house = played()

    assert export(house.services, BORGIA) == NotFinished("Borgia")
    assert export(house.services, GameId("nothing")) is None


def test_a_finished_game_is_exported_as_it_is_stored() -> None:
    """Every stored phase, the lines as they were written, and those that the judge wrote."""
    house = played()
    games = house.store.tables.games
    games[BORGIA] = replace(games[BORGIA], status=Status.FINISHED)

    chronicle = export(house.services, BORGIA)

    assert isinstance(chronicle, Chronicle)
    assert [entry.moment for entry in chronicle.phases] == ["F1453B", "F1453B", "S1454M"]
    assert chronicle.phases[1].orders["L"][0].written == "maintain A are"
    assert chronicle.last == 2
    assert wrong(chronicle, house.services.judge.version) == []


def test_replay_and_verify_see_the_same() -> None:
    """One way to check, for a game in the database and for a file."""
    house = played()
    chronicle = chronicle_of(house.services, BORGIA)
    checked = replay(house.services, BORGIA)

    assert chronicle is not None
    assert checked is not None
    assert [check.number for check in checked] == [0, 1, 2]
    assert all(check.is_kept and check.plays_again for check in checked)
    assert wrong(chronicle, house.services.judge.version) == []
