"""What places and powers are called in a language: a file ``names/es.toml``, a name a line."""

from collections.abc import Mapping
from pathlib import Path

from machjudge.atlas.sheet import open_sheet


def load_names(file: Path) -> Mapping[str, str]:
    """The names of a language, by those that the boards have.  Raises BrokenMap."""
    sheet = open_sheet(file)
    names = {name: sheet.text(name) for name in sheet.all_keys()}
    sheet.findings.raise_if_any()
    return names
