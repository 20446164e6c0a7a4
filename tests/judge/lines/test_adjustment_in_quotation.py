"""An adjustment may be answered in the quotation: what was changed, and the rest as it stands."""

import re
from collections.abc import Sequence

import pytest

from machjudge.adjudicator.names import PowerId
from machjudge.judge.credentials import code_of, tag_of
from machjudge.judge.mails import Outgoing
from tests.judge.fakes import SECRET
from tests.judge.house import House, on_file
from tests.judge.letters_in import answer, reply, work, write
from tests.judge.lines import test_form_answers as plain
from tests.judge.lines.html_replies import PROGRAMS
from tests.judge.lines.test_form_answers import ANNA, UNTOUCHED
from tests.judge.lines.test_form_in_html import html_of, send
from tests.judge.orders.test_adjusting import CARLA, QUIET
from tests.judge.year import FALL, OPENING, SPRING, SUMMER, play
from tests.mail_parser.mails import CORPUS

ALL = ["maintain A are", "maintain A flo", "maintain F psa"]
BUILDS = "build G Arezzo, G Florence, G Pisa"


def thunderbird(rows: Sequence[str]) -> list[str]:
    """As Thunderbird and K-9 do: no brackets around the address, blank rows marked too."""
    return ["Am 20.11.26 um 13:00 schrieb MACH judge:", *(f"> {r}" if r else ">" for r in rows)]


TEXTS = [plain.gmail, plain.apple, plain.outlook, plain.numbered, plain.samsung, thunderbird]


def first_adjustment(*options: str) -> tuple[House, Outgoing]:
    """1454 with money, before anybody has maintained a unit; and what Anna got."""
    house = House()
    house.start(options=["nodice", *options], keep_mails=True)
    (letter,) = [each for each in house.mails_out() if each.to == ANNA]
    return house, letter


def edited(letter: Outgoing, **changes: str | None) -> list[str]:
    """The rows of a message with lines of its form changed; None deletes one.

    The lines are called by the names of their units, such as ``A_Arezzo``; BUILD is the offer.
    """
    rows = letter.body.splitlines()
    for name, new in changes.items():
        old = BUILDS if name == "BUILD" else f"maintain {name.replace('_', ' ')}"
        at = rows.index(old)
        rows[at : at + 1] = [] if new is None else new.split("\n")
    return rows


def told(house: House, letter: Outgoing, *lines: str) -> str:
    """What an answer with these lines gets, without its line breaks."""
    return " ".join(answer(reply(house, letter, *lines), letter.to).split())


# --- what counts ------------------------------------------------------------------------------


@pytest.mark.parametrize("program", TEXTS)
def test_lines_that_stand_count_beside_a_changed_one(program) -> None:
    """Anyone who changes one line means the rest as it stands; the receipt says both."""
    house, letter = first_adjustment()

    body = told(house, letter, *program(edited(letter, A_Arezzo="remove A Arezzo")))

    assert on_file(house) == ["remove A are", *ALL[1:]], body
    assert "and is read as an order: remove A Arezzo." in body
    assert "The other lines to send back count as they stand there: maintain A Florence;" in body
    assert "NOT READ" not in body


@pytest.mark.parametrize("program", TEXTS)
def test_an_untouched_adjustment_changes_nothing(program) -> None:
    """And its sender is told so."""
    house, letter = first_adjustment()

    assert UNTOUCHED in told(house, letter, *program(letter.body.splitlines()))
    assert on_file(house) == []


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("is_changed", [True, False])
def test_the_html_part_of_an_adjustment_is_answered_in_the_same_way(program, is_changed) -> None:
    """Whatever a program makes of it."""
    house, letter = first_adjustment()
    html = html_of(letter)
    if is_changed:
        at = html.rindex(BUILDS)
        html = f"{html[:at]}build G Pisa{html[at + len(BUILDS) :]}"

    body = send(house, letter, PROGRAMS[program](html, (), ()))

    assert on_file(house) == ([*ALL, "build G psa"] if is_changed else []), body


