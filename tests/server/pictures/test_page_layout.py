"""The page's layout on the server: the same scenes as on the page, of programs of every kind."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from engine.errors import GradlensError, LimitError
from engine.programs import ProgramRequest, RunRequest
from engine.programs.answers.picture_files import Look, draw_program, draw_run
from engine.programs.imported.picture_files import draw_imported
from server.pictures import page_layout
from server.pictures.page_layout import lay_out
from tests.limits import ROOMY

ROOT = Path(__file__).parents[3]
LIMITS = ROOMY
SINE = ProgramRequest("y = exp(sin(x))", at={"x": 3.0})
ENTRIES = {
    entry["id"]: entry for entry in json.loads((ROOT / "examples" / "index.json").read_text(encoding="utf-8"))
}
SVG = "{http://www.w3.org/2000/svg}"
RULES = etree.DTD(str(ROOT / "tests" / "data" / "svg" / "svg11.dtd"))
IN_NODE = """
import { wholePicture } from "./frontend/state/pictures/whole_picture.js";
const text = await new Response(process.stdin).text();
console.log(JSON.stringify(wholePicture(JSON.parse(text))));
"""


def example(name: str) -> ProgramRequest:
    """A program of the gallery."""
    entry = ENTRIES[name]
    return ProgramRequest((ROOT / "examples" / entry["file"]).read_text(encoding="utf-8"), at=entry["at"])


def seen(request: ProgramRequest, detail: str) -> tuple[Any, Any]:
    """What a program's picture is laid out from, and what comes of it."""
    found: list[Any] = []

    def noting(picture: Any) -> Any:
        found.extend((picture, lay_out(picture)))
        return found[1]

    draw_program(request, Look(detail, "svg"), noting, LIMITS)
    return found[0], found[1]


@cache
def tree_of(detail: str = "tensorflow") -> Any:
    """The SVG of exp(sin x) at 3."""
    return etree.fromstring(draw_program(SINE, Look(detail, "svg"), lay_out, LIMITS))


def texts(detail: str = "tensorflow") -> list[str]:
    """All that stands on it."""
    return [element.text for element in tree_of(detail).iter(SVG + "text")]


def test_a_picture_shows_each_op_with_its_value() -> None:
    written = texts("essentials")
    pairs = dict(pairwise(written))
    assert (pairs["x"], pairs["Sin"], pairs["Exp"]) == ("3", "0.1411", "1.152")
    assert pairs["dy/dx"] == "−1.14"  # cos 3 · exp(sin 3)
    assert "gradients" in written


def test_at_mathematics_it_shows_what_was_written() -> None:
    written = texts("mathematics")
    pairs = dict(pairwise(written))
    assert (pairs["sin x"], pairs["∂y/∂x"], pairs["× cos x"]) == ("0.1411", "−1.14", "−0.99")


@pytest.mark.parametrize(("detail", "node"), [("torch", "ExpBackward0"), ("jax", "f")])
def test_it_shows_the_graph_that_another_framework_would_build(detail: str, node: str) -> None:
    assert node in texts(detail)


@pytest.mark.parametrize(("direction", "order"), [("right", "x"), ("down", "y"), ("up", "y")])
def test_the_forward_graph_runs_as_asked(direction: str, order: str) -> None:
    look = Look("essentials", "svg", direction=direction)
    tree = etree.fromstring(draw_program(SINE, look, lay_out, LIMITS))
    places = {element.text: float(element.get(order)) for element in tree.iter(SVG + "text")}
    in_order = [places["x"], places["Sin"], places["Exp"]]
    assert in_order == sorted(in_order, reverse=direction == "up")


def test_it_is_called_by_its_formula() -> None:
    assert tree_of().find(SVG + "title").text == "y = exp(sin(x))"


def test_the_same_program_is_the_same_picture_whatever_was_laid_out_before() -> None:
    first = draw_program(SINE, Look("tensorflow", "svg"), lay_out, LIMITS)
    draw_program(ProgramRequest("z = a * b + log(a)"), Look("tensorflow", "svg"), lay_out, LIMITS)
    assert draw_program(SINE, Look("tensorflow", "svg"), lay_out, LIMITS) == first


def test_a_run_shows_the_optimizer() -> None:
    run = RunRequest(1, {"name": "Adam"})
    data = draw_run(SINE, run, Look("essentials", "svg"), lay_out, LIMITS)
    assert b">Adam</text>" in data
    formulas = draw_run(SINE, run, Look("mathematics", "svg"), lay_out, LIMITS)
    assert formulas.count(b">x</text>") == 1


def test_a_graph_from_a_file_is_drawn_with_the_values_that_stand_in_it() -> None:
    data = b'node { name: "x" op: "Placeholder" }\nnode { name: "<y>" op: "Sin" input: "x" }\n'
    picture = draw_imported(data, Look("tensorflow", "svg"), lay_out, LIMITS)
    assert [element.text for element in etree.fromstring(picture).iter(SVG + "text")] == ["x", "<y>", "?"]


