"""Sums of products over chosen axes: tensordot and einsum, written with transposes and one matrix product."""

from __future__ import annotations

import math
import string
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.errors import ShapeError, ValueRefused, quoted
from engine.ops.arrays import gathering, joining, reshaping
from engine.ops.base.building import convert_to_tensor, name_scope
from engine.ops.base.shapes import is_static, whole_numbers, written
from engine.ops.base.tensors import Shape, Tensor
from engine.ops.common import measuring, plumbing, ranges, reducing
from engine.ops.elementwise import arithmetic, comparison
from engine.ops.linear_algebra import diagonals
from engine.ops.linear_algebra import products as linalg


def tensordot(a: Any, b: Any, axes: Any, name: str | None = None) -> Tensor:
    """`tf.tensordot`: sums over pairs of axes, or over the last n of a with the first n of b.

    Shapes: the free axes of a, then those of b.
    """
    with name_scope(name, "Tensordot") as scope:
        a = convert_to_tensor(a, name="a")
        b = convert_to_tensor(b, dtype=a.dtype, name="b")
        axes_a, axes_b = _axis_pairs(a, axes)
        rows, free_a, known_a = _as_matrix(a, axes_a, summed_last=True)
        columns, free_b, known_b = _as_matrix(b, axes_b, summed_last=False)
        product = linalg.matrix_product(rows, columns)
        if isinstance(free_a, list) and isinstance(free_b, list):
            return reshaping.reshape(product, _int32(free_a + free_b, "shape"), name=scope)
        front = free_a if isinstance(free_a, Tensor) else _int32(free_a, "Const")
        back = free_b if isinstance(free_b, Tensor) else _int32(free_b, "Const")
        result = reshaping.reshape(product, joining.concat([front, back], 0), name=scope)
        result.shape = None if known_a is None or known_b is None else known_a + known_b
        return result


def _int32(values: Sequence[int], name: str) -> Tensor:
    return convert_to_tensor(np.asarray(values, dtype=np.int32), name=name)


def _axis_pairs(a: Tensor, axes: Any) -> tuple[Any, Any]:
    """The axes of a and of b that are summed: lists, or tensors where even the rank of a is unknown."""
    if isinstance(axes, (int, np.integer)) and a.shape is None:
        count = measuring.rank_of(a)
        return ranges.range_of(count - int(axes), count), ranges.range_of(0, int(axes))
    if isinstance(axes, (int, np.integer)):
        rank = len(a.shape or ())
        summed = min(int(axes), rank + 1)  # one too many is refused where the matrices are made
        return list(range(rank - summed, rank)), list(range(summed))
    if not isinstance(axes, (list, tuple, np.ndarray)) or len(axes) != 2:
        raise ValueRefused(
            f"`axes` takes a whole number, or two lists: axes of a and axes of b. It got {quoted(axes)}.",
            hint="Write axes=1, or axes=[[1], [0]].",
            message_zh=f"`axes` 需要一个整数，或两个列表：a 的轴和 b 的轴。这里是 {quoted(axes)}。",
            hint_zh="请写 axes=1 或 axes=[[1], [0]]。",
        )
    first, second = (np.ravel(whole_numbers(side, "axes")).tolist() for side in axes)
    return first, second


def _as_matrix(x: Tensor, axes: Any, *, summed_last: bool) -> tuple[Tensor, Any, Shape]:
    """x with its free axes in one dimension and the summed ones in the other.

    Returns: the matrix, the lengths of the free axes (a list, or a tensor where unknown), and what is
             known of them.
    """
    if x.shape is None:
        return *_as_unranked_matrix(x, axes, summed_last), None
    rank = len(x.shape)
    if any(not -rank <= axis < rank for axis in axes):
        raise ShapeError(
            f"The axes {list(axes)} are not all axes of the shape {written(x.shape)}.",
            message_zh=f"{list(axes)} 不全是形状 {written(x.shape)} 的轴。",
        )
    summed = [axis % rank for axis in axes]
    free = [axis for axis in range(len(x.shape)) if axis not in summed]
    known = tuple(x.shape[axis] for axis in free)
    if not is_static(x.shape):
        return *_as_unknown_matrix(x, free, summed, summed_last), known
    lengths, sums = ([int(x.shape[axis] or 0) for axis in group] for group in (free, summed))
    sizes = [math.prod(lengths), math.prod(sums)]
    order = free + summed if summed_last else summed + free
    transposed = reshaping.transpose(x, order)
    return reshaping.reshape(transposed, sizes if summed_last else sizes[::-1]), lengths, known


