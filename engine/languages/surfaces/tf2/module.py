"""The `tensorflow` module of a TensorFlow 2 program: TensorFlow 1's functions, run at once, and more."""

from __future__ import annotations

import random
from dataclasses import replace
from math import inf
from typing import Any

import numpy as np

from engine import ops
from engine.errors import ProgramError, ShapeError
from engine.graph import Tensor, Variable
from engine.languages.interpreter.arguments import ANY
from engine.languages.interpreter.builtins.functions import Kind
from engine.languages.interpreter.builtins.text import to_repr, to_str
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.classes.builtin_exceptions import EXCEPTIONS, OF_OPS
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.operators import truth
from engine.languages.interpreter.values import NUMBERS, Ignored, Module, concrete
from engine.languages.surfaces.argument_kinds import ANY_DTYPE, AXES, LIST, SHAPE
from engine.languages.surfaces.argument_order import TENSORFLOW_2, put_in_order
from engine.languages.surfaces.dtypes import dtype_name
from engine.languages.surfaces.keras import (  # for their tables
    backend,
    layers,
    losses,
    metrics,
    models,
    own_losses,
)
from engine.languages.surfaces.keras.counting import (
    best_metrics,
    class_metrics,
    counted_metrics,
    crossentropies,
    own_metrics,
)
from engine.languages.surfaces.keras.fitting import callbacks, constraints, regularizers, sequences, sources
from engine.languages.surfaces.keras.namespaces import draws, functions
from engine.languages.surfaces.keras.optimizers import (  # noqa: F401  # for their tables
    optimizer,
    schedules,
    state,
)
from engine.languages.surfaces.keras.preparing import tokenizer
from engine.languages.surfaces.keras.saving import initial_rules
from engine.languages.surfaces.library import Library
from engine.languages.surfaces.numpy.module import to_array
from engine.languages.surfaces.python import clock
from engine.languages.surfaces.tensors import TensorShape
from engine.languages.surfaces.tf1 import module as tf1_module  # noqa: F401  # for its table
from engine.languages.surfaces.tf1.files import summaries
from engine.languages.surfaces.tf1.functions.ops import TF
from engine.languages.surfaces.tf2 import (
    asserts,
    data,
    loops,
    modules,
    own_gradient,
    pipelines,
    strict,
    variables,
)
from engine.languages.surfaces.tf2 import op_errors as op_errors_module  # noqa: F401  # for its texts
from engine.languages.surfaces.tf2.eager import EagerShape
from engine.languages.surfaces.tf2.functions import arrays, function, running, signature
from engine.languages.surfaces.tf2.functions.said import GivenLoop, said_cond
from engine.languages.surfaces.tf2.functions.signature import shape_of
from engine.languages.surfaces.tf2.functions.traced import tracing_now
from engine.languages.surfaces.tf2.looping import body as looping_body  # noqa: F401  # for its table
from engine.languages.surfaces.tf2.more import arrays as more_arrays
from engine.languages.surfaces.tf2.more import counting, kinds, matrices, sampling, structures, texts, units
from engine.languages.surfaces.tf2.renamed import RENAMED, hints
from engine.languages.surfaces.tf2.tape import gradient_tape
from engine.ops.base.building import convert_to_tensor, current_graph
from engine.ops.base.shapes import element_count, whole_number, written
from engine.ops.base.tensors import Operators
from engine.ops.control_flow.printing import written_rows

TENSORFLOW_VERSION = "2.21.0"
KERAS_VERSION = "3.15.1"
TF2 = Library("tf")

