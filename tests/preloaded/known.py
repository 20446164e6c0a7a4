"""Texts and maps that come with the program, read once in a process for all its judges.

A process of a keeper has one judge, and reads them when it needs them; tests have hundreds.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from machjudge.app import application
from machjudge.map_files.folders import Atlas
from machjudge.messages.render import MessageRenderer
from machjudge.settings import Settings, maps_folder, templates_folder


@cache
def usual_texts() -> MessageRenderer:
    """The texts of the program, without a keeper's own."""
    return MessageRenderer([templates_folder()])


@cache
def usual_maps() -> Atlas:
    """The maps of the program, without a keeper's own."""
    return Atlas([maps_folder()])


def share_texts_and_maps() -> None:
    """Have every judge that is built here use them, unless its keeper has others."""
    application.renderer_of = _renderer_of
    application.Atlas = _atlas_of


def _renderer_of(settings: Settings) -> MessageRenderer:
    if settings.templates:
        return MessageRenderer([settings.templates, templates_folder()])
    return usual_texts()


def _atlas_of(folders: Sequence[Path]) -> Atlas:
    return usual_maps() if [*folders] == [maps_folder()] else Atlas(folders)
