"""Whom press is for."""

from dataclasses import replace

import pytest

from machjudge.adjudicator.names import PowerId
from machjudge.language import (
    Candidate,
    Fault,
    Lexicon,
    ParseError,
    ReaderRole,
    read_readers,
)
from tests.messages.said import say


@pytest.mark.parametrize(
    ("names", "readers"),
    [
        (["L"], ["L"]),
        (["LM"], ["L", ReaderRole.MASTER]),
        (["lmv"], ["L", ReaderRole.MASTER, "V"]),
        (["Florence", "Milan"], ["L", "I"]),
        (["pa"], ["P"]),
        (["Flo"], ["L"]),
        (["Papal"], ["P"]),
        (["O", "master", "gm"], [ReaderRole.OBSERVERS, ReaderRole.MASTER]),
        (["observers"], [ReaderRole.OBSERVERS]),
        (["L", "VL"], ["L", "V"]),
        ([], []),
    ],
)
def test_readers_are_found(classic: Lexicon, names: list[str], readers: list[object]) -> None:
    """Names, initials, glued initials and roles; everybody once."""
    assert read_readers(names, classic) == tuple(readers)


def test_glued_initials_that_also_begin_a_name_are_refused(classic: Lexicon) -> None:
    """Press to PA may be for the Papacy, or for it and Austria: a wrong guess cannot be undone."""
    found = read_readers(["PA"], classic)

    assert isinstance(found, ParseError)
    assert found.candidates == (
        Candidate("P", "Papacy"),
        Candidate("P A", "Papacy and Austria"),
    )


def test_roles_are_named_among_the_candidates(classic: Lexicon) -> None:
    """FLO may be Florence, or France, Florence and the observers."""
    found = read_readers(["FLO"], classic)

    assert isinstance(found, ParseError)
    assert found.candidates[1] == Candidate("F L O", "France, Florence and observers")


@pytest.mark.parametrize("name", ["MILANOS", "xyz", ""])
def test_unknown_reader_is_refused(classic: Lexicon, name: str) -> None:
    """A misspelt name is not taken for a row of initials."""
    found = read_readers(["L", name], classic)

    assert isinstance(found, ParseError)
    assert say(found.reason) == f'nobody here is called "{name}"'


def test_initials_that_look_like_a_name_are_asked_back(classic: Lexicon) -> None:
    """ILN may be three powers, or Milan with letters left out; small letters are a name."""
    found = read_readers(["ILN"], classic)

    assert isinstance(found, ParseError)
    assert [(each.id, each.name) for each in found.candidates] == [
        ("I", "Milan"),
        ("I L N", "Milan, Florence and Naples"),
    ]
    small = read_readers(["iln"], classic)
    assert isinstance(small, ParseError)
    assert small.fault is Fault.NO_POWER


def test_beginning_of_two_names_is_refused(classic: Lexicon) -> None:
    """Both powers are named."""
    milan = classic.powers[PowerId("I")]
    twin = replace(milan, id=PowerId("R"), name="Mirandola", adjective="", aliases=())
    found = read_readers(["mi"], Lexicon(classic.board, {milan.id: milan, twin.id: twin}))

    assert isinstance(found, ParseError)
    assert [candidate.name for candidate in found.candidates] == ["Milan", "Mirandola"]