GRAPH_ONLY = (
    *("Session", "InteractiveSession", "placeholder", "global_variables_initializer", "get_variable"),
    *("local_variables_initializer", "initialize_all_variables", "variables_initializer", "variable_scope"),
    *("initialize_variables", "initialize_local_variables", "get_default_session", "global_variables"),
    *("all_variables", "trainable_variables", "assign", "assign_add", "assign_sub", "reset_default_graph"),
    *("get_default_graph", "Graph", "get_variable_scope", "ConfigProto", "GPUOptions", "hessians"),
    *("gradients", "compat.v1.gradients", "RegisterGradient"),
    *("train.piecewise_constant", "train.piecewise_constant_decay"),
    *("layers.batch_normalization", "nn.fused_batch_norm"),
    *("train.ExponentialMovingAverage", "moving_average_variables", "is_variable_initialized"),
    *("Print", "print", "check_numerics", "verify_tensor_all_finite", "test.compute_gradient"),
    *(name for name in TF.members if "assert_" in name or name.startswith("summary.")),
    *("train.Saver", "train.latest_checkpoint", "train.get_checkpoint_state", "train.checkpoint_exists"),
)

for name, member in TF.members.items():
    if name not in GRAPH_ONLY:
        TF2.members[name] = member.called(f"tf.{name}") if type(member) is Native else member
TF2.refused.update(TF.refused)
for name in ("GradientTape", "keras", "data", "print", "function", "contrib"):
    TF2.refused.pop(name, None)
TF2.refuse(
    [name for name in GRAPH_ONLY if "." not in name and name not in asserts.members()],
    "It belongs to TensorFlow 1, which builds a graph first and runs it later. In TensorFlow 2 values "
    "are there at once: use tf.Variable, .assign(…) and tf.GradientTape.",
    "它属于先建图、后运行的 TensorFlow 1。TensorFlow 2 的数值立即可得：请使用 tf.Variable、.assign(…) "
    "和 tf.GradientTape。",
)
TF2.refuse(
    ["test.compute_gradient"],
    "Compare tape.gradient(…) with (f(x + h) - f(x - h)) / (2 * h).",
    "请把 tape.gradient(…) 与 (f(x + h) - f(x - h)) / (2 * h) 比较。",
)
TF2.refuse(
    ["layers.batch_normalization", "nn.fused_batch_norm"],
    "Write mean, variance = tf.nn.moments(x, [0]), and then tf.nn.batch_normalization(x, mean, variance, "
    "offset, scale, 1e-3).",
    "请写 mean, variance = tf.nn.moments(x, [0])，再写 tf.nn.batch_normalization(x, mean, variance, offset, "
    "scale, 1e-3)。",
)
TF2.refuse(
    ["train.ExponentialMovingAverage"],
    "Keep the average in a variable of its own: mean.assign(decay * mean + (1 - decay) * v).",
    "请用一个变量保存平均值：mean.assign(decay * mean + (1 - decay) * v)。",
)
TF2.refuse(
    ["keras.layers"],
    f"Here are {', '.join(sorted(layers.LAYERS))}; write others as a class that inherits from "
    "tf.keras.layers.Layer.",
    f"这里有 {'、'.join(sorted(layers.LAYERS))}；其他层请写成继承 tf.keras.layers.Layer 的类。",
)
TF2.refuse(
    ["autodiff"],
    "A tape gives the same number: take tape.jacobian(y, x), and multiply it by the tangent with "
    "tf.linalg.matvec.",
    "用 tape 可以得到同样的数：先求 tape.jacobian(y, x)，再用 tf.linalg.matvec 乘以切向量。",
)
TF2.function("TensorArray", element_shape=SHAPE)(arrays.tensor_array)
TF2.value(TENSORFLOW_VERSION, "__version__", "VERSION", "version.VERSION")
TF2.value(KERAS_VERSION, "keras.__version__")
TF2.members.pop("keras.backend")
for name, function_ in backend.members().items():
    TF2.function(name, **backend.ARGUMENTS.get(name, {}))(function_)
TF2.value(Ignored("tf.summary", summaries.NOTE, summaries.NOTE_ZH, "summary_not_written"), "summary")
TF2.value(Ignored("tf.keras.utils"), "keras.utils.plot_model")
TF2.value(modules.MODULE, "Module")
TF2.function("name_scope")(modules.name_scope)
for error in OF_OPS:
    TF2.value(EXCEPTIONS[error], f"errors.{error}")
