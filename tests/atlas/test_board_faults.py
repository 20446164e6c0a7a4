"""A broken board file is refused with file, line or key, and reason."""

from pathlib import Path

import pytest

from machjudge.adjudicator.model.board import Spot
from machjudge.adjudicator.model.names import Coast, MachjudgeError, PlaceId
from machjudge.atlas import BrokenMap, load_board

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


@pytest.mark.parametrize(
    ("old", "new", "key", "says"),
    [
        ('title = "A small board"', "", "board.title", "this key is missing"),
        ('title = "A small board"', "title = 7", "board.title", "a line of text is needed"),
        ('title = "A small board"', 'title = "A\\nB"', "board.title", "a line of text is needed"),
        ('["tiny"]', '"tiny"', "board.also", "a list of texts is needed"),
        ('["tiny"]', "[1]", "board.also", "a list of texts is needed"),
        ("[board]", "[borad]", "borad", "this key is not known; did you mean board?"),
        ("[board]", "[[board]]", "board", "a table is needed here"),
        ("[report]", "[repart]", "repart", "this key is not known; did you mean report?"),
        ("income = 3", "incom = 3", "inland.hil.incom", "not known; did you mean income?"),
        ("income = 3", "income = -1", "inland.hil.income", "a whole number from 0 to 99"),
        ("income = 3", "income = true", "inland.hil.income", "a whole number from 0 to 99"),
        ("income = 3", "income = 3.0", "inland.hil.income", "a whole number from 0 to 99"),
        ('{ name = "Ocean" }', '"Ocean"', "sea.oce", "a table is needed here"),
        ('{ name = "Ocean" }', "{}", "sea.oce.name", "this key is missing"),
        ('hil = { name = "Hill"', 'Hill = { name = "Hill"', "inland.Hill", "letters a-z"),
        ('name = "Ocean"', 'name = "Valley"', "sea.oce", "'Valley' is a name of val too"),
        ('["st"]', '["Val Ley"]', "sea.str", "'val ley' is a name of val too"),
        ('["st"]', '["hil"]', "sea.str", "'hil' is a name of hil too"),
        ('oce = { name = "Ocean" }', 'bay = { name = "Sea" }', "sea.bay", "another place already"),
        ('city = "fortified", income', 'city = "strong", income', "inland.hil.city", "fortress"),
        (
            'name = "Ocean"',
            'name = "Ocean", city = "fortress"',
            "sea.oce.city",
            "a sea has no city",
        ),
        ('name = "Ocean"', 'name = "Ocean", port = true', "sea.oce", "belong to a city"),
        ("income = 3", "port = true", "inland.hil.port", "a port needs a coast"),
        (
            'coasts = "nc sc"',
            'coasts = "nc sc", city = "fortified", anchors = "nc"',
            "coastal.cap.anchors",
            "the anchors of a port are on coasts of its province",
        ),
        (
            'coasts = "nc sc"',
            'coasts = "nc sc", city = "fortified", port = true, anchors = "ec"',
            "coastal.cap.anchors",
            "the anchors of a port are on coasts of its province",
        ),
        ("port = true }", "port = 1 }", "coastal.bay.port", "true or false is needed"),
        ('coasts = "nc sc"', 'coasts = "nc xc"', "coastal.cap.coasts", "'xc' is no coast"),
        ('coasts = "nc sc"', 'coasts = "nc nc"', "coastal.cap.coasts", "'nc' stands here twice"),
        ('coasts = "nc sc"', 'coasts = "nc"', "coastal.cap.coasts", "a single coast needs no name"),
        ('name = "Ocean"', 'name = "Ocean", coasts = "nc sc"', "sea.oce.coasts", "only a coastal"),
        ('name = "Ocean"', 'name = "Ocean", venice = true', "sea.oce.venice", "coastal province"),
        ('name = "Ocean"', 'name = "Ocean", afloat = true', "sea.oce.afloat", "with a port"),
        ('bay = "cap hil"', 'bay = "cap hil xyz"', "army.bay", "there is no place 'xyz'"),
        ('bay = "cap hil"', 'bay = "cap hil vla"', "army.bay", "did you mean val?"),
        ('bay = "cap hil"', 'bay = "cap"', "army.hil", "bay does not border on hil"),
        ('bay = "cap hil"', 'bay = "cap hil hil"', "army.bay", "'hil' stands here twice"),
        ('bay = "cap hil"', 'bay = "bay cap hil"', "army.bay", "does not border on itself"),
        ('bay = "cap hil"', 'bay = "cap hil oce"', "army.bay", "no army can be in oce"),
        ('bay = "cap hil"', 'bay = ["cap", "hil"]', "army.bay", "a text of words is needed"),
        ('bay = "cap hil"', 'oce = "cap hil"', "army.oce", "no army can be in oce"),
        ('bay = "cap/nc oce"', 'bay = "cap/nc hil oce"', "fleet.bay", "hil, which is inland"),
        ('bay = "cap/nc oce"', 'bay = "cap oce"', "fleet.bay", "write cap/nc or cap/sc"),
        ('bay = "cap/nc oce"', 'bay = "cap/ec oce"', "fleet.bay", "cap has no coast 'ec'"),
        ('bay = "cap/nc oce"', 'bay = "cap/nc oce/nc"', "fleet.bay", "oce has no coast 'nc'"),
        ('bay = "cap/nc oce"', 'bay = "cap/nc"', "fleet.oce", "bay does not border on oce"),
        ('lag = "str"', "", "fleet.str", "lag does not border on str"),
        ('guard = "isl"', 'guard = "hil"', "strait[1].guard", "hil is no coastal province"),
        ('guard = "isl"', 'guard = "bay"', "strait[1].guard", "fleets cannot go from there to str"),
        ('guard = "isl"', 'guard = "isle"', "strait[1].guard", "there is no place 'isle'"),
        ('guard = "isl"', "", "strait[1].guard", "this key is missing"),
        ('between = "oce str"', 'between = "oce lag"', "strait[1].between", "cannot go from oce"),
        ('between = "oce str"', 'between = "oce"', "strait[1]", "between two places"),
        ("[[strait]]", "[strait]", "strait", "tables [[strait]] are needed"),
        ("12 = ", "13 = ", "famine.13", "a row is 2 to 12"),
        ("12 = ", "twelve = ", "famine.twelve", "a row is 2 to 12"),
        ('2 = "hil  .', '2 = "hil', "famine.2", "here are 10"),
        ('2 = "hil  .', '2 = "hil xyz', "famine.2", "there is no place 'xyz'"),
        ('2 = "hil  .', '2 = "hil val', "famine.12", "val stands in this table twice"),
        ('2 = "hil  .', '2 = "hil oce', "famine.2", "oce is a sea"),
        (
            '7 = " .   .   .   .   .  oce',
            '7 = " .   .   .   .   .  bay',
            "storm.7",
            "bay is no sea",
        ),
        ('7 = " .   .   .   .   .  cap', "7 = 4 #", "plague.7", "a text of words is needed"),
        ("[0, 1, 1, 2, 2, 3]", "[0, 1, 1, 2, 2]", "income.north", "a line has 6 numbers"),
        ("[0, 1, 1, 2, 2, 3]", '"0 1 1 2 2 3"', "income.north", "a list of whole numbers"),
        ("north = [", "North = [", "income.North", "small letters"),
        ('ha = "hil bay"', 'ha = "hil"', "ambiguous.ha", "two places or more"),
        ('ha = "hil bay"', 'hil = "hil bay"', "ambiguous.hil", "the abbreviation of a place"),
        ('ha = "hil bay"', 'ha = "hil xyz bay"', "ambiguous.ha", "there is no place 'xyz'"),
        ("coastal_convoys = false", "coastal = false", "rules.coastal", "there is no option"),
        ("coastal_convoys = false", "coastal_convoys = 3", "rules.coastal_convoys", "cannot be 3"),
        (
            "coastal_convoys = false",
            "coastal_convoys = []",
            "rules.coastal_convoys",
            "true or false",
        ),
        ('provinces = "val hil"', 'provinces = "val oce"', "report.provinces", "oce is a sea"),
        ('cities = "lag bay"', 'cities = "lag cap"', "report.cities", "cap has no city"),
    ],
)
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
    """Whoever mends a file need not load it once for each fault."""
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
