"""An array that stands for many: kernels compute with it as if it were one member's.

A `Many` has the shape of one member's array, while its data has the members along further axes in front.
Whatever a kernel does to it, by operators, ufuncs or numpy's functions, is done to all members in one
call. So an op needs no second kernel for batches. What cannot be done that way (a decision that
depends on a member's numbers, an assignment in place) raises Unbatchable.

Source: the idea is that of `vmap` in JAX (Bradbury et al., 2018).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from engine.execution.tracing.simplify import of_one
from engine.ops.base.tensors import Array

if TYPE_CHECKING:
    from engine.execution.batching.tape import Tape

Look = Callable[[Array], Array]
FUNCTIONS: dict[Any, Callable[..., Any]] = {}  # numpy's functions, each with what it means for many
_numbers = itertools.count()


class Unbatchable(Exception):
    """Something that has to be done member by member."""


class Many(NDArrayOperatorsMixin):
    """Arrays of one shape and type, one for each member.

    data:     the numbers of the members that are recorded; batch axes first, of length 1 where all agree.
    changing: whether a replay of the tape may find other numbers in it.
    source:   the value that this is a look at, and how to look; None of what has memory of its own.
    made:     whether a call made it, rather than being given.
    number:   unlike that of any other value.
    """

    __slots__ = ("changing", "data", "made", "number", "source", "tape")

    def __init__(
        self,
        tape: Tape,
        data: Array,
        *,
        changing: bool,
        source: tuple[Many, Look] | None = None,
        made: bool = False,
    ) -> None:
        self.tape, self.data, self.changing, self.source, self.made = tape, data, changing, source, made
        self.number = next(_numbers)

    # -- what a kernel sees ------------------------------------------------------------------------

    @property
    def shape(self) -> tuple[int, ...]:
        """A member's shape."""
        return self.data.shape[self.tape.axes :]

    @property
    def ndim(self) -> int:
        """A member's rank."""
        return self.data.ndim - self.tape.axes

    @property
    def size(self) -> int:
        """How many numbers a member has."""
        return int(np.prod(self.shape, dtype=int))

    @property
    def dtype(self) -> np.dtype[Any]:
        """The element type."""
        return self.data.dtype

    @property
    def batch(self) -> tuple[int, ...]:
        """The lengths of the batch axes."""
        return self.data.shape[: self.tape.axes]

    @property
    def T(self) -> Many:
        """Each member transposed."""
        return self.transpose()

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, place: Any) -> Many:
        places = place if isinstance(place, tuple) else (place,)
        if any(isinstance(one, Many) for one in places):
            raise Unbatchable("a place that differs from member to member")
        full = (*(slice(None),) * self.tape.axes, *places)
        if all(one in (None, Ellipsis) or isinstance(one, (int, np.integer, slice)) for one in places):
            return self.tape.view(self, lambda data: data[full], key=str(full))
        if sum(not isinstance(one, slice) for one in places) > 1:
            raise Unbatchable("several lists of places")
        return self.tape.call(lambda data: data[full], self)

    def transpose(self, *axes: Any) -> Many:
        """Each member's axes in another order."""
        flat = axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes
        order = tuple(flat) if flat else tuple(reversed(range(self.ndim)))
        kept = range(self.tape.axes)
        turned = [axis % self.ndim + self.tape.axes for axis in order]
        return self.tape.view(self, lambda data: data.transpose(*kept, *turned))

    def reshape(self, *shape: Any) -> Many:
        """Each member in another shape of as many numbers."""
        wanted = shape[0] if len(shape) == 1 and not isinstance(shape[0], (int, np.integer)) else shape
        axes, own = self.tape.axes, np.empty(self.shape, np.int8).reshape(tuple(map(int, wanted))).shape
        if own == self.shape:
            return self

        def look(data: Array) -> Array:
            return data.reshape(*data.shape[:axes], *own)

        if _root_is_plain(self):
            return self.tape.view(self, look, key=("reshape", own))
        return self.tape.call(look, self)

    def astype(self, dtype: Any, copy: bool = True) -> Many:
        """The numbers in another type."""
        if np.dtype(dtype) == self.dtype:
            return self
        return self.tape.call(lambda data: data.astype(dtype), self, key=("astype", np.dtype(dtype)))

    def copy(self) -> Many:
        """The same numbers; nothing writes into them."""
        return self

    def _decides(self, *_: Any, **__: Any) -> Any:
        raise Unbatchable("a decision that depends on a member's numbers")

    __bool__ = __int__ = __float__ = __index__ = __iter__ = __array__ = __setitem__ = item = tolist = _decides
    __hash__ = object.__hash__  # == compares numbers, as arrays do; as a key a value is itself

    def sum(self, axis: Any = None, **keywords: Any) -> Any:
        """Over a member's axes."""
        return np.sum(self, axis=axis, **keywords)

    def mean(self, axis: Any = None, **keywords: Any) -> Any:
        """Over a member's axes."""
        return np.mean(self, axis=axis, **keywords)

    def max(self, axis: Any = None, **keywords: Any) -> Any:
        """Over a member's axes."""
        return np.max(self, axis=axis, **keywords)

    def min(self, axis: Any = None, **keywords: Any) -> Any:
        """Over a member's axes."""
        return np.min(self, axis=axis, **keywords)

    # -- what numpy asks -----------------------------------------------------------------------------

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **keywords: Any) -> Any:
        if keywords.get("out") is not None or ufunc.nout != 1:
            raise Unbatchable(f"{ufunc.__name__} in place")
        if method == "reduce":
            return reduce(ufunc, *inputs, **keywords)
        if method != "__call__" or keywords:
            raise Unbatchable(f"{ufunc.__name__}.{method}")
        if ufunc.signature is not None:
            return matrix_call(ufunc, inputs)
        call, operands = shortcut(ufunc, aligned(inputs))
        if call is np.positive:
            return operands[0]
        return self.tape.compute(call, operands)

    def __array_function__(self, function: Any, _: Any, arguments: Any, keywords: Any) -> Any:
        if function not in FUNCTIONS:
            raise Unbatchable(function.__name__)
        return FUNCTIONS[function](*arguments, **keywords)


