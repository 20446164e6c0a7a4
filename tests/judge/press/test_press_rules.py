"""The press rules of a game: each is set, told, kept, and no text is lost where one forbids it."""

from dataclasses import replace
from datetime import timedelta
from email.message import EmailMessage

import pytest

from machjudge.adjudicator.options import with_option
from machjudge.judge.game_settings import Fakes, FromLate, FromObservers, PressRules, Tones
from machjudge.judge.mails import Outgoing
from machjudge.judge.people import new_person, with_seat
from machjudge.judge.records import Role
from tests.cases import cases
from tests.judge.house import House, built_once, started
from tests.judge.letters_in import answer, deliver, write
from tests.judge.year import SPRING, address_of, order, play

ANNA, LUCIA, MARCO, DINO = (f"{name}@player.example" for name in ("anna", "lucia", "marco", "dino"))
OGLE = "ogle@watch.example"


@pytest.fixture
def house() -> House:
    """1454 without money; Anna leads Florence; Dino, who does not play, is the master."""
    return with_master()


@built_once
def with_master(**rules: object) -> House:
    """A running game with a master who does not play, an observer, and these press rules."""
    house = started("nomoney")
    game = house.game()
    dino = new_person(house.services, DINO, "Dino", house.now)
    house.store.tables.persons[dino.id] = dino
    seats = tuple(
        replace(seat, person=dino.id, address=DINO) if seat.role is Role.MASTER else seat
        for seat in game.seats
    )
    settings = replace(game.settings, press=replace(PressRules(), **rules))
    house.store.tables.games[game.id] = replace(
        game, seats=seats, master=dino.id, settings=settings
    )
    write(house, OGLE, "REGISTER", "Name: Ogle", "END", "OBSERVE borgia tulip9")
    return house


def press(house: House, *lines: str, sender: str = "L") -> list[Outgoing]:
    """What Florence writes, and the letters that come of it; no late notices."""
    return [
        one
        for one in order(house, sender, *lines)
        if "late" not in one.subject and "waiting for" not in one.subject
    ]


def to_others(sent: list[Outgoing], writer: str = ANNA) -> dict[str, Outgoing]:
    """The letters to all but the writer, by the names of their readers."""
    return {one.to.partition("@")[0]: one for one in sent if one.to != writer}


def refused(sent: list[Outgoing], reason: str, text: str = "marigold") -> None:
    """Nothing went out; the writer has the reason and his text."""
    body = answer(sent, ANNA)

    assert to_others(sent) == {}
    assert reason.replace(" ", "") in body.replace("\n", "").replace(" ", "")
    assert f"YOUR TEXT, WHICH WAS NOT SENT\n  {text}\n" in body


# --- settings ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "field", "value", "told"),
    [
        ("SET WHITE", "tones", Tones.WHITE, "Press is signed (white)."),
        ("SET GREY", "tones", Tones.GREY, "Press is anonymous (grey)."),
        ("SET WHITE/GREY", "tones", Tones.WHITE_GREY, "or anonymous (grey) on request."),
        ("SET PRESS GREY/WHITE", "tones", Tones.GREY_WHITE, "or signed (white) on request."),
        ("SET PRESS NONE", "tones", Tones.NONE, "No press, except to the master."),
        ("SET NO PRESS", "tones", Tones.NONE, "No press, except to the master."),
        ("SET NONE", "tones", Tones.NONE, "No press, except to the master."),
        ("SET NOPARTIAL", "partial", False, "To all only."),
        ("SET PARTIAL MAY BE FAKED", "fakes", Fakes.MAY, "Press to some may be faked:"),
        ("SET FAKE PRESS", "fakes", Fakes.MAY, "it may say that it went to others."),
        ("SET PARTIAL FAKES BROADCAST", "fakes", Fakes.BROADCAST, "Press to some is faked:"),
        ("SET OBSERVER WHITE", "observers", FromObservers.WHITE, "write with their names."),
        ("SET OBSERVER NO", "observers", FromObservers.NONE, "write to the master only."),
        (
            "SET NO LATE PRESS",
            "late",
            FromLate.NONE,
            "Players who are late write to the master only.",
        ),
        ("SET LATE PRESS PARTIAL", "late", FromLate.PARTIAL, "Players who are late write to some"),
        ("SET LATE PRESS BROADCAST", "late", FromLate.BROADCAST, "late write to all only."),
        ("SET NOGRACE PRESS", "grace", False, "None between deadline and results."),
        ("SET MUST ORDER", "must_order", True, "Players write once they have ordered."),
        ("SET POSTAL PRESS", "postal", True, "Postal press comes with the results."),
        ("SET WATCH ALL PRESS", "watched", True, "Observers may read along press to some."),
    ],
)
def test_a_rule_is_set_and_told(house: House, line, field, value, told) -> None:
    """By the master; everybody reads the rules as they are now, and so does the listing."""
    house.store.tables.games[house.game().id] = replace(
        house.game(),
        settings=replace(house.game().settings, press=PressRules(Tones.WHITE, late=FromLate.ANY)),
    )
    if value is Tones.WHITE:
        write(house, DINO, "SIGNON Mborgia masterkey", "SET GREY")

    sent = write(house, DINO, "SIGNON Mborgia masterkey", line)
    listing = answer(write(house, "x@far.example", "LIST borgia"), "x@far.example")

    assert getattr(house.game().settings.press, field) is value
    assert all(told in one.body for one in sent)
    assert len(sent) == 10
    assert told in listing


