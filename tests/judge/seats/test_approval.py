"""Masters who approve their players, and masters who fall silent."""

from machjudge.adjudicator.names import PowerId
from machjudge.judge.records import Game, Role, Status
from machjudge.judge.tick import look_at_games
from tests.judge.house import House, built_once
from tests.judge.letters_in import answer, write

GINA, OTTO = "gina@desk.example", "otto@watch.example"
LUCIA, MARCO, ROSA = "lucia@player.example", "marco@player.example", "rosa@player.example"


@built_once
def forming(*lines: str) -> House:
    """A game for two in which nobody has a seat yet."""
    house = House()
    write(house, GINA, "CREATE ?borgia topsecret 1454-2-2 nodice nomoney")
    if lines:
        write(house, GINA, "SIGNON Mborgia topsecret", *lines)
    return house


@built_once
def running() -> House:
    """The same, begun, with Otto as co-master."""
    house = forming()
    write(house, LUCIA, "SIGNON ?borgia lucky7", "SET PREF V")
    write(house, MARCO, "SIGNON ?borgia marco7")
    write(house, OTTO, "OBSERVE borgia otto777")
    write(house, GINA, "SIGNON Mborgia topsecret", "PROMOTE Otto")
    return house


def later(house: House, days: int) -> None:
    """So many days pass, and a little more."""
    house.later(days=days, minutes=1)
    look_at_games(house.services, house.now)


def master(game: Game) -> str:
    """The address of the master's seat."""
    return next(s.address for s in game.seats if s.person == game.master and s.role is Role.MASTER)


# --- approval --------------------------------------------------------------------------------


def test_the_game_begins_when_all_are_approved() -> None:
    """The master is asked for each newcomer, and his last word begins it."""
    house = forming("SET APPROVAL")
    letters = write(house, LUCIA, "SIGNON ?borgia lucky7")
    write(house, MARCO, "SIGNON ?borgia marco7")

    asked = next(one.body for one in letters if one.to == GINA and "approval wanted" in one.subject)
    assert "SET APPROVE 2" in asked
    assert LUCIA not in asked
    assert house.game().status is Status.FORMING

    sent = write(house, GINA, "SIGNON Mborgia topsecret", "SET APPROVE 2 Marco")
    assert house.game().status is Status.RUNNING
    assert any(one.to == LUCIA and "approved you" in one.body for one in sent)


def test_not_approved_is_out() -> None:
    """His seat is free again."""
    house = forming("SET APPROVAL")
    write(house, LUCIA, "SIGNON ?borgia lucky7")
    write(house, GINA, "SIGNON Mborgia topsecret", "SET NOAPPROVE 2")

    assert [seat.role for seat in house.game().seats] == [Role.MASTER]


def test_nobody_who_was_approved_loses_a_seat_by_a_password_alone() -> None:
    """In a game that is played EJECT takes it, which asks at the address on file first."""
    house = running()
    told = answer(write(house, GINA, "SIGNON Mborgia topsecret", "SET NOAPPROVE Venice"), GINA)

    assert "That seat is approved already; to take it away, write EJECT Venice." in told
    assert all(seat.person for seat in house.game().seats)


def test_orders_of_a_newcomer_count_when_he_is_approved() -> None:
    """Until then they are refused, and he is told."""
    house = running()
    write(house, GINA, "SIGNON Mborgia topsecret", "SET APPROVAL")
    write(house, LUCIA, "SIGNON Vborgia lucky7", "RESIGN")
    write(house, ROSA, "REGISTER", "Name: Rosa", "END")
    early = answer(write(house, ROSA, "SIGNON Vborgia fresh77", "A pad h"), ROSA)
    ahead = answer(write(house, ROSA, "SIGNON Vborgia fresh77", "PHASE U1454M", "A pad h"), ROSA)
    write(house, GINA, "SIGNON Mborgia topsecret", "SET APPROVE Venice")
    write(house, ROSA, "SIGNON Vborgia fresh77", "A pad h")

    assert "has not approved you yet" in " ".join(early.split())
    assert "has not approved you yet" in " ".join(ahead.split())
    assert [line.written for line in house.view().order_sets[PowerId("V")].lines] == ["A pad h"]


def test_without_approval_nobody_waits() -> None:
    """Games are as they were."""
    assert all(seat.approved for seat in running().game().seats)


# --- a silent master -------------------------------------------------------------------------


