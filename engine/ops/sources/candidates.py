"""Classes drawn for losses that look at some of very many, and where such a class is the right one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine.errors import ValueRefused
from engine.ops.base.building import convert_to_tensor
from engine.ops.base.definition import OpDef, in_chinese, op
from engine.ops.base.shapes import constant_shape, written
from engine.ops.base.tensors import Array, Node, Shape, Tensor
from engine.ops.sources.random import seeds_of

DRAWN = ("its output is drawn, and does not vary smoothly", "它的输出是随机抽取的，不连续变化")
PLACES = ("its output are positions, which do not vary smoothly", "它的输出是位置，不连续变化")

Spread = Callable[[Array, int], Array]  # of classes and how many there are: the probability of each
Draw = Callable[[Any, int, int], Array]


def _spread_evenly(classes: Array, count: int) -> Array:
    return np.full(np.shape(classes), 1.0 / count)


def _spread_by_rank(classes: Array, count: int) -> Array:
    """ln((c + 2) / (c + 1)) / ln(count + 1): frequent classes come first."""
    chances: Array = np.log((classes + 2.0) / (classes + 1.0)) / np.log(count + 1.0)
    return chances


def _draw_evenly(generator: Any, size: int, count: int) -> Array:
    drawn: Array = generator.integers(0, count, size)
    return drawn


def _draw_by_rank(generator: Any, size: int, count: int) -> Array:
    drawn = np.exp(generator.random(size) * np.log(count + 1.0)).astype(np.int64) - 1
    within: Array = np.minimum(drawn, count - 1)
    return within


def _candidates(true_classes: Shape, *, attributes: Any) -> list[Shape]:
    return [(attributes["num_sampled"],), true_classes, (attributes["num_sampled"],)]


def _sampler_op(name: str, draw: Draw, spread: Spread, what: str, what_zh: str) -> OpDef:
    def kernel(
        true_classes: Array,
        *,
        generator: Any,
        num_true: int = 1,
        num_sampled: int = 1,
        unique: bool = True,
        range_max: int = 1,
        seed: int = 0,
        seed2: int = 0,
    ) -> Any:
        count = int(range_max)
        if unique and num_sampled > count:
            raise ValueRefused(
                f"{num_sampled} different classes cannot be drawn of {count}.",
                message_zh=f"不能从 {count} 个类别中抽取 {num_sampled} 个不同的类别。",
            )
        drawn, tries = _so_many(lambda size: draw(generator, size, count), num_sampled, unique=bool(unique))

        def expected(classes: Array) -> Array:
            chance = spread(classes, count)
            often = -np.expm1(tries * np.log1p(-chance)) if unique else chance * num_sampled
            return np.asarray(often, np.float32)

        return [drawn.astype(np.int64), expected(true_classes), expected(drawn)]

    kernel.__doc__ = f"{what} Shapes: true_classes (n, t) -> classes (k,), expected counts (n, t) and (k,)."
    return op(
        name,
        inputs="true_classes",
        types="int64",
        outputs=("int64", "float32", "float32"),
        shape=_candidates,
        draws=True,
        effort=lambda made, arguments: made * 8,
        latex=r"c_1, \ldots, c_{{num\_sampled}}",
        no_gradient=DRAWN,
        ends_path=True,
    )(in_chinese(what_zh)(kernel))


def _so_many(draw: Callable[[int], Array], size: int, *, unique: bool) -> tuple[Array, int]:
    """So many classes, and after how many tries; where they are to differ, each the first time it comes."""
    if not unique:
        return draw(size), size
    found: dict[int, None] = {}
    tries = 0
    while len(found) < size:
        for one in draw(size).tolist():
            tries += 1
            found[one] = None
            if len(found) == size:
                break
    return np.fromiter(found, np.int64), tries


log_uniform_op = _sampler_op(
    "LogUniformCandidateSampler",
    _draw_by_rank,
    _spread_by_rank,
    "Classes drawn, frequent ones (of small numbers) more often, and how often each is expected.",
    "抽取的类别（编号小的更常见），以及每个类别的期望次数。",
)
uniform_op = _sampler_op(
    "UniformCandidateSampler",
    _draw_evenly,
    _spread_evenly,
    "Classes drawn evenly, and how often each is expected.",
    "均匀抽取的类别，以及每个类别的期望次数。",
)


def _sampler(definition: OpDef) -> Callable[..., tuple[Tensor, ...]]:
    def sample(
        true_classes: Any,
        num_true: Any,
        num_sampled: Any,
        unique: Any,
        range_max: Any,
        seed: Any = None,
        name: Any = None,
    ) -> tuple[Tensor, ...]:
        classes = convert_to_tensor(true_classes, dtype="int64", name="true_classes")
        given = {"num_true": int(num_true), "num_sampled": int(num_sampled), "range_max": int(range_max)}
        node: Node = definition.node(classes, name=name, unique=bool(unique), **given, **seeds_of(seed))
        return node.outputs

    sample.__doc__ = definition.doc
    return sample


log_uniform_candidate_sampler = _sampler(log_uniform_op)
uniform_candidate_sampler = _sampler(uniform_op)


@op(
    "ComputeAccidentalHits",
    inputs="true_classes sampled_candidates",
    types="int64 int64",
    outputs=("int32", "int64", "float32"),
    shape=lambda *shapes: [(None,), (None,), (None,)],
    latex=r"\{(i, j) : {true\_classes}_i = {sampled\_candidates}_j\}",
    no_gradient=PLACES,
    ends_path=True,
)
@in_chinese("抽到的类别恰好是某行的正确类别之处，以及一个极小的权重。")
def compute_accidental_hits(
    true_classes: Array, sampled_candidates: Array, num_true: int = 1, seed: int = 0, seed2: int = 0
) -> Any:
    """Where a drawn class is a right one of a row, and a weight that takes it out.

    Shapes: true_classes (n, t), sampled_candidates (k,) -> rows (hits,), places (hits,), weights (hits,).
    """
    hits = (true_classes[:, :, None] == sampled_candidates).any(axis=1)
    rows, places = np.nonzero(hits)
    weights = np.full(len(rows), -np.finfo(np.float32).max, np.float32)
    return [rows.astype(np.int32), places, weights]


def _declared(indices: Shape, *_: Shape, inputs: Sequence[Tensor]) -> Shape:
    return constant_shape(inputs[1])


@op(
    "SparseToDense",
    inputs="sparse_indices output_shape sparse_values default_value",
    types="Tindices Tindices T T",
    shape=_declared,
    latex=r"{sparse\_values} \text{ at } {sparse\_indices}",
    no_gradient=PLACES,
    ends_path=True,
)
@in_chinese("给定位置上是给定值，其余是默认值。")
def sparse_to_dense(
    sparse_indices: Array,
    output_shape: Array,
    sparse_values: Array,
    default_value: Array,
    validate_indices: bool = True,
) -> Any:
    """Values at their positions, one value elsewhere.

    Shapes: indices (n, r), shape (r,), values (n,) or (), default () -> y of that shape.
    """
    made = np.full(tuple(int(n) for n in output_shape), default_value, sparse_values.dtype)
    positions = sparse_indices.reshape(len(sparse_indices), -1) if sparse_indices.ndim else sparse_indices
    if positions.size and (positions.min() < 0 or (positions >= np.asarray(made.shape)).any()):
        raise ValueRefused(
            f"A position lies outside the shape {written(made.shape)}.",
            message_zh=f"有的位置超出了形状 {written(made.shape)}。",
            code="index_out_of_range",
        )
    made[tuple(np.moveaxis(np.atleast_2d(positions), -1, 0))] = sparse_values
    return made
