"""TensorFlow 1's batch normalization: the layer, and the op that it makes of images."""

from __future__ import annotations

from typing import Any

from engine.graph.composites.batch_normalization import Normalization
from engine.graph.composites.batch_normalization import batch_normalization as built
from engine.languages.interpreter.arguments import ANY, Argument
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.argument_kinds import NUMBER
from engine.languages.surfaces.tf1.functions.layers import function_of
from engine.languages.surfaces.tf1.functions.ops import TF
from engine.languages.surfaces.tf1.functions.registration import taken
from engine.languages.surfaces.tf1.scopes import as_initializer
from engine.languages.surfaces.unsupported import refuse_given
from engine.ops.base.building import current_graph
from engine.ops.base.shapes import whole_numbers
from engine.ops.base.tensors import Operators
from engine.ops.networks import fused_normalizing

TRAINING = Argument(
    "True, False or a tensor",
    " True、False 或张量",
    lambda value: isinstance(value, (bool, int, Operators)),
    "Write training=True, or training=tf.placeholder(tf.bool).",
    "请写 training=True，或 training=tf.placeholder(tf.bool)。",
)

OWN_STATISTICS = (
    "Leave it out; what it normalizes by is the batch's own mean and variance.",
    "请去掉它；归一化使用这一批数据自己的均值和方差。",
)


@TF.function("nn.fused_batch_norm", x=ANY, epsilon=NUMBER)
def fused_batch_norm(
    x: Any,
    scale: Any,
    offset: Any,
    mean: Any = None,
    variance: Any = None,
    epsilon: Any = 0.001,
    data_format: Any = "NHWC",
    is_training: Any = True,
    name: Any = None,
) -> Any:
    """Images with the mean 0 and the variance 1 in each channel, and the batch's own mean and variance."""
    statistics = {"mean": taken(mean), "variance": taken(variance), "is_training": bool(is_training)}
    how = {"epsilon": epsilon, "data_format": data_format, "name": name}
    return fused_normalizing.fused_batch_norm(taken(x), taken(scale), taken(offset), **statistics, **how)


@TF.function(
    "layers.batch_normalization",
    inputs=ANY,
    axis=ANY,
    momentum=NUMBER,
    epsilon=NUMBER,
    training=TRAINING,
    fused=ANY,
)
def batch_normalization(
    interpreter: Interpreter,
    inputs: Any,
    axis: Any = -1,
    momentum: Any = 0.99,
    epsilon: Any = 1e-3,
    center: Any = True,
    scale: Any = True,
    beta_initializer: Any = None,
    gamma_initializer: Any = None,
    moving_mean_initializer: Any = None,
    moving_variance_initializer: Any = None,
    beta_regularizer: Any = None,
    gamma_regularizer: Any = None,
    beta_constraint: Any = None,
    gamma_constraint: Any = None,
    training: Any = False,
    trainable: Any = True,
    name: Any = None,
    reuse: Any = None,
    renorm: Any = False,
    renorm_clipping: Any = None,
    renorm_momentum: Any = 0.99,
    fused: Any = None,
    virtual_batch_size: Any = None,
    adjustment: Any = None,
) -> Any:
    """A layer: each element minus the mean of its place, over the deviation, times gamma plus beta."""
    left_out = {
        "beta_constraint": beta_constraint,
        "gamma_constraint": gamma_constraint,
        "renorm": renorm,
        "virtual_batch_size": virtual_batch_size,
        "adjustment": adjustment,
    }
    refuse_given("layers.batch_normalization", left_out, *OWN_STATISTICS)
    first = (beta_initializer, gamma_initializer, moving_mean_initializer, moving_variance_initializer)
    how = Normalization(
        axes=whole_numbers(axis, "axis").reshape(-1).tolist(),
        momentum=momentum,
        epsilon=epsilon,
        center=bool(center),
        scale=bool(scale),
        initializers=[as_initializer(interpreter, one) for one in first],
        regularizers=[function_of(interpreter, one) for one in (beta_regularizer, gamma_regularizer)],
        trainable=bool(trainable),
        fused=fused is None or bool(fused),
    )
    graph: Any = current_graph()
    return built(graph, taken(inputs), how, training, name=name, reuse=reuse)
