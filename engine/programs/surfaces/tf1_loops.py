"""TensorFlow 1's loops: `tf.while_loop`, functions over rows, and arrays of tensors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from engine.errors import ProgramError
from engine.graph import control_flow, mapping
from engine.ops.building import convert_to_tensor, current_graph
from engine.ops.tensor_arrays import TensorArray
from engine.ops.tensors import Shape, Tensor
from engine.programs.interpreter.attributes import members_of
from engine.programs.interpreter.machine import Interpreter
from engine.programs.interpreter.text import SHOWN

from .dtypes import DType, dtype_name
from .tensors import TensorShape
from .tf1_ops import TF, plain

# -- values in lists, tuples and dicts ----------------------------------------------------------------


def flat(value: Any) -> Iterator[Any]:
    """The values that stand in lists, tuples and dicts, one inside the other."""
    if isinstance(value, dict):
        value = [value[key] for key in sorted(value)]
    if isinstance(value, (list, tuple)) and not isinstance(value, TensorShape):
        for item in value:
            yield from flat(item)
    else:
        yield value


def in_form(form: Any, values: Iterator[Any]) -> Any:
    """Values put into lists, tuples and dicts as `form` has its own."""
    if isinstance(form, dict):
        found = {key: in_form(form[key], values) for key in sorted(form)}
        return {key: found[key] for key in form}
    if isinstance(form, (list, tuple)):
        return type(form)(in_form(item, values) for item in form)
    return next(values)


def packed(form: Any, values: Sequence[Any], what: str) -> Any:
    """As `in_form`, where there are as many.

    Raises: ProgramError where there are more or fewer.
    """
    if len(list(flat(form))) != len(values):
        raise ProgramError(
            f"{what} gives {len(values)} values, but takes {len(list(flat(form)))}.",
            message_zh=f"{what} 返回 {len(values)} 个值，但接收 {len(list(flat(form)))} 个。",
            hint="A turn hands on to the next as many values, in the same order.",
            hint_zh="每一轮必须把同样多、同样顺序的值交给下一轮。",
            code="wrong_arguments",
        )
    return in_form(form, iter(values))


# -- loops -------------------------------------------------------------------------------------------


@TF.function("while_loop")
def while_loop(
    interpreter: Interpreter,
    cond: Any,
    body: Any,
    loop_vars: Any,
    shape_invariants: Any = None,
    parallel_iterations: Any = 10,
    back_prop: Any = True,
    swap_memory: Any = False,
    name: Any = None,
    maximum_iterations: Any = None,
    return_same_structure: Any = False,
) -> Any:
    """A loop inside the graph."""
    graph: Any = current_graph()
    variables = loop_vars if isinstance(loop_vars, (list, tuple)) else [loop_vars]
    forms: list[Any] = []

    def going_on(*values: Any) -> Any:
        return interpreter.call(cond, list(in_form(variables, iter(values))), {})

    def turn(*values: Any) -> list[Any]:
        result = interpreter.call(body, list(in_form(variables, iter(values))), {})
        result = result if isinstance(result, (list, tuple)) else [result]
        found = list(flat(result))
        packed(variables, found, "The body of tf.while_loop")
        forms.append(result)
        return found

    ends = control_flow.while_loop(
        graph,
        going_on,
        turn,
        list(flat(variables)),
        name,
        shapes=None if shape_invariants is None else [_known(shape) for shape in _shapes(shape_invariants)],
        most=plain(maximum_iterations),
    )
    if len(ends) == 1 and not return_same_structure:
        return ends[0]
    return in_form(forms[0], iter(ends))


def _shapes(given: Any) -> Iterator[Any]:
    """The shapes one by one: each a TensorShape, as TensorFlow asks for."""
    for shape in flat(given):
        if not isinstance(shape, TensorShape):
            raise ProgramError(
                "shape_invariants holds a tf.TensorShape for each loop variable.",
                message_zh="shape_invariants 必须为每个循环变量给出 tf.TensorShape。",
                hint="Write shape_invariants=[tf.TensorShape([]), tf.TensorShape([None])].",
                hint_zh="请写 shape_invariants=[tf.TensorShape([]), tf.TensorShape([None])]。",
                code="wrong_arguments",
            )
        yield shape


def _known(shape: TensorShape) -> Shape:
    return tuple(shape) if shape.known else None


@TF.function("TensorShape")
def tensor_shape(dims: Any = None) -> TensorShape:
    """A static shape; None is any, also for one axis."""
    return TensorShape.of(None if dims is None else tuple(None if n is None else int(n) for n in dims))


# -- a function over rows ----------------------------------------------------------------------------


@TF.function("map_fn")
def map_fn(
    interpreter: Interpreter,
    fn: Any,
    elems: Any,
    dtype: Any = None,
    parallel_iterations: Any = None,
    back_prop: Any = True,
    swap_memory: Any = False,
    infer_shape: Any = True,
    name: Any = None,
) -> Any:
    """The function of each row, side by side."""
    graph: Any = current_graph()
    form = elems if dtype is None else dtype
    rows = rows_of(elems)
    types = [row.dtype for row in rows] if dtype is None else [_type(one) for one in flat(dtype)]

    def each(values: list[Tensor]) -> list[Any]:
        found = list(flat(interpreter.call(fn, [in_form(elems, iter(values))], {})))
        packed(form, found, "The function of tf.map_fn")
        return found

    return in_form(form, iter(mapping.map_fn(graph, each, rows, types, name)))


def rows_of(elems: Any) -> list[Any]:
    """The tensors whose rows are gone through; arrays and lists of numbers become one each."""
    if isinstance(elems, (tuple, dict)) or (isinstance(elems, list) and any(_is_tensor(e) for e in elems)):
        return [convert_to_tensor(plain(elem), name="elem") for elem in flat(elems)]
    return [convert_to_tensor(plain(elems), name="elem")]


def _is_tensor(value: Any) -> bool:
    return hasattr(value, "as_tensor")


def _type(value: Any) -> str:
    return dtype_name(value) or "float32"


def _step(interpreter: Interpreter, function: Any, state: Any, elems: Any, what: str) -> mapping.Step:
    """A function of the program, of what has been found and a row, on lists of tensors."""

    def step(before: list[Tensor], row: list[Tensor]) -> list[Any]:
        given = [in_form(state, iter(before)), in_form(elems, iter(row))]
        found = list(flat(interpreter.call(function, given, {})))
        packed(state, found, what)
        return found

    return step


@TF.function("scan")
def scan(
    interpreter: Interpreter,
    fn: Any,
    elems: Any,
    initializer: Any = None,
    parallel_iterations: Any = 10,
    back_prop: Any = True,
    swap_memory: Any = False,
    infer_shape: Any = True,
    reverse: Any = False,
    name: Any = None,
) -> Any:
    """What the function makes of each row and what it made of the row before, side by side."""
    graph: Any = current_graph()
    form = elems if initializer is None else initializer
    step = _step(interpreter, fn, form, elems, "The function of tf.scan")
    begun = None if initializer is None else [plain(value) for value in flat(initializer)]
    found = mapping.scan(graph, step, rows_of(elems), begun, reverse=bool(reverse), name=name)
    return in_form(form, iter(found))


def _fold(interpreter: Interpreter, fn: Any, elems: Any, initializer: Any, name: Any, right: bool) -> Any:
    graph: Any = current_graph()
    form = elems if initializer is None else initializer
    step = _step(interpreter, fn, form, elems, f"The function of tf.{'foldr' if right else 'foldl'}")
    begun = None if initializer is None else [plain(value) for value in flat(initializer)]
    found = mapping.fold(graph, step, rows_of(elems), begun, from_right=right, name=name)
    return in_form(form, iter(found))


@TF.function("foldl")
def foldl(
    interpreter: Interpreter,
    fn: Any,
    elems: Any,
    initializer: Any = None,
    parallel_iterations: Any = 10,
    back_prop: Any = True,
    swap_memory: Any = False,
    name: Any = None,
) -> Any:
    """The rows put together by a function of two, from the first on."""
    return _fold(interpreter, fn, elems, initializer, name, False)


@TF.function("foldr")
def foldr(
    interpreter: Interpreter,
    fn: Any,
    elems: Any,
    initializer: Any = None,
    parallel_iterations: Any = 10,
    back_prop: Any = True,
    swap_memory: Any = False,
    name: Any = None,
) -> Any:
    """The rows put together by a function of two, from the last on."""
    return _fold(interpreter, fn, elems, initializer, name, True)


# -- arrays of tensors -------------------------------------------------------------------------------


@TF.function("TensorArray")
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
) -> TensorArray:
    """An array that keeps tensors, one at each place."""
    if size is None or dynamic_size:
        raise ProgramError(
            "A tf.TensorArray here has a size that is given when it is made.",
            message_zh="这里的 tf.TensorArray 必须在创建时给出大小。",
            hint="Write tf.TensorArray(tf.float32, size=n), with the number of turns for n.",
            hint_zh="请写 tf.TensorArray(tf.float32, size=n)，n 为循环的轮数。",
            code="wrong_arguments",
        )
    return TensorArray(
        _type(dtype), plain(size), shape=None if element_shape is None else tuple(element_shape)
    )


ARRAY = members_of(TensorArray, "TensorArray")
ARRAY.fact("flow")(lambda array: array.flow)
ARRAY.fact("handle")(lambda array: array.handle)
ARRAY.fact("dtype")(lambda array: DType(array.dtype))
ARRAY.method("read")(lambda array, index, name=None: array.read(plain(index)))
ARRAY.method("write")(lambda array, index, value, name=None: array.write(plain(index), plain(value)))
ARRAY.method("stack")(lambda array, name=None: array.stack())
ARRAY.method("unstack")(lambda array, value, name=None: array.unstack(convert_to_tensor(plain(value))))
ARRAY.method("gather")(lambda array, indices, name=None: array.gather(plain(indices)))
ARRAY.method("scatter")(lambda array, indices, value, name=None: array.scatter(plain(indices), plain(value)))
ARRAY.method("size")(lambda array, name=None: array.size())
ARRAY.method("identity")(lambda array: array)
SHOWN[TensorArray] = (lambda array: "<tf.TensorArray>", lambda array: "<tf.TensorArray>")
