"""`tf.cond` and `tf.while_loop` where values are there at once."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.graph import Variable
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.operators import truth
from engine.languages.interpreter.values import NUMBERS, concrete
from engine.languages.surfaces.keras.optimizers import (  # noqa: F401  # for their tables
    optimizer,
    schedules,
    state,
)
from engine.languages.surfaces.tf1 import module as tf1_module  # noqa: F401  # for its table
from engine.languages.surfaces.tf2 import op_errors as op_errors_module  # noqa: F401  # for its texts
from engine.languages.surfaces.tf2.functions.said import GivenLoop, said_cond
from engine.languages.surfaces.tf2.looping import body as looping_body  # noqa: F401  # for its table
from engine.ops.base.building import convert_to_tensor
from engine.ops.base.shapes import whole_number


def cond(
    interpreter: Interpreter, pred: Any, true_fn: Any = None, false_fn: Any = None, name: Any = None
) -> Any:
    """The branch that the condition chooses."""
    for branch, given in (("true_fn", true_fn), ("false_fn", false_fn)):
        if given is None:
            raise ProgramError(
                f"{branch} must be callable.",
                message_zh=f"{branch} 必须是可以调用的函数。",
                code="wrong_arguments",
            )
    said, holds = said_cond(interpreter, true_fn, false_fn), truth(pred)
    if said is not None:
        said.note(interpreter, said.names, holds=holds)
    return interpreter.call(true_fn if holds else false_fn, [], {})


def while_loop(
    interpreter: Interpreter,
    cond: Any,
    body: Any,
    loop_vars: Any,
    shape_invariants: Any = None,
    parallel_iterations: Any = 10,
    back_prop: Any = True,
    swap_memory: Any = False,
    maximum_iterations: Any = None,
    name: Any = None,
) -> Any:
    """The body again and again while the condition holds, each turn recorded; numbers become tensors."""
    values, turn, form = _loop_variables(list(loop_vars)), 0, type(loop_vars)
    most = inf if maximum_iterations is None else _whole(maximum_iterations)
    rounds = GivenLoop(interpreter, cond, body)
    while turn < most:
        rounds.begin(values)
        if not truth(interpreter.call(cond, values, {})):
            break
        rounds.turn(turn + 1)
        interpreter.budget.step()
        given = interpreter.call(body, values, {})
        form = type(given) if isinstance(given, (list, tuple)) else form
        values, turn = _loop_variables(list(given) if isinstance(given, (list, tuple)) else [given]), turn + 1
    rounds.end(turn, is_tested=turn < most)
    return tuple(values) if issubclass(form, tuple) else values


def _loop_variables(values: list[Any]) -> list[Any]:
    """Numbers, arrays and variables as tensors; a TensorArray and a structure stay what they are."""
    return [
        convert_to_tensor(value) if isinstance(value, (*NUMBERS, np.ndarray, Variable)) else value
        for value in values
    ]


def _whole(given: Any) -> int:
    known = concrete(given)
    return whole_number(given if known is None else known, "maximum_iterations")


MEMBERS: dict[str, Callable[..., Any]] = {
    "cond": cond,
    "while_loop": while_loop,
}
