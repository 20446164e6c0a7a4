"""A broken board file is refused with file, line or key, and reason."""

from pathlib import Path

import pytest

from machjudge.adjudicator.board import Spot
from machjudge.adjudicator.names import Coast, MachjudgeError, PlaceId
from machjudge.map_files.board import load_board
from machjudge.map_files.toml_reader import BrokenMap
from tests.cases import cases

Small = tuple[Path, str]


@pytest.fixture
def small(keepers_maps: Path) -> Small:
    """The file of a sound small board, and its text."""
    file = keepers_maps / "boards" / "small.toml"
    return file, file.read_text(encoding="utf-8")


def faults(small: Small, old: str, new: str) -> list[str]:
    """What is wrong with the small board after a change: ``key: reason`` for each fault."""
    file, text = small
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(BrokenMap) as broken:
        load_board(file)
    return [f"{fault.key}: {fault.says}" for fault in broken.value.faults]


def test_the_small_board_is_sound(small: Small) -> None:
    """Everything in the file arrives in the board."""
    board = load_board(small[0])

    assert (board.id, board.title, len(board.places)) == ("small", "A small board", 8)
    assert Spot(PlaceId("cap"), Coast("nc")) in board.fleet[Spot(PlaceId("bay"))]
    assert board.places[PlaceId("val")].aliases == ("dale",)
    assert board.famine == {(2, 2): "hil", (2, 12): "bay", (12, 7): "val"}
    assert board.storm == {(7, 7): "oce"}
    assert board.ambiguous == {"ha": ("hil", "bay")}
    assert board.rules == {"coastal_convoys": False}
    assert board.province_order == ("val", "hil", "bay", "cap", "isl", "lag")
    assert board.city_order == ("lag", "bay", "hil", "val", "isl")


@cases
def test_a_fault_is_named_with_key_and_reason(
    small: Small, old: str, new: str, key: str, says: str
) -> None:
    """One change to the sound board gives a fault at that key, with that reason."""
    found = faults(small, old, new)

    assert any(fault.startswith(f"{key}: ") and says in fault for fault in found), found


def test_an_unreachable_place_is_named(small: Small) -> None:
    """A place that no unit can ever reach from the others is a slip."""
    file, text = small
    text = text.replace('lag = "str"\n', "").replace("isl lag oce", "isl oce")
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BrokenMap) as broken:
        load_board(file)

    assert [fault.says for fault in broken.value.faults] == [
        "lag cannot be reached from bay: give it a border, or impassable = true"
    ]


def test_the_smaller_part_of_a_board_is_named(small: Small) -> None:
    """Of two parts without a way between them the smaller one is the slip, whichever is first."""
    cut = {'bay = "cap hil"': 'bay = "cap"', 'hil = "bay val"': 'hil = "val"'}
    cut |= {'val = "cap hil"': 'val = "hil"', 'cap = "bay val"': 'cap = "bay"'}
    file, text = small
    for old, new in cut.items():
        text = text.replace(old, new, 1)
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BrokenMap) as broken:
        load_board(file)

    assert [fault.says.split(":")[0] for fault in broken.value.faults] == [
        "hil cannot be reached from bay",
        "val cannot be reached from bay",
    ]


def test_a_coast_without_water_is_named(small: Small) -> None:
    """A coastal province that no fleet can leave is inland, and a coast that none can is none."""
    file, text = small
    dry = text.replace('"cap/sc" = "str"\n', "").replace('"cap/sc isl lag oce"', '"isl lag oce"')
    dry = dry.replace("[coastal]", '[coastal]\nmoo = { name = "Moor" }')
    dry = dry.replace('hil = "bay val"', 'hil = "bay moo val"\nmoo = "hil"')
    file.write_text(dry, encoding="utf-8")
    with pytest.raises(BrokenMap) as broken:
        load_board(file)

    says = "no fleet can go anywhere from {}: give it a line in [fleet], or {}"
    assert [(fault.key, fault.says) for fault in broken.value.faults] == [
        ("coastal.moo", says.format("moo", "write moo under [inland]")),
        ("coastal.cap", says.format("cap/sc", "leave this coast out")),
    ]


def test_an_impassable_place_needs_no_borders(small: Small) -> None:
    """Switzerland may be surrounded; but it must not have borders."""
    file, text = small
    walled = text.replace("[coastal]", 'alp = { name = "Alps", impassable = true }\n[coastal]')
    file.write_text(walled, encoding="utf-8")

    assert not load_board(file).army[PlaceId("alp")]

    assert faults((file, walled), 'name = "Hill",', 'name = "Hill", impassable = true,') == [
        ": hil is impassable, but has borders"
    ]


def test_a_missing_place_is_reported_once(small: Small) -> None:
    """An unknown name is not told a second time as a border with one side."""
    assert faults(small, 'bay = "cap hil"', 'bay = "cap hli"') == [
        "army.bay: there is no place 'hli'; did you mean hil?"
    ]


