"""`lax.cond` and `lax.switch`: one of several functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.languages.interpreter.builtins.text import to_repr, to_str
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import python_name
from engine.languages.surfaces.jax.api.calling import as_value, class_text, is_array, trees
from engine.languages.surfaces.jax.api.control.carrying import closed_over
from engine.languages.surfaces.jax.api.refusing.control import check_branches, check_callables
from engine.languages.surfaces.jax.api.tracing.once import traced
from engine.languages.surfaces.jax.core.errors import type_error, value_error
from engine.languages.surfaces.jax.core.jaxpr import Jaxpr, forwarded_inputs
from engine.languages.surfaces.jax.core.values import Constant, aval_of, undrawn
from engine.languages.surfaces.jax.lax.arithmetic import clamp, ne
from engine.languages.surfaces.jax.lax.basics import convert, like, shape_of
from engine.languages.surfaces.jax.lax.control.cond import cond_p
from engine.languages.surfaces.jax.numpy.ufuncs import as_array

NO_OPERAND = object()


def cond(
    interpreter: Interpreter,
    pred: Any,
    true_fun: Any,
    false_fun: Any,
    *operands: Any,
    operand: Any = NO_OPERAND,
) -> Any:
    """One of two functions of the operands."""
    if operand is not NO_OPERAND:
        operands = (operand,)
    check_callables("lax.cond: true_fun and false_fun arguments should be callable.", true_fun, false_fun)
    if pred is None:
        raise type_error("cond predicate is None", "条件不能是 None。")
    if not is_array(pred):
        raise type_error(
            f"Pred must be a scalar, got {to_str(pred)} of type {class_text(pred)}",
            f"条件必须是标量，不能是 {python_name(pred)}。",
        )
    test = as_value(pred)
    if shape_of(test):
        raise type_error(
            f"Pred must be a scalar, got {to_str(pred)} of shape {shape_of(test)}.",
            f"条件必须是标量，但形状是 {shape_of(test)}。",
        )
    if aval_of(test).dtype != "bool":
        test = ne(test, like(test, 0))
    index = convert(test, "int32")
    return _chosen(interpreter, index, [false_fun, true_fun], operands, ("false_fun", "true_fun"))


def _chosen(
    interpreter: Interpreter,
    index: Any,
    functions: Sequence[Any],
    operands: Sequence[Any],
    names: Sequence[str],
) -> Any:
    leaves, structure = trees().flatten((tuple(operands), {}))
    values = [as_value(leaf) for leaf in leaves]
    avals = [aval_of(value) for value in values]
    what = "cond" if names[0] == "false_fun" else "switch"
    order = functions[::-1] if what == "cond" else functions  # the true branch is traced first
    found = [traced(interpreter, one, structure, avals, what) for one in order]
    jaxprs, consts = closed_over([jaxpr for jaxpr, _ in found])
    if what == "cond":
        found, jaxprs = found[::-1], jaxprs[::-1]
    check_branches(found, functions, names)
    inputs = [*consts, *values]
    forwards = [forwarded_inputs(jaxpr) for jaxpr in jaxprs]
    same = [each[0] if len(set(each)) == 1 else None for each in zip(*forwards, strict=True)]
    kept = [
        Jaxpr(
            [],
            jaxpr.arguments,
            [atom for atom, place in zip(jaxpr.results, same, strict=True) if place is None],
            jaxpr.equations,
            notes=jaxpr.notes,
        )
        for jaxpr in jaxprs
    ]
    results = iter(cond_p(index, *inputs, branches=tuple(_same_weakness(kept))))
    outs = [next(results) if place is None else as_array(inputs[place]) for place in same]
    return trees().unflatten(found[0][1], [undrawn(x) if isinstance(x, Constant) else x for x in outs])


def _same_weakness(jaxprs: Sequence[Jaxpr]) -> Sequence[Jaxpr]:
    return jaxprs


def switch(
    interpreter: Interpreter, index: Any, branches: Any, *operands: Any, operand: Any = NO_OPERAND
) -> Any:
    """One of several functions of the operands, by an index."""
    if operand is not NO_OPERAND:
        operands = (operand,)
    if not isinstance(branches, (list, tuple)):
        raise type_error(f"'{python_name(branches)}' object is not iterable", "switch 的分支必须写成列表。")
    functions = list(branches)
    check_callables("lax.switch: branches argument should be a sequence of callables.", *functions)
    if not functions:
        raise value_error("Empty branch sequence", "switch 至少需要一个分支。")
    if not is_array(index):
        raise type_error(f"Index type must be an integer, got {to_str(index)}.", "下标必须是整数。")
    place = as_value(index)
    if shape_of(place):
        raise type_error(
            f"Branch index must be scalar, got {to_str(index)} of shape {shape_of(place)}.",
            "下标必须是标量。",
        )
    if not aval_of(place).dtype.startswith(("int", "uint")):
        raise type_error(
            f"Index type must be an integer, got {to_repr(index)} as {aval_of(place).dtype}",
            "下标必须是整数。",
        )
    if len(functions) == 1:
        return interpreter.call(functions[0], list(operands), {})
    place = convert(place, "int32")
    last = len(functions) - 1
    place = clamp(Constant(np.int32(0)), place, Constant(np.int32(last)))
    names = ["branch 0", *(f"branch{i}" for i in range(1, len(functions)))]  # as JAX writes them
    return _chosen(interpreter, place, functions, operands, names)
