"""How far apart two colours look, for normal sight and for eyes that lack a kind of cone."""

import tomllib
from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt
from pathlib import Path

Lab = tuple[float, float, float]

# Machado, Oliveira and Fernandes 2009, severity 1; for linear red, green and blue.
SIGHTS: dict[str, list[list[float]]] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text("utf-8")
)["sights"]
_XYZ = (  # sRGB, seen under D65 of which each row is a share
    (0.4339, 0.3762, 0.1899),
    (0.2126, 0.7152, 0.0722),
    (0.0178, 0.1095, 0.8727),
)


def linear(colour: str) -> list[float]:
    """Red, green and blue from 0 to 1, as light (IEC 61966-2-1)."""
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]


def contrast(one: str, other: str) -> float:
    """The contrast of two colours from 1 to 21 (WCAG 2)."""
    low, high = sorted(
        sum(c * w for c, w in zip(linear(each), _XYZ[1], strict=True)) for each in (one, other)
    )
    return (high + 0.05) / (low + 0.05)


def lab(colour: str, sight: str = "normal") -> Lab:
    """A colour in CIELAB as it is seen."""
    light = linear(colour)
    seen = [
        min(1.0, max(0.0, sum(a * b for a, b in zip(row, light, strict=True))))
        for row in SIGHTS[sight]
    ]
    x, y, z = (_cube_root(sum(a * b for a, b in zip(row, seen, strict=True))) for row in _XYZ)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _cube_root(share: float) -> float:
    return share ** (1 / 3) if share > 216 / 24389 else (24389 / 27 * share + 16) / 116


def apart(one: Lab, other: Lab) -> float:
    """The difference of two colours (CIEDE2000, CIE 142)."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean = (hypot(a1, b1) + hypot(a2, b2)) / 2
    stretch = 1.5 - 0.5 * sqrt(mean**7 / (mean**7 + 25**7))
    a1, a2 = a1 * stretch, a2 * stretch
    c1, c2 = hypot(a1, b1), hypot(a2, b2)
    h1, h2 = degrees(atan2(b1, a1)) % 360, degrees(atan2(b2, a2)) % 360
    turn = (h2 - h1 + 180) % 360 - 180 if c1 * c2 else 0.0
    hue = (h1 + turn / 2) % 360 if c1 * c2 else h1 + h2
    level, chroma = (l1 + l2) / 2 - 50, (c1 + c2) / 2
    wave = 1 - 0.17 * cos(radians(hue - 30)) + 0.24 * cos(radians(2 * hue))
    wave += 0.32 * cos(radians(3 * hue + 6)) - 0.2 * cos(radians(4 * hue - 63))
    by_light = (l2 - l1) / (1 + 0.015 * level**2 / sqrt(20 + level**2))
    by_chroma = (c2 - c1) / (1 + 0.045 * chroma)
    by_hue = 2 * sqrt(c1 * c2) * sin(radians(turn / 2)) / (1 + 0.015 * chroma * wave)
    blue = (
        -2
        * sqrt(chroma**7 / (chroma**7 + 25**7))
        * sin(radians(60 * exp(-(((hue - 275) / 25) ** 2))))
    )
    return sqrt(by_light**2 + by_chroma**2 + by_hue**2 + blue * by_chroma * by_hue)
