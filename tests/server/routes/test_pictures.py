"""Pictures of what is in sight: marks in, a PDF with its texts out."""

from __future__ import annotations

import io
from typing import Any

import httpx
import pytest
from pypdf import PdfReader

from engine.interchange.picture import typeface
from server.schemas.pictures import Picture
from tests.limits import ROOMY

PAGE = {"x": -20, "y": 0, "width": 400, "height": 200}
SINE = {
    "mark": "text",
    "text": "sin x = 0.1411",
    "x": 40,
    "y": 50,
    "size": 13,
    "colour": "#1b2330",
    "bold": True,
    "anchor": "middle",
    "room": 80,
    "halo": "#ffffff",
    "opacity": 0.5,
}
INK = {"stroke": "#1f5ea8", "stroke_opacity": 0.75, "line_width": 1.5, "dash": [5, 3], "round": True}
MARKS = [
    {"mark": "rect", "x": 0, "y": 0, "width": 90, "height": 40, "radius": 8, "fill": "#eaf2fc", **INK},
    {"mark": "ellipse", "x": 40, "y": 50, "rx": 40, "ry": 18, "fill": "#ffffff", "fill_opacity": 0.5},
    {"mark": "path", "d": "M0,0L10.5,-2Q12,6 12,8C1,2 3,4 5,6Z", **INK},
    SINE,
]


def sent(client: httpx.Client, marks: Any, **more: Any) -> httpx.Response:
    """The answer to marks on a page of 400 by 200 px."""
    return client.post("/pictures", json={"page": PAGE, "marks": marks, **more})


def test_marks_become_a_page_whose_text_can_be_copied(client: httpx.Client) -> None:
    answer = sent(client, MARKS, background="#191f28")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/pdf")
    (page,) = PdfReader(io.BytesIO(answer.content), strict=True).pages
    assert page.extract_text() == "sin x = 0.1411"
    assert (page.mediabox.width, page.mediabox.height) == (300, 150)  # 400 and 200 px of 0.75 pt


def test_the_same_marks_are_the_same_bytes(client: httpx.Client) -> None:
    assert sent(client, MARKS).content == sent(client, MARKS).content
    assert sent(client, MARKS[1:]).content != sent(client, MARKS).content


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", "梯度 ∂y/∂x", "\u202eabc", "a\x00b", "🙂"])
def test_a_text_is_a_text_whatever_it_says(client: httpx.Client, text: str) -> None:
    answer = sent(client, [{**SINE, "text": text}])
    assert answer.content.startswith(b"%PDF")


@pytest.mark.parametrize(
    ("changed", "message", "message_zh"),
    [
        (
            {"mark": "path", "d": "M0"},
            "The field `marks.0.path.d` should be a path of M, L, Q, C and Z with places such as 1.5,-2: "
            "M0,0L10,5.",
            "字段 `marks.0.path.d` 应为由 M、L、Q、C、Z 和形如 1.5,-2 的坐标组成的路径，如 M0,0L10,5。",
        ),
        (
            {"mark": "ellipse", "x": 0, "y": 0, "rx": 1, "ry": 1, "fill": "url(#x)"},
            "The field `marks.0.ellipse.fill` should be a colour such as #1f5ea8.",
            "字段 `marks.0.ellipse.fill` 应为一种颜色，如 #1f5ea8。",
        ),
        (
            {"mark": "image", "href": "http://example.org"},
            "The field `marks.0` should be of a kind among 'ellipse', 'rect', 'path', 'text'.",
            "字段 `marks.0` 应为以下种类之一：'ellipse', 'rect', 'path', 'text'。",
        ),
        (
            {"x": 1},
            "The field `marks.0` should be an object with a field 'mark'.",
            "字段 `marks.0` 应为一个带有字段 'mark' 的对象。",
        ),
        (
            {**SINE, "size": 0},
            "The field `marks.0.text.size` should be greater than 0.0.",
            "字段 `marks.0.text.size` 应为大于 0.0。",
        ),
    ],
)
def test_a_mark_that_there_is_not_is_refused_by_its_place(
    client: httpx.Client, changed: Any, message: str, message_zh: str
) -> None:
    answer = sent(client, [changed])
    assert answer.status_code == 422
    assert (answer.json()["detail"], answer.json()["message_zh"]) == (message, message_zh)


@pytest.mark.parametrize("side", ["width", "height"])
def test_a_page_is_as_large_as_a_pdf_can_have_it(client: httpx.Client, side: str) -> None:
    assert client.post("/pictures", json={"page": {**PAGE, side: 19_200}, "marks": MARKS}).status_code == 200
    assert client.post("/pictures", json={"page": {**PAGE, side: 19_201}, "marks": MARKS}).status_code == 422


def test_more_marks_than_a_pdf_is_made_of_are_refused_with_what_to_do(client: httpx.Client) -> None:
    dot = {"mark": "ellipse", "x": 0, "y": 0, "rx": 1, "ry": 1, "fill": "#000000"}
    problem = sent(client, [dot] * 10_001).json()
    assert problem["detail"] == (
        "What is in sight consists of 10,001 marks; a PDF of it is made of at most 10,000."
    )
    assert problem["hint"] == "Zoom in, close some scopes, or save it as SVG."
    assert problem["message_zh"] == "当前画面由 10,001 个图元组成；PDF 最多包含 10,000 个。"


def test_a_dash_of_one_length_has_gaps_of_the_same() -> None:
    line = {"mark": "path", "d": "M0,0L1,1", "stroke": "#000000", "dash": [2]}
    (group,) = Picture.model_validate({"page": PAGE, "marks": [line]}).to_engine().groups
    assert group.marks[0].paint.dash == (2, 2)  # type: ignore[union-attr]  # it is a path


def test_without_the_writer_of_pdf_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    from engine.errors import GradlensError
    from engine.interchange.picture import pdf
    from server.workers.tasks import answer_picture

    monkeypatch.setattr(typeface, "find_spec", lambda name: None)
    typeface.typefaces.cache_clear()
    pdf._canvas_class.cache_clear()
    with pytest.raises(GradlensError) as refused:
        answer_picture("", Picture.model_validate({"page": PAGE, "marks": MARKS}).to_engine(), ROOMY)
    assert (
        refused.value.message == "A picture with letters in it needs reportlab, which is not installed here."
    )
    assert refused.value.hint_zh == "请管理员安装：pip install 'gradlens[pictures]'"
