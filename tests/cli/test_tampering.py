"""``machjudge verify`` on a file in which something was changed: one line says what is wrong."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner, Result

from machjudge import __version__
from machjudge.cli import main
from machjudge.formats.game_file import chronicle_lines, read_chronicle, seal_of
from machjudge.formats.values import Unfit
from tests.games.chronicles import chronicle_of, proofs_of, with_order_sets
from tests.games.game import Deal
from tests.games.variations import with_everything

Document = dict[str, Any]
Change = Callable[[Document], object]
SPRING = 2
"""The number of the first campaign, in which dice are thrown and money is lent."""


@cache
def text() -> str:
    """A year and more of a game with shared dice, as a file of this version."""
    game = chronicle_of(Deal("1454", 4, chosen=with_everything()), 8, ("tulip", "carte", "rose"))
    phases = tuple(replace(entry, adjudicator=__version__) for entry in game.phases)
    return "\n".join(chronicle_lines(replace(game, phases=phases)))


def document() -> Document:
    """The file as JSON."""
    read: Document = json.loads(text())
    return read


def verified(content: str | Document, folder: Path) -> Result:
    """What the command says of it."""
    file = folder / "game.json"
    file.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    result = CliRunner().invoke(main, ["verify", str(file)])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def test_what_was_not_changed_holds(tmp_path: Path) -> None:
    """Else the others would show nothing."""
    assert verified(document(), tmp_path).exit_code == 0


def spring(game: Document) -> Document:
    """The phase of the first campaign."""
    phase: Document = game["phases"][SPRING]
    assert phase["phase"] == "S1454M"
    return phase


def thrown(game: Document) -> tuple[Document, Document]:
    """The first throw of it, in the list of dice and among the events."""
    phase = spring(game)
    (event, *_) = [event for event in phase["events"] if event["kind"] == "dice_thrown"]
    return phase["dice"][0], event


def load_a_die(game: Document) -> None:
    """Another number on a die, wherever it is told."""
    for throw in thrown(game):
        throw["dice"][0] = throw["dice"][0] % 6 + 1


def take_the_dice(game: Document) -> None:
    """A throw without dice."""
    for throw in thrown(game):
        throw["dice"] = []


def throw_many(game: Document) -> None:
    """A throw of more dice than anybody owns."""
    for throw in thrown(game):
        throw["dice"] = [1] * 50_000


def drop_an_order(game: Document) -> None:
    """The loan of Naples, which was granted."""
    orders = spring(game)["orders"]["N"]
    orders[:] = [line for line in orders if not line["canonical"].startswith("borrow")]


def change_an_order(game: Document) -> None:
    """One ducat more to borrow."""
    (loan,) = [x for x in spring(game)["orders"]["N"] if x["canonical"].startswith("borrow")]
    loan["canonical"] = "borrow 19 ducats for 1 year"


def enrich(game: Document) -> None:
    """A ducat more for Venice, in one position."""
    spring(game)["after"]["treasuries"]["V"] += 1


def enrich_everywhere(game: Document) -> None:
    """The same in the position from which the next phase starts."""
    enrich(game)
    game["phases"][SPRING + 1]["before"]["treasuries"]["V"] += 1


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (load_a_die, 'dice    WRONG: phase 2 (S1454M): for "plague severity", throw 1, '),
        (lambda game: thrown(game)[0]["dice"].reverse(), "dice    WRONG: phase 2 (S1454M): its l"),
        (lambda game: spring(game)["dice"].clear(), "dice    WRONG: phase 2 (S1454M): its list "),
        (take_the_dice, 'dice    WRONG: phase 2 (S1454M): for "plague severity", throw 1, none in'),
        (throw_many, 'dice    WRONG: phase 2 (S1454M): for "plague severity", throw 1, 1,1,1,1'),
        (lambda game: game["words"].reverse(), 'dice    WRONG: phase 0 (F1453B): for "income m'),
        (lambda game: game["words"].append("more"), "dice    WRONG: phase 0 (F1453B): for "),
        (lambda game: game.update(words=None), "dice    WRONG: phase 0 (F1453B): for "),
        (lambda game: game.update(secret="00" * 32), "secret  WRONG: its SHA-256 is "),
        (lambda game: game.update(commitment="ab"), "secret  WRONG: its SHA-256 is "),
        (enrich, "events  WRONG: phase 2 (S1454M): its events do not lead to the position after"),
        (enrich_everywhere, "events  WRONG: phase 2 (S1454M): its events do not lead to the pos"),
        (
            lambda game: spring(game)["before"]["field"].popitem(),
            "starts  WRONG: phase 2 (S1454M): it does not start from the position before it",
        ),
        (
            drop_an_order,
            "orders  WRONG: phase 2 (S1454M): its orders do not bring what it tells: L",
        ),
        (change_an_order, "orders  WRONG: phase 2 (S1454M): its orders do not bring what it tells"),
        (
            lambda game: spring(game)["rules"]["money"].update(loans=False),
            "orders  WRONG: phase 2 (S1454M): its orders do not bring what it tells: LoanTaken",
        ),
        (
            lambda game: spring(game)["rules"]["game"].update(dice=False),
            "orders  WRONG: phase 2 (S1454M): ",
        ),
        (lambda game: game["phases"].pop(3), "starts  WRONG: phase 4 ("),
        (lambda game: game["phases"].reverse(), "phases  WRONG: they are not numbered in their"),
        (lambda game: game["phases"].clear(), "phases  WRONG: there are none"),
        (lambda game: game.update(last=99), "phases  WRONG: there is no last phase 99"),
        (lambda game: spring(game).update(phase="U1454M"), "starts  WRONG: phase 2 (U1454M): it d"),
        (lambda game: spring(game).update(parent=2), "starts  WRONG: phase 2 (S1454M): it does n"),
        (lambda game: game.update(scenario="1499"), "starts  WRONG: phase 0 (F1453B): it does n"),
    ],
)
def test_a_changed_game_is_told_by_what_is_wrong(change: Change, says: str, tmp_path: Path) -> None:
    """Each in a line of its own with its phase, and in the last line what to look at first."""
    game = document()
    change(game)

    result = verified(game, tmp_path)

    assert result.exit_code == 1
    assert any(line.strip().startswith(says) for line in result.stdout.splitlines()), result.stdout
    wrong = next(line.split()[0] for line in result.stdout.splitlines() if "WRONG" in line)
    assert result.stdout.splitlines()[-1] == f"Not everything holds. First of all: {wrong}."
    assert max(len(line) for line in result.stdout.splitlines()) < 450


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda game: game.update(words=["\ud800"]), " at words[0]: a NUL or half a character "),
        (
            lambda game: game.update(words="tulip"),
            ' at words: the text "tulip" stands where a list',
        ),
        (
            lambda game: game.update(words=[None]),
            " at words[0]: null stands where a string is want",
        ),
        (lambda game: game.update(secret="ab"), " at secret: a secret is 64 hexadecimal digits"),
        (lambda game: game.update(phases={}), " at phases: an object stands where a list is want"),
        (lambda game: game.update(last="5"), ' at last: the text "5" stands where a whole number'),
        (lambda game: game.update(last=10**30), " at last: a huge number stands where a whole nu"),
        (lambda game: game.update(rules={}), " at rules: there is no such field; known are "),
        (lambda game: game.pop("secret"), " at secret: is missing"),
        (lambda game: spring(game).pop("rules"), " at phases[2].rules: is missing"),
        (lambda game: spring(game).update(rules=None), " at phases[2].rules: null stands where"),
        (lambda game: thrown(game)[0].update(dice="6"), ' at phases[2].dice[0].dice: the text "6"'),
        (lambda game: spring(game).update(before=[]), " at phases[2].before: a list stands where"),
        (lambda game: spring(game)["events"][0].update(kind=7), " at phases[2].events[0].kind: "),
        (
            lambda game: spring(game)["after"]["treasuries"].update(V=1.5),
            " at phases[2].after.treasuries.V: the number 1.5 stands where a whole number is want",
        ),
    ],
)
def test_a_game_of_another_shape_says_where(change: Change, says: str, tmp_path: Path) -> None:
    """One line on stderr, with the way to the fault."""
    game = document()
    change(game)

    result = verified(game, tmp_path)

    assert result.exit_code == 2
    (line,) = result.stderr.splitlines()
    assert says in line


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda whole: whole[:5000], "it is not JSON: "),
        (lambda whole: whole + whole, "it is not JSON: extra data, "),
        (lambda whole: whole.replace("{", '{"secret": "00",', 1), 'the key "secret" stands twice'),
        (lambda whole: whole.replace('"last": 7', '"last": ' + "7" * 6000), "too many digits"),
        (lambda whole: whole.replace('"last": 7', '"last": NaN'), "NaN is no number of JSON"),
        (lambda whole: "[" * 200_000 + "]" * 200_000, "it is nested too deeply"),
        (lambda whole: "", "it is not JSON: "),
    ],
)
def test_what_is_no_json_says_so(change: Callable[[str], str], says: str, tmp_path: Path) -> None:
    """Cut short, doubled, nested without end, or with numbers nobody needs."""
    assert '"last": 7' in text()

    result = verified(change(text()), tmp_path)

    assert result.exit_code == 2
    (line,) = result.stderr.splitlines()
    assert says in line


def test_a_huge_file_is_read_to_its_end(tmp_path: Path) -> None:
    """Twenty megabytes of words are words, and the dice are not theirs."""
    game = document()
    game["words"] = ["tulip" * 40] * 100_000

    result = verified(game, tmp_path)

    assert result.exit_code == 1
    assert "First of all: dice." in result.stdout


def orders_of_spring(game: Document) -> list[Document]:
    """The order lines of the first campaign, of the first power that gave any."""
    lines: list[Document] = min(spring(game)["orders"].items())[1]
    return lines


def claim_another_version(game: Document) -> None:
    """Of other versions verify cannot say what their orders bring."""
    drop_an_order(game)
    for phase in game["phases"]:
        phase["adjudicator"] = "0.0.1"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda game: game.update(last=5), "the game was not sealed with 5 as its last phase"),
        (
            lambda game: orders_of_spring(game)[0].update(written="I was robbed"),
            "phase 2 (S1454M): not as sealed: its orders, who wrote them, its version",
        ),
        (
            lambda game: orders_of_spring(game)[0].update(by_judge=True),
            "phase 2 (S1454M): not as sealed: its orders, who wrote them, its version",
        ),
        (
            lambda game: game.update(game="Sforza"),
            "phase 0 (F1453B): not as sealed: its orders, who wrote them, its version, "
            "or the game's name or words",
        ),
        (lambda game: game.update(judge="ELSE"), "phase 0 (F1453B): not as sealed: "),
        (claim_another_version, "phase 0 (F1453B): not as sealed: "),
        (
            lambda game: spring(game).update(adjudicator="9.9"),
            "phase 2 (S1454M): not as sealed: ",
        ),
        (lambda game: game.update(seal="00" * 32), "the game was not sealed with 7 as its last"),
        (lambda game: spring(game).update(seal=""), "phase 2 (S1454M): not as sealed: "),
    ],
)
def test_what_cannot_be_computed_again_is_sealed(change: Change, says: str, tmp_path: Path) -> None:
    """Anyone who changes it changes the seal, which everybody got with the game's last message."""
    game = document()
    change(game)

    result = verified(game, tmp_path)

    assert result.exit_code == 1
    assert any(
        line.strip().startswith(f"seal    WRONG: {says}") for line in result.stdout.splitlines()
    )
    assert "First of all: seal." in result.stdout


