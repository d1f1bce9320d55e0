"""`tf.autodiff.ForwardAccumulator`: derivatives along a direction, carried forward through a block.

What stands in the block is recorded as by a tape. With u in place of the gradient of y, the gradient with
respect to x is g(u) = J^T u, which is linear in u: the gradient of g(u) · t with respect to u is J t.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from engine import ops
from engine.differentiation.tape import Tape, flat, shaped_like
from engine.errors import ProgramError, ShapeError
from engine.execution.eager.graph import EagerGraph
from engine.graph import Tensor, Variable
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.dispatch import CONTEXTS
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.argument_kinds import TENSORS
from engine.ops.base.building import convert_to_tensor, current_graph
from engine.ops.base.shapes import written
from engine.ops.base.tensors import FLOATS


@dataclass(frozen=True, slots=True, eq=False)
class ForwardAccumulator:
    """An accumulator of the program: from where it goes out, along which direction, and what it records."""

    primals: Sequence[Any]
    tangents: Sequence[Any]
    tape: Tape
    graph: EagerGraph


ACCUMULATOR = members_of(ForwardAccumulator, "ForwardAccumulator")


def forward_accumulator(primals: Any, tangents: Any) -> ForwardAccumulator:
    """An accumulator for a block. Raises: ProgramError where primals and tangents do not go together."""
    xs, directions = flat(primals), [convert_to_tensor(one) for one in flat(tangents)]
    if len(xs) != len(directions):
        raise ProgramError(
            f"There are {len(xs)} primals, but {len(directions)} tangents.",
            message_zh=f"有 {len(xs)} 个 primals，却给了 {len(directions)} 个 tangents。",
            code="wrong_arguments",
            kind="ValueError",
        )
    for x, direction in zip(xs, directions, strict=True):
        if not isinstance(x, (Tensor, Variable)):
            raise ProgramError(
                "The primals of an accumulator are tensors and variables.",
                message_zh="ForwardAccumulator 的 primals 应是张量或变量。",
                code="wrong_arguments",
                kind="TypeError",
            )
        if tuple(x.shape or ()) != tuple(direction.shape or ()):
            raise ShapeError(
                f"A tangent of the shape {written(direction.shape)} does not fit a primal of the shape "
                f"{written(x.shape)}.",
                message_zh=f"形状为 {written(direction.shape)} 的 tangent 与形状为 {written(x.shape)} 的 "
                "primal 不匹配。",
                kind="ValueError",
            )
    graph: Any = current_graph()
    tape = Tape(persistent=True, watch_accessed_variables=False)
    tape.watch(xs)
    return ForwardAccumulator(xs, directions, tape, graph)


def _block(interpreter: Interpreter, accumulator: ForwardAccumulator) -> AbstractContextManager[Any]:
    return _Open(accumulator)


class _Open:
    """The block of an accumulator."""

    def __init__(self, accumulator: ForwardAccumulator) -> None:
        self.accumulator = accumulator
        self.recording = accumulator.graph.recording(accumulator.tape, accumulator.graph.place)

    def __enter__(self) -> ForwardAccumulator:
        self.recording.__enter__()
        return self.accumulator

    def __exit__(self, *how: Any) -> None:
        self.recording.__exit__(*how)


CONTEXTS[ForwardAccumulator] = _block


@ACCUMULATOR.method("jvp", primals=TENSORS)
def jvp(accumulator: ForwardAccumulator, primals: Any, unconnected_gradients: Any = "none") -> Any:
    """The derivative of what was computed in the block along the tangents; None where nothing joins them."""
    return shaped_like(primals, iter([_along(accumulator, y, unconnected_gradients) for y in flat(primals)]))


def _along(accumulator: ForwardAccumulator, given: Any, unconnected: Any) -> Any:
    y = convert_to_tensor(given)
    found = _pushed(accumulator, y) if y.dtype in FLOATS else None
    return ops.zeros_like(y) if found is None and unconnected == "zero" else found


def _pushed(accumulator: ForwardAccumulator, y: Any) -> Any:
    graph, twice = accumulator.graph, Tape(persistent=True, watch_accessed_variables=False)
    for x, direction in zip(accumulator.primals, accumulator.tangents, strict=True):
        if y is x:
            return direction
    with graph.recording(twice, graph.place):
        u = ops.ones_like(y)
        twice.watch(u)
        sent = accumulator.tape.gradient([y], list(accumulator.primals), [u])
        parts = [
            ops.reduce_sum(gradient * direction)
            for gradient, direction in zip(sent, accumulator.tangents, strict=True)
            if gradient is not None
        ]
        total = sum(parts[1:], parts[0]) if parts else None
    return None if total is None else twice.gradient([total], [u])[0]


MEMBERS: dict[str, Callable[..., Any]] = {"autodiff.ForwardAccumulator": forward_accumulator}
