"""Fog of war: what each reader learns of units, in every message that there is (area FOG)."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from machjudge.adjudicator.moments import read_moment
from machjudge.adjudicator.names import NO_COAST, PowerId
from machjudge.adjudicator.state import State
from machjudge.adjudicator.units import Kind, Unit
from machjudge.adjudicator.world import World
from machjudge.judge.game_settings import Fog
from machjudge.judge.mails import Outgoing
from machjudge.judge.outgoing import sight_of, view_for_power
from machjudge.judge.records import Status
from machjudge.messages.visibility import Sight
from tests.cases import cases
from tests.judge.house import House
from tests.judge.letters_in import write
from tests.judge.riches import position, springtime
from tests.judge.year import OPENING, SPRING, address_of, order, play

FLORENCE, NAPLES = PowerId("L"), PowerId("N")
STRANGER = "dino@elsewhere.example"
HIDDEN = ("F Naples", "A Messina", "A Hungary", "F Marseille", "G Venice")
"""The units of the set-up that can meet nobody, as messages write them."""
WINTER: Mapping[str, tuple[str, ...]] = {
    **OPENING,
    "I": OPENING["I"][:3],
    "V": (*OPENING["V"][:3], "maintain G ven"),
    "N": (*OPENING["N"][:1], "maintain F nap", "maintain F pal", "remove A mes", "build G bar"),
}
"""Orders for an adjustment with those units: Naples gives one up, and raises a hidden garrison."""


def foggy(when: str = "S1455M", fog: Fog = Fog.KARTTUNEN) -> House:
    """The units of the set-up a year later, in a game with fog."""
    house = springtime("nodice")
    house.change_settings(fog=fog)
    position(house, moment=read_moment(when))
    return house


def body(letters: Sequence[Outgoing], to: str) -> str:
    """All that went to an address, with what is attached."""
    return "\n".join(
        "\n".join([each.body, *(file.content.decode() for file in each.attachments)])
        for each in letters
        if each.to == to
    )


def ask(house: House, power: str, *lines: str) -> str:
    """What a player is answered; a stranger without a power."""
    if not power:
        return body(write(house, STRANGER, *lines), STRANGER)
    who = address_of(house, power)
    return body(write(house, who, f"SIGNON {power}borgia pw{power}", *lines), who)


def named(text: str) -> set[str]:
    """Which of the hidden units a text names."""
    flat = " ".join(text.split())
    return {unit for unit in HIDDEN if unit in flat}


OWN = {"N": {"F Naples", "A Messina"}, "A": {"A Hungary"}, "F": {"F Marseille"}, "V": {"G Venice"}}


@pytest.mark.parametrize("power", ["", *"IVLPNTAF"])
@pytest.mark.parametrize("line", ["LIST borgia", "GET MAP borgia TEXT", "LIST FULL"])
def test_fog_02_anyone_who_asks_reads_of_their_own_units_and_those_in_contact(
    line: str, power: str
) -> None:
    """In the listing and the map in words; who does not play reads of the latter only."""
    text = ask(foggy(), power, line).replace("Army", "A").replace("Fleet", "F")
    seen = named(_in_letters(text))

    assert seen == OWN.get(power, set())
    assert "Fog of war: others may stand unseen." in text


def _in_letters(text: str) -> str:
    """The map in words as the listing names units: it has a sentence for each place."""
    found = text
    for unit in HIDDEN:
        kind, place = unit.split()
        word = {"A": "an A", "F": "a F", "G": "a garrison"}[kind]
        for row in text.split("\n"):
            if row.lstrip().startswith(place) and word.lower() in row.lower():
                found += f"\n{unit}"
    return found


def test_fog_02_the_drawn_map_shows_no_hidden_unit() -> None:
    """Nor a mark where one stands; its own player sees it."""
    house = foggy()
    everybody = foggy(fog=Fog.OFF)
    drawn = {power: ask(house, power, "GET MAP SVG borgia") for power in ["", "L", "N"]}
    all_drawn = ask(everybody, "L", "GET MAP SVG borgia")

    assert _units(drawn[""]) == _units(drawn["L"]) == _units(all_drawn) - len(HIDDEN)
    assert _units(drawn["N"]) == _units(drawn["L"]) + len(OWN["N"])


def _units(svg: str) -> int:
    """How many units a picture shows."""
    return svg.count('class="unit')


@pytest.mark.parametrize("power", ["", *"IVLPNTAF"])
def test_fog_05_results_of_an_adjustment_tell_of_the_units_that_the_reader_sees(
    power: str,
) -> None:
    """Builds, upkeep and removals, the list of what is seen, and the history."""
    house = foggy("F1454B")
    sent = play(house, WINTER)
    assert house.view().state.moment.code == "S1455M"
    history = ask(house, power, "HISTORY borgia").partition("F1454B: results")[2]
    read = body(sent, address_of(house, power)) if power else history
    hidden = (set(HIDDEN) | {"G Bari"}) - {"A Messina"}
    flat = " ".join(read.split())
    own = (OWN.get(power, set()) | ({"G Bari"} if power == "N" else set())) - {"A Messina"}

    assert {unit for unit in hidden if unit in flat} == own
    assert {unit for unit in hidden if unit in " ".join(history.split())} == own
    assert ("A Messina" in flat) is (power == "N")
    assert "UNITS THAT YOU SEE" in flat
    assert ("builds G Bari" in flat) is (power == "N")


def test_fog_05_what_others_wanted_of_hidden_units_is_not_told() -> None:
    """That a build failed tells of plans; its own player reads it."""
    house = foggy("F1454B")
    position(house, treasuries={**house.view().state.treasuries, NAPLES: 3})
    sent = play(house, WINTER)

    assert "Naples" in body(sent, address_of(house, "N"))
    assert "cannot" not in body(sent, address_of(house, "L"))
    assert "cannot" in body(sent, address_of(house, "N"))


def test_fog_06_the_results_of_the_campaign_tell_of_all_units() -> None:
    """And the history then has the adjustment in full."""
    house = foggy("F1454B")
    play(house, WINTER)
    orders = dict(SPRING)
    orders |= {"I": orders["I"][:3], "N": ("A bar h", "F nap h", "F pal h", "G bar h")}
    sent = play(house, {**orders, "V": ("A pad h", "A ver h", "F dal h", "G ven h")})

    assert house.view().state.moment.code == "U1455M"
    told = body(sent, address_of(house, "L"))
    assert "F Naples" in told
    assert "G Bari" in told
    assert "G Bari" in ask(house, "", "LIST borgia")
    assert "builds G Bari" in ask(house, "", "HISTORY borgia")


def test_fog_06_when_the_game_is_over_nothing_is_hidden() -> None:
    """Everybody may see how it ended."""
    view = foggy().view()
    over = sight_of(replace(view.game, status=Status.FINISHED), [])

    assert _seen(view.world, view.state, over) == len(list(view.state.units()))


def test_fog_07_a_master_who_does_not_play_sees_all_units() -> None:
    """One who plays sees as a player does, and so does anyone who watches or is eliminated."""
    view = foggy().view()
    plays = Sight(frozenset({FLORENCE}), is_master=True, plays=True, foggy=True)
    master, watches = Sight(is_master=True, foggy=True), Sight(foggy=True)

    everything = len(list(view.state.units()))
    assert _seen(view.world, view.state, master) == everything
    assert _seen(view.world, view.state, plays) == everything - len(HIDDEN)
    assert _seen(view.world, view.state, watches) == everything - len(HIDDEN)


def _seen(world: World, state: State, sight: Sight) -> int:
    return len(list(sight.view(world, state).units()))


@cases
def test_fog_07_a_correction_tells_of_units_that_the_reader_sees(
    line: str, whom: str, unseen: bool
) -> None:
    """Others read that something was corrected, and why."""
    house = foggy()
    master = address_of(house, "I")
    sent = write(house, master, "SIGNON Mborgia masterkey", line)
    told = body(sent, address_of(house, whom))

    assert "slip" in told
    assert ("A unit that you do not see was corrected" in told) is unseen
    assert ("Naples" in told or "Florence" in told) is not unseen
    file = json.loads("{" + ask(house, whom, "GET EXPORT").partition("\n{")[2])
    assert (file["phases"][-1]["events"] == []) is unseen


ORDERS = (
    "F nap h",
    "A nap h",
    "nap h",
    "F mar - wgl",
    "G ven c a",
    "A flo s mes - are",
    "A flo s N mes - are",
    "F psa c A mes - pio",
    "expense 1: 12 ducats disband F nap",
    "expense 2: 12 ducats buy A hun",
    "expense 3: 9 ducats counter-bribe G ven",
    "A flo - are",
)


def test_fog_08_a_receipt_is_the_same_whether_a_hidden_unit_is_there_or_not() -> None:
    """Orders, supports, convoys, expenses with their prices, what is refused and warned of."""
    with_them = foggy()
    without = foggy()
    state = without.view().state
    position(
        without,
        field={p: u for p, u in state.field.items() if u.place not in ("nap", "mes", "hun", "mar")},
        garrisons={p: u for p, u in state.garrisons.items() if p != "ven"},
    )
    receipts = [order(house, "L", *ORDERS)[0].body for house in (with_them, without)]

    assert receipts[0] == receipts[1]
    assert "E1: you see no such unit there" in receipts[0]
    assert "You see no such unit; write its type" in receipts[0]
    assert "A Naples H" in receipts[0]


def test_fog_08_a_condition_goes_by_what_its_writer_sees() -> None:
    """A unit in the fog is as if it were not there; for its own player it is."""
    house = foggy()
    lines = ("IF F nap", "A flo - are", "ELSE", "A flo h", "ENDIF")
    stranger = order(house, "L", *lines)[0].body
    own = order(house, "N", "IF F nap", "A bar - ots", "ELSE", "A bar h", "ENDIF")[0].body

    assert "A Florence H" in stranger
    assert "A Bari H" not in own


def test_the_fog_stays_as_it_is_once_the_game_has_begun() -> None:
    """Else a master could lift it to see."""
    house = springtime()
    said = body(
        write(
            house, address_of(house, "I"), "SIGNON Mborgia masterkey", "SET OPTION fog karttunen"
        ),
        address_of(house, "I"),
    )

    assert "NOT TAKEN" in said
    assert house.game().settings.fog is Fog.OFF


def test_the_listing_says_that_there_is_fog() -> None:
    """And what that means."""
    text = " ".join(ask(foggy("S1454M"), "", "LIST borgia").split())

    assert "Fog of war: between an adjustment and the end of Spring you see your own units" in text
    assert "others may stand unseen" not in text


# --- two positions that look the same --------------------------------------------------------

BASE = foggy()
START = BASE.view().state
TABLES = BASE.store.tables.copied()


@st.composite
def looks_alike(draw: st.DrawFn) -> tuple[State, State]:
    """Two positions that Florence cannot tell apart."""
    world, state = BASE.view().world, START
    spots = sorted({spot.place for spot in world.fleet} | set(world.army))
    powers = [power for power in world.in_play if power != FLORENCE]
    field = {p: u for p, u in state.field.items() if draw(st.booleans())}
    one = replace(state, field=field)
    two = one
    for place in draw(st.lists(st.sampled_from(spots), max_size=12, unique=True)):
        kind = Kind.ARMY if place in world.army else Kind.FLEET
        unit = Unit(draw(st.sampled_from(powers)), kind, place, NO_COAST)
        both = [_with(each, unit) for each in (one, two)]
        one = draw(st.sampled_from([one, both[0]]))
        two = draw(st.sampled_from([two, both[1]]))
    hidden = draw(st.booleans())
    two = replace(two, garrisons={} if hidden else two.garrisons)
    return one, two


def _with(state: State, unit: Unit) -> State:
    """The position with a unit in it, if it is one that Florence does not see there."""
    world = BASE.view().world
    sight = Sight(frozenset({FLORENCE}), plays=True, foggy=True)
    more = replace(state, field={**state.field, unit.place: unit})
    return more if sight.view(world, more) == sight.view(world, state) else state


def test_florence_cannot_see_every_unit_that_two_positions_differ_in() -> None:
    """Else nothing would be compared below but a position with itself (FOG-02)."""
    places = sorted(BASE.view().world.army)
    far = (Unit(PowerId("T"), Kind.ARMY, place, NO_COAST) for place in places)

    assert any(_with(START, unit) != START for unit in far)


LINES = st.sampled_from(
    [*ORDERS, "A are s A per - flo", "F psa - pio", "expense 4: 30 ducats buy F mar", "hold all"]
)


@settings(max_examples=25, deadline=None)
@given(looks_alike(), st.lists(LINES, max_size=6, unique=True))
def test_two_positions_that_look_the_same_give_the_same_messages(
    positions: tuple[State, State], lines: Sequence[str]
) -> None:
    """Byte by byte, whatever is asked and ordered."""
    sight = Sight(frozenset({FLORENCE}), plays=True, foggy=True)
    world = BASE.view().world
    if len({repr(sight.view(world, each)) for each in positions}) > 1:
        positions = (positions[0], positions[0])
    read = [list(_all_read(state, lines)) for state in positions]

    assert read[0] == read[1]


def _all_read(state: State, lines: Sequence[str]) -> Iterator[str]:
    """All that Florence reads in a position."""
    BASE.store.tables = TABLES.copied()
    position(BASE, field=state.field, garrisons=state.garrisons)
    yield ask(
        BASE, "L", "LIST", "GET MAP", "GET MAP SVG", "GET MAP TEXT", "SUMMARY", "WHO", "HISTORY"
    )
    yield ask(BASE, "L", "WHATIF", *lines, "END", "GET EXPORT")
    yield ask(BASE, "L", "DRY", *lines)
    yield ask(BASE, "L", "DRY", "IF F nap", *lines, "ELSE", "A flo h", "ENDIF")
    yield ask(BASE, "L", "DRY", "PHASE F1455M", *lines)
    yield repr(view_for_power(BASE.view(), FLORENCE).state)
