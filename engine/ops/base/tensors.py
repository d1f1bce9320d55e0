"""Tensors and nodes: what ops take and give. The graph that holds them stands one layer up."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.errors import ShapeError, Span

Array = NDArray[Any]
Shape = tuple[int | None, ...] | None  # None: rank unknown; None in the tuple: that length unknown

FLOATS = frozenset({"float16", "float32", "float64"})
INTEGERS = frozenset({"int8", "int16", "int32", "int64", "uint8"})
DTYPES = FLOATS | INTEGERS | {"bool"}
IN_CPP = MappingProxyType(
    {"float32": "float", "float64": "double", "float16": "half"}
)  # as messages name them
TEXT = "string"
COMPLEX = frozenset({"complex64", "complex128"})  # which only PyTorch's surface makes
FIXED = DTYPES | COMPLEX | {"resource", "variant", TEXT}  # what an input can ask for by name
INT32_TYPES = frozenset({"Tidx", "Tshape", "Tmultiples", "Tperm", "Tpaddings", "Tnumsegments", "index_type"})
INDEX_TYPES = INT32_TYPES | {"Index", "Tindices", "Taxis"}  # of these, the former turn arrays into int32 too


@lru_cache(maxsize=256)
def name_of(dtype: Any) -> str:
    """What TensorFlow calls a dtype; numpy works its own name out anew each time that it is asked."""
    return TEXT if dtype.kind in "OUS" else str(dtype.name)


@lru_cache(maxsize=64)
@lru_cache(maxsize=64)
def array_dtype(dtype: str) -> np.dtype[Any]:
    """A tensor's dtype, as arrays have it: texts and handles are objects."""
    return np.dtype(object if dtype in (TEXT, "resource", "variant") else dtype)


OPERATORS: dict[str, Callable[..., Tensor]] = {}  # Python's operators; the op files enter what they build


class Operators:
    """Python's operators for whatever reads as a tensor: each adds the node that TensorFlow's adds.

    No ABC: `isinstance(x, Tensor)` is asked for every input of every node, and an ABC answers it slowly.
    """

    __slots__ = ()
    __array_ufunc__ = None  # an array on the left leaves the operator to the tensor on the right

    @abstractmethod
    def as_tensor(self) -> Tensor:
        """The tensor that the operators work on."""

    def __add__(self, other: Any) -> Tensor:
        return OPERATORS["add"](self.as_tensor(), other)

    def __radd__(self, other: Any) -> Tensor:
        return OPERATORS["add"](other, self.as_tensor())

    def __sub__(self, other: Any) -> Tensor:
        return OPERATORS["sub"](self.as_tensor(), other)

    def __rsub__(self, other: Any) -> Tensor:
        return OPERATORS["sub"](other, self.as_tensor())

    def __mul__(self, other: Any) -> Tensor:
        return OPERATORS["mul"](self.as_tensor(), other)

    def __rmul__(self, other: Any) -> Tensor:
        return OPERATORS["mul"](other, self.as_tensor())

    def __truediv__(self, other: Any) -> Tensor:
        return OPERATORS["truediv"](self.as_tensor(), other)

    def __rtruediv__(self, other: Any) -> Tensor:
        return OPERATORS["truediv"](other, self.as_tensor())

    def __floordiv__(self, other: Any) -> Tensor:
        return OPERATORS["floordiv"](self.as_tensor(), other)

    def __rfloordiv__(self, other: Any) -> Tensor:
        return OPERATORS["floordiv"](other, self.as_tensor())

    def __mod__(self, other: Any) -> Tensor:
        return OPERATORS["mod"](self.as_tensor(), other)

    def __rmod__(self, other: Any) -> Tensor:
        return OPERATORS["mod"](other, self.as_tensor())

    def __pow__(self, other: Any) -> Tensor:
        return OPERATORS["pow"](self.as_tensor(), other)

    def __rpow__(self, other: Any) -> Tensor:
        return OPERATORS["pow"](other, self.as_tensor())

    def __matmul__(self, other: Any) -> Tensor:
        return OPERATORS["matmul"](self.as_tensor(), other)

    def __rmatmul__(self, other: Any) -> Tensor:
        return OPERATORS["matmul"](other, self.as_tensor())

    def __neg__(self) -> Tensor:
        return OPERATORS["neg"](self.as_tensor())

    def __abs__(self) -> Tensor:
        return OPERATORS["abs"](self.as_tensor())

    def __invert__(self) -> Tensor:
        return OPERATORS["not"](self.as_tensor())

    def __and__(self, other: Any) -> Tensor:
        return OPERATORS["and"](self.as_tensor(), other)

    def __rand__(self, other: Any) -> Tensor:
        return OPERATORS["and"](other, self.as_tensor())

    def __or__(self, other: Any) -> Tensor:
        return OPERATORS["or"](self.as_tensor(), other)

    def __ror__(self, other: Any) -> Tensor:
        return OPERATORS["or"](other, self.as_tensor())

    def __xor__(self, other: Any) -> Tensor:
        return OPERATORS["xor"](self.as_tensor(), other)

    def __rxor__(self, other: Any) -> Tensor:
        return OPERATORS["xor"](other, self.as_tensor())

    def __lt__(self, other: Any) -> Tensor:
        return OPERATORS["less"](self.as_tensor(), other)

    def __le__(self, other: Any) -> Tensor:
        return OPERATORS["less_equal"](self.as_tensor(), other)

    def __gt__(self, other: Any) -> Tensor:
        return OPERATORS["greater"](self.as_tensor(), other)

    def __ge__(self, other: Any) -> Tensor:
        return OPERATORS["greater_equal"](self.as_tensor(), other)

    def __getitem__(self, key: Any) -> Tensor:
        return OPERATORS["subscript"](self.as_tensor(), key)

    def __iter__(self) -> Iterator[Tensor]:
        return self.as_tensor().rows()

    def rows(self) -> Iterator[Tensor]:
        """The parts along the first axis, where there is a value that says how many.

        Raises: ShapeError, as there is none in a graph that runs later.
        """
        raise ShapeError(
            "A symbolic tensor cannot be gone through item by item.",
            hint="Take it apart with tf.unstack(…), or put it into a list: [x].",
            message_zh="不能逐项遍历符号张量。",
            hint_zh="请用 tf.unstack(…) 拆开，或把它放进列表：[x]。",
        )


