"""Pages of the documentation that are made from tables, one for each language."""

import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from machjudge.messages.catalogue import LANGUAGE
from machjudge.translatable import MessageOrText
from tests.judge.house import ROOT, message_renderer

WORDS: Mapping[str, Mapping[str, Mapping[str, str]]] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text("utf-8")
)
LANGUAGES = tuple(WORDS)


@dataclass(frozen=True)
class TablePage:
    """A page: its file, what says sentences on it, and the words around them."""

    file: Path
    say: Callable[[MessageOrText], str]
    words: Mapping[str, str]

    def is_up_to_date(self, text: str) -> bool:
        """True if it stands there as *text*; ``GOLDEN=write`` writes it anew."""
        if os.environ.get("GOLDEN") == "write":
            self.file.write_text(text, encoding="utf-8")
        return self.file.read_text(encoding="utf-8") == text


def table_page(name: str, language: str) -> TablePage:
    """A page in a language."""
    folder = ROOT / "docs" / ("" if language == LANGUAGE else language)
    words = WORDS[language][name]
    return TablePage(folder / f"{name}.md", message_renderer().of(language).say, words)
