"""Eight people play 1454 by mail for a year and into the second, and nothing is lost.

What they write, and when the judge is ended and killed meanwhile, stands in `first_year.toml`.
Here stands what comes of it: in the letters as their readers get them, and in the database.
"""

import re

import pytest

from machjudge.judge.records import GameId
from tests.journeys.conftest import FIRST_YEAR
from tests.journeys.judge import JUDGE

EVERYBODY = {each.address.partition("@")[0] for each in FIRST_YEAR.people.values()}
LEADERS = {
    "Milan": "francesco",
    "Venice": "caterina",
    "Florence": "lorenza",
    "Papacy": "enea",
    "Naples": "alfonso",
    "Turkey": "mehmet",
    "Austria": "friedrich",
    "France": "charles",
}
PHASES = ["F1453B", "S1454M", "U1454M", "U1454R", "F1454M", "F1454B", "S1455M"]
PLAYED = [act for act in FIRST_YEAR.acts if act.played]


def ends_with(lines: list[str], told: str) -> bool:
    """True if some lines say how an order ended, however they were broken."""
    return " ".join(" ".join(lines).split()).count(told) == 1


# --- from the first mail to the first campaign -----------------------------------------------


def test_everybody_leads_the_power_that_he_wished_for(year) -> None:
    """The wishes of those who came before the judge was started anew count like the others."""
    started = year["forming"].letters_about("the game begins")

    assert set(started) == EVERYBODY
    for power, leader in LEADERS.items():
        article = "the " if power == "Papacy" else ""
        assert f"You lead {article}{power}." in started[leader].text
    assert "You lead" not in started["bianca"].text


def test_the_first_letter_says_what_is_played(year) -> None:
    """The default flags of the preset, but for the famine that the master did not want."""
    rules = year["forming"].letters_about("the game begins")["lorenza"].part("RULES")

    assert rules == [
        "Rules: judge, the old judge's usual rules of 2004, but:",
        "- There is no famine.",
        "On: money, dice, Summer, garrisons, coastal convoys, loans,",
        "assassinations, special units, adjacency for bribes",
        "Off: forts, disband orders, famine, plague, storms",
        "To win: 15 cities, 2 home countries.",
    ]


def test_times_are_those_of_the_reader(year) -> None:
    """Lorenza asked for the time of Rome in the mail with which she joined."""
    started = year["forming"].letters_about("the game begins")

    for who, due in (
        ("lorenza", "Fri 27 Nov 2026, 20:00 CET (19:00 UTC)"),
        ("enea", "Fri 27 Nov 2026, 19:00 UTC"),
    ):
        next_ = started[who].part("NEXT: Fall 1453 adjustment")
        assert f"Orders are due {due}, in 7 days." in next_


def test_anyone_who_is_silent_is_reminded_alone(year) -> None:
    """Twelve hours before the deadline, of what is missing."""
    reminded = year["F1453B"].letters_about("reminder")

    assert set(reminded) == {"charles"}
    assert reminded["charles"].part("France still needs:") == [
        "an order for A Avignon",
        "an order for A Swiss",
        "an order for F Marseille",
    ]


def test_the_game_waits_for_anyone_who_is_late(year) -> None:
    """Everybody is told for whom, once, although cron has called twice."""
    told = year["F1453B"].letters_about("waiting for France")

    assert set(told) == EVERYBODY - {"charles"}
    late = year["F1453B"].letters_about("you are late")
    assert "The game waits for you." in late["charles"].text
    assert "the game waits for France." in told["lorenza"].text


def test_late_orders_count_where_the_game_waited(year) -> None:
    """Charles is told how late he was, and that his orders count."""
    answer = year["F1453B"].answer("F")

    assert "LATE: the deadline was Fri 27 Nov 2026, 19:00 UTC." in answer.text
    assert "COMPLETE: all orders of France are on file." in answer.text
    assert "disbands F Marseille" in year["F1453B"].results().part("France")


def test_a_unit_is_built(year) -> None:
    """Venice pays for a fifth unit before the first campaign, and for a fleet after the year."""
    assert "builds A Treviso (3d)" in year["F1453B"].results().part("Venice")
    assert "builds F Venice (3d)" in year["F1454B"].results().part("Venice")


# --- what people do --------------------------------------------------------------------------


