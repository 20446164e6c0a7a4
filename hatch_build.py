"""What building does beside what pyproject.toml says: the README for package indexes."""

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_PICTURE = re.compile(r"^!\[[^\]]*\]\((?!https?:)[^)]*\)\n\n?", re.MULTILINE)
_LINK = re.compile(r"\[([^\]]+)\]\((?!https?:)[^)]*\)")
_COMMENT = re.compile(r"<!--.*?-->\n", re.DOTALL)


def for_an_index(readme: str) -> str:
    """The README as the page of a package index shows it.

    Files of the project are not there, and it has no address of its own: so pictures are left out,
    and of links to files the words remain.
    """
    return _LINK.sub(r"\1", _PICTURE.sub("", _COMMENT.sub("", readme)))


class IndexReadme(MetadataHookInterface):
    """Gives the metadata their description."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Set `readme`, which pyproject.toml calls dynamic."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": for_an_index(text)}
