"""Cases of a test that stand in a file beside it."""

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest


@cache
def _tables(file: Path) -> Mapping[str, Any]:
    """All tables of a file."""
    return tomllib.loads(file.read_text(encoding="utf-8"))


def cases(test: Callable[..., Any]) -> Callable[..., Any]:
    """Run a test with each of its cases.

    They are rows of the table with the test's name, in the TOML file with the module's name;
    ``of`` names what stands in a row.
    """
    file = Path(test.__code__.co_filename).with_suffix(".toml")
    table = _tables(file)[test.__name__.removeprefix("test_")]
    return pytest.mark.parametrize(table["of"], table["cases"])(test)
