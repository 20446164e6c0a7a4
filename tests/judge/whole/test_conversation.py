"""The dialogue of one game: who may do what, what is done, and what a wrong mail is answered."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from machjudge.adjudicator.names import PowerId
from machjudge.adjudicator.options import preset
from machjudge.judge.command_table import TABLE
from machjudge.judge.commands import Caller
from machjudge.judge.mails import Outgoing
from machjudge.judge.people import new_person, with_seat
from machjudge.judge.records import Role, Status
from machjudge.judge.rule_settings import FLAGS, is_on
from machjudge.judge.setup import take_seat
from machjudge.messages.layout import one_line
from tests.cases import cases
from tests.judge.house import House, built_once, started
from tests.judge.letters_in import answer, deliver, raw_mail, work, write
from tests.judge.year import OPENING, order, play
from tests.results_told import tells_results

ANNA = "anna@player.example"
GINA = "gina@player.example"
DINO = "dino@other.example"
FLAG = {flag.name: flag for flag in FLAGS}


@built_once
def forming(*options: str) -> House:
    """A game without players yet."""
    house = House()
    write(house, GINA, f"CREATE ?Borgia masterkey 1454 {' '.join(options)}")
    return house


# --- joining ---------------------------------------------------------------------------------


def test_game_starts_when_the_last_player_has_joined() -> None:
    """Eight signons, and everybody gets the first mail of the game."""
    house = forming()
    for number in range(7):
        write(house, f"p{number}@player.example", "SIGNON ?borgia tulip9")
    assert house.game().status is Status.FORMING

    sent = write(house, "p7@player.example", "SIGNON ?borgia tulip9")

    assert house.game().status is Status.RUNNING
    assert len([letter for letter in sent if "the game begins" in letter.subject]) == 9


def test_preferences_in_the_last_signon_count() -> None:
    """The powers are dealt at the end of the mail, not in its middle."""
    house = forming()
    for number in range(7):
        write(house, f"p{number}@player.example", "SIGNON ?borgia tulip9")
    write(house, "p7@player.example", "SIGNON ?borgia tulip9", "SET PREFERENCES V")

    (seat,) = [seat for seat in house.game().seats if seat.address == "p7@player.example"]
    assert seat.powers == ("V",)


def test_second_signon_while_the_game_forms_opens_the_own_seat() -> None:
    """Nobody takes two seats by writing twice."""
    house = forming()
    write(house, ANNA, "SIGNON ?borgia tulip9")
    write(house, ANNA, "SIGNON ?borgia tulip9", "SET PREFERENCES LV")

    (seat,) = [seat for seat in house.game().seats if seat.role is Role.PLAYER]
    assert seat.preferences == "LV"


def test_master_may_play_himself() -> None:
    """The creator joins like anybody else and has two seats then."""
    house = forming()
    write(house, GINA, "SIGNON ?borgia tulip9")

    assert [seat.role for seat in house.game().seats] == [Role.MASTER, Role.PLAYER]


def test_name_of_a_game_is_taken_once() -> None:
    """A second game of the same name, in any case of letters, is refused."""
    body = answer(write(forming(), ANNA, "CREATE ?BORGIA tulip9 1454"), ANNA)

    assert "take another name" in body


@cases
def test_wrong_beginnings_are_explained(line: str, says: str) -> None:
    """Anyone who creates or joins wrongly reads why."""
    body = " ".join(answer(write(forming(), ANNA, line), ANNA).split())

    assert says.lower() in body.lower()


def test_without_a_name_nobody_is_registered() -> None:
    """A mail without the sender's name asks for a registration, and changes nothing."""
    house = forming()
    raw = raw_mail(ANNA, ["SIGNON ?borgia tulip9"], name="")

    body = answer(deliver(house, raw, ANNA), ANNA)

    assert "register first" in body
    assert house.store.tables.persons.keys() == {house.game().master}


def test_new_game_has_the_default_flags_of_its_preset() -> None:
    """1454 is played by the judge rules: bank, adjacency, assassins, special units, famine."""
    house = forming()

    assert house.game().rules == preset("judge")
    body = answer(write(house, ANNA, "LIST Borgia"), ANNA)
    on, _, off = body.partition("RULES")[2].partition("TIMES")[0].partition("Off:")
    for flag in ("money", "dice", "loans", "famine", "assassinations", "special", "adjacency"):
        assert flag in on
    for flag in ("plague", "storms", "forts", "disband"):
        assert flag in off


