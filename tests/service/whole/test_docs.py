"""The docs tell what the judge does: the command reference is made from the table of commands."""

import os
import re
import tomllib
from collections.abc import Iterator
from typing import get_args, get_type_hints

from machjudge.adjudicator.events import TieBroken
from machjudge.service.lines.command_table import TABLE
from machjudge.service.session.command import PRESS, RULES, Caller, CommandEntry, Group
from tests.cli import manual
from tests.service.house import ROOT, stationery

REFERENCE = ROOT / "docs" / "commands.md"
GOLDEN = ROOT / "tests" / "letters" / "golden"
RIGHTS = ROOT / "tests" / "service" / "whole" / "rights.toml"

_HEAD = """# Commands

All commands, with who may use them; `HELP` sends them in short, `HELP SET DEADLINE` one of them.
Capital and small letters are the same, and so are `signon` and `sign on`.
How orders are written stands in [orders.md](orders.md), how a game goes in
[playing.md](playing.md).
"""


say = stationery().say


def about(entry: CommandEntry) -> str:
    """The first line of its help."""
    return say(entry.help).split("\n")[0]


def reference() -> str:
    """The command reference, as it shall stand in the docs."""
    lines = [_HEAD]
    for group in dict.fromkeys(entry.group for entry in TABLE):
        lines += [f"## {say(group.title).capitalize()}\n"]
        entries = [entry for entry in TABLE if entry.group == group]
        is_flag = group in (RULES, PRESS)
        lines += _flags(group, entries) if is_flag else [_section(entry) for entry in entries]
    return "\n".join(lines)


def _flags(group: Group, entries: list[CommandEntry]) -> Iterator[str]:
    if group == RULES:
        yield "For the master, several on one line with commas between them. Before the game begins"
        yield "they change freely; `HELP SET MONEY` and so on say whether they may change later.\n"
    else:
        yield "For the master, at any time; everybody is told. Press to the master is always"
        yield "allowed, always signed, and never faked. More in [press.md](press.md).\n"
    yield "| setting | about |\n|---|---|"
    yield from (f"| `{say(entry.usage)}` | {about(entry)} |" for entry in entries)
    yield ""


def _section(entry: CommandEntry) -> str:
    allowed = [say(who.words) for who in Caller if who in entry.who]
    parts = [
        f"### `{say(entry.usage)}`",
        f"{about(entry)}\nFor {'anybody' if Caller.ANYBODY in entry.who else ', '.join(allowed)}.",
        f"Also: {', '.join(f'`{name}`' for name in entry.also)}." if entry.also else "",
        "\n".join(f"    {line}" for line in say(entry.help).split("\n")[1:]),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def test_the_manual_page_and_the_completions_are_up_to_date() -> None:
    """As the commands themselves say; ``GOLDEN=write`` writes them anew."""
    folder = ROOT / "share"
    made = manual.files()
    if os.environ.get("GOLDEN") == "write":
        for path, text in made.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, encoding="utf-8")
    written = [path for path in folder.rglob("*") if path.is_file()]
    found = {str(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in written}

    assert found == made


def test_command_reference_is_the_table() -> None:
    """``GOLDEN=write`` writes it anew."""
    if os.environ.get("GOLDEN") == "write":
        REFERENCE.write_text(reference(), encoding="utf-8")

    assert REFERENCE.read_text(encoding="utf-8") == reference()


def test_every_command_has_its_rights_written_down() -> None:
    """A line in ``rights.toml`` for each row of the table, with all seven roles."""
    rights = tomllib.loads(RIGHTS.read_text(encoding="utf-8"))

    assert sorted(rights) == sorted(entry.name for entry in TABLE)
    assert {len(cells.split()) for cells, _ in rights.values()} == {7}


def test_help_names_every_command() -> None:
    """Each row of the table stands in the mail that HELP sends."""
    text = " ".join((GOLDEN / "help_of_all.txt").read_text(encoding="utf-8").split())

    assert [
        entry.name
        for entry in TABLE
        if entry.group not in (RULES, PRESS) and say(entry.usage) not in text
    ] == []
    assert [
        entry.name for entry in TABLE if entry.group in (RULES, PRESS) and entry.setting not in text
    ] == []


def test_index_of_the_docs_names_every_page() -> None:
    """And only pages that there are."""
    pages = {page.name for page in (ROOT / "docs").glob("*.md")} - {"README.md"}
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")

    assert set(re.findall(r"\((\w+\.md)\)", index)) == pages


def test_links_between_pages_lead_somewhere() -> None:
    """Every link to a file of ours has its file."""
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    links = [
        (page, target)
        for page in pages
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8"))
    ]

    assert len(links) > 50
    lost = [(page.name, target) for page, target in links if not (page.parent / target).exists()]
    assert lost == []


def test_page_of_the_solver_names_every_tie_break() -> None:
    """Those that a result may name (`TieBroken`)."""
    page = (ROOT / "docs" / "decisions" / "0002-partial-information-solver.md").read_text("utf-8")
    rules = get_args(get_type_hints(TieBroken)["rule"])

    assert len(rules) == 5
    assert [rule for rule in rules if f"`{rule}`" not in page] == []
