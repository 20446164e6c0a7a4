"""What is tracked names no machine, no package index and no workplace."""

import bz2
import gzip
import lzma
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

OPENERS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.decompress,
    ".bz2": bz2.decompress,
    ".xz": lzma.decompress,
}

# Parts in brackets keep these lines from finding themselves.
FOREIGN = {
    "a path of somebody's machine": (
        rb"(?<![\w.~/-])/(?:w[o]rk|f[a]rm|h[o]me|r[o]ot|U[s]ers|opt/p[y]pi|opt/wh[e]els)/"
    ),
    "a host of packages": (
        rb"(?i)p[y]pi\.|p[y]thonhosted\.|index-url[= ]+\w+:/|find-links[= ]+[\w.]*/"
    ),
    "a conflict of two branches": rb"(?m)^(?:<{7}|>{7}) ",
    "a folder of the workplace": (
        rb"\b[s]hared/(?:conformance|design|hooks|mail|maps|peers|perf|rules)\b"
    ),
}


def tracked(root: Path) -> Iterator[Path]:
    """Every file that git tracks; in an unpacked archive without git, every file of the project."""
    if (root / ".git").exists():
        listed = subprocess.run(
            ["git", "ls-files", "-z"],  # noqa: S607 (whichever git is there)
            cwd=root,
            capture_output=True,
            check=True,
        )
        names = [root / name for name in listed.stdout.decode().split("\0") if name]
    else:
        names = [path for path in root.rglob("*") if not is_made(path.relative_to(root))]
    return (path for path in names if path.is_file())


def is_made(path: Path) -> bool:
    """True if it is an environment or a cache, which a tool has made."""
    return any(part == "__pycache__" or part[0] == "." for part in path.parts[:-1])


def content(path: Path) -> bytes:
    """The bytes of a file, unpacked if it is packed."""
    return OPENERS.get(path.suffix, bytes)(path.read_bytes())


@pytest.mark.parametrize("what", FOREIGN)
def test_no_tracked_file_names_where_it_was_made(root: Path, what: str) -> None:
    """A clone says nothing of the place it comes from."""
    pattern = re.compile(FOREIGN[what])

    found = [
        f"{path.relative_to(root)}: {match.group().decode(errors='replace')}"
        for path in tracked(root)
        if (match := pattern.search(content(path)))
    ]

    assert found == []


# Single dots are taken out before the search, so that these lines are not found themselves.
@pytest.mark.parametrize(
    ("what", "line"),
    [
        ("a path of somebody's machine", b'open("/wo.rk/main/maps")'),
        ("a path of somebody's machine", b"cd /ho.me/anna/mach"),
        ("a host of packages", b"--index-.url https://packages.example/simple"),
        ("a host of packages", b"https://py.pi..org/simple"),
        ("a folder of the workplace", b"see ../sha.red/rules"),
    ],
)
def test_the_search_finds_what_it_should(what: str, line: bytes) -> None:
    """A line as it would stand in a careless commit is found."""
    careless = line.replace(b"..", b"\0").replace(b".", b"").replace(b"\0", b".")

    assert re.search(FOREIGN[what], careless)