@pytest.mark.parametrize("flag", ["famine", "plague", "storms", "assassinations", "loans"])
def test_flag_that_needs_dice_switches_them_on(flag: str) -> None:
    """SET-04: nodice switches all of these off, and each of them brings the dice back."""
    house = forming("nodice")

    assert not is_on(house.game().rules, FLAG[flag])
    write(house, GINA, "SIGNON Mborgia masterkey", f"SET {flag}")
    assert is_on(house.game().rules, FLAG[flag])
    assert house.game().rules.game.dice


def test_private_game_is_shown_to_its_people_only() -> None:
    """Others get the answer that a game without existence gets."""
    house = forming("private")

    strangers = answer(write(house, DINO, "LIST Borgia"), DINO)
    nobodys = answer(write(house, DINO, "LIST Nothing"), DINO)

    assert strangers.replace("Borgia", "") == nobodys.replace("Nothing", "")
    assert "is forming" in answer(write(house, GINA, "LIST Borgia"), GINA)


# --- passwords -------------------------------------------------------------------------------


@cases
def test_failed_signons_get_the_same_answer(house: House, line: str) -> None:
    """Nobody can tell which is wrong: the game, the seat or the password."""
    body = answer(write(house, DINO, line, "A flo - bol"), DINO)

    game = line.split()[1]
    assert body == answer(
        write(house, DINO, "SIGNON Lborgia wrongone", "A flo - bol"), DINO
    ).replace("Lborgia", game)
    assert house.on_file() == []


def test_no_answer_repeats_a_password(house: House) -> None:
    """Neither a right nor a wrong one, nor one behind a mistyped word."""
    lines = ["singon Lborgia secretword", "SIGNON L borgia secretword", "SET PASWORD secretword"]
    sent = write(house, DINO, *lines)
    sent += write(house, DINO, "SIGNON Lborgia secretword")
    sent += write(house, ANNA, "SIGNON Lborgia pwL", "SET PASSWORD secretword", "secretword - bol")

    assert all("secretword" not in letter.body + letter.subject for letter in sent)
    assert all(b"secretword" not in row.mail.raw for row in house.store.tables.inbox)


def test_new_password_opens_the_seat_and_the_old_one_does_not(house: House) -> None:
    """A changed password counts from the next mail on."""
    order(house, "L", "SET PASSWORD tulip99")

    write(house, ANNA, "SIGNON Lborgia pwL", "A flo h")
    assert house.on_file() == []
    write(house, ANNA, "SIGNON Lborgia tulip99", "A flo h")
    assert house.on_file() == ["A flo h"]


def test_orders_from_another_address_are_told_to_the_owner(house: House) -> None:
    """With the right password they count; the address of record gets the same answer."""
    sent = write(house, DINO, "SIGNON Lborgia pwL", "A flo h")

    assert {letter.to for letter in sent} == {DINO, ANNA}
    assert house.on_file() == ["A flo h"]


def test_address_of_the_seat_can_be_changed(house: House) -> None:
    """Letters go to the new address, and the old one is told."""
    sent = order(house, "L", "SET ADDRESS new@player.example")

    assert ANNA in {letter.to for letter in sent}
    broadcast = order(house, "V", "BROADCAST", "Peace", "ENDPRESS")
    assert "new@player.example" in {letter.to for letter in broadcast}
    assert ANNA not in {letter.to for letter in broadcast}


# --- who may do what -------------------------------------------------------------------------