def _as_unknown_matrix(
    x: Tensor, free: list[int], summed: list[int], summed_last: bool
) -> tuple[Tensor, Tensor]:
    axes, rest = _int32(summed, "axes"), _int32(free, "free")
    return _by_numbers(x, measuring.shape_of(x), rest, axes, summed_last)


def _by_numbers(
    x: Tensor, shape: Tensor, free: Tensor, summed: Tensor, summed_last: bool
) -> tuple[Tensor, Tensor]:
    """x as a matrix by the numbers of its free and summed axes, and the lengths of the free ones."""
    free_lengths, summed_lengths = gathering.gather(shape, free), gathering.gather(shape, summed)
    sizes = [reducing.reduce_prod(free_lengths), reducing.reduce_prod(summed_lengths)]
    order = joining.concat([free, summed] if summed_last else [summed, free], 0)
    wanted = joining.stack(sizes if summed_last else sizes[::-1])
    return reshaping.reshape(reshaping.transpose(x, order), wanted), free_lengths


def _as_unranked_matrix(x: Tensor, axes: Any, summed_last: bool) -> tuple[Tensor, Tensor]:
    shape, rank = measuring.shape_of(x), measuring.rank_of(x)
    given = axes if isinstance(axes, Tensor) else _int32(axes, "axes")
    summed = comparison.select(given >= 0, given, given + rank)
    free = plumbing.list_diff(ranges.range_of(0, rank), summed)
    return _by_numbers(x, shape, free, summed, summed_last)


# -- einsum --------------------------------------------------------------------------------------------


def einsum(equation: str, *inputs: Any, name: str | None = None) -> Tensor:
    """`tf.einsum`: `ij,jk->ik` is a matrix product, `ij->ji` a transpose; `...` stands for any axes before.

    Letters that are missing on the right are summed over. An operand uses each letter once.
    """
    with name_scope(name, "einsum"):
        tensors = [convert_to_tensor(x, name=f"input_{i}") for i, x in enumerate(inputs)]
        terms, wanted = _parsed(equation, tensors)
        if len(terms) == 1 and len(terms[0]) == 2 and terms[0][0] == terms[0][1] and "->" not in equation:
            return diagonals.trace(tensors[0])
        _check_once(equation, terms)
        return _contracted(equation, terms, tensors, wanted)


def einsum_of_diagonals(equation: str, *inputs: Any, name: str | None = None) -> Tensor:
    """The same as TensorFlow 2 knows it: a letter that an operand has twice takes its diagonal."""
    with name_scope(name, "einsum"):
        tensors = [convert_to_tensor(x, name=f"input_{i}") for i, x in enumerate(inputs)]
        terms, wanted = _parsed(equation, tensors)
        for place, term in enumerate(terms):
            _check_rank(equation, term, tensors[place])
            terms[place], tensors[place] = _without_repeats(term, tensors[place])
        return _contracted(equation, terms, tensors, wanted)


def _without_repeats(term: str, x: Tensor) -> tuple[str, Tensor]:
    """The diagonal over each letter that stands twice."""
    for letter in dict.fromkeys(term):
        while term.count(letter) > 1:
            first = term.index(letter)
            second = term.index(letter, first + 1)
            others = [place for place in range(len(term)) if place not in (first, second)]
            x = diagonals.matrix_diag_part(reshaping.transpose(x, [*others, first, second]))
            term = "".join(term[place] for place in others) + letter
    return term, x


def _check_once(equation: str, terms: Sequence[str]) -> None:
    """Raises: ValueRefused where an operand has a letter twice, as TensorFlow 1 does."""
    for term in terms:
        if len(set(term)) != len(term):
            raise ValueRefused(
                f"In {quoted(equation)} an operand has an axis more than once: {term}.",
                hint="Take the diagonal first: tf.linalg.diag_part(x).",
                message_zh=f"{quoted(equation)} 中有一个操作数的轴出现多次：{term}。",
                hint_zh="请先取对角线：tf.linalg.diag_part(x)。",
            )


