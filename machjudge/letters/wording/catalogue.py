"""The sentences of one language: the files ``*.toml`` of its folder, each entry a small template.

An entry is found by the name of its file and its own: ``setup.name_taken``.  It is written like
the templates of messages (Jinja), with the fields of the sentence as its variables.
"""

import re
import tomllib
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import jinja2

from machjudge.adjudicator.model.names import MachjudgeError
from machjudge.sentence import Sentence, TranslatedText, Wording

LANGUAGE = "en"
"""The folder of the language that is complete; what another one leaves out is said in it."""

_FIELD = re.compile(r"\{\{ (\w+)(?: \| say)? \}\}")
"""A field; what stands in it is said already."""


class BadCatalogue(MachjudgeError):
    """An entry is missing, cannot be read, or asks for a field that the sentence has not."""


class Catalogue:
    """Says sentences with the entries of *folders*, of which the first one that has it counts."""

    def __init__(
        self, folders: Sequence[Path], compiler: jinja2.Environment, language: str = LANGUAGE
    ) -> None:
        self.language = language
        self._is_usual = language == LANGUAGE
        self._folders = folders
        self._compiler = compiler
        self._compiled: dict[str, Callable[..., str]] = {}

    def say(self, wording: Wording) -> str:
        """The words of a sentence; text stays as it is.  Raises BadCatalogue."""
        if isinstance(wording, str):
            return wording if self._is_usual else self._in_own_words(wording)
        entry = self._compiled.get(wording.key)
        if entry is None:
            entry = self._compiled[wording.key] = self._compile(wording.key)
        try:
            return entry(**self._said(wording.fields)).removesuffix("\n")
        except (jinja2.TemplateError, KeyError) as error:
            msg = f"the sentence {wording.key} cannot be said: {error}"
            raise BadCatalogue(msg) from error

    def _said(self, fields: Mapping[str, Hashable]) -> Mapping[str, Hashable]:
        """The fields; sentences among them as text, which filters can change."""
        if self._is_usual:
            return {k: self.say(v) if isinstance(v, Sentence) else v for k, v in fields.items()}
        return {k: self._in_words(v) for k, v in fields.items()}

    def _in_words(self, value: Hashable) -> Hashable:
        """A field, with the names in it as this language has them."""
        if isinstance(value, tuple):
            return tuple(self._in_own_words(v) if isinstance(v, str) else v for v in value)
        return self.say(value) if isinstance(value, Sentence | str) else value

    def _in_own_words(self, text: str) -> str:
        """A text, with the names in it as this language has them."""
        return text.said(self.language, self.say) if isinstance(text, TranslatedText) else text

    @cached_property
    def entries(self) -> Mapping[str, str]:
        """All entries by their keys.  Raises BadCatalogue."""
        found: dict[str, str] = {}
        for folder in reversed(self._folders):
            for file in sorted(folder.glob("*.toml")):
                found.update(_flat(file.stem, _read(file)))
        return found

    def _compile(self, key: str) -> Callable[..., str]:
        text = self.entries.get(key)
        if text is None:
            msg = f"there is no sentence {key} in the catalogue"
            raise BadCatalogue(msg)
        if (plain := _plain(text)) is not None:
            return plain
        try:
            return self._compiler.from_string(text).render
        except jinja2.TemplateError as error:
            msg = f"the sentence {key} cannot be read: {error}"
            raise BadCatalogue(msg) from error


def _plain(text: str) -> Callable[..., str] | None:
    """What says an entry in which nothing but fields stands; None if there is more in it.

    As the templates would say it, in less time.
    """
    words, names = _FIELD.split(text)[::2], _FIELD.findall(text)
    if any("{" in each for each in words):
        return None
    pairs = tuple(zip(words[1:], names, strict=True))
    return lambda **fields: words[0] + "".join(f"{fields[name]}{behind}" for behind, name in pairs)


def _read(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        msg = f"the catalogue {file.name} cannot be read: {error}"
        raise BadCatalogue(msg) from error


def _flat(prefix: str, table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The entries of a table and the tables in it, with their whole keys."""
    for name, value in table.items():
        key = f"{prefix}.{name}"
        if isinstance(value, dict):
            yield from _flat(key, value)
        else:
            yield key, str(value).removesuffix("\n")
