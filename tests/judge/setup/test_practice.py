"""Practice against bots, and bots at the open seats of other games."""

from dataclasses import replace

import pytest

from machjudge.adjudicator.names import PowerId
from machjudge.bots.policies import BotPolicy
from machjudge.judge.archive import replay
from machjudge.judge.mails import Outgoing
from machjudge.judge.people import with_seat
from machjudge.judge.records import End, GameId, Role, Status
from machjudge.judge.tick import look_at_games
from tests.judge.house import House, built_once, started
from tests.judge.letters_in import raw_mail, reply, work, write
from tests.judge.lines.test_form_answers import gmail
from tests.judge.phases.test_mastering import GINA, ruled
from tests.judge.year import OPENING, SPRING, address_of, play

ZOE = "zoe@player.example"
KEPT = ("maintain A Padua", "maintain A Verona", "maintain F Dalmatia", "maintain G Venice")


def said(letters: list[Outgoing], to: str = ZOE) -> str:
    """All that somebody got, in one line."""
    return " ".join(" ".join(f"{x.subject} {x.body}" for x in letters if x.to == to).split())


@built_once
def begun(*more: str) -> House:
    """A practice game of Zoe's, who leads Venice."""
    house = House()
    write(
        house,
        ZOE,
        "REGISTER",
        "Name: Zoe",
        "END",
        "CREATE ?try tulip9 PRACTICE 1454 AS Venice",
        *more,
    )
    return house


def zoe(house: House, *lines: str) -> str:
    """What a mail of hers brings her."""
    return said(write(house, ZOE, "SIGNON Vtry tulip9", *lines))


def phase(house: House) -> str:
    """The code of the present phase."""
    return house.view("try").state.moment.code


def test_one_mail_begins_practice_against_bots() -> None:
    """It starts at once; whose seats are bots' is said, and it stands in no list."""
    house = House()
    told = said(write(house, ZOE, "REGISTER", "Name: Zoe", "END", "CREATE ?try tulip9 PRACTICE"))

    game = house.game("try")
    assert "try has begun: you against bots" in told
    assert told.count(": a bot") == 7
    assert game.status is Status.RUNNING
    assert not game.settings.listed
    assert "try" not in said(write(house, "dino@far.example", "LIST"), "dino@far.example")


def test_a_phase_is_played_as_soon_as_its_player_has_ordered() -> None:
    """The results say for whom bots ordered, and nobody's orders are missing."""
    house = begun()

    told = zoe(house, *KEPT)

    assert phase(house) == "S1454M"
    assert "BOTS A bot ordered for Milan, Florence, the Papacy, Naples, Turkey, Austria" in told
    assert "MISSING ORDERS" not in told
    assert "NEXT: Spring 1454" in told


def test_take_back_goes_to_the_phase_before() -> None:
    """Its form comes again, its orders are given anew, and the dice stay those of the secret."""
    house = begun()
    zoe(house, *KEPT)

    told = zoe(house, "TAKE BACK")

    assert "Back to Fall 1453 adjustment" in told
    assert "LINES TO SEND BACK" in told
    assert phase(house) == "F1453B"
    assert "This is the first phase" in zoe(house, "TAKEBACK")
    zoe(house, *KEPT, "build A Treviso")
    assert phase(house) == "S1454M"
    assert [p for p in house.view("try").state.field if p == "trv"]


def test_hint_says_what_the_planner_would_order_and_why() -> None:
    """It can be sent back as it stands, reasons and all."""
    house = begun()
    zoe(house, *KEPT)

    told = write(house, ZOE, "SIGNON Vtry tulip9", "HINT")[0].body

    lines = told.partition("HINT FOR S1454M\n")[2].partition("\n\n")[0]
    assert "A Verona - Mantua\n  # takes Mantua\n" in lines
    zoe(house, *lines.splitlines())
    assert phase(house) != "S1454M"


def test_the_same_hint_is_asked_in_each_phase() -> None:
    """However many there are in one evening: each is answered."""
    house = begun()
    for number in range(24):
        told = write(house, ZOE, "SIGNON Vtry tulip9", "HINT")
        assert told, number
        lines = told[0].body.partition("HINT FOR ")[2].partition("\n\n")[0]
        zoe(house, *lines.splitlines()[1:])


