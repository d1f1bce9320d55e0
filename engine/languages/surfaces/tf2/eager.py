"""TensorFlow 2's tensors: values at once, how they print, and what a program may ask of them."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from engine import ops
from engine.errors import DtypeError, ProgramError
from engine.execution.eager.graph import EagerGraph
from engine.execution.eager.immediate import EagerTensor
from engine.execution.eager.turns.late import LateTensor
from engine.graph import Variable
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.functions import HIDDEN_BASES
from engine.languages.interpreter.builtins.nested_sizes import NUMBERS_ONLY
from engine.languages.interpreter.builtins.records import like
from engine.languages.interpreter.builtins.text import FORMATTED, SHOWN, to_str
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.operators import EAGER_EQUALITY
from engine.languages.interpreter.values import PYTHON_NAMES, compared_by_value, concrete
from engine.languages.surfaces.dtypes import DType
from engine.languages.surfaces.tensors import TensorShape, written_shape
from engine.ops.base.building import as_array, current_graph
from engine.ops.base.slices import IndexedSlices
from engine.ops.base.tensors import TEXT, name_of


class EagerShape(TensorShape):
    """A shape as TensorFlow 2 shows it: `(2, 3)`, and `TensorShape([2, 3])` inside a list."""


for _kind in (EagerTensor, LateTensor):
    PYTHON_NAMES[_kind] = lambda _: "tensorflow.python.framework.ops.EagerTensor"
TENSOR = members_of(EagerTensor, "Tensor")
TENSOR.fact("shape")(lambda tensor: EagerShape(tensor.shape))
TENSOR.fact("ndim")(lambda tensor: len(tensor.shape))
TENSOR.fact("dtype")(lambda tensor: DType(tensor.dtype))
TENSOR.fact("device")(lambda tensor: tensor.node.device)
TENSOR.method("get_shape")(lambda tensor: EagerShape(tensor.shape))
EagerShape.__name__ = "TensorShape"  # as errors name it
HIDDEN_BASES[EagerShape] = tuple


def _shape_repr(shape: EagerShape) -> str:
    return f"TensorShape({list(shape)})" if shape.known else "TensorShape(None)"


SHOWN[EagerShape] = (
    lambda shape: written_shape(shape if shape.known else None).replace("?", "None"),
    _shape_repr,
)


@TENSOR.method("numpy")
def numpy(interpreter: Interpreter, tensor: EagerTensor) -> Any:
    """The value as a numpy array, or a number where there are no axes."""
    leave_the_tape(interpreter, tensor)
    return tensor.array[()] if tensor.array.ndim == 0 else np.array(tensor.array)


def _undefined(name: str) -> Any:
    def refuse(value: Any) -> Any:
        raise ProgramError(
            f"Tensor.{name} means nothing here: in TensorFlow 2 a tensor is a value, not a node.",
            hint="Use .numpy() for the value; the graph on the page names every node.",
            message_zh=f"Tensor.{name} 在这里没有意义：TensorFlow 2 的张量是数值，而不是图中的节点。",
            hint_zh="用 .numpy() 取得数值；页面上的计算图给出每个节点的名称。",
            code="eager_tensor",
        )

    return refuse


for undefined in ("name", "op", "graph"):
    TENSOR.fact(undefined)(_undefined(undefined))
TENSOR.method("eval")(_undefined("eval"))


def leave_the_tape(interpreter: Interpreter, value: Any) -> None:
    """Note, where a tape records this value, that it does not follow numpy."""
    graph = current_graph()
    if not isinstance(graph, EagerGraph):
        return
    tensor = getattr(value, "ref", value)
    if isinstance(value, Variable):
        for tape in graph.tapes:
            tape.see_read(value)
    if any(tensor in tape.tracked for tape in graph.tapes):
        interpreter.note(
            "numpy_leaves_tape",
            "numpy gives plain numbers, which the tape does not follow: the gradient stops at this place.",
            "这里得到的是 numpy 数值：GradientTape 不会跟踪它，梯度到此为止。",
            "Compute with TensorFlow's functions inside the tape, and call .numpy() after it.",
            "请在 tape 内用 TensorFlow 的函数计算，在 tape 之后再调用 .numpy()。",
        )


def array_of(value: Any) -> Any:
    """The array that a tensor holds, or that any other value makes."""
    held = concrete(value)
    return as_array(value) if held is None else np.asarray(held)


def numbers_of(value: Any) -> Any:
    """The same. Raises: DtypeError where it holds texts."""
    array = array_of(value)
    if name_of(array.dtype) == TEXT:
        raise DtypeError(
            "Numbers are needed here, not texts.",
            hint="tf.strings.to_number(…) makes numbers of digits.",
            message_zh="这里需要数，不能是文字。",
            hint_zh="用 tf.strings.to_number(…) 把数字文字变成数。",
        )
    return array


def plain_values(interpreter: Interpreter, value: Any) -> Any:
    """Tensors as arrays, also inside lists and tuples; anything else as it is."""
    if isinstance(value, (list, tuple)):
        if NUMBERS_ONLY.issuperset(map(type, value)):
            return value
        return like(value, [plain_values(interpreter, item) for item in value])
    array = concrete(value)
    if array is None:
        return value
    if hasattr(value, "check_for_numpy"):
        value.check_for_numpy()
    leave_the_tape(interpreter, value)
    return array


# -- text --------------------------------------------------------------------------------------------


def tensor_str(tensor: EagerTensor) -> str:
    """`tf.Tensor(6.0, shape=(), dtype=float32)`."""
    return f"tf.Tensor({_shown(tensor)}, shape={written_shape(tensor.shape)}, dtype={tensor.dtype})"


def _shown(tensor: EagerTensor) -> str:
    return _on_its_own_lines(str(tensor.array[()] if tensor.array.ndim == 0 else tensor.array))


def numpy_repr(array: Any) -> str:
    """An array as TensorFlow shows it inside a repr: a number by itself."""
    return _on_its_own_lines(str(array[()]) if array.ndim == 0 else repr(array))


def _on_its_own_lines(text: str) -> str:
    """Several lines begin on a new one."""
    return f"\n{text}" if "\n" in text else text


def _tensor_repr(tensor: EagerTensor) -> str:
    shape = written_shape(tensor.shape)
    return f"<tf.Tensor: shape={shape}, dtype={tensor.dtype}, numpy={numpy_repr(tensor.array)}>"


SHOWN[EagerTensor] = (tensor_str, _tensor_repr)
for _kind in (EagerTensor, LateTensor):  # f"{y}" shows the value alone, in all its digits
    FORMATTED[_kind] = lambda tensor: format(tensor.array)


def _slices_str(slices: IndexedSlices) -> str:
    parts = (f"{name}={to_str(getattr(slices, name))}" for name in ("indices", "values", "dense_shape"))
    return f"IndexedSlices({', '.join(parts)})"


SHOWN[IndexedSlices] = (_slices_str, _slices_str)
SLICES = members_of(IndexedSlices, "IndexedSlices")
SLICES.fact("values")(lambda slices: slices.values)
SLICES.fact("indices")(lambda slices: slices.indices)
SLICES.fact("dense_shape")(lambda slices: slices.dense_shape)


# -- equality ----------------------------------------------------------------------------------------


def _comparable(value: Any) -> bool:
    plain = (bool, int, float, str, bytes, list, tuple, np.ndarray, np.generic)
    return compared_by_value(value) or isinstance(value, plain)


def _equal(left: Any, right: Any) -> Any:
    return ops.equal(left, right) if _comparable(left) and _comparable(right) else False


def _not_equal(left: Any, right: Any) -> Any:
    return ops.not_equal(left, right) if _comparable(left) and _comparable(right) else True


EAGER_EQUALITY.update({ast.Eq: _equal, ast.NotEq: _not_equal})