@cases
def test_a_bad_setting_is_explained(house: House, line, says) -> None:
    """Nothing changes, and the master learns what there is."""
    body = answer(write(house, DINO, "SIGNON Mborgia masterkey", line), DINO)

    assert says in " ".join(body.split())
    assert house.game().settings.press == PressRules()


def test_players_do_not_set_the_rules(house: House) -> None:
    """They are the master's."""
    body = answer(order(house, "L", "SET GREY"), ANNA)

    assert "That is for the master or co-masters only." in body


# --- signed, anonymous ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tones", "words", "signed"),
    [
        (Tones.WHITE, "", True),
        (Tones.GREY, "", False),
        (Tones.WHITE_GREY, "", True),
        (Tones.WHITE_GREY, " GREY", False),
        (Tones.GREY_WHITE, "", False),
        (Tones.GREY_WHITE, " WHITE", True),
    ],
)
def test_press_is_signed_as_the_game_and_its_writer_say(tones, words, signed) -> None:
    """The first of two tones is meant where nothing is said."""
    house = with_master(tones=tones)
    letters = to_others(press(house, f"BROADCAST{words}", "marigold", "ENDPRESS"))

    assert ("Florence" in letters["marco"].body) is signed
    assert ("broadcast from Florence" if signed else "anonymous broadcast") in letters[
        "marco"
    ].subject


@pytest.mark.parametrize(
    ("rules", "line", "reason"),
    [
        ({}, "PRESS TO V GREY", "Press is signed in this game."),
        ({"tones": Tones.GREY}, "PRESS TO V WHITE", "Press is anonymous in this game."),
        ({"tones": Tones.NONE}, "BROADCAST", "There is no press in this game"),
        ({"tones": Tones.NONE}, "PRESS TO V", "There is no press in this game"),
        ({"partial": False}, "PRESS TO V", "There is no press to some in this game"),
        ({}, "PRESS TO V FAKE TO I", "No press is faked in this game."),
        ({"fakes": Fakes.MAY}, "BROADCAST FAKE TO I", "A broadcast cannot be faked"),
        ({"fakes": Fakes.MAY}, "PRESS TO M FAKE TO I", "always signed, and never faked"),
        ({"tones": Tones.GREY}, "PRESS TO M GREY", "always signed, and never faked"),
        ({}, "PRESS TO XYZZY", "'XYZZY' is nobody here"),
        ({}, "PRESS TO PA", "'PA' may be Papacy or Papacy and Austria; write P or P A."),
        ({"fakes": Fakes.MAY}, "PRESS TO V FAKE TO PA", "'PA' may be Papacy or Papacy and Austria"),
        ({}, "PRESS TO L", "Nobody is there to read it."),
    ],
)
def test_what_is_not_allowed_comes_back(rules, line, reason) -> None:
    """With the reason and the text; nobody else gets a letter."""
    refused(press(with_master(**rules), line, "marigold", "ENDPRESS"), reason)


@pytest.mark.parametrize("tones", list(Tones))
def test_press_to_the_master_is_always_allowed_and_signed(tones) -> None:
    """Whatever the other rules are, and however late the writer is."""
    rules = {"partial": False, "late": FromLate.NONE, "grace": False, "must_order": True}
    house = with_master(tones=tones, **rules)
    house.later(days=8)
    letters = to_others(press(house, "PRESS TO M", "marigold", "ENDPRESS"))

    assert set(letters) == {"dino"}
    assert "Press from Florence to the master:" in letters["dino"].body


