"""TensorFlow 2's functions over rows, run at once: every row is recorded as it is gone through."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import ops
from engine.ops.building import convert_to_tensor
from engine.programs.interpreter.machine import Interpreter
from engine.programs.interpreter.values import concrete

from .tf1_loops import flat, in_form, packed, rows_of

Row = list[Any]  # what stands side by side: one value for each tensor


def _rows(interpreter: Interpreter, elems: Any) -> list[Row]:
    columns = [ops.unstack(tensor) for tensor in rows_of(elems)]
    rows = [list(row) for row in zip(*columns, strict=True)]
    for _ in rows:
        interpreter.budget.step()
    return rows


def _side_by_side(results: list[Row]) -> list[Any]:
    return [ops.stack([convert_to_tensor(one) for one in column]) for column in zip(*results, strict=True)]


def map_fn(
    interpreter: Interpreter,
    fn: Any,
    elems: Any,
    dtype: Any = None,
    parallel_iterations: Any = None,
    back_prop: Any = True,
    swap_memory: Any = False,
    infer_shape: Any = True,
    name: Any = None,
    fn_output_signature: Any = None,
) -> Any:
    """The function of each row, side by side."""
    return vectorized_map(interpreter, fn, elems)


def vectorized_map(
    interpreter: Interpreter, fn: Any, elems: Any, fallback_to_while_loop: Any = True, warn: Any = True
) -> Any:
    """The function of each row, side by side."""
    found = [interpreter.call(fn, [in_form(elems, iter(row))], {}) for row in _rows(interpreter, elems)]
    return in_form(found[0], iter(_side_by_side([list(flat(one)) for one in found])))


def _states(
    interpreter: Interpreter, fn: Any, elems: Any, initializer: Any, *, backwards: bool, what: str
) -> list[Any]:
    """What the function makes of each row and what it made of the one before."""
    rows = _rows(interpreter, elems)
    rows = rows[::-1] if backwards else rows
    found = []
    if initializer is None:
        found, rows = [in_form(elems, iter(rows[0]))], rows[1:]
    state = initializer if initializer is not None else found[0]
    for row in rows:
        after = interpreter.call(fn, [state, in_form(elems, iter(row))], {})
        state = packed(state, list(flat(after)), what)
        found.append(state)
    return found


def scan(
    interpreter: Interpreter,
    fn: Any,
    elems: Any,
    initializer: Any = None,
    parallel_iterations: Any = 10,
    back_prop: Any = True,
    swap_memory: Any = False,
    infer_shape: Any = True,
    reverse: Any = False,
    name: Any = None,
) -> Any:
    """What the function makes of each row and what it made of the row before, side by side."""
    backwards = bool(reverse)
    found = _states(interpreter, fn, elems, initializer, backwards=backwards, what="The function of tf.scan")
    found = found[::-1] if backwards else found
    return in_form(found[0], iter(_side_by_side([list(flat(state)) for state in found])))


def foldl(
    interpreter: Interpreter,
    fn: Any,
    elems: Any,
    initializer: Any = None,
    parallel_iterations: Any = 10,
    back_prop: Any = True,
    swap_memory: Any = False,
    name: Any = None,
) -> Any:
    """The rows put together by a function of two, from the first on."""
    return _states(interpreter, fn, elems, initializer, backwards=False, what="The function of tf.foldl")[-1]


def foldr(
    interpreter: Interpreter,
    fn: Any,
    elems: Any,
    initializer: Any = None,
    parallel_iterations: Any = 10,
    back_prop: Any = True,
    swap_memory: Any = False,
    name: Any = None,
) -> Any:
    """The rows put together by a function of two, from the last on."""
    return _states(interpreter, fn, elems, initializer, backwards=True, what="The function of tf.foldr")[-1]


def case(
    interpreter: Interpreter,
    pred_fn_pairs: Any,
    default: Any = None,
    exclusive: Any = False,
    strict: Any = False,
    name: Any = None,
) -> Any:
    """What the first of several functions gives whose condition holds; without a default, the last one's."""
    pairs = list(pred_fn_pairs.items() if isinstance(pred_fn_pairs, dict) else pred_fn_pairs)
    for condition, function in pairs:
        value = concrete(condition)
        if bool(condition if value is None else value):
            return interpreter.call(function, [], {})
    return interpreter.call(pairs[-1][1] if default is None else default, [], {})


MEMBERS: dict[str, Callable[..., Any]] = {
    "map_fn": map_fn,
    "vectorized_map": vectorized_map,
    "scan": scan,
    "foldl": foldl,
    "foldr": foldr,
    "case": case,
}
