"""TensorFlow 1's ready-made parts: layers, penalties on variables, swish."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from engine import ops
from engine.differentiation.reverse import custom
from engine.errors import ProgramError
from engine.graph.composites import layers as built_layers
from engine.graph.composites.layers import Weights
from engine.graph.variables.initializers import Zeros
from engine.languages.interpreter.arguments import ANY
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.reading.suggestions import did_you_mean
from engine.languages.surfaces.argument_kinds import COUNT
from engine.languages.surfaces.tf1.functions.ops import TF
from engine.languages.surfaces.tf1.functions.registration import taken
from engine.languages.surfaces.tf1.scopes import as_initializer, xavier_initializer
from engine.languages.surfaces.unsupported import PENALTY, refuse_given
from engine.ops.base.building import control_dependencies, convert_to_tensor, current_graph, name_scope
from engine.ops.networks import pooling
from engine.ops.networks.windows import check_format, checked_padding, four

ZEROS = Zeros()


@TF.function("layers.dense", inputs=ANY)
def dense(
    interpreter: Interpreter,
    inputs: Any,
    units: Any,
    activation: Any = None,
    use_bias: Any = True,
    kernel_initializer: Any = None,
    bias_initializer: Any = None,
    kernel_regularizer: Any = None,
    bias_regularizer: Any = None,
    activity_regularizer: Any = None,
    kernel_constraint: Any = None,
    bias_constraint: Any = None,
    trainable: Any = True,
    name: Any = None,
    reuse: Any = None,
) -> Any:
    """A layer: activation(inputs · kernel + bias), its two variables made with it."""
    _refuse_left_out("layers.dense", activity_regularizer, kernel_constraint, bias_constraint)
    graph: Any = current_graph()
    begin, penalties = (kernel_initializer, bias_initializer), (kernel_regularizer, bias_regularizer)
    weights = _weights(interpreter, begin, penalties)
    weights = replace(weights, use_bias=bool(use_bias), trainable=bool(trainable))
    rule = function_of(interpreter, activation)
    return built_layers.dense(graph, taken(inputs), int(units), weights, rule, name=name, reuse=reuse)


@TF.function("contrib.layers.fully_connected", inputs=ANY, num_outputs=COUNT)
def fully_connected(
    interpreter: Interpreter,
    inputs: Any,
    num_outputs: Any,
    activation_fn: Any = ops.relu,
    normalizer_fn: Any = None,
    normalizer_params: Any = None,
    weights_initializer: Any = None,
    weights_regularizer: Any = None,
    biases_initializer: Any = ZEROS,
    biases_regularizer: Any = None,
    reuse: Any = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: Any = True,
    scope: Any = None,
) -> Any:
    """An older layer: relu(inputs · weights + biases), unless another activation or None is given."""
    left_out = {"normalizer_fn": normalizer_fn, "normalizer_params": normalizer_params}
    left_out |= {"weights_regularizer": weights_regularizer, "biases_regularizer": biases_regularizer}
    left_out |= {"variables_collections": variables_collections, "outputs_collections": outputs_collections}
    refuse_given("contrib.layers.fully_connected", left_out, *PENALTY)
    graph: Any = current_graph()
    first = as_initializer(interpreter, weights_initializer) or xavier_initializer()
    weights = Weights(
        first,
        None if biases_initializer is None else as_initializer(interpreter, biases_initializer),
        use_bias=biases_initializer is not None,
        trainable=bool(trainable),
        names=("weights", "biases"),
    )
    rule = ops.relu if activation_fn is ops.relu else function_of(interpreter, activation_fn)
    own = {"name": scope, "reuse": reuse, "default_name": "fully_connected"}
    return built_layers.dense(graph, taken(inputs), int(num_outputs), weights, rule, **own)


@TF.function("layers.conv2d", inputs=ANY, filters=COUNT)
def conv2d(
    interpreter: Interpreter,
    inputs: Any,
    filters: Any,
    kernel_size: Any,
    strides: Any = (1, 1),
    padding: Any = "valid",
    data_format: Any = "channels_last",
    dilation_rate: Any = (1, 1),
    activation: Any = None,
    use_bias: Any = True,
    kernel_initializer: Any = None,
    bias_initializer: Any = None,
    kernel_regularizer: Any = None,
    bias_regularizer: Any = None,
    activity_regularizer: Any = None,
    kernel_constraint: Any = None,
    bias_constraint: Any = None,
    trainable: Any = True,
    name: Any = None,
    reuse: Any = None,
) -> Any:
    """A layer: activation(inputs * kernel + bias), the filter sliding over images."""
    _refuse_left_out("layers.conv2d", activity_regularizer, kernel_constraint, bias_constraint)
    graph: Any = current_graph()
    _check_last(data_format)
    if four(dilation_rate, "dilation_rate") != (1, 1, 1, 1):
        raise ProgramError(
            "tf.layers.conv2d has no dilation here.",
            message_zh="这里 tf.layers.conv2d 不支持 dilation。",
            hint="Use tf.nn.conv2d(x, filter, strides, padding, dilations=…).",
            hint_zh="请使用 tf.nn.conv2d(x, filter, strides, padding, dilations=…)。",
            code="unknown_argument",
        )
    begin, penalties = (kernel_initializer, bias_initializer), (kernel_regularizer, bias_regularizer)
    weights = _weights(interpreter, begin, penalties)
    return built_layers.conv2d(
        graph,
        taken(inputs),
        int(filters),
        four(kernel_size, "kernel_size"),
        replace(weights, use_bias=bool(use_bias), trainable=bool(trainable)),
        function_of(interpreter, activation),
        strides=four(strides, "strides"),
        padding=_padding(padding),
        name=name,
        reuse=reuse,
    )


def _refuse_left_out(layer: str, *given: Any) -> None:
    left_out = ("activity_regularizer", "kernel_constraint", "bias_constraint")
    refuse_given(layer, dict(zip(left_out, given, strict=True)), *PENALTY)


def _weights(interpreter: Interpreter, begin: Sequence[Any], penalties: Sequence[Any]) -> Weights:
    """How kernel and bias of a layer begin, and the penalties on them, as the program names them."""
    return Weights(
        *(as_initializer(interpreter, one) for one in begin),
        *(function_of(interpreter, one) for one in penalties),
    )


def _padding(padding: Any) -> str:
    """Layers take it in small letters as well."""
    return checked_padding(padding.upper() if isinstance(padding, str) else padding)


def _check_last(data_format: Any) -> None:
    check_format("NHWC" if data_format == "channels_last" else data_format)


def _pooling(pool: Callable[..., Any], default: str) -> Callable[..., Any]:
    def pooled(
        inputs: Any,
        pool_size: Any,
        strides: Any,
        padding: Any = "valid",
        data_format: Any = "channels_last",
        name: Any = None,
    ) -> Any:
        _check_last(data_format)
        graph: Any = current_graph()
        with built_layers.named_block(graph, name, default):
            return pool(taken(inputs), pool_size, strides, _padding(padding))

    pooled.__doc__ = "One number for each window of the images."
    return pooled


TF.function("layers.max_pooling2d", inputs=ANY)(_pooling(pooling.max_pool, "max_pooling2d"))
TF.function("layers.average_pooling2d", inputs=ANY)(_pooling(pooling.avg_pool, "average_pooling2d"))


@TF.function("layers.flatten", inputs=ANY)
def flatten(inputs: Any, name: Any = None, data_format: Any = "channels_last") -> Any:
    """One row for each example."""
    _check_last(data_format)
    graph: Any = current_graph()
    return built_layers.flatten(graph, taken(inputs), name)


@TF.function("contrib.layers.flatten", inputs=ANY)
def flatten_in_contrib(inputs: Any, outputs_collections: Any = None, scope: Any = None) -> Any:
    """The same, in a scope of its own."""
    graph: Any = current_graph()
    with name_scope(scope, "Flatten"):
        return built_layers.flatten(graph, taken(inputs))


@TF.function("layers.dropout", inputs=ANY, training=ANY)
def dropout(
    inputs: Any,
    rate: Any = 0.5,
    noise_shape: Any = None,
    seed: Any = None,
    training: Any = False,
    name: Any = None,
) -> Any:
    """Elements dropped by chance while training, and the inputs as they are otherwise."""
    graph: Any = current_graph()
    return built_layers.dropout(graph, taken(inputs), rate, noise_shape, seed, training, name)


def function_of(interpreter: Interpreter, function: Any) -> Callable[..., Any] | None:
    """A function that the program names, as one that the engine calls; None stays None."""
    if isinstance(function, str):
        function = _activation(function)
    return None if function is None else interpreter.as_function(function)


def _activation(word: str) -> Any:
    """The function of an activation's name; None for `linear`. Raises: ProgramError for another word."""
    found = TF.members.get(f"nn.{word}", TF.members.get(word))
    if word != "linear" and found is None:
        hint, hint_zh = did_you_mean(word, ("relu", "sigmoid", "tanh", "softmax", "elu", "linear"))
        raise ProgramError(
            f"There is no activation {word!r}.",
            message_zh=f"没有名为 {word!r} 的激活函数。",
            hint=hint,
            hint_zh=hint_zh,
            code="wrong_arguments",
            said=f"Unknown activation function:{word}",
        )
    return found


@TF.function("contrib.layers.l2_regularizer")
def l2_regularizer(scale: Any, scope: Any = None) -> Native:
    """A penalty: scale times half the sum of squares."""
    return Native("l2_regularizer", built_layers.l2_regularizer(scale))


@TF.function("nn.swish", "nn.silu")
def swish(features: Any) -> Any:
    """x · sigmoid(x), with a gradient of its own that keeps only x."""
    graph: Any = current_graph()

    def build(x: Any) -> tuple[Any, Callable[..., Any]]:
        def gradient(dy: Any) -> Any:
            with control_dependencies(dy):
                share = ops.sigmoid(x)
            return dy * (share * (1.0 + x * (1.0 - share)))

        return x * ops.sigmoid(x), gradient

    return custom.custom_gradient(graph, build, [convert_to_tensor(features)])