@pytest.mark.parametrize(
    ("changes", "filed"),
    [
        ({"F_Pisa": "maintain F Pisa\nbuild G Pisa"}, [*ALL, "build G psa"]),
        ({"BUILD": "build G Florence"}, [*ALL, "build G flo"]),
        ({"BUILD": "build G Arezzo, G Pisa"}, [*ALL, "build G are", "build G psa"]),
        ({"A_Arezzo": "disband A Arezzo"}, ["remove A are", *ALL[1:]]),
        ({"A_Arezzo": "A Arezzo"}, ALL),
        ({"A_Arezzo": None}, ALL[1:]),
        ({"A_Arezzo": "# maintain A Arezzo", "F_Pisa": "maintain F Pisa # my fleet"}, ALL[1:]),
        ({"A_Arezzo": "~~maintain A Arezzo~~"}, ALL[1:]),
        ({"A_Arezzo": "maintain A Arezzo\nremove F Pisa"}, [ALL[0], "remove F psa", ALL[1]]),
        ({"A_Florence": "maintain A Arezzo"}, [ALL[0], ALL[2]]),
        (
            {"A_Arezzo": "maintain all except F Pisa", "A_Florence": None, "F_Pisa": None},
            ALL[:2],
        ),
    ],
)
def test_what_is_changed_in_an_adjustment_and_what_counts_then(changes, filed) -> None:
    """Builds added or cut down, other orders for a unit, lines left out or struck out."""
    house, letter = first_adjustment()

    body = told(house, letter, *plain.gmail(edited(letter, **changes)))

    assert on_file(house) == filed, body
    assert "NOT TAKEN" not in body


def test_lines_in_another_order_are_paid_in_that_order() -> None:
    """What is written first is paid first (ADJ-12)."""
    house, letter = first_adjustment()
    rows = edited(letter, A_Arezzo="maintain A Florence\nmaintain A Arezzo")
    del rows[rows.index("maintain A Arezzo") + 1]

    body = told(house, letter, *plain.gmail(rows))

    assert on_file(house) == [ALL[1], ALL[0], ALL[2]]
    assert "The lines to send back count in the order that you gave them:" in body


def test_the_receipt_names_what_was_left_out() -> None:
    """Its unit has no order, and the phase waits."""
    house, letter = first_adjustment()

    body = told(house, letter, *plain.gmail(edited(letter, A_Arezzo=None)))

    assert "You left out this line there, so it is no order of this mail: maintain A Arez" in body
    assert "NOT COMPLETE: 1 order of Florence missing." in body
    assert "A Arezzo: no order" in body


def test_a_line_that_was_left_out_stays_on_file_from_an_earlier_mail() -> None:
    """And the receipt says so."""
    house, letter = first_adjustment()
    write(house, ANNA, "SIGNON Lborgia pwL", "maintain A Arezzo")

    body = told(house, letter, *plain.gmail(edited(letter, A_Arezzo=None)))

    assert "but it stays on file from an earlier one: maintain A Arezzo." in body
    assert sorted(on_file(house)) == ALL


def test_a_quotation_without_the_form_leaves_everything_as_it_was() -> None:
    """Anyone who cuts the quotation short means no unit to be removed."""
    house, letter = first_adjustment()
    rows = letter.body.splitlines()

    told(house, letter, *plain.gmail(rows[: rows.index("maintain A Florence")]))

    assert on_file(house) == []


def test_all_lines_left_out_remove_nothing() -> None:
    """The receipt names them; nobody gives up all units by cleaning up."""
    house, letter = first_adjustment()
    rows = edited(letter, A_Arezzo=None, A_Florence=None, F_Pisa=None)

    body = told(house, letter, *plain.gmail(rows))

    assert on_file(house) == []
    assert "You left out these lines there" in body


@pytest.mark.parametrize("slip", ["mantain A Arezzo", "maintain A Arezo", "maintain A Bologna"])
def test_a_slip_in_a_row_is_refused_and_the_others_count(slip) -> None:
    """With its line, so that nobody takes the unit for kept."""
    house, letter = first_adjustment()

    body = told(house, letter, *plain.gmail(edited(letter, A_Arezzo=slip)))

    assert on_file(house) == ALL[1:]
    assert slip in body.partition("NOT TAKEN")[2]
    assert house.view().order_sets[PowerId("L")].flawed


def test_what_stands_outside_the_quotation_counts_more() -> None:
    """Above it, or below."""
    house, letter = first_adjustment()
    quoted = plain.gmail(edited(letter, BUILD="build G Pisa"))

    told(house, letter, "remove A Arezzo", "", *quoted)

    assert sorted(on_file(house)) == [*sorted(["build G psa", *ALL[1:]]), "remove A are"]


def test_lines_of_an_untouched_form_do_not_count_beside_typed_ones() -> None:
    """Nothing was changed there."""
    house, letter = first_adjustment()

    told(house, letter, "build G Pisa", "", *plain.gmail(letter.body.splitlines()))

    assert on_file(house) == ["build G psa"]


