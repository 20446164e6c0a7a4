"""Every sentence that somebody reads stands in the catalogue, and the catalogue holds no others."""

import ast
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import jinja2
import pytest
from jinja2 import meta

from machjudge.judge.command_table import TABLE
from machjudge.messages.catalogue import LANGUAGE
from machjudge.messages.render import MessageRenderer

ROOT = Path(__file__).parents[2]
CODE = ROOT / "machjudge"
RENDERER = MessageRenderer([ROOT / "templates"])
ENTRIES = RENDERER.catalogue.entries

WORDS = ("language", "mail_parser", "messages/notation.py", "messages/render.py")
"""Where words stand that people write and tools read: the same in every language."""
ROOMS = ("language", "mail_parser", "messages", "judge")
"""Where nobody writes sentences."""


def modules(room: str = "") -> Sequence[Path]:
    """The modules of a room."""
    return sorted((CODE / room).rglob("*.py"))


@cache
def tree_of(module: Path) -> ast.Module:
    """What a module says, read once."""
    return ast.parse(module.read_text(encoding="utf-8"))


def made(module: Path) -> Iterator[tuple[str, frozenset[str] | None]]:
    """The keys of the sentences that a module makes, as patterns, with their fields if known."""
    for node in ast.walk(tree_of(module)):
        match node:
            case ast.Call(func=ast.Name(id="Message"), args=[first, *_], keywords=given):
                names = frozenset(each.arg for each in given if each.arg)
                known = names if all(each.arg for each in given) else None
                yield from ((key, known) for key in patterns(first))
            case ast.Call(func=ast.Name(id="message_of"), args=[first, *same], keywords=others):
                fields = [each.value for each in same if isinstance(each, ast.Constant)]
                names = frozenset((*fields, *(each.arg for each in others if each.arg)))
                yield from ((key, names) for key in patterns(first))


def patterns(key: ast.expr) -> Iterator[str]:
    """A key as a pattern: what is put in when the program runs may be anything."""
    match key:
        case ast.Constant(value=str(text)):
            yield re.escape(text)
        case ast.JoinedStr(values=parts):
            whole = (re.escape(p.value) if isinstance(p, ast.Constant) else r"\w+" for p in parts)
            yield "".join(map(str, whole))
        case ast.IfExp(body=one, orelse=other):
            yield from (*patterns(one), *patterns(other))
        case _:
            yield r"[\w.]+"


@cache
def all_made() -> Sequence[tuple[Path, str, frozenset[str] | None]]:
    """The sentences of all modules; read when a test asks, not whenever tests are counted."""
    return [(module, key, fields) for module in modules() for key, fields in made(module)]


def test_sentence_stands_in_the_catalogue() -> None:
    """Under its key, with no field that the program does not give and none that is not used."""
    assert len(all_made()) > 1000
    assert [wrong for each in all_made() if (wrong := what_is_wrong(*each))] == []


def test_a_sentence_that_does_not_fit_its_entry_is_found() -> None:
    """It has no entry, or other fields than its entry asks for."""
    key, asked = next((key, each) for key in ENTRIES if (each := variables(ENTRIES[key])))

    assert "stands nowhere" in what_is_wrong(CODE, "setup\\.of_nothing", frozenset())
    assert key in what_is_wrong(CODE, re.escape(key), asked | {"more"})
    assert key in what_is_wrong(CODE, re.escape(key), frozenset())
    assert what_is_wrong(CODE, re.escape(key), asked) == ""


def what_is_wrong(module: Path, key: str, fields: frozenset[str] | None) -> str:
    """Why a sentence that a module makes cannot be said; nothing if it can."""
    meant = [each for each in ENTRIES if re.fullmatch(key, each)]
    if not meant:
        return f"{module.name} says {key}, which stands nowhere"
    if fields is None or "+" in key:
        return ""
    others = {each: sorted(variables(ENTRIES[each]) ^ fields) for each in meant}
    wrong = {each: names for each, names in others.items() if names}
    return f"{module.name} says {key} with too few fields or too many: {wrong}" if wrong else ""


@cache
def variables(text: str) -> frozenset[str]:
    """The fields that an entry asks for."""
    return frozenset(meta.find_undeclared_variables(COMPILER.parse(text)))


COMPILER = jinja2.Environment(autoescape=True)
COMPILER.filters.update(RENDERER.filters)


def test_every_entry_can_be_said() -> None:
    """It is a template, and all that it puts behind a value exists."""
    for key, text in ENTRIES.items():
        try:
            COMPILER.compile(text)
        except jinja2.TemplateError as wrong:
            pytest.fail(f"{key}: {wrong}")