_SAMPLES = {
    "set wait": "SET WAIT",
    "set preferences": "SET PREFERENCES LV",
    "set password": "SET PASSWORD tulip99",
    "set address": "SET ADDRESS x@player.example",
    "set deadline": "SET DEADLINE +48h",
    "set listed": "SET NOLISTED",
    "process": "PROCESS S1454M",
    "resign": "RESIGN",
    "press": "PRESS TO LV\nhello\nENDPRESS",
    "broadcast": "BROADCAST\nhello\nENDPRESS",
    "set money": "SET MONEY",
    "set cities": "SET CITIES 20",
    "preview": "PREVIEW",
    "rollback": "ROLLBACK",
    "fix": "FIX OWNER Florence CITY pst BECAUSE of a slip",
    "become": "BECOME Florence",
    "for": "FOR Florence",
    "promote": "PROMOTE Dino",
    "eject": "EJECT Venice",
    "force begin": "FORCE BEGIN",
    "set comment": "SET COMMENT be kind",
    "set allow player": "SET ALLOW PLAYER a@x.example",
    "set deny player": "SET DENY PLAYER a@x.example",
}
_SIGNONS = {
    Caller.PLAYER: "SIGNON Lborgia pwL",
    Caller.MASTER: "SIGNON Mborgia masterkey",
    Caller.CO_MASTER: "SIGNON Mborgia deputy99",
    Caller.OBSERVER: "OBSERVE borgia tulip9",
    Caller.ANYBODY: "",
}


def add_deputy(house: House) -> None:
    """Dino runs the game beside its master."""
    dino = new_person(house.services, DINO, "Dino", house.now)
    seat = take_seat(house.game(), Role.MASTER, dino, house.services.passwords.hash("deputy99"))
    house.store.tables.persons[dino.id] = dino
    house.store.tables.games[house.game().id] = with_seat(house.game(), seat)


@pytest.mark.parametrize("who", list(Caller))
@pytest.mark.parametrize("name", _SAMPLES)
def test_command_is_refused_to_whom_it_is_not_for(house: House, name: str, who: Caller) -> None:
    """Cell by cell: refused exactly where the table says so."""
    (entry,) = [entry for entry in TABLE if entry.name == name]
    sender = {Caller.PLAYER: ANNA, Caller.MASTER: "lucia@player.example"}.get(who, DINO)
    if who is Caller.CO_MASTER:
        add_deputy(house)

    sent = write(house, sender, _SIGNONS[who], *_SAMPLES[name].split("\n"))
    body = next(letter.body for letter in sent if letter.subject.startswith("Re:"))

    refused = "only." in body.lower() or "sign on first" in body.lower()
    assert refused is (who not in entry.who)


def test_one_mail_opens_one_game(house: House) -> None:
    """A second signon is refused, and nothing behind it is read."""
    body = answer(order(house, "L", "SIGNON Vborgia pwV", "A pad h"), ANNA)

    assert "one game only" in body
    assert house.on_file("V") == []


def test_end_of_a_mail_is_not_listed_as_overlooked(house: House) -> None:
    """QUIT or a refused line has ended it already; only what might have meant something is told."""
    body = answer(write(house, ANNA, "SIGNON Lborgia pwL", "QUIT", "F psa H", "SIGNOFF"), ANNA)

    assert "line 3: F psa H" in body
    assert "SIGNOFF" not in body


def test_nothing_behind_signoff_is_read(house: House) -> None:
    """Neither orders nor commands, and nothing is complained about."""
    body = answer(write(house, ANNA, "SIGNON Lborgia pwL", "SIGNOFF", "A flo h", "rubbish"), ANNA)

    assert house.on_file() == []
    assert "NOT" not in body.replace("NOT COMPLETE", "")


# --- playing ---------------------------------------------------------------------------------


def test_phase_is_played_when_all_orders_are_in() -> None:
    """The last complete order set starts it, and everybody gets the results."""
    house = started()

    sent = play(house, OPENING)

    assert house.view().state.moment.code == "S1454M"
    assert len([letter for letter in sent if tells_results(letter.body, "F1453B")]) == 8


def test_anyone_who_waits_keeps_the_phase_open() -> None:
    """With SET WAIT nothing is played before the deadline."""
    house = started()
    order(house, "L", "SET WAIT")

    play(house, OPENING)

    assert house.view().state.moment.code == "F1453B"


def test_nowait_lets_the_phase_go_at_once() -> None:
    """Taking the wish back plays a phase for which all orders are in."""
    house = started()
    order(house, "L", "SET WAIT")
    play(house, OPENING)

    order(house, "L", "NOWAIT")

    assert house.view().state.moment.code == "S1454M"


def test_master_has_the_phase_played_by_its_name(house: House) -> None:
    """With whatever orders are there."""
    sent = write(house, "lucia@player.example", "SIGNON Mborgia masterkey", "PROCESS S1454M")

    assert house.view().state.moment.code == "U1454M"
    assert any(tells_results(letter.body, "S1454M") for letter in sent)