def test_a_co_master_takes_over_from_a_silent_master() -> None:
    """After fourteen days; everybody is told, and the old one is a co-master."""
    house = running()
    later(house, 13)
    assert master(house.game()) == GINA
    house.mails_out()
    later(house, 1)
    letters = [one for one in house.mails_out() if "new master" in one.subject]

    assert master(house.game()) == OTTO
    assert {one.to for one in letters} == {GINA, OTTO, LUCIA, MARCO}
    refused = write(house, GINA, "SIGNON Mborgia topsecret", "SET TAKEOVER 5")
    assert "for the master only" in next(one.body for one in refused if "Re:" in one.subject)


def warnings(letters) -> dict[str, str]:
    """Who was warned that the game goes to a co-master, and in which words."""
    return {
        one.to: " ".join(one.body.split()) for one in letters if "a silent master" in one.subject
    }


def test_a_silent_master_is_warned_before_the_game_is_taken() -> None:
    """A day before, with who takes over and when; nobody but masters reads it, and once."""
    house = running()
    later(house, 12)
    house.mails_out()
    later(house, 1)
    told = warnings(house.mails_out())
    house.later(hours=5)
    look_at_games(house.services, house.now)

    assert set(told) == {GINA, OTTO}
    assert "Otto becomes its master, and you a co-master." in told[GINA]
    assert "Otto becomes the master of this game." in told[OTTO]
    assert warnings(house.mails_out()) == {}
    assert master(house.game()) == GINA


def test_a_warned_master_who_writes_keeps_the_game_and_is_warned_anew() -> None:
    """The days of silence begin again with each sign-in."""
    house = running()
    later(house, 13)
    write(house, GINA, "SIGNON Mborgia topsecret")
    later(house, 12)
    assert warnings(house.mails_out()) == {}
    later(house, 1)

    assert set(warnings(house.mails_out())) == {GINA, OTTO}
    assert master(house.game()) == GINA


def test_a_judge_that_looks_late_warns_all_the_same() -> None:
    """However long it slept, a whole day lies between the warning and the change."""
    house = running()
    house.mails_out()
    house.later(days=40)
    look_at_games(house.services, house.now)
    assert set(warnings(house.mails_out())) == {GINA, OTTO}
    house.later(hours=23)
    look_at_games(house.services, house.now)
    assert master(house.game()) == GINA
    house.later(hours=1)
    look_at_games(house.services, house.now)

    assert master(house.game()) == OTTO


def test_of_a_single_day_of_silence_half_is_left_for_the_master() -> None:
    """A short time has a short notice."""
    house = running()
    write(house, GINA, "SIGNON Mborgia topsecret", "SET TAKEOVER 1")
    house.mails_out()
    house.later(hours=13)
    look_at_games(house.services, house.now)
    warned = warnings(house.mails_out())
    house.later(hours=12)
    look_at_games(house.services, house.now)

    assert set(warned) == {GINA, OTTO}
    assert master(house.game()) == OTTO


def test_a_signon_of_the_master_is_a_word() -> None:
    """Anyone who looks in every week keeps his game."""
    house = running()
    later(house, 10)
    write(house, GINA, "SIGNON Mborgia topsecret")
    later(house, 10)

    assert master(house.game()) == GINA


def test_an_absence_of_the_master_is_a_word() -> None:
    """He is waited for until the day after it."""
    house = running()
    write(house, GINA, "SIGNON Mborgia topsecret", "SET ABSENCE 1 Dec 2026 to 10 Dec 2026")
    later(house, 18)
    assert master(house.game()) == GINA
    house.mails_out()
    later(house, 5)
    assert set(warnings(house.mails_out())) == {GINA, OTTO}
    later(house, 1)

    assert master(house.game()) == OTTO


def test_days_of_silence_can_be_set_and_switched_off() -> None:
    """Everybody reads how many they are."""
    house = running()
    letters = write(house, GINA, "SIGNON Mborgia topsecret", "SET TAKEOVER 3")
    told = [" ".join(one.body.split()) for one in letters if one.to == LUCIA]
    write(house, GINA, "SIGNON Mborgia topsecret", "SET NO TAKEOVER")
    later(house, 80)

    assert any("silent for 3 days" in body for body in told)
    assert master(house.game()) == GINA


def test_without_co_master_nobody_takes_over() -> None:
    """The game stays his."""
    house = forming()
    write(house, LUCIA, "SIGNON ?borgia lucky7")
    write(house, MARCO, "SIGNON ?borgia marco7")
    later(house, 40)

    assert master(house.game()) == GINA


def test_the_new_master_gives_the_game_back() -> None:
    """By promoting the old one, who is his co-master."""
    house = running()
    later(house, 15)
    house.mails_out()
    write(house, OTTO, "SIGNON Mborgia otto777", "PROMOTE gina@desk.example")

    assert master(house.game()) == GINA