def test_a_mail_with_three_wrong_lines_between_five_right_ones(year) -> None:
    """The five are on file, each of the three comes back with its reason."""
    answer = year["S1454M"].answer("V")

    assert answer.subject.startswith("Re: [Errors] borgia: ")
    assert "COMPLETE, but 3 lines not taken." in answer.text
    assert answer.part("line 3: F mil - pav") == ["There is no such unit (Milan) [SYN-10]."]
    assert answer.part("line 5: A pad - Atlantis") == [
        'No place of this board is called "Atlantis".',
        "Still in force: A Padua - Ferrara.",
    ]
    assert answer.part("line 8: A trv - bol") == [
        "The two places do not touch (Bologna) [MOV-09]; A Treviso can reach",
        "Friuli, Padua and Vicenza.",
        "Still in force: A Treviso H.",
    ]
    assert answer.part("ORDERS ON FILE") == [
        "A Verona - Mantua",
        "A Padua - Ferrara",
        "G Venice C F",
        "F Dalmatia H",
        "A Treviso H",
    ]


def test_the_judge_waits_for_a_mail_without_errors(year) -> None:
    """All orders were on file; played was when Venice had written a line without a fault."""
    answers = [answer for (answer,) in year["S1454M"].answers["V"]]

    assert "READY clears it, and so do orders without an error;" in answers[0].text
    assert "COMPLETE: all orders of Venice are on file." in answers[1].text


def test_an_order_set_is_replaced(year, first_judge) -> None:
    """The later mail counts; the earlier set stays in the record."""
    first, second = (answer for (answer,) in year["S1454M"].answers["L"])
    with first_judge.application.store.reading() as work:
        kept = work.order_sets.history(GameId("borgia"), 1, "L")

    assert first.part("ORDERS ON FILE") == ["A Arezzo H", "A Florence H", "F Pisa H"]
    assert second.part("ORDERS ON FILE") == ["A Arezzo - Siena", "A Florence - Pistoia", "F Pisa H"]
    assert [[line.written for line in order_set.lines] for order_set in kept] == [
        ["A are H", "A flo H", "F psa H"],
        ["A are - sie", "A flo - pst", "F psa H"],
    ]


def test_press_goes_to_two_powers(year) -> None:
    """Word for word, line for line; the judge's own letter, quoted below, does not go along."""
    press = year["S1454M"].letters_about("press from Florence to Milan and Venice")
    begin, heading, rest = press["francesco"].text.partition(
        "Press from Florence to Milan and Venice:\n"
    )

    assert set(press) == {"francesco", "caterina"}
    assert (begin, heading != "") == ("", True)
    assert rest.partition("\n\nTo answer Florence, reply to this message.\n")[0] == (
        "\n"
        "  Dear neighbours,\n"
        "\n"
        "  who holds Mantua, holds the Po.\n"
        "    Hello Milan, peace?\n"
        "  Lorenza"
    )


def test_a_mail_that_comes_twice_is_handled_once(year, first_judge) -> None:
    """One answer, one mail in the inbox, one order set."""
    (answers,) = year["S1454M"].answers["P"]
    rows = first_judge.rows(
        f"SELECT count(*) FROM inbox WHERE message_id = '{answers[0].answers}'"  # noqa: S608
    )
    with first_judge.application.store.reading() as work:
        kept = work.order_sets.history(GameId("borgia"), 1, "P")

    assert (len(answers), rows, len(kept)) == (1, [(1,)], 1)


def test_a_mail_in_html_is_read(year) -> None:
    """With its arrows and dashes; the footer of the telephone costs nothing."""
    answer = year["S1454M"].answer("T")

    assert answer.part("ORDERS ON FILE") == [
        "A Albania - Herzegovina",
        "F Durazzo - Lower Adriatic Sea",
        "F Tunis - Bay of Tunis",
    ]
    assert "NOT TAKEN" not in answer.text


# --- what happens on the board ---------------------------------------------------------------


@pytest.mark.parametrize("act", PLAYED, ids=lambda act: act.name)
def test_every_unit_stands_where_it_should(year, act) -> None:
    """After each act, in the database."""
    assert year[act.name].units() == act.units


@pytest.mark.parametrize("act", PLAYED, ids=lambda act: act.name)
def test_everybody_gets_the_results_once(year, act) -> None:
    """Players and master, whatever happened to the judge meanwhile."""
    results = year[act.name].results_of(act.name)

    assert set(results) == EVERYBODY
    assert {letter.text.count("Results of") for letter in results.values()} == {1}


def test_equal_strength_bounces(year) -> None:
    """Milan and Venice meet before Mantua; neither enters."""
    movement = year["S1454M"].results().text.splitlines()

    assert ends_with(
        movement, "A Cremona - Mantua; bounced with A Verona (Venice), both with strength 1"
    )
    assert ends_with(
        movement, "A Verona - Mantua; bounced with A Cremona (Milan), both with strength 1"
    )


