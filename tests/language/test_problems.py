"""What a player is told about a line that cannot be read."""

import pytest

from machjudge.adjudicator.model.moments import Stage
from machjudge.language import Ambiguous, Candidate, Fault, Problem, parse_order
from machjudge.language.vocabulary.said import in_words
from tests.letters.said import say


@pytest.mark.parametrize(
    ("text", "fault", "column", "found", "reason"),
    [
        ("A per frobnicate", Fault.UNEXPECTED, 6, "frobnicate", '"frobnicate" cannot stand here'),
        ("A are - xyzzy", Fault.NO_PLACE, 8, "xyzzy", 'no place of this board is called "xyzzy"'),
        (
            "A1: A-Capua",
            Fault.UNEXPECTED,
            1,
            "1",
            "units have no numbers here; the place says which one it is, as in A Arezzo: A-Capua",
        ),
        (
            "A per: S-Rome",
            Fault.INCOMPLETE,
            13,
            "",
            "whose units it supports there is missing; "
            "behind the place, the power stands in brackets, as in S-Arezz-(A)",
        ),
        ("A per", Fault.INCOMPLETE, 5, "", "the order is not complete"),
        ("A per - ", Fault.INCOMPLETE, 7, "", "the order is not complete"),
        (
            "A Per - U r b",
            Fault.LEFT_OVER,
            10,
            "r",
            'the order is complete before "r", and a comment after it needs a # in front',
        ),
        ("* A Pér – Xý", Fault.NO_PLACE, 10, "Xý", 'no place of this board is called "Xý"'),
        ("> A per h", Fault.UNEXPECTED, 0, ">", '">" cannot stand here'),
        (
            "A pad b G mil",
            Fault.CONTRADICTION,
            10,
            "mil",
            "a unit besieges the city of its own province and no other",
        ),
        (
            "A pad b ven",
            Fault.CONTRADICTION,
            8,
            "ven",
            "a unit besieges the city of its own province and no other",
        ),
        (
            "A per s A mil c g",
            Fault.CONTRADICTION,
            10,
            "mil",
            "only a garrison that converts into its province can be supported",
        ),
        (
            "A per s mil c g",
            Fault.CONTRADICTION,
            8,
            "mil",
            "only a garrison that converts into its province can be supported",
        ),
        (
            "A per s ven a mil",
            Fault.UNCLEAR,
            8,
            "ven",
            "this may be an army of that power or a unit that moves there",
        ),
        (
            "F ion t ven a mil",
            Fault.UNCLEAR,
            8,
            "ven",
            "this may be an army of that power or a unit that moves there",
        ),
        ("F ion t papal a rme", Fault.INCOMPLETE, 19, "", "where the army goes is missing"),
        (
            "F ion t autonomous a rme",
            Fault.INCOMPLETE,
            24,
            "",
            "where the army goes is missing",
        ),
        ("A per s xyz a rme", Fault.NO_PLACE, 8, "xyz", 'no place of this board is called "xyz"'),
        (
            "G per convert",
            Fault.INCOMPLETE,
            13,
            "",
            "a garrison becomes an army or a fleet: say which",
        ),
        (
            "A mil 5",
            Fault.UNEXPECTED,
            6,
            "5",
            "a number is no order for a unit, except 0, which disbands it",
        ),
    ],
)
def test_problem_says_what_is_wrong_and_where(
    read, text: str, fault: Fault, column: int, found: str, reason: str
) -> None:
    """The column is that of the line as it was written."""
    (problem,) = read(text).said

    assert isinstance(problem, Problem)
    assert (problem.line, problem.fault, problem.column) == (text, fault, column)
    assert (problem.found, say(problem.reason)) == (found, reason)


@pytest.mark.parametrize(
    ("text", "stage", "reason"),
    [
        (
            "build A par",
            Stage.CAMPAIGN,
            "this is an order of the adjustment phase, and campaign orders are due",
        ),
        (
            "A par - mil",
            Stage.ADJUSTMENT,
            "this is an order of the campaign phase, and adjustment orders are due",
        ),
        (
            "A pad h",
            Stage.RETREATS,
            "this is an order of the campaign phase, and retreat orders are due",
        ),
    ],
)
def test_order_of_another_phase_is_recognised(read, text: str, stage: Stage, reason: str) -> None:
    """It is well written, but cannot be given now."""
    (problem,) = read(text, stage).said

    assert (problem.fault, problem.found, say(problem.reason)) == (Fault.PHASE, text, reason)


