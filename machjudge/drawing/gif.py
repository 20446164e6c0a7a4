"""Pictures that follow each other, as GIF: as large as fits into so many bytes."""

import io
from collections.abc import Sequence
from itertools import pairwise

from PIL import Image, ImageChops

from machjudge.drawing.png import few_colours, pixels_of

WIDTHS = (800, 720, 640, 560, 480, 400, 320)
"""Pixels across that are tried, the largest first."""
MOST_BYTES = 150_000
_UNCHANGED = 255
"""A number that no colour has."""
_FIRST, _EACH = 4000, 1600
"""For how many milliseconds the first picture is shown, and each of the others."""


def gif_of(svgs: Sequence[str], most: int = MOST_BYTES) -> bytes:
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
