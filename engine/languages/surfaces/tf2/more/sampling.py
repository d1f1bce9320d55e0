"""Random numbers of TensorFlow 2 that a seed decides: `tf.random.stateless_*`, `tf.random.Generator`.

Uniform and whole numbers are TensorFlow's bit for bit, normal ones but for the last digit of sine and log.

Source: Salmon et al., Parallel random numbers: as easy as 1, 2, 3, 2011 (Philox 4x32-10).
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from engine import ops
from engine.errors import ValueRefused
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import TYPE_NAMES, concrete
from engine.languages.surfaces.dtypes import dtype_name
from engine.ops.base.shapes import whole_number, whole_numbers
from engine.ops.base.tensors import FLOATS, Array, Tensor

MULTIPLIERS = (np.uint64(0xD2511F53), np.uint64(0xCD9E8D57))
WEYL = (0x9E3779B9, 0xBB67AE85)
ROUNDS = 10
LOW = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)
Start = tuple[tuple[int, int], int]  # a key, and a counter
FIRST_KEY = (0x3EC8F720, 0x02461E29)  # of what makes a key and a counter of a seed
SMALLEST = 1e-7  # under the logarithm of a normal draw
NO_KEY = (0, 0)  # a Generator's: its seed is where the counter begins
PER_SAMPLE = 256  # draws that TensorFlow leaves room for


def philox(counters: Array, key: tuple[int, int]) -> Array:
    """Four numbers of 32 bits for each counter. Shapes: counters (n, 4) -> (n, 4)."""
    c0, c1, c2, c3 = (counters[:, place].astype(np.uint64) for place in range(4))
    k0, k1 = key
    for _ in range(ROUNDS):
        first, second = MULTIPLIERS[0] * c0, MULTIPLIERS[1] * c2
        c0, c1, c2, c3 = (
            (second >> HALF) ^ c1 ^ np.uint64(k0),
            second & LOW,
            (first >> HALF) ^ c3 ^ np.uint64(k1),
            first & LOW,
        )
        k0, k1 = (k0 + WEYL[0]) & 0xFFFFFFFF, (k1 + WEYL[1]) & 0xFFFFFFFF
    return np.stack([c0, c1, c2, c3], axis=1).astype(np.uint32)


def _words(number: int) -> tuple[int, int]:
    """The lower and the upper half of 64 bits."""
    return number & 0xFFFFFFFF, (number >> 32) & 0xFFFFFFFF


def key_and_counter(seed: tuple[int, int]) -> Start:
    """What a seed of two numbers begins with: the key, and the counter of 128 bits."""
    start = np.array([[*_words(seed[0]), *_words(seed[1])]], dtype=np.uint64)
    mixed = [int(word) for word in philox(start, FIRST_KEY)[0]]
    return (mixed[0], mixed[1]), (mixed[2] << 64) | (mixed[3] << 96)


def _draws(key: tuple[int, int], counter: int, groups: int) -> Array:
    """So many groups of four numbers, from a counter of 128 bits on. Shapes: -> (groups, 4)."""
    low = np.uint64(counter & (2**64 - 1)) + np.arange(groups, dtype=np.uint64)
    high = np.uint64(counter >> 64) + (low < low[:1]).astype(np.uint64)
    return philox(np.stack([low & LOW, low >> HALF, high & LOW, high >> HALF], axis=1), key)


def _unit(words: Array) -> Array:
    """Numbers from 0 up to 1 of 32 bits each: 23 of them are kept."""
    return ((words & np.uint32(0x7FFFFF)) | np.uint32(0x3F800000)).view(np.float32) - np.float32(1)


def _unit64(words: Array) -> Array:
    """The same in float64, of two words each: 52 bits are kept."""
    pairs = words.reshape(-1, 2).astype(np.uint64)
    upper = ((pairs[:, 0] & np.uint64(0xFFFFF)) | np.uint64(0x3FF00000)) << HALF
    return (upper | pairs[:, 1]).view(np.float64) - 1.0


def _normal(units: Array) -> Array:
    """Pairs of uniform numbers as pairs of normal ones (Box and Muller)."""
    kind = units.dtype.type
    first, second = np.maximum(units[0::2], kind(SMALLEST)), units[1::2]
    angle = (2 * np.pi * second.astype(np.float64)).astype(kind)  # rounded once, as TensorFlow does
    radius = np.sqrt(kind(-2) * np.log(first))
    return np.stack([np.sin(angle) * radius, np.cos(angle) * radius], axis=1).reshape(-1)


def uniform_of(start: Start, count: int, dtype: str) -> Array:
    """Uniform numbers from 0 up to 1."""
    if dtype == "float64":
        return _unit64(_draws(*start, -(-count // 2)).reshape(-1))[:count]
    return _unit(_draws(*start, -(-count // 4)).reshape(-1))[:count]


def normal_of(start: Start, count: int, dtype: str) -> Array:
    """Standard normal numbers."""
    if dtype == "float64":
        return _normal(_unit64(_draws(*start, -(-count // 2)).reshape(-1)))[:count]
    return _normal(_unit(_draws(*start, -(-count // 4)).reshape(-1)))[:count]


def whole_of(start: Start, count: int, ends: tuple[int, int], dtype: str) -> Array:
    """Whole numbers from low up to, without, high."""
    if dtype == "int64":
        pairs = _draws(*start, -(-count // 2)).reshape(-1, 2).astype(np.uint64)
        words = pairs[:, 0] | (pairs[:, 1] << HALF)
    else:
        words = _draws(*start, -(-count // 4)).reshape(-1).astype(np.uint64)
    low, high = ends
    return (np.int64(low) + (words[:count] % np.uint64(high - low)).astype(np.int64)).astype(dtype)


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
    interpreter: Interpreter, start: Callable[[int], Start], shape: Any, mean: Any, stddev: Any, dtype: Any
) -> Tensor:
    kind, lengths = dtype_name(dtype) or "float32", _shape(interpreter, shape)
    _check_kind(kind)
    count = prod(lengths)
    drawn = ops.constant(normal_of(start(count), count, kind).reshape(lengths), kind)
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
    "random.Generator.from_seed": from_seed,
    "random.Generator.from_non_deterministic_state": from_non_deterministic_state,
}
