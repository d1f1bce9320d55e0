"""TensorFlow 1's loops: `tf.while_loop`, functions over rows, and arrays of tensors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.errors import ProgramError
from engine.graph.control_flow import building as control_flow
from engine.graph.control_flow import mapping
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.text import SHOWN
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.argument_kinds import DTYPES
from engine.languages.surfaces.dtypes import DType, dtype_name
from engine.languages.surfaces.scan_and_fold import Fold, Row, folds
from engine.languages.surfaces.structures import flat, in_form, values_for
from engine.languages.surfaces.tensors import TensorShape
from engine.languages.surfaces.tf1.functions.arrays import plain
from engine.languages.surfaces.tf1.functions.ops import TF
from engine.languages.surfaces.unsupported import refuse_given
from engine.ops.base.building import convert_to_tensor, current_graph
from engine.ops.base.shapes import written_lengths
from engine.ops.base.tensors import Shape, Tensor
from engine.ops.control_flow.tensor_arrays import TensorArray

STOPPED = (
    "Leave it out, and put tf.stop_gradient around what the loop gives.",
    "请去掉它，并用 tf.stop_gradient 包住循环的结果。",
)

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
    _check_back_prop("while_loop", back_prop)
    graph: Any = current_graph()
    variables = loop_vars if isinstance(loop_vars, (list, tuple)) else [loop_vars]
    if not variables:
        raise ProgramError(
            "A loop needs variables that its body changes.",
            message_zh="循环需要由循环体改变的变量。",
            hint="Write tf.while_loop(cond, body, [tf.constant(0)]).",
            hint_zh="请写 tf.while_loop(cond, body, [tf.constant(0)])。",
            code="wrong_arguments",
        )
    forms: list[Any] = []

    def going_on(*values: Any) -> Any:
        return interpreter.call(cond, list(in_form(variables, iter(values))), {})

    def turn(*values: Any) -> list[Any]:
        result = interpreter.call(body, list(in_form(variables, iter(values))), {})
        result = result if isinstance(result, (list, tuple)) else [result]
        found = values_for(variables, result, "The body of tf.while_loop")
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
        parallel=parallel_iterations if isinstance(parallel_iterations, int) else 10,
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
    return TensorShape.of(written_lengths(dims))


# -- a function over rows ----------------------------------------------------------------------------


@TF.function("map_fn", dtype=DTYPES)
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
    _check_back_prop("map_fn", back_prop)
    graph: Any = current_graph()
    form = elems if dtype is None else dtype
    types = None if dtype is None else [_type(one) for one in flat(dtype)]

    def each(row: list[Tensor]) -> list[Any]:
        found = interpreter.call(fn, [in_form(elems, iter(row))], {})
        return values_for(form, found, "The function of tf.map_fn")

    values = [plain(elem) for elem in flat(elems)]
    return in_form(form, iter(mapping.map_fn(graph, each, values, types, name)))


def _type(value: Any) -> str:
    return dtype_name(value) or "float32"


def _check_back_prop(title: str, back_prop: Any) -> None:
    """Raises: ProgramError for a loop that gradients are to stop at."""
    refuse_given(title.removeprefix("tf."), {"back_prop": not back_prop}, *STOPPED)


def _after_each(fold: Fold) -> Row:
    _check_back_prop(fold.title, fold.back_prop)
    graph: Any = current_graph()
    values = [plain(elem) for elem in flat(fold.elems)]
    return mapping.scan(graph, fold.step, values, fold.start, reverse=fold.backwards, name=fold.name)


def _after_all(fold: Fold) -> Row:
    _check_back_prop(fold.title, fold.back_prop)
    graph: Any = current_graph()
    values = [plain(elem) for elem in flat(fold.elems)]
    return mapping.fold(graph, fold.step, values, fold.start, from_right=fold.backwards, name=fold.name)


for _name, _function in folds(_after_each, _after_all).items():
    TF.function(_name)(_function)


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