@pytest.mark.parametrize("language", ["en", "es", "it"])
def test_a_hint_is_sent_back_as_it_stands_in_each_language(language: str) -> None:
    """Each of its orders is taken, and none of its reasons is reported as a line not read."""
    house = begun()
    zoe(house, *KEPT)
    asked = write(house, ZOE, "SIGNON Vtry tulip9", f"SET LANGUAGE {language}", "HINT")[0].body
    hint = asked.partition("S1454M\n")[2].partition("\n\n")[0].splitlines()
    assert sum(line.lstrip().startswith("#") for line in hint) == 4

    told = write(house, ZOE, "SIGNON Vtry tulip9", *hint)[0].body

    assert phase(house) == "U1454M"
    assert "#" not in told


def test_taking_back_twice_in_a_mail_names_what_to_send() -> None:
    """The player wrote TAKE BACK, and knows no other word for it."""
    house = begun()
    zoe(house, *KEPT)

    told = zoe(house, "TAKE BACK", "TAKE BACK")

    assert "Send TAKE BACK in a mail of its own" in told


@pytest.mark.parametrize("line", ["HINT", "TAKE BACK"])
def test_hints_and_taking_back_are_for_practice_only(line: str) -> None:
    """In a game of people they would be unfair."""
    house = started("nomoney")

    told = said(
        write(house, address_of(house, "L"), "SIGNON Lborgia pwL", line), "anna@player.example"
    )

    assert "nly practice games have that" in told


def test_bots_alone_do_not_play_on() -> None:
    """A player who is out takes a phase back, or leaves it at that."""
    house = begun()
    zoe(house, *KEPT)
    view = house.view("try")
    state = replace(view.state, eliminated=frozenset({PowerId("V")}))
    house.store.tables.phases[-1] = replace(view.phase, after=state)

    look_at_games(house.services, house.later(seconds=5), [GameId("try")])

    assert phase(house) == "S1454M"
    assert "Back to Fall 1453 adjustment" in zoe(house, "TAKE BACK")


def test_practice_that_is_left_ends_after_a_month() -> None:
    """Without reminders."""
    house = begun()
    for _ in range(31):
        house.later(days=1)
        look_at_games(house.services, house.now, [GameId("try")])

    game = house.game("try")
    assert game.status is Status.FINISHED
    assert game.ending is not None
    assert game.ending.end is End.TERMINATED
    (last,) = house.mails_out()
    assert "The practice game is over." in last.body
    told = zoe(house, "STATS try")
    assert "The practice game is over." in told
    assert "master" not in told.partition("STATS OF")[2].partition("\n\n")[0]
    assert "The master has broken" not in last.body


def test_an_empty_mail_to_the_address_for_practice_begins_one() -> None:
    """With a name and a password that the judge makes, once the address has answered."""
    house = House(confirm=True)
    raw = raw_mail(ZOE, [""], "")
    house.store.receive(raw, ZOE, house.now, recipient="judge+practice@mach.example")
    work(house)

    (asked,) = house.mails_out()
    assert not any(game.status is Status.RUNNING for game in house.store.tables.games.values())
    told = said(reply(house, asked, "yes"))

    (game,) = house.store.tables.games.values()
    assert game.status is Status.RUNNING
    assert game.name.startswith("practice-")
    assert f"{game.name} has begun: you against bots" in told


# --- open seats of other games ---------------------------------------------------------------


def vacated(house: House, power: str) -> None:
    """Nobody leads a power any more."""
    game = house.game()
    seat = next(seat for seat in game.seats if power in seat.powers)
    left = with_seat(game, replace(seat, person=None, address="", password=""))
    house.change(seats=left.seats)


def test_a_bot_leads_a_power_without_a_player_where_the_master_says_so() -> None:
    """Everybody is told, the listing names it, the phase waits for people only."""
    house = started("nodice")
    play(house, OPENING)
    house.change(settings=replace(house.game().settings, anonymous=False))
    vacated(house, "V")
    told = said(
        write(house, "lucia@player.example", "SIGNON Mborgia masterkey", "SET VACANT BOT"),
        "anna@player.example",
    )

    sent = play(house, SPRING, without="V")

    assert house.game().settings.vacant is BotPolicy.PLANNER
    assert "A bot (planner) orders for powers without a player" in told
    assert "A bot ordered for Venice." in said(sent, "anna@player.example")
    assert "Venice: a bot" in said(
        write(house, "anna@player.example", "SIGNON Lborgia pwL", "WHO"), "anna@player.example"
    )


