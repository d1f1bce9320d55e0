"""What the arguments of TensorFlow's functions are, by the names that it gives them everywhere."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.graph import Graph, Variable
from engine.languages.interpreter.arguments import BY_NAME, FLAG, Argument
from engine.languages.interpreter.values import Lazy
from engine.languages.surfaces.dtypes import NAMES_OF_TYPES, dtype_name
from engine.ops.base.shapes import MOST_AXES, too_many_axes
from engine.ops.base.slices import IndexedSlices
from engine.ops.base.tensors import TEXT, Operators

WHOLE = (int, np.integer)
PLAIN_NUMBERS = (int, float, np.integer, np.floating)
ROWS = (list, tuple, range, np.ndarray, Lazy)
LARGEST = 2**31  # axes and counts are int32


def _is_whole(value: Any) -> bool:
    """A whole number, or a tensor that the op itself asks for its type."""
    if isinstance(value, np.ndarray):
        return value.ndim == 0 and value.dtype.kind in "iu"
    return isinstance(value, Operators) or _is_count(value)


def _is_count(value: Any) -> bool:
    return isinstance(value, WHOLE) and abs(int(value)) < LARGEST


def _is_integral(value: Any) -> bool:
    """A whole number, or a float that is one: half of 64 is 32.0."""
    return _is_count(value) or (isinstance(value, (float, np.floating)) and float(value).is_integer())


def _check_axes(value: Any) -> None:
    """Raises: ShapeError for a row of more numbers than a tensor has axes."""
    count = np.size(value) if isinstance(value, np.ndarray) else len(value) if isinstance(value, ROWS) else 0
    if count > MOST_AXES:
        raise too_many_axes(count)


def _are_axes(value: Any) -> bool:
    """A whole number, or no more of them than a tensor has axes."""
    _check_axes(value)
    return _are_whole(value)


def _are_whole(value: Any) -> bool:
    """A whole number, or a list of them."""
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "iu" or value.size == 0
    return all(map(_is_whole, value)) if isinstance(value, (list, tuple, range)) else _is_whole(value)


def _is_shape(value: Any) -> bool:
    """Lengths of any size, which budgets bound; None stands for one, or for all, that are not known."""
    if value is None:
        return True
    _check_axes(value)
    if isinstance(value, (list, tuple)):
        return all(length is None or isinstance(length, (*WHOLE, Operators)) for length in value)
    return isinstance(value, WHOLE) or _are_whole(value)


def _is_any_dtype(value: Any) -> bool:
    """Raises: DtypeError for a name that no type has, with the nearest one."""
    return value is None or (isinstance(value, NAMES_OF_TYPES) and dtype_name(value) is not None)


def _is_dtype(value: Any) -> bool:
    """The same, but not that of texts."""
    return _is_any_dtype(value) and (value is None or dtype_name(value) != TEXT)


def _are_dtypes(value: Any) -> bool:
    """In the form of the tensors whose types they are."""
    if isinstance(value, dict):
        value = list(value.values())
    return all(map(_are_dtypes, value)) if isinstance(value, (list, tuple)) else _is_any_dtype(value)


def _are_tensors(value: Any) -> bool:
    """A tensor, or several in lists and dicts; one that is None is refused where it is used."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, ROWS):
        return len(value) > 0 and all(item is None or _are_tensors(item) for item in value)
    return _is_tensor(value)


def _is_tensor(value: Any) -> bool:
    return isinstance(value, (Operators, IndexedSlices))


def _are_variables(value: Any) -> bool:
    return isinstance(value, ROWS) and all(isinstance(one, Variable) for one in value)