def _root_is_plain(value: Many) -> bool:
    """Whether a value's numbers lie in order, so that another shape is but another look."""
    return value.source is None or value.data.flags.c_contiguous


def root_of(value: Many) -> Many:
    """The value whose memory this is, or is a look at."""
    while value.source is not None:
        value = value.source[0]
    return value


def tape_of(values: Sequence[Any]) -> Tape:
    """The tape on which these values are recorded."""
    return next(value.tape for value in values if isinstance(value, Many))


def aligned(operands: Sequence[Any]) -> list[Any]:
    """The operands of one rank, so that members meet members and own axes meet own axes.

    Python's numbers become arrays of the type that they would take on beside the others.
    """
    rank = max(np.ndim(one) if not isinstance(one, Many) else one.ndim for one in operands)
    kinds = [one.dtype for one in operands if isinstance(one, (Many, np.ndarray, np.generic))]
    result: list[Any] = []
    for one in operands:
        if isinstance(one, Many):
            result.append(one if one.ndim == rank else widened(one, rank))
        elif isinstance(one, (bool, int, float)):
            result.append(np.asarray(one, np.result_type(*kinds, one)))
        else:
            result.append(np.asarray(one))
    return result


def widened(value: Many, rank: int) -> Many:
    """Members with axes of length 1 in front of their own, up to a rank."""
    place = (slice(None),) * value.tape.axes + (None,) * (rank - value.ndim)
    return value.tape.view(value, lambda data: data[place], key=("widened", rank))


def shortcut(ufunc: np.ufunc, operands: list[Any]) -> tuple[np.ufunc, list[Any]]:
    """The same numbers for less, where one operand is a plain number (`shortcuts.py`)."""
    if len(operands) != 2:
        return ufunc, operands
    for value, other in (operands, operands[::-1]) if ufunc is np.multiply else (operands,):
        if isinstance(value, Many) and isinstance(other, np.ndarray) and _alike(value, other):
            simple = of_one(ufunc, other.flat[0])
            if simple is not None:
                return simple, [value]
    return ufunc, operands


def _alike(value: Many, other: Array) -> bool:
    """Whether `other` is one number which changes neither shape nor type of a result."""
    return other.size == 1 and other.dtype == value.dtype and value.dtype.kind == "f"


def from_the_end(axis: Any, rank: int) -> tuple[int, ...]:
    """Axes counted from the end, where batch axes in front do not move them."""
    if axis is None:
        return tuple(range(-rank, 0))
    axes = tuple(int(one) for one in np.atleast_1d(axis))
    return tuple(one if one < 0 else one - rank for one in axes)


def reduce(
    ufunc: np.ufunc, value: Many, axis: Any = 0, dtype: Any = None, keepdims: bool = False, **_: Any
) -> Any:
    """A sum, product, largest or smallest over a member's axes."""
    axes = from_the_end(axis, value.ndim)
    if not axes:
        return value if dtype is None else value.astype(dtype)
    kind = None if dtype is None else np.dtype(dtype)

    def fold(data: Array, out: Array | None = None) -> Any:
        return ufunc.reduce(data, axis=axes, dtype=kind, out=out, keepdims=keepdims)

    return value.tape.call(fold, value, into=fold, key=(ufunc, axes, kind, keepdims))


def matrix_call(ufunc: np.ufunc, inputs: Sequence[Any]) -> Many:
    """Products of matrices: a member's stacked axes, if it has any, come after the batch axes."""
    operands = aligned(inputs)
    if any(len(np.shape(one)) < 2 for one in inputs) or len(operands) != 2:
        raise Unbatchable(ufunc.__name__)
    return tape_of(operands).compute(ufunc, operands)
