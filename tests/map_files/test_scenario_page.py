"""docs/scenarios.md builds a scenario from nothing: what it says is done as it stands there."""

import os
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

from machjudge.cli import main
from machjudge.map_files.folders import Atlas

PAGE = Path(__file__).parents[2] / "docs" / "scenarios.md"
_BLOCK = re.compile(r"```(\w+)(?: (\S+))?\n(.*?)```\n", re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A part of the page that is done: commands, a change of a file, or a whole file."""

    kind: str
    file: str
    text: str


def blocks(page: str) -> list[Block]:
    """The parts of the page in their order."""
    return [Block(*found.groups(default="")) for found in _BLOCK.finditer(page)]


class Shell:
    """What a reader does who follows the page, in a folder of their own."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(folder)
        self._monkeypatch = monkeypatch
        self._runner = CliRunner()

    def follow(self, block: Block) -> str:
        """Do what a block says; the block as it should stand on the page."""
        match block.kind:
            case "console":
                lines = [line for line in block.text.splitlines() if line.startswith("$ ")]
                return "".join(f"{line}\n{self._run(line.removeprefix('$ '))}" for line in lines)
            case "diff":
                file = Path(block.file)
                text = changed(file.read_text(encoding="utf-8"), block.text.splitlines())
                file.write_text(text, encoding="utf-8")
            case _:
                Path(block.file).write_text(block.text, encoding="utf-8")
        return block.text

    def _run(self, command: str) -> str:
        name, *words = shlex.split(command)
        if name == "export":
            key, _, value = words[0].partition("=")
            self._monkeypatch.setenv(key, value.replace("$PWD", str(Path.cwd())))
            return ""
        assert name == "machjudge"
        return self._runner.invoke(main, words).output.replace(f"{Path.cwd()}{os.sep}", "")


def changed(text: str, change: Sequence[str]) -> str:
    """A text with its lines changed; each part of the change fits one place, below the last."""
    lines, at = text.splitlines(), 0
    for part in parts(change):
        old = [line[1:] for line in part if line[:1] in ("-", " ")]
        new = [line[1:] for line in part if line[:1] in ("+", " ")]
        places = [n for n in range(at, len(lines)) if lines[n : n + len(old)] == old]
        assert len(places) == 1, part
        lines[places[0] : places[0] + len(old)] = new
        at = places[0] + len(new)
    return "\n".join(lines) + "\n"


def parts(change: Sequence[str]) -> Iterator[list[str]]:
    """The parts of a change, between lines of ``@@``."""
    part: list[str] = []
    for line in (*change, "@@"):
        if line == "@@":
            yield part
            part = []
        else:
            part.append(line)


def test_the_page_builds_its_scenario(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each command prints what stands below it, and each change fits the files so far."""
    page, shell = PAGE.read_text(encoding="utf-8"), Shell(tmp_path, monkeypatch)

    def followed(found: re.Match[str]) -> str:
        block = Block(*found.groups(default=""))
        head = f"```{block.kind} {block.file}".rstrip()
        return f"{head}\n{shell.follow(block)}```\n"

    printed = _BLOCK.sub(followed, page)
    if os.environ.get("GOLDEN") == "write":
        PAGE.write_text(printed, encoding="utf-8")

    assert printed == page
    built = Atlas([tmp_path]).scenario("islands")
    assert built is not None
    assert built.in_play == ("A", "C", "D")


def test_a_change_that_fits_nowhere_is_found() -> None:
    """Nor one that fits twice, or above the part before."""
    assert changed("a\nb\n", ["-a", "+c", "@@", " b", "+d"]) == "c\nb\nd\n"
    for wrong in (["-c"], ["-a", "@@", "-a"], ["-b", "@@", "-a"]):
        with pytest.raises(AssertionError):
            changed("a\nb\na\nb\n" if wrong == ["-a", "@@", "-a"] else "a\nb\n", wrong)


def test_the_page_is_done_in_every_part() -> None:
    """Nothing on it is only shown."""
    kinds = {block.kind for block in blocks(PAGE.read_text(encoding="utf-8"))}

    assert kinds == {"console", "diff", "json"}
