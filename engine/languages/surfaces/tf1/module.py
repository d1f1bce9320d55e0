"""The `tensorflow` module of a TensorFlow 1 program: all its tables together, and the names left out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.errors import ProgramError
from engine.graph import Node, Tensor, Variable
from engine.languages.interpreter.builtins.functions import Kind
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.classes.builtin_exceptions import EXCEPTIONS, OF_OPS
from engine.languages.interpreter.values import Ignored, Module
from engine.languages.surfaces.argument_order import TENSORFLOW_1, put_in_order
from engine.languages.surfaces.data_sets import of_keras
from engine.languages.surfaces.dtypes import DType
from engine.languages.surfaces.tensors import TensorShape
from engine.languages.surfaces.tf1 import (  # noqa: F401  # for their tables
    averages,
    collections,
    flow,
    graph_defs,
    graphs,
    loops,
    run_errors,
    scopes,
    session,
    templates,
    test,
    train,
    variables,
)
from engine.languages.surfaces.tf1.datasets import (  # noqa: F401  # for their tables
    batches,
    iterators,
    sources,
    steps,
)
from engine.languages.surfaces.tf1.files import checkpoints, summaries  # noqa: F401  # for their tables
from engine.languages.surfaces.tf1.functions import (  # noqa: F401  # for their tables
    arrays,
    asserts,
    gathering,
    layer_classes,
    layers,
    losses,
    matrices,
    metrics,
    nn,
    normalizing,
    printing,
    sampling,
    texts,
)
from engine.languages.surfaces.tf1.functions.ops import TF
from engine.languages.surfaces.tf1.recurrent import bidirectional  # noqa: F401  # for its tables
from engine.languages.surfaces.tf1.starting import flags  # noqa: F401  # for its table
from engine.languages.surfaces.tf1.starting.inner_paths import inner_paths
from engine.languages.surfaces.unsupported import LEFT_OUT
from engine.ops.base.tensors import DTYPES, TEXT

TENSORFLOW_VERSION = "1.15.5"

for dtype in sorted((*DTYPES, TEXT)):
    TF.value(DType(dtype), dtype, f"dtypes.{dtype}")
for error in OF_OPS:
    TF.value(EXCEPTIONS[error], f"errors.{error}")
TF.value(DType("float32"), "float")
TF.value(DType("float64"), "double")
TF.value(DType("float16"), "half")
TF.value(None, "newaxis")
TF.value(TENSORFLOW_VERSION, "__version__", "VERSION", "version.VERSION")
TF.value(-1, "data.experimental.AUTOTUNE", "data.AUTOTUNE")
TF.value(Ignored("tf.logging"), "logging")
TF.value(Ignored("tf.config"), "config")
TF.value(Ignored("tf.keras.backend"), "keras.backend")
TF.members.update(of_keras.members())
TF.function("test.is_gpu_available")(lambda cuda_only=False, min_cuda_compute_capability=None: False)
TF.function("test.is_built_with_cuda")(lambda: False)
TF.function("test.gpu_device_name")(lambda: "")
TF.value(
    Ignored(
        "tf.disable_eager_execution",
        "The program runs as TensorFlow 1: graphs first, then sessions.",
        "程序按 TensorFlow 1 运行：先构建图，再用会话执行。",
    ),
    "disable_eager_execution",
    "disable_v2_behavior",
)


def _type(name: str, types: tuple[type, ...], native: Native | None = None) -> Kind:
    """A class of TensorFlow's that `isinstance` asks for; some of them are also called."""

    def refuse(*args: Any, **keywords: Any) -> None:
        raise ProgramError(
            f"{name} cannot be called.",
            message_zh=f"{name} 不能被调用。",
            hint="It is there for isinstance(…) only.",
            hint_zh="它只用于 isinstance(…)。",
            code="not_callable",
        )

    arguments = native.arguments if native else {}
    return Kind(name, native.function if native else refuse, types, arguments=arguments)


VARIABLE_FUNCTION = TF.members["Variable"]
TF.value(_type("tf.Variable", (Variable,), VARIABLE_FUNCTION), "Variable")
TF.value(_type("tf.TensorShape", (TensorShape,), TF.members["TensorShape"]), "TensorShape")
TF.value(_type("tf.Tensor", (Tensor,)), "Tensor")
TF.value(_type("tf.Operation", (Node,)), "Operation")

TF.refuse(
    ["GradientTape"],
    "A tape needs TensorFlow 2: leave out tf.Session and compat.v1, or write tf.gradients(y, [x]).",
    "GradientTape 属于 TensorFlow 2：请去掉 tf.Session 和 compat.v1，或改用 tf.gradients(y, [x])。",
)
TF.refuse(
    ["strings"],
    "Of tf.strings there are join, reduce_join, length, lower, upper, strip, substr, "
    "regex_replace, regex_full_match, as_string, to_number and format.",
    "tf.strings 中有 join、reduce_join、length、lower、upper、strip、substr、"
    "regex_replace、regex_full_match、as_string、to_number 和 format。",
)
TF.refuse(
    ["strings.split", "string_split"],
    "Texts have different numbers of parts, so TensorFlow 1 makes a sparse tensor of them: split them in "
    'Python, with "a b".split().',
    '各文本的片段个数不同，TensorFlow 1 会给出稀疏张量：请在 Python 中分开，例如 "a b".split()。',
)
TF.refuse(
    ["keras.utils.get_file"],
    "No files are loaded here: make a small one, such as np.random.RandomState(0).randn(100, 2).",
    "这里不下载文件：请自己造一个小数据集，例如 np.random.RandomState(0).randn(100, 2)。",
)
TF.refuse(
    ["keras", "layers", "estimator", "data", "saved_model", "contrib", "image", "io", "distribute"],
    "Write the layer out with tf.matmul and an activation.",
    "请用 tf.matmul 和激活函数写出这一层。",
)
TF.refuse(
    ["py_func", "py_function", "numpy_function"],
    "A Python function inside a graph is a black box, and its gradient is None in TensorFlow, too: write it "
    "with TensorFlow's own functions, and a gradient of your own with @tf.custom_gradient.",
    "图中的 Python 函数是个黑盒，在 TensorFlow 里它的梯度也是 None：请改用 TensorFlow 自己的函数；"
    "自定义梯度请用 @tf.custom_gradient。",
)
TF.refuse(
    ["contrib.losses"],
    "Write tf.losses.mean_squared_error(labels, predictions): the labels come first there.",
    "请写 tf.losses.mean_squared_error(labels, predictions)：那里标签在前。",
)
TF.refuse(
    ["contrib.layers.batch_norm"],
    "Write tf.layers.batch_normalization(x, training=True).",
    "请写 tf.layers.batch_normalization(x, training=True)。",
)
TF.refuse(["function", "add_check_numerics_ops"])

for home, names in LEFT_OUT.items():
    dotted = [f"{home}.{name}" if home else name for name in names.split()]
    TF.refuse([name for name in dotted if name not in TF.members and name not in TF.refused])

put_in_order(TF.members, TENSORFLOW_1)


def tensorflow_module() -> Module:
    """The module `tf`, with itself as `compat.v1`."""
    module = TF.module()
    compat = Module("tf.compat", {"v1": module, "v2": module})
    return replace(module, members={**module.members, "compat": compat, "python": inner_paths(module)})
