"""What a player is told about a line that cannot be read."""

import pytest

from machjudge.adjudicator.moments import Stage
from machjudge.language import Candidate, Fault, ParseError, parse_order
from machjudge.language.words import ambiguous, in_words
from tests.cases import cases
from tests.messages.said import say


@cases
def test_problem_says_what_is_wrong_and_where(
    read, text: str, fault: str, column: int, found: str, reason: str
) -> None:
    """The column is that of the line as it was written."""
    (problem,) = read(text).said

    assert isinstance(problem, ParseError)
    assert (problem.line, problem.fault, problem.column) == (text, Fault[fault], column)
    assert (problem.found, say(problem.reason)) == (found, reason)


@cases
def test_order_of_another_phase_is_recognised(read, text: str, stage: str, reason: str) -> None:
    """It is well written, but cannot be given now."""
    (problem,) = read(text, Stage[stage]).said

    assert (problem.fault, problem.found, say(problem.reason)) == (Fault.PHASE, text, reason)


@cases
def test_problem_says_what_may_stand_there(read, text: str, expected: list[str]) -> None:
    """In words of the game, never in names of the grammar."""
    stage = Stage.ADJUSTMENT if text == "build" else Stage.CAMPAIGN
    (problem,) = read(text, stage).said

    assert list(map(say, problem.expected)) == expected


@cases
def test_nearest_line_is_suggested(read, text: str, nearest: str) -> None:
    """One or two slips, or Spanish and Italian words, are put right, if it can be read then."""
    problem = read(text).refused[0]

    assert isinstance(problem, ParseError)
    assert problem.nearest == (nearest or None)


def test_nearest_line_reads_without_a_problem(read) -> None:
    """A suggestion can be sent as it is."""
    suggested = read("A Pergia suports A Bolonga - Urb").refused[0].nearest

    assert suggested is None or not read(suggested).refused


@pytest.mark.parametrize("text", ["foo", "Armee Florenz nach Siena", "Pergia hodl"])
def test_an_unknown_first_word_is_what_is_wrong(read, text: str) -> None:
    """Not what comes behind it, nor that something is missing."""
    (problem,) = read(text).said

    assert isinstance(problem, ParseError)
    assert (problem.column, problem.found) == (0, text.split(maxsplit=1)[0])
    assert say(problem.reason) == "this is no order; a comment needs a # in front"


def test_ambiguous_abbreviation_names_its_candidates(read) -> None:
    """The hint of SYN-09: rom may be Romagna or Rome."""
    (found,) = read("a rme - rom").said

    assert found == ambiguous(
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
