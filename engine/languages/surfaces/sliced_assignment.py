"""Writing a part of a variable: `v[0].assign(1.)`, `v[1:3].assign_add(…)`."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

from engine.errors import ProgramError
from engine.graph import Tensor, Variable
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import concrete
from engine.languages.surfaces.tensors import TENSOR
from engine.ops.arrays.indexing import MASKS
from engine.ops.arrays.scattering import strided_slice_assign
from engine.ops.base.building import convert_to_tensor


def _variable_of(part: Tensor) -> Variable:
    """The variable that a subscript took a part of. Raises: ProgramError where it was no variable."""
    node = part.node
    if node.op.name == "StridedSlice":
        source = node.inputs[0]
        buffer = source.node.inputs[0] if source.node.op.name == "Identity" else source
        for variable in part.graph.collection("variables"):
            if variable.ref.node is buffer.node:
                found: Variable = variable
                return found
    raise ProgramError(
        "Only a tf.Variable, or a part of one by a subscript, can be assigned to.",
        message_zh="只有 tf.Variable，或它用下标取出的一部分，才能赋值。",
        hint="Write variable.assign(…) or variable[0].assign(…); else tf.tensor_scatter_nd_update(…).",
        hint_zh="请写 variable.assign(…)、variable[0].assign(…)，张量请用 tf.tensor_scatter_nd_update(…)。",
        code="unknown_attribute",
    )


@TENSOR.method("assign")
def assign(interpreter: Interpreter, part: Tensor, value: Any, name: Any = None) -> Any:
    """Write a value to the part of the variable; TensorFlow 2 gives the variable, TensorFlow 1 an op."""
    variable = _variable_of(part)
    node, is_eager = part.node, concrete(part) is not None
    wanted = name or f"{node.name}/_assign"
    masks = {mask: node.attrs[mask] for mask in MASKS}
    phase = "update" if is_eager and interpreter.workspace.gradient_calls else "forward"
    with part.graph.making(phase) if is_eager else nullcontext():
        new = convert_to_tensor(value, dtype=variable.dtype, name=f"{wanted}/value")
        written = strided_slice_assign(variable.ref, *node.inputs[1:], new, name=wanted, **masks)
    return getattr(variable, "assigned", variable) if is_eager else written
