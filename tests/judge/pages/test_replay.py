"""The replay of a game: what it tells, and that it holds nothing that its reader may not see.

What is hidden is changed behind the back of the game: a page that stays the same, byte for byte,
holds nothing of it, in no text, attribute, drawing or script.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from html import unescape

import pytest

from machjudge.adjudicator.moments import read_moment
from machjudge.adjudicator.names import PlaceId, PowerId
from machjudge.adjudicator.state import State
from machjudge.adjudicator.units import Quality
from machjudge.judge.game_settings import Fog, Treasuries
from machjudge.judge.records import GameId, PersonId, Role, Status
from tests.judge.house import House, built_once, started
from tests.judge.letters_in import write
from tests.judge.pages.long_game import played
from tests.judge.riches import position, springtime
from tests.judge.year import FALL, OPENING, SPRING, SUMMER, order, play

STRANGER, MASTER = "nobody@other.example", "gina@desk.example"
FLORENCE, MILAN = PowerId("L"), PowerId("I")


@built_once
def year() -> House:
    """A game after its first year, with a broadcast and a press to one."""
    house = started("nodice")
    play(house, OPENING)
    order(house, "L", "BROADCAST", "Peace & <b>quiet</b>.", "ENDPRESS")
    order(house, "L", "PRESS TO V", "Psst.", "ENDPRESS")
    house.later(hours=1)
    play(house, SPRING)
    house.later(hours=1)
    play(house, SUMMER)
    order(house, "P", "A per - spo")
    play(house, FALL)
    master = next(seat for seat in house.game().seats if seat.role is Role.MASTER)
    others = [seat for seat in house.game().seats if seat is not master]
    own = replace(master, person=PersonId("gina"), address=MASTER)
    _change(house, seats=(*others, own))
    return house


def _change(house: House, **what: object) -> None:
    game = house.game()
    house.store.tables.games[game.id] = replace(game, **what)  # type: ignore[arg-type]


def hiding(house: House, **settings: object) -> None:
    """Let the game hide something."""
    changed = replace(house.game().settings, **settings)  # type: ignore[arg-type]
    _change(house, settings=changed)


def page(house: House, *lines: str, sender: str = STRANGER) -> str:
    """The replay that somebody is sent."""
    sent = write(house, sender, *(lines or ("GET REPLAY borgia",)))
    (file,) = [f for each in sent if each.to == sender for f in each.attachments]
    assert (file.name, file.media_type) == ("borgia-replay.html", "text/html; charset=utf-8")
    return file.content.decode()


def masters(house: House) -> str:
    """The replay that the master is sent, who does not play."""
    return page(house, "SIGNON Mborgia masterkey", "GET REPLAY", sender=MASTER)


def told(text: str) -> str:
    """The words of a page, as somebody reads them."""
    body = re.sub(r"(?s)<(script|style)>.*?</\1>", "", text)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", body)).split())


def test_every_phase_stands_in_it_with_its_results_press_and_map() -> None:
    """As many drawings as phases, one slider over them, and the words of HISTORY."""
    house = year()
    text = page(house)
    phases = 1 + sum(p.parent is not None for p in house.store.tables.phases)

    for css in ("turn", "ground", "above"):
        assert len(re.findall(rf'class="{css}"', text)) == phases
    assert f'max="{phases - 1}"' in text
    (history,) = [m.body for m in write(house, STRANGER, "HISTORY borgia") if m.to == STRANGER]
    lines = [line.strip() for line in history.splitlines()]
    orders = [line for line in lines if re.match(r"[AFG] [A-Z].* - ", line)]
    assert len(orders) > 20
    assert [line for line in orders if line not in told(text)] == []
    assert "Psst" not in text
    assert told(text).index("Peace & <b>quiet</b>.") < told(text).index("A Pavia - Montferrat")


def test_what_players_write_is_text() -> None:
    """No mark-up of theirs is any, and nothing is loaded from elsewhere."""
    text = page(year())

    assert "<b>quiet</b>" not in text
    assert "Peace &amp; &lt;b&gt;quiet&lt;/b&gt;." in text
    assert not re.search(r'(?i)(src|href)="(?!#)|url\((?!#)|@import', text)


def test_a_game_of_ten_years_is_below_two_megabytes() -> None:
    """The board is drawn once, and each symbol defined once."""
    house = played(65, over=True)
    text = page(house)

    assert len(re.findall('class="turn"', text)) == 65
    assert [len(re.findall(f'id="p-{place}"', text)) for place in ("mil", "ven", "uas")] == [1] * 3
    assert 500_000 < len(text.encode()) < 2_000_000


def test_a_running_game_shows_its_master_all_and_says_so() -> None:
    """Everybody else, players too, gets what everybody may see."""
    house = year()
    hiding(house, treasuries=Treasuries.PRIVATE)

    assert "For the master alone" in masters(house)
    assert "For the master alone" not in page(house)
    assert "Psst." in masters(house)
    assert ">Ducats<" in masters(house)
    assert ">Ducats<" not in page(house)
    seat = next(seat for seat in house.game().seats if FLORENCE in seat.powers)
    own = page(house, "SIGNON Lborgia pwL", "GET REPLAY", sender=seat.address)
    assert ">Ducats<" not in own
    assert "Psst." not in own


def _richer(state: State) -> State:
    return replace(state, treasuries={p: d + 777 for p, d in state.treasuries.items()})


def _in_debt_and_armed(state: State) -> State:
    return replace(state, chits={MILAN: (FLORENCE,)})


def drilled(state: State) -> State:
    """The position with mercenaries for the units of Florence."""
    field = {
        place: replace(unit, quality=Quality.MERCENARY) if unit.owner == FLORENCE else unit
        for place, unit in state.field.items()
    }
    return replace(state, field=field)


HIDDEN = [
    (_richer, {"treasuries": Treasuries.PRIVATE}),
    (_in_debt_and_armed, {}),
    (drilled, {"special_public": False}),
]


@pytest.mark.parametrize(("changed", "settings"), HIDDEN)
def test_page_of_everybody_holds_nothing_that_is_hidden(
    changed: Callable[[State], State], settings: dict[str, object]
) -> None:
    """It is the same whatever the treasuries, chits and kinds of units are; the master's is not."""
    house = year()
    hiding(house, **settings)
    before, of_master = page(house), masters(house)
    phases = house.store.tables.phases
    # The position alone: what events tell has a test for each of them.
    phases[:] = [replace(each, after=changed(each.after)) for each in phases]

    assert page(house) == before
    if changed is not _in_debt_and_armed:  # which no page shows
        assert masters(house) != of_master
        _change(house, status=Status.FINISHED)
        assert page(house) != before