def test_a_program_that_is_no_mathematics_gives_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    reason = {"en": "Its loop has too many turns.", "zh": "循环次数太多。"}
    lesson = {"level": "tensorflow", "steps": [{}], "reason": reason}
    monkeypatch.setattr("engine.programs.answers.picture_files.tell_lesson", lambda *asked: lesson)
    with pytest.raises(GradlensError) as refused:
        draw_program(SINE, Look("mathematics", "svg"), lay_out, LIMITS)
    assert refused.value.message == (
        "The program cannot be drawn as mathematics. Its loop has too many turns."
    )
    assert refused.value.message_zh == "这个程序不能画成数学图。循环次数太多。"
    assert refused.value.hint == "Ask for detail=essentials."


def test_a_graph_of_too_many_nodes_is_refused_before_it_is_laid_out() -> None:
    data = b"".join(b'node { name: "n%d" op: "Placeholder" }' % place for place in range(5001))
    with pytest.raises(LimitError) as refused:
        draw_imported(data, Look("tensorflow", "svg"), lay_out, LIMITS)
    assert refused.value.message == "The graph has 5,001 nodes; a picture is made of at most 5,000."
    assert refused.value.message_zh == "该图有 5,001 个节点；图片最多画 5,000 个。"


def test_a_program_without_a_graph_has_no_picture() -> None:
    with pytest.raises(GradlensError, match="The program has built no graph, so there is nothing to draw"):
        draw_program(ProgramRequest("print(1)", "tf1"), Look("tensorflow", "svg"), lay_out, LIMITS)


@pytest.mark.parametrize(
    ("look", "hint"),
    [
        (Look("whole", "svg"), "detail is one of tensorflow, essentials, mathematics, torch, jax."),
        (Look("tensorflow", "gif"), "format is one of svg, pdf, png, tikz."),
        (Look("tensorflow", "svg", "pink"), "theme is one of light, dark, print."),
        (Look("tensorflow", "svg", "dark", "left"), "direction is one of right, down, up."),
    ],
)
def test_a_look_that_there_is_not_is_refused_with_those_that_there_are(look: Look, hint: str) -> None:
    with pytest.raises(GradlensError) as refused:
        draw_program(SINE, look, lay_out, LIMITS)
    assert refused.value.hint == hint


def test_a_layout_that_takes_too_long_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_layout, "DRAW", "(text) => { for (;;); }")
    monkeypatch.setattr(page_layout, "PROCESSOR_S", 0)
    with pytest.raises(LimitError, match="This graph takes too long to be laid out as a picture"):
        lay_out({})


def test_a_layout_that_takes_too_much_memory_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_layout, "DRAW", "(text) => { const all = []; for (;;) all.push([...text]); }")
    monkeypatch.setattr(page_layout, "MEMORY_BYTES", 20_000_000)
    with pytest.raises(LimitError, match="This graph takes too long to be laid out as a picture"):
        lay_out({"program": "x" * 1000})


def test_without_the_engine_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_layout, "find_spec", lambda name: None)
    with pytest.raises(GradlensError) as refused:
        lay_out({})
    assert refused.value.message == "A picture needs quickjs-ng, which is not installed here."
    assert refused.value.hint.endswith("pip install 'gradlens[pictures]'")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
@pytest.mark.parametrize("name", ["g01", "g12"])
@pytest.mark.parametrize("detail", ["tensorflow", "essentials"])
def test_the_scene_is_the_one_that_the_page_makes(name: str, detail: str) -> None:
    asked, scene = seen(example(name), detail)
    command = ["node", "--input-type=module", "--eval", IN_NODE]
    run = subprocess.run(
        command, cwd=ROOT, input=json.dumps(asked), capture_output=True, text=True, check=True
    )
    assert json.loads(run.stdout) == scene


@pytest.mark.slow
@pytest.mark.parametrize("name", ENTRIES)
def test_every_program_of_the_gallery_is_drawn_without_boxes_on_one_another(name: str) -> None:
    asked, scene = seen(example(name), "essentials")
    assert asked["nodes"]
    closed = [item for item in scene["items"] if not item["open"]]
    over = [(a["title"], b["title"]) for a, b in combinations(closed, 2) if lie_on_each_other(a, b)]
    assert over == []
    tree = etree.fromstring(draw_program(example(name), Look("essentials", "svg"), lay_out, LIMITS))
    assert RULES.validate(tree), RULES.error_log
    labels = {item["label"] for item in scene["items"]}
    assert labels <= {element.text for element in tree.iter(SVG + "text")}


def lie_on_each_other(a: Any, b: Any) -> bool:
    """Whether two boxes share more than a border."""
    return bool(
        min(a["x"] + a["width"], b["x"] + b["width"]) - max(a["x"], b["x"]) > 0.01
        and min(a["y"] + a["height"], b["y"] + b["height"]) - max(a["y"], b["y"]) > 0.01
    )


def test_the_script_is_the_pages_own_modules() -> None:
    named = re.findall(r'^\$modules\["([^"]+)"\] = ', page_layout._script(), re.MULTILINE)
    assert named[-1] == page_layout.ENTRY
    assert "layout/layout.js" in named
    assert all((ROOT / "frontend" / name).is_file() for name in named)
