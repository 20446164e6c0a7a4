"""The code is formatted, free of lint, typed, and imports point inwards."""

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path


def complaints(root: Path, *arguments: str) -> str:
    """What Python, called with *arguments*, has to say if it is not content."""
    done = subprocess.run(  # noqa: S603 (our own arguments)
        [sys.executable, *arguments], cwd=root, capture_output=True, text=True, check=False
    )
    return "" if done.returncode == 0 else done.stdout + done.stderr


def test_ruff_finds_nothing(root: Path) -> None:
    """Every rule that pyproject.toml selects is kept, or its exception gives a reason."""
    assert complaints(root, "-m", "ruff", "check", ".") == ""


def test_every_file_is_formatted(root: Path) -> None:
    """`ruff format` would change nothing."""
    assert complaints(root, "-m", "ruff", "format", "--check", ".") == ""


def test_mypy_finds_nothing(root: Path) -> None:
    """The whole package is typed strictly."""
    assert complaints(root, "-m", "mypy") == ""


def test_imports_point_inwards(root: Path) -> None:
    """The contracts of pyproject.toml are kept."""
    run_linter = "from importlinter.cli import lint_imports; raise SystemExit(lint_imports())"

    assert complaints(root, "-c", run_linter) == ""


@cache
def trees(root: Path) -> Mapping[Path, ast.Module]:
    """What the modules of the program say."""
    modules = sorted((root / "machjudge").rglob("*.py"))
    return {module: ast.parse(module.read_text(encoding="utf-8")) for module in modules}


def test_no_class_name_stands_twice(root: Path) -> None:
    """A class in SQL has no port's name; values of rules and their words are told apart."""
    statements = (each for tree in trees(root).values() for each in tree.body)
    names = Counter(each.name for each in statements if isinstance(each, ast.ClassDef))

    assert [name for name, count in names.items() if count > 1] == []


def test_every_module_says_what_it_is(root: Path) -> None:
    """A module opens with a docstring whose first line is a sentence."""
    first = {
        module: (ast.get_docstring(tree) or "").partition("\n")[0]
        for module, tree in trees(root).items()
    }

    assert [module for module, line in first.items() if not line.rstrip().endswith(".")] == []


def test_sentence_that_becomes_text_unsaid_is_found_by_the_type_check(
    root: Path, tmp_path: Path
) -> None:
    """It would raise when it runs, and mypy by itself takes every object for text."""
    module = tmp_path / "unsaid.py"
    module.write_text(
        "from machjudge.translatable import MessageOrText\n\n\n"
        "def shown(told: MessageOrText) -> list[str]:\n"
        '    first = f"{told}"\n'
        '    second = "{}".format(told)\n'
        "    third = str(told)\n"
        '    return [first, second, third, f"{told!r}"]\n',
        encoding="utf-8",
    )

    told = complaints(root, "-m", "mypy", str(module))

    found = re.findall(r"unsaid\.py:(\d): error: a Message has no text before it is said", told)
    assert found == ["5", "6", "7"]