def _contracted(equation: str, terms: Sequence[str], tensors: Sequence[Tensor], wanted: str) -> Tensor:
    for term, tensor in zip(terms, tensors, strict=True):
        _check_rank(equation, term, tensor)
    everywhere = "".join(terms)
    if any(everywhere.count(letter) > 2 and letter not in wanted for letter in set(everywhere)):
        return _at_once(terms, tensors, wanted)
    letters, result = terms[0], tensors[0]
    for term, tensor in zip(terms[1:], tensors[1:], strict=True):
        summed = [letter for letter in letters if letter in term and letter not in wanted]
        result, letters = _pair(result, letters, tensor, term, summed)
    gone = [place for place, letter in enumerate(letters) if letter not in wanted]
    if gone:
        result = reducing.reduce_sum(result, gone)
        letters = "".join(letter for letter in letters if letter in wanted)
    if letters == wanted:
        return result
    return reshaping.transpose(result, [letters.index(letter) for letter in wanted])


def _at_once(terms: Sequence[str], tensors: Sequence[Tensor], wanted: str) -> Tensor:
    """All operands multiplied element by element, then summed: where three or more have a summed letter."""
    gone = sorted({letter for term in terms for letter in term if letter not in wanted})
    order = "".join(gone) + wanted
    sorted_terms = [sorted(term, key=order.index) for term in terms]
    spread = [_ordered(x, term, new) for x, term, new in zip(tensors, terms, sorted_terms, strict=True)]
    wide = [
        reshaping.reshape(x, _with_ones(order, term, [-1 if n is None else n for n in x.shape or ()]))
        for x, term in zip(spread, sorted_terms, strict=True)
    ]
    product: Any = 1
    for x in wide:
        product = product * x
    return reducing.reduce_sum(product, list(range(len(gone))))


def _with_ones(order: str, letters: Sequence[str], lengths: list[int]) -> list[int]:
    own = iter(lengths)
    return [next(own) if letter in letters else 1 for letter in order]


def _parsed(equation: str, tensors: Sequence[Tensor]) -> tuple[list[str], str]:
    if not isinstance(equation, str):
        raise ValueRefused(
            "tf.einsum takes the equation first, as a text.",
            message_zh="tf.einsum 的第一个参数是文字形式的等式。",
            hint='Write tf.einsum("ij,jk->ik", a, b).',
            hint_zh='请写 tf.einsum("ij,jk->ik", a, b)。',
        )
    left, arrow, right = equation.replace(" ", "").partition("->")
    terms, more = left.split(","), ""
    if len(terms) == len(tensors):
        terms, more = _with_letters(terms, right, tensors)
    letters = "".join(terms)
    right = right.replace("...", more)
    if not arrow:
        alone = (letter for letter in set(letters) if letters.count(letter) == 1 and letter not in more)
        right = more + "".join(sorted(alone))
    fine = all(term.isalpha() or not term for term in [*terms, right]) and len(set(right)) == len(right)
    if len(terms) != len(tensors) or not fine or not set(right) <= set(letters):
        raise ValueRefused(
            f"The equation {quoted(equation)} does not describe these {len(tensors)} operands.",
            hint="Write one letter per axis, commas between operands, the result after ->: ij,jk->ik.",
            message_zh=f"式子 {quoted(equation)} 与这 {len(tensors)} 个操作数不对应。",
            hint_zh="每个轴写一个字母，操作数之间用逗号，结果写在 -> 之后，例如 ij,jk->ik。",
        )
    return terms, right


def _with_letters(terms: Sequence[str], right: str, tensors: Sequence[Tensor]) -> tuple[list[str], str]:
    """Letters of their own for the axes that `...` stands for, aligned at the last; and the most of them."""
    used = set("".join(terms) + right)
    free = [letter for letter in string.ascii_letters if letter not in used]
    counts = [
        max(len(x.shape) - len(term.replace("...", "")), 0) if "..." in term and x.shape is not None else 0
        for term, x in zip(terms, tensors, strict=True)
    ]
    most = "".join(free[: max(counts, default=0)])
    pairs = zip(terms, counts, strict=True)
    return [term.replace("...", most[len(most) - count :]) for term, count in pairs], most


