"""`tf.TensorArray`: tensors by number, which a loop writes one by one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine import ops
from engine.errors import ProgramError
from engine.graph import Tensor
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.values import concrete
from engine.languages.surfaces.dtypes import DType, dtype_name
from engine.languages.surfaces.tf2.functions.effects import RULES, add
from engine.languages.surfaces.tf2.functions.flow import fits
from engine.languages.surfaces.tf2.functions.signature import shape_of
from engine.languages.surfaces.tf2.functions.steps import Handle
from engine.languages.surfaces.tf2.functions.traced import TracedGraph
from engine.ops.base.building import convert_to_tensor
from engine.ops.base.shapes import whole_number
from engine.ops.base.tensors import Shape


@dataclass(slots=True)
class Store:
    """What arrays that came of one another hold together, and which of them wrote last."""

    items: list[Any]
    version: int = 0


@dataclass(slots=True, eq=False)
class TensorArray(Handle):
    """The tensors that were written, None where none was.

    In a traced function every write gives another array, and the one before stays as it was; the two share
    their items as long as only the newer one is written.
    """

    dtype: str
    shape: Shape
    grows: bool
    clears: bool
    store: Store
    version: int = 0

    def write(self, index: Any, value: Any) -> TensorArray:
        """Put a tensor at a place."""
        place = self._place(index)
        tensor = self._fitting(value)
        items = self.store.items
        if place >= len(items):
            if not self.grows:
                raise _outside(place, len(items))
            items.extend([None] * (place + 1 - len(items)))
        items[place] = tensor
        return self

    def _place(self, index: Any) -> int:
        held = concrete(index)
        place = whole_number(index if held is None else held, "index")
        if place < 0:
            raise _outside(place, len(self.store.items))
        return place

    def _fitting(self, value: Any) -> Tensor:
        """A value as an element. Raises: ProgramError where its type or shape is another."""
        tensor = convert_to_tensor(value, dtype=None if isinstance(value, Tensor) else self.dtype)
        if tensor.dtype != self.dtype:
            raise _refused(
                f"TensorArray dtype is {self.dtype} but Op is trying to write dtype {tensor.dtype} ",
                f"TensorArray 的类型是 {self.dtype}，但写入的是 {tensor.dtype}。",
                "InvalidArgumentError",
            )
        if not fits(tensor.shape, self.shape):
            raise _refused(
                f"Incompatible shape for value ({tensor.shape}), expected ({self.shape})",
                f"元素的形状应为 {self.shape}，但写入的是 {tensor.shape}。",
                "ValueError",
            )
        if self.shape is None:
            self.shape = tensor.shape
        return tensor

    def forked(self) -> TensorArray:
        """Another array with the same items, to be written next."""
        store = self.store
        if store.version != self.version:
            store = Store([*store.items])
        store.version += 1
        return TensorArray(self.dtype, self.shape, self.grows, self.clears, store, store.version)

    def read(self, index: Any) -> Tensor:
        """The tensor at a place, which is then gone unless the array keeps it."""
        place = self._place(index)
        if place >= len(self.store.items):
            raise _outside(place, len(self.store.items))
        tensor = self._at(place)
        if self.clears:
            self.store.items[place] = CLEARED
        return tensor

    def _at(self, place: int) -> Tensor:
        held = self.store.items[place]
        if held is CLEARED:
            raise _refused(
                f"Could not read index {place} twice because it was cleared after a previous read "
                "(perhaps try setting clear_after_read = false?)",
                f"索引 {place} 读取一次后已被清除；需要多次读取请写 clear_after_read=False。",
                "InvalidArgumentError",
            )
        if held is None:
            if self.shape is None:
                raise _refused(
                    f"Could not read index {place} before it is written.",
                    f"索引 {place} 还没有写入，不能读取。",
                    "InvalidArgumentError",
                )
            return ops.zeros(list(self.shape), self.dtype)
        found: Tensor = held
        return found

    def stack(self) -> Tensor:
        """All tensors along a new first axis."""
        if not self.store.items:
            return ops.zeros([0, *(self.shape or ())], self.dtype)
        return ops.stack([self._at(place) for place in range(len(self.store.items))])

    def concat(self) -> Tensor:
        """All tensors one behind the other."""
        return ops.concat([self._at(place) for place in range(len(self.store.items))], 0)

    def gather(self, indices: Any) -> Tensor:
        """The tensors of some places along a new first axis."""
        held = concrete(indices)
        places = np.asarray(indices if held is None else held).reshape(-1)
        return ops.stack([self._at(self._place(int(place))) for place in places])

    def unstack(self, value: Any) -> TensorArray:
        """The rows of a tensor as the items."""
        self.store.items[:] = [self._fitting(row) for row in ops.unstack(convert_to_tensor(value))]
        return self

    def size(self) -> Tensor:
        """How many places there are."""
        return ops.constant(np.int32(len(self.store.items)))


CLEARED = object()


def _outside(place: int, size: int) -> ProgramError:
    return _refused(
        f"Tried to write to index {place} but array is not resizeable and size is: {size}",
        f"索引 {place} 超出了 TensorArray 的大小 {size}。",
        "OutOfRangeError",
        "Write dynamic_size=True, or give the size.",
        "请写 dynamic_size=True，或给出足够的 size。",
    )


def _refused(said: str, message_zh: str, kind: str, hint: str = "", hint_zh: str = "") -> ProgramError:
    return ProgramError(
        said, message_zh=message_zh, hint=hint, hint_zh=hint_zh, kind=kind, said=said, code="bad_value"
    )


def tensor_array(
    dtype: Any,
    size: Any = None,
    dynamic_size: Any = None,
    clear_after_read: Any = None,
    tensor_array_name: Any = None,
    handle: Any = None,
    flow: Any = None,
    infer_shape: Any = True,
    element_shape: Any = None,
    colocate_with_first_write_call: Any = True,
    name: Any = None,
) -> TensorArray:
    """Places for tensors of one type."""
    held = concrete(size)
    count = 0 if size is None else whole_number(size if held is None else held, "size")
    shape = None if element_shape is None else shape_of(element_shape)
    clears = clear_after_read is None or bool(clear_after_read)
    store = Store([None] * count)
    return TensorArray(dtype_name(dtype) or "float32", shape, bool(dynamic_size), clears, store)


MEMBERS = members_of(TensorArray, "TensorArray")
MEMBERS.fact("dtype")(lambda array: DType(array.dtype))
MEMBERS.fact("dynamic_size")(lambda array: array.grows)
MEMBERS.method("write")(lambda array, index, value, name=None: array.write(index, value))
MEMBERS.method("read")(lambda array, index, name=None: array.read(index))
MEMBERS.method("stack")(lambda array, name=None: array.stack())
MEMBERS.method("concat")(lambda array, name=None: array.concat())
MEMBERS.method("gather")(lambda array, indices, name=None: array.gather(indices))
MEMBERS.method("unstack")(lambda array, value, name=None: array.unstack(value))
MEMBERS.method("size")(lambda array, name=None: array.size())
MEMBERS.method("identity", "mark_used")(lambda array: array)
MEMBERS.method("close")(lambda array: None)


# -- in a function that is traced --------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class TracedArray(Handle):
    """What stands for an array in a trace. written: what was written to it or to those that it came of."""

    graph: TracedGraph
    dtype: str
    shape: list[Shape]
    size: int | None
    written: list[Tensor] = field(default_factory=list)

    def another(self) -> TracedArray:
        """The array that a step gives."""
        return TracedArray(self.graph, self.dtype, self.shape, self.size, self.written)

    def takes(self, value: Any) -> Tensor:
        """A value that is written."""
        tensor = convert_to_tensor(value, dtype=None if isinstance(value, Tensor) else self.dtype)
        self.written.append(tensor)
        if self.shape[0] is None:
            self.shape[0] = tensor.shape
        return tensor

    def gives(self, shape: Shape) -> Tensor:
        """A tensor that comes of the array."""
        (made,) = self.graph.passed(self.written, [(self.dtype, shape)], "TensorArrayV2")
        result: Tensor = made
        return result

    def rows(self) -> Shape:
        """The shape of all items in a row."""
        inner = self.shape[0]
        return None if inner is None else (self.size, *inner)


def _new(staging: Any, function: Any, args: Any, keywords: Any) -> TracedArray:
    bound, _, _ = function.signature.bind(function.name, args, keywords)
    size = bound.get("size")
    known = size if isinstance(size, int) and not bound.get("dynamic_size") else None
    inner = bound.get("element_shape")
    made = TracedArray(
        staging.graph,
        dtype_name(bound["dtype"]) or "float32",
        [None if inner is None else shape_of(inner)],
        known,
    )
    add(staging, function, args, keywords, made)
    return made


def _write(staging: Any, function: Any, args: Any, keywords: Any) -> TracedArray:
    array = function.owner
    bound, _, _ = function.method.signature.bind(function.name, [array, *args], keywords)
    made: TracedArray = array.another()
    add(staging, WRITE, [array, bound["index"], array.takes(bound["value"])], {}, made)
    return made


def _unstack(staging: Any, function: Any, args: Any, keywords: Any) -> TracedArray:
    array = function.owner
    value = convert_to_tensor(args[0] if args else keywords["value"])
    made: TracedArray = array.another()
    made.written.append(value)
    if value.shape is not None:
        made.shape[0], made.size = value.shape[1:], value.shape[0]
    add(staging, UNSTACK, [array, value], {}, made)
    return made


def _value(shape_for: Callable[[TracedArray], Shape]) -> Any:
    def give(staging: Any, function: Any, args: Any, keywords: Any) -> Tensor:
        array = function.owner
        gives: Tensor = array.gives(shape_for(array))
        add(staging, function.method, [array, *args], keywords, gives)
        return gives

    return give


def _size(staging: Any, function: Any, args: Any, keywords: Any) -> Tensor:
    (gives,) = staging.graph.passed([], [("int32", ())], "size")
    result: Tensor = add(staging, function.method, [function.owner], {}, gives)
    return result


WRITE = Native("TensorArray.write", lambda array, index, value: array.forked().write(index, value))
UNSTACK = Native("TensorArray.unstack", lambda array, value: array.forked().unstack(value))
RULES["tf.TensorArray"] = _new
TRACED = members_of(TracedArray, "TracedArray")
TRACED.fact("dtype")(lambda array: DType(array.dtype))
TRACED.method("identity", "mark_used")(lambda array: array)
TRACED.method("close")(lambda array: None)
for method, rule in {
    "write": _write,
    "unstack": _unstack,
    "stack": _value(TracedArray.rows),
    "concat": _value(lambda array: None if array.shape[0] is None else (None, *array.shape[0][1:])),
    "gather": _value(lambda array: None if array.shape[0] is None else (None, *array.shape[0])),
    "read": _value(lambda array: array.shape[0]),
    "size": _size,
}.items():
    TRACED.methods[method] = MEMBERS.methods[method].called(f"TracedArray.{method}")
    RULES[f"TracedArray.{method}"] = rule