def test_a_file_without_seals_is_refused(tmp_path: Path) -> None:
    """Anyone who takes them away gets no word of praise."""
    game = document()
    for each in (game, *game["phases"]):
        del each["seal"]

    result = verified(game, tmp_path)

    assert result.exit_code == 2
    assert "seal: is missing" in result.stderr


def test_a_seal_made_anew_is_another_one(tmp_path: Path) -> None:
    """What was forged throughout holds by itself, and shows another seal than the last message."""
    game = chronicle_of(Deal("1454", 4, chosen=with_everything()), 4)
    forged = replace(game, game="Sforza")
    shown = [
        verified("\n".join(chronicle_lines(each)), tmp_path).stdout.partition(
            "seal    holds: it is "
        )
        for each in (game, forged)
    ]

    assert all(sign for _, sign, _ in shown)
    assert shown[0][2][:64] != shown[1][2][:64]
    assert shown[0][2][:64] == seal_of(game)


# --- order sets ------------------------------------------------------------------------------


@cache
def sealed_text() -> str:
    """A year of a game, with all its order sets."""
    game = with_order_sets(chronicle_of(Deal("1454", 4, chosen=with_everything()), 5))
    phases = tuple(replace(entry, adjudicator=__version__) for entry in game.phases)
    return "\n".join(chronicle_lines(replace(game, phases=phases)))


