"""SVG as PNG: the same bytes on every machine, with as few colours as it can be told with."""

import io
import re
from typing import cast

import resvg_py
from PIL import Image

from machjudge.drawing.lettering import font_files

_COLOURS = 96
"""How many colours a picture has: those that it is drawn with, and those that cover most."""
_NAMED = re.compile("#([0-9a-f]{6})")
_MOST = 1 << 16
"""So many different colours are counted; a drawn board has some thousands."""


def png_of(svg: str, width: int) -> bytes:
    """The picture as PNG, *width* pixels across.  Raises ValueError for what is no SVG."""
    plain = resvg_py.svg_to_bytes(
        svg_string=svg, width=width, skip_system_fonts=True, font_files=list(font_files())
    )
    with Image.open(io.BytesIO(plain)) as image:
        colours = image.convert("RGB")
        few = colours.quantize(palette=_palette(svg, colours), dither=Image.Dither.NONE)
    out = io.BytesIO()
    few.save(out, "PNG")
    return out.getvalue()


def _palette(svg: str, image: Image.Image) -> Image.Image:
    """The colours of the drawing itself, then the mixed ones at their edges, the frequent first."""
    named = sorted({bytes.fromhex(digits) for digits in _NAMED.findall(svg)})
    counted = cast("list[tuple[int, tuple[int, int, int]]]", image.getcolors(_MOST) or [])
    often = (bytes(colour) for _, colour in sorted(counted, key=lambda each: (-each[0], each[1])))
    kept = [*dict.fromkeys((*named, *often))][:_COLOURS]
    palette = Image.new("P", (1, 1))
    palette.putpalette(b"".join(kept))
    return palette
