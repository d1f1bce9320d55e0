"""A picture as PDF: lines stay lines, texts stay texts, and the letters are in the file.

reportlab writes it, without a date or a random name, so that the same picture is the same bytes. Chinese is
written in a typeface that readers of PDF bring along (Adobe's STSong-Light), and is not in the file.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from typing import Any

from engine.interchange.picture.marks import Drawing, Ellipse, Mark, Paint, Path, Rect, Text
from engine.interchange.picture.typeface import NAMES, has_letter, typefaces

PT = 0.75  # points of a px
CHINESE = "STSong-Light"
HALO = 1.5  # px around a label


def to_pdf(drawing: Drawing) -> bytes:
    """The picture as a PDF of one page. Raises: ValueRefused where reportlab is not installed."""
    canvas_class = _canvas_class()
    written = io.BytesIO()
    size = drawing.width * PT, drawing.height * PT
    canvas = canvas_class(written, size, invariant=1, pageCompression=1, initialFontName=NAMES[False])
    canvas.setTitle(drawing.title)
    canvas.setCreator("Gradlens")
    canvas.transform(PT, 0, 0, -PT, -drawing.x * PT, (drawing.y + drawing.height) * PT)  # y grows downwards
    ground = Rect(drawing.x, drawing.y, drawing.width, drawing.height, 0, Paint(drawing.background))
    for mark in (ground, *(mark for group in drawing.groups for mark in group.marks)):
        _draw(canvas, mark)
    canvas.showPage()
    canvas.save()
    return written.getvalue()


@cache
def _canvas_class() -> Any:
    """reportlab's canvas, once our typefaces are known to it."""
    fonts = typefaces()
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.cidfonts import UnicodeCIDFont
    from reportlab.pdfgen.canvas import Canvas

    for font in (*fonts.values(), UnicodeCIDFont(CHINESE)):
        pdfmetrics.registerFont(font)
    return Canvas


def _draw(canvas: Any, mark: Mark) -> None:
    if isinstance(mark, Text):
        _write(canvas, mark)
        return
    path = canvas.beginPath()
    match mark:
        case Ellipse(x, y, rx, ry, paint):
            path.ellipse(x - rx, y - ry, 2 * rx, 2 * ry)
        case Rect(x, y, width, height, radius, paint):
            path.roundRect(x, y, width, height, radius) if radius else path.rect(x, y, width, height)
        case Path(pieces, paint):
            _follow(path, pieces)
    _set(canvas, paint)
    canvas.drawPath(path, stroke=int(paint.stroke is not None), fill=int(paint.fill is not None))


def _follow(path: Any, pieces: Any) -> None:
    for letter, points in pieces:
        numbers = [number for point in points for number in point]
        if letter == "Z":
            path.close()
        else:
            {"M": path.moveTo, "L": path.lineTo, "C": path.curveTo}[letter](*numbers)


def _set(canvas: Any, paint: Paint) -> None:
    canvas.setFillColor(paint.fill or "#000000", paint.fill_opacity)
    canvas.setStrokeColor(paint.stroke or "#000000", paint.stroke_opacity)
    canvas.setLineWidth(paint.width)
    canvas.setLineCap(int(paint.round))
    canvas.setDash(*((list(paint.dash), 0) if paint.dash else ([],)))


def _write(canvas: Any, text: Text) -> None:
    """A line of text, set closer where it would be wider than its room."""
    runs = list(_runs(text))
    width = sum(canvas.stringWidth(part, font, text.size) for font, part in runs)
    scale = min(1.0, text.room / width) if width else 1.0
    left = text.x - {"start": 0, "middle": 0.5, "end": 1}[text.anchor] * width * scale
    if text.halo:
        halo = Paint(text.halo, fill_opacity=text.opacity)
        ground = Rect(left - HALO, text.y - text.size * 0.8, width + 2 * HALO, text.size, 2, halo)
        _draw(canvas, ground)
    canvas.setFillColor(text.colour, text.opacity)
    line = canvas.beginText()
    line.setTextTransform(scale, 0, 0, -1, left, text.y)
    for font, part in runs:
        line.setFont(font, text.size)
        line.textOut(part)
    canvas.drawText(line)


def _runs(text: Text) -> Iterator[tuple[str, str]]:
    """The text in pieces, each with the typeface that has its letters."""
    own = NAMES[text.bold]
    for is_own, letters in groupby(text.text, has_letter):
        yield own if is_own else CHINESE, "".join(letters)