TF2.function("function", input_signature=kinds.SEQUENCE)(function.function)
TF2.function("TensorSpec", dtype=ANY_DTYPE)(signature.tensor_spec)
TF2.function("custom_gradient")(own_gradient.custom_gradient)
TF2.members.pop("config")
for name, setting in running.MEMBERS.items():
    TF2.function(name)(setting)
for name in running.IGNORED:
    TF2.value(Ignored(f"tf.config.{name}"), f"config.{name}")
TF2.value("none", "UnconnectedGradients.NONE")
TF2.value("zero", "UnconnectedGradients.ZERO")
TF2.value(-1, "data.AUTOTUNE", "data.experimental.AUTOTUNE")
TF2.value(
    Kind("tf.Variable", variables.variable, (Variable,), arguments={"dtype": ANY_DTYPE}),
    "Variable",
    "contrib.eager.Variable",
)
TF2.function("GradientTape", "contrib.eager.GradientTape")(gradient_tape)
for name, make in {**data.MEMBERS, **pipelines.MEMBERS, **loops.MEMBERS, **strict.MEMBERS}.items():
    TF2.function(name, **kinds.KINDS.get(name, {}))(make)
    TF2.refused.pop(name, None)
for name, make in texts.MEMBERS.items():
    TF2.function(name, **texts.KINDS[name])(make)
for name, make in sampling.MEMBERS.items():
    TF2.function(name, **({"seed": ANY} if "stateless" in name else {}))(make)
    TF2.refused.pop(name, None)
ARRAYS = matrices.MEMBERS | more_arrays.MEMBERS | units.MEMBERS | structures.MEMBERS | counting.MEMBERS
for name, make in ARRAYS.items():
    TF2.function(name, **kinds.KINDS.get(name, {}))(make)
    TF2.refused.pop(name, None)
for part in (
    optimizer,
    schedules,
    losses,
    own_losses,
    own_metrics,
    asserts,
    metrics,
    crossentropies,
    class_metrics,
    counted_metrics,
    best_metrics,
    models,
    initial_rules,
    regularizers,
    constraints,
    callbacks,
    sequences,
    sources,
    tokenizer,
):
    TF2.members.update(part.members())


@TF2.function("enable_eager_execution", "enable_v2_behavior", "contrib.eager.enable_eager_execution")
def enable_eager_execution(*ignored: Any, **settings: Any) -> None:
    """Operations run at once: they do already."""


@TF2.function("TensorShape")
def tensor_shape(dims: Any = None) -> EagerShape:
    """What is known of a shape; None is any, also for one axis."""
    found = EagerShape.of(None if dims is None else shape_of(dims))
    assert isinstance(found, EagerShape)
    return found


_makes_shape = TF2.members["TensorShape"]
TF2.value(
    Kind("tf.TensorShape", _makes_shape.function, (TensorShape,), arguments=_makes_shape.arguments),
    "TensorShape",
)


@TF2.function("executing_eagerly")
def executing_eagerly() -> bool:
    """True, but where a function is traced."""
    return tracing_now() is None


@TF2.function("cond")
def cond(
    interpreter: Interpreter, pred: Any, true_fn: Any = None, false_fn: Any = None, name: Any = None
) -> Any:
    """The branch that the condition chooses."""
    for branch, given in (("true_fn", true_fn), ("false_fn", false_fn)):
        if given is None:
            raise ProgramError(
                f"{branch} must be callable.",
                message_zh=f"{branch} 必须是可以调用的函数。",
                code="wrong_arguments",
            )
    said, holds = said_cond(interpreter, true_fn, false_fn), truth(pred)
    if said is not None:
        said.note(interpreter, said.names, holds=holds)
    return interpreter.call(true_fn if holds else false_fn, [], {})


