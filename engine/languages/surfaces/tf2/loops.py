"""TensorFlow 2's functions over rows, run at once: every row is recorded as it is gone through."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from engine import ops
from engine.errors import ShapeError, ValueRefused
from engine.graph.control_flow.mapping import rows_of
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.operators import truth
from engine.languages.surfaces.scan_and_fold import Fold, Row, folds
from engine.languages.surfaces.structures import flat, in_form
from engine.languages.surfaces.tf1.flow import cases_of
from engine.languages.surfaces.tf1.functions.arrays import plain
from engine.ops.base.building import convert_to_tensor
from engine.ops.base.shapes import written
from engine.ops.base.tensors import Operators


def _rows(interpreter: Interpreter, elems: Any) -> list[Row]:
    columns = [ops.unstack(tensor) for tensor in rows_of([plain(elem) for elem in flat(elems)])]
    rows: list[Row] = list(zip(*columns, strict=True))
    for _ in rows:
        interpreter.budget.step()
    return rows


def _side_by_side(results: Sequence[Row]) -> list[Any]:
    """Each tensor's results along a new first axis; raises ValueRefused where there are none."""
    if not results:
        raise _no_rows()
    return [ops.stack([convert_to_tensor(one) for one in column]) for column in zip(*results, strict=True)]


def _no_rows() -> ValueRefused:
    return ValueRefused(
        "There is no row to go through, so it is not known what the function gives.",
        message_zh="没有任何一行可以处理，因此无法知道函数的结果。",
        hint="Its tensors have a first axis of length 0.",
        hint_zh="这些张量的第一个轴长度为 0。",
    )


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
    together = _side_by_side([list(flat(one)) for one in found])
    return in_form(found[0], iter(together))


def _states(fold: Fold) -> Iterator[Row]:
    """The values after each row, as they are found."""
    rows = _rows(fold.interpreter, fold.elems)
    if fold.backwards:
        rows.reverse()
    state = fold.start
    for row in rows:
        state = list(row) if state is None else fold.step(state, row)
        yield state


def _after_each(fold: Fold) -> Row:
    states = list(_states(fold))
    for state in states:
        _check_shapes(states[0] if fold.start is None else fold.start, state)
    return _side_by_side(states[::-1] if fold.backwards else states)


def _shape_of(value: Any) -> tuple[int, ...]:
    if not isinstance(value, Operators):
        return np.shape(value)
    tensor: Any = value.as_tensor()
    return tuple(tensor.shape or ())


def _check_shapes(first: Row, state: Row) -> None:
    """Raises: ShapeError where what is put side by side has another shape than what it began with."""
    for wanted, given in zip(first, state, strict=True):
        shapes = _shape_of(wanted), _shape_of(given)
        if shapes[0] != shapes[1]:
            raise ShapeError(
                f"The function of tf.scan gives the shape {written(shapes[1])}, "
                f"but it began with {written(shapes[0])}.",
                hint="Give an initializer of the shape that the function gives.",
                message_zh=f"tf.scan 的函数给出形状 {written(shapes[1])}，"
                f"但初始值的形状是 {written(shapes[0])}。",
                hint_zh="请让 initializer 的形状与函数的结果一致。",
                kind="ValueError",
            )


def _after_all(fold: Fold) -> Row:
    last = fold.start
    for state in _states(fold):
        last = list(state)
    if last is None:
        raise _no_rows()
    return last


def case(
    interpreter: Interpreter,
    pred_fn_pairs: Any,
    default: Any = None,
    exclusive: Any = False,
    strict: Any = False,
    name: Any = None,
) -> Any:
    """What the first of several functions gives whose condition holds; without a default, the last one's."""
    pairs = cases_of(pred_fn_pairs)
    for condition, function in pairs:
        if truth(condition):
            return interpreter.call(function, [], {})
    return interpreter.call(pairs[-1][1] if default is None else default, [], {})


MEMBERS: dict[str, Callable[..., Any]] = {
    "map_fn": map_fn,
    "vectorized_map": vectorized_map,
    "case": case,
    **folds(_after_each, _after_all),
}