def test_units_convert_both_ways(year) -> None:
    """A garrison becomes a fleet and goes to sea, an army becomes a garrison."""
    told = year["S1454M"]
    movement = told.results().text.splitlines()

    assert ends_with(movement, "G Venice C F; now a fleet")
    assert ends_with(movement, "A Messina C G; now a garrison")
    assert told.position is not None
    assert told.position.field["ven"].owner == "V"
    assert told.position.garrisons["mes"].owner == "N"


def test_a_supported_advance_dislodges(year) -> None:
    """Austria takes Milan, province and city, with two against one."""
    told = year["U1454M"]
    movement = told.results().text.splitlines()

    assert ends_with(
        movement, "A Milan H; dislodged by A Carinthia (Austria), strength 2 against 1"
    )
    assert ends_with(movement, "A Tyrolea S A Carinthia - Milan")
    assert told.position is not None
    assert (told.position.provinces["mil"], told.position.cities["mil"]) == ("A", "A")


def test_a_support_is_cut(year) -> None:
    """Naples attacks the supporter, and so Capua holds."""
    movement = year["U1454M"].results().text.splitlines()

    cut = "A Spoleto S A Tivoli - Capua; support failed: cut by A Aquila (Naples)"
    bounced = "A Tivoli - Capua; bounced off F Capua (Naples), both with strength 1"
    assert ends_with(movement, cut)
    assert ends_with(movement, bounced)


def test_the_dislodged_are_told_what_to_do(year) -> None:
    """At the top of their messages, where to and how; others read that they have nothing to do."""
    results = year["U1454M"].results_of("U1454M")

    assert "You must retreat: F Dalmatia.\n" in results["caterina"].text
    assert "Venice: send one line for each dislodged unit.\n" in results["caterina"].text
    assert results["caterina"].part("LINES TO SEND BACK") == [
        "F Dalmatia - Croatia/sc",
        "F Dalmatia - Istria",
        "F Dalmatia - Upper Adriatic Sea",
        "F Dalmatia disband",
        "A unit without an order is disbanded.",
        "Where there is a map, tap a place of yours for a mail with its order.",
    ]
    assert "You must retreat" not in results["lorenza"].text
    assert "Florence: nothing to do in this phase.\n" in results["lorenza"].text
    assert "LINES TO SEND BACK" not in results["lorenza"].text


def test_a_retreat_is_chosen_and_another_is_not(year) -> None:
    """Milan goes where it wrote; the fleet of the silent Venice is gone."""
    told = year["U1454R"]

    assert set(told.letters_about("reminder")) == {"caterina"}
    assert set(told.letters_about("waiting for Venice")) == EVERYBODY - {"caterina"}
    assert told.results().part("RETREATS") == [
        "A Milan (Milan) retreats to Pavia.",
        "F Dalmatia (Venice) had no retreat order and disbands.",
    ]


def test_two_fleets_convoy_an_army(year) -> None:
    """From Dalmatia over the Lower Adriatic and the Ionian Sea to Otranto."""
    told = year["F1454M"]

    assert told.results().part("Turkey")[:3] == [
        "A Dalmatia - Lower Adriatic Sea - Ionian Sea - Otranto",
        "F Ionian Sea T A Dalmatia - Otranto",
        "F Lower Adriatic Sea T A Dalmatia - Otranto",
    ]
    assert told.position is not None
    assert told.position.field["otr"].owner == "T"


@pytest.mark.parametrize(
    ("power", "city", "place"),
    [("I", "Montferrat", "mon"), ("L", "Siena", "sie"), ("V", "Ferrara", "fer")],
)
def test_a_siege_of_two_campaigns_takes_a_city(year, power, city, place) -> None:
    """Half done in Summer, complete in Fall: the garrison is gone, and the city has fallen."""
    summer = year["U1454M"].results().text.splitlines()
    fall = year["F1454M"].results()

    complete = f"A {city} B; the siege is complete: the city of {city} has fallen"
    assert ends_with(summer, f"A {city} B; the siege is half done")
    assert ends_with(fall.text.splitlines(), complete)
    assert f"G {city} (autonomous) is starved out by the siege." in fall.text
    before, after = year["U1454M"].position, year["F1454M"].position
    assert before is not None
    assert after is not None
    assert before.garrisons[place].owner == "&"
    assert (place in after.garrisons, after.cities[place]) == (False, power)


