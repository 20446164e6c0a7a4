"""A line in, an answer out: the whole format, and whatever else a line can be."""

import copy
import json
from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from machjudge.formats.adjudicate import answer, document_of, id_of, write_answer
from tests.formats.questions import asked, error, position, told
from tests.replays.judge import ATLAS, SPOKEN
from tests.replays.records import question, records


def said_of(line: bytes) -> dict[str, Any]:
    """The answer to a line of bytes."""
    document: dict[str, Any] = json.loads(write_answer(answer(line, ATLAS, SPOKEN)))
    return document


@pytest.mark.parametrize(
    "said",
    [
        *("plain", "a/b <&>", 'quoted " and \\', "\t\n\r\b\f\x00\x1b\x1f", "\x7f", "\x80", "Forlì"),
        *("→", "\u2028", "\U0001f3f0", "\ud800", 0, -1, 2**63, 10**4000),
    ],
)
def test_an_answer_is_written_as_the_standard_library_writes_it(said: str | int) -> None:
    """On one line in ASCII, whatever a line calls itself and has for orders."""
    orders = {"V": ["A pad - ver", f"A pad h {said}"[:100]]}
    played = position(units=["V A pad"]) | {"id": said, "orders": orders}

    assert is_written_alike(json.dumps(played).encode())
    assert is_written_alike(json.dumps({"id": said}).encode())


def test_answers_to_recorded_phases_are_written_as_the_standard_library_writes_them() -> None:
    """With expenses, disasters, retreats and all else that a phase can tell."""
    lines = [question(record) for record in islice(records("games"), 20)]

    assert [line for line in lines if not is_written_alike(line)] == []


def is_written_alike(line: bytes) -> bool:
    """True if the answer to a line is written as the standard library writes it."""
    said = answer(line, ATLAS, SPOKEN)
    return write_answer(said) == json.dumps(document_of(said), separators=(",", ":"))


def test_an_answer_has_all_its_parts() -> None:
    """Id, results, position and events, and nothing else."""
    document = told(position(units=["V A pad"]) | {"orders": {"V": ["A pad - ver"]}})

    assert list(document) == ["id", "results", "position", "events"]
    assert document["id"] == "q"
    assert document["position"]["phase"] == "U1454M"
    assert document["position"]["units"] == ["V A ver"]
    assert document["events"][-1] == {"kind": "phase_ended", "after": "U1454M"}


def test_boards_go_by_all_their_ids() -> None:
    """The further ids of boards and scenarios are as good as their own."""
    assert "results" in told(asked(board="machiavelli", scenario="mach"))


def test_fields_that_nobody_asked_for_are_passed_over() -> None:
    """A line may carry what its writer wants to remember."""
    assert "results" in told(asked(expect={"units": []}, title="a try"))


@pytest.mark.parametrize(
    ("line", "where", "says"),
    [
        (b"nonsense", "line", "it is not JSON: expecting value, at character 1"),
        (b"", "line", "it is not JSON"),
        (b"3", "line", "the number 3 stands where an object is wanted"),
        (b"null", "line", "null stands where an object is wanted"),
        (b'{"id": "x"} {}', "line", "it is not JSON: extra data, at character 13"),
        (b'{"id": NaN}', "line", "NaN is no number of JSON"),
        (b'{"id": -Infinity}', "line", "-Infinity is no number of JSON"),
        (b'{"id": "\xff"}', "line", "it is not UTF-8: the byte at 8"),
        (b'{"id": 1' + b"0" * 5000 + b"}", "line", "a number has too many digits"),
        (b'{"a": 1, "b": 2, "a": 3}', "line", 'the key "a" stands twice in one object'),
        (b"[" * 100_000, "line", "it is nested too deeply"),
        (b'{"id": [1]}', "id", "an id is a string or a whole number"),
        (b'{"id": 1e999}', "id", "an id is a string or a whole number"),
        (b'{"id": true}', "id", "an id is a string or a whole number"),
    ],
)
def test_a_line_that_is_no_question_gets_an_error(line: bytes, where: str, says: str) -> None:
    """With the reason, and without an id where none could be read."""
    document = said_of(line)

    assert document["id"] is None
    assert document["error"]["where"] == where
    assert says in document["error"]["says"]


@pytest.mark.parametrize(
    ("question", "where", "says"),
    [
        (asked(scenario="1455"), "scenario", 'there is no scenario "1455"'),
        (asked(scenario="../1454"), "scenario", "there is no scenario"),
        (asked(scenario=1454), "scenario", "the number 1454 stands where a string is wanted"),
        (asked(board="standard"), "board", '1454 is played on classic, not on "standard"'),
        (asked(board="moon"), "board", '1454 is played on classic, not on "moon"'),
        (asked(rules={"set": {"plague": "x"}}), "rules.set.plague", "it is true or false"),
        (asked(position=[]), "position", "a list stands where an object is wanted"),
        (position(units=["V A pad", "V A xyz"]), "position.units[1]", 'no place "xyz"'),
        (asked(orders=[]), "orders", "a list stands where an object is wanted"),
        (asked(orders={"V": "A pad h"}), "orders.V", "stands where a list is wanted"),
        (asked(orders={"V": ["A pad h", None]}), "orders.V[1]", "null stands where a string"),
        (asked(orders={"X": []}), "orders.X", '"X" is no power of the scenario 1454'),
        (asked(scenario="mach_span", orders={"N": []}), "orders.N", "nobody plays N"),
        (asked(dice={"famine row": [0]}), "dice.famine row[0]", "the number 0 stands where"),
        (
            asked(rules={"preset": "judge"}, position={"phase": "F1454M"}),
            "dice",
            "the dice for 'famine severity' are needed (2 of them) and not given",
        ),
    ],
)
def test_a_fault_is_named_with_its_path(question: dict[str, Any], where: str, says: str) -> None:
    """From the top of the line down to the value."""
    found_where, found_says = error(question)

    assert found_where == where
    assert says in found_says


