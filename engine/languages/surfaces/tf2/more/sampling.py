"""Random numbers of TensorFlow 2 that a seed decides: `tf.random.stateless_*`, `tf.random.Generator`."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from engine import ops
from engine.errors import ValueRefused
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import TYPE_NAMES, concrete
from engine.languages.surfaces.dtypes import dtype_name
from engine.ops.base.shapes import whole_number, whole_numbers
from engine.ops.base.tensors import FLOATS, Array, Tensor
from engine.ops.sources.philox import (
    PER_SAMPLE,
    ROUNDS,
    Start,
    key_and_counter,
    normal_of,
    truncated_of,
    uniform_of,
    whole_of,
)

NO_KEY = (0, 0)  # a Generator's: its seed is where the counter begins


# -- as programs use them --------------------------------------------------------------------------


def _shape(interpreter: Interpreter, shape: Any) -> tuple[int, ...]:
    held = concrete(shape)
    lengths = tuple(int(n) for n in whole_numbers(shape if held is None else held, "shape").reshape(-1))
    interpreter.budget.check_elements(lengths)
    interpreter.budget.spend(ROUNDS * prod(lengths))
    return lengths


def _seed(seed: Any) -> tuple[int, int]:
    held = concrete(seed)
    pair = whole_numbers(seed if held is None else held, "seed").reshape(-1).tolist()
    if len(pair) != 2:
        raise ValueRefused(
            "`seed` takes two whole numbers.",
            hint="Write seed=[1, 2].",
            message_zh="`seed` 需要两个整数。",
            hint_zh="请写 seed=[1, 2]。",
            code="bad_value",
        )
    return pair[0] & (2**64 - 1), pair[1] & (2**64 - 1)


class Generator:
    """`tf.random.Generator`: a key, and a counter that moves on with every draw."""

    def __init__(self, key: tuple[int, int], counter: int) -> None:
        self.key = key
        self.counter = counter

    def next(self, count: int) -> Start:
        """The key and the counter of a draw, after which the counter has moved on."""
        before = self.counter
        self.counter = (before + count * PER_SAMPLE) % 2**128
        return self.key, before


def _scaled(units: Array, low: Any, high: Any, dtype: str) -> Tensor:
    first = ops.convert_to_tensor(low, dtype=dtype)
    last = ops.convert_to_tensor(1 if high is None else high, dtype=dtype)
    return ops.constant(units, dtype) * (last - first) + first


def _uniform(
    interpreter: Interpreter, start: Callable[[int], Start], shape: Any, low: Any, high: Any, dtype: Any
) -> Tensor:
    kind, lengths = dtype_name(dtype) or "float32", _shape(interpreter, shape)
    count = prod(lengths)
    if kind in FLOATS:
        _check_kind(kind)
        return _scaled(uniform_of(start(count), count, kind).reshape(lengths), low, high, kind)
    if high is None:
        raise ValueRefused(
            "For whole numbers `maxval` is needed.",
            message_zh="取整数时需要 `maxval`。",
            code="wrong_arguments",
        )
    ends = whole_number(low, "minval"), whole_number(high, "maxval")
    if ends[0] >= ends[1]:
        raise ValueRefused(
            f"Need minval < maxval, got {ends[0]} >= {ends[1]}",
            message_zh=f"需要 minval < maxval，但得到 {ends[0]} >= {ends[1]}",
            code="bad_value",
        )
    return ops.constant(whole_of(start(count), count, ends, kind).reshape(lengths), kind)


def _check_kind(kind: str) -> None:
    if kind == "float16":
        raise ValueRefused(
            "Here such numbers are float32 or float64.",
            message_zh="这里的随机数是 float32 或 float64。",
            code="bad_value",
        )


def _normals(
    interpreter: Interpreter,
    start: Callable[[int], Start],
    shape: Any,
    mean: Any,
    stddev: Any,
    dtype: Any,
    draw: Callable[[Start, int, str], Array] = normal_of,
) -> Tensor:
    kind, lengths = dtype_name(dtype) or "float32", _shape(interpreter, shape)
    _check_kind(kind)
    count = prod(lengths)
    drawn = ops.constant(draw(start(count), count, kind).reshape(lengths), kind)
    return drawn * ops.convert_to_tensor(stddev, dtype=kind) + ops.convert_to_tensor(mean, dtype=kind)


def stateless_uniform(
    interpreter: Interpreter,
    shape: Any,
    seed: Any,
    minval: Any = 0,
    maxval: Any = None,
    dtype: Any = "float32",
    name: Any = None,
) -> Tensor:
    """`tf.random.stateless_uniform`: the same numbers for the same seed."""
    return _uniform(interpreter, lambda count: key_and_counter(_seed(seed)), shape, minval, maxval, dtype)


def stateless_normal(
    interpreter: Interpreter,
    shape: Any,
    seed: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = "float32",
    name: Any = None,
) -> Tensor:
    """`tf.random.stateless_normal`: the same numbers for the same seed."""
    return _normals(interpreter, lambda count: key_and_counter(_seed(seed)), shape, mean, stddev, dtype)


def stateless_truncated_normal(
    interpreter: Interpreter,
    shape: Any,
    seed: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = "float32",
    name: Any = None,
) -> Tensor:
    """`tf.random.stateless_truncated_normal`: the same numbers for the same seed."""
    start = key_and_counter(_seed(seed))
    return _normals(interpreter, lambda count: start, shape, mean, stddev, dtype, truncated_of)


def from_seed(interpreter: Interpreter, seed: Any) -> Generator:
    """`tf.random.Generator.from_seed`."""
    return Generator(NO_KEY, whole_number(seed, "seed") & (2**64 - 1))


def from_non_deterministic_state(interpreter: Interpreter) -> Generator:
    """`tf.random.Generator.from_non_deterministic_state`: here the request's seed decides it."""
    return Generator(NO_KEY, abs(interpreter.workspace.seed) + 1)


GENERATOR = members_of(Generator, "Generator")
TYPE_NAMES[Generator] = lambda value: "Generator"


@GENERATOR.method("uniform")
def uniform(
    interpreter: Interpreter,
    generator: Generator,
    shape: Any,
    minval: Any = 0,
    maxval: Any = None,
    dtype: Any = "float32",
    name: Any = None,
) -> Tensor:
    """Uniform numbers."""
    return _uniform(interpreter, generator.next, shape, minval, maxval, dtype)


@GENERATOR.method("normal")
def normal(
    interpreter: Interpreter,
    generator: Generator,
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = "float32",
    name: Any = None,
) -> Tensor:
    """Normal numbers."""
    return _normals(interpreter, generator.next, shape, mean, stddev, dtype)


@GENERATOR.method("reset_from_seed")
def reset_from_seed(generator: Generator, seed: Any) -> None:
    """Begin again from a seed."""
    generator.key, generator.counter = NO_KEY, whole_number(seed, "seed") & (2**64 - 1)


MEMBERS: dict[str, Callable[..., Any]] = {
    "random.stateless_uniform": stateless_uniform,
    "random.stateless_normal": stateless_normal,
    "random.stateless_truncated_normal": stateless_truncated_normal,
    "random.Generator.from_seed": from_seed,
    "random.Generator.from_non_deterministic_state": from_non_deterministic_state,
}
