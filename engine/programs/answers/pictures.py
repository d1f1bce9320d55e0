"""A program as PyTorch or JAX would build it, whatever it is written in: written for it, run, and drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.errors import ProgramError
from engine.execution.budget import Limits
from engine.graph import Tensor
from engine.interchange.code import LANGUAGES
from engine.interchange.code.language import Language
from engine.interchange.code.torch import TorchBackward
from engine.languages.surfaces.torch.result import TensorItem
from engine.programs.answers.code import computation_of
from engine.programs.frameworks import PICTURES
from engine.programs.program.outcome import Outcome
from engine.programs.program.packing import outcome_of
from engine.programs.program.request import ProgramRequest
from engine.programs.service import tell_lesson

WRITERS: Mapping[str, type[Language]] = {**LANGUAGES, "torch": TorchBackward}


def tell_lesson_at(request: ProgramRequest, limits: Limits, level: str | None) -> dict[str, Any]:
    """The answer of `GET /programs/{id}/lesson` without its program, at any level.

    At that of a framework which the program is not of, `written` is the text for it whose steps these are.

    Raises: ProgramError where it cannot be written for that framework.
    """
    other = for_framework(request, level, limits)
    lesson = tell_lesson(other, limits, level)
    if other is request:
        return lesson
    if lesson["level"] != level or not lesson["steps"]:
        raise _nothing_to_draw()
    return {**lesson, "written": other.source}


def for_framework(request: ProgramRequest, level: str | None, limits: Limits) -> ProgramRequest:
    """The program as one of the framework of a level; itself where it is one, or the level is no framework's.

    Raises: ProgramError where it cannot be written for it.
    """
    if level is None or level not in PICTURES or outcome_of(request, limits).dialect == level:
        return request
    source = WRITERS[level](computation_of(request, limits)).program()
    return ProgramRequest(source, dialect=level)


def names_of(outcome: Outcome, nodes: Sequence[Mapping[str, Any]], *, written: bool) -> dict[str, str]:
    """What the program calls the nodes of its picture.

    written: whether it was written for the framework: what it calls its steps is no word of the learner's.
    """
    target = outcome.target.node.name if outcome.target is not None else ""
    shown = {
        node["name"] for node in nodes if not written or node["op"] == "VariableV2" or node["name"] == target
    }
    found = {}
    for name, value in outcome.names.items():
        tensor = value.value if isinstance(value, TensorItem) else value
        if isinstance(tensor, Tensor) and tensor.node.name in shown:
            found[tensor.node.name] = name
    return {**found, **{box: name for box, name in outcome.parameter_names().items() if box in shown}}


def _nothing_to_draw() -> ProgramError:
    return ProgramError(
        "Written for that framework, the program asks for no gradient, so there is nothing to draw.",
        message_zh="写成该框架的程序后，没有要求任何梯度，所以没有可画的内容。",
        hint="Ask for the gradient of a number by a variable.",
        hint_zh="请对某个变量求一个数的梯度。",
        code="not_writable",
    )
