"""Adding a node: what ops need of a graph, and how arguments become tensors.

The classes behind these protocols stand in `engine/graph`; an op only sees what is written here, so
that a gradient rule can add nodes without knowing who holds them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np

from engine.errors import DtypeError, GradlensError, GraphError, ValueRefused, quoted
from engine.ops.base.element_types import not_accepted
from engine.ops.base.registry import REGISTRY
from engine.ops.base.slices import IndexedSlices
from engine.ops.base.tensors import (
    COMPLEX,
    DTYPES,
    FIXED,
    FLOATS,
    INDEX_TYPES,
    INT32_TYPES,
    INTEGERS,
    TEXT,
    Array,
    Graph,
    Node,
    Operators,
    Tensor,
    array_dtype,
    name_of,
)
from engine.ops.base.texts import is_text, text_array

_current: ContextVar[Graph | None] = ContextVar("current graph", default=None)


graph_now = _current.get  # the graph that new nodes go to when no input names one, or None


def current_graph() -> Graph:
    """The graph that new nodes go into.

    Raises: GraphError where there is none.
    """
    graph = graph_now()
    if graph is None:
        raise GraphError(
            "There is no graph to add to.",
            hint="Work inside `with Graph().as_default():`.",
            message_zh="没有可以添加节点的计算图。",
            hint_zh="请写在 `with Graph().as_default():` 里面。",
        )
    return graph


def enter_graph(graph: Graph) -> Any:
    """Make `graph` the current one; give the result to `leave_graph`."""
    return _current.set(graph)


def leave_graph(token: Any) -> None:
    """Go back to the graph that was current before."""
    _current.reset(token)


_default_float: ContextVar[str] = ContextVar("default float", default="float32")


@contextmanager
def default_float(dtype: str) -> Iterator[None]:
    """Graphs made inside take Python floats as this type, such as "float64"; TensorFlow's is float32."""
    token = _default_float.set(dtype)
    try:
        yield
    finally:
        _default_float.reset(token)


def default_float_now() -> str:
    """What a new graph takes Python floats as."""
    return _default_float.get()


def name_scope(name: str | None, default: str) -> AbstractContextManager[str]:
    """A scope of the current graph, named as the caller asked or by default."""
    return current_graph().name_scope(named(name, default))


def named(name: Any, default: str) -> str:
    """The name that the caller asked for, or the default; raises ValueRefused where it is no text."""
    if name is None:
        return default
    if not isinstance(name, str):
        raise ValueRefused(
            f"`name` takes a text, not {type(name).__name__}.",
            message_zh=f"`name` 需要文字，不能是 {type(name).__name__}。",
            hint='A name stands last and in quotes: name="layer1".',
            hint_zh='名称写在最后，并加引号：name="layer1"。',
            code="bad_name",
        )
    return name or default


def control_dependencies(*on: Any) -> AbstractContextManager[None]:
    """Nodes made inside wait for these, as far as TensorFlow makes them wait."""
    return current_graph().control_dependencies(on)


def output_of(op: Any, inputs: Sequence[Any], name: str | None, attributes: Mapping[str, Any]) -> Tensor:
    """The first output of a new node; where inputs decide all about it, the graph makes it lazily."""
    if name is None and op.is_plain and not attributes and len(inputs) == len(op.types):
        x, y = inputs[0], inputs[-1]  # of a single input it is both
        lazy: Tensor | None = None
        if isinstance(x, Tensor) and isinstance(y, Tensor):
            lazy = _home_of(inputs).lazy.output(op, op.name, x, y if len(inputs) == 2 else None)
        elif type(x) is np.ndarray or type(y) is np.ndarray:
            lazy = current_graph().lazy.beside_array(op, x, y)
        if lazy is not None:
            return lazy
    first: Tensor = build(op, inputs, named(name, op.name), attributes).outputs[0]
    return first


def build(op: Any, inputs: Sequence[Any], name: str, attributes: Mapping[str, Any]) -> Node:
    """Add a node for `op`; plain values among the inputs become constants named after their argument.

    Raises: GradlensError, with the operation and what it was given.
    """
    try:
        return _build(op, inputs, name, attributes)
    except GradlensError as error:
        error.in_operation = error.in_operation or (op.name, inputs)
        raise