@cache
def proofs() -> str:
    """All receipts and results of that game."""
    return proofs_of(read_chronicle(sealed_text().encode()))


def sealed_anew(game: Document) -> Document:
    """The file with seals that fit what is in it now, as somebody would make them who forges."""
    for each in (game, *game["phases"]):
        each["seal"] = ""
    made: Document = json.loads(
        "\n".join(chronicle_lines(read_chronicle(json.dumps(game).encode())))
    )
    return made


def set_of(game: Document, power: str = "") -> tuple[Document, list[Document], str]:
    """An order set of the first campaign, the orders that were played, and its power."""
    phase = spring(game)
    found = power or next(p for p, each in phase["sealed"].items() if each["number"])
    return phase["sealed"][found], phase["orders"].get(found, []), found


def give_by_another(game: Document) -> None:
    """The first order of a set as if another seat had given it."""
    told, _, power = set_of(game)
    told["orders"][0][1] = next(p for p in game["phases"][0]["after"]["treasuries"] if p != power)


def add_for_the_judge(game: Document) -> None:
    """An order that stands in no set, as if the judge had given it."""
    _, lines, _ = set_of(game)
    lines.append({"written": "A pad h", "canonical": "A pad h", "by_judge": True})


def take_the_seat(game: Document) -> None:
    """An order without the seat that gave it."""
    set_of(game)[0]["orders"][0].pop()


