"""`optax.tree` and `optax.tree_utils`: arithmetic of whole trees; and `optax.projections`."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from engine.languages.surfaces.jax.api.calling import as_value, trees
from engine.languages.surfaces.jax.core.errors import value_error
from engine.languages.surfaces.jax.core.values import aval_of
from engine.languages.surfaces.jax.lax.basics import convert, full_like
from engine.languages.surfaces.jax.numpy.making.element_types import dtype_of
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP
from engine.languages.surfaces.jax.optax import OPTAX, corrected, mapped
from engine.languages.surfaces.jax.optax_parts.directions import moment


def of_trees(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator: a function under its names in both modules."""
    return OPTAX.function(*(f"tree.{n}" for n in names), *(f"tree_utils.tree_{n}" for n in names))


def leaf_by_leaf(function: Callable[..., Any], tree: Any, *rest: Any) -> Any:
    """A function of leaves as they are: of numbers of Python it gives a number of Python."""
    leaves, structure = trees().flatten(tree)
    others = [trees().up_to(structure, other) for other in rest]
    return trees().unflatten(structure, [function(*each) for each in zip(leaves, *others, strict=True)])


@of_trees("add")
def add(tree_x: Any, tree_y: Any, *other_trees: Any) -> Any:
    """The sum of trees, leaf by leaf."""
    found = leaf_by_leaf(operator.add, tree_x, tree_y)
    for other in other_trees:
        found = leaf_by_leaf(operator.add, found, other)
    return found


@of_trees("sub")
def sub(tree_x: Any, tree_y: Any) -> Any:
    """The difference."""
    return leaf_by_leaf(operator.sub, tree_x, tree_y)


@of_trees("mul")
def mul(tree_x: Any, tree_y: Any) -> Any:
    """The product."""
    return leaf_by_leaf(operator.mul, tree_x, tree_y)


@of_trees("div")
def div(tree_x: Any, tree_y: Any) -> Any:
    """The quotient."""
    return leaf_by_leaf(operator.truediv, tree_x, tree_y)


@of_trees("scale")
def scale(scalar: Any, tree: Any) -> Any:
    """A number times a tree."""
    return leaf_by_leaf(lambda x: scalar * x, tree)


@of_trees("add_scale")
def add_scale(tree_x: Any, scalar: Any, tree_y: Any) -> Any:
    """x + number · y."""
    return leaf_by_leaf(lambda x, y: x + scalar * y, tree_x, tree_y)


@of_trees("zeros_like")
def zeros_like(tree: Any, dtype: Any = None) -> Any:
    """Zeros."""
    return full_like_(tree, 0, dtype)


@of_trees("ones_like")
def ones_like(tree: Any, dtype: Any = None) -> Any:
    """Ones."""
    return full_like_(tree, 1, dtype)


@of_trees("full_like")
def full_like_(tree: Any, fill_value: Any, dtype: Any = None) -> Any:
    """The same number everywhere."""
    return mapped(lambda x: full_like(x, fill_value, dtype_of(dtype)), tree)


@of_trees("sum")
def sum_(tree: Any) -> Any:
    """The sum of all elements."""
    return _total(JNP["sum"](as_value(x)) for x in trees().flatten(tree)[0])


def _total(parts: Any) -> Any:
    total: Any = 0
    for part in parts:
        total = JNP["add"](total, part)
    return total


@of_trees("max")
def max_(tree: Any) -> Any:
    """The largest element."""
    return JNP["max"](JNP["array"]([JNP["max"](as_value(x)) for x in trees().flatten(tree)[0]]))


@of_trees("min")
def min_(tree: Any) -> Any:
    """The least element."""
    return JNP["min"](JNP["array"]([JNP["min"](as_value(x)) for x in trees().flatten(tree)[0]]))


@of_trees("size")
def size(tree: Any) -> int:
    """How many elements there are."""
    return sum(aval_of(as_value(x)).size for x in trees().flatten(tree)[0])


@of_trees("vdot")
def vdot(tree_x: Any, tree_y: Any) -> Any:
    """The sum of the products of all elements."""
    return _total(trees().flatten(mapped(JNP["vdot"], tree_x, tree_y))[0])


@of_trees("norm")
def norm(tree: Any, ord: Any = None, squared: Any = False) -> Any:
    """The norm of all elements together: the Euclidean one, that of order 1, or the largest."""
    if ord in (None, 2):
        total = _total(JNP["sum"](JNP["square"](as_value(x))) for x in trees().flatten(tree)[0])
        return total if squared else JNP["sqrt"](total)
    sizes = mapped(JNP["abs"], tree)
    if ord not in (1, float("inf")):
        raise value_error(f"Unsupported ord: {ord}", f"不支持 ord={ord}。")
    found = sum_(sizes) if ord == 1 else max_(sizes)
    return JNP["square"](found) if squared else found


OPTAX.function("tree_utils.tree_l2_norm")(lambda tree, squared=False: norm(tree, None, squared))


@of_trees("where")
def where(condition: Any, tree_x: Any, tree_y: Any) -> Any:
    """One tree or the other."""
    return mapped(lambda x, y: JNP["where"](condition, x, y), tree_x, tree_y)


