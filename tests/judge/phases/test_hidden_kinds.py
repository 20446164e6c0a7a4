"""Games that hide which units are special: only their own player reads it, until the end."""

from dataclasses import replace

import pytest

from machjudge.adjudicator.events import (
    AdjustmentFailed,
    Maintained,
    UnitBuilt,
    UnitMadePlain,
)
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.orders import Build
from machjudge.adjudicator.reasons import Flaw, Objection
from machjudge.adjudicator.units import ARMY, Kind, Quality, Unit
from machjudge.messages.visibility import Sight
from tests.judge.house import House, started
from tests.judge.letters_in import write
from tests.judge.riches import drilled, position
from tests.judge.year import OPENING, SPRING, address_of, order, play

KIND = "(mercenaries)"
FLORENCE, VENICE = PowerId("L"), PowerId("V")


def secretive(*, public: bool = False) -> House:
    """A game in its first adjustment; the army of Florence in its city is a special one."""
    house = started("nodice")
    house.change_settings(special_public=public)
    position(house, treasuries=dict.fromkeys(house.view().state.treasuries, 40))
    drilled(house, "flo", Quality.MERCENARY, Kind.ARMY)
    return house


def ask(house: House, line: str) -> str:
    """What somebody who does not play is answered."""
    return write(house, "dino@elsewhere.example", line)[0].body


@pytest.mark.parametrize("public", [False, True])
def test_only_the_own_player_reads_of_the_kinds_of_units(public: bool) -> None:
    """In the results of a phase, the listing and the history."""
    house = secretive(public=public)
    played = play(house, OPENING)
    read = {
        power: "\n".join(x.body for x in played if x.to == address_of(house, power))
        for power in "LV"
    }
    asked = ("LIST borgia", "HISTORY borgia")
    foreign = {line: ask(house, line) for line in asked}
    own = write(house, address_of(house, "L"), "SIGNON Lborgia pwL", "LIST")[0].body

    assert KIND in read["L"]
    assert KIND in own
    assert (f"maintains A Florence {KIND} (6d)" in read["V"]) is public
    assert ("maintains A Florence\n" in read["V"]) is not public
    assert (KIND in read["V"]) is public
    assert {line: KIND in said for line, said in foreign.items()} == dict.fromkeys(asked, public)


def test_the_map_has_no_mark_for_a_hidden_kind() -> None:
    """Nor for those whom it belongs to: everybody gets the same map."""
    assert marks_of_kinds(secretive(public=True)) == ["em"]
    assert marks_of_kinds(secretive()) == []


def marks_of_kinds(house: House) -> list[str]:
    """What the picture of the game says beside its units."""
    (letter,) = write(house, address_of(house, "L"), "GET MAP SVG borgia")
    (picture,) = [file for file in letter.attachments if file.name.endswith(".svg")]
    text = picture.content.decode()
    return ["em" for line in text.split("<text") if 'class="quality"' in line and ">em<" in line]


@pytest.mark.parametrize(("public", "price"), [(False, "price 12d"), (True, "price 24d")])
def test_a_receipt_does_not_give_a_hidden_kind_away_by_its_price(public: bool, price: str) -> None:
    """A bribe on militia costs double; who may not know of it reads the plain price."""
    house = secretive(public=public)
    play(house, OPENING)
    drilled(house, "bol", Quality.MILITIA, Kind.ARMY)
    (receipt,) = order(house, "V", *SPRING["V"], "expense 1: 12 ducats disband A bol")

    assert price in receipt.body


def test_who_may_see_the_kinds_of_units() -> None:
    """Their own player, a master who does not play, and everybody when the game is over."""
    player = Sight(frozenset({VENICE}), plays=True, hidden_kinds=True)

    assert player.sees_kinds_of(VENICE)
    assert not player.sees_kinds_of(FLORENCE)
    assert replace(player, is_over=True).sees_kinds_of(FLORENCE)
    assert replace(player, hidden_kinds=False).sees_kinds_of(FLORENCE)
    assert Sight(is_master=True, hidden_kinds=True).sees_kinds_of(FLORENCE)


def test_what_others_pay_for_their_units_is_left_out() -> None:
    """For all their units: else the price would tell the special ones from the others."""
    special = Unit(FLORENCE, ARMY, PlaceId("flo"), quality=Quality.MERCENARY)
    plain = special.made_plain()
    own = replace(special, owner=VENICE)
    player = Sight(frozenset({VENICE}), plays=True, hidden_kinds=True)

    assert player.as_seen(UnitBuilt(special, 6)) == UnitBuilt(plain, 0)
    assert player.as_seen(Maintained(plain, 3)) == Maintained(plain, 0)
    assert player.as_seen(UnitBuilt(own, 6)) == UnitBuilt(own, 6)


def test_what_would_tell_of_a_kind_is_not_told_to_others() -> None:
    """That a second special unit failed, or became a plain one."""
    special = Unit(FLORENCE, ARMY, PlaceId("flo"), quality=Quality.MERCENARY)
    order = Build(ARMY, PlaceId("flo"), quality=Quality.MERCENARY)
    objection = Objection(Flaw.TOO_MANY_SPECIAL, "SPC-06")
    events = (UnitMadePlain(special), AdjustmentFailed(FLORENCE, order, objection))
    player = Sight(frozenset({VENICE}), plays=True, hidden_kinds=True)

    assert player.visible(events) == ()
    assert replace(player, powers=frozenset({FLORENCE})).visible(events) == events
