"""The `Apply…` op of an optimizer's rule: one node that makes one step of one variable."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Sequence
from dataclasses import fields
from typing import Any

import numpy as np

from engine.ops.base.definition import OpDef, in_chinese, op
from engine.ops.base.tensors import Array
from engine.ops.common.fused import only_numbers
from engine.optimizers.rows import on_rows
from engine.optimizers.rule import WRITES_A_VARIABLE, Rule, like_variable

COUNTS = ("t", "iterations")  # of steps; their type is int64
GRADIENTS = ("g", "squares")


def apply_op(rule: Any, *, inputs: str, latex: str, doc: str, doc_zh: str, sparse: bool = False) -> None:
    """Register the op whose kernel is a rule's `update`.

    rule:   one of its kind. What it takes are the op's inputs; its fields among them, and among its
            attributes, have new values in each step, and all other fields the values that they have here.
    inputs: what TensorFlow calls the variable and whatever the rule takes, in this order.
    sparse: whether the same update on some of the rows is an op, too.
    """
    kernel = _kernel(rule, doc, doc_zh, rule.takes)
    definition = _definition(rule, rule.apply_name, inputs, latex, rule.takes)(kernel)
    if sparse:
        on_rows(definition)


def apply_rows_op(rule: Any, *, inputs: str, latex: str, doc: str, doc_zh: str) -> None:
    """Register the op whose kernel is a rule's `step`, which has the squares of the gradient beside it."""
    takes = (*rule.takes, "squares")
    kernel = _kernel(rule, doc, doc_zh, takes)
    _definition(rule, rule.apply_rows_name, f"{inputs} squares", latex, takes)(kernel)


def _definition(
    rule: Rule, name: str, inputs: str, latex: str, takes: Sequence[str]
) -> Callable[[Any], OpDef]:
    """The decorator that makes an op of a kernel."""
    types = ["T", *(_type_of(rule, key) for key in takes)]
    slots = [place for place, key in enumerate(takes, start=1) if key.startswith("slots.")]
    return op(
        name,
        inputs=inputs,
        types=" ".join(types),
        shape=like_variable,
        writes=(0, *slots),
        latex=latex,
        no_gradient=WRITES_A_VARIABLE,
    )


def _type_of(rule: Rule, key: str) -> str:
    if key in rule.exact:
        return "float64"
    return "int64" if key in COUNTS else "T"


def _kernel(rule: Any, doc: str, doc_zh: str, takes: Sequence[str]) -> Any:
    """The rule of each step, made of inputs and attributes, and what its `update` or `step` returns."""
    kind: Any = type(rule)
    own = {field.name for field in fields(rule)}
    taken = [(key.removeprefix("slots."), key, place) for place, key in enumerate(takes, start=1)]
    given = [(name, place) for name, key, place in taken if key in own]
    state = [(name, place) for name, key, place in taken if key not in own and key not in GRADIENTS]
    slots = [name for name, key, _ in taken if key.startswith("slots.")]
    gradients = [place for _, key, place in taken if key in GRADIENTS]
    attributes = {"use_locking": False, **rule.attributes}
    fixed = {name: getattr(rule, name) for name in own.difference(rule.takes, attributes)}

    numbers = {name for name, value in rule.init(np.ones(1)).items() if np.shape(value) == ()}
    counts = {place for name, place in state if name in numbers}

    def kernel(*arrays: Array, **attributes: Any) -> Any:
        if _is_complex(arrays[0]):
            found = kernel(*_as_parts(arrays, counts), **attributes)
            return _of_parts(found, arrays[0].dtype, bool(slots))
        chosen = {name: value for name, value in attributes.items() if name in own}
        step: Rule = kind(**fixed, **chosen, **{name: arrays[place] for name, place in given})
        advance: Any = step.update if len(gradients) == 1 else step.step  # type: ignore[attr-defined]
        before = {name: arrays[place] for name, place in state}
        theta, after = advance(arrays[0], *[arrays[place] for place in gradients], before)
        return (theta, *(after[name] for name in slots)) if slots else theta

    kernel.__doc__ = doc
    kernel.__module__ = kind.__module__
    kernel.__signature__ = inspect.Signature(  # type: ignore[attr-defined]  # its attributes
        [inspect.Parameter(key, inspect.Parameter.KEYWORD_ONLY, default=v) for key, v in attributes.items()]
    )
    return in_chinese(doc_zh)(kernel)


def _is_complex(value: Any) -> bool:
    """Whether it holds complex numbers.

    Raises: NotImplementedError for what stands for them while a kernel is traced: their parts are updated
            each by itself, and only numbers have parts. The kernel is then called as a whole.
    """
    is_complex = getattr(getattr(value, "dtype", None), "kind", "") == "c"
    if is_complex:
        only_numbers(value)
    return is_complex


def _as_parts(arrays: Sequence[Array], counts: Collection[int]) -> list[Array]:
    """Complex numbers as pairs of real ones along a last axis, each updated by itself; counts are real."""
    return [
        one if not _is_complex(one) else one.real if place in counts else _pairs(one)
        for place, one in enumerate(arrays)
    ]


def _pairs(array: Array) -> Array:
    """Both parts of each number. Shapes: (*S) -> (*S, 2)."""
    return np.stack([array.real, array.imag], axis=-1)


def _of_parts(found: Any, dtype: Any, are_several: bool) -> Any:
    """Back from pairs to complex numbers; a count becomes one without an imaginary part."""
    if are_several:
        return tuple(_of_parts(one, dtype, are_several=False) for one in found)
    whole = np.asarray(found)
    return (whole[..., 0] + 1j * whole[..., 1] if whole.ndim else whole).astype(dtype)