@of_trees("clip")
def clip(tree: Any, min_value: Any = None, max_value: Any = None) -> Any:
    """All elements between two bounds."""
    return mapped(lambda x: JNP["clip"](x, min_value, max_value), tree)


@of_trees("cast")
def cast(tree: Any, dtype: Any) -> Any:
    """All leaves in an element type."""
    return tree if dtype is None else mapped(lambda x: convert(x, dtype_of(dtype)), tree)


@of_trees("update_moment")
def update_moment(updates: Any, moments: Any, decay: Any, order: Any) -> Any:
    """(1 - β) gᵒ + β m."""
    return moment(updates, moments, decay, order)


@of_trees("bias_correction")
def bias_correction(moment: Any, decay: Any, count: Any) -> Any:
    """A moment over 1 - βᵗ."""
    return corrected(moment, decay, count)


OPTAX.function("update_moment")(update_moment)
OPTAX.function("bias_correction")(bias_correction)

# -- projections -------------------------------------------------------------------------------------


def projection(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator: the nearest point of a set."""
    return OPTAX.function(f"projections.projection_{name}")


@projection("non_negative")
def non_negative(tree: Any) -> Any:
    """max(x, 0)."""
    return mapped(lambda x: JNP["maximum"](x, 0.0), tree)


@projection("box")
def box(tree: Any, lower: Any, upper: Any) -> Any:
    """Between two bounds, which may be trees."""
    structure = trees().flatten(tree)[1]
    low, high = (trees().unflatten(structure, trees().prefix(one, structure)) for one in (lower, upper))
    return mapped(lambda x, a, b: JNP["clip"](x, a, b), tree, low, high)


@projection("hypercube")
def hypercube(tree: Any, scale: Any = 1.0) -> Any:
    """Between 0 and a number."""
    return box(tree, 0.0, scale)


@projection("l2_ball")
def l2_ball(tree: Any, scale: Any = 1.0) -> Any:
    """A Euclidean norm of at most this."""
    length = norm(tree)
    return mapped(lambda x: JNP["where"](length <= scale, x, x * (scale / length)), tree)


@projection("l2_sphere")
def l2_sphere(tree: Any, scale: Any = 1.0) -> Any:
    """A Euclidean norm of just this."""
    length = norm(tree)
    return mapped(lambda x: x * (scale / length), tree)


@projection("linf_ball")
def linf_ball(tree: Any, scale: Any = 1.0) -> Any:
    """Between minus a number and the number."""
    return box(tree, -scale, scale)


@projection("simplex")
def simplex(tree: Any, scale: Any = 1.0) -> Any:
    """Not negative, with this sum: max(x - θ, 0). Source: Duchi et al. (2008)."""
    values, unravel = _raveled(tree)
    ordered = JNP["flip"](JNP["sort"](values))
    excess = JNP["subtract"](JNP["cumsum"](ordered), scale)
    counts = JNP["arange"](1, values.aval.shape[0] + 1, dtype=values.aval.dtype)
    last = JNP["count_nonzero"](ordered - excess / counts > 0)
    theta = excess[last - 1] / JNP["astype"](last, values.aval.dtype)
    return unravel(JNP["maximum"](values - theta, 0))


@projection("l1_ball")
def l1_ball(tree: Any, scale: Any = 1.0) -> Any:
    """Absolute values with a sum of at most this."""
    values, unravel = _raveled(tree)
    sizes = JNP["abs"](values)
    nearest = JNP["sign"](values) * simplex(sizes, scale)
    return unravel(JNP["where"](JNP["sum"](sizes) <= scale, values, nearest))


def _raveled(tree: Any) -> tuple[Any, Callable[[Any], Any]]:
    """All elements of a tree as one vector, and the way back."""
    leaves, structure = trees().flatten(tree)
    values = [as_value(leaf) for leaf in leaves]
    shapes = [aval_of(x).shape for x in values]
    ends = np.cumsum([0, *(aval_of(x).size for x in values)]).tolist()

    def unravel(vector: Any) -> Any:
        parts = [
            JNP["reshape"](vector[start:end], shape)
            for start, end, shape in zip(ends[:-1], ends[1:], shapes, strict=True)
        ]
        return trees().unflatten(structure, parts)

    return JNP["concatenate"]([JNP["ravel"](x) for x in values]), unravel


# -- types -------------------------------------------------------------------------------------------


@of_trees("cast_like")
def cast_like(tree: Any, other_tree: Any) -> Any:
    """Each leaf in the type of that of another tree."""
    return mapped(lambda x, other: convert(x, aval_of(other).dtype), tree, other_tree)


@of_trees("allclose")
def allclose(a: Any, b: Any, rtol: Any = 1e-5, atol: Any = 1e-8, equal_nan: Any = False) -> Any:
    """Whether all leaves are nearly the same."""
    found: Any = True
    for one in trees().flatten(mapped(lambda x, y: JNP["allclose"](x, y, rtol, atol, equal_nan), a, b))[0]:
        found = JNP["logical_and"](found, one)
    return found