@pytest.mark.parametrize("command", ["PROCESS", "PROCESS U1454M"])
def test_wrong_phase_is_not_played(house: House, command: str) -> None:
    """A master who names no phase, or the next one, is told which it is."""
    sent = write(house, "lucia@player.example", "SIGNON Mborgia masterkey", command)

    assert house.view().state.moment.code == "S1454M"
    assert "PROCESS S1454M" in answer(sent, "lucia@player.example")


def test_silent_power_keeps_what_it_can_pay_for() -> None:
    """In an adjustment that the master has played nobody loses an army for a missed mail."""
    house = started("nodice")

    write(house, "lucia@player.example", "SIGNON Mborgia masterkey", "PROCESS F1453B")

    view = house.view()
    assert len(view.state.units_of(PowerId("L"))) == 3
    assert view.phase.orders[PowerId("L")][0].mail is None


def test_deadline_is_moved_and_everybody_told(house: House) -> None:
    """The new instant stands in the head of the letters."""
    line = "SET DEADLINE 30 Nov 2026 20:00 UTC"
    sent = write(house, "lucia@player.example", "SIGNON Mborgia masterkey", line)

    assert len(sent) == 8
    assert all("Mon Nov 30 2026 20:00:00 +0000" in letter.body for letter in sent)


def test_deadline_in_the_past_is_refused(house: House) -> None:
    """Time does not go backwards."""
    line = "SET DEADLINE 2026-11-01 20:00"
    sent = write(house, "lucia@player.example", "SIGNON Mborgia masterkey", line)

    assert "is over" in answer(sent, "lucia@player.example")


def test_set_of_rules_changes_only_before_the_game(house: House) -> None:
    """A running game keeps its preset."""
    sent = write(house, "lucia@player.example", "SIGNON Mborgia masterkey", "SET PRESET judge")

    assert "keeps its set of rules" in answer(sent, "lucia@player.example")
    assert not house.game().rules.game.money


def test_flags_are_set_before_the_game() -> None:
    """``set nomoney, nodice`` in one line."""
    house = forming()
    write(house, GINA, "SIGNON Mborgia masterkey", "SET NOMONEY, NODICE")

    assert not house.game().rules.game.money
    assert not house.game().rules.game.dice


# --- press -----------------------------------------------------------------------------------


def press(house: House, *lines: str) -> list[Outgoing]:
    """Press of Florence; the letters to the others."""
    return [letter for letter in order(house, "L", *lines) if letter.to != ANNA]


@pytest.mark.parametrize(
    ("words", "readers"),
    [
        ("IV", {"lucia", "marco"}),
        ("milan venice", {"lucia", "marco"}),
        ("Milan, Venice", {"lucia", "marco"}),
        ("ven", {"marco"}),
        ("M", {"lucia"}),
        ("all but PNTAF", {"lucia", "marco"}),
    ],
)
def test_press_goes_to_those_who_are_named(house: House, words: str, readers: set[str]) -> None:
    """Letters, names, beginnings of names, a mixture, or all but some."""
    sent = press(house, f"PRESS TO {words}", "Shall we meet?", "ENDPRESS")

    assert {letter.to.partition("@")[0] for letter in sent} == readers


def test_broadcast_goes_to_everybody(house: House) -> None:
    """Seven others at eight seats."""
    assert len(press(house, "BROADCAST", "Peace", "ENDPRESS")) == 7


def test_press_to_nobody_is_refused(house: House) -> None:
    """A word that means nobody is named, and its text is no order."""
    body = answer(order(house, "L", "PRESS TO Sparta", "A flo h", "ENDPRESS"), ANNA)

    assert "'Sparta' is nobody here" in body
    assert house.on_file() == []


def test_nothing_in_press_is_read_as_a_command(house: House) -> None:
    """Orders and commands within a message stay words."""
    order(house, "L", "BROADCAST", "A flo h", "RESIGN", "ENDPRESS", "A are h")

    assert house.on_file() == ["A are h"]


def test_press_without_an_end_goes_to_the_end_of_the_mail(house: House) -> None:
    """As in a mail whose writer forgot it."""
    sent = press(house, "BROADCAST", "Peace to all.", "A good year to you.")

    assert "A good year to you." in sent[0].body


