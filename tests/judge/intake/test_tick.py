"""What time brings to a game: phases, reminders, late notices, once each."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from machjudge.adjudicator.names import PowerId
from machjudge.judge.archive import replay
from machjudge.judge.faults import Stale
from machjudge.judge.records import GameId
from machjudge.judge.tick import Ticked, look_at_games
from tests.judge.house import House, started
from tests.judge.letters_in import raw_mail
from tests.judge.year import FALL, OPENING, SPRING, SUMMER, order, play

BORGIA = GameId("borgia")


def tick(house: House) -> Ticked:
    """Look at all games now."""
    return look_at_games(house.services, house.now)


def subjects(house: House) -> list[str]:
    """The subjects of what was sent."""
    return [letter.subject for letter in house.mails_out()]


def test_second_tick_at_the_same_moment_changes_nothing() -> None:
    """A late notice goes out once, however often cron calls."""
    house = started("nomoney")
    house.later(days=8)
    tick(house)
    first = house.mails_out()
    version = house.game().version

    tick(house)

    assert len(first) == 8
    assert house.mails_out() == []
    assert house.game().version == version


def test_reminder_goes_to_those_whose_orders_are_missing() -> None:
    """Anyone who has sent everything is not reminded."""
    house = started("nomoney")
    order(house, "L", "A flo h", "A are h", "F psa h")

    house.later(days=6, hours=13)
    tick(house)

    reminded = {letter.to for letter in house.mails_out()}
    assert len(reminded) == 7
    assert "anna@player.example" not in reminded


def test_late_notices_after_the_first_go_to_the_late_only() -> None:
    """The others are told once; the late each day."""
    house = started("nomoney")
    order(house, "L", "A flo h", "A are h", "F psa h")
    house.later(days=8)
    tick(house)
    house.mails_out()

    house.later(days=1)
    tick(house)

    late = {letter.to for letter in house.mails_out()}
    assert len(late) == 7
    assert "anna@player.example" not in late


def test_late_orders_play_the_phase_as_soon_as_they_are_in() -> None:
    """The game waits for the last one, and goes on with his mail."""
    house = started()
    play(house, OPENING, without="L")
    house.later(days=8)
    tick(house)

    sent = order(house, "L", *OPENING["L"])

    assert house.view().state.moment.code == "S1454M"
    assert any("LATE:" in letter.body for letter in sent)


def test_phase_with_faulty_mails_waits_for_the_deadline_only() -> None:
    """Complete orders with a wrong line beside them are played at the deadline."""
    house = started()
    play(house, {**OPENING, "L": (*OPENING["L"], "A flo - nowhere")})
    assert house.view().state.moment.code == "F1453B"

    house.later(days=7)
    tick(house)

    assert house.view().state.moment.code == "S1454M"


def test_mail_received_in_time_is_handled_before_the_phase_is_played() -> None:
    """With an unhandled mail for the game, or one in doubt, the phase waits."""
    house = started()
    order(house, "L", "SET WAIT")
    play(house, OPENING)
    house.store.receive(raw_mail("x@y.example", ["HELP"]), "x@y.example", house.now)
    house.later(days=7)

    ticked = tick(house)

    assert ticked.processed == ()
    assert house.view().state.moment.code == "F1453B"


def test_mail_received_after_the_deadline_does_not_hold_up_the_phase() -> None:
    """It is late, and counts for nothing that is decided at the deadline."""
    house = started()
    order(house, "L", "SET WAIT")
    play(house, OPENING)
    house.later(days=7, hours=1)
    house.store.receive(raw_mail("x@y.example", ["HELP"]), "x@y.example", house.now)

    assert tick(house).processed == (BORGIA,)


def test_two_ticks_do_not_play_a_phase_twice() -> None:
    """Anyone who is second finds another version, and starts again from what is there."""
    house = started()
    order(house, "L", "SET WAIT")
    play(house, OPENING)
    house.later(days=7)
    house.store.before_writing = lambda: tick(house)

    tick(house)

    assert [phase.number for phase in house.store.tables.phases] == [0, 1]
    assert len([s for s in subjects(house) if " by " in s]) == 8


def test_tick_that_meets_another_one_goes_on_in_the_middle(monkeypatch) -> None:
    """So two of them share the games of which the deadline is over, and play none in vain."""
    house = started("nomoney")
    looked = []

    def look_at(_services, game: GameId, _now, beaten) -> bool:
        looked.append(game)
        if game == "a":
            beaten()
        return False

    monkeypatch.setattr("machjudge.judge.tick.look_at", look_at)
    look_at_games(house.services, house.now, map(GameId, "abcdefg"))

    assert looked == [*"aefgbcd"]


def test_one_games_failure_is_its_own() -> None:
    """A game that cannot be read does not keep another from its reminder."""
    house = started("nomoney")
    broken = replace(house.game(), id=GameId("atlas"), scenario="nowhere")
    house.store.tables.games = {broken.id: broken, **house.store.tables.games}
    house.later(days=8)

    ticked = tick(house)

    assert ticked.failed == ("atlas",)
    sent = house.mails_out()
    assert len([letter for letter in sent if "you are late" in letter.subject]) == 8
    assert [letter.to for letter in sent if "atlas" in letter.subject] == ["keeper@mach.example"]


def test_keeper_is_told_of_a_broken_game_once_a_day() -> None:
    """Cron calls every minute; the keeper reads one mail."""
    house = started("nomoney")
    broken = replace(house.game(), id=GameId("atlas"), scenario="nowhere")
    house.store.tables.games[broken.id] = broken
    tick(house)
    house.mails_out()

    house.later(minutes=1)
    tick(house)
    assert house.mails_out() == []
    house.later(days=1)
    tick(house)
    assert len(house.mails_out()) == 1


def test_conflict_that_never_ends_is_a_fault_of_that_game() -> None:
    """After some tries the game is left alone until the next tick."""
    house = started("nomoney")
    house.later(days=8)

    def always_beaten() -> None:
        raise Stale

    house.store.before_commit = always_beaten

    assert tick(house).failed == (BORGIA,)
    assert house.mails_out() == []


def test_year_is_rebuilt_from_events_and_from_orders() -> None:
    """Every stored position of a year, dice and retreats included."""
    house = started()
    play(house, OPENING)
    play(house, SPRING)
    play(house, SUMMER)
    order(house, "P", "A per - spo")
    play(house, FALL)

    checks = replay(house.services, BORGIA)

    assert checks is not None
    assert [check.moment for check in checks] == [
        "F1453B",
        "F1453B",
        "S1454M",
        "U1454M",
        "U1454R",
        "F1454M",
    ]
    assert all(check.is_kept and check.plays_again for check in checks)


def test_replay_names_what_was_changed_by_hand() -> None:
    """An event that is missing from a stored phase is noticed in both ways."""
    house = started()
    play(house, OPENING)
    (stored,) = [phase for phase in house.store.tables.phases if phase.number == 1]
    house.store.tables.phases.remove(stored)
    house.store.tables.phases.append(replace(stored, events=stored.events[1:]))

    checks = replay(house.services, BORGIA)

    assert checks is not None
    assert not checks[1].events_rebuild
    assert checks[1].differences


def test_there_is_no_replay_of_a_game_that_is_not_there() -> None:
    """Nothing, rather than an empty list."""
    assert replay(House().services, BORGIA) is None


@settings(max_examples=15)
@given(st.lists(st.sampled_from("IVLPNTAF"), max_size=20))
def test_nothing_is_played_before_all_powers_have_ordered(senders: list[str]) -> None:
    """In whatever order and how often the powers write."""
    house = started()
    for power in senders:
        order(house, power, *OPENING[power])

    played = set(senders) == set("IVLPNTAF")
    assert (house.view().state.moment.code == "S1454M") is played


def test_wish_to_wait_ends_with_its_phase() -> None:
    """In the next phase nobody waits unless he says so again."""
    house = started()
    order(house, "L", "SET WAIT")
    play(house, OPENING)
    house.later(days=7)
    tick(house)

    assert not any(seat.waits for seat in house.game().seats)


def test_index_tells_cities_and_treasuries() -> None:
    """The rows beside the documents say what a listing needs."""
    house = started("nodice")

    rows = {row.power: row for row in house.store.tables.holdings[BORGIA, 0]}
    assert (rows[PowerId("I")].cities, rows[PowerId("I")].treasury) == (3, 16)