NAME = Argument(
    "a text",
    "文字",
    lambda value: value is None or isinstance(value, str),
    'A name stands last and in quotes: name="layer1".',
    '名称写在最后，并加引号：name="layer1"。',
    code="bad_name",
)
WORD = Argument("a text", "文字", lambda value: isinstance(value, str), "Put it in quotes.", "请加上引号。")
AXIS = Argument(
    "one whole number",
    "一个整数",
    _is_whole,
    "Axes are counted from 0; -1 is the last one.",
    "轴从 0 开始数；-1 是最后一个轴。",
)
AXES = Argument(
    "a whole number or a list of them",
    "整数或整数的列表",
    _are_axes,
    "Axes are counted from 0; -1 is the last one.",
    "轴从 0 开始数；-1 是最后一个轴。",
)
SHAPE = Argument(
    "a list of whole numbers",
    "整数的列表",
    _is_shape,
    "A shape is written [2, 3]; a length that is computed needs // for its division.",
    "形状写作 [2, 3]；如果长度由除法算出，请用 //。",
)
LENGTHS = Argument(
    "a list of whole numbers",
    "整数的列表",
    lambda value: isinstance(value, (*ROWS, Operators)) and _is_shape(value) and _are_whole(value),
    "A shape is written [2, 3], and with one axis [2].",
    "形状写作 [2, 3]；只有一个轴时写作 [2]。",
)
COUNT = Argument(
    "a whole number", "整数", _is_count, "A division that gives a whole number is //.", "整数除法请用 //。"
)
LENGTH = Argument(
    "a whole number",
    "整数",
    lambda value: isinstance(value, (*WHOLE, Operators)),
    "A division that gives a whole number is //.",
    "整数除法请用 //。",
)  # of any size, which budgets bound
INTEGRAL = Argument(
    "a whole number", "整数", _is_integral, "A division that gives a whole number is //.", "整数除法请用 //。"
)
NUMBER = Argument("a number", "数字", lambda value: isinstance(value, PLAIN_NUMBERS))
SCALAR = Argument(
    "a number or a tensor", "数字或张量", lambda value: isinstance(value, (*PLAIN_NUMBERS, Operators))
)
LIST = Argument(
    "a list",
    "列表",
    lambda value: isinstance(value, (*ROWS, Operators)),
    "Put the values into square brackets: [a, b].",
    "请把这些值放进方括号：[a, b]。",
)
NUMBERS = Argument(
    "a list of numbers",
    "数字的列表",
    lambda value: isinstance(value, ROWS),
    "Write them in square brackets: [100, 200].",
    "请写在方括号里：[100, 200]。",
)
TENSOR = Argument(
    "a tensor",
    "张量",
    _is_tensor,
    "Make it with tf.constant(…) or tf.Variable(…).",
    "请用 tf.constant(…) 或 tf.Variable(…) 创建。",
)
TENSORS = Argument(
    "a tensor or a list of them",
    "张量或张量的列表",
    _are_tensors,
    "Make it with tf.constant(…) or tf.Variable(…).",
    "请用 tf.constant(…) 或 tf.Variable(…) 创建。",
)
VARIABLE = Argument(
    "a variable",
    "变量",
    lambda value: isinstance(value, Variable),
    "Make it with tf.Variable(…).",
    "请用 tf.Variable(…) 创建。",
)
VARIABLES = Argument(
    "a list of variables",
    "变量的列表",
    _are_variables,
    "Make them with tf.Variable(…).",
    "请用 tf.Variable(…) 创建。",
)
COLLECTIONS = Argument(
    "the name of a collection or a list of them",
    "集合的名字或名字的列表",
    lambda value: all(
        isinstance(one, str) for one in (value if isinstance(value, (list, tuple)) else [value])
    ),
    "Write tf.GraphKeys.UPDATE_OPS, or a name of your own.",
    "请写 tf.GraphKeys.UPDATE_OPS，或自己取的名字。",
)
DTYPE = Argument(
    "an element type",
    "元素类型",
    _is_dtype,
    "Write tf.float32 or tf.int32.",
    "请写 tf.float32 或 tf.int32。",
)
ANY_DTYPE = Argument(
    "an element type",
    "元素类型",
    _is_any_dtype,
    "Write tf.float32, tf.int32 or tf.string.",
    "请写 tf.float32、tf.int32 或 tf.string。",
)
DTYPES = Argument(
    "element types",
    "元素类型",
    _are_dtypes,
    "Write tf.float32 or tf.int32.",
    "请写 tf.float32 或 tf.int32。",
)
GRAPH = Argument(
    "a graph",
    "计算图",
    lambda value: isinstance(value, Graph),
    "Make it with tf.Graph().",
    "请用 tf.Graph() 创建。",
)

BY_NAME.update(
    {
        **dict.fromkeys(("name", "default_name", "accum_name", "linear_name", "tensor_array_name"), NAME),
        **dict.fromkeys(("loss_collection", "scope"), NAME),
        **dict.fromkeys(("metrics_collections", "updates_collections"), COLLECTIONS),
        **dict.fromkeys(("mode", "op_type", "indexing", "distribution"), WORD),
        **dict.fromkeys(("axis", "dim", "dimension", "reduction_indices", "squeeze_dims", "perm"), AXES),
        **dict.fromkeys(("shape", "dims", "x_shape", "y_shape", "noise_shape"), SHAPE),
        **dict.fromkeys(("count", "batch_size", "buffer_size"), COUNT),
        **dict.fromkeys(("units", "seed"), INTEGRAL),
        **dict.fromkeys(("clipnorm", "clipvalue", "global_clipnorm", "weight_decay"), NUMBER),
        **dict.fromkeys(("label_smoothing", "threshold"), NUMBER),
        **dict.fromkeys(("keep_prob", "rate", "clip_norm"), SCALAR),
        **dict.fromkeys(("t_list", "loop_vars", "inputs"), LIST),
        **dict.fromkeys(
            ("dtype", "out_type", "output_type", "output_dtype", "tensor_dtype", "out_idx", "index_dtype"),
            DTYPE,
        ),
        **dict.fromkeys(("keepdims", "keep_dims"), FLAG),
        "num": LENGTH,
        "num_rows": AXIS,
        "num_columns": AXIS,
        "boundaries": NUMBERS,
        "batch_shape": LENGTHS,
        "use_norm": TENSOR,
        "graph": GRAPH,
    }
)
