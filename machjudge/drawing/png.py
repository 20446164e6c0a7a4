"""SVG as PNG: the same bytes on every machine, with as few colours as it can be told with."""

import io
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import cast

import resvg_py
from PIL import Image, ImageChops

from machjudge.drawing.labels import font_files

_COLOURS = 96
"""How many colours a picture has: those that it is drawn with, and those that cover most."""
_NAMED = re.compile("#([0-9a-f]{6})")
_MOST = 1 << 16
"""So many different colours are counted; a drawn board has some thousands."""


def png_of(svg: str, width: int) -> bytes:
    """The picture as PNG, *width* pixels across.  Raises ValueError for what is no SVG."""
    image = pixels_of(svg, width)
    out = io.BytesIO()
    few_colours([image], svg)[0].save(out, "PNG")
    return out.getvalue()


def pixels_of(svg: str, width: int) -> Image.Image:
    """The picture as it is drawn.  Raises ValueError for what is no SVG."""
    plain = resvg_py.svg_to_bytes(
        svg_string=svg, width=width, skip_system_fonts=True, font_files=list(font_files())
    )
    with Image.open(io.BytesIO(plain)) as image:
        return image.convert("RGB")


def few_colours(images: Sequence[Image.Image], svg: str) -> list[Image.Image]:
    """Pictures in the colours that a drawing names, and those that cover most of them."""
    palette = _palette(svg, images)
    return [each.quantize(palette=palette, dither=Image.Dither.NONE) for each in images]


def _palette(svg: str, images: Iterable[Image.Image]) -> Image.Image:
    """The colours of the drawing itself, then the mixed ones at their edges, the frequent first."""
    named = sorted({bytes.fromhex(digits) for digits in _NAMED.findall(svg)})
    counted: Counter[tuple[int, int, int]] = Counter()
    for image in images:
        found = cast("list[tuple[int, tuple[int, int, int]]]", image.getcolors(_MOST) or [])
        counted.update({colour: times for times, colour in found})
    often = (bytes(colour) for colour, _ in sorted(counted.items(), key=_most_first))
    kept = [*dict.fromkeys((*named, *often))][:_COLOURS]
    palette = Image.new("P", (1, 1))
    palette.putpalette(b"".join(kept))
    return palette


def _most_first(counted: tuple[tuple[int, int, int], int]) -> tuple[int, tuple[int, int, int]]:
    colour, times = counted
    return -times, colour


WIDTHS = (800, 720, 640, 560, 480, 400, 320)
"""Pixels across that are tried, the largest first."""
MAX_BYTES = 150_000
_UNCHANGED = 255
"""A number that no colour has."""
_FIRST, _EACH = 4000, 1600
"""For how many milliseconds the first picture is shown, and each of the others."""


def gif_of(svgs: Sequence[str], most: int = MAX_BYTES) -> bytes:
    """The pictures one after the other, again and again, in at most *most* bytes.

    At the smallest width it is what it is.  Raises ValueError for what is no SVG, and for none.
    """
    if not svgs:
        msg = "there is no picture to show"
        raise ValueError(msg)
    made = b""
    for width in WIDTHS:
        made = _written([pixels_of(svg, width) for svg in svgs], svgs[0])
        if len(made) <= most:
            break
    return made


def _written(frames: Sequence[Image.Image], svg: str) -> bytes:
    """All frames share their colours, and hold what is other than in the one before."""
    few = few_colours(frames, svg)
    out = io.BytesIO()
    few[0].save(
        out,
        "GIF",
        save_all=True,
        append_images=[_changed(before, now) for before, now in pairwise(few)],
        duration=[_FIRST, *[_EACH] * (len(few) - 1)],
        loop=0,
        optimize=False,
        disposal=1,
        transparency=_UNCHANGED,
    )
    return out.getvalue()


def _changed(before: Image.Image, now: Image.Image) -> Image.Image:
    """A picture without the points that are as in the one before, which stay to be seen."""
    numbers = [Image.frombytes("L", each.size, each.tobytes()) for each in (before, now)]
    changed = now.copy()
    changed.paste(_UNCHANGED, mask=ImageChops.difference(*numbers).point([255, *[0] * 255]))
    return changed
