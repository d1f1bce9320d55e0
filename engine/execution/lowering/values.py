"""Values that are not there yet: kernels run on them once, and what they do is written down.

A kernel is numpy code. Given a `Value` in place of an array it calls the same ufuncs and functions, and
each of them becomes an `Instruction`. So the lowered form of an op is its kernel, never a second text.
What depends on known arrays only is computed at once; what is computed twice is recorded once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from engine.graph import Node
from engine.ops.tensors import Array

Lengths = tuple[int, ...]
FLOAT64 = np.dtype(np.float64)


class NotLowered(Exception):  # not a mistake: a part that stays with tier 0
    """A kernel, or a whole graph, that cannot be recorded."""


class Value(NDArrayOperatorsMixin):
    """An array to come.

    shape:   as the kernels see it.
    core:    as it is held; it broadcasts to `shape`. () is a number: a Python float where it is float64.
    batch:   the lengths of further first axes, one entry for each member of a batch; () where there are
             none. Those of two values broadcast, so a grid needs one axis for each of its sides.
    number:  which recorded result it is; values of one number are the same array in different shapes.
    """

    __slots__ = ("batch", "core", "dtype", "number", "recorder", "shape")
    __hash__ = object.__hash__

    def __init__(
        self,
        recorder: Recorder,
        number: int,
        shape: Lengths,
        core: Lengths,
        dtype: np.dtype[Any],
        batch: Lengths,
    ) -> None:
        self.recorder = recorder
        self.number = number
        self.shape = shape
        self.core = core
        self.dtype = dtype
        self.batch = batch

    @property
    def held(self) -> Lengths:
        """The shape of the array that is held."""
        return (*self.batch, *self.core)

    @property
    def is_number(self) -> bool:
        """Whether it is held as a single number."""
        return not self.core and not self.batch

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def T(self) -> Any:  # numpy's name
        return np.transpose(self)

    def reshape(self, *shape: Any) -> Any:
        return np.reshape(self, shape[0] if len(shape) == 1 else shape)

    def astype(self, dtype: Any, copy: bool = True) -> Any:
        return self.recorder.cast(self, np.dtype(dtype))

    def __getitem__(self, key: Any) -> Any:
        return self.recorder.functions["getitem"](self, key)

    def __bool__(self) -> bool:
        raise NotLowered("a kernel decides by a value that is not there yet")

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise NotLowered("a kernel needs the array itself")

    def __iter__(self) -> Any:
        raise NotLowered("a kernel goes through the elements one by one")

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        if method != "__call__" or options:
            raise NotLowered(f"numpy.{ufunc.__name__} with {method} or options")
        if ufunc is np.matmul:
            return self.recorder.functions["matmul"](*inputs)
        if ufunc.nout != 1 or ufunc.signature is not None:
            raise NotLowered(f"numpy.{ufunc.__name__}")
        return self.recorder.elementwise(ufunc, inputs)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        handler = self.recorder.functions.get(function)
        if handler is None:
            raise NotLowered(f"numpy.{function.__name__}")
        return handler(*args, **kwargs)


@dataclass(slots=True, eq=False)
class Instruction:
    """One recorded step: what is called with which arguments, and what comes out.

    kind:    "ufunc", "where", "matmul", "reduce", "view", "cast", "fill", "known" (a constant),
             "pack" (arrays end to end) or "call" (a whole kernel).
    options: what the kind needs beside the arguments.
    """

    kind: str
    function: Any
    arguments: tuple[Any, ...]
    outputs: tuple[Value, ...]
    node: Node | None
    options: Mapping[str, Any] = field(default_factory=dict)


class Recorder:
    """The instructions so far.

    node:  whose kernel is running.
    functions: what stands in for the numpy functions that are no ufuncs (`functions.py`).
    """

    def __init__(self) -> None:
        self.node: Node | None = None
        self.instructions: list[Instruction] = []
        self.functions: Mapping[Any, Callable[..., Any]] = {}
        self._count = 0
        self._found: dict[Any, Value] = {}
        self._kept: list[Any] = []  # arrays whose id is a key of _found

    def value(self, core: Lengths, dtype: Any, batch: Lengths = (), shape: Lengths | None = None) -> Value:
        """A new value."""
        self._count += 1
        return Value(self, self._count - 1, core if shape is None else shape, core, np.dtype(dtype), batch)

    def mark(self) -> int:
        """Where the recording stands, to come back to."""
        return len(self.instructions)

    def forget(self, mark: int) -> None:
        """Take back what was recorded since the mark."""
        gone = {output.number for step in self.instructions[mark:] for output in step.outputs}
        del self.instructions[mark:]
        self._found = {key: value for key, value in self._found.items() if value.number not in gone}

    def record(
        self, kind: str, function: Any, arguments: Sequence[Any], output: Value, **options: Any
    ) -> Value:
        """Add a step with one result, or find the same step done before."""
        key = (kind, function, output.held, tuple(map(self._key, arguments)), tuple(sorted(options.items())))
        found = self._found.get(key)
        if found is not None:
            return seen_as(found, output.shape)
        self._found[key] = output
        self.instructions.append(Instruction(kind, function, tuple(arguments), (output,), self.node, options))
        return output

    def _key(self, argument: Any) -> Any:
        if isinstance(argument, Value):
            return argument.number, argument.held
        if isinstance(argument, np.ndarray):
            self._kept.append(argument)
            return "array", id(argument)
        return type(argument), repr(argument)

    # -- element by element --------------------------------------------------------------------------

    def elementwise(self, ufunc: Any, inputs: Sequence[Any]) -> Any:
        """A ufunc: computed at once where everything is known, else recorded."""
        if not any(isinstance(item, Value) for item in inputs):
            return ufunc(*inputs)
        operands = [as_operand(item) for item in inputs]
        shape = stretched(map(shape_of, inputs))
        plain = simplified(ufunc, operands)
        if isinstance(plain, Value):
            return seen_as(plain, shape)
        if plain is not None:
            ufunc, operands = plain
        dtype = result_dtype(ufunc, tuple(map(type_of, operands)))
        return self._aligned("ufunc", ufunc, operands, shape, dtype)

    def choose(self, condition: Any, x: Any, y: Any) -> Any:
        """`numpy.where` with three arguments."""
        inputs = (condition, x, y)
        if not any(isinstance(item, Value) for item in inputs):
            return np.where(*inputs)
        operands = [as_operand(item) for item in inputs]
        shape = stretched(map(shape_of, inputs))
        kinds = [kind for kind in map(type_of, operands[1:]) if isinstance(kind, np.dtype)]
        if not kinds or type_of(operands[0]) != np.dtype(bool):
            raise NotLowered("where of plain numbers")
        return self._aligned("where", np.where, operands, shape, np.result_type(*kinds))

    def _aligned(
        self, kind: str, function: Any, operands: Sequence[Any], shape: Lengths, dtype: np.dtype[Any]
    ) -> Value:
        core = stretched(map(core_of, operands))
        arguments = [self.with_rank(operand, len(core)) for operand in operands]
        return self.record(kind, function, arguments, self.value(core, dtype, common_batch(operands), shape))

    def with_rank(self, operand: Any, rank: int) -> Any:
        """A member's array with axes of length 1 put behind those of the batch, so that it broadcasts."""
        if not isinstance(operand, Value) or not operand.batch or len(operand.core) == rank:
            return operand
        core = (1,) * (rank - len(operand.core)) + operand.core
        return self.view(operand, core, "reshape", (*operand.batch, *core))

    def cast(self, value: Value, dtype: np.dtype[Any]) -> Value:
        """The same numbers in another type."""
        if value.dtype == dtype:
            return value
        return self.record("cast", dtype, [value], self.value(value.core, dtype, value.batch, value.shape))

    def end_to_end(self, parts: Sequence[Any], shapes: Sequence[Lengths]) -> Value:
        """Arrays, known or not, laid end to end."""
        count = sum(int(np.prod(shape, dtype=np.int64)) for shape in shapes)
        output = self.value((count,), parts[0].dtype)
        return self.record("pack", None, parts, output, shapes=tuple(shapes))

    def known(self, array: Array, batch: Lengths) -> Value:
        """An array that is known and has the axes of a batch in front."""
        value = self.value(array.shape[len(batch) :], array.dtype, batch)
        return self.record("known", None, [array], value)

    # -- other shapes of the same elements -------------------------------------------------------------

    def view(self, value: Value, core: Lengths, how: str, what: Any) -> Value:
        """A view on the held array: `how` is "reshape", "transpose", "broadcast" or "getitem"."""
        return self.record("view", how, [value], self.value(core, value.dtype, value.batch), what=what)

    def spread(self, held: Any, batch: Lengths) -> Any:
        """Held in full for each member of a batch."""
        value = self.whole(held)
        if not batch or (isinstance(value, Value) and value.batch == batch):
            return value
        if not isinstance(value, Value):
            return np.broadcast_to(value, (*batch, *value.shape))
        held_by_all = (*batch, *value.core)
        if value.is_number:
            return self.record("fill", np.full, [value], self.value((), value.dtype, batch))
        output = self.value(value.core, value.dtype, batch)
        return self.record("view", "broadcast", [value], output, what=held_by_all)

    def whole(self, value: Any) -> Any:
        """Held in full: core and shape are the same."""
        if not isinstance(value, Value) or value.core == value.shape:
            return value
        if value.is_number:
            return self.record("fill", np.full, [value], self.value(value.shape, value.dtype))
        shape = value.shape
        value = self.with_rank(value, len(shape))
        held = (*value.batch, *shape)
        return value if value.core == shape else self.view(value, shape, "broadcast", held)