@TF2.function("while_loop")
def while_loop(
    interpreter: Interpreter,
    cond: Any,
    body: Any,
    loop_vars: Any,
    shape_invariants: Any = None,
    parallel_iterations: Any = 10,
    back_prop: Any = True,
    swap_memory: Any = False,
    maximum_iterations: Any = None,
    name: Any = None,
) -> Any:
    """The body again and again while the condition holds, each turn recorded; numbers become tensors."""
    values, turn, form = _loop_variables(list(loop_vars)), 0, type(loop_vars)
    most = inf if maximum_iterations is None else _whole(maximum_iterations)
    rounds = GivenLoop(interpreter, cond, body)
    while turn < most:
        rounds.begin(values)
        if not truth(interpreter.call(cond, values, {})):
            break
        rounds.turn(turn + 1)
        interpreter.budget.step()
        given = interpreter.call(body, values, {})
        form = type(given) if isinstance(given, (list, tuple)) else form
        values, turn = _loop_variables(list(given) if isinstance(given, (list, tuple)) else [given]), turn + 1
    rounds.end(turn, is_tested=turn < most)
    return tuple(values) if issubclass(form, tuple) else values


def _loop_variables(values: list[Any]) -> list[Any]:
    """Numbers, arrays and variables as tensors; a TensorArray and a structure stay what they are."""
    return [
        convert_to_tensor(value) if isinstance(value, (*NUMBERS, np.ndarray, Variable)) else value
        for value in values
    ]


def _whole(given: Any) -> int:
    known = concrete(given)
    return whole_number(given if known is None else known, "maximum_iterations")


@TF2.function("where")
def where(condition: Any, x: Any = None, y: Any = None, name: Any = None) -> Any:
    """Elements of x where the condition holds, of y elsewhere; shapes are broadcast."""
    if (x is None) != (y is None):
        raise ProgramError(
            "x and y must both be non-None or both be None.",
            message_zh="x 和 y 必须同时给出，或者都不给。",
            code="wrong_arguments",
        )
    if x is None:
        return TF.members["where"].function(condition, name=name)
    test = convert_to_tensor(condition)
    a, b = _alike(x, y)
    if not test.shape == a.shape == b.shape:
        test, a, b = _of_one_shape(test, a, b)
    return ops.select(test, a, b, name=name)


def _of_one_shape(*tensors: Tensor) -> list[Tensor]:
    """Three tensors broadcast against each other."""
    shapes = [one.shape for one in tensors]
    if any(shape is None or None in shape for shape in shapes):
        zeros = [ops.zeros_like(one, dtype="int32") for one in tensors]
        whole = ops.shape_of(zeros[0] + zeros[1] + zeros[2])
        return [ops.broadcast_to(one, whole) for one in tensors]
    try:
        shape = np.broadcast_shapes(*(tuple(length or 0 for length in shape or ()) for shape in shapes))
    except ValueError:
        raise _not_together(shapes) from None
    return [one if one.shape == shape else ops.broadcast_to(one, list(shape)) for one in tensors]


def _not_together(shapes: list[Any]) -> ShapeError:
    condition, then, other = map(written, shapes)
    return ShapeError(
        f"The condition {condition} and the values {then} and {other} cannot be broadcast to one shape.",
        hint="Lengths must be equal, or one of them 1.",
        message_zh=f"条件 {condition} 与值 {then}、{other} 不能广播成同一形状。",
        hint_zh="各轴长度必须相等，或其中一个为 1。",
        kind="InvalidArgumentError",
    )


def _alike(x: Any, y: Any) -> tuple[Any, Any]:
    """Both as tensors of one type; a plain number takes the type of the other."""
    if concrete(x) is None and concrete(y) is not None:
        return convert_to_tensor(x, dtype=y.dtype), convert_to_tensor(y)
    first = convert_to_tensor(x)
    return first, convert_to_tensor(y, dtype=None if concrete(y) is not None else first.dtype)