def test_all_faults_are_named_at_once_in_the_order_of_the_file(small: Small) -> None:
    """Anyone who mends a file need not load it once for each fault."""
    file, text = small
    broken_text = (
        text.replace("income = 3", "income = 300")
        .replace('guard = "isl"', 'guard = "oce"')
        .replace("[0, 1, 1, 2, 2, 3]", "[]")
    )
    file.write_text(broken_text, encoding="utf-8")
    with pytest.raises(BrokenMap) as broken:
        load_board(file)

    assert [fault.key for fault in broken.value.faults] == [
        "inland.hil.income",
        "strait[1].guard",
        "income.north",
    ]


def test_a_fault_names_file_and_line(small: Small) -> None:
    """The text of a fault begins as compilers write it."""
    file, text = small
    line = 1 + text[: text.index("income = 3")].count("\n")
    file.write_text(text.replace("income = 3", "income = 300"), encoding="utf-8")
    with pytest.raises(BrokenMap) as broken:
        load_board(file)

    assert str(broken.value).startswith(f"{file}:{line}: inland.hil.income: ")


def test_a_syntax_error_names_its_line(small: Small) -> None:
    """What is no TOML is refused with the line where reading stopped."""
    file, text = small
    file.write_text(text.replace("[coastal]", "[coastal"), encoding="utf-8")
    with pytest.raises(BrokenMap) as broken:
        load_board(file)
    (fault,) = broken.value.faults

    assert fault.line == 1 + text[: text.index("[coastal]")].count("\n")
    assert fault.says.startswith("not valid TOML: ")


def test_a_syntax_error_at_the_end_has_no_line(small: Small) -> None:
    """A file that breaks off is refused too."""
    file, text = small
    file.write_text(text + 'x = "abc', encoding="utf-8")
    with pytest.raises(BrokenMap, match="not valid TOML"):
        load_board(file)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"\xff\xfe", "not a text in UTF-8"),
        (b"x = " + b"[" * 100_000, "too deep"),
        (b"x = " + b"9" * 5_000, "not valid TOML"),
        (b"", "no places"),
        (b"x = 1979-05-27", "this key is not known"),
    ],
)
def test_any_file_is_refused_without_a_traceback(tmp_path: Path, content: bytes, says: str) -> None:
    """Whatever a file contains, a BrokenMap is all that comes of it."""
    file = tmp_path / "odd.toml"
    file.write_bytes(content)

    with pytest.raises(BrokenMap, match=says):
        load_board(file)


def test_a_missing_file_is_a_broken_map(tmp_path: Path) -> None:
    """The reason is the system's, and the exception one of the house."""
    with pytest.raises(MachjudgeError, match="No such file"):
        load_board(tmp_path / "nowhere.toml")


def test_a_folder_is_a_broken_map(tmp_path: Path) -> None:
    """A folder in the place of a file is told as such."""
    with pytest.raises(BrokenMap, match="directory"):
        load_board(tmp_path)


PATCH = """
[[patch]]
option = "map_messina_otranto"
is = "fleet both"
between = "bay isl"
fleet = true
"""


def test_a_border_may_depend_on_an_option(small: Small) -> None:
    """The board keeps it beside its borders."""
    file, text = small
    file.write_text(text + PATCH, encoding="utf-8")

    (patch,) = load_board(file).patches

    assert (patch.option, patch.values) == ("map_messina_otranto", ("fleet", "both"))
    assert (patch.between, patch.army, patch.fleet) == ({"bay", "isl"}, None, True)


@pytest.mark.parametrize(
    ("old", "new", "key", "says"),
    [
        ("map_messina_otranto", "map_messina", "option", "no option 'map_messina'; did you mean"),
        ('is = "fleet both"', 'is = "navy"', "is", "cannot be navy; it is one of none, fleet"),
        ('"bay isl"', '"bay"', "", "a patch is between two places"),
        ("fleet = true", "", "", "a patch says what changes for army or fleet"),
        ("fleet = true", "fleet = false", "fleet", "fleets cannot go there anyway"),
        ('"bay isl"', '"bay oce"', "fleet", "fleets can go there anyway"),
        ('"bay isl"', '"bay hil"', "fleet", "no fleet can be inland"),
        ('isl"\nfleet', 'oce"\narmy', "army", "no army can be at sea"),
        ('isl"\nfleet', 'cap"\narmy', "army", "armies can go there anyway"),
    ],
    ids=str,
)
def test_a_border_that_no_option_changes_is_a_fault(
    small: Small, old: str, new: str, key: str, says: str
) -> None:
    """The option, its values and the two places must be there, and something must change."""
    file, text = small
    assert old in PATCH
    small = (file, text + PATCH.replace(old, new, 1))

    found = faults(small, "[board]", "[board]")

    where = f"patch[1].{key}" if key else "patch[1]"
    assert any(fault.startswith(f"{where}: ") and says in fault for fault in found), found


def test_a_strait_of_an_unknown_option_is_a_fault(small: Small) -> None:
    """As a patch it names an option of the rules."""
    found = faults(small, "[[strait]]", '[[strait]]\noption = "piombino"')

    assert found == [
        "strait[1].option: there is no option 'piombino'; did you mean strait_piombino?"
    ]
