"""Conditions of ``if``: what they may say, how they are written, and what is wrong with others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from machjudge.adjudicator.moments import Stage
from machjudge.adjudicator.names import AUTONOMOUS, PlaceId, PowerId
from machjudge.adjudicator.orders import BulkOrder, Named, Verb
from machjudge.adjudicator.units import Kind
from machjudge.language.conditions import (
    Both,
    Either,
    Not,
    Owned,
    Sign,
    Treasury,
    UnitThere,
    parse_condition,
    write_condition,
)
from machjudge.language.lexicon import lexicon_of
from machjudge.language.orders import parse_bulk_order, split_bulk_line, write_bulk_order
from machjudge.language.words import Mark, ParseError, begins_branch, split_branches
from tests.cases import cases
from tests.judge.house import atlas
from tests.messages.said import say

LEXICON = lexicon_of(atlas().scenario("1454"))
FLORENCE, MILAN, VENICE = (PowerId(letter) for letter in "LIV")
MIL = UnitThere(PlaceId("mil"), Kind.ARMY)


def read(text: str):
    """The condition as Florence means it."""
    return parse_condition(text, LEXICON, FLORENCE)


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("A mil", MIL),
        ("army Milan", MIL),
        ("mil", UnitThere(PlaceId("mil"))),
        ("Venice", UnitThere(PlaceId("ven"))),
        ("Venice ven", UnitThere(PlaceId("ven"), None, VENICE)),
        ("venetian G ven", UnitThere(PlaceId("ven"), Kind.GARRISON, VENICE)),
        ("my F psa", UnitThere(PlaceId("psa"), Kind.FLEET, FLORENCE)),
        ("autonomous G bol", UnitThere(PlaceId("bol"), Kind.GARRISON, AUTONOMOUS)),
        ("Florence owns pst", Owned(PlaceId("pst"), FLORENCE)),
        ("I own Pistoia", Owned(PlaceId("pst"), FLORENCE)),
        ("nobody controls city of bol", Owned(PlaceId("bol"), None, in_city=True)),
        ("treasury >= 9", Treasury(FLORENCE, Sign.LEAST, 9)),
        ("treasury ≥ 9 ducats", Treasury(FLORENCE, Sign.LEAST, 9)),
        ("Milan treasury < 6", Treasury(MILAN, Sign.LESS, 6)),
        ("the treasury of Milan is at most 6 d", Treasury(MILAN, Sign.MAX, 6)),
        ("ducats more than 3", Treasury(FLORENCE, Sign.MORE, 3)),
        ("not A mil", Not(MIL)),
        ("A mil and A mil or A mil", Either((Both((MIL, MIL)), MIL))),
        ("A mil and (A mil or A mil)", Both((MIL, Either((MIL, MIL))))),
        ("not (A mil & A mil)", Not(Both((MIL, MIL)))),
    ],
)
def test_conditions_are_read_and_written(text: str, condition) -> None:
    """And what is written reads as the same, no matter who speaks."""
    assert read(text) == condition
    assert parse_condition(write_condition(condition, LEXICON), LEXICON, VENICE) == condition


@cases
def test_what_is_no_condition_is_shown_where_it_is_wrong(
    text: str, column: int, reason: str
) -> None:
    """With its column and one sentence."""
    found = read(text)

    assert isinstance(found, ParseError)
    assert (found.column, say(found.reason)) == (column, reason)


@pytest.mark.parametrize("text", ["sal", "A rom", "papal A rom", "Papacy owns rom"])
def test_two_places_of_one_name_are_named(text: str) -> None:
    """SYN-09."""
    found = read(text)

    assert isinstance(found, ParseError)
    assert found.candidates


@given(st.text(alphabet="amil()notrde>=9 ,#", max_size=60))
def test_anything_is_a_condition_or_a_problem_with_a_column(text: str) -> None:
    """Never an exception, and the column is in the text."""
    found = read(text)

    if isinstance(found, ParseError):
        assert 0 <= found.column <= len(text)
    else:
        assert read(write_condition(found, LEXICON)) == found


def test_lines_are_cut_at_the_words_of_branches() -> None:
    """With the column of each text; a comment is none."""
    pieces = split_branches("if A mil then A flo h else if B elseif C else: D end if")

    assert [(piece.mark, piece.text) for piece in pieces] == [
        (Mark.IF, "A mil"),
        (Mark.THEN, "A flo h"),
        (Mark.ELSE_IF, "B"),
        (Mark.ELSE_IF, "C"),
        (Mark.ELSE, "D"),
        (Mark.END_IF, ""),
    ]
    assert pieces[1].column == 14
    assert not begins_branch("A flo h # if only")
    assert not begins_branch("Elsewhere")


@pytest.mark.parametrize(
    ("text", "sweep"),
    [
        ("hold rest", BulkOrder(Verb.HOLD, rest=True)),
        ("the rest holds.", BulkOrder(Verb.HOLD, rest=True)),
        ("H all", BulkOrder(Verb.HOLD, rest=False)),
        ("hold all my units  # please", BulkOrder(Verb.HOLD, rest=False)),
        ("all garrisons hold", BulkOrder(Verb.HOLD, rest=False, kind=Kind.GARRISON)),
        ("Both of my fleets stand.", BulkOrder(Verb.HOLD, rest=False, kind=Kind.FLEET)),
        ("my armies hold", BulkOrder(Verb.HOLD, rest=False, kind=Kind.ARMY)),
        ("hold all other garrisons", BulkOrder(Verb.HOLD, rest=True, kind=Kind.GARRISON)),
        ("the rest of my armies hold", BulkOrder(Verb.HOLD, rest=True, kind=Kind.ARMY)),
        ("the rest of the units hold", BulkOrder(Verb.HOLD, rest=True)),
        ("las guarniciones mantienen", BulkOrder(Verb.HOLD, rest=False, kind=Kind.GARRISON)),
        ("entrambe le flotte tengono", BulkOrder(Verb.HOLD, rest=False, kind=Kind.FLEET)),
        ("le altre guarnigioni tengono", BulkOrder(Verb.HOLD, rest=True, kind=Kind.GARRISON)),
        (
            "hold all except A mil, F gen and pis",
            BulkOrder(
                Verb.HOLD,
                rest=False,
                excepted=(
                    Named(Kind.ARMY, PlaceId("mil")),
                    Named(Kind.FLEET, PlaceId("gen")),
                    Named(None, PlaceId("pst")),
                ),
            ),
        ),
    ],
)
def test_orders_for_many_units_are_read_and_written(text: str, sweep: BulkOrder) -> None:
    """What is written reads as the same."""
    found = parse_bulk_order(text, LEXICON, Stage.CAMPAIGN)

    assert found == sweep
    assert parse_bulk_order(write_bulk_order(sweep, LEXICON), LEXICON, Stage.CAMPAIGN) == sweep


def test_orders_for_many_units_have_their_phase_and_their_names() -> None:
    """One sentence says what is wrong."""
    hold = parse_bulk_order("hold rest", LEXICON, Stage.ADJUSTMENT)
    keep = parse_bulk_order("maintain all except", LEXICON, Stage.ADJUSTMENT)
    both = parse_bulk_order("maintain all except A sal", LEXICON, Stage.ADJUSTMENT)

    assert isinstance(hold, ParseError)
    assert say(hold.reason) == "units hold in campaigns only"
    assert isinstance(keep, ParseError)
    assert say(keep.reason).startswith("name the units that are left out")
    assert isinstance(both, ParseError)
    assert both.candidates
    assert parse_bulk_order("A mil h", LEXICON, Stage.CAMPAIGN) is None


def test_order_for_many_units_may_end_a_line_of_orders() -> None:
    """Behind a comma or a semicolon; other lines stay whole."""
    assert split_bulk_line("A mil - pav, hold rest", LEXICON, Stage.CAMPAIGN) == (
        "A mil - pav",
        "hold rest",
    )
    assert split_bulk_line("hold all except A mil, F gen", LEXICON, Stage.CAMPAIGN) == (
        "hold all except A mil, F gen",
    )
    assert split_bulk_line("A mil h; A pav h", LEXICON, Stage.CAMPAIGN) == ("A mil h; A pav h",)
    assert split_bulk_line("hold rest, A mil - pav", LEXICON, Stage.CAMPAIGN) == (
        "hold rest",
        "A mil - pav",
    )
    assert split_bulk_line("hold rest and A mil - pav", LEXICON, Stage.CAMPAIGN) == (
        "hold rest",
        "A mil - pav",
    )
    assert split_bulk_line("A pav h, hold all except A mil, F gen", LEXICON, Stage.CAMPAIGN) == (
        "A pav h",
        "hold all except A mil, F gen",
    )
    assert split_bulk_line("hold all but A mil, F gen, A mil - pav", LEXICON, Stage.CAMPAIGN) == (
        "hold all but A mil, F gen",
        "A mil - pav",
    )