def common_batch(operands: Sequence[Any]) -> Lengths:
    """The batch of what is computed from these."""
    return stretched(operand.batch for operand in operands if isinstance(operand, Value))


def stretched(shapes: Iterable[Lengths]) -> Lengths:
    """The shape that all of these broadcast to."""
    different = set(shapes)
    return different.pop() if len(different) == 1 else np.broadcast_shapes(*different)


def seen_as(value: Value, shape: Lengths) -> Value:
    """The same value, seen in a shape that it broadcasts to."""
    if value.shape == shape:
        return value
    return Value(value.recorder, value.number, shape, value.core, value.dtype, value.batch)


def as_operand(item: Any) -> Any:
    """A value as it is, a plain Python number as it is, an array: as one number where it is uniform."""
    if isinstance(item, (Value, bool, int, float)):
        return item
    array = np.asarray(item)
    if array.dtype == object:
        raise NotLowered("an object that is no number")
    if array.size and (array.ndim == 0 or is_uniform(array)):
        return array.flat[0]
    return array


def is_uniform(array: Array) -> bool:
    """Whether all elements are the same, to the bit."""
    if array.dtype.kind not in "fiub":
        return False
    first = array.flat[0]
    if not (array == first).all():
        return False
    return bool(first != 0 or array.dtype.kind != "f" or not np.signbit(array).any())


