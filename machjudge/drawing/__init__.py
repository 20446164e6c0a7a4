"""Draw boards as self-contained SVG, and as PNG that is the same on every machine."""

from machjudge.drawing.board import as_played, draw, draw_part, lacking, named_in, set_up

__all__ = ["as_played", "draw", "draw_part", "lacking", "named_in", "set_up"]
