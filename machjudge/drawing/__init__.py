"""Boards as pictures: SVG that needs no other file, and PNG that looks alike on every machine."""

from machjudge.drawing.drawing import draw, draw_part, named_in, set_up

__all__ = ["draw", "draw_part", "named_in", "set_up"]
