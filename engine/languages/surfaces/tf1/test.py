"""TensorFlow 1's gradient check: a Jacobian by the graph beside one by central differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.differentiation import numeric
from engine.errors import ProgramError
from engine.graph import Tensor, Variable
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.argument_kinds import NUMBER, TENSOR
from engine.languages.surfaces.tf1.functions.ops import TF
from engine.languages.surfaces.tf1.session import get_default_session, run
from engine.languages.surfaces.unsupported import refuse_given
from engine.ops.base.building import as_array
from engine.ops.base.shapes import merge
from engine.ops.base.tensors import Array

CHECKED = {"x": TENSOR, "y": TENSOR, "delta": NUMBER}
FED = (
    "Leave it out, and make what it feeds with tf.placeholder_with_default.",
    "请去掉它，并用 tf.placeholder_with_default 创建所馈送的量。",
)
MAX_MOVED = 1000  # each number of x takes two runs of y


def _checking(title: str, check: Callable[..., Any]) -> Callable[..., Any]:
    def call(
        interpreter: Interpreter,
        x: Any,
        x_shape: Any,
        y: Any,
        y_shape: Any,
        x_init_value: Any = None,
        delta: Any = 1e-3,
        init_targets: Any = None,
        extra_feed_dict: Any = None,
    ) -> Any:
        refuse_given(title, {"extra_feed_dict": extra_feed_dict}, *FED)
        return check(*_question(interpreter, x, y, x_init_value, init_targets), float(delta))

    return call


# Both Jacobians, one row for each number of x and one column for each of y; and how far they differ at most.
for check in (numeric.compute_gradient, numeric.compute_gradient_error):
    TF.function(f"test.{check.__name__}", **CHECKED)(_checking(f"test.{check.__name__}", check))


def _question(
    interpreter: Interpreter, x: Any, y: Any, start: Any, init_targets: Any
) -> tuple[Tensor, Tensor, dict[Tensor, Array]]:
    """y, x, and the values that y is computed from in the default session."""
    session = get_default_session(interpreter)
    if session is None:
        raise ProgramError(
            "tf.test.compute_gradient needs a default session.",
            hint="Do it inside `with tf.Session():`.",
            message_zh="tf.test.compute_gradient 需要一个默认会话。",
            hint_zh="请在 `with tf.Session():` 里调用它。",
            code="no_default_session",
        )
    if init_targets is not None:
        run(interpreter, session, init_targets)
    source: Tensor = x.ref if isinstance(x, Variable) else x.as_tensor()
    known = {node.outputs[0]: value for node, value in session.session.variables.items()}
    known[source] = _start(interpreter, source, start, known)
    return y.as_tensor(), source, known


def _start(interpreter: Interpreter, x: Tensor, given: Any, known: dict[Tensor, Array]) -> Array:
    """Where x stands: the value that is given, else a variable's own, else numbers drawn from [0, 1)."""
    if given is not None:
        value = as_array(given).astype(x.dtype)
        merge(x.shape, value.shape)
    elif x in known:
        value = known[x]
    else:
        shape: Any = x.shape
        value = np.random.RandomState(interpreter.workspace.seed).random_sample(shape).astype(x.dtype)
    if value.size > MAX_MOVED:
        raise ProgramError(
            f"A gradient check of {value.size} numbers would take {2 * value.size} runs.",
            hint=f"Check at most {MAX_MOVED} numbers.",
            message_zh=f"对 {value.size} 个数做梯度检查需要运行 {2 * value.size} 次。",
            hint_zh=f"请至多检查 {MAX_MOVED} 个数。",
            code="too_many_elements",
        )
    return value