def _build(op: Any, inputs: Sequence[Any], name: str, attributes: Mapping[str, Any]) -> Node:
    if op.is_simple and len(inputs) == len(op.types) and all(isinstance(value, Tensor) for value in inputs):
        return _create_simple(op, inputs, name, attributes)
    arguments = list(_arguments(op, inputs))
    tensors = [value for _, _, value in arguments]
    if not all(isinstance(value, Tensor) for value in tensors):
        with current_graph().name_scope(name) as name:
            return _create(op, arguments, _convert(arguments), name, attributes)
    return _create(op, arguments, tensors, name, attributes)


def _create_simple(op: Any, tensors: Sequence[Tensor], name: str, attributes: Mapping[str, Any]) -> Node:
    """What nearly every call comes to: tensors alone, none of them in a list. (The same as the long way.)"""
    known = attributes_of(op, tensors, attributes)
    graph = _home_of(tensors)
    made: Node = graph.create_node(op, tensors, known, name)
    return made


def _home_of(tensors: Sequence[Tensor]) -> Any:
    """The graph of a new node: that of its inputs, or the current one where that takes in others' tensors."""
    graph = graph_now()
    if not tensors or (graph is not None and graph.takes_in):
        return current_graph()
    return tensors[0].graph


def attributes_of(op: Any, tensors: Sequence[Tensor], given: Mapping[str, Any]) -> dict[str, Any]:
    """All attributes of a node, the types of its inputs included; inputs that share a type must agree."""
    known = {**op.defaults, **given}
    for place, kind in enumerate(op.types):
        tensor = tensors[place]
        if kind in FIXED or known.setdefault(kind, tensor.dtype) != tensor.dtype:
            expected = kind if kind in FIXED else known[kind]
            if tensor.dtype != expected:
                raise _mixed(op, op.input_names[place], tensor, expected)
        if kind == "T" and op.accepts is not None and tensor.dtype not in op.accepts:
            raise not_accepted(op, op.input_names[place], tensor.name, tensor.dtype)
    return known


def bound_attributes(op: Any, tensors: Sequence[Tensor], given: Mapping[str, Any]) -> dict[str, Any]:
    """The same of a node whose inputs stand one after the other, those of a `*` argument among them.

    Raises: DtypeError where types do not agree with each other or with what is given;
            ValueRefused for another number of inputs.
    """
    lists = sum(name.startswith("*") for name in op.input_names)
    single = len(op.input_names) - lists
    length = (len(tensors) - single) // lists if lists else 0
    if single + lists * length != len(tensors) or length < 0:
        raise ValueRefused(
            f"{op.name} takes {len(op.input_names)} inputs, but got {len(tensors)}.",
            message_zh=f"{op.name} 需要 {len(op.input_names)} 个输入，但得到 {len(tensors)} 个。",
        )
    if not lists:
        return attributes_of(op, tensors, given)
    left = iter(tensors)
    inputs = [
        [next(left) for _ in range(length)] if name.startswith("*") else next(left) for name in op.input_names
    ]
    return {**op.defaults, **given, **_bind(op, list(_arguments(op, inputs)), tensors)}


Argument = tuple[str, str, Any]  # name, type attribute, value


def _arguments(op: Any, inputs: Sequence[Any]) -> Iterator[Argument]:
    """The inputs one after the other, variables read, the list given for a `*` argument spread out."""
    if len(inputs) != len(op.input_names):
        raise ValueRefused(
            f"{op.name} takes {len(op.input_names)} inputs, but got {len(inputs)}.",
            message_zh=f"{op.name} 需要 {len(op.input_names)} 个输入，但得到 {len(inputs)} 个。",
        )
    for name, kind, value in zip(op.input_names, op.types, inputs, strict=True):
        if name.startswith("*"):
            for index, item in enumerate(value):
                yield f"{name[1:]}_{index}", kind, _read(item)
        else:
            yield name, kind, _read(value)


def _read(value: Any) -> Any:
    return value.as_tensor() if isinstance(value, Operators) else value


def _create(
    op: Any,
    arguments: Sequence[Argument],
    tensors: Sequence[Tensor],
    name: str,
    attributes: Mapping[str, Any],
) -> Node:
    known = {**op.defaults, **attributes, **_bind(op, arguments, tensors)}
    made: Node = _home_of(tensors).create_node(op, tensors, known, name)
    return made


