"""The `tensorflow` module of a TensorFlow 2 program: TensorFlow 1's functions, run at once, and more."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine import ops
from engine.graph import Tensor, Variable
from engine.languages.interpreter.arguments import ANY
from engine.languages.interpreter.builtins.functions import Kind
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.classes.builtin_exceptions import EXCEPTIONS, OF_OPS
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import Ignored, Module
from engine.languages.surfaces.argument_kinds import ANY_DTYPE, SHAPE
from engine.languages.surfaces.argument_order import TENSORFLOW_2, put_in_order
from engine.languages.surfaces.keras import (  # for their tables
    backend,
    layers,
    losses,
    metrics,
    models,
    own_losses,
)
from engine.languages.surfaces.keras.callbacks import catalogue as callbacks
from engine.languages.surfaces.keras.counting import (
    best_metrics,
    class_metrics,
    counted_metrics,
    crossentropies,
    overlaps,
    own_metrics,
)
from engine.languages.surfaces.keras.counting import by_name as metrics_by_name
from engine.languages.surfaces.keras.fitting import constraints, regularizers, sequences, sources
from engine.languages.surfaces.keras.namespaces import draws, functions, utils
from engine.languages.surfaces.keras.optimizers import (  # noqa: F401  # for their tables
    by_name,
    optimizer,
    schedules,
    state,
)
from engine.languages.surfaces.keras.preparing import hashed_words, tokenizer, windows
from engine.languages.surfaces.keras.saving import initial_rules
from engine.languages.surfaces.library import Library
from engine.languages.surfaces.python import clock
from engine.languages.surfaces.tensors import TensorShape
from engine.languages.surfaces.tf1 import module as tf1_module  # noqa: F401  # for its table
from engine.languages.surfaces.tf1.files import summaries
from engine.languages.surfaces.tf1.functions.ops import TF
from engine.languages.surfaces.tf2 import (
    asserts,
    branches,
    devices,
    forward,
    loops,
    modules,
    own_gradient,
    printing,
    strict,
    values,
    variables,
)
from engine.languages.surfaces.tf2 import op_errors as op_errors_module  # noqa: F401  # for its texts
from engine.languages.surfaces.tf2.datasets import (  # noqa: F401  # for their tables
    data,
    mapping,
    pipelines,
    shuffling,
)
from engine.languages.surfaces.tf2.eager import EagerShape
from engine.languages.surfaces.tf2.functions import arrays, function, running, signature
from engine.languages.surfaces.tf2.functions.signature import shape_of
from engine.languages.surfaces.tf2.functions.traced import tracing_now
from engine.languages.surfaces.tf2.looping import body as looping_body  # noqa: F401  # for its table
from engine.languages.surfaces.tf2.more import arrays as more_arrays
from engine.languages.surfaces.tf2.more import (
    counting,
    images,
    kinds,
    matrices,
    numpy_names,
    sampling,
    strategies,
    structures,
    texts,
    units,
)
from engine.languages.surfaces.tf2.renamed import RENAMED, hints
from engine.languages.surfaces.tf2.tape import gradient_tape

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
TF2.refuse(
    ["keras.applications"],
    "Its weights would have to be fetched: build a small model of layers, and train it.",
    "它的权重需要从网上下载：请用各种层搭一个小模型，再训练它。",
)
for name in ("GradientTape", "autodiff", "image", "keras", "data", "print", "function", "contrib"):
    TF2.refused.pop(name, None)
TF2.refuse(
    [name for name in GRAPH_ONLY if "." not in name and name not in asserts.members()],
    "It belongs to TensorFlow 1, which builds a graph first and runs it later. In TensorFlow 2 values "
    "are there at once: use tf.Variable, .assign(…) and tf.GradientTape.",
    "它属于先建图、后运行的 TensorFlow 1。TensorFlow 2 的数值立即可得：请使用 tf.Variable、.assign(…) "
    "和 tf.GradientTape。",
)
TF2.refuse(
    ["ragged", "RaggedTensor"],
    "Tensors here have rows of one length: pad them with tf.keras.utils.pad_sequences(rows, "
    "padding='post'), and leave the filled places out with a mask.",
    "这里的张量各行长度相同：请用 tf.keras.utils.pad_sequences(rows, padding='post') 补齐，"
    "并用掩码去掉补上的位置。",
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
for name, setting in (*running.MEMBERS.items(), *devices.FUNCTIONS.items()):
    TF2.function(name)(setting)
TF2.refused.pop("distribute", None)
for name, make in strategies.FUNCTIONS.items():
    TF2.function(name, devices=ANY, device=ANY)(make)
for name, word in strategies.REDUCE_OPS.items():
    TF2.value(word, name)
TF2.refuse([f"distribute.{name}" for name in strategies.LEFT_OUT], *strategies.HINT)
for name in (*running.IGNORED, *(f"experimental.{setting}" for setting in devices.SETTINGS)):
    TF2.value(Ignored(f"tf.config.{name}"), f"config.{name}")
TF2.function("IndexedSlices")(variables.indexed_slices)
TF2.value("none", "UnconnectedGradients.NONE")
TF2.value("zero", "UnconnectedGradients.ZERO")
TF2.value(-1, "data.AUTOTUNE", "data.experimental.AUTOTUNE")
TF2.value(
    Kind("tf.Variable", variables.variable, (Variable,), arguments={"dtype": ANY_DTYPE}),
    "Variable",
    "contrib.eager.Variable",
)
TF2.function("GradientTape", "contrib.eager.GradientTape")(gradient_tape)
for name, make in {
    **data.MEMBERS,
    **pipelines.MEMBERS,
    **loops.MEMBERS,
    **strict.MEMBERS,
    **branches.MEMBERS,
    **forward.MEMBERS,
    **values.MEMBERS,
    **printing.MEMBERS,
    **utils.MEMBERS,
    **windows.MEMBERS,
}.items():
    TF2.function(name, **kinds.KINDS.get(name, {}))(make)
    TF2.refused.pop(name, None)
for name, make in texts.MEMBERS.items():
    TF2.function(name, **texts.KINDS[name])(make)
for name, make in sampling.MEMBERS.items():
    TF2.function(name, **({"seed": ANY} if "stateless" in name else {}))(make)
    TF2.refused.pop(name, None)
ARRAYS = {
    name: make
    for part in (matrices, more_arrays, units, structures, counting, images)
    for name, make in part.MEMBERS.items()
}
for name, make in ARRAYS.items():
    TF2.function(name, **kinds.KINDS.get(name, {}))(make)
    TF2.refused.pop(name, None)
for part in (
    optimizer,
    by_name,
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
    metrics_by_name,
    overlaps,
    models,
    initial_rules,
    regularizers,
    constraints,
    callbacks,
    sequences,
    sources,
    tokenizer,
    hashed_words,
    numpy_names,
):
    TF2.members.update(part.members())
TF2.refused.pop("experimental", None)
TF2.refuse([f"{numpy_names.ROOM}.{name}" for name in numpy_names.LEFT_OUT])


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


@TF2.function("is_tensor")
def is_tensor(x: Any) -> bool:
    """Whether it is a tensor or a variable."""
    return isinstance(x, (Tensor, Variable))


@TF2.function("timestamp")
def timestamp(interpreter: Interpreter, name: Any = None) -> Tensor:
    """A clock that moves a thousandth of a second per call, so that every run is the same."""
    return ops.constant(clock.reading(interpreter), "float64")


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