def test_incomes_are_paid_by_the_dice_that_are_told(year) -> None:
    """What each power has is what the letter adds up to."""
    results = year["F1454M"].results()
    position = year["F1454M"].position
    rolls = [line.partition(":") for line in results.part("VARIABLE INCOME")]
    rolled = {name: int(told.split()[-2]) for name, _, told in rolls}
    before = year["F1453B"].position

    assert position is not None
    assert before is not None
    for name, line, power in zip(rolled, results.part("INCOME"), "IVLPNTAF", strict=True):
        assert line.startswith(f"{name}: seas ")
        sea, provinces, cities, variable, total, now = map(int, re.findall(r"\d+", line))
        assert variable == rolled[name]
        assert total == sea + provinces + cities + variable
        assert now == before.treasuries[power] + total == position.treasuries[power]


def test_units_cost_three_ducats(year) -> None:
    """Maintained or built; what is left stands in the results and in the database."""
    paid = {"I": 9, "V": 15, "L": 9, "P": 9, "N": 12, "T": 9, "A": 6, "F": 6}
    before, after = year["F1454M"].position, year["F1454B"].position
    told = [line.split(", ")[2] for line in year["F1454B"].results().part("STANDING")]

    assert before is not None
    assert after is not None
    assert after.treasuries == {
        power: ducats - paid[power] for power, ducats in before.treasuries.items()
    }
    assert [after.treasuries[power] for power in "IVLPNTAF"] == [int(x.split()[0]) for x in told]


def test_a_unit_that_nobody_maintains_goes(year) -> None:
    """The Papacy forgot an army, was told so twice, and lost it."""
    told = year["F1454B"]
    answer = told.answer("P")

    assert "NOT COMPLETE: 1 order of the Papacy missing." in answer.text
    assert "A Tivoli: no order" in answer.part("ORDERS ON FILE")
    assert told.letters_about("you are late")["enea"].part("The Papacy still needs:") == [
        "an order for A Tivoli"
    ]
    assert "does not maintain A Tivoli: it is removed" in told.results().part("Papacy")


def test_the_second_year_begins(year, first_judge) -> None:
    """Spring 1455 is played, Summer 1455 waits for orders."""
    assert [phase.moment for phase in first_judge.phases("borgia")] == ["F1453B", *PHASES]
    assert first_judge.position("borgia").moment.code == "U1455M"
    bounced = "A Pavia - Milan; bounced off A Milan (Austria), both with strength 2"
    assert ends_with(year["S1455M"].results().text.splitlines(), bounced)


# --- nothing is lost -------------------------------------------------------------------------


def test_every_mail_is_answered_once(year) -> None:
    """True if the judge was ended, killed or waiting."""
    answers = [got for told in year.values() for mails in told.answers.values() for got in mails]

    assert len(answers) == sum("from" in step for act in FIRST_YEAR.acts for step in act.steps)
    assert {len(each) for each in answers} == {1}


def test_nothing_went_wrong_unnoticed(year, first_judge) -> None:
    """No fault in the log, nothing set aside, nothing left to do."""
    assert year
    assert "level=error" not in first_judge.log()
    assert "fault=" not in first_judge.log()
    states = "SELECT DISTINCT state FROM inbox UNION ALL SELECT DISTINCT state FROM outbox"
    assert first_judge.rows(states) == [("finished",), ("sent",)]


def test_every_position_is_rebuilt(year, first_judge) -> None:
    """From its events and by playing its orders and dice again: `machjudge replay` says so."""
    printed = first_judge.run("replay", "borgia").splitlines()

    assert year
    assert [line.split(maxsplit=1)[1] for line in printed[:-1]] == [
        f"{phase}  as stored" for phase in ["F1453B", *PHASES]
    ]
    assert printed[-1] == "8 phases, 0 of them wrong"


def test_no_password_is_repeated(year, first_judge) -> None:
    """Not in a letter, not in the log, and in the database only as a hash."""
    passwords = [person.password for person in FIRST_YEAR.people.values()]
    sent = [content.decode() for _, _, content in first_judge.post.taken]
    kept = [str(row) for table in first_judge.tables() for row in first_judge.rows(table)]

    assert year
    assert len(kept) > 400
    texts = [first_judge.log(), *sent, *kept]
    assert [word for word in passwords if any(word in each for each in texts)] == []


def test_letters_say_that_a_machine_wrote_them(year) -> None:
    """So that no other machine answers (RFC 3834), and mail programs keep a game together."""
    letters = [letter.mail for told in year.values() for letter in told.letters]

    assert {str(mail["Auto-Submitted"]) for mail in letters} == {"auto-replied", "auto-generated"}
    assert all(JUDGE in str(mail["From"]) for mail in letters)
    results = year["S1454M"].results().mail
    assert str(results["References"]) == "<borgia.u1454m.game@mach.example>"