@pytest.mark.parametrize("tones", list(Tones))
def test_the_master_writes_always_and_with_his_name(tones) -> None:
    """To all and to some; he cannot be made to be silent, nor be unknown."""
    house = with_master(tones=tones, partial=False, grace=False)
    sent = write(house, DINO, "SIGNON Mborgia masterkey", "PRESS TO L", "marigold", "ENDPRESS")
    grey = write(house, DINO, "SIGNON Mborgia masterkey", "BROADCAST GREY", "marigold", "ENDPRESS")

    assert "Press from the master to Florence:" in answer(sent, ANNA)
    assert [one.to for one in grey] == [DINO]


def test_a_master_who_plays_is_no_hidden_reader() -> None:
    """He reads of anonymous press what players read, and who names him must sign."""
    house = started("nomoney")
    house.change_settings(press=PressRules(Tones.WHITE_GREY))

    letters = to_others(press(house, "BROADCAST GREY", "marigold", "ENDPRESS"))
    back = press(house, "PRESS GREY TO IM", "marigold", "ENDPRESS")

    assert "Florence" not in letters["lucia"].body
    refused(back, "The master plays, and press to the master is signed")


def test_a_master_who_does_not_play_reads_the_truth() -> None:
    """Who wrote it, and to whom it went; the writer knows that."""
    house = with_master(tones=Tones.WHITE_GREY, fakes=Fakes.MAY)
    sent = press(house, "PRESS GREY TO VM FAKE BROADCAST", "marigold", "ENDPRESS")
    letters = to_others(sent)

    assert set(letters) == {"marco", "dino"}
    assert "Anonymous broadcast to everybody:" in letters["marco"].body
    assert "Florence" not in letters["marco"].body
    assert "Anonymous press from Florence to Venice and the master:" in letters["dino"].body
    assert "Its readers are told:\n  Anonymous broadcast to everybody" in letters["dino"].body
    told = "The master can see that you wrote it and to whom it really went."
    assert told in answer(sent, ANNA)


def test_observers_sign_where_the_game_says_so() -> None:
    """Although players may be unknown."""
    house = with_master(tones=Tones.GREY, observers=FromObservers.WHITE)
    sent = write(house, OGLE, "SIGNON Oborgia tulip9", "BROADCAST", "marigold", "ENDPRESS")
    grey = write(house, OGLE, "SIGNON Oborgia tulip9", "BROADCAST GREY", "marigold", "ENDPRESS")

    assert "Broadcast from Ogle (observer) to everybody:" in answer(sent, ANNA)
    assert "Observers sign their press in this game." in answer(grey, OGLE)


def test_observers_may_be_silenced() -> None:
    """They still reach the master."""
    house = with_master(observers=FromObservers.NONE)
    sent = write(house, OGLE, "SIGNON Oborgia tulip9", "BROADCAST", "marigold", "ENDPRESS")
    master = write(house, OGLE, "SIGNON Oborgia tulip9", "PRESS TO M", "marigold", "ENDPRESS")

    assert "marigold" in answer(sent, OGLE)
    assert [one.to for one in sent] == [OGLE]
    assert {one.to for one in master} == {OGLE, DINO}


def test_nobody_passes_for_a_power_by_his_name() -> None:
    """An observer who calls himself Venice is shown by another name, as an observer."""
    house = with_master()
    write(house, "v@far.example", "REGISTER", "Name: Venice", "END", "OBSERVE borgia tulip8")
    sent = write(house, "v@far.example", "SIGNON Oborgia tulip8", "BROADCAST", "hear me")

    assert "Broadcast from Guest 2 (observer) to everybody:" in answer(sent, ANNA)


# --- faked ------------------------------------------------------------------------------------


def test_faked_press_says_that_it_went_to_others() -> None:
    """Its one reader reads a list, which may hold the writer himself."""
    house = with_master(fakes=Fakes.MAY)
    letters = to_others(press(house, "PRESS TO V FAKE TO ILV", "marigold", "ENDPRESS"))

    assert set(letters) == {"marco"}
    assert "Press from Florence to Milan, Venice and Florence:" in letters["marco"].body.replace(
        "Florence, Milan and Venice", "Milan, Venice and Florence"
    )