@TF2.function("constant", "contrib.eager.constant", dtype=ANY_DTYPE)
def constant(
    interpreter: Interpreter, value: Any, dtype: Any = None, shape: Any = None, name: Any = "Const"
) -> Tensor:
    """A fixed value; a tensor that is there already stays the same. A list has to hold all that fits."""
    if isinstance(value, Operators):
        tensor = convert_to_tensor(value, dtype=dtype_name(dtype))
        return tensor if shape is None else ops.reshape(tensor, shape, name=name)
    if dtype_name(dtype) in (None, "float32"):
        strict.check_range(value)
    made: Tensor = TF.members["constant"].function(interpreter, value, dtype, shape, name)
    given = np.size(value)
    if shape is not None and given not in (1, element_count(made.shape)):
        raise _not_of_the_shape(given, made)
    return made


def _not_of_the_shape(given: int, made: Tensor) -> ShapeError:
    wanted = written(made.shape)
    return ShapeError(
        f"{given} values do not fill the shape {wanted}.",
        hint="Give as many values as the shape has elements, or a single one for all.",
        message_zh=f"{given} 个值不能填满形状 {wanted}。",
        hint_zh="请给出与形状元素个数相同的值，或只给一个值。",
        kind="TypeError",
    )


@TF2.function("concat", values=LIST, axis=AXES)
def concat(values: Any, axis: Any, name: Any = "concat") -> Tensor:
    """Tensors one after the other along an axis, which may stand in a list by itself."""
    place = axis[0] if isinstance(axis, (list, tuple)) and len(axis) == 1 else axis
    joined: Tensor = TF.members["concat"].function(values, place, name)
    return joined


@TF2.function("random.set_seed")
def set_seed(seed: Any) -> None:
    """The seed of the random operations from here on."""
    graph: Any = current_graph()
    graph.set_seed(whole_number(seed, "seed"))


@TF2.function("keras.utils.set_random_seed")
def set_random_seed(interpreter: Interpreter, seed: Any) -> None:
    """The seed of Python's, numpy's and TensorFlow's random numbers."""
    whole = whole_number(seed, "seed")
    set_seed(whole)
    interpreter.workspace.numpy_random = np.random.RandomState(whole % 2**32)
    interpreter.workspace.python_random = random.Random(whole)
    interpreter.workspace.seed_source = None


@TF2.function("keras.utils.to_categorical", "keras.utils.np_utils.to_categorical")
def to_categorical(interpreter: Interpreter, x: Any, num_classes: Any = None) -> Any:
    """One-hot rows of class numbers, an array of an array's and a tensor of a tensor's.

    Shapes: x (*S) or (*S, 1) -> (*S, num_classes).
    Raises: ProgramError for a tensor without num_classes, as Keras does.
    """
    is_tensor = isinstance(x, Operators)
    if is_tensor and num_classes is None:
        raise ProgramError(
            "keras.utils.to_categorical() counts the classes of arrays and lists, not those of a tensor.",
            hint="Give num_classes, or write x.numpy().",
            message_zh="keras.utils.to_categorical() 只统计数组和列表的类别数，不统计张量的。",
            hint_zh="请给出 num_classes，或写 x.numpy()。",
            code="wrong_arguments",
            kind="ValueError",
        )
    classes = to_array(interpreter, x).astype("int64")
    if classes.ndim > 1 and classes.shape[-1] == 1:
        classes = classes.reshape(classes.shape[:-1])
    most = int(classes.max(initial=-1)) + 1
    count = most if num_classes is None else whole_number(num_classes, "num_classes")
    interpreter.budget.check_elements((*classes.shape, count))
    if classes.size and not (-count <= classes.min() and classes.max() < count):
        raise ProgramError(
            f"The classes run from {classes.min()} to {classes.max()}, but there are {count} of them.",
            hint="num_classes is the largest class number and one more.",
            message_zh=f"类别编号从 {classes.min()} 到 {classes.max()}，但只有 {count} 个类别。",
            hint_zh="num_classes 应为最大类别编号加一。",
            code="bad_value",
        )
    rows = np.eye(count)[classes]
    return ops.constant(rows, "float32") if is_tensor else rows


@TF2.function("is_tensor")
def is_tensor(x: Any) -> bool:
    """Whether it is a tensor or a variable."""
    return isinstance(x, (Tensor, Variable))