FILES = sorted(file.stem for file in CORPUS.glob("adjustment_*.eml"))


@pytest.mark.parametrize("name", FILES)
def test_the_answers_of_eight_mail_programs_are_orders(name) -> None:
    """As they send them, each with two lines changed; the other two count as they stand."""
    house, letter = first_adjustment()
    assert letter.reply is not None
    to = f"judge+{tag_of(code_of(SECRET, letter.reply))}@mach.example"
    house.store.receive((CORPUS / f"{name}.eml").read_bytes(), ANNA, house.now, recipient=to)
    work(house)

    body = answer(house.mails_out(), ANNA)

    assert on_file(house) == [*ALL[:2], "remove F psa", "build G are"], body
    assert "NOT READ" not in body


# --- what never counts ------------------------------------------------------------------------


def test_commands_in_the_quotation_are_never_carried_out() -> None:
    """Only orders may be changed there."""
    house, letter = first_adjustment()
    rows = edited(letter, F_Pisa="maintain F Pisa\nset wait\nresign\nset password other")

    told(house, letter, *plain.gmail(rows))

    assert on_file(house) == []
    assert not house.view().waiting()


def test_the_form_of_another_year_is_no_answer() -> None:
    """Its lines may be the same: what is quoted must be of the phase that is played."""
    house, old = first_adjustment()
    play(house, OPENING)
    moves = dict.fromkeys("IVLPNTAF", ("hold all",))
    for _ in range(3):
        house.later(hours=1)
        sent = play(house, moves)
    assert house.view().state.moment.code == "F1454B"
    (new,) = [each for each in sent if each.to == ANNA and "maintain A Arezzo" in each.body]
    rows = plain.gmail(edited(old, A_Arezzo="remove A Arezzo"))

    told(house, old, *rows)
    told(house, new, *rows)

    assert on_file(house) == []


def test_without_a_proof_an_adjustment_is_not_changed() -> None:
    """Anyone who has the text of the message and not its token changes nothing."""
    house, letter = first_adjustment()
    rows = edited(letter, A_Arezzo="remove A Arezzo")

    write(house, ANNA, *plain.gmail([row for row in rows if "code" not in row.lower()]))

    assert on_file(house) == []


def test_lines_that_somebody_else_wrote_are_no_orders() -> None:
    """A quoted letter of an ally may have the title, and lines of one's own."""
    house, letter = first_adjustment()
    rows = ["LINES TO SEND BACK", "maintain A Florence", "remove F Pisa", "trust me", "yours, Bob"]

    body = told(house, letter, *plain.gmail(rows))

    assert on_file(house) == []
    assert re.search(r"NOT READ.*remove F Pisa", body)


# --- without money ----------------------------------------------------------------------------

OFFERS = ("build A Swiss", "build G Avignon, G Marseille", "waive")


def without_money() -> tuple[House, Outgoing]:
    """France in its first adjustment without ducats: it may build one unit."""
    house = House()
    house.start(options=["nomoney"])
    for swiss in ("A swi - tur", "A tur h", "A tur h"):
        sent = play(house, {**QUIET, "F": (swiss, "A avi h", "F mar h")})
    (letter,) = [each for each in sent if each.to == CARLA and "\nwaive\n" in each.body]
    write(house, CARLA, "SIGNON Fborgia pwF", "SET WAIT")
    return house, letter


@pytest.mark.parametrize(
    ("old", "new", "filed"),
    [
        (OFFERS[1], ["build G Marseille"], ["build G mar"]),
        (OFFERS[0], [*OFFERS[:1], "build G Avignon"], ["build G avi"]),
        (OFFERS[0], ["waive"], ["waive"]),
    ],
)
@pytest.mark.parametrize("program", TEXTS)
def test_a_build_without_money_is_written_into_the_offers(program, old, new, filed) -> None:
    """Cut down, added, or one in the place of another; the other offers say nothing."""
    house, letter = without_money()
    rows = letter.body.splitlines()
    at = rows.index(old)

    told(house, letter, *program([*rows[:at], *new, *rows[at + 1 :]]))

    assert on_file(house, "F") == filed


@pytest.mark.parametrize(("left", "filed"), [(0, ["build A swi"]), (2, ["waive"]), (None, [])])
def test_the_only_offer_that_is_left_is_chosen(left, filed) -> None:
    """Of a form that stands whole nothing is."""
    house, letter = without_money()
    gone = {each for n, each in enumerate(OFFERS) if left not in (None, n)}

    body = told(house, letter, *plain.gmail([r for r in letter.body.splitlines() if r not in gone]))

    assert on_file(house, "F") == filed
    assert (UNTOUCHED in body) == (left is None)