def test_press_with_a_signon_in_it_goes_out_without_the_password(house: House) -> None:
    """Anyone who forgets the end of his press betrays no password."""
    sent = press(house, "BROADCAST", "Peace", "SIGNON Lborgia pwL", "pwL is it")

    assert all("pwL" not in letter.body for letter in sent)


def test_forged_header_lines_in_press_stay_press(house: House) -> None:
    """No line of a message can begin with two colons."""
    sent = press(house, "BROADCAST", ":: Deadline: never", "ENDPRESS")

    lines = sent[0].body.splitlines()
    assert ":: Deadline: never" not in lines
    assert "  :: Deadline: never" in lines


def test_anonymous_press_is_not_sent_signed(house: House) -> None:
    """Who wants to be unknown is not betrayed by a judge that has only signed press."""
    sent = order(house, "L", "PRESS TO V GREY", "marigold", "ENDPRESS")

    assert {letter.to for letter in sent} == {ANNA}


@pytest.mark.parametrize(
    "command", ["PHASE nonsense", "IF A BOL", "BECOME VENICE", "POSTAL PRESS", "PRESS"]
)
def test_orders_behind_a_command_that_failed_are_not_taken(house: House, command: str) -> None:
    """An order for another phase, or for another power, must not count now."""
    body = answer(order(house, "L", command, "A flo - bol"), ANNA)

    assert house.on_file() == []
    assert "NOT TAKEN" in body


# --- bad input -------------------------------------------------------------------------------


def test_forged_line_in_a_subject_stays_in_the_subject(house: House) -> None:
    """A subject with an encoded line break neither adds a header nor a line of the body."""
    raw = raw_mail(ANNA, ["HELP"]).replace(
        b"Subject: Orders", b"Subject: =?utf-8?q?Orders=0D=0ABcc:_all=40x.example?="
    )

    (letter,) = deliver(house, raw, ANNA)

    assert one_line(letter.subject) == letter.subject
    assert letter.subject.startswith("Re: MACH: Orders")


def test_name_with_control_characters_is_cleaned() -> None:
    """What others see of a name is one line of it."""
    house = House()
    forged = b"From: =?utf-8?q?Anna=0D=0ABcc=3A_x=07=E2=80=AE?="
    raw = raw_mail(ANNA, ["REGISTER", "END"]).replace(b"From: Anna", forged)
    deliver(house, raw, ANNA)

    (person,) = house.store.tables.persons.values()
    assert person.name == "Anna Bcc: x"


def test_unknown_command_is_answered_with_the_nearest(house: House) -> None:
    """A slip of the finger is named and mended."""
    body = answer(order(house, "L", "A flo h", "brodcast"), ANNA)

    assert "BROADCAST" in body
    assert house.on_file() == ["A flo h"]


def test_unknown_game_does_not_cost_the_rest_of_the_mail(house: House) -> None:
    """A question about a game that is not there leaves the orders alone."""
    body = answer(order(house, "L", "LIST nogame", "A flo h"), ANNA)

    assert "no game of that name" in body
    assert house.on_file() == ["A flo h"]


def test_orders_of_an_observer_are_refused(house: House) -> None:
    """Only players give orders."""
    body = answer(write(house, DINO, "OBSERVE borgia tulip9", "A flo h"), DINO)

    assert "NOT READ" in body
    assert house.on_file() == []


def test_five_thousand_lines_get_a_short_answer(house: House) -> None:
    """Of a flood of wrong lines a few are explained and the rest counted."""
    body = answer(order(house, "L", "A flo h", *["A flo - psaa"] * 5000), ANNA)

    assert len(body) < 12_000
    assert "more lines could not be taken" in body
    assert house.on_file() == ["A flo h"]


def test_noise_is_answered_or_ignored_and_never_a_fault(house: House) -> None:
    """Bytes that are no mail leave the inbox, and nothing is set aside."""
    for raw in (
        b"",
        b"\x00" * 1000,
        b"\xff\xfe\x00garbage",
        b"From: a@b.c\n\n\x00SIGNON Lborgia pwL",
    ):
        house.store.receive(raw, "x@y.example", house.now)
    work(house)

    assert all(row.outcome is not None for row in house.store.tables.inbox)