def test_nobody_orders_for_open_seats_where_nobody_says_so() -> None:
    """As ever."""
    house = started("nodice")
    vacated(house, "V")

    play(house, OPENING, without="V")

    assert house.view().state.moment.code == "F1453B"


def test_a_game_with_bots_is_replayed_from_its_orders() -> None:
    """What a bot ordered is stored like any order."""
    house = begun()
    zoe(house, *KEPT)
    zoe(house, "A Padua H", "A Verona H", "F Dalmatia H", "G Venice H")

    checks = replay(house.services, GameId("try"))

    assert checks is not None
    assert all(check.is_kept and check.plays_again for check in checks)


def test_words_of_the_setting_are_read() -> None:
    """And others named."""
    house = started()
    master = ("lucia@player.example", "SIGNON Mborgia masterkey")

    for line, bots in {
        "SET VACANT BOT GREEDY": BotPolicy.GREEDY,
        "SET VACANT BOT HOLD": BotPolicy.HOLD,
        "SET VACANT NOBODY": None,
        "SET VACANT BOT": BotPolicy.PLANNER,
        "SET NOVACANT": None,
    }.items():
        write(house, *master, line)
        assert house.game().settings.vacant is bots, line
    assert "Write BOT, with HOLD" in said(write(house, *master, "SET VACANT MAYBE"), master[0])


def test_a_practice_game_needs_its_bots() -> None:
    """Its creator, who is its master, cannot send them away."""
    house = begun()

    told = said(write(house, ZOE, "SIGNON Mtry tulip9", "SET VACANT NOBODY"))

    assert "needs its bots" in told
    assert house.game("try").settings.vacant is BotPolicy.PLANNER


def test_nobody_else_comes_into_practice_uninvited() -> None:
    """Who guesses its name could take phases back."""
    house = begun()
    write(house, "dino@player.example", "REGISTER", "Name: Dino", "END")

    write(house, "dino@player.example", "SIGNON Itry hibiscus8")

    assert sum(seat.person is not None for seat in house.game("try").seats) == 2


def test_a_power_that_is_none_is_refused() -> None:
    """Nothing is made."""
    house = House()

    told = said(
        write(house, ZOE, "REGISTER", "Name: Zoe", "END", "CREATE ?try tulip9 PRACTICE AS Mordor")
    )

    assert "Mordor is no power of this scenario" in told
    assert not house.store.tables.games


def test_a_seat_of_practice_is_its_players() -> None:
    """Who also holds the master's."""
    seats = begun().game("try").seats

    assert [seat.role for seat in seats if seat.person] == [Role.MASTER, Role.PLAYER]


# --- the tutorial ----------------------------------------------------------------------------

LESSONS = {
    "en": ("Four mails, and you know the game", "Siena is yours. You have paid, bribed"),
    "es": ("Cuatro correos, y conoces el juego", "Siena es tuya. Has pagado, sobornado"),
    "it": ("Quattro mail, e conosci il gioco", "Siena è tua. Hai pagato, corrotto"),
}


def lesson(letters: list[Outgoing]) -> tuple[list[str], Outgoing]:
    """The lines that the newest lesson says to send, and its message."""
    letter = next(x for x in letters if any(f"\n{t}\n" in x.body for t in TITLES))
    title = next(t for t in FORMS if f"\n{t}\n" in letter.body)
    part = letter.body.partition(f"\n{title}\n")[2].partition("\n\n")[0]
    ends = next(n for n, line in enumerate(part.splitlines()) if line.startswith(SENDING))
    return part.splitlines()[:ends], letter


TITLES = ("LESSON", "LECCIÓN", "LEZIONE")
FORMS = ("LINES TO SEND BACK", "LÍNEAS PARA DEVOLVER", "RIGHE DA RIMANDARE")
SENDING = ("Send these orders", "Envía estas órdenes", "Manda questi ordini")