def of_no_number(game: Document) -> None:
    """Orders in a set that was never on file."""
    set_of(game)[0]["number"] = 0


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda game: spring(game)["sealed"].popitem(), "no order set of "),
        (lambda game: spring(game)["sealed"].clear(), "no order sets are told, though those of e"),
        (give_by_another, "has an order of the seat "),
        (take_the_seat, "has an order of no seat"),
        (add_for_the_judge, "are not those on file; added: A pad h"),
        (of_no_number, "are not those on file"),
        (lambda game: set_of(game)[0].update(void=True), "are not those on file"),
        (lambda game: set_of(game)[0]["orders"].reverse(), "are not those on file"),
        (
            lambda game: spring(game)["sealed"].update(
                Q={"number": 0, "orders": [], "void": False}
            ),
            "Q is no power of this game",
        ),
    ],
)
def test_an_order_set_that_cannot_have_been_is_found_without_receipts(
    change: Change, says: str, tmp_path: Path
) -> None:
    """Also where all seals of the file were made anew."""
    game = json.loads(sealed_text())
    change(game)

    result = verified(sealed_anew(game), tmp_path)

    line = next(line for line in result.stdout.splitlines() if line.startswith("  sealed  WRONG"))
    assert says in line


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to each value in a document that is no list or object."""
    if not isinstance(value, dict | list):
        yield path
        return
    for key, each in value.items() if isinstance(value, dict) else enumerate(value):
        yield from leaves(each, (*path, key))


def otherwise(value: object) -> object:
    """Another value of the same kind."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str() if value:
            return value[:-1] + ("a" if value[-1] != "a" else "b")
        case _:
            return "x" if value == "" else 1