def _convert(arguments: Sequence[Argument]) -> list[Tensor]:
    """Constants for the plain values; those that share a type attribute take the tensors' dtype."""
    dtypes: dict[str, str] = {}
    for _, kind, value in arguments:
        if isinstance(value, (Tensor, IndexedSlices)):
            dtypes.setdefault(kind, value.dtype)
    tensors = []
    for name, kind, value in arguments:
        wanted = kind if kind in FIXED else dtypes.get(kind)
        prefer = "int32" if kind in INDEX_TYPES else None
        if kind in INT32_TYPES and isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind == "i":
            wanted = wanted or prefer
        tensor = convert_to_tensor(value, dtype=wanted, name=name, prefer=prefer)
        dtypes.setdefault(kind, tensor.dtype)
        tensors.append(tensor)
    return tensors


def _bind(op: Any, arguments: Sequence[Argument], tensors: Sequence[Tensor]) -> dict[str, Any]:
    """The type attributes that the inputs give (inputs that share one must agree), and N."""
    bound: dict[str, Any] = {}
    for (name, kind, _), tensor in zip(arguments, tensors, strict=True):
        if kind.endswith("[]"):  # a list in which each may have its own type
            bound.setdefault(kind[:-2], []).append(tensor.dtype)
            continue
        expected = kind if kind in FIXED else bound.setdefault(kind, tensor.dtype)
        if expected != tensor.dtype:
            raise _mixed(op, name, tensor, expected)
        if kind == "T" and op.accepts is not None and tensor.dtype not in op.accepts:
            raise not_accepted(op, name, tensor.name, tensor.dtype)
    lists = sum(name.startswith("*") for name in op.input_names)
    if lists and not any(kind.endswith("[]") for kind in op.types):
        bound["N"] = (len(tensors) - len(op.input_names) + lists) // lists
    return bound


def _mixed(op: Any, argument: str, tensor: Tensor, expected: str) -> DtypeError:
    return DtypeError(
        f"{op.name} needs {expected} for its input {argument}, but {tensor.name} is {tensor.dtype}.",
        hint=f"TensorFlow never converts by itself: write tf.cast(…, tf.{expected}).",
        message_zh=f"{op.name} 的输入 {argument} 需要 {expected}，但 {tensor.name} 是 {tensor.dtype}。",
        hint_zh=f"TensorFlow 不会自动转换类型：请写 tf.cast(…, tf.{expected})。",
    )


def convert_to_tensor(
    value: Any, dtype: str | None = None, name: str | None = None, prefer: str | None = None
) -> Tensor:
    """A tensor for any value: variables are read, lists with tensors packed, plain values made constants.

    prefer:  the dtype of a plain value where it can have it; `dtype` is the one that it must have.
    Shapes:  that of the value; lists are stacked along new first axes.
    Raises:  DtypeError for a tensor of another dtype; ValueRefused for what no tensor can hold.
    """
    if isinstance(value, Operators):
        value = value.as_tensor()
    if isinstance(value, Tensor):
        if dtype is not None and value.dtype != dtype:
            raise DtypeError(
                f"This needs a tensor of {dtype}, but {value.name} is {value.dtype}.",
                hint=f"Write tf.cast(…, tf.{dtype}).",
                message_zh=f"这里需要 {dtype} 张量，但 {value.name} 是 {value.dtype}。",
                hint_zh=f"请写 tf.cast(…, tf.{dtype})。",
            )
        return value
    if isinstance(value, IndexedSlices):
        return value.densify(name)
    if isinstance(value, (list, tuple)) and holds_tensor(value):
        return _packed(value, dtype, name or "packed")
    return constant_node(as_array(value, dtype, prefer), name or "Const")


def holds_tensor(value: Any) -> bool:
    """Whether a tensor or variable stands anywhere in nested lists."""
    if isinstance(value, (list, tuple)):
        return any(holds_tensor(item) for item in value)
    return isinstance(value, Operators)


def _packed(values: Sequence[Any], dtype: str | None, name: str) -> Tensor:
    """A list with tensors in it, stacked along a new first axis (nested lists from the inside out)."""
    with name_scope(name, "packed") as scope:
        found = dtype or next(_dtypes_in(values))
        items = [convert_to_tensor(item, dtype=found, name=str(i)) for i, item in enumerate(values)]
        return REGISTRY["Pack"](items, name=scope)