@pytest.mark.parametrize("language", LESSONS)
def test_a_newcomer_learns_the_game_in_four_mails(language: str) -> None:
    """Each lesson says what to send; sent as it stands it does what the next one tells of."""
    house = House()
    write(house, ZOE, "REGISTER", "Name: Zoe", "END", f"SET LANGUAGE {language}")
    sent = write(house, ZOE, "GET TUTORIAL")
    first, last = LESSONS[language]
    assert first in said(sent)

    for _ in range(4):
        lines, letter = lesson(sent)
        sent = reply(house, letter, *lines)

    name = next(name for name in house.store.tables.games if name.startswith("tutorial-"))
    state = house.view(name).state
    assert last in said(sent)
    assert state.moment.code == "F1454B"
    assert {state.cities[place] for place in ("sie", "pio", "flo")} == {"L"}


def test_a_lesson_is_taken_by_agreeing_to_it() -> None:
    """Its lines are those to send back, so that a telephone and a yes are enough."""
    house = House()
    write(house, ZOE, "REGISTER", "Name: Zoe", "END")
    sent = write(house, ZOE, "GET TUTORIAL")
    for _ in range(4):
        _, letter = lesson(sent)
        assert letter.body.count("LINES TO SEND BACK") == 1
        sent = reply(house, letter, "OK, thanks!", "", *gmail(letter.body.splitlines()))
        assert "Taken as offered" in said(sent)

    name = next(name for name in house.store.tables.games if name.startswith("tutorial-"))
    assert house.view(name).state.cities["sie"] == "L"


def test_who_watches_a_tutorial_gets_its_results_without_the_lesson() -> None:
    """And keeps no phase from being played."""
    house = House()
    write(house, ZOE, "REGISTER", "Name: Zoe", "END")
    sent = write(house, ZOE, "GET TUTORIAL")
    name = next(name for name in house.store.tables.games if name.startswith("tutorial-"))
    watcher = "dino@player.example"
    write(house, watcher, "REGISTER", "Name: Dino", "END", f"OBSERVE {name} tulip9")
    lines, letter = lesson(sent)

    sent = reply(house, letter, *lines)

    assert house.view(name).state.moment.code == "S1454M"
    assert "A bot ordered for" in said(sent, watcher)
    assert "LESSON" not in said(sent, watcher)


def test_the_attack_of_the_lesson_takes_what_is_not_defended() -> None:
    """And a newcomer who goes another way is told what to send from there."""
    house = House()
    write(house, ZOE, "REGISTER", "Name: Zoe", "END")
    sent = write(house, ZOE, "GET TUTORIAL")
    for _ in range(2):
        lines, letter = lesson(sent)
        sent = reply(house, letter, *lines)
    _, letter = lesson(sent)

    sent = reply(house, letter, "A flo - pst", "A sie - per", "F pio H")

    name = next(name for name in house.store.tables.games if name.startswith("tutorial-"))
    assert house.view(name).state.field["flo"].owner == "P"
    assert "It stands otherwise than in the lesson" in said(sent)
    lines, letter = lesson(sent)
    reply(house, letter, *lines)
    assert house.view(name).state.moment.code != "F1454M"


def test_neighbours_play_to_win_after_the_lessons() -> None:
    """The second year is practice like any other."""
    house = House()
    write(house, ZOE, "REGISTER", "Name: Zoe", "END")
    sent = write(house, ZOE, "GET TUTORIAL")
    for _ in range(5):
        lines, letter = lesson(sent)
        sent = reply(house, letter, *lines)
    name = next(name for name in house.store.tables.games if name.startswith("tutorial-"))
    before = house.view(name)
    assert before.state.moment.code == "S1455M"

    letter = next(x for x in sent if x.reply is not None)
    reply(house, letter, "A flo H", "A psa H", "A sie H", "F pio H")

    after = house.view(name)
    ordered = [line.canonical for lines in after.phase.orders.values() for line in lines]
    assert sum(" - " in line for line in ordered) > 7


def test_a_bot_for_open_seats_is_set_once() -> None:
    """The word for it is no setting of its own beside the first."""
    house = ruled("nodice")
    told = said(write(house, GINA, "SIGNON Mborgia masterkey", "SET VACANT BOT GREEDY"), GINA)

    assert house.game().settings.vacant is BotPolicy.GREEDY
    assert told.count("orders for powers without a player") == 1
    assert "(planner)" not in told
