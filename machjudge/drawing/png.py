"""Turn SVG into PNG and GIF, with the same bytes on every machine and few colours."""

import io
import re
import struct
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import cast
from zlib import crc32

import resvg_py
from deflate import zlib_compress
from PIL import Image, ImageChops

from machjudge.drawing.labels import font_files

_COLOURS = 96
"""The number of colours of a picture."""
_NAMED = re.compile("#([0-9a-f]{6})")
_MAX = 1 << 16
"""The most colours that are counted; a drawn board has some thousands."""


def png_of(svg: str, width: int) -> bytes:
    """Return the picture as PNG, *width* pixels wide.  Raises ValueError for invalid SVG."""
    return written(few_colours([pixels_of(svg, width)], svg)[0])


def written(image: Image.Image, level: int = 6) -> bytes:
    """Return an image with a palette as PNG (RFC 2083); *level* is the effort, 1 to 9.

    Which bytes Pillow makes depends on the zlib of the machine; libdeflate comes in its wheel.
    """
    wide, high = image.size
    rows = Image.new("P", (wide + 1, high))  # each begins with the number of its filter, 0
    rows.paste(image, (1, 0))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(content)) + kind + content + struct.pack(">I", crc32(kind + content))
        for kind, content in (
            (b"IHDR", struct.pack(">IIBBBBB", wide, high, 8, 3, 0, 0, 0)),
            (b"PLTE", bytes(image.getpalette() or ())),
            (b"IDAT", zlib_compress(rows.tobytes(), level)),
            (b"IEND", b""),
        )
    )


def pixels_of(svg: str, width: int) -> Image.Image:
    """Return the drawn picture.  Raises ValueError for invalid SVG."""
    plain = resvg_py.svg_to_bytes(
        svg_string=svg, width=width, skip_system_fonts=True, font_files=list(font_files())
    )
    with Image.open(io.BytesIO(plain)) as image:
        return image.convert("RGB")


def few_colours(images: Sequence[Image.Image], svg: str) -> list[Image.Image]:
    """Return pictures in a drawing's own and most frequent colours."""
    palette = _palette(svg, images)
    return [each.quantize(palette=palette, dither=Image.Dither.NONE) for each in images]


def _palette(svg: str, images: Iterable[Image.Image]) -> Image.Image:
    """The drawing's colours, then the mixed ones at edges by frequency."""
    named = sorted({bytes.fromhex(digits) for digits in _NAMED.findall(svg)})
    counted: Counter[tuple[int, int, int]] = Counter()
    for image in images:
        found = cast("list[tuple[int, tuple[int, int, int]]]", image.getcolors(_MAX) or [])
        counted.update({colour: times for times, colour in found})
    often = (
        bytes(colour) for colour, _ in sorted(counted.items(), key=lambda each: (-each[1], each[0]))
    )
    kept = [*dict.fromkeys((*named, *often))][:_COLOURS]
    palette = Image.new("P", (1, 1))
    palette.putpalette(b"".join(kept))
    return palette


WIDTHS = (800, 720, 640, 560, 480, 400, 320)
"""The widths in pixels to try, the largest first."""
MAX_BYTES = 150_000
_UNCHANGED = 255
"""A number that is no colour."""
_FIRST, _EACH = 4000, 1600
"""The milliseconds of the first picture, and of each other."""


def gif_of(svgs: Sequence[str], most: int = MAX_BYTES) -> bytes:
    """Return the pictures as an endless animation of at most *most* bytes, if possible.

    Raises ValueError for invalid SVG, and without pictures.
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
    """Frames with common colours, and only their changes."""
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
    numbers = [Image.frombytes("L", each.size, each.tobytes()) for each in (before, now)]
    changed = now.copy()
    changed.paste(_UNCHANGED, mask=ImageChops.difference(*numbers).point([255, *[0] * 255]))
    return changed
