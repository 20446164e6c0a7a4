"""The fonts of pictures, which come with the program, and how wide their letters are."""

from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont

UPRIGHT, SLANTED = "RobotoCondensed-Bold.ttf", "RobotoCondensed-BoldItalic.ttf"
_MEASURED = 100
"""The size at which letters are measured: they grow evenly with it."""


@cache
def font_files() -> tuple[str, ...]:
    """The paths of the fonts."""
    return tuple(str(_file(name)) for name in (UPRIGHT, SLANTED))


@lru_cache(maxsize=4096)
def width_of(text: str, size: float, font: str = UPRIGHT) -> float:
    """How wide a text is in pixels, at a *size* in pixels."""
    return _font(font).getlength(text) * size / _MEASURED


@cache
def _font(name: str) -> "FreeTypeFont":
    from PIL import ImageFont  # noqa: PLC0415 - not loaded where nothing is drawn

    return ImageFont.truetype(_file(name), _MEASURED, layout_engine=ImageFont.Layout.BASIC)


def _file(name: str) -> Path:
    return Path(__file__).with_name("fonts") / name