LAZY = ("recipe", "first", "second", "number")  # the fields of a tensor whose node is not made yet


class Tensor(Operators):
    """A value on an edge: output number `index` of a node. `shape` may hold None for unknown lengths.

    place: where it comes from in its graph: the index of its node, or of its lazy node after all others.

    What is in `LAZY` is there only until the node is made (`engine/graph/lazy_tensors.py`).
    """

    __slots__ = ("dtype", "graph", "index", "node", "place", "shape", *LAZY)

    def __init__(self, node: Node, index: int, dtype: str, shape: Shape) -> None:
        self.node = node
        self.graph: Any = node.graph
        self.place = node.index
        self.index = index
        self.dtype = dtype
        self.shape = shape

    @property
    def name(self) -> str:
        """`Exp:0`."""
        return f"{self.node.name}:{self.index}"

    @property
    def edge_name(self) -> str:
        """As a node's inputs are written: `Exp` for output 0, `Split:1` for another."""
        return self.node.name if self.index == 0 else self.name

    def as_tensor(self) -> Tensor:
        return self

    def __repr__(self) -> str:
        return f"<tensor {self.name} {self.dtype} {self.shape}>"


class Node:
    """One use of an op in a graph.

    graph and op are typed openly: their classes (`Graph`, `OpDef`) stand above this file.
    """

    __slots__ = (
        "attrs",
        "colocate",
        "context",
        "control_inputs",
        "device",
        "graph",
        "index",
        "inputs",
        "name",
        "of",
        "op",
        "outputs",
        "phase",
        "span",
    )

    def __init__(self, graph: Any, index: int, name: str, op: Any, attrs: Mapping[str, Any]) -> None:
        self.graph = graph
        self.index = index
        self.name = name
        self.op = op
        self.attrs = attrs
        self.inputs: tuple[Tensor, ...] = ()
        self.control_inputs: tuple[Node, ...] = ()
        self.outputs: tuple[Tensor, ...] = ()
        self.colocate: tuple[str, ...] = ()
        self.context: Any = None  # the branch or loop that it stands in
        self.device = ""
        self.phase = "forward"
        self.of: Node | None = None
        self.span: Span | None = None

    @property
    def colocation_groups(self) -> tuple[str, ...]:
        """The names that a node placed beside this one is placed beside."""
        return self.colocate or (self.name,)

    def __repr__(self) -> str:
        return f"<node {self.name} {self.op.name}>"


class LazyNodes(Protocol):
    """What may make a node later (`engine/graph/lazy_nodes.py`)."""

    def output(self, op: Any, base: str, x: Any, y: Any = None) -> Tensor | None: ...
    def beside_array(self, op: Any, x: Any, y: Any) -> Tensor | None: ...
    def over_all(self, op: Any, x: Any) -> Tensor | None: ...


class Graph(Protocol):
    """What holds the nodes."""

    default_float: str
    release: int  # of TensorFlow whose gradient rules hold: 1 or 2
    takes_in: bool  # whether its nodes may have tensors of other graphs as inputs
    context: Any  # the branch or loop in which nodes are made now, or None
    broadcast_cache: dict[tuple[Shape, Shape], tuple[tuple[int, ...], tuple[int, ...]]]
    reduction_cache: dict[tuple[Any, Any], tuple[tuple[int, ...], tuple[int, ...]]]

    @property
    def lazy(self) -> LazyNodes: ...

    def name_scope(self, name: str | None) -> AbstractContextManager[str]: ...
    def control_dependencies(self, on: Iterable[Any] | None) -> AbstractContextManager[None]: ...
    def colocate_with(self, node: Any, *, alone: bool = False) -> AbstractContextManager[None]: ...
    def device(self, name: str | None) -> AbstractContextManager[None]: ...
    def collection(self, name: str) -> list[Any]: ...
    def create_node(
        self, op: Any, inputs: Sequence[Any], attributes: Mapping[str, Any], name: str
    ) -> Node: ...