def _dtypes_in(values: Sequence[Any]) -> Any:
    for item in values:
        if isinstance(item, (list, tuple)):
            yield from _dtypes_in(item)
        elif isinstance(item, Operators):
            yield item.as_tensor().dtype


def constant_node(array: Array, name: str) -> Tensor:
    """A Const node that holds `array`.

    Shapes:  array (*S) -> (*S), of the array's dtype.
    """
    op = REGISTRY["Const"]  # (one stands beside nearly every node, so the way by `build` is cut short)
    node: Node = current_graph().create_node(op, (), {"value": array, "dtype": name_of(array.dtype)}, name)
    return node.outputs[0]


def as_array(value: Any, dtype: str | None = None, prefer: str | None = None) -> Array:
    """A plain value as an array of the dtype that TensorFlow would give it.

    Python floats become the graph's default float (float32), integers int32, arrays keep their own.
    Raises: ValueRefused where the value is ragged or no number; DtypeError where `dtype` cannot hold it.
    """
    if is_text(value):
        return _texts(value, dtype)
    raw = _raw_array(value)
    kind = name_of(raw.dtype)
    if kind not in DTYPES and not (kind in COMPLEX and isinstance(value, np.ndarray)):
        raise ValueRefused(
            f"Tensors hold numbers, booleans and texts, not {_kind_of(value)}.",
            message_zh=f"张量只能存放数字、布尔值和文字，不能存放 {_kind_of(value)}。",
        )
    if dtype is None:
        return raw if isinstance(value, (np.ndarray, np.generic)) else _default_dtype(raw, prefer)
    if dtype in INTEGERS and kind in FLOATS and raw.size:
        raise _not_an_integer(value, dtype)
    if ((dtype == "bool") != (kind == "bool") or dtype == TEXT) and raw.size:
        raise DtypeError(
            f"A {dtype} tensor cannot be made of {kind} values.",
            message_zh=f"不能用 {kind} 的值构造 {dtype} 张量。",
        )
    return raw.astype(array_dtype(dtype))


def _texts(value: Any, dtype: str | None) -> Array:
    """Texts as an array of them. Raises: DtypeError where numbers are asked for."""
    if dtype in (None, TEXT):
        return text_array(value)
    raise DtypeError(
        f"Numbers of the type {dtype} are needed here, not texts.",
        hint=_text_hint(value)[0],
        message_zh=f"这里需要 {dtype} 类型的数，不能是文字。",
        hint_zh=_text_hint(value)[1],
    )


def _raw_array(value: Any) -> Array:
    if value is None:
        raise ValueRefused(
            "None is not a tensor.",
            hint="A gradient that is None means: no path joins x to y.",
            message_zh="None 不是张量。",
            hint_zh="梯度为 None 表示 x 与 y 没有连接。",
        )
    try:
        return np.asarray(value)
    except (ValueError, TypeError, OverflowError):
        raise ValueRefused(
            "The rows of a nested list must all have the same length.",
            message_zh="嵌套列表的各行长度必须相同。",
        ) from None


def _text_hint(value: Any) -> tuple[str, str]:
    if isinstance(value, str) and value.strip().lstrip("+-").replace(".", "", 1).isdigit():
        return "Write the number without quotes.", "请去掉数字两边的引号。"
    return "tf.strings.to_number(…) makes numbers of digits.", "用 tf.strings.to_number(…) 把数字文字变成数。"


def _kind_of(value: Any) -> str:
    return type(value).__name__


def _default_dtype(raw: Array, prefer: str | None) -> Array:
    if raw.size == 0 and prefer:
        return raw.astype(prefer)
    if raw.dtype.name == "float64":
        return raw.astype(current_graph().default_float)
    if raw.dtype.name == "int64":
        if prefer:
            return raw.astype(prefer)
        small = raw.size == 0 or (raw.min() >= -(2**31) and raw.max() < 2**31)
        return raw.astype("int32" if small else "int64")
    return raw


def _not_an_integer(value: Any, dtype: str) -> DtypeError:
    return DtypeError(
        f"{quoted(value)} is not an integer, but the other operand is {dtype}.",
        hint="Write a whole number, or convert the tensor with tf.cast(…, tf.float32).",
        message_zh=f"{quoted(value)} 不是整数，而另一个操作数是 {dtype}。",
        hint_zh="请写整数，或用 tf.cast(…, tf.float32) 转换张量。",
    )
