r"""A picture as TikZ: a LaTeX document of one page, to be compiled as it is or to be taken apart.

Lengths become points (a px is 0.75bp) and y grows upwards. Texts are set by LaTeX, signs of mathematics in
math mode; where Chinese is among them the document loads ctex, which wants xelatex or lualatex.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from engine.interchange.picture.latex_text import escaped, has_chinese
from engine.interchange.picture.marks import Drawing, Ellipse, Mark, Paint, Path, Point, Rect, Text

Placed = Callable[[Point], str]  # a point of the picture as TikZ has it
PT = 0.75
LATIN = r"\IfFileExists{lmodern.sty}{\usepackage{lmodern}\usepackage[T1]{fontenc}}{}"
AFTER = (r"\end{tikzpicture}%", r"}\vss}", r"\end{document}", "")
ANCHORS = {"start": "base west", "middle": "base", "end": "base east"}


def to_tikz(drawing: Drawing) -> str:
    """The picture as the text of a LaTeX document."""
    return "\n".join([*_before(drawing), *_body(drawing), *AFTER])


def _before(drawing: Drawing) -> Iterator[str]:
    width, height = _number(drawing.width * PT), _number(drawing.height * PT)
    yield r"\documentclass{article}"
    yield rf"\usepackage[paperwidth={width}bp,paperheight={height}bp,margin=0pt]{{geometry}}"
    yield LATIN if not has_chinese(_written(drawing)) else r"\usepackage{ctex}"
    yield r"\usepackage{amssymb,tikz}"
    yield r"\pagestyle{empty}\parindent0pt\topskip0pt"
    yield from (
        rf"\definecolor{{{_name(colour)}}}{{HTML}}{{{colour[1:].upper()}}}" for colour in _colours(drawing)
    )
    yield r"\begin{document}"
    yield rf"% {_comment(drawing.title)}"
    yield r"\noindent\vbox to 0pt{\hbox{%"  # whatever its height, it stays on this page
    yield r"\begin{tikzpicture}[x=1bp,y=1bp,inner sep=0pt,outer sep=0pt,every node/.style={font=\sffamily}]"


def _body(drawing: Drawing) -> Iterator[str]:
    left, top = drawing.x, drawing.y

    def place(point: Point) -> str:
        return f"({_number((point[0] - left) * PT)},{_number((top + drawing.height - point[1]) * PT)})"

    corner = drawing.x + drawing.width, drawing.y + drawing.height
    yield rf"\useasboundingbox {place((left, top))} rectangle {place(corner)};"
    yield rf"\fill[{_name(drawing.background)}] {place((left, top))} rectangle {place(corner)};"
    for group in drawing.groups:
        if group.title:
            yield f"% {_comment(group.title)}"
        yield from (_statement(mark, place) for mark in group.marks)


def _statement(mark: Mark, place: Placed) -> str:
    match mark:
        case Text():
            return _node(mark, place)
        case Ellipse(x, y, rx, ry, paint):
            radii = f"x radius={_number(rx * PT)},y radius={_number(ry * PT)}"
            return rf"\path[{_options(paint)}] {place((x, y))} ellipse [{radii}];"
        case Rect(x, y, width, height, radius, paint):
            corners = f",rounded corners={_number(radius * PT)}bp" if radius else ""
            ends = f"{place((x, y))} rectangle {place((x + width, y + height))}"
            return rf"\path[{_options(paint)}{corners}] {ends};"
        case Path(pieces, paint):
            return rf"\path[{_options(paint)}] {''.join(_followed(pieces, place))};"


def _followed(pieces: Iterable[tuple[str, tuple[Point, ...]]], place: Placed) -> Iterator[str]:
    for letter, points in pieces:
        placed = [place(point) for point in points]
        match letter:
            case "M":
                yield f" {placed[0]}"
            case "L":
                yield f" -- {placed[0]}"
            case "C":
                yield f" .. controls {placed[0]} and {placed[1]} .. {placed[2]}"
            case "Z":
                yield " -- cycle"


def _node(text: Text, place: Placed) -> str:
    size = text.size * PT
    weight = r"\bfseries" if text.bold else ""
    font = rf"font=\sffamily{weight}\fontsize{{{_number(size)}}}{{{_number(size * 1.2)}}}\selectfont"
    halo = f",fill={_name(text.halo)},inner sep=1bp" if text.halo else ""
    faded = f",opacity={_number(text.opacity)}" if text.opacity != 1 else ""
    options = f"anchor={ANCHORS[text.anchor]},text={_name(text.colour)},{font}{halo}{faded}"
    return rf"\node[{options}] at {place((text.x, text.y))} {{{escaped(text.text)}}};"


def _options(paint: Paint) -> str:
    found = []
    if paint.fill:
        found += [f"fill={_name(paint.fill)}", f"fill opacity={_number(paint.fill_opacity)}"]
    if paint.stroke:
        found += [f"draw={_name(paint.stroke)}", f"draw opacity={_number(paint.stroke_opacity)}"]
        found.append(f"line width={_number(paint.width * PT)}bp")
    if paint.stroke and paint.dash:
        on, off = (f"{_number(length * PT)}bp" for length in paint.dash)
        found.append(f"dash pattern=on {on} off {off}")
    if paint.round:
        found.append("line cap=round")
    return ",".join(found)


def _written(drawing: Drawing) -> str:
    return "".join(mark.text for group in drawing.groups for mark in group.marks if isinstance(mark, Text))


def _colours(drawing: Drawing) -> list[str]:
    """All that are used, in the order of their names."""
    found: set[str | None] = {drawing.background}
    for mark in (mark for group in drawing.groups for mark in group.marks):
        found |= {mark.colour, mark.halo} if isinstance(mark, Text) else {mark.paint.fill, mark.paint.stroke}
    return sorted(colour for colour in found if colour)


def _name(colour: str) -> str:
    """What a colour "#1f5ea8" is called in the document."""
    return f"c{colour[1:]}"


def _comment(text: str) -> str:
    return " ".join(text.split())


def _number(value: float) -> str:
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
