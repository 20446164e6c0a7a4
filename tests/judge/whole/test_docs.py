"""The docs tell what the judge does: the command reference is made from the table of commands."""

import os
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from machjudge.adjudicator.events import TieBroken
from machjudge.cli import COMPLETIONS
from machjudge.judge.command_table import TABLE
from machjudge.judge.commands import Caller, CommandEntry, Group
from tests.cli import manual
from tests.judge.house import ROOT, message_renderer
from tests.judge.whole.pages import LANGUAGES, TablePage, table_page

GOLDEN = ROOT / "tests" / "messages" / "golden"
RIGHTS = ROOT / "tests" / "judge" / "whole" / "rights.toml"

say = message_renderer().say


def text_of(page: TablePage) -> str:
    """The command reference, as it shall stand in the docs."""
    lines = [page.words["head"]]
    for group in dict.fromkeys(entry.group for entry in TABLE):
        lines += [f"## {page.say(group.title).capitalize()}\n"]
        entries = [entry for entry in TABLE if entry.group == group]
        is_flag = group in (Group.RULES, Group.PRESS)
        lines += (
            _flags(page, group, entries) if is_flag else [_section(page, each) for each in entries]
        )
    return "\n".join(lines)


def _flags(page: TablePage, group: Group, entries: list[CommandEntry]) -> Iterator[str]:
    yield page.words["rules" if group == Group.RULES else "press"]
    yield f"{page.words['settings']}\n|---|---|"
    yield from (f"| `{page.say(entry.usage)}` | {_about(page, entry)[0]} |" for entry in entries)
    yield ""


def _section(page: TablePage, entry: CommandEntry) -> str:
    about, *more = _about(page, entry)
    callers = [Caller.ANYBODY] if Caller.ANYBODY in entry.who else list(Caller)
    allowed = ", ".join(page.say(who.words) for who in callers if who in entry.who)
    names = ", ".join(f"`{name}`" for name in entry.also)
    parts = [
        f"### `{page.say(entry.usage)}`",
        f"{about}\n{page.words['who'].format(who=allowed)}",
        page.words["also"].format(names=names) if names else "",
        "\n".join(f"    {line}" for line in more),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _about(page: TablePage, entry: CommandEntry) -> list[str]:
    """The lines of its help, of which the first is what it is about."""
    return page.say(entry.help).split("\n")


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


def test_what_shells_complete_is_what_the_commands_declare() -> None:
    """It stands in a file of its own; ``GOLDEN=write`` writes that anew."""
    made = manual.completions()
    if os.environ.get("GOLDEN") == "write":
        COMPLETIONS.write_text(made, encoding="utf-8")

    assert COMPLETIONS.read_text(encoding="utf-8") == made


@pytest.mark.parametrize("language", LANGUAGES)
def test_command_reference_is_the_table(language: str) -> None:
    """In each language; ``GOLDEN=write`` writes it anew."""
    page = table_page("commands", language)

    assert page.is_up_to_date(text_of(page))


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
        if entry.group not in (Group.RULES, Group.PRESS) and say(entry.usage) not in text
    ] == []
    assert [
        entry.name
        for entry in TABLE
        if entry.group in (Group.RULES, Group.PRESS) and entry.setting not in text
    ] == []


def test_index_of_the_docs_names_every_page() -> None:
    """And only pages that there are."""
    pages = {page.name for page in (ROOT / "docs").glob("*.md")} - {"README.md"}
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")

    assert set(re.findall(r"\((\w+\.md)\)", index)) == pages


def headings(page: Path) -> set[str]:
    """The headings of a page, as links name them."""
    text = re.sub(
        r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL
    )
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_links_to_headings_lead_somewhere() -> None:
    """Of the same page or of another one."""
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
    links = [
        (page, page.parent / file if file else page, heading)
        for page in pages
        for file, heading in re.findall(
            r"\]\(([^)#:\s]*)#([^)]+)\)", page.read_text(encoding="utf-8")
        )
    ]

    assert len(links) > 30
    assert [
        (page.name, file.name, heading)
        for page, file, heading in links
        if file.suffix == ".md" and heading not in headings(file)
    ] == []


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