DEEDS = (
    "counter-bribe",
    "disband",
    "buy",
    "garrison to autonomous",
    "famine relief",
    "pacify rebellion",
    "cause rebellion",
    "assassinate",
)
"""Whatever is missing or misspelt in an expense, all that it may be for is told."""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A", ("a place",)),
        ("A per s", ("a unit type (A, F or G)", "a place")),
        ("pay 3 ducats to", ("a power", "bank")),
        ("build", ("a unit type (A, F or G)",)),
        ("expense 1: 3", DEEDS),
        ("e2: 18 d bribe A bol", ("buy", "disband")),
        ("e3: hello", DEEDS),
        ("expense 4:", DEEDS),
        ("A per - uas (north", ("coast",)),
        ("ally", ("a power",)),
    ],
)
def test_problem_says_what_may_stand_there(read, text: str, expected: tuple[str, ...]) -> None:
    """In words of the game, never in names of the grammar."""
    stage = Stage.ADJUSTMENT if text == "build" else Stage.CAMPAIGN
    (problem,) = read(text, stage).said

    assert tuple(map(say, problem.expected)) == expected


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ("A Pergia - Urbno", "A Perugia - Urbino"),
        ("A Flo - Psaa", "A Flo - Psa"),
        ("A mil supprts pav", "A mil supports pav"),
        ("A mil besige", "A mil besiege"),
        ("expnse 1: 3d cb per", "expense 1: 3d cb per"),
        ("pay 3 ducts to milan", "pay 3 ducats to milan"),
        ("A per - urb, A bolx - fer", "A per - urb, A bol - fer"),
        ("ally Millan", "ally Milan"),
        ("6+3 d famine relief mil", "expense 1: 6+3 d famine relief mil"),
        ("9 d buy A bol", "expense 1: 9 d buy A bol"),
        ("dar 3 ducados a Milan", "give 3 ducats to Milan"),
        ("Pago a Milan 3 ducati", "pay Milan 3 ducats"),
        ("ceder Pisa al Milan", "cede Pisa to Milan"),
        ("quemar Perugia", "burn Perugia"),
        ("A mil apoya A pav", "A mil support A pav"),
        ("A mil assedia", "A mil besiege"),
        ("A per frobnicate", None),
        ("A per - - urb", None),
        ("A abcd efgh ijkl mnop", None),
        ("A Pergia - Urbno - Napls", None),
    ],
)
def test_nearest_line_is_suggested(read, text: str, nearest: str | None) -> None:
    """One or two slips, or Spanish and Italian words, are put right, if it can be read then."""
    problem = read(text).refused[0]

    assert isinstance(problem, Problem)
    assert problem.nearest == nearest


def test_nearest_line_reads_without_a_problem(read) -> None:
    """A suggestion can be sent as it is."""
    suggested = read("A Pergia suports A Bolonga - Urb").refused[0].nearest

    assert suggested is None or not read(suggested).refused


@pytest.mark.parametrize("text", ["foo", "Armee Florenz nach Siena", "Pergia hodl"])
def test_an_unknown_first_word_is_what_is_wrong(read, text: str) -> None:
    """Not what comes behind it, nor that something is missing."""
    (problem,) = read(text).said

    assert isinstance(problem, Problem)
    assert (problem.column, problem.found) == (0, text.split(maxsplit=1)[0])
    assert say(problem.reason) == "this is no order; a comment needs a # in front"


def test_ambiguous_abbreviation_names_its_candidates(read) -> None:
    """The hint of SYN-09: rom may be Romagna or Rome."""
    (found,) = read("a rme - rom").said

    assert found == Ambiguous(
        "a rme - rom", 8, "rom", (Candidate("rma", "Romagna"), Candidate("rme", "Rome"))
    )


def test_problem_says_all_that_helps(read) -> None:
    """Where it is, the reason, what was expected, and the nearest line."""
    (problem,) = read("A mil supprts pav").said

    assert (problem.column, problem.found, say(problem.reason)) == (
        6,
        "supprts",
        '"supprts" cannot stand here',
    )
    assert tuple(map(say, problem.expected)) == (
        *("h (hold)", "- and a place", "s (support)", "t (convoy)", "c (convert)", "b"),
        *("l (lift siege)", "disband"),
    )
    assert problem.nearest == "A mil supports pav"


def test_problem_of_an_incomplete_order_stands_behind_it(read) -> None:
    """At the end of the line."""
    (problem,) = read("A per").said

    assert problem.column == len("A per")


def test_endless_line_is_refused_unread(read) -> None:
    """Only its beginning is repeated."""
    (problem,) = read("A per - " * 1000).said

    assert (problem.fault, len(problem.line)) == (Fault.TOO_LONG, 200)


def test_endless_order_is_refused(read) -> None:
    """An order of more than sixty words is none, even within a line of allowed length."""
    (problem,) = read("A avi" + " - egl" * 60).said

    assert problem.fault is Fault.TOO_LONG


def test_only_so_many_readings_of_doubtful_words_are_tried(read) -> None:
    """Forty words that are order words and places do not mean a trillion attempts."""
    assert read("for ls cm " * 13).refused


def test_lists_are_written_as_sentences_have_them() -> None:
    """Commas, and one "or" before the last."""
    assert [in_words(x) for x in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == [
        "",
        "a",
        "a or b",
        "a, b or c",
    ]


def test_problem_without_letters_has_no_suggestion(standard) -> None:
    """Signs and numbers are never put right."""
    (problem,) = parse_order("?? 12 ::", standard, Stage.CAMPAIGN).said

    assert problem.nearest is None
