"""Arrays that are not there yet: kernels run on them once, and what they do is written down.

A kernel is numpy code. Given a `Tracer` in place of an array it calls the same ufuncs and functions, and
each of them becomes an `Instruction`. So the lowered form of an op is its kernel, never a second text. The
same kernel serves a batch: then a tracer stands for the arrays of all its runs, and shows that of one.

Source: tracing and `vmap` in JAX (Bradbury et al., 2018).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from engine.graph import Node

if TYPE_CHECKING:
    from engine.execution.tracing.recorder import Recorder

Lengths = tuple[int, ...]
FLOAT64, BOOL = np.dtype(np.float64), np.dtype(bool)


class NotLowered(Exception):  # not a mistake: a part that stays with the interpreter
    """A kernel, or a whole graph, that cannot be recorded."""


class Tracer(NDArrayOperatorsMixin):
    """An array to come; in a batch, one of each run.

    shape:    of one run, as the kernels see it.
    core:     as it is held; it broadcasts to `shape`. () is a number: a Python float where it is float64.
              In a batch it is `shape`, and the array that is held has the recorder's batch axes in front.
    number:   which recorded result it is; tracers of one number are the same array in different shapes.
    column:   whether it is a number of a loop with its values at all steps in one array.
    changing: whether it may be another array the next time that the trace is executed.
    """

    __slots__ = ("changing", "column", "core", "dtype", "number", "recorder", "shape")
    __hash__ = object.__hash__

    def __init__(
        self,
        recorder: Recorder,
        number: int,
        shape: Lengths,
        core: Lengths,
        dtype: np.dtype[Any],
        *,
        column: bool = False,
        changing: bool = True,
    ) -> None:
        self.recorder = recorder
        self.number = number
        self.shape = shape
        self.core = core
        self.dtype = dtype
        self.column = column
        self.changing = changing

    @property
    def batched(self) -> bool:
        """Whether batch axes stand in front of its own."""
        return self.recorder.batch_axes > 0

    @property
    def is_number(self) -> bool:
        """Whether it is held as a single number."""
        return not self.core and not self.column and not self.batched

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

    def sum(self, *arguments: Any, **options: Any) -> Any:
        return self.recorder.rules["method"](self, np.sum, *arguments, **options)

    def mean(self, *arguments: Any, **options: Any) -> Any:
        return self.recorder.rules["method"](self, np.mean, *arguments, **options)

    def __getitem__(self, key: Any) -> Any:
        return self.recorder.rules["getitem"](self, key)

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
            return self.recorder.rules["matmul"](*inputs)
        if ufunc.nout != 1 or ufunc.signature is not None:
            raise NotLowered(f"numpy.{ufunc.__name__}")
        return self.recorder.elementwise(ufunc, inputs)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        rule = self.recorder.rules.get(function)
        if rule is None:
            raise NotLowered(f"numpy.{function.__name__}")
        return rule(*args, **kwargs)


@dataclass(slots=True, eq=False)
class Instruction:
    """One recorded step: what is called with which arguments, and what comes out.

    kind:    "ufunc", "where", "matmul", "reduce", "view", "cast", "fill",
             "pack" (arrays end to end) or "call" (a whole kernel); in a batch also "numpy" (a function of
             arrays with their batch axes), "join" (arrays along one of their own axes), "draw" (random
             numbers), "stack" (arrays along the first batch axis) or "repeat" (one of them along it).
    options: what the kind needs beside the arguments.
    """

    kind: str
    function: Any
    arguments: tuple[Any, ...]
    outputs: tuple[Tracer, ...]
    node: Node | None
    options: Mapping[str, Any] = field(default_factory=dict)


def needed(steps: Sequence[Instruction], numbers: Collection[int]) -> list[Instruction]:
    """The steps that lead to these results, in order."""
    wanted = set(numbers)
    kept = []
    for step in reversed(steps):
        if any(output.number in wanted for output in step.outputs):
            wanted.update(item.number for item in step.arguments if isinstance(item, Tracer))
            kept.append(step)
    return kept[::-1]