def test_press_to_some_looks_like_a_broadcast_where_the_game_says_so() -> None:
    """Unless its writer does not want that; the receipt says which it was."""
    house = with_master(fakes=Fakes.BROADCAST)
    faked = press(house, "PRESS TO V", "marigold", "ENDPRESS")
    plain = press(house, "PRESS TO V NO FAKE", "marigold", "ENDPRESS")

    assert to_others(faked)["marco"].subject.startswith("borgia: broadcast from Florence (")
    assert "It says that it went to everybody:" in answer(faked, ANNA)
    assert to_others(plain)["marco"].subject.startswith("borgia: press from Florence to Venice (")


# --- time -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("late", "line", "reason"),
    [
        (FromLate.PARTIAL, "BROADCAST", "you write to some only"),
        (FromLate.BROADCAST, "PRESS TO V", "you write to all only"),
        (FromLate.NONE, "BROADCAST", "you write no press"),
        (FromLate.NONE, "PRESS TO V", "you write no press"),
        (FromLate.PARTIAL, "PRESS TO V", ""),
        (FromLate.BROADCAST, "BROADCAST", ""),
        (FromLate.ANY, "BROADCAST", ""),
    ],
)
def test_the_late_write_what_the_game_lets_them(late, line, reason) -> None:
    """After the deadline, as long as their own orders are missing."""
    house = with_master(late=late)
    in_time = press(house, line, "marigold", "ENDPRESS")
    house.later(days=8)
    sent = press(house, line, "marigold", "ENDPRESS")

    assert to_others(in_time)
    if reason:
        refused(sent, reason)
    else:
        assert to_others(sent)


def test_anyone_who_orders_in_the_same_mail_is_late_no_more() -> None:
    """Orders above the press count, although they are filed at the end of the mail."""
    house = with_master(late=FromLate.NONE, must_order=True)
    house.later(days=8)
    sent = press(house, "A flo h", "A are h", "F psa h", "BROADCAST", "marigold", "ENDPRESS")

    assert "marigold" in to_others(sent)["marco"].body


def test_nobody_writes_in_the_grace_where_there_is_no_grace_press() -> None:
    """Not even those who are not late."""
    house = with_master(grace=False)
    press(house, "A flo h", "A are h", "F psa h")
    house.later(days=8)

    refused(press(house, "PRESS TO V", "marigold"), "There is no press between the deadline")


def test_players_order_first_where_they_must() -> None:
    """Any order will do; observers and the master owe none."""
    house = with_master(must_order=True)
    early = press(house, "PRESS TO V", "marigold", "ENDPRESS")
    later = press(house, "A flo h", "PRESS TO V", "marigold", "ENDPRESS")
    watching = write(house, OGLE, "SIGNON Oborgia tulip9", "BROADCAST", "marigold", "ENDPRESS")

    refused(early, "Order first: players write once their orders are on file")
    assert to_others(later)
    assert to_others(watching, OGLE)


def test_nobody_talks_with_an_excommunicated_power() -> None:
    """Where that is the ban: not it with others, not others with it; the master hears all."""
    house = with_master()
    house.change(rules=with_option(house.game().rules, "excommunication", "no_talk"))
    ban = {"P": (*SPRING["P"], "excommunicate Florence"), "I": SPRING["I"][:3]}
    play(house, {**SPRING, **ban})

    refused(press(house, "PRESS TO V", "marigold"), "with Florence, which is excommunicated")
    refused(press(house, "BROADCAST", "marigold"), "with Florence, which is excommunicated")
    assert to_others(press(house, "PRESS TO M", "marigold", "ENDPRESS"))
    assert "with Florence, which is excommunicated" in answer(
        press(house, "PRESS TO L", "marigold", "ENDPRESS", sender="V"), address_of(house, "V")
    ).replace("\n ", "")
    assert ANNA in {one.to for one in press(house, "BROADCAST", "hello", "ENDPRESS", sender="V")}


# --- reading along, or not --------------------------------------------------------------------


def test_an_observer_gets_no_broadcasts_if_he_wishes() -> None:
    """Nor does he miss anything else."""
    house = with_master()
    write(house, OGLE, "SIGNON Oborgia tulip9", "SET NOBROADCAST")
    first = to_others(press(house, "BROADCAST", "marigold", "ENDPRESS"))
    direct = to_others(press(house, "PRESS TO O", "marigold", "ENDPRESS"))
    write(house, OGLE, "SIGNON Oborgia tulip9", "SET BROADCAST")
    again = to_others(press(house, "BROADCAST", "marigold", "ENDPRESS"))

    assert "ogle" not in first
    assert "ogle" in direct
    assert "ogle" in again


