"""A graph as a picture: laid out as on the page, with every value, and painted as SVG, PDF, PNG or TikZ.

The layout is the page's own, which whoever calls brings along: the engine knows nothing of the page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.errors import ProgramError, ValueRefused
from engine.execution.budget import Limits
from engine.interchange.picture import THEMES, Drawing, Scene, drawing_of, to_pdf, to_png, to_svg, to_tikz
from engine.interchange.picture.drawing import TITLE
from engine.interchange.picture.refusals import too_large
from engine.programs.answers.graph_files import DETAILS, framework_graph
from engine.programs.frameworks import PICTURES
from engine.programs.lesson.steps import MATHEMATICS
from engine.programs.program.items import Values
from engine.programs.program.outcome import Outcome
from engine.programs.program.packing import outcome_of
from engine.programs.program.request import ProgramRequest, RunRequest
from engine.programs.program.result import grown_answer, nodes_json
from engine.programs.program.static_values import all_values
from engine.programs.runs.optimise import check_ran
from engine.programs.service import differentiated, tell_lesson
from engine.programs.training.training import training_for

PICTURE_TYPES = {
    "svg": "image/svg+xml",
    "pdf": "application/pdf",
    "png": "image/png",
    "tikz": "text/x-tex; charset=utf-8",
}
WRITERS: Mapping[str, Callable[[Drawing], str | bytes]] = {
    "svg": to_svg,
    "pdf": to_pdf,
    "png": to_png,
    "tikz": to_tikz,
}
DIRECTIONS = ("right", "down", "up")
MOST_NODES = 5_000  # in the detail asked for
MOST_NODES_IN_ALL = 20_000
LONGEST_TITLE = 80

LayOut = Callable[[Mapping[str, Any]], Scene]  # what `frontend/state/pictures/whole_picture.js` does


@dataclass(frozen=True, slots=True)
class Look:
    """What a picture shows, and how.

    detail:    `tensorflow` for every node, `essentials` without the plumbing, `mathematics` as it was
               written, `torch` or `jax` for that framework's own graph.
    form:      one of PICTURE_TYPES.
    theme:     `light`, `dark` or `print` (black and white).
    direction: in which the forward graph runs: `right`, `down` or `up`.
    open:      the names of the scopes that are open, `*` for all; None for those that are open at first.
    """

    detail: str
    form: str
    theme: str = "light"
    direction: str = "right"
    open: tuple[str, ...] | None = None


def draw_program(request: ProgramRequest, look: Look, lay_out: LayOut, limits: Limits) -> bytes:
    """The picture of a program's whole graph.

    Raises: ValueRefused for a look that there is not; ProgramError where there is nothing to draw;
            LimitError where there is too much.
    """
    check_look(look, (*DETAILS, MATHEMATICS, *PICTURES))
    outcome, values = differentiated(request, limits)
    if look.detail in PICTURES:
        graph = framework_graph(request, look.detail, limits)
        check_size(len(graph["nodes"]), MOST_NODES)
        picture = {"program": grown_answer(outcome, values), "nodes": graph["nodes"], "graph": graph}
    else:
        picture = _of_nodes(request, outcome, values, look, limits)
    return drawn(picture, look, lay_out, _title(request))


def draw_run(request: ProgramRequest, run: RunRequest, look: Look, lay_out: LayOut, limits: Limits) -> bytes:
    """The same of the graph that a run's optimizer has grown, which is one of TensorFlow's."""
    check_look(look, (*DETAILS, MATHEMATICS))
    outcome = outcome_of(request, limits)
    check_ran(outcome)
    training_for(outcome, run)
    picture = _of_nodes(request, outcome, all_values(outcome), look, limits)
    return drawn(picture, look, lay_out, _title(request))


def _of_nodes(
    request: ProgramRequest, outcome: Outcome, values: Values, look: Look, limits: Limits
) -> dict[str, Any]:
    """What the layout is given of a graph of TensorFlow's; as mathematics, of the lesson, too."""
    view = DETAILS.get(look.detail, DETAILS["essentials"])
    check_size(len(outcome.graph.nodes), MOST_NODES_IN_ALL)
    seen = view(outcome.graph)
    check_size(len(seen), MOST_NODES)
    return {
        "program": grown_answer(outcome, values),
        "nodes": nodes_json(outcome.graph, values, seen),
        "steps": _steps(request, limits) if look.detail == MATHEMATICS else [],
    }


def drawn(picture: Mapping[str, Any], look: Look, lay_out: LayOut, title: str = TITLE) -> bytes:
    """A picture of `{program, nodes}`, nodes in the detail asked for, and of `steps` or a `graph` instead.

    Raises: ProgramError where there are no nodes.
    """
    if not picture["nodes"]:
        raise _nothing_to_draw()
    scene = lay_out({**picture, "open": look.open, "direction": look.direction, "none": "None"})
    written = WRITERS[look.form](drawing_of(scene, look.theme, title))
    return written.encode() if isinstance(written, str) else written


def check_look(look: Look, details: Iterable[str]) -> None:
    """Raises: ValueRefused for a detail, a form or a theme that there is not."""
    asked = {"detail": look.detail, "format": look.form, "theme": look.theme, "direction": look.direction}
    known = {"detail": details, "format": WRITERS, "theme": THEMES, "direction": DIRECTIONS}
    for name, value in asked.items():
        if value not in (choices := tuple(known[name])):
            raise _no_such_look(name, value, choices)


def check_size(count: int, most: int) -> None:
    """Raises: LimitError where there are more nodes than that."""
    if count > most:
        raise too_large(count, most)


def _steps(request: ProgramRequest, limits: Limits) -> list[dict[str, Any]]:
    """The steps of the lesson about what was written. Raises: ProgramError with the reason for none."""
    lesson = tell_lesson(request, limits, MATHEMATICS)
    if lesson["level"] == MATHEMATICS and lesson["steps"]:
        steps: list[dict[str, Any]] = lesson["steps"]
        return steps
    reason = lesson["reason"] or {"en": "", "zh": ""}
    raise ProgramError(
        f"The program cannot be drawn as mathematics. {reason['en']}".rstrip(),
        hint="Ask for detail=essentials.",
        message_zh=f"这个程序不能画成数学图。{reason['zh']}",
        hint_zh="请使用 detail=essentials。",
        code="no_such_picture",
    )


def _title(request: ProgramRequest) -> str:
    """What the picture is of: the formula where it is one line."""
    text = request.source.strip()
    return text if "\n" not in text and 0 < len(text) <= LONGEST_TITLE else TITLE


def _nothing_to_draw() -> ProgramError:
    return ProgramError(
        "The program has built no graph, so there is nothing to draw.",
        message_zh="程序没有建立图，所以没有可画的内容。",
        hint="Look at its diagnostics: a mistake may have stopped it.",
        hint_zh="请查看诊断信息：可能有错误使它停下。",
        code="nothing_to_draw",
    )


def _no_such_look(name: str, value: str, choices: tuple[str, ...]) -> ValueRefused:
    return ValueRefused(
        f"There is no picture with {name} {value!r}.",
        hint=f"{name} is one of {', '.join(choices)}.",
        message_zh=f"没有 {name} 为 {value!r} 的图片。",
        hint_zh=f"{name} 可以是 {', '.join(choices)}。",
        code="no_such_format",
    )
