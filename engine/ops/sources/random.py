"""Random numbers: nodes that draw anew in each run.

The numbers are this project's own, not TensorFlow's: a session keeps one stream for each random node,
keyed by (session seed, graph seed, op seed, the node's place where it has no seed, draw number), so the
same program draws the same numbers every time. All fetches of one run see one draw.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.errors import DtypeError, ValueRefused
from engine.ops.base.building import convert_to_tensor, current_graph, name_scope
from engine.ops.base.definition import in_chinese, op
from engine.ops.base.shapes import constant_shape, constant_value, same, whole_number
from engine.ops.base.tensors import INTEGERS, Array, Shape, Tensor
from engine.ops.common import casting, measuring
from engine.ops.elementwise import arithmetic, comparison

COMPARED_AT_ONCE = 1_000_000  # numbers, with a class each
DRAWN = ("its output is drawn, and does not depend on its inputs", "它的输出是随机抽取的，不依赖输入")
DEFAULT_GRAPH_SEED = 87654321  # what TensorFlow uses where only the op has a seed


def _drawn_shape(shape: Shape, *_: Shape, inputs: Sequence[Tensor]) -> Shape:
    return constant_shape(inputs[0])


def _lengths(shape: Array) -> tuple[int, ...]:
    return tuple(int(n) for n in shape)


@op(
    "RandomStandardNormal",
    inputs="shape",
    outputs=("dtype",),
    shape=_drawn_shape,
    draws=True,
    latex=r"\mathcal{N}(0, 1)",
    no_gradient=DRAWN,
    ends_path=True,
)
@in_chinese("正态分布的随机数，均值 0，标准差 1。")
def random_standard_normal(
    shape: Array, *, generator: Any, dtype: str = "float32", seed: int = 0, seed2: int = 0
) -> Any:
    """Numbers of the normal distribution, mean 0, deviation 1. Shapes: shape (r,) -> y of that shape."""
    return generator.standard_normal(_lengths(shape)).astype(dtype)


@op(
    "TruncatedNormal",
    inputs="shape",
    outputs=("dtype",),
    shape=_drawn_shape,
    draws=True,
    latex=r"\mathcal{N}_{[-2, 2]}(0, 1)",
    no_gradient=DRAWN,
    ends_path=True,
)
@in_chinese("与正态分布相同，但超出 2 个标准差的重新抽取。")
def truncated_standard_normal(
    shape: Array, *, generator: Any, dtype: str = "float32", seed: int = 0, seed2: int = 0
) -> Any:
    """As the normal distribution, those beyond 2 deviations drawn again. Shapes: shape (r,) -> y."""
    values = generator.standard_normal(_lengths(shape))
    outside = np.abs(values) > 2
    while outside.any():
        values = np.where(outside, generator.standard_normal(values.shape), values)
        outside = np.abs(values) > 2
    return np.asarray(values, dtype=dtype)


@op(
    "RandomUniform",
    inputs="shape",
    outputs=("dtype",),
    shape=_drawn_shape,
    draws=True,
    latex=r"\mathcal{U}[0, 1)",
    no_gradient=DRAWN,
    ends_path=True,
)
@in_chinese("在 [0, 1) 上均匀分布的随机数。")
def random_unit(
    shape: Array, *, generator: Any, dtype: str = "float32", seed: int = 0, seed2: int = 0
) -> Any:
    """Numbers spread evenly over [0, 1). Shapes: shape (r,) -> y of that shape."""
    values = generator.random(_lengths(shape)).astype(dtype)
    return np.minimum(values, np.nextafter(np.asarray(1, dtype), np.asarray(0, dtype)))


@op(
    "RandomUniformInt",
    inputs="shape minval maxval",
    types="T Tout Tout",
    outputs=("Tout",),
    shape=_drawn_shape,
    draws=True,
    latex=r"\mathcal{U}\{{minval}, \ldots, {maxval} - 1\}",
    no_gradient=DRAWN,
    ends_path=True,
)
@in_chinese("从 minval 到 maxval（不含）的随机整数。")
def random_integer(
    shape: Array, minval: Array, maxval: Array, *, generator: Any, seed: int = 0, seed2: int = 0
) -> Any:
    """Whole numbers from minval up to, without, maxval. Shapes: shape (r,), (), () -> y of that shape."""
    return generator.integers(int(minval), int(maxval), _lengths(shape)).astype(minval.dtype)


@op(
    "RandomShuffle",
    inputs="value",
    accepts="any",
    shape=same,
    draws=True,
    latex=r"\mathrm{shuffle}({value})",
    no_gradient=("its output is a new order, drawn in each run", "它的输出是每次运行随机抽取的新顺序"),
)
@in_chinese("把各行换一个次序。")
def random_shuffle_op(value: Array, *, generator: Any, seed: int = 0, seed2: int = 0) -> Any:
    """The rows in another order. Shapes: value (n, *S) -> y (n, *S)."""
    return generator.permutation(value)


def _so_many(logits: Shape, num_samples: Shape, *, inputs: Sequence[Tensor]) -> Shape:
    count = constant_value(inputs[1])
    return (None if logits is None else logits[0], None if count is None else int(count))


@op(
    "Multinomial",
    inputs="logits num_samples",
    types="T int32",
    outputs=("output_dtype",),
    shape=_so_many,
    draws=True,
    effort=lambda made, arguments: made * max(int(arguments[0].shape[-1]), 1),
    latex=r"i \sim \mathrm{softmax}({logits})",
    no_gradient=DRAWN,
    ends_path=True,
    accepts="numbers",
)
@in_chinese("按概率 softmax(logits) 抽取的类别。")
def multinomial_op(
    logits: Array,
    num_samples: Array,
    *,
    generator: Any,
    seed: int = 0,
    seed2: int = 0,
    output_dtype: str = "int64",
) -> Any:
    """Classes drawn with the probabilities softmax(logits). Shapes: logits (n, classes) -> (n, samples)."""
    weights = np.exp(logits - logits.max(axis=1, keepdims=True)).cumsum(axis=1)
    drawn = generator.random((len(logits), int(num_samples))) * weights[:, -1:]
    at_once = max(COMPARED_AT_ONCE // max(weights.size, 1), 1)
    classes = [
        (drawn[:, start : start + at_once, None] >= weights[:, None, :]).sum(axis=2)
        for start in range(0, drawn.shape[1], at_once)
    ]
    return np.concatenate([np.zeros((len(logits), 0), int), *classes], axis=1).astype(output_dtype)


def seeds_of(seed: int | None) -> dict[str, Any]:
    """Graph seed and op seed as TensorFlow writes them down; 0 and 0 where neither is set."""
    graph: Any = current_graph()
    own = None if seed is None else whole_number(seed, "seed")
    if graph.seed is None:
        return {"seed": 0, "seed2": 0} if own is None else {"seed": DEFAULT_GRAPH_SEED, "seed2": own}
    return {"seed": graph.seed, "seed2": graph.op_seed() if own is None else own}


def set_random_seed(seed: int) -> None:
    """`tf.set_random_seed`: the seed of the graph, for the random nodes made from here on."""
    graph: Any = current_graph()
    graph.set_seed(int(seed))


def random_normal(
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: str = "float32",
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """`tf.random_normal`: mean + stddev times standard normal numbers; both may be tensors."""
    return _scaled(random_standard_normal, "random_normal", shape, mean, stddev, dtype, seed, name)


def truncated_normal(
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: str = "float32",
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """`tf.truncated_normal`: as random_normal, with nothing further than two deviations out."""
    return _scaled(truncated_standard_normal, "truncated_normal", shape, mean, stddev, dtype, seed, name)


def _scaled(
    draw: Any,
    default: str,
    shape: Any,
    mean: Any,
    stddev: Any,
    dtype: str,
    seed: int | None,
    name: str | None,
) -> Tensor:
    with name_scope(name, default) as scope:
        lengths = _shape_tensor(shape)
        mean = convert_to_tensor(mean, dtype=dtype, name="mean")
        stddev = convert_to_tensor(stddev, dtype=dtype, name="stddev")
        drawn = draw(lengths, dtype=dtype, **seeds_of(seed))
        return arithmetic.add(drawn * stddev, mean, name=scope)


def _shape_tensor(shape: Any) -> Tensor:
    return convert_to_tensor(shape, name="shape", prefer="int32")


def random_uniform(
    shape: Any,
    minval: Any = 0,
    maxval: Any = None,
    dtype: str = "float32",
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """`tf.random_uniform`: evenly between minval and maxval, whole numbers for integer types."""
    whole = dtype in INTEGERS
    if maxval is None and not whole:
        maxval = 1
    with name_scope(name, "random_uniform") as scope:
        lengths = _shape_tensor(shape)
        low = convert_to_tensor(minval, dtype=dtype, name="min")
        high = convert_to_tensor(maxval, dtype=dtype, name="max")
        if whole:
            return random_integer(lengths, low, high, name=scope, **seeds_of(seed))
        drawn = random_unit(lengths, dtype=dtype, **seeds_of(seed))
        return arithmetic.add(drawn * (high - low), low, name=scope)


def random_shuffle(value: Any, seed: int | None = None, name: str | None = None) -> Tensor:
    """`tf.random_shuffle`: the rows in a random order."""
    with name_scope(name, "RandomShuffle") as scope:
        value = convert_to_tensor(value, name="value")
        return random_shuffle_op(value, name=scope, **seeds_of(seed))


def multinomial(
    logits: Any,
    num_samples: Any,
    seed: int | None = None,
    name: str | None = None,
    output_dtype: str | None = None,
) -> Tensor:
    """`tf.multinomial`: classes drawn with the probabilities softmax(logits), for each row."""
    return _classes(logits, num_samples, output_dtype, seed, name or "multinomial")


def categorical(
    logits: Any,
    num_samples: Any,
    dtype: str | None = None,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """`tf.random.categorical`: as `tf.multinomial`."""
    return _classes(logits, num_samples, dtype, seed, name or "categorical")


def _classes(logits: Any, num_samples: Any, dtype: str | None, seed: int | None, name: str) -> Tensor:
    with name_scope(None, name):
        logits = convert_to_tensor(logits, name="logits")
        if dtype not in (None, "int32", "int64"):
            raise DtypeError(
                f"The numbers of classes are int32 or int64, not {dtype}.",
                message_zh=f"类别编号是 int32 或 int64，不能是 {dtype}。",
            )
        return multinomial_op(logits, num_samples, output_dtype=dtype or "int64", **seeds_of(seed))


def dropout(
    x: Any,
    keep_prob: Any = None,
    noise_shape: Any = None,
    seed: int | None = None,
    name: str | None = None,
    rate: Any = None,
) -> Any:
    """`tf.nn.dropout`: each element is 0 with probability `rate`, else divided by 1 - rate.

    Source: Srivastava et al., Dropout, 2014.
    """
    if rate is None and keep_prob is None:
        raise ValueRefused(
            "You must provide a rate to dropout.",
            hint="Write tf.nn.dropout(x, rate=0.2).",
            message_zh="dropout 需要一个 rate。",
            hint_zh="请写 tf.nn.dropout(x, rate=0.2)。",
            code="wrong_arguments",
        )
    if rate is None:
        rate = 1 - keep_prob
    with name_scope(name, "dropout"):
        x = convert_to_tensor(x, name="x")
        if isinstance(rate, (int, float)) and not 0 <= rate < 1:
            raise ValueRefused(
                f"The rate of dropout is at least 0 and less than 1, not {rate:g}.",
                hint="It is the share that is dropped; keep_prob is the share that stays.",
                message_zh=f"dropout 的 rate 不小于 0 且小于 1，不能是 {rate:g}。",
                hint_zh="rate 是丢弃的比例；keep_prob 是保留的比例。",
                code="bad_value",
            )
        if not isinstance(rate, Tensor) and rate == 0:
            return x
        rate = convert_to_tensor(rate, dtype=x.dtype, name="rate")
        lengths = measuring.shape_of(x) if noise_shape is None else noise_shape
        drawn = random_uniform(lengths, seed=seed, dtype=x.dtype)
        scale = 1 / (1 - rate)
        kept = comparison.greater_equal(drawn, rate)
        scaled = x * scale
        result = scaled * casting.cast(kept, x.dtype)
        result.shape = x.shape
        return result