def test_a_master_reads_along_in_silence() -> None:
    """Only if he wishes, and neither writer nor readers are told."""
    house = with_master()
    plain = press(house, "PRESS TO V", "marigold", "ENDPRESS")
    write(house, DINO, "SIGNON Mborgia masterkey", "SET ALL PRESS")
    sent = press(house, "PRESS TO V", "marigold", "ENDPRESS")

    assert set(to_others(plain)) == {"marco"}
    assert set(to_others(sent)) == {"marco", "dino"}
    assert "You read along; nobody is told." in to_others(sent)["dino"].body
    assert answer(sent, ANNA) == answer(plain, ANNA)
    assert answer(sent, MARCO) == answer(plain, MARCO)


@pytest.mark.parametrize("watched", [True, False])
def test_observers_read_along_where_the_game_lets_them(watched) -> None:
    """What they read is what the readers are told."""
    house = with_master(watched=watched, tones=Tones.GREY)
    body = answer(write(house, OGLE, "SIGNON Oborgia tulip9", "SET ALL PRESS"), OGLE)
    letters = to_others(press(house, "PRESS TO V", "marigold", "ENDPRESS"))

    assert ("Observers do not read along in this game." in body) is not watched
    assert ("ogle" in letters) is watched
    assert not watched or "Florence" not in letters["ogle"].body


def test_anyone_who_plays_never_reads_along() -> None:
    """As a master, or from a second seat as an observer (ADR 12)."""
    house = started("nomoney")
    house.change_settings(press=PressRules(watched=True))
    write(house, MARCO, "OBSERVE borgia tulip9")
    as_master = write(house, LUCIA, "SIGNON Mborgia masterkey", "SET ALL PRESS")
    as_observer = write(house, MARCO, "SIGNON Oborgia tulip9", "SET ALL PRESS")
    letters = to_others(press(house, "PRESS TO N", "marigold", "ENDPRESS"))

    assert "Players cannot read press of others." in answer(as_master, LUCIA)
    assert "Players cannot read press of others." in answer(as_observer, MARCO)
    assert {one.to for one in letters.values()} == {address_of(house, "N")}


def test_a_wish_to_read_along_ends_when_its_owner_plays() -> None:
    """An observer with copies who takes over a seat gets none any more."""
    house = with_master(watched=True)
    write(house, OGLE, "SIGNON Oborgia tulip9", "SET ALL PRESS")
    write(house, DINO, "SIGNON Mborgia masterkey", "EJECT Naples")
    write(house, OGLE, "SIGNON Nborgia tulip77")
    letters = to_others(press(house, "PRESS TO V", "marigold", "ENDPRESS"))

    assert set(letters) == {"marco"}


def test_a_successor_has_his_own_wishes_and_no_old_press() -> None:
    """Neither the press nor the diary of the former player is theirs."""
    house = with_master()
    press(house, "PRESS TO V", "marigold", "ENDPRESS", "DIARY", "tansy", "ENDPRESS")
    press(house, "SET OPEN DIARY")
    write(house, DINO, "SIGNON Mborgia masterkey", "EJECT Florence", "EJECT Venice")
    for letter in "LV":
        write(house, OGLE, f"SIGNON {letter}borgia tulip77")
    lines = ["HISTORY", "DIARY LIST", "DIARY READ 1"]
    bodies = [
        answer(write(house, OGLE, f"SIGNON {letter}borgia tulip77", *lines), OGLE)
        for letter in "LV"
    ]

    assert not any("marigold" in body or "tansy" in body for body in bodies)
    assert not any(seat.wishes.open_diary for seat in house.game().seats)


# --- a text is never lost, and never read as a command ----------------------------------------


@cases
def test_the_text_of_a_malformed_press_is_no_order(house: House, command) -> None:
    """It comes back, and nothing in it is read as an order or a command."""
    text = ["", "A flo - bol", "RESIGN", "SET PASSWORD hurray99", "", "marigold"]
    sent = press(house, command, *text, "ENDPRESS", "A are h")
    body = answer(sent, ANNA)

    assert [line.canonical for line in house.view().order_sets["L"].lines] == ["A are h"]
    assert to_others(sent) == {}
    assert "YOUR TEXT, WHICH WAS NOT SENT" in body
    assert "  A flo - bol\n  RESIGN\n  SET PASSWORD ********\n\n  marigold\n" in body
    assert press(house, "A flo h")[0].subject.startswith("Re:")