@pytest.mark.parametrize("field", ["board", "scenario", "rules", "position"])
def test_a_field_that_is_needed_is_missed(field: str) -> None:
    """Without it there is nothing to adjudicate."""
    question = asked()
    del question[field]

    assert error(question) == (field, "is missing")


def test_the_id_can_be_had_without_an_answer() -> None:
    """For a line on which the program itself failed; nothing where there is none."""
    assert id_of(b'{"id": "x", "board": 3}') == "x"
    assert id_of(b'{"id": []}') is None
    assert id_of(b"[]") is None


def test_what_is_quoted_is_cut_short_and_harmless() -> None:
    """An error never repeats a long text, or signs that a terminal obeys."""
    _, says = error(asked(scenario="\x1b[31m" + "x" * 1000))

    assert "\x1b" not in says
    assert len(says) < 120


def test_a_value_nested_almost_too_deeply_is_answered() -> None:
    """Reading it may go well and working with it not; either way there is an answer."""
    for depth in range(700, 1000, 3):
        nested = "[" * depth + "]" * depth
        line = json.dumps(asked()).replace('"preset"', f'"set": {{"x": {nested}}}, "preset"')

        assert "error" in said_of(line.encode()), depth


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(JSON)
def test_any_json_is_answered(value: Any) -> None:
    """Never a traceback, whatever the value."""
    assert "error" in said_of(json.dumps(value).encode())


@given(st.binary(max_size=200))
def test_any_bytes_are_answered(line: bytes) -> None:
    """Never a traceback, whatever the bytes."""
    assert "error" in said_of(line)


def _paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths to all values below a value."""
    items = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    return [found for key, inner in items for found in [(*path, key), *_paths(inner, (*path, key))]]


QUESTIONS = [
    json.loads(question(record))
    for name in ("adjust", "assassination", "disasters", "datc")
    for record in list(records(name))[:40]
]


@settings(max_examples=200)
@given(st.data())
def test_a_question_with_anything_changed_is_answered(data: st.DataObject) -> None:
    """A question that is all right but for some values gives an answer or an error."""
    asked_for = copy.deepcopy(data.draw(st.sampled_from(QUESTIONS)))
    for path in data.draw(st.lists(st.sampled_from(_paths(asked_for)), max_size=3)):
        _change(asked_for, path, data.draw(JSON | st.sampled_from(["A", "V", "pad", "V A pad"])))

    document = said_of(json.dumps(asked_for).encode())

    assert ("error" in document) != ("results" in document)


def _change(value: Any, path: tuple[Any, ...], to: Any) -> None:
    """Put *to* at the end of a path, if an earlier change has left the path there."""
    *way, last = path
    for key in way:
        value = _step(value, key)
    if _step(value, last) is not None:
        value[last] = to


def _step(value: Any, key: Any) -> Any:
    if isinstance(value, dict):
        return value.get(key)
    if isinstance(value, list) and isinstance(key, int) and key < len(value):
        return value[key]
    return None


UNITS = ["L A flo", "L A are", "L F psa"]


def told_of(*lines: str) -> list[tuple[str, str | None, list[str]]]:
    """What a sheet of Florence with three units comes to, line by line."""
    question = position(units=UNITS) | {"orders": {"L": list(lines)}}
    return [(each["given"], each["order"], each["marks"]) for each in told(question)["results"]]


def test_an_order_for_many_units_stands_for_one_each() -> None:
    """Of those that no other line names, wherever it stands."""
    assert told_of("hold all", "A flo - pst") == [
        ("hold all", "A are h", []),
        ("hold all", "F psa h", []),
        ("A flo - pst", "A flo - pst", []),
    ]


def test_an_order_for_many_units_leaves_nobody_out_who_is_not_there() -> None:
    """Then nothing of it is taken."""
    first, *others = told_of("hold all except A mil")

    assert first == ("hold all except A mil", "hold all except A mil", ["void"])
    assert [given for given, _, _ in others] == [None] * len(UNITS)


def test_the_name_of_the_power_may_stand_before_a_line() -> None:
    """As results have it; a line of another power is none of these orders."""
    own, other, *_ = told_of("Florence: Army Arezzo -> Siena.", "Venice: A flo h")

    assert own == ("Florence: Army Arezzo -> Siena.", "A are - sie", [])
    assert other == ("Venice: A flo h", "Venice: A flo h", ["void"])