def _check_rank(equation: str, term: str, x: Tensor) -> None:
    if x.shape is None or len(x.shape) != len(term):
        shape, axes = written(x.shape), len(term)
        letters, whole = quoted(term), quoted(equation)
        raise ShapeError(
            f"{letters} in {whole} stands for {axes} axes, but {x.name} has the shape {shape}.",
            message_zh=f"{whole} 中的 {letters} 表示 {axes} 个轴，但 {x.name} 的形状是 {shape}。",
        )


def _pair(a: Tensor, a_letters: str, b: Tensor, b_letters: str, summed: Sequence[str]) -> tuple[Tensor, str]:
    """Two operands become one: by element where nothing is summed, else by a matrix product."""
    a, a_letters = _aligned(a, a_letters, b, b_letters)
    b, b_letters = _aligned(b, b_letters, a, a_letters)
    common = [c for c in a_letters if c in b_letters]
    summed = [c for c in common if c in summed]
    kept = [c for c in common if c not in summed]
    only_a = [c for c in a_letters if c not in common]
    only_b = [c for c in b_letters if c not in common]
    a = _ordered(a, a_letters, [*kept, *only_a, *summed])
    b = _ordered(b, b_letters, [*kept, *summed, *only_b])
    if not summed:
        return _by_element(a, b, len(only_a), len(only_b)), "".join([*kept, *only_a, *only_b])
    n, k = len(kept), len(summed)
    lengths = _lengths(a)
    front, left, middle = lengths[:n], lengths[n : n + len(only_a)], lengths[n + len(only_a) :]
    rows = _grouped(a, [*front, _size(left), _size(middle)])
    lengths = _lengths(b)
    right = lengths[n + k :]
    columns = _grouped(b, [*lengths[:n], _size(lengths[n : n + k]), _size(right)])
    product = linalg.matrix_product(rows, columns)
    return _grouped(product, [*front, *left, *right]), "".join([*kept, *only_a, *only_b])


def _aligned(x: Tensor, letters: str, other: Tensor, other_letters: str) -> tuple[Tensor, str]:
    """Without the axes of length 1 that the other operand has longer."""
    lengths = dict(zip(other_letters, other.shape or (), strict=True))
    gone = [
        place
        for place, (letter, n) in enumerate(zip(letters, x.shape or (), strict=True))
        if n == 1 and lengths.get(letter, 1) not in (1, None)
    ]
    if not gone:
        return x, letters
    return reshaping.squeeze(x, gone), "".join(c for place, c in enumerate(letters) if place not in gone)


def _ordered(x: Tensor, letters: str, wanted: Sequence[str]) -> Tensor:
    order = [letters.index(letter) for letter in wanted]
    return x if order == sorted(order) else reshaping.transpose(x, order)


def _by_element(a: Tensor, b: Tensor, more_a: int, more_b: int) -> Tensor:
    for _ in range(more_b):
        a = reshaping.expand_dims(a, -1)
    place = len(b.shape or ()) - more_b
    for _ in range(more_a):
        b = reshaping.expand_dims(b, place)
    return arithmetic.mul(a, b)


def _lengths(x: Tensor) -> list[Any]:
    """Known lengths as numbers, unknown ones as elements of a Shape node."""
    lengths = list(x.shape or ())
    if None not in lengths:
        return lengths
    shape = measuring.shape_of(x)
    return [shape[place] if n is None else n for place, n in enumerate(lengths)]


def _size(lengths: Sequence[Any]) -> Any:
    total: Any = 1
    for length in lengths:
        total = total * length
    return total


def _grouped(x: Tensor, lengths: Sequence[Any]) -> Tensor:
    """x reshaped, unless it has these lengths already."""
    if x.shape is not None and list(x.shape) == list(lengths):
        return x
    return reshaping.reshape(x, list(lengths))