def test_the_text_of_an_unknown_sender_is_not_carried_anywhere(house: House) -> None:
    """From is what anybody writes there: the judge sends no foreign text to it."""
    sent = write(house, "victim@far.example", "BROADCAST", "buy my pills", "ENDPRESS")

    assert [one.to for one in sent] == ["victim@far.example"]
    assert "pills" not in sent[0].body
    assert "Sign on first" in sent[0].body


def test_a_bare_press_learns_how_it_is_written(house: House) -> None:
    """With the command as it should be."""
    body = answer(press(house, "PRESS", "marigold", "ENDPRESS"), ANNA)

    assert "Did you mean: PRESS TO LM" in body


def test_a_signature_is_no_press(house: House) -> None:
    """Nor is anything below it, although there is no ENDPRESS."""
    sent = press(house, "BROADCAST", "marigold", "-- ", "Anna Rossi, +39 055 1234", "A flo - bol")

    assert "marigold" in to_others(sent)["marco"].body
    assert not any("Rossi" in one.body for one in sent)
    assert house.view().order_sets == {}


def test_press_goes_to_the_end_of_the_text_part_only(house: House) -> None:
    """The same text as HTML with the password in it, and an attachment, stay where they are."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = f"Anna <{ANNA}>", "judge@mach.example", "Press"
    mail["Message-ID"] = "<multipart@player.example>"
    mail.set_content("SIGNON Lborgia pwL\nBROADCAST\nmarigold\n")
    mail.add_alternative("<p>SIGNON Lborgia pwL</p><p>BROADCAST</p><p>tansy</p>", subtype="html")
    mail.add_attachment("SIGNON Lborgia pwL\nA flo - bol", filename="orders.txt")
    sent = deliver(house, mail.as_bytes(), ANNA)

    assert "marigold" in to_others(sent)["marco"].body
    assert not any("pwL" in one.body or "tansy" in one.body for one in sent)
    assert house.view().order_sets == {}


def test_html_only_press_ends_where_it_says(house: House) -> None:
    """Line by line, with an order behind it."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = f"Anna <{ANNA}>", "judge@mach.example", "Press"
    mail["Message-ID"] = "<html@player.example>"
    lines = ["SIGNON Lborgia pwL", "PRESS TO V", "mari&amp;gold", "ENDPRESS", "A flo h"]
    mail.set_content("".join(f"<div>{line}</div>" for line in lines), subtype="html")
    sent = deliver(house, mail.as_bytes(), ANNA)

    assert "  mari&gold\n" in to_others(sent)["marco"].body
    assert [line.canonical for line in house.view().order_sets["L"].lines] == ["A flo h"]


def test_signoff_ends_press_and_the_mail(house: House) -> None:
    """Nothing behind it is sent or read."""
    sent = press(house, "PRESS TO V", "marigold", "SIGNOFF", "tansy", "A flo - bol")

    assert "marigold" in to_others(sent)["marco"].body
    assert not any("tansy" in one.body for one in sent)
    assert house.view().order_sets == {}


def test_a_long_press_comes_back_whole(house: House) -> None:
    """Nothing of it is sent."""
    lines = [f"{number:04} {'marigold ' * 8}".strip() for number in range(300)]
    sent = press(house, "BROADCAST", *lines, "ENDPRESS")
    body = answer(sent, ANNA)

    assert to_others(sent) == {}
    assert "longer than 20000 signs" in body
    assert all(line.split()[0] in body for line in lines)


def test_an_empty_power_is_named_in_the_receipt(house: House) -> None:
    """Its would-be reader is not there."""
    write(house, DINO, "SIGNON Mborgia masterkey", "EJECT Naples")
    body = answer(press(house, "PRESS TO VN", "marigold", "ENDPRESS"), ANNA)

    assert "Nobody leads Naples, so nobody read it there." in body


def test_late_is_by_the_receipt_of_the_mail() -> None:
    """A mail that was received in time is in time, whenever it is read."""
    house = with_master(late=FromLate.NONE)
    deadline = house.game().clock.deadline
    house.now = deadline - timedelta(seconds=1)

    assert to_others(press(house, "BROADCAST", "marigold", "ENDPRESS"))


def test_seats_are_kept_apart() -> None:
    """The fixture really has a master who does not play."""
    house = with_master()
    masters = [seat for seat in house.game().seats if seat.role is Role.MASTER]

    assert [seat.address for seat in masters] == [DINO]
    assert with_seat(house.game(), masters[0]) == house.game()