@given(st.lists(st.text(max_size=80), max_size=8))
def test_any_lines_are_answered(lines: list[str]) -> None:
    """Whatever is written behind a signon, one answer comes back, and no mail is set aside."""
    house = _RUNNING
    raw = raw_mail(ANNA, ["SIGNON Lborgia pwL"])
    sent = deliver(house, raw + "\n".join(lines).encode("utf-8", "replace"), ANNA)

    assert all(row.aside is None and row.outcome is not None for row in house.store.tables.inbox)
    assert len([letter for letter in sent if letter.to == ANNA]) <= 2


_RUNNING = started("nomoney")


# --- what nobody may see ---------------------------------------------------------------------


def test_master_who_plays_sees_nobodys_orders() -> None:
    """He learns whose orders are complete, and no more."""
    house = started("nomoney")
    order(house, "L", "A flo - bol")

    sent = write(house, "lucia@player.example", "SIGNON Mborgia masterkey")

    body = answer(sent, "lucia@player.example")
    assert "A Florence - Bologna" not in body
    assert "2 orders of Florence missing" in body


def test_master_who_does_not_play_sees_what_is_on_file() -> None:
    """He needs it to help, and has nothing to gain."""
    house = forming("nomoney")
    for number in range(8):
        write(house, f"p{number}@player.example", "SIGNON ?borgia tulip9")
    leader = next(seat for seat in house.game().seats if "L" in seat.powers)
    write(house, leader.address, "SIGNON Lborgia tulip9", "A flo - bol")

    assert "A Florence - Bologna" in answer(write(house, GINA, "SIGNON Mborgia masterkey"), GINA)


def test_orders_are_seen_by_nobody_else_before_their_phase() -> None:
    """Not in listings, press, notices or the answers of others."""
    house = started("nomoney")
    order(house, "L", "A flo - bol")

    sent = order(house, "V", "LIST", "WHO", "BROADCAST", "Peace", "ENDPRESS", "A pad h")
    sent += write(house, DINO, "OBSERVE borgia tulip9", "LIST borgia", "MAP borgia")

    assert all("A Florence - Bologna" not in letter.body for letter in sent)


def test_partial_press_is_seen_by_its_readers_only(house: House) -> None:
    """Neither the master nor the others get a copy."""
    sent = order(house, "L", "PRESS TO V", "marigold", "ENDPRESS")

    knowing = {letter.to for letter in sent if "marigold" in letter.body}
    assert knowing == {ANNA, "marco@player.example"}


def test_secret_of_the_dice_is_in_no_letter() -> None:
    """Only its SHA-256 is."""
    house = House()
    house.start(keep_mails=True)
    play(house, OPENING)
    sent = house.mails_out() + order(house, "L", "LIST")

    secret = house.game().secret
    assert all(secret.hex() not in letter.body for letter in sent)
    assert all(str(secret) not in letter.body for letter in sent)


def test_addresses_of_others_are_in_no_letter(house: House) -> None:
    """Names only: who plays, who talks, who watches."""
    sent = order(house, "V", "LIST", "WHO", "BROADCAST", "Peace", "ENDPRESS")
    sent += write(house, DINO, "OBSERVE borgia tulip9", "LIST borgia")

    for letter in sent:
        others = {seat.address for seat in house.game().seats} - {letter.to}
        assert not any(address in letter.body for address in others)


def test_changed_registration_is_told_to_its_owner(house: House) -> None:
    """A forged sender who wants the answer elsewhere cannot keep the owner from knowing."""
    lines = ["REGISTER", "Name: Somebody Else", "END"]
    raw = b"Reply-To: thief@other.example\n" + raw_mail(ANNA, lines)

    sent = deliver(house, raw, ANNA)

    assert {letter.to for letter in sent} == {ANNA}


def test_lines_that_nobody_reads_say_why() -> None:
    """An observer learns who gives orders, a stranger what comes before them."""
    house = started()
    watched = answer(write(house, DINO, "OBSERVE borgia tulip9", "LIST borgia", "A flo h"), DINO)
    unsigned = answer(write(house, DINO, "VERSION", "A flo h"), DINO)

    assert "  line 3: A flo h\n  Only players give orders.\n" in watched
    assert "  line 2: A flo h\n  Orders need a SIGNON line above them.\n" in unsigned
