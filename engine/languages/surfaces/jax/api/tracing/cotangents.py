"""What the function that `jax.vjp` returns refuses: cotangents in another form than the results."""

from __future__ import annotations

from typing import Any

from engine.languages.surfaces.jax.api.tracing.differences import LEAF_OF_BRANCH, structure_differences
from engine.languages.surfaces.jax.core.errors import type_error, value_error
from engine.languages.surfaces.jax.core.trees import Structure

ONE_ARGUMENT = """
The function returned by `jax.vjp` applied to {name} was called with {count} arguments,
but functions returned by `jax.vjp` must be called with a single argument
corresponding to the single value returned by the function being differentiated
(even if that returned value is a tuple or other container).

For example, if we have:

  def f(x):
    return (x, x)
  _, f_vjp = jax.vjp(f, 1.0)

the function `f` returns a single tuple as output, and so we call `f_vjp` with a
single tuple as its argument:

  x_bar, = f_vjp((2.0, 2.0))

If we instead call `f_vjp(2.0, 2.0)`, with the values 'splatted out' as
arguments rather than in a tuple, this error can arise.
"""
OTHER_TREE = """unexpected tree structure.

The argument to a VJP function returned by `jax.vjp` must match the pytree
structure of the differentiated function {name}.

But the tree structures differ:
"""


def splatted(name: str, count: int) -> Any:
    """Another number of arguments than one."""
    if not count:
        return type_error(
            "VJP.__call__() missing 1 required positional argument: 'out_ct'", "缺少结果的余切向量。"
        )
    return type_error(
        ONE_ARGUMENT.format(name=name, count=count),
        f"jax.vjp 返回的函数只接受一个参数，而这里给了 {count} 个。",
        "Give the cotangents of several results as one tuple.",
        "函数有多个结果时，请把余切向量写成一个元组。",
    )


def check_cotangents(name: str, results: Structure, given: Structure) -> None:
    """Raises: ValueError where the cotangents are a tree of another form than the results."""
    lines = [
        f"  * out{path} was {here} in the original output, but {there} here, so {why}"
        for path, here, there, why in structure_differences(results, given, LEAF_OF_BRANCH)
    ]
    if lines:
        raise value_error(
            OTHER_TREE.format(name=name) + ";\n".join(lines) + ".",
            "余切向量的树结构与函数的结果不同。",
            "Give one cotangent for each result, in the same lists, tuples and dicts.",
            "请按结果的列表、元组和字典的形式，为每个结果给出一个余切向量。",
        )
