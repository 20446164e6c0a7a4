"""Boards as pictures: SVG that needs no other file, and PNG that looks alike on every machine."""

from machjudge.drawing.board import as_played, draw, draw_part, lacking, named_in, set_up

__all__ = ["as_played", "draw", "draw_part", "lacking", "named_in", "set_up"]
