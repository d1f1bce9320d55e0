"""Python's operators on tensors: each builds what TensorFlow's builds.

`x + 1` is an AddV2 in the scope `add`, whose 1 is the constant `add/y`. Which node an operator adds is
listed in the tables at the end; `Operators` (in `tensors.py`, below all ops) looks it up there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.errors import GradlensError
from engine.ops.arrays import gathering, indexing
from engine.ops.base.building import convert_to_tensor, current_graph, graph_now
from engine.ops.base.definition import OpDef
from engine.ops.base.tensors import OPERATORS, TEXT, Tensor
from engine.ops.elementwise import arithmetic, comparison, division, logical, powers, signs
from engine.ops.linear_algebra import products as linalg

Build = Callable[..., Tensor]


def _binary(name: str, build: Build) -> Callable[[Any, Any], Tensor]:
    """`x ⊕ y`, where at least one is a tensor; the graph may make the node of an op later."""
    is_op = isinstance(build, OpDef)

    def operate(x: Any, y: Any) -> Tensor:
        graph = graph_now() if is_op else None
        lazy = None if graph is None else graph.lazy.output(build, name, x, y)
        return operator_output(name, build, x, y) if lazy is None else lazy

    return operate


def operator_output(name: str, build: Build, x: Any, y: Any) -> Tensor:
    """The node in a scope `name`; a plain operand becomes the constant `name/x` or `name/y` in it.

    It takes the other's dtype. Raises: DtypeError where that cannot hold it.
    """
    with current_graph().name_scope(name) as scope:
        try:
            if isinstance(x, Tensor):
                y = convert_to_tensor(y, dtype=x.dtype, name="y")
            else:
                x = convert_to_tensor(x, dtype=y.dtype, name="x")
        except GradlensError as error:
            if isinstance(build, OpDef) and None not in (x, y):
                error.in_operation = build.name, (x, y)
            raise
        if name == "add" and x.dtype == TEXT:
            return arithmetic.add(x, y, name=scope)
        return build(x, y, name=scope)


def _subscript(x: Any, key: Any) -> Tensor:
    """`x[key]`: the elements where a mask of truth values holds, or a part by places."""
    if _is_mask(key):
        return gathering.boolean_mask(x, key)
    return indexing.subscript(x, key)


def _is_mask(key: Any) -> bool:
    """Whether a subscript is a tensor or an array of truth values."""
    if isinstance(key, np.ndarray):
        return key.ndim > 0 and key.dtype.kind == "b"
    return isinstance(key, Tensor) and key.dtype == "bool"


BINARY: dict[str, Build] = {
    "add": arithmetic.add_v2,
    "sub": arithmetic.sub,
    "mul": arithmetic.mul,
    "truediv": division.true_divide,
    "floordiv": division.floor_div,
    "mod": division.floor_mod,
    "pow": powers.power,
    "matmul": linalg.matrix_product,
    "and": logical.logical_and,
    "or": logical.logical_or,
    "xor": logical.xor,
}
for _name, _build in BINARY.items():
    OPERATORS[_name] = _binary(_name, _build)
    setattr(Tensor, f"__{_name}__", OPERATORS[_name])  # a tensor needs no `as_tensor` on the way

OPERATORS.update(
    {
        "neg": signs.neg,
        "abs": signs.absolute,
        "not": logical.logical_not,
        "less": comparison.less,
        "less_equal": comparison.less_equal,
        "greater": comparison.greater,
        "greater_equal": comparison.greater_equal,
        "subscript": _subscript,
    }
)