def shape_of(item: Any) -> Lengths:
    return item.shape if isinstance(item, Value) else np.shape(item)


def core_of(operand: Any) -> Lengths:
    return operand.core if isinstance(operand, Value) else np.shape(operand)


def type_of(operand: Any) -> Any:
    """The dtype; of a plain Python number its type, since it takes the other operand's dtype."""
    if isinstance(operand, np.generic):
        return operand.dtype
    return type(operand) if isinstance(operand, (bool, int, float)) else operand.dtype


@lru_cache(maxsize=4096)
def result_dtype(ufunc: Any, kinds: tuple[Any, ...]) -> np.dtype[Any]:
    """What the ufunc makes of these types."""
    kinds = tuple(np.dtype(bool) if kind is bool else kind for kind in kinds)
    found: np.dtype[Any] = ufunc.resolve_dtypes((*kinds, None))[-1]
    return found


def simplified(ufunc: Any, operands: Sequence[Any]) -> Any:
    """What is exactly the same and costs less: x · 1, x / 1, x - 0 and x¹ are x, x · x and x² one square.

    Returns: a value, another ufunc with its operands, or None.
    """
    if len(operands) != 2:
        return None
    x, y = operands
    if ufunc is np.multiply and _are_one(x, y) and x.dtype.kind == "f":
        return np.square, [x]
    if ufunc is np.multiply and not isinstance(x, Value) and np.ndim(x) == 0 and x == 1:
        x, y = y, x
    if not isinstance(x, Value) or isinstance(y, Value) or np.ndim(y) or x.dtype.kind != "f":
        return None
    if result_dtype(ufunc, (x.dtype, type_of(y))) != x.dtype:
        return None
    if ufunc in (np.multiply, np.true_divide, np.power) and y == 1:
        return x
    if ufunc is np.subtract and y == 0 and not np.signbit(y):
        return x
    if ufunc is np.power and y == 2:
        return np.square, [x]
    return None


def _are_one(x: Any, y: Any) -> bool:
    """Whether two operands are the same value."""
    return isinstance(x, Value) and isinstance(y, Value) and x.number == y.number
