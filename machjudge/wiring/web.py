"""The folder of web pages: each is written beside its place and put there whole."""

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import structlog

from machjudge.service.ports.stale import Stale
from machjudge.service.web.places import FOLDERS
from machjudge.service.web.site import WebPage, site_of
from machjudge.store.quiet import note_pages
from machjudge.wiring.application import Application

log = structlog.get_logger(__name__)

_HEAD = 1000
"""In how many characters of a page its mark stands."""
_MARK = re.compile(r'<meta name="generator" content="machjudge (\w*)">')


def write_pages(application: Application) -> None:
    """Write the pages that have changed, if the keeper wants any; whatever is wrong is logged."""
    folder = application.settings.web
    if folder is None:
        return
    at = application.clock()
    try:
        for each in ("", *FOLDERS):
            (folder / each).mkdir(exist_ok=True)
        site = site_of(application.services, lambda path: _mark(folder / path) or "")
        for page in site.pages:
            _write(folder, page)
        for file in _left_over(folder, site.games):
            file.unlink(missing_ok=True)
        with suppress(Stale):  # the next tick looks again
            note_pages(application.engine, at)
    except OSError as fault:
        why = fault.strerror or str(fault)
        log.warning("web pages not written", folder=str(folder), why=why)
        return
    except Exception:  # pages are no reason why a tick does not do the rest
        log.exception("web pages failed", folder=str(folder))
        return
    if site.pages:
        log.info("web pages written", pages=len(site.pages))


def _write(folder: Path, page: WebPage) -> None:
    file = folder / page.path
    half = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        half.write_text(page.content, encoding="utf-8")
        half.replace(file)
    except OSError:
        half.unlink(missing_ok=True)
        raise


def _left_over(folder: Path, games: frozenset[str]) -> Iterator[Path]:
    """Our pages of games that are no longer listed; files of others stay."""
    for each in FOLDERS:
        for file in sorted((folder / each).glob("*.html")):
            if file.stem not in games and _mark(file) is not None:
                yield file


def _mark(file: Path) -> str | None:
    """The mark of a page of ours; None of anything else, and where nothing is."""
    try:
        with file.open(encoding="utf-8", errors="replace") as opened:
            found = _MARK.search(opened.read(_HEAD))
    except FileNotFoundError:
        return None
    return found[1] if found is not None else None
