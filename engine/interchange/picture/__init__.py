"""A graph as a picture: what the layout made, painted for SVG, PDF, PNG and TikZ."""

from engine.interchange.picture.drawing import drawing_of
from engine.interchange.picture.marks import Drawing
from engine.interchange.picture.pdf import to_pdf
from engine.interchange.picture.png import to_png
from engine.interchange.picture.scene import Scene
from engine.interchange.picture.svg import to_svg
from engine.interchange.picture.themes import THEMES
from engine.interchange.picture.tikz import to_tikz

__all__ = ["THEMES", "Drawing", "Scene", "drawing_of", "to_pdf", "to_png", "to_svg", "to_tikz"]
