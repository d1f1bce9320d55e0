"""A picture as SVG 1.1: texts are text, nothing runs, nothing is fetched."""

from __future__ import annotations

from xml.etree import ElementTree

from engine.interchange.picture.marks import Drawing, Ellipse, Group, Mark, Paint, Path, Rect, Text

NAMESPACE = "http://www.w3.org/2000/svg"
FONTS = "Inter, system-ui, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif"


def to_svg(drawing: Drawing) -> bytes:
    """The picture as an SVG file in UTF-8."""
    place = [_number(value) for value in (drawing.x, drawing.y, drawing.width, drawing.height)]
    frame = {
        "xmlns": NAMESPACE,
        "version": "1.1",
        "viewBox": " ".join(place),
        "width": place[2],
        "height": place[3],
        "font-family": FONTS,
    }
    root = ElementTree.Element("svg", frame)
    _add_title(root, drawing.title)
    x, y, width, height = place
    ground = {"x": x, "y": y, "width": width, "height": height, "fill": drawing.background}
    ElementTree.SubElement(root, "rect", ground)
    for group in drawing.groups:
        _add_group(root, group)
    text: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return text + b"\n"


def _add_group(root: ElementTree.Element, group: Group) -> None:
    element = ElementTree.SubElement(root, "g")
    if group.title:
        _add_title(element, group.title)
    for mark in group.marks:
        _add_mark(element, mark)


def _add_title(element: ElementTree.Element, text: str) -> None:
    ElementTree.SubElement(element, "title").text = text


def _add_mark(parent: ElementTree.Element, mark: Mark) -> None:
    match mark:
        case Text():
            ElementTree.SubElement(parent, "text", _of_text(mark)).text = mark.text
        case Ellipse(x, y, rx, ry, paint):
            _add_shape(parent, "ellipse", {"cx": x, "cy": y, "rx": rx, "ry": ry}, paint)
        case Rect(x, y, width, height, radius, paint):
            place = {"x": x, "y": y, "width": width, "height": height}
            _add_shape(parent, "rect", {**place, "rx": radius} if radius else place, paint)
        case Path(pieces, paint):
            written = "".join(
                letter + " ".join(f"{_number(x)},{_number(y)}" for x, y in points)
                for letter, points in pieces
            )
            ElementTree.SubElement(parent, "path", {"d": written, **_of_paint(paint)})


def _add_shape(parent: ElementTree.Element, tag: str, place: dict[str, float], paint: Paint) -> None:
    numbers = {name: _number(value) for name, value in place.items()}
    ElementTree.SubElement(parent, tag, {**numbers, **_of_paint(paint)})


def _of_paint(paint: Paint) -> dict[str, str]:
    found = {"fill": paint.fill or "none"}
    if paint.fill and paint.fill_opacity != 1:
        found["fill-opacity"] = _number(paint.fill_opacity)
    if paint.stroke:
        found |= {"stroke": paint.stroke, "stroke-width": _number(paint.width)}
        if paint.stroke_opacity != 1:
            found["stroke-opacity"] = _number(paint.stroke_opacity)
        if paint.dash:
            found["stroke-dasharray"] = " ".join(map(_number, paint.dash))
        if paint.round:
            found["stroke-linecap"] = "round"
    return found


def _of_text(text: Text) -> dict[str, str]:
    found = {
        "x": _number(text.x),
        "y": _number(text.y),
        "font-size": _number(text.size),
        "fill": text.colour,
    }
    if text.opacity != 1:
        found["opacity"] = _number(text.opacity)
    if text.bold:
        found["font-weight"] = "600"
    if text.anchor != "start":
        found["text-anchor"] = text.anchor
    if text.halo:  # SVG 1.1 has no attribute for what is painted first
        found |= {"stroke": text.halo, "stroke-width": "3", "style": "paint-order:stroke"}
    return found


def _number(value: float) -> str:
    """To a hundredth of a px, as short as can be; never "-0"."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
