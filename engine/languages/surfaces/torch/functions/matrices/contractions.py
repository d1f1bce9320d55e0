"""Products over axes of choice, and of several: `torch.inner`, `torch.tensordot`, `torch.kron`."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from math import prod
from typing import Any

from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.matrices.products import matmul, mm
from engine.languages.surfaces.torch.functions.matrices.vectors import dot
from engine.languages.surfaces.torch.functions.operands import plain
from engine.languages.surfaces.torch.functions.shaping import permute, reshape, unsafe_view, view_method
from engine.languages.surfaces.torch.registry import torch_function


@torch_function("inner", method=True)
def inner(input: Any, other: Any, *, out: Any = None) -> Any:
    """The sums of the products along the last axes. Shapes: (*A, n), (*B, n) -> (*A, *B)."""
    if not input.array.ndim or not other.array.ndim:
        return input * other
    if input.array.ndim == other.array.ndim == 1:
        return dot(input, other)
    if input.shape[-1] != other.shape[-1]:
        raise torch_error(
            "inner() the last dimension must match on both input tensors but got shapes "
            f"{list(input.shape)} and {list(other.shape)}",
            f"inner 的两个张量最后一维的长度不同：{input.shape[-1]} 与 {other.shape[-1]}。",
            code="shape_mismatch",
        )
    return tensordot(input, other, ([-1], [-1]))


@torch_function("linalg.multi_dot", "chain_matmul")
def multi_dot(tensors: Any, *more: Any) -> Any:
    """The product of several matrices."""
    given = [*tensors, *more] if isinstance(tensors, (list, tuple)) else [tensors, *more]
    for place, (a, b) in enumerate(pairwise(given)):
        if a.shape[-1] != b.shape[0]:
            raise torch_error(
                f"multi_dot(): tensors {place} and {place + 1} with shapes {list(a.shape)} and "
                f"{list(b.shape)} cannot be multiplied",
                f"形状 {list(a.shape)} 与 {list(b.shape)} 的矩阵不能相乘。",
                code="shape_mismatch",
            )
    made = _in_the_cheapest_order(given)
    return view_method(made, *made.shape)


def _in_the_cheapest_order(given: list[Any]) -> Any:
    """The product of matrices, those multiplied first that make the fewest products of numbers.

    Source: Cormen, Leiserson, Rivest & Stein, Introduction to Algorithms, section 15.2.
    """
    rows = [one.shape[0] for one in given]
    rows[0] = rows[0] if given[0].form.ndim > 1 else 1
    lengths = [*rows, given[-1].shape[-1] if given[-1].form.ndim > 1 else 1]
    of_equal = -1 if len(given) == 3 else 1  # of several cheapest ways the one that PyTorch takes

    @cache
    def best(first: int, last: int) -> tuple[int, int]:
        """The cost of the product from first to last, and where it is parted."""
        if first == last:
            return 0, first
        ways = []
        for at in range(first, last):
            parts = best(first, at)[0] + best(at + 1, last)[0]
            ways.append((parts + lengths[first] * lengths[at + 1] * lengths[last + 1], at * of_equal))
        cost, at = min(ways)
        return cost, at * of_equal

    def product(first: int, last: int) -> Any:
        if first == last:
            return given[first]
        at = best(first, last)[1]
        return matmul(product(first, at), product(at + 1, last))

    return product(0, len(given) - 1)


@torch_function("tensordot")
def tensordot(a: Any, b: Any, dims: Any = 2, out: Any = None) -> Any:
    """The sum of products over axes of both."""
    if isinstance(dims, (list, tuple)):
        first, second = ([one] if isinstance(one, int) else list(one) for one in dims)
    else:
        count = int(plain(dims))
        first, second = list(range(-count, 0)), list(range(count))
    if len(first) != len(second):
        raise torch_error("both dimension lists should have same length", "两个维度列表的长度必须相同。")
    given = list(zip(first, second, strict=True))
    first = [one % a.form.ndim for one in first]
    second = [one % b.form.ndim for one in second]
    rest_a = [axis for axis in range(a.form.ndim) if axis not in first]
    rest_b = [axis for axis in range(b.form.ndim) if axis not in second]
    for x, y in given:
        if a.shape[x] != b.shape[y]:
            raise torch_error(
                f"contracted dimensions need to match, but first has size {a.shape[x]} in dim {x} and "
                "second has size "
                f"{b.shape[y]} in dim {y}",
                f"求和的两维长度不同：{a.shape[x]} 与 {b.shape[y]}。",
                code="shape_mismatch",
            )
    count = prod(a.shape[one] for one in first)
    left = reshape(permute(a, rest_a + first), (prod(a.shape[one] for one in rest_a), count))
    right = reshape(permute(b, second + rest_b), (count, prod(b.shape[one] for one in rest_b)))
    return reshape(mm(left, right), (*(a.shape[one] for one in rest_a), *(b.shape[one] for one in rest_b)))


@torch_function("kron", method=True)
def kron(input: Any, other: Any) -> Any:
    """Every element of one times all of the other."""
    rank = max(input.form.ndim, other.form.ndim)
    a = reshape(input, (1,) * (rank - input.form.ndim) + tuple(input.shape))
    b = reshape(other, (1,) * (rank - other.form.ndim) + tuple(other.shape))
    left = reshape(a, [one for n in a.shape for one in (n, 1)])
    right = reshape(b, [one for n in b.shape for one in (1, n)])
    return unsafe_view(left * right, tuple(x * y for x, y in zip(a.shape, b.shape, strict=True)))