@TF2.function("timestamp")
def timestamp(interpreter: Interpreter, name: Any = None) -> Tensor:
    """A clock that moves a thousandth of a second per call, so that every run is the same."""
    return ops.constant(clock.reading(interpreter), "float64")


# -- print -------------------------------------------------------------------------------------------


@TF2.function("print")
def print_(interpreter: Interpreter, *inputs: Any, **options: Any) -> None:
    """Write values as TensorFlow writes them: 6 for 6.0, [1 2 3] for a vector."""
    separator = options.get("sep", " ")
    end = options.get("end", "\n")
    summarize = options.get("summarize", 3)
    interpreter.print(separator.join(_written(one, summarize) for one in inputs) + end)


def _written(value: Any, summarize: int = 3) -> str:
    """A value as `tf.print` writes it. summarize: how many numbers at both ends of a row; all for -1."""
    if isinstance(value, (list, tuple)):
        inner = ", ".join(_written(one, summarize) for one in value)
        return f"[{inner}]" if isinstance(value, list) else f"({inner})"
    if isinstance(value, dict):
        inner = ", ".join(f"{to_repr(key)}: {_written(value[key], summarize)}" for key in sorted(value))
        return f"{{{inner}}}"
    array = concrete(value) if concrete(value) is not None else value
    is_array = isinstance(array, (np.ndarray, np.generic))
    return written_rows(array, summarize) if is_array else to_str(value)


def tensorflow2_module() -> Module:
    """The module `tf` of TensorFlow 2; its `compat.v1` has the names of TensorFlow 1 as well."""
    return _with_compat(_without_older_names().module())


def eager_module() -> Module:
    """The module `tf` of TensorFlow 1 with eager execution turned on, which has the names of both."""
    library = Library("tf")
    library.members = {**TF2.members, **_as_in_1()}
    library.refused = TF2.refused
    return _with_compat(library.module())


def _as_in_1() -> dict[str, Any]:
    """What has another order of arguments in TensorFlow 1, or another meaning: its losses are means."""
    return {
        name: member
        for name, member in TF.members.items()
        if name in TENSORFLOW_2 or name.startswith("losses.")
    }


def _without_older_names() -> Library:
    """The names of TensorFlow 2, without those that only TensorFlow 1 has."""
    library = Library("tf")
    library.members = {name: member for name, member in TF2.members.items() if name not in RENAMED}
    library.refused = TF2.refused
    library.gone = {name: hints(name) for name in RENAMED if name in TF2.members}
    return library


def _with_compat(module: Module) -> Module:
    v1 = _compat_v1().module()
    older = module.members["compat"].members["v1"].members
    v1 = replace(v1, members={**v1.members, **older})
    return replace(
        module, members={**module.members, "compat": Module("tf.compat", {"v1": v1, "v2": module})}
    )


def _compat_v1() -> Library:
    """The names of TensorFlow 2, with TensorFlow 1's order of arguments."""
    library = Library("tf.compat.v1")
    library.members = {**TF2.members, **_as_in_1()}
    library.refused = {name: hints for name, hints in TF2.refused.items() if name not in SET_UP}
    library.value(Ignored("tf.compat.v1.ConfigProto"), "ConfigProto", "GPUOptions")
    library.function("Session", "InteractiveSession", config=ANY)(running.session_of_settings)
    library.value(Ignored("tf.compat.v1.keras.backend.set_session"), "keras.backend.set_session")
    return library


SET_UP = (
    "ConfigProto",
    "GPUOptions",
    "Session",
    "InteractiveSession",
)  # of a processor, before anything runs


for name, member in list(TF2.members.items()):  # TensorFlow 2 has Keras' names without `keras`, too
    if name.startswith(("keras.metrics.", "keras.losses.", "keras.initializers.", "keras.optimizers.")):
        TF2.members.setdefault(name.removeprefix("keras."), member)
put_in_order(TF2.members, TENSORFLOW_2)
TF2.members.update(functions.members(TF2.members) | draws.members())