def test_unit_in_the_fog_is_nowhere_in_the_page() -> None:
    """The page of everybody is the same with and without it (FOG-01)."""
    house = springtime("nodice")
    hiding(house, fog=Fog.KARTTUNEN)
    after = position(house)
    hidden = after.field[PlaceId("nap")]
    without = {place: unit for place, unit in after.field.items() if unit != hidden}
    fields = [without, {**without, hidden.place: hidden}]
    pages = []
    for field in fields:
        position(house, field=field, moment=read_moment("S1455M"))
        pages.append(page(house))

    assert pages[0] == pages[1]
    assert hidden.place in house.view().state.field
    hiding(house, fog=Fog.OFF)
    assert page(house) != pages[1]


def test_a_game_that_has_not_begun_has_none() -> None:
    """The answer says so; a game that is not there is not found."""
    house = House()
    write(house, MASTER, "CREATE ?Borgia masterkey 1454")
    sent = write(house, STRANGER, "GET REPLAY borgia", "GET REPLAY medici")

    (body,) = [each.body for each in sent if each.to == STRANGER]
    assert "has not begun" in body
    assert "no game of that name" in body


def test_a_mail_gets_three_replays_and_each_game_once() -> None:
    """So that nobody keeps the judge busy for minutes with one mail."""
    house = year()
    game, phases = house.game(), house.store.tables.phases
    for name in ("alba", "bari", "como"):
        one = replace(game, id=GameId(name), name=name.title())
        house.store.tables.games[one.id] = one
        phases += [replace(each, game=one.id) for each in phases if each.game == game.id]
    names = ("borgia", "alba", "borgia", "bari", "como")
    (answer,) = write(house, STRANGER, *(f"GET REPLAY {name}" for name in names))

    assert [file.name for file in answer.attachments] == [
        f"{name}-replay.html" for name in ("borgia", "alba", "bari")
    ]
    assert "3 replays are enough for one mail" in " ".join(answer.body.split())


@pytest.mark.parametrize("language", ["es", "it"])
def test_a_replay_speaks_the_language_of_its_reader(language: str) -> None:
    """Its words and the names of its buttons."""
    house = year()
    people = house.store.tables.persons
    one = next(each for each in people.values() if each.name == "Marco")
    people[one.id] = replace(one, language=language)
    text = page(house, "GET REPLAY borgia", sender="marco@player.example")

    assert f'<html lang="{language}">' in text
    assert {"es": "Mapa", "it": "Mappa"}[language] in text
    assert "Larger map" not in text
