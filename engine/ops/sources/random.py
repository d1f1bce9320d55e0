"""Random numbers: nodes that draw anew in each run.

With a seed the numbers are TensorFlow's. Without one a session keeps a stream for each random node, keyed by
(session seed, the node's place, draw number), so the same program draws the same numbers every time. All
fetches of one run see one draw.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.errors import DtypeError, ValueRefused
from engine.ops.base.building import convert_to_tensor, current_graph, name_scope
from engine.ops.base.definition import in_chinese, op
from engine.ops.base.shapes import constant_shape, constant_value, same, whole_number
from engine.ops.base.tensors import INTEGERS, Array, Shape, Tensor
from engine.ops.common import casting, measuring
from engine.ops.elementwise import arithmetic, comparison
from engine.ops.sources.draws import PhiloxDraws, SeedGenerator, draws_of, seeded_by

DRAWN = ("its output is drawn, and does not depend on its inputs", "它的输出是随机抽取的，不依赖输入")
DEFAULT_GRAPH_SEED = 87654321  # what TensorFlow uses where only the op has a seed
SEEDS = 2**31 - 1  # seeds are taken modulo this number; it also stands for the second of two zeros
SHARED_SEED = -1  # written down where an eager operation was given none: it has another one at each call
AS_TENSORFLOW = "as TensorFlow"  # with a seed, the very numbers that it draws


def _drawn_shape(shape: Shape, *_: Shape, inputs: Sequence[Tensor]) -> Shape:
    return constant_shape(inputs[0])


def _lengths(shape: Array) -> tuple[int, ...]:
    return tuple(int(n) for n in shape)


@op(
    "RandomStandardNormal",
    inputs="shape",
    outputs=("dtype",),
    shape=_drawn_shape,
    draws=AS_TENSORFLOW,
    latex=r"\mathcal{N}(0, 1)",
    no_gradient=DRAWN,
    ends_path=True,
)
@in_chinese("正态分布的随机数，均值 0，标准差 1。")
def random_standard_normal(
    shape: Array, *, generator: Any, dtype: str = "float32", seed: int = 0, seed2: int = 0
) -> Any:
    """Numbers of the normal distribution, mean 0, deviation 1. Shapes: shape (r,) -> y of that shape."""
    return generator.normal(_lengths(shape), dtype)


@op(
    "TruncatedNormal",
    inputs="shape",
    outputs=("dtype",),
    shape=_drawn_shape,
    draws=AS_TENSORFLOW,
    latex=r"\mathcal{N}_{[-2, 2]}(0, 1)",
    no_gradient=DRAWN,
    ends_path=True,
)
@in_chinese("与正态分布相同，但超出 2 个标准差的重新抽取。")
def truncated_standard_normal(
    shape: Array, *, generator: Any, dtype: str = "float32", seed: int = 0, seed2: int = 0
) -> Any:
    """As the normal distribution, those beyond 2 deviations drawn again. Shapes: shape (r,) -> y."""
    return generator.truncated_normal(_lengths(shape), dtype)


@op(
    "RandomUniform",
    inputs="shape",
    outputs=("dtype",),
    shape=_drawn_shape,
    draws=AS_TENSORFLOW,
    latex=r"\mathcal{U}[0, 1)",
    no_gradient=DRAWN,
    ends_path=True,
)
@in_chinese("在 [0, 1) 上均匀分布的随机数。")
def random_unit(
    shape: Array, *, generator: Any, dtype: str = "float32", seed: int = 0, seed2: int = 0
) -> Any:
    """Numbers spread evenly over [0, 1). Shapes: shape (r,) -> y of that shape."""
    return generator.uniform(_lengths(shape), dtype)


@op(
    "RandomUniformInt",
    inputs="shape minval maxval",
    types="T Tout Tout",
    outputs=("Tout",),
    shape=_drawn_shape,
    draws=AS_TENSORFLOW,
    latex=r"\mathcal{U}\{{minval}, \ldots, {maxval} - 1\}",
    no_gradient=DRAWN,
    ends_path=True,
)
@in_chinese("从 minval 到 maxval（不含）的随机整数。")
def random_integer(
    shape: Array, minval: Array, maxval: Array, *, generator: Any, seed: int = 0, seed2: int = 0
) -> Any:
    """Whole numbers from minval up to, without, maxval. Shapes: shape (r,), (), () -> y of that shape."""
    return generator.integers(int(minval), int(maxval), _lengths(shape), str(minval.dtype))


@op(
    "RandomShuffle",
    inputs="value",
    accepts="any",
    shape=same,
    draws=AS_TENSORFLOW,
    latex=r"\mathrm{shuffle}({value})",
    no_gradient=("its output is a new order, drawn in each run", "它的输出是每次运行随机抽取的新顺序"),
)
@in_chinese("把各行换一个次序。")
def random_shuffle_op(value: Array, *, generator: Any, seed: int = 0, seed2: int = 0) -> Any:
    """The rows in another order. Shapes: value (n, *S) -> y (n, *S)."""
    return value[generator.order(len(value))]


def _so_many(logits: Shape, num_samples: Shape, *, inputs: Sequence[Tensor]) -> Shape:
    count = constant_value(inputs[1])
    return (None if logits is None else logits[0], None if count is None else int(count))


@op(
    "Multinomial",
    inputs="logits num_samples",
    types="T int32",
    outputs=("output_dtype",),
    shape=_so_many,
    draws=AS_TENSORFLOW,
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
    return generator.classes(logits, int(num_samples)).astype(output_dtype)


def seeds_of(seed: Any) -> dict[str, Any]:
    """Graph seed and op seed as TensorFlow writes them down; 0 and 0 where neither is set.

    seed: a whole number, or a source of seeds of Keras.
    """
    if isinstance(seed, SeedGenerator):
        return seeded_by(seed)
    graph: Any = current_graph()
    own = None if seed is None else whole_number(seed, "seed")
    if graph.seed is None:
        return {"seed": 0, "seed2": 0} if own is None else _truncated(DEFAULT_GRAPH_SEED, own % SEEDS)
    return _truncated(graph.seed, graph.op_seed() if own is None else own % SEEDS)


def first_draws(seed: int) -> PhiloxDraws:
    """What the first random operation of a function draws from, where the program has set this seed."""
    seeds = _truncated(seed, 0)
    return draws_of(seeds["seed"], seeds["seed2"])


def _truncated(first: int, second: int) -> dict[str, Any]:
    """Seeds as they are written down: two zeros would stand for none."""
    first = first % SEEDS
    return {"seed": first, "seed2": SEEDS if first == second == 0 else second}


def set_random_seed(seed: int) -> None:
    """`tf.set_random_seed`: the seed of the graph, for the random nodes made from here on."""
    graph: Any = current_graph()
    graph.set_seed(int(seed))


def random_normal(
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: str = "float32",
    seed: Any = None,
    name: str | None = None,
) -> Tensor:
    """`tf.random_normal`: mean + stddev times standard normal numbers; both may be tensors."""
    return _scaled(random_standard_normal, "random_normal", shape, mean, stddev, dtype, seed, name)


def truncated_normal(
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: str = "float32",
    seed: Any = None,
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
    seed: Any = None,
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
    seed: Any = None,
    name: str | None = None,
    output_dtype: str | None = None,
) -> Tensor:
    """`tf.multinomial`: classes drawn with the probabilities softmax(logits), for each row."""
    return _classes(logits, num_samples, output_dtype, seed, name or "multinomial")


def categorical(
    logits: Any,
    num_samples: Any,
    dtype: str | None = None,
    seed: Any = None,
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
    seed: Any = None,
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