def test_more_offers_left_than_can_be_meant_are_asked_about() -> None:
    """Nobody guesses; the answer names what is left."""
    house, letter = without_money()

    body = told(house, letter, *plain.gmail([r for r in letter.body.splitlines() if r != "waive"]))

    assert on_file(house, "F") == []
    assert "you choose (build A Swiss; build G Avignon, G Marseille): send the order" in body
    assert UNTOUCHED not in body


def test_a_slip_in_an_offer_is_refused_alone() -> None:
    """Of the other offers nothing is asked."""
    house, letter = without_money()
    rows = ["build A Xanadu" if r == OFFERS[0] else r for r in letter.body.splitlines()]

    body = told(house, letter, *plain.gmail(rows))

    assert on_file(house, "F") == []
    assert "build A Xanadu" in body.partition("NOT TAKEN")[2]
    assert "between which you choose" not in body


def test_offers_that_cost_ducats_are_not_chosen_by_deleting_others() -> None:
    """Anyone who tidies up buys nothing; the answer asks, and keeps to what is on file."""
    house = House()
    house.start(options=["nodice"])
    play(house, OPENING)
    moves = dict.fromkeys("IVLPNTAF", ("hold all",))
    play(house, {**moves, "L": ("A flo - bol", "A are - per", "F psa h")})
    play(house, {**moves, "L": ("hold all",)})
    sent = play(house, {**moves, "L": ("A are - urb", "A flo - sie", "F psa - pio")})
    (letter,) = [each for each in sent if each.to == ANNA and "\nbuild F Pisa\n" in each.body]
    rows = [r for r in letter.body.splitlines() if not r.startswith(("build A", "build G"))]

    body = told(house, letter, *plain.gmail(rows))

    assert on_file(house) == []
    assert "between which you choose (build F Pisa): send the order itself" in body


@pytest.mark.parametrize("program", TEXTS)
def test_the_unit_to_remove_is_changed_in_place(program) -> None:
    """Turkey has lost Durazzo, and the form names whom the rules would choose."""
    house = House()
    house.start(options=["nomoney"])
    for orders in (SPRING, SUMMER, FALL):
        sent = play(house, {power: (*lines, "hold rest") for power, lines in orders.items()})
        sent += play(house, dict.fromkeys(orders, ("READY",)))
        lost = house.view().state.dislodged
        sent += play(house, {d.unit.owner: (f"A {d.unit.place} disband",) for d in lost})
    nino = "nino@player.example"
    (letter,) = [each for each in sent if each.to == nino and "\nremove " in each.body]
    (line,) = [row for row in letter.body.splitlines() if row.startswith("remove ")]
    assert line != "remove F Albania"
    write(house, nino, "SIGNON Tborgia pwT", "SET WAIT")

    rows = letter.body.splitlines()
    rows[rows.index(line)] = "remove F Albania"
    told(house, letter, *program(rows))

    assert on_file(house, "T") == ["remove F alb"]


def test_an_older_form_in_another_language_is_read() -> None:
    """Anyone who chooses a language answers the message that came before in the old one."""
    house, letter = first_adjustment()
    write(house, ANNA, "SIGNON Lborgia pwL", "SET LANGUAGE es")

    told(house, letter, *plain.gmail(edited(letter, A_Arezzo="remove A Arezzo")))

    assert on_file(house) == ["remove A are", *ALL[1:]]


def test_lines_of_ones_other_power_are_no_changes() -> None:
    """One message has the lines of both powers, and its answer is for one of them."""
    house = House()
    write(house, "gina@desk.example", "CREATE ?borgia masterkey 1454-2-2 nodice")
    write(house, "marco@player.example", "SIGNON ?borgia pw77", "SET PREF L")
    lucia = "lucia@player.example"
    sent = write(house, lucia, "SIGNON ?borgia pw77")
    (letter,) = [each for each in sent if each.to == lucia and "LINES TO SEND" in each.body]

    body = told(house, letter, *plain.outlook(edited(letter, A_Padua="remove A Padua")))

    filed = ["remove A pad", "maintain A ver", "maintain F dal", "maintain G ven"]
    assert (on_file(house, "V"), on_file(house, "P")) == (filed, []), body
    assert "NOT TAKEN" not in body