def test_every_entry_is_said_by_somebody() -> None:
    """An entry that no sentence names is gone."""
    known = [re.compile(key) for _, key, _ in all_made() if key != r"[\w.]+"]
    named = {
        node.value
        for module in modules()
        for node in ast.walk(tree_of(module))
        if isinstance(node, ast.Constant)
    }
    templates = "".join(
        each.read_text("utf-8") for each in (ROOT / "templates" / LANGUAGE).iterdir()
    )

    assert [
        key
        for key in ENTRIES
        if key not in named
        and not any(each.fullmatch(key) for each in known)
        and f'"{key}"' not in templates
    ] == []


def test_code_holds_no_sentence() -> None:
    """Where nobody writes sentences, no text has two words, but for faults and patterns."""
    found = [
        f"{module.relative_to(CODE)}:{line}: {text}"
        for room in ROOMS
        for module in modules(room)
        if not module.relative_to(CODE).as_posix().startswith(WORDS)
        for line, text in texts(module)
    ]

    assert found == []


def test_title_of_a_section_stands_in_one_place() -> None:
    """In a template or in the catalogue, so that a section is called the same in every message."""
    entries = (text for key, text in ENTRIES.items() if not key.startswith("commands."))
    found = [text for text in entries if _TITLE.fullmatch(text)]
    for file in sorted((ROOT / "templates" / LANGUAGE).glob("*.txt")):
        if not file.stem.startswith("get_"):  # whole texts, with titles of their own
            found += re.findall(r'section\("([^"]+)"', file.read_text("utf-8"))
            found += [
                each for each in file.read_text("utf-8").split("\n") if _TITLE.fullmatch(each)
            ]

    assert len(found) > 50
    assert [title for title, times in Counter(found).items() if times > 1] == []


_TITLE = re.compile("[A-Z][A-Z, ]{2,}")


def test_preview_parses_no_text() -> None:
    """It finds what the dice change among values, and its template says them."""
    calls = {
        node.func.attr
        for node in ast.walk(tree_of(CODE / "judge/preview.py"))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    }

    assert not calls & {"say", "strip", "splitlines", "partition", "removeprefix", "upper"}


def texts(module: Path) -> Iterator[tuple[int, str]]:
    """The texts of a module that look like a sentence, with their lines."""
    tree = tree_of(module)
    apart = {id(part) for node in ast.walk(tree) for part in set_apart(node)}
    for node in ast.walk(tree):
        text = node.value if isinstance(node, ast.Constant) else None
        if isinstance(node, ast.JoinedStr):
            parts = (part for part in node.values if isinstance(part, ast.Constant))
            text = "{}".join(str(part.value) for part in parts)
        if not isinstance(text, str) or id(node) in apart or is_command(text):
            continue
        if _TWO_WORDS.search(text):
            yield node.lineno, text


def is_command(text: str) -> bool:
    """True if players write it, in every language: names of commands, or a line in capitals."""
    name = text.lower()
    is_line = name.startswith((*_NAMES, "set ")) and not any(letter.islower() for letter in text)
    return is_line or all(each in _NAMES for each in name.split(", "))


_NAMES = tuple(name for entry in TABLE for name in (entry.name, entry.setting, *entry.also) if name)
"""The names of commands and settings."""


_TWO_WORDS = re.compile(r"[A-Za-z{}]{2,}[,;:.]? +[A-Za-z{]{2,}")
_PATTERNS = frozenset({"compile", "fullmatch", "match", "sub", "search", "split"})
_NOT_SAID = ("msg", "WHY", "OFFICES", "LABEL", "UNSUPPORTED")
"""Faults, why the keeper finds a mail in the list, names that nobody may have, the word before
a reply code, which the judge reads again, and commands of other judges."""
_LOGGED = frozenset({"debug", "info", "warning", "error", "exception"})


def set_apart(node: ast.AST) -> Iterator[ast.AST]:
    """What no player reads: docstrings, keys of tables, faults, patterns, logs, compared values."""
    match node:
        case ast.Expr(value=ast.Constant() as text):
            yield text
        case ast.Dict(keys=keys):
            yield from (key for key in keys if key is not None)
        case ast.Raise():
            yield from ast.walk(node)
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if name.startswith(_NOT_SAID):
            yield from ast.walk(value)
        case ast.Compare() | ast.MatchValue():
            yield from ast.walk(node)
        case ast.Call(func=ast.Attribute(attr=name)) if name in _PATTERNS | _LOGGED:
            yield from ast.walk(node)
        case ast.JoinedStr(values=parts):
            yield from (part for part in parts if isinstance(part, ast.Constant))
