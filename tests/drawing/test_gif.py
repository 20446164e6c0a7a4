"""Pictures that follow each other, as GIF."""

import io

import pytest
from PIL import Image, ImageChops

from machjudge.drawing.png import WIDTHS, few_colours, gif_of, pixels_of


def drawn(*colours: str) -> str:
    """A disc for each colour on a ground of its own."""
    discs = "".join(
        f'<circle cx="{30 + 40 * n}" cy="50" r="18" fill="{colour}"/>'
        for n, colour in enumerate(colours)
    )
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100">'
        f'<rect width="200" height="100" fill="#d3e6f2"/>{discs}</svg>'
    )


PICTURES = [drawn("#c00018", "#f2c230"), drawn("#c00018", "#123a66"), drawn("#c00119", "#123a66")]


def test_each_picture_looks_as_drawn_alone() -> None:
    """Point by point, though only what changes is written; the first is shown the longest."""
    made = gif_of(PICTURES)
    wanted = few_colours([pixels_of(svg, WIDTHS[0]) for svg in PICTURES], PICTURES[0])

    with Image.open(io.BytesIO(made)) as moving:
        assert moving.n_frames == len(PICTURES)
        times = []
        for number, picture in enumerate(wanted):
            moving.seek(number)
            times.append(moving.info["duration"])
            other = ImageChops.difference(moving.convert("RGB"), picture.convert("RGB"))
            assert other.getbbox() is None, number
    assert times[0] > times[1] == times[2]


def test_it_becomes_smaller_until_it_fits() -> None:
    """At the least width it stays as large as it is."""
    widths = []
    for most in (100_000, len(gif_of(PICTURES)) - 1, 10):
        with Image.open(io.BytesIO(gif_of(PICTURES, most))) as moving:
            widths.append(moving.width)

    assert widths[0] == WIDTHS[0]
    assert WIDTHS[0] > widths[1] >= widths[2] == WIDTHS[-1]


def test_the_same_pictures_give_the_same_bytes() -> None:
    """On every machine."""
    assert gif_of(PICTURES) == gif_of(PICTURES)


def test_what_is_no_picture_is_refused() -> None:
    """Nothing, or text."""
    with pytest.raises(ValueError, match="no picture"):
        gif_of([])
    with pytest.raises(ValueError):  # noqa: PT011 - in the words of the library
        gif_of(["hello"])
