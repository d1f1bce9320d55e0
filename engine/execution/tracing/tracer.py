"""Values that are not there yet: kernels run on them once, and what they do is written down.

A kernel is numpy code. Given a `Value` in place of an array it calls the same ufuncs and functions, and
each of them becomes an `Instruction`. So the lowered form of an op is its kernel, never a second text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from engine.graph import Node

if TYPE_CHECKING:
    from engine.execution.tracing.recorder import Recorder

Lengths = tuple[int, ...]
FLOAT64 = np.dtype(np.float64)


class NotLowered(Exception):  # not a mistake: a part that stays with tier 0
    """A kernel, or a whole graph, that cannot be recorded."""


class Value(NDArrayOperatorsMixin):
    """An array to come.

    shape:   as the kernels see it.
    core:    as it is held; it broadcasts to `shape`. () is a number: a Python float where it is float64.
    number:  which recorded result it is; values of one number are the same array in different shapes.
    column:  whether it is a number of a loop with its values at all steps in one array.
    """

    __slots__ = ("column", "core", "dtype", "number", "recorder", "shape")
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
    ) -> None:
        self.recorder = recorder
        self.number = number
        self.shape = shape
        self.core = core
        self.dtype = dtype
        self.column = column

    @property
    def is_number(self) -> bool:
        """Whether it is held as a single number."""
        return not self.core and not self.column

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

    kind:    "ufunc", "where", "matmul", "reduce", "view", "cast", "fill",
             "pack" (arrays end to end) or "call" (a whole kernel).
    options: what the kind needs beside the arguments.
    """

    kind: str
    function: Any
    arguments: tuple[Any, ...]
    outputs: tuple[Value, ...]
    node: Node | None
    options: Mapping[str, Any] = field(default_factory=dict)