NOT_PROVEN = frozenset({"end", "played", "master_plays", "rules"})
"""What the documentation says nothing proves; rules only where they change what happens."""


def found_out(path: tuple[Any, ...], change: str, receipts: str, folder: Path) -> bool:
    """Whether a change of one value, with seals made anew, is found with all receipts."""
    game = json.loads(sealed_text())
    holder = game
    for key in path[:-1]:
        holder = holder[key]
    if change == "other":
        holder[path[-1]] = otherwise(holder[path[-1]])
    else:
        del holder[path[-1]]
    try:
        forged = sealed_anew(game)
    except Unfit:
        return True
    if forged == json.loads(sealed_text()):
        return True  # the same in other words
    (folder / "mails").write_text(f"Subject: all\n\n{receipts}\n", encoding="ascii")
    (folder / "game.json").write_text(json.dumps(forged), encoding="ascii")
    mails = ["--receipts", str(folder / "mails")]
    result = CliRunner().invoke(main, ["verify", str(folder / "game.json"), *mails])
    assert result.exception is None or isinstance(result.exception, SystemExit), path
    if result.exit_code or "Everything holds" not in result.stdout:
        return True
    said = dict(
        line.split(" holds: ")[:2] for line in result.stdout.splitlines() if "holds:" in line
    )
    return seal_of(read_chronicle(sealed_text().encode())) not in said["  seal   "]


def rarely_the_same(part: str) -> list[tuple[Any, ...]]:
    """The values of a part of the file, in an order that chance has given once and for all."""
    paths = [p for p in leaves(json.loads(sealed_text())) if (part in p) == (part != "")]
    paths = [p for p in paths if not NOT_PROVEN & set(p) and p[-1] not in ("seal", "format")]
    return Random(part).sample(paths, len(paths))  # noqa: S311 - a test's


@pytest.mark.parametrize("change", ["other", "drop"])
@pytest.mark.parametrize("part", ["sealed", "orders", ""])
def test_whatever_is_changed_in_a_file_is_found_with_its_receipts(
    part: str, change: str, tmp_path: Path
) -> None:
    """Value by value: refused, wrong, doubted, or with another seal than the game's last mail."""
    for path in rarely_the_same(part)[:6]:
        assert found_out(path, change, proofs(), tmp_path), path


@pytest.mark.slow
@pytest.mark.parametrize("change", ["other", "drop"])
@pytest.mark.parametrize("part", ["sealed", "orders", "events", ""])
def test_whatever_is_changed_in_a_file_is_found_at_length(
    part: str, change: str, tmp_path: Path
) -> None:
    """The same with many more values."""
    for path in rarely_the_same(part)[:80]:
        assert found_out(path, change, proofs(), tmp_path), path


def test_all_receipts_are_of_the_file_that_nobody_changed(tmp_path: Path) -> None:
    """Else the others would show nothing."""
    (tmp_path / "mails").write_text(f"Subject: all\n\n{proofs()}\n", encoding="ascii")
    (tmp_path / "game.json").write_text(sealed_text(), encoding="ascii")
    arguments = ["verify", str(tmp_path / "game.json"), "--receipts", str(tmp_path / "mails")]

    result = CliRunner().invoke(main, arguments)

    n = len(proofs().splitlines())
    assert (result.exit_code, f"{n} of {n} proofs are of this file" in result.stdout) == (0, True)
    assert "Everything holds" in result.stdout
